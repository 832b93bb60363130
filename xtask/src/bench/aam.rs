//! `cargo xtask bench aam`: fits eyes in images, and compares the time with menpofit on the same images.

use super::TRIES;
use crate::python::MENPOFIT;
use crate::steps::{command, output};
use crate::{Done, root, target};
use std::process::Command;

/// Required images per second on one core.
const MIN_FPS: f64 = 500.0;
/// Required speed-up over menpofit's simultaneous fit.
const MIN_TIMES: f64 = 10.0;
/// Required speed-up of two jobs over one.
const MIN_TIMES_TWO_JOBS: f64 = 1.7;
/// Minimum fraction of fits with an error below 1 px for a method that converges.
const CONVERGES: f64 = 0.9;

pub(super) fn speed() -> Done {
    let folder = target().join("aam-bench");
    let mut faults = Vec::new();
    for _ in 0..TRIES {
        let mut bench = command("cargo bench --quiet --locked -p vivant-learn --bench aam -- 5");
        let ours = output(bench.arg(&folder))?;
        print!("{ours}");
        let mut theirs = String::new();
        if let Some(python) = MENPOFIT.ready()? {
            let program = root().join("tests/aam/menpofit_bench.py");
            theirs = output(Command::new(python).arg(program).arg(&folder))?;
            print!("{theirs}");
        }
        faults = judged(&ours, &theirs)?;
        if faults.is_empty() {
            return Ok(());
        }
    }
    Err(faults.join("; "))
}

/// Returns the requirements that are not met.
fn judged(ours: &str, theirs: &str) -> Result<Vec<String>, String> {
    let own = result(ours, "vivant coupled").ok_or_else(|| format!("no “vivant coupled” in:\n{ours}"))?;
    let mut faults = Vec::new();
    let mut at_least = |what: &str, value: f64, least: f64| {
        println!("  → {what}: {value:.2}, at least {least}");
        if value < least {
            faults.push(format!("{what}: {value:.2}, but at least {least} is required"));
        }
    };
    at_least("images per second", 1000.0 / own.milliseconds, MIN_FPS);
    at_least("share below 1 px", own.near, CONVERGES);
    let jobs = ours.split("vivant two jobs: ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
    at_least("times as fast with two jobs", jobs.unwrap_or(0.0), MIN_TIMES_TWO_JOBS);
    if let Some(simultaneous) = result(theirs, "menpofit simultaneous") {
        at_least("× menpofit's simultaneous", simultaneous.milliseconds / own.milliseconds, MIN_TIMES);
    }
    let others = theirs.lines().filter_map(|line| result(line, "menpofit "));
    let fastest = others.filter(|fit| fit.near >= CONVERGES).map(|fit| fit.milliseconds).reduce(f64::min);
    if let Some(fastest) = fastest {
        at_least("× menpofit's fastest that converges", fastest / own.milliseconds, 1.0);
    }
    Ok(faults)
}

/// Duration of a fit, and the fraction of fits with a small error.
struct Measured {
    milliseconds: f64,
    near: f64,
}

/// Parses the line `name…: best N ms …; A of B below 1 px …`.
fn result(text: &str, name: &str) -> Option<Measured> {
    let line = text.lines().find(|line| line.starts_with(name) && line.contains("best "))?;
    let milliseconds = line.split("best ").nth(1)?.split(' ').next()?.parse().ok()?;
    let words: Vec<&str> = line.split(' ').collect();
    let at = words.iter().position(|word| *word == "below")?;
    let number = |at: usize| words.get(at)?.parse::<f64>().ok();
    Some(Measured { milliseconds, near: number(at.checked_sub(3)?)? / number(at - 1)? })
}
