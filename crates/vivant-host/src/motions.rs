//! The body motions of a performer.
//!
//! [`Motions`] do not depend on an avatar. They are made from a repertoire with its clips ([`Motions::of_repertoire`]),
//! from clips alone ([`Motions::of_clips`]) or from nothing, and [`Motions::bind`] turns them into the [`Library`] of a
//! rig. A clip whose file was not given is reported only by binding, so the files of a repertoire can be added one by
//! one with [`Motions::add_file`]. [`Motions::built_in`] builds many clips on first use; a web page calls
//! [`MotionBuilder::make_next`] until it returns true, and stays responsive meanwhile.

use crate::clips::{BUILT_IN, Clips, FileClips, named};
use crate::imported::fitted;
use std::sync::{Arc, OnceLock};
use vivant::body::behaviour::Behaviour;
use vivant::body::graph::Issue;
use vivant::body::library::Library;
use vivant::body::repertoire::Repertoire;
use vivant::clip::Clip;
use vivant::pose::Pose;
use vivant::rig::Rig;
use vivant_io::json;
use vivant_io::{Error, Result, Warning, WarningCode};
use vivant_mannequin::StarterClips;

/// The body motions of a performer: a repertoire with its clips, only clips, or nothing.
#[derive(Clone, Debug)]
pub struct Motions {
    kind: Kind,
    behaviour: Arc<Behaviour>,
    /// The name of the repertoire's file, for messages.
    file: String,
    /// Warnings about added files.
    warnings: Vec<Warning>,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Stances, gestures, fidgets and transitions, with all clips by their references.
    Repertoire(Arc<(Repertoire, Clips)>),
    /// Clips that are played one after another.
    Clips(Vec<Clip>),
}

impl Motions {
    fn of(kind: Kind) -> Self {
        let (behaviour, file) = (Arc::new(Behaviour::standard()), "repertoire".to_owned());
        Self { kind, behaviour, file, warnings: Vec::new() }
    }

    /// Returns the motions of the built-in character: nine body stances, three head stances, 150 gestures and 93
    /// fidgets. They are built once per process.
    #[must_use]
    pub fn built_in() -> Self {
        let all = || made(vivant_mannequin::starter_clips());
        Self::of(Kind::Repertoire(Arc::clone(BUILT_IN_MOTIONS.get_or_init(all))))
    }

    /// Returns empty motions: eyes, lids, head, breathing and speech are animated, and the body stands still.
    #[must_use]
    pub fn none() -> Self {
        Self::of_clips(Vec::new())
    }

    /// Returns clips that are played one after another when nothing is requested.
    #[must_use]
    pub fn of_clips(clips: Vec<Clip>) -> Self {
        Self::of(Kind::Clips(clips.iter().map(Clip::anchored).collect()))
    }

    /// Makes motions from the contents of a `repertoire.json` and its clips by their references (`clips/wave.fbx`,
    /// `all.glb#Wave`). More clips can be [added](Self::add_file). Built-in clips are added automatically.
    ///
    /// # Errors
    /// If the repertoire is not valid. Missing clips are reported when the motions are bound to an avatar.
    pub fn of_repertoire(json: &[u8], mut clips: Clips) -> Result<Self> {
        let repertoire = json::repertoire::read(json)?;
        let is_built_in = |(clip, _): &(&str, String)| spelled_in(BUILT_IN, clip).is_some();
        if named(&repertoire).iter().any(is_built_in) {
            take(&repertoire, BUILT_IN, &FileClips::built_in(), &mut clips)?;
        }
        Ok(Self::of(Kind::Repertoire(Arc::new((repertoire, clips)))))
    }

    /// Adds those clips of a file to which the repertoire refers; `file` is the name of the file in these references.
    /// Without a repertoire, all clips of the file are added.
    ///
    /// # Errors
    /// If the file cannot be read, or lacks a clip that the repertoire refers to.
    pub fn add_file(&mut self, file: &str, bytes: &[u8]) -> Result<()> {
        let read = FileClips::read(file, bytes)?;
        match &mut self.kind {
            Kind::Clips(clips) => clips.extend(read.clips.iter().map(|(_, clip)| clip.anchored())),
            Kind::Repertoire(made) => {
                let (repertoire, clips) = Arc::make_mut(made);
                if !take(repertoire, file, &read, clips)? {
                    let message = "the repertoire refers to no clip in this file; remove the file";
                    self.warnings.push(Warning::new(WarningCode::Dropped, file, message));
                }
            }
        }
        self.warnings.extend(read.warnings);
        Ok(())
    }

    /// Makes motions from a parsed repertoire and its clips by their references.
    #[must_use]
    pub fn of_parts(repertoire: Repertoire, clips: Clips) -> Self {
        Self::of(Kind::Repertoire(Arc::new((repertoire, clips))))
    }

    /// Sets the file name shown in errors.
    #[must_use]
    pub fn in_file(self, file: String) -> Self {
        Self { file, ..self }
    }

    /// Replaces the behaviour model.
    #[must_use]
    pub fn with_behaviour(self, behaviour: Behaviour) -> Self {
        Self { behaviour: Arc::new(behaviour), ..self }
    }

    /// Replaces the behaviour model with the contents of a `behaviour.json`.
    ///
    /// # Errors
    /// If the text is not a valid behaviour model.
    pub fn with_behaviour_json(mut self, json: &[u8]) -> Result<Self> {
        self.behaviour = Arc::new(json::behaviour::read(json)?);
        Ok(self)
    }

    /// Returns the behaviour model; `None` without a repertoire.
    #[must_use]
    pub fn behaviour(&self) -> Option<Arc<Behaviour>> {
        matches!(self.kind, Kind::Repertoire(_)).then(|| Arc::clone(&self.behaviour))
    }

    /// Returns the repertoire's file, as shown in messages.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns the clips of the repertoire by their references; `None` without a repertoire.
    #[must_use]
    pub fn clips(&self) -> Option<&Clips> {
        match &self.kind {
            Kind::Repertoire(made) => Some(&made.1),
            Kind::Clips(_) => None,
        }
    }

    /// Returns the clips that are played one after another; empty if there is a repertoire.
    #[must_use]
    pub fn clip_sequence(&self) -> &[Clip] {
        match &self.kind {
            Kind::Repertoire(_) => &[],
            Kind::Clips(clips) => clips,
        }
    }

    /// Returns the repertoire; `None` if the motions are only clips, or empty.
    #[must_use]
    pub fn repertoire(&self) -> Option<&Repertoire> {
        match &self.kind {
            Kind::Repertoire(made) => Some(&made.0),
            Kind::Clips(_) => None,
        }
    }

    /// Binds the motions to an avatar's rig.
    ///
    /// # Errors
    /// If the repertoire is invalid; the error lists all problems.
    pub fn bind(&self, rig: &Rig, warnings: &mut Vec<Warning>) -> Result<Library> {
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
                let warning = |fault: &Issue| {
                    let place = format!("{}: {}", self.file, fault.path);
                    Warning::new(WarningCode::Malformed, place, &fault.message)
                };
                warnings.extend(faults.iter().map(warning));
                Ok(library)
            }
        }
    }

    /// Joins all errors of the repertoire into one.
    fn error(&self, faults: &[Issue]) -> Error {
        let error = |fault: &Issue| Error::at(&fault.path, &fault.message).in_file(&self.file);
        Error::all(faults.iter().map(error)).unwrap_or_else(|| Error::new("the repertoire cannot be used"))
    }
}

/// The motions of the built-in character.
static BUILT_IN_MOTIONS: OnceLock<Arc<(Repertoire, Clips)>> = OnceLock::new();

fn made(clips: Vec<Clip>) -> Arc<(Repertoire, Clips)> {
    let spelled = |clip: Clip| (format!("{BUILT_IN}#{}", clip.name()), Arc::new(clip));
    Arc::new((vivant_mannequin::starter_repertoire(), clips.into_iter().map(spelled).collect()))
}

/// Builds [`Motions::built_in`] in small steps, one motion at a time, so that a web page stays responsive.
#[derive(Default)]
pub struct MotionBuilder(Option<StarterClips>);

impl MotionBuilder {
    /// Builds the next motion. Returns true when all motions are built.
    pub fn make_next(&mut self) -> bool {
        if BUILT_IN_MOTIONS.get().is_some() {
            self.0 = None;
        } else if !self.0.get_or_insert_with(StarterClips::new).make_next() {
            self.0.take().into_iter().for_each(|all| drop(BUILT_IN_MOTIONS.set(made(all.finish()))));
        }
        BUILT_IN_MOTIONS.get().is_some()
    }
}

/// Adds to `clips` those clips of a file to which a repertoire refers. Returns true if it refers to at least one clip
/// of the file.
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

/// Returns `Some` if a clip reference is to this file, with the name of the clip if the reference contains one. A
/// file name may contain a `#`, and folders may be separated by backslashes as on Windows.
fn spelled_in<'s>(file: &str, spelling: &'s str) -> Option<Option<&'s str>> {
    let is_file = |other: &str| other.replace('\\', "/") == file.replace('\\', "/");
    if is_file(spelling) {
        return Some(None);
    }
    spelling.rsplit_once('#').filter(|(of, _)| is_file(of)).map(|(_, name)| Some(name))
}
