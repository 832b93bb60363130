//! Bytes to engine types and back: avatars and motion, and what people and agents write.
//!
//! Every format is first read into a [`scene::Source`], which knows nodes and their animations but no
//! anatomy. [`import`] then finds the humanoid in it and retargets its clips into humanoid space,
//! once. What people and agents write is in [`json`]. Nothing here opens a file: bytes come in and go out.
//!
//! Whatever is dropped on the way is a [`Warning`]; what cannot be read is an [`Error`] that names
//! the place and the fix. All input is hostile: readers have [limits] and never panic.

#![forbid(unsafe_code)]

pub mod audio;
pub mod bvh;
pub mod character;
pub mod eaf;
mod euler;
#[cfg(feature = "fbx")]
pub mod fbx;
pub mod gltf;
pub mod humanoid;
mod import;
pub mod json;
mod lids;
mod rate;
pub mod retarget;
pub mod scene;
pub mod speech;
pub mod table;
pub mod viewer;
pub mod vmc;

pub use import::{Import, import};
pub(crate) use vivant::error;
pub use vivant::{Error, ErrorKind, Result, Warning, WarningCode, limits};

/// Compiles what the README shows.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// … and what the page on VMC shows.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/vmc.md")]
struct VmcGuide;
