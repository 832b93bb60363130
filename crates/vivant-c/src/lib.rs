//! Vivant for C, and for all that calls C: Unity, Unreal, Godot, your own engine.
//!
//! Bindings only: whatever a performer is and does is in [`vivant_host`]. What is here is what C has no words for. A
//! thing is a handle (`handles`), so that what was freed cannot be used; an error is a number and a sentence (`status`);
//! a panic ends here; and whatever goes in or out is looked at (`raw`) before it is believed.
//!
//! `include/vivant.h` is made of this by cbindgen, and its rules stand there; `docs/c.md` is for who uses it.

#![allow(unsafe_code, reason = "C hands over pointers")]
#![allow(clippy::missing_safety_doc, reason = "one rule holds for all pointers, and begins the header")]

mod handles;
mod raw;

// These in the order in which people read a header.
mod status;

mod making;

mod telling;

mod reading;

pub use making::*;
pub use reading::*;
pub use status::{Status, vivant_last_error};
pub use telling::*;

use std::ffi::c_char;

/// The version of what this header says. A library that says another in vivant_abi() does not fit this header.
pub const VIVANT_ABI: u32 = 1;

/// How many bones a performer has, whatever its avatar: those of VRM 1.0, parents first. Those that the avatar lacks
/// never turn.
pub const VIVANT_BONES: usize = 55;

/// How many numbers vivant_signals() gives.
pub const VIVANT_SIGNALS: usize = 14;

const _: () = assert!(VIVANT_BONES == vivant::rig::Bone::COUNT);
const _: () = assert!(VIVANT_SIGNALS == vivant_host::signals::SIGNALS.len());

/// The VIVANT_ABI of the library: compare it with the header's before anything else.
#[unsafe(no_mangle)]
pub extern "C" fn vivant_abi() -> u32 {
    VIVANT_ABI
}

/// The version of Vivant, such as "0.1.0". It is the library's: do not free it.
#[unsafe(no_mangle)]
pub extern "C" fn vivant_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
