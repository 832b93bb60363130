//! Even steps, and what is not filled.

use super::is_near;
use crate::recording::{Aperture, EvenOptions, Eye, Gaze, Recording, Unit};
use proptest::prelude::*;

fn recording(times: Vec<f64>, left: Vec<f64>, right: Vec<f64>) -> Recording {
    let aperture = Some(Aperture { unit: Some(Unit::Millimetres), left, right });
    Recording { times, aperture, ..Recording::default() }
}

const N: f64 = f64::NAN;

#[test]
fn gaps_are_filled_up_to_the_stated_time_and_no_longer() {
    let times: Vec<f64> = (0..9).map(|i| f64::from(i) * 0.01).collect();
    let left = vec![8.0, 8.0, N, 8.0, N, N, N, 8.0, 8.0];
    let check = |max_gap_secs: f64, expected: &[f64], filled: f64, unknown: f64| {
        let recording = recording(times.clone(), left.clone(), Vec::new());
        let even = recording.even(&EvenOptions { max_gap_secs, ..EvenOptions::default() });
        assert_eq!(even.rate_hz, 100.0);
        let openness = even.openness.unwrap();
        assert!(is_near(&openness, expected), "{max_gap_secs}: {openness:?}");
        assert!(
            is_near(&[even.filled, even.unknown], &[filled, unknown]),
            "{} {}",
            even.filled,
            even.unknown
        );
    };
    check(0.005, &[1.0, 1.0, N, 1.0, N, N, N, 1.0, 1.0], 0.0, 4.0 / 9.0);
    check(0.025, &[1.0, 1.0, 1.0, 1.0, N, N, N, 1.0, 1.0], 1.0 / 9.0, 3.0 / 9.0);
    check(0.045, &[1.0; 9], 4.0 / 9.0, 0.0);
}

#[test]
fn the_two_eyes_are_joined_as_shares_of_their_own_open_apertures() {
    let times: Vec<f64> = (0..6).map(|i| f64::from(i) * 0.01).collect();
    let recording = recording(times, vec![10.0, 10.0, 5.0, N, 10.0, 10.0], vec![6.0, 6.0, 0.0, 3.0, N, 6.0]);
    let check = |eye: Eye, expected: &[f64]| {
        let options = EvenOptions { eye, max_gap_secs: 0.0, ..EvenOptions::default() };
        let openness = recording.even(&options).openness.unwrap();
        assert!(is_near(&openness, expected), "{eye:?}: {openness:?}");
    };
    check(Eye::Left, &[1.0, 1.0, 0.5, N, 1.0, 1.0]);
    check(Eye::Right, &[1.0, 1.0, 0.0, 0.5, N, 1.0]);
    check(Eye::Both, &[1.0, 1.0, 0.25, 0.5, 1.0, 1.0]);
}

#[test]
fn an_eye_that_was_seen_counts_and_not_one_that_was_drawn_across_a_gap() {
    let times: Vec<f64> = (0..5).map(|i| f64::from(i) * 0.01).collect();
    let recording = recording(times, vec![9.0, 9.0, 0.0, N, 9.0], vec![6.0, N, N, N, 6.0]);
    let openness = recording.even(&EvenOptions::default()).openness.unwrap();
    // Where both are drawn across, the mean of both.
    assert!(is_near(&openness, &[1.0, 1.0, 0.0, 0.75, 1.0]), "{openness:?}");
}

#[test]
fn a_straight_line_stays_one_at_any_rate_in_spite_of_jitter() {
    let times: Vec<f64> = (0..200).map(|i| f64::from(i) * 0.005 + 0.001 * f64::from(i % 3)).collect();
    let gaze = Gaze {
        yaw_deg: times.iter().map(|t| 7.0 * t).collect(),
        pitch_deg: times.iter().map(|t| -t).collect(),
    };
    let recording = Recording { times, gaze: Some(gaze), ..Recording::default() };
    for rate_hz in [30.0, 120.0, 200.0, 777.0] {
        let even = recording.even(&EvenOptions { rate_hz: Some(rate_hz), ..EvenOptions::default() });
        let gaze = even.gaze.unwrap();
        let expected: Vec<f64> = (0..gaze.yaw_deg.len()).map(|i| 7.0 * i as f64 / rate_hz).collect();
        assert!(is_near(&gaze.yaw_deg, &expected), "{rate_hz}");
        assert!(even.unknown == 0.0 && even.openness.is_none());
    }
}

#[test]
fn long_closures_do_not_change_what_open_is() {
    let times: Vec<f64> = (0..100).map(|i| f64::from(i) * 0.01).collect();
    let left = (0..100).map(|i| if i < 70 { 0.2 } else { 9.0 }).collect();
    let openness = recording(times, left, Vec::new()).even(&EvenOptions::default()).openness.unwrap();
    assert!(is_near(&openness[90..92], &[1.0, 1.0]) && openness[10] < 0.03);
}

#[test]
fn nothing_makes_nothing() {
    let even = Recording::default().even(&EvenOptions::default());
    assert!(even.openness.is_none() && even.gaze.is_none() && even.unknown == 1.0);
    let even = recording(vec![0.0, 0.01], vec![N, N], Vec::new()).even(&EvenOptions::default());
    assert!(even.openness.is_none());
}

proptest! {
    /// Whatever the times and the gaps: a value is there only if known samples lie on both sides of it, or at it,
    /// and no farther apart than was stated; and it lies between theirs.
    #[test]
    fn nothing_is_drawn_over_more_than_the_stated_time(
        steps in prop::collection::vec((0.001..0.1f64, prop::option::weighted(0.6, 0.1..10.0f64)), 2..80),
        max_gap_secs in 0.0..0.3f64,
        rate_hz in 20.0..500.0f64,
    ) {
        let mut at = -steps[0].0;
        let times: Vec<f64> = steps.iter().map(|(step, _)| { at += step; at }).collect();
        let left: Vec<f64> = steps.iter().map(|(_, value)| value.unwrap_or(N)).collect();
        let gaze = Gaze { yaw_deg: left.clone(), pitch_deg: left.clone() };
        let recording = Recording { times: times.clone(), gaze: Some(gaze), ..Recording::default() };
        let options = EvenOptions { rate_hz: Some(rate_hz), max_gap_secs, ..EvenOptions::default() };
        let yaw = recording.even(&options).gaze.unwrap().yaw_deg;
        let known: Vec<(f64, f64)> = times.iter().copied().zip(left).filter(|(_, value)| !value.is_nan()).collect();
        for (index, value) in yaw.iter().enumerate() {
            let time = index as f64 / rate_hz;
            let before = known.iter().rev().find(|(at, _)| *at <= time);
            let after = known.iter().find(|(at, _)| *at >= time);
            let sides = before.zip(after).filter(|(a, b)| b.0 - a.0 <= max_gap_secs);
            let is_between = sides.is_some_and(|(a, b)| {
                (a.1.min(b.1) - 1e-9..=a.1.max(b.1) + 1e-9).contains(value)
            });
            // Within rounding of a sample's own time it is that sample, whatever lies around it.
            let is_a_sample = known.iter().any(|(at, seen)| (at - time).abs() < 2e-7 && seen == value);
            if value.is_nan() {
                prop_assert!(sides.is_none(), "{time} could have been filled");
            } else {
                prop_assert!(is_between || is_a_sample, "{value} at {time}");
            }
        }
    }
}
