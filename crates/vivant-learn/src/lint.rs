//! How human eyes, lids and a head are, figure by figure.
//!
//! A [`Trace`] is anybody's: an engine's, a capture's, a person's. [`lint`] measures it and judges each figure by what
//! people do: human, odd, wrong, or too little was seen to tell; chance speaks for whom is judged. The
//! [grade](check::grade) is of all that was seen.
//!
//! ```
//! use vivant_learn::lint::{Trace, Verdict, lint};
//! // Blinks to the second, shut at once.
//! let openness = (0..7200).map(|i| if i % 120 < 12 { 0.0 } else { 1.0 }).collect();
//! let trace = Trace { rate_hz: 120.0, openness: vec![openness], ..Trace::default() };
//! let lint = lint(&trace)?;
//! let of = |id: &str| lint.checks.iter().find(|check| check.id == id).unwrap();
//! assert_eq!(of("blinks.intervals").verdict, Verdict::Wrong);
//! assert_eq!(of("lids.jumps").verdict, Verdict::Wrong);
//! assert!(lint.grade < 50.0);
//! # Ok::<(), vivant_io::Error>(())
//! ```

pub mod check;
mod eyes;
mod lids;
pub mod motion;
mod norms;
mod saccades;
mod signal;
pub mod tell;
#[cfg(test)]
mod tests;
mod trace;

pub use check::{Check, Group, Verdict};
pub use saccades::{Glances, Saccade};
pub use trace::Trace;
pub use vivant::eyes::blinking::Activity;

use crate::blinks::{Event, Options, label_with_gaze};
use check::{Measure, Norm};
use eyes::Eyes;
use lids::Lids;
use serde::Serialize;
use vivant_io::Result;

/// What is said of a trace.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Lint {
    /// The trace's name.
    pub name: String,
    /// How long it is, in seconds.
    pub seconds: f64,
    /// Samples a second.
    pub rate_hz: f64,
    /// What is done in it, if that is known.
    pub activity: Option<Activity>,
    /// 0 to 100, of all that was seen: see [`check::grade`].
    pub grade: f64,
    /// Figure by figure.
    pub checks: Vec<Check>,
}

/// What was found in a trace, for who draws it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// How open both eyes are together; empty if that is not known.
    pub openness: Vec<f64>,
    /// Blinks, long closures and squints.
    pub blinks: Vec<Event>,
    /// Saccades and rests, if the gaze is known.
    pub glances: Option<Glances>,
}

/// Judges a trace.
///
/// # Errors
/// If there is nothing in it that can be judged.
pub fn lint(trace: &Trace) -> Result<Lint> {
    Ok(lint_and_find(trace)?.0)
}

/// Judges a trace, and says what was found in it.
///
/// # Errors
/// If there is nothing in it that can be judged.
pub fn lint_and_find(trace: &Trace) -> Result<(Lint, Found)> {
    let found = find(trace)?;
    let Found { openness, blinks, glances } = &found;
    // A shift that evokes a blink lies within it, and the largest ones do.
    let shifts = Glances::of(trace, &[]).map_or_else(Vec::new, |glances| glances.saccades);
    let mut checks = of_lids(&Lids::new(trace, openness, blinks), glances.as_ref(), &shifts);
    checks.extend(of_eyes(trace, glances.as_ref(), &shifts));
    checks.extend(of_looks(trace));
    checks.extend(of_signal(trace, openness));
    let lint = Lint {
        name: trace.name.clone(),
        seconds: trace.secs(),
        rate_hz: trace.rate_hz,
        activity: trace.activity,
        grade: check::grade(&checks),
        checks,
    };
    Ok((lint, found))
}

/// Finds blinks, saccades and rests.
fn find(trace: &Trace) -> Result<Found> {
    trace.check()?;
    let openness = trace.both_open().unwrap_or_default();
    let pitch = trace.gaze.as_ref().map_or(&[][..], |gaze| &gaze.pitch_deg);
    let blinks = label_with_gaze(&openness, pitch, trace.rate_hz, &Options::default());
    let glances = Glances::of(trace, &blinks);
    Ok(Found { openness, blinks, glances })
}

fn of_lids(lids: &Lids<'_>, glances: Option<&Glances>, shifts: &[Saccade]) -> Vec<Check> {
    let rate = match lids.trace.activity {
        None => norms::RATE,
        Some(Activity::Idle | Activity::Listening) => norms::RATE_IDLE,
        Some(Activity::Speaking | Activity::Thinking) => norms::RATE_SPEAKING,
        Some(Activity::Reading) => norms::RATE_READING,
    };
    let all: [(Norm, Option<Measure>); 16] = [
        (norms::CLOSING, lids.closing_ms()),
        (norms::OPENING, lids.opening_ms()),
        (norms::ASYMMETRY, lids.asymmetry()),
        (norms::SPEED, lids.speed()),
        (norms::CLOSURE, lids.closure()),
        (norms::HOLD, lids.hold_ms()),
        (rate, lids.rate()),
        (norms::DISPERSION, lids.dispersion()),
        (norms::PERIODICITY, lids.periodicity()),
        (norms::DOUBLE, lids.double()),
        (norms::EVOKED_LARGE, lids.evoked(shifts, |deg| deg >= 33.0)),
        (norms::EVOKED_SMALL, lids.evoked(shifts, |deg| (4.0..10.0).contains(&deg))),
        (norms::FOLLOW, lids.follow(glances)),
        (norms::LAG, lids.lag_ms(glances)),
        (norms::LID_JUMPS, lids.jumps()),
        (norms::LID_SIDES, lids.sides()),
    ];
    all.into_iter().map(|(norm, measure)| norm.judge(measure)).collect()
}

fn of_eyes<'a>(trace: &'a Trace, glances: Option<&'a Glances>, shifts: &'a [Saccade]) -> Vec<Check> {
    let eyes = glances.map(|glances| Eyes::new(trace, glances, shifts));
    let directions = match trace.activity {
        Some(Activity::Reading) => norms::DIRECTIONS_READING,
        _ => norms::DIRECTIONS,
    };
    let of = |measure: fn(&Eyes<'a>) -> Option<Measure>| eyes.as_ref().and_then(measure);
    let all: [(Norm, Option<Measure>); 18] = [
        (norms::SLOW, of(Eyes::slow)),
        (norms::DURATION, of(Eyes::duration_ms)),
        (norms::PEAK, of(Eyes::peak)),
        (norms::SKEW, of(Eyes::skew)),
        (norms::TELEPORTS, of(Eyes::teleports)),
        (norms::MICRO, of(Eyes::micro_per_s)),
        (norms::DRIFT, of(Eyes::drift)),
        (norms::GLANCE_RATE, of(Eyes::rate)),
        (norms::SIZES, of(Eyes::sizes)),
        (directions, of(Eyes::directions)),
        (norms::FIXATIONS, of(Eyes::fixation_secs)),
        (norms::GLANCE_RHYTHM, of(Eyes::rhythm)),
        (norms::VOR, of(Eyes::vor)),
        (norms::HEAD_SMALL, of(|eyes| eyes.head_share(|deg| deg < 10.0))),
        (norms::HEAD_LARGE, of(|eyes| eyes.head_share(|deg| deg >= 25.0))),
        (norms::HEAD_ORDER, of(Eyes::head_order_ms)),
        (norms::LIMITS, of(Eyes::eccentricity_deg)),
        (norms::VERGENCE, of(Eyes::vergence_deg)),
    ];
    all.into_iter().map(|(norm, measure)| norm.judge(measure)).collect()
}

/// Whom the eyes look at, where that is known.
fn of_looks(trace: &Trace) -> Vec<Check> {
    /// Looks last for seconds: their share is as uncertain as their number is small.
    const LOOK_SECS: f64 = 4.0;
    let norm = match trace.activity {
        Some(Activity::Speaking) => norms::LOOKING_SPEAKING,
        Some(Activity::Listening) => norms::LOOKING_LISTENING,
        _ => norms::LOOKING,
    };
    let looks = trace.looks.as_deref().unwrap_or(&[]);
    let mut away = Vec::new();
    let mut since = None;
    for (i, is_looking) in looks.iter().enumerate() {
        match (is_looking, since) {
            (false, None) => since = Some(i),
            (true, Some(begin)) => {
                away.push((i - begin) as f64 / trace.rate_hz);
                since = None;
            }
            _ => {}
        }
    }
    let share = looks.iter().filter(|is| **is).count();
    let chance = (LOOK_SECS * trace.rate_hz / looks.len().max(1) as f64).sqrt();
    let looking = Measure::share(share, looks.len(), 1)
        .filter(|_| looks.len() as f64 >= 30.0 * trace.rate_hz)
        .map(|it| it.within(0.5 * chance));
    vec![norm.judge(looking), norms::AVERSIONS.judge(Measure::mean(&away, 5))]
}

fn of_signal(trace: &Trace, openness: &[f64]) -> Vec<Check> {
    let gaze = trace.gaze.as_ref().map_or(&[][..], |gaze| &gaze.yaw_deg);
    let all: [(Norm, Option<Measure>); 5] = [
        (norms::STEPS, signal::steps(trace)),
        (norms::LOOPS, signal::loops(trace)),
        (norms::FROZEN, signal::frozen_secs(trace)),
        (norms::NOISE, signal::tremble(gaze)),
        (norms::LID_NOISE, signal::tremble(openness)),
    ];
    all.into_iter().map(|(norm, measure)| norm.judge(measure)).collect()
}
