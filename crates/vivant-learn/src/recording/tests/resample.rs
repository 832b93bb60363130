//! Resampling to even steps, and gaps that are not filled.

use super::is_near;
use crate::recording::{Aperture, Eye, Gaze, Recording, ResampleOptions, Unit};
use proptest::prelude::*;

fn recording(times: Vec<f64>, left: Vec<f64>, right: Vec<f64>) -> Recording {
    let aperture = Some(Aperture { unit: Some(Unit::Millimetres), left, right });
    Recording { times, aperture, ..Recording::default() }
}

const N: f64 = f64::NAN;

#[test]
fn gaps_are_filled_only_up_to_the_limit() {
    let times: Vec<f64> = (0..9).map(|i| f64::from(i) * 0.01).collect();
    let left = vec![8.0, 8.0, N, 8.0, N, N, N, 8.0, 8.0];
    let check = |max_gap_secs: f64, expected: &[f64], filled: f64, unknown: f64| {
        let recording = recording(times.clone(), left.clone(), Vec::new());
        let even = recording.resample(&ResampleOptions { max_gap_secs, ..ResampleOptions::default() });
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
fn eyes_are_averaged_as_shares_of_their_open_apertures() {
    let times: Vec<f64> = (0..6).map(|i| f64::from(i) * 0.01).collect();
    let recording = recording(times, vec![10.0, 10.0, 5.0, N, 10.0, 10.0], vec![6.0, 6.0, 0.0, 3.0, N, 6.0]);
    let check = |eye: Eye, expected: &[f64]| {
        let options = ResampleOptions { eye, max_gap_secs: 0.0, ..ResampleOptions::default() };
        let openness = recording.resample(&options).openness.unwrap();
        assert!(is_near(&openness, expected), "{eye:?}: {openness:?}");
    };
    check(Eye::Left, &[1.0, 1.0, 0.5, N, 1.0, 1.0]);
    check(Eye::Right, &[1.0, 1.0, 0.0, 0.5, N, 1.0]);
    check(Eye::Both, &[1.0, 1.0, 0.25, 0.5, 1.0, 1.0]);
}

#[test]
fn a_seen_eye_takes_precedence_over_an_interpolated_one() {
    let times: Vec<f64> = (0..5).map(|i| f64::from(i) * 0.01).collect();
    let recording = recording(times, vec![9.0, 9.0, 0.0, N, 9.0], vec![6.0, N, N, N, 6.0]);
    let openness = recording.resample(&ResampleOptions::default()).openness.unwrap();
    // Where both are interpolated, their mean counts.
    assert!(is_near(&openness, &[1.0, 1.0, 0.0, 0.75, 1.0]), "{openness:?}");
}

#[test]
fn a_line_stays_a_line_at_any_rate_despite_jitter() {
    let times: Vec<f64> = (0..200).map(|i| f64::from(i) * 0.005 + 0.001 * f64::from(i % 3)).collect();
    let gaze = Gaze {
        yaw_deg: times.iter().map(|t| 7.0 * t).collect(),
        pitch_deg: times.iter().map(|t| -t).collect(),
    };
    let recording = Recording { times, gaze: Some(gaze), ..Recording::default() };
    for rate_hz in [30.0, 120.0, 200.0, 777.0] {
        let even =
            recording.resample(&ResampleOptions { rate_hz: Some(rate_hz), ..ResampleOptions::default() });
        let gaze = even.gaze.unwrap();
        let expected: Vec<f64> = (0..gaze.yaw_deg.len()).map(|i| 7.0 * i as f64 / rate_hz).collect();
        assert!(is_near(&gaze.yaw_deg, &expected), "{rate_hz}");
        assert!(even.unknown == 0.0 && even.openness.is_none());
    }
}

#[test]
fn long_closures_do_not_change_the_open_level() {
    let times: Vec<f64> = (0..100).map(|i| f64::from(i) * 0.01).collect();
    let left = (0..100).map(|i| if i < 70 { 0.2 } else { 9.0 }).collect();
    let openness = recording(times, left, Vec::new()).resample(&ResampleOptions::default()).openness.unwrap();
    assert!(is_near(&openness[90..92], &[1.0, 1.0]) && openness[10] < 0.03);
}

#[test]
fn an_empty_recording_has_no_channels() {
    let even = Recording::default().resample(&ResampleOptions::default());
    assert!(even.openness.is_none() && even.gaze.is_none() && even.unknown == 1.0);
    let even = recording(vec![0.0, 0.01], vec![N, N], Vec::new()).resample(&ResampleOptions::default());
    assert!(even.openness.is_none());
}

proptest! {
    /// For any times and gaps, a resampled value exists only if there is a known sample at its time, or on both sides
    /// within the limit. The value lies between these samples.
    #[test]
    fn no_gap_beyond_the_limit_is_filled(
        steps in prop::collection::vec((0.001..0.1f64, prop::option::weighted(0.6, 0.1..10.0f64)), 2..80),
        max_gap_secs in 0.0..0.3f64,
        rate_hz in 20.0..500.0f64,
    ) {
        let mut at = -steps[0].0;
        let times: Vec<f64> = steps.iter().map(|(step, _)| { at += step; at }).collect();
        let left: Vec<f64> = steps.iter().map(|(_, value)| value.unwrap_or(N)).collect();
        let gaze = Gaze { yaw_deg: left.clone(), pitch_deg: left.clone() };
        let recording = Recording { times: times.clone(), gaze: Some(gaze), ..Recording::default() };
        let options = ResampleOptions { rate_hz: Some(rate_hz), max_gap_secs, ..ResampleOptions::default() };
        let yaw = recording.resample(&options).gaze.unwrap().yaw_deg;
        let known: Vec<(f64, f64)> = times.iter().copied().zip(left).filter(|(_, value)| !value.is_nan()).collect();
        for (index, value) in yaw.iter().enumerate() {
            let time = index as f64 / rate_hz;
            let before = known.iter().rev().find(|(at, _)| *at <= time);
            let after = known.iter().find(|(at, _)| *at >= time);
            let sides = before.zip(after).filter(|(a, b)| b.0 - a.0 <= max_gap_secs);
            let is_between = sides.is_some_and(|(a, b)| {
                (a.1.min(b.1) - 1e-9..=a.1.max(b.1) + 1e-9).contains(value)
            });
            // Within rounding of a sample's own time, the value is that of the sample.
            let is_a_sample = known.iter().any(|(at, seen)| (at - time).abs() < 2e-7 && seen == value);
            if value.is_nan() {
                prop_assert!(sides.is_none(), "{time} could have been filled");
            } else {
                prop_assert!(is_between || is_a_sample, "{value} at {time}");
            }
        }
    }
}
