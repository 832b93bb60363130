//! The repertoire of a character, as authored (paper 4, sections 3 and 4).
//!
//! A repertoire is the paper's meta-graph: stances, and for each stance the gestures and fidgets that start and end
//! in it, and the transitions that lead to another stance. Authors need not connect single actions: which action may
//! follow another one depends only on kind and stance.
//!
//! These types are the file `repertoire.json`, field by field. At runtime a [`Graph`](super::graph::Graph) is built
//! from them, which also reports problems.

use crate::body::graph::names;
use crate::body::layers::Layer;
use crate::rig::BoneSet;
use serde::{Deserialize, Deserializer, Serialize};

/// Format version that is written to `repertoire.json`.
pub const VERSION: u32 = 1;

/// Repertoire of a character: its stances, and the actions in each stance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Repertoire {
    /// Location of the JSON Schema, for editors.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Version of the format: 1.
    pub version: u32,
    /// The stances. A performance starts in the first one of each layer.
    pub stances: Vec<Stance>,
}

/// A posture that can be held for a long time, such as standing or sitting (paper 4: "synonymous to idle").
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Stance {
    /// Name that transitions and agents use.
    pub name: String,
    /// Layers that the stance uses: all three for a whole body, `["arms"]` for folded arms independent of the legs.
    /// Two stances must have the same layers, or none in common.
    #[serde(default = "all_layers", skip_serializing_if = "is_all_layers")]
    pub layers: Vec<Layer>,
    /// Motion of the stance, which is looped: a file, or `file#clip` if a file has several clips. If omitted, the
    /// stance is the neutral pose: arms at the sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<String>,
    /// Start within the clip in seconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub start: f64,
    /// End within the clip in seconds; the end of the clip by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
    /// Intentional actions, with a meaning or to emphasize speech.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gestures: Vec<Action>,
    /// Small unintentional movements without a meaning.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fidgets: Vec<Action>,
    /// Transitions to other stances.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transitions: Vec<Transition>,
}

/// A gesture or a fidget. It starts and ends in its stance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Action {
    /// Motion: a file, or `file#clip` if a file has several clips.
    pub clip: String,
    /// Name for agents; by default the clip's name, or the file name without folder and extension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Layers on which the action is played, among those of the stance; all of them by default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<Layer>,
    /// Body parts that the action may move; by default those that its layers move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mask: Vec<BodyPart>,
    /// Start within the clip in seconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub start: f64,
    /// End within the clip in seconds; the end of the clip by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
    /// Time of the stroke within the clip in seconds: the instant that coincides with the stressed word. By default
    /// it is found from the motion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stroke: Option<f64>,
    /// Duration of the cross-fade from the previous motion in seconds; 0.3 by default.
    #[serde(default = "blend", skip_serializing_if = "is_blend")]
    pub blend_in: f64,
    /// Duration of the cross-fade to the next motion before the end of the action, in seconds; 0.3 by default.
    #[serde(default = "blend", skip_serializing_if = "is_blend")]
    pub blend_out: f64,
    /// Hand that performs the action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<Hand>,
    /// Meaning or purpose: `positive`, `negative`, `beat`, `deictic`, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Relative likelihood among the candidates; 1 by default. With 0, the action is only played when requested by
    /// name.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub likelihood: f64,
    /// True if the action can be looped for as long as the agent requests.
    #[serde(rename = "loop", default, skip_serializing_if = "is_default")]
    pub looped: bool,
}

/// A transition from one stance to another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Transition {
    /// Name of the stance in which the transition ends.
    pub to: String,
    /// Motion: a file, or `file#clip`. If omitted, the stances are cross-faded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<String>,
    /// Name for agents; by default the clip's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Body parts that the transition may move; by default those that the stance's layers move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mask: Vec<BodyPart>,
    /// Start within the clip in seconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub start: f64,
    /// End within the clip in seconds; the end of the clip by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
    /// Duration of the cross-fade from the previous motion in seconds; 0.3 by default. Without a clip, this is the
    /// duration of the transition, and at least 0.6.
    #[serde(default = "blend", skip_serializing_if = "is_blend")]
    pub blend_in: f64,
    /// Duration of the cross-fade to the new stance before the end of the transition, in seconds; 0.3 by default.
    #[serde(default = "blend", skip_serializing_if = "is_blend")]
    pub blend_out: f64,
    /// Hand that performs the transition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<Hand>,
    /// Meaning or purpose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Relative likelihood among the candidates; 1 by default.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub likelihood: f64,
}

/// Kind of an action (paper 4's taxonomy).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// An intentional action, with a meaning or to emphasize speech.
    Gesture,
    /// A small unintentional movement without a meaning.
    Fidget,
    /// A change from one stance to another.
    Transition,
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        names::deserialize(deserializer, Self::from_name, &["gesture", "fidget", "transition"])
    }
}

impl Kind {
    /// All kinds, in the order of paper 4's Figure 11.
    pub const ALL: [Self; 3] = [Self::Gesture, Self::Fidget, Self::Transition];

    /// Name of the kind.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gesture => "gesture",
            Self::Fidget => "fidget",
            Self::Transition => "transition",
        }
    }

    /// Returns the kind with this name, ignoring case; `stance` is another name for a transition.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = if names::is_same(name, "stance") { "transition" } else { name };
        Self::ALL.into_iter().find(|kind| names::is_same(kind.name(), name))
    }

    /// Letter of the kind in paper 4's Figure 11.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Self::Gesture => "G",
            Self::Fidget => "F",
            Self::Transition => "T",
        }
    }
}

/// The hand that performs an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Hand {
    /// The left hand.
    #[serde(rename = "L")]
    Left,
    /// The right hand.
    #[serde(rename = "R")]
    Right,
    /// Both hands.
    #[serde(rename = "LR")]
    Both,
}

impl<'de> Deserialize<'de> for Hand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        names::deserialize(deserializer, Self::from_name, &["L", "R", "LR", "left", "right", "both"])
    }
}

impl Hand {
    /// All values, in the order of paper 4's Figure 11.
    pub const ALL: [Self; 3] = [Self::Left, Self::Right, Self::Both];

    /// Returns the hand with this name, ignoring case: `L`, `R` and `LR`, or `left`, `right` and `both`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let word = |hand: Self| match hand {
            Self::Left => "left",
            Self::Right => "right",
            Self::Both => "both",
        };
        let is_it = |known: &str| names::is_same(known, name);
        Self::ALL.into_iter().find(|hand| is_it(hand.letters()) || is_it(word(*hand)))
    }

    /// Abbreviation in paper 4.
    #[must_use]
    pub const fn letters(self) -> &'static str {
        match self {
            Self::Left => "L",
            Self::Right => "R",
            Self::Both => "LR",
        }
    }
}

/// A part of the body, for masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum BodyPart {
    /// Neck, head, eyes and jaw.
    Head,
    /// Spine, chest and upper chest.
    Spine,
    /// Both arms with shoulders and hands.
    Arms,
    /// The left arm.
    LeftArm,
    /// The right arm.
    RightArm,
    /// Hips, legs and feet.
    Legs,
}

impl BodyPart {
    /// Bones of the body part.
    #[must_use]
    pub const fn bones(self) -> BoneSet {
        match self {
            Self::Head => BoneSet::HEAD,
            Self::Spine => BoneSet::SPINE,
            Self::Arms => BoneSet::ARMS,
            Self::LeftArm => BoneSet::LEFT_ARM,
            Self::RightArm => BoneSet::RIGHT_ARM,
            Self::Legs => BoneSet::LEGS,
        }
    }
}

impl Default for Repertoire {
    fn default() -> Self {
        Self { schema: None, version: VERSION, stances: Vec::new() }
    }
}

impl Stance {
    /// Creates a stance of the whole body without actions.
    #[must_use]
    pub fn new(name: impl Into<String>, clip: Option<String>) -> Self {
        Self { name: name.into(), layers: all_layers(), clip, ..Self::default() }
    }
}

impl Action {
    /// Creates an action that plays a whole clip once on all layers of its stance, with default likelihood.
    #[must_use]
    pub fn new(clip: impl Into<String>) -> Self {
        let clip = clip.into();
        Self { clip, blend_in: blend(), blend_out: blend(), likelihood: one(), ..Self::default() }
    }
}

impl Transition {
    /// Creates a transition to a stance.
    #[must_use]
    pub fn new(to: impl Into<String>, clip: Option<String>) -> Self {
        let to = to.into();
        Self { to, clip, blend_in: blend(), blend_out: blend(), likelihood: one(), ..Self::default() }
    }
}

/// Default name of a clip: the part after `#`, otherwise the file name without folder and extension.
#[must_use]
pub fn short_name(clip: &str) -> &str {
    if let Some((_, name)) = clip.rsplit_once('#') {
        return name;
    }
    let file = clip.rsplit(['/', '\\']).next().unwrap_or(clip);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

fn all_layers() -> Vec<Layer> {
    Layer::ALL.to_vec()
}

fn is_all_layers(layers: &[Layer]) -> bool {
    layers == Layer::ALL
}

const fn blend() -> f64 {
    0.3
}

fn is_blend(seconds: &f64) -> bool {
    *seconds == blend()
}

const fn one() -> f64 {
    1.0
}

fn is_one(number: &f64) -> bool {
    *number == one()
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_names_of_clips() {
        for (clip, name) in [
            ("clips/wave.fbx", "wave"),
            ("wave", "wave"),
            ("a.b/c.d.vrma", "c.d"),
            ("all.glb#Shake Hands", "Shake Hands"),
            ("builtin#nod", "nod"),
            ("clips\\wave.bvh", "wave"),
        ] {
            assert_eq!(short_name(clip), name, "{clip}");
        }
    }
}
