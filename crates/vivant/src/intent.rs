//! What an agent asks for, at whatever level of detail it can (paper 4, section 6, Figure 5).
//!
//! As JSON an intent is one object whose verb is a key: `{"say": "Hello"}`, `{"act": "gesture", "hand":
//! "R"}`, `{"be": "listening"}`, `{"stop": true}`. Any field can be left out; the planner fills it in.

use crate::body::layers::Layer;
use crate::body::repertoire::{Hand, Kind};
use crate::eyes::blinking::Activity;
use crate::speech::text::Text;
use serde::{Deserialize, Serialize};

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

impl Intent {
    /// When, in seconds of the performance; `None` means now.
    #[must_use]
    pub fn at(&self) -> Option<f64> {
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

    /// The verbs, as the keys of their objects.
    pub const VERBS: [&'static str; 8] = ["say", "act", "stance", "be", "look", "blink", "do", "stop"];
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
    /// What of the line is spoken, if somebody who knows how it is written has read it already, all of it. Not part of
    /// the JSON: whoever reads that finds out by the text itself.
    #[serde(skip)]
    pub read: Option<Box<ReadLine>>,
}

/// A line that somebody has read, such as SSML.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadLine {
    /// What is spoken.
    pub text: Text,
    /// What could not be kept of it, in words.
    pub remarks: Vec<String>,
}

impl Say {
    /// A whole line, now.
    #[must_use]
    pub fn new(line: impl Into<String>) -> Self {
        Self { say: line.into(), ..Self::default() }
    }
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

impl Act {
    /// Anything of a kind.
    #[must_use]
    pub fn new(kind: Kind) -> Self {
        Self {
            act: kind,
            clip: None,
            tags: Vec::new(),
            hand: None,
            layer: None,
            stance: None,
            at: None,
            stroke_at: None,
            duration: None,
            priority: 0,
            resume: false,
        }
    }
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

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
