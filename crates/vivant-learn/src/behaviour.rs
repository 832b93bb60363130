//! Learns a behaviour model from annotated videos (paper 4, section 7.3).
//!
//! Projects annotate movements of arms, head and body in ELAN, each with its own tiers and labels. A [`TierMap`] says
//! which tier annotates which part of the body, and which label is a gesture, a fidget or a transition. This module
//! then counts which action follows which, and measures how long each action takes and how long the gap after it is.
//! Nothing is counted across files or people.
//!
//! ```
//! use vivant_learn::behaviour::{TierMap, AnnotatedVideo, learn};
//! # let slots: String = (0..6).map(|i| format!("<TIME_SLOT TIME_SLOT_ID='s{i}' TIME_VALUE='{}'/>", i * 900)).collect();
//! # let words = ["gesture", "gesture", "fidget"].iter().enumerate().map(|(i, word)| format!(
//! #     "<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID='a{i}' TIME_SLOT_REF1='s{}' TIME_SLOT_REF2='s{}'>\
//! #      <ANNOTATION_VALUE>{word}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>", 2 * i, 2 * i + 1));
//! # let bytes = format!("<ANNOTATION_DOCUMENT><TIME_ORDER>{slots}</TIME_ORDER>\
//! #     <TIER TIER_ID='right arm' LINGUISTIC_TYPE_REF='t'>{}</TIER>\
//! #     <LINGUISTIC_TYPE LINGUISTIC_TYPE_ID='t'/></ANNOTATION_DOCUMENT>", words.collect::<String>());
//! # let bytes = bytes.as_bytes();
//! let mut warnings = Vec::new();
//! let annotations = vivant_io::eaf::read(bytes, &mut warnings)?;
//! let map = TierMap::parse("tier = [{ part = 'right-arm', name = 'right*', kind = 'gesture' }]\n[values]\n'fidget*' = 'fidget'")?;
//! let learned = learn(&[AnnotatedVideo { name: "a.eaf".into(), annotations }], &map, &mut warnings)?;
//! let arms = &learned.counts[0];
//! assert_eq!((arms.count("RG", "RG"), arms.count("RG", "RF")), (Some(1), Some(1)));
//! # Ok::<(), vivant_io::Error>(())
//! ```

mod count;
mod events;
mod map;
mod parse;
mod pattern;
#[cfg(test)]
mod tests;
mod text;

pub use map::{Meaning, Semantics, TierMap, TierPart, TierRule, ValueRule};
pub use pattern::Pattern;

use serde::Serialize;
use vivant::body::behaviour::{Behaviour, Chains, VERSION};
use vivant::eyes::blinking::Activity;
use vivant_io::eaf::Annotations;
use vivant_io::{Error, Result, Warning};

/// An annotated video.
#[derive(Clone, Debug, PartialEq)]
pub struct AnnotatedVideo {
    /// Name used in messages.
    pub name: String,
    /// The annotations.
    pub annotations: Annotations,
}

/// The result of learning.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// The behaviour model.
    pub behaviour: Behaviour,
    /// The counts from which the model was learned, for every chain with states: first over the whole time, then while
    /// speaking, then while listening.
    pub counts: Vec<Counts>,
    /// The tiers that were used.
    pub matched: Vec<Matched>,
}

/// Part of the body with its own Markov chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChainName {
    /// Both arms.
    Arms,
    /// Head movements.
    Head,
    /// Head stance.
    HeadStance,
    /// Body, legs and spine.
    Body,
}

impl ChainName {
    /// All chains.
    pub const ALL: [Self; 4] = [Self::Arms, Self::Head, Self::HeadStance, Self::Body];
}

/// Counts of a chain, and the transition probabilities computed from them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Counts {
    /// The activity; `None` for the whole time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<Activity>,
    /// The chain.
    pub chain: ChainName,
    /// Names of the states; for the arms, the nine states of paper 4's Figure 11 come first, in that order.
    pub states: Vec<String>,
    /// Number of occurrences of each state.
    pub occurrences: Vec<u64>,
    /// Number of transitions: one row per state, one column per next state.
    pub transitions: Vec<Vec<u64>>,
    /// Transition probabilities after smoothing; each row sums to 1. Without smoothing, the row of a state without
    /// transitions contains the overall frequencies of the states.
    pub matrix: Vec<Vec<f64>>,
}

impl Counts {
    /// Returns how often the state `to` followed the state `from`; `None` if a name is unknown.
    #[must_use]
    pub fn count(&self, from: &str, to: &str) -> Option<u64> {
        let index = |name: &str| self.states.iter().position(|state| state == name);
        Some(self.transitions[index(from)?][index(to)?])
    }
}

/// A tier that was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Matched {
    /// Name of the video.
    pub file: String,
    /// Name of the tier.
    pub tier: String,
    /// The annotated person; empty if neither the map nor the file names one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub person: String,
    /// Part of the behaviour that the tier annotates.
    pub part: TierPart,
    /// Number of annotations that were used.
    pub annotations: usize,
    /// Number of annotations that were ignored.
    pub ignored: usize,
}

/// Learns a behaviour model from annotated videos.
///
/// # Errors
/// Returns an error if no tier matches the map, if no value on the matching tiers matches, or if all durations are
/// zero.
pub fn learn(recordings: &[AnnotatedVideo], map: &TierMap, warnings: &mut Vec<Warning>) -> Result<Learned> {
    let gathered = events::gather(recordings, map, warnings)?;
    let mut counts = Vec::new();
    let mut chains = |activity: Option<Activity>| {
        let mut of = |chain| count::chain(&gathered.streams, chain, activity, map, &mut counts);
        Chains {
            arms: of(ChainName::Arms),
            head: of(ChainName::Head),
            head_stance: of(ChainName::HeadStance),
            body: of(ChainName::Body),
        }
    };
    let always = chains(None);
    let mut during = |activity| gathered.knows_speech.then(|| chains(Some(activity)));
    let (speaking, listening) = (during(Activity::Speaking), during(Activity::Listening));
    let origin = map.origin.clone().unwrap_or_else(|| origin(recordings, &gathered.matched));
    let behaviour =
        Behaviour { version: VERSION, origin, always, speaking, listening, thinking: None, idle: None };
    behaviour.check().map_err(|error| {
        Error::new(format!("the learned model is invalid; check the annotations and the map: {error}"))
    })?;
    Ok(Learned { behaviour, counts, matched: gathered.matched })
}

/// Describes the videos and the number of annotations.
fn origin(recordings: &[AnnotatedVideo], matched: &[Matched]) -> String {
    let names: Vec<&str> = recordings.iter().map(|recording| recording.name.as_str()).collect();
    let annotations: usize = matched.iter().map(|tier| tier.annotations).sum();
    format!("learned from {annotations} annotations in {}", names.join(", "))
}
