//! Adds clips to a character and labels them from their motion.
//!
//! Planning and writing are separate, so that the user can see all changes before any file is touched.
//! [`Addition::plan`] labels the clips, puts them into the repertoire of a [`Draft`] in memory, and returns the
//! additions with their confidence. [`Addition::write`] then copies the files into the folder of the character and
//! writes the repertoire. Clips that the repertoire already contains are skipped. A plan fails if it would cause new
//! errors, but errors that existed before are allowed, so an incomplete character can be extended.

pub(crate) mod label;
mod links;
pub(crate) mod place;
mod target;

use super::check;
use super::sources::Source;
use super::suggest::suggestions;
use super::table::{aligned, count, row};
use super::{Progress, Sources};
use crate::character::MANIFEST;
use crate::character::draft::Draft;
use crate::clips::named as named_clips;
use crate::disk;
use label::{Label, LabelOptions};
use serde::Serialize;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use target::{Target, Targets};
use vivant::body::repertoire::{Hand, Repertoire};
use vivant_io::{Error, Result};
use vivant_io::{Warning, WarningCode, json};
use vivant_learn::suggest::Type;

/// The result of adding clips, serialised as JSON; the keys are stable.
#[derive(Serialize)]
pub struct Addition {
    /// The character's name.
    pub character: String,
    /// The path of the repertoire file.
    pub repertoire: String,
    /// True if the files were written.
    pub written: bool,
    /// The added clips.
    pub added: Vec<Added>,
    /// Clips that the repertoire already contains.
    pub skipped: Vec<Skipped>,
    /// Other changes to the repertoire, with reasons.
    pub notes: Vec<String>,
    /// Warnings about clips or data that were left out.
    pub warnings: Vec<Warning>,
    #[serde(skip)]
    targets: Vec<Target>,
}

/// An added clip.
#[derive(Serialize)]
pub struct Added {
    /// The source file.
    pub file: String,
    /// The path of the clip's entry in the repertoire, such as `stances[0].gestures[1]`.
    pub path: String,
    #[serde(flatten)]
    label: Label,
    /// Remarks about this clip.
    pub notes: Vec<String>,
}

/// A clip that the repertoire already contains.
#[derive(Serialize)]
pub struct Skipped {
    /// The source file.
    pub file: String,
    /// The reference to the clip in the repertoire, such as `clips/wave.fbx`.
    pub clip: String,
    /// The path of the clip's entry in the repertoire, such as `stances[0].gestures[1]`.
    pub path: String,
}

/// Minimum confidence, from 0 to 1. Users are asked to check labels with a lower confidence
/// (docs/science/clip-labels.md).
pub(crate) const MIN_CONFIDENCE: f64 = 0.5;

impl Addition {
    /// Adds the clips to the draft, without writing files.
    ///
    /// # Errors
    /// If an option cannot be satisfied ([`ErrorKind::Invalid`](vivant_io::ErrorKind::Invalid)), or the repertoire
    /// would get new errors.
    pub fn plan(
        options: &LabelOptions,
        draft: &mut Draft,
        sources: Sources,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let folder = draft.folder.clone();
        let Some(before) = draft.repertoire.clone() else {
            let fault = |(path, message)| Error::new(format!("{}: {path}: {message}", draft.file.display()));
            return Err(refusal(draft.unread.iter().map(|(path, message)| fault((path, message)))));
        };
        let mut repertoire = before.clone();
        let mut warnings = draft.warnings.clone();
        warnings.extend(sources.warnings);
        let (targets, fresh, skipped) = split_sources(&folder, sources.all, &repertoire, &mut warnings)?;
        let found = suggestions(&fresh, Some(draft), progress);
        let labels = targets
            .iter()
            .zip(&fresh)
            .zip(found)
            .map(|((target, source), found)| {
                Label::new(options, &target.spelling, source.clip.duration(), found)
            })
            .collect();
        let placed = place::place(&mut repertoire, labels)?;
        let added = added(placed.labels, &fresh, &repertoire);
        draft
            .clips
            .extend(targets.iter().zip(fresh).map(|(t, source)| (t.spelling.clone(), Arc::new(source.clip))));
        check_no_new_errors(&before, &repertoire, draft)?;
        let (character, file) = (draft.name.clone(), draft.file.display().to_string());
        draft.repertoire = Some(repertoire);
        Ok(Self {
            character,
            repertoire: file,
            written: false,
            added,
            skipped,
            notes: placed.notes,
            warnings,
            targets,
        })
    }

    /// Copies the clips into the character's folder and writes the repertoire.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn write(&mut self, draft: &Draft) -> Result<()> {
        let folder = draft.folder.as_path();
        let Some(repertoire) = draft.repertoire.as_ref().filter(|_| !self.added.is_empty()) else {
            return Ok(());
        };
        let cannot = |path: &Path, error: std::io::Error| {
            Error::new(format!(
                "{}: cannot create: {error}; check the path and its permissions",
                path.display()
            ))
        };
        fs::create_dir_all(folder).map_err(|error| cannot(folder, error))?;
        for copy in self.targets.iter().flat_map(|target| &target.copies) {
            let parent = copy.to.parent().unwrap_or(folder);
            fs::create_dir_all(parent).map_err(|error| cannot(parent, error))?;
            disk::write(&copy.to, &disk::read(&copy.from)?)?;
        }
        let manifest = folder.join(MANIFEST);
        if !manifest.exists() && !draft.file.exists() {
            disk::write(&manifest, manifest_text(&draft.name).as_bytes())?;
        }
        disk::write(&draft.file, json::repertoire::write(repertoire).as_bytes())?;
        self.written = true;
        Ok(())
    }

    /// Returns the result as lines of text.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let done = match (self.written, self.added.is_empty()) {
            (_, true) => "added to",
            (true, _) => "added to",
            (false, _) => "would be added to",
        };
        let mut lines = vec![format!("{} {done} {}", count(self.added.len(), "clip"), self.repertoire)];
        if !self.added.is_empty() {
            lines.extend(self.table());
        }
        lines.extend(self.skipped.iter().map(|s| format!("  {} already exists: {}", s.clip, s.path)));
        lines.extend(self.notes.iter().map(|note| format!("note: {note}")));
        lines
    }

    fn table(&self) -> Vec<String> {
        let mut table = vec![row(["clip", "type", "stance", "hand", "confidence", "path"])];
        table.extend(self.added.iter().map(Added::cells));
        let mut rows = aligned(&table).into_iter().map(|row| format!("  {row}"));
        let mut lines: Vec<String> = rows.next().into_iter().collect();
        for (row, added) in rows.zip(&self.added) {
            lines.push(row);
            lines.extend(added.notes.iter().map(|note| format!("      note: {note}")));
        }
        lines
    }
}

impl Added {
    fn cells(&self) -> Vec<String> {
        let label = &self.label;
        let stance = match &label.to {
            Some(to) => format!("{} → {to}", label.stance),
            None => label.stance.clone(),
        };
        vec![
            label.clip.clone(),
            label.kind.name().to_owned(),
            stance,
            label.hand.map_or("–", Hand::letters).to_owned(),
            format!("{:.0} %", label.confidence * 100.0),
            self.path.clone(),
        ]
    }
}

fn added(labels: Vec<(Label, Vec<String>)>, sources: &[Source], repertoire: &Repertoire) -> Vec<Added> {
    let places = named_clips(repertoire);
    let added = |((label, mut notes), source): ((Label, Vec<String>), &Source)| {
        if label.confidence < MIN_CONFIDENCE {
            notes.push(format!("confidence only {:.0} %: check this label", label.confidence * 100.0));
        }
        Added { file: source.spelled(), path: path_of(&label, &places), label, notes }
    };
    labels.into_iter().zip(sources).map(added).collect()
}

/// Checks that the new repertoire can be read back, and that it has no errors that the old repertoire did not have.
/// The check is needed because options and file names may contain any characters.
///
/// # Errors
/// If one of these checks fails.
fn check_no_new_errors(before: &Repertoire, after: &Repertoire, draft: &Draft) -> Result<()> {
    json::repertoire::read(json::repertoire::write(after).as_bytes()).map_err(|error| refusal([error]))?;
    let known = check::errors(before, &draft.clips);
    let mut new = check::errors(after, &draft.clips);
    new.retain(|fault| !known.contains(fault));
    let is_sound = new.is_empty() || after == before;
    if is_sound { Ok(()) } else { Err(refusal(new.iter().map(|fault| Error::new(fault.to_string())))) }
}

fn refusal(faults: impl IntoIterator<Item = Error>) -> Error {
    crate::authoring::join_errors(
        faults.into_iter().chain([Error::new("Nothing was added; fix these errors first.")]),
    )
}

/// Returns the path of a labelled clip in the repertoire. If the clip appears twice, as an action and as the pose of
/// a stance, the type of the label selects the entry.
fn path_of(label: &Label, places: &[(&str, String)]) -> String {
    let list = match label.kind {
        Type::Stance => "",
        Type::Gesture => ".gestures[",
        Type::Fidget => ".fidgets[",
        Type::Transition => ".transitions[",
    };
    let own = places.iter().find(|(clip, place)| *clip == label.clip && place.contains(list));
    own.map(|(_, place)| place.trim_end_matches(".clip").to_owned()).unwrap_or_default()
}

type SplitSources = (Vec<Target>, Vec<Source>, Vec<Skipped>);

/// Splits sources into new sources with their targets, and sources that the repertoire already contains.
fn split_sources(
    folder: &Path,
    sources: Vec<Source>,
    repertoire: &Repertoire,
    warnings: &mut Vec<Warning>,
) -> Result<SplitSources> {
    let there = named_clips(repertoire);
    let mut finder = Targets::new(folder);
    let (mut targets, mut fresh, mut skipped): SplitSources = (Vec::new(), Vec::new(), Vec::new());
    for source in sources {
        let target = finder.of(&source)?;
        if targets.iter().any(|other| other.spelling == target.spelling) {
            let message = "skipped: another clip has the same name; rename it";
            warnings.push(Warning::new(WarningCode::Dropped, source.spelled(), message));
            continue;
        }
        match there.iter().find(|(clip, _)| *clip == target.spelling) {
            Some((clip, place)) => {
                let path = place.trim_end_matches(".clip").to_owned();
                skipped.push(Skipped { file: source.spelled(), clip: (*clip).to_owned(), path });
            }
            None => {
                targets.push(target);
                fresh.push(source);
            }
        }
    }
    Ok((targets, fresh, skipped))
}

/// Returns the manifest of a new character.
fn manifest_text(name: &str) -> String {
    let name = serde_json::to_string(name).unwrap_or_default();
    format!(
        "version = 1\nname = {name}\n# Put the avatar beside this file as avatar.vrm, avatar.glb or avatar.fbx, or name it:\n# \
         avatar = \"me.vrm\"\n"
    )
}
