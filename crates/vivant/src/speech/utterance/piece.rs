//! What one intent tells of a line, read before any of it is taken.

use super::times::Timed;
use crate::intent::{SaidPhone, SaidViseme, SaidWord, Say, VisemeCode};
use crate::speech::phone::Phone;
use crate::speech::score::{Ending, Stress};
use crate::speech::text::{Reader, Spoken};
use crate::speech::timing::phone_of_visemes;
use crate::speech::viseme::Viseme;
use crate::{Error, Result};

/// What an intent says besides its text and its samples.
#[derive(Default)]
pub(super) struct Piece {
    pub(super) words: Vec<Timed<Reading>>,
    pub(super) phones: Vec<Timed<Vec<(Phone, Stress)>>>,
    pub(super) visemes: Vec<Timed<KnownViseme>>,
    pub(super) duration: Option<f64>,
}

/// A word with a time, as it is spoken by itself.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) text: String,
    pub(super) spoken: Vec<Spoken>,
    pub(super) ending: Option<Ending>,
}

impl PartialEq for Reading {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// A mouth shape by the sound that has it. Rhubarb's *E* is another shape than Oculus's, and only the other letters of a
/// line tell whose it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum KnownViseme {
    /// Of Oculus or Azure.
    Named(Phone),
    /// One of Rhubarb's letters that no other has.
    Letter(Phone),
    /// By Oculus, and by Rhubarb.
    Either(Phone, Phone),
}

impl Piece {
    /// # Errors
    /// If the duration is not a length of time.
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
    Err(Error::new(format!("duration: {secs} is no length; give seconds, or leave it out")))
}

fn word(said: &SaidWord) -> Timed<Reading> {
    Timed { what: Reading::of(&said.word), from: said.start, end: said.end }
}

impl Reading {
    fn of(text: &str) -> Self {
        let mut reader = Reader::default();
        // What begins a line may be a mark of a list; a word with a time is none.
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

    /// Whether nothing of it is spoken: punctuation that has a time of its own.
    pub(super) fn is_mute(&self) -> bool {
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
