//! Vivant for C, and for everything that can call C: Unity, Unreal, Godot, your own engine.
//!
//! These are only bindings: performers are implemented in [`vivant_host`]. Objects are handles (`handles`), so that a
//! freed object cannot be used; an error is a status and a message (`status`); panics are caught; and all pointers
//! and sizes are checked (`raw`) before use.
//!
//! cbindgen generates `include/vivant.h` from this crate, with the rules for all functions; `docs/guides/c.md` is the
//! guide.

#![allow(unsafe_code, reason = "C hands over pointers")]
#![allow(clippy::missing_safety_doc, reason = "the header starts with one rule for all pointers")]

mod handles;
mod raw;

// In the order of the header.
mod status;

mod making;

mod telling;

mod reading;

pub use making::*;
pub use reading::*;
pub use status::{Status, vivant_last_error};
pub use telling::*;

use std::ffi::c_char;

/// Version of this header. The library is compatible only if its vivant_abi() returns the same number.
pub const VIVANT_ABI: u32 = 1;

/// Number of bones of every performer: those of VRM 1.0, parents first. Bones that the avatar does not have never
/// rotate.
pub const VIVANT_BONES: usize = 55;

/// Number of values of vivant_signals().
pub const VIVANT_SIGNALS: usize = 14;

const _: () = assert!(VIVANT_BONES == vivant::rig::Bone::COUNT);
const _: () = assert!(VIVANT_SIGNALS == vivant_host::signals::SIGNALS.len());

/// Returns the VIVANT_ABI of the library. Before any other call, compare the result with the VIVANT_ABI of the
/// header.
#[unsafe(no_mangle)]
pub extern "C" fn vivant_abi() -> u32 {
    VIVANT_ABI
}

/// Returns the version of Vivant, such as "0.1.0". The text belongs to the library: do not free it.
#[unsafe(no_mangle)]
pub extern "C" fn vivant_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
