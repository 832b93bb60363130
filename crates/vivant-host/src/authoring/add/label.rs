//! The labels of a clip. Labels that the user did not give are suggested from the motion of the clip.

use serde::Serialize;
use vivant::body::layers::Layer;
use vivant::body::repertoire::Hand;
use vivant_learn::suggest::{Suggestion, Type};

/// A clip with its labels.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Label {
    /// The reference to the clip in the repertoire, such as `clips/wave.fbx`.
    pub(crate) clip: String,
    #[serde(rename = "type")]
    pub(crate) kind: Type,
    pub(crate) stance: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    pub(crate) hand: Option<Hand>,
    pub(crate) layers: Vec<Layer>,
    pub(crate) tags: Vec<String>,
    pub(crate) start: f64,
    /// End of the used part in seconds. Only set if the clip continues after this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end: Option<f64>,
    /// Lowest confidence of the suggested labels, from 0 to 1. Labels that the user gave are not counted.
    pub(crate) confidence: f64,
    /// Duration of the clip in seconds.
    #[serde(skip)]
    pub(crate) seconds: f64,
    /// Flags for the labels that the user gave. These labels must not be changed.
    #[serde(skip)]
    pub(crate) given: GivenLabels,
}

/// For each of these labels: true if the user gave the label.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GivenLabels {
    pub(crate) kind: bool,
    pub(crate) stance: bool,
    pub(crate) to: bool,
    pub(crate) layers: bool,
}

/// Labels that the user gives for clips. Missing labels are suggested from the motion.
#[derive(Clone, Debug, Default)]
pub struct LabelOptions {
    /// The type of the clip: stance, gesture, fidget or transition.
    pub kind: Option<Type>,
    /// The stance in which the clip starts. If the clip is a stance, this is the stance itself.
    pub stance: Option<String>,
    /// The stance in which a transition ends.
    pub to: Option<String>,
    /// The name of the clip in the repertoire.
    pub name: Option<String>,
    /// The hand of a gesture.
    pub hand: Option<Hand>,
    /// The layers that the clip animates.
    pub layers: Vec<Layer>,
    /// The tags of the clip.
    pub tags: Vec<String>,
}

impl Label {
    /// Labels a clip with a duration of `seconds`. Labels that `options` does not contain are taken from the
    /// suggestion `found`.
    pub(crate) fn new(options: &LabelOptions, spelling: &str, seconds: f64, found: Suggestion) -> Self {
        // A target stance implies a transition.
        let kind = options.kind.or(options.to.is_some().then_some(Type::Transition));
        let given = GivenLabels {
            kind: kind.is_some(),
            stance: options.stance.is_some(),
            to: options.to.is_some(),
            layers: !options.layers.is_empty(),
        };
        let confidence = confidence(&found, given, options.hand.is_some());
        let kind = kind.unwrap_or(found.kind.value);
        let to = options.to.clone().or(found.end_stance.map(|end| end.value));
        Self {
            clip: spelling.to_owned(),
            kind,
            stance: options.stance.clone().unwrap_or(found.stance.value),
            to: to.filter(|_| kind == Type::Transition),
            name: options.name.clone(),
            hand: options.hand.or(found.hand.value),
            layers: if given.layers { options.layers.clone() } else { found.layers },
            tags: if options.tags.is_empty() { found.tags } else { options.tags.clone() },
            start: milliseconds(found.start),
            end: Some(milliseconds(found.end)).filter(|end| *end < seconds - 0.02),
            confidence,
            seconds,
            given,
        }
    }
}

fn confidence(found: &Suggestion, given: GivenLabels, hand_was_given: bool) -> f64 {
    let guesses = [
        (!given.kind).then_some(found.kind.confidence),
        (!given.stance).then_some(found.stance.confidence),
        found.end_stance.as_ref().filter(|_| !given.to).map(|end| end.confidence),
        (!hand_was_given).then_some(found.hand.confidence),
    ];
    guesses.into_iter().flatten().fold(1.0, f64::min)
}

/// Rounds down to whole milliseconds, so that the number is short and never beyond the end of the clip.
fn milliseconds(seconds: f64) -> f64 {
    (seconds * 1e3 + 1e-6).floor() / 1e3
}
