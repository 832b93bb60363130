//! A body driven from outside: by motion capture, a headset, a webcam or another program.
//!
//! A tracker sends samples at its own rate, with gaps, and rarely of the whole body. Tracked body parts show the
//! tracker's data. All other parts are animated by the performer. If the tracker sends no data for a part, the
//! performer animates that part again. A user whose tracker covers only head and arms still gets eyes, lids, breathing
//! and legs, without any configuration.
//!
//! ```
//! use glam::Quat;
//! use vivant::body::driven::BodySample;
//! use vivant::rig::{Bone, BoneSet};
//! # use vivant::{body::library::Library, performer::Performer, pose::Pose, rig::{Rig, RigParts}};
//! # let rig = Rig::new(RigParts { rest_positions: vec![(Bone::Hips, glam::Vec3::Y), (Bone::Head, glam::Vec3::Y * 1.5)], ..RigParts::default() });
//! # let base = Pose::neutral(&rig);
//! # let mut performer = Performer::new(Library::new(rig, base, &[]), 7);
//! for n in 0..60 {
//!     let mut sample = BodySample::at(f64::from(n) / 30.0);
//!     sample.set(Bone::Head, Quat::from_rotation_y(0.02 * n as f32));
//!     performer.drive(sample);
//! }
//! let frame = performer.advance_to(2.0);
//! assert!(frame.rotation(Bone::Head).y > 0.5, "it looks to its left");
//! assert_eq!(performer.driven(), BoneSet::EMPTY.with(Bone::Head));
//! ```
//!
//! **Latency.** The body reaches the pose of a sample within the interval to the next sample. There is no other
//! latency.
//!
//! **Which data is used.** A body part that stays still for 2 s counts as not tracked ([`Trust::Moving`]).
//! Expressions that are zero for 2 s are ignored, and lids that did not close for 20 s are animated again. To use all
//! data as sent, set [`Trust::All`].
//!
//! **No jumps.** A newly tracked part takes at least 0.5 s to reach the tracked pose. A part without data for 1 s takes
//! at least 0.8 s to return to the performer's own motion. If the tracked pose of a bone jumps, the bone takes 0.3 s to
//! reach the new pose, or longer if it would otherwise move faster than a brisk gesture. Expressions are about twice as
//! fast. All fades start at the current speed.

mod follow;
mod watch;

use crate::eyes::driven::clock::Clock;
use crate::frame::Frame;
use crate::pose::Rotations;
use crate::rig::{Bone, BoneSet, Rig};
use follow::{Follow, Moving};
use glam::{Quat, Vec3};
use watch::{EYES, LIDS_STILL_SECS, MIN_WEIGHT, STILL_SECS, Watch};

/// A tracker's sample of a body at one instant, in humanoid space.
#[derive(Clone, Debug, PartialEq)]
pub struct BodySample {
    /// Time in seconds of the performance; a time in the past means now.
    pub secs: f64,
    /// Bones with data in this sample. Other bones are unchanged.
    pub bones: BoneSet,
    /// Rotations of the bones relative to their parents.
    pub rotations: Rotations,
    /// Position of the hips in metres.
    pub root: Option<Vec3>,
    /// Weights of expressions from 0 to 1, in the order of [`Rig::channels`]; NaN where there is no data. May be
    /// shorter than the list of channels.
    pub weights: Vec<f32>,
    /// Gaze of the left and the right eye relative to the head, if it is not given by the eye bones: yaw and pitch in
    /// degrees, positive to the left and up.
    pub eyes: [Option<[f64; 2]>; 2],
}

impl BodySample {
    /// Creates a sample without data for the time `secs`.
    #[must_use]
    pub fn at(secs: f64) -> Self {
        Self {
            secs,
            bones: BoneSet::EMPTY,
            rotations: Rotations::IDENTITY,
            root: None,
            weights: Vec::new(),
            eyes: [None; 2],
        }
    }

    /// Sets the rotation of a bone, normalized. Rotations with a length below 0.5 or from 2 on are ignored.
    pub fn set(&mut self, bone: Bone, rotation: Quat) {
        let length = rotation.length();
        if (0.5..2.0).contains(&length) {
            self.rotations.set(bone, rotation * (1.0 / length));
            self.bones.insert(bone);
        }
    }

    /// Removes invalid values, and values for bones and channels that the avatar lacks. Clamps weights to 0–1.
    pub(crate) fn sanitize(&mut self, rig: &Rig) {
        const MAX_DISTANCE_M: f32 = 1000.0;
        for bone in self.bones.iter() {
            let rotation = self.rotations.get(bone);
            self.bones.remove(bone);
            self.set(bone, rotation);
        }
        self.bones = self.bones.intersection(rig.bones());
        let is_near = |place: &Vec3| place.to_array().iter().all(|metres| metres.abs() <= MAX_DISTANCE_M);
        self.root = self.root.filter(is_near);
        self.weights.truncate(rig.channels().len());
        for weight in &mut self.weights {
            // NaN stays NaN.
            *weight = weight.clamp(0.0, 1.0);
        }
        self.eyes = self.eyes.map(|eye| eye.filter(|angles| angles.iter().all(|angle| angle.abs() <= 180.0)));
    }
}

/// Selects which data of a tracker is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// Only data that changes from time to time, because many trackers send constant values for parts that they do
    /// not measure.
    #[default]
    Moving,
    /// All data.
    All,
}

/// Seconds without data after which the performer animates a part again; the same as for eyes.
const MAX_SILENCE_SECS: f64 = 1.0;

/// Names of lid expressions.
const LIDS: [&str; 5] = ["blink", "blinkLeft", "blinkRight", "eyeBlinkLeft", "eyeBlinkRight"];

/// The performer's own motion at an instant, and shortly before, from which its speed is computed.
#[derive(Clone, Debug)]
pub(crate) struct OwnMotion {
    rotations: [Rotations; 2],
    root: [Vec3; 2],
    weights: [Vec<f32>; 2],
}

impl OwnMotion {
    pub(crate) fn new(channels: usize) -> Self {
        let weights = || vec![0.0; channels];
        Self { rotations: [Rotations::IDENTITY; 2], root: [Vec3::ZERO; 2], weights: [weights(), weights()] }
    }

    /// Stores a frame: index 0 is the earlier time, index 1 is the current time.
    pub(crate) fn keep(&mut self, which: usize, frame: &Frame) {
        self.rotations[which] = frame.rotations;
        self.root[which] = frame.root;
        self.weights[which].copy_from_slice(frame.weights());
    }

    fn bone(&self, bone: Bone) -> Moving<Quat> {
        let [before, now] = [0, 1].map(|i| self.rotations[i].get(bone));
        Moving::since(before, now)
    }

    fn place(&self) -> Moving<Vec3> {
        Moving::since(self.root[0], self.root[1])
    }

    fn weight(&self, channel: usize) -> Moving<f32> {
        Moving::since(self.weights[0][channel], self.weights[1][channel])
    }
}

/// State of a body that a tracker may drive.
#[derive(Clone, Debug)]
pub(crate) struct Driven {
    pub(crate) trust: Trust,
    clock: Clock,
    /// Bones received in the current frame of the tracker. A frame may arrive in several samples.
    round: BoneSet,
    watch: Watch,
    bones: [Follow<Quat>; Bone::COUNT],
    root: Follow<Vec3>,
    weights: Vec<Channel>,
    /// Share of the lid motion that comes from the tracker, from 0 to 1.
    lids: Follow<f32>,
    /// Time in seconds at which the next tracked part is released if it gets no more data; infinite if none is
    /// tracked.
    next_release: f64,
}

#[derive(Clone, Copy, Debug)]
struct Channel {
    follow: Follow<f32>,
    /// Time in seconds at which the weight was last above zero.
    last_nonzero: f64,
    /// Maximum time in seconds for which the weight may stay at zero before it is ignored.
    max_zero_secs: f64,
}

impl Channel {
    fn is_used(&self, at: f64, trust: Trust, weight: f32) -> bool {
        !weight.is_nan() && (trust == Trust::All || at - self.last_nonzero <= self.max_zero_secs)
    }
}

impl Driven {
    pub(crate) fn new(rig: &Rig) -> Self {
        let channel = |name: &str| Channel {
            follow: Follow::new(0.0),
            last_nonzero: f64::NEG_INFINITY,
            max_zero_secs: if LIDS.contains(&name) { LIDS_STILL_SECS } else { STILL_SECS },
        };
        Self {
            trust: Trust::default(),
            clock: Clock::default(),
            round: BoneSet::EMPTY,
            watch: Watch::default(),
            bones: [Follow::new(Quat::IDENTITY); Bone::COUNT],
            root: Follow::new(Vec3::ZERO),
            weights: rig.channels().iter().map(|each| channel(each.name())).collect(),
            lids: Follow::new(0.0),
            next_release: f64::INFINITY,
        }
    }

    /// Time in seconds at which the next part must be released; infinite if there is none.
    pub(crate) fn next_release(&self) -> f64 {
        self.next_release
    }

    /// Bones that the tracker drives.
    pub(crate) fn driven_bones(&self) -> BoneSet {
        Bone::ALL.into_iter().filter(|bone| self.bones[bone.index()].is_driven()).collect()
    }

    /// Examines a sample. Returns true if the tracker starts to drive a part with this sample. In that case
    /// [`take`](Self::take) needs the performer's own motion.
    pub(crate) fn observe(&mut self, at: f64, sample: &BodySample) -> bool {
        self.tick(at, sample.bones);
        self.watch.observe(at, sample);
        for (channel, weight) in self.weights.iter_mut().zip(&sample.weights) {
            channel.last_nonzero = if *weight > MIN_WEIGHT { at } else { channel.last_nonzero };
        }
        let bones = self.tracked(at).intersection(sample.bones);
        let is_new = |bone: Bone| !self.bones[bone.index()].is_driven();
        let is_new_channel = |(channel, weight): (&Channel, &f32)| {
            channel.is_used(at, self.trust, *weight) && !channel.follow.is_driven()
        };
        bones.iter().any(is_new)
            || sample.root.is_some() && !self.root.is_driven()
            || self.weights.iter().zip(&sample.weights).any(is_new_channel)
    }

    /// Ticks the clock at the first sample of each frame of the tracker. A frame may arrive in several samples; a
    /// sample that repeats a bone starts the next frame.
    fn tick(&mut self, at: f64, bones: BoneSet) {
        if self.round.is_empty() || !self.round.intersection(bones).is_empty() {
            self.clock.tick(at);
            self.round = bones;
        } else {
            self.round = self.round.union(bones);
        }
    }

    fn tracked(&self, at: f64) -> BoneSet {
        self.watch.bones(at, self.trust)
    }

    /// Applies a sample that was examined by [`observe`](Self::observe). Returns its valid eye data.
    pub(crate) fn take(&mut self, at: f64, sample: &BodySample, own: &OwnMotion) -> TrackedEyes {
        let (period, tracked) = (self.clock.period_secs(), self.tracked(at));
        let bones = tracked.intersection(sample.bones);
        for bone in bones.iter() {
            let to = sample.rotations.get(bone);
            self.bones[bone.index()].take(at, to, period, || own.bone(bone));
        }
        if let Some(place) = sample.root.filter(|_| tracked.contains(Bone::Hips)) {
            self.root.take(at, place, period, || own.place());
        }
        self.take_weights(at, &sample.weights, period, own);
        self.update_next_release();
        let tells = self.watch.eyes(at, self.trust);
        TrackedEyes {
            eye_bones: bones.intersection(EYES),
            eyes: sample.eyes.map(|eye| eye.filter(|_| tells)),
        }
    }

    fn take_weights(&mut self, at: f64, sent: &[f32], period: f64, own: &OwnMotion) {
        let mut has_lids = false;
        for (index, (channel, weight)) in self.weights.iter_mut().zip(sent).enumerate() {
            if channel.is_used(at, self.trust, *weight) {
                channel.follow.take(at, *weight, period, || own.weight(index));
                has_lids |= channel.max_zero_secs == LIDS_STILL_SECS;
            }
        }
        if has_lids {
            self.lids.take(at, 1.0, period, || Moving::since(0.0, 0.0));
        }
    }

    /// Releases parts that have been without data for too long.
    pub(crate) fn release_silent(&mut self, at: f64, own: &OwnMotion) {
        let is_quiet = |last_sample_at: Option<f64>| {
            last_sample_at.is_some_and(|last_sample_at| last_sample_at + MAX_SILENCE_SECS <= at)
        };
        for bone in Bone::ALL {
            let follow = &mut self.bones[bone.index()];
            if is_quiet(follow.last_sample_at()) {
                follow.release(at, &own.bone(bone));
            }
        }
        if is_quiet(self.root.last_sample_at()) {
            self.root.release(at, &own.place());
        }
        for (index, channel) in self.weights.iter_mut().enumerate() {
            if is_quiet(channel.follow.last_sample_at()) {
                channel.follow.release(at, &own.weight(index));
            }
        }
        if is_quiet(self.lids.last_sample_at()) {
            self.lids.release(at, &Moving::since(0.0, 0.0));
        }
        self.update_next_release();
    }

    fn update_next_release(&mut self) {
        let bones = self.bones.iter().filter_map(Follow::last_sample_at);
        let weights = self.weights.iter().filter_map(|channel| channel.follow.last_sample_at());
        let others = [self.root.last_sample_at(), self.lids.last_sample_at()];
        let last_sample_at = bones.chain(weights).chain(others.into_iter().flatten());
        self.next_release = last_sample_at.fold(f64::INFINITY, f64::min) + MAX_SILENCE_SECS;
    }

    /// Shows tracked parts over the performer's own motion.
    pub(crate) fn show(&self, t: f64, rotations: &mut Rotations, root: &mut Vec3, weights: &mut [f32]) {
        for bone in Bone::ALL {
            if let Some(shown) = self.bones[bone.index()].shown(t, rotations.get(bone)) {
                rotations.set(bone, shown);
            }
        }
        if let Some(shown) = self.root.shown(t, *root) {
            *root = shown;
        }
        for (weight, channel) in weights.iter_mut().zip(&self.weights) {
            if let Some(shown) = channel.follow.shown(t, *weight) {
                *weight = shown.clamp(0.0, 1.0);
            }
        }
    }

    /// Share of the lid motion that comes from the tracker, from 0 to 1.
    pub(crate) fn lid_share(&self, t: f64) -> f64 {
        self.lids.shown(t, 0.0).map_or(0.0, |share| f64::from(share.clamp(0.0, 1.0)))
    }
}

/// Valid eye data of a sample.
pub(crate) struct TrackedEyes {
    /// Eye bones with data.
    pub(crate) eye_bones: BoneSet,
    /// Gaze of each eye relative to the head, as yaw and pitch in degrees, if it is not given by the eye bones.
    pub(crate) eyes: [Option<[f64; 2]>; 2],
}
