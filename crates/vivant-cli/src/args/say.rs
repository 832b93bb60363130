//! What can be typed after `vivant say`.

use super::{Cast, frame_rate, within};
use clap::Args;
use std::path::PathBuf;

/// Let a character say something: voice, mouth, eyes and body, as files that play together
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant say \"Hello there, nice to see you.\" -o hello.wav+glb
  vivant say \"[smile] Hi! [gesture:wave] I am Eve.\" --character eve -o hi.wav+vrma
  vivant say \"Guten Tag.\" --voice espeak-ng:de+f2 -o tag.wav -o tag.csv
  vivant say speech.txt --voice talk.wav -o talk.glb    a recording, and what is said in it
  vivant say --voice talk.flac -o talk.vrma             a recording alone, by listening
  vivant say \"Just the lips.\" --voice none -o lips.csv
  echo \"Hello\" | vivant say - -o hello.wav+jsonl

OUT's ending decides: .wav for the voice; .vrma, .glb, .vrm, .bvh, .csv or .jsonl for the character. Several can be
joined with `+`, and all of them begin at the same instant: a breath before the first word. Tags in square
brackets are done, not said. docs/say.md has more.")]
pub(crate) struct Say {
    /// What to say; a file (.txt, .md, .ssml), or `-` for standard input. With a recording it may be left out
    #[arg(value_name = "WORDS")]
    pub(crate) words: Option<String>,
    /// Who speaks: `espeak-ng`, `espeak-ng:VOICE`, `none`, or a recording (.wav, .flac, .ogg, .mp3). By default
    /// espeak-ng if it is installed, else none
    #[arg(long, value_name = "VOICE|FILE")]
    pub(crate) voice: Option<String>,
    /// The language, as in `de` or `en-gb`; by default the voice's, or American English
    #[arg(long, value_name = "CODE")]
    pub(crate) language: Option<String>,
    /// How fast, from 0.5 to 2.5; 1 is usual
    #[arg(long, value_name = "R", default_value = "1", value_parser = rate)]
    pub(crate) rate: f64,
    #[command(flatten)]
    pub(crate) cast: Cast,
    /// Frames a second
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
