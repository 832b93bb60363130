//! Checks, verdicts and the overall score.
//!
//! A [`Norm`] is the human range of one value, with its source. Recordings of people set or widen this range; the
//! result is a [`Range`]. Comparing a [`Measure`] with the range gives a [`Check`] with its [`Verdict`] and advice. A
//! value counts as odd or wrong only if its whole confidence interval is outside the range. [`score`] combines the
//! checks of all groups into a score from 0 to 100.

use super::people::{People, Scale, Spread};
use crate::statistics::quantile;
use serde::Serialize;
use vivant::math::pow;

/// The result of comparing a value with human data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Verdict {
    /// Within the range of most people.
    #[serde(rename = "human")]
    Human,
    /// Outside the range of most people, but possible.
    #[serde(rename = "odd")]
    Odd,
    /// Outside the range that people can reach.
    #[serde(rename = "wrong")]
    Wrong,
    /// The trace has too few events or samples for this check.
    #[serde(rename = "not enough data")]
    NotEnoughData,
}

impl Verdict {
    /// Returns the name shown to users.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Odd => "odd",
            Self::Wrong => "wrong",
            Self::NotEnoughData => "not enough data",
        }
    }
}

/// Topic of a check. The overall score is computed per group, so that a topic with many checks does not outweigh
/// others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// Shape of blinks.
    Blinks,
    /// Timing of blinks.
    Rhythm,
    /// Lid motion between blinks.
    Lids,
    /// Shape of eye movements.
    Saccades,
    /// Rate, size and direction of eye movements.
    Glances,
    /// Coordination of eyes and head.
    Head,
    /// Gaze at the conversation partner.
    Conversation,
    /// Signal defects: repeated frames, loops, freezes and noise.
    Signal,
}

impl Group {
    /// All groups.
    pub const ALL: [Self; 8] = [
        Self::Blinks,
        Self::Rhythm,
        Self::Lids,
        Self::Saccades,
        Self::Glances,
        Self::Head,
        Self::Conversation,
        Self::Signal,
    ];
}

/// Human range of a value, before recordings of people are taken into account.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Norm {
    /// Identifier for programs, such as `blinks.rate`.
    pub id: &'static str,
    /// Topic of the check.
    pub group: Group,
    /// Title shown to users.
    pub title: &'static str,
    /// Unit of the value.
    pub unit: &'static str,
    /// Published range of most people. Without a source it is an estimate, used if too few people were recorded.
    pub human: [f64; 2],
    /// Range of values that people can reach. Values outside it are wrong.
    pub possible: [f64; 2],
    /// Publication that the range comes from; empty if there is none.
    pub source: &'static str,
    /// Ends of the range that recordings of people set or widen; `None` if recordings do not change the range.
    pub people: Option<Side>,
    /// Advice for the user: first for a value that is too small, then for a value that is too large.
    pub advice: [&'static str; 2],
}

/// A norm with its final ranges.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// The norm from which the ranges are computed.
    pub norm: Norm,
    /// Range of most people. Values outside it are odd.
    pub human: [f64; 2],
    /// Range of values that people can reach. Values outside it are wrong.
    pub possible: [f64; 2],
    /// Source of the ranges: a publication, recordings of people, or both.
    pub source: String,
}

/// Ends of a range that are set by recordings of people, and the scale on which they are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Only the upper end: smaller values are always human.
    Upper(Scale),
    /// Both ends.
    Both(Scale),
}

/// A measured value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// The value, in the unit of the norm.
    pub value: f64,
    /// Half-width of the confidence interval: two standard errors.
    pub error: f64,
    /// Number of blinks, saccades or samples used.
    pub count: usize,
}

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Check {
    /// Identifier for programs: the topic, a dot and a name, such as `blinks.rate`.
    pub id: &'static str,
    /// Topic of the check.
    pub group: Group,
    /// Title shown to users.
    pub title: &'static str,
    /// The measured value; `None` if there was not enough data.
    pub value: Option<f64>,
    /// Half-width of the confidence interval of the value: two standard errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// Number of blinks, saccades or samples used.
    pub count: usize,
    /// Unit of the value.
    pub unit: &'static str,
    /// Range of most people: low and high.
    pub human: [f64; 2],
    /// Source of the range.
    pub source: String,
    /// Verdict for the value with its confidence interval.
    pub verdict: Verdict,
    /// Advice on what to change, or a note that nothing needs to change.
    pub advice: String,
}

impl Norm {
    /// Returns the norm with ranges that take recordings of `people` into account.
    #[must_use]
    pub fn range(self, people: &People) -> Range {
        let own =
            Range { human: self.human, possible: self.possible, source: self.source.to_owned(), norm: self };
        let spread = match self.people {
            Some(Side::Upper(scale)) => people.spread(self.id, scale).map(|spread| Spread {
                human: [self.human[0], spread.human[1]],
                possible: [self.possible[0], spread.possible[1]],
                ..spread
            }),
            Some(Side::Both(scale)) => people.spread(self.id, scale),
            None => None,
        };
        let Some(Spread { human, possible, people, origins }) = spread else { return own };
        let origins = origins.into_iter().collect::<Vec<_>>().join(", ");
        let recordings = format!("recordings of {people} people ({origins})");
        if self.source.is_empty() {
            return Range { human, possible, source: recordings, ..own };
        }
        let both = |[a, b]: [f64; 2], [c, d]: [f64; 2]| [a.min(c), b.max(d)];
        Range {
            human: both(self.human, human),
            possible: both(self.possible, possible),
            source: format!("{}; {recordings}", self.source),
            ..own
        }
    }
}

impl Range {
    /// Compares a measured value with the ranges. `None` gives [`Verdict::NotEnoughData`].
    #[must_use]
    pub fn check(&self, measure: Option<Measure>) -> Check {
        let verdict = measure.map_or(Verdict::NotEnoughData, |it| self.verdict(it));
        let Norm { id, group, title, unit, .. } = self.norm;
        Check {
            id,
            group,
            title,
            value: measure.map(|it| it.value),
            error: measure.map(|it| it.error),
            count: measure.map_or(0, |it| it.count),
            unit,
            human: self.human,
            source: self.source.clone(),
            verdict,
            advice: self.advice(verdict, measure),
        }
    }

    /// Returns the verdict. A value counts as outside a range only if its whole confidence interval is outside.
    fn verdict(&self, Measure { value, error, .. }: Measure) -> Verdict {
        let is_outside = |[low, high]: [f64; 2]| value + error < low || value - error > high;
        match () {
            () if is_outside(self.possible) => Verdict::Wrong,
            () if is_outside(self.human) => Verdict::Odd,
            () => Verdict::Human,
        }
    }

    fn advice(&self, verdict: Verdict, measure: Option<Measure>) -> String {
        match (verdict, measure) {
            (Verdict::Human, _) => "Nothing to change.".into(),
            (Verdict::NotEnoughData, _) | (_, None) => {
                "Use a longer trace, or one that contains this kind of motion.".into()
            }
            (_, Some(measure)) => self.norm.advice[usize::from(measure.value > self.human[1])].into(),
        }
    }
}

impl Measure {
    /// Returns the mean; `None` for fewer than `least` values.
    pub(super) fn mean(values: &[f64], least: usize) -> Option<Self> {
        let count = values.len();
        if count < least.max(2) {
            return None;
        }
        let mean = values.iter().sum::<f64>() / count as f64;
        let variance = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (count - 1) as f64;
        Some(Self { value: mean, error: 2.0 * (variance / count as f64).sqrt(), count })
    }

    /// Returns the median. Its error is computed for a normal distribution with the same interquartile range.
    pub(super) fn median(values: &[f64], least: usize) -> Option<Self> {
        if values.len() < least.max(2) {
            return None;
        }
        let mut sorted: Vec<f64> = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let [low, middle, high] = [0.25, 0.5, 0.75].map(|share| quantile(&sorted, share));
        let error = 2.0 * 1.2533 * (high - low) / 1.349 / (sorted.len() as f64).sqrt();
        Some(Self { value: middle, error, count: sorted.len() })
    }

    /// Returns the share `some / all`; `None` if `all` is less than `least`.
    pub(super) fn share(some: usize, all: usize, least: usize) -> Option<Self> {
        if all < least.max(1) {
            return None;
        }
        let share = some as f64 / all as f64;
        // Agresti–Coull interval: adds four observations, two of them successes.
        let (n, p) = (all as f64 + 4.0, (some as f64 + 2.0) / (all as f64 + 4.0));
        Some(Self { value: share, error: 2.0 * (p * (1.0 - p) / n).sqrt(), count: all })
    }

    /// Returns the number of events per unit of time; `None` if `time` is not positive.
    pub(super) fn rate(count: usize, time: f64) -> Option<Self> {
        let error = 2.0 * (count as f64 + 1.0).sqrt() / time;
        (time > 0.0).then_some(Self { value: count as f64 / time, error, count })
    }

    /// Raises the error to at least `least`, for the resolution of a device or frame rate.
    pub(super) fn with_min_error(self, least: f64) -> Self {
        Self { error: self.error.max(least), ..self }
    }

    /// Returns a value without error.
    pub(super) fn exact(value: f64, count: usize) -> Self {
        Self { value, error: 0.0, count }
    }
}

/// Returns the length of a 2D vector.
pub(super) fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// Returns the overall score, from 0 to 100.
///
/// A group starts with 1 and is multiplied by 0.75 for each odd check and by 0.15 for each wrong one. The score is
/// the geometric mean of the groups, so a good group cannot make up for a bad one. Groups without data limit the
/// score: it is at most 60 plus 8 per group with data.
#[must_use]
pub fn score(checks: &[Check]) -> f64 {
    let of_group = |group: Group| {
        let scores =
            checks.iter().filter(|check| check.group == group).filter_map(|check| factor(check.verdict));
        scores.reduce(|all, one| all * one)
    };
    let groups: Vec<f64> = Group::ALL.into_iter().filter_map(of_group).collect();
    if groups.is_empty() {
        return 0.0;
    }
    let whole = pow(groups.iter().product(), 1.0 / groups.len() as f64);
    100.0 * whole.min(0.6 + 0.08 * groups.len() as f64)
}

fn factor(verdict: Verdict) -> Option<f64> {
    match verdict {
        Verdict::Human => Some(1.0),
        Verdict::Odd => Some(0.75),
        Verdict::Wrong => Some(0.15),
        Verdict::NotEnoughData => None,
    }
}
