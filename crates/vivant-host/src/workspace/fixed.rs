//! Characters that cannot be changed: the built-in one, and an avatar that is given without a folder.

use super::avatar::Avatar;
use super::view::{View, info};
use super::{CAST, Ready};
use crate::Motions;
use crate::character::BUILT_IN;
use crate::character::clips::Clips;
use crate::clips::named as named_clips;
use crate::imported::{ImportedFile, clips_for, fitted};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use vivant::body::behaviour::Behaviour;
use vivant::body::library::Library;
use vivant::body::repertoire::Repertoire;
use vivant::clip::Clip;
use vivant::eyes::{Learned, Temperament};
use vivant::pose::Pose;
use vivant_io::Result;
use vivant_io::json::protocol::api;

/// A character that cannot be changed. It is looked at once somebody asks.
pub(super) struct Fixed {
    pub(super) id: &'static str,
    pub(super) name: String,
    /// What a copy of it takes along; the built-in one needs no files.
    pub(super) files: Vec<PathBuf>,
    /// The built-in one, with all its clips, is made once somebody asks.
    avatar: OnceLock<Arc<Avatar>>,
    /// With clips it improvises; without it has the built-in repertoire.
    clips: Vec<Clip>,
    view: OnceLock<Arc<View>>,
    ready: OnceLock<Arc<Ready>>,
}

impl Fixed {
    pub(super) fn built_in() -> Self {
        Self::new(BUILT_IN, "Vivant".into(), OnceLock::new(), Vec::new(), Vec::new())
    }

    fn new(
        id: &'static str,
        name: String,
        avatar: OnceLock<Arc<Avatar>>,
        files: Vec<PathBuf>,
        clips: Vec<Clip>,
    ) -> Self {
        Self { id, name, files, avatar, clips, view: OnceLock::new(), ready: OnceLock::new() }
    }

    /// An avatar, with or without clips.
    pub(super) fn cast(avatar: &Path, clips: &[PathBuf]) -> Result<Self> {
        let mut material = ImportedFile::load(avatar)?;
        material.require_rig()?;
        let mut warnings = material.take_warnings();
        let has_own = !material.is_built_in() && !material.clips.is_empty();
        let clips_read = match (clips.is_empty(), has_own) {
            (true, false) => Vec::new(),
            _ => clips_for(&material, clips, &mut warnings)?,
        };
        let name = crate::character::stem(&material.name);
        let files = if clips.is_empty() && has_own { vec![avatar.to_owned()] } else { clips.to_vec() };
        let warnings = warnings.iter().map(ToString::to_string).collect();
        let avatar = OnceLock::from(Arc::new(Avatar::new(Arc::new(material), None, warnings)));
        Ok(Self::new(CAST, name, avatar, files, clips_read))
    }

    pub(super) fn avatar(&self) -> &Arc<Avatar> {
        self.avatar.get_or_init(Avatar::built_in)
    }

    pub(super) fn view(&self) -> Arc<View> {
        Arc::clone(self.view.get_or_init(|| {
            Arc::new(if self.clips.is_empty() { self.planning() } else { self.improvising() })
        }))
    }

    pub(super) fn ready(&self) -> Arc<Ready> {
        Arc::clone(self.ready.get_or_init(|| Arc::new(self.view().ready(self.id, 1))))
    }

    /// The built-in repertoire on its avatar.
    fn planning(&self) -> View {
        let motions = Motions::built_in();
        let clips = motions.clips().into_iter().flatten();
        let clips = clips.map(|(name, clip)| (name.clone(), Arc::new(clip.clone()))).collect();
        self.with(motions.repertoire().cloned().unwrap_or_default(), clips)
    }

    fn with(&self, repertoire: Repertoire, clips: Clips) -> View {
        let rig = self.avatar().rig();
        let found = crate::character::clips::Found { clips, missing: Vec::new() };
        let looked = crate::authoring::check::of(Some(&repertoire), &found, &rig);
        let library = looked.library.unwrap_or_else(|| super::view::standing(&rig));
        let named = named_clips(&repertoire);
        let places = |spelling: &str| {
            let own = named.iter().filter(|(clip, _)| *clip == spelling);
            own.map(|(_, place)| place.trim_end_matches(".clip").to_owned()).collect()
        };
        let infos =
            found.clips.iter().map(|(name, clip)| info(name, Ok(&**clip), Some(places(name)))).collect();
        View { infos, faults: looked.faults, repertoire, clips: found.clips, ..self.shell(library, false) }
    }

    /// One clip after another.
    fn improvising(&self) -> View {
        let rig = self.avatar().rig();
        let fitted: Vec<Clip> = self.clips.iter().map(|clip| fitted(clip, &rig, &mut Vec::new())).collect();
        let library = Library::new(rig.clone(), Pose::neutral(&rig), &fitted);
        let clips: Clips =
            self.clips.iter().map(|clip| (clip.name().to_owned(), Arc::new(clip.clone()))).collect();
        let infos = clips.iter().map(|(name, clip)| info(name, Ok(&**clip), None)).collect();
        View { infos, clips, ..self.shell(library, true) }
    }

    fn shell(&self, library: Library, improvises: bool) -> View {
        View {
            name: self.name.clone(),
            avatar: Arc::clone(self.avatar()),
            rig: self.avatar().rig(),
            temperament: Temperament::default(),
            behaviour: Arc::new(Behaviour::standard()),
            learned: Learned::default(),
            repertoire: Repertoire::default(),
            clips: Clips::new(),
            infos: Vec::new(),
            faults: Vec::new(),
            library: Arc::new(library),
            bound: None,
            improvises,
            suggested: OnceLock::new(),
        }
    }

    pub(super) fn summary(&self) -> api::CharacterSummary {
        let repertoire = if self.clips.is_empty() {
            vivant_mannequin::starter_repertoire()
        } else {
            Repertoire::default()
        };
        super::entry::summary(self.id, &self.name, true, &repertoire)
    }

    pub(super) fn character(&self) -> api::Character {
        super::entry::character(self.id, 1, None, &self.view())
    }
}
