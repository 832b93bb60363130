//! Measures the effect of an avatar's expressions on its lids by rendering its face.
//!
//! The eye counts as covered at the smallest weight of the blink at which none of it is visible from the front. Files
//! do not state which surfaces are the eye, so the surfaces that a blink hides count as the eye. Every other
//! expression is then measured by how much of the eye it hides or uncovers.
//!
//! If something is missing (no blink, no triangles, an eye that the blink does not hide), the result is `None`, and
//! the names of the expressions decide ([`LidMap`]). No function here returns an error.

pub(crate) mod bones;
mod eye;
mod region;
mod view;

use eye::Eye;
use glam::Vec3;
use view::PointBudget;
use vivant::rig::LidMap;

use crate::scene::{ShapeBind, SourceExpression};

/// Maximum number of triangle points that are tested for one avatar. Testing that many points takes about a tenth of a
/// second.
const MAX_POINTS: usize = 40 << 20;
/// Maximum number of vertices; a face with more is not measured.
pub(crate) const MAX_VERTICES: usize = 400_000;

/// An avatar's surface at rest, in humanoid space.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surface {
    /// Vertex positions in metres; the character faces +Z.
    pub(crate) places: Vec<Vec3>,
    /// Corner indices, counter-clockwise from outside.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// For each triangle, whether it is visible from behind.
    pub(crate) has_back: Vec<bool>,
    /// For each triangle, whether it may be transparent, such as the gaps between lashes.
    pub(crate) is_clear: Vec<bool>,
    /// For each vertex, whether an eye bone carries it.
    pub(crate) is_eye: Vec<bool>,
    /// For each vertex, the node with the strongest influence.
    pub(crate) carriers: Vec<u32>,
}

/// Provides the offsets of vertices for an expression at weight 1.
pub(crate) trait Face {
    /// Returns the surface at rest.
    fn surface(&self) -> &Surface;

    /// Returns the binds of an expression; `None` if it does not exist.
    fn binds(&self, expression: usize) -> Option<&[ShapeBind]>;

    /// Adds the offsets of a bind for these vertices, in their order and in humanoid space. Unreadable offsets are
    /// skipped.
    fn add_moves(&self, bind: &ShapeBind, of: &Wanted, out: &mut [Vec3]);

    /// Returns the offsets of an expression for these vertices; `None` if the expression does not exist or an offset
    /// is not finite.
    fn moves(&self, expression: usize, of: &Wanted) -> Option<Vec<Vec3>> {
        let mut moves = vec![Vec3::ZERO; of.list().len()];
        for bind in self.binds(expression)? {
            self.add_moves(bind, of, &mut moves);
        }
        moves.iter().all(|by| by.is_finite()).then_some(moves)
    }
}

/// A subset of vertices: a sorted list, and the index in it for each vertex.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    list: Vec<u32>,
    places: Vec<u32>,
}

impl Wanted {
    fn new(vertices: usize, wanted: impl Iterator<Item = u32>) -> Self {
        let mut places = vec![u32::MAX; vertices];
        wanted.for_each(|vertex| places.get_mut(vertex as usize).into_iter().for_each(|place| *place = 0));
        let list: Vec<u32> = (0..vertices as u32).filter(|v| places[*v as usize] == 0).collect();
        list.iter().zip(0..).for_each(|(vertex, place)| places[*vertex as usize] = place);
        Self { list, places }
    }

    pub(crate) fn list(&self) -> &[u32] {
        &self.list
    }

    /// Returns the index of a vertex in the list.
    pub(crate) fn index_of(&self, vertex: usize) -> Option<usize> {
        self.places.get(vertex).filter(|place| **place != u32::MAX).map(|place| *place as usize)
    }
}

/// Measures a face; `None` if there is nothing to measure.
pub(crate) fn measure(face: &dyn Face, expressions: &[SourceExpression]) -> Option<LidMap> {
    let blinks = blinks(expressions)?;
    let mut budget = PointBudget(MAX_POINTS);
    let mut eyes = eyes(face, blinks, &mut budget)?;
    let mut closed_by = |expression| {
        let closed = |eye: &mut Option<Eye>| {
            eye.as_mut().map_or(0.0, |eye| eye.closed_by(face, expression, &mut budget))
        };
        eyes.each_mut().map(closed)
    };
    // If there is a smooth blink, a binary one must not be used instead.
    let is_switch = |e: usize| expressions[e].is_binary && !blinks.contains(&e);
    let closing =
        (0..expressions.len()).map(|e| if is_switch(e) { [0.0; 2] } else { closed_by(e) }).collect();
    let full = |side: usize| match expressions[blinks[side]].is_binary {
        true => Some(1.0),
        false => eyes[side].as_ref().map(|eye| eye.full_closure),
    };
    let (left, right) = (full(0), full(1));
    // A hidden eye (hair, eye patch) closes like the other one.
    let full_closure = [left.or(right), right.or(left)].map(|weight| weight.unwrap_or(1.0));
    Some(LidMap { full_closure, closing, measured: true })
}

/// Finds the left and the right eye; `None` if neither is found.
fn eyes(face: &dyn Face, blinks: [usize; 2], budget: &mut PointBudget) -> Option<[Option<Eye>; 2]> {
    let vertices = face.surface().places.len().min(MAX_VERTICES);
    let all = Wanted::new(vertices, 0..vertices as u32);
    let is_both = blinks[0] == blinks[1];
    let surface = face.surface();
    let mut find = |side: usize| {
        let moves = face.moves(blinks[side], &all)?;
        let mut with_clear =
            |is_clear: &[bool]| Eye::find(surface, is_clear, &moves, is_both.then_some(side), budget);
        // Transparent triangles cover nothing, unless no face is left without them.
        let has_clear = surface.is_clear.contains(&true);
        with_clear(&surface.is_clear).or_else(|| if has_clear { with_clear(&[]) } else { None })
    };
    let eyes = [find(0), find(1)];
    eyes.iter().any(Option::is_some).then_some(eyes)
}

/// Returns the expressions that close the left and the right eye, in the order in which [`vivant::rig::LidControl`]
/// chooses them.
fn blinks(expressions: &[SourceExpression]) -> Option<[usize; 2]> {
    let of = |name: &str| expressions.iter().position(|e| e.channel.name() == name && !e.binds.is_empty());
    let pair = |left, right| Some([of(left)?, of(right)?]);
    let sets = [("blinkLeft", "blinkRight"), ("eyeBlinkLeft", "eyeBlinkRight"), ("blink", "blink")];
    let found: Vec<[usize; 2]> = sets.into_iter().filter_map(|(left, right)| pair(left, right)).collect();
    // Binary expressions show nothing between open and closed.
    let is_smooth = |pair: &&[usize; 2]| pair.iter().all(|e| !expressions[*e].is_binary);
    found.iter().find(is_smooth).or(found.first()).copied()
}
