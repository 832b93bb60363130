//! What can be typed after `vivant repertoire`.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use vivant::body::layers::Layer;
use vivant::body::repertoire::Hand;
use vivant_learn::suggest::Type;

/// Make and mend what a character can do: its stances, gestures, fidgets and transitions
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant repertoire add clips/*.fbx --character eve    a character from a folder of clips
  vivant repertoire check eve                          all that is wrong with it, at once
  vivant repertoire graph eve -o eve.svg               its stances and the ways between them
  vivant repertoire suggest clips/                     what unlabelled clips seem to be

docs/repertoire.md explains the words, and shows all four at work.")]
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

/// Find every fault of a character's repertoire, each with its path in repertoire.json
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant repertoire check eve
  vivant repertoire check builtin
  vivant repertoire check eve --json | jq '.faults[] | select(.level == \"error\")'

What is found: fields that are wrong, clips that are missing, stances that cannot be reached or
left, and clips whose first or last pose does not fit their stance, by how many degrees and at which
bone. The status is 0 if the character can be used, if only with warnings, and 1 if it cannot.
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

A box is a stance, with the numbers of its gestures and fidgets; an arrow is a transition, with its
name, or with how many there are. Dashed arrows are blends without a clip. Stances that cannot be
reached or left are marked.")]
pub(crate) struct Graph {
    /// The character: a folder, or `builtin`
    #[arg(value_name = "CHARACTER")]
    pub(crate) character: PathBuf,
    /// The picture to write: .svg or .png
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

/// Propose what unlabelled clips are, from their motion alone
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant repertoire suggest wave.fbx
  vivant repertoire suggest clips/ --character eve     with the stances that Eve has
  vivant repertoire suggest clips/*.bvh --json | jq '.[] | {file, type: .type.value}'

Proposed are type, stance, end stance, hand, layers, trims and tags. Percentages say how sure that
is; below 50 look yourself. docs/suggest.md says how it is done and how well.
With --json: an array with an object a clip; what cannot be read has the keys file and error.")]
pub(crate) struct Suggest {
    /// Files or folders: VRMA, BVH, FBX, GLB or glTF, or `builtin`
    #[arg(required = true, value_name = "CLIPS")]
    pub(crate) clips: Vec<PathBuf>,
    /// The character whose stances are known already: a folder, or `builtin`
    #[arg(long, value_name = "DIR")]
    pub(crate) character: Option<PathBuf>,
}

/// Add clips to a character, labelled by what their motion suggests or as you say
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant repertoire add clips/*.fbx --character eve             makes the character if there is none
  vivant repertoire add clips/ --character eve --dry-run        shows what would be done
  vivant repertoire add wave.fbx --character eve --as gesture --hand R --tags greeting,positive
  vivant repertoire add sit.fbx --character eve --as transition --stance standing --to sitting

Clip files are copied into DIR/clips; no file is overwritten, and a clip that is there already is
not added again. What a flag does not say is proposed by the motion, as `vivant repertoire suggest`
does. Stances that are not there yet are added, and joined to the others by blends until there are
clips for that. Afterwards the character is checked, and the status is that of the check.
With --json: {\"character\", \"repertoire\", \"written\", \"added\", \"skipped\", \"notes\", \"warnings\",
\"check\"}.")]
pub(crate) struct Add {
    /// Files or folders: VRMA, BVH, FBX, GLB or glTF, or `builtin`
    #[arg(required = true, value_name = "CLIPS")]
    pub(crate) clips: Vec<PathBuf>,
    /// The character's folder
    #[arg(long, value_name = "DIR")]
    pub(crate) character: PathBuf,
    /// What they are
    #[arg(long = "as", value_name = "TYPE")]
    pub(crate) kind: Option<TypeArg>,
    /// The stance in which they start
    #[arg(long, value_name = "S")]
    pub(crate) stance: Option<String>,
    /// The stance in which they end, if they are transitions
    #[arg(long, value_name = "S")]
    pub(crate) to: Option<String>,
    /// The hand that does it
    #[arg(long, value_name = "L|R|LR")]
    pub(crate) hand: Option<HandArg>,
    /// The layers to play them on: body, arms, head
    #[arg(long, value_name = "LAYERS", value_delimiter = ',', num_args = 1)]
    pub(crate) layers: Vec<LayerArg>,
    /// What they mean: positive, negative, beat, deictic, …
    #[arg(long, value_name = "TAGS", value_delimiter = ',', num_args = 1)]
    pub(crate) tags: Vec<String>,
    /// What agents call it; for one clip
    #[arg(long, value_name = "N")]
    pub(crate) name: Option<String>,
    /// Write nothing, and show what would be written
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
