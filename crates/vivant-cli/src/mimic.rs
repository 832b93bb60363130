//! `vivant mimic`: a person on film, understood and answered.

use crate::args::mimic::Mimic as Args;
use crate::fault::{Fault, Kind, Result};
use crate::report::Progress;
use crate::{files, report};
use serde::Serialize;
use std::fmt::Write as _;
use std::process::ExitCode;
use vivant::mimicry::{Manner, Mimic, Person};
use vivant::rig::Rig;
use vivant_host::mimic::{self, Picture, Seen};
use vivant_io::json::intents;

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let character = crate::character::load_or_dress(&args.character)?;
    let rig = character.avatar.rig().clone();
    let mut warnings = character.warnings.clone();
    let library = character.motions.on(&rig, &mut warnings)?;
    let people = people(args, &rig)?;
    if !args.json {
        report::warnings(&warnings);
    }
    let manner =
        Manner { amount: args.amount, mirror: !args.same_side, delay: args.delay, ..Manner::default() };
    let watching = Mimic::new(&library, manner, args.seed);
    if args.stances {
        stances(mimic::stances(&watching, &people, &library), args.json);
        return Ok(ExitCode::SUCCESS);
    }
    let seen = mimic::watch(watching, &people, &library);
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
    if mimic::is_text(&args.file) {
        return mimic::read(&args.file, rig, args.fps);
    }
    let mut progress = Progress::spinner("loading MediaPipe");
    let mut frames = None;
    let lines = mimic::landmarks(&args.file, &args.python, &mut |frame, of| {
        if frames != Some(of) {
            frames = Some(of);
            progress = Progress::frames("looking at the film", of);
        }
        progress.at(frame);
    });
    drop(progress);
    let lines = lines.map_err(with_python)?;
    if let Some(kept) = &args.landmarks {
        files::write(kept, &lines)?;
    }
    mimic::people(&args.file.display().to_string(), &lines, rig, args.fps)
}

/// Says how to choose another Python, if MediaPipe was not found.
fn with_python(error: Fault) -> Fault {
    match error.kind() {
        Kind::NotFound => Fault::of(Kind::NotFound, format!("{error}. Another Python is chosen by --python")),
        _ => error,
    }
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

fn stances(pictures: Vec<Picture>, as_json: bool) {
    #[derive(Serialize)]
    struct Pictures {
        pictures: Vec<Picture>,
    }
    if as_json {
        return report::json(&Pictures { pictures });
    }
    for Picture { time, stance, sure } in pictures {
        report::line(&format!("{time:8.2} s  {:24} {sure:.2}", stance.as_deref().unwrap_or("unknown")));
    }
}
