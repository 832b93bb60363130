//! Workload H55: 55 bones, a base motion and two additive ones, 52 expressions, model matrices.
//!
//! `cargo bench -p vivant --bench h55 -- [CHARACTERS [FRAMES [REPEATS]]]` prints the time a character
//! and frame, and where two joints of the first character end, for comparison with other engines on
//! the same workload. Counts of instructions come from `valgrind --tool=callgrind` as the difference
//! of two run lengths; `cargo xtask bench` does both.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use glam::{Quat, Vec3};
use std::sync::Arc;
use std::time::Instant;
use vivant::body::layers::Layer;
use vivant::body::library::Library;
use vivant::clip::Clip;
use vivant::crowd::Crowd;
use vivant::frame::ModelMatrices;
use vivant::math::{cos, sin};
use vivant::performer::{Performer, Play};
use vivant::pose::Pose;
use vivant::rig::{Bone, BoneSet, Channel, Expression, Rig, RigParts};

const SECONDS: f64 = 10.0;
const WEIGHTS: [f32; 3] = [1.0, 0.7, 0.4];

fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    let [characters, frames, repeats] =
        [(0, 1), (1, 600), (2, 20)].map(|(i, or)| *numbers.get(i).unwrap_or(&or));
    let rig = rig();
    let base = Pose::rest(&rig);
    let library = Arc::new(Library::new(rig, base, &[0, 1, 2].map(clip)));
    let mut matrices = vec![ModelMatrices::default(); characters];
    let mut best = f64::INFINITY;
    for _ in 0..repeats {
        let mut crowd = Crowd::new((0..characters).map(|i| performer(&library, i)).collect());
        crowd.advance_to(0.0);
        let begin = Instant::now();
        for frame in 1..=frames {
            let t = frame as f64 / 60.0;
            for (performer, matrices) in crowd.performers_mut().iter_mut().zip(&mut matrices) {
                performer.advance_to(t).model_matrices(library.rig(), matrices);
            }
        }
        best = best.min(begin.elapsed().as_secs_f64());
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

/// Hips one metre up, every other bone a tenth of a metre above its parent.
fn rig() -> Rig {
    let mut places = [Vec3::ZERO; Bone::COUNT];
    for bone in Bone::ALL {
        places[bone.index()] = bone.parent().map_or(Vec3::Y, |p| places[p.index()] + Vec3::Y * 0.1);
    }
    Rig::new(RigParts {
        rest_positions: Bone::ALL.map(|b| (b, places[b.index()])).to_vec(),
        channels: Expression::arkit().map(Channel::Known).collect(),
        ..RigParts::default()
    })
}

fn clip(c: usize) -> Clip {
    let (rate, frames) = (30.0, 301);
    let mut clip = Clip::new(format!("clip {c}"), rate, frames, 1.0).expect("a valid clip");
    let amplitude = if c == 0 { 0.5 } else { 0.2 };
    let tau = std::f64::consts::TAU;
    for frame in 0..frames {
        let t = frame as f64 / rate;
        for bone in Bone::ALL {
            let j = bone.index() as f64;
            let axis = Vec3::new(sin(j + 1.0) as f32, cos(2.0 * j + 1.0) as f32, sin(3.0 * j + 2.0) as f32);
            let frequency = 0.1 * (1 + bone.index() % 5) as f64;
            let angle = amplitude * sin(tau * frequency * t + c as f64);
            clip.set_rotation(frame, bone, Quat::from_axis_angle(axis.normalize(), angle as f32));
        }
        if c == 0 {
            let (x, y) = (0.05 * sin(tau * 0.2 * t), 1.0 + 0.02 * sin(tau * 0.4 * t));
            clip.set_root(frame, Vec3::new(x as f32, y as f32, 0.0));
        }
    }
    for (b, expression) in Expression::arkit().enumerate() {
        let weight = |frame: usize| {
            let t = frame as f64 / rate;
            0.3 + 0.3 * sin(t * (1 + b % 7) as f64 + b as f64 + c as f64)
        };
        let weights: Vec<f32> = (0..frames).map(|f| weight(f) as f32).collect();
        clip.add_channel(Channel::Known(expression), &weights).expect("as many weights as frames");
    }
    clip
}

/// A performer that has been playing all three clips, each at its own place, since long ago.
fn performer(library: &Arc<Library>, index: usize) -> Performer {
    let mut performer = Performer::new(Arc::clone(library), index as u64);
    for (clip, layer) in Layer::ALL.into_iter().enumerate() {
        let phase = (0.137 * index as f64 + 3.3 * clip as f64).rem_euclid(SECONDS);
        // A loop over the whole clip whose beginning lies before time zero.
        performer.play(Play {
            at: -phase,
            layer,
            mask: Some(BoneSet::ALL),
            weight: WEIGHTS[clip],
            looped: true,
            ..Play::clip(clip)
        });
    }
    performer
}
