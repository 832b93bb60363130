//! What a performer says, and the mouth that says it.

use crate::performer::{Performer, What};
use crate::rig::Rig;
use crate::speech::mouth::{Mouth, MouthRig, Shape};
use crate::speech::score::Score;

/// A mouth, and how the avatar shows it.
#[derive(Clone, Debug)]
pub(super) struct Voice {
    mouth: Mouth,
    rig: MouthRig,
    shown: Shape,
}

impl Voice {
    fn new(rig: &Rig) -> Self {
        Self { mouth: Mouth::default(), rig: MouthRig::new(rig), shown: Shape::REST }
    }
}

impl Performer {
    /// Moves the mouth to the sounds of a line that begins at `at`. A line may be told again, by its number, when more
    /// of it or better times are known: the mouth goes on from where it is.
    pub fn mouth(&mut self, at: f64, line: u64, score: &Score) {
        let (library, now) = (&self.library, self.now());
        if at.is_finite() {
            let voice = self.voice.get_or_insert_with(|| Box::new(Voice::new(library.rig())));
            voice.mouth.say(now, at, line, &score.segments);
        }
    }

    /// The mouth of the frame that was made last; `None` if nothing was ever said.
    #[must_use]
    pub fn mouth_shape(&self) -> Option<&Shape> {
        self.voice.as_ref().map(|voice| &voice.shown)
    }

    /// Says nothing more from a time on.
    pub(super) fn hush_at(&mut self, at: f64) {
        if self.voice.is_some() {
            self.schedule(at, What::Hush);
        }
    }

    pub(super) fn hush(&mut self, at: f64) {
        if let Some(voice) = &mut self.voice {
            voice.mouth.hush(at);
        }
    }

    /// The mouth, over what clips do to it.
    pub(super) fn show_mouth(&mut self, t: f64) {
        if let Some(voice) = self.voice.as_deref_mut() {
            voice.shown = voice.mouth.shape(t);
            voice.rig.show(&voice.shown, &mut self.frame.rotations, &mut self.frame.weights);
        }
    }
}
