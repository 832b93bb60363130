//! How long sounds last by themselves: the rules of Klatt (1979).
//!
//! A sound has an inherent and a least length, and lasts `least + (inherent - least) × share`; each rule that fits
//! multiplies the share. The numbers of the rules are Klatt's.
//!
//! `DIFFERENCE`: Klatt knows the phrases of a sentence (subject, predicate); from text alone only what punctuation
//! separates is known, so a phrase's last syllable is one before a pause. Rule 10's clusters are within a word.

use crate::speech::phone::{Manner, Phone};
use crate::speech::score::Stress;

/// A word whose sounds are to be timed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sounding<'a> {
    /// Its sounds.
    pub phones: &'a [(Phone, Stress)],
    /// Whether a pause comes next.
    pub is_final: bool,
    /// Whether the speaker stresses it.
    pub is_emphatic: bool,
}

/// How long a sound lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Length {
    /// By the rules, in seconds.
    pub secs: f64,
    /// It gets no shorter, in seconds.
    pub least_secs: f64,
}

/// Rule 2: the last syllable before a pause.
const CLAUSE_FINAL: f64 = 1.4;
/// Rule 3: vowels elsewhere.
const NOT_PHRASE_FINAL: f64 = 0.6;
/// Rule 3: nasals and liquids behind the last vowel.
const FINAL_SONORANT: f64 = 1.4;
/// Rule 4: vowels before a word's last syllable.
const NOT_WORD_FINAL: f64 = 0.85;
/// Rule 5: vowels of words with several syllables.
const POLYSYLLABIC: f64 = 0.8;
/// Rule 6: consonants that do not begin a word.
const NOT_INITIAL: f64 = 0.85;
/// Rule 7: without stress, a vowel within a word, one at its edge, a liquid or glide before a vowel, anything else.
const UNSTRESSED: [f64; 4] = [0.5, 0.7, 0.1, 0.7];
/// Rule 8: a stressed word's vowel.
const EMPHASIS: f64 = 1.4;
/// Rule 11: breath behind a voiceless stop, in seconds.
const ASPIRATION_SECS: f64 = 0.025;

/// The lengths of a word's sounds.
#[must_use]
pub fn lengths(word: Sounding<'_>) -> Vec<Length> {
    let vowels: Vec<_> = (0..word.phones.len()).filter(|place| word.phones[*place].0.is_vowel()).collect();
    (0..word.phones.len()).map(|place| Place { word, vowels: &vowels, place }.length()).collect()
}

/// A sound within its word.
struct Place<'a> {
    word: Sounding<'a>,
    vowels: &'a [usize],
    place: usize,
}

impl Place<'_> {
    fn length(&self) -> Length {
        let phone = self.phone();
        let is_weak = self.syllable_stress() != Stress::Primary;
        let least = phone.least_secs() * if is_weak { 0.5 } else { 1.0 };
        let share = if phone.is_vowel() { self.vowel_share(is_weak) } else { self.consonant_share(is_weak) };
        let breath = if self.is_behind_breath() { ASPIRATION_SECS } else { 0.0 };
        Length { secs: least + (phone.usual_secs() - least).max(0.0) * share + breath, least_secs: least }
    }

    fn phone(&self) -> Phone {
        self.word.phones[self.place].0
    }

    fn neighbour(&self, offset: isize) -> Option<Phone> {
        let place = self.place.checked_add_signed(offset)?;
        self.word.phones.get(place).map(|(phone, _)| *phone)
    }

    /// The vowel whose syllable this is: the next for what stands before it, the last for what stands at the end.
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
        share * self.by_next() * self.by_vowels()
    }

    /// Rule 9: what follows a vowel within its word.
    fn by_next(&self) -> f64 {
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

    /// Rule 10: a vowel beside another.
    fn by_vowels(&self) -> f64 {
        let is_vowel = |offset| self.neighbour(offset).is_some_and(Phone::is_vowel);
        (if is_vowel(1) { 1.2 } else { 1.0 }) * (if is_vowel(-1) { 0.7 } else { 1.0 })
    }

    fn consonant_share(&self, is_weak: bool) -> f64 {
        let manner = self.phone().manner();
        let is_behind_vowel = self.is_last_syllable() && !self.vowels.is_empty();
        let mut share = if self.is_before_pause() && is_behind_vowel { CLAUSE_FINAL } else { 1.0 };
        if self.is_before_pause() && is_behind_vowel && matches!(manner, Manner::Nasal | Manner::Liquid) {
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
        share * self.by_cluster()
    }

    /// Rule 10: a consonant beside another.
    fn by_cluster(&self) -> f64 {
        let is_consonant = |offset| self.neighbour(offset).is_some_and(|phone| !phone.is_vowel());
        match (is_consonant(-1), is_consonant(1)) {
            (true, true) => 0.5,
            (true, false) | (false, true) => 0.7,
            (false, false) => 1.0,
        }
    }

    /// Rule 11: a stressed vowel or sonorant behind a voiceless stop.
    fn is_behind_breath(&self) -> bool {
        let before = self.neighbour(-1);
        let is_voiceless_stop =
            before.is_some_and(|phone| phone.manner() == Manner::Stop && !phone.is_voiced());
        let is_sonorant = matches!(self.phone().manner(), Manner::Vowel | Manner::Liquid | Manner::Glide);
        is_voiceless_stop && is_sonorant && self.syllable_stress() == Stress::Primary
    }
}
