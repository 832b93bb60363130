//! Reads files with MediaPipe landmarks.
//!
//! There is no standard file format. These formats are supported:
//!
//! - **JSON Lines**, one [`Sighting`] per line, as the studio sends them;
//! - **JSON**: a list of frames, or an object with `frames`, whose points are lists or objects with `x`, `y`, `z` and
//!   `visibility`, with MediaPipe's names in either spelling (`poseLandmarks`, `pose_world_landmarks`, …);
//! - **CSV with one row per frame**: `NOSE_x`, `left_shoulder.y`, `x11`, `pose_11_x`, `world_11_z`, `face_33_x`,
//!   `left_hand_4_x`, …;
//! - **CSV with one row per point**: a frame or a time, a landmark by number or name, and `x`, `y`, `z`.

mod csv;
mod json;

use vivant_io::json::sighting::Sighting;
use vivant_io::limits::{MAX_FILE_BYTES, within};
use vivant_io::{Error, Result};

/// Maximum number of frames: a day of video at 30 fps.
const MAX_FRAMES: usize = 2_600_000;

/// Reads a landmark file. Frames without times are `1 / fps` seconds apart.
///
/// # Errors
/// Returns an error if the format is unknown, if data are missing, or if the file is too large.
pub fn read(file: &str, bytes: &[u8], fps: f64) -> Result<Vec<Sighting>> {
    within("file", "bytes", bytes.len(), MAX_FILE_BYTES).map_err(|error| error.in_file(file))?;
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let first = bytes.iter().copied().find(|byte| !byte.is_ascii_whitespace());
    let read = match first {
        None => Err(Error::new("the file is empty; record or export it again")),
        Some(b'{' | b'[') => json::read(bytes, fps),
        Some(_) => csv::read(bytes, fps),
    };
    let mut sightings = read.map_err(|error| error.in_file(file))?;
    normalize(&mut sightings).map_err(|error| error.in_file(file))?;
    Ok(sightings)
}

/// Normalizes pixel coordinates to shares of the image, and checks that times do not decrease.
fn normalize(sightings: &mut [Sighting]) -> Result<()> {
    within("file", "frames", sightings.len(), MAX_FRAMES)?;
    to_shares(sightings);
    for (index, sighting) in sightings.iter().enumerate() {
        sighting.check().map_err(|error| Error::at(format!("frame {}", index + 1), error))?;
    }
    let is_back = sightings.windows(2).position(|pair| pair[1].time < pair[0].time);
    match is_back {
        Some(index) => Err(Error::at(
            format!("frame {}", index + 2),
            "the time is before that of the previous frame; sort the frames",
        )),
        None => Ok(()),
    }
}

/// Maximum coordinate that can be a share of the image. Larger coordinates are pixels.
const SHARES: f32 = 8.0;

/// Converts pixels to shares of the image, since some programs write pixels. If a file has no image size, the size is
/// estimated from the largest coordinates.
fn to_shares(sightings: &mut [Sighting]) {
    let mut most = [0.0_f32; 2];
    for sighting in sightings.iter() {
        for point in sighting.pose.iter().flatten() {
            most = [most[0].max(point[0]), most[1].max(point[1])];
        }
    }
    if most[0] <= SHARES && most[1] <= SHARES {
        return;
    }
    for sighting in sightings {
        let [width, height] = *sighting.size.get_or_insert(most);
        let flat = |x: &mut f32, y: &mut f32, z: &mut f32| {
            (*x, *y, *z) = (*x / width, *y / height, *z / width);
        };
        sighting.pose.iter_mut().flatten().for_each(|[x, y, z, _]| flat(x, y, z));
        let hands = sighting.left_hand.iter_mut().chain(&mut sighting.right_hand).chain(&mut sighting.face);
        hands.flatten().for_each(|[x, y, z]| flat(x, y, z));
    }
}

/// MediaPipe's names of the pose landmarks.
const POSE_NAMES: [&str; 33] = [
    "nose",
    "left_eye_inner",
    "left_eye",
    "left_eye_outer",
    "right_eye_inner",
    "right_eye",
    "right_eye_outer",
    "left_ear",
    "right_ear",
    "mouth_left",
    "mouth_right",
    "left_shoulder",
    "right_shoulder",
    "left_elbow",
    "right_elbow",
    "left_wrist",
    "right_wrist",
    "left_pinky",
    "right_pinky",
    "left_index",
    "right_index",
    "left_thumb",
    "right_thumb",
    "left_hip",
    "right_hip",
    "left_knee",
    "right_knee",
    "left_ankle",
    "right_ankle",
    "left_heel",
    "right_heel",
    "left_foot_index",
    "right_foot_index",
];

/// The list in a [`Sighting`] that a point belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Pose,
    World,
    Face,
    LeftHand,
    RightHand,
}

impl Group {
    const ALL: [Self; 5] = [Self::Pose, Self::World, Self::Face, Self::LeftHand, Self::RightHand];

    /// Stores points in their list.
    fn put(self, sighting: &mut Sighting, points: Vec<[f32; 4]>) {
        let three = |points: Vec<[f32; 4]>| points.into_iter().map(|[x, y, z, _]| [x, y, z]).collect();
        match self {
            Self::Pose => sighting.pose = Some(points),
            Self::World => sighting.world = Some(points),
            Self::Face => sighting.face = Some(three(points)),
            Self::LeftHand => sighting.left_hand = Some(three(points)),
            Self::RightHand => sighting.right_hand = Some(three(points)),
        }
    }

    /// Returns the maximum number of points of the list.
    const fn most(self) -> usize {
        match self {
            Self::Pose | Self::World => 33,
            Self::Face => 478,
            Self::LeftHand | Self::RightHand => 21,
        }
    }
}

#[cfg(test)]
mod tests;
