//! Cues from small movements: a nod, a tilt, a lean, a bent knee, restless fingers.
//!
//! These cues count only if nothing larger happens and if the movements end soon. A standing person glances, sways
//! and breathes all the time; such movements belong to the stance.

use super::event::{Event, Events};
use super::rules::SoftThreshold;
use super::track::Sides;

/// Duration of a small movement in seconds. Nods take half a second, a held lean or a look down takes two to three
/// seconds, and slow people need a third more. Longer movements consist of several small ones.
const OVER: SoftThreshold = SoftThreshold { middle: 4.8, width: 0.35 };

/// Fraction of the threshold of an event below which the event is ignored when the duration is measured.
const NEGLIGIBLE: f32 = 0.45;

/// Amplitude of a single nod in degrees: people nod by 5 to 20°, and glances below 4° are not noticed.
const NOD_ONCE: SoftThreshold = SoftThreshold { middle: 5.0, width: 0.5 };

/// Duration of a nod in seconds; a look down takes longer.
const NOD_SECS: SoftThreshold = SoftThreshold { middle: 1.0, width: 0.1 };

/// Angle of a head tilt that means a question or sympathy, in degrees. A head that only turns rolls by 2 to 4°.
const TILT: SoftThreshold = SoftThreshold { middle: 7.0, width: 0.7 };

/// Duration of a head tilt in seconds; a resting head stays tilted for longer.
const TILT_SECS: SoftThreshold = SoftThreshold { middle: 2.6, width: 0.2 };

/// Ratio of the rotation about one axis to the rotation about the other two axes in a deliberate movement. Stretching
/// the neck rotates about several axes.
const PURE: SoftThreshold = SoftThreshold { middle: 1.3, width: 0.1 };

/// Angle by which the trunk leans towards the other person or away, in degrees. Breathing causes 1 to 2°, and talking
/// causes a sway of 3°.
const LEAN: SoftThreshold = SoftThreshold { middle: 4.5, width: 0.4 };

/// Angle by which the head bends and returns in a movement, in degrees. Resting people stay within 7°.
const HEAD_MOVES: SoftThreshold = SoftThreshold { middle: 9.0, width: 0.8 };

/// Angle by which the head turns and returns in a movement, in degrees. Resting people glance around by up to 20°.
const HEAD_TURNS: SoftThreshold = SoftThreshold { middle: 22.0, width: 1.5 };

/// Angle by which the trunk turns or bends to the side and returns in a movement, in degrees.
const TRUNK_MOVES: SoftThreshold = SoftThreshold { middle: 8.0, width: 0.8 };

/// Distance by which the hips move and return, in hip heights: 2 cm within a few seconds. Quiet sway is nearly as
/// wide, but does not end.
const HIPS_MOVE: SoftThreshold = SoftThreshold { middle: 0.022, width: 0.002 };

/// Angle by which a knee bends, in degrees. Breathing people stay within 2°, or within 3° including noise.
const KNEE_BENDS: SoftThreshold = SoftThreshold { middle: 6.0, width: 0.5 };

/// Distance by which a wrist moves by itself, in arm lengths: 2.5 cm. Breathing moves hanging hands by 5 mm.
const WRIST_MOVES: SoftThreshold = SoftThreshold { middle: 0.05, width: 0.005 };

/// Wrist movement caused by trunk rotation (per degree) and hip movement (per hip height), in arm lengths. Arms lag
/// behind by a third of the movement of the trunk and the hips.
const CARRIED_PER_DEG: f32 = 0.008;
const CARRIED_PER_HEIGHT: f32 = 0.5;

/// Angle by which a finger moves, in degrees over its three joints. Resting fingers stay within 5°, including noise.
const FINGER_MOVES: SoftThreshold = SoftThreshold { middle: 7.5, width: 0.5 };

/// Duration of a beat of hands that hold each other, in seconds.
const BEAT_SECS: SoftThreshold = SoftThreshold { middle: 1.0, width: 0.08 };

/// Change of the head tilt from start to end of the clip, in degrees. A held tilt is 8 to 15°.
const TILT_WENT: SoftThreshold = SoftThreshold { middle: 6.5, width: 0.6 };

/// Change of the head's yaw or pitch from start to end of the clip, in degrees. The threshold is large, because
/// glances also move the head without changing the stance.
const GLANCE_WENT: SoftThreshold = SoftThreshold { middle: 18.0, width: 1.5 };

/// Distance between start and end of the hips in a weight shift to the other leg, in hip heights: 3.5 cm.
const WEIGHT_WENT: SoftThreshold = SoftThreshold { middle: 0.037, width: 0.004 };

/// Time in which a part of the body moves to another position, in seconds. Slower movement is drift.
const WENT_SECS: SoftThreshold = SoftThreshold { middle: 2.0, width: 0.2 };

/// Cues as shares from 0 to 1.
#[derive(Clone, Debug, Default)]
pub(crate) struct SmallCues {
    /// Cue of a single nod.
    pub(crate) nod: f32,
    /// Cue of a head tilt.
    pub(crate) tilt: f32,
    /// Cue that the trunk leans towards the other person or away.
    pub(crate) lean: f32,
    /// Cue of a beat with hands that hardly move.
    pub(crate) beat: f32,
    /// Cue of another movement of head or trunk.
    pub(crate) upper: f32,
    /// Cue that the hips or a knee move.
    pub(crate) lower: f32,
    /// Cue that each hand or its fingers move.
    pub(crate) hands: Sides<f32>,
    /// Cue that the head ends in another position.
    pub(crate) head_went: f32,
    /// Cue that the weight ends on another leg.
    pub(crate) weight_went: f32,
}

impl SmallCues {
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

    /// Returns the strongest cue of a deliberate movement, from 0 to 1.
    pub(crate) fn meant(&self) -> f32 {
        self.nod.max(self.tilt).max(self.lean).max(self.beat)
    }

    /// Returns the strongest cue of a movement without meaning, from 0 to 1.
    pub(crate) fn moved(&self) -> f32 {
        self.upper.max(self.lower).max(self.hands[0]).max(self.hands[1])
    }

    /// Returns the cue for small movements of each hand, unless the hands only move along with another part of the
    /// body.
    pub(crate) fn hands(&self) -> Sides<f32> {
        let else_done = self.nod.max(self.tilt).max(self.lean).max(self.upper).max(self.lower);
        self.hands.map(|hand| hand * (1.0 - else_done))
    }
}

fn upper(head_turns: f32, head_bends: f32, trunk: f32) -> f32 {
    HEAD_TURNS.above(head_turns).max(HEAD_MOVES.above(head_bends)).max(TRUNK_MOVES.above(trunk))
}

fn went(event: &Event, far: &SoftThreshold) -> f32 {
    far.above(event.went()) * WENT_SECS.below(event.secs)
}

/// Returns the distance by which trunk and hips carry the wrists along, in arm lengths.
fn carried(e: &Events) -> f32 {
    let trunk = e.trunk.iter().map(|event| event.size).fold(0.0, f32::max);
    CARRIED_PER_DEG * trunk + CARRIED_PER_HEIGHT * e.hips.size
}

/// Returns the longest duration among the body parts that move, in seconds.
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
