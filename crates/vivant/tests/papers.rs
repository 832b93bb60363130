//! End-to-end tests of statements in papers 1 and 2 about lids, blinks and heads; see `docs/science/papers/`.

use vivant::eyes::blinking::{BlinkStrategy, Evoked};
use vivant::eyes::direction::{Direction, angle_between_deg};
use vivant::eyes::gaze::Ranges;
use vivant::eyes::{BlinkIntent, EyeFrame, Eyes, HeadPose, Look, Temperament};

fn eyes(temperament: Temperament) -> Eyes {
    Eyes::new(Ranges::default(), temperament, 9)
}

fn at(eyes: &mut Eyes, t: f64) -> EyeFrame {
    eyes.advance_to(t, |_, turn| HeadPose::standing(turn))
}

fn towards(at: f64, yaw: f64, pitch: f64) -> Look {
    Look { at, latency_secs: Some(0.0), ..Look::towards(yaw, pitch) }
}

/// Paper 1, Discussion: emotional states and conditions are parameters. Surprise widens the aperture, ptosis and
/// fatigue reduce it, and fatigue slows the lids.
#[test]
fn fatigue_slows_and_lowers_the_lids() {
    let blink_secs = |lid_tempo: f64| {
        let mut eyes = eyes(Temperament { lid_tempo, ..Temperament::still() });
        eyes.blink(BlinkIntent { at: 1.0, ..BlinkIntent::default() });
        let is_blinking = |i: &i32| at(&mut eyes, f64::from(*i) * 1e-3).is_blinking[0];
        (0..3000).filter(is_blinking).count() as f64 * 1e-3
    };
    // 66 ms closing, 13 ms hold of a voluntary blink and 181 ms opening.
    assert!((blink_secs(1.0) - 0.260).abs() < 0.003 && (blink_secs(0.5) - 0.521).abs() < 0.003);
    for (resting_aperture, expected) in [([0.7, 0.7], [0.7, 0.7]), ([1.2, 0.5], [1.2, 0.5])] {
        let mut eyes = eyes(Temperament { resting_aperture, ..Temperament::still() });
        let found = at(&mut eyes, 1.0).lids.map(|lids| lids.aperture);
        assert!(found.iter().zip(expected).all(|(a, b): (&f64, f64)| (a - b).abs() < 1e-12), "{found:?}");
        eyes.blink(BlinkIntent { at: 1.0, hold_secs: Some(1.0), ..BlinkIntent::default() });
        assert!(
            at(&mut eyes, 1.5).lids.iter().all(|lids| lids.aperture.abs() < 1e-12),
            "and close completely"
        );
    }
}

/// Paper 1, Lid Saccades: downward lid saccades may overshoot for a moment. The probability is 20/60 at 20°; for 300
/// trials, four standard deviations are 11 percentage points (99.99 % of runs).
#[test]
fn downward_lid_saccades_sometimes_overshoot() {
    let mut eyes = eyes(Temperament { blinks: BlinkStrategy::None, ..Temperament::default() });
    let lowest = (0..300).map(|i| {
        let start = f64::from(i) * 2.0;
        eyes.look(Look { head: Some(0.0), ..towards(start, 0.0, 0.0) });
        eyes.look(Look { head: Some(0.0), ..towards(start + 1.0, 0.0, -20.0) });
        let lids: Vec<f64> = (1000..2000)
            .step_by(4)
            .map(|ms| at(&mut eyes, start + f64::from(ms) * 1e-3).lids[0].upper_deg)
            .collect();
        assert!((lids.last().unwrap() + 20.0).abs() < 1e-6, "{lids:?}");
        lids.into_iter().fold(0.0, f64::min)
    });
    let too_far: Vec<f64> = lowest.map(|lid| -20.0 - lid).filter(|deg| *deg > 0.1).collect();
    assert!((too_far.len() as f64 / 300.0 - 1.0 / 3.0).abs() < 0.11, "{}", too_far.len());
    assert!(too_far.iter().all(|deg| (0.4..2.0).contains(deg)), "{too_far:?}");
}

/// Paper 2, Table 2, the mixed strategy: characters blink regularly, and also with every shift that turns the head by
/// 75°.
#[test]
fn regular_and_evoked_blinks_combine() {
    let mut eyes = eyes(Temperament {
        evoked: Evoked { certain_at_75: true, ..Evoked::peters() },
        ..Temperament::peters(1.0)
    });
    eyes.start_idle_behaviour(0.0);
    for i in 0..5 {
        let yaw = if i % 2 == 0 { 75.0 } else { 0.0 };
        eyes.look(towards(1.5 + 3.0 * f64::from(i), yaw, 0.0));
    }
    let (mut onsets, mut was) = (Vec::new(), false);
    for ms in 0..15_000 {
        let is = at(&mut eyes, f64::from(ms) * 1e-3).is_blinking[0];
        if is && !was {
            onsets.push(ms);
        }
        was = is;
    }
    let expected = [1500, 3000, 4500, 6000, 7500, 9000, 10_500, 12_000, 13_500];
    let near = |(found, expected): (&i32, i32)| (found - expected).abs() <= 45;
    assert!(onsets.len() == 9 && onsets.iter().zip(expected).all(near), "{onsets:?}");
}

/// Returns the peak velocities of eye (in the head) and head in a shift.
fn peaks(temperament: Temperament, yaw: f64) -> [f64; 2] {
    let mut eyes = eyes(temperament);
    eyes.look(towards(0.0, yaw, 0.0));
    let frames: Vec<EyeFrame> = (0..2000).map(|ms| at(&mut eyes, f64::from(ms) * 1e-3)).collect();
    let fastest = |direction: fn(&EyeFrame) -> glam::DVec3| {
        let steps = frames.windows(2).map(|pair| angle_between_deg(direction(&pair[0]), direction(&pair[1])));
        steps.fold(0.0, f64::max) * 1e3
    };
    [fastest(|frame| frame.eye), fastest(|frame| frame.head_in_model * glam::DVec3::Z)]
}

/// Paper 2, 3.2: as the share of the head grows, peak eye velocity declines while peak head velocity increases.
#[test]
fn eye_velocity_falls_as_the_head_share_grows() {
    let mut before = [f64::INFINITY, 0.0];
    for factor in [0.2, 0.4, 0.6, 0.8, 1.0] {
        let peaks = peaks(Temperament { blinks: BlinkStrategy::None, ..Temperament::peters(factor) }, 75.0);
        assert!(peaks[0] < before[0] && peaks[1] > before[1], "{factor}: {peaks:?} after {before:?}");
        before = peaks;
    }
}

/// Paper 2, section 6: for a more distant viewer, the head takes a greater share of a gaze shift.
#[test]
fn the_head_share_grows_with_viewing_distance() {
    let head = |viewer_distance_m: Option<f64>| {
        let temperament =
            Temperament { head_movement_factor: 0.4, viewer_distance_m, ..Temperament::still() };
        let mut eyes = eyes(temperament);
        eyes.look(towards(0.0, 30.0, 0.0));
        Direction::of(at(&mut eyes, 3.0).head_in_model * glam::DVec3::Z).yaw_deg
    };
    let (near, half, far) = (head(Some(1.0)), head(Some(6.0)), head(Some(20.0)));
    assert_eq!(near, head(None));
    assert!(near < half && half < far && far < 30.0, "{near}° {half}° {far}°");
}
