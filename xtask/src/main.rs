//! The tasks of the project, such as `cargo xtask test`; `cargo xtask --help` lists all of them.
//!
//! These tasks are a program instead of shell scripts, so that they work in the same way on every system.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "tasks print their progress")]

mod bench;
mod bits;
mod deps;
mod disk;
mod flags;
mod node;
mod npm;
mod prose;
mod python;
mod rust_tests;
mod site;
mod skips;
mod steps;
mod suite;
mod tools;
mod wheel;

use std::path::PathBuf;
use std::process::ExitCode;

/// Text of `cargo xtask --help`; `{parts}` is replaced by the parts of the tests.
const HELP: &str = "\
cargo xtask test [PART…]  install dependencies of the tests, lint, build and test everything (about half an hour on
                          2 cores), or only these parts:
{parts}
                          --keep-going runs all steps, even if one of them fails
cargo xtask deps          check dependencies between crates, unsafe code, and that library messages name no options
cargo xtask prose         check the English of comments, messages and documentation, and the spelling
cargo xtask golden        check that debug, release and WASM give the same bits
cargo xtask wheel         build the Python package into target/wheels
cargo xtask npm           build the browser package in packages/vivant; `npm names` keeps names in it, for profilers
cargo xtask sheets        draw the built-in character for docs/mannequin, in headless Chromium
cargo xtask site [--base /x/]  build the documentation as a website in target/site
cargo xtask picture       draw the moving picture of the README, in headless Chromium
cargo xtask bench [NAME]  measure everything, or one benchmark: aam, blinks, character, elan, lip_sync, npm, peers, serve,
                          texture, texture-judge, track. Set VIVANT_BENCH to a folder with h55_limit.c, elan.py, pca49.py
                          and texture_limit.c to compare with other programs. `bench serve [--seconds N]` loads the live
                          server, 10 minutes per scene; `bench track [--frames N]` tracks a film from a pipe

Set VIVANT_DATA to a folder with avatars and motions to test with real files too. Skipped tests are counted at the
end.";

fn main() -> ExitCode {
    let task = std::env::args().nth(1).unwrap_or_default();
    let done = match task.as_str() {
        "test" => suite::run(&std::env::args().skip(2).collect::<Vec<_>>()),
        "deps" => deps::run(),
        "prose" => prose::run(),
        "golden" => bits::build_and_run(),
        "wheel" => wheel::run(),
        "sheets" => suite::sheets(),
        "site" => site::run(&std::env::args().skip(2).collect::<Vec<_>>()),
        "picture" => suite::picture(),
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

/// Result of a task: nothing, or an error message.
type Done = Result<(), String>;

/// Returns the root of the repository.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().map(PathBuf::from).unwrap_or_default()
}

/// Returns Cargo's build folder.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}
