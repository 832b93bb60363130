//! Options of all commands that read eye recordings.

use clap::Args;
use std::path::PathBuf;

/// Properties that the files do not contain.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct RecordingArgs {
    /// The device, if it is not recognised: htc-vive-pro, tobii-fusion, tobii-glasses-3, pico, neon,
    /// pupil-invisible, eyelink, irf, jefapato, eog, live-link-face, vivant-trace,
    /// vivant-curves, vivant-track or markers
    #[arg(long, value_name = "NAME", display_order = 90)]
    pub(crate) device: Option<String>,
    /// A map of the columns, for files of other devices; see docs/reference/recordings.md
    #[arg(long, value_name = "MAP.toml", display_order = 91)]
    pub(crate) map: Option<PathBuf>,
    /// Samples per second, if the file has no time stamps
    #[arg(long, visible_alias = "fps", value_name = "HZ", display_order = 92)]
    pub(crate) rate: Option<f64>,
}
