use super::*;
use crate::compile::Stage;
use crate::motion::arm_in;

/// A stance and a place for the tests below.
const START: &str = "\
place ready = 23 112 25 elbow out+down palm in
shape fist = curl 70 thumb 30
stance calm layers body,arms
  arm 24 86 2
stance tilt-left layers head
stance tilt-right layers head
";

fn read(text: &str) -> Result<Score, Fault> {
    Score::read(&[("start.txt", START), ("test.txt", text)])
}

fn piece(text: &str) -> Piece {
    read(text).unwrap_or_else(|fault| panic!("{fault}")).pieces.remove(0)
}

#[test]
fn errors_name_file_line_and_fix() {
    for (text, line, part) in [
        // Blocks.
        ("arm 0.5 ready", 1, "unknown block"),
        ("  arm 0.5 ready", 1, "indented line"),
        ("dance x in calm 2s", 1, "unknown block “dance”"),
        ("place", 1, "its name is missing"),
        ("place X = 1 2 3", 1, "“X” is not a valid name"),
        ("place here 1 2 3", 1, "expected “=”"),
        ("place here = 1 2", 1, "the distance to the front is missing"),
        ("place here = 1 2 three", 1, "“three” is not a number"),
        ("place here = 1 2 999", 1, "must be -250 to 250"),
        ("place here = nowhere", 1, "unknown place “nowhere”"),
        ("place ready = 1 2 3", 1, "“ready” is already defined"),
        ("place palm = 1 2 3", 1, "“palm” is already defined"),
        ("place here = 1 2 3\n  arm 0.5 ready", 2, "a place must be a single line"),
        ("place here = 1 2 3 knee up", 1, "unexpected “knee”"),
        ("place here = 1 2 3 palm", 1, "the palm's direction is missing"),
        ("place here = 1 2 3 palm sideways", 1, "“sideways” is not a direction"),
        ("place here = 1 2 3 palm up+down", 1, "cancel each other"),
        ("place here = 1 2 3 palm up.x", 1, "is not a number"),
        ("place here = 1 2 3 by 1 2", 1, "the distance to the front is missing"),
        ("shape claw = curl", 1, "the angle in degrees is missing"),
        ("shape claw = curl 300", 1, "must be -90 to 120"),
        ("shape claw = toe 3", 1, "unknown shape “toe”"),
        // Stances.
        ("stance", 1, "the stance's name is missing"),
        ("stance calm layers body", 1, "duplicate stance “calm”"),
        ("stance new", 1, "expected “layers”"),
        ("stance new layers legs", 1, "unknown layer “legs”"),
        ("stance new layers body now", 1, "unexpected “now”"),
        ("stance new layers body\n  arm ready, ready", 2, "a stance has no motion"),
        ("stance new layers body\n  arm ready\n  arm ready", 3, "a stance has no motion"),
        ("stance new layers body\n  way leg ready", 2, "“leg” cannot have a way"),
        ("stance new layers body\n  arm ready\n  left arm ready", 3, "the arm of both sides"),
        // First lines.
        ("gesture", 1, "the motion's name is missing"),
        ("gesture a calm 2s", 1, "expected “in”, found “calm”"),
        ("gesture a in calm", 1, "the duration (for example 2.5s) is missing"),
        ("gesture a in calm 2", 1, "“2” is not a duration"),
        ("gesture a in calm 0.1s", 1, "must be 0.4 to 30"),
        ("gesture a in calm NaNs", 1, "must be 0.4 to 30"),
        ("gesture a in nowhere 2s", 1, "unknown stance “nowhere”"),
        ("gesture a in calm 2s X", 1, "unexpected “X”; after the duration use L, R"),
        ("gesture a in calm 2s tags", 1, "the list of tags is missing"),
        ("gesture a in calm 2s tags a,,b", 1, "is not a list of names"),
        ("gesture a in calm 2s likely -1", 1, "must be 0 to 100"),
        ("gesture a in calm 2s layers feet", 1, "unknown layer “feet”"),
        ("gesture a in calm 2s\ngesture a in calm 2s", 2, "duplicate motion “a”"),
        ("transition calm to calm 2s", 1, "expected “->”"),
        ("transition calm -> calm 2s", 1, "leads from “calm” to itself"),
        ("transition calm -> away 2s", 1, "unknown stance “away”"),
        ("transition calm -> tilt-left 2s", 1, "use different layers"),
        ("gesture a in calm 2s layers head", 1, "“calm” does not use the layer head"),
        // Tracks.
        ("gesture a in calm 2s\n  leg 0.5 up 3", 2, "unknown track “leg”"),
        ("gesture a in calm 2s\n  arm", 2, "the time of a key is missing"),
        ("gesture a in calm 2s\n  arm ready", 2, "“ready” is not a number"),
        ("gesture a in calm 2s\n  arm 2.5 ready", 2, "is not within the motion, which lasts 2 s"),
        ("gesture a in calm 2s\n  arm 0 ready", 2, "is not within the motion"),
        ("gesture a in calm 2s\n  arm 1 ready, 0.5 ready", 2, "is not after the one at 1 s"),
        ("gesture a in calm 2s\n  arm 1 ready\n  arm 1 ready", 3, "is not after the one at 1 s"),
        ("gesture a in calm 2s\n  arm 1 ready,", 2, "the time of a key is missing"),
        ("gesture a in calm 2s\n  arm 1 fist", 2, "unknown place “fist”"),
        ("gesture a in calm 2s\n  fingers 1 ready", 2, "unknown shape “ready”"),
        ("gesture a in calm 2s\n  left head 1 up 3", 2, "“head” cannot have a side"),
        ("gesture a in calm 2s LR\n  other arm 1 ready", 2, "“other” needs a motion of one hand"),
        ("gesture a in calm 2s\n  arm 1 ready\n  left arm 1 ready", 3, "the arm of both sides"),
        ("gesture a in calm 2s\n  right fingers 1 fist\n  fingers 1 fist", 3, "the fingers of both sides"),
        ("gesture a in calm 2s\n  head 1 sideways 3", 2, "unknown rotation “sideways”"),
        ("gesture a in calm 2s\n  head 1 up", 2, "the angle is missing"),
        ("gesture a in calm 2s\n  hips 1 forwards 3", 2, "unknown direction “forwards” for the hips"),
        ("gesture a in calm 2s\n  hips 1 left 40", 2, "must be -20 to 20"),
        ("gesture a in calm 2s\n  shoulder 1 left 3", 2, "unknown direction “left” for a shoulder"),
        ("gesture a in calm 2s\n  face smug 1 0.5", 2, "unknown expression “smug”"),
        ("gesture a in calm 2s\n  face happy 1 2", 2, "must be 0 to 1"),
        ("gesture a in calm 2s\n  face happy 1 0.5 now", 2, "unexpected “now”"),
    ] {
        let fault = read(text).expect_err(text).to_string();
        let start = format!("test.txt, line {line}: ");
        assert!(fault.starts_with(&start) && fault.contains(part), "{text:?} gives {fault:?}");
    }
}

#[test]
fn oversized_and_odd_texts_are_rejected() {
    let long = "#".repeat(MAX_BYTES + 1);
    assert!(read(&long).expect_err("too long").to_string().contains("split it"));
    let keys: Vec<String> = (1..300).map(|n| format!("{} up 1", n as f32 * 0.01)).collect();
    let many = format!("gesture a in calm 9s\n  head {}", keys.join(", "));
    assert!(read(&many).expect_err("too many keys").to_string().contains("more than 200 keys"));
    for odd in ["\u{0}", "place \u{202e} = 1 2 3", "gesture a in calm 1e9s", "=", ",", "->", "\u{feff}place"]
    {
        assert!(read(odd).is_err(), "{odd:?}");
    }
    assert!(read("").is_ok() && read("# nothing\n\n   # but a comment").is_ok());
}

#[test]
fn a_motion_for_each_hand_is_written_once() {
    let text = "gesture beat in calm 2s L R\n  arm 1 ready\n  other arm 1 stance\n  lean 1 out 3 tilt-left 2";
    let pieces = read(text).expect("both").pieces;
    let names: Vec<&str> = pieces.iter().map(|piece| piece.name.as_str()).collect();
    assert_eq!(names, ["beat_left", "beat_right"]);
    for (piece, side, sign) in [(&pieces[0], Side::Left, 1.0), (&pieces[1], Side::Right, -1.0)] {
        assert_eq!([piece.lines[0].who, piece.lines[1].who], [Who::One(side), Who::One(side.other())]);
        let TrackText::Turn(Part::Lean, keys) = &piece.lines[2].track else { panic!("a lean") };
        assert_eq!(keys[0].value, [3.0 * sign, 0.0, -2.0 * sign]);
    }
}

#[test]
fn the_mirror_image_is_in_the_mirrored_stance() {
    let pieces = read("gesture nod in tilt-left 2s mirror\n  head 1 left 3").expect("both").pieces;
    let of = |piece: &Piece| (piece.name.clone(), piece.stance.clone());
    assert_eq!(of(&pieces[0]), ("nod_left".to_owned(), "tilt-left".to_owned()));
    assert_eq!(of(&pieces[1]), ("nod_right".to_owned(), "tilt-right".to_owned()));
}

#[test]
fn motions_in_several_stances_get_suffixes() {
    let pieces = read("gesture nod in tilt-left,tilt-right 2s\n  head 1 up 3").expect("both").pieces;
    assert_eq!([&pieces[0].name, &pieces[1].name], ["nod", "nod_tilt-right"]);
}

#[test]
fn a_key_continues_from_the_previous_one() {
    let text = "gesture a in calm 3s R\n  arm 1 ready, 1.5 by 0 5 -2\n  arm 2 palm up";
    let TrackText::Arm(keys) = &piece(text).lines[0].track else { panic!("an arm") };
    assert_eq!(keys.len(), 3);
    assert!(keys[1].value.wrist.distance(Vec3::new(0.23, 1.17, 0.23)) < 1e-6);
    assert_eq!(keys[2].value.wrist, keys[1].value.wrist);
    assert_eq!([keys[1].value.palm, keys[2].value.palm], [Some(Vec3::NEG_X), Some(Vec3::Y)]);
}

#[test]
fn degrees_with_a_sign_are_added_to_those_of_the_stance() {
    let TrackText::Fingers(keys) =
        &piece("fidget a in calm 3s\n  fingers 1 fist index +9 ring 3").lines[0].track
    else {
        panic!("fingers")
    };
    let mut shape = HandShape { fingers: [10.0; 4], ..HandShape::NEUTRAL };
    keys[0].value.iter().for_each(|edit| edit.apply(&mut shape));
    assert_eq!((shape.fingers, shape.thumb), ([79.0, 70.0, 3.0, 70.0], 30.0));
}

#[test]
fn directions_are_sums() {
    for (text, expected) in [
        ("up", [0.0, 1.0, 0.0]),
        ("in.75+out.75+front2", [0.0, 0.0, 1.0]),
        ("in3+up4", [-0.6, 0.8, 0.0]),
        ("down.3+back.4", [0.0, -0.6, -0.8]),
    ] {
        let place = format!("place here = 1 2 3 palm {text}");
        let score = read(&place).unwrap_or_else(|fault| panic!("{fault}"));
        let palm = score.places["here"].palm.expect("a palm");
        assert!(palm.distance(expected.into()) < 1e-5, "{text}: {palm}");
    }
}

#[test]
fn wrists_are_at_their_written_positions() {
    let score = read("").expect("the start");
    let rig = crate::rig();
    let stage = Stage::new(&rig, &score);
    for side in Side::BOTH {
        let wrist = arm_in(&rig, &stage.stance("calm").pose, side).wrist;
        assert!(wrist.distance(Vec3::new(0.24, 0.86, 0.02)) < 2e-3, "{side:?}: {wrist}");
    }
}
