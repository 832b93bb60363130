//! When eyes blink, from how open they were: the labels from which blinks are counted, drawn and learned.
//!
//! The method is the paper's (paper 3, section 3.3.1): smooth without shifting, find where the eyes are most
//! closed, and from there walk outwards to the first frame at which the lids rest and are open. The paper's
//! numbers are pixels and frames of one camera; here they are shares of the eye's own open aperture, and
//! seconds, so that the same rule serves millimetres at 120 Hz and aspect ratios at 30. [`literal`] is the
//! paper's own form, for distances in pixels at 300 frames a second.
//!
//! ```
//! use vivant::eyes::blink::Blink;
//! use vivant_learn::blinks::{Kind, Options, label};
//!
//! // Three seconds at 120 Hz, with one blink after a second.
//! let blink = Blink::new(40.0);
//! let openness: Vec<f64> = (0..360).map(|i| 1.0 - blink.closure(f64::from(i) / 120.0 - 1.0)).collect();
//! let events = label(&openness, 120.0, &Options::default());
//! assert_eq!(events.len(), 1);
//! assert_eq!(events[0].kind, Kind::Blink);
//! assert!((events[0].onset_secs - 1.0).abs() < 0.017);
//! ```
//!
//! Told apart are
//! - [`Kind::Blink`]: down and up again within half a second, by two thirds of the way to shut or more;
//! - [`Kind::Partial`]: the same, by less;
//! - [`Kind::Long`]: the eyes stay shut for half a second or more;
//! - [`Kind::Squint`]: the lids stay lowered as long, but are not shut;
//! - and glances downwards, which lower the lids too and are none of these: they are left out.

mod ends;
mod gaps;
mod judge;
pub mod literal;
mod prepare;
pub mod recorded;
pub mod report;
pub mod statistics;
pub mod text;
mod valleys;

use prepare::Prepared;

/// What the lids did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Down and up again within half a second, by two thirds of the way to shut or more.
    Blink,
    /// The same, by less.
    Partial,
    /// Shut for half a second or more.
    Long,
    /// Lowered for as long, and not shut.
    Squint,
}

impl Kind {
    /// All kinds, the most usual first.
    pub const ALL: [Self; 4] = [Self::Blink, Self::Partial, Self::Long, Self::Squint];

    /// As it is written in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Blink => "blink",
            Self::Partial => "partial",
            Self::Long => "long",
            Self::Squint => "squint",
        }
    }

    /// Whether it comes and goes as blinks do: these are counted in rates and learned from.
    #[must_use]
    pub fn is_brief(self) -> bool {
        matches!(self, Self::Blink | Self::Partial)
    }
}

/// One closing and opening of the lids. Times are in seconds from the first sample, openness is in the unit
/// that was given.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Event {
    /// When the lids begin to close.
    pub onset_secs: f64,
    /// When they are lowest; if they rest there, the middle of the last rest.
    pub apex_secs: f64,
    /// When they have opened.
    pub offset_secs: f64,
    /// What it is.
    pub kind: Kind,
    /// From the onset until nine tenths of the way down are done.
    pub closing_secs: f64,
    /// From the last time that the lids were so low until the offset.
    pub opening_secs: f64,
    /// How far the lids came down, from where they were at the onset.
    pub amplitude: f64,
    /// The share of the way from open to shut that was done at the apex.
    pub completeness: f64,
    /// The greatest speed downwards.
    pub peak_closing_per_s: f64,
    /// The greatest speed upwards.
    pub peak_opening_per_s: f64,
}

impl Event {
    /// From onset to offset.
    #[must_use]
    pub fn duration_secs(&self) -> f64 {
        self.offset_secs - self.onset_secs
    }
}

/// What the end of a blink is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// The lids rest, and are open again (paper 3, section 3.3.1).
    #[default]
    Gradient,
    /// 95 % of the way up are done (VanderWerf et al. 2003, as paper 3 cites it).
    VanderWerf95,
}

/// Whether 0 is shut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zero {
    /// As of lids in millimetres, degrees or shares, and nearly so of eye aspect ratios.
    #[default]
    Shut,
    /// As of an electro-oculogram, which drifts: open is what is usual around a blink, shut is where the
    /// recording's deep blinks end.
    Arbitrary,
}

/// How blinks are labelled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// What the end of a blink is.
    pub end: End,
    /// Whether 0 is shut.
    pub zero: Zero,
}

/// The blinks, long closures and squints in how open an eye is, sample by sample; NaN is unknown.
///
/// Any unit will do in which more is more open. Nothing is found in what is empty, constant or unknown, nor
/// if the rate is no positive number.
#[must_use]
pub fn label(openness: &[f64], rate_hz: f64, options: &Options) -> Vec<Event> {
    label_with_gaze(openness, &[], rate_hz, options)
}

/// As [`label`], with where the eyes look, upwards in degrees, sample by sample: lids that are lowered while
/// the gaze is, are a glance and no squint. An empty slice says that it is not known.
#[must_use]
pub fn label_with_gaze(openness: &[f64], pitch_deg: &[f64], rate_hz: f64, options: &Options) -> Vec<Event> {
    let Some(prepared) = Prepared::new(openness, rate_hz, options.zero) else { return Vec::new() };
    let shut = judge::shut_level(&prepared);
    let mut events = Vec::new();
    for segment in &prepared.segments {
        let found = judge::found(&prepared, segment.clone(), pitch_deg, shut);
        events.extend(ends::events(&prepared, segment, &found, shut, options.end));
    }
    events
}

#[cfg(test)]
mod tests;
