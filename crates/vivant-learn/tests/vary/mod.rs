//! Variations of a clip.

use glam::{Quat, Vec3};
use vivant::chance::Chance;
use vivant::clip::Clip;
use vivant::math::{from_rotation_vector, rotation_vector};
use vivant::rig::{Bone, BoneSet};

/// Returns a clip made of frames of another; `from` selects the frame.
fn rebuilt(clip: &Clip, rate: f64, frames: usize, from: impl Fn(usize) -> usize) -> Clip {
    let mut out = Clip::new(clip.name(), rate, frames, clip.hips_height()).unwrap();
    for frame in 0..frames {
        for bone in clip.bones().iter() {
            out.set_rotation(frame, bone, clip.rotation(from(frame), bone));
        }
        out.set_root(frame, clip.root(from(frame)));
    }
    out
}

/// Changes each rotation and position by a function.
fn changed(
    clip: &Clip,
    turn: impl Fn(usize, Bone, Quat) -> (Bone, Quat),
    place: impl Fn(Vec3) -> Vec3,
) -> Clip {
    let mut out = Clip::new(clip.name(), clip.rate(), clip.frames(), clip.hips_height()).unwrap();
    for frame in 0..clip.frames() {
        for bone in clip.bones().iter() {
            let (bone, rotation) = turn(frame, bone, clip.rotation(frame, bone));
            out.set_rotation(frame, bone, rotation);
        }
        out.set_root(frame, place(clip.root(frame)));
    }
    out
}

/// Slows a clip down by a factor.
pub(crate) fn stretched(clip: &Clip, factor: f64) -> Clip {
    rebuilt(clip, clip.rate() / factor, clip.frames(), |frame| frame)
}

/// Adds rest before and after.
pub(crate) fn padded(clip: &Clip, secs: f64) -> Clip {
    let pad = (secs * clip.rate()) as usize;
    let last = clip.frames() - 1;
    rebuilt(clip, clip.rate(), clip.frames() + 2 * pad, |frame| frame.saturating_sub(pad).min(last))
}

/// Swaps left and right.
pub(crate) fn mirrored(clip: &Clip) -> Clip {
    let turn = |_, bone: Bone, q: Quat| (bone.mirrored(), Quat::from_xyzw(q.x, -q.y, -q.z, q.w));
    changed(clip, turn, |root| Vec3::new(-root.x, root.y, root.z))
}

/// Adds noise of `degrees` to every joint in each frame.
pub(crate) fn noisy(clip: &Clip, degrees: f32) -> Clip {
    let chance = Chance::new(7, "noise");
    let turn = |frame: usize, bone: Bone, q: Quat| {
        let mut draw = chance.event((frame * Bone::COUNT + bone.index()) as u64);
        // The sum of four uniform draws has twice the deviation of one.
        let mut normal = || (0..4).map(|_| draw.between(-1.0, 1.0)).sum::<f64>() as f32 * 0.866;
        let off = Vec3::new(normal(), normal(), normal()) * degrees.to_radians();
        (bone, q * from_rotation_vector(off))
    };
    changed(clip, turn, |root| root)
}

/// Scales movements relative to the first frame.
pub(crate) fn scaled(clip: &Clip, factor: f32) -> Clip {
    let turn = |_, bone: Bone, q: Quat| {
        let first = clip.rotation(0, bone);
        (bone, first * from_rotation_vector(rotation_vector(first.inverse() * q) * factor))
    };
    changed(clip, turn, |root| clip.root(0) + (root - clip.root(0)) * factor)
}

/// Moves the clip two metres away and rotates it by an angle in radians.
pub(crate) fn placed(clip: &Clip, angle: f32) -> Clip {
    let around = Quat::from_rotation_y(angle);
    let turn = |_, bone: Bone, q: Quat| (bone, if bone == Bone::Hips { around * q } else { q });
    changed(clip, turn, |root| around * root + Vec3::X * 2.0)
}

/// Reverses the clip.
pub(crate) fn reversed(clip: &Clip) -> Clip {
    rebuilt(clip, clip.rate(), clip.frames(), |frame| clip.frames() - 1 - frame)
}

/// Returns a part of the clip, in seconds.
pub(crate) fn part(clip: &Clip, from: f64, to: f64) -> Clip {
    let frame = |secs: f64| ((secs * clip.rate()) as usize).min(clip.frames() - 1);
    rebuilt(clip, clip.rate(), frame(to) - frame(from) + 1, |k| frame(from) + k)
}

/// Keeps some bones as they are at the start.
pub(crate) fn frozen(clip: &Clip, bones: BoneSet) -> Clip {
    let turn = |_, bone: Bone, q: Quat| (bone, if bones.contains(bone) { clip.rotation(0, bone) } else { q });
    changed(clip, turn, |root| root)
}
