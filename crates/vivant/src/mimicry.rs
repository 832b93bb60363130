//! Mimicry: a character mirrors the person in front of it (Borer 2019, section 7.4).
//!
//! A tracker reports a [`Person`] as often as it can. From this the module infers the person's stance *in the
//! character's own repertoire*, the supporting leg, the head tilt, and whether they nod, gesture, smile or blink
//! ([`Noticed`]). Some of these actions are answered with [`Intent`]s, after a delay and not always. The planner
//! treats them like the intents of an agent.
//!
//! ```
//! use vivant::mimicry::{Manner, Mimic, Person};
//! # use vivant::{body::library::Library, performer::Performer, pose::Pose, rig::{Bone, Rig, RigParts}};
//! # let rig = Rig::new(RigParts { rest_positions: vec![(Bone::Hips, glam::Vec3::Y), (Bone::Head, glam::Vec3::Y * 1.5)], ..RigParts::default() });
//! # let base = Pose::neutral(&rig);
//! # let mut performer = Performer::new(Library::new(rig, base, &[]), 7);
//! let mut mimic = Mimic::new(performer.library(), Manner::default(), 7);
//! for frame in 0..300 {
//!     let now = f64::from(frame) / 30.0;
//!     mimic.see(&Person::nobody(now)); // the tracker's result for this time
//!     for intent in mimic.take_due(now) {
//!         performer.intend(&intent)?;
//!     }
//!     performer.advance_to(now);
//! }
//! # Ok::<(), vivant::error::Error>(())
//! ```
//!
//! `DIFFERENCE`: the character of Borer 2019 answers immediately and always. People mirror posture after a few
//! seconds and not always; being copied at once feels like mockery. [`Manner`] controls amount and delay.

mod answer;
mod baseline;
mod filter;
mod hand;
mod person;
mod shape;
mod stances;
mod swing;
mod watch;

use crate::body::Side;
use crate::body::layers::Layer;
use crate::body::library::Library;
use crate::body::repertoire::{Hand, Kind};
use crate::intent::Intent;
use crate::rig::Bone;
use answer::Answers;
pub use filter::OneEuro;
pub use hand::{Fingers, HandShape};
pub use person::{Face, Landmark, Person, TrackedLandmark};
use serde::{Deserialize, Serialize};
use shape::Shape;
use stances::Stances;
use std::collections::VecDeque;
use watch::Observer;
pub use watch::{Noticed, PersonAction, View};

/// Settings for mirroring a person.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Manner {
    /// Share of actions that are answered, from 0 (none) to 1 (all); by default 0.6. Partial mirroring creates
    /// rapport; complete mirroring looks like mockery.
    pub amount: f64,
    /// True to answer like a mirror: the character uses its right side if the person uses their left side. By default
    /// true.
    pub mirror: bool,
    /// Approximate delay of posture changes in seconds; by default 2.5. Nods and smiles are faster.
    pub delay: f64,
    /// Priority of the answers; intents of an agent have 0. By default −1.
    pub priority: i32,
}

impl Default for Manner {
    fn default() -> Self {
        Self { amount: 0.6, mirror: true, delay: 2.5, priority: -1 }
    }
}

impl Manner {
    /// Clamps values to their ranges and replaces NaN by the defaults.
    fn sanitized(self) -> Self {
        let usual = Self::default();
        let or = |number: f64, usual: f64| if number.is_nan() { usual } else { number };
        Self {
            amount: or(self.amount, usual.amount).clamp(0.0, 1.0),
            delay: or(self.delay, usual.delay).clamp(0.0, 60.0),
            ..self
        }
    }
}

/// Mirrors one person with one character.
#[derive(Clone, Debug)]
pub struct Mimic {
    manner: Manner,
    stances: Stances,
    abilities: Abilities,
    watch: Observer,
    answers: Answers,
    /// Height of the character's eyes in metres.
    eyes_m: f64,
    /// Actions of the person since the last call of `take_actions`, newest first.
    actions: VecDeque<(f64, PersonAction)>,
}

/// Maximum number of stored actions.
const MAX_ACTIONS: usize = 256;

impl Mimic {
    /// Creates a mimic for a character with the repertoire of `library`. The same seed gives the same answers.
    #[must_use]
    pub fn new(library: &Library, manner: Manner, seed: u64) -> Self {
        let stances = Stances::of(library);
        Self {
            manner: manner.sanitized(),
            watch: Observer::new(stances.all().len()),
            stances,
            abilities: Abilities::of(library),
            answers: Answers::new(seed),
            eyes_m: eyes_m(library),
            actions: VecDeque::new(),
        }
    }

    /// Returns the manner.
    #[must_use]
    pub fn manner(&self) -> Manner {
        self.manner
    }

    /// Changes the manner from now on.
    pub fn set_manner(&mut self, manner: Manner) {
        self.manner = manner.sanitized();
        if self.manner.amount == 0.0 {
            self.answers.clear();
        }
    }

    /// Processes a tracking result and returns the current observations. Results older than the last one are ignored.
    pub fn see(&mut self, person: &Person) -> &Noticed {
        let (answers, manner, actions) = (&mut self.answers, &self.manner, &mut self.actions);
        self.watch.see(&self.stances, person, |action| {
            answers.process(person.secs, action, manner);
            actions.truncate(MAX_ACTIONS - 1);
            actions.push_front((person.secs, action));
        });
        self.watch.noticed()
    }

    /// Returns the current observations.
    #[must_use]
    pub fn noticed(&self) -> &Noticed {
        self.watch.noticed()
    }

    /// Returns the person's actions since the last call, oldest first, with their times. If there were too many, only
    /// the latest are kept.
    pub fn take_actions(&mut self) -> impl Iterator<Item = (f64, PersonAction)> {
        std::mem::take(&mut self.actions).into_iter().rev()
    }

    /// Returns the intents that are due by `now`, with their times.
    pub fn take_due(&mut self, now: f64) -> Vec<Intent> {
        let due = self.answers.take_due(now, self.watch.noticed());
        let intent = |(at, action)| answer::intent(action, at, &self.stances, &self.abilities, &self.manner);
        due.into_iter().filter_map(intent).collect()
    }

    /// Returns the intents planned so far, with their times. Later actions of the person can change them.
    #[must_use]
    pub fn planned(&self) -> Vec<Intent> {
        let intent = |(at, action)| answer::intent(action, at, &self.stances, &self.abilities, &self.manner);
        self.answers.waiting().filter_map(intent).collect()
    }

    /// Returns the position of the person's face relative to the character in metres, assuming that the camera is at
    /// the character's eyes. `None` if no face is visible. Use the result as the target of attention.
    #[must_use]
    pub fn face(&self) -> Option<[f64; 3]> {
        let within = |aside: f64, far: f64, most: f64| aside.clamp(-most * far, most * far);
        let [aside, up] = MAX_OFFSET;
        self.noticed().face_m.map(|[x, y, z]| [within(x, z, aside), within(y, z, up) + self.eyes_m, z])
    }

    /// Classifies the stance in a single tracking result, without earlier results. Returns the index of the stance in
    /// the library's graph and its probability, or `None` and the probability that the stance is unknown.
    #[must_use]
    pub fn classify_stance(&self, person: &Person) -> (Option<usize>, f64) {
        let Some(shape) = Shape::of(person) else { return (None, 1.0) };
        let likely = self.stances.probabilities(&shape);
        let unknown = likely[self.stances.all().len()];
        let all = self.stances.all().iter().zip(&likely);
        match all.max_by(|a, b| a.1.total_cmp(b.1)).filter(|(_, likely)| **likely >= watch::MIN_PROBABILITY) {
            Some((known, likely)) => (Some(known.stance), *likely),
            None => (None, unknown),
        }
    }
}

/// Limits on the direction of a face as tangents: 30° to the side and 8° up or down. The inclination of the camera is
/// unknown, and a gaze over the person's head would miss them.
const MAX_OFFSET: [f64; 2] = [0.58, 0.14];

fn eyes_m(library: &Library) -> f64 {
    // From the head joint up to the eyes of an adult.
    const ABOVE_HEAD_M: f32 = 0.07;
    let rig = library.rig();
    let has_eyes = rig.bones().contains(Bone::LeftEye);
    let bone = if has_eyes { Bone::LeftEye } else { Bone::Head };
    (rig.rest_position(bone).y + if has_eyes { 0.0 } else { ABOVE_HEAD_M }).into()
}

/// Clips and stances of a repertoire that can answer a person, apart from stances of the arms.
#[derive(Clone, Debug, Default)]
struct Abilities {
    /// Name of a stance that moves the head but not the arms, with the head upright.
    upright: Option<String>,
    /// Name of such a stance with the head tilted to the left.
    left: Option<String>,
    /// Name of such a stance with the head tilted to the right.
    right: Option<String>,
    /// True if there is a clip for shaking the head.
    shakes: bool,
    /// Hands that have gestures.
    gestures: Vec<Hand>,
    /// Hands that have pointing gestures.
    points: Vec<Hand>,
}

/// Tag of pointing gestures, which gesture research calls deictic (McNeill 1992).
const POINTING_TAG: &str = "deictic";

/// Head tilt in degrees from which a stance counts as tilted.
const MIN_TILT_DEG: f64 = 4.0;

impl Abilities {
    fn of(library: &Library) -> Self {
        let mut abilities = Self::default();
        let Some(graph) = library.graph() else { return abilities };
        for (index, stance) in graph.stances().iter().enumerate() {
            if !stance.layers.contains(Layer::Head) || stance.layers.contains(Layer::Arms) {
                continue;
            }
            let person = Person::posed(0.0, library.rig(), &library.stance_pose(index));
            let tilt = watch::tilt_deg(&person).unwrap_or(0.0);
            let place = match tilt {
                tilt if tilt >= MIN_TILT_DEG => &mut abilities.left,
                tilt if tilt <= -MIN_TILT_DEG => &mut abilities.right,
                _ => &mut abilities.upright,
            };
            place.get_or_insert_with(|| stance.name.clone());
        }
        abilities.shakes = graph.find_clip("shake").is_some();
        let gestures = graph.actions().iter().filter(|action| action.kind == Kind::Gesture);
        let points = graph.find_tag(POINTING_TAG).unwrap_or(0);
        for action in gestures {
            abilities.gestures.extend(action.hand);
            abilities.points.extend(action.hand.filter(|_| action.tags & points != 0));
        }
        abilities
    }

    /// Returns the name of the stance with the head tilted to `side`, or upright if `side` is `None`.
    fn head_stance(&self, side: Option<Side>) -> Option<&str> {
        match side {
            None => self.upright.as_deref(),
            Some(Side::Left) => self.left.as_deref(),
            Some(Side::Right) => self.right.as_deref(),
        }
    }
}
