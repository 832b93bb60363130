//! Reads C3D, the binary marker format of motion-capture systems (c3d.org), with Intel, DEC and SGI numbers.
//!
//! [`is_c3d`] detects the format and [`read`] returns the marker positions as a [`Capture`]; `super::markers` converts
//! it to a recording. Old files come from three processor types with different number formats, so every number is read
//! through [`Bytes`], which knows the type and turns truncated files into errors. Only markers are read: analogue
//! channels are skipped, and events are ignored.

use super::Source;
use super::limits::{MAX_COLUMNS, MAX_POSITIONS, MAX_SAMPLES};
use super::markers::Capture;
use glam::DVec3;
use vivant_io::limits::within;
use vivant_io::{Error, Result};

/// Size of a block in bytes. C3D files give positions as block numbers.
const BLOCK: usize = 512;
/// The second byte of every C3D file.
const KEY: u8 = 0x50;

/// Returns true if a file is C3D.
pub(super) fn is_c3d(source: &Source) -> bool {
    let is_named = source.name.to_lowercase().ends_with(".c3d");
    is_named && source.bytes.len() >= BLOCK && source.bytes[1] == KEY
}

pub(super) fn read(source: &Source) -> Result<Capture> {
    parse(&source.bytes).map_err(|error| error.in_file(&source.name))
}

/// Processor type, which determines the number format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Machine {
    Intel,
    Dec,
    Sgi,
}

/// Bytes with their processor type; reading beyond the end is an error.
#[derive(Clone, Copy)]
struct Bytes<'a> {
    bytes: &'a [u8],
    machine: Machine,
}

impl<'a> Bytes<'a> {
    fn some<const N: usize>(self, at: usize) -> Result<[u8; N]> {
        let found = self.bytes.get(at..).and_then(|rest| rest.first_chunk::<N>());
        found
            .copied()
            .ok_or_else(|| Error::at(format!("byte {at}"), "the file is truncated here; copy it again"))
    }

    fn word(self, at: usize) -> Result<i16> {
        let bytes = self.some(at)?;
        Ok(if self.machine == Machine::Sgi { i16::from_be_bytes(bytes) } else { i16::from_le_bytes(bytes) })
    }

    fn count(self, at: usize) -> Result<usize> {
        Ok(usize::from(self.word(at)? as u16))
    }

    fn float(self, at: usize) -> Result<f32> {
        let bytes: [u8; 4] = self.some(at)?;
        Ok(match self.machine {
            Machine::Intel => f32::from_le_bytes(bytes),
            Machine::Sgi => f32::from_be_bytes(bytes),
            // A DEC float has two words, the more significant word first, and its exponent is larger by two.
            Machine::Dec => f32::from_le_bytes([bytes[2], bytes[3], bytes[0], bytes[1]]) / 4.0,
        })
    }

    fn text(self, at: usize, length: usize) -> Result<String> {
        let found = self.bytes.get(at..at.saturating_add(length));
        let found = found.ok_or_else(|| {
            Error::at(format!("byte {at}"), "the file is truncated within a name; copy it again")
        })?;
        Ok(String::from_utf8_lossy(found).trim().to_owned())
    }
}

/// The values in header and parameters that are needed to read the markers.
#[derive(Debug, Default)]
struct Info {
    points: usize,
    analog: usize,
    frames: usize,
    scale: f32,
    data: usize,
    rate_hz: f64,
    labels: Vec<String>,
}

fn parse(bytes: &[u8]) -> Result<Capture> {
    let parameters = usize::from(bytes[0].max(1) - 1) * BLOCK;
    let machine = match bytes.get(parameters + 3) {
        Some(84) => Machine::Intel,
        Some(85) => Machine::Dec,
        Some(86) => Machine::Sgi,
        _ => return Err(Error::at("parameters", "unknown processor type; export the C3D again")),
    };
    let bytes = Bytes { bytes, machine };
    let mut info = Info {
        points: bytes.count(2)?,
        analog: bytes.count(4)?,
        frames: (bytes.count(8)? + 1).saturating_sub(bytes.count(6)?),
        scale: bytes.float(12)?,
        data: bytes.count(16)?.max(1) * BLOCK - BLOCK,
        rate_hz: f64::from(bytes.float(20)?),
        labels: Vec::new(),
    };
    info.read_parameters(bytes, parameters + 4)?;
    within("header", "points", info.points, MAX_COLUMNS)?;
    super::limits::check_rate("POINT:RATE", info.rate_hz)?;
    info.capture(bytes)
}

impl Info {
    /// Reads groups and parameters. Each of them contains the offset of the next one.
    fn read_parameters(&mut self, bytes: Bytes<'_>, mut at: usize) -> Result<()> {
        let mut point_group = None;
        let mut pending = Vec::new();
        for _ in 0..MAX_COLUMNS {
            let [length, id] = bytes.some::<2>(at)?.map(|byte| i32::from(byte as i8));
            let length = length.unsigned_abs() as usize;
            if length == 0 || id == 0 {
                break;
            }
            let name = bytes.text(at + 2, length)?.to_uppercase();
            let next = at + 2 + length;
            if id < 0 && name == "POINT" {
                point_group = Some(-id);
            } else if id > 0 {
                pending.push((id, name, next + 2));
            }
            let offset = bytes.count(next)?;
            if offset == 0 {
                break;
            }
            at = next + offset;
        }
        // Parameters may precede their group.
        for (_, name, at) in pending.into_iter().filter(|(id, _, _)| Some(*id) == point_group) {
            self.read_parameter(bytes, &name, at)?;
        }
        Ok(())
    }

    fn read_parameter(&mut self, bytes: Bytes<'_>, name: &str, at: usize) -> Result<()> {
        let [kind, dimensions] = bytes.some::<2>(at)?;
        let dimensions = usize::from(dimensions);
        let lengths = bytes.bytes.get(at + 2..at + 2 + dimensions).unwrap_or_default();
        let data = at + 2 + dimensions;
        match (name, kind as i8) {
            ("RATE", 4) => self.rate_hz = f64::from(bytes.float(data)?),
            ("SCALE", 4) => self.scale = bytes.float(data)?,
            ("DATA_START", 2) => self.data = bytes.count(data)?.max(1) * BLOCK - BLOCK,
            // Files with more than 255 markers continue in LABELS2.
            (name, -1) if name.starts_with("LABELS") => {
                let [length, count] = [0, 1].map(|i: usize| lengths.get(i).copied().map_or(1, usize::from));
                for index in 0..count {
                    self.labels.push(bytes.text(data + index * length, length)?);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn capture(self, bytes: Bytes<'_>) -> Result<Capture> {
        // A negative scale means that numbers are floats.
        let (size, scale) = if self.scale < 0.0 { (4, 1.0) } else { (2, f64::from(self.scale)) };
        let frame = (4 * self.points + self.analog) * size;
        let there = bytes.bytes.len().saturating_sub(self.data) / frame.max(1);
        // The number of frames in the header is limited to 65,535.
        let frames = if self.frames >= 65_535 { there } else { self.frames };
        if frames > there {
            let message = format!("{frames} frames expected but only {there} present; copy the file again");
            return Err(Error::at("header", message));
        }
        within("header", "frames", frames, MAX_SAMPLES)?;
        within("header", "places", frames * self.points, MAX_POSITIONS)?;
        let names = (0..self.points).map(|i| self.labels.get(i).cloned().unwrap_or_else(|| i.to_string()));
        let times = (0..frames).map(|index| index as f64 / self.rate_hz).collect();
        let mut capture = Capture { times, names: names.collect(), places: Vec::with_capacity(self.points) };
        for point in 0..self.points {
            let at = |index: usize| self.data + index * frame + 4 * point * size;
            let places = (0..frames).map(|index| place(bytes, at(index), size == 4, scale));
            capture.places.push(places.collect::<Result<_>>()?);
        }
        Ok(capture)
    }
}

/// Returns the position of a marker; NaN if the marker was not seen, which a negative residual means.
fn place(bytes: Bytes<'_>, at: usize, is_float: bool, scale: f64) -> Result<DVec3> {
    let number = |index: usize| -> Result<f64> {
        Ok(if is_float {
            f64::from(bytes.float(at + 4 * index)?)
        } else {
            f64::from(bytes.word(at + 2 * index)?)
        })
    };
    if number(3)? < 0.0 {
        return Ok(DVec3::NAN);
    }
    Ok(DVec3::new(number(0)?, number(1)?, number(2)?) * scale)
}
