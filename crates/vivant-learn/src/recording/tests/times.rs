//! Timestamps with jitter, duplicates and jumps, and files without timestamps.

use super::{good, source};
use crate::recording::{ReadOptions, Timing, read};

fn timing(rows: &[&str]) -> (Timing, Vec<f64>, usize) {
    let text =
        format!("time [ms],openness\n{}", rows.iter().map(|row| format!("{row},1\n")).collect::<String>());
    let (recording, warnings) = good(&[source("a.csv", text)], &ReadOptions::default());
    (recording.timing, recording.times, warnings.iter().filter(|w| w.place.ends_with("time")).count())
}

#[test]
fn samples_are_sorted_and_invalid_ones_ignored_with_a_warning() {
    let check = |rows: &[&str], expected: &[f64], found: [usize; 4], warnings: usize| {
        let (timing, times, warned) = timing(rows);
        assert!(super::is_near(&times, expected), "{rows:?}: {times:?}");
        let counted = [timing.without_time, timing.duplicates, timing.reordered, timing.stepped_back];
        assert_eq!((counted, warned), (found, warnings), "{rows:?}");
    };
    check(&["0", "10", "20"], &[0.0, 0.01, 0.02], [0; 4], 0);
    check(&["0", "", "20", "30"], &[0.0, 0.02, 0.03], [1, 0, 0, 0], 1);
    check(&["0", "10", "10", "20"], &[0.0, 0.01, 0.02], [0, 1, 0, 0], 1);
    check(&["0", "20", "10", "30"], &[0.0, 0.01, 0.02, 0.03], [0, 0, 1, 0], 1);
    check(&["5", "0", "10"], &[0.0, 0.005, 0.01], [0, 0, 1, 0], 1);
    let mut rows: Vec<String> = (0..40).map(|i| (i * 100).to_string()).collect();
    rows.insert(30, "5".into());
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let (timing, times, warned) = self::timing(&rows);
    assert_eq!((timing.stepped_back, times.len(), warned), (1, 40, 1));
}

#[test]
fn two_recordings_in_one_file_are_an_error() {
    let rows: String = (0..20).chain(0..20).map(|i| format!("{},1\n", i * 100)).collect();
    let error = read(&[source("two.csv", format!("time [ms],openness\n{rows}"))], &ReadOptions::default())
        .unwrap_err();
    let message = error.to_string();
    assert!(
        message.starts_with("two.csv: line 22, column “time [ms]”: the time goes back by 1.9 s"),
        "{message}"
    );
}

#[test]
fn the_rate_is_found_despite_jitter_rounding_and_lost_samples() {
    let check = |name: &str, times: Vec<f64>, rate_hz: f64, gaps: usize| {
        let rows: String = times.iter().map(|time| format!("{time},1\n")).collect();
        let (recording, _) =
            good(&[source("a.csv", format!("time [s],openness\n{rows}"))], &ReadOptions::default());
        let found = recording.rate_hz();
        assert!((found - rate_hz).abs() < 1e-6 && recording.timing.gaps == gaps, "{name}: {found}");
    };
    let even = |rate: f64, count: u32| (0..count).map(move |i| f64::from(i) / rate);
    check("even", even(120.0, 500).collect(), 120.0, 0);
    check("whole milliseconds", even(120.0, 500).map(|t| (t * 1000.0).round() / 1000.0).collect(), 120.0, 0);
    check(
        "lost samples",
        even(200.0, 900).enumerate().filter(|(i, _)| i % 10 != 3).map(|(_, t)| t).collect(),
        200.0,
        0,
    );
    check("a gap", even(500.0, 900).map(|t| if t > 0.7 { t + 3.0 } else { t }).collect(), 500.0, 1);
    // In batches of two, as a phone delivers them.
    check(
        "batches",
        even(200.0, 900).enumerate().map(|(i, t)| t - if i % 3 == 1 { 0.002 } else { 0.0 }).collect(),
        200.0,
        0,
    );
    check("unusual", even(77.0, 900).collect(), 77.0, 0);
}

#[test]
fn time_units_are_found_by_name_or_step() {
    let check = |header: &str, step: f64, rate_hz: f64| {
        let rows: String = (0..50).map(|i| format!("{},1\n", (1e6 + f64::from(i) * step).round())).collect();
        let (recording, _) =
            good(&[source("a.csv", format!("{header},openness\n{rows}"))], &ReadOptions::default());
        assert!((recording.rate_hz() - rate_hz).abs() < 0.01 * rate_hz, "{header}: {}", recording.rate_hz());
    };
    check("timestamp", 8333.0, 120.0);
    check("timestamp", 5_000_000.0, 200.0);
    check("time", 10.0, 100.0);
    check("time [µs]", 100_000.0, 10.0);
    check("time_ns", 1_000_000.0, 1000.0);
}

#[test]
fn nanoseconds_since_the_epoch_keep_their_precision() {
    let text =
        "timestamp [ns],openness\n1650316509598345895,1\n1650316509598345896,1\n1650316509598345899,1\n";
    let (recording, _) = good(&[source("a.csv", text)], &ReadOptions::default());
    assert!(super::is_near(&recording.times.iter().map(|t| t * 1e9).collect::<Vec<_>>(), &[0.0, 1.0, 4.0]));
}
