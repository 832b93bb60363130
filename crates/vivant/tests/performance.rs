//! Complete performances: bit-identical at any frame rate, without jumps.

mod stage;

use proptest::prelude::*;
use vivant::body::layers::Layer;
use vivant::crowd::Crowd;
use vivant::frame::Frame;
use vivant::math::angle_between;
use vivant::performer::{Performer, Play};
use vivant::rig::{Bone, BoneSet};

#[test]
fn a_minute_of_clips_is_bit_identical_at_any_frame_rate() {
    stage::golden::CLIPS.check();
}

/// An operation in a performance.
#[derive(Clone, Debug)]
enum Operation {
    Play(Play),
    Stop(f64, Layer, f64),
    Improvise(f64),
}

fn operation() -> impl Strategy<Value = Operation> {
    let layer = || (0..3_usize).prop_map(|i| Layer::ALL[i]);
    let times = (0.0..10.0_f64, 0.0..0.8_f64, 0.0..0.8_f64, 0.0..1.5_f64);
    let play = (times, layer(), 0..5_usize, 0.0..=1.0_f32, any::<bool>(), 0..3_u8).prop_map(
        |((at, blend_in, blend_out, from), layer, clip, weight, looped, mask)| {
            let mask = [None, Some(BoneSet::ALL), Some(BoneSet::RIGHT_ARM)][usize::from(mask)];
            let to = (from > 1.0).then_some(from + 0.4);
            Operation::Play(Play { at, clip, layer, mask, weight, looped, blend_in, blend_out, from, to })
        },
    );
    prop_oneof![
        6 => play,
        1 => (0.0..10.0_f64, layer(), 0.0..0.8_f64).prop_map(|(at, layer, blend)| Operation::Stop(at, layer, blend)),
        1 => (0.0..10.0_f64).prop_map(Operation::Improvise),
    ]
}

fn performer(seed: u64, operations: &[Operation]) -> Performer {
    let mut performer = stage::performer(seed);
    for operation in operations {
        match operation {
            Operation::Play(play) => performer.play(*play),
            Operation::Stop(at, layer, blend) => performer.stop(*at, *layer, *blend),
            Operation::Improvise(at) => performer.improvise(*at),
        }
    }
    performer
}

fn largest_turn(a: &Frame, b: &Frame) -> f32 {
    Bone::ALL.into_iter().map(|bone| angle_between(a.rotation(bone), b.rotation(bone))).fold(0.0, f32::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_sequence_of_times_gives_the_same_frame(
        seed in any::<u64>(),
        operations in prop::collection::vec(operation(), 0..12),
        mut stops in prop::collection::vec(0.0..12.0_f64, 0..40),
    ) {
        let mut straight = performer(seed, &operations);
        let mut strolling = performer(seed, &operations);
        stops.sort_by(f64::total_cmp);
        for stop in stops {
            strolling.advance_to(stop);
        }
        prop_assert_eq!(stage::fold(0, straight.advance_to(12.0)), stage::fold(0, strolling.advance_to(12.0)));
    }

    /// A jump does not shrink with the time step. Whatever moves by more than half a degree (or half a percent)
    /// within a millisecond is checked again in 32 steps, none of which may contain more than a quarter of it.
    #[test]
    fn clips_cause_no_jumps(seed in any::<u64>(), operations in prop::collection::vec(operation(), 1..12)) {
        let mut performer = performer(seed, &operations);
        performer.advance_to(0.0);
        for step in 1..=8_000 {
            let before = performer.clone();
            performer.advance_to(f64::from(step) / 1000.0);
            stage::fold(0, performer.frame());
            let moved = largest_change(before.frame(), performer.frame());
            if moved > 0.005 {
                let closely = largest_of_steps(before, performer.frame().time(), 32);
                prop_assert!(closely < moved / 4.0, "{closely} of {moved} at {} s", performer.frame().time());
            }
        }
    }
}

/// Returns the greatest difference of any bone (radians), the root (metres) or an expression between two frames.
fn largest_change(a: &Frame, b: &Frame) -> f32 {
    let weights = a.weights().iter().zip(b.weights()).map(|(a, b)| (a - b).abs());
    weights.fold(largest_turn(a, b).max(a.root().distance(b.root())), f32::max)
}

/// Returns the greatest change between consecutive steps up to `t`.
fn largest_of_steps(mut performer: Performer, t: f64, steps: u32) -> f32 {
    let start = performer.frame().time();
    let mut largest: f32 = 0.0;
    for step in 1..=steps {
        let before = performer.frame().clone();
        performer.advance_to(start + (t - start) * f64::from(step) / f64::from(steps));
        largest = largest.max(largest_change(&before, performer.frame()));
    }
    largest
}

/// Directly before and after an interruption, pose and velocity are the same.
#[test]
fn an_interruption_preserves_pose_and_velocity() {
    let mut performer = stage::performer(1);
    performer.play(Play { looped: true, ..Play::clip(0) });
    performer.play(Play { at: 3.0, blend_in: 0.5, ..Play::clip(1) });
    let at = |performer: &mut Performer, t: f64| performer.advance_to(t).clone();
    let h = 1e-3;
    let frames = [3.0 - 2.0 * h, 3.0 - h, 3.0 - 1e-6, 3.0, 3.0 + h].map(|t| at(&mut performer, t));
    assert!(largest_turn(&frames[2], &frames[3]) < 1e-5);
    for bone in Bone::ALL {
        let velocity = |a: &Frame, b: &Frame| {
            let turn = a.rotation(bone).inverse() * b.rotation(bone);
            vivant::math::rotation_vector(turn) / h as f32
        };
        let (before, after) = (velocity(&frames[0], &frames[1]), velocity(&frames[3], &frames[4]));
        assert!((before - after).length() < 0.05, "{bone:?}: {before} and {after}");
    }
}

#[test]
fn a_performance_returns_to_its_base_pose() {
    let mut performer = stage::performer(3);
    let base = performer.advance_to(0.0).clone();
    performer.play(Play { at: 0.5, ..Play::clip(2) });
    performer.play(Play { at: 0.7, layer: Layer::Arms, ..Play::clip(1) });
    assert!(largest_turn(&base, performer.advance_to(1.5)) > 0.1);
    assert!(largest_turn(&base, performer.advance_to(6.0)) < 1e-6);
    assert!(performer.playing(Layer::Body).is_none());
}

#[test]
fn layers_move_the_bones_of_the_paper() {
    for layer in Layer::ALL {
        let mut performer = stage::performer(4);
        let base = performer.advance_to(0.0).clone();
        performer.play(Play { layer, looped: true, ..Play::clip(0) });
        let frame = performer.advance_to(2.0).clone();
        for bone in performer.library().rig().bones().iter() {
            let moved = angle_between(base.rotation(bone), frame.rotation(bone)) > 1e-4;
            assert_eq!(moved, layer.influence().contains(bone), "{layer:?} {bone:?}");
        }
    }
}

#[test]
fn invalid_requests_are_ignored() {
    let mut performer = stage::performer(5);
    let base = performer.advance_to(1.0).clone();
    performer.play(Play::clip(99));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        performer.play(Play { at: bad, ..Play::clip(0) });
        performer.play(Play { weight: bad as f32, ..Play::clip(0) });
        performer.play(Play { blend_in: bad, ..Play::clip(0) });
        performer.play(Play { from: bad, ..Play::clip(0) });
        performer.play(Play { to: Some(bad), ..Play::clip(0) });
        performer.stop(bad, Layer::Body, 1.0);
        performer.stop(1.5, Layer::Body, bad);
    }
    assert!(largest_turn(&base, performer.advance_to(2.0)) < 1e-9);
    let later = performer.advance_to(2.5).clone();
    assert_eq!(performer.advance_to(1.0), &later);
    assert_eq!(performer.advance_to(f64::NAN), &later);
}

#[test]
fn seeds_are_reproducible_and_distinct() {
    let hash = |seed: u64| {
        let mut performer = stage::performer(seed);
        performer.improvise(0.0);
        (1..100).fold(0, |hash, t| stage::fold(hash, performer.advance_to(f64::from(t))))
    };
    assert_eq!(hash(1), hash(1));
    assert_ne!(hash(1), hash(2));
}

#[test]
fn a_crowd_equals_its_performers() {
    let performers =
        |n: u64| (0..n).map(|seed| performer(seed, &[Operation::Improvise(0.0)])).collect::<Vec<_>>();
    let mut crowd = Crowd::new(performers(5));
    crowd.advance_to(7.0);
    for (alone, together) in performers(5).iter_mut().zip(crowd.performers()) {
        assert_eq!(alone.advance_to(7.0), together.frame());
    }
}

#[cfg(feature = "parallel")]
#[test]
fn parallel_advance_is_bit_identical() {
    let performers = || (0..50).map(|seed| performer(seed, &[Operation::Improvise(0.0)])).collect::<Vec<_>>();
    let (mut one, mut all) = (Crowd::new(performers()), Crowd::new(performers()));
    one.advance_to(9.0);
    all.advance_to_on_all_cores(9.0);
    for (a, b) in one.performers().iter().zip(all.performers()) {
        assert_eq!(a.frame(), b.frame());
    }
}
