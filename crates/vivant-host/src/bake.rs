//! Writes clips to files in any supported format.
//!
//! A performance can be used in programs that do not run Vivant: as an animation (VRMA, BVH), as an avatar with the
//! motion (GLB, VRM), or as numbers (CSV, JSON Lines). The extension of the file determines the [`Format`], and
//! [`bytes`] returns the contents of the file. Clips must be fitted to the avatar's rig: see
//! [`fitted`](crate::imported::fitted).
//!
//! ```
//! use std::path::Path;
//! use vivant_host::bake::Format;
//! assert_eq!(Format::of(Path::new("wave.vrma"))?, Format::Vrma);
//! assert_eq!(Format::of(Path::new("wave.curves.csv"))?, Format::Curves);
//! # Ok::<(), vivant_io::Error>(())
//! ```

use crate::disk;
use crate::imported::{Contents, ImportedFile};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::path::Path;
use vivant::clip::Clip;
use vivant::pose::Pose;
use vivant::rig::Rig;
use vivant_io::scene::Kind;
use vivant_io::{Error, Result};
use vivant_io::{Warning, WarningCode, bvh, gltf, table};

/// A file format for motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// VRM animation.
    Vrma,
    /// The avatar with the motion, as binary glTF.
    Glb,
    /// The avatar with the motion, as VRM.
    Vrm,
    /// Biovision hierarchy.
    Bvh,
    /// A table with a quaternion for each bone.
    Csv,
    /// A table in degrees and centimetres, for reading and plotting.
    Curves,
    /// JSON Lines: one object per frame.
    JsonLines,
}

impl Format {
    /// Returns the format for a file extension, without the dot.
    #[must_use]
    pub fn from_ending(ending: &str) -> Option<Self> {
        Some(match ending.to_ascii_lowercase().as_str() {
            "vrma" => Self::Vrma,
            "glb" => Self::Glb,
            "vrm" => Self::Vrm,
            "bvh" => Self::Bvh,
            "csv" => Self::Csv,
            "curves.csv" => Self::Curves,
            "jsonl" => Self::JsonLines,
            _ => return None,
        })
    }

    /// Returns the format for a file's extension.
    ///
    /// # Errors
    /// If the extension is unknown.
    pub fn of(path: &Path) -> Result<Self> {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        if name.ends_with(".curves.csv") {
            return Ok(Self::Curves);
        }
        Self::from_ending(&ending).ok_or_else(|| {
            Error::new(format!(
                "{}: unknown file extension; use .vrma, .glb, .vrm, .bvh, .csv, .curves.csv or .jsonl",
                path.display()
            ))
        })
    }

    /// Returns true if a file of this format can hold more than one clip.
    #[must_use]
    pub fn holds_many(self) -> bool {
        matches!(self, Self::Glb | Self::Vrm)
    }

    /// Returns the media type of a file in this format, for HTTP.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Vrma | Self::Glb | Self::Vrm => "model/gltf-binary",
            Self::Bvh => "text/plain; charset=utf-8",
            Self::Csv | Self::Curves => "text/csv; charset=utf-8",
            Self::JsonLines => "application/jsonl",
        }
    }
}

/// Returns the contents of a file with these clips, which must be fitted to the avatar's rig.
///
/// `looks` is empty or has one value for each frame of the first clip. A value is true if the eyes are on the target
/// of attention.
///
/// # Errors
/// If there is no clip, or the format cannot hold the avatar.
pub fn bytes(
    format: Format,
    avatar: &ImportedFile,
    clips: &[Clip],
    looks: &[bool],
    warnings: &mut Vec<Warning>,
) -> Result<Vec<u8>> {
    let rig = avatar.require_rig()?;
    let [first, ..] = clips else { return Err(Error::new("no clip to write; choose a file with motion")) };
    Ok(match format {
        Format::Vrma => gltf::write_vrma(rig, first, warnings)?,
        Format::Glb => glb(avatar, rig, clips, warnings)?,
        Format::Vrm => vrm(avatar, rig, clips, warnings)?,
        Format::Bvh => bvh::write(rig, first, warnings).into_bytes(),
        Format::Csv => table::csv(rig, first, looks).into_bytes(),
        Format::Curves => table::curves(rig, first, looks).into_bytes(),
        Format::JsonLines => table::json_lines(rig, first, looks).into_bytes(),
    })
}

fn glb(avatar: &ImportedFile, rig: &Rig, clips: &[Clip], warnings: &mut Vec<Warning>) -> Result<Vec<u8>> {
    let file = avatar.file();
    if let (Some(bytes), Some(humanoid)) = (as_gltf(file)?, &file.import.humanoid) {
        let fetch = &mut disk::neighbours(&file.path);
        return gltf::write_on_avatar(&bytes, &file.import.source, humanoid, clips, fetch, warnings);
    }
    let message =
        "has no meshes, so only the skeleton is written, with VRM bone names; use an avatar to get meshes";
    warnings.push(Warning::new(WarningCode::Dropped, &avatar.name, message));
    gltf::write_skeleton(rig, clips, warnings)
}

/// Returns a file as glTF, if the file is glTF or has meshes that can be converted.
fn as_gltf(file: &Contents) -> Result<Option<Cow<'_, [u8]>>> {
    match file.import.source.kind {
        Kind::Vrm1 | Kind::Vrm0 | Kind::Gltf => Ok(Some(Cow::Borrowed(&file.bytes))),
        Kind::Fbx => {
            let model = vivant_io::fbx::glb(&file.bytes, &file.import.source)?;
            Ok(Some(Cow::Owned(model)).filter(|model| gltf::has_meshes(model)))
        }
        Kind::Vrma | Kind::Bvh => Ok(None),
    }
}

fn vrm(avatar: &ImportedFile, rig: &Rig, clips: &[Clip], warnings: &mut Vec<Warning>) -> Result<Vec<u8>> {
    let is_vrm = |kind| matches!(kind, Kind::Vrm0 | Kind::Vrm1);
    if !is_vrm(avatar.file().import.source.kind) {
        let message = "not a VRM file, so it cannot be written as .vrm; write .glb, or use a VRM avatar";
        return Err(Error::new(format!("{}: {message}", avatar.name)));
    }
    glb(avatar, rig, clips, warnings)
}

/// Adds the position of every joint to the lines of [`Format::JsonLines`].
///
/// # Errors
/// If a line is not JSON.
pub fn with_positions(lines: &[u8], rig: &Rig, clip: &Clip) -> Result<Vec<u8>> {
    let text = String::from_utf8_lossy(lines);
    // Lines before the frames, such as a header, are kept unchanged.
    let all: Vec<&str> = text.lines().collect();
    let header = all.len().saturating_sub(clip.frames());
    let mut out = Vec::with_capacity(lines.len() * 2);
    for (index, line) in all.into_iter().enumerate() {
        match index.checked_sub(header) {
            None => out.extend_from_slice(line.as_bytes()),
            Some(frame) => {
                let invalid = |e| Error::new(format!("frame {frame}: {e}"));
                let mut object: Map<String, Value> = serde_json::from_str(line).map_err(invalid)?;
                object.insert("positions".into(), positions(rig, clip, frame));
                out.extend(serde_json::to_vec(&object).map_err(invalid)?);
            }
        }
        out.push(b'\n');
    }
    Ok(out)
}

/// Joint positions in a frame, in metres in humanoid space.
fn positions(rig: &Rig, clip: &Clip, frame: usize) -> Value {
    let pose = Pose { rotations: *clip.rotations(frame), root: clip.root(frame) };
    let model = pose.model_transforms(rig);
    let place = |bone: vivant::rig::Bone| {
        (bone.name().to_owned(), Value::from(model[bone.index()].translation.to_array().to_vec()))
    };
    Value::Object(rig.bones().iter().map(place).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_extension_selects_the_format() {
        for (path, expected) in [
            ("a.vrma", Some(Format::Vrma)),
            ("b/A.GLB", Some(Format::Glb)),
            ("a.jsonl", Some(Format::JsonLines)),
            ("a.csv", Some(Format::Csv)),
            ("b/show.Curves.csv", Some(Format::Curves)),
            ("curves.csv", Some(Format::Csv)),
            ("a.fbx", None),
            ("a", None),
        ] {
            assert_eq!(Format::of(Path::new(path)).ok(), expected, "{path}");
        }
    }

    #[test]
    fn positions_match_the_pose() {
        let material = ImportedFile::built_in();
        let rig = material.rig().unwrap();
        let value = positions(rig, &material.clips[0], 0);
        assert_eq!(value.as_object().unwrap().len(), 55);
        assert!((value["hips"][1].as_f64().unwrap() - f64::from(rig.hips_height())).abs() < 1e-6);
    }
}
