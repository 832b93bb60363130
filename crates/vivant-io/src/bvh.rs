//! Reads and writes BVH (Biovision hierarchy), the format of most motion capture recordings.
//!
//! BVH has no specification and states neither its unit nor its up axis. The reader accepts the dialects of common
//! programs, guesses the unit from the size of the skeleton (with a warning if it is unusual), and leaves the axes to
//! the retargeter.
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

/// Returns true if the bytes look like a BVH file.
#[must_use]
pub fn is_bvh(bytes: &[u8]) -> bool {
    Text::new(bytes).word().eq_ignore_ascii_case(b"HIERARCHY")
}

/// Reads a BVH and finds the humanoid in it. The source is named after the file, without folder and extension.
///
/// # Errors
/// See [`parse`].
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

/// Parses the skeleton and the motion of a BVH, in metres, without looking for a humanoid.
///
/// End Sites become nodes named after their parents, such as `Head_End`. The clip has no name; it has no frames if
/// the file has no motion.
///
/// # Errors
/// If it is not a BVH, a number cannot be parsed, a row does not have one number per channel, or a
/// [limit](crate::limits) is exceeded.
pub fn parse(bytes: &[u8]) -> Result<(Scene, NodeClip, Vec<Warning>)> {
    let mut warnings = Vec::new();
    let mut text = Text::new(bytes);
    let joints = hierarchy::read(&mut text, &mut warnings)?;
    let unit = Unit::of(&joints);
    warnings.extend(unit.warning());
    let clip = motion::read(&mut text, &joints, unit.metres, &mut warnings)?;
    if clip.frames == 0 {
        warnings.push(Warning::new(
            WarningCode::Malformed,
            "MOTION",
            "the file has a skeleton but no motion",
        ));
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
