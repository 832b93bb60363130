//! Intents as JSON: one object each, whose verb is a key.
//!
//! These types are what is read and written; [`vivant::intent`] has what the engine takes. Here samples are Base64 and
//! phonemes are names. Their comments are the descriptions in the published schemas.

use super::names;
use crate::error::{Error, Result};
use crate::json::base64;
use serde::{Deserialize, Serialize};
use vivant::body::layers::Layer;
use vivant::body::repertoire::{Hand, Kind};
use vivant::eyes::blinking::Activity;
use vivant::intent as engine;
use vivant::speech::audio::Audio;

/// One wish.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Intent {
    /// Say a line.
    Say(Say),
    /// Do something.
    Act(Act),
    /// Take a stance.
    Stance(ToStance),
    /// Be in a state.
    Be(Be),
    /// Look somewhere.
    Look(LookAt),
    /// Blink.
    Blink(Blink),
    /// Do what a word asks for.
    Do(Do),
    /// Stop.
    Stop(Stop),
}

/// Says a line. Mouth, body, breath and eyes speak along: lips show the sounds, gestures and nods go with what is
/// stressed, and the character breathes in before.
///
/// A line may come in pieces and be told better later: intents with the same `line` add text, words, sounds or samples to
/// it. What nobody says is estimated, and what is known later takes its place without a jump. Lines do not overlap: one
/// that is told while another is being said, or waits, begins when that is over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Say {
    /// The line, or the next piece of it. Tags in square brackets are done and not said: `[nod]`, `[smile]`,
    /// `[look:left]`, `[gesture:wave]`.
    pub say: String,
    /// When, in seconds of the performance; by default when all is said that was told before, and a pause is over. Of a
    /// line that has not begun, another piece may tell another time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
    /// How long it takes to say, in seconds; by default estimated from the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// The name of the line that this belongs to, if there is more to tell of it; any word will do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// Whether more of the line will follow: until then the character keeps the floor.
    #[serde(default, skip_serializing_if = "is_default")]
    pub more: bool,
    /// Words with times, in seconds from the begin of the line, in order; they take the place of what was told of the
    /// same time and later.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<SaidWord>,
    /// Sounds with times, likewise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phones: Vec<SaidPhone>,
    /// Mouth shapes with times, likewise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub visemes: Vec<SaidViseme>,
    /// The next samples of the voice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pcm: Option<Pcm>,
}

/// A word and when it is said, in seconds from the begin of the line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SaidWord {
    /// As it is written, with its punctuation if that is known.
    pub word: String,
    /// From when.
    pub start: f64,
    /// Until when; by default until the next word, and no longer than such a word takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
}

/// A sound and when it is heard, in seconds from the begin of the line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SaidPhone {
    /// In ARPAbet (`AH0`) or IPA (`ə`).
    pub phone: String,
    /// From when.
    pub start: f64,
    /// Until when; by default until the next sound, and no longer than such a sound takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
}

/// A mouth shape and when it is seen, in seconds from the begin of the line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SaidViseme {
    /// By the name that Oculus gives it (`PP`), Azure's number (`"21"`), or Rhubarb's letter (`A`).
    pub viseme: String,
    /// From when.
    pub start: f64,
    /// Until when; by default until the next shape, and no longer than such a shape takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
}

/// Samples of a voice.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Pcm {
    /// Samples a second: 8,000 to 192,000, and the same in all pieces of a line.
    pub rate: u32,
    /// One channel of 16-bit samples, least byte first, in Base64.
    pub data: String,
}

/// Does something: a specific clip, or anything that fits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Act {
    /// What kind of thing.
    pub act: Kind,
    /// A clip of the repertoire, by name; then the kind does not matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<String>,
    /// What it has to mean; it must have all of these tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The hand to do it with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<Hand>,
    /// The layer to do it on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<Layer>,
    /// The stance to do it in, or to end in for a transition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stance: Option<String>,
    /// When, in seconds of the performance; by default now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
    /// When its stroke is to arrive, the instant that goes with a stressed word, in seconds of the performance: it
    /// begins so much earlier, though not before `at`. What would come more than 0.25 s late is not done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stroke_at: Option<f64>,
    /// How long it is wanted, in seconds; by default as long as it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// Higher ones cut lower ones; by default 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub priority: i32,
    /// Whether to go on with what is left after a shorter action of higher priority cut it; by default it
    /// is dropped.
    #[serde(default, skip_serializing_if = "is_default")]
    pub resume: bool,
}

/// Takes a stance, by whatever transitions lead there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToStance {
    /// The stance's name.
    pub stance: String,
    /// When, in seconds of the performance; by default now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
    /// Higher ones cut lower ones; by default 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub priority: i32,
}

/// Is in a state from now on: it decides what eyes, breath and body do by themselves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Be {
    /// The state.
    pub be: Activity,
    /// In which mood: `neutral`, `happy`, `angry`, `sad`, `relaxed` or `surprised`, which colour face, posture, blinks and
    /// tempo, or a corpus of the character's eye texture. Without one, the eyes have that of the state, and the face none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mood: Option<String>,
    /// How much of the mood, from 0 to 1; by default 0.6.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intensity: Option<f64>,
    /// When, in seconds of the performance; by default now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
}

/// Looks somewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LookAt {
    /// Where.
    pub look: LookTarget,
    /// When, in seconds of the performance; by default now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
}

/// Where to look.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum LookTarget {
    /// A point in metres: +X to the character's left, +Y up, +Z ahead.
    Point([f64; 3]),
    /// By a word.
    Word(LookWord),
}

/// Where to look, by a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum LookWord {
    /// Wherever the eyes like, as people look about.
    Freely,
    /// Straight ahead.
    Ahead,
    /// Away from whoever is attended to.
    Away,
}

/// Blinks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Blink {
    /// True.
    pub blink: bool,
    /// When, in seconds of the performance; by default now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
}

/// Does what one word asks for: all that tags in a line can, without a line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Do {
    /// What: `nod`, `smile`, `brows`, `weight:left`, `tilt:right`, `look:up`, `gesture:wave`, a clip's name or a tag of the
    /// repertoire.
    #[serde(rename = "do")]
    pub what: String,
    /// When, in seconds of the performance; by default now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
    /// Where it is a clip of the repertoire: higher ones cut lower ones; by default 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub priority: i32,
}

/// Stops what is done and forgets all that was asked for before, and returns to the stance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Stop {
    /// True.
    pub stop: bool,
    /// Only on this layer; by default on all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<Layer>,
    /// How long the return to the stance may take, in seconds; by default 0.4, or 0.2 during a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
    /// When, in seconds of the performance; by default now.
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
            Self::Do(deed) => deed.at,
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
            Intent::Do(deed) => Self::Do(deed.into()),
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
            engine::Intent::Do(deed) => Self::Do(deed.clone().into()),
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

    /// Decodes names and samples. SSML is not read here.
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
                "phones[{index}].phone: “{name}” is no sound; write it in ARPAbet, as in \"AH0\", or in IPA, as in \"ə\""
            ))
        })?;
        Ok(engine::SaidPhone { phones, start: self.start, end: self.end })
    }
}

impl From<&engine::SaidPhone> for SaidPhone {
    fn from(said: &engine::SaidPhone) -> Self {
        Self { phone: names::of_phones(&said.phones), start: said.start, end: said.end }
    }
}

impl SaidViseme {
    fn decode(&self, index: usize) -> Result<engine::SaidViseme> {
        let viseme = names::viseme(self.viseme.trim()).ok_or_else(|| {
            let name = short(&self.viseme);
            Error::new(format!(
                "visemes[{index}].viseme: “{name}” is no shape; give Oculus's name, as in \"PP\", Azure's number from 0 \
                 to 21, as in \"21\", or Rhubarb's letter from A to H, or X"
            ))
        })?;
        Ok(engine::SaidViseme { viseme, start: self.start, end: self.end })
    }
}

impl From<&engine::SaidViseme> for SaidViseme {
    fn from(said: &engine::SaidViseme) -> Self {
        Self { viseme: names::of_viseme(said.viseme), start: said.start, end: said.end }
    }
}

impl Pcm {
    fn decode(&self) -> Result<Audio> {
        let wrong = |why: String| Error::new(format!("pcm.data: {why}"));
        let bytes = base64::decode(self.data.trim()).map_err(|fault| wrong(fault.to_string()))?;
        if bytes.len() % 2 != 0 {
            let count = bytes.len();
            return Err(wrong(format!("{count} bytes are no whole 16-bit samples; cut between samples")));
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

/// A 16-bit sample of 1.
const FULL_SCALE: f32 = 32_768.0;

fn short(name: &str) -> String {
    name.chars().take(24).collect()
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
