//! Recordings of people pass, those of people who were left out too, and make the ranges that others are judged by.

use super::*;
use crate::lint::people::{People, Recorded};
use crate::recording::{ReadOptions, Recording, Source, companions, read};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// Whose recordings the ranges are made of: a part of a file's name, and the person.
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

const ASKED: &str = "somebody was asked to blink so";
/// What says something of a device or of a task and not of people: in which recordings, which figures, and why.
const APART: &[(&str, &str, &str)] = &[
    ("P1_long", "blinks", ASKED),
    ("P1_very_long", "blinks", ASKED),
    ("P1_slow", "blinks", ASKED),
    ("P1_partial", "blinks", ASKED),
    ("P1_long", "lids", ASKED),
    ("P1_very_long", "lids", ASKED),
    ("P1_slow", "lids", ASKED),
    ("P1_partial", "lids", ASKED),
    (
        "trampoline",
        "saccades",
        "somebody jumps, and how the head turns is not known: what looks like a drift is the reflex",
    ),
    (
        "trampoline",
        "glances",
        "somebody jumps, and how the head turns is not known: what looks like a drift is the reflex",
    ),
    (
        "trampoline",
        "head",
        "somebody jumps, and how the head turns is not known: what looks like a drift is the reflex",
    ),
    ("TobiiGlasses3", "saccades.teleports", "the device's filter makes one step of many saccades"),
    ("TobiiGlasses3", "glances.fixations", "the device's filter makes one step of many saccades"),
    ("TobiiGlasses3", "glances.intervals", "the device's filter makes one step of many saccades"),
    ("TobiiGlasses3", "head.eyeLimits", "a calibration of glasses, which asks for looks to the edges"),
    ("HTC_Vive_Pro", "lids.follow", "the device's openness is 1 for all lids that are open"),
    ("TESTNA10", "signal.noise", "an eye is lost now and then"),
    ("TESTNA10", "lids.sides", "an eye is lost now and then"),
    ("eye_state", "head.vergence", "the device's optical axes are not where the eyes look"),
];

/// How files are called that belong to another.
const PARTS: [&str; 9] =
    ["blinks ps", "gaze ps", "imu ps", ".time", "_blinks.csv", "_imu.csv", "imudata", "fixations", "_events"];

/// Why this figure of a recording says nothing of people.
fn reason(file: &str, id: &str) -> Option<&'static str> {
    let is_meant = |key: &str| id == key || id.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
    APART.iter().find(|(part, key, _)| file.contains(part) && is_meant(key)).map(|(_, _, why)| *why)
}

/// A recording of eyes among the data.
struct TraceFindings {
    /// Where it lies in the folder.
    file: String,
    person: String,
    device: String,
    trace: Trace,
}

fn data() -> Option<PathBuf> {
    vivant_testing::data("")
}

fn recordings(data: &Path) -> Vec<TraceFindings> {
    let mut folders = vec![data.join("eye")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<PathBuf> =
            std::fs::read_dir(&folder).unwrap().map(|it| it.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                // A folder with a manifest of its own is another set of people, whom these ranges do not judge.
                folders.extend((!path.join("MANIFEST.csv").exists()).then_some(path));
                continue;
            }
            let file = path.strip_prefix(data).unwrap().to_string_lossy().replace('\\', "/");
            // A recording of several files is found by the one with its samples.
            if PARTS.iter().any(|part| file.contains(part)) {
                continue;
            }
            // What is no recording of eyes lies among them, such as tables of blinks.
            let Some(recording) = recording(&path) else { continue };
            if let Ok(trace) = Trace::of_recording(&recording) {
                let known = PERSONS.iter().find(|(part, _)| file.contains(part));
                let person = known.map_or_else(|| file.clone(), |(_, person)| (*person).to_owned());
                found.push(TraceFindings { file, person, device: recording.device, trace });
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

/// The licence and the origin of each file, as the data's own list has it.
fn manifest(data: &Path) -> HashMap<String, (String, String)> {
    let mut reader = csv::Reader::from_path(data.join("MANIFEST.csv")).unwrap();
    let rows = reader.records().map(|row| row.unwrap());
    rows.map(|row| (row[0].to_owned(), (row[2].to_owned(), row[3].to_owned()))).collect()
}

/// To as many digits as mean something, so that no platform's last bit changes the file.
fn short(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap()
}

fn measured(data: &Path) -> People {
    let manifest = manifest(data);
    let is_known = |found: &TraceFindings| PERSONS.iter().any(|(part, _)| found.file.contains(part));
    let recorded = |found: TraceFindings| {
        let TraceFindings { file, person, device, trace } = found;
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
        about:
            "What `vivant lint` measured in recordings of people: numbers, and nothing of the recordings. \
                `VIVANT_UPDATE=1 cargo test -p vivant-learn --lib people` writes it."
                .into(),
        recordings: recordings(data).into_iter().filter(is_known).map(recorded).collect(),
    }
}

/// The file of the repository, a recording a line.
fn text(people: &People) -> String {
    let recordings: Vec<String> =
        people.recordings.iter().map(|it| format!("    {}", serde_json::to_string(it).unwrap())).collect();
    let about = serde_json::to_string(&people.about).unwrap();
    format!("{{\n  \"about\": {about},\n  \"recordings\": [\n{}\n  ]\n}}\n", recordings.join(",\n"))
}

#[test]
fn the_figures_of_people_are_those_of_their_recordings() {
    let Some(data) = data() else { return };
    let people = measured(&data);
    if std::env::var_os("VIVANT_UPDATE").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lint/people.json");
        std::fs::write(path, text(&people)).unwrap();
        return;
    }
    let advice = "VIVANT_UPDATE=1 cargo test -p vivant-learn --lib people writes it anew";
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

/// How many figures of some traces are human, how many were judged, and which are wrong without a reason.
#[derive(Default)]
struct Tally {
    human: usize,
    judged: usize,
    odd: Vec<String>,
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, found: &TraceFindings, trace: &Trace, people: &People) {
        let (lint, _) = lint_among(trace, people).unwrap();
        for check in &lint.checks {
            let said = || {
                format!(
                    "{} {:.1} Hz: {} {:?} ± {:?}",
                    found.file, trace.rate_hz, check.id, check.value, check.error
                )
            };
            self.judged += usize::from(check.verdict != Verdict::NotEnoughData);
            match check.verdict {
                Verdict::Human => self.human += 1,
                Verdict::Odd => self.odd.push(said()),
                Verdict::Wrong if reason(&found.file, check.id).is_none() => self.wrong.push(said()),
                Verdict::Wrong => self.odd.push(format!("{} (wrong)", said())),
                Verdict::NotEnoughData => {}
            }
        }
    }

    fn share(&self) -> f64 {
        self.human as f64 / self.judged.max(1) as f64
    }

    fn check(&self, name: &str) {
        eprintln!("{name}: {} of {} are human; odd are {:#?}", self.human, self.judged, self.odd);
        assert!(self.wrong.is_empty(), "{name}: {:#?}", self.wrong);
        assert!(self.share() >= 0.9, "{name}: {} of {}: {:#?}", self.human, self.judged, self.odd);
    }
}

/// Ranges know nothing of who is judged by them.
#[test]
fn people_who_were_left_out_pass() {
    let Some(data) = data() else { return };
    let found = recordings(&data);
    let mut tally = Tally::default();
    for found in &found {
        tally.add(found, &found.trace, &People::standard().without(&found.person));
    }
    assert!(found.len() >= 19 && tally.judged >= 200, "{} recordings, {} figures", found.len(), tally.judged);
    tally.check("left out");
}

/// A part of a trace, from one share of its time to another.
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

/// Parts of recordings, and recordings at lower rates, are people's too.
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
            Some(trace.at(trace.rate_hz / by)).filter(|it| it.rate_hz >= 24.0)
        });
    }
    for rate in [100.0, 30.0] {
        change(&format!("{rate} Hz"), &|trace| (trace.rate_hz > rate).then(|| trace.at(rate)));
    }
}
