//! `vivant repertoire suggest`: what unlabelled clips seem to be.

use super::sources::{Source, Sources};
use super::table::{aligned, row};
use crate::args::repertoire::Suggest;
use crate::character::clips::Clips;
use crate::character::sketch::Sketch;
use crate::fault::Result;
use crate::material::pose_at;
use crate::report::{self, Progress};
use serde::Serialize;
use std::process::ExitCode;
use vivant::body::layers::Layer;
use vivant::body::repertoire::{Hand, Repertoire, Stance};
use vivant::clip::Clip;
use vivant::pose::Pose;
use vivant::rig::Rig;
use vivant_learn::suggest::{Guess, Known, Labelled, Suggestion, suggest_with};

pub(crate) fn run(args: &Suggest, json: bool) -> Result<ExitCode> {
    let sketch = args.character.as_deref().map(Sketch::read).transpose()?;
    let sources = Sources::read(&args.clips);
    let suggestions = suggestions(&sources.all, sketch.as_ref());
    if json {
        print_json(&sources, &suggestions);
    } else {
        report::warnings(&sources.warnings);
        lines(&sources.all, &suggestions).iter().for_each(|line| report::line(line));
        sources.unread.iter().for_each(|(_, fault)| report::note(&format!("vivant: {fault}")));
    }
    Ok(if sources.unread.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What each clip seems to be, by the stances that a character has.
pub(super) fn suggestions(sources: &[Source], sketch: Option<&Sketch>) -> Vec<Suggestion> {
    let rig = sketch.and_then(|s| s.avatar.rig().cloned()).unwrap_or_else(vivant_mannequin::rig);
    let named: Vec<(String, &Clip)> = sources.iter().map(|source| (source.name(), &source.clip)).collect();
    let nothing = (Repertoire::default(), Clips::new());
    let (repertoire, clips) = match sketch {
        Some(sketch) => (sketch.repertoire.as_ref().unwrap_or(&nothing.0), &sketch.clips),
        None => (&nothing.0, &nothing.1),
    };
    of(&named, repertoire, clips, &rig)
}

/// What each clip seems to be on an avatar, by the stances of a repertoire with these clips.
pub(crate) fn of(
    named: &[(String, &Clip)],
    repertoire: &Repertoire,
    clips: &Clips,
    rig: &Rig,
) -> Vec<Suggestion> {
    let known = known(repertoire, clips, rig);
    let fitted: Vec<Clip> = named.iter().map(|(_, clip)| clip.fitted_to(rig).0).collect();
    let labelled: Vec<Labelled<'_>> =
        named.iter().zip(&fitted).map(|((name, _), clip)| Labelled { name, clip }).collect();
    let progress = Progress::bar("looking at clips", labelled.len());
    suggest_with(&labelled, &known, rig, &mut |done, _| progress.at(done))
}

fn known<'a>(repertoire: &'a Repertoire, clips: &Clips, rig: &Rig) -> Vec<Known<'a>> {
    let known = |stance: &'a Stance| {
        let pose = pose(stance, clips, rig)?;
        Some(Known { name: &stance.name, layers: &stance.layers, pose })
    };
    repertoire.stances.iter().filter_map(known).collect()
}

/// How a stance looks at its start; `None` if its clip cannot be had.
fn pose(stance: &Stance, clips: &Clips, rig: &Rig) -> Option<Pose> {
    let Some(spelling) = &stance.clip else { return Some(Pose::neutral(rig)) };
    let clip = clips.get(spelling)?.fitted_to(rig).0;
    Some(pose_at(&clip, stance.start, rig, &mut []))
}

#[derive(Serialize)]
struct OfFile<'a> {
    file: String,
    #[serde(flatten)]
    suggestion: &'a Suggestion,
}

fn print_json(sources: &Sources, suggestions: &[Suggestion]) {
    let of_file = |(source, suggestion): (&Source, _)| {
        let file = source.file.display().to_string();
        serde_json::to_value(OfFile { file, suggestion }).unwrap_or_default()
    };
    let mut all: Vec<serde_json::Value> = sources.all.iter().zip(suggestions).map(of_file).collect();
    for (path, fault) in &sources.unread {
        all.push(serde_json::json!({ "file": path.display().to_string(), "error": fault.to_string() }));
    }
    report::json(&all);
}

/// A table, with the reason below each clip.
fn lines(sources: &[Source], suggestions: &[Suggestion]) -> Vec<String> {
    if suggestions.is_empty() {
        return Vec::new();
    }
    let mut table = vec![row(["clip", "type", "stance", "hand", "layers", "part", "tags"])];
    table.extend(sources.iter().zip(suggestions).map(|(source, suggestion)| cells(source, suggestion)));
    let mut rows = aligned(&table).into_iter();
    let mut lines: Vec<String> = rows.next().into_iter().collect();
    for (row, suggestion) in rows.zip(suggestions) {
        lines.extend([row, format!("    {}", suggestion.reasons)]);
    }
    lines
}

fn cells(source: &Source, suggestion: &Suggestion) -> Vec<String> {
    let s = suggestion;
    let stance = match &s.end_stance {
        None => sure(&s.stance.value, &s.stance),
        Some(end) => format!("{} → {}", sure(&s.stance.value, &s.stance), sure(&end.value, end)),
    };
    let is_whole = s.start <= 0.0 && s.end >= source.clip.duration() - 1e-3;
    let part = if is_whole { "whole".into() } else { format!("{:.2}–{:.2} s", s.start, s.end) };
    vec![
        source.name(),
        sure(s.kind.value.name(), &s.kind),
        stance,
        sure(s.hand.value.map_or("–", Hand::letters), &s.hand),
        s.layers.iter().copied().map(Layer::name).collect::<Vec<_>>().join(", "),
        part,
        s.tags.join(", "),
    ]
}

fn sure<T>(word: &str, guess: &Guess<T>) -> String {
    format!("{word} {:.0} %", guess.confidence * 100.0)
}
