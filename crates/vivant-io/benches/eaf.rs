//! How fast an ELAN file is read, from the disk to every annotation's time: `FILE.eaf [REPEATS]`.

#![allow(missing_docs, clippy::print_stdout, reason = "a benchmark tells what it measured")]

use std::time::{Duration, Instant};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let Some(path) = words.first() else {
        println!("give the file to read: cargo bench -p vivant-io --bench eaf -- FILE.eaf [REPEATS]");
        return;
    };
    let repeats = words.get(1).and_then(|word| word.parse().ok()).unwrap_or(50);
    let mut annotations = 0;
    let mut best = Duration::MAX;
    for _ in 0..repeats {
        let begin = Instant::now();
        let bytes = std::fs::read(path).expect("the file is there");
        let read = vivant_io::eaf::read(&bytes, &mut Vec::new()).expect("the file is an EAF");
        best = best.min(begin.elapsed());
        annotations = read.tiers.iter().map(|tier| tier.annotations.len()).sum();
    }
    println!("vivant: {annotations} annotations, best {:.3} ms", best.as_secs_f64() * 1e3);
}
