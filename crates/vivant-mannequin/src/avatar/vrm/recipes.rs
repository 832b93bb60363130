//! VRM's presets, each as weights of morph targets.
//!
//! Lids are left to blinks: a mood that shut the eyes would fight with whoever owns the lids, so moods
//! squint a little and widen, and override nothing.

/// A preset, and the targets that show it.
pub(super) type Recipe = (&'static str, &'static [(&'static str, f32)]);

/// Our design, chosen by eye on this face; in the order of the names, as files are read.
#[rustfmt::skip]
pub(super) const PRESETS: [Recipe; 18] = [
    ("aa", &[("viseme_aa", 1.0)]),
    ("angry", &[
        ("browDownLeft", 0.9), ("browDownRight", 0.9), ("eyeSquintLeft", 0.3), ("eyeSquintRight", 0.3),
        ("noseSneerLeft", 0.35), ("noseSneerRight", 0.35), ("mouthFrownLeft", 0.35), ("mouthFrownRight", 0.35),
        ("mouthPressLeft", 0.4), ("mouthPressRight", 0.4),
    ]),
    ("blink", &[("eyeBlinkLeft", 1.0), ("eyeBlinkRight", 1.0)]),
    ("blinkLeft", &[("eyeBlinkLeft", 1.0)]),
    ("blinkRight", &[("eyeBlinkRight", 1.0)]),
    ("ee", &[("viseme_E", 1.0)]),
    ("happy", &[
        ("mouthSmileLeft", 0.8), ("mouthSmileRight", 0.8), ("cheekSquintLeft", 0.6), ("cheekSquintRight", 0.6),
        ("eyeSquintLeft", 0.3), ("eyeSquintRight", 0.3), ("browOuterUpLeft", 0.15), ("browOuterUpRight", 0.15),
    ]),
    ("ih", &[("viseme_ih", 1.0)]),
    ("lookDown", &[("eyeLookDownLeft", 1.0), ("eyeLookDownRight", 1.0)]),
    ("lookLeft", &[("eyeLookOutLeft", 1.0), ("eyeLookInRight", 1.0)]),
    ("lookRight", &[("eyeLookInLeft", 1.0), ("eyeLookOutRight", 1.0)]),
    ("lookUp", &[("eyeLookUpLeft", 1.0), ("eyeLookUpRight", 1.0)]),
    ("neutral", &[]),
    ("oh", &[("viseme_oh", 1.0)]),
    ("ou", &[("viseme_ou", 1.0)]),
    ("relaxed", &[
        ("mouthSmileLeft", 0.35), ("mouthSmileRight", 0.35), ("cheekSquintLeft", 0.2), ("cheekSquintRight", 0.2),
        ("eyeSquintLeft", 0.2), ("eyeSquintRight", 0.2), ("browInnerUp", 0.1),
    ]),
    ("sad", &[
        ("browInnerUp", 0.85), ("mouthFrownLeft", 0.7), ("mouthFrownRight", 0.7), ("mouthShrugLower", 0.25),
        ("eyeSquintLeft", 0.15), ("eyeSquintRight", 0.15),
    ]),
    ("surprised", &[
        ("browInnerUp", 0.7), ("browOuterUpLeft", 0.85), ("browOuterUpRight", 0.85), ("eyeWideLeft", 0.8),
        ("eyeWideRight", 0.8), ("jawOpen", 0.35), ("mouthFunnel", 0.2),
    ]),
];
