//! Voices: from what is to be said to samples, and to when each word and each sound of it is heard.
//!
//! There are three: espeak-ng where it is installed, a recording, and none, which takes as long as people would.

mod align;
mod espeak;
mod line;
mod matching;
mod phrases;
mod recording;
pub(crate) mod wav;

pub(crate) use espeak::{Espeak, INSTALL, Known};
pub(crate) use line::Line;
pub(crate) use recording::level_warning;

use crate::fault::{Fault, Kind, Result};
use phrases::{Phrase, Sound};
use std::path::PathBuf;
use vivant::intent::{SaidPhone, SaidWord};
use vivant::speech::audio::{Heard, Listener};
use vivant::speech::pronounce::English;
use vivant::speech::timing::{TimingOptions, score};
use vivant::speech::{Phone, Score, Stress};
use vivant_io::audio::Audio;

/// The most that is said at once, in letters: about two hours.
pub(crate) const MOST_LETTERS: usize = 100_000;
/// The voice of espeak-ng that speaks if none is named.
const USUAL: &str = "en-us";

/// Who speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Voice {
    /// espeak-ng, with one of its voices if it was named.
    Espeak(Option<String>),
    /// Somebody who was recorded.
    Recording(PathBuf),
    /// Nobody: lips move, and nothing is heard.
    Silent,
}

impl Voice {
    /// By what people type: `espeak-ng`, `espeak-ng:de+f2`, `none`, or a file.
    pub(crate) fn named(text: &str) -> Self {
        match text.split_once(':').unwrap_or((text, "")) {
            ("none", "") => Self::Silent,
            ("espeak-ng" | "espeak", "") => Self::Espeak(None),
            ("espeak-ng" | "espeak", voice) => Self::Espeak(Some(voice.to_owned())),
            _ => Self::Recording(text.into()),
        }
    }
}

/// How something is to be said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner<'a> {
    /// How fast, where 1 is usual.
    pub(crate) rate: f64,
    /// The language as espeak-ng calls it, if the voice does not tell.
    pub(crate) language: Option<&'a str>,
}

/// What is heard, and when. Times are in seconds from the first sample.
#[derive(Clone, Debug, Default)]
pub(crate) struct Speech {
    pub(crate) audio: Option<Audio>,
    pub(crate) words: Vec<SaidWord>,
    pub(crate) phones: Vec<SaidPhone>,
    /// When all is said.
    pub(crate) secs: f64,
}

impl Speech {
    fn of_score(score: &Score) -> Self {
        let words = score.words.iter().map(|word| said_word(&word.text, (word.from, word.to)));
        let phones =
            score.segments.iter().map(|part| said_phone((part.phone, part.stress), (part.from, part.to)));
        let secs = score.segments.last().map_or(0.0, |last| last.to);
        Self { audio: None, words: words.collect(), phones: phones.collect(), secs }
    }
}

impl Voice {
    /// Says a line. `on_phrase` is told how many phrases of how many are done.
    pub(crate) fn speak(
        &self,
        line: &mut Line,
        manner: Manner<'_>,
        on_phrase: &dyn Fn(usize, usize),
    ) -> Result<Speech> {
        match self {
            Self::Recording(path) => recording::speak(path, line, manner),
            Self::Silent => {
                line.check(false)?;
                Ok(unheard(line, manner))
            }
            Self::Espeak(voice) => {
                line.check(true)?;
                let voice = voice.as_deref().or(manner.language).unwrap_or(USUAL);
                by_espeak(&Espeak::find(voice, manner.rate)?, voice, line, manner, on_phrase)
            }
        }
    }
}

fn timing(manner: Manner<'_>) -> TimingOptions {
    TimingOptions { rate: manner.rate, ..TimingOptions::default() }
}

/// With the times that people would take.
fn unheard(line: &Line, manner: Manner<'_>) -> Speech {
    Speech::of_score(&score(&line.text, &English::default(), &timing(manner)))
}

fn by_espeak(
    espeak: &Espeak,
    voice: &str,
    line: &Line,
    manner: Manner<'_>,
    on_phrase: &dyn Fn(usize, usize),
) -> Result<Speech> {
    let mut phrases = phrases_of(line, voice, manner);
    // When all is said, nothing is waited for.
    if let Some(last) = phrases.last_mut() {
        last.pause_secs = 0.0;
    }
    let count = phrases.len();
    let mut said = Vec::with_capacity(count);
    let mut audio = Audio::default();
    for (done, phrase) in phrases.into_iter().enumerate() {
        on_phrase(done, count);
        said.push(Said::by(espeak, phrase, &mut audio)?);
    }
    if audio.samples.is_empty() {
        return Err(Fault::of(
            Kind::Wrong,
            "espeak-ng has nothing to say to this; give words in its language",
        ));
    }
    let heard = heard(&audio)?;
    let mut speech = Speech { secs: audio.secs(), ..Speech::default() };
    for phrase in &said {
        phrase.timed(&heard, &mut speech);
    }
    Ok(Speech { audio: Some(audio), ..speech })
}

fn phrases_of(line: &Line, voice: &str, manner: Manner<'_>) -> Vec<Phrase> {
    let is_english = voice.to_ascii_lowercase().starts_with("en");
    match &line.plain {
        Some(plain) if !is_english => phrases::of_foreign(plain, &timing(manner)),
        _ => phrases::of_text(&line.text, &English::default(), &timing(manner)),
    }
}

/// A phrase that espeak-ng has said.
struct Said {
    phrase: Phrase,
    /// The sounds of each of the voice's own words, which are not always those of the text.
    sounds: Vec<Vec<Sound>>,
    from: f64,
    to: f64,
}

impl Said {
    fn by(espeak: &Espeak, phrase: Phrase, audio: &mut Audio) -> Result<Self> {
        let (spoken, sounds) = match phrase.words.is_empty() {
            true => (Audio::default(), Vec::new()),
            false => (espeak.samples(&phrase.text)?, espeak.sounds(&phrase.text)?),
        };
        // All voices have one rate, which a pause at the very begin does not know.
        let rate_hz = if spoken.rate_hz == 0 { espeak::RATE_HZ } else { spoken.rate_hz };
        audio.rate_hz = rate_hz;
        let secs = |samples: usize| samples as f64 / f64::from(rate_hz);
        let from = secs(audio.samples.len());
        audio.samples.extend(spoken.samples);
        let to = secs(audio.samples.len());
        let pause = (phrase.pause_secs.min(60.0) * f64::from(rate_hz)) as usize;
        audio.samples.extend(std::iter::repeat_n(0.0, pause));
        Ok(Self { phrase, sounds: sounds.iter().map(|word| in_ipa(word)).collect(), from, to })
    }

    fn timed(&self, heard: &[Heard], speech: &mut Speech) {
        let words: Vec<&[Sound]> = self.sounds.iter().map(Vec::as_slice).collect();
        let spans = align::align(&words, heard, (self.from, self.to));
        let counts: Vec<usize> = words.iter().map(|word| word.len()).collect();
        for (word, range) in self.phrase.words.iter().zip(matching::ranges(&self.phrase.words, &counts)) {
            if let (Some(first), Some(last)) = (spans.get(range.start), spans[..range.end].last()) {
                speech.words.push(said_word(&word.text, (first.0, last.1.max(first.0))));
            }
        }
        let sounds = words.iter().flat_map(|word| word.iter());
        speech.phones.extend(sounds.zip(&spans).map(|(sound, span)| said_phone(*sound, *span)));
    }
}

/// What was written in IPA, sound by sound; letters that are not known are left out.
fn in_ipa(word: &[String]) -> Vec<Sound> {
    let mut sounds = Vec::with_capacity(word.len());
    for written in word {
        let stress = match () {
            () if written.contains('ˈ') => Stress::Primary,
            () if written.contains('ˌ') => Stress::Secondary,
            () => Stress::None,
        };
        let mut rest = written.as_str();
        while let Some((phone, behind)) = Phone::ipa(rest) {
            sounds.push((phone, if phone.is_vowel() { stress } else { Stress::None }));
            rest = behind;
        }
    }
    sounds
}

fn heard(audio: &Audio) -> Result<Vec<Heard>> {
    let mut listener = Listener::new(audio.rate_hz)?;
    let mut heard: Vec<Heard> = listener.hear(&audio.samples).collect();
    heard.extend(listener.finish());
    Ok(heard)
}

fn said_word(text: &str, (start, end): (f64, f64)) -> SaidWord {
    SaidWord { word: text.to_owned(), start: rounded(start), end: Some(rounded(end)) }
}

fn said_phone((phone, stress): Sound, (start, end): (f64, f64)) -> SaidPhone {
    let stress = match stress {
        _ if !phone.is_vowel() => "",
        Stress::Primary => "1",
        Stress::Secondary => "2",
        Stress::None => "0",
    };
    SaidPhone { phone: format!("{}{stress}", phone.name()), start: rounded(start), end: Some(rounded(end)) }
}

/// To a tenth of a millisecond: more is not known, and would only be long to read.
fn rounded(secs: f64) -> f64 {
    (secs * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests;
