//! Writes the built-in character to a file and prints how long it took to build:
//! `cargo run -p vivant-mannequin --example avatar -- OUT.vrm [seed]`
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use std::time::Instant;
use vivant_mannequin::{Avatar, Look};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("missing output file; use for example `-- avatar.vrm`")?;
    let seed: u64 = words.next().map_or(Ok(0), |word| word.parse())?;
    let begin = Instant::now();
    let avatar = Avatar::new(Look::of_seed(seed));
    let built = begin.elapsed();
    let vrm = avatar.vrm();
    let written = begin.elapsed() - built;
    std::fs::write(&path, &vrm)?;
    let (triangles, bytes) = (avatar.triangles(), vrm.len());
    println!("{path}: {triangles} triangles, {bytes} bytes, built in {built:.1?}, written in {written:.1?}");
    Ok(())
}
