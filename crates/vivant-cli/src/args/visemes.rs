//! Arguments of `vivant visemes`.

use super::frame_rate;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Convert speech to visemes over time, from audio, timed words or phonemes, or text
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant visemes talk.wav -o talk.csv               from audio, in any language
  vivant visemes talk.TextGrid --plot mouth.svg     from the times of an aligner, with a plot
  vivant visemes --text \"Hello there\" --set vrm     from text, for the five visemes of VRM
  vivant visemes rhubarb.json --set arkit --fps 30 --json
  vivant visemes speech.ssml --dictionary cmudict.dict -o mouth.csv

Files: WAV, FLAC, Ogg Vorbis, MP3; Praat TextGrid; HTS and HTK labels; Rhubarb's TSV, XML and JSON; words and phonemes
as JSON; SSML; plain text (.txt).
A row of the CSV is a frame: `t` in seconds, then a weight from 0 to 1 for each viseme.
docs/reference/speech-text.md and docs/science/lip-sync.md describe the method and its accuracy.")]
pub(crate) struct Visemes {
    /// The file with the speech
    #[arg(value_name = "FILE", required_unless_present = "text", conflicts_with = "text")]
    pub(crate) file: Option<PathBuf>,
    /// The text to convert, instead of a file
    #[arg(long, value_name = "WORDS")]
    pub(crate) text: Option<String>,
    /// The file to write: .csv or .json
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The plot to write: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// The viseme set: the 15 of Oculus, the 5 of VRM, or the mouth shapes among ARKit's 52
    #[arg(long, value_name = "SET", default_value = "oculus")]
    pub(crate) set: Set,
    /// Frames per second
    #[arg(long, value_name = "N", default_value = "60", value_parser = frame_rate)]
    pub(crate) fps: f64,
    /// A pronouncing dictionary in the format of CMUdict, which takes precedence over the built-in rules
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
