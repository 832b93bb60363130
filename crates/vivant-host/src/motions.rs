//! What a performer can do with its body.

use crate::clips::{BUILT_IN, Clips, FileClips, named};
use crate::imported::fitted;
use std::sync::{Arc, OnceLock};
use vivant::body::behaviour::Behaviour;
use vivant::body::graph::Fault;
use vivant::body::library::Library;
use vivant::body::repertoire::Repertoire;
use vivant::clip::Clip;
use vivant::pose::Pose;
use vivant::rig::Rig;
use vivant_io::json;
use vivant_io::{Error, Result, Warning, WarningCode};
use vivant_mannequin::StarterClips;

/// A repertoire with its clips, clips alone, or nothing at all.
#[derive(Clone, Debug)]
pub struct Motions {
    kind: Kind,
    behaviour: Arc<Behaviour>,
    /// The repertoire's file, for messages.
    file: String,
    /// Of the files that were added.
    warnings: Vec<Warning>,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Stances, gestures, fidgets and transitions, and every clip as the repertoire spells it.
    Repertoire(Arc<(Repertoire, Clips)>),
    /// Clips that are played one after another.
    Clips(Vec<Clip>),
}

impl Motions {
    fn of(kind: Kind) -> Self {
        let (behaviour, file) = (Arc::new(Behaviour::standard()), "repertoire".to_owned());
        Self { kind, behaviour, file, warnings: Vec::new() }
    }

    /// Those of the built-in character: nine stances, 150 gestures, 93 fidgets. They are made once a program.
    #[must_use]
    pub fn built_in() -> Self {
        let all = || made(vivant_mannequin::starter_clips());
        Self::of(Kind::Repertoire(Arc::clone(MADE.get_or_init(all))))
    }

    /// None: eyes, lids, head, breath and speech live, and the body stands.
    #[must_use]
    pub fn none() -> Self {
        Self::of_clips(Vec::new())
    }

    /// Clips that are played one after another, where nobody asks for anything.
    #[must_use]
    pub fn of_clips(clips: Vec<Clip>) -> Self {
        Self::of(Kind::Clips(clips.iter().map(Clip::anchored).collect()))
    }

    /// A character's own: what is in its `repertoire.json`, and the clips that it names, as it spells them
    /// (`clips/wave.fbx`, `all.glb#Wave`). More can be [added](Self::add_file); those of the built-in character are
    /// there.
    ///
    /// # Errors
    /// If that is no repertoire; clips that are missing are told when it is bound to an avatar.
    pub fn of_repertoire(json: &[u8], mut clips: Clips) -> Result<Self> {
        let repertoire = json::repertoire::read(json)?;
        let is_built_in = |(clip, _): &(&str, String)| spelled_in(BUILT_IN, clip).is_some();
        if named(&repertoire).iter().any(is_built_in) {
            take(&repertoire, BUILT_IN, &FileClips::built_in(), &mut clips)?;
        }
        Ok(Self::of(Kind::Repertoire(Arc::new((repertoire, clips)))))
    }

    /// Adds the clips of a file that the repertoire names, by the file's name as the repertoire spells it. Where
    /// there is no repertoire, all of them are played.
    ///
    /// # Errors
    /// If the file cannot be read, or has no clip that the repertoire names of it.
    pub fn add_file(&mut self, file: &str, bytes: &[u8]) -> Result<()> {
        let read = FileClips::read(file, bytes)?;
        match &mut self.kind {
            Kind::Clips(clips) => clips.extend(read.clips.iter().map(|(_, clip)| clip.anchored())),
            Kind::Repertoire(made) => {
                let (repertoire, clips) = Arc::make_mut(made);
                if !take(repertoire, file, &read, clips)? {
                    let message = "the repertoire names no clip of this file";
                    self.warnings.push(Warning::new(WarningCode::Dropped, file, message));
                }
            }
        }
        self.warnings.extend(read.warnings);
        Ok(())
    }

    /// A repertoire and its clips that were read already, by how the repertoire spells them.
    #[must_use]
    pub fn of_parts(repertoire: Repertoire, clips: Clips) -> Self {
        Self::of(Kind::Repertoire(Arc::new((repertoire, clips))))
    }

    /// The same motions, whose errors name this file.
    #[must_use]
    pub fn in_file(self, file: String) -> Self {
        Self { file, ..self }
    }

    /// The same motions with another behaviour model.
    #[must_use]
    pub fn with_behaviour(self, behaviour: Behaviour) -> Self {
        Self { behaviour: Arc::new(behaviour), ..self }
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

    /// Returns the repertoire's file, as messages show it.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns the clips of a repertoire by how it spells them; `None` where there are only clips.
    #[must_use]
    pub fn clips(&self) -> Option<&Clips> {
        match &self.kind {
            Kind::Repertoire(made) => Some(&made.1),
            Kind::Clips(_) => None,
        }
    }

    /// Returns the clips that are played one after another; none where there is a repertoire.
    #[must_use]
    pub fn clips_alone(&self) -> &[Clip] {
        match &self.kind {
            Kind::Repertoire(_) => &[],
            Kind::Clips(clips) => clips,
        }
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
        warnings.extend_from_slice(&self.warnings);
        match &self.kind {
            Kind::Clips(clips) => {
                let clips: Vec<Clip> = clips.iter().map(|clip| fitted(clip, rig, warnings)).collect();
                Ok(Library::new(rig.clone(), base, &clips))
            }
            Kind::Repertoire(made) => {
                let (repertoire, clips) = &**made;
                let bound = Library::of_repertoire(rig.clone(), base, repertoire, &|name| {
                    clips.get(name).map(|clip| &**clip)
                });
                let (library, faults) = bound.map_err(|faults| self.error(&faults))?;
                let warning = |fault: &Fault| {
                    let place = format!("{}: {}", self.file, fault.path);
                    Warning::new(WarningCode::Malformed, place, &fault.message)
                };
                warnings.extend(faults.iter().map(warning));
                Ok(library)
            }
        }
    }

    /// All faults of the repertoire as one error.
    fn error(&self, faults: &[Fault]) -> Error {
        let error = |fault: &Fault| Error::at(&fault.path, &fault.message).in_file(&self.file);
        Error::all(faults.iter().map(error)).unwrap_or_else(|| Error::new("the repertoire cannot be used"))
    }
}

/// What the built-in character does.
static MADE: OnceLock<Arc<(Repertoire, Clips)>> = OnceLock::new();

fn made(clips: Vec<Clip>) -> Arc<(Repertoire, Clips)> {
    let spelled = |clip: Clip| (format!("{BUILT_IN}#{}", clip.name()), Arc::new(clip));
    Arc::new((vivant_mannequin::starter_repertoire(), clips.into_iter().map(spelled).collect()))
}

/// Makes [`Motions::built_in`] ready, a motion at a time, for who must not stop meanwhile: pages.
#[derive(Default)]
pub struct Making(Option<StarterClips>);

impl Making {
    /// Makes the next motion; says whether all are made.
    pub fn make_next(&mut self) -> bool {
        if MADE.get().is_some() {
            self.0 = None;
        } else if !self.0.get_or_insert_with(StarterClips::new).make_next() {
            self.0.take().into_iter().for_each(|all| drop(MADE.set(made(all.finish()))));
        }
        MADE.get().is_some()
    }
}

/// Takes what a repertoire names of a file, and says whether it names anything.
fn take(repertoire: &Repertoire, file: &str, read: &FileClips, clips: &mut Clips) -> Result<bool> {
    let (mut faults, mut is_named) = (Vec::new(), false);
    for (spelling, place) in named(repertoire) {
        let Some(name) = spelled_in(file, spelling) else { continue };
        is_named = true;
        match read.spelled(file, name, spelling) {
            Ok(clip) => drop(clips.insert(spelling.to_owned(), clip)),
            Err(message) => faults.push(Error::at(place, message)),
        }
    }
    Error::all(faults).map_or(Ok(is_named), Err)
}

/// The name of the clip in the file, if a spelling is of that file. A file's own name may have a `#`, and folders may
/// be divided as on Windows.
fn spelled_in<'s>(file: &str, spelling: &'s str) -> Option<Option<&'s str>> {
    let is_file = |other: &str| other.replace('\\', "/") == file.replace('\\', "/");
    if is_file(spelling) {
        return Some(None);
    }
    spelling.rsplit_once('#').filter(|(of, _)| is_file(of)).map(|(_, name)| Some(name))
}
