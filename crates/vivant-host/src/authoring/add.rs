//! Adds clips to a character, labelled as their motion suggests.

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
use label::{Label, Wish};
use serde::Serialize;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use target::{Target, Targets};
use vivant::body::repertoire::{Hand, Repertoire};
use vivant_io::{Error, Result};
use vivant_io::{Warning, WarningCode, json};
use vivant_learn::suggest::Type;

/// Clips that are added to a character, to be written as JSON; the keys are stable.
#[derive(Serialize)]
pub struct Addition {
    /// The character's name.
    pub character: String,
    /// The file of the repertoire.
    pub repertoire: String,
    /// Whether the files were written.
    pub written: bool,
    /// The clips.
    pub added: Vec<Added>,
    /// Clips that the repertoire has already.
    pub skipped: Vec<Skipped>,
    /// What else was done, and why.
    pub notes: Vec<String>,
    /// What was left out.
    pub warnings: Vec<Warning>,
    #[serde(skip)]
    targets: Vec<Target>,
}

/// A clip that is added.
#[derive(Serialize)]
pub struct Added {
    /// The file it came from.
    pub file: String,
    /// Its place in the repertoire.
    pub path: String,
    #[serde(flatten)]
    label: Label,
    /// What is remarkable about it.
    pub notes: Vec<String>,
}

/// A clip that the repertoire has already.
#[derive(Serialize)]
pub struct Skipped {
    /// The file it came from.
    pub file: String,
    /// Its name in the repertoire.
    pub clip: String,
    /// Its place in the repertoire.
    pub path: String,
}

/// Below this people are asked to look (docs/suggest.md).
pub(crate) const SURE: f64 = 0.5;

impl Addition {
    /// Changes the draft to what it will be, and writes nothing.
    ///
    /// # Errors
    /// If a wish cannot be fulfilled ([`ErrorKind::Invalid`](vivant_io::ErrorKind::Invalid)), or the repertoire would
    /// get new faults.
    pub fn plan(wish: &Wish, draft: &mut Draft, sources: Sources, progress: Progress<'_>) -> Result<Self> {
        let folder = draft.folder.clone();
        let Some(before) = draft.repertoire.clone() else {
            let fault = |(path, message)| Error::new(format!("{}: {path}: {message}", draft.file.display()));
            return Err(refusal(draft.unread.iter().map(|(path, message)| fault((path, message)))));
        };
        let mut repertoire = before.clone();
        let mut warnings = draft.warnings.clone();
        warnings.extend(sources.warnings);
        let (targets, fresh, skipped) = sorted(&folder, sources.all, &repertoire, &mut warnings)?;
        let found = suggestions(&fresh, Some(draft), progress);
        let labels = targets
            .iter()
            .zip(&fresh)
            .zip(found)
            .map(|((target, source), found)| {
                Label::new(wish, &target.spelling, source.clip.duration(), found)
            })
            .collect();
        let placed = place::place(&mut repertoire, labels)?;
        let added = added(placed.labels, &fresh, &repertoire);
        draft
            .clips
            .extend(targets.iter().zip(fresh).map(|(t, source)| (t.spelling.clone(), Arc::new(source.clip))));
        no_worse(&before, &repertoire, draft)?;
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

    /// Copies the clips into the character's folder and writes its repertoire.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn write(&mut self, draft: &Draft) -> Result<()> {
        let folder = draft.folder.as_path();
        let Some(repertoire) = draft.repertoire.as_ref().filter(|_| !self.added.is_empty()) else {
            return Ok(());
        };
        let cannot = |path: &Path, error: std::io::Error| {
            Error::new(format!("{}: cannot be made: {error}", path.display()))
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

    /// Returns what was added as lines of text.
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
        lines.extend(self.skipped.iter().map(|s| format!("  {} is there already: {}", s.clip, s.path)));
        lines.extend(self.notes.iter().map(|note| format!("note: {note}")));
        lines
    }

    fn table(&self) -> Vec<String> {
        let mut table = vec![row(["clip", "as", "stance", "hand", "sure", "where"])];
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
        if label.confidence < SURE {
            notes.push(format!("only {:.0} % sure: look at it", label.confidence * 100.0));
        }
        Added { file: source.spelled(), path: path_of(&label, &places), label, notes }
    };
    labels.into_iter().zip(sources).map(added).collect()
}

/// # Errors
/// If the new repertoire could not be read again, or has errors that the old one had not: flags and names
/// of files may be anything.
fn no_worse(before: &Repertoire, after: &Repertoire, draft: &Draft) -> Result<()> {
    json::repertoire::read(json::repertoire::write(after).as_bytes()).map_err(|error| refusal([error]))?;
    let known = check::errors(before, &draft.clips);
    let mut new = check::errors(after, &draft.clips);
    new.retain(|fault| !known.contains(fault));
    let is_sound = new.is_empty() || after == before;
    if is_sound { Ok(()) } else { Err(refusal(new.iter().map(|fault| Error::new(fault.to_string())))) }
}

fn refusal(faults: impl IntoIterator<Item = Error>) -> Error {
    crate::authoring::joined(faults.into_iter().chain([Error::new("Nothing was added; mend this first.")]))
}

/// Where a label went. A stance may hold a pose of the same clip, too.
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

type Sorted = (Vec<Target>, Vec<Source>, Vec<Skipped>);

/// What is new, where it goes, and what is there already.
fn sorted(
    folder: &Path,
    sources: Vec<Source>,
    repertoire: &Repertoire,
    warnings: &mut Vec<Warning>,
) -> Result<Sorted> {
    let there = named_clips(repertoire);
    let mut finder = Targets::new(folder);
    let (mut targets, mut fresh, mut skipped): Sorted = (Vec::new(), Vec::new(), Vec::new());
    for source in sources {
        let target = finder.of(&source)?;
        if targets.iter().any(|other| other.spelling == target.spelling) {
            let message = "is left out: it is the second clip of this name; rename it";
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

/// The manifest of a new character.
fn manifest_text(name: &str) -> String {
    let name = serde_json::to_string(name).unwrap_or_default();
    format!(
        "version = 1\nname = {name}\n# Put the avatar beside this file as avatar.vrm, avatar.glb or avatar.fbx, or name it:\n# \
         avatar = \"me.vrm\"\n"
    )
}
