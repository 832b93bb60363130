//! Mouth animation with coarticulation: visemes blend, since tongue and lips prepare the next phoneme during the
//! current one.
//!
//! Every phoneme has a **dominance** that rises before it starts and falls after it ends (Cohen & Massaro 1993). The
//! mouth shows the mean of the shapes weighted by dominance, and is at rest if no phoneme dominates. There are two
//! additions to the paper. Dominance has a plateau, because a long vowel is held. Lips always close for *p*, *b* and
//! *m*, next to any phoneme, because viewers notice a missing closure first.
//!
//! ```
//! use vivant::speech::{Phone, Segment, Stress, Viseme, mouth::Mouth};
//!
//! let phoneme = |name, from, to| Segment {
//!     phone: Phone::arpabet(name).unwrap(), stress: Stress::Primary, from, to, loudness: 1.0
//! };
//! let mut mouth = Mouth::default();
//! mouth.say(0.0, 1.0, 0, &[phoneme("M", 0.0, 0.08), phoneme("AA", 0.08, 0.3)]);
//! assert!(mouth.shape(1.04).weight(Viseme::Pp) > 0.99);
//! assert!(mouth.shape(1.2).weight(Viseme::Aa) > 0.9);
//! assert!(mouth.shape(2.0).weight(Viseme::Sil) == 1.0);
//! ```

mod rig;

pub use rig::MouthRig;

use super::score::{Segment, Stress};
use super::viseme::Viseme;

/// Viseme weights of a mouth; they sum to about 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MouthShape([f32; Viseme::COUNT]);

impl MouthShape {
    /// A mouth at rest.
    pub const REST: Self = {
        let mut weights = [0.0; Viseme::COUNT];
        weights[Viseme::Sil as usize] = 1.0;
        Self(weights)
    };

    /// Creates a shape from weights in the order of Oculus. Values are clamped to 0–1.
    #[must_use]
    pub fn of(weights: [f32; Viseme::COUNT]) -> Self {
        Self(weights.map(|weight| weight.clamp(0.0, 1.0)))
    }

    /// Returns the weight of a viseme.
    #[must_use]
    pub fn weight(&self, viseme: Viseme) -> f32 {
        self.0[viseme as usize]
    }

    /// Returns all weights in the order of Oculus.
    #[must_use]
    pub fn weights(&self) -> &[f32; Viseme::COUNT] {
        &self.0
    }
}

/// A viseme to be shown.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Target {
    line: u64,
    viseme: Viseme,
    from: f64,
    to: f64,
    strength: f64,
}

/// Dominance function of a viseme.
struct Dominance {
    /// Weight relative to other visemes (our choice, after Cohen & Massaro's observation that lips and teeth dominate
    /// over the tongue).
    share: f64,
    /// Time by which the viseme starts before the phoneme, in seconds.
    lead: f64,
    /// Time by which the viseme ends after the phoneme, in seconds.
    lag: f64,
    /// Time after the start of the phoneme until full dominance, in seconds.
    settle: f64,
}

/// Longest time in seconds for which a phoneme influences the mouth before its start or after its end.
const REACH_SECS: f64 = 0.1;
/// Time in which lips close or open, in seconds; as fast as in natural speech (about 0.2 m/s over a centimetre).
const SEAL_SECS: f64 = 0.07;
/// Time in which the mouth blends to revised phonemes, in seconds: two or three frames longer than the shortest blend
/// without a visible jump.
const REVISE_SECS: f64 = 0.12;
/// Time after its end at which a phoneme is removed, in seconds, so that memory stays bounded.
const KEEP_SECS: f64 = 1.0;
/// Interval over which a speed is measured, in seconds.
const MOMENT_SECS: f64 = 1e-3;

const fn dominance(viseme: Viseme) -> Dominance {
    let [share, lead, lag, settle] = match viseme {
        Viseme::Pp => [1.5, 0.06, 0.06, 0.01],
        Viseme::Ff => [4.0, 0.07, 0.06, 0.015],
        Viseme::Ch => [2.5, 0.08, 0.07, 0.02],
        Viseme::Ss => [2.0, 0.07, 0.06, 0.02],
        Viseme::Th => [2.0, 0.07, 0.06, 0.02],
        Viseme::Rr => [1.2, 0.09, 0.07, 0.02],
        Viseme::Dd | Viseme::Nn => [1.0, 0.07, 0.06, 0.02],
        Viseme::Kk => [0.7, 0.07, 0.06, 0.02],
        Viseme::Ou | Viseme::Oh => [1.3, REACH_SECS, 0.09, 0.03],
        Viseme::Aa | Viseme::E | Viseme::Ih | Viseme::Sil => [1.0, 0.09, 0.09, 0.03],
    };
    Dominance { share, lead, lag, settle }
}

/// Mouth animation: the phonemes to show, and the residual of the last revision.
#[derive(Clone, Debug, Default)]
pub struct Mouth {
    /// Sorted by start time.
    targets: Vec<Target>,
    /// Duration of the longest target.
    longest_secs: f64,
    residual: Residual,
}

/// Difference between the old and the new animation at a revision. It decays, so that neither position nor speed
/// jumps.
#[derive(Clone, Copy, Debug, Default)]
struct Residual {
    at: f64,
    places: [f64; Viseme::COUNT],
    speeds: [f64; Viseme::COUNT],
}

impl Residual {
    /// Returns the remaining shares of the position and speed differences.
    fn remaining(&self, t: f64) -> Option<[f64; 2]> {
        let u = (t - self.at) / REVISE_SECS;
        if !(0.0..1.0).contains(&u) {
            return None;
        }
        let cube = u * u * u;
        let place = 1.0 - cube * (10.0 - u * (15.0 - 6.0 * u));
        let speed = u - cube * (6.0 - u * (8.0 - 3.0 * u));
        Some([place, speed * REVISE_SECS])
    }
}

impl Mouth {
    /// Shows the phonemes of a line that starts at `at`; `now` is the current time. Earlier phonemes of the same line
    /// are replaced, and the mouth continues from its current shape.
    pub fn say(&mut self, now: f64, at: f64, line: u64, phonemes: &[Segment]) {
        self.replace_lines(now, |other| other == line, [(line, at, phonemes.iter().copied())]);
    }

    /// Removes the lines for which `is_forgotten` returns true, and adds `lines`, each with number, start time and
    /// phonemes.
    pub(crate) fn replace_lines<S: Iterator<Item = Segment>>(
        &mut self,
        now: f64,
        is_forgotten: impl Fn(u64) -> bool,
        lines: impl IntoIterator<Item = (u64, f64, S)>,
    ) {
        self.change(now, |targets| {
            targets.retain(|target| !is_forgotten(target.line));
            for (line, at, phonemes) in lines {
                targets.extend(phonemes.flat_map(|phoneme| targets_of(&phoneme, at, line)));
            }
            targets.sort_by(|a, b| a.from.total_cmp(&b.from));
        });
    }

    /// Removes the lines for which `is_meant` returns true; the mouth comes to rest within an eighth of a second.
    pub(crate) fn forget(&mut self, now: f64, is_meant: impl Fn(u64) -> bool) {
        self.change(now, |targets| targets.retain(|target| !is_meant(target.line)));
    }

    /// Removes all phonemes; the mouth comes to rest within an eighth of a second.
    pub fn hush(&mut self, now: f64) {
        self.change(now, Vec::clear);
    }

    /// Returns the end of the last phoneme in seconds; `None` if there are no phonemes.
    #[must_use]
    pub fn ends(&self) -> Option<f64> {
        self.targets.iter().map(|target| target.to).reduce(f64::max)
    }

    /// Returns the mouth shape at the time `t` in seconds.
    #[must_use]
    pub fn shape(&self, t: f64) -> MouthShape {
        MouthShape(self.shown(t).map(|weight| weight as f32))
    }

    /// Changes the targets. The mouth continues from its current shape; if the change does not affect the current
    /// shape, there is no blending.
    fn change(&mut self, now: f64, change: impl FnOnce(&mut Vec<Target>)) {
        // Measures after `now`, not before it, because the residual of the last change may have started just now.
        let moments = [now, now + MOMENT_SECS];
        let (before, shown) = (moments.map(|t| self.shape_at(t)), moments.map(|t| self.shown(t)));
        change(&mut self.targets);
        self.targets.retain(|target| target.to + KEEP_SECS > now);
        self.longest_secs = self.targets.iter().map(|target| target.to - target.from).fold(0.0, f64::max);
        let after = moments.map(|t| self.shape_at(t));
        if after == before {
            return;
        }
        let error = |moment: usize, i: usize| shown[moment][i] - after[moment][i];
        self.residual = Residual {
            at: now,
            places: std::array::from_fn(|i| error(0, i)),
            speeds: std::array::from_fn(|i| (error(1, i) - error(0, i)) / MOMENT_SECS),
        };
    }

    fn shown(&self, t: f64) -> [f64; Viseme::COUNT] {
        let mut weights = self.shape_at(t);
        if let Some([place, speed]) = self.residual.remaining(t) {
            for (weight, (places, speeds)) in
                weights.iter_mut().zip(self.residual.places.iter().zip(&self.residual.speeds))
            {
                *weight += places * place + speeds * speed;
            }
        }
        weights.map(|weight| weight.clamp(0.0, 1.0))
    }

    /// Returns the shape of the targets alone, without the residual.
    fn shape_at(&self, t: f64) -> [f64; Viseme::COUNT] {
        let mut mix = Mix::default();
        let first = self.targets.partition_point(|target| target.from < t - self.longest_secs - REACH_SECS);
        for target in self.targets[first..].iter().take_while(|target| target.from < t + REACH_SECS) {
            mix.add(target, t);
        }
        mix.weights()
    }
}

/// Sum of dominances at an instant.
#[derive(Default)]
struct Mix {
    shares: [f64; Viseme::COUNT],
    all: f64,
    strength: f64,
    /// Share of the mouth at rest, from 0 to 1.
    rest: f64,
    /// Lip opening from 0 to 1.
    gap: f64,
    is_some: bool,
}

impl Mix {
    fn add(&mut self, target: &Target, t: f64) {
        let height = target.height(t);
        if height <= 0.0 {
            return;
        }
        if !self.is_some {
            (self.is_some, self.rest, self.gap) = (true, 1.0, 1.0);
        }
        let share = dominance(target.viseme).share * height;
        self.shares[target.viseme as usize] += share;
        self.all += share;
        self.strength += share * target.strength;
        self.rest *= 1.0 - height;
        if target.viseme == Viseme::Pp {
            self.gap *= 1.0 - target.seal(t);
        }
    }

    fn weights(self) -> [f64; Viseme::COUNT] {
        let mut weights = [0.0; Viseme::COUNT];
        if self.is_some {
            let present = 1.0 - self.rest;
            let scale = self.gap * present * self.strength / (self.all * self.all);
            for (weight, share) in weights.iter_mut().zip(self.shares) {
                *weight = share * scale;
            }
            let lips = self.shares[Viseme::Pp as usize] / self.all * present;
            weights[Viseme::Pp as usize] = 1.0 - self.gap * (1.0 - lips);
        }
        weights[Viseme::Sil as usize] = 0.0;
        let said: f64 = weights.iter().sum();
        weights[Viseme::Sil as usize] = (1.0 - said).max(0.0);
        weights
    }
}

impl Target {
    /// Returns the dominance at the time `t`, from 0 to 1.
    fn height(&self, t: f64) -> f64 {
        let Dominance { lead, lag, settle, .. } = dominance(self.viseme);
        let settle = settle.min(0.5 * (self.to - self.from));
        let rise = smooth((t - self.from + lead) / (lead + settle));
        rise * smooth((self.to + lag - t) / (lag + settle))
    }

    /// Returns the lip closure from 0 to 1. Lips stay closed during the phoneme, and for at least one frame.
    fn seal(&self, t: f64) -> f64 {
        let inner = (0.25 * (self.to - self.from)).min(0.02);
        smooth((t - self.from - inner) / SEAL_SECS + 1.0) * smooth((self.to - inner - t) / SEAL_SECS + 1.0)
    }
}

/// Smooth step from 0 to 1 with continuous speed and acceleration.
fn smooth(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * u * (10.0 - u * (15.0 - 6.0 * u))
}

/// Returns the visemes of a phoneme, each with its share of the time.
fn targets_of(phoneme: &Segment, at: f64, line: u64) -> impl Iterator<Item = Target> + use<> {
    let visemes = phoneme.phone.visemes();
    let (from, secs) = (at + phoneme.from, (phoneme.to - phoneme.from).max(0.0));
    let is_usable = from.is_finite() && secs.is_finite() && !phoneme.phone.is_silence();
    let strength = strength(phoneme);
    visemes.iter().enumerate().filter(move |_| is_usable).map(move |(place, viseme)| {
        let part = |place: usize| from + secs * place as f64 / visemes.len() as f64;
        Target { line, viseme: *viseme, from: part(place), to: part(place + 1), strength }
    })
}

/// Returns the strength of a phoneme. Unstressed vowels are smaller (target undershoot, Lindblom 1963), and so are
/// vowels in soft speech, because the jaw opens farther in loud speech (Schulman 1989). The amounts are our choice.
fn strength(phoneme: &Segment) -> f64 {
    let by_stress = match phoneme.stress {
        _ if !phoneme.phone.is_vowel() => return 1.0,
        Stress::None => 0.75,
        Stress::Secondary => 0.9,
        Stress::Primary => 1.0,
    };
    let loudness = if phoneme.loudness.is_nan() { 1.0 } else { f64::from(phoneme.loudness.clamp(0.0, 1.0)) };
    by_stress * (SOFT + (1.0 - SOFT) * loudness)
}

/// Fraction of a vowel's shape that is shown for a barely audible voice.
const SOFT: f64 = 0.5;

#[cfg(test)]
mod tests;
