//! What can be typed after `vivant lint`.

use super::recordings::RecordingArgs;
use super::trace::{ACTIVITIES, named};
use clap::Args;
use std::path::PathBuf;
use vivant::eyes::blinking::Activity;

/// Say how human eyes, lids and head are, figure by figure: of any engine, capture or person
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant lint eyes.csv                              what `vivant trace eyes` wrote
  vivant lint show.vrma --state speaking            an avatar's motion: VRMA, GLB, BVH or FBX with eyes
  vivant lint capture.jsonl --report lint.html      what VMC brought, with plots
  vivant lint MySlate_iPhone.csv                    Live Link Face, 60 frames a second
  vivant lint mine.csv --map map.toml --fps 90 --json | jq .grade
  vivant lint show.vrma --beside anna.csv --beside ben=ben1.csv --beside ben=ben2.csv

Verdicts: human; odd, as few people do; wrong, as nobody does; or not enough data.
docs/lint.md says how each figure is measured, whose it is, and what the grade is.")]
pub(crate) struct Lint {
    /// A trace, a motion, a capture, or a recording of eyes; a folder that is one recording
    #[arg(value_name = "TRACE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) recording: RecordingArgs,
    /// What is done in it, by which blinks and looks are judged
    #[arg(long, value_name = "STATE", value_parser = named::<Activity>(ACTIVITIES), ignore_case = true)]
    pub(crate) state: Option<Activity>,
    /// Which motion, of a file with several
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Option<String>,
    /// A page to write, with plots beside what people do
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,
    /// Recordings of people, to say how well two seconds of the trace are told from theirs; may be given again. Of
    /// several recordings of one person say whose they are: `anna=first.csv`
    #[arg(long, value_name = "[PERSON=]FILE")]
    pub(crate) beside: Vec<String>,
    /// End with an error if something is wrong, for build servers
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print JSON: {"grade", "checks": [{"id", "value", "unit", "human", "source", "verdict", "advice"}], …}
    #[arg(long)]
    pub(crate) json: bool,
}
