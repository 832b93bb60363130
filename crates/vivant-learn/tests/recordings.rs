//! Real eye recordings of every supported device. They are not part of the repository: `VIVANT_DATA` is their folder.

#![allow(missing_docs, clippy::print_stdout, reason = "tests")]

use std::path::{Path, PathBuf};
use vivant_learn::recording::{self, ReadOptions, Recording, ResampleOptions, Source, Unit};

fn folder() -> Option<PathBuf> {
    vivant_testing::data("eye")
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn read(path: &Path) -> Recording {
    let folder = path.parent().unwrap();
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let beside = recording::companions(&name, &names_in(folder));
    let source = |name: String| Source { bytes: std::fs::read(folder.join(&name)).unwrap(), name };
    let sources: Vec<Source> = std::iter::once(name).chain(beside).map(source).collect();
    let (recording, warnings) =
        recording::read(&sources, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    println!("{} {:?}", recording.name, recording.quality());
    warnings.iter().for_each(|warning| println!("  {warning}"));
    recording
}

/// Expected result: device, rate, samples, whole seconds, unit of apertures, number of the device's blinks, and
/// whether there is gaze.
type Expected = (&'static str, f64, usize, u32, Option<Unit>, Option<usize>, bool);

#[rustfmt::skip]
const FILES: [(&str, Expected); 22] = [
    ("eyedentify3d/HTC_Vive_Pro_TESTNA01_2D_Fist3.csv", ("htc-vive-pro", 120.0, 1518, 12, Some(Unit::Share), None, true)),
    ("eyedentify3d/HTC_Vive_Pro_TESTNA01_360VR_Fist3.csv", ("htc-vive-pro", 120.0, 1665, 13, Some(Unit::Share), None, true)),
    ("eyedentify3d/HTC_Vive_Pro_TESTNA05_360VR_Spread7.csv", ("htc-vive-pro", 120.0, 1337, 11, Some(Unit::Share), None, true)),
    ("eyedentify3d/HTC_Vive_Pro_TESTNA10_360VR_Fist3.csv", ("htc-vive-pro", 120.0, 1664, 13, Some(Unit::Share), None, true)),
    ("eyedentify3d/Pico_boxing_VR.csv", ("pico", 90.0, 492, 5, Some(Unit::Share), Some(1), true)),
    ("eyedentify3d/PupilInvisible_trampoline_01_gaze.csv", ("pupil-invisible", 200.0, 8567, 42, None, Some(38), true)),
    ("eyedentify3d/PupilInvisible_trampoline_01_blinks.csv", ("pupil-invisible", 200.0, 8567, 42, None, Some(38), true)),
    ("eyedentify3d/TobiiGlasses3_calibration_1_gazedata.gz", ("tobii-glasses-3", 100.0, 6547, 65, None, None, true)),
    ("tobii_fusion_openness/P1_long_blinks.tsv", ("tobii-fusion", 120.0, 7200, 59, Some(Unit::Millimetres), None, true)),
    ("tobii_fusion_openness/P1_partial_blinks.tsv", ("tobii-fusion", 120.0, 7200, 59, Some(Unit::Millimetres), None, true)),
    ("tobii_fusion_openness/P1_slow_blinks.tsv", ("tobii-fusion", 120.0, 7201, 60, Some(Unit::Millimetres), None, true)),
    ("tobii_fusion_openness/P1_squints.tsv", ("tobii-fusion", 120.0, 7200, 59, Some(Unit::Millimetres), None, true)),
    ("tobii_fusion_openness/P1_very_long_blinks.tsv", ("tobii-fusion", 120.0, 7200, 59, Some(Unit::Millimetres), None, true)),
    ("ear/jefapato_240fps_60s.csv", ("jefapato", 240.0, 14401, 60, Some(Unit::Ratio), None, false)),
    ("ear/jefapato_30fps.csv", ("jefapato", 30.0, 250, 8, Some(Unit::Ratio), None, false)),
    ("eog/neurokit_eog_100hz.csv", ("eog", 100.0, 12000, 119, Some(Unit::Microvolts), None, false)),
    ("neon_demo/eye_state ps1.raw", ("neon", 200.0, 1788, 8, Some(Unit::Millimetres), Some(2), true)),
    ("eyelink/pypillometry_002_rlmw_samples_short.asc", ("eyelink", 500.0, 20465, 40, None, Some(11), true)),
    ("irf_lookAtPoint_EL_S1.npy", ("irf", 1000.0, 81003, 81, None, Some(22), true)),
    ("irf_lookAtPoint_EL_S2.npy", ("irf", 1000.0, 81002, 81, None, Some(1), true)),
    ("irf_lookAtPoint_EL_S3.npy", ("irf", 1000.0, 81003, 81, None, Some(22), true)),
    ("irf_lookAtPoint_EL_S4.npy", ("irf", 1000.0, 81003, 81, None, Some(0), true)),
];

#[test]
fn every_recording_is_detected_and_read_completely() {
    let Some(folder) = folder() else { return };
    for (file, expected) in FILES {
        let recording = read(&folder.join(file));
        let found: Expected = (
            devices().into_iter().find(|device| *device == recording.device).unwrap(),
            recording.rate_hz(),
            recording.times.len(),
            recording.duration_secs() as u32,
            recording.aperture.as_ref().and_then(|aperture| aperture.unit),
            recording.blinks.as_ref().map(Vec::len),
            recording.gaze.is_some(),
        );
        assert_eq!(found, expected, "{file}");
        assert!(recording.times.windows(2).all(|pair| pair[1] > pair[0]), "{file}");
    }
}

fn devices() -> Vec<&'static str> {
    recording::devices()
}

#[test]
fn gaze_is_plausible_and_openness_is_a_share() {
    let Some(folder) = folder() else { return };
    for (file, (_, _, _, _, unit, _, has_gaze)) in FILES {
        let recording = read(&folder.join(file));
        let even = recording.resample(&ResampleOptions::default());
        if has_gaze {
            let gaze = even.gaze.as_ref().unwrap();
            let known = || gaze.yaw_deg.iter().zip(&gaze.pitch_deg).filter(|(yaw, _)| !yaw.is_nan());
            let count = known().count() as f64;
            assert!(count > 0.2 * gaze.yaw_deg.len() as f64, "{file}: {count} known");
            // The eye turns by at most about 50°; half-closed eyes are measured less accurately.
            let far = known().filter(|(yaw, pitch)| yaw.abs() > 55.0 || pitch.abs() > 55.0).count() as f64;
            assert!(far < 0.01 * count, "{file}: {far} of {count} are far");
        }
        if unit.is_some() {
            let openness = even.openness.as_ref().unwrap();
            let known: Vec<f64> = openness.iter().copied().filter(|o| !o.is_nan()).collect();
            let open = known.iter().filter(|o| (0.6..1.4).contains(*o)).count() as f64;
            assert!(open > 0.2 * known.len() as f64, "{file}: {open} of {} open", known.len());
        }
    }
}

/// Returns the change of the pitch in degrees over the last 0.25 s before each loss of the gaze; positive is upwards.
fn rises(recording: &Recording) -> Vec<f64> {
    let pitch = &recording.gaze.as_ref().unwrap().pitch_deg;
    let rise = |index: usize| {
        let time = recording.times[index];
        let at = |secs: f64| recording.times.partition_point(|t| *t < secs);
        let mut before: Vec<f64> = pitch[at(time - 0.35)..at(time - 0.15)].to_vec();
        before.retain(|pitch| !pitch.is_nan());
        before.sort_by(f64::total_cmp);
        (before.len() > 5).then(|| pitch[index] - before[before.len() / 2])
    };
    let is_lost = |index: &usize| !pitch[*index].is_nan() && pitch[index + 1].is_nan();
    (0..pitch.len() - 1).filter(is_lost).filter_map(rise).collect()
}

/// The up direction must be right for each device: trackers see the gaze go down when a lid covers the pupil from
/// above.
#[test]
fn a_closing_lid_moves_the_measured_gaze_down() {
    let Some(folder) = folder() else { return };
    for files in [
        &["tobii_fusion_openness/P1_long_blinks.tsv", "tobii_fusion_openness/P1_slow_blinks.tsv"][..],
        &[
            "eyedentify3d/HTC_Vive_Pro_TESTNA01_360VR_Fist3.csv",
            "eyedentify3d/HTC_Vive_Pro_TESTNA05_360VR_Spread7.csv",
        ],
        &["irf_lookAtPoint_EL_S1.npy", "irf_lookAtPoint_EL_S3.npy"],
    ] {
        let rises: Vec<f64> = files.iter().flat_map(|file| rises(&read(&folder.join(file)))).collect();
        let down = rises.iter().filter(|rise| **rise < 0.0).count();
        assert!(rises.len() >= 5 && down as f64 > 0.75 * rises.len() as f64, "{files:?}: {rises:?}");
    }
}

/// Returns the correlation of two signals where both are known and the eye is open.
fn correlation(openness: &[f64], pitch: &[f64]) -> f64 {
    let known: Vec<(f64, f64)> =
        openness.iter().zip(pitch).filter(|(o, p)| **o > 0.6 && !p.is_nan()).map(|(o, p)| (*o, *p)).collect();
    let count = known.len() as f64;
    let (a, b) = known.iter().fold((0.0, 0.0), |(a, b), (o, p)| (a + o / count, b + p / count));
    let sum = |f: &dyn Fn(f64, f64) -> f64| known.iter().map(|(o, p)| f(o - a, p - b)).sum::<f64>();
    sum(&|o, p| o * p) / (sum(&|o, _| o * o) * sum(&|_, p| p * p)).sqrt()
}

#[test]
fn lids_follow_the_gaze_up_and_down() {
    let Some(folder) = folder() else { return };
    let even = read(&folder.join("neon_demo/eye_state ps1.raw")).resample(&ResampleOptions::default());
    let found = correlation(&even.openness.unwrap(), &even.gaze.unwrap().pitch_deg);
    assert!(found > 0.2, "{found}");
}

#[test]
fn neon_lids_are_closed_in_its_blinks() {
    let Some(folder) = folder() else { return };
    let recording = read(&folder.join("neon_demo/eye_state ps1.raw"));
    let even = recording.resample(&ResampleOptions::default());
    let openness = even.openness.unwrap();
    for blink in recording.blinks.unwrap() {
        let range = (blink.from_secs * even.rate_hz) as usize..=(blink.to_secs * even.rate_hz) as usize;
        let least = openness[range].iter().copied().fold(f64::INFINITY, f64::min);
        assert!(least < 0.2, "{blink:?}: {least}");
    }
}

#[test]
fn head_rotation_is_read_with_its_own_clock() {
    let Some(folder) = folder() else { return };
    for (file, samples, secs) in [
        ("eyedentify3d/PupilInvisible_trampoline_01_gaze.csv", 8346, 42.0),
        ("eyedentify3d/TobiiGlasses3_calibration_1_gazedata.gz", 6400, 63.0),
        ("neon_demo/eye_state ps1.raw", 969, 10.0),
    ] {
        let imu = read(&folder.join(file)).imu.unwrap();
        assert!(imu.times.len() >= samples, "{file}: {}", imu.times.len());
        let span = imu.times.last().unwrap() - imu.times[0];
        assert!((span - secs).abs() < 2.0, "{file}: {span}");
    }
}
