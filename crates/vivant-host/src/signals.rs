//! Eyes, lids and head as numbers: the [columns](SIGNALS) of a trace.
//!
//! Traces, plots, the linter and the frames of the live server all use the same fourteen signals, so that a
//! performance can be compared with a recording. Angles are in degrees, with yaw positive to the character's left and
//! pitch positive up; apertures are from 0 (closed) to 1; `blink` is 1 during a blink and otherwise 0.

use glam::{DQuat, DVec3};
use vivant::eyes::EyeFrame;
use vivant::eyes::direction::Direction;
use vivant::math::atan2;
use vivant::performer::Performer;
pub use vivant_io::json::protocol::frame::SIGNALS;

/// The values of a performer without eyes: all angles are zero, and the lids are open.
const NOTHING: [f64; SIGNALS.len()] = [0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 1., 1., 0.];

/// Returns the values of the performer's last frame, in the order of [`SIGNALS`].
#[must_use]
pub fn of(performer: &Performer) -> [f64; SIGNALS.len()] {
    performer.gaze().map_or(NOTHING, of_eyes)
}

/// Returns the values of an eye frame, in the order of [`SIGNALS`].
#[must_use]
pub fn of_eyes(frame: &EyeFrame) -> [f64; SIGNALS.len()] {
    let [left, right] = frame.eyes.map(Direction::of);
    let [yaw, pitch, roll] = head_angles(frame.head_in_model);
    let gaze = Direction::of(frame.gaze);
    let [left_lid, right_lid] = frame.lids;
    [
        left.yaw_deg,
        left.pitch_deg,
        right.yaw_deg,
        right.pitch_deg,
        yaw,
        pitch,
        roll,
        gaze.yaw_deg,
        gaze.pitch_deg,
        left_lid.upper_deg,
        right_lid.upper_deg,
        left_lid.aperture,
        right_lid.aperture,
        f64::from(u8::from(is_blinking(frame))),
    ]
}

/// Returns true if a lid is blinking.
#[must_use]
pub fn is_blinking(frame: &EyeFrame) -> bool {
    frame.is_blinking.contains(&true)
}

/// Returns yaw, pitch and roll of the head in degrees, as Fick angles, which are applied in this order.
fn head_angles(head: DQuat) -> [f64; 3] {
    let Direction { yaw_deg, pitch_deg } = Direction::of(head * DVec3::Z);
    let roll = atan2((head * DVec3::X).y, (head * DVec3::Y).y);
    [yaw_deg, pitch_deg, roll.to_degrees()]
}

/// Describes a direction, such as “30° left and 10° up”.
#[must_use]
pub fn in_words(direction: Direction) -> String {
    let one_decimal = |number: f64| (number * 10.0).round() / 10.0;
    let part = |degrees: f64, positive: &str, negative: &str| {
        let size = one_decimal(degrees.abs());
        (size != 0.0).then(|| format!("{size}° {}", if degrees > 0.0 { positive } else { negative }))
    };
    let parts = [part(direction.yaw_deg, "left", "right"), part(direction.pitch_deg, "up", "down")];
    let parts = parts.into_iter().flatten().collect::<Vec<_>>();
    if parts.is_empty() { "straight ahead".into() } else { parts.join(" and ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_angles_are_yaw_pitch_and_roll() {
        let half = |degrees: f64| degrees.to_radians() * 0.5;
        for (yaw, pitch, roll) in
            [(0.0, 0.0, 0.0), (30.0, 20.0, 0.0), (-110.0, -45.0, 12.0), (5.0, 60.0, -30.0)]
        {
            let turned = Direction::new(yaw, pitch).to_rotation();
            let tilted =
                DQuat::from_xyzw(0.0, 0.0, vivant::math::sin(half(roll)), vivant::math::cos(half(roll)));
            for (found, expected) in head_angles(turned * tilted).into_iter().zip([yaw, pitch, roll]) {
                assert!((found - expected).abs() < 1e-9, "{yaw} {pitch} {roll}: {found}");
            }
        }
        let [_, _, roll] = head_angles(DQuat::from_axis_angle(DVec3::Z, 0.1));
        assert!(roll > 0.0, "raising the left ear is a tilt to the right");
    }

    #[test]
    fn directions_are_described() {
        for (yaw, pitch, words) in [
            (0.0, 0.0, "straight ahead"),
            (30.0, 0.0, "30° left"),
            (-30.0, 10.25, "30° right and 10.3° up"),
            (0.0, -5.0, "5° down"),
            (0.01, -0.01, "straight ahead"),
        ] {
            assert_eq!(in_words(Direction::new(yaw, pitch)), words);
        }
    }
}
