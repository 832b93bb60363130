//! What can be typed after `vivant learn`.

pub(crate) mod eyes;

use super::recordings::RecordingArgs;
use clap::{Args, Subcommand, ValueEnum};
use eyes::LearnEyes;
use std::path::PathBuf;
use vivant::eyes::blink_model::Closure;
use vivant::eyes::blinking::Activity;
use vivant_learn::behaviour::ChainName;

/// Learn from recordings of people
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant learn behaviour talk.eaf -o behaviour.json
  vivant learn behaviour *.eaf --map map.toml -o behaviour.json --plot arms.svg
  vivant learn behaviour talk.eaf --map map.toml --matrix
  vivant learn eyes me.csv -o eyes.texture
  vivant learn blinks eyes.csv -o blinks.model.json --plot blinks.png")]
pub(crate) struct Learn {
    #[command(subcommand)]
    pub(crate) what: LearnWhat,
    /// Print what was learned as JSON: {"written", "origin", …, "warnings"}
    #[arg(long, display_order = 104, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LearnWhat {
    Behaviour(LearnBehaviour),
    Eyes(LearnEyes),
    Blinks(LearnBlinks),
}

/// What people do, from ELAN annotations: which action follows which, how long it takes and how long the
/// rest after it is (paper 4, section 7.3)
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant learn behaviour talk.eaf -o behaviour.json            tiers that say what they are
  vivant learn behaviour a.eaf b.eaf --map map.toml -o behaviour.json
  vivant learn behaviour a.eaf --map map.toml --matrix > arms.csv
  vivant learn behaviour a.eaf --map map.toml --matrix --chain head
  vivant learn behaviour a.eaf --map map.toml --plot speaking.png --state speaking

A map says which tier is which part of the body, and which value is a gesture, a fidget or a transition:

  [[tier]]
  part = \"right-arm\"    # left-arm, right-arm, both-arms, head, head-stance, body, speech, ignore
  name = \"W-RG*\"        # and/or type, participant; * is anything
  kind = \"gesture\"      # of values that are not listed

  [values]
  \"scratch*\" = \"fidget\"
  \"nod\" = { kind = \"gesture\", tags = [\"positive\"] }
  \"rest*\" = \"ignore\"

docs/behaviour.md has all its keys. Without a map, tiers are taken whose names say what they are, such as
“left arm”, “right hand”, “head action”, “body” and “speech”; what was matched is reported.
The matrix is CSV: the header and the first column are the states, a row adds up to 1.")]
pub(crate) struct LearnBehaviour {
    /// The annotations
    #[arg(required = true, value_name = "FILE.eaf")]
    pub(crate) files: Vec<PathBuf>,
    /// What the tiers and values mean
    #[arg(long, value_name = "MAP.toml")]
    pub(crate) map: Option<PathBuf>,
    /// The behaviour to write
    #[arg(short, long, value_name = "FILE.json")]
    pub(crate) output: Option<PathBuf>,
    /// Print the matrix as CSV
    #[arg(long)]
    pub(crate) matrix: bool,
    /// The picture of the matrix to draw: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// Whose matrix
    #[arg(long, value_name = "PART", default_value = "arms")]
    pub(crate) chain: ChainArg,
    /// The matrix of what is done while speaking or listening; by default of all the time
    #[arg(long, value_name = "STATE")]
    pub(crate) state: Option<StateArg>,
}

/// How someone blinks, from recordings of how open their eyes are (paper 3, section 3.3.2)
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant learn blinks eyes.csv -o blinks.model.json
  vivant learn blinks monday.csv tuesday.csv -o blinks.model.json --plot blinks.png
  vivant learn blinks eyes.csv --eyes each --variance 0.98 --json
  vivant trace blink --profile pca --model blinks.model.json --plot one.png

Blinks are found as `vivant blinks` finds them. Closing and opening are brought to their mean lengths by
splines, with the lowest point at the same place; the principal components of shape and lengths are the
model. What is told: how much of the variance its components explain, how much of blinks that were held out
while it was learned, and how many blinks it was made of. With --json: {\"written\", \"origin\", \"recordings\",
\"leftOut\", \"blinks\", \"explained\", \"shares\", \"heldOut\", \"possible\", \"durationSecs\", …, \"warnings\"}.
docs/blink-model.md says more.")]
pub(crate) struct LearnBlinks {
    /// The recordings, as `vivant blinks` reads them
    #[arg(required = true, value_name = "RECORDING")]
    pub(crate) recordings: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) how: RecordingArgs,
    /// The model to write
    #[arg(short, long, value_name = "FILE.json")]
    pub(crate) output: Option<PathBuf>,
    /// How many components; paper 3 has 5
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=16), conflicts_with = "variance")]
    pub(crate) components: u8,
    /// As few components as explain this share of the variance, such as 0.98
    #[arg(long, value_name = "SHARE", value_parser = super::share)]
    pub(crate) variance: Option<f64>,
    /// How far the model's blinks close the eye
    #[arg(long, value_name = "NAME", default_value = "full")]
    pub(crate) closure: ClosureArg,
    /// Which eyes
    #[arg(long, value_name = "NAME", default_value = "both")]
    pub(crate) eyes: EyesArg,
    /// Learn from blinks that do not close the eye, too
    #[arg(long)]
    pub(crate) partial: bool,
    /// The picture to draw: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
}

/// How far blinks close an eye.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ClosureArg {
    /// Every blink closes it: (d − min) / (max − min)
    Full,
    /// As far as the recorded ones do: d / max
    Natural,
}

impl From<ClosureArg> for Closure {
    fn from(closure: ClosureArg) -> Self {
        match closure {
            ClosureArg::Full => Self::Full,
            ClosureArg::Natural => Self::Natural,
        }
    }
}

/// Which eyes' blinks are learned.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum EyesArg {
    /// The mean of both, as one
    Both,
    /// Left and right as two blinks, which are held out together
    Each,
    Left,
    Right,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ChainArg {
    Arms,
    Head,
    HeadStance,
    Body,
}

impl From<ChainArg> for ChainName {
    fn from(chain: ChainArg) -> Self {
        match chain {
            ChainArg::Arms => Self::Arms,
            ChainArg::Head => Self::Head,
            ChainArg::HeadStance => Self::HeadStance,
            ChainArg::Body => Self::Body,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum StateArg {
    Speaking,
    Listening,
}

impl From<StateArg> for Activity {
    fn from(state: StateArg) -> Self {
        match state {
            StateArg::Speaking => Self::Speaking,
            StateArg::Listening => Self::Listening,
        }
    }
}
