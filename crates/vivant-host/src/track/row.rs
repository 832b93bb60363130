//! A row of track.csv: the result of tracking one frame.
//!
//! The file is both the result and the state of an interrupted run: earlier rows are parsed and not tracked again.
//! Therefore [`Row::parse`] returns `None` for a truncated line. A frame without a trusted fit has a row with empty
//! cells, so that the number of rows equals the number of frames. [`header`] returns the first line, and [`Row::write`]
//! appends a row. Fractions are written with three to six decimals.

use std::fmt::Write;
use vivant_learn::aam::Memory;
use vivant_learn::film::Points;
use vivant_learn::film::layout::{self, EYE_POINTS, POINTS, Side};

/// The columns before the points.
const COLUMNS: [&str; 9] = [
    "frame",
    "time",
    "aperture_left",
    "aperture_right",
    "lid_distance_left",
    "lid_distance_right",
    "error",
    "iterations",
    "trusted",
];
const GAZE: [&str; 2] = ["gaze_yaw_deg", "gaze_pitch_deg"];

/// The result of tracking an image. It has points only if the fit is trusted.
#[derive(Clone, Debug)]
pub struct TrackedFrame {
    /// The points in pixels.
    pub points: Option<Points>,
    /// Error of the fit, from 0 to 1.
    pub error: f64,
    /// Number of iterations of the fit.
    pub iterations: u32,
    /// The tracker's state for the next frame.
    pub memory: Memory,
}

/// The result of tracking a frame. It has points only if the fit is trusted.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The number of the frame, from 0.
    pub frame: usize,
    /// The time of the frame in seconds.
    pub secs: f64,
    /// The points in pixels.
    pub points: Option<Points>,
    /// Error of the fit, from 0 to 1.
    pub error: f64,
    /// Number of iterations of the fit.
    pub iterations: u32,
    /// Gaze direction: yaw to the person's left and pitch up, in degrees.
    pub gaze: Option<(f64, f64)>,
}

impl Row {
    /// Makes a row from a result.
    #[must_use]
    pub fn new(frame: usize, secs: f64, found: &TrackedFrame, gaze: Option<(f64, f64)>) -> Self {
        let TrackedFrame { points, error, iterations, .. } = *found;
        Self { frame, secs, points, error, iterations, gaze }
    }

    /// Returns the apertures of the left and right eye, as fractions of the width of the eye. In closed eyes, the
    /// tracked lids may cross by a fraction of a pixel; this counts as closed.
    #[must_use]
    pub fn apertures(&self) -> Option<[f64; 2]> {
        let points = self.points.as_ref()?;
        Some([Side::Left, Side::Right].map(|side| layout::aperture(side.of(points)).max(0.0)))
    }

    /// Appends the row as a line with its line end.
    pub fn write(&self, has_gaze: bool, out: &mut String) {
        let lids = self
            .points
            .as_ref()
            .map(|points| [Side::Left, Side::Right].map(|side| layout::lid_distance(side.of(points))));
        // Writing into a String cannot fail.
        let _ = write!(out, "{},{:.6}", self.frame, self.secs);
        cells(out, self.apertures().as_ref().map(<[f64; 2]>::as_slice), 2, 5);
        cells(out, lids.as_ref().map(<[f64; 2]>::as_slice), 2, 3);
        cells(out, Some(&[self.error]), 1, 5);
        let _ = write!(out, ",{},{}", self.iterations, u8::from(self.points.is_some()));
        if has_gaze {
            let gaze = self.gaze.map(|(yaw, pitch)| [yaw, pitch]);
            cells(out, gaze.as_ref().map(<[f64; 2]>::as_slice), 2, 3);
        }
        let places: Option<Vec<f64>> =
            self.points.map(|points| points.iter().flat_map(|p| [p.x, p.y]).collect());
        cells(out, places.as_deref(), 2 * POINTS, 3);
        out.push('\n');
    }

    /// Parses a line; `None` if it is invalid or truncated.
    #[must_use]
    pub fn parse(line: &str, has_gaze: bool) -> Option<Self> {
        let cells: Vec<&str> = line.strip_suffix('\n')?.split(',').collect();
        let at = COLUMNS.len() + if has_gaze { GAZE.len() } else { 0 };
        if cells.len() != at + 2 * POINTS {
            return None;
        }
        let number = |index: usize| cells[index].parse::<f64>().ok();
        let is_trusted = cells[8] == "1";
        let mut points = [glam::DVec2::ZERO; POINTS];
        for (index, point) in points.iter_mut().enumerate().filter(|_| is_trusted) {
            *point = glam::DVec2::new(number(at + 2 * index)?, number(at + 2 * index + 1)?);
        }
        Some(Self {
            frame: cells[0].parse().ok()?,
            secs: number(1)?,
            points: is_trusted.then_some(points),
            error: number(6).unwrap_or(f64::NAN),
            iterations: cells[7].parse().ok()?,
            gaze: if has_gaze { number(9).zip(number(10)) } else { None },
        })
    }
}

/// Writes numbers, or `count` empty cells if there are none. Non-finite values are written as empty cells.
fn cells(out: &mut String, values: Option<&[f64]>, count: usize, decimals: usize) {
    for index in 0..count {
        out.push(',');
        if let Some(value) = values.map(|values| values[index]).filter(|value| value.is_finite()) {
            let _ = write!(out, "{value:.decimals$}");
        }
    }
}

/// Returns the header line with its line end.
#[must_use]
pub fn header(has_gaze: bool) -> String {
    let mut names: Vec<String> = COLUMNS.map(str::to_owned).to_vec();
    if has_gaze {
        names.extend(GAZE.map(str::to_owned));
    }
    for index in 0..POINTS {
        let side = if index < EYE_POINTS { "right" } else { "left" };
        let point = snake_case(layout::NAMES[index % EYE_POINTS]);
        names.extend(["x", "y"].map(|axis| format!("{side}_{point}_{axis}")));
    }
    names.join(",") + "\n"
}

/// Converts `upperOuter` to `upper_outer`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec2;

    fn row(is_trusted: bool, gaze: Option<(f64, f64)>) -> Row {
        let points: Points =
            std::array::from_fn(|index| DVec2::new(index as f64 + 0.25, 40.5 - index as f64));
        Row { frame: 12, secs: 0.48, points: is_trusted.then_some(points), error: 0.125, iterations: 7, gaze }
    }

    #[test]
    fn the_header_names_every_cell() {
        let header = header(true);
        let names: Vec<&str> = header.trim_end().split(',').collect();
        assert_eq!(names.len(), 9 + 2 + 36);
        assert_eq!(
            names[8..15],
            [
                "trusted",
                "gaze_yaw_deg",
                "gaze_pitch_deg",
                "right_outer_x",
                "right_outer_y",
                "right_upper_outer_x",
                "right_upper_outer_y"
            ]
        );
        assert_eq!(names[46], "left_iris_y");
    }

    #[test]
    fn rows_can_be_read_back() {
        for (has_gaze, row) in [
            (false, row(true, None)),
            (true, row(true, Some((-12.5, 3.0)))),
            (true, row(false, None)),
            (false, row(false, None)),
        ] {
            let mut line = String::new();
            row.write(has_gaze, &mut line);
            assert_eq!(line.matches(',').count(), header(has_gaze).matches(',').count());
            assert_eq!(Row::parse(&line, has_gaze), Some(row));
            for cut in [line.trim_end(), &line[..line.len() / 2], ""] {
                assert_eq!(Row::parse(cut, has_gaze), None, "{cut}");
            }
        }
    }

    #[test]
    fn a_gap_has_empty_cells() {
        let mut line = String::new();
        row(false, None).write(false, &mut line);
        assert_eq!(line, format!("12,0.480000,,,,,0.12500,7,0{}\n", ",".repeat(36)));
    }
}
