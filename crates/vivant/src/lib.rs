//! Vivant makes a virtual character look alive.
//!
//! This crate is the engine: no files, clocks, threads, sockets or global state. A
//! [performer](performer::Performer) is advanced to an absolute time and gives a
//! [frame](frame::Frame); what happens at an instant is decided by events at exact times and by a
//! seed, so the same seed and the same wishes give the same bits at any frame rate, on any machine
//! and in the browser.

pub mod body;
pub mod chance;
pub mod clip;
pub mod crowd;
pub mod error;
pub mod eyes;
pub mod frame;
pub mod intent;
mod kernel;
pub mod math;
pub mod mimicry;
pub mod performer;
pub mod pose;
pub mod rig;
pub mod speech;

pub use error::{Error, Result};
