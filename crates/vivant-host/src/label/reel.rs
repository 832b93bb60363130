//! The film, frame by frame in any order, in memory that has a limit.

#[cfg(test)]
mod tests;

use super::drawn::Drawn;
use super::places::{self, Places};
use super::sample::{self, Sample};
use super::shelf::{MOST_KEPT_BYTES, Shelf};
use super::{colour, sample::Looks};
use crate::film::{self, Film, Options};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use vivant_io::{Error, ErrorKind, Result, Warning};
use vivant_learn::film::Image;
use vivant_learn::film::synthetic::Truth;

/// A film of more pixels in all is not looked through before it opens: to decode as many takes some seconds.
const MOST_AT_ONCE: usize = 1 << 30;
/// Frames that are fetched together, since who wants one soon wants those beside it; and their most bytes.
const BESIDE: usize = 32;
const MOST_BESIDE_BYTES: usize = MOST_KEPT_BYTES / 8;

/// A film with random access to its frames.
pub struct Reel {
    /// The name of its file.
    pub name: String,
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// The time of each frame in seconds.
    pub secs: Vec<f64>,
    pub(super) sample: Sample,
    source: Source,
    kept: Shelf,
    /// Whoever fetches frames in gray: one at a time, since who wants one wants what the other fetches beside it.
    decoding: Mutex<()>,
}

enum Source {
    File(PathBuf, Places),
    Drawn(Box<Drawn>),
}

impl Reel {
    /// Opens a film. A short one is decoded at once; a long one is sampled by [`Self::look_about`]. `on_frame` gets
    /// the number of decoded frames and of all.
    ///
    /// # Errors
    /// If the film cannot be read.
    pub fn open(
        path: &Path,
        warnings: &mut Vec<Warning>,
        on_frame: &mut dyn FnMut(usize, usize),
    ) -> Result<Self> {
        Self::open_within(path, MOST_AT_ONCE, warnings, on_frame)
    }

    fn open_within(
        path: &Path,
        most_at_once: usize,
        warnings: &mut Vec<Warning>,
        on_frame: &mut dyn FnMut(usize, usize),
    ) -> Result<Self> {
        let mut film = film::open(path, &Options::default())?;
        let places = Places::of(path)?;
        let times = if is_long(&film, most_at_once) { places.times(path, &film) } else { None };
        let source = Source::File(path.to_owned(), places);
        let name = path.file_name().map_or(film.name.clone(), |name| name.to_string_lossy().into_owned());
        let (width, height, kept) = (film.width, film.height, Shelf::default());
        let (secs, sample) = match times {
            Some(secs) => {
                if let Some((_, first)) = film.next() {
                    kept.put(0, Arc::new(first));
                }
                let sought = sample::spread(secs.len(), width, height).len();
                (secs, Sample::empty(sought))
            }
            None => looked_through(&mut film, &kept, on_frame),
        };
        warnings.extend(film.warnings());
        Ok(Self { name, width, height, secs, sample, source, kept, decoding: Mutex::default() })
    }

    /// A synthetic film, whose points are known.
    #[must_use]
    pub fn drawn(seed: u64) -> Self {
        let drawn = Drawn::new(seed);
        let (width, height) = drawn.size();
        let looks: Looks = drawn.looks();
        let (secs, sample) = (drawn.secs(), Sample::known(looks));
        let (source, kept) = (Source::Drawn(Box::new(drawn)), Shelf::default());
        Self {
            name: "synthetic".into(),
            width,
            height,
            secs,
            sample,
            source,
            kept,
            decoding: Mutex::default(),
        }
    }

    /// Samples frames from all over a long film, to find those that differ. It takes up to a minute.
    pub fn look_about(&self) {
        if self.sample.progress().is_none() {
            return;
        }
        for frame in sample::spread(self.secs.len(), self.width, self.height) {
            if let Ok(image) = self.alone(frame) {
                self.sample.add(frame, &image);
            }
        }
        self.sample.end();
    }

    /// Returns a frame in gray, as the tracker sees it.
    ///
    /// # Errors
    /// If there is no such frame ([`ErrorKind::NotFound`]), or it cannot be decoded.
    pub fn frame(&self, index: usize) -> Result<Arc<Image>> {
        if let Some(image) = self.kept.get(index) {
            return Ok(image);
        }
        if index >= self.secs.len() {
            let message =
                format!("the film has {} frames, from 0; there is no frame {index}", self.secs.len());
            return Err(Error::of(ErrorKind::NotFound, message));
        }
        if let Source::Drawn(drawn) = &self.source {
            let image = Arc::new(drawn.frame(index));
            self.kept.put(index, Arc::clone(&image));
            return Ok(image);
        }
        let _alone = self.decoding();
        // Who had to wait may find that somebody else has fetched it.
        if let Some(image) = self.kept.get(index) {
            return Ok(image);
        }
        let image = self.fetched(index)?;
        self.kept.put(index, Arc::clone(&image));
        Ok(image)
    }

    fn fetched(&self, index: usize) -> Result<Arc<Image>> {
        let (path, places) = match &self.source {
            Source::Drawn(drawn) => return Ok(Arc::new(drawn.frame(index))),
            Source::File(path, places) => (path, places),
        };
        if let Some(image) = places.plain(path, index) {
            return self.of_size(index, image?).map(Arc::new);
        }
        self.fetch_beside(path, index)?;
        match self.kept.get(index) {
            Some(image) => Ok(image),
            // A film in which one cannot seek is read from its begin.
            None => Ok(Arc::new(film::frame_at(path, self.secs[index], &Options::default())?)),
        }
    }

    /// Fetches the frames around one of a video.
    fn fetch_beside(&self, path: &Path, index: usize) -> Result<()> {
        let many = (MOST_BESIDE_BYTES / (self.width * self.height)).clamp(1, BESIDE);
        let from = index - index % many;
        let to = (from + many).min(self.secs.len());
        let mut film = film::open_at(path, &Options::default(), places::before(&self.secs, from))?;
        for (secs, image) in film.by_ref() {
            match places::which(&self.secs, secs) {
                Some(at) if (from..to).contains(&at) => self.kept.put(at, Arc::new(image)),
                _ => break,
            }
        }
        Ok(())
    }

    /// A frame that is not kept.
    fn alone(&self, index: usize) -> Result<Image> {
        let _alone = self.decoding();
        let Source::File(path, places) = &self.source else { return Ok((*self.fetched(index)?).clone()) };
        if let Some(image) = places.plain(path, index) {
            return self.of_size(index, image?);
        }
        let mut film = film::open_at(path, &Options::default(), places::before(&self.secs, index))?;
        let found = film.next().filter(|(secs, _)| places::which(&self.secs, *secs) == Some(index));
        found
            .map(|(_, image)| image)
            .ok_or_else(|| Error::new(format!("{}: frame {index} is not found", self.name)))
    }

    /// An image of a folder may have any size; the film has one.
    fn of_size(&self, index: usize, image: Image) -> Result<Image> {
        if (image.width, image.height) == (self.width, self.height) {
            return Ok(image);
        }
        let Self { name, width, height, .. } = self;
        Err(Error::new(format!(
            "{name}: frame {index} is {} × {} pixels, and the film {width} × {height}; the film ends before it",
            image.width, image.height
        )))
    }

    /// Returns a frame in colour, if the film has colour.
    ///
    /// # Errors
    /// If there is no such frame, or it cannot be decoded.
    pub fn photograph(&self, index: usize) -> Result<Arc<Image>> {
        let gray = self.frame(index)?;
        Ok(self.coloured(index, &gray).map_or(gray, Arc::new))
    }

    /// Returns a thumbnail that is at least so wide, if the frame was sampled.
    #[must_use]
    pub fn small_photograph(&self, index: usize, width: usize) -> Option<Arc<Image>> {
        let gray = self.sample.picture(index).filter(|gray| gray.width >= width)?;
        Some(self.coloured(index, &gray).map_or(gray, Arc::new))
    }

    fn coloured(&self, index: usize, gray: &Image) -> Option<Image> {
        let Source::File(path, _) = &self.source else { return None };
        colour::frame(path, places::before(&self.secs, index), gray)
    }

    /// Returns the true points of a frame, if the film is synthetic.
    #[must_use]
    pub fn truth(&self, index: usize) -> Option<Truth> {
        let Source::Drawn(drawn) = &self.source else { return None };
        (index < self.secs.len()).then(|| drawn.truth(index))
    }

    /// All frames in their order, until `take` has enough: from memory if they are there, else by reading the film
    /// once more.
    pub(super) fn each(&self, take: &mut dyn FnMut(&Image) -> bool) -> Result<()> {
        let is_kept = self.kept.len() >= self.secs.len();
        if let (Source::File(path, _), false) = (&self.source, is_kept) {
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

fn is_long(film: &Film, most_at_once: usize) -> bool {
    film.frame_count.is_none_or(|frames| frames.saturating_mul(film.width * film.height) > most_at_once)
}

/// Decodes the whole film: when its frames are shown, and what they look like.
fn looked_through(
    film: &mut Film,
    kept: &Shelf,
    on_frame: &mut dyn FnMut(usize, usize),
) -> (Vec<f64>, Sample) {
    let count = film.frame_count.unwrap_or_default();
    let stride = sample::stride(count, film.width, film.height);
    let (mut secs, sample) = (Vec::new(), Sample::empty(0));
    for (at, image) in film.by_ref() {
        if secs.len() % stride == 0 {
            sample.add(secs.len(), &image);
        }
        kept.put(secs.len(), Arc::new(image));
        secs.push(at);
        on_frame(secs.len(), count);
    }
    sample.end();
    (secs, sample)
}
