//! What the HTTP API takes and gives.

mod read;

use crate::json::intents::wire::Say;
use serde::{Deserialize, Serialize};
use vivant::body::layers::Layer;
use vivant::body::repertoire::{Hand, Repertoire};
use vivant::eyes::Temperament;

/// `GET /api`: what this server is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct About {
    /// The version of the protocol.
    pub protocol: u32,
    /// The version of the program.
    pub vivant: String,
    /// Frames a second.
    pub fps: f64,
    /// The folder in which new characters are made.
    pub folder: String,
    /// The largest file that can be uploaded, in bytes.
    pub max_upload_bytes: u64,
}

/// `GET /api/characters`: one of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CharacterSummary {
    /// What addresses call it.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Whether it cannot be changed: the built-in one.
    pub read_only: bool,
    /// How many stances it has.
    pub stances: usize,
    /// How many gestures, fidgets and transitions it has.
    pub actions: usize,
}

/// `POST /api/characters`: a new one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewCharacter {
    /// What people call it.
    pub name: String,
    /// The id of the one that it is a copy of; by default it is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

/// `GET /api/characters/ID`: all of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Character {
    /// What addresses call it.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Grows with every change.
    pub revision: u64,
    /// Whether it cannot be changed: the built-in one.
    pub read_only: bool,
    /// Where its files are, if it has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Its body.
    pub avatar: AvatarInfo,
    /// What kind of person it is.
    pub temperament: Temperament,
    /// What it can do.
    pub repertoire: Repertoire,
    /// All its clips, also those that its repertoire does not use.
    pub clips: Vec<ClipInfo>,
    /// What is wrong with it, errors first.
    pub faults: Vec<Fault>,
    /// What was last done to it, if that can be undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<String>,
    /// What was last undone, if that can be done again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redo: Option<String>,
}

/// A body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AvatarInfo {
    /// What its file is called.
    pub name: String,
    /// How it can be shown.
    pub model: Model,
    /// Changes when the file does: part of the address of what may be cached.
    pub revision: u64,
    /// What was dropped or guessed when it was read.
    pub warnings: Vec<String>,
}

/// How an avatar can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Model {
    /// VRM 0.x or 1.0.
    Vrm,
    /// GLB, whose bones [`RigInfo`] tells; FBX is given out as one.
    Glb,
    /// Only its bones.
    Skeleton,
}

/// A clip of a character.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ClipInfo {
    /// As the repertoire spells it: `clips/wave.fbx`, `clips/all.glb#Wave`, `builtin#wave`.
    pub clip: String,
    /// What people call it.
    pub name: String,
    /// How long it is; 0 if it cannot be read.
    pub seconds: f64,
    /// Where the repertoire has it: `stances[0].gestures[3]`.
    pub places: Vec<String>,
    /// Why it cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Something wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Fault {
    /// In the repertoire (`stances[0].gestures[3].clip`), or a file beside it.
    pub path: String,
    /// What, and what to do.
    pub message: String,
    /// Whether it can be used all the same.
    pub is_warning: bool,
}

/// `PUT /api/characters/ID`: a change. What is left out stays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Edit {
    /// The revision that was edited; if there is a newer one, nothing is changed (409).
    pub revision: u64,
    /// What is done, for who wants to undo it: “move wave to standing”.
    pub what: String,
    /// What it can do from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repertoire: Option<Repertoire>,
    /// What kind of person it is from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperament: Option<Temperament>,
    /// What people call it from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// `POST /api/characters/ID/place`: clips that become part of the repertoire, as their motion suggests
/// unless it is said otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Place {
    /// The revision that was edited.
    pub revision: u64,
    /// Which; by default all that have no place yet.
    #[serde(default)]
    pub clips: Vec<String>,
    /// What they are; by default as their motion suggests, each.
    #[serde(rename = "as", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ClipType>,
    /// The stance in which they start; a new one is made if there is none of this name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stance: Option<String>,
    /// The stance in which transitions end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// What a clip can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ClipType {
    /// A way to stand or sit that can be kept up.
    Stance,
    /// Done on purpose, with a meaning or a beat.
    Gesture,
    /// A tick or a small movement.
    Fidget,
    /// From one stance to another.
    Transition,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Placed {
    /// The character as it is now.
    pub character: Character,
    /// What was done beside, and why, in words.
    pub notes: Vec<String>,
}

/// `POST /api/characters/ID/clips?name=wave.fbx`: a file that was taken in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Uploaded {
    /// The clips in it.
    pub clips: Vec<ClipInfo>,
    /// What was dropped or guessed, in words.
    pub warnings: Vec<String>,
}

/// `GET /api/characters/ID/proposals`: what a clip without a place seems to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    /// As the repertoire would spell it.
    pub clip: String,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: ClipType,
    /// The stance in which it starts.
    pub stance: String,
    /// The stance in which it ends, if it is a transition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// How sure all of that is, from 0 to 1; below 0.5 people should look.
    pub confidence: f64,
    /// The hand that does it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<Hand>,
    /// The layers to play it on.
    pub layers: Vec<Layer>,
    /// What it means, as far as motion tells.
    pub tags: Vec<String>,
    /// Where to begin, in seconds.
    pub start: f64,
    /// Where to end, in seconds.
    pub end: f64,
    /// Why, for people.
    pub reasons: String,
}

/// `GET /api/characters/ID/rig`: what a viewer has to know of an avatar.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RigInfo {
    /// How it can be shown.
    pub model: Model,
    /// Which avatar this is: [`AvatarInfo::revision`].
    pub avatar: u64,
    /// All 55 bones of VRM 1.0, parents before children: those of [`Frame::rotations`](super::frame::Frame).
    pub bones: Vec<BoneInfo>,
    /// The expressions whose weights each frame has.
    pub channels: Vec<ChannelInfo>,
    /// How high its eyes are, in metres.
    pub eyes: f64,
}

/// A bone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BoneInfo {
    /// As VRM 1.0 has it.
    pub name: String,
    /// The number of its parent.
    pub parent: Option<usize>,
    /// Whether this avatar has it.
    pub exists: bool,
    /// Where it rests in a T-pose, in metres.
    pub rest: [f32; 3],
    /// The number of the GLB's own node, if it is no VRM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<usize>,
    /// The node's local rotation is `before · q · after`, where q is the bone's rotation in a frame, unless it is
    /// `carried`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<[f32; 4]>,
    /// See `before`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<[f32; 4]>,
    /// Of the hips, and where nodes hang otherwise than bones, such as collar-bones on a neck.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried: Option<CarriedInfo>,
}

/// How a node is put in its place that its own bone's parent does not carry. With G how the two bones are turned in
/// humanoid space and P where they are, the node's local rotation is `before · G⁻¹(by) · G(bone) · after`, and its translation
/// what it is at rest plus `before · (G⁻¹(by) · (P(bone) − P(by)) − at) / unit`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CarriedInfo {
    /// The number of the bone whose node carries this one. If there is none, G is no turn and P the origin.
    pub by: Option<usize>,
    /// Where the node is at rest, seen from that bone, in metres.
    pub at: [f32; 3],
    /// How long the units of its translation are, in metres.
    pub unit: [f32; 3],
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChannelInfo {
    /// As VRM, ARKit or Oculus has it.
    pub name: String,
    /// The GLB's own shapes that show it, if it is no VRM.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub morphs: Vec<MorphInfo>,
    /// The GLB's own nodes that show it: lids that are bones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lids: Vec<LidInfo>,
}

/// A morph target that shows an expression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MorphInfo {
    /// The number of the node that carries the mesh.
    pub node: usize,
    /// The morph target's number.
    pub target: usize,
    /// Its weight at full expression.
    pub gain: f32,
}

/// A lid that is a bone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LidInfo {
    /// The node's number.
    pub node: usize,
    /// Closed, its local rotation is this one before its own at rest, as a rotation vector in radians.
    pub turn: [f32; 3],
}

/// `GET /api/presets`: a temperament with a reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Preset {
    /// What it is called.
    pub name: String,
    /// What people found, and who asked them.
    pub finding: String,
    /// Presets of one group are to be compared with each other.
    pub group: String,
    /// The temperament.
    pub temperament: Temperament,
}

/// `GET /api/voice`: who can speak here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Voices {
    /// The voices of espeak-ng; none if it is not installed.
    pub voices: Vec<VoiceInfo>,
    /// How to get some, if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

/// A voice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct VoiceInfo {
    /// What it is asked for with: `en-us`.
    pub voice: String,
    /// What people call it.
    pub name: String,
}

/// `POST /api/voice`: a line, to be spoken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Speak {
    /// The line, with tags if there are some, or SSML.
    pub text: String,
    /// The voice, with a variant if need be: `en-gb`, `de+f2`. By default `en-us`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voice: Option<String>,
    /// How fast, from 0.5 to 2.5; by default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
}

/// The answer: a voice, and what to say to a performer along with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Spoken {
    /// A WAV file, in Base64.
    pub wav: String,
    /// How long it is, in seconds.
    pub seconds: f64,
    /// The intent: add `at`, and let the voice begin at that time.
    pub say: Say,
    /// What of the line cannot be spoken, in words.
    pub warnings: Vec<String>,
}

/// `GET /api/stats`: how the server keeps up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    /// How long it has run, in seconds.
    pub seconds: f64,
    /// How many performers there are.
    pub performers: usize,
    /// How many connections are open.
    pub viewers: usize,
    /// Frames that were made for performers since the last `?reset`.
    pub frames: u64,
    /// How late frames were ready, in milliseconds after their time: half of them, 99 of 100, the latest.
    pub late_ms: [f64; 3],
    /// Frames that were skipped because the machine slept or was overwhelmed.
    pub skipped: u64,
    /// Memory that the process holds, in bytes, where the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resident_bytes: Option<u64>,
}

/// What every answer is that is no success.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Refusal {
    /// What is wrong, and what to do.
    pub error: String,
}
