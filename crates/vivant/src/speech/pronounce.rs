//! How words sound.
//!
//! [`English`] asks a dictionary if it was given one, then a few hundred common words that it knows, then whether the
//! word is a form of one of them or two of them in one, and at last rules that go from letters to sounds. Other languages
//! implement [`Pronounce`].
//!
//! ```
//! use vivant::speech::pronounce::{English, Pronounce};
//!
//! let mut sounds = Vec::new();
//! assert!(English::default().pronounce("blinking", &mut sounds));
//! let names: Vec<_> = sounds.iter().map(|(phone, _)| phone.name()).collect();
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

/// Says how words of a language sound.
pub trait Pronounce: Send + Sync {
    /// Puts the sounds of a word behind those that are there. Words come in small letters, without punctuation but for
    /// apostrophes; the name of a letter is asked for with a point behind it: `b.`. Gives `false`, and adds nothing, for
    /// what it cannot say.
    fn pronounce(&self, word: &str, out: &mut Vec<(Phone, Stress)>) -> bool;
}

/// Words and their sounds, from a file of the CMU Pronouncing Dictionary's kind.
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    words: BTreeMap<Box<str>, Box<[Sound]>>,
}

impl Dictionary {
    /// Adds a word; the first of several ways to say it stays. Gives whether it was new.
    pub fn insert(&mut self, word: &str, sounds: &[(Phone, Stress)]) -> bool {
        let is_new = !self.words.contains_key(word);
        if is_new {
            self.words.insert(word.into(), sounds.into());
        }
        is_new
    }

    /// The sounds of a word in small letters.
    #[must_use]
    pub fn get(&self, word: &str) -> Option<&[(Phone, Stress)]> {
        self.words.get(word).map(|sounds| &**sounds)
    }

    /// How many words it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// The longest word that is looked at for forms and compounds, in bytes; longer ones go by the rules alone.
const LONGEST_WORD: usize = 64;
/// The shortest part of a compound.
const SHORTEST_PART: usize = 3;

/// Beginnings that words take before them, and how they sound there.
const BEGINNINGS: &[(&str, &str)] = &[
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

/// English, as Americans speak it.
#[derive(Clone, Debug)]
pub struct English {
    user: Dictionary,
    /// As they are written: to read all of them would take longer than most lines.
    common: BTreeMap<&'static str, &'static str>,
}

impl Default for English {
    fn default() -> Self {
        Self::new(Dictionary::default())
    }
}

impl English {
    /// With a dictionary that is asked first.
    #[must_use]
    pub fn new(user: Dictionary) -> Self {
        let mut common = BTreeMap::new();
        common.extend(lexicon::words());
        Self { user, common }
    }

    /// By the dictionary or the words that are built in.
    fn known(&self, word: &str) -> Option<Vec<Sound>> {
        let user = self.user.get(word).map(<[_]>::to_vec);
        user.or_else(|| self.common.get(word).map(|text| sounds(text).collect()))
    }

    fn whole(&self, word: &str) -> Option<Vec<Sound>> {
        if let Some(known) =
            self.known(word).or_else(|| letters::named(word).map(|name| sounds(name).collect()))
        {
            return Some(known);
        }
        let is_short = word.len() <= LONGEST_WORD;
        self.form(word)
            .filter(|_| is_short)
            .or_else(|| self.compound(word).filter(|_| is_short))
            .or_else(|| by_rules(word))
    }

    /// A known word with an ending; where none is known, what the rules say of the likeliest.
    fn form(&self, word: &str) -> Option<Vec<Sound>> {
        let splits = forms::splits(word);
        let known = splits.iter().find_map(|split| Some((self.known(&split.stem)?, split.ending)));
        let (mut sounds, ending) = known.or_else(|| {
            let split = splits.iter().find(|split| !split.only_known)?;
            Some((self.whole(&split.stem)?, split.ending))
        })?;
        forms::add(ending, &mut sounds);
        Some(sounds)
    }

    /// Two known words in one: the first has the stress. Or a beginning that many words have and a known word.
    fn compound(&self, word: &str) -> Option<Vec<Sound>> {
        let places = (SHORTEST_PART..=word.len().checked_sub(SHORTEST_PART)?).rev();
        let two = |place: usize| Some((self.known(word.get(..place)?)?, self.known(&word[place..])?));
        let weaker = |(phone, stress): Sound| (phone, stress.min(Stress::Secondary));
        let found = places.filter_map(two).next();
        let joined =
            found.map(|(first, second)| first.into_iter().chain(second.into_iter().map(weaker)).collect());
        joined.or_else(|| self.begun(word))
    }

    fn begun(&self, word: &str) -> Option<Vec<Sound>> {
        BEGINNINGS.iter().find_map(|(beginning, text)| {
            let rest = word.strip_prefix(beginning).filter(|rest| rest.len() >= SHORTEST_PART)?;
            Some(sounds(text).chain(self.known(rest)?).collect())
        })
    }
}

impl Pronounce for English {
    fn pronounce(&self, word: &str, out: &mut Vec<(Phone, Stress)>) -> bool {
        let plain = plain(word);
        let found = self.whole(&plain).filter(|sounds| !sounds.is_empty());
        let is_found = found.is_some();
        out.extend(found.unwrap_or_default());
        is_found
    }
}

/// The letters-to-sounds rules alone.
fn by_rules(word: &str) -> Option<Vec<Sound>> {
    let sounds = rules::sounds(word);
    if sounds.iter().any(|(phone, _)| phone.is_vowel()) {
        return Some(stress::stressed(word, &sounds));
    }
    Some(sounds.into_iter().map(|(phone, _)| (phone, Stress::None)).collect())
}

/// What a text of the dictionary's kind says.
fn sounds(text: &str) -> impl Iterator<Item = Sound> + '_ {
    text.split_ascii_whitespace().filter_map(|name| Some((Phone::arpabet(name)?, stress_of(name))))
}

/// The stress that stands behind a sound of ARPAbet.
#[must_use]
pub fn stress_of(name: &str) -> Stress {
    match name.as_bytes().last() {
        Some(b'1') => Stress::Primary,
        Some(b'2') => Stress::Secondary,
        _ => Stress::None,
    }
}

/// A word in small letters of ASCII, as far as there are some that look alike; what has none is left out.
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

/// Letters of Latin alphabets by those of English.
#[rustfmt::skip]
fn folded(letter: char) -> &'static str {
    const ALIKE: &[(&str, &str)] = &[
        ("àáâãåāăąǎÀÁÂÃÅĀĂĄ", "a"), ("äæÄÆǽ", "ae"), ("çćĉċčÇĆĈĊČ", "c"), ("ďđðĎĐÐ", "d"), ("èéêëēĕėęěÈÉÊËĒĔĖĘĚ", "e"), ("ĝğġģĜĞĠĢ", "g"), ("ĥħĤĦ", "h"),
        ("ìíîïĩīĭįıÌÍÎÏĨĪĬĮİ", "i"), ("ĵĴ", "j"), ("ķĸĶ", "k"), ("ĺļľŀłĹĻĽĿŁ", "l"), ("ñńņňŋÑŃŅŇŊ", "n"), ("òóôõōŏőǒÒÓÔÕŌŎŐ", "o"), ("öøœÖØŒ", "oe"), ("ŕŗřŔŖŘ", "r"),
        ("śŝşșŚŜŞȘ", "s"), ("šŠ", "sh"), ("ß", "ss"), ("ţťŧțŢŤŦȚ", "t"), ("þÞ", "th"), ("ùúûũūŭůűųǔÙÚÛŨŪŬŮŰŲ", "u"), ("üÜ", "u"), ("ŵŴ", "w"), ("ýÿŷÝŸŶ", "y"), ("źżŹŻ", "z"), ("žŽ", "zh"),
    ];
    ALIKE.iter().find(|(letters, _)| letters.contains(letter)).map_or("", |(_, alike)| alike)
}
