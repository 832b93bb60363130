//! Performers for host programs: bytes and JSON in, frames and events out.
//!
//! The engine reads no files and has only a Rust API. The live server, the browser package, the C library, the Python
//! package and the Bevy plug-in all need the same additional steps: read an avatar, load motions, create a performer,
//! send JSON requests to the performer, and receive events. This crate implements these steps once, so that a
//! performer gives the same bits in every host.
//!
//! ```
//! use vivant_host::{Avatar, Hosted, Motions, Role};
//! let rig = br#"{"version": 1, "bones": {"hips": [0, 1, 0], "spine": [0, 1.1, 0], "head": [0, 1.5, 0]},
//!                "expressions": ["blink", "aa"]}"#;
//! let mut eve = Hosted::new(&Avatar::of_rig(rig)?, &Motions::none(), &Role::read(r#"{"seed": 7}"#)?)?;
//! eve.tell(r#"{"say": "Hello!", "at": 1}"#)?;
//! let frame = eve.advance_to(1.2);
//! assert_eq!(frame.weights().len(), 2);
//! # Ok::<(), vivant_io::Error>(())
//! ```

#![forbid(unsafe_code)]

#[cfg(feature = "disk")]
pub mod annotations;
#[cfg(feature = "disk")]
pub mod authoring;
mod avatar;
#[cfg(feature = "disk")]
pub mod bake;
mod bound;
pub mod character;
pub mod clips;
mod command;
#[cfg(feature = "folder")]
pub mod disk;
pub mod files;
#[cfg(feature = "disk")]
pub mod film;
mod hosted;
pub mod imported;
#[cfg(feature = "disk")]
pub mod label;
mod lanes;
#[cfg(feature = "disk")]
pub mod mimic;
mod mirror;
pub mod moment;
mod motions;
#[cfg(feature = "plot")]
pub mod plot;
#[cfg(feature = "disk")]
pub mod recording;
pub mod shutter;
pub mod signals;
pub mod trace;
#[cfg(feature = "disk")]
pub mod track;
#[cfg(feature = "disk")]
pub mod viewing;
#[cfg(feature = "disk")]
pub mod visemes;
#[cfg(feature = "disk")]
pub mod voice;
#[cfg(feature = "disk")]
pub mod workspace;

pub use avatar::Avatar;
pub use bound::{BoundCharacter, default_viewer_position};
pub use character::Character;
pub use command::{Command, TargetMemory, apply};
pub use hosted::Hosted;
pub use imported::ImportedFile;
pub use lanes::Lanes;
pub use mirror::Mirror;
pub use motions::{MotionBuilder, Motions};
pub use vivant::error::{Error, Result};
pub use vivant::frame::{Frame, ModelMatrices};
pub use vivant::rig::{Bone, Rig};
pub use vivant_io::json::protocol::api::{BoneInfo, CarriedInfo, ChannelInfo, LidInfo, MorphInfo, RigInfo};
pub use vivant_io::json::role::Role;
