//! Synthesis of endless eye motion, patch by patch.
//!
//! A recording of eye motion is finite and, if it were looped, viewers would notice. [`Synthesis`] joins patches of the
//! recording whose starts resemble the end of the last patch. [`Synthesis::new`] takes a texture and a seed, and
//! [`Synthesis::next_patch`] returns the next frames. If no patch satisfies all constraints, some are dropped
//! ([`Choice::satisfied`] reports which), so the motion never stops. After the longest run that the texture allows,
//! another patch is preferred to the continuation of the recording, even if it only nearly matches.

use super::indexed::IndexedCorpus;
use super::join::join;
use super::search::{Found, Query};
use super::{GazeRegion, MAX_CORPORA, PatchConstraints, Sample, Satisfied, Texture};
use crate::chance::{Chance, Draw};
use std::ops::Range;
use std::sync::Arc;

/// Mean time in seconds for which one corpus is used before switching, if several are blended.
///
/// This is our design: drawing a corpus for each patch would switch between moods twice per second.
const DWELL_SECS: f64 = 4.0;
/// Number of parts of the corpus. If the recording must not be followed any longer and no patch matches, the nearest
/// patch is searched in one random part (our design).
const PARTS: usize = 3;

/// Synthesises eye motion from a texture, patch by patch. The same seed and the same constraints give the same
/// frames. Creating a patch does not allocate.
#[derive(Debug)]
pub struct Synthesis {
    texture: Arc<Texture>,
    chance: Chance,
    /// Index of the next patch.
    number: u64,
    last: Option<Choice>,
    /// Number of frames since the last random choice. Since then, the recording was followed, or the nearest patch was
    /// used.
    followed: usize,
    frames: Vec<Sample>,
    /// The end of the last patch, which the next patch overlaps.
    tail: Vec<Sample>,
    normal_tail: [Vec<f32>; 3],
    counts: Vec<u32>,
    compares_all: bool,
}

/// The patch that was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Index of the patch, from 0.
    pub number: u64,
    /// Index of the patch's corpus.
    pub corpus: usize,
    /// Start frame in the corpus, including the overlap.
    pub start: usize,
    /// Constraints that the patch satisfies.
    pub satisfied: Satisfied,
}

impl Clone for Synthesis {
    /// Reserves the same capacity, so that a copy does not allocate later either.
    fn clone(&self) -> Self {
        let mut copy = Self::new(Arc::clone(&self.texture), 0);
        copy.frames.copy_from_slice(&self.frames);
        copy.tail.extend_from_slice(&self.tail);
        let Self { chance, number, last, followed, compares_all, .. } = *self;
        Self { chance, number, last, followed, compares_all, ..copy }
    }
}

impl Synthesis {
    /// Creates a synthesis before its first patch. `seed` determines the random choices.
    #[must_use]
    pub fn new(texture: Arc<Texture>, seed: u64) -> Self {
        let room = || Vec::with_capacity(texture.boundary);
        let blocks = texture.corpora.iter().map(Query::block_count).max().unwrap_or(0);
        Self {
            chance: Chance::new(seed, "eye texture"),
            number: 0,
            last: None,
            followed: 0,
            frames: vec![Sample::default(); texture.step_frames()],
            tail: Vec::with_capacity(texture.boundary),
            normal_tail: [room(), room(), room()],
            counts: Vec::with_capacity(blocks),
            compares_all: false,
            texture,
        }
    }

    /// Compares all windows for every patch, as Deng 2005 and Liang 2001 do. The probabilities of patches are the
    /// same, but the drawn patches differ. For benchmarks.
    #[must_use]
    pub fn with_exhaustive_search(self) -> Self {
        Self { compares_all: true, ..self }
    }

    /// Returns the texture.
    #[must_use]
    pub fn texture(&self) -> &Arc<Texture> {
        &self.texture
    }

    /// Returns the last patch that was chosen.
    #[must_use]
    pub fn last(&self) -> Option<&Choice> {
        self.last.as_ref()
    }

    /// Returns the frames of the last patch, as returned by [`next_patch`](Self::next_patch).
    #[must_use]
    pub fn frames(&self) -> &[Sample] {
        &self.frames
    }

    /// Returns the next [`Texture::step_frames`] frames: the joined overlap, and then the unchanged frames of the
    /// patch. The end of the patch is kept for the next overlap.
    pub fn next_patch(&mut self, constraints: &PatchConstraints) -> &[Sample] {
        let mut draw = self.chance.event(self.number);
        let corpus = self.draw_corpus(&constraints.weights, &mut draw);
        let texture = Arc::clone(&self.texture);
        let indexed = &texture.corpora[corpus];
        indexed.normalise(&self.tail, &mut self.normal_tail);
        let (found, satisfied) = self.choose(indexed, corpus, constraints, &mut draw);
        self.update_followed(corpus, found);
        self.last = Some(Choice { number: self.number, corpus, start: found.start, satisfied });
        self.number += 1;
        self.join_patch(indexed, found.start, constraints.gaze.filter(|_| satisfied.gaze));
        &self.frames
    }

    /// Draws the corpus of the next patch. Over time, each corpus is used in proportion to its weight.
    fn draw_corpus(&self, weights: &[f64; MAX_CORPORA], draw: &mut Draw) -> usize {
        let count = self.texture.corpora.len();
        if count == 1 {
            return 0;
        }
        let step_secs = self.texture.step_frames() as f64 / self.texture.rate_hz;
        let stays = draw.uniform() >= step_secs / DWELL_SECS;
        let last = self.last.map(|last| last.corpus).filter(|last| stays && weights[*last] > 0.0);
        let drawn = || draw.weighted(&weights[..count]).unwrap_or_else(|| draw.bits() as usize % count);
        last.unwrap_or_else(drawn)
    }

    /// Chooses the next patch, and returns the constraints that it satisfies.
    fn choose(
        &mut self,
        indexed: &IndexedCorpus,
        corpus: usize,
        constraints: &PatchConstraints,
        draw: &mut Draw,
    ) -> (Found, Satisfied) {
        let without_blink = PatchConstraints { blink_at: None, ..*constraints };
        let levels = [*constraints, without_blink, PatchConstraints { gaze: None, ..without_blink }];
        let continuation = self.continuation(corpus);
        let found = levels.iter().find_map(|level| {
            let found = self.choose_patch(indexed, level, &continuation, draw)?;
            Some((found, level))
        });
        // A checked texture always has windows.
        let (found, level) = found.unwrap_or((Found { start: 0, is_match: false }, &levels[2]));
        let [gaze, blink] = [level.gaze == constraints.gaze, level.blink_at == constraints.blink_at];
        (found, Satisfied { tolerance: found.is_match, gaze, blink })
    }

    /// Chooses a patch without following the recording for too long: after half of the longest run, any other matching
    /// patch is preferred; after the longest run, any other patch is preferred.
    fn choose_patch(
        &mut self,
        indexed: &IndexedCorpus,
        constraints: &PatchConstraints,
        continuation: &Range<usize>,
        draw: &mut Draw,
    ) -> Option<Found> {
        let followed = self.followed + self.texture.step_frames();
        if 2 * followed <= self.texture.longest_run || continuation.is_empty() {
            return self.draw(indexed, constraints, 0..0, draw);
        }
        let other = self.draw(indexed, constraints, continuation.clone(), draw);
        let is_due = followed > self.texture.longest_run;
        let is_free = constraints.gaze.is_none() && constraints.blink_at.is_none();
        match other {
            Some(found) if found.is_match => other,
            Some(_) if is_due && is_free => {
                self.nearest_in_part(indexed, continuation.clone(), draw).or(other)
            }
            Some(_) if is_due => other,
            _ => self.draw(indexed, constraints, 0..0, draw),
        }
    }

    /// Returns the nearest window in a random part of the recording. The nearest window of the whole recording would
    /// always be the same, and other parts would never be used.
    fn nearest_in_part(
        &mut self,
        indexed: &IndexedCorpus,
        excluded: Range<usize>,
        draw: &mut Draw,
    ) -> Option<Found> {
        self.followed = 0;
        let count = indexed.count();
        let first = (draw.uniform() * count as f64) as usize;
        let part = (0..count.div_ceil(PARTS)).map(|window| indexed.start_of((first + window) % count));
        Query::new(indexed, &self.normal_tail, self.texture.tolerance)
            .excluding(excluded)
            .draw_from(part, draw)
    }

    fn draw(
        &mut self,
        indexed: &IndexedCorpus,
        constraints: &PatchConstraints,
        excluded: Range<usize>,
        draw: &mut Draw,
    ) -> Option<Found> {
        let Texture { patch, boundary, tolerance, .. } = *self.texture;
        let query = Query::new(indexed, &self.normal_tail, tolerance).excluding(excluded);
        let sizes = [patch, boundary];
        let within = constraints.gaze.unwrap_or(GazeRegion::ANYWHERE);
        match (constraints.blink_at, constraints.gaze) {
            (Some(at), _) if !(self.tail.len()..patch).contains(&at) => None,
            (Some(at), _) => query.draw_from(indexed.blinking(at, within, sizes), draw),
            (None, Some(within)) => query.draw_from(indexed.within(within, sizes), draw),
            (None, None) if self.compares_all => query.draw_comparing(draw, &mut self.counts),
            (None, None) => query.draw(draw, &mut self.counts),
        }
    }

    /// Returns the start frames of windows that would continue the recording. Windows that start less than one patch
    /// before or after the exact continuation are included, because they contain almost the same motion.
    fn continuation(&self, corpus: usize) -> Range<usize> {
        let patch = self.texture.patch;
        let Some(last) = self.last.filter(|last| last.corpus == corpus) else { return 0..0 };
        let next = last.start + self.texture.step_frames();
        (next + 1).saturating_sub(patch)..next + patch
    }

    fn update_followed(&mut self, corpus: usize, found: Found) {
        let had_choice = found.is_match && !self.continuation(corpus).contains(&found.start);
        let before = if had_choice { 0 } else { self.followed };
        self.followed = before + self.texture.step_frames();
    }

    fn join_patch(&mut self, indexed: &IndexedCorpus, start: usize, within: Option<GazeRegion>) {
        let patch = &indexed.samples[start..start + self.texture.patch];
        let (overlap, step) = (self.tail.len(), self.texture.step_frames());
        let (joined, inside) = self.frames.split_at_mut(overlap);
        join(joined, &self.tail, &patch[..overlap], indexed.usual_step_deg, within);
        inside.copy_from_slice(&patch[overlap..step]);
        self.tail.clear();
        self.tail.extend_from_slice(&patch[step..]);
    }
}
