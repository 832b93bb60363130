//! What can be asked of a performer, in the form in which it is carried out.

use std::sync::Arc;
use vivant::body::behaviour::Behaviour;
use vivant::body::driven::{BodySample, Trust};
use vivant::body::library::Library;
use vivant::eyes::{Learned, Look, Target, Temperament};
use vivant::intent::Intent;
use vivant::performer::Performer;
use vivant_io::json::protocol::RequestKind;

/// What can be asked of a performer.
#[derive(Clone)]
pub enum Ask {
    /// Act, speak, look, blink, stop.
    Intend(Arc<Intent>),
    /// Be another kind of person.
    Temper(Box<Temperament>),
    /// Someone is here. What is new has to be attended to; what has only moved is followed already.
    Attend {
        /// In metres.
        place: [f64; 3],
        /// See [`TargetMemory`].
        is_new: bool,
    },
    /// Look at something that may move.
    Follow {
        /// In metres.
        place: [f64; 3],
        /// See [`TargetMemory`].
        is_new: bool,
    },
    /// Look where it likes again.
    LookFreely,
    /// Go on with another repertoire, and with another behaviour if there is one.
    Adopt(Arc<Library>, Option<Arc<Behaviour>>),
    /// Have the eyes that the character has now.
    Learn(Learned),
    /// What a tracker saw, and how far it is believed.
    Drive(Arc<BodySample>, Trust),
}

impl Ask {
    /// A request for one performer.
    ///
    /// # Errors
    /// With the request itself, if it concerns who is on stage and who watches.
    #[allow(clippy::result_large_err, reason = "it is the request itself, and asked for once a request")]
    pub fn of(what: RequestKind) -> Result<Self, RequestKind> {
        match what {
            RequestKind::Intent(intent) => Ok(Self::Intend(Arc::new(intent))),
            RequestKind::Temperament(temperament) => Ok(Self::Temper(temperament)),
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

/// Whom eyes attend to, and whom they follow.
const VIEWER: &str = "viewer";
const FOLLOWED: &str = "followed";

/// Does what is asked, now. This is all that ever changes a performance, in the present and when it is played
/// again.
///
/// # Errors
/// If an intent is not possible, or a repertoire is for another body.
pub fn obey(performer: &mut Performer, ask: &Ask) -> vivant::Result<Option<u64>> {
    let now = performer.frame().time();
    match ask {
        Ask::Intend(intent) => return performer.intend(intent),
        Ask::Temper(temperament) => {
            // Who was still until now begins to live.
            let is_still = performer.gaze().is_none();
            temper(performer, now, temperament);
            if is_still {
                performer.eyes().live(now);
            }
        }
        Ask::Attend { place, is_new } => {
            let eyes = performer.eyes();
            let viewer = eyes.target(VIEWER);
            eyes.move_target(now, viewer, *place);
            if *is_new {
                eyes.attend(now, Target::Named(viewer));
            }
        }
        Ask::Follow { place, is_new } => {
            let eyes = performer.eyes();
            let followed = eyes.target(FOLLOWED);
            eyes.move_target(now, followed, *place);
            if *is_new {
                eyes.look(Look { at: now, ..Look::at(Target::Named(followed)) });
            }
        }
        Ask::LookFreely => performer.eyes().look_freely(now),
        Ask::Learn(learned) => performer.eyes().learn(learned),
        Ask::Drive(sample, trust) => {
            performer.trust(*trust);
            performer.drive(BodySample::clone(sample));
        }
        Ask::Adopt(library, behaviour) => {
            performer.adopt(Arc::clone(library))?;
            if let Some(behaviour) = behaviour {
                performer.behave(now, Arc::clone(behaviour));
            }
        }
    }
    Ok(None)
}

pub(crate) fn temper(performer: &mut Performer, now: f64, temperament: &Temperament) {
    performer.breathe(now, temperament.liveliness);
    performer.eyes().set_temperament(now, *temperament);
}

/// Knows whether somebody is new or has only moved: attending anew to whom one attends to would be a jump.
#[derive(Clone, Copy, Debug, Default)]
pub struct TargetMemory {
    is_attending: bool,
    is_following: bool,
}

impl TargetMemory {
    /// What is asked, with `is_new` as it is.
    #[must_use]
    pub fn with_news(&mut self, ask: Ask) -> Ask {
        match ask {
            Ask::Attend { place, .. } => {
                Ask::Attend { place, is_new: !std::mem::replace(&mut self.is_attending, true) }
            }
            Ask::Follow { place, .. } => {
                Ask::Follow { place, is_new: !std::mem::replace(&mut self.is_following, true) }
            }
            Ask::LookFreely => {
                self.is_following = false;
                ask
            }
            Ask::Intend(ref intent) if matches!(**intent, Intent::Look(_)) => {
                self.is_following = false;
                ask
            }
            other => other,
        }
    }
}
