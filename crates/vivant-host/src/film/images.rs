//! Folders of images as films, in the order of their names.

use image::{DynamicImage, ImageDecoder, ImageReader, Limits};
use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use vivant_io::{Error, Result};
use vivant_learn::film::Image;
use vivant_learn::film::y4m::{MOST_PIXELS, MOST_SIDE, check_size};

const ENDINGS: [&str; 3] = ["png", "jpg", "jpeg"];
/// The most images of a folder: nine hours at 30 a second.
const MOST_IMAGES: usize = 1_000_000;
/// The most bytes that one image may take while it is decoded: its pixels with four colours of two bytes.
const MOST_BYTES: u64 = 8 * MOST_PIXELS as u64;

/// Images that are still to be shown.
pub(super) struct Images {
    paths: Vec<PathBuf>,
    shown: usize,
    in_colour: bool,
}

/// Whether a file is one, by its name.
pub(super) fn is_image(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    ENDINGS.contains(&ending.as_str())
}

impl Images {
    pub(super) fn one(path: &Path, in_colour: bool) -> Self {
        Self { paths: vec![path.to_owned()], shown: 0, in_colour }
    }

    pub(super) fn in_folder(folder: &Path, in_colour: bool) -> Result<Self> {
        let fault = |error| Error::new(format!("cannot be read: {error}")).in_file(folder.display());
        let entries = std::fs::read_dir(folder).map_err(fault)?.flatten();
        let is_hidden =
            |path: &PathBuf| path.file_name().is_some_and(|name| name.as_encoded_bytes()[0] == b'.');
        let files = entries.map(|entry| entry.path()).filter(|path| is_image(path) && !is_hidden(path));
        let mut paths: Vec<PathBuf> = files.take(MOST_IMAGES + 1).collect();
        match paths.len() {
            0 => {
                let message =
                    "there is no PNG or JPEG in this folder; name the film, or the folder of its images";
                Err(Error::new(message).in_file(folder.display()))
            }
            count if count > MOST_IMAGES => {
                let message =
                    format!("more than {MOST_IMAGES} images, which is the most; make a film of them");
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

/// Of red, green and blue pixel by pixel, one after the other.
fn planes(pixels: &[u8]) -> Vec<u8> {
    (0..3).flat_map(|channel| pixels.iter().skip(channel).step_by(3).copied()).collect()
}

/// An image as it is to be looked at: cameras write how they were held.
fn decode(path: &Path) -> std::result::Result<DynamicImage, String> {
    let reader = ImageReader::open(path).and_then(ImageReader::with_guessed_format);
    let mut reader = reader.map_err(|error| error.to_string())?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MOST_SIDE as u32);
    limits.max_image_height = Some(MOST_SIDE as u32);
    limits.max_alloc = Some(MOST_BYTES);
    reader.limits(limits);
    let why = |error: image::ImageError| format!("this image cannot be read: {error}");
    let mut decoder = reader.into_decoder().map_err(why)?;
    let orientation = decoder.orientation().map_err(why)?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(why)?;
    image.apply_orientation(orientation);
    Ok(image)
}

/// A name in the order of people: `frame9` before `frame10`.
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

/// Runs of digits as numbers, everything else letter by letter.
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

/// The digits at the front, without leading zeros: of these the longer is the greater number.
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
    fn names_with_numbers_come_in_the_order_of_their_numbers() {
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
        // A minus is before a point, as in every list of files.
        expected.swap(7, 8);
        assert_eq!(names, expected);
    }
}
