//! What an avatar's expressions do to its lids, found by looking at its face.
//!
//! The eye is covered at the smallest weight of the blink at which nothing of it is seen from
//! straight ahead. Which surfaces are the eye nobody says; but a blink tells: they are what it makes
//! disappear. Every other expression is then measured by how much of the eye it hides or uncovers.
//!
//! Where something is missing — no blink, no triangles, an eye that the blink does not hide — the
//! answer is `None` and the names decide ([`LidMap`]). Nothing here fails.

pub(crate) mod bones;
mod eye;
mod region;
mod view;

use eye::Eye;
use glam::Vec3;
use view::Patience;
use vivant::rig::LidMap;

use crate::scene::{ShapeBind, SourceExpression};

/// How many points of triangles may be tested for one avatar: about a tenth of a second.
const PATIENCE: usize = 40 << 20;
/// The most vertices that are looked at; a face with more is not measured.
pub(crate) const MAX_VERTICES: usize = 400_000;

/// An avatar's surface at rest, in humanoid space.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surface {
    /// In metres; the character faces +Z.
    pub(crate) places: Vec<Vec3>,
    /// Corners, counter-clockwise from outside.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// For each triangle, whether it can be seen from behind.
    pub(crate) has_back: Vec<bool>,
    /// For each triangle, whether one may see through it, as through the gaps between lashes.
    pub(crate) is_clear: Vec<bool>,
    /// For each vertex, whether an eye bone carries it.
    pub(crate) is_eye: Vec<bool>,
    /// For each vertex, the node that carries it most.
    pub(crate) carriers: Vec<u32>,
}

/// What can tell how an expression at weight 1 moves vertices.
pub(crate) trait Face {
    /// The surface at rest.
    fn surface(&self) -> &Surface;

    /// What an expression is bound to; `None` if there is no such expression.
    fn binds(&self, expression: usize) -> Option<&[ShapeBind]>;

    /// Adds how far a bind moves these vertices, in their order and in humanoid space, as far as it can be
    /// told.
    fn add_moves(&self, bind: &ShapeBind, of: &Wanted, out: &mut [Vec3]);

    /// How far an expression moves these vertices; `None` if it cannot be told.
    fn moves(&self, expression: usize, of: &Wanted) -> Option<Vec<Vec3>> {
        let mut moves = vec![Vec3::ZERO; of.list().len()];
        for bind in self.binds(expression)? {
            self.add_moves(bind, of, &mut moves);
        }
        moves.iter().all(|by| by.is_finite()).then_some(moves)
    }
}

/// Some vertices of a surface: a list in rising order, and the way back from a vertex to its place.
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

    /// Where a vertex stands in the list.
    pub(crate) fn place_of(&self, vertex: usize) -> Option<usize> {
        self.places.get(vertex).filter(|place| **place != u32::MAX).map(|place| *place as usize)
    }
}

/// Measures a face; `None` if there is nothing to measure.
pub(crate) fn measure(face: &dyn Face, expressions: &[SourceExpression]) -> Option<LidMap> {
    let blinks = blinks(expressions)?;
    let mut patience = Patience(PATIENCE);
    let mut eyes = eyes(face, blinks, &mut patience)?;
    let mut closed_by = |expression| {
        let closed = |eye: &mut Option<Eye>| {
            eye.as_mut().map_or(0.0, |eye| eye.closed_by(face, expression, &mut patience))
        };
        eyes.each_mut().map(closed)
    };
    // Where a smooth blink exists, one that knows only on and off must not be taken for it.
    let is_switch = |e: usize| expressions[e].is_binary && !blinks.contains(&e);
    let closing =
        (0..expressions.len()).map(|e| if is_switch(e) { [0.0; 2] } else { closed_by(e) }).collect();
    let full = |side: usize| match expressions[blinks[side]].is_binary {
        true => Some(1.0),
        false => eyes[side].as_ref().map(|eye| eye.full_closure),
    };
    let (left, right) = (full(0), full(1));
    // An eye that cannot be seen (hair, a patch) closes like the other one.
    let full_closure = [left.or(right), right.or(left)].map(|weight| weight.unwrap_or(1.0));
    Some(LidMap { full_closure, closing, measured: true })
}

/// The left and the right eye; `None` if neither is found.
fn eyes(face: &dyn Face, blinks: [usize; 2], patience: &mut Patience) -> Option<[Option<Eye>; 2]> {
    let vertices = face.surface().places.len().min(MAX_VERTICES);
    let all = Wanted::new(vertices, 0..vertices as u32);
    let is_both = blinks[0] == blinks[1];
    let surface = face.surface();
    let mut find = |side: usize| {
        let moves = face.moves(blinks[side], &all)?;
        let mut through =
            |is_clear: &[bool]| Eye::find(surface, is_clear, &moves, is_both.then_some(side), patience);
        // What one sees through covers nothing; unless that leaves no face.
        let has_clear = surface.is_clear.contains(&true);
        through(&surface.is_clear).or_else(|| if has_clear { through(&[]) } else { None })
    };
    let eyes = [find(0), find(1)];
    eyes.iter().any(Option::is_some).then_some(eyes)
}

/// The expressions that close the left and the right eye, in the order in which
/// [`vivant::rig::LidControl`] chooses them.
fn blinks(expressions: &[SourceExpression]) -> Option<[usize; 2]> {
    let of = |name: &str| expressions.iter().position(|e| e.channel.name() == name && !e.binds.is_empty());
    let pair = |left, right| Some([of(left)?, of(right)?]);
    let sets = [("blinkLeft", "blinkRight"), ("eyeBlinkLeft", "eyeBlinkRight"), ("blink", "blink")];
    let found: Vec<[usize; 2]> = sets.into_iter().filter_map(|(left, right)| pair(left, right)).collect();
    // What knows only on and off tells nothing of the way between.
    let is_smooth = |pair: &&[usize; 2]| pair.iter().all(|e| !expressions[*e].is_binary);
    found.iter().find(is_smooth).or(found.first()).copied()
}
