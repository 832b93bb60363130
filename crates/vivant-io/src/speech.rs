//! Reads timed speech from aligners, lip-sync tools and speech synthesis.
//!
//! | Format | Support |
//! | --- | --- |
//! | Praat TextGrid | long and short text, UTF-8 or UTF-16; word and phoneme tiers are detected from their labels |
//! | HTS and HTK labels | full-context, triphone or monophone labels of phones or states, in units of 100 ns |
//! | Rhubarb Lip Sync | TSV, XML and JSON |
//! | SSML | text with breaks, emphasis, rate, marks and phonemes: see [`ssml`] |
//! | JSON | words with times, with or without phonemes |
//! | Text | `.txt`, `.md` and `.lab` files with words only |
//!
//! Phonemes may be ARPAbet, IPA or X-SAMPA; the alphabet that knows most of the labels is used. Words without
//! phonemes are pronounced and timed by [`vivant::speech`].
//!
//! ```
//! let file = b"0 1500000 sil\n1500000 2300000 m\n2300000 4100000 aa\n";
//! let (score, warnings) = vivant_io::speech::read("ma.lab", file).unwrap();
//! assert_eq!(score.segments.len(), 2);
//! assert!(warnings.is_empty());
//! ```

mod aligned;
pub mod dictionary;
mod json;
mod labels;
mod rhubarb;
mod sounds;
pub mod ssml;
#[cfg(test)]
mod tests;
mod textgrid;

use crate::eaf::text::{decode, quote};
use crate::error::{Error, Result, Warning, WarningCode};
use crate::limits;
use vivant::intent::{ReadLine, Say};
use vivant::speech::Score;
use vivant::speech::pronounce::{English, Pronounce};
use vivant::speech::text::{Note, Text};
use vivant::speech::timing::{TimingOptions, score};

/// The program named in errors that ask to save a file again.
const PROGRAM: &str = "the program that wrote it";

/// Options for reading speech.
pub struct ReadOptions<'a> {
    /// Language in which words without phonemes in the file are pronounced.
    pub language: &'a dyn Pronounce,
    /// Options for estimating durations if the file has no times.
    pub timing: TimingOptions,
    /// Name of the word tier; detected if `None`.
    pub words_tier: Option<&'a str>,
    /// Name of the phoneme tier; detected if `None`.
    pub phones_tier: Option<&'a str>,
}

/// Reads speech. The format is detected from the content; words without phonemes are pronounced in English.
///
/// # Errors
/// If the format is unknown, the file is malformed, or it exceeds the [limits].
pub fn read(name: &str, bytes: &[u8]) -> Result<(Score, Vec<Warning>)> {
    let language = English::default();
    let options = ReadOptions {
        language: &language,
        timing: TimingOptions::default(),
        words_tier: None,
        phones_tier: None,
    };
    read_with(name, bytes, &options)
}

/// Like [`read`], with a choice of language, timing and tiers.
///
/// # Errors
/// See [`read`].
pub fn read_with(name: &str, bytes: &[u8], options: &ReadOptions<'_>) -> Result<(Score, Vec<Warning>)> {
    let mut warnings = Vec::new();
    let score = read_any(name, bytes, options, &mut warnings).map_err(|error| error.in_file(name))?;
    Ok((score, warnings))
}

/// Parses the text of an intent if it is SSML; other intents are returned unchanged.
///
/// # Errors
/// If the SSML is not well formed or the intent has `more`.
pub fn with_ssml(say: Say) -> Result<Say> {
    if !is_ssml(&say.say) {
        return Ok(say);
    }
    if say.more {
        return Err(Error::at("more", "SSML cannot be sent in pieces; omit `more`, or send plain text"));
    }
    let mut warnings = Vec::new();
    // The text is a single line, so its line number is dropped.
    let without_line = |error: Error| {
        let words = error.to_string();
        Error::at("say", words.strip_prefix("line 1: ").unwrap_or(&words))
    };
    let text = ssml::read_text(&say.say, &mut warnings).map_err(without_line)?;
    let remarks = warnings.iter().map(ToString::to_string).collect();
    Ok(Say { read: Some(Box::new(ReadLine { text, remarks })), ..say })
}

/// Returns true if the text is SSML: its first element is `speak`.
#[must_use]
pub fn is_ssml(text: &str) -> bool {
    let start = text.trim_start();
    start.starts_with("<speak") || start.starts_with("<?xml") && start.contains("<speak")
}

fn read_any(
    name: &str,
    bytes: &[u8],
    options: &ReadOptions<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Score> {
    limits::within("file", "bytes", bytes.len(), limits::MAX_SPEECH_BYTES)?;
    if bytes.starts_with(b"ooBinaryFile") {
        return Err(Error::new("binary Praat files are not supported; save it in Praat as a text file"));
    }
    let text = decode(bytes, PROGRAM)?;
    let start = text.trim_start();
    if textgrid::is_textgrid(start) {
        textgrid::read(&text, options, warnings)?.score(options, warnings)
    } else if start.starts_with(['{', '[']) {
        json::read(&text, options, warnings)
    } else if start.starts_with('<') {
        markup(&text, options, warnings)
    } else if rhubarb::is_tsv(start) {
        rhubarb::read_tsv(&text, options, warnings)
    } else if labels::is_labels(start) {
        labels::read(&text, warnings)?.score(options, warnings)
    } else {
        plain(name, &text, options, warnings)
    }
}

fn markup(text: &str, options: &ReadOptions<'_>, warnings: &mut Vec<Warning>) -> Result<Score> {
    if rhubarb::is_xml(text) {
        return rhubarb::read_xml(text, options, warnings);
    }
    let text = ssml::read_text(text, warnings)?;
    Ok(score_text(&text, options, warnings))
}

/// Times a text by rule, and warns about parts that are not spoken.
fn score_text(text: &Text, options: &ReadOptions<'_>, warnings: &mut Vec<Warning>) -> Score {
    let dropped =
        |note: &Note| Warning::new(WarningCode::Dropped, format!("“{}”", note.sample), note.skipped.why());
    warnings.extend(text.notes.iter().map(dropped));
    score(text, options.language, &options.timing)
}

/// Reads plain text, if the file name ends in `.txt`, `.md` or `.lab`.
fn plain(name: &str, text: &str, options: &ReadOptions<'_>, warnings: &mut Vec<Warning>) -> Result<Score> {
    let small = name.to_ascii_lowercase();
    if [".txt", ".md", ".lab"].iter().any(|ending| small.ends_with(ending)) {
        return Ok(score_text(&Text::read(text), options, warnings));
    }
    let start = quote(text.trim_start().lines().next().unwrap_or_default());
    Err(Error::at(
        "line 1",
        format!(
            "unknown speech format, starting with {start}; Vivant reads TextGrid, HTS and HTK labels, Rhubarb, SSML and \
            JSON with times. Name the file .txt to read it as plain text"
        ),
    ))
}
