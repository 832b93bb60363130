//! Speech events of a character, to which its conversation partners react.
//!
//! Listeners nod and blink at stressed words and phrase boundaries of a speaker. A speaking performer records these
//! times as [`SpeechEvent`]s. The host passes them to the listeners within 0.2 s; times are in seconds of the
//! performance.
//!
//! ```
//! # use vivant::glam::Vec3;
//! # use vivant::{Bone, Intent, Library, Performer, Pose, Rig, RigParts, Say};
//! # let rig = Rig::new(RigParts { rest_positions: vec![(Bone::Hips, Vec3::Y)], ..RigParts::default() });
//! # let base = Pose::neutral(&rig);
//! # let mut speaker = Performer::new(Library::new(rig, base, &[]), 7);
//! # let mut listener = speaker.clone();
//! speaker.intend(&Intent::Say(Say { at: Some(0.5), ..Say::new("Hello! How are you?") }))?;
//! for frame in 0..120 {
//!     let t = f64::from(frame) / 60.0;
//!     speaker.advance_to(t);
//!     for event in speaker.take_speech() {
//!         listener.hear(&event);
//!     }
//!     listener.advance_to(t);
//! }
//! # Ok::<(), vivant::Error>(())
//! ```

use super::score::Ending;
use std::collections::VecDeque;

/// A speech event with its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeechEvent {
    /// Time in seconds of the performance.
    pub at: f64,
    /// Kind of the event.
    pub what: SpeechEventKind,
}

/// Kind of a speech event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpeechEventKind {
    /// Start of a turn.
    Start,
    /// An emphasized word.
    Emphasis {
        /// Strength from 0 to 1.
        strength: f32,
    },
    /// End of a phrase or a sentence.
    PhraseEnd(Ending),
    /// End of the text known so far; more will follow.
    Hold,
    /// End of the turn.
    End,
    /// The turn was interrupted before its end.
    Interrupted,
}

/// Queue of the latest speech events.
#[derive(Clone, Debug)]
pub(crate) struct SpeechEvents(VecDeque<SpeechEvent>);

/// Maximum number of events: more than in several minutes of fast speech.
const CAPACITY: usize = 512;

impl Default for SpeechEvents {
    fn default() -> Self {
        Self(VecDeque::with_capacity(CAPACITY))
    }
}

impl SpeechEvents {
    /// Adds an event. The oldest event is dropped if the queue is full; nothing is allocated.
    pub(crate) fn push(&mut self, at: f64, what: SpeechEventKind) {
        if self.0.len() == CAPACITY {
            self.0.pop_front();
        }
        self.0.push_back(SpeechEvent { at, what });
    }

    pub(crate) fn take(&mut self) -> impl Iterator<Item = SpeechEvent> {
        self.0.drain(..)
    }
}
