//! Counts tests that were skipped because a program or file is missing on this machine.
//!
//! Every skipped test writes a line to a folder: by `vivant_testing::skip` in Rust, by `conftest.py` in Python, and
//! by `tests/js/lib/skips.mjs` in JavaScript. A line consists of the reason, a tab and the name of the test.

use crate::{Done, target};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The environment variable with the folder to which tests write these lines.
pub(crate) const VARIABLE: &str = "VIVANT_SKIPS";

/// Returns the folder with the lines.
pub(crate) fn folder() -> PathBuf {
    target().join("skips")
}

/// Removes the lines of earlier runs.
pub(crate) fn forget() -> Done {
    let folder = folder();
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))
}

/// Prints the number of skipped tests by reason.
pub(crate) fn tell() -> Done {
    let files = std::fs::read_dir(folder()).map_err(|e| format!("{}: {e}", folder().display()))?;
    let texts = files.flatten().filter_map(|file| std::fs::read_to_string(file.path()).ok());
    let lines = counted(&texts.collect::<Vec<_>>().concat());
    println!();
    lines.iter().for_each(|line| println!("{line}"));
    if lines.is_empty() {
        println!("no test was skipped");
    }
    Ok(())
}

/// Returns a line for each reason with the number of tests, the most frequent reason first. Each test counts once.
fn counted(text: &str) -> Vec<String> {
    let mut tests = BTreeMap::<&str, BTreeSet<&str>>::new();
    for (reason, test) in text.lines().filter_map(|line| line.split_once('\t')) {
        tests.entry(reason).or_default().insert(test);
    }
    let mut counts: Vec<(usize, &str)> = tests.iter().map(|(reason, tests)| (tests.len(), *reason)).collect();
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let line = |(count, reason): (usize, &str)| {
        format!("{count} test{} skipped: {reason}", if count == 1 { "" } else { "s" })
    };
    counts.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_counted_by_reason_and_once() {
        let text =
            "A is not set\tx::one\nB is missing\tx::two\nA is not set\ty::three\nA is not set\tx::one\n";
        assert_eq!(counted(text), ["2 tests skipped: A is not set", "1 test skipped: B is missing"]);
        assert!(counted("").is_empty());
    }
}
