//! `vivant trace`: how eyes, lids and head move, as numbers and as a picture.

mod wanted;

use crate::args::trace::{BlinkShape, LidShape, Trace, TraceKind};
use crate::fault::{Fault, Result};
use crate::shutter::Shutter;
use crate::{files, plot, report};
use serde::Serialize;
use std::collections::BTreeMap;
use std::process::ExitCode;
use vivant::eyes::saccade::Saccade;
use vivant_host::trace::{self, RATE_HZ, Table};

pub(crate) fn run(args: &Trace) -> Result<ExitCode> {
    let plot = plot::wanted(args.plot.as_deref())?;
    let table = seen(args)?;
    table.notes.iter().for_each(|note| report::note(note));
    if let Some((path, format)) = plot {
        files::write(path, &plot::picture(&table, format)?)?;
    }
    if let Some(path) = &args.output {
        files::write(path, &table.csv())?;
    }
    if args.json {
        report::json_line(&json(&table));
    } else if args.output.is_none() && args.plot.is_none() {
        report::line(String::from_utf8_lossy(&table.csv()).trim_end());
    }
    Ok(ExitCode::SUCCESS)
}

/// The form in which a table goes out as JSON.
pub(crate) fn json(table: &Table) -> impl Serialize {
    #[derive(Serialize)]
    struct Json<'a> {
        title: &'a str,
        columns: &'a [&'static str],
        #[serde(flatten)]
        facts: &'a BTreeMap<&'static str, f64>,
        rows: Vec<&'a [f64]>,
    }
    Json { title: &table.title, columns: table.columns, facts: &table.facts, rows: table.rows().collect() }
}

/// The table with motion blur, if it is wanted.
fn seen(args: &Trace) -> Result<Table> {
    let rate = args.rate.unwrap_or(RATE_HZ);
    let Some(shutter) = Shutter::new(args.shutter, rate) else { return table(&args.kind, args.rate) };
    if is_a_row_a_frame(&args.kind) {
        return Err(Fault::new(
            "--profile steptoe has nothing between its frames; leave --shutter out, or choose another profile",
        ));
    }
    Ok(shutter.table(&table(&args.kind, Some(shutter.rate()))?))
}

/// Whether the rate decides what is shown, as in the steps of paper 1.
fn is_a_row_a_frame(kind: &TraceKind) -> bool {
    match kind {
        TraceKind::Blink(blink) => matches!(blink.profile, BlinkShape::Steptoe),
        TraceKind::LidSaccade { profile, .. } => matches!(profile, LidShape::Steptoe),
        _ => false,
    }
}

/// The table at a rate; by default a texture has its own.
pub(crate) fn table(kind: &TraceKind, rate: Option<f64>) -> Result<Table> {
    let usual = rate.unwrap_or(RATE_HZ);
    match kind {
        TraceKind::Saccade { amplitude, main_sequence } => {
            let main_sequence = (*main_sequence).into();
            trace::saccade(&Saccade { amplitude_deg: *amplitude, main_sequence }, usual)
        }
        TraceKind::LidSaccade { from, to, profile } => {
            trace::lid_saccade(*from, *to, (*profile).into(), usual)
        }
        TraceKind::Blink(args) => wanted::blink(args)?.table(usual),
        TraceKind::GazeShift(args) => wanted::gaze_shift(args).table(usual),
        TraceKind::Eyes(args) => match &args.textured.texture {
            Some(path) => wanted::sewn(args, path)?.table(rate),
            None => wanted::alone(args).table(usual),
        },
    }
}
