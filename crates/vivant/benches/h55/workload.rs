//! Rig, clips and performers of workload H55, defined by formulas.

use glam::{Quat, Vec3};
use std::sync::Arc;
use vivant::body::layers::Layer;
use vivant::body::library::Library;
use vivant::clip::Clip;
use vivant::math::{cos, sin};
use vivant::performer::{Performer, Play};
use vivant::pose::Pose;
use vivant::rig::{Bone, BoneSet, Channel, Expression, Rig, RigParts};

const SECONDS: f64 = 10.0;
const WEIGHTS: [f32; 3] = [1.0, 0.7, 0.4];

/// Returns a library of the three clips, whose base pose is the rest pose.
pub(crate) fn library() -> Arc<Library> {
    let rig = rig();
    let base = Pose::rest(&rig);
    Arc::new(Library::new(rig, base, &[0, 1, 2].map(clip)))
}

/// Returns a rig with the hips at a height of 1 m and every other bone 0.1 m above its parent.
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

/// Returns a performer that has been playing all three clips for a long time, each at its own phase.
pub(crate) fn performer(library: &Arc<Library>, index: usize) -> Performer {
    let mut performer = Performer::new(Arc::clone(library), index as u64);
    for (clip, layer) in Layer::ALL.into_iter().enumerate() {
        let phase = (0.137 * index as f64 + 3.3 * clip as f64).rem_euclid(SECONDS);
        // A loop over the whole clip that started before time zero.
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
