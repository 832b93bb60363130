//! MediaPipe landmarks of a person: body, face and hands, as sent over the socket and stored in files.
//!
//! ```json
//! {"time": 1.5, "people": 1, "size": [640, 480], "pose": [[0.5, 0.2, -0.1, 0.99], …], "world": [[0, -0.6, -0.2, 0.99], …]}
//! ```
//!
//! The lists are those of MediaPipe: 33 pose points relative to the image size, the same points in metres, 468 face
//! points or 478 with irises, and 21 points of each hand. Images are not mirrored, so left is the person's left.

use super::check::Check;
use super::part;
use crate::error::{Error, ErrorList, Result};
use crate::limits;
use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use vivant::math::{asin32, atan2_32};
use vivant::mimicry::{Face, Fingers, Landmark, Person, TrackedLandmark};

/// Landmarks of one image.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Sighting {
    /// Time of the image in seconds of any steady clock.
    pub time: f64,
    /// Number of people in the image. Default: 1 if there are landmarks, else 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<u32>,
    /// Width and height of the image in pixels. Default: square.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<[f32; 2]>,
    /// Pose points: x and y relative to the image size, z relative to its width, and visibility.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pose: Option<Vec<[f32; 4]>>,
    /// Pose points in metres from the centre of the hips: x to the image's right, y down, z away from the camera, and
    /// visibility.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub world: Option<Vec<[f32; 4]>>,
    /// Face points relative to the image size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub face: Option<Vec<[f32; 3]>>,
    /// Points of the left hand relative to the image size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_hand: Option<Vec<[f32; 3]>>,
    /// Points of the right hand relative to the image size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right_hand: Option<Vec<[f32; 3]>>,
}

/// Number of pose points.
pub const POSE_POINTS: usize = 33;
/// Number of face points, without and with irises.
pub const FACE_POINTS: [usize; 2] = [468, 478];
/// Number of hand points.
pub const HAND_POINTS: usize = 21;

/// Largest accepted coordinate, in metres or in image sizes.
pub(super) const MAX_COORDINATE: f64 = 100.0;
/// Largest accepted image size in pixels, and number of people.
pub(super) const MAX_PIXELS: f64 = 100_000.0;
pub(super) const MAX_PEOPLE: u32 = 1000;

impl Sighting {
    /// Reads a sighting from parsed JSON.
    ///
    /// # Errors
    /// If a field is unknown or has another type, a list has the wrong number of points, or a number is out of range.
    pub fn read(value: Value) -> Result<Self> {
        let sighting: Self = part(value)?;
        sighting.faults().or(sighting)
    }

    /// Checks the sighting.
    ///
    /// # Errors
    /// If a list has the wrong number of points, or a number is out of range.
    pub fn check(&self) -> Result<()> {
        self.faults().or(())
    }

    fn faults(&self) -> ErrorList {
        let mut check = Check::default();
        check.number("time", self.time, 0.0, limits::MAX_AT_SECONDS, "seconds");
        for (index, side) in self.size.into_iter().flatten().enumerate() {
            check.number(&format!("size[{index}]"), side.into(), 1.0, MAX_PIXELS, "pixels");
        }
        if let Some(people) = self.people {
            check.number("people", people.into(), 0.0, MAX_PEOPLE.into(), "");
        }
        points(&mut check, "pose", self.pose.as_deref(), &[POSE_POINTS]);
        points(&mut check, "world", self.world.as_deref(), &[POSE_POINTS]);
        points(&mut check, "face", self.face.as_deref(), &FACE_POINTS);
        points(&mut check, "leftHand", self.left_hand.as_deref(), &[HAND_POINTS]);
        points(&mut check, "rightHand", self.right_hand.as_deref(), &[HAND_POINTS]);
        check.faults
    }

    /// Returns the tracked person; `secs` is the time of the image in seconds of the performance.
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
        person.from_camera = mesh.map(|mesh| mesh.place()).or_else(|| self.position_by_shoulders());
        person
    }

    /// Returns the height of the image divided by its width.
    fn aspect(&self) -> f32 {
        self.size.map_or(1.0, |[width, height]| height / width)
    }

    fn set_spots(&self, person: &mut Person, places: Option<&[Vec3]>) {
        let Some(places) = places else { return };
        for (landmark, index) in SPOTS {
            person.landmarks[landmark as usize] =
                TrackedLandmark { place: places[index], sure: self.confidence_of(index) };
        }
        let [left, right] = MOUTH;
        let place = 0.5 * (places[left] + places[right]);
        person.landmarks[Landmark::Mouth as usize] =
            TrackedLandmark { place, sure: self.confidence_of(left).min(self.confidence_of(right)) };
    }

    /// Sets the fingers, wrists and palms of the visible hands. Wrists and palms of other hands keep the less exact
    /// positions from the pose. `metres` is the width of the image in metres.
    fn set_hands(&self, person: &mut Person, metres: Option<f32>) {
        for (side, points) in [&self.left_hand, &self.right_hand].into_iter().enumerate() {
            let hand = points.as_deref().and_then(|points| Hand::of(points, self.aspect()));
            let [wrist, palm] = HAND_SPOTS[side].map(|landmark| landmark as usize);
            // Without a pose the position of the hands on the body is unknown.
            let landmarks = metres
                .zip(hand.as_ref())
                .map(|(metres, hand)| hand.landmarks(person.landmarks[wrist], metres));
            match landmarks {
                Some(None) => continue,
                Some(Some(seen)) => [person.landmarks[wrist], person.landmarks[palm]] = seen,
                None => {}
            }
            person.hands[side] = hand.map(|hand| hand.fingers);
        }
    }

    /// Returns the pose points in metres, and the width of the image in metres, if there is a pose. Positions across
    /// the image come from the image points, which are more exact; depth and size come from the points in metres.
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

    /// Returns the root mean square distance of the visible points from their mean, in the image plane.
    fn spread(&self, points: &[Vec3]) -> f32 {
        let seen = || {
            SPOTS
                .iter()
                .filter(|(_, index)| self.confidence_of(*index) > 0.3)
                .map(|(_, index)| points[*index].truncate())
        };
        let count = seen().count().max(1) as f32;
        let middle = seen().sum::<Vec2>() / count;
        (seen().map(|point| (point - middle).length_squared()).sum::<f32>() / count).sqrt()
    }

    /// Returns the confidence of a point. Points outside the image are guesses.
    fn confidence_of(&self, index: usize) -> f32 {
        let visible = |points: &Vec<[f32; 4]>| points[index][3].clamp(0.0, 1.0);
        match &self.pose {
            Some(pose) if !is_within(&pose[index]) => 0.0,
            Some(pose) => visible(pose),
            None => self.world.as_ref().map_or(0.0, visible),
        }
    }

    /// Estimates the position of the face from the apparent width of the shoulders.
    fn position_by_shoulders(&self) -> Option<Vec3> {
        let pose = self.pose.as_deref()?;
        let at = |index: usize| Vec3::new(pose[index][0], pose[index][1] * self.aspect(), pose[index][2]);
        let width = (at(11) - at(12)).length();
        position_from_camera(at(0), width / SHOULDERS_M, self.aspect())
    }
}

fn points<const N: usize>(check: &mut Check, field: &str, list: Option<&[[f32; N]]>, counts: &[usize]) {
    let Some(list) = list else { return };
    if !counts.contains(&list.len()) {
        let counts = counts.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ");
        check.faults.push(Error::at(
            field,
            format!("found {} points, expected {counts} as from MediaPipe", list.len()),
        ));
        return;
    }
    for (index, point) in list.iter().enumerate() {
        if let Some(number) =
            point.iter().find(|number| f64::from(**number).abs() > MAX_COORDINATE || number.is_nan())
        {
            check.number(
                &format!("{field}[{index}]"),
                f64::from(*number),
                -MAX_COORDINATE,
                MAX_COORDINATE,
                "",
            );
            return;
        }
    }
}

/// Margin around the image within which points are trusted, relative to its size.
const MARGIN: f32 = 0.02;

fn is_within(point: &[f32]) -> bool {
    point[..2].iter().all(|share| (-MARGIN..1.0 + MARGIN).contains(share))
}

/// The wrist and palm of each hand, left first.
const HAND_SPOTS: [[Landmark; 2]; 2] =
    [[Landmark::LeftWrist, Landmark::LeftPalm], [Landmark::RightWrist, Landmark::RightPalm]];

/// Maximum distance of a hand from the wrist of the pose, in palm lengths: for a visible wrist, and for a guessed
/// one. Hands farther away belong to another person or are the other hand.
const MAX_OFFSET: [f32; 2] = [1.2, 4.0];
/// Confidence of a wrist whose hand is visible.
const HAND_CONFIDENCE: f32 = 0.9;

/// A hand in image widths, with X to the person's left, Y up and Z ahead.
struct Hand {
    wrist: Vec3,
    palm: Vec3,
    /// Distance from the wrist to the farthest knuckle.
    length: f32,
    fingers: Fingers,
}

impl Hand {
    /// Points whose mean is the palm: the wrist and the outer knuckles.
    const PALM: [usize; 3] = [0, 5, 17];

    /// Creates a hand from MediaPipe points. Returns `None` if part of the hand is outside the image, where points
    /// are guesses, or if the hand has no size.
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

    /// Returns the landmarks of wrist and palm, given the wrist of the pose and the width of the image in metres;
    /// `None` if the hand is too far from that wrist to belong to this body.
    fn landmarks(&self, pose_wrist: TrackedLandmark, metres: f32) -> Option<[TrackedLandmark; 2]> {
        let off = self.wrist.truncate() - pose_wrist.place.truncate() / metres;
        let most = MAX_OFFSET[usize::from(pose_wrist.sure < 0.5)];
        let wrist = pose_wrist.place + off.extend(0.0) * metres;
        let palm = wrist + (self.palm - self.wrist) * metres;
        let sure = pose_wrist.sure.max(HAND_CONFIDENCE);
        (off.length() <= most * self.length)
            .then(|| [wrist, palm].map(|place| TrackedLandmark { place, sure }))
    }
}

/// MediaPipe point of each landmark.
const SPOTS: [(Landmark, usize); 14] = [
    (Landmark::LeftShoulder, 11),
    (Landmark::RightShoulder, 12),
    (Landmark::LeftElbow, 13),
    (Landmark::RightElbow, 14),
    (Landmark::LeftWrist, 15),
    (Landmark::RightWrist, 16),
    (Landmark::LeftHip, 23),
    (Landmark::RightHip, 24),
    (Landmark::LeftKnee, 25),
    (Landmark::RightKnee, 26),
    (Landmark::LeftAnkle, 27),
    (Landmark::RightAnkle, 28),
    (Landmark::LeftEar, 7),
    (Landmark::RightEar, 8),
];
const MOUTH: [usize; 2] = [9, 10];

/// Distance between the outer corners of an adult's eyes, and between the shoulder joints, in metres.
const EYES_M: f32 = 0.089;
const SHOULDERS_M: f32 = 0.34;
/// Longer side of the visible area divided by its distance: webcams see about 60° across it.
const SIDE_BY_DISTANCE: f32 = 1.155;

/// Returns the position relative to the camera in metres, from a position in the image and the apparent size of a
/// metre there, both in image widths.
fn position_from_camera(at: Vec3, metre: f32, aspect: f32) -> Option<Vec3> {
    let place = || Vec3::new(0.5 - at.x, 0.5 * aspect - at.y, aspect.max(1.0) / SIDE_BY_DISTANCE) / metre;
    (metre > 1e-4).then(place)
}

/// Face points in image widths, with X to the person's left, Y up and Z ahead.
struct Mesh<'a> {
    points: &'a [[f32; 3]],
    aspect: f32,
    /// Axes of the head: left, up and ahead.
    left: Vec3,
    up: Vec3,
    ahead: Vec3,
    /// Distance between the outer corners of the eyes.
    size: f32,
}

/// Indices of face mesh points. Left and right are the person's.
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

    fn relative_distance(&self, [a, b]: [usize; 2]) -> f32 {
        (self.at(a) - self.at(b)).length() / self.size
    }

    fn face(&self) -> Face {
        let lips = 0.5 * (self.at(mesh::LIPS[0]) + self.at(mesh::LIPS[1]));
        let corners = 0.5 * (self.at(mesh::MOUTH_CORNERS[0]) + self.at(mesh::MOUTH_CORNERS[1]));
        let lift = (corners - lips).dot(self.up) / self.size;
        // Relative to the corners of the eye, since the lid rises with the brow.
        let raised = |[outer, inner, _, _, brow, _]: [usize; 6]| {
            let eye = 0.5 * (self.at(outer) + self.at(inner));
            (self.at(brow) - eye).dot(self.up) / self.size
        };
        Face {
            head_deg: self.head_deg(),
            smile: self.relative_distance(mesh::MOUTH_CORNERS) + lift,
            brows: 0.5 * (raised(mesh::EYES[0]) + raised(mesh::EYES[1])),
            lids: mesh::EYES.map(|eye| self.open(eye)),
            mouth: self.relative_distance(mesh::LIPS),
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
        self.relative_distance([upper, lower]) / self.relative_distance([outer, inner]).max(1e-6)
    }

    /// Estimates gaze from the position of the irises between the corners of the eyes.
    fn gaze_deg(&self) -> Option<[f32; 2]> {
        // Width of an eye relative to the radius of the eyeball.
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
        position_from_camera(at, self.size / EYES_M, self.aspect).unwrap_or(Vec3::Z)
    }
}

#[cfg(test)]
mod tests;
