//! Builds and lints the whole workspace once, and then runs the test programs one after the other.
//!
//! `cargo test` would do the same, but all at once. The tests of the command start servers and depend on the clock,
//! so they run after the other tests, when nothing is being compiled.
//!
//! Clippy replaces the compiler for our own crates. It compiles the crates like the compiler and also prints its
//! lints, so that no crate is processed a second time only for lints.

use crate::python::{PYMPI, PYTHON_OSC, SKLEARN};
use crate::steps::{command, execute, output, say};
use crate::{Done, target};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The crates that are built together, so that Cargo compiles each crate with one set of features. On some systems a
/// running xtask cannot be replaced, so it is tested separately.
const CRATES: &str = "--workspace --exclude xtask --all-features";
/// The profile that tests are built with.
pub(crate) const PROFILE: &str = "checked";
/// The package whose tests start servers.
const COMMAND: &str = "vivant-cli";

/// Selects the tests to run.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Which {
    /// The tests of the command.
    Command,
    /// The tests of all other crates.
    Libraries,
}

/// A test program that Cargo has built.
#[derive(Debug, PartialEq)]
struct Program {
    /// The folder of the package, which is the working directory of the test program.
    folder: PathBuf,
    /// The name of the package, and the name of the test file.
    name: String,
    file: PathBuf,
}

/// Builds and lints all crates, with their binaries, tests, benchmarks and examples.
pub(crate) fn build() -> Done {
    execute(&mut linted(&format!("cargo test {CRATES} --all-targets --no-run --timings"))?)
}

/// Tests the program that runs all tests.
pub(crate) fn test_xtask() -> Done {
    execute(&mut linted("cargo test -p xtask --quiet")?)
}

/// Returns Cargo with the profile of the tests, and with Clippy as the compiler of our own crates.
pub(crate) fn linted(line: &str) -> Result<Command, String> {
    let mut cargo = command(&format!("{line} --profile {PROFILE} --locked"));
    with_clippy(&mut cargo)?;
    Ok(cargo)
}

/// Makes Cargo compile our own crates with Clippy. Warnings are errors.
pub(crate) fn with_clippy(cargo: &mut Command) -> Done {
    let rust = output(&mut command("rustc --print sysroot"))?;
    let name = format!("clippy-driver{}", std::env::consts::EXE_SUFFIX);
    cargo.env("RUSTC_WORKSPACE_WRAPPER", PathBuf::from(rust.trim()).join("bin").join(name));
    cargo.env("CLIPPY_ARGS", "-Dwarnings__CLIPPY_HACKERY__");
    Ok(())
}

/// Runs the tests that [`build`] has built.
pub(crate) fn run(which: Which) -> Done {
    let list = format!(
        "cargo test {CRATES} --all-targets --no-run --quiet --message-format json-render-diagnostics"
    );
    let messages = output(&mut linted(&list)?)?;
    let programs = messages.lines().filter_map(program);
    let is_wanted = |it: &Program| it.folder.ends_with(COMMAND) == (which == Which::Command);
    let pythons = pythons();
    // All programs run, so that one run shows all failures.
    let failures: Vec<String> =
        programs.filter(is_wanted).filter_map(|program| program.run(&pythons).err()).collect();
    if failures.is_empty() { Ok(()) } else { Err(failures.join(", ")) }
}

/// Runs the examples in the documentation.
pub(crate) fn documentation() -> Done {
    execute(&mut linted(&format!("cargo test {CRATES} --doc --quiet"))?)
}

/// Returns the Python interpreters with packages that tests compare with, as environment variables for the tests.
pub(crate) fn pythons() -> Vec<(&'static str, PathBuf)> {
    let all = [("VIVANT_PYTHON", PYMPI), ("VIVANT_SKLEARN", SKLEARN), ("VIVANT_PYTHON_OSC", PYTHON_OSC)];
    all.into_iter().filter_map(|(variable, environment)| Some((variable, environment.python()?))).collect()
}

/// Returns the test program in a message of Cargo; `None` if the message is not about a test program.
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
    /// Runs the test program. Its output is only printed if it fails.
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

/// Removes the build folder of a part of the tests when this part is done, since disks of test machines are small.
pub(crate) fn remove_build(folder: &str) {
    let _ = std::fs::remove_dir_all(target().join(folder));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_programs_are_distinguished_from_other_messages() {
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
