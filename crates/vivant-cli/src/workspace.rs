//! The characters that the server knows.

use crate::args;
use crate::character::Character;
use crate::fault::{Fault, Result};
use crate::material::{BUILT_IN, Material, clips_for, fitted};
use crate::report;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::broadcast;
use vivant::body::behaviour::Behaviour;
use vivant::body::library::Library;
use vivant::clip::Clip;
use vivant::eyes::Temperament;
use vivant::pose::Pose;
use vivant::rig::Rig;
use vivant_io::json::protocol::Changed;

/// All characters that can be cast.
pub(crate) struct Workspace {
    first: Arc<Ready>,
    built_in: Arc<Ready>,
    changes: broadcast::Sender<Changed>,
}

/// A character with which performers can begin.
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
    /// Whether it has clips and no repertoire: it plays one after another.
    pub(crate) improvises: bool,
}

impl Workspace {
    /// What the command line says.
    pub(crate) fn open(_home: PathBuf, cast: &args::Cast) -> Result<Self> {
        let built_in = Arc::new(ready(BUILT_IN, Character::built_in())?);
        let first = match &cast.character {
            Some(path) if path.as_os_str() != BUILT_IN => {
                Arc::new(ready("mine", Character::load_or_dress(path)?)?)
            }
            Some(_) => Arc::clone(&built_in),
            None if cast.avatar.as_os_str() == BUILT_IN && cast.clips.is_empty() => Arc::clone(&built_in),
            None => Arc::new(of_files(cast)?),
        };
        Ok(Self { first, built_in, changes: broadcast::Sender::new(16) })
    }

    /// Whom `main` plays at first.
    pub(crate) fn first(&self) -> String {
        self.first.id.clone()
    }

    /// A character, ready to be cast.
    pub(crate) fn ready(&self, id: &str) -> Result<Arc<Ready>> {
        let all = [&self.first, &self.built_in];
        let found = all.into_iter().find(|ready| ready.id == id);
        found.cloned().ok_or_else(|| Fault::new(format!("there is no character `{id}`")))
    }

    /// A clip as the repertoire spells it.
    pub(crate) fn clip(&self, id: &str, spelling: &str) -> Result<Clip> {
        self.ready(id)?;
        let clips = Character::built_in().clips;
        clips.get(spelling).cloned().ok_or_else(|| Fault::new(format!("there is no clip `{spelling}`")))
    }

    /// Tells of every change.
    pub(crate) fn changes(&self) -> broadcast::Receiver<Changed> {
        self.changes.subscribe()
    }
}

fn ready(id: &str, character: Character) -> Result<Ready> {
    let mut warnings = character.warnings.clone();
    let rig = character.avatar.require_rig()?.clone();
    let library = character.library(&rig, &mut warnings)?;
    report::warnings(&warnings);
    Ok(Ready {
        id: id.to_owned(),
        name: character.name,
        revision: 1,
        avatar_revision: 1,
        avatar: Arc::new(character.avatar),
        rig,
        library: Arc::new(library),
        behaviour: Arc::new(character.behaviour),
        temperament: character.temperament,
        improvises: false,
    })
}

fn of_files(cast: &args::Cast) -> Result<Ready> {
    let mut avatar = Material::load(&cast.avatar)?;
    let mut warnings = avatar.take_warnings();
    let rig = avatar.require_rig()?.clone();
    if cast.clips.is_empty() && avatar.clips.is_empty() {
        return ready("mine", Character { avatar, ..Character::built_in() });
    }
    let clips = clips_for(&avatar, &cast.clips, &mut warnings)?;
    let clips: Vec<Clip> = clips.iter().map(|clip| fitted(clip, &rig, &mut warnings)).collect();
    report::warnings(&warnings);
    Ok(Ready {
        id: "mine".to_owned(),
        name: rig.name().to_owned(),
        revision: 1,
        avatar_revision: 1,
        avatar: Arc::new(avatar),
        library: Arc::new(Library::new(rig.clone(), Pose::neutral(&rig), &clips)),
        rig,
        behaviour: Arc::default(),
        temperament: Temperament::default(),
        improvises: true,
    })
}
