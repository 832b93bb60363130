//! Assembles packets into frames.
//!
//! VMC does not mark the start of a frame. So a frame ends when one of its values arrives a second time, with the
//! packet that has the sender's time, or after a short pause. Lost, late or malformed messages only affect their own
//! frame.

use super::names;
use super::osc::{self, Message};
use super::skeleton::{Skeleton, model_from_unity};
use crate::limits::{MAX_VMC_NAMES, MAX_WORD_BYTES};
use glam::{Quat, Vec3};
use std::collections::HashMap;
use std::time::Duration;
use vivant::pose::Pose;
use vivant::rig::{Bone, BoneSet, Channel};

/// A received frame in humanoid space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Received {
    /// Time of reception in seconds on the receiver's clock.
    pub secs: f64,
    /// Time in seconds on the sender's clock, if it was sent.
    pub sent_secs: Option<f64>,
    /// The received bones; others are unknown.
    pub bones: BoneSet,
    /// Local rotations of the bones. The root is the position of the hips, or zero if the hips or their position were
    /// not received.
    pub pose: Pose,
    /// Weights of expressions, without duplicates.
    pub weights: Vec<(Channel, f32)>,
    /// Gaze target in metres from the head, if it was sent (`/VMC/Ext/Set/Eye`).
    pub look: Option<Vec3>,
    /// True if the eyes are on their gaze target; `None` if unknown. Only capture files state it.
    pub looks: Option<bool>,
}

impl Received {
    /// Returns true if nothing was received.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bones.is_empty() && self.weights.is_empty() && self.look.is_none()
    }
}

/// Time without a packet after which a frame ends.
pub const FRAME_TIMEOUT: Duration = Duration::from_millis(4);

/// Largest accepted absolute value of a coordinate, in metres.
const MAX_DISTANCE_M: f32 = 1000.0;

/// Assembles the packets of one sender into frames; see the [module](super).
#[derive(Clone, Debug)]
pub struct Receiver {
    skeleton: Skeleton,
    /// Index in `channels` for each name.
    names: HashMap<String, usize>,
    channels: Vec<Channel>,
    /// Received weights that are not applied yet; NaN if there is none.
    pending: Vec<f32>,
    frame: Received,
    /// Position and rotation of the model.
    model: (Vec3, Quat),
    has_model: bool,
    is_over: bool,
    /// State of the sender according to its last message: whether it has an avatar, and whether it tracks the person.
    is_loaded: bool,
    is_tracking: bool,
    malformed: u64,
}

impl Receiver {
    /// Creates a receiver for a sender whose avatar has the given skeleton.
    #[must_use]
    pub fn new(skeleton: Skeleton) -> Self {
        Self {
            skeleton,
            names: HashMap::new(),
            channels: Vec::new(),
            pending: Vec::new(),
            frame: Received::default(),
            model: (Vec3::ZERO, Quat::IDENTITY),
            has_model: false,
            is_over: false,
            is_loaded: true,
            is_tracking: true,
            malformed: 0,
        }
    }

    /// Replaces the skeleton, for another avatar.
    pub fn set_skeleton(&mut self, skeleton: Skeleton) {
        self.skeleton = skeleton;
    }

    /// Returns true if there is an unfinished frame.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.frame.is_empty()
    }

    /// Returns the number of malformed messages so far.
    #[must_use]
    pub fn malformed(&self) -> u64 {
        self.malformed
    }

    /// Processes a packet that was received at the time `secs`, in seconds, and passes finished frames to `show`.
    pub fn take(&mut self, secs: f64, packet: &[u8], show: &mut dyn FnMut(Received)) {
        let faults = osc::visit_messages(packet, &mut |message| {
            if self.handle(secs, &message, show).is_none() {
                self.malformed += 1;
            }
        });
        self.malformed += faults as u64;
        if std::mem::take(&mut self.is_over) {
            self.close(show);
        }
    }

    /// Ends the current frame and passes it to `show`. Call it when nothing was received for [a short
    /// time](FRAME_TIMEOUT).
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
            // Senders without positions put everything at the origin.
            let is_positioned = frame.pose.root != Vec3::ZERO;
            frame.pose.root = if is_positioned { place + turn * frame.pose.root } else { Vec3::ZERO };
        }
        show(frame);
    }

    /// Handles a message. Returns `None` if it is malformed; unknown messages are ignored, as the protocol requires.
    fn handle(&mut self, secs: f64, message: &Message<'_>, show: &mut dyn FnMut(Received)) -> Option<()> {
        match message.address {
            "/VMC/Ext/Bone/Pos" => self.handle_bone(secs, message, show),
            "/VMC/Ext/Root/Pos" => self.handle_root(message, show),
            "/VMC/Ext/Blend/Val" => self.handle_weight(message),
            "/VMC/Ext/Blend/Apply" => {
                self.apply(secs, show);
                Some(())
            }
            "/VMC/Ext/OK" => self.handle_state(message),
            "/VMC/Ext/T" => self.handle_time(message),
            "/VMC/Ext/Set/Eye" => self.handle_look(secs, message),
            _ => Some(()),
        }
    }

    fn handle_bone(
        &mut self,
        secs: f64,
        message: &Message<'_>,
        show: &mut dyn FnMut(Received),
    ) -> Option<()> {
        let (place, rotation) = position_and_rotation(message)?;
        // Unknown bone names are not errors, because Unity may add bones.
        let Some(bone) = names::bone(message.name()?) else { return Some(()) };
        if self.frame.bones.contains(bone) {
            self.close(show);
        }
        self.start_frame(secs);
        self.frame.bones.insert(bone);
        self.frame.pose.rotations.set(bone, self.skeleton.rotation_from_unity(bone, rotation));
        if bone == Bone::Hips {
            self.frame.pose.root =
                if place == Vec3::ZERO { place } else { self.skeleton.root_from_unity(place) };
        }
        Some(())
    }

    fn handle_root(&mut self, message: &Message<'_>, show: &mut dyn FnMut(Received)) -> Option<()> {
        let (place, rotation) = position_and_rotation(message)?;
        if self.has_model {
            self.close(show);
        }
        (self.model, self.has_model) = (model_from_unity(place, rotation), true);
        Some(())
    }

    fn handle_weight(&mut self, message: &Message<'_>) -> Option<()> {
        let (name, [weight]) = (message.name()?, message.floats(1)?);
        if !weight.is_finite() || name.is_empty() || name.len() > MAX_WORD_BYTES {
            return None;
        }
        let index = self.index(name)?;
        self.pending[index] = weight.clamp(0.0, 1.0);
        Some(())
    }

    /// Returns the index of a name; `None` if there are too many names.
    fn index(&mut self, name: &str) -> Option<usize> {
        if let Some(known) = self.names.get(name) {
            return Some(*known);
        }
        if self.names.len() >= MAX_VMC_NAMES {
            return None;
        }
        self.names.insert(name.to_owned(), self.channels.len());
        self.channels.push(names::channel(name));
        self.pending.push(f32::NAN);
        Some(self.channels.len() - 1)
    }

    fn apply(&mut self, secs: f64, show: &mut dyn FnMut(Received)) {
        if !self.frame.weights.is_empty() {
            self.close(show);
        }
        if self.pending.iter().any(|weight| !weight.is_nan()) {
            self.start_frame(secs);
        }
        let all = self.channels.iter().zip(&mut self.pending);
        for (channel, weight) in all.filter(|(_, weight)| !weight.is_nan()) {
            set(&mut self.frame.weights, channel, std::mem::replace(weight, f32::NAN));
        }
    }

    fn handle_state(&mut self, message: &Message<'_>) -> Option<()> {
        self.is_loaded = message.int(0)? != 0;
        // Senders before version 2.7 of the protocol do not state whether they track the person.
        self.is_tracking = message.int(3).is_none_or(|tracking| tracking != 0);
        Some(())
    }

    /// Handles the sender's time, which comes with the last packet of a frame or with the first packet of the next
    /// frame.
    fn handle_time(&mut self, message: &Message<'_>) -> Option<()> {
        let [secs] = message.floats(0)?;
        self.frame.sent_secs = secs.is_finite().then_some(f64::from(secs));
        self.is_over = true;
        Some(())
    }

    fn handle_look(&mut self, secs: f64, message: &Message<'_>) -> Option<()> {
        let (is_on, place) = (message.int(0)? != 0, message.floats(1).and_then(checked_position)?);
        if is_on {
            self.start_frame(secs);
            self.frame.look = Some(model_from_unity(place, Quat::IDENTITY).0);
        }
        Some(())
    }

    fn start_frame(&mut self, secs: f64) {
        if self.frame.is_empty() {
            self.frame.secs = secs;
        }
    }
}

fn set(weights: &mut Vec<(Channel, f32)>, channel: &Channel, weight: f32) {
    match weights.iter_mut().find(|(other, _)| other == channel) {
        // If two names mean the same expression, the larger weight counts.
        Some((_, old)) => *old = old.max(weight),
        None => weights.push((channel.clone(), weight)),
    }
}

fn checked_position(place: [f32; 3]) -> Option<Vec3> {
    let is_near = place.iter().all(|metres| metres.abs() <= MAX_DISTANCE_M);
    is_near.then(|| Vec3::from_array(place))
}

/// Returns position and rotation of a message, if they are valid.
fn position_and_rotation(message: &Message<'_>) -> Option<(Vec3, Quat)> {
    let [x, y, z, i, j, k, w] = message.floats(1)?;
    let rotation = Quat::from_xyzw(i, j, k, w);
    let is_one = (0.5..2.0).contains(&rotation.length());
    message.name()?;
    is_one.then_some((checked_position([x, y, z])?, rotation.normalize()))
}

#[cfg(test)]
mod tests;
