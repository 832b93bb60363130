//! `cargo xtask test`: everything that has to hold, from a fresh clone.

use crate::python::{PYMPI, PYTHON_OSC, SKLEARN};
use crate::steps::{Steps, command, execute, exists, output};
use crate::{Done, deps, npm, root, target, tools, wheel};
use std::path::PathBuf;
use std::process::Command;

const WASI: &str = "wasm32-wasip1";
/// What other programs try is built as tests are.
pub(crate) const BINARY: &str = "cargo build --profile quick --locked -p vivant-cli";

/// All of it, or the steps with one of these words in their names.
pub(crate) fn run(wanted: &[String]) -> Done {
    let mut steps = Steps::new(wanted);
    announce_data();
    steps.step("Install what tests need", install)?;
    steps.step("Format: every file as rustfmt writes it", || sh("cargo fmt --all --check"))?;
    steps.step("Lint: clippy without a warning", || {
        sh("cargo clippy --workspace --all-targets --all-features --locked -- -D warnings")
    })?;
    steps.step("Studio: its types hold, and are those of the protocol; what it computes is right", || {
        execute(command("npm run --silent check").current_dir(studio()))?;
        execute(command("npm test --silent").current_dir(studio()))
    })?;
    steps.step("Dependencies: each points the right way", deps::run)?;
    steps.step("Documentation: builds without a broken link", || {
        execute(command("cargo doc --workspace --no-deps --locked").env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    steps.step("Install what ELAN files are compared with: pympi", || PYMPI.install())?;
    steps.step("Install what principal components are compared with: scikit-learn", || SKLEARN.install())?;
    steps.step("Install what VMC is read and written with: python-osc", || PYTHON_OSC.install())?;
    steps.step("Tests in debug", || {
        let mut tests = command("cargo test --workspace --all-features --locked");
        tests.envs(PYMPI.python().map(|python| ("VIVANT_PYTHON", python)));
        tests.envs(PYTHON_OSC.python().map(|python| ("VIVANT_PYTHON_OSC", python)));
        execute(tests.envs(SKLEARN.python().map(|python| ("VIVANT_SKLEARN", python))))
    })?;
    steps.step("Tests of the engine, optimised", || sh("cargo test --profile quick --locked -p vivant"))?;
    steps.step("Build the binary, optimised", || sh(BINARY))?;
    steps.step("Python: the wheel in a clean environment, its page, and Ray", wheel::test)?;
    steps.step("Same bits: debug, release, WASM, WASM with SIMD", same_bits)?;
    steps.step("Build the browser package", npm::run)?;
    steps.step(
        "Browser package: small, the same bits in Node and Chromium, alive in three-vrm and TalkingHead",
        || node_tests(true),
    )?;
    steps.step("Files written open elsewhere: validator, three.js, three-vrm, Chromium, Blender", || {
        node_tests(false)
    })?;
    steps.step("Bevy: a character lives in an app without a window", bevy)?;
    steps.summary();
    println!("\nAll is well.");
    Ok(())
}

/// Bevy has a workspace of its own, and is built among what is built here.
fn bevy() -> Done {
    let folder = root().join("crates/bevy_vivant");
    let built = target().join("bevy");
    for line in
        ["cargo fmt --check", "cargo clippy --all-targets --locked -- -D warnings", "cargo test --locked"]
    {
        execute(command(line).current_dir(&folder).env("CARGO_TARGET_DIR", &built))?;
    }
    Ok(())
}

fn sh(line: &str) -> Done {
    execute(&mut command(line))
}

fn announce_data() {
    match std::env::var("VIVANT_DATA") {
        Ok(folder) => println!("Real files come from {folder}"),
        Err(_) => println!("VIVANT_DATA is not set: tests on real files will say that they are skipped"),
    }
}

fn install() -> Done {
    let targets = output(&mut command("rustup target list --installed"));
    match targets {
        Ok(installed) if installed.lines().any(|line| line == WASI) => println!("  {WASI} is there"),
        _ => sh(&format!("rustup target add {WASI}"))?,
    }
    if !exists("node --version") {
        return Err("Node is missing; install Node 20 or newer (https://nodejs.org)".into());
    }
    for folder in [js(), studio()] {
        execute(command("npm ci --no-audit --no-fund --loglevel=error").current_dir(folder))?;
    }
    tools::install()
}

fn js() -> PathBuf {
    root().join("tests/js")
}

fn studio() -> PathBuf {
    root().join("studio")
}

/// The engine's golden example prints a line a check; all builds of it must print the same.
pub(crate) fn same_bits() -> Done {
    const EXAMPLE: &str = "-p vivant --example golden --locked";
    // The engine is optimised in debug builds too, for the sake of tests; here it must not be.
    const PLAIN: &str = "--config profile.dev.package.vivant.opt-level=0";
    let mut plain = command(&format!("cargo run --quiet {PLAIN} {EXAMPLE}"));
    let native = output(plain.env("CARGO_TARGET_DIR", target().join("plain")))?;
    print!("{native}");
    compare("release", &native, &output(&mut command(&format!("cargo run --quiet --release {EXAMPLE}")))?)?;
    for (name, flags) in [("WASM", ""), ("WASM with SIMD", "-C target-feature=+simd128")] {
        // Flags of their own need a folder of their own, or each build would undo the other.
        let folder = target().join(if flags.is_empty() { "wasi" } else { "wasi-simd" });
        let mut build = command(&format!("cargo build --release --target {WASI} {EXAMPLE}"));
        execute(build.env("RUSTFLAGS", flags).env("CARGO_TARGET_DIR", &folder))?;
        let module = folder.join(WASI).join("release/examples/golden.wasm");
        let mut node = Command::new("node");
        node.arg("--no-warnings").arg(js().join("run-wasi.mjs")).arg(module);
        compare(name, &native, &output(&mut node)?)?;
    }
    Ok(())
}

fn compare(name: &str, expected: &str, found: &str) -> Done {
    for (ours, theirs) in expected.lines().zip(found.lines()) {
        if ours != theirs {
            return Err(format!("{name} differs from debug:\n  debug: {ours}\n  {name}: {theirs}"));
        }
    }
    if expected.lines().count() != found.lines().count() || expected.is_empty() {
        return Err(format!(
            "{name} prints {} lines and debug {}",
            found.lines().count(),
            expected.lines().count()
        ));
    }
    println!("  {name}: the same {} lines", found.lines().count());
    Ok(())
}

/// Tests in JavaScript: those of the browser package, or all others.
fn node_tests(of_package: bool) -> Done {
    const OF_PACKAGE: &str = "browser_";
    let list = std::fs::read_dir(js()).map_err(|e| format!("tests/js: {e}"))?;
    let names = list.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let is_wanted = |name: &String| name.ends_with(".test.mjs") && name.starts_with(OF_PACKAGE) == of_package;
    let mut names: Vec<String> = names.filter(is_wanted).collect();
    names.sort();
    let mut node = command("node --test --test-reporter=spec");
    execute(node.args(names).current_dir(js()).env("VIVANT", binary("quick")))
}

/// The command, as a profile builds it.
pub(crate) fn binary(profile: &str) -> PathBuf {
    target().join(profile).join(format!("vivant{}", std::env::consts::EXE_SUFFIX))
}

/// Draws the pictures of the built-in character anew, for the documentation.
pub(crate) fn sheets() -> Done {
    install()?;
    sh(BINARY)?;
    let mut node = command("node --test --test-reporter=spec mannequin.test.mjs");
    node.current_dir(js()).env("VIVANT", binary("quick")).env("VIVANT_SHEETS", "docs/mannequin");
    execute(node.env("VIVANT_BROWSER", "required"))
}
