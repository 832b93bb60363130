//! Renders skin, brows, nose, mouth, hair and background.

use super::{Painter, band, over, vec3};
use crate::film::synthetic::texture::{bump, step};
use glam::{DVec2, Vec2, Vec3};

impl Painter {
    /// Returns true if the point is on the face or hair.
    pub(super) fn is_head(&self, face: Vec2) -> bool {
        let round = Vec2::new(face.x / 2.55, (face.y - 0.9) / 3.6);
        round.length_squared() < 1.0
    }

    /// Returns the colour of the background, a textured wall.
    pub(super) fn backdrop(&self, place: DVec2) -> Vec3 {
        let place = place.as_vec2();
        let stain = self.texture.at(place.x * 0.4 + 9.0, place.y * 0.3)
            + 0.3 * self.texture.rich(place.x * 3.0, place.y * 3.0);
        Vec3::new(0.44, 0.47, 0.5) * (1.0 + 0.35 * stain)
    }

    /// Returns the skin colour. The texture position differs from the face position where lids stretch the skin.
    pub(super) fn skin(&self, face: Vec2, texture: Vec2) -> Vec3 {
        let tone = vec3(self.face.skin) * self.form(face);
        let pores = self.texture.rich(texture.x * 24.0, texture.y * 24.0);
        let blotches = self.texture.at(texture.x * 3.5 + 40.0, texture.y * 3.5 + 60.0);
        let red = Vec3::new(0.02, -0.03, -0.03) * blotches;
        self.features(face, tone * (Vec3::splat(1.0 + 0.055 * pores + 0.03 * blotches) + red))
    }

    /// Returns the shading of the face: nose, hollows, cheeks and a round head.
    fn form(&self, face: Vec2) -> f32 {
        let aside = face.x.abs();
        let nose = 0.1 * bump(face.x, 0.22) * step(-0.9, -0.2, face.y);
        // The side of the nose is in shadow, most at the inner corner, less where it widens.
        let side = aside - 0.36 - 0.1 * (face.y + 0.2).max(0.0);
        let hollow = bump(side, 0.2) * (0.16 * bump(face.y + 0.15, 0.45) + 0.05 * step(-0.2, 0.6, face.y));
        let brow_bone = 0.07 * bump(face.y + 0.6, 0.35);
        let cheek = 0.07 * bump(face.y - 1.1, 0.5) * bump(aside - 1.2, 0.6);
        let round = 0.3 * step(1.5, 2.6, aside) + 0.12 * step(2.0, 4.0, face.y);
        0.92 + nose - hollow + brow_bone + cheek - round
    }

    /// Draws nostrils, mouth and hair over the skin, for images in which they are visible.
    fn features(&self, face: Vec2, skin: Vec3) -> Vec3 {
        if face.y > 1.0 {
            let nostril = 0.7 * bump(face.x.abs() - 0.25, 0.12) * bump(face.y - 1.45, 0.07);
            let inside = 1.0 - step(0.7, 0.95, face.x.abs());
            let lips = inside * band(face.y, 2.2, 2.52, 0.06);
            let lip = skin * Vec3::new(0.82, 0.58, 0.58);
            let gap = 0.7 * inside * bump(face.y - 2.34, 0.03);
            return over(skin, lip, lips) * (1.0 - nostril) * (1.0 - gap);
        }
        if face.y > -1.2 {
            return skin;
        }
        let line = -1.75 + 0.25 * face.x * face.x * 0.3 + 0.12 * self.texture.at(face.x * 9.0, 3.0);
        let strands = 0.8 + 0.4 * self.texture.at(face.x * 30.0 + 3.0 * face.y, face.y * 2.0);
        over(skin, vec3(self.face.hair) * strands, 1.0 - step(line - 0.1, line + 0.1, face.y))
    }

    /// Draws the brow above an eye, in eye coordinates, over the skin.
    pub(super) fn brow(&self, eye: Vec2, skin: Vec3) -> Vec3 {
        let height = self.face.brow as f32;
        if eye.y > 0.25 - height || eye.y < -height - 0.5 || !(-0.9..0.8).contains(&eye.x) {
            return skin;
        }
        // The brow is higher in its outer half, and thin at its end.
        let rise = eye.x + 0.2;
        let middle = -height - 0.1 + 0.3 * rise * rise;
        let thick = self.face.brow_thick as f32 * band(eye.x, -0.62, 0.55, 0.16) * (0.75 + 0.35 * eye.x);
        let slanted = eye.x * 34.0 + eye.y * 26.0;
        let hairs = 0.6 + 0.4 * self.texture.at(slanted, eye.y * 11.0 + eye.x * 4.0);
        let cover = band((eye.y - middle) / thick.max(1e-3), -0.8, 0.8, 0.5) * step(0.0, 0.05, thick);
        over(skin, vec3(self.face.hair), cover * hairs)
    }
}
