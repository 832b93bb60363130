//! From clips to the bytes of a file, for `convert`, `perform` and the page's buttons alike.

use crate::fault::{Fault, Result};
use crate::files;
use crate::material::{Material, ReadFile};
use crate::report::{ClipInfo, Progress, Written};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::path::Path;
use vivant::clip::Clip;
use vivant::pose::Pose;
use vivant::rig::Rig;
use vivant_io::scene::Kind;
use vivant_io::{Warning, WarningCode, bvh, gltf, table};

/// What can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Vrma,
    Glb,
    Vrm,
    Bvh,
    Csv,
    /// A CSV for people: angles in degrees, centimetres.
    Curves,
    JsonLines,
}

impl Format {
    /// The format with this ending.
    pub(crate) fn from_ending(ending: &str) -> Option<Self> {
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

    pub(crate) fn of(path: &Path) -> Result<Self> {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        if name.ends_with(".curves.csv") {
            return Ok(Self::Curves);
        }
        Self::from_ending(&ending).ok_or_else(|| {
            Fault::new(format!(
                "{}: the ending says what to write; give .vrma, .glb, .vrm, .bvh, .csv, .curves.csv or .jsonl",
                path.display()
            ))
        })
    }

    /// Whether a file can hold more than one clip.
    pub(crate) fn holds_many(self) -> bool {
        matches!(self, Self::Glb | Self::Vrm)
    }

    /// What a browser should be told that it is.
    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Self::Vrma | Self::Glb | Self::Vrm => "model/gltf-binary",
            Self::Bvh => "text/plain; charset=utf-8",
            Self::Csv | Self::Curves => "text/csv; charset=utf-8",
            Self::JsonLines => "application/jsonl",
        }
    }
}

/// Writes clips that were fitted to the avatar's rig, and says what was written. `looks` says of each frame of the first
/// whether the eyes are on whom they attend to, or nothing; tables hold it.
pub(crate) fn write(
    path: &Path,
    avatar: &Material,
    clips: &[Clip],
    looks: &[bool],
    positions: bool,
    mut warnings: Vec<Warning>,
) -> Result<Written> {
    let _progress = Progress::spinner(format!("writing {}", path.display()));
    let format = Format::of(path)?;
    if positions && format != Format::JsonLines {
        return Err(Fault::new(format!("{}: --positions is for .jsonl only", path.display())));
    }
    let mut bytes = bytes(format, avatar, clips, looks, &mut warnings)?;
    if let (true, [clip]) = (positions, clips) {
        bytes = with_positions(&bytes, avatar.require_rig()?, clip)?;
    }
    files::write(path, &bytes)?;
    let clips = clips.iter().map(ClipInfo::from).collect();
    Ok(Written { written: path.display().to_string(), bytes: bytes.len(), clips, warnings })
}

/// The bytes of a file with these clips, which were fitted to the avatar's rig.
pub(crate) fn bytes(
    format: Format,
    avatar: &Material,
    clips: &[Clip],
    looks: &[bool],
    warnings: &mut Vec<Warning>,
) -> Result<Vec<u8>> {
    let rig = avatar.require_rig()?;
    let [first, ..] = clips else { return Err(Fault::new("there is nothing to write")) };
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

fn glb(avatar: &Material, rig: &Rig, clips: &[Clip], warnings: &mut Vec<Warning>) -> Result<Vec<u8>> {
    let file = avatar.file();
    if let (Some(bytes), Some(humanoid)) = (as_gltf(file)?, &file.import.humanoid) {
        let fetch = &mut files::neighbours(&file.path);
        return Ok(gltf::write_on_avatar(&bytes, &file.import.source, humanoid, clips, fetch, warnings)?);
    }
    let message =
        "it has no meshes, so only the skeleton is written, with VRM's names; --avatar gives it a body";
    warnings.push(Warning::new(WarningCode::Dropped, &avatar.name, message));
    Ok(gltf::write_skeleton(rig, clips, warnings)?)
}

/// A file as glTF, if it is one or has meshes that can be in one.
fn as_gltf(file: &ReadFile) -> Result<Option<Cow<'_, [u8]>>> {
    match file.import.source.kind {
        Kind::Vrm1 | Kind::Vrm0 | Kind::Gltf => Ok(Some(Cow::Borrowed(&file.bytes))),
        Kind::Fbx => {
            let model = vivant_io::fbx::glb(&file.bytes, &file.import.source)?;
            Ok(Some(Cow::Owned(model)).filter(|model| gltf::has_meshes(model)))
        }
        Kind::Vrma | Kind::Bvh => Ok(None),
    }
}

fn vrm(avatar: &Material, rig: &Rig, clips: &[Clip], warnings: &mut Vec<Warning>) -> Result<Vec<u8>> {
    let is_vrm = |kind| matches!(kind, Kind::Vrm0 | Kind::Vrm1);
    if !is_vrm(avatar.file().import.source.kind) {
        let message = "is no VRM, so no .vrm can be made of it; write .glb, or give a VRM as --avatar";
        return Err(Fault::new(format!("{}: {message}", avatar.name)));
    }
    glb(avatar, rig, clips, warnings)
}

/// JSON Lines with every joint's place added to every frame's line.
fn with_positions(lines: &[u8], rig: &Rig, clip: &Clip) -> Result<Vec<u8>> {
    let text = String::from_utf8_lossy(lines);
    // Lines that are no frames, such as a header, come before the frames and stay as they are.
    let all: Vec<&str> = text.lines().collect();
    let header = all.len().saturating_sub(clip.frames());
    let mut out = Vec::with_capacity(lines.len() * 2);
    for (index, line) in all.into_iter().enumerate() {
        match index.checked_sub(header) {
            None => out.extend_from_slice(line.as_bytes()),
            Some(frame) => {
                let broken = |e| Fault::new(format!("frame {frame}: {e}"));
                let mut object: Map<String, Value> = serde_json::from_str(line).map_err(broken)?;
                object.insert("positions".into(), positions(rig, clip, frame));
                out.extend(serde_json::to_vec(&object).map_err(broken)?);
            }
        }
        out.push(b'\n');
    }
    Ok(out)
}

/// Where the joints are at a frame, in metres in humanoid space.
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
    fn the_ending_decides() {
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
    fn positions_are_those_of_the_pose() {
        let material = Material::built_in();
        let rig = material.rig().unwrap();
        let value = positions(rig, &material.clips[0], 0);
        assert_eq!(value.as_object().unwrap().len(), 55);
        assert!((value["hips"][1].as_f64().unwrap() - f64::from(rig.hips_height())).abs() < 1e-6);
    }
}
