//! Pushes hands out of collisions while a motion is compiled.
//!
//! The author of a motion decides where a hand goes, but cannot place it to the millimetre in front of the body. So
//! every frame is checked for [collisions](crate::collision). If an arm is too deep, its wrist is moved and its elbow
//! is swung by the small amounts that are needed to free it. These corrections are spread over the frames before and
//! after, so that the hand avoids the obstacle in an arc. The corrections are limited, and they are zero at both
//! ends, where the stance is.

use crate::collision::{Bodies, Touch};
use crate::limb::{Limb, frame_of};
use crate::motion::{Held, Side, arm_lengths, held_in, set_arm};
use crate::track::ease;
use glam::{Quat, Vec3};
use vivant::math::{from_rotation_vector, rotation_vector};
use vivant::pose::Pose;
use vivant::rig::{Bone, Rig};

/// Maximum offset of a wrist in metres, and maximum swing of an elbow in radians (our design).
const MAX_OFFSET_M: f32 = 0.06;
const MAX_SWING: f32 = 0.6;

/// Additional distance in metres beyond the distance that the tests require, for rounding and for interpolation
/// between two frames.
const MARGIN_M: f32 = 0.0015;

/// Number of frames before and after a collision that are corrected, for each pass. Collisions that wide arcs do not
/// solve are solved by narrower arcs.
const SPREAD_FRAMES: [usize; 12] = [7, 7, 7, 5, 5, 5, 4, 4, 3, 3, 2, 2];

/// The correction of an arm.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Nudge {
    /// Offset of the wrist in metres in humanoid space.
    wrist: Vec3,
    /// Swing of the elbow around the line from shoulder to wrist, in radians.
    swing: f32,
}

impl Nudge {
    fn size(&self) -> f32 {
        self.wrist.length() / MAX_OFFSET_M + self.swing.abs() / MAX_SWING
    }

    fn bounded(self) -> Self {
        Self {
            wrist: self.wrist.clamp_length_max(MAX_OFFSET_M),
            swing: self.swing.clamp(-MAX_SWING, MAX_SWING),
        }
    }

    fn plus(self, other: Self, share: f32) -> Self {
        Self { wrist: self.wrist + other.wrist * share, swing: self.swing + other.swing * share }
    }
}

/// Frees both arms of a pose, for stances. The arms keep `keep_m` metres more distance than needed.
pub(crate) fn free(rig: &Rig, pose: &Pose, keep_m: f32) -> Pose {
    let nudges = solve(rig, pose, [true; 2], [Nudge::default(); 2], -MARGIN_M - keep_m);
    nudged(rig, pose, nudges)
}

/// Frees the arms in the frames of a motion. Only arms in `moves` are corrected.
pub(crate) fn free_frames(rig: &Rig, frames: &mut [Pose], moves: [bool; 2]) {
    if moves == [false; 2] || frames.len() < 3 {
        return;
    }
    let mut nudges = vec![[Nudge::default(); 2]; frames.len()];
    let mut excesses = vec![f32::INFINITY; frames.len()];
    let mut best = (f32::INFINITY, nudges.clone());
    let mut is_dirty = vec![true; frames.len()];
    for round in 0..=SPREAD_FRAMES.len() {
        let mut needs = vec![[Nudge::default(); 2]; frames.len()];
        for (i, pose) in frames.iter().enumerate() {
            if is_dirty[i] {
                let now = Bodies::new(rig, &nudged(rig, pose, nudges[i]));
                excesses[i] = now.deepest([true; 2], -0.5 * MARGIN_M).map_or(0.0, |touch| touch.excess);
            }
            if excesses[i] > 0.0 {
                let free = solve(rig, pose, moves, nudges[i], -MARGIN_M);
                needs[i] = [0, 1].map(|arm| free[arm].plus(nudges[i][arm], -1.0));
            }
        }
        let worst = excesses.iter().copied().fold(0.0, f32::max);
        if worst < best.0 {
            best = (worst, nudges.clone());
        }
        let Some(frames_around) = SPREAD_FRAMES.get(round).filter(|_| worst > 0.0) else { break };
        let more = spread(&needs, *frames_around);
        is_dirty = more.iter().map(|pair| pair.iter().any(|n| n.size() > 0.0)).collect();
        for (pair, more) in nudges.iter_mut().zip(&more) {
            *pair = [0, 1].map(|arm| pair[arm].plus(more[arm], 1.0).bounded());
        }
    }
    for (pose, pair) in frames.iter_mut().zip(best.1) {
        *pose = nudged(rig, pose, pair);
    }
}

/// Returns the largest correction around each frame, smoothed, and zero at both ends.
fn spread(needs: &[[Nudge; 2]], frames: usize) -> Vec<[Nudge; 2]> {
    let last = needs.len() - 1;
    let around = |i: usize| i.saturating_sub(frames)..(i + frames + 1).min(needs.len());
    let largest = |i: usize, arm: usize| {
        around(i).map(|j| needs[j][arm]).max_by(|a, b| a.size().total_cmp(&b.size())).unwrap_or_default()
    };
    let wide: Vec<[Nudge; 2]> = (0..needs.len()).map(|i| [0, 1].map(|arm| largest(i, arm))).collect();
    let weight = |away: usize| ease(1.0 - away as f32 / (frames + 1) as f32);
    let smooth = |i: usize, arm: usize| {
        let total: f32 = around(i).map(|j| weight(i.abs_diff(j))).sum();
        let sum = around(i).fold(Nudge::default(), |sum, j| sum.plus(wide[j][arm], weight(i.abs_diff(j))));
        let ends = ease(i.min(last - i) as f32 / 6.0);
        Nudge::default().plus(sum, ends / total)
    };
    (0..needs.len()).map(|i| [0, 1].map(|arm| smooth(i, arm))).collect()
}

/// Returns the corrections with which the arms of a pose are free, or as free as possible.
fn solve(rig: &Rig, pose: &Pose, moves: [bool; 2], from: [Nudge; 2], slack: f32) -> [Nudge; 2] {
    let mut nudges = from;
    for _ in 0..16 {
        let now = nudged(rig, pose, nudges);
        let Some(touch) = Bodies::new(rig, &now).deepest([true; 2], slack) else { break };
        let side = touch.side as usize;
        let other = touch.side.other() as usize;
        let shares = match (moves[side], touch.is_other_arm && moves[other]) {
            (true, true) => [0.5, 0.5],
            (true, false) => [1.0, 0.0],
            (false, true) => [0.0, 1.0],
            (false, false) => break,
        };
        let back = Touch { side: touch.side.other(), out: -touch.out, ..touch };
        for (arm, share, touch) in [(side, shares[0], touch), (other, shares[1], back)] {
            if share > 0.0 {
                nudges[arm] = nudges[arm].plus(correction(rig, &now, &touch), share).bounded();
            }
        }
    }
    nudges
}

/// Returns the correction of one arm for one collision. The wrist moves. If the forearm collides near the elbow, the
/// elbow also swings.
fn correction(rig: &Rig, pose: &Pose, touch: &Touch) -> Nudge {
    let model = pose.model_transforms(rig);
    let [shoulder, elbow, wrist] = [Bone::LeftUpperArm, Bone::LeftLowerArm, Bone::LeftHand]
        .map(|bone| Vec3::from(model[touch.side.of(bone).index()].translation));
    let forearm = wrist - elbow;
    let along = (touch.place - elbow).dot(forearm) / forearm.length_squared();
    let by = touch.excess + 2e-4;
    if along > 0.6 {
        return Nudge { wrist: touch.out * by, swing: 0.0 };
    }
    // Velocity of the elbow in the direction that frees the arm, while the elbow swings.
    let axis = (wrist - shoulder).normalize_or(Vec3::NEG_Y);
    let speed = axis.cross(elbow - shoulder).dot(touch.out) * (1.0 - along.max(0.0));
    let swing = if speed.abs() > 0.02 { (by / speed).clamp(-0.1, 0.1) } else { 0.0 };
    Nudge { wrist: touch.out * (by * 0.5), swing }
}

/// Returns a pose with corrected arms.
fn nudged(rig: &Rig, pose: &Pose, nudges: [Nudge; 2]) -> Pose {
    let mut now = *pose;
    for side in Side::BOTH {
        let nudge = nudges[side as usize];
        if nudge != Nudge::default() {
            nudge_arm(rig, &mut now, side, nudge);
        }
    }
    now
}

/// Moves a wrist and swings an elbow. The direction of the hand in space stays the same.
fn nudge_arm(rig: &Rig, pose: &mut Pose, side: Side, nudge: Nudge) {
    let model = pose.model_transforms(rig);
    let at = |left: Bone| model[side.of(left).index()];
    let turn = |left: Bone| side.turned(Quat::from_mat3a(&at(left).matrix3));
    let place = |left: Bone| side.placed(at(left).translation.into());
    let (shoulder, wrist) = (place(Bone::LeftUpperArm), place(Bone::LeftHand) + side.placed(nudge.wrist));
    let upper = turn(Bone::LeftUpperArm);
    let axis = (wrist - shoulder).normalize_or(Vec3::NEG_Y);
    let sense = if side == Side::Left { 1.0 } else { -1.0 };
    let swing = from_rotation_vector(axis * nudge.swing * sense);
    let bends_to = swing * upper * Vec3::Z;
    let limb = Limb::reach(shoulder, wrist, arm_lengths(rig), -bends_to);
    let new_upper = frame_of(limb.upper, limb.lower + bends_to * 1e-3);
    let bend = limb.upper.angle_between(limb.lower);
    let hinged = new_upper * Quat::from_rotation_y(-bend);
    // The forearm keeps its roll as far as possible.
    let rolled = turn(Bone::LeftLowerArm);
    let lower = frame_of(limb.lower, rolled * Vec3::Z);
    let twist = rotation_vector(hinged.inverse() * lower).x;
    let hinged = hinged * Quat::from_rotation_x(twist);
    let held = Held {
        upper: turn(Bone::LeftShoulder).inverse() * new_upper,
        bend,
        twist,
        hand: hinged.inverse() * turn(Bone::LeftHand),
    };
    debug_assert!(held_in(pose, side).bend > -0.1);
    set_arm(pose, side, &held);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::deepest;
    use crate::motion::{Arm, hold};

    #[test]
    fn a_hand_inside_the_belly_is_moved_onto_it() {
        let rig = crate::rig();
        let mut pose = Pose::neutral(&rig);
        let arm = Arm {
            wrist: Vec3::new(0.12, 1.05, 0.1),
            elbow: Vec3::new(0.8, -0.5, -0.5),
            palm: Vec3::NEG_Z,
            hand: Some(Vec3::NEG_X),
        };
        let held = hold(&rig, &pose, Side::Left, &arm);
        set_arm(&mut pose, Side::Left, &held);
        assert!(deepest(&rig, &pose).is_some_and(|touch| touch.depth > 0.01));
        let free = free(&rig, &pose, 0.0);
        assert_eq!(deepest(&rig, &free), None);
        // The hand is still close to the belly: the distance is less than 5 mm.
        assert!(Bodies::new(&rig, &free).deepest([true; 2], -0.005).is_some());
    }

    #[test]
    fn no_nudge_changes_nothing() {
        let rig = crate::rig();
        let pose = Pose::neutral(&rig);
        let mut same = pose;
        nudge_arm(&rig, &mut same, Side::Right, Nudge::default());
        for bone in Bone::ALL {
            let off = vivant::math::angle_between(pose.rotations.get(bone), same.rotations.get(bone));
            assert!(off < 2e-3, "{bone:?} by {off}");
        }
    }
}
