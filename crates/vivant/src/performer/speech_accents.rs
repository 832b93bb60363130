//! Nods and brow raises on stressed words.
//!
//! Speakers mark some stressed words with the head or the brows, but not all of them. `stress` draws a nod and a brow
//! raise for each word; the probability rises with the stress. The random numbers depend on the time of the word alone,
//! so an additional accent does not change the later ones. `nod`, `raise_brows` and `tilt` make a single movement
//! without a draw, for tags, intents and listeners. Call `ensure_accents` beforehand, so that a time step does not
//! allocate.

use crate::body::accent::Accents;
use crate::chance::Chance;
use crate::performer::Performer;

/// Probability of a nod on a word with maximum stress; it decreases linearly with the stress (Graf and others 2002:
/// 42 of 100 pitch accents have a nod, and 18 of 100 have a nod with an overshoot).
const NODS: f64 = 0.6;
/// Probability of a brow raise on a word with maximum stress; it decreases linearly with the stress (our design: brow
/// raises are rarer than nods).
const BROWS: f64 = 0.3;
/// Seconds for which brows stay raised.
const BROWS_HOLD_SECS: f64 = 0.15;

/// Head and brow movements on words.
#[derive(Clone, Debug)]
pub(super) struct SpeechAccents {
    pub(super) accents: Accents,
    chance: Chance,
}

impl Performer {
    fn speech_accents(&mut self) -> &mut SpeechAccents {
        let (library, seed) = (&self.library, self.seed);
        self.accents.get_or_insert_with(|| {
            let accents = Accents::new(library.rig(), seed);
            Box::new(SpeechAccents { accents, chance: Chance::new(seed, "stress") })
        })
    }

    /// Allocates the accents in advance, so that adding accents while time advances does not allocate.
    pub(super) fn ensure_accents(&mut self) {
        self.speech_accents();
    }

    /// Adds a nod and a brow raise on a stressed word, each at random. They are more likely for more stress.
    pub(super) fn stress(&mut self, at: f64, strength: f64) {
        let now = self.now();
        let speech_accents = self.speech_accents();
        // The random numbers depend on the time of the word, not on the number of accents before it.
        let mut draw = speech_accents.chance.event(at.to_bits());
        if draw.uniform() < NODS * strength {
            speech_accents.accents.nod(now, at, strength);
        }
        if draw.uniform() < BROWS * strength {
            speech_accents.accents.brows(now, at, strength, BROWS_HOLD_SECS);
        }
    }

    /// Nods; `at` is the time of the lowest point.
    pub(super) fn nod(&mut self, at: f64, strength: f64) {
        let now = self.now();
        self.speech_accents().accents.nod(now, at, strength);
    }

    pub(super) fn raise_brows(&mut self, at: f64, strength: f64) {
        let now = self.now();
        self.speech_accents().accents.brows(now, at, strength, BROWS_HOLD_SECS);
    }

    /// Tilts the head to a side: `side` is 1 for left and −1 for right. The tilt is complete at `at`.
    pub(super) fn tilt(&mut self, at: f64, side: f64) {
        let now = self.now();
        self.speech_accents().accents.tilt(now, at, 1.0, Some(side));
    }

    pub(super) fn cancel_accents(&mut self, at: f64) {
        if let Some(speech_accents) = &mut self.accents {
            speech_accents.accents.cancel_after(at);
        }
    }
}
