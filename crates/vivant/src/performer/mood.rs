//! What a performer feels, and what shows of it.

use crate::body::graph::names;
use crate::body::mood::{DEFAULT_INTENSITY, Feeling, Mood, Moods};
use crate::error::{Error, Result};
use crate::intent::Be;
use crate::performer::{EventKind, Performer};

impl Performer {
    /// The mood that it is in, or comes into.
    #[must_use]
    pub fn mood(&self) -> Mood {
        self.moods.as_ref().map_or_else(Mood::default, |moods| moods.mood())
    }

    /// Feels so from a time on: face, posture, blinks and tempo show it.
    pub fn feel(&mut self, at: f64, mood: Mood) {
        if at.is_finite() {
            self.ensure_moods();
            self.schedule(at, EventKind::Feel(mood));
        }
    }

    /// What is felt later finds its place ready.
    pub(super) fn ensure_moods(&mut self) {
        let library = &self.library;
        self.moods.get_or_insert_with(|| Box::new(Moods::new(library.rig())));
    }

    pub(super) fn feel_now(&mut self, at: f64, mood: Mood) {
        let tint = mood.tint();
        if let Some(moods) = &mut self.moods {
            moods.be(at, mood);
        }
        if let Some(face) = &mut self.face {
            face.eyes.tint(at, tint.blinks, tint.aperture);
        }
        if let Some(planner) = &mut self.planner {
            planner.set_gaps(tint.gaps);
        }
    }

    /// What a state says of a mood: a feeling, a corpus of the eye texture, or both.
    pub(super) fn take_mood(&mut self, be: &Be, now: f64) -> Result<()> {
        let at = be.at.filter(|at| at.is_finite()).unwrap_or(now).max(now);
        let name = be.mood.as_deref();
        let feeling = name.map_or(Some(Feeling::Neutral), Feeling::from_name);
        let corpora: Vec<String> = self.corpora().map(str::to_owned).collect();
        let corpus = name.and_then(|name| names::position(corpora.iter().map(String::as_str), name));
        if feeling.is_none() && corpus.is_none() {
            return Err(self.unknown_mood(name.unwrap_or_default()));
        }
        if let Some(face) = &mut self.face {
            face.eyes.mood(at, corpus.map(|corpus| corpora[corpus].as_str()))?;
        }
        let mood = Mood::new(feeling.unwrap_or_default(), be.intensity.unwrap_or(DEFAULT_INTENSITY));
        if self.moods.is_some() || mood.feeling() != Feeling::Neutral {
            self.feel(at, mood);
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
