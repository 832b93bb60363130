//! Suggests labels for unlabelled clips.
//!
//! In paper 4 an animator assigns a stance and a type (gesture, fidget, stance, transition) to every clip, and
//! automatic analysis is named as future work. This module measures the motion of hands, head, trunk, hips and feet.
//! Rules with soft thresholds then give a label, a confidence and a reason. The labels are proposals that the user
//! should review.
//!
//! ```
//! use vivant_learn::suggest::{NamedClip, Type, suggest};
//!
//! let (rig, clips) = (vivant_mannequin::rig(), vivant_mannequin::starter_clips());
//! let clips: Vec<_> = clips.iter().map(|clip| NamedClip { name: clip.name(), clip }).collect();
//! let wave = suggest(&clips, &[], &rig).into_iter().find(|s| s.clip == "wave").unwrap();
//! assert_eq!(wave.kind.value, Type::Gesture);
//! assert_eq!(wave.hand.value.unwrap().letters(), "R");
//! ```

mod event;
mod measure;
mod reasons;
mod rules;
mod small;
mod stances;
#[cfg(test)]
mod tests;
mod track;
mod trim;

use measure::Measures;
use rules::Cues;
use serde::{Deserialize, Serialize};
use stances::Stances;
use std::ops::RangeInclusive;
use track::{PoseMeasurer, PoseSample, RATE};
use vivant::body::layers::Layer;
use vivant::body::repertoire::Hand;
use vivant::clip::Clip;
use vivant::pose::Pose;
use vivant::rig::Rig;

/// A clip to analyse.
#[derive(Clone, Copy, Debug)]
pub struct NamedClip<'a> {
    /// Name of the clip in the result; the analysis does not use it.
    pub name: &'a str,
    /// The motion.
    pub clip: &'a Clip,
}

/// An existing stance of a repertoire.
#[derive(Clone, Copy, Debug)]
pub struct KnownStance<'a> {
    /// Name of the stance.
    pub name: &'a str,
    /// Layers of the stance.
    pub layers: &'a [Layer],
    /// Pose on the rig.
    pub pose: Pose,
}

/// Suggested labels of a clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    /// Name of the clip.
    pub clip: String,
    /// Type of the clip.
    #[serde(rename = "type")]
    pub kind: Guess<Type>,
    /// Stance at the start of the clip. It is also the stance at the end, unless the clip is a transition.
    pub stance: Guess<String>,
    /// Stance at the end of a transition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_stance: Option<Guess<String>>,
    /// The hand that acts; `None` if the hands rest.
    pub hand: Guess<Option<Hand>>,
    /// Layers on which the clip is played.
    pub layers: Vec<Layer>,
    /// Tags for the meaning, as far as the motion shows it.
    pub tags: Vec<String>,
    /// Start of the part to play, in seconds.
    pub start: f64,
    /// End of the part to play, in seconds.
    pub end: f64,
    /// True if the clip can be looped.
    #[serde(rename = "loop")]
    pub looped: bool,
    /// Explanation for the user, in one or a few sentences.
    pub reasons: String,
}

/// Type of a clip: paper 4's taxonomy, and stances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Type {
    /// A posture that can be held.
    Stance,
    /// A deliberate movement with a meaning or a beat.
    Gesture,
    /// A habitual or small movement.
    Fidget,
    /// A movement from one stance to another.
    Transition,
}

impl Type {
    /// Returns the name of the type.
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

/// A value with its confidence from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Guess<T> {
    /// The most likely value.
    pub value: T,
    /// Confidence: 1 is certain; below 0.5 the value should be reviewed.
    pub confidence: f64,
}

impl<T> Guess<T> {
    /// Creates a guess. A confidence that is not finite counts as 0.
    fn new(value: T, confidence: f32) -> Self {
        let confidence = if confidence.is_finite() { f64::from(confidence.clamp(0.0, 1.0)) } else { 0.0 };
        Self { value, confidence }
    }

    fn scaled(self, share: f32) -> Self {
        let confidence = self.confidence as f32 * share;
        Self::new(self.value, confidence)
    }
}

/// Suggests labels for each clip. Stances that differ from the known ones are found by comparing the poses at the
/// start and end of clips. They are named after the posture and the position of the arms.
#[must_use]
pub fn suggest(clips: &[NamedClip<'_>], known: &[KnownStance<'_>], rig: &Rig) -> Vec<Suggestion> {
    suggest_with(clips, known, rig, &mut |_, _| {})
}

/// Does the same as [`suggest`], and calls `progress` with the number of finished clips and the total number.
#[must_use]
pub fn suggest_with(
    clips: &[NamedClip<'_>],
    known: &[KnownStance<'_>],
    rig: &Rig,
    progress: &mut dyn FnMut(usize, usize),
) -> Vec<Suggestion> {
    let measurer = PoseMeasurer::new(rig);
    let mut analysed = Vec::with_capacity(clips.len());
    for (done, clip) in clips.iter().enumerate() {
        progress(done, clips.len());
        analysed.push(ClipAnalysis::of(clip.clip, &measurer));
    }
    progress(clips.len(), clips.len());
    let known = Stances::new(known, &measurer);
    analysed.iter_mut().for_each(|analysed| analysed.apply_known_stances(&known));
    let stances = all_stances(&analysed, known);
    clips.iter().zip(analysed).map(|(clip, analysed)| analysed.suggestion(clip.name, &stances)).collect()
}

/// Finds the stances: first from clips that are stances, then from clip ends at rest, then from all other clip ends.
fn all_stances(analysed: &[ClipAnalysis], mut stances: Stances) -> Stances {
    for j in analysed.iter().filter(|j| j.kind.value == Type::Stance) {
        stances.add(&j.typical, true);
    }
    let ends = || analysed.iter().filter(|j| j.kind.value != Type::Stance).flat_map(ClipAnalysis::ends);
    for (sample, settled) in ends().filter(|(_, settled)| *settled).chain(ends()) {
        stances.add(sample, settled);
    }
    stances
}

/// The analysis of a single clip.
struct ClipAnalysis {
    /// Start and end of the valid part of the clip, in seconds.
    valid: (f64, f64),
    duration: f64,
    samples: Vec<PoseSample>,
    measures: Measures,
    cues: Cues,
    kind: Guess<Type>,
    part: RangeInclusive<usize>,
    seam_deg: f32,
    /// The sample most similar to the mean pose.
    typical: PoseSample,
}

impl ClipAnalysis {
    fn of(clip: &Clip, measurer: &PoseMeasurer<'_>) -> Self {
        let mut valid = trim::valid_part(clip, measurer);
        let mut samples = measurer.track(clip, valid.0, valid.1);
        let lead = trim::after_t_pose(&samples);
        samples.drain(..lead);
        valid.0 += lead as f64 / RATE;
        let measures = Measures::of(&samples);
        let cues = Cues::of(&measures);
        let kind = cues.kind(&measures);
        let (looping, seam_deg) = trim::looping_part(&samples);
        let part = if kind.value == Type::Stance { looping } else { trim::moving_part(&samples) };
        let typical = typical(&samples);
        Self { valid, duration: clip.duration(), samples, measures, cues, kind, part, seam_deg, typical }
    }

    /// Labels a small movement as a transition if it goes from one known stance to another.
    fn apply_known_stances(&mut self, known: &Stances) {
        let last = self.samples.len() - 1;
        let Some(layer) = known.transition_layer(&self.samples[0], &self.samples[last]) else { return };
        if self.kind.value != Type::Gesture && self.cues.is_quiet() {
            self.cues.known_way = Some(layer);
            self.kind = Guess::new(Type::Transition, 0.9 * self.cues.quality);
            self.part = trim::moving_part(&self.samples);
        }
    }

    /// Returns the first and the last sample of the part to play, each with true if the pose rests there.
    fn ends(&self) -> [(&PoseSample, bool); 2] {
        let rests = |k: usize| {
            let beside = if k == *self.part.start() { k + 3 } else { k.saturating_sub(3) };
            let beside = &self.samples[beside.min(self.samples.len() - 1)];
            // The limit of 6° in a tenth of a second is 60°/s.
            self.samples[k].stick.greatest_deg(&beside.stick) < 6.0
        };
        [*self.part.start(), *self.part.end()].map(|k| (&self.samples[k], rests(k)))
    }

    fn suggestion(self, name: &str, stances: &Stances) -> Suggestion {
        let mut kind = self.kind.clone();
        let layers = self.cues.layers(kind.value);
        let is_stance = kind.value == Type::Stance;
        let [(first, _), (last, _)] = self.ends();
        let start_pose = if is_stance { &self.typical } else { first };
        let (stance, stick) = stances.of(start_pose, &layers);
        let (end_stance, end_stick) = stances.of(last, &layers);
        let goes = kind.value == Type::Transition;
        if goes && stance.value == end_stance.value && !self.cues.goes_in_part() {
            kind = kind.scaled(0.5);
        }
        let ends = [&stick, if goes { &end_stick } else { &stick }];
        let part =
            if is_stance { self.part.clone() } else { trim::settled(&self.samples, self.part.clone(), ends) };
        let (start, end) = self.seconds(&part);
        let trust = self.cues.quality;
        let hand = self.cues.hand(&self.measures, kind.value);
        let looped = is_stance && self.seam_deg < LOOP_SEAM_DEG;
        let reasons = reasons::sentence(&self, (start, end), looped);
        Suggestion {
            clip: name.to_owned(),
            tags: self.cues.tags(&self.measures, kind.value),
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

    /// Converts a range of samples to start and end in seconds of the clip.
    fn seconds(&self, part: &RangeInclusive<usize>) -> (f64, f64) {
        let at = |k: usize| (self.valid.0 + k as f64 / RATE).min(self.duration);
        let whole = *part.end() == self.samples.len() - 1 && self.valid.1 - at(*part.end()) < 1.0 / RATE;
        (at(*part.start()), if whole { self.valid.1 } else { at(*part.end()) })
    }
}

/// Maximum difference between the ends of a loop, in degrees. Smaller jumps are not visible in a cross-fade.
const LOOP_SEAM_DEG: f32 = 8.0;

/// Returns the sample nearest to the mean.
fn typical(samples: &[PoseSample]) -> PoseSample {
    let mean = PoseSample::mean(samples);
    let far = |m: &PoseSample| m.stick.distance_deg(&mean.stick, |_| true);
    let nearest = samples.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
    *nearest.expect("a clip has at least one frame")
}
