//! From recordings to the blinks in them.

use super::{Cut, Unfit};
use crate::blinks::Kind;
use crate::blinks::recorded::{Labelled, Settings, label_recording};
use crate::recording::{EvenOptions, Eye, Recording, Unit};
use serde::Serialize;
use vivant_io::{Error, Result};

/// Whose blinks are learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Eyes {
    /// Of both eyes as one: “we assumed that the motion of both eyes was identical” (paper 3, 3.3.1).
    #[default]
    Both,
    /// Of each eye: two cuts a blink, of one group.
    Each,
    /// Of one eye.
    Left,
    /// Of the other.
    Right,
}

/// Which blinks are learned from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Which {
    /// Of which eyes.
    pub eyes: Eyes,
    /// Also those that do not close the eye.
    pub partial: bool,
}

/// Blinks, cut out, and where they were.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    /// The blinks.
    pub cuts: Vec<Cut>,
    /// How many each recording had.
    pub found: Vec<GatheredBlinks>,
    /// What was left out.
    pub left_out: LeftOut,
    /// What people should know of how blinks were found.
    pub notes: Vec<String>,
}

/// What one recording gave.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GatheredBlinks {
    /// The recording.
    pub name: String,
    /// Samples a second.
    pub rate_hz: f64,
    /// How many blinks were labelled, of all kinds.
    pub labelled: usize,
    /// How many cuts were made of them.
    pub cuts: usize,
}

/// How many were left out, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LeftOut {
    /// Squints, long closures, and partial blinks if they are not wanted.
    pub other_kinds: usize,
    /// Something in them is not known.
    pub gaps: usize,
    /// They have too few samples.
    pub slow: usize,
    /// They have no lowest point between open ends.
    pub flat: usize,
}

/// Longer gaps within a blink are not bridged: a straight line is no lid.
const MAX_GAP_SECS: f64 = 0.02;
/// The filter's window: paper 3 has 10 frames at 300 fps (3.3.1).
const WINDOW_SECS: f64 = 10.0 / 300.0;

/// Finds the blinks of recordings, and cuts them out.
///
/// # Errors
/// If a recording does not say how open the eyes are.
pub fn gather(recordings: &[Recording], which: &Which) -> Result<Gathered> {
    let mut gathered = Gathered::default();
    for recording in recordings {
        gathered.add(recording, which).map_err(|error| error.in_file(&recording.name))?;
    }
    Ok(gathered)
}

impl Gathered {
    fn add(&mut self, recording: &Recording, which: &Which) -> Result<()> {
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

    /// Which recordings, and how many blinks of them.
    #[must_use]
    pub fn origin(&self) -> String {
        const NAMED: usize = 20;
        let mut names: Vec<&str> = self.found.iter().map(|found| found.name.as_str()).collect();
        let more = names.len().saturating_sub(NAMED);
        names.truncate(NAMED);
        let and = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{} blinks of {}{and}", self.cuts.len(), names.join(", "))
    }

    fn keep(&mut self, cut: Result<Cut, Unfit>) {
        match cut {
            Ok(cut) => self.cuts.push(cut),
            Err(Unfit::Gap) => self.left_out.gaps += 1,
            Err(Unfit::Slow) => self.left_out.slow += 1,
            Err(Unfit::Flat) => self.left_out.flat += 1,
        }
    }
}

/// What blinked, as `vivant blinks` has it.
fn labelled(recording: &Recording, eyes: Eyes) -> Result<Labelled> {
    match recording.aperture.as_ref().map(|aperture| aperture.unit) {
        None => Err(Error::new("does not say how open the eyes are; blinks are learned from lids")),
        Some(Some(Unit::Microvolts)) => Err(Error::new(
            "an electro-oculogram says when eyes blink, not how far they close; give a recording of lids",
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

/// How open the eyes are, smoothed, at the rate of the labels: one signal, or one an eye.
fn sides(recording: &Recording, eyes: Eyes, labelled: &Labelled) -> Vec<Vec<f64>> {
    if eyes != Eyes::Each {
        return vec![smoothed(&labelled.openness, labelled.rate_hz)];
    }
    let even = |eye| {
        let options = EvenOptions { eye, max_gap_secs: MAX_GAP_SECS, rate_hz: Some(labelled.rate_hz) };
        recording.even(&options).openness.filter(|openness| openness.iter().any(|value| value.is_finite()))
    };
    let sides = [Eye::Left, Eye::Right].into_iter().filter_map(even);
    sides.map(|openness| smoothed(&openness, labelled.rate_hz)).collect()
}

/// The mean around each sample, which shifts nothing; unknown where anything in the window is.
///
/// DIFFERENCE: paper 3's window of 10 frames has no middle; ours has the odd number of samples below, at any rate.
fn smoothed(openness: &[f64], rate_hz: f64) -> Vec<f64> {
    let half = (((WINDOW_SECS * rate_hz + 1e-9) as usize).max(1) - 1) / 2;
    let mean = |index: usize| {
        let reach = half.min(index).min(openness.len() - 1 - index);
        let window = &openness[index - reach..=index + reach];
        window.iter().sum::<f64>() / window.len() as f64
    };
    (0..openness.len()).map(mean).collect()
}
