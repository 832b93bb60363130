//! The timed phonemes and visemes of a line.
//!
//! Speech engines that report phonemes or visemes know the mouth better than any estimate from text. `TimedPhonemes`
//! merges both: visemes count only before the first and after the last phoneme. `take_phones` and `take_visemes`
//! rebuild the segments from the first changed time. `evidence` returns the result in steps of 10 ms, in the same form
//! as audio, so that the words of the text can be aligned with it. The letters of Rhubarb are recognized from the
//! sequence, since one of them is also the name of a viseme.

use super::align::Evidence;
use super::piece::KnownViseme;
use super::times::{Timed, Times};
use crate::speech::audio::{FIRST_FRAME_SECS, FRAMES_PER_SEC};
use crate::speech::phone::Phone;
use crate::speech::score::{Segment, Stress};
use crate::speech::timing::TimingRepair;

/// Longest duration of a phoneme without an end time, relative to the usual duration. The start of the next phoneme
/// also ends it. Our choice; Klatt's rules lengthen a vowel by a factor of at most 2.24.
const LONGEST: f64 = 2.0;

/// Timed phonemes, with timed visemes before the first and after the last phoneme.
#[derive(Clone, Debug, Default)]
pub(super) struct TimedPhonemes {
    phones: Times<Vec<(Phone, Stress)>>,
    visemes: Times<KnownViseme>,
    segments: Vec<Segment>,
    /// Silences between the phonemes, as start and end in seconds.
    gaps: Vec<(f64, f64)>,
    /// End of the last phoneme in seconds.
    until: f64,
    /// Number of segments unchanged since the last update.
    kept: usize,
    evidence: Vec<Evidence>,
    evidence_kept: usize,
}

impl TimedPhonemes {
    pub(super) fn is_empty(&self) -> bool {
        self.phones.is_empty() && self.visemes.is_empty()
    }

    pub(super) fn take_phones(&mut self, piece: Vec<Timed<Vec<(Phone, Stress)>>>) -> Vec<TimingRepair> {
        let (changed, repairs) = self.phones.take(piece);
        self.place(self.phones.get(changed).map_or(0.0, |timed| timed.from));
        repairs
    }

    pub(super) fn take_visemes(&mut self, piece: Vec<Timed<KnownViseme>>) -> Vec<TimingRepair> {
        let had_letters = self.has_letters();
        let (changed, repairs) = self.visemes.take(piece);
        let is_reinterpreted = self.has_letters() != had_letters;
        let from = self.visemes.get(changed).filter(|_| !is_reinterpreted).map_or(0.0, |timed| timed.from);
        self.place(from);
        repairs
    }

    /// Returns the phonemes, without silences.
    pub(super) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Returns the number of segments unchanged since the last call.
    pub(super) fn kept(&mut self) -> usize {
        std::mem::replace(&mut self.kept, self.segments.len())
    }

    /// Returns the silences between phonemes, as start and end.
    pub(super) fn gaps(&self) -> &[(f64, f64)] {
        &self.gaps
    }

    /// Returns the end of the last phoneme.
    pub(super) fn until(&self) -> f64 {
        self.until
    }

    /// Returns the phonemes as evidence for each 10 ms.
    pub(super) fn evidence(&self) -> &[Evidence] {
        &self.evidence
    }

    /// Returns the number of evidence frames unchanged since the last call.
    pub(super) fn evidence_kept(&mut self) -> usize {
        std::mem::replace(&mut self.evidence_kept, self.evidence.len())
    }

    /// Returns true if a letter shows that the visemes are shapes of Rhubarb.
    fn has_letters(&self) -> bool {
        self.visemes.iter().any(|timed| matches!(timed.what, KnownViseme::Letter(_)))
    }

    /// Rebuilds the segments from the time `changed` on.
    fn place(&mut self, changed: f64) {
        let from = self.remove_from(changed);
        let is_rhubarb = self.has_letters();
        let first_phone = self.phones.first().map_or(f64::INFINITY, |first| first.from);
        let last_phone = self.phones.last().map_or(f64::NEG_INFINITY, |last| end(last, None, &last.what));
        self.until = last_phone.max(0.0);
        for (index, timed) in entries_from(&self.phones, from) {
            let end = end(timed, self.phones.get(index + 1).map(|next| next.from), &timed.what);
            share(&timed.what, timed.from, end, &mut self.segments);
        }
        let mut before = Vec::new();
        for (index, timed) in entries_from(&self.visemes, from) {
            let phoneme = [(timed.what.phone(is_rhubarb), Stress::None)];
            let end = end(timed, self.visemes.get(index + 1).map(|next| next.from), &phoneme);
            if timed.from < first_phone {
                share(&phoneme, timed.from, end.min(first_phone), &mut before);
            } else if timed.from >= last_phone {
                share(&phoneme, timed.from, end, &mut self.segments);
            }
            self.until =
                self.until.max(end.min(first_phone)).max(if timed.from >= last_phone { end } else { 0.0 });
        }
        let place = self.segments.partition_point(|segment| segment.from < from);
        self.segments.splice(place..place, before);
        self.find_gaps(place);
        self.update_evidence(from);
    }

    /// Removes the segments from the time `changed` on, including entries that overlap this time, and returns the
    /// start of the removed part.
    fn remove_from(&mut self, changed: f64) -> f64 {
        let from = [last_start(&self.phones, changed), last_start(&self.visemes, changed)]
            .into_iter()
            .flatten()
            .fold(changed, f64::min);
        self.segments.truncate(self.segments.partition_point(|segment| segment.from < from));
        self.kept = self.kept.min(self.segments.len());
        from
    }

    /// Finds the silences before the segments, from the index `place` on.
    fn find_gaps(&mut self, place: usize) {
        let known = place.checked_sub(1).map_or(f64::NEG_INFINITY, |before| self.segments[before].from);
        self.gaps.truncate(self.gaps.partition_point(|gap| gap.1 <= known));
        let pairs = self.segments[place.saturating_sub(1)..].windows(2);
        self.gaps.extend(pairs.map(|pair| (pair[0].to, pair[1].from)).filter(|(from, to)| from < to));
    }

    /// Updates the evidence from the time `from` on.
    fn update_evidence(&mut self, from: f64) {
        let middle = |frame: usize| FIRST_FRAME_SECS + frame as f64 / FRAMES_PER_SEC;
        let until = self.sure_until();
        let mut frame = ((from - FIRST_FRAME_SECS) * FRAMES_PER_SEC).max(1.0) as usize - 1;
        frame = frame.min(self.evidence.len());
        let mut place = self.segments.partition_point(|segment| segment.to <= middle(frame));
        while middle(frame) < until {
            let at = middle(frame);
            while self.segments.get(place).is_some_and(|segment| segment.to <= at) {
                place += 1;
            }
            let segment = self.segments.get(place).filter(|segment| segment.from <= at);
            let evidence = segment.map_or(Evidence::SILENCE, |segment| Evidence::of_phoneme(segment, at));
            if self.evidence.get(frame) != Some(&evidence) {
                self.evidence.truncate(frame);
                self.evidence_kept = self.evidence_kept.min(frame);
                self.evidence.push(evidence);
            }
            frame += 1;
        }
        self.evidence.truncate(frame);
        self.evidence_kept = self.evidence_kept.min(frame);
    }

    /// Returns the time up to which later phonemes do not change the result.
    fn sure_until(&self) -> f64 {
        let phone = self.phones.last().map_or(0.0, |last| last.end.unwrap_or(last.from));
        let viseme = self.visemes.last().map_or(0.0, |last| last.end.unwrap_or(last.from));
        phone.max(viseme).min(self.until)
    }
}

impl KnownViseme {
    fn phone(self, is_rhubarb: bool) -> Phone {
        match self {
            Self::Named(phone) | Self::Letter(phone) => phone,
            Self::Either(named, letter) => {
                if is_rhubarb {
                    letter
                } else {
                    named
                }
            }
        }
    }
}

/// Returns the last start that is not after `at`.
fn last_start<T: PartialEq>(times: &Times<T>, at: f64) -> Option<f64> {
    let place = times.partition_point(|timed| timed.from <= at);
    times[..place].last().map(|timed| timed.from)
}

/// Returns the entries that start at `at` or later, with their indices.
fn entries_from<T: PartialEq>(times: &Times<T>, at: f64) -> impl Iterator<Item = (usize, &Timed<T>)> {
    let place = times.partition_point(|timed| timed.from < at);
    times.iter().enumerate().skip(place)
}

fn end<T>(timed: &Timed<T>, next: Option<f64>, phonemes: &[(Phone, Stress)]) -> f64 {
    let usual: f64 = phonemes.iter().map(|(phone, _)| phone.usual_secs()).sum();
    match (timed.end, next) {
        (Some(end), next) => next.map_or(end, |next| end.min(next)).max(timed.from),
        (None, Some(next)) if phonemes.iter().all(|(phone, _)| phone.is_silence()) => next,
        (None, Some(next)) => next.min(timed.from + LONGEST * usual),
        (None, None) => timed.from + usual,
    }
}

/// Distributes a time span over phonemes in proportion to their usual durations.
fn share(phonemes: &[(Phone, Stress)], from: f64, to: f64, segments: &mut Vec<Segment>) {
    let all: f64 = phonemes.iter().map(|(phone, _)| phone.usual_secs()).sum();
    let mut at = from;
    for (place, (phone, stress)) in phonemes.iter().enumerate() {
        let is_last = place + 1 == phonemes.len();
        let end = if is_last { to } else { (at + (to - from) * phone.usual_secs() / all).min(to) };
        if end > at && !phone.is_silence() {
            segments.push(Segment { phone: *phone, stress: *stress, from: at, to: end, loudness: 1.0 });
        }
        at = end;
    }
}
