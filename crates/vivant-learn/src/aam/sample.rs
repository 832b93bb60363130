//! Samples an image at the template's pixels.

use super::mesh::{Pixel, Triangle};
use super::view::View;
use crate::film::image::bilinear;
use glam::DVec2;

/// Samples an image at each template pixel under a mesh.
pub(crate) fn texture(
    view: &View<'_>,
    channel: usize,
    points: &[DVec2],
    triangles: &[Triangle],
    pixels: &[Pixel],
) -> Vec<f64> {
    let plane = view.plane(channel);
    let at = |pixel: &Pixel| {
        let [a, b, c] = triangles[usize::from(pixel.triangle)].map(|at| view.place(points[at]));
        let point = a + (b - a) * pixel.shares[0] + (c - a) * pixel.shares[1];
        bilinear(plane, view.width, view.height, point)
    };
    pixels.iter().map(at).collect()
}
