//! Required properties of an action, resolved from names that agents use.
//!
//! Agents request actions by kind, tag, hand, stance or name, and several clips may fit. An [`ActionQuery`] contains
//! these conditions as indices and bits, so names are resolved once, when the request arrives.
//! [`ActionQuery::from_act`], [`ActionQuery::from_word`] and [`ActionQuery::to_stance`] resolve names and report
//! unknown ones with a suggestion. The query does not choose an action; the planner draws among all matching actions
//! when the request is due.

use crate::body::graph::{ActionNode, Graph, names};
use crate::body::layers::Layer;
use crate::body::repertoire::{Hand, Kind};
use crate::error::{Error, Result};
use crate::intent::Act;

/// Required properties of an action; a field that is `None` matches anything.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ActionQuery {
    /// Kind of the action (the abstract field of a meta-action).
    pub kind: Option<Kind>,
    /// Index of an action; any action with the same name matches (the specific field of a meta-action).
    pub like: Option<usize>,
    /// Required tags, as bits.
    pub tags: u64,
    /// Hand that performs the action.
    pub hand: Option<Hand>,
    /// A layer that the action uses.
    pub layer: Option<Layer>,
    /// Index of the stance in which the action is performed; for a transition, of the stance in which it ends.
    pub stance: Option<usize>,
    /// Index of the stance in which the action must start. Set after a transition that leads to this stance.
    pub from: Option<usize>,
}

impl ActionQuery {
    /// Resolves the clip, tags and stance that an act names.
    ///
    /// # Errors
    /// If the repertoire lacks one of these names; the error suggests the nearest known name.
    pub fn from_act(graph: &Graph, act: &Act) -> Result<Self> {
        Ok(Self {
            kind: Some(act.act),
            like: act.clip.as_deref().map(|name| graph.resolve_clip(name)).transpose()?,
            tags: graph.resolve_tags(act.tags.iter().map(String::as_str))?,
            hand: act.hand,
            layer: act.layer,
            stance: act.stance.as_deref().map(|name| graph.resolve_stance(name)).transpose()?,
            from: None,
        })
    }

    /// Resolves one word: a gesture or fidget with this name, any action with this tag, or the action with the shortest
    /// name that contains the word.
    ///
    /// # Errors
    /// If there is no such action; the error suggests the nearest known name.
    pub fn from_word(graph: &Graph, word: &str) -> Result<Self> {
        let named = |index: usize| Self { like: Some(index), ..Self::default() };
        let actions = || graph.actions().iter().enumerate().filter(|(_, action)| is_done_by_word(action));
        let found = names::position(actions().map(|(_, action)| action.name.as_str()), word);
        if let Some((index, _)) = found.and_then(|place| actions().nth(place)) {
            return Ok(named(index));
        }
        if let Some(query) = graph.find_tag(word).and_then(|tags| Self::from_tags(graph, tags)) {
            return Ok(query);
        }
        let by_word = graph.find_clip_with_word(word, is_done_by_word);
        let known = actions().map(|(_, action)| action.name.as_str());
        let known = known.chain(graph.tags().iter().map(String::as_str));
        by_word.map(named).ok_or_else(|| Error::unknown("clip or tag", word, known))
    }

    /// Returns a query for any gesture with the given tags, or for any fidget with these tags if there is no such
    /// gesture.
    fn from_tags(graph: &Graph, tags: u64) -> Option<Self> {
        let has =
            |kind: Kind| graph.actions().iter().any(|action| action.kind == kind && action.tags & tags != 0);
        let kind = [Kind::Gesture, Kind::Fidget].into_iter().find(|kind| has(*kind))?;
        Some(Self { kind: Some(kind), tags, ..Self::default() })
    }

    /// Returns a query for a change to a stance.
    ///
    /// # Errors
    /// If the repertoire lacks the stance; the error suggests the nearest known name.
    pub fn to_stance(graph: &Graph, name: &str) -> Result<Self> {
        let stance = Some(graph.resolve_stance(name)?);
        Ok(Self { kind: Some(Kind::Transition), stance, ..Self::default() })
    }
}

/// Returns true if an action can be requested by a word. Transitions are requested by their stance.
fn is_done_by_word(action: &ActionNode) -> bool {
    action.kind != Kind::Transition
}
