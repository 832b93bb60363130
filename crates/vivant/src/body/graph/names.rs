//! Finding clips, tags, stances and layers by name.
//!
//! Agents write `Wave`, `wave` or `WAVE` and mean the same clip. All parts of the engine that take a name use these
//! functions: acts and stances, tags in lines, `do`, behaviour models, mimicry and edited repertoires. An exact match
//! wins over a match that differs in case only. If a name is not found, the error suggests the nearest known name.

use crate::body::graph::{ActionNode, Graph, StanceNode};
use crate::error::{Error, Result};
use serde::de::{Deserializer, Visitor};
use std::fmt;

/// Returns true if two names are equal except for case. Does not allocate.
#[must_use]
pub fn is_same(name: &str, other: &str) -> bool {
    name.chars().flat_map(char::to_lowercase).eq(other.chars().flat_map(char::to_lowercase))
}

/// Returns the index of a name: the first exact match, otherwise the first match that differs only in case.
#[must_use]
pub fn position<'a>(names: impl IntoIterator<Item = &'a str, IntoIter: Clone>, name: &str) -> Option<usize> {
    let names = names.into_iter();
    let exact = names.clone().position(|known| known == name);
    exact.or_else(|| names.clone().position(|known| is_same(known, name)))
}

/// Deserializes one of a fixed set of words, ignoring case. The error lists the words.
pub(crate) fn deserialize<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    from_name: fn(&str) -> Option<T>,
    known: &'static [&'static str],
) -> Result<T, D::Error> {
    struct Word<T>(fn(&str) -> Option<T>, &'static [&'static str]);
    impl<T> Visitor<'_> for Word<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string")
        }

        fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<T, E> {
            self.0(word).ok_or_else(|| E::unknown_variant(word, self.1))
        }
    }
    deserializer.deserialize_str(Word(from_name, known))
}

impl Graph {
    /// Returns the index of the stance with this name.
    #[must_use]
    pub fn find_stance(&self, name: &str) -> Option<usize> {
        position(self.stances.iter().map(StanceNode::name), name)
    }

    /// Returns the index of the first action with this name.
    #[must_use]
    pub fn find_clip(&self, name: &str) -> Option<usize> {
        position(self.actions.iter().map(ActionNode::name), name)
    }

    /// Returns the bit of a tag.
    #[must_use]
    pub fn find_tag(&self, name: &str) -> Option<u64> {
        position(self.tags.iter().map(String::as_str), name).map(|place| 1 << place)
    }

    /// Returns the bits of the given tags; `None` if one of them is not in the repertoire.
    pub fn find_tags<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Option<u64> {
        names.into_iter().try_fold(0, |bits, name| Some(bits | self.find_tag(name)?))
    }

    /// Returns the index of the stance with this name.
    ///
    /// # Errors
    /// If there is no such stance; the error suggests the nearest known name.
    pub fn resolve_stance(&self, name: &str) -> Result<usize> {
        let known = self.stances.iter().map(StanceNode::name);
        self.find_stance(name).ok_or_else(|| Error::unknown("stance", name, known))
    }

    /// Returns the index of an action: the first action with this name, otherwise the action with the shortest name
    /// that contains `name` as a whole word (`wave` finds `Wave Right Hand`).
    ///
    /// # Errors
    /// If there is no such action; the error suggests the nearest known name.
    pub fn resolve_clip(&self, name: &str) -> Result<usize> {
        let found = self.find_clip(name).or_else(|| self.find_clip_with_word(name, |_| true));
        found.ok_or_else(|| Error::unknown("clip", name, self.actions.iter().map(ActionNode::name)))
    }

    /// Returns the bits of the given tags.
    ///
    /// # Errors
    /// If one of the tags is not in the repertoire; the error suggests the nearest known tag.
    pub fn resolve_tags<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Result<u64> {
        let known = || self.tags.iter().map(String::as_str);
        let resolve = |name: &str| self.find_tag(name).ok_or_else(|| Error::unknown("tag", name, known()));
        names.into_iter().try_fold(0, |bits, name| Ok(bits | resolve(name)?))
    }

    /// Returns the index of the action with the shortest name that contains `word` as a whole word, among the actions
    /// for which `is_allowed` is true.
    pub(crate) fn find_clip_with_word(
        &self,
        word: &str,
        is_allowed: impl Fn(&ActionNode) -> bool,
    ) -> Option<usize> {
        let has_word =
            |name: &str| name.split(|c: char| !c.is_alphanumeric()).any(|part| is_same(part, word));
        let actions = self.actions.iter().enumerate();
        let found = actions.filter(|(_, action)| is_allowed(action) && has_word(&action.name));
        found.min_by_key(|(_, action)| action.name.len()).map(|(index, _)| index)
    }
}

impl StanceNode {
    fn name(&self) -> &str {
        &self.name
    }
}

impl ActionNode {
    fn name(&self) -> &str {
        &self.name
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::layers::Layer;
    use crate::body::plan::ActionQuery;
    use crate::body::repertoire::{Action, Hand, Kind, Repertoire, Stance, Transition};
    use crate::intent::Act;

    /// Two stances; clips and tags that differ in case, and a name of several words.
    fn graph() -> Graph {
        let tagged = |name: &str, tag: &str| Action { tags: vec![tag.into()], ..Action::new(name) };
        let standing = Stance {
            gestures: vec![tagged("wave", "Greeting"), tagged("Wave", "greeting"), Action::new("Thumbs Up")],
            transitions: vec![Transition::new("Sitting", Some("sit down".into()))],
            ..Stance::new("standing", None)
        };
        let stances = vec![standing, Stance::new("sitting", None)];
        Graph::build(&Repertoire { stances, ..Repertoire::default() }, &|_| Some(2.0)).unwrap().0
    }

    #[test]
    fn an_exact_name_wins_over_one_that_differs_in_case() {
        let graph = graph();
        let found =
            ["wave", "Wave", "WAVE", "thumbs up", "THUMBS UP", "wav"].map(|name| graph.find_clip(name));
        assert_eq!(found, [Some(0), Some(1), Some(0), Some(2), Some(2), None]);
        assert_eq!(
            ["Greeting", "greeting", "GREETING", "no"].map(|tag| graph.find_tag(tag)),
            [Some(1), Some(2), Some(1), None]
        );
        assert_eq!(graph.find_tags(["Greeting", "greeting"]), Some(3));
        assert_eq!(graph.find_tags(["greeting", "no"]), None);
        assert_eq!(
            ["Standing", "SITTING", "lying"].map(|name| graph.find_stance(name)),
            [Some(0), Some(1), None]
        );
        assert!(is_same("GRÖSSE", "größe") || is_same("GRÖẞE", "größe"));
    }

    /// An act and a tag in a line find the same clip.
    #[test]
    fn acts_and_words_find_the_same() {
        let graph = graph();
        for name in ["wave", "WAVE", "Thumbs Up", "thumbs", "UP"] {
            let act = Act { clip: Some(name.into()), ..Act::new(Kind::Gesture) };
            let by_act = ActionQuery::from_act(&graph, &act).unwrap().like;
            assert_eq!(by_act, ActionQuery::from_word(&graph, name).unwrap().like, "{name}");
        }
        let greets = ActionQuery::from_word(&graph, "GREETING").unwrap();
        assert_eq!((greets.kind, greets.tags, greets.like), (Some(Kind::Gesture), 1, None));
        assert!(
            ActionQuery::from_word(&graph, "sit down").is_err(),
            "a transition is requested by its stance"
        );
    }

    #[test]
    fn an_unknown_name_suggests_the_nearest() {
        let graph = graph();
        for (error, expected) in [
            (graph.resolve_clip("Wafe").unwrap_err(), "unknown clip `Wafe`; did you mean `wave`?"),
            (
                graph.resolve_stance("Standig").unwrap_err(),
                "unknown stance `Standig`; did you mean `standing`?",
            ),
            (graph.resolve_tags(["greting"]).unwrap_err(), "unknown tag `greting`; did you mean"),
            (
                ActionQuery::from_word(&graph, "thumps").unwrap_err(),
                "unknown clip or tag `thumps`; did you mean",
            ),
        ] {
            assert!(error.to_string().starts_with(expected), "{error}");
        }
    }

    #[test]
    fn layers_hands_and_kinds_are_read_in_any_case() {
        for layer in Layer::ALL {
            assert_eq!(Layer::from_name(&layer.name().to_uppercase()), Some(layer));
        }
        for kind in Kind::ALL {
            assert_eq!(Kind::from_name(&kind.name().to_uppercase()), Some(kind));
        }
        assert_eq!(Kind::from_name("Stance"), Some(Kind::Transition));
        let hands = ["l", "Left", "R", "RIGHT", "lr", "Both", "none"].map(Hand::from_name);
        let [left, right, both] = Hand::ALL.map(Some);
        assert_eq!(hands, [left, left, right, right, both, both, None]);
    }
}
