//! An image in memory.
//!
//! The tracker, the label view and the video readers share this type, so none of them depends on an image library.
//! Pixels are bytes in planes; integer coordinates are pixel centres, x to the right and y down.
//!
//! ```
//! use glam::DVec2;
//! use vivant_learn::film::Image;
//! let image = Image::gray(2, 1, vec![0, 100]).unwrap();
//! assert_eq!(image.at(0, DVec2::new(0.5, 0.0)), 50.0);
//! ```

use glam::DVec2;

/// An image: planes of bytes, row by row from the top, one plane after another.
///
/// Coordinates are in pixels, x to the right and y down; integer coordinates are pixel centres, so `(0, 0)` is the
/// centre of the first pixel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// Number of planes: 1 for gray, 3 for red, green and blue.
    pub channels: usize,
    /// The bytes, `width * height * channels` of them.
    pub data: Vec<u8>,
}

/// An image with borrowed bytes, for example in the memory of another program: see [`Image`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageRef<'a> {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// Number of planes: 1 for gray, 3 for red, green and blue.
    pub channels: usize,
    /// The bytes, `width * height * channels` of them.
    pub data: &'a [u8],
}

impl<'a> From<&'a Image> for ImageRef<'a> {
    fn from(image: &'a Image) -> Self {
        let Image { width, height, channels, data } = image;
        Self { width: *width, height: *height, channels: *channels, data }
    }
}

impl<'a> ImageRef<'a> {
    /// Returns one plane.
    #[must_use]
    pub fn plane(&self, channel: usize) -> &'a [u8] {
        let size = self.width * self.height;
        &self.data[channel * size..][..size]
    }

    /// Returns a copy that owns its bytes.
    #[must_use]
    pub fn to_image(&self) -> Image {
        let Self { width, height, channels, data } = *self;
        Image { width, height, channels, data: data.to_vec() }
    }
}

impl Image {
    /// Creates a gray image from bytes, row by row; `None` if the number of bytes is not `width * height`.
    #[must_use]
    pub fn gray(width: usize, height: usize, data: Vec<u8>) -> Option<Self> {
        Self::planes(width, height, 1, data)
    }

    /// Creates an image from planes; `None` if the number of bytes is not `width * height * channels`.
    #[must_use]
    pub fn planes(width: usize, height: usize, channels: usize, data: Vec<u8>) -> Option<Self> {
        let size = width.checked_mul(height)?.checked_mul(channels)?;
        (size > 0 && data.len() == size).then_some(Self { width, height, channels, data })
    }

    /// Returns one plane.
    #[must_use]
    pub fn plane(&self, channel: usize) -> &[u8] {
        ImageRef::from(self).plane(channel)
    }

    /// Returns the bilinearly interpolated value of a plane; points outside are clamped to the edge.
    #[must_use]
    pub fn at(&self, channel: usize, point: DVec2) -> f64 {
        bilinear(self.plane(channel), self.width, self.height, point)
    }

    /// Returns the image at half its size; each pixel is the mean of four.
    #[must_use]
    pub fn halved(&self) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let mut data = Vec::with_capacity(width * height * self.channels);
        for channel in 0..self.channels {
            let plane = self.plane(channel);
            let pixel = |x: usize, y: usize| {
                u16::from(plane[y.min(self.height - 1) * self.width + x.min(self.width - 1)])
            };
            for y in 0..height {
                data.extend((0..width).map(|x| {
                    let (x, y) = (2 * x, 2 * y);
                    let sum = pixel(x, y) + pixel(x + 1, y) + pixel(x, y + 1) + pixel(x + 1, y + 1);
                    ((sum + 2) / 4) as u8
                }));
            }
        }
        Self { width, height, channels: self.channels, data }
    }
}

/// Interpolates a plane bilinearly; points outside are clamped to the edge.
pub(crate) fn bilinear(plane: &[u8], width: usize, height: usize, point: DVec2) -> f64 {
    let point = point.clamp(DVec2::ZERO, DVec2::new((width - 1) as f64, (height - 1) as f64));
    let (x, y) = (point.x as usize, point.y as usize);
    let (right, below) = ((x + 1).min(width - 1), (y + 1).min(height - 1));
    let pixel = |x: usize, y: usize| f64::from(plane[y * width + x]);
    let share = point - DVec2::new(x as f64, y as f64);
    let above = pixel(x, y) + (pixel(right, y) - pixel(x, y)) * share.x;
    let under = pixel(x, below) + (pixel(right, below) - pixel(x, below)) * share.x;
    above + (under - above) * share.y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_coordinates_are_pixel_centres() {
        let image = Image::gray(2, 2, vec![0, 100, 200, 40]).unwrap();
        let cases = [((0.0, 0.0), 0.0), ((1.0, 0.0), 100.0), ((0.5, 0.0), 50.0), ((0.0, 0.5), 100.0)];
        for ((x, y), expected) in cases {
            assert_eq!(image.at(0, DVec2::new(x, y)), expected, "at {x}, {y}");
        }
        assert_eq!(image.at(0, DVec2::new(0.5, 0.5)), 85.0);
        assert_eq!(image.at(0, DVec2::new(-3.0, 9.0)), 200.0, "beyond the edge");
    }

    #[test]
    fn halved_pixels_are_means_of_four() {
        let image = Image::gray(4, 2, vec![0, 4, 8, 8, 4, 8, 8, 8]).unwrap();
        assert_eq!(image.halved(), Image::gray(2, 1, vec![4, 8]).unwrap());
        assert_eq!(Image::gray(1, 1, vec![7]).unwrap().halved().data, [7]);
    }

    #[test]
    fn a_wrong_number_of_bytes_is_rejected() {
        assert!(Image::gray(2, 2, vec![0; 3]).is_none());
        assert!(Image::gray(0, 2, vec![]).is_none());
        assert!(Image::planes(usize::MAX, 2, 3, vec![]).is_none());
    }
}
