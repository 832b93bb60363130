//! Arguments of `vivant say`.

use super::{Cast, frame_rate, within};
use clap::Args;
use std::path::PathBuf;

/// Write a character that speaks: voice, mouth, eyes and body, as synchronised files
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant say \"Hello there, nice to see you.\" -o hello.wav+glb
  vivant say \"[smile] Hi! [gesture:wave] I am Eve.\" --character eve -o hi.wav+vrma
  vivant say \"Guten Tag.\" --voice espeak-ng:de+f2 -o tag.wav -o tag.csv
  vivant say speech.txt --voice talk.wav -o talk.glb    a recorded voice with its text
  vivant say --voice talk.flac -o talk.vrma             a recorded voice without text (audio lip-sync)
  vivant say \"Just the lips.\" --voice none -o lips.csv
  echo \"Hello\" | vivant say - -o hello.wav+jsonl

The extension of OUT selects the format: .wav for the voice; .vrma, .glb, .vrm, .bvh, .csv or .jsonl for the
character. Join several with `+`; all files start at the same time, a breath before the first word. Tags in square
brackets are performed, not spoken. See docs/guides/voice.md.")]
pub(crate) struct Say {
    /// The text to say, a file with it (.txt, .md, .ssml), or `-` for standard input. Optional with a recording
    #[arg(value_name = "WORDS")]
    pub(crate) words: Option<String>,
    /// The voice: `espeak-ng`, `espeak-ng:VOICE`, `none`, or a recording (.wav, .flac, .ogg, .mp3). By default
    /// espeak-ng if it is installed, else none
    #[arg(long, value_name = "VOICE|FILE")]
    pub(crate) voice: Option<String>,
    /// The language, such as `de` or `en-gb`; by default that of the voice, or American English
    #[arg(long, value_name = "CODE")]
    pub(crate) language: Option<String>,
    /// Speech rate relative to normal, from 0.5 to 2.5
    #[arg(long, value_name = "R", default_value = "1", value_parser = rate)]
    pub(crate) rate: f64,
    #[command(flatten)]
    pub(crate) cast: Cast,
    /// Frames per second
    #[arg(long, value_name = "N", default_value = "60", value_parser = frame_rate)]
    pub(crate) fps: f64,
    /// The file to write, or several: hello.wav+glb is hello.wav and hello.glb
    #[arg(short, long, value_name = "OUT", required = true)]
    pub(crate) output: Vec<PathBuf>,
    /// Print JSON: {"written", "seconds", "voice", "words", "phones", "warnings"}
    #[arg(long)]
    pub(crate) json: bool,
}

fn rate(text: &str) -> Result<f64, String> {
    within(text, 0.5, 2.5, "")
}
