//! Reads a Neon's native files: binary records, with their timestamps in a separate file.
//!
//! The records become tables with the column names of Pupil Cloud, so that the same map reads both formats.

use super::Source;
use super::cells::Column;
use super::limits::MAX_SAMPLES;
use super::table::Table;
use vivant_io::limits::within;
use vivant_io::{Error, Result};

/// Fields of an `eye_state` record (pl-neon-recording); recordings before 2024 end before the lids.
const EYE_STATE: [&str; 20] = [
    "pupil diameter left [mm]",
    "eyeball center left x [mm]",
    "eyeball center left y [mm]",
    "eyeball center left z [mm]",
    "optical axis left x",
    "optical axis left y",
    "optical axis left z",
    "pupil diameter right [mm]",
    "eyeball center right x [mm]",
    "eyeball center right y [mm]",
    "eyeball center right z [mm]",
    "optical axis right x",
    "optical axis right y",
    "optical axis right z",
    "eyelid angle top left [rad]",
    "eyelid angle bottom left [rad]",
    "eyelid aperture left [mm]",
    "eyelid angle top right [rad]",
    "eyelid angle bottom right [rad]",
    "eyelid aperture right [mm]",
];
const WITHOUT_LIDS: usize = 14;
const GYRO: [&str; 3] = ["gyro x [deg/s]", "gyro y [deg/s]", "gyro z [deg/s]"];
const TIME: &str = "timestamp [ns]";

/// Returns the kind in a file name, `eye_state` for `eye_state ps1.raw`, and the part number.
pub(super) fn kind_and_part(name: &str, ending: &str) -> Option<(String, u32)> {
    let (kind, part) = name.strip_suffix(ending)?.rsplit_once(" ps")?;
    Some((kind.to_owned(), part.parse().ok()?))
}

/// Returns true if the files are a Neon's native recording.
pub(super) fn is_neon(sources: &[Source]) -> bool {
    sources
        .iter()
        .any(|source| kind_and_part(&source.name, ".raw").is_some_and(|(kind, _)| kind == "eye_state"))
}

/// Returns the tables of a recording: samples first, then blinks and head rotation, if present.
pub(super) fn tables(sources: &[Source]) -> Result<Vec<Table<'_>>> {
    let eyes = join_parts(sources, "eye_state")?
        .ok_or_else(|| Error::new("“eye_state ps1.raw” is missing; use the whole folder of the recording"))?;
    let mut tables = vec![eyes.eye_state()?];
    if let Some(blinks) = join_parts(sources, "blinks")? {
        tables.push(blinks.blinks()?);
    }
    if let Some(imu) = join_parts(sources, "imu")? {
        tables.push(imu.imu()?);
    }
    Ok(tables)
}

/// The records of all parts of one kind, in order.
struct Records<'a> {
    file: &'a str,
    times: Vec<i64>,
    /// Bytes of the records of all parts.
    bytes: Vec<u8>,
    /// Size of one record in bytes.
    size: usize,
}

fn join_parts<'a>(sources: &'a [Source], kind: &str) -> Result<Option<Records<'a>>> {
    let part_of = |source: &'a Source| {
        kind_and_part(&source.name, ".raw").filter(|(found, _)| found == kind).map(|(_, part)| (part, source))
    };
    let mut parts: Vec<(u32, &Source)> = sources.iter().filter_map(part_of).collect();
    parts.sort_by_key(|(part, _)| *part);
    let Some((_, first)) = parts.first() else { return Ok(None) };
    let mut records = Records { file: &first.name, times: Vec::new(), bytes: Vec::new(), size: 0 };
    for (part, source) in parts {
        records.add(source, read_times(sources, kind, part, &source.name)?)?;
    }
    within("file", "samples", records.times.len(), MAX_SAMPLES)
        .map_err(|error| error.in_file(records.file))?;
    Ok(Some(records))
}

fn read_times(sources: &[Source], kind: &str, part: u32, file: &str) -> Result<Vec<i64>> {
    let is_clock = |source: &&Source| kind_and_part(&source.name, ".time") == Some((kind.to_owned(), part));
    let clock = sources.iter().find(is_clock).ok_or_else(|| {
        let message = format!(
            "“{kind} ps{part}.time” with its timestamps is missing; use the whole folder of the recording"
        );
        Error::new(message).in_file(file)
    })?;
    if !clock.bytes.len().is_multiple_of(8) {
        let message = format!(
            "{} bytes is not a multiple of 8, the size of a timestamp; copy the recording again",
            clock.bytes.len()
        );
        return Err(Error::new(message).in_file(&clock.name));
    }
    Ok(clock.bytes.chunks_exact(8).map(i64_of).collect())
}

impl<'a> Records<'a> {
    fn add(&mut self, source: &Source, times: Vec<i64>) -> Result<()> {
        if times.is_empty() && source.bytes.is_empty() {
            return Ok(());
        }
        let (bytes, count) = (source.bytes.len(), times.len());
        let size = bytes.checked_div(count).unwrap_or(0);
        let is_whole = size > 0 && size * count == bytes;
        if !is_whole || (self.size != 0 && self.size != size) {
            let message = format!("{bytes} bytes do not match {count} timestamps; copy the recording again");
            return Err(Error::new(message).in_file(&source.name));
        }
        self.size = size;
        self.times.extend(times);
        self.bytes.extend_from_slice(&source.bytes);
        Ok(())
    }

    /// Returns the number at an offset of every record.
    fn floats(&self, offset: usize) -> Column {
        let one =
            |record: &[u8]| f64::from(f32::from_le_bytes([0, 1, 2, 3].map(|i: usize| record[offset + i])));
        Column::Numbers(self.bytes.chunks_exact(self.size.max(1)).map(one).collect())
    }

    fn wholes(&self, offset: usize) -> Column {
        Column::Whole(
            self.bytes.chunks_exact(self.size.max(1)).map(|record| i64_of(&record[offset..])).collect(),
        )
    }

    fn wrong_size(&self, known: &str) -> Error {
        let message = format!(
            "records of {} bytes are not supported, only {known}; use the CSV export of Pupil Cloud",
            self.size
        );
        Error::new(message).in_file(self.file)
    }

    fn eye_state(self) -> Result<Table<'a>> {
        let names = match self.size {
            size if size == 4 * EYE_STATE.len() => &EYE_STATE[..],
            size if size == 4 * WITHOUT_LIDS => &EYE_STATE[..WITHOUT_LIDS],
            0 => return Err(Error::new("the file has no samples; use another recording").in_file(self.file)),
            _ => return Err(self.wrong_size("80, or 56 without lids")),
        };
        let numbers =
            names.iter().enumerate().map(|(index, name)| ((*name).to_owned(), self.floats(4 * index)));
        let mut columns: Vec<(String, Column)> = numbers.collect();
        columns.push((TIME.to_owned(), Column::Whole(self.times)));
        Ok(Table::of_columns(self.file, columns))
    }

    /// Returns the table of blinks. Each record has a start and an end, sometimes after a number for the kind of
    /// event.
    fn blinks(self) -> Result<Table<'a>> {
        let begin = match self.size {
            0 | 16 => 0,
            20 => 4,
            _ => return Err(self.wrong_size("20 or 16")),
        };
        let columns = [
            ("start timestamp [ns]", self.wholes(begin)),
            ("end timestamp [ns]", self.wholes(begin + 8)),
            ("blink id", Column::Whole((1..).take(self.times.len()).collect())),
        ];
        Ok(Table::of_columns(self.file, columns.map(|(name, column)| (name.to_owned(), column)).into()))
    }

    /// Returns the table of head rotation. Each record has rotation, acceleration and orientation, sometimes after a
    /// timestamp.
    fn imu(self) -> Result<Table<'a>> {
        let begin = match self.size {
            0 | 40 => 0,
            48 => 8,
            _ => return Err(self.wrong_size("48 or 40")),
        };
        let turns =
            GYRO.iter().enumerate().map(|(axis, name)| ((*name).to_owned(), self.floats(begin + 4 * axis)));
        let mut columns: Vec<(String, Column)> = turns.collect();
        columns.push((TIME.to_owned(), Column::Whole(self.times)));
        Ok(Table::of_columns(self.file, columns))
    }
}

/// Converts the first eight bytes to an integer.
fn i64_of(bytes: &[u8]) -> i64 {
    i64::from_le_bytes([0, 1, 2, 3, 4, 5, 6, 7].map(|i: usize| bytes[i]))
}
