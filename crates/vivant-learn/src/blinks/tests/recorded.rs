//! Recordings with two eyes, one or none.

use super::*;
use crate::blinks::recorded::{Settings, label_recording};
use crate::blinks::statistics::{Distribution, Statistics};
use crate::recording::{Aperture, Eye, Recording, Span, Unit};

const RATE: f64 = 120.0;

fn recording(left: Vec<f64>, right: Vec<f64>) -> Recording {
    Recording {
        times: (0..left.len().max(right.len())).map(|i| i as f64 / RATE).collect(),
        aperture: Some(Aperture { unit: Some(Unit::Millimetres), left, right }),
        ..Recording::default()
    }
}

fn kinds(recording: &Recording, eye: Eye) -> Vec<Kind> {
    let settings = Settings { eye, ..Settings::default() };
    label_recording(recording, &settings).unwrap().events.iter().map(|event| event.kind).collect()
}

#[test]
fn winks_are_not_blinks() {
    let blink: Vec<f64> = held(1.0, 0.0, RATE).iter().map(|x| 9.0 * x).collect();
    let open = vec![8.0; blink.len()];
    let both = recording([&blink[..], &blink].concat(), [&blink[..], &open].concat());
    assert_eq!(kinds(&both, Eye::Both), [Kind::Blink]);
    assert_eq!(kinds(&both, Eye::Left), [Kind::Blink, Kind::Blink]);
    assert_eq!(kinds(&both, Eye::Right), [Kind::Blink]);
    let notes = label_recording(&both, &Settings::default()).unwrap().notes;
    assert!(
        notes.iter().any(|note| note.starts_with("events ignored") && note.contains("lost eye): 1;")),
        "{notes:?}"
    );
}

#[test]
fn noisy_or_missing_eyes_are_not_used() {
    let blink = noisy(&held(1.0, 0.0, RATE), 0.003, 1);
    let noise = noisy(&vec![1.0; blink.len()], 0.2, 2);
    assert_eq!(kinds(&recording(blink.clone(), noise), Eye::Both), [Kind::Blink]);
    assert_eq!(kinds(&recording(blink.clone(), Vec::new()), Eye::Both), [Kind::Blink]);
    let lost = vec![f64::NAN; blink.len()];
    let one = recording(blink, lost);
    assert_eq!(kinds(&one, Eye::Both), [Kind::Blink]);
    let error = label_recording(&one, &Settings { eye: Eye::Right, ..Settings::default() }).unwrap_err();
    assert!(error.to_string().contains("right eye was recorded; label both eyes"), "{error}");
}

#[test]
fn without_apertures_the_devices_own_blinks_are_used() {
    let span = |from_secs, to_secs| Span { from_secs, to_secs };
    let times = (0..1000).map(|i| f64::from(i) / 100.0).collect();
    let recording =
        Recording { times, blinks: Some(vec![span(1.0, 1.2), span(4.0, 4.8)]), ..Recording::default() };
    let labelled = label_recording(&recording, &Settings::default()).unwrap();
    let of = |event: &Event| (event.onset_secs, event.offset_secs, event.kind);
    assert_eq!(
        labelled.events.iter().map(of).collect::<Vec<_>>(),
        [(1.0, 1.2, Kind::Blink), (4.0, 4.8, Kind::Long)]
    );
    assert!(labelled.notes[0].contains("device's own"), "{:?}", labelled.notes);
    let none = Recording { blinks: None, ..recording };
    assert!(
        label_recording(&none, &Settings::default()).unwrap_err().to_string().contains("a map that names")
    );
}

#[test]
fn distributions_match_numpy() {
    // Values of numpy.mean, numpy.std(ddof=1) and numpy.quantile.
    let of = Distribution::of([4.0, 1.0, 0.5, 5.5, 2.0].into_iter(), 1.0).unwrap();
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
    near(of.mean, 2.6);
    near(of.sd.unwrap(), 2.103_568_396_796_263_5);
    for (found, expected) in [(of.p5, 0.6), (of.p25, 1.0), (of.median, 2.0), (of.p75, 4.0), (of.p95, 5.2)] {
        near(found, expected);
    }
    assert_eq!((of.histogram.from, of.histogram.counts), (0.0, vec![1, 1, 1, 0, 1, 1]));
    assert_eq!(Distribution::of([f64::NAN].into_iter(), 1.0), None);
}

#[test]
fn rates_and_intervals_count_only_blinks() {
    let scene = held(1.0, 0.0, RATE);
    let signal = [&scene[..], &held(1.0, 1.0, RATE), &scene, &scene].concat();
    let events = label(&signal, RATE, &Options::default());
    let statistics = Statistics::of(&events, signal.len() as f64 / RATE);
    assert_eq!((statistics.blinks, statistics.long), (3, 1));
    assert!((statistics.per_minute.unwrap() - 180.0 / 17.0).abs() < 0.1);
    let intervals = statistics.intervals.unwrap();
    assert!((intervals.max - 9.0).abs() < 0.05 && (intervals.min - 4.0).abs() < 0.05, "{intervals:?}");
    assert_eq!(Statistics::of(&[], 0.0).per_minute, None);
}
