//! The model of someone's eyes: read, or made of labelled frames of the film.

use super::chunks::Steps;
use super::row::Found;
use crate::args::track::Track;
use crate::fault::{Fault, Result};
use crate::files;
use crate::film::{self, STDIN};
use crate::report::Progress;
use std::path::Path;
use std::sync::Arc;
use vivant_io::{Warning, WarningCode};
use vivant_learn::aam::{BuildOptions, Example, Known, Model, TrackOptions, Tracker};
use vivant_learn::film::Image;
use vivant_learn::film::labels::{self, LabelledFrame, Labels};

/// Labels whose times are further off than this share of a frame are told of.
const OFF_FRAMES: f64 = 0.75;

type Step = fn(&mut Tracker, &Image) -> Found;
type Same = fn(&Found, &Found) -> bool;

/// Whose eyes are followed.
pub(super) struct Eyes {
    model: Arc<Model>,
    bytes: Vec<u8>,
    labels: Option<Labels>,
}

impl Eyes {
    /// As the command says.
    pub(super) fn of(args: &Track, options: &film::Options, warnings: &mut Vec<Warning>) -> Result<Self> {
        match (&args.model, &args.labels) {
            (Some(path), _) => Self::read(path),
            (None, Some(path)) => Self::labelled(args, path, options, warnings),
            (None, None) => Err(Fault::new("name a model with --model, or labels with --labels")),
        }
    }

    fn read(path: &Path) -> Result<Self> {
        let bytes = files::read(path)?;
        let model = Model::read(&path.display().to_string(), &bytes)?;
        if ![1, 3].contains(&model.channels()) {
            let message = "was made of pictures that are neither gray nor red, green and blue; make it anew with vivant track --labels";
            return Err(Fault::new(format!("{}: {message}", path.display())));
        }
        Ok(Self { model: Arc::new(model), bytes, labels: None })
    }

    fn labelled(
        args: &Track,
        path: &Path,
        options: &film::Options,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self> {
        if args.film == Path::new(STDIN) {
            return Err(Fault::new(
                "standard input: labels need a film that can be read twice; name its file, or make the model first with --save-model and give it with --model",
            ));
        }
        let labels = labels::read(&path.display().to_string(), &files::read(path)?)?;
        let _progress = Progress::spinner(format!("making a model of the eyes in {}", args.film.display()));
        let model = built(args, path, &labels, options, warnings)?;
        let bytes = model.to_bytes();
        if let Some(save) = &args.save_model {
            files::write(save, &bytes)?;
        }
        Ok(Self { model: Arc::new(model), bytes, labels: Some(labels) })
    }

    /// Whether the model wants to see colours.
    pub(super) fn has_colour(&self) -> bool {
        self.model.channels() == 3
    }

    pub(super) fn has_gaze(&self) -> bool {
        self.gaze().is_some()
    }

    /// The labels, if they say where the eyes look.
    pub(super) fn gaze(&self) -> Option<&Labels> {
        self.labels.as_ref().filter(|labels| !labels.gaze.is_empty())
    }

    /// What the rows depend on, as bytes.
    pub(super) fn digest(&self) -> Vec<u8> {
        let gaze = self.gaze().map(|labels| format!("{:?}", labels.gaze)).unwrap_or_default();
        [&self.bytes, gaze.as_bytes()].concat()
    }

    /// Where the eyes are in the labelled frames, to begin from and to look for them again.
    fn known(&self) -> Arc<[Known]> {
        let labelled = self.labels.iter().flat_map(|labels| &labels.frames).filter(|frame| !frame.guessed);
        let known = |frame: &LabelledFrame| Known {
            number: frame.frame as u64,
            pose: self.model.pose_of(&frame.points()),
        };
        labelled.map(known).collect()
    }

    /// How frames are tracked.
    pub(super) fn steps(&self) -> Steps<impl Fn(usize) -> Tracker + Sync, Step, Same> {
        let known = self.known();
        let new = move |number: usize| {
            Tracker::new(Arc::clone(&self.model), TrackOptions::default())
                .within(number as u64, Arc::clone(&known))
        };
        Steps { new, step: step as Step, is_same: is_same as Same }
    }
}

fn step(tracker: &mut Tracker, image: &Image) -> Found {
    let tracked = tracker.next(image);
    let points = tracked.points.filter(|_| tracked.trusted);
    Found { points, error: tracked.error, iterations: tracked.iterations, memory: tracker.memory().clone() }
}

/// Whether one who found the first will go on as one who found the second.
fn is_same(one: &Found, other: &Found) -> bool {
    one.memory == other.memory
}

/// A model of the labelled frames of the film.
fn built(
    args: &Track,
    path: &Path,
    labels: &Labels,
    options: &film::Options,
    warnings: &mut Vec<Warning>,
) -> Result<Model> {
    let labelled: Vec<&LabelledFrame> = labels.frames.iter().filter(|frame| !frame.guessed).collect();
    if labelled.is_empty() {
        let message = "no frame is labelled; label about twenty with vivant label";
        return Err(Fault::new(format!("{}: {message}", path.display())));
    }
    let mut film = film::open(&args.film, options)?;
    labels.fits(film.width, film.height, None).map_err(|error| error.in_file(path.display()))?;
    let numbers: Vec<usize> = labelled.iter().map(|frame| frame.frame).collect();
    let frames = film::frames(&mut film, &numbers);
    if let Some(missing) = numbers.get(frames.len()) {
        return Err(Fault::new(format!(
            "{}: frame {missing} is labelled, and {} ends before it; are these the labels of this film?",
            path.display(),
            film.name
        )));
    }
    warnings.extend(doubts(
        path,
        labels,
        &film.name,
        labelled.iter().map(|frame| frame.secs).zip(frames.iter().map(|frame| frame.0)).collect(),
    ));
    let points: Vec<_> = labelled.iter().map(|frame| frame.points()).collect();
    let examples: Vec<Example<'_>> =
        frames.iter().zip(&points).map(|((_, image), points)| Example { image, points }).collect();
    Ok(Model::build(&examples, &BuildOptions::default()).map_err(|error| error.in_file(path.display()))?)
}

/// Whether labels may be of another film, though they fit.
fn doubts(path: &Path, labels: &Labels, film: &str, times: Vec<(f64, f64)>) -> Vec<Warning> {
    let warning = |message: String| Warning::new(WarningCode::Guessed, path.display(), message);
    let mut doubts = Vec::new();
    let name = Path::new(film).file_name().map(|name| name.to_string_lossy().into_owned());
    if name.is_some_and(|name| name != labels.film) {
        doubts.push(warning(format!("these are labels of “{}”, and are used for {film}", labels.film)));
    }
    let [Some(first), Some(last)] = [labels.frames.first(), labels.frames.last()] else { return doubts };
    let frame_secs = (last.secs - first.secs) / (last.frame - first.frame).max(1) as f64;
    let off = times.iter().map(|(labelled, shown)| (labelled - shown).abs()).fold(0.0, f64::max);
    if last.frame > first.frame && off > OFF_FRAMES * frame_secs {
        doubts.push(warning(format!("the times of its frames are up to {off:.3} s off those of {film}; frames are taken by their numbers")));
    }
    doubts
}
