//! The core of a lexeme, as words.

use super::super::score::Ending;
use super::{Reader, Skipped, number, tables};

/// How something in capitals is said.
enum Capitals {
    /// As a word that is stressed.
    Word,
    /// As a word that is written so: *NASA*.
    Name,
    /// Letter by letter.
    Letters,
}

impl Reader {
    /// Speaks a core. Gives `None` if the signs behind it are still to be heard, and else whether the next lexeme was
    /// taken too.
    pub(super) fn core(&mut self, core: &str, behind: &str, next: Option<&str>) -> Option<bool> {
        if let Some(spoken) = number::spoken(core, next.filter(|_| behind.is_empty())) {
            for say in &spoken.words {
                self.add(&say.replace(". ", "."), say, false);
            }
            if let (true, Some(next)) = (spoken.took_next, next) {
                self.end_by(super::lexeme::trailing(next));
                return Some(true);
            }
            return None;
        }
        if let Some((say, may_end)) = tables::abbreviation(core, behind.starts_with('.'), next) {
            for word in say.split(' ') {
                let text = if say.contains(' ') { word } else { core };
                self.add(text, word, false);
            }
            return self.abbreviated(behind, next, may_end);
        }
        if is_initials(core) {
            self.letters(core);
            let is_one = core.chars().count() == 1;
            return if is_one && !behind.starts_with('.') {
                None
            } else {
                self.abbreviated(behind, next, !is_one && is_time(core))
            };
        }
        if let Some((before, behind)) = both_letters(core) {
            self.spell_part(before);
            self.add("&", "and", false);
            self.spell_part(behind);
            return None;
        }
        self.parts(core);
        None
    }

    /// The point behind an abbreviation ends a sentence only if a new one seems to begin.
    fn abbreviated(&mut self, behind: &str, next: Option<&str>, may_end: bool) -> Option<bool> {
        let rest = behind.strip_prefix('.').unwrap_or(behind);
        let begins = next.is_none_or(|next| {
            next.trim_start_matches(|letter: char| !letter.is_alphanumeric()).starts_with(char::is_uppercase)
        });
        if behind.starts_with('.') && may_end && begins {
            self.stop(Ending::Sentence);
        }
        self.end_by(rest);
        Some(false)
    }

    /// A core cut where letters become digits or signs.
    fn parts(&mut self, core: &str) {
        let mut rest = core;
        while let Some(first) = rest.chars().next() {
            let kind = Kind::of(first);
            let len = rest
                .char_indices()
                .find(|(at, letter)| !kind.goes_on(*letter, &rest[*at..]))
                .map_or(rest.len(), |(at, _)| at);
            let (part, behind) = rest.split_at(len.max(first.len_utf8()));
            match kind {
                Kind::Word => self.written(part),
                Kind::Digits => number::plain(part).iter().for_each(|say| self.add(say, say, false)),
                Kind::Sign => self.between(first, behind),
            }
            rest = behind;
        }
    }

    /// A sign within a core.
    fn between(&mut self, sign: char, behind: &str) {
        match sign {
            '&' => self.add("&", "and", false),
            '@' => self.add("@", "at", false),
            '+' => self.add("+", "plus", false),
            '=' => self.add("=", "equals", false),
            '%' => self.add("%", "percent", false),
            '.' if behind.starts_with(char::is_uppercase) => self.stop(Ending::Sentence),
            '.' if behind.starts_with(char::is_alphanumeric) => self.add(".", "dot", false),
            '?' => self.stop(Ending::Question),
            '!' => self.stop(Ending::Sentence),
            ',' | ';' | ':' | '(' | ')' | '–' => self.stop(Ending::Phrase),
            _ => {}
        }
    }

    /// A word as it is written: letters and apostrophes.
    fn written(&mut self, word: &str) {
        let word = word.trim_matches(is_apostrophe);
        let letters = || word.chars().filter(|letter| letter.is_alphabetic());
        if letters().next().is_none() {
            return;
        }
        if !letters().all(self.has_letter) {
            self.text.note(Skipped::Script, word);
            return;
        }
        let count = letters().count();
        let plural = word.strip_suffix('s').filter(|bare| bare.len() > 1 && is_capitals(bare));
        if let Some(bare) = plural.filter(|bare| !matches!(capitals(bare), Capitals::Word)) {
            self.add(word, &format!("{}'s", said(bare)), false);
        } else if count > 1 && is_capitals(word) {
            self.add(word, &said(word), matches!(capitals(word), Capitals::Word));
        } else if count == 1 && !matches!(word, "a" | "A" | "I" | "i" | "O" | "o") || is_unsayable(word) {
            self.letters(word);
        } else {
            self.add(word, &small(word), false);
        }
    }

    fn spell_part(&mut self, letters: &str) {
        let names: Vec<_> = letters.chars().filter_map(tables::name_of).collect();
        self.add(letters, &names.join(" "), false);
    }

    /// A word that is said letter by letter.
    fn letters(&mut self, word: &str) {
        let names: Vec<_> = word.chars().filter_map(tables::name_of).collect();
        let say =
            if names.len() == 1 && matches!(word, "I" | "A" | "a") { small(word) } else { names.join(" ") };
        if say.is_empty() { self.add(word, &small(word), false) } else { self.add(word, &say, false) }
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

/// Marks that are put on the letter before them.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}')
}

pub(super) fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '’' | 'ʼ' | '＇')
}

fn is_capitals(word: &str) -> bool {
    word.chars().filter(|letter| letter.is_alphabetic()).all(char::is_uppercase)
}

fn small(word: &str) -> String {
    word.chars()
        .flat_map(char::to_lowercase)
        .map(|letter| if is_apostrophe(letter) { '\'' } else { letter })
        .collect()
}

fn capitals(word: &str) -> Capitals {
    let small = small(word);
    let is_short = small.chars().count() <= 3;
    if tables::is_said(&small) {
        Capitals::Name
    } else if tables::is_spelled(&small) || is_unsayable(&small) || is_short && !tables::is_short_word(&small)
    {
        Capitals::Letters
    } else {
        Capitals::Word
    }
}

/// What to pronounce for a word in capitals. Letters that have no name in English are said as a word.
fn said(word: &str) -> String {
    let names = match capitals(word) {
        Capitals::Letters => word.chars().filter_map(tables::name_of).collect::<Vec<_>>().join(" "),
        Capitals::Word | Capitals::Name => String::new(),
    };
    if names.is_empty() { small(word) } else { names }
}

/// No vowel, and no sound that people make on purpose.
fn is_unsayable(word: &str) -> bool {
    let has_vowel = |letter: char| "aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýœ".contains(letter) || !letter.is_ascii();
    let small = small(word);
    !small.chars().any(has_vowel) && small.len() <= 6 && !tables::is_noise(&small)
}

/// `U.S`, `e.g`, a single letter: letters with points between them.
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

/// `AT&T`, `Q&A`: letters on both sides.
fn both_letters(core: &str) -> Option<(&str, &str)> {
    let is_letters =
        |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|letter| letter.is_ascii_uppercase());
    core.split_once('&').filter(|(before, behind)| is_letters(before) && is_letters(behind))
}

fn is_time(core: &str) -> bool {
    matches!(small(core).as_str(), "a.m" | "p.m")
}
