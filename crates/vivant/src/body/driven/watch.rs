//! Which parts of a body a tracker really sees.
//!
//! A program that sends a body sends all of it: arms that no camera sees hang down for ever, eyes that nobody
//! tracks look ahead. What was measured is never quite still, so what never moves was not measured.

use super::{BodySample, Trust};
use crate::math::angle_between;
use crate::pose::Rotations;
use crate::rig::{Bone, BoneSet};
use glam::Vec3;

/// The parts of a body that are tracked as one: a hand may hold still while its arm moves.
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

/// What has not moved for this long was not measured (our design).
pub(super) const STILL_SECS: f64 = 2.0;
/// Lids rest longer between blinks: whoever tracks them shows one in this time (our design).
pub(super) const LIDS_REST_SECS: f64 = 20.0;
/// A tenth of a degree, and a millimetre, are no movement.
const STILL_RAD: f32 = 0.0017;
const STILL_M: f32 = 0.001;
const STILL_DEG: f64 = 0.1;
/// A weight below this is nothing.
pub(super) const QUIET: f32 = 0.02;

/// Looks on at what comes in.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    /// How each bone was when it last moved.
    seen: Rotations,
    known: BoneSet,
    place: Option<Vec3>,
    looks: [Option<[f64; 2]>; 2],
    /// When each part last moved.
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
    pub(super) fn look_on(&mut self, at: f64, sample: &BodySample) {
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
        self.look_at_place(at, sample.root);
        self.look_at_eyes(at, &sample.eyes);
    }

    fn look_at_place(&mut self, at: f64, place: Option<Vec3>) {
        let Some(now) = place else { return };
        let has_moved = self.place.is_some_and(|seen| (seen - now).length() > STILL_M);
        if has_moved || self.place.is_none() {
            self.place = Some(now);
        }
        if has_moved {
            self.moved[0] = at;
        }
    }

    fn look_at_eyes(&mut self, at: f64, eyes: &[Option<[f64; 2]>; 2]) {
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

    /// The bones that are seen.
    pub(super) fn bones(&self, at: f64, trust: Trust) -> BoneSet {
        let is_seen = |moved: f64| trust == Trust::All || at - moved <= STILL_SECS;
        let seen = PARTS.into_iter().zip(self.moved).filter(|(_, moved)| is_seen(*moved));
        seen.fold(BoneSet::EMPTY, |all, (part, _)| all.union(part))
    }

    /// Whether directions of the eyes are.
    pub(super) fn eyes(&self, at: f64, trust: Trust) -> bool {
        trust == Trust::All || at - self.looked <= STILL_SECS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    #[test]
    fn what_never_moves_is_not_seen_and_a_hand_goes_with_its_arm() {
        let mut watch = Watch::default();
        let mut sample = BodySample::at(0.0);
        sample.bones = BoneSet::ALL;
        for n in 0..200 {
            let at = f64::from(n) / 60.0;
            // The left arm moves in the first second.
            let turn = Quat::from_rotation_x(0.01 * (n.min(60)) as f32);
            sample.rotations.set(Bone::LeftUpperArm, turn);
            watch.look_on(at, &sample);
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
            // A degree a second.
            sample
                .rotations
                .set(Bone::Head, Quat::from_rotation_y((f64::from(n) / 60.0).to_radians() as f32));
            watch.look_on(f64::from(n) / 60.0, &sample);
        }
        assert!(watch.bones(10.0, Trust::Moving).contains(Bone::Head));
    }

    #[test]
    fn eyes_that_look_ahead_for_ever_are_nobodys() {
        let mut watch = Watch::default();
        let mut sample = BodySample::at(0.0);
        for (n, yaw) in [(0, 0.0), (1, 0.0), (2, 0.05), (3, 3.0)] {
            sample.eyes = [Some([yaw, 0.0]), None];
            watch.look_on(f64::from(n), &sample);
            assert_eq!(watch.eyes(f64::from(n), Trust::Moving), n == 3);
        }
    }
}
