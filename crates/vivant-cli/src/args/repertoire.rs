//! Arguments of `vivant repertoire`.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use vivant::body::layers::Layer;
use vivant::body::repertoire::Hand;
use vivant_learn::suggest::Type;

/// Create and check a character's repertoire: stances, gestures, fidgets and transitions
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant repertoire add clips/*.fbx --character eve    create a character from a folder of clips
  vivant repertoire check eve                          list all errors and warnings
  vivant repertoire graph eve -o eve.svg               draw its stances and transitions
  vivant repertoire suggest clips/                     suggest labels for clips

See docs/guides/repertoire.md.")]
pub(crate) struct Repertoire {
    #[command(subcommand)]
    pub(crate) what: RepertoireWhat,
    /// Print JSON
    #[arg(long, display_order = 104, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RepertoireWhat {
    Check(Check),
    Graph(Graph),
    Suggest(Suggest),
    Add(Box<Add>),
}

/// List all errors of a character's repertoire, each with its path in repertoire.json
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant repertoire check eve
  vivant repertoire check builtin
  vivant repertoire check eve --json | jq '.faults[] | select(.level == \"error\")'

Checks for: invalid fields, missing clips, stances that cannot be reached or left, and clips whose
first or last pose does not fit their stance, with the angle in degrees and the bone. The exit status
is 0 if the character can be used, even if there are warnings, and 1 if it cannot.
With --json: {\"usable\", \"faults\": [{\"path\", \"message\", \"level\"}], \"stances\", \"actions\",
\"clips\", \"seconds\", \"warnings\"}; level is error or warning.")]
pub(crate) struct Check {
    /// The character: a folder, or `builtin`
    #[arg(value_name = "CHARACTER")]
    pub(crate) character: PathBuf,
}

/// Draw a character's stances, and the transitions between them
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant repertoire graph eve -o eve.svg
  vivant repertoire graph builtin -o graph.png
  vivant repertoire graph eve -o eve.svg --json | jq '.groups[].stances[].name'

A box is a stance, with the numbers of its gestures and fidgets. An arrow is a transition, with its
name or the number of transitions. Dashed arrows are blends without a clip. Stances that cannot be
reached or left are marked.")]
pub(crate) struct Graph {
    /// The character: a folder, or `builtin`
    #[arg(value_name = "CHARACTER")]
    pub(crate) character: PathBuf,
    /// The image to write: .svg or .png
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

/// Suggest labels for clips from their motion
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant repertoire suggest wave.fbx
  vivant repertoire suggest clips/ --character eve     with the stances of Eve
  vivant repertoire suggest clips/*.bvh --json | jq '.[] | {file, type: .type.value}'

Suggests type, stance, end stance, hand, layers, trims and tags. Percentages are confidences; check
those below 50 yourself. docs/science/clip-labels.md describes the method and its accuracy.
With --json: an array with one object per clip; files that cannot be read have the keys file and error.")]
pub(crate) struct Suggest {
    /// Files or folders: VRMA, BVH, FBX, GLB or glTF, or `builtin`
    #[arg(required = true, value_name = "CLIPS")]
    pub(crate) clips: Vec<PathBuf>,
    /// The character whose stances to use: a folder, or `builtin`
    #[arg(long, value_name = "DIR")]
    pub(crate) character: Option<PathBuf>,
}

/// Add clips to a character, with labels that are given or suggested from their motion
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant repertoire add clips/*.fbx --character eve             create the character if it does not exist
  vivant repertoire add clips/ --character eve --dry-run        show the changes, write nothing
  vivant repertoire add wave.fbx --character eve --as gesture --hand R --tags greeting,positive
  vivant repertoire add sit.fbx --character eve --as transition --stance standing --to sitting

Clip files are copied into DIR/clips; no file is overwritten, and existing clips are not added again.
Labels that are not given are suggested from the motion, as by `vivant repertoire suggest`. New stances
are added and joined to the others by blends, until you add transition clips. Finally the character is
checked; the exit status is that of the check.
With --json: {\"character\", \"repertoire\", \"written\", \"added\", \"skipped\", \"notes\", \"warnings\",
\"check\"}.")]
pub(crate) struct Add {
    /// Files or folders: VRMA, BVH, FBX, GLB or glTF, or `builtin`
    #[arg(required = true, value_name = "CLIPS")]
    pub(crate) clips: Vec<PathBuf>,
    /// The character's folder
    #[arg(long, value_name = "DIR")]
    pub(crate) character: PathBuf,
    /// The type of the clips
    #[arg(long = "as", value_name = "TYPE")]
    pub(crate) kind: Option<TypeArg>,
    /// The stance in which the clips start
    #[arg(long, value_name = "S")]
    pub(crate) stance: Option<String>,
    /// The stance in which the clips end, for transitions
    #[arg(long, value_name = "S")]
    pub(crate) to: Option<String>,
    /// The hand that makes the gesture or fidget
    #[arg(long, value_name = "L|R|LR")]
    pub(crate) hand: Option<HandArg>,
    /// The layers to play the clips on: body, arms, head
    #[arg(long, value_name = "LAYERS", value_delimiter = ',', num_args = 1)]
    pub(crate) layers: Vec<LayerArg>,
    /// Tags for the meaning of the clips: positive, negative, beat, deictic, …
    #[arg(long, value_name = "TAGS", value_delimiter = ',', num_args = 1)]
    pub(crate) tags: Vec<String>,
    /// The name in the repertoire; for one clip
    #[arg(long, value_name = "N")]
    pub(crate) name: Option<String>,
    /// Show the changes without writing them
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TypeArg {
    Gesture,
    Fidget,
    Stance,
    Transition,
}

impl From<TypeArg> for Type {
    fn from(kind: TypeArg) -> Self {
        match kind {
            TypeArg::Gesture => Self::Gesture,
            TypeArg::Fidget => Self::Fidget,
            TypeArg::Stance => Self::Stance,
            TypeArg::Transition => Self::Transition,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum HandArg {
    #[value(name = "L", alias = "l", alias = "left")]
    Left,
    #[value(name = "R", alias = "r", alias = "right")]
    Right,
    #[value(name = "LR", alias = "lr", alias = "both")]
    Both,
}

impl From<HandArg> for Hand {
    fn from(hand: HandArg) -> Self {
        match hand {
            HandArg::Left => Self::Left,
            HandArg::Right => Self::Right,
            HandArg::Both => Self::Both,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LayerArg {
    Body,
    Arms,
    Head,
}

impl From<LayerArg> for Layer {
    fn from(layer: LayerArg) -> Self {
        match layer {
            LayerArg::Body => Self::Body,
            LayerArg::Arms => Self::Arms,
            LayerArg::Head => Self::Head,
        }
    }
}
