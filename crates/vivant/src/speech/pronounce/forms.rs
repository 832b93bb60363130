//! Forms of words: plurals, past tenses and the like, said after the word that they are of.

use crate::speech::phone::Phone;
use crate::speech::score::Stress;

/// A sound and its stress.
pub(super) type Sound = (Phone, Stress);

/// What an ending adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// S, Z or a syllable, by the sound before.
    S,
    /// T, D or a syllable, by the sound before.
    Ed,
    /// Always the same.
    Fixed(&'static str),
}

/// Ending, what it adds, how many letters a word before it needs, and whether the word must be a known one.
#[rustfmt::skip]
const ENDINGS: &[(&str, Ending, bool)] = &[
    ("'s", Ending::S, false), ("s'", Ending::S, false), ("'ll", Ending::Fixed("AH0 L"), false), ("'re", Ending::Fixed("ER0"), false), ("'ve", Ending::Fixed("AH0 V"), false),
    ("'d", Ending::Ed, false), ("n't", Ending::Fixed("AH0 N T"), false), ("'m", Ending::Fixed("AH0 M"), false), ("'", Ending::Fixed(""), false),
    ("ments", Ending::Fixed("M AH0 N T S"), false), ("ment", Ending::Fixed("M AH0 N T"), false), ("ness", Ending::Fixed("N AH0 S"), false), ("less", Ending::Fixed("L AH0 S"), false), ("fully", Ending::Fixed("F AH0 L IY0"), false), ("ful", Ending::Fixed("F AH0 L"), false),
    ("ships", Ending::Fixed("SH IH2 P S"), false), ("ship", Ending::Fixed("SH IH2 P"), false), ("ings", Ending::Fixed("IH0 NG Z"), false), ("ing", Ending::Fixed("IH0 NG"), false),
    ("ly", Ending::Fixed("L IY0"), false), ("edly", Ending::Fixed("IH0 D L IY0"), true), ("es", Ending::S, false), ("s", Ending::S, false), ("ed", Ending::Ed, false), ("ers", Ending::Fixed("ER0 Z"), true), ("er", Ending::Fixed("ER0"), true), ("est", Ending::Fixed("AH0 S T"), true),
    ("able", Ending::Fixed("AH0 B AH0 L"), true), ("y", Ending::Fixed("IY0"), true), ("like", Ending::Fixed("L AY2 K"), true),
];

/// A way in which a word may be another with an ending.
pub(super) struct Split {
    /// The other, as it would be written by itself.
    pub(super) stem: String,
    pub(super) ending: Ending,
    /// Whether the other must be a known word for this to be believed.
    pub(super) only_known: bool,
}

/// All ways to take an ending off a word, the longest endings of a kind first.
pub(super) fn splits(word: &str) -> Vec<Split> {
    let mut splits = Vec::new();
    for (ending, adds, only_known) in ENDINGS {
        let Some(bare) = bare(word, ending) else { continue };
        let split = |stem| Split { stem, ending: *adds, only_known: *only_known };
        splits.extend(stems(bare, ending).into_iter().map(split));
    }
    splits
}

/// A word without an ending, if it can have that one.
fn bare<'a>(word: &'a str, ending: &str) -> Option<&'a str> {
    let bare = word.strip_suffix(ending)?;
    let bare = if ending == "s'" { &word[..word.len() - 1] } else { bare };
    let is_word = ending.contains('\'') || bare.len() >= 2 && bare.bytes().any(is_vowel);
    Some(bare).filter(|bare| is_word && is_possible(bare, ending))
}

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

/// `bus` is no plural, and `bess` is none of `bes`.
fn is_possible(bare: &str, ending: &str) -> bool {
    match ending {
        "s" => !bare.ends_with(['s', 'u', 'i']) && bare.len() > 2,
        "es" => ["ss", "us", "x", "zz", "ch", "sh", "i"].iter().any(|end| bare.ends_with(end)),
        "ed" => !bare.ends_with('e'),
        "y" => bare.len() > 2,
        _ => true,
    }
}

/// What a word may have been before an ending was put to it: as it stands, with a y for its i, with one consonant for
/// two, with an e that was lost.
fn stems(bare: &str, ending: &str) -> Vec<String> {
    let begins_with_vowel = ending.bytes().next().is_some_and(is_vowel);
    let mut stems = Vec::new();
    if let Some(short) = bare.strip_suffix('i').filter(|_| !ending.contains('\'')) {
        stems.push(format!("{short}y"));
    }
    if !begins_with_vowel || ending == "es" {
        stems.push(bare.to_owned());
        return stems;
    }
    let bytes = bare.as_bytes();
    let [.., before, last] = *bytes else { return vec![bare.to_owned()] };
    let with_e = format!("{bare}e");
    if before == last && !is_vowel(last) {
        stems.push(bare.to_owned());
        if !matches!(last, b'l' | b's' | b'z' | b'f') && bare.len() > 3 {
            stems.insert(stems.len() - 1, bare[..bare.len() - 1].to_owned());
        } else {
            stems.push(bare[..bare.len() - 1].to_owned());
        }
    } else if wants_e(bytes) {
        stems.extend([with_e, bare.to_owned()]);
    } else {
        stems.extend([bare.to_owned(), with_e]);
    }
    stems
}

/// Whether letters look as if they had lost an e.
fn wants_e(bare: &[u8]) -> bool {
    let [before @ .., vowel, last] = bare else { return false };
    let is_short = !before.iter().any(|letter| is_vowel(*letter)) && is_vowel(*vowel) && !is_vowel(*last);
    let is_single = is_short && !matches!(last, b'w' | b'x' | b'y' | b'h');
    let ends = [
        &b"at"[..],
        b"iz",
        b"uc",
        b"ag",
        b"ut",
        b"as",
        b"os",
        b"us",
        b"ur",
        b"id",
        b"od",
        b"in",
        b"is",
        b"ir",
        b"rg",
        b"dg",
        b"ng",
        b"ns",
        b"rs",
        b"ul",
        b"bl",
        b"tl",
        b"dl",
        b"pl",
        b"gl",
    ];
    is_single
        || matches!(last, b'c' | b'v' | b'z' | b'u')
        || (before.iter().any(|letter| is_vowel(*letter))
            && ends.iter().any(|end| bare.ends_with(end))
            && !bare.ends_with(b"ng"))
}

/// Puts an ending behind sounds.
pub(super) fn add(ending: Ending, sounds: &mut Vec<Sound>) {
    let last = sounds.last().map_or("", |(phone, _)| phone.name());
    let is_voiced = sounds.last().is_none_or(|(phone, _)| phone.is_voiced());
    let text = match ending {
        Ending::Fixed(text) => text,
        Ending::S if matches!(last, "S" | "Z" | "SH" | "ZH" | "CH" | "JH") => "IH0 Z",
        Ending::S if is_voiced => "Z",
        Ending::S => "S",
        Ending::Ed if matches!(last, "T" | "D") => "IH0 D",
        Ending::Ed if is_voiced => "D",
        Ending::Ed => "T",
    };
    // "-ling" and "-ler" behind a syllabic l: "settle", "settling".
    if text.starts_with(['I', 'E', 'A'])
        && sounds.len() > 2
        && last == "L"
        && sounds[sounds.len() - 2].0.name() == "AX"
        && !matches!(ending, Ending::S | Ending::Ed)
    {
        sounds.remove(sounds.len() - 2);
    }
    sounds.extend(super::sounds(text));
}
