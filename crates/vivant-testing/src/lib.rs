//! Test data and programs that tests need from outside the repository.
//!
//! A test requests them first and returns if they are missing:
//!
//! ```ignore
//! let Some(folder) = vivant_testing::data("avatars/vrm1") else { return };
//! ```
//!
//! Every skip is printed and written to the folder that `VIVANT_SKIPS` names. `cargo xtask test` sets that variable and
//! counts the skips at the end, so that a test that did not run is never mistaken for one that passed.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "skipped tests are printed")]

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Name of the environment variable with the folder of test data.
pub const DATA: &str = "VIVANT_DATA";
/// Name of the environment variable with the folder to which skips are written.
pub const SKIPS: &str = "VIVANT_SKIPS";

/// Returns a file or folder of the test data, or skips the test if `VIVANT_DATA` is not set.
///
/// An empty path is the whole folder. The path is not checked: if there is test data, it must be complete.
#[must_use]
pub fn data(path: &str) -> Option<PathBuf> {
    let folder = variable(DATA)?;
    Some(if path.is_empty() { folder } else { folder.join(path) })
}

/// Returns a file of the test data with its bytes, or skips the test if it is not there.
#[must_use]
pub fn data_bytes(path: &str) -> Option<Vec<u8>> {
    let file = data(path)?;
    let bytes = fs::read(&file).ok();
    if bytes.is_none() {
        skip(&format!("{path} is not in {DATA}"));
    }
    bytes
}

/// Returns the path in an environment variable, or skips the test if it is not set.
#[must_use]
pub fn variable(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    if path.is_none() {
        skip(&format!("{name} is not set"));
    }
    path
}

/// Returns a program that answers `--version` or `-version`, or skips the test if it is not installed.
///
/// The path is in the given environment variable; without the variable, the program is searched by name.
#[must_use]
pub fn tool(variable: &str, name: &str) -> Option<PathBuf> {
    let program = std::env::var_os(variable).map_or_else(|| PathBuf::from(name), PathBuf::from);
    let answers =
        |flag: &&str| Command::new(&program).arg(flag).output().is_ok_and(|done| done.status.success());
    if !["--version", "-version"].iter().any(answers) {
        skip(&format!("{name} is not installed and {variable} does not name it"));
        return None;
    }
    Some(program)
}

/// Records that the current test is skipped, with a short reason that many tests can share.
pub fn skip(reason: &str) {
    println!("skipped: {reason}");
    if let Some(folder) = std::env::var_os(SKIPS) {
        record(Path::new(&folder), reason, &test_name())
            .expect("the folder in VIVANT_SKIPS can be written to");
    }
}

/// Adds a line with the reason and the test to a file of this process.
fn record(folder: &Path, reason: &str, test: &str) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let file = folder.join(format!("{}.txt", std::process::id()));
    let line = format!("{reason}\t{test}\n");
    // One write per line, since tests of a process run in parallel.
    OpenOptions::new().create(true).append(true).open(file)?.write_all(line.as_bytes())
}

/// Returns the name of the test: its program without the hash, and its thread, which is named after the test.
fn test_name() -> String {
    let program = std::env::current_exe().ok();
    let program = program.as_deref().and_then(Path::file_stem).unwrap_or_default().to_string_lossy();
    let program = program.rsplit_once('-').map_or(&*program, |(name, _)| name);
    format!("{program}::{}", std::thread::current().name().unwrap_or("?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skip_is_a_line_with_reason_and_test() {
        let folder = std::env::temp_dir().join(format!("vivant-skips-{}", std::process::id()));
        record(&folder, "X is not set", "program::first").unwrap();
        record(&folder, "X is not set", "program::second").unwrap();
        let file = folder.join(format!("{}.txt", std::process::id()));
        let text = fs::read_to_string(file).unwrap();
        assert_eq!(text, "X is not set\tprogram::first\nX is not set\tprogram::second\n");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_test_is_named_by_its_program_and_thread() {
        assert_eq!(test_name(), "vivant_testing::tests::a_test_is_named_by_its_program_and_thread");
    }
}
