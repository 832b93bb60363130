//! Where blinks begin and end: from the lowest point outwards to the first frame at which the lids rest and
//! are open (paper 3, section 3.3.1).

use super::judge::{BESIDE_SECS, Found, completeness};
use super::prepare::{Prepared, WINDOW_SECS};
use super::valleys::highest;
use super::{End, Event};
use std::ops::Range;

/// Lids rest below this speed, in open apertures a second.
///
/// DIFFERENCE: the paper's 0.1 has no unit. If it is pixels a frame, at 300 frames a second, it is this of an
/// eye that is 30 pixels high.
const RESTING_PER_S: f64 = 1.0;
/// In a noisy recording, lids rest where the gradient is within so many times its noise.
const RESTING_SIGMAS: f64 = 3.0;
/// The paper's baseline is the mean over 100 frames to either side of the minimum.
const BASELINE_SECS: f64 = 100.0 / 300.0;
/// VanderWerf's blinks end when this share of the way up is done.
const RECOVERED: f64 = 0.95;
/// The lids have closed when this share of the way down is done, and open from there.
const DOWN: f64 = 0.9;

/// What was found, with its ends, in seconds and in the unit that was given.
pub(super) fn events(
    prepared: &Prepared,
    segment: &Range<usize>,
    found: &[Found],
    shut: f64,
    end: End,
) -> Vec<Event> {
    let smooth = &prepared.smooth;
    let part = |i: usize| highest(smooth, found[i - 1].half.end - 1..found[i].half.start + 1);
    let event = |i: usize| {
        // Between neighbours, each has what is on its side of the highest point.
        let from = if i == 0 { segment.start } else { part(i) };
        let to = if i + 1 == found.len() { segment.end - 1 } else { part(i + 1) };
        Walker { prepared, found: &found[i], from, to }.event(shut, end)
    };
    (0..found.len()).filter_map(event).collect()
}

struct Walker<'a> {
    prepared: &'a Prepared,
    found: &'a Found,
    /// No onset before this, no offset after that.
    from: usize,
    to: usize,
}

impl Walker<'_> {
    /// None if it is brief, and less deep between its ends than it seemed.
    fn event(&self, shut: f64, end: End) -> Option<Event> {
        let apex = self.apex();
        let onset = self.onset();
        let offset = match end {
            End::Gradient => self.offset(),
            End::VanderWerf95 => self.recovered(onset).unwrap_or_else(|| self.offset()),
        };
        let (onset, offset) = (onset.min(apex), offset.max(apex));
        let depth = self.prepared.smooth[onset].min(self.prepared.smooth[self.offset()])
            - self.prepared.smooth[self.found.lowest];
        if self.found.kind.is_brief() && depth < self.prepared.least_depth() {
            return None;
        }
        let closed = self.closed(onset, offset);
        let Prepared { smooth, unit, .. } = self.prepared;
        let secs = |samples: usize| self.prepared.secs(samples);
        let [closing, opening] = [(onset..apex, -1.0), (apex..offset, 1.0)]
            .map(|(part, sign)| part.map(|i| sign * (smooth[i + 1] - smooth[i])).fold(0.0, f64::max));
        Some(Event {
            onset_secs: secs(onset),
            apex_secs: secs(apex),
            offset_secs: secs(offset),
            kind: self.found.kind,
            closing_secs: secs(closed.start.saturating_sub(onset)),
            opening_secs: secs(offset.saturating_sub(closed.end - 1)),
            amplitude: (smooth[onset] - smooth[self.found.lowest]).max(0.0) * unit,
            completeness: completeness(self.prepared, self.found.lowest, shut),
            peak_closing_per_s: closing * self.prepared.rate_hz * unit,
            peak_opening_per_s: opening * self.prepared.rate_hz * unit,
        })
    }

    /// The lowest sample as it was recorded; the last one if several are as low.
    ///
    /// DIFFERENCE: the paper takes the minimum of the filtered signal. Who labels by hand takes the lowest
    /// sample, and lids that are shut are flat.
    fn apex(&self) -> usize {
        let raw = &self.prepared.raw;
        let mut apex = self.found.quarter.start;
        for i in self.found.quarter.clone() {
            if raw[i] <= raw[apex] + 1e-9 {
                apex = i;
            }
        }
        apex
    }

    /// The paper's first point before the minimum. It searches from where the lids are last low on the way
    /// down.
    ///
    /// DIFFERENCE: the paper searches from the minimum, around which the baseline is, too. A closure that is
    /// longer than its window would end within itself; for a blink that turns at once both are the same.
    fn onset(&self) -> usize {
        let (down, half) = (self.found.quarter.start, self.found.half.start);
        let least = self.from.max(half.saturating_sub(self.prepared.samples(BESIDE_SECS)));
        let baseline = self.baseline(down);
        let rests = |i: &usize| self.is_open(*i, baseline) && self.rests(*i, true);
        (least..=half).rev().find(rests).unwrap_or_else(|| highest(&self.prepared.smooth, least..half + 1))
    }

    fn offset(&self) -> usize {
        let (up, half) = (self.found.quarter.end - 1, self.found.half.end - 1);
        let most = self.to.min(half + self.prepared.samples(BESIDE_SECS));
        let baseline = self.baseline(up);
        let rests = |i: &usize| self.is_open(*i, baseline) && self.rests(*i, false);
        (half..=most).find(rests).unwrap_or_else(|| highest(&self.prepared.smooth, half..most + 1))
    }

    fn is_open(&self, index: usize, baseline: f64) -> bool {
        self.prepared.smooth[index] > baseline
    }

    /// The mean around where the lids are down.
    fn baseline(&self, index: usize) -> f64 {
        let reach = self.prepared.samples(BASELINE_SECS);
        let known = &self.prepared.smooth;
        let around = &known[index.saturating_sub(reach)..known.len().min(index + reach + 1)];
        let (sum, count) =
            around.iter().filter(|x| !x.is_nan()).fold((0.0, 0.0), |(sum, count), x| (sum + x, count + 1.0));
        sum / count
    }

    /// Whether the mean gradient over the paper's window is small. Ten frames have no middle: five before and
    /// four after. At few frames a second the window is one step, away from the blink.
    fn rests(&self, index: usize, is_onset: bool) -> bool {
        let window = self.prepared.samples(WINDOW_SECS).max(1);
        let before = if window == 1 { usize::from(is_onset) } else { window / 2 };
        let from = index.saturating_sub(before).max(self.from);
        let to = (index + window - before).min(self.to);
        if to <= from {
            return true;
        }
        let smooth = &self.prepared.smooth;
        let per_s = (smooth[to] - smooth[from]) / self.prepared.secs(to - from);
        let noise = self.prepared.noise * std::f64::consts::SQRT_2 / self.prepared.secs(window);
        per_s.abs() < RESTING_PER_S.max(RESTING_SIGMAS * noise)
    }

    /// Where 95 % of the way up to where the blink began are done; None if that is not within a second.
    fn recovered(&self, onset: usize) -> Option<usize> {
        let smooth = &self.prepared.smooth;
        let half = self.found.half.end - 1;
        let most = self.to.min(half + self.prepared.samples(BESIDE_SECS));
        let low = smooth[self.found.lowest];
        let level = low + RECOVERED * (smooth[onset] - low);
        (half..=most).find(|i| smooth[*i] >= level)
    }

    /// From when to when the lids are all but at their lowest.
    fn closed(&self, onset: usize, offset: usize) -> Range<usize> {
        let smooth = &self.prepared.smooth;
        let low = smooth[self.found.lowest];
        let level = |open: usize| smooth[open] + DOWN * (low - smooth[open]);
        let (down, up) = (level(onset), level(offset));
        let first = self.found.half.clone().find(|i| smooth[*i] <= down).unwrap_or(self.found.lowest);
        let last = self.found.half.clone().rfind(|i| smooth[*i] <= up).unwrap_or(self.found.lowest);
        first..last.max(first) + 1
    }
}
