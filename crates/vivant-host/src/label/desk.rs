//! A film, its labels, and the model that is learned from them.

use super::guess::{Guess, Guesser};
use super::reel::Reel;
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

/// What to label.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The film; `None` for one that is drawn.
    pub film: Option<PathBuf>,
    /// The file of the labels; by default `NAME.labels.json` beside the film.
    pub labels: Option<PathBuf>,
    /// Points that were labelled elsewhere, as `.pts` or dlib's `.xml`.
    pub import: Vec<PathBuf>,
    /// The seed of a film that is drawn.
    pub seed: u64,
}

/// A film with its labels, for several threads at once.
pub struct Desk {
    /// The film.
    pub reel: Reel,
    /// The labels.
    pub store: Store,
    /// A number that differs each time a film is opened.
    pub id: u64,
    guesser: Guesser,
    /// Which part of the picture tells frames apart: all of it as long as nobody knows where eyes are.
    part: Mutex<Option<Part>>,
    /// Frames that were tracked so far, while the whole film is tracked.
    tracked: AtomicUsize,
    /// Whether tracking was stopped.
    is_stopped: AtomicBool,
}

/// Progress: the number of finished frames, and of all.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Underway {
    /// Of sampling a long film; `None` once that is done.
    pub looking: Option<[usize; 2]>,
    /// Of tracking the film; 0 while it is not tracked.
    pub tracking: [usize; 2],
}

/// A part of the picture, from corner to corner.
type Part = [DVec2; 2];

impl Desk {
    /// Opens a film and its labels. A short film is decoded as a whole; `on_frame` gets the number of decoded frames
    /// and of all.
    ///
    /// # Errors
    /// If the film, its labels or imported points cannot be read.
    pub fn open(
        options: &Options,
        warnings: &mut Vec<Warning>,
        on_frame: &mut dyn FnMut(usize, usize),
    ) -> Result<Self> {
        let reel = match &options.film {
            Some(film) => Reel::open(film, warnings, on_frame)?,
            None => Reel::drawn(options.seed),
        };
        let path = options.labels.clone().unwrap_or_else(|| usual_path(options.film.as_deref()));
        let empty = Labels::new(&reel.name, reel.width, reel.height);
        let store = Store::open(path, empty, reel.secs.len())?;
        let (guesser, part, id) = (Guesser::default(), Mutex::default(), micros_now());
        let (tracked, is_stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let desk = Self { reel, store, id, guesser, part, tracked, is_stopped };
        options.import.iter().try_for_each(|file| desk.import(file, warnings))?;
        Ok(desk)
    }

    /// Returns the frames that differ most.
    ///
    /// Once a frame is labelled, only the region of the eyes counts.
    ///
    /// # Errors
    /// If the labels cannot be read.
    pub fn suggestions(&self, count: usize) -> Result<Vec<usize>> {
        let mut part = self.part.lock().unwrap_or_else(PoisonError::into_inner);
        if part.is_none() {
            *part = part_of_eyes(&self.store.get()?.labels);
        }
        Ok(self.reel.sample.most_different(*part, count))
    }

    /// Returns the progress of what takes long.
    #[must_use]
    pub fn underway(&self) -> Underway {
        let tracked = self.tracked.load(Ordering::Relaxed);
        Underway { looking: self.reel.sample.progress(), tracking: [tracked, self.reel.secs.len()] }
    }

    /// Finds the points in a frame with a model of all other labelled frames.
    ///
    /// # Errors
    /// If there are too few labelled frames, or a frame cannot be read.
    pub fn guess(&self, frame: usize) -> Result<Guess> {
        let mut learned = self.learned()?;
        learned.retain(|known| known.frame != frame);
        self.guesser.guess(frame, &learned, &|index| self.reel.frame(index))
    }

    /// Finds the points in every frame with a model of all labelled frames; `None` where it is not sure.
    ///
    /// # Errors
    /// If there are too few labelled frames, a frame cannot be read, or it was [stopped](Self::stop).
    pub fn track(&self) -> Result<Vec<Option<[[f64; 2]; POINTS]>>> {
        self.is_stopped.store(false, Ordering::Relaxed);
        let go_on = |done: usize| {
            self.tracked.store(done, Ordering::Relaxed);
            !self.is_stopped.load(Ordering::Relaxed)
        };
        let film = |take: &mut dyn FnMut(&Image) -> bool| self.reel.each(take);
        let found = self.guesser.track(&self.learned()?, &|index| self.reel.frame(index), film, &go_on);
        self.tracked.store(0, Ordering::Relaxed);
        if self.is_stopped.load(Ordering::Relaxed) {
            return Err(Error::of(ErrorKind::Invalid, "Stopped: nothing of it is kept"));
        }
        found
    }

    /// Stops [`Self::track`].
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// The frames that people have looked at.
    fn learned(&self) -> Result<Vec<LabelledFrame>> {
        let mut frames = self.store.get()?.labels.frames;
        frames.retain(|known| !known.guessed);
        Ok(frames)
    }

    /// Takes points over from elsewhere. Nobody has looked at them on this film yet, so they are guesses.
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
                "{}: {}: which frame is it? The last number in an image's name is taken for the frame's, from 0 \
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

/// Where the eyes are in the frames that are labelled, with some skin around them.
fn part_of_eyes(labels: &Labels) -> Option<Part> {
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
        _ => return Err(Error::new(format!("{name}: points are imported from .pts and from dlib's .xml"))),
    }
    .map_err(|error| Error::new(error.to_string()))
}

/// `me.labels.json` beside `me.mp4`.
fn usual_path(film: Option<&Path>) -> PathBuf {
    let film = film.unwrap_or(Path::new("synthetic"));
    let stem = film.file_stem().map_or("film".into(), |stem| stem.to_string_lossy().into_owned());
    film.with_file_name(format!("{stem}.labels.json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_kept_beside_their_film() {
        let cases = [
            (Some("a/me.mp4"), "a/me.labels.json"),
            (Some("frames/"), "frames.labels.json"),
            (None, "synthetic.labels.json"),
        ];
        for (film, expected) in cases {
            assert_eq!(usual_path(film.map(Path::new)), Path::new(expected), "{film:?}");
        }
    }
}
