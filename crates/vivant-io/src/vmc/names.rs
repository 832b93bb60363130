//! Names of bones and expressions in VMC.
//!
//! Bones have the names of Unity's `HumanBodyBones`. Expressions have the names of VRM 0.x, which every receiver must
//! support, or of VRM 1.0. ARKit shapes have the names used by “perfect sync” avatars.

use std::collections::HashMap;
use std::sync::LazyLock;
use vivant::rig::{Bone, Channel, Expression};

/// Naming convention of expressions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Names {
    /// VRM 0.x: `Joy`, `A`, `Blink_L`, `BrowInnerUp`. The protocol requires these.
    #[default]
    Vrm0,
    /// VRM 1.0: `happy`, `aa`, `blinkLeft`, `browInnerUp`.
    Vrm1,
}

/// Names in VRM 1.0 and in VRM 0.x. `Surprised` was not a preset of 0.x, but most avatars had it.
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
    /// Returns the name of an expression in this convention.
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

/// Returns the expression with the given name, in any convention.
pub(super) fn channel(name: &str) -> Channel {
    Expression::recognise(name).map_or_else(|| Channel::Custom(name.to_owned()), Channel::Known)
}

/// Returns Unity's name of a bone: VRM's with a capital letter. The thumb's metacarpal in VRM 1.0 is Unity's
/// proximal, and its proximal is Unity's intermediate.
pub(super) fn bone_name(bone: Bone) -> String {
    let name = capital(bone.name());
    match name.split_once("Thumb") {
        Some((side, "Metacarpal")) => format!("{side}ThumbProximal"),
        Some((side, "Proximal")) => format!("{side}ThumbIntermediate"),
        _ => name,
    }
}

/// Returns the bone of a Unity name.
pub(super) fn bone(name: &str) -> Option<Bone> {
    static NAMES: LazyLock<HashMap<String, Bone>> =
        LazyLock::new(|| Bone::ALL.into_iter().map(|bone| (bone_name(bone), bone)).collect());
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
    fn bone_names_match_the_vmc_crate() {
        for bone in Bone::ALL {
            let name = bone_name(bone);
            assert!(StandardVRM0Bone::from_str(&name).is_ok(), "{bone:?}: {name}");
            assert_eq!(super::bone(&name), Some(bone));
        }
        assert_eq!(bone_name(Bone::LeftThumbMetacarpal), "LeftThumbProximal");
        assert_eq!(bone_name(Bone::RightThumbProximal), "RightThumbIntermediate");
        assert_eq!(bone_name(Bone::RightThumbDistal), "RightThumbDistal");
    }

    #[test]
    fn expression_names_round_trip_in_both_conventions() {
        for expression in Expression::all() {
            let known = Channel::Known(expression);
            for names in [Names::Vrm0, Names::Vrm1] {
                assert_eq!(channel(&names.of(&known)), known, "{}", names.of(&known));
            }
        }
        for (new, old) in PRESETS {
            let known = StandardVRMBlendShape::from_str(old).is_ok();
            // VRM 0.x has no `surprised`, and some programs omit `neutral`.
            assert!(known || ["surprised", "neutral"].contains(&new), "{old}");
        }
        let named = |name: &str| Names::Vrm0.of(&Channel::from(name.to_owned()));
        assert_eq!(named("jawOpen"), "JawOpen");
        assert_eq!(named("viseme_PP"), "viseme_PP");
        assert_eq!(named("my Own 表情"), "my Own 表情");
        assert_eq!(channel("my Own 表情"), Channel::Custom("my Own 表情".into()));
    }
}
