//! Cost of generating a blink with the standard model, and of evaluating it: `cargo bench -p vivant --bench blinks --
//! [REPEATS]`.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use std::time::Instant;
use vivant::chance::Chance;
use vivant::eyes::blink_model::BlinkModel;

const BLINKS: u32 = 20_000;

fn main() {
    let repeats = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(20_u64);
    let model = BlinkModel::standard();
    let (mut generating, mut looking, mut sum) = (f64::INFINITY, f64::INFINITY, 0.0);
    for repeat in 0..repeats {
        let chance = Chance::new(repeat, "blinks");
        let start = Instant::now();
        for index in 0..BLINKS {
            sum += model.generate(&mut chance.event(index.into())).closing_secs();
        }
        generating = generating.min(start.elapsed().as_secs_f64());
        let curve = model.generate(&mut chance.event(0));
        let start = Instant::now();
        for index in 0..BLINKS {
            sum += curve.openness(curve.duration_secs() * f64::from(index) / f64::from(BLINKS));
        }
        looking = looking.min(start.elapsed().as_secs_f64());
    }
    let [generating, looking] = [generating, looking].map(|secs| secs * 1e9 / f64::from(BLINKS));
    println!("blinks: best {generating:.0} ns to generate one, {looking:.1} ns to evaluate one ({sum:.3})");
}
