//! Arguments of `vivant learn`.

pub(crate) mod eyes;

use super::recordings::RecordingArgs;
use clap::{Args, Subcommand, ValueEnum};
use eyes::LearnEyes;
use std::path::PathBuf;
use vivant::eyes::blink_model::Closure;
use vivant::eyes::blinking::Activity;
use vivant_learn::behaviour::ChainName;

/// Learn models from recordings of people: behaviour, eyes or blinks
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
    /// Print the result as JSON: {"written", "origin", …, "warnings"}
    #[arg(long, display_order = 104, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LearnWhat {
    Behaviour(LearnBehaviour),
    Eyes(LearnEyes),
    Blinks(LearnBlinks),
}

/// Learn a behaviour model from ELAN annotations: the order of actions, their durations and the rests between them
/// (Borer 2019, section 7.3)
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant learn behaviour talk.eaf -o behaviour.json            recognise tiers by their names
  vivant learn behaviour a.eaf b.eaf --map map.toml -o behaviour.json
  vivant learn behaviour a.eaf --map map.toml --matrix > arms.csv
  vivant learn behaviour a.eaf --map map.toml --matrix --chain head
  vivant learn behaviour a.eaf --map map.toml --plot speaking.png --state speaking

A map assigns tiers to parts of the body, and values to gestures, fidgets and transitions:

  [[tier]]
  part = \"right-arm\"    # left-arm, right-arm, both-arms, head, head-stance, body, speech, ignore
  name = \"W-RG*\"        # and/or type, participant; * is anything
    kind = \"gesture\"      # kind of values that are not listed

  [values]
  \"scratch*\" = \"fidget\"
  \"nod\" = { kind = \"gesture\", tags = [\"positive\"] }
  \"rest*\" = \"ignore\"

docs/guides/learn-behaviour.md lists all keys. Without a map, tiers are recognised by names such as “left arm”,
“right hand”, “head action”, “body” and “speech”; the recognised tiers are reported.
The matrix is CSV: the header and the first column are the states, and each row adds up to 1.")]
pub(crate) struct LearnBehaviour {
    /// The ELAN files
    #[arg(required = true, value_name = "FILE.eaf")]
    pub(crate) files: Vec<PathBuf>,
    /// The map of tiers and values
    #[arg(long, value_name = "MAP.toml")]
    pub(crate) map: Option<PathBuf>,
    /// The behaviour model to write
    #[arg(short, long, value_name = "FILE.json")]
    pub(crate) output: Option<PathBuf>,
    /// Print the transition matrix as CSV
    #[arg(long)]
    pub(crate) matrix: bool,
    /// The plot of the matrix to write: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// The part of the body for --matrix and --plot
    #[arg(long, value_name = "PART", default_value = "arms")]
    pub(crate) chain: ChainArg,
    /// Restrict --matrix and --plot to actions while speaking or listening; by default all actions count
    #[arg(long, value_name = "STATE")]
    pub(crate) state: Option<StateArg>,
}

/// Learn a blink model from recordings of a person's eye apertures (Trutoiu 2011, section 3.3.2)
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant learn blinks eyes.csv -o blinks.model.json
  vivant learn blinks monday.csv tuesday.csv -o blinks.model.json --plot blinks.png
  vivant learn blinks eyes.csv --eyes each --variance 0.98 --json
  vivant trace blink --profile pca --model blinks.model.json --plot one.png

Blinks are found as by `vivant blinks`. Splines stretch the closing and opening phases to their mean durations, so
that all apexes coincide; the model is the principal components of shape and durations. The report has the variance
explained by the components, the variance explained in held-out blinks, and the number of blinks.
With --json: {\"written\", \"origin\", \"recordings\", \"leftOut\", \"blinks\", \"explained\", \"shares\", \"heldOut\",
\"possible\", \"durationSecs\", …, \"warnings\"}. See docs/reference/blink-model.md.")]
pub(crate) struct LearnBlinks {
    /// The eye recordings: files or folders
    #[arg(required = true, value_name = "RECORDING")]
    pub(crate) recordings: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) how: RecordingArgs,
    /// The model to write
    #[arg(short, long, value_name = "FILE.json")]
    pub(crate) output: Option<PathBuf>,
    /// Number of principal components; Trutoiu 2011 uses 5
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=16), conflicts_with = "variance")]
    pub(crate) components: u8,
    /// Use the smallest number of components that explains this share of the variance, such as 0.98
    #[arg(long, value_name = "SHARE", value_parser = super::share)]
    pub(crate) variance: Option<f64>,
    /// Depth of the blinks that the model generates
    #[arg(long, value_name = "NAME", default_value = "full")]
    pub(crate) closure: ClosureArg,
    /// The eyes to learn from
    #[arg(long, value_name = "NAME", default_value = "both")]
    pub(crate) eyes: EyesArg,
    /// Also learn from blinks that do not close the eye
    #[arg(long)]
    pub(crate) partial: bool,
    /// The plot to write: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
}

/// Normalisation of the depth of blinks.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ClosureArg {
    /// Every blink closes the eye: (d − min) / (max − min), where d is the distance between the lids
    Full,
    /// Blinks close the eye as far as in the recordings: d / max
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

/// Eyes whose blinks are learned.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum EyesArg {
    /// The mean of both eyes, as one blink
    Both,
    /// Left and right eye as two blinks; cross-validation holds out both together
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
