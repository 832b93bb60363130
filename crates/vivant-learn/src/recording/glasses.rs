//! Reads Tobii Glasses 3: one line of JSON per sample.

use super::Source;
use super::cells::Column;
use super::limits::MAX_SAMPLES;
use super::table::Table;
use serde::Deserialize;
use vivant_io::limits::within;
use vivant_io::{Error, Result};

/// A line of `gazedata` or `imudata`. Unknown values are missing; `data` may be empty.
#[derive(Deserialize)]
struct Line {
    #[serde(rename = "type")]
    kind: String,
    timestamp: f64,
    #[serde(default)]
    data: Data,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Data {
    eyeleft: Option<Eye>,
    eyeright: Option<Eye>,
    gyroscope: Option<[f64; 3]>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Eye {
    gazedirection: Option<[f64; 3]>,
}

/// Returns true if a file is from Tobii Glasses 3.
pub(super) fn is_glasses(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(400)]);
    let head = head.trim_start();
    head.starts_with('{') && head.contains("\"type\"") && head.contains("\"timestamp\"")
}

/// Reads the samples of a file: eyes or head rotation.
pub(super) fn table(source: &Source) -> Result<Table<'_>> {
    let lines = source.bytes.split(|byte| *byte == b'\n').enumerate();
    let lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    let mut table = Columns::default();
    for (index, line) in lines {
        let line: Line = serde_json::from_slice(line).map_err(|error| {
            let message =
                format!("the line is not a sample: {error}; copy the recording again, or delete the line");
            Error::at(format!("line {}", index + 1), message).in_file(&source.name)
        })?;
        table.push(&line);
        within("file", "samples", table.gaze[0].len().max(table.turn[0].len()), MAX_SAMPLES)
            .map_err(|error| error.in_file(&source.name))?;
    }
    Ok(Table::of_columns(&source.name, table.named()))
}

/// Columns of the samples: time and three numbers per eye, and time and three numbers of the gyroscope.
#[derive(Default)]
struct Columns {
    gaze: [Vec<f64>; 7],
    turn: [Vec<f64>; 4],
}

impl Columns {
    fn push(&mut self, line: &Line) {
        let unknown = [f64::NAN; 3];
        let of = |eye: &Option<Eye>| eye.as_ref().and_then(|eye| eye.gazedirection).unwrap_or(unknown);
        match line.kind.as_str() {
            "gaze" => {
                let eyes = of(&line.data.eyeleft).into_iter().chain(of(&line.data.eyeright));
                let numbers = std::iter::once(line.timestamp).chain(eyes);
                self.gaze.iter_mut().zip(numbers).for_each(|(column, number)| column.push(number));
            }
            "imu" => {
                // The magnetometer has separate lines.
                let Some(turn) = line.data.gyroscope else { return };
                let numbers = std::iter::once(line.timestamp).chain(turn);
                self.turn.iter_mut().zip(numbers).for_each(|(column, number)| column.push(number));
            }
            _ => {}
        }
    }

    fn named(self) -> Vec<(String, Column)> {
        let gaze = [
            "glasses timestamp [s]",
            "eyeleft.x",
            "eyeleft.y",
            "eyeleft.z",
            "eyeright.x",
            "eyeright.y",
            "eyeright.z",
        ];
        let turn = ["imu timestamp [s]", "gyroscope.x", "gyroscope.y", "gyroscope.z"];
        let name = |name: &str, column| (name.to_owned(), Column::Numbers(column));
        let is_turn = self.gaze[0].is_empty();
        if is_turn {
            return turn.into_iter().zip(self.turn).map(|(n, column)| name(n, column)).collect();
        }
        gaze.into_iter().zip(self.gaze).map(|(n, column)| name(n, column)).collect()
    }
}
