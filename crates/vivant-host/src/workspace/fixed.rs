//! Read-only characters: the built-in character, and an avatar that was given without a folder.
//!
//! They appear in the same list as editable characters and have the same [`View`], but no folder, history or undo.
//! Users edit them by making a copy. Building the built-in character takes time, so [`Character`], avatar and view are
//! made on first use, and `Fixed::summary` works without them. `Fixed::cast` makes a character from an avatar file with
//! or without clips.

use super::avatar::Avatar;
use super::view::{View, info};
use super::{CAST, Ready};
use crate::character::BUILT_IN;
use crate::character::clips::Clips;
use crate::clips::named as named_clips;
use crate::{BoundCharacter, Character};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use vivant::body::library::Library;
use vivant::body::repertoire::Repertoire;
use vivant_io::Result;
use vivant_io::json::protocol::api;

/// A read-only character. Its avatar and its view are prepared on first use.
pub(super) struct Fixed {
    pub(super) id: &'static str,
    pub(super) name: String,
    /// The files that a copy of this character needs; empty for the built-in character.
    pub(super) files: Vec<PathBuf>,
    /// The character. The built-in character is built on first use.
    character: OnceLock<Character>,
    avatar: OnceLock<Arc<Avatar>>,
    view: OnceLock<Arc<View>>,
    ready: OnceLock<Arc<Ready>>,
}

impl Fixed {
    pub(super) fn built_in() -> Self {
        Self::new(BUILT_IN, "Vivant".into(), OnceLock::new(), Vec::new())
    }

    fn new(id: &'static str, name: String, character: OnceLock<Character>, files: Vec<PathBuf>) -> Self {
        let (avatar, view, ready) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { id, name, files, character, avatar, view, ready }
    }

    /// Makes a character from an avatar, with or without clips.
    pub(super) fn cast(avatar: &Path, clips: &[PathBuf]) -> Result<Self> {
        let character = Character::of_files(avatar, clips)?;
        let plays_own = clips.is_empty() && character.motions.repertoire().is_none();
        let files = if plays_own { vec![avatar.to_owned()] } else { clips.to_vec() };
        Ok(Self::new(CAST, character.name.clone(), OnceLock::from(character), files))
    }

    fn character_read(&self) -> &Character {
        self.character.get_or_init(Character::built_in)
    }

    pub(super) fn avatar(&self) -> &Arc<Avatar> {
        self.avatar.get_or_init(|| {
            let Character { avatar, warnings, .. } = self.character_read();
            let warnings = warnings.iter().map(ToString::to_string).collect();
            avatar
                .file()
                .filter(|file| !file.is_built_in())
                .map_or_else(Avatar::built_in, |file| Arc::new(Avatar::new(Arc::clone(file), None, warnings)))
        })
    }

    pub(super) fn view(&self) -> Arc<View> {
        Arc::clone(self.view.get_or_init(|| {
            let repertoire = self.character_read().motions.repertoire();
            Arc::new(
                repertoire
                    .map_or_else(|| self.view_of_clips(), |repertoire| self.view_of_repertoire(repertoire)),
            )
        }))
    }

    pub(super) fn ready(&self) -> Arc<Ready> {
        Arc::clone(self.ready.get_or_init(|| Arc::new(self.view().ready(self.id, 1))))
    }

    /// Returns the view of a character with a repertoire, which is bound to the avatar.
    fn view_of_repertoire(&self, repertoire: &Repertoire) -> View {
        let clips = self.character_read().motions.clips().cloned().unwrap_or_default();
        let found = crate::character::clips::FoundClips { clips, missing: Vec::new() };
        let rig = self.avatar().rig();
        let checked = crate::authoring::check::of(Some(repertoire), &found, &rig);
        let library = checked.library.unwrap_or_else(|| super::view::standing(&rig));
        let named = named_clips(repertoire);
        let places = |spelling: &str| {
            let own = named.iter().filter(|(clip, _)| *clip == spelling);
            own.map(|(_, place)| place.trim_end_matches(".clip").to_owned()).collect()
        };
        let infos =
            found.clips.iter().map(|(name, clip)| info(name, Ok(&**clip), Some(places(name)))).collect();
        let (repertoire, faults) = (repertoire.clone(), checked.faults);
        View { infos, faults, repertoire, clips: found.clips, ..self.base_view(library) }
    }

    /// Returns the view of a character without a repertoire, which plays one clip after another.
    fn view_of_clips(&self) -> View {
        let Character { motions, .. } = self.character_read();
        let rig = self.avatar().rig();
        let library = motions.bind(&rig, &mut Vec::new()).unwrap_or_else(|_| super::view::standing(&rig));
        let clips: Clips = motions
            .clip_sequence()
            .iter()
            .map(|clip| (clip.name().to_owned(), Arc::new(clip.clone())))
            .collect();
        let infos = clips.iter().map(|(name, clip)| info(name, Ok(&**clip), None)).collect();
        View { infos, clips, ..self.base_view(library) }
    }

    fn base_view(&self, library: Library) -> View {
        let Character { motions, learned, temperament, .. } = self.character_read();
        let bound = BoundCharacter {
            library: Arc::new(library),
            behaviour: motions.behaviour(),
            learned: learned.clone(),
            temperament: *temperament,
        };
        View {
            name: self.name.clone(),
            avatar: Arc::clone(self.avatar()),
            bound,
            repertoire: Repertoire::default(),
            clips: Clips::new(),
            infos: Vec::new(),
            faults: Vec::new(),
            binding: None,
            suggested: OnceLock::new(),
        }
    }

    pub(super) fn summary(&self) -> api::CharacterSummary {
        let repertoire = match self.character.get() {
            None => vivant_mannequin::starter_repertoire(),
            Some(character) => character.motions.repertoire().cloned().unwrap_or_default(),
        };
        super::entry::summary(self.id, &self.name, true, &repertoire)
    }

    pub(super) fn character(&self) -> api::Character {
        super::entry::character(self.id, 1, None, &self.view())
    }
}
