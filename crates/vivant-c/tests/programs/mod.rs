//! Compiles programs in C, C++ and C# against the library, and runs them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// What the static library asks of the system: `rustc --print native-static-libs`.
const SYSTEM: &[&str] = if cfg!(target_os = "macos") {
    &["-framework", "CoreFoundation", "-liconv", "-lm"]
} else {
    &["-lpthread", "-ldl", "-lm", "-lgcc_s"]
};

/// A program to be compiled, and then one that was.
pub(crate) struct Program {
    compiler: String,
    arguments: Vec<String>,
    name: String,
}

impl Program {
    /// A source of this crate as C99.
    pub(crate) fn c(source: &str) -> Self {
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
        Self::new(compiler, source, &["-std=c99"])
    }

    /// The same as C++.
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

    /// With headers of this folder of the crate, too.
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

    /// `None` where there is no compiler.
    fn compiled(mut self, kind: &str) -> Option<Self> {
        // Tests compile at the same time.
        static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{kind}-{number}", self.name));
        self.name = path.display().to_string();
        let Ok(done) = Command::new(&self.compiler).args(&self.arguments).arg("-o").arg(&path).output()
        else {
            vivant_testing::skip("there is no C compiler and CC and CXX name none");
            return None;
        };
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{} {:?}\n{said}", self.compiler, self.arguments);
        Some(self)
    }

    /// What the program prints.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        printed(Command::new(&self.name).args(arguments))
    }

    /// The same, looked over by another program.
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

/// What a program in C# prints, which is run by Mono; `None` where there is none.
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

/// Valgrind as it is called; `None` where there is none.
pub(crate) fn valgrind() -> Option<Vec<String>> {
    let program = vivant_testing::tool("VIVANT_VALGRIND", "valgrind")?.display().to_string();
    // Without the symbols of the C library it starts nothing.
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

/// The library as Cargo has just built it: beside the tests, or a folder above.
fn library(ending: &str) -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let folders =
        tests.ancestors().skip(1).take(2).map(|folder| folder.join(format!("libvivant_c.{ending}")));
    folders.into_iter().find(|path| path.exists()).expect("cargo builds the library before its tests")
}

/// The built-in avatar's file.
pub(crate) fn avatar() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("avatar.vrm");
        std::fs::write(&path, vivant_mannequin::Avatar::new(vivant_mannequin::Look::default()).vrm())
            .unwrap();
        path
    })
}
