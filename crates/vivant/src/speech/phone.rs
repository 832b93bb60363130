//! The sounds of speech, as far as a face tells them apart, by the names that dictionaries and aligners give them.
//!
//! A [`Phone`] is a row of one table: ARPAbet's 39 and a few that other languages have, each with the letters of the
//! International Phonetic Alphabet that look alike, the mouth's shape, and how long it usually lasts.

use super::viseme::{Class, Viseme};

/// A sound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Phone(u8);

/// How a sound is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "phoneticians know them, and others need not")]
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

/// One row.
struct Sound {
    name: &'static str,
    ipa: &'static [&'static str],
    visemes: &'static [Viseme],
    manner: Manner,
    is_voiced: bool,
    usual_ms: u16,
    least_ms: u16,
}

#[allow(clippy::too_many_arguments, reason = "the columns of the table below")]
const fn sound(
    name: &'static str,
    ipa: &'static [&'static str],
    visemes: &'static [Viseme],
    manner: Manner,
    is_voiced: bool,
    usual_ms: u16,
    least_ms: u16,
) -> Sound {
    Sound { name, ipa, visemes, manner, is_voiced, usual_ms, least_ms }
}

use Manner::{Affricate, Aspirate, Fricative, Glide, Liquid, Nasal, Stop, Vowel};
use Viseme::{Aa, Ch, Dd, E, Ff, Ih, Kk, Nn, Oh, Ou, Pp, Rr, Sil, Ss, Th};

/// Name, IPA, shapes, manner, voice, usual and least milliseconds. The times of English sounds are after the
/// inherent and minimum durations of Klatt (1979); those of affricates (with their closure) and of sounds that English
/// lacks are ours, by their neighbours.
#[rustfmt::skip]
const SOUNDS: [Sound; Phone::COUNT] = [
    // Vowels
    sound("AA", &["ɑ", "ɒ", "ɐ"], &[Aa], Vowel, true, 240, 100),
    sound("AE", &["æ", "a"], &[Aa], Vowel, true, 230, 80),
    sound("AH", &["ʌ"], &[E], Vowel, true, 140, 60),
    sound("AX", &["ə", "ɘ", "ɤ"], &[E], Vowel, true, 120, 60),
    sound("AO", &["ɔ"], &[Oh], Vowel, true, 240, 100),
    sound("AW", &["aʊ", "au", "æʊ"], &[Aa, Ou], Vowel, true, 260, 100),
    sound("AY", &["aɪ", "ai", "ɑɪ"], &[Aa, Ih], Vowel, true, 250, 150),
    sound("EH", &["ɛ", "e", "ɜ"], &[E], Vowel, true, 150, 70),
    sound("ER", &["ɝ", "ɚ", "əɹ"], &[Rr], Vowel, true, 180, 80),
    sound("EY", &["eɪ", "ei"], &[E, Ih], Vowel, true, 190, 100),
    sound("IH", &["ɪ", "ɨ", "ɯ", "ᵻ"], &[Ih], Vowel, true, 135, 40),
    sound("IY", &["i"], &[Ih], Vowel, true, 155, 55),
    sound("OW", &["oʊ", "əʊ", "o"], &[Oh, Ou], Vowel, true, 220, 80),
    sound("OY", &["ɔɪ", "ɔi"], &[Oh, Ih], Vowel, true, 280, 150),
    sound("UH", &["ʊ"], &[Ou], Vowel, true, 160, 60),
    sound("UW", &["u", "ʉ"], &[Ou], Vowel, true, 210, 70),
    sound("YY", &["y", "ʏ"], &[Ou], Vowel, true, 160, 60),
    sound("OE", &["ø", "œ", "ɵ"], &[Oh], Vowel, true, 180, 70),
    // Lips
    sound("P", &["p"], &[Pp], Stop, false, 90, 50),
    sound("B", &["b", "ɓ", "ʙ"], &[Pp], Stop, true, 85, 60),
    sound("M", &["m"], &[Pp], Nasal, true, 70, 60),
    sound("F", &["f", "ɸ"], &[Ff], Fricative, false, 100, 80),
    sound("V", &["v", "β", "ʋ", "ɱ"], &[Ff], Fricative, true, 60, 40),
    sound("PF", &["pf"], &[Ff], Affricate, false, 110, 80),
    sound("W", &["w", "ʍ", "ɥ"], &[Ou], Glide, true, 80, 60),
    // Teeth, and behind them
    sound("TH", &["θ"], &[Th], Fricative, false, 90, 60),
    sound("DH", &["ð"], &[Th], Fricative, true, 50, 30),
    sound("T", &["t", "ʈ"], &[Dd], Stop, false, 75, 50),
    sound("D", &["d", "ɖ", "ɾ"], &[Dd], Stop, true, 75, 50),
    sound("N", &["n", "ɳ"], &[Nn], Nasal, true, 60, 50),
    sound("L", &["l", "ɫ", "ɭ", "ʎ", "ɬ", "ɮ"], &[Nn], Liquid, true, 80, 40),
    sound("S", &["s"], &[Ss], Fricative, false, 105, 60),
    sound("Z", &["z"], &[Ss], Fricative, true, 75, 40),
    sound("TS", &["ts"], &[Ss], Affricate, false, 120, 70),
    sound("DZ", &["dz"], &[Ss], Affricate, true, 100, 60),
    sound("SH", &["ʃ", "ʂ", "ɕ"], &[Ch], Fricative, false, 105, 80),
    sound("ZH", &["ʒ", "ʐ", "ʑ"], &[Ch], Fricative, true, 70, 40),
    sound("CH", &["tʃ", "tɕ", "ʈʂ"], &[Ch], Affricate, false, 120, 80),
    sound("JH", &["dʒ", "dʑ", "ɖʐ"], &[Ch], Affricate, true, 100, 70),
    // Behind
    sound("R", &["ɹ", "ɻ"], &[Rr], Liquid, true, 80, 30),
    sound("RR", &["r", "ʀ", "ʁ", "ɽ", "ɺ"], &[Kk], Liquid, true, 70, 30),
    sound("Y", &["j", "ʝ", "ɰ"], &[Ih], Glide, true, 80, 40),
    sound("NY", &["ɲ"], &[Nn], Nasal, true, 80, 50),
    sound("K", &["k", "q", "c"], &[Kk], Stop, false, 80, 60),
    sound("G", &["g", "ɡ", "ɢ", "ɟ", "ɠ"], &[Kk], Stop, true, 80, 60),
    sound("NG", &["ŋ", "ɴ"], &[Kk], Nasal, true, 95, 60),
    sound("X", &["x", "χ", "ç", "ħ"], &[Kk], Fricative, false, 100, 60),
    sound("GH", &["ɣ", "ʕ"], &[Kk], Fricative, true, 60, 40),
    sound("HH", &["h", "ɦ"], &[E], Aspirate, false, 80, 20),
    sound("Q", &["ʔ"], &[Kk], Stop, false, 50, 20),
    // Nothing
    sound("SIL", &[], &[Sil], Manner::Silence, false, 200, 50),
];

/// Other names: of TIMIT, whose closures count as their stops, of the Montreal Forced Aligner, of CMU Sphinx.
#[rustfmt::skip]
const ALIASES: &[(&str, &str)] = &[
    ("AXR", "ER"), ("AXH", "AX"), ("IX", "IH"), ("UX", "UW"), ("EL", "L"), ("EM", "M"), ("EN", "N"), ("ENG", "NG"), ("NX", "N"),
    ("DX", "D"), ("HV", "HH"), ("H", "HH"), ("WH", "W"), ("BCL", "B"), ("PCL", "P"), ("DCL", "D"), ("TCL", "T"), ("GCL", "G"),
    ("KCL", "K"), ("PAU", "SIL"), ("EPI", "SIL"), ("H#", "SIL"), ("#", "SIL"), ("SP", "SIL"), ("SPN", "SIL"), ("NSN", "SIL"),
    ("SSIL", "SIL"), ("<SIL>", "SIL"), ("<EPS>", "SIL"), ("_", "SIL"), ("BR", "SIL"), ("", "SIL"),
];

impl Phone {
    /// How many there are.
    pub const COUNT: usize = 51;
    /// No sound.
    pub const SILENCE: Self = Self(Self::COUNT as u8 - 1);

    /// All of them; silence is the last.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    fn sound(self) -> &'static Sound {
        &SOUNDS[usize::from(self.0)]
    }

    /// Its name, which is ARPAbet's if English has it: `AA`, `HH`, `SIL`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.sound().name
    }

    /// Its letters in the International Phonetic Alphabet; empty for silence.
    #[must_use]
    pub fn ipa_symbol(self) -> &'static str {
        self.sound().ipa.first().copied().unwrap_or_default()
    }

    /// By a name of ARPAbet, of TIMIT or of CMU Sphinx, in capitals or not; a stress behind it is left out. An `AH`
    /// without stress is a schwa.
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

    /// The sound with which a text in the International Phonetic Alphabet begins, and what is behind it; `None` where
    /// no letter is known. What only changes a sound (stress, length, breath, nasality, ties) is passed over.
    #[must_use]
    pub fn ipa(text: &str) -> Option<(Self, &str)> {
        let text = text.trim_start_matches(is_mark);
        let longest = |phone: Self| Some((phone, after_longest(text, phone.sound().ipa)?));
        let (phone, rest) = Self::all().filter_map(longest).min_by_key(|(_, rest)| rest.len())?;
        Some((phone, rest.trim_start_matches(is_mark)))
    }

    /// The shapes that a mouth takes for it, one after another.
    #[must_use]
    pub fn visemes(self) -> &'static [Viseme] {
        self.sound().visemes
    }

    /// What kind of shape the first of them is.
    #[must_use]
    pub fn class(self) -> Class {
        self.visemes()[0].class()
    }

    /// How it is made.
    #[must_use]
    pub fn manner(self) -> Manner {
        self.sound().manner
    }

    /// Whether it has a voice.
    #[must_use]
    pub fn is_voiced(self) -> bool {
        self.sound().is_voiced
    }

    /// Whether it is a vowel.
    #[must_use]
    pub fn is_vowel(self) -> bool {
        self.manner() == Vowel
    }

    /// Whether it is nothing.
    #[must_use]
    pub fn is_silence(self) -> bool {
        self == Self::SILENCE
    }

    /// How long it lasts by itself, in seconds.
    #[must_use]
    pub fn usual_secs(self) -> f64 {
        f64::from(self.sound().usual_ms) / 1000.0
    }

    /// How short it can get, in seconds.
    #[must_use]
    pub fn least_secs(self) -> f64 {
        f64::from(self.sound().least_ms) / 1000.0
    }
}

impl std::fmt::Debug for Phone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// What is behind the longest of some spellings with which a text begins. Ties within a spelling may be written or not.
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

/// Bows that join two letters.
fn is_tie(letter: char) -> bool {
    matches!(letter, '\u{35c}' | '\u{361}')
}

/// What changes a sound and is none: stress, length, tone and small letters, and all that is put on another letter.
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
    fn arpabet_is_known_with_stress_and_in_other_spellings() {
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
    fn ipa_is_read_letter_by_letter_and_marks_are_passed_over() {
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
    fn every_sound_has_a_shape_of_its_class_and_times_that_can_be() {
        for phone in Phone::all() {
            assert!((1..=2).contains(&phone.visemes().len()), "{phone:?}");
            assert!(phone.least_secs() > 0.0 && phone.least_secs() <= phone.usual_secs(), "{phone:?}");
            assert_eq!(Phone::arpabet(phone.name()), Some(phone));
            assert_eq!(phone.is_silence(), phone.visemes() == [Sil], "{phone:?}");
            for spelling in phone.sound().ipa {
                assert_eq!(Phone::ipa(spelling), Some((phone, "")), "{spelling}");
            }
        }
    }
}
