//! Understanding: what a person does, from how they are seen, instant by instant.

use super::hand::{Fingers, HandShape};
use super::person::{Face, Person, Spot};
use super::shape::{SURE, Shape, Trunk};
use super::stances::Stances;
use super::steady::Steady;
use super::swing::Swings;
use super::usual::Usual;
use crate::body::Side;
use crate::body::repertoire::Hand;
use crate::math::{asin32, atan2_32, exp};
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// How much can be seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum View {
    /// There is nobody.
    #[default]
    Nobody,
    /// There are several people, and so it is not known whom to mirror.
    Several,
    /// A part of the arms is not in the picture.
    Partly,
    /// Somebody is there.
    Seen,
}

/// Something that a person did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PersonAction {
    /// They are in another stance, by its number in the graph.
    Stance(usize),
    /// Their weight is on a leg, or on both.
    Weight(Option<Side>),
    /// Their head leans to a side, or is upright.
    Tilt(Option<Side>),
    /// They nodded.
    Nod,
    /// They shook their head.
    Shake,
    /// A gesture is over.
    Gesture {
        /// Which hand made it.
        hand: Hand,
        /// How long it took, in seconds.
        secs: f64,
        /// How fast the hand and its fingers were on average, in lengths of an arm a second.
        energy: f64,
        /// The shape of the hand, if it had one: that it pointed, if it ever did.
        shape: Option<HandShape>,
    },
    /// A hand has another shape.
    Hand(Side, HandShape),
    /// They began to smile.
    Smile,
    /// They raised their brows.
    Brows,
    /// They blinked.
    Blink,
    /// They stopped talking for a moment.
    Pause,
}

/// What is understood of a person at an instant. What is not known is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Noticed {
    /// When, in seconds of the performance.
    pub secs: f64,
    /// How much can be seen.
    pub view: View,
    /// The stance of the repertoire that they are in, by its number in the graph.
    pub stance: Option<usize>,
    /// How sure that is, from 0 to 1.
    pub sure: f64,
    /// On which leg they stand.
    pub weight: Option<Side>,
    /// To which side the head leans.
    pub tilt: Option<Side>,
    /// How far the spine leans to the left, and to where the trunk is turned, in degrees to the left.
    pub spine_deg: Option<[f64; 2]>,
    /// Where the head points, in degrees: to their left, up, and tilted to their left.
    pub head_deg: Option<[f64; 3]>,
    /// The hand that gestures.
    pub gesture: Option<Hand>,
    /// The shapes of the left and the right hand.
    pub hands: [Option<HandShape>; 2],
    /// How much they smile, from 0 to 1.
    pub smile: Option<f64>,
    /// How far their brows are up, from 0 to 1.
    pub brows: Option<f64>,
    /// Where their face is from the camera, in metres: see [`Person::from_camera`].
    pub face_m: Option<[f64; 3]>,
    /// Where their eyes look in the head, in degrees to their left and up.
    pub gaze_deg: Option<[f64; 2]>,
    /// How often they nodded, shook their head and blinked so far.
    pub nods: u32,
    /// See [`nods`](Self::nods).
    pub shakes: u32,
    /// See [`nods`](Self::nods).
    pub blinks: u32,
}

/// Watches one person.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    steady: Steady,
    noticed: Noticed,
    /// How likely each stance is, and that it is none, over the last moments.
    likely: Vec<f64>,
    stance: Settled<Option<usize>>,
    weight: Settled<Option<Side>>,
    tilt: Settled<Option<Side>>,
    pitch: Swings,
    yaw: Swings,
    hands: [Moving; 2],
    shapes: [Settled<Option<HandShape>>; 2],
    smile: Level,
    brows: Level,
    open: Usual,
    /// Since when the eyes are closed, and since when they were open before.
    closed: Option<f64>,
    opened: f64,
    mouth: Mouth,
}

/// How long it takes for what is seen to count, in seconds.
const LIKELY_SECS: f64 = 0.25;
/// A stance is one if it is this likely; the one that they are in stays while it is half as likely.
pub(super) const LIKELY: f64 = 0.6;
/// How long something has to last to be believed, in seconds.
const STANCE_SECS: f64 = 0.5;
const WEIGHT_SECS: f64 = 0.8;
const TILT_SECS: f64 = 0.5;
const HAND_SECS: f64 = 0.25;
/// How far hips are aside of one who stands on one leg, by the length of a leg, and when they are back.
const ASIDE: [f64; 2] = [0.03, 0.018];
/// How far a head leans that leans, in degrees, and when it is upright again.
const TILTED_DEG: [f64; 2] = [8.0, 5.0];

impl Watch {
    pub(super) fn new(stances: usize) -> Self {
        let mut likely = vec![0.0; stances + 1];
        likely[stances] = 1.0;
        Self {
            steady: Steady::new(),
            noticed: Noticed::default(),
            likely,
            stance: Settled::new(None),
            weight: Settled::new(None),
            tilt: Settled::new(None),
            pitch: Swings::new(NOD_DEG),
            yaw: Swings::new(SHAKE_DEG),
            hands: [Moving::default(); 2],
            shapes: [Settled::new(None); 2],
            smile: Level::new(Usual::least([0.42, 0.6]), [0.06, 0.2]),
            brows: Level::new(Usual::least([0.18, 0.4]), [0.02, 0.06]),
            open: Usual::most([0.2, 0.6]),
            closed: None,
            opened: f64::NEG_INFINITY,
            mouth: Mouth::default(),
        }
    }

    pub(super) fn noticed(&self) -> &Noticed {
        &self.noticed
    }

    /// Sees a person, and tells what they did.
    pub(super) fn see(&mut self, stances: &Stances, person: &Person, mut tell: impl FnMut(PersonAction)) {
        let before = self.noticed.secs;
        let secs = person.secs;
        if !secs.is_finite() || (secs <= before && self.noticed.view != View::Nobody) {
            return;
        }
        let view = view(person);
        let is_back = self.noticed.view == View::Nobody && view != View::Nobody;
        if is_back {
            self.begin_anew(stances.all().len());
        }
        let counts = [self.noticed.nods, self.noticed.shakes, self.noticed.blinks];
        self.noticed = Noticed { secs, view, ..Noticed::default() };
        [self.noticed.nods, self.noticed.shakes, self.noticed.blinks] = counts;
        if matches!(view, View::Nobody | View::Several) {
            return;
        }
        let dt = (secs - before).clamp(0.0, 0.5);
        let person = &self.steady.next(person);
        self.noticed.face_m = person.from_camera.map(|place| place.as_dvec3().to_array());
        self.watch_shapes(person, &mut tell);
        self.watch_body(stances, person, dt, &mut tell);
        self.watch_head(person, &mut tell);
        if let Some(face) = person.face {
            self.watch_face(secs, &face, &mut tell);
        }
    }

    /// Somebody comes: perhaps somebody else. What they did so far is not forgotten.
    fn begin_anew(&mut self, stances: usize) {
        let Noticed { nods, shakes, blinks, .. } = self.noticed;
        *self = Self::new(stances);
        self.noticed = Noticed { nods, shakes, blinks, ..Noticed::default() };
    }

    fn watch_body(
        &mut self,
        stances: &Stances,
        person: &Person,
        dt: f64,
        tell: &mut impl FnMut(PersonAction),
    ) {
        let secs = person.secs;
        let Some((shape, trunk)) = Shape::of(person).zip(Trunk::of(person)) else { return };
        self.noticed.spine_deg = Some(spine_deg(&trunk));
        self.watch_hands(&shape, person, dt, tell);
        if self.noticed.view == View::Seen {
            self.watch_stance(stances, &shape, secs, dt, tell);
        }
        let aside = shape.weight.map(|weight| f64::from(weight.aside()));
        let now = aside.map(|aside| to_side(aside, ASIDE, self.weight.now));
        if let Some(side) = self.weight.next(secs, now.unwrap_or(self.weight.now), WEIGHT_SECS) {
            tell(PersonAction::Weight(side));
        }
        self.noticed.weight = self.weight.now;
    }

    fn watch_stance(
        &mut self,
        stances: &Stances,
        shape: &Shape,
        secs: f64,
        dt: f64,
        tell: &mut impl FnMut(PersonAction),
    ) {
        let share = 1.0 - exp(-dt / LIKELY_SECS);
        for (likely, now) in self.likely.iter_mut().zip(stances.likely(shape)) {
            *likely += share * (now - *likely);
        }
        let all = stances.all();
        let best = (0..all.len()).max_by(|a, b| self.likely[*a].total_cmp(&self.likely[*b]));
        let is_likely = |index: &usize| {
            let needed = if self.stance.now == Some(*index) { 0.5 * LIKELY } else { LIKELY };
            self.likely[*index] >= needed
        };
        let kept = self.stance.now.filter(|now| is_likely(now));
        let found = best.filter(is_likely).or(kept);
        // Who gestures is on the way from a stance to itself.
        let is_moving = self.hands.iter().any(|hand| hand.since.is_some());
        let candidate = if is_moving && found.is_none() { self.stance.now } else { found };
        if let Some(Some(index)) = self.stance.next(secs, candidate, STANCE_SECS) {
            tell(PersonAction::Stance(all[index].stance));
        }
        self.noticed.stance = self.stance.now.map(|index| all[index].stance);
        self.noticed.sure = self.stance.now.map_or(self.likely[all.len()], |index| self.likely[index]);
    }

    fn watch_shapes(&mut self, person: &Person, tell: &mut impl FnMut(PersonAction)) {
        for ((shape, fingers), side) in
            self.shapes.iter_mut().zip(&person.hands).zip([Side::Left, Side::Right])
        {
            let seems = fingers.and_then(|fingers| fingers.shape(shape.now));
            if let Some(Some(shape)) = shape.next(person.secs, seems, HAND_SECS) {
                tell(PersonAction::Hand(side, shape));
            }
        }
        self.noticed.hands = self.shapes.map(|shape| shape.now);
    }

    fn watch_hands(&mut self, shape: &Shape, person: &Person, dt: f64, tell: &mut impl FnMut(PersonAction)) {
        let (was, secs) = (self.hands, person.secs);
        for (index, hand) in self.hands.iter_mut().enumerate() {
            let place = shape.arms[index].as_ref().filter(|arm| arm.sure >= SURE).map(|arm| arm.wrist);
            hand.next(secs, dt, place, person.hands[index]);
            hand.take_shape(self.noticed.hands[index]);
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
                tell(PersonAction::Gesture { hand, secs: secs - began, energy, shape });
            }
        }
        self.noticed.gesture = match self.hands.map(|hand| hand.since.is_some()) {
            [true, true] => Some(Hand::Both),
            [true, false] => Some(Hand::Left),
            [false, true] => Some(Hand::Right),
            [false, false] => None,
        };
    }

    fn watch_head(&mut self, person: &Person, tell: &mut impl FnMut(PersonAction)) {
        let secs = person.secs;
        let by_face = person.face.map(|face| face.head_deg);
        let Some(head) = by_face.or_else(|| head_by_ears(person)).map(|deg| deg.map(f64::from)) else {
            return;
        };
        self.noticed.head_deg = Some(head);
        let [yaw, pitch, tilt] = head;
        // Ears and mouth alone are too inexact for some degrees to and fro.
        let is_exact = by_face.is_some();
        let has_turned =
            [self.pitch.next(secs, pitch), self.yaw.next(secs, yaw)].map(|turned| turned && is_exact);
        let nodded = self.pitch.swung(3, NOD_WITHIN_SECS, secs);
        let shook = self.yaw.swung(4, SHAKE_WITHIN_SECS, secs);
        // Who looks about turns the head, too: a shake is quick, and goes to and fro.
        if has_turned[0] && nodded.is_some_and(|size| size > shook.unwrap_or(0.0)) {
            self.noticed.nods += 1;
            self.pitch.forget();
            tell(PersonAction::Nod);
        } else if has_turned[1] && shook.is_some_and(|size| size > nodded.unwrap_or(0.0)) {
            self.noticed.shakes += 1;
            self.yaw.forget();
            tell(PersonAction::Shake);
        }
        let now = to_side(tilt, TILTED_DEG, self.tilt.now);
        if let Some(side) = self.tilt.next(secs, now, TILT_SECS) {
            tell(PersonAction::Tilt(side));
        }
        self.noticed.tilt = self.tilt.now;
    }

    fn watch_face(&mut self, secs: f64, face: &Face, tell: &mut impl FnMut(PersonAction)) {
        let (smile, smiles) = self.smile.next(secs, f64::from(face.smile));
        let (brows, raises) = self.brows.next(secs, f64::from(face.brows));
        self.noticed.smile = Some(smile);
        self.noticed.brows = Some(brows);
        self.noticed.gaze_deg = face.gaze_deg.map(|deg| deg.map(f64::from));
        if smiles {
            tell(PersonAction::Smile);
        }
        if raises {
            tell(PersonAction::Brows);
        }
        if self.blinked(secs, face) {
            self.noticed.blinks += 1;
            tell(PersonAction::Blink);
        }
        if self.mouth.next(secs, f64::from(face.mouth)) {
            tell(PersonAction::Pause);
        }
    }

    /// Whether eyes that were closed for no longer than a blink have just opened.
    fn blinked(&mut self, secs: f64, face: &Face) -> bool {
        let open = 0.5 * f64::from(face.lids[0] + face.lids[1]);
        let usual = self.open.next(secs, open);
        match self.closed {
            None if open < CLOSED * usual => {
                self.closed = Some(secs);
                false
            }
            Some(since) if open > OPEN * usual => {
                let was_open = since - std::mem::replace(&mut self.opened, secs) >= OPEN_SECS;
                self.closed = None;
                was_open && secs - since <= BLINK_SECS
            }
            _ => false,
        }
    }
}

/// How far a head swings that nods or shakes, in degrees, and within what time.
const NOD_DEG: f64 = 3.0;
const SHAKE_DEG: f64 = 4.0;
const NOD_WITHIN_SECS: f64 = 1.2;
const SHAKE_WITHIN_SECS: f64 = 1.6;
/// Eyes are closed and open again at these shares of how open they usually are; a blink is no longer than this.
const CLOSED: f64 = 0.5;
const OPEN: f64 = 0.65;
const BLINK_SECS: f64 = 0.6;
/// Eyes that were open for less before were about to open, or a tracker saw badly.
const OPEN_SECS: f64 = 0.25;

fn view(person: &Person) -> View {
    let is_seen = |spot: Spot| person.spots[spot as usize].sure > 0.0;
    let has_body = [Spot::LeftShoulder, Spot::RightShoulder].into_iter().all(is_seen);
    let has_arms =
        [Spot::LeftElbow, Spot::RightElbow, Spot::LeftWrist, Spot::RightWrist].into_iter().all(is_seen);
    match person.people {
        0 => View::Nobody,
        1 if has_body && has_arms => View::Seen,
        1 if has_body || person.face.is_some() => View::Partly,
        1 => View::Nobody,
        _ => View::Several,
    }
}

/// To which side something is that has to be far to be there and near to be back.
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

/// Where the head points, from ears and mouth alone.
fn head_by_ears(person: &Person) -> Option<[f32; 3]> {
    let [left, right, mouth] = [
        person.place(Spot::LeftEar, SURE)?,
        person.place(Spot::RightEar, SURE)?,
        person.place(Spot::Mouth, SURE)?,
    ];
    let across = (left - right).try_normalize()?;
    let ahead = mouth - 0.5 * (left + right);
    let ahead = (ahead - across * ahead.dot(across)).try_normalize()?;
    // From between the ears a mouth is ahead and below by so much.
    const MOUTH_BELOW_DEG: f32 = 34.0;
    let yaw = atan2_32(-across.z, across.x).to_degrees();
    let pitch = asin32(ahead.y.clamp(-1.0, 1.0)).to_degrees() + MOUTH_BELOW_DEG;
    let tilt = asin32(-across.y.clamp(-1.0, 1.0)).to_degrees();
    Some([yaw, pitch, tilt])
}

/// How far a head leans to the left, in degrees.
pub(super) fn tilt_deg(person: &Person) -> Option<f64> {
    head_by_ears(person).map(|[_, _, tilt]| tilt.into())
}

/// Something that is believed once it has lasted.
#[derive(Clone, Copy, Debug)]
struct Settled<T> {
    now: T,
    candidate: Option<(T, f64)>,
}

impl<T: Copy + PartialEq> Settled<T> {
    fn new(now: T) -> Self {
        Self { now, candidate: None }
    }

    /// What it seems to be; gives what it is now if that has just changed.
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

/// A hand that moves by itself.
#[derive(Clone, Copy, Debug, Default)]
struct Moving {
    last: Option<Vec3>,
    fingers: Option<Fingers>,
    /// In lengths of an arm a second, over the last moments.
    speed: f64,
    /// Since when it gestures, and when it was last quick.
    since: Option<f64>,
    quick: f64,
    way: f64,
    /// What shape it had since then.
    shape: Option<HandShape>,
}

/// A hand that is quicker than the first gestures; below the second it rests, and for so long that a gesture is over.
const QUICK: [f64; 2] = [0.9, 0.35];
const REST_SECS: f64 = 0.35;
/// What is shorter is none.
const GESTURE_SECS: f64 = 0.4;
/// The speed is that of the last moments.
const SPEED_SECS: f64 = 0.1;
/// How far fingers go that move by all of their reach, in lengths of an arm: a hand that opens or closes within a quarter of
/// a second is as quick as one that begins a gesture, wherever its wrist is.
const FINGERS_WAY: f64 = 0.6;

impl Moving {
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

    /// What shape it has now: of all that it had in a gesture, pointing tells most.
    fn take_shape(&mut self, shape: Option<HandShape>) {
        if self.shape != Some(HandShape::Pointing) {
            self.shape = shape.or(self.shape);
        }
    }

    /// How fast it was on average.
    fn energy(&self) -> f64 {
        self.since.map_or(0.0, |since| self.way / (self.quick - since).max(0.1))
    }
}

/// Something of a face that is more than usual.
#[derive(Clone, Copy, Debug)]
struct Level {
    usual: Usual,
    /// How much more than usual is nothing yet, and how much more than that is all.
    more: [f64; 2],
    is_on: bool,
}

/// When it begins, and when it is over.
const ON: [f64; 2] = [0.5, 0.25];

impl Level {
    const fn new(usual: Usual, more: [f64; 2]) -> Self {
        Self { usual, more, is_on: false }
    }

    /// How much it is, from 0 to 1, and whether it has just begun.
    fn next(&mut self, secs: f64, value: f64) -> (f64, bool) {
        let [nothing, all] = self.more;
        let level = ((value - self.usual.next(secs, value) - nothing) / all).clamp(0.0, 1.0);
        let was_on = self.is_on;
        self.is_on = level > ON[usize::from(was_on)];
        (level, self.is_on && !was_on)
    }
}

/// A mouth that talks: it opens and closes.
#[derive(Clone, Copy, Debug, Default)]
struct Mouth {
    last: Option<(f64, f64)>,
    /// How much it opens and closes a second, over the last moments.
    busy: f64,
    talks_since: Option<f64>,
}

/// Who opens and closes the mouth by so much a second talks; by so much less, pauses.
const TALKS: [f64; 2] = [0.25, 0.08];
const TALK_SECS: f64 = 0.25;
/// What is shorter was no talk.
const LEAST_TALK_SECS: f64 = 0.8;

impl Mouth {
    /// Whether a pause has just begun.
    fn next(&mut self, secs: f64, open: f64) -> bool {
        let Some((at, before)) = self.last.replace((secs, open)) else { return false };
        let dt = secs - at;
        if dt <= 0.0 || dt > 0.5 {
            return false;
        }
        self.busy += ((open - before).abs() / dt - self.busy) * dt / (dt + TALK_SECS);
        match self.talks_since {
            None if self.busy > TALKS[0] => self.talks_since = Some(secs),
            Some(since) if self.busy < TALKS[1] => {
                self.talks_since = None;
                return secs - since >= LEAST_TALK_SECS;
            }
            _ => {}
        }
        false
    }
}
