//! Phonemes that look different on a face, with the names that dictionaries and aligners use.
//!
//! A [`Phone`] is a row of one table: the 39 phonemes of ARPAbet and some of other languages, each with its symbols
//! in the International Phonetic Alphabet (IPA), mouth shapes and usual duration.

use super::viseme::{Class, Viseme};

/// A phoneme.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Phone(u8);

/// Manner of articulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "standard terms of phonetics")]
pub enum Manner {
    Vowel,
    Stop,
    Fricative,
    Affricate,
    Nasal,
    Liquid,
    Glide,
    Aspirate,
    Silence,
}

/// A row of the table.
struct PhoneInfo {
    name: &'static str,
    ipa: &'static [&'static str],
    visemes: &'static [Viseme],
    manner: Manner,
    is_voiced: bool,
    usual_ms: u16,
    least_ms: u16,
}

#[allow(clippy::too_many_arguments, reason = "the columns of the table below")]
const fn info(
    name: &'static str,
    ipa: &'static [&'static str],
    visemes: &'static [Viseme],
    manner: Manner,
    is_voiced: bool,
    usual_ms: u16,
    least_ms: u16,
) -> PhoneInfo {
    PhoneInfo { name, ipa, visemes, manner, is_voiced, usual_ms, least_ms }
}

use Manner::{Affricate, Aspirate, Fricative, Glide, Liquid, Nasal, Stop, Vowel};
use Viseme::{Aa, Ch, Dd, E, Ff, Ih, Kk, Nn, Oh, Ou, Pp, Rr, Sil, Ss, Th};

/// Name, IPA, visemes, manner, voicing, usual and minimum duration in milliseconds. Durations of English phonemes are
/// the inherent and minimum durations of Klatt (1979). The durations of affricates (with their closure) and of phonemes
/// that English lacks are our design, based on similar phonemes.
#[rustfmt::skip]
const PHONES: [PhoneInfo; Phone::COUNT] = [
    // Vowels
    info("AA", &["ɑ", "ɒ", "ɐ"], &[Aa], Vowel, true, 240, 100),
    info("AE", &["æ", "a"], &[Aa], Vowel, true, 230, 80),
    info("AH", &["ʌ"], &[E], Vowel, true, 140, 60),
    info("AX", &["ə", "ɘ", "ɤ"], &[E], Vowel, true, 120, 60),
    info("AO", &["ɔ"], &[Oh], Vowel, true, 240, 100),
    info("AW", &["aʊ", "au", "æʊ"], &[Aa, Ou], Vowel, true, 260, 100),
    info("AY", &["aɪ", "ai", "ɑɪ"], &[Aa, Ih], Vowel, true, 250, 150),
    info("EH", &["ɛ", "e", "ɜ"], &[E], Vowel, true, 150, 70),
    info("ER", &["ɝ", "ɚ", "əɹ"], &[Rr], Vowel, true, 180, 80),
    info("EY", &["eɪ", "ei"], &[E, Ih], Vowel, true, 190, 100),
    info("IH", &["ɪ", "ɨ", "ɯ", "ᵻ"], &[Ih], Vowel, true, 135, 40),
    info("IY", &["i"], &[Ih], Vowel, true, 155, 55),
    info("OW", &["oʊ", "əʊ", "o"], &[Oh, Ou], Vowel, true, 220, 80),
    info("OY", &["ɔɪ", "ɔi"], &[Oh, Ih], Vowel, true, 280, 150),
    info("UH", &["ʊ"], &[Ou], Vowel, true, 160, 60),
    info("UW", &["u", "ʉ"], &[Ou], Vowel, true, 210, 70),
    info("YY", &["y", "ʏ"], &[Ou], Vowel, true, 160, 60),
    info("OE", &["ø", "œ", "ɵ"], &[Oh], Vowel, true, 180, 70),
    // Labial
    info("P", &["p"], &[Pp], Stop, false, 90, 50),
    info("B", &["b", "ɓ", "ʙ"], &[Pp], Stop, true, 85, 60),
    info("M", &["m"], &[Pp], Nasal, true, 70, 60),
    info("F", &["f", "ɸ"], &[Ff], Fricative, false, 100, 80),
    info("V", &["v", "β", "ʋ", "ɱ"], &[Ff], Fricative, true, 60, 40),
    info("PF", &["pf"], &[Ff], Affricate, false, 110, 80),
    info("W", &["w", "ʍ", "ɥ"], &[Ou], Glide, true, 80, 60),
    // Dental and alveolar
    info("TH", &["θ"], &[Th], Fricative, false, 90, 60),
    info("DH", &["ð"], &[Th], Fricative, true, 50, 30),
    info("T", &["t", "ʈ"], &[Dd], Stop, false, 75, 50),
    info("D", &["d", "ɖ", "ɾ"], &[Dd], Stop, true, 75, 50),
    info("N", &["n", "ɳ"], &[Nn], Nasal, true, 60, 50),
    info("L", &["l", "ɫ", "ɭ", "ʎ", "ɬ", "ɮ"], &[Nn], Liquid, true, 80, 40),
    info("S", &["s"], &[Ss], Fricative, false, 105, 60),
    info("Z", &["z"], &[Ss], Fricative, true, 75, 40),
    info("TS", &["ts"], &[Ss], Affricate, false, 120, 70),
    info("DZ", &["dz"], &[Ss], Affricate, true, 100, 60),
    info("SH", &["ʃ", "ʂ", "ɕ"], &[Ch], Fricative, false, 105, 80),
    info("ZH", &["ʒ", "ʐ", "ʑ"], &[Ch], Fricative, true, 70, 40),
    info("CH", &["tʃ", "tɕ", "ʈʂ"], &[Ch], Affricate, false, 120, 80),
    info("JH", &["dʒ", "dʑ", "ɖʐ"], &[Ch], Affricate, true, 100, 70),
    // Palatal, velar and glottal
    info("R", &["ɹ", "ɻ"], &[Rr], Liquid, true, 80, 30),
    info("RR", &["r", "ʀ", "ʁ", "ɽ", "ɺ"], &[Kk], Liquid, true, 70, 30),
    info("Y", &["j", "ʝ", "ɰ"], &[Ih], Glide, true, 80, 40),
    info("NY", &["ɲ"], &[Nn], Nasal, true, 80, 50),
    info("K", &["k", "q", "c"], &[Kk], Stop, false, 80, 60),
    info("G", &["g", "ɡ", "ɢ", "ɟ", "ɠ"], &[Kk], Stop, true, 80, 60),
    info("NG", &["ŋ", "ɴ"], &[Kk], Nasal, true, 95, 60),
    info("X", &["x", "χ", "ç", "ħ"], &[Kk], Fricative, false, 100, 60),
    info("GH", &["ɣ", "ʕ"], &[Kk], Fricative, true, 60, 40),
    info("HH", &["h", "ɦ"], &[E], Aspirate, false, 80, 20),
    info("Q", &["ʔ"], &[Kk], Stop, false, 50, 20),
    // Silence
    info("SIL", &[], &[Sil], Manner::Silence, false, 200, 50),
];

/// Aliases: names of TIMIT (whose closures map to their stops), the Montreal Forced Aligner and CMU Sphinx.
#[rustfmt::skip]
const ALIASES: &[(&str, &str)] = &[
    ("AXR", "ER"), ("AXH", "AX"), ("IX", "IH"), ("UX", "UW"), ("EL", "L"), ("EM", "M"), ("EN", "N"), ("ENG", "NG"), ("NX", "N"),
    ("DX", "D"), ("HV", "HH"), ("H", "HH"), ("WH", "W"), ("BCL", "B"), ("PCL", "P"), ("DCL", "D"), ("TCL", "T"), ("GCL", "G"),
    ("KCL", "K"), ("PAU", "SIL"), ("EPI", "SIL"), ("H#", "SIL"), ("#", "SIL"), ("SP", "SIL"), ("SPN", "SIL"), ("NSN", "SIL"),
    ("SSIL", "SIL"), ("<SIL>", "SIL"), ("<EPS>", "SIL"), ("_", "SIL"), ("BR", "SIL"), ("", "SIL"),
];

impl Phone {
    /// Number of phonemes, including silence.
    pub const COUNT: usize = 51;
    /// Silence.
    pub const SILENCE: Self = Self(Self::COUNT as u8 - 1);

    /// Returns all phonemes; silence is the last.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    fn info(self) -> &'static PhoneInfo {
        &PHONES[usize::from(self.0)]
    }

    /// Returns the name, from ARPAbet if English has the phoneme: `AA`, `HH`, `SIL`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// Returns the IPA symbol; empty for silence.
    #[must_use]
    pub fn ipa_symbol(self) -> &'static str {
        self.info().ipa.first().copied().unwrap_or_default()
    }

    /// Parses a name of ARPAbet, TIMIT or CMU Sphinx, ignoring case. A trailing stress digit is ignored, except that
    /// `AH0` is a schwa.
    #[must_use]
    pub fn arpabet(name: &str) -> Option<Self> {
        let name = name.trim();
        let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_unstressed = bare.len() < name.len() && name.ends_with('0');
        let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(bare));
        let bare = alias.map_or(bare, |(_, name)| name);
        let bare = if is_unstressed && bare.eq_ignore_ascii_case("AH") { "AX" } else { bare };
        Self::all().find(|phone| phone.name().eq_ignore_ascii_case(bare))
    }

    /// Parses the first phoneme of IPA text and returns it with the rest of the text. Returns `None` if the text does
    /// not start with a known symbol. Modifiers (stress, length, aspiration, nasalization, ties) are skipped.
    #[must_use]
    pub fn ipa(text: &str) -> Option<(Self, &str)> {
        let text = text.trim_start_matches(is_mark);
        let longest = |phone: Self| Some((phone, after_longest(text, phone.info().ipa)?));
        let (phone, rest) = Self::all().filter_map(longest).min_by_key(|(_, rest)| rest.len())?;
        Some((phone, rest.trim_start_matches(is_mark)))
    }

    /// Returns the mouth shapes of the phoneme, in order.
    #[must_use]
    pub fn visemes(self) -> &'static [Viseme] {
        self.info().visemes
    }

    /// Returns the class of the first mouth shape.
    #[must_use]
    pub fn class(self) -> Class {
        self.visemes()[0].class()
    }

    /// Returns the manner of articulation.
    #[must_use]
    pub fn manner(self) -> Manner {
        self.info().manner
    }

    /// Returns true for voiced phonemes.
    #[must_use]
    pub fn is_voiced(self) -> bool {
        self.info().is_voiced
    }

    /// Returns true for vowels.
    #[must_use]
    pub fn is_vowel(self) -> bool {
        self.manner() == Vowel
    }

    /// Returns true for silence.
    #[must_use]
    pub fn is_silence(self) -> bool {
        self == Self::SILENCE
    }

    /// Returns the usual duration in seconds.
    #[must_use]
    pub fn usual_secs(self) -> f64 {
        f64::from(self.info().usual_ms) / 1000.0
    }

    /// Returns the minimum duration in seconds.
    #[must_use]
    pub fn least_secs(self) -> f64 {
        f64::from(self.info().least_ms) / 1000.0
    }
}

impl std::fmt::Debug for Phone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the text after the longest matching spelling. Tie bars within a spelling are optional.
fn after_longest<'a>(text: &'a str, spellings: &[&str]) -> Option<&'a str> {
    spellings.iter().filter_map(|spelling| after(text, spelling)).min_by_key(|rest| rest.len())
}

fn after<'a>(text: &'a str, spelling: &str) -> Option<&'a str> {
    let mut rest = text;
    for (place, letter) in spelling.chars().enumerate() {
        if place > 0 {
            rest = rest.trim_start_matches(is_tie);
        }
        rest = rest.strip_prefix(letter)?;
    }
    Some(rest)
}

/// Returns true for tie bars, which join two symbols.
fn is_tie(letter: char) -> bool {
    matches!(letter, '\u{35c}' | '\u{361}')
}

/// Returns true for characters that modify a phoneme: stress, length, tone, superscript letters and combining marks.
fn is_mark(letter: char) -> bool {
    is_tie(letter)
        || matches!(
            letter,
            'ˈ' | 'ˌ' | '\'' | 'ː' | 'ˑ' | '.' | '‿' | '|' | '‖' | '↗' | '↘' | '-' | '_' | ':'
        )
        || matches!(letter, '\u{2b0}'..='\u{2e9}' | '\u{300}'..='\u{36f}' | '\u{207f}' | '\u{1d2c}'..='\u{1d6a}' | '\u{1d9b}'..='\u{1dbf}')
        || letter.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ipa(mut text: &str) -> Vec<&'static str> {
        let mut names = Vec::new();
        while let Some((phone, rest)) = Phone::ipa(text) {
            names.push(phone.name());
            text = rest;
        }
        assert!(text.is_empty(), "{text} is left");
        names
    }

    #[test]
    fn parses_arpabet_with_stress_and_aliases() {
        let check = |name: &str, expected: Option<&str>| {
            assert_eq!(Phone::arpabet(name).map(Phone::name), expected, "{name:?}");
        };
        for name in "AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH"
            .split(' ')
        {
            check(name, Some(name));
            check(&name.to_lowercase(), Some(name));
        }
        for (name, expected) in [
            ("AH0", "AX"),
            ("AH1", "AH"),
            ("ER0", "ER"),
            ("axr", "ER"),
            ("sp", "SIL"),
            (" SIL ", "SIL"),
            ("", "SIL"),
        ] {
            check(name, Some(expected));
        }
        check("Ä", None);
        check("AHH", None);
    }

    #[test]
    fn parses_ipa_and_skips_marks() {
        let check = |text: &str, expected: &str| assert_eq!(ipa(text).join(" "), expected, "{text}");
        check("həˈləʊ", "HH AX L OW");
        check("t͡ʃɜːt͡ʃ", "CH EH CH");
        check("tʃiːz", "CH IY Z");
        check("ˈdʒʌdʒ", "JH AH JH");
        check("bɔ̃ʒuʁ", "B AO ZH UW RR");
        check("ˈyːbɐ", "YY B AA");
        check("kʰat̪", "K AE T");
        check("", "");
    }

    #[test]
    fn every_phoneme_has_visemes_and_valid_durations() {
        for phone in Phone::all() {
            assert!((1..=2).contains(&phone.visemes().len()), "{phone:?}");
            assert!(phone.least_secs() > 0.0 && phone.least_secs() <= phone.usual_secs(), "{phone:?}");
            assert_eq!(Phone::arpabet(phone.name()), Some(phone));
            assert_eq!(phone.is_silence(), phone.visemes() == [Sil], "{phone:?}");
            for spelling in phone.info().ipa {
                assert_eq!(Phone::ipa(spelling), Some((phone, "")), "{spelling}");
            }
        }
    }
}
