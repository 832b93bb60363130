//! A trace as a table of numbers, and its CSV format.
//!
//! All traces return a [`Table`]. The title, the facts and the notes are stored with the numbers, so that commands,
//! plots and language bindings report the same results. Values are rounded to 12 decimals, because further digits are
//! rounding errors that would make files differ; the time is kept exactly. [`Table::sampled`] makes a table from a
//! function of time, and [`Table::csv`] writes it. Numbers are formatted by hand there, because long traces spend most
//! of their time on this.

use std::collections::BTreeMap;
use vivant::eyes::direction::Direction;
use vivant_io::{Error, Result};

/// Maximum number of values in a trace: about ten hours of eyes at 60 Hz.
const MAX_NUMBERS: usize = 40_000_000;
/// Factor for rounding values to 12 decimals, and this number of decimals. Further digits are only rounding errors. For
/// example, the roll of a head without tilt should be 0 and not 3e-17 degrees.
const ONE: f64 = 1e12;
const DECIMALS: usize = 12;

/// A table over time; the first column is the time in seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The title. The second line, if there is one, is a summary.
    pub title: String,
    /// The column names.
    pub columns: &'static [&'static str],
    /// The values, row by row.
    pub values: Vec<f64>,
    /// The target direction, if the trace is a gaze shift.
    pub target: Option<Direction>,
    /// Results of the trace by name, such as `blinks_per_minute`.
    pub facts: BTreeMap<&'static str, f64>,
    /// Notes for the user about options that could not be applied.
    pub notes: Vec<String>,
}

impl Table {
    /// Samples `rate` rows per second, from 0 to the first sample at or after `secs`. `at` gets the time in seconds
    /// and appends the other values of the row. Its calls have increasing times.
    ///
    /// # Errors
    /// If there are more values than a table can hold.
    pub fn sampled(
        columns: &'static [&'static str],
        secs: f64,
        rate: f64,
        mut at: impl FnMut(f64, &mut Vec<f64>),
    ) -> Result<Self> {
        let samples = (secs * rate - 1e-9).ceil().max(0.0) as usize;
        let numbers = (samples + 1).saturating_mul(columns.len());
        if numbers > MAX_NUMBERS {
            let message = format!("too many samples ({samples}); lower the sampling rate or the duration");
            return Err(Error::new(message).with_setting("trace::Table::rate"));
        }
        let mut values = Vec::with_capacity(numbers);
        for i in 0..=samples {
            let t = i as f64 / rate;
            values.push(t);
            let start = values.len();
            at(t, &mut values);
            values[start..].iter_mut().for_each(|value| *value = rounded(*value));
        }
        Ok(Self { columns, values, ..Self::default() })
    }

    /// Makes a table from the values of all rows. Each row starts with its time in seconds.
    #[must_use]
    pub fn of(columns: &'static [&'static str], mut values: Vec<f64>) -> Self {
        for row in values.chunks_exact_mut(columns.len()) {
            row[1..].iter_mut().for_each(|value| *value = rounded(*value));
        }
        Self { columns, values, ..Self::default() }
    }

    /// Sets the title.
    #[must_use]
    pub fn titled(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// Returns the rows.
    pub fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.values.chunks_exact(self.columns.len())
    }

    /// Returns the table as CSV with a header.
    #[must_use]
    pub fn csv(&self) -> Vec<u8> {
        const TYPICAL_LENGTH: usize = 18;
        let mut text = Vec::with_capacity(self.values.len() * TYPICAL_LENGTH);
        text.extend(self.columns.join(",").bytes());
        for row in self.rows() {
            text.push(b'\n');
            // The time is written with all digits, since rows are compared by their time.
            text.extend(row[0].to_string().bytes());
            for number in &row[1..] {
                text.push(b',');
                push_number(&mut text, *number);
            }
        }
        text.push(b'\n');
        text
    }
}

/// Rounds a value, and turns −0 into 0.
fn rounded(value: f64) -> f64 {
    (value * ONE).round() / ONE + 0.0
}

/// Writes a rounded number like `Display`, but in half the time. For long traces, most of the time is spent here.
fn push_number(text: &mut Vec<u8>, value: f64) {
    const MAX: f64 = 1e6;
    /// Position of the decimal point, with space for the integer part before it.
    const POINT: usize = 7;
    if !(-MAX..=MAX).contains(&value) {
        text.extend(value.to_string().bytes());
        return;
    }
    let all = (value * ONE).round().abs() as u64;
    let (mut whole, mut part) = (all / ONE as u64, all % ONE as u64);
    let mut digits = [b'0'; POINT + 1 + DECIMALS];
    digits[POINT] = b'.';
    for pair in digits[POINT + 1..].rchunks_exact_mut(2) {
        let two = (part % 100) as u8;
        pair.copy_from_slice(&[b'0' + two / 10, b'0' + two % 10]);
        part /= 100;
    }
    let mut start = POINT - 1;
    digits[start] = b'0' + (whole % 10) as u8;
    while whole >= 10 {
        (start, whole) = (start - 1, whole / 10);
        digits[start] = b'0' + (whole % 10) as u8;
    }
    let end = digits.iter().rposition(|digit| *digit != b'0').unwrap_or(POINT).max(POINT);
    let end = if end == POINT { POINT } else { end + 1 };
    text.extend((value < 0.0).then_some(b'-'));
    text.extend_from_slice(&digits[start..end]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivant::chance::Chance;

    const COLUMNS: &[&str] = &["t", "x"];

    #[test]
    fn rows_cover_both_ends_at_the_rate() {
        let check = |secs: f64, rate: f64, expected: &str| {
            let table = Table::sampled(COLUMNS, secs, rate, |t, row| row.push(2.0 * t)).unwrap();
            assert_eq!(String::from_utf8_lossy(&table.csv()), format!("t,x\n{expected}\n"));
        };
        check(0.5, 4.0, "0,0\n0.25,0.5\n0.5,1");
        check(0.6, 4.0, "0,0\n0.25,0.5\n0.5,1\n0.75,1.5");
        check(0.0, 4.0, "0,0");
    }

    #[test]
    fn arithmetic_noise_is_rounded_off() {
        for (value, expected) in
            [(3e-17, "0"), (-0.0, "0"), (10.000000000000002, "10"), (-0.1, "-0.1"), (1e-12, "0.000000000001")]
        {
            assert_eq!(rounded(value).to_string(), expected);
        }
    }

    #[test]
    fn numbers_are_written_like_display() {
        let chance = Chance::new(1, "numbers");
        let drawn =
            (0..10_000).map(|i| (chance.event(i).uniform() - 0.5) * [1e-9, 1e-3, 2.0, 400.0][i as usize % 4]);
        for value in
            drawn.chain([0.0, -0.0, 1.0, -35.0, 1e6, -1e6, 1e9, 0.5, f64::NAN, f64::INFINITY]).map(rounded)
        {
            let mut text = Vec::new();
            push_number(&mut text, value);
            assert_eq!(String::from_utf8_lossy(&text), value.to_string());
        }
    }

    #[test]
    fn too_many_samples_are_rejected() {
        let fault = Table::sampled(COLUMNS, 36_000.0, 1e6, |_, _| ()).map(|_| ()).unwrap_err().to_string();
        assert!(fault.contains("lower the sampling rate"), "{fault}");
    }
}
