//! A synthetic face that moves and turns: its lids are recovered from every marker format.

use super::{good, source, with_map};
use crate::recording::{ReadOptions, Recording, ResampleOptions, Source};
use glam::{DMat3, DQuat, DVec3};
use vivant::math::{cos, sin};

const FRAMES: usize = 240;
const RATE_HZ: f64 = 120.0;
const NAMES: [&str; 5] = ["nose", "left_corner", "right_corner", "left_lid", "right_lid"];

/// Returns the aperture of the lids: two complete blinks.
fn openness(frame: usize) -> f64 {
    let blink = |at: usize| (1.0 - (frame as f64 - at as f64).abs() / 12.0).max(0.0);
    1.0 - blink(60).max(blink(170))
}

/// Returns the position of a marker in the face, in millimetres.
fn in_face(marker: usize, frame: usize) -> DVec3 {
    // A lid moves down and slightly forward on a line.
    let lid = DVec3::new(0.0, 9.0, -2.0) * openness(frame);
    match marker {
        0 => DVec3::new(0.0, 0.0, 0.0),
        1 => DVec3::new(45.0, 38.0, -31.0),
        2 => DVec3::new(-45.5, 37.0, -30.0),
        3 => DVec3::new(32.0, 30.0, -18.0) + lid,
        _ => DVec3::new(-32.0, 30.0, -18.0) + 0.9 * lid,
    }
}

/// Returns the position of a marker in the room. The head nods, shakes and moves.
pub(super) fn in_room(marker: usize, frame: usize) -> DVec3 {
    let time = frame as f64 / RATE_HZ;
    let turn =
        DQuat::from_euler(glam::EulerRot::YXZ, 0.9 * sin(2.0 * time), 0.5 * cos(3.0 * time), 0.3 * time);
    let way = DVec3::new(400.0 * time, 1600.0 + 30.0 * sin(9.0 * time), -100.0 * time * time);
    way + turn * in_face(marker, frame)
}

pub(super) fn trc(place: impl Fn(usize, usize) -> DVec3) -> Source {
    let mut text = String::from(
        "PathFileType\t4\t(X/Y/Z)\tface.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n",
    );
    text += &format!(
        "{RATE_HZ}\t{RATE_HZ}\t{FRAMES}\t5\tmm\nFrame#\tTime\t{}\n\t\tX1\tY1\tZ1\n\n",
        NAMES.join("\t\t\t")
    );
    for frame in 0..FRAMES {
        text += &format!("{}\t{}", frame + 1, frame as f64 / RATE_HZ);
        for marker in 0..5 {
            let p = place(marker, frame);
            let cell = |x: f64| if x.is_nan() { String::new() } else { x.to_string() };
            text += &format!("\t{}\t{}\t{}", cell(p.x), cell(p.y), cell(p.z));
        }
        text += "\n";
    }
    source("face.trc", text)
}

fn csv(place: impl Fn(usize, usize) -> DVec3) -> Source {
    let header: Vec<String> =
        NAMES.iter().flat_map(|name| ["x", "y", "z"].map(|axis| format!("{name}.{axis}"))).collect();
    let mut text = format!("time,{}\n", header.join(","));
    for frame in 0..FRAMES {
        text += &format!("{}", frame as f64 / RATE_HZ);
        for p in (0..5).map(|marker| place(marker, frame)) {
            text += &format!(",{},{},{}", p.x, p.y, p.z);
        }
        text += "\n";
    }
    source("face.csv", text)
}

/// Processor type of a C3D file, and whether numbers are floats.
#[derive(Clone, Copy, Debug)]
pub(super) struct C3dFormat {
    pub(super) machine: u8,
    pub(super) is_float: bool,
}

/// Scale of integers to millimetres.
const SCALE: f32 = 0.1;

impl C3dFormat {
    fn word(self, number: i16) -> [u8; 2] {
        if self.machine == 86 { number.to_be_bytes() } else { number.to_le_bytes() }
    }

    fn float(self, number: f32) -> [u8; 4] {
        match self.machine {
            84 => number.to_le_bytes(),
            86 => number.to_be_bytes(),
            _ => {
                let [a, b, c, d] = (number * 4.0).to_le_bytes();
                [c, d, a, b]
            }
        }
    }

    /// Returns the bytes of a parameter of the group POINT.
    fn parameter(self, name: &str, kind: i8, lengths: &[u8], data: &[u8]) -> Vec<u8> {
        let mut bytes = vec![name.len() as u8, 1];
        bytes.extend(name.bytes());
        let rest = 2 + 2 + lengths.len() + data.len() + 1;
        bytes.extend(self.word(rest as i16));
        bytes.extend([kind as u8, lengths.len() as u8]);
        bytes.extend_from_slice(lengths);
        bytes.extend_from_slice(data);
        bytes.push(0);
        bytes
    }

    fn parameters(self) -> Vec<u8> {
        let mut bytes = vec![1, 0x50, 1, self.machine];
        let labels: Vec<u8> = NAMES.iter().flat_map(|name| format!("{name:<16}").into_bytes()).collect();
        bytes.extend(self.parameter("LABELS", -1, &[16, 5], &labels));
        bytes.extend(self.parameter("RATE", 4, &[], &self.float(RATE_HZ as f32)));
        bytes.extend(self.parameter("UNITS", -1, &[2], b"mm"));
        // The group may come last.
        bytes.extend([5, 0xff]);
        bytes.extend(b"POINT");
        bytes.extend(self.word(3));
        bytes.push(0);
        bytes.extend([0, 0]);
        bytes.resize(512, 0);
        bytes
    }

    fn header(self) -> Vec<u8> {
        let mut bytes = vec![2, 0x50];
        for word in [5, 2, 1, FRAMES as i16, 10] {
            bytes.extend(self.word(word));
        }
        bytes.extend(self.float(if self.is_float { -1.0 } else { SCALE }));
        bytes.extend(self.word(3));
        bytes.extend(self.word(1));
        bytes.extend(self.float(RATE_HZ as f32));
        bytes.resize(512, 0);
        bytes
    }

    pub(super) fn c3d(self, place: impl Fn(usize, usize) -> DVec3) -> Source {
        let mut bytes = self.header();
        bytes.extend(self.parameters());
        let number = |x: f64| -> Vec<u8> {
            if self.is_float { self.float(x as f32).into() } else { self.word(x.round() as i16).into() }
        };
        for frame in 0..FRAMES {
            for p in (0..5).map(|marker| place(marker, frame)) {
                let scale = if self.is_float { 1.0 } else { f64::from(SCALE) };
                let residual = if p.is_nan() { -1.0 } else { 0.0 };
                for x in [p.x / scale, p.y / scale, p.z / scale, residual] {
                    bytes.extend(number(if x.is_nan() { 0.0 } else { x }));
                }
            }
            // Two analog channels, which are ignored.
            bytes.extend(number(7.0));
            bytes.extend(number(-7.0));
        }
        source("face.c3d", bytes)
    }
}

fn check(name: &str, recording: &Recording, tolerance: f64) {
    assert_eq!((recording.device.as_str(), recording.rate_hz()), ("markers", RATE_HZ), "{name}");
    let aperture = recording.aperture.as_ref().unwrap();
    for values in [&aperture.left, &aperture.right] {
        assert_eq!(values.len(), FRAMES, "{name}");
        for (frame, value) in values.iter().enumerate() {
            assert!((value - openness(frame)).abs() < tolerance, "{name}: {value} in frame {frame}");
        }
    }
}

#[test]
fn lids_are_recovered_from_a_moving_face() {
    let options = ReadOptions::default();
    check("TRC", &good(&[trc(in_room)], &options).0, 1e-9);
    let map = "[time]\ncolumn = 'time'\n[markers]\nnose = 'nose'\nleft_corner = 'left_corner'\nright_corner = 'right_corner'\nleft_lid = 'left_lid'\nright_lid = 'right_lid'";
    check("CSV", &good(&[csv(in_room)], &with_map(map)).0, 1e-9);
    for machine in [84, 85, 86] {
        for (is_float, tolerance) in [(true, 1e-4), (false, 0.05)] {
            let written = C3dFormat { machine, is_float };
            check(&format!("{written:?}"), &good(&[written.c3d(in_room)], &options).0, tolerance);
        }
    }
}

/// Returns the axes of a face in a frame, computed from the nose and the corners of the eyes: sideways, up and
/// forward.
fn axes(frame: usize) -> DMat3 {
    let [nose, left, right] = [0, 1, 2].map(|marker| in_room(marker, frame));
    let across = (left - right).normalize();
    let ahead = (left - nose).cross(right - nose).normalize();
    DMat3::from_cols(across, ahead.cross(across), ahead)
}

/// Computes the aperture with the paper's method: every frame is moved to the nose and rotated to a reference frame,
/// and the coordinate of the lid that moves most is scaled from 0 (lowest) to 1 (highest).
fn openness_by_the_paper(lid: usize, reference: usize) -> Vec<f64> {
    let aligned = |frame: usize| {
        let turn = axes(reference) * axes(frame).transpose();
        turn * (in_room(lid, frame) - in_room(0, frame))
    };
    let places: Vec<DVec3> = (0..FRAMES).map(aligned).collect();
    let range = |axis: usize| {
        let (low, high) =
            places.iter().fold((f64::MAX, f64::MIN), |(a, b), p| (a.min(p[axis]), b.max(p[axis])));
        (high - low, low)
    };
    let dominant = (0..3).max_by(|a, b| range(*a).0.total_cmp(&range(*b).0)).unwrap();
    let (travel, low) = range(dominant);
    let is_up = axes(reference).y_axis[dominant] > 0.0;
    let share = |place: &DVec3| (place[dominant] - low) / travel;
    places.iter().map(|place| if is_up { share(place) } else { 1.0 - share(place) }).collect()
}

#[test]
fn face_axes_and_the_papers_reference_frame_agree() {
    let (recording, _) = good(&[trc(in_room)], &ReadOptions::default());
    let aperture = recording.aperture.unwrap();
    for reference in [0, 77, 200] {
        for (lid, found) in [(3, &aperture.left), (4, &aperture.right)] {
            let literal = openness_by_the_paper(lid, reference);
            assert!(found.iter().zip(&literal).all(|(a, b)| (a - b).abs() < 1e-9), "{reference} {lid}");
        }
    }
}

#[test]
fn missing_markers_are_unknown_and_short_gaps_are_filled() {
    let hidden = |marker: usize, frame: usize| {
        let is_hidden =
            (marker == 3 && (100..104).contains(&frame)) || (marker == 0 && (200..230).contains(&frame));
        if is_hidden { DVec3::NAN } else { in_room(marker, frame) }
    };
    let written = C3dFormat { machine: 84, is_float: true };
    for file in [trc(hidden), written.c3d(hidden)] {
        let (recording, _) = good(&[file], &ReadOptions::default());
        let left = &recording.aperture.as_ref().unwrap().left;
        let unknown: Vec<usize> = (0..FRAMES).filter(|frame| left[*frame].is_nan()).collect();
        assert_eq!(unknown, (100..104).chain(200..230).collect::<Vec<_>>());
        let even = recording
            .resample(&ResampleOptions { eye: crate::recording::Eye::Left, ..ResampleOptions::default() });
        let openness = even.openness.unwrap();
        assert!(!openness[102].is_nan() && openness[215].is_nan());
    }
}

#[test]
fn swapped_markers_are_ignored_with_a_warning() {
    let swapped = |marker: usize, frame: usize| match (marker, frame) {
        // Tracking errors: a lid is confused with a point far away, and the nose with an eye.
        (3, 120) => in_room(3, frame) + DVec3::new(0.0, 500.0, 0.0),
        (0, 130) => in_room(1, frame) + DVec3::new(9.0, 9.0, 0.0),
        _ => in_room(marker, frame),
    };
    let (recording, warnings) = good(&[trc(swapped)], &ReadOptions::default());
    let left = &recording.aperture.as_ref().unwrap().left;
    let unknown: Vec<usize> = (0..FRAMES).filter(|frame| left[*frame].is_nan()).collect();
    assert_eq!((unknown, warnings.len()), (vec![120, 130], 2), "{warnings:?}");
    assert!((left[121] - 1.0).abs() < 1e-9 && left[60] < 1e-9);
}

#[test]
fn markers_can_have_any_name() {
    let renamed = String::from_utf8(trc(in_room).bytes).unwrap().replace("left_lid", "Anna:LL1");
    let map = "[markers]\nnose = 'nose'\nleft_corner = 'left_corner'\nright_corner = 'right_corner'\nleft_lid = 'LL1'";
    let (recording, _) = good(&[source("a.trc", renamed.clone())], &with_map(map));
    let aperture = recording.aperture.unwrap();
    assert!(aperture.left[60] < 1e-9 && aperture.right.is_empty());
    let error = crate::recording::read(&[source("a.trc", renamed)], &with_map(&map.replace("LL1", "LL2")))
        .unwrap_err();
    assert!(error.to_string().starts_with("a.trc: left_lid: marker not found"), "{error}");
}
