//! Speed of audio lip-sync relative to real time: `cargo bench -p vivant --bench lip_sync -- [REPEATS] [SECONDS]
//! [RATE]`.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use std::time::Instant;
use vivant::chance::Chance;
use vivant::math;
use vivant::speech::audio::{Listener, Prosody};

/// Returns synthetic syllables: a buzz with noise.
fn voice(rate_hz: u32, secs: u32) -> Vec<f32> {
    let mut draw = Chance::new(1, "voice").event(0);
    let sample = |n: u32| {
        let secs = f64::from(n) / f64::from(rate_hz);
        let syllable = math::sin(std::f64::consts::TAU * 2.5 * secs).max(0.0);
        let buzz = (secs * 120.0).fract() - 0.5;
        (0.3 * syllable * buzz + 0.002 * (draw.uniform() - 0.5)) as f32
    };
    (0..secs * rate_hz).map(sample).collect()
}

fn main() {
    let mut numbers = std::env::args().filter_map(|word| word.parse::<u32>().ok());
    let (repeats, secs) = (numbers.next().unwrap_or(5), numbers.next().unwrap_or(20));
    let rates_hz = numbers.next().map_or(vec![16_000, 44_100, 48_000], |rate_hz| vec![rate_hz]);
    for rate_hz in rates_hz {
        let (samples, mut best, mut events) = (voice(rate_hz, secs), f64::INFINITY, 0);
        for _ in 0..repeats {
            let (mut listener, mut prosody) =
                (Listener::new(rate_hz).expect("a supported rate"), Prosody::default());
            let start = Instant::now();
            for chunk in samples.chunks(480) {
                events += listener.process(chunk).flat_map(|frame| prosody.follow(&frame)).count();
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!(
            "lip-sync at {rate_hz} Hz: best {:.0} × real time ({events} events)",
            f64::from(secs) / best
        );
    }
}
