//! `vivant trace`: how eyes, lids and head move, as numbers and as a picture.

pub(crate) mod looking;
mod movements;
pub(crate) mod table;
#[cfg(test)]
mod tests;
mod texture;

use crate::args::trace::{LidShape, Trace, TraceKind};
use crate::fault::Result;
use crate::{files, plot, report};
use std::process::ExitCode;
use table::Table;
use vivant::eyes::blink::Blink;
use vivant::eyes::saccade::Saccade;

/// Samples a second, unless others are asked for.
const RATE_HZ: f64 = 1000.0;

pub(crate) fn run(args: &Trace) -> Result<ExitCode> {
    let plot = plot::wanted(args.plot.as_deref())?;
    let table = match &args.kind {
        TraceKind::Eyes(eyes) if eyes.textured.texture.is_some() => texture::table(eyes, args.rate)?,
        kind => table(kind, args.rate.unwrap_or(RATE_HZ))?,
    };
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

pub(crate) fn table(kind: &TraceKind, rate: f64) -> Result<Table> {
    match kind {
        TraceKind::Saccade { amplitude, main_sequence } => {
            let main_sequence = (*main_sequence).into();
            movements::saccade(&Saccade { amplitude_deg: *amplitude, main_sequence }, rate)
        }
        TraceKind::LidSaccade { from, to, profile: LidShape::Evinger } => movements::lid(*from, *to, rate),
        TraceKind::LidSaccade { from, to, .. } => movements::lid_to_the_letter(*from, *to, rate),
        TraceKind::Blink { amplitude, profile, duration } => match profile.profile() {
            Some(profile) => {
                let blink = Blink::with_profile(*amplitude, profile, *duration);
                movements::blink(*amplitude, &blink, rate)
            }
            None => movements::blink_to_the_letter(*amplitude, rate),
        },
        TraceKind::GazeShift(args) => looking::gaze_shift(args, rate),
        TraceKind::Eyes(args) => looking::alone(args, rate),
    }
}
