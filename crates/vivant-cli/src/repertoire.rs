//! `vivant repertoire`: creates and checks a character's repertoire.

use crate::args::repertoire::{Add, Check, Graph, Repertoire, RepertoireWhat, Suggest, TypeArg};
use crate::character::{self, Draft};
use crate::fault::{Fault, Kind, Result};
use crate::report::{self, Progress};
use crate::{files, plot};
use serde::Serialize;
use std::process::ExitCode;
use vivant::body::repertoire::Hand;
use vivant_host::authoring::{
    Addition, Checked, LabelOptions, Sources, StanceGraph, StanceGroup, Suggested, suggestions,
};
use vivant_learn::suggest::Type;

pub(crate) fn run(args: &Repertoire) -> Result<ExitCode> {
    match &args.what {
        RepertoireWhat::Check(check) => self::check(check, args.json),
        RepertoireWhat::Graph(graph) => self::graph(graph, args.json),
        RepertoireWhat::Suggest(suggest) => self::suggest(suggest, args.json),
        RepertoireWhat::Add(add) => self::add(add, args.json),
    }
}

fn check(args: &Check, json: bool) -> Result<ExitCode> {
    let checked = checked(&character::draft(&args.character)?);
    if json {
        report::json(&checked);
    } else {
        report::warnings(&checked.warnings);
        checked.summary_lines().iter().chain(&checked.fault_lines()).for_each(|line| report::line(line));
    }
    Ok(status(&checked))
}

fn checked(draft: &Draft) -> Checked {
    let _progress = Progress::spinner("fitting clips to the avatar");
    Checked::of(draft)
}

fn status(checked: &Checked) -> ExitCode {
    if checked.usable { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn graph(args: &Graph, json: bool) -> Result<ExitCode> {
    #[derive(Serialize)]
    struct Written<'a> {
        written: String,
        bytes: usize,
        groups: &'a [StanceGroup],
    }
    // Report an unsupported extension before any file is read.
    let format = plot::Format::of(&args.output)?;
    let drawn = StanceGraph::of(&character::draft(&args.character)?)?;
    let bytes = plot::network(&drawn.network, format)?;
    files::write(&args.output, &bytes)?;
    let written = args.output.display().to_string();
    if json {
        report::json(&Written { written, bytes: bytes.len(), groups: &drawn.groups });
    } else {
        report::line(&format!("{written}  {} kB", bytes.len().div_ceil(1000)));
    }
    Ok(ExitCode::SUCCESS)
}

fn suggest(args: &Suggest, json: bool) -> Result<ExitCode> {
    let draft = args.character.as_deref().map(character::draft).transpose()?;
    let sources = Sources::read(&args.clips, &mut character::reading());
    let suggestions = suggestions(&sources.all, draft.as_ref(), &mut looking());
    let suggested = Suggested { sources, suggestions };
    let sources = &suggested.sources;
    if json {
        report::json(&suggested.json());
    } else {
        report::warnings(&sources.warnings);
        suggested.lines().iter().for_each(|line| report::line(line));
        sources.unread.iter().for_each(|(_, fault)| report::note(&format!("vivant: {fault}")));
    }
    Ok(if sources.unread.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns a callback that shows the number of clips analysed so far.
fn looking() -> impl FnMut(usize, usize) {
    let mut bar = None;
    move |done, count| bar.get_or_insert_with(|| Progress::bar("analysing clips", count)).at(done)
}

fn add(args: &Add, json: bool) -> Result<ExitCode> {
    let mut draft = Draft::read_or_new(&args.character, &mut character::reading())?;
    let sources = Sources::read(&args.clips, &mut character::reading()).require_all()?;
    fits(args, &sources)?;
    let planned = Addition::plan(&LabelOptions::from(args), &mut draft, sources, &mut looking());
    let mut addition = planned.map_err(with_options)?;
    let checked = if args.dry_run {
        checked(&draft)
    } else {
        addition.write(&draft)?;
        checked(&character::draft(&draft.folder)?)
    };
    print(&addition, &checked, json);
    Ok(status(&checked))
}

/// Checks that the options are compatible with each other and with the clips.
fn fits(args: &Add, sources: &Sources) -> Result<()> {
    if args.name.is_some() && sources.all.len() != 1 {
        let many = sources.all.len();
        return Err(Fault::new(format!(
            "--name is for one clip, but {many} clips were given; add the clip separately"
        )));
    }
    if args.to.is_some() && args.kind.is_some_and(|kind| kind != TypeArg::Transition) {
        return Err(Fault::new(
            "--to is for transitions; add --as transition, or leave --to out: other clips end in the stance where they start",
        ));
    }
    Ok(())
}

/// Adds the names of the options that set labels.
fn with_options(error: Fault) -> Fault {
    match error.kind() {
        Kind::Invalid => Fault::of(
            Kind::Invalid,
            format!("{error}\nThe options are --as, --stance, --to, --name and --layers."),
        ),
        _ => error,
    }
}

fn print(addition: &Addition, checked: &Checked, as_json: bool) {
    if as_json {
        let mut all = serde_json::to_value(addition).unwrap_or_default();
        all["check"] = serde_json::to_value(checked).unwrap_or_default();
        return report::json(&all);
    }
    report::warnings(&addition.warnings);
    addition.lines().iter().chain(&checked.fault_lines()).for_each(|line| report::line(line));
}

impl From<&Add> for LabelOptions {
    fn from(args: &Add) -> Self {
        Self {
            kind: args.kind.map(Type::from),
            stance: args.stance.clone(),
            to: args.to.clone(),
            name: args.name.clone(),
            hand: args.hand.map(Hand::from),
            layers: args.layers.iter().map(|layer| (*layer).into()).collect(),
            tags: args.tags.clone(),
        }
    }
}
