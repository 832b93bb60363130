//! `vivant learn`: learns models from recordings of people.

mod blinks;
pub(crate) mod eyes;

use crate::args::learn::{Learn, LearnBehaviour, LearnWhat};
use crate::fault::{Fault, Result};
use crate::plot;
use crate::{files, report};
use serde::Serialize;
use std::process::ExitCode;
use vivant::eyes::blinking::Activity;
use vivant_host::annotations;
use vivant_io::Warning;
use vivant_learn::behaviour::{ChainName, Counts, Learned, Matched};

pub(crate) fn run(args: &Learn) -> Result<ExitCode> {
    match &args.what {
        LearnWhat::Behaviour(behaviour) => learn_behaviour(behaviour, args.json),
        LearnWhat::Eyes(eyes) => eyes::run(eyes, args.json),
        LearnWhat::Blinks(recordings) => blinks::run(recordings, args.json),
    }
}

/// The result as JSON.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<String>,
    origin: &'a str,
    tiers: &'a [Matched],
    counts: &'a [Counts],
    warnings: &'a [Warning],
}

fn learn_behaviour(args: &LearnBehaviour, json: bool) -> Result<ExitCode> {
    let plot = plot::with_format(args.plot.as_deref())?;
    let mut warnings = Vec::new();
    let learned = annotations::learn(&args.files, args.map.as_deref(), &mut warnings)?;
    if let Some((path, format)) = plot {
        files::write(path, &plot::heat_map(&plot::Heat::of_counts(wanted(&learned, args)?), format)?)?;
    }
    let matrix = if args.matrix { Some(wanted(&learned, args)?.csv()) } else { None };
    if let Some(path) = &args.output {
        let mut text =
            serde_json::to_string_pretty(&learned.behaviour).map_err(|e| Fault::new(e.to_string()))?;
        text.push('\n');
        files::write(path, text.as_bytes())?;
    }
    let written = args.output.as_ref().map(|path| path.display().to_string());
    match (json, matrix) {
        (true, _) => {
            let (origin, tiers) = (learned.behaviour.origin.as_str(), learned.matched.as_slice());
            report::json(&Report { written, origin, tiers, counts: &learned.counts, warnings: &warnings });
        }
        (false, matrix) => {
            report::warnings(&warnings);
            // If the matrix is printed to standard output, which may be redirected to a file, the report goes to
            // standard error.
            let print = if matrix.is_some() { report::note } else { report::line };
            written.iter().chain(&learned.lines()).for_each(|line| print(line));
            matrix.iter().for_each(|csv| report::line(csv.trim_end()));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the counts for the requested part of the body and activity.
fn wanted<'a>(learned: &'a Learned, args: &LearnBehaviour) -> Result<&'a Counts> {
    let (chain, state) = (ChainName::from(args.chain), args.state.map(Activity::from));
    let found = learned.counts.iter().find(|counts| counts.chain == chain && counts.activity == state);
    found.ok_or_else(|| {
        let part = chain.name();
        Fault::new(match state {
            Some(_) => format!(
                "no annotations of the {part} in this state; does the map have a tier with part = \"speech\"?"
            ),
            None => format!(
                "no annotations of the {part}; add a tier for it to the map, or choose another --chain"
            ),
        })
    })
}
