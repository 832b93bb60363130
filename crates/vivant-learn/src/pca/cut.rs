//! A blink cut out of a recording, and the mean durations of all blinks.
//!
//! Principal component analysis needs rows of one length in which the same column means the same moment. So [`Cut::of`]
//! splits a blink at its lowest point, and [`Form::of`] computes the mean duration of both phases. [`Form::row`]
//! resamples a cut to these durations, so that the lowest points of all blinks coincide. The durations are not lost:
//! they are the last two values of the row. Blinks that cannot be used are a [`CutError`].

use super::spline::Spline;
use vivant::eyes::blink_model::{BlinkPhase, MAX_SAMPLES};

/// A recorded blink; both phases include the lowest point.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    /// Identifies the blink; cuts of both eyes have the same number and are held out together.
    pub group: usize,
    /// Sampling rate in hertz.
    pub rate_hz: f64,
    /// Aperture from open to the lowest point, as a share of the usual aperture.
    pub closing: Vec<f64>,
    /// Aperture from the lowest point to open, as a share of the usual aperture.
    pub opening: Vec<f64>,
}

/// Reason why a blink cannot be used for learning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutError {
    /// The blink has unknown samples.
    Gap,
    /// The blink has too few samples, because the sampling rate is too low.
    Slow,
    /// The blink has no lowest point between its ends, or hardly moves: the eye only opens or only closes.
    Flat,
}

/// Minimum number of samples of a phase, so that a spline is well defined.
const MIN_SAMPLES: usize = 4;
/// Minimum amplitude of both phases, as a share of the aperture.
const MIN_AMPLITUDE: f64 = 0.1;

impl Cut {
    /// Cuts out the blink between two times.
    ///
    /// # Errors
    /// Returns an error if the blink cannot be used for learning.
    pub fn of(
        openness: &[f64],
        rate_hz: f64,
        [onset, offset]: [f64; 2],
        group: usize,
    ) -> Result<Self, CutError> {
        let index = |secs: f64| (secs * rate_hz).round().max(0.0) as usize;
        let (first, last) = (index(onset), index(offset).min(openness.len().saturating_sub(1)));
        let samples = openness.get(first..=last).ok_or(CutError::Slow)?;
        if !samples.iter().all(|value| value.is_finite()) {
            return Err(CutError::Gap);
        }
        let lowest = lowest(samples).ok_or(CutError::Slow)?;
        let cut = Self {
            group,
            rate_hz,
            closing: samples[..=lowest].to_vec(),
            opening: samples[lowest..].to_vec(),
        };
        match cut.closing.len().min(cut.opening.len()) {
            ..2 => Err(CutError::Flat),
            2..MIN_SAMPLES => Err(CutError::Slow),
            _ if cut.least_way() < MIN_AMPLITUDE => Err(CutError::Flat),
            _ => Ok(cut),
        }
    }

    fn least_way(&self) -> f64 {
        let ends = [self.closing.first(), self.opening.last()];
        ends.into_iter().flatten().map(|end| end - self.opening[0]).fold(f64::INFINITY, f64::min)
    }

    /// Returns the duration of the closing phase in seconds.
    #[must_use]
    pub fn closing_secs(&self) -> f64 {
        (self.closing.len() - 1) as f64 / self.rate_hz
    }

    /// Returns the duration of the opening phase in seconds.
    #[must_use]
    pub fn opening_secs(&self) -> f64 {
        (self.opening.len() - 1) as f64 / self.rate_hz
    }
}

/// Returns the index of the lowest sample. If several are equal, returns the first one, at which the lid has closed.
fn lowest(samples: &[f64]) -> Option<usize> {
    (0..samples.len()).min_by(|a, b| samples[*a].total_cmp(&samples[*b]))
}

/// Durations and sample counts used to convert blinks of different lengths to rows of one length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Form {
    /// Closing phase: open to lowest.
    pub closing: BlinkPhase,
    /// Opening phase: lowest to open.
    pub opening: BlinkPhase,
}

impl Form {
    /// Computes the mean durations. Sample counts are for `rate_hz`, or for a lower rate if there would be too many
    /// samples for a model.
    #[must_use]
    pub fn of(cuts: &[Cut], rate_hz: f64) -> Self {
        let closing = Spread::of(cuts.iter().map(Cut::closing_secs));
        let opening = Spread::of(cuts.iter().map(Cut::opening_secs));
        // Each phase has one more sample than steps, and they share one.
        let most_steps = (MAX_SAMPLES - 2) as f64;
        let rate_hz = rate_hz.min(most_steps / (closing.mean + opening.mean));
        let way = |Spread { mean, sd }: Spread| {
            let samples = (mean * rate_hz).round().max(MIN_SAMPLES as f64 - 1.0) as u32 + 1;
            BlinkPhase { mean_secs: mean, sd_secs: sd, samples }
        };
        Self { closing: way(closing), opening: way(opening) }
    }

    /// Returns the number of samples of both phases together.
    #[must_use]
    pub fn samples(&self) -> usize {
        (self.closing.samples + self.opening.samples) as usize - 1
    }

    /// Converts a blink to a row: both phases resampled by splines to their mean lengths, with the lowest point once;
    /// then their durations in standard deviations from the mean.
    #[must_use]
    pub fn row(&self, cut: &Cut) -> Vec<f64> {
        let mut row = Spline::new(&cut.closing).resampled(self.closing.samples as usize);
        row.extend(&Spline::new(&cut.opening).resampled(self.opening.samples as usize)[1..]);
        row.push(deviations(&self.closing, cut.closing_secs()));
        row.push(deviations(&self.opening, cut.opening_secs()));
        row
    }
}

/// Minimum standard deviation of durations. Smaller values are rounding errors.
const MIN_SD_SECS: f64 = 1e-9;

fn deviations(way: &BlinkPhase, secs: f64) -> f64 {
    if way.sd_secs > MIN_SD_SECS { (secs - way.mean_secs) / way.sd_secs } else { 0.0 }
}

/// Mean and standard deviation.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Spread {
    /// Mean.
    pub mean: f64,
    /// Sample standard deviation.
    pub sd: f64,
}

impl Spread {
    /// Computes mean and standard deviation; both are 0 without numbers.
    #[must_use]
    pub fn of(numbers: impl Iterator<Item = f64> + Clone) -> Self {
        let count = numbers.clone().count();
        let mean = numbers.clone().sum::<f64>() / count.max(1) as f64;
        let squares: f64 = numbers.map(|x| (x - mean) * (x - mean)).sum();
        Self { mean, sd: (squares / count.saturating_sub(1).max(1) as f64).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const V: [f64; 11] = [1.0, 1.0, 0.9, 0.6, 0.3, 0.1, 0.2, 0.4, 0.7, 0.9, 1.0];

    #[test]
    fn a_blink_is_split_at_its_lowest_point() {
        let cut = Cut::of(&V, 100.0, [0.01, 0.1], 3).unwrap();
        assert_eq!(cut.closing, V[1..=5]);
        assert_eq!(cut.opening, V[5..]);
        assert!((cut.closing_secs() - 0.04).abs() < 1e-12 && (cut.opening_secs() - 0.05).abs() < 1e-12);
    }

    #[test]
    fn closing_ends_at_the_first_lowest_sample() {
        let flat = [1.0, 0.5, 0.2, 0.0, 0.0, 0.0, 0.0, 0.3, 0.6, 1.0];
        assert_eq!(Cut::of(&flat, 100.0, [0.0, 0.09], 0).unwrap().closing.len(), 4);
    }

    #[test]
    fn incomplete_blinks_are_errors() {
        let check = |spoil: fn(&mut Vec<f64>), times: [f64; 2], why: CutError| {
            let mut values = V.to_vec();
            spoil(&mut values);
            assert_eq!(Cut::of(&values, 100.0, times, 0), Err(why));
        };
        check(|v| v[4] = f64::NAN, [0.0, 0.1], CutError::Gap);
        check(|_| (), [0.03, 0.1], CutError::Slow);
        check(|_| (), [0.05, 0.1], CutError::Flat);
        check(|v| v.iter_mut().for_each(|x| *x = 0.95 + 0.05 * *x), [0.0, 0.1], CutError::Flat);
        check(|_| (), [0.2, 0.3], CutError::Slow);
        check(Vec::clear, [0.0, 0.0], CutError::Slow);
    }

    #[test]
    fn rows_have_one_length_and_aligned_lowest_points() {
        let stretched =
            |factor: f64| Cut { rate_hz: 100.0 / factor, ..Cut::of(&V, 100.0, [0.0, 0.1], 0).unwrap() };
        let cuts = [stretched(0.5), stretched(1.0), stretched(1.5)];
        let form = Form::of(&cuts, 300.0);
        assert_eq!((form.closing.samples, form.opening.samples), (16, 16));
        for (cut, deviations) in cuts.iter().zip([-1.0, 0.0, 1.0]) {
            let row = form.row(cut);
            assert_eq!(row.len(), form.samples() + 2);
            assert!((row[15] - 0.1).abs() < 1e-12 && (row[0] - 1.0).abs() < 1e-12);
            assert!(row[31..].iter().all(|x| (x - deviations).abs() < 1e-9), "{row:?}");
        }
    }

    #[test]
    fn long_blinks_are_sampled_at_a_lower_rate() {
        let slow = Cut { rate_hz: 5.0, ..Cut::of(&V, 100.0, [0.0, 0.1], 0).unwrap() };
        let form = Form::of(&[slow], 300.0);
        assert!(form.samples() <= MAX_SAMPLES && form.samples() > MAX_SAMPLES - 4, "{}", form.samples());
    }
}
