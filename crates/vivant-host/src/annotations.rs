//! Learns behaviour models from ELAN annotation files on disk.
//!
//! Researchers annotate conversations in ELAN; a character can then gesture as often as the recorded people do.
//! [`learn`] reads the files and counts which actions follow each other, and after which pauses. A map defines the
//! behaviour that each tier and value stands for. The method is described in [`vivant_learn::behaviour`].

use crate::disk;
use std::path::{Path, PathBuf};
use vivant_io::{Error, Result, Warning, eaf};
use vivant_learn::behaviour::{self, AnnotatedVideo, Learned, TierMap};

/// Learns a behaviour model from ELAN files. Without a `map`, tiers are recognised by their names.
///
/// # Errors
/// If a file cannot be read, or no annotation matches the map.
pub fn learn(files: &[PathBuf], map: Option<&Path>, warnings: &mut Vec<Warning>) -> Result<Learned> {
    let rules = map.map_or_else(|| Ok(TierMap::standard()), self::map)?;
    let recordings = files.iter().map(|path| recording(path, warnings)).collect::<Result<Vec<_>>>()?;
    let mut own = Vec::new();
    let learned = behaviour::learn(&recordings, &rules, &mut own).map_err(|error| match map {
        Some(_) => error,
        None => Error::new(format!("{error}\n{NO_MAP}"))
            .of_kind(error.kind())
            .with_setting("annotations::learn::map"),
    })?;
    // Without a map, the standard rules are only tried, so unused rules cause no warning.
    own.retain(|warning| map.is_some() || !warning.place.starts_with("map: "));
    warnings.append(&mut own);
    Ok(learned)
}

const NO_MAP: &str = "No map was given; write a map that assigns tiers and values to behaviour";

fn map(path: &Path) -> Result<TierMap> {
    let text =
        String::from_utf8(disk::read(path)?).map_err(|_| Error::new("not UTF-8 text; save it as UTF-8"));
    text.and_then(|text| TierMap::parse(&text)).map_err(|error| error.in_file(path.display()))
}

fn recording(path: &Path, warnings: &mut Vec<Warning>) -> Result<AnnotatedVideo> {
    let mut own = Vec::new();
    let annotations =
        eaf::read(&disk::read(path)?, &mut own).map_err(|error| error.in_file(path.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for warning in &mut own {
        warning.place = format!("{name}: {}", warning.place);
    }
    warnings.append(&mut own);
    Ok(AnnotatedVideo { name, annotations })
}
