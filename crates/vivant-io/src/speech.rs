//! Reads speech: who says what when, as aligners, animators and agents write it.
//!
//! | Kind | What is read |
//! | --- | --- |
//! | Praat TextGrid | long and short text, UTF-8 or UTF-16; the tiers of words and of sounds are found by what is in them |
//! | HTS and HTK labels | full context, triphones or single sounds, of phones or of states, in 100 ns |
//! | Rhubarb Lip Sync | TSV, XML and JSON |
//! | SSML | text with pauses, emphasis, rate, marks and sounds: see [`ssml`] |
//! | JSON | words with times, with their sounds or without |
//! | Text | `.txt`, `.md` and `.lab` files of words alone |
//!
//! Sounds are ARPAbet, IPA or X-SAMPA, whichever knows most of them. What has no sounds is pronounced and timed by
//! [`vivant::speech`].
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

use crate::eaf::text::{decoded, shown};
use crate::error::{Error, Result, Warning, WarningCode};
use crate::limits;
use vivant::intent::{ReadLine, Say};
use vivant::speech::Score;
use vivant::speech::pronounce::{English, Pronounce};
use vivant::speech::text::{Note, Text};
use vivant::speech::timing::{TimingOptions, score};

/// Which program should write a file again that cannot be read.
const PROGRAM: &str = "the program that wrote it";

/// How speech is read.
pub struct ReadOptions<'a> {
    /// Says how words sound that have no sounds in the file.
    pub language: &'a dyn Pronounce,
    /// How long things take that have no times in the file.
    pub timing: TimingOptions,
    /// The name of the tier of words, if it is not to be found.
    pub words_tier: Option<&'a str>,
    /// The name of the tier of sounds, if it is not to be found.
    pub phones_tier: Option<&'a str>,
}

/// Reads speech of any kind that is known, by what is in the file; English says what has no sounds.
///
/// # Errors
/// When it is none of them, or one that is broken, or larger than the [limits].
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

/// The same, in another language, at another rate, or from other tiers.
///
/// # Errors
/// As for [`read`].
pub fn read_with(name: &str, bytes: &[u8], options: &ReadOptions<'_>) -> Result<(Score, Vec<Warning>)> {
    let mut warnings = Vec::new();
    let score = any(name, bytes, options, &mut warnings).map_err(|error| error.in_file(name))?;
    Ok((score, warnings))
}

/// What an intent says, with its text read if it is SSML.
///
/// # Errors
/// When SSML is not well formed or is told in pieces.
pub fn with_ssml(say: Say) -> Result<Say> {
    if !is_ssml(&say.say) {
        return Ok(say);
    }
    if say.more {
        return Err(Error::at("more", "SSML cannot come in pieces; leave `more` out, or tell plain text"));
    }
    let mut warnings = Vec::new();
    // A line of a script is one line, whatever is in it.
    let fault = |error: Error| {
        let words = error.to_string();
        Error::at("say", words.strip_prefix("line 1: ").unwrap_or(&words))
    };
    let text = ssml::read_text(&say.say, &mut warnings).map_err(fault)?;
    let remarks = warnings.iter().map(ToString::to_string).collect();
    Ok(Say { read: Some(Box::new(ReadLine { text, remarks })), ..say })
}

/// Whether a text is SSML: its first element is `speak`.
#[must_use]
pub fn is_ssml(text: &str) -> bool {
    let begin = text.trim_start();
    begin.starts_with("<speak") || begin.starts_with("<?xml") && begin.contains("<speak")
}

fn any(name: &str, bytes: &[u8], options: &ReadOptions<'_>, warnings: &mut Vec<Warning>) -> Result<Score> {
    limits::within("file", "bytes", bytes.len(), limits::MAX_SPEECH_BYTES)?;
    if bytes.starts_with(b"ooBinaryFile") {
        return Err(Error::new("this is a binary file of Praat; save it there as a text file"));
    }
    let text = decoded(bytes, PROGRAM)?;
    let begin = text.trim_start();
    if textgrid::is_one(begin) {
        textgrid::read(&text, options, warnings)?.score(options, warnings)
    } else if begin.starts_with(['{', '[']) {
        json::read(&text, options, warnings)
    } else if begin.starts_with('<') {
        markup(&text, options, warnings)
    } else if rhubarb::is_tsv(begin) {
        rhubarb::read_tsv(&text, options, warnings)
    } else if labels::is_one(begin) {
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
    Ok(timed(&text, options, warnings))
}

/// A text by the rules, with a warning for what of it is not spoken.
fn timed(text: &Text, options: &ReadOptions<'_>, warnings: &mut Vec<Warning>) -> Score {
    let left_out =
        |note: &Note| Warning::new(WarningCode::Dropped, format!("“{}”", note.sample), note.skipped.why());
    warnings.extend(text.notes.iter().map(left_out));
    score(text, options.language, &options.timing)
}

/// Words alone, if the name says that they are meant.
fn plain(name: &str, text: &str, options: &ReadOptions<'_>, warnings: &mut Vec<Warning>) -> Result<Score> {
    let small = name.to_ascii_lowercase();
    if [".txt", ".md", ".lab"].iter().any(|ending| small.ends_with(ending)) {
        return Ok(timed(&Text::read(text), options, warnings));
    }
    let begin = shown(text.trim_start().lines().next().unwrap_or_default());
    Err(Error::at(
        "line 1",
        format!(
            "this begins with {begin} and is no speech that is read: TextGrid, HTS or HTK labels, Rhubarb, SSML, JSON \
             with times; name it .txt if it is what to say"
        ),
    ))
}
