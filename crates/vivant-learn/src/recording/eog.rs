//! Converts electro-oculograms to microvolts, oriented so that the signal falls in a blink.

use super::{Recording, Unit};
use crate::statistics::{finite, median};
use vivant_io::{Warning, WarningCode};

/// Upper limit of eye potentials in volts. In microvolts, the same potentials are always larger numbers.
const MAX_VOLTS: f64 = 0.01;
/// Length of a block in seconds. A blink is shorter; a change of gaze lasts longer.
const WINDOW_SECS: f64 = 1.5;

/// Orients the potentials of a recording, if there are any, and adds a warning.
pub(super) fn orient(recording: &mut Recording, warnings: &mut Vec<Warning>) {
    let rate_hz = recording.timing.rate_hz;
    let Some(aperture) = recording.aperture.as_mut().filter(|a| a.unit == Some(Unit::Microvolts)) else {
        return;
    };
    for values in [&mut aperture.left, &mut aperture.right] {
        let most =
            values.iter().copied().filter(|v| v.is_finite()).fold(0.0, |most: f64, v| most.max(v.abs()));
        let is_volts = most > 0.0 && most < MAX_VOLTS;
        let scale = if is_volts { 1e6 } else { 1.0 };
        let is_up = goes_up(values, rate_hz);
        for value in values.iter_mut() {
            *value *= if is_up { -scale } else { scale };
        }
        let mut say = |is: bool, what: &str| {
            if is {
                warnings.push(Warning::new(WarningCode::Guessed, "aperture", what));
            }
        };
        say(is_volts, "all potentials are below 0.01, so they are assumed to be in volts");
        say(is_up, "the signal rises in blinks, so it was inverted");
    }
}

/// Returns true if the signal rises in blinks. Then most large short deflections are upward.
fn goes_up(values: &[f64], rate_hz: f64) -> bool {
    let short = without_slow(values, rate_hz);
    let power: f64 = short.iter().filter(|v| v.is_finite()).map(|v| v * v * v).sum();
    power > 0.0
}

/// Subtracts the interpolated medians of blocks. This removes gaze and drift, and keeps blinks.
pub(super) fn without_slow(values: &[f64], rate_hz: f64) -> Vec<f64> {
    let window = ((WINDOW_SECS * rate_hz) as usize).clamp(3, 100_000);
    let medians: Vec<f64> =
        values.chunks(window).map(|block| median(&mut finite(block)).unwrap_or(0.0)).collect();
    let slow = |index: usize| {
        let at = (index as f64 / window as f64 - 0.5).clamp(0.0, (medians.len() - 1) as f64);
        let (low, share) = (at as usize, at.fract());
        let high = (low + 1).min(medians.len() - 1);
        medians[low] + share * (medians[high] - medians[low])
    };
    values.iter().enumerate().map(|(index, value)| value - slow(index)).collect()
}
