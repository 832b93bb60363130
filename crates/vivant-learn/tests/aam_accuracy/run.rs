//! A tracked video and its accuracy.

use super::{Trained, mean_error};
use std::fmt;
use vivant_learn::aam::{TrackOptions, Tracker};
use vivant_learn::film::Points;
use vivant_learn::film::layout::{Side, aperture};

/// Mean error above which points are wrong, as a share of the eye width.
const MAX_ERROR_SHARE: f64 = 0.04;

/// Result and ground truth of a frame.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) secs: f64,
    pub(crate) truth: f64,
    /// Tracked aperture, if reliable.
    pub(crate) found: Option<f64>,
    /// Mean error of the points, if reliable.
    pub(crate) error_px: Option<f64>,
    pub(crate) hidden: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) frames: Vec<Frame>,
    pub(crate) fps: f64,
    eye_px: f64,
}

impl Run {
    /// Tracks frames of a video; the first frame is searched for the eyes.
    pub(crate) fn of(trained: &Trained, range: std::ops::Range<usize>) -> Self {
        let mut tracker = Tracker::new(trained.model.clone(), TrackOptions::default());
        let mut follow = |index: usize| {
            let truth = trained.scene.truth(index);
            let tracked = tracker.next(&trained.scene.frame(index).0);
            let points = tracked.points.filter(|_| tracked.trusted);
            Frame {
                secs: truth.secs,
                truth: mean_aperture(&truth.points),
                found: points.as_ref().map(mean_aperture),
                error_px: points.as_ref().map(|points| mean_error(points, &truth.points)),
                hidden: truth.hidden,
            }
        };
        let settings = trained.scene.settings();
        Self { frames: range.map(&mut follow).collect(), fps: settings.fps, eye_px: settings.eye_px }
    }

    pub(crate) fn between(&self, is_meant: impl Fn(&Frame) -> bool) -> Self {
        Self { frames: self.frames.iter().filter(|frame| is_meant(frame)).cloned().collect(), ..*self }
    }

    pub(crate) fn trusted_share(&self) -> f64 {
        self.errors().count() as f64 / self.frames.len() as f64
    }

    fn errors(&self) -> impl Iterator<Item = f64> {
        self.frames.iter().filter_map(|frame| frame.error_px)
    }

    /// Returns the mean error in pixels over reliable frames.
    pub(crate) fn mean_error(&self) -> f64 {
        self.errors().sum::<f64>() / self.errors().count() as f64
    }

    fn max_error(&self) -> f64 {
        self.errors().fold(0.0, f64::max)
    }

    /// Returns the share of reliable frames that are wrong.
    pub(crate) fn wrong_share(&self) -> f64 {
        self.errors().filter(|error| *error > MAX_ERROR_SHARE * self.eye_px).count() as f64
            / self.errors().count() as f64
    }

    /// Returns the number of frames from the last hidden point to the first reliable frame.
    pub(crate) fn frames_to_recover(&self) -> usize {
        let clear = self.frames.iter().rposition(|frame| frame.hidden > 0.0).map_or(0, |last| last + 1);
        self.frames[clear..].iter().take_while(|frame| frame.found.is_none()).count()
    }

    /// Returns one aperture per frame, NaN where it is not reliable.
    pub(crate) fn found_apertures(&self) -> Vec<f64> {
        self.frames.iter().map(|frame| frame.found.unwrap_or(f64::NAN)).collect()
    }

    /// Returns Pearson's correlation of tracked and true apertures.
    pub(crate) fn correlation(&self) -> f64 {
        let pairs: Vec<(f64, f64)> =
            self.frames.iter().filter_map(|frame| Some((frame.found?, frame.truth))).collect();
        let count = pairs.len() as f64;
        let (a, b) =
            pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0 / count, sum.1 + pair.1 / count));
        let sums = pairs.iter().map(|(x, y)| (x - a, y - b));
        let (xy, xx, yy) =
            sums.fold((0.0, 0.0, 0.0), |sum, (x, y)| (sum.0 + x * y, sum.1 + x * x, sum.2 + y * y));
        xy / (xx * yy).sqrt()
    }
}

/// Returns the mean aperture of both eyes.
fn mean_aperture(points: &Points) -> f64 {
    Side::BOTH.map(|side| aperture(side.of(points))).iter().sum::<f64>() / 2.0
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} frames, {:.1} % reliable, mean {:.3} px, max {:.2} px, correlation {:.4}, wrong {:.1} %",
            self.frames.len(),
            100.0 * self.trusted_share(),
            self.mean_error(),
            self.max_error(),
            self.correlation(),
            100.0 * self.wrong_share()
        )
    }
}
