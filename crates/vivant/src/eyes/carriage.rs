//! How the body carries head and eyes.

use crate::eyes::direction::Direction;
use crate::math::Magnitude as _;
use glam::{DQuat, DVec3};

/// Head and eyes at an instant, as the body carries them before the gaze turns the head; in the model
/// space of the character, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carriage {
    /// How the torso stands, with the turn that the gaze asked for.
    pub torso: DQuat,
    /// Where the neck begins.
    pub neck_place: DVec3,
    /// The neck's own rotation on the torso, from whatever moves it besides the gaze.
    pub neck: DQuat,
    /// The head's own rotation on the neck, likewise: a nod, say.
    pub head: DQuat,
    /// From neck to head, in the neck's frame.
    pub neck_to_head: DVec3,
    /// From head to each eye, left and right, in the head's frame.
    pub head_to_eyes: [DVec3; 2],
    /// The share of a turn of the head that is the neck's.
    pub neck_share: f64,
}

impl Carriage {
    /// The neck's share of a turn of the head (our design).
    pub const NECK_SHARE: f64 = 0.4;

    /// An adult who stands still, with the torso turned to look; eyes 63 mm apart and 1.6 m above ground.
    #[must_use]
    pub fn standing(turn: Direction) -> Self {
        Self {
            torso: turn.to_rotation(),
            neck_place: DVec3::new(0.0, 1.45, 0.0),
            neck: DQuat::IDENTITY,
            head: DQuat::IDENTITY,
            neck_to_head: DVec3::new(0.0, 0.09, 0.0),
            head_to_eyes: [DVec3::new(0.0315, 0.06, 0.08), DVec3::new(-0.0315, 0.06, 0.08)],
            neck_share: Self::NECK_SHARE,
        }
    }

    /// The neck's part of a rotation of the head.
    pub(crate) fn neck_part(&self, turn: DQuat) -> DQuat {
        let turn = if turn.w < 0.0 { -turn } else { turn };
        (DQuat::IDENTITY * (1.0 - self.neck_share) + turn * self.neck_share).to_unit()
    }
}
