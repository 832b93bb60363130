use super::*;
use serde_json::json;
use vivant::mimicry::HandShape;

/// A person who faces the camera, upright, as MediaPipe landmarks.
fn pose() -> Vec<[f32; 4]> {
    let mut pose = vec![[0.5, 0.2, 0.0, 1.0]; POSE_POINTS];
    for (index, x, y) in [
        (7, 0.53, 0.2),
        (8, 0.47, 0.2),
        (9, 0.51, 0.23),
        (10, 0.49, 0.23),
        (11, 0.6, 0.3),
        (12, 0.4, 0.3),
        (13, 0.62, 0.45),
        (14, 0.38, 0.45),
        (15, 0.62, 0.58),
        (16, 0.38, 0.58),
        (23, 0.56, 0.6),
        (24, 0.44, 0.6),
        (25, 0.56, 0.78),
        (26, 0.44, 0.78),
        (27, 0.56, 0.95),
        (28, 0.44, 0.95),
    ] {
        pose[index] = [x, y, 0.0, 1.0];
    }
    pose
}

/// A face of 20 cm in the middle of the image that looks at the camera, rotated.
fn face(turn: glam::Quat) -> Vec<[f32; 3]> {
    let mut face = vec![Vec3::ZERO; FACE_POINTS[1]];
    let mut put = |index: usize, x: f32, y: f32, z: f32| face[index] = Vec3::new(x, y, z);
    put(mesh::FOREHEAD, 0.0, 0.1, 0.0);
    put(mesh::CHIN, 0.0, -0.1, 0.0);
    for (side, [outer, inner, upper, lower, brow, iris]) in [(1.0, mesh::EYES[0]), (-1.0, mesh::EYES[1])] {
        put(outer, side * 0.0445, 0.03, 0.0);
        put(inner, side * 0.0145, 0.03, 0.0);
        put(upper, side * 0.03, 0.035, 0.0);
        put(lower, side * 0.03, 0.025, 0.0);
        put(brow, side * 0.03, 0.055, 0.0);
        put(iris, side * 0.03 + 0.003, 0.03, 0.0);
    }
    put(mesh::MOUTH_CORNERS[0], 0.024, -0.04, 0.0);
    put(mesh::MOUTH_CORNERS[1], -0.024, -0.04, 0.0);
    put(mesh::LIPS[0], 0.0, -0.039, 0.0);
    put(mesh::LIPS[1], 0.0, -0.041, 0.0);
    face.into_iter()
        .map(|place| {
            let place = turn * place;
            [0.5 + place.x, 0.5 - place.y, -place.z]
        })
        .collect()
}

#[test]
fn a_body_is_in_metres_with_left_at_plus_x() {
    let sighting = Sighting { pose: Some(pose()), ..Sighting::default() };
    let person = sighting.person(3.0);
    assert_eq!((person.secs, person.people), (3.0, 1));
    let at = |landmark: Landmark| person.place(landmark, 0.5).expect("visible");
    assert!(at(Landmark::LeftShoulder).x > at(Landmark::RightShoulder).x);
    assert!(at(Landmark::LeftShoulder).y > at(Landmark::LeftHip).y);
    // With the same points in metres, the image gives positions in its plane, and the metres give size and depth.
    let world = pose().iter().map(|[x, y, _, v]| [(x - 0.5) * 2.0, (y - 0.6) * 2.0, -0.3, *v]).collect();
    let person = Sighting { world: Some(world), ..sighting }.person(0.0);
    let width = (person.landmarks[Landmark::LeftShoulder as usize].place
        - person.landmarks[Landmark::RightShoulder as usize].place)
        .x;
    assert!((width - 0.4).abs() < 1e-4, "{width}");
    assert!((person.landmarks[Landmark::LeftWrist as usize].place.z - 0.3).abs() < 1e-6);
}

#[test]
fn points_outside_the_image_are_not_visible() {
    let mut pose = pose();
    pose[15] = [0.62, 1.2, 0.0, 0.9];
    let person = Sighting { pose: Some(pose), ..Sighting::default() }.person(0.0);
    assert_eq!(person.place(Landmark::LeftWrist, 0.01), None);
    assert!(person.place(Landmark::RightWrist, 0.9).is_some());
    let nobody = Sighting { people: Some(0), pose: Some(self::pose()), ..Sighting::default() }.person(0.0);
    assert_eq!(nobody, Person::nobody(0.0));
}

#[test]
fn face_orientation_and_expression_are_measured() {
    let read = |turn: glam::Quat| {
        let sighting = Sighting { face: Some(face(turn)), ..Sighting::default() };
        sighting.person(0.0).face.expect("a face")
    };
    let ahead = read(glam::Quat::IDENTITY);
    assert!(ahead.head_deg.iter().all(|deg| deg.abs() < 0.1), "{ahead:?}");
    assert!((ahead.lids[0] - 1.0 / 3.0).abs() < 0.01 && (ahead.lids[1] - 1.0 / 3.0).abs() < 0.01);
    assert!((ahead.smile - 0.048 / 0.089).abs() < 0.01);
    // Both irises are a tenth of the eye's width to the person's left: asin 0.25.
    let [yaw, pitch] = ahead.gaze_deg.expect("irises");
    assert!((yaw - 14.48).abs() < 0.1 && pitch.abs() < 0.1, "{yaw} {pitch}");
    let deg = |deg: f32| deg.to_radians();
    let [yaw, ..] = read(glam::Quat::from_rotation_y(deg(20.0))).head_deg;
    assert!((yaw - 20.0).abs() < 0.1, "to their left: {yaw}");
    let [_, pitch, _] = read(glam::Quat::from_rotation_x(deg(-10.0))).head_deg;
    assert!((pitch - 10.0).abs() < 0.1, "up: {pitch}");
    let [.., tilt] = read(glam::Quat::from_rotation_z(deg(-15.0))).head_deg;
    assert!((tilt - 15.0).abs() < 0.1, "to their left: {tilt}");
}

#[test]
fn the_distance_of_a_face_follows_from_its_size() {
    // 89 mm are 8.9 % of the image width, so the image is 1 m wide at a distance of 1 / 1.155 m.
    let sighting = Sighting { face: Some(face(glam::Quat::IDENTITY)), ..Sighting::default() };
    let place = sighting.person(0.0).from_camera.expect("a position");
    assert!((place - Vec3::new(0.0, 0.03, 0.866)).length() < 0.01, "{place}");
}

/// A hand with its wrist at a position, of a size in image widths, fingers up; curled fingers bend back.
fn hand([x, y]: [f32; 2], size: f32, curled: [bool; 5]) -> Vec<[f32; 3]> {
    let mut points = vec![[x, y, 0.0]];
    for (finger, is_curled) in curled.into_iter().enumerate() {
        let aside = 0.15 * (finger as f32 - 2.0);
        let joints = if is_curled {
            [[0.5, 0.0], [0.55, -0.2], [0.45, -0.25], [0.35, -0.2]]
        } else {
            [[0.5, 0.0], [0.72, 0.0], [0.86, 0.0], [1.0, 0.0]]
        };
        points.extend(joints.map(|[up, z]| [x + aside * size, y - up * size, z * size]));
    }
    points
}

const OPEN: [bool; 5] = [false; 5];
const FIST: [bool; 5] = [true; 5];
const POINTING: [bool; 5] = [true, false, true, true, true];

#[test]
fn hands_have_a_shape_and_a_position() {
    for (curled, shape) in [(OPEN, HandShape::Open), (FIST, HandShape::Fist), (POINTING, HandShape::Pointing)]
    {
        let sighting = Sighting {
            pose: Some(pose()),
            left_hand: Some(hand([0.63, 0.57], 0.08, curled)),
            ..Sighting::default()
        };
        let person = sighting.person(0.0);
        let [left, right] = person.hands;
        assert_eq!((left.and_then(|hand| hand.shape(None)), right), (Some(shape), None));
        let wrist = person.place(Landmark::LeftWrist, 0.9).expect("visible");
        assert!((wrist - Vec3::new(0.63, -0.57, 0.0)).length() < 1e-5, "the hand's own: {wrist}");
        let palm = person.place(Landmark::LeftPalm, 0.9).expect("visible");
        assert!((palm.y - wrist.y - 0.08 / 3.0).abs() < 1e-5, "between wrist and knuckles: {palm}");
        assert_eq!(person.place(Landmark::RightPalm, 0.01), None);
    }
}

#[test]
fn a_hand_corrects_an_uncertain_wrist() {
    let with = |visibility: f32, at: [f32; 2]| {
        let mut pose = pose();
        pose[15] = [0.62, 0.58, 0.0, visibility];
        Sighting { pose: Some(pose), left_hand: Some(hand(at, 0.08, OPEN)), ..Sighting::default() }
            .person(0.0)
    };
    // Two palm lengths away from the pose's guess.
    let guessed = with(0.2, [0.7, 0.55]);
    assert!((guessed.place(Landmark::LeftWrist, 0.9).expect("confident").x - 0.7).abs() < 1e-5);
    // A visible wrist has its hand next to it; other hands belong to another person.
    let seen = with(1.0, [0.7, 0.55]);
    assert!((seen.place(Landmark::LeftWrist, 0.9).expect("visible").x - 0.62).abs() < 1e-5);
    assert_eq!((seen.hands, seen.place(Landmark::LeftPalm, 0.01)), ([None; 2], None));
    assert_eq!(with(0.2, [0.1, 0.1]).hands, [None; 2], "too far from the arm");
}

#[test]
fn a_truncated_or_degenerate_hand_is_unknown() {
    let person = |hand: Vec<[f32; 3]>| {
        Sighting { pose: Some(pose()), left_hand: Some(hand), ..Sighting::default() }.person(0.0)
    };
    let whole = person(hand([0.62, 0.58], 0.08, OPEN));
    assert!(whole.hands[0].is_some());
    let mut cut = hand([0.62, 0.58], 0.08, OPEN);
    cut[12][1] = -0.1;
    let mut not_a_number = hand([0.62, 0.58], 0.08, OPEN);
    not_a_number[8][0] = f32::NAN;
    for wrong in [cut, not_a_number, vec![[0.62, 0.58, 0.0]; HAND_POINTS]] {
        let person = person(wrong);
        assert_eq!((person.hands, person.place(Landmark::LeftPalm, 0.01)), ([None; 2], None));
        assert_eq!(
            person.landmarks[Landmark::LeftWrist as usize].place,
            Vec3::new(0.62, -0.58, 0.0),
            "the pose's"
        );
    }
    // Without a pose the hand has no position.
    let alone = Sighting { right_hand: Some(hand([0.4, 0.5], 0.1, FIST)), ..Sighting::default() }.person(0.0);
    assert_eq!(alone.hands[1].and_then(|hand| hand.shape(None)), Some(HandShape::Fist));
    assert_eq!((alone.people, alone.place(Landmark::RightWrist, 0.01)), (1, None));
}

#[test]
fn malformed_sightings_get_a_clear_error() {
    for (value, words) in [
        (json!(3), "object"),
        (json!({}), "time"),
        (json!({ "time": -1 }), "time"),
        (json!({ "time": 0, "pose": [[0, 0, 0, 1]] }), "pose: found 1 points, expected 33 as from MediaPipe"),
        (json!({ "time": 0, "pose": [[0, 0, 0]] }), "pose"),
        (
            json!({ "time": 0, "face": vec![[0.0; 3]; 470] }),
            "face: found 470 points, expected 468 or 478 as from MediaPipe",
        ),
        (json!({ "time": 0, "leftHand": vec![[0.0; 3]; 20] }), "leftHand: found 20 points"),
        (json!({ "time": 0, "world": vec![[0.0, 1e9, 0.0, 1.0]; 33] }), "world[0]"),
        (json!({ "time": 0, "size": [0, 480] }), "size[0]"),
        (json!({ "time": 0, "people": -1 }), "people"),
        (json!({ "time": 0, "people": 100_000 }), "people"),
        (json!({ "time": 0, "picture": "…" }), "picture"),
    ] {
        let error = Sighting::read(value.clone()).expect_err("malformed").to_string();
        assert!(error.contains(words), "{value}\n  {error}\n  lacks {words}");
    }
}
