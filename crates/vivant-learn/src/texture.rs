//! Learns an eye texture from recordings (paper 5): gaze and blinks for texture synthesis.
//!
//! Lids and gaze are resampled to one rate, outliers are removed, and short gaps are filled from their neighbours.
//! Longer gaps split the recording into runs. The patch size follows from the paper's statistic of the intervals
//! between large movements.

mod lids;
mod patch_size;
mod signal;
#[cfg(test)]
mod tests;
mod text;
mod tolerance;

pub use patch_size::{PatchSize, VIDEO_HZ};
pub use text::Report;

use crate::recording::Recording;
use serde::Serialize;
use signal::Signal;
use vivant::eyes::texture::{Corpus, MAX_CORPORA, Run, TextureDef};
use vivant_io::{Error, Result, Warning, WarningCode};

/// Default maximum of the sampling rate in hertz: the rate of the motion capture in paper 5.
const MAX_HZ: f64 = 120.0;
/// Length of the boundary as a share of the patch (paper 5, “Patch size selection”).
const BOUNDARY_SHARE: f64 = 0.2;
/// Minimum length of a run in patches; shorter runs would consist of joins only.
const MIN_PATCHES: f64 = 2.0;

/// Recordings of one mood.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name of the corpus.
    pub name: String,
    /// The recordings.
    pub recordings: Vec<Recording>,
}

/// Options for learning.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Sampling rate in hertz; by default the lowest rate of the recordings, at most 120 Hz.
    pub rate_hz: Option<f64>,
    /// Patch length in seconds; by default computed from the recordings ([`PatchSize`]).
    pub patch_secs: Option<f64>,
    /// Matching tolerance of a patch. The default is the typical relative difference between a recording and the same
    /// recording one video frame later.
    pub epsilon: Option<f64>,
    /// Longest gap that is filled, in seconds. Longer gaps end a run.
    pub max_gap_secs: f64,
    /// Longest gap in the gaze that is filled while the eyes are closed, in seconds. The gaze is held and jumps in
    /// the middle of the gap.
    pub max_shut_secs: f64,
    /// An existing texture to extend; its sampling rate and its patch and boundary lengths are kept.
    pub onto: Option<TextureDef>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            rate_hz: None,
            patch_secs: None,
            epsilon: None,
            max_gap_secs: 0.1,
            max_shut_secs: 3.0,
            onto: None,
        }
    }
}

/// Source of the lid signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LidSource {
    /// Recorded lids.
    Aperture,
    /// Blinks reported by the device, with the shape of the engine's blinks.
    Events,
    /// No information: the eyes stay open.
    None,
}

/// Statistics about a recording that was used.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Used {
    /// Name of the recording.
    pub name: String,
    /// Name of its corpus.
    pub corpus: String,
    /// Source of the lid signal.
    pub lids: LidSource,
    /// Duration of the recording in seconds.
    pub secs: f64,
    /// Total duration of the runs in seconds.
    pub used_secs: f64,
    /// Number of runs.
    pub runs: usize,
    /// Number of blinks in the runs.
    pub blinks: usize,
    /// Share of samples that were filled from their neighbours, from 0 to 1.
    pub filled: f64,
    /// Number of outliers that were removed.
    pub outliers: usize,
}

/// The result of learning.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// The texture.
    pub texture: TextureDef,
    /// The patch size statistic.
    pub patch_size: PatchSize,
    /// Statistics about each recording.
    pub used: Vec<Used>,
    /// Warnings about ignored and guessed data.
    pub warnings: Vec<Warning>,
}

/// Learns a texture from one or several corpora.
///
/// # Errors
/// Returns an error if a recording has no gaze, if too little data are left, or if the texture is invalid.
pub fn learn(materials: &[Material], options: &Options) -> Result<Learned> {
    let mut warnings = Vec::new();
    let rate_hz = rate_hz(materials, options)?;
    let of_corpus = |material: &Material| -> Result<Vec<Signal>> {
        material.recordings.iter().map(|recording| Signal::of(recording, rate_hz, options)).collect()
    };
    let signals = materials.iter().map(of_corpus).collect::<Result<Vec<_>>>()?;
    let patch_size = PatchSize::of(signals.iter().flatten().flat_map(|s| &s.stretches), rate_hz);
    let mut texture = sized(rate_hz, &patch_size, options, &mut warnings);
    let mut used = Vec::new();
    for (material, signals) in materials.iter().zip(&signals) {
        let corpus = corpus(material, signals, &texture, &mut used, &mut warnings)?;
        texture.corpora.push(corpus);
    }
    if options.onto.is_none() {
        let runs: Vec<Run> = texture.corpora.iter().flat_map(|corpus| corpus.runs.iter().cloned()).collect();
        texture.tolerance = tolerance::of_runs(&runs, &texture);
    }
    texture.tolerance.epsilon = options.epsilon.unwrap_or(texture.tolerance.epsilon);
    texture.origin = origin(options.onto.as_ref(), materials);
    if texture.corpora.len() > MAX_CORPORA {
        return Err(Error::new(format!(
            "{} corpora given; at most {MAX_CORPORA} are supported",
            texture.corpora.len()
        )));
    }
    texture.check()?;
    Ok(Learned { texture, patch_size, used, warnings })
}

fn rate_hz(materials: &[Material], options: &Options) -> Result<f64> {
    if let Some(rate_hz) = options.onto.as_ref().map(|texture| texture.rate_hz).or(options.rate_hz) {
        return Ok(rate_hz);
    }
    let rates = materials.iter().flat_map(|material| &material.recordings).map(signal::usual_rate_hz);
    let lowest = rates.fold(MAX_HZ, f64::min);
    if lowest < 10.0 {
        return Err(Error::new(format!(
            "a sampling rate of {lowest:.1} Hz is too low; use recordings with at least 10 Hz"
        )));
    }
    Ok(lowest.round())
}

/// Returns the texture to extend, or a new texture without corpora.
fn sized(rate_hz: f64, found: &PatchSize, options: &Options, warnings: &mut Vec<Warning>) -> TextureDef {
    if let Some(texture) = &options.onto {
        return texture.clone();
    }
    if options.patch_secs.is_none() && !found.is_enough() {
        let message = format!(
            "only {} intervals between large movements, too few to determine the patch length; using {:.2} s \
             as in Deng 2005",
            found.intervals_secs.len(),
            found.patch_secs
        );
        warnings.push(Warning::new(WarningCode::Guessed, "patch size", message));
    }
    let patch_secs = options.patch_secs.unwrap_or(found.patch_secs);
    let whole = |secs: f64| (secs * rate_hz).round().max(1.0) / rate_hz;
    let rounded = |secs: f64| (secs * 1e6).round() / 1e6;
    TextureDef {
        rate_hz,
        patch_secs: rounded(whole(patch_secs)),
        boundary_secs: rounded(whole(BOUNDARY_SHARE * patch_secs)),
        ..TextureDef::default()
    }
}

fn corpus(
    material: &Material,
    signals: &[Signal],
    texture: &TextureDef,
    used: &mut Vec<Used>,
    warnings: &mut Vec<Warning>,
) -> Result<Corpus> {
    let least = (MIN_PATCHES * texture.patch_secs * texture.rate_hz).ceil() as usize;
    let mut corpus = Corpus { name: material.name.clone(), ..Corpus::default() };
    for (recording, signal) in material.recordings.iter().zip(signals) {
        let long = signal.stretches.iter().filter(|stretch| stretch.openness.len() >= least);
        let runs: Vec<Run> = long.map(|stretch| stretch.run(&recording.name, texture.rate_hz)).collect();
        used.push(signal.used(recording, &material.name, &runs, texture.rate_hz));
        signal.warn(recording, used.last(), warnings);
        corpus.runs.extend(runs);
    }
    if corpus.runs.is_empty() {
        let secs = least as f64 / texture.rate_hz;
        return Err(Error::new(format!(
            "corpus “{}”: no recording has {secs:.1} s without a gap; use longer recordings or a shorter patch",
            material.name
        ))
        .with_setting("texture::Options::patch_secs"));
    }
    [corpus.open_level, corpus.open_per_deg] = lids::open_eyes(&corpus.runs);
    Ok(corpus)
}

fn origin(onto: Option<&TextureDef>, materials: &[Material]) -> String {
    let of = |material: &Material| {
        let names: Vec<&str> = material.recordings.iter().map(|recording| recording.name.as_str()).collect();
        format!("{}: {}", material.name, names.join(", "))
    };
    let before = onto.map(|texture| texture.origin.clone());
    before.into_iter().chain(materials.iter().map(of)).collect::<Vec<_>>().join("; ")
}
