//! Prints a hash of every second of the golden minutes (performances whose frames may only change on purpose), at
//! several frame rates.
//!
//! The engine's tests have the same hashes in `crates/vivant/tests/golden`. `cargo xtask golden` runs this program
//! natively in debug and release mode, and as WebAssembly in Node with and without SIMD, and compares the output.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "its purpose is to print")]

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
