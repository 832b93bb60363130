//! `vivant trace`: how an eye or a lid moves, as numbers and as a picture.

mod plot;

use crate::args::{Trace, TraceKind};
use crate::fault::{Fault, Result};
use crate::{files, report};
use std::fmt::Write;
use std::process::ExitCode;
use vivant::eyes::blink::Blink;
use vivant::eyes::lids::lid_saccade;
use vivant::eyes::saccade::Saccade;

/// The most samples that a trace holds.
const MAX_SAMPLES: usize = 10_000_000;

/// Columns over time; the first is the time in seconds.
#[derive(serde::Serialize)]
struct Table {
    title: String,
    columns: Vec<&'static str>,
    rows: Vec<Vec<f64>>,
}

pub(crate) fn run(args: &Trace) -> Result<ExitCode> {
    // A wrong ending is said before anything is worked out.
    let plot =
        args.plot.as_deref().map(|path| plot::Format::of(path).map(|format| (path, format))).transpose()?;
    let table = table(&args.kind, args.rate)?;
    if let Some((path, format)) = plot {
        files::write(path, &plot::picture(&table, format)?)?;
    }
    if let Some(path) = &args.output {
        files::write(path, csv(&table).as_bytes())?;
    }
    if args.json {
        report::json_line(&table);
    } else if args.output.is_none() && args.plot.is_none() {
        report::line(csv(&table).trim_end());
    }
    Ok(ExitCode::SUCCESS)
}

fn table(kind: &TraceKind, rate: f64) -> Result<Table> {
    match *kind {
        TraceKind::Saccade { amplitude, main_sequence } => {
            let profile = Saccade { amplitude_deg: amplitude, main_sequence: main_sequence.into() }.profile();
            let columns = vec![
                "t",
                "eye_left_yaw",
                "eye_left_pitch",
                "eye_right_yaw",
                "eye_right_pitch",
                "gaze_yaw",
                "gaze_pitch",
                "velocity",
            ];
            sampled(format!("Saccade of {amplitude}°"), columns, profile.duration_secs(), rate, |t| {
                let yaw = profile.position(t);
                vec![yaw, 0.0, yaw, 0.0, yaw, 0.0, profile.velocity(t)]
            })
        }
        TraceKind::LidSaccade { from, to } => {
            let profile = lid_saccade(from, to);
            let title = format!("Lid saccade from {from}° to {to}°");
            sampled(
                title,
                vec!["t", "lid_left", "lid_right", "velocity"],
                profile.duration_secs(),
                rate,
                |t| {
                    let lid = from + profile.position(t);
                    vec![lid, lid, profile.velocity(t)]
                },
            )
        }
        TraceKind::Blink { amplitude, profile, duration } => {
            let blink = Blink::with_profile(amplitude, profile.into(), duration);
            let columns = vec!["t", "lid_left", "lid_right", "blink", "velocity"];
            let total = blink.duration_secs();
            sampled(format!("Blink of {amplitude}°"), columns, total, rate, |t| {
                let lid = blink.position(t);
                vec![lid, lid, f64::from(u8::from(t < total)), blink.velocity(t)]
            })
        }
    }
}

/// A row every 1/rate seconds, from the beginning to the first sample at or after the end.
fn sampled(
    title: String,
    columns: Vec<&'static str>,
    secs: f64,
    rate: f64,
    at: impl Fn(f64) -> Vec<f64>,
) -> Result<Table> {
    let samples = (secs * rate - 1e-9).ceil().max(0.0) as usize;
    if samples > MAX_SAMPLES {
        return Err(Fault::new(format!("{samples} samples are too many; give a lower --rate")));
    }
    let row = |i: usize| {
        let t = i as f64 / rate;
        let mut row = vec![t];
        row.extend(at(t));
        row
    };
    Ok(Table { title, columns, rows: (0..=samples).map(row).collect() })
}

fn csv(table: &Table) -> String {
    let mut text = table.columns.join(",");
    text.push('\n');
    for row in &table.rows {
        for (i, number) in row.iter().enumerate() {
            // Writing into a String cannot fail; −0 is only a sign of the arithmetic.
            let _ = write!(text, "{}{}", if i == 0 { "" } else { "," }, number + 0.0);
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{BlinkShape, MainSequenceName};

    fn column(table: &Table, name: &str) -> Vec<f64> {
        let index = table.columns.iter().position(|c| *c == name).unwrap();
        table.rows.iter().map(|row| row[index]).collect()
    }

    #[test]
    fn a_blink_goes_down_and_comes_back_within_its_equations() {
        let kind = TraceKind::Blink { amplitude: 35.0, profile: BlinkShape::Evinger, duration: None };
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
        assert!((table.rows.last().unwrap()[0] - 0.2554).abs() < 1e-3);
    }

    #[test]
    fn a_lid_saccade_ends_where_it_should() {
        let table = table(&TraceKind::LidSaccade { from: 10.0, to: -15.0 }, 1000.0).unwrap();
        let lid = column(&table, "lid_right");
        assert!((lid[0] - 10.0).abs() < 1e-12 && (lid.last().unwrap() + 15.0).abs() < 1e-9);
    }

    #[test]
    fn tables_become_csv() {
        let kind = TraceKind::Saccade { amplitude: 10.0, main_sequence: MainSequenceName::Collewijn };
        let table = table(&kind, 1000.0).unwrap();
        let csv = csv(&table);
        assert_eq!(csv.lines().count(), 52, "the header, and 50 ms at 1000 Hz with both ends");
        assert!(csv.lines().all(|line| line.split(',').count() == 8));
    }
}
