//! Films, looked at by the Python package `mediapipe`.

use crate::fault::{Fault, Result};
use crate::report::Progress;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};

/// What Python runs.
const SCRIPT: &str = include_str!("landmarks.py");
/// The most that is taken of what it says went wrong.
const MOST_SAID_BYTES: usize = 10_000;

/// The landmarks of a film, as JSON Lines.
pub(super) fn landmarks(film: &Path, python: &Path) -> Result<Vec<u8>> {
    let wrong = |why: String| Fault::new(format!("{}: {why}", film.display()));
    if !film.is_file() {
        return Err(wrong("there is no such file".into()));
    }
    let mut child = Command::new(python)
        .args(["-c", SCRIPT])
        .arg(film)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| wrong(format!("{} cannot be run ({error}); {INSTALL}", python.display())))?;
    let said = child.stderr.take().map(|stderr| std::thread::spawn(move || listen(stderr)));
    let mut lines = Vec::new();
    let read = child.stdout.take().map_or(Ok(0), |mut stdout| stdout.read_to_end(&mut lines));
    let status = child.wait();
    let said = said.and_then(|listener| listener.join().ok()).unwrap_or_default();
    match (read, status) {
        (Ok(_), Ok(status)) if status.success() => Ok(lines),
        _ if said.contains("no-mediapipe") => Err(wrong(format!(
            "{} has no package `mediapipe` ({}); {INSTALL}",
            python.display(),
            last(&said)
        ))),
        _ => Err(wrong(format!("MediaPipe failed: {}", last(&said)))),
    }
}

const INSTALL: &str = "install it with `pip install mediapipe==0.10.21` and name its Python with --python, or mirror the \
     film in the studio, which needs a browser alone";

/// Shows how far it is; gives the rest of what was said.
fn listen(stderr: impl Read) -> String {
    let (mut progress, mut said) = (Progress::spinner("loading MediaPipe"), String::new());
    for line in BufReader::new(stderr).lines().map_while(std::result::Result::ok) {
        let number = |word: &str| line.strip_prefix(word).and_then(|rest| rest.trim().parse::<usize>().ok());
        if let Some(count) = number("frames ") {
            progress = Progress::frames("looking at the film", (count > 0).then_some(count));
        } else if let Some(frame) = number("frame ") {
            progress.at(frame);
        } else if said.len() + line.len() < MOST_SAID_BYTES {
            said.push_str(&line);
            said.push('\n');
        }
    }
    said
}

fn last(said: &str) -> &str {
    said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing")
}
