//! What others do the same work with, in Python: each in an environment of its own among what is built.

use crate::steps::{execute, exists, say};
use crate::{Done, target};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// pympi-ling, which others read ELAN files with.
pub(crate) const PYMPI: Environment =
    Environment { name: "pympi", package: "pympi-ling==1.71", imports: "import pympi" };
/// scikit-learn, which others find principal components and classify with; it brings NumPy and SciPy.
pub(crate) const SKLEARN: Environment =
    Environment { name: "sklearn", package: "scikit-learn==1.7.2", imports: "import sklearn, scipy" };

/// python-osc, which others read and write VMC with.
pub(crate) const PYTHON_OSC: Environment =
    Environment { name: "python-osc", package: "python-osc==1.10.2", imports: "import pythonosc.osc_packet" };

/// menpofit, which others fit active appearance models with; it needs older NumPy and SciPy than it says.
pub(crate) const MENPOFIT: Environment = Environment {
    name: "menpofit",
    package: "menpofit==0.7.0 menpo==0.11.0 numpy==1.26.4 scipy==1.11.4",
    // Found, and not imported: it uses names that NumPy dropped, which only its benchmark gives back.
    imports: "import scipy; from importlib.util import find_spec as f; assert f('menpo') and f('menpofit')",
};

/// maturin, which builds our own package.
pub(crate) const MATURIN: Environment =
    Environment { name: "maturin", package: "maturin==1.16.0", imports: "import maturin" };

/// What tests of our own package need beside it: Ray, and mypy.
pub(crate) const PACKAGE: Environment = Environment {
    name: "python-package",
    package: "numpy pytest==9.2.0 mypy==2.4.1 ray[data]==2.60.0",
    imports: "import numpy, pytest, mypy; from importlib.util import find_spec as f; assert f('ray') and f('pyarrow')",
};

/// What tests of our own package need at least.
pub(crate) const CLEAN: Environment =
    Environment { name: "python-clean", package: "pytest==9.2.0", imports: "import pytest, vivant" };

/// A Python with a package.
pub(crate) struct Environment {
    /// Its folder's name.
    name: &'static str,
    /// What is installed, with spaces between.
    package: &'static str,
    /// What works when it is there.
    imports: &'static str,
}

/// A Python that is there.
fn system() -> Option<&'static str> {
    ["python3", "python"].into_iter().find(|name| exists(&format!("{name} --version")))
}

impl Environment {
    /// Installs the package, if Python is there and it is not.
    pub(crate) fn install(&self) -> Done {
        if self.python().is_some() {
            say(&format!("  {} is there", self.name));
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

    /// Begins from nothing, with what is in a file as well.
    pub(crate) fn anew(&self, wheel: &Path) -> Result<PathBuf, String> {
        let _ = std::fs::remove_dir_all(self.folder());
        let system = system().ok_or("Python is not installed")?;
        self.make(system, self.package.split(' ').map(OsStr::new).chain([wheel.as_os_str()]))?;
        Ok(self.interpreter())
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
        match self.python() {
            None if self.interpreter().exists() => {
                Err(format!("{} was installed, and still does not work: {}", self.name, self.imports))
            }
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
