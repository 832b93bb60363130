//! Writes a clip as BVH.

use crate::error::{Warning, WarningCode};
use crate::euler;
use glam::{DVec3, Vec3};
use std::fmt::Write;
use vivant::clip::Clip;
use vivant::rig::{Bone, Rig};

/// BVH units per metre. BVH states no unit, and most programs assume centimetres.
const UNITS_PER_METRE: f64 = 100.0;
/// Length in metres below which a bone counts as having no direction.
const SHORTEST_M: f32 = 1e-4;

/// Writes a clip as BVH. The clip must be fitted to the rig.
///
/// - Joints have VRM's names. The rest pose is the T-pose, Y is up and the character faces +Z.
/// - Lengths are in centimetres, angles in degrees. The hips have the channels Xposition, Yposition, Zposition,
///   Zrotation, Xrotation, Yrotation; every other joint has only the three rotation channels, in the same order. A
///   rotation is Z · X · Y: it rotates about Y first, in the frame of the joint's parent.
/// - The OFFSET of the root is zero and the position of the root is in its channels, because some readers add offset
///   and position and others do not.
/// - Angles are continuous: they pass ±180° without jumps, so that readers can interpolate between rows.
///
/// BVH cannot store expressions; they are dropped with a warning.
#[must_use]
pub fn write(rig: &Rig, clip: &Clip, warnings: &mut Vec<Warning>) -> String {
    warn_about_expressions(clip, warnings);
    let skeleton = Skeleton::new(rig);
    // Six decimals and a sign: about eleven bytes per number.
    let row_bytes = (3 * skeleton.bones.len() + 3) * 12;
    let mut out = String::with_capacity(4096 + 256 * skeleton.bones.len() + row_bytes * clip.frames());
    skeleton.write(&mut out);
    // Writing into a String cannot fail.
    let _ = writeln!(out, "MOTION\nFrames: {}\nFrame Time: {:.10}", clip.frames(), 1.0 / clip.rate());
    let mut angles = vec![DVec3::ZERO; skeleton.bones.len()];
    for frame in 0..clip.frames() {
        let place = clip.root(frame).as_dvec3() * UNITS_PER_METRE;
        let _ = write!(out, "{:.6} {:.6} {:.6}", place.x, place.y, place.z);
        for (bone, last) in skeleton.bones.iter().zip(&mut angles) {
            *last = euler::zxy(clip.rotation(frame, *bone).as_dquat(), *last);
            let [z, x, y] = last.to_array().map(f64::to_degrees);
            let _ = write!(out, " {z:.6} {x:.6} {y:.6}");
        }
        out.push('\n');
    }
    out
}

fn warn_about_expressions(clip: &Clip, warnings: &mut Vec<Warning>) {
    if !clip.channels().is_empty() {
        let message =
            format!("{} expressions were dropped; BVH cannot store expressions", clip.channels().len());
        warnings.push(Warning::new(WarningCode::Dropped, format!("clip “{}”", clip.name()), message));
    }
}

/// The joints of a rig in channel order.
struct Skeleton<'a> {
    rig: &'a Rig,
    bones: Vec<Bone>,
}

impl<'a> Skeleton<'a> {
    fn new(rig: &'a Rig) -> Self {
        // A BVH needs a root. If the rig has no hips, hips at the origin are written.
        let mut bones = Vec::with_capacity(Bone::COUNT);
        let mut open = vec![Bone::Hips];
        while let Some(bone) = open.pop() {
            bones.push(bone);
            open.extend(children(rig, bone).rev());
        }
        Self { rig, bones }
    }

    fn write(&self, out: &mut String) {
        out.push_str("HIERARCHY\n");
        let mut open: Vec<Bone> = Vec::new();
        for bone in &self.bones {
            let parent = parent_in(self.rig, *bone);
            while open.last().is_some_and(|last| Some(*last) != parent) {
                open.pop();
                close(out, open.len());
            }
            self.write_joint(out, *bone, parent, open.len());
            open.push(*bone);
        }
        while open.pop().is_some() {
            close(out, open.len());
        }
    }

    fn write_joint(&self, out: &mut String, bone: Bone, parent: Option<Bone>, depth: usize) {
        let kind = if parent.is_some() { "JOINT" } else { "ROOT" };
        let channels = if parent.is_some() { "3" } else { "6 Xposition Yposition Zposition" };
        let offset = parent.map_or(Vec3::ZERO, |p| self.rig.rest_position(bone) - self.rig.rest_position(p));
        let tab = "\t".repeat(depth);
        let _ = writeln!(out, "{tab}{kind} {}\n{tab}{{", bone.name());
        write_offset(out, depth + 1, offset);
        let _ = writeln!(out, "{tab}\tCHANNELS {channels} Zrotation Xrotation Yrotation");
        if children(self.rig, bone).next().is_none() {
            let _ = writeln!(out, "{tab}\tEnd Site\n{tab}\t{{");
            write_offset(out, depth + 2, tip(self.rig, bone, offset));
            close(out, depth + 1);
        }
    }
}

fn close(out: &mut String, depth: usize) {
    let _ = writeln!(out, "{}}}", "\t".repeat(depth));
}

fn write_offset(out: &mut String, depth: usize, offset: Vec3) {
    let [x, y, z] = (offset.as_dvec3() * UNITS_PER_METRE).to_array();
    let _ = writeln!(out, "{}OFFSET {x:.6} {y:.6} {z:.6}", "\t".repeat(depth));
}

/// Returns the nearest ancestor bone that the rig has, or the hips if there is none; `None` for the hips themselves.
fn parent_in(rig: &Rig, bone: Bone) -> Option<Bone> {
    rig.bones().with(Bone::Hips).parent_of(bone)
}

fn children(rig: &Rig, bone: Bone) -> impl DoubleEndedIterator<Item = Bone> + '_ {
    let has = |b: &Bone| rig.bones().contains(*b);
    Bone::ALL.into_iter().filter(has).filter(move |b| parent_in(rig, *b) == Some(bone))
}

/// Returns the end of a bone without children, relative to the bone, in metres. The end is above the head, and in
/// front of eyes, jaw, feet and toes. For other bones, it is in the direction of `offset`, the offset from the bone's
/// parent.
fn tip(rig: &Rig, bone: Bone, offset: Vec3) -> Vec3 {
    let height = if rig.hips_height() > 0.1 { rig.hips_height() } else { 1.0 };
    match bone {
        Bone::LeftEye | Bone::RightEye => Vec3::Z * 0.03 * height,
        Bone::Jaw | Bone::LeftToes | Bone::RightToes => Vec3::Z * 0.08 * height,
        Bone::LeftFoot | Bone::RightFoot => Vec3::new(0.0, -0.05, 0.15) * height,
        Bone::Head => Vec3::Y * 0.2 * height,
        _ if offset.length() > SHORTEST_M => offset * 0.8,
        _ => Vec3::Y * 0.05 * height,
    }
}
