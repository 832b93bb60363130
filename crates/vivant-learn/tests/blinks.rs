//! Blinks in real recordings, compared with labels of people and devices, and with instructed closures.
//!
//! The recordings are in `VIVANT_DATA`; without it these tests are skipped.

#![allow(missing_docs, clippy::print_stdout, reason = "tests")]

#[path = "blinks/real.rs"]
mod real;
#[path = "blinks/xlsx.rs"]
mod xlsx;

use real::{Signal, f1, labelled, signal};
use vivant::chance::Chance;
use vivant_learn::blinks::recorded::Settings;
use vivant_learn::blinks::{Event, Kind, Options, label};
use vivant_learn::recording::Eye;

/// Returns the apexes labelled by JeFaPaTo, in frames, within the available part of its recording.
fn jefapato_labels(sheet: &str, frames: usize) -> Option<Vec<f64>> {
    let bytes = real::bytes("eye/ear/jefapato_blink_labels.xlsx")?;
    let apexes = xlsx::column(&bytes, sheet, 'B');
    Some(apexes.into_iter().filter(|frame| *frame < frames as f64).collect())
}

/// Returns the apex frames of all blinks that are not partial. The labels do not contain blinks that leave the eye a
/// third open or more.
fn deep(events: &[Event], rate_hz: f64) -> Vec<f64> {
    let deep = events.iter().filter(|event| event.kind != Kind::Partial);
    deep.map(|event| event.apex_secs * rate_hz).collect()
}

#[test]
fn jefapato_blinks_are_found_within_two_frames() {
    for (eye, sheet, count) in [(Eye::Left, "sheet1", 5), (Eye::Right, "sheet2", 6)] {
        let Some(Signal { openness, rate_hz }) = signal("eye/ear/jefapato_240fps_60s.csv", eye) else {
            return;
        };
        let Some(labels) = jefapato_labels(sheet, openness.len()) else { return };
        assert_eq!(labels.len(), count, "{sheet}");
        let found = deep(&label(&openness, rate_hz, &Options::default()), rate_hz);
        assert_eq!(f1(&found, &labels, 2.0), 1.0, "{found:?} {labels:?}");
    }
}

#[test]
fn neon_blinks_are_found_in_its_lid_signal() {
    let Some(recording) = real::recording("eye/neon_demo/eye_state ps1.raw") else { return };
    let own = recording.blinks.clone().expect("the device's own blinks");
    assert_eq!(own.len(), 2);
    let found = labelled(&recording, &Settings::default());
    let middles: Vec<f64> = own.iter().map(|span| 0.5 * (span.from_secs + span.to_secs)).collect();
    let apexes: Vec<f64> = found.events.iter().map(|event| event.apex_secs).collect();
    assert_eq!(f1(&apexes, &middles, 0.15), 1.0, "{:?} {own:?}", found.events);
    for (event, span) in found.events.iter().zip(&own) {
        let overlap = event.offset_secs.min(span.to_secs) - event.onset_secs.max(span.from_secs);
        assert!(overlap > 0.6 * (span.to_secs - span.from_secs), "{event:?} {span:?}");
    }
}

/// Returns number and share of events of the given kinds.
fn share(name: &str, kinds: &[Kind]) -> Option<(usize, f64)> {
    let recording = real::recording(&format!("eye/tobii_fusion_openness/{name}.tsv"))?;
    let events = labelled(&recording, &Settings::default()).events;
    let of_kind = events.iter().filter(|event| kinds.contains(&event.kind)).count();
    Some((of_kind, of_kind as f64 / events.len() as f64))
}

#[test]
fn instructed_closures_have_the_expected_kinds() {
    let check = |name: &str, kinds: &[Kind], least: usize| {
        let Some((count, share)) = share(name, kinds) else { return };
        assert!(count >= least && share >= 0.8, "{name}: {count}, {share:.2}");
    };
    check("P1_squints", &[Kind::Squint, Kind::Long], 24);
    check("P1_long_blinks", &[Kind::Long], 20);
    check("P1_very_long_blinks", &[Kind::Long], 11);
    check("P1_slow_blinks", &[Kind::Long, Kind::Squint, Kind::Blink], 16);
    check("P1_partial_blinks", &[Kind::Partial, Kind::Blink], 35);
}

#[test]
fn other_recordings_have_plausible_counts() {
    let check = |path: &str, blinks: std::ops::RangeInclusive<usize>| {
        let Some(recording) = real::recording(path) else { return };
        let statistics = labelled(&recording, &Settings::default()).statistics;
        let all = statistics.blinks + statistics.partial + statistics.long;
        assert!(blinks.contains(&all), "{path}: {statistics:?}");
    };
    check("eye/ear/jefapato_30fps.csv", 6..=6);
    check("eye/eog/neurokit_eog_100hz.csv", 12..=60);
    check("eye/eyedentify3d/HTC_Vive_Pro_TESTNA01_2D_Fist3.csv", 2..=2);
    check("eye/eyedentify3d/HTC_Vive_Pro_TESTNA01_360VR_Fist3.csv", 2..=2);
    check("eye/eyedentify3d/HTC_Vive_Pro_TESTNA05_360VR_Spread7.csv", 5..=5);
    check("eye/eyedentify3d/PupilInvisible_trampoline_01_gaze.csv", 20..=40);
}

/// Returns the same signal under other conditions, which must not change the result.
fn changed(openness: &[f64], rate_hz: f64) -> Vec<(&'static str, Vec<f64>, f64, bool)> {
    let mut draw = Chance::new(3, "noise").event(0);
    let mut noisy = |sigma: f64| -> Vec<f64> {
        openness.iter().map(|x| x + sigma * ((0..12).map(|_| draw.uniform()).sum::<f64>() - 6.0)).collect()
    };
    let every_second = || openness.iter().copied().step_by(2).collect();
    let straight = |i: usize| {
        let (a, b) = (openness[i / 2], openness[(i / 2 + 1).min(openness.len() - 1)]);
        if i.is_multiple_of(2) { a } else { 0.5 * (a + b) }
    };
    vec![
        ("with 2 % of noise", noisy(0.02), rate_hz, false),
        ("every second sample", every_second(), rate_hz / 2.0, false),
        ("twice as many samples", (0..2 * openness.len()).map(straight).collect(), rate_hz * 2.0, false),
        ("in another unit", openness.iter().map(|x| x * 37.0).collect(), rate_hz, false),
        ("backwards", openness.iter().rev().copied().collect(), rate_hz, true),
        ("that drifts by a tenth", drifting(openness), rate_hz, false),
    ]
}

fn drifting(openness: &[f64]) -> Vec<f64> {
    let count = openness.len() as f64;
    openness.iter().enumerate().map(|(i, x)| x * (1.0 + 0.1 * i as f64 / count)).collect()
}

#[test]
fn labels_do_not_depend_on_noise_rate_unit_drift_or_direction() {
    for eye in [Eye::Left, Eye::Right] {
        let Some(Signal { openness, rate_hz }) = signal("eye/ear/jefapato_240fps_60s.csv", eye) else {
            return;
        };
        let Some(labels) =
            jefapato_labels(if eye == Eye::Left { "sheet1" } else { "sheet2" }, openness.len())
        else {
            return;
        };
        let labels: Vec<f64> = labels.iter().map(|frame| frame / rate_hz).collect();
        for (how, signal, rate, is_reversed) in changed(&openness, rate_hz) {
            let events = label(&signal, rate, &Options::default());
            let last = (openness.len() - 1) as f64 / rate_hz;
            let at = |secs: f64| if is_reversed { last - secs } else { secs };
            let found: Vec<f64> = deep(&events, 1.0).into_iter().map(at).collect();
            // Noise moves the lowest sample within closed eyes.
            assert_eq!(f1(&found, &labels, 0.1), 1.0, "{eye:?} {how}: {found:?} {labels:?}");
        }
    }
}

#[test]
fn instructed_closures_are_recognized_under_other_conditions() {
    for (name, kinds) in [
        ("P1_squints", &[Kind::Squint, Kind::Long][..]),
        ("P1_long_blinks", &[Kind::Long]),
        ("P1_very_long_blinks", &[Kind::Long]),
    ] {
        let path = format!("eye/tobii_fusion_openness/{name}.tsv");
        let Some(Signal { openness, rate_hz }) = signal(&path, Eye::Both) else { return };
        for (how, signal, rate, _) in changed(&openness, rate_hz) {
            let events = label(&signal, rate, &Options::default());
            let right = events.iter().filter(|event| kinds.contains(&event.kind)).count();
            assert!(
                right >= 11 && right as f64 >= 0.75 * events.len() as f64,
                "{name} {how}: {right} {events:?}"
            );
        }
    }
}

#[test]
fn concatenated_recordings_have_the_blinks_of_both() {
    let path = |name: &str| format!("eye/tobii_fusion_openness/{name}.tsv");
    let [Some(a), Some(b)] =
        ["P1_long_blinks", "P1_partial_blinks"].map(|name| signal(&path(name), Eye::Both))
    else {
        return;
    };
    let count = |signal: &[f64]| label(signal, a.rate_hz, &Options::default()).len();
    let both = [&a.openness[..], &b.openness].concat();
    let (sum, together) = (count(&a.openness) + count(&b.openness), count(&both));
    assert!(sum.abs_diff(together) <= 3, "{sum} {together}");
}
