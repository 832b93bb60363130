//! Builds and lints the whole workspace once, and then runs one test program after the other.
//!
//! `cargo test` would do the same, but all at once. Tests of the command start servers and look at the clock, so they are
//! run later than the others, when nothing else is compiled.
//!
//! Clippy takes the compiler's place for our own crates. It compiles like the compiler does and prints its lints on the
//! way, so that no crate is read a second time for lints alone.

use crate::python::{PYMPI, PYTHON_OSC, SKLEARN};
use crate::steps::{command, execute, output, say};
use crate::{Done, target};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The Python package is built and linted by maturin. A running xtask cannot be replaced on every system, so it is
/// tested by itself.
const CRATES: &str = "--workspace --exclude vivant-py --exclude xtask --all-features";
/// The profile that tests are built with.
pub(crate) const PROFILE: &str = "checked";
/// The package whose tests start servers.
const COMMAND: &str = "vivant-cli";

/// Which tests to run.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Which {
    /// Those of the command.
    Command,
    /// Those of all other crates.
    Libraries,
}

/// A test program that Cargo has built.
#[derive(Debug, PartialEq)]
struct Program {
    /// The folder of its package, in which Cargo would run it.
    folder: PathBuf,
    /// The package, and the name of the test file.
    name: String,
    file: PathBuf,
}

/// Builds and lints all crates, with their binaries, tests, benchmarks and examples.
pub(crate) fn build() -> Done {
    execute(&mut linted(&format!("cargo test {CRATES} --all-targets --no-run"))?)
}

/// Tests the program that runs all tests.
pub(crate) fn test_xtask() -> Done {
    execute(&mut linted("cargo test -p xtask --quiet")?)
}

/// Cargo with the profile that tests are built with, and with Clippy as the compiler of our own crates.
pub(crate) fn linted(line: &str) -> Result<Command, String> {
    let mut cargo = command(&format!("{line} --profile {PROFILE} --locked"));
    with_clippy(&mut cargo)?;
    Ok(cargo)
}

/// Lets Cargo compile our own crates with Clippy; a warning is an error.
pub(crate) fn with_clippy(cargo: &mut Command) -> Done {
    let rust = output(&mut command("rustc --print sysroot"))?;
    let name = format!("clippy-driver{}", std::env::consts::EXE_SUFFIX);
    cargo.env("RUSTC_WORKSPACE_WRAPPER", PathBuf::from(rust.trim()).join("bin").join(name));
    cargo.env("CLIPPY_ARGS", "-Dwarnings__CLIPPY_HACKERY__");
    Ok(())
}

/// Runs tests that [`build`] has built.
pub(crate) fn run(which: Which) -> Done {
    let list = format!(
        "cargo test {CRATES} --all-targets --no-run --quiet --message-format json-render-diagnostics"
    );
    let messages = output(&mut linted(&list)?)?;
    let programs = messages.lines().filter_map(program);
    let is_wanted = |it: &Program| it.folder.ends_with(COMMAND) == (which == Which::Command);
    let pythons = pythons();
    programs.filter(is_wanted).try_for_each(|program| program.run(&pythons))
}

/// Runs the examples in the documentation.
pub(crate) fn documentation() -> Done {
    execute(&mut linted("cargo test --workspace --exclude vivant-py --all-features --doc --quiet")?)
}

/// Pythons with packages that tests compare with, as variables that tests read.
pub(crate) fn pythons() -> Vec<(&'static str, PathBuf)> {
    let all = [("VIVANT_PYTHON", PYMPI), ("VIVANT_SKLEARN", SKLEARN), ("VIVANT_PYTHON_OSC", PYTHON_OSC)];
    all.into_iter().filter_map(|(variable, environment)| Some((variable, environment.python()?))).collect()
}

/// The test program that a message of Cargo is about, if it is about one.
fn program(message: &str) -> Option<Program> {
    let value: Value = serde_json::from_str(message).ok()?;
    let is_run = |kind: &Value| kind != "bench" && kind != "example";
    if value["profile"]["test"] != true || !value["target"]["kind"].as_array()?.iter().all(is_run) {
        return None;
    }
    let folder = Path::new(value["manifest_path"].as_str()?).parent()?.to_owned();
    let package = folder.file_name()?.to_string_lossy().into_owned();
    let name = format!("{package} {}", value["target"]["name"].as_str()?);
    Some(Program { folder, name, file: value["executable"].as_str()?.into() })
}

impl Program {
    /// Runs it. Its output is only of interest if it fails.
    fn run(&self, pythons: &[(&'static str, PathBuf)]) -> Done {
        let begin = Instant::now();
        let mut test = Command::new(&self.file);
        test.current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder).envs(pythons.iter().cloned());
        test.env(crate::skips::VARIABLE, crate::skips::folder());
        let done = test.output().map_err(|error| format!("{}: {error}", self.file.display()))?;
        let out = String::from_utf8_lossy(&done.stdout);
        if !done.status.success() {
            say(&format!("{out}{}", String::from_utf8_lossy(&done.stderr)));
            return Err(format!("tests of {} failed", self.name));
        }
        let counts = out.lines().find_map(|line| line.strip_prefix("test result: ok. "));
        let counts = counts.and_then(|line| line.split(';').next()).unwrap_or("done");
        say(&format!("  {:>6.1} s  {}: {counts}", begin.elapsed().as_secs_f64(), self.name));
        Ok(())
    }
}

/// Removes what a part of the tests has built for itself, once it is done: disks are small where tests run by themselves.
pub(crate) fn remove_build(folder: &str) {
    let _ = std::fs::remove_dir_all(target().join(folder));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_program_is_told_from_other_messages() {
        let message = r#"{"reason": "compiler-artifact", "manifest_path": "/v/crates/vivant-io/Cargo.toml",
            "target": {"name": "lids", "kind": ["test"]}, "profile": {"test": true}, "executable": "/v/target/debug/deps/lids-1"}"#;
        let expected = Program {
            folder: "/v/crates/vivant-io".into(),
            name: "vivant-io lids".into(),
            file: "/v/target/debug/deps/lids-1".into(),
        };
        assert_eq!(program(message), Some(expected));
        assert_eq!(program(&message.replace("true", "false")), None);
        assert_eq!(program(&message.replace(r#"["test"]"#, r#"["bench"]"#)), None);
        assert_eq!(program("no JSON"), None);
    }
}
