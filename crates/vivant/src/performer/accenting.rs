//! Nods and brows that go with what is stressed.

use crate::body::accent::Accents;
use crate::chance::Chance;
use crate::performer::Performer;

/// What share of words that stand out most is nodded to (Graf and others 2002: 42 of 100 pitch accents have a nod, and 18
/// one with an overshoot), and for what share the brows go up (ours: they are rarer).
const NODS: f64 = 0.6;
const BROWS: f64 = 0.3;
/// How long brows stay up, in seconds.
const BROWS_HOLD_SECS: f64 = 0.15;

/// Movements of head and brows that go with words.
#[derive(Clone, Debug)]
pub(super) struct Accenting {
    pub(super) accents: Accents,
    chance: Chance,
}

impl Performer {
    fn accenting(&mut self) -> &mut Accenting {
        let (library, seed) = (&self.library, self.seed);
        self.accents.get_or_insert_with(|| {
            let accents = Accents::new(library.rig(), seed);
            Box::new(Accenting { accents, chance: Chance::new(seed, "stress") })
        })
    }

    /// From now on head and brows can go with words: what is told later finds its place ready.
    pub(super) fn ensure_accents(&mut self) {
        self.accenting();
    }

    /// Head and brows go with a word that stands out.
    pub(super) fn stress(&mut self, at: f64, strength: f64) {
        let now = self.now();
        let accenting = self.accenting();
        // By its time, and not by how many there were: a word that was told better later is the same word.
        let mut draw = accenting.chance.event(at.to_bits());
        if draw.uniform() < NODS * strength {
            accenting.accents.nod(now, at, strength);
        }
        if draw.uniform() < BROWS * strength {
            accenting.accents.brows(now, at, strength, BROWS_HOLD_SECS);
        }
    }

    /// Nods, with the lowest point at a time.
    pub(super) fn nod(&mut self, at: f64, strength: f64) {
        let now = self.now();
        self.accenting().accents.nod(now, at, strength);
    }

    pub(super) fn raise_brows(&mut self, at: f64, strength: f64) {
        let now = self.now();
        self.accenting().accents.brows(now, at, strength, BROWS_HOLD_SECS);
    }

    /// Leans the head to a side: 1 to the left, −1 to the right.
    pub(super) fn tilt(&mut self, at: f64, side: f64) {
        let now = self.now();
        self.accenting().accents.tilt(now, at, 1.0, Some(side));
    }

    pub(super) fn forget_accents(&mut self, at: f64) {
        if let Some(accenting) = &mut self.accents {
            accenting.accents.forget_after(at);
        }
    }
}
