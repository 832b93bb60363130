//! Nods and brow raises on stressed words.

use crate::body::accent::Accents;
use crate::chance::Chance;
use crate::performer::Performer;

/// Share of the most stressed words that get a nod (Graf and others 2002: 42 of 100 pitch accents have a nod, and 18 of
/// 100 have a nod with an overshoot), and share that get a brow raise (our design: brow raises are rarer).
const NODS: f64 = 0.6;
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

    /// Moves head and brows on a stressed word.
    pub(super) fn stress(&mut self, at: f64, strength: f64) {
        let now = self.now();
        let speech_accents = self.speech_accents();
        // The draw depends on the time, not on the number of accents, so that more or fewer accents before it do not
        // change it.
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

    /// Tilts the head to a side: 1 is left, −1 is right.
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
