//! Packets as frames.
//!
//! VMC has no word for the beginning of a frame. A frame is therefore over when something in it comes for the
//! second time, with the packet that tells the sender's time, or when nothing has come for a moment. What is lost,
//! late or malformed is missing in its frame, and changes nothing else.

use super::names;
use super::osc::{self, Message};
use super::skeleton::{Skeleton, model_of};
use crate::limits::{MAX_VMC_NAMES, MAX_WORD_BYTES};
use glam::{Quat, Vec3};
use std::collections::HashMap;
use std::time::Duration;
use vivant::pose::Pose;
use vivant::rig::{Bone, BoneSet, Channel};

/// What was received of an instant, in humanoid space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Received {
    /// When it came, in seconds on the receiver's clock.
    pub secs: f64,
    /// When it was sent, in seconds on the sender's clock, if that was told.
    pub sent_secs: Option<f64>,
    /// The bones that were told; of others there is no news.
    pub bones: BoneSet,
    /// Their local rotations. Where the hips are is known if the hips were told, and is zero if only their rotation
    /// was.
    pub pose: Pose,
    /// Expressions, each once.
    pub weights: Vec<(Channel, f32)>,
    /// Where the eyes look, in metres from the head, if that was told (`/VMC/Ext/Set/Eye`).
    pub look: Option<Vec3>,
    /// Whether the eyes are on whom they attend to, if a file says so.
    pub looks: Option<bool>,
}

impl Received {
    /// Whether nothing was told.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bones.is_empty() && self.weights.is_empty() && self.look.is_none()
    }
}

/// After so long without a packet a frame is over.
pub const QUIET: Duration = Duration::from_millis(4);

/// Places farther away are none, in metres.
const FARTHEST_M: f32 = 1000.0;

/// Makes frames of the packets of one sender; see the [module](super).
#[derive(Clone, Debug)]
pub struct Receiver {
    skeleton: Skeleton,
    /// Which of `channels` each name means.
    names: HashMap<String, usize>,
    channels: Vec<Channel>,
    /// What was told of each and waits to be applied; no number where nothing was.
    waiting: Vec<f32>,
    frame: Received,
    /// Where the model stands and how it is turned.
    model: (Vec3, Quat),
    has_model: bool,
    is_over: bool,
    /// Whether the sender has something to show, as far as it said.
    is_loaded: bool,
    is_tracking: bool,
    malformed: u64,
}

impl Receiver {
    /// A receiver from a sender whose avatar has this skeleton.
    #[must_use]
    pub fn new(skeleton: Skeleton) -> Self {
        Self {
            skeleton,
            names: HashMap::new(),
            channels: Vec::new(),
            waiting: Vec::new(),
            frame: Received::default(),
            model: (Vec3::ZERO, Quat::IDENTITY),
            has_model: false,
            is_over: false,
            is_loaded: true,
            is_tracking: true,
            malformed: 0,
        }
    }

    /// Goes on with another skeleton: that of another avatar.
    pub fn set_skeleton(&mut self, skeleton: Skeleton) {
        self.skeleton = skeleton;
    }

    /// Whether something came whose frame is not over.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.frame.is_empty()
    }

    /// How many messages could not be understood.
    #[must_use]
    pub fn malformed(&self) -> u64 {
        self.malformed
    }

    /// Takes a packet that came at a time, and shows the frames that are over with it.
    pub fn take(&mut self, secs: f64, packet: &[u8], show: &mut dyn FnMut(Received)) {
        let faults = osc::each(packet, &mut |message| {
            if self.hear(secs, &message, show).is_none() {
                self.malformed += 1;
            }
        });
        self.malformed += faults as u64;
        if std::mem::take(&mut self.is_over) {
            self.close(show);
        }
    }

    /// Shows what came so far; for when nothing came for [a moment](QUIET).
    pub fn close(&mut self, show: &mut dyn FnMut(Received)) {
        self.has_model = false;
        let mut frame = std::mem::take(&mut self.frame);
        if frame.is_empty() || !self.is_loaded || !self.is_tracking {
            return;
        }
        if frame.bones.contains(Bone::Hips) {
            let (place, turn) = self.model;
            let hips = frame.pose.rotations.get(Bone::Hips);
            frame.pose.rotations.set(Bone::Hips, (turn * hips).normalize());
            // Who tells no places says that everything is at the origin.
            let is_told = frame.pose.root != Vec3::ZERO;
            frame.pose.root = if is_told { place + turn * frame.pose.root } else { Vec3::ZERO };
        }
        show(frame);
    }

    /// `None` if the message is malformed. What is none of ours is ignored, as the protocol asks.
    fn hear(&mut self, secs: f64, message: &Message<'_>, show: &mut dyn FnMut(Received)) -> Option<()> {
        match message.address {
            "/VMC/Ext/Bone/Pos" => self.hear_bone(secs, message, show),
            "/VMC/Ext/Root/Pos" => self.hear_root(message, show),
            "/VMC/Ext/Blend/Val" => self.hear_weight(message),
            "/VMC/Ext/Blend/Apply" => {
                self.apply(secs, show);
                Some(())
            }
            "/VMC/Ext/OK" => self.hear_state(message),
            "/VMC/Ext/T" => self.hear_time(message),
            "/VMC/Ext/Set/Eye" => self.hear_look(secs, message),
            _ => Some(()),
        }
    }

    fn hear_bone(&mut self, secs: f64, message: &Message<'_>, show: &mut dyn FnMut(Received)) -> Option<()> {
        let (place, rotation) = place_of(message)?;
        // Names that Unity may have more of in time are no faults.
        let Some(bone) = names::bone(message.name()?) else { return Some(()) };
        if self.frame.bones.contains(bone) {
            self.close(show);
        }
        self.begin(secs);
        self.frame.bones.insert(bone);
        self.frame.pose.rotations.set(bone, self.skeleton.rotation_of(bone, rotation));
        if bone == Bone::Hips {
            self.frame.pose.root = if place == Vec3::ZERO { place } else { self.skeleton.root_of(place) };
        }
        Some(())
    }

    fn hear_root(&mut self, message: &Message<'_>, show: &mut dyn FnMut(Received)) -> Option<()> {
        let (place, rotation) = place_of(message)?;
        if self.has_model {
            self.close(show);
        }
        (self.model, self.has_model) = (model_of(place, rotation), true);
        Some(())
    }

    fn hear_weight(&mut self, message: &Message<'_>) -> Option<()> {
        let (name, [weight]) = (message.name()?, message.floats(1)?);
        if !weight.is_finite() || name.is_empty() || name.len() > MAX_WORD_BYTES {
            return None;
        }
        let index = self.index(name)?;
        self.waiting[index] = weight.clamp(0.0, 1.0);
        Some(())
    }

    /// The number of a name; `None` if there were too many of them.
    fn index(&mut self, name: &str) -> Option<usize> {
        if let Some(known) = self.names.get(name) {
            return Some(*known);
        }
        if self.names.len() >= MAX_VMC_NAMES {
            return None;
        }
        self.names.insert(name.to_owned(), self.channels.len());
        self.channels.push(names::channel(name));
        self.waiting.push(f32::NAN);
        Some(self.channels.len() - 1)
    }

    fn apply(&mut self, secs: f64, show: &mut dyn FnMut(Received)) {
        if !self.frame.weights.is_empty() {
            self.close(show);
        }
        if self.waiting.iter().any(|weight| !weight.is_nan()) {
            self.begin(secs);
        }
        let all = self.channels.iter().zip(&mut self.waiting);
        for (channel, weight) in all.filter(|(_, weight)| !weight.is_nan()) {
            set(&mut self.frame.weights, channel, std::mem::replace(weight, f32::NAN));
        }
    }

    fn hear_state(&mut self, message: &Message<'_>) -> Option<()> {
        self.is_loaded = message.int(0)? != 0;
        // Since version 2.7.
        self.is_tracking = message.int(3).is_none_or(|tracking| tracking != 0);
        Some(())
    }

    /// The sender's time comes with the last packet of a frame, or the first of the next.
    fn hear_time(&mut self, message: &Message<'_>) -> Option<()> {
        let [secs] = message.floats(0)?;
        self.frame.sent_secs = secs.is_finite().then_some(f64::from(secs));
        self.is_over = true;
        Some(())
    }

    fn hear_look(&mut self, secs: f64, message: &Message<'_>) -> Option<()> {
        let (is_on, place) = (message.int(0)? != 0, message.floats(1).and_then(near)?);
        if is_on {
            self.begin(secs);
            self.frame.look = Some(model_of(place, Quat::IDENTITY).0);
        }
        Some(())
    }

    fn begin(&mut self, secs: f64) {
        if self.frame.is_empty() {
            self.frame.secs = secs;
        }
    }
}

fn set(weights: &mut Vec<(Channel, f32)>, channel: &Channel, weight: f32) {
    match weights.iter_mut().find(|(other, _)| other == channel) {
        // Of two names for the same, the one that shows more counts.
        Some((_, old)) => *old = old.max(weight),
        None => weights.push((channel.clone(), weight)),
    }
}

fn near(place: [f32; 3]) -> Option<Vec3> {
    let is_near = place.iter().all(|metres| metres.abs() <= FARTHEST_M);
    is_near.then(|| Vec3::from_array(place))
}

/// The place and the rotation of a message, if they are any.
fn place_of(message: &Message<'_>) -> Option<(Vec3, Quat)> {
    let [x, y, z, i, j, k, w] = message.floats(1)?;
    let rotation = Quat::from_xyzw(i, j, k, w);
    let is_one = (0.5..2.0).contains(&rotation.length());
    message.name()?;
    is_one.then_some((near([x, y, z])?, rotation.normalize()))
}

#[cfg(test)]
mod tests;
