//! A mirror for a performer: what was seen of a person goes in, and what to ask the performer for comes out.

use crate::Ask;
use std::sync::Arc;
use vivant::body::library::Library;
use vivant::mimicry::{Manner, Mimic, Person, View};
use vivant_io::json::intents;
use vivant_io::json::protocol::Noticed;
use vivant_io::json::sighting::Sighting;

/// Mirrors one person with one performer.
#[derive(Clone, Debug)]
pub struct Mirror {
    mimic: Mimic,
    names: Vec<String>,
    /// How far the performer's time is ahead of the sender's clock, in seconds.
    ahead: Option<f64>,
    /// Where the person was when the eyes were last told.
    attended: Option<[f64; 3]>,
    /// What was answered last.
    answered: Vec<String>,
}

/// Of whom nothing is heard for so long is not there any more, in seconds.
const SILENCE_SECS: f64 = 2.0;
/// A clock that is this far off was set, or is another one.
const OTHER_CLOCK_SECS: f64 = 0.5;
/// Clocks differ by no more than this, in seconds a second.
const DRIFT: f64 = 0.002;
/// Who has moved less than this has not moved, in metres.
const MOVED_M: f64 = 0.02;
/// How many answers are told.
const TOLD: usize = 3;

impl Mirror {
    /// For a performer with this repertoire.
    #[must_use]
    pub fn new(library: &Library, manner: Manner, seed: u64) -> Self {
        let stances = library.graph().map_or(&[][..], |graph| graph.stances());
        let names = stances.iter().map(|stance| stance.name.clone()).collect();
        let mimic = Mimic::new(library, manner, seed);
        Self { mimic, names, ahead: None, attended: None, answered: Vec::new() }
    }

    /// How the person is answered.
    #[must_use]
    pub fn manner(&self) -> Manner {
        self.mimic.manner()
    }

    /// Answers otherwise from now on.
    pub fn set_manner(&mut self, manner: Manner) {
        self.mimic.set_manner(manner);
    }

    /// Landmarks came at a time of the performance.
    pub fn see(&mut self, sighting: &Sighting, now: f64) {
        let secs = self.own_time(sighting.time, now);
        self.mimic.see(&sighting.person(secs));
    }

    /// A person was seen, at a time of the performance.
    pub fn see_person(&mut self, person: &Person) {
        self.mimic.see(person);
    }

    /// When something that was sent was seen. What comes late was not seen late: of all ways the quickest counts.
    fn own_time(&mut self, sent: f64, now: f64) -> f64 {
        let ahead = now - sent;
        let before = self.ahead.filter(|before| (ahead - before).abs() < OTHER_CLOCK_SECS);
        let ahead = before.map_or(ahead, |before| ahead.min(before + DRIFT));
        self.ahead = Some(ahead);
        sent + ahead
    }

    /// What to ask the performer for by now.
    pub fn asks(&mut self, now: f64) -> Vec<Ask> {
        let noticed = self.mimic.noticed();
        if noticed.view != View::Nobody && now - noticed.secs > SILENCE_SECS {
            self.mimic.see(&Person::nobody(now));
        }
        let mut asks: Vec<Ask> = Vec::new();
        for intent in self.mimic.take_due(now) {
            self.answered.insert(0, intents::write(&intent));
            asks.push(Ask::Intend(Arc::new(intent)));
        }
        self.answered.truncate(TOLD);
        asks.extend(self.attend());
        asks
    }

    /// The eyes follow the face of whom they look at. Where there are several, nobody knows whom.
    fn attend(&mut self) -> Option<Ask> {
        let place = self.mimic.face()?;
        let way = |from: [f64; 3]| (0..3).map(|axis| (place[axis] - from[axis]).abs()).fold(0.0, f64::max);
        if self.attended.is_some_and(|from| way(from) < MOVED_M) {
            return None;
        }
        self.attended = Some(place);
        Some(Ask::Attend { place, is_new: false })
    }

    /// What is understood of the person, for who watches.
    #[must_use]
    pub fn noticed(&self) -> Noticed {
        let noticed = self.mimic.noticed();
        Noticed {
            state: noticed.view,
            stance: noticed.stance.and_then(|stance| self.names.get(stance).cloned()),
            sure: noticed.sure,
            weight: noticed.weight,
            tilt: noticed.tilt,
            lean: noticed.spine_deg.map(|[lean, _]| lean),
            turn: noticed.spine_deg.map(|[_, turn]| turn),
            head: noticed.head_deg,
            gesture: noticed.gesture,
            left_hand: noticed.hands[0],
            right_hand: noticed.hands[1],
            smile: noticed.smile,
            brows: noticed.brows,
            gaze: noticed.gaze_deg,
            nods: noticed.nods,
            shakes: noticed.shakes,
            blinks: noticed.blinks,
            waiting: self.mimic.waiting().iter().map(intents::write).collect(),
            answered: self.answered.clone(),
        }
    }
}
