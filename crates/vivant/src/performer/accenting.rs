//! Nods and brows that go with what is stressed.

use crate::performer::Performer;

impl Performer {
    /// Head and brows go with a word that stands out.
    pub(super) fn stress(&mut self, at: f64, strength: f64) {
        let _ = (at, strength);
    }

    /// Nods, with the lowest point at a time.
    pub(super) fn nod(&mut self, at: f64, strength: f64) {
        let _ = (at, strength);
    }

    pub(super) fn raise_brows(&mut self, at: f64, strength: f64) {
        let _ = (at, strength);
    }

    pub(super) fn forget_accents(&mut self, at: f64) {
        let _ = at;
    }
}
