//! Eyes, lids and head: how they move, as measured in people, and how they live.
//!
//! [`Eyes`] is all of it as one: gaze shifts of eyes, head and torso (paper 2), vergence, VOR, lids that
//! follow and blink (papers 1 and 2), fixations and glances of their own. A performer has
//! [one](crate::performer::Performer::eyes), and shows it on its avatar; a researcher may use it alone:
//!
//! ```
//! use vivant::eyes::{BlinkIntent, Carriage, Eyes, Look, Target, Temperament};
//! use vivant::eyes::{blinking::Activity, gaze::Ranges};
//!
//! // Someone who moves the head reluctantly and is a little tired.
//! let temperament = Temperament {
//!     head_movement_factor: 0.3,
//!     resting_aperture: [0.8; 2],
//!     lid_tempo: 0.8,
//!     ..Temperament::default()
//! };
//! let mut eyes = Eyes::new(Ranges::default(), temperament, 7);
//! eyes.live(0.0);
//! eyes.be(0.0, Activity::Listening);
//! eyes.attend(0.0, Target::Point([0.0, 1.6, 1.5]));
//!
//! // A ball flies past: look at it for two seconds, with half of the head.
//! let ball = eyes.target("ball");
//! eyes.look(Look { at: 3.0, secs: Some(2.0), head: Some(0.5), ..Look::at(Target::Named(ball)) });
//! for i in 0..60 {
//!     let t = 3.0 + f64::from(i) / 30.0;
//!     eyes.move_target(t, ball, [1.0 - 0.03 * f64::from(i), 1.8, 2.0]);
//! }
//! eyes.blink(BlinkIntent { at: 6.0, ..BlinkIntent::default() });
//!
//! let frame = eyes.advance_to(4.0, |_, turn| Carriage::standing(turn));
//! println!("the left eye is open by {:.2}", frame.lids[0].aperture);
//! ```
//!
//! The other modules are the parts, each to be used, plotted and tested alone. Everything here is in
//! degrees and seconds, because that is how eyes are measured; a pose has radians. Yaw is positive to the
//! character's left, pitch is positive up.

pub mod aperture;
pub mod aversion;
pub mod blink;
pub mod blink_model;
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
pub mod presets;
pub mod profile;
pub mod saccade;
mod showing;
mod temperament;
pub mod texture;
pub mod wander;

pub use carriage::Carriage;
pub use live::{BlinkIntent, EyeFrame, Eyes, Learned, Look, Target, TargetId};
pub(crate) use showing::EyeRig;
pub use temperament::Temperament;
