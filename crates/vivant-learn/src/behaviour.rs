//! A behaviour model from annotated video (paper 4, section 7.3).
//!
//! People annotate in ELAN what arms, head and body do, each project with tiers and words of its own. A
//! [`TierMap`] says which tier is which part of the body, and which word is a gesture, a fidget or a
//! transition. From there on it is counting: which action follows which, how long each takes, and how
//! long the rest after it. Nothing is counted from one file to the next, or from one person to another.
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
    /// What messages call it.
    pub name: String,
    /// Its annotations.
    pub annotations: Annotations,
}

/// What was learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// The model.
    pub behaviour: Behaviour,
    /// What it was made of, for every chain that has states: first those of all the time, then of speaking,
    /// then of listening.
    pub counts: Vec<Counts>,
    /// Which tiers were taken for what.
    pub matched: Vec<Matched>,
}

/// The parts of the body that have a chain of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChainName {
    /// Both arms.
    Arms,
    /// What the head does.
    Head,
    /// How the head is held.
    HeadStance,
    /// Body, legs and spine.
    Body,
}

impl ChainName {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Arms, Self::Head, Self::HeadStance, Self::Body];
}

/// What was counted for a chain, before anything was smoothed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Counts {
    /// While what; `None` is all the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<Activity>,
    /// Whose chain.
    pub chain: ChainName,
    /// The names of the states; for the arms first the nine of paper 4's Figure 11, in its order.
    pub states: Vec<String>,
    /// How often each state occurred.
    pub occurrences: Vec<u64>,
    /// A row a state: how often each state was the next.
    pub transitions: Vec<Vec<u64>>,
    /// The rows as probabilities, smoothed. The row of a state that was never left is how common the states
    /// are over all.
    pub matrix: Vec<Vec<f64>>,
}

impl Counts {
    /// How often one state followed another, by their names.
    #[must_use]
    pub fn count(&self, from: &str, to: &str) -> Option<u64> {
        let index = |name: &str| self.states.iter().position(|state| state == name);
        Some(self.transitions[index(from)?][index(to)?])
    }
}

/// A tier that was taken for a part of the body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Matched {
    /// The recording.
    pub file: String,
    /// The tier.
    pub tier: String,
    /// Whose it is, if the map or the file says so.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub person: String,
    /// What it was taken for.
    pub part: TierPart,
    /// How many annotations were taken.
    pub annotations: usize,
    /// How many were left out.
    pub ignored: usize,
}

/// Learns from recordings.
///
/// # Errors
/// When no tier fits the map, when none of their values does, or when the actions take no time.
pub fn learn(recordings: &[AnnotatedVideo], map: &TierMap, warnings: &mut Vec<Warning>) -> Result<Learned> {
    let gathered = events::gathered(recordings, map, warnings)?;
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
    behaviour.check().map_err(|error| Error::new(format!("what was learned cannot be used: {error}")))?;
    Ok(Learned { behaviour, counts, matched: gathered.matched })
}

/// Which recordings, and how much of them.
fn origin(recordings: &[AnnotatedVideo], matched: &[Matched]) -> String {
    let names: Vec<&str> = recordings.iter().map(|recording| recording.name.as_str()).collect();
    let annotations: usize = matched.iter().map(|tier| tier.annotations).sum();
    format!("learned from {annotations} annotations in {}", names.join(", "))
}
