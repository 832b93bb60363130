//! Finds valleys in a signal that are deeper than a given step.

use std::ops::Range;

/// A minimum between two maxima. At the ends of a signal a maximum may be missing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Valley {
    pub(super) left: Option<usize>,
    pub(super) lowest: usize,
    pub(super) right: Option<usize>,
}

/// Minimum height of a peak that separates two valleys: the share of the way from the higher valley to the higher of
/// the outer peaks.
///
/// DIFFERENCE: the paper uses every local minimum. With that rule, noise in closed eyes, and a blink within a squint,
/// would count as separate blinks.
const REOPENED: f64 = 0.5;

/// Returns the valleys in a part of a signal that are at least `step` deep on both sides.
pub(super) fn valleys(signal: &[f64], part: Range<usize>, step: f64) -> Vec<Valley> {
    let turns = turns(&signal[part.clone()], step);
    let turn = |i: Option<usize>| i.and_then(|i| turns.get(i)).map(|turn| turn.index + part.start);
    let low = |(i, found): (usize, &Turn)| {
        let valley = Valley {
            left: turn(i.checked_sub(1)),
            lowest: part.start + found.index,
            right: turn(Some(i + 1)),
        };
        (!found.is_peak).then_some(valley)
    };
    merged(signal, turns.iter().enumerate().filter_map(low).collect())
}

#[derive(Clone, Copy)]
struct Turn {
    index: usize,
    is_peak: bool,
}

/// Returns alternating maxima and minima that differ by at least `step`.
fn turns(signal: &[f64], step: f64) -> Vec<Turn> {
    let mut turns = Vec::new();
    let (mut high, mut low) = (0, 0);
    let mut rising = None;
    for (i, x) in signal.iter().enumerate() {
        if *x > signal[high] {
            high = i;
        }
        if *x < signal[low] {
            low = i;
        }
        if rising != Some(false) && signal[high] - x >= step {
            turns.push(Turn { index: high, is_peak: true });
            (rising, low) = (Some(false), i);
        } else if rising != Some(true) && x - signal[low] >= step {
            turns.push(Turn { index: low, is_peak: false });
            (rising, high) = (Some(true), i);
        }
    }
    if let Some(rising) = rising {
        turns.push(Turn { index: if rising { high } else { low }, is_peak: rising });
    }
    turns
}

/// Merges valleys between which the signal does not rise enough.
fn merged(signal: &[f64], mut valleys: Vec<Valley>) -> Vec<Valley> {
    loop {
        let count = valleys.len();
        valleys = merge_once(signal, valleys);
        if valleys.len() == count {
            return valleys;
        }
    }
}

fn merge_once(signal: &[f64], valleys: Vec<Valley>) -> Vec<Valley> {
    let mut merged: Vec<Valley> = Vec::with_capacity(valleys.len());
    for valley in valleys {
        match merged.last_mut() {
            Some(before) if is_one(signal, before, &valley) => {
                let deeper = if signal[before.lowest] <= signal[valley.lowest] { *before } else { valley };
                *before = Valley { left: before.left, lowest: deeper.lowest, right: valley.right };
            }
            _ => merged.push(valley),
        }
    }
    merged
}

/// Returns true if the peak between two valleys is far below the higher of their outer peaks.
fn is_one(signal: &[f64], before: &Valley, after: &Valley) -> bool {
    let Some(between) = before.right.map(|i| signal[i]) else { return true };
    let top = [before.left, after.right].into_iter().flatten().map(|i| signal[i]);
    let top = top.fold(between, f64::max);
    let low = signal[before.lowest].max(signal[after.lowest]);
    between < low + REOPENED * (top - low)
}

/// Returns the index of the maximum.
pub(super) fn highest(signal: &[f64], part: Range<usize>) -> usize {
    part.clone().max_by(|a, b| signal[*a].total_cmp(&signal[*b])).unwrap_or(part.start)
}
