//! Recordings to models: what people do, from annotations; what a clip is, from its motion; how someone blinks and
//! glances, from recordings of eyes; and lids, from film.

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
