//! Labels blinks exactly as in paper 3 (section 3.3.1), for lid distances in pixels at 300 fps.
//!
//! Only for comparison; use [`super::label`] otherwise.

use std::ops::Range;

/// Frame rate of the paper's camera.
pub const RATE_HZ: f64 = 300.0;
/// Window in frames: "a zero-phase 10-frame filter", and "averaged over a window of 10 frames".
const WINDOW: usize = 10;
/// Upper limit of the gradient of resting lids in pixels per frame: "small values (<0.1) of the averaged gradient".
const SMALL_PX: f64 = 0.1;
/// Number of searched frames: "300 frames to the left and 300 frames to the right of the minima".
const SEARCH: usize = 300;
/// Number of frames of the baseline: "the average of the inter-eyelid distance over 100 frames left and right of the
/// minima".
const BASELINE: usize = 100;
/// Upper limit of minima, as a share of their baseline. DIFFERENCE: the paper takes "local minima, with a distance
/// close to zero", and removes false ones by hand. Here, minima above this limit are removed.
const CLOSE: f64 = 0.8;

/// A blink. The fields are frame numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frames {
    /// Frame number of the start of the closing phase.
    pub onset: usize,
    /// Frame number of the minimum of the filtered distance.
    pub apex: usize,
    /// Frame number of the end of the opening phase.
    pub offset: usize,
}

/// Returns the blinks in the distance between the lids, in pixels at 300 fps.
#[must_use]
pub fn label(distance_px: &[f64]) -> Vec<Frames> {
    if distance_px.len() < 3 || distance_px.iter().any(|x| !x.is_finite()) {
        return Vec::new();
    }
    let smooth = zero_phase_mean(distance_px);
    let mut blinks: Vec<Frames> = Vec::new();
    for apex in 1..smooth.len() - 1 {
        let is_low = smooth[apex] < smooth[apex - 1] && smooth[apex] <= smooth[apex + 1];
        let Some(blink) = is_low.then(|| blink(&smooth, apex)).flatten() else { continue };
        match blinks.last_mut() {
            // Several minima of one closure have the same ends.
            Some(last) if blink.onset < last.offset => {
                let apex = if smooth[blink.apex] < smooth[last.apex] { blink.apex } else { last.apex };
                *last = Frames { onset: last.onset, apex, offset: last.offset.max(blink.offset) };
            }
            _ => blinks.push(blink),
        }
    }
    blinks
}

/// Applies a ten-frame mean forwards and backwards, which together have no phase shift.
fn zero_phase_mean(signal: &[f64]) -> Vec<f64> {
    let mut forwards = trailing_mean(signal);
    forwards.reverse();
    let mut both = trailing_mean(&forwards);
    both.reverse();
    both
}

fn trailing_mean(signal: &[f64]) -> Vec<f64> {
    let last = |i: usize| mean(&signal[(i + 1).saturating_sub(WINDOW)..=i]);
    (0..signal.len()).map(last).collect()
}

fn mean(part: &[f64]) -> f64 {
    part.iter().sum::<f64>() / part.len() as f64
}

fn around(index: usize, reach: usize, count: usize) -> Range<usize> {
    index.saturating_sub(reach)..count.min(index + reach + 1)
}

fn blink(smooth: &[f64], apex: usize) -> Option<Frames> {
    let baseline = mean(&smooth[around(apex, BASELINE, smooth.len())]);
    if smooth[apex] > CLOSE * baseline {
        return None;
    }
    let ends = |i: &usize| smooth[*i] > baseline && gradient(smooth, *i).abs() < SMALL_PX;
    let search = around(apex, SEARCH, smooth.len());
    let onset = (search.start..apex).rev().find(ends)?;
    let offset = (apex + 1..search.end).find(ends)?;
    Some(Frames { onset, apex, offset })
}

/// Returns the mean of ten frame-to-frame changes: five before and five after, because an even window has no centre.
fn gradient(smooth: &[f64], index: usize) -> f64 {
    let from = index.saturating_sub(WINDOW / 2);
    let to = (index + WINDOW / 2).min(smooth.len() - 1);
    (smooth[to] - smooth[from]) / (to - from) as f64
}
