//! What can be typed after `vivant learn`.

pub(crate) mod eyes;

use clap::{Args, Subcommand, ValueEnum};
use eyes::LearnEyes;
use std::path::PathBuf;
use vivant::eyes::blinking::Activity;
use vivant_learn::behaviour::ChainName;

/// Learn from recordings of people
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant learn behaviour talk.eaf -o behaviour.json
  vivant learn behaviour *.eaf --map map.toml -o behaviour.json --plot arms.svg
  vivant learn behaviour talk.eaf --map map.toml --matrix
  vivant learn eyes me.csv -o eyes.texture")]
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
