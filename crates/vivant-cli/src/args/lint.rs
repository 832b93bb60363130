//! Arguments of `vivant lint`.

use super::recordings::RecordingArgs;
use super::trace::{ACTIVITIES, named};
use clap::Args;
use std::path::PathBuf;
use vivant::eyes::blinking::Activity;

/// Check how human the motion of eyes, lids and head is, for any engine, capture or person
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant lint eyes.csv                              a trace by `vivant trace eyes`
  vivant lint show.vrma --state speaking            an avatar's motion: VRMA, GLB, BVH or FBX with eyes
  vivant lint capture.jsonl --report lint.html      a VMC capture, with a report with plots
  vivant lint MySlate_iPhone.csv                    Live Link Face, 60 frames per second
  vivant lint mine.csv --map map.toml --fps 90 --json | jq .score
  vivant lint show.vrma --beside anna.csv --beside ben=ben1.csv --beside ben=ben2.csv

Verdicts: human; odd (rare in people); wrong (not seen in people); or not enough data.
docs/reference/lint.md describes each check with its source, and the score.")]
pub(crate) struct Lint {
    /// A trace, a motion, a capture or an eye recording (a file or a folder)
    #[arg(value_name = "TRACE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) recording: RecordingArgs,
    /// The activity in the trace, which decides the expected blink rate and gaze
    #[arg(long, value_name = "STATE", value_parser = named::<Activity>(ACTIVITIES), ignore_case = true)]
    pub(crate) state: Option<Activity>,
    /// The clip to check, if the file has several
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Option<String>,
    /// The report to write, with plots that compare the trace with people
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,
    /// A recording of a person. A classifier compares two-second windows of the recording and of the trace
    /// (classifier AUC). May be given several times. Give a name if one person has several recordings:
    /// `anna=first.csv`
    #[arg(long, value_name = "[PERSON=]FILE")]
    pub(crate) beside: Vec<String>,
    /// Exit with status 1 if a verdict is “wrong”, for continuous integration
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print JSON: {"score", "checks": [{"id", "value", "unit", "human", "source", "verdict", "advice"}], …}
    #[arg(long)]
    pub(crate) json: bool,
}
