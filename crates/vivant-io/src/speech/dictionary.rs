//! Reads pronouncing dictionaries in CMU format: one word with its phonemes per line.
//!
//! The built-in pronunciation guesses names and foreign words from their letters. A dictionary corrects them. Phonemes
//! are in ARPAbet. The digit of a vowel is its stress: 1 is primary, 2 is secondary, 0 is none.
//!
//! ```
//! use vivant_io::speech::dictionary;
//! let (words, warnings) = dictionary::read(b"vivant V IY0 V AA1 N T\n")?;
//! assert_eq!(words.get("vivant").unwrap().len(), 6);
//! assert!(warnings.is_empty());
//! # Ok::<(), vivant_io::Error>(())
//! ```

use super::PROGRAM;
use crate::eaf::text::{decode, quote};
use crate::error::{Error, ErrorList, Result, Warning, WarningCode};
use crate::limits;
use vivant::speech::Phone;
use vivant::speech::pronounce::{Dictionary, stress_of};

/// Reads a dictionary. Alternative pronunciations (`word(2)`) are dropped with a warning. Text after `#` and lines
/// that start with `;;;` are ignored.
///
/// # Errors
/// If a line is not a word followed by ARPAbet phonemes, or the file exceeds the [limits].
pub fn read(bytes: &[u8]) -> Result<(Dictionary, Vec<Warning>)> {
    limits::within("file", "bytes", bytes.len(), limits::MAX_SPEECH_BYTES)?;
    let text = decode(bytes, PROGRAM)?;
    let mut dictionary = Dictionary::default();
    let mut faults = ErrorList::default();
    let mut others = 0;
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() || line.starts_with(";;;") || faults.is_full() {
            continue;
        }
        match entry(line) {
            Ok((word, sounds)) => others += usize::from(!dictionary.insert(&word, &sounds)),
            Err(message) => faults.push(Error::at(format!("line {}", number + 1), message)),
        }
        limits::within("file", "words", dictionary.len(), limits::MAX_DICTIONARY_WORDS)?;
    }
    let mut warnings = Vec::new();
    if others > 0 {
        let message =
            format!("{others} alternative pronunciations were dropped; the first of each word is used");
        warnings.push(Warning::new(WarningCode::Dropped, "words", message));
    }
    faults.or((dictionary, warnings))
}

type Sounds = Vec<(Phone, vivant::speech::Stress)>;

fn entry(line: &str) -> std::result::Result<(String, Sounds), String> {
    let mut parts = line.split_whitespace();
    let word = parts.next().unwrap_or_default();
    let bare = word.split_once('(').map_or(word, |(bare, _)| bare);
    if bare.is_empty() || word.len() > limits::MAX_WORD_BYTES {
        return Err(format!("{} is not a word; a line is: word phonemes", quote(word)));
    }
    let sound =
        |name: &str| Some((Phone::arpabet(name).filter(|phone| !phone.is_silence())?, stress_of(name)));
    let sounds = parts
        .map(|name| {
            sound(name).ok_or_else(|| format!("{} is not an ARPAbet phoneme such as AH0", quote(name)))
        })
        .collect::<std::result::Result<Vec<_>, _>>()?;
    match sounds.len() {
        0 => Err(format!("{} has no phonemes; a line is: word phonemes", quote(word))),
        count if count > limits::MAX_SOUNDS_IN_WORD => {
            Err(format!("{count} phonemes; at most {} are allowed", limits::MAX_SOUNDS_IN_WORD))
        }
        _ => Ok((bare.to_lowercase(), sounds)),
    }
}
