//! `vivant learn`: recordings of people to models.

mod blinks;
pub(crate) mod eyes;

use crate::args::learn::{Learn, LearnBehaviour, LearnWhat};
use crate::fault::{Fault, Result};
use crate::plot::{self, Heat};
use crate::{files, report};
use serde::Serialize;
use std::fmt::Write;
use std::process::ExitCode;
use vivant::eyes::blinking::Activity;
use vivant_files::annotations;
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
    let plot = plot::wanted(args.plot.as_deref())?;
    let mut warnings = Vec::new();
    let learned = annotations::learn(&args.files, args.map.as_deref(), &mut warnings)?;
    if let Some((path, format)) = plot {
        files::write(path, &plot::heat_map(&heat(wanted(&learned, args)?), format)?)?;
    }
    let matrix = if args.matrix { Some(csv(wanted(&learned, args)?)) } else { None };
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
            // Beside a matrix, which may go to a file, people are told on standard error.
            let tell = if matrix.is_some() { report::note } else { report::line };
            summary(&learned, written.as_deref()).iter().for_each(|line| tell(line));
            matrix.iter().for_each(|csv| report::line(csv.trim_end()));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The counts that were asked for.
fn wanted<'a>(learned: &'a Learned, args: &LearnBehaviour) -> Result<&'a Counts> {
    let (chain, state) = (ChainName::from(args.chain), args.state.map(Activity::from));
    let found = learned.counts.iter().find(|counts| counts.chain == chain && counts.activity == state);
    found.ok_or_else(|| {
        let part = name(chain);
        Fault::new(match state {
            Some(_) => format!("nothing was annotated of the {part} in this state; has the map a tier with part = \"speech\"?"),
            None => format!("nothing was annotated of the {part}; add a tier for it to the map, or choose another --chain"),
        })
    })
}

fn name(chain: ChainName) -> &'static str {
    match chain {
        ChainName::Arms => "arms",
        ChainName::Head => "head",
        ChainName::HeadStance => "head's stance",
        ChainName::Body => "body",
    }
}

/// Header and first column are the states.
fn csv(counts: &Counts) -> String {
    let quoted = |name: &String| {
        let is_plain = !name.contains([',', '"', '\n', '\r']);
        if is_plain { name.clone() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
    };
    let names: Vec<String> = counts.states.iter().map(quoted).collect();
    let mut text = format!("state,{}\n", names.join(","));
    for (name, row) in names.iter().zip(&counts.matrix) {
        let row: Vec<String> = row.iter().map(f64::to_string).collect();
        // Writing into a String cannot fail.
        let _ = writeln!(text, "{name},{}", row.join(","));
    }
    text
}

fn heat(counts: &Counts) -> Heat {
    let of_row = |row: &Vec<u64>| row.iter().sum::<u64>();
    let sum: u64 = counts.transitions.iter().map(of_row).sum();
    let during = match counts.activity {
        Some(Activity::Speaking) => " while speaking",
        Some(_) => " while listening",
        None => "",
    };
    let is_pale: Vec<bool> = counts.transitions.iter().map(|row| of_row(row) == 0).collect();
    let pale = if is_pale.contains(&true) {
        "\nPale rows were never left: they show how common each is over all."
    } else {
        ""
    };
    let hands = if counts.chain == ChainName::Arms { "L left, R right, LR both; " } else { "" };
    let seen = format!("{sum} times that one followed another. {hands}G gesture, F fidget, T transition.");
    Heat {
        title: format!("What follows what: {}{during}\n{seen}{pale}", name(counts.chain)),
        rows_are: "after ↓",
        columns_are: "comes →",
        names: counts.states.clone(),
        matrix: counts.matrix.clone(),
        is_pale,
    }
}

/// What was matched, and how much was learned from it.
fn summary(learned: &Learned, written: Option<&str>) -> Vec<String> {
    let mut lines: Vec<String> = written.iter().map(|path| (*path).to_owned()).collect();
    for tier in &learned.matched {
        let Matched { file, tier: name, person, part, annotations, ignored } = tier;
        let of = if person.is_empty() { String::new() } else { format!(" of {person}") };
        let but = if *ignored > 0 { format!(", {ignored} left out") } else { String::new() };
        lines.push(format!("  {file}: “{name}” is {}{of}: {annotations} annotations{but}", part.name()));
    }
    for counts in &learned.counts {
        let during =
            counts.activity.map_or(String::new(), |activity| format!(" while {activity:?}").to_lowercase());
        let actions: u64 = counts.occurrences.iter().sum();
        let follows: u64 = counts.transitions.iter().flatten().sum();
        lines.push(format!(
            "  {}{during}: {actions} actions, {follows} times that one followed another",
            name(counts.chain)
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_as_csv_has_the_states_on_both_sides() {
        let counts = Counts {
            activity: None,
            chain: ChainName::Arms,
            states: vec!["LG".into(), "LG:a,\"b\"".into()],
            occurrences: vec![3, 1],
            transitions: vec![vec![1, 1], vec![1, 0]],
            matrix: vec![vec![0.5, 0.5], vec![1.0, 0.0]],
        };
        assert_eq!(csv(&counts), "state,LG,\"LG:a,\"\"b\"\"\"\nLG,0.5,0.5\n\"LG:a,\"\"b\"\"\",1,0\n");
    }
}
