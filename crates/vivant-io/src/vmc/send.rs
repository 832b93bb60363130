//! Converts frames to packets.
//!
//! Create a [`Sender`] once per avatar and call [`Sender::frame`] for every frame. It returns the packets as bytes,
//! each small enough for one UDP datagram, and the caller sends them in order over its own socket. Names and buffers
//! are kept between frames, so that a frame needs few allocations. Poses are converted to Unity's left-handed axes.
//! Which avatar is loaded is not part of a frame: receivers can be informed with [`avatar_packet`] and
//! [`unloaded_packet`].

use super::names::{self, Names};
use super::osc::{Argument, Bundles};
use super::skeleton::Skeleton;
use glam::{Quat, Vec3};
use vivant::pose::Pose;
use vivant::rig::{Bone, Channel};

/// Converts frames to packets; see the [module](super).
#[derive(Clone, Debug)]
pub struct Sender {
    skeleton: Skeleton,
    bones: Vec<(Bone, String)>,
    expressions: Vec<String>,
    packets: Bundles,
}

/// The sent state (`/VMC/Ext/OK`): loaded, calibrated, normal mode, tracking is good.
const STATE_OK: [Argument<'_>; 4] = [Argument::Int(1), Argument::Int(3), Argument::Int(0), Argument::Int(1)];

impl Sender {
    /// Creates a sender for an avatar with these expressions.
    #[must_use]
    pub fn new(skeleton: Skeleton, channels: &[Channel], names: Names) -> Self {
        let bones = skeleton.bones().iter().map(|bone| (bone, names::bone_name(bone))).collect();
        let expressions = channels.iter().map(|channel| names.of(channel)).collect();
        Self { skeleton, bones, expressions, packets: Bundles::default() }
    }

    /// Returns the packets of a frame, to be sent in this order: bones, expressions, and the time at the end. Each is
    /// an OSC bundle of at most 1,200 bytes. Weights are in the order of the expressions.
    pub fn frame(&mut self, secs: f64, pose: &Pose, weights: &[f32]) -> impl Iterator<Item = &[u8]> {
        self.packets.clear();
        self.push_place("/VMC/Ext/Root/Pos", "root", Vec3::ZERO, Quat::IDENTITY);
        for index in 0..self.bones.len() {
            let (bone, name) = (self.bones[index].0, std::mem::take(&mut self.bones[index].1));
            let (rotation, place) = self.skeleton.to_unity(bone, pose.rotations.get(bone), pose.root);
            self.push_place("/VMC/Ext/Bone/Pos", &name, place, rotation);
            self.bones[index].1 = name;
        }
        for (name, weight) in self.expressions.iter().zip(weights) {
            self.packets.push("/VMC/Ext/Blend/Val", &[Argument::Text(name), Argument::Float(*weight)]);
        }
        self.packets.push("/VMC/Ext/Blend/Apply", &[]);
        self.packets.push("/VMC/Ext/OK", &STATE_OK);
        self.packets.push("/VMC/Ext/T", &[Argument::Float(secs as f32)]);
        self.packets.iter()
    }

    fn push_place(&mut self, address: &str, name: &str, p: Vec3, q: Quat) {
        let numbers = [p.x, p.y, p.z, q.x, q.y, q.z, q.w].map(Argument::Float);
        let [x, y, z, i, j, k, w] = numbers;
        self.packets.push(address, &[Argument::Text(name), x, y, z, i, j, k, w]);
    }
}

/// Returns the packet that makes receivers load an avatar: a path that is valid on the receiver, and a title.
/// Receivers load the avatar at once, so only send this packet to receivers that expect it.
#[must_use]
pub fn avatar_packet(path: &str, title: &str) -> Vec<u8> {
    let mut packets = Bundles::default();
    packets.push("/VMC/Ext/VRM", &[Argument::Text(path), Argument::Text(title)]);
    packets.iter().flatten().copied().collect()
}

/// Returns the packet that tells receivers that no avatar is loaded.
#[must_use]
pub fn unloaded_packet() -> Vec<u8> {
    let mut packets = Bundles::default();
    packets.push("/VMC/Ext/OK", &[Argument::Int(0)]);
    packets.iter().flatten().copied().collect()
}
