//! Repair of invalid times.
//!
//! Entries are repaired in order. A start that is negative or not finite becomes the previous end. A start beyond
//! [`LATEST_SECS`] becomes [`LATEST_SECS`]. A start before the previous end is moved to that end. An end that is not
//! finite becomes the next finite start, or the start of its own entry if there is no later start. An end before its
//! own start is moved to that start. So entries that run backwards or overlap keep their order but lose duration.

/// Latest valid time in seconds: about eleven days.
pub const LATEST_SECS: f64 = 1e6;

/// Maximum difference in seconds that counts as a rounding error and is not reported.
const ROUNDING_SECS: f64 = 1e-6;

/// A problem with a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimingIssue {
    /// The time was NaN or infinite.
    NotFinite,
    /// The time was before the start of the line.
    Negative,
    /// The time was later than [`LATEST_SECS`].
    TooLate,
    /// The entry started before the previous entry ended.
    Overlap,
    /// The entry ended before it started.
    Backwards,
}

impl std::fmt::Display for TimingIssue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NotFinite => "its time is not a number and was taken from its neighbours",
            Self::Negative => "it starts before the line and was moved to the start of the line",
            Self::TooLate => "its time is later than 1000000 s and was limited to that",
            Self::Overlap => "it overlaps the previous entry and was moved to its end",
            Self::Backwards => "it ends before it starts and now has no duration",
        })
    }
}

/// A repaired entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimingRepair {
    /// Index of the entry in the input.
    pub index: usize,
    /// The first problem found.
    pub issue: TimingIssue,
}

/// Repairs time spans in place.
pub(super) fn repair(spans: &mut [(f64, f64)]) -> Vec<TimingRepair> {
    repair_after(0.0, spans)
}

/// Repairs time spans in place; the first span cannot start before `last`.
pub(in crate::speech) fn repair_after(mut last: f64, spans: &mut [(f64, f64)]) -> Vec<TimingRepair> {
    let mut repairs = Vec::new();
    let nexts = next_starts(spans);
    for (index, span) in spans.iter_mut().enumerate() {
        let (from, start_issue) = repaired_start(span.0, last);
        let (to, end_issue) = repaired_end(span.1, from, nexts[index]);
        repairs.extend(start_issue.or(end_issue).map(|issue| TimingRepair { index, issue }));
        *span = (from, to);
        last = to;
    }
    repairs
}

/// Returns, for each span, the next finite start, if any.
fn next_starts(spans: &[(f64, f64)]) -> Vec<Option<f64>> {
    let mut nexts = vec![None; spans.len()];
    let mut next = None;
    for (place, (from, _)) in spans.iter().enumerate().rev() {
        nexts[place] = next;
        next = Some(*from).filter(|from| from.is_finite()).or(next);
    }
    nexts
}

fn repaired_start(from: f64, last: f64) -> (f64, Option<TimingIssue>) {
    let issue = match from {
        _ if !from.is_finite() => Some(TimingIssue::NotFinite),
        _ if from < 0.0 => Some(TimingIssue::Negative),
        _ if from > LATEST_SECS => Some(TimingIssue::TooLate),
        _ if from < last - ROUNDING_SECS => Some(TimingIssue::Overlap),
        _ => None,
    };
    (if from.is_finite() { from.clamp(0.0, LATEST_SECS).max(last) } else { last }, issue)
}

fn repaired_end(to: f64, from: f64, next: Option<f64>) -> (f64, Option<TimingIssue>) {
    let issue = match to {
        _ if !to.is_finite() => Some(TimingIssue::NotFinite),
        _ if to > LATEST_SECS => Some(TimingIssue::TooLate),
        _ if to < from - ROUNDING_SECS => Some(TimingIssue::Backwards),
        _ => None,
    };
    let known = if to.is_finite() { to } else { next.unwrap_or(from) };
    (known.min(LATEST_SECS).max(from), issue)
}
