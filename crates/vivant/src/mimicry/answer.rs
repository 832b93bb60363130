//! Answers: reactions of a character to a person, after a delay and not to every action.
//!
//! A copy of every action at once feels like mockery, so each kind of action has a probability and a delay.
//! `Answers::process` draws both when the action is observed. `Answers::take_due` returns the answers that are due and
//! drops those that are out of date, for example if the person has left the stance meanwhile; only the latest posture
//! is answered. `intent` then converts an answer to an [`Intent`], or returns `None` if the repertoire cannot show it.

use super::hand::HandShape;
use super::stances::Stances;
use super::watch::{Noticed, PersonAction, View};
use super::{Abilities, Manner, POINTING_TAG};
use crate::agenda::Agenda;
use crate::body::Side;
use crate::body::repertoire::{Hand, Kind};
use crate::chance::{Chance, Draw};
use crate::intent::{Act, BlinkOnce, Do, Intent, ToStance};

/// Scheduled answers that are not due yet.
#[derive(Clone, Debug)]
pub(super) struct Answers {
    chance: Chance,
    action_count: u64,
    waiting: Agenda<PersonAction>,
}

/// Returns the probability that `action` is answered if [`Manner::amount`] is 1. The values are our choice: new
/// stances and smiles are answered most often, and actions with a meaning of their own, such as gestures, are rarely
/// answered.
fn probability(action: PersonAction) -> f64 {
    match action {
        PersonAction::Stance(_) => 1.0,
        PersonAction::Smile => 0.9,
        PersonAction::Weight(_) => 0.8,
        PersonAction::Tilt(_) | PersonAction::Nod => 0.7,
        PersonAction::Pause => 0.6,
        PersonAction::Brows | PersonAction::Blink => 0.4,
        PersonAction::Shake => 0.3,
        PersonAction::Gesture { .. } => 0.2,
        // The shape of a hand matters only during a gesture.
        PersonAction::Hand(..) => 0.0,
    }
}

/// Draws the delay of an answer in seconds. The delay of posture changes is set in [`Manner`].
fn delay(action: PersonAction, manner: &Manner, draw: &mut Draw) -> f64 {
    let posture = manner.delay * draw.between(0.6, 1.4);
    match action {
        PersonAction::Stance(_) | PersonAction::Weight(_) | PersonAction::Tilt(_) => posture,
        // Listeners blink 0.25 to 0.5 s after speakers (Nakano and Kitazawa 2010).
        PersonAction::Blink | PersonAction::Pause => draw.between(0.25, 0.5),
        PersonAction::Nod | PersonAction::Shake | PersonAction::Smile | PersonAction::Brows => {
            (0.24 * posture).min(1.0)
        }
        PersonAction::Gesture { .. } | PersonAction::Hand(..) => 0.5 * posture,
    }
}

/// Minimum and maximum time in seconds after which a stance that persists is answered again, in case the character has
/// left the stance.
const AGAIN_SECS: [f64; 2] = [8.0, 16.0];
/// Maximum number of waiting answers.
const MAX_WAITING: usize = 16;

impl Answers {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            chance: Chance::new(seed, "mimicry"),
            action_count: 0,
            waiting: Agenda::with_capacity(MAX_WAITING),
        }
    }

    /// Processes an action of the person and possibly schedules an answer.
    pub(super) fn process(&mut self, secs: f64, action: PersonAction, manner: &Manner) {
        if probability(action) <= 0.0 {
            return;
        }
        self.action_count += 1;
        let mut draw = self.chance.event(self.action_count);
        let is_answered = draw.uniform() < manner.amount * probability(action);
        // Only the latest posture is answered.
        self.waiting.retain(|_, other| !is_same_kind(*other, action) || !is_posture(action));
        let has_one = self.waiting.iter().any(|(_, other)| is_same_kind(*other, action));
        if is_answered && !has_one && self.waiting.len() < MAX_WAITING {
            self.waiting.insert(secs + delay(action, manner, &mut draw), action);
        }
    }

    /// Returns the waiting answers: the time at which each is due, and the action that it answers.
    pub(super) fn waiting(&self) -> impl Iterator<Item = (f64, PersonAction)> {
        self.waiting.iter().map(|(due, action)| (due, *action))
    }

    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }

    /// Removes the answers that are due by `now`, and returns those that are still valid, with their times.
    pub(super) fn take_due(&mut self, now: f64, noticed: &Noticed) -> Vec<(f64, PersonAction)> {
        let due: Vec<(f64, PersonAction)> = std::iter::from_fn(|| self.waiting.pop_due(now)).collect();
        let mut valid = Vec::new();
        for (due, action) in due.into_iter().filter(|(_, action)| is_valid(*action, noticed)) {
            valid.push((due, action));
            if matches!(action, PersonAction::Stance(_)) {
                self.action_count += 1;
                let [least, most] = AGAIN_SECS;
                let again = due + self.chance.event(self.action_count).between(least, most);
                self.waiting.insert(again, action);
            }
        }
        valid
    }
}

fn is_same_kind(a: PersonAction, b: PersonAction) -> bool {
    std::mem::discriminant(&a) == std::mem::discriminant(&b)
}

fn is_posture(action: PersonAction) -> bool {
    matches!(action, PersonAction::Stance(_) | PersonAction::Weight(_) | PersonAction::Tilt(_))
}

/// Returns true if the state of the person is still the same as when the action was observed.
fn is_valid(action: PersonAction, noticed: &Noticed) -> bool {
    let is_there = matches!(noticed.view, View::Partly | View::Seen);
    is_there
        && match action {
            PersonAction::Stance(stance) => noticed.stance == Some(stance),
            PersonAction::Weight(side) => noticed.weight == side,
            PersonAction::Tilt(side) => noticed.tilt == side,
            _ => true,
        }
}

/// Returns the intent that answers `action` at the time `at`; `None` if the repertoire has no answer.
pub(super) fn intent(
    action: PersonAction,
    at: f64,
    stances: &Stances,
    abilities: &Abilities,
    manner: &Manner,
) -> Option<Intent> {
    let at = Some(at);
    let priority = manner.priority;
    let own = |side: Side| if manner.mirror { side.other() } else { side };
    let word = |what: String| Some(Intent::Do(Do { what, at, priority }));
    let to = |stance: String| Some(Intent::Stance(ToStance { stance, at, priority }));
    match action {
        PersonAction::Stance(stance) => {
            let known = stances.all().iter().find(|known| known.stance == stance)?;
            let answer = if manner.mirror { &stances.all()[known.mirrored] } else { known };
            to(answer.name.clone())
        }
        PersonAction::Weight(side) => word(format!("weight:{}", own(side?).name())),
        PersonAction::Tilt(side) => match (abilities.head_stance(side.map(own)), side) {
            (Some(stance), _) => to(stance.to_owned()),
            (None, Some(side)) => word(format!("tilt:{}", own(side).name())),
            (None, None) => None,
        },
        PersonAction::Nod => word("nod".to_owned()),
        PersonAction::Shake => abilities.shakes.then(|| word("shake".to_owned())).flatten(),
        PersonAction::Smile => word("smile".to_owned()),
        PersonAction::Brows => word("brows".to_owned()),
        PersonAction::Blink | PersonAction::Pause => Some(Intent::Blink(BlinkOnce { blink: true, at })),
        PersonAction::Gesture { hand, shape, .. } => {
            let hand = if manner.mirror { mirrored(hand) } else { hand };
            let points = shape == Some(HandShape::Pointing) && abilities.points.contains(&hand);
            let tags = if points { vec![POINTING_TAG.to_owned()] } else { Vec::new() };
            let can = abilities.gestures.contains(&hand);
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
