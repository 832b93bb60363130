//! One vocabulary of expressions: VRM 1.0 presets, ARKit's 52 blend shapes and Oculus's 15 visemes.
//!
//! A clip may use one of these sets, and an avatar may use another. Each expression therefore has
//! [alternatives](Expression::alternatives) for avatars that lack the expression. Names are the usual ones of the three
//! sets; visemes have the prefix `viseme_` introduced by Ready Player Me, because plain `aa` is a VRM name.

use serde::{Deserialize, Serialize};

/// An expression of the shared vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Expression(u8);

#[rustfmt::skip]
const NAMES: [&str; Expression::COUNT] = [
    // VRM 1.0
    "happy", "angry", "sad", "relaxed", "surprised", "neutral", "aa", "ih", "ou", "ee", "oh",
    "blink", "blinkLeft", "blinkRight", "lookUp", "lookDown", "lookLeft", "lookRight",
    // ARKit
    "browDownLeft", "browDownRight", "browInnerUp", "browOuterUpLeft", "browOuterUpRight",
    "cheekPuff", "cheekSquintLeft", "cheekSquintRight", "eyeBlinkLeft", "eyeBlinkRight",
    "eyeLookDownLeft", "eyeLookDownRight", "eyeLookInLeft", "eyeLookInRight", "eyeLookOutLeft",
    "eyeLookOutRight", "eyeLookUpLeft", "eyeLookUpRight", "eyeSquintLeft", "eyeSquintRight",
    "eyeWideLeft", "eyeWideRight", "jawForward", "jawLeft", "jawOpen", "jawRight", "mouthClose",
    "mouthDimpleLeft", "mouthDimpleRight", "mouthFrownLeft", "mouthFrownRight", "mouthFunnel",
    "mouthLeft", "mouthLowerDownLeft", "mouthLowerDownRight", "mouthPressLeft",
    "mouthPressRight", "mouthPucker", "mouthRight", "mouthRollLower", "mouthRollUpper",
    "mouthShrugLower", "mouthShrugUpper", "mouthSmileLeft", "mouthSmileRight",
    "mouthStretchLeft", "mouthStretchRight", "mouthUpperUpLeft", "mouthUpperUpRight",
    "noseSneerLeft", "noseSneerRight", "tongueOut",
    // Oculus
    "viseme_sil", "viseme_PP", "viseme_FF", "viseme_TH", "viseme_DD", "viseme_kk", "viseme_CH",
    "viseme_SS", "viseme_nn", "viseme_RR", "viseme_aa", "viseme_E", "viseme_ih", "viseme_oh",
    "viseme_ou",
];

/// Replacements of an expression, best first. Each replacement is a list of expressions with gains.
type Alternatives = &'static [&'static [(&'static str, f32)]];

/// Replacements for missing expressions. The gains are our design, chosen by eye on avatars that have the expression
/// and its replacement. If an expression is replaced by two halves, both halves at full weight give the whole
/// expression.
#[rustfmt::skip]
const ALTERNATIVES: &[(&str, Alternatives)] = &[
    // Moods as ARKit blend shapes.
    ("happy", &[&[("mouthSmileLeft", 0.8), ("mouthSmileRight", 0.8), ("cheekSquintLeft", 0.4), ("cheekSquintRight", 0.4)]]),
    ("angry", &[&[("browDownLeft", 0.9), ("browDownRight", 0.9), ("noseSneerLeft", 0.3), ("noseSneerRight", 0.3), ("mouthPressLeft", 0.3), ("mouthPressRight", 0.3)]]),
    ("sad", &[&[("browInnerUp", 0.8), ("mouthFrownLeft", 0.7), ("mouthFrownRight", 0.7)]]),
    ("relaxed", &[&[("mouthSmileLeft", 0.35), ("mouthSmileRight", 0.35), ("eyeSquintLeft", 0.2), ("eyeSquintRight", 0.2)]]),
    ("surprised", &[&[("browInnerUp", 0.8), ("browOuterUpLeft", 0.8), ("browOuterUpRight", 0.8), ("eyeWideLeft", 0.7), ("eyeWideRight", 0.7), ("jawOpen", 0.3)]]),
    // VRM's five vowels.
    ("aa", &[&[("viseme_aa", 1.0)], &[("jawOpen", 0.6), ("mouthLowerDownLeft", 0.3), ("mouthLowerDownRight", 0.3)]]),
    ("ih", &[&[("viseme_ih", 1.0)], &[("jawOpen", 0.2), ("mouthStretchLeft", 0.4), ("mouthStretchRight", 0.4)]]),
    ("ou", &[&[("viseme_ou", 1.0)], &[("mouthPucker", 0.7), ("mouthFunnel", 0.2), ("jawOpen", 0.15)]]),
    ("ee", &[&[("viseme_E", 1.0)], &[("jawOpen", 0.3), ("mouthSmileLeft", 0.3), ("mouthSmileRight", 0.3), ("mouthStretchLeft", 0.2), ("mouthStretchRight", 0.2)]]),
    ("oh", &[&[("viseme_oh", 1.0)], &[("mouthFunnel", 0.6), ("jawOpen", 0.4)]]),
    // Lids. If an avatar has only one expression for both lids, closing one lid gives it half of the weight.
    ("blink", &[&[("blinkLeft", 1.0), ("blinkRight", 1.0)], &[("eyeBlinkLeft", 1.0), ("eyeBlinkRight", 1.0)]]),
    ("blinkLeft", &[&[("eyeBlinkLeft", 1.0)], &[("blink", 0.5)]]),
    ("blinkRight", &[&[("eyeBlinkRight", 1.0)], &[("blink", 0.5)]]),
    ("eyeBlinkLeft", &[&[("blinkLeft", 1.0)], &[("blink", 0.5)]]),
    ("eyeBlinkRight", &[&[("blinkRight", 1.0)], &[("blink", 0.5)]]),
    // Gaze.
    ("lookUp", &[&[("eyeLookUpLeft", 1.0), ("eyeLookUpRight", 1.0)]]),
    ("lookDown", &[&[("eyeLookDownLeft", 1.0), ("eyeLookDownRight", 1.0)]]),
    ("lookLeft", &[&[("eyeLookOutLeft", 1.0), ("eyeLookInRight", 1.0)]]),
    ("lookRight", &[&[("eyeLookInLeft", 1.0), ("eyeLookOutRight", 1.0)]]),
    ("eyeLookUpLeft", &[&[("lookUp", 0.5)]]),
    ("eyeLookUpRight", &[&[("lookUp", 0.5)]]),
    ("eyeLookDownLeft", &[&[("lookDown", 0.5)]]),
    ("eyeLookDownRight", &[&[("lookDown", 0.5)]]),
    ("eyeLookOutLeft", &[&[("lookLeft", 0.5)]]),
    ("eyeLookInRight", &[&[("lookLeft", 0.5)]]),
    ("eyeLookInLeft", &[&[("lookRight", 0.5)]]),
    ("eyeLookOutRight", &[&[("lookRight", 0.5)]]),
    // ARKit mouth shapes on avatars that have only VRM's vowels.
    ("jawOpen", &[&[("aa", 1.0)], &[("viseme_aa", 1.0)]]),
    ("mouthFunnel", &[&[("oh", 0.8)], &[("viseme_oh", 0.8)]]),
    ("mouthPucker", &[&[("ou", 1.0)], &[("viseme_ou", 1.0)]]),
    ("mouthStretchLeft", &[&[("ih", 0.4)]]),
    ("mouthStretchRight", &[&[("ih", 0.4)]]),
    // Visemes: ARKit blend shapes if present, otherwise VRM's vowels. A closed mouth (`viseme_sil`, `viseme_PP` on
    // VRM) is the absence of vowels, so it needs no replacement.
    ("viseme_PP", &[&[("mouthClose", 0.1), ("mouthPressLeft", 0.7), ("mouthPressRight", 0.7), ("mouthRollLower", 0.3), ("mouthRollUpper", 0.3)]]),
    ("viseme_FF", &[&[("mouthRollLower", 0.6), ("mouthUpperUpLeft", 0.3), ("mouthUpperUpRight", 0.3), ("jawOpen", 0.05)], &[("ih", 0.15)]]),
    ("viseme_TH", &[&[("jawOpen", 0.15), ("tongueOut", 0.3)], &[("ih", 0.3)]]),
    ("viseme_DD", &[&[("jawOpen", 0.15), ("mouthStretchLeft", 0.2), ("mouthStretchRight", 0.2)], &[("ih", 0.35)]]),
    ("viseme_kk", &[&[("jawOpen", 0.2), ("mouthStretchLeft", 0.1), ("mouthStretchRight", 0.1)], &[("ee", 0.3)]]),
    ("viseme_CH", &[&[("mouthFunnel", 0.5), ("jawOpen", 0.1)], &[("ou", 0.4)]]),
    ("viseme_SS", &[&[("mouthStretchLeft", 0.4), ("mouthStretchRight", 0.4), ("jawOpen", 0.05)], &[("ih", 0.35)]]),
    ("viseme_nn", &[&[("jawOpen", 0.12), ("mouthStretchLeft", 0.1), ("mouthStretchRight", 0.1)], &[("ih", 0.25)]]),
    ("viseme_RR", &[&[("mouthFunnel", 0.35), ("jawOpen", 0.12)], &[("ou", 0.3)]]),
    ("viseme_aa", &[&[("jawOpen", 0.6), ("mouthLowerDownLeft", 0.3), ("mouthLowerDownRight", 0.3)], &[("aa", 1.0)]]),
    ("viseme_E", &[&[("jawOpen", 0.3), ("mouthSmileLeft", 0.3), ("mouthSmileRight", 0.3)], &[("ee", 1.0)]]),
    ("viseme_ih", &[&[("jawOpen", 0.2), ("mouthStretchLeft", 0.4), ("mouthStretchRight", 0.4)], &[("ih", 1.0)]]),
    ("viseme_oh", &[&[("mouthFunnel", 0.6), ("jawOpen", 0.4)], &[("oh", 1.0)]]),
    ("viseme_ou", &[&[("mouthPucker", 0.7), ("mouthFunnel", 0.2), ("jawOpen", 0.15)], &[("ou", 1.0)]]),
];

/// Names used by other tools and older versions, normalised by [`spelling`].
#[rustfmt::skip]
const ALIASES: &[(&str, &str)] = &[
    // VRM 0.x presets.
    ("joy", "happy"), ("sorrow", "sad"), ("fun", "relaxed"),
    ("a", "aa"), ("i", "ih"), ("u", "ou"), ("e", "ee"), ("o", "oh"),
    ("blinkl", "blinkLeft"), ("blinkr", "blinkRight"),
    // Ready Player Me's last three visemes.
    ("visemei", "viseme_ih"), ("visemeo", "viseme_oh"), ("visemeu", "viseme_ou"), ("visemeee", "viseme_E"),
    // The sample avatar Seed-san and other hand-made sets.
    ("lipa", "aa"), ("lipi", "ih"), ("lipu", "ou"), ("lipe", "ee"), ("lipo", "oh"),
    ("facehappy", "happy"), ("faceangry", "angry"), ("facesad", "sad"), ("facerelax", "relaxed"), ("facesurprise", "surprised"), ("surprise", "surprised"),
    ("eyeclose", "blink"), ("ah", "aa"), ("uu", "ou"),
    // Microsoft Rocketbox's FACS names, for avatars without ARKit names.
    ("au45blink", "blink"),
];

/// Prefixes that exporters add to shape names.
const PREFIXES: &[&str] =
    &["blendshape1", "blendshapes", "blendshape", "facemth", "face", "vrc", "ak", "aavi"];

impl Expression {
    /// Number of expressions in the vocabulary.
    pub const COUNT: usize = 85;
    const VISEMES: std::ops::Range<usize> = 70..85;
    const ARKIT: std::ops::Range<usize> = 18..70;
    const VRM: std::ops::Range<usize> = 0..18;

    /// Iterates over the whole vocabulary.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    /// The 18 presets of VRM 1.0.
    pub fn vrm() -> impl Iterator<Item = Self> {
        Self::VRM.map(|i| Self(i as u8))
    }

    /// The 52 blend shapes of ARKit.
    pub fn arkit() -> impl Iterator<Item = Self> {
        Self::ARKIT.map(|i| Self(i as u8))
    }

    /// The 15 visemes of Oculus.
    pub fn visemes() -> impl Iterator<Item = Self> {
        Self::VISEMES.map(|i| Self(i as u8))
    }

    /// Name of the expression, such as `happy`, `jawOpen` or `viseme_PP`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        NAMES[self.0 as usize]
    }

    /// Returns the expression with exactly this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        NAMES.iter().position(|n| *n == name).map(|i| Self(i as u8))
    }

    /// Returns the expression that a blend shape of this name shows. Recognises the names of many tools. Ignores case,
    /// separators and exporters' prefixes (`blendShape1.AK_09_EyeBlinkLeft`, `eyeBlink_L`, `vrc.v_aa`).
    #[must_use]
    pub fn recognise(name: &str) -> Option<Self> {
        if let Some(exact) = Self::from_name(name) {
            return Some(exact);
        }
        // Maya writes a namespace before a colon.
        let spelled = spelling(name.rsplit(':').next().unwrap_or(name));
        let mut candidates = vec![spelled.clone()];
        let mut rest = spelled.as_str();
        while let Some(shorter) = PREFIXES.iter().find_map(|p| rest.strip_prefix(p)) {
            rest = shorter.trim_start_matches(|c: char| c.is_ascii_digit());
            candidates.push(rest.to_owned());
        }
        candidates.iter().find_map(|c| Self::from_spelling(c, name))
    }

    fn from_spelling(spelled: &str, name: &str) -> Option<Self> {
        let lower = name.to_ascii_lowercase();
        // VRChat writes `v_aa`, Rocketbox `AA_VI_10_aa`; both mean visemes.
        if lower.contains("vrc") || lower.contains("aa_vi_") {
            let viseme = spelled.strip_prefix('v').unwrap_or(spelled);
            let viseme = match viseme {
                "ee" => "e",
                "i" => "ih",
                "o" => "oh",
                "u" => "ou",
                other => other,
            };
            let found = Self::visemes().find(|e| spelling(e.name()) == format!("viseme{viseme}"));
            if found.is_some() {
                return found;
            }
        }
        let sided = side_spelled_out(spelled);
        Self::all().find(|e| spelling(e.name()) == spelled || Some(spelling(e.name())) == sided).or_else(
            || {
                let (_, known) = ALIASES.iter().find(|(alias, _)| *alias == spelled)?;
                Self::from_name(known)
            },
        )
    }

    /// Replacements for this expression on avatars that lack it, best first. Each is a list of expressions with gains.
    pub fn alternatives(self) -> impl Iterator<Item = Vec<(Self, f32)>> {
        let found = ALTERNATIVES.iter().find(|(name, _)| *name == self.name());
        found.map_or(&[][..], |(_, list)| list).iter().map(|list| {
            let known = |(name, gain): &(&str, f32)| Self::from_name(name).map(|e| (e, *gain));
            list.iter().filter_map(known).collect()
        })
    }
}

/// Returns a name in lower case without separators.
fn spelling(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Writes out an abbreviated side: `eyeblinkl` becomes `eyeblinkleft`.
fn side_spelled_out(spelled: &str) -> Option<String> {
    if let Some(stem) = spelled.strip_suffix('l') {
        return Some(format!("{stem}left"));
    }
    spelled.strip_suffix('r').map(|stem| format!("{stem}right"))
}

/// An expression channel of an avatar or a clip: an expression of the shared vocabulary, or a custom expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Channel {
    /// An expression of the shared vocabulary.
    Known(Expression),
    /// A custom expression of one avatar.
    Custom(String),
}

impl Channel {
    /// Name of the channel.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Known(expression) => expression.name(),
            Self::Custom(name) => name,
        }
    }
}

impl From<String> for Channel {
    fn from(name: String) -> Self {
        Expression::from_name(&name).map_or(Self::Custom(name), Self::Known)
    }
}

impl From<Expression> for Channel {
    fn from(expression: Expression) -> Self {
        Self::Known(expression)
    }
}

impl From<Channel> for String {
    fn from(channel: Channel) -> Self {
        channel.name().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vocabulary_is_18_presets_52_shapes_and_15_visemes() {
        let counts = (Expression::vrm().count(), Expression::arkit().count(), Expression::visemes().count());
        assert_eq!(counts, (18, 52, 15));
        for expression in Expression::all() {
            assert_eq!(Expression::from_name(expression.name()), Some(expression));
        }
    }

    #[test]
    fn alternatives_name_known_expressions() {
        for (name, alternatives) in ALTERNATIVES {
            let expression = Expression::from_name(name).unwrap_or_else(|| panic!("{name}"));
            let found: Vec<_> = expression.alternatives().collect();
            for (listed, found) in alternatives.iter().zip(&found) {
                assert_eq!(listed.len(), found.len(), "{name} names something unknown");
            }
        }
    }

    #[test]
    fn names_of_other_tools_are_recognised() {
        for (theirs, ours) in [
            ("Blink_L", "blinkLeft"),
            ("joy", "happy"),
            ("eyeBlink_L", "eyeBlinkLeft"),
            ("EyeBlinkLeft", "eyeBlinkLeft"),
            ("blendShape1.AK_09_EyeBlinkLeft", "eyeBlinkLeft"),
            ("blendShape1.AK_52_TongueOut", "tongueOut"),
            ("blendShape1.AA_VI_01_PP", "viseme_PP"),
            ("blendShape1.AA_VI_12_I", "viseme_ih"),
            ("blendShape1.AA_VI_00_Sil", "viseme_sil"),
            ("vis_char_001_fbx:blendShape1.vrc_v_th", "viseme_TH"),
            ("vrc.v_ee", "viseme_E"),
            ("vrc.blink_left", "blinkLeft"),
            ("vrc_v_ou", "viseme_ou"),
            ("viseme_I", "viseme_ih"),
            ("viseme_aa", "viseme_aa"),
            ("mouthSmile_R", "mouthSmileRight"),
            ("lip_a", "aa"),
            ("face_happy", "happy"),
            ("look_left", "lookLeft"),
            ("A", "aa"),
        ] {
            assert_eq!(Expression::recognise(theirs).map(Expression::name), Some(ours), "{theirs}");
        }
        for unknown in ["HideBlush", "", "eye_star", "_", "blendShape1._Neutral2"] {
            assert_eq!(Expression::recognise(unknown), None, "{unknown}");
        }
    }
}
