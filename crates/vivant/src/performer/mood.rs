//! Mood of a performer and its effects.
//!
//! A mood is more than an expression: it also changes blinks, lid aperture, and the pauses between spontaneous actions.
//! [`Performer::set_mood`] schedules a change, and [`Performer::mood`] returns the current mood. A `be` intent may name
//! a feeling, a corpus of the eye texture with recorded gaze of that mood, or a name that is both; an unknown name is
//! an error. Moods are allocated on first use, outside of the time step.

use crate::body::graph::names;
use crate::body::mood::{DEFAULT_INTENSITY, Feeling, Mood, Moods};
use crate::error::{Error, Result};
use crate::intent::Be;
use crate::performer::{EventKind, Performer};

impl Performer {
    /// Current mood; during a change, the new mood.
    #[must_use]
    pub fn mood(&self) -> Mood {
        self.moods.as_ref().map_or_else(Mood::default, |moods| moods.mood())
    }

    /// Sets the mood from `at` on. The mood affects face, posture, blinks and tempo.
    pub fn set_mood(&mut self, at: f64, mood: Mood) {
        if at.is_finite() {
            self.ensure_moods();
            self.schedule(at, EventKind::SetMood(mood));
        }
    }

    /// Allocates the moods in advance, so that setting a mood while time advances does not allocate.
    pub(super) fn ensure_moods(&mut self) {
        let library = &self.library;
        self.moods.get_or_insert_with(|| Box::new(Moods::new(library.rig())));
    }

    pub(super) fn apply_mood(&mut self, at: f64, mood: Mood) {
        let effects = mood.effects();
        if let Some(moods) = &mut self.moods {
            moods.set(at, mood);
        }
        if let Some(face) = &mut self.face {
            face.eyes.set_mood_factors(at, effects.blinks, effects.aperture);
        }
        if let Some(planner) = &mut self.planner {
            planner.set_gaps(effects.gaps);
        }
    }

    /// Applies the mood of a `be` intent: a feeling, a corpus of the eye texture, or both.
    pub(super) fn apply_mood_intent(&mut self, be: &Be, now: f64) -> Result<()> {
        let at = be.at.filter(|at| at.is_finite()).unwrap_or(now).max(now);
        let name = be.mood.as_deref();
        let feeling = name.map_or(Some(Feeling::Neutral), Feeling::from_name);
        let corpora: Vec<String> = self.corpora().map(str::to_owned).collect();
        let corpus = name.and_then(|name| names::position(corpora.iter().map(String::as_str), name));
        if feeling.is_none() && corpus.is_none() {
            return Err(self.unknown_mood(name.unwrap_or_default()));
        }
        if let Some(face) = &mut self.face {
            face.eyes.set_mood(at, corpus.map(|corpus| corpora[corpus].as_str()))?;
        }
        let mood = Mood::new(feeling.unwrap_or_default(), be.intensity.unwrap_or(DEFAULT_INTENSITY));
        if self.moods.is_some() || mood.feeling() != Feeling::Neutral {
            self.set_mood(at, mood);
        }
        Ok(())
    }

    fn corpora(&self) -> impl Iterator<Item = &str> {
        self.face.iter().flat_map(|face| face.eyes.corpora())
    }

    fn unknown_mood(&self, name: &str) -> Error {
        let moods = Feeling::ALL.map(Feeling::name);
        let known: Vec<&str> = moods.into_iter().chain(self.corpora()).collect();
        let error = Error::unknown("mood", name, known.iter().copied());
        if known.len() == moods.len() {
            return Error::new(format!("{error}; this character has no eye texture with moods of its own"));
        }
        error
    }
}
