//! Patch after patch, without end.

use super::cloth::Cloth;
use super::join::join;
use super::search::{Found, Query};
use super::{MAX_CORPORA, Met, Sample, Texture, Wishes, Within};
use crate::chance::{Chance, Draw};
use std::ops::Range;
use std::sync::Arc;

/// How long one corpus is used on average before another may be, where several are blended.
///
/// A design choice: drawing a corpus for each patch anew would join patches of different moods twice a second.
const DWELL_SECS: f64 = 4.0;
/// Of how large a part of the corpus the nearest patch is taken when the recording must be left and nothing
/// fits: one in so many (a design choice).
const PARTS: usize = 3;

/// Eye motion that is made of a texture, patch by patch: the same seed and the same wishes give the same
/// frames. Making a patch allocates nothing.
#[derive(Debug)]
pub struct Synthesis {
    texture: Arc<Texture>,
    chance: Chance,
    /// The number of the next patch.
    number: u64,
    last: Option<Choice>,
    /// For how many frames there was no choice: the recording was followed, or the nearest patch was taken.
    followed: usize,
    frames: Vec<Sample>,
    /// The end of the last patch, which the next one overlaps.
    tail: Vec<Sample>,
    normal_tail: [Vec<f32>; 3],
    counts: Vec<u32>,
    compares_all: bool,
}

/// Which patch was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its number, from 0.
    pub number: u64,
    /// The corpus it is from.
    pub corpus: usize,
    /// The frame of the corpus at which it begins, overlap included.
    pub start: usize,
    /// Which wishes it meets.
    pub met: Met,
}

impl Clone for Synthesis {
    /// With room for all that is to come, so that a copy allocates nothing either.
    fn clone(&self) -> Self {
        let mut copy = Self::new(Arc::clone(&self.texture), 0);
        copy.frames.copy_from_slice(&self.frames);
        copy.tail.extend_from_slice(&self.tail);
        let Self { chance, number, last, followed, compares_all, .. } = *self;
        Self { chance, number, last, followed, compares_all, ..copy }
    }
}

impl Synthesis {
    /// Begins anew.
    #[must_use]
    pub fn new(texture: Arc<Texture>, seed: u64) -> Self {
        let room = || Vec::with_capacity(texture.boundary);
        let blocks = texture.cloths.iter().map(Query::most_blocks).max().unwrap_or(0);
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

    /// The same, but every window is compared for every patch, as papers have it: patches are as likely as
    /// before, and others. This is to measure what that costs.
    #[must_use]
    pub fn comparing_all(self) -> Self {
        Self { compares_all: true, ..self }
    }

    /// The texture that it is made of.
    #[must_use]
    pub fn texture(&self) -> &Arc<Texture> {
        &self.texture
    }

    /// The patch that was taken last.
    #[must_use]
    pub fn last(&self) -> Option<&Choice> {
        self.last.as_ref()
    }

    /// The frames of that patch, as [`next_patch`](Self::next_patch) gave them.
    #[must_use]
    pub fn frames(&self) -> &[Sample] {
        &self.frames
    }

    /// The next frames, [`Texture::step_frames`] of them: the overlap, joined, and the inside of the patch as it
    /// was recorded. Its end is kept back for the next overlap.
    pub fn next_patch(&mut self, wishes: &Wishes) -> &[Sample] {
        let mut draw = self.chance.event(self.number);
        let corpus = self.corpus(&wishes.weights, &mut draw);
        let texture = Arc::clone(&self.texture);
        let cloth = &texture.cloths[corpus];
        cloth.normalise(&self.tail, &mut self.normal_tail);
        let (found, met) = self.choose(cloth, corpus, wishes, &mut draw);
        self.follow(corpus, found);
        self.last = Some(Choice { number: self.number, corpus, start: found.start, met });
        self.number += 1;
        self.sew(cloth, found.start, wishes.gaze.filter(|_| met.gaze));
        &self.frames
    }

    /// The corpus of the next patch. Over time each has its share by weight.
    fn corpus(&self, weights: &[f64; MAX_CORPORA], draw: &mut Draw) -> usize {
        let count = self.texture.cloths.len();
        if count == 1 {
            return 0;
        }
        let step_secs = self.texture.step_frames() as f64 / self.texture.rate_hz;
        let stays = draw.uniform() >= step_secs / DWELL_SECS;
        let last = self.last.map(|last| last.corpus).filter(|last| stays && weights[*last] > 0.0);
        let drawn = || draw.weighted(&weights[..count]).unwrap_or_else(|| draw.bits() as usize % count);
        last.unwrap_or_else(drawn)
    }

    /// The next patch, and what of the wishes it meets.
    fn choose(&mut self, cloth: &Cloth, corpus: usize, wishes: &Wishes, draw: &mut Draw) -> (Found, Met) {
        let without_blink = Wishes { blink_at: None, ..*wishes };
        let levels = [*wishes, without_blink, Wishes { gaze: None, ..without_blink }];
        let onward = self.onward(corpus);
        let found = levels.iter().find_map(|level| {
            let found = self.elsewhere(cloth, level, &onward, draw)?;
            Some((found, level))
        });
        // A texture that was checked has windows.
        let (found, level) = found.unwrap_or((Found { start: 0, fits: false }, &levels[2]));
        let [gaze, blink] = [level.gaze == wishes.gaze, level.blink_at == wishes.blink_at];
        (found, Met { tolerance: found.fits, gaze, blink })
    }

    /// A patch that does not follow the recording for too long: once it has been followed for half as long as
    /// it may, any other that fits is preferred; in the end, any other.
    fn elsewhere(
        &mut self,
        cloth: &Cloth,
        wishes: &Wishes,
        onward: &Range<usize>,
        draw: &mut Draw,
    ) -> Option<Found> {
        let followed = self.followed + self.texture.step_frames();
        if 2 * followed <= self.texture.longest_run || onward.is_empty() {
            return self.draw(cloth, wishes, 0..0, draw);
        }
        let other = self.draw(cloth, wishes, onward.clone(), draw);
        let is_due = followed > self.texture.longest_run;
        let is_free = wishes.gaze.is_none() && wishes.blink_at.is_none();
        match other {
            Some(found) if found.fits => other,
            Some(_) if is_due && is_free => self.nearest_of_a_part(cloth, onward.clone(), draw).or(other),
            Some(_) if is_due => other,
            _ => self.draw(cloth, wishes, 0..0, draw),
        }
    }

    /// What is nearest in some part of the recording: the nearest of all would be the same again and again, and
    /// others would never have their turn.
    fn nearest_of_a_part(&mut self, cloth: &Cloth, not: Range<usize>, draw: &mut Draw) -> Option<Found> {
        self.followed = 0;
        let count = cloth.count();
        let first = (draw.uniform() * count as f64) as usize;
        let part = (0..count.div_ceil(PARTS)).map(|window| cloth.start_of((first + window) % count));
        Query::new(cloth, &self.normal_tail, self.texture.tolerance).without(not).draw_of(part, draw)
    }

    fn draw(&mut self, cloth: &Cloth, wishes: &Wishes, not: Range<usize>, draw: &mut Draw) -> Option<Found> {
        let Texture { patch, boundary, tolerance, .. } = *self.texture;
        let query = Query::new(cloth, &self.normal_tail, tolerance).without(not);
        let sizes = [patch, boundary];
        let within = wishes.gaze.unwrap_or(Within::ANYWHERE);
        match (wishes.blink_at, wishes.gaze) {
            (Some(at), _) if !(self.tail.len()..patch).contains(&at) => None,
            (Some(at), _) => query.draw_of(cloth.blinking(at, within, sizes), draw),
            (None, Some(within)) => query.draw_of(cloth.within(within, sizes), draw),
            (None, None) if self.compares_all => query.draw_comparing(draw, &mut self.counts),
            (None, None) => query.draw(draw, &mut self.counts),
        }
    }

    /// The windows with which the recording would be followed: a step of less than a patch leads to nothing new.
    fn onward(&self, corpus: usize) -> Range<usize> {
        let patch = self.texture.patch;
        let Some(last) = self.last.filter(|last| last.corpus == corpus) else { return 0..0 };
        let next = last.start + self.texture.step_frames();
        (next + 1).saturating_sub(patch)..next + patch
    }

    fn follow(&mut self, corpus: usize, found: Found) {
        let had_a_choice = found.fits && !self.onward(corpus).contains(&found.start);
        let before = if had_a_choice { 0 } else { self.followed };
        self.followed = before + self.texture.step_frames();
    }

    fn sew(&mut self, cloth: &Cloth, start: usize, within: Option<Within>) {
        let patch = &cloth.samples[start..start + self.texture.patch];
        let (overlap, step) = (self.tail.len(), self.texture.step_frames());
        let (joined, inside) = self.frames.split_at_mut(overlap);
        join(joined, &self.tail, &patch[..overlap], cloth.usual_step_deg, within);
        inside.copy_from_slice(&patch[overlap..step]);
        self.tail.clear();
        self.tail.extend_from_slice(&patch[step..]);
    }
}
