//! A mouth that speaks: shapes that melt into each other, as tongue and lips prepare the next sound during the last.
//!
//! Every sound has a **dominance** over the mouth that rises before it is heard and falls after it (Cohen & Massaro
//! 1993); the mouth shows the mean of the shapes, weighed by their dominance. Where nothing dominates it rests. Two things
//! go beyond the paper: dominance has a plateau, since a long vowel is held and not only passed; and lips that must meet
//! do meet, whatever the neighbours want: *p*, *b* and *m* without contact are what people see first.
//!
//! ```
//! use vivant::speech::{Phone, Segment, Stress, Viseme, mouth::Mouth};
//!
//! let sound = |name, from, to| Segment {
//!     phone: Phone::arpabet(name).unwrap(), stress: Stress::Primary, from, to, loudness: 1.0
//! };
//! let mut mouth = Mouth::default();
//! mouth.say(0.0, 1.0, 0, &[sound("M", 0.0, 0.08), sound("AA", 0.08, 0.3)]);
//! assert!(mouth.shape(1.04).weight(Viseme::Pp) > 0.99);
//! assert!(mouth.shape(1.2).weight(Viseme::Aa) > 0.9);
//! assert!(mouth.shape(2.0).weight(Viseme::Sil) == 1.0);
//! ```

mod rig;

pub use rig::MouthRig;

use super::score::{Segment, Stress};
use super::viseme::Viseme;

/// How much of each viseme a mouth shows; they sum to about 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MouthShape([f32; Viseme::COUNT]);

impl MouthShape {
    /// A mouth at rest.
    pub const REST: Self = {
        let mut weights = [0.0; Viseme::COUNT];
        weights[Viseme::Sil as usize] = 1.0;
        Self(weights)
    };

    /// One of these weights, in Oculus's order.
    #[must_use]
    pub fn of(weights: [f32; Viseme::COUNT]) -> Self {
        Self(weights.map(|weight| weight.clamp(0.0, 1.0)))
    }

    /// How much of one.
    #[must_use]
    pub fn weight(&self, viseme: Viseme) -> f32 {
        self.0[viseme as usize]
    }

    /// All of them, in Oculus's order.
    #[must_use]
    pub fn weights(&self) -> &[f32; Viseme::COUNT] {
        &self.0
    }
}

/// A viseme that is to be shown.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Target {
    line: u64,
    viseme: Viseme,
    from: f64,
    to: f64,
    strength: f64,
}

/// What a viseme does to its neighbours.
struct Dominance {
    /// Against the others (our design, after what Cohen & Massaro found by eye: lips and teeth win over the tongue).
    share: f64,
    /// How long before its sound it begins, in seconds, and how long after it ends.
    lead: f64,
    lag: f64,
    /// How far into the sound it has reached its height.
    settle: f64,
}

/// The most that a sound reaches before and after itself.
const REACH_SECS: f64 = 0.1;
/// Lips move to contact and away within this time; as fast as they do in speech (about 0.2 m/s over a centimetre).
const SEAL_SECS: f64 = 0.07;
/// What is told anew is reached within this time: two or three frames more than an eye would notice.
const REVISE_SECS: f64 = 0.12;
/// What is forgotten: long past, so that a day of speech takes no memory.
const KEPT_SECS: f64 = 1.0;
/// Over which time a speed is measured.
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

/// A mouth: what it says, and what it takes over from what it said before.
#[derive(Clone, Debug, Default)]
pub struct Mouth {
    /// By the time at which they begin.
    targets: Vec<Target>,
    /// The longest of them.
    longest_secs: f64,
    carried: Carried,
}

/// What was shown when something was told anew, less what would have been: it dies away, without a jump of place or
/// speed.
#[derive(Clone, Copy, Debug, Default)]
struct Carried {
    at: f64,
    places: [f64; Viseme::COUNT],
    speeds: [f64; Viseme::COUNT],
}

impl Carried {
    /// How much of a place and of a speed is left.
    fn left(&self, t: f64) -> Option<[f64; 2]> {
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
    /// Says the sounds of a line, which begins at `at`; `now` is the time that it is. What was told of the same line
    /// before is forgotten, and the mouth goes on from where it is.
    pub fn say(&mut self, now: f64, at: f64, line: u64, sounds: &[Segment]) {
        self.say_instead(now, |other| other == line, [(line, at, sounds.iter().copied())]);
    }

    /// Forgets some lines and says others, of which each is its number, when it begins, and its sounds.
    pub(crate) fn say_instead<S: Iterator<Item = Segment>>(
        &mut self,
        now: f64,
        is_forgotten: impl Fn(u64) -> bool,
        lines: impl IntoIterator<Item = (u64, f64, S)>,
    ) {
        self.change(now, |targets| {
            targets.retain(|target| !is_forgotten(target.line));
            for (line, at, sounds) in lines {
                targets.extend(sounds.flat_map(|sound| shapes_of(&sound, at, line)));
            }
            targets.sort_by(|a, b| a.from.total_cmp(&b.from));
        });
    }

    /// Forgets some lines; the mouth comes to rest within an eighth of a second.
    pub(crate) fn forget(&mut self, now: f64, is_meant: impl Fn(u64) -> bool) {
        self.change(now, |targets| targets.retain(|target| !is_meant(target.line)));
    }

    /// Says nothing more: the mouth comes to rest within an eighth of a second.
    pub fn hush(&mut self, now: f64) {
        self.change(now, Vec::clear);
    }

    /// When the last sound ends; `None` if nothing is to be said.
    #[must_use]
    pub fn ends(&self) -> Option<f64> {
        self.targets.iter().map(|target| target.to).reduce(f64::max)
    }

    /// What it shows at a time.
    #[must_use]
    pub fn shape(&self, t: f64) -> MouthShape {
        MouthShape(self.shown(t).map(|weight| weight as f32))
    }

    /// Changes what is to be said. The mouth goes on from where it is; and if nothing is to be said otherwise just now, as
    /// if nothing had been told.
    fn change(&mut self, now: f64, change: impl FnOnce(&mut Vec<Target>)) {
        // Ahead and not back: what is carried on from the last change may have begun just now.
        let moments = [now, now + MOMENT_SECS];
        let (before, shown) = (moments.map(|t| self.shape_at(t)), moments.map(|t| self.shown(t)));
        change(&mut self.targets);
        self.targets.retain(|target| target.to + KEPT_SECS > now);
        self.longest_secs = self.targets.iter().map(|target| target.to - target.from).fold(0.0, f64::max);
        let after = moments.map(|t| self.shape_at(t));
        if after == before {
            return;
        }
        let error = |moment: usize, i: usize| shown[moment][i] - after[moment][i];
        self.carried = Carried {
            at: now,
            places: std::array::from_fn(|i| error(0, i)),
            speeds: std::array::from_fn(|i| (error(1, i) - error(0, i)) / MOMENT_SECS),
        };
    }

    fn shown(&self, t: f64) -> [f64; Viseme::COUNT] {
        let mut weights = self.shape_at(t);
        if let Some([place, speed]) = self.carried.left(t) {
            for (weight, (places, speeds)) in
                weights.iter_mut().zip(self.carried.places.iter().zip(&self.carried.speeds))
            {
                *weight += places * place + speeds * speed;
            }
        }
        weights.map(|weight| weight.clamp(0.0, 1.0))
    }

    /// What the sounds alone make of it.
    fn shape_at(&self, t: f64) -> [f64; Viseme::COUNT] {
        let mut mix = Mix::default();
        let first = self.targets.partition_point(|target| target.from < t - self.longest_secs - REACH_SECS);
        for target in self.targets[first..].iter().take_while(|target| target.from < t + REACH_SECS) {
            mix.add(target, t);
        }
        mix.weights()
    }
}

/// The sum of what dominates at an instant.
#[derive(Default)]
struct Mix {
    shares: [f64; Viseme::COUNT],
    all: f64,
    strength: f64,
    /// How much nothing dominates, and how far lips are from meeting.
    rest: f64,
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
    /// How much it dominates at a time, from 0 to 1.
    fn height(&self, t: f64) -> f64 {
        let Dominance { lead, lag, settle, .. } = dominance(self.viseme);
        let settle = settle.min(0.5 * (self.to - self.from));
        let rise = smooth((t - self.from + lead) / (lead + settle));
        rise * smooth((self.to + lag - t) / (lag + settle))
    }

    /// How close its lips are: they meet while it is heard, and at least for a frame.
    fn seal(&self, t: f64) -> f64 {
        let inner = (0.25 * (self.to - self.from)).min(0.02);
        smooth((t - self.from - inner) / SEAL_SECS + 1.0) * smooth((self.to - inner - t) / SEAL_SECS + 1.0)
    }
}

/// From 0 to 1 with no jump of speed or force.
fn smooth(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * u * (10.0 - u * (15.0 - 6.0 * u))
}

/// The visemes of a sound, each with its part of the time.
fn shapes_of(sound: &Segment, at: f64, line: u64) -> impl Iterator<Item = Target> + use<> {
    let visemes = sound.phone.visemes();
    let (from, secs) = (at + sound.from, (sound.to - sound.from).max(0.0));
    let is_usable = from.is_finite() && secs.is_finite() && !sound.phone.is_silence();
    let strength = strength(sound);
    visemes.iter().enumerate().filter(move |_| is_usable).map(move |(place, viseme)| {
        let part = |place: usize| from + secs * place as f64 / visemes.len() as f64;
        Target { line, viseme: *viseme, from: part(place), to: part(place + 1), strength }
    })
}

/// Vowels without stress are smaller (target undershoot, Lindblom 1963), and so are soft ones: jaws open farther in loud
/// speech (Schulman 1989). The amounts are our design.
fn strength(sound: &Segment) -> f64 {
    let by_stress = match sound.stress {
        _ if !sound.phone.is_vowel() => return 1.0,
        Stress::None => 0.75,
        Stress::Secondary => 0.9,
        Stress::Primary => 1.0,
    };
    let loudness = if sound.loudness.is_nan() { 1.0 } else { f64::from(sound.loudness.clamp(0.0, 1.0)) };
    by_stress * (SOFT + (1.0 - SOFT) * loudness)
}

/// How much of a vowel's shape a voice shows that can hardly be heard.
const SOFT: f64 = 0.5;

#[cfg(test)]
mod tests;
