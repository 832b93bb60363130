//! `vivant visemes`: converts speech to visemes over time.

use crate::args::visemes::{Set, Visemes};
use crate::fault::{Fault, Result};
use crate::files::Tabular;
use crate::{files, plot, report};
use serde::Serialize;
use std::process::ExitCode;
use vivant::speech::pronounce::English;
use vivant_host::trace::Table;
use vivant_host::visemes::{self, Event, SpeechSource};
use vivant_io::Warning;

pub(crate) fn run(args: &Visemes) -> Result<ExitCode> {
    let plot = plot::with_format(args.plot.as_deref())?;
    let output = Tabular::with_format(args.output.as_deref(), "visemes")?;
    let mut warnings = Vec::new();
    let speech = speech(args, &mut warnings)?;
    let spoken =
        Spoken { table: visemes::table(&speech, args.set.into(), args.fps)?, events: speech.events() };
    if let Some((path, format)) = plot {
        files::write(
            path,
            &plot::visemes(&visemes::plot(&name(args), &speech, &spoken.table, args.fps), format)?,
        )?;
    }
    if let Some((path, format)) = output {
        files::write(path, &spoken.bytes(format, &warnings))?;
    }
    if args.json {
        report::json_line(&spoken.json(&warnings));
    } else {
        report::warnings(&warnings);
        if output.is_none() && plot.is_none() {
            report::line(String::from_utf8_lossy(&spoken.table.csv()).trim_end());
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn speech(args: &Visemes, warnings: &mut Vec<Warning>) -> Result<SpeechSource> {
    let language = English::new(visemes::dictionary(args.dictionary.as_deref(), warnings)?);
    match (&args.text, &args.file) {
        (Some(text), _) => SpeechSource::of_text("--text", text.as_bytes().to_vec(), &language, warnings),
        (None, Some(path)) => SpeechSource::of_file(path, &language, warnings),
        (None, None) => Err(Fault::new("give a file, or --text")),
    }
}

fn name(args: &Visemes) -> String {
    args.file.as_ref().map_or_else(|| "text".into(), |path| path.display().to_string())
}

impl From<Set> for visemes::Set {
    fn from(set: Set) -> Self {
        match set {
            Set::Oculus => Self::Oculus,
            Set::Vrm => Self::Vrm,
            Set::Arkit => Self::Arkit,
        }
    }
}

struct Spoken {
    table: Table,
    events: Vec<Event>,
}

impl Spoken {
    fn bytes(&self, format: Tabular, warnings: &[Warning]) -> Vec<u8> {
        match format {
            Tabular::Csv => self.table.csv(),
            Tabular::Json => serde_json::to_vec(&self.json(warnings)).unwrap_or_default(),
        }
    }

    fn json(&self, warnings: &[Warning]) -> impl Serialize {
        #[derive(Serialize)]
        struct Json<'a, T: Serialize> {
            #[serde(flatten)]
            table: T,
            events: &'a [Event],
            warnings: Vec<String>,
        }
        let warnings = warnings.iter().map(ToString::to_string).collect();
        Json { table: crate::trace::json(&self.table), events: &self.events, warnings }
    }
}
