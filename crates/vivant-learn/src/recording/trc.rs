//! Reads TRC, a text format for markers of many motion-capture programs.

use super::limits::{MAX_COLUMNS, MAX_POSITIONS, MAX_SAMPLES};
use super::markers::Capture;
use super::table::decode;
use super::{Source, cells};
use glam::DVec3;
use vivant_io::limits::within;
use vivant_io::{Error, Result};

/// Returns true if a file is TRC.
pub(super) fn is_trc(bytes: &[u8]) -> bool {
    decode(&bytes[..bytes.len().min(64)]).trim_start().starts_with("PathFileType")
}

pub(super) fn read(source: &Source) -> Result<Capture> {
    parse(&decode(&source.bytes)).map_err(|error| error.in_file(&source.name))
}

fn parse(text: &str) -> Result<Capture> {
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let is_names = |(_, line): &(usize, &str)| line.trim_start().starts_with("Frame#");
    let (number, names) = lines.find(is_names).ok_or_else(|| {
        Error::at("line 4", "no line “Frame#  Time  …” with the marker names; export the TRC again")
    })?;
    let names: Vec<String> =
        names.split('\t').skip(2).map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect();
    within(&format!("line {number}"), "markers", names.len(), MAX_COLUMNS / 3)?;
    let mut capture = Capture { places: vec![Vec::new(); names.len()], names, ..Capture::default() };
    for (number, line) in lines.filter(|(_, line)| line.starts_with(|c: char| c.is_ascii_digit())) {
        capture.push(number, line)?;
    }
    Ok(capture)
}

impl Capture {
    fn push(&mut self, number: usize, line: &str) -> Result<()> {
        let row: Vec<&str> = line.split('\t').collect();
        let cell = |index: usize| {
            let text = row.get(index).copied().unwrap_or("");
            cells::parse(text).number().ok_or_else(|| {
                let shown: String = text.chars().take(40).collect();
                Error::at(
                    format!("line {number}, cell {}", index + 1),
                    format!("“{shown}” is not a number; export the TRC again"),
                )
            })
        };
        self.times.push(cell(1)?);
        within("rows", "frames", self.times.len(), MAX_SAMPLES)?;
        within("rows", "places", self.times.len() * self.names.len(), MAX_POSITIONS)?;
        for (index, places) in self.places.iter_mut().enumerate() {
            let at = 2 + 3 * index;
            places.push(DVec3::new(cell(at)?, cell(at + 1)?, cell(at + 2)?));
        }
        Ok(())
    }
}
