//! The project's own tasks: `cargo xtask test`, `cargo xtask deps`, `cargo xtask wheel`, `cargo xtask npm`,
//! `cargo xtask sheets` and `cargo xtask bench`.
//!
//! They are a program, and not shell scripts, so that they do the same on every system.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "a task tells what it does")]

mod bench;
mod bits;
mod deps;
mod disk;
mod flags;
mod node;
mod npm;
mod python;
mod rust_tests;
mod skips;
mod steps;
mod suite;
mod tools;
mod wheel;

use std::path::PathBuf;
use std::process::ExitCode;

/// What `cargo xtask --help` prints; the parts of the tests stand in for `{parts}`.
const HELP: &str = "\
cargo xtask test [PART…]  install what tests need, lint, build and test everything (about half an hour on 2 cores), or
                          only these parts:
{parts}
cargo xtask deps          check which crate uses which, where unsafe code is, and that libraries name no options
cargo xtask golden        check that debug, release and WASM give the same bits
cargo xtask wheel         build the Python package into target/wheels
cargo xtask npm           build the browser package in packages/vivant; `npm names` leaves names in it, for profilers
cargo xtask sheets        draw the built-in character for docs/mannequin, in headless Chromium
cargo xtask bench [NAME]  measure everything, or one benchmark: aam, blinks, character, elan, hearing, npm, peers, serve,
                          texture, texture-judge, track. Set VIVANT_BENCH to a folder with h55_limit.c, elan.py, pca49.py
                          and texture_limit.c to compare with other programs. `bench serve [--seconds N]` loads the live
                          server, 10 minutes a scene; `bench track [--frames N]` sends a film through a pipe

Set VIVANT_DATA to a folder with avatars and motion to test on real files too. Tests that are skipped without it are
counted at the end.";

fn main() -> ExitCode {
    let task = std::env::args().nth(1).unwrap_or_default();
    let done = match task.as_str() {
        "test" => suite::run(&std::env::args().skip(2).collect::<Vec<_>>()),
        "deps" => deps::run(),
        "golden" => bits::build_and_run(),
        "wheel" => wheel::run(),
        "sheets" => suite::sheets(),
        "npm" if std::env::args().nth(2).as_deref() == Some("names") => npm::with_names(),
        "npm" => npm::run(),
        "bench" => {
            let options: Vec<String> = std::env::args().skip(3).collect();
            bench::run(std::env::args().nth(2).as_deref(), &options)
        }
        _ => {
            println!("{}", HELP.replace("{parts}", &suite::parts_help()));
            return if matches!(task.as_str(), "" | "help" | "--help" | "-h") {
                ExitCode::SUCCESS
            } else {
                ExitCode::from(2)
            };
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("\n✗ {message}");
            ExitCode::FAILURE
        }
    }
}

/// What a task gives: nothing, or a sentence about what failed.
type Done = Result<(), String>;

/// The root of the repository.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().map(PathBuf::from).unwrap_or_default()
}

/// Where Cargo builds to.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}
