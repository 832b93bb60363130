//! Viseme weights over time, from text, word or phoneme timings, or a recording.
//!
//! With this module, other programs can use the mouth animation without a performer. A [`SpeechSource`] is timed
//! speech. [`table`] samples it as weights of a [`Set`] of shapes, and [`SpeechSource::events`] returns a list of
//! visemes. Times are in seconds, and weights are from 0 to 1.
//!
//! ```
//! use vivant::speech::pronounce::English;
//! use vivant_host::visemes::SpeechSource;
//! let mut warnings = Vec::new();
//! let speech = SpeechSource::of_text("line.txt", b"Hello!".to_vec(), &English::default(), &mut warnings)?;
//! assert!(speech.secs() > 0.2 && !speech.events().is_empty());
//! # Ok::<(), vivant_io::Error>(())
//! ```

use crate::disk;
use crate::plot::{Caption, VisemePlot};
use crate::trace::Table;
use crate::voice::{self, Line};
use serde::Serialize;
use std::path::Path;
use vivant::rig::{Channel, Rig, RigParts};
use vivant::speech::audio::{LipSyncFrame, Listener};
use vivant::speech::mouth::{Mouth, MouthRig, MouthShape};
use vivant::speech::pronounce::{Dictionary, English};
use vivant::speech::timing::{TimingOptions, score};
use vivant::speech::{Score, Viseme};
use vivant_io::{Error, ErrorKind, Result, Warning, audio, speech};

/// Time after the last phoneme in which the mouth returns to rest, in seconds.
const TAIL_SECS: f64 = 0.2;
/// Extensions of audio files.
const AUDIO_ENDINGS: [&str; 6] = ["wav", "flac", "ogg", "oga", "mp3", "wave"];

/// Timed speech that moves a mouth.
pub enum SpeechSource {
    /// Phonemes with times.
    Phonemes {
        /// The phonemes.
        score: Score,
        /// The mouth model that animates the phonemes.
        mouth: Box<Mouth>,
    },
    /// Visemes recognised in a recording.
    Audio(Vec<LipSyncFrame>),
}

impl SpeechSource {
    /// Estimates the timing of a text. The name is used in errors.
    ///
    /// # Errors
    /// If the text is not UTF-8, or contains no words.
    pub fn of_text(
        name: &str,
        text: Vec<u8>,
        language: &English,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self> {
        let line = Line::read(name, text)?;
        warnings.extend(line.warnings);
        Self::of_score(score(&line.text, language, &TimingOptions::default()))
    }

    /// Reads a recording, or a file with word or phoneme timings.
    ///
    /// # Errors
    /// If the file cannot be read, or contains no speech.
    pub fn of_file(path: &Path, language: &English, warnings: &mut Vec<Warning>) -> Result<Self> {
        let (name, bytes) = (path.display().to_string(), disk::read(path)?);
        if is_audio(path) {
            let audio = audio::read(&name, &bytes, warnings).map_err(|error| error.in_file(&name))?;
            warnings.extend(voice::level_warning(&name, &audio));
            return Ok(Self::Audio(recognise(&audio)?));
        }
        let options = speech::ReadOptions {
            language,
            timing: TimingOptions::default(),
            words_tier: None,
            phones_tier: None,
        };
        let (score, new_warnings) = speech::read_with(&name, &bytes, &options)?;
        warnings.extend(new_warnings);
        Self::of_score(score)
    }

    /// Makes a source from a score.
    ///
    /// # Errors
    /// If the score has no phonemes.
    pub fn of_score(score: Score) -> Result<Self> {
        if score.segments.is_empty() {
            return Err(Error::of(
                ErrorKind::Invalid,
                "nothing to speak: it contains no words and no phonemes",
            ));
        }
        let mut mouth = Box::new(Mouth::default());
        mouth.say(f64::MIN, 0.0, 0, &score.segments);
        Ok(Self::Phonemes { score, mouth })
    }

    /// Returns the duration in seconds.
    #[must_use]
    pub fn secs(&self) -> f64 {
        match self {
            Self::Phonemes { score, .. } => score.secs() + TAIL_SECS,
            Self::Audio(frames) => frames.last().map_or(0.0, |last| last.at_secs),
        }
    }

    /// Returns the mouth shape at `t`, in seconds.
    #[must_use]
    pub fn shape(&self, t: f64) -> MouthShape {
        match self {
            Self::Phonemes { mouth, .. } => mouth.shape(t),
            Self::Audio(frames) => between(frames, t),
        }
    }

    /// Returns a sequence of visemes with times, the form that many other programs use.
    #[must_use]
    pub fn events(&self) -> Vec<Event> {
        let mut events: Vec<Event> = Vec::new();
        let mut add = |viseme: Viseme, from: f64, to: f64| match events.last_mut() {
            Some(last) if last.viseme == viseme.name() && from - last.to < 1e-6 => last.to = rounded(to),
            _ => events.push(Event { viseme: viseme.name(), from: rounded(from), to: rounded(to) }),
        };
        match self {
            Self::Phonemes { score, .. } => {
                for segment in &score.segments {
                    let visemes = segment.phone.visemes();
                    let part = (segment.to - segment.from) / visemes.len() as f64;
                    for (place, viseme) in visemes.iter().enumerate() {
                        let from = segment.from + place as f64 * part;
                        add(*viseme, from, from + part);
                    }
                }
            }
            Self::Audio(frames) => {
                let half = 0.5 / vivant::speech::audio::FRAMES_PER_SEC;
                for frame in frames {
                    add(Viseme::ALL[largest(&frame.visemes)], frame.at_secs - half, frame.at_secs + half);
                }
            }
        }
        events
    }
}

/// Reads a pronunciation dictionary. Without a file, the dictionary is empty.
///
/// # Errors
/// If the file cannot be read.
pub fn dictionary(path: Option<&Path>, warnings: &mut Vec<Warning>) -> Result<Dictionary> {
    let Some(path) = path else { return Ok(Dictionary::default()) };
    let (dictionary, new_warnings) =
        speech::dictionary::read(&disk::read(path)?).map_err(|error| error.in_file(path.display()))?;
    warnings.extend(new_warnings);
    Ok(dictionary)
}

fn is_audio(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    AUDIO_ENDINGS.contains(&ending.as_str())
}

fn recognise(audio: &audio::Audio) -> Result<Vec<LipSyncFrame>> {
    let mut listener = Listener::new(audio.rate_hz)?;
    let mut frames: Vec<LipSyncFrame> = listener.process(&audio.samples).collect();
    frames.extend(listener.finish());
    Ok(frames)
}

/// Interpolates between two recognised frames.
fn between(frames: &[LipSyncFrame], t: f64) -> MouthShape {
    let next = frames.partition_point(|frame| frame.at_secs <= t);
    let (Some(a), Some(b)) = (next.checked_sub(1).and_then(|i| frames.get(i)), frames.get(next)) else {
        return MouthShape::REST;
    };
    let share = ((t - a.at_secs) / (b.at_secs - a.at_secs)) as f32;
    MouthShape::of(std::array::from_fn(|i| a.visemes[i] + share * (b.visemes[i] - a.visemes[i])))
}

fn largest(weights: &[f32]) -> usize {
    (0..weights.len()).fold(0, |maximum, i| if weights[i] > weights[maximum] { i } else { maximum })
}

fn rounded(secs: f64) -> f64 {
    (secs * 1e6).round() / 1e6
}

/// A viseme with its start and end time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Event {
    /// The viseme's name.
    pub viseme: &'static str,
    /// Start in seconds.
    pub from: f64,
    /// End in seconds.
    pub to: f64,
}

/// The columns of each set: the time, then the shapes.
const OCULUS: &[&str] =
    &["t", "sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "ih", "oh", "ou"];
const VRM: &[&str] = &["t", "aa", "ih", "ou", "ee", "oh"];
#[rustfmt::skip]
const ARKIT: &[&str] = &[
    "t", "jawOpen", "mouthClose", "mouthFunnel", "mouthPucker", "mouthLowerDownLeft", "mouthLowerDownRight",
    "mouthUpperUpLeft", "mouthUpperUpRight", "mouthPressLeft", "mouthPressRight", "mouthRollLower", "mouthRollUpper",
    "mouthSmileLeft", "mouthSmileRight", "mouthStretchLeft", "mouthStretchRight", "tongueOut",
];

/// A set of mouth shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// The 15 visemes of Oculus.
    Oculus,
    /// The 5 mouth expressions of VRM.
    Vrm,
    /// The mouth shapes of ARKit.
    Arkit,
}

impl Set {
    /// Returns the columns of a table: the time and the shapes.
    #[must_use]
    pub fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Oculus => OCULUS,
            Self::Vrm => VRM,
            Self::Arkit => ARKIT,
        }
    }
}

/// Returns the weights of the shapes, one row per frame, with `fps` frames per second.
///
/// # Errors
/// If there are too many frames.
pub fn table(speech: &SpeechSource, set: Set, fps: f64) -> Result<Table> {
    let columns = set.columns();
    // A rig that has only these shapes.
    let channel = |name: &&str| Channel::from((*name).to_owned());
    let rig = MouthRig::new(&Rig::new(RigParts {
        channels: columns[1..].iter().map(channel).collect(),
        ..RigParts::default()
    }));
    let mut weights = vec![0.0; columns.len() - 1];
    let table = Table::sampled(columns, speech.secs(), fps, |t, row| {
        let shape = speech.shape(t);
        match set {
            Set::Oculus => weights.copy_from_slice(shape.weights()),
            _ => rig.weigh(&shape, &mut weights),
        }
        row.extend(weights.iter().map(|weight| f64::from(*weight)));
    })?;
    Ok(table)
}

/// Returns a plot of a table of shapes.
#[must_use]
pub fn plot(name: &str, speech: &SpeechSource, table: &Table, fps: f64) -> VisemePlot {
    let (how, words) = match speech {
        SpeechSource::Phonemes { score, .. } => ("From phoneme timings.", &score.words[..]),
        SpeechSource::Audio(_) => ("From audio lip-sync.", &[][..]),
    };
    let caption =
        |word: &vivant::speech::Word| Caption { from: word.from, to: word.to, text: word.text.clone() };
    VisemePlot {
        title: format!("Visemes: {name}\n{how} Darker means a higher weight."),
        names: table.columns[1..].iter().map(|name| (*name).to_owned()).collect(),
        fps,
        frames: table.rows().map(|row| row[1..].iter().map(|weight| *weight as f32).collect()).collect(),
        words: words.iter().map(caption).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivant::rig::Expression;
    use vivant::speech::text::Text;

    #[test]
    fn every_column_of_every_set_is_moved_by_speech() {
        for set in [Set::Vrm, Set::Arkit] {
            for name in &set.columns()[1..] {
                assert!(Expression::all().any(|expression| expression.name() == *name), "{name}");
            }
        }
        let text = Text::read("No: pay the fish, she thought, you who saw a big white jar.");
        let said =
            SpeechSource::of_score(score(&text, &English::default(), &TimingOptions::default())).unwrap();
        for set in [Set::Oculus, Set::Vrm, Set::Arkit] {
            let table = table(&said, set, 60.0).unwrap();
            for (column, name) in table.columns.iter().enumerate().skip(1) {
                let maximum = table.rows().map(|row| row[column]).fold(0.0, f64::max);
                assert!(maximum > 0.05, "{name}: {maximum}");
            }
        }
    }
}
