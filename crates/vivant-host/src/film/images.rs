//! Reads folders of images as films, sorted by name.

use image::{DynamicImage, ImageDecoder, ImageReader, Limits};
use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use vivant_io::{Error, Result};
use vivant_learn::film::Image;
use vivant_learn::film::y4m::{MAX_PIXELS, MAX_SIDE, check_size};

const ENDINGS: [&str; 3] = ["png", "jpg", "jpeg"];
/// Maximum number of images in a folder: nine hours at 30 images per second.
const MAX_IMAGES: usize = 1_000_000;
/// Maximum memory for decoding one image, in bytes: four channels with two bytes each for every pixel.
const MAX_BYTES: u64 = 8 * MAX_PIXELS as u64;

/// The images of a film and the current position in the list.
pub(super) struct Images {
    paths: Vec<PathBuf>,
    shown: usize,
    in_colour: bool,
}

/// Returns true if a file's extension is that of an image.
pub(super) fn is_image(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    ENDINGS.contains(&ending.as_str())
}

impl Images {
    pub(super) fn one(path: &Path, in_colour: bool) -> Self {
        Self { paths: vec![path.to_owned()], shown: 0, in_colour }
    }

    pub(super) fn in_folder(folder: &Path, in_colour: bool) -> Result<Self> {
        let fault = |error| {
            Error::new(format!("cannot read: {error}; check its permissions")).in_file(folder.display())
        };
        let entries = std::fs::read_dir(folder).map_err(fault)?.flatten();
        let is_hidden =
            |path: &PathBuf| path.file_name().is_some_and(|name| name.as_encoded_bytes()[0] == b'.');
        let files = entries.map(|entry| entry.path()).filter(|path| is_image(path) && !is_hidden(path));
        let mut paths: Vec<PathBuf> = files.take(MAX_IMAGES + 1).collect();
        match paths.len() {
            0 => {
                let message = "no PNG or JPEG files in this folder; give a video, or a folder of images";
                Err(Error::new(message).in_file(folder.display()))
            }
            count if count > MAX_IMAGES => {
                let message = format!("more than the limit of {MAX_IMAGES} images; convert them to a video");
                Err(Error::new(message).in_file(folder.display()))
            }
            _ => {
                paths.sort_by_cached_key(|path| Natural(path.to_string_lossy().into_owned()));
                Ok(Self { paths, shown: 0, in_colour })
            }
        }
    }

    pub(super) fn into_paths(self) -> Vec<PathBuf> {
        self.paths
    }

    pub(super) fn count(&self) -> usize {
        self.paths.len()
    }

    pub(super) fn next(&mut self) -> Result<Option<Image>> {
        let Some(path) = self.paths.get(self.shown) else { return Ok(None) };
        self.shown += 1;
        let image = decode(path).map_err(|why| Error::new(why).in_file(path.display()))?;
        let (width, height) = (image.width() as usize, image.height() as usize);
        check_size(width, height).map_err(|error| error.in_file(path.display()))?;
        if self.in_colour {
            return Ok(Image::planes(width, height, 3, planes(&image.into_rgb8().into_raw())));
        }
        Ok(Image::gray(width, height, image.into_luma8().into_raw()))
    }
}

/// Converts interleaved red, green and blue to planes.
fn planes(pixels: &[u8]) -> Vec<u8> {
    (0..3).flat_map(|channel| pixels.iter().skip(channel).step_by(3).copied()).collect()
}

/// Decodes an image and applies the camera orientation.
fn decode(path: &Path) -> std::result::Result<DynamicImage, String> {
    let reader = ImageReader::open(path).and_then(ImageReader::with_guessed_format);
    let mut reader = reader.map_err(|error| error.to_string())?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE as u32);
    limits.max_image_height = Some(MAX_SIDE as u32);
    limits.max_alloc = Some(MAX_BYTES);
    reader.limits(limits);
    let why =
        |error: image::ImageError| format!("cannot decode this image: {error}; save it again as PNG or JPEG");
    let mut decoder = reader.into_decoder().map_err(why)?;
    let orientation = decoder.orientation().map_err(why)?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(why)?;
    image.apply_orientation(orientation);
    Ok(image)
}

/// A name that sorts in natural order: `frame9` before `frame10`.
#[derive(Debug, PartialEq, Eq)]
struct Natural(String);

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        natural(&self.0, &other.0).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Compares runs of digits as numbers and everything else by character.
fn natural(mut a: &str, mut b: &str) -> Ordering {
    loop {
        let (Some(first), Some(second)) = (a.chars().next(), b.chars().next()) else {
            return a.len().cmp(&b.len());
        };
        let order;
        if first.is_ascii_digit() && second.is_ascii_digit() {
            let numbers = [take_number(&mut a), take_number(&mut b)];
            order = numbers[0].len().cmp(&numbers[1].len()).then_with(|| numbers[0].cmp(numbers[1]));
        } else {
            order = first.to_lowercase().cmp(second.to_lowercase());
            (a, b) = (&a[first.len_utf8()..], &b[second.len_utf8()..]);
        }
        if order.is_ne() {
            return order;
        }
    }
}

/// Takes the digits at the start of a text, without leading zeros. Of two results, the longer one is the larger
/// number.
fn take_number<'a>(text: &mut &'a str) -> &'a str {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    *text = rest;
    digits.trim_start_matches('0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_sort_by_their_numbers() {
        let ordered = [
            "1.png",
            "2.png",
            "10.png",
            "a1b2.png",
            "a1b10.png",
            "a02.png",
            "B3.png",
            "frame.png",
            "frame-1.png",
            "frame99999999999999999999999.png",
        ];
        let mut names: Vec<Natural> = ordered.iter().rev().map(|name| Natural((*name).into())).collect();
        names.sort();
        let names: Vec<&str> = names.iter().map(|name| name.0.as_str()).collect();
        let mut expected = ordered.to_vec();
        // A minus sorts before a dot.
        expected.swap(7, 8);
        assert_eq!(names, expected);
    }
}
