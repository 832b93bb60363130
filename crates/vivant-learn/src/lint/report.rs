//! The result of the linter as lines of text, and as an HTML page with plots.

mod chart;
mod page;

use super::tell::{Likeness, Told};
use super::{Check, Lint, Verdict};
pub use page::page;

/// Returns the verdicts as lines of text, the worst first.
#[must_use]
pub fn lines(lint: &Lint) -> Vec<String> {
    let mut lines = vec![format!(
        "{}: {:.1} s at {} Hz: grade {:.0} of 100",
        lint.name,
        lint.seconds,
        (lint.rate_hz * 1e3).round() / 1e3,
        lint.grade
    )];
    for verdict in [Verdict::Wrong, Verdict::Odd, Verdict::Human] {
        lines.extend(lint.checks.iter().filter(|check| check.verdict == verdict).flat_map(said));
    }
    let unseen: Vec<&str> = lint
        .checks
        .iter()
        .filter(|check| check.verdict == Verdict::NotEnoughData)
        .map(|check| check.id)
        .collect();
    if !unseen.is_empty() {
        lines.push(format!("  not enough data for {}", unseen.join(", ")));
    }
    lines
}

fn said(check: &Check) -> Vec<String> {
    let value = check.value.map_or_else(String::new, number);
    let [low, high] = check.human.map(number);
    let mut lines = vec![format!(
        "  {:<6} {:<24} {value:>7} {:<10} people: {low} to {high}",
        check.verdict.name(),
        check.id,
        check.unit
    )];
    if check.verdict != Verdict::Human {
        lines.push(format!("         {}: {}", check.title, check.advice));
    }
    lines
}

/// Returns the result of the classifier as lines of text.
#[must_use]
pub fn likeness_lines(likeness: &Likeness) -> Vec<String> {
    let line = |name: &str, told: &Option<Told>| match told {
        Some(Told { auc, error, people, human, other }) => format!(
            "  by {name}, two seconds are told from people with an area of {auc:.2} ± {error:.2} (0.5: not at all; \
             {human} windows of {people} people, {other} of this)"
        ),
        None => format!("  by {name}, nothing can be told: too few windows or people"),
    };
    vec![line("lids", &likeness.lids), line("eyes", &likeness.eyes)]
}

/// A number with as many digits as are significant.
fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}
