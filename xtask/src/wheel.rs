//! The Python package: built by maturin, installed as anyone would, and tried.

use crate::python::{CLEAN, MATURIN, PACKAGE};
use crate::skips;
use crate::steps::{execute, say};
use crate::{Done, root, rust_tests, suite, target};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What needs more than the package itself: Ray, and mypy.
const WITH_MORE: [&str; 2] = ["test_cluster.py", "test_package.py"];

/// `cargo xtask wheel`.
pub(crate) fn run() -> Done {
    match build("release", |_| Ok(()))? {
        Some(wheel) => say(&format!("  {}", wheel.display())),
        None => return Err("Python is missing; install Python 3.9 or newer".into()),
    }
    Ok(())
}

/// Where the wheel is.
fn folder() -> PathBuf {
    target().join("wheels")
}

/// Builds the wheel with a profile; `None` without Python.
fn build(profile: &str, prepare: fn(&mut Command) -> Done) -> Result<Option<PathBuf>, String> {
    let Some(python) = MATURIN.ready()? else { return Ok(None) };
    let folder = folder();
    // What was built before may have another name.
    wheels(&folder).iter().for_each(|old| drop(std::fs::remove_file(old)));
    let mut maturin = Command::new(&python);
    maturin
        .args(["-m", "maturin", "build", "--profile", profile, "--locked", "--quiet", "--interpreter"])
        .arg(&python);
    prepare(&mut maturin)?;
    maturin.arg("--manifest-path").arg(package().join("Cargo.toml")).arg("--out").arg(&folder);
    execute(maturin.current_dir(root()).env("CARGO_TARGET_DIR", target()))?;
    match &wheels(&folder)[..] {
        [wheel] => Ok(Some(wheel.clone())),
        found => Err(format!("{} wheels in {}", found.len(), folder.display())),
    }
}

/// Lints and builds the wheel with the profile of the tests, and installs what its tests need.
pub(crate) fn prepare() -> Done {
    if build(rust_tests::PROFILE, rust_tests::with_clippy)?.is_none() {
        say("  skipped: Python is not installed, so its package is not tried");
        return Ok(());
    }
    PACKAGE.ready().map(drop)
}

/// Tests the wheel that [`prepare`] built: in an environment that has nothing but it and pytest, and in one with Ray.
pub(crate) fn test() -> Done {
    let Some(wheel) = wheels(&folder()).pop() else { return Ok(()) };
    let clean = CLEAN.anew(&wheel)?;
    let ignored = WITH_MORE.map(|file| format!("--ignore={}", tests().join(file).display()));
    pytest(&clean, &ignored)?;
    let Some(python) = PACKAGE.ready()? else { return Ok(()) };
    let install = ["-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps"];
    execute(Command::new(&python).args(install).arg(&wheel))?;
    pytest(&python, &WITH_MORE.map(|file| tests().join(file).display().to_string()))
}

fn pytest(python: &Path, words: &[String]) -> Done {
    let mut command = Command::new(python);
    command.args(["-m", "pytest", "-rs", "-p", "no:cacheprovider"]).args(words);
    // Not from the package's own folder: what is installed is what is tried.
    command.arg("--rootdir").arg(package()).arg("-c").arg(package().join("pyproject.toml"));
    if words.iter().all(|word| word.starts_with("--")) {
        command.arg(tests());
    }
    execute(
        command
            .current_dir(target())
            .env("VIVANT", suite::binary("vivant"))
            .env(skips::VARIABLE, skips::folder())
            .env("PYTHONDONTWRITEBYTECODE", "1"),
    )
}

fn package() -> PathBuf {
    root().join("crates/vivant-py")
}

fn tests() -> PathBuf {
    package().join("tests")
}

fn wheels(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.extension().is_some_and(|ending| ending == "whl")).collect()
}
