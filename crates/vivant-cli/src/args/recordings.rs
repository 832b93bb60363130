//! How recordings of eyes are read, for all commands that read them.

use clap::Args;
use std::path::PathBuf;

/// What the files do not say.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct RecordingArgs {
    /// The kind of device, if it is not found: htc-vive-pro, tobii-fusion, tobii-glasses-3, pico, neon,
    /// pupil-invisible, eyelink, irf, jefapato, eog, live-link-face, vivant-trace,
    /// vivant-curves, vivant-track or markers
    #[arg(long, value_name = "NAME", display_order = 90)]
    pub(crate) device: Option<String>,
    /// Which column is what, for other files; docs/recordings.md shows how
    #[arg(long, value_name = "MAP.toml", display_order = 91)]
    pub(crate) map: Option<PathBuf>,
    /// Samples a second, where the file has no time stamps
    #[arg(long, visible_alias = "fps", value_name = "HZ", display_order = 92)]
    pub(crate) rate: Option<f64>,
}
