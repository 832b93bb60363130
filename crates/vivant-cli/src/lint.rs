//! `vivant lint`: how human a trace is.

mod chart;
mod page;

use crate::args::lint::Lint as Args;
use crate::fault::{Fault, Result};
use crate::material::Material;
use crate::{files, recordings, report};
use serde::Serialize;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::ExitCode;
use vivant::clip::Clip;
use vivant_files::recording::name_of;
use vivant_io::Warning;
use vivant_io::vmc::capture;
use vivant_learn::lint::tell::{Likeness, Seen, Told, tell};
use vivant_learn::lint::{Check, Lint, Trace, Verdict, lint_and_find, motion};
use vivant_learn::recording::{ReadOptions, Recording};

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut warnings = Vec::new();
    let recording = recording(args, &mut warnings)?;
    let in_file = |error: vivant_io::Error| error.in_file(args.file.display());
    let mut trace = Trace::of_recording(&recording).map_err(in_file)?;
    trace.activity = args.state;
    let (lint, found) = lint_and_find(&trace).map_err(in_file)?;
    if let Some(path) = &args.report {
        files::write(path, page::page(&trace, &lint, &found).as_bytes())?;
    }
    let likeness = likeness(&args.beside, &trace)?;
    if args.json {
        report::json(&Written { lint: &lint, likeness });
    } else {
        report::warnings(&warnings);
        lines(&lint).iter().chain(&told(likeness)).for_each(|line| report::line(line));
    }
    let is_wrong = lint.checks.iter().any(|check| check.verdict == Verdict::Wrong);
    Ok(if args.strict && is_wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// What `--json` prints.
#[derive(Serialize)]
struct Written<'a> {
    #[serde(flatten)]
    lint: &'a Lint,
    #[serde(skip_serializing_if = "Option::is_none")]
    likeness: Option<Likeness>,
}

/// How well the trace is told from people, if there are any.
fn likeness(people: &[String], trace: &Trace) -> Result<Option<Likeness>> {
    let mut known = Vec::new();
    for named in people {
        let (person, file) = named.split_once('=').unwrap_or((named, named));
        let path = Path::new(file);
        let recording = recordings::read(path, &ReadOptions::default(), &mut Vec::new())?;
        let trace = Trace::of_recording(&recording).map_err(|error| error.in_file(path.display()))?;
        known.push(Seen { person: person.to_owned(), trace });
    }
    Ok(if known.is_empty() { None } else { Some(tell(&known, trace)?) })
}

fn told(likeness: Option<Likeness>) -> Vec<String> {
    let Some(Likeness { lids, eyes }) = likeness else { return Vec::new() };
    let line = |name: &str, told: Option<Told>| match told {
        Some(Told { auc, error, people, human, other }) => format!(
            "  by {name}, two seconds are told from people with an area of {auc:.2} ± {error:.2} (0.5: not at all; \
             {human} windows of {people} people, {other} of this)"
        ),
        None => format!("  by {name}, nothing can be told: too few windows or people"),
    };
    vec![line("lids", lids), line("eyes", eyes)]
}

/// Whatever it is, as a recording of eyes.
fn recording(args: &Args, warnings: &mut Vec<Warning>) -> Result<Recording> {
    let path = &args.file;
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    match ending.as_str() {
        "vrma" | "glb" | "gltf" | "vrm" | "bvh" | "fbx" => of_motion(path, args.clip.as_deref(), warnings),
        "jsonl" | "ndjson" => {
            let frames = capture::read(&files::read(path)?).map_err(|error| error.in_file(path.display()))?;
            Ok(motion::of_frames(&name_of(path), &frames).map_err(|error| error.in_file(path.display()))?)
        }
        "csv" if path.is_file() && motion::is_table(&head(path)?) => {
            Ok(motion::of_table(&path.display().to_string(), &files::read(path)?)?)
        }
        _ => recordings::read(path, &recordings::options(&args.recording)?, warnings),
    }
}

/// How a file begins.
fn head(path: &Path) -> Result<Vec<u8>> {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(64).read_to_end(&mut head));
    read.map_err(|error| Fault::new(format!("{}: {error}", path.display())))?;
    Ok(head)
}

/// The motion of a file: the one that is named, or the longest.
fn of_motion(path: &Path, name: Option<&str>, warnings: &mut Vec<Warning>) -> Result<Recording> {
    let mut material = Material::load(path)?;
    warnings.extend(material.take_warnings());
    let clips = material.require_clips()?;
    let found = match name {
        Some(name) => clips.iter().find(|clip| clip.name() == name),
        None => clips.iter().max_by(|a, b| a.duration().total_cmp(&b.duration())),
    };
    let Some(clip) = found else {
        let names: Vec<&str> = clips.iter().map(Clip::name).collect();
        let why = match (name, names.as_slice()) {
            (_, []) => "has no motion in it".to_owned(),
            (name, names) => {
                format!("has no motion “{}”; it has {}", name.unwrap_or_default(), names.join(", "))
            }
        };
        return Err(Fault::new(format!("{}: {why}", path.display())));
    };
    Ok(motion::of_clip(clip).map_err(|error| error.in_file(path.display()))?)
}

/// For people: what is wrong first.
fn lines(lint: &Lint) -> Vec<String> {
    let mut lines = vec![format!(
        "{}: {:.1} s at {} Hz: grade {:.0} of 100",
        lint.name,
        lint.seconds,
        (lint.rate_hz * 1e3).round() / 1e3,
        lint.grade
    )];
    for verdict in [Verdict::Wrong, Verdict::Odd, Verdict::Human] {
        lines.extend(lint.checks.iter().filter(|check| check.verdict == verdict).flat_map(said));
    }
    let unseen: Vec<&str> = lint
        .checks
        .iter()
        .filter(|check| check.verdict == Verdict::NotEnoughData)
        .map(|check| check.id)
        .collect();
    if !unseen.is_empty() {
        lines.push(format!("  not enough data for {}", unseen.join(", ")));
    }
    lines
}

fn said(check: &Check) -> Vec<String> {
    let value = check.value.map_or_else(String::new, number);
    let [low, high] = check.human.map(number);
    let mut lines = vec![format!(
        "  {:<6} {:<24} {value:>7} {:<10} people: {low} to {high}",
        check.verdict.name(),
        check.id,
        check.unit
    )];
    if check.verdict != Verdict::Human {
        lines.push(format!("         {}: {}", check.title, check.advice));
    }
    lines
}

/// As many digits as tell something.
fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}
