//! Intents: requests from an agent to a performer, at any level of detail (Borer 2019, section 6, Figure 5).
//!
//! Every optional field may be left out; the planner then chooses a value. The types hold decoded values (audio
//! samples, phonemes); `vivant_io::json::intents` defines the JSON form.

use crate::body::layers::Layer;
use crate::body::repertoire::{Hand, Kind};
use crate::eyes::blinking::Activity;
use crate::speech::audio::Audio;
use crate::speech::phone::Phone;
use crate::speech::score::Stress;
use crate::speech::text::Text;
use crate::speech::viseme::Viseme;

/// A request to a performer.
#[derive(Clone, Debug, PartialEq)]
pub enum Intent {
    /// Says a line.
    Say(Say),
    /// Plays a clip, or any action that fits.
    Act(Act),
    /// Changes to a stance.
    Stance(ToStance),
    /// Changes activity and mood.
    Be(Be),
    /// Looks at a target.
    Look(LookIntent),
    /// Blinks once.
    Blink(BlinkOnce),
    /// Runs the action of a tag such as `nod`.
    Do(Do),
    /// Stops current actions.
    Stop(Stop),
}

impl Intent {
    /// Returns the requested time in seconds of the performance; `None` means now.
    #[must_use]
    pub fn at(&self) -> Option<f64> {
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

/// Says a line. Lips show the phonemes, gestures and nods accompany stressed words, and the character breathes in
/// before speaking.
///
/// A line can arrive in pieces and be refined later: intents with the same `line` add text, words, phonemes or
/// samples to it. Missing timings are estimated, and later, better values replace the estimates without a visible
/// jump. Lines do not overlap: a new line starts after all earlier lines have ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Say {
    /// The text of the line, or the next piece of it. Tags in square brackets are performed, not spoken: `[nod]`,
    /// `[smile]`, `[look:left]`, `[gesture:wave]`.
    pub say: String,
    /// Start time in seconds of the performance. By default the line starts after all earlier lines and a pause.
    /// While a line has not started, a later piece may change its time.
    pub at: Option<f64>,
    /// Spoken duration in seconds; by default estimated from the text.
    pub duration: Option<f64>,
    /// Name of the line, if more pieces will follow; any unique string.
    pub line: Option<String>,
    /// True if more of the line will follow. Until the last piece arrives, the character keeps the turn.
    pub more: bool,
    /// Words with times in seconds from the start of the line, in order. They replace earlier entries at the same
    /// time or later.
    pub words: Vec<SaidWord>,
    /// Phonemes with times, as for `words`.
    pub phones: Vec<SaidPhone>,
    /// Visemes with times, as for `words`.
    pub visemes: Vec<SaidViseme>,
    /// The next samples of the voice. All pieces of a line must have the same sampling rate.
    pub voice: Option<Audio>,
    /// The spoken text of the whole line, if it is already parsed. `say` is then ignored.
    pub read: Option<Box<ReadLine>>,
}

/// A line that is already parsed, for example from SSML.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadLine {
    /// The spoken text.
    pub text: Text,
    /// Warnings about parts of the input that could not be kept, one sentence each.
    pub remarks: Vec<String>,
}

impl Say {
    /// Creates a complete line that starts as soon as possible.
    #[must_use]
    pub fn new(line: impl Into<String>) -> Self {
        Self { say: line.into(), ..Self::default() }
    }
}

/// A word with times in seconds from the start of the line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SaidWord {
    /// The word as written, with its punctuation if known.
    pub word: String,
    /// Start time in seconds from the start of the line.
    pub start: f64,
    /// End time in seconds from the start of the line. Defaults to the start of the next word, limited to the usual
    /// duration of the word.
    pub end: Option<f64>,
}

/// Phonemes with times in seconds from the start of the line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SaidPhone {
    /// One phoneme, or several that share the time, such as IPA `aɪə`. Only vowels carry stress.
    pub phones: Vec<(Phone, Stress)>,
    /// Start time in seconds from the start of the line.
    pub start: f64,
    /// End time in seconds from the start of the line. Defaults to the start of the next entry, limited to the usual
    /// duration of these phonemes.
    pub end: Option<f64>,
}

impl SaidPhone {
    /// Creates an entry with one phoneme.
    #[must_use]
    pub fn new(phone: Phone, stress: Stress, start: f64, end: impl Into<Option<f64>>) -> Self {
        Self { phones: vec![(phone, stress)], start, end: end.into() }
    }
}

/// A viseme with times in seconds from the start of the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SaidViseme {
    /// The mouth shape.
    pub viseme: VisemeCode,
    /// Start time in seconds from the start of the line.
    pub start: f64,
    /// End time in seconds from the start of the line. Defaults to the start of the next entry, limited to the usual
    /// duration of the viseme.
    pub end: Option<f64>,
}

/// A mouth shape named by one of the common viseme sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisemeCode {
    /// An Oculus viseme, or the sequence of visemes of an Azure viseme; see [`Viseme::azure`].
    Visemes(&'static [Viseme]),
    /// A Rhubarb Lip Sync shape; see [`Viseme::rhubarb`].
    Rhubarb(Viseme),
    /// The letter E, which is both an Oculus viseme and a different Rhubarb shape. The other visemes of the line
    /// decide which one is meant.
    LetterE,
}

/// Plays a given clip, or any action of the repertoire that fits.
#[derive(Clone, Debug, PartialEq)]
pub struct Act {
    /// Kind of action.
    pub act: Kind,
    /// Name of a clip in the repertoire. If set, `act` is ignored.
    pub clip: Option<String>,
    /// Required tags; the action must have all of them.
    pub tags: Vec<String>,
    /// Hand that performs the action.
    pub hand: Option<Hand>,
    /// Layer on which the action plays.
    pub layer: Option<Layer>,
    /// Stance in which the action plays; for a transition, the stance in which it ends.
    pub stance: Option<String>,
    /// Time in seconds of the performance; by default now.
    pub at: Option<f64>,
    /// Time of the stroke (the instant aligned with a stressed word) in seconds of the performance. The action starts
    /// earlier, so that its stroke is at this time, but it never starts before `at`. Actions whose stroke would be more
    /// than 0.25 s late are skipped.
    pub stroke_at: Option<f64>,
    /// Duration in seconds; by default the natural duration of the action.
    pub duration: Option<f64>,
    /// Higher priorities interrupt lower ones; by default 0.
    pub priority: i32,
    /// True if the rest of the action continues after a shorter action of higher priority interrupted it. By default
    /// the rest is dropped.
    pub resume: bool,
}

impl Act {
    /// Creates an intent for any action of the given kind.
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

/// Changes to a stance, using transitions where the repertoire has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToStance {
    /// Name of the stance.
    pub stance: String,
    /// Time in seconds of the performance; by default now.
    pub at: Option<f64>,
    /// Higher priorities interrupt lower ones; by default 0.
    pub priority: i32,
}

/// Sets the activity and the mood from the time `at` on. The activity determines the autonomous behaviour of eyes,
/// breath and body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Be {
    /// The activity.
    pub be: Activity,
    /// Mood: `neutral`, `happy`, `angry`, `sad`, `relaxed` or `surprised`, which affect face, posture, blinks and
    /// tempo, or the name of a corpus of the character's eye texture. Without a mood, the eyes use the corpus of the
    /// activity, and the face shows no mood.
    pub mood: Option<String>,
    /// Strength of the mood from 0 to 1; by default 0.6.
    pub intensity: Option<f64>,
    /// Time in seconds of the performance; by default now.
    pub at: Option<f64>,
}

/// Looks at a target.
#[derive(Clone, Debug, PartialEq)]
pub struct LookIntent {
    /// The target.
    pub look: LookTarget,
    /// Time in seconds of the performance; by default now.
    pub at: Option<f64>,
}

/// Gaze target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LookTarget {
    /// A point in metres: +X to the character's left, +Y up, +Z ahead.
    Point([f64; 3]),
    /// A target given by name.
    Word(LookWord),
}

/// Named gaze target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookWord {
    /// Free gaze: the eyes choose targets on their own.
    Freely,
    /// Straight ahead.
    Ahead,
    /// Away from the attended person.
    Away,
}

/// Blinks once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlinkOnce {
    /// Always true; the JSON field `blink` marks this kind of intent.
    pub blink: bool,
    /// Time in seconds of the performance; by default now.
    pub at: Option<f64>,
}

/// Runs one action by name, like a tag in a line but without a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Do {
    /// `nod`, `smile`, `brows`, `weight:left`, `tilt:right`, `look:up`, `gesture:wave`, the name of a clip, or a tag
    /// of the repertoire.
    pub what: String,
    /// Time in seconds of the performance; by default now.
    pub at: Option<f64>,
    /// Priority if the action is a clip: higher priorities interrupt lower ones; by default 0.
    pub priority: i32,
}

/// Stops current actions, discards all earlier requests and returns to the stance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stop {
    /// Always true; the JSON field `stop` marks this kind of intent.
    pub stop: bool,
    /// Layer to stop; by default all layers.
    pub layer: Option<Layer>,
    /// Longest time for the return to the stance, in seconds; by default 0.4, or 0.2 during a line.
    pub within: Option<f64>,
    /// Time in seconds of the performance; by default now.
    pub at: Option<f64>,
}
