//! What lies on the disk: recordings, films and characters, as the `vivant` command and the Python package read and
//! write them.
//!
//! The engine, its readers and its learners know bytes and numbers. Which files make a recording, how a video becomes
//! frames and what a character's folder holds is the same for everyone who has a disk, and it is here, once.

#![forbid(unsafe_code)]

pub mod annotations;
pub mod avatar;
pub mod character;
pub mod disk;
pub mod film;
pub mod recording;
pub mod track;
