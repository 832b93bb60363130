//! The part of an image that a fit needs, at about the size of the template.
//!
//! If eyes are larger in the video than in the template, bilinear sampling would skip pixels. So the image around the
//! eyes is halved until its size is closest to the size of the template.

#[cfg(test)]
use crate::film::Image;
use crate::film::ImageRef;
use glam::DVec2;

/// An image or a reduced part of it. The image point `point` is at `(point - offset) / scale` in the view.
pub(crate) struct View<'a> {
    data: &'a [u8],
    pub(crate) width: usize,
    pub(crate) height: usize,
    channels: usize,
    pub(crate) scale: f64,
    pub(crate) offset: DVec2,
}

impl View<'_> {
    /// Returns one channel; gray images have only one.
    pub(crate) fn plane(&self, channel: usize) -> &[u8] {
        let size = self.width * self.height;
        &self.data[channel.min(self.channels - 1) * size..][..size]
    }

    /// Returns the position of an image point in the view.
    pub(crate) fn place(&self, point: DVec2) -> DVec2 {
        (point - self.offset) / self.scale
    }
}

/// Returns how often an image is halved if a template pixel covers `scale` image pixels.
pub(crate) fn halvings(scale: f64) -> u32 {
    (0..12).find(|count| scale < f64::from(1 << count) * std::f64::consts::SQRT_2).unwrap_or(12)
}

/// A rectangle of an image in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Region {
    low: DVec2,
    high: DVec2,
}

impl Region {
    /// Returns the bounding box of the points, with a margin given as a share of its larger side.
    pub(crate) fn around(points: impl IntoIterator<Item = DVec2>, margin: f64) -> Self {
        let mut all = Self { low: DVec2::splat(f64::INFINITY), high: DVec2::splat(f64::NEG_INFINITY) };
        for point in points {
            all.low = all.low.min(point);
            all.high = all.high.max(point);
        }
        let margin = DVec2::splat((all.high - all.low).max_element() * margin);
        Self { low: all.low - margin, high: all.high + margin }
    }

    /// Returns the region of the whole image.
    pub(crate) fn whole(image: ImageRef<'_>) -> Self {
        Self { low: DVec2::ZERO, high: DVec2::new(image.width as f64, image.height as f64) }
    }
}

/// Reusable buffers for a reduced image.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reducer {
    data: Vec<u8>,
    gray: Vec<u8>,
}

/// Weights of red, green and blue in gray, in 1/256 (ITU-R BT.601).
const GRAY: [u32; 3] = [77, 150, 29];

impl Reducer {
    /// Returns a region of an image, halved the given number of times, with the given number of channels; colour is
    /// converted to gray. Returns `None` if less than 2×2 pixels are left.
    pub(crate) fn view<'a>(
        &'a mut self,
        image: ImageRef<'a>,
        channels: usize,
        halvings: u32,
        region: &Region,
    ) -> Option<View<'a>> {
        let is_gray = channels == 1 && image.channels >= 3;
        if halvings == 0 && !is_gray {
            return (image.width >= 2 && image.height >= 2).then_some(View {
                data: image.data,
                width: image.width,
                height: image.height,
                channels: image.channels,
                scale: 1.0,
                offset: DVec2::ZERO,
            });
        }
        let side = 1 << halvings;
        let columns = cells(region.low.x, region.high.x, image.width, side)?;
        let rows = cells(region.low.y, region.high.y, image.height, side)?;
        self.data.clear();
        let planes = image.channels.min(if is_gray { 3 } else { image.channels });
        for channel in 0..planes {
            reduce(image, channel, side, &columns, &rows, &mut self.data);
        }
        let (width, height) = (columns.len(), rows.len());
        let offset = DVec2::new((columns.start * side) as f64, (rows.start * side) as f64);
        let view = View {
            data: if is_gray { gray(&self.data, &mut self.gray) } else { &self.data },
            width,
            height,
            channels: if is_gray { 1 } else { planes },
            scale: side as f64,
            offset: offset + (side as f64 - 1.0) / 2.0,
        };
        Some(view)
    }
}

/// Returns the range of cells of `side` pixels that covers the pixels from `low` to `high`; at least two cells.
/// Returns `None` if fewer than two cells fit into the image.
fn cells(low: f64, high: f64, size: usize, side: usize) -> Option<std::ops::Range<usize>> {
    let most = size / side;
    if most < 2 || !low.is_finite() || !high.is_finite() {
        return None;
    }
    let start = ((low / side as f64).floor().max(0.0) as usize).min(most - 2);
    let end = ((high / side as f64).ceil().max(0.0) as usize + 1).clamp(start + 2, most);
    Some(start..end)
}

fn reduce(
    image: ImageRef<'_>,
    channel: usize,
    side: usize,
    columns: &std::ops::Range<usize>,
    rows: &std::ops::Range<usize>,
    into: &mut Vec<u8>,
) {
    let plane = image.plane(channel);
    let count = (side * side) as u32;
    let from = into.len();
    into.resize(from + columns.len() * rows.len(), 0);
    for (row, reduced) in rows.clone().zip(into[from..].chunks_exact_mut(columns.len())) {
        let lines = || (row * side..(row + 1) * side).map(|y| &plane[y * image.width..][..image.width]);
        for (column, pixel) in columns.clone().zip(reduced) {
            let cell = |line: &[u8]| line[column * side..][..side].iter().map(|v| u32::from(*v)).sum::<u32>();
            *pixel = ((lines().map(cell).sum::<u32>() + count / 2) / count) as u8;
        }
    }
}

fn gray<'a>(colours: &[u8], into: &'a mut Vec<u8>) -> &'a [u8] {
    let size = colours.len() / 3;
    let (red, rest) = colours.split_at(size);
    let (green, blue) = rest.split_at(size);
    into.clear();
    let bright = |((r, g), b): ((&u8, &u8), &u8)| {
        let sum = GRAY[0] * u32::from(*r) + GRAY[1] * u32::from(*g) + GRAY[2] * u32::from(*b);
        ((sum + 128) / 256) as u8
    };
    into.extend(red.iter().zip(green).zip(blue).map(bright));
    into
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_halved_to_about_the_template_size() {
        for (scale, expected) in [(0.3, 0), (1.0, 0), (1.41, 0), (1.42, 1), (2.8, 1), (2.9, 2), (5.7, 3)] {
            assert_eq!(halvings(scale), expected, "{scale}");
        }
    }

    #[test]
    fn reduced_views_hold_cell_means_at_their_positions() {
        let data = (0..64).map(|index| (index % 8) * 10 + index / 8).collect();
        let image = Image::gray(8, 8, data).unwrap();
        let region = Region { low: DVec2::new(4.0, 2.0), high: DVec2::new(8.0, 8.0) };
        let mut reducer = Reducer::default();
        let view = reducer.view((&image).into(), 1, 1, &region).unwrap();
        assert_eq!((view.width, view.height), (2, 3));
        let place = view.place(DVec2::new(4.5, 2.5));
        assert_eq!(place, DVec2::ZERO);
        assert_eq!(view.plane(0)[0], 48, "the mean of 42, 43, 52 and 53, rounded up");
    }

    #[test]
    fn gray_and_colour_are_converted() {
        let colours = Image::planes(2, 2, 3, vec![255, 0, 0, 9, 0, 255, 0, 9, 0, 0, 255, 9]).unwrap();
        let mut reducer = Reducer::default();
        let view = reducer.view((&colours).into(), 1, 0, &Region::whole((&colours).into())).unwrap();
        assert_eq!(view.plane(0), [77, 149, 29, 9]);
        let plain = Image::gray(2, 2, vec![1, 2, 3, 4]).unwrap();
        let view = reducer.view((&plain).into(), 3, 0, &Region::whole((&plain).into())).unwrap();
        assert_eq!(view.plane(2), [1, 2, 3, 4]);
    }
}
