//! Traces eye movements synthesised from a recorded eye texture (Deng 2005).
//!
//! Recorded material cannot satisfy every request: there may be no recording in which the gaze stays ahead for long
//! enough. The synthesis then takes the best patches, and the notes and facts of the [`Table`] say which requests were
//! not met. If no recorded blink fits at a requested time, a procedural blink is superimposed. Start with
//! [`TextureEyes::of`], set constraints in its fields, and call [`TextureEyes::table`].

use super::gaze::{COLUMNS, MAX_SECS, MIN_SECS};
use super::{Table, rate_hz, within};
use std::collections::BTreeMap;
use std::sync::Arc;
use vivant::eyes::blink::Blink;
use vivant::eyes::texture::{GazeRegion, MAX_CORPORA, PatchConstraints, Sample, Synthesis, Texture};
use vivant_io::{Error, Result};

/// Maximum angle from straight ahead that counts as ahead, in degrees.
const AHEAD_DEG: f32 = 10.0;
/// Angle beyond which the gaze counts as directed to a side, in degrees.
const SIDE_DEG: f32 = 5.0;
const ANY_DEG: f32 = 180.0;
/// Lid angle that closes the eye, in degrees.
const LID_DEG: f64 = 35.0;
/// Fraction of the normal aperture below which the eye counts as blinking.
const SHUT_SHARE: f64 = 0.5;

/// A side that the gaze avoids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The left side of the person.
    Left,
    /// The right side of the person.
    Right,
    /// Directions above straight ahead.
    Up,
    /// Directions below straight ahead.
    Down,
}

/// Eye movements synthesised from a texture. They have no head movement, and apertures are as recorded.
#[derive(Clone)]
pub struct TextureEyes {
    /// The eye texture.
    pub texture: Arc<Texture>,
    /// Duration in seconds.
    pub seconds: f64,
    /// Random seed.
    pub seed: u64,
    /// Start and end of a time range in which the eyes look straight ahead, in seconds.
    pub look_ahead: Option<[f64; 2]>,
    /// Sides to avoid.
    pub avoid: Vec<Side>,
    /// Times of requested blinks, in seconds.
    pub blink_at: Vec<f64>,
    /// Corpora to use, with their relative weights. If the list is empty, all corpora are used equally.
    pub corpora: Vec<(String, f64)>,
}

impl TextureEyes {
    /// Returns parameters without constraints, for a trace of the given number of seconds.
    #[must_use]
    pub fn of(texture: Arc<Texture>, seconds: f64) -> Self {
        let (avoid, blink_at, corpora) = (Vec::new(), Vec::new(), Vec::new());
        Self { texture, seconds, seed: 1, look_ahead: None, avoid, blink_at, corpora }
    }

    /// Returns the trace with a sampling rate of `rate` hertz; by default, the rate of the texture.
    ///
    /// # Errors
    /// If a number is out of range, or there is no such corpus.
    pub fn table(&self, rate: Option<f64>) -> Result<Table> {
        if let Some(rate) = rate {
            rate_hz(rate)?;
        }
        within("seconds", self.seconds, MIN_SECS, MAX_SECS, "seconds")?;
        for secs in self.look_ahead.iter().flatten() {
            within("look_ahead", *secs, 0.0, MAX_SECS, "seconds")?;
        }
        for secs in &self.blink_at {
            within("blink_at", *secs, 0.0, MAX_SECS, "seconds")?;
        }
        for (_, weight) in &self.corpora {
            within("corpus", *weight, 0.0, 1e6, "as a weight")?;
        }
        table(self, rate)
    }
}

/// The constraints over time.
struct Plan<'a> {
    args: &'a TextureEyes,
    weights: [f64; MAX_CORPORA],
    avoid: Option<GazeRegion>,
    rate_hz: f64,
}

impl Plan<'_> {
    /// Returns the constraints of a patch whose first frame has the number `first`.
    fn constraints(&self, texture: &Texture, first: usize) -> PatchConstraints {
        // The first patch has no overlap.
        let frames = [if first == 0 { 0 } else { texture.boundary_frames() }, texture.patch_frames()];
        let [from, to] = frames.map(|frame| (first + frame) as f64 / self.rate_hz);
        let ahead = self.args.look_ahead.filter(|[begin, end]| *begin < to && from < *end);
        let blink = self.args.blink_at.iter().map(|secs| (secs * self.rate_hz).round() as usize);
        let mut in_patch = blink.filter(|frame| (first + frames[0]..first + frames[1]).contains(frame));
        PatchConstraints {
            gaze: ahead.map(|_| GazeRegion::ahead(AHEAD_DEG)).or(self.avoid),
            blink_at: in_patch.next().map(|frame| frame - first),
            weights: self.weights,
        }
    }
}

/// Constraints that could not be met.
#[derive(Default)]
struct Unmet {
    patches: usize,
    far: usize,
    gaze: usize,
    /// The numbers of the frames at which a blink was superimposed.
    blinks: Vec<usize>,
}

fn table(args: &TextureEyes, rate: Option<f64>) -> Result<Table> {
    let texture = &args.texture;
    let rate_hz = texture.rate_hz();
    let rate = rate.unwrap_or(rate_hz);
    let plan = Plan { args, weights: weights(texture, &args.corpora)?, avoid: avoid(&args.avoid), rate_hz };
    let frames = (args.seconds * rate_hz).ceil() as usize + 2;
    let open_level = texture.openness_of(0).map_or(1.0, |open| open[0]).max(0.1);
    let (samples, unmet) = synthesise(texture, args.seed, &plan, frames, open_level);
    let table = Table::sampled(COLUMNS, args.seconds, rate, |t, row| {
        push(&at(&samples, t * rate_hz), open_level, row);
    })?;
    let notes = notes(&unmet, rate_hz);
    let facts = facts(&samples[..frames - 2], rate_hz, open_level, &unmet);
    let patch_secs = texture.patch_frames() as f64 / rate_hz;
    let title = format!(
        "Synthesised eyes for {} s\nseed {} · {} patches of {:.2} s · {:.1} blinks per minute",
        args.seconds, args.seed, unmet.patches, patch_secs, facts["blinks_per_minute"]
    );
    Ok(Table { facts, notes, ..table.titled(title) })
}

fn weights(texture: &Texture, wanted: &[(String, f64)]) -> Result<[f64; MAX_CORPORA]> {
    if wanted.is_empty() {
        return Ok([1.0; MAX_CORPORA]);
    }
    let mut weights = [0.0; MAX_CORPORA];
    for (name, weight) in wanted {
        let index = texture.corpora().position(|corpus| corpus == name).ok_or_else(|| {
            let known = texture.corpora().collect::<Vec<_>>().join(", ");
            Error::at(format!("corpus “{name}”"), format!("not found; the texture has {known}"))
                .with_setting("trace::TextureEyes::corpora")
        })?;
        weights[index] = *weight;
    }
    Ok(weights)
}

fn avoid(sides: &[Side]) -> Option<GazeRegion> {
    let end = |side: Side, sign: f32| sign * if sides.contains(&side) { SIDE_DEG } else { ANY_DEG };
    let yaw_deg = [end(Side::Right, -1.0), end(Side::Left, 1.0)];
    let pitch_deg = [end(Side::Down, -1.0), end(Side::Up, 1.0)];
    (!sides.is_empty()).then_some(GazeRegion::Box { yaw_deg, pitch_deg })
}

fn synthesise(
    texture: &Arc<Texture>,
    seed: u64,
    plan: &Plan<'_>,
    frames: usize,
    open: f64,
) -> (Vec<Sample>, Unmet) {
    let mut synthesis = Synthesis::new(Arc::clone(texture), seed);
    let mut samples = Vec::with_capacity(frames + texture.patch_frames());
    let mut unmet = Unmet::default();
    while samples.len() < frames {
        let constraints = plan.constraints(texture, samples.len());
        let first = samples.len();
        samples.extend(synthesis.next_patch(&constraints));
        let Some(choice) = synthesis.last() else { break };
        unmet.patches += 1;
        unmet.far += usize::from(!choice.satisfied.tolerance);
        unmet.gaze += usize::from(!choice.satisfied.gaze);
        unmet.blinks.extend(constraints.blink_at.filter(|_| !choice.satisfied.blink).map(|at| first + at));
    }
    unmet.blinks.iter().for_each(|apex| superimpose_blink(&mut samples, *apex, plan.rate_hz, open));
    (samples, unmet)
}

/// Superimposes a procedural blink. It is used if no recorded blink is available.
fn superimpose_blink(samples: &mut [Sample], apex: usize, rate_hz: f64, open: f64) {
    let blink = Blink::new(LID_DEG);
    let begin = apex as f64 / rate_hz - blink.closed_at_secs();
    for (frame, sample) in samples.iter_mut().enumerate() {
        let since = frame as f64 / rate_hz - begin;
        if (0.0..blink.duration_secs()).contains(&since) {
            sample.openness = sample.openness.min((open * (1.0 - blink.closure(since))) as f32);
        }
    }
}

/// Returns the sample at a fractional frame, linearly interpolated.
fn at(samples: &[Sample], frame: f64) -> Sample {
    let index = (frame as usize).min(samples.len() - 2);
    let share = (frame - index as f64).clamp(0.0, 1.0) as f32;
    let (a, b) = (samples[index], samples[index + 1]);
    let mix = |a: f32, b: f32| if share == 0.0 { a } else { a + (b - a) * share };
    Sample {
        openness: mix(a.openness, b.openness),
        yaw_deg: mix(a.yaw_deg, b.yaw_deg),
        pitch_deg: mix(a.pitch_deg, b.pitch_deg),
    }
}

/// Appends the values of a row, without the time.
fn push(sample: &Sample, open_level: f64, row: &mut Vec<f64>) {
    // Values are rounded to the precision of textures.
    let [open, yaw, pitch] =
        [sample.openness, sample.yaw_deg, sample.pitch_deg].map(|x| (f64::from(x) * 1e5).round() / 1e5);
    let lid = LID_DEG * (open / open_level - 1.0);
    row.extend([yaw, pitch, yaw, pitch, 0.0, 0.0, 0.0, yaw, pitch, lid, lid, open, open]);
    row.push(f64::from(u8::from(open < SHUT_SHARE * open_level)));
}

fn facts(samples: &[Sample], rate_hz: f64, open: f64, unmet: &Unmet) -> BTreeMap<&'static str, f64> {
    let is_shut = |sample: &Sample| f64::from(sample.openness) < SHUT_SHARE * open;
    let blinks = samples.windows(2).filter(|pair| !is_shut(&pair[0]) && is_shut(&pair[1])).count();
    let minutes = samples.len() as f64 / rate_hz / 60.0;
    BTreeMap::from([
        ("blinks_per_minute", blinks as f64 / minutes.max(1e-9)),
        ("patches", unmet.patches as f64),
        ("patches_beyond_tolerance", unmet.far as f64),
        ("patches_gaze_unmet", unmet.gaze as f64),
        ("blinks_laid_over", unmet.blinks.len() as f64),
    ])
}

fn notes(unmet: &Unmet, rate_hz: f64) -> Vec<String> {
    let mut notes = Vec::new();
    if unmet.gaze > 0 {
        notes.push(format!(
            "in {} of {} patches the gaze constraint is not met: no recorded gaze stays there for that long",
            unmet.gaze, unmet.patches
        ));
    }
    if !unmet.blinks.is_empty() {
        let times: Vec<String> =
            unmet.blinks.iter().map(|f| format!("{:.2} s", *f as f64 / rate_hz)).collect();
        notes.push(format!("no recorded blink fits at {}; a procedural blink is used", times.join(", ")));
    }
    notes
}
