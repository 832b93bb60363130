//! The sounds and mouth shapes of a line whose times are known.

use super::align::Evidence;
use super::piece::KnownViseme;
use super::times::{Timed, Times};
use crate::speech::audio::{FIRST_FRAME_SECS, FRAMES_PER_SEC};
use crate::speech::phone::Phone;
use crate::speech::score::{Segment, Stress};
use crate::speech::timing::Mend;

/// A sound without an end lasts until the next, and no longer than so many times as usual. Ours; Klatt's rules lengthen a
/// vowel by at most 2.24.
const LONGEST: f64 = 2.0;

/// Sounds with times: phones, and behind the last of them shapes.
#[derive(Clone, Debug, Default)]
pub(super) struct Sounds {
    phones: Times<Vec<(Phone, Stress)>>,
    visemes: Times<KnownViseme>,
    segments: Vec<Segment>,
    /// Silences between them.
    gaps: Vec<(f64, f64)>,
    until: f64,
    /// How many segments are as they were before the last update.
    kept: usize,
    evidence: Vec<Evidence>,
    evidence_kept: usize,
}

impl Sounds {
    pub(super) fn is_empty(&self) -> bool {
        self.phones.is_empty() && self.visemes.is_empty()
    }

    pub(super) fn take_phones(&mut self, piece: Vec<Timed<Vec<(Phone, Stress)>>>) -> Vec<Mend> {
        let (changed, mends) = self.phones.take(piece);
        self.place(self.phones.get(changed).map_or(0.0, |timed| timed.from));
        mends
    }

    pub(super) fn take_visemes(&mut self, piece: Vec<Timed<KnownViseme>>) -> Vec<Mend> {
        let had_letters = self.has_letters();
        let (changed, mends) = self.visemes.take(piece);
        let is_read_anew = self.has_letters() != had_letters;
        let from = self.visemes.get(changed).filter(|_| !is_read_anew).map_or(0.0, |timed| timed.from);
        self.place(from);
        mends
    }

    /// The sounds, without silences.
    pub(super) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// How many of them have been as they are since the last call.
    pub(super) fn kept(&mut self) -> usize {
        std::mem::replace(&mut self.kept, self.segments.len())
    }

    /// The silences between them, from when until when.
    pub(super) fn gaps(&self) -> &[(f64, f64)] {
        &self.gaps
    }

    /// When the last of them ends.
    pub(super) fn until(&self) -> f64 {
        self.until
    }

    /// The same, 10 ms by 10 ms.
    pub(super) fn evidence(&self) -> &[Evidence] {
        &self.evidence
    }

    /// How much of the evidence has been as it is since the last call.
    pub(super) fn evidence_kept(&mut self) -> usize {
        std::mem::replace(&mut self.evidence_kept, self.evidence.len())
    }

    /// Whether a letter tells that the shapes are Rhubarb's.
    fn has_letters(&self) -> bool {
        self.visemes.iter().any(|timed| matches!(timed.what, KnownViseme::Letter(_)))
    }

    /// Makes segments of what is known from a time on.
    fn place(&mut self, changed: f64) {
        let from = self.forget(changed);
        let is_rhubarb = self.has_letters();
        let first_phone = self.phones.first().map_or(f64::INFINITY, |first| first.from);
        let last_phone = self.phones.last().map_or(f64::NEG_INFINITY, |last| end(last, None, &last.what));
        self.until = last_phone.max(0.0);
        for (index, timed) in behind(&self.phones, from) {
            let end = end(timed, self.phones.get(index + 1).map(|next| next.from), &timed.what);
            share(&timed.what, timed.from, end, &mut self.segments);
        }
        let mut before = Vec::new();
        for (index, timed) in behind(&self.visemes, from) {
            let sound = [(timed.what.phone(is_rhubarb), Stress::None)];
            let end = end(timed, self.visemes.get(index + 1).map(|next| next.from), &sound);
            if timed.from < first_phone {
                share(&sound, timed.from, end.min(first_phone), &mut before);
            } else if timed.from >= last_phone {
                share(&sound, timed.from, end, &mut self.segments);
            }
            self.until =
                self.until.max(end.min(first_phone)).max(if timed.from >= last_phone { end } else { 0.0 });
        }
        let place = self.segments.partition_point(|segment| segment.from < from);
        self.segments.splice(place..place, before);
        self.find_gaps(place);
        self.show(from);
    }

    /// Forgets the segments from a time on, or from where the sounds before it begin; gives when that is.
    fn forget(&mut self, changed: f64) -> f64 {
        let from = [last_begin(&self.phones, changed), last_begin(&self.visemes, changed)]
            .into_iter()
            .flatten()
            .fold(changed, f64::min);
        self.segments.truncate(self.segments.partition_point(|segment| segment.from < from));
        self.kept = self.kept.min(self.segments.len());
        from
    }

    /// Finds the silences before the segments from a place on.
    fn find_gaps(&mut self, place: usize) {
        let known = place.checked_sub(1).map_or(f64::NEG_INFINITY, |before| self.segments[before].from);
        self.gaps.truncate(self.gaps.partition_point(|gap| gap.1 <= known));
        let pairs = self.segments[place.saturating_sub(1)..].windows(2);
        self.gaps.extend(pairs.map(|pair| (pair[0].to, pair[1].from)).filter(|(from, to)| from < to));
    }

    /// Brings the evidence up to date from a time on.
    fn show(&mut self, from: f64) {
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
            let evidence = segment.map_or(Evidence::SILENCE, |segment| Evidence::of_sound(segment, at));
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

    /// Until when the next sound will change nothing.
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

/// The last begin that is not behind a time.
fn last_begin<T: PartialEq>(times: &Times<T>, at: f64) -> Option<f64> {
    let place = times.partition_point(|timed| timed.from <= at);
    times[..place].last().map(|timed| timed.from)
}

/// Those that begin at a time or later, with their places.
fn behind<T: PartialEq>(times: &Times<T>, at: f64) -> impl Iterator<Item = (usize, &Timed<T>)> {
    let place = times.partition_point(|timed| timed.from < at);
    times.iter().enumerate().skip(place)
}

fn end<T>(timed: &Timed<T>, next: Option<f64>, sounds: &[(Phone, Stress)]) -> f64 {
    let usual: f64 = sounds.iter().map(|(phone, _)| phone.usual_secs()).sum();
    match (timed.end, next) {
        (Some(end), next) => next.map_or(end, |next| end.min(next)).max(timed.from),
        (None, Some(next)) if sounds.iter().all(|(phone, _)| phone.is_silence()) => next,
        (None, Some(next)) => next.min(timed.from + LONGEST * usual),
        (None, None) => timed.from + usual,
    }
}

/// Sounds share a time as they usually last.
fn share(sounds: &[(Phone, Stress)], from: f64, to: f64, segments: &mut Vec<Segment>) {
    let all: f64 = sounds.iter().map(|(phone, _)| phone.usual_secs()).sum();
    let mut at = from;
    for (place, (phone, stress)) in sounds.iter().enumerate() {
        let is_last = place + 1 == sounds.len();
        let end = if is_last { to } else { (at + (to - from) * phone.usual_secs() / all).min(to) };
        if end > at && !phone.is_silence() {
            segments.push(Segment { phone: *phone, stress: *stress, from: at, to: end, loudness: 1.0 });
        }
        at = end;
    }
}
