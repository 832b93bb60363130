//! `vivant repertoire graph`
use crate::args::repertoire::Graph;
use crate::fault::Result;
use std::process::ExitCode;
pub(crate) fn run(_: &Graph, _: bool) -> Result<ExitCode> {
    todo!()
}
