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

/// Speeds are taken over so long: a closing takes 65 ms (paper 1, E5), so it is never that short.
const SPEED_SECS: f64 = 0.0125;

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
        Walker { prepared, segment, found: &found[i], from, to }.event(shut, end)
    };
    (0..found.len()).filter_map(event).collect()
}

struct Walker<'a> {
    prepared: &'a Prepared,
    segment: &'a Range<usize>,
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
        // Eyes may be narrower after a blink than before it, or wider.
        let depth = self.prepared.smooth[onset].midpoint(self.prepared.smooth[self.offset()])
            - self.prepared.smooth[self.found.lowest];
        if self.found.kind.is_brief() && depth < self.prepared.least_depth() {
            return None;
        }
        let closed = self.closed(onset, offset);
        let Prepared { smooth, unit, .. } = self.prepared;
        let secs = |samples: usize| self.prepared.secs(samples);
        Some(Event {
            onset_secs: secs(onset),
            apex_secs: secs(apex),
            offset_secs: secs(offset),
            kind: self.found.kind,
            closing_secs: secs(closed.start.saturating_sub(onset)),
            opening_secs: secs(offset.saturating_sub(closed.end - 1)),
            amplitude: (smooth[onset] - smooth[self.found.lowest]).max(0.0) * unit,
            completeness: completeness(self.prepared, self.found.lowest, shut),
            peak_closing_per_s: self.steepest(onset..apex, -1.0) * unit,
            peak_opening_per_s: self.steepest(apex..offset, 1.0) * unit,
        })
    }

    /// The lowest sample as it was recorded. Lids that are shut are flat, and several samples may be as low:
    /// then it is the middle of the last of them that lie together.
    ///
    /// DIFFERENCE: the paper takes the minimum of the filtered signal. Who labels by hand takes the lowest
    /// sample.
    fn apex(&self) -> usize {
        let raw = &self.prepared.raw;
        let part = self.found.quarter.clone();
        let lowest = part.clone().map(|i| raw[i]).fold(f64::INFINITY, f64::min);
        let together = (0.5 * WINDOW_SECS * self.prepared.rate_hz + 1e-6).max(1.0) as usize;
        let mut as_low = part.rev().filter(|i| raw[*i] <= lowest + 1e-9);
        let last = as_low.next().unwrap_or(self.found.lowest);
        let first = as_low.try_fold(last, |next, i| if next - i <= together { Ok(i) } else { Err(next) });
        (first.unwrap_or_else(|next| next) + last).div_ceil(2)
    }

    /// The paper's first point before the minimum. It searches from where the lids are last low on the way
    /// down.
    ///
    /// DIFFERENCE: the paper searches from the minimum, around which the baseline is, too. A closure that is
    /// longer than its window would end within itself; for a blink that turns at once both are the same.
    fn onset(&self) -> usize {
        let (down, half) = (self.found.quarter.start, self.found.half.start);
        let least = self.from.max(half.saturating_sub(self.prepared.samples(BESIDE_SECS)));
        let baseline =
            self.baseline(down, down.saturating_sub(self.prepared.samples(BASELINE_SECS))..down + 1);
        let far = |i: usize| i.saturating_sub(self.window()).max(self.from);
        let rests = |i: &usize| self.prepared.smooth[*i] > baseline && self.rests([*i, far(*i)]);
        (least..=half).rev().find(rests).unwrap_or_else(|| highest(&self.prepared.smooth, least..half + 1))
    }

    fn offset(&self) -> usize {
        let (up, half) = (self.found.quarter.end - 1, self.found.half.end - 1);
        let most = self.to.min(half + self.prepared.samples(BESIDE_SECS));
        let baseline = self.baseline(up, up..up + self.prepared.samples(BASELINE_SECS) + 1);
        let far = |i: usize| (i + self.window()).min(self.to);
        let rests = |i: &usize| self.prepared.smooth[*i] > baseline && self.rests([*i, far(*i)]);
        (half..=most).find(rests).unwrap_or_else(|| highest(&self.prepared.smooth, half..most + 1))
    }

    fn window(&self) -> usize {
        self.prepared.samples(WINDOW_SECS).max(1)
    }

    /// The mean around where the lids are down, or on this side of it if that is less.
    ///
    /// DIFFERENCE: the paper takes both sides. A blink with which the gaze rises begins lower than it ends.
    fn baseline(&self, index: usize, own_side: Range<usize>) -> f64 {
        let reach = self.prepared.samples(BASELINE_SECS);
        let segment = self.segment;
        let within = |part: Range<usize>| part.start.max(segment.start)..part.end.min(segment.end);
        let mean = |part: Range<usize>| {
            let values = &self.prepared.smooth[part];
            values.iter().sum::<f64>() / values.len() as f64
        };
        let both = within(index.saturating_sub(reach)..index + reach + 1);
        mean(both).min(mean(within(own_side)))
    }

    /// Whether the mean gradient over the paper's window is small, away from the blink.
    ///
    /// DIFFERENCE: the paper's window lies around the frame, as far as ten frames can, and would see the blink
    /// before it begins.
    fn rests(&self, [near, far]: [usize; 2]) -> bool {
        let smooth = &self.prepared.smooth;
        if near == far {
            return true;
        }
        let secs = self.prepared.secs(near.abs_diff(far));
        let noise = self.prepared.noise * std::f64::consts::SQRT_2 / secs;
        (smooth[near] - smooth[far]).abs() / secs < RESTING_PER_S.max(RESTING_SIGMAS * noise)
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

    /// The greatest speed as it was recorded: the filter would slow down quick blinks.
    fn steepest(&self, part: Range<usize>, sign: f64) -> f64 {
        let step = self.prepared.samples(SPEED_SECS).max(1);
        let raw = &self.prepared.raw;
        let rises = part.filter(|i| i + step < self.segment.end).map(|i| raw[i + step] - raw[i]);
        rises.map(|rise| sign * rise / self.prepared.secs(step)).fold(0.0, f64::max)
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
