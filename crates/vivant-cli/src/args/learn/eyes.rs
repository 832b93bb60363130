//! What can be typed after `vivant learn eyes`.

use crate::args::recordings::RecordingArgs;
use crate::args::within;
use clap::Args;
use std::path::PathBuf;

/// Someone's glances and blinks, from recordings of eyes: a texture that is sewn together anew without end
/// (paper 5)
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant learn eyes me.csv -o eyes.texture
  vivant learn eyes monday.tsv tuesday.tsv -o eyes.texture --plot patch.svg
  vivant learn eyes --corpus calm=a.csv,b.csv --corpus nervous=c.csv -o eyes.texture
  vivant learn eyes d.csv --corpus tired -o eyes.texture --append
  vivant trace eyes --texture eyes.texture --seconds 60 --plot eyes.png

Recordings need the gaze, and how open the eyes are or when they blink. A patch is as long as the knee of
the distribution of times from one large movement to the next (--plot draws it, as Figure 7), and overlaps
with the last one for a fifth of that. Corpora are moods: who uses the texture chooses among them.")]
pub(crate) struct LearnEyes {
    /// The recordings of one corpus
    #[arg(required_unless_present = "corpus", value_name = "RECORDING")]
    pub(crate) files: Vec<PathBuf>,
    /// What the corpus is called, or another corpus with its recordings
    #[arg(long, value_name = "NAME[=FILE,…]", value_parser = corpus)]
    pub(crate) corpus: Vec<CorpusArg>,
    /// The texture to write
    #[arg(short, long, value_name = "FILE.texture")]
    pub(crate) output: Option<PathBuf>,
    /// Add to the texture that is there already, with its rate and patches
    #[arg(long, requires = "output", conflicts_with_all = ["patch", "frames"])]
    pub(crate) append: bool,
    /// How long a patch is; by default as the recordings say
    #[arg(long, value_name = "SECONDS", value_parser = patch)]
    pub(crate) patch: Option<f64>,
    /// How well a patch has to fit, as a share (paper 5: 0.2); by default as well as the recordings fit
    /// themselves a moment later
    #[arg(long, value_name = "SHARE", value_parser = epsilon)]
    pub(crate) epsilon: Option<f64>,
    /// Frames a second of the texture; by default the recordings' own, and at most 120
    #[arg(long, value_name = "HZ", value_parser = frames)]
    pub(crate) frames: Option<f64>,
    #[command(flatten)]
    pub(crate) reading: RecordingArgs,
    /// The picture of the statistic to draw: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
}

/// A corpus: its name, and its recordings if they are named with it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CorpusArg {
    pub(crate) name: String,
    pub(crate) files: Vec<PathBuf>,
}

fn corpus(text: &str) -> Result<CorpusArg, String> {
    let (name, files) = text.split_once('=').unwrap_or((text, ""));
    let files: Vec<PathBuf> = files.split(',').filter(|file| !file.is_empty()).map(PathBuf::from).collect();
    if name.trim().is_empty() || (files.is_empty() && text.contains('=')) {
        return Err("give a name, or a name and its recordings as in calm=a.csv,b.csv".into());
    }
    Ok(CorpusArg { name: name.trim().to_owned(), files })
}

fn patch(text: &str) -> Result<f64, String> {
    within(text, 0.05, 10.0, "seconds")
}

fn epsilon(text: &str) -> Result<f64, String> {
    within(text, 0.0, 10.0, "")
}

fn frames(text: &str) -> Result<f64, String> {
    within(text, 10.0, 1000.0, "frames a second")
}
