#![no_main]

use vivant::speech::audio::{Listener, RATES_HZ};
use vivant_fuzz as _;

/// Checks that an accepted recording has finite samples and can be processed by audio lip-sync.
fn check(data: &[u8]) {
    let Ok(audio) = vivant_io::audio::read("", data, &mut Vec::new()) else { return };
    assert!(!audio.samples.is_empty() && audio.samples.iter().all(|sample| sample.is_finite()));
    if RATES_HZ.contains(&audio.rate_hz) {
        let mut listener = Listener::new(audio.rate_hz).unwrap();
        for frame in listener.process(&audio.samples[..audio.samples.len().min(48_000)]) {
            assert!(frame.visemes.iter().all(|weight| (0.0..=1.001).contains(weight)));
        }
    }
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| check(data));
