use super::*;
use crate::body::layers::Layer;
use crate::clip::Clip;
use proptest::prelude::*;

const ARMS: BoneSet = Layer::Arms.influence();

/// Minimum-jerk curve from 0 to 1 (Flash and Hogan 1985).
fn minimum_jerk(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * x * (10.0 + x * (6.0 * x - 15.0))
}

/// Value at `t` of a movement through the keys (seconds, value), with minimum jerk between keys.
fn along(keys: &[(f64, f64)], t: f64) -> f64 {
    let after = keys.iter().position(|(at, _)| *at > t).unwrap_or(keys.len());
    match (after.checked_sub(1).map(|i| keys[i]), keys.get(after)) {
        (Some((from, a)), Some((to, b))) => a + (b - a) * minimum_jerk((t - from) / (to - from)),
        (Some((_, a)), None) => a,
        (None, first) => first.map_or(0.0, |(_, b)| *b),
    }
}

/// A clip that rotates one joint through the keys (seconds, degrees).
fn clip(bone: Bone, rate: f64, secs: f64, keys: &[(f64, f64)]) -> Clip {
    let frames = (secs * rate) as usize + 1;
    let mut clip = Clip::new("made", rate, frames, 1.0).unwrap();
    for frame in 0..frames {
        let degrees = along(keys, frame as f64 / rate) as f32;
        let axis = if bone == Bone::Head { Vec3::X } else { Vec3::Z };
        clip.set_rotation(frame, bone, Quat::from_axis_angle(axis, degrees.to_radians()));
    }
    clip
}

fn found(keys: &[(f64, f64)], secs: f64) -> f64 {
    let clip = clip(Bone::RightLowerArm, 30.0, secs, keys);
    find(&clip, (0.0, clip.duration()), Some(Hand::Right), ARMS).unwrap()
}

/// Allowed error in seconds: two frames of a clip at 30 Hz.
const TOLERANCE: f64 = 0.067;

#[test]
fn the_apex_is_found() {
    for (what, keys, secs, apex) in [
        ("a point: out, held, back", &[(0.2, 0.0), (0.8, 70.0), (1.6, 70.0), (2.2, 0.0)][..], 2.5, 0.8),
        ("up and back without a hold", &[(0.2, 0.0), (0.7, 60.0), (1.4, 0.0)], 1.8, 0.7),
        (
            "a beat: up, down, held, back",
            &[(0.1, 0.0), (0.6, 60.0), (0.85, 40.0), (1.3, 40.0), (1.8, 0.0)],
            2.0,
            0.85,
        ),
        (
            "two beats",
            &[(0.1, 0.0), (0.6, 60.0), (0.85, 40.0), (1.2, 58.0), (1.45, 40.0), (2.0, 0.0)],
            2.2,
            0.85,
        ),
        (
            "a beat that is hardly held, with a slow way back",
            &[(0.1, 0.0), (0.7, 54.0), (0.88, 22.0), (0.98, 22.0), (1.9, 0.0)],
            2.1,
            0.88,
        ),
        ("a hold sinks a little", &[(0.1, 0.0), (0.6, 60.0), (1.4, 57.0), (2.0, 0.0)], 2.2, 0.6),
        ("drawn back before", &[(0.1, 0.0), (0.3, -5.0), (0.8, 60.0), (1.4, 60.0), (2.0, 0.0)], 2.2, 0.8),
    ] {
        let found = found(keys, secs);
        assert!((found - apex).abs() < TOLERANCE, "{what}: {found:.3} and not {apex}");
    }
}

#[test]
fn the_stroke_of_a_nod_is_its_lowest_point_relative_to_the_part() {
    let keys = [(0.3, 0.0), (0.6, 12.0), (0.9, 0.0), (1.2, 10.0), (1.5, 0.0)];
    let clip = clip(Bone::Head, 60.0, 2.0, &keys);
    for (part, apex) in [((0.0, 2.0), 0.6), ((0.2, 2.0), 0.4), ((0.9, 2.0), 0.3)] {
        let found = find(&clip, part, None, Layer::Head.influence()).unwrap();
        assert!((found - apex).abs() < TOLERANCE, "{part:?}: {found:.3}");
        // If the hands rest, the head's stroke counts.
        assert_eq!(find(&clip, part, None, ARMS), Some(found));
    }
}

#[test]
fn a_clip_without_motion_has_no_stroke() {
    let still = clip(Bone::RightLowerArm, 30.0, 2.0, &[]);
    assert_eq!(find(&still, (0.0, 2.0), None, ARMS), None);
    // Bones that are not played do not count.
    let keys = [(0.2, 0.0), (0.8, 70.0), (1.6, 0.0)];
    let moved = clip(Bone::RightLowerArm, 30.0, 2.0, &keys);
    assert_eq!(find(&moved, (0.0, 2.0), Some(Hand::Right), Layer::Head.influence()), None);
    let pose = Clip::new("pose", 30.0, 1, 1.0).unwrap();
    assert_eq!(find(&pose, (0.0, 0.0), None, ARMS), None);
}

proptest! {
    #[test]
    fn beats_are_found_at_any_rate_size_and_length(
        rate in prop::sample::select(vec![24.0, 30.0, 60.0, 120.0]),
        (up, beat) in (30.0f64..90.0, 0.25f64..0.6),
        (begin, raise, strike, hold, back) in (0.0f64..0.5, 0.4f64..0.8, 0.15f64..0.3, 0.1f64..0.8, 0.5f64..0.9),
    ) {
        let apex = begin + raise + strike;
        let down = up * (1.0 - beat);
        let keys = [(begin, 0.0), (begin + raise, up), (apex, down), (apex + hold, down), (apex + hold + back, 0.0)];
        let clip = clip(Bone::LeftLowerArm, rate, apex + hold + back + 0.2, &keys);
        let found = find(&clip, (0.0, clip.duration()), Some(Hand::Left), ARMS).unwrap();
        prop_assert!((found - apex).abs() < TOLERANCE, "{} and not {}", found, apex);
    }
}
