//! Intents: what an agent asks for, at whatever level of detail it can (paper 4, section 6, Figure 5).
//!
//! Any field can be left out; the planner fills it in. Samples are samples here and phonemes are phonemes: how an intent
//! is written as JSON is the business of `vivant_io::json::intents`.

use crate::body::layers::Layer;
use crate::body::repertoire::{Hand, Kind};
use crate::eyes::blinking::Activity;
use crate::speech::audio::Audio;
use crate::speech::phone::Phone;
use crate::speech::score::Stress;
use crate::speech::text::Text;
use crate::speech::viseme::Viseme;

/// One wish.
#[derive(Clone, Debug, PartialEq)]
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
    Look(LookIntent),
    /// Blink.
    Blink(BlinkOnce),
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
}

/// Says a line. Mouth, body, breath and eyes speak along: lips show the sounds, gestures and nods go with what is
/// stressed, and the character breathes in before.
///
/// A line may come in pieces and be told better later: intents with the same `line` add text, words, sounds or samples to
/// it. What nobody says is estimated, and what is known later takes its place without a jump. Lines do not overlap: one
/// that is told while another is being said, or waits, begins when that is over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Say {
    /// The line, or the next piece of it. Tags in square brackets are done and not said: `[nod]`, `[smile]`,
    /// `[look:left]`, `[gesture:wave]`.
    pub say: String,
    /// When, in seconds of the performance; by default when all is said that was told before, and a pause is over. Of a
    /// line that has not begun, another piece may tell another time.
    pub at: Option<f64>,
    /// How long it takes to say, in seconds; by default estimated from the text.
    pub duration: Option<f64>,
    /// The name of the line that this belongs to, if there is more to tell of it; any word will do.
    pub line: Option<String>,
    /// Whether more of the line will follow: until then the character keeps the floor.
    pub more: bool,
    /// Words with times, in seconds from the start of the line, in order. They replace what was given before for the
    /// same time and later.
    pub words: Vec<SaidWord>,
    /// Phonemes with times, likewise.
    pub phones: Vec<SaidPhone>,
    /// Visemes with times, likewise.
    pub visemes: Vec<SaidViseme>,
    /// The next samples of the voice, at the same rate in all pieces of a line.
    pub voice: Option<Audio>,
    /// The spoken text of the whole line, if it has been read already. Then `say` is not read.
    pub read: Option<Box<ReadLine>>,
}

/// A line that has been read already, such as SSML.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadLine {
    /// What is spoken.
    pub text: Text,
    /// What could not be kept, one sentence each.
    pub remarks: Vec<String>,
}

impl Say {
    /// Returns a whole line, to be said now.
    #[must_use]
    pub fn new(line: impl Into<String>) -> Self {
        Self { say: line.into(), ..Self::default() }
    }
}

/// A word and its time, in seconds from the start of the line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SaidWord {
    /// As it is written, with its punctuation if that is known.
    pub word: String,
    /// Start time.
    pub start: f64,
    /// End time; by default the start of the next word, but no later than such a word takes.
    pub end: Option<f64>,
}

/// Phonemes and their time, in seconds from the start of the line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SaidPhone {
    /// One phoneme, or several that share the time, as in IPA's `aɪə`. Only vowels have a stress.
    pub phones: Vec<(Phone, Stress)>,
    /// Start time.
    pub start: f64,
    /// End time; by default the start of the next entry, but no later than such phonemes take.
    pub end: Option<f64>,
}

impl SaidPhone {
    /// One phoneme.
    #[must_use]
    pub fn new(phone: Phone, stress: Stress, start: f64, end: impl Into<Option<f64>>) -> Self {
        Self { phones: vec![(phone, stress)], start, end: end.into() }
    }
}

/// A viseme and its time, in seconds from the start of the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SaidViseme {
    /// The mouth shape.
    pub viseme: VisemeCode,
    /// Start time.
    pub start: f64,
    /// End time; by default the start of the next entry, but no later than such a shape takes.
    pub end: Option<f64>,
}

/// A mouth shape as one of the common viseme sets names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisemeCode {
    /// A viseme of Oculus, or those of an Azure viseme one after another; see [`Viseme::azure`].
    Visemes(&'static [Viseme]),
    /// A shape of Rhubarb Lip Sync; see [`Viseme::rhubarb`].
    Rhubarb(Viseme),
    /// The letter E, which names a viseme of Oculus and another shape of Rhubarb. The other visemes of the line decide
    /// which one is meant.
    LetterE,
}

/// Does something: a specific clip, or anything that fits.
#[derive(Clone, Debug, PartialEq)]
pub struct Act {
    /// What kind of thing.
    pub act: Kind,
    /// A clip of the repertoire, by name; then the kind does not matter.
    pub clip: Option<String>,
    /// What it has to mean; it must have all of these tags.
    pub tags: Vec<String>,
    /// The hand to do it with.
    pub hand: Option<Hand>,
    /// The layer to do it on.
    pub layer: Option<Layer>,
    /// The stance to do it in, or to end in for a transition.
    pub stance: Option<String>,
    /// When, in seconds of the performance; by default now.
    pub at: Option<f64>,
    /// When its stroke is to arrive, the instant that goes with a stressed word, in seconds of the performance: it
    /// begins so much earlier, though not before `at`. What would come more than 0.25 s late is not done.
    pub stroke_at: Option<f64>,
    /// How long it is wanted, in seconds; by default as long as it takes.
    pub duration: Option<f64>,
    /// Higher ones cut lower ones; by default 0.
    pub priority: i32,
    /// Whether to go on with what is left after a shorter action of higher priority cut it; by default it
    /// is dropped.
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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToStance {
    /// The stance's name.
    pub stance: String,
    /// When, in seconds of the performance; by default now.
    pub at: Option<f64>,
    /// Higher ones cut lower ones; by default 0.
    pub priority: i32,
}

/// Is in a state from now on: it decides what eyes, breath and body do by themselves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Be {
    /// The state.
    pub be: Activity,
    /// In which mood: `neutral`, `happy`, `angry`, `sad`, `relaxed` or `surprised`, which colour face, posture, blinks and
    /// tempo, or a corpus of the character's eye texture. Without one, the eyes have that of the state, and the face none.
    pub mood: Option<String>,
    /// How much of the mood, from 0 to 1; by default 0.6.
    pub intensity: Option<f64>,
    /// When, in seconds of the performance; by default now.
    pub at: Option<f64>,
}

/// Looks somewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct LookIntent {
    /// Where.
    pub look: LookTarget,
    /// When, in seconds of the performance; by default now.
    pub at: Option<f64>,
}

/// Where to look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LookTarget {
    /// A point in metres: +X to the character's left, +Y up, +Z ahead.
    Point([f64; 3]),
    /// By a word.
    Word(LookWord),
}

/// Where to look, by a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookWord {
    /// Wherever the eyes like, as people look about.
    Freely,
    /// Straight ahead.
    Ahead,
    /// Away from whoever is attended to.
    Away,
}

/// Blinks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlinkOnce {
    /// True.
    pub blink: bool,
    /// When, in seconds of the performance; by default now.
    pub at: Option<f64>,
}

/// Does what one word asks for: all that tags in a line can, without a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Do {
    /// What: `nod`, `smile`, `brows`, `weight:left`, `tilt:right`, `look:up`, `gesture:wave`, a clip's name or a tag of the
    /// repertoire.
    pub what: String,
    /// When, in seconds of the performance; by default now.
    pub at: Option<f64>,
    /// Where it is a clip of the repertoire: higher ones cut lower ones; by default 0.
    pub priority: i32,
}

/// Stops what is done and forgets all that was asked for before, and returns to the stance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stop {
    /// True.
    pub stop: bool,
    /// Only on this layer; by default on all.
    pub layer: Option<Layer>,
    /// How long the return to the stance may take, in seconds; by default 0.4, or 0.2 during a line.
    pub within: Option<f64>,
    /// When, in seconds of the performance; by default now.
    pub at: Option<f64>,
}
