//! Files on the disk to recordings of eyes.

use crate::args::recordings::RecordingArgs;
use crate::fault::{Fault, Result};
use crate::files;
use std::path::{Path, PathBuf};
use vivant_io::Warning;
use vivant_learn::recording::{self, Map, ReadOptions, Recording, Source};

/// The most files of a folder that are looked at.
const MOST_NEIGHBOURS: usize = 10_000;

/// What the options say, with the map read.
pub(crate) fn options(args: &RecordingArgs) -> Result<ReadOptions> {
    let map = args.map.as_deref().map(map).transpose()?;
    Ok(ReadOptions { device: args.device.clone(), map, rate_hz: args.rate })
}

fn map(path: &Path) -> Result<Map> {
    let bytes = files::read(path)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Fault::new(format!("{}: this is no text; a map is TOML", path.display())))?;
    Ok(Map::parse(&text).map_err(|error| error.in_file(path.display()))?)
}

/// A recording: the file that is named with those that belong to it, or a folder that is one recording.
pub(crate) fn read(path: &Path, options: &ReadOptions, warnings: &mut Vec<Warning>) -> Result<Recording> {
    let sources = sources(path)?;
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) };
    let (mut recording, own) = recording::read(&sources, options).map_err(|error| {
        let name = folder.join(&sources[0].name);
        Fault::new(error.in_file(name.display()).to_string())
    })?;
    if path.is_dir() {
        recording.name = name_of(path);
    }
    warnings.extend(own);
    Ok(recording)
}

fn sources(path: &Path) -> Result<Vec<Source>> {
    if path.is_dir() {
        let names = recording::in_folder(&names_in(path)).ok_or_else(|| {
            Fault::new(format!(
                "{}: no recording is known to look like this folder; name the file in it",
                path.display()
            ))
        })?;
        return names.iter().map(|name| source(&path.join(name))).collect();
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let beside = recording::companions(&name_of(path), &names_in(folder));
    let beside = beside.into_iter().map(|name| folder.join(name));
    std::iter::once(path.to_owned()).chain(beside).map(|path: PathBuf| source(&path)).collect()
}

fn source(path: &Path) -> Result<Source> {
    Ok(Source { name: name_of(path), bytes: files::read(path)? })
}

fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// The names of the files in a folder, sorted; none of one that cannot be read.
fn names_in(folder: &Path) -> Vec<String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MOST_NEIGHBOURS);
    let mut names: Vec<String> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_dir()))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
