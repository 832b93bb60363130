//! Voices, which convert text to samples and to the times of words and phonemes.
//!
//! There are three kinds of voices: espeak-ng, if it is installed; a recording; and a silent voice with estimated
//! times.
//!
//! ```
//! use vivant_host::voice::{Line, Manner, Voice};
//! let mut line = Line::read("text", b"Hello there, my friend.".to_vec())?;
//! let speech = Voice::Silent.speak(&mut line, Manner { rate: 1.0, language: None }, &|_, _| {})?;
//! assert_eq!(speech.words().len(), 4);
//! # Ok::<(), vivant_io::Error>(())
//! ```

mod espeak;
mod line;
mod matching;
mod phrases;
mod recording;
pub mod wav;

pub use espeak::{Espeak, INSTALL, VoiceInfo};
pub use line::Line;
pub use recording::level_warning;

use phrases::{Phrase, Sound, Word};
use std::path::PathBuf;
use vivant::intent::SaidPhone;
use vivant::speech::pronounce::{English, Pronounce};
use vivant::speech::text::{SpokenWord, Stop, Tag, Text};
use vivant::speech::timing::{TimingOptions, score};
use vivant::speech::utterance::Utterance;
use vivant::speech::{Phone, Stress};
use vivant_io::audio::Audio;
use vivant_io::json::intents::wire;
use vivant_io::{Error, ErrorKind, Result};

/// Maximum length of a text in characters: about two hours of speech.
pub const MAX_CHARS: usize = 100_000;
/// The default voice of espeak-ng.
const DEFAULT_VOICE: &str = "en-us";

/// A voice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Voice {
    /// The espeak-ng voice with this name; `None` is the default voice.
    Espeak(Option<String>),
    /// A recording.
    Recording(PathBuf),
    /// No sound. Only the lips move, with estimated times.
    Silent,
}

impl Voice {
    /// Parses a voice: `espeak-ng`, `espeak-ng:de+f2`, `none`, or a file.
    #[must_use]
    pub fn named(text: &str) -> Self {
        match text.split_once(':').unwrap_or((text, "")) {
            ("none", "") => Self::Silent,
            ("espeak-ng" | "espeak", "") => Self::Espeak(None),
            ("espeak-ng" | "espeak", voice) => Self::Espeak(Some(voice.to_owned())),
            _ => Self::Recording(text.into()),
        }
    }
}

/// Speaking rate and language of a line.
#[derive(Clone, Copy, Debug)]
pub struct Manner<'a> {
    /// The speaking rate relative to the normal rate, which is 1.
    pub rate: f64,
    /// The espeak-ng language, used if the voice does not name one.
    pub language: Option<&'a str>,
}

/// A spoken line. Times are in seconds from the first sample.
#[derive(Clone, Debug, Default)]
pub struct Speech {
    /// The samples; `None` for a silent voice.
    pub audio: Option<Audio>,
    /// The line with phonemes and timing.
    pub utterance: Utterance,
    /// The duration in seconds.
    pub secs: f64,
}

impl Speech {
    fn without_audio(utterance: Utterance) -> Self {
        let secs = utterance.score().segments.last().map_or(0.0, |last| last.to);
        Self { audio: None, utterance, secs }
    }

    fn heard(audio: Audio, utterance: Utterance) -> Self {
        Self { secs: audio.secs(), audio: Some(audio), utterance }
    }

    /// Returns the words with their times.
    #[must_use]
    pub fn words(&self) -> Vec<wire::SaidWord> {
        let word = |word: &vivant::speech::Word| wire::SaidWord {
            word: word.text.clone(),
            start: rounded(word.from),
            end: Some(rounded(word.to)),
        };
        self.utterance.score().words.iter().map(word).collect()
    }

    /// Returns the phonemes with their times.
    #[must_use]
    pub fn phones(&self) -> Vec<wire::SaidPhone> {
        let phone = |part: &vivant::speech::Segment| {
            let (start, end) = (rounded(part.from), rounded(part.to));
            wire::SaidPhone::from(&SaidPhone::new(part.phone, part.stress, start, end))
        };
        self.utterance.score().segments.iter().map(phone).collect()
    }
}

impl Voice {
    /// Speaks a line. `on_phrase` gets the number of finished phrases and the total number of phrases.
    ///
    /// # Errors
    /// If the line has nothing to speak, if espeak-ng is not installed ([`ErrorKind::NotFound`]) or does not have the
    /// voice, or if the recording cannot be read.
    pub fn speak(
        &self,
        line: &mut Line,
        manner: Manner<'_>,
        on_phrase: &dyn Fn(usize, usize),
    ) -> Result<Speech> {
        match self {
            Self::Recording(path) => recording::speak(path, line, manner),
            Self::Silent => {
                line.check(false)?;
                Ok(without_audio(line, manner))
            }
            Self::Espeak(voice) => {
                line.check(true)?;
                let voice = voice.as_deref().or(manner.language).unwrap_or(DEFAULT_VOICE);
                speak_with_espeak(&Espeak::find(voice, manner.rate)?, voice, line, manner, on_phrase)
            }
        }
    }
}

fn timing(manner: Manner<'_>) -> TimingOptions {
    TimingOptions { rate: manner.rate, ..TimingOptions::default() }
}

/// Returns the line with estimated times, without audio.
fn without_audio(line: &Line, manner: Manner<'_>) -> Speech {
    Speech::without_audio(Utterance::of_text(line.text.clone(), &English::default(), timing(manner)))
}

fn speak_with_espeak(
    espeak: &Espeak,
    voice: &str,
    line: &Line,
    manner: Manner<'_>,
    on_phrase: &dyn Fn(usize, usize),
) -> Result<Speech> {
    let (mut phrases, tags) = phrases_of(line, voice, manner);
    // There is no pause after the last phrase.
    if let Some(last) = phrases.last_mut() {
        last.pause_secs = 0.0;
    }
    let count = phrases.len();
    let mut audio = Audio::default();
    let mut text = Text { tags, ..Text::default() };
    let mut voiced_secs = 0.0;
    for (done, phrase) in phrases.iter().enumerate() {
        on_phrase(done, count);
        let spoken = speak_phrase(espeak, phrase, &mut audio)?;
        voiced_secs += spoken.secs;
        spoken.write(phrase, &mut text);
    }
    if audio.samples.is_empty() {
        return Err(Error::of(
            ErrorKind::Invalid,
            "espeak-ng produced no sound for this text; use words in the voice's language",
        ));
    }
    let rate = pace(&text, voiced_secs);
    let options = TimingOptions { rate, ..timing(manner) };
    let utterance = Utterance::aligned(text, &audio, &AllKnown, options)?;
    Ok(Speech::heard(audio, utterance))
}

/// A language for texts in which all phonemes are known.
struct AllKnown;

impl Pronounce for AllKnown {
    fn pronounce(&self, _: &str, _: &mut Vec<Sound>) -> bool {
        false
    }
}

/// Returns the speaking rate of a voice that needs `secs` seconds for the words of a text; 1 is normal.
fn pace(text: &Text, secs: f64) -> f64 {
    let estimate = score(text, &AllKnown, &TimingOptions::default());
    let typical: f64 = estimate.segments.iter().map(|part| part.to - part.from).sum();
    if typical > 0.0 && secs > 0.0 { typical / secs } else { 1.0 }
}

fn phrases_of(line: &Line, voice: &str, manner: Manner<'_>) -> (Vec<Phrase>, Vec<Tag>) {
    let is_english = voice.to_ascii_lowercase().starts_with("en");
    match &line.plain {
        Some(plain) if !is_english => phrases::of_foreign(plain, &timing(manner)),
        _ => {
            let phrases = phrases::of_text(&line.text, &English::default(), &timing(manner));
            (phrases, line.text.tags.clone())
        }
    }
}

/// The result of espeak-ng for a phrase.
struct SpokenPhrase {
    /// The phonemes of each spoken word. The voice may divide the text into other words than the text itself.
    sounds: Vec<Vec<Sound>>,
    /// Duration of the phrase in seconds, without the pause after it.
    secs: f64,
}

/// Speaks a phrase, and appends its samples and the pause after it to `audio`.
fn speak_phrase(espeak: &Espeak, phrase: &Phrase, audio: &mut Audio) -> Result<SpokenPhrase> {
    let (spoken, sounds) = match phrase.words.is_empty() {
        true => (Audio::default(), Vec::new()),
        false => (espeak.samples(&phrase.text)?, espeak.sounds(&phrase.text)?),
    };
    // All voices have the same sampling rate. A phrase without words, such as a pause at the start, has no samples
    // and no sampling rate.
    audio.rate_hz = if spoken.rate_hz == 0 { espeak::RATE_HZ } else { spoken.rate_hz };
    audio.samples.extend(&spoken.samples);
    let pause = (phrase.pause_secs.min(60.0) * f64::from(audio.rate_hz)) as usize;
    audio.samples.extend(std::iter::repeat_n(0.0, pause));
    Ok(SpokenPhrase { sounds: sounds.iter().map(|word| in_ipa(word)).collect(), secs: spoken.secs() })
}

impl SpokenPhrase {
    /// Appends the words of the phrase to a text, with their phonemes.
    fn write(&self, phrase: &Phrase, text: &mut Text) {
        let counts: Vec<usize> = self.sounds.iter().map(Vec::len).collect();
        let sounds: Vec<Sound> = self.sounds.concat();
        let ranges = matching::ranges(&phrase.words, &counts);
        let spoken = |(word, range): (&Word, std::ops::Range<usize>)| SpokenWord {
            text: word.text.clone(),
            say: word.text.clone(),
            emphasis: word.emphasis,
            rate: 1.0,
            phones: sounds[range].to_vec(),
        };
        text.words.extend(phrase.words.iter().zip(ranges).map(spoken));
        let after_words = text.words.len();
        if phrase.ending.is_some() || phrase.pause_secs > 0.0 {
            let secs = Some(phrase.pause_secs);
            text.stops.push(Stop { after_words, ending: phrase.ending, secs, stalled_secs: 0.0 });
        }
    }
}

/// Parses phonemes in IPA; symbols that are not known are skipped.
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

/// Rounds to a tenth of a millisecond, which is the precision of the alignment.
fn rounded(secs: f64) -> f64 {
    (secs * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests;
