//! Reads and writes files and messages for Vivant: avatars, motion, speech, annotations and JSON.
//!
//! Every avatar and motion format is first read into a [`scene::Source`]: nodes and their animations, without
//! anatomy. [`import`] then finds the humanoid in it and retargets its clips into humanoid space. JSON files and
//! protocol messages are in [`json`]. Nothing here opens a file; functions take and return bytes.
//!
//! Dropped or guessed content is reported as a [`Warning`]. Input that cannot be read is an [`Error`] with the place
//! and the fix. All input is untrusted: readers have [limits] and never panic.

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

/// Compiles the examples in the documentation of the Rust API.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/reference/rust.md")]
struct RustPage;

/// Compiles the example in the page about the text of speech lines.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/reference/speech-text.md")]
struct SpeechTextPage;

/// Compiles the example in the page on blink models.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/reference/blink-model.md")]
struct BlinkModelPage;

/// Compiles the examples in the VMC guide.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guides/vmc.md")]
struct VmcGuide;
