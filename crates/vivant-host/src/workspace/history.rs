//! Stores the last 200 states of the two text files of a character, so that changes can be undone, even after a
//! restart or a crash.
//!
//! ```text
//! .history/
//!   head       the list of states, the current one, and the revision
//!   12.json    a state: the texts of repertoire.json and character.toml
//!   next       the new head, while the text files are being written
//! ```
//!
//! A change writes its state, then `next`, then the text files, then `head`, and finally removes `next`. Each of
//! these writes is atomic. If `next` exists when a character is opened, the last change was interrupted. The change
//! is completed if one of the text files was already written, and discarded if both are unchanged. If the text files
//! have other contents, they were edited outside the workspace, and this edit is recorded like any other change.

use crate::character::{MANIFEST, REPERTOIRE};
use crate::disk;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use vivant_io::{Error, ErrorKind, Result};

/// The history folder inside a character's folder.
pub(super) const FOLDER: &str = ".history";
const HEAD: &str = "head";
const NEXT: &str = "next";
/// Maximum number of states kept.
const MAX_STATES: usize = 200;
/// The label of a change made outside the workspace.
pub(super) const OUTSIDE: &str = "changed outside";

/// The text files of a character; `None` means that there is no such file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) manifest: Option<String>,
    pub(super) repertoire: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    version: u32,
    revision: u64,
    /// The number of the next state. No number is used twice.
    next: u64,
    /// Index of the current state in `states`.
    at: usize,
    states: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    number: u64,
    /// The label of the change that led to this state.
    what: String,
}

/// The states of one character. Only the current state is in memory.
#[derive(Debug)]
pub(super) struct History {
    folder: PathBuf,
    head: Head,
    present: State,
    /// True if the history is on disk. Nothing is written before the first change.
    is_written: bool,
}

impl State {
    /// Reads the state from the folder.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let manifest = text(&folder.join(MANIFEST))?;
        let repertoire = text(&Self::file(folder, manifest.as_deref()))?;
        Ok(Self { manifest, repertoire })
    }

    /// Returns the path of the repertoire. The manifest determines its name, if the manifest can be read.
    pub(super) fn file(folder: &Path, manifest: Option<&str>) -> PathBuf {
        let named = manifest.and_then(|text| vivant_io::character::read(text.as_bytes()).ok());
        let named = named.and_then(|manifest| manifest.repertoire);
        let named = named.and_then(|name| disk::below(folder, &name));
        named.unwrap_or_else(|| folder.join(REPERTOIRE))
    }

    /// Writes this state to the folder. `before` is the previous state.
    fn write(&self, folder: &Path, before: &Self) -> Result<()> {
        let [from, to] = [before, self].map(|state| Self::file(folder, state.manifest.as_deref()));
        if from != to || self.repertoire != before.repertoire {
            put(&to, self.repertoire.as_deref())?;
        }
        if self.manifest != before.manifest {
            put(&folder.join(MANIFEST), self.manifest.as_deref())?;
        }
        Ok(())
    }

    /// Returns true if this state can occur while a change from the state `from` to the state `to` is being written.
    fn is_between(&self, from: &Self, to: &Self) -> bool {
        [&from.manifest, &to.manifest].contains(&&self.manifest)
            && [&from.repertoire, &to.repertoire].contains(&&self.repertoire)
    }
}

fn text(path: &Path) -> Result<Option<String>> {
    if !path.is_file() {
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(&disk::read(path)?).into_owned()))
}

fn put(path: &Path, text: Option<&str>) -> Result<()> {
    match text {
        Some(text) => Ok(disk::write(path, text.as_bytes())?),
        None if !path.exists() => Ok(()),
        None => fs::remove_file(path).map_err(|error| {
            Error::new(format!("{}: cannot remove: {error}; check its permissions", path.display()))
        }),
    }
}

impl History {
    /// Opens a character and completes an interrupted change.
    pub(super) fn open(folder: &Path) -> Result<Self> {
        let found = State::read(folder)?;
        let Some(head) = read::<Head>(&folder.join(FOLDER).join(HEAD)).filter(Head::is_valid) else {
            return Ok(Self::new_history(folder, found, 1));
        };
        let Some(present) = read_state(folder, &head) else {
            return Ok(Self::new_history(folder, found, head.revision + 1));
        };
        let mut history = Self { folder: folder.to_owned(), head, present, is_written: true };
        history.complete_interrupted(&found)?;
        history.record_outside_change(State::read(folder)?)?;
        Ok(history)
    }

    fn new_history(folder: &Path, present: State, revision: u64) -> Self {
        let states = vec![Entry { number: 1, what: String::new() }];
        let head = Head { version: 1, revision, next: 2, at: 0, states };
        Self { folder: folder.to_owned(), head, present, is_written: false }
    }

    /// Completes an interrupted change if its text files were partly written; otherwise discards it.
    fn complete_interrupted(&mut self, found: &State) -> Result<()> {
        let path = self.path(NEXT);
        if !path.exists() {
            return Ok(());
        }
        if let Some(next) = read::<Head>(&path).filter(|next| next.is_valid() && *next != self.head) {
            let target = read_state(&self.folder, &next);
            if let Some(target) =
                target.filter(|t| *found != self.present && found.is_between(&self.present, t))
            {
                target.write(&self.folder, found)?;
                self.commit(next, target)?;
            }
        }
        self.remove_unused();
        Ok(())
    }

    /// Records changes that were made outside the workspace. Returns true if there were any changes.
    pub(super) fn record_outside_change(&mut self, found: State) -> Result<bool> {
        if found == self.present {
            return Ok(false);
        }
        if self.is_written {
            self.record(OUTSIDE, found)?;
        } else {
            self.present = found;
            self.head.revision += 1;
        }
        Ok(true)
    }

    /// Records a change.
    pub(super) fn record(&mut self, what: &str, state: State) -> Result<()> {
        self.write_first_state()?;
        let mut next = self.head.clone();
        let number = next.next;
        self.write(&format!("{number}.json"), &state)?;
        next.states.truncate(next.at + 1);
        next.states.push(Entry { number, what: what.to_owned() });
        let beyond = next.states.len().saturating_sub(MAX_STATES);
        next.states.drain(..beyond);
        (next.at, next.next) = (next.states.len() - 1, number + 1);
        self.switch_to(next, state)
    }

    /// Undoes the last change. Returns the label of the change.
    pub(super) fn undo(&mut self) -> Result<String> {
        let nothing = || Error::of(ErrorKind::Invalid, "nothing left to undo");
        let at = self.head.at.checked_sub(1).ok_or_else(nothing)?;
        let what = self.head.states[self.head.at].what.clone();
        self.switch_to_index(at)?;
        Ok(what)
    }

    /// Redoes the last undone change. Returns the label of the change.
    pub(super) fn redo(&mut self) -> Result<String> {
        let at = self.head.at + 1;
        let Some(entry) = self.head.states.get(at) else {
            return Err(Error::of(ErrorKind::Invalid, "nothing to redo"));
        };
        let what = entry.what.clone();
        self.switch_to_index(at)?;
        Ok(what)
    }

    fn switch_to_index(&mut self, at: usize) -> Result<()> {
        let next = Head { at, ..self.head.clone() };
        let damaged = || {
            Error::new(format!(
                "{}: the history is damaged; delete this folder and start Vivant again",
                self.path("").display()
            ))
        };
        let state = read_state(&self.folder, &next).ok_or_else(damaged)?;
        self.switch_to(next, state)
    }

    fn switch_to(&mut self, mut next: Head, state: State) -> Result<()> {
        next.revision += 1;
        self.write(NEXT, &next)?;
        let found = State::read(&self.folder)?;
        state.write(&self.folder, &found)?;
        self.commit(next, state)?;
        self.remove_unused();
        Ok(())
    }

    fn commit(&mut self, next: Head, state: State) -> Result<()> {
        self.write(HEAD, &next)?;
        (self.head, self.present, self.is_written) = (next, state, true);
        Ok(())
    }

    /// Writes the first state, so that the first change can be undone.
    fn write_first_state(&mut self) -> Result<()> {
        if self.is_written {
            return Ok(());
        }
        let path = self.path("");
        fs::create_dir_all(&path).map_err(|error| {
            Error::new(format!(
                "{}: cannot create: {error}; check the path and its permissions",
                path.display()
            ))
        })?;
        let first = self.head.states[0].number;
        self.write(&format!("{first}.json"), &self.present)?;
        self.write(HEAD, &self.head)?;
        self.is_written = true;
        Ok(())
    }

    /// Removes unused files. Errors are ignored, since unused files are harmless.
    fn remove_unused(&self) {
        let _ = fs::remove_file(self.path(NEXT));
        for entry in fs::read_dir(self.path("")).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let number = name.strip_suffix(".json").and_then(|number| number.parse::<u64>().ok());
            let is_lost = number.is_some_and(|n| self.head.states.iter().all(|entry| entry.number != n));
            if is_lost || is_part(&name) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(FOLDER).join(name)
    }

    fn write(&self, name: &str, value: &impl Serialize) -> Result<()> {
        let text = serde_json::to_vec(value).map_err(|error| Error::new(error.to_string()))?;
        disk::write(&self.path(name), &text)
    }

    pub(super) fn present(&self) -> &State {
        &self.present
    }

    pub(super) fn revision(&self) -> u64 {
        self.head.revision
    }

    /// Returns the label of the change that can be undone.
    pub(super) fn undo_label(&self) -> Option<&str> {
        (self.head.at > 0).then(|| self.head.states[self.head.at].what.as_str())
    }

    /// Returns the label of the change that can be redone.
    pub(super) fn redo_label(&self) -> Option<&str> {
        self.head.states.get(self.head.at + 1).map(|entry| entry.what.as_str())
    }
}

impl Head {
    fn is_valid(&self) -> bool {
        self.version == 1 && self.at < self.states.len() && self.states.len() <= MAX_STATES + 1
    }
}

/// Returns true for a temporary file left by a crash.
pub(super) fn is_part(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(".part")
}

/// Reads a JSON file; `None` if it is missing or unreadable.
fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&disk::read(path).ok()?).ok()
}

fn read_state(folder: &Path, head: &Head) -> Option<State> {
    let number = head.states.get(head.at)?.number;
    read(&folder.join(FOLDER).join(format!("{number}.json")))
}

#[cfg(test)]
mod tests;
