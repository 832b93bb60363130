//! What a performer can do with its body.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use vivant::body::behaviour::Behaviour;
use vivant::body::graph::Fault;
use vivant::body::library::Library;
use vivant::body::repertoire::Repertoire;
use vivant::clip::Clip;
use vivant::pose::Pose;
use vivant::rig::Rig;
use vivant_io::json;
use vivant_io::{Error, Result, Warning, WarningCode};

/// How clips of the built-in character are spelled.
const BUILT_IN: &str = "builtin";

/// A repertoire with its clips, clips alone, or nothing at all.
#[derive(Clone, Debug)]
pub struct Motions {
    kind: Kind,
    behaviour: Arc<Behaviour>,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Stances, gestures, fidgets and transitions, and every clip as the repertoire spells it.
    Repertoire(Arc<(Repertoire, BTreeMap<String, Clip>)>),
    /// Clips that are played one after another.
    Clips(Vec<Clip>),
}

impl Motions {
    /// Those of the built-in character: nine stances, 150 gestures, 93 fidgets. They are made once a program.
    #[must_use]
    pub fn built_in() -> Self {
        static MADE: LazyLock<Arc<(Repertoire, BTreeMap<String, Clip>)>> = LazyLock::new(|| {
            let spelled = |clip: Clip| (format!("{BUILT_IN}#{}", clip.name()), clip);
            let clips = vivant_mannequin::starter_clips().into_iter().map(spelled).collect();
            Arc::new((vivant_mannequin::starter_repertoire(), clips))
        });
        Self { kind: Kind::Repertoire(Arc::clone(&MADE)), behaviour: Arc::new(Behaviour::standard()) }
    }

    /// None: eyes, lids, head, breath and speech live, and the body stands.
    #[must_use]
    pub fn none() -> Self {
        Self::of_clips(Vec::new())
    }

    /// Clips that are played one after another, where nobody asks for anything.
    #[must_use]
    pub fn of_clips(clips: Vec<Clip>) -> Self {
        let clips = clips.iter().map(Clip::anchored).collect();
        Self { kind: Kind::Clips(clips), behaviour: Arc::new(Behaviour::standard()) }
    }

    /// A character's own: what is in its `repertoire.json`, and the clips that it names, as it spells them
    /// (`clips/wave.fbx`, `all.glb#Wave`).
    ///
    /// # Errors
    /// If that is no repertoire; clips that are missing are told when it is bound to an avatar.
    pub fn of_repertoire(json: &[u8], clips: BTreeMap<String, Clip>) -> Result<Self> {
        let repertoire = json::repertoire::read(json)?;
        let kind = Kind::Repertoire(Arc::new((repertoire, clips)));
        Ok(Self { kind, behaviour: Arc::new(Behaviour::standard()) })
    }

    /// The same of what was read already, with what it does while nobody asks.
    #[must_use]
    pub fn of_parts(repertoire: Repertoire, clips: BTreeMap<String, Clip>, behaviour: Behaviour) -> Self {
        Self { kind: Kind::Repertoire(Arc::new((repertoire, clips))), behaviour: Arc::new(behaviour) }
    }

    /// The same with another behaviour: what is in a `behaviour.json`.
    ///
    /// # Errors
    /// If that is none.
    pub fn behaving(mut self, json: &[u8]) -> Result<Self> {
        self.behaviour = Arc::new(json::behaviour::read(json)?);
        Ok(self)
    }

    /// What it does where nobody asks; `None` plays one clip after another.
    #[must_use]
    pub fn behaviour(&self) -> Option<Arc<Behaviour>> {
        matches!(self.kind, Kind::Repertoire(_)).then(|| Arc::clone(&self.behaviour))
    }

    /// What can be done, as people wrote it; `None` where there are only clips.
    #[must_use]
    pub fn repertoire(&self) -> Option<&Repertoire> {
        match &self.kind {
            Kind::Repertoire(made) => Some(&made.0),
            Kind::Clips(_) => None,
        }
    }

    /// The motions on an avatar's skeleton.
    ///
    /// # Errors
    /// With everything in a repertoire that is wrong.
    pub fn on(&self, rig: &Rig, warnings: &mut Vec<Warning>) -> Result<Library> {
        let base = Pose::neutral(rig);
        match &self.kind {
            Kind::Clips(clips) => {
                let clips: Vec<Clip> = clips.iter().map(|clip| clip.fitted_to(rig).0).collect();
                Ok(Library::new(rig.clone(), base, &clips))
            }
            Kind::Repertoire(made) => {
                let (repertoire, clips) = &**made;
                let bound = Library::of_repertoire(rig.clone(), base, repertoire, &|name| clips.get(name));
                let (library, faults) = bound.map_err(|faults| all(&faults))?;
                let warning =
                    |fault: &Fault| Warning::new(WarningCode::Malformed, &fault.path, &fault.message);
                warnings.extend(faults.iter().map(warning));
                Ok(library)
            }
        }
    }
}

/// All faults as one error, a line each.
fn all(faults: &[Fault]) -> Error {
    let lines: Vec<String> = faults.iter().map(|fault| format!("repertoire: {fault}")).collect();
    Error::new(lines.join("\n"))
}
