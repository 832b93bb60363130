//! scikit-learn, which others find principal components with: in an environment of its own among what is built.

use crate::steps::{execute, exists};
use crate::{Done, target};
use std::path::PathBuf;
use std::process::Command;

const PACKAGE: &str = "scikit-learn==1.7.2";

/// Installs it with NumPy and SciPy, if Python is there and it is not.
pub(crate) fn install() -> Done {
    if python().is_some() {
        println!("  scikit-learn is there");
        return Ok(());
    }
    let Some(system) = ["python3", "python"].into_iter().find(|name| exists(&format!("{name} --version")))
    else {
        println!(
            "  skipped: Python is not installed, so principal components are not compared with scikit-learn"
        );
        return Ok(());
    };
    execute(Command::new(system).args(["-m", "venv"]).arg(folder()))?;
    execute(Command::new(interpreter()).args(["-m", "pip", "install", "--quiet", PACKAGE]))
}

/// The Python that has it.
pub(crate) fn python() -> Option<PathBuf> {
    let python = interpreter();
    let has = Command::new(&python).args(["-c", "import sklearn, scipy"]).output();
    has.is_ok_and(|output| output.status.success()).then_some(python)
}

fn folder() -> PathBuf {
    target().join("sklearn")
}

fn interpreter() -> PathBuf {
    folder().join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}
