//! What MediaPipe saw of a person: landmarks of body, face and hands, as they are told over the socket and kept in files.
//!
//! ```json
//! {"time": 1.5, "people": 1, "size": [640, 480], "pose": [[0.5, 0.2, -0.1, 0.99], …], "world": [[0, -0.6, -0.2, 0.99], …]}
//! ```
//!
//! Lists are MediaPipe's own: 33 points of the pose in shares of the picture, the same in metres, 468 points of the face
//! or 478 with irises, 21 of each hand. Pictures are not mirrored, so left is the person's left.

use super::check::Check;
use super::part;
use crate::error::{Error, Faults, Result};
use crate::limits;
use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use vivant::math::{asin32, atan2_32};
use vivant::mimicry::{Face, Fingers, Person, Seen, Spot};

/// Landmarks of one picture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Sighting {
    /// When the picture was taken, in seconds of any clock that runs evenly.
    pub time: f64,
    /// How many people are in it; by default one if there are landmarks, and else nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<u32>,
    /// The picture's width and height in pixels; by default it is square.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<[f32; 2]>,
    /// The pose: x and y in shares of the picture, z likewise by its width, and how visible it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pose: Option<Vec<[f32; 4]>>,
    /// The pose in metres from between the hips: x to the picture's right, y down, z away from the camera, and how visible
    /// it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub world: Option<Vec<[f32; 4]>>,
    /// The face, in shares of the picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub face: Option<Vec<[f32; 3]>>,
    /// The left hand, in shares of the picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_hand: Option<Vec<[f32; 3]>>,
    /// The right hand, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right_hand: Option<Vec<[f32; 3]>>,
}

/// How many points MediaPipe has of each.
pub const POSE_POINTS: usize = 33;
/// Of a face, without irises and with them.
pub const FACE_POINTS: [usize; 2] = [468, 478];
/// Of a hand.
pub const HAND_POINTS: usize = 21;

/// A coordinate beyond this is no share of a picture, and nothing in metres near a camera.
pub(super) const MOST: f64 = 100.0;
/// A picture is no larger than this, and has no more people.
pub(super) const MOST_PIXELS: f64 = 100_000.0;
pub(super) const MOST_PEOPLE: u32 = 1000;

impl Sighting {
    /// Reads one that is JSON already.
    ///
    /// # Errors
    /// If a field is unknown or of another type, a list has not as many points as MediaPipe gives, or a number is out of
    /// range.
    pub fn read(value: Value) -> Result<Self> {
        let sighting: Self = part(value)?;
        sighting.checked().or(sighting)
    }

    /// Whether it can be one.
    ///
    /// # Errors
    /// If a list has not as many points as MediaPipe gives, or a number is out of range.
    pub fn check(&self) -> Result<()> {
        self.checked().or(())
    }

    fn checked(&self) -> Faults {
        let mut check = Check::default();
        check.number("time", self.time, 0.0, limits::MAX_AT_SECONDS, "seconds");
        for (index, side) in self.size.into_iter().flatten().enumerate() {
            check.number(&format!("size[{index}]"), side.into(), 1.0, MOST_PIXELS, "pixels");
        }
        if let Some(people) = self.people {
            check.number("people", people.into(), 0.0, MOST_PEOPLE.into(), "");
        }
        points(&mut check, "pose", self.pose.as_deref(), &[POSE_POINTS]);
        points(&mut check, "world", self.world.as_deref(), &[POSE_POINTS]);
        points(&mut check, "face", self.face.as_deref(), &FACE_POINTS);
        points(&mut check, "leftHand", self.left_hand.as_deref(), &[HAND_POINTS]);
        points(&mut check, "rightHand", self.right_hand.as_deref(), &[HAND_POINTS]);
        check.faults
    }

    /// The person, at a time of the performance.
    #[must_use]
    pub fn person(&self, secs: f64) -> Person {
        let has_hand = self.left_hand.is_some() || self.right_hand.is_some();
        let is_any = self.pose.is_some() || self.world.is_some() || self.face.is_some() || has_hand;
        let people = self.people.unwrap_or_else(|| is_any.into());
        let mut person = Person { people, ..Person::nobody(secs) };
        if people == 0 {
            return person;
        }
        let (places, metres) = self.places().unzip();
        self.set_spots(&mut person, places.as_deref());
        self.set_hands(&mut person, metres.flatten());
        let mesh = self.face.as_deref().and_then(|face| Mesh::of(face, self.aspect()));
        person.face = mesh.as_ref().map(Mesh::face);
        person.from_camera = mesh.map(|mesh| mesh.place()).or_else(|| self.by_shoulders());
        person
    }

    /// Height by width.
    fn aspect(&self) -> f32 {
        self.size.map_or(1.0, |[width, height]| height / width)
    }

    fn set_spots(&self, person: &mut Person, places: Option<&[Vec3]>) {
        let Some(places) = places else { return };
        for (spot, index) in SPOTS {
            person.spots[spot as usize] = Seen { place: places[index], sure: self.sure(index) };
        }
        let [left, right] = MOUTH;
        let place = 0.5 * (places[left] + places[right]);
        person.spots[Spot::Mouth as usize] = Seen { place, sure: self.sure(left).min(self.sure(right)) };
    }

    /// The fingers of both hands; and their wrists and palms, which are exact where hands are seen, and else a guess of the
    /// pose's, in a picture that is so many metres wide.
    fn set_hands(&self, person: &mut Person, metres: Option<f32>) {
        for (side, points) in [&self.left_hand, &self.right_hand].into_iter().enumerate() {
            let hand = points.as_deref().and_then(|points| Hand::of(points, self.aspect()));
            let [wrist, palm] = HAND_SPOTS[side].map(|spot| spot as usize);
            // Without a pose in the picture nothing says where hands are on the body.
            let placed =
                metres.zip(hand.as_ref()).map(|(metres, hand)| hand.placed(person.spots[wrist], metres));
            match placed {
                Some(None) => continue,
                Some(Some(seen)) => [person.spots[wrist], person.spots[palm]] = seen,
                None => {}
            }
            person.hands[side] = hand.map(|hand| hand.fingers);
        }
    }

    /// Where the points of the pose are, in metres, and how many metres the picture is wide there, if there is one. What is
    /// beside and above each other is exact in the picture, and how far off it is was guessed in metres: so each says what
    /// it knows best.
    fn places(&self) -> Option<(Vec<Vec3>, Option<f32>)> {
        let aspect = self.aspect();
        let upright = |points: &Vec<[f32; 4]>, aspect: f32| -> Vec<Vec3> {
            points.iter().map(|[x, y, z, _]| Vec3::new(*x, -y * aspect, -z)).collect()
        };
        let world = self.world.as_ref().map(|points| upright(points, 1.0));
        let Some(pose) = self.pose.as_ref().map(|points| upright(points, aspect)) else {
            return world.map(|world| (world, None));
        };
        let Some(world) = world else { return Some((pose, Some(1.0))) };
        let [in_metres, in_widths] = [&world, &pose].map(|points| self.spread(points));
        let scale = if in_widths > 1e-6 { in_metres / in_widths } else { 1.0 };
        let both = pose.iter().zip(&world).map(|(p, w)| Vec3::new(p.x * scale, p.y * scale, w.z));
        Some((both.collect(), Some(scale)))
    }

    /// How far the points that are seen are spread in the plane of the picture.
    fn spread(&self, points: &[Vec3]) -> f32 {
        let seen = || {
            SPOTS
                .iter()
                .filter(|(_, index)| self.sure(*index) > 0.3)
                .map(|(_, index)| points[*index].truncate())
        };
        let count = seen().count().max(1) as f32;
        let middle = seen().sum::<Vec2>() / count;
        (seen().map(|point| (point - middle).length_squared()).sum::<f32>() / count).sqrt()
    }

    /// How surely a point is where it is said to be. What is out of the picture was guessed.
    fn sure(&self, index: usize) -> f32 {
        let visible = |points: &Vec<[f32; 4]>| points[index][3].clamp(0.0, 1.0);
        match &self.pose {
            Some(pose) if !is_within(&pose[index]) => 0.0,
            Some(pose) => visible(pose),
            None => self.world.as_ref().map_or(0.0, visible),
        }
    }

    /// Where the face is, from how wide the shoulders look.
    fn by_shoulders(&self) -> Option<Vec3> {
        let pose = self.pose.as_deref()?;
        let at = |index: usize| Vec3::new(pose[index][0], pose[index][1] * self.aspect(), pose[index][2]);
        let width = (at(11) - at(12)).length();
        placed(at(0), width / SHOULDERS_M, self.aspect())
    }
}

fn points<const N: usize>(check: &mut Check, field: &str, list: Option<&[[f32; N]]>, counts: &[usize]) {
    let Some(list) = list else { return };
    if !counts.contains(&list.len()) {
        let counts = counts.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ");
        check.faults.push(Error::at(field, format!("has {} points; MediaPipe gives {counts}", list.len())));
        return;
    }
    for (index, point) in list.iter().enumerate() {
        if let Some(number) = point.iter().find(|number| f64::from(**number).abs() > MOST || number.is_nan())
        {
            check.number(&format!("{field}[{index}]"), f64::from(*number), -MOST, MOST, "");
            return;
        }
    }
}

/// How far out of the picture a point may be and still be believed, in shares of it.
const MARGIN: f32 = 0.02;

fn is_within(point: &[f32]) -> bool {
    point[..2].iter().all(|share| (-MARGIN..1.0 + MARGIN).contains(share))
}

/// The wrist and the palm of each hand, the left one first.
const HAND_SPOTS: [[Spot; 2]; 2] = [[Spot::LeftWrist, Spot::LeftPalm], [Spot::RightWrist, Spot::RightPalm]];

/// How far a hand may be from the wrist of the pose, in lengths of a palm: from one that is seen, and from one that is
/// guessed. Another one is somebody else's, or the other hand.
const MOST_OFF: [f32; 2] = [1.2, 4.0];
/// How surely a wrist is seen whose hand is.
const HAND_SURE: f32 = 0.9;

/// A hand, in widths of the picture, with X to the person's left, Y up and Z ahead.
struct Hand {
    wrist: Vec3,
    palm: Vec3,
    /// From the wrist to the farthest knuckle.
    length: f32,
    fingers: Fingers,
}

impl Hand {
    /// The palm is between the wrist and the knuckles at its sides.
    const PALM: [usize; 3] = [0, 5, 17];

    /// `None` if a part of it is out of the picture, where it was guessed, or if it is none.
    fn of(points: &[[f32; 3]], aspect: f32) -> Option<Self> {
        let at = |index: usize| {
            let [x, y, z] = points[index];
            Vec3::new(x, -y * aspect, -z)
        };
        let joints = std::array::from_fn(|finger| std::array::from_fn(|joint| at(1 + 4 * finger + joint)));
        let fingers = Fingers::of(at(0), &joints)?;
        let palm = Self::PALM.map(at).into_iter().sum::<Vec3>() / Self::PALM.len() as f32;
        let length = Self::PALM.map(|index| (at(index) - at(0)).length()).into_iter().fold(0.0, f32::max);
        let is_whole = points.iter().all(|point| is_within(point)) && length > 1e-6;
        is_whole.then_some(Self { wrist: at(0), palm, length, fingers })
    }

    /// Where its wrist and its palm are, of a body whose pose has the wrist there, in a picture that is so many metres
    /// wide; `None` if it is not this body's.
    fn placed(&self, told: Seen, metres: f32) -> Option<[Seen; 2]> {
        let off = self.wrist.truncate() - told.place.truncate() / metres;
        let most = MOST_OFF[usize::from(told.sure < 0.5)];
        let wrist = told.place + off.extend(0.0) * metres;
        let palm = wrist + (self.palm - self.wrist) * metres;
        let sure = told.sure.max(HAND_SURE);
        (off.length() <= most * self.length).then(|| [wrist, palm].map(|place| Seen { place, sure }))
    }
}

/// Which of MediaPipe's points a spot is.
const SPOTS: [(Spot, usize); 14] = [
    (Spot::LeftShoulder, 11),
    (Spot::RightShoulder, 12),
    (Spot::LeftElbow, 13),
    (Spot::RightElbow, 14),
    (Spot::LeftWrist, 15),
    (Spot::RightWrist, 16),
    (Spot::LeftHip, 23),
    (Spot::RightHip, 24),
    (Spot::LeftKnee, 25),
    (Spot::RightKnee, 26),
    (Spot::LeftAnkle, 27),
    (Spot::RightAnkle, 28),
    (Spot::LeftEar, 7),
    (Spot::RightEar, 8),
];
const MOUTH: [usize; 2] = [9, 10];

/// How far the outer corners of an adult's eyes are apart, and the shoulder joints, in metres.
const EYES_M: f32 = 0.089;
const SHOULDERS_M: f32 = 0.34;
/// The longer side of what is seen by how far away it is: cameras of computers see about 60° across it.
const SIDE_BY_DISTANCE: f32 = 1.155;

/// Where something is from the camera, in metres: its place in the picture, and how large a metre looks there, both in
/// widths of the picture.
fn placed(at: Vec3, metre: f32, aspect: f32) -> Option<Vec3> {
    let place = || Vec3::new(0.5 - at.x, 0.5 * aspect - at.y, aspect.max(1.0) / SIDE_BY_DISTANCE) / metre;
    (metre > 1e-4).then(place)
}

/// Points of a face, in widths of the picture, with X to the person's left, Y up and Z ahead.
struct Mesh<'a> {
    points: &'a [[f32; 3]],
    aspect: f32,
    /// The axes of the head: to its left, up and ahead.
    left: Vec3,
    up: Vec3,
    ahead: Vec3,
    /// From one eye's outer corner to the other's.
    size: f32,
}

/// Numbers of the face mesh's points. The right eye is the person's.
mod mesh {
    pub(super) const FOREHEAD: usize = 10;
    pub(super) const CHIN: usize = 152;
    /// Outer corner, inner corner, upper lid, lower lid, brow over it, iris; the left eye first.
    pub(super) const EYES: [[usize; 6]; 2] = [[263, 362, 386, 374, 334, 473], [33, 133, 159, 145, 105, 468]];
    pub(super) const MOUTH_CORNERS: [usize; 2] = [291, 61];
    pub(super) const LIPS: [usize; 2] = [13, 14];
}

impl<'a> Mesh<'a> {
    fn of(points: &'a [[f32; 3]], aspect: f32) -> Option<Self> {
        let blank = Self { points, aspect, left: Vec3::X, up: Vec3::Y, ahead: Vec3::Z, size: 0.0 };
        let [left_eye, right_eye] = mesh::EYES.map(|eye| blank.at(eye[0]));
        let across = left_eye - right_eye;
        let left = across.try_normalize()?;
        let up = blank.at(mesh::FOREHEAD) - blank.at(mesh::CHIN);
        let up = (up - left * up.dot(left)).try_normalize()?;
        Some(Self { left, up, ahead: left.cross(up), size: across.length(), ..blank })
    }

    fn at(&self, index: usize) -> Vec3 {
        let [x, y, z] = self.points[index];
        Vec3::new(x, -y * self.aspect, -z)
    }

    fn far(&self, [a, b]: [usize; 2]) -> f32 {
        (self.at(a) - self.at(b)).length() / self.size
    }

    fn face(&self) -> Face {
        let lips = 0.5 * (self.at(mesh::LIPS[0]) + self.at(mesh::LIPS[1]));
        let corners = 0.5 * (self.at(mesh::MOUTH_CORNERS[0]) + self.at(mesh::MOUTH_CORNERS[1]));
        let lift = (corners - lips).dot(self.up) / self.size;
        // From the corners of the eye: its lid goes up with the brow.
        let raised = |[outer, inner, _, _, brow, _]: [usize; 6]| {
            let eye = 0.5 * (self.at(outer) + self.at(inner));
            (self.at(brow) - eye).dot(self.up) / self.size
        };
        Face {
            head_deg: self.head_deg(),
            smile: self.far(mesh::MOUTH_CORNERS) + lift,
            brows: 0.5 * (raised(mesh::EYES[0]) + raised(mesh::EYES[1])),
            lids: mesh::EYES.map(|eye| self.open(eye)),
            mouth: self.far(mesh::LIPS),
            gaze_deg: self.gaze_deg(),
        }
    }

    fn head_deg(&self) -> [f32; 3] {
        let yaw = atan2_32(self.ahead.x, self.ahead.z);
        let pitch = asin32(self.ahead.y.clamp(-1.0, 1.0));
        let tilt = atan2_32(-self.left.y, self.left.x.abs().max(1e-6));
        [yaw, pitch, tilt].map(f32::to_degrees)
    }

    fn open(&self, [outer, inner, upper, lower, ..]: [usize; 6]) -> f32 {
        self.far([upper, lower]) / self.far([outer, inner]).max(1e-6)
    }

    /// From where the irises are between the corners of the eyes.
    fn gaze_deg(&self) -> Option<[f32; 2]> {
        // An eye is so many times as wide as its ball's radius.
        const WIDTH_BY_RADIUS: f32 = 2.5;
        if self.points.len() < FACE_POINTS[1] {
            return None;
        }
        let mut sum = Vec3::ZERO;
        for [outer, inner, _, _, _, iris] in mesh::EYES {
            let [outer, inner, iris] = [outer, inner, iris].map(|index| self.at(index));
            let width = (outer - inner).length().max(1e-6);
            sum += 0.5 * WIDTH_BY_RADIUS * (iris - 0.5 * (outer + inner)) / width;
        }
        let angle = |sine: f32| asin32(sine.clamp(-1.0, 1.0)).to_degrees();
        Some([angle(sum.dot(self.left)), angle(sum.dot(self.up))])
    }

    fn place(&self) -> Vec3 {
        let between = 0.5 * (self.at(mesh::EYES[0][0]) + self.at(mesh::EYES[1][0]));
        let at = Vec3::new(between.x, -between.y, 0.0);
        placed(at, self.size / EYES_M, self.aspect).unwrap_or(Vec3::Z)
    }
}

#[cfg(test)]
mod tests;
