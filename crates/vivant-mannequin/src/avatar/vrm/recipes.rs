//! VRM presets as weights of morph targets.
//!
//! Moods do not close the eyes, since this would conflict with the lid model. They only squint slightly or widen the
//! eyes slightly, and do not override blinks, gaze or mouth.

/// A preset and its morph targets.
pub(super) type Recipe = (&'static str, &'static [(&'static str, f32)]);

/// The presets, sorted by name. The weights are our design, chosen by eye on this face.
#[rustfmt::skip]
pub(super) const PRESETS: [Recipe; 18] = [
    ("aa", &[("viseme_aa", 1.0)]),
    ("angry", &[
        ("browDownLeft", 1.0), ("browDownRight", 1.0), ("eyeSquintLeft", 0.35), ("eyeSquintRight", 0.35),
        ("noseSneerLeft", 0.5), ("noseSneerRight", 0.5), ("mouthFrownLeft", 0.5), ("mouthFrownRight", 0.5),
        ("mouthPressLeft", 0.4), ("mouthPressRight", 0.4), ("jawForward", 0.25),
    ]),
    ("blink", &[("eyeBlinkLeft", 1.0), ("eyeBlinkRight", 1.0)]),
    ("blinkLeft", &[("eyeBlinkLeft", 1.0)]),
    ("blinkRight", &[("eyeBlinkRight", 1.0)]),
    ("ee", &[("viseme_E", 1.0)]),
    ("happy", &[
        ("mouthSmileLeft", 0.9), ("mouthSmileRight", 0.9), ("cheekSquintLeft", 0.7), ("cheekSquintRight", 0.7),
        ("eyeSquintLeft", 0.3), ("eyeSquintRight", 0.3), ("browOuterUpLeft", 0.2), ("browOuterUpRight", 0.2),
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
        ("mouthSmileLeft", 0.4), ("mouthSmileRight", 0.4), ("cheekSquintLeft", 0.25), ("cheekSquintRight", 0.25),
        ("eyeSquintLeft", 0.2), ("eyeSquintRight", 0.2), ("browInnerUp", 0.1),
    ]),
    ("sad", &[
        ("browInnerUp", 1.0), ("mouthFrownLeft", 0.85), ("mouthFrownRight", 0.85), ("mouthShrugLower", 0.35),
        ("eyeSquintLeft", 0.2), ("eyeSquintRight", 0.2),
    ]),
    ("surprised", &[
        ("browInnerUp", 0.8), ("browOuterUpLeft", 0.9), ("browOuterUpRight", 0.9), ("eyeWideLeft", 0.9),
        ("eyeWideRight", 0.9), ("jawOpen", 0.45), ("mouthFunnel", 0.3),
    ]),
];
