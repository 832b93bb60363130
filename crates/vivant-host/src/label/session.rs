//! A film, its labels, and the model trained on them.
//!
//! Labelling is slow, so a model should need few labelled frames, and these should differ. [`LabelSession::open`] opens
//! the film with its labels, and [`LabelSession::suggestions`] returns the frames to label next.
//! [`LabelSession::guess`] predicts the points of a frame with a model of the other labelled frames, and
//! [`LabelSession::track`] those of the whole film. Predictions are returned and not stored, and models are trained
//! only on frames that a person labelled or confirmed. All methods take `&self`, so that threads of a server share one
//! session.

use super::guess::{Guess, Guesser};
use super::reader::FilmReader;
use super::store::Store;
use crate::disk;
use glam::DVec2;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use vivant_io::Warning;
use vivant_io::{Error, ErrorKind, Result};
use vivant_learn::film::labels::{self, Imported, LabelledFrame, Labels};
use vivant_learn::film::{Image, POINTS};

/// The film to label, and its files.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The path of the film; `None` for a synthetic film.
    pub film: Option<PathBuf>,
    /// The file of the labels; by default `NAME.labels.json` in the folder of the film.
    pub labels: Option<PathBuf>,
    /// Files with points that were labelled in other programs, as `.pts` or dlib's `.xml`.
    pub import: Vec<PathBuf>,
    /// The seed of a synthetic film.
    pub seed: u64,
}

/// A film with its labels, shared by several threads.
pub struct LabelSession {
    /// The film.
    pub reel: FilmReader,
    /// The labels.
    pub store: Store,
    /// An id that is different for each session.
    pub id: u64,
    guesser: Guesser,
    /// The image region in which frames are compared. It is the whole image until the position of the eyes is known.
    region: Mutex<Option<Region>>,
    /// Number of frames tracked so far, while the whole film is being tracked.
    tracked: AtomicUsize,
    /// True if tracking was stopped.
    is_stopped: AtomicBool,
}

/// Progress of long operations: the number of finished frames and the total number of frames.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct LabelProgress {
    /// Progress of sampling a long film; `None` once finished.
    #[serde(rename = "looking")]
    pub sampling: Option<[usize; 2]>,
    /// Progress of tracking the film; the first number is 0 while the film is not being tracked.
    pub tracking: [usize; 2],
}

/// An image region: its minimum and maximum corner.
type Region = [DVec2; 2];

impl LabelSession {
    /// Opens a film and its labels. A short film is decoded completely; `on_frame` gets the number of decoded frames
    /// and the total number of frames.
    ///
    /// # Errors
    /// If the film, its labels or imported points cannot be read.
    pub fn open(
        options: &Options,
        warnings: &mut Vec<Warning>,
        on_frame: &mut dyn FnMut(usize, usize),
    ) -> Result<Self> {
        let reel = match &options.film {
            Some(film) => FilmReader::open(film, warnings, on_frame)?,
            None => FilmReader::synthetic(options.seed),
        };
        let path = options.labels.clone().unwrap_or_else(|| default_path(options.film.as_deref()));
        let empty = Labels::new(&reel.name, reel.width, reel.height);
        let store = Store::open(path, empty, reel.secs.len())?;
        let (guesser, region, id) = (Guesser::default(), Mutex::default(), micros_now());
        let (tracked, is_stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let desk = Self { reel, store, id, guesser, region, tracked, is_stopped };
        options.import.iter().try_for_each(|file| desk.import(file, warnings))?;
        Ok(desk)
    }

    /// Returns the numbers of up to `count` frames that differ most from each other, as suggestions for labelling.
    ///
    /// Once a frame is labelled, only the eye region is compared.
    ///
    /// # Errors
    /// If the labels cannot be read.
    pub fn suggestions(&self, count: usize) -> Result<Vec<usize>> {
        let mut region = self.region.lock().unwrap_or_else(PoisonError::into_inner);
        if region.is_none() {
            *region = eye_region(&self.store.get()?.labels);
        }
        Ok(self.reel.sample.most_different(*region, count))
    }

    /// Returns the progress of long operations.
    #[must_use]
    pub fn progress(&self) -> LabelProgress {
        let tracked = self.tracked.load(Ordering::Relaxed);
        LabelProgress { sampling: self.reel.sample.progress(), tracking: [tracked, self.reel.secs.len()] }
    }

    /// Predicts the points in a frame with a model trained on all other labelled frames.
    ///
    /// # Errors
    /// If there are too few labelled frames, or a frame cannot be read.
    pub fn guess(&self, frame: usize) -> Result<Guess> {
        let mut learned = self.learned()?;
        learned.retain(|known| known.frame != frame);
        self.guesser.guess(frame, &learned, &|index| self.reel.frame(index))
    }

    /// Predicts the points in every frame with a model trained on all labelled frames. The result is `None` for
    /// frames in which the model is not confident.
    ///
    /// # Errors
    /// If there are too few labelled frames, a frame cannot be read, or tracking was [stopped](Self::stop).
    pub fn track(&self) -> Result<Vec<Option<[[f64; 2]; POINTS]>>> {
        self.is_stopped.store(false, Ordering::Relaxed);
        let go_on = |done: usize| {
            self.tracked.store(done, Ordering::Relaxed);
            !self.is_stopped.load(Ordering::Relaxed)
        };
        let film = |take: &mut dyn FnMut(&Image) -> bool| self.reel.for_each_frame(take);
        let found = self.guesser.track(&self.learned()?, &|index| self.reel.frame(index), film, &go_on);
        self.tracked.store(0, Ordering::Relaxed);
        if self.is_stopped.load(Ordering::Relaxed) {
            return Err(Error::of(ErrorKind::Invalid, "Stopped; no results were stored"));
        }
        found
    }

    /// Stops [`Self::track`].
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Returns the frames that a person labelled or confirmed.
    fn learned(&self) -> Result<Vec<LabelledFrame>> {
        let mut frames = self.store.get()?.labels.frames;
        frames.retain(|known| !known.guessed);
        Ok(frames)
    }

    /// Imports points. Nobody has checked these points on this film yet, so they count as guesses.
    fn import(&self, file: &Path, warnings: &mut Vec<Warning>) -> Result<()> {
        let mut kept = self.store.get()?;
        for imported in imported(file)? {
            let frame = self.frame_of(&imported, file)?;
            warnings.extend(imported.warnings.iter().cloned());
            let is_labelled = kept.labels.frames.iter().any(|known| known.frame == frame && !known.guessed);
            if !is_labelled {
                let points = LabelledFrame::new(frame, self.reel.secs[frame], &imported.points);
                kept.labels.put(LabelledFrame { guessed: true, ..points });
            }
        }
        self.store.put(kept.revision, kept.labels).map(drop)
    }

    fn frame_of(&self, imported: &Imported, file: &Path) -> Result<usize> {
        let frames = self.reel.secs.len();
        imported.number.filter(|number| *number < frames).ok_or_else(|| {
            Error::new(format!(
                "{}: {}: unknown frame number. The last number in the image's name must be the frame number, from 0 \
                 to {}; rename it, as in frame-0012.png",
                file.display(),
                imported.image,
                frames - 1
            ))
        })
    }
}

fn micros_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_micros() as u64 % (1 << 52))
}

/// Returns the region of the eyes in all labelled frames, with a margin.
fn eye_region(labels: &Labels) -> Option<Region> {
    let all = labels.frames.iter().flat_map(LabelledFrame::points);
    let corners = all.map(|point| [point, point]);
    let [from, to] = corners.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])?;
    let margin = DVec2::splat((to.x - from.x) * 0.1);
    Some([from - margin, to + margin])
}

fn imported(file: &Path) -> Result<Vec<Imported>> {
    let (name, bytes) = (file.display().to_string(), disk::read(file)?);
    let ending = file.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("pts") => labels::import_pts(&name, &bytes).map(|one| vec![one]),
        Some("xml") => labels::import_dlib_xml(&name, &bytes),
        _ => {
            return Err(Error::new(format!(
                "{name}: cannot import points from this format; use .pts or dlib's .xml"
            )));
        }
    }
    .map_err(|error| Error::new(error.to_string()))
}

/// Returns the default path of the label file: `me.labels.json` in the folder of `me.mp4`.
fn default_path(film: Option<&Path>) -> PathBuf {
    let film = film.unwrap_or(Path::new("synthetic"));
    let stem = film.file_stem().map_or("film".into(), |stem| stem.to_string_lossy().into_owned());
    film.with_file_name(format!("{stem}.labels.json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_label_file_is_beside_the_film() {
        let cases = [
            (Some("a/me.mp4"), "a/me.labels.json"),
            (Some("frames/"), "frames.labels.json"),
            (None, "synthetic.labels.json"),
        ];
        for (film, expected) in cases {
            assert_eq!(default_path(film.map(Path::new)), Path::new(expected), "{film:?}");
        }
    }
}
