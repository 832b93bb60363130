//! `vivant trace`: how eyes, lids and head move, as numbers and as a picture.

mod learned;
pub(crate) mod looking;
mod movements;
pub(crate) mod table;
#[cfg(test)]
mod tests;
mod texture;

use crate::args::trace::{BlinkShape, LidShape, Trace, TraceBlink, TraceKind};
use crate::fault::{Fault, Result};
use crate::shutter::Shutter;
use crate::{files, plot, report};
use std::process::ExitCode;
use table::Table;
use vivant::eyes::blink::Blink;
use vivant::eyes::saccade::Saccade;

/// Samples a second, unless others are asked for.
const RATE_HZ: f64 = 1000.0;

pub(crate) fn run(args: &Trace) -> Result<ExitCode> {
    let plot = plot::wanted(args.plot.as_deref())?;
    let table = seen(args)?;
    if let Some(sentence) = looking::shortfall(&table) {
        report::note(&sentence);
    }
    if let Some((path, format)) = plot {
        files::write(path, &plot::picture(&table, format)?)?;
    }
    if let Some(path) = &args.output {
        files::write(path, &table.csv())?;
    }
    if args.json {
        report::json_line(&table.json());
    } else if args.output.is_none() && args.plot.is_none() {
        report::line(String::from_utf8_lossy(&table.csv()).trim_end());
    }
    Ok(ExitCode::SUCCESS)
}

/// The table with motion blur, if it is wanted.
fn seen(args: &Trace) -> Result<Table> {
    let rate = args.rate.unwrap_or(RATE_HZ);
    let Some(shutter) = Shutter::new(args.shutter, rate) else { return sharp(&args.kind, args.rate) };
    if is_a_row_a_frame(&args.kind) {
        return Err(Fault::new(
            "--profile steptoe has nothing between its frames; leave --shutter out, or choose another profile",
        ));
    }
    Ok(shutter.table(&sharp(&args.kind, Some(shutter.rate()))?))
}

/// The table at a rate; by default a texture has its own.
fn sharp(kind: &TraceKind, rate: Option<f64>) -> Result<Table> {
    match kind {
        TraceKind::Eyes(eyes) if eyes.textured.texture.is_some() => texture::table(eyes, rate),
        kind => table(kind, rate.unwrap_or(RATE_HZ)),
    }
}

/// Whether the rate decides what is shown, as in the steps of paper 1.
fn is_a_row_a_frame(kind: &TraceKind) -> bool {
    match kind {
        TraceKind::Blink(blink) => matches!(blink.profile, BlinkShape::Steptoe),
        TraceKind::LidSaccade { profile, .. } => matches!(profile, LidShape::Steptoe),
        _ => false,
    }
}

pub(crate) fn table(kind: &TraceKind, rate: f64) -> Result<Table> {
    match kind {
        TraceKind::Saccade { amplitude, main_sequence } => {
            let main_sequence = (*main_sequence).into();
            movements::saccade(&Saccade { amplitude_deg: *amplitude, main_sequence }, rate)
        }
        TraceKind::LidSaccade { from, to, profile: LidShape::Evinger } => movements::lid(*from, *to, rate),
        TraceKind::LidSaccade { from, to, .. } => movements::lid_to_the_letter(*from, *to, rate),
        TraceKind::Blink(args) => blink(args, rate),
        TraceKind::GazeShift(args) => looking::gaze_shift(args, rate),
        TraceKind::Eyes(args) => looking::alone(args, rate),
    }
}

fn blink(args: &TraceBlink, rate: f64) -> Result<Table> {
    if matches!(args.profile, BlinkShape::Pca | BlinkShape::Real) {
        return movements::learned_blink(args, &learned::curve(args)?, rate);
    }
    if args.model.is_some() || args.closure.is_some() {
        return Err(Fault::new("--model and --closure are for --profile pca and real; add one of these"));
    }
    match args.profile.profile() {
        Some(profile) => {
            let blink = Blink::with_profile(args.amplitude, profile, args.duration);
            movements::blink(args.amplitude, &blink, rate)
        }
        None => movements::blink_to_the_letter(args.amplitude, rate),
    }
}
