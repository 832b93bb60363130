//! Rules with soft thresholds that turn measurements into labels.
//!
//! A threshold is the value at which people disagree about a label, and its width is the range of disagreement. Every
//! rule gives a value between 0 and 1. Values of independent cues are multiplied. The result is a probability for each
//! label; the probabilities add up to one.

use super::measure::{Measures, Rhythm};
use super::small::SmallCues;
use super::track::Sides;
use super::{Guess, Type};
use vivant::body::layers::Layer;
use vivant::body::repertoire::Hand;
use vivant::math::exp32;

/// A soft threshold: the value at which a label has the probability 0.5 (`middle`), and the scale over which the
/// probability changes (`width`).
pub(crate) struct SoftThreshold {
    pub(crate) middle: f32,
    pub(crate) width: f32,
}

impl SoftThreshold {
    /// Returns a value from 0 to 1: 0.5 at the middle, 0.88 two widths above, 0.12 two widths below.
    pub(crate) fn above(&self, value: f32) -> f32 {
        1.0 / (1.0 + exp32(((self.middle - value) / self.width).clamp(-30.0, 30.0)))
    }

    pub(crate) fn below(&self, value: f32) -> f32 {
        1.0 - self.above(value)
    }
}

/// Distance from rest at which a hand takes part, in arm lengths: 14 cm for an adult. Hanging arms swing by up to 0.2
/// when the trunk laughs or shifts its weight; the smallest noticeable hand gesture bends the elbow by 30°, which is
/// 0.3.
const HAND_USED: SoftThreshold = SoftThreshold { middle: 0.28, width: 0.05 };

/// Ratio between the movements of the two hands at which one hand leads. An arm that supports the other (hand at the
/// chin) moves three quarters as far as the other. An arm that only moves along moves half as far.
const HAND_LEADS: SoftThreshold = SoftThreshold { middle: 1.6, width: 0.1 };

/// Height by which both shoulders are raised, in arm lengths: 2 cm if the hands move, which also moves the shoulders,
/// and 1.5 cm if the hands rest. Breathing moves the chest by 4 to 12 mm (a common range in the literature).
const SHRUGGED: SoftThreshold = SoftThreshold { middle: 0.036, width: 0.004 };
const SHRUGGED_ALONE: SoftThreshold = SoftThreshold { middle: 0.028, width: 0.0025 };

/// Ratio of forward to vertical shoulder movement. Rolling shoulders are a stretch without meaning; a shrug moves
/// straight up.
const ROLLED: SoftThreshold = SoftThreshold { middle: 0.9, width: 0.07 };

/// Half-cycles per second of a nod or shake. People nod at 1 to 4 Hz, which is 2 to 8 half-cycles per second; looking
/// around takes a second or more per half-cycle.
const NOD_RATE: SoftThreshold = SoftThreshold { middle: 1.4, width: 0.2 };

/// Smallest head movement that others notice as a sign, in degrees; noise and breathing stay below 2°.
const NOD_SIZE: SoftThreshold = SoftThreshold { middle: 2.7, width: 0.3 };

/// Largest amplitude of a head shake in degrees. In larger movements, the person looks at something.
const SHAKE_SIZE: SoftThreshold = SoftThreshold { middle: 55.0, width: 4.0 };

/// Purity of a nod or shake: range about its own axis divided by the range about the other two axes.
const NOD_PURITY: SoftThreshold = SoftThreshold { middle: 1.2, width: 0.1 };

/// Angle by which the trunk bends forwards or back in a laugh or a bow, in degrees. Breathing and talking stay below
/// 10°.
const TRUNK_BENT: SoftThreshold = SoftThreshold { middle: 18.0, width: 3.0 };

/// Number of trunk half-cycles in a laugh; a bow or a yawn has two or three.
const BENDS_AGAIN: SoftThreshold = SoftThreshold { middle: 3.5, width: 0.35 };

/// Share of active time in which a hand touches the head, an arm or the other hand: above this share, the movement is
/// a self-adaptor (Ekman and Friesen), which is a fidget. A hand needs a quarter to a half of a clip to get there and
/// back.
const TOUCHES: SoftThreshold = SoftThreshold { middle: 0.32, width: 0.04 };

/// Share of active time in which a still hand is looked at: nails, a watch, a phone. Speakers look at their hands a
/// tenth of the time.
const WATCHES: SoftThreshold = SoftThreshold { middle: 0.45, width: 0.04 };

/// Share of active time in which the head is bent down while the hands are at the hips or below, for example to adjust
/// clothes. [`STAYS_LOW`] is the height of the hands, in arm lengths from the shoulder.
const LOOKS_DOWN: SoftThreshold = SoftThreshold { middle: 0.55, width: 0.05 };
const STAYS_LOW: SoftThreshold = SoftThreshold { middle: -0.62, width: 0.03 };

/// One hand at the chin with the other arm under its elbow means thinking and is not a fidget. This is the share of
/// time with that pose.
const THINKS: SoftThreshold = SoftThreshold { middle: 0.28, width: 0.03 };

/// Duration of a stretch in seconds: both arms are raised or out, straight and calm. Hands are not calm in cheering,
/// and arms are bent in talking.
const STRETCHES: SoftThreshold = SoftThreshold { middle: 0.7, width: 0.1 };

/// Height of the hands above which they gesture, in arm lengths from the shoulder. Hands that stay below it hang within
/// 33° of straight down, below McNeill's gesture space.
const HANGS: SoftThreshold = SoftThreshold { middle: -0.84, width: 0.03 };

/// Head angle at which a person looks away, in degrees. Idle people look around within 25°.
const LOOKS_AWAY: SoftThreshold = SoftThreshold { middle: 34.0, width: 4.0 };

/// Distance of the hips in a weight shift to the other leg, in hip heights: 3.5 cm. Standing people sway by 1 to 2 cm.
const WEIGHT_SHIFTED: SoftThreshold = SoftThreshold { middle: 0.037, width: 0.005 };

/// Distance at which a foot counts as moved, in hip heights: 8 cm.
const FOOT_MOVED: SoftThreshold = SoftThreshold { middle: 0.09, width: 0.012 };

/// Difference between the first and the last pose at which a clip ends in another pose, in degrees. Recordings that
/// return to their first pose end within 5° of it. Moving the arms to the hips changes the pose by 25°, and sitting
/// down changes it by 35°.
const ENDS_ELSEWHERE: SoftThreshold = SoftThreshold { middle: 15.0, width: 1.5 };

/// Angle of an upper arm or forearm at which one arm alone ends in another position, in degrees. The hand must move
/// too (see `HAND_WENT`).
const ARM_ENDS_ELSEWHERE: SoftThreshold = SoftThreshold { middle: 25.0, width: 2.0 };

/// Largest distance of a pose from the more similar end pose, divided by the distance between the end poses: one half
/// in a direct transition. A ratio above one means that something else happens on the way.
const WANDERS: SoftThreshold = SoftThreshold { middle: 0.85, width: 0.06 };

/// Limits for hands that make a short detour, for example out of folded arms or around the body: duration in seconds,
/// and [`WANDERS`] ratio.
const BRIEF: SoftThreshold = SoftThreshold { middle: 3.4, width: 0.25 };
const DETOURS: SoftThreshold = SoftThreshold { middle: 1.35, width: 0.08 };

/// Angle by which an arm changes its direction from start to end while trunk and legs stay, in degrees. The direction
/// of hanging arms varies by up to 12°.
const ARMS_WENT: SoftThreshold = SoftThreshold { middle: 18.0, width: 1.5 };
const REST_STAYS: SoftThreshold = SoftThreshold { middle: 10.0, width: 1.0 };

/// Distance at which a hand that moves and stays in another position takes part, in arm lengths. The movement of the
/// other hand does not matter. A hand on the hip is only 13 cm from its hanging position. Hanging arms move up to 4 cm
/// when the weight shifts.
const HAND_WENT: SoftThreshold = SoftThreshold { middle: 0.12, width: 0.015 };

/// Exception to `HAND_WENT`: angle by which legs or trunk turn when they carry the hands along, for example when
/// sitting down, in degrees. A weight shift turns them by 10°.
const REST_CARRIES: SoftThreshold = SoftThreshold { middle: 25.0, width: 2.0 };

/// Distance added to the movement of both hands before they are compared, in arm lengths, so that no hand leads in
/// very small movements.
const AS_FAR: f32 = 0.03;

/// Duration of idle clips in seconds above which tolerances are larger, because something always happens in half a
/// minute.
const CALM_SECS: f32 = 10.0;

/// Maximum confidence, since the rules were tested on only a few hundred clips.
pub(crate) const MAX_CONFIDENCE: f32 = 0.97;

/// Cues shown by a clip, as shares from 0 to 1.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cues {
    pub(crate) hands: Sides<f32>,
    pub(crate) shrug: f32,
    pub(crate) nod: f32,
    pub(crate) shake: f32,
    pub(crate) bend: f32,
    /// Cue that the trunk bends repeatedly; laughing people may hold their belly or face.
    pub(crate) laugh: f32,
    pub(crate) touch: f32,
    pub(crate) thinking: f32,
    pub(crate) stretch: f32,
    pub(crate) watch: f32,
    pub(crate) hang: f32,
    pub(crate) look: f32,
    pub(crate) shift: f32,
    pub(crate) leg: f32,
    pub(crate) elsewhere: f32,
    pub(crate) walk: f32,
    /// Cues of small movements, used if there are no larger movements.
    pub(crate) small: SmallCues,
    /// Cue that only the arms end in another position.
    pub(crate) arms_went: f32,
    /// Layer on which the clip goes from one known stance to another.
    pub(crate) known_way: Option<Layer>,
    /// Quality of the clip, from 0 to 1.
    pub(crate) quality: f32,
}

impl Cues {
    pub(crate) fn of(m: &Measures) -> Self {
        let patience = 1.0 + ((m.seconds - CALM_SECS) / (3.0 * CALM_SECS)).clamp(0.0, 1.0);
        let [yaw, pitch, roll] = m.head_range.to_array();
        let pure = |own: f32, others: f32| NOD_PURITY.above(own / others.max(0.5));
        let turn = yaw.max(pitch).max(roll);
        let wanders = m.away_deg / m.ends_deg.max(1.0);
        let straight = WANDERS.below(wanders).max(DETOURS.below(wanders) * BRIEF.below(m.way_secs));
        let at_clothes = LOOKS_DOWN.above(m.bent_down) * STAYS_LOW.below(m.highest);
        let hands = m.excursion.map(|e| HAND_USED.above(e));
        let rested = (1.0 - hands[0]) * (1.0 - hands[1]);
        let shrugged = SHRUGGED.above(m.shrug).max(rested * SHRUGGED_ALONE.above(m.shrug));
        let hand_went = HAND_WENT.above(m.wrists_went[0].max(m.wrists_went[1]));
        let arm_ends = ARM_ENDS_ELSEWHERE.above(m.arms_changed_deg) * hand_went;
        Self {
            hands,
            shrug: shrugged * ROLLED.below(m.roll),
            nod: swinging(m.nod) * pure(pitch, yaw.max(roll)),
            shake: swinging(m.shake) * pure(yaw, pitch.max(roll)) * SHAKE_SIZE.below(m.shake.size),
            bend: TRUNK_BENT.above(m.trunk_range.y / patience),
            laugh: TRUNK_BENT.above(m.trunk_range.y / patience) * BENDS_AGAIN.above(m.bob.swings as f32),
            touch: TOUCHES.above(m.touch),
            thinking: THINKS.above(m.thinker),
            watch: WATCHES.above(m.watched).max(at_clothes),
            stretch: STRETCHES.above(m.stretch_secs),
            hang: HANGS.below(m.highest),
            look: LOOKS_AWAY.above(turn / patience),
            shift: WEIGHT_SHIFTED.above(m.hips_travel / patience),
            leg: FOOT_MOVED.above(m.foot_travel / patience),
            elsewhere: ENDS_ELSEWHERE.above(m.ends_deg).max(arm_ends) * straight,
            walk: walking(m),
            small: SmallCues::of(&m.events),
            arms_went: ARMS_WENT.above(m.arms_changed_deg) * REST_STAYS.below(m.rest_changed_deg),
            known_way: None,
            quality: quality(m),
        }
    }

    /// Returns the cue that the hand movement is a self-adaptor, which has no meaning, from 0 to 1.
    fn adaptor(&self) -> f32 {
        self.touch.max(self.watch).min(1.0 - self.thinking).max(self.stretch)
    }

    fn any_hand(&self) -> f32 {
        1.0 - (1.0 - self.hands[0]) * (1.0 - self.hands[1])
    }

    /// Returns the probability of each type.
    fn types(&self) -> [(Type, f32); 4] {
        let (meant, moved) = (self.meant(), self.moved().max(self.shift));
        let goes = self.elsewhere.max(self.head_went()).max(self.weight_went());
        let stays = 1.0 - goes;
        let little = stays * (1.0 - meant) * (1.0 - moved);
        let (small_meant, small_moved) = (self.small.meant(), self.small.moved());
        let fidget = stays * (1.0 - meant) * moved + little * (1.0 - small_meant) * small_moved;
        [
            (Type::Stance, little * (1.0 - small_meant) * (1.0 - small_moved)),
            (Type::Gesture, stays * meant + little * small_meant),
            (Type::Fidget, fidget),
            (Type::Transition, goes),
        ]
    }

    /// Returns the strength of deliberate movements, from 0 to 1.
    fn meant(&self) -> f32 {
        let hand = self.any_hand();
        let sign = [hand * (1.0 - self.hang), self.shrug, self.nod, self.shake, self.bend];
        let meant = sign.into_iter().fold(0.0, f32::max) * (1.0 - hand * self.adaptor());
        meant.max(self.laugh)
    }

    /// Returns the strength of movements without meaning except weight shifts, from 0 to 1.
    fn moved(&self) -> f32 {
        let hand = self.any_hand();
        [hand * self.adaptor(), hand * self.hang, self.look, self.leg].into_iter().fold(0.0, f32::max)
    }

    /// Returns the cue that the head moves to another position and stays there, and that nothing else happens.
    fn head_went(&self) -> f32 {
        let moved = self.moved().max(self.shift).max(self.small.moved());
        self.small.head_went * (1.0 - self.meant().max(self.small.meant())) * (1.0 - moved)
    }

    /// Returns the cue that the weight moves to another leg and stays there, and that nothing else happens. A step to
    /// the side does not count.
    fn weight_went(&self) -> f32 {
        self.small.weight_went * (1.0 - self.meant()) * (1.0 - self.moved())
    }

    /// Returns the type with its confidence.
    pub(crate) fn kind(&self, m: &Measures) -> Guess<Type> {
        // Walking is none of the four types. It counts as a transition, or as a stance if the person walks on the
        // spot.
        if self.walk > 0.5 {
            let value = if m.hips_travel > 0.3 { Type::Transition } else { Type::Stance };
            return Guess::new(value, 0.3 * self.quality);
        }
        best(self.types(), self.quality)
    }

    /// Returns the cue that each hand takes part, from 0 to 1. Small hand movements count if nothing else happens.
    fn hands_used(&self, m: &Measures, kind: Type) -> Sides<f32> {
        if kind == Type::Transition {
            let freely = REST_CARRIES.below(m.rest_changed_deg);
            return [0, 1].map(|i| self.hands[i].max(freely * HAND_WENT.above(m.wrists_went[i])));
        }
        let cues = [self.shrug, self.nod, self.shake, self.bend, self.look, self.leg, self.shift];
        let else_done = cues.into_iter().fold(0.0, f32::max);
        let small = self.small.hands().map(|hand| hand * (1.0 - else_done));
        [0, 1].map(|i| self.hands[i].max(self.shrug).max(small[i]))
    }

    /// Returns the hand that acts, with its confidence. A stance has no hand.
    pub(crate) fn hand(&self, m: &Measures, kind: Type) -> Guess<Option<Hand>> {
        let [left, right] = self.hands_used(m, kind);
        let both = left * right;
        let [far_left, far_right] = m.excursion.map(|e| e + AS_FAR);
        let goes = kind == Type::Transition;
        let may_lead = if goes { 0.0 } else { both * (1.0 - self.shrug) };
        let leads = |ratio: f32| may_lead * HAND_LEADS.above(ratio);
        let (left_leads, right_leads) = (leads(far_left / far_right), leads(far_right / far_left));
        let none = (1.0 - left) * (1.0 - right);
        if kind == Type::Stance {
            return Guess::new(None, (0.5 + 0.5 * none) * self.quality * MAX_CONFIDENCE);
        }
        let hands = [
            (None, none),
            (Some(Hand::Left), left * (1.0 - right) + left_leads),
            (Some(Hand::Right), right * (1.0 - left) + right_leads),
            (Some(Hand::Both), both - left_leads - right_leads),
        ];
        best(hands, self.quality)
    }

    /// Returns the smallest set of layers that shows the clip (paper 4, section 5).
    pub(crate) fn layers(&self, kind: Type) -> Vec<Layer> {
        if kind == Type::Stance || self.walk > 0.5 {
            return Layer::ALL.to_vec();
        }
        if kind == Type::Transition {
            return self.layers_gone();
        }
        let small = self.small.hands();
        let arms = self.any_hand().max(self.shrug).max(small[0]).max(small[1]) > 0.5;
        let body = self.shift.max(self.leg).max(self.small.lower).max(self.small.lean) > 0.5;
        let head = self.nod.max(self.shake).max(self.look) > 0.5 || !(arms || body);
        // The layers of arms and body move the head too; the head layer is for head-only movements.
        let wanted = [(Layer::Body, body), (Layer::Arms, arms), (Layer::Head, head && !arms && !body)];
        wanted.into_iter().filter(|(_, wanted)| *wanted).map(|(layer, _)| layer).collect()
    }

    /// Returns the layers that end in another position.
    fn layers_gone(&self) -> Vec<Layer> {
        match () {
            () if self.known_way.is_some() => self.known_way.into_iter().collect(),
            () if self.elsewhere > 0.5 && self.arms_went > 0.5 => vec![Layer::Arms],
            () if self.elsewhere > 0.5 => Layer::ALL.to_vec(),
            () if self.weight_went() >= self.head_went() => vec![Layer::Body],
            () => vec![Layer::Head],
        }
    }

    /// Returns true if there are only small movements or a weight shift.
    pub(crate) fn is_quiet(&self) -> bool {
        self.meant().max(self.moved()).max(self.walk) < 0.5
    }

    /// Returns true if at most a part of the body ends in another position, not the whole pose. Found stances are not
    /// distinguished by such a part.
    pub(crate) fn goes_in_part(&self) -> bool {
        self.elsewhere <= 0.5
    }

    /// Returns the tags that the motion shows.
    pub(crate) fn tags(&self, m: &Measures, kind: Type) -> Vec<String> {
        if matches!(kind, Type::Stance | Type::Transition) {
            return Vec::new();
        }
        let gesture = kind == Type::Gesture;
        let hands = self.any_hand() > 0.5;
        let used = |i: usize| self.hands[i] > 0.5;
        let side = |test: &dyn Fn(usize) -> bool| used(0) && test(0) || used(1) && test(1);
        let thinks = hands && self.thinking > 0.5;
        let free = gesture && hands && !thinks;
        // Only one hand waves or points; two swinging or straight arms do something else.
        let alone = matches!(self.hand(m, kind).value, Some(Hand::Left | Hand::Right)) && m.seconds < 10.0;
        let wave = free && alone && side(&|i| waves(m.wave[i]));
        let bent = !hands && gesture && self.bend > 0.5;
        // A head that moves along with a shrug or a laugh means neither yes nor no.
        let answers = gesture && !hands && self.shrug <= 0.5 && self.laugh <= 0.5;
        let tags = [
            ("positive", answers && self.nod.max(self.small.nod) > 0.5),
            ("negative", answers && self.shake > 0.5),
            ("shrug", gesture && self.shrug > 0.5),
            ("wave", wave),
            ("greeting", wave),
            ("thinking", thinks),
            ("deictic", free && alone && !wave && side(&|i| m.pointing_secs[i] > 0.3)),
            ("beat", free && !wave && side(&|i| m.beat[i].swings >= 3 && m.beat[i].rate > 0.8)),
            ("laugh", gesture && self.laugh > 0.5 && (!hands || self.touch > 0.5)),
            ("bow", bent && self.laugh < 0.5),
            ("self-touch", hands && !thinks && self.touch > 0.5 && self.stretch < 0.5),
            ("stretch", !gesture && hands && self.stretch > 0.5),
            ("look-around", !gesture && !hands && self.look > 0.5 && m.head_range.x > 30.0),
            ("weight-shift", !gesture && !hands && self.shift > 0.5),
        ];
        tags.into_iter().filter(|(_, holds)| *holds).map(|(tag, _)| tag.to_owned()).collect()
    }
}

/// Returns the cue that a head oscillation is a nod or a shake, from 0 to 1. It needs at least two half-cycles at the
/// rate of a nod.
fn swinging(rhythm: Rhythm) -> f32 {
    if rhythm.swings < 2 {
        return 0.0;
    }
    let often = SoftThreshold { middle: 2.6, width: 0.25 }.above(rhythm.swings as f32);
    often * NOD_RATE.above(rhythm.rate) * NOD_SIZE.above(rhythm.size)
}

/// Returns true if the oscillation of a raised hand is a wave: from side to side by 5 cm or more.
fn waves(rhythm: Rhythm) -> bool {
    rhythm.swings >= 2 && rhythm.rate > 1.3 && rhythm.size > 0.1
}

/// Returns the cue that the person walks, from 0 to 1: the feet pass each other by half a leg length, at the rate of
/// steps.
fn walking(m: &Measures) -> f32 {
    let strides = m.steps.swings >= 2 && m.steps.rate > 1.5;
    if strides { SoftThreshold { middle: 0.5, width: 0.05 }.above(m.steps.size) } else { 0.0 }
}

/// Returns the quality of a clip from 0 to 1. It is low for clips shorter than half a second, which show little, and
/// for limbs that turn faster than 1500°/s, which is impossible for people.
fn quality(m: &Measures) -> f32 {
    let long = SoftThreshold { middle: 0.25, width: 0.12 }.above(m.seconds);
    let possible = SoftThreshold { middle: 1500.0, width: 150.0 }.below(m.limb_speed);
    long * possible
}

fn best<T: Copy, const N: usize>(shares: [(T, f32); N], quality: f32) -> Guess<T> {
    let sum: f32 = shares.iter().map(|(_, share)| share).sum();
    let (value, share) = shares.into_iter().reduce(|a, b| if b.1 > a.1 { b } else { a }).expect("N > 0");
    Guess::new(value, share / sum.max(1e-6) * quality * MAX_CONFIDENCE)
}
