//! Arguments of `vivant mimic`.

use super::{frame_rate, share};
use clap::Args;
use std::path::PathBuf;

/// Detect what a person in a video does, and write a character's responses: stances, weight, hands, nods, smiles
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant mimic landmarks.csv                          list the person's actions and the responses
  vivant mimic landmarks.jsonl -o answers.jsonl       write them as a script for `vivant perform` and `vivant plan`
  vivant mimic me.mp4 -o answers.jsonl --character eve --amount 1
  vivant mimic me.mp4 --landmarks me.jsonl            keep MediaPipe's landmarks
  vivant mimic take.jsonl                             a capture by --vmc-record
  cat talk.jsonl answers.jsonl > both.jsonl && vivant perform both.jsonl --character eve -o show.glb

LANDMARKS are MediaPipe's, as JSON Lines, JSON or CSV. For films, install the Python package `mediapipe` 0.10.21:
pip install mediapipe==0.10.21. The studio needs only a browser.
docs/concepts/mimicry.md lists the actions and how they are detected.")]
pub(crate) struct Mimic {
    /// A video, its landmarks, or a VMC capture
    #[arg(value_name = "VIDEO|LANDMARKS")]
    pub(crate) file: PathBuf,
    /// The script to write: one intent per line
    #[arg(short, long, value_name = "SCRIPT.jsonl")]
    pub(crate) output: Option<PathBuf>,
    /// The character that responds, with the stances of its repertoire: a folder, an avatar file, or `builtin`
    #[arg(long, value_name = "DIR|FILE", default_value = "builtin")]
    pub(crate) character: PathBuf,
    /// Amount of mimicry, from 0 (none) to 1
    #[arg(long, value_name = "X", default_value = "0.6", value_parser = share)]
    pub(crate) amount: f64,
    /// Mean time in seconds from a posture change of the person to the character's response; nods and smiles are
    /// faster
    #[arg(long, value_name = "SECS", default_value = "2.5", value_parser = delay)]
    pub(crate) delay: f64,
    /// Respond to the person's left side with the character's left side, instead of mirroring
    #[arg(long)]
    pub(crate) same_side: bool,
    /// Random seed: the same seed gives the same responses
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Frames per second, if the landmarks have no times
    #[arg(long, value_name = "N", default_value = "30", value_parser = frame_rate)]
    pub(crate) fps: f64,
    /// The file to write with MediaPipe's landmarks of the video, as JSON Lines
    #[arg(long, value_name = "FILE.jsonl")]
    pub(crate) landmarks: Option<PathBuf>,
    /// The Python interpreter with `mediapipe`
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    pub(crate) python: PathBuf,
    /// Only print the person's stance in each frame, without regard to other frames
    #[arg(long, conflicts_with = "output")]
    pub(crate) stances: bool,
    // prose:allow a stable JSON key
    /// Print JSON: {"pictures", "seconds", "deeds": [{"at", "does", …}], "answers": […]}, or with --stances
    /// {"pictures": [{"time", "stance", "sure"}]}
    #[arg(long)]
    pub(crate) json: bool,
}

fn delay(text: &str) -> Result<f64, String> {
    let secs = text.parse().ok().filter(|secs| (0.0..=60.0).contains(secs));
    secs.ok_or_else(|| "give seconds from 0 to 60".to_owned())
}
