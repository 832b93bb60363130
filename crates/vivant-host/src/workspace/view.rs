//! A character at one revision: its contents, its errors, and the library for performers.
//!
//! A character that is being edited often has errors, and the studio must still show it and let it perform. `View::of`
//! therefore never fails: it lists all problems as faults and replaces unusable parts by defaults or leaves them out.
//! Since a view is made after every change, it reuses the avatar and the `Binding` of the previous view as far as their
//! inputs are the same. Clips are read through the [`FileCache`].

use super::Ready;
use super::avatar::Avatar;
use super::cache::{FileCache, Reading, Stamp};
use super::history::State;
use crate::BoundCharacter;
use crate::authoring::{check, repair};
use crate::character::clips::{Clips, FoundClips, gather};
use crate::character::{self, BUILT_IN, MANIFEST};
use crate::clips::named as named_clips;
use crate::disk;
use crate::files::Folder;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use vivant::body::behaviour::Behaviour;
use vivant::body::library::Library;
use vivant::body::repertoire::{Repertoire, Stance, short_name};
use vivant::clip::Clip;
use vivant::eyes::EyeModels;
use vivant::pose::Pose;
use vivant::rig::Rig;
use vivant_io::ErrorKind;
use vivant_io::character::Manifest;
use vivant_io::json::protocol::api::{self, ClipInfo};
use vivant_learn::suggest::Suggestion;

/// The file extensions searched for in folders. Avatars (`.vrm`) are not clips.
pub(super) const ENDINGS: [&str; 5] = ["bvh", "fbx", "glb", "gltf", "vrma"];
/// The folder of uploaded avatars. Files in this folder are not clips.
pub(super) const AVATARS: &str = "avatars/";

/// A character at one revision.
pub(super) struct View {
    pub(super) name: String,
    pub(super) avatar: Arc<Avatar>,
    /// The bound character for performers.
    pub(super) bound: BoundCharacter,
    pub(super) repertoire: Repertoire,
    /// All readable clips by their references, including clips that the repertoire does not use.
    pub(super) clips: Clips,
    pub(super) infos: Vec<ClipInfo>,
    pub(super) faults: Vec<api::Fault>,
    /// The bound repertoire with its inputs, so that an unchanged repertoire need not be bound again.
    pub(super) binding: Option<Arc<Binding>>,
    /// Suggestions for unplaced clips, computed on first use.
    pub(super) suggested: OnceLock<Vec<(String, Suggestion)>>,
}

impl View {
    /// Makes the view of a folder whose text files have the contents `state`. The view lists all errors. Even with
    /// errors, its character can perform.
    pub(super) fn of(
        folder: &Path,
        state: &State,
        files: &Files,
        cache: &FileCache,
        before: Option<&Self>,
    ) -> Self {
        let mut faults = Vec::new();
        let manifest = manifest(state, &mut faults);
        let avatar = Avatar::of(folder, &manifest, before.map(|view| &view.avatar), &mut faults);
        let behaviour = behaviour(folder, &manifest, &mut faults);
        let learned = learned(folder, &manifest, &mut faults);
        let repertoire = repertoire(folder, state, &mut faults);
        let own = files.clips(folder, cache);
        let found = gather(
            &Folder::new(folder),
            repertoire.as_ref().unwrap_or(&Repertoire::default()),
            &mut |name| cache.read(&file_of(folder, name)),
            &mut |_, _| {},
            &mut Vec::new(),
        );
        let rig = avatar.rig();
        let last = before.and_then(|view| view.binding.as_ref());
        let binding = Binding::of(last, repertoire, &found, &avatar, &rig);
        faults.extend(binding.faults.iter().cloned());
        faults.sort_by_key(|fault: &api::Fault| fault.is_warning);
        let repertoire = binding.repertoire.clone().unwrap_or_default();
        let infos = infos(&repertoire, &own, &found);
        let mut clips = found.clips;
        clips.extend(own.into_iter().filter_map(|(spelling, clip)| Some((spelling, clip.ok()?))));
        let name = manifest.name.clone().unwrap_or_else(|| character::folder_name(folder));
        let library = Arc::clone(&binding.library);
        let temperament = manifest.temperament;
        let bound = BoundCharacter { library, behaviour: Some(behaviour), learned, temperament };
        let (binding, suggested) = (Some(binding), OnceLock::new());
        Self { name, avatar, bound, repertoire, clips, infos, faults, binding, suggested }
    }

    /// Returns the character in a form that is ready to perform, with its valid parts only.
    pub(super) fn ready(&self, id: &str, revision: u64) -> Ready {
        Ready {
            id: id.to_owned(),
            name: self.name.clone(),
            revision,
            avatar_revision: self.avatar.revision,
            avatar: Arc::clone(&self.avatar.material),
            info: Arc::new(self.avatar.rig_info()),
            bound: self.bound.clone(),
        }
    }

    /// Returns the clips that the repertoire does not use yet.
    pub(super) fn unplaced(&self) -> Vec<String> {
        let free = self.infos.iter().filter(|info| info.places.is_empty() && info.error.is_none());
        free.map(|info| info.clip.clone()).collect()
    }
}

fn fault(path: &str, message: impl ToString) -> api::Fault {
    api::Fault { path: path.to_owned(), message: message.to_string(), is_warning: false }
}

fn manifest(state: &State, faults: &mut Vec<api::Fault>) -> Manifest {
    let Some(text) = &state.manifest else { return Manifest::default() };
    vivant_io::character::read(text.as_bytes()).unwrap_or_else(|error| {
        faults.push(fault(MANIFEST, error));
        Manifest::default()
    })
}

fn behaviour(folder: &Path, manifest: &Manifest, faults: &mut Vec<api::Fault>) -> Arc<Behaviour> {
    Arc::new(character::behaviour(&Folder::new(folder), manifest).unwrap_or_else(|found| {
        faults.push(fault(character::BEHAVIOUR, found));
        Behaviour::standard()
    }))
}

fn learned(folder: &Path, manifest: &Manifest, faults: &mut Vec<api::Fault>) -> EyeModels {
    character::learned(&Folder::new(folder), manifest).unwrap_or_else(|found| {
        faults.push(fault(MANIFEST, found));
        EyeModels::default()
    })
}

/// Returns the repertoire if the file can be read. Without a file, returns an empty repertoire.
fn repertoire(folder: &Path, state: &State, faults: &mut Vec<api::Fault>) -> Option<Repertoire> {
    let Some(text) = &state.repertoire else {
        let file = State::file(folder, state.manifest.as_deref());
        if !file.ends_with(character::REPERTOIRE) {
            faults.push(fault(
                MANIFEST,
                format!("repertoire: {}: no such file; add it, or change the name", file.display()),
            ));
        }
        return Some(Repertoire::default());
    };
    match vivant_io::json::repertoire::read(text.as_bytes()) {
        Ok(repertoire) => Some(repertoire),
        Err(error) => {
            let new_faults = error.each().map(|(place, message)| match place {
                Some(place) if place.starts_with("stances") => fault(place, message),
                Some(place) => fault(character::REPERTOIRE, format!("{place}: {message}")),
                None => fault(character::REPERTOIRE, message),
            });
            faults.extend(new_faults);
            None
        }
    }
}

/// A repertoire bound to an avatar. Binding takes some time, so the result is kept until its inputs change. A new
/// name or temperament does not change them.
pub(super) struct Binding {
    /// The repertoire; `None` if the file cannot be read.
    repertoire: Option<Repertoire>,
    avatar: u64,
    clips: Clips,
    missing: Vec<(String, String)>,
    faults: Vec<api::Fault>,
    library: Arc<Library>,
}

impl Binding {
    /// Returns the previous binding if its inputs are the same; otherwise creates a new binding.
    fn of(
        before: Option<&Arc<Self>>,
        repertoire: Option<Repertoire>,
        found: &FoundClips,
        avatar: &Avatar,
        rig: &Rig,
    ) -> Arc<Self> {
        if let Some(before) =
            before.filter(|binding| binding.has_same_inputs(repertoire.as_ref(), found, avatar))
        {
            return Arc::clone(before);
        }
        let checked = check::of(repertoire.as_ref(), found, rig);
        let nothing = Repertoire::default();
        let own = || library_of(repertoire.as_ref().unwrap_or(&nothing), &found.clips, rig);
        let library = Arc::new(checked.library.unwrap_or_else(own));
        let (clips, missing) = (found.clips.clone(), found.missing.clone());
        Arc::new(Self {
            repertoire,
            avatar: avatar.revision,
            clips,
            missing,
            faults: checked.faults,
            library,
        })
    }

    fn has_same_inputs(&self, repertoire: Option<&Repertoire>, found: &FoundClips, avatar: &Avatar) -> bool {
        self.avatar == avatar.revision
            && self.repertoire.as_ref() == repertoire
            && self.missing == found.missing
            && self.clips.len() == found.clips.len()
            && self
                .clips
                .iter()
                .all(|(name, clip)| found.clips.get(name).is_some_and(|c| Arc::ptr_eq(c, clip)))
    }
}

/// Returns a library with the valid parts of a repertoire.
fn library_of(repertoire: &Repertoire, clips: &Clips, rig: &Rig) -> Library {
    let clip = |spelling: &str| clips.get(spelling).map(|clip| &**clip);
    let valid = repair::performable(repertoire, clips);
    let bound = Library::of_repertoire(rig.clone(), Pose::neutral(rig), &valid, &clip);
    bound.map_or_else(|_| standing(rig), |(library, _)| library)
}

/// Returns a library with only the neutral pose.
pub(super) fn standing(rig: &Rig) -> Library {
    let only = Repertoire { stances: vec![Stance::new("standing", None)], ..Repertoire::default() };
    let bound = Library::of_repertoire(rig.clone(), Pose::neutral(rig), &only, &|_| None);
    bound.map_or_else(|_| Library::new(rig.clone(), Pose::neutral(rig), &[]), |(library, _)| library)
}

/// The files in a character's folder, with stamps to detect changes. The two text files and hidden files are left
/// out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Files {
    /// Paths relative to the folder, with `/` as separator.
    all: Vec<(String, Stamp)>,
}

impl Files {
    pub(super) fn of(folder: &Path) -> Self {
        let is_hidden = |name: &str| name.split('/').any(|part| part.starts_with('.'));
        let is_text = |name: &str| name == MANIFEST || name == character::REPERTOIRE;
        let own = disk::all_below(folder).into_iter().filter(|name| !is_hidden(name) && !is_text(name));
        let stamped = |name: String| {
            let stamp = Stamp::of(&folder.join(&name));
            (name, stamp)
        };
        Self { all: own.map(stamped).collect() }
    }

    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    /// Returns every clip in the folder with its reference, or the error if its file cannot be read.
    fn clips(&self, folder: &Path, cache: &FileCache) -> Vec<(String, Result<Arc<Clip>, String>)> {
        let names = self.all.iter().map(|(name, _)| name.as_str());
        let names: Vec<&str> = names.filter(|name| is_clip(name) && !name.starts_with(AVATARS)).collect();
        let paths: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
        cache.read_all(&paths);
        names.iter().zip(&paths).flat_map(|(name, path)| clips_of_file(name, &cache.read(path))).collect()
    }
}

/// Returns the clips of a file with their references. A file outside the folder `clips` may be an avatar without
/// clips, which is not an error.
pub(super) fn clips_of_file(name: &str, read: &Reading) -> Vec<(String, Result<Arc<Clip>, String>)> {
    match read {
        Err(error) if error.kind() == ErrorKind::NotFound && !name.starts_with(CLIPS) => Vec::new(),
        Err(error) => vec![(name.to_owned(), Err(error.to_string()))],
        Ok(read) => match &read.clips[..] {
            [(_, clip)] => vec![(name.to_owned(), Ok(Arc::clone(clip)))],
            several => {
                // If several clips have the same name, a reference can only mean the first of them.
                let mut seen = std::collections::HashSet::new();
                let first = several.iter().filter(|(own, _)| seen.insert(own));
                first.map(|(own, clip)| (format!("{name}#{own}"), Ok(Arc::clone(clip)))).collect()
            }
        },
    }
}

const CLIPS: &str = "clips/";

/// Returns the path of a file that a repertoire names. For the built-in character, this is only its name.
fn file_of(folder: &Path, name: &str) -> PathBuf {
    if name == BUILT_IN { PathBuf::from(BUILT_IN) } else { folder.join(name) }
}

pub(super) fn is_clip(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending).to_lowercase();
    ENDINGS.contains(&ending.as_str())
}

/// Returns information about every clip, with its places in the repertoire. This includes clips that the repertoire
/// names but that are not in the folder.
fn infos(
    repertoire: &Repertoire,
    own: &[(String, Result<Arc<Clip>, String>)],
    found: &FoundClips,
) -> Vec<ClipInfo> {
    let named = named_clips(repertoire);
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (clip, place) in &named {
        places.entry(clip).or_default().push(place.trim_end_matches(".clip").to_owned());
    }
    let why = |clip: &str| {
        let first = named.iter().find(|(c, _)| *c == clip)?;
        found.missing.iter().find(|(place, _)| *place == first.1).map(|(_, why)| why.clone())
    };
    let mut infos: Vec<ClipInfo> = own
        .iter()
        .map(|(spelling, clip)| {
            info(spelling, clip.as_deref().map_err(String::clone), places.remove(&**spelling))
        })
        .collect();
    for (spelling, places) in places {
        let clip =
            found.clips.get(spelling).map(|clip| &**clip).ok_or_else(|| why(spelling).unwrap_or_default());
        infos.push(info(spelling, clip, Some(places)));
    }
    infos.sort_by(|a, b| a.clip.cmp(&b.clip));
    infos
}

pub(super) fn info(spelling: &str, clip: Result<&Clip, String>, places: Option<Vec<String>>) -> ClipInfo {
    let seconds = clip.as_ref().map_or(0.0, |clip| (clip.duration() * 1e3).round() / 1e3);
    ClipInfo {
        clip: spelling.to_owned(),
        name: short_name(spelling).to_owned(),
        seconds,
        places: places.unwrap_or_default(),
        error: clip.err(),
    }
}
