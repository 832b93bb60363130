//! Durations of phonemes by the rules of Klatt (1979).
//!
//! A phoneme has an inherent and a minimum duration, and lasts `least + (inherent - least) × share`. Each rule that
//! applies multiplies the share. The numbers of the rules are Klatt's.
//!
//! `DIFFERENCE`: Klatt's rules use the phrases of a sentence (subject, predicate). From text alone, only punctuation
//! is known, so only the last syllable before a pause counts as the last syllable of a phrase. Rule 10 applies only
//! to clusters within a word.

use crate::speech::phone::{Manner, Phone};
use crate::speech::score::Stress;

/// A word to be timed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WordContext<'a> {
    /// The phonemes.
    pub phones: &'a [(Phone, Stress)],
    /// True if a pause follows.
    pub is_final: bool,
    /// True if the speaker stresses the word.
    pub is_emphatic: bool,
}

/// Estimated and minimum duration of a phoneme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Length {
    /// Duration by the rules, in seconds.
    pub secs: f64,
    /// Minimum duration in seconds.
    pub least_secs: f64,
}

/// Rule 2: factor for the last syllable before a pause.
const CLAUSE_FINAL: f64 = 1.4;
/// Rule 3: factor for vowels in syllables that are not the last syllable before a pause.
const NOT_PHRASE_FINAL: f64 = 0.6;
/// Rule 3: factor for nasals and liquids after the last vowel before a pause.
const FINAL_SONORANT: f64 = 1.4;
/// Rule 4: factor for vowels before the last syllable of a word.
const NOT_WORD_FINAL: f64 = 0.85;
/// Rule 5: factor for vowels of words with several syllables.
const POLYSYLLABIC: f64 = 0.8;
/// Rule 6: factor for consonants that are not at the start of a word.
const NOT_INITIAL: f64 = 0.85;
/// Rule 7: factors for an unstressed vowel within a word, an unstressed vowel at the edge of a word, a liquid or glide
/// before a vowel, and all other unstressed phonemes.
const UNSTRESSED: [f64; 4] = [0.5, 0.7, 0.1, 0.7];
/// Rule 8: factor for the vowel of an emphasized word.
const EMPHASIS: f64 = 1.4;
/// Rule 11: aspiration after a voiceless stop, in seconds.
const ASPIRATION_SECS: f64 = 0.025;

/// Returns the durations of all phonemes of a word, in order.
#[must_use]
pub fn lengths(word: WordContext<'_>) -> Vec<Length> {
    let vowels: Vec<_> = (0..word.phones.len()).filter(|place| word.phones[*place].0.is_vowel()).collect();
    (0..word.phones.len()).map(|place| Place { word, vowels: &vowels, place }.length()).collect()
}

/// A phoneme within its word.
struct Place<'a> {
    word: WordContext<'a>,
    vowels: &'a [usize],
    place: usize,
}

impl Place<'_> {
    fn length(&self) -> Length {
        let phone = self.phone();
        let is_weak = self.syllable_stress() != Stress::Primary;
        let least = phone.least_secs() * if is_weak { 0.5 } else { 1.0 };
        let share = if phone.is_vowel() { self.vowel_share(is_weak) } else { self.consonant_share(is_weak) };
        let breath = if self.is_aspirated() { ASPIRATION_SECS } else { 0.0 };
        Length { secs: least + (phone.usual_secs() - least).max(0.0) * share + breath, least_secs: least }
    }

    fn phone(&self) -> Phone {
        self.word.phones[self.place].0
    }

    fn neighbour(&self, offset: isize) -> Option<Phone> {
        let place = self.place.checked_add_signed(offset)?;
        self.word.phones.get(place).map(|(phone, _)| *phone)
    }

    /// Returns the vowel of the syllable: the next vowel, or the last vowel for consonants at the end of the word.
    fn vowel(&self) -> Option<usize> {
        self.vowels.iter().copied().find(|vowel| *vowel >= self.place).or(self.vowels.last().copied())
    }

    fn syllable_stress(&self) -> Stress {
        self.vowel().map_or(Stress::None, |vowel| self.word.phones[vowel].1)
    }

    fn is_last_syllable(&self) -> bool {
        self.vowels.last().is_none_or(|last| self.place >= *last)
    }

    fn is_before_pause(&self) -> bool {
        self.word.is_final && self.is_last_syllable()
    }

    fn vowel_share(&self, is_weak: bool) -> f64 {
        let is_last = self.vowels.last() == Some(&self.place);
        let is_first = self.vowels.first() == Some(&self.place);
        let mut share = if self.is_before_pause() { CLAUSE_FINAL } else { NOT_PHRASE_FINAL };
        if !is_last {
            share *= NOT_WORD_FINAL;
        }
        if self.vowels.len() > 1 {
            share *= POLYSYLLABIC;
        }
        if is_weak {
            share *= UNSTRESSED[usize::from(is_first || is_last)];
        }
        if self.word.is_emphatic && !is_weak {
            share *= EMPHASIS;
        }
        share * self.next_phone_factor() * self.adjacent_vowels_factor()
    }

    /// Rule 9: returns the factor for a vowel, which depends on the next phoneme of the word.
    fn next_phone_factor(&self) -> f64 {
        let whole = match self.neighbour(1) {
            None => 1.2,
            Some(next) => match (next.manner(), next.is_voiced()) {
                (Manner::Fricative, true) => 1.6,
                (Manner::Stop | Manner::Affricate, true) => 1.2,
                (Manner::Nasal, _) => 0.85,
                (Manner::Stop | Manner::Affricate, false) => 0.7,
                _ => 1.0,
            },
        };
        if self.is_before_pause() { whole } else { 0.7 + 0.3 * whole }
    }

    /// Rule 10: returns the factor for a vowel next to another vowel.
    fn adjacent_vowels_factor(&self) -> f64 {
        let is_vowel = |offset| self.neighbour(offset).is_some_and(Phone::is_vowel);
        (if is_vowel(1) { 1.2 } else { 1.0 }) * (if is_vowel(-1) { 0.7 } else { 1.0 })
    }

    fn consonant_share(&self, is_weak: bool) -> f64 {
        let manner = self.phone().manner();
        let is_after_vowel = self.is_last_syllable() && !self.vowels.is_empty();
        let mut share = if self.is_before_pause() && is_after_vowel { CLAUSE_FINAL } else { 1.0 };
        if self.is_before_pause() && is_after_vowel && matches!(manner, Manner::Nasal | Manner::Liquid) {
            share *= FINAL_SONORANT / CLAUSE_FINAL;
        }
        if self.place > 0 {
            share *= NOT_INITIAL;
        }
        if is_weak {
            let is_prevocalic = matches!(manner, Manner::Liquid | Manner::Glide)
                && self.neighbour(1).is_some_and(Phone::is_vowel);
            share *= UNSTRESSED[if is_prevocalic { 2 } else { 3 }];
        }
        share * self.cluster_factor()
    }

    /// Rule 10: returns the factor for a consonant next to another consonant.
    fn cluster_factor(&self) -> f64 {
        let is_consonant = |offset| self.neighbour(offset).is_some_and(|phone| !phone.is_vowel());
        match (is_consonant(-1), is_consonant(1)) {
            (true, true) => 0.5,
            (true, false) | (false, true) => 0.7,
            (false, false) => 1.0,
        }
    }

    /// Rule 11: returns true for a stressed vowel or sonorant after a voiceless stop.
    fn is_aspirated(&self) -> bool {
        let before = self.neighbour(-1);
        let is_voiceless_stop =
            before.is_some_and(|phone| phone.manner() == Manner::Stop && !phone.is_voiced());
        let is_sonorant = matches!(self.phone().manner(), Manner::Vowel | Manner::Liquid | Manner::Glide);
        is_voiceless_stop && is_sonorant && self.syllable_stress() == Stress::Primary
    }
}
