//! What a clip is to be: as the flags say, and where they do not, as its motion suggests.

use crate::args::repertoire::{Add, TypeArg};
use crate::repertoire::sources::Source;
use serde::Serialize;
use vivant::body::layers::Layer;
use vivant::body::repertoire::Hand;
use vivant_learn::suggest::{Suggestion, Type};

/// A clip with its labels.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Label {
    /// As the repertoire spells it.
    pub(super) clip: String,
    #[serde(rename = "type")]
    pub(super) kind: Type,
    pub(super) stance: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    pub(super) hand: Option<Hand>,
    pub(super) layers: Vec<Layer>,
    pub(super) tags: Vec<String>,
    pub(super) start: f64,
    /// Only where the clip goes on after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end: Option<f64>,
    /// How sure the least sure of what was not said is.
    pub(super) confidence: f64,
    /// How long the clip is, in seconds.
    #[serde(skip)]
    pub(super) seconds: f64,
    /// What was said by flags, and is not to be put right.
    #[serde(skip)]
    pub(super) said: Said,
}

/// Which labels people gave.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Said {
    pub(super) kind: bool,
    pub(super) stance: bool,
    pub(super) to: bool,
    pub(super) layers: bool,
}

impl Label {
    pub(super) fn new(args: &Add, spelling: &str, source: &Source, found: Suggestion) -> Self {
        // Who says where it leads says that it is a transition.
        let kind = args.kind.or(args.to.is_some().then_some(TypeArg::Transition));
        let said = Said {
            kind: kind.is_some(),
            stance: args.stance.is_some(),
            to: args.to.is_some(),
            layers: !args.layers.is_empty(),
        };
        let confidence = confidence(&found, said, args.hand.is_some());
        let kind = kind.map_or(found.kind.value, Type::from);
        let to = args.to.clone().or(found.end_stance.map(|end| end.value));
        let seconds = source.clip.duration();
        Self {
            clip: spelling.to_owned(),
            kind,
            stance: args.stance.clone().unwrap_or(found.stance.value),
            to: to.filter(|_| kind == Type::Transition),
            name: args.name.clone(),
            hand: args.hand.map(Hand::from).or(found.hand.value),
            layers: if said.layers {
                args.layers.iter().map(|l| (*l).into()).collect()
            } else {
                found.layers
            },
            tags: if args.tags.is_empty() { found.tags } else { args.tags.clone() },
            start: milliseconds(found.start),
            end: Some(milliseconds(found.end)).filter(|end| *end < seconds - 0.02),
            confidence,
            seconds,
            said,
        }
    }
}

fn confidence(found: &Suggestion, said: Said, hand_was_said: bool) -> f64 {
    let guesses = [
        (!said.kind).then_some(found.kind.confidence),
        (!said.stance).then_some(found.stance.confidence),
        found.end_stance.as_ref().filter(|_| !said.to).map(|end| end.confidence),
        (!hand_was_said).then_some(found.hand.confidence),
    ];
    guesses.into_iter().flatten().fold(1.0, f64::min)
}

/// Down to whole milliseconds, which people can read and no clip is too short for.
fn milliseconds(seconds: f64) -> f64 {
    (seconds * 1e3 + 1e-6).floor() / 1e3
}
