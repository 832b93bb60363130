//! A folder of characters that users edit, with undo and previews.
//!
//! This is the persistent part of a server, without HTTP. Every character has a revision number, which increases with
//! each change. An edit that is based on an older revision is rejected.

mod avatar;
mod cache;
mod creating;
mod entry;
mod fixed;
mod history;
mod manifest;
mod names;
mod placing;
mod proposals;
mod upload;
mod view;

use crate::character::BUILT_IN;
use crate::imported::{ImportedFile, pose_at};
use crate::{BoundCharacter, RigInfo};
use cache::FileCache;
use entry::Entry;
use fixed::Fixed;
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

/// The id of the first character if it is an avatar file and not a folder.
const CAST: &str = "cast";

/// The character that a workspace starts with.
#[derive(Clone, Debug, Default)]
pub struct FirstCharacter {
    /// A character's folder, an avatar file, or `builtin`.
    pub character: Option<PathBuf>,
    /// An avatar file, used if no character is given; `builtin` is the built-in avatar.
    pub avatar: PathBuf,
    /// Clips for the avatar.
    pub clips: Vec<PathBuf>,
}

/// A function that is called after every change of a character.
type Subscriber = Box<dyn Fn(&Changed) + Send + Sync>;

/// All characters known to a server.
pub struct Workspace {
    /// The folder for new characters. It may not exist yet.
    home: PathBuf,
    /// The folder of the first character, if the user gave one. It may be outside the home folder.
    named: Option<PathBuf>,
    cast: Option<Fixed>,
    /// True if the user chose the built-in character as the first character.
    starts_built_in: bool,
    built_in: Fixed,
    entries: Mutex<BTreeMap<String, Arc<Entry>>>,
    cache: Arc<FileCache>,
    /// Locked while a character is created, so that two characters never get the same folder.
    creating: Mutex<()>,
    subscribers: Mutex<Vec<Subscriber>>,
}

/// A character at one revision, ready to perform.
pub struct Ready {
    /// The id of the character.
    pub id: String,
    /// The name of the character.
    pub name: String,
    /// The revision of the character.
    pub revision: u64,
    /// The revision of the avatar.
    pub avatar_revision: u64,
    /// The avatar's file.
    pub avatar: Arc<ImportedFile>,
    /// Description of the avatar for viewers.
    pub info: Arc<RigInfo>,
    /// The bound character, for creating performers.
    pub bound: BoundCharacter,
}

impl Ready {
    /// Returns the avatar's rig.
    #[must_use]
    pub fn rig(&self) -> &Rig {
        self.bound.library.rig()
    }
}

/// A reference to a character, which is either read-only or in a folder.
enum CharacterRef<'a> {
    Fixed(&'a Fixed),
    Folder(Arc<Entry>),
}

impl Workspace {
    /// Opens a folder of characters. `cast` is the first character.
    ///
    /// # Errors
    /// If the folder of the first character does not exist, or its avatar or clips cannot be read.
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
            starts_built_in: cast.character.as_deref().is_some_and(|path| path.as_os_str() == BUILT_IN),
            built_in: Fixed::built_in(),
            entries: Mutex::default(),
            cache: Arc::default(),
            creating: Mutex::default(),
            subscribers: Mutex::default(),
        };
        workspace.scan();
        Ok(workspace)
    }

    /// Returns the id of the first character: the given character, or else the character that was edited last, or
    /// else the built-in character.
    #[must_use]
    pub fn first(&self) -> String {
        if self.starts_built_in {
            return BUILT_IN.into();
        }
        if self.cast.is_some() {
            return CAST.into();
        }
        let all = self.scan();
        let editable = |entry: &&Arc<Entry>| self.named.as_deref().is_none_or(|named| entry.folder == named);
        let newest = all.values().filter(editable).max_by_key(|entry| entry.edited());
        newest.map_or_else(|| BUILT_IN.into(), |entry| entry.id.clone())
    }

    /// Returns a character that is ready to perform. Repeated calls return the same value until the character
    /// changes.
    ///
    /// # Errors
    /// If there is no such character.
    pub fn ready(&self, id: &str) -> Result<Arc<Ready>> {
        match self.find(id)? {
            CharacterRef::Fixed(fixed) => Ok(fixed.ready()),
            CharacterRef::Folder(entry) => entry.ready(&self.cache),
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

    /// Registers a function that is called after every change of a character. It must not block.
    pub fn on_change(&self, subscriber: impl Fn(&Changed) + Send + Sync + 'static) {
        self.subscribers.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(subscriber));
    }

    /// Returns all characters, read-only ones first.
    #[must_use]
    pub fn list(&self) -> Vec<api::CharacterSummary> {
        let fixed = self.fixed().map(Fixed::summary);
        let all = self.scan();
        fixed.chain(all.values().map(|entry| entry.summary())).collect()
    }

    /// Returns all information about a character.
    ///
    /// # Errors
    /// If there is no such character.
    pub fn character(&self, id: &str) -> Result<api::Character> {
        match self.find(id)? {
            CharacterRef::Fixed(fixed) => Ok(fixed.character()),
            CharacterRef::Folder(entry) => entry.character(&self.cache),
        }
    }

    /// Applies a change to a character.
    ///
    /// # Errors
    /// If there is no such character, the character is read-only, there is a newer revision, or the change is
    /// invalid.
    pub fn edit(&self, id: &str, edit: &api::Edit) -> Result<api::Character> {
        let entry = self.editable(id)?;
        let character = entry.edit(edit, &self.cache)?;
        self.notify(&character);
        Ok(character)
    }

    /// Adds clips to the repertoire, or moves them. If the request does not give the type or the stance, suggestions
    /// are used.
    ///
    /// # Errors
    /// As for [`Self::edit`].
    pub fn place(&self, id: &str, place: &api::Place) -> Result<api::Placed> {
        let entry = self.editable(id)?;
        let placed = entry.place(place, &self.cache)?;
        self.notify(&placed.character);
        Ok(placed)
    }

    /// Undoes the last change.
    ///
    /// # Errors
    /// If there is nothing to undo, or as for [`Self::edit`].
    pub fn undo(&self, id: &str) -> Result<api::Character> {
        self.undo_or_redo(id, true)
    }

    /// Redoes the last undone change.
    ///
    /// # Errors
    /// If there is nothing to redo, or as for [`Self::edit`].
    pub fn redo(&self, id: &str) -> Result<api::Character> {
        self.undo_or_redo(id, false)
    }

    fn undo_or_redo(&self, id: &str, back: bool) -> Result<api::Character> {
        let character = self.editable(id)?.undo_or_redo(back, &self.cache)?;
        self.notify(&character);
        Ok(character)
    }

    /// Adds a motion file to the character's folder. The repertoire is not changed.
    ///
    /// # Errors
    /// If the file cannot be read, or as for [`Self::edit`].
    pub fn add_clips(&self, id: &str, name: &str, bytes: Vec<u8>) -> Result<api::Uploaded> {
        self.editable(id)?.add_clips(name, bytes, &self.cache)
    }

    /// Replaces the avatar.
    ///
    /// # Errors
    /// If the file cannot be read, or as for [`Self::edit`].
    pub fn set_avatar(&self, id: &str, name: &str, bytes: Vec<u8>) -> Result<api::Character> {
        let character = self.editable(id)?.set_avatar(name, bytes, &self.cache)?;
        self.notify(&character);
        Ok(character)
    }

    /// Returns label suggestions for clips that the repertoire does not use.
    ///
    /// # Errors
    /// If there is no such character.
    pub fn proposals(&self, id: &str) -> Result<Vec<api::Proposal>> {
        match self.find(id)? {
            CharacterRef::Fixed(_) => Ok(Vec::new()),
            CharacterRef::Folder(entry) => entry.proposals(&self.cache),
        }
    }

    /// Returns the model file of the avatar for viewers, and the revision of the avatar.
    ///
    /// # Errors
    /// If there is no such character, or the avatar has only bones.
    pub fn avatar(&self, id: &str) -> Result<(Arc<[u8]>, u64)> {
        let (view, _) = self.view(id)?;
        Ok((view.avatar.shown()?, view.avatar.revision))
    }

    /// Returns the pose of a clip at the time `seconds`, on the character's avatar.
    ///
    /// # Errors
    /// If there is no such character or clip.
    pub fn pose(&self, id: &str, spelling: &str, seconds: f64) -> Result<Frame> {
        let (view, _) = self.view(id)?;
        let clip = view.clips.get(spelling).ok_or_else(|| no_clip(&view, spelling))?;
        Ok(moment(clip, seconds, view.bound.library.rig()))
    }

    /// Returns the folder that contains the characters.
    #[must_use]
    pub fn home(&self) -> &Path {
        &self.home
    }

    fn view(&self, id: &str) -> Result<(Arc<View>, u64)> {
        match self.find(id)? {
            CharacterRef::Fixed(fixed) => Ok((fixed.view(), 1)),
            CharacterRef::Folder(entry) => entry.view(&self.cache),
        }
    }

    fn fixed(&self) -> impl Iterator<Item = &Fixed> {
        std::iter::once(&self.built_in).chain(&self.cast)
    }

    fn find(&self, id: &str) -> Result<CharacterRef<'_>> {
        if let Some(fixed) = self.fixed().find(|fixed| fixed.id == id) {
            return Ok(CharacterRef::Fixed(fixed));
        }
        let known = self.lock().get(id).cloned().filter(|entry| entry.folder.is_dir());
        let all = if known.is_none() { self.scan() } else { BTreeMap::new() };
        let found = known.or_else(|| all.get(id).cloned());
        found.map(CharacterRef::Folder).ok_or_else(|| {
            let names = self.fixed().map(|fixed| fixed.id).chain(all.keys().map(String::as_str));
            let hint = words::hint(id, names.collect::<Vec<_>>());
            Error::of(ErrorKind::NotFound, format!("no character `{}`; {hint}", words::short(id)))
        })
    }

    /// Returns a character that may be changed.
    fn editable(&self, id: &str) -> Result<Arc<Entry>> {
        match self.find(id)? {
            CharacterRef::Folder(entry) => Ok(entry),
            CharacterRef::Fixed(fixed) => {
                let message = format!("“{}” is read-only; copy it and change the copy", fixed.name);
                Err(Error::of(ErrorKind::ReadOnly, message))
            }
        }
    }

    fn notify(&self, character: &api::Character) {
        let changed = Changed { character: character.id.clone(), revision: character.revision };
        let subscribers = self.subscribers.lock().unwrap_or_else(PoisonError::into_inner);
        subscribers.iter().for_each(|subscriber| subscriber(&changed));
    }

    /// Scans the folders. Known folders keep their ids.
    fn scan(&self) -> BTreeMap<String, Arc<Entry>> {
        let mut entries = self.lock();
        entries.retain(|_, entry| entry.folder.is_dir());
        // The folder of the first character may also be in the home folder, and must not be listed twice.
        let is_named = |folder: &Path| self.named.as_deref().is_some_and(|named| is_same(named, folder));
        let folders = names::characters(&self.home).into_iter().filter(|folder| !is_named(folder));
        for folder in self.named.clone().into_iter().chain(folders) {
            if !entries.values().any(|entry| entry.folder == folder) {
                let called = crate::character::folder_name(&folder);
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

/// Returns true if a path is an avatar file, and not a character's folder.
fn is_avatar(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    path.is_file() && ["vrm", "glb", "gltf", "fbx"].contains(&ending.as_str())
}

fn no_clip(view: &View, spelling: &str) -> Error {
    let hint = words::hint(spelling, view.clips.keys().map(String::as_str).collect::<Vec<_>>());
    Error::of(ErrorKind::NotFound, format!("unknown or unreadable clip `{}`; {hint}", words::short(spelling)))
}

/// Returns the frame of a clip at the time `seconds` on a rig. Bones that the clip does not animate have the neutral
/// pose.
fn moment(clip: &Clip, seconds: f64, rig: &Rig) -> Frame {
    let (clip, _) = clip.anchored().fitted_to(rig);
    let mut shown = vec![0.0; clip.channels().len()];
    let time = if seconds.is_finite() { seconds.clamp(0.0, clip.duration()) } else { 0.0 };
    let pose = pose_at(&clip, time, rig, &mut shown);
    let mut weights = vec![0.0; rig.channels().len()];
    for (channel, weight) in clip.channels().iter().zip(shown) {
        if let Some(at) = rig.channels().iter().position(|editable| editable == channel) {
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
