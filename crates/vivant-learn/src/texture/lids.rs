//! Lids: as blinks that a device only tells of, and how open they are when open.

use crate::blinks::{Kind, Options, label_with_gaze};
use crate::recording::Span;
use crate::statistics::median;
use vivant::eyes::blink::{Blink, BlinkProfile};
use vivant::eyes::texture::Run;

/// A lid that closes, in degrees.
const AMPLITUDE_DEG: f64 = 35.0;
/// Eyes that are less open than this share of the usual are not open.
const OPEN_SHARE: f64 = 0.6;
/// A pitch that varies by less than this tells nothing about lids that follow.
const LEAST_PITCH_SD_DEG: f64 = 1.0;
/// What is farther off the line, in standard deviations, is no open eye.
const MOST_SDS: f64 = 2.5;
/// Lids follow the eyes up and down, by no more than this. Trackers that lose half of a pupil behind a lid say
/// that it went elsewhere, and a line through that would lead the other way.
const PER_DEG: [f64; 2] = [0.0, 0.04];
const ROUNDS: usize = 3;

/// How open eyes are that blink in these spans and are open else, with the engine's own blinks.
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

/// How open the open eyes are straight ahead, and how much more for each degree up: a line through open-eyed
/// frames, without what is far off it.
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
        points.retain(|[pitch, openness]| (openness - found[0] - found[1] * pitch).abs() <= MOST_SDS * sd);
    }
    line.map(|number| (number * 1e5).round() / 1e5)
}

/// A line by least squares, and the standard deviation of what is left.
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
    let is_level = variance < LEAST_PITCH_SD_DEG * LEAST_PITCH_SD_DEG;
    let slope = if is_level { 0.0 } else { (moment(0, 1) / variance).clamp(PER_DEG[0], PER_DEG[1]) };
    let left = moment(1, 1) - 2.0 * slope * moment(0, 1) + slope * slope * variance;
    ([openness - slope * pitch, slope], left.max(0.0).sqrt())
}

/// The frames at which blinks are deepest. Long closures and squints are none that anyone would ask for.
pub(super) fn apexes(openness: &[f64], pitch_deg: &[f64], rate_hz: f64) -> Vec<u32> {
    let events = label_with_gaze(openness, pitch_deg, rate_hz, &Options::default());
    let blinks = events.iter().filter(|event| event.kind == Kind::Blink);
    let frames = blinks.map(|blink| (blink.apex_secs * rate_hz).round() as usize);
    let mut frames: Vec<u32> =
        frames.filter(|frame| *frame < openness.len()).map(|frame| frame as u32).collect();
    frames.dedup();
    frames
}
