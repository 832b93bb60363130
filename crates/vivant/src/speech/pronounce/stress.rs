//! Where a word that no dictionary knows is stressed, and what that does to its other vowels.
//!
//! English stresses by ending first (`-tion`, `-ic`, `-ity` pull the stress before them), then by weight: the last
//! syllable but one if it is heavy, the one before it if not (the main stress rule of Chomsky and Halle, 1968).

use super::rules::Sounded;
use crate::speech::phone::Phone;
use crate::speech::score::Stress;

/// Endings with the stress just before them, and how many syllables they are.
const PULLS: &[(&str, usize)] = &[
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
/// Endings that have the stress themselves.
const HOLDS: &[&str] = &["ee", "eer", "ese", "ette", "esque", "ique", "oon", "aire", "self", "selves"];
/// Beginnings that leave the stress to the rest of a word of two syllables.
const LEAVES: &[&str] = &[
    "ab", "ac", "ad", "af", "ag", "al", "ap", "ar", "as", "at", "be", "com", "con", "cor", "de", "dis", "em",
    "en", "ex", "for", "il", "im", "in", "mis", "ob", "oc", "of", "op", "per", "pre", "pro", "re", "se",
    "sub", "suc", "suf", "sug", "sup", "sur", "sus", "trans", "un",
];
/// Endings that no verb with such a beginning has.
const NOUNS: &[&str] = &[
    "er", "or", "y", "en", "le", "ish", "on", "et", "ow", "al", "el", "o", "a", "ic", "us", "um", "is", "ey",
    "an", "in", "as", "os", "i", "ard", "ley", "ney",
];

/// Gives each sound of a word its stress, and weakens the vowels that have none.
pub(super) fn stressed(word: &str, sounds: &[Sounded]) -> Vec<(Phone, Stress)> {
    let syllables = syllables(sounds);
    let main = main_syllable(word, sounds, &syllables);
    let mut stressed: Vec<_> = sounds.iter().map(|(phone, _)| (*phone, Stress::None)).collect();
    for (count, place) in syllables.iter().enumerate() {
        let stress = stress_of(count, main);
        let is_last = count + 1 == syllables.len();
        let phone = sounds[*place].0;
        let is_final = *place + 1 == sounds.len();
        stressed[*place] = match stress {
            Stress::None => (weak(phone, count == 0, is_last, is_final, sounds.get(place + 1)), stress),
            _ => (strong(phone), stress),
        };
    }
    stressed
}

/// The places of vowels.
fn syllables(sounds: &[Sounded]) -> Vec<usize> {
    (0..sounds.len()).filter(|place| sounds[*place].0.is_vowel()).collect()
}

/// The first syllable of a long beginning is stressed too, but less.
fn stress_of(count: usize, main: usize) -> Stress {
    match count {
        count if count == main => Stress::Primary,
        0 if main > 1 => Stress::Secondary,
        _ => Stress::None,
    }
}

fn main_syllable(word: &str, sounds: &[Sounded], syllables: &[usize]) -> usize {
    let count = syllables.len();
    let behind = PULLS.iter().find(|(ending, _)| word.ends_with(ending)).map(|(_, behind)| behind + 1);
    let chosen = match count {
        0 | 1 => 0,
        _ if HOLDS.iter().any(|ending| word.ends_with(ending)) => count - 1,
        _ if behind.is_some_and(|behind| behind <= count) => count - behind.unwrap_or(count),
        2 => usize::from(is_left(word, sounds, syllables)),
        _ if word.ends_with("ate") || word.ends_with("ize") || word.ends_with("ise") => count - 3,
        _ => by_weight(word, sounds, syllables),
    };
    let is_weak = |syllable: &usize| sounds[syllables[*syllable]].0.name() == "AX";
    (0..=chosen)
        .rev()
        .find(|syllable| count == 0 || !is_weak(syllable))
        .unwrap_or_else(|| (0..count).find(|syllable| !is_weak(syllable)).unwrap_or(0))
}

/// Whether a word of two syllables begins with something that is not stressed.
fn is_left(word: &str, sounds: &[Sounded], syllables: &[usize]) -> bool {
    let last = sounds[syllables[1]].0;
    let strong = last.name() != "AX" && last.name() != "ER" || word.ends_with("er") && word.ends_with("fer");
    let is_weak_first = sounds[syllables[0]].0.name() == "AX";
    let begins = LEAVES.iter().any(|start| word.len() > start.len() + 2 && word.starts_with(start));
    is_weak_first || strong && begins && !NOUNS.iter().any(|ending| word.ends_with(ending))
}

fn by_weight(word: &str, sounds: &[Sounded], syllables: &[usize]) -> usize {
    let count = syllables.len();
    let is_open_ending = word.ends_with(['a', 'o', 'i']);
    let last_but_one = syllables[count - 2];
    if is_open_ending || is_heavy(sounds, last_but_one, syllables[count - 1]) { count - 2 } else { count - 3 }
}

/// A long vowel, or one before two consonants.
fn is_heavy(sounds: &[Sounded], vowel: usize, next: usize) -> bool {
    let name = sounds[vowel].0.name();
    let is_cluster = next - vowel > 2 && !matches!(sounds[next - 1].0.name(), "R" | "L" | "W" | "Y");
    matches!(name, "EY" | "AY" | "OW" | "AW" | "OY" | "AO") || (is_cluster && !matches!(name, "AX" | "ER"))
}

/// What a vowel without stress becomes.
fn weak(phone: Phone, is_first: bool, is_last: bool, is_final: bool, next: Option<&Sounded>) -> Phone {
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

/// A vowel that has the stress cannot be the weakest.
fn strong(phone: Phone) -> Phone {
    if phone.name() == "AX" { Phone::arpabet("AH").unwrap_or(phone) } else { phone }
}
