//! `cargo xtask test`: runs all checks and tests from a fresh clone, or one part of them.

use crate::node::{self, Group};
use crate::python::{PYMPI, PYTHON_OSC, SKLEARN};
use crate::rust_tests::{self, Which};
use crate::steps::{Step, Steps, build_once, command, execute, sh};
use crate::{Done, bits, deps, disk, npm, prose, root, site, skips, target, tools, wheel};
use std::path::PathBuf;

/// Builds the command and our tools. They are built together, so that they share all libraries.
pub(crate) const BINARIES: &str = "cargo build --profile checked --locked -p vivant-cli -p vivant-tools";

/// The step that opens written files in other programs, and runs the code in the documentation.
const FILES: &str = "Test files in other programs, the site, and the code of its pages";

/// The option that runs all steps, even if one of them fails.
const KEEP_GOING: &str = "--keep-going";

/// A part of the tests that can be run separately.
struct Part {
    name: &'static str,
    what: &'static str,
    steps: fn() -> Vec<Step>,
}

static PARTS: [Part; 10] = [
    Part { name: "engine", what: "the crate vivant", steps: engine },
    Part { name: "io", what: "the crate vivant-io", steps: io },
    Part { name: "learn", what: "the crate vivant-learn", steps: learn },
    Part { name: "host", what: "the crates vivant-host and vivant-mannequin", steps: host },
    Part { name: "cli", what: "the command, and the files that it writes in other programs", steps: cli },
    Part { name: "studio", what: "the studio, in Chromium", steps: studio },
    Part { name: "browser", what: "the npm package, in Node and Chromium", steps: browser },
    Part { name: "python", what: "the Python package", steps: python },
    Part { name: "c", what: "the C library, from C, C++ and C#", steps: c },
    Part { name: "bevy", what: "the Bevy plug-in", steps: bevy },
];

/// Returns the names of all parts with descriptions of their tests, one line each.
pub(crate) fn parts_help() -> String {
    let line = |part: &Part| format!("    {:<9}{}", part.name, part.what);
    PARTS.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Runs all tests, or the named parts of them.
pub(crate) fn run(arguments: &[String]) -> Done {
    let (options, names): (Vec<_>, Vec<_>) = arguments.iter().partition(|word| *word == KEEP_GOING);
    let parts = names.into_iter().map(|name| part(name)).collect::<Result<Vec<_>, _>>()?;
    if parts.is_empty() {
        disk::check_free()?;
        build_once();
    }
    skips::forget()?;
    let steps = Steps::new(!options.is_empty());
    let result = if parts.is_empty() {
        whole(&steps)
    } else {
        parts.iter().try_for_each(|part| steps.run(&(part.steps)()))
    };
    let result = steps.finish(result);
    skips::tell()?;
    result?;
    println!("\nAll tests passed.");
    Ok(())
}

fn part(name: &str) -> Result<&'static Part, String> {
    PARTS.iter().find(|part| part.name == name).ok_or_else(|| {
        let names = PARTS.iter().map(|part| part.name).collect::<Vec<_>>().join(", ");
        format!(
            "there is no part “{name}” of the tests; the parts are {names}, and without a name all are run"
        )
    })
}

/// Runs all steps. Tests that depend on the clock, such as the tests of the live server, run when nothing is being
/// compiled.
fn whole(steps: &Steps) -> Done {
    steps.run(&[
        Step::new("Install Node packages", node::install),
        Step::new("Check the format", || sh("cargo fmt --all --check")),
        Step::new("Check dependencies between crates", deps::run),
        Step::new("Check English and spelling", prose::run),
    ])?;
    steps.run_both([
        vec![
            Step::new("Install programs and Python packages", install_all),
            Step::new("Build and lint all crates and their tests", rust_tests::build),
            Step::new("Build the Rust documentation", documentation),
        ],
        vec![
            Step::new("Check types and run unit tests of the studio", studio_units),
            Step::new("Test the Bevy plug-in", bevy_crate),
            Step::new("Build the browser package", npm::run),
            Step::new("Build the site", || site::run(&[])),
        ],
    ])?;
    steps.run_both([
        vec![
            Step::new("Compare bits: debug, optimised, WASM, WASM with SIMD", bits::run),
            Step::new("Test the libraries", || rust_tests::run(Which::Libraries)),
            Step::new("Run examples of the Rust documentation", rust_tests::documentation),
            Step::new("Test xtask", rust_tests::test_xtask),
        ],
        vec![
            Step::new("Build the Python package", wheel::prepare),
            Step::new(FILES, || node::test(Group::Files)),
        ],
    ])?;
    steps.run_both([
        vec![Step::new("Test the command", || rust_tests::run(Which::Command))],
        vec![
            Step::new("Test the Python package, its page, and Ray", wheel::test),
            Step::new("Test the browser package in Node and Chromium", || node::test(Group::Package)),
        ],
    ])?;
    steps.run(&[
        Step::new("Test the studio in Chromium", || node::test(Group::Studio)),
        Step::new("Compare one character in five hosts", || node::test(Group::Hosts)),
    ])
}

fn install_all() -> Done {
    tools::install(&tools::ALL)?;
    [PYMPI, SKLEARN, PYTHON_OSC].iter().try_for_each(crate::python::Environment::install)
}

fn engine() -> Vec<Step> {
    vec![Step::new("Test the engine", || test(&["vivant", "vivant-testing"]))]
}

fn io() -> Vec<Step> {
    vec![Step::new("Test vivant-io", || test(&["vivant-io"]))]
}

fn learn() -> Vec<Step> {
    vec![
        Step::new("Install pympi and scikit-learn", || {
            PYMPI.install()?;
            SKLEARN.install()
        }),
        Step::new("Test vivant-learn", || test(&["vivant-learn"])),
    ]
}

fn host() -> Vec<Step> {
    const CRATES: [&str; 2] = ["vivant-host", "vivant-mannequin"];
    vec![
        Step::new("Install ffmpeg", || tools::install(&[tools::FFMPEG])),
        Step::new("Test vivant-host and vivant-mannequin", || test(&CRATES)),
    ]
}

fn cli() -> Vec<Step> {
    vec![
        Step::new("Install Node packages", node::install),
        Step::new("Install programs and python-osc", || {
            tools::install(&[tools::FFMPEG, tools::ESPEAK, tools::BLENDER, tools::CHROMIUM])?;
            PYTHON_OSC.install()
        }),
        Step::new("Test vivant-cli", || test(&["vivant-cli"])),
        Step::new("Build the command and tools, optimised", || sh(BINARIES)),
        Step::new("Build the browser package", npm::run),
        Step::new("Build the site", || site::run(&[])),
        Step::new(FILES, || node::test(Group::Files)),
    ]
}

fn studio() -> Vec<Step> {
    vec![
        Step::new("Install Node packages", node::install),
        Step::new("Install Chromium, ffmpeg and espeak-ng", || {
            tools::install(&[tools::CHROMIUM, tools::FFMPEG, tools::ESPEAK])
        }),
        Step::new("Check types and run unit tests of the studio", studio_units),
        Step::new("Build the command and tools, optimised", || sh(BINARIES)),
        Step::new("Test the studio in Chromium", || node::test(Group::Studio)),
    ]
}

fn browser() -> Vec<Step> {
    vec![
        Step::new("Install Node packages", node::install),
        Step::new("Install Chromium", || tools::install(&[tools::CHROMIUM])),
        Step::new("Build the browser package", npm::run),
        Step::new("Build the command and tools, optimised", || sh(BINARIES)),
        Step::new("Test the browser package in Node and Chromium", || node::test(Group::Package)),
    ]
}

fn python() -> Vec<Step> {
    vec![
        Step::new("Install ffmpeg", || tools::install(&[tools::FFMPEG])),
        Step::new("Build all crates", rust_tests::build),
        Step::new("Build the Python package", wheel::prepare),
        Step::new("Test the Python package, its page, and Ray", wheel::test),
    ]
}

fn c() -> Vec<Step> {
    vec![
        Step::new("Install compilers and Valgrind", || {
            tools::install(&[tools::COMPILER, tools::VALGRIND, tools::MONO])
        }),
        Step::new("Test vivant-c", || test(&["vivant-c"])),
    ]
}

fn bevy() -> Vec<Step> {
    vec![Step::new("Test the Bevy plug-in", bevy_crate)]
}

/// Lints, builds and runs the tests of the given crates.
fn test(crates: &[&str]) -> Done {
    let chosen = chosen(crates);
    sh(&format!("cargo fmt {chosen} --check"))?;
    let mut tests = rust_tests::linted(&format!("cargo test {chosen} --all-features"))?;
    execute(tests.envs(rust_tests::pythons()))
}

fn chosen(crates: &[&str]) -> String {
    crates.iter().map(|name| format!("-p {name}")).collect::<Vec<_>>().join(" ")
}

/// Builds the documentation of our crates. It shares macros and build scripts with the tests.
fn documentation() -> Done {
    let mut doc = rust_tests::linted("cargo doc --workspace --exclude xtask --all-features --no-deps")?;
    execute(doc.env("RUSTDOCFLAGS", "-D warnings"))
}

fn studio_units() -> Done {
    let folder = root().join("studio");
    execute(command("npm run --silent check").current_dir(&folder))?;
    execute(command("npm test --silent").current_dir(&folder))
}

/// Tests the Bevy crate, which has its own workspace and a separate build folder here. Clippy runs while the tests
/// are compiled, because Bevy is too large to be compiled twice.
fn bevy_crate() -> Done {
    let folder = root().join("crates/bevy_vivant");
    execute(command("cargo fmt --check").current_dir(&folder))?;
    let mut tests = command("cargo test --locked");
    rust_tests::with_clippy(&mut tests)?;
    execute(tests.current_dir(&folder).env("CARGO_TARGET_DIR", target().join("bevy")))
}

/// Returns the path of one of our programs, as built for tests.
pub(crate) fn binary(name: &str) -> PathBuf {
    target().join(rust_tests::PROFILE).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Draws the pictures of the built-in character again, for the documentation.
pub(crate) fn sheets() -> Done {
    node::install()?;
    tools::install(&[tools::CHROMIUM])?;
    sh(BINARIES)?;
    node::sheets()
}

/// Draws the animated picture of the README again.
pub(crate) fn picture() -> Done {
    node::install()?;
    tools::install(&[tools::CHROMIUM, tools::FFMPEG])?;
    sh(BINARIES)?;
    node::picture()
}
