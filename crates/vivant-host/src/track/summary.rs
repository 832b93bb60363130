//! The summary of a track: the number of frames in which eyes were found, and the gaps without eyes.
//!
//! A track of a long film has too many rows to inspect, so users judge it by the fraction of frames with eyes and by
//! its gaps. The [`Summary`] is updated with every row. It uses little memory: the number of listed gaps is limited,
//! and data for a plot is stored only on request. A [`crate::track::Sink`] returns it at the end; [`Report::of`] then
//! makes the report for JSON or, with [`Report::lines`], for the terminal.

use crate::film::Film;
use crate::plot;
use crate::track::row::Row;
use serde::Serialize;
use std::path::Path;
use vivant_io::Warning;

/// Maximum number of gaps that are listed. If there are more, the first 999 gaps and the last gap are listed.
const MAX_GAPS: usize = 1000;

/// Consecutive frames without eyes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Gap {
    /// Time of the first frame without eyes, in seconds.
    pub from_secs: f64,
    /// Time of the last frame without eyes, in seconds.
    pub to_secs: f64,
    /// Number of frames in the gap.
    pub frames: usize,
}

/// The summary of the rows so far.
#[derive(Debug, Default)]
pub struct Summary {
    /// The number of frames so far.
    pub frames: usize,
    /// The number of frames with eyes.
    pub found: usize,
    gaps: Vec<Gap>,
    gap_count: usize,
    /// True if the last row was part of a gap.
    is_lost: bool,
    longest_gap_secs: f64,
    first_secs: f64,
    last_secs: f64,
    error_sum: f64,
    iteration_sum: u64,
    /// Data for the plot.
    samples: Option<Vec<plot::TrackSample>>,
}

impl Summary {
    pub(super) fn new(is_drawn: bool) -> Self {
        Self { samples: is_drawn.then(Vec::new), ..Self::default() }
    }

    pub(super) fn add(&mut self, row: &Row) {
        if self.frames == 0 {
            self.first_secs = row.secs;
        }
        self.frames += 1;
        self.last_secs = row.secs;
        match row.points {
            Some(_) => {
                self.found += 1;
                self.error_sum += row.error;
                self.iteration_sum += u64::from(row.iterations);
            }
            None => self.add_lost(row.secs),
        }
        self.is_lost = row.points.is_none();
        if let Some(samples) = &mut self.samples {
            let [left, right] = row.apertures().unwrap_or([f64::NAN; 2]).map(|aperture| aperture as f32);
            samples.push(plot::TrackSample { secs: row.secs, left, right, error: row.error as f32 });
        }
    }

    fn add_lost(&mut self, secs: f64) {
        if !self.is_lost {
            self.gap_count += 1;
            self.gaps.truncate(MAX_GAPS - 1);
            self.gaps.push(Gap { from_secs: secs, to_secs: secs, frames: 0 });
        }
        if let Some(gap) = self.gaps.last_mut() {
            (gap.to_secs, gap.frames) = (secs, gap.frames + 1);
            self.longest_gap_secs = self.longest_gap_secs.max(secs - gap.from_secs);
        }
    }

    /// Returns the plot. It has no samples unless the data for a plot was stored.
    #[must_use]
    pub fn plot(&self, name: &str) -> plot::TrackPlot<'_> {
        let name = Path::new(name).file_name().map_or_else(|| name.into(), |name| name.to_string_lossy());
        let samples = self.samples.as_deref().unwrap_or_default();
        let found = format!("{} of {} frames found", self.found, self.frames);
        let title = format!("Lids: {name}\nAperture as a share of the eye's width; {found}");
        plot::TrackPlot { title, samples }
    }
}

/// The speed of tracking.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    /// Number of chunks tracked in parallel.
    pub jobs: usize,
    /// Number of frames tracked in this run.
    pub frames: usize,
    /// Run time in seconds.
    pub secs: f64,
}

/// The report of a track, serialised as JSON; the keys are stable.
#[derive(Debug, Serialize)]
pub struct Report<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<String>,
    film: &'a str,
    width: usize,
    height: usize,
    frames: usize,
    /// Number of frames tracked in this run, without the frames of an earlier run.
    tracked: usize,
    found: usize,
    duration_secs: f64,
    gap_count: usize,
    longest_gap_secs: f64,
    gaps: &'a [Gap],
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_iterations: Option<f64>,
    frames_per_second: f64,
    jobs: usize,
    is_stopped: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    /// The error, if tracking failed.
    pub error: Option<String>,
    warnings: &'a [Warning],
}

impl<'a> Report<'a> {
    /// Makes the report of a track. `output` is the file of the track, or `None` for a stream.
    #[must_use]
    pub fn of(
        output: Option<&Path>,
        film: &'a Film,
        summary: &'a Summary,
        speed: Speed,
        warnings: &'a [Warning],
        is_stopped: bool,
    ) -> Self {
        let mean = |sum: f64| (summary.found > 0).then(|| rounded(sum / summary.found as f64));
        let ending = if is_stopped { ".part" } else { "" };
        Self {
            written: output.map(|path| format!("{}{ending}", path.display())),
            film: &film.name,
            width: film.width,
            height: film.height,
            frames: summary.frames,
            tracked: speed.frames,
            found: summary.found,
            duration_secs: rounded(summary.last_secs - summary.first_secs),
            gap_count: summary.gap_count,
            longest_gap_secs: rounded(summary.longest_gap_secs),
            gaps: &summary.gaps,
            mean_error: mean(summary.error_sum),
            mean_iterations: mean(summary.iteration_sum as f64),
            frames_per_second: (speed.frames as f64 / speed.secs.max(1e-9) * 10.0).round() / 10.0,
            jobs: speed.jobs,
            is_stopped,
            error: None,
            warnings,
        }
    }

    /// Returns the report as lines of text.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let Self { film, width, height, frames, found, duration_secs, gap_count, longest_gap_secs, .. } =
            self;
        let share = 100.0 * *found as f64 / (*frames).max(1) as f64;
        let mut lines = vec![self.written.clone().unwrap_or_else(|| (*film).to_owned())];
        lines.push(format!("  {frames} frames of {width} × {height} pixels, {duration_secs:.2} s"));
        let gaps = match gap_count {
            0 => "no gaps".to_owned(),
            1 => format!("one gap of {longest_gap_secs:.2} s"),
            count => format!("{count} gaps, longest {longest_gap_secs:.2} s"),
        };
        lines.push(format!("  eyes found in {found} of them ({share:.1} %), {gaps}"));
        lines.push(format!("  {:.0} frames per second with {} jobs", self.frames_per_second, self.jobs));
        if self.is_stopped {
            lines.push("  stopped; run it again to continue".to_owned());
        }
        lines
    }
}

fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_frames_without_eyes_are_one_gap() {
        let mut summary = Summary::new(false);
        for (frame, is_found) in [true, false, false, true, false].into_iter().enumerate() {
            let points = is_found.then_some([glam::DVec2::ZERO; 18]);
            summary.add(&Row {
                frame,
                secs: frame as f64 * 0.5,
                points,
                error: 1.0,
                iterations: 3,
                gaze: None,
            });
        }
        assert_eq!((summary.frames, summary.found, summary.gap_count), (5, 2, 2));
        assert_eq!(
            summary.gaps,
            [
                Gap { from_secs: 0.5, to_secs: 1.0, frames: 2 },
                Gap { from_secs: 2.0, to_secs: 2.0, frames: 1 }
            ]
        );
        assert_eq!(summary.longest_gap_secs, 0.5);
    }
}
