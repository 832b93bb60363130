//! Prints the hash of a minute's performance at several frame rates.
//!
//! The same bits everywhere is a promise; this is how it is kept. The test `performance` holds the
//! hash, and `cargo xtask test` runs this program natively, in debug and release,
//! and as WebAssembly in Node with and without SIMD, and compares what it prints.

#![allow(clippy::print_stdout, reason = "it is there to print")]

#[path = "../tests/stage/mod.rs"]
mod stage;

fn main() {
    for fps in [30, 60, 144] {
        println!("{fps} Hz {:016x}", stage::minute(fps));
    }
    for fps in [30, 60, 144] {
        println!("{fps} Hz with a repertoire {:016x}", stage::minute_of_character(fps));
    }
    for fps in [24, 60, 90, 1000] {
        println!("{fps} Hz with eyes {:016x}", stage::living_minute(fps));
    }
    for fps in [30, 60, 144] {
        println!("{fps} Hz with learned eyes {:016x}", stage::learned_minute(fps));
    }
    for fps in [30, 60, 144] {
        println!("{fps} Hz driven by a tracker {:016x}", stage::driven_minute(fps));
    }
}
