//! Messages from the server to a client.
//!
//! Every [`Message`] is an object with one key, which is the type of the message. The first message of a connection is
//! [`Welcome`]; the [`PerformerInfo`] of a performer comes before its first frame. The answers [`Done`] and [`Problem`]
//! carry the id of the request. The types only define the JSON form; the server decides when to send them. Binary
//! frames, the default, are in the module [`frame`](super::frame).

use super::frame::Frame;
use serde::{Deserialize, Serialize};
use vivant::body::Side;
use vivant::body::repertoire::Hand;
use vivant::eyes::Temperament;
use vivant::eyes::blinking::Activity;
use vivant::mimicry::{HandShape, View};

/// A text message to a client: an object with one key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Message {
    /// The first message of every connection.
    Welcome(Welcome),
    /// A watched performer. Sent before its first frame, and again when it changes.
    Performer(Box<PerformerInfo>),
    /// A performer has ended.
    Gone(Gone),
    /// A frame, for clients that receive frames as JSON.
    Frame(Box<Frame>),
    /// Recent and planned actions.
    Plan(Plan),
    /// An event.
    Event(Event),
    /// A request with an id was executed.
    Done(Done),
    /// A request failed.
    Error(Problem),
    /// A character was edited by any client.
    Character(Changed),
}

/// Information about the server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Welcome {
    /// Version of the protocol.
    pub protocol: u32,
    /// Version of Vivant.
    pub vivant: String,
    /// Frames per second.
    pub fps: f64,
    /// Names of all performers.
    pub performers: Vec<String>,
}

/// Information about a performer for viewers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PerformerInfo {
    /// Name of the performer.
    pub performer: String,
    /// Number of the performer in binary frames.
    pub number: u16,
    /// Id of its character in the API.
    pub character: String,
    /// Display name of the character.
    pub name: String,
    /// Revision of the avatar; when it changes, fetch `/api/characters/ID/rig` and `/api/characters/ID/avatar` again.
    pub avatar: u64,
    /// Revision of the repertoire.
    pub revision: u64,
    /// Random seed.
    pub seed: u64,
    /// Temperament (per-character parameters).
    pub temperament: Temperament,
    /// Current activity.
    pub activity: Activity,
    /// Time of the performance in seconds.
    pub time: f64,
    /// Earliest time in seconds for which past frames are available.
    pub kept_from: f64,
    /// True if the performer is a preview of a clip.
    pub is_preview: bool,
}

/// A performer that has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gone {
    /// Name of the performer.
    pub performer: String,
}

/// Recent actions of a performer, and its future actions if there are no further requests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// Name of the performer.
    pub performer: String,
    /// Current time in seconds.
    pub at: f64,
    /// Time in seconds. Bars that ended earlier were already sent and are not repeated. The first plan of a
    /// connection has all stored bars.
    pub since: f64,
    /// End of the plan in seconds.
    pub until: f64,
    /// Bars, sorted by start.
    pub bars: Vec<Bar>,
}

/// A bar on a lane of the timeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Bar {
    /// Lane of the bar.
    pub lane: Lane,
    /// Kind of the bar.
    pub kind: BarKind,
    /// Start in seconds.
    pub start: f64,
    /// End in seconds; estimated if the action is in progress.
    pub end: f64,
    /// Display name.
    pub name: String,
    /// True if a client requested the action.
    pub asked: bool,
    /// True if the action has not started and can still change.
    pub planned: bool,
    /// Reason for the action, if it is known.
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
    /// Gaze.
    Gaze,
    /// Blinks.
    Blinks,
    /// Speech lines.
    Speech,
}

/// Kind of a bar.
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
    /// A fixation.
    Look,
    /// A blink.
    Blink,
    /// A speech line.
    Line,
}

/// An event of a performer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Name of the performer.
    pub performer: String,
    /// Time in seconds of the performance.
    pub at: f64,
    /// The event.
    pub what: EventKind,
}

/// Kinds of events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum EventKind {
    /// An action started.
    Began {
        /// Name of the action.
        name: String,
        /// Number of the intent that it belongs to, as in `done.intents`.
        intent: u64,
        /// True if a client requested it.
        asked: bool,
        /// Planned end in seconds.
        until: f64,
    },
    /// An action was interrupted.
    Cut {
        /// Name of the action.
        name: String,
    },
    /// An intent was dropped.
    Dropped {
        /// Number of the intent, as in `done.intents`.
        intent: u64,
        /// True if a client requested it.
        asked: bool,
        /// Reason as a sentence.
        why: String,
    },
    /// A blink started.
    Blink,
    /// A gaze shift to the given direction started.
    GazeShift {
        /// Yaw in degrees, positive to the character's left.
        yaw: f64,
        /// Pitch in degrees, positive upwards.
        pitch: f64,
    },
    /// The activity changed.
    State {
        /// The new activity.
        be: Activity,
    },
    /// A line starts.
    Line {
        /// Text of the line.
        say: String,
        /// End of the line in seconds, as far as known.
        until: f64,
    },
}

/// Answer to a request with an id that was executed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Done {
    /// Id of the request.
    pub id: u64,
    /// Number of the resulting intent, which events refer to, one per performer; null if the request gave no intent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub intents: Vec<Option<u64>>,
    /// Start of the line in seconds of the performance, one per performer. If the line waits for other lines, its
    /// start may still change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<f64>,
    /// Observations of each performer about the tracked person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub noticed: Vec<Noticed>,
}

/// Observations of a performer about the person it mirrors. Unknown values are null.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Noticed {
    /// Visibility of the person: nobody, several people, partly visible or fully visible.
    pub state: View,
    /// The stance of the character's repertoire that matches the person's.
    pub stance: Option<String>,
    /// Confidence of the stance from 0 to 1.
    pub sure: f64,
    /// The leg that carries the weight.
    pub weight: Option<Side>,
    /// The side to which the head is tilted.
    pub tilt: Option<Side>,
    /// Lean of the spine to the person's left in degrees.
    pub lean: Option<f64>,
    /// Rotation of the trunk to the person's left in degrees.
    pub turn: Option<f64>,
    /// Head orientation in degrees: to the person's left, up, and tilt to the left.
    pub head: Option<[f64; 3]>,
    /// The hand that gestures.
    pub gesture: Option<Hand>,
    /// Shape of the left hand.
    pub left_hand: Option<HandShape>,
    /// Shape of the right hand.
    pub right_hand: Option<HandShape>,
    /// Smile from 0 to 1.
    pub smile: Option<f64>,
    /// Raised brows from 0 to 1.
    pub brows: Option<f64>,
    /// Gaze direction in the head in degrees: to the person's left, and up.
    pub gaze: Option<[f64; 2]>,
    /// Number of nods so far.
    pub nods: u32,
    /// Number of head shakes so far.
    pub shakes: u32,
    /// Number of blinks so far.
    pub blinks: u32,
    /// Pending responses, as intents.
    pub waiting: Vec<String>,
    /// Latest responses, newest first, as intents.
    pub answered: Vec<String>,
}

/// Answer to a request that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Problem {
    /// Id of the request, if it could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// Description of the problem and how to fix it.
    pub message: String,
}

/// A character that was edited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Changed {
    /// Id of the character.
    pub character: String,
    /// New revision.
    pub revision: u64,
}
