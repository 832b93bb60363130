//! Synthetic signals with known blinks.

use vivant::chance::{Chance, Draw};
use vivant::eyes::blink::Blink;
use vivant::math;

/// A generated blink.
#[derive(Clone, Copy, Debug)]
pub(super) struct Truth {
    pub(super) onset_secs: f64,
    pub(super) offset_secs: f64,
    /// True if the lids follow the gaze at the same time.
    pub(super) is_mixed: bool,
}

impl Truth {
    pub(super) fn apex_is(&self, secs: f64) -> bool {
        (self.onset_secs..=self.offset_secs).contains(&secs)
    }
}

pub(super) struct Scene {
    /// Signal with noise of 1 %, drift and downward gaze.
    pub(super) openness: Vec<f64>,
    /// Signal with blinks only.
    pub(super) still: Vec<f64>,
    pub(super) blinks: Vec<Truth>,
}

/// Returns an approximately Gaussian number: the sum of twelve uniform numbers.
pub(super) fn gaussian(draw: &mut Draw) -> f64 {
    (0..12).map(|_| draw.uniform()).sum::<f64>() - 6.0
}

fn ease(share: f64) -> f64 {
    let x = share.clamp(0.0, 1.0);
    x * x * x * (10.0 - x * (15.0 - 6.0 * x))
}

/// A period of lowered gaze, and how far the lids follow.
struct Glance {
    from: f64,
    to: f64,
    depth: f64,
}

/// Downward lid saccades take at most 0.16 s (the maximum of E1 in paper 1).
const LID_SACCADE_SECS: f64 = 0.15;

impl Glance {
    fn lowered(&self, t: f64) -> f64 {
        self.depth * (ease((t - self.from) / LID_SACCADE_SECS) - ease((t - self.to) / LID_SACCADE_SECS))
    }
}

impl Glance {
    fn turns_within(&self, from: f64, to: f64) -> bool {
        [self.from, self.to].into_iter().any(|edge| edge + LID_SACCADE_SECS > from && edge < to)
    }
}

impl Scene {
    pub(super) fn new(seed: u64, rate: f64, secs: f64) -> Self {
        let chance = Chance::new(seed, "blinks");
        let (glances, blinks) = (glances(&mut chance.event(0), secs), blinks(&mut chance.event(1), secs));
        let mut noise = chance.event(2);
        let (phase, drift) = (noise.between(0.0, 6.0), noise.between(0.0, 0.05));
        let still: Vec<f64> = (0..(secs * rate) as usize)
            .map(|i| i as f64 / rate)
            .map(|t| 1.0 - blinks.iter().map(|(at, size, blink)| size * blink.closure(t - at)).sum::<f64>())
            .collect();
        let level = |t: f64| {
            1.0 + drift * math::sin(t * 0.4 + phase)
                - glances.iter().map(|glance| glance.lowered(t)).sum::<f64>()
        };
        let openness = still
            .iter()
            .enumerate()
            .map(|(i, x)| x * level(i as f64 / rate) + 0.01 * gaussian(&mut noise))
            .collect();
        let truth = |(at, _, blink): &(f64, f64, Blink)| Truth {
            onset_secs: *at,
            offset_secs: at + blink.duration_secs(),
            is_mixed: glances
                .iter()
                .any(|glance| glance.turns_within(at - 0.35, at + blink.duration_secs() + 0.35)),
        };
        Self { openness, still, blinks: blinks.iter().map(truth).collect() }
    }
}

/// Lowers the gaze every few seconds for at least 0.4 s.
fn glances(draw: &mut Draw, secs: f64) -> Vec<Glance> {
    let mut glances = Vec::new();
    let mut t = 2.0;
    while t < secs - 4.0 {
        let to = t + draw.between(0.4, 3.0);
        glances.push(Glance { from: t, to, depth: draw.between(0.1, 0.45) });
        t = to + draw.between(1.0, 6.0);
    }
    glances
}

/// Returns blinks of all sizes, at least 0.3 s apart.
fn blinks(draw: &mut Draw, secs: f64) -> Vec<(f64, f64, Blink)> {
    let mut blinks = Vec::new();
    let mut t = draw.between(0.5, 3.0);
    while t < secs - 1.0 {
        let size = draw.between(0.4, 1.0);
        let blink = Blink::new(40.0 * size);
        blinks.push((t, size, blink));
        t += blink.duration_secs() + draw.between(0.3, 6.0);
    }
    blinks
}
