//! Renders images of a model with known parameters.

use crate::aam::model::{Model, Pose};
use crate::aam::tests::eyes::{HEIGHT, WIDTH};
use crate::film::Image;
use glam::DVec2;
use std::collections::HashMap;
use vivant::chance::Chance;

/// Gray levels per unit of appearance.
const CONTRAST: f64 = 30.0;

/// Renders the model in a pose on gray, with noise in gray levels.
pub(crate) fn render(model: &Model, pose: &Pose, noise: f64, seed: u64) -> Image {
    let mesh = model.mesh_points(pose);
    let appearances = model.appearance_of(&pose.parameters);
    let appearance = |index: usize| {
        let modes =
            appearances.iter().zip(&model.appearances).map(|(amount, mode)| amount * f64::from(mode[index]));
        f64::from(model.mean[index]) + modes.sum::<f64>()
    };
    let places: HashMap<(i32, i32), usize> =
        model.pixels.iter().enumerate().map(|(at, p)| ((i32::from(p.x), i32::from(p.y)), at)).collect();
    let at = |point: DVec2| interpolated(&places, point, &appearance);
    let mut draw = Chance::new(seed, "noise").event(0);
    let data = (0..WIDTH * HEIGHT).map(|index| {
        let point = DVec2::new((index % WIDTH) as f64, (index / WIDTH) as f64);
        let value = template_point(model, &mesh, point).and_then(at).unwrap_or(0.0);
        let noise = noise * (draw.between(-1.0, 1.0) + draw.between(-1.0, 1.0) + draw.between(-1.0, 1.0));
        (128.0 + CONTRAST * value + noise).clamp(0.0, 255.0).round() as u8
    });
    Image::gray(WIDTH, HEIGHT, data.collect()).unwrap()
}

/// Returns the position of an image point in the template.
fn template_point(model: &Model, mesh: &[DVec2], point: DVec2) -> Option<DVec2> {
    model.triangles.iter().find_map(|triangle| {
        let [a, b, c] = triangle.map(|at| mesh[at]);
        let area = (b - a).perp_dot(c - a);
        let (second, third) = ((point - a).perp_dot(c - a) / area, (b - a).perp_dot(point - a) / area);
        let [a, b, c] = triangle.map(|at| model.base[at]);
        let is_in = second >= 0.0 && third >= 0.0 && second + third <= 1.0;
        is_in.then(|| a + (b - a) * second + (c - a) * third)
    })
}

fn interpolated(
    places: &HashMap<(i32, i32), usize>,
    point: DVec2,
    appearance: &impl Fn(usize) -> f64,
) -> Option<f64> {
    let (x, y) = (point.x.floor() as i32, point.y.floor() as i32);
    let share = point - point.floor();
    let (mut sum, mut weight) = (0.0, 0.0);
    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let part = |share: f64, step: i32| if step == 1 { share } else { 1.0 - share };
        if let Some(at) = places.get(&(x + dx, y + dy)) {
            let part = part(share.x, dx) * part(share.y, dy);
            sum += part * appearance(*at);
            weight += part;
        }
    }
    (weight > 0.0).then(|| sum / weight)
}
