//! Lexemes: text between two spaces, with leading punctuation, a core and trailing punctuation.

use super::super::score::Ending;
use super::{Reader, Skipped, scan, tables};

/// Returns true if the next lexeme is needed to read this lexeme.
pub(super) fn needs_next(lexeme: &str) -> bool {
    lexeme.contains(|letter: char| letter.is_ascii_digit()) || tables::needs_next(bare(lexeme))
}

/// Removes punctuation on both sides.
fn bare(lexeme: &str) -> &str {
    lexeme.trim_matches(|letter: char| !letter.is_alphanumeric())
}

/// Returns true for emoticons such as `:-)`.
fn is_emoticon(lexeme: &str) -> bool {
    let mouth = lexeme.strip_prefix([':', ';', '=']).map(|rest| rest.trim_start_matches('-'));
    matches!(mouth, Some(")" | "(" | "D" | "P" | "p" | "/" | "|" | "O" | "o" | "*" | "))" | "(("))
        || matches!(lexeme, "<3" | "^^" | "xD" | "XD" | ":'(")
}

impl Reader {
    /// Adds the words of a lexeme. Returns true if the next lexeme was consumed too.
    pub(super) fn lexeme(&mut self, lexeme: &str, next: Option<&str>) -> bool {
        if scan::is_link(lexeme) {
            self.text.add_note(Skipped::Link, lexeme);
            self.end_by(trailing(lexeme));
            return false;
        }
        if is_emoticon(lexeme) {
            self.text.add_note(Skipped::Emoji, lexeme);
            return false;
        }
        let core = self.leading(lexeme);
        let after = trailing(core);
        let core = &core[..core.len() - after.len()];
        let took = if core.is_empty() { self.sign(lexeme) } else { self.core(core, after, next) };
        if took.is_none() {
            self.end_by(after);
        }
        if after.contains(['*', '_']) {
            self.is_stressed = false;
        }
        took == Some(true)
    }

    /// Processes and removes leading punctuation.
    fn leading<'a>(&mut self, lexeme: &'a str) -> &'a str {
        let mut rest = lexeme;
        while let Some(letter) = rest.chars().next() {
            let after = &rest[letter.len_utf8()..];
            let is_core = letter.is_alphanumeric() || tables::currency(letter).is_some();
            let before_digit =
                after.trim_start_matches(['$', '€', '£']).starts_with(|digit: char| digit.is_ascii_digit());
            if is_core
                || before_digit && matches!(letter, '-' | '−' | '+' | '~' | '#' | '.' | '\'' | '’')
                || !after.contains(char::is_alphanumeric)
            {
                break;
            }
            match letter {
                '*' | '_' => self.is_stressed = true,
                '(' | '{' => self.stop(Ending::Phrase),
                _ => {}
            }
            rest = after;
        }
        rest
    }

    /// Adds the word for a lexeme that is only a sign.
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

    /// Adds the boundary that the punctuation after a word marks.
    pub(super) fn end_by(&mut self, signs: &str) {
        if let Some(ending) = ending(signs) {
            self.stop(ending);
        }
    }
}

/// Returns the punctuation after a core.
pub(super) fn trailing(lexeme: &str) -> &str {
    let is_core = |letter: char| {
        letter.is_alphanumeric() || matches!(letter, '%' | '°') || tables::currency(letter).is_some()
    };
    &lexeme[lexeme.trim_end_matches(|letter| !is_core(letter)).len()..]
}

/// Returns the boundary that punctuation marks.
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
