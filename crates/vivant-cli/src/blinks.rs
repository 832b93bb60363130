//! `vivant blinks`: finds blinks in an eye recording.

use crate::args::blinks::Blinks;
use crate::fault::{Fault, Result};
use crate::files::Tabular;
use crate::{files, plot, recordings, report};
use std::process::ExitCode;
use vivant_io::Warning;
use vivant_learn::blinks::recorded::{Labelled, Settings, label_recording};
use vivant_learn::blinks::report::{Report, csv};
use vivant_learn::blinks::text::lines;
use vivant_learn::recording::Recording;

pub(crate) fn run(args: &Blinks) -> Result<ExitCode> {
    let plot = plot::with_format(args.plot.as_deref())?;
    let output = Tabular::with_format(args.output.as_deref(), "blinks")?;
    let mut warnings = Vec::new();
    let recording = recordings::read(&args.file, &recordings::options(&args.recording)?, &mut warnings)?;
    let settings = Settings { end: args.end.into(), eye: args.eye.into(), rate_hz: None };
    let labelled = label_recording(&recording, &settings)
        // The reader's warnings may explain the error.
        .inspect_err(|_| report::warnings(&warnings))
        .map_err(|error| error.in_file(args.file.display()))?;
    if let Some((path, format)) = plot {
        files::write(path, &plot::blinks(&plot::Blinks::of(&recording, &labelled), format)?)?;
    }
    if let Some((path, format)) = output {
        files::write(path, &bytes(&recording, &labelled, &warnings, format)?)?;
    }
    if args.json {
        report::json(&Report::of(&recording, &labelled, &warnings));
    } else {
        report::warnings(&warnings);
        labelled.notes.iter().for_each(|note| report::note(&format!("note: {note}")));
        lines(&recording, &labelled, args.output.is_none()).iter().for_each(|line| report::line(line));
    }
    Ok(ExitCode::SUCCESS)
}

fn bytes(
    recording: &Recording,
    labelled: &Labelled,
    warnings: &[Warning],
    format: Tabular,
) -> Result<Vec<u8>> {
    match format {
        Tabular::Csv => Ok(csv(&labelled.events).into_bytes()),
        Tabular::Json => {
            let report = Report::of(recording, labelled, warnings);
            let mut text = serde_json::to_string_pretty(&report).map_err(|e| Fault::new(e.to_string()))?;
            text.push('\n');
            Ok(text.into_bytes())
        }
    }
}
