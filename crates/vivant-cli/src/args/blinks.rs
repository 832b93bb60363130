//! Arguments of `vivant blinks`.

use super::recordings::RecordingArgs;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use vivant_learn::blinks::End;
use vivant_learn::recording::Eye;

/// Find the blinks in an eye recording: onset, apex, offset and kind of each
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant blinks openness.tsv                        print a table of the blinks and their statistics
  vivant blinks ear.csv --rate 240 --eye left -o blinks.csv
  vivant blinks vive.csv --plot blinks.svg          plot the labelled signal, all blinks and their durations
  vivant blinks neon/ --end 95 --json | jq .statistics.per_minute
  vivant blinks mine.csv --map map.toml -o blinks.json

Kinds: `blink`; `partial`, closes less than two thirds of the way; `long`, closed for half a second or more;
`squint`, lowered for as long but not closed. Downward glances are not listed.
The first columns of the CSV are onset, apex, offset (seconds) and kind.
docs/reference/blinks.md describes the method and its accuracy.")]
pub(crate) struct Blinks {
    /// The eye recording: a file, or the folder with its files
    #[arg(value_name = "RECORDING")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) recording: RecordingArgs,
    /// The labels to write: .csv or .json
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The plot to write: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// The eye in which to find blinks; with `both`, only blinks of both eyes at the same time count
    #[arg(long, value_name = "EYE", default_value = "both")]
    pub(crate) eye: EyeArg,
    /// Definition of a blink's end: `gradient`, the lids are open and at rest (Trutoiu 2011), or `95`, the lids have
    /// opened by 95 % (VanderWerf)
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
