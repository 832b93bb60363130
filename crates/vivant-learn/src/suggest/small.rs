//! What small events say: a nod, a tilt, a lean, a shifted knee, fingers that find no rest.
//!
//! They count only where nothing greater happens, and only if they are over soon: whoever stands for long
//! glances, sways and breathes all the time, and that is the stance.

use super::event::{Event, Events};
use super::judge::Soft;
use super::track::Sides;

/// Something is over, in seconds. Nods take half a second, a held lean or a look down two to three, and slower
/// people a third more; in what takes longer several things happen.
const OVER: Soft = Soft { middle: 4.8, width: 0.35 };

/// Below this share of its threshold a part of the body does nothing that tells how long all of it takes.
const NEGLIGIBLE: f32 = 0.45;

/// A single nod, in degrees: people nod by 5 to 20°, and glance by less than 4° without noticing.
const NOD_ONCE: Soft = Soft { middle: 5.0, width: 0.5 };

/// A nod is quick, in seconds for which it is out; a look down stays for longer.
const NOD_SECS: Soft = Soft { middle: 1.0, width: 0.1 };

/// The head laid to the side is a question or sympathy, in degrees; heads that turn roll by 2 to 4°.
const TILT: Soft = Soft { middle: 7.0, width: 0.7 };

/// And it is short, in seconds; resting heads stay there.
const TILT_SECS: Soft = Soft { middle: 2.6, width: 0.2 };

/// How much more an axis turns than the other two, if it is meant. Necks that are stretched mix them.
const PURE: Soft = Soft { middle: 1.3, width: 0.1 };

/// The trunk goes to somebody or away, in degrees; breathing makes 1 to 2°, and talking sways by 3°.
const LEAN: Soft = Soft { middle: 4.5, width: 0.4 };

/// A head that bends by so much and returns does something, in degrees; resting people keep it within 7°.
const HEAD_MOVES: Soft = Soft { middle: 9.0, width: 0.8 };

/// To turn it takes more: resting people glance about by up to 20°.
const HEAD_TURNS: Soft = Soft { middle: 22.0, width: 1.5 };

/// The same of the trunk when it turns or bends to the side.
const TRUNK_MOVES: Soft = Soft { middle: 8.0, width: 0.8 };

/// The hips go there and back, in hips' heights: 2 cm in a few seconds. Quiet sway is nearly as wide, but never
/// over.
const HIPS_MOVE: Soft = Soft { middle: 0.022, width: 0.002 };

/// A knee gives way, in degrees; that of a breathing person stays within 2°, with noise within 3°.
const KNEE_BENDS: Soft = Soft { middle: 6.0, width: 0.5 };

/// A wrist moves by itself, in arm lengths: 2.5 cm. Breath moves hanging hands by 5 mm.
const WRIST_MOVES: Soft = Soft { middle: 0.05, width: 0.005 };

/// What a degree of the trunk's and a hips' height of the hips' movement does to a wrist that takes no part, in
/// arm lengths: arms lag behind by a third of what carries them.
const CARRIED_PER_DEG: f32 = 0.008;
const CARRIED_PER_HEIGHT: f32 = 0.5;

/// A finger moves, in degrees over its three joints. Resting ones stay within 5°, with noise too.
const FINGER_MOVES: Soft = Soft { middle: 7.5, width: 0.5 };

/// A beat of hands that hold each other is out for a part of a second.
const BEAT_SECS: Soft = Soft { middle: 1.0, width: 0.08 };

/// The head ends tilted otherwise, in degrees: a tilt that is kept is 8 to 15°.
const TILT_WENT: Soft = Soft { middle: 6.5, width: 0.6 };

/// The head ends turned or bent otherwise, in degrees. Eyes take it along at each glance, which is no stance.
const GLANCE_WENT: Soft = Soft { middle: 18.0, width: 1.5 };

/// The weight ends on another leg, in hips' heights: 3.5 cm.
const WEIGHT_WENT: Soft = Soft { middle: 0.037, width: 0.004 };

/// A part of the body goes elsewhere in less than this, in seconds; what is slower drifts.
const WENT_SECS: Soft = Soft { middle: 2.0, width: 0.2 };

/// Shares from 0 to 1.
#[derive(Clone, Debug, Default)]
pub(crate) struct Small {
    /// One nod of the head.
    pub(crate) nod: f32,
    /// The head laid to the side.
    pub(crate) tilt: f32,
    /// The trunk to somebody or away.
    pub(crate) lean: f32,
    /// A word marked with hands that hardly move.
    pub(crate) beat: f32,
    /// The head or the trunk does something else.
    pub(crate) upper: f32,
    /// The hips or a knee.
    pub(crate) lower: f32,
    /// The hands or their fingers.
    pub(crate) hands: Sides<f32>,
    /// The head ends elsewhere.
    pub(crate) head_went: f32,
    /// The weight ends elsewhere.
    pub(crate) weight_went: f32,
}

impl Small {
    pub(crate) fn of(e: &Events) -> Self {
        let over = OVER.below(longest_secs(e));
        let [yaw, pitch, roll] = e.head.map(|event| event.returned());
        let [twist, bend, side] = e.trunk.map(|event| event.returned());
        let pure = |own: f32, others: f32| PURE.above(own / others.max(0.5));
        let knee = e.knees[0].returned().max(e.knees[1].returned());
        let carried = carried(e);
        let wrists = e.wrists.map(|w| WRIST_MOVES.above(w.returned() - carried));
        let fingers = e.fingers.map(|f| FINGER_MOVES.above(f.returned()));
        let hands = [0, 1].map(|i| over * wrists[i].max(fingers[i]));
        let idle_fingers = 1.0 - fingers[0].max(fingers[1]);
        let quick = BEAT_SECS.below(e.wrists[0].secs.max(e.wrists[1].secs));
        Self {
            nod: over * NOD_ONCE.above(pitch) * NOD_SECS.below(e.head[1].secs) * pure(pitch, yaw.max(roll)),
            tilt: over * TILT.above(roll) * TILT_SECS.below(e.head[2].secs) * pure(roll, yaw.max(pitch)),
            lean: over * LEAN.above(bend) * pure(bend, twist.max(side).max(yaw)),
            beat: over * wrists[0].max(wrists[1]) * quick * idle_fingers,
            upper: over * upper(yaw, pitch.max(roll), twist.max(side)),
            lower: over * HIPS_MOVE.above(e.hips.returned()).max(KNEE_BENDS.above(knee)),
            hands,
            head_went: went(&e.head[2], &TILT_WENT)
                .max(went(&e.head[0], &GLANCE_WENT))
                .max(went(&e.head[1], &GLANCE_WENT)),
            weight_went: went(&e.hips, &WEIGHT_WENT),
        }
    }

    /// Done on purpose.
    pub(crate) fn meant(&self) -> f32 {
        self.nod.max(self.tilt).max(self.lean).max(self.beat)
    }

    /// Done without meaning.
    pub(crate) fn moved(&self) -> f32 {
        self.upper.max(self.lower).max(self.hands[0]).max(self.hands[1])
    }

    /// The hands that something small is done with, unless something else is done that they go along with.
    pub(crate) fn hands(&self) -> Sides<f32> {
        let else_done = self.nod.max(self.tilt).max(self.lean).max(self.upper).max(self.lower);
        self.hands.map(|hand| hand * (1.0 - else_done))
    }
}

fn upper(head_turns: f32, head_bends: f32, trunk: f32) -> f32 {
    HEAD_TURNS.above(head_turns).max(HEAD_MOVES.above(head_bends)).max(TRUNK_MOVES.above(trunk))
}

fn went(event: &Event, far: &Soft) -> f32 {
    far.above(event.went()) * WENT_SECS.below(event.secs)
}

/// How far the wrists go with the trunk and the hips.
fn carried(e: &Events) -> f32 {
    let trunk = e.trunk.iter().map(|event| event.size).fold(0.0, f32::max);
    CARRIED_PER_DEG * trunk + CARRIED_PER_HEIGHT * e.hips.size
}

/// How long the part that takes longest is out, of those that do anything.
fn longest_secs(e: &Events) -> f32 {
    let heads = e.head.iter().map(|event| (event, &HEAD_MOVES));
    let trunks = e.trunk.iter().map(|event| (event, &LEAN));
    let knees = e.knees.iter().map(|event| (event, &KNEE_BENDS));
    let wrists = e.wrists.iter().map(|event| (event, &WRIST_MOVES));
    let fingers = e.fingers.iter().map(|event| (event, &FINGER_MOVES));
    let all = heads.chain(trunks).chain(knees).chain(wrists).chain(fingers).chain([(&e.hips, &HIPS_MOVE)]);
    all.filter(|(event, least)| event.size > NEGLIGIBLE * least.middle)
        .map(|(event, _)| event.secs)
        .fold(0.0, f32::max)
}
