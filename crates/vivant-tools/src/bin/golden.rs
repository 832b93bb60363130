//! Prints a hash of every second of golden minutes, at several frame rates.
//!
//! Tests of the engine hold the same hashes in `crates/vivant/tests/golden`. `cargo xtask golden` runs this program
//! natively, in debug and release, and as WebAssembly in Node with and without SIMD, and compares what it prints.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "it is there to print")]

#[path = "../../../vivant/tests/stage/mod.rs"]
mod stage;

fn main() {
    for golden in stage::golden::ALL {
        for &fps in golden.rates {
            for (second, hash) in golden.hashes(fps).iter().enumerate() {
                println!("{} at {fps} Hz, second {second}: {hash:016x}", golden.name);
            }
        }
    }
}
