//! Renders an eye and its lids.

use super::{Painter, over, vec3};
use crate::film::synthetic::lids::{Lids, NODES};
use crate::film::synthetic::texture::{bump, step};
use glam::{Vec2, Vec3};

/// Values at a point in eye coordinates.
struct Spot {
    /// Position.
    at: Vec2,
    /// 0 at the outer corner, 1 at the inner corner.
    along: f32,
    /// y of the upper lid, the lower lid and the open upper lid at this x position.
    upper: f32,
    lower: f32,
    open_upper: f32,
    /// Aperture of the eye, 0 to about 1.
    open: f32,
}

impl Painter {
    /// Returns the colour near an eye; `side` is 1 for the right eye and -1 for the left.
    pub(super) fn eye(&self, face: Vec2, at: Vec2, side: f32, lids: &Lids) -> Vec3 {
        let spot = self.spot(at, lids);
        let is_inside = (0.0..=1.0).contains(&spot.along) && (spot.upper..spot.lower).contains(&at.y);
        let under = if is_inside { self.ball(&spot, side, lids) } else { self.lid(face, &spot) };
        let lined = self.margin(&spot, is_inside, under);
        over(lined, vec3(self.face.hair) * 0.6, self.lashes(&spot))
    }

    fn spot(&self, at: Vec2, lids: &Lids) -> Spot {
        let along = at.x + 0.5;
        let place = along.clamp(0.0, 1.0) * (NODES - 1) as f32;
        let node = (place as usize).min(NODES - 2);
        let share = place - node as f32;
        let between = |curve: &dyn Fn(usize) -> f32| curve(node) + (curve(node + 1) - curve(node)) * share;
        let open_upper = between(&|node| self.shape.open_upper()[node] as f32);
        let (upper, lower) = (between(&|node| lids.upper[node]), between(&|node| lids.lower[node]));
        let middle = NODES / 2;
        let open = (lids.lower[middle] - lids.upper[middle]) / (self.face.upper + self.face.lower) as f32;
        Spot { at, along, upper, lower, open_upper, open }
    }

    /// Returns the colour of the eyeball between the lids.
    fn ball(&self, spot: &Spot, side: f32, lids: &Lids) -> Vec3 {
        let centre = lids.iris.as_vec2();
        let from = spot.at - centre;
        let radius = from.length();
        let edge = self.face.iris as f32;
        let white = self.sclera(spot);
        let coloured = step(edge * 1.05, edge * 0.93, radius);
        let mut colour =
            if coloured > 0.0 { over(white, self.iris(from, radius, edge), coloured) } else { white };
        colour = self.caruncle(spot, colour);
        colour *= self.shade(spot);
        // Reflection of a window at the upper left, and a weaker one at the lower right. Both hardly move when the
        // eye turns.
        let lamp = |place: Vec2, size: f32| {
            let place = Vec2::new(place.x * side, place.y) + centre * 0.55;
            step(size, size * 0.55, (spot.at - place).length())
        };
        let light = 0.9 * lamp(Vec2::new(-0.07, -0.09), 0.034) + 0.2 * lamp(Vec2::new(0.08, 0.06), 0.03);
        over(colour, Vec3::ONE, light)
    }

    fn sclera(&self, spot: &Spot) -> Vec3 {
        let veins = self.texture.rich(spot.at.x * 22.0 + 7.0, spot.at.y * 40.0);
        let aside = (spot.along - 0.5).abs() * 2.0;
        let red = aside * (0.05 + 0.06 * veins.max(0.0));
        Vec3::new(0.80, 0.78 - red, 0.76 - red) * (1.0 - 0.38 * aside * aside * aside)
    }

    fn iris(&self, from: Vec2, radius: f32, edge: f32) -> Vec3 {
        let share = radius / edge;
        // A diamond angle is sufficient; it goes from 0 to 4.
        let turn = from.y / (from.x.abs() + from.y.abs()).max(1e-6);
        let angle = if from.x < 0.0 { 2.0 - turn } else { turn };
        let spokes = self.texture.at(angle * 14.0 + 50.0, share * 2.0)
            + 0.5 * self.texture.at(angle * 31.0, share * 3.0);
        let ring = 0.25 * bump(share - 0.55, 0.12);
        let rim = 1.0 - 0.65 * step(0.78, 1.0, share);
        let colour = vec3(self.face.eye_colour) * (0.85 + 0.28 * spokes + ring) * rim;
        let pupil = self.face.pupil as f32;
        over(colour, Vec3::splat(0.03), step(pupil * 1.1, pupil * 0.92, radius))
    }

    /// Adds the pink inner corner.
    fn caruncle(&self, spot: &Spot, colour: Vec3) -> Vec3 {
        let grain = 1.0 + 0.15 * self.texture.at(spot.at.x * 60.0, spot.at.y * 60.0);
        let pink = vec3(self.face.skin).lerp(Vec3::new(0.85, 0.5, 0.46), 0.7) * grain;
        over(colour, pink, step(0.88, 0.95, spot.along))
    }

    /// Returns the brightness of the eyeball in the shadow of the upper lid with its lashes, and in the weaker shadow
    /// of the lower lid.
    fn shade(&self, spot: &Spot) -> f32 {
        let above = step(-0.02, 0.15, spot.at.y - spot.upper);
        let below = step(-0.03, 0.05, spot.lower - spot.at.y);
        (0.5 + 0.5 * above) * (0.75 + 0.25 * below)
    }

    /// Returns the colour of the skin around the eyeball. The skin of the upper lid moves with the lid's edge; the
    /// movement decreases towards the brow.
    fn lid(&self, face: Vec2, spot: &Spot) -> Vec3 {
        let y = spot.at.y;
        let is_above = y < 0.5 * (spot.upper + spot.lower);
        let gone = spot.upper - spot.open_upper;
        let reach = step(spot.open_upper - 0.35, spot.upper, y);
        let moved = if is_above { gone * reach } else { 0.0 };
        let skin = self.brow(spot.at, self.skin(face, face - Vec2::new(0.0, moved)));
        let within = step(-0.12, 0.1, spot.along) * (1.0 - step(0.9, 1.12, spot.along));
        if is_above { skin * self.upper_form(spot, within) } else { skin * self.lower_form(spot, within) }
    }

    /// Returns the brightness of the skin above the eye: darker in the crease, lighter where the eyeball curves the
    /// lid.
    fn upper_form(&self, spot: &Spot, within: f32) -> f32 {
        let open = spot.open.clamp(0.0, 1.0);
        let fold = spot.open_upper - self.face.crease as f32 * (0.4 + 2.4 * spot.along * (1.0 - spot.along));
        let fold = fold + 0.05 * (1.0 - open);
        let crease = (0.16 + 0.3 * open) * bump(spot.at.y - fold, 0.016 + 0.02 * (1.0 - open));
        let hollow = 0.1 * bump(spot.at.y - fold + 0.06, 0.09);
        let ball = 0.1 * bump(spot.at.y - 0.5 * (fold + spot.upper), 0.1) - 0.1 * step(-0.05, 0.2, spot.at.y);
        1.0 + within * (ball - crease - hollow)
    }

    /// Returns the brightness of the skin below the eye, which has a fold.
    fn lower_form(&self, spot: &Spot, within: f32) -> f32 {
        let below = spot.at.y - spot.lower;
        let roll = 0.06 * bump(below - 0.06, 0.05);
        let bag = 0.12 * bump(below - 0.17 - 0.08 * spot.along, 0.05);
        1.0 + within * (roll - bag)
    }

    /// Draws the edges of the lids over the colour `under`: dark at the upper lid, where the lashes grow, and moist
    /// at the lower lid.
    fn margin(&self, spot: &Spot, is_inside: bool, under: Vec3) -> Vec3 {
        let within = step(-0.03, 0.05, spot.along) * (1.0 - step(0.93, 1.02, spot.along));
        let line = within * bump(spot.at.y - spot.upper + 0.004, 0.018);
        let dark = over(under, vec3(self.face.hair) * 0.5, 0.85 * line);
        let below = spot.at.y - spot.lower;
        let moist = if is_inside { 0.0 } else { within * bump(below - 0.016, 0.012) };
        let wet = vec3(self.face.skin) * Vec3::new(1.06, 0.9, 0.88);
        over(
            over(dark, wet, 0.45 * moist * (1.0 - line)),
            vec3(self.face.hair),
            self.lower_lashes(spot, below),
        )
    }

    fn lower_lashes(&self, spot: &Spot, below: f32) -> f32 {
        let strands = self.texture.at(spot.along * 52.0 + (spot.along - 0.5) * below * 90.0, 77.0);
        0.3 * step(0.1, 0.6, strands)
            * super::band(below, 0.02, 0.055, 0.02)
            * super::band(spot.along, 0.1, 0.8, 0.1)
    }

    /// Returns the coverage by the upper lashes from 0 to 1. They point up from an open lid and down from a closed
    /// one.
    fn lashes(&self, spot: &Spot) -> f32 {
        let within = step(-0.03, 0.15, spot.along) * (1.0 - step(0.75, 0.98, spot.along));
        // When the eye is open by about a third, the lashes point at the camera and look short.
        let up = (1.6 * (spot.open - 0.35)).clamp(-1.0, 1.0);
        let long = self.face.lashes as f32 * up.abs().max(0.15) * (1.25 - 0.6 * spot.along);
        let out = if up < 0.0 { spot.at.y - spot.upper } else { spot.upper - spot.at.y };
        if out < -0.01 || out > long {
            return 0.0;
        }
        let lean = (spot.along - 0.55) * out * 1.6;
        let root = spot.along - lean;
        let strands = self.texture.at(root * 90.0, 11.0) + 0.5 * self.texture.at(root * 41.0, 23.0);
        let share = out / (long * (0.75 + 0.25 * self.texture.at(root * 60.0, 31.0)));
        // Thick at the root, thin at the tip.
        within * step(-0.35 + share, 0.35 + share, strands) * (1.0 - step(0.6, 1.0, share)) * 0.85
    }
}
