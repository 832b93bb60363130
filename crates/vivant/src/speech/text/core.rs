//! Converts the core of a lexeme (without leading and trailing punctuation) to words.
//!
//! Written text is not what is spoken: `NASA` is a word, `FBI` is spelled, and the period of an abbreviation does not
//! always end a sentence. `Reader::core` tries the interpretations in a fixed order: number, abbreviation, initials,
//! letters around an ampersand, and finally the parts between changes of letters, digits and signs. It returns `None`
//! if the punctuation after the core must still be processed. Words in scripts that the language cannot pronounce are
//! skipped with a note.

use super::super::score::Ending;
use super::{Reader, Skipped, number, tables};

/// Pronunciation of a word in capitals.
enum Capitals {
    /// As an emphasized word.
    Word,
    /// As a word that is always written in capitals: *NASA*.
    Name,
    /// Letter by letter.
    Letters,
}

impl Reader {
    /// Adds the words of a core. Returns `None` if the caller must still process the punctuation after the core.
    /// Otherwise returns true if the next lexeme was consumed too.
    pub(super) fn core(&mut self, core: &str, after: &str, next: Option<&str>) -> Option<bool> {
        if let Some(spoken) = number::spoken(core, next.filter(|_| after.is_empty())) {
            for say in &spoken.words {
                self.add(&say.replace(". ", "."), say, false);
            }
            if let (true, Some(next)) = (spoken.took_next, next) {
                self.end_by(super::lexeme::trailing(next));
                return Some(true);
            }
            return None;
        }
        if let Some((say, may_end)) = tables::abbreviation(core, after.starts_with('.'), next) {
            for word in say.split(' ') {
                let text = if say.contains(' ') { word } else { core };
                self.add(text, word, false);
            }
            return self.end_abbreviation(after, next, may_end);
        }
        if is_initials(core) {
            self.letters(core);
            let is_one = core.chars().count() == 1;
            return if is_one && !after.starts_with('.') {
                None
            } else {
                self.end_abbreviation(after, next, !is_one && is_time(core))
            };
        }
        if let Some((before, after)) = both_letters(core) {
            self.spell_part(before);
            self.add("&", "and", false);
            self.spell_part(after);
            return None;
        }
        self.parts(core);
        None
    }

    /// Adds a sentence end after an abbreviation with a period only if a new sentence seems to start.
    fn end_abbreviation(&mut self, after: &str, next: Option<&str>, may_end: bool) -> Option<bool> {
        let rest = after.strip_prefix('.').unwrap_or(after);
        let starts = next.is_none_or(|next| {
            next.trim_start_matches(|letter: char| !letter.is_alphanumeric()).starts_with(char::is_uppercase)
        });
        if after.starts_with('.') && may_end && starts {
            self.stop(Ending::Sentence);
        }
        self.end_by(rest);
        Some(false)
    }

    /// Splits a core where letters change to digits or punctuation, and adds its parts.
    fn parts(&mut self, core: &str) {
        let mut rest = core;
        while let Some(first) = rest.chars().next() {
            let kind = Kind::of(first);
            let len = rest
                .char_indices()
                .find(|(at, letter)| !kind.goes_on(*letter, &rest[*at..]))
                .map_or(rest.len(), |(at, _)| at);
            let (part, after) = rest.split_at(len.max(first.len_utf8()));
            match kind {
                Kind::Word => self.add_word(part),
                Kind::Digits => number::plain(part).iter().for_each(|say| self.add(say, say, false)),
                Kind::Sign => self.add_sign(first, after),
            }
            rest = after;
        }
    }

    /// Processes punctuation within a core.
    fn add_sign(&mut self, sign: char, after: &str) {
        match sign {
            '&' => self.add("&", "and", false),
            '@' => self.add("@", "at", false),
            '+' => self.add("+", "plus", false),
            '=' => self.add("=", "equals", false),
            '%' => self.add("%", "percent", false),
            '.' if after.starts_with(char::is_uppercase) => self.stop(Ending::Sentence),
            '.' if after.starts_with(char::is_alphanumeric) => self.add(".", "dot", false),
            '?' => self.stop(Ending::Question),
            '!' => self.stop(Ending::Sentence),
            ',' | ';' | ':' | '(' | ')' | '–' => self.stop(Ending::Phrase),
            _ => {}
        }
    }

    /// Adds a word made of letters and apostrophes.
    fn add_word(&mut self, word: &str) {
        let word = word.trim_matches(is_apostrophe);
        let letters = || word.chars().filter(|letter| letter.is_alphabetic());
        if letters().next().is_none() {
            return;
        }
        if !letters().all(self.has_letter) {
            self.text.add_note(Skipped::Script, word);
            return;
        }
        let count = letters().count();
        let plural = word.strip_suffix('s').filter(|bare| bare.len() > 1 && is_capitals(bare));
        if let Some(bare) = plural.filter(|bare| !matches!(capitals(bare), Capitals::Word)) {
            self.add(word, &format!("{}'s", pronunciation_key(bare)), false);
        } else if count > 1 && is_capitals(word) {
            self.add(word, &pronunciation_key(word), matches!(capitals(word), Capitals::Word));
        } else if count == 1 && !matches!(word, "a" | "A" | "I" | "i" | "O" | "o") || is_unsayable(word) {
            self.letters(word);
        } else {
            self.add(word, &lowercase(word), false);
        }
    }

    fn spell_part(&mut self, letters: &str) {
        let names: Vec<_> = letters.chars().filter_map(tables::name_of).collect();
        self.add(letters, &names.join(" "), false);
    }

    /// Adds a word that is spelled letter by letter.
    fn letters(&mut self, word: &str) {
        let names: Vec<_> = word.chars().filter_map(tables::name_of).collect();
        let say = if names.len() == 1 && matches!(word, "I" | "A" | "a") {
            lowercase(word)
        } else {
            names.join(" ")
        };
        if say.is_empty() { self.add(word, &lowercase(word), false) } else { self.add(word, &say, false) }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Digits,
    Sign,
}

impl Kind {
    fn of(letter: char) -> Self {
        if letter.is_ascii_digit() {
            Self::Digits
        } else if letter.is_alphabetic() || is_apostrophe(letter) || is_mark(letter) {
            Self::Word
        } else {
            Self::Sign
        }
    }

    fn goes_on(self, letter: char, rest: &str) -> bool {
        let is_point = self == Self::Digits
            && letter == '.'
            && rest[1..].starts_with(|digit: char| digit.is_ascii_digit());
        self != Self::Sign && (Self::of(letter) == self || is_point)
    }
}

/// Returns true for combining marks.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}')
}

pub(super) fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '’' | 'ʼ' | '＇')
}

fn is_capitals(word: &str) -> bool {
    word.chars().filter(|letter| letter.is_alphabetic()).all(char::is_uppercase)
}

fn lowercase(word: &str) -> String {
    word.chars()
        .flat_map(char::to_lowercase)
        .map(|letter| if is_apostrophe(letter) { '\'' } else { letter })
        .collect()
}

fn capitals(word: &str) -> Capitals {
    let lowercase = lowercase(word);
    let is_short = lowercase.chars().count() <= 3;
    if tables::is_said(&lowercase) {
        Capitals::Name
    } else if tables::is_spelled(&lowercase)
        || is_unsayable(&lowercase)
        || is_short && !tables::is_short_word(&lowercase)
    {
        Capitals::Letters
    } else {
        Capitals::Word
    }
}

/// Returns the pronunciation key of a word in capitals. Letters without an English name are pronounced as a word.
fn pronunciation_key(word: &str) -> String {
    let names = match capitals(word) {
        Capitals::Letters => word.chars().filter_map(tables::name_of).collect::<Vec<_>>().join(" "),
        Capitals::Word | Capitals::Name => String::new(),
    };
    if names.is_empty() { lowercase(word) } else { names }
}

/// Returns true if the word has no vowel and is not an interjection such as *hmm*.
fn is_unsayable(word: &str) -> bool {
    let has_vowel = |letter: char| "aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýœ".contains(letter) || !letter.is_ascii();
    let lowercase = lowercase(word);
    !lowercase.chars().any(has_vowel) && lowercase.len() <= 6 && !tables::is_noise(&lowercase)
}

/// Returns true for initials such as `U.S`, `e.g` or a single capital letter.
fn is_initials(core: &str) -> bool {
    let mut wants_letter = true;
    let fits = core.chars().all(|letter| {
        let fits = if wants_letter { letter.is_ascii_alphabetic() } else { letter == '.' };
        wants_letter = !wants_letter;
        fits
    });
    fits && !wants_letter
        && (core.len() > 1
            || core.chars().all(|letter| letter.is_ascii_uppercase())
                && core != "A"
                && core != "I"
                && core != "O")
}

/// Splits `AT&T` or `Q&A` at the ampersand.
fn both_letters(core: &str) -> Option<(&str, &str)> {
    let is_letters =
        |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|letter| letter.is_ascii_uppercase());
    core.split_once('&').filter(|(before, after)| is_letters(before) && is_letters(after))
}

fn is_time(core: &str) -> bool {
    matches!(lowercase(core).as_str(), "a.m" | "p.m")
}
