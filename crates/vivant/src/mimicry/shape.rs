//! Posture descriptors for comparison: arms and weight, independent of body size and orientation.
//!
//! People and characters differ in size, and the person rarely faces the camera exactly. `Shape::of` therefore
//! expresses the arms in the coordinate frame of the trunk and all distances relative to the arm or leg length, so that
//! a person can be compared with the stances of a repertoire. Depth from a single camera is too inaccurate for the
//! shift of the hips, so `Weight` uses the depth of the known posture instead.

use super::person::{Landmark, Person};
use glam::Vec3;

/// Minimum confidence of a landmark; landmarks with a lower confidence are ignored.
pub(super) const SURE: f32 = 0.3;

/// A posture. Parts that are not visible are `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shape {
    /// Left and right arm.
    pub(super) arms: [Option<Arm>; 2],
    /// Distance between the wrists, relative to the arm length.
    pub(super) between_wrists: Option<f32>,
    /// Distance between the palms, relative to the arm length.
    pub(super) between_palms: Option<f32>,
    /// Position of the hips relative to the feet.
    pub(super) weight: Option<Weight>,
}

/// Offset of the hips from the feet relative to the leg length, and the orientation of the trunk. The offset is split
/// into the parts across and along the viewing direction. If the person faces the viewer, they point to the person's
/// left and ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weight {
    across: f32,
    along: f32,
    /// Cosine and sine of the yaw of the trunk.
    turn: [f32; 2],
}

impl Weight {
    /// Returns the sideways offset of the hips relative to the offset of a known posture with the same orientation.
    ///
    /// Depth from a camera is not accurate to centimetres, so only the depth of the known posture is used.
    pub(super) fn aside_of(self, known: Self) -> f32 {
        let [cosine, sine] = self.turn;
        self.across - (known.across * cosine + known.along * sine)
    }

    /// Returns the approximate sideways offset; nearly zero for a person who stands on both legs.
    pub(super) fn aside(self) -> f32 {
        self.aside_of(Self { across: 0.0, along: STANDING_ALONG, turn: [1.0, 0.0] })
    }
}

/// Distance of the hips ahead of the ankles in upright standing, relative to the leg length.
const STANDING_ALONG: f32 = 0.03;

/// An arm in the coordinate frame of the trunk: X outwards, Y up, Z ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Arm {
    /// Direction of the upper arm.
    pub(super) upper: Vec3,
    /// Direction of the forearm.
    pub(super) fore: Vec3,
    /// Vector from the shoulder to the wrist, relative to the arm length.
    pub(super) wrist: Vec3,
    /// Distances of the wrist to other body parts.
    pub(super) wrist_near: Near,
    /// Distances of the palm to other body parts, if the palm is visible. They are more exact than those of the wrist,
    /// because people touch with the palm.
    pub(super) palm_near: Option<Near>,
    /// Confidence from 0 to 1.
    pub(super) sure: f32,
}

/// Distances of a hand to the hip of its side, the other elbow and the mouth, relative to the arm length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Near {
    pub(super) hip: Option<f32>,
    pub(super) other_elbow: Option<f32>,
    pub(super) mouth: Option<f32>,
}

/// Coordinate frame of the trunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Trunk {
    pub(super) left: Vec3,
    pub(super) up: Vec3,
    pub(super) ahead: Vec3,
}

impl Trunk {
    /// Computes the trunk of a person with visible shoulders. If the hips are not visible, the trunk is assumed to be
    /// upright.
    pub(super) fn of(person: &Person) -> Option<Self> {
        let [left, right] = both(person, Landmark::LeftShoulder)?;
        let up = match both(person, Landmark::LeftHip) {
            Some([left_hip, right_hip]) => 0.5 * (left + right) - 0.5 * (left_hip + right_hip),
            None => Vec3::Y,
        };
        let up = up.try_normalize()?;
        let across = left - right;
        let left = (across - up * across.dot(up)).try_normalize()?;
        Some(Self { left, up, ahead: left.cross(up) })
    }

    /// Transforms a direction to the frame of the trunk; `side` is 1 for left and −1 for right, so that X points
    /// outwards.
    fn to_trunk(self, way: Vec3, side: f32) -> Vec3 {
        Vec3::new(side * way.dot(self.left), way.dot(self.up), way.dot(self.ahead))
    }
}

fn both(person: &Person, left: Landmark) -> Option<[Vec3; 2]> {
    Some([person.place(left, SURE)?, person.place(left.mirrored(), SURE)?])
}

impl Shape {
    /// Computes the posture of a person; `None` if the shoulders are not visible.
    pub(super) fn of(person: &Person) -> Option<Self> {
        let trunk = Trunk::of(person)?;
        let arms = [1.0, -1.0].map(|side| Arm::of(person, &trunk, side));
        let length = arm_length(person);
        let wrists = [Landmark::LeftWrist, Landmark::RightWrist]
            .map(|landmark| person.landmarks[landmark as usize].place);
        let are_seen = arms.iter().all(Option::is_some);
        let palms = both(person, Landmark::LeftPalm).filter(|_| are_seen);
        Some(Self {
            arms,
            between_wrists: are_seen.then(|| (wrists[0] - wrists[1]).length() / length),
            between_palms: palms.map(|palms| (palms[0] - palms[1]).length() / length),
            weight: weight(person, &trunk),
        })
    }
}

impl Arm {
    fn of(person: &Person, trunk: &Trunk, side: f32) -> Option<Self> {
        let own = |left: Landmark| if side > 0.0 { left } else { left.mirrored() };
        let seen = |left: Landmark| person.landmarks[own(left) as usize];
        let [shoulder, elbow, wrist] =
            [Landmark::LeftShoulder, Landmark::LeftElbow, Landmark::LeftWrist].map(seen);
        // Hidden wrists (for example behind the back) are reported too; their confidence is used as a weight.
        let sure = elbow.sure.min(wrist.sure);
        if elbow.sure <= 0.05 || wrist.sure <= 0.0 {
            return None;
        }
        let length = arm_length(person);
        let near = |from: Vec3| {
            let far = |landmark: Landmark| {
                person.place(landmark, SURE).map(|place| (from - place).length() / length)
            };
            let [hip, other_elbow] = [Landmark::LeftHip, Landmark::RightElbow].map(own).map(far);
            Near { hip, other_elbow, mouth: far(Landmark::Mouth) }
        };
        Some(Self {
            upper: trunk.to_trunk((elbow.place - shoulder.place).try_normalize()?, side),
            fore: trunk.to_trunk((wrist.place - elbow.place).try_normalize()?, side),
            wrist: trunk.to_trunk(wrist.place - shoulder.place, side) / length,
            wrist_near: near(wrist.place),
            palm_near: person.place(own(Landmark::LeftPalm), SURE).map(near),
            sure,
        })
    }
}

/// Returns the distance from shoulder to wrist along the arm that looks longer, because an arm that points at the
/// camera looks short.
fn arm_length(person: &Person) -> f32 {
    let length = |[shoulder, elbow, wrist]: [Landmark; 3]| {
        let [a, b, c] = [shoulder, elbow, wrist].map(|landmark| person.landmarks[landmark as usize].place);
        (b - a).length() + (c - b).length()
    };
    let left = [Landmark::LeftShoulder, Landmark::LeftElbow, Landmark::LeftWrist];
    length(left).max(length(left.map(Landmark::mirrored))).max(1e-3)
}

/// Returns the position of the hips relative to the feet; `None` for a person seen from the side.
fn weight(person: &Person, trunk: &Trunk) -> Option<Weight> {
    let hips = both(person, Landmark::LeftHip)?;
    let ankles = both(person, Landmark::LeftAnkle)?;
    let leg = ((hips[0] - ankles[0]).y + (hips[1] - ankles[1]).y) * 0.5;
    let away = (hips[0] + hips[1] - ankles[0] - ankles[1]) * 0.5;
    let turn = [trunk.left.x, trunk.ahead.x];
    (leg > 1e-3 && turn[0] > FROM_THE_SIDE).then(|| Weight {
        across: away.x / leg,
        along: away.z / leg,
        turn,
    })
}

/// Cosine of 50°: a person who is turned by more counts as seen from the side.
const FROM_THE_SIDE: f32 = 0.64;
