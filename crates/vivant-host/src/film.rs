//! Films as frames with their times, gray or in colours: videos by the installed ffmpeg, and without it Y4M, bare gray bytes and
//! folders of images.
//!
//! A film is read frame by frame and once. What is wrong before the first frame is a fault; what is wrong later ends
//! the film there with a warning, since the frames before it are as good as ever.

mod ffmpeg;
mod images;
mod log;
mod plain;
#[cfg(test)]
mod tests;
mod video;

pub use ffmpeg::Ffmpeg;

use images::Images;
use plain::Plain;
use std::path::{Path, PathBuf};
use video::Video;
use vivant_io::{Error, Result, Warning, WarningCode};
use vivant_learn::film::Image;
use vivant_learn::film::y4m::{self, Header};

/// How fast frames come where nobody says it.
const USUAL_HZ: f64 = 30.0;
/// Standard input, as people write it.
pub const STDIN: &str = "-";
/// Times are written to a microsecond or rounder: two that are nearer than this are the same.
const SAME_SECS: f64 = 5e-4;
/// Where to begin before a moment whose frame is wanted: few films show one picture for longer.
const BEFORE_SECS: f64 = 1.0;

/// What the film does not say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Bare gray bytes of this size.
    pub raw: Option<Header>,
    /// Frames a second, in place of the film's own times.
    pub fps: Option<f64>,
    /// Whether frames have their colours, where the film has any.
    pub colour: bool,
}

/// Where frames come from. Only a video knows when each is shown.
enum Source {
    Plain(Plain),
    Images(Images),
    Video(Box<Video>),
}

/// A film that is being read.
pub struct Film {
    /// For people.
    pub name: String,
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// How many frames there will be, by what the film says of itself.
    pub frame_count: Option<usize>,
    source: Source,
    /// The first, until it is asked for.
    first: Option<(f64, Image)>,
    clock: Clock,
    warnings: Vec<Warning>,
    is_over: bool,
}

/// When frames are shown that do not say it.
#[derive(Debug)]
struct Clock {
    rate_hz: f64,
    /// Whether the film's own times do not count.
    is_given: bool,
    frames: usize,
    last_secs: Option<f64>,
}

impl Clock {
    fn next(&mut self, own: Option<f64>) -> f64 {
        let counted = match self.last_secs {
            Some(last) if !self.is_given && own.is_none() => last + 1.0 / self.rate_hz,
            _ => self.frames as f64 / self.rate_hz,
        };
        let secs = own.filter(|_| !self.is_given).unwrap_or(counted);
        self.frames += 1;
        // Without times of its own a film is counted from its begin, which adds up no roundings.
        self.last_secs = own.map(|_| secs).or(self.last_secs.map(|_| secs));
        secs
    }
}

/// Opens a film: a video, a Y4M, a folder of images, or standard input (`-`).
///
/// # Errors
/// If there is no such film, nothing that reads it, or no frame in it.
pub fn open(path: &Path, options: &Options) -> Result<Film> {
    open_at(path, options, 0.0)
}

/// Opens a film at a moment, as far as it is a video; others begin where they begin.
///
/// # Errors
/// As [`open`].
pub fn open_at(path: &Path, options: &Options, from_secs: f64) -> Result<Film> {
    let mut warnings = Vec::new();
    let name = if path == Path::new(STDIN) { "standard input".into() } else { path.display().to_string() };
    let mut source = source(path, options, from_secs)?;
    let rate_hz = options.fps.or(source.rate_hz()).unwrap_or_else(|| {
        if !matches!(source, Source::Video(_)) {
            let message = format!("has no frame rate and is taken to have {USUAL_HZ} frames a second; state the frame rate if it is another");
            warnings.push(Warning::new(WarningCode::Guessed, &name, message).with_setting("film::Options::fps"));
        }
        USUAL_HZ
    });
    let mut clock = Clock { rate_hz, is_given: options.fps.is_some(), frames: 0, last_secs: None };
    let first = source.next().map_err(|error| error.in_file(&name))?;
    let Some((secs, image)) = first else {
        return Err(Error::new("there is no frame in it; is this the film that you meant?").in_file(name));
    };
    let (width, height, frame_count) = (image.width, image.height, source.frame_count());
    let first = Some((clock.next(secs), image));
    Ok(Film { name, width, height, frame_count, source, first, clock, warnings, is_over: false })
}

fn source(path: &Path, options: &Options, from_secs: f64) -> Result<Source> {
    if let Some(header) = options.raw {
        return Ok(Source::Plain(Plain::raw(path, header)?));
    }
    if path.is_dir() {
        return Ok(Source::Images(Images::in_folder(path, options.colour)?));
    }
    if images::is_image(path) {
        return Ok(Source::Images(Images::one(path, options.colour)));
    }
    match Plain::y4m(path, options.colour)? {
        Some(plain) => Ok(Source::Plain(plain)),
        None => Ok(Source::Video(Box::new(Video::open(path, from_secs, options.colour)?))),
    }
}

impl Source {
    /// The next frame, and when it is shown if the film says it.
    fn next(&mut self) -> Result<Option<(Option<f64>, Image)>> {
        match self {
            Self::Plain(plain) => Ok(plain.next()?.map(|image| (None, image))),
            Self::Images(images) => Ok(images.next()?.map(|image| (None, image))),
            Self::Video(video) => video.next(),
        }
    }

    fn rate_hz(&self) -> Option<f64> {
        match self {
            Self::Plain(plain) => plain.rate_hz(),
            Self::Images(_) => None,
            Self::Video(video) => video.rate_hz(),
        }
    }

    fn frame_count(&self) -> Option<usize> {
        match self {
            Self::Plain(plain) => plain.frame_count(),
            Self::Images(images) => Some(images.count()),
            Self::Video(video) => video.frame_count(),
        }
    }
}

/// Frames, and when each is shown, in seconds.
impl Iterator for Film {
    type Item = (f64, Image);

    fn next(&mut self) -> Option<(f64, Image)> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        if self.is_over {
            return None;
        }
        match self.source.next() {
            Ok(Some((secs, image))) if (image.width, image.height) == (self.width, self.height) => {
                Some((self.clock.next(secs), image))
            }
            Ok(Some((_, image))) => {
                let (width, height) = (image.width, image.height);
                let message = format!("is {width} × {height} pixels, unlike those before it");
                self.end(Some(Error::new(message)))
            }
            Ok(None) => self.end(None),
            Err(error) => self.end(Some(error)),
        }
    }
}

impl Film {
    /// Frames a second, where frames do not say when they are shown.
    pub fn rate_hz(&self) -> f64 {
        self.clock.rate_hz
    }

    /// The first frame, as long as nobody has asked for it.
    pub fn peek(&self) -> Option<&(f64, Image)> {
        self.first.as_ref()
    }

    /// What had to be guessed, and why the film ended early.
    pub fn warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    fn end(&mut self, error: Option<Error>) -> Option<(f64, Image)> {
        self.is_over = true;
        let is_read_on = error.is_none();
        let Self { name, clock, .. } = self;
        if let Some(error) = error {
            let message = format!("the film ends after {} frames, which are kept: {error}", clock.frames);
            self.warnings.push(Warning::new(WarningCode::Malformed, &name, message));
        }
        if let Source::Video(video) = &mut self.source {
            let complaints = video.complaints(is_read_on);
            let warning = |message: String| Warning::new(WarningCode::Malformed, &name, message);
            self.warnings.extend(complaints.map(warning));
        }
        None
    }
}

/// The frame that is shown at a moment of a film: the last one at the end and later.
///
/// # Errors
/// As [`open`], and if the film begins later.
pub fn frame_at(path: &Path, secs: f64, options: &Options) -> Result<Image> {
    let from_secs = if options.fps.is_some() { 0.0 } else { (secs - BEFORE_SECS).max(0.0) };
    match shown_at(open_at(path, options, from_secs), secs) {
        Ok(Some(image)) => Ok(image),
        // A picture that is shown for long, or a moment after the end.
        _ if from_secs > 0.0 => {
            let all = shown_at(open(path, options), secs)?;
            all.ok_or_else(|| Error::new(format!("has no frame at {secs} s")).in_file(path.display()))
        }
        Ok(None) => Err(Error::new(format!("begins after {secs} s")).in_file(path.display())),
        Err(error) => Err(error),
    }
}

fn shown_at(film: Result<Film>, secs: f64) -> Result<Option<Image>> {
    let (mut film, mut shown) = (film?, None);
    for (at_secs, image) in film.by_ref() {
        if at_secs > secs + SAME_SECS {
            break;
        }
        shown = Some(image);
    }
    Ok(shown)
}

/// The images of a film that is a folder of them, in their order; `None` if it is another kind of film.
///
/// # Errors
/// If the folder cannot be read, or has no image in it.
pub fn images_of(path: &Path) -> Result<Option<Vec<PathBuf>>> {
    if !path.is_dir() {
        return Ok(None);
    }
    Images::in_folder(path, false).map(|images| Some(images.into_paths()))
}

/// Some frames of a film, by their numbers from 0 in growing order, with their times; as many as there are.
pub fn frames(film: &mut Film, numbers: &[usize]) -> Vec<(f64, Image)> {
    let (mut found, mut number) = (Vec::new(), 0);
    while found.len() < numbers.len() {
        let Some(frame) = film.next() else { break };
        if numbers[found.len()] == number {
            found.push(frame);
        }
        number += 1;
    }
    found
}

/// `640x480@30`, as people say what bare bytes are.
///
/// # Errors
/// If it is something else, or more than a film may be.
pub fn raw_size(text: &str) -> std::result::Result<Header, String> {
    let wrong = || "give the size and the frames a second of gray bytes, as in 640x480@30".to_owned();
    let (size, rate) = text.split_once('@').ok_or_else(wrong)?;
    let (width, height) = size.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
    let sides = width.trim().parse().ok().zip(height.trim().parse().ok());
    let (width, height) = sides.ok_or_else(wrong)?;
    let rate_hz = rate.trim().parse().map_err(|_| wrong())?;
    y4m::Header::gray(width, height, rate_hz).map_err(|error| error.to_string())
}
