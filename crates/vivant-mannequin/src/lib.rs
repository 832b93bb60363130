//! The built-in character: an avatar and its motions, without any files.
//!
//! The crate has no assets. The avatar's meshes are generated from distance fields and rings of vertices, its
//! textures are procedural, and the motions are key poses in plain text. The results are the same on every machine.
//! Each motion starts and ends in a stance of body and arms, or of the head. See [`starter_repertoire`] for the
//! stances and labels.
//!
//! ```
//! use vivant_mannequin::{Avatar, Look};
//! let vrm = Avatar::new(Look::of_seed(7)).vrm(); // a file for any VRM viewer
//! assert!(vrm.starts_with(b"glTF"));
//! let rig = vivant_mannequin::rig();
//! let clips = vivant_mannequin::starter_clips();
//! assert_eq!(rig.bones().len(), 55);
//! assert!(clips.iter().any(|clip| clip.name() == "wave"));
//! let repertoire = vivant_mannequin::starter_repertoire();
//! assert_eq!(repertoire.stances[0].name, "arms-at-sides");
//! ```

#![forbid(unsafe_code)]

mod avatar;
mod collision;
mod compile;
mod craft;
mod figure;
mod hand;
#[cfg(test)]
mod labels;
mod limb;
mod look;
mod motion;
mod push;
mod repertoire;
mod rig;
mod score;
mod stances;
mod starter;
mod track;

pub use avatar::Avatar;
pub use look::{HairStyle, Look, Rgb};
pub use repertoire::starter_repertoire;
pub use rig::rig;
pub use starter::{StarterClips, starter_clips};
