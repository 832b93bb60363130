//! What a client is told over the socket.

use super::frame::Frame;
use serde::{Deserialize, Serialize};
use vivant::body::Side;
use vivant::body::repertoire::Hand;
use vivant::eyes::Temperament;
use vivant::eyes::blinking::Activity;
use vivant::mimicry::{HandShape, View};

/// One text message to a client: an object with one key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Message {
    /// The first message of every connection.
    Welcome(Welcome),
    /// Who is watched from now on. It comes before the first frame, and again when something of it changes.
    Performer(Box<PerformerInfo>),
    /// A performer ended.
    Gone(Gone),
    /// An instant, for who wants frames as JSON.
    Frame(Box<Frame>),
    /// What was done lately and what is planned.
    Plan(Plan),
    /// Something happened.
    Event(Event),
    /// A request with an id was carried out.
    Done(Done),
    /// A request was not carried out.
    Error(Problem),
    /// A character was edited, by whomever.
    Character(Changed),
}

/// Who is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Welcome {
    /// The version of the protocol.
    pub protocol: u32,
    /// The version of the program.
    pub vivant: String,
    /// Frames a second.
    pub fps: f64,
    /// The names of all performers.
    pub performers: Vec<String>,
}

/// A performer, as far as a viewer has to know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PerformerInfo {
    /// Its name.
    pub performer: String,
    /// Its number in binary frames.
    pub number: u16,
    /// Whom it plays: an id of the API.
    pub character: String,
    /// What the character is called.
    pub name: String,
    /// Which avatar it has, so that a new one is fetched when it changes: `/api/characters/ID/rig` and
    /// `/api/characters/ID/avatar`.
    pub avatar: u64,
    /// Which repertoire it plays with.
    pub revision: u64,
    /// Its chance.
    pub seed: u64,
    /// What kind of person it is.
    pub temperament: Temperament,
    /// The state that it is in.
    pub activity: Activity,
    /// How long it has performed, in seconds.
    pub time: f64,
    /// From when on its past can be had, in seconds.
    pub kept_from: f64,
    /// Whether it only shows a clip.
    pub is_preview: bool,
}

/// A performer that ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gone {
    /// Its name.
    pub performer: String,
}

/// What a performer did lately and is going to do, if nobody asks for anything else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// Whose.
    pub performer: String,
    /// The present, in seconds.
    pub at: f64,
    /// Bars that end before this are not told again; the first plan of a connection has all that is kept.
    pub since: f64,
    /// How far ahead it looks, in seconds.
    pub until: f64,
    /// By start.
    pub bars: Vec<Bar>,
}

/// Something that takes its time on a lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Bar {
    /// Where it belongs.
    pub lane: Lane,
    /// What it is.
    pub kind: BarKind,
    /// When it begins, in seconds.
    pub start: f64,
    /// When it ends, in seconds; of what is under way, as far as is known.
    pub end: f64,
    /// What people call it.
    pub name: String,
    /// Whether an agent asked for it.
    pub asked: bool,
    /// Whether it has not begun, and can still change.
    pub planned: bool,
    /// Why, in words, if there is more to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A lane of the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Lane {
    /// Stances and weight shifts.
    Body,
    /// Gestures and fidgets of the arms.
    Arms,
    /// Nods, shakes and tilts.
    Head,
    /// Where it looks.
    Gaze,
    /// Blinks.
    Blinks,
    /// What it says.
    Speech,
}

/// What a bar is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum BarKind {
    /// A stance that is held.
    Stance,
    /// A gesture.
    Gesture,
    /// A fidget.
    Fidget,
    /// A transition.
    Transition,
    /// A fixation: the eyes stay on something.
    Look,
    /// A blink.
    Blink,
    /// A line that is said.
    Line,
}

/// Something happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// To whom.
    pub performer: String,
    /// When, in seconds of the performance.
    pub at: f64,
    /// What.
    pub what: Happening,
}

/// What can happen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Happening {
    /// An action began.
    Began {
        /// What it is called.
        name: String,
        /// The wish that it is for: see [`Done::wish`].
        wish: u64,
        /// Whether an agent asked for it.
        asked: bool,
        /// When it will end, in seconds.
        until: f64,
    },
    /// An action ended before its time.
    Cut {
        /// What it is called.
        name: String,
    },
    /// A wish was not done.
    Dropped {
        /// Which.
        wish: u64,
        /// Whether an agent asked for it.
        asked: bool,
        /// Why, as a sentence.
        why: String,
    },
    /// A blink began.
    Blink,
    /// A gaze shift began, to this direction in degrees.
    GazeShift {
        /// To the character's left.
        yaw: f64,
        /// Up.
        pitch: f64,
    },
    /// It is in another state.
    State {
        /// Which.
        be: Activity,
    },
    /// A line begins.
    Line {
        /// The line.
        say: String,
        /// When it will be over, in seconds, as far as is known.
        until: f64,
    },
}

/// A request with an id was carried out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Done {
    /// Which.
    pub id: u64,
    /// The number by which events speak of the wish that it became, a performer each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wish: Vec<Option<u64>>,
    /// When the line begins that it told of, in seconds of the performance, a performer each. A line that waits for others
    /// may still move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<f64>,
    /// What is understood of the person that was seen, a performer each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub noticed: Vec<Noticed>,
}

/// What a performer that mirrors a person understands of them. What is not known is null.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Noticed {
    /// How much of them can be seen.
    pub state: View,
    /// The stance of the character's own repertoire that they are in.
    pub stance: Option<String>,
    /// How sure that is, from 0 to 1.
    pub sure: f64,
    /// The leg that they stand on.
    pub weight: Option<Side>,
    /// To which side their head leans.
    pub tilt: Option<Side>,
    /// How far their spine leans to their left, in degrees.
    pub lean: Option<f64>,
    /// How far their trunk is turned to their left, in degrees.
    pub turn: Option<f64>,
    /// Where their head points, in degrees: to their left, up, and tilted to their left.
    pub head: Option<[f64; 3]>,
    /// The hand that gestures.
    pub gesture: Option<Hand>,
    /// The shape of their left hand.
    pub left_hand: Option<HandShape>,
    /// The shape of their right hand.
    pub right_hand: Option<HandShape>,
    /// How much they smile, from 0 to 1.
    pub smile: Option<f64>,
    /// How far their brows are up, from 0 to 1.
    pub brows: Option<f64>,
    /// Where their eyes look in the head, in degrees to their left and up.
    pub gaze: Option<[f64; 2]>,
    /// How often they have nodded so far.
    pub nods: u32,
    /// How often they have shaken their head so far.
    pub shakes: u32,
    /// How often they have blinked so far.
    pub blinks: u32,
    /// Answers that wait for their time, as intents.
    pub waiting: Vec<String>,
    /// The last answers, newest first, as intents.
    pub answered: Vec<String>,
}

/// A request was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Problem {
    /// Which, if it could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// What is wrong, and what to do.
    pub message: String,
}

/// A character was edited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Changed {
    /// Its id.
    pub character: String,
    /// Its revision from now on.
    pub revision: u64,
}
