//! Blinks of real recordings, against labels of people and devices, and against what people were asked to do.
//!
//! The recordings are in `VIVANT_DATA`; without it these tests say that they are skipped.

#![allow(missing_docs, clippy::print_stdout, reason = "tests")]

#[path = "blinks/real.rs"]
mod real;
#[path = "blinks/xlsx.rs"]
mod xlsx;

use real::{Signal, f1, labelled, signal};
use vivant_learn::blinks::recorded::Settings;
use vivant_learn::blinks::{Event, Kind, Options, label, label_with_gaze};
use vivant_learn::recording::Eye;

/// The apexes that JeFaPaTo labelled, in frames, of the part of its recording that is at hand.
fn jefapato_labels(sheet: &str, frames: usize) -> Option<Vec<f64>> {
    let bytes = real::bytes("eye/ear/jefapato_blink_labels.xlsx")?;
    let apexes = xlsx::column(&bytes, sheet, 'B');
    Some(apexes.into_iter().filter(|frame| *frame < frames as f64).collect())
}

/// Frames of deep blinks: the labels have none that leave the eye a third open.
fn deep(events: &[Event], rate_hz: f64) -> Vec<f64> {
    let deep = events.iter().filter(|event| event.kind != Kind::Partial);
    deep.map(|event| event.apex_secs * rate_hz).collect()
}

#[test]
fn jefapatos_blinks_are_found_with_their_apex_within_two_frames() {
    for (eye, sheet, count) in [(Eye::Left, "sheet1", 5), (Eye::Right, "sheet2", 6)] {
        let Some(Signal { openness, rate_hz, .. }) = signal("eye/ear/jefapato_240fps_60s.csv", eye) else {
            return;
        };
        let Some(labels) = jefapato_labels(sheet, openness.len()) else { return };
        assert_eq!(labels.len(), count, "{sheet}");
        let found = deep(&label(&openness, rate_hz, &Options::default()), rate_hz);
        assert_eq!(f1(&found, &labels, 2.0), 1.0, "{found:?} {labels:?}");
    }
}

#[test]
fn neons_own_blinks_are_found_in_its_lids() {
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

/// The share of events of at least some length that are of some kinds.
fn share(name: &str, kinds: &[Kind]) -> Option<(usize, f64)> {
    let recording = real::recording(&format!("eye/tobii_fusion_openness/{name}.tsv"))?;
    let events = labelled(&recording, &Settings::default()).events;
    let of_kind = events.iter().filter(|event| kinds.contains(&event.kind)).count();
    Some((of_kind, of_kind as f64 / events.len() as f64))
}

#[test]
fn what_people_were_asked_to_do_is_what_they_did() {
    let check = |name: &str, kinds: &[Kind], least: usize| {
        let Some((count, share)) = share(name, kinds) else { return };
        assert!(count >= least && share >= 0.8, "{name}: {count}, {share:.2}");
    };
    check("P1_squints", &[Kind::Squint, Kind::Long], 24);
    check("P1_long_blinks", &[Kind::Long], 20);
    check("P1_very_long_blinks", &[Kind::Long], 11);
    check("P1_slow_blinks", &[Kind::Long, Kind::Squint, Kind::Blink], 16);
    check("P1_partial_blinks", &[Kind::Partial, Kind::Blink], 40);
}

#[test]
fn other_recordings_have_sane_numbers() {
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
