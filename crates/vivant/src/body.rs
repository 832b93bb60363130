//! The body: what it can do, what it does next, the layers that play it, and what lives between actions.

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
#[cfg(test)]
mod stand_in;
pub mod stroke;
pub mod sway;

/// A side of somebody's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "their names say which")]
pub enum Side {
    Left,
    Right,
}

impl Side {
    /// The side with a name, in any case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Left, Self::Right].into_iter().find(|side| graph::names::is_same(side.name(), name))
    }

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// 1 to the left, −1 to the right.
    #[must_use]
    pub const fn sign(self) -> f64 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }

    /// The side of a number that is above zero to the left.
    #[must_use]
    pub fn of(number: f64) -> Self {
        if number > 0.0 { Self::Left } else { Self::Right }
    }

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}
