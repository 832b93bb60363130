//! Ranges computed from recordings of people.
//!
//! `people.json` holds the values measured in recordings, with person, origin and licence, but no samples. The human
//! range is the 95 % prediction interval for the next person, assuming a normal distribution on the value's
//! [`Scale`]: mean ± t·s·√(1 + 1/n), with Student's t because there are few people. The range of what is possible is
//! twice as wide, to allow for device noise. If a range is also published, the final range covers both.
//!
//! ```
//! use vivant_learn::lint::people::{People, Scale};
//! let people = People::standard();
//! let rests = people.spread("glances.fixations", Scale::Log).unwrap();
//! assert!(rests.people >= 6 && rests.human[0] > 0.05 && rests.human[1] < 2.0, "{rests:?}");
//! ```

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use vivant::math::{asin, exp, ln, sin};
use vivant_io::{Error, Result};

/// Minimum number of people for a range.
const MIN_PEOPLE: usize = 3;

/// Values measured in recordings of people.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct People {
    /// Description for readers of the file.
    #[serde(default)]
    pub about: String,
    /// The recordings.
    pub recordings: Vec<Recorded>,
}

/// Values measured in one recording, without its samples.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Recorded {
    /// File of the recording.
    pub file: String,
    /// Identifies the person. Several recordings may have the same person.
    pub person: String,
    /// Publisher of the recording.
    pub origin: String,
    /// Licence of the recording.
    pub licence: String,
    /// Device that made the recording, one of [`recording::devices`](crate::recording::devices).
    pub device: String,
    /// Duration in seconds.
    pub seconds: f64,
    /// Sampling rate in hertz.
    pub rate_hz: f64,
    /// Checks of this recording that do not count for ranges, because they reflect the device or the task instead of
    /// the person: check ids or groups, each with the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub apart: BTreeMap<String, String>,
    /// Measured values by check id: value, error (two standard errors) and number of events.
    pub figures: BTreeMap<String, (f64, f64, usize)>,
}

/// Scale on which values of people are assumed to be normally distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Logarithm, for times and ratios, which are always positive.
    Log,
    /// Arcsine of the square root, for shares.
    Share,
    /// Fisher's z, for correlations.
    Correlation,
}

/// Distribution of a value among people.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// 95 % prediction interval for the next person.
    pub human: [f64; 2],
    /// Range of values that people can reach, including device noise.
    pub possible: [f64; 2],
    /// Number of people.
    pub people: usize,
    /// Publishers of the recordings.
    pub origins: BTreeSet<String>,
}

impl People {
    /// Returns the values that ship with Vivant.
    #[must_use]
    pub fn standard() -> &'static Self {
        static STANDARD: LazyLock<People> =
            LazyLock::new(|| People::parse(include_str!("people.json")).unwrap_or_default());
        &STANDARD
    }

    /// Parses a file in the format of `people.json`.
    ///
    /// # Errors
    /// Returns an error if the JSON is invalid or has unknown fields.
    pub fn parse(text: &str) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| Error::new(error.to_string()))
    }

    /// Returns a copy without one person.
    #[must_use]
    pub fn without(&self, person: &str) -> Self {
        let others = self.recordings.iter().filter(|recorded| recorded.person != person);
        Self { about: self.about.clone(), recordings: others.cloned().collect() }
    }

    /// Returns the distribution of a check's value; `None` for fewer than three people.
    #[must_use]
    pub fn spread(&self, id: &str, scale: Scale) -> Option<Spread> {
        let mut by_person: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        let mut origins = BTreeSet::new();
        for recorded in self.recordings.iter().filter(|recorded| recorded.reason(id).is_none()) {
            let Some((value, ..)) = recorded.figures.get(id) else { continue };
            by_person.entry(&recorded.person).or_default().push(scale.forward(*value));
            origins.insert(recorded.origin.rsplit('/').next().unwrap_or_default().to_owned());
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let people: Vec<f64> = by_person.values().map(|own| mean(own)).filter(|x| x.is_finite()).collect();
        if people.len() < MIN_PEOPLE {
            return None;
        }
        let (middle, n) = (mean(&people), people.len() as f64);
        let variance = people.iter().map(|x| (x - middle) * (x - middle)).sum::<f64>() / (n - 1.0);
        let next = students_t(people.len() - 1) * (variance * (1.0 + 1.0 / n)).sqrt();
        let within = |by: f64| {
            [rounded(scale.inverse(middle - by), f64::floor), rounded(scale.inverse(middle + by), f64::ceil)]
        };
        Some(Spread { human: within(next), possible: within(2.0 * next), people: people.len(), origins })
    }
}

impl Recorded {
    /// Returns the reason why a check of this recording does not count for ranges; `None` if it counts.
    #[must_use]
    pub fn reason(&self, id: &str) -> Option<&str> {
        let is_meant =
            |key: &str| id == key || id.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
        self.apart.iter().find(|(key, _)| is_meant(key)).map(|(_, why)| why.as_str())
    }
}

impl Scale {
    /// Transforms a value to the scale.
    fn forward(self, value: f64) -> f64 {
        match self {
            Self::Log => ln(value.max(1e-9)),
            Self::Share => asin(value.clamp(0.0, 1.0).sqrt()),
            Self::Correlation => {
                let value = value.clamp(-0.999, 0.999);
                0.5 * ln((1.0 + value) / (1.0 - value))
            }
        }
    }

    /// Transforms a value back from the scale.
    fn inverse(self, scaled: f64) -> f64 {
        match self {
            Self::Log => exp(scaled),
            Self::Share => {
                let sine = sin(scaled.clamp(0.0, 0.5 * std::f64::consts::PI));
                sine * sine
            }
            Self::Correlation => 1.0 - 2.0 / (exp(2.0 * scaled) + 1.0),
        }
    }
}

/// Rounds to two significant digits with `to`, which is `floor` or `ceil`.
fn rounded(value: f64, to: fn(f64) -> f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    // Multiplies by a power of ten and divides again, so that the result prints with two digits.
    let places = 1 - (ln(value.abs()) / std::f64::consts::LN_10).floor() as i32;
    let tenths = (0..places.abs()).fold(1.0, |by, _| by * 10.0);
    let up = |x: f64| if places >= 0 { x * tenths } else { x / tenths };
    let down = |x: f64| if places >= 0 { x / tenths } else { x * tenths };
    down(to(up(value)))
}

/// Returns the 97.5 % quantile of Student's t distribution.
fn students_t(freedom: usize) -> f64 {
    const TABLE: [f64; 20] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
        2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    ];
    // Beyond the table: the first two terms in 1/n, which are accurate to three digits there.
    let more = 1.96 + 2.372 / freedom.max(1) as f64;
    freedom.checked_sub(1).and_then(|i| TABLE.get(i).copied()).unwrap_or(more)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(values: &[f64]) -> People {
        let recorded = |(i, value): (usize, &f64)| Recorded {
            person: i.to_string(),
            figures: BTreeMap::from([("a.b".to_owned(), (*value, 0.0, 1))]),
            ..Recorded::default()
        };
        People { recordings: values.iter().enumerate().map(recorded).collect(), ..People::default() }
    }

    #[test]
    fn range_is_the_prediction_interval_for_the_next_person() {
        // ln 1, 2, 4, 8, 16: mean ln 4, s = √2.5 ln 2, t(4) = 2.776, √(1 + 1/5).
        let spread = of(&[1.0, 2.0, 4.0, 8.0, 16.0]).spread("a.b", Scale::Log).unwrap();
        let half = 2.776 * (2.5_f64 * 1.2).sqrt() * std::f64::consts::LN_2;
        assert!((spread.human[0] - 4.0 * exp(-half)).abs() < 0.01 && spread.human[0] <= 4.0 * exp(-half));
        assert!((spread.human[1] - 4.0 * exp(half)).abs() < 10.0 && spread.human[1] >= 4.0 * exp(half));
        assert!(spread.possible[0] < spread.human[0] && spread.possible[1] > spread.human[1]);
        assert_eq!(of(&[1.0, 2.0]).spread("a.b", Scale::Log), None, "two people are too few");
        assert_eq!(of(&[1.0; 6]).spread("a.c", Scale::Log), None, "no values");
    }

    #[test]
    fn a_person_counts_once_and_ignored_checks_do_not_count() {
        let mut people = of(&[1.0, 2.0, 4.0, 8.0, 500.0]);
        let all = people.spread("a.b", Scale::Log).unwrap();
        people.recordings.push(people.recordings[0].clone());
        assert_eq!(people.spread("a.b", Scale::Log).unwrap(), all);
        people.recordings[4].apart.insert("a".into(), "a device's noise".into());
        let others = people.spread("a.b", Scale::Log).unwrap();
        assert_eq!((all.people, others.people), (5, 4));
        assert_eq!(people.without("4"), People { recordings: without_fourth(&people), ..People::default() });
    }

    fn without_fourth(people: &People) -> Vec<Recorded> {
        people.recordings.iter().filter(|it| it.person != "4").cloned().collect()
    }

    proptest! {
        #[test]
        fn inverse_undoes_forward(share in 0.0..1.0f64, size in 1e-6..1e3f64, alike in -0.99..0.99f64) {
            for (scale, value) in [
                (Scale::Log, size), (Scale::Share, share), (Scale::Correlation, alike),
            ] {
                prop_assert!((scale.inverse(scale.forward(value)) - value).abs() < 1e-9 * (1.0 + value.abs()), "{scale:?}");
            }
        }

        #[test]
        fn rounding_widens_only_slightly(value in -1e4..1e4f64) {
            let (low, high) = (rounded(value, f64::floor), rounded(value, f64::ceil));
            prop_assert!(low <= value + 1e-9 && value - 1e-9 <= high && high - low <= 0.11 * value.abs() + 1e-12);
        }
    }
}
