//! A person in a film or a capture: what they do, and how a character answers.

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

/// How long after the last picture answers may come.
const AFTERWARDS_SECS: f64 = 60.0;

/// Returns whether a file has landmarks or a capture, and need not be looked at by MediaPipe.
#[must_use]
pub fn is_text(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    matches!(ending.as_str(), "csv" | "tsv" | "txt" | "json" | "jsonl" | "ndjson")
}

/// Reads a file of landmarks or a VMC capture.
///
/// # Errors
/// If the file cannot be read, or has no picture.
pub fn read(path: &Path, rig: &Rig, fps: f64) -> Result<Vec<Person>> {
    people(&path.display().to_string(), &disk::read(path)?, rig, fps)
}

/// Reads landmarks or a VMC capture. `fps` is for landmarks without times.
///
/// # Errors
/// If it is neither, or has no picture.
pub fn people(name: &str, bytes: &[u8], rig: &Rig, fps: f64) -> Result<Vec<Person>> {
    let is_capture = bytes.split(|byte| *byte == b'\n').next().is_some_and(is_capture);
    let people: Vec<Person> = if is_capture {
        let frames = capture::read(bytes).map_err(|error| error.in_file(name))?;
        frames.iter().map(|frame| person(rig, frame, frame.secs)).collect()
    } else {
        marks::read(name, bytes, fps)?.iter().map(|sighting| sighting.person(sighting.time)).collect()
    };
    if people.is_empty() {
        return Err(Error::new(format!("{name}: there is no picture in it")));
    }
    Ok(people)
}

/// Whether a line is one of a VMC capture.
fn is_capture(line: &[u8]) -> bool {
    let value = serde_json::from_slice::<serde_json::Value>(line).unwrap_or_default();
    value.get("rotations").is_some()
}

/// What a person did, and the answers to it; to be written as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Seen {
    /// The number of pictures.
    pub pictures: usize,
    /// The time from the first picture to the last.
    pub seconds: f64,
    /// The number of pictures in which the person was visible, fully or partly.
    pub seen: usize,
    /// What the person did.
    pub deeds: Vec<Told>,
    /// The answers, in order.
    #[serde(serialize_with = "as_json")]
    pub answers: Vec<Intent>,
}

/// Writes intents as they are written in a script.
fn as_json<S: Serializer>(intents: &[Intent], serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_seq(intents.iter().map(intents::wire::Intent::from))
}

/// Something that the person did.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Told {
    /// When, in seconds.
    pub at: f64,
    /// What.
    pub does: &'static str,
    /// The stance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stance: Option<String>,
    /// The side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<&'static str>,
    /// The hand of a gesture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hand: Option<&'static str>,
    /// The shape of the hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<&'static str>,
    /// How long a gesture took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// How vigorous a gesture was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy: Option<f64>,
}

/// Watches a person picture by picture, and collects the answers.
#[must_use]
pub fn watch(mut mimic: Mimic, people: &[Person], library: &Library) -> Seen {
    let (mut deeds, mut answers, mut seen) = (Vec::new(), Vec::new(), 0);
    for person in people {
        let view = mimic.see(person).view;
        seen += usize::from(matches!(view, View::Partly | View::Seen));
        deeds.extend(mimic.take_deeds().map(|(at, deed)| told(at, deed, library)));
        answers.extend(mimic.take_due(person.secs));
    }
    let [first, last] =
        [people.first(), people.last()].map(|person| person.map_or(0.0, |person| person.secs));
    // What keeps being answered for as long as they stay is answered once after the end.
    let waiting = mimic.waiting().len();
    answers.extend(
        mimic
            .take_due(last + AFTERWARDS_SECS)
            .into_iter()
            .take(waiting)
            .filter(|intent| intent.at().is_some_and(|at| at <= last + 2.0 * mimic.manner().delay)),
    );
    Seen { pictures: people.len(), seconds: last - first, seen, deeds, answers }
}

fn told(at: f64, deed: PersonAction, library: &Library) -> Told {
    let mut told = Told { at, ..Told::default() };
    let name = |side: Option<Side>| Some(side.map_or("none", Side::name));
    told.does = match deed {
        PersonAction::Stance(stance) => {
            told.stance = library.graph().map(|graph| graph.stances()[stance].name.clone());
            "stance"
        }
        PersonAction::Weight(side) => {
            told.side = name(side);
            "weight"
        }
        PersonAction::Tilt(side) => {
            told.side = name(side);
            "tilt"
        }
        PersonAction::Gesture { hand, secs, energy, shape } => {
            (told.hand, told.seconds, told.energy) = (Some(hand.letters()), Some(secs), Some(energy));
            told.shape = shape.map(HandShape::name);
            "gesture"
        }
        PersonAction::Hand(side, shape) => {
            (told.side, told.shape) = (name(Some(side)), Some(shape.name()));
            "hand"
        }
        PersonAction::Nod => "nod",
        PersonAction::Shake => "shake",
        PersonAction::Smile => "smile",
        PersonAction::Brows => "brows",
        PersonAction::Blink => "blink",
        PersonAction::Pause => "pause",
    };
    told
}

/// The stance in one picture, regardless of the pictures before it.
#[derive(Clone, Debug, Serialize)]
pub struct Picture {
    /// The time in seconds.
    pub time: f64,
    /// The most likely stance; `None` if it is unknown.
    pub stance: Option<String>,
    /// The confidence, from 0 to 1.
    pub sure: f64,
}

/// Returns the most likely stance in each picture.
#[must_use]
pub fn stances(mimic: &Mimic, people: &[Person], library: &Library) -> Vec<Picture> {
    let name = |stance: usize| library.graph().map(|graph| graph.stances()[stance].name.clone());
    let picture = |person: &Person| {
        let (stance, sure) = mimic.likeliest(person);
        Picture { time: person.secs, stance: stance.and_then(name), sure }
    };
    people.iter().map(picture).collect()
}
