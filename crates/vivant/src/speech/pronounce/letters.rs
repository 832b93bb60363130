//! Names of letters.

/// Pronunciation of the letters a to z in the notation of the dictionary.
pub(super) const NAMES: [&str; 26] = [
    "EY1",
    "B IY1",
    "S IY1",
    "D IY1",
    "IY1",
    "EH1 F",
    "JH IY1",
    "EY1 CH",
    "AY1",
    "JH EY1",
    "K EY1",
    "EH1 L",
    "EH1 M",
    "EH1 N",
    "OW1",
    "P IY1",
    "K Y UW1",
    "AA1 R",
    "EH1 S",
    "T IY1",
    "Y UW1",
    "V IY1",
    "D AH1 B AH0 L Y UW0",
    "EH1 K S",
    "W AY1",
    "Z IY1",
];

/// Returns the pronunciation of a letter written as `b.`.
pub(super) fn named(word: &str) -> Option<&'static str> {
    match word.as_bytes() {
        [letter, b'.'] => NAMES.get(usize::from(letter.checked_sub(b'a')?)).copied(),
        _ => None,
    }
}
