//! The timings of one intent, parsed before any of them are applied.

use super::times::Timed;
use crate::intent::{SaidPhone, SaidViseme, SaidWord, Say, VisemeCode};
use crate::speech::phone::Phone;
use crate::speech::score::{Ending, Stress};
use crate::speech::text::{Reader, SpokenWord};
use crate::speech::timing::phone_of_visemes;
use crate::speech::viseme::Viseme;
use crate::{Error, Result};

/// The timings of an intent, without text and audio.
#[derive(Default)]
pub(super) struct Piece {
    pub(super) words: Vec<Timed<Reading>>,
    pub(super) phones: Vec<Timed<Vec<(Phone, Stress)>>>,
    pub(super) visemes: Vec<Timed<KnownViseme>>,
    pub(super) duration: Option<f64>,
}

/// A timed word with its spoken form.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) text: String,
    pub(super) spoken: Vec<SpokenWord>,
    pub(super) ending: Option<Ending>,
}

impl PartialEq for Reading {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// A viseme, represented by a phoneme with this viseme. The letter *E* means different visemes in Rhubarb and Oculus;
/// the other visemes of the line decide which one is meant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum KnownViseme {
    /// Viseme of Oculus or Azure.
    Named(Phone),
    /// Rhubarb letter that other sets do not have.
    Letter(Phone),
    /// The Oculus meaning, and the Rhubarb meaning.
    Either(Phone, Phone),
}

impl Piece {
    /// Parses the timings of an intent.
    ///
    /// # Errors
    /// If the duration is negative or not finite.
    pub(super) fn read(say: &Say) -> Result<Self> {
        Ok(Self {
            words: say.words.iter().map(word).collect(),
            phones: say.phones.iter().map(phone).collect(),
            visemes: say.visemes.iter().map(viseme).collect(),
            duration: say.duration.map(duration).transpose()?,
        })
    }
}

fn duration(secs: f64) -> Result<f64> {
    if secs.is_finite() && secs >= 0.0 {
        return Ok(secs);
    }
    Err(Error::new(format!("duration: invalid value {secs}; use a number of seconds, or leave it out")))
}

fn word(said: &SaidWord) -> Timed<Reading> {
    Timed { what: Reading::of(&said.word), from: said.start, end: said.end }
}

impl Reading {
    fn of(text: &str) -> Self {
        let mut reader = Reader::default();
        // At the start of a line the word could be taken for a list marker.
        reader.push("so ");
        reader.flush();
        let before = reader.text().words.len();
        reader.push(text);
        reader.flush();
        let read = reader.text();
        let last = read.stops.last().filter(|stop| stop.after_words == read.words.len());
        Self {
            text: text.trim().to_owned(),
            spoken: read.words[before..].to_vec(),
            ending: last.and_then(|stop| stop.ending),
        }
    }

    /// Returns true if the word has no spoken part, such as punctuation with its own time.
    pub(super) fn is_silent(&self) -> bool {
        self.spoken.is_empty()
    }
}

fn phone(said: &SaidPhone) -> Timed<Vec<(Phone, Stress)>> {
    let silence = || vec![(Phone::SILENCE, Stress::None)];
    let what = if said.phones.is_empty() { silence() } else { said.phones.clone() };
    Timed { what, from: said.start, end: said.end }
}

fn viseme(said: &SaidViseme) -> Timed<KnownViseme> {
    let of = |viseme| phone_of_visemes(&[viseme]);
    let what = match said.viseme {
        VisemeCode::Visemes(visemes) => KnownViseme::Named(phone_of_visemes(visemes)),
        VisemeCode::Rhubarb(viseme) => KnownViseme::Letter(of(viseme)),
        VisemeCode::LetterE => KnownViseme::Either(of(Viseme::E), of(Viseme::RHUBARB_E)),
    };
    Timed { what, from: said.start, end: said.end }
}
