//! Finds the installed ffmpeg, checks its version, and explains how to install it.
//!
//! Videos are decoded by an installed program so that the project needs no codecs of its own. [`Ffmpeg::find`] is
//! called first. It returns the program or an error with instructions for every system, and [`Ffmpeg::command`] returns
//! a command to complete. Options that were renamed between versions are chosen here, so that callers need not know the
//! version.

use std::ffi::OsString;
use std::io;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use vivant_io::{Error, Result};

/// The environment variable with the path of ffmpeg.
const VARIABLE: &str = "VIVANT_FFMPEG";
/// First version with the option `-fps_mode`. Older versions call it `-vsync`.
const HAS_FPS_MODE: (u32, u32) = (5, 1);

/// An installed ffmpeg, the program that decodes and encodes videos.
#[derive(Clone, Debug)]
pub struct Ffmpeg {
    program: OsString,
    /// The version; `None` for development builds, which are assumed to be recent.
    version: Option<(u32, u32)>,
}

impl Ffmpeg {
    /// Finds the program named by `VIVANT_FFMPEG`, or `ffmpeg` in the search path.
    ///
    /// The result is cached, because stepping through a film starts ffmpeg for every frame.
    ///
    /// # Errors
    /// If the program is not found; the error says how to install it and how to work without it.
    pub fn find() -> Result<Self> {
        static FOUND: OnceLock<Ffmpeg> = OnceLock::new();
        if let Some(found) = FOUND.get() {
            return Ok(found.clone());
        }
        let program = std::env::var_os(VARIABLE).filter(|program| !program.is_empty());
        let found = Self::at(program.unwrap_or_else(|| "ffmpeg".into()))?;
        Ok(FOUND.get_or_init(|| found).clone())
    }

    /// Runs the program to read its version.
    pub(super) fn at(program: OsString) -> Result<Self> {
        let shown = program.to_string_lossy().into_owned();
        let mut command = Command::new(&program);
        let output = command.arg("-version").stdin(Stdio::null()).output();
        let output = output.map_err(|error| not_found(&shown, &error))?;
        let text = String::from_utf8_lossy(&output.stdout);
        match text.lines().next().and_then(|line| line.strip_prefix("ffmpeg version ")) {
            Some(version) if output.status.success() => Ok(Self { version: parsed(version), program }),
            _ => Err(Error::new(format!(
                "“{shown}” is not ffmpeg; set {VARIABLE} to the path of ffmpeg, or install it: {INSTALL}"
            ))),
        }
    }

    /// Returns a command that prints no banner and starts each log line with its level.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(["-nostdin", "-hide_banner", "-nostats", "-loglevel", "level+info"]);
        command
    }

    /// Options that pass each frame through exactly once.
    pub(super) fn passthrough(&self) -> [&'static str; 2] {
        [if self.is_recent() { "-fps_mode" } else { "-vsync" }, "passthrough"]
    }

    /// The filter that logs every frame. In newer versions it skips the checksum.
    pub(super) fn show_info(&self) -> &'static str {
        if self.is_recent() { "showinfo=checksum=0" } else { "showinfo" }
    }

    fn is_recent(&self) -> bool {
        self.version.is_none_or(|version| version >= HAS_FPS_MODE)
    }

    /// Returns the encoder options: H.264, which most players support, or MPEG-4 if H.264 is not available.
    pub fn encoder(&self) -> &'static [&'static str] {
        let encoders =
            Command::new(&self.program).args(["-hide_banner", "-encoders"]).stdin(Stdio::null()).output();
        let has_x264 = encoders.is_ok_and(|said| String::from_utf8_lossy(&said.stdout).contains(" libx264 "));
        if has_x264 { &["libx264", "-preset", "veryfast", "-crf", "20"] } else { &["mpeg4", "-q:v", "3"] }
    }
}

const INSTALL: &str = "on Debian and Ubuntu with `apt install ffmpeg`, on macOS with `brew install ffmpeg`, on Windows with `winget install ffmpeg`";

fn not_found(program: &str, error: &io::Error) -> Error {
    let why =
        if error.kind() == io::ErrorKind::NotFound { "it was not found".into() } else { error.to_string() };
    let message = format!(
        "ffmpeg is needed to read and write videos, but “{program}” could not be started: {why}.\n\
         Install it {INSTALL}; or set {VARIABLE} to its path.\n\
         Without it, films can be read as Y4M, as a folder of PNG or JPEG images, or as raw gray bytes of a given size and frame rate."
    );
    Error::new(message).with_setting("film::Options::fps").with_setting("film::Options::raw")
}

/// Parses versions such as `5.1.9-0+deb12u1`, `n6.0` and `7.1-essentials_build-www.gyan.dev`. Returns `None` for
/// `N-113007-g8d24a28d06` or `git-2020-…`.
fn parsed(version: &str) -> Option<(u32, u32)> {
    let version = version.strip_prefix('n').unwrap_or(version);
    let mut numbers = version.split(|c: char| !c.is_ascii_digit());
    let major = numbers.next()?.parse().ok()?;
    let minor = numbers.next().and_then(|minor| minor.parse().ok()).unwrap_or(0);
    Some((major, minor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_strings_are_parsed() {
        for (version, expected) in [
            ("5.1.9-0+deb12u1 Copyright (c) 2000-2026", Some((5, 1))),
            ("n6.0 Copyright", Some((6, 0))),
            ("7 Copyright", Some((7, 0))),
            ("4.4.2-0ubuntu0.22.04.1 Copyright", Some((4, 4))),
            ("7.1-essentials_build-www.gyan.dev Copyright", Some((7, 1))),
            ("N-113007-g8d24a28d06 Copyright", None),
            ("git-2020-06-28 Copyright", None),
        ] {
            assert_eq!(parsed(version), expected, "{version}");
        }
    }

    #[test]
    fn older_versions_get_their_own_option() {
        let mode = |version| Ffmpeg { program: "ffmpeg".into(), version }.passthrough()[0];
        assert_eq!(
            [Some((4, 4)), Some((5, 0)), Some((5, 1)), Some((8, 0)), None].map(mode),
            ["-vsync", "-vsync", "-fps_mode", "-fps_mode", "-fps_mode"]
        );
    }

    #[test]
    fn a_missing_ffmpeg_is_explained() {
        let message = Ffmpeg::at("/nowhere/ffmpeg".into()).unwrap_err().to_string();
        for part in [
            "/nowhere/ffmpeg",
            "apt install",
            "brew install",
            "winget install",
            "VIVANT_FFMPEG",
            "Y4M",
            "gray bytes",
            "PNG",
        ] {
            assert!(message.contains(part), "{part} in {message}");
        }
    }
}
