//! Recordings from the folder in `VIVANT_DATA`.

use vivant_learn::blinks::recorded::{Labelled, Settings, label_recording};
use vivant_learn::recording::{self, EvenOptions, Eye, ReadOptions, Recording, Source, companions};

/// A file's bytes; `None`, and the test is skipped, if it is not there.
pub(crate) fn bytes(path: &str) -> Option<Vec<u8>> {
    vivant_testing::data_bytes(path)
}

/// A recording with the files beside it that belong to it.
pub(crate) fn recording(path: &str) -> Option<Recording> {
    let (folder, name) = path.rsplit_once('/')?;
    let first = bytes(path)?;
    let data = vivant_testing::data(folder)?;
    let names: Vec<String> = std::fs::read_dir(&data)
        .ok()?
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let mut sources = vec![Source { name: name.into(), bytes: first }];
    for name in companions(name, &names) {
        sources.push(Source { bytes: std::fs::read(data.join(&name)).ok()?, name });
    }
    let rate_hz = path.contains("30fps").then_some(30.0);
    Some(recording::read(&sources, &ReadOptions { rate_hz, ..ReadOptions::default() }).unwrap().0)
}

pub(crate) fn labelled(recording: &Recording, settings: &Settings) -> Labelled {
    label_recording(recording, settings).unwrap()
}

/// How open an eye is at even steps.
pub(crate) struct Signal {
    pub(crate) openness: Vec<f64>,
    pub(crate) rate_hz: f64,
}

pub(crate) fn signal(path: &str, eye: Eye) -> Option<Signal> {
    let even = recording(path)?.even(&EvenOptions { max_gap_secs: 0.034, eye, ..EvenOptions::default() });
    Some(Signal { openness: even.openness?, rate_hz: even.rate_hz })
}

/// Twice the matches by all that were found and all that are labelled; each matches at most once.
pub(crate) fn f1(found: &[f64], labels: &[f64], within: f64) -> f64 {
    let mut left = found.to_vec();
    let mut hits = 0;
    for label in labels {
        let nearest =
            (0..left.len()).min_by(|a, b| (left[*a] - label).abs().total_cmp(&(left[*b] - label).abs()));
        if let Some(i) = nearest.filter(|i| (left[*i] - label).abs() <= within + 1e-6) {
            left.swap_remove(i);
            hits += 1;
        }
    }
    2.0 * f64::from(hits) / (found.len() + labels.len()) as f64
}
