//! `vivant repertoire`: what a character can do, made and mended.

pub(crate) mod add;
pub(crate) mod check;
mod graph;
pub(crate) mod mend;
mod sources;
pub(crate) mod suggest;
mod table;

use crate::args::repertoire::{Repertoire, RepertoireWhat};
use crate::fault::Result;
use std::process::ExitCode;

pub(crate) fn run(args: &Repertoire) -> Result<ExitCode> {
    match &args.what {
        RepertoireWhat::Check(check) => check::run(check, args.json),
        RepertoireWhat::Graph(graph) => graph::run(graph, args.json),
        RepertoireWhat::Suggest(suggest) => suggest::run(suggest, args.json),
        RepertoireWhat::Add(add) => add::run(add, args.json),
    }
}
