//! The built-in character, so that Vivant moves before anyone has an avatar.
//!
//! There are no assets: the skeleton is a table of joints, and the motions are key poses that code
//! interpolates. They come out the same on every machine, and each starts and ends in
//! [`Pose::neutral`](vivant::pose::Pose::neutral), so that any may follow any other.
//!
//! ```
//! let rig = vivant_mannequin::rig();
//! let clips = vivant_mannequin::starter_clips();
//! assert_eq!(rig.bones().len(), 55);
//! assert!(clips.iter().any(|clip| clip.name() == "wave"));
//! ```

#![forbid(unsafe_code)]

mod limb;
mod motion;
mod rig;
mod starter;

pub use rig::rig;
pub use starter::starter_clips;
