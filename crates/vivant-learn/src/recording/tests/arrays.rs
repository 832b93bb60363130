//! Recordings from arrays.

use super::super::*;

fn times() -> Vec<f64> {
    (0..240).map(|i| 5.0 + f64::from(i) / 120.0).collect()
}

fn left(values: Vec<f64>) -> Option<Aperture> {
    Some(Aperture { unit: None, left: values, right: Vec::new() })
}

#[test]
fn arrays_are_converted_to_a_recording() {
    let recording = Recording::from_samples("mine", times(), left(vec![0.5; 240]), None).unwrap();
    assert_eq!((recording.times[0], recording.rate_hz()), (0.0, 120.0));
    assert_eq!((recording.timing.samples, recording.timing.gaps), (240, 0));
    assert!(
        recording.resample(&ResampleOptions::default()).openness.unwrap().iter().all(|open| *open == 1.0)
    );
}

#[test]
fn invalid_arrays_are_errors() {
    let gaze = Gaze { yaw_deg: vec![0.0; 240], pitch_deg: vec![0.0; 3] };
    let with = |index: usize, secs: f64| {
        let mut times = times();
        times[index] = secs;
        times
    };
    let slow = || (0..9).map(|i| f64::from(i) * 10.0).collect();
    let cases = [
        (vec![], None, None, "mine: time: 0 samples"),
        (vec![1.0], None, None, "at least two"),
        (times(), left(vec![0.0; 7]), None, "left: 7 samples, but there are 240 times"),
        (times(), None, Some(gaze), "pitch: 3 samples"),
        (with(3, f64::NAN), None, None, "time[3]: NaN is not finite"),
        (with(9, 5.0), None, None, "time[9]: 5 is not later"),
        (slow(), None, None, "a sampling rate of 0.1 Hz is not supported; use 1 to 20000"),
        (with(239, 1e9), None, None, "split the recording"),
    ];
    for (times, aperture, gaze, words) in cases {
        let message = Recording::from_samples("mine", times, aperture, gaze).unwrap_err().to_string();
        assert!(message.contains(words), "{message} lacks {words}");
    }
}
