//! One blink, cut out of a recording, and what all of them have in common: two mean lengths.

use super::spline::Spline;
use vivant::eyes::blink_model::{MAX_SAMPLES, Way};

/// A blink as it was recorded, both its ways with the lowest point.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    /// Which blink it is; both eyes' cuts of one blink have the same number, and are held out together.
    pub group: usize,
    /// Samples a second.
    pub rate_hz: f64,
    /// How open the eye is, from open to the lowest point, as a share of its usual aperture.
    pub closing: Vec<f64>,
    /// From the lowest point to open.
    pub opening: Vec<f64>,
}

/// Why nothing can be learned from a blink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// Something in it is not known.
    Gap,
    /// It has too few samples: the recording is too slow for it.
    Slow,
    /// It has no lowest point between its ends, or hardly moves: the eye only opens, or only closes.
    Flat,
}

/// The fewest samples of a way: a spline through fewer is a guess.
const FEWEST: usize = 4;
/// The least that the lid comes down and goes up again, as a share of the aperture.
const LEAST: f64 = 0.1;

impl Cut {
    /// The blink between two times.
    ///
    /// # Errors
    /// If nothing can be learned from it.
    pub fn of(
        openness: &[f64],
        rate_hz: f64,
        [onset, offset]: [f64; 2],
        group: usize,
    ) -> Result<Self, Unfit> {
        let index = |secs: f64| (secs * rate_hz).round().max(0.0) as usize;
        let (first, last) = (index(onset), index(offset).min(openness.len().saturating_sub(1)));
        let samples = openness.get(first..=last).ok_or(Unfit::Slow)?;
        if !samples.iter().all(|value| value.is_finite()) {
            return Err(Unfit::Gap);
        }
        let lowest = lowest(samples).ok_or(Unfit::Slow)?;
        let cut = Self {
            group,
            rate_hz,
            closing: samples[..=lowest].to_vec(),
            opening: samples[lowest..].to_vec(),
        };
        match cut.closing.len().min(cut.opening.len()) {
            ..2 => Err(Unfit::Flat),
            2..FEWEST => Err(Unfit::Slow),
            _ if cut.least_way() < LEAST => Err(Unfit::Flat),
            _ => Ok(cut),
        }
    }

    fn least_way(&self) -> f64 {
        let ends = [self.closing.first(), self.opening.last()];
        ends.into_iter().flatten().map(|end| end - self.opening[0]).fold(f64::INFINITY, f64::min)
    }

    /// How long the lid comes down.
    #[must_use]
    pub fn closing_secs(&self) -> f64 {
        (self.closing.len() - 1) as f64 / self.rate_hz
    }

    /// How long it goes up.
    #[must_use]
    pub fn opening_secs(&self) -> f64 {
        (self.opening.len() - 1) as f64 / self.rate_hz
    }
}

/// The lowest sample; of several that are equally low the first, where the lid has come down.
fn lowest(samples: &[f64]) -> Option<usize> {
    (0..samples.len()).min_by(|a, b| samples[*a].total_cmp(&samples[*b]))
}

/// How blinks of all lengths become rows of one length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Form {
    /// Open to lowest.
    pub closing: Way,
    /// Lowest to open.
    pub opening: Way,
}

impl Form {
    /// The form of these blinks: their mean lengths at this rate, or at a lower one if that would be more samples
    /// than a model has.
    #[must_use]
    pub fn of(cuts: &[Cut], rate_hz: f64) -> Self {
        let closing = Spread::of(cuts.iter().map(Cut::closing_secs));
        let opening = Spread::of(cuts.iter().map(Cut::opening_secs));
        // Each way has a sample more than steps, and they share one.
        let most_steps = (MAX_SAMPLES - 2) as f64;
        let rate_hz = rate_hz.min(most_steps / (closing.mean + opening.mean));
        let way = |Spread { mean, sd }: Spread| {
            let samples = (mean * rate_hz).round().max(FEWEST as f64 - 1.0) as u32 + 1;
            Way { mean_secs: mean, sd_secs: sd, samples }
        };
        Self { closing: way(closing), opening: way(opening) }
    }

    /// How many samples both ways have together.
    #[must_use]
    pub fn samples(&self) -> usize {
        (self.closing.samples + self.opening.samples) as usize - 1
    }

    /// A blink as a row: both ways resampled by splines, each to its mean length, with the lowest point once; then
    /// how long they took, in standard deviations from the mean.
    #[must_use]
    pub fn row(&self, cut: &Cut) -> Vec<f64> {
        let mut row = Spline::new(&cut.closing).resampled(self.closing.samples as usize);
        row.extend(&Spline::new(&cut.opening).resampled(self.opening.samples as usize)[1..]);
        row.push(deviations(&self.closing, cut.closing_secs()));
        row.push(deviations(&self.opening, cut.opening_secs()));
        row
    }
}

/// Lengths that differ by less do so by rounding.
const LEAST_SD_SECS: f64 = 1e-9;

fn deviations(way: &Way, secs: f64) -> f64 {
    if way.sd_secs > LEAST_SD_SECS { (secs - way.mean_secs) / way.sd_secs } else { 0.0 }
}

/// Mean and standard deviation.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation (of samples).
    pub sd: f64,
}

impl Spread {
    /// Of numbers; both are 0 if there are none.
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
    fn a_blink_is_cut_at_its_lowest_point() {
        let cut = Cut::of(&V, 100.0, [0.01, 0.1], 3).unwrap();
        assert_eq!(cut.closing, V[1..=5]);
        assert_eq!(cut.opening, V[5..]);
        assert!((cut.closing_secs() - 0.04).abs() < 1e-12 && (cut.opening_secs() - 0.05).abs() < 1e-12);
    }

    #[test]
    fn closing_ends_where_the_lid_has_come_down() {
        let flat = [1.0, 0.5, 0.2, 0.0, 0.0, 0.0, 0.0, 0.3, 0.6, 1.0];
        assert_eq!(Cut::of(&flat, 100.0, [0.0, 0.09], 0).unwrap().closing.len(), 4);
    }

    #[test]
    fn from_what_is_no_whole_blink_nothing_is_learned() {
        let check = |spoil: fn(&mut Vec<f64>), times: [f64; 2], why: Unfit| {
            let mut values = V.to_vec();
            spoil(&mut values);
            assert_eq!(Cut::of(&values, 100.0, times, 0), Err(why));
        };
        check(|v| v[4] = f64::NAN, [0.0, 0.1], Unfit::Gap);
        check(|_| (), [0.03, 0.1], Unfit::Slow);
        check(|_| (), [0.05, 0.1], Unfit::Flat);
        check(|v| v.iter_mut().for_each(|x| *x = 0.95 + 0.05 * *x), [0.0, 0.1], Unfit::Flat);
        check(|_| (), [0.2, 0.3], Unfit::Slow);
        check(Vec::clear, [0.0, 0.0], Unfit::Slow);
    }

    #[test]
    fn rows_have_one_length_and_their_lowest_point_at_one_place() {
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
    fn long_blinks_are_sampled_less_often_rather_than_cut() {
        let slow = Cut { rate_hz: 5.0, ..Cut::of(&V, 100.0, [0.0, 0.1], 0).unwrap() };
        let form = Form::of(&[slow], 300.0);
        assert!(form.samples() <= MAX_SAMPLES && form.samples() > MAX_SAMPLES - 4, "{}", form.samples());
    }
}
