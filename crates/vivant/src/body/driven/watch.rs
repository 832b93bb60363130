//! Detects which parts of a body a tracker really measures.
//!
//! Tracking software always sends a whole body: arms that no camera sees hang down forever, untracked eyes look
//! ahead. Measured data is never quite still, so data that never changes was not measured.

use super::{BodySample, Trust};
use crate::math::angle_between;
use crate::pose::Rotations;
use crate::rig::{Bone, BoneSet};
use glam::Vec3;

/// Body parts that are tracked as a unit. An arm includes its hand, because a hand may be still while its arm moves.
const PARTS: [BoneSet; 7] = [
    BoneSet::LEGS,
    BoneSet::SPINE,
    BoneSet::HEAD.minus(EYES).minus(JAW),
    EYES,
    JAW,
    BoneSet::LEFT_ARM,
    BoneSet::RIGHT_ARM,
];

const JAW: BoneSet = BoneSet::EMPTY.with(Bone::Jaw);
pub(super) const EYES: BoneSet = BoneSet::EMPTY.with(Bone::LeftEye).with(Bone::RightEye);

/// Seconds without change after which a part counts as not measured (our design).
pub(super) const STILL_SECS: f64 = 2.0;
/// Seconds without change after which lids count as not measured. Lids rest longer between blinks: a lid tracker shows
/// at least one blink in this time (our design).
pub(super) const LIDS_STILL_SECS: f64 = 20.0;
/// Maximum rotation that does not count as motion, in radians: 0.1°.
const STILL_RAD: f32 = 0.0017;
/// Maximum movement of the hips that does not count as motion, in metres.
const STILL_M: f32 = 0.001;
const STILL_DEG: f64 = 0.1;
/// Weights below this count as zero.
pub(super) const MIN_WEIGHT: f32 = 0.02;

/// Detects which parts move in the samples.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    /// Rotation of each bone when it last moved.
    seen: Rotations,
    known: BoneSet,
    place: Option<Vec3>,
    looks: [Option<[f64; 2]>; 2],
    /// Time in seconds at which each part last moved.
    moved: [f64; PARTS.len()],
    looked: f64,
}

impl Default for Watch {
    fn default() -> Self {
        Self {
            seen: Rotations::IDENTITY,
            known: BoneSet::EMPTY,
            place: None,
            looks: [None; 2],
            moved: [f64::NEG_INFINITY; PARTS.len()],
            looked: f64::NEG_INFINITY,
        }
    }
}

impl Watch {
    pub(super) fn observe(&mut self, at: f64, sample: &BodySample) {
        for (part, moved) in PARTS.into_iter().zip(&mut self.moved) {
            for bone in part.intersection(sample.bones).iter() {
                let now = sample.rotations.get(bone);
                let is_new = !self.known.contains(bone);
                if is_new || angle_between(self.seen.get(bone), now) > STILL_RAD {
                    self.seen.set(bone, now);
                    *moved = if is_new { *moved } else { at };
                }
            }
        }
        self.known = self.known.union(sample.bones);
        self.observe_root(at, sample.root);
        self.observe_eyes(at, &sample.eyes);
    }

    fn observe_root(&mut self, at: f64, place: Option<Vec3>) {
        let Some(now) = place else { return };
        let has_moved = self.place.is_some_and(|seen| (seen - now).length() > STILL_M);
        if has_moved || self.place.is_none() {
            self.place = Some(now);
        }
        if has_moved {
            self.moved[0] = at;
        }
    }

    fn observe_eyes(&mut self, at: f64, eyes: &[Option<[f64; 2]>; 2]) {
        for (seen, now) in self.looks.iter_mut().zip(eyes) {
            let Some(now) = now else { continue };
            let apart = |seen: [f64; 2]| (seen[0] - now[0]).abs().max((seen[1] - now[1]).abs());
            match seen {
                Some(was) if apart(*was) <= STILL_DEG => {}
                Some(_) => (*seen, self.looked) = (Some(*now), at),
                None => *seen = Some(*now),
            }
        }
    }

    /// Bones that count as tracked at `at`.
    pub(super) fn bones(&self, at: f64, trust: Trust) -> BoneSet {
        let is_seen = |moved: f64| trust == Trust::All || at - moved <= STILL_SECS;
        let seen = PARTS.into_iter().zip(self.moved).filter(|(_, moved)| is_seen(*moved));
        seen.fold(BoneSet::EMPTY, |all, (part, _)| all.union(part))
    }

    /// Returns true if gaze directions count as tracked at `at`.
    pub(super) fn eyes(&self, at: f64, trust: Trust) -> bool {
        trust == Trust::All || at - self.looked <= STILL_SECS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    #[test]
    fn still_parts_are_not_tracked_and_a_hand_belongs_to_its_arm() {
        let mut watch = Watch::default();
        let mut sample = BodySample::at(0.0);
        sample.bones = BoneSet::ALL;
        for n in 0..200 {
            let at = f64::from(n) / 60.0;
            // The left arm moves in the first second.
            let turn = Quat::from_rotation_x(0.01 * (n.min(60)) as f32);
            sample.rotations.set(Bone::LeftUpperArm, turn);
            watch.observe(at, &sample);
            let seen = watch.bones(at, Trust::Moving);
            let expected = if (1..=60 + 120).contains(&n) { BoneSet::LEFT_ARM } else { BoneSet::EMPTY };
            assert_eq!(seen, expected, "sample {n}");
        }
        assert_eq!(watch.bones(0.0, Trust::All), BoneSet::ALL);
    }

    #[test]
    fn slow_movements_add_up() {
        let mut watch = Watch::default();
        let mut sample = BodySample::at(0.0);
        sample.bones = BoneSet::EMPTY.with(Bone::Head);
        for n in 0..600 {
            // One degree per second.
            sample
                .rotations
                .set(Bone::Head, Quat::from_rotation_y((f64::from(n) / 60.0).to_radians() as f32));
            watch.observe(f64::from(n) / 60.0, &sample);
        }
        assert!(watch.bones(10.0, Trust::Moving).contains(Bone::Head));
    }

    #[test]
    fn eyes_that_never_move_are_not_tracked() {
        let mut watch = Watch::default();
        let mut sample = BodySample::at(0.0);
        for (n, yaw) in [(0, 0.0), (1, 0.0), (2, 0.05), (3, 3.0)] {
            sample.eyes = [Some([yaw, 0.0]), None];
            watch.observe(f64::from(n), &sample);
            assert_eq!(watch.eyes(f64::from(n), Trust::Moving), n == 3);
        }
    }
}
