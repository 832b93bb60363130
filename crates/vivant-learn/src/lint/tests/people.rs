//! Recordings of people pass, also against ranges computed without them, and `people.json` matches the recordings.

use super::*;
use crate::lint::people::{People, Recorded};
use crate::recording::{ReadOptions, Recording, Source, companions, read};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// People whose recordings set the ranges: part of a file name, and the person.
const PERSONS: [(&str, &str); 15] = [
    ("irf_lookAtPoint_EL_S1", "irf S1"),
    ("irf_lookAtPoint_EL_S2", "irf S2"),
    ("irf_lookAtPoint_EL_S3", "irf S3"),
    ("irf_lookAtPoint_EL_S4", "irf S4"),
    ("P1_", "BlinkDetector P1"),
    ("eye_state ps1", "Neon demo"),
    ("TESTNA01", "EyeDentify3d NA01"),
    ("TESTNA05", "EyeDentify3d NA05"),
    ("TESTNA10", "EyeDentify3d NA10"),
    ("Pico_boxing", "EyeDentify3d boxing"),
    ("trampoline", "EyeDentify3d trampoline"),
    ("TobiiGlasses3", "EyeDentify3d calibration"),
    ("neurokit_eog", "NeuroKit EOG"),
    ("jefapato", "JeFaPaTo"),
    ("pypillometry_002", "pypillometry 002"),
];

const INSTRUCTED: &str = "the person was asked to blink like this";
/// Checks that reflect a device or a task instead of the person: part of a file name, check or group, and reason.
const IGNORED_CHECKS: &[(&str, &str, &str)] = &[
    ("P1_long", "blinks", INSTRUCTED),
    ("P1_very_long", "blinks", INSTRUCTED),
    ("P1_slow", "blinks", INSTRUCTED),
    ("P1_partial", "blinks", INSTRUCTED),
    ("P1_long", "lids", INSTRUCTED),
    ("P1_very_long", "lids", INSTRUCTED),
    ("P1_slow", "lids", INSTRUCTED),
    ("P1_partial", "lids", INSTRUCTED),
    (
        "trampoline",
        "saccades",
        "the person jumps and the head direction is unknown: apparent drift is the VOR",
    ),
    (
        "trampoline",
        "glances",
        "the person jumps and the head direction is unknown: apparent drift is the VOR",
    ),
    ("trampoline", "head", "the person jumps and the head direction is unknown: apparent drift is the VOR"),
    ("TobiiGlasses3", "saccades.teleports", "the device's filter turns many saccades into one step"),
    ("TobiiGlasses3", "glances.fixations", "the device's filter turns many saccades into one step"),
    ("TobiiGlasses3", "glances.intervals", "the device's filter turns many saccades into one step"),
    ("TobiiGlasses3", "head.eyeLimits", "calibration of the glasses, with gaze targets at the edges"),
    ("HTC_Vive_Pro", "lids.follow", "the device reports an openness of 1 for all open lids"),
    ("TESTNA10", "signal.noise", "the tracker loses an eye now and then"),
    ("TESTNA10", "lids.sides", "the tracker loses an eye now and then"),
    ("eye_state", "head.vergence", "the device reports optical axes, not visual axes"),
];

/// Parts of the names of companion files.
const PARTS: [&str; 9] =
    ["blinks ps", "gaze ps", "imu ps", ".time", "_blinks.csv", "_imu.csv", "imudata", "fixations", "_events"];

/// Returns the reason why a check of this recording is ignored.
fn reason(file: &str, id: &str) -> Option<&'static str> {
    let is_meant = |key: &str| id == key || id.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
    IGNORED_CHECKS.iter().find(|(part, key, _)| file.contains(part) && is_meant(key)).map(|(_, _, why)| *why)
}

/// An eye recording of the test data.
struct FoundRecording {
    /// Path in the data folder.
    file: String,
    person: String,
    device: String,
    trace: Trace,
}

fn data() -> Option<PathBuf> {
    vivant_testing::data("")
}

fn recordings(data: &Path) -> Vec<FoundRecording> {
    let mut folders = vec![data.join("eye")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<PathBuf> =
            std::fs::read_dir(&folder).unwrap().map(|it| it.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                // A folder with its own manifest holds other people, who are not part of these ranges.
                folders.extend((!path.join("MANIFEST.csv").exists()).then_some(path));
                continue;
            }
            let file = path.strip_prefix(data).unwrap().to_string_lossy().replace('\\', "/");
            // A recording of several files is opened by the file with its samples.
            if PARTS.iter().any(|part| file.contains(part)) {
                continue;
            }
            // The folder also has files that are not recordings, such as tables of blinks.
            let Some(recording) = recording(&path) else { continue };
            if let Ok(trace) = Trace::from_recording(&recording) {
                let known = PERSONS.iter().find(|(part, _)| file.contains(part));
                let person = known.map_or_else(|| file.clone(), |(_, person)| (*person).to_owned());
                found.push(FoundRecording { file, person, device: recording.device, trace });
            }
        }
    }
    found.sort_by(|a, b| a.file.cmp(&b.file));
    found
}

fn recording(path: &Path) -> Option<Recording> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    let beside: Vec<String> = std::fs::read_dir(path.parent()?)
        .ok()?
        .map(|it| it.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    let files = std::iter::once(name.clone()).chain(companions(&name, &beside));
    let sources: Vec<Source> = files
        .map(|name| Source { bytes: std::fs::read(path.with_file_name(&name)).unwrap(), name })
        .collect();
    read(&sources, &ReadOptions::default()).ok().map(|(recording, _)| recording)
}

/// Returns licence and origin of each file from the manifest.
fn manifest(data: &Path) -> HashMap<String, (String, String)> {
    let mut reader = csv::Reader::from_path(data.join("MANIFEST.csv")).unwrap();
    let rows = reader.records().map(|row| row.unwrap());
    rows.map(|row| (row[0].to_owned(), (row[2].to_owned(), row[3].to_owned()))).collect()
}

/// Rounds to four significant digits, so that the file does not depend on the platform.
fn short(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap()
}

fn measured(data: &Path) -> People {
    let manifest = manifest(data);
    let is_known = |found: &FoundRecording| PERSONS.iter().any(|(part, _)| found.file.contains(part));
    let recorded = |found: FoundRecording| {
        let FoundRecording { file, person, device, trace } = found;
        let lint = lint(&trace).unwrap();
        let figure = |check: &Check| {
            let value = (short(check.value?), short(check.error?), check.count);
            Some((check.id.to_owned(), value))
        };
        let figures: BTreeMap<_, _> = lint.checks.iter().filter_map(figure).collect();
        let apart =
            figures.keys().filter_map(|id| Some((id.clone(), reason(&file, id)?.to_owned()))).collect();
        let (licence, origin) = manifest[&file].clone();
        let (seconds, rate_hz) = (short(trace.secs()), trace.rate_hz);
        Recorded { file, person, origin, licence, device, seconds, rate_hz, apart, figures }
    };
    People {
        about: "Values that `vivant lint` measured in recordings of people, without their samples. \
                `VIVANT_UPDATE=1 cargo test -p vivant-learn --lib people` updates this file."
            .into(),
        recordings: recordings(data).into_iter().filter(is_known).map(recorded).collect(),
    }
}

/// Formats the file, one recording per line.
fn text(people: &People) -> String {
    let recordings: Vec<String> =
        people.recordings.iter().map(|it| format!("    {}", serde_json::to_string(it).unwrap())).collect();
    let about = serde_json::to_string(&people.about).unwrap();
    format!("{{\n  \"about\": {about},\n  \"recordings\": [\n{}\n  ]\n}}\n", recordings.join(",\n"))
}

#[test]
fn people_json_matches_the_recordings() {
    let Some(data) = data() else { return };
    let people = measured(&data);
    if std::env::var_os("VIVANT_UPDATE").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lint/people.json");
        std::fs::write(path, text(&people)).unwrap();
        return;
    }
    let advice = "VIVANT_UPDATE=1 cargo test -p vivant-learn --lib people updates the file";
    let ours = People::standard();
    assert_eq!(ours.recordings.len(), people.recordings.len(), "{advice}");
    for (ours, again) in ours.recordings.iter().zip(&people.recordings) {
        let near = |a: f64, b: f64| (a - b).abs() <= 2e-3 * a.abs().max(b.abs()) + 1e-9;
        for (id, figure) in &again.figures {
            let own = ours.figures.get(id).copied().unwrap_or_default();
            assert!(
                near(own.0, figure.0) && near(own.1, figure.1) && own.2 == figure.2,
                "{}: {id}; {advice}",
                ours.file
            );
        }
        assert_eq!(*ours, Recorded { figures: ours.figures.clone(), ..again.clone() }, "{advice}");
        assert_eq!(ours.figures.len(), again.figures.len(), "{}; {advice}", ours.file);
    }
}

/// Counts of human and checked values, and lists of odd values and of wrong values without a reason.
#[derive(Default)]
struct Tally {
    human: usize,
    checked: usize,
    odd: Vec<String>,
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, found: &FoundRecording, trace: &Trace, people: &People) {
        let (lint, _) = lint_against(trace, people).unwrap();
        for check in &lint.checks {
            let describe = || {
                format!(
                    "{} {:.1} Hz: {} {:?} ± {:?}",
                    found.file, trace.rate_hz, check.id, check.value, check.error
                )
            };
            self.checked += usize::from(check.verdict != Verdict::NotEnoughData);
            match check.verdict {
                Verdict::Human => self.human += 1,
                Verdict::Odd => self.odd.push(describe()),
                Verdict::Wrong if reason(&found.file, check.id).is_none() => self.wrong.push(describe()),
                Verdict::Wrong => self.odd.push(format!("{} (wrong)", describe())),
                Verdict::NotEnoughData => {}
            }
        }
    }

    fn share(&self) -> f64 {
        self.human as f64 / self.checked.max(1) as f64
    }

    fn check(&self, name: &str) {
        eprintln!("{name}: {} of {} checks are human; odd: {:#?}", self.human, self.checked, self.odd);
        assert!(self.wrong.is_empty(), "{name}: {:#?}", self.wrong);
        assert!(self.share() >= 0.9, "{name}: {} of {}: {:#?}", self.human, self.checked, self.odd);
    }
}

/// Ranges computed without a person accept that person.
#[test]
fn people_pass_against_ranges_without_them() {
    let Some(data) = data() else { return };
    let found = recordings(&data);
    let mut tally = Tally::default();
    for found in &found {
        tally.add(found, &found.trace, &People::standard().without(&found.person));
    }
    assert!(
        found.len() >= 19 && tally.checked >= 200,
        "{} recordings, {} checks",
        found.len(),
        tally.checked
    );
    tally.check("left out");
}

/// Cuts a part of a trace, given as shares of its duration.
fn part(trace: &Trace, from: f64, to: f64) -> Trace {
    let len = trace.len() as f64;
    let range = (from * len) as usize..(to * len) as usize;
    let cut = |gaze: &Gaze| Gaze {
        yaw_deg: gaze.yaw_deg[range.clone()].to_vec(),
        pitch_deg: gaze.pitch_deg[range.clone()].to_vec(),
    };
    let [begin, end] = [range.start, range.end].map(|i| i as f64 / trace.rate_hz);
    let blinks = trace.blinks.as_ref().map(|all| {
        let within = all.iter().filter(|span| span.from_secs >= begin && span.to_secs < end);
        within
            .map(|span| crate::recording::Span {
                from_secs: span.from_secs - begin,
                to_secs: span.to_secs - begin,
            })
            .collect()
    });
    Trace {
        gaze: trace.gaze.as_ref().map(cut),
        eyes: trace.eyes.as_ref().map(|eyes| eyes.each_ref().map(cut)),
        head: trace.head.as_ref().map(cut),
        openness: trace.openness.iter().map(|side| side[range.clone()].to_vec()).collect(),
        blinks,
        ..trace.clone()
    }
}

/// Parts of recordings, and recordings at lower sampling rates, pass too.
#[test]
fn parts_of_recordings_and_lower_rates_pass() {
    let Some(data) = data() else { return };
    let found = recordings(&data);
    let change = |name: &str, change: &dyn Fn(&Trace) -> Option<Trace>| {
        let mut tally = Tally::default();
        for found in &found {
            if let Some(trace) = change(&found.trace).filter(|trace| trace.check().is_ok()) {
                tally.add(found, &trace, &People::standard().without(&found.person));
            }
        }
        tally.check(name);
    };
    for (from, to) in [(0.0, 0.5), (0.5, 1.0), (0.3, 0.6)] {
        change(&format!("{from} to {to}"), &|trace| Some(part(trace, from, to)));
    }
    for by in [2.0, 4.0] {
        change(&format!("every {by}"), &|trace| {
            Some(trace.at_rate(trace.rate_hz / by)).filter(|it| it.rate_hz >= 24.0)
        });
    }
    for rate in [100.0, 30.0] {
        change(&format!("{rate} Hz"), &|trace| (trace.rate_hz > rate).then(|| trace.at_rate(rate)));
    }
}
