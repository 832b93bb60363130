//! `vivant learn blinks`: learns a blink model from eye recordings.

use crate::args::learn::{EyesArg, LearnBlinks};
use crate::fault::Result;
use crate::report::Progress;
use crate::{files, plot, recordings, report};
use serde::Serialize;
use std::process::ExitCode;
use vivant_io::{Warning, json};
use vivant_learn::pca::{
    self, BlinkSelection, ComponentChoice, Eyes, Gathered, GatheredBlinks, Learned, LeftOut, Options,
};

/// The result as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<String>,
    origin: &'a str,
    recordings: &'a [GatheredBlinks],
    left_out: LeftOut,
    #[serde(flatten)]
    model: &'a pca::Report,
    warnings: &'a [Warning],
}

pub(super) fn run(args: &LearnBlinks, json: bool) -> Result<ExitCode> {
    let plot = plot::with_format(args.plot.as_deref())?;
    let mut warnings = Vec::new();
    // The reader's warnings may explain the error.
    let gathered = gathered(args, &mut warnings).inspect_err(|_| report::warnings(&warnings))?;
    let learned = {
        let _progress = Progress::spinner("learning");
        pca::learn(&gathered.cuts, &options(args), &gathered.origin())?
    };
    if let Some((path, format)) = plot {
        files::write(path, &plot::profiles(&plot::Profiles::of_blinks(&gathered.cuts, &learned), format)?)?;
    }
    if let Some(path) = &args.output {
        files::write(path, json::blink_model::write(&learned.model).as_bytes())?;
    }
    let written = args.output.as_ref().map(|path| path.display().to_string());
    let Learned { model, report: about, .. } = &learned;
    if json {
        let (origin, left_out) = (model.origin.as_str(), gathered.left_out);
        let (recordings, warnings) = (gathered.found.as_slice(), warnings.as_slice());
        report::json(&Report { written, origin, recordings, left_out, model: about, warnings });
    } else {
        report::warnings(&warnings);
        gathered.notes.iter().for_each(|note| report::note(&format!("note: {note}")));
        written.iter().chain(&pca::lines(&gathered, about)).for_each(|line| report::line(line));
    }
    Ok(ExitCode::SUCCESS)
}

fn gathered(args: &LearnBlinks, warnings: &mut Vec<Warning>) -> Result<Gathered> {
    let options = recordings::options(&args.how)?;
    let progress = Progress::bar("reading", args.recordings.len());
    let mut all = Vec::new();
    for (index, path) in args.recordings.iter().enumerate() {
        progress.at(index);
        all.push(recordings::read(path, &options, warnings)?);
    }
    pca::gather(&all, &BlinkSelection { eyes: args.eyes.into(), partial: args.partial })
}

fn options(args: &LearnBlinks) -> Options {
    let components =
        args.variance.map_or(ComponentChoice::Count(args.components.into()), ComponentChoice::Variance);
    Options { components, closure: args.closure.into(), ..Options::default() }
}

impl From<EyesArg> for Eyes {
    fn from(eyes: EyesArg) -> Self {
        match eyes {
            EyesArg::Both => Self::Both,
            EyesArg::Each => Self::Each,
            EyesArg::Left => Self::Left,
            EyesArg::Right => Self::Right,
        }
    }
}
