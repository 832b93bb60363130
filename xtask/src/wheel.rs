//! The Python package. It is built with maturin, installed as users install it, and tested.

use crate::python::{CLEAN, MATURIN, PACKAGE};
use crate::skips;
use crate::steps::{execute, say};
use crate::{Done, root, rust_tests, suite, target};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Tests that need more than the package itself, namely Ray or mypy.
const WITH_MORE: [&str; 2] = ["test_cluster.py", "test_package.py"];

/// `cargo xtask wheel`: builds the wheel with maturin, in the form that is published.
pub(crate) fn run() -> Done {
    let Some(python) = MATURIN.ready()? else {
        return Err("Python is missing; install Python 3.9 or newer".into());
    };
    remove_wheels();
    let mut maturin = Command::new(&python);
    maturin
        .args(["-m", "maturin", "build", "--profile", "release", "--locked", "--quiet", "--interpreter"])
        .arg(&python)
        .arg("--manifest-path")
        .arg(package().join("Cargo.toml"))
        .arg("--out")
        .arg(folder());
    execute(maturin.current_dir(root()).env("CARGO_TARGET_DIR", target()))?;
    say(&format!("  {}", the_wheel()?.display()));
    Ok(())
}

/// Packs a wheel with the library that [`rust_tests::build`] built, and installs the packages that its tests need.
pub(crate) fn prepare() -> Done {
    let Some(python) = MATURIN.ready()? else {
        say("  skipped: Python is not installed, so the Python package is not tested");
        return Ok(());
    };
    pack(&python)?;
    PACKAGE.ready().map(drop)
}

/// Packs a wheel with maturin's metadata. Maturin itself would compile every crate again, because Cargo enables other
/// features when it builds a single package.
fn pack(python: &Path) -> Done {
    let stage = target().join("wheel");
    let _ = std::fs::remove_dir_all(&stage);
    copy_folder(&package().join("python"), &stage)?;
    let library = target().join(rust_tests::PROFILE).join("deps").join(library_name());
    copy_file(&library, &stage.join("vivant").join(module_name()))?;
    let mut maturin = Command::new(python);
    maturin.args(["-m", "maturin", "pep517", "write-dist-info", "--interpreter"]).arg(python);
    execute(maturin.arg("--metadata-directory").arg(&stage).current_dir(package()))?;
    remove_wheels();
    std::fs::create_dir_all(folder()).map_err(|error| format!("{}: {error}", folder().display()))?;
    execute(Command::new(python).args(["-m", "wheel", "pack"]).arg(&stage).arg("--dest-dir").arg(folder()))?;
    the_wheel().map(drop)
}

/// Returns the file name of the library that Cargo builds.
fn library_name() -> String {
    format!("{}vivant_py{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)
}

/// Returns the file name of the library that Python loads.
fn module_name() -> &'static str {
    if cfg!(windows) { "_vivant.pyd" } else { "_vivant.abi3.so" }
}

/// Copies a folder with all its contents, except files that Python has compiled.
fn copy_folder(from: &Path, to: &Path) -> Done {
    let failed = |error: std::io::Error| format!("{}: {error}", from.display());
    std::fs::create_dir_all(to).map_err(|error| format!("{}: {error}", to.display()))?;
    for entry in std::fs::read_dir(from).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let Some(name) = path.file_name().filter(|name| *name != "__pycache__") else { continue };
        if path.is_dir() { copy_folder(&path, &to.join(name))? } else { copy_file(&path, &to.join(name))? }
    }
    Ok(())
}

fn copy_file(from: &Path, to: &Path) -> Done {
    std::fs::copy(from, to).map(drop).map_err(|error| format!("{}: {error}", from.display()))
}

/// Returns the folder of the wheels.
fn folder() -> PathBuf {
    target().join("wheels")
}

/// Removes wheels of earlier builds, which may have other names.
fn remove_wheels() {
    wheels(&folder()).iter().for_each(|old| drop(std::fs::remove_file(old)));
}

/// Returns the wheel that was just built.
fn the_wheel() -> Result<PathBuf, String> {
    match &wheels(&folder())[..] {
        [wheel] => Ok(wheel.clone()),
        found => Err(format!("{} wheels in {}; expected one", found.len(), folder().display())),
    }
}

/// Tests the wheel that [`prepare`] built in two environments: one with only the wheel and pytest, and one with Ray.
pub(crate) fn test() -> Done {
    let Some(wheel) = wheels(&folder()).pop() else { return Ok(()) };
    let clean = CLEAN.recreate(&wheel)?;
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
    // Do not run in the package's own folder, so that the installed package is tested.
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
