//! Synthetic eye traces with known events: saccades on the main sequence, pursuit, and tracker noise.

use vivant::chance::{Chance, Draw};
use vivant::eyes::driven::EyeSample;
use vivant::eyes::profile::Profile;
use vivant::eyes::saccade::Saccade;
use vivant::math::{cos, ln, sin};

/// A saccade in a trace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jump {
    pub(crate) secs: f64,
    pub(crate) amplitude_deg: f64,
    /// The first sample within it.
    pub(crate) onset_sample: usize,
    /// The first sample that shows it: since the previous sample, or since 5 ms before at higher rates, the eye has
    /// moved at 40°/s or more.
    pub(crate) first_sample: usize,
    pub(crate) last_sample: usize,
}

pub(crate) struct Trace {
    pub(crate) samples: Vec<EyeSample>,
    pub(crate) jumps: Vec<Jump>,
    /// Samples after the end of a saccade in which it may still be detected: 30 ms, at least one.
    pub(crate) slack: usize,
}

impl Trace {
    pub(crate) fn secs(&self) -> f64 {
        self.samples.last().map_or(0.0, |last| last.secs) - self.samples[0].secs
    }
}

/// Draws a normally distributed number (Box & Muller 1958).
pub(crate) fn gaussian(draw: &mut Draw) -> f64 {
    let radius = (-2.0 * ln(1.0 - draw.uniform())).sqrt();
    radius * cos(std::f64::consts::TAU * draw.uniform())
}

/// Returns both eyes in the same direction, with independent noise such that their mean has `noise_deg` on each axis.
pub(crate) fn sample(secs: f64, at: [f64; 2], noise_deg: f64, draw: &mut Draw) -> EyeSample {
    let mut eye = || {
        let noise = noise_deg * std::f64::consts::SQRT_2;
        Some([at[0] + noise * gaussian(draw), at[1] + noise * gaussian(draw)])
    };
    let (left, right) = (eye(), eye());
    EyeSample { left, right, ..EyeSample::at(secs) }
}

struct Planned {
    secs: f64,
    profile: Profile,
    direction: [f64; 2],
    from: [f64; 2],
}

/// Creates fixations of 0.25 to 0.8 s with saccades of amplitudes from `sizes` between, in all directions.
pub(crate) fn rest_and_jumps(seed: u64, rate: f64, noise_deg: f64, sizes: [f64; 2], count: u64) -> Trace {
    let plan = plan(seed, sizes, count);
    let end = plan.last().map_or(1.0, |last| last.secs + 0.5);
    let place = |secs: f64| {
        let now = plan.partition_point(|jump| jump.secs <= secs).checked_sub(1);
        now.map_or([0.0; 2], |now| {
            let jump = &plan[now];
            let way = jump.profile.position(secs - jump.secs);
            [jump.from[0] + way * jump.direction[0], jump.from[1] + way * jump.direction[1]]
        })
    };
    let noise = Chance::new(seed, "noise");
    let samples: Vec<EyeSample> = (0..(end * rate) as u64)
        .map(|i| sample(i as f64 / rate, place(i as f64 / rate), noise_deg, &mut noise.event(i)))
        .collect();
    let jumps = plan.iter().map(|planned| shown(planned, rate)).collect();
    Trace { samples, jumps, slack: ((0.03 * rate) as usize).max(1) + 1 }
}

fn plan(seed: u64, sizes: [f64; 2], count: u64) -> Vec<Planned> {
    let chance = Chance::new(seed, "jumps");
    let (mut secs, mut from, mut plan) = (0.5, [0.0; 2], Vec::new());
    for i in 0..count {
        let mut draw = chance.event(i);
        secs += 0.25 + 0.55 * draw.uniform();
        let amplitude = sizes[0] + (sizes[1] - sizes[0]) * draw.uniform();
        let angle = std::f64::consts::TAU * draw.uniform();
        let mut direction = [cos(angle), sin(angle)];
        for axis in 0..2 {
            if (from[axis] + amplitude * direction[axis]).abs() > 35.0 {
                direction[axis] = -direction[axis];
            }
        }
        let profile = Saccade::new(amplitude).profile();
        plan.push(Planned { secs, profile, direction, from });
        secs += profile.duration_secs();
        from = [from[0] + amplitude * direction[0], from[1] + amplitude * direction[1]];
    }
    plan
}

fn shown(planned: &Planned, rate: f64) -> Jump {
    let span = (1.0 / rate).max(0.005);
    let way = |i: usize| {
        let secs = i as f64 / rate - planned.secs;
        planned.profile.position(secs) - planned.profile.position(secs - span)
    };
    let start = (planned.secs * rate).ceil() as usize;
    let last_sample = ((planned.secs + planned.profile.duration_secs()) * rate).ceil() as usize;
    let visible = 40.0 * span * (0.025 / span).min(1.0);
    let first_sample = (start..=last_sample).find(|i| way(*i) >= visible).unwrap_or(start);
    Jump {
        secs: planned.secs,
        amplitude_deg: planned.profile.amplitude_deg(),
        onset_sample: start,
        first_sample,
        last_sample,
    }
}

/// Creates a second of rest, a second of steady pursuit that accelerates within 100 ms, and rest.
pub(crate) fn pursuit(rate: f64, noise_deg: f64, deg_per_s: f64, seed: u64) -> Vec<EyeSample> {
    let noise = Chance::new(seed, "noise");
    let ramp = |secs: f64| {
        let t = (secs - 1.0).clamp(0.0, 1.1);
        // Acceleration within 0.1 s, and deceleration in the last 0.1 s.
        let up = t.min(0.1);
        let down = (t - 1.0).max(0.0);
        deg_per_s * (5.0 * up * up + (t - 0.1).clamp(0.0, 0.9) + down - 5.0 * down * down)
    };
    (0..(3.0 * rate) as u64)
        .map(|i| {
            let secs = i as f64 / rate;
            let at = [0.8 * ramp(secs) - 20.0, 0.6 * ramp(secs)];
            sample(secs, at, noise_deg, &mut noise.event(i))
        })
        .collect()
}
