//! Reads eye recordings from files.

use crate::args::recordings::RecordingArgs;
use crate::fault::Result;
use crate::files;
use serde::Serialize;
use std::path::Path;
use vivant_host::recording::name_of;
use vivant_io::Warning;
use vivant_learn::recording::{self, Channel, Quality, ReadOptions, Recording, Source};

/// File extensions of recordings. A folder can also be a recording.
const ENDINGS: [&str; 9] = ["csv", "tsv", "txt", "npy", "parquet", "asc", "trc", "c3d", "gz"];

/// The path that means standard input.
const STDIN: &str = "-";

/// Returns true if a path is read as an eye recording.
pub(crate) fn is_recording(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let is_known = |ending: &String| ENDINGS.contains(&ending.as_str());
    path == Path::new(STDIN)
        || path.is_dir()
        || ending.as_ref().is_some_and(is_known)
        || name_of(path).starts_with("eye_state ps")
}

/// Quality of a recording. The field names are the keys of `--json` and must not change.
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

/// Returns the options for reading. The map is read from its file.
pub(crate) fn options(args: &RecordingArgs) -> Result<ReadOptions> {
    let map = args.map.as_deref().map(vivant_host::recording::map).transpose()?;
    Ok(ReadOptions { device: args.device.clone(), map, rate_hz: args.rate })
}

/// Reads a recording: a file with its companion files, a folder, or standard input.
pub(crate) fn read(path: &Path, options: &ReadOptions, warnings: &mut Vec<Warning>) -> Result<Recording> {
    let (recording, own) = if path == Path::new(STDIN) {
        let source = Source { name: "standard input".into(), bytes: files::read_stdin()? };
        recording::read(&[source], options).map_err(|error| error.in_file("standard input"))?
    } else {
        vivant_host::recording::read(path, options)?
    };
    warnings.extend(own);
    Ok(recording)
}
