//! Aperture signal from device-reported blinks, and the aperture of open eyes.

use crate::blinks::{Kind, Options, label_with_gaze};
use crate::recording::Span;
use crate::statistics::median;
use vivant::eyes::blink::{Blink, BlinkProfile};
use vivant::eyes::texture::Run;

/// Amplitude of a full blink in degrees.
const AMPLITUDE_DEG: f64 = 35.0;
/// Minimum aperture of open eyes, as a share of the usual aperture.
const OPEN_SHARE: f64 = 0.6;
/// Minimum standard deviation of the pitch in degrees. With less variation, lid following cannot be estimated.
const MIN_PITCH_SD_DEG: f64 = 1.0;
/// Maximum distance of open eyes from the line, in standard deviations. Points farther away do not count as open eyes.
const MAX_SDS: f64 = 2.5;
/// Limits of lid following: change of the aperture per degree of pitch. Trackers report a wrong gaze if a lid hides
/// half of the pupil, and a line fitted to such a gaze would have the wrong sign.
const PER_DEG: [f64; 2] = [0.0, 0.04];
const ROUNDS: usize = 3;

/// Returns the aperture of eyes that perform the engine's blinks in the given spans and are open otherwise.
pub(super) fn from_events(blinks: &[Span], count: usize, rate_hz: f64) -> Vec<f64> {
    let mut openness = vec![1.0_f64; count];
    for span in blinks.iter().filter(|span| span.to_secs > span.from_secs && span.from_secs.is_finite()) {
        let secs = span.to_secs - span.from_secs;
        let blink = Blink::with_profile(AMPLITUDE_DEG, BlinkProfile::Evinger, Some(secs));
        let first = (span.from_secs * rate_hz).ceil().max(0.0) as usize;
        for (frame, openness) in openness.iter_mut().enumerate().skip(first) {
            let since = frame as f64 / rate_hz - span.from_secs;
            if since > secs {
                break;
            }
            *openness = openness.min(1.0 - blink.closure(since));
        }
    }
    openness
}

/// Returns the aperture of open eyes that look straight ahead, and its change per degree of upward gaze. Both come
/// from a line fitted to frames with open eyes, without outliers.
pub(super) fn open_eyes(runs: &[Run]) -> [f64; 2] {
    let frames = || runs.iter().flat_map(|run| run.pitch_deg.iter().zip(&run.openness));
    let mut all: Vec<f64> = frames().map(|(_, openness)| f64::from(*openness)).collect();
    let usual = median(&mut all).unwrap_or(0.0);
    let mut points: Vec<[f64; 2]> = frames()
        .map(|(pitch, openness)| [f64::from(*pitch), f64::from(*openness)])
        .filter(|[_, openness]| *openness > OPEN_SHARE * usual)
        .collect();
    let mut line = [usual, 0.0];
    for _ in 0..ROUNDS {
        let (found, sd) = fitted(&points, usual);
        line = found;
        points.retain(|[pitch, openness]| (openness - found[0] - found[1] * pitch).abs() <= MAX_SDS * sd);
    }
    line.map(|number| (number * 1e5).round() / 1e5)
}

/// Fits a line by least squares. Also returns the standard deviation of the residuals.
fn fitted(points: &[[f64; 2]], usual: f64) -> ([f64; 2], f64) {
    let count = points.len() as f64;
    if points.is_empty() {
        return ([usual, 0.0], 0.0);
    }
    let mean = |at: usize| points.iter().map(|point| point[at]).sum::<f64>() / count;
    let (pitch, openness) = (mean(0), mean(1));
    let moment = |a: usize, b: usize| {
        let centre = [pitch, openness];
        points.iter().map(|point| (point[a] - centre[a]) * (point[b] - centre[b])).sum::<f64>() / count
    };
    let variance = moment(0, 0);
    let is_level = variance < MIN_PITCH_SD_DEG * MIN_PITCH_SD_DEG;
    let slope = if is_level { 0.0 } else { (moment(0, 1) / variance).clamp(PER_DEG[0], PER_DEG[1]) };
    let left = moment(1, 1) - 2.0 * slope * moment(0, 1) + slope * slope * variance;
    ([openness - slope * pitch, slope], left.max(0.0).sqrt())
}

/// Returns the frames at which blinks are deepest. Long closures and squints are not included.
pub(super) fn apexes(openness: &[f64], pitch_deg: &[f64], rate_hz: f64) -> Vec<u32> {
    let events = label_with_gaze(openness, pitch_deg, rate_hz, &Options::default());
    let blinks = events.iter().filter(|event| event.kind == Kind::Blink);
    let frames = blinks.map(|blink| (blink.apex_secs * rate_hz).round() as usize);
    let mut frames: Vec<u32> =
        frames.filter(|frame| *frame < openness.len()).map(|frame| frame as u32).collect();
    frames.dedup();
    frames
}
