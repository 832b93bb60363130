//! Models of eye, lid and head movement, with parameters measured in people.
//!
//! [`Eyes`] combines all these models: gaze shifts of eyes, head and torso (paper 2), vergence, VOR, lid following and
//! blinks (papers 1 and 2), and idle fixations and glances. A performer has [its own
//! eyes](crate::performer::Performer::eyes) and applies them to its avatar. [`Eyes`] can also be used alone, for
//! example in research:
//!
//! ```
//! use vivant::eyes::{BlinkIntent, HeadPose, Eyes, Look, Target, Temperament};
//! use vivant::eyes::{blinking::Activity, gaze::Ranges};
//!
//! // A slightly tired character that moves the head little.
//! let temperament = Temperament {
//!     head_movement_factor: 0.3,
//!     resting_aperture: [0.8; 2],
//!     lid_tempo: 0.8,
//!     ..Temperament::default()
//! };
//! let mut eyes = Eyes::new(Ranges::default(), temperament, 7);
//! eyes.start_idle_behaviour(0.0);
//! eyes.set_activity(0.0, Activity::Listening);
//! eyes.attend(0.0, Target::Point([0.0, 1.6, 1.5]));
//!
//! // A ball flies past: look at it for two seconds with a head-movement factor of 0.5.
//! let ball = eyes.target("ball");
//! eyes.look(Look { at: 3.0, secs: Some(2.0), head: Some(0.5), ..Look::at(Target::Named(ball)) });
//! for i in 0..60 {
//!     let t = 3.0 + f64::from(i) / 30.0;
//!     eyes.move_target(t, ball, [1.0 - 0.03 * f64::from(i), 1.8, 2.0]);
//! }
//! eyes.blink(BlinkIntent { at: 6.0, ..BlinkIntent::default() });
//!
//! let frame = eyes.advance_to(4.0, |_, turn| HeadPose::standing(turn));
//! println!("the left eye is open by {:.2}", frame.lids[0].aperture);
//! ```
//!
//! The other modules contain the parts of [`Eyes`]. Each part can be used, plotted and tested alone. All angles here
//! are in degrees, as in the eye-movement literature (poses use radians); all times are in seconds. Yaw is positive
//! to the character's left, pitch is positive up. Comments cite five papers by number: 1 is Steptoe 2010, 2 is Peters
//! & Qureshi 2010, 3 is Trutoiu 2011, 4 is Borer 2019, and 5 is Deng 2005.

pub mod aperture;
pub mod aversion;
pub mod blink;
pub mod blink_model;
pub mod blinking;
mod decay;
pub mod direction;
pub mod driven;
mod eye_rig;
pub mod fixation;
pub mod gaze;
mod glide;
mod head_pose;
pub mod lids;
mod live;
pub mod normal;
pub mod presets;
pub mod profile;
pub mod saccade;
mod temperament;
pub mod texture;
pub mod wander;

pub(crate) use eye_rig::EyeRig;
pub use head_pose::HeadPose;
pub use live::{BlinkIntent, EyeFrame, EyeModels, Eyes, Look, Target, TargetId};
pub use temperament::Temperament;
