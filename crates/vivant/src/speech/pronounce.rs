//! Pronunciation: converts words to phonemes.
//!
//! [`English`] looks up a word in an optional dictionary, then in a built-in list of several hundred common words.
//! Then it tries inflections and compounds of known words, and finally letter-to-sound rules. Other languages
//! implement [`Pronounce`].
//!
//! ```
//! use vivant::speech::pronounce::{English, Pronounce};
//!
//! let mut phonemes = Vec::new();
//! assert!(English::default().pronounce("blinking", &mut phonemes));
//! let names: Vec<_> = phonemes.iter().map(|(phone, _)| phone.name()).collect();
//! assert_eq!(names, ["B", "L", "IH", "NG", "K", "IH", "NG"]);
//! ```

mod consonants;
mod forms;
mod letters;
mod lexicon;
mod rules;
mod stress;
#[cfg(test)]
mod tests;
mod vowels;

use super::phone::Phone;
use super::score::Stress;
use forms::Sound;
use std::collections::BTreeMap;

/// Converts words of a language to phonemes.
pub trait Pronounce: Send + Sync {
    /// Appends the phonemes of a word to `out`. Words are in lower case, without punctuation except apostrophes; the
    /// name of a letter is requested with a period: `b.`. Returns `false`, and adds nothing, for words that cannot be
    /// pronounced.
    fn pronounce(&self, word: &str, out: &mut Vec<(Phone, Stress)>) -> bool;
}

/// Words with their phonemes, from a file in the format of the CMU Pronouncing Dictionary.
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    words: BTreeMap<Box<str>, Box<[Sound]>>,
}

impl Dictionary {
    /// Adds a word and returns true if it was new. If a word has several pronunciations, the first one is kept.
    pub fn insert(&mut self, word: &str, phonemes: &[(Phone, Stress)]) -> bool {
        let is_new = !self.words.contains_key(word);
        if is_new {
            self.words.insert(word.into(), phonemes.into());
        }
        is_new
    }

    /// Returns the phonemes of a word in lower case.
    #[must_use]
    pub fn get(&self, word: &str) -> Option<&[(Phone, Stress)]> {
        self.words.get(word).map(|phonemes| &**phonemes)
    }

    /// Returns the number of words.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns true if there are no words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// Maximum length of a word that is tried as an inflection or compound, in bytes; longer words use only the rules.
const MAX_WORD_BYTES: usize = 64;
/// Minimum length of a part of a compound, in bytes.
const MIN_PART_BYTES: usize = 3;

/// Prefixes and their pronunciation.
const PREFIXES: &[(&str, &str)] = &[
    ("under", "AH2 N D ER0"),
    ("inter", "IH2 N T ER0"),
    ("super", "S UW2 P ER0"),
    ("multi", "M AH2 L T IY0"),
    ("micro", "M AY2 K R OW0"),
    ("over", "OW2 V ER0"),
    ("auto", "AO2 T OW0"),
    ("out", "AW2 T"),
    ("non", "N AA2 N"),
    ("pre", "P R IY0"),
    ("dis", "D IH0 S"),
    ("mis", "M IH0 S"),
    ("un", "AH0 N"),
    ("re", "R IY0"),
];

/// American English.
#[derive(Clone, Debug)]
pub struct English {
    user: Dictionary,
    /// Words with their pronunciation as text. Parsing all of them in advance would take longer than most lines need.
    common: BTreeMap<&'static str, &'static str>,
}

impl Default for English {
    fn default() -> Self {
        Self::new(Dictionary::default())
    }
}

impl English {
    /// Creates a pronouncer with the dictionary `user`, which takes precedence over the built-in list and the rules.
    #[must_use]
    pub fn new(user: Dictionary) -> Self {
        let mut common = BTreeMap::new();
        common.extend(lexicon::words());
        Self { user, common }
    }

    /// Looks up a word in the dictionary and the built-in list.
    fn known(&self, word: &str) -> Option<Vec<Sound>> {
        let user = self.user.get(word).map(<[_]>::to_vec);
        user.or_else(|| self.common.get(word).map(|text| phonemes(text).collect()))
    }

    fn whole(&self, word: &str) -> Option<Vec<Sound>> {
        if let Some(known) =
            self.known(word).or_else(|| letters::named(word).map(|name| phonemes(name).collect()))
        {
            return Some(known);
        }
        let is_short = word.len() <= MAX_WORD_BYTES;
        self.form(word)
            .filter(|_| is_short)
            .or_else(|| self.compound(word).filter(|_| is_short))
            .or_else(|| by_rules(word))
    }

    /// Pronounces an inflection of a known word. If no possible stem is known, the rules pronounce the most likely
    /// stem.
    fn form(&self, word: &str) -> Option<Vec<Sound>> {
        let splits = forms::splits(word);
        let known = splits.iter().find_map(|split| Some((self.known(&split.stem)?, split.ending)));
        let (mut phonemes, ending) = known.or_else(|| {
            let split = splits.iter().find(|split| !split.only_known)?;
            Some((self.whole(&split.stem)?, split.ending))
        })?;
        forms::add(ending, &mut phonemes);
        Some(phonemes)
    }

    /// Pronounces a compound of two known words, with the stress on the first word, or a known word with a common
    /// prefix.
    fn compound(&self, word: &str) -> Option<Vec<Sound>> {
        let places = (MIN_PART_BYTES..=word.len().checked_sub(MIN_PART_BYTES)?).rev();
        let two = |place: usize| Some((self.known(word.get(..place)?)?, self.known(&word[place..])?));
        let weaker = |(phone, stress): Sound| (phone, stress.min(Stress::Secondary));
        let found = places.filter_map(two).next();
        let joined =
            found.map(|(first, second)| first.into_iter().chain(second.into_iter().map(weaker)).collect());
        joined.or_else(|| self.with_prefix(word))
    }

    fn with_prefix(&self, word: &str) -> Option<Vec<Sound>> {
        PREFIXES.iter().find_map(|(prefix, text)| {
            let rest = word.strip_prefix(prefix).filter(|rest| rest.len() >= MIN_PART_BYTES)?;
            Some(phonemes(text).chain(self.known(rest)?).collect())
        })
    }
}

impl Pronounce for English {
    fn pronounce(&self, word: &str, out: &mut Vec<(Phone, Stress)>) -> bool {
        let plain = plain(word);
        let found = self.whole(&plain).filter(|phonemes| !phonemes.is_empty());
        let is_found = found.is_some();
        out.extend(found.unwrap_or_default());
        is_found
    }
}

/// Applies the letter-to-sound rules alone.
fn by_rules(word: &str) -> Option<Vec<Sound>> {
    let phonemes = rules::phonemes(word);
    if phonemes.iter().any(|(phone, _)| phone.is_vowel()) {
        return Some(stress::stressed(word, &phonemes));
    }
    Some(phonemes.into_iter().map(|(phone, _)| (phone, Stress::None)).collect())
}

/// Parses phonemes in the notation of the dictionary.
fn phonemes(text: &str) -> impl Iterator<Item = Sound> + '_ {
    text.split_ascii_whitespace().filter_map(|name| Some((Phone::arpabet(name)?, stress_of(name))))
}

/// Returns the stress that the last digit of an ARPAbet phoneme stands for: 1 is primary, 2 is secondary. For other
/// names the phoneme is unstressed.
#[must_use]
pub fn stress_of(name: &str) -> Stress {
    match name.as_bytes().last() {
        Some(b'1') => Stress::Primary,
        Some(b'2') => Stress::Secondary,
        _ => Stress::None,
    }
}

/// Converts a word to lower-case ASCII. Letters without a similar ASCII letter are dropped.
fn plain(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    for letter in word.chars() {
        match letter {
            'a'..='z' | '\'' | '.' => plain.push(letter),
            'A'..='Z' => plain.push(letter.to_ascii_lowercase()),
            '’' | 'ʼ' | '＇' => plain.push('\''),
            _ => plain.push_str(folded(letter)),
        }
    }
    plain
}

/// Returns the English letters most similar to a Latin letter.
#[rustfmt::skip]
fn folded(letter: char) -> &'static str {
    const ALIKE: &[(&str, &str)] = &[
        ("àáâãåāăąǎÀÁÂÃÅĀĂĄ", "a"), ("äæÄÆǽ", "ae"), ("çćĉċčÇĆĈĊČ", "c"), ("ďđðĎĐÐ", "d"), ("èéêëēĕėęěÈÉÊËĒĔĖĘĚ", "e"), ("ĝğġģĜĞĠĢ", "g"), ("ĥħĤĦ", "h"),
        ("ìíîïĩīĭįıÌÍÎÏĨĪĬĮİ", "i"), ("ĵĴ", "j"), ("ķĸĶ", "k"), ("ĺļľŀłĹĻĽĿŁ", "l"), ("ñńņňŋÑŃŅŇŊ", "n"), ("òóôõōŏőǒÒÓÔÕŌŎŐ", "o"), ("öøœÖØŒ", "oe"), ("ŕŗřŔŖŘ", "r"),
        ("śŝşșŚŜŞȘ", "s"), ("šŠ", "sh"), ("ß", "ss"), ("ţťŧțŢŤŦȚ", "t"), ("þÞ", "th"), ("ùúûũūŭůűųǔÙÚÛŨŪŬŮŰŲ", "u"), ("üÜ", "u"), ("ŵŴ", "w"), ("ýÿŷÝŸŶ", "y"), ("źżŹŻ", "z"), ("žŽ", "zh"),
    ];
    ALIKE.iter().find(|(letters, _)| letters.contains(letter)).map_or("", |(_, alike)| alike)
}
