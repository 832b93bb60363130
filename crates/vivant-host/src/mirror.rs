//! Mirrors a person with a performer: receives sightings of the person, and returns commands for the performer.
//!
//! The decision how to respond to a person is made by [`Mimic`]. This module connects it to a camera in another
//! program: it converts the sender's clock to the performer's time, notices when data stops, and directs the eyes to
//! the face. Call [`Mirror::see`] for each [`Sighting`], and [`Mirror::due_commands`] for every frame. The returned
//! commands are not applied here, so that the caller can record them for a replay. Detection of landmarks is not part
//! of this module.

use crate::Command;
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
    /// Offset between the performer's time and the sender's clock, in seconds.
    offset: Option<f64>,
    /// Last position to which the eyes were directed, in metres.
    attended: Option<[f64; 3]>,
    /// The latest responses.
    answered: Vec<String>,
}

/// Seconds without data after which a person counts as gone.
const SILENCE_SECS: f64 = 2.0;
/// Jump of the sender's clock in seconds above which the clock was set or belongs to another sender.
const CLOCK_JUMP_SECS: f64 = 0.5;
/// Maximum increase of the clock offset with each message, in seconds. It allows for drift between the clocks.
const DRIFT: f64 = 0.002;
/// Minimum movement of the person's face along an axis, in metres, that the eyes follow.
const MIN_MOVEMENT_M: f64 = 0.02;
/// Maximum number of responses that are reported.
const MAX_REPORTED: usize = 3;

impl Mirror {
    /// Creates a mirror for a performer with this repertoire.
    #[must_use]
    pub fn new(library: &Library, manner: Manner, seed: u64) -> Self {
        let stances = library.graph().map_or(&[][..], |graph| graph.stances());
        let names = stances.iter().map(|stance| stance.name.clone()).collect();
        let mimic = Mimic::new(library, manner, seed);
        Self { mimic, names, offset: None, attended: None, answered: Vec::new() }
    }

    /// Returns the settings for mirroring the person.
    #[must_use]
    pub fn manner(&self) -> Manner {
        self.mimic.manner()
    }

    /// Changes the settings for mirroring the person.
    pub fn set_manner(&mut self, manner: Manner) {
        self.mimic.set_manner(manner);
    }

    /// Adds landmarks that arrived at `now`, the performer's time in seconds.
    pub fn see(&mut self, sighting: &Sighting, now: f64) {
        let secs = self.own_time(sighting.time, now);
        self.mimic.see(&sighting.person(secs));
    }

    /// Adds an observation of the person. Its time is already the performer's time.
    pub fn see_person(&mut self, person: &Person) {
        self.mimic.see(person);
    }

    /// Converts the sender's time to the performer's time. The smallest transport delay so far is used, so that late
    /// messages do not shift the result.
    fn own_time(&mut self, sent: f64, now: f64) -> f64 {
        let offset = now - sent;
        let before = self.offset.filter(|before| (offset - before).abs() < CLOCK_JUMP_SECS);
        let offset = before.map_or(offset, |before| offset.min(before + DRIFT));
        self.offset = Some(offset);
        sent + offset
    }

    /// Returns the commands that are due at `now`, the performer's time in seconds.
    pub fn due_commands(&mut self, now: f64) -> Vec<Command> {
        let noticed = self.mimic.noticed();
        if noticed.view != View::Nobody && now - noticed.secs > SILENCE_SECS {
            self.mimic.see(&Person::nobody(now));
        }
        let mut due_commands: Vec<Command> = Vec::new();
        for intent in self.mimic.take_due(now) {
            self.answered.insert(0, intents::write(&intent));
            due_commands.push(Command::Intent(Arc::new(intent)));
        }
        self.answered.truncate(MAX_REPORTED);
        due_commands.extend(self.attend());
        due_commands
    }

    /// Returns the command that directs the eyes to the person's face; `None` if the position of the face is unknown
    /// or has hardly changed.
    fn attend(&mut self) -> Option<Command> {
        let place = self.mimic.face()?;
        let way = |from: [f64; 3]| (0..3).map(|axis| (place[axis] - from[axis]).abs()).fold(0.0, f64::max);
        if self.attended.is_some_and(|from| way(from) < MIN_MOVEMENT_M) {
            return None;
        }
        self.attended = Some(place);
        Some(Command::Attend { place, is_new: false })
    }

    /// Returns the information about the person that viewers show.
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
            waiting: self.mimic.planned().iter().map(intents::write).collect(),
            answered: self.answered.clone(),
        }
    }
}
