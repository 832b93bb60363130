//! Eyes and lids: how they move, as measured in people.
//!
//! Everything here is in degrees and seconds, because that is how eyes are measured; a pose has
//! radians. Movements are functions of the time since they began, so they can be asked at any rate.

pub mod blink;
pub mod blinking;
pub mod direction;
pub mod driven;
pub mod fixation;
pub mod gaze;
mod glide;
pub mod lids;
pub mod normal;
pub mod profile;
pub mod saccade;
pub mod wander;
