//! Suggests labels for unlabelled clips.
//!
//! The algorithm is in [`vivant_learn::suggest`]. This module prepares its input: clips are fitted to the rig of the
//! avatar, and the start poses of the stances of the repertoire are added as known stances, so that clips are assigned
//! to stances that already exist. [`suggestions`] returns one [`Suggestion`] per clip. [`Suggested`] formats them with
//! their confidence as JSON or as a table; it does not change the repertoire.

use super::Progress;
use super::sources::{Source, Sources};
use super::table::{aligned, row};
use crate::character::clips::Clips;
use crate::character::draft::Draft;
use crate::imported::pose_at;
use serde::Serialize;
use vivant::body::layers::Layer;
use vivant::body::repertoire::{Hand, Repertoire, Stance};
use vivant::clip::Clip;
use vivant::pose::Pose;
use vivant::rig::Rig;
use vivant_learn::suggest::{Guess, KnownStance, NamedClip, Suggestion, suggest_with};

/// Suggests labels for each clip. If a character is given, its stances and its avatar are used.
#[must_use]
pub fn suggestions(sources: &[Source], draft: Option<&Draft>, progress: Progress<'_>) -> Vec<Suggestion> {
    let rig = draft.map_or_else(vivant_mannequin::rig, |draft| draft.avatar.rig().clone());
    let named: Vec<(String, &Clip)> = sources.iter().map(|source| (source.name(), &source.clip)).collect();
    let nothing = (Repertoire::default(), Clips::new());
    let (repertoire, clips) = match draft {
        Some(draft) => (draft.repertoire.as_ref().unwrap_or(&nothing.0), &draft.clips),
        None => (&nothing.0, &nothing.1),
    };
    of(&named, (repertoire, clips), &rig, progress)
}

/// Suggests labels for clips on a rig, based on the stances and clips of a repertoire.
pub(crate) fn of(
    named: &[(String, &Clip)],
    (repertoire, clips): (&Repertoire, &Clips),
    rig: &Rig,
    progress: Progress<'_>,
) -> Vec<Suggestion> {
    let known = known(repertoire, clips, rig);
    let fitted: Vec<Clip> = named.iter().map(|(_, clip)| clip.fitted_to(rig).0).collect();
    let labelled: Vec<NamedClip<'_>> =
        named.iter().zip(&fitted).map(|((name, _), clip)| NamedClip { name, clip }).collect();
    suggest_with(&labelled, &known, rig, progress)
}

fn known<'a>(repertoire: &'a Repertoire, clips: &Clips, rig: &Rig) -> Vec<KnownStance<'a>> {
    let known = |stance: &'a Stance| {
        let pose = pose(stance, clips, rig)?;
        Some(KnownStance { name: &stance.name, layers: &stance.layers, pose })
    };
    repertoire.stances.iter().filter_map(known).collect()
}

/// Returns the start pose of a stance; `None` if its clip is missing.
fn pose(stance: &Stance, clips: &Clips, rig: &Rig) -> Option<Pose> {
    let Some(spelling) = &stance.clip else { return Some(Pose::neutral(rig)) };
    let clip = clips.get(spelling)?.fitted_to(rig).0;
    Some(pose_at(&clip, stance.start, rig, &mut []))
}

/// Clips and their suggested labels.
#[derive(Debug)]
pub struct Suggested {
    /// The clips.
    pub sources: Sources,
    /// The suggestion for each clip.
    pub suggestions: Vec<Suggestion>,
}

#[derive(Serialize)]
struct FileSuggestion<'a> {
    file: String,
    #[serde(flatten)]
    suggestion: &'a Suggestion,
}

impl Suggested {
    /// Returns the suggestions, and the files that could not be read, as JSON.
    #[must_use]
    pub fn json(&self) -> Vec<serde_json::Value> {
        let file_suggestion = |(source, suggestion): (&Source, _)| {
            let file = source.file.display().to_string();
            serde_json::to_value(FileSuggestion { file, suggestion }).unwrap_or_default()
        };
        let mut all: Vec<serde_json::Value> =
            self.sources.all.iter().zip(&self.suggestions).map(file_suggestion).collect();
        for (path, error) in &self.sources.unread {
            all.push(serde_json::json!({ "file": path.display().to_string(), "error": error.to_string() }));
        }
        all
    }

    /// Returns a table as lines of text. The reason for each suggestion is below its clip.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        lines(&self.sources.all, &self.suggestions)
    }
}

/// Formats a table. The reason for each suggestion is below its clip.
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
        None => with_confidence(&s.stance.value, &s.stance),
        Some(end) => {
            format!("{} → {}", with_confidence(&s.stance.value, &s.stance), with_confidence(&end.value, end))
        }
    };
    let is_whole = s.start <= 0.0 && s.end >= source.clip.duration() - 1e-3;
    let part = if is_whole { "whole".into() } else { format!("{:.2}–{:.2} s", s.start, s.end) };
    vec![
        source.name(),
        with_confidence(s.kind.value.name(), &s.kind),
        stance,
        with_confidence(s.hand.value.map_or("–", Hand::letters), &s.hand),
        s.layers.iter().copied().map(Layer::name).collect::<Vec<_>>().join(", "),
        part,
        s.tags.join(", "),
    ]
}

fn with_confidence<T>(word: &str, guess: &Guess<T>) -> String {
    format!("{word} {:.0} %", guess.confidence * 100.0)
}
