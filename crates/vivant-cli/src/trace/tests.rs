use super::*;
use crate::args::trace::{BlinkShape, LidShape, MainSequenceName, TraceBlink};

fn column(table: &Table, name: &str) -> Vec<f64> {
    let index = table.columns.iter().position(|c| *c == name).unwrap();
    table.rows().map(|row| row[index]).collect()
}

#[test]
fn a_blink_goes_down_and_comes_back_within_its_equations() {
    let kind = TraceKind::Blink(TraceBlink::plain(35.0, BlinkShape::Evinger));
    let table = table(&kind, 10_000.0).unwrap();
    let lid = column(&table, "lid_left");
    let lowest = lid.iter().copied().fold(0.0, f64::min);
    assert!((lowest + 35.0).abs() < 1e-9 && lid[0] == 0.0 && lid.last().unwrap().abs() < 1e-9);
    // E7 and E8 at 35°, degrees a second.
    let velocity = column(&table, "velocity");
    let fastest =
        (velocity.iter().copied().fold(0.0, f64::min), velocity.iter().copied().fold(0.0, f64::max));
    assert!((fastest.0 + 986.1).abs() < 2.0 && (fastest.1 - 466.63).abs() < 1.0, "{fastest:?}");
    // 66 + 8.3 + 181 ms.
    assert!((column(&table, "t").last().unwrap() - 0.2554).abs() < 1e-3);
}

#[test]
fn a_lid_saccade_ends_where_it_should() {
    let table =
        table(&TraceKind::LidSaccade { from: 10.0, to: -15.0, profile: LidShape::Evinger }, 1000.0).unwrap();
    let lid = column(&table, "lid_right");
    assert!((lid[0] - 10.0).abs() < 1e-12 && (lid.last().unwrap() + 15.0).abs() < 1e-9);
}

#[test]
fn tables_become_csv() {
    let kind = TraceKind::Saccade { amplitude: 10.0, main_sequence: MainSequenceName::Collewijn };
    let table = table(&kind, 1000.0).unwrap();
    let csv = String::from_utf8(table.csv()).unwrap();
    assert_eq!(csv.lines().count(), 52, "the header, and 50 ms at 1000 Hz with both ends");
    assert!(csv.lines().all(|line| line.split(',').count() == 8));
}

/// FACTS, section 0, number 2: by the paper's own steps a lid ends at 1.4 to 2.5 times its way.
#[test]
fn paper_1_to_the_letter_goes_too_far() {
    let lid = |kind: &TraceKind| column(&table(kind, 60.0).unwrap(), "lid_left");
    let blink = lid(&TraceKind::Blink(TraceBlink::plain(30.0, BlinkShape::Steptoe)));
    let lowest = blink.iter().copied().fold(0.0, f64::min);
    assert!((lowest / -30.0 - 1.789).abs() < 0.01, "{lowest}");
    assert_eq!((blink[0], *blink.last().unwrap()), (0.0, 0.0));
    let saccade = lid(&TraceKind::LidSaccade { from: 10.0, to: -10.0, profile: LidShape::Steptoe });
    assert!((saccade.last().unwrap() - (10.0 - 1.685 * 20.0)).abs() < 0.1, "{saccade:?}");
}
