//! Errors name the file, the place and the fix; nothing panics.

use super::{source, with_map};
use crate::recording::{ColumnMap, ReadOptions, Source, read};

fn check(sources: &[Source], options: &ReadOptions, expected: &str) {
    let error = read(sources, options).map(|(recording, _)| recording.device).unwrap_err().to_string();
    assert!(error.contains(expected), "“{error}” does not contain “{expected}”");
}

#[test]
fn malformed_tables() {
    let cases: &[(&str, &str)] = &[
        ("", "a.csv: the file is empty"),
        ("\n\n", "a.csv: the file is empty"),
        ("time,openness\n", "a.csv: time: 0 samples with a time"),
        ("time [s],openness\n0,1\n", "a.csv: time: 1 samples with a time; at least two"),
        (
            "time [s],openness\n0,1\n1,wide\n",
            "a.csv: line 3, column “openness”: “wide” is not a number; correct the cell",
        ),
        ("time [s],openness\nnoon,1\n1,1\n", "a.csv: line 2, column “time [s]”: “noon” is not a number"),
        ("time,openness\n0,1\n100,1\n200,1\n", "a.csv: column “time”: steps of 100 match no unit"),
        (
            "time [s],openness\n0,1\n1e9,1\n",
            "a.csv: time: the timestamps span 1000000000 s, but at most 172800 s",
        ),
        ("height,weight\n1,2\n", "a.csv: line 1: no aperture or gaze columns found"),
        ("1,2\n3,4\n", "a.csv: line 1: no aperture or gaze columns found"),
        ("openness\n1\n1\n", "a.csv: time: the file has no timestamps; set the sampling rate"),
    ];
    for (text, expected) in cases {
        check(&[source("a.csv", *text)], &ReadOptions::default(), expected);
    }
    check(&[], &ReadOptions::default(), "no file");
    let wide = format!("{}\n", "a,".repeat(5000));
    check(&[source("a.csv", wide)], &ReadOptions::default(), "a.csv: line 1: 5001 columns; at most 4096");
    let many: Vec<Source> = (0..100).map(|i| source(&format!("{i}.csv"), "a")).collect();
    check(&many, &ReadOptions::default(), "100 files; at most 64");
    let rate = ReadOptions { rate_hz: Some(0.0), ..ReadOptions::default() };
    check(
        &[source("a.csv", "openness\n1\n1\n")],
        &rate,
        "a.csv: rate_hz: a sampling rate of 0 Hz is not supported; use 1 to 20000",
    );
}

#[test]
fn wrong_devices() {
    let with = |device: &str| ReadOptions { device: Some(device.into()), ..ReadOptions::default() };
    let text = "time [s],openness\n0,1\n1,1\n";
    check(
        &[source("a.csv", text)],
        &with("hololens"),
        "device: unknown device “hololens”; use one of vivant-track, htc-vive-pro,",
    );
    check(&[source("a.csv", text)], &with("pico"), "a.csv: this is not a file of pico");
    check(
        &[source("a.trc", "PathFileType\t4\nFrame#\tTime\tnose\n1\t0\t1\t2\t3\n")],
        &with("pico"),
        "a.trc: this is not a file of pico",
    );
}

#[test]
fn malformed_maps() {
    let cases: &[(&str, &str)] = &[
        ("x = [", "line 1"),
        ("", "the map has no [aperture], [gaze]"),
        ("[aperture]\nleft = 'a'\nunit = 'inches'", "line 3: unknown variant `inches`"),
        ("[aperture]\nunit = 'mm'", "aperture: the map has no column"),
        ("[aperture]\nleft = 'a'\nscale = 0.0", "aperture.scale: 0 is not a valid scale"),
        ("[aperture]\nleft = 'a'\nwidth = 'b'", "line 3: unknown field `width`"),
        ("[gaze]\nyaw = 'a'", "gaze: the map needs both yaw and pitch"),
        ("[gaze]\nleft_angles = ['a', 'b']", "gaze: the map needs both left_angles and right_angles"),
        (
            "[head]\nyaw = 'a'\npitch = 'b'\nunit = 'px'\n[aperture]\nleft = 'c'",
            "head.unit: the unit must be degrees or radians",
        ),
        ("[head]\nyaw = 'a'\n[aperture]\nleft = 'c'", "line 1: missing field `pitch`"),
        ("[gaze]\nunit = 'px'", "gaze: the map has no column"),
        ("[gaze]\nleft = ['a', 'b', 'c']", "gaze.axes: the axes are missing"),
        ("[gaze]\nleft = ['a', 'b', 'c']\naxes = 'right right up'", "three of left/right"),
        ("[gaze]\nleft = ['a', 'b']\naxes = 'right up back'", "line 2"),
        (
            "[gaze]\nyaw = 'a'\npitch = 'b'\npixels_per_degree = 0",
            "gaze.pixels_per_degree: 0 must be above 0",
        ),
        (
            "[gaze]\nyaw = 'a'\npitch = 'b'\nscreen = { pixels = [1, 0], size_mm = [1, 1], distance_mm = 1 }",
            "gaze.screen: 0",
        ),
        ("[time]\nrate = -3\n[aperture]\nleft = 'a'", "time.rate: a sampling rate of -3 Hz"),
        ("[time]\nunit = 'hours'\n[aperture]\nleft = 'a'", "line 2: unknown variant `hours`"),
    ];
    for (text, expected) in cases {
        let error = ColumnMap::parse(text).unwrap_err().to_string();
        assert!(error.contains(expected), "“{error}” does not contain “{expected}”");
    }
    let text = source("a.csv", "time [s],lid gap\n0,1\n1,1\n");
    check(
        std::slice::from_ref(&text),
        &with_map("[time]\ncolumn = 'time [s]'\n[aperture]\nleft = 'lid_gop'"),
        "a.csv: line 1: the map sets aperture.left to “lid_gop”, but there is no such column; did you mean “lid gap”?",
    );
    check(std::slice::from_ref(&text), &with_map("delimiter = 'é'\n[aperture]\nleft = 1"), "delimiter");
    check(&[text], &with_map("[time]\ncolumn = 9\n[aperture]\nleft = 1"), "the map sets time.column to “9”");
}

/// Returns a C3D header without data.
fn c3d(change: impl Fn(&mut Vec<u8>)) -> Source {
    let mut bytes = vec![0; 1024];
    bytes[..12].copy_from_slice(&[2, 0x50, 1, 0, 0, 0, 1, 0, 3, 0, 0, 0]);
    bytes[12..16].copy_from_slice(&(-1f32).to_le_bytes());
    bytes[16] = 3;
    bytes[20..24].copy_from_slice(&60f32.to_le_bytes());
    bytes[515] = 84;
    change(&mut bytes);
    source("a.c3d", bytes)
}

#[test]
fn malformed_binary_files() {
    let numpy = |text: &str| {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.bytes());
        source("a.npy", bytes)
    };
    let cases = [
        (source("a.npy", &b"\x93NUMPY"[..]), "a.npy: header: the file is truncated"),
        (source("a.npy", &b"\x93NUMPY\x01\x00\xff\xff{"[..]), "a.npy: header: the file is truncated"),
        (numpy("{}"), "a.npy: header: the header has no “fortran_order”"),
        (numpy("{'descr': '<f8', 'fortran_order': False, 'shape': (9,), }"), "a.npy: shape: 9 rows expected"),
        (
            numpy("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999,), }"),
            "a.npy: shape: 99999999999 rows; at most",
        ),
        (numpy("{'descr': '<f8', 'fortran_order': False, 'shape': (2,2,2), }"), "is not a table"),
        (
            numpy("{'descr': '<U5', 'fortran_order': False, 'shape': (2,), }"),
            "a.npy: descr: dtype “<U5” is not supported",
        ),
        (numpy("{'descr': [('a', '<f8', (2,))], 'fortran_order': False, 'shape': (2,), }"), "a.npy: descr:"),
        (source("a.parquet", &b"PAR1....PAR1"[..]), "a.parquet: the file cannot be read as Parquet"),
        (source("a.gz", &b"\x1f\x8bnot really"[..]), "a.gz: invalid gzip data"),
        (
            source("gazedata", "{\"type\":\"gaze\",\"timestamp\":1}\n{\"type\":\n"),
            "gazedata: line 2: the line is not a sample",
        ),
        (source("a.asc", "START 10 LEFT SAMPLES\n10 oops\n"), "a.asc: line 2: “10 oops” is not a sample"),
        (source("a.asc", "START 10 LEFT EVENTS\nEBLINK L\n"), "a.asc: line 2: EBLINK needs an eye"),
        (source("a.asc", "MSG 10 hello\n"), "a.asc: the file has neither samples nor events"),
        (source("a.trc", "PathFileType\t4\n"), "a.trc: line 4: no line “Frame#"),
        (
            source("a.trc", "PathFileType\nFrame#\tTime\tnose\n1\t0\tx\t1\t2\n"),
            "a.trc: line 3, cell 3: “x” is not a number",
        ),
        (
            source("a.trc", "PathFileType\nFrame#\tTime\tnose\n1\t0\t1\t1\t2\n"),
            "a.trc: left_corner: marker not found",
        ),
        (c3d(|bytes| bytes[515] = 7), "a.c3d: parameters: unknown processor type"),
        (c3d(|bytes| bytes.truncate(513)), "a.c3d: parameters"),
        (c3d(|_| ()), "a.c3d: header: 3 frames expected but only 0 present"),
        (
            c3d(|bytes| bytes[20..24].copy_from_slice(&0f32.to_le_bytes())),
            "a.c3d: POINT:RATE: a sampling rate of 0 Hz",
        ),
        (
            c3d(|bytes| {
                bytes[516..518].copy_from_slice(&[127, 1]);
                bytes.truncate(600);
            }),
            "a.c3d: byte 518: the file is truncated within a name",
        ),
    ];
    for (source, expected) in cases {
        check(&[source], &ReadOptions::default(), expected);
    }
}

#[test]
fn inconsistent_neon_files() {
    let state = |bytes: usize, times: usize| {
        vec![source("eye_state ps1.raw", vec![0; bytes]), source("eye_state ps1.time", vec![0; times])]
    };
    check(
        &state(80, 8)[..1],
        &ReadOptions::default(),
        "eye_state ps1.raw: “eye_state ps1.time” with its timestamps is missing",
    );
    check(&state(80, 9), &ReadOptions::default(), "eye_state ps1.time: 9 bytes is not a multiple of 8");
    check(&state(81, 16), &ReadOptions::default(), "eye_state ps1.raw: 81 bytes do not match 2 timestamps");
    check(&state(84, 8), &ReadOptions::default(), "eye_state ps1.raw: records of 84 bytes");
    check(&state(0, 0), &ReadOptions::default(), "the file has no samples");
    let mut blinks = state(160, 16);
    blinks.extend([source("blinks ps1.raw", vec![0; 17]), source("blinks ps1.time", vec![0; 8])]);
    check(&blinks, &ReadOptions::default(), "blinks ps1.raw: records of 17 bytes");
}

#[test]
fn truncated_rows_give_a_warning() {
    let text = "time [s],openness left,openness right\n0,1,1\n0.01,1\n0.02,1,1\n";
    let (recording, warnings) = super::good(&[source("a.csv", text)], &ReadOptions::default());
    assert!(recording.aperture.unwrap().right[1].is_nan());
    assert!(
        warnings.iter().any(|w| w.to_string().starts_with("a.csv: rows: 1 rows have fewer cells")),
        "{warnings:?}"
    );
}
