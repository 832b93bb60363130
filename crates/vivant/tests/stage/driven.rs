//! A simulated tracked person, and a performer driven by it.

use glam::{Quat, Vec3};
use vivant::body::driven::BodySample;
use vivant::math::{cos, sin};
use vivant::performer::Performer;
use vivant::rig::{Bone, BoneSet};

pub(crate) const HEAD: BoneSet = BoneSet::EMPTY.with(Bone::Neck).with(Bone::Head);
pub(crate) const EYES: BoneSet = BoneSet::EMPTY.with(Bone::LeftEye).with(Bone::RightEye);

/// Returns a tracker sample of a person who moves all the time.
pub(crate) fn sample(secs: f64, bones: BoneSet) -> BodySample {
    let mut sample = BodySample::at(secs);
    for bone in bones.iter() {
        sample.set(bone, swing(secs, bone));
    }
    sample
}

pub(crate) fn swing(secs: f64, bone: Bone) -> Quat {
    let j = bone.index() as f64;
    let axis = Vec3::new(sin(j) as f32, cos(1.7 * j) as f32, sin(2.3 * j + 1.0) as f32).normalize();
    let most = if EYES.contains(bone) { 0.2 } else { 0.5 };
    Quat::from_axis_angle(axis, (most * sin(1.3 * secs + j)) as f32)
}

/// A busy character with autonomous eyes.
pub(crate) fn living(seed: u64) -> Performer {
    let mut performer = Performer::new(super::character(), seed);
    performer.eyes().start_idle_behaviour(0.0);
    super::script_for_body(&mut performer);
    performer
}

/// A minute in which a tracker starts, stops, stalls, jumps and sends invalid values, on top of autonomous motion.
pub(crate) fn performer() -> Performer {
    let mut performer = living(5);
    let parts = [BoneSet::ALL, HEAD, BoneSet::LEFT_ARM.union(EYES), BoneSet::LEGS.union(BoneSet::SPINE)];
    for n in 0..3000 {
        let secs = 2.0 + f64::from(n) / 50.0 + 0.004 * sin(f64::from(n) * 7.7);
        if (n / 170) % 3 == 2 {
            continue;
        }
        let stalled = if (n / 400) % 3 == 1 { 10.0 } else { secs };
        let mut sent = sample(stalled, parts[n as usize / 300 % parts.len()]);
        sent.secs = secs;
        sent.root = Some(Vec3::new(0.1 * sin(stalled) as f32, 0.9, 0.0)).filter(|_| n % 2 == 0);
        sent.weights = (0..18).map(|i| (0.5 + 0.6 * sin(stalled + f64::from(i))) as f32).collect();
        if n % 211 == 0 {
            sent.rotations.set(Bone::Head, Quat::from_rotation_y(2.5));
            sent.rotations.set(Bone::LeftHand, Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0));
            sent.weights[3] = f32::INFINITY;
            sent.weights[4] = f32::NAN;
        }
        performer.drive(sent);
    }
    performer
}
