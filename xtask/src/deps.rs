//! Checks the architecture: allowed dependencies between crates, and allowed `unsafe` code.

use crate::steps::{command, output, say};
use crate::{Done, root};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Our crates. Each has a list of our other crates that it may use.
const MAY_USE: [(&str, &[&str]); 12] = [
    ("vivant", &[]),
    ("vivant-io", &["vivant"]),
    ("vivant-learn", &["vivant", "vivant-io", "vivant-mannequin"]),
    ("vivant-mannequin", &["vivant", "vivant-io"]),
    ("vivant-host", &["vivant", "vivant-io", "vivant-learn", "vivant-mannequin"]),
    ("vivant-cli", &["vivant", "vivant-io", "vivant-learn", "vivant-mannequin", "vivant-host"]),
    ("vivant-py", &["vivant", "vivant-io", "vivant-learn", "vivant-mannequin", "vivant-host"]),
    ("vivant-wasm", &["vivant", "vivant-io", "vivant-host"]),
    ("vivant-c", &["vivant", "vivant-io", "vivant-host", "vivant-mannequin"]),
    ("vivant-testing", &[]),
    ("vivant-tools", &["vivant", "vivant-host", "vivant-learn", "vivant-testing"]),
    ("xtask", &[]),
];

/// The crate that all tests may use.
const FOR_TESTS: &str = "vivant-testing";

/// External crates that the engine may use. The crates of the second list may only be optional dependencies.
const ENGINE_MAY_USE: [&[&str]; 2] = [&["glam", "libm", "serde", "strsim"], &["rayon", "schemars"]];

const KEYWORD: &str = "unsafe";

/// Files and folders that may contain `unsafe`: one module of the engine, and the C bindings.
const MAY_BE_UNSAFE: [&str; 3] =
    ["crates/vivant/src/kernel.rs", "crates/vivant-c/src/", "crates/vivant-c/tests/"];

pub(crate) fn run() -> Done {
    let packages = packages()?;
    let mut faults: Vec<String> = packages.iter().flat_map(faults_of).collect();
    faults.extend(unsafe_faults(&packages)?);
    faults.extend(crate::flags::faults(&packages)?);
    if !faults.is_empty() {
        return Err(format!("the architecture is violated:\n  {}", faults.join("\n  ")));
    }
    let places = MAY_BE_UNSAFE.join(", ");
    say(&format!("{} crates, all dependencies are allowed, unsafe only in {places}", packages.len()));
    Ok(())
}

/// A crate of the workspace.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    uses: Vec<Use>,
}

/// A dependency.
#[derive(Debug)]
struct Use {
    name: String,
    for_tests: bool,
    optional: bool,
}

fn packages() -> Result<Vec<Package>, String> {
    let text = output(&mut command("cargo metadata --no-deps --format-version 1 --locked"))?;
    let value: Value = serde_json::from_str(&text).map_err(|e| format!("cargo metadata: {e}"))?;
    Ok(value["packages"].as_array().into_iter().flatten().map(package).collect())
}

fn package(value: &Value) -> Package {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let dependency = |value: &Value| Use {
        name: text(&value["name"]),
        for_tests: value["kind"] == "dev",
        optional: value["optional"] == true,
    };
    Package {
        name: text(&value["name"]),
        folder: Path::new(&text(&value["manifest_path"])).parent().map(PathBuf::from).unwrap_or_default(),
        uses: value["dependencies"].as_array().into_iter().flatten().map(dependency).collect(),
    }
}

/// Returns the dependencies of a crate that are not allowed.
fn faults_of(package: &Package) -> Vec<String> {
    let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == package.name) else {
        return vec![format!(
            "{}: unknown crate; add it to xtask/src/deps.rs with the crates that it may use",
            package.name
        )];
    };
    let is_ours = |name: &str| MAY_USE.iter().any(|(ours, _)| *ours == name);
    let wrong = |used: &&Use| {
        let for_tests = used.for_tests && used.name == FOR_TESTS;
        let ours = is_ours(&used.name) && !allowed.contains(&used.name.as_str()) && !for_tests;
        ours || (package.name == "vivant" && !used.for_tests && !engine_may_use(used))
    };
    let fault = |used: &Use| format!("{} may not use {}", package.name, used.name);
    package.uses.iter().filter(wrong).map(fault).collect()
}

fn engine_may_use(used: &Use) -> bool {
    let [always, optional] = ENGINE_MAY_USE;
    always.contains(&used.name.as_str()) || (used.optional && optional.contains(&used.name.as_str()))
}

/// Returns unsafe code that is not allowed. All crates forbid unsafe code, except those in the list. The engine has
/// unsafe code in its kernel, and its tests may use it to count allocations.
fn unsafe_faults(packages: &[Package]) -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for package in packages {
        let mut files = Vec::new();
        rust_files(&package.folder, &mut files)?;
        for file in files {
            let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
            let name = name_of(&file);
            let is_root = ["src/lib.rs", "src/main.rs"].iter().any(|end| file == package.folder.join(end));
            if is_root && !has_unsafe_part(&name) && !text.contains("#![forbid(unsafe_code)]") {
                faults.push(format!(
                    "{name}: the crate does not forbid unsafe code; add #![forbid(unsafe_code)]"
                ));
            }
            if has_unsafe(&text) && !may_be_unsafe(&name, &text) {
                let places = MAY_BE_UNSAFE.join(", ");
                faults.push(format!(
                    "{name}: unsafe code; only {places} and marked tests of the engine may have it"
                ));
            }
        }
    }
    Ok(faults)
}

/// Returns true if the crate with this root file has a part that may be unsafe.
fn has_unsafe_part(root: &str) -> bool {
    let folder = root.trim_end_matches(|letter| letter != '/');
    MAY_BE_UNSAFE.iter().any(|place| place.starts_with(folder))
}

/// Returns true for the files in [`MAY_BE_UNSAFE`], and for tests of the engine with `#![allow(unsafe_code…)]`.
fn may_be_unsafe(name: &str, text: &str) -> bool {
    let test =
        ["crates/vivant/tests/", "crates/vivant/benches/"].iter().any(|folder| name.starts_with(folder));
    let listed = |place: &&str| name == *place || (place.ends_with('/') && name.starts_with(*place));
    MAY_BE_UNSAFE.iter().any(listed) || (test && text.contains("#![allow(unsafe_code"))
}

/// Returns true if the keyword is in code. Comments do not count.
fn has_unsafe(text: &str) -> bool {
    let code = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
    let keyword = |line: String| {
        let follows = ["{", "fn ", "impl ", "extern ", "trait "];
        follows.iter().any(|next| line.contains(&[KEYWORD, next].join(" ")))
    };
    text.lines().map(code).any(keyword)
}

/// Returns the path of a file relative to the repository.
pub(crate) fn name_of(file: &Path) -> String {
    file.strip_prefix(root()).unwrap_or(file).to_string_lossy().replace('\\', "/")
}

pub(crate) fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) -> Done {
    let list = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in list.flatten() {
        let path = entry.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target" && name != "node_modules") {
            rust_files(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, uses: &[(&str, bool, bool)], faults: usize) {
        let uses = uses.iter().map(|(name, for_tests, optional)| Use {
            name: (*name).into(),
            for_tests: *for_tests,
            optional: *optional,
        });
        let package = Package { name: name.into(), folder: PathBuf::new(), uses: uses.collect() };
        assert_eq!(faults_of(&package).len(), faults, "{package:?}");
    }

    #[test]
    fn dependencies_are_checked() {
        check("vivant", &[("glam", false, false), ("proptest", true, false), ("rayon", false, true)], 0);
        check("vivant", &[("rayon", false, false)], 1);
        check("vivant", &[("serde_json", false, false)], 1);
        check("vivant", &[("vivant-io", false, false), ("vivant-mannequin", true, false)], 2);
        check("vivant-io", &[("vivant", false, false), ("ufbx", false, true)], 0);
        check("vivant-io", &[("vivant-mannequin", false, false)], 1);
        check("vivant-wasm", &[("vivant-cli", false, false)], 1);
        check("vivant-c", &[("vivant-host", false, false), ("vivant-learn", false, false)], 1);
        check("vivant-new", &[], 1);
        check("vivant", &[("vivant-testing", true, false)], 0);
        check("vivant-io", &[("vivant-testing", false, false)], 1);
    }

    #[test]
    fn unsafe_code_is_allowed_only_in_listed_files() {
        let marked = "#![allow(unsafe_code, reason = …)]";
        for (file, text, may) in [
            ("crates/vivant/src/kernel.rs", "", true),
            ("crates/vivant/src/kernel.rs.rs", "", false),
            ("crates/vivant/src/frame.rs", marked, false),
            ("crates/vivant/tests/allocation.rs", marked, true),
            ("crates/vivant/tests/allocation.rs", "", false),
            ("crates/vivant-c/src/raw.rs", "", true),
            ("crates/vivant-cli/src/main.rs", marked, false),
        ] {
            assert_eq!(may_be_unsafe(file, text), may, "{file}");
        }
        for (root, has) in [
            ("crates/vivant/src/lib.rs", true),
            ("crates/vivant-c/src/lib.rs", true),
            ("crates/vivant-cli/src/main.rs", false),
            ("crates/vivant-io/src/lib.rs", false),
        ] {
            assert_eq!(has_unsafe_part(root), has, "{root}");
        }
    }

    #[test]
    fn unsafe_code_is_distinguished_from_comments() {
        assert!(has_unsafe(&format!("    {KEYWORD} {{ f() }}")));
        assert!(!has_unsafe("#![forbid(unsafe_code)]\n// unsafe { }\nlet unsafe_count = 1;"));
    }
}
