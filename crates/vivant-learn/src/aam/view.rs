//! The part of a picture that is looked at, as large as the template is.
//!
//! Where eyes are larger in the film than in the template, bilinear sampling would skip pixels. So the picture is
//! halved as often as brings it nearest to the template's size, and only around the eyes.

#[cfg(test)]
use crate::film::Image;
use crate::film::Picture;
use glam::DVec2;

/// A picture, or a reduced part of it: a point of the picture lies at `(point - offset) / scale`.
pub(crate) struct View<'a> {
    data: &'a [u8],
    pub(crate) width: usize,
    pub(crate) height: usize,
    channels: usize,
    pub(crate) scale: f64,
    pub(crate) offset: DVec2,
}

impl View<'_> {
    /// One plane of it; of a gray picture, the only one.
    pub(crate) fn plane(&self, channel: usize) -> &[u8] {
        let size = self.width * self.height;
        &self.data[channel.min(self.channels - 1) * size..][..size]
    }

    /// Where a point of the picture is.
    pub(crate) fn place(&self, point: DVec2) -> DVec2 {
        (point - self.offset) / self.scale
    }
}

/// How often a picture is halved for a template whose pixels are so large in it.
pub(crate) fn halvings(scale: f64) -> u32 {
    (0..12).find(|count| scale < f64::from(1 << count) * std::f64::consts::SQRT_2).unwrap_or(12)
}

/// A rectangle of a picture's pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Region {
    low: DVec2,
    high: DVec2,
}

impl Region {
    /// Round some points, with a margin that is a share of its size.
    pub(crate) fn around(points: impl IntoIterator<Item = DVec2>, margin: f64) -> Self {
        let mut all = Self { low: DVec2::splat(f64::INFINITY), high: DVec2::splat(f64::NEG_INFINITY) };
        for point in points {
            all.low = all.low.min(point);
            all.high = all.high.max(point);
        }
        let margin = DVec2::splat((all.high - all.low).max_element() * margin);
        Self { low: all.low - margin, high: all.high + margin }
    }

    /// All of a picture.
    pub(crate) fn whole(image: Picture<'_>) -> Self {
        Self { low: DVec2::ZERO, high: DVec2::new(image.width as f64, image.height as f64) }
    }
}

/// Room for a reduced picture, used over and over.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reducer {
    data: Vec<u8>,
    gray: Vec<u8>,
}

/// How much red, green and blue are in gray, in 256ths (ITU-R BT.601).
const GRAY: [u32; 3] = [77, 150, 29];

impl Reducer {
    /// A region of a picture, halved so often, with as many channels as are wanted: gray is made of colours by their
    /// brightness. `None` if less than two pixels by two are left.
    pub(crate) fn view<'a>(
        &'a mut self,
        image: Picture<'a>,
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

/// Which whole cells of so many pixels lie in a range; at least two.
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
    image: Picture<'_>,
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
    fn a_picture_is_halved_until_it_is_as_large_as_the_template() {
        for (scale, expected) in [(0.3, 0), (1.0, 0), (1.41, 0), (1.42, 1), (2.8, 1), (2.9, 2), (5.7, 3)] {
            assert_eq!(halvings(scale), expected, "{scale}");
        }
    }

    #[test]
    fn a_reduced_part_has_the_means_of_its_cells_in_their_places() {
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
    fn gray_is_made_of_colours_and_colours_of_gray() {
        let colours = Image::planes(2, 2, 3, vec![255, 0, 0, 9, 0, 255, 0, 9, 0, 0, 255, 9]).unwrap();
        let mut reducer = Reducer::default();
        let view = reducer.view((&colours).into(), 1, 0, &Region::whole((&colours).into())).unwrap();
        assert_eq!(view.plane(0), [77, 149, 29, 9]);
        let plain = Image::gray(2, 2, vec![1, 2, 3, 4]).unwrap();
        let view = reducer.view((&plain).into(), 3, 0, &Region::whole((&plain).into())).unwrap();
        assert_eq!(view.plane(2), [1, 2, 3, 4]);
    }
}
