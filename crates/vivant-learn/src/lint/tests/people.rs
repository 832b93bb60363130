//! Recordings of people pass.

use super::*;
use crate::recording::{ReadOptions, Source, companions, read};
use std::path::{Path, PathBuf};

/// Recordings in which something odd is seen for a reason.
const REASONS: &[(&str, &str, &str)] = &[
    (
        "trampoline",
        "",
        "somebody jumps, and how the head turns is not known: what looks like a drift is the reflex",
    ),
    ("TobiiGlasses3", "saccades.teleports", "the device's filter makes one step of many saccades"),
    ("TobiiGlasses3", "head.eyeLimits", "a calibration of glasses, which asks for looks to the edges"),
    ("HTC_Vive_Pro", "lids.follow", "the device's openness is 1 for all lids that are open"),
    ("HTC_Vive_Pro", "signal.noise", "an eye is lost now and then"),
    ("eye_state", "head.vergence", "the device's optical axes are not where the eyes look"),
    ("eog", "signal.lidNoise", "potentials have noise of their own"),
];

/// How files are called that belong to another.
const PARTS: [&str; 8] =
    ["blinks ps", "gaze ps", "imu ps", ".time", "_blinks.csv", "_imu.csv", "imudata", "fixations"];

fn recordings(data: &Path) -> Vec<(String, Trace)> {
    let mut folders = vec![data.join("eye")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<PathBuf> =
            std::fs::read_dir(&folder).unwrap().map(|it| it.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            // A recording of several files is found by the one with its samples.
            if PARTS.iter().any(|part| name.contains(part)) {
                continue;
            }
            let beside: Vec<String> = std::fs::read_dir(path.parent().unwrap())
                .unwrap()
                .map(|it| it.unwrap().file_name().to_string_lossy().into_owned())
                .collect();
            let files = std::iter::once(name.clone()).chain(companions(&name, &beside));
            let sources: Vec<Source> = files
                .map(|name| Source { bytes: std::fs::read(path.with_file_name(&name)).unwrap(), name })
                .collect();
            // What is no recording of eyes lies among them, such as tables of blinks.
            let Ok((recording, _)) = read(&sources, &ReadOptions::default()) else { continue };
            if let Ok(trace) = Trace::of_recording(&recording) {
                found.push((name, trace));
            }
        }
    }
    found
}

#[test]
fn people_pass() {
    let Some(data) = std::env::var_os("VIVANT_DATA").map(PathBuf::from) else {
        eprintln!("skipped: VIVANT_DATA is not set");
        return;
    };
    let (mut human, mut judged, mut people) = (0, 0, 0);
    for (name, trace) in recordings(&data) {
        let lint = lint(&trace).unwrap();
        let count = |verdict| lint.checks.iter().filter(|check| check.verdict == verdict).count();
        let has_reason = |check: &Check| {
            REASONS.iter().any(|(file, id, _)| name.contains(file) && (id.is_empty() || *id == check.id))
        };
        let wrong: Vec<&Check> = lint
            .checks
            .iter()
            .filter(|check| check.verdict == Verdict::Wrong && !has_reason(check))
            .collect();
        assert!(wrong.is_empty(), "{name}: {wrong:?}");
        for check in lint.checks.iter().filter(|check| check.verdict == Verdict::Odd) {
            assert!(has_reason(check), "{name}: {check:?}");
        }
        human += count(Verdict::Human);
        judged += count(Verdict::Human) + count(Verdict::Odd) + count(Verdict::Wrong);
        people += 1;
    }
    assert!(people >= 18, "{people} recordings");
    let share = f64::from(human as u32) / f64::from(judged as u32);
    assert!(share >= 0.9, "{human} of {judged} figures are human");
}
