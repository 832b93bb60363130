//! Reads films as gray or colour frames with times. Videos need an installed ffmpeg; Y4M, raw gray bytes and folders
//! of images do not.
//!
//! A film is read once, frame by frame. A problem before the first frame is an error. A later problem ends the film
//! with a warning, and the frames before it are kept.

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

/// Assumed frame rate in hertz if the film has none.
const DEFAULT_HZ: f64 = 30.0;
/// The path that means standard input.
pub const STDIN: &str = "-";
/// Times that differ by less than this, in seconds, count as equal, since files round times.
const SAME_SECS: f64 = 5e-4;
/// Decoding starts this many seconds before the requested time. Few films show a single frame for a longer time.
const BEFORE_SECS: f64 = 1.0;

/// Options for reading a film.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Size and rate of raw gray bytes; `None` if the film is not raw.
    pub raw: Option<Header>,
    /// Frame rate in hertz. It replaces the times in the film.
    pub fps: Option<f64>,
    /// True to read colours, if the film has them.
    pub colour: bool,
}

/// The source of frames. Only a video has a time for each frame.
enum Source {
    Plain(Plain),
    Images(Images),
    Video(Box<Video>),
}

/// A film being read.
pub struct Film {
    /// The name shown in messages.
    pub name: String,
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// The expected number of frames, if known.
    pub frame_count: Option<usize>,
    source: Source,
    /// The first frame, until the iterator returns it.
    first: Option<(f64, Image)>,
    clock: Clock,
    warnings: Vec<Warning>,
    is_over: bool,
}

/// Computes the times of frames that have no times.
#[derive(Debug)]
struct Clock {
    rate_hz: f64,
    /// True if the rate was given and the film's own times are ignored.
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
        // Until a frame has a time, times are counted from the start of the film, so rounding errors do not add up.
        self.last_secs = own.map(|_| secs).or(self.last_secs.map(|_| secs));
        secs
    }
}

/// Opens a film: a video, a Y4M file, an image, a folder of images, or standard input (`-`).
///
/// # Errors
/// If there is no such film, no program that can read it, or no frame in it.
pub fn open(path: &Path, options: &Options) -> Result<Film> {
    open_at(path, options, 0.0)
}

/// Opens a video from `from_secs` on, in seconds. Other films always start at the beginning.
///
/// # Errors
/// As for [`open`].
pub fn open_at(path: &Path, options: &Options, from_secs: f64) -> Result<Film> {
    let mut warnings = Vec::new();
    let name = if path == Path::new(STDIN) { "standard input".into() } else { path.display().to_string() };
    let mut source = source(path, options, from_secs)?;
    let rate_hz = options.fps.or(source.rate_hz()).unwrap_or_else(|| {
        if !matches!(source, Source::Video(_)) {
            let message = format!(
                "has no frame rate; {DEFAULT_HZ} frames per second are assumed. Set the frame rate if that is wrong"
            );
            warnings.push(Warning::new(WarningCode::Guessed, &name, message).with_setting("film::Options::fps"));
        }
        DEFAULT_HZ
    });
    let mut clock = Clock { rate_hz, is_given: options.fps.is_some(), frames: 0, last_secs: None };
    let first = source.next().map_err(|error| error.in_file(&name))?;
    let Some((secs, image)) = first else {
        return Err(Error::new("contains no frames; is this the right file?").in_file(name));
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
    /// Returns the next frame, and its time if the film has frame times.
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

/// Yields frames with their times in seconds.
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
                let message = format!(
                    "the next frame is {width} × {height} pixels, unlike those before it; convert all frames to one size"
                );
                self.end(Some(Error::new(message)))
            }
            Ok(None) => self.end(None),
            Err(error) => self.end(Some(error)),
        }
    }
}

impl Film {
    /// Frame rate in hertz, used if frames have no times.
    pub fn rate_hz(&self) -> f64 {
        self.clock.rate_hz
    }

    /// Returns the first frame, or `None` if the iterator has already returned it.
    pub fn peek(&self) -> Option<&(f64, Image)> {
        self.first.as_ref()
    }

    /// Returns and clears the warnings: guesses, and why the film ended early.
    pub fn warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    fn end(&mut self, error: Option<Error>) -> Option<(f64, Image)> {
        self.is_over = true;
        let is_complete = error.is_none();
        let Self { name, clock, .. } = self;
        if let Some(error) = error {
            let message = format!("the video ends early, after {} frames: {error}", clock.frames);
            self.warnings.push(Warning::new(WarningCode::Malformed, &name, message));
        }
        if let Source::Video(video) = &mut self.source {
            let message = video.stop(is_complete);
            let warning = |message: String| Warning::new(WarningCode::Malformed, &name, message);
            self.warnings.extend(message.map(warning));
        }
        None
    }
}

/// Returns the frame that is shown at `secs`, in seconds. After the end of the film, this is the last frame.
///
/// # Errors
/// As for [`open`], and if the film starts after this time.
pub fn frame_at(path: &Path, secs: f64, options: &Options) -> Result<Image> {
    let from_secs = if options.fps.is_some() { 0.0 } else { (secs - BEFORE_SECS).max(0.0) };
    match shown_at(open_at(path, options, from_secs), secs) {
        Ok(Some(image)) => Ok(image),
        // One frame is shown for a long time, or the time is after the end.
        _ if from_secs > 0.0 => {
            let all = shown_at(open(path, options), secs)?;
            all.ok_or_else(|| {
                Error::new(format!("no frame at {secs} s; give an earlier time")).in_file(path.display())
            })
        }
        Ok(None) => {
            Err(Error::new(format!("starts after {secs} s; give a later time")).in_file(path.display()))
        }
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

/// Returns the sorted paths of the images in a folder; `None` if `path` is not a folder.
///
/// # Errors
/// If the folder cannot be read, or has no images.
pub fn images_of(path: &Path) -> Result<Option<Vec<PathBuf>>> {
    if !path.is_dir() {
        return Ok(None);
    }
    Images::in_folder(path, false).map(|images| Some(images.into_paths()))
}

/// Returns the frames with the given numbers, each with its time in seconds. Numbers start at 0 and must be in
/// ascending order. Returns fewer frames if the film ends earlier.
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

/// Parses the size and frame rate of raw frames, such as `640x480@30`.
///
/// # Errors
/// If the text has another form, or the size exceeds the limits of films.
pub fn raw_size(text: &str) -> std::result::Result<Header, String> {
    let wrong = || "expected the size and frame rate of gray frames, as in 640x480@30".to_owned();
    let (size, rate) = text.split_once('@').ok_or_else(wrong)?;
    let (width, height) = size.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
    let sides = width.trim().parse().ok().zip(height.trim().parse().ok());
    let (width, height) = sides.ok_or_else(wrong)?;
    let rate_hz = rate.trim().parse().map_err(|_| wrong())?;
    y4m::Header::gray(width, height, rate_hz).map_err(|error| error.to_string())
}
