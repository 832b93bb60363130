//! What can be typed after `vivant track`.

use crate::film;
use clap::{ArgGroup, Args};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use vivant_learn::film::y4m::Header;

/// Follow the eyelids in a film: where eighteen points of both eyes are in every frame (paper 3, section 3)
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("whose").required(true))]
#[command(after_help = "\
Examples:
  vivant label talk.mp4                                    label about twenty frames of a film first
  vivant track talk.mp4 --labels talk.labels.json -o track.csv --plot track.png
  vivant track talk.mp4 --labels talk.labels.json --save-model me.aam -o track.csv
  vivant track other.mp4 --model me.aam -o other.csv --overlay other-tracked.mp4
  vivant track talk.mp4 --model me.aam | vivant blinks -   when the eyes blink
  vivant track images/ --fps 25 --model me.aam -o track.csv
  camera | vivant track - --raw 512x384@300 --model me.aam -o track.csv

A video is decoded by ffmpeg, if it is installed (or VIVANT_FFMPEG says where it is). Y4M, folders of PNG or
JPEG images and gray bytes need nothing.
The CSV has a row a frame: frame, time (seconds), aperture_left and aperture_right (how open, as a share of the
eye's width), lid_distance_… (pixels), error, iterations, trusted, gaze if the labels have it, and x and y of
each point. Where the eyes were lost, these are empty. docs/track.md says more.
What is stopped goes on when the same command is given again.")]
pub(crate) struct Track {
    /// The film: a video, a .y4m, a folder of images; `-` is standard input
    #[arg(value_name = "VIDEO")]
    pub(crate) film: PathBuf,
    /// The model of someone's eyes, as --save-model writes it
    #[arg(long, value_name = "FILE.aam", group = "whose")]
    pub(crate) model: Option<PathBuf>,
    /// Labels of some frames of this film, of which a model is made
    #[arg(long, value_name = "FILE.json", group = "whose")]
    pub(crate) labels: Option<PathBuf>,
    /// The track to write: .csv; by default, and with `-`, it goes to standard output
    #[arg(short, long, value_name = "FILE.csv")]
    pub(crate) output: Option<PathBuf>,
    /// Keep the model that is made of the labels
    #[arg(long, value_name = "FILE.aam", requires = "labels")]
    pub(crate) save_model: Option<PathBuf>,
    /// Make the model of colours, and not only of how light the film is: slower. A model that was made so is used so
    #[arg(long, requires = "labels")]
    pub(crate) colour: bool,
    /// Write the film with the points drawn on it: .mp4, .mov or .mkv
    #[arg(long, value_name = "FILE")]
    pub(crate) overlay: Option<PathBuf>,
    /// Draw how open the eyes are over time: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// How many chunks of the film are tracked at once; by default as many as there are cores. The result is the same
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Frames of a chunk, to try where chunks meet
    #[arg(long, value_name = "N", hide = true)]
    pub(crate) chunk: Option<NonZeroUsize>,
    /// Begin anew, even if an earlier run can be gone on with
    #[arg(long)]
    pub(crate) restart: bool,
    /// The film is gray bytes, row by row, of this size and rate
    #[arg(long, value_name = "WxH@FPS", value_parser = film::raw_size)]
    pub(crate) raw: Option<Header>,
    /// Frames a second: of images, and in place of the times that a film has
    #[arg(long, value_name = "N", value_parser = rate)]
    pub(crate) fps: Option<f64>,
    /// Print what became of it as JSON: {"written", "frames", "found", "gaps", …}; with -o FILE
    #[arg(long, requires = "output")]
    pub(crate) json: bool,
}

fn rate(text: &str) -> Result<f64, String> {
    super::within(text, 0.01, 100_000.0, "frames a second")
}
