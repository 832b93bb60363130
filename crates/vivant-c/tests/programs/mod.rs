//! Compiles programs in C, C++ and C# against the library, and runs them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// System libraries that the static library needs: `rustc --print native-static-libs`.
const SYSTEM: &[&str] = if cfg!(target_os = "macos") {
    &["-framework", "CoreFoundation", "-liconv", "-lm"]
} else {
    &["-lpthread", "-ldl", "-lm", "-lgcc_s"]
};

/// A program, before and after compilation.
pub(crate) struct Program {
    compiler: String,
    arguments: Vec<String>,
    name: String,
}

impl Program {
    /// Creates a program from a source of this crate as C99.
    pub(crate) fn c(source: &str) -> Self {
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
        Self::new(compiler, source, &["-std=c99"])
    }

    /// Creates a program from a source of this crate as C++.
    pub(crate) fn cpp(source: &str) -> Self {
        let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".into());
        Self::new(compiler, source, &["-std=c++17", "-x", "c++"])
    }

    fn new(compiler: String, source: &str, language: &[&str]) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let strict = ["-g", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror"];
        let mut arguments: Vec<String> =
            strict.iter().chain(language).map(|word| (*word).to_owned()).collect();
        arguments.push(format!("-I{}", folder.join("include").display()));
        arguments.push(folder.join(source).display().to_string());
        let name =
            format!("{}-{compiler}", Path::new(source).file_stem().unwrap().display()).replace('/', "_");
        Self { compiler, arguments, name }
    }

    /// Adds a folder of the crate to the include path.
    pub(crate) fn including(mut self, folder: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        self.arguments.insert(0, format!("-I{}", folder.display()));
        self
    }

    pub(crate) fn linked_statically(mut self) -> Option<Self> {
        self.arguments.extend(["-x", "none"].map(str::to_owned));
        self.arguments.push(library("a").display().to_string());
        self.arguments.extend(SYSTEM.iter().map(|word| (*word).to_owned()));
        self.compiled("static")
    }

    pub(crate) fn linked_dynamically(mut self) -> Option<Self> {
        let ending = if cfg!(target_os = "macos") { "dylib" } else { "so" };
        let folder = library(ending).parent().unwrap().display().to_string();
        let there =
            [format!("-L{folder}"), "-lvivant_c".into(), "-lm".into(), format!("-Wl,-rpath,{folder}")];
        self.arguments.extend(there);
        self.compiled("dynamic")
    }

    /// Compiles the program; `None` if there is no compiler.
    fn compiled(mut self, kind: &str) -> Option<Self> {
        // Tests compile in parallel.
        static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{kind}-{number}", self.name));
        self.name = path.display().to_string();
        let Ok(done) = Command::new(&self.compiler).args(&self.arguments).arg("-o").arg(&path).output()
        else {
            vivant_testing::skip("no C compiler is installed, and CC and CXX are not set");
            return None;
        };
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{} {:?}\n{said}", self.compiler, self.arguments);
        Some(self)
    }

    /// Runs the program, and returns its output.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        printed(Command::new(&self.name).args(arguments))
    }

    /// Runs the program under a checker.
    pub(crate) fn run_under(&self, judge: &[String], arguments: &[&str]) -> String {
        let (program, options) = judge.split_first().unwrap();
        printed(Command::new(program).args(options).arg(&self.name).args(arguments))
    }
}

fn printed(command: &mut Command) -> String {
    let done = command.output().unwrap();
    let (out, errors) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{command:?}: {}\n{out}\n{errors}", done.status);
    out.into_owned()
}

/// Runs a program in C# with Mono, and returns its output; `None` without Mono.
pub(crate) fn csharp(folders: &[&str], arguments: &[&str]) -> Option<String> {
    let compiler = vivant_testing::tool("VIVANT_MONO", "mcs")?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = folders.iter().map(|folder| root.join(folder).join("*.cs"));
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("csharp.exe");
    let mut command = Command::new(&compiler);
    command.args(["-warnaserror", &format!("-out:{}", program.display())]).args(sources);
    printed(&mut command);
    let folder = library("so").parent().unwrap().to_owned();
    Some(printed(Command::new("mono").env("LD_LIBRARY_PATH", folder).arg(&program).args(arguments)))
}

/// Returns the command line of Valgrind; `None` if it is not installed.
pub(crate) fn valgrind() -> Option<Vec<String>> {
    let program = vivant_testing::tool("VIVANT_VALGRIND", "valgrind")?.display().to_string();
    // Valgrind needs the symbols of the C library.
    if !Command::new(&program).args(["--quiet", "true"]).output().is_ok_and(|done| done.status.success()) {
        vivant_testing::skip("valgrind cannot run programs (Debian: apt install libc6-dbg)");
        return None;
    }
    let options = [
        "--quiet",
        "--leak-check=full",
        "--errors-for-leak-kinds=all",
        "--show-leak-kinds=all",
        "--error-exitcode=9",
    ];
    Some(std::iter::once(program).chain(options.map(str::to_owned)).collect())
}

/// Returns the library that Cargo built, next to the tests or one folder above.
fn library(ending: &str) -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let folders =
        tests.ancestors().skip(1).take(2).map(|folder| folder.join(format!("libvivant_c.{ending}")));
    folders.into_iter().find(|path| path.exists()).expect("cargo builds the library before its tests")
}

/// Writes the built-in avatar to a file.
pub(crate) fn avatar() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("avatar.vrm");
        std::fs::write(&path, vivant_mannequin::Avatar::new(vivant_mannequin::Look::default()).vrm())
            .unwrap();
        path
    })
}
