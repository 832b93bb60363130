//! What others do the same work with, in Python: each in an environment of its own among what is built.

use crate::steps::{execute, exists};
use crate::{Done, target};
use std::path::PathBuf;
use std::process::Command;

/// pympi-ling, which others read ELAN files with.
pub(crate) const PYMPI: Environment =
    Environment { name: "pympi", package: "pympi-ling==1.71", imports: "import pympi" };
/// scikit-learn, which others find principal components and classify with; it brings NumPy and SciPy.
pub(crate) const SKLEARN: Environment =
    Environment { name: "sklearn", package: "scikit-learn==1.7.2", imports: "import sklearn, scipy" };

/// A Python with a package.
pub(crate) struct Environment {
    /// Its folder's name.
    name: &'static str,
    package: &'static str,
    /// What works when it is there.
    imports: &'static str,
}

impl Environment {
    /// Installs the package, if Python is there and it is not.
    pub(crate) fn install(&self) -> Done {
        if self.python().is_some() {
            println!("  {} is there", self.name);
            return Ok(());
        }
        let Some(system) =
            ["python3", "python"].into_iter().find(|name| exists(&format!("{name} --version")))
        else {
            println!("  skipped: Python is not installed, so nothing is compared with {}", self.name);
            return Ok(());
        };
        execute(Command::new(system).args(["-m", "venv"]).arg(self.folder()))?;
        execute(Command::new(self.interpreter()).args(["-m", "pip", "install", "--quiet", self.package]))
    }

    /// The Python that has it.
    pub(crate) fn python(&self) -> Option<PathBuf> {
        let python = self.interpreter();
        let has = Command::new(&python).args(["-c", self.imports]).output();
        has.is_ok_and(|output| output.status.success()).then_some(python)
    }

    /// The same, installed if need be; `None` if there is no Python at all.
    pub(crate) fn ready(&self) -> Result<Option<PathBuf>, String> {
        self.install()?;
        Ok(self.python())
    }

    fn folder(&self) -> PathBuf {
        target().join(self.name)
    }

    fn interpreter(&self) -> PathBuf {
        self.folder().join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
    }
}
