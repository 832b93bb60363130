//! Reading ELAN files gives the same annotations as pympi-ling, and counting transitions gives the same numbers as
//! plain Python.
//!
//! `cargo xtask test` installs pympi and sets `VIVANT_PYTHON`; the files are in `VIVANT_DATA`.

#![allow(missing_docs, clippy::print_stdout, reason = "tests")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use vivant_io::eaf::{self, Annotation, Annotations};
use vivant_learn::behaviour::{AnnotatedVideo, Counts, TierMap, learn};

fn eaf_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        match path.extension() {
            _ if path.is_dir() => eaf_files(&path, files),
            Some(ending) if ending == "eaf" => files.push(path),
            _ => {}
        }
    }
    files.sort();
}

#[test]
fn files_are_read_and_counted_as_with_pympi() {
    let Some(data) = vivant_testing::data("") else { return };
    let Some(python) = vivant_testing::variable("VIVANT_PYTHON") else { return };
    let mut files = Vec::new();
    eaf_files(&data, &mut files);
    assert!(!files.is_empty(), "no .eaf in {}", data.display());
    for file in files {
        let read = eaf::read(&std::fs::read(&file).unwrap(), &mut Vec::new());
        match (read, pympi(&python, &file)) {
            (Ok(annotations), Ok(expected)) => compare(&file, annotations, &expected),
            (Err(error), Err(_)) => println!("{}: rejected by both: {error}", file.display()),
            (Ok(_), Err(error)) => panic!("{}: pympi cannot read it: {error}", file.display()),
            (Err(error), Ok(_)) => panic!("{}: {error}", file.display()),
        }
    }
}

fn pympi(python: &Path, file: &Path) -> Result<Value, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/elan/counts.py");
    let output = Command::new(python).arg(script).arg(file).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        // A missing pympi must not look like an unreadable file.
        assert!(!message.contains("No module named"), "{message}");
        return Err(message);
    }
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

fn compare(file: &Path, annotations: Annotations, expected: &Value) {
    let name = file.file_name().unwrap().to_string_lossy();
    let tiers = expected["tiers"].as_array().unwrap();
    assert_eq!(annotations.tiers.len(), tiers.len(), "{name}");
    let mut timed = 0;
    for (tier, expected) in annotations.tiers.iter().zip(tiers) {
        assert_eq!(tier.name, expected["name"].as_str().unwrap(), "{name}");
        let expected = expected["annotations"].as_array().unwrap();
        assert_eq!(tier.annotations.len(), expected.len(), "{name}: {}", tier.name);
        for (annotation, expected) in tier.annotations.iter().zip(expected) {
            timed += same_annotation(&annotations, annotation, expected);
        }
    }
    let recording = AnnotatedVideo { name: name.clone().into_owned(), annotations };
    let chains = expected["chains"].as_array().unwrap();
    let counted: u64 = chains.iter().map(|chain| same_counts(&recording, chain)).sum();
    println!("{name}: {} tiers, {timed} times, {} chains, {counted} transitions", tiers.len(), chains.len());
}

/// Returns the number of compared times. For references pympi knows only the times of the annotation at the end of
/// the chain.
fn same_annotation(annotations: &Annotations, annotation: &Annotation, expected: &Value) -> usize {
    let place = format!("{expected}");
    assert_eq!(annotation.id, expected["id"].as_str().unwrap(), "{place}");
    assert_eq!(annotation.value, expected["value"].as_str().unwrap(), "{place}");
    assert_eq!(annotation.refers_to.is_some(), expected["refers"].as_bool().unwrap(), "{place}");
    let mut root = annotation;
    while let Some((tier, index)) = root.refers_to {
        root = &annotations.tiers[tier].annotations[index];
    }
    assert!(root.start <= annotation.start && annotation.end <= root.end, "{place}");
    let found = [root.start, root.end].map(|secs| (secs * 1e3).round());
    let expected = ["start", "end"].map(|key| expected[key].as_f64());
    let known = found.iter().zip(expected).filter_map(|(found, expected)| Some((*found, expected?)));
    known.clone().for_each(|(found, expected)| assert_eq!(found, expected, "{place}"));
    known.count()
}

/// Returns the number of compared transitions.
fn same_counts(recording: &AnnotatedVideo, expected: &Value) -> u64 {
    let names = ["left", "right"].map(|side| expected[side].as_str().unwrap());
    let place = format!("{}: {names:?}", recording.name);
    let mut map = String::new();
    for (part, name) in ["left-arm", "right-arm"].into_iter().zip(names) {
        map += &format!("[[tier]]\npart = \"{part}\"\nname = {name:?}\nperson = \"\"\n");
    }
    map += "[values]\n\"*\" = \"ignore\"\n";
    for letter in 'a'..='z' {
        let kind = match letter {
            'a'..='h' => "G",
            'i'..='p' => "F",
            _ => "T",
        };
        map += &format!("\"{letter}*\" = \"{kind}\"\n");
    }
    let learned = learn(std::slice::from_ref(recording), &TierMap::parse(&map).unwrap(), &mut Vec::new());
    let counts = expected["counts"].as_object().unwrap();
    let Ok(learned) = learned else {
        assert_eq!(expected["actions"], 0, "{place}: {learned:?}");
        return 0;
    };
    let arms: &Counts = &learned.counts[0];
    assert_eq!(arms.occurrences.iter().sum::<u64>(), expected["actions"].as_u64().unwrap(), "{place}");
    for (pair, count) in counts {
        let (from, to) = pair.split_once(' ').unwrap();
        assert_eq!(arms.count(from, to), count.as_u64(), "{place}: {pair}");
    }
    let (ours, theirs): (u64, u64) =
        (arms.transitions.iter().flatten().sum(), counts.values().filter_map(Value::as_u64).sum());
    assert_eq!(ours, theirs, "{place}");
    ours
}

#[test]
fn a_file_that_is_not_xml_is_an_error() {
    let Some(bytes) = vivant_testing::data_bytes("elan/lingdata_hobgoblin_NOT_XML.eaf") else { return };
    let error = eaf::read(&bytes, &mut Vec::new()).unwrap_err().to_string();
    assert!(error.contains("line 1: invalid XML"), "{error}");
}
