//! How much faster than real time a voice is heard: `cargo bench -p vivant --bench hearing -- [REPEATS]`.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use std::time::Instant;
use vivant::chance::Chance;
use vivant::math;
use vivant::speech::audio::{Listener, Prosody};

const SECS: u32 = 20;

/// Syllables of a buzz with noise.
fn voice(rate_hz: u32) -> Vec<f32> {
    let mut draw = Chance::new(1, "voice").event(0);
    let sample = |n: u32| {
        let secs = f64::from(n) / f64::from(rate_hz);
        let syllable = math::sin(std::f64::consts::TAU * 2.5 * secs).max(0.0);
        let buzz = (secs * 120.0).fract() - 0.5;
        (0.3 * syllable * buzz + 0.002 * (draw.uniform() - 0.5)) as f32
    };
    (0..SECS * rate_hz).map(sample).collect()
}

fn main() {
    let repeats = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(5_u32);
    for rate_hz in [16_000, 44_100, 48_000] {
        let (samples, mut best, mut events) = (voice(rate_hz), f64::INFINITY, 0);
        for _ in 0..repeats {
            let (mut listener, mut prosody) =
                (Listener::new(rate_hz).expect("a rate that is heard"), Prosody::default());
            let begin = Instant::now();
            for chunk in samples.chunks(480) {
                events += listener.hear(chunk).flat_map(|frame| prosody.follow(&frame)).count();
            }
            best = best.min(begin.elapsed().as_secs_f64());
        }
        println!("hearing at {rate_hz} Hz: best {:.0} × real time ({events} events)", f64::from(SECS) / best);
    }
}
