//! Reports of a learned eye texture as JSON and text.

use super::{Learned, LidSource, Used};
use serde::Serialize;
use vivant::eyes::texture::TextureDef;
use vivant_io::Warning;

/// The report for JSON; the keys are stable.
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
    /// Share of intervals that are not longer than a patch.
    covered: f64,
    /// Knee of the distribution of intervals.
    knee_secs: f64,
    /// Number of intervals.
    intervals: usize,
    corpora: Vec<CorpusSummary<'a>>,
    recordings: &'a [Used],
    warnings: &'a [Warning],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CorpusSummary<'a> {
    name: &'a str,
    seconds: f64,
    runs: usize,
    blinks: usize,
    open_level: f64,
    open_per_deg: f64,
}

fn corpus_summaries(texture: &TextureDef) -> Vec<CorpusSummary<'_>> {
    let corpora = texture.corpora.iter().map(|corpus| {
        let frames: usize = corpus.runs.iter().map(|run| run.openness.len()).sum();
        CorpusSummary {
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
    /// Creates the report; `written` is the path of the texture file, if it was saved.
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
            corpora: corpus_summaries(texture),
            recordings: &learned.used,
            warnings: &learned.warnings,
        }
    }
}

impl Learned {
    /// Returns the report as lines of text.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let (texture, found) = (&self.texture, &self.patch_size);
        let mut lines = Vec::new();
        for used in &self.used {
            let lids = match used.lids {
                LidSource::Aperture => "",
                LidSource::Events => ", from the device's own blinks",
                LidSource::None => ", lids not recorded",
            };
            let Used { name, used_secs, secs, runs, blinks, filled, .. } = used;
            lines.push(format!(
            "  {name}: {used_secs:.1} of {secs:.1} s in {runs} runs, {blinks} blinks{lids}; {:.1} % interpolated",
            100.0 * filled
        ));
        }
        for CorpusSummary { name, seconds, blinks, open_level, open_per_deg, .. } in corpus_summaries(texture)
        {
            lines.push(format!(
            "  corpus “{name}”: {seconds:.1} s, {blinks} blinks; open level {open_level:.2}, lid following \
             {open_per_deg:.3} per degree up"
        ));
        }
        let [patch, boundary] = texture.frames();
        lines.push(format!(
        "  patch length {:.2} s ({patch} frames at {} Hz), boundary {boundary} frames: covers {:.2} % of {} \
         intervals between large movements; knee at {:.2} s",
        texture.patch_secs,
        texture.rate_hz,
        100.0 * found.covered_at(texture.patch_secs),
        found.intervals_secs.len(),
        found.knee_secs
    ));
        lines.push(format!("  matching tolerance (ε): {}", texture.tolerance.epsilon));
        lines
    }
}
