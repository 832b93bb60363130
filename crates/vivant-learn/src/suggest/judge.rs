//! From numbers to labels: rules with soft thresholds, each with its reason.
//!
//! A threshold is the place where people would begin to disagree, and its width is over how much they
//! would. So every rule gives a share between 0 and 1, shares of independent things are multiplied, and
//! what comes out is a probability for each label that adds up to one.

use super::measure::{Measures, Rhythm};
use super::small::Small;
use super::track::Sides;
use super::{Guess, Type};
use vivant::body::layers::Layer;
use vivant::body::repertoire::Hand;
use vivant::math::exp32;

/// Where a label begins to hold, and over how much it becomes sure.
pub(crate) struct Soft {
    pub(crate) middle: f32,
    pub(crate) width: f32,
}

impl Soft {
    /// 0.5 at the middle, 0.88 two widths above it, 0.12 two widths below it.
    pub(crate) fn above(&self, value: f32) -> f32 {
        1.0 / (1.0 + exp32(((self.middle - value) / self.width).clamp(-30.0, 30.0)))
    }

    pub(crate) fn below(&self, value: f32) -> f32 {
        1.0 - self.above(value)
    }
}

/// A hand takes part, in arm lengths from rest: 14 cm of a grown-up. Arms that hang while the trunk laughs
/// or shifts its weight swing by up to 0.2; the smallest gesture of a hand that people notice bends the
/// elbow by 30°, which is 0.3.
const HAND_USED: Soft = Soft { middle: 0.28, width: 0.05 };

/// Both hands take part but one leads, by the ratio of their ways. An arm that supports the other (a hand
/// at the chin) goes three quarters as far; one that only goes along goes half as far.
const HAND_LEADS: Soft = Soft { middle: 1.6, width: 0.1 };

/// Both shoulders drawn up, in arm lengths: 2 cm if the hands move, which takes shoulders along, and 1.5 cm if they
/// rest. Breathing makes 4 to 12 mm (FACTS, section 7).
const SHRUGGED: Soft = Soft { middle: 0.036, width: 0.004 };
const SHRUGGED_ALONE: Soft = Soft { middle: 0.028, width: 0.0025 };

/// Shoulders that go so far back and forth, against how far up and down, are rolled: that is a stretch, and says
/// nothing. Those that are drawn up go straight up.
const ROLLED: Soft = Soft { middle: 0.9, width: 0.07 };

/// Swings a second of a nod or a shake. People nod at 1 to 4 Hz, which is 2 to 8 swings; a look around
/// takes a second and more a swing.
const NOD_RATE: Soft = Soft { middle: 1.4, width: 0.2 };

/// The least swing of the head that others see as a sign, in degrees; noise and breath stay below 2°.
const NOD_SIZE: Soft = Soft { middle: 2.7, width: 0.3 };

/// A shake of the head stays in front; what swings further looks at something, in degrees.
const SHAKE_SIZE: Soft = Soft { middle: 55.0, width: 4.0 };

/// How much of the head's movement a nod or a shake is: the range about its own axis against the other two.
const NOD_PURITY: Soft = Soft { middle: 1.2, width: 0.1 };

/// The trunk bends forwards or back, in degrees: a laugh or a bow. Breathing and talking stay below 10°.
const TRUNK_BENT: Soft = Soft { middle: 18.0, width: 3.0 };

/// How often the trunk swings in a laugh; a bow or a yawn makes two or three swings.
const BENDS_AGAIN: Soft = Soft { middle: 3.5, width: 0.35 };

/// The share of the hands' time that they touch the head, an arm or each other: above it, it is what Ekman and Friesen
/// call a self-adaptor, a fidget. A hand needs a quarter to a half of a clip to get there and back.
const TOUCHES: Soft = Soft { middle: 0.32, width: 0.04 };

/// The share of a hand's time that it keeps still and is looked down at: nails, a watch, a telephone. Speakers
/// do so for a tenth of the time.
const WATCHES: Soft = Soft { middle: 0.45, width: 0.04 };

/// The same of hands that stay at the hips and below, where clothes are put right: the head is bent down for most of
/// the time. By how high they get, in arm lengths from the shoulder.
const LOOKS_DOWN: Soft = Soft { middle: 0.55, width: 0.05 };
const STAYS_LOW: Soft = Soft { middle: -0.62, width: 0.03 };

/// One hand at the chin with the other arm under its elbow is the sign for thinking, not a fidget. By its
/// share of the time.
const THINKS: Soft = Soft { middle: 0.28, width: 0.03 };

/// Both arms held up or out, stretched and calm, for so long is a stretch, in seconds. Cheering hands do
/// not keep still, and talking ones are bent.
const STRETCHES: Soft = Soft { middle: 0.7, width: 0.1 };

/// Hands that stay lower, in arm lengths from the shoulder, do not speak: they hang, within 33° of straight
/// down, below what McNeill calls the gesture space.
const HANGS: Soft = Soft { middle: -0.84, width: 0.03 };

/// The head looks elsewhere, in degrees. Idle people look about within 25°.
const LOOKS_AWAY: Soft = Soft { middle: 34.0, width: 4.0 };

/// The weight goes to the other leg, in hips' heights: 3.5 cm. Standing people sway by 1 to 2 cm.
const WEIGHT_SHIFTED: Soft = Soft { middle: 0.037, width: 0.005 };

/// A foot goes elsewhere, in hips' heights: 8 cm.
const FOOT_MOVED: Soft = Soft { middle: 0.09, width: 0.012 };

/// The clip ends in another pose than it starts in, in degrees. Recordings that return end within 5°; arms
/// that go to the hips change it by 25°, and sitting down by 35°.
const ENDS_ELSEWHERE: Soft = Soft { middle: 15.0, width: 1.5 };

/// Or one arm alone does, in degrees of its upper arm or forearm, and takes the hand along (see `HAND_WENT`).
const ARM_ENDS_ELSEWHERE: Soft = Soft { middle: 25.0, width: 2.0 };

/// How far off both ends a transition goes, against the distance of the ends: on the straight way it is
/// one half. What goes further than the ends are apart does something on the way.
const WANDERS: Soft = Soft { middle: 0.85, width: 0.06 };

/// But hands that leave a fold or go round the body make a detour, which takes a few seconds at most: in seconds, and how
/// far it goes then.
const BRIEF: Soft = Soft { middle: 3.4, width: 0.25 };
const DETOURS: Soft = Soft { middle: 1.35, width: 0.08 };

/// An arm points elsewhere at the end, in degrees, while trunk and legs stay as they are. Arms that hang differ by up
/// to 12° from one time to the next.
const ARMS_WENT: Soft = Soft { middle: 18.0, width: 1.5 };
const REST_STAYS: Soft = Soft { middle: 10.0, width: 1.0 };

/// A hand that goes to stay elsewhere takes part, however far the other goes, in arm lengths: a hand on the hip is only
/// 13 cm from where it hung. Arms that hang are up to 4 cm elsewhere when the weight is.
const HAND_WENT: Soft = Soft { middle: 0.12, width: 0.015 };

/// Unless legs or trunk turn by so much, in degrees, that they carry the hands along: who sits down has them in
/// the lap. The weight on the other leg makes 10°.
const REST_CARRIES: Soft = Soft { middle: 25.0, width: 2.0 };

/// How much farther a hand gets without doing anything, in arm lengths: no small movement has a leader.
const AS_FAR: f32 = 0.03;

/// Long idle clips are allowed more: in half a minute something always happens.
const CALM_SECS: f32 = 10.0;

/// Rules that were tried on some hundred clips are never surer than this.
pub(crate) const SUREST: f32 = 0.97;

/// What a clip shows, as shares from 0 to 1.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signs {
    pub(crate) hands: Sides<f32>,
    pub(crate) shrug: f32,
    pub(crate) nod: f32,
    pub(crate) shake: f32,
    pub(crate) bend: f32,
    /// The trunk bends again and again; whoever laughs may well hold the belly or the face.
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
    /// What counts where there is nothing else.
    pub(crate) small: Small,
    /// Only the arms end elsewhere.
    pub(crate) arms_went: f32,
    /// The layer on which known stances say that it goes from one to another.
    pub(crate) known_way: Option<Layer>,
    /// How far the material can be trusted at all.
    pub(crate) quality: f32,
}

impl Signs {
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
            small: Small::of(&m.events),
            arms_went: ARMS_WENT.above(m.arms_changed_deg) * REST_STAYS.below(m.rest_changed_deg),
            known_way: None,
            quality: quality(m),
        }
    }

    /// How much of the hands' doing is of the kind that means nothing.
    fn adaptor(&self) -> f32 {
        self.touch.max(self.watch).min(1.0 - self.thinking).max(self.stretch)
    }

    fn any_hand(&self) -> f32 {
        1.0 - (1.0 - self.hands[0]) * (1.0 - self.hands[1])
    }

    /// How likely it is to be each type: stance, gesture, fidget, transition.
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

    /// How much is done on purpose.
    fn meant(&self) -> f32 {
        let hand = self.any_hand();
        let sign = [hand * (1.0 - self.hang), self.shrug, self.nod, self.shake, self.bend];
        let meant = sign.into_iter().fold(0.0, f32::max) * (1.0 - hand * self.adaptor());
        meant.max(self.laugh)
    }

    /// How much is done without meaning, but for the weight.
    fn moved(&self) -> f32 {
        let hand = self.any_hand();
        [hand * self.adaptor(), hand * self.hang, self.look, self.leg].into_iter().fold(0.0, f32::max)
    }

    /// The head goes to stay elsewhere, and nothing else happens.
    fn head_went(&self) -> f32 {
        let moved = self.moved().max(self.shift).max(self.small.moved());
        self.small.head_went * (1.0 - self.meant().max(self.small.meant())) * (1.0 - moved)
    }

    /// The weight goes to stay on another leg, and nothing else happens; what steps aside walks.
    fn weight_went(&self) -> f32 {
        self.small.weight_went * (1.0 - self.meant()) * (1.0 - self.moved())
    }

    /// The type, and how sure it is.
    pub(crate) fn kind(&self, m: &Measures) -> Guess<Type> {
        // Walking is none of the four: it is a way to somewhere, or on the spot something to keep up.
        if self.walk > 0.5 {
            let value = if m.hips_travel > 0.3 { Type::Transition } else { Type::Stance };
            return Guess::new(value, 0.3 * self.quality);
        }
        best(self.types(), self.quality)
    }

    /// How much each hand takes part. Small movements of the hands count where nothing else happens.
    fn hands_used(&self, m: &Measures, kind: Type) -> Sides<f32> {
        if kind == Type::Transition {
            let freely = REST_CARRIES.below(m.rest_changed_deg);
            return [0, 1].map(|i| self.hands[i].max(freely * HAND_WENT.above(m.wrists_went[i])));
        }
        let signs = [self.shrug, self.nod, self.shake, self.bend, self.look, self.leg, self.shift];
        let else_done = signs.into_iter().fold(0.0, f32::max);
        let small = self.small.hands().map(|hand| hand * (1.0 - else_done));
        [0, 1].map(|i| self.hands[i].max(self.shrug).max(small[i]))
    }

    /// The hand, and how sure it is. A stance has none.
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
            return Guess::new(None, (0.5 + 0.5 * none) * self.quality * SUREST);
        }
        let hands = [
            (None, none),
            (Some(Hand::Left), left * (1.0 - right) + left_leads),
            (Some(Hand::Right), right * (1.0 - left) + right_leads),
            (Some(Hand::Both), both - left_leads - right_leads),
        ];
        best(hands, self.quality)
    }

    /// The layers that it should be played on: the fewest that show it (paper 4, section 5).
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
        // The arms' layer and the body's move the head too; the head's own is for what only the head does.
        let wanted = [(Layer::Body, body), (Layer::Arms, arms), (Layer::Head, head && !arms && !body)];
        wanted.into_iter().filter(|(_, wanted)| *wanted).map(|(layer, _)| layer).collect()
    }

    /// The layers on which it ends elsewhere.
    fn layers_gone(&self) -> Vec<Layer> {
        match () {
            () if self.known_way.is_some() => self.known_way.into_iter().collect(),
            () if self.elsewhere > 0.5 && self.arms_went > 0.5 => vec![Layer::Arms],
            () if self.elsewhere > 0.5 => Layer::ALL.to_vec(),
            () if self.weight_went() >= self.head_went() => vec![Layer::Body],
            () => vec![Layer::Head],
        }
    }

    /// Whether nothing happens that is seen by itself: the weight may go elsewhere, and the head.
    pub(crate) fn is_quiet(&self) -> bool {
        self.meant().max(self.moved()).max(self.walk) < 0.5
    }

    /// Whether it goes elsewhere with a part of the body by which found stances are not told apart.
    pub(crate) fn goes_in_part(&self) -> bool {
        self.elsewhere <= 0.5
    }

    /// What the motion says about the meaning.
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
        // One hand waves or points; two that swing or stretch do something else.
        let alone = matches!(self.hand(m, kind).value, Some(Hand::Left | Hand::Right)) && m.seconds < 10.0;
        let wave = free && alone && side(&|i| waves(m.wave[i]));
        let bent = !hands && gesture && self.bend > 0.5;
        // A head that moves along with a shrug or a laugh says neither yes nor no.
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

/// Whether the head swings as a sign: two swings and more, at the pace of a nod.
fn swinging(rhythm: Rhythm) -> f32 {
    if rhythm.swings < 2 {
        return 0.0;
    }
    let often = Soft { middle: 2.6, width: 0.25 }.above(rhythm.swings as f32);
    often * NOD_RATE.above(rhythm.rate) * NOD_SIZE.above(rhythm.size)
}

/// A raised hand that goes from side to side by 5 cm and more.
fn waves(rhythm: Rhythm) -> bool {
    rhythm.swings >= 2 && rhythm.rate > 1.3 && rhythm.size > 0.1
}

/// Feet that pass each other by half a leg, at the pace of steps.
fn walking(m: &Measures) -> f32 {
    let strides = m.steps.swings >= 2 && m.steps.rate > 1.5;
    if strides { Soft { middle: 0.5, width: 0.05 }.above(m.steps.size) } else { 0.0 }
}

/// Less than half a second shows little, and limbs that turn faster than 1500° a second are not a person's.
fn quality(m: &Measures) -> f32 {
    let long = Soft { middle: 0.25, width: 0.12 }.above(m.seconds);
    let possible = Soft { middle: 1500.0, width: 150.0 }.below(m.limb_speed);
    long * possible
}

fn best<T: Copy, const N: usize>(shares: [(T, f32); N], quality: f32) -> Guess<T> {
    let sum: f32 = shares.iter().map(|(_, share)| share).sum();
    let (value, share) = shares.into_iter().reduce(|a, b| if b.1 > a.1 { b } else { a }).expect("N > 0");
    Guess::new(value, share / sum.max(1e-6) * quality * SUREST)
}
