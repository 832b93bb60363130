//! espeak-ng as a child process.
//!
//! Its program tells samples and sounds but not when each sound is heard; only its library does, which cannot be
//! called without unsafe code. So it is asked a phrase at a time, which takes some 10 ms, and the times are found by
//! [aligning](super::align).

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use vivant_io::audio::Audio;
use vivant_io::{Error, ErrorKind, Result};

/// The variable that says where it is.
const VARIABLE: &str = "VIVANT_ESPEAK";
/// The longest that it may take over a phrase.
const PATIENCE: Duration = Duration::from_secs(20);
/// The most that is taken of what it gives for a phrase: ten minutes of samples.
const MOST_BYTES: u64 = 10 * 60 * 22_050 * 2;
/// Words a minute at a rate of 1, and what it takes.
const USUAL_WORDS_PER_MINUTE: f64 = 175.0;
const WORDS_PER_MINUTE: (f64, f64) = (80.0, 450.0);
/// Samples a second of all of its voices.
pub(super) const RATE_HZ: u32 = 22_050;
/// What its WAV files have before the samples.
const HEADER: usize = 44;

/// How to install it.
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
pub struct Known {
    /// The name by which it is selected: `en-us`.
    pub language: String,
    /// The name for people: `English (America)`.
    pub name: String,
}

impl Espeak {
    /// Finds the program that `VIVANT_ESPEAK` names, or that is in the path. A voice is `en-us` or `de+f2`.
    ///
    /// # Errors
    /// If it is not installed ([`ErrorKind::NotFound`]), or has no such voice.
    pub fn find(voice: &str, rate: f64) -> Result<Self> {
        let program = std::env::var_os(VARIABLE).filter(|program| !program.is_empty());
        Self::at(program.unwrap_or_else(|| "espeak-ng".into()), voice, rate)
    }

    fn at(program: OsString, voice: &str, rate: f64) -> Result<Self> {
        let (slow, fast) = WORDS_PER_MINUTE;
        let words_per_minute = (USUAL_WORDS_PER_MINUTE * rate).clamp(slow, fast).round() as u32;
        let espeak = Self { program, voice: voice.to_owned(), words_per_minute };
        espeak.check_voice()?;
        Ok(espeak)
    }

    /// Whether it has this voice; it would speak Norwegian for `no-such-voice`.
    fn check_voice(&self) -> Result<()> {
        let bare = self.voice.split('+').next().unwrap_or_default();
        let is_one = |known: Known| {
            let language = known.language.to_ascii_lowercase();
            language
                .strip_prefix(&bare.to_ascii_lowercase())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+');
        let is_name = bare.starts_with(|c: char| c.is_ascii_alphabetic()) && self.voice.chars().all(is_plain);
        // It is asked in any case: whoever lacks it should hear of that first.
        let voices = self.voices()?;
        if is_name && voices.into_iter().any(is_one) {
            return Ok(());
        }
        let message =
            format!("espeak-ng has no voice “{}”; `espeak-ng --voices` has them all", shortened(&self.voice));
        Err(Error::of(ErrorKind::Invalid, message))
    }

    /// Lists its voices.
    ///
    /// # Errors
    /// If the program fails.
    pub fn voices(&self) -> Result<Vec<Known>> {
        let mut command = Command::new(&self.program);
        let given = self.converse(command.arg("--voices"), "")?;
        Ok(String::from_utf8_lossy(&given).lines().skip(1).filter_map(known).collect())
    }

    /// Speaks a phrase, without the pause after it.
    ///
    /// # Errors
    /// If the program fails or returns no samples.
    pub fn samples(&self, phrase: &str) -> Result<Audio> {
        let wav = self.run(&["--stdout", "-z"], phrase)?;
        let whole = wav.len() >= HEADER && wav.starts_with(b"RIFF");
        let (header, data) = wav.split_at_checked(HEADER).filter(|_| whole).ok_or_else(|| {
            Error::new(format!("espeak-ng gave no samples for “{}”; try other words", shortened(phrase)))
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
        let given = self.run(&["-q", "--ipa", "--sep=_"], phrase)?;
        let word = |word: &str| {
            word.split('_').filter(|sound| !sound.is_empty()).map(str::to_owned).collect::<Vec<_>>()
        };
        let words = String::from_utf8_lossy(&given).split_whitespace().map(word).collect::<Vec<_>>();
        Ok(words.into_iter().filter(|word| !word.is_empty()).collect())
    }

    fn run(&self, flags: &[&str], text: &str) -> Result<Vec<u8>> {
        let mut command = Command::new(&self.program);
        command.args(["--stdin", "-b", "1", "-v", &self.voice, "-s", &self.words_per_minute.to_string()]);
        self.converse(command.args(flags), text)
    }

    /// What it gives for a text, which goes in by its standard input: no shell, no length of a command line.
    fn converse(&self, command: &mut Command, text: &str) -> Result<Vec<u8>> {
        let shown = self.program.to_string_lossy();
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let child = child.map_err(|error| absent(&shown, &error))?;
        let broken = |why: String| {
            Error::new(format!("“{shown}” {why}; `espeak-ng --version` tells whether it works"))
        };
        let given = answer(child, text.as_bytes()).map_err(|error| broken(format!("failed: {error}")))?;
        given.ok_or_else(|| broken(format!("did not answer within {} s", PATIENCE.as_secs())))
    }
}

/// Gives a child its text and takes what it says; `None` if it takes too long, and then it is ended.
fn answer(mut child: Child, text: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    std::thread::scope(|scope| {
        // One who does not read on breaks the pipe; what it said so far is what counts.
        scope.spawn(move || stdin.map(|mut pipe| pipe.write_all(text)));
        let output = scope.spawn(move || stdout.map_or(Ok(Vec::new()), all));
        let status = wait(&mut child)?;
        let output =
            output.join().unwrap_or_else(|_| Err(io::Error::other("its answer could not be taken")))?;
        match status {
            Some(status) if !status.success() => Err(io::Error::other(status.to_string())),
            status => Ok(status.map(|_| output)),
        }
    })
}

fn all(pipe: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    pipe.take(MOST_BYTES).read_to_end(&mut bytes).map(|_| bytes)
}

/// How a child ended; `None` if it had to be ended.
fn wait(child: &mut Child) -> io::Result<Option<ExitStatus>> {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if began.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn absent(program: &str, error: &io::Error) -> Error {
    let why =
        if error.kind() == io::ErrorKind::NotFound { "it was not found".into() } else { error.to_string() };
    Error::of(
        ErrorKind::NotFound,
        format!(
            "this voice is espeak-ng's, and “{program}” could not be started: {why}.\n\
             Install it {INSTALL}; or set {VARIABLE} to its path.\n\
             Without it, use a recording as the voice, or none."
        ),
    )
}

/// A line of its table: priority, language, age and gender, name, file, and other languages.
fn known(line: &str) -> Option<Known> {
    let mut columns = line.split_whitespace();
    let (language, name) = (columns.nth(1)?, columns.nth(1)?);
    Some(Known { language: language.to_owned(), name: name.replace('_', " ") })
}

fn shortened(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_there_is_none_people_are_told_how_to_get_it_and_how_to_do_without() {
        let told = Espeak::at("/nowhere/espeak-ng".into(), "en-us", 1.0).unwrap_err().to_string();
        let words = ["/nowhere", "apt install", "brew install", "winget install", VARIABLE, "a recording"];
        assert!(words.iter().all(|words| told.contains(words)), "{told}");
    }

    #[test]
    fn its_table_of_voices_is_read() {
        let line = " 5  en-us           --/M      English_(America)  gmw/en-US            (en 3)";
        let expected = Known { language: "en-us".into(), name: "English (America)".into() };
        assert_eq!(known(line), Some(expected));
        assert_eq!(known("  "), None);
    }

    /// A program that ends at once and reads nothing is no reason to wait or to break.
    #[cfg(unix)]
    #[test]
    fn who_does_not_answer_as_espeak_does_has_no_voice() {
        for name in ["--version", "", "x; rm -rf /", "../../etc/passwd", "no-such-voice"] {
            let told = Espeak::at("/bin/true".into(), name, 1.0).unwrap_err().to_string();
            assert!(told.contains("has no voice"), "{name}: {told}");
        }
        assert!(Espeak::at("/bin/false".into(), "en-us", 1.0).unwrap_err().to_string().contains("failed"));
    }
}
