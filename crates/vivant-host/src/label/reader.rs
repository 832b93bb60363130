//! Random access to the frames of a film, with bounded memory.
//!
//! Labelling jumps between frames of a film that may not fit into memory. [`FilmReader::open`] decodes a short film
//! completely. A long film is not decoded: a chunk of neighbouring frames is decoded when one of them is requested.
//! [`FilmReader::frame`] returns a frame in gray, as the tracker sees it; [`FilmReader::colour_frame`] is for display.
//! After opening a long film, call [`FilmReader::sample_frames`], which takes up to a minute, to find frames worth
//! labelling.

#[cfg(test)]
mod tests;

use super::cache::{FrameCache, MAX_CACHE_BYTES};
use super::film_index::{self, FrameIndex};
use super::sample::{self, Sample};
use super::synthetic::SyntheticFilm;
use super::{colour, sample::Features};
use crate::film::{self, Film, Options};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use vivant_io::{Error, ErrorKind, Result, Warning};
use vivant_learn::film::Image;
use vivant_learn::film::synthetic::Truth;

/// Maximum number of pixels, counted over all frames, of a film that is decoded completely when it is opened. More
/// pixels would take several seconds.
const MAX_PIXELS_AT_ONCE: usize = 1 << 30;
/// Number of frames that are decoded together, since neighbours are usually needed next, and the maximum total size
/// of these frames in bytes.
const CHUNK_FRAMES: usize = 32;
const MAX_CHUNK_BYTES: usize = MAX_CACHE_BYTES / 8;

/// A film with random access to its frames.
pub struct FilmReader {
    /// The name of the film's file.
    pub name: String,
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// The time of each frame in seconds.
    pub secs: Vec<f64>,
    pub(super) sample: Sample,
    source: Source,
    cache: FrameCache,
    /// Locked while gray frames are decoded. A caller that waits for the lock often needs a frame that is then
    /// already decoded.
    decoding: Mutex<()>,
}

enum Source {
    File(PathBuf, FrameIndex),
    SyntheticFilm(Box<SyntheticFilm>),
}

impl FilmReader {
    /// Opens a film. A short film is decoded completely. A long film is not decoded; call [`Self::sample_frames`]
    /// afterwards. `on_frame` gets the number of decoded frames and the total number of frames.
    ///
    /// # Errors
    /// If the film cannot be read.
    pub fn open(
        path: &Path,
        warnings: &mut Vec<Warning>,
        on_frame: &mut dyn FnMut(usize, usize),
    ) -> Result<Self> {
        Self::open_within(path, MAX_PIXELS_AT_ONCE, warnings, on_frame)
    }

    fn open_within(
        path: &Path,
        max_pixels: usize,
        warnings: &mut Vec<Warning>,
        on_frame: &mut dyn FnMut(usize, usize),
    ) -> Result<Self> {
        let mut film = film::open(path, &Options::default())?;
        let places = FrameIndex::of(path)?;
        let times = if is_long(&film, max_pixels) { places.times(path, &film) } else { None };
        let source = Source::File(path.to_owned(), places);
        let name = path.file_name().map_or(film.name.clone(), |name| name.to_string_lossy().into_owned());
        let (width, height, cache) = (film.width, film.height, FrameCache::default());
        let (secs, sample) = match times {
            Some(secs) => {
                if let Some((_, first)) = film.next() {
                    cache.put(0, Arc::new(first));
                }
                let sought = sample::spread(secs.len(), width, height).len();
                (secs, Sample::empty(sought))
            }
            None => decode_all(&mut film, &cache, on_frame),
        };
        warnings.extend(film.warnings());
        Ok(Self { name, width, height, secs, sample, source, cache, decoding: Mutex::default() })
    }

    /// Returns a synthetic film. Its true points are known.
    #[must_use]
    pub fn synthetic(seed: u64) -> Self {
        let drawn = SyntheticFilm::new(seed);
        let (width, height) = drawn.size();
        let looks: Features = drawn.looks();
        let (secs, sample) = (drawn.secs(), Sample::known(looks));
        let (source, cache) = (Source::SyntheticFilm(Box::new(drawn)), FrameCache::default());
        Self {
            name: "synthetic".into(),
            width,
            height,
            secs,
            sample,
            source,
            cache,
            decoding: Mutex::default(),
        }
    }

    /// Samples frames throughout a long film, to find frames that differ from each other. Takes up to a minute.
    pub fn sample_frames(&self) {
        if self.sample.progress().is_none() {
            return;
        }
        for frame in sample::spread(self.secs.len(), self.width, self.height) {
            if let Ok(image) = self.decode_single(frame) {
                self.sample.add(frame, &image);
            }
        }
        self.sample.finish();
    }

    /// Returns a frame in gray, as used by the tracker.
    ///
    /// # Errors
    /// If there is no such frame ([`ErrorKind::NotFound`]), or the frame cannot be decoded.
    pub fn frame(&self, index: usize) -> Result<Arc<Image>> {
        if let Some(image) = self.cache.get(index) {
            return Ok(image);
        }
        if index >= self.secs.len() {
            let message = format!(
                "the video has {} frames, numbered from 0; there is no frame {index}",
                self.secs.len()
            );
            return Err(Error::of(ErrorKind::NotFound, message));
        }
        if let Source::SyntheticFilm(drawn) = &self.source {
            let image = Arc::new(drawn.frame(index));
            self.cache.put(index, Arc::clone(&image));
            return Ok(image);
        }
        let _guard = self.decoding();
        // Another thread may have decoded the frame meanwhile.
        if let Some(image) = self.cache.get(index) {
            return Ok(image);
        }
        let image = self.decode(index)?;
        self.cache.put(index, Arc::clone(&image));
        Ok(image)
    }

    fn decode(&self, index: usize) -> Result<Arc<Image>> {
        let (path, places) = match &self.source {
            Source::SyntheticFilm(drawn) => return Ok(Arc::new(drawn.frame(index))),
            Source::File(path, places) => (path, places),
        };
        if let Some(image) = places.plain(path, index) {
            return self.check_size(index, image?).map(Arc::new);
        }
        self.decode_chunk(path, index)?;
        match self.cache.get(index) {
            Some(image) => Ok(image),
            // A film that does not support seeking is read from the start.
            None => Ok(Arc::new(film::frame_at(path, self.secs[index], &Options::default())?)),
        }
    }

    /// Decodes and caches the chunk of a video that contains the frame `index`.
    fn decode_chunk(&self, path: &Path, index: usize) -> Result<()> {
        let count = (MAX_CHUNK_BYTES / (self.width * self.height)).clamp(1, CHUNK_FRAMES);
        let from = index - index % count;
        let to = (from + count).min(self.secs.len());
        let mut film = film::open_at(path, &Options::default(), film_index::seek_time(&self.secs, from))?;
        for (secs, image) in film.by_ref() {
            match film_index::frame_index(&self.secs, secs) {
                Some(at) if (from..to).contains(&at) => self.cache.put(at, Arc::new(image)),
                _ => break,
            }
        }
        Ok(())
    }

    /// Decodes a frame without caching it.
    fn decode_single(&self, index: usize) -> Result<Image> {
        let _guard = self.decoding();
        let Source::File(path, places) = &self.source else { return Ok((*self.decode(index)?).clone()) };
        if let Some(image) = places.plain(path, index) {
            return self.check_size(index, image?);
        }
        let mut film = film::open_at(path, &Options::default(), film_index::seek_time(&self.secs, index))?;
        let found = film.next().filter(|(secs, _)| film_index::frame_index(&self.secs, *secs) == Some(index));
        found.map(|(_, image)| image).ok_or_else(|| {
            Error::new(format!("{}: frame {index} not found; choose another frame", self.name))
        })
    }

    /// Checks that an image has the size of the film. The images in a folder may have different sizes.
    fn check_size(&self, index: usize, image: Image) -> Result<Image> {
        if (image.width, image.height) == (self.width, self.height) {
            return Ok(image);
        }
        let Self { name, width, height, .. } = self;
        Err(Error::new(format!(
            "{name}: frame {index} is {} × {} pixels, but the film is {width} × {height}; \
             convert all frames to one size",
            image.width, image.height
        )))
    }

    /// Returns a frame in colour, or in gray if it cannot be decoded in colour.
    ///
    /// # Errors
    /// If there is no such frame, or the frame cannot be decoded.
    pub fn colour_frame(&self, index: usize) -> Result<Arc<Image>> {
        let gray = self.frame(index)?;
        Ok(self.coloured(index, &gray).map_or(gray, Arc::new))
    }

    /// Returns a small image of a frame, if the frame was sampled and the small image is at least `width` pixels
    /// wide.
    #[must_use]
    pub fn thumbnail(&self, index: usize, width: usize) -> Option<Arc<Image>> {
        let gray = self.sample.image(index).filter(|gray| gray.width >= width)?;
        Some(self.coloured(index, &gray).map_or(gray, Arc::new))
    }

    fn coloured(&self, index: usize, gray: &Image) -> Option<Image> {
        let Source::File(path, _) = &self.source else { return None };
        colour::frame(path, film_index::seek_time(&self.secs, index), gray)
    }

    /// Returns the true points and gaze of a frame, if the film is synthetic.
    #[must_use]
    pub fn truth(&self, index: usize) -> Option<Truth> {
        let Source::SyntheticFilm(drawn) = &self.source else { return None };
        (index < self.secs.len()).then(|| drawn.truth(index))
    }

    /// Calls `take` with all frames in order until it returns false. The film is read again unless all frames are in
    /// memory.
    pub(super) fn for_each_frame(&self, take: &mut dyn FnMut(&Image) -> bool) -> Result<()> {
        let is_cached = self.cache.len() >= self.secs.len();
        if let (Source::File(path, _), false) = (&self.source, is_cached) {
            let mut film = film::open(path, &Options::default())?;
            for (_, image) in film.by_ref() {
                if !take(&image) {
                    break;
                }
            }
            return Ok(());
        }
        for index in 0..self.secs.len() {
            if !take(&*self.frame(index)?) {
                break;
            }
        }
        Ok(())
    }

    fn decoding(&self) -> MutexGuard<'_, ()> {
        self.decoding.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_long(film: &Film, max_pixels: usize) -> bool {
    film.frame_count.is_none_or(|frames| frames.saturating_mul(film.width * film.height) > max_pixels)
}

/// Decodes the whole film. Returns the times of its frames and a sample of them.
fn decode_all(
    film: &mut Film,
    cache: &FrameCache,
    on_frame: &mut dyn FnMut(usize, usize),
) -> (Vec<f64>, Sample) {
    let count = film.frame_count.unwrap_or_default();
    let stride = sample::stride(count, film.width, film.height);
    let (mut secs, sample) = (Vec::new(), Sample::empty(0));
    for (at, image) in film.by_ref() {
        if secs.len() % stride == 0 {
            sample.add(secs.len(), &image);
        }
        cache.put(secs.len(), Arc::new(image));
        secs.push(at);
        on_frame(secs.len(), count);
    }
    sample.finish();
    (secs, sample)
}
