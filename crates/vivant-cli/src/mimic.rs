//! `vivant mimic`: a person on film, understood and answered.

mod film;

use crate::args::mimic::Mimic as Args;
use crate::character::Character;
use crate::fault::{Fault, Result};
use crate::{files, report};
use serde::Serialize;
use std::fmt::Write as _;
use std::process::ExitCode;
use vivant::body::Side;
use vivant::body::library::Library;
use vivant::intent::Intent;
use vivant::mimicry::{Deed, HandShape, Manner, Mimic, Person, View};
use vivant::rig::Rig;
use vivant_io::json::intents;
use vivant_io::vmc::{capture, person};
use vivant_learn::landmarks;

/// How long after the last picture answers may come.
const AFTERWARDS_SECS: f64 = 60.0;

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut character = Character::load_or_dress(&args.character)?;
    let rig = character.avatar.require_rig()?.clone();
    let mut warnings = std::mem::take(&mut character.warnings);
    let library = character.library(&rig, &mut warnings)?;
    let people = people(args, &rig)?;
    if !args.json {
        report::warnings(&warnings);
    }
    let manner =
        Manner { amount: args.amount, mirror: !args.same_side, delay: args.delay, ..Manner::default() };
    let mimic = Mimic::new(&library, manner, args.seed);
    if args.stances {
        stances(&mimic, &people, &library, args.json);
        return Ok(ExitCode::SUCCESS);
    }
    let seen = watch(mimic, &people, &library);
    if let Some(path) = &args.output {
        let script = seen.answers.iter().fold(String::new(), |mut script, intent| {
            let _ = writeln!(script, "{}", intents::write(intent));
            script
        });
        files::write(path, script.as_bytes())?;
    }
    if args.json {
        report::json(&seen);
    } else {
        tell(&seen, args);
    }
    Ok(ExitCode::SUCCESS)
}

/// What was seen of the person, whatever it was seen by.
fn people(args: &Args, rig: &Rig) -> Result<Vec<Person>> {
    let path = &args.file;
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = path.display().to_string();
    let bytes = match ending.as_str() {
        "csv" | "tsv" | "txt" | "json" | "jsonl" | "ndjson" => files::read(path)?,
        _ => {
            let lines = film::landmarks(path, &args.python)?;
            if let Some(kept) = &args.landmarks {
                files::write(kept, &lines)?;
            }
            lines
        }
    };
    let is_capture = bytes.split(|byte| *byte == b'\n').next().is_some_and(is_capture);
    let people: Vec<Person> = if is_capture {
        let frames = capture::read(&bytes).map_err(|error| error.in_file(&name))?;
        frames.iter().map(|frame| person(rig, frame, frame.secs)).collect()
    } else {
        landmarks::read(&name, &bytes, args.fps)?
            .iter()
            .map(|sighting| sighting.person(sighting.time))
            .collect()
    };
    if people.is_empty() {
        return Err(Fault::new(format!("{name}: there is no picture in it")));
    }
    Ok(people)
}

/// Whether a line is one of a VMC capture.
fn is_capture(line: &[u8]) -> bool {
    let value = serde_json::from_slice::<serde_json::Value>(line).unwrap_or_default();
    value.get("rotations").is_some()
}

/// What `--json` prints.
#[derive(Serialize)]
struct Seen {
    pictures: usize,
    seconds: f64,
    /// In how many pictures there was one person, wholly or partly.
    seen: usize,
    deeds: Vec<Told>,
    answers: Vec<Intent>,
}

/// Something that the person did.
#[derive(Default, Serialize)]
struct Told {
    at: f64,
    does: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    stance: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hand: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shape: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    energy: Option<f64>,
}

fn watch(mut mimic: Mimic, people: &[Person], library: &Library) -> Seen {
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

fn told(at: f64, deed: Deed, library: &Library) -> Told {
    let mut told = Told { at, ..Told::default() };
    let name = |side: Option<Side>| Some(side.map_or("none", Side::name));
    told.does = match deed {
        Deed::Stance(stance) => {
            told.stance = library.graph().map(|graph| graph.stances()[stance].name.clone());
            "stance"
        }
        Deed::Weight(side) => {
            told.side = name(side);
            "weight"
        }
        Deed::Tilt(side) => {
            told.side = name(side);
            "tilt"
        }
        Deed::Gesture { hand, secs, energy, shape } => {
            (told.hand, told.seconds, told.energy) = (Some(hand.letters()), Some(secs), Some(energy));
            told.shape = shape.map(HandShape::name);
            "gesture"
        }
        Deed::Hand(side, shape) => {
            (told.side, told.shape) = (name(Some(side)), Some(shape.name()));
            "hand"
        }
        Deed::Nod => "nod",
        Deed::Shake => "shake",
        Deed::Smile => "smile",
        Deed::Brows => "brows",
        Deed::Blink => "blink",
        Deed::Pause => "pause",
    };
    told
}

fn tell(seen: &Seen, args: &Args) {
    let Seen { pictures, seconds, deeds, answers, .. } = seen;
    let rate = if *seconds > 0.0 { (*pictures as f64 - 1.0) / seconds } else { 0.0 };
    report::line(&format!(
        "{pictures} pictures, {seconds:.1} s, {rate:.1} a second; somebody is seen in {}",
        seen.seen
    ));
    for told in deeds {
        let words = [
            told.stance.clone(),
            told.side.map(str::to_owned),
            told.hand.map(|hand| format!("hand {hand}")),
            told.shape.map(str::to_owned),
            told.seconds.map(|secs| format!("{secs:.1} s")),
        ];
        let words: Vec<String> = words.into_iter().flatten().collect();
        report::line(&format!("{:8.2} s  {} {}", told.at, told.does, words.join(", ")));
    }
    match &args.output {
        Some(path) => report::line(&format!("{} answers are in {}", answers.len(), path.display())),
        None => {
            report::line(&format!("{} answers:", answers.len()));
            answers.iter().for_each(|intent| report::line(&format!("  {}", intents::write(intent))));
        }
    }
}

/// One picture, without what was before it.
#[derive(Serialize)]
struct Picture {
    time: f64,
    stance: Option<String>,
    sure: f64,
}

fn stances(mimic: &Mimic, people: &[Person], library: &Library, as_json: bool) {
    #[derive(Serialize)]
    struct Pictures {
        pictures: Vec<Picture>,
    }
    let name = |stance: usize| library.graph().map(|graph| graph.stances()[stance].name.clone());
    let pictures: Vec<Picture> = people
        .iter()
        .map(|person| {
            let (stance, sure) = mimic.likeliest(person);
            Picture { time: person.secs, stance: stance.and_then(name), sure }
        })
        .collect();
    if as_json {
        return report::json(&Pictures { pictures });
    }
    for Picture { time, stance, sure } in pictures {
        report::line(&format!("{time:8.2} s  {:24} {sure:.2}", stance.as_deref().unwrap_or("unknown")));
    }
}
