//! Mirrors a person in a film or a motion capture: finds the actions of the person and the responses of a character.
//!
//! This is the offline form of [`Mirror`](crate::Mirror). With it, responses can be tested and tuned on files,
//! without a camera. [`people`] reads landmarks or a VMC capture, [`watch`] returns the recognized actions and the
//! intents of the character, and [`stances`] returns the stance in each frame. Films must first be converted with
//! [`landmarks`]. Times are in seconds.

mod film;

use crate::disk;
pub use film::landmarks;
use serde::{Serialize, Serializer};
use std::path::Path;
use vivant::body::Side;
use vivant::body::library::Library;
use vivant::intent::Intent;
use vivant::mimicry::{HandShape, Mimic, Person, PersonAction, View};
use vivant::rig::Rig;
use vivant_io::json::intents;
use vivant_io::vmc::{capture, person};
use vivant_io::{Error, Result};
use vivant_learn::landmarks as marks;

/// Time after the last frame in which responses are collected, in seconds.
const AFTERWARDS_SECS: f64 = 60.0;

/// Returns true if a file has the extension of a file with landmarks or a capture. Such a file does not need
/// MediaPipe.
#[must_use]
pub fn is_text(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    matches!(ending.as_str(), "csv" | "tsv" | "txt" | "json" | "jsonl" | "ndjson")
}

/// Reads a file of landmarks or a VMC capture. `fps` is the frame rate of landmarks without times.
///
/// # Errors
/// If the file cannot be read, or contains no frames.
pub fn read(path: &Path, rig: &Rig, fps: f64) -> Result<Vec<Person>> {
    people(&path.display().to_string(), &disk::read(path)?, rig, fps)
}

/// Reads landmarks or a VMC capture. `fps` is the frame rate of landmarks without times.
///
/// # Errors
/// If the data is neither landmarks nor a capture, or contains no frames.
pub fn people(name: &str, bytes: &[u8], rig: &Rig, fps: f64) -> Result<Vec<Person>> {
    let is_capture = bytes.split(|byte| *byte == b'\n').next().is_some_and(is_capture);
    let people: Vec<Person> = if is_capture {
        let frames = capture::read(bytes).map_err(|error| error.in_file(name))?;
        frames.iter().map(|frame| person(rig, frame, frame.secs)).collect()
    } else {
        marks::read(name, bytes, fps)?.iter().map(|sighting| sighting.person(sighting.time)).collect()
    };
    if people.is_empty() {
        return Err(Error::new(format!("{name}: contains no frames; choose a file with landmarks")));
    }
    Ok(people)
}

/// Returns true if a line is part of a VMC capture.
fn is_capture(line: &[u8]) -> bool {
    let value = serde_json::from_slice::<serde_json::Value>(line).unwrap_or_default();
    value.get("rotations").is_some()
}

/// The actions of a person, and the responses to them; serialised as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct MimicReport {
    /// The number of frames.
    pub pictures: usize,
    /// The time from the first frame to the last, in seconds.
    pub seconds: f64,
    /// The number of frames in which the person was visible, fully or partly.
    pub seen: usize,
    /// The actions of the person.
    #[serde(rename = "deeds")] // prose:allow a stable JSON key
    pub actions: Vec<ActionReport>,
    /// The responses, in order.
    #[serde(serialize_with = "as_json")]
    pub answers: Vec<Intent>,
}

/// Serialises intents as in a script.
fn as_json<S: Serializer>(intents: &[Intent], serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_seq(intents.iter().map(intents::wire::Intent::from))
}

/// An action of the person.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ActionReport {
    /// The time in seconds.
    pub at: f64,
    /// The kind of action, for example `gesture`, `nod` or `smile`.
    pub does: &'static str,
    /// The stance that the person takes, if the action is a change of stance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stance: Option<String>,
    /// The side of a weight shift, a head tilt or a hand: `left`, `right` or `none`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<&'static str>,
    /// The hand of a gesture: `L`, `R` or `LR`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hand: Option<&'static str>,
    /// The shape of the hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<&'static str>,
    /// The duration of a gesture in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The mean speed of the hand in a gesture, in arm lengths per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy: Option<f64>,
}

/// Observes a person frame by frame and collects the responses.
#[must_use]
pub fn watch(mut mimic: Mimic, people: &[Person], library: &Library) -> MimicReport {
    let (mut actions, mut answers, mut seen) = (Vec::new(), Vec::new(), 0);
    for person in people {
        let view = mimic.see(person).view;
        seen += usize::from(matches!(view, View::Partly | View::Seen));
        actions.extend(mimic.take_actions().map(|(at, action)| report_action(at, action, library)));
        answers.extend(mimic.take_due(person.secs));
    }
    let [first, last] =
        [people.first(), people.last()].map(|person| person.map_or(0.0, |person| person.secs));
    // Some responses repeat for as long as the person stays. After the last frame, only responses that are already
    // planned are added.
    let waiting = mimic.planned().len();
    answers.extend(
        mimic
            .take_due(last + AFTERWARDS_SECS)
            .into_iter()
            .take(waiting)
            .filter(|intent| intent.at().is_some_and(|at| at <= last + 2.0 * mimic.manner().delay)),
    );
    MimicReport { pictures: people.len(), seconds: last - first, seen, actions, answers }
}

fn report_action(at: f64, action: PersonAction, library: &Library) -> ActionReport {
    let mut report = ActionReport { at, ..ActionReport::default() };
    let name = |side: Option<Side>| Some(side.map_or("none", Side::name));
    report.does = match action {
        PersonAction::Stance(stance) => {
            report.stance = library.graph().map(|graph| graph.stances()[stance].name.clone());
            "stance"
        }
        PersonAction::Weight(side) => {
            report.side = name(side);
            "weight"
        }
        PersonAction::Tilt(side) => {
            report.side = name(side);
            "tilt"
        }
        PersonAction::Gesture { hand, secs, energy, shape } => {
            (report.hand, report.seconds, report.energy) = (Some(hand.letters()), Some(secs), Some(energy));
            report.shape = shape.map(HandShape::name);
            "gesture"
        }
        PersonAction::Hand(side, shape) => {
            (report.side, report.shape) = (name(Some(side)), Some(shape.name()));
            "hand"
        }
        PersonAction::Nod => "nod",
        PersonAction::Shake => "shake",
        PersonAction::Smile => "smile",
        PersonAction::Brows => "brows",
        PersonAction::Blink => "blink",
        PersonAction::Pause => "pause",
    };
    report
}

/// The stance in one frame. Earlier frames are not considered.
#[derive(Clone, Debug, Serialize)]
pub struct StanceEstimate {
    /// The time in seconds.
    pub time: f64,
    /// The most likely stance; `None` if no stance is recognized.
    pub stance: Option<String>,
    /// The confidence, from 0 to 1.
    pub sure: f64,
}

/// Returns the most likely stance in each frame.
#[must_use]
pub fn stances(mimic: &Mimic, people: &[Person], library: &Library) -> Vec<StanceEstimate> {
    let name = |stance: usize| library.graph().map(|graph| graph.stances()[stance].name.clone());
    let picture = |person: &Person| {
        let (stance, sure) = mimic.classify_stance(person);
        StanceEstimate { time: person.secs, stance: stance.and_then(name), sure }
    };
    people.iter().map(picture).collect()
}
