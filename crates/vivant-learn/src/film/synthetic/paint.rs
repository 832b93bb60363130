//! Renders the colour of a point: skin, hair, eye or hand.

mod eye;
mod skin;

use super::lids::{Lids, Shape};
use super::state::SceneState;
use super::texture::{Texture, bump, mixed, step};
use super::{Face, Settings};
use crate::film::layout::{POINTS, Points, Side};
use glam::{DVec2, Vec2, Vec3};

/// The parts of a scene that are the same at all times.
#[derive(Clone, Debug)]
pub(super) struct Painter {
    face: Face,
    shape: Shape,
    texture: Texture,
    /// Half of the hand's width in pixels.
    hand_px: f64,
    /// Slope of the hand's edge: pixels to the side per pixel down.
    hand_lean: f64,
}

/// A painter with the state of the scene at one time.
pub(super) struct View<'a> {
    painter: &'a Painter,
    state: &'a SceneState,
    /// Inverse of the face axes: eye widths per pixel to the right and down.
    across: DVec2,
    eyes: [Lids; 2],
}

impl Painter {
    pub(super) fn new(settings: &Settings) -> Self {
        let width = settings.occlusion.map_or(0.0, |occlusion| occlusion.width);
        Self {
            face: settings.face.clone(),
            shape: Shape::of(&settings.face),
            texture: Texture::of(mixed(settings.face.seed)),
            hand_px: 0.5 * width * settings.eye_px,
            hand_lean: 0.12,
        }
    }

    pub(super) fn view<'a>(&'a self, state: &'a SceneState) -> View<'a> {
        let eyes = Side::BOTH.map(|side| self.shape.at(&self.face, side, state));
        View { painter: self, state, across: state.across / state.across.length_squared(), eyes }
    }

    /// Returns the labelled points in pixels.
    pub(super) fn points(&self, state: &SceneState) -> Points {
        let eyes = Side::BOTH.map(|side| {
            let lids = self.shape.at(&self.face, side, state);
            lids.points.map(|point| self.to_image(state, side, point))
        });
        let mut points = [DVec2::ZERO; POINTS];
        points.iter_mut().zip(eyes.into_iter().flatten()).for_each(|(place, point)| *place = point);
        points
    }

    /// Transforms from eye to image coordinates.
    fn to_image(&self, state: &SceneState, side: Side, point: DVec2) -> DVec2 {
        let turned = self.inward().rotate(point);
        let mut face = DVec2::new(turned.x - 0.5 * self.face.apart, turned.y);
        if side == Side::Left {
            face.x = -face.x;
        }
        state.middle + state.across * face.x + state.across.perp() * face.y
    }

    /// Returns the direction from the outer to the inner corner of the right eye.
    fn inward(&self) -> DVec2 {
        DVec2::from_angle(self.face.slant)
    }

    pub(super) fn is_hidden(&self, state: &SceneState, point: DVec2) -> bool {
        self.hand(state, point).is_some()
    }

    /// Returns true if a point is near the hand's edge, within the distance that the hand may move in a frame.
    fn is_hands_edge(&self, state: &SceneState, point: DVec2) -> bool {
        let Some(x) = state.hand_x else { return false };
        let across = point.x + self.hand_lean * (point.y - state.middle.y) - x;
        (across.abs() - self.hand_px).abs() < 24.0
    }

    /// Returns the position across the hand from -1 to 1, if the hand covers the point.
    fn hand(&self, state: &SceneState, point: DVec2) -> Option<f64> {
        let across = (point.x + self.hand_lean * (point.y - state.middle.y) - state.hand_x?) / self.hand_px;
        (across.abs() <= 1.0).then_some(across)
    }
}

impl View<'_> {
    /// Returns true if a pixel belongs to an eye or to the edge of the hand, and needs more samples.
    pub(super) fn is_fine(&self, pixel: DVec2) -> bool {
        if self.painter.is_hands_edge(self.state, pixel) {
            return true;
        }
        let face = self.on_face(pixel);
        let aside = face.x.abs() - 0.5 * self.painter.face.apart as f32;
        aside.abs() < 0.64 && (-0.46..0.3).contains(&face.y)
    }

    /// Transforms from image to face coordinates: to the person's left and down, in eye widths.
    fn on_face(&self, pixel: DVec2) -> Vec2 {
        let from = pixel - self.state.middle;
        DVec2::new(from.dot(self.across), from.dot(self.across.perp())).as_vec2()
    }

    /// Returns the colour at an image point.
    pub(super) fn colour(&self, pixel: DVec2) -> Vec3 {
        if let Some(across) = self.painter.hand(self.state, pixel) {
            return self.hand_colour(pixel, across as f32);
        }
        let face = self.on_face(pixel);
        if !self.painter.is_head(face) {
            return self.painter.backdrop(pixel / self.state.across.length());
        }
        self.face_colour(face) * (self.state.gain + self.state.slope * f64::from(face.x)) as f32
    }

    fn face_colour(&self, face: Vec2) -> Vec3 {
        let painter = self.painter;
        let (side, lids) = if face.x < 0.0 { (1.0, &self.eyes[0]) } else { (-1.0, &self.eyes[1]) };
        let from = Vec2::new(face.x * side + 0.5 * painter.face.apart as f32, face.y);
        let eye = painter.inward().as_vec2().conjugate().rotate(from);
        let is_near = eye.x.abs() < 0.95 && (-0.62..0.6).contains(&eye.y);
        if is_near { painter.eye(face, eye, side, lids) } else { painter.brow(eye, painter.skin(face, face)) }
    }

    /// Returns the colour of the hand: skin that is darker at the edges and between the fingers.
    fn hand_colour(&self, pixel: DVec2, across: f32) -> Vec3 {
        let place = pixel.as_vec2() / self.state.across.length() as f32;
        let round = (1.0 - across * across).max(0.0).sqrt();
        let finger = 1.0 - 0.35 * bump((across * 1.5 + 1.5).fract() - 0.5, 0.06);
        let grain = 1.0 + 0.08 * self.painter.texture.rich(place.x * 9.0, place.y * 5.0);
        Vec3::new(0.62, 0.46, 0.38) * ((0.45 + 0.55 * round) * finger * grain * self.state.gain as f32)
    }
}

trait Conjugate {
    fn conjugate(self) -> Self;
}

impl Conjugate for Vec2 {
    /// Returns the inverse rotation.
    fn conjugate(self) -> Self {
        Self::new(self.x, -self.y)
    }
}

/// Returns the mean of the colours.
pub(super) fn mean(colours: impl ExactSizeIterator<Item = Vec3>) -> Vec3 {
    let count = colours.len() as f32;
    colours.sum::<Vec3>() / count
}

/// Returns a colour as levels of the image planes, up to 255.
pub(super) fn levels(colour: Vec3, channels: usize) -> impl Iterator<Item = f32> {
    let gray = colour.dot(Vec3::new(0.299, 0.587, 0.114));
    let colour = colour.to_array();
    (0..channels).map(move |channel| 255.0 * if channels == 1 { gray } else { colour[channel] })
}

fn vec3(colour: [f64; 3]) -> Vec3 {
    Vec3::from_array(colour.map(|part| part as f32))
}

/// Blends a covering colour over another.
fn over(under: Vec3, cover: Vec3, share: f32) -> Vec3 {
    under.lerp(cover, share.clamp(0.0, 1.0))
}

/// Returns 1 between two edges and 0 outside, with soft transitions.
fn band(value: f32, from: f32, to: f32, soft: f32) -> f32 {
    step(from - soft, from + soft, value) * (1.0 - step(to - soft, to + soft, value))
}
