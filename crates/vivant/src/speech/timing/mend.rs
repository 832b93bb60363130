//! Times that cannot be, and what is made of them.
//!
//! In order: a begin that is no number, or below zero, is the end before; one beyond [`LATEST_SECS`] is that. A begin
//! before the end before is moved there. An end that is no number is the next begin that is one, or the begin if there is
//! none; an end before its begin is moved there. So what runs backwards or overlaps keeps its place and loses its time.

/// The latest time that is believed, in seconds: some eleven days.
pub const LATEST_SECS: f64 = 1e6;

/// Differences up to this are rounding, and are not told.
const ROUNDING_SECS: f64 = 1e-6;

/// What was wrong with a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimingFault {
    /// It was no number, or infinite.
    NoNumber,
    /// It was before the line's begin.
    Negative,
    /// It was later than anything.
    TooLate,
    /// It began before the one before it had ended.
    Overlap,
    /// It ended before it began.
    Backwards,
}

impl std::fmt::Display for TimingFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoNumber => "its time is no number, and was taken from its neighbours",
            Self::Negative => "it was before the line began, and begins with it",
            Self::TooLate => "its time is beyond 1000000 s, and was cut there",
            Self::Overlap => "it began before the one before it had ended, and begins there",
            Self::Backwards => "it ended before it began, and has no length",
        })
    }
}

/// That times were changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mend {
    /// Which, by its place in what was given.
    pub index: usize,
    /// The first thing that was wrong with it.
    pub fault: TimingFault,
}

/// Mends spans of time in place.
pub(super) fn mend(spans: &mut [(f64, f64)]) -> Vec<Mend> {
    mend_after(0.0, spans)
}

/// The same, for spans that follow a time.
pub(in crate::speech) fn mend_after(mut last: f64, spans: &mut [(f64, f64)]) -> Vec<Mend> {
    let mut mends = Vec::new();
    let nexts = next_begins(spans);
    for (index, span) in spans.iter_mut().enumerate() {
        let (from, begin_fault) = begin(span.0, last);
        let (to, end_fault) = end(span.1, from, nexts[index]);
        mends.extend(begin_fault.or(end_fault).map(|fault| Mend { index, fault }));
        *span = (from, to);
        last = to;
    }
    mends
}

/// For each span the next begin that is a number, if there is one.
fn next_begins(spans: &[(f64, f64)]) -> Vec<Option<f64>> {
    let mut nexts = vec![None; spans.len()];
    let mut next = None;
    for (place, (from, _)) in spans.iter().enumerate().rev() {
        nexts[place] = next;
        next = Some(*from).filter(|from| from.is_finite()).or(next);
    }
    nexts
}

fn begin(from: f64, last: f64) -> (f64, Option<TimingFault>) {
    let fault = match from {
        _ if !from.is_finite() => Some(TimingFault::NoNumber),
        _ if from < 0.0 => Some(TimingFault::Negative),
        _ if from > LATEST_SECS => Some(TimingFault::TooLate),
        _ if from < last - ROUNDING_SECS => Some(TimingFault::Overlap),
        _ => None,
    };
    (if from.is_finite() { from.clamp(0.0, LATEST_SECS).max(last) } else { last }, fault)
}

fn end(to: f64, from: f64, next: Option<f64>) -> (f64, Option<TimingFault>) {
    let fault = match to {
        _ if !to.is_finite() => Some(TimingFault::NoNumber),
        _ if to > LATEST_SECS => Some(TimingFault::TooLate),
        _ if to < from - ROUNDING_SECS => Some(TimingFault::Backwards),
        _ => None,
    };
    let known = if to.is_finite() { to } else { next.unwrap_or(from) };
    (known.min(LATEST_SECS).max(from), fault)
}
