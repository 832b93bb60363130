//! Writes clips to a file.

use crate::fault::{Fault, Result};
use crate::files;
use crate::report::{ClipInfo, Progress, Written};
use std::path::Path;
use vivant::clip::Clip;
use vivant_host::bake::with_positions;
pub(crate) use vivant_host::bake::{Format, bytes};
use vivant_host::imported::ImportedFile;
use vivant_io::Warning;

/// Writes clips that fit the avatar's rig, and returns a summary. `looks` has one value for each frame of the first
/// clip, which is true if the eyes are on the attended point. Tables contain these values. `looks` may be empty.
pub(crate) fn write(
    path: &Path,
    avatar: &ImportedFile,
    clips: &[Clip],
    looks: &[bool],
    positions: bool,
    mut warnings: Vec<Warning>,
) -> Result<Written> {
    let _progress = Progress::spinner(format!("writing {}", path.display()));
    let format = Format::of(path)?;
    if positions && format != Format::JsonLines {
        return Err(Fault::new(format!(
            "{}: --positions is for .jsonl only; leave it out, or write .jsonl",
            path.display()
        )));
    }
    let mut bytes = bytes(format, avatar, clips, looks, &mut warnings)?;
    if let (true, [clip]) = (positions, clips) {
        bytes = with_positions(&bytes, avatar.require_rig()?, clip)?;
    }
    files::write(path, &bytes)?;
    let clips = clips.iter().map(ClipInfo::from).collect();
    Ok(Written { written: path.display().to_string(), bytes: bytes.len(), clips, warnings })
}
