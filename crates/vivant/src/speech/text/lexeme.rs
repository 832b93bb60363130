//! What stands between two spaces: signs before, a core, signs behind.

use super::super::score::Ending;
use super::{Reader, Skipped, scan, tables};

/// Whether what follows decides how something is said.
pub(super) fn needs_next(lexeme: &str) -> bool {
    lexeme.contains(|letter: char| letter.is_ascii_digit()) || tables::needs_next(bare(lexeme))
}

/// Without the signs on both sides.
fn bare(lexeme: &str) -> &str {
    lexeme.trim_matches(|letter: char| !letter.is_alphanumeric())
}

/// Small faces made of signs.
fn is_face(lexeme: &str) -> bool {
    let mouth = lexeme.strip_prefix([':', ';', '=']).map(|rest| rest.trim_start_matches('-'));
    matches!(mouth, Some(")" | "(" | "D" | "P" | "p" | "/" | "|" | "O" | "o" | "*" | "))" | "(("))
        || matches!(lexeme, "<3" | "^^" | "xD" | "XD" | ":'(")
}

impl Reader {
    /// Speaks a lexeme; gives whether it took the next with it.
    pub(super) fn lexeme(&mut self, lexeme: &str, next: Option<&str>) -> bool {
        if scan::is_link(lexeme) {
            self.text.note(Skipped::Link, lexeme);
            self.end_by(trailing(lexeme));
            return false;
        }
        if is_face(lexeme) {
            self.text.note(Skipped::Emoji, lexeme);
            return false;
        }
        let core = self.leading(lexeme);
        let behind = trailing(core);
        let core = &core[..core.len() - behind.len()];
        let took = if core.is_empty() { self.sign(lexeme) } else { self.core(core, behind, next) };
        if took.is_none() {
            self.end_by(behind);
        }
        if behind.contains(['*', '_']) {
            self.is_stressed = false;
        }
        took == Some(true)
    }

    /// Takes the signs before a core off.
    fn leading<'a>(&mut self, lexeme: &'a str) -> &'a str {
        let mut rest = lexeme;
        while let Some(letter) = rest.chars().next() {
            let behind = &rest[letter.len_utf8()..];
            let is_core = letter.is_alphanumeric() || tables::currency(letter).is_some();
            let before_digit =
                behind.trim_start_matches(['$', '€', '£']).starts_with(|digit: char| digit.is_ascii_digit());
            if is_core
                || before_digit && matches!(letter, '-' | '−' | '+' | '~' | '#' | '.' | '\'' | '’')
                || !behind.contains(char::is_alphanumeric)
            {
                break;
            }
            match letter {
                '*' | '_' => self.is_stressed = true,
                '(' | '{' => self.stop(Ending::Phrase),
                _ => {}
            }
            rest = behind;
        }
        rest
    }

    /// A lexeme of signs alone.
    fn sign(&mut self, lexeme: &str) -> Option<bool> {
        let word = match lexeme {
            "&" => "and",
            "+" => "plus",
            "=" => "equals",
            "@" => "at",
            "%" => "percent",
            "×" => "times",
            "÷" => "over",
            _ => return None,
        };
        self.add(lexeme, word, false);
        Some(false)
    }

    /// Ends a part by the signs behind a word.
    pub(super) fn end_by(&mut self, signs: &str) {
        if let Some(ending) = ending(signs) {
            self.stop(ending);
        }
    }
}

/// The signs behind a core.
pub(super) fn trailing(lexeme: &str) -> &str {
    let is_core = |letter: char| {
        letter.is_alphanumeric() || matches!(letter, '%' | '°') || tables::currency(letter).is_some()
    };
    &lexeme[lexeme.trim_end_matches(|letter| !is_core(letter)).len()..]
}

/// What signs end.
fn ending(signs: &str) -> Option<Ending> {
    let dots = signs.matches('.').count();
    if signs.contains(['?', '？', '¿', '؟']) {
        Some(Ending::Question)
    } else if signs.contains(['!', '！', '。', '।']) || dots == 1 {
        Some(Ending::Sentence)
    } else if dots > 1
        || signs.contains([',', ';', ':', ')', '}', '—', '–', '…', '-', '|', '、', '，', '؛', '‒', '―'])
    {
        Some(Ending::Phrase)
    } else {
        None
    }
}
