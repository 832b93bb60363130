//! Checks how human the motion of eyes, lids and head is.
//!
//! A [`Trace`] can come from any engine, motion capture or eye tracker. [`lint`] measures it and compares each value
//! with human data. The verdict of a check is human, odd, wrong or not enough data. Values count as odd or wrong only
//! if measurement error cannot explain them. [`check::score`] combines all checks into one score.
//!
//! ```
//! use vivant_learn::lint::{Trace, Verdict, lint};
//! // Blinks exactly once per second, and the lids close within one frame.
//! let openness = (0..7200).map(|i| if i % 120 < 12 { 0.0 } else { 1.0 }).collect();
//! let trace = Trace { rate_hz: 120.0, openness: vec![openness], ..Trace::default() };
//! let lint = lint(&trace)?;
//! let of = |id: &str| lint.checks.iter().find(|check| check.id == id).unwrap();
//! assert_eq!(of("blinks.intervals").verdict, Verdict::Wrong);
//! assert_eq!(of("lids.jumps").verdict, Verdict::Wrong);
//! assert!(lint.score < 50.0);
//! # Ok::<(), vivant_io::Error>(())
//! ```

pub mod check;
pub mod classifier;
mod eyes;
mod lids;
pub mod motion;
mod norms;
pub mod people;
pub mod report;
mod saccades;
mod signal;
#[cfg(test)]
mod tests;
mod trace;

pub use check::{Check, Group, Verdict};
pub use saccades::{GazeEvents, Saccade};
pub use trace::Trace;
pub use vivant::eyes::blinking::Activity;

use crate::blinks::recorded::events_of_device;
use crate::blinks::{Event, Options, label_with_gaze};
use crate::recording::Span;
use check::{Measure, Norm};
use eyes::Eyes;
use lids::Lids;
use people::People;
use serde::Serialize;
use vivant_io::Result;

/// The result of linting a trace.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Lint {
    /// Name of the trace.
    pub name: String,
    /// Duration in seconds.
    pub seconds: f64,
    /// Sampling rate in hertz.
    pub rate_hz: f64,
    /// Activity of the character during the trace, if known.
    pub activity: Option<Activity>,
    /// Overall score from 0 to 100; see [`check::score`].
    pub score: f64,
    /// The result of each check.
    pub checks: Vec<Check>,
}

/// Events found in a trace, for plots.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TraceFindings {
    /// Mean aperture of both eyes; empty if not recorded.
    pub openness: Vec<f64>,
    /// Blinks, long closures and squints.
    pub blinks: Vec<Event>,
    /// Saccades and fixations; `None` if the gaze is unknown or too noisy.
    pub gaze_events: Option<GazeEvents>,
}

/// Lints a trace.
///
/// # Errors
/// Returns an error if the trace has nothing that can be checked; see [`Trace::check`].
pub fn lint(trace: &Trace) -> Result<Lint> {
    Ok(lint_with_findings(trace)?.0)
}

/// Lints a trace and also returns the events found in it.
///
/// # Errors
/// Returns an error if the trace has nothing that can be checked; see [`Trace::check`].
pub fn lint_with_findings(trace: &Trace) -> Result<(Lint, TraceFindings)> {
    lint_against(trace, People::standard())
}

/// Lints a trace and also returns the events found in it. Where no published range exists, the ranges measured in
/// `people` are used.
///
/// # Errors
/// Returns an error if the trace has nothing that can be checked; see [`Trace::check`].
pub fn lint_against(trace: &Trace, people: &People) -> Result<(Lint, TraceFindings)> {
    let found = find_events(trace)?;
    let TraceFindings { openness, blinks, gaze_events } = &found;
    // Large gaze shifts often happen during the blink that they evoke, so blinks are not excluded here.
    let shifts = GazeEvents::detect(trace, &[]).map_or_else(Vec::new, |gaze_events| gaze_events.saccades);
    let mut measured = lid_checks(&Lids::new(trace, openness, blinks), gaze_events.as_ref(), &shifts);
    measured.extend(eye_checks(trace, gaze_events.as_ref(), &shifts));
    measured.extend(conversation_checks(trace));
    measured.extend(signal_checks(trace, openness));
    let checks: Vec<Check> =
        measured.into_iter().map(|(norm, measure)| norm.range(people).check(measure)).collect();
    let lint = Lint {
        name: trace.name.clone(),
        seconds: trace.secs(),
        rate_hz: trace.rate_hz,
        activity: trace.activity,
        score: check::score(&checks),
        checks,
    };
    Ok((lint, found))
}

/// Finds blinks, saccades and fixations.
fn find_events(trace: &Trace) -> Result<TraceFindings> {
    trace.check()?;
    let openness = trace.mean_openness().unwrap_or_default();
    let pitch = trace.gaze.as_ref().map_or(&[][..], |gaze| &gaze.pitch_deg);
    let blinks = match &trace.blinks {
        Some(blinks) if openness.is_empty() => events_of_device(&merge_blinks(blinks)),
        _ => label_with_gaze(&openness, pitch, trace.rate_hz, &Options::default()),
    };
    let gaze_events = GazeEvents::detect(trace, &blinks);
    Ok(TraceFindings { openness, blinks, gaze_events })
}

/// Returns a device's blinks sorted by time. Blinks less than 0.1 s apart are merged, because the device lost the eye
/// twice within one blink.
fn merge_blinks(blinks: &[Span]) -> Vec<Span> {
    const APART_SECS: f64 = 0.1;
    let mut joined: Vec<Span> = Vec::new();
    let mut sorted = blinks.to_vec();
    sorted.sort_by(|a, b| a.from_secs.total_cmp(&b.from_secs));
    for span in sorted {
        match joined.last_mut() {
            Some(last) if span.from_secs - last.to_secs < APART_SECS => {
                last.to_secs = last.to_secs.max(span.to_secs);
            }
            _ => joined.push(span),
        }
    }
    joined
}

/// A norm and the value measured for it.
type Measured = (Norm, Option<Measure>);

fn lid_checks(lids: &Lids<'_>, gaze_events: Option<&GazeEvents>, shifts: &[Saccade]) -> Vec<Measured> {
    let rate = match lids.trace.activity {
        None => norms::RATE,
        Some(Activity::Idle | Activity::Listening) => norms::RATE_IDLE,
        Some(Activity::Speaking | Activity::Thinking) => norms::RATE_SPEAKING,
        Some(Activity::Reading) => norms::RATE_READING,
    };
    vec![
        (norms::CLOSING, lids.closing_ms()),
        (norms::OPENING, lids.opening_ms()),
        (norms::ASYMMETRY, lids.asymmetry()),
        (norms::SPEED, lids.speed()),
        (norms::MAIN_SEQUENCE, lids.main_sequence()),
        (norms::CLOSURE, lids.closure()),
        (norms::HOLD, lids.hold_ms()),
        (rate, lids.rate()),
        (norms::DISPERSION, lids.dispersion()),
        (norms::PERIODICITY, lids.periodicity()),
        (norms::DOUBLE, lids.double()),
        (norms::EVOKED_LARGE, lids.evoked(shifts, |deg| deg >= 33.0)),
        (norms::EVOKED_SMALL, lids.evoked(shifts, |deg| (4.0..10.0).contains(&deg))),
        (norms::FOLLOW, lids.follow(gaze_events)),
        (norms::LAG, lids.lag_ms(gaze_events)),
        (norms::LID_DYNAMICS, lids.dynamics(gaze_events)),
        (norms::LID_JUMPS, lids.jumps()),
        (norms::LID_SIDES, lids.sides()),
    ]
}

fn eye_checks<'a>(
    trace: &'a Trace,
    gaze_events: Option<&'a GazeEvents>,
    shifts: &'a [Saccade],
) -> Vec<Measured> {
    let eyes = gaze_events.map(|gaze_events| Eyes::new(trace, gaze_events, shifts));
    let directions = match trace.activity {
        Some(Activity::Reading) => norms::DIRECTIONS_READING,
        _ => norms::DIRECTIONS,
    };
    let of = |measure: fn(&Eyes<'a>) -> Option<Measure>| eyes.as_ref().and_then(measure);
    vec![
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
    ]
}

/// Returns the gaze checks of a conversation. They need the activity and the gaze target.
fn conversation_checks(trace: &Trace) -> Vec<Measured> {
    /// Usual duration of a look at the partner, in seconds. It gives the number of looks, which determines the error
    /// of the share.
    const LOOK_SECS: f64 = 4.0;
    /// Minimum duration of a gaze aversion in seconds; shorter ones are blinks.
    const MIN_AVERSION_SECS: f64 = 0.2;
    let norm = match trace.activity {
        Some(Activity::Speaking) => norms::LOOKING_SPEAKING,
        Some(Activity::Listening) => norms::LOOKING_LISTENING,
        _ => norms::LOOKING,
    };
    let is_talking =
        matches!(trace.activity, Some(Activity::Speaking | Activity::Listening | Activity::Thinking));
    let looks = trace.looks.as_deref().filter(|_| is_talking).unwrap_or(&[]);
    let runs = || looks.chunk_by(|a, b| a == b);
    let secs = |run: &[bool]| run.len() as f64 / trace.rate_hz;
    let is_away = |run: &&[bool]| !run[0] && secs(run) >= MIN_AVERSION_SECS;
    // The first and last runs are cut off by the ends of the trace, so their duration is unknown.
    let whole = runs().count().saturating_sub(2);
    let away: Vec<f64> = runs().skip(1).take(whole).filter(is_away).map(secs).collect();
    let looked = looks.len() - runs().filter(is_away).map(<[bool]>::len).sum::<usize>();
    let chance = (LOOK_SECS * trace.rate_hz / looks.len().max(1) as f64).sqrt();
    let looking = Measure::share(looked, looks.len(), 1)
        .filter(|_| looks.len() as f64 >= 30.0 * trace.rate_hz)
        .map(|it| it.with_min_error(0.5 * chance));
    vec![(norm, looking), (norms::AVERSIONS, Measure::mean(&away, 5))]
}

fn signal_checks(trace: &Trace, openness: &[f64]) -> Vec<Measured> {
    let gaze = trace.gaze.as_ref().map_or(&[][..], |gaze| &gaze.yaw_deg);
    vec![
        (norms::STEPS, signal::steps(trace)),
        (norms::LOOPS, signal::loops(trace)),
        (norms::FROZEN, signal::frozen_secs(trace)),
        (norms::NOISE, signal::noise_level(gaze)),
        (norms::LID_NOISE, signal::noise_level(openness)),
    ]
}
