//! Mimicry: a character mirrors the person in front of it (paper 4, section 7.4).
//!
//! A tracker tells what it sees of a [`Person`], as often as it can. It is understood: in which stance *of the
//! character's own repertoire* they are, on which leg they stand, how they hold their head, whether they nod, gesture,
//! smile or blink ([`Noticed`]). Some of it is answered, a while later and not always, by [`Intent`]s: so the two streams
//! of wishes, the agent's and the mirror's, meet in the planner as any others do.
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
//!     mimic.see(&Person::nobody(now)); // what a camera saw at this time
//!     for intent in mimic.take_due(now) {
//!         performer.intend(&intent)?;
//!     }
//!     performer.advance_to(now);
//! }
//! # Ok::<(), vivant::error::Error>(())
//! ```
//!
//! `DIFFERENCE`: paper 4 answers at once and always. People answer posture after some seconds, and not all of it; who is
//! copied at once feels mocked. [`Manner`] goes from none to all of it.

mod answer;
mod hand;
mod person;
mod shape;
mod stances;
mod steady;
mod swing;
mod usual;
mod watch;

use crate::body::Side;
use crate::body::layers::Layer;
use crate::body::library::Library;
use crate::body::repertoire::{Hand, Kind};
use crate::intent::Intent;
use crate::rig::Bone;
use answer::Answers;
pub use hand::{Fingers, HandShape};
pub use person::{Face, Person, Seen, Spot};
use serde::{Deserialize, Serialize};
use shape::Shape;
use stances::Stances;
use std::collections::VecDeque;
pub use steady::OneEuro;
use watch::Watch;
pub use watch::{Noticed, PersonAction, View};

/// How a person is answered.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Manner {
    /// How much of what they do is answered, from 0, nothing, to 1; by default 0.6. Part of it is rapport, all of it
    /// mockery.
    pub amount: f64,
    /// Whether their left is answered with the right, as in a mirror; by default it is.
    pub mirror: bool,
    /// About how long after them posture changes, in seconds; by default 2.5. Nods and smiles are quicker.
    pub delay: f64,
    /// The priority of the answers beside what an agent asks for, which has 0; by default −1.
    pub priority: i32,
}

impl Default for Manner {
    fn default() -> Self {
        Self { amount: 0.6, mirror: true, delay: 2.5, priority: -1 }
    }
}

impl Manner {
    /// The same within what is possible: numbers that are none become the usual ones.
    fn sound(self) -> Self {
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
    means: Means,
    watch: Watch,
    answers: Answers,
    /// How high the character's eyes are, in metres.
    eyes_m: f64,
    /// What the person did, until somebody asks.
    deeds: VecDeque<(f64, PersonAction)>,
}

/// How many deeds are kept until somebody asks.
const KEPT_DEEDS: usize = 256;

impl Mimic {
    /// For a character with this repertoire. The same seed answers the same person alike.
    #[must_use]
    pub fn new(library: &Library, manner: Manner, seed: u64) -> Self {
        let stances = Stances::of(library);
        Self {
            manner: manner.sound(),
            watch: Watch::new(stances.all().len()),
            stances,
            means: Means::of(library),
            answers: Answers::new(seed),
            eyes_m: eyes_m(library),
            deeds: VecDeque::new(),
        }
    }

    /// How they are answered.
    #[must_use]
    pub fn manner(&self) -> Manner {
        self.manner
    }

    /// Answers otherwise from now on.
    pub fn set_manner(&mut self, manner: Manner) {
        self.manner = manner.sound();
        if self.manner.amount == 0.0 {
            self.answers.forget();
        }
    }

    /// Sees the person, and gives what is understood by now. What is older than what was seen last changes nothing.
    pub fn see(&mut self, person: &Person) -> &Noticed {
        let (answers, manner, deeds) = (&mut self.answers, &self.manner, &mut self.deeds);
        self.watch.see(&self.stances, person, |deed| {
            answers.take(person.secs, deed, manner);
            deeds.truncate(KEPT_DEEDS - 1);
            deeds.push_front((person.secs, deed));
        });
        self.watch.noticed()
    }

    /// What is understood.
    #[must_use]
    pub fn noticed(&self) -> &Noticed {
        self.watch.noticed()
    }

    /// What they did since this was asked last, oldest first, each with its time; of very much only the last.
    pub fn take_deeds(&mut self) -> impl Iterator<Item = (f64, PersonAction)> {
        std::mem::take(&mut self.deeds).into_iter().rev()
    }

    /// What the character is to do by now because of the person, each with its time.
    pub fn take_due(&mut self, now: f64) -> Vec<Intent> {
        let due = self.answers.take_due(now, self.watch.noticed());
        let intent = |(at, deed)| answer::intent(deed, at, &self.stances, &self.means, &self.manner);
        due.into_iter().filter_map(intent).collect()
    }

    /// What it is going to answer, if nothing comes between: each with its time.
    #[must_use]
    pub fn waiting(&self) -> Vec<Intent> {
        let intent = |(at, deed)| answer::intent(deed, at, &self.stances, &self.means, &self.manner);
        self.answers.waiting().filter_map(intent).collect()
    }

    /// Where the person's face is for the character, in metres, if the camera is where its eyes are: whom to attend to.
    #[must_use]
    pub fn face(&self) -> Option<[f64; 3]> {
        let within = |aside: f64, far: f64, most: f64| aside.clamp(-most * far, most * far);
        let [aside, up] = MOST_ASIDE;
        self.noticed().face_m.map(|[x, y, z]| [within(x, z, aside), within(y, z, up) + self.eyes_m, z])
    }

    /// How likely it is that one picture shows a stance, by its number in the graph: the likeliest one, if it is likely
    /// enough. It takes nothing into account that was seen before.
    #[must_use]
    pub fn likeliest(&self, person: &Person) -> (Option<usize>, f64) {
        let Some(shape) = Shape::of(person) else { return (None, 1.0) };
        let likely = self.stances.likely(&shape);
        let unknown = likely[self.stances.all().len()];
        let all = self.stances.all().iter().zip(&likely);
        match all.max_by(|a, b| a.1.total_cmp(b.1)).filter(|(_, likely)| **likely >= watch::LIKELY) {
            Some((known, likely)) => (Some(known.stance), *likely),
            None => (None, unknown),
        }
    }
}

/// How far aside and up a face may be, by how far away it is: 30° and 8°. Nobody knows how a camera is inclined, and who
/// looks over somebody's head does not look at them.
const MOST_ASIDE: [f64; 2] = [0.58, 0.14];

fn eyes_m(library: &Library) -> f64 {
    // From the joint of the head up to the eyes of an adult.
    const ABOVE_HEAD_M: f32 = 0.07;
    let rig = library.rig();
    let has_eyes = rig.bones().contains(Bone::LeftEye);
    let bone = if has_eyes { Bone::LeftEye } else { Bone::Head };
    (rig.rest_position(bone).y + if has_eyes { 0.0 } else { ABOVE_HEAD_M }).into()
}

/// What a repertoire has to answer with besides stances of the arms.
#[derive(Clone, Debug, Default)]
struct Means {
    /// Stances that hold the head alone: upright, to the left, to the right.
    upright: Option<String>,
    left: Option<String>,
    right: Option<String>,
    /// Whether there is something to shake the head with.
    shakes: bool,
    /// The hands that it can gesture with, and point with.
    gestures: Vec<Hand>,
    points: Vec<Hand>,
}

/// The tag of gestures that point, as those who study gestures call them (McNeill 1992).
const POINTS: &str = "deictic";

/// How far a head leans in a stance that leans, in degrees.
const LEANS_DEG: f64 = 4.0;

impl Means {
    fn of(library: &Library) -> Self {
        let mut means = Self::default();
        let Some(graph) = library.graph() else { return means };
        for (index, stance) in graph.stances().iter().enumerate() {
            if !stance.layers.contains(Layer::Head) || stance.layers.contains(Layer::Arms) {
                continue;
            }
            let person = Person::posed(0.0, library.rig(), &library.stance_pose(index));
            let tilt = watch::tilt_deg(&person).unwrap_or(0.0);
            let place = match tilt {
                tilt if tilt >= LEANS_DEG => &mut means.left,
                tilt if tilt <= -LEANS_DEG => &mut means.right,
                _ => &mut means.upright,
            };
            place.get_or_insert_with(|| stance.name.clone());
        }
        means.shakes = graph.find_clip("shake").is_some();
        let gestures = graph.actions().iter().filter(|action| action.kind == Kind::Gesture);
        let points = graph.find_tag(POINTS).unwrap_or(0);
        for action in gestures {
            means.gestures.extend(action.hand);
            means.points.extend(action.hand.filter(|_| action.tags & points != 0));
        }
        means
    }

    /// The stance in which the head leans to a side, or is upright.
    fn like(&self, side: Option<Side>) -> Option<&str> {
        match side {
            None => self.upright.as_deref(),
            Some(Side::Left) => self.left.as_deref(),
            Some(Side::Right) => self.right.as_deref(),
        }
    }
}
