//! Time to compute five principal components of 49 blinks with 63 numbers each, as in `pca49.py` of the folder
//! `VIVANT_BENCH`: `cargo bench -p vivant-learn --bench pca -- [REPEATS]`.

#![allow(missing_docs, clippy::print_stdout, reason = "a benchmark prints its results")]

use std::hint::black_box;
use std::time::{Duration, Instant};
use vivant::chance::Chance;
use vivant::math::sin;
use vivant_learn::pca::Components;

fn main() {
    let repeats = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(300);
    let rows = blinks();
    let mut best = Duration::MAX;
    for _ in 0..repeats {
        let begin = Instant::now();
        black_box(Components::of(black_box(&rows), 5));
        best = best.min(begin.elapsed());
    }
    let explained = Components::of(&rows, 5).explained(5);
    println!(
        "vivant pca: 49 × 63, 5 components explain {explained:.4}, best {:.0} us",
        best.as_secs_f64() * 1e6
    );
}

/// Returns 49 rows: 61 samples of a blink and two durations each.
fn blinks() -> Vec<Vec<f64>> {
    let chance = Chance::new(1, "blinks");
    let row = |index: u64| {
        let mut draw = chance.event(index);
        let (apex, size) = (draw.between(0.25, 0.35), draw.between(0.6, 1.0));
        let mut at = |sample: u32| {
            let k = f64::from(sample) / 60.0;
            let u = if k < apex { k / apex } else { 1.0 - (k - apex) / (1.0 - apex) };
            let down = sin(std::f64::consts::FRAC_PI_2 * u);
            1.0 - size * down * down + draw.between(-0.017, 0.017)
        };
        let mut row: Vec<f64> = (0..61).map(&mut at).collect();
        row.extend([draw.between(0.5, 1.5), draw.between(0.5, 1.5)]);
        row
    };
    (0..49).map(row).collect()
}
