//! Motion driven by samples of a tracker.
//!
//! A tracker often covers only part of a character, sends samples ahead of time, and falls silent without notice.
//! [`Performer::drive`] queues each sample until its time. Tracked bones are shown over the performer's own motion,
//! which continues below and is sampled at changes, so that it can take over again without a jump. The eyes may not
//! turn a head or torso that the tracker drives. [`Performer::set_trust`] selects the data that is used, and
//! [`Performer::driven`] returns the bones that are driven now.

use crate::agenda::Agenda;
use crate::body::driven::{BodySample, Driven, OwnMotion, Trust};
use crate::body::layers::VELOCITY_STEP;
use crate::eyes::Eyes;
use crate::eyes::driven::EyeSample;
use crate::eyes::driven::clock::Clock;
use crate::performer::{Face, Performer};
use crate::rig::{Bone, BoneSet, Rig};

/// Tracker samples that are still to come, and the state of tracked motion.
#[derive(Clone, Debug)]
pub(super) struct Driving {
    samples: Agenda<BodySample>,
    driven: Driven,
    /// Buffer for the motion that the performer generates itself.
    own: OwnMotion,
}

impl Driving {
    fn new(rig: &Rig) -> Self {
        let own = OwnMotion::new(rig.channels().len());
        Self { samples: Agenda::default(), driven: Driven::new(rig), own }
    }

    pub(super) fn next_event(&self) -> f64 {
        self.samples.next_at().min(self.driven.next_release())
    }

    pub(super) fn lid_share(&self, t: f64) -> f64 {
        self.driven.lid_share(t)
    }

    /// Stops the eyes from turning a head or torso that a tracker drives.
    pub(super) fn restrict_eyes(&self, at: f64, eyes: &mut Eyes) {
        let driven = self.driven.driven_bones();
        let leads = |bones: BoneSet| !driven.intersection(bones).is_empty();
        eyes.set_external_control(at, leads(HEAD), leads(BoneSet::SPINE.with(Bone::Hips)));
    }
}

const HEAD: BoneSet = BoneSet::EMPTY.with(Bone::Neck).with(Bone::Head);

impl Performer {
    /// Adds a sample of a tracker, with body pose and expressions: see [`driven`](crate::body::driven). Non-finite
    /// values are ignored. If [`eyes`](Performer::eyes) was called, the eyes follow the sample. Eyes without data in
    /// the sample are animated by the performer.
    pub fn drive(&mut self, mut sample: BodySample) {
        // Before the first frame no sample is too early, but times too large for exact arithmetic are ignored.
        if sample.secs.is_nan() || sample.secs.abs() > Clock::MAX_TIME_SECS {
            return;
        }
        sample.sanitize(self.library.rig());
        sample.secs = sample.secs.max(self.time);
        self.driving().samples.insert(sample.secs, sample);
    }

    /// Sets which data of a tracker is used, from now on.
    pub fn set_trust(&mut self, trust: Trust) {
        self.driving().driven.trust = trust;
    }

    /// Bones that a tracker currently drives.
    #[must_use]
    pub fn driven(&self) -> BoneSet {
        self.driving.as_ref().map_or(BoneSet::EMPTY, |driving| driving.driven.driven_bones())
    }

    fn driving(&mut self) -> &mut Driving {
        let rig = self.library.rig();
        self.driving.get_or_insert_with(|| Box::new(Driving::new(rig)))
    }

    /// Shows tracked motion over the performer's own motion.
    pub(super) fn show_driven(&mut self, t: f64) {
        if let Some(driving) = &self.driving {
            let frame = &mut self.frame;
            driving.driven.show(t, &mut frame.rotations, &mut frame.root, &mut frame.weights);
        }
    }

    pub(super) fn handle_driving(&mut self, at: f64) {
        // Taken out of `self`, because sampling the performer's own motion borrows `self`.
        let Some(mut driving) = self.driving.take() else { return };
        let driven = driving.driven.driven_bones();
        match driving.samples.pop_due(at) {
            Some((_, sample)) => self.take_sample(at, &sample, &mut driving),
            None => {
                self.sample_own_motion(at, &mut driving.own);
                driving.driven.release_silent(at, &driving.own);
            }
        }
        if let Some(face) = self.face.as_deref_mut().filter(|_| driving.driven.driven_bones() != driven) {
            driving.restrict_eyes(at, &mut face.eyes);
        }
        self.driving = Some(driving);
    }

    fn take_sample(&mut self, at: f64, sample: &BodySample, driving: &mut Driving) {
        if driving.driven.observe(at, sample) {
            self.sample_own_motion(at, &mut driving.own);
        }
        let tracked = driving.driven.take(at, sample, &driving.own);
        let rig = &self.library.parts().eyes;
        let Some(Face { eyes, .. }) = self.face.as_deref_mut() else { return };
        let by_bones = [(0, Bone::LeftEye), (1, Bone::RightEye)].map(|(eye, bone)| {
            tracked.eye_bones.contains(bone).then(|| rig.gaze_of(eye, sample.rotations.get(bone)))
        });
        let [left, right] = if by_bones == [None; 2] { tracked.eyes } else { by_bones };
        if left.is_some() || right.is_some() {
            eyes.drive(EyeSample { left, right, ..EyeSample::at(at) });
        }
    }

    /// Samples the performer's own motion, now and shortly before.
    fn sample_own_motion(&mut self, at: f64, own: &mut OwnMotion) {
        for (which, t) in [at - VELOCITY_STEP, at].into_iter().enumerate() {
            self.compose(t);
            self.show_mouth(t);
            own.keep(which, &self.frame);
        }
    }
}
