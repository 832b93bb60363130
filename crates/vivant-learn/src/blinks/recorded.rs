//! The blinks of a recording as a device wrote it: which eyes to trust, and what to do without apertures.

use super::statistics::Statistics;
use super::{Event, Kind, Options, Zero, label_with_gaze, prepare};
use crate::recording::{Even, EvenOptions, Eye, Recording, Span, Unit};
use vivant_io::{Error, Result};

/// How a recording is labelled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settings {
    /// What the end of a blink is.
    pub end: super::End,
    /// Whose blinks; of both eyes, those that both do.
    pub eye: Eye,
    /// Samples a second that are labelled; by default the recording's own.
    pub rate_hz: Option<f64>,
}

/// A recording with its blinks.
#[derive(Clone, Debug, PartialEq)]
pub struct Labelled {
    /// In the order of time.
    pub events: Vec<Event>,
    /// What they are like as a whole.
    pub statistics: Statistics,
    /// Samples a second of what was labelled.
    pub rate_hz: f64,
    /// What was labelled, as shares of the open aperture; empty if only the device's own blinks are known.
    pub openness: Vec<f64>,
    /// What people should know of how it was done.
    pub notes: Vec<String>,
}

/// Only what a jitter of time stamps makes is filled in before the labels: what is missing for longer may be
/// the blink itself.
const FILLED_SECS: f64 = 0.034;
/// Both eyes blink. A dip of one eye that is not at least this share as deep in the other is a wink, or an eye
/// that was lost.
const CONJUGATE: f64 = 1.0 / 3.0;
/// An eye whose noise is so many times the other's, and more than this share of its aperture, is not used.
const NOISIER: f64 = 4.0;
const NOISY: f64 = 0.04;
/// The device's own blinks are long from here on, as are ours.
const LONG_SECS: f64 = 0.5;

/// Labels a recording.
///
/// # Errors
/// When it has neither apertures, of the eye that is asked for, nor blinks of the device's own.
pub fn label_recording(recording: &Recording, settings: &Settings) -> Result<Labelled> {
    if let Some(aperture) = &recording.aperture {
        let zero = if aperture.unit == Some(Unit::Microvolts) { Zero::Arbitrary } else { Zero::Shut };
        return from_apertures(recording, settings, zero);
    }
    match &recording.blinks {
        Some(blinks) => Ok(from_device(recording, blinks)),
        None => Err(Error::new(
            "has neither apertures nor blinks found by the device; give a recording with a column of apertures, \
             or a map that names the column",
        )
        .with_setting("ReadOptions::map")),
    }
}

fn from_apertures(recording: &Recording, settings: &Settings, zero: Zero) -> Result<Labelled> {
    let mut notes = Vec::new();
    // Neighbours at a low rate, whose time stamps jitter, are no gap.
    let max_gap_secs = FILLED_SECS.max(1.6 / recording.rate_hz().max(1.0));
    let even = |eye| recording.even(&EvenOptions { rate_hz: settings.rate_hz, max_gap_secs, eye });
    let sides = [Eye::Left, Eye::Right].map(even);
    let eye = trusted(&sides, settings.eye, &mut notes);
    let even = even(eye);
    let Some(openness) = even.openness.filter(|values| values.iter().any(|x| x.is_finite())) else {
        return Err(match settings.eye {
            Eye::Both => Error::new("no aperture of either eye is known"),
            eye => Error::new(format!("no aperture of the {} eye is known; label both eyes", name(eye)))
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

/// Which eye to label: the one that was asked for, or the better one if the other is all noise.
fn trusted(sides: &[Even; 2], wanted: Eye, notes: &mut Vec<String>) -> Eye {
    let noise = |side: &Even| side.openness.as_deref().map(prepare::noise);
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
        "only the {} eye is used: the other's noise is {:.0} % of its aperture",
        name(eye),
        bad * 100.0
    ));
    eye
}

fn drop_winks(events: &mut Vec<Event>, sides: &[Even; 2], rate_hz: f64, notes: &mut Vec<String>) {
    let [Some(left), Some(right)] = sides.each_ref().map(|side| side.openness.as_deref()) else { return };
    let before = events.len();
    events.retain(|event| match [left, right].map(|side| depth(side, event, rate_hz)) {
        [Some(a), Some(b)] => a.min(b) >= CONJUGATE * a.max(b),
        _ => true,
    });
    let count = before - events.len();
    if count > 0 {
        notes.push(format!(
            "{count} left out in which one eye hardly moved: a wink, or an eye that was lost; label the left or the \
             right eye alone to keep them"
        ));
    }
}

/// How far an eye comes down in an event; None if too little of it is known.
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
            "{unknown:.2} s are unknown: gaps beside lids that are low, or on their way, count as closed"
        ));
    }
}

/// The blinks that a device found: it does not say how far the lids went, nor when they were lowest.
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
    let is_sound = |span: &&Span| span.to_secs >= span.from_secs;
    blinks.iter().filter(is_sound).map(event).collect()
}

fn from_device(recording: &Recording, blinks: &[Span]) -> Labelled {
    let events = events_of_device(blinks);
    let seconds = recording.times.last().copied().unwrap_or(0.0);
    let notes = vec![
        "no aperture was recorded: these are the device's own blinks, and the apex is their middle"
            .to_owned(),
    ];
    Labelled {
        statistics: Statistics::of(&events, seconds),
        events,
        rate_hz: recording.even(&EvenOptions::default()).rate_hz,
        openness: Vec::new(),
        notes,
    }
}
