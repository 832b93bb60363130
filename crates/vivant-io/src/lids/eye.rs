//! Measures one eye while it closes.
//!
//! Blink shapes of avatars close the eye at different weights, and some close it only in part. The file does not state
//! these weights, so the mesh is rendered from the front at several weights and the visible points of the eye are
//! counted. [`Eye::find`] identifies the surfaces that a blink hides and finds the weight of full closure,
//! [`Eye::full_closure`]; [`Eye::closed_by`] then measures how far any other expression closes or opens that eye. Eyes
//! that the blink squeezes flat and eyes that are part of the face's surface are recognised too. A [`PointBudget`]
//! limits the total work.

use super::region::{Near, Region, lid_box};
use super::view::{NOTHING, PointBudget, View};
use super::{Face, Surface};
use glam::{Vec2, Vec3};

/// Blink weight above which a measured full closure counts as 1, because the lids then meet only at the end of their
/// movement.
const NEARLY_ALL: f32 = 0.95;

/// Margin around the lid, relative to its height.
const MARGIN: f32 = 0.15;
/// Maximum share of a surface that stays visible in a blink, for surfaces of an eye that the lid covers.
const COVERED: f32 = 0.1;
/// Maximum share of a surface that stays visible in a blink, for surfaces of an eye that the blink squeezes flat.
const SQUEEZED: f32 = 0.5;
/// Ratio of the visible points of squeezed surfaces to those of covered surfaces above which the eye counts as
/// squeezed.
const MOSTLY: f32 = 3.0;
/// Minimum number of visible points of an eye.
const MIN_SEEN: f32 = 24.0;
/// Share of the eye by which the visible part may exceed its minimum while the eye counts as covered. It allows for
/// the corners of the eye, where surfaces intersect.
const CLOSED: f32 = 0.01;
/// Maximum share of the eye that stays visible at full closure. If more stays visible, the blink never covers the eye.
const NEVER_CLOSED: f32 = 0.05;
/// Number of intervals at which the blink weight is sampled. The interval in which the eye closes is then bisected.
const STEPS: usize = 8;
const HALVINGS: usize = 6;
/// Smallest movement of the lid by an expression, as a share of the movement in a blink, that counts as an effect on
/// the lid.
const STILL: f32 = 0.02;
/// Maximum number of triangles around an eye.
const MAX_TRIANGLES: usize = 60_000;

/// An eye with its surroundings, and the movement of its lid in a blink.
#[derive(Debug)]
pub(super) struct Eye {
    /// The smallest weight of the blink at which the eye is covered.
    pub(super) full_closure: f32,
    /// The surface around the eye, and the rest positions of its vertices.
    region: Region,
    rest: Vec<Vec3>,
    /// Offsets of the vertices by the blink at weight 1.
    blink: Vec<Vec3>,
    /// For each surface, whether it is part of the eye.
    is_eye: Vec<bool>,
    /// True if the blink squeezes the eye itself instead of covering it.
    is_squeezed: bool,
    /// For each vertex, whether it belongs to the lid; a squeezed eye is its own lid.
    is_lid: Vec<bool>,
    view: View,
    /// Number of visible points of the eye when open, and when closed.
    open: f32,
    closed: f32,
}

impl Eye {
    /// Finds the eye that a blink closes, on one side if the blink closes both. Transparent triangles are ignored.
    pub(super) fn find(
        surface: &Surface,
        is_clear: &[bool],
        moves: &[Vec3],
        side: Option<usize>,
        budget: &mut PointBudget,
    ) -> Option<Self> {
        let (low, high) = lid_box(surface, moves, side)?;
        let mut eye = Self::in_region(surface, is_clear, moves, (low, high))?;
        eye.find_eye_surfaces(budget)?;
        eye.find_closure(budget)?;
        Some(eye)
    }

    fn in_region(surface: &Surface, is_clear: &[bool], moves: &[Vec3], lid: (Vec3, Vec3)) -> Option<Self> {
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
    fn find_eye_surfaces(&mut self, budget: &mut PointBudget) -> Option<()> {
        let (before, after) = (self.counts(0.0, budget)?, self.counts(1.0, budget)?);
        let squeezed = self.mark_hidden(&before, &after, SQUEEZED);
        self.is_squeezed = squeezed > MOSTLY * self.mark_hidden(&before, &after, COVERED);
        if self.is_squeezed {
            self.mark_hidden(&before, &after, SQUEEZED);
        }
        if self.open < MIN_SEEN {
            // The eye is part of the face's surface: compare triangle by triangle.
            for (index, triangle) in self.region.triangles.iter_mut().enumerate() {
                triangle.surface = index as u32;
            }
            self.is_eye = vec![false; self.region.triangles.len()];
            self.is_squeezed = false;
            let (before, after) = (self.counts(0.0, budget)?, self.counts(1.0, budget)?);
            self.mark_hidden(&before, &after, COVERED);
        }
        for triangle in self.region.triangles.iter().filter(|t| self.is_eye[t.surface as usize]) {
            triangle.corners.iter().for_each(|c| self.is_lid[*c as usize] = self.is_squeezed);
        }
        (self.open >= MIN_SEEN).then_some(())
    }

    /// Marks a surface as part of the eye if at most the share `left_over` of it stays visible in a blink. Returns
    /// the number of visible points of these surfaces in the open eye.
    fn mark_hidden(&mut self, before: &[u32], after: &[u32], left_over: f32) -> f32 {
        self.open = 0.0;
        for (is_eye, (before, after)) in self.is_eye.iter_mut().zip(before.iter().zip(after)) {
            *is_eye = *before > 0 && *after as f32 <= left_over * *before as f32;
            self.open += if *is_eye { *before as f32 } else { 0.0 };
        }
        self.open
    }

    /// Counts the visible points of each surface at a weight of the blink.
    fn counts(&mut self, weight: f32, budget: &mut PointBudget) -> Option<Vec<u32>> {
        let places = displaced(&self.rest, &self.blink, weight);
        let mut counts = vec![0; self.is_eye.len()];
        for surface in self.view.render(&places, &self.region.triangles, budget)? {
            if *surface != NOTHING {
                counts[*surface as usize] += 1;
            }
        }
        Some(counts)
    }

    fn find_closure(&mut self, budget: &mut PointBudget) -> Option<()> {
        let mut seen = Vec::with_capacity(STEPS + 1);
        for step in 0..=STEPS {
            seen.push(self.seen_at(step as f32 / STEPS as f32, budget)?);
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
            let is_closed = self.seen_at(middle, budget)? <= limit;
            *(if is_closed { &mut closed } else { &mut open }) = middle;
        }
        self.full_closure = if closed > NEARLY_ALL { 1.0 } else { closed };
        Some(())
    }

    /// Returns the closure of this eye by an expression at weight 1, from -1 (opens it wide) to 1 (covers it).
    pub(super) fn closed_by(&mut self, face: &dyn Face, expression: usize, budget: &mut PointBudget) -> f32 {
        let Some(moves) = face.moves(expression, &self.region.vertices) else { return 0.0 };
        let share = self.share_of_blink(&moves);
        if share.abs() <= STILL || !share.is_finite() {
            return 0.0;
        }
        let Some(seen) = self.eye_points(&moves, 1.0, budget) else { return 0.0 };
        let hidden = (self.open - seen) / (self.open - self.closed);
        // A rising lid cannot close the eye, and a sinking lid cannot open it. If they seem to, the eye itself changed
        // its shape.
        if hidden * share > 0.0 { hidden.clamp(-1.0, 1.0) } else { 0.0 }
    }

    /// Returns the size of the movement `moves` in the direction of the blink, as a share of the blink: 1 moves the lid
    /// as far as the blink, and negative values move it the other way. Only vertices of the lid count, because an eye
    /// that rotates under its lids is not closed.
    fn share_of_blink(&self, moves: &[Vec3]) -> f32 {
        let lid =
            || moves.iter().zip(&self.blink).zip(&self.is_lid).filter(|(_, is_lid)| **is_lid).map(|(m, _)| m);
        let along: f32 = lid().map(|(by, blink)| by.dot(*blink)).sum();
        let whole: f32 = lid().map(|(_, blink)| blink.length_squared()).sum();
        if whole > 0.0 { along / whole } else { 0.0 }
    }

    fn seen_at(&mut self, weight: f32, budget: &mut PointBudget) -> Option<f32> {
        let blink = std::mem::take(&mut self.blink);
        let seen = self.eye_points(&blink, weight, budget);
        self.blink = blink;
        seen
    }

    /// Counts the visible points of the eye after every vertex is displaced by its offset in `moves` times `weight`.
    fn eye_points(&mut self, moves: &[Vec3], weight: f32, budget: &mut PointBudget) -> Option<f32> {
        let places = displaced(&self.rest, moves, weight);
        let seen = self.view.render(&places, &self.region.triangles, budget)?;
        let is_eye = |surface: &&u32| self.is_eye.get(**surface as usize).copied().unwrap_or(false);
        Some(seen.iter().filter(is_eye).count() as f32)
    }
}

fn displaced(rest: &[Vec3], moves: &[Vec3], weight: f32) -> Vec<Vec3> {
    rest.iter().zip(moves).map(|(place, by)| *place + *by * weight).collect()
}
