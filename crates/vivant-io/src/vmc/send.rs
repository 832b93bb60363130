//! Frames as packets.

use super::names::{self, Names};
use super::osc::{Argument, Bundles};
use super::skeleton::Skeleton;
use glam::{Quat, Vec3};
use vivant::pose::Pose;
use vivant::rig::{Bone, Channel};

/// Makes packets of frames; see the [module](super).
#[derive(Clone, Debug)]
pub struct Sender {
    skeleton: Skeleton,
    bones: Vec<(Bone, String)>,
    expressions: Vec<String>,
    packets: Bundles,
}

/// What is said of the state of things (`/VMC/Ext/OK`): loaded, calibrated, in the normal mode, and tracked well.
const ALL_IS_WELL: [Argument<'_>; 4] =
    [Argument::Int(1), Argument::Int(3), Argument::Int(0), Argument::Int(1)];

impl Sender {
    /// A sender for an avatar with these expressions.
    #[must_use]
    pub fn new(skeleton: Skeleton, channels: &[Channel], names: Names) -> Self {
        let bones = skeleton.bones().iter().map(|bone| (bone, names::of_bone(bone))).collect();
        let expressions = channels.iter().map(|channel| names.of(channel)).collect();
        Self { skeleton, bones, expressions, packets: Bundles::default() }
    }

    /// The packets of a frame, to be sent in this order: bones, expressions, and at the end what time it is. Each is
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
        self.packets.push("/VMC/Ext/OK", &ALL_IS_WELL);
        self.packets.push("/VMC/Ext/T", &[Argument::Float(secs as f32)]);
        self.packets.iter()
    }

    fn push_place(&mut self, address: &str, name: &str, p: Vec3, q: Quat) {
        let numbers = [p.x, p.y, p.z, q.x, q.y, q.z, q.w].map(Argument::Float);
        let [x, y, z, i, j, k, w] = numbers;
        self.packets.push(address, &[Argument::Text(name), x, y, z, i, j, k, w]);
    }
}

/// The packet that tells receivers which avatar to load: a path as they know it, and a title. They load it at once,
/// so it is for those who agreed on it.
#[must_use]
pub fn avatar(path: &str, title: &str) -> Vec<u8> {
    let mut packets = Bundles::default();
    packets.push("/VMC/Ext/VRM", &[Argument::Text(path), Argument::Text(title)]);
    packets.iter().flatten().copied().collect()
}

/// The packet that tells receivers that there is nobody to show.
#[must_use]
pub fn nobody() -> Vec<u8> {
    let mut packets = Bundles::default();
    packets.push("/VMC/Ext/OK", &[Argument::Int(0)]);
    packets.iter().flatten().copied().collect()
}
