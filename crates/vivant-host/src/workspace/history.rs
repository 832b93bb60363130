//! What a character was: every state of its two texts, so that any change can be taken back, also after a
//! restart and after a kill at any instant.
//!
//! ```text
//! .history/
//!   head       which states there are, which one is present, and the revision
//!   12.json    a state: the texts of repertoire.json and character.toml
//!   next       the head that is about to be, while the texts are being written
//! ```
//!
//! A change writes its state, then `next`, then the texts, then `head`, and takes `next` away. Each of these
//! is whole or not there at all. Whoever finds a `next` goes on with it if the texts are on the way from one
//! state to the other; if they are still as they were, nothing happened. Texts that are neither were changed
//! by somebody else, which is a change like any other.

use crate::character::{MANIFEST, REPERTOIRE};
use crate::disk;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use vivant_io::{Error, ErrorKind, Result};

/// The folder in a character's folder.
pub(super) const FOLDER: &str = ".history";
const HEAD: &str = "head";
const NEXT: &str = "next";
/// How many states are kept.
const MOST: usize = 200;
/// What a change is called that was made by somebody else.
pub(super) const OUTSIDE: &str = "changed outside";

/// The texts that make a character. What is `None` is no file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) manifest: Option<String>,
    pub(super) repertoire: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    version: u32,
    revision: u64,
    /// The number that the next state gets; none is used twice.
    next: u64,
    /// The place of the present state in the list.
    at: usize,
    states: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    number: u64,
    /// What led to it.
    what: String,
}

/// The states of one character, the present one in memory.
#[derive(Debug)]
pub(super) struct History {
    folder: PathBuf,
    head: Head,
    present: State,
    /// Nothing is written before the first change.
    is_written: bool,
}

impl State {
    /// As the folder has it.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let manifest = text(&folder.join(MANIFEST))?;
        let repertoire = text(&Self::file(folder, manifest.as_deref()))?;
        Ok(Self { manifest, repertoire })
    }

    /// Where the repertoire is: as the manifest says, if it can be read.
    pub(super) fn file(folder: &Path, manifest: Option<&str>) -> PathBuf {
        let named = manifest.and_then(|text| vivant_io::character::read(text.as_bytes()).ok());
        let named = named.and_then(|manifest| manifest.repertoire);
        let named = named.and_then(|name| disk::below(folder, &name));
        named.unwrap_or_else(|| folder.join(REPERTOIRE))
    }

    /// Makes the folder as this is, where it was as `before`.
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

    /// Whether this can be found on the way from one state to another.
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
        None => fs::remove_file(path)
            .map_err(|error| Error::new(format!("{}: cannot be removed: {error}", path.display()))),
    }
}

impl History {
    /// Opens a character, and ends what was begun before.
    pub(super) fn open(folder: &Path) -> Result<Self> {
        let found = State::read(folder)?;
        let Some(head) = read::<Head>(&folder.join(FOLDER).join(HEAD)).filter(Head::is_sound) else {
            return Ok(Self::fresh(folder, found, 1));
        };
        let Some(present) = read_state(folder, &head) else {
            return Ok(Self::fresh(folder, found, head.revision + 1));
        };
        let mut history = Self { folder: folder.to_owned(), head, present, is_written: true };
        history.end_begun(&found)?;
        history.notice(State::read(folder)?)?;
        Ok(history)
    }

    fn fresh(folder: &Path, present: State, revision: u64) -> Self {
        let states = vec![Entry { number: 1, what: String::new() }];
        let head = Head { version: 1, revision, next: 2, at: 0, states };
        Self { folder: folder.to_owned(), head, present, is_written: false }
    }

    /// A change that was killed is finished if its texts are on the way, and forgotten if they are not.
    fn end_begun(&mut self, found: &State) -> Result<()> {
        let path = self.path(NEXT);
        if !path.exists() {
            return Ok(());
        }
        if let Some(next) = read::<Head>(&path).filter(|next| next.is_sound() && *next != self.head) {
            let target = read_state(&self.folder, &next);
            if let Some(target) =
                target.filter(|t| *found != self.present && found.is_between(&self.present, t))
            {
                target.write(&self.folder, found)?;
                self.settle(next, target)?;
            }
        }
        self.tidy();
        Ok(())
    }

    /// What somebody else wrote is a change, too. Says whether there was one.
    pub(super) fn notice(&mut self, found: State) -> Result<bool> {
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

    /// Makes a change.
    pub(super) fn record(&mut self, what: &str, state: State) -> Result<()> {
        self.begin()?;
        let mut next = self.head.clone();
        let number = next.next;
        self.write(&format!("{number}.json"), &state)?;
        next.states.truncate(next.at + 1);
        next.states.push(Entry { number, what: what.to_owned() });
        let beyond = next.states.len().saturating_sub(MOST);
        next.states.drain(..beyond);
        (next.at, next.next) = (next.states.len() - 1, number + 1);
        self.go(next, state)
    }

    /// Takes the last change back.
    pub(super) fn undo(&mut self) -> Result<String> {
        let nothing = || Error::of(ErrorKind::Invalid, "there is nothing left to undo");
        let at = self.head.at.checked_sub(1).ok_or_else(nothing)?;
        let what = self.head.states[self.head.at].what.clone();
        self.go_to(at)?;
        Ok(what)
    }

    /// Makes the last change again that was taken back.
    pub(super) fn redo(&mut self) -> Result<String> {
        let at = self.head.at + 1;
        let Some(entry) = self.head.states.get(at) else {
            return Err(Error::of(ErrorKind::Invalid, "there is nothing to redo"));
        };
        let what = entry.what.clone();
        self.go_to(at)?;
        Ok(what)
    }

    fn go_to(&mut self, at: usize) -> Result<()> {
        let next = Head { at, ..self.head.clone() };
        let damaged = || Error::new(format!("{}: this history is damaged", self.path("").display()));
        let state = read_state(&self.folder, &next).ok_or_else(damaged)?;
        self.go(next, state)
    }

    fn go(&mut self, mut next: Head, state: State) -> Result<()> {
        next.revision += 1;
        self.write(NEXT, &next)?;
        let found = State::read(&self.folder)?;
        state.write(&self.folder, &found)?;
        self.settle(next, state)?;
        self.tidy();
        Ok(())
    }

    fn settle(&mut self, next: Head, state: State) -> Result<()> {
        self.write(HEAD, &next)?;
        (self.head, self.present, self.is_written) = (next, state, true);
        Ok(())
    }

    /// The first change needs a state to go back to.
    fn begin(&mut self) -> Result<()> {
        if self.is_written {
            return Ok(());
        }
        let path = self.path("");
        fs::create_dir_all(&path)
            .map_err(|error| Error::new(format!("{}: cannot be made: {error}", path.display())))?;
        let first = self.head.states[0].number;
        self.write(&format!("{first}.json"), &self.present)?;
        self.write(HEAD, &self.head)?;
        self.is_written = true;
        Ok(())
    }

    /// What no state is left in. What cannot be removed does no harm.
    fn tidy(&self) {
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

    /// What can be undone.
    pub(super) fn undo_label(&self) -> Option<&str> {
        (self.head.at > 0).then(|| self.head.states[self.head.at].what.as_str())
    }

    /// What can be redone.
    pub(super) fn redo_label(&self) -> Option<&str> {
        self.head.states.get(self.head.at + 1).map(|entry| entry.what.as_str())
    }
}

impl Head {
    fn is_sound(&self) -> bool {
        self.version == 1 && self.at < self.states.len() && self.states.len() <= MOST + 1
    }
}

/// What a kill leaves of a file that was being written.
pub(super) fn is_part(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(".part")
}

/// A file as it was written; what cannot be read is as good as not there.
fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&disk::read(path).ok()?).ok()
}

fn read_state(folder: &Path, head: &Head) -> Option<State> {
    let number = head.states.get(head.at)?.number;
    read(&folder.join(FOLDER).join(format!("{number}.json")))
}

#[cfg(test)]
mod tests;
