//! Turns recordings into models for Vivant.
//!
//! - [`behaviour`]: gesture statistics from annotated conversations.
//! - [`suggest`]: repertoire entries (stance, gesture, fidget, …) from motion clips.
//! - [`recording`], [`blinks`], [`texture`]: blink and gaze models from eye-tracker recordings.
//! - [`film`], [`aam`], [`pca`]: lid models from video.
//! - [`lint`]: checks how human the motion of eyes, lids and head is.

#![forbid(unsafe_code)]

pub mod aam;
pub mod behaviour;
pub mod blinks;
pub mod film;
pub mod landmarks;
pub mod lint;
pub mod pca;
pub mod recording;
pub mod statistics;
pub mod suggest;
pub mod texture;
