#![no_main]

use vivant_fuzz as _;
use vivant_learn::lint::{Trace, lint, motion};
use vivant_learn::recording::{EvenOptions, ColumnMap, ReadOptions, Recording, Source, read};

/// The first byte chooses the names of the files, which say something about what is in them.
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
/// What stands between two files.
const BETWEEN: &[u8] = b"\n%%\n";

fn parts(mut data: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    while let Some(at) = data.windows(BETWEEN.len()).position(|window| window == BETWEEN) {
        parts.push(&data[..at]);
        data = &data[at + BETWEEN.len()..];
    }
    parts.push(data);
    parts
}

/// Whatever was read can be judged, or it is said why not.
fn judge(recording: &Recording) {
    let Ok(trace) = Trace::of_recording(recording) else { return };
    let Ok(lint) = lint(&trace) else { return };
    assert!((0.0..=100.0).contains(&lint.grade));
}

// With bit 64 all is a table of motion. With bit 16 a rate is given; with bit 32 the first part is a map. Parquet is left out: its reader is not ours, and is known to panic, which is
// caught elsewhere and ends the run here.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let [choice, data @ ..] = data else { return };
    if choice & 64 != 0 {
        if let Ok(recording) = motion::of_table("a.csv", data) {
            judge(&recording);
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
    let even = recording.even(&EvenOptions::default());
    assert!((0.0..=1.0).contains(&even.unknown) && (0.0..=1.0).contains(&even.filled));
    let _ = recording.quality();
    judge(&recording);
});
