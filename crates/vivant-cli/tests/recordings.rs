//! `vivant inspect` of eye recordings.

#![allow(missing_docs, clippy::print_stdout, reason = "tests")]

mod folder;

use folder::Folder;

const GAZE: &str = "timestamp [ns],worn,azimuth [deg],elevation [deg]\n1000000000,1,5,-3\n1005000000,1,6,-2\n1010000000,0,7,2\n1015000000,1,7,2\n";
const BLINKS: &str = "blink id,start timestamp [ns],end timestamp [ns]\n1,1001000000,1009000000\n";

#[test]
fn a_file_is_read_with_those_that_belong_to_it() {
    let folder =
        Folder::with("beside", &[("a_gaze.csv", GAZE), ("a_blinks.csv", BLINKS), ("b_blinks.csv", "x")]);
    let found = folder.json("inspect a_gaze.csv --json");
    let keys: Vec<&str> = found.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["channels", "device", "device_blinks", "duration_secs", "kind", "timing", "warnings"]);
    assert_eq!((&found["device"], &found["device_blinks"]), (&"pupil-invisible".into(), &1.into()));
    assert_eq!(
        (&found["timing"]["rate_hz"], &found["channels"][0]["unknown"]),
        (&200.0.into(), &0.25.into())
    );
    let text = folder.stdout("inspect a_gaze.csv");
    for expected in ["pupil-invisible", "200.00 Hz", "25.0 % unknown", "1 found by the device"] {
        assert!(text.contains(expected), "no {expected} in:\n{text}");
    }
}

#[test]
fn a_folder_may_be_one_recording() {
    let folder = Folder::with("folder", &[("gaze.csv", GAZE), ("blinks.csv", BLINKS), ("world.txt", "")]);
    assert_eq!(folder.json("inspect . --json")["device_blinks"], 1);
    let empty = Folder::with("empty", &[("notes.md", "")]);
    empty.fault("inspect .", &["give a file in it"]);
}

#[test]
fn missing_properties_can_be_given_as_options() {
    let files = [
        ("lab.csv", "clock;gap\n0;9\n10;1\n20;9\n"),
        ("lab.toml", "[time]\ncolumn = 'clock'\nunit = 'ms'\n[aperture]\nleft = 'gap'\nunit = 'mm'\n"),
        ("wrong.toml", "[aperture]\nleft = 'gapp'\nunit = 'mm'\n"),
        ("eog.csv", "vEOG\n1\n2\n1\n"),
    ];
    let folder = Folder::with("printed", &files);
    assert_eq!(folder.json("inspect lab.csv --map lab.toml --json")["aperture_unit"], "mm");
    assert_eq!(folder.json("inspect eog.csv --rate 250 --json")["timing"]["rate_hz"], 250.0);
    folder.fault("inspect lab.csv", &["lab.csv: line 1: no aperture or gaze columns found", "(--map)"]);
    folder.fault("inspect lab.csv --map wrong.toml", &["did you mean “gap”?"]);
    folder.fault("inspect lab.csv --map eog.csv", &["eog.csv: line"]);
    folder.fault(
        "inspect lab.csv --device pico",
        &["lab.csv: this is not a file of pico", "(--device, --map)"],
    );
    folder.fault("inspect lab.csv --device hololens", &["device: unknown device “hololens”", "(--device)"]);
    folder.fault("inspect none.csv", &["none.csv: no such file"]);
}
