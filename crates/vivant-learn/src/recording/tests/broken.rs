//! Randomly damaged files: reading them never panics, and whatever is read is consistent.

use super::kinds::{ASC_EVENTS, ASC_SAMPLES, neon, npy, parquet_file, pupil};
use super::marked::{C3dFormat, in_room, trc};
use super::source;
use crate::recording::{ReadOptions, ResampleOptions, Source, read};
use proptest::prelude::*;

/// Returns valid files, one for each reader.
fn good(which: usize) -> Vec<Source> {
    match which {
        0 => pupil().to_vec(),
        1 => neon(20),
        2 => vec![source("a_samples.asc", ASC_SAMPLES), source("a_events.asc", ASC_EVENTS)],
        3 => vec![trc(in_room)],
        4 => vec![C3dFormat { machine: 84, is_float: true }.c3d(in_room)],
        5 => vec![C3dFormat { machine: 86, is_float: false }.c3d(in_room)],
        6 => {
            let row = |i: u8| [&(f64::from(i) * 0.01).to_le_bytes()[..], &1f32.to_le_bytes()].concat();
            let rows: Vec<u8> = (0..4).flat_map(row).collect();
            vec![source("a.npy", npy("[('t', '<f8'), ('openness', '<f4')]", "(4,)", &rows))]
        }
        7 => {
            let data = "{\"eyeleft\":{\"gazedirection\":[0.1,0,1]}}";
            let line = |i: u32| format!("{{\"type\":\"gaze\",\"timestamp\":0.0{i},\"data\":{data}}}\n");
            vec![source("gazedata", (1..4).map(line).collect::<String>())]
        }
        8 => vec![source("a.parquet", parquet_file())],
        _ => vec![source("eog_50hz.csv", "vEOG;time\n1;0,01\n-9;0,02\n1;0,03\n")],
    }
}

/// A changed byte: its position as a share of the file, and the new value.
type Edit = (f64, u8);

fn broken(which: usize, edits: &[Edit], end: Option<f64>) -> Vec<Source> {
    let mut sources = good(which);
    let bytes = &mut sources[0].bytes;
    for (at, byte) in edits {
        let index = (at * bytes.len() as f64) as usize;
        bytes[index] = *byte;
    }
    if let Some(end) = end {
        bytes.truncate((end * bytes.len() as f64) as usize);
    }
    sources
}

#[test]
fn undamaged_files_are_read() {
    for which in 0..10 {
        let read = read(&good(which), &ReadOptions::default());
        assert!(read.is_ok(), "{which}: {read:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn damaged_files_are_errors_or_consistent(
        which in 0..10usize,
        edits in prop::collection::vec((0.0..1.0f64, prop_oneof![any::<u8>(), 48..58u8, Just(b'-'), Just(255)]), 0..6),
        end in prop::option::weighted(0.2, 0.0..1.0f64),
    ) {
        let sources = broken(which, &edits, end);
        let Ok((recording, _)) = read(&sources, &ReadOptions::default()) else { return Ok(()) };
        let count = recording.times.len();
        prop_assert!(recording.times[0] == 0.0 && recording.times.windows(2).all(|pair| pair[1] > pair[0]));
        for values in recording.aperture.iter().flat_map(|a| [&a.left, &a.right]) {
            prop_assert!(values.is_empty() || values.len() == count);
            prop_assert!(values.iter().all(|value| !value.is_infinite()));
        }
        for values in recording.gaze.iter().flat_map(|g| [&g.yaw_deg, &g.pitch_deg]) {
            prop_assert!(values.len() == count && values.iter().all(|value| value.is_nan() || value.abs() <= 180.0));
        }
        let even = recording.resample(&ResampleOptions::default());
        prop_assert!((0.0..=1.0).contains(&even.unknown) && (0.0..=1.0).contains(&even.filled));
    }
}
