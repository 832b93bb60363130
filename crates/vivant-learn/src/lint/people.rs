//! What recordings of people show, figure by figure, and the ranges that are made of it.
//!
//! `people.json` holds what was measured in recordings of people, with whose they are, where they come from and under
//! which licence: numbers, and nothing of the recordings. A figure's range is where the next person lies with 95 %, if
//! people are spread normally on the figure's [`Scale`]: mean ± t·s·√(1 + 1/n), with Student's t for the small number
//! of people. Twice as far from the mean is what is possible at all, devices' noise included. Where a figure is also
//! published, a range holds both.
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

/// Fewer people say too little of others.
const LEAST_PEOPLE: usize = 3;

/// What was measured in recordings of people.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct People {
    /// What this is, for who opens the file.
    #[serde(default)]
    pub about: String,
    /// One after the other.
    pub recordings: Vec<Recorded>,
}

/// A recording, without its samples.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Recorded {
    /// Its file.
    pub file: String,
    /// Who it is. Several recordings may be of one person.
    pub person: String,
    /// Who published it.
    pub origin: String,
    /// Under which licence.
    pub licence: String,
    /// What wrote it, one of [`recording::devices`](crate::recording::devices).
    pub device: String,
    /// How long it is.
    pub seconds: f64,
    /// Samples a second.
    pub rate_hz: f64,
    /// Figures that say something of the device or of what was asked for and not of people, or whole groups of them,
    /// each with why. They make no ranges.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub apart: BTreeMap<String, String>,
    /// Figures by their names: the value, how far off it may be by chance, and of how many it is.
    pub figures: BTreeMap<String, (f64, f64, usize)>,
}

/// What people differ on evenly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Times and ratios, which are never 0: the logarithm.
    Log,
    /// Parts of a whole: the arcsine of the root.
    Share,
    /// Correlations: Fisher's z.
    Correlation,
}

/// Where people lie.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// Where the next one does, with 95 %.
    pub human: [f64; 2],
    /// What is possible at all.
    pub possible: [f64; 2],
    /// How many people they are.
    pub people: usize,
    /// Who published their recordings.
    pub origins: BTreeSet<String>,
}

impl People {
    /// Those whose figures Vivant brings along.
    #[must_use]
    pub fn standard() -> &'static Self {
        static STANDARD: LazyLock<People> =
            LazyLock::new(|| People::parse(include_str!("people.json")).unwrap_or_default());
        &STANDARD
    }

    /// Reads what is written as `people.json` is.
    ///
    /// # Errors
    /// If it is no such file.
    pub fn parse(text: &str) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| Error::new(error.to_string()))
    }

    /// All but one person.
    #[must_use]
    pub fn without(&self, person: &str) -> Self {
        let others = self.recordings.iter().filter(|recorded| recorded.person != person);
        Self { about: self.about.clone(), recordings: others.cloned().collect() }
    }

    /// Where people lie, if there are enough of them.
    #[must_use]
    pub fn spread(&self, id: &str, scale: Scale) -> Option<Spread> {
        let mut by_person: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        let mut origins = BTreeSet::new();
        for recorded in self.recordings.iter().filter(|recorded| recorded.reason(id).is_none()) {
            let Some((value, ..)) = recorded.figures.get(id) else { continue };
            by_person.entry(&recorded.person).or_default().push(scale.even(*value));
            origins.insert(recorded.origin.rsplit('/').next().unwrap_or_default().to_owned());
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let people: Vec<f64> = by_person.values().map(|own| mean(own)).filter(|x| x.is_finite()).collect();
        if people.len() < LEAST_PEOPLE {
            return None;
        }
        let (middle, n) = (mean(&people), people.len() as f64);
        let variance = people.iter().map(|x| (x - middle) * (x - middle)).sum::<f64>() / (n - 1.0);
        let next = students_t(people.len() - 1) * (variance * (1.0 + 1.0 / n)).sqrt();
        let within = |by: f64| {
            [rounded(scale.odd(middle - by), f64::floor), rounded(scale.odd(middle + by), f64::ceil)]
        };
        Some(Spread { human: within(next), possible: within(2.0 * next), people: people.len(), origins })
    }
}

impl Recorded {
    /// Why a figure of this recording says nothing of people, if it does not.
    #[must_use]
    pub fn reason(&self, id: &str) -> Option<&str> {
        let is_meant =
            |key: &str| id == key || id.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
        self.apart.iter().find(|(key, _)| is_meant(key)).map(|(_, why)| why.as_str())
    }
}

impl Scale {
    /// A figure on the scale on which people are spread evenly.
    fn even(self, value: f64) -> f64 {
        match self {
            Self::Log => ln(value.max(1e-9)),
            Self::Share => asin(value.clamp(0.0, 1.0).sqrt()),
            Self::Correlation => {
                let value = value.clamp(-0.999, 0.999);
                0.5 * ln((1.0 + value) / (1.0 - value))
            }
        }
    }

    /// And back.
    fn odd(self, even: f64) -> f64 {
        match self {
            Self::Log => exp(even),
            Self::Share => {
                let sine = sin(even.clamp(0.0, 0.5 * std::f64::consts::PI));
                sine * sine
            }
            Self::Correlation => 1.0 - 2.0 / (exp(2.0 * even) + 1.0),
        }
    }
}

/// To two digits, to the side that is asked for.
fn rounded(value: f64, to: fn(f64) -> f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    // By text, so that a number of two digits is the one that people write.
    let places = 1 - (ln(value.abs()) / std::f64::consts::LN_10).floor() as i32;
    let tenths = (0..places.abs()).fold(1.0, |by, _| by * 10.0);
    let up = |x: f64| if places >= 0 { x * tenths } else { x / tenths };
    let down = |x: f64| if places >= 0 { x / tenths } else { x * tenths };
    down(to(up(value)))
}

/// Student's t of 97.5 % with so many degrees of freedom.
fn students_t(freedom: usize) -> f64 {
    const TABLE: [f64; 20] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
        2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    ];
    // Beyond the table by its first two terms in 1/n, which are right to three digits there.
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
    fn a_range_is_where_the_next_person_lies() {
        // ln 1, 2, 4, 8, 16: mean ln 4, s = √2.5 ln 2, t(4) = 2.776, √(1 + 1/5).
        let spread = of(&[1.0, 2.0, 4.0, 8.0, 16.0]).spread("a.b", Scale::Log).unwrap();
        let half = 2.776 * (2.5_f64 * 1.2).sqrt() * std::f64::consts::LN_2;
        assert!((spread.human[0] - 4.0 * exp(-half)).abs() < 0.01 && spread.human[0] <= 4.0 * exp(-half));
        assert!((spread.human[1] - 4.0 * exp(half)).abs() < 10.0 && spread.human[1] >= 4.0 * exp(half));
        assert!(spread.possible[0] < spread.human[0] && spread.possible[1] > spread.human[1]);
        assert_eq!(of(&[1.0, 2.0]).spread("a.b", Scale::Log), None, "two are too few");
        assert_eq!(of(&[1.0; 6]).spread("a.c", Scale::Log), None, "nobody was measured");
    }

    #[test]
    fn somebody_with_many_recordings_counts_once_and_what_is_apart_not_at_all() {
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
        fn scales_undo_themselves(share in 0.0..1.0f64, size in 1e-6..1e3f64, alike in -0.99..0.99f64) {
            for (scale, value) in [
                (Scale::Log, size), (Scale::Share, share), (Scale::Correlation, alike),
            ] {
                prop_assert!((scale.odd(scale.even(value)) - value).abs() < 1e-9 * (1.0 + value.abs()), "{scale:?}");
            }
        }

        #[test]
        fn rounding_goes_outwards_by_little(value in -1e4..1e4f64) {
            let (low, high) = (rounded(value, f64::floor), rounded(value, f64::ceil));
            prop_assert!(low <= value + 1e-9 && value - 1e-9 <= high && high - low <= 0.11 * value.abs() + 1e-12);
        }
    }
}
