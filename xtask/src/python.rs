//! Python packages for comparisons and tests, each in its own environment in the build folder.

use crate::steps::{execute, exists, say};
use crate::{Done, target};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// pympi-ling, a reader of ELAN files.
pub(crate) const PYMPI: Environment =
    Environment { name: "pympi", package: "pympi-ling==1.71", imports: "import pympi" };
/// scikit-learn, for principal components and classifiers; it includes NumPy and SciPy.
pub(crate) const SKLEARN: Environment =
    Environment { name: "sklearn", package: "scikit-learn==1.7.2", imports: "import sklearn, scipy" };

/// python-osc, a reader and writer of VMC.
pub(crate) const PYTHON_OSC: Environment =
    Environment { name: "python-osc", package: "python-osc==1.10.2", imports: "import pythonosc.osc_packet" };

/// menpofit, for active appearance models. It needs older versions of NumPy and SciPy than it declares.
pub(crate) const MENPOFIT: Environment = Environment {
    name: "menpofit",
    package: "menpofit==0.7.0 menpo==0.11.0 numpy==1.26.4 scipy==1.11.4",
    // The check does not import menpofit, because menpofit uses names that NumPy removed. Only the benchmark restores
    // these names.
    imports: "import scipy; from importlib.util import find_spec as f; assert f('menpo') and f('menpofit')",
};

/// maturin and wheel, which build our own package.
pub(crate) const MATURIN: Environment = Environment {
    name: "maturin",
    package: "maturin==1.16.0 wheel==0.45.1",
    imports: "import maturin, wheel",
};

/// typos, which checks the spelling in `cargo xtask prose`.
pub(crate) const TYPOS: Environment = Environment {
    name: "typos",
    package: "typos==1.51.1",
    imports: "from importlib.metadata import version; version('typos')",
};

/// Packages for the tests of our own package: Ray and mypy.
pub(crate) const PACKAGE: Environment = Environment {
    name: "python-package",
    package: "numpy pytest==9.2.0 mypy==2.4.1 ray[data]==2.60.0",
    imports: "import numpy, pytest, mypy; from importlib.util import find_spec as f; assert f('ray') and f('pyarrow')",
};

/// The minimum of packages for the tests of our own package.
pub(crate) const CLEAN: Environment =
    Environment { name: "python-clean", package: "pytest==9.2.0", imports: "import pytest, vivant" };

/// A Python environment with packages.
pub(crate) struct Environment {
    /// Name of the folder of the environment.
    name: &'static str,
    /// Packages to install, separated by spaces.
    package: &'static str,
    /// Code that runs without an error if the packages are installed.
    imports: &'static str,
}

/// Returns the Python interpreter of the system.
fn system() -> Option<&'static str> {
    ["python3", "python"].into_iter().find(|name| exists(&format!("{name} --version")))
}

impl Environment {
    /// Installs the packages if Python is installed and the packages are missing.
    pub(crate) fn install(&self) -> Done {
        if self.python().is_some() {
            say(&format!("  {} is installed", self.name));
            return Ok(());
        }
        let Some(system) = system() else {
            say(&format!("  skipped: Python is not installed, so nothing is compared with {}", self.name));
            return Ok(());
        };
        self.make(system, self.package.split(' ').map(OsStr::new))
    }

    fn make<'a>(&self, system: &str, packages: impl Iterator<Item = &'a OsStr>) -> Done {
        execute(Command::new(system).args(["-m", "venv"]).arg(self.folder()))?;
        execute(Command::new(self.interpreter()).args(["-m", "pip", "install", "--quiet"]).args(packages))
    }

    /// Creates the environment again, and also installs a wheel.
    pub(crate) fn recreate(&self, wheel: &Path) -> Result<PathBuf, String> {
        let _ = std::fs::remove_dir_all(self.folder());
        let system = system().ok_or("Python is not installed; install Python 3.9 or newer")?;
        self.make(system, self.package.split(' ').map(OsStr::new).chain([wheel.as_os_str()]))?;
        Ok(self.interpreter())
    }

    /// Returns the interpreter of the environment, if the packages are installed.
    pub(crate) fn python(&self) -> Option<PathBuf> {
        let python = self.interpreter();
        let has = Command::new(&python).args(["-c", self.imports]).output();
        has.is_ok_and(|output| output.status.success()).then_some(python)
    }

    /// Returns the interpreter of the environment, and installs the packages if necessary. Returns `None` without
    /// Python.
    pub(crate) fn ready(&self) -> Result<Option<PathBuf>, String> {
        self.install()?;
        match self.python() {
            None if self.interpreter().exists() => Err(format!(
                "{}: `{}` fails after the installation; run `cargo clean` and try again",
                self.name, self.imports
            )),
            python => Ok(python),
        }
    }

    fn folder(&self) -> PathBuf {
        target().join(self.name)
    }

    fn interpreter(&self) -> PathBuf {
        self.folder().join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
    }
}
