//! Labels blinks in an aperture signal (lid openness in any unit). Blinks are counted, plotted and learned from these
//! labels.
//!
//! The method is that of paper 3, section 3.3.1. It smooths the signal without phase shift and finds the minima. From
//! each minimum it searches in both directions for the first frame in which the lids are at rest and open. The paper
//! gives its thresholds in pixels and frames of one camera. Here they are in shares of the open aperture and in
//! seconds, so that the same rules work for millimetres at 120 Hz and eye aspect ratios at 30 Hz. [`literal`] is the
//! method exactly as in the paper, for distances in pixels at 300 fps.
//!
//! ```
//! use vivant::eyes::blink::Blink;
//! use vivant_learn::blinks::{Kind, Options, label};
//!
//! // Three seconds at 120 Hz, with one blink after one second.
//! let blink = Blink::new(40.0);
//! let openness: Vec<f64> = (0..360).map(|i| 1.0 - blink.closure(f64::from(i) / 120.0 - 1.0)).collect();
//! let events = label(&openness, 120.0, &Options::default());
//! assert_eq!(events.len(), 1);
//! assert_eq!(events[0].kind, Kind::Blink);
//! assert!((events[0].onset_secs - 1.0).abs() < 0.017);
//! ```
//!
//! The kinds of events:
//! - [`Kind::Blink`]: closes by two thirds or more and opens again within half a second;
//! - [`Kind::Partial`]: closes by less than two thirds and opens again within half a second;
//! - [`Kind::Long`]: the eyes stay closed for half a second or more;
//! - [`Kind::Squint`]: the lids stay lowered for half a second or more, but are not closed.
//!
//! Downward gaze also lowers the lids. Such events are recognized and left out.

mod classify;
mod ends;
mod gaps;
pub mod literal;
mod prepare;
pub mod recorded;
pub mod report;
pub mod statistics;
pub mod text;
mod valleys;

use prepare::Prepared;

/// Kind of a lid event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Closes by two thirds or more and opens again within half a second.
    Blink,
    /// Closes by less than two thirds and opens again within half a second.
    Partial,
    /// Closed for half a second or more.
    Long,
    /// Lowered for half a second or more, but not closed.
    Squint,
}

impl Kind {
    /// All kinds, the most common first.
    pub const ALL: [Self; 4] = [Self::Blink, Self::Partial, Self::Long, Self::Squint];

    /// Returns the name used in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Blink => "blink",
            Self::Partial => "partial",
            Self::Long => "long",
            Self::Squint => "squint",
        }
    }

    /// Returns true for full and partial blinks, which count for blink rates and models.
    #[must_use]
    pub fn is_brief(self) -> bool {
        matches!(self, Self::Blink | Self::Partial)
    }
}

/// One closing and opening of the lids. Times are in seconds from the first sample.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Event {
    /// Start of the closing phase.
    pub onset_secs: f64,
    /// Time of the lowest point. If the lids rest at the lowest point, this is the middle of their last rest.
    pub apex_secs: f64,
    /// End of the opening phase.
    pub offset_secs: f64,
    /// Kind of the event.
    pub kind: Kind,
    /// Duration of the closing phase: from onset to 90 % of the amplitude.
    pub closing_secs: f64,
    /// Duration of the opening phase: from the last time at 90 % of the amplitude to the offset.
    pub opening_secs: f64,
    /// Amplitude: aperture at the onset minus smallest aperture, in the unit of the input.
    pub amplitude: f64,
    /// Closure at the apex: 0 is open, 1 is fully closed.
    pub completeness: f64,
    /// Peak closing velocity, in the unit of the input per second.
    pub peak_closing_per_s: f64,
    /// Peak opening velocity, in the unit of the input per second.
    pub peak_opening_per_s: f64,
}

impl Event {
    /// Returns the duration from onset to offset in seconds.
    #[must_use]
    pub fn duration_secs(&self) -> f64 {
        self.offset_secs - self.onset_secs
    }
}

/// Definition of the end of a blink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// The lids are at rest and open again (paper 3, section 3.3.1).
    #[default]
    Gradient,
    /// The lids have opened by 95 % (VanderWerf et al. 2003, as cited by paper 3).
    VanderWerf95,
}

/// Meaning of the value 0 in an aperture signal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zero {
    /// The lids are closed. This holds for apertures in millimetres, degrees or shares, and approximately for eye
    /// aspect ratios.
    #[default]
    Shut,
    /// No fixed meaning, as in an electro-oculogram, which drifts. The usual value around a blink counts as open, and
    /// the lowest values of deep blinks count as closed.
    Arbitrary,
}

/// Options for labelling.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Definition of the end of a blink.
    pub end: End,
    /// Meaning of the value 0.
    pub zero: Zero,
}

/// Returns the blinks, long closures and squints in an aperture signal; unknown samples are NaN.
///
/// The signal can be in any unit as long as larger values mean a more open eye. Returns an empty list if the signal is
/// empty, constant or all NaN, or if the rate is not positive and finite.
#[must_use]
pub fn label(openness: &[f64], rate_hz: f64, options: &Options) -> Vec<Event> {
    label_with_gaze(openness, &[], rate_hz, options)
}

/// Does the same as [`label`], with the vertical gaze (up, in degrees) for each sample. Lids that are lowered together
/// with the gaze are not labelled as a squint. An empty slice means that the gaze is unknown.
#[must_use]
pub fn label_with_gaze(openness: &[f64], pitch_deg: &[f64], rate_hz: f64, options: &Options) -> Vec<Event> {
    let Some(prepared) = Prepared::new(openness, rate_hz, options.zero) else { return Vec::new() };
    let shut = classify::shut_level(&prepared);
    let mut events = Vec::new();
    for segment in &prepared.segments {
        let found = classify::find_events(&prepared, segment.clone(), pitch_deg, shut);
        events.extend(ends::events(&prepared, segment, &found, shut, options.end));
    }
    events
}

#[cfg(test)]
mod tests;
