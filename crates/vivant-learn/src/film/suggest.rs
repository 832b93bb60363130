//! Suggests frames to label: the frames that differ most from each other.
//!
//! A model knows only the appearances in its labelled frames, so twenty frames should cover all appearances of the
//! eyes: open, half closed and closed, all gaze directions, all light. Frames are compared as small, normalized
//! thumbnails; the frame farthest from all selected ones is selected next.

use super::Image;
use glam::DVec2;

/// Width and height of a thumbnail in pixels.
pub const THUMBNAIL: [usize; 2] = [24, 18];

/// Returns a small version of an image ([`THUMBNAIL`] pixels) with mean 0 and variance 1, so that it does not depend
/// on the light.
///
/// For an image without contrast, all values are zero.
#[must_use]
pub fn thumbnail(image: &Image) -> Vec<f32> {
    region(image, DVec2::ZERO, DVec2::new(image.width as f64, image.height as f64))
}

/// Does the same as [`thumbnail`] for a rectangle in pixels, such as the bounding box of the eyes.
#[must_use]
pub fn region(image: &Image, from: DVec2, to: DVec2) -> Vec<f32> {
    let limit = DVec2::new(image.width as f64, image.height as f64);
    let (from, to) = (from.clamp(DVec2::ZERO, limit), to.clamp(DVec2::ZERO, limit));
    let [columns, rows] = THUMBNAIL;
    let edge =
        |from: f64, to: f64, step: usize, steps: usize| from + (to - from) * step as f64 / steps as f64;
    let small = (0..rows).flat_map(|row| {
        let y = [row, row + 1].map(|row| edge(from.y, to.y, row, rows));
        (0..columns).map(move |column| {
            let x = [column, column + 1].map(|column| edge(from.x, to.x, column, columns));
            mean(image, x, y)
        })
    });
    normalize_pixels(small.collect())
}

/// Returns the mean of the pixels between the edges `x` and `y`; uses at least one pixel.
fn mean(image: &Image, x: [f64; 2], y: [f64; 2]) -> f32 {
    let range = |[from, to]: [f64; 2], size: usize| {
        let from = (from as usize).min(size - 1);
        from..(to.ceil() as usize).clamp(from + 1, size)
    };
    let (columns, rows) = (range(x, image.width), range(y, image.height));
    let count = columns.len() * rows.len() * image.channels;
    let planes = (0..image.channels).map(|channel| image.plane(channel));
    let sum: u64 = planes
        .flat_map(|plane| rows.clone().map(|row| &plane[row * image.width..][columns.clone()]))
        .map(|line| line.iter().map(|byte| u64::from(*byte)).sum::<u64>())
        .sum();
    sum as f32 / count as f32
}

fn normalize_pixels(mut pixels: Vec<f32>) -> Vec<f32> {
    let count = pixels.len().max(1) as f32;
    let mean = pixels.iter().sum::<f32>() / count;
    let variance = pixels.iter().map(|pixel| (pixel - mean) * (pixel - mean)).sum::<f32>() / count;
    // A standard deviation below a hundredth of a gray level is a rounding error.
    let scale = if variance > 1e-4 { variance.sqrt().recip() } else { 0.0 };
    pixels.iter_mut().for_each(|pixel| *pixel = (*pixel - mean) * scale);
    pixels
}

/// Selects the most different thumbnails: first the one nearest to the mean of all, then always the one farthest from
/// all selected ones (farthest-point sampling, Gonzalez 1985).
///
/// Returns fewer than `count` indices if all remaining thumbnails equal selected ones.
#[must_use]
pub fn most_different(thumbs: &[Vec<f32>], count: usize) -> Vec<usize> {
    let Some(mut next) = most_typical(thumbs) else { return Vec::new() };
    let mut chosen = Vec::new();
    let mut apart = vec![f32::INFINITY; thumbs.len()];
    while chosen.len() < count {
        chosen.push(next);
        for (apart, thumb) in apart.iter_mut().zip(thumbs) {
            *apart = apart.min(distance(thumb, &thumbs[next]));
        }
        match farthest(&apart) {
            Some(index) => next = index,
            None => break,
        }
    }
    chosen
}

fn most_typical(thumbs: &[Vec<f32>]) -> Option<usize> {
    let mut mean = vec![0.0; thumbs.first()?.len()];
    for thumb in thumbs {
        mean.iter_mut().zip(thumb).for_each(|(sum, pixel)| *sum += pixel / thumbs.len() as f32);
    }
    let distances: Vec<f32> = thumbs.iter().map(|thumb| -distance(thumb, &mean)).collect();
    (0..thumbs.len()).reduce(|best, next| if distances[next] > distances[best] { next } else { best })
}

/// Returns the index of the largest distance, or the first index if several are equal; `None` if all distances are 0.
fn farthest(apart: &[f32]) -> Option<usize> {
    let best = (0..apart.len()).reduce(|best, next| if apart[next] > apart[best] { next } else { best })?;
    (apart[best] > 0.0).then_some(best)
}

fn distance(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_most_typical_frame_comes_first_then_always_the_farthest() {
        let thumbs: Vec<Vec<f32>> = [5.0, 5.0, 6.0, 4.0, 0.0, 9.0, 5.0].map(|value| vec![value, 0.0]).into();
        assert_eq!(most_different(&thumbs, 4), [0, 4, 5, 2]);
        assert_eq!(most_different(&thumbs, 99), [0, 4, 5, 2, 3], "equal frames are not suggested twice");
        assert_eq!(most_different(&thumbs, 0), [0; 0]);
        assert_eq!(most_different(&[], 3), [0; 0]);
    }

    #[test]
    fn thumbnails_do_not_depend_on_light() {
        let bright: Vec<u8> = (0..96 * 72).map(|index| ((index * 7919) % 97 + 60) as u8).collect();
        let dark = bright.iter().map(|byte| byte / 3 + 9).collect();
        let [bright, dark] = [bright, dark].map(|data| thumbnail(&Image::gray(96, 72, data).unwrap()));
        let far = distance(&bright, &dark) / bright.len() as f32;
        assert!(far < 0.01, "{far}");
    }

    #[test]
    fn blank_and_tiny_images_have_thumbnails() {
        for (width, height) in [(1, 1), (3, 200), (640, 480)] {
            let blank = thumbnail(&Image::gray(width, height, vec![80; width * height]).unwrap());
            assert_eq!(blank, vec![0.0; THUMBNAIL[0] * THUMBNAIL[1]], "{width} × {height}");
        }
    }

    #[test]
    fn a_region_does_not_depend_on_the_rest() {
        let dot = |at: usize| {
            let mut data = vec![50; 100 * 100];
            data[at] = 250;
            Image::gray(100, 100, data).unwrap()
        };
        let [from, to] = [DVec2::splat(40.0), DVec2::splat(80.0)];
        assert_eq!(region(&dot(10 * 100 + 10), from, to), vec![0.0; 24 * 18]);
        let mut seen = region(&dot(60 * 100 + 60), from, to);
        seen.sort_by(f32::total_cmp);
        assert!(seen[24 * 18 - 1] > 10.0, "{seen:?}");
    }

    proptest! {
        /// Any rectangle, even inverted or far away, has a thumbnail of finite numbers.
        #[test]
        fn every_region_is_finite(x in -1e9..1e9_f64, y in -50.0..50.0_f64, far in -80.0..80.0_f64) {
            let image = Image::planes(7, 5, 3, (0..105).collect()).unwrap();
            let seen = region(&image, DVec2::new(x, y), DVec2::new(x + far, y - far));
            prop_assert!(seen.iter().all(|pixel| pixel.is_finite()));
        }
    }
}
