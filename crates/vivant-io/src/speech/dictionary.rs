//! Reads pronouncing dictionaries of the CMU kind: a word and its sounds a line.

use super::PROGRAM;
use crate::eaf::text::{decoded, shown};
use crate::error::{Error, Faults, Result, Warning, WarningCode};
use crate::limits;
use vivant::speech::Phone;
use vivant::speech::pronounce::{Dictionary, stress_of};

/// Reads a dictionary. `word(2)` is another way to say a word, and is left out; what stands behind a `#`, and a line that
/// begins with `;;;`, is passed over.
///
/// # Errors
/// When a line is no word with sounds of ARPAbet behind it, or it is larger than the [limits].
pub fn read(bytes: &[u8]) -> Result<(Dictionary, Vec<Warning>)> {
    limits::within("file", "bytes", bytes.len(), limits::MAX_SPEECH_BYTES)?;
    let text = decoded(bytes, PROGRAM)?;
    let mut dictionary = Dictionary::default();
    let mut faults = Faults::default();
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
        let message = format!("{others} other ways to say a word; the first of each is taken");
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
        return Err(format!("{} is no word", shown(word)));
    }
    let sound =
        |name: &str| Some((Phone::arpabet(name).filter(|phone| !phone.is_silence())?, stress_of(name)));
    let sounds = parts
        .map(|name| sound(name).ok_or_else(|| format!("{} is no sound of ARPAbet", shown(name))))
        .collect::<std::result::Result<Vec<_>, _>>()?;
    match sounds.len() {
        0 => Err(format!("{} has no sounds behind it", shown(word))),
        count if count > limits::MAX_SOUNDS_IN_WORD => {
            Err(format!("{count} sounds, and at most {} are read", limits::MAX_SOUNDS_IN_WORD))
        }
        _ => Ok((bare.to_lowercase(), sounds)),
    }
}
