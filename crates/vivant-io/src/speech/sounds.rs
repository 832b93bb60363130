//! Labels of sounds, in the alphabets that aligners write.

use vivant::speech::pronounce::stress_of;
use vivant::speech::{Phone, Stress};

/// A sound and its stress.
pub(super) type Said = (Phone, Stress);

/// How sounds are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alphabet {
    Arpabet,
    Ipa,
    Sampa,
}

/// X-SAMPA by the letters of the IPA, where they differ. An r is English: SAMPA writes it so.
#[rustfmt::skip]
const SAMPA: &[(&str, &str)] = &[
    ("r\\", "ɹ"), ("h\\", "ɦ"), ("G\\", "ɢ"), ("R\\", "ʀ"), ("s\\", "ɕ"), ("z\\", "ʑ"), ("x\\", "x"), ("B\\", "b"), ("K\\", "ɮ"), ("l\\", "ɺ"), ("j\\", "ʝ"), ("p\\", "ɸ"), ("3\\", "ɜ"), ("@\\", "ɘ"), ("I\\", "ɨ"), ("U\\", "ʊ"),
    ("@`", "ɚ"), ("3`", "ɝ"), ("t`", "ʈ"), ("d`", "ɖ"), ("n`", "ɳ"), ("l`", "ɭ"), ("s`", "ʂ"), ("z`", "ʐ"), ("r`", "ɽ"),
    ("@", "ə"), ("{", "æ"), ("A", "ɑ"), ("V", "ʌ"), ("I", "ɪ"), ("U", "ʊ"), ("E", "ɛ"), ("O", "ɔ"), ("Q", "ɒ"), ("3", "ɜ"), ("6", "ɐ"), ("2", "ø"), ("9", "œ"), ("&", "œ"), ("1", "ɨ"), ("}", "ʉ"), ("7", "ɤ"), ("8", "ɵ"), ("M", "ɯ"), ("Y", "ʏ"),
    ("D", "ð"), ("T", "θ"), ("S", "ʃ"), ("Z", "ʒ"), ("N", "ŋ"), ("R", "ʁ"), ("r", "ɹ"), ("C", "ç"), ("J", "ɲ"), ("L", "ʎ"), ("B", "β"), ("G", "ɣ"), ("X", "χ"), ("H", "ɥ"), ("F", "ɱ"), ("P", "ʋ"), ("W", "ʍ"), ("?", "ʔ"), ("4", "ɾ"), ("g", "ɡ"),
];

/// Whether a label stands for nothing that is heard as speech.
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
    /// The one that knows most of some labels.
    pub(super) fn of<'a>(labels: impl Iterator<Item = &'a str> + Clone) -> Self {
        let known =
            |alphabet: &Self| labels.clone().filter(|label| alphabet.one(label.trim()).is_some()).count();
        // The last of equals is taken.
        [Self::Sampa, Self::Ipa, Self::Arpabet].into_iter().max_by_key(known).unwrap_or(Self::Arpabet)
    }

    /// The share of labels that are sounds, of those that are not silent.
    pub(super) fn share<'a>(labels: impl Iterator<Item = &'a str> + Clone) -> f64 {
        let alphabet = Self::of(labels.clone());
        let heard = || labels.clone().filter(|label| !is_silent(label));
        let known = heard().filter(|label| alphabet.one(label.trim()).is_some()).count();
        known as f64 / heard().count().max(1) as f64
    }

    /// One sound.
    fn one(self, label: &str) -> Option<Said> {
        match self {
            Self::Arpabet => Some((Phone::arpabet(label)?, stress_of(label))),
            Self::Ipa => whole_ipa(label),
            Self::Sampa => whole_ipa(&ipa_of(label)),
        }
    }

    /// The sounds of a label: one, or what it is made of.
    pub(super) fn sounds(self, label: &str) -> Option<Vec<Said>> {
        let label = label.trim();
        if is_silent(label) {
            return Some(vec![(Phone::SILENCE, Stress::None)]);
        }
        match self {
            Self::Arpabet => self.one(label).map(|said| vec![said]).or_else(|| self.two(label)),
            Self::Ipa => all_ipa(label),
            Self::Sampa => all_ipa(&ipa_of(label)),
        }
    }

    /// Two sounds that are written together.
    fn two(self, label: &str) -> Option<Vec<Said>> {
        let places = 1..label.len();
        places
            .filter(|place| label.is_char_boundary(*place))
            .find_map(|place| Some(vec![self.one(&label[..place])?, self.one(&label[place..])?]))
    }
}

fn whole_ipa(label: &str) -> Option<Said> {
    match all_ipa(label)?[..] {
        [said] => Some(said),
        _ => None,
    }
}

/// All sounds of a text in the IPA; `None` if a letter is unknown. A stress mark goes to the next vowel.
pub(super) fn all_ipa(text: &str) -> Option<Vec<Said>> {
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
        stress = pending(stress, mark, phone, &mut said, marks);
        rest = behind;
    }
    (!said.is_empty()).then_some(said)
}

/// Adds a sound; gives the stress that still waits for a vowel. Marks may stand before the sound or, as they are passed
/// over together with it, behind it: then they are the next one's.
fn pending(waiting: Stress, mark: Option<Stress>, phone: Phone, said: &mut Vec<Said>, marks: &str) -> Stress {
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

/// A text in X-SAMPA as one in the IPA.
pub(super) fn ipa_of(text: &str) -> String {
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
