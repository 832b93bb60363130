//! Extracts blinks from recordings.
//!
//! Call [`gather`] first and pass the cuts of [`Gathered`] to [`learn`](super::learn). Blinks are found by the same
//! rules as in `vivant blinks`, then smoothed and cut out. Blinks with gaps, too few samples or without reopening would
//! distort the components, so they are left out; [`LeftOut`] counts them by reason. Recordings without apertures are
//! errors, and so are electro-oculograms, which do not show how far the eyes close.

use super::{Cut, CutError};
use crate::blinks::Kind;
use crate::blinks::recorded::{Labelled, Settings, label_recording};
use crate::recording::{Eye, Recording, ResampleOptions, Unit};
use serde::Serialize;
use vivant_io::{Error, Result};

/// The eyes whose blinks are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Eyes {
    /// Both eyes as one: “we assumed that the motion of both eyes was identical” (paper 3, 3.3.1).
    #[default]
    Both,
    /// Each eye: two cuts per blink, in one group.
    Each,
    /// The left eye.
    Left,
    /// The right eye.
    Right,
}

/// Selection of blinks to learn from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlinkSelection {
    /// The eyes.
    pub eyes: Eyes,
    /// True to include blinks that do not close the eye.
    pub partial: bool,
}

/// Extracted blinks and their sources.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    /// The blinks.
    pub cuts: Vec<Cut>,
    /// Number of blinks of each recording.
    pub found: Vec<GatheredBlinks>,
    /// Number of blinks that were left out.
    pub left_out: LeftOut,
    /// Notes for the user about how blinks were found.
    pub notes: Vec<String>,
}

/// Blinks of one recording.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GatheredBlinks {
    /// Name of the recording.
    pub name: String,
    /// Sampling rate in hertz.
    pub rate_hz: f64,
    /// Number of labelled events of all kinds.
    pub labelled: usize,
    /// Number of cuts.
    pub cuts: usize,
}

/// Number of blinks that were left out, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LeftOut {
    /// Squints and long closures, and partial blinks if they are not included.
    pub other_kinds: usize,
    /// Blinks with unknown samples.
    pub gaps: usize,
    /// Blinks with too few samples.
    pub slow: usize,
    /// Blinks without a lowest point between open ends.
    pub flat: usize,
}

/// Longest gap within a blink that is filled. Longer gaps are not filled, because lids do not move linearly.
const MAX_GAP_SECS: f64 = 0.02;
/// Window of the filter: paper 3 has 10 frames at 300 fps (3.3.1).
const WINDOW_SECS: f64 = 10.0 / 300.0;

/// Finds the blinks of recordings and cuts them out.
///
/// # Errors
/// Returns an error if a recording has no lid apertures.
pub fn gather(recordings: &[Recording], which: &BlinkSelection) -> Result<Gathered> {
    let mut gathered = Gathered::default();
    for recording in recordings {
        gathered.add(recording, which).map_err(|error| error.in_file(&recording.name))?;
    }
    Ok(gathered)
}

impl Gathered {
    fn add(&mut self, recording: &Recording, which: &BlinkSelection) -> Result<()> {
        let labelled = labelled(recording, which.eyes)?;
        let sides = sides(recording, which.eyes, &labelled);
        let (before, first_group) = (self.cuts.len(), self.cuts.last().map_or(0, |cut| cut.group + 1));
        for (index, event) in labelled.events.iter().enumerate() {
            if event.kind != Kind::Blink && !(which.partial && event.kind == Kind::Partial) {
                self.left_out.other_kinds += 1;
                continue;
            }
            let times = [event.onset_secs, event.offset_secs];
            for side in &sides {
                self.keep(Cut::of(side, labelled.rate_hz, times, first_group + index));
            }
        }
        self.found.push(GatheredBlinks {
            name: recording.name.clone(),
            rate_hz: labelled.rate_hz,
            labelled: labelled.events.len(),
            cuts: self.cuts.len() - before,
        });
        self.notes.extend(labelled.notes.iter().map(|note| format!("{}: {note}", recording.name)));
        Ok(())
    }

    /// Describes the recordings and the number of blinks.
    #[must_use]
    pub fn origin(&self) -> String {
        const NAMED: usize = 20;
        let mut names: Vec<&str> = self.found.iter().map(|found| found.name.as_str()).collect();
        let more = names.len().saturating_sub(NAMED);
        names.truncate(NAMED);
        let and = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{} blinks of {}{and}", self.cuts.len(), names.join(", "))
    }

    fn keep(&mut self, cut: Result<Cut, CutError>) {
        match cut {
            Ok(cut) => self.cuts.push(cut),
            Err(CutError::Gap) => self.left_out.gaps += 1,
            Err(CutError::Slow) => self.left_out.slow += 1,
            Err(CutError::Flat) => self.left_out.flat += 1,
        }
    }
}

/// Labels the blinks of a recording, as `vivant blinks` does.
fn labelled(recording: &Recording, eyes: Eyes) -> Result<Labelled> {
    match recording.aperture.as_ref().map(|aperture| aperture.unit) {
        None => Err(Error::new(
            "the recording has no lid aperture; to learn blinks, use a recording with an aperture column, or a map that names the column",
        )),
        Some(Some(Unit::Microvolts)) => Err(Error::new(
            "an electro-oculogram shows when eyes blink but not how far they close; use a recording of lids",
        )),
        Some(_) => {
            let eye = match eyes {
                Eyes::Both | Eyes::Each => Eye::Both,
                Eyes::Left => Eye::Left,
                Eyes::Right => Eye::Right,
            };
            label_recording(recording, &Settings { eye, ..Settings::default() })
        }
    }
}

/// Returns the smoothed aperture at the sampling rate of the labels: one signal, or one per eye.
fn sides(recording: &Recording, eyes: Eyes, labelled: &Labelled) -> Vec<Vec<f64>> {
    if eyes != Eyes::Each {
        return vec![smoothed(&labelled.openness, labelled.rate_hz)];
    }
    let even = |eye| {
        let options = ResampleOptions { eye, max_gap_secs: MAX_GAP_SECS, rate_hz: Some(labelled.rate_hz) };
        recording
            .resample(&options)
            .openness
            .filter(|openness| openness.iter().any(|value| value.is_finite()))
    };
    let sides = [Eye::Left, Eye::Right].into_iter().filter_map(even);
    sides.map(|openness| smoothed(&openness, labelled.rate_hz)).collect()
}

/// Returns the centred mean, which has no phase shift. The result is unknown if any sample in the window is unknown.
///
/// DIFFERENCE: paper 3's window of 10 frames has no centre. Our window has the next smaller odd number of samples, at
/// any sampling rate.
fn smoothed(openness: &[f64], rate_hz: f64) -> Vec<f64> {
    let half = (((WINDOW_SECS * rate_hz + 1e-9) as usize).max(1) - 1) / 2;
    let mean = |index: usize| {
        let reach = half.min(index).min(openness.len() - 1 - index);
        let window = &openness[index - reach..=index + reach];
        window.iter().sum::<f64>() / window.len() as f64
    };
    (0..openness.len()).map(mean).collect()
}
