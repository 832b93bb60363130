//! VMC, the Virtual Motion Capture protocol: a body and its expressions, many times a second, over UDP.
//!
//! It is what programs of VTubers, Unity and Unreal understand among each other (<https://protocol.vmc.info>): OSC
//! messages with a bone each, in Unity's left-handed space. Here are bytes only; whoever has a socket sends what a
//! [`Sender`] makes of frames, and gives what comes to a [`Receiver`].
//!
//! ```
//! use vivant::rig::{Bone, Channel, Rig, RigParts};
//! use vivant::pose::Pose;
//! use vivant_io::vmc::{Fit, Names, Receiver, Sender, Skeleton};
//! use glam::{Quat, Vec3};
//!
//! let rig = Rig::new(RigParts {
//!     rest_positions: vec![(Bone::Hips, Vec3::Y), (Bone::Head, Vec3::Y * 1.5)],
//!     channels: vec![Channel::from("happy".to_owned())],
//!     ..RigParts::default()
//! });
//! let mut pose = Pose::rest(&rig);
//! pose.rotations.set(Bone::Head, Quat::from_rotation_y(0.3));
//!
//! let mut sender = Sender::new(Skeleton::normalised(&rig), rig.channels(), Names::Vrm0);
//! let mut receiver = Receiver::new(Skeleton::normalised(&rig));
//! let mut frames = Vec::new();
//! for packet in sender.frame(2.5, &pose, &[0.8]) {
//!     receiver.take(10.0, packet, &mut |frame| frames.push(frame));
//! }
//! assert_eq!(frames.len(), 1);
//! assert!(frames[0].pose.rotations.get(Bone::Head).angle_between(Quat::from_rotation_y(0.3)) < 1e-3);
//!
//! // A sample with which somebody's body can be driven.
//! let sample = Fit::new(&rig).sample(&frames[0], 10.0);
//! assert_eq!(sample.weights, [0.8]);
//! ```
//!
//! All input is hostile: packets are read without allocating, whatever their sizes say, names are limited in number
//! and length, and what is malformed is counted and left out.

pub mod capture;
mod fit;
mod names;
mod osc;
mod person;
mod receive;
mod send;
mod skeleton;

pub use fit::Fit;
pub use names::Names;
pub use person::person;
pub use receive::{QUIET, Received, Receiver};
pub use send::{Sender, avatar, nobody};
pub use skeleton::Skeleton;

/// The port at which programs usually listen for a whole performer (“marionettes”).
pub const MARIONETTE_PORT: u16 = 39539;
/// The port at which performers usually listen for what others track (“assistants”).
pub const PERFORMER_PORT: u16 = 39540;
