//! Reads EyeLink's text recordings (`.asc`): samples, events or both, in one file or two.
//!
//! The format mixes samples and events line by line, so a column map alone cannot describe it. [`tables`] converts it
//! to a table of samples and a table of the device's blinks, which are then read like those of other devices. Both eyes
//! are combined into one gaze, which is in pixels: [`pixels_per_degree`] computes the scale from the saccades that the
//! device reports in both units. The pupil size is not read, so there is no aperture.

use super::cells::{self, Column};
use super::gaze::{Angles, combine_eyes};
use super::limits::MAX_SAMPLES;
use super::table::{Table, decode};
use super::{Gaze, Source};
use crate::statistics::median;
use vivant_io::limits::within;
use vivant_io::{Error, Result};

/// Contents of all files.
#[derive(Debug, Default)]
struct Found {
    times: Vec<f64>,
    /// x and y of a single eye, or of the left and the right eye.
    eyes: [Angles; 2],
    blinks: Vec<(f64, f64)>,
    /// Start and end of the recording according to events.
    span: Option<(f64, f64)>,
    has_events: bool,
    /// True if both eyes were recorded; `None` if no event says so.
    declares_both: Option<bool>,
    /// Number of samples with six values. Recordings of both eyes usually have six.
    with_six: usize,
}

/// First words of event lines.
const EVENTS: [&str; 12] = [
    "MSG", "START", "END", "SFIX", "EFIX", "SSACC", "ESACC", "SBLINK", "EBLINK", "INPUT", "BUTTON", "SAMPLES",
];

/// Returns true if a file is an EyeLink recording.
pub(super) fn is_eyelink(source: &Source) -> bool {
    let head = String::from_utf8_lossy(&source.bytes[..source.bytes.len().min(2000)]);
    let is_asc = source.name.to_lowercase().ends_with(".asc");
    let says = head.contains("EYELINK") || head.contains("SR Research");
    let is_line = |line: &str| EVENTS.contains(&line.split_whitespace().next().unwrap_or(""));
    says || (is_asc && head.lines().any(|line| is_line(line) || sample(line).is_some()))
}

/// Returns the table of samples and the table of the device's blinks.
pub(super) fn tables(sources: &[Source]) -> Result<Vec<Table<'_>>> {
    let mut found = Found::default();
    for source in sources {
        found.read(&source.name, &decode(&source.bytes))?;
    }
    let file = &sources[0].name;
    let mut tables = vec![found.samples(file)?];
    if found.has_events {
        let (start, end) = found.blinks.iter().copied().unzip();
        let columns = [("blink start [ms]", start), ("blink end [ms]", end)];
        let columns = columns.map(|(name, numbers)| (name.to_owned(), Column::Numbers(numbers)));
        tables.push(Table::of_columns(file, columns.into()));
    }
    Ok(tables)
}

/// Returns the pixels per degree. They are computed from the saccades that the device reports, with ends in pixels
/// and amplitudes in degrees.
pub(super) fn pixels_per_degree(sources: &[Source]) -> Option<f64> {
    const MIN_COUNT: usize = 5;
    const MIN_DEG: f64 = 1.0;
    let of_line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |index: usize| words.get(index).and_then(|word| word.parse::<f64>().ok());
        let (x, y) = (number(7)? - number(5)?, number(8)? - number(6)?);
        let per_degree = (x * x + y * y).sqrt() / number(9).filter(|degrees| *degrees >= MIN_DEG)?;
        Some(per_degree).filter(|per_degree| per_degree.is_finite() && *per_degree > 0.0)
    };
    let of_file = |source: &Source| -> Vec<f64> {
        decode(&source.bytes).lines().filter(|line| line.starts_with("ESACC")).filter_map(of_line).collect()
    };
    let mut all: Vec<f64> = sources.iter().flat_map(of_file).collect();
    if all.len() < MIN_COUNT { None } else { median(&mut all) }
}

/// Parses the time, and x and y of one or both eyes.
fn sample(line: &str) -> Option<(f64, Vec<f64>)> {
    let mut words = line.split_whitespace();
    let time = words.next().filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))?.parse().ok()?;
    let number = |word: &str| cells::parse(word).number();
    let numbers: Vec<f64> = words.map_while(number).take(6).collect();
    (numbers.len() >= 2).then_some((time, numbers))
}

impl Found {
    fn read(&mut self, file: &str, text: &str) -> Result<()> {
        for (index, line) in text.lines().enumerate() {
            if line.starts_with(|c: char| c.is_ascii_digit()) {
                self.sample(line)
                    .map_err(|message| Error::at(format!("line {}", index + 1), message).in_file(file))?;
                within("file", "samples", self.times.len(), MAX_SAMPLES)
                    .map_err(|error| error.in_file(file))?;
            } else {
                self.event(line)
                    .map_err(|message| Error::at(format!("line {}", index + 1), message).in_file(file))?;
            }
        }
        Ok(())
    }

    fn sample(&mut self, line: &str) -> std::result::Result<(), String> {
        let Some((time, numbers)) = sample(line) else {
            let shown: String = line.chars().take(40).collect();
            return Err(format!(
                "“{shown}” is not a sample; expected time, x, y and pupil; convert the EDF again"
            ));
        };
        self.times.push(time);
        self.with_six += usize::from(numbers.len() >= 6);
        // x, y and pupil of one eye, then of the other.
        for (eye, first) in self.eyes.iter_mut().zip([0, 3]) {
            let number = |index: usize| numbers.get(index).copied().unwrap_or(f64::NAN);
            let is_there = numbers.len() >= first + 2;
            eye.yaw.push(if is_there { number(first) } else { f64::NAN });
            eye.pitch.push(if is_there { number(first + 1) } else { f64::NAN });
        }
        Ok(())
    }

    fn event(&mut self, line: &str) -> std::result::Result<(), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let time = |index: usize| {
            words.get(index).and_then(|word| word.parse::<f64>().ok()).filter(|t| t.is_finite())
        };
        let Some(first) = words.first().filter(|word| EVENTS.contains(word)) else { return Ok(()) };
        self.has_events |= !["MSG", "INPUT", "BUTTON", "SAMPLES"].contains(first);
        if ["START", "SAMPLES"].contains(first) {
            self.declares_both = Some(words.contains(&"LEFT") && words.contains(&"RIGHT"));
        }
        let mut times = (None, None);
        match *first {
            "EBLINK" => {
                let (Some(start), Some(end)) = (time(2), time(3)) else {
                    return Err("EBLINK needs an eye, a start and an end; convert the EDF again".into());
                };
                self.blinks.push((start, end));
                times = (Some(start), Some(end));
            }
            "START" | "END" => times = (time(1), time(1)),
            "EFIX" | "ESACC" => times = (time(2), time(3)),
            _ => {}
        }
        if let (Some(from), Some(to)) = times {
            let (first, last) = self.span.unwrap_or((from, to));
            self.span = Some((first.min(from), last.max(to)));
        }
        Ok(())
    }

    /// Returns the samples, with both eyes combined. If there are no samples, returns the start and end of the
    /// events.
    fn samples<'a>(&mut self, file: &'a str) -> Result<Table<'a>> {
        self.join_blinks();
        let time = "eyelink time [ms]".to_owned();
        if self.times.is_empty() {
            let (first, last) = self.span.filter(|(first, last)| last > first).ok_or_else(|| {
                Error::new("the file has neither samples nor events; convert the EDF again").in_file(file)
            })?;
            return Ok(Table::of_columns(file, vec![(time, Column::Numbers(vec![first, last]))]));
        }
        let [left, right] = &self.eyes;
        // Samples of one eye may also contain velocities and resolutions, which are not a second eye.
        let has_both = self.declares_both.unwrap_or(2 * self.with_six > self.times.len());
        let eyes = if has_both { vec![left.clone(), right.clone()] } else { vec![left.clone()] };
        let Gaze { yaw_deg: x, pitch_deg: y } = combine_eyes(&eyes).unwrap_or_default();
        let columns = [(time, self.times.clone()), ("gaze x [px]".into(), x), ("gaze y [px]".into(), y)];
        Ok(Table::of_columns(file, columns.map(|(name, numbers)| (name, Column::Numbers(numbers))).into()))
    }

    /// Merges overlapping blinks of the two eyes.
    fn join_blinks(&mut self) {
        self.blinks.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.blinks.dedup_by(|next, kept| {
            let is_same = next.0 <= kept.1;
            if is_same {
                kept.1 = kept.1.max(next.1);
            }
            is_same
        });
    }
}
