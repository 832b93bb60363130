//! Commands that change a performer. Live requests and replays both go through [`apply`].
//!
//! Live requests and replays must give the same performance, so both are reduced to the same list of changes.
//! [`Command::from_request`] converts a request and returns it unchanged if it is not for a single performer.
//! [`TargetMemory::mark_new`] then decides whether a target of the eyes is new, which depends on earlier commands.
//! [`apply`] carries the command out. A recording stores the marked commands, so that a replay calls only [`apply`].

use std::sync::Arc;
use vivant::body::behaviour::Behaviour;
use vivant::body::driven::{BodySample, Trust};
use vivant::body::library::Library;
use vivant::eyes::{EyeModels, Look, Target, Temperament};
use vivant::intent::Intent;
use vivant::performer::Performer;
use vivant_io::json::protocol::RequestKind;

/// A command to a performer.
#[derive(Clone)]
pub enum Command {
    /// Carries out an intent: act, speak, look, blink or stop.
    Intent(Arc<Intent>),
    /// Replaces the temperament.
    SetTemperament(Box<Temperament>),
    /// Sets the position of the viewer. Only the first position triggers a gaze shift; afterwards, the eyes follow
    /// the viewer.
    Attend {
        /// Position in metres, in humanoid space.
        place: [f64; 3],
        /// True if this is the first position; see [`TargetMemory`].
        is_new: bool,
    },
    /// Makes the eyes follow a target that may move.
    Follow {
        /// Position in metres, in humanoid space.
        place: [f64; 3],
        /// True if this is the first position; see [`TargetMemory`].
        is_new: bool,
    },
    /// Ends a requested gaze target. The eyes then choose their own targets again.
    LookFreely,
    /// Replaces the repertoire, and the behaviour model if one is given.
    SetRepertoire(Arc<Library>, Option<Arc<Behaviour>>),
    /// Replaces the learned eye models.
    SetEyeModels(EyeModels),
    /// Drives the body with a sample of a tracker. [`Trust`] selects the data that is used.
    Drive(Arc<BodySample>, Trust),
}

impl Command {
    /// Converts a request that is meant for a single performer.
    ///
    /// # Errors
    /// Returns the request unchanged if it is not meant for a single performer.
    #[allow(
        clippy::result_large_err,
        reason = "the error is the request itself, and this runs once per request"
    )]
    pub fn from_request(what: RequestKind) -> Result<Self, RequestKind> {
        match what {
            RequestKind::Intent(intent) => Ok(Self::Intent(Arc::new(intent))),
            RequestKind::Temperament(temperament) => Ok(Self::SetTemperament(temperament)),
            RequestKind::Attend(place) => Ok(Self::Attend { place, is_new: false }),
            RequestKind::Follow(Some(place)) => Ok(Self::Follow { place, is_new: false }),
            RequestKind::Follow(None) => Ok(Self::LookFreely),
            RequestKind::Watch(_)
            | RequestKind::Cast(_)
            | RequestKind::Dismiss(_)
            | RequestKind::Mimic(_)
            | RequestKind::See(_) => Err(what),
        }
    }
}

/// Target names of the attended viewer and the followed object.
const VIEWER: &str = "viewer";
const FOLLOWED: &str = "followed";

/// Applies a command at the performer's current time. A performance changes only through this function, live or in a
/// replay.
///
/// # Errors
/// If an intent is not possible, or the repertoire is for another rig.
pub fn apply(performer: &mut Performer, command: &Command) -> vivant::Result<Option<u64>> {
    let now = performer.frame().time();
    match command {
        Command::Intent(intent) => return performer.intend(intent),
        Command::SetTemperament(temperament) => {
            // The first temperament turns idle eye movement on.
            let is_still = performer.gaze().is_none();
            set_temperament(performer, now, temperament);
            if is_still {
                performer.eyes().start_idle_behaviour(now);
            }
        }
        Command::Attend { place, is_new } => {
            let eyes = performer.eyes();
            let viewer = eyes.target(VIEWER);
            eyes.move_target(now, viewer, *place);
            if *is_new {
                eyes.attend(now, Target::Named(viewer));
            }
        }
        Command::Follow { place, is_new } => {
            let eyes = performer.eyes();
            let followed = eyes.target(FOLLOWED);
            eyes.move_target(now, followed, *place);
            if *is_new {
                eyes.look(Look { at: now, ..Look::at(Target::Named(followed)) });
            }
        }
        Command::LookFreely => performer.eyes().end_look(now),
        Command::SetEyeModels(learned) => performer.eyes().set_models(learned),
        Command::Drive(sample, trust) => {
            performer.set_trust(*trust);
            performer.drive(BodySample::clone(sample));
        }
        Command::SetRepertoire(library, behaviour) => {
            performer.adopt(Arc::clone(library))?;
            if let Some(behaviour) = behaviour {
                performer.set_behaviour(now, Arc::clone(behaviour));
            }
        }
    }
    Ok(None)
}

pub(crate) fn set_temperament(performer: &mut Performer, now: f64, temperament: &Temperament) {
    performer.breathe(now, temperament.liveliness);
    performer.eyes().set_temperament(now, *temperament);
}

/// Remembers whether a target is new or has only moved. A second gaze shift to a known target would make the gaze
/// jump.
#[derive(Clone, Copy, Debug, Default)]
pub struct TargetMemory {
    is_attending: bool,
    is_following: bool,
}

impl TargetMemory {
    /// Returns the command with the correct value of `is_new`.
    #[must_use]
    pub fn mark_new(&mut self, command: Command) -> Command {
        match command {
            Command::Attend { place, .. } => {
                Command::Attend { place, is_new: !std::mem::replace(&mut self.is_attending, true) }
            }
            Command::Follow { place, .. } => {
                Command::Follow { place, is_new: !std::mem::replace(&mut self.is_following, true) }
            }
            Command::LookFreely => {
                self.is_following = false;
                command
            }
            Command::Intent(ref intent) if matches!(**intent, Intent::Look(_)) => {
                self.is_following = false;
                command
            }
            other => other,
        }
    }
}
