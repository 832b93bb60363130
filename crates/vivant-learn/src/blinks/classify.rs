//! Classifies the valleys of the signal: blinks, long closures, squints or downward gaze.
//!
//! A valley of the aperture is not always a blink: lids also follow the gaze down, and tired eyes stay half closed.
//! [`find_events`] finds the valleys in a part of the signal and classifies each by depth, duration and, if known, the
//! vertical gaze. Downward gaze is left out, but blinks within it are found, because the range of the lowered lids is
//! searched again. Call [`shut_level`] first: it estimates the level of closed lids, which may be above 0, for example
//! for eye aspect ratios. Onset and offset are found later, in `super::ends`.

use super::prepare::Prepared;
use super::valleys::{Valley, highest, valleys};
use super::{Kind, prepare};
use crate::statistics::{finite, median, nearest_quantile};
use std::ops::Range;

/// Time that is searched on either side of a minimum. Paper 3 searches 300 frames at 300 fps (section 3.3.1).
pub(super) const BESIDE_SECS: f64 = 1.0;
/// Minimum duration of a long closure. Spontaneous blinks take 0.33 ± 0.07 s in total, voluntary ones 0.57 s
/// (VanderWerf, Kwon); drowsiness research counts closures of at least half a second as long (Caffier 2003).
const LONG_SECS: f64 = 0.5;
/// Minimum closure of a full blink, two thirds (our design). Blinks that close less are partial.
const COMPLETE: f64 = 2.0 / 3.0;
/// Maximum position of lids that count as closed, from 0 (closed) to 1 (open). It is above 0, because noise is largest
/// near 0.
const SHUT: f64 = 0.25;
/// Maximum position of the lids in a squint, as a share of the open level. Lids above it are never a squint, regardless
/// of the gaze.
const SQUINT: f64 = 0.7;
/// Position of the resting lids before or after a blink, from 0 (closed) to 1 (open), below which the blink belongs to
/// a squint. It is low, because eyes narrow slightly for many reasons.
const NARROW: f64 = 0.5;
/// Minimum position of lids that may have followed a downward gaze, from 0 (closed) to 1 (open); used if the gaze is
/// unknown. Our design: eyes that look down as far as is comfortable are about half open.
const GLANCE: f64 = 0.4;
/// Minimum downward gaze shift that lowers the lids, in degrees.
const LOWERED_DEG: f64 = 5.0;
/// Minimum downward gaze shift per lowered share of the open aperture, in degrees. Smaller gaze shifts do not explain
/// the lowered lids: lids do not turn further than the eyes they follow, and open eyes are 30 to 40° high. Narrow
/// eyes seem to look slightly down, because the lid covers the upper part of the pupil; this does not count as
/// downward gaze.
const LOWERED_DEG_PER_SHARE: f64 = 33.0;
/// Minimum duration of the middle part of a lid movement that does not follow the gaze. Lid saccades are shorter: they
/// last at most 0.16 s in total (paper 1, E1).
const SLOW_SECS: f64 = 0.2;
/// Minimum time for which lids rest at the lowest point if they follow the gaze. In a blink, the lids reverse there
/// at once.
const REST_SECS: f64 = 0.2;
/// Minimum share of the time below half depth for which such lids rest, if the gaze is unknown.
const REST_SHARE: f64 = 0.8;
/// Maximum time for which noise may lift the lids above half depth.
const MOMENT_SECS: f64 = 0.05;
/// Time the lids spend at the lowest point of a quick blink.
const TURN_SECS: f64 = 0.0125;
/// Maximum closed level, as a share of the open level.
const MAX_CLOSED: f64 = 0.15;
/// Upper limit of the valleys from which the closed level is estimated, as a share of the open level.
const DEEP: f64 = 1.0 / 3.0;

/// A classified valley, in samples.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) kind: Kind,
    pub(super) lowest: usize,
    /// Index of the highest sample before the lowest point.
    pub(super) left: usize,
    /// Index of the highest sample after the lowest point.
    pub(super) right: usize,
    /// Range below half depth.
    pub(super) half: Range<usize>,
    /// Range below a quarter of the depth.
    pub(super) quarter: Range<usize>,
}

/// A valley with its sides.
struct Dip {
    lowest: usize,
    left: usize,
    right: usize,
    /// Level to which the signal rises on both sides.
    top: f64,
    half: Range<usize>,
    is_cut: bool,
}

/// Returns the level of closed lids in this recording. It may be above 0, for example for eye aspect ratios.
pub(super) fn shut_level(prepared: &Prepared) -> f64 {
    let mut lows = Vec::new();
    for segment in &prepared.segments {
        for valley in valleys(&prepared.smooth, segment.clone(), prepared.least_depth()) {
            let share = prepared.smooth[valley.lowest] / prepared.open_at(valley.lowest);
            lows.extend((share < DEEP).then_some(share));
        }
    }
    // Only the lowest tenth is used, because other blinks may be incomplete.
    if lows.len() < 2 {
        0.0
    } else {
        nearest_quantile(&mut finite(&lows), 0.1).unwrap_or(0.0).clamp(0.0, MAX_CLOSED)
    }
}

/// Returns all events except downward gaze, in order.
pub(super) fn find_events(
    prepared: &Prepared,
    part: Range<usize>,
    pitch_deg: &[f64],
    shut: f64,
) -> Vec<Found> {
    let classifier = Classifier { prepared, pitch_deg, shut, segment: part.clone() };
    let mut found = Vec::new();
    classifier.classify_valleys(part, &mut found);
    without_overlaps(found)
}

/// Sorts events; of overlapping events, the longest is kept.
fn without_overlaps(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_by_key(|found| (found.half.start, found.half.end));
    let mut apart: Vec<Found> = Vec::with_capacity(found.len());
    for next in found {
        match apart.last_mut() {
            Some(last) if next.half.start < last.half.end => {
                if next.half.len() > last.half.len() {
                    *last = next;
                }
            }
            _ => apart.push(next),
        }
    }
    apart
}

struct Classifier<'a> {
    prepared: &'a Prepared,
    pitch_deg: &'a [f64],
    shut: f64,
    segment: Range<usize>,
}

enum Verdict {
    Is(Kind),
    /// Lids lowered by downward gaze; there may be blinks within.
    Glance,
    Nothing,
}

impl Classifier<'_> {
    fn classify_valleys(&self, part: Range<usize>, found: &mut Vec<Found>) {
        for valley in valleys(&self.prepared.smooth, part.clone(), self.prepared.least_depth()) {
            let Some(dip) = self.dip(&valley, &part) else { continue };
            // A valley that is wider than the event at its lowest point may have more events.
            let beside = [
                valley.left.unwrap_or(part.start)..dip.left + 1,
                dip.right..valley.right.map_or(part.end, |i| i + 1),
            ];
            match self.verdict(&dip) {
                Verdict::Is(kind) if kind.is_brief() => match self.squint_around(&dip) {
                    Some(squint) => found.push(self.to_found(Kind::Squint, squint)),
                    None => found.push(self.to_found(kind, dip)),
                },
                Verdict::Is(kind) => found.push(self.to_found(kind, dip)),
                Verdict::Glance if dip.half.len() < part.len() => self.classify_valleys(dip.half, found),
                _ => {}
            }
            for rest in beside {
                if rest.len() < part.len() {
                    self.classify_valleys(rest, found);
                }
            }
        }
    }

    /// Returns a valley with its sides within one second; `None` if the valley is not deep enough within this time.
    fn dip(&self, valley: &Valley, part: &Range<usize>) -> Option<Dip> {
        let signal = &self.prepared.smooth;
        let beside = self.prepared.samples(BESIDE_SECS).max(2);
        let is_cut = valley.left.is_none() || valley.right.is_none();
        let (mut left, mut right) = (valley.left.unwrap_or(part.start), valley.right.unwrap_or(part.end - 1));
        let mut top = self.top(valley, left, right);
        let mut half = self.below(left..right + 1, valley.lowest, self.level(valley, top, 0.5));
        // Samples that are more than a second away must not affect this valley.
        for _ in 0..3 {
            left = highest(signal, left.max(half.start.saturating_sub(beside))..half.start + 1);
            right = highest(signal, half.end - 1..(right + 1).min(half.end + beside));
            top = self.top(valley, left, right);
            half = self.below(left..right + 1, valley.lowest, self.level(valley, top, 0.5));
        }
        let is_deep = top - signal[valley.lowest] >= self.prepared.least_depth();
        is_deep.then_some(Dip { lowest: valley.lowest, left, right, top, half, is_cut })
    }

    /// Returns the range below a level around the lowest point; short excursions above it are allowed.
    fn below(&self, part: Range<usize>, lowest: usize, level: f64) -> Range<usize> {
        let most = self.prepared.samples(MOMENT_SECS);
        let reach = |indices: &mut dyn Iterator<Item = usize>| {
            let mut last = lowest;
            for i in indices {
                match () {
                    () if self.prepared.smooth[i] < level => last = i,
                    () if i.abs_diff(last) > most => break,
                    () => {}
                }
            }
            last
        };
        reach(&mut (part.start..lowest).rev())..reach(&mut (lowest + 1..part.end)) + 1
    }

    /// Returns the squint that contains a blink, or ends with it.
    fn squint_around(&self, dip: &Dip) -> Option<Dip> {
        let (signal, open) = (&self.prepared.smooth, self.prepared.open_at(dip.lowest));
        let shoulder = signal[dip.left].min(signal[dip.right]);
        if shoulder > SQUINT * open || !self.prepared.knows_shut {
            return None;
        }
        let half = self.below(self.segment.clone(), dip.lowest, 0.5 * (shoulder + open));
        let beside = self.prepared.samples(BESIDE_SECS).max(2);
        let left = highest(signal, self.segment.start.max(half.start.saturating_sub(beside))..half.start + 1);
        let right = highest(signal, half.end - 1..self.segment.end.min(half.end + beside));
        let is_long = self.prepared.secs(half.len() - dip.half.len()) >= LONG_SECS;
        let rest = half.clone().filter(|i| !dip.half.contains(i)).map(|i| &signal[i]);
        let rests_at = share_open(self.prepared, dip.lowest, median(&mut finite(rest))?, self.shut);
        let squint =
            Dip { lowest: dip.lowest, left, right, top: shoulder.max(0.5 * open), half, is_cut: dip.is_cut };
        (is_long && rests_at < NARROW && !self.is_glance_at(&squint, rests_at)).then_some(squint)
    }

    fn top(&self, valley: &Valley, left: usize, right: usize) -> f64 {
        let signal = &self.prepared.smooth;
        match (valley.left, valley.right) {
            (None, _) => signal[right],
            (_, None) => signal[left],
            _ => signal[left].min(signal[right]),
        }
    }

    fn level(&self, valley: &Valley, top: f64, share: f64) -> f64 {
        let low = self.prepared.smooth[valley.lowest];
        low + share * (top - low)
    }

    fn to_found(&self, kind: Kind, dip: Dip) -> Found {
        let quarter = self.low(&dip, 0.25);
        let Dip { lowest, left, right, half, .. } = dip;
        Found { kind, lowest, left, right, half, quarter }
    }

    /// Returns the range from the first to the last sample below a share of the depth.
    fn low(&self, dip: &Dip, share: f64) -> Range<usize> {
        let signal = &self.prepared.smooth;
        let level = signal[dip.lowest] + share * (dip.top - signal[dip.lowest]);
        let is_low = |i: &usize| signal[*i] <= level;
        let first = dip.half.clone().find(is_low).unwrap_or(dip.lowest);
        first..dip.half.clone().rfind(is_low).unwrap_or(first) + 1
    }

    fn verdict(&self, dip: &Dip) -> Verdict {
        let is_brief = self.prepared.secs(dip.half.len()) < LONG_SECS;
        match () {
            () if is_brief && dip.is_cut => Verdict::Nothing,
            () if is_brief && self.closed(dip) >= COMPLETE => Verdict::Is(Kind::Blink),
            () if is_brief && self.is_brief_glance(dip) => Verdict::Nothing,
            () if is_brief => Verdict::Is(Kind::Partial),
            () if self.rests_at(dip) <= SHUT => Verdict::Is(Kind::Long),
            () if self.is_glance(dip) || !self.prepared.knows_shut => Verdict::Glance,
            () => Verdict::Is(Kind::Squint),
        }
    }

    /// Returns the closure at the lowest point: 0 is open, 1 is closed.
    fn closed(&self, dip: &Dip) -> f64 {
        completeness(self.prepared, dip.lowest, self.shut)
    }

    /// Returns the median position of the low lids: 0 is closed, 1 is open.
    fn rests_at(&self, dip: &Dip) -> f64 {
        let low = median(&mut finite(&self.prepared.smooth[dip.half.clone()])).unwrap_or(0.0);
        share_open(self.prepared, dip.lowest, low, self.shut)
    }

    /// Returns true if the lids step down, rest and step up without closing.
    fn is_brief_glance(&self, dip: &Dip) -> bool {
        let (rest, half) = (self.low(dip, 0.25).len(), dip.half.len());
        let is_held = self.prepared.secs(rest) >= REST_SECS;
        match self.gaze_is_lowered(dip) {
            Some(is_lowered) => is_lowered && is_held,
            None => is_held && rest as f64 >= REST_SHARE * half as f64,
        }
    }

    fn is_glance(&self, dip: &Dip) -> bool {
        self.is_glance_at(dip, self.rests_at(dip))
    }

    /// Returns true if lids at this position have followed the gaze.
    fn is_glance_at(&self, dip: &Dip, rests_at: f64) -> bool {
        let is_lowered = self.gaze_is_lowered(dip);
        rests_at > SQUINT || is_lowered.unwrap_or_else(|| rests_at > GLANCE && !self.is_slow(dip))
    }

    /// Returns true if the lids move more slowly than lids that follow the gaze.
    fn is_slow(&self, dip: &Dip) -> bool {
        let signal = &self.prepared.smooth;
        let Dip { left, right, half, .. } = dip;
        let rest = median(&mut finite(&signal[half.clone()])).unwrap_or(0.0);
        let at = |depth: f64, share: f64| rest + share * depth;
        let is_slow = |depth: f64, high: Option<usize>, low: Option<usize>| {
            let samples = high.zip(low).map_or(0, |(high, low)| high.abs_diff(low));
            depth >= self.prepared.least_depth() && self.prepared.secs(samples) >= SLOW_SECS
        };
        let (down, up) = (signal[*left] - rest, signal[*right] - rest);
        let leaves = (*left..half.start).rev().find(|i| signal[*i] >= at(down, 0.8));
        let arrives = half.clone().find(|i| signal[*i] <= at(down, 0.2));
        let rises = half.clone().rfind(|i| signal[*i] <= at(up, 0.2));
        let is_up = (half.end..=*right).find(|i| signal[*i] >= at(up, 0.8));
        is_slow(down, leaves, arrives) || is_slow(up, is_up, rises)
    }

    /// Returns true if the gaze is lower while the lids are low than before and after; `None` if unknown.
    fn gaze_is_lowered(&self, dip: &Dip) -> Option<bool> {
        let beside = self.prepared.samples(BESIDE_SECS);
        let pitch = |part: Range<usize>| {
            let known = self.pitch_deg.get(part.start..part.end.min(self.pitch_deg.len()))?;
            median(&mut finite(known))
        };
        let before = pitch(self.segment.start.max(dip.half.start.saturating_sub(beside))..dip.left.max(1));
        let during = pitch(dip.half.clone())?;
        let after = pitch(dip.right..self.segment.end.min(dip.half.end + beside));
        let usual = [before, after].into_iter().flatten().fold(f64::INFINITY, f64::min);
        let signal = &self.prepared.smooth;
        let rest = median(&mut finite(&signal[dip.half.clone()]))?;
        let beside = signal[dip.left].max(signal[dip.right]);
        let least = LOWERED_DEG.max(LOWERED_DEG_PER_SHARE * (beside - rest));
        usual.is_finite().then_some(usual - during >= least)
    }
}

/// Returns the closure around a sample: 0 is open, 1 is closed.
pub(super) fn completeness(prepared: &Prepared, index: usize, shut: f64) -> f64 {
    let reach = prepared.samples(prepare::WINDOW_SECS);
    let around = &prepared.raw[index.saturating_sub(reach)..(index + reach + 1).min(prepared.raw.len())];
    // Single samples are noisy, and the paper's window is too wide for a quick blink.
    let few = prepared.samples(TURN_SECS).clamp(1, around.len());
    let means = around.windows(few).map(|w| w.iter().sum::<f64>() / few as f64);
    let lowest = means.filter(|mean| !mean.is_nan()).fold(prepared.smooth[index], f64::min);
    (1.0 - share_open(prepared, index, lowest, shut)).clamp(0.0, 1.0)
}

/// Returns the position of a value between closed (0) and open (1).
fn share_open(prepared: &Prepared, index: usize, value: f64, shut: f64) -> f64 {
    let open = prepared.open_at(index);
    (value / open - shut) / (1.0 - shut)
}
