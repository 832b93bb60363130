#![no_main]

use vivant_fuzz as _;
use vivant_learn::lint::{Trace, lint, motion};
use vivant_learn::recording::{ColumnMap, ReadOptions, Recording, ResampleOptions, Source, read};

/// The first byte chooses the file names, which are hints to the format.
const NAMES: [&[&str]; 8] = [
    &["a.csv", "b.csv", "c.csv"],
    &["a_60hz.tsv"],
    &["a.npy"],
    &["a_samples.asc", "a_events.asc"],
    &["a.trc"],
    &["a.c3d"],
    &["gazedata", "imudata"],
    &["eye_state ps1.raw", "eye_state ps1.time", "blinks ps1.raw", "blinks ps1.time"],
];
/// Separator between two files.
const SEPARATOR: &[u8] = b"\n%%\n";

fn parts(mut data: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    while let Some(at) = data.windows(SEPARATOR.len()).position(|window| window == SEPARATOR) {
        parts.push(&data[..at]);
        data = &data[at + SEPARATOR.len()..];
    }
    parts.push(data);
    parts
}

/// Checks that every accepted recording can be linted, or gives an error.
fn check_lint(recording: &Recording) {
    let Ok(trace) = Trace::from_recording(recording) else { return };
    let Ok(lint) = lint(&trace) else { return };
    assert!((0.0..=100.0).contains(&lint.score));
}

// Bit 64: the data is a table of motion. Bit 16: a rate is given. Bit 32: the first part is a column map. Parquet is
// excluded: its third-party reader is known to panic, which is caught elsewhere but would end the run here.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let [choice, data @ ..] = data else { return };
    if choice & 64 != 0 {
        if let Ok(recording) = motion::from_table("a.csv", data) {
            check_lint(&recording);
        }
        return;
    }
    let mut parts = parts(data);
    let mut options = ReadOptions { rate_hz: (choice & 16 != 0).then_some(100.0), ..ReadOptions::default() };
    if choice & 32 != 0 {
        let Ok(map) = ColumnMap::parse(&String::from_utf8_lossy(parts.remove(0))) else { return };
        options.map = Some(map);
    }
    let names = NAMES[usize::from(choice & 7)];
    let sources: Vec<Source> = names
        .iter()
        .zip(parts)
        .map(|(name, bytes)| Source { name: (*name).into(), bytes: bytes.into() })
        .collect();
    if sources.iter().any(|source| source.bytes.starts_with(b"PAR1")) {
        return;
    }
    let Ok((recording, _)) = read(&sources, &options) else { return };
    assert!(recording.times.windows(2).all(|pair| pair[1] > pair[0]));
    let count = recording.times.len();
    for values in recording.aperture.iter().flat_map(|a| [&a.left, &a.right]) {
        assert!(values.is_empty() || values.len() == count);
    }
    for values in recording.gaze.iter().flat_map(|g| [&g.yaw_deg, &g.pitch_deg]) {
        assert_eq!(values.len(), count);
    }
    let resampled = recording.resample(&ResampleOptions::default());
    assert!((0.0..=1.0).contains(&resampled.unknown) && (0.0..=1.0).contains(&resampled.filled));
    let _ = recording.quality();
    check_lint(&recording);
});
