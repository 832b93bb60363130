//! The `vivant` command. Only this crate uses sockets and a clock.

#![forbid(unsafe_code)]

mod args;
mod blinks;
mod character;
mod convert;
mod fault;
mod flags;
mod inspect;
mod label;
mod learn;
mod lint;
mod mannequin;
mod mimic;
mod output;
mod perform;
mod plan;
mod recordings;
mod repertoire;
mod report;
mod say;
mod schema;
mod script;
mod serve;
mod stage;
mod trace;
mod track;
mod visemes;

pub(crate) use vivant_host::{disk as files, film, voice, workspace};
pub(crate) use vivant_host::{plot, shutter};

use args::{Cli, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let json = cli.command.as_ref().map_or(cli.watch.json, Command::json);
    let done = match &cli.command {
        None => serve::run(&cli.watch),
        Some(Command::Serve(args)) => serve::run(&args.watch),
        Some(Command::Inspect(args)) => inspect::run(args),
        Some(Command::Convert(args)) => convert::run(args),
        Some(Command::Perform(args)) => perform::run(args),
        Some(Command::Plan(args)) => plan::run(args),
        Some(Command::Trace(args)) => trace::run(args),
        Some(Command::Learn(args)) => learn::run(args),
        Some(Command::Blinks(args)) => blinks::run(args),
        Some(Command::Lint(args)) => lint::run(args),
        Some(Command::Mimic(args)) => mimic::run(args),
        Some(Command::Label(args)) => label::run(args),
        Some(Command::Track(args)) => track::run(args),
        Some(Command::Visemes(args)) => visemes::run(args),
        Some(Command::Say(args)) => say::run(args),
        Some(Command::Mannequin(args)) => mannequin::run(args),
        Some(Command::Schema(args)) => schema::run(args),
        Some(Command::Repertoire(args)) => repertoire::run(args),
    };
    done.unwrap_or_else(|fault| {
        report::fault(&fault, json);
        ExitCode::FAILURE
    })
}
