//! Someone's recorded eyes, sewn together anew (paper 5).

use super::looking::{COLUMNS, LEAST_SECS, MOST_SECS};
use super::{Table, rate_hz, within};
use std::collections::BTreeMap;
use std::sync::Arc;
use vivant::eyes::blink::Blink;
use vivant::eyes::texture::{MAX_CORPORA, Sample, Synthesis, Texture, Wishes, Within};
use vivant_io::{Error, Result};

/// How far from straight ahead is ahead.
const AHEAD_DEG: f32 = 10.0;
/// How far to a side is not yet to that side.
const SIDE_DEG: f32 = 5.0;
const ANY_DEG: f32 = 180.0;
/// A lid that goes down by this closes the eye.
const LID_DEG: f64 = 35.0;
/// Eyes that are less open than this share of the usual blink.
const SHUT_SHARE: f64 = 0.5;

/// Where not to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The person's left.
    Left,
    /// The person's right.
    Right,
    /// Up.
    Up,
    /// Down.
    Down,
}

/// Eyes that are sewn together from a texture: raw, without head, apertures as recorded.
#[derive(Clone)]
pub struct Sewn {
    /// Whose eyes.
    pub texture: Arc<Texture>,
    /// How long.
    pub seconds: f64,
    /// Chance.
    pub seed: u64,
    /// From when to when to look ahead, in seconds.
    pub look_ahead: Option<[f64; 2]>,
    /// Where not to look.
    pub avoid: Vec<Side>,
    /// When to blink, in seconds.
    pub blink_at: Vec<f64>,
    /// Which corpora, and how much of the time in comparison with others; all alike if there are none.
    pub corpora: Vec<(String, f64)>,
}

impl Sewn {
    /// So much of a texture, without a wish.
    #[must_use]
    pub fn of(texture: Arc<Texture>, seconds: f64) -> Self {
        let (avoid, blink_at, corpora) = (Vec::new(), Vec::new(), Vec::new());
        Self { texture, seconds, seed: 1, look_ahead: None, avoid, blink_at, corpora }
    }

    /// What they do; by default at the texture's own rate.
    ///
    /// # Errors
    /// If a number is out of range, or there is no such corpus.
    pub fn table(&self, rate: Option<f64>) -> Result<Table> {
        if let Some(rate) = rate {
            rate_hz(rate)?;
        }
        within("seconds", self.seconds, LEAST_SECS, MOST_SECS, "seconds")?;
        for secs in self.look_ahead.iter().flatten() {
            within("look_ahead", *secs, 0.0, MOST_SECS, "seconds")?;
        }
        for secs in &self.blink_at {
            within("blink_at", *secs, 0.0, MOST_SECS, "seconds")?;
        }
        for (_, weight) in &self.corpora {
            within("corpus", *weight, 0.0, 1e6, "as its weight")?;
        }
        table(self, rate)
    }
}

/// What was wished for, by time.
struct Plan<'a> {
    args: &'a Sewn,
    weights: [f64; MAX_CORPORA],
    avoid: Option<Within>,
    rate_hz: f64,
}

impl Plan<'_> {
    /// The wishes of a patch whose first frame has this number.
    fn wishes(&self, texture: &Texture, first: usize) -> Wishes {
        // The first patch overlaps with nothing.
        let frames = [if first == 0 { 0 } else { texture.boundary_frames() }, texture.patch_frames()];
        let [from, to] = frames.map(|frame| (first + frame) as f64 / self.rate_hz);
        let ahead = self.args.look_ahead.filter(|[begin, end]| *begin < to && from < *end);
        let blink = self.args.blink_at.iter().map(|secs| (secs * self.rate_hz).round() as usize);
        let mut in_patch = blink.filter(|frame| (first + frames[0]..first + frames[1]).contains(frame));
        Wishes {
            gaze: ahead.map(|_| Within::ahead(AHEAD_DEG)).or(self.avoid),
            blink_at: in_patch.next().map(|frame| frame - first),
            weights: self.weights,
        }
    }
}

/// What could not be had.
#[derive(Default)]
struct Unmet {
    patches: usize,
    far: usize,
    gaze: usize,
    /// The frames at which a blink was laid over.
    blinks: Vec<usize>,
}

fn table(args: &Sewn, rate: Option<f64>) -> Result<Table> {
    let texture = &args.texture;
    let rate_hz = texture.rate_hz();
    let rate = rate.unwrap_or(rate_hz);
    let plan = Plan { args, weights: weights(texture, &args.corpora)?, avoid: avoid(&args.avoid), rate_hz };
    let frames = (args.seconds * rate_hz).ceil() as usize + 2;
    let open_level = texture.openness_of(0).map_or(1.0, |open| open[0]).max(0.1);
    let (samples, unmet) = sewn(texture, args.seed, &plan, frames, open_level);
    let table = Table::sampled(COLUMNS, args.seconds, rate, |t, row| {
        push(&at(&samples, t * rate_hz), open_level, row);
    })?;
    let notes = notes(&unmet, rate_hz);
    let facts = facts(&samples[..frames - 2], rate_hz, open_level, &unmet);
    let patch_secs = texture.patch_frames() as f64 / rate_hz;
    let title = format!(
        "Eyes of a texture for {} s\nseed {} · {} patches of {:.2} s · {:.1} blinks a minute",
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
            Error::at(format!("corpus “{name}”"), format!("unknown; the texture has {known}"))
                .with_setting("trace::Sewn::corpora")
        })?;
        weights[index] = *weight;
    }
    Ok(weights)
}

fn avoid(sides: &[Side]) -> Option<Within> {
    let end = |side: Side, sign: f32| sign * if sides.contains(&side) { SIDE_DEG } else { ANY_DEG };
    let yaw_deg = [end(Side::Right, -1.0), end(Side::Left, 1.0)];
    let pitch_deg = [end(Side::Down, -1.0), end(Side::Up, 1.0)];
    (!sides.is_empty()).then_some(Within::Box { yaw_deg, pitch_deg })
}

fn sewn(
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
        let wishes = plan.wishes(texture, samples.len());
        let first = samples.len();
        samples.extend(synthesis.next_patch(&wishes));
        let Some(choice) = synthesis.last() else { break };
        unmet.patches += 1;
        unmet.far += usize::from(!choice.met.tolerance);
        unmet.gaze += usize::from(!choice.met.gaze);
        unmet.blinks.extend(wishes.blink_at.filter(|_| !choice.met.blink).map(|at| first + at));
    }
    unmet.blinks.iter().for_each(|apex| lay_over(&mut samples, *apex, plan.rate_hz, open));
    (samples, unmet)
}

/// A blink that no recording has there.
fn lay_over(samples: &mut [Sample], apex: usize, rate_hz: f64, open: f64) {
    let blink = Blink::new(LID_DEG);
    let begin = apex as f64 / rate_hz - blink.closed_at_secs();
    for (frame, sample) in samples.iter_mut().enumerate() {
        let since = frame as f64 / rate_hz - begin;
        if (0.0..blink.duration_secs()).contains(&since) {
            sample.openness = sample.openness.min((open * (1.0 - blink.closure(since))) as f32);
        }
    }
}

/// The frame at a time in frames, between two of them on a straight line.
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

/// A row but for the time.
fn push(sample: &Sample, open_level: f64, row: &mut Vec<f64>) {
    // To the digits that a texture has.
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
            "in {} of {} patches the gaze goes elsewhere: nothing that was recorded stays there for so long",
            unmet.gaze, unmet.patches
        ));
    }
    if !unmet.blinks.is_empty() {
        let times: Vec<String> =
            unmet.blinks.iter().map(|f| format!("{:.2} s", *f as f64 / rate_hz)).collect();
        notes
            .push(format!("no recorded blink can be at {}; the engine's own is laid over", times.join(", ")));
    }
    notes
}
