//! Spontaneous behaviour: a first-order Markov model (paper 4, section 7.3).
//!
//! A state is an abstract action, such as a gesture of the right hand. A chain defines which state follows which, how
//! long each takes, and how long the pause after it is. Chains are learned from annotated video, and sampled while
//! the agent sends no requests.
//!
//! ```
//! use vivant::body::behaviour::Behaviour;
//! use vivant::chance::Chance;
//! use vivant::eyes::blinking::Activity;
//!
//! let behaviour = Behaviour::standard();
//! let arms = &behaviour.chains(Activity::Speaking).arms;
//! let mut draw = Chance::new(1, "arms").event(0);
//! let first = arms.next(None, &mut draw).unwrap();
//! assert!(arms.states[first].duration.sample(&mut draw) > 0.0);
//! ```

mod check;
mod standard;

use crate::body::repertoire::{Hand, Kind};
use crate::chance::Draw;
use crate::error::Result;
use crate::eyes::blinking::Activity;
use serde::{Deserialize, Serialize};

/// Format version that is written to `behaviour.json`.
pub const VERSION: u32 = 1;

/// Behaviour of a character, by layer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Behaviour {
    /// Version of the format: 1.
    pub version: u32,
    /// Origin of the model: the annotations and the annotated people, or the designer.
    pub origin: String,
    /// Behaviour during every activity without its own chains.
    pub always: Chains,
    /// Behaviour while speaking.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaking: Option<Chains>,
    /// Behaviour while listening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listening: Option<Chains>,
    /// Behaviour while thinking.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<Chains>,
    /// Behaviour while idle or reading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle: Option<Chains>,
}

/// One chain per body part. A chain without states does nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Chains {
    /// Actions of the arms: gestures, fidgets and transitions of the left hand, of the right hand, and of both hands.
    pub arms: Chain,
    /// Head gestures: nods, shakes.
    pub head: Chain,
    /// Head posture: transitions between head stances.
    pub head_stance: Chain,
    /// Body, legs and spine: transitions between stances.
    pub body: Chain,
}

/// A Markov chain of states.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Chain {
    /// States of the chain; at most 256.
    pub states: Vec<State>,
    /// For each state, the probability that the chain starts with it. The values add up to 1.
    pub start: Vec<f64>,
    /// One row per state: the probability of each state to be the next. Each row adds up to 1.
    pub matrix: Vec<Vec<f64>>,
}

/// An abstract action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct State {
    /// Name as in paper 4's Figure 11: `LG`, `RF`, `LRT`; with a meaning `LG:positive`.
    pub name: String,
    /// Kind of the action.
    pub kind: Kind,
    /// Hand that performs the action; only for the arms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<Hand>,
    /// Tags that the action must have, for its meaning, such as `positive`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Duration of the action in seconds.
    pub duration: Spread,
    /// Pause after the action in seconds.
    pub gap: Spread,
}

/// A distribution, given by quantiles at equally spaced probabilities: from the minimum to the maximum, in ascending
/// order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Spread(pub Vec<f64>);

impl Spread {
    /// Draws a value by linear interpolation between the quantiles. Returns 0 if there are no quantiles.
    #[must_use]
    pub fn sample(&self, draw: &mut Draw) -> f64 {
        let at = draw.uniform() * self.0.len().saturating_sub(1) as f64;
        let below = at as usize;
        match (self.0.get(below), self.0.get(below + 1)) {
            (Some(low), Some(high)) => low + (high - low) * (at - below as f64),
            (Some(only), None) => *only,
            _ => 0.0,
        }
    }
}

impl Behaviour {
    /// The built-in model for characters without their own model: our design of a person in casual conversation.
    /// `docs/concepts/behaviour.md` gives the reasons for its numbers.
    #[must_use]
    pub fn standard() -> Self {
        standard::behaviour()
    }

    /// Checks that the model can be sampled: sizes agree, rows add up to 1, quantiles ascend, and every state takes
    /// time.
    ///
    /// # Errors
    /// If there is a problem. The error lists all problems with their paths, such as `speaking.arms.matrix[3]`.
    pub fn check(&self) -> Result<()> {
        check::check(self)
    }

    /// Returns the chains for an activity, or the field `always` if the activity has none.
    #[must_use]
    pub fn chains(&self, activity: Activity) -> &Chains {
        let own = match activity {
            Activity::Speaking => &self.speaking,
            Activity::Listening => &self.listening,
            Activity::Thinking => &self.thinking,
            Activity::Idle | Activity::Reading => &self.idle,
        };
        own.as_ref().unwrap_or(&self.always)
    }
}

impl State {
    /// Returns the name as in paper 4's Figure 11: hand and kind, then the meaning.
    #[must_use]
    pub fn name_of(hand: Option<Hand>, kind: Kind, tags: &[String]) -> String {
        let hand = hand.map_or("", Hand::letters);
        let colon = if tags.is_empty() { "" } else { ":" };
        format!("{hand}{}{colon}{}", kind.letter(), tags.join("+"))
    }
}

impl Chain {
    /// Draws the index of the state that follows the state `after`, or of the first state if `after` is `None`.
    /// Returns `None` if there are no states.
    #[must_use]
    pub fn next(&self, after: Option<usize>, draw: &mut Draw) -> Option<usize> {
        let row = after.and_then(|state| self.matrix.get(state)).unwrap_or(&self.start);
        draw.weighted(row).filter(|state| *state < self.states.len())
    }
}

impl Chains {
    /// The chains with their names in `behaviour.json`.
    #[must_use]
    pub fn named(&self) -> [(&'static str, &Chain); 4] {
        [("arms", &self.arms), ("head", &self.head), ("headStance", &self.head_stance), ("body", &self.body)]
    }
}
