//! The body: repertoire, planner, layers, and the motion between actions.
//!
//! This is the animation system of paper 4. An author describes a character's stances, gestures, fidgets and
//! transitions in a [`repertoire`]. From it a [`graph`] is built, and the clips are bound to an avatar in a
//! [`library`]. The planner ([`plan`]) turns intents into actions on three [`layers`]: body, arms and head. Without
//! requests, a [`behaviour`] model selects spontaneous actions, and [`choose`] avoids repetition.
//!
//! Further motion is added to the actions: [`breath`], weight shifts ([`sway`]), small nods and brow raises on
//! stressed words ([`accent`]), and the posture of a [`mood`]. Most users need none of this directly: a
//! [`Performer`](crate::Performer) combines all parts.

pub mod accent;
pub mod behaviour;
pub mod breath;
pub mod choose;
mod drift;
pub mod driven;
pub mod graph;
pub mod layers;
pub mod library;
pub mod mood;
pub mod plan;
pub mod repertoire;
pub mod stroke;
pub mod sway;
#[cfg(test)]
mod test_rig;

/// Left or right, from the character's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "self-explanatory")]
pub enum Side {
    Left,
    Right,
}

impl Side {
    /// Returns the side with this name, ignoring case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Left, Self::Right].into_iter().find(|side| graph::names::is_same(side.name(), name))
    }

    /// Name of the side.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// Returns 1 for left and −1 for right.
    #[must_use]
    pub const fn sign(self) -> f64 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }

    /// Returns left for a positive number, otherwise right.
    #[must_use]
    pub fn of(number: f64) -> Self {
        if number > 0.0 { Self::Left } else { Self::Right }
    }

    /// Returns the opposite side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}
