//! What a clip is to be: as people say, and where they do not, as its motion suggests.

use serde::Serialize;
use vivant::body::layers::Layer;
use vivant::body::repertoire::Hand;
use vivant_learn::suggest::{Suggestion, Type};

/// A clip with its labels.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Label {
    /// As the repertoire spells it.
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
    /// Only where the clip goes on after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end: Option<f64>,
    /// How sure the least sure of what was not said is.
    pub(crate) confidence: f64,
    /// How long the clip is, in seconds.
    #[serde(skip)]
    pub(crate) seconds: f64,
    /// What was said, and is not to be put right.
    #[serde(skip)]
    pub(crate) said: Said,
}

/// Which labels people gave.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Said {
    pub(crate) kind: bool,
    pub(crate) stance: bool,
    pub(crate) to: bool,
    pub(crate) layers: bool,
}

/// How clips are to be labelled; what is left open is suggested by their motion.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// The type.
    pub kind: Option<Type>,
    /// The stance that it starts in, or is.
    pub stance: Option<String>,
    /// The stance that a transition leads to.
    pub to: Option<String>,
    /// The name.
    pub name: Option<String>,
    /// The hand of a gesture.
    pub hand: Option<Hand>,
    /// The layers.
    pub layers: Vec<Layer>,
    /// The tags.
    pub tags: Vec<String>,
}

impl Label {
    /// Of a clip that is so many seconds long.
    pub(crate) fn new(wish: &Wish, spelling: &str, seconds: f64, found: Suggestion) -> Self {
        // Who says where it leads says that it is a transition.
        let kind = wish.kind.or(wish.to.is_some().then_some(Type::Transition));
        let said = Said {
            kind: kind.is_some(),
            stance: wish.stance.is_some(),
            to: wish.to.is_some(),
            layers: !wish.layers.is_empty(),
        };
        let confidence = confidence(&found, said, wish.hand.is_some());
        let kind = kind.unwrap_or(found.kind.value);
        let to = wish.to.clone().or(found.end_stance.map(|end| end.value));
        Self {
            clip: spelling.to_owned(),
            kind,
            stance: wish.stance.clone().unwrap_or(found.stance.value),
            to: to.filter(|_| kind == Type::Transition),
            name: wish.name.clone(),
            hand: wish.hand.or(found.hand.value),
            layers: if said.layers { wish.layers.clone() } else { found.layers },
            tags: if wish.tags.is_empty() { found.tags } else { wish.tags.clone() },
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
