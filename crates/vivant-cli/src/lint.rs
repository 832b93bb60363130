//! `vivant lint`: checks how human a trace is.

use crate::args::lint::Lint as Args;
use crate::fault::{Fault, Result};
use crate::{files, recordings, report};
use serde::Serialize;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::ExitCode;
use vivant::body::graph::names;
use vivant::clip::Clip;
use vivant_host::recording::name_of;
use vivant_io::Warning;
use vivant_io::vmc::capture;
use vivant_learn::lint::classifier::{Classification, PersonTrace, classify};
use vivant_learn::lint::report::{classifier_lines, lines, page};
use vivant_learn::lint::{Lint, Trace, Verdict, lint_with_findings, motion};
use vivant_learn::recording::{ReadOptions, Recording};

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut warnings = Vec::new();
    let recording = recording(args, &mut warnings)?;
    let in_file = |error: vivant_io::Error| error.in_file(args.file.display());
    let mut trace = Trace::from_recording(&recording).map_err(in_file)?;
    trace.activity = args.state;
    let (lint, found) = lint_with_findings(&trace).map_err(in_file)?;
    if let Some(path) = &args.report {
        files::write(path, page(&trace, &lint, &found).as_bytes())?;
    }
    let likeness = likeness(&args.beside, &trace)?;
    if args.json {
        report::json(&Written { lint: &lint, likeness });
    } else {
        report::warnings(&warnings);
        let classifier = likeness.as_ref().map(classifier_lines).unwrap_or_default();
        lines(&lint).iter().chain(&classifier).for_each(|line| report::line(line));
    }
    let is_wrong = lint.checks.iter().any(|check| check.verdict == Verdict::Wrong);
    Ok(if args.strict && is_wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The report printed by `--json`.
#[derive(Serialize)]
struct Written<'a> {
    #[serde(flatten)]
    lint: &'a Lint,
    #[serde(skip_serializing_if = "Option::is_none")]
    likeness: Option<Classification>,
}

/// Classifies windows of the trace against windows of people. Returns `None` without recordings of people.
fn likeness(people: &[String], trace: &Trace) -> Result<Option<Classification>> {
    let mut known = Vec::new();
    for named in people {
        let (person, file) = named.split_once('=').unwrap_or((named, named));
        let path = Path::new(file);
        let recording = recordings::read(path, &ReadOptions::default(), &mut Vec::new())?;
        let trace = Trace::from_recording(&recording).map_err(|error| error.in_file(path.display()))?;
        known.push(PersonTrace { person: person.to_owned(), trace });
    }
    Ok(if known.is_empty() { None } else { Some(classify(&known, trace)?) })
}

/// Reads any supported file as an eye recording.
fn recording(args: &Args, warnings: &mut Vec<Warning>) -> Result<Recording> {
    let path = &args.file;
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    match ending.as_str() {
        "vrma" | "glb" | "gltf" | "vrm" | "bvh" | "fbx" => of_motion(path, args.clip.as_deref(), warnings),
        "jsonl" | "ndjson" => {
            let frames = capture::read(&files::read(path)?).map_err(|error| error.in_file(path.display()))?;
            Ok(motion::from_frames(&name_of(path), &frames).map_err(|error| error.in_file(path.display()))?)
        }
        "csv" if path.is_file() && motion::is_table(&head(path)?) => {
            Ok(motion::from_table(&path.display().to_string(), &files::read(path)?)?)
        }
        _ => recordings::read(path, &recordings::options(&args.recording)?, warnings),
    }
}

/// Reads the first bytes of a file.
fn head(path: &Path) -> Result<Vec<u8>> {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(64).read_to_end(&mut head));
    read.map_err(|error| Fault::new(format!("{}: {error}", path.display())))?;
    Ok(head)
}

/// Reads the named clip of a motion file, or the longest one.
fn of_motion(path: &Path, name: Option<&str>, warnings: &mut Vec<Warning>) -> Result<Recording> {
    let mut material = crate::character::import(path)?;
    warnings.extend(material.take_warnings());
    let clips = material.require_clips()?;
    let found = match name {
        Some(name) => names::position(clips.iter().map(Clip::name), name).map(|place| &clips[place]),
        None => clips.iter().max_by(|a, b| a.duration().total_cmp(&b.duration())),
    };
    let Some(clip) = found else {
        let names: Vec<&str> = clips.iter().map(Clip::name).collect();
        let why = match (name, names.as_slice()) {
            (_, []) => "has no motion; give a file with motion".to_owned(),
            (name, names) => {
                format!("has no motion “{}”; it has {}", name.unwrap_or_default(), names.join(", "))
            }
        };
        return Err(Fault::new(format!("{}: {why}", path.display())));
    };
    motion::from_clip(clip).map_err(|error| error.in_file(path.display()))
}
