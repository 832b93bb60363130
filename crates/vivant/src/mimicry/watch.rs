//! Recognizes a person's actions from a stream of tracking results.
//!
//! Tracking results jitter and contain gaps, so a threshold alone would report one nod or smile several times.
//! `Observer::see` filters each result; states such as stance, weight and head tilt need hysteresis or a minimum
//! duration before they change, and smile, brows and eye opening are measured relative to a running baseline of the
//! person. It calls a closure with each [`PersonAction`] and keeps the current state in [`Noticed`]. It does not decide
//! on reactions, and it recognizes nothing while several people are visible, because it would be unclear which one
//! acts.

use super::baseline::Baseline;
use super::filter::PersonFilter;
use super::hand::{Fingers, HandShape};
use super::person::{Face, Landmark, Person};
use super::shape::{SURE, Shape, Trunk};
use super::stances::Stances;
use super::swing::Swings;
use crate::body::Side;
use crate::body::repertoire::Hand;
use crate::math::{asin32, atan2_32, exp};
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Visibility of a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum View {
    /// Nobody is visible.
    #[default]
    Nobody,
    /// Several people are visible, so it is unclear which one to mirror.
    Several,
    /// Part of the arms is not in the image.
    Partly,
    /// One person is visible.
    Seen,
}

/// An action of a person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PersonAction {
    /// New stance, as an index in the library's graph.
    Stance(usize),
    /// Weight on one leg, or on both.
    Weight(Option<Side>),
    /// Head tilted to a side, or upright.
    Tilt(Option<Side>),
    /// Nod.
    Nod,
    /// Head shake.
    Shake,
    /// End of a gesture.
    Gesture {
        /// Hand of the gesture.
        hand: Hand,
        /// Duration in seconds.
        secs: f64,
        /// Mean speed of the hand and its fingers in arm lengths per second.
        energy: f64,
        /// Shape of the hand, if any; `Pointing` if it pointed at any time.
        shape: Option<HandShape>,
    },
    /// New shape of a hand.
    Hand(Side, HandShape),
    /// Start of a smile.
    Smile,
    /// Raised brows.
    Brows,
    /// Blink.
    Blink,
    /// Pause in speech.
    Pause,
}

/// Observations of a person at an instant. Unknown values are `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Noticed {
    /// Time in seconds of the performance.
    pub secs: f64,
    /// Visibility.
    pub view: View,
    /// Stance of the repertoire, as an index in the library's graph.
    pub stance: Option<usize>,
    /// Confidence in the stance from 0 to 1.
    pub sure: f64,
    /// Leg that carries the weight.
    pub weight: Option<Side>,
    /// Side to which the head is tilted.
    pub tilt: Option<Side>,
    /// Lean of the spine and yaw of the trunk, both in degrees to the left.
    pub spine_deg: Option<[f64; 2]>,
    /// Head direction in degrees: yaw to their left, pitch up, tilt to their left.
    pub head_deg: Option<[f64; 3]>,
    /// Hand that is gesturing.
    pub gesture: Option<Hand>,
    /// Shapes of the left and the right hand.
    pub hands: [Option<HandShape>; 2],
    /// Smile from 0 (neutral face) to 1 (full smile).
    pub smile: Option<f64>,
    /// Height of the brows from 0 (neutral face) to 1 (fully raised).
    pub brows: Option<f64>,
    /// Position of the face relative to the camera in metres; see [`Person::from_camera`].
    pub face_m: Option<[f64; 3]>,
    /// Gaze direction in the head, in degrees to their left and up.
    pub gaze_deg: Option<[f64; 2]>,
    /// Number of nods so far.
    pub nods: u32,
    /// Number of head shakes so far.
    pub shakes: u32,
    /// Number of blinks so far.
    pub blinks: u32,
}

/// Observes one person.
#[derive(Clone, Debug)]
pub(super) struct Observer {
    filter: PersonFilter,
    noticed: Noticed,
    /// Smoothed probability of each stance. The last entry is the probability of no known stance.
    probabilities: Vec<f64>,
    stance: Debounced<Option<usize>>,
    weight: Debounced<Option<Side>>,
    tilt: Debounced<Option<Side>>,
    pitch: Swings,
    yaw: Swings,
    hands: [HandMotion; 2],
    shapes: [Debounced<Option<HandShape>>; 2],
    smile: Level,
    brows: Level,
    open: Baseline,
    /// Start of the current eye closure in seconds; `None` while the eyes are open.
    closed: Option<f64>,
    /// Last time at which the eyes opened, in seconds.
    opened: f64,
    mouth: Mouth,
}

/// Time constant of stance probabilities in seconds.
const SMOOTHING_SECS: f64 = 0.25;
/// Probability from which on a new stance is recognized. The current stance is kept down to half of this probability.
pub(super) const MIN_PROBABILITY: f64 = 0.6;
/// Time for which a new stance must last to be accepted, in seconds.
const STANCE_SECS: f64 = 0.5;
/// Time for which a weight shift must last to be accepted, in seconds.
const WEIGHT_SECS: f64 = 0.8;
/// Time for which a new head tilt must last to be accepted, in seconds.
const TILT_SECS: f64 = 0.5;
/// Time for which a new hand shape must last to be accepted, in seconds.
const HAND_SECS: f64 = 0.25;
/// Sideways offset of the hips, relative to the leg length, from which on a person stands on one leg, and smaller
/// offset down to which they still stand on one leg.
const WEIGHT_OFFSET: [f64; 2] = [0.03, 0.018];
/// Angle in degrees from which on the head counts as tilted, and smaller angle down to which it still counts as tilted.
const TILTED_DEG: [f64; 2] = [8.0, 5.0];

impl Observer {
    pub(super) fn new(stances: usize) -> Self {
        let mut probabilities = vec![0.0; stances + 1];
        probabilities[stances] = 1.0;
        Self {
            filter: PersonFilter::new(),
            noticed: Noticed::default(),
            probabilities,
            stance: Debounced::new(None),
            weight: Debounced::new(None),
            tilt: Debounced::new(None),
            pitch: Swings::new(NOD_DEG),
            yaw: Swings::new(SHAKE_DEG),
            hands: [HandMotion::default(); 2],
            shapes: [Debounced::new(None); 2],
            smile: Level::new(Baseline::least([0.42, 0.6]), [0.06, 0.2]),
            brows: Level::new(Baseline::least([0.18, 0.4]), [0.02, 0.06]),
            open: Baseline::most([0.2, 0.6]),
            closed: None,
            opened: f64::NEG_INFINITY,
            mouth: Mouth::default(),
        }
    }

    pub(super) fn noticed(&self) -> &Noticed {
        &self.noticed
    }

    /// Processes a tracking result and calls `report` for each action.
    pub(super) fn see(&mut self, stances: &Stances, person: &Person, mut report: impl FnMut(PersonAction)) {
        let before = self.noticed.secs;
        let secs = person.secs;
        if !secs.is_finite() || (secs <= before && self.noticed.view != View::Nobody) {
            return;
        }
        let view = view(person);
        let is_back = self.noticed.view == View::Nobody && view != View::Nobody;
        if is_back {
            self.reset(stances.all().len());
        }
        let counts = [self.noticed.nods, self.noticed.shakes, self.noticed.blinks];
        self.noticed = Noticed { secs, view, ..Noticed::default() };
        [self.noticed.nods, self.noticed.shakes, self.noticed.blinks] = counts;
        if matches!(view, View::Nobody | View::Several) {
            return;
        }
        let dt = (secs - before).clamp(0.0, 0.5);
        let person = &self.filter.next(person);
        self.noticed.face_m = person.from_camera.map(|place| place.as_dvec3().to_array());
        self.watch_shapes(person, &mut report);
        self.watch_body(stances, person, dt, &mut report);
        self.watch_head(person, &mut report);
        if let Some(face) = person.face {
            self.watch_face(secs, &face, &mut report);
        }
    }

    /// Resets the state when a person becomes visible again, since it may be another person. Counters are kept.
    fn reset(&mut self, stances: usize) {
        let Noticed { nods, shakes, blinks, .. } = self.noticed;
        *self = Self::new(stances);
        self.noticed = Noticed { nods, shakes, blinks, ..Noticed::default() };
    }

    fn watch_body(
        &mut self,
        stances: &Stances,
        person: &Person,
        dt: f64,
        report: &mut impl FnMut(PersonAction),
    ) {
        let secs = person.secs;
        let Some((shape, trunk)) = Shape::of(person).zip(Trunk::of(person)) else { return };
        self.noticed.spine_deg = Some(spine_deg(&trunk));
        self.watch_hands(&shape, person, dt, report);
        if self.noticed.view == View::Seen {
            self.watch_stance(stances, &shape, secs, dt, report);
        }
        let aside = shape.weight.map(|weight| f64::from(weight.aside()));
        let now = aside.map(|aside| to_side(aside, WEIGHT_OFFSET, self.weight.now));
        if let Some(side) = self.weight.next(secs, now.unwrap_or(self.weight.now), WEIGHT_SECS) {
            report(PersonAction::Weight(side));
        }
        self.noticed.weight = self.weight.now;
    }

    fn watch_stance(
        &mut self,
        stances: &Stances,
        shape: &Shape,
        secs: f64,
        dt: f64,
        report: &mut impl FnMut(PersonAction),
    ) {
        let share = 1.0 - exp(-dt / SMOOTHING_SECS);
        for (probabilities, now) in self.probabilities.iter_mut().zip(stances.probabilities(shape)) {
            *probabilities += share * (now - *probabilities);
        }
        let all = stances.all();
        let best = (0..all.len()).max_by(|a, b| self.probabilities[*a].total_cmp(&self.probabilities[*b]));
        let is_likely = |index: &usize| {
            let needed =
                if self.stance.now == Some(*index) { 0.5 * MIN_PROBABILITY } else { MIN_PROBABILITY };
            self.probabilities[*index] >= needed
        };
        let kept = self.stance.now.filter(|now| is_likely(now));
        let found = best.filter(is_likely).or(kept);
        // During a gesture the stance usually stays the same.
        let is_moving = self.hands.iter().any(|hand| hand.since.is_some());
        let candidate = if is_moving && found.is_none() { self.stance.now } else { found };
        if let Some(Some(index)) = self.stance.next(secs, candidate, STANCE_SECS) {
            report(PersonAction::Stance(all[index].stance));
        }
        self.noticed.stance = self.stance.now.map(|index| all[index].stance);
        self.noticed.sure =
            self.stance.now.map_or(self.probabilities[all.len()], |index| self.probabilities[index]);
    }

    fn watch_shapes(&mut self, person: &Person, report: &mut impl FnMut(PersonAction)) {
        for ((shape, fingers), side) in
            self.shapes.iter_mut().zip(&person.hands).zip([Side::Left, Side::Right])
        {
            let seems = fingers.and_then(|fingers| fingers.shape(shape.now));
            if let Some(Some(shape)) = shape.next(person.secs, seems, HAND_SECS) {
                report(PersonAction::Hand(side, shape));
            }
        }
        self.noticed.hands = self.shapes.map(|shape| shape.now);
    }

    fn watch_hands(
        &mut self,
        shape: &Shape,
        person: &Person,
        dt: f64,
        report: &mut impl FnMut(PersonAction),
    ) {
        let (was, secs) = (self.hands, person.secs);
        for (index, hand) in self.hands.iter_mut().enumerate() {
            let place = shape.arms[index].as_ref().filter(|arm| arm.sure >= SURE).map(|arm| arm.wrist);
            hand.next(secs, dt, place, person.hands[index]);
            hand.update_shape(self.noticed.hands[index]);
        }
        let over = |index: usize| was[index].since.filter(|_| self.hands[index].since.is_none());
        let hand = match (over(0), over(1)) {
            (Some(_), Some(_)) => Some(Hand::Both),
            (Some(_), None) => Some(Hand::Left),
            (None, Some(_)) => Some(Hand::Right),
            (None, None) => None,
        };
        if let Some((hand, began)) = hand.zip(over(0).or(over(1))) {
            let energy = was[0].energy().max(was[1].energy());
            let shape = match hand {
                Hand::Right => was[1].shape,
                Hand::Left | Hand::Both => was[0].shape,
            };
            if secs - began >= GESTURE_SECS {
                report(PersonAction::Gesture { hand, secs: secs - began, energy, shape });
            }
        }
        self.noticed.gesture = match self.hands.map(|hand| hand.since.is_some()) {
            [true, true] => Some(Hand::Both),
            [true, false] => Some(Hand::Left),
            [false, true] => Some(Hand::Right),
            [false, false] => None,
        };
    }

    fn watch_head(&mut self, person: &Person, report: &mut impl FnMut(PersonAction)) {
        let secs = person.secs;
        let by_face = person.face.map(|face| face.head_deg);
        let Some(head) = by_face.or_else(|| head_by_ears(person)).map(|deg| deg.map(f64::from)) else {
            return;
        };
        self.noticed.head_deg = Some(head);
        let [yaw, pitch, tilt] = head;
        // Ears and mouth alone are too inaccurate for oscillations of a few degrees.
        let is_exact = by_face.is_some();
        let has_turned =
            [self.pitch.next(secs, pitch), self.yaw.next(secs, yaw)].map(|turned| turned && is_exact);
        let nodded = self.pitch.swung(3, NOD_WITHIN_SECS, secs);
        let shook = self.yaw.swung(4, SHAKE_WITHIN_SECS, secs);
        // People also turn their head to look around: a shake is quick and repeated.
        if has_turned[0] && nodded.is_some_and(|size| size > shook.unwrap_or(0.0)) {
            self.noticed.nods += 1;
            self.pitch.reset();
            report(PersonAction::Nod);
        } else if has_turned[1] && shook.is_some_and(|size| size > nodded.unwrap_or(0.0)) {
            self.noticed.shakes += 1;
            self.yaw.reset();
            report(PersonAction::Shake);
        }
        let now = to_side(tilt, TILTED_DEG, self.tilt.now);
        if let Some(side) = self.tilt.next(secs, now, TILT_SECS) {
            report(PersonAction::Tilt(side));
        }
        self.noticed.tilt = self.tilt.now;
    }

    fn watch_face(&mut self, secs: f64, face: &Face, report: &mut impl FnMut(PersonAction)) {
        let (smile, smiles) = self.smile.next(secs, f64::from(face.smile));
        let (brows, raises) = self.brows.next(secs, f64::from(face.brows));
        self.noticed.smile = Some(smile);
        self.noticed.brows = Some(brows);
        self.noticed.gaze_deg = face.gaze_deg.map(|deg| deg.map(f64::from));
        if smiles {
            report(PersonAction::Smile);
        }
        if raises {
            report(PersonAction::Brows);
        }
        if self.blinked(secs, face) {
            self.noticed.blinks += 1;
            report(PersonAction::Blink);
        }
        if self.mouth.next(secs, f64::from(face.mouth)) {
            report(PersonAction::Pause);
        }
    }

    /// Returns true if the eyes have just opened after a closure no longer than a blink.
    fn blinked(&mut self, secs: f64, face: &Face) -> bool {
        let open = 0.5 * f64::from(face.lids[0] + face.lids[1]);
        let baseline = self.open.next(secs, open);
        match self.closed {
            None if open < CLOSED * baseline => {
                self.closed = Some(secs);
                false
            }
            Some(since) if open > OPEN * baseline => {
                let was_open = since - std::mem::replace(&mut self.opened, secs) >= OPEN_SECS;
                self.closed = None;
                was_open && secs - since <= BLINK_SECS
            }
            _ => false,
        }
    }
}

/// Minimum amplitude of nods in degrees.
const NOD_DEG: f64 = 3.0;
/// Minimum amplitude of head shakes in degrees.
const SHAKE_DEG: f64 = 4.0;
/// Time within which the turning points of a nod must occur, in seconds.
const NOD_WITHIN_SECS: f64 = 1.2;
/// Time within which the turning points of a head shake must occur, in seconds.
const SHAKE_WITHIN_SECS: f64 = 1.6;
/// Opening below which the eyes count as closed, relative to their usual opening.
const CLOSED: f64 = 0.5;
/// Opening above which closed eyes count as open again, relative to their usual opening.
const OPEN: f64 = 0.65;
/// Maximum duration of a blink in seconds.
const BLINK_SECS: f64 = 0.6;
/// Minimum time with open eyes before a blink, in seconds. Shorter times are tracking errors.
const OPEN_SECS: f64 = 0.25;

fn view(person: &Person) -> View {
    let is_seen = |landmark: Landmark| person.landmarks[landmark as usize].sure > 0.0;
    let has_body = [Landmark::LeftShoulder, Landmark::RightShoulder].into_iter().all(is_seen);
    let has_arms = [Landmark::LeftElbow, Landmark::RightElbow, Landmark::LeftWrist, Landmark::RightWrist]
        .into_iter()
        .all(is_seen);
    match person.people {
        0 => View::Nobody,
        1 if has_body && has_arms => View::Seen,
        1 if has_body || person.face.is_some() => View::Partly,
        1 => View::Nobody,
        _ => View::Several,
    }
}

/// Returns the side to which a value deviates, with hysteresis: a new side needs at least `far`, the current side
/// `now` needs at least `near`.
fn to_side(value: f64, [far, near]: [f64; 2], now: Option<Side>) -> Option<Side> {
    let side = Side::of(value);
    let needed = if now == Some(side) { near } else { far };
    (value.abs() >= needed).then_some(side)
}

fn spine_deg(trunk: &Trunk) -> [f64; 2] {
    let lean = asin32(trunk.up.x.clamp(-1.0, 1.0)).to_degrees();
    let turn = atan2_32(trunk.ahead.x, trunk.ahead.z).to_degrees();
    [lean.into(), turn.into()]
}

/// Estimates the head direction from ears and mouth alone.
fn head_by_ears(person: &Person) -> Option<[f32; 3]> {
    let [left, right, mouth] = [
        person.place(Landmark::LeftEar, SURE)?,
        person.place(Landmark::RightEar, SURE)?,
        person.place(Landmark::Mouth, SURE)?,
    ];
    let across = (left - right).try_normalize()?;
    let ahead = mouth - 0.5 * (left + right);
    let ahead = (ahead - across * ahead.dot(across)).try_normalize()?;
    // Angle of the mouth below horizontal, seen from between the ears.
    const MOUTH_BELOW_DEG: f32 = 34.0;
    let yaw = atan2_32(-across.z, across.x).to_degrees();
    let pitch = asin32(ahead.y.clamp(-1.0, 1.0)).to_degrees() + MOUTH_BELOW_DEG;
    let tilt = asin32(-across.y.clamp(-1.0, 1.0)).to_degrees();
    Some([yaw, pitch, tilt])
}

/// Returns the tilt of the head to the left in degrees.
pub(super) fn tilt_deg(person: &Person) -> Option<f64> {
    head_by_ears(person).map(|[_, _, tilt]| tilt.into())
}

/// A value that changes only after a new value has lasted for a minimum time.
#[derive(Clone, Copy, Debug)]
struct Debounced<T> {
    now: T,
    candidate: Option<(T, f64)>,
}

impl<T: Copy + PartialEq> Debounced<T> {
    fn new(now: T) -> Self {
        Self { now, candidate: None }
    }

    /// Adds the current observation `seems`, which must last for `lasts_secs` to be accepted. Returns the value if it
    /// has just changed.
    fn next(&mut self, secs: f64, seems: T, lasts_secs: f64) -> Option<T> {
        if seems == self.now {
            self.candidate = None;
            return None;
        }
        match self.candidate {
            Some((candidate, since)) if candidate == seems => {
                if secs - since < lasts_secs {
                    return None;
                }
                (self.now, self.candidate) = (seems, None);
                Some(seems)
            }
            _ => {
                self.candidate = Some((seems, secs));
                None
            }
        }
    }
}

/// Motion of a hand.
#[derive(Clone, Copy, Debug, Default)]
struct HandMotion {
    last: Option<Vec3>,
    fingers: Option<Fingers>,
    /// Smoothed speed in arm lengths per second.
    speed: f64,
    /// Start of the gesture in seconds; `None` if there is no gesture.
    since: Option<f64>,
    /// Last time at which the hand was fast, in seconds.
    quick: f64,
    /// Distance that the hand and its fingers covered in the gesture, in arm lengths.
    way: f64,
    /// Shape of the hand during the gesture.
    shape: Option<HandShape>,
}

/// Speed above which a gesture starts, and speed below which the hand rests, in arm lengths per second.
const QUICK: [f64; 2] = [0.9, 0.35];
/// Time at rest that ends a gesture, in seconds.
const REST_SECS: f64 = 0.35;
/// Minimum duration of a gesture in seconds.
const GESTURE_SECS: f64 = 0.4;
/// Time constant of the smoothed speed, in seconds.
const SPEED_SECS: f64 = 0.1;
/// Distance in arm lengths that corresponds to fully opening the fingers. So a hand that opens or closes within a
/// quarter of a second is fast enough for a gesture, even if its wrist does not move.
const FINGERS_WAY: f64 = 0.6;

impl HandMotion {
    fn next(&mut self, secs: f64, dt: f64, place: Option<Vec3>, fingers: Option<Fingers>) {
        let arm = place.zip(self.last).map_or(0.0, |(place, last)| f64::from((place - last).length()));
        let moved = fingers.zip(self.fingers).map_or(0.0, |(now, then)| f64::from(now.moved(&then)));
        let way = arm + FINGERS_WAY * moved;
        (self.last, self.fingers) = (place, fingers);
        if dt > 0.0 {
            self.speed += (way / dt - self.speed) * dt / (dt + SPEED_SECS);
        }
        match self.since {
            None if self.speed > QUICK[0] => {
                (self.since, self.quick, self.way, self.shape) = (Some(secs), secs, 0.0, None);
            }
            Some(_) if self.speed > QUICK[1] => (self.quick, self.way) = (secs, self.way + way),
            Some(_) if secs - self.quick > REST_SECS => self.since = None,
            _ => {}
        }
    }

    /// Updates the shape of the gesture; pointing takes precedence over other shapes.
    fn update_shape(&mut self, shape: Option<HandShape>) {
        if self.shape != Some(HandShape::Pointing) {
            self.shape = shape.or(self.shape);
        }
    }

    /// Returns the mean speed of the gesture in arm lengths per second.
    fn energy(&self) -> f64 {
        self.since.map_or(0.0, |since| self.way / (self.quick - since).max(0.1))
    }
}

/// A facial measurement relative to its baseline.
#[derive(Clone, Copy, Debug)]
struct Level {
    baseline: Baseline,
    /// Excess over the baseline up to which the level is 0, and the further excess at which the level is 1.
    more: [f64; 2],
    is_on: bool,
}

/// Level above which a smile or a brow raise starts, and level below which it ends.
const ON: [f64; 2] = [0.5, 0.25];

impl Level {
    const fn new(baseline: Baseline, more: [f64; 2]) -> Self {
        Self { baseline, more, is_on: false }
    }

    /// Returns the level from 0 to 1, and true if the smile or brow raise has just started.
    fn next(&mut self, secs: f64, value: f64) -> (f64, bool) {
        let [nothing, all] = self.more;
        let level = ((value - self.baseline.next(secs, value) - nothing) / all).clamp(0.0, 1.0);
        let was_on = self.is_on;
        self.is_on = level > ON[usize::from(was_on)];
        (level, self.is_on && !was_on)
    }
}

/// Mouth movement in speech.
#[derive(Clone, Copy, Debug, Default)]
struct Mouth {
    last: Option<(f64, f64)>,
    /// Smoothed speed of opening and closing, in distances between the eyes per second.
    speed: f64,
    talking_since: Option<f64>,
}

/// Speed above which the person talks, and speed below which they pause, in distances between the eyes per second.
const TALK_SPEED: [f64; 2] = [0.25, 0.08];
/// Time constant of the smoothed speed of the mouth, in seconds.
const TALK_SECS: f64 = 0.25;
/// Minimum duration of speech in seconds; shorter mouth movements are ignored.
const MIN_TALK_SECS: f64 = 0.8;

impl Mouth {
    /// Returns true if a pause has just started.
    fn next(&mut self, secs: f64, open: f64) -> bool {
        let Some((at, before)) = self.last.replace((secs, open)) else { return false };
        let dt = secs - at;
        if dt <= 0.0 || dt > 0.5 {
            return false;
        }
        self.speed += ((open - before).abs() / dt - self.speed) * dt / (dt + TALK_SECS);
        match self.talking_since {
            None if self.speed > TALK_SPEED[0] => self.talking_since = Some(secs),
            Some(since) if self.speed < TALK_SPEED[1] => {
                self.talking_since = None;
                return secs - since >= MIN_TALK_SECS;
            }
            _ => {}
        }
        false
    }
}
