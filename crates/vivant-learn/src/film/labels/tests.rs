use super::*;
use proptest::prelude::*;

/// Returns a document with one frame and one key, with a part of it replaced.
fn with(old: &str, new: &str) -> String {
    let points: Vec<String> =
        (0..POINTS).map(|index| format!("[{}, {}.5]", 100 + index, 50 + index)).collect();
    let good = format!(
        r#"{{"version": 1, "film": "me.mp4", "width": 640, "height": 480, "frames": [
        {{"frame": 30, "secs": 1.0, "points": [{points}]}}, {{"frame": 12, "secs": 0.4, "guessed": true,
        "points": [{points}]}}], "gaze": [{{"frame": 60, "secs": 2, "yawDeg": -12, "pitchDeg": 3.5}},
        {{"frame": 0, "secs": 0, "yawDeg": 1, "pitchDeg": 0}}]}}"#,
        points = points.join(", ")
    );
    assert!(good.contains(old), "{old}");
    good.replacen(old, new, 1)
}

#[test]
fn frames_and_keys_are_sorted() {
    let labels = read("me.json", with("me", "me").as_bytes()).unwrap();
    assert_eq!(
        labels.frames.iter().map(|frame| (frame.frame, frame.guessed)).collect::<Vec<_>>(),
        [(12, true), (30, false)]
    );
    assert_eq!(labels.frames[0].points()[2], DVec2::new(102.0, 52.5));
    for (secs, expected) in [(0.0, (1.0, 0.0)), (1.99, (1.0, 0.0)), (2.0, (-12.0, 3.5)), (1e6, (-12.0, 3.5))]
    {
        assert_eq!(labels.gaze_at(secs), Some(expected), "at {secs}");
    }
    assert_eq!(labels.gaze_at(-0.1), None);
    assert_eq!(labels.gaze_at(f64::NAN), None);
}

#[test]
fn malformed_labels_give_errors_with_their_place() {
    for (old, new, words) in [
        ("\"version\": 1,", "", "me.json: version: the field `version` is missing"),
        ("\"version\": 1", "\"version\": 2", "version 2 is newer than 1"),
        ("\"film\"", "\"flim\"", "did you mean `film`?"),
        ("\"me.mp4\"", "\"\"", "film: the field must be the file name"),
        ("640", "0", "width: 0 is out of range"),
        ("640", "1.5", "width"),
        ("480", "99999", "height: 99999 is out of range"),
        ("\"frame\": 30", "\"frame\": -1", "frames[0].frame"),
        ("\"frame\": 30", "\"frame\": 12", "frames: frame 12 is listed twice"),
        ("\"frame\": 30", "\"frame\": 5", "times must increase"),
        ("\"secs\": 1.0", "\"secs\": -1", "frames[0].secs: -1 is out of range"),
        ("\"secs\": 1.0", "\"sec\": 1", "did you mean `secs`?"),
        ("[100, 50.5], ", "", "frames[0].points"),
        ("[101, 51.5]", "[101]", "frames[0].points[1]"),
        ("[101, 51.5]", "[101, 51.5, 0]", "frames[0].points[1]"),
        ("[101, 51.5]", "{\"x\": 101, \"y\": 51.5}", "frames[0].points[1]"),
        (
            "[101, 51.5]",
            "[1281, 51.5]",
            "frames[0].points[1]: the right upperOuter at 1281, 51.5 is far outside",
        ),
        ("[117, 67.5]", "[117, -481]", "the left iris at 117, -481"),
        ("[104, 54.5]", "[100, 50.5]", "points 0 and 4, the corners of an eye"),
        ("\"yawDeg\": -12", "\"yawDeg\": -91", "gaze[0].yawDeg: -91 is out of range"),
        ("\"yawDeg\"", "\"yaw\"", "did you mean `yawDeg`?"),
        ("\"frame\": 60", "\"frame\": 0", "gaze: frame 0 is listed twice"),
        ("{\"frame\": 0,", "[0], {\"frame\": 0,", "gaze[1]: found a list"),
    ] {
        let message = read("me.json", with(old, new).as_bytes()).expect_err(words).to_string();
        assert!(message.starts_with("me.json: "), "{message}");
        assert!(message.contains(words), "{new}\n  {message}\n  lacks {words}");
    }
    for bytes in [&b""[..], b"{", b"[]", b"null", b"\xff\xfe", b"{\"version\": 1}"] {
        assert!(read("x", bytes).is_err(), "{bytes:?}");
    }
}

/// Matches the example in `docs/reference/labels.md`.
#[test]
fn all_errors_are_reported_at_once() {
    let text = with("[108, 58.5]", "[2110, 204]").replace("\"frame\": 60", "\"frame\": 0");
    let message = read("me.labels.json", text.as_bytes()).unwrap_err().to_string();
    let expected = "me.labels.json: frames[0].points[8]: the right iris at 2110, 204 is far outside the 640 × 480 \
                    image; label frame 30 again\nme.labels.json: gaze: frame 0 is listed twice; remove one of them";
    assert_eq!(message, expected);
}

#[test]
fn labels_of_another_video_are_errors() {
    let labels = read("me.json", with("me", "me").as_bytes()).unwrap();
    assert_eq!(labels.fits(640, 480, None), Ok(()));
    assert_eq!(labels.fits(640, 480, Some(61)), Ok(()));
    for (film, words) in [
        ((480, 640, None), "labelled at 640 × 480 pixels, but this video has 480 × 640"),
        ((640, 480, Some(60)), "frame 60 of me.mp4 is labelled, but this video has only 60 frames"),
    ] {
        let message = labels.fits(film.0, film.1, film.2).unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn labelling_a_frame_again_replaces_it() {
    let points = [DVec2::new(1.000_4, 2.0); POINTS];
    let mut labels = Labels::new("a.y4m", 10, 10);
    for frame in [7, 3, 7, 5] {
        labels.put(LabelledFrame::new(frame, frame as f64, &points));
    }
    assert_eq!(labels.frames.iter().map(|frame| frame.frame).collect::<Vec<_>>(), [3, 5, 7]);
    assert_eq!(labels.frames[0].points[0], [1.0, 2.0], "to a thousandth of a pixel");
}

/// Returns a `.pts` file with points `x = 10 i + 1` and `y = i + 1`, with a part of it replaced.
fn pts(count: usize, old: &str, new: &str) -> String {
    let points: String = (0..count).map(|index| format!("{} {}\n", 10 * index + 1, index + 1)).collect();
    format!("version: 1\nn_points:  {count}\n{{\n{points}}}\n").replacen(old, new, 1)
}

#[test]
fn pts_files_count_pixels_from_one() {
    let read = import_pts("video/frame_0042.pts", pts(18, "", "").replace('\n', "\r\n").as_bytes()).unwrap();
    assert_eq!((read.points[0], read.points[3]), (DVec2::ZERO, DVec2::new(30.0, 3.0)));
    assert_eq!((read.number, read.warnings.len()), (Some(42), 0));
    let face = import_pts("a.pts", pts(68, "version: 1\n", "").as_bytes()).unwrap();
    assert_eq!((face.points[0], face.points[9]), (DVec2::new(360.0, 36.0), DVec2::new(450.0, 45.0)));
    assert_eq!((face.number, face.warnings.len()), (None, 1));
}

#[test]
fn malformed_pts_files_give_errors_with_their_place() {
    for (old, new, words) in [
        ("n_points:  68", "n_points: 67", "n_points: the count is 67, but there are 68 points"),
        ("n_points:  68", "n_points: many", "line 2: `n_points: many` needs a whole number of points"),
        ("n_points", "npoints", "line 2: `npoints:  68` is an unknown field"),
        ("version: 1", "Hello", "line 1: `Hello` is not a field"),
        ("1 1\n", "1\n", "line 4: `1` is not a point"),
        ("1 1\n", "1 1 1\n", "line 4: `1 1 1` is not a point"),
        ("1 1\n", "1 x\n", "line 4: `1 x` is not a point"),
        ("1 1\n", "1 nan\n", "line 4: `1 nan` is not a point"),
        ("1 1\n", "1 1e9\n", "line 4: `1 1e9` is not a point"),
        ("n_points:  68\n{\n1 1\n", "{\n", "points: 67 points; expected 68 of a face or 18"),
        ("}", "", "truncated"),
        ("}", "}\n{", "line 73: unexpected text after `}`"),
    ] {
        let message = import_pts("a.pts", pts(68, old, new).as_bytes()).expect_err(words).to_string();
        assert!(
            message.starts_with("a.pts: ") && message.contains(words),
            "{new}\n  {message}\n  lacks {words}"
        );
    }
    assert!(import_pts("a.pts", &vec![b' '; 1 << 20]).unwrap_err().to_string().contains("at most 65536"));
}

/// Returns a dlib file with a face whose parts are in reverse order, with a part of it replaced.
fn dlib(count: usize, old: &str, new: &str) -> String {
    let parts: String = (0..count)
        .rev()
        .map(|index| format!("<part name='{index:02}' x='{}' y='{index}'/>\n", 10 * index))
        .collect();
    format!(
        "<?xml version='1.0' encoding='ISO-8859-1'?>\n<?xml-stylesheet type='text/xsl' href='x.xsl'?>\n<dataset>\n\
         <name>x &amp; y</name>\n<images>\n<image file='none.png'/>\n<image file='in/007 b.png'>\n\
         <box top='1' left='2' width='30' height='40'>\n{parts}</box>\n</image>\n</images>\n</dataset>\n"
    )
    .replacen(old, new, 1)
}

#[test]
fn dlib_import_uses_the_largest_face_of_each_image() {
    let read = import_dlib_xml("a.xml", dlib(68, "", "").as_bytes()).unwrap();
    assert_eq!((read.len(), read[0].image.as_str(), read[0].number), (1, "in/007 b.png", Some(7)));
    assert_eq!((read[0].points[0], read[0].points[9]), (DVec2::new(360.0, 36.0), DVec2::new(450.0, 45.0)));
    assert_eq!(read[0].warnings.len(), 1);
    let small = "<box top='0' left='0' width='3' height='4'><part name='0' x='1' y='1'/></box>\n<box ";
    let read = import_dlib_xml("a.xml", dlib(18, "<box ", small).as_bytes()).unwrap();
    assert_eq!(read[0].points[1], DVec2::new(10.0, 1.0));
    assert_eq!(read[0].warnings[0].to_string(), "line 9: 2 faces in in/007 b.png; the largest is used");
}

#[test]
fn latin_1_image_names_are_decoded() {
    let mut bytes = dlib(18, "in/007 b", "M_ller 9").into_bytes();
    let at = bytes.windows(2).position(|pair| pair == b"M_").unwrap();
    bytes[at + 1] = 0xFC;
    assert_eq!(import_dlib_xml("a.xml", &bytes).unwrap()[0].image, "Müller 9.png");
}

#[test]
fn malformed_dlib_files_give_errors_with_their_place() {
    for (old, new, words) in [
        ("<dataset>", "<dataset", "line"),
        ("<dataset>", "<html>", "line 3: the root element is <html> instead of <dataset>"),
        ("<dataset>", "<!DOCTYPE x><dataset>", "DTDs are not allowed"),
        ("</dataset>", "", "truncated"),
        ("</box>", "", "line"),
        ("file='in/007 b.png'", "", "line 7: <image> has no `file`"),
        ("<image file='in/007 b.png'>", "", "line 8: <box> must be inside <image>"),
        ("width='30'", "", "line 8: `width` is missing"),
        ("height='40'", "height='tall'", "line 8: `height` is “tall”"),
        ("name='17'", "", "<part> has no `name`"),
        ("x='170'", "x='inf'", "line 9: `x` is “inf”"),
        ("x='170'", "x='1' x='2'", "line 9: invalid XML"),
        ("<part name='17' x='170' y='17'/>", "", "line 8: 17 points; expected 68 of a face or 18"),
    ] {
        let message = import_dlib_xml("a.xml", dlib(18, old, new).as_bytes()).expect_err(words).to_string();
        assert!(
            message.starts_with("a.xml: ") && message.contains(words),
            "{new}\n  {message}\n  lacks {words}"
        );
    }
    for text in ["", "   ", "<", "hello"] {
        assert!(import_dlib_xml("a.xml", text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn frame_numbers_are_found_in_names() {
    for (name, number) in [
        ("frame_0042.png", Some(42)),
        ("in/007/x.png", None),
        ("c:\\set 3\\9.pts", Some(9)),
        ("2024-12 (7) b.jpg", Some(7)),
        ("12", Some(12)),
        ("99999999999999999999999.png", None),
    ] {
        assert_eq!(number_in(name), number, "{name}");
    }
}

proptest! {
    /// Labels are the same after writing and reading.
    #[test]
    fn labels_read_back(places in prop::collection::vec(0.0..1.0_f64, 36), step in 1_usize..1000, yaw in -90.0..90.0_f64) {
        let mut labels = Labels::new("a film.mp4", 1920, 1080);
        for frame in 0..3 {
            let points = std::array::from_fn(|index| {
                let corner = if index % 9 == 4 { 100.0 } else { 0.0 };
                DVec2::new(places[index] * 90.0 + corner, places[index + 18] * 1080.0)
            });
            labels.put(LabelledFrame::new(frame * step, (frame * step) as f64 / 30.0, &points));
        }
        labels.gaze.push(GazeKey { frame: step, secs: 1.0 / 3.0, yaw_deg: yaw, pitch_deg: -yaw, guessed: step % 2 == 1 });
        prop_assert_eq!(read("x", labels.to_json().as_bytes()), Ok(labels));
    }

    /// Truncated or changed files are read or give an error, without a panic.
    #[test]
    fn damaged_files_do_not_panic(
        cut in 0_usize..3000, changes in prop::collection::vec((0_usize..3000, any::<u8>()), 0..6)
    ) {
        for text in [with("me", "me"), pts(68, "", ""), dlib(18, "", "")] {
            let mut bytes = text.into_bytes();
            changes.iter().for_each(|(at, byte)| if let Some(place) = bytes.get_mut(*at) { *place = *byte });
            bytes.truncate(cut.max(40));
            let _ = read("a.json", &bytes);
            let images = import_dlib_xml("a.xml", &bytes).unwrap_or_default().into_iter();
            for image in images.chain(import_pts("a.pts", &bytes)) {
                prop_assert!(image.points.iter().all(|point| point.is_finite()));
            }
        }
    }
}
