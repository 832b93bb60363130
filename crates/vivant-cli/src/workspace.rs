//! The lasting half of the server: characters on the disk, as people edit them.
//!
//! No word of HTTP here: whoever asks gets an answer or a sentence. Every character has a revision, which
//! grows with each change; who edits an old one is told so, and nothing happens.

mod avatar;
mod entry;
mod fixed;
mod history;
mod making;
mod names;
mod placing;
mod proposals;
mod shelf;
mod upload;
mod view;

use crate::args;
use crate::fault::{Fault, Kind, Result};
use crate::material::{BUILT_IN, Material, pose_at};
use axum::body::Bytes;
use entry::Entry;
use fixed::Fixed;
use shelf::Shelf;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::broadcast;
pub(crate) use upload::{MAX_BYTES as MAX_UPLOAD_BYTES, too_large};
use view::View;
use vivant::body::behaviour::Behaviour;
use vivant::body::library::Library;
use vivant::clip::Clip;
use vivant::eyes::{Learned, Temperament};
use vivant::rig::{Bone, Rig};
use vivant_io::json::protocol::frame::Frame;
use vivant_io::json::protocol::{Changed, api};
use vivant_io::json::words;

/// The id of what the command line casts.
const CAST: &str = "cast";

/// All characters that a server knows.
pub(crate) struct Workspace {
    /// Where new characters are made. There may be no such folder yet.
    home: PathBuf,
    /// A folder that lies elsewhere.
    named: Option<PathBuf>,
    cast: Option<Fixed>,
    /// Whether the command line asks for the built-in one.
    begins_built_in: bool,
    built_in: Fixed,
    entries: Mutex<BTreeMap<String, Arc<Entry>>>,
    shelf: Arc<Shelf>,
    /// One is made after the other, so that no two get the same folder.
    making: Mutex<()>,
    changes: broadcast::Sender<Changed>,
}

/// A character that can perform.
pub(crate) struct Ready {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) revision: u64,
    pub(crate) avatar_revision: u64,
    pub(crate) avatar: Arc<Material>,
    pub(crate) rig: Rig,
    pub(crate) library: Arc<Library>,
    pub(crate) behaviour: Arc<Behaviour>,
    pub(crate) temperament: Temperament,
    pub(crate) learned: Learned,
    /// Whether it plays one clip after another, for want of a repertoire.
    pub(crate) improvises: bool,
}

/// A character: one that cannot be changed, or a folder.
enum Whom<'a> {
    Fixed(&'a Fixed),
    Folder(Arc<Entry>),
}

impl Workspace {
    /// The characters of a folder, and whoever the command line names.
    ///
    /// # Errors
    /// If the command line names what is not there.
    pub(crate) fn open(home: PathBuf, cast: &args::Cast) -> Result<Self> {
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
            changes: broadcast::Sender::new(64),
        };
        workspace.look();
        Ok(workspace)
    }

    /// Whom `main` begins with: as the command line says, else the one that was edited last.
    pub(crate) fn first(&self) -> String {
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

    /// What performs. The same until the character changes.
    pub(crate) fn ready(&self, id: &str) -> Result<Arc<Ready>> {
        match self.whom(id)? {
            Whom::Fixed(fixed) => Ok(fixed.ready()),
            Whom::Folder(entry) => entry.ready(&self.shelf),
        }
    }

    /// A clip of a character, for previews.
    pub(crate) fn clip(&self, id: &str, spelling: &str) -> Result<Clip> {
        let (view, _) = self.view(id)?;
        let clip = view.clips.get(spelling).map(|clip| Clip::clone(clip));
        clip.ok_or_else(|| no_clip(&view, spelling))
    }

    /// Who is told of changes.
    pub(crate) fn changes(&self) -> broadcast::Receiver<Changed> {
        self.changes.subscribe()
    }

    /// All of them, those that cannot be changed first.
    pub(crate) fn list(&self) -> Vec<api::CharacterSummary> {
        let fixed = self.fixed().map(Fixed::summary);
        let all = self.look();
        fixed.chain(all.values().map(|entry| entry.summary())).collect()
    }

    /// All of one.
    pub(crate) fn character(&self, id: &str) -> Result<api::Character> {
        match self.whom(id)? {
            Whom::Fixed(fixed) => Ok(fixed.character()),
            Whom::Folder(entry) => entry.character(&self.shelf),
        }
    }

    /// Makes a change.
    pub(crate) fn edit(&self, id: &str, edit: &api::Edit) -> Result<api::Character> {
        let entry = self.own(id)?;
        let character = entry.edit(edit, &self.shelf)?;
        self.tell(&character);
        Ok(character)
    }

    /// Puts clips where they belong.
    pub(crate) fn place(&self, id: &str, place: &api::Place) -> Result<api::Placed> {
        let entry = self.own(id)?;
        let placed = entry.place(place, &self.shelf)?;
        self.tell(&placed.character);
        Ok(placed)
    }

    /// Takes the last change back.
    pub(crate) fn undo(&self, id: &str) -> Result<api::Character> {
        self.travel(id, true)
    }

    /// Makes it again.
    pub(crate) fn redo(&self, id: &str) -> Result<api::Character> {
        self.travel(id, false)
    }

    fn travel(&self, id: &str, back: bool) -> Result<api::Character> {
        let character = self.own(id)?.travel(back, &self.shelf)?;
        self.tell(&character);
        Ok(character)
    }

    /// Takes a file with motion in.
    pub(crate) fn add_clips(&self, id: &str, name: &str, bytes: Vec<u8>) -> Result<api::Uploaded> {
        self.own(id)?.add_clips(name, bytes, &self.shelf)
    }

    /// Gives a character another body.
    pub(crate) fn set_avatar(&self, id: &str, name: &str, bytes: Vec<u8>) -> Result<api::Character> {
        let character = self.own(id)?.set_avatar(name, bytes, &self.shelf)?;
        self.tell(&character);
        Ok(character)
    }

    /// What the clips without a place seem to be.
    pub(crate) fn proposals(&self, id: &str) -> Result<Vec<api::Proposal>> {
        match self.whom(id)? {
            Whom::Fixed(_) => Ok(Vec::new()),
            Whom::Folder(entry) => entry.proposals(&self.shelf),
        }
    }

    /// What the avatar is shown with, and its revision.
    pub(crate) fn avatar(&self, id: &str) -> Result<(Bytes, u64)> {
        let (view, _) = self.view(id)?;
        Ok((view.avatar.shown()?, view.avatar.revision))
    }

    /// One moment of a clip on a character's avatar.
    pub(crate) fn pose(&self, id: &str, spelling: &str, seconds: f64) -> Result<Frame> {
        let (view, _) = self.view(id)?;
        let clip = view.clips.get(spelling).ok_or_else(|| no_clip(&view, spelling))?;
        Ok(moment(clip, seconds, &view.rig))
    }

    /// Where new characters are made.
    pub(crate) fn home(&self) -> &Path {
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
            Fault::of(Kind::Unknown, format!("there is no character `{}`; {hint}", words::short(id)))
        })
    }

    /// One that may be changed.
    fn own(&self, id: &str) -> Result<Arc<Entry>> {
        match self.whom(id)? {
            Whom::Folder(entry) => Ok(entry),
            Whom::Fixed(fixed) => {
                let message =
                    format!("“{}” cannot be changed; make a copy of it, and change that", fixed.name);
                Err(Fault::of(Kind::Fixed, message))
            }
        }
    }

    fn tell(&self, character: &api::Character) {
        // Nobody may be listening.
        let _ = self.changes.send(Changed { character: character.id.clone(), revision: character.revision });
    }

    /// Looks which folders there are. Those that were known keep their ids.
    fn look(&self) -> BTreeMap<String, Arc<Entry>> {
        let mut entries = self.lock();
        entries.retain(|_, entry| entry.folder.is_dir());
        // The folder that the command line names may be one of them.
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

fn no_clip(view: &View, spelling: &str) -> Fault {
    let hint = words::hint(spelling, view.clips.keys().map(String::as_str).collect::<Vec<_>>());
    Fault::of(
        Kind::Unknown,
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
