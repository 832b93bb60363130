//! Who is driven from outside: samples of a tracker, and what goes with them.

use crate::agenda::Agenda;
use crate::body::driven::{BodySample, Driven, Own, Trust};
use crate::body::layers::VELOCITY_STEP;
use crate::eyes::Eyes;
use crate::eyes::driven::EyeSample;
use crate::eyes::driven::clock::Clock;
use crate::performer::{Face, Performer};
use crate::rig::{Bone, BoneSet, Rig};

/// What is still to be taken of a tracker, and what was.
#[derive(Clone, Debug)]
pub(super) struct Driving {
    samples: Agenda<BodySample>,
    driven: Driven,
    /// Room for what the body would do by itself.
    own: Own,
}

impl Driving {
    fn new(rig: &Rig) -> Self {
        let own = Own::new(rig.channels().len());
        Self { samples: Agenda::default(), driven: Driven::new(rig), own }
    }

    pub(super) fn next_event(&self) -> f64 {
        self.samples.next_at().min(self.driven.next_quiet())
    }

    pub(super) fn share_of_lids(&self, t: f64) -> f64 {
        self.driven.share_of_lids(t)
    }

    /// A head that is driven is not the eyes' to turn, nor is such a torso.
    pub(super) fn hold(&self, at: f64, eyes: &mut Eyes) {
        let led = self.driven.led();
        let leads = |bones: BoneSet| !led.intersection(bones).is_empty();
        eyes.hold(at, leads(HEAD), leads(BoneSet::SPINE.with(Bone::Hips)));
    }
}

const HEAD: BoneSet = BoneSet::EMPTY.with(Bone::Neck).with(Bone::Head);

impl Performer {
    /// Takes a sample of a tracker, which tells of the body and its expressions: see
    /// [`driven`](crate::body::driven). What is no number in it is ignored. Eyes that were
    /// [asked for](Performer::eyes) go where it says, and live where it says nothing.
    pub fn drive(&mut self, mut sample: BodySample) {
        // Before it has begun nothing is too early, but for times to which nothing can be added.
        if sample.secs.is_nan() || sample.secs.abs() > Clock::END_OF_TIME_SECS {
            return;
        }
        sample.made_sound(self.library.rig());
        sample.secs = sample.secs.max(self.time);
        self.driving().samples.insert(sample.secs, sample);
    }

    /// What of a tracker's samples is believed, from now on.
    pub fn trust(&mut self, trust: Trust) {
        self.driving().driven.trust = trust;
    }

    /// The bones that a tracker drives now.
    #[must_use]
    pub fn driven(&self) -> BoneSet {
        self.driving.as_ref().map_or(BoneSet::EMPTY, |driving| driving.driven.led())
    }

    fn driving(&mut self) -> &mut Driving {
        let rig = self.library.rig();
        self.driving.get_or_insert_with(|| Box::new(Driving::new(rig)))
    }

    /// Shows what is driven, over what the body does by itself.
    pub(super) fn show_driven(&mut self, t: f64) {
        if let Some(driving) = &self.driving {
            let frame = &mut self.frame;
            driving.driven.show(t, &mut frame.rotations, &mut frame.root, &mut frame.weights);
        }
    }

    pub(super) fn handle_driving(&mut self, at: f64) {
        // It is taken out, because what the body does by itself has to be asked meanwhile.
        let Some(mut driving) = self.driving.take() else { return };
        let led = driving.driven.led();
        match driving.samples.pop_due(at) {
            Some((_, sample)) => self.take_sample(at, &sample, &mut driving),
            None => {
                self.ask_own(at, &mut driving.own);
                driving.driven.leave_alone(at, &driving.own);
            }
        }
        if let Some(face) = self.face.as_deref_mut().filter(|_| driving.driven.led() != led) {
            driving.hold(at, &mut face.eyes);
        }
        self.driving = Some(driving);
    }

    fn take_sample(&mut self, at: f64, sample: &BodySample, driving: &mut Driving) {
        if driving.driven.look_on(at, sample) {
            self.ask_own(at, &mut driving.own);
        }
        let believed = driving.driven.take(at, sample, &driving.own);
        let rig = &self.library.parts().eyes;
        let Some(Face { eyes, .. }) = self.face.as_deref_mut() else { return };
        let by_bones = [(0, Bone::LeftEye), (1, Bone::RightEye)].map(|(eye, bone)| {
            believed.eye_bones.contains(bone).then(|| rig.gaze_of(eye, sample.rotations.get(bone)))
        });
        let [left, right] = if by_bones == [None; 2] { believed.eyes } else { by_bones };
        if left.is_some() || right.is_some() {
            eyes.drive(EyeSample { left, right, ..EyeSample::at(at) });
        }
    }

    /// What the body does by itself, now and a moment before.
    fn ask_own(&mut self, at: f64, own: &mut Own) {
        for (which, t) in [at - VELOCITY_STEP, at].into_iter().enumerate() {
            self.compose(t);
            self.show_mouth(t);
            own.keep(which, &self.frame);
        }
    }
}
