//! Reads eye-tracker recordings of many devices into one format: aperture of each eye, gaze of both eyes, and times.
//!
//! Every tracker has its own columns, units and clock. A [`ColumnMap`] assigns a meaning and a unit to each column.
//! Known devices have built-in maps ([`devices`]), selected by the header of the file. Unknown samples are NaN and
//! stay unknown: [`Recording::resample`] fills only gaps up to a given duration.
//!
//! ```
//! use vivant_learn::recording::{ResampleOptions, ReadOptions, Source, read};
//! let text = "time [ms],openness left,openness right\n0,1.0,0.9\n10,0.5,\n20,1.0,0.9\n";
//! let source = Source { name: "mine.csv".into(), bytes: text.into() };
//! let (recording, warnings) = read(&[source], &ReadOptions::default())?;
//! assert_eq!(recording.times, [0.0, 0.01, 0.02]);
//! let even = recording.resample(&ResampleOptions::default());
//! assert_eq!((even.rate_hz, even.openness.unwrap()[1]), (100.0, 0.5));
//! # Ok::<(), vivant_io::Error>(())
//! ```

mod arrays;
mod c3d;
mod cells;
mod clock;
mod columnar;
mod eog;
mod eyelink;
mod find;
mod gaze;
mod glasses;
mod gz;
mod limits;
mod map;
mod markers;
mod neon;
mod npy;
mod open;
mod plan;
mod presets;
mod quality;
mod resample;
mod samples;
mod table;
#[cfg(test)]
mod tests;
mod times;
mod trc;
mod units;

pub use find::{companions, in_folder};
pub(crate) use gaze::unwrap_yaw;
pub use map::ColumnMap;
pub use presets::devices;
pub use quality::{Channel, Quality};
pub use resample::{Eye, ResampleOptions, Resampled};
pub use times::Timing;
pub use units::Unit;

use vivant_io::{Error, Result, Warning};

/// Aperture of each eye, sample by sample; empty for an eye that was not recorded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Aperture {
    /// Unit of the values; `None` if unknown.
    pub unit: Option<Unit>,
    /// The person's left eye; also values that a device reports for both eyes together.
    pub left: Vec<f64>,
    /// The person's right eye.
    pub right: Vec<f64>,
}

/// Gaze of both eyes in head space, sample by sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gaze {
    /// Yaw to the person's left, in degrees.
    pub yaw_deg: Vec<f64>,
    /// Pitch up, in degrees.
    pub pitch_deg: Vec<f64>,
}

/// A time interval in seconds of the recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Start in seconds.
    pub from_secs: f64,
    /// End in seconds.
    pub to_secs: f64,
}

/// Head rotation from a sensor with its own clock, in the axes of the sensor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imu {
    /// Time of each sample in seconds of the recording.
    pub times: Vec<f64>,
    /// Angular velocity about each axis, in degrees per second.
    pub turn_deg_per_s: Vec<[f64; 3]>,
}

/// A recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// File name, for messages.
    pub name: String,
    /// Kind of device, one of [`devices`].
    pub device: String,
    /// Time of each sample in seconds from the first; strictly increasing.
    pub times: Vec<f64>,
    /// Aperture of each eye, if recorded.
    pub aperture: Option<Aperture>,
    /// Gaze, if recorded and convertible to degrees.
    pub gaze: Option<Gaze>,
    /// Gaze of the left and the right eye, if recorded separately.
    pub eyes: Option<[Gaze; 2]>,
    /// Head direction in the world, if recorded: yaw to the person's left and pitch up, in degrees.
    pub head: Option<Gaze>,
    /// Gaze at the conversation partner in each sample: 1 for yes, 0 for no, NaN for unknown.
    pub looks: Option<Vec<f64>>,
    /// Blinks reported by the device.
    pub blinks: Option<Vec<Span>>,
    /// Head rotation, if recorded.
    pub imu: Option<Imu>,
    /// Quality of the timestamps.
    pub timing: Timing,
}

/// A file in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// File name without folder.
    pub name: String,
    /// Contents.
    pub bytes: Vec<u8>,
}

/// Settings for data that are missing or wrong in the files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadOptions {
    /// Kind of device, one of [`devices`]; detected from the files by default.
    pub device: Option<String>,
    /// Column map that is used instead of the map of a known device.
    pub map: Option<ColumnMap>,
    /// Sampling rate in hertz for files without timestamps.
    pub rate_hz: Option<f64>,
}

/// Reads one recording: the main file first, then its companions ([`companions`]). Also returns warnings about
/// guessed and ignored data.
///
/// # Errors
/// Returns an error with file name, place and fix if no known device matches, if columns of the map are missing, or
/// if a file is malformed.
pub fn read(sources: &[Source], options: &ReadOptions) -> Result<(Recording, Vec<Warning>)> {
    let mut warnings = Vec::new();
    let Some(first) = sources.first() else {
        return Err(Error::new("no file given; give the files of a recording"));
    };
    limits::check_sources(sources)?;
    let mut recording = open::read(sources, options, &mut warnings)?;
    limits::check_steps(recording.duration_secs(), recording.rate_hz())
        .map_err(|error| error.in_file(&first.name))?;
    recording.name.clone_from(&first.name);
    for warning in &mut warnings {
        if !sources.iter().any(|source| warning.place.starts_with(&source.name)) {
            warning.place = format!("{}: {}", first.name, warning.place);
        }
    }
    Ok((recording, warnings))
}

impl Recording {
    /// Creates a recording from samples in memory; unknown values are NaN.
    ///
    /// # Errors
    /// Returns an error if there are fewer than two samples, if channels differ in length, or if times are unknown,
    /// decrease, or have an unsupported rate.
    pub fn from_samples(
        name: &str,
        times: Vec<f64>,
        aperture: Option<Aperture>,
        gaze: Option<Gaze>,
    ) -> Result<Self> {
        arrays::recording(times, aperture, gaze)
            .map(|recording| Self { name: name.to_owned(), ..recording })
            .map_err(|error| error.in_file(name))
    }

    /// Returns the time from the first sample to the last, in seconds.
    #[must_use]
    pub fn duration_secs(&self) -> f64 {
        self.times.last().copied().unwrap_or(0.0)
    }

    /// Returns the sampling rate in hertz. If it is within 0.5 % of a common rate, returns the common rate.
    #[must_use]
    pub fn rate_hz(&self) -> f64 {
        times::rate_hz(&self.times)
    }
}
