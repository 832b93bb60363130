//! What is said of a trace: figure by figure, and as a whole.

use super::people::{People, Scale, Spread};
use crate::statistics::quantile;
use serde::Serialize;
use vivant::math::pow;

/// What is thought of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Verdict {
    /// As in people.
    #[serde(rename = "human")]
    Human,
    /// Few people do so.
    #[serde(rename = "odd")]
    Odd,
    /// Nobody does so.
    #[serde(rename = "wrong")]
    Wrong,
    /// Too little was seen.
    #[serde(rename = "not enough data")]
    NotEnoughData,
}

impl Verdict {
    /// As people read it.
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

/// What a check is about. The grade is of groups, so that many checks of one thing are not worth more than few of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// How lids close and open.
    Blinks,
    /// When they do.
    Rhythm,
    /// What lids do between blinks.
    Lids,
    /// How eyes move.
    Saccades,
    /// Where and how often they do.
    Glances,
    /// Eyes and head together.
    Head,
    /// Whom they look at.
    Conversation,
    /// What is no motion of anybody: steps, loops, noise.
    Signal,
}

impl Group {
    /// All of them.
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

/// A figure of people, and what may be thought of others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Norm {
    /// By which programs know it.
    pub id: &'static str,
    /// What it is about.
    pub group: Group,
    /// In words.
    pub title: &'static str,
    /// What it is measured in.
    pub unit: &'static str,
    /// What people do, as is published; if it is not, and too few people were recorded, our own guess.
    pub human: [f64; 2],
    /// What is possible at all.
    pub possible: [f64; 2],
    /// Where that is published; empty if it is not.
    pub source: &'static str,
    /// Whether recordings of people make the range, or widen it.
    pub people: Option<Side>,
    /// What to change if it is less, and if it is more.
    pub advice: [&'static str; 2],
}

/// A figure of people with the ranges that it is judged by.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// What it is.
    pub norm: Norm,
    /// What people do.
    pub human: [f64; 2],
    /// What is possible at all.
    pub possible: [f64; 2],
    /// Where that is known from.
    pub source: String,
}

/// Which ends of a range people's recordings make, on which scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The upper one: less is always human.
    Upper(Scale),
    /// Both.
    Both(Scale),
}

/// A figure of a trace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// What it is.
    pub value: f64,
    /// How far off it may be by chance, in both directions: two standard errors.
    pub error: f64,
    /// How many things it is of.
    pub count: usize,
}

/// What is said of one figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Check {
    /// By which programs know it: what it is about, a dot, and its name.
    pub id: &'static str,
    /// What it is about.
    pub group: Group,
    /// In words.
    pub title: &'static str,
    /// What was measured; none if too little was seen.
    pub value: Option<f64>,
    /// How far off that may be by chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// How many blinks, saccades or samples it is of.
    pub count: usize,
    /// What it is measured in.
    pub unit: &'static str,
    /// What people do, from and to.
    pub human: [f64; 2],
    /// Where that is known from.
    pub source: String,
    /// What is thought of it.
    pub verdict: Verdict,
    /// What to change, or that nothing needs to be.
    pub advice: String,
}

impl Norm {
    /// With the ranges that these people make.
    #[must_use]
    pub fn among(self, people: &People) -> Range {
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
    /// What is said of a trace in which this was measured.
    #[must_use]
    pub fn judge(&self, measure: Option<Measure>) -> Check {
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

    /// Chance speaks for whom is judged: only what lies outside altogether is called so.
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
            (Verdict::NotEnoughData, _) | (_, None) => "Give a longer trace, or one with this in it.".into(),
            (_, Some(measure)) => self.norm.advice[usize::from(measure.value > self.human[1])].into(),
        }
    }
}

impl Measure {
    /// The mean of some values; none of fewer than `least`.
    pub(super) fn mean(values: &[f64], least: usize) -> Option<Self> {
        let count = values.len();
        if count < least.max(2) {
            return None;
        }
        let mean = values.iter().sum::<f64>() / count as f64;
        let variance = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (count - 1) as f64;
        Some(Self { value: mean, error: 2.0 * (variance / count as f64).sqrt(), count })
    }

    /// The median; its error is that of a normal distribution's, by how far the quartiles are apart.
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

    /// So many of so many.
    pub(super) fn share(some: usize, all: usize, least: usize) -> Option<Self> {
        if all < least.max(1) {
            return None;
        }
        let share = some as f64 / all as f64;
        // Agresti and Coull: as if four more had been seen, half of them so.
        let (n, p) = (all as f64 + 4.0, (some as f64 + 2.0) / (all as f64 + 4.0));
        Some(Self { value: share, error: 2.0 * (p * (1.0 - p) / n).sqrt(), count: all })
    }

    /// So many in so much time, a unit of it.
    pub(super) fn rate(count: usize, time: f64) -> Option<Self> {
        let error = 2.0 * (count as f64 + 1.0).sqrt() / time;
        (time > 0.0).then_some(Self { value: count as f64 / time, error, count })
    }

    /// With an error of at least so much: what a device or a frame rate cannot tell apart.
    pub(super) fn within(self, least: f64) -> Self {
        Self { error: self.error.max(least), ..self }
    }

    /// As it is, without chance.
    pub(super) fn exact(value: f64, count: usize) -> Self {
        Self { value, error: 0.0, count }
    }
}

/// Of a vector in a plane.
pub(super) fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// 0 to 100. A group has 1, times 0.75 for each figure that is odd and times 0.15 for each that is wrong; the grade is
/// the geometric mean of the groups, so that excellence in one does not pay for another. What was not seen cannot be praised:
/// with few groups, the grade is not above 60 + 8 a group.
#[must_use]
pub fn grade(checks: &[Check]) -> f64 {
    let of_group = |group: Group| {
        let scores =
            checks.iter().filter(|check| check.group == group).filter_map(|check| score(check.verdict));
        scores.reduce(|all, one| all * one)
    };
    let groups: Vec<f64> = Group::ALL.into_iter().filter_map(of_group).collect();
    if groups.is_empty() {
        return 0.0;
    }
    let whole = pow(groups.iter().product(), 1.0 / groups.len() as f64);
    100.0 * whole.min(0.6 + 0.08 * groups.len() as f64)
}

fn score(verdict: Verdict) -> Option<f64> {
    match verdict {
        Verdict::Human => Some(1.0),
        Verdict::Odd => Some(0.75),
        Verdict::Wrong => Some(0.15),
        Verdict::NotEnoughData => None,
    }
}
