//! Traces with one defect each.

use super::synthetic::{kumaraswamy, shaped};
use super::*;

/// A defect: its name, the check that must find it, and the trace.
type Defect = (&'static str, &'static str, fn() -> Trace);

fn person(change: fn(&mut Person)) -> Trace {
    let mut person = Person { seed: 11, ..Person::default() };
    change(&mut person);
    person.trace()
}

fn changed(change: fn(&mut Trace)) -> Trace {
    let mut trace = person(|_| {});
    change(&mut trace);
    trace
}

#[rustfmt::skip]
const DEFECTS: &[Defect] = &[
    ("constant inter-blink interval", "blinks.intervals", || person(|p| (p.spread, p.evoked) = (0.0, 0.0))),
    ("nearly periodic blinks", "blinks.periodicity", || person(|p| (p.spread, p.evoked) = (0.02, 0.0))),
    ("symmetric blinks", "blinks.asymmetry", || person(|p| p.closure = |t| shaped(t, 0.12, 0.01, 0.12))),
    ("blinks that open faster than they close", "blinks.asymmetry", || person(|p| p.closure = |t| shaped(t, 0.14, 0.01, 0.07))),
    ("slow closing", "blinks.closing", || person(|p| p.closure = |t| shaped(t, 0.4, 0.01, 0.45))),
    ("fast opening", "blinks.opening", || person(|p| p.closure = |t| shaped(t, 0.035, 0.0, 0.04))),
    ("linear closing", "blinks.speed", || person(|p| p.closure = |t| linear_blink(t, 0.1, 0.2))),
    ("same velocity for all blink amplitudes", "blinks.mainSequence", || person(|p| (p.blink_size, p.blink_secs) = (|chance| 0.4 + 0.6 * chance, |size| size))),
    ("half blinks", "blinks.closure", || person(|p| p.depth = [0.28, 0.28])),
    ("lids held shut", "blinks.hold", || person(|p| p.closure = |t| shaped(t, 0.07, 0.3, 0.19))),
    ("no blinks", "blinks.rate", || person(|p| p.blinks_per_min = 0.0)),
    ("too many blinks", "blinks.rate", || person(|p| p.blinks_per_min = 110.0)),
    ("double blinks", "blinks.double", || person(|p| p.double_after = Some(0.4))),
    ("no blink with large shifts", "blinks.evokedLarge", || person(|p| p.evoked = 0.0)),
    ("frozen lids", "lids.follow", || person(|p| p.follow = 0.0)),
    ("late lids", "lids.lag", || person(|p| p.lag = 0.055)),
    ("slow lid following", "lids.dynamics", || person(|p| p.creep = 0.12)),
    ("lids that jump", "lids.jumps", || person(|p| p.closure = |t| if (0.0..0.15).contains(&t) { 1.0 } else { 0.0 })),
    ("only one eye blinks", "lids.sides", || person(|p| p.depth = [0.95, 0.3])),
    ("5 % a frame at 30 fps", "saccades.slow", || person(|p| (p.chase, p.rate_hz) = (Some(0.05), 30.0))),
    ("5 % a frame at 120 fps", "saccades.duration", || person(|p| p.chase = Some(0.05))),
    ("slow saccades", "saccades.speed", || person(|p| p.slowness = 4.0)),
    ("saccades without acceleration", "saccades.skew", || person(|p| p.profile = |t| kumaraswamy(t, 0.6, 3.0))),
    ("teleporting eyes", "saccades.teleports", || person(|p| p.profile = |t| if t > 0.0 { 1.0 } else { 0.0 })),
    ("no drift", "saccades.drift", || person(|p| p.drift = 0.0)),
    ("no microsaccades", "saccades.micro", || person(|p| (p.micro, p.rate_hz, p.secs) = (0.0, 500.0, 200.0))),
    ("hardly any saccades", "glances.rate", || person(|p| p.rest = 400.0)),
    ("too short fixations", "glances.fixations", || person(|p| (p.rest, p.glance_spread) = (0.001, 0.0))),
    ("only large saccades", "glances.sizes", || person(|p| p.size = |_| 25.0)),
    ("only vertical saccades", "glances.directions", || person(|p| (p.is_upright, p.level, p.size) = (true, 1.0, |chance: f64| (-4.0 * vivant::math::ln(chance)).clamp(1.0, 12.0)))),
    ("constant fixation duration", "glances.intervals", || person(|p| (p.glance_spread, p.micro) = (0.0, 0.0))),
    ("no VOR", "head.vor", || person(|p| p.vor = 0.0)),
    ("no head movement", "head.largeShifts", || person(|p| p.head_share = 0.0)),
    ("late head", "head.order", || person(|p| (p.head_late, p.rest, p.micro) = (0.45, 1.5, 0.0))),
    ("eyes beyond their limits", "head.eyeLimits", || changed(|t| scale(t, 3.5))),
    ("eyes that turn outwards", "head.vergence", || person(|p| p.vergence = -8.0)),
    ("constant gaze at the partner", "conversation.looking", || person(|p| p.looking = 1.0)),
    ("a looped minute", "signal.loops", || changed(looped)),
    ("30 fps at 120", "signal.steps", || changed(held)),
    ("frozen for 20 s", "signal.frozen", || changed(frozen)),
    ("noisy gaze", "signal.noise", || person(|p| p.noise = [3.0, 0.0])),
    ("noisy lids", "signal.lidNoise", || person(|p| p.noise = [0.0, 0.25])),
];

/// Returns the closure of a linear blink, `t` seconds after its onset.
fn linear_blink(t: f64, down: f64, up: f64) -> f64 {
    if t < 0.0 { 0.0 } else { (t / down).min(1.0 - (t - down) / up).clamp(0.0, 1.0) }
}

fn channels(trace: &mut Trace) -> impl Iterator<Item = &mut Vec<f64>> {
    let gazes = trace.gaze.iter_mut().chain(trace.eyes.iter_mut().flatten()).chain(trace.head.iter_mut());
    gazes.flat_map(|gaze| [&mut gaze.yaw_deg, &mut gaze.pitch_deg]).chain(&mut trace.openness)
}

fn looped(trace: &mut Trace) {
    let minute = (60.0 * trace.rate_hz) as usize;
    channels(trace).for_each(|values| (minute..values.len()).for_each(|i| values[i] = values[i - minute]));
}

fn held(trace: &mut Trace) {
    channels(trace).for_each(|values| (0..values.len()).for_each(|i| values[i] = values[i - i % 4]));
}

fn frozen(trace: &mut Trace) {
    let (from, to) = ((100.0 * trace.rate_hz) as usize, (120.0 * trace.rate_hz) as usize);
    channels(trace).for_each(|values| (from..to).for_each(|i| values[i] = values[from]));
}

fn scale(trace: &mut Trace, by: f64) {
    let gaze = trace.gaze.as_mut().unwrap();
    gaze.yaw_deg.iter_mut().for_each(|yaw| *yaw *= by);
}

#[test]
fn every_defect_is_found_by_its_check() {
    let mut missed = Vec::new();
    for (name, id, trace) in DEFECTS {
        let lint = lint(&trace()).unwrap();
        let verdict = of(&lint, id).verdict;
        if !matches!(verdict, Verdict::Odd | Verdict::Wrong) {
            let value = of(&lint, id).value;
            missed.push(format!("{name}: {id} is {} at {value:?}; {:?}", verdict.name(), remarks(&lint)));
        }
        let others = remarks(&lint).len().saturating_sub(1);
        if others > 5 {
            missed.push(format!("{name}: {others} others: {:?}", remarks(&lint)));
        }
        if lint.score >= 100.0 {
            missed.push(format!("{name}: score {}", lint.score));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    assert!(DEFECTS.len() >= 20);
}
