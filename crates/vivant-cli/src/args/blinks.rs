//! What can be typed after `vivant blinks`.

use super::recordings::RecordingArgs;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use vivant_learn::blinks::End;
use vivant_learn::recording::Eye;

/// Find the blinks in a recording of eyes: when each begins, is lowest and ends, and what kind it is
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant blinks openness.tsv                        a table of the blinks, and what they are like
  vivant blinks ear.csv --rate 240 --eye left -o blinks.csv
  vivant blinks vive.csv --plot blinks.svg          the signal with its labels, all blinks, their durations
  vivant blinks neon/ --end 95 --json | jq .statistics.per_minute
  vivant blinks mine.csv --map map.toml -o blinks.json

Kinds: `blink`; `partial`, less than two thirds of the way to shut; `long`, shut for half a second or more;
`squint`, lowered as long but not shut. Glances downwards are left out.
The CSV has the columns onset, apex, offset (seconds) and kind first.
docs/blinks.md says how it is done, and how well.")]
pub(crate) struct Blinks {
    /// A recording of eyes, or the folder with its files
    #[arg(value_name = "RECORDING")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) recording: RecordingArgs,
    /// The labels to write: .csv or .json
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The picture to draw: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// Whose blinks: of both eyes those that both do
    #[arg(long, value_name = "EYE", default_value = "both")]
    pub(crate) eye: EyeArg,
    /// What the end of a blink is: lids that rest and are open (paper 3), or 95 % of the way up (VanderWerf)
    #[arg(long, value_name = "END", default_value = "gradient")]
    pub(crate) end: EndArg,
    /// Print JSON: {"events", "statistics", "notes", …}
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum EyeArg {
    Both,
    Left,
    Right,
}

impl From<EyeArg> for Eye {
    fn from(eye: EyeArg) -> Self {
        match eye {
            EyeArg::Both => Self::Both,
            EyeArg::Left => Self::Left,
            EyeArg::Right => Self::Right,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum EndArg {
    Gradient,
    #[value(name = "95")]
    VanderWerf95,
}

impl From<EndArg> for End {
    fn from(end: EndArg) -> Self {
        match end {
            EndArg::Gradient => Self::Gradient,
            EndArg::VanderWerf95 => Self::VanderWerf95,
        }
    }
}
