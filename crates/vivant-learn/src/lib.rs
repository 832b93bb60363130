//! Recordings to models: what people do, from annotations; what a clip is, from its motion.

#![forbid(unsafe_code)]

pub mod behaviour;
pub mod blinks;
pub mod pca;
pub mod recording;
pub mod suggest;
pub mod texture;
