//! The result of the linter as lines of text, and as an HTML page with plots.
//!
//! The text is for terminals and logs, with the worst verdicts first. The page is one file without external
//! resources, to be shared or attached to a review.

mod chart;
mod page;

use super::classifier::{Classification, ClassifierResult};
use super::{Check, Lint, Verdict};
pub use page::page;

/// Returns the verdicts as lines of text, the worst first.
#[must_use]
pub fn lines(lint: &Lint) -> Vec<String> {
    let mut lines = vec![format!(
        "{}: {:.1} s at {} Hz, score {:.0} of 100",
        lint.name,
        lint.seconds,
        (lint.rate_hz * 1e3).round() / 1e3,
        lint.score
    )];
    for verdict in [Verdict::Wrong, Verdict::Odd, Verdict::Human] {
        lines.extend(lint.checks.iter().filter(|check| check.verdict == verdict).flat_map(check_lines));
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

fn check_lines(check: &Check) -> Vec<String> {
    let value = check.value.map_or_else(String::new, format_number);
    let [low, high] = check.human.map(format_number);
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
pub fn classifier_lines(classification: &Classification) -> Vec<String> {
    let line = |name: &str, result: &Option<ClassifierResult>| match result {
        Some(ClassifierResult { auc, error, people, human, other }) => format!(
            "  classifier AUC by {name}: {auc:.2} ± {error:.2} (0.5: indistinguishable from people; \
             {human} windows of {people} people, {other} of this trace)"
        ),
        None => format!("  classifier AUC by {name}: not enough data (too few windows or people)"),
    };
    vec![line("lids", &classification.lids), line("eyes", &classification.eyes)]
}

/// Formats a number with about three significant digits.
fn format_number(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}
