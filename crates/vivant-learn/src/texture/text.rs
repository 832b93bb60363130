//! What was learned, as JSON and as text.

use super::{Learned, LidSource, Used};
use serde::Serialize;
use vivant::eyes::texture::TextureDef;
use vivant_io::Warning;

/// What was learned, to be written as JSON; the keys are stable.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<String>,
    origin: &'a str,
    rate_hz: f64,
    patch_secs: f64,
    boundary_secs: f64,
    epsilon: f64,
    /// The share of intervals that a patch covers, where the distribution bends, and how many intervals there are.
    covered: f64,
    knee_secs: f64,
    intervals: usize,
    corpora: Vec<About<'a>>,
    recordings: &'a [Used],
    warnings: &'a [Warning],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct About<'a> {
    name: &'a str,
    seconds: f64,
    runs: usize,
    blinks: usize,
    open_level: f64,
    open_per_deg: f64,
}

fn about(texture: &TextureDef) -> Vec<About<'_>> {
    let corpora = texture.corpora.iter().map(|corpus| {
        let frames: usize = corpus.runs.iter().map(|run| run.openness.len()).sum();
        About {
            name: &corpus.name,
            seconds: frames as f64 / texture.rate_hz,
            runs: corpus.runs.len(),
            blinks: corpus.runs.iter().map(|run| run.blinks.len()).sum(),
            open_level: corpus.open_level,
            open_per_deg: corpus.open_per_deg,
        }
    });
    corpora.collect()
}

impl<'a> Report<'a> {
    /// The report of what was learned, and the file it was written to.
    #[must_use]
    pub fn of(learned: &'a Learned, written: Option<String>) -> Self {
        let (texture, found) = (&learned.texture, &learned.patch_size);
        Self {
            written,
            origin: &texture.origin,
            rate_hz: texture.rate_hz,
            patch_secs: texture.patch_secs,
            boundary_secs: texture.boundary_secs,
            epsilon: texture.tolerance.epsilon,
            covered: found.covered_at(texture.patch_secs),
            knee_secs: found.knee_secs,
            intervals: found.intervals_secs.len(),
            corpora: about(texture),
            recordings: &learned.used,
            warnings: &learned.warnings,
        }
    }
}

impl Learned {
    /// Returns what was learned as lines of text.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let (texture, found) = (&self.texture, &self.patch_size);
        let mut lines = Vec::new();
        for used in &self.used {
            let lids = match used.lids {
                LidSource::Aperture => "",
                LidSource::Events => ", from the device's own events",
                LidSource::None => ", as lids were not recorded",
            };
            let Used { name, used_secs, secs, runs, blinks, filled, .. } = used;
            lines.push(format!(
            "  {name}: {used_secs:.1} of {secs:.1} s in {runs} runs, {blinks} blinks{lids}; {:.1} % filled in",
            100.0 * filled
        ));
        }
        for About { name, seconds, blinks, open_level, open_per_deg, .. } in about(texture) {
            lines.push(format!(
            "  corpus “{name}”: {seconds:.1} s, {blinks} blinks; open eyes are open by {open_level:.2}, and by \
             {open_per_deg:.3} more for each degree up"
        ));
        }
        let [patch, boundary] = texture.frames();
        lines.push(format!(
        "  a patch is {:.2} s, {patch} frames at {} Hz, with a boundary of {boundary}: it covers {:.2} % of {} \
         intervals between large movements, and the curve bends at {:.2} s",
        texture.patch_secs,
        texture.rate_hz,
        100.0 * found.covered_at(texture.patch_secs),
        found.intervals_secs.len(),
        found.knee_secs
    ));
        lines.push(format!("  what fits differs by at most {} of what it is (ε)", texture.tolerance.epsilon));
        lines
    }
}
