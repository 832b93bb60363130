//! Description of an avatar: its bones and rest positions, its expressions, and the [`Abilities`] that follow from
//! them.
//!
//! A rig is in the humanoid space of VRM 1.0: right-handed, Y up, the character faces +Z, and all rotations at
//! identity give the T-pose. All rigs share one topology: a bone that an avatar lacks stays in the hierarchy with
//! zero length and no rotation, so that code that iterates over bones needs no parent tables per avatar.

mod bone;
mod expression;
mod lid_map;
mod limits;
mod look_at;

pub use bone::{Bone, BoneSet};
pub use expression::{Channel, Expression};
pub use lid_map::{LidBone, LidMap};
pub use limits::RotationLimit;
pub use look_at::{LookAt, RangeMap};

use crate::kernel::Vectors;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// An avatar in humanoid space.
#[derive(Clone, Debug, PartialEq)]
pub struct Rig {
    name: String,
    bones: BoneSet,
    /// Position of each bone relative to its parent, in metres; zero for missing bones.
    rest_translations: Vectors,
    channels: Vec<Channel>,
    limits: [Option<RotationLimit>; Bone::COUNT],
    abilities: Abilities,
    look_at: LookAt,
    lid_map: LidMap,
    lid_bones: Vec<LidBone>,
}

/// Capabilities of an avatar, derived once when it is loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Abilities {
    /// Method for rotating the eyes.
    pub eyes: EyeControl,
    /// Method for closing the lids.
    pub lids: LidControl,
    /// The most detailed set of mouth shapes of the avatar.
    pub visemes: VisemeSet,
    /// Fingers of the left hand that have at least one bone.
    pub left_fingers: Vec<Finger>,
    /// Fingers of the right hand that have at least one bone.
    pub right_fingers: Vec<Finger>,
    /// True if the avatar has a jaw bone.
    pub jaw: bool,
    /// True if the avatar has toe bones on both feet.
    pub toes: bool,
    /// Moods for which the avatar has an expression; at most VRM's five moods.
    pub moods: Vec<String>,
}

/// Method for rotating an avatar's eyes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EyeControl {
    /// Bones `leftEye` and `rightEye`.
    Bones,
    /// Separate expressions for each eye (ARKit's `eyeLook…`).
    ExpressionsEach,
    /// Expressions for both eyes together (VRM's `look…`).
    ExpressionsBoth,
    /// The eyes cannot be rotated.
    #[default]
    None,
}

/// Method for closing an avatar's lids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LidControl {
    /// One expression per lid.
    ExpressionsEach,
    /// One expression for both lids.
    ExpressionBoth,
    /// Dedicated lid bones.
    Bones,
    /// The lids cannot be closed.
    #[default]
    None,
}

/// Sets of mouth shapes, from the simplest to the most detailed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum VisemeSet {
    /// No mouth shapes.
    #[default]
    None,
    /// Only a jaw bone.
    JawBone,
    /// VRM's five vowels, or some of them.
    Vrm5,
    /// ARKit's mouth blend shapes.
    Arkit,
    /// Oculus's fifteen visemes.
    Oculus15,
}

/// A finger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "self-explanatory")]
pub enum Finger {
    Thumb,
    Index,
    Middle,
    Ring,
    Little,
}

/// Parts from which a [`Rig`] is built.
#[derive(Clone, Debug, Default)]
pub struct RigParts {
    /// Name of the avatar.
    pub name: String,
    /// Bones that the avatar has, with their positions in the T-pose, in metres in humanoid space.
    pub rest_positions: Vec<(Bone, Vec3)>,
    /// Expressions that the avatar has.
    pub channels: Vec<Channel>,
    /// Lid bones that the channels `blinkLeft` and `blinkRight` rotate. Empty if those channels are expressions or do
    /// not exist.
    pub lid_bones: Vec<LidBone>,
    /// Measured effect of the expressions on the lids.
    pub lids: LidMap,
    /// Mapping of gaze angles to eye rotations; human defaults if the file does not specify it.
    pub look_at: LookAt,
}

impl Rig {
    /// Builds a rig. Bones that VRM requires may be missing, such as the legs of a bust.
    #[must_use]
    pub fn new(parts: RigParts) -> Self {
        let bones: BoneSet = parts.rest_positions.iter().map(|(bone, _)| *bone).collect();
        let mut positions = [Vec3::ZERO; Bone::COUNT];
        for (bone, position) in &parts.rest_positions {
            positions[bone.index()] = *position;
        }
        // A missing bone rests at its parent's position; parents come first.
        for bone in Bone::ALL.into_iter().filter(|b| !bones.contains(*b)) {
            positions[bone.index()] = bone.parent().map_or(Vec3::ZERO, |p| positions[p.index()]);
        }
        let mut rest_translations = Vectors::ZERO;
        for bone in Bone::ALL {
            let parent = bone.parent().map_or(Vec3::ZERO, |p| positions[p.index()]);
            rest_translations.set(bone, positions[bone.index()] - parent);
        }
        let abilities = Abilities::of(bones, &parts);
        Self {
            lid_map: parts.lids.completed(&parts.channels),
            lid_bones: parts.lid_bones,
            name: parts.name,
            bones,
            rest_translations,
            channels: parts.channels,
            limits: Bone::ALL.map(RotationLimit::human),
            abilities,
            look_at: parts.look_at,
        }
    }

    /// Returns the mapping of gaze angles to eye rotations.
    #[must_use]
    pub fn look_at(&self) -> &LookAt {
        &self.look_at
    }

    /// Effect of the expressions on the lids; `closing` has one entry for each of [`Rig::channels`].
    #[must_use]
    pub fn lid_map(&self) -> &LidMap {
        &self.lid_map
    }

    /// Bones that the channels `blinkLeft` and `blinkRight` rotate; empty if lids are closed by expressions or cannot
    /// be closed.
    #[must_use]
    pub fn lid_bones(&self) -> &[LidBone] {
        &self.lid_bones
    }

    /// Name of the avatar.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bones of the avatar.
    #[must_use]
    pub fn bones(&self) -> BoneSet {
        self.bones
    }

    /// Capabilities of the avatar.
    #[must_use]
    pub fn abilities(&self) -> &Abilities {
        &self.abilities
    }

    /// Expressions of the avatar; frame weights are in this order.
    #[must_use]
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Returns the index of an expression in [`Rig::channels`].
    #[must_use]
    pub fn channel_index(&self, channel: &Channel) -> Option<usize> {
        self.channels.iter().position(|c| c == channel)
    }

    /// Returns a bone's rest position relative to its parent, in metres.
    #[must_use]
    pub fn rest_translation(&self, bone: Bone) -> Vec3 {
        self.rest_translations.get(bone)
    }

    pub(crate) fn rest_translations(&self) -> &Vectors {
        &self.rest_translations
    }

    /// Returns a bone's position in the T-pose, in metres in humanoid space.
    #[must_use]
    pub fn rest_position(&self, bone: Bone) -> Vec3 {
        let above = bone.parent().map_or(Vec3::ZERO, |parent| self.rest_position(parent));
        above + self.rest_translation(bone)
    }

    /// Height of the hips at rest in metres. Root motion is scaled by this height.
    #[must_use]
    pub fn hips_height(&self) -> f32 {
        self.rest_translation(Bone::Hips).y
    }

    /// Returns the rotation limit of a bone; `None` if it has none.
    #[must_use]
    pub fn limit(&self, bone: Bone) -> Option<RotationLimit> {
        self.limits[bone.index()]
    }

    /// Sets the rotation limit of a bone; `None` removes it.
    pub fn set_limit(&mut self, bone: Bone, limit: Option<RotationLimit>) {
        self.limits[bone.index()] = limit;
    }

    /// Returns the bones that VRM 1.0 requires and this rig lacks.
    #[must_use]
    pub fn missing_required(&self) -> BoneSet {
        BoneSet::ALL.minus(self.bones).iter().filter(|b| b.is_required()).collect()
    }

    /// Returns the channels that show an expression on this rig, as indices into [`Rig::channels`] with gains. Empty if
    /// the rig cannot show the expression.
    #[must_use]
    pub fn show(&self, channel: &Channel) -> Vec<(usize, f32)> {
        if let Some(index) = self.channel_index(channel) {
            return vec![(index, 1.0)];
        }
        let Channel::Known(expression) = channel else { return Vec::new() };
        let present = |list: Vec<(Expression, f32)>| -> Option<Vec<(usize, f32)>> {
            let index = |(e, gain)| Some((self.channel_index(&Channel::Known(e))?, gain));
            list.into_iter().map(index).collect()
        };
        expression.alternatives().find_map(present).unwrap_or_default()
    }
}

impl Abilities {
    fn of(bones: BoneSet, parts: &RigParts) -> Self {
        let has = |name: &str| parts.channels.iter().any(|c| c.name() == name);
        let has_all = |names: &[&str]| names.iter().all(|n| has(n));
        let eye_bones = bones.contains(Bone::LeftEye) && bones.contains(Bone::RightEye);
        let look_each = has_all(&["eyeLookInLeft", "eyeLookOutLeft", "eyeLookInRight", "eyeLookOutRight"]);
        let look_both = has_all(&["lookLeft", "lookRight"]);
        let eyes = match (eye_bones && !parts.look_at.by_expression, look_each, look_both) {
            (true, _, _) => EyeControl::Bones,
            (false, true, _) => EyeControl::ExpressionsEach,
            (false, false, true) => EyeControl::ExpressionsBoth,
            _ if eye_bones => EyeControl::Bones,
            _ => EyeControl::None,
        };
        let lids = if !parts.lid_bones.is_empty() {
            LidControl::Bones
        } else if has_all(&["blinkLeft", "blinkRight"]) || has_all(&["eyeBlinkLeft", "eyeBlinkRight"]) {
            LidControl::ExpressionsEach
        } else if has("blink") {
            LidControl::ExpressionBoth
        } else {
            LidControl::None
        };
        let visemes_present = Expression::visemes().filter(|e| has(e.name())).count();
        let visemes = if visemes_present >= 13 {
            VisemeSet::Oculus15
        } else if has_all(&["jawOpen", "mouthFunnel", "mouthPucker"]) {
            VisemeSet::Arkit
        } else if ["aa", "ih", "ou", "ee", "oh"].iter().any(|n| has(n)) {
            VisemeSet::Vrm5
        } else if bones.contains(Bone::Jaw) {
            VisemeSet::JawBone
        } else {
            VisemeSet::None
        };
        let moods = ["happy", "angry", "sad", "relaxed", "surprised"];
        Self {
            eyes,
            lids,
            visemes,
            left_fingers: fingers(bones, Bone::LeftThumbMetacarpal),
            right_fingers: fingers(bones, Bone::RightThumbMetacarpal),
            jaw: bones.contains(Bone::Jaw),
            toes: bones.contains(Bone::LeftToes) && bones.contains(Bone::RightToes),
            moods: moods.into_iter().filter(|m| has(m)).map(str::to_owned).collect(),
        }
    }
}

/// Returns the fingers of the hand whose fifteen bones start with `thumb`.
fn fingers(bones: BoneSet, thumb: Bone) -> Vec<Finger> {
    let all = [Finger::Thumb, Finger::Index, Finger::Middle, Finger::Ring, Finger::Little];
    let first = thumb.index();
    let chain = |i: usize| &Bone::ALL[first + 3 * i..first + 3 * i + 3];
    let exists = |i: usize| chain(i).iter().any(|b| bones.contains(*b));
    all.into_iter().enumerate().filter(|(i, _)| exists(*i)).map(|(_, finger)| finger).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rig(bones: &[(Bone, Vec3)], channels: &[&str]) -> Rig {
        Rig::new(RigParts {
            rest_positions: bones.to_vec(),
            channels: channels.iter().map(|c| Channel::from((*c).to_owned())).collect(),
            ..RigParts::default()
        })
    }

    #[test]
    fn a_missing_bone_has_zero_length() {
        let rig = rig(&[(Bone::Hips, Vec3::Y), (Bone::Head, Vec3::Y * 1.5)], &[]);
        assert_eq!(rig.rest_translation(Bone::Neck), Vec3::ZERO);
        assert_eq!(rig.rest_translation(Bone::Head), Vec3::Y * 0.5);
        assert_eq!(rig.rest_position(Bone::Head), Vec3::Y * 1.5);
        assert_eq!(rig.missing_required().len(), 13);
    }

    #[test]
    fn missing_expressions_are_shown_by_alternatives() {
        let blink = Channel::from("blink".to_owned());
        let check = |channels: &[&str], expected: &[(usize, f32)]| {
            assert_eq!(rig(&[], channels).show(&blink), expected, "{channels:?}");
        };
        check(&["happy", "blink"], &[(1, 1.0)]);
        check(&["eyeBlinkRight", "eyeBlinkLeft"], &[(1, 1.0), (0, 1.0)]);
        check(&["blinkLeft"], &[]);
        check(&[], &[]);
    }

    #[test]
    fn abilities_follow_from_bones_and_expressions() {
        let eyes =
            [(Bone::LeftEye, Vec3::ZERO), (Bone::RightEye, Vec3::ZERO), (Bone::LeftRingDistal, Vec3::ZERO)];
        let abilities = rig(&eyes, &["blink", "aa"]).abilities().clone();
        assert_eq!(abilities.eyes, EyeControl::Bones);
        assert_eq!(abilities.lids, LidControl::ExpressionBoth);
        assert_eq!(abilities.visemes, VisemeSet::Vrm5);
        assert_eq!(abilities.left_fingers, [Finger::Ring]);
        assert_eq!(rig(&[], &["lookLeft", "lookRight"]).abilities().eyes, EyeControl::ExpressionsBoth);
        assert_eq!(rig(&[], &[]).abilities(), &Abilities::default());
    }
}
