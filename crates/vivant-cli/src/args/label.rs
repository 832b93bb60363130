//! What can be typed after `vivant label`.

use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Label the eyes in some frames of a film, from which the tracker learns to find them in all others
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant label me.mp4                             the label view, in your browser; labels go to me.labels.json
  vivant label me.mp4 -o labels/me.json
  vivant label me.mp4 --import faces/*.pts        begin with 68 points that were labelled elsewhere
  vivant label me.mp4 --import faces.xml          the same from dlib's imglab
  vivant label --synthetic                        a drawn pair of eyes, to learn how it is done
  vivant track me.mp4 --labels me.labels.json -o track.csv    afterwards: the lids of the whole film

About twenty frames are enough. The view suggests those that differ most, proposes where the points are, and
saves every change at once. docs/label.md shows how.")]
pub(crate) struct Label {
    /// The film: what ffmpeg reads, a .y4m, or a folder of images
    #[arg(value_name = "VIDEO", required_unless_present = "synthetic", conflicts_with = "synthetic")]
    pub(crate) film: Option<PathBuf>,
    /// Where the labels are kept; by default beside the film, as NAME.labels.json
    #[arg(short, long, value_name = "FILE.json")]
    pub(crate) output: Option<PathBuf>,
    /// Points that were labelled elsewhere: 68 points as .pts, or dlib's .xml. The number in an image's name is the
    /// frame's; frames that you have labelled keep their points
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) import: Vec<PathBuf>,
    /// A film that is drawn, with eyes whose points are known: for a first try
    #[arg(long)]
    pub(crate) synthetic: bool,
    /// Chance: the same seed draws the same film
    #[arg(long, value_name = "S", default_value_t = 1, requires = "synthetic")]
    pub(crate) seed: u64,
    /// Where to listen. An address that other computers reach needs a --token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7878")]
    pub(crate) listen: SocketAddr,
    /// Only who knows this word may connect
    #[arg(long, value_name = "T", value_parser = super::token)]
    pub(crate) token: Option<String>,
    /// Don't open the page in the browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Print the page's address as JSON: {"listening": "http://…", "labels": "…"}
    #[arg(long)]
    pub(crate) json: bool,
    /// For who works on the studio: serve its files from this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) studio: Option<PathBuf>,
}
