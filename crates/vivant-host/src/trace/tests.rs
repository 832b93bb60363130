use super::*;
use vivant::eyes::blink::BlinkProfile;
use vivant::eyes::direction::Direction;
use vivant::eyes::saccade::{MainSequence, Saccade};

fn column(table: &Table, name: &str) -> Vec<f64> {
    let index = table.columns.iter().position(|c| *c == name).unwrap();
    table.rows().map(|row| row[index]).collect()
}

fn of(amplitude_deg: f64) -> Saccade {
    Saccade { amplitude_deg, main_sequence: MainSequence::Collewijn }
}

fn blink(amplitude_deg: f64, shape: BlinkShape) -> OneBlink {
    OneBlink { amplitude_deg, shape, ..OneBlink::default() }
}

#[test]
fn a_blink_follows_its_equations() {
    let table = blink(35.0, BlinkShape::Of(BlinkProfile::Evinger)).table(10_000.0).unwrap();
    let lid = column(&table, "lid_left");
    let lowest = lid.iter().copied().fold(0.0, f64::min);
    assert!((lowest + 35.0).abs() < 1e-9 && lid[0] == 0.0 && lid.last().unwrap().abs() < 1e-9);
    // E7 and E8 at 35°, in degrees per second.
    let velocity = column(&table, "velocity");
    let fastest =
        (velocity.iter().copied().fold(0.0, f64::min), velocity.iter().copied().fold(0.0, f64::max));
    assert!((fastest.0 + 986.1).abs() < 2.0 && (fastest.1 - 466.63).abs() < 1.0, "{fastest:?}");
    // 66 + 8.3 + 181 ms.
    assert!((column(&table, "t").last().unwrap() - 0.2554).abs() < 1e-3);
}

#[test]
fn a_lid_saccade_ends_at_its_target() {
    let table = lid_saccade(10.0, -15.0, LidShape::Evinger, 1000.0).unwrap();
    let lid = column(&table, "lid_right");
    assert!((lid[0] - 10.0).abs() < 1e-12 && (lid.last().unwrap() + 15.0).abs() < 1e-9);
}

#[test]
fn tables_become_csv() {
    let csv = String::from_utf8(saccade(&of(10.0), 1000.0).unwrap().csv()).unwrap();
    assert_eq!(csv.lines().count(), 52, "expected the header and 50 ms at 1000 Hz with both ends");
    assert!(csv.lines().all(|line| line.split(',').count() == 8));
}

/// With the steps of Steptoe 2010, a lid moves 1.4 to 2.5 times as far as the given amplitude.
#[test]
fn paper_1_taken_literally_overshoots() {
    let lids = column(&blink(30.0, BlinkShape::Steptoe).table(60.0).unwrap(), "lid_left");
    let lowest = lids.iter().copied().fold(0.0, f64::min);
    assert!((lowest / -30.0 - 1.789).abs() < 0.01, "{lowest}");
    assert_eq!((lids[0], *lids.last().unwrap()), (0.0, 0.0));
    let lids = column(&lid_saccade(10.0, -10.0, LidShape::Steptoe, 60.0).unwrap(), "lid_left");
    assert!((lids.last().unwrap() - (10.0 - 1.685 * 20.0)).abs() < 0.1, "{lids:?}");
}

#[test]
fn numbers_out_of_range_are_named() {
    let shift = GazeShift::to(Direction::new(30.0, 0.0));
    let eyes = IdleEyes::of(1.0);
    let learned = OneBlink { seed: 2, closure: Some(Default::default()), ..OneBlink::default() };
    for (table, part) in [
        (saccade(&of(91.0), 100.0), "amplitude: 91 is out of range"),
        (saccade(&of(1.0), 0.0), "rate: 0 is out of range"),
        (lid_saccade(f64::NAN, 0.0, LidShape::Evinger, 100.0), "from: NaN"),
        (blink(-1.0, BlinkShape::Steptoe).table(100.0), "amplitude: -1"),
        (OneBlink { duration_secs: Some(0.0), ..OneBlink::default() }.table(100.0), "duration: 0"),
        (learned.table(100.0), "choose `pca` or `real`"),
        (GazeShift { to: Direction::new(0.0, 91.0), ..shift }.table(100.0), "to: 91"),
        (GazeShift { latency_secs: -1.0, ..shift }.table(100.0), "latency: -1"),
        (IdleEyes { seconds: f64::INFINITY, ..eyes }.table(100.0), "seconds: inf"),
        (IdleEyes { blinks_per_minute: Some(200.0), ..eyes }.table(100.0), "blink_rate: 200"),
        (
            IdleEyes { person: Person { head_movement_factor: 2.0, ..Person::default() }, ..eyes }
                .table(100.0),
            "hmf: 2",
        ),
    ] {
        let message = table.map(|table| table.title).unwrap_err().to_string();
        assert!(message.contains(part), "{message} lacks {part}");
    }
}
