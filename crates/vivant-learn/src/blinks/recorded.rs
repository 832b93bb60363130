//! Labels the blinks of a device recording: selects the eyes to use, and falls back to the device's own blinks.
//!
//! [`label`](super::label) takes one clean signal, but a recording has two eyes, gaps, noise and its own units.
//! [`label_recording`] prepares it: it resamples the apertures, ignores an eye that is much noisier than the other,
//! and drops winks. [`Labelled::notes`] lists these decisions. Times are in seconds.

use super::statistics::Statistics;
use super::{Event, Kind, Options, Zero, label_with_gaze, prepare};
use crate::recording::{Eye, Recording, ResampleOptions, Resampled, Span, Unit};
use vivant_io::{Error, Result};

/// Settings for labelling a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settings {
    /// Definition of the end of a blink.
    pub end: super::End,
    /// The eye to label. If both eyes are labelled, only blinks of both eyes count.
    pub eye: Eye,
    /// Sampling rate for labelling in hertz; by default the rate of the recording.
    pub rate_hz: Option<f64>,
}

/// A recording with its blinks.
#[derive(Clone, Debug, PartialEq)]
pub struct Labelled {
    /// Events in order of time.
    pub events: Vec<Event>,
    /// Statistics of the events.
    pub statistics: Statistics,
    /// Sampling rate of the labelled signal.
    pub rate_hz: f64,
    /// The labelled signal in shares of the open aperture; empty if only the device's own blinks are known.
    pub openness: Vec<f64>,
    /// Notes for the user about how the recording was labelled.
    pub notes: Vec<String>,
}

/// Longest gap that is filled before labelling. Such gaps come from timestamp jitter; a longer gap may be the blink
/// itself.
const FILLED_SECS: f64 = 0.034;
/// Minimum closure of the other eye in a blink, as a share of the closure of the blinking eye. Below it, the event is a
/// wink, or the tracker lost the eye.
const CONJUGATE: f64 = 1.0 / 3.0;
/// Ratio of the noise of an eye to the noise of the other eye above which the eye is ignored, if its noise is also
/// above [`NOISY`] (a share of its aperture).
const NOISIER: f64 = 4.0;
const NOISY: f64 = 0.04;
/// Minimum duration of a long closure reported by the device; the same as in our own labels.
const LONG_SECS: f64 = 0.5;

/// Labels a recording.
///
/// # Errors
/// Returns an error if there are neither apertures of the requested eye nor blinks reported by the device.
pub fn label_recording(recording: &Recording, settings: &Settings) -> Result<Labelled> {
    if let Some(aperture) = &recording.aperture {
        let zero = if aperture.unit == Some(Unit::Microvolts) { Zero::Arbitrary } else { Zero::Shut };
        return from_apertures(recording, settings, zero);
    }
    match &recording.blinks {
        Some(blinks) => Ok(from_device(recording, blinks)),
        None => Err(Error::new(
            "the recording has neither apertures nor blinks reported by the device; use a recording with an aperture column, \
             or a map that names the column",
        )
        .with_setting("ReadOptions::map")),
    }
}

fn from_apertures(recording: &Recording, settings: &Settings, zero: Zero) -> Result<Labelled> {
    let mut notes = Vec::new();
    // At a low sampling rate, neighbouring samples with timestamp jitter are not a gap.
    let max_gap_secs = FILLED_SECS.max(1.6 / recording.rate_hz().max(1.0));
    let even = |eye| recording.resample(&ResampleOptions { rate_hz: settings.rate_hz, max_gap_secs, eye });
    let sides = [Eye::Left, Eye::Right].map(even);
    let eye = select_eye(&sides, settings.eye, &mut notes);
    let even = even(eye);
    let Some(openness) = even.openness.filter(|values| values.iter().any(|x| x.is_finite())) else {
        return Err(match settings.eye {
            Eye::Both => Error::new("no aperture of either eye was recorded; use a recording with apertures"),
            eye => Error::new(format!("no aperture of the {} eye was recorded; label both eyes", name(eye)))
                .with_setting("blinks::Settings::eye"),
        });
    };
    let options = Options { end: settings.end, zero };
    let pitch = even.gaze.map_or_else(Vec::new, |gaze| gaze.pitch_deg);
    let mut events = label_with_gaze(&openness, &pitch, even.rate_hz, &options);
    if eye == Eye::Both {
        drop_winks(&mut events, &sides, even.rate_hz, &mut notes);
    }
    let known = openness.iter().filter(|x| x.is_finite()).count() as f64 / even.rate_hz;
    note_unknown(&openness, even.rate_hz, &mut notes);
    let statistics = Statistics::of(&events, known);
    Ok(Labelled { events, statistics, rate_hz: even.rate_hz, openness, notes })
}

fn name(eye: Eye) -> &'static str {
    match eye {
        Eye::Both => "both",
        Eye::Left => "left",
        Eye::Right => "right",
    }
}

/// Returns the eye to label: the requested one, or the better one if the other is too noisy.
fn select_eye(sides: &[Resampled; 2], wanted: Eye, notes: &mut Vec<String>) -> Eye {
    let noise = |side: &Resampled| side.openness.as_deref().map(prepare::noise);
    let (Eye::Both, Some(left), Some(right)) = (wanted, noise(&sides[0]), noise(&sides[1])) else {
        return wanted;
    };
    let is_bad = |noise: f64, other: f64| noise > NOISY && noise > NOISIER * other;
    let (eye, bad) = match () {
        () if is_bad(left, right) => (Eye::Right, left),
        () if is_bad(right, left) => (Eye::Left, right),
        () => return Eye::Both,
    };
    notes.push(format!(
        "only the {} eye is used: the noise of the other eye is {:.0} % of its aperture",
        name(eye),
        bad * 100.0
    ));
    eye
}

fn drop_winks(events: &mut Vec<Event>, sides: &[Resampled; 2], rate_hz: f64, notes: &mut Vec<String>) {
    let [Some(left), Some(right)] = sides.each_ref().map(|side| side.openness.as_deref()) else { return };
    let before = events.len();
    events.retain(|event| match [left, right].map(|side| depth(side, event, rate_hz)) {
        [Some(a), Some(b)] => a.min(b) >= CONJUGATE * a.max(b),
        _ => true,
    });
    let count = before - events.len();
    if count > 0 {
        notes.push(format!(
            "events ignored because one eye hardly moved (a wink, or a lost eye): {count}; label only the left or only the \
             right eye to keep them"
        ));
    }
}

/// Returns how far an eye closes in an event; `None` if too little of it is known.
fn depth(side: &[f64], event: &Event, rate_hz: f64) -> Option<f64> {
    let at = |secs: f64| ((secs * rate_hz).round().max(0.0) as usize).min(side.len());
    let (onset, offset) = (at(event.onset_secs), at(event.offset_secs) + 1);
    let part = &side[onset..offset.min(side.len())];
    let known: Vec<f64> = part.iter().copied().filter(|x| x.is_finite()).collect();
    let means = known.windows(3).map(|w| w.iter().sum::<f64>() / 3.0);
    let (low, high) =
        means.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    (2 * known.len() > part.len() && high >= low).then_some(high - low)
}

fn note_unknown(openness: &[f64], rate_hz: f64, notes: &mut Vec<String>) {
    let unknown = openness.iter().filter(|x| x.is_nan()).count() as f64 / rate_hz;
    if unknown > 0.0 {
        notes.push(format!(
            "the aperture is unknown for {unknown:.2} s; gaps next to low, closing or opening lids count as closed"
        ));
    }
}

/// Converts the blinks reported by a device; amplitude and apex are unknown.
pub(crate) fn events_of_device(blinks: &[Span]) -> Vec<Event> {
    let event = |span: &Span| {
        let unknown = f64::NAN;
        let kind = if span.to_secs - span.from_secs < LONG_SECS { Kind::Blink } else { Kind::Long };
        Event {
            onset_secs: span.from_secs,
            apex_secs: 0.5 * (span.from_secs + span.to_secs),
            offset_secs: span.to_secs,
            kind,
            closing_secs: unknown,
            opening_secs: unknown,
            amplitude: unknown,
            completeness: unknown,
            peak_closing_per_s: unknown,
            peak_opening_per_s: unknown,
        }
    };
    let is_valid = |span: &&Span| span.to_secs >= span.from_secs;
    blinks.iter().filter(is_valid).map(event).collect()
}

fn from_device(recording: &Recording, blinks: &[Span]) -> Labelled {
    let events = events_of_device(blinks);
    let seconds = recording.times.last().copied().unwrap_or(0.0);
    let notes = vec![
        "no aperture was recorded: these are the device's own blinks, with the apex set to their middle"
            .to_owned(),
    ];
    Labelled {
        statistics: Statistics::of(&events, seconds),
        events,
        rate_hz: recording.resample(&ResampleOptions::default()).rate_hz,
        openness: Vec::new(),
        notes,
    }
}
