//! Fits received frames to an avatar.
//!
//! Senders and avatars seldom have the same bones and expressions. Create a [`Fit`] from the avatar's rig and call
//! [`Fit::sample`] with each received frame; it returns a [`BodySample`] for the performer. Rotations of missing bones
//! pass to their children, so that the pose is kept, and expressions are mapped to those of the avatar. Values that
//! were not received stay unset.

use super::receive::Received;
use glam::Vec3;
use std::collections::HashMap;
use vivant::body::driven::BodySample;
use vivant::eyes::direction::Direction;
use vivant::eyes::gaze::{Range, Ranges};
use vivant::rig::{Bone, Channel, LookAt, Rig};

/// Converts received frames to samples for an avatar.
#[derive(Clone, Debug)]
pub struct Fit {
    rig: Rig,
    /// Channels of the avatar with gains for each received expression.
    shown: HashMap<Channel, Vec<(usize, f32)>>,
    eye: Range,
}

impl Fit {
    /// Creates a converter for the avatar with the given rig.
    #[must_use]
    pub fn new(rig: &Rig) -> Self {
        Self { rig: rig.clone(), shown: HashMap::new(), eye: Ranges::of(rig).eye }
    }

    /// Converts a frame to a sample at the time `secs` of the performance, in seconds.
    ///
    /// - The rotation of a bone that the avatar lacks is passed to the bone's children.
    /// - Expressions are mapped to the avatar's expressions by [`Rig::show`]. Upper and lower case in names are not
    ///   distinguished.
    /// - Look expressions are converted to eye angles.
    #[must_use]
    pub fn sample(&mut self, frame: &Received, secs: f64) -> BodySample {
        let mut sample = BodySample::at(secs);
        self.set_bones(frame, &mut sample);
        sample.weights = self.weights(&frame.weights);
        sample.eyes = self.eyes(frame);
        sample
    }

    fn set_bones(&self, frame: &Received, sample: &mut BodySample) {
        let mut pose = frame.pose;
        let missing = frame.bones.minus(self.rig.bones());
        for bone in missing.iter() {
            let handed = pose.rotations.get(bone);
            for child in frame.bones.iter().filter(|child| child.parent() == Some(bone)) {
                pose.rotations.set(child, handed * pose.rotations.get(child));
            }
        }
        for bone in frame.bones.minus(missing).iter() {
            sample.set(bone, pose.rotations.get(bone));
        }
        sample.root = (frame.bones.contains(Bone::Hips) && pose.root != Vec3::ZERO).then_some(pose.root);
    }

    /// Maps received weights to channels. If an expression arrives directly and through substitutes, the larger weight
    /// counts: senders that support both ARKit's and VRM's names send both, and often all weights of one kind are
    /// zero.
    fn weights(&mut self, received: &[(Channel, f32)]) -> Vec<f32> {
        let mut weights = vec![f32::NAN; self.rig.channels().len()];
        let mut others = weights.clone();
        for (channel, weight) in received.iter().filter(|(channel, _)| !is_look(channel)) {
            let rig = &self.rig;
            let shown = self.shown.entry(channel.clone()).or_insert_with(|| channels_for(rig, channel));
            for (index, gain) in shown.iter() {
                let is_own = *gain == 1.0 && rig.channels()[*index] == *channel;
                let sum = if is_own { &mut weights[*index] } else { &mut others[*index] };
                *sum = if sum.is_nan() { gain * weight } else { *sum + gain * weight };
            }
        }
        // The maximum of a number and NaN is the number.
        weights.iter().zip(others).map(|(own, other)| own.max(other).clamp(0.0, 1.0)).collect()
    }

    fn eyes(&self, frame: &Received) -> [Option<[f64; 2]>; 2] {
        if let Some(look) = frame.look {
            let towards = Direction::of(look.as_dvec3());
            return [Some([towards.yaw_deg, towards.pitch_deg]); 2];
        }
        let weight = |name: &str| {
            let found = frame.weights.iter().find(|(channel, _)| channel.name() == name);
            found.map(|(_, weight)| *weight)
        };
        let sides = [["Left", "Left", "Right"], ["Right", "Right", "Left"]];
        sides.map(|[side, outwards, inwards]| {
            let of = |arkit: &str, vrm: &str| {
                weight(&format!("eyeLook{arkit}{side}")).or(weight(&format!("look{vrm}")))
            };
            let amounts = [of("In", inwards), of("Out", outwards), of("Down", "Down"), of("Up", "Up")];
            let is_received = amounts.iter().any(Option::is_some);
            is_received.then(|| self.angles(side == "Left", amounts.map(Option::unwrap_or_default)))
        })
    }

    /// Returns yaw and pitch of an eye in degrees.
    fn angles(&self, is_left: bool, [inner, outer, down, up]: [f32; 4]) -> [f64; 2] {
        let LookAt { by_expression, .. } = self.rig.look_at();
        let maps = self.rig.look_at();
        let degrees = |weight: f32, map: &vivant::rig::RangeMap, most: f64| {
            if *by_expression { f64::from(map.invert(weight)) } else { f64::from(weight) * most }
        };
        let Range { yaw_deg, up_deg, down_deg } = self.eye;
        let outwards = degrees(outer, &maps.outer, yaw_deg) - degrees(inner, &maps.inner, yaw_deg);
        let pitch = degrees(up, &maps.up, up_deg) - degrees(down, &maps.down, down_deg);
        [if is_left { outwards } else { -outwards }, pitch]
    }
}

/// Returns true for expressions that move the eyes.
fn is_look(channel: &Channel) -> bool {
    let name = channel.name();
    let turns =
        |rest: &str| ["Up", "Down", "Left", "Right", "In", "Out"].iter().any(|way| rest.starts_with(way));
    let rest = name.strip_prefix("eyeLook").or_else(|| name.strip_prefix("look"));
    matches!(channel, Channel::Known(_)) && rest.is_some_and(turns)
}

/// Returns the channels that show an expression; custom names are compared without case.
fn channels_for(rig: &Rig, channel: &Channel) -> Vec<(usize, f32)> {
    let shown = rig.show(channel);
    if !shown.is_empty() {
        return shown;
    }
    let is_named = |other: &Channel| other.name().eq_ignore_ascii_case(channel.name());
    rig.channels().iter().position(is_named).map(|index| (index, 1.0)).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;
    use vivant::rig::{BoneSet, RigParts};

    fn rig(bones: &[Bone], channels: &[&str]) -> Rig {
        let rest_positions = bones.iter().map(|bone| (*bone, Vec3::Y)).collect();
        let channels = channels.iter().map(|name| Channel::from((*name).to_owned())).collect();
        Rig::new(RigParts { rest_positions, channels, ..RigParts::default() })
    }

    fn frame_with(weights: &[(&str, f32)]) -> Received {
        let weights =
            weights.iter().map(|(name, weight)| (super::super::names::channel(name), *weight)).collect();
        Received { weights, ..Received::default() }
    }

    #[test]
    fn expressions_are_mapped_to_the_avatar() {
        let check = |channels: &[&str], sent: &[(&str, f32)], expected: &[f32]| {
            let sample = Fit::new(&rig(&[], channels)).sample(&frame_with(sent), 0.0);
            let same = |(a, b): (&f32, &f32)| a == b || a.is_nan() && b.is_nan();
            assert!(sample.weights.iter().zip(expected).all(same), "{sent:?}: {:?}", sample.weights);
            assert_eq!(sample.weights.len(), expected.len());
        };
        check(&["happy", "aa", "sad"], &[("Joy", 0.5), ("A", 0.0)], &[0.5, 0.0, f32::NAN]);
        check(&["blink"], &[("Blink_L", 1.0), ("Blink_R", 0.5)], &[0.75]);
        check(&["blinkLeft"], &[("Blink_L", 0.0), ("EyeBlinkLeft", 0.8)], &[0.8]);
        check(&["blinkLeft"], &[("Blink_L", 0.6), ("EyeBlinkLeft", 0.6)], &[0.6]);
        check(&["Smug"], &[("SMUG", 0.3), ("else", 1.0)], &[0.3]);
        check(&["viseme_aa", "lookLeft"], &[("A", 1.0), ("LookLeft", 1.0)], &[1.0, f32::NAN]);
    }

    #[test]
    fn rotations_of_missing_bones_pass_to_children() {
        let turn = Quat::from_rotation_x(0.3);
        let mut frame = Received { bones: BoneSet::SPINE.with(Bone::Neck), ..Received::default() };
        frame.pose.rotations.set(Bone::UpperChest, turn);
        frame.pose.rotations.set(Bone::Neck, Quat::from_rotation_y(0.2));
        let sample =
            Fit::new(&rig(&[Bone::Hips, Bone::Spine, Bone::Chest, Bone::Neck], &[])).sample(&frame, 2.0);
        assert_eq!(sample.bones, [Bone::Spine, Bone::Chest, Bone::Neck].into_iter().collect());
        let expected = turn * Quat::from_rotation_y(0.2);
        assert!(sample.rotations.get(Bone::Neck).angle_between(expected) < 1e-3);
        assert_eq!((sample.secs, sample.root), (2.0, None));
    }

    #[test]
    fn look_expressions_become_angles() {
        let eyes = [Bone::Head, Bone::LeftEye, Bone::RightEye];
        let mut fit = Fit::new(&rig(&eyes, &["lookLeft"]));
        let Range { yaw_deg, up_deg, .. } = fit.eye;
        assert!(yaw_deg > 10.0 && up_deg > 5.0);
        let both = fit.sample(&frame_with(&[("LookLeft", 0.5), ("LookUp", 1.0)]), 0.0).eyes;
        assert_eq!(both, [Some([0.5 * yaw_deg, up_deg]); 2]);
        let each = fit.sample(&frame_with(&[("EyeLookOutLeft", 1.0), ("EyeLookInRight", 0.5)]), 0.0).eyes;
        assert_eq!(each, [Some([yaw_deg, 0.0]), Some([0.5 * yaw_deg, 0.0])]);
        assert_eq!(fit.sample(&frame_with(&[("A", 1.0)]), 0.0).eyes, [None; 2]);
        let point = Received { look: Some(Vec3::new(1.0, 0.0, 1.0)), ..Received::default() };
        let [Some([yaw, pitch]), _] = fit.sample(&point, 0.0).eyes else { panic!("they look there") };
        assert!((yaw - 45.0).abs() < 1e-9 && pitch.abs() < 1e-9);
    }
}
