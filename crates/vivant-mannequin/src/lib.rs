//! The built-in character, so that Vivant moves before anyone has an avatar.
//!
//! There are no assets: the avatar is distance fields and rings of vertices, its textures are painted point by
//! point, and the motions are key poses in plain text. They come out the same on every machine. Each starts and ends in a stance of body and
//! arms or of the head; which one, and what it is good for, is in [`starter_repertoire`].
//!
//! ```
//! use vivant_mannequin::{Avatar, Look};
//! let vrm = Avatar::new(Look::of_seed(7)).vrm(); // a file that VRM viewers show
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
mod touch;
mod track;

pub use avatar::Avatar;
pub use look::{HairStyle, Look, Rgb};
pub use repertoire::starter_repertoire;
pub use rig::rig;
pub use starter::{StarterClips, starter_clips};
