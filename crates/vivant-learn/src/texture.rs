//! Recordings of eyes to a texture of glances and blinks (paper 5).
//!
//! Lids and gaze are brought onto one rate, outliers are left out, short gaps are filled from their
//! neighbours, and what lies between longer ones becomes runs without gaps. How long patches are is decided
//! by the paper's statistic of the times from one large movement to the next.

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

/// The most frames a second, unless more are asked for: that of paper 5's markers.
const MOST_HZ: f64 = 120.0;
/// The boundary is a fifth of the patch (paper 5, “Patch size selection”).
const BOUNDARY_SHARE: f64 = 0.2;
/// A run has to be as long as this many patches: with fewer, it is all joins.
const LEAST_PATCHES: f64 = 2.0;

/// The recordings of one mood.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// What the corpus is called.
    pub name: String,
    /// Its recordings.
    pub recordings: Vec<Recording>,
}

/// How a texture is learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Frames a second; by default the lowest rate of the recordings, and at most 120.
    pub rate_hz: Option<f64>,
    /// How long a patch is, in seconds; by default as the statistic says.
    pub patch_secs: Option<f64>,
    /// How well a patch has to fit; by default as well as the recordings fit themselves a moment later.
    pub epsilon: Option<f64>,
    /// What is missing for longer ends a run.
    pub max_gap_secs: f64,
    /// Where shut eyes look is not seen: for so long, the gaze is held.
    pub max_shut_secs: f64,
    /// A texture to which the corpora are added; its rate and sizes are kept.
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

/// Where the signal of the lids comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LidSource {
    /// The lids were recorded.
    Aperture,
    /// The device only told when there were blinks; they have the shape of the engine's.
    Events,
    /// The device told nothing: the eyes stay open.
    None,
}

/// What became of a recording.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Used {
    /// The recording.
    pub name: String,
    /// The corpus that it went into.
    pub corpus: String,
    /// Where the signal of the lids comes from.
    pub lids: LidSource,
    /// How long the recording is, and how much of it was used.
    pub secs: f64,
    /// How much of it is in runs.
    pub used_secs: f64,
    /// How many runs it became.
    pub runs: usize,
    /// How many blinks there are in them.
    pub blinks: usize,
    /// The share of frames that were filled in from their neighbours.
    pub filled: f64,
    /// How many samples were outliers.
    pub outliers: usize,
}

/// What was learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// The texture.
    pub texture: TextureDef,
    /// How long patches should be.
    pub patch_size: PatchSize,
    /// What became of each recording.
    pub used: Vec<Used>,
    /// What was left out, or guessed.
    pub warnings: Vec<Warning>,
}

/// Learns a texture of one or several corpora.
///
/// # Errors
/// If a recording has no gaze, if too little is left of them all, or if the texture cannot be used.
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
        return Err(Error::new(format!("{} corpora; give at most {MAX_CORPORA}", texture.corpora.len())));
    }
    texture.check()?;
    Ok(Learned { texture, patch_size, used, warnings })
}

fn rate_hz(materials: &[Material], options: &Options) -> Result<f64> {
    if let Some(rate_hz) = options.onto.as_ref().map(|texture| texture.rate_hz).or(options.rate_hz) {
        return Ok(rate_hz);
    }
    let rates = materials.iter().flat_map(|material| &material.recordings).map(signal::usual_rate_hz);
    let lowest = rates.fold(MOST_HZ, f64::min);
    if lowest < 10.0 {
        return Err(Error::new(format!(
            "{lowest:.1} samples a second are too few for eyes; 10 are the least"
        )));
    }
    Ok(lowest.round())
}

/// A texture without corpora.
fn sized(rate_hz: f64, found: &PatchSize, options: &Options, warnings: &mut Vec<Warning>) -> TextureDef {
    if let Some(texture) = &options.onto {
        return texture.clone();
    }
    if options.patch_secs.is_none() && !found.is_enough() {
        let message = format!(
            "only {} large movements follow another, too few to tell how long a patch should be; {:.2} s are \
             taken, as in paper 5",
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
    let least = (LEAST_PATCHES * texture.patch_secs * texture.rate_hz).ceil() as usize;
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
            "corpus “{}”: no recording has {secs:.1} s without a gap; give longer recordings, or make the patch shorter",
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
