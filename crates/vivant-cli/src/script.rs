//! Scripts: intents as JSON Lines.

use crate::fault::{Fault, Result};
use crate::files;
use std::path::Path;
use vivant::intent::Intent;
use vivant_io::json::intents;

/// Intents sorted by time, each with its line number.
#[derive(Debug, Default)]
pub(crate) struct Script {
    name: String,
    lines: Vec<(usize, Intent)>,
}

impl Script {
    /// Reads a script. Without a path the script is empty.
    pub(crate) fn load(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else { return Ok(Self::default()) };
        let name = path.display().to_string();
        let mut lines = intents::lines(&files::read(path)?).map_err(|error| error.in_file(&name))?;
        let at = |intent: &Intent| intent.at().unwrap_or(0.0);
        lines.sort_by(|(_, a), (_, b)| at(a).total_cmp(&at(b)));
        Ok(Self { name, lines })
    }

    /// Calls `intend` with each intent and its line number. The errors of all calls are returned together, with their
    /// lines.
    pub(crate) fn ask(&self, mut intend: impl FnMut(usize, &Intent) -> vivant::Result<()>) -> Result<()> {
        let faults: Vec<Fault> = self
            .lines
            .iter()
            .filter_map(|(line, intent)| Some((line, intend(*line, intent).err()?)))
            .map(|(line, error)| Fault::new(format!("{}: line {line}: {error}", self.name)))
            .collect();
        if faults.is_empty() { Ok(()) } else { Err(crate::fault::all(faults)) }
    }

    /// Returns the time of the last intent in seconds.
    pub(crate) fn last_at(&self) -> f64 {
        self.lines.iter().filter_map(|(_, intent)| intent.at()).fold(0.0, f64::max)
    }
}
