//! Sends and receives VMC, the Virtual Motion Capture protocol: poses and expressions over UDP in real time.
//!
//! VTuber programs, Unity and Unreal use it to exchange motion (<https://protocol.vmc.info>): OSC messages with one
//! bone each, in Unity's left-handed space. This module handles bytes only. A [`Sender`] converts frames to packets,
//! which you send over your socket. Pass received packets to a [`Receiver`].
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
//! // A sample that can drive a character's body.
//! let sample = Fit::new(&rig).sample(&frames[0], 10.0);
//! assert_eq!(sample.weights, [0.8]);
//! ```
//!
//! All input is untrusted: packets are read without allocation, names are limited in number and length, and malformed
//! messages are counted and skipped.

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
pub use receive::{FRAME_TIMEOUT, Received, Receiver};
pub use send::{Sender, avatar_packet, unloaded_packet};
pub use skeleton::Skeleton;

/// Default port on which programs that show a performer (“marionettes”) receive frames.
pub const MARIONETTE_PORT: u16 = 39539;
/// Default port on which performers receive tracking data from other programs (“assistants”).
pub const PERFORMER_PORT: u16 = 39540;
