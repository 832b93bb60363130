//! Finds landmarks in films with the Python package `mediapipe`.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use vivant_io::{Error, ErrorKind, Result};

/// The Python script.
const SCRIPT: &str = include_str!("landmarks.py");
/// Maximum length of the script's error output in bytes.
const MAX_OUTPUT_BYTES: usize = 10_000;

/// Instructions for installing MediaPipe.
const INSTALL: &str = "install it with `pip install mediapipe==0.10.21`, or mirror the film in the studio, which needs \
     only a browser";

/// Finds the landmarks in a film with MediaPipe, as JSON Lines.
///
/// `python` is the Python interpreter that has the package `mediapipe`. `on_frame` gets the number of finished
/// frames, and the total if it is known.
///
/// # Errors
/// If the film cannot be read, or Python or MediaPipe is missing ([`ErrorKind::NotFound`]).
pub fn landmarks(
    film: &Path,
    python: &Path,
    on_frame: &mut dyn FnMut(usize, Option<usize>),
) -> Result<Vec<u8>> {
    let error_of = |kind: ErrorKind, why: String| Error::of(kind, format!("{}: {why}", film.display()));
    if !film.is_file() {
        return Err(error_of(ErrorKind::Failed, "no such file; check the path".into()));
    }
    let not_runnable = |error| format!("cannot run {} ({error}); {INSTALL}", python.display());
    let mut child = Command::new(python)
        .args(["-c", SCRIPT])
        .arg(film)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error_of(ErrorKind::NotFound, not_runnable(error)))?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let reader = std::thread::spawn(move || {
        let mut lines = Vec::new();
        stdout.map_or(Ok(0), |mut stdout| stdout.read_to_end(&mut lines)).map(|_| lines)
    });
    let output = stderr.map_or_else(String::new, |stderr| read_progress(stderr, on_frame));
    let status = child.wait();
    match (reader.join(), status) {
        (Ok(Ok(lines)), Ok(status)) if status.success() => Ok(lines),
        _ if output.contains("no-mediapipe") => {
            let why = format!(
                "{} does not have the package `mediapipe` ({}); {INSTALL}",
                python.display(),
                last_line(&output)
            );
            Err(error_of(ErrorKind::NotFound, why))
        }
        _ => Err(error_of(
            ErrorKind::Failed,
            format!("MediaPipe failed: {}; check the video, or try another one", last_line(&output)),
        )),
    }
}

/// Reports progress and returns the remaining output.
fn read_progress(stderr: impl Read, on_frame: &mut dyn FnMut(usize, Option<usize>)) -> String {
    let (mut of, mut output) = (None, String::new());
    for line in BufReader::new(stderr).lines().map_while(std::result::Result::ok) {
        let number = |word: &str| line.strip_prefix(word).and_then(|rest| rest.trim().parse::<usize>().ok());
        if let Some(count) = number("frames ") {
            of = (count > 0).then_some(count);
            on_frame(0, of);
        } else if let Some(frame) = number("frame ") {
            on_frame(frame, of);
        } else if output.len() + line.len() < MAX_OUTPUT_BYTES {
            output.push_str(&line);
            output.push('\n');
        }
    }
    output
}

fn last_line(output: &str) -> &str {
    output.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no error output")
}
