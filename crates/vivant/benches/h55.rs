//! Workload H55: 55 bones, a base motion and two additive ones, 52 expressions, model matrices.
//!
//! `cargo bench -p vivant --bench h55 -- [CHARACTERS [FRAMES [REPEATS]]]` prints the time per character and frame,
//! and the final position of two joints of the first character, for comparison with other engines on the same
//! workload. Instruction counts come from `valgrind --tool=callgrind` as the difference of two run lengths; `cargo
//! xtask bench` does both.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

#[path = "h55/workload.rs"]
mod workload;

use glam::Vec3;
use std::time::Instant;
use vivant::crowd::Crowd;
use vivant::frame::ModelMatrices;
use vivant::rig::Bone;
use workload::{library, performer};

fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    let [characters, frames, repeats] =
        [(0, 1), (1, 600), (2, 20)].map(|(i, or)| *numbers.get(i).unwrap_or(&or));
    let library = library();
    let mut matrices = vec![ModelMatrices::default(); characters];
    let mut best = f64::INFINITY;
    for _ in 0..repeats {
        let mut crowd = Crowd::new((0..characters).map(|i| performer(&library, i)).collect());
        crowd.advance_to(0.0);
        let start = Instant::now();
        for frame in 1..=frames {
            let t = frame as f64 / 60.0;
            for (performer, matrices) in crowd.performers_mut().iter_mut().zip(&mut matrices) {
                performer.advance_to(t).model_matrices(library.rig(), matrices);
            }
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    let nanoseconds = best * 1e9 / (frames * characters) as f64;
    println!(
        "vivant N={characters} F={frames} R={repeats}: best {nanoseconds:.0} ns per character and frame"
    );
    for bone in [Bone::LeftHand, Bone::Head] {
        let Vec3 { x, y, z } = matrices[0].position(bone);
        println!("joint {} pos {x:.5} {y:.5} {z:.5}", bone.index());
    }
}
