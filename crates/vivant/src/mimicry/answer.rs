//! Answering: what a character does because a person did something, some time later and not always.

use super::hand::HandShape;
use super::stances::Stances;
use super::watch::{Noticed, PersonAction, View};
use super::{Manner, Means, POINTS};
use crate::agenda::Agenda;
use crate::body::Side;
use crate::body::repertoire::{Hand, Kind};
use crate::chance::{Chance, Draw};
use crate::intent::{Act, BlinkOnce, Do, Intent, ToStance};

/// Answers that wait for their time.
#[derive(Clone, Debug)]
pub(super) struct Answers {
    chance: Chance,
    deeds: u64,
    waiting: Agenda<PersonAction>,
}

/// How often each is answered by somebody who answers as much as they can (our design: posture most, a smile nearly always,
/// what has a meaning of its own seldom).
fn readiness(deed: PersonAction) -> f64 {
    match deed {
        PersonAction::Stance(_) => 1.0,
        PersonAction::Smile => 0.9,
        PersonAction::Weight(_) => 0.8,
        PersonAction::Tilt(_) | PersonAction::Nod => 0.7,
        PersonAction::Pause => 0.6,
        PersonAction::Brows | PersonAction::Blink => 0.4,
        PersonAction::Shake => 0.3,
        PersonAction::Gesture { .. } => 0.2,
        // What a hand is like counts while it gestures.
        PersonAction::Hand(..) => 0.0,
    }
}

/// How long after it an answer comes, in seconds: at least and at most. Posture takes as long as the manner says.
fn delay(deed: PersonAction, manner: &Manner, draw: &mut Draw) -> f64 {
    let posture = manner.delay * draw.between(0.6, 1.4);
    match deed {
        PersonAction::Stance(_) | PersonAction::Weight(_) | PersonAction::Tilt(_) => posture,
        // Who listens blinks with who speaks: 0.25 to 0.5 s after them (Nakano and Kitazawa 2010).
        PersonAction::Blink | PersonAction::Pause => draw.between(0.25, 0.5),
        PersonAction::Nod | PersonAction::Shake | PersonAction::Smile | PersonAction::Brows => {
            (0.24 * posture).min(1.0)
        }
        PersonAction::Gesture { .. } | PersonAction::Hand(..) => 0.5 * posture,
    }
}

/// A stance that is kept is answered again after so many seconds, if the character has left it meanwhile.
const AGAIN_SECS: [f64; 2] = [8.0, 16.0];
/// How many may wait.
const MOST: usize = 16;

impl Answers {
    pub(super) fn new(seed: u64) -> Self {
        Self { chance: Chance::new(seed, "mimicry"), deeds: 0, waiting: Agenda::with_capacity(MOST) }
    }

    /// The person did something: perhaps it will be answered.
    pub(super) fn take(&mut self, secs: f64, deed: PersonAction, manner: &Manner) {
        if readiness(deed) <= 0.0 {
            return;
        }
        self.deeds += 1;
        let mut draw = self.chance.event(self.deeds);
        let is_answered = draw.uniform() < manner.amount * readiness(deed);
        // What has become of it in the meantime is all that counts.
        self.waiting.retain(|_, other| !is_same_kind(*other, deed) || !is_posture(deed));
        let has_one = self.waiting.iter().any(|(_, other)| is_same_kind(*other, deed));
        if is_answered && !has_one && self.waiting.len() < MOST {
            self.waiting.insert(secs + delay(deed, manner, &mut draw), deed);
        }
    }

    /// What waits: when it is due, and what it answers.
    pub(super) fn waiting(&self) -> impl Iterator<Item = (f64, PersonAction)> {
        self.waiting.iter().map(|(due, deed)| (due, *deed))
    }

    pub(super) fn forget(&mut self) {
        self.waiting.clear();
    }

    /// What is due by now and still holds, with its time.
    pub(super) fn take_due(&mut self, now: f64, noticed: &Noticed) -> Vec<(f64, PersonAction)> {
        let due: Vec<(f64, PersonAction)> = std::iter::from_fn(|| self.waiting.pop_due(now)).collect();
        let mut held = Vec::new();
        for (due, deed) in due.into_iter().filter(|(_, deed)| holds(*deed, noticed)) {
            held.push((due, deed));
            if matches!(deed, PersonAction::Stance(_)) {
                self.deeds += 1;
                let [least, most] = AGAIN_SECS;
                let again = due + self.chance.event(self.deeds).between(least, most);
                self.waiting.insert(again, deed);
            }
        }
        held
    }
}

fn is_same_kind(a: PersonAction, b: PersonAction) -> bool {
    std::mem::discriminant(&a) == std::mem::discriminant(&b)
}

fn is_posture(deed: PersonAction) -> bool {
    matches!(deed, PersonAction::Stance(_) | PersonAction::Weight(_) | PersonAction::Tilt(_))
}

/// Whether the person is still as they were when they were to be answered.
fn holds(deed: PersonAction, noticed: &Noticed) -> bool {
    let is_there = matches!(noticed.view, View::Partly | View::Seen);
    is_there
        && match deed {
            PersonAction::Stance(stance) => noticed.stance == Some(stance),
            PersonAction::Weight(side) => noticed.weight == side,
            PersonAction::Tilt(side) => noticed.tilt == side,
            _ => true,
        }
}

/// What to ask a performer for, as an answer at a time.
pub(super) fn intent(
    deed: PersonAction,
    at: f64,
    stances: &Stances,
    means: &Means,
    manner: &Manner,
) -> Option<Intent> {
    let at = Some(at);
    let priority = manner.priority;
    let own = |side: Side| if manner.mirror { side.other() } else { side };
    let word = |what: String| Some(Intent::Do(Do { what, at, priority }));
    let to = |stance: String| Some(Intent::Stance(ToStance { stance, at, priority }));
    match deed {
        PersonAction::Stance(stance) => {
            let known = stances.all().iter().find(|known| known.stance == stance)?;
            let answer = if manner.mirror { &stances.all()[known.mirrored] } else { known };
            to(answer.name.clone())
        }
        PersonAction::Weight(side) => word(format!("weight:{}", own(side?).name())),
        PersonAction::Tilt(side) => match (means.like(side.map(own)), side) {
            (Some(stance), _) => to(stance.to_owned()),
            (None, Some(side)) => word(format!("tilt:{}", own(side).name())),
            (None, None) => None,
        },
        PersonAction::Nod => word("nod".to_owned()),
        PersonAction::Shake => means.shakes.then(|| word("shake".to_owned())).flatten(),
        PersonAction::Smile => word("smile".to_owned()),
        PersonAction::Brows => word("brows".to_owned()),
        PersonAction::Blink | PersonAction::Pause => Some(Intent::Blink(BlinkOnce { blink: true, at })),
        PersonAction::Gesture { hand, shape, .. } => {
            let hand = if manner.mirror { mirrored(hand) } else { hand };
            let points = shape == Some(HandShape::Pointing) && means.points.contains(&hand);
            let tags = if points { vec![POINTS.to_owned()] } else { Vec::new() };
            let can = means.gestures.contains(&hand);
            can.then(|| Intent::Act(Act { hand: Some(hand), tags, at, priority, ..Act::new(Kind::Gesture) }))
        }
        PersonAction::Hand(..) => None,
    }
}

fn mirrored(hand: Hand) -> Hand {
    match hand {
        Hand::Left => Hand::Right,
        Hand::Right => Hand::Left,
        Hand::Both => Hand::Both,
    }
}
