//! The JSON form of intents: one object each, whose verb is a key.
//!
//! These types are read and written; [`vivant::intent`] has the engine's types. Here samples are Base64 and phonemes
//! are names. The doc comments are the descriptions in the published schemas.

use super::names;
use crate::error::{Error, Result};
use crate::json::base64;
use serde::{Deserialize, Serialize};
use vivant::body::layers::Layer;
use vivant::body::repertoire::{Hand, Kind};
use vivant::eyes::blinking::Activity;
use vivant::intent as engine;
use vivant::speech::audio::Audio;

/// An intent: one request to a character.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Intent {
    /// Speaks a line.
    Say(Say),
    /// Plays an action of the repertoire.
    Act(Act),
    /// Changes the stance.
    Stance(ToStance),
    /// Sets activity and mood.
    Be(Be),
    /// Directs the gaze.
    Look(LookAt),
    /// Blinks once.
    Blink(Blink),
    /// Performs an action by name.
    Do(Do),
    /// Stops actions.
    Stop(Stop),
}

/// Speaks a line. The lips follow the phonemes, gestures and nods accompany stressed words, and the character
/// breathes in before it speaks.
///
/// A line can be sent in pieces and refined later: intents with the same `line` add text, words, phonemes, visemes or
/// samples to it. Missing times are estimated, and later information replaces the estimates without a jump. Lines do
/// not overlap: a line that arrives during another one starts after it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Say {
    /// Text of the line or of its next piece. Tags in square brackets are performed, not spoken: `[nod]`, `[smile]`,
    /// `[look:left]`, `[gesture:wave]`.
    pub say: String,
    /// Start time in seconds of the performance. Default: after all previous lines and a pause. A later piece can
    /// change it until the line starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
    /// Duration of the line in seconds. Default: estimated from the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// Name of the line that this piece belongs to, if the line has several pieces; any text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// True if more pieces of the line follow; the character keeps the turn until the last one. Default: false.
    #[serde(default, skip_serializing_if = "is_default")]
    pub more: bool,
    /// Words with times in seconds from the start of the line, in order. They replace earlier entries from the start
    /// of the first new entry on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<SaidWord>,
    /// Phonemes with times in seconds from the start of the line, in order. They replace earlier entries from the
    /// start of the first new entry on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phones: Vec<SaidPhone>,
    /// Visemes with times in seconds from the start of the line, in order. They replace earlier entries from the
    /// start of the first new entry on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub visemes: Vec<SaidViseme>,
    /// Next audio samples of the voice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pcm: Option<Pcm>,
}

/// A word with its time in seconds from the start of the line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SaidWord {
    /// The written word, with its punctuation if known.
    pub word: String,
    /// Start in seconds.
    pub start: f64,
    /// End in seconds. Default: start of the next word, but not later than a typical duration of the word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
}

/// A phoneme with its time in seconds from the start of the line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SaidPhone {
    /// Phoneme in ARPAbet (`AH0`) or IPA (`ə`).
    pub phone: String,
    /// Start in seconds.
    pub start: f64,
    /// End in seconds. Default: start of the next phoneme, but not later than a typical duration of the phoneme.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
}

/// A viseme with its time in seconds from the start of the line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SaidViseme {
    /// Viseme as Oculus name (`PP`), Azure number (`"21"`) or Rhubarb letter (`A`).
    pub viseme: String,
    /// Start in seconds.
    pub start: f64,
    /// End in seconds. Default: start of the next viseme, but not later than a typical duration of the viseme.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
}

/// Audio samples of a voice.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Pcm {
    /// Sampling rate in samples per second: 8,000 to 192,000, the same in all pieces of a line.
    pub rate: u32,
    /// Mono 16-bit little-endian samples in Base64.
    pub data: String,
}

/// Plays an action of the repertoire: a specific clip, or any that matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Act {
    /// Kind of action.
    pub act: Kind,
    /// Name of a clip of the repertoire. If it is set, the kind is ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<String>,
    /// Required tags; the action must have all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Hand that performs the action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<Hand>,
    /// Layer that the action plays on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<Layer>,
    /// Stance in which the action is performed, or final stance of a transition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stance: Option<String>,
    /// Start time in seconds of the performance. Default: now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
    /// Time of the stroke, the instant that coincides with a stressed word, in seconds of the performance. The action
    /// starts earlier, so that its stroke is at this time, but it never starts before `at`. It is dropped if the
    /// stroke would be more than 0.25 s late.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stroke_at: Option<f64>,
    /// Wanted duration in seconds. Default: that of the clip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// Priority; actions with higher priority interrupt lower ones. Default: 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub priority: i32,
    /// True if the action continues after a shorter action of higher priority interrupted it. Default: false, the
    /// rest of the action is dropped.
    #[serde(default, skip_serializing_if = "is_default")]
    pub resume: bool,
}

/// Changes the stance, through any transitions that lead to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToStance {
    /// Name of the stance.
    pub stance: String,
    /// Start time in seconds of the performance. Default: now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
    /// Priority; actions with higher priority interrupt lower ones. Default: 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub priority: i32,
}

/// Sets the activity, which determines the idle behaviour of eyes, breath and body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Be {
    /// The activity.
    pub be: Activity,
    /// Mood: `neutral`, `happy`, `angry`, `sad`, `relaxed` or `surprised`, which affect face, posture, blinks and
    /// tempo; or the name of a corpus of the character's eye texture. Default: none for the face; the eyes use the
    /// corpus of the activity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mood: Option<String>,
    /// Intensity of the mood from 0 to 1. Default: 0.6.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intensity: Option<f64>,
    /// Start time in seconds of the performance. Default: now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
}

/// Directs the gaze.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LookAt {
    /// Gaze target.
    pub look: LookTarget,
    /// Start time in seconds of the performance. Default: now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
}

/// Gaze target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum LookTarget {
    /// A point in metres: +X to the character's left, +Y up, +Z ahead.
    Point([f64; 3]),
    /// A named target.
    Word(LookWord),
}

/// Named gaze target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum LookWord {
    /// Anywhere, with natural eye movements.
    Freely,
    /// Straight ahead.
    Ahead,
    /// Away from the person that the character attends to.
    Away,
}

/// Blinks once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Blink {
    /// Must be true.
    pub blink: bool,
    /// Start time in seconds of the performance. Default: now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
}

/// Performs an action by name: everything that a tag in a line can do, without a line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Do {
    /// Name of the action: `nod`, `smile`, `brows`, `weight:left`, `tilt:right`, `look:up`, `gesture:wave`, or a clip
    /// name or tag of the repertoire.
    #[serde(rename = "do")]
    pub what: String,
    /// Start time in seconds of the performance. Default: now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
    /// Priority, if the action is a clip of the repertoire; actions with higher priority interrupt lower ones.
    /// Default: 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub priority: i32,
}

/// Stops the actions of one layer or of all layers, discards pending intents, and returns to the stance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Stop {
    /// Must be true.
    pub stop: bool,
    /// Layer to stop. Default: all layers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<Layer>,
    /// Maximum duration of the return to the stance in seconds. Default: 0.4, or 0.2 during a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
    /// Start time in seconds of the performance. Default: now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
}

impl Intent {
    pub(super) fn at(&self) -> Option<f64> {
        match self {
            Self::Say(say) => say.at,
            Self::Act(act) => act.at,
            Self::Stance(stance) => stance.at,
            Self::Be(be) => be.at,
            Self::Look(look) => look.at,
            Self::Blink(blink) => blink.at,
            Self::Do(action) => action.at,
            Self::Stop(stop) => stop.at,
        }
    }
}

impl TryFrom<Intent> for engine::Intent {
    type Error = Error;

    fn try_from(intent: Intent) -> Result<Self> {
        Ok(match intent {
            Intent::Say(say) => Self::Say(say.try_into()?),
            Intent::Act(act) => Self::Act(act.into()),
            Intent::Stance(stance) => Self::Stance(stance.into()),
            Intent::Be(be) => Self::Be(be.into()),
            Intent::Look(look) => Self::Look(look.into()),
            Intent::Blink(blink) => Self::Blink(blink.into()),
            Intent::Do(action) => Self::Do(action.into()),
            Intent::Stop(stop) => Self::Stop(stop.into()),
        })
    }
}

impl From<&engine::Intent> for Intent {
    fn from(intent: &engine::Intent) -> Self {
        match intent {
            engine::Intent::Say(say) => Self::Say(say.into()),
            engine::Intent::Act(act) => Self::Act(act.clone().into()),
            engine::Intent::Stance(stance) => Self::Stance(stance.clone().into()),
            engine::Intent::Be(be) => Self::Be(be.clone().into()),
            engine::Intent::Look(look) => Self::Look(look.clone().into()),
            engine::Intent::Blink(blink) => Self::Blink(blink.clone().into()),
            engine::Intent::Do(action) => Self::Do(action.clone().into()),
            engine::Intent::Stop(stop) => Self::Stop(stop.clone().into()),
        }
    }
}

/// Converts structs with the same fields both ways.
macro_rules! same_fields {
    ($wire:ident, $engine:path { $($field:ident),+ }) => {
        impl From<$wire> for $engine {
            fn from(wire: $wire) -> Self {
                Self { $($field: wire.$field.into()),+ }
            }
        }

        impl From<$engine> for $wire {
            fn from(intent: $engine) -> Self {
                Self { $($field: intent.$field.into()),+ }
            }
        }
    };
}

same_fields!(
    Act,
    engine::Act { act, clip, tags, hand, layer, stance, at, stroke_at, duration, priority, resume }
);
same_fields!(ToStance, engine::ToStance { stance, at, priority });
same_fields!(Be, engine::Be { be, mood, intensity, at });
same_fields!(LookAt, engine::LookIntent { look, at });
same_fields!(Blink, engine::BlinkOnce { blink, at });
same_fields!(Do, engine::Do { what, at, priority });
same_fields!(Stop, engine::Stop { stop, layer, within, at });
same_fields!(SaidWord, engine::SaidWord { word, start, end });

impl From<LookTarget> for engine::LookTarget {
    fn from(target: LookTarget) -> Self {
        match target {
            LookTarget::Point(point) => Self::Point(point),
            LookTarget::Word(LookWord::Freely) => Self::Word(engine::LookWord::Freely),
            LookTarget::Word(LookWord::Ahead) => Self::Word(engine::LookWord::Ahead),
            LookTarget::Word(LookWord::Away) => Self::Word(engine::LookWord::Away),
        }
    }
}

impl From<engine::LookTarget> for LookTarget {
    fn from(target: engine::LookTarget) -> Self {
        match target {
            engine::LookTarget::Point(point) => Self::Point(point),
            engine::LookTarget::Word(engine::LookWord::Freely) => Self::Word(LookWord::Freely),
            engine::LookTarget::Word(engine::LookWord::Ahead) => Self::Word(LookWord::Ahead),
            engine::LookTarget::Word(engine::LookWord::Away) => Self::Word(LookWord::Away),
        }
    }
}

impl TryFrom<Say> for engine::Say {
    type Error = Error;

    /// Decodes names and samples. SSML is not parsed here.
    fn try_from(say: Say) -> Result<Self> {
        let phones = say.phones.iter().enumerate().map(|(index, said)| said.decode(index));
        let visemes = say.visemes.iter().enumerate().map(|(index, said)| said.decode(index));
        Ok(Self {
            phones: phones.collect::<Result<_>>()?,
            visemes: visemes.collect::<Result<_>>()?,
            voice: say.pcm.as_ref().map(Pcm::decode).transpose()?,
            words: say.words.into_iter().map(Into::into).collect(),
            say: say.say,
            at: say.at,
            duration: say.duration,
            line: say.line,
            more: say.more,
            read: None,
        })
    }
}

impl From<&engine::Say> for Say {
    fn from(say: &engine::Say) -> Self {
        Self {
            say: say.say.clone(),
            at: say.at,
            duration: say.duration,
            line: say.line.clone(),
            more: say.more,
            words: say.words.iter().cloned().map(Into::into).collect(),
            phones: say.phones.iter().map(Into::into).collect(),
            visemes: say.visemes.iter().map(Into::into).collect(),
            pcm: say.voice.as_ref().map(Into::into),
        }
    }
}

impl SaidPhone {
    fn decode(&self, index: usize) -> Result<engine::SaidPhone> {
        let phones = names::phones(&self.phone).ok_or_else(|| {
            let name = short(&self.phone);
            Error::new(format!(
                "phones[{index}].phone: unknown phoneme “{name}”; use ARPAbet, such as \"AH0\", or IPA, such as \"ə\""
            ))
        })?;
        Ok(engine::SaidPhone { phones, start: self.start, end: self.end })
    }
}

impl From<&engine::SaidPhone> for SaidPhone {
    fn from(said: &engine::SaidPhone) -> Self {
        Self { phone: names::format_phones(&said.phones), start: said.start, end: said.end }
    }
}

impl SaidViseme {
    fn decode(&self, index: usize) -> Result<engine::SaidViseme> {
        let viseme = names::viseme(self.viseme.trim()).ok_or_else(|| {
            let name = short(&self.viseme);
            Error::new(format!(
                "visemes[{index}].viseme: unknown viseme “{name}”; use an Oculus name such as \"PP\", an Azure number from 0 \
                to 21 such as \"21\", or a Rhubarb letter from A to H or X"
            ))
        })?;
        Ok(engine::SaidViseme { viseme, start: self.start, end: self.end })
    }
}

impl From<&engine::SaidViseme> for SaidViseme {
    fn from(said: &engine::SaidViseme) -> Self {
        Self { viseme: names::format_viseme(said.viseme), start: said.start, end: said.end }
    }
}

impl Pcm {
    fn decode(&self) -> Result<Audio> {
        let error = |why: String| Error::new(format!("pcm.data: {why}"));
        let bytes = base64::decode(self.data.trim()).map_err(|fault| error(fault.to_string()))?;
        if bytes.len() % 2 != 0 {
            let count = bytes.len();
            return Err(error(format!(
                "{count} bytes are not a whole number of 16-bit samples; send an even number of bytes in each piece"
            )));
        }
        let sample = |pair: &[u8]| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / FULL_SCALE;
        Ok(Audio { rate_hz: self.rate, samples: bytes.chunks_exact(2).map(sample).collect() })
    }
}

impl From<&Audio> for Pcm {
    /// Samples louder than full scale are clipped.
    fn from(voice: &Audio) -> Self {
        let number = |sample: &f32| ((sample * FULL_SCALE).round() as i16).to_le_bytes();
        let bytes: Vec<u8> = voice.samples.iter().flat_map(number).collect();
        Self { rate: voice.rate_hz, data: base64::encode(&bytes) }
    }
}

/// Value of 1.0 in 16-bit samples.
const FULL_SCALE: f32 = 32_768.0;

fn short(name: &str) -> String {
    name.chars().take(24).collect()
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
