//! A body that is driven from outside: by motion capture, a headset, a webcam, another program.
//!
//! A tracker tells what it sees, at its own rate, with gaps, and seldom all of a body. What it sees is shown;
//! all else goes on living under it, and takes over where the tracker falls silent. So someone whose tracker
//! knows head and arms gets eyes, lids, breath and legs as well, and nobody has to say which.
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
//! **How late.** A sample is reached within the time until the next one, which is all the latency there is.
//!
//! **What is believed.** A part of the body that stands still for 2 s is one that the tracker does not see
//! ([`Trust::Moving`]); expressions that are zero for 2 s are none, and lids that did not close for 20 s are the
//! character's own again. Where all is meant that is told, there is [`Trust::All`].
//!
//! **Nothing jumps.** What begins to be driven takes at least 0.5 s to get there, what was not heard of for a
//! second takes at least 0.8 s back, and a bone that is suddenly somewhere else 0.3 s, or as long as a brisk
//! gesture would; expressions are about twice as fast. All fades begin at the speed that there is.

mod follow;
mod watch;

use crate::eyes::driven::clock::Clock;
use crate::frame::Frame;
use crate::pose::Rotations;
use crate::rig::{Bone, BoneSet, Rig};
use follow::{Follow, Moving};
use glam::{Quat, Vec3};
use watch::{EYES, LIDS_REST_SECS, QUIET, STILL_SECS, Watch};

/// What a tracker saw of a body at an instant, in humanoid space.
#[derive(Clone, Debug, PartialEq)]
pub struct BodySample {
    /// When, in seconds of the performance; a time that has passed means now.
    pub secs: f64,
    /// The bones that it tells of. Of others there is no news.
    pub bones: BoneSet,
    /// Their rotations in their parents' frames.
    pub rotations: Rotations,
    /// Where the hips are, in metres.
    pub root: Option<Vec3>,
    /// Weights of expressions, in the order of [`Rig::channels`]; no number where nothing is told. May be
    /// shorter than they are.
    pub weights: Vec<f32>,
    /// Where the left and the right eye look in the head, where that is told otherwise than by their bones: yaw
    /// and pitch in degrees, to the left and up.
    pub eyes: [Option<[f64; 2]>; 2],
}

impl BodySample {
    /// A sample that says nothing, to be filled in.
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

    /// Tells of a bone. A rotation that is none is ignored.
    pub fn set(&mut self, bone: Bone, rotation: Quat) {
        let length = rotation.length();
        if (0.5..2.0).contains(&length) {
            self.rotations.set(bone, rotation * (1.0 / length));
            self.bones.insert(bone);
        }
    }

    /// Leaves out what is no number, out of range, or not the avatar's.
    pub(crate) fn made_sound(&mut self, rig: &Rig) {
        const FARTHEST_M: f32 = 1000.0;
        for bone in self.bones.iter() {
            let rotation = self.rotations.get(bone);
            self.bones.remove(bone);
            self.set(bone, rotation);
        }
        self.bones = self.bones.intersection(rig.bones());
        let is_near = |place: &Vec3| place.to_array().iter().all(|metres| metres.abs() <= FARTHEST_M);
        self.root = self.root.filter(is_near);
        self.weights.truncate(rig.channels().len());
        for weight in &mut self.weights {
            // What is no number stays none.
            *weight = weight.clamp(0.0, 1.0);
        }
        self.eyes = self.eyes.map(|eye| eye.filter(|angles| angles.iter().all(|angle| angle.abs() <= 180.0)));
    }
}

/// What of a tracker's samples is believed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// What moves now and then.
    #[default]
    Moving,
    /// All of it.
    All,
}

/// What was not heard of for this long is left alone: as long as eyes are.
const SILENCE_SECS: f64 = 1.0;

/// Names of expressions that are lids.
const LIDS: [&str; 5] = ["blink", "blinkLeft", "blinkRight", "eyeBlinkLeft", "eyeBlinkRight"];

/// What a body would do by itself, at an instant and a moment before.
#[derive(Clone, Debug)]
pub(crate) struct Own {
    rotations: [Rotations; 2],
    root: [Vec3; 2],
    weights: [Vec<f32>; 2],
}

impl Own {
    pub(crate) fn new(channels: usize) -> Self {
        let weights = || vec![0.0; channels];
        Self { rotations: [Rotations::IDENTITY; 2], root: [Vec3::ZERO; 2], weights: [weights(), weights()] }
    }

    /// Keeps a frame: 0 is the moment before, 1 the instant.
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

/// A body that may be driven.
#[derive(Clone, Debug)]
pub(crate) struct Driven {
    pub(crate) trust: Trust,
    clock: Clock,
    /// The bones that came since the clock last ticked: a frame may come in parts.
    round: BoneSet,
    watch: Watch,
    bones: [Follow<Quat>; Bone::COUNT],
    root: Follow<Vec3>,
    weights: Vec<Channel>,
    /// How much of the lids is the tracker's.
    lids: Follow<f32>,
    /// When something that is led will not have been heard of for too long.
    next_quiet: f64,
}

#[derive(Clone, Copy, Debug)]
struct Channel {
    follow: Follow<f32>,
    /// When it was last more than nothing, and for how long it may be nothing.
    loud: f64,
    rests_secs: f64,
}

impl Channel {
    fn is_believed(&self, at: f64, trust: Trust, weight: f32) -> bool {
        !weight.is_nan() && (trust == Trust::All || at - self.loud <= self.rests_secs)
    }
}

impl Driven {
    pub(crate) fn new(rig: &Rig) -> Self {
        let channel = |name: &str| Channel {
            follow: Follow::new(0.0),
            loud: f64::NEG_INFINITY,
            rests_secs: if LIDS.contains(&name) { LIDS_REST_SECS } else { STILL_SECS },
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
            next_quiet: f64::INFINITY,
        }
    }

    /// When something has to be left alone.
    pub(crate) fn next_quiet(&self) -> f64 {
        self.next_quiet
    }

    /// The bones that are led.
    pub(crate) fn led(&self) -> BoneSet {
        Bone::ALL.into_iter().filter(|bone| self.bones[bone.index()].is_led()).collect()
    }

    /// Looks at a sample, and says whether something begins to be led with it: then what the body does by itself
    /// has to be known to [take](Self::take) it.
    pub(crate) fn look_on(&mut self, at: f64, sample: &BodySample) -> bool {
        self.tick(at, sample.bones);
        self.watch.look_on(at, sample);
        for (channel, weight) in self.weights.iter_mut().zip(&sample.weights) {
            channel.loud = if *weight > QUIET { at } else { channel.loud };
        }
        let bones = self.believed(at).intersection(sample.bones);
        let is_new = |bone: Bone| !self.bones[bone.index()].is_led();
        let is_loud = |(channel, weight): (&Channel, &f32)| {
            channel.is_believed(at, self.trust, *weight) && !channel.follow.is_led()
        };
        bones.iter().any(is_new)
            || sample.root.is_some() && !self.root.is_led()
            || self.weights.iter().zip(&sample.weights).any(is_loud)
    }

    /// A frame may come in parts, each a sample: one that tells of a bone anew begins the next.
    fn tick(&mut self, at: f64, bones: BoneSet) {
        if self.round.is_empty() || !self.round.intersection(bones).is_empty() {
            self.clock.tick(at);
            self.round = bones;
        } else {
            self.round = self.round.union(bones);
        }
    }

    fn believed(&self, at: f64) -> BoneSet {
        self.watch.bones(at, self.trust)
    }

    /// Takes a sample that was looked at, and gives what of it is believed of the eyes.
    pub(crate) fn take(&mut self, at: f64, sample: &BodySample, own: &Own) -> Believed {
        let (period, believed) = (self.clock.period_secs(), self.believed(at));
        let bones = believed.intersection(sample.bones);
        for bone in bones.iter() {
            let to = sample.rotations.get(bone);
            self.bones[bone.index()].take(at, to, period, || own.bone(bone));
        }
        if let Some(place) = sample.root.filter(|_| believed.contains(Bone::Hips)) {
            self.root.take(at, place, period, || own.place());
        }
        self.take_weights(at, &sample.weights, period, own);
        self.look_for_quiet();
        let tells = self.watch.eyes(at, self.trust);
        Believed { eye_bones: bones.intersection(EYES), eyes: sample.eyes.map(|eye| eye.filter(|_| tells)) }
    }

    fn take_weights(&mut self, at: f64, told: &[f32], period: f64, own: &Own) {
        let mut are_lids_told = false;
        for (index, (channel, weight)) in self.weights.iter_mut().zip(told).enumerate() {
            if channel.is_believed(at, self.trust, *weight) {
                channel.follow.take(at, *weight, period, || own.weight(index));
                are_lids_told |= channel.rests_secs == LIDS_REST_SECS;
            }
        }
        if are_lids_told {
            self.lids.take(at, 1.0, period, || Moving::since(0.0, 0.0));
        }
    }

    /// Leaves alone what was not heard of for too long.
    pub(crate) fn leave_alone(&mut self, at: f64, own: &Own) {
        let is_quiet = |heard: Option<f64>| heard.is_some_and(|heard| heard + SILENCE_SECS <= at);
        for bone in Bone::ALL {
            let follow = &mut self.bones[bone.index()];
            if is_quiet(follow.heard()) {
                follow.release(at, &own.bone(bone));
            }
        }
        if is_quiet(self.root.heard()) {
            self.root.release(at, &own.place());
        }
        for (index, channel) in self.weights.iter_mut().enumerate() {
            if is_quiet(channel.follow.heard()) {
                channel.follow.release(at, &own.weight(index));
            }
        }
        if is_quiet(self.lids.heard()) {
            self.lids.release(at, &Moving::since(0.0, 0.0));
        }
        self.look_for_quiet();
    }

    fn look_for_quiet(&mut self) {
        let bones = self.bones.iter().filter_map(Follow::heard);
        let weights = self.weights.iter().filter_map(|channel| channel.follow.heard());
        let others = [self.root.heard(), self.lids.heard()];
        let heard = bones.chain(weights).chain(others.into_iter().flatten());
        self.next_quiet = heard.fold(f64::INFINITY, f64::min) + SILENCE_SECS;
    }

    /// Shows what is led, over what the body would do by itself.
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

    /// How much of the lids is the tracker's, from 0 to 1.
    pub(crate) fn share_of_lids(&self, t: f64) -> f64 {
        self.lids.shown(t, 0.0).map_or(0.0, |share| f64::from(share.clamp(0.0, 1.0)))
    }
}

/// What of a sample is believed of the eyes.
pub(crate) struct Believed {
    /// The eye bones that it tells of.
    pub(crate) eye_bones: BoneSet,
    /// Where each eye looks, where that is told otherwise.
    pub(crate) eyes: [Option<[f64; 2]>; 2],
}
