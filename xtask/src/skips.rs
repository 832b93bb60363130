//! Counts tests that were skipped because something is missing on this machine.
//!
//! Every skipped test leaves a line in a folder: `vivant_testing::skip` in Rust, `conftest.py` in Python and
//! `tests/js/lib/skips.mjs` in JavaScript. A line is the reason, a tab and the test.

use crate::{Done, target};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The variable that tells tests where to write.
pub(crate) const VARIABLE: &str = "VIVANT_SKIPS";

/// The folder with the lines.
pub(crate) fn folder() -> PathBuf {
    target().join("skips")
}

/// Begins to count.
pub(crate) fn forget() -> Done {
    let folder = folder();
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))
}

/// Prints how many tests were skipped, and why.
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

/// A line for each reason with the number of tests, most first. A test that says so twice counts once.
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
