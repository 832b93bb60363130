//! Motion blur: a frame of a camera shows the mean over the time for which the shutter is open.
//!
//! Trutoiu 2011 (section 4.1.1) renders blinks at 300 fps and averages ten of these frames for each frame at 30 fps.
//! This is a shutter of 360°. Ten samples have no middle sample, so a frame uses the sample at its own time, five
//! samples before it and four samples after it.

use crate::moment::Moment;
use crate::trace::Table;
use std::collections::VecDeque;
use std::ops::Range;
use vivant::pose::Pose;
use vivant::rig::Bone;

/// Minimum sampling rate in hertz, and minimum number of samples, while the shutter is open (as in Trutoiu 2011).
const MIN_HZ: f64 = 300.0;
const MIN_STEPS: f64 = 10.0;

/// A shutter that opens once per frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shutter {
    frame_rate: f64,
    /// Number of steps between frames, and number of steps with an open shutter.
    between: usize,
    open: usize,
}

impl Shutter {
    /// Creates a shutter with an angle of `degrees`, for `frame_rate` frames per second. At 360° the shutter is open
    /// all the time, and at 180° half of the time. Returns `None` if the angle is not positive, since a frame then
    /// shows a single instant.
    #[must_use]
    pub fn new(degrees: f64, frame_rate: f64) -> Option<Self> {
        let turn = degrees / 360.0;
        let between = (MIN_HZ / frame_rate - 1e-9).ceil().max((MIN_STEPS / turn - 1e-9).ceil());
        (degrees > 0.0).then(|| Self {
            frame_rate,
            between: between as usize,
            open: (between * turn).round() as usize,
        })
    }

    /// The sampling rate in Hz that [`Shutter::frames`] and [`Shutter::table`] need.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.frame_rate * self.between as f64
    }

    /// The steps of a frame, counted from the start of the recording. Steps before the start are replaced by the
    /// first step.
    fn steps(&self, frame: usize) -> impl Iterator<Item = usize> + Clone + use<> {
        let (middle, before) = (frame * self.between, self.open / 2);
        (0..self.open).map(move |step| (middle + step).saturating_sub(before))
    }

    /// The range of steps of a frame.
    fn range(&self, frame: usize) -> Range<usize> {
        let first = (frame * self.between).saturating_sub(self.open / 2);
        first..frame * self.between + self.open - self.open / 2
    }

    /// Computes `count` frames. `at` returns the moment at a time in seconds and is called with times that never
    /// decrease.
    pub fn frames(self, count: usize, mut at: impl FnMut(f64) -> Moment) -> impl Iterator<Item = Moment> {
        // If the shutter is open for more than 360°, frames share steps.
        let mut seen: VecDeque<Moment> = VecDeque::new();
        let mut first = 0;
        (0..count).map(move |frame| {
            let range = self.range(frame);
            for step in first + seen.len()..range.end {
                let skipped = step < range.start;
                seen.push_back(if skipped { Moment::default() } else { at(step as f64 / self.rate()) });
            }
            seen.drain(..range.start - first);
            first = range.start;
            mean(self.steps(frame).map(|step| &seen[step - first]))
        })
    }

    /// Averages a table that was sampled at [`Shutter::rate`], and returns a table with one row per frame.
    #[must_use]
    pub fn table(&self, fine: &Table) -> Table {
        let rows: Vec<&[f64]> = fine.rows().collect();
        let last = rows.len().saturating_sub(1);
        let is_flag = |name: &&str| ["blink", "looks"].contains(name);
        let flags: Vec<usize> = (0..fine.columns.len()).filter(|i| is_flag(&fine.columns[*i])).collect();
        let mut values = Vec::new();
        for frame in 0..=last.div_ceil(self.between) {
            let mut row = vec![0.0; fine.columns.len()];
            for step in self.steps(frame) {
                row.iter_mut().zip(rows[step.min(last)]).for_each(|(sum, value)| *sum += value);
            }
            row.iter_mut().for_each(|sum| *sum /= self.open as f64);
            row[0] = frame as f64 / self.frame_rate;
            // Flags must stay 0 or 1.
            flags.iter().for_each(|flag| row[*flag] = row[*flag].round());
            values.extend(row);
        }
        Table {
            target: fine.target,
            facts: fine.facts.clone(),
            ..Table::of(fine.columns, values).titled(fine.title.clone())
        }
    }
}

/// Returns the mean of moments. Rotations are averaged as quaternions on one hemisphere and normalised.
fn mean<'a>(moments: impl Iterator<Item = &'a Moment> + Clone) -> Moment {
    let count = moments.clone().count() as f32;
    let Some(first) = moments.clone().next() else { return Moment::default() };
    let mut mean =
        Moment { pose: Pose::default(), weights: vec![0.0; first.weights.len()], looks: first.looks };
    for moment in moments.clone() {
        mean.pose.root += moment.pose.root / count;
        mean.weights.iter_mut().zip(&moment.weights).for_each(|(sum, weight)| *sum += weight / count);
    }
    for bone in Bone::ALL {
        let side = first.pose.rotations.get(bone);
        let turned = moments.clone().map(|moment| moment.pose.rotations.get(bone));
        let sum = turned.fold(side * 0.0, |sum, q| if q.dot(side) < 0.0 { sum - q } else { sum + q });
        mean.pose.rotations.set(bone, if sum.length_squared() > 0.0 { sum.normalize() } else { side });
    }
    mean
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};

    fn moment(weight: f32, turn: f32) -> Moment {
        let mut pose = Pose { root: Vec3::new(weight, 0.0, 0.0), ..Pose::default() };
        pose.rotations.set(Bone::LeftEye, Quat::from_rotation_y(turn));
        Moment { pose, weights: vec![weight], looks: None }
    }

    /// Trutoiu 2011, section 4.1.1: each frame at 30 fps is the mean of ten frames at 300 fps.
    #[test]
    fn frames_average_ten_samples_as_in_paper_3() {
        let signal =
            |index: i64| f64::from(u8::try_from((index * index * 7 + index * 3) % 101).unwrap()) / 100.0;
        let shutter = Shutter::new(360.0, 30.0).unwrap();
        assert_eq!(shutter.rate(), 300.0);
        let at = |secs: f64| moment(signal((secs * 300.0).round() as i64) as f32, 0.0);
        let frames: Vec<Moment> = shutter.frames(40, at).collect();
        for (index, frame) in frames.iter().enumerate() {
            let ten = (-5..=4).map(|off| signal((index as i64 * 10 + off).max(0)));
            let expected = ten.sum::<f64>() / 10.0;
            assert!((f64::from(frame.weights[0]) - expected).abs() < 1e-6, "frame {index}");
        }
    }

    #[test]
    fn tables_and_performances_are_averaged_alike() {
        const COLUMNS: &[&str] = &["t", "lid_left", "blink"];
        let signal = |t: f64| vivant::math::sin(40.0 * t) + t;
        let shutter = Shutter::new(360.0, 30.0).unwrap();
        let fine = Table::sampled(COLUMNS, 0.5, shutter.rate(), |t, row| {
            row.extend([signal(t), f64::from(u8::from(t < 0.2))]);
        });
        let table = shutter.table(&fine.unwrap());
        assert_eq!(table.rows().count(), 16);
        for (index, row) in table.rows().enumerate() {
            let step = |off: i32| f64::from((10 * index as i32 + off).clamp(0, 150)) / 300.0;
            let expected = (-5..=4).map(|off| signal(step(off))).sum::<f64>() / 10.0;
            assert!((row[1] - expected).abs() < 2e-12 && (row[0] - index as f64 / 30.0).abs() < 1e-12);
            assert_eq!(row[2], f64::from(u8::from(index <= 6)), "row {index}");
        }
    }

    #[test]
    fn shutters_of_any_angle_and_rate_sample_often_enough() {
        for (degrees, fps, between, open) in [
            (360.0, 30.0, 10, 10),
            (180.0, 30.0, 20, 10),
            (180.0, 24.0, 20, 10),
            (360.0, 24.0, 13, 13),
            (45.0, 30.0, 80, 10),
            (720.0, 30.0, 10, 20),
            (360.0, 1.0, 300, 300),
            (90.0, 1000.0, 40, 10),
        ] {
            let shutter = Shutter::new(degrees, fps).unwrap();
            assert_eq!((shutter.between, shutter.open), (between, open), "{degrees}° at {fps} fps");
            let times = std::cell::RefCell::new(vec![0.0]);
            let frames = shutter.frames(5, |secs| {
                assert!(secs >= *times.borrow().last().unwrap(), "times must not decrease");
                times.borrow_mut().push(secs);
                moment(secs as f32, 0.0)
            });
            // The mean of a linear signal is its middle value, up to half a step; the first frame is clamped.
            for (frame, moment) in frames.enumerate().skip(2) {
                let off = f64::from(moment.weights[0]) - frame as f64 / fps;
                assert!(off.abs() <= 0.51 / shutter.rate(), "{degrees}° at {fps} fps: {off}");
            }
            // Steps that no frame uses are not computed.
            assert!(times.borrow().len() <= 5 * open + 1);
        }
        assert_eq!(Shutter::new(0.0, 30.0), None);
    }

    #[test]
    fn rotations_are_averaged_on_one_hemisphere() {
        let other_side = |mut moment: Moment| {
            let turned = -moment.pose.rotations.get(Bone::LeftEye);
            moment.pose.rotations.set(Bone::LeftEye, turned);
            moment
        };
        let (left, right) = (moment(0.0, 0.4), other_side(moment(1.0, -0.2)));
        let mean = mean([&left, &right].into_iter());
        let expected = Quat::from_rotation_y(0.1);
        assert!(mean.pose.rotations.get(Bone::LeftEye).dot(expected).abs() > 1.0 - 1e-6);
        assert_eq!((mean.weights[0], mean.pose.root.x), (0.5, 0.5));
    }
}
