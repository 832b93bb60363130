//! What one intent tells of a line, read before any of it is taken.

use super::times::Timed;
use crate::intent::{Pcm, SaidPhone, SaidViseme, SaidWord, Say};
use crate::speech::phone::Phone;
use crate::speech::pronounce::stress_of;
use crate::speech::score::{Ending, Stress};
use crate::speech::text::{Reader, Spoken};
use crate::speech::timing::phone_of_visemes;
use crate::speech::viseme::Viseme;
use crate::{Error, Result};

/// What an intent tells besides its text.
#[derive(Default)]
pub(super) struct Piece {
    pub(super) words: Vec<Timed<Reading>>,
    pub(super) phones: Vec<Timed<Vec<(Phone, Stress)>>>,
    pub(super) visemes: Vec<Timed<Shape>>,
    pub(super) samples: Option<(u32, Vec<f32>)>,
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
pub(super) enum Shape {
    /// Of Oculus or Azure.
    Named(Phone),
    /// One of Rhubarb's letters that no other has.
    Letter(Phone),
    /// By Oculus, and by Rhubarb.
    Either(Phone, Phone),
}

impl Piece {
    /// # Errors
    /// If anything in it cannot be read.
    pub(super) fn read(say: &Say) -> Result<Self> {
        Ok(Self {
            words: say.words.iter().map(word).collect(),
            phones: say.phones.iter().enumerate().map(phone).collect::<Result<_>>()?,
            visemes: say.visemes.iter().enumerate().map(viseme).collect::<Result<_>>()?,
            samples: say.pcm.as_ref().map(samples).transpose()?,
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

fn phone((index, said): (usize, &SaidPhone)) -> Result<Timed<Vec<(Phone, Stress)>>> {
    let what = sounds(&said.phone).ok_or_else(|| {
        let name = short(&said.phone);
        Error::new(format!(
            "phones[{index}].phone: “{name}” is no sound; write it in ARPAbet, as in \"AH0\", or in IPA, as in \"ə\""
        ))
    })?;
    Ok(Timed { what, from: said.start, end: said.end })
}

/// Sounds of ARPAbet, if in capitals, or of the International Phonetic Alphabet; what is neither may be ARPAbet in small
/// letters.
fn sounds(name: &str) -> Option<Vec<(Phone, Stress)>> {
    let name = name.trim();
    let arpabet = Phone::arpabet(name).map(|phone| vec![(phone, stressed(phone, stress_of(name)))]);
    let is_capital = name.bytes().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit());
    let is_silence = arpabet.as_ref().is_some_and(|sounds| sounds[0].0.is_silence());
    if is_silence || is_capital && arpabet.is_some() { arpabet } else { ipa(name).or(arpabet) }
}

fn ipa(name: &str) -> Option<Vec<(Phone, Stress)>> {
    let stress = match name {
        _ if name.contains('ˈ') => Stress::Primary,
        _ if name.contains('ˌ') => Stress::Secondary,
        _ => Stress::None,
    };
    let (mut sounds, mut rest) = (Vec::new(), name);
    while !rest.is_empty() {
        let (phone, behind) = Phone::ipa(rest)?;
        sounds.push((phone, stressed(phone, stress)));
        rest = behind;
    }
    Some(sounds).filter(|sounds| !sounds.is_empty())
}

/// Only vowels have a stress.
fn stressed(phone: Phone, stress: Stress) -> Stress {
    if phone.is_vowel() { stress } else { Stress::None }
}

fn viseme((index, said): (usize, &SaidViseme)) -> Result<Timed<Shape>> {
    let what = shape(said.viseme.trim()).ok_or_else(|| {
        let name = short(&said.viseme);
        Error::new(format!(
            "visemes[{index}].viseme: “{name}” is no shape; give Oculus's name, as in \"PP\", Azure's number from 0 to 21, \
             as in \"21\", or Rhubarb's letter from A to H, or X"
        ))
    })?;
    Ok(Timed { what, from: said.start, end: said.end })
}

fn shape(name: &str) -> Option<Shape> {
    if let Ok(id) = name.parse() {
        return Viseme::azure(id).map(|shapes| Shape::Named(phone_of_visemes(shapes)));
    }
    let of = |viseme| phone_of_visemes(&[viseme]);
    let mut letters = name.chars();
    let letter = letters.next().filter(|_| letters.next().is_none()).and_then(Viseme::rhubarb);
    match (Viseme::named(name), letter) {
        (Some(named), Some(letter)) => Some(Shape::Either(of(named), of(letter))),
        (Some(named), None) => Some(Shape::Named(of(named))),
        (None, letter) => letter.map(|letter| Shape::Letter(of(letter))),
    }
}

fn samples(pcm: &Pcm) -> Result<(u32, Vec<f32>)> {
    let wrong = |why: String| Error::new(format!("pcm.data: {why}"));
    let bytes = base64(&pcm.data).map_err(wrong)?;
    if bytes.len() % 2 != 0 {
        return Err(wrong(format!("{} bytes are no whole 16-bit samples; cut between samples", bytes.len())));
    }
    let sample = |pair: &[u8]| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / 32_768.0;
    Ok((pcm.rate, bytes.chunks_exact(2).map(sample).collect()))
}

/// Reads Base64 of the usual alphabet or the one for addresses, with or without the signs that fill it up.
fn base64(text: &str) -> Result<Vec<u8>, String> {
    let text = text.trim();
    let bare = text.trim_end_matches('=');
    let mut bytes = Vec::with_capacity(bare.len() / 4 * 3 + 2);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for (place, letter) in bare.bytes().enumerate() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => {
                return Err(format!(
                    "the sign at place {place} is not of Base64; encode the bytes as Base64"
                ));
            }
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    if count == 6 || text.len() - bare.len() > 2 || bits != 0 {
        return Err("it ends within a byte; encode the bytes as Base64, each piece for itself".into());
    }
    Ok(bytes)
}

fn short(name: &str) -> String {
    name.chars().take(24).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read_with_and_without_its_fill() {
        let check = |text: &str, expected: &[u8]| assert_eq!(base64(text).as_deref(), Ok(expected), "{text}");
        // The vectors of RFC 4648.
        check("", b"");
        check("Zg==", b"f");
        check("Zm8=", b"fo");
        check("Zm9v", b"foo");
        check("Zm9vYg", b"foob");
        check("Zm9vYmE=", b"fooba");
        check("Zm9vYmFy", b"foobar");
        check("+/-_", &[0xfb, 0xff, 0xbf]);
        for wrong in ["Z", "Zm9vY", "Zm 9", "Zm9v====", "Zh==", "Zm=v", "ä"] {
            assert!(base64(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sounds_are_read_by_both_alphabets() {
        let check = |name: &str, expected: &[(&str, Stress)]| {
            let found: Option<Vec<_>> = sounds(name)
                .map(|sounds| sounds.iter().map(|(phone, stress)| (phone.name(), *stress)).collect());
            assert_eq!(found.as_deref().unwrap_or_default(), expected, "{name}");
        };
        check("AH0", &[("AX", Stress::None)]);
        check("AA1", &[("AA", Stress::Primary)]);
        check("R", &[("R", Stress::None)]);
        check("r", &[("RR", Stress::None)]);
        check("ˈaɪə", &[("AY", Stress::Primary), ("AX", Stress::Primary)]);
        check("tʃ", &[("CH", Stress::None)]);
        check("hh", &[("HH", Stress::None), ("HH", Stress::None)]);
        check("sil", &[("SIL", Stress::None)]);
        check("", &[("SIL", Stress::None)]);
        check("%", &[]);
        check("AHH", &[]);
    }
}
