//! Arguments of `vivant track`.

use crate::film;
use clap::{ArgGroup, Args};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use vivant_learn::film::y4m::Header;

/// Track the eyelids in a video: eighteen points of both eyes in every frame (Trutoiu 2011, section 3)
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("whose").required(true))]
#[command(after_help = "\
Examples:
  vivant label talk.mp4                                    first label about twenty frames
  vivant track talk.mp4 --labels talk.labels.json -o track.csv --plot track.png
  vivant track talk.mp4 --labels talk.labels.json --save-model me.aam -o track.csv
  vivant track other.mp4 --model me.aam -o other.csv --overlay other-tracked.mp4
  vivant track talk.mp4 --model me.aam | vivant blinks -   find the blinks
  vivant track images/ --fps 25 --model me.aam -o track.csv
  camera | vivant track - --raw 512x384@300 --model me.aam -o track.csv

Videos need ffmpeg in the PATH, or its path in VIVANT_FFMPEG. Y4M files, folders of PNG or JPEG images and raw gray
bytes do not.
The CSV has one row per frame: frame, time (seconds), aperture_left and aperture_right (as a share of the eye's
width), lid_distance_… (pixels), error, iterations, trusted, gaze if the labels have it, and x and y of each
point. If the eyes were not found, the cells are empty. See docs/guides/track.md.
If a run is interrupted, the same command resumes it.")]
pub(crate) struct Track {
    /// The video: a file, or a folder of images; `-` is standard input
    #[arg(value_name = "VIDEO")]
    pub(crate) film: PathBuf,
    /// The model of a person's eyes, made by --save-model
    #[arg(long, value_name = "FILE.aam", group = "whose")]
    pub(crate) model: Option<PathBuf>,
    /// Labels of some frames of this video, to make a model from
    #[arg(long, value_name = "FILE.json", group = "whose")]
    pub(crate) labels: Option<PathBuf>,
    /// The CSV file to write; by default, and with `-`, standard output
    #[arg(short, long, value_name = "FILE.csv")]
    pub(crate) output: Option<PathBuf>,
    /// The file for the model made from the labels
    #[arg(long, value_name = "FILE.aam", requires = "labels")]
    pub(crate) save_model: Option<PathBuf>,
    /// Make a model of colours instead of brightness, which is slower. A saved model stays a colour model
    #[arg(long, requires = "labels")]
    pub(crate) colour: bool,
    /// Write the video with the points drawn on it: .mp4, .mov or .mkv
    #[arg(long, value_name = "FILE")]
    pub(crate) overlay: Option<PathBuf>,
    /// Plot the eye aperture over time: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// Number of chunks of the video that are tracked in parallel; by default the number of cores. It does not change
    /// the result
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Frames per chunk, for tests of chunk boundaries
    #[arg(long, value_name = "N", hide = true)]
    pub(crate) chunk: Option<NonZeroUsize>,
    /// Start from the beginning, even if an interrupted run could be resumed
    #[arg(long)]
    pub(crate) restart: bool,
    /// Size and frame rate of a video of raw gray bytes, row by row
    #[arg(long, value_name = "WxH@FPS", value_parser = film::raw_size)]
    pub(crate) raw: Option<Header>,
    /// Frames per second, for images or instead of the video's own time stamps
    #[arg(long, value_name = "N", value_parser = rate)]
    pub(crate) fps: Option<f64>,
    /// Print the result as JSON: {"written", "frames", "found", "gaps", …}; with -o FILE
    #[arg(long, requires = "output")]
    pub(crate) json: bool,
}

fn rate(text: &str) -> Result<f64, String> {
    super::within(text, 0.01, 100_000.0, "frames per second")
}
