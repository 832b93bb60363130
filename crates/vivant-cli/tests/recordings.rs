//! Recordings of eyes as people meet them: `vivant inspect` says what one is worth.

#![allow(missing_docs, clippy::print_stdout, reason = "tests")]

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder of this test's own.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = std::env::temp_dir().join(format!("vivant-recordings-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in files {
            fs::write(folder.join(name), text).unwrap();
        }
        Self(folder)
    }

    fn inspect(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vivant"));
        command.current_dir(&self.0).arg("inspect").args(words).output().unwrap()
    }

    fn json(&self, words: &[&str]) -> Value {
        let output = self.inspect(&[words, &["--json"]].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const GAZE: &str = "timestamp [ns],worn,azimuth [deg],elevation [deg]\n1000000000,1,5,-3\n1005000000,1,6,-2\n1010000000,0,7,2\n1015000000,1,7,2\n";
const BLINKS: &str = "blink id,start timestamp [ns],end timestamp [ns]\n1,1001000000,1009000000\n";

#[test]
fn a_file_is_read_with_those_that_belong_to_it() {
    let folder =
        Folder::new("beside", &[("a_gaze.csv", GAZE), ("a_blinks.csv", BLINKS), ("b_blinks.csv", "x")]);
    let found = folder.json(&["a_gaze.csv"]);
    let keys: Vec<&str> = found.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["channels", "device", "device_blinks", "duration_secs", "kind", "timing", "warnings"]);
    assert_eq!((&found["device"], &found["device_blinks"]), (&"pupil-invisible".into(), &1.into()));
    assert_eq!(
        (&found["timing"]["rate_hz"], &found["channels"][0]["unknown"]),
        (&200.0.into(), &0.25.into())
    );
    let output = folder.inspect(&["a_gaze.csv"]);
    let text = String::from_utf8_lossy(&output.stdout);
    for expected in ["pupil-invisible", "200.00 Hz", "25.0 % unknown", "1 found by the device"] {
        assert!(text.contains(expected), "no {expected} in:\n{text}");
    }
}

#[test]
fn a_folder_may_be_one_recording() {
    let folder = Folder::new("folder", &[("gaze.csv", GAZE), ("blinks.csv", BLINKS), ("world.txt", "")]);
    assert_eq!(folder.json(&["."])["device_blinks"], 1);
    let empty = Folder::new("empty", &[("notes.md", "")]);
    let message = empty.json(&["."]).to_string() + &String::from_utf8_lossy(&empty.inspect(&["."]).stderr);
    assert!(message.contains("name the file in it"), "{message}");
}

#[test]
fn what_the_file_does_not_say_can_be_said() {
    let files = [
        ("lab.csv", "clock;gap\n0;9\n10;1\n20;9\n"),
        ("lab.toml", "[time]\ncolumn = 'clock'\nunit = 'ms'\n[aperture]\nleft = 'gap'\nunit = 'mm'\n"),
        ("wrong.toml", "[aperture]\nleft = 'gapp'\nunit = 'mm'\n"),
        ("eog.csv", "vEOG\n1\n2\n1\n"),
    ];
    let folder = Folder::new("said", &files);
    assert_eq!(folder.json(&["lab.csv", "--map", "lab.toml"])["aperture_unit"], "mm");
    assert_eq!(folder.json(&["eog.csv", "--rate", "250"])["timing"]["rate_hz"], 250.0);
    let fails = |words: &[&str], expected: &str| {
        let output = folder.inspect(words);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && message.contains(expected), "{message}");
    };
    fails(&["lab.csv"], "lab.csv: line 1: no column is known to say how open the eyes are");
    fails(&["lab.csv", "--map", "wrong.toml"], "did you mean “gap”?");
    fails(&["lab.csv", "--map", "eog.csv"], "eog.csv: line");
    fails(&["lab.csv", "--device", "pico"], "lab.csv: has not what pico writes");
    fails(&["none.csv"], "none.csv: there is no such file");
}
