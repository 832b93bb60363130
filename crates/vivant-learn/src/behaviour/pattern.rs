//! Names with `*` for anything, whatever their case.

use std::fmt;

/// A pattern of names or values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pattern {
    written: String,
    /// What has to be there, in order, between the stars, in lower case.
    parts: Vec<String>,
}

impl Pattern {
    /// A pattern as people write it.
    #[must_use]
    pub fn new(written: &str) -> Self {
        let parts = written.trim().to_lowercase().split('*').map(str::to_owned).collect();
        Self { written: written.trim().to_owned(), parts }
    }

    /// Whether it fits.
    #[must_use]
    pub fn fits(&self, text: &str) -> bool {
        let text = text.trim().to_lowercase();
        let [first, middle @ .., last] = self.parts.as_slice() else { return self.parts == [text] };
        let Some(mut rest) = text.strip_prefix(first.as_str()) else { return false };
        // The first place that fits leaves the most for what follows.
        for part in middle {
            let Some(at) = rest.find(part.as_str()) else { return false };
            rest = &rest[at + part.len()..];
        }
        rest.ends_with(last.as_str())
    }

    /// The narrower of two patterns that fit comes first: without a star, then the longer one.
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
    fn a_star_is_anything_and_case_is_nothing() {
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
            assert!(fitting.iter().all(|text| pattern.fits(text)), "{pattern}: {fitting:?}");
            assert!(!others.iter().any(|text| pattern.fits(text)), "{pattern}: {others:?}");
        }
    }
}
