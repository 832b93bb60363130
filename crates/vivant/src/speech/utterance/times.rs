//! Lists of timed entries that arrive in pieces, are repaired and can be replaced later.
//!
//! Streaming engines send times in pieces, correct earlier pieces, and round the ends. `Times::take` adds a piece: it
//! repairs invalid times, replaces everything from the start of the piece on, and returns the first index that changed,
//! so that callers recompute only the rest. The entries stay sorted and without overlaps. The type knows nothing about
//! its contents except equality: words, phonemes and visemes all use it.

use crate::speech::timing::{TimingRepair, repair_after};

/// An entry with its time, as far as it is known.
#[derive(Clone, Debug)]
pub(super) struct Timed<T> {
    pub(super) what: T,
    pub(super) from: f64,
    pub(super) end: Option<f64>,
}

/// Maximum overlap in seconds that counts as a rounding error.
const ROUNDING_SECS: f64 = 1e-6;

/// All entries of one kind, sorted and without overlaps.
#[derive(Clone, Debug)]
pub(super) struct Times<T>(Vec<Timed<T>>);

impl<T> Default for Times<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> std::ops::Deref for Times<T> {
    type Target = [Timed<T>];

    fn deref(&self) -> &[Timed<T>] {
        &self.0
    }
}

impl<T: PartialEq> Times<T> {
    /// Adds a piece that replaces entries at the same time and later. Returns the first index that changed, and the
    /// repairs.
    ///
    /// An entry that is still active when the piece starts is cut at that time. If it equals the first entry of the
    /// piece, it is replaced, because the piece only corrects its start.
    pub(super) fn take(&mut self, mut piece: Vec<Timed<T>>) -> (usize, Vec<TimingRepair>) {
        let repairs = self.repair(&mut piece);
        let Some(first) = piece.first() else { return (self.len(), repairs) };
        let mut kept = self.partition_point(|known| known.from < first.from);
        if let Some(last) = self.0[..kept].last_mut()
            && last.end.is_some_and(|end| end > first.from + ROUNDING_SECS)
        {
            if last.what == first.what {
                kept -= 1;
            } else {
                last.end = Some(first.from);
            }
        }
        self.0.truncate(kept);
        self.0.append(&mut piece);
        (kept.saturating_sub(1), repairs)
    }

    /// Repairs the times of a piece. A missing end is not an error. A non-finite first start becomes the end of the
    /// previous piece.
    fn repair(&self, piece: &mut [Timed<T>]) -> Vec<TimingRepair> {
        let mut spans: Vec<_> =
            piece.iter().map(|timed| (timed.from, timed.end.unwrap_or(timed.from.max(0.0)))).collect();
        let is_placed = spans.first().is_none_or(|span| span.0.is_finite());
        let before = self.last().map_or(0.0, |last| last.end.unwrap_or(last.from));
        let repairs = repair_after(if is_placed { 0.0 } else { before }, &mut spans);
        for (timed, (from, to)) in piece.iter_mut().zip(spans) {
            timed.from = from;
            timed.end = timed.end.map(|_| to);
        }
        repairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speech::timing::TimingIssue;

    fn timed(what: char, from: f64, end: impl Into<Option<f64>>) -> Timed<char> {
        Timed { what, from, end: end.into() }
    }

    fn check(pieces: &[&[Timed<char>]], expected: &[(char, f64, Option<f64>)], issues: &[TimingIssue]) {
        let (mut times, mut found) = (Times::default(), Vec::new());
        for piece in pieces {
            let (from, repairs) = times.take(piece.to_vec());
            assert!(from <= times.len());
            found.extend(repairs.into_iter().map(|repair| repair.issue));
        }
        let list: Vec<_> = times.iter().map(|timed| (timed.what, timed.from, timed.end)).collect();
        assert_eq!((&list[..], &found[..]), (expected, issues));
    }

    #[test]
    fn later_pieces_replace_entries_at_the_same_time_and_later() {
        let abc = [timed('a', 0.0, 1.0), timed('b', 1.0, 2.0), timed('c', 2.0, 3.0)];
        let [a, b, c] = [('a', 0.0, Some(1.0)), ('b', 1.0, Some(2.0)), ('c', 2.0, Some(3.0))];
        check(&[&abc], &[a, b, c], &[]);
        check(&[&abc[..1], &abc[1..]], &[a, b, c], &[]);
        check(&[&abc, &abc[1..2]], &[a, b], &[]);
        check(&[&abc, &[timed('d', 1.5, None)]], &[a, ('b', 1.0, Some(1.5)), ('d', 1.5, None)], &[]);
        check(&[&abc, &[timed('b', 1.5, 2.5)]], &[a, ('b', 1.5, Some(2.5))], &[]);
        check(&[&abc, &[timed('b', 0.5, 2.5)]], &[('a', 0.0, Some(0.5)), ('b', 0.5, Some(2.5))], &[]);
        check(&[&abc, &[]], &[a, b, c], &[]);
    }

    #[test]
    fn invalid_times_are_repaired() {
        let nan = f64::NAN;
        check(&[&[timed('a', -1.0, 1.0)]], &[('a', 0.0, Some(1.0))], &[TimingIssue::Negative]);
        check(&[&[timed('a', nan, None)]], &[('a', 0.0, None)], &[TimingIssue::NotFinite]);
        check(&[&[timed('a', 2.0, 1.0)]], &[('a', 2.0, Some(2.0))], &[TimingIssue::Backwards]);
        let (a, b) = (timed('a', 1.0, 2.0), timed('b', nan, 3.0));
        check(&[&[a], &[b]], &[('a', 1.0, Some(2.0)), ('b', 2.0, Some(3.0))], &[TimingIssue::NotFinite]);
        let backwards = [timed('a', 1.0, None), timed('b', 0.5, None)];
        check(&[&backwards], &[('a', 1.0, None), ('b', 1.0, None)], &[TimingIssue::Overlap]);
    }
}
