//! Traces of eye, lid and head movements as numbers, for comparison with the papers.
//!
//! ```
//! use vivant::eyes::saccade::{MainSequence, Saccade};
//! let saccade = Saccade { amplitude_deg: 10.0, main_sequence: MainSequence::Collewijn };
//! let table = vivant_host::trace::saccade(&saccade, 1000.0)?;
//! assert_eq!(table.columns[1], "eye_left_yaw");
//! assert_eq!(table.rows().last().map(|row| row[1]), Some(10.0));
//! # Ok::<(), vivant_io::Error>(())
//! ```

mod blink;
mod gaze;
mod movements;
mod table;
#[cfg(test)]
mod tests;
mod texture;

pub use blink::{BlinkShape, OneBlink};
pub use gaze::{COLUMNS, GazeShift, IDLE_COLUMNS, IdleEyes, Person};
pub use movements::{LidShape, lid_saccade, saccade};
pub use table::Table;
pub use texture::{Side, TextureEyes};

use vivant_io::{Error, Result};

/// Default sampling rate in Hz.
pub const RATE_HZ: f64 = 1000.0;

/// Checks that a parameter is within its range.
fn within(name: &str, number: f64, least: f64, most: f64, unit: &str) -> Result<()> {
    if (least..=most).contains(&number) {
        return Ok(());
    }
    let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    Err(Error::at(name, format!("{number} is out of range; give {least} to {most}{unit}")))
}

fn rate_hz(rate: f64) -> Result<()> {
    within("rate", rate, 1.0, 1e6, "samples per second")
}
