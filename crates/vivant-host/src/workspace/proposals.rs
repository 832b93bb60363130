//! Label suggestions for clips that the repertoire does not use.

use super::cache::FileCache;
use super::entry::Entry;
use super::view::View;
use crate::authoring::suggest;
use vivant::clip::Clip;
use vivant_io::Result;
use vivant_io::json::protocol::api::{ClipType, Proposal};
use vivant_learn::suggest::{Suggestion, Type};

impl Entry {
    pub(super) fn proposals(&self, cache: &FileCache) -> Result<Vec<Proposal>> {
        // Analysing many clips takes some time. The character is not locked, so it can be changed in the meantime.
        let (view, _) = self.view(cache)?;
        Ok(view.suggested().iter().map(|(clip, found)| proposal(clip, found)).collect())
    }
}

impl View {
    /// Returns suggestions for all unplaced clips. The clips are analysed together, since their poses are compared
    /// with each other.
    pub(super) fn suggested(&self) -> &[(String, Suggestion)] {
        self.suggested.get_or_init(|| {
            let free = self.unplaced();
            let found = self.suggestions(&free);
            free.into_iter().zip(found).collect()
        })
    }

    /// Suggests labels for clips, based on the existing stances. All of these clips must exist.
    pub(super) fn suggestions(&self, spellings: &[String]) -> Vec<Suggestion> {
        let there = spellings.iter().filter_map(|spelling| self.clips.get_key_value(spelling));
        let anchored: Vec<(String, Clip)> =
            there.map(|(name, clip)| (name.clone(), clip.anchored())).collect();
        let named: Vec<(String, &Clip)> = anchored.iter().map(|(name, clip)| (name.clone(), clip)).collect();
        suggest::of(&named, (&self.repertoire, &self.clips), self.bound.library.rig(), &mut |_, _| {})
    }
}

fn proposal(clip: &str, found: &Suggestion) -> Proposal {
    let end = found.end_stance.as_ref();
    let confidences =
        [Some(found.kind.confidence), Some(found.stance.confidence), end.map(|end| end.confidence)];
    Proposal {
        clip: clip.to_owned(),
        kind: clip_type(found.kind.value),
        stance: found.stance.value.clone(),
        to: end.map(|end| end.value.clone()),
        confidence: confidences.into_iter().flatten().fold(1.0, f64::min),
        hand: found.hand.value,
        layers: found.layers.clone(),
        tags: found.tags.clone(),
        start: found.start,
        end: found.end,
        reasons: found.reasons.clone(),
    }
}

const fn clip_type(kind: Type) -> ClipType {
    match kind {
        Type::Stance => ClipType::Stance,
        Type::Gesture => ClipType::Gesture,
        Type::Fidget => ClipType::Fidget,
        Type::Transition => ClipType::Transition,
    }
}

pub(super) const fn kind_of(kind: ClipType) -> Type {
    match kind {
        ClipType::Stance => Type::Stance,
        ClipType::Gesture => Type::Gesture,
        ClipType::Fidget => Type::Fidget,
        ClipType::Transition => Type::Transition,
    }
}
