//! Runs espeak-ng as a child process.
//!
//! The program outputs samples and phonemes, but not the time of each phoneme. Only the library of espeak-ng reports
//! these times, and it cannot be called without unsafe code. So the program is run for one phrase at a time, which
//! takes about 10 ms, and the times are found by alignment.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use vivant_io::audio::Audio;
use vivant_io::{Error, ErrorKind, Result};

/// The environment variable with the path of espeak-ng.
const VARIABLE: &str = "VIVANT_ESPEAK";
/// Maximum run time for a phrase.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Maximum output for a phrase in bytes: ten minutes of samples.
const MAX_BYTES: u64 = 10 * 60 * 22_050 * 2;
/// Words per minute at rate 1, and the range of words per minute that espeak-ng accepts.
const DEFAULT_WORDS_PER_MINUTE: f64 = 175.0;
const WORDS_PER_MINUTE: (f64, f64) = (80.0, 450.0);
/// Sampling rate of all voices of espeak-ng, in Hz.
pub(super) const RATE_HZ: u32 = 22_050;
/// Length of the header of WAV files written by espeak-ng, in bytes.
const HEADER: usize = 44;

/// Instructions for installing espeak-ng.
pub const INSTALL: &str = "on Debian and Ubuntu with `apt install espeak-ng`, on macOS with `brew install \
     espeak-ng`, on Windows with `winget install espeak-ng`";

/// An installed espeak-ng with a voice.
#[derive(Clone, Debug)]
pub struct Espeak {
    program: OsString,
    voice: String,
    words_per_minute: u32,
}

/// A voice of espeak-ng.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoiceInfo {
    /// The name that selects the voice: `en-us`.
    pub language: String,
    /// The display name: `English (America)`.
    pub name: String,
}

impl Espeak {
    /// Finds the program named by `VIVANT_ESPEAK`, or `espeak-ng` in the search path. `voice` is a name such as
    /// `en-us` or `de+f2`, and `rate` is the speaking rate relative to the normal rate, which is 1.
    ///
    /// # Errors
    /// If espeak-ng is not installed ([`ErrorKind::NotFound`]), or does not have this voice.
    pub fn find(voice: &str, rate: f64) -> Result<Self> {
        let program = std::env::var_os(VARIABLE).filter(|program| !program.is_empty());
        Self::at(program.unwrap_or_else(|| "espeak-ng".into()), voice, rate)
    }

    fn at(program: OsString, voice: &str, rate: f64) -> Result<Self> {
        let (slow, fast) = WORDS_PER_MINUTE;
        let words_per_minute = (DEFAULT_WORDS_PER_MINUTE * rate).clamp(slow, fast).round() as u32;
        let espeak = Self { program, voice: voice.to_owned(), words_per_minute };
        espeak.check_voice()?;
        Ok(espeak)
    }

    /// Checks that espeak-ng has this voice. Without this check, espeak-ng would speak Norwegian (`no`) for
    /// `no-such-voice`.
    fn check_voice(&self) -> Result<()> {
        let bare = self.voice.split('+').next().unwrap_or_default();
        let is_match = |voice: VoiceInfo| {
            let language = voice.language.to_ascii_lowercase();
            language
                .strip_prefix(&bare.to_ascii_lowercase())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+');
        let is_name = bare.starts_with(|c: char| c.is_ascii_alphabetic()) && self.voice.chars().all(is_plain);
        // Always list the voices, so that a missing program is reported first.
        let voices = self.voices()?;
        if is_name && voices.into_iter().any(is_match) {
            return Ok(());
        }
        let message = format!(
            "espeak-ng has no voice “{}”; `espeak-ng --voices` lists all voices",
            shortened(&self.voice)
        );
        Err(Error::of(ErrorKind::Invalid, message))
    }

    /// Lists the voices of espeak-ng.
    ///
    /// # Errors
    /// If the program fails.
    pub fn voices(&self) -> Result<Vec<VoiceInfo>> {
        let mut command = Command::new(&self.program);
        let output = self.run_with_input(command.arg("--voices"), "")?;
        Ok(String::from_utf8_lossy(&output).lines().skip(1).filter_map(parse_voice).collect())
    }

    /// Returns the samples of a spoken phrase, without the pause after it.
    ///
    /// # Errors
    /// If the program fails or returns no samples.
    pub fn samples(&self, phrase: &str) -> Result<Audio> {
        let wav = self.run(&["--stdout", "-z"], phrase)?;
        let whole = wav.len() >= HEADER && wav.starts_with(b"RIFF");
        let (header, data) = wav.split_at_checked(HEADER).filter(|_| whole).ok_or_else(|| {
            Error::new(format!("espeak-ng returned no samples for “{}”; try other words", shortened(phrase)))
        })?;
        let rate_hz = u32::from_le_bytes([header[24], header[25], header[26], header[27]]);
        let sample = |pair: &[u8]| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / 32_768.0;
        Ok(Audio { rate_hz, samples: data.chunks_exact(2).map(sample).collect() })
    }

    /// Returns the phonemes of a phrase in IPA, word by word.
    ///
    /// # Errors
    /// If the program fails.
    pub fn sounds(&self, phrase: &str) -> Result<Vec<Vec<String>>> {
        let output = self.run(&["-q", "--ipa", "--sep=_"], phrase)?;
        let word = |word: &str| {
            word.split('_').filter(|sound| !sound.is_empty()).map(str::to_owned).collect::<Vec<_>>()
        };
        let parts = String::from_utf8_lossy(&output).split_whitespace().map(word).collect::<Vec<_>>();
        Ok(parts.into_iter().filter(|word| !word.is_empty()).collect())
    }

    fn run(&self, flags: &[&str], text: &str) -> Result<Vec<u8>> {
        let mut command = Command::new(&self.program);
        command.args(["--stdin", "-b", "1", "-v", &self.voice, "-s", &self.words_per_minute.to_string()]);
        self.run_with_input(command.args(flags), text)
    }

    /// Runs the command with a text on standard input. This needs no shell, and the text has no length limit.
    fn run_with_input(&self, command: &mut Command, text: &str) -> Result<Vec<u8>> {
        let shown = self.program.to_string_lossy();
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let child = child.map_err(|error| not_found(&shown, &error))?;
        let failure = |why: String| {
            Error::new(format!("“{shown}” {why}; run `espeak-ng --version` to check whether it works"))
        };
        let output = answer(child, text.as_bytes()).map_err(|error| failure(format!("failed: {error}")))?;
        output.ok_or_else(|| failure(format!("did not finish within {} s", TIMEOUT.as_secs())))
    }
}

/// Writes the text to a child process and returns its output. Returns `None` if the process took too long and was
/// killed.
fn answer(mut child: Child, text: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    std::thread::scope(|scope| {
        // If the program stops reading, writing fails with a broken pipe. Only the output of the program matters.
        scope.spawn(move || stdin.map(|mut pipe| pipe.write_all(text)));
        let output = scope.spawn(move || stdout.map_or(Ok(Vec::new()), all));
        let status = wait(&mut child)?;
        let output = output.join().unwrap_or_else(|_| Err(io::Error::other("cannot read its output")))?;
        match status {
            Some(status) if !status.success() => Err(io::Error::other(status.to_string())),
            status => Ok(status.map(|_| output)),
        }
    })
}

fn all(pipe: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    pipe.take(MAX_BYTES).read_to_end(&mut bytes).map(|_| bytes)
}

/// Waits for a child process. Returns `None` if the process had to be killed.
fn wait(child: &mut Child) -> io::Result<Option<ExitStatus>> {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if began.elapsed() > TIMEOUT {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn not_found(program: &str, error: &io::Error) -> Error {
    let why =
        if error.kind() == io::ErrorKind::NotFound { "it was not found".into() } else { error.to_string() };
    Error::of(
        ErrorKind::NotFound,
        format!(
            "espeak-ng is needed for this voice, but “{program}” could not be started: {why}.\n\
             Install it {INSTALL}; or set {VARIABLE} to its path.\n\
             Without it, use a recording as the voice, or none."
        ),
    )
}

/// Parses a line of the list of voices: priority, language, age and gender, name, file, and other languages.
fn parse_voice(line: &str) -> Option<VoiceInfo> {
    let mut columns = line.split_whitespace();
    let (language, name) = (columns.nth(1)?, columns.nth(1)?);
    Some(VoiceInfo { language: language.to_owned(), name: name.replace('_', " ") })
}

fn shortened(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_espeak_is_explained() {
        let message = Espeak::at("/nowhere/espeak-ng".into(), "en-us", 1.0).unwrap_err().to_string();
        let parts = ["/nowhere", "apt install", "brew install", "winget install", VARIABLE, "a recording"];
        assert!(parts.iter().all(|parts| message.contains(parts)), "{message}");
    }

    #[test]
    fn the_voice_table_is_parsed() {
        let line = " 5  en-us           --/M      English_(America)  gmw/en-US            (en 3)";
        let expected = VoiceInfo { language: "en-us".into(), name: "English (America)".into() };
        assert_eq!(parse_voice(line), Some(expected));
        assert_eq!(parse_voice("  "), None);
    }

    /// A program that ends at once without reading its input causes neither waiting nor a crash.
    #[cfg(unix)]
    #[test]
    fn other_programs_have_no_voices() {
        for name in ["--version", "", "x; rm -rf /", "../../etc/passwd", "no-such-voice"] {
            let message = Espeak::at("/bin/true".into(), name, 1.0).unwrap_err().to_string();
            assert!(message.contains("has no voice"), "{name}: {message}");
        }
        assert!(Espeak::at("/bin/false".into(), "en-us", 1.0).unwrap_err().to_string().contains("failed"));
    }
}
