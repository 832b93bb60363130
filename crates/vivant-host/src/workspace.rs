//! A folder of characters that people edit, with undo and previews.
//!
//! This is the part of a server that lasts; nothing here knows of HTTP. Every character has a revision, which grows with
//! each change. An edit of an older revision is refused.

mod avatar;
mod entry;
mod fixed;
mod history;
mod making;
mod manifest;
mod names;
mod placing;
mod proposals;
mod shelf;
mod upload;
mod view;

use crate::character::BUILT_IN;
use crate::imported::{ImportedFile, pose_at};
use crate::{BoundCharacter, RigInfo};
use entry::Entry;
use fixed::Fixed;
use shelf::Shelf;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
pub use upload::{MAX_BYTES as MAX_UPLOAD_BYTES, too_large};
use view::View;
use vivant::clip::Clip;
use vivant::rig::{Bone, Rig};
use vivant_io::json::protocol::frame::Frame;
use vivant_io::json::protocol::{Changed, api};
use vivant_io::json::words;
use vivant_io::{Error, ErrorKind, Result};

/// The id of a cast that is not a folder.
const CAST: &str = "cast";

/// The character that a workspace begins with.
#[derive(Clone, Debug, Default)]
pub struct FirstCharacter {
    /// A character's folder, an avatar's file, or `builtin`.
    pub character: Option<PathBuf>,
    /// An avatar, if there is no character; `builtin` for the built-in one.
    pub avatar: PathBuf,
    /// Clips for the avatar.
    pub clips: Vec<PathBuf>,
}

/// A subscriber to changes.
type Subscriber = Box<dyn Fn(&Changed) + Send + Sync>;

/// All characters that a server knows.
pub struct Workspace {
    /// Where new characters are made. There may be no such folder yet.
    home: PathBuf,
    /// A folder that is elsewhere.
    named: Option<PathBuf>,
    cast: Option<Fixed>,
    /// Whether the cast is the built-in character.
    begins_built_in: bool,
    built_in: Fixed,
    entries: Mutex<BTreeMap<String, Arc<Entry>>>,
    shelf: Arc<Shelf>,
    /// One is made after the other, so that no two get the same folder.
    making: Mutex<()>,
    subscribers: Mutex<Vec<Subscriber>>,
}

/// A character that can perform, at one revision.
pub struct Ready {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The revision of the character.
    pub revision: u64,
    /// The revision of the avatar.
    pub avatar_revision: u64,
    /// The avatar's file.
    pub avatar: Arc<ImportedFile>,
    /// What a viewer needs to know of the avatar.
    pub info: Arc<RigInfo>,
    /// What performers are made of.
    pub bound: BoundCharacter,
}

impl Ready {
    /// Returns the avatar's rig.
    #[must_use]
    pub fn rig(&self) -> &Rig {
        self.bound.library.rig()
    }
}

/// A character: one that cannot be changed, or a folder.
enum Whom<'a> {
    Fixed(&'a Fixed),
    Folder(Arc<Entry>),
}

impl Workspace {
    /// Opens a folder of characters, with the character to begin with.
    ///
    /// # Errors
    /// If a file of the cast does not exist.
    pub fn open(home: PathBuf, cast: &FirstCharacter) -> Result<Self> {
        let mut named = None;
        let mut fixed = None;
        match &cast.character {
            Some(path) if path.as_os_str() == BUILT_IN => {}
            Some(path) if is_avatar(path) => fixed = Some(Fixed::cast(path, &[])?),
            Some(path) => named = Some(crate::character::folder(path)?),
            None if cast.avatar.as_os_str() == BUILT_IN && cast.clips.is_empty() => {}
            None => fixed = Some(Fixed::cast(&cast.avatar, &cast.clips)?),
        }
        let workspace = Self {
            home,
            named,
            cast: fixed,
            begins_built_in: cast.character.as_deref().is_some_and(|path| path.as_os_str() == BUILT_IN),
            built_in: Fixed::built_in(),
            entries: Mutex::default(),
            shelf: Arc::default(),
            making: Mutex::default(),
            subscribers: Mutex::default(),
        };
        workspace.look();
        Ok(workspace)
    }

    /// Returns the id of the character to begin with: the cast, or the one that was edited last.
    #[must_use]
    pub fn first(&self) -> String {
        if self.begins_built_in {
            return BUILT_IN.into();
        }
        if self.cast.is_some() {
            return CAST.into();
        }
        let all = self.look();
        let own = |entry: &&Arc<Entry>| self.named.as_deref().is_none_or(|named| entry.folder == named);
        let newest = all.values().filter(own).max_by_key(|entry| entry.edited());
        newest.map_or_else(|| BUILT_IN.into(), |entry| entry.id.clone())
    }

    /// Returns a character that can perform; the same one until it changes.
    ///
    /// # Errors
    /// If there is no such character.
    pub fn ready(&self, id: &str) -> Result<Arc<Ready>> {
        match self.whom(id)? {
            Whom::Fixed(fixed) => Ok(fixed.ready()),
            Whom::Folder(entry) => entry.ready(&self.shelf),
        }
    }

    /// Returns a clip of a character, for previews.
    ///
    /// # Errors
    /// If there is no such character or clip.
    pub fn clip(&self, id: &str, spelling: &str) -> Result<Clip> {
        let (view, _) = self.view(id)?;
        let clip = view.clips.get(spelling).map(|clip| Clip::clone(clip));
        clip.ok_or_else(|| no_clip(&view, spelling))
    }

    /// Calls a function after every change of a character. It must not block.
    pub fn on_change(&self, subscriber: impl Fn(&Changed) + Send + Sync + 'static) {
        self.subscribers.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(subscriber));
    }

    /// Returns all characters, the read-only ones first.
    #[must_use]
    pub fn list(&self) -> Vec<api::CharacterSummary> {
        let fixed = self.fixed().map(Fixed::summary);
        let all = self.look();
        fixed.chain(all.values().map(|entry| entry.summary())).collect()
    }

    /// Returns everything about a character.
    ///
    /// # Errors
    /// If there is no such character.
    pub fn character(&self, id: &str) -> Result<api::Character> {
        match self.whom(id)? {
            Whom::Fixed(fixed) => Ok(fixed.character()),
            Whom::Folder(entry) => entry.character(&self.shelf),
        }
    }

    /// Makes a change.
    ///
    /// # Errors
    /// If there is no such character, it is read-only, there is a newer revision, or the change is invalid.
    pub fn edit(&self, id: &str, edit: &api::Edit) -> Result<api::Character> {
        let entry = self.own(id)?;
        let character = entry.edit(edit, &self.shelf)?;
        self.tell(&character);
        Ok(character)
    }

    /// Puts clips where they belong.
    ///
    /// # Errors
    /// As [`Self::edit`].
    pub fn place(&self, id: &str, place: &api::Place) -> Result<api::Placed> {
        let entry = self.own(id)?;
        let placed = entry.place(place, &self.shelf)?;
        self.tell(&placed.character);
        Ok(placed)
    }

    /// Undoes the last change.
    ///
    /// # Errors
    /// If there is nothing to undo, or as [`Self::edit`].
    pub fn undo(&self, id: &str) -> Result<api::Character> {
        self.travel(id, true)
    }

    /// Redoes the change that was undone last.
    ///
    /// # Errors
    /// If there is nothing to redo, or as [`Self::edit`].
    pub fn redo(&self, id: &str) -> Result<api::Character> {
        self.travel(id, false)
    }

    fn travel(&self, id: &str, back: bool) -> Result<api::Character> {
        let character = self.own(id)?.travel(back, &self.shelf)?;
        self.tell(&character);
        Ok(character)
    }

    /// Adds a file with motion.
    ///
    /// # Errors
    /// If it cannot be read, or as [`Self::edit`].
    pub fn add_clips(&self, id: &str, name: &str, bytes: Vec<u8>) -> Result<api::Uploaded> {
        self.own(id)?.add_clips(name, bytes, &self.shelf)
    }

    /// Replaces the avatar.
    ///
    /// # Errors
    /// If it cannot be read, or as [`Self::edit`].
    pub fn set_avatar(&self, id: &str, name: &str, bytes: Vec<u8>) -> Result<api::Character> {
        let character = self.own(id)?.set_avatar(name, bytes, &self.shelf)?;
        self.tell(&character);
        Ok(character)
    }

    /// Returns what clips seem to be that the repertoire does not use.
    ///
    /// # Errors
    /// If there is no such character.
    pub fn proposals(&self, id: &str) -> Result<Vec<api::Proposal>> {
        match self.whom(id)? {
            Whom::Fixed(_) => Ok(Vec::new()),
            Whom::Folder(entry) => entry.proposals(&self.shelf),
        }
    }

    /// Returns the file that the avatar is shown with, and its revision.
    ///
    /// # Errors
    /// If there is no such character, or only bones to be shown.
    pub fn avatar(&self, id: &str) -> Result<(Arc<[u8]>, u64)> {
        let (view, _) = self.view(id)?;
        Ok((view.avatar.shown()?, view.avatar.revision))
    }

    /// Returns one instant of a clip on a character's avatar.
    ///
    /// # Errors
    /// If there is no such character or clip.
    pub fn pose(&self, id: &str, spelling: &str, seconds: f64) -> Result<Frame> {
        let (view, _) = self.view(id)?;
        let clip = view.clips.get(spelling).ok_or_else(|| no_clip(&view, spelling))?;
        Ok(moment(clip, seconds, view.bound.library.rig()))
    }

    /// Returns the folder of the characters.
    #[must_use]
    pub fn home(&self) -> &Path {
        &self.home
    }

    fn view(&self, id: &str) -> Result<(Arc<View>, u64)> {
        match self.whom(id)? {
            Whom::Fixed(fixed) => Ok((fixed.view(), 1)),
            Whom::Folder(entry) => entry.view(&self.shelf),
        }
    }

    fn fixed(&self) -> impl Iterator<Item = &Fixed> {
        std::iter::once(&self.built_in).chain(&self.cast)
    }

    fn whom(&self, id: &str) -> Result<Whom<'_>> {
        if let Some(fixed) = self.fixed().find(|fixed| fixed.id == id) {
            return Ok(Whom::Fixed(fixed));
        }
        let known = self.lock().get(id).cloned().filter(|entry| entry.folder.is_dir());
        let all = if known.is_none() { self.look() } else { BTreeMap::new() };
        let found = known.or_else(|| all.get(id).cloned());
        found.map(Whom::Folder).ok_or_else(|| {
            let names = self.fixed().map(|fixed| fixed.id).chain(all.keys().map(String::as_str));
            let hint = words::hint(id, names.collect::<Vec<_>>());
            Error::of(ErrorKind::NotFound, format!("there is no character `{}`; {hint}", words::short(id)))
        })
    }

    /// One that may be changed.
    fn own(&self, id: &str) -> Result<Arc<Entry>> {
        match self.whom(id)? {
            Whom::Folder(entry) => Ok(entry),
            Whom::Fixed(fixed) => {
                let message =
                    format!("“{}” cannot be changed; make a copy of it, and change that", fixed.name);
                Err(Error::of(ErrorKind::ReadOnly, message))
            }
        }
    }

    fn tell(&self, character: &api::Character) {
        let changed = Changed { character: character.id.clone(), revision: character.revision };
        let subscribers = self.subscribers.lock().unwrap_or_else(PoisonError::into_inner);
        subscribers.iter().for_each(|subscriber| subscriber(&changed));
    }

    /// Looks which folders there are. Those that were known keep their ids.
    fn look(&self) -> BTreeMap<String, Arc<Entry>> {
        let mut entries = self.lock();
        entries.retain(|_, entry| entry.folder.is_dir());
        // The folder of the cast may be one of them.
        let is_named = |folder: &Path| self.named.as_deref().is_some_and(|named| is_same(named, folder));
        let folders = names::characters(&self.home).into_iter().filter(|folder| !is_named(folder));
        for folder in self.named.clone().into_iter().chain(folders) {
            if !entries.values().any(|entry| entry.folder == folder) {
                let called = crate::character::called(&folder);
                let id = names::unique(&names::slug(&called), |id| is_taken(id, &entries));
                entries.insert(id.clone(), Arc::new(Entry::new(id, folder)));
            }
        }
        entries.clone()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Entry>>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_taken(id: &str, entries: &BTreeMap<String, Arc<Entry>>) -> bool {
    [BUILT_IN, CAST].contains(&id) || entries.contains_key(id)
}

fn is_same(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Whether a path names a body, and not a character's folder.
fn is_avatar(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    path.is_file() && ["vrm", "glb", "gltf", "fbx"].contains(&ending.as_str())
}

fn no_clip(view: &View, spelling: &str) -> Error {
    let hint = words::hint(spelling, view.clips.keys().map(String::as_str).collect::<Vec<_>>());
    Error::of(
        ErrorKind::NotFound,
        format!("there is no clip `{}` that can be read; {hint}", words::short(spelling)),
    )
}

/// A moment of a clip on a rig; what the clip does not move is as in the neutral pose.
fn moment(clip: &Clip, seconds: f64, rig: &Rig) -> Frame {
    let (clip, _) = clip.anchored().fitted_to(rig);
    let mut shown = vec![0.0; clip.channels().len()];
    let time = if seconds.is_finite() { seconds.clamp(0.0, clip.duration()) } else { 0.0 };
    let pose = pose_at(&clip, time, rig, &mut shown);
    let mut weights = vec![0.0; rig.channels().len()];
    for (channel, weight) in clip.channels().iter().zip(shown) {
        if let Some(at) = rig.channels().iter().position(|own| own == channel) {
            weights[at] = weight;
        }
    }
    Frame {
        time,
        root: pose.root.to_array(),
        rotations: Bone::ALL.iter().map(|bone| pose.rotations.get(*bone).to_array()).collect(),
        weights,
        ..Frame::default()
    }
}

#[cfg(test)]
mod tests;
