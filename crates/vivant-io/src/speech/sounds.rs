//! Parses phoneme labels in the alphabets that aligners write.
//!
//! Aligners do not state their alphabet, and one letter can mean different phonemes: `r` is an English r in SAMPA and a
//! trill in IPA. [`Alphabet::of`] therefore chooses the alphabet that knows most labels of a file, and
//! [`Alphabet::sounds`] parses each label with it, also if two phonemes are written together. [`is_silent`] recognises
//! the marks for silence and noise. An unknown label gives `None`, and the caller decides between a warning and
//! silence.

use vivant::speech::pronounce::stress_of;
use vivant::speech::{Phone, Stress};

/// A phoneme and its stress.
pub(super) type StressedPhone = (Phone, Stress);

/// A phonetic alphabet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alphabet {
    Arpabet,
    Ipa,
    Sampa,
}

/// X-SAMPA symbols that differ from IPA. SAMPA writes the English r as `r`.
#[rustfmt::skip]
const SAMPA: &[(&str, &str)] = &[
    ("r\\", "ɹ"), ("h\\", "ɦ"), ("G\\", "ɢ"), ("R\\", "ʀ"), ("s\\", "ɕ"), ("z\\", "ʑ"), ("x\\", "x"), ("B\\", "b"), ("K\\", "ɮ"), ("l\\", "ɺ"), ("j\\", "ʝ"), ("p\\", "ɸ"), ("3\\", "ɜ"), ("@\\", "ɘ"), ("I\\", "ɨ"), ("U\\", "ʊ"),
    ("@`", "ɚ"), ("3`", "ɝ"), ("t`", "ʈ"), ("d`", "ɖ"), ("n`", "ɳ"), ("l`", "ɭ"), ("s`", "ʂ"), ("z`", "ʐ"), ("r`", "ɽ"),
    ("@", "ə"), ("{", "æ"), ("A", "ɑ"), ("V", "ʌ"), ("I", "ɪ"), ("U", "ʊ"), ("E", "ɛ"), ("O", "ɔ"), ("Q", "ɒ"), ("3", "ɜ"), ("6", "ɐ"), ("2", "ø"), ("9", "œ"), ("&", "œ"), ("1", "ɨ"), ("}", "ʉ"), ("7", "ɤ"), ("8", "ɵ"), ("M", "ɯ"), ("Y", "ʏ"),
    ("D", "ð"), ("T", "θ"), ("S", "ʃ"), ("Z", "ʒ"), ("N", "ŋ"), ("R", "ʁ"), ("r", "ɹ"), ("C", "ç"), ("J", "ɲ"), ("L", "ʎ"), ("B", "β"), ("G", "ɣ"), ("X", "χ"), ("H", "ɥ"), ("F", "ɱ"), ("P", "ʋ"), ("W", "ʍ"), ("?", "ʔ"), ("4", "ɾ"), ("g", "ɡ"),
];

/// Returns true if a label stands for silence or noise.
pub(super) fn is_silent(label: &str) -> bool {
    let small = label.trim().to_ascii_lowercase();
    let is_mark = small.starts_with('<') && small.ends_with('>')
        || small.starts_with("++")
        || small.starts_with('[') && small.ends_with(']')
        || small.starts_with('{') && small.ends_with('}');
    is_mark
        || matches!(
            small.as_str(),
            "" | "sil"
                | "sp"
                | "spn"
                | "pau"
                | "silence"
                | "_"
                | "-"
                | "#"
                | "##"
                | "h#"
                | "ssil"
                | "nsn"
                | "!sil"
                | "!enter"
                | "!exit"
                | "<p:>"
                | "x^x"
        )
}

impl Alphabet {
    /// Returns the alphabet that knows most of the labels.
    pub(super) fn of<'a>(labels: impl Iterator<Item = &'a str> + Clone) -> Self {
        let known =
            |alphabet: &Self| labels.clone().filter(|label| alphabet.one(label.trim()).is_some()).count();
        // `max_by_key` returns the last of equal elements.
        [Self::Sampa, Self::Ipa, Self::Arpabet].into_iter().max_by_key(known).unwrap_or(Self::Arpabet)
    }

    /// Returns the share of known phonemes among the labels that are not silent.
    pub(super) fn share<'a>(labels: impl Iterator<Item = &'a str> + Clone) -> f64 {
        let alphabet = Self::of(labels.clone());
        let audible = || labels.clone().filter(|label| !is_silent(label));
        let known = audible().filter(|label| alphabet.one(label.trim()).is_some()).count();
        known as f64 / audible().count().max(1) as f64
    }

    /// Parses a label of one phoneme.
    fn one(self, label: &str) -> Option<StressedPhone> {
        match self {
            Self::Arpabet => Some((Phone::arpabet(label)?, stress_of(label))),
            Self::Ipa => single_ipa(label),
            Self::Sampa => single_ipa(&sampa_to_ipa(label)),
        }
    }

    /// Returns the phonemes of a label: one, or several written together.
    pub(super) fn sounds(self, label: &str) -> Option<Vec<StressedPhone>> {
        let label = label.trim();
        if is_silent(label) {
            return Some(vec![(Phone::SILENCE, Stress::None)]);
        }
        match self {
            Self::Arpabet => self.one(label).map(|said| vec![said]).or_else(|| self.two(label)),
            Self::Ipa => all_ipa(label),
            Self::Sampa => all_ipa(&sampa_to_ipa(label)),
        }
    }

    /// Parses two phonemes that are written together.
    fn two(self, label: &str) -> Option<Vec<StressedPhone>> {
        let places = 1..label.len();
        places
            .filter(|place| label.is_char_boundary(*place))
            .find_map(|place| Some(vec![self.one(&label[..place])?, self.one(&label[place..])?]))
    }
}

fn single_ipa(label: &str) -> Option<StressedPhone> {
    match all_ipa(label)?[..] {
        [said] => Some(said),
        _ => None,
    }
}

/// Parses all phonemes of a text in IPA; `None` if a letter is unknown. A stress mark applies to the next vowel.
pub(super) fn all_ipa(text: &str) -> Option<Vec<StressedPhone>> {
    let mut said = Vec::new();
    let mut stress = Stress::None;
    let mut rest = text.trim();
    while !rest.is_empty() {
        let before = rest;
        let trimmed = rest.trim_start_matches(|letter: char| {
            letter.is_whitespace() || matches!(letter, '/' | '[' | ']' | '(' | ')')
        });
        let Some((phone, behind)) = Phone::ipa(trimmed) else {
            let is_over = trimmed.chars().all(|letter| !letter.is_alphabetic());
            return (is_over && !said.is_empty()).then_some(said);
        };
        let marks = &before[..before.len() - behind.len()];
        let mark = marks.chars().find_map(|letter| match letter {
            'ˈ' | '\'' => Some(Stress::Primary),
            'ˌ' => Some(Stress::Secondary),
            _ => None,
        });
        stress = push_with_stress(stress, mark, phone, &mut said, marks);
        rest = behind;
    }
    (!said.is_empty()).then_some(said)
}

/// Adds a phoneme and returns the stress that still waits for a vowel. Stress marks may come before the phoneme or
/// after it. A mark after the phoneme is consumed together with it, but belongs to the next phoneme.
fn push_with_stress(
    waiting: Stress,
    mark: Option<Stress>,
    phone: Phone,
    said: &mut Vec<StressedPhone>,
    marks: &str,
) -> Stress {
    let is_before = marks.starts_with(['ˈ', 'ˌ', '\'']);
    let now = if is_before { mark.unwrap_or(waiting) } else { waiting };
    let later = if is_before { Stress::None } else { mark.unwrap_or_default() };
    if phone.is_vowel() {
        said.push((phone, now));
        later
    } else {
        said.push((phone, Stress::None));
        if later == Stress::None { now } else { later }
    }
}

/// Converts X-SAMPA to IPA.
pub(super) fn sampa_to_ipa(text: &str) -> String {
    let mut ipa = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let found = SAMPA.iter().find(|(sampa, _)| rest.starts_with(sampa));
        match (found, first) {
            (Some((_, letters)), _) => ipa.push_str(letters),
            (None, '"') => ipa.push('ˈ'),
            (None, '%') => ipa.push('ˌ'),
            (None, '_' | '~' | '=') => {}
            (None, letter) => ipa.push(letter),
        }
        rest = &rest[found.map_or(first.len_utf8(), |(sampa, _)| sampa.len())..];
    }
    ipa
}
