//! Stress of words that no dictionary contains, and the reduction of their unstressed vowels.
//!
//! English stress depends first on the suffix (with `-tion`, `-ic` or `-ity`, the stress is on the syllable before the
//! suffix), then on syllable weight: the penultimate syllable is stressed if it is heavy, otherwise the syllable before
//! it (the main stress rule of Chomsky and Halle, 1968).

use super::rules::LetterPhone;
use crate::speech::phone::Phone;
use crate::speech::score::Stress;

/// Suffixes with the stress directly before them, and their number of syllables.
const STRESS_BEFORE: &[(&str, usize)] = &[
    ("tion", 1),
    ("sion", 1),
    ("tions", 1),
    ("sions", 1),
    ("cian", 1),
    ("cial", 1),
    ("tial", 1),
    ("cious", 1),
    ("tious", 1),
    ("tional", 2),
    ("ics", 1),
    ("ic", 1),
    ("ical", 2),
    ("ically", 2),
    ("ity", 2),
    ("ities", 2),
    ("ify", 2),
    ("ian", 2),
    ("ians", 2),
    ("ial", 2),
    ("ious", 2),
    ("eous", 2),
    ("ium", 2),
    ("ia", 2),
    ("graphy", 2),
    ("logy", 2),
    ("nomy", 2),
    ("metry", 2),
    ("cracy", 2),
    ("ual", 2),
    ("uous", 2),
    ("ient", 2),
    ("ience", 2),
    ("ative", 2),
    ("sive", 1),
    ("tive", 1),
    ("meter", 2),
    ("ism", 3),
];
/// Suffixes that carry the stress themselves.
const STRESSED_SUFFIXES: &[&str] =
    &["ee", "eer", "ese", "ette", "esque", "ique", "oon", "aire", "self", "selves"];
/// Unstressed prefixes of words with two syllables.
const UNSTRESSED_PREFIXES: &[&str] = &[
    "ab", "ac", "ad", "af", "ag", "al", "ap", "ar", "as", "at", "be", "com", "con", "cor", "de", "dis", "em",
    "en", "ex", "for", "il", "im", "in", "mis", "ob", "oc", "of", "op", "per", "pre", "pro", "re", "se",
    "sub", "suc", "suf", "sug", "sup", "sur", "sus", "trans", "un",
];
/// Suffixes of nouns, which keep the stress on the first syllable despite an unstressed prefix.
const NOUN_SUFFIXES: &[&str] = &[
    "er", "or", "y", "en", "le", "ish", "on", "et", "ow", "al", "el", "o", "a", "ic", "us", "um", "is", "ey",
    "an", "in", "as", "os", "i", "ard", "ley", "ney",
];

/// Assigns stress to each phoneme of a word and reduces unstressed vowels.
pub(super) fn stressed(word: &str, phonemes: &[LetterPhone]) -> Vec<(Phone, Stress)> {
    let syllables = syllables(phonemes);
    let main = main_syllable(word, phonemes, &syllables);
    let mut stressed: Vec<_> = phonemes.iter().map(|(phone, _)| (*phone, Stress::None)).collect();
    for (count, place) in syllables.iter().enumerate() {
        let stress = stress_of(count, main);
        let is_last = count + 1 == syllables.len();
        let phone = phonemes[*place].0;
        let is_final = *place + 1 == phonemes.len();
        stressed[*place] = match stress {
            Stress::None => (reduced(phone, count == 0, is_last, is_final, phonemes.get(place + 1)), stress),
            _ => (full_vowel(phone), stress),
        };
    }
    stressed
}

/// Returns the indices of vowels.
fn syllables(phonemes: &[LetterPhone]) -> Vec<usize> {
    (0..phonemes.len()).filter(|place| phonemes[*place].0.is_vowel()).collect()
}

/// Returns the stress of a syllable. The first syllable has secondary stress if the main stress is after the second
/// syllable.
fn stress_of(count: usize, main: usize) -> Stress {
    match count {
        count if count == main => Stress::Primary,
        0 if main > 1 => Stress::Secondary,
        _ => Stress::None,
    }
}

fn main_syllable(word: &str, phonemes: &[LetterPhone], syllables: &[usize]) -> usize {
    let count = syllables.len();
    let from_end =
        STRESS_BEFORE.iter().find(|(ending, _)| word.ends_with(ending)).map(|(_, from_end)| from_end + 1);
    let chosen = match count {
        0 | 1 => 0,
        _ if STRESSED_SUFFIXES.iter().any(|ending| word.ends_with(ending)) => count - 1,
        _ if from_end.is_some_and(|from_end| from_end <= count) => count - from_end.unwrap_or(count),
        2 => usize::from(has_unstressed_prefix(word, phonemes, syllables)),
        _ if word.ends_with("ate") || word.ends_with("ize") || word.ends_with("ise") => count - 3,
        _ => by_weight(word, phonemes, syllables),
    };
    let is_weak = |syllable: &usize| phonemes[syllables[*syllable]].0.name() == "AX";
    (0..=chosen)
        .rev()
        .find(|syllable| count == 0 || !is_weak(syllable))
        .unwrap_or_else(|| (0..count).find(|syllable| !is_weak(syllable)).unwrap_or(0))
}

/// Returns true if a word of two syllables starts with an unstressed prefix.
fn has_unstressed_prefix(word: &str, phonemes: &[LetterPhone], syllables: &[usize]) -> bool {
    let last = phonemes[syllables[1]].0;
    let is_strong =
        last.name() != "AX" && last.name() != "ER" || word.ends_with("er") && word.ends_with("fer");
    let is_weak_first = phonemes[syllables[0]].0.name() == "AX";
    let starts =
        UNSTRESSED_PREFIXES.iter().any(|start| word.len() > start.len() + 2 && word.starts_with(start));
    is_weak_first || is_strong && starts && !NOUN_SUFFIXES.iter().any(|ending| word.ends_with(ending))
}

fn by_weight(word: &str, phonemes: &[LetterPhone], syllables: &[usize]) -> usize {
    let count = syllables.len();
    let is_open_ending = word.ends_with(['a', 'o', 'i']);
    let last_but_one = syllables[count - 2];
    if is_open_ending || is_heavy(phonemes, last_but_one, syllables[count - 1]) {
        count - 2
    } else {
        count - 3
    }
}

/// Returns true for a long vowel, or for a vowel before two consonants.
fn is_heavy(phonemes: &[LetterPhone], vowel: usize, next: usize) -> bool {
    let name = phonemes[vowel].0.name();
    let is_cluster = next - vowel > 2 && !matches!(phonemes[next - 1].0.name(), "R" | "L" | "W" | "Y");
    matches!(name, "EY" | "AY" | "OW" | "AW" | "OY" | "AO") || (is_cluster && !matches!(name, "AX" | "ER"))
}

/// Returns the reduced form of an unstressed vowel.
fn reduced(phone: Phone, is_first: bool, is_last: bool, is_final: bool, next: Option<&LetterPhone>) -> Phone {
    let next = next.map_or("", |(phone, _)| phone.name());
    let to = match phone.name() {
        "AA" | "AE" | "AH" if next == "R" && is_last => return phone,
        "AA" | "AE" if is_last && matches!(next, "P" | "B" | "T" | "D" | "K" | "G" | "F" | "SH" | "CH") => {
            return phone;
        }
        "AA" | "AE" | "AH" => "AX",
        "EH" if is_last && matches!(next, "K" | "P" | "F" | "SH") => "EH",
        "EH" if next == "R" => "EH",
        "EH" if is_first => "IH",
        "EH" => "AX",
        "IH" if is_last && !matches!(next, "NG" | "K" | "JH" | "SH" | "V" | "D" | "Z") => "AX",
        "IY" if !is_final && !is_last && !matches!(next, "AX" | "ER" | "OW" | "EY") => "IY",
        _ => return phone,
    };
    Phone::arpabet(to).unwrap_or(phone)
}

/// Returns the full form of a stressed vowel: a schwa cannot be stressed.
fn full_vowel(phone: Phone) -> Phone {
    if phone.name() == "AX" { Phone::arpabet("AH").unwrap_or(phone) } else { phone }
}
