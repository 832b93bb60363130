//! Invalid signals, and eyes that trackers lose.

use super::*;

#[test]
fn empty_constant_and_invalid_signals_have_no_events() {
    let nan = f64::NAN;
    for signal in [
        vec![],
        vec![1.0],
        vec![1.0, 0.0],
        vec![0.0; 500],
        vec![1.0; 500],
        vec![-3.0; 500],
        vec![nan; 500],
        vec![nan, 1.0, nan],
        vec![f64::INFINITY; 9],
    ] {
        for zero in [Zero::Shut, Zero::Arbitrary] {
            let options = Options { zero, ..Options::default() };
            assert_eq!(label(&signal, 120.0, &options), [], "{signal:?}");
        }
    }
    for rate in [0.0, -120.0, nan, f64::INFINITY] {
        assert_eq!(label(&held(1.0, 0.0, 120.0), rate, &Options::default()), [], "{rate}");
    }
}

/// Returns a blink in which samples below `below` are unknown.
fn lost(below: f64, hold_secs: f64) -> Vec<f64> {
    held(1.0, hold_secs, 120.0).into_iter().map(|x| if x < below { f64::NAN } else { x }).collect()
}

#[test]
fn an_eye_lost_while_closing_counts_as_closed() {
    for (below, hold_secs, kind) in [(0.3, 0.0, Kind::Blink), (0.6, 0.0, Kind::Blink), (0.4, 1.5, Kind::Long)]
    {
        let events = label(&lost(below, hold_secs), 120.0, &Options::default());
        assert_eq!(events.iter().map(|e| e.kind).collect::<Vec<_>>(), [kind], "{below} {hold_secs}");
        assert!((events[0].onset_secs - 2.0).abs() < 0.05, "{events:?}");
    }
}

#[test]
fn an_eye_lost_while_open_is_not_a_blink() {
    let mut signal = vec![1.0; 600];
    signal[200..240].fill(f64::NAN);
    signal[400..403].fill(f64::NAN);
    assert_eq!(label(&signal, 120.0, &Options::default()), []);
}

#[test]
fn long_gaps_stay_unknown() {
    // Closed before the gap and open six seconds later: the time of opening is unknown.
    let mut signal = held(1.0, 8.0, 120.0);
    signal[300..1080].fill(f64::NAN);
    let events = label(&signal, 120.0, &Options::default());
    assert!(events.iter().all(|event| event.duration_secs() < 1.5), "{events:?}");
}

#[test]
fn blinks_cut_off_by_the_recording_are_not_counted() {
    let signal = held(1.0, 0.0, 120.0);
    let lowest = 2 * 120 + 8;
    assert_eq!(label(&signal[..lowest], 120.0, &Options::default()), []);
    assert_eq!(label(&signal[lowest..], 120.0, &Options::default()), []);
}

#[test]
fn blinks_are_found_in_a_drifting_signal() {
    // Blinks of 200 µV in a potential that drifts by as much, like an electro-oculogram.
    let rate = 100.0;
    let blink = Blink::new(40.0);
    let ats = [3.0, 7.5, 9.0, 14.0, 21.0, 26.0];
    let mut draw = Chance::new(5, "drift").event(0);
    let signal: Vec<f64> = (0..3000)
        .map(|i| f64::from(i) / rate)
        .map(|t| {
            let drift = 150.0 * vivant::math::sin(0.3 * t);
            drift - ats.iter().map(|at| 200.0 * blink.closure(t - at)).sum::<f64>()
                + 3.0 * gaussian(&mut draw)
        })
        .collect();
    let events = label(&signal, rate, &Options { zero: Zero::Arbitrary, ..Options::default() });
    assert_eq!(events.len(), ats.len(), "{events:?}");
    for (event, at) in events.iter().zip(ats) {
        assert!((event.onset_secs - at).abs() < 0.03, "{event:?}");
    }
}
