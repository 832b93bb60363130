//! Recordings of eyes, as devices write them, as one thing: how open each eye is, where both look, and when.
//!
//! Every tracker has columns, units and clocks of its own. A [`ColumnMap`] says which column is what; the devices that
//! are known are maps too ([`devices`]), found by what a file's header says. What is not known is NaN, and stays
//! so: [`Recording::even`] fills gaps up to a time that is stated, and no longer ones.
//!
//! ```
//! use vivant_learn::recording::{EvenOptions, ReadOptions, Source, read};
//! let text = "time [ms],openness left,openness right\n0,1.0,0.9\n10,0.5,\n20,1.0,0.9\n";
//! let source = Source { name: "mine.csv".into(), bytes: text.into() };
//! let (recording, warnings) = read(&[source], &ReadOptions::default())?;
//! assert_eq!(recording.times, [0.0, 0.01, 0.02]);
//! let even = recording.even(&EvenOptions::default());
//! assert_eq!((even.rate_hz, even.openness.unwrap()[1]), (100.0, 0.5));
//! # Ok::<(), vivant_io::Error>(())
//! ```

mod arrays;
mod c3d;
mod cells;
mod clock;
mod columnar;
mod eog;
mod even;
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
mod samples;
mod table;
#[cfg(test)]
mod tests;
mod times;
mod trc;
mod units;

pub use even::{Even, EvenOptions, Eye};
pub use find::{companions, in_folder};
pub(crate) use gaze::unwound;
pub use map::ColumnMap;
pub use presets::devices;
pub use quality::{Channel, Quality};
pub use times::Timing;
pub use units::Unit;

use vivant_io::{Error, Result, Warning};

/// How open the eyes are, sample by sample; empty where an eye was not recorded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Aperture {
    /// What it is measured in.
    pub unit: Option<Unit>,
    /// The person's left eye; also what a device says of both eyes at once.
    pub left: Vec<f64>,
    /// The person's right eye.
    pub right: Vec<f64>,
}

/// Where both eyes together look in the head, sample by sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gaze {
    /// To the person's left.
    pub yaw_deg: Vec<f64>,
    /// Up.
    pub pitch_deg: Vec<f64>,
}

/// From when to when, in seconds of the recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Its begin.
    pub from_secs: f64,
    /// Its end.
    pub to_secs: f64,
}

/// How the head turned, by a sensor with a clock of its own, in the sensor's own axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imu {
    /// When each sample was taken, in seconds of the recording.
    pub times: Vec<f64>,
    /// How fast it turned about each axis.
    pub turn_deg_per_s: Vec<[f64; 3]>,
}

/// What one recording holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// The file's name, for people.
    pub name: String,
    /// Which kind of device wrote it, one of [`devices`].
    pub device: String,
    /// When each sample was taken, in seconds from the first; it only grows.
    pub times: Vec<f64>,
    /// How open the eyes are, if the device measures it.
    pub aperture: Option<Aperture>,
    /// Where the eyes look, if the device measures it and what it says can be made degrees.
    pub gaze: Option<Gaze>,
    /// Where the left and the right eye look, if the device tells them apart.
    pub eyes: Option<[Gaze; 2]>,
    /// How the head is turned in the world, if the device measures it: to its left and up.
    pub head: Option<Gaze>,
    /// Whether somebody is looked at, sample by sample: 1 if so, 0 if not, NaN where that is not known.
    pub looks: Option<Vec<f64>>,
    /// The blinks that the device itself found.
    pub blinks: Option<Vec<Span>>,
    /// How the head turned, if the device measures it.
    pub imu: Option<Imu>,
    /// What was found about the time stamps.
    pub timing: Timing,
}

/// A file that was read by whoever may read files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// Its name, without the folder.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// What the files do not say, or say wrongly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadOptions {
    /// The kind of device, one of [`devices`]; found from the files by default.
    pub device: Option<String>,
    /// Which column is what; instead of a device.
    pub map: Option<ColumnMap>,
    /// Samples a second, where the file has no time stamps.
    pub rate_hz: Option<f64>,
}

/// Reads one recording: the file that was asked for first, then those that belong to it
/// ([`companions`]). What had to be guessed or left out is told.
///
/// # Errors
/// When no known kind fits, when what the map names is not there, or when a file is malformed; with the
/// file's name, the place and the fix.
pub fn read(sources: &[Source], options: &ReadOptions) -> Result<(Recording, Vec<Warning>)> {
    let mut warnings = Vec::new();
    let Some(first) = sources.first() else {
        return Err(Error::new("no file was given"));
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
    /// A recording of samples that are in memory, with what apertures and gaze are at the times; what is not known is
    /// NaN.
    ///
    /// # Errors
    /// If there are fewer than two samples, if a channel has another number of them, or if the time is not known, goes
    /// back, or is not that of eyes.
    pub fn of_samples(
        name: &str,
        times: Vec<f64>,
        aperture: Option<Aperture>,
        gaze: Option<Gaze>,
    ) -> Result<Self> {
        arrays::recording(times, aperture, gaze)
            .map(|recording| Self { name: name.to_owned(), ..recording })
            .map_err(|error| error.in_file(name))
    }

    /// How long it is, from the first sample to the last.
    #[must_use]
    pub fn duration_secs(&self) -> f64 {
        self.times.last().copied().unwrap_or(0.0)
    }

    /// Samples a second: a usual rate if the time stamps are within half a per cent of one.
    #[must_use]
    pub fn rate_hz(&self) -> f64 {
        times::rate_hz(&self.times)
    }
}
