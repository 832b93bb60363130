//! Reads HTS and HTK labels: each line has start and end in units of 100 ns, and a label.

use super::aligned::{Aligned, Interval};
use super::sounds::Alphabet;
use crate::eaf::text::quote;
use crate::error::{Error, Result, Warning, WarningCode};
use crate::limits;

const UNIT_SECS: f64 = 1e-7;
/// Share of labels that must be phonemes for a phoneme tier. Below this share, the labels are words.
const MIN_SHARE: f64 = 0.6;

/// Returns true if the text starts like a label file.
pub(super) fn is_labels(start: &str) -> bool {
    let mut words = start.lines().next().unwrap_or_default().split_whitespace();
    let is_time = |word: Option<&str>| word.is_some_and(|word| word.parse::<f64>().is_ok());
    start.starts_with("#!MLF!#") || is_time(words.next()) && is_time(words.next()) && words.next().is_some()
}

/// A label, which may be only one state of a phoneme.
struct Label<'a> {
    bare: &'a str,
    state: Option<u32>,
    interval: Interval,
}

pub(super) fn read(text: &str, warnings: &mut Vec<Warning>) -> Result<Aligned> {
    let mut intervals: Vec<Interval> = Vec::new();
    let mut last: Option<(String, u32)> = None;
    for (number, line) in text.lines().enumerate().map(|(index, line)| (index + 1, line.trim())) {
        if line.is_empty() || line == "#!MLF!#" || line.starts_with('"') {
            continue;
        }
        if line == "." {
            warn_about_rest(text, number, warnings);
            break;
        }
        let label = label(line).map_err(|message| Error::at(format!("line {number}"), message))?;
        let is_same = label.state.is_some()
            && last.as_ref().is_some_and(|(bare, state)| bare == label.bare && Some(*state) < label.state);
        last = label.state.map(|state| (label.bare.to_owned(), state));
        match intervals.last_mut().filter(|_| is_same) {
            Some(open) => open.to = label.interval.to,
            None => intervals.push(label.interval),
        }
        limits::within(&format!("line {number}"), "labels", intervals.len(), limits::MAX_ANNOTATIONS)?;
    }
    let is_phones = Alphabet::share(intervals.iter().map(|interval| interval.label.as_str())) >= MIN_SHARE;
    Ok(if is_phones {
        Aligned { phones: intervals, ..Aligned::default() }
    } else {
        Aligned { words: intervals, ..Aligned::default() }
    })
}

/// Warns if a master label file has labels of more than one recording; only the first is read.
fn warn_about_rest(text: &str, number: usize, warnings: &mut Vec<Warning>) {
    if text.lines().skip(number).any(|line| line.trim_start().starts_with('"')) {
        let message = "the file has labels of several recordings; only the first is read";
        warnings.push(Warning::new(WarningCode::Dropped, format!("line {}", number + 1), message));
    }
}

fn label(line: &str) -> std::result::Result<Label<'_>, String> {
    let mut words = line.split_whitespace();
    let mut time = |what: &str| {
        let word = words.next().unwrap_or_default();
        let units: f64 = word.parse().map_err(|_| {
            format!("{} should be {what} in units of 100 ns; a line is: start end label", quote(word))
        })?;
        Ok::<_, String>(units * UNIT_SECS)
    };
    let (from, to) = (time("a start")?, time("an end")?);
    let written = words.next().ok_or("the label after the times is missing; a line is: start end label")?;
    let (bare, state) = state_of(written);
    Ok(Label { bare, state, interval: Interval { from, to, label: middle(bare).to_owned() } })
}

/// Splits off the state: `label[3]` is the third state of a label.
fn state_of(label: &str) -> (&str, Option<u32>) {
    let state = label.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
    match state.and_then(|(bare, state)| Some((bare, state.parse().ok()?))) {
        Some((bare, state)) => (bare, Some(state)),
        None => (label, None),
    }
}

/// Returns the phoneme in the middle of its context: `b` of `x^a-b+c=d@…` and of `a-b+c`.
fn middle(label: &str) -> &str {
    let Some((before, _)) = label.split_once('+') else { return label };
    before.rsplit_once('-').map_or(before, |(_, middle)| middle)
}
