//! `vivant trace`: writes the motion of eyes, lids and head as a table and a plot.

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
    let plot = plot::with_format(args.plot.as_deref())?;
    let table = seen(args)?;
    table.notes.iter().for_each(|note| report::note(note));
    if let Some((path, format)) = plot {
        files::write(path, &plot::trace(&table, format)?)?;
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

/// Returns a table in its JSON form.
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

/// Returns the table, with motion blur if the user requested it.
fn seen(args: &Trace) -> Result<Table> {
    let rate = args.rate.unwrap_or(RATE_HZ);
    let Some(shutter) = Shutter::new(args.shutter, rate) else { return table(&args.kind, args.rate) };
    if is_a_row_a_frame(&args.kind) {
        return Err(Fault::new(
            "--profile steptoe has no motion between frames; leave --shutter out, or choose another profile",
        ));
    }
    Ok(shutter.table(&table(&args.kind, Some(shutter.rate()))?))
}

/// Returns true if the motion depends on the sampling rate, as the frame-by-frame rules of paper 1 do.
fn is_a_row_a_frame(kind: &TraceKind) -> bool {
    match kind {
        TraceKind::Blink(blink) => matches!(blink.profile, BlinkShape::Steptoe),
        TraceKind::LidSaccade { profile, .. } => matches!(profile, LidShape::Steptoe),
        _ => false,
    }
}

/// Returns the table at a sampling rate in Hz. For a texture, the default is the rate of the texture.
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
            Some(path) => wanted::textured(args, path)?.table(rate),
            None => wanted::idle(args).table(usual),
        },
    }
}
