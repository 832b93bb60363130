//! Arguments of `vivant label`.

use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Label the eyes in a few frames of a video, so that `vivant track` can find them in all frames
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant label me.mp4                             open the label view in your browser; writes me.labels.json
  vivant label me.mp4 -o labels/me.json
  vivant label me.mp4 --import faces/*.pts        start with 68 points per face, labelled in another program
  vivant label me.mp4 --import faces.xml          the same from dlib's imglab
  vivant label --synthetic                        practise with a generated film
  vivant track me.mp4 --labels me.labels.json -o track.csv    next step: track the whole film

About twenty frames are enough. The label view suggests the frames that differ most, proposes positions for the
points, and saves every change at once. See docs/guides/label.md.")]
pub(crate) struct Label {
    /// The video: a file that ffmpeg can read, a .y4m file, or a folder of images
    #[arg(value_name = "VIDEO", required_unless_present = "synthetic", conflicts_with = "synthetic")]
    pub(crate) film: Option<PathBuf>,
    /// The file for the labels; by default NAME.labels.json next to the video
    #[arg(short, long, value_name = "FILE.json")]
    pub(crate) output: Option<PathBuf>,
    /// Labels of another program: 68 points per face as .pts, or dlib's .xml. The number in an image's name is the
    /// number of the frame. Frames that already have labels keep them
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) import: Vec<PathBuf>,
    /// Use a generated video whose points are known, for practice
    #[arg(long)]
    pub(crate) synthetic: bool,
    /// Random seed: the same seed gives the same video
    #[arg(long, value_name = "S", default_value_t = 1, requires = "synthetic")]
    pub(crate) seed: u64,
    /// Address to listen on. An address that other computers can reach needs a --token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7878")]
    pub(crate) listen: SocketAddr,
    /// Access token: only clients that send it may connect
    #[arg(long, value_name = "T", value_parser = super::token)]
    pub(crate) token: Option<String>,
    /// Don't open the page in the browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Print the page's address as JSON: {"listening": "http://…", "labels": "…"}
    #[arg(long)]
    pub(crate) json: bool,
    /// For development of the studio: serve the files of the studio from this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) studio: Option<PathBuf>,
}
