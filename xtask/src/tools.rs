//! External programs for tests: browsers, Blender, voices and compilers. They are installed as Debian packages if
//! possible.

use crate::Done;
use crate::steps::{command, execute, exists, output, say};

/// A program, its executables and its packages.
pub(crate) struct Tool {
    name: &'static str,
    /// The environment variable with the path of the program.
    variable: &'static str,
    programs: &'static [&'static str],
    packages: &'static str,
    /// The tests that are skipped if the program is missing.
    skipped: &'static str,
}

pub(crate) const CHROMIUM: Tool = Tool {
    name: "Chromium",
    variable: "VIVANT_CHROMIUM",
    programs: &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    packages: "chromium",
    skipped: "the tests that look at the character in a browser",
};

pub(crate) const BLENDER: Tool = Tool {
    name: "Blender",
    variable: "VIVANT_BLENDER",
    programs: &["blender"],
    // The glTF reader of Blender needs numpy, which Debian only recommends.
    packages: "blender python3-numpy",
    skipped: "the comparison with Blender's reader",
};

pub(crate) const FFMPEG: Tool = Tool {
    name: "ffmpeg",
    variable: "VIVANT_FFMPEG",
    programs: &["ffmpeg"],
    packages: "ffmpeg",
    skipped: "the tests that read and write videos",
};

pub(crate) const ESPEAK: Tool = Tool {
    name: "espeak-ng",
    variable: "VIVANT_ESPEAK",
    programs: &["espeak-ng"],
    packages: "espeak-ng",
    skipped: "the tests with a voice",
};

pub(crate) const VALGRIND: Tool = Tool {
    name: "Valgrind",
    variable: "VIVANT_VALGRIND",
    programs: &["valgrind"],
    // Valgrind needs the symbols of the C library, which Debian only recommends.
    packages: "valgrind libc6-dbg",
    skipped: "the tests that look for leaks in the C library",
};

pub(crate) const COMPILER: Tool = Tool {
    name: "a C and C++ compiler",
    variable: "CXX",
    programs: &["c++"],
    packages: "g++",
    skipped: "the tests that use the C library",
};

pub(crate) const MONO: Tool = Tool {
    name: "Mono",
    variable: "VIVANT_MONO",
    programs: &["mcs"],
    packages: "mono-mcs",
    skipped: "the tests that use the C library from C#",
};

/// All external programs.
pub(crate) const ALL: [Tool; 7] = [CHROMIUM, BLENDER, FFMPEG, ESPEAK, COMPILER, VALGRIND, MONO];

/// Installs missing programs if possible, which means as root, on Debian and its derivatives.
pub(crate) fn install(tools: &[Tool]) -> Done {
    for tool in tools {
        if tool.is_there() {
            say(&format!("  {} is installed", tool.name));
        } else if !may_install() {
            tool.print_skipped();
        } else if let Err(why) = tool.install() {
            // The tests of the program are skipped. A mirror that is not available must not make the run fail.
            say(&format!("  {why}"));
            tool.print_skipped();
        }
    }
    Ok(())
}

impl Tool {
    fn is_there(&self) -> bool {
        std::env::var_os(self.variable).is_some()
            || self.programs.iter().any(|program| {
                // ffmpeg uses a single dash.
                ["--version", "-version"].iter().any(|flag| exists(&format!("{program} {flag}")))
            })
    }

    fn install(&self) -> Done {
        execute(&mut command("apt-get update -qq"))?;
        let line = format!("apt-get install -y -qq --no-install-recommends {}", self.packages);
        execute(command(&line).env("DEBIAN_FRONTEND", "noninteractive"))
    }

    fn print_skipped(&self) {
        say(&format!(
            "  {} is missing, so {} are skipped; install it (Debian: apt install {}), or set {} to its path",
            self.name, self.skipped, self.packages, self.variable
        ));
    }
}

fn may_install() -> bool {
    let is_root = output(&mut command("id -u")).is_ok_and(|id| id.trim() == "0");
    is_root && exists("apt-get --version")
}
