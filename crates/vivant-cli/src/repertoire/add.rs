//! `vivant repertoire add`: clips become part of a character, labelled as their motion suggests.

pub(crate) mod label;
mod links;
pub(crate) mod place;
mod target;

use super::check::{self, Checked};
use super::sources::{Source, Sources};
use super::suggest::suggestions;
use super::table::{aligned, count, row};
use crate::args::repertoire::{Add, TypeArg};
use crate::character::sketch::Sketch;
use crate::character::{MANIFEST, named_clips};
use crate::fault::{Fault, Result};
use crate::{files, report};
use label::{Label, Wish};
use serde::Serialize;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use target::{Target, Targets};
use vivant::body::repertoire::{Hand, Repertoire};
use vivant_io::{Warning, WarningCode, json};
use vivant_learn::suggest::Type;

pub(crate) fn run(args: &Add, json: bool) -> Result<ExitCode> {
    let mut sketch = Sketch::read_or_new(&args.character)?;
    let sources = Sources::read(&args.clips).whole()?;
    fits(args, &sources)?;
    let folder = sketch.folder.clone();
    let mut addition = Addition::plan(args, &folder, &mut sketch, sources)?;
    let checked = if args.dry_run {
        Checked::of(&sketch)
    } else {
        addition.write(&folder, &sketch)?;
        Checked::of(&Sketch::read(&folder)?)
    };
    addition.print(json, &checked);
    Ok(checked.status())
}

/// Whether the flags fit each other and the clips.
fn fits(args: &Add, sources: &Sources) -> Result<()> {
    if args.name.is_some() && sources.all.len() != 1 {
        let many = count(sources.all.len(), "clip");
        return Err(Fault::new(format!("--name is for one clip, and these are {many}; add it by itself")));
    }
    if args.to.is_some() && args.kind.is_some_and(|kind| kind != TypeArg::Transition) {
        return Err(Fault::new(
            "--to is for transitions; say --as transition, or leave it out: the others end where they start",
        ));
    }
    Ok(())
}

/// What is to be added, and what became of it.
#[derive(Serialize)]
struct Addition {
    character: String,
    /// Where the repertoire is.
    repertoire: String,
    /// Nothing was, if it was only tried.
    written: bool,
    added: Vec<Added>,
    /// What was there already.
    skipped: Vec<Skipped>,
    /// What else was done, and why.
    notes: Vec<String>,
    warnings: Vec<Warning>,
    #[serde(skip)]
    targets: Vec<Target>,
}

/// A clip of the repertoire.
#[derive(Serialize)]
struct Added {
    file: String,
    path: String,
    #[serde(flatten)]
    label: Label,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct Skipped {
    file: String,
    clip: String,
    path: String,
}

/// Below this people are asked to look (docs/suggest.md).
pub(crate) const SURE: f64 = 0.5;

impl Addition {
    /// Changes the sketch to what it will be.
    fn plan(args: &Add, folder: &Path, sketch: &mut Sketch, sources: Sources) -> Result<Self> {
        let Some(before) = sketch.repertoire.clone() else {
            let fault = |(path, message)| Fault::new(format!("{}: {path}: {message}", sketch.file.display()));
            return Err(refusal(sketch.unread.iter().map(|(path, message)| fault((path, message)))));
        };
        let mut repertoire = before.clone();
        let mut warnings = sketch.warnings.clone();
        warnings.extend(sources.warnings);
        let (targets, fresh, skipped) = sorted(folder, sources.all, &repertoire, &mut warnings)?;
        let found = suggestions(&fresh, Some(sketch));
        let (wish, sources) = (Wish::from(args), targets.iter().zip(&fresh).zip(found));
        let labels = sources
            .map(|((target, source), found)| {
                Label::new(&wish, &target.spelling, source.clip.duration(), found)
            })
            .collect();
        let placed = place::place(&mut repertoire, labels)?;
        let added = added(placed.labels, &fresh, &repertoire);
        sketch
            .clips
            .extend(targets.iter().zip(fresh).map(|(t, source)| (t.spelling.clone(), Arc::new(source.clip))));
        no_worse(&before, &repertoire, sketch)?;
        let (character, file) = (sketch.name.clone(), sketch.file.display().to_string());
        sketch.repertoire = Some(repertoire);
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

    fn write(&mut self, folder: &Path, sketch: &Sketch) -> Result<()> {
        let Some(repertoire) = sketch.repertoire.as_ref().filter(|_| !self.added.is_empty()) else {
            return Ok(());
        };
        let cannot = |path: &Path, error: std::io::Error| {
            Fault::new(format!("{}: cannot be made: {error}", path.display()))
        };
        fs::create_dir_all(folder).map_err(|error| cannot(folder, error))?;
        for copy in self.targets.iter().flat_map(|target| &target.copies) {
            let parent = copy.to.parent().unwrap_or(folder);
            fs::create_dir_all(parent).map_err(|error| cannot(parent, error))?;
            files::write(&copy.to, &files::read(&copy.from)?)?;
        }
        let manifest = folder.join(MANIFEST);
        if !manifest.exists() && !sketch.file.exists() {
            files::write(&manifest, manifest_text(&sketch.name).as_bytes())?;
        }
        files::write(&sketch.file, json::repertoire::write(repertoire).as_bytes())?;
        self.written = true;
        Ok(())
    }

    fn print(&self, as_json: bool, checked: &Checked) {
        if as_json {
            let mut all = serde_json::to_value(self).unwrap_or_default();
            all["check"] = serde_json::to_value(checked).unwrap_or_default();
            return report::json(&all);
        }
        report::warnings(&self.warnings);
        self.lines().iter().for_each(|line| report::line(line));
        checked.print_faults();
    }

    fn lines(&self) -> Vec<String> {
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
fn no_worse(before: &Repertoire, after: &Repertoire, sketch: &Sketch) -> Result<()> {
    json::repertoire::read(json::repertoire::write(after).as_bytes())
        .map_err(|error| refusal([Fault::from(error)]))?;
    let known = check::errors(before, &sketch.clips);
    let mut new = check::errors(after, &sketch.clips);
    new.retain(|fault| !known.contains(fault));
    let is_sound = new.is_empty() || after == before;
    if is_sound { Ok(()) } else { Err(refusal(new.iter().map(|fault| Fault::new(fault.to_string())))) }
}

fn refusal(faults: impl IntoIterator<Item = Fault>) -> Fault {
    Fault::all(faults.into_iter().chain([Fault::new("Nothing was added; mend this first.")]))
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
