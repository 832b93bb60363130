//! What a character can do, as people author it (paper 4, sections 3 and 4).
//!
//! A repertoire is the paper's meta-graph: stances, and for each stance the gestures and fidgets that
//! start and end in it, and the transitions that lead from it to another. There are no connections to
//! draw: what may follow what is a matter of kind and stance alone.
//!
//! These types are the file `repertoire.json`, field by field. What runs is [`Graph`](super::graph::Graph),
//! which is built from them and says what is wrong.

use crate::body::graph::names;
use crate::body::layers::Layer;
use crate::rig::BoneSet;
use serde::{Deserialize, Deserializer, Serialize};

/// The version of `repertoire.json` that is written.
pub const VERSION: u32 = 1;

/// Stances, and what can be done in each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Repertoire {
    /// Where the JSON Schema is, for editors.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The version of the format: 1.
    pub version: u32,
    /// The stances. The first one of each layer is where a performance begins.
    pub stances: Vec<Stance>,
}

/// A way to stand, sit or hold oneself, that can be kept up for long (paper 4: "synonymous to idle").
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Stance {
    /// Its name, which transitions and agents use.
    pub name: String,
    /// The layers that it holds: all three for a whole body, `["arms"]` for folded arms over whatever the
    /// legs do. Two stances hold the same layers, or none in common.
    #[serde(default = "all_layers", skip_serializing_if = "is_all_layers")]
    pub layers: Vec<Layer>,
    /// The motion of standing there, which is looped: a file, or `file#clip` where a file has several.
    /// Left out, the stance is the neutral pose: arms at the sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<String>,
    /// Where in the clip to begin, in seconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub start: f64,
    /// Where in the clip to end, in seconds; by default its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
    /// What is done on purpose, with a meaning or a beat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gestures: Vec<Action>,
    /// Ticks and small movements without a meaning.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fidgets: Vec<Action>,
    /// Ways to other stances.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transitions: Vec<Transition>,
}

/// A gesture or a fidget: it starts and ends in its stance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Action {
    /// The motion: a file, or `file#clip` where a file has several.
    pub clip: String,
    /// What agents call it; by default the clip's name, or the file's without folder and ending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The layers that it is played on, among those of the stance; by default all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<Layer>,
    /// The body parts that it may move; by default what its layers move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mask: Vec<BodyPart>,
    /// Where in the clip to begin, in seconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub start: f64,
    /// Where in the clip to end, in seconds; by default its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
    /// When in the clip its stroke arrives, in seconds: the instant that goes with the stressed word. By default it
    /// is found from the motion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stroke: Option<f64>,
    /// How long it takes to take over from what was before, in seconds; by default 0.3.
    #[serde(default = "blend", skip_serializing_if = "is_blend")]
    pub blend_in: f64,
    /// How long before its end it is given up for what comes next, in seconds; by default 0.3.
    #[serde(default = "blend", skip_serializing_if = "is_blend")]
    pub blend_out: f64,
    /// The hand that does it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<Hand>,
    /// What it means or is for: `positive`, `negative`, `beat`, `deictic`, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// How likely it is to be chosen beside others that would do; by default 1. With 0 it is only done
    /// when it is asked for by name.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub likelihood: f64,
    /// Whether it goes on for as long as the agent asks for.
    #[serde(rename = "loop", default, skip_serializing_if = "is_default")]
    pub looped: bool,
}

/// The way from one stance to another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Transition {
    /// The name of the stance where it ends.
    pub to: String,
    /// The motion: a file, or `file#clip`. Left out, the stances are blended into each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<String>,
    /// What agents call it; by default the clip's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The body parts that it may move; by default what the stance's layers move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mask: Vec<BodyPart>,
    /// Where in the clip to begin, in seconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub start: f64,
    /// Where in the clip to end, in seconds; by default its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
    /// How long it takes to take over from what was before, in seconds; by default 0.3. Without a clip it
    /// is how long the change takes, and at least 0.6.
    #[serde(default = "blend", skip_serializing_if = "is_blend")]
    pub blend_in: f64,
    /// How long before its end the new stance takes over, in seconds; by default 0.3.
    #[serde(default = "blend", skip_serializing_if = "is_blend")]
    pub blend_out: f64,
    /// The hand that does it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<Hand>,
    /// What it means or is for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// How likely it is to be chosen beside others that would do; by default 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub likelihood: f64,
}

/// What an action is (paper 4's taxonomy).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// Done on purpose, with a meaning or a beat.
    Gesture,
    /// A tick or a small movement.
    Fidget,
    /// From one stance to another.
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

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gesture => "gesture",
            Self::Fidget => "fidget",
            Self::Transition => "transition",
        }
    }

    /// The kind with a name, in any case; `stance` is another name for a transition.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = if names::is_same(name, "stance") { "transition" } else { name };
        Self::ALL.into_iter().find(|kind| names::is_same(kind.name(), name))
    }

    /// Its letter in paper 4's Figure 11.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Self::Gesture => "G",
            Self::Fidget => "F",
            Self::Transition => "T",
        }
    }
}

/// Which hand does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Hand {
    /// The left one.
    #[serde(rename = "L")]
    Left,
    /// The right one.
    #[serde(rename = "R")]
    Right,
    /// Both.
    #[serde(rename = "LR")]
    Both,
}

impl<'de> Deserialize<'de> for Hand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        names::deserialize(deserializer, Self::from_name, &["L", "R", "LR", "left", "right", "both"])
    }
}

impl Hand {
    /// All of them, in the order of paper 4's Figure 11.
    pub const ALL: [Self; 3] = [Self::Left, Self::Right, Self::Both];

    /// The hand with a name, in any case: `L`, `R` and `LR`, or `left`, `right` and `both`.
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

    /// As paper 4 writes it.
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
    /// Its bones.
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
    /// A stance of the whole body with nothing to do in it yet.
    #[must_use]
    pub fn new(name: impl Into<String>, clip: Option<String>) -> Self {
        Self { name: name.into(), layers: all_layers(), clip, ..Self::default() }
    }
}

impl Action {
    /// A clip on all layers of its stance, whole, once, as likely as any other.
    #[must_use]
    pub fn new(clip: impl Into<String>) -> Self {
        let clip = clip.into();
        Self { clip, blend_in: blend(), blend_out: blend(), likelihood: one(), ..Self::default() }
    }
}

impl Transition {
    /// A clip that leads to a stance.
    #[must_use]
    pub fn new(to: impl Into<String>, clip: Option<String>) -> Self {
        let to = to.into();
        Self { to, clip, blend_in: blend(), blend_out: blend(), likelihood: one(), ..Self::default() }
    }
}

/// What a clip's name is where nobody gave it one: what follows `#`, else the file without folder and
/// ending.
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
    fn a_clip_is_called_by_what_people_see() {
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
