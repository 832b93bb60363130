//! The ffmpeg that is installed: found, asked for its version, and explained where it is not there.

use std::ffi::OsString;
use std::io;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use vivant_io::{Error, Result};

/// The variable that says where it is.
const VARIABLE: &str = "VIVANT_FFMPEG";
/// Since this version, how frames are timed is asked for by `-fps_mode`; before, by `-vsync`.
const HAS_FPS_MODE: (u32, u32) = (5, 1);

/// A program that decodes and encodes videos.
#[derive(Clone, Debug)]
pub struct Ffmpeg {
    program: OsString,
    /// Not known of builds between versions, which are newer than any.
    version: Option<(u32, u32)>,
}

impl Ffmpeg {
    /// The one that `VIVANT_FFMPEG` names, or that is in the path.
    ///
    /// Once it has answered it is not asked again: who steps through a film needs it for every frame.
    ///
    /// # Errors
    /// If it is not there, with how to get it and how to do without.
    pub fn find() -> Result<Self> {
        static FOUND: OnceLock<Ffmpeg> = OnceLock::new();
        if let Some(found) = FOUND.get() {
            return Ok(found.clone());
        }
        let program = std::env::var_os(VARIABLE).filter(|program| !program.is_empty());
        let found = Self::at(program.unwrap_or_else(|| "ffmpeg".into()))?;
        Ok(FOUND.get_or_init(|| found).clone())
    }

    /// Asks this program who it is.
    pub(super) fn at(program: OsString) -> Result<Self> {
        let shown = program.to_string_lossy().into_owned();
        let mut command = Command::new(&program);
        let output = command.arg("-version").stdin(Stdio::null()).output();
        let output = output.map_err(|error| absent(&shown, &error))?;
        let text = String::from_utf8_lossy(&output.stdout);
        match text.lines().next().and_then(|line| line.strip_prefix("ffmpeg version ")) {
            Some(version) if output.status.success() => Ok(Self { version: parsed(version), program }),
            _ => Err(Error::new(format!(
                "“{shown}” does not answer as ffmpeg does; set {VARIABLE} to the path of ffmpeg, or install it: {INSTALL}"
            ))),
        }
    }

    /// A run without words of greeting, whose complaints begin with how bad they are.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(["-nostdin", "-hide_banner", "-nostats", "-loglevel", "level+info"]);
        command
    }

    /// Each frame as often as it is in the film, once.
    pub(super) fn passthrough(&self) -> [&'static str; 2] {
        [if self.is_recent() { "-fps_mode" } else { "-vsync" }, "passthrough"]
    }

    /// Tells of every frame; newer ones need not sum up its bytes.
    pub(super) fn show_info(&self) -> &'static str {
        if self.is_recent() { "showinfo=checksum=0" } else { "showinfo" }
    }

    fn is_recent(&self) -> bool {
        self.version.is_none_or(|version| version >= HAS_FPS_MODE)
    }

    /// The codec in which most players take a film; an older one where that is not built in.
    pub fn encoder(&self) -> &'static [&'static str] {
        let encoders =
            Command::new(&self.program).args(["-hide_banner", "-encoders"]).stdin(Stdio::null()).output();
        let has_x264 = encoders.is_ok_and(|said| String::from_utf8_lossy(&said.stdout).contains(" libx264 "));
        if has_x264 { &["libx264", "-preset", "veryfast", "-crf", "20"] } else { &["mpeg4", "-q:v", "3"] }
    }
}

const INSTALL: &str = "on Debian and Ubuntu with `apt install ffmpeg`, on macOS with `brew install ffmpeg`, on Windows with `winget install ffmpeg`";

fn absent(program: &str, error: &io::Error) -> Error {
    let why =
        if error.kind() == io::ErrorKind::NotFound { "it was not found".into() } else { error.to_string() };
    let message = format!(
        "videos are read and written by ffmpeg, and “{program}” could not be started: {why}.\n\
         Install it {INSTALL}; or set {VARIABLE} to its path.\n\
         Without it, films are read as Y4M, as a folder of PNG or JPEG images, or as gray bytes of a stated size and frame rate."
    );
    Error::new(message).with_setting("film::Options::fps").with_setting("film::Options::raw")
}

/// `5.1.9-0+deb12u1`, `n6.0`, `7.1-essentials_build-www.gyan.dev`; not `N-113007-g8d24a28d06` or `git-2020-…`.
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
    fn versions_are_known_however_they_are_written() {
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
    fn older_ones_are_asked_in_their_own_words() {
        let mode = |version| Ffmpeg { program: "ffmpeg".into(), version }.passthrough()[0];
        assert_eq!(
            [Some((4, 4)), Some((5, 0)), Some((5, 1)), Some((8, 0)), None].map(mode),
            ["-vsync", "-vsync", "-fps_mode", "-fps_mode", "-fps_mode"]
        );
    }

    #[test]
    fn where_there_is_none_people_are_told_how_to_get_it_and_how_to_do_without() {
        let told = Ffmpeg::at("/nowhere/ffmpeg".into()).unwrap_err().to_string();
        for words in [
            "/nowhere/ffmpeg",
            "apt install",
            "brew install",
            "winget install",
            "VIVANT_FFMPEG",
            "Y4M",
            "gray bytes",
            "PNG",
        ] {
            assert!(told.contains(words), "{words} in {told}");
        }
    }
}
