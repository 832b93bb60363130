//! Case-insensitive patterns with `*` as a wildcard.

use std::fmt;

/// A pattern for names or values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pattern {
    written: String,
    /// The parts between the stars, in lower case.
    parts: Vec<String>,
}

impl Pattern {
    /// Creates a pattern; `*` matches any text.
    #[must_use]
    pub fn new(written: &str) -> Self {
        let parts = written.trim().to_lowercase().split('*').map(str::to_owned).collect();
        Self { written: written.trim().to_owned(), parts }
    }

    /// Returns true if the text matches, ignoring case and surrounding white space.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        let text = text.trim().to_lowercase();
        let [first, middle @ .., last] = self.parts.as_slice() else { return self.parts == [text] };
        let Some(mut rest) = text.strip_prefix(first.as_str()) else { return false };
        // The leftmost match leaves the most text for the remaining parts.
        for part in middle {
            let Some(at) = rest.find(part.as_str()) else { return false };
            rest = &rest[at + part.len()..];
        }
        rest.ends_with(last.as_str())
    }

    /// Returns the sort key: patterns without a star come first, then longer patterns before shorter ones.
    pub(super) fn rank(&self) -> (bool, std::cmp::Reverse<usize>, &str) {
        (self.parts.len() > 1, std::cmp::Reverse(self.written.len()), &self.written)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_match_anything_and_case_is_ignored() {
        for (pattern, fitting, others) in [
            ("W-RGU", &["w-rgu", " W-RGU "][..], &["W-RGU2", "xW-RGU", ""][..]),
            ("*arm*", &["right arm", "ARM", "arms"], &["hand", ""]),
            ("r*m", &["rm", "right arm"], &["r", "m", "right"]),
            ("a*b*a", &["aba", "axbxa", "abba"], &["ab", "a", "aa"]),
            ("aa*a", &["aaa"], &["aa"]),
            ("*", &["", "x"], &[]),
            ("", &["", " "], &["x"]),
            ("ÄU*", &["äußerung"], &["ausserung"]),
            ("**x**", &["x", "axb"], &["", "y"]),
        ] {
            let pattern = Pattern::new(pattern);
            assert!(fitting.iter().all(|text| pattern.matches(text)), "{pattern}: {fitting:?}");
            assert!(!others.iter().any(|text| pattern.matches(text)), "{pattern}: {others:?}");
        }
    }
}
