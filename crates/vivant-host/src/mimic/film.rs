//! Films, looked at by the Python package `mediapipe`.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use vivant_io::{Error, ErrorKind, Result};

/// What Python runs.
const SCRIPT: &str = include_str!("landmarks.py");
/// The most that is taken of what it says went wrong.
const MOST_SAID_BYTES: usize = 10_000;

/// How to get MediaPipe.
const INSTALL: &str = "install it with `pip install mediapipe==0.10.21`, or mirror the film in the studio, which needs \
     a browser alone";

/// Finds the landmarks in a film with MediaPipe, as JSON Lines.
///
/// `python` is the Python that has the package `mediapipe`. `on_frame` gets the number of finished frames, and of all
/// if it is known.
///
/// # Errors
/// If the film cannot be read, or Python or MediaPipe is missing ([`ErrorKind::NotFound`]).
pub fn landmarks(
    film: &Path,
    python: &Path,
    on_frame: &mut dyn FnMut(usize, Option<usize>),
) -> Result<Vec<u8>> {
    let wrong = |kind: ErrorKind, why: String| Error::of(kind, format!("{}: {why}", film.display()));
    if !film.is_file() {
        return Err(wrong(ErrorKind::Failed, "there is no such file".into()));
    }
    let absent = |error| format!("{} cannot be run ({error}); {INSTALL}", python.display());
    let mut child = Command::new(python)
        .args(["-c", SCRIPT])
        .arg(film)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| wrong(ErrorKind::NotFound, absent(error)))?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let reader = std::thread::spawn(move || {
        let mut lines = Vec::new();
        stdout.map_or(Ok(0), |mut stdout| stdout.read_to_end(&mut lines)).map(|_| lines)
    });
    let said = stderr.map_or_else(String::new, |stderr| listen(stderr, on_frame));
    let status = child.wait();
    match (reader.join(), status) {
        (Ok(Ok(lines)), Ok(status)) if status.success() => Ok(lines),
        _ if said.contains("no-mediapipe") => {
            let why = format!("{} has no package `mediapipe` ({}); {INSTALL}", python.display(), last(&said));
            Err(wrong(ErrorKind::NotFound, why))
        }
        _ => Err(wrong(ErrorKind::Failed, format!("MediaPipe failed: {}", last(&said)))),
    }
}

/// Reports progress, and returns the rest of what was said.
fn listen(stderr: impl Read, on_frame: &mut dyn FnMut(usize, Option<usize>)) -> String {
    let (mut of, mut said) = (None, String::new());
    for line in BufReader::new(stderr).lines().map_while(std::result::Result::ok) {
        let number = |word: &str| line.strip_prefix(word).and_then(|rest| rest.trim().parse::<usize>().ok());
        if let Some(count) = number("frames ") {
            of = (count > 0).then_some(count);
            on_frame(0, of);
        } else if let Some(frame) = number("frame ") {
            on_frame(frame, of);
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
