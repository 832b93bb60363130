//! What can be typed after `vivant mimic`.

use super::{frame_rate, share};
use clap::Args;
use std::path::PathBuf;

/// Understand a person on film, and write what a character answers: stances, weight, hands, nods, smiles
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant mimic landmarks.csv                          what the person does, and what a character would answer
  vivant mimic landmarks.jsonl -o answers.jsonl       … as a script for `vivant perform` and `vivant plan`
  vivant mimic me.mp4 -o answers.jsonl --character eve --amount 1
  vivant mimic me.mp4 --landmarks me.jsonl            keep what MediaPipe saw
  vivant mimic take.jsonl                             what --vmc-record kept
  cat talk.jsonl answers.jsonl > both.jsonl && vivant perform both.jsonl --character eve -o show.glb

LANDMARKS are MediaPipe's, as JSON Lines, JSON or CSV. Films are looked at by the Python package `mediapipe` 0.10.21,
where it is installed: pip install mediapipe==0.10.21. The studio needs nothing but a browser.
docs/mimicry.md says what is understood, and how.")]
pub(crate) struct Mimic {
    /// A film, landmarks of one, or a VMC capture
    #[arg(value_name = "FILM|LANDMARKS")]
    pub(crate) file: PathBuf,
    /// The script to write: intents, a line each
    #[arg(short, long, value_name = "SCRIPT.jsonl")]
    pub(crate) output: Option<PathBuf>,
    /// Who answers: a folder, an avatar's file, or `builtin`. Stances are those of its own repertoire
    #[arg(long, value_name = "DIR|FILE", default_value = "builtin")]
    pub(crate) character: PathBuf,
    /// How much is answered, from 0 to 1
    #[arg(long, value_name = "X", default_value = "0.6", value_parser = share)]
    pub(crate) amount: f64,
    /// About how long after the person posture changes, in seconds; nods and smiles are quicker
    #[arg(long, value_name = "SECS", default_value = "2.5", value_parser = delay)]
    pub(crate) delay: f64,
    /// Answer left with left, and not as in a mirror
    #[arg(long)]
    pub(crate) same_side: bool,
    /// Chance: the same seed gives the same answers
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Pictures a second, where the landmarks have no times
    #[arg(long, value_name = "N", default_value = "30", value_parser = frame_rate)]
    pub(crate) fps: f64,
    /// Keep what MediaPipe saw in a film, as JSON Lines
    #[arg(long, value_name = "FILE.jsonl")]
    pub(crate) landmarks: Option<PathBuf>,
    /// The Python that has `mediapipe`
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    pub(crate) python: PathBuf,
    /// Only say in which stance the person is in each picture by itself
    #[arg(long, conflicts_with = "output")]
    pub(crate) stances: bool,
    /// Print JSON: {"pictures", "seconds", "deeds": [{"at", "does", …}], "answers": […]}, or with --stances
    /// {"pictures": [{"time", "stance", "sure"}]}
    #[arg(long)]
    pub(crate) json: bool,
}

fn delay(text: &str) -> Result<f64, String> {
    let secs = text.parse().ok().filter(|secs| (0.0..=60.0).contains(secs));
    secs.ok_or_else(|| "give seconds from 0 to 60".to_owned())
}
