//! What an unlabelled clip is: the step that paper 4 leaves to future work.
//!
//! Paper 4 asks an animator to drop every clip on its stance and its type (gesture, fidget, stance,
//! transition), and closes with the wish to have that done by analysis. This is it: the motion is
//! measured (hands, head, trunk, hips, feet), and rules with soft thresholds say what it is, how sure that is
//! and why. It is a proposal for people to look over, not a verdict.
//!
//! ```
//! use vivant_learn::suggest::{Labelled, Type, suggest};
//!
//! let (rig, clips) = (vivant_mannequin::rig(), vivant_mannequin::starter_clips());
//! let clips: Vec<_> = clips.iter().map(|clip| Labelled { name: clip.name(), clip }).collect();
//! let wave = suggest(&clips, &[], &rig).into_iter().find(|s| s.clip == "wave").unwrap();
//! assert_eq!(wave.kind.value, Type::Gesture);
//! assert_eq!(wave.hand.value.unwrap().letters(), "R");
//! ```

mod event;
mod judge;
mod measure;
mod reasons;
mod small;
mod stances;
#[cfg(test)]
mod tests;
mod track;
mod trim;

use judge::Signs;
use measure::Measures;
use serde::{Deserialize, Serialize};
use stances::Stances;
use std::ops::RangeInclusive;
use track::{Moment, RATE, Yardstick};
use vivant::body::layers::Layer;
use vivant::body::repertoire::Hand;
use vivant::clip::Clip;
use vivant::pose::Pose;
use vivant::rig::Rig;

/// A clip to judge.
#[derive(Clone, Copy, Debug)]
pub struct Labelled<'a> {
    /// What it is called in the answer; the name itself tells nothing to the analysis.
    pub name: &'a str,
    /// Its motion.
    pub clip: &'a Clip,
}

/// A stance of a repertoire that exists already.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// Its name.
    pub name: &'a str,
    /// The layers that it holds.
    pub layers: &'a [Layer],
    /// How it looks on the rig.
    pub pose: Pose,
}

/// What a clip seems to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    /// The clip's name.
    pub clip: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Guess<Type>,
    /// The stance that it starts in, and ends in too unless it is a transition.
    pub stance: Guess<String>,
    /// The stance where a transition ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_stance: Option<Guess<String>>,
    /// The hand that does it; none if the hands rest.
    pub hand: Guess<Option<Hand>>,
    /// The layers to play it on.
    pub layers: Vec<Layer>,
    /// What it means, as far as motion tells.
    pub tags: Vec<String>,
    /// Where to begin, in seconds.
    pub start: f64,
    /// Where to end, in seconds.
    pub end: f64,
    /// Whether it can be looped.
    #[serde(rename = "loop")]
    pub looped: bool,
    /// Why, for people.
    pub reasons: String,
}

/// What a clip can be: paper 4's taxonomy, with the stances themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Type {
    /// A way to stand or sit that can be kept up.
    Stance,
    /// Done on purpose, with a meaning or a beat.
    Gesture,
    /// A tick or a small movement.
    Fidget,
    /// From one stance to another.
    Transition,
}

impl Type {
    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stance => "stance",
            Self::Gesture => "gesture",
            Self::Fidget => "fidget",
            Self::Transition => "transition",
        }
    }
}

/// A value, and how sure it is from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Guess<T> {
    /// The likeliest value.
    pub value: T,
    /// How sure it is: 1 is certain, below 0.5 people should look.
    pub confidence: f64,
}

impl<T> Guess<T> {
    /// What cannot be computed is not sure at all.
    fn new(value: T, confidence: f32) -> Self {
        let confidence = if confidence.is_finite() { f64::from(confidence.clamp(0.0, 1.0)) } else { 0.0 };
        Self { value, confidence }
    }

    fn scaled(self, share: f32) -> Self {
        let confidence = self.confidence as f32 * share;
        Self::new(self.value, confidence)
    }
}

/// Says for each clip what it seems to be. Stances that no known one is like are found by comparing the
/// poses in which clips begin and end, and named after how they look.
#[must_use]
pub fn suggest(clips: &[Labelled<'_>], known: &[Known<'_>], rig: &Rig) -> Vec<Suggestion> {
    suggest_with(clips, known, rig, &mut |_, _| {})
}

/// The same, and calls `progress` with how many clips are done and how many there are.
#[must_use]
pub fn suggest_with(
    clips: &[Labelled<'_>],
    known: &[Known<'_>],
    rig: &Rig,
    progress: &mut dyn FnMut(usize, usize),
) -> Vec<Suggestion> {
    let yardstick = Yardstick::new(rig);
    let mut judged = Vec::with_capacity(clips.len());
    for (done, clip) in clips.iter().enumerate() {
        progress(done, clips.len());
        judged.push(Judged::of(clip.clip, &yardstick));
    }
    progress(clips.len(), clips.len());
    let known = Stances::new(known, &yardstick);
    judged.iter_mut().for_each(|judged| judged.heed(&known));
    let stances = all_stances(&judged, known);
    clips.iter().zip(judged).map(|(clip, judged)| judged.suggestion(clip.name, &stances)).collect()
}

/// Learns the stances: from the clips that are stances first, then from ends at rest, then from the others.
fn all_stances(judged: &[Judged], mut stances: Stances) -> Stances {
    for j in judged.iter().filter(|j| j.kind.value == Type::Stance) {
        stances.learn(&j.typical, true);
    }
    let ends = || judged.iter().filter(|j| j.kind.value != Type::Stance).flat_map(Judged::ends);
    for (moment, settled) in ends().filter(|(_, settled)| *settled).chain(ends()) {
        stances.learn(moment, settled);
    }
    stances
}

/// A clip that has been looked at by itself.
struct Judged {
    /// Where the sound part of the clip begins and ends, in seconds.
    sound: (f64, f64),
    duration: f64,
    seen: Vec<Moment>,
    measures: Measures,
    signs: Signs,
    kind: Guess<Type>,
    part: RangeInclusive<usize>,
    seam_deg: f32,
    /// The moment that looks most like the whole.
    typical: Moment,
}

impl Judged {
    fn of(clip: &Clip, yardstick: &Yardstick<'_>) -> Self {
        let mut sound = trim::sound_part(clip, yardstick);
        let mut seen = yardstick.track(clip, sound.0, sound.1);
        let lead = trim::after_t_pose(&seen);
        seen.drain(..lead);
        sound.0 += lead as f64 / RATE;
        let measures = Measures::of(&seen);
        let signs = Signs::of(&measures);
        let kind = signs.kind(&measures);
        let (looping, seam_deg) = trim::looping_part(&seen);
        let part = if kind.value == Type::Stance { looping } else { trim::moving_part(&seen) };
        let typical = typical(&seen);
        Self { sound, duration: clip.duration(), seen, measures, signs, kind, part, seam_deg, typical }
    }

    /// Known stances decide what is small: who goes from one to another does not only move.
    fn heed(&mut self, known: &Stances) {
        let last = self.seen.len() - 1;
        let Some(layer) = known.way(&self.seen[0], &self.seen[last]) else { return };
        if self.kind.value != Type::Gesture && self.signs.is_quiet() {
            self.signs.known_way = Some(layer);
            self.kind = Guess::new(Type::Transition, 0.9 * self.signs.quality);
            self.part = trim::moving_part(&self.seen);
        }
    }

    /// The first and the last moment of the part that is played, and whether it rests there.
    fn ends(&self) -> [(&Moment, bool); 2] {
        let rests = |k: usize| {
            let beside = if k == *self.part.start() { k + 3 } else { k.saturating_sub(3) };
            let beside = &self.seen[beside.min(self.seen.len() - 1)];
            // A tenth of a second at 60° a second.
            self.seen[k].stick.greatest_deg(&beside.stick) < 6.0
        };
        [*self.part.start(), *self.part.end()].map(|k| (&self.seen[k], rests(k)))
    }

    fn suggestion(self, name: &str, stances: &Stances) -> Suggestion {
        let mut kind = self.kind.clone();
        let layers = self.signs.layers(kind.value);
        let is_stance = kind.value == Type::Stance;
        let [(first, _), (last, _)] = self.ends();
        let start_pose = if is_stance { &self.typical } else { first };
        let (stance, stick) = stances.of(start_pose, &layers);
        let (end_stance, end_stick) = stances.of(last, &layers);
        let goes = kind.value == Type::Transition;
        if goes && stance.value == end_stance.value && !self.signs.goes_in_part() {
            kind = kind.scaled(0.5);
        }
        let ends = [&stick, if goes { &end_stick } else { &stick }];
        let part =
            if is_stance { self.part.clone() } else { trim::settled(&self.seen, self.part.clone(), ends) };
        let (start, end) = self.seconds(&part);
        let trust = self.signs.quality;
        let hand = self.signs.hand(&self.measures, kind.value);
        let looped = is_stance && self.seam_deg < LOOP_SEAM_DEG;
        let reasons = reasons::sentence(&self, (start, end), looped);
        Suggestion {
            clip: name.to_owned(),
            tags: self.signs.tags(&self.measures, kind.value),
            kind,
            stance: stance.scaled(trust),
            end_stance: goes.then(|| end_stance.scaled(trust)),
            hand,
            layers,
            start,
            end,
            looped,
            reasons,
        }
    }

    /// A part in seconds of the clip.
    fn seconds(&self, part: &RangeInclusive<usize>) -> (f64, f64) {
        let at = |k: usize| (self.sound.0 + k as f64 / RATE).min(self.duration);
        let whole = *part.end() == self.seen.len() - 1 && self.sound.1 - at(*part.end()) < 1.0 / RATE;
        (at(*part.start()), if whole { self.sound.1 } else { at(*part.end()) })
    }
}

/// A loop whose ends differ by less is not seen to jump once it is blended, in degrees.
const LOOP_SEAM_DEG: f32 = 8.0;

/// The moment nearest to the mean of all.
fn typical(seen: &[Moment]) -> Moment {
    let mean = Moment::mean(seen);
    let far = |m: &Moment| m.stick.distance_deg(&mean.stick, |_| true);
    let nearest = seen.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
    *nearest.expect("a clip has at least one frame")
}
