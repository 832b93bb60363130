//! What an action has to be like, from names that agents use.

use crate::body::graph::{ActionNode, Graph, names};
use crate::body::layers::Layer;
use crate::body::repertoire::{Hand, Kind};
use crate::error::{Error, Result};
use crate::intent::Act;

/// What an action has to be like; a field that is `None` can be anything.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wish {
    /// The abstract field.
    pub kind: Option<Kind>,
    /// The specific field: any action with the name of this one.
    pub like: Option<usize>,
    /// Tags that it must have, as bits.
    pub tags: u64,
    /// The hand that does it.
    pub hand: Option<Hand>,
    /// A layer that it takes.
    pub layer: Option<Layer>,
    /// The stance in which it is done; for a transition, the one in which it ends.
    pub stance: Option<usize>,
    /// The stance in which it starts: where the way led that was taken for it.
    pub from: Option<usize>,
}

impl Wish {
    /// Finds the clip, tags and stance that an act names.
    ///
    /// # Errors
    /// If the repertoire does not have one of them, with the nearest known name.
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

    /// Finds what one word asks for: a gesture or fidget with this name, any that has this tag, or the one with
    /// the shortest name that contains the word.
    ///
    /// # Errors
    /// If there is none, with the nearest known name.
    pub fn from_word(graph: &Graph, word: &str) -> Result<Self> {
        let named = |index: usize| Self { like: Some(index), ..Self::default() };
        let actions = || graph.actions().iter().enumerate().filter(|(_, action)| is_done_by_word(action));
        let found = names::position(actions().map(|(_, action)| action.name.as_str()), word);
        if let Some((index, _)) = found.and_then(|place| actions().nth(place)) {
            return Ok(named(index));
        }
        if let Some(wish) = graph.find_tag(word).and_then(|tags| Self::from_tags(graph, tags)) {
            return Ok(wish);
        }
        let by_word = graph.find_clip_with_word(word, is_done_by_word);
        let known = actions().map(|(_, action)| action.name.as_str());
        let known = known.chain(graph.tags().iter().map(String::as_str));
        by_word.map(named).ok_or_else(|| Error::unknown("clip or tag", word, known))
    }

    /// Any gesture that has some tags, else any fidget.
    fn from_tags(graph: &Graph, tags: u64) -> Option<Self> {
        let has =
            |kind: Kind| graph.actions().iter().any(|action| action.kind == kind && action.tags & tags != 0);
        let kind = [Kind::Gesture, Kind::Fidget].into_iter().find(|kind| has(*kind))?;
        Some(Self { kind: Some(kind), tags, ..Self::default() })
    }

    /// A change to a stance.
    ///
    /// # Errors
    /// If the repertoire does not have it, with the nearest known name.
    pub fn to_stance(graph: &Graph, name: &str) -> Result<Self> {
        let stance = Some(graph.resolve_stance(name)?);
        Ok(Self { kind: Some(Kind::Transition), stance, ..Self::default() })
    }
}

/// Transitions are asked for by their stance.
fn is_done_by_word(action: &ActionNode) -> bool {
    action.kind != Kind::Transition
}
