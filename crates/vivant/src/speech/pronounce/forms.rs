//! Inflections, such as plurals and past tenses, derived from the stem.
//!
//! An inflected word sounds like its stem with a suffix, so the lexicon need not list it. `splits` returns every
//! possible stem and suffix of a word, with the spelling of the stem restored: `making` from `make`, `stopped` from
//! `stop`. The caller looks up the stems in this order and adds the suffix with `add`, whose phonemes depend on the
//! last phoneme of the stem. Some suffixes, such as `-er`, are split only from known words, because other words end
//! alike.

use crate::speech::phone::Phone;
use crate::speech::score::Stress;

/// A phoneme with its stress.
pub(super) type Sound = (Phone, Stress);

/// Phonemes that a suffix adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The suffix -s: the phoneme S or Z or an additional syllable, depending on the last phoneme of the stem.
    S,
    /// The suffix -ed: the phoneme T or D or an additional syllable, depending on the last phoneme of the stem.
    Ed,
    /// Always the same phonemes.
    Fixed(&'static str),
}

/// Suffix, its phonemes, and true if the stem must be a known word.
#[rustfmt::skip]
const ENDINGS: &[(&str, Ending, bool)] = &[
    ("'s", Ending::S, false), ("s'", Ending::S, false), ("'ll", Ending::Fixed("AH0 L"), false), ("'re", Ending::Fixed("ER0"), false), ("'ve", Ending::Fixed("AH0 V"), false),
    ("'d", Ending::Ed, false), ("n't", Ending::Fixed("AH0 N T"), false), ("'m", Ending::Fixed("AH0 M"), false), ("'", Ending::Fixed(""), false),
    ("ments", Ending::Fixed("M AH0 N T S"), false), ("ment", Ending::Fixed("M AH0 N T"), false), ("ness", Ending::Fixed("N AH0 S"), false), ("less", Ending::Fixed("L AH0 S"), false), ("fully", Ending::Fixed("F AH0 L IY0"), false), ("ful", Ending::Fixed("F AH0 L"), false),
    ("ships", Ending::Fixed("SH IH2 P S"), false), ("ship", Ending::Fixed("SH IH2 P"), false), ("ings", Ending::Fixed("IH0 NG Z"), false), ("ing", Ending::Fixed("IH0 NG"), false),
    ("ly", Ending::Fixed("L IY0"), false), ("edly", Ending::Fixed("IH0 D L IY0"), true), ("es", Ending::S, false), ("s", Ending::S, false), ("ed", Ending::Ed, false), ("ers", Ending::Fixed("ER0 Z"), true), ("er", Ending::Fixed("ER0"), true), ("est", Ending::Fixed("AH0 S T"), true),
    ("able", Ending::Fixed("AH0 B AH0 L"), true), ("y", Ending::Fixed("IY0"), true), ("like", Ending::Fixed("L AY2 K"), true),
];

/// A possible split of a word into stem and suffix.
pub(super) struct Split {
    /// The stem as it would be written by itself.
    pub(super) stem: String,
    pub(super) ending: Ending,
    /// True if the split is valid only for a known stem.
    pub(super) only_known: bool,
}

/// Returns all possible splits of a word into stem and suffix. Of similar suffixes, the longest is first.
pub(super) fn splits(word: &str) -> Vec<Split> {
    let mut splits = Vec::new();
    for (ending, adds, only_known) in ENDINGS {
        let Some(bare) = bare(word, ending) else { continue };
        let split = |stem| Split { stem, ending: *adds, only_known: *only_known };
        splits.extend(stems(bare, ending).into_iter().map(split));
    }
    splits
}

/// Returns the word without the suffix, if it can have that suffix.
fn bare<'a>(word: &'a str, ending: &str) -> Option<&'a str> {
    let bare = word.strip_suffix(ending)?;
    let bare = if ending == "s'" { &word[..word.len() - 1] } else { bare };
    let is_word = ending.contains('\'') || bare.len() >= 2 && bare.bytes().any(is_vowel);
    Some(bare).filter(|bare| is_word && is_possible(bare, ending))
}

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

/// Returns false for words that only look inflected: `bus` is not a plural.
fn is_possible(bare: &str, ending: &str) -> bool {
    match ending {
        "s" => !bare.ends_with(['s', 'u', 'i']) && bare.len() > 2,
        "es" => ["ss", "us", "x", "zz", "ch", "sh", "i"].iter().any(|end| bare.ends_with(end)),
        "ed" => !bare.ends_with('e'),
        "y" => bare.len() > 2,
        _ => true,
    }
}

/// Returns possible spellings of the stem: unchanged, with y instead of i, with a single consonant instead of a double
/// consonant, or with a restored e.
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

/// Returns true if the letters look as if an e was dropped.
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

/// Appends the phonemes of a suffix.
pub(super) fn add(ending: Ending, phonemes: &mut Vec<Sound>) {
    let last = phonemes.last().map_or("", |(phone, _)| phone.name());
    let is_voiced = phonemes.last().is_none_or(|(phone, _)| phone.is_voiced());
    let text = match ending {
        Ending::Fixed(text) => text,
        Ending::S if matches!(last, "S" | "Z" | "SH" | "ZH" | "CH" | "JH") => "IH0 Z",
        Ending::S if is_voiced => "Z",
        Ending::S => "S",
        Ending::Ed if matches!(last, "T" | "D") => "IH0 D",
        Ending::Ed if is_voiced => "D",
        Ending::Ed => "T",
    };
    // "-ling" and "-ler" after a syllabic l: "settle", "settling".
    if text.starts_with(['I', 'E', 'A'])
        && phonemes.len() > 2
        && last == "L"
        && phonemes[phonemes.len() - 2].0.name() == "AX"
        && !matches!(ending, Ending::S | Ending::Ed)
    {
        phonemes.remove(phonemes.len() - 2);
    }
    phonemes.extend(super::phonemes(text));
}
