//! Tests in JavaScript, which run in Node.

use crate::python::PACKAGE;
use crate::skips;
use crate::steps::{command, execute, exists};
use crate::{Done, root, suite};
use std::path::PathBuf;

/// The subject of a test file.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Group {
    /// The npm package.
    Package,
    /// The studio and the label view.
    Studio,
    /// Files that the command writes, opened in other programs.
    Files,
    /// The same character, played by the command, the server, Python, C and the npm package.
    Hosts,
}

impl Group {
    /// Returns the group of a test file by its name.
    fn of(file: &str) -> Self {
        const STUDIO: [&str; 5] = ["authoring", "label", "mimic", "studio", "voice"];
        match file {
            _ if file.starts_with("browser_") => Self::Package,
            _ if file.starts_with("doors") => Self::Hosts,
            _ if STUDIO.iter().any(|name| file.starts_with(name)) => Self::Studio,
            _ => Self::Files,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Package => "package",
            Self::Studio => "studio",
            Self::Files => "files",
            Self::Hosts => "doors",
        }
    }
}

/// Returns the folder of the tests.
pub(crate) fn folder() -> PathBuf {
    root().join("tests/js")
}

/// Installs the packages of the tests and of the studio.
pub(crate) fn install() -> Done {
    if !exists("node --version") {
        return Err("Node is missing; install Node 20 or newer (https://nodejs.org)".into());
    }
    [folder(), root().join("studio")].into_iter().try_for_each(|folder| {
        execute(command("npm ci --no-audit --no-fund --loglevel=error").current_dir(folder))
    })
}

/// Runs the tests of a group.
pub(crate) fn test(group: Group) -> Done {
    let list = std::fs::read_dir(folder()).map_err(|e| format!("tests/js: {e}"))?;
    let names = list.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let is_wanted = |name: &String| name.ends_with(".test.mjs") && Group::of(name) == group;
    let mut names: Vec<String> = names.filter(is_wanted).collect();
    names.sort();
    let mut node = command("node --test --test-reporter=spec --test-reporter-destination=stdout");
    let skipped = skips::folder().join(format!("node-{}.txt", group.name()));
    node.arg("--test-reporter=./lib/skips.mjs")
        .arg(format!("--test-reporter-destination={}", skipped.display()));
    node.env("VIVANT", suite::binary("vivant")).env("VIVANT_MINUTE", suite::binary("minute"));
    node.env("VIVANT_C", suite::binary("vivant").with_file_name("deps"));
    node.envs(PACKAGE.python().map(|python| ("VIVANT_PYTHON_PACKAGE", python)));
    execute(node.args(names).current_dir(folder()))
}

/// Draws the built-in character for the documentation.
pub(crate) fn sheets() -> Done {
    let mut node = command("node --test --test-reporter=spec mannequin.test.mjs");
    node.current_dir(folder()).env("VIVANT", suite::binary("vivant")).env("VIVANT_SHEETS", "docs/mannequin");
    execute(node.env("VIVANT_BROWSER", "required"))
}

/// Draws the animated picture of the README.
pub(crate) fn picture() -> Done {
    let mut node = command("node picture.mjs");
    node.arg(root().join("docs/picture.webp")).current_dir(folder()).env("VIVANT", suite::binary("vivant"));
    execute(&mut node)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_test_file_is_in_one_group() {
        for (file, name) in [
            ("browser_size.test.mjs", "package"),
            ("doors.test.mjs", "doors"),
            ("mimic_hands.test.mjs", "studio"),
            ("studio.test.mjs", "studio"),
            ("validator.test.mjs", "files"),
        ] {
            assert_eq!(Group::of(file).name(), name, "{file}");
        }
    }
}
