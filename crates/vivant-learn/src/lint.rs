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
pub mod people;
pub mod report;
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

use crate::blinks::recorded::events_of_device;
use crate::blinks::{Event, Options, label_with_gaze};
use crate::recording::Span;
use check::{Measure, Norm};
use eyes::Eyes;
use lids::Lids;
use people::People;
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
pub struct TraceFindings {
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
pub fn lint_and_find(trace: &Trace) -> Result<(Lint, TraceFindings)> {
    lint_among(trace, People::standard())
}

/// Judges a trace by the ranges that these people make, where nothing is published, and says what was found in it.
///
/// # Errors
/// If there is nothing in it that can be judged.
pub fn lint_among(trace: &Trace, people: &People) -> Result<(Lint, TraceFindings)> {
    let found = find(trace)?;
    let TraceFindings { openness, blinks, glances } = &found;
    // A shift that evokes a blink lies within it, and the largest ones do.
    let shifts = Glances::of(trace, &[]).map_or_else(Vec::new, |glances| glances.saccades);
    let mut figures = of_lids(&Lids::new(trace, openness, blinks), glances.as_ref(), &shifts);
    figures.extend(of_eyes(trace, glances.as_ref(), &shifts));
    figures.extend(of_looks(trace));
    figures.extend(of_signal(trace, openness));
    let checks: Vec<Check> =
        figures.into_iter().map(|(norm, measure)| norm.among(people).judge(measure)).collect();
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
fn find(trace: &Trace) -> Result<TraceFindings> {
    trace.check()?;
    let openness = trace.both_open().unwrap_or_default();
    let pitch = trace.gaze.as_ref().map_or(&[][..], |gaze| &gaze.pitch_deg);
    let blinks = match &trace.blinks {
        Some(blinks) if openness.is_empty() => events_of_device(&joined(blinks)),
        _ => label_with_gaze(&openness, pitch, trace.rate_hz, &Options::default()),
    };
    let glances = Glances::of(trace, &blinks);
    Ok(TraceFindings { openness, blinks, glances })
}

/// A device's blinks in their order. Two that are hardly apart are one in which the eye was found for an instant.
fn joined(blinks: &[Span]) -> Vec<Span> {
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

/// What a figure is, and what was measured.
type Figure = (Norm, Option<Measure>);

fn of_lids(lids: &Lids<'_>, glances: Option<&Glances>, shifts: &[Saccade]) -> Vec<Figure> {
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
        (norms::FOLLOW, lids.follow(glances)),
        (norms::LAG, lids.lag_ms(glances)),
        (norms::LID_DYNAMICS, lids.dynamics(glances)),
        (norms::LID_JUMPS, lids.jumps()),
        (norms::LID_SIDES, lids.sides()),
    ]
}

fn of_eyes<'a>(trace: &'a Trace, glances: Option<&'a Glances>, shifts: &'a [Saccade]) -> Vec<Figure> {
    let eyes = glances.map(|glances| Eyes::new(trace, glances, shifts));
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

/// Whom the eyes look at, where that is known and somebody is talked with.
fn of_looks(trace: &Trace) -> Vec<Figure> {
    /// Looks last for seconds: their share is as uncertain as their number is small.
    const LOOK_SECS: f64 = 4.0;
    /// Who looks away for less has blinked.
    const LEAST_AWAY_SECS: f64 = 0.2;
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
    let is_away = |run: &&[bool]| !run[0] && secs(run) >= LEAST_AWAY_SECS;
    // Those that the trace begins and ends with are longer than what is seen of them.
    let whole = runs().count().saturating_sub(2);
    let away: Vec<f64> = runs().skip(1).take(whole).filter(is_away).map(secs).collect();
    let looked = looks.len() - runs().filter(is_away).map(<[bool]>::len).sum::<usize>();
    let chance = (LOOK_SECS * trace.rate_hz / looks.len().max(1) as f64).sqrt();
    let looking = Measure::share(looked, looks.len(), 1)
        .filter(|_| looks.len() as f64 >= 30.0 * trace.rate_hz)
        .map(|it| it.within(0.5 * chance));
    vec![(norm, looking), (norms::AVERSIONS, Measure::mean(&away, 5))]
}

fn of_signal(trace: &Trace, openness: &[f64]) -> Vec<Figure> {
    let gaze = trace.gaze.as_ref().map_or(&[][..], |gaze| &gaze.yaw_deg);
    vec![
        (norms::STEPS, signal::steps(trace)),
        (norms::LOOPS, signal::loops(trace)),
        (norms::FROZEN, signal::frozen_secs(trace)),
        (norms::NOISE, signal::tremble(gaze)),
        (norms::LID_NOISE, signal::tremble(openness)),
    ]
}
