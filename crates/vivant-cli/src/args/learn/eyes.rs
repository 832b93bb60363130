//! Arguments of `vivant learn eyes`.

use crate::args::recordings::RecordingArgs;
use crate::args::within;
use clap::Args;
use std::path::PathBuf;

/// Learn an eye texture from recordings, to synthesize endless new glances and blinks of the same person (Deng 2005)
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant learn eyes me.csv -o eyes.texture
  vivant learn eyes monday.tsv tuesday.tsv -o eyes.texture --plot patch.svg
  vivant learn eyes --corpus calm=a.csv,b.csv --corpus nervous=c.csv -o eyes.texture
  vivant learn eyes d.csv --corpus tired -o eyes.texture --append
  vivant trace eyes --texture eyes.texture --seconds 60 --plot eyes.png

Recordings need the gaze, and either eye openness or blinks. The length of a patch is the knee of the distribution
of intervals between large movements (--plot draws it as in Figure 7); patches overlap by a fifth of their length.
Corpora are moods: users of the texture choose among them.")]
pub(crate) struct LearnEyes {
    /// The eye recordings of one corpus
    #[arg(required_unless_present = "corpus", value_name = "RECORDING")]
    pub(crate) files: Vec<PathBuf>,
    /// The name of the corpus of RECORDING, or another corpus with its recordings; may be given several times
    #[arg(long, value_name = "NAME[=FILE,…]", value_parser = corpus)]
    pub(crate) corpus: Vec<CorpusArg>,
    /// The texture to write
    #[arg(short, long, value_name = "FILE.texture")]
    pub(crate) output: Option<PathBuf>,
    /// Add to the existing texture, with its frame rate and patch length
    #[arg(long, requires = "output", conflicts_with_all = ["patch", "frames"])]
    pub(crate) append: bool,
    /// Length of a patch in seconds; by default measured in the recordings
    #[arg(long, value_name = "SECONDS", value_parser = patch)]
    pub(crate) patch: Option<f64>,
    /// Maximum difference between joined patches (Deng 2005: 0.2); by default the typical difference between parts of
    /// the recordings that are one video frame apart
    #[arg(long, value_name = "SHARE", value_parser = epsilon)]
    pub(crate) epsilon: Option<f64>,
    /// Frames per second of the texture; by default those of the recordings, at most 120
    #[arg(long, value_name = "HZ", value_parser = frames)]
    pub(crate) frames: Option<f64>,
    #[command(flatten)]
    pub(crate) reading: RecordingArgs,
    /// The plot of the intervals to write: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
}

/// A corpus: its name, and its recordings if given.
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
    within(text, 10.0, 1000.0, "frames per second")
}
