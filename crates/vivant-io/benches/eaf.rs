//! Measures the time to read an ELAN file, from disk to resolved annotation times: `FILE.eaf [REPEATS]`.

#![allow(missing_docs, clippy::print_stdout, reason = "a benchmark prints its result")]

use std::time::{Duration, Instant};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let Some(path) = words.first() else {
        println!("usage: cargo bench -p vivant-io --bench eaf -- FILE.eaf [REPEATS]");
        return;
    };
    let repeats = words.get(1).and_then(|word| word.parse().ok()).unwrap_or(50);
    let mut annotations = 0;
    let mut best = Duration::MAX;
    for _ in 0..repeats {
        let start = Instant::now();
        let bytes = std::fs::read(path).expect("the file can be read");
        let read = vivant_io::eaf::read(&bytes, &mut Vec::new()).expect("the file is an EAF");
        best = best.min(start.elapsed());
        annotations = read.tiers.iter().map(|tier| tier.annotations.len()).sum();
    }
    println!("vivant: {annotations} annotations, best {:.3} ms", best.as_secs_f64() * 1e3);
}
