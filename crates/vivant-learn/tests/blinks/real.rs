//! Recordings from the folder in `VIVANT_DATA`.

use vivant_learn::blinks::recorded::{Labelled, Settings, label_recording};
use vivant_learn::recording::{self, Eye, ReadOptions, Recording, ResampleOptions, Source, companions};

/// Returns the bytes of a file; `None`, so that the test is skipped, if it does not exist.
pub(crate) fn bytes(path: &str) -> Option<Vec<u8>> {
    vivant_testing::data_bytes(path)
}

/// Reads a recording with its companion files.
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

/// Lid openness at even steps.
pub(crate) struct Signal {
    pub(crate) openness: Vec<f64>,
    pub(crate) rate_hz: f64,
}

pub(crate) fn signal(path: &str, eye: Eye) -> Option<Signal> {
    let even = recording(path)?.resample(&ResampleOptions {
        max_gap_secs: 0.034,
        eye,
        ..ResampleOptions::default()
    });
    Some(Signal { openness: even.openness?, rate_hz: even.rate_hz })
}

/// Returns the F1 score: twice the matches divided by found and labelled ones; each matches at most once.
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
