//! Eyes and lids: how they move, as measured in people.
//!
//! Everything here is in degrees and seconds, because that is how eyes are measured; a pose has
//! radians. Movements are functions of the time since they began, so they can be asked at any rate.

pub mod aperture;
pub mod blink;
pub mod blinking;
mod carriage;
pub mod direction;
pub mod driven;
pub mod fixation;
pub mod gaze;
mod glide;
mod jump;
pub mod lids;
mod live;
pub mod normal;
pub mod profile;
pub mod saccade;
mod showing;
mod temperament;
pub mod wander;

pub use carriage::Carriage;
pub use live::{BlinkIntent, EyeFrame, Eyes, Look, Target, TargetId};
pub(crate) use showing::EyeRig;
pub use temperament::Temperament;
