//! Letter-to-sound rules for words that no dictionary contains.
//!
//! A rule is (left context, letters, right context, phonemes). At each position of a word, the first rule that matches
//! gives the phonemes, and the next position is after the letters of that rule. This is the method of Elovitz et al.
//! (1976), *Letter-to-sound rules for automatic translation of English text to phonetics*; the table is our own.
//!
//! Contexts use these signs, with `/` between alternatives:
//!
//! | Sign | Meaning |
//! | --- | --- |
//! | `_` | the edge of the word |
//! | `V`, `C`, `F` | a vowel letter, a consonant letter, one of e, i, y |
//! | `D`, `L` | a voiced consonant; one of d, j, l, n, r, s, t, z, th, ch, sh |
//! | `+`, `*` | one or more vowel letters; any number of consonant letters |
//! | `E` | e, es, ed, er, ers, ing, ings at the end of the word |

use super::{consonants as c, vowels as v};
use crate::speech::phone::Phone;

/// Left context, letters, right context, phonemes; see the module.
pub(super) type Rule = (&'static str, &'static str, &'static str, &'static str);

/// A phoneme and the index of the first letter that produced it.
pub(super) type LetterPhone = (Phone, usize);

const ENDINGS: [&str; 7] = ["e", "es", "ed", "er", "ers", "ing", "ings"];

pub(super) fn rules(letter: u8) -> &'static [Rule] {
    const ALL: [&[Rule]; 26] = [
        v::A,
        c::B,
        c::C,
        c::D,
        v::E,
        c::F,
        c::G,
        c::H,
        v::I,
        c::J,
        c::K,
        c::L,
        c::M,
        c::N,
        v::O,
        c::P,
        c::Q,
        c::R,
        c::S,
        c::T,
        v::U,
        c::V,
        c::W,
        c::X,
        v::Y,
        c::Z,
    ];
    letter.checked_sub(b'a').and_then(|i| ALL.get(usize::from(i)).copied()).unwrap_or_default()
}

/// Returns the phonemes of a word in lower-case ASCII. Other characters are silent.
pub(super) fn phonemes(word: &str) -> Vec<LetterPhone> {
    let word = word.as_bytes();
    let mut phonemes = Vec::new();
    let mut at = 0;
    while at < word.len() {
        let rule = rules(word[at]).iter().find(|rule| fits(word, at, rule));
        if let Some((_, _, _, names)) = rule {
            phonemes
                .extend(names.split_ascii_whitespace().filter_map(Phone::arpabet).map(|phone| (phone, at)));
        }
        at += rule.map_or(1, |(_, letters, ..)| letters.len());
    }
    phonemes.dedup_by(|next, last| next.0 == last.0 && !next.0.is_vowel());
    phonemes
}

fn fits(word: &[u8], at: usize, (before, letters, after, _): &Rule) -> bool {
    word[at..].starts_with(letters.as_bytes())
        && before.split('/').any(|sign| fits_before(&word[..at], sign.as_bytes()))
        && after.split('/').any(|sign| fits_after(&word[at + letters.len()..], sign.as_bytes()))
}

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

fn is_consonant(letter: u8) -> bool {
    letter.is_ascii_alphabetic() && !is_vowel(letter)
}

/// Returns true if a letter matches a sign.
fn is_sign(letter: u8, sign: u8) -> bool {
    match sign {
        b'V' => is_vowel(letter),
        b'C' => is_consonant(letter),
        b'F' => matches!(letter, b'e' | b'i' | b'y'),
        b'D' => b"bdgjlmnrvwz".contains(&letter),
        _ => letter == sign,
    }
}

/// Returns true if the letters end as the signs require; signs are read from the end.
fn fits_before(letters: &[u8], signs: &[u8]) -> bool {
    let Some((sign, signs)) = signs.split_last() else { return true };
    let without = |count: usize| fits_before(&letters[..letters.len() - count], signs);
    match sign {
        b'_' => letters.is_empty() && signs.is_empty(),
        b'L' => alveolar_len(letters).is_some_and(without),
        b'+' => {
            let most = letters.iter().rev().take_while(|letter| is_vowel(**letter)).count();
            (1..=most).any(without)
        }
        b'*' => {
            let most = letters.iter().rev().take_while(|letter| is_consonant(**letter)).count();
            (0..=most).any(without)
        }
        sign => letters.last().is_some_and(|letter| is_sign(*letter, *sign)) && without(1),
    }
}

/// Returns the number of letters at the end that form an alveolar or postalveolar consonant.
fn alveolar_len(letters: &[u8]) -> Option<usize> {
    let pair = [&b"th"[..], b"ch", b"sh"].iter().any(|pair| letters.ends_with(pair));
    let single = letters.last().is_some_and(|letter| b"djlnrstz".contains(letter));
    if pair { Some(2) } else { single.then_some(1) }
}

/// Returns true if the letters start as the signs require.
fn fits_after(letters: &[u8], signs: &[u8]) -> bool {
    let Some((sign, signs)) = signs.split_first() else { return true };
    let without = |count: usize| fits_after(&letters[count..], signs);
    match sign {
        b'_' => letters.is_empty() || letters[0] == b'\'',
        b'E' => ENDINGS.iter().any(|ending| letters == ending.as_bytes()),
        b'+' => {
            let most = letters.iter().take_while(|letter| is_vowel(**letter)).count();
            (1..=most).any(without)
        }
        b'*' => {
            let most = letters.iter().take_while(|letter| is_consonant(**letter)).count();
            (0..=most).any(without)
        }
        sign => letters.first().is_some_and(|letter| is_sign(*letter, *sign)) && without(1),
    }
}
