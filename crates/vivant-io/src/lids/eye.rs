//! One eye, as it is seen while it closes.

use super::region::{Near, Region, lid_box};
use super::view::{NOTHING, Patience, View};
use super::{Face, Surface};
use glam::{Vec2, Vec3};

/// A blink that hides the eye this late is meant to be shown whole: on the rest of the way the lids meet.
const NEARLY_ALL: f32 = 0.95;

/// The box around the lid is wider than it by this share of its height.
const MARGIN: f32 = 0.15;
/// A surface is part of the eye if a blink leaves no more than this share of it to be seen …
const COVERED: f32 = 0.1;
/// … or, where the eye is not covered but squeezed, no more than this.
const SQUEEZED: f32 = 0.5;
/// What is covered is the eye, unless more than this many times as much is squeezed.
const MOSTLY: f32 = 3.0;
/// Fewer points than this are no eye.
const LEAST_SEEN: f32 = 24.0;
/// This share of the eye may stay to be seen and it is still closed: the corners, where surfaces cross.
const CLOSED: f32 = 0.01;
/// A blink that leaves more than this never covers the eye.
const NEVER_CLOSED: f32 = 0.05;
/// At how many weights the blink is looked at, before the place between two of them is found.
const STEPS: usize = 8;
const HALVINGS: usize = 6;
/// An expression that moves the lid by less than this share of the blink leaves it alone.
const STILL: f32 = 0.02;
/// More triangles than this are no face.
const MAX_TRIANGLES: usize = 60_000;

/// An eye, what is around it, and what its lid does in a blink.
#[derive(Debug)]
pub(super) struct Eye {
    /// The smallest weight of the blink at which the eye is covered.
    pub(super) full_closure: f32,
    /// What is around the eye, and where its vertices rest.
    region: Region,
    rest: Vec<Vec3>,
    /// How the blink moves them at weight 1.
    blink: Vec<Vec3>,
    /// For each surface, whether it is of the eye.
    is_eye: Vec<bool>,
    /// Whether the blink squeezes the eye itself instead of covering it.
    is_squeezed: bool,
    /// For each vertex, whether it is the lid's; an eye that is squeezed is its own lid.
    is_lid: Vec<bool>,
    view: View,
    /// How many points of the eye are seen when it is open, and when it is closed.
    open: f32,
    closed: f32,
}

impl Eye {
    /// Finds the eye that a blink closes, on one side if the blink closes both. Triangles that are
    /// clear are looked through.
    pub(super) fn find(
        surface: &Surface,
        is_clear: &[bool],
        moves: &[Vec3],
        side: Option<usize>,
        patience: &mut Patience,
    ) -> Option<Self> {
        let (low, high) = lid_box(surface, moves, side)?;
        let mut eye = Self::around(surface, is_clear, moves, (low, high))?;
        eye.tell_surfaces(patience)?;
        eye.find_closure(patience)?;
        Some(eye)
    }

    fn around(surface: &Surface, is_clear: &[bool], moves: &[Vec3], lid: (Vec3, Vec3)) -> Option<Self> {
        let (low, high) = lid;
        let height = high.y - low.y;
        let margin = Vec2::splat(MARGIN * height);
        let view = View::new(low.truncate() - margin, high.truncate() + margin)?;
        let near = Near { low: low - margin.extend(height), high: high + margin.extend(0.0) };
        let region = Region::new(surface, is_clear, &near);
        if region.triangles.len() > MAX_TRIANGLES {
            return None;
        }
        let of = |list: &[Vec3]| region.vertices.list().iter().map(|v| list[*v as usize]).collect::<Vec<_>>();
        let (rest, blink) = (of(&surface.places), of(moves));
        Some(Self {
            full_closure: 1.0,
            rest,
            blink,
            is_eye: vec![false; region.pieces],
            is_squeezed: false,
            is_lid: vec![true; region.vertices.list().len()],
            region,
            view,
            open: 0.0,
            closed: 0.0,
        })
    }

    /// Finds the surfaces that a blink hides: the eye.
    fn tell_surfaces(&mut self, patience: &mut Patience) -> Option<()> {
        let (before, after) = (self.counts(0.0, patience)?, self.counts(1.0, patience)?);
        let squeezed = self.take_hidden(&before, &after, SQUEEZED);
        self.is_squeezed = squeezed > MOSTLY * self.take_hidden(&before, &after, COVERED);
        if self.is_squeezed {
            self.take_hidden(&before, &after, SQUEEZED);
        }
        if self.open < LEAST_SEEN {
            // The eye is painted on, or hangs together with the face: triangle by triangle then.
            for (index, triangle) in self.region.triangles.iter_mut().enumerate() {
                triangle.surface = index as u32;
            }
            self.is_eye = vec![false; self.region.triangles.len()];
            self.is_squeezed = false;
            let (before, after) = (self.counts(0.0, patience)?, self.counts(1.0, patience)?);
            self.take_hidden(&before, &after, COVERED);
        }
        for triangle in self.region.triangles.iter().filter(|t| self.is_eye[t.surface as usize]) {
            triangle.corners.iter().for_each(|c| self.is_lid[*c as usize] = self.is_squeezed);
        }
        (self.open >= LEAST_SEEN).then_some(())
    }

    /// Takes for the eye what a blink leaves no more than a share of; gives how much that is.
    fn take_hidden(&mut self, before: &[u32], after: &[u32], left_over: f32) -> f32 {
        self.open = 0.0;
        for (is_eye, (before, after)) in self.is_eye.iter_mut().zip(before.iter().zip(after)) {
            *is_eye = *before > 0 && *after as f32 <= left_over * *before as f32;
            self.open += if *is_eye { *before as f32 } else { 0.0 };
        }
        self.open
    }

    /// How many points of each surface are seen at a weight of the blink.
    fn counts(&mut self, weight: f32, patience: &mut Patience) -> Option<Vec<u32>> {
        let places = moved(&self.rest, &self.blink, weight);
        let mut counts = vec![0; self.is_eye.len()];
        for surface in self.view.look(&places, &self.region.triangles, patience)? {
            if *surface != NOTHING {
                counts[*surface as usize] += 1;
            }
        }
        Some(counts)
    }

    fn find_closure(&mut self, patience: &mut Patience) -> Option<()> {
        let mut seen = Vec::with_capacity(STEPS + 1);
        for step in 0..=STEPS {
            seen.push(self.seen_at(step as f32 / STEPS as f32, patience)?);
        }
        self.closed = seen.iter().copied().fold(f32::INFINITY, f32::min);
        if self.closed > NEVER_CLOSED * self.open {
            return Some(());
        }
        let limit = self.closed + CLOSED * self.open;
        let first = seen.iter().position(|s| *s <= limit).unwrap_or(STEPS).max(1);
        let (mut open, mut closed) = ((first - 1) as f32 / STEPS as f32, first as f32 / STEPS as f32);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (open + closed);
            let is_closed = self.seen_at(middle, patience)? <= limit;
            *(if is_closed { &mut closed } else { &mut open }) = middle;
        }
        self.full_closure = if closed > NEARLY_ALL { 1.0 } else { closed };
        Some(())
    }

    /// How much an expression at weight 1 closes this eye.
    pub(super) fn closed_by(&mut self, face: &dyn Face, expression: usize, patience: &mut Patience) -> f32 {
        let Some(moves) = face.moves(expression, &self.region.vertices) else { return 0.0 };
        let share = self.share_of_blink(&moves);
        if share.abs() <= STILL || !share.is_finite() {
            return 0.0;
        }
        let Some(seen) = self.eye_points(&moves, 1.0, patience) else { return 0.0 };
        let hidden = (self.open - seen) / (self.open - self.closed);
        // A lid that rises closes nothing, and one that sinks opens nothing: there the eye itself
        // has changed its shape.
        if hidden * share > 0.0 { hidden.clamp(-1.0, 1.0) } else { 0.0 }
    }

    /// How far moves go along with those of the blink, as a share of them. An eye that turns under its
    /// lids is not closed by it, so only the lids count, unless the blink moves nothing else.
    fn share_of_blink(&self, moves: &[Vec3]) -> f32 {
        let lid =
            || moves.iter().zip(&self.blink).zip(&self.is_lid).filter(|(_, is_lid)| **is_lid).map(|(m, _)| m);
        let along: f32 = lid().map(|(by, blink)| by.dot(*blink)).sum();
        let whole: f32 = lid().map(|(_, blink)| blink.length_squared()).sum();
        if whole > 0.0 { along / whole } else { 0.0 }
    }

    fn seen_at(&mut self, weight: f32, patience: &mut Patience) -> Option<f32> {
        let blink = std::mem::take(&mut self.blink);
        let seen = self.eye_points(&blink, weight, patience);
        self.blink = blink;
        seen
    }

    /// How many points of the eye are seen when its surroundings are moved.
    fn eye_points(&mut self, moves: &[Vec3], weight: f32, patience: &mut Patience) -> Option<f32> {
        let places = moved(&self.rest, moves, weight);
        let seen = self.view.look(&places, &self.region.triangles, patience)?;
        let is_eye = |surface: &&u32| self.is_eye.get(**surface as usize).copied().unwrap_or(false);
        Some(seen.iter().filter(is_eye).count() as f32)
    }
}

fn moved(rest: &[Vec3], moves: &[Vec3], weight: f32) -> Vec<Vec3> {
    rest.iter().zip(moves).map(|(place, by)| *place + *by * weight).collect()
}
