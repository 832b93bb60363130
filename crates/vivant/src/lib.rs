//! Vivant makes a virtual character look alive: eyes, eyelids, head, body and mouth.
//!
//! This crate is the engine. It uses no files, clocks, threads, sockets or global state: time is an argument and
//! randomness comes from a seed. A [`Performer`] is advanced to an absolute time in seconds and returns a [`Frame`].
//! The same seed and the same intents give bit-identical frames at any frame rate, on any machine and in the browser.
//!
//! # A performer from clips
//!
//! ```
//! use vivant::glam::{Quat, Vec3};
//! use vivant::{Bone, Clip, Library, Performer, Play, Pose, Rig, RigParts};
//!
//! let rig = Rig::new(RigParts {
//!     rest_positions: vec![(Bone::Hips, Vec3::Y), (Bone::Head, Vec3::Y * 1.5)],
//!     ..RigParts::default()
//! });
//! let mut nod = Clip::new("nod", 30.0, 2, 1.0)?;
//! nod.set_rotation(0, Bone::Head, Quat::IDENTITY);
//! nod.set_rotation(1, Bone::Head, Quat::from_rotation_x(0.3));
//!
//! let base = Pose::neutral(&rig);
//! let mut performer = Performer::new(Library::new(rig, base, &[nod]), 7);
//! performer.play(Play { at: 1.0, ..Play::clip(0) });
//! let frame = performer.advance_to(1.02);
//! assert_ne!(frame.rotation(Bone::Head), Quat::IDENTITY);
//! # Ok::<(), vivant::Error>(())
//! ```
//!
//! # Eyes only
//!
//! ```
//! use vivant::glam::Vec3;
//! use vivant::{Bone, Library, Performer, Pose, Rig, RigParts};
//!
//! let bones = vec![(Bone::Hips, Vec3::Y), (Bone::Head, Vec3::Y * 1.5), (Bone::LeftEye, Vec3::Y * 1.6)];
//! let rig = Rig::new(RigParts { rest_positions: bones, ..RigParts::default() });
//! let base = Pose::neutral(&rig);
//! let mut performer = Performer::new(Library::new(rig, base, &[]), 7);
//! performer.eyes().start_idle_behaviour(0.0); // looks around and blinks
//! let blinks = (0..3600).filter(|frame| {
//!     performer.advance_to(f64::from(*frame) / 60.0);
//!     performer.gaze().is_some_and(|gaze| gaze.is_blinking[0])
//! });
//! assert!(blinks.count() > 60, "a minute has many frames with a blink");
//! ```
//!
//! # Speech
//!
//! ```
//! use vivant::glam::Vec3;
//! use vivant::{Bone, Channel, Intent, Library, Performer, Pose, Rig, RigParts, Say};
//!
//! let rig = Rig::new(RigParts {
//!     rest_positions: vec![(Bone::Hips, Vec3::Y), (Bone::Head, Vec3::Y * 1.5)],
//!     channels: vec![Channel::from("aa".to_owned())],
//!     ..RigParts::default()
//! });
//! let base = Pose::neutral(&rig);
//! let mut performer = Performer::new(Library::new(rig, base, &[]), 7);
//! performer.intend(&Intent::Say(Say { at: Some(0.5), ..Say::new("Hello! How are you?") }))?;
//! let widest = (0..120).map(|frame| performer.advance_to(f64::from(frame) / 60.0).weights()[0]);
//! assert!(widest.fold(0.0, f32::max) > 0.1, "the mouth opens");
//! # Ok::<(), vivant::Error>(())
//! ```
//!
//! # Features
//!
//! - `lip-sync` (default): the built-in model that turns voice audio into mouth shapes.
//! - `parallel`: advances a [crowd] on all cores.
//! - `schema`: JSON Schemas of the file and protocol types.
//!
//! # Modules
//!
//! | module | contents |
//! | --- | --- |
//! | [`performer`], [`crowd`], [`frame`] | a running character, many of them, and the frames they return |
//! | [`intent`] | requests from an agent |
//! | [`rig`], [`pose`], [`clip`] | skeletons with expressions, poses, recorded motion |
//! | [`body`] | repertoire, planner, behaviour model, layers, breathing |
//! | [`eyes`] | gaze shifts, saccades, blinks, lids, blink model, eye texture |
//! | [`speech`] | text, phonemes, timing, mouth shapes, audio lip-sync |
//! | [`mimicry`] | reactions to a person seen by a camera |
//! | [`agenda`], [`chance`], [`math`] | event queue, seeded random numbers, reproducible mathematics |
//! | [`error`], [`limits`], [`words`] | errors and warnings, input limits, wording of messages |
//!
//! Files, avatars and JSON are in `vivant-io`. `vivant-host` loads a whole character from its folder or from bytes.

pub mod agenda;
pub mod body;
pub mod chance;
pub mod clip;
pub mod crowd;
pub mod error;
pub mod eyes;
pub mod frame;
pub mod intent;
mod kernel;
pub mod limits;
pub mod math;
pub mod mimicry;
pub mod performer;
pub mod pose;
pub mod rig;
pub mod speech;
pub mod words;

pub use body::behaviour::Behaviour;
pub use body::layers::Layer;
pub use body::library::Library;
pub use body::repertoire::Repertoire;
pub use clip::Clip;
pub use error::{Error, ErrorKind, Result, Warning, WarningCode};
pub use eyes::{Eyes, Temperament};
pub use frame::Frame;
/// Vector types used in the public API.
pub use glam;
pub use intent::{Act, Intent, Say};
pub use performer::{Performer, Play};
pub use pose::Pose;
pub use rig::{Bone, Channel, Expression, Rig, RigParts};
