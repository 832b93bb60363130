//! What can be typed after `vivant visemes`.

use super::frame_rate;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Turn speech into mouth shapes over time: from sound, from words or sounds with times, or from text
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant visemes talk.wav -o talk.csv               by listening; any language
  vivant visemes talk.TextGrid --plot mouth.svg     by the times of an aligner, with a picture
  vivant visemes --text \"Hello there\" --set vrm     by the text alone, for VRM's five vowels
  vivant visemes rhubarb.json --set arkit --fps 30 --json
  vivant visemes speech.ssml --dictionary cmudict.dict -o mouth.csv

Files: WAV, FLAC, Ogg Vorbis; Praat TextGrid; HTS and HTK labels; Rhubarb's TSV, XML and JSON; words and phones
as JSON; SSML; plain text (.txt).
A row of the CSV is a frame: `t` in seconds, then a weight from 0 to 1 for each shape.
docs/speech-text.md and docs/audio.md say how it is done, and how well.")]
pub(crate) struct Visemes {
    /// The speech
    #[arg(value_name = "FILE", required_unless_present = "text", conflicts_with = "text")]
    pub(crate) file: Option<PathBuf>,
    /// What is said, in place of a file
    #[arg(long, value_name = "WORDS")]
    pub(crate) text: Option<String>,
    /// The file to write: .csv or .json
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The picture to draw: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// Which shapes: Oculus's 15, VRM's 5, or those of ARKit's 52 that speak
    #[arg(long, value_name = "SET", default_value = "oculus")]
    pub(crate) set: Set,
    /// Frames a second
    #[arg(long, value_name = "N", default_value = "60", value_parser = frame_rate)]
    pub(crate) fps: f64,
    /// A pronouncing dictionary in the format of CMUdict, which is asked first
    #[arg(long, value_name = "FILE")]
    pub(crate) dictionary: Option<PathBuf>,
    /// Print JSON: {"columns", "rows", "events", …}
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Set {
    Oculus,
    Vrm,
    Arkit,
}
