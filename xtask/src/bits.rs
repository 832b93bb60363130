//! `cargo xtask golden`: checks that the engine gives the same bits in debug, release and WebAssembly builds.

use crate::rust_tests::remove_build;
use crate::steps::{command, execute, output, say};
use crate::{Done, node, root, suite, target};
use std::process::Command;

const WASI: &str = "wasm32-wasip1";
/// Arguments of the program that prints a hash of every second of golden minutes. Without features, it needs only the
/// engine.
const GOLDEN: &str = "-p vivant-tools --bin golden --no-default-features --locked";

/// Builds the golden program in all variants, and compares their output.
pub(crate) fn run() -> Done {
    // For fast tests, the engine is also optimised in debug builds. Here it must not be optimised.
    const PLAIN: &str = "--config profile.dev.package.vivant.opt-level=0";
    add_target()?;
    let debug = output(&mut command(&format!("cargo run --quiet {PLAIN} {GOLDEN}")))?;
    compare("optimised", &debug, &output(&mut Command::new(suite::binary("golden")))?)?;
    for (name, flags) in [("WASM", ""), ("WASM with SIMD", "-C target-feature=+simd128")] {
        compare(name, &debug, &wasm(flags)?)?;
    }
    remove_build(WASI);
    Ok(())
}

/// Builds the programs that [`run`] compares with, and then calls [`run`].
pub(crate) fn build_and_run() -> Done {
    crate::steps::sh(suite::BINARIES)?;
    run()
}

fn add_target() -> Done {
    match output(&mut command("rustup target list --installed")) {
        Ok(installed) if installed.lines().any(|line| line == WASI) => Ok(()),
        _ => execute(&mut command(&format!("rustup target add {WASI}"))),
    }
}

/// Returns the output of the program in Node, compiled with the given flags.
fn wasm(flags: &str) -> Result<String, String> {
    let folder = target().join(WASI);
    let mut build = command(&format!("cargo build --profile checked --target {WASI} {GOLDEN}"));
    execute(build.env("RUSTFLAGS", flags).env("CARGO_TARGET_DIR", &folder))?;
    let module = folder.join(WASI).join("checked/golden.wasm");
    let mut node = Command::new("node");
    output(node.arg("--no-warnings").arg(node::folder().join("run-wasi.mjs")).arg(module).current_dir(root()))
}

fn compare(name: &str, expected: &str, found: &str) -> Done {
    for (ours, theirs) in expected.lines().zip(found.lines()) {
        if ours != theirs {
            return Err(format!(
                "{name} differs from debug, for the first time here:\n  debug: {ours}\n  {name}: {theirs}"
            ));
        }
    }
    let lines = expected.lines().count();
    if lines != found.lines().count() || lines == 0 {
        return Err(format!("{name} printed {} lines, but debug printed {lines}", found.lines().count()));
    }
    say(&format!("  {name}: the same {lines} hashes as in debug"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_second_that_differs_is_named() {
        let debug = "clips at 30 Hz, second 0: 1\nclips at 30 Hz, second 1: 2\n";
        assert_eq!(compare("release", debug, debug), Ok(()));
        let error = compare("release", debug, &debug.replace(": 2", ": 3")).unwrap_err();
        assert!(error.contains("debug: clips at 30 Hz, second 1: 2"), "{error}");
        assert!(compare("release", debug, "clips at 30 Hz, second 0: 1").is_err());
        assert!(compare("release", "", "").is_err());
    }
}
