//! How VMC calls bones and expressions.
//!
//! Bones have the names of Unity's `HumanBodyBones`. Expressions have those of VRM 0.x, which every receiver has
//! to understand, or those of VRM 1.0; ARKit's have the names that avatars with “perfect sync” give them.

use std::collections::HashMap;
use std::sync::LazyLock;
use vivant::rig::{Bone, Channel, Expression};

/// Whose names expressions have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Names {
    /// VRM 0.x: `Joy`, `A`, `Blink_L`, `BrowInnerUp`. The protocol asks for these from everyone.
    #[default]
    Vrm0,
    /// VRM 1.0: `happy`, `aa`, `blinkLeft`, `browInnerUp`.
    Vrm1,
}

/// VRM 1.0's names, and those of VRM 0.x. `Surprised` was no preset there, but the one that most avatars had.
const PRESETS: [(&str, &str); 18] = [
    ("happy", "Joy"),
    ("angry", "Angry"),
    ("sad", "Sorrow"),
    ("relaxed", "Fun"),
    ("surprised", "Surprised"),
    ("neutral", "Neutral"),
    ("aa", "A"),
    ("ih", "I"),
    ("ou", "U"),
    ("ee", "E"),
    ("oh", "O"),
    ("blink", "Blink"),
    ("blinkLeft", "Blink_L"),
    ("blinkRight", "Blink_R"),
    ("lookUp", "LookUp"),
    ("lookDown", "LookDown"),
    ("lookLeft", "LookLeft"),
    ("lookRight", "LookRight"),
];

impl Names {
    /// What an expression is called.
    #[must_use]
    pub fn of(self, channel: &Channel) -> String {
        let name = channel.name();
        if self == Self::Vrm1 {
            return name.to_owned();
        }
        if let Some((_, old)) = PRESETS.iter().find(|(new, _)| *new == name) {
            return (*old).to_owned();
        }
        match channel {
            Channel::Known(known) if Expression::arkit().any(|each| each == *known) => capital(name),
            _ => name.to_owned(),
        }
    }
}

/// The expression that a name means, whoever gave it.
pub(super) fn channel(name: &str) -> Channel {
    Expression::recognise(name).map_or_else(|| Channel::Custom(name.to_owned()), Channel::Known)
}

/// Unity's name of a bone: VRM's with a capital letter. Of a thumb, VRM 1.0 calls metacarpal what Unity calls
/// proximal, and proximal what it calls intermediate.
pub(super) fn of_bone(bone: Bone) -> String {
    let name = capital(bone.name());
    match name.split_once("Thumb") {
        Some((side, "Metacarpal")) => format!("{side}ThumbProximal"),
        Some((side, "Proximal")) => format!("{side}ThumbIntermediate"),
        _ => name,
    }
}

/// The bone that Unity calls so.
pub(super) fn bone(name: &str) -> Option<Bone> {
    static NAMES: LazyLock<HashMap<String, Bone>> =
        LazyLock::new(|| Bone::ALL.into_iter().map(|bone| (of_bone(bone), bone)).collect());
    NAMES.get(name).copied()
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;
    use vmc::{StandardVRM0Bone, StandardVRMBlendShape};

    #[test]
    fn bones_have_the_names_that_others_know() {
        for bone in Bone::ALL {
            let name = of_bone(bone);
            assert!(StandardVRM0Bone::from_str(&name).is_ok(), "{bone:?}: {name}");
            assert_eq!(super::bone(&name), Some(bone));
        }
        assert_eq!(of_bone(Bone::LeftThumbMetacarpal), "LeftThumbProximal");
        assert_eq!(of_bone(Bone::RightThumbProximal), "RightThumbIntermediate");
        assert_eq!(of_bone(Bone::RightThumbDistal), "RightThumbDistal");
    }

    #[test]
    fn expressions_have_both_kinds_of_names_and_are_known_by_either() {
        for expression in Expression::all() {
            let known = Channel::Known(expression);
            for names in [Names::Vrm0, Names::Vrm1] {
                assert_eq!(channel(&names.of(&known)), known, "{}", names.of(&known));
            }
        }
        for (new, old) in PRESETS {
            let known = StandardVRMBlendShape::from_str(old).is_ok();
            // The two that VRM 0.x has no preset for, or others leave out.
            assert!(known || ["surprised", "neutral"].contains(&new), "{old}");
        }
        let named = |name: &str| Names::Vrm0.of(&Channel::from(name.to_owned()));
        assert_eq!(named("jawOpen"), "JawOpen");
        assert_eq!(named("viseme_PP"), "viseme_PP");
        assert_eq!(named("my Own 表情"), "my Own 表情");
        assert_eq!(channel("my Own 表情"), Channel::Custom("my Own 表情".into()));
    }
}
