//! Request and response bodies of the HTTP API.
//!
//! The live server and its clients share these types, and the JSON Schemas and TypeScript types are generated from
//! them. Lengths are in metres, times in seconds. The messages of the WebSocket are in the [parent module](super).

mod read;

use crate::json::intents::wire::Say;
use serde::{Deserialize, Serialize};
use vivant::body::layers::Layer;
use vivant::body::repertoire::{Hand, Repertoire};
use vivant::eyes::Temperament;

/// Response of `GET /api`: information about the server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct About {
    /// Version of the protocol.
    pub protocol: u32,
    /// Version of Vivant.
    pub vivant: String,
    /// Frames per second.
    pub fps: f64,
    /// Folder for new characters.
    pub folder: String,
    /// Maximum size of uploads in bytes.
    pub max_upload_bytes: u64,
}

/// Response of `GET /api/characters`: summary of a character.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CharacterSummary {
    /// Identifier in URLs.
    pub id: String,
    /// Display name.
    pub name: String,
    /// True if the character is read-only, as the built-in one is.
    pub read_only: bool,
    /// Number of stances.
    pub stances: usize,
    /// Number of gestures, fidgets and transitions.
    pub actions: usize,
}

/// Body of `POST /api/characters`: a new character.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewCharacter {
    /// Display name.
    pub name: String,
    /// Id of the character to copy. Default: an empty character.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

/// Response of `GET /api/characters/ID`: a character with all data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Character {
    /// Identifier in URLs.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Revision number; increases with every change.
    pub revision: u64,
    /// True if the character is read-only, as the built-in one is.
    pub read_only: bool,
    /// Folder of its files, if it has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// The avatar.
    pub avatar: AvatarInfo,
    /// Temperament (per-character parameters).
    pub temperament: Temperament,
    /// Stances and actions.
    pub repertoire: Repertoire,
    /// All clips, including those that the repertoire does not use.
    pub clips: Vec<ClipInfo>,
    /// Errors and warnings, errors first.
    pub faults: Vec<Fault>,
    /// Description of the last edit, if it can be undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<String>,
    /// Description of the last undone edit, if it can be redone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redo: Option<String>,
}

/// An avatar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AvatarInfo {
    /// Name of the file.
    pub name: String,
    /// Format of the avatar for viewers.
    pub model: Model,
    /// Revision of the file; part of URLs so that responses can be cached.
    pub revision: u64,
    /// Warnings about data that were dropped or guessed while reading the file.
    pub warnings: Vec<String>,
}

/// Format in which viewers load an avatar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Model {
    /// VRM 0.x or 1.0.
    Vrm,
    /// GLB, with the bones in [`RigInfo`]; FBX is converted to GLB.
    Glb,
    /// Bones without a mesh.
    Skeleton,
}

/// A clip of a character.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ClipInfo {
    /// Clip reference as in the repertoire: `clips/wave.fbx`, `clips/all.glb#Wave`, `builtin#wave`.
    pub clip: String,
    /// Display name.
    pub name: String,
    /// Duration in seconds; 0 if the clip cannot be read.
    pub seconds: f64,
    /// Places in the repertoire: `stances[0].gestures[3]`.
    pub places: Vec<String>,
    /// Reason why the clip cannot be read; omitted if it can be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// An error or warning with its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Fault {
    /// Path in the repertoire (`stances[0].gestures[3].clip`), or the name of another file of the character.
    pub path: String,
    /// Description of the problem and how to fix it.
    pub message: String,
    /// True for a warning, false for an error.
    pub is_warning: bool,
}

/// Body of `PUT /api/characters/ID`: an edit. Omitted fields do not change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Edit {
    /// Revision that was edited; if there is a newer one, nothing changes (status 409).
    pub revision: u64,
    /// Description of the edit for the undo history: “move wave to standing”.
    pub what: String,
    /// New repertoire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repertoire: Option<Repertoire>,
    /// New temperament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperament: Option<Temperament>,
    /// New display name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Body of `POST /api/characters/ID/place`: adds clips to the repertoire. Type and stance are suggested by the motion
/// of each clip, unless they are given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Place {
    /// Revision that was edited.
    pub revision: u64,
    /// Clips to add. Default: all that are not in the repertoire yet.
    #[serde(default)]
    pub clips: Vec<String>,
    /// Type of the clips. Default: suggested by the motion of each clip.
    #[serde(rename = "as", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ClipType>,
    /// Stance in which they start; created if it does not exist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stance: Option<String>,
    /// Final stance of transitions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// Type of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ClipType {
    /// A pose that can be held, standing or sitting.
    Stance,
    /// A deliberate movement with a meaning or a beat.
    Gesture,
    /// A small habitual movement.
    Fidget,
    /// A movement from one stance to another.
    Transition,
}

/// Response of `POST /api/characters/ID/place`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Placed {
    /// The character after the change.
    pub character: Character,
    /// Notes about further changes and their reasons.
    pub notes: Vec<String>,
}

/// Response of `POST /api/characters/ID/clips?name=wave.fbx`: an uploaded file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Uploaded {
    /// The clips in the file.
    pub clips: Vec<ClipInfo>,
    /// Warnings about data that were dropped or guessed while reading the file.
    pub warnings: Vec<String>,
}

/// Response of `GET /api/characters/ID/proposals`: a proposal for a clip that is not in the repertoire.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    /// Clip reference as in the repertoire.
    pub clip: String,
    /// Proposed type.
    #[serde(rename = "type")]
    pub kind: ClipType,
    /// Stance in which it starts.
    pub stance: String,
    /// Final stance, if it is a transition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Confidence from 0 to 1; a proposal below 0.5 should be reviewed.
    pub confidence: f64,
    /// Hand that performs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<Hand>,
    /// Layers that it plays on.
    pub layers: Vec<Layer>,
    /// Tags suggested by the motion.
    pub tags: Vec<String>,
    /// Start in the clip in seconds.
    pub start: f64,
    /// End in the clip in seconds.
    pub end: f64,
    /// Reasons for the proposal.
    pub reasons: String,
}

/// Response of `GET /api/characters/ID/rig`: the data that a viewer needs to show an avatar.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RigInfo {
    /// Format of the avatar for viewers.
    pub model: Model,
    /// Revision of the avatar: [`AvatarInfo::revision`].
    pub avatar: u64,
    /// All 55 bones of VRM 1.0, parents before children, in the order of [`Frame::rotations`](super::frame::Frame).
    pub bones: Vec<BoneInfo>,
    /// The expressions, in the order of the weights in frames.
    pub channels: Vec<ChannelInfo>,
    /// Height of the eyes in metres.
    pub eyes: f64,
}

/// A bone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BoneInfo {
    /// Name in VRM 1.0.
    pub name: String,
    /// Index of the parent bone.
    pub parent: Option<usize>,
    /// True if this avatar has the bone.
    pub exists: bool,
    /// Position in the T-pose in metres.
    pub rest: [f32; 3],
    /// Index of the node in the GLB; omitted for VRM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<usize>,
    /// The node's local rotation is `before · q · after`, where q is the bone's rotation in a frame, unless `carried`
    /// is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<[f32; 4]>,
    /// Rotation on the right of q: see `before`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<[f32; 4]>,
    /// Set for the hips, and for bones whose parent bone in the file differs from the parent bone in the rig, such as
    /// collar bones below a neck.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried: Option<CarriedInfo>,
}

/// Placement of a bone that needs a translation: the hips, and bones whose parent bone in the file differs from the
/// parent bone in the rig.
///
/// With G the orientation and P the position of a bone in humanoid space, the node's local rotation is
/// `before · G⁻¹(by) · G(bone) · after`, and its translation is its rest translation plus
/// `before · (G⁻¹(by) · (P(bone) − P(by)) − at) / unit`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CarriedInfo {
    /// Index of the bone whose node is the nearest ancestor. If null, G is the identity and P the origin.
    pub by: Option<usize>,
    /// Rest position of the node relative to that bone in metres.
    pub at: [f32; 3],
    /// Length of one unit of the node's translation in metres.
    pub unit: [f32; 3],
}

/// An expression of an avatar.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChannelInfo {
    /// Name in VRM, ARKit or Oculus.
    pub name: String,
    /// Morph targets of the GLB that show it; omitted for VRM.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub morphs: Vec<MorphInfo>,
    /// Nodes of the GLB that show it: lid bones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lids: Vec<LidInfo>,
}

/// A morph target that shows an expression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MorphInfo {
    /// Index of the node with the mesh.
    pub node: usize,
    /// Index of the morph target.
    pub target: usize,
    /// Weight of the morph target when the expression weight is 1.
    pub gain: f32,
}

/// A lid bone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LidInfo {
    /// Index of the node.
    pub node: usize,
    /// Rotation vector in radians that closes the lid, applied on the left of its rest rotation.
    pub turn: [f32; 3],
}

/// Response of `GET /api/presets`: a temperament preset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Preset {
    /// Name of the preset.
    pub name: String,
    /// Finding of the study that the preset is based on, with its source.
    pub finding: String,
    /// Group of presets that can be compared with each other.
    pub group: String,
    /// The temperament.
    pub temperament: Temperament,
}

/// Response of `GET /api/voice`: available voices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Voices {
    /// Voices of espeak-ng; empty if it is not installed.
    pub voices: Vec<VoiceInfo>,
    /// Instructions for installing voices; omitted if voices are installed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

/// A voice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct VoiceInfo {
    /// Identifier of the voice: `en-us`.
    pub voice: String,
    /// Display name.
    pub name: String,
}

/// Body of `POST /api/voice`: a line to synthesise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Speak {
    /// Text of the line, with optional tags, or SSML.
    pub text: String,
    /// Voice with an optional variant: `en-gb`, `de+f2`. Default: `en-us`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voice: Option<String>,
    /// Speaking rate from 0.5 to 2.5. Default: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
}

/// Response of `POST /api/voice`: the audio, and the intent for a performer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Spoken {
    /// A WAV file in Base64.
    pub wav: String,
    /// Duration in seconds.
    pub seconds: f64,
    /// The intent: add `at`, and start the audio at that time.
    pub say: Say,
    /// Parts of the line that cannot be spoken.
    pub warnings: Vec<String>,
}

/// Response of `GET /api/stats`: performance of the server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    /// Uptime in seconds.
    pub seconds: f64,
    /// Number of performers.
    pub performers: usize,
    /// Number of open connections.
    pub viewers: usize,
    /// Frames computed for performers since the last `?reset`.
    pub frames: u64,
    /// Delay of frames in milliseconds: median, 99th percentile, maximum.
    pub late_ms: [f64; 3],
    /// Frames that were skipped because the machine slept or was overloaded.
    pub skipped: u64,
    /// Resident memory of the process in bytes, if the system reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resident_bytes: Option<u64>,
}

/// Body of every error response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Refusal {
    /// Description of the problem and how to fix it.
    pub error: String,
}
