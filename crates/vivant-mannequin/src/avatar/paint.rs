//! Procedural textures. They are small, have the same bytes on every machine, and use the colours of the look.
//!
//! The textures are computed when the avatar is built, so there are no image files, and each look gets its own colours.
//! All functions use the deterministic mathematics of the core crate, because the files of an avatar must be identical
//! on every platform. Textures of hair and cloth contain only brightness, and the material adds the colour. [`eye`],
//! [`face`], [`knit`] and the other functions return an [`Image`]; [`Image::png`] encodes it.

use super::eyes::{IRIS, PUPIL, TEXTURE};
use super::head::lip;
use crate::look::{Look, Rgb};
use glam::{Vec2, Vec3};
use std::f32::consts::TAU;
use vivant::math::{atan2_32, cos32, exp32, pow32, sin32};

/// Side lengths of the square textures in pixels.
const EYE_SIZE: usize = 512;
const FACE_SIZE: usize = 512;
const CLOTH_SIZE: usize = 64;
const MATCAP_SIZE: usize = 128;

/// A square image with rows of sRGB pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Image {
    size: usize,
    bytes: Vec<u8>,
}

impl Image {
    /// Creates a square image from a function that returns the colour at (u, v). Both are from 0 to 1, and v points
    /// down.
    fn painted(size: usize, colour: impl Fn(Vec2) -> Vec3) -> Self {
        let centre = |i: usize| (i as f32 + 0.5) / size as f32;
        let places = (0..size * size).map(|i| Vec2::new(centre(i % size), centre(i / size)));
        let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0).round() as u8;
        let bytes = places.flat_map(|uv| colour(uv).to_array().map(byte)).collect();
        Self { size, bytes }
    }

    /// Encodes the image as PNG.
    pub(crate) fn png(&self) -> Vec<u8> {
        let mut file = Vec::new();
        let size = self.size as u32;
        let mut encoder = png::Encoder::new(&mut file, size, size);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&self.bytes));
        written.expect("encoding a PNG in memory cannot fail");
        file
    }
}

/// Converts a colour of the look to components from 0 to 1.
pub(crate) fn colour(rgb: Rgb) -> Vec3 {
    Vec3::from(rgb.map(|part| f32::from(part) / 255.0))
}

/// Converts sRGB to linear light (IEC 61966-2-1).
pub(crate) fn linear(colour: Vec3) -> Vec3 {
    let part = |c: f32| if c <= 0.04045 { c / 12.92 } else { pow32((c + 0.055) / 1.055, 2.4) };
    Vec3::new(part(colour.x), part(colour.y), part(colour.z))
}

/// A smooth step: 0 before the first edge, and 1 after the second edge. The first edge may be larger than the second.
fn smooth(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// A soft round spot: 1 in its middle, almost 0 beyond its radii.
fn spot(at: Vec2, middle: Vec2, radii: Vec2) -> f32 {
    bell(1.5 * ((at - middle) / radii).length())
}

/// A bell curve of height 1. Far from its middle it is set to 0, which saves time.
fn bell(x: f32) -> f32 {
    if x.abs() > 3.5 { 0.0 } else { exp32(-x * x) }
}

/// A pseudo-random number from 0 to 1.
fn noise(cell: i32) -> f32 {
    let mixed = (cell as u32).wrapping_mul(0x9E37_79B9) ^ 0x85EB_CA6B;
    let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x2C1B_3C6D);
    ((mixed ^ (mixed >> 13)) & 0xFFFF) as f32 / 65535.0
}

/// Returns smooth noise along a circle that is divided into `cells` cells; `x` is in turns.
fn ring_noise(x: f32, cells: i32, salt: i32) -> f32 {
    let place = x * cells as f32;
    let cell = place.floor();
    let at = |offset: i32| noise((cell as i32 + offset).rem_euclid(cells) + 1000 * salt);
    let t = place - cell;
    at(0) + (at(1) - at(0)) * smooth(0.0, 1.0, t)
}

/// Paints an eyeball seen from the front. The distance from the middle of the image is the angle from the visual
/// axis.
pub(crate) fn eye(look: &Look) -> Image {
    let iris = colour(look.eyes);
    Image::painted(EYE_SIZE, |uv| eye_colour(iris, (uv - 0.5) * 2.0))
}

fn eye_colour(iris: Vec3, at: Vec2) -> Vec3 {
    let degrees = at.length() * TEXTURE;
    let inside = smooth(IRIS + 0.4, IRIS - 0.4, degrees);
    if inside == 0.0 {
        return white_of_eye(at, degrees);
    }
    let turn = (atan2_32(at.y, at.x) / TAU).rem_euclid(1.0);
    white_of_eye(at, degrees).lerp(iris_colour(iris, at, degrees, turn), inside)
}

/// The sclera: off-white, warm towards the corners, and shaded by the upper lid.
fn white_of_eye(at: Vec2, degrees: f32) -> Vec3 {
    let white = Vec3::new(0.965, 0.955, 0.94);
    let corner = smooth(0.5, 1.0, at.x.abs());
    let shade = 1.0 - 0.16 * smooth(0.05, -0.6, at.y);
    // The edge of the cornea casts a soft shadow.
    let edge = 1.0 - 0.12 * smooth(IRIS + 5.0, IRIS, degrees);
    white.lerp(Vec3::new(0.93, 0.8, 0.76), 0.55 * corner) * shade * edge
}

fn iris_colour(base: Vec3, at: Vec2, degrees: f32, turn: f32) -> Vec3 {
    let r = degrees / IRIS;
    let deep = base * 0.4;
    let bright = (base * 1.4).lerp(Vec3::ONE, 0.08);
    // Light enters from above and is visible below.
    let glow = smooth(-0.25, 0.3, at.y);
    let fibres = fibres(turn, r);
    let mut out = deep.lerp(bright, (0.35 + 0.5 * glow + 0.45 * (fibres - 0.5)).clamp(0.0, 1.0));
    // The collarette: a lighter, warmer ring around the pupil.
    let wreath = bell((r - 0.5) / 0.12) * (0.55 + 0.45 * fibres);
    out = out.lerp(bright.lerp(Vec3::new(1.0, 0.86, 0.62), 0.35), 0.4 * wreath);
    let limbal = smooth(0.76, 0.97, r);
    out = out.lerp(base * 0.13, 0.88 * limbal);
    // Shadow of the upper lid.
    out *= 1.0 - 0.45 * smooth(-0.02, -0.3, at.y);
    let pupil = smooth(PUPIL + 0.5, PUPIL - 0.5, degrees);
    out.lerp(Vec3::new(0.03, 0.025, 0.03), pupil)
}

/// Radial fibres of the iris, fine ones over coarse ones, slightly wavy.
fn fibres(turn: f32, r: f32) -> f32 {
    let waved = turn + 0.006 * sin32(9.0 * r + TAU * 5.0 * turn);
    0.6 * ring_noise(waved, 46, 1) + 0.4 * ring_noise(waved, 110, 2)
}

/// The catch light in the eye as a matcap: it stays in place while the eye rotates.
pub(crate) fn catch_light() -> Image {
    Image::painted(MATCAP_SIZE, |uv| {
        let at = (uv - 0.5) * 2.0;
        let window = round_light(at, Vec2::new(-0.145, -0.15), 0.08);
        let bounce = 0.35 * round_light(at, Vec2::new(0.14, 0.14), 0.045);
        let sky = 0.05 * smooth(0.1, -0.7, at.y);
        Vec3::splat((window + bounce + sky).min(1.0))
    })
}

fn round_light(at: Vec2, middle: Vec2, radius: f32) -> f32 {
    smooth(radius * 1.25, radius * 0.75, at.distance(middle))
}

/// A point of the face texture, in metres in the rest pose, seen from the front.
#[derive(Clone, Copy, Debug)]
struct FacePlace {
    /// Distance from the middle to the character's left.
    x: f32,
    /// Height above the ground.
    y: f32,
}

const FACE_METRES: f32 = 0.30;
const EYES_HEIGHT: f32 = 1.585;

impl FacePlace {
    fn of(uv: Vec2) -> Self {
        Self { x: (uv.x - 0.5) * FACE_METRES, y: EYES_HEIGHT - (uv.y - 0.5) * FACE_METRES }
    }

    /// A soft spot on both sides of the face.
    fn spots(self, x: f32, y: f32, radii: Vec2) -> f32 {
        spot(Vec2::new(self.x.abs(), self.y), Vec2::new(x, y), radii)
    }
}

/// Paints the skin of the head: blush on cheeks and nose, slight shade over the eyes, and lips.
pub(crate) fn face(look: &Look) -> Image {
    let skin = colour(look.skin);
    Image::painted(FACE_SIZE, |uv| face_colour(skin, FacePlace::of(uv)))
}

fn face_colour(skin: Vec3, at: FacePlace) -> Vec3 {
    let cheeks = at.spots(0.049, 1.537, Vec2::new(0.03, 0.022));
    let nose = at.spots(0.0, 1.542, Vec2::new(0.015, 0.012));
    let lids = at.spots(0.039, 1.588, Vec2::new(0.028, 0.014));
    let blushed = skin.lerp(blush(skin), (0.32 * cheeks + 0.25 * nose).min(1.0));
    let shaded = blushed.lerp(shade(skin), 0.22 * lids);
    shaded.lerp(lip_colour(skin), 0.8 * lip(at.x, at.y))
}

/// Returns the colour of blushing skin.
fn blush(skin: Vec3) -> Vec3 {
    (skin * Vec3::new(1.0, 0.66, 0.62)).lerp(Vec3::new(0.91, 0.38, 0.33), 0.25)
}

/// Returns the colour of skin in a soft shadow.
fn shade(skin: Vec3) -> Vec3 {
    skin * Vec3::new(0.84, 0.7, 0.66)
}

/// Returns the lip colour for a skin colour. It is redder, and on light skin it is slightly darker than the skin.
pub(crate) fn lip_colour(skin: Vec3) -> Vec3 {
    (skin * Vec3::new(0.9, 0.54, 0.52)).lerp(Vec3::new(0.78, 0.3, 0.29), 0.3)
}

/// Paints hair strands as light and dark variations of the hair colour, with a soft highlight.
pub(crate) fn strands() -> Image {
    Image::painted(CLOTH_SIZE, |uv| {
        let waved = (uv.x + 0.03 * sin32(uv.y * TAU)).rem_euclid(1.0);
        let strand = 0.6 * ring_noise(waved, 9, 3) + 0.4 * ring_noise(waved, 23, 4);
        let gleam = 0.16 * bell((uv.y - 0.3) / 0.09) * strand;
        Vec3::splat((0.72 + 0.24 * strand + gleam).min(1.0))
    })
}

/// Paints columns of knit stitches as light and dark variations of the cloth's colour.
pub(crate) fn knit() -> Image {
    const COLUMNS: f32 = 4.0;
    const ROWS: f32 = 4.0;
    Image::painted(CLOTH_SIZE, |uv| {
        let across = (uv.x * COLUMNS).fract() - 0.5;
        // A stitch has the shape of a V: each half of a column leans towards the middle of the column.
        let lean = (uv.y * ROWS + 0.9 * across.abs()).fract();
        let yarn = 0.5 + 0.5 * cos32(TAU * (lean - 0.5));
        let groove = 0.5 + 0.5 * cos32(TAU * across);
        Vec3::splat(0.9 + 0.06 * yarn + 0.04 * groove)
    })
}

/// Paints the diagonal ribs of twill, with threads of uneven brightness.
pub(crate) fn twill() -> Image {
    const RIBS: f32 = 8.0;
    Image::painted(CLOTH_SIZE, |uv| {
        let rib = 0.5 + 0.5 * cos32(TAU * RIBS * (uv.x + uv.y));
        let thread = ring_noise(uv.x, 32, 3) * 0.6 + ring_noise(uv.y, 32, 4) * 0.4;
        Vec3::splat(0.87 + 0.07 * rib + 0.06 * thread)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(picture: &Image, u: f32, v: f32) -> [u8; 3] {
        let place = |x: f32| ((x * picture.size as f32) as usize).min(picture.size - 1);
        let first = 3 * (place(v) * picture.size + place(u));
        picture.bytes[first..first + 3].try_into().unwrap()
    }

    fn brightness(rgb: [u8; 3]) -> u32 {
        rgb.iter().map(|c| u32::from(*c)).sum()
    }

    #[test]
    fn the_eye_texture_has_pupil_iris_and_sclera() {
        let eye = eye(&Look { eyes: [60, 120, 200], ..Look::default() });
        let beside = |degrees: f32| at(&eye, 0.5 + 0.5 * degrees / TEXTURE, 0.5);
        assert!(brightness(beside(0.0)) < 60);
        let [red, _, blue] = beside(0.7 * IRIS);
        assert!(blue > red + 40, "{:?}", beside(0.7 * IRIS));
        assert!(
            brightness(beside(IRIS - 0.7)) < brightness(beside(0.7 * IRIS)),
            "the limbal ring must be dark"
        );
        assert!(brightness(beside(1.6 * IRIS)) > 550);
    }

    #[test]
    fn cloth_textures_are_seamless() {
        for cloth in [knit(), twill()] {
            for i in 0..CLOTH_SIZE {
                let along = (i as f32 + 0.5) / CLOTH_SIZE as f32;
                let seams = [
                    (at(&cloth, 0.0, along), at(&cloth, 0.999, along)),
                    (at(&cloth, along, 0.0), at(&cloth, along, 0.999)),
                ];
                for (a, b) in seams {
                    assert!(a[0].abs_diff(b[0]) < 20, "{a:?} beside {b:?}");
                }
            }
        }
    }

    #[test]
    fn cheeks_and_lips_are_redder_than_the_forehead() {
        let look = Look::default();
        let face = face(&look);
        let redness = |rgb: [u8; 3]| i32::from(rgb[0]) - i32::from(rgb[1]);
        let forehead = at(&face, 0.5, 0.2);
        let cheek = at(&face, 0.5 + 0.049 / FACE_METRES, 0.5 + (EYES_HEIGHT - 1.537) / FACE_METRES);
        assert!(redness(cheek) > redness(forehead) + 10, "{cheek:?} {forehead:?}");
        assert!(redness(at(&face, 0.5, 0.5 + (EYES_HEIGHT - 1.502) / FACE_METRES)) > redness(forehead) + 20);
    }

    #[test]
    fn images_are_deterministic() {
        let look = Look::of_seed(3);
        assert_eq!(eye(&look).png(), eye(&look).png());
        assert_eq!(face(&look).png(), face(&look).png());
        assert!(eye(&look).png().len() < 200_000);
    }
}
