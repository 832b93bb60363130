//! What people do while nobody tells them: a first-order Markov model (paper 4, section 7.3).
//!
//! A state is an abstract action, such as a gesture of the right hand. A chain says which state follows
//! which, how long each takes, and how long the rest after it. It is learned from annotated video, and
//! sampled when an agent asks for nothing.
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

/// The version of `behaviour.json` that is written.
pub const VERSION: u32 = 1;

/// How someone behaves, layer by layer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Behaviour {
    /// The version of the format: 1.
    pub version: u32,
    /// Where it comes from: which annotations, of whom, or whose design.
    pub origin: String,
    /// Behaviour in every state that has none of its own.
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
    /// Behaviour while idle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle: Option<Chains>,
}

/// A chain a body part. A chain without states does nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Chains {
    /// The arms: {L, R, LR} × {gesture, fidget, transition}.
    pub arms: Chain,
    /// What the head does: nods, shakes.
    pub head: Chain,
    /// How the head is held: transitions between head stances.
    pub head_stance: Chain,
    /// Body, legs and spine: transitions between stances.
    pub body: Chain,
}

/// Which state follows which, and when.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Chain {
    /// The states.
    pub states: Vec<State>,
    /// How likely each state is to be the first.
    pub start: Vec<f64>,
    /// A row a state: how likely each state is to be the next.
    pub matrix: Vec<Vec<f64>>,
}

/// An abstract action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct State {
    /// As in paper 4's Figure 11: `LG`, `RF`, `LRT`; with a meaning `LG:positive`.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// The hand, for the arms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<Hand>,
    /// What it means.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// How long it takes, in seconds.
    pub duration: Spread,
    /// How long the rest after it is, in seconds.
    pub gap: Spread,
}

/// A distribution by its quantiles, equally far apart from the least value to the greatest, ascending.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Spread(pub Vec<f64>);

impl Spread {
    /// A value, by linear interpolation between quantiles; 0 if there are none.
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
    /// The model that ships, for characters that have none of their own: our design, of someone in casual
    /// conversation. `docs/behaviour.md` gives the reasons for its numbers.
    #[must_use]
    pub fn standard() -> Self {
        standard::behaviour()
    }

    /// Whether it can be sampled: sizes agree, rows add up to 1, quantiles ascend, and time goes on.
    ///
    /// # Errors
    /// With every fault and its path, such as `speaking.arms.matrix[3]`.
    pub fn check(&self) -> Result<()> {
        check::check(self)
    }

    /// The chains for a state.
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
    /// As paper 4's Figure 11 writes it: hand and kind, and then what it means.
    #[must_use]
    pub fn name_of(hand: Option<Hand>, kind: Kind, tags: &[String]) -> String {
        let hand = hand.map_or("", Hand::letters);
        let colon = if tags.is_empty() { "" } else { ":" };
        format!("{hand}{}{colon}{}", kind.letter(), tags.join("+"))
    }
}

impl Chain {
    /// The state after another, or the first; `None` if there is nothing to do.
    #[must_use]
    pub fn next(&self, after: Option<usize>, draw: &mut Draw) -> Option<usize> {
        let row = after.and_then(|state| self.matrix.get(state)).unwrap_or(&self.start);
        draw.weighted(row).filter(|state| *state < self.states.len())
    }
}

impl Chains {
    /// The chains with their names, as in `behaviour.json`.
    #[must_use]
    pub fn named(&self) -> [(&'static str, &Chain); 4] {
        [("arms", &self.arms), ("head", &self.head), ("headStance", &self.head_stance), ("body", &self.body)]
    }
}
