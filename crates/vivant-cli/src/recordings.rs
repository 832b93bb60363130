//! Files on the disk to recordings of eyes.

use crate::args::recordings::RecordingArgs;
use crate::fault::{Fault, Result};
use crate::files;
use serde::Serialize;
use std::path::{Path, PathBuf};
use vivant_io::Warning;
use vivant_learn::recording::{self, Channel, Map, Quality, ReadOptions, Recording, Source};

/// The most files of a folder that are looked at.
const MOST_NEIGHBOURS: usize = 10_000;

/// How the names of recordings end; folders are recordings too.
const ENDINGS: [&str; 9] = ["csv", "tsv", "txt", "npy", "parquet", "asc", "trc", "c3d", "gz"];

/// Standard input, as people write it.
const STDIN: &str = "-";

/// Whether this is to be read as a recording of eyes.
pub(crate) fn is_recording(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let is_known = |ending: &String| ENDINGS.contains(&ending.as_str());
    path == Path::new(STDIN)
        || path.is_dir()
        || ending.as_ref().is_some_and(is_known)
        || name_of(path).starts_with("eye_state ps")
}

/// What a recording is worth. The field names are the keys of `--json`, and stay.
#[derive(Serialize)]
pub(crate) struct About {
    kind: &'static str,
    #[serde(flatten)]
    quality: Quality,
    warnings: Vec<Warning>,
}

impl About {
    pub(crate) fn load(path: &Path, options: &ReadOptions) -> Result<Self> {
        let mut warnings = Vec::new();
        let quality = read(path, options, &mut warnings)?.quality();
        Ok(Self { kind: "recording of eyes", quality, warnings })
    }

    pub(crate) fn text(&self, file: &str) -> String {
        let Quality { device, duration_secs, timing, aperture_unit, channels, device_blinks } = &self.quality;
        let row = |label: &str, value: String| format!("  {label:<14} {value}");
        let mut lines = vec![file.to_owned(), row("kind", format!("{}, {device}", self.kind))];
        lines.push(row("length", format!("{duration_secs:.2} s, {} samples", timing.samples)));
        let (jitter_ms, longest_ms) = (1e3 * timing.jitter_secs, 1e3 * timing.longest_gap_secs);
        lines.push(row("rate", format!("{:.2} Hz, steps vary by {jitter_ms:.2} ms", timing.rate_hz)));
        lines.push(row("gaps", format!("{}, at most {longest_ms:.0} ms from sample to sample", timing.gaps)));
        lines.extend(aperture_unit.map(|unit| row("openness in", unit.to_owned())));
        for Channel { name, unknown, longest_unknown_secs } in channels {
            let unknown =
                format!("{:.1} % unknown, at most {longest_unknown_secs:.2} s at once", 100.0 * unknown);
            lines.push(row(name, unknown));
        }
        lines.extend(device_blinks.map(|count| row("blinks", format!("{count} found by the device"))));
        lines.extend(self.warnings.iter().map(|warning| row("warning", warning.to_string())));
        lines.join("\n")
    }
}

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
    let (mut recording, own) =
        recording::read(&sources, options).map_err(|error| Fault::new(placed(&error, folder, &sources)))?;
    if path.is_dir() {
        recording.name = name_of(path);
    }
    warnings.extend(own);
    Ok(recording)
}

/// An error that names its file, with the folder before it.
fn placed(error: &vivant_io::Error, folder: &Path, sources: &[Source]) -> String {
    let text = error.to_string();
    if sources.iter().any(|source| text.starts_with(&format!("{}: ", source.name))) {
        return format!("{}{text}", folder.join("").display());
    }
    format!("{}: {text}", folder.join(&sources[0].name).display())
}

fn sources(path: &Path) -> Result<Vec<Source>> {
    if path == Path::new(STDIN) {
        return Ok(vec![Source { name: "standard input".into(), bytes: files::read_stdin()? }]);
    }
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
