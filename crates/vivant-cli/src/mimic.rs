//! `vivant mimic`: detects the actions of a person in a film, and writes the responses of a character.

use crate::args::mimic::Mimic as Args;
use crate::fault::{Fault, Kind, Result};
use crate::report::Progress;
use crate::{files, report};
use serde::Serialize;
use std::fmt::Write as _;
use std::process::ExitCode;
use vivant::mimicry::{Manner, Mimic, Person};
use vivant::rig::Rig;
use vivant_host::mimic::{self, MimicReport, StanceEstimate};
use vivant_io::json::intents;

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let character = crate::character::load_or_wrap_avatar(&args.character)?;
    let rig = character.avatar.rig().clone();
    let mut warnings = character.warnings.clone();
    let library = character.motions.bind(&rig, &mut warnings)?;
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
        print_report(&seen, args);
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the frames of the person from landmarks, a capture or a film.
fn people(args: &Args, rig: &Rig) -> Result<Vec<Person>> {
    if mimic::is_text(&args.file) {
        return mimic::read(&args.file, rig, args.fps);
    }
    let mut progress = Progress::spinner("loading MediaPipe");
    let mut frames = None;
    let lines = mimic::landmarks(&args.file, &args.python, &mut |frame, of| {
        if frames != Some(of) {
            frames = Some(of);
            progress = Progress::frames("tracking the video", of);
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

/// Adds the option that sets another Python interpreter, if MediaPipe was not found.
fn with_python(error: Fault) -> Fault {
    match error.kind() {
        Kind::NotFound => Fault::of(Kind::NotFound, format!("{error}. Choose another Python with --python")),
        _ => error,
    }
}

fn print_report(seen: &MimicReport, args: &Args) {
    let MimicReport { pictures, seconds, actions, answers, .. } = seen;
    let rate = if *seconds > 0.0 { (*pictures as f64 - 1.0) / seconds } else { 0.0 };
    report::line(&format!(
        "{pictures} frames, {seconds:.1} s, {rate:.1} fps; a person is visible in {}",
        seen.seen
    ));
    for action in actions {
        let words = [
            action.stance.clone(),
            action.side.map(str::to_owned),
            action.hand.map(|hand| format!("hand {hand}")),
            action.shape.map(str::to_owned),
            action.seconds.map(|secs| format!("{secs:.1} s")),
        ];
        let words: Vec<String> = words.into_iter().flatten().collect();
        report::line(&format!("{:8.2} s  {} {}", action.at, action.does, words.join(", ")));
    }
    match &args.output {
        Some(path) => report::line(&format!("{} responses written to {}", answers.len(), path.display())),
        None => {
            report::line(&format!("{} responses:", answers.len()));
            answers.iter().for_each(|intent| report::line(&format!("  {}", intents::write(intent))));
        }
    }
}

fn stances(pictures: Vec<StanceEstimate>, as_json: bool) {
    #[derive(Serialize)]
    struct Pictures {
        pictures: Vec<StanceEstimate>,
    }
    if as_json {
        return report::json(&Pictures { pictures });
    }
    for StanceEstimate { time, stance, sure } in pictures {
        report::line(&format!("{time:8.2} s  {:24} {sure:.2}", stance.as_deref().unwrap_or("unknown")));
    }
}
