//! Finds onset and offset of blinks: searches outwards from the lowest point for the first frame at which the lids
//! rest and are open (paper 3, section 3.3.1).

use super::classify::{BESIDE_SECS, Found, completeness};
use super::prepare::{Prepared, WINDOW_SECS};
use super::valleys::highest;
use super::{End, Event};
use std::ops::Range;

/// Velocity below which lids rest, in open apertures per second.
///
/// DIFFERENCE: the paper's 0.1 has no unit. If its unit is pixels per frame at 300 fps, it equals this value for an
/// eye of 30 pixels height.
const RESTING_PER_S: f64 = 1.0;
/// Maximum gradient of resting lids in a noisy recording, in standard deviations of the gradient's noise.
const RESTING_SIGMAS: f64 = 3.0;
/// The paper's baseline is the mean over 100 frames on either side of the minimum.
const BASELINE_SECS: f64 = 100.0 / 300.0;
/// Share of the amplitude by which the lids have opened at the end of a blink, by VanderWerf's definition.
const RECOVERED: f64 = 0.95;
/// Share of the amplitude at which the closing phase ends and the opening phase starts.
const DOWN: f64 = 0.9;

/// Time over which velocity is computed. It is shorter than a closing phase, which takes 65 ms (paper 1, E5).
const SPEED_SECS: f64 = 0.0125;

/// Returns the events with onset and offset, in seconds and in the unit of the input.
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
        // Neighbouring events are separated at the highest point between them.
        let from = if i == 0 { segment.start } else { part(i) };
        let to = if i + 1 == found.len() { segment.end - 1 } else { part(i + 1) };
        EndSearch { prepared, segment, found: &found[i], from, to }.to_event(shut, end)
    };
    (0..found.len()).filter_map(event).collect()
}

struct EndSearch<'a> {
    prepared: &'a Prepared,
    segment: &'a Range<usize>,
    found: &'a Found,
    /// Index of the first sample that may be the onset.
    from: usize,
    /// Index of the last sample that may be the offset.
    to: usize,
}

impl EndSearch<'_> {
    /// Converts the valley to an event; `None` for a brief event that is too shallow between its ends.
    fn to_event(&self, shut: f64, end: End) -> Option<Event> {
        let apex = self.apex();
        let onset = self.onset();
        let offset = match end {
            End::Gradient => self.offset(),
            End::VanderWerf95 => self.recovery_end(onset).unwrap_or_else(|| self.offset()),
        };
        let (onset, offset) = (onset.min(apex), offset.max(apex));
        // Eyes may be narrower or wider after a blink than before.
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

    /// Returns the lowest unfiltered sample. The signal of closed lids is flat, so several samples may be equally low.
    /// Then the result is the middle of the last group of these samples.
    ///
    /// DIFFERENCE: the paper takes the minimum of the filtered signal. Human labellers take the lowest sample.
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

    /// Returns the onset: the paper's first point before the minimum. The search starts from the last low point on
    /// the way down.
    ///
    /// DIFFERENCE: the paper searches from the minimum and computes the baseline around it. With the paper's rule, a
    /// closure longer than the window would end while the eye is still closed. For a normal blink, both rules give the
    /// same result.
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

    /// Returns the mean around the closed position, or the mean over `own_side` if that is smaller.
    ///
    /// DIFFERENCE: the paper uses both sides. A blink during an upward gaze shift starts lower than it ends.
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

    /// Returns true if the mean gradient over the paper's window, on the side away from the blink, is small.
    ///
    /// DIFFERENCE: the paper's window is centred on the frame and would include the blink before it begins.
    fn rests(&self, [near, far]: [usize; 2]) -> bool {
        let smooth = &self.prepared.smooth;
        if near == far {
            return true;
        }
        let secs = self.prepared.secs(near.abs_diff(far));
        let noise = self.prepared.noise * std::f64::consts::SQRT_2 / secs;
        (smooth[near] - smooth[far]).abs() / secs < RESTING_PER_S.max(RESTING_SIGMAS * noise)
    }

    /// Returns the sample at which the lids have opened by 95 %; `None` if they do not open that far within a second.
    fn recovery_end(&self, onset: usize) -> Option<usize> {
        let smooth = &self.prepared.smooth;
        let half = self.found.half.end - 1;
        let most = self.to.min(half + self.prepared.samples(BESIDE_SECS));
        let low = smooth[self.found.lowest];
        let level = low + RECOVERED * (smooth[onset] - low);
        (half..=most).find(|i| smooth[*i] >= level)
    }

    /// Returns the peak velocity of the unfiltered signal; the filter would slow down quick blinks.
    fn steepest(&self, part: Range<usize>, sign: f64) -> f64 {
        let step = self.prepared.samples(SPEED_SECS).max(1);
        let raw = &self.prepared.raw;
        let rises = part.filter(|i| i + step < self.segment.end).map(|i| raw[i + step] - raw[i]);
        rises.map(|rise| sign * rise / self.prepared.secs(step)).fold(0.0, f64::max)
    }

    /// Returns the range in which the lids are nearly at their lowest point.
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
