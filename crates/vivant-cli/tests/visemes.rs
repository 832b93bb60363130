//! `vivant visemes`: valid and invalid input.

#![allow(missing_docs, reason = "tests")]

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

fn vivant(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_vivant")).arg("visemes").args(words).output().unwrap()
}

/// Creates a folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("vivant-visemes-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns a WAV file of one second: one channel of 16 bits at 16 kHz.
fn wav(sample: impl Fn(usize) -> i16) -> Vec<u8> {
    let data: Vec<u8> = (0..16_000).flat_map(|n| sample(n).to_le_bytes()).collect();
    let mut bytes =
        b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3e\0\0\0\x7d\0\0\x02\0\x10\0data".to_vec();
    bytes.extend((data.len() as u32).to_le_bytes());
    bytes[4..8].copy_from_slice(&(36 + data.len() as u32).to_le_bytes());
    bytes.extend(data);
    bytes
}

/// Times that decrease, in the label format of aligners.
const BACKWARDS: &str = "0 2000000 m\n1000000 1500000 aa\n3000000 2500000 p\n";

#[test]
fn every_input_is_converted_or_reported() {
    let folder = folder("hard");
    let long = "word ".repeat(200_000);
    let square = |n: usize| if (n / 60).is_multiple_of(2) { i16::MAX } else { i16::MIN };
    for (name, bytes, status, sentence) in [
        ("empty.txt", b"".to_vec(), 1, "the file is empty"),
        ("blank.txt", b" \n".to_vec(), 1, "nothing to speak"),
        ("long.txt", long.clone().into_bytes(), 1, "too many samples"),
        ("script.txt", "Привет".into(), 1, "nothing to speak"),
        ("mixed.txt", "Hello Привет 你好".into(), 0, "letters of other scripts"),
        ("emoji.txt", "Hello 😀".into(), 0, "emoji are not spoken"),
        ("broken.ssml", b"<speak>Hello <b".to_vec(), 1, "broken.ssml"),
        ("crossed.ssml", b"<speak><p>Hello</speak></p>".to_vec(), 1, "crossed.ssml"),
        ("silent.wav", wav(|_| 0), 0, "is silent"),
        ("clipped.wav", wav(square), 0, "is clipped"),
        ("no.wav", b"no sound".to_vec(), 1, "cannot read this recording"),
        ("backwards.lab", BACKWARDS.into(), 0, "starts before the previous one ends"),
        ("what.bin", vec![0, 159, 146, 150], 1, "what.bin"),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        let output = vivant(&[path.to_str().unwrap(), "-o", folder.join("out.csv").to_str().unwrap()]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{name}: {text}");
        assert!(text.contains(sentence), "{name}: {text}");
    }
    for (text, status, sentence) in [
        ("", 1, "nothing to speak"),
        (&long[..], 1, "too long: 1000000 characters"),
        ("你好", 1, "nothing to speak"),
        ("Hi 🎉", 0, "emoji are not spoken"),
        ("<speak>Hello <b", 1, "--text"),
    ] {
        // A million letters are too long for an argument on some systems.
        let mut command = Command::new(env!("CARGO_BIN_EXE_vivant"));
        let Ok(output) = command.args(["visemes", "--text", text]).output() else { continue };
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{text:.20}: {printed}");
        assert!(printed.contains(sentence), "{text:.20}: {printed}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_silent_recording_is_a_mouth_at_rest_and_times_are_in_order() {
    let folder = folder("rest");
    let json = |name: &str, bytes: Vec<u8>| -> Value {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        serde_json::from_slice(&vivant(&[path.to_str().unwrap(), "--json"]).stdout).unwrap()
    };
    let silent = json("silent.wav", wav(|_| 0));
    let rows = silent["rows"].as_array().unwrap();
    assert!(rows.len() > 50 && rows.iter().all(|row| row[1].as_f64().unwrap() > 0.9), "{silent}");
    let backwards = json("backwards.lab", BACKWARDS.into());
    let events = backwards["events"].as_array().unwrap();
    let mut last = 0.0;
    for event in events {
        let [from, to] = ["from", "to"].map(|key| event[key].as_f64().unwrap());
        assert!(last <= from && from <= to, "{backwards}");
        last = to;
    }
    assert!(!backwards["warnings"].as_array().unwrap().is_empty(), "{backwards}");
    std::fs::remove_dir_all(folder).unwrap();
}
