//! What all requests share: the film, its labels, and the model that is learned from them.

use super::guess::{Guess, Guesser};
use super::reel::Reel;
use super::store::Store;
use crate::args::label::Label;
use crate::fault::{Fault, Kind, Result};
use crate::files;
use crate::report;
use crate::serve::studio::Studio;
use glam::DVec2;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use vivant_learn::film::labels::{self, Imported, LabelledFrame, Labels};
use vivant_learn::film::{Image, POINTS};

pub(super) struct Desk {
    pub(super) reel: Reel,
    pub(super) store: Store,
    pub(super) studio: Studio,
    /// Another one each time.
    pub(super) id: u64,
    guesser: Guesser,
    /// Which part of the picture tells frames apart: all of it as long as nobody knows where eyes are.
    part: Mutex<Option<Part>>,
    /// Frames that were tracked so far, while the whole film is.
    tracked: AtomicUsize,
    /// Whether nobody waits for the film to be tracked any more.
    is_stopped: AtomicBool,
}

/// How far it is with what takes a while: how many frames of how many.
#[derive(Debug, Serialize)]
pub(super) struct Underway {
    looking: Option<[usize; 2]>,
    tracking: [usize; 2],
}

/// A part of the picture, from corner to corner.
type Part = [DVec2; 2];

impl Desk {
    pub(super) fn open(args: &Label) -> Result<Self> {
        let reel = match &args.film {
            Some(film) => Reel::open(film)?,
            None => Reel::drawn(args.seed),
        };
        let path = args.output.clone().unwrap_or_else(|| usual_path(args.film.as_deref()));
        let empty = Labels::new(&reel.name, reel.width, reel.height);
        let store = Store::open(path, empty, reel.secs.len())?;
        let studio = Studio::new(args.studio.clone());
        let (guesser, part, id) = (Guesser::default(), Mutex::default(), micros_now());
        let (tracked, is_stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let desk = Self { reel, store, studio, id, guesser, part, tracked, is_stopped };
        args.import.iter().try_for_each(|file| desk.import(file))?;
        Ok(desk)
    }

    /// The frames that differ most.
    ///
    /// Once a frame is labelled, it is known where the eyes are; then what else moves does not count.
    pub(super) fn suggestions(&self, count: usize) -> Result<Vec<usize>> {
        let mut part = self.part.lock().unwrap_or_else(PoisonError::into_inner);
        if part.is_none() {
            *part = part_of_eyes(&self.store.get()?.labels);
        }
        Ok(self.reel.sample.most_different(*part, count))
    }

    pub(super) fn underway(&self) -> Underway {
        let tracked = self.tracked.load(Ordering::Relaxed);
        Underway { looking: self.reel.sample.progress(), tracking: [tracked, self.reel.secs.len()] }
    }

    /// What a model of all other labelled frames finds in a frame.
    pub(super) fn guess(&self, frame: usize) -> Result<Guess> {
        let mut learned = self.learned()?;
        learned.retain(|known| known.frame != frame);
        self.guesser.guess(frame, &learned, &|index| self.reel.frame(index))
    }

    /// What the model of all labelled frames finds in the whole film: nothing where it is not sure.
    pub(super) fn track(&self) -> Result<Vec<Option<[[f64; 2]; POINTS]>>> {
        self.is_stopped.store(false, Ordering::Relaxed);
        let go_on = |done: usize| {
            self.tracked.store(done, Ordering::Relaxed);
            !self.is_stopped.load(Ordering::Relaxed)
        };
        let film = |take: &mut dyn FnMut(&Image) -> bool| self.reel.each(take);
        let found = self.guesser.track(&self.learned()?, &|index| self.reel.frame(index), film, &go_on);
        self.tracked.store(0, Ordering::Relaxed);
        if self.is_stopped.load(Ordering::Relaxed) {
            return Err(Fault::of(Kind::Wrong, "Stopped: nothing of it is kept"));
        }
        found
    }

    /// Nobody waits for the film to be tracked any more.
    pub(super) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// The frames that people have looked at.
    fn learned(&self) -> Result<Vec<LabelledFrame>> {
        let mut frames = self.store.get()?.labels.frames;
        frames.retain(|known| !known.guessed);
        Ok(frames)
    }

    /// Takes points over from elsewhere. Nobody has looked at them on this film yet, so they are guesses.
    fn import(&self, file: &Path) -> Result<()> {
        let mut kept = self.store.get()?;
        for imported in imported(file)? {
            let frame = self.frame_of(&imported, file)?;
            report::warnings(&imported.warnings);
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
            Fault::new(format!(
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
    let (name, bytes) = (file.display().to_string(), files::read(file)?);
    let ending = file.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("pts") => labels::import_pts(&name, &bytes).map(|one| vec![one]),
        Some("xml") => labels::import_dlib_xml(&name, &bytes),
        _ => return Err(Fault::new(format!("{name}: points are imported from .pts and from dlib's .xml"))),
    }
    .map_err(|error| Fault::new(error.to_string()))
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
