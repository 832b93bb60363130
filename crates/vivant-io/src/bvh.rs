//! Biovision hierarchies: what most recorded motion comes in.
//!
//! The format was never written down, and says neither which unit it uses nor which way is up. So the
//! reader takes what the programs of thirty years have written, guesses the unit from the size of the
//! skeleton, says so, and leaves the axes to the retargeter.
//!
//! ```
//! let text = "HIERARCHY ROOT Hips { OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Yrotation
//!     JOINT Spine { OFFSET 0 170 0 CHANNELS 0 } }
//!     MOTION\nFrames: 1\nFrame Time: .0083333\n90 0 0";
//! let (scene, clip, _) = vivant_io::bvh::parse(text.as_bytes())?;
//! assert_eq!((scene.nodes().len(), clip.rate), (2, 120.0));
//! # Ok::<(), vivant_io::Error>(())
//! ```

mod hierarchy;
mod motion;
mod text;
mod units;
mod write;

pub use write::write;

use crate::error::{Result, Warning, WarningCode};
use crate::humanoid;
use crate::scene::{Kind, Node, NodeClip, RestPose, Scene, Source, Transform};
use crate::{lids, retarget};
use hierarchy::Joint;
use std::path::Path;
use text::Text;
use units::Unit;

/// Whether the bytes look like a BVH.
#[must_use]
pub fn is_bvh(bytes: &[u8]) -> bool {
    Text::new(bytes).word().eq_ignore_ascii_case(b"HIERARCHY")
}

/// Reads a BVH and finds the humanoid in it. A BVH has no name of its own: it gets that of its file,
/// without folder and ending.
///
/// # Errors
/// As [`parse`].
pub fn read(name: &str, bytes: &[u8]) -> Result<Source> {
    let (scene, clip, mut warnings) = parse(bytes)?;
    let humanoid = humanoid::find(&scene, &mut warnings);
    let mut source = Source {
        kind: Kind::Bvh,
        name: Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        lids: vivant::rig::LidMap::default(),
        lid_bones: Vec::new(),
        scene,
        humanoid,
        rest: RestPose::Unknown,
        expressions: Vec::new(),
        look_at: vivant::rig::LookAt::default(),
        clips: if clip.frames > 0 { vec![clip] } else { Vec::new() },
        warnings,
    };
    source.lid_bones = lids::bones::find(&source, retarget::humanoid_from_world(&source), None);
    Ok(source)
}

/// The skeleton and the motion of a BVH, in metres, without a look at its anatomy.
///
/// End Sites become nodes named after their parents, such as `Head_End`. The clip has no name, and
/// no frames if the file has no motion.
///
/// # Errors
/// If it is no BVH, a number is none, a row has another count of numbers than there are channels, or
/// it is over a [limit](crate::limits).
pub fn parse(bytes: &[u8]) -> Result<(Scene, NodeClip, Vec<Warning>)> {
    let mut warnings = Vec::new();
    let mut text = Text::new(bytes);
    let joints = hierarchy::read(&mut text, &mut warnings)?;
    let unit = Unit::of(&joints);
    warnings.extend(unit.warning());
    let clip = motion::read(&mut text, &joints, unit.metres, &mut warnings)?;
    if clip.frames == 0 {
        warnings.push(Warning::new(WarningCode::Malformed, "MOTION", "there is a skeleton and no motion"));
    }
    let scene = Scene::new(joints.into_iter().map(|joint| node(joint, unit.metres)).collect())?;
    Ok((scene, clip, warnings))
}

fn node(joint: Joint, metres: f64) -> Node {
    let rest = Transform { translation: (joint.offset * metres).as_vec3(), ..Transform::IDENTITY };
    Node { name: joint.name, parent: joint.parent, rest, is_joint: true }
}

#[cfg(test)]
mod tests;
