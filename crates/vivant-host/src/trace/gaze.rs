//! Traces eyes, lids and head together, either in a single gaze shift or for idle eyes.
//!
//! The traces use the same [`Eyes`] as performers, without a body, so the numbers can be compared with the papers.
//! [`GazeShift::to`] and [`IdleEyes::of`] return parameters with defaults, and their `table` methods return the
//! [`Table`]. Landing times of a gaze shift are measured with steps of one millisecond, and blinks of idle eyes at 25
//! Hz or more. Therefore the facts of a table hardly depend on the sampling rate of its rows.

use super::{Table, rate_hz, within};
use crate::signals::{self, SIGNALS, in_words, is_blinking};
use glam::DVec3;
use std::collections::BTreeMap;
use vivant::eyes::blinking::{Activity, BlinkStrategy, Evoked, EvokedPreset};
use vivant::eyes::direction::{Direction, angle_between_deg};
use vivant::eyes::gaze::{GazePlan, GazePreset, Ranges};
use vivant::eyes::{EyeFrame, Eyes, HeadPose, Look, Temperament};
use vivant_io::Result;

/// Columns of a gaze trace: the time, and the eye, lid and head signals of a frame.
pub const COLUMNS: &[&str] = &columns();

const fn columns() -> [&'static str; SIGNALS.len() + 1] {
    let mut all = ["t"; SIGNALS.len() + 1];
    let mut index = 0;
    while index < SIGNALS.len() {
        all[index + 1] = SIGNALS[index];
        index += 1;
    }
    all
}

/// Columns of a trace of idle eyes: the columns of a gaze trace, and whether the eyes are on the target of attention.
pub const IDLE_COLUMNS: &[&str] = &idle_columns();

const fn idle_columns() -> [&'static str; SIGNALS.len() + 2] {
    let mut all = ["looks"; SIGNALS.len() + 2];
    let mut index = 0;
    while index < COLUMNS.len() {
        all[index] = COLUMNS[index];
        index += 1;
    }
    all
}

/// Time in seconds for which the eyes rest in the start direction before the trace.
const SETTLING_SECS: f64 = 10.0;
/// Time in seconds within which every gaze shift ends, with all movements of eyes, head and torso, corrective
/// saccades and a blink.
const OVER_SECS: f64 = 5.0;
/// Time step for finding the end of a gaze shift, in seconds.
const STEP_SECS: f64 = 1e-3;
/// Time shown after the end of a gaze shift, in seconds.
const REST_SECS: f64 = 0.2;
/// Minimum and maximum duration of a trace in seconds; the maximum is ten hours.
pub(super) const MIN_SECS: f64 = 0.01;
pub(super) const MAX_SECS: f64 = 36_000.0;
/// Angle below which the gaze counts as on its target, in degrees.
const ON_TARGET_DEG: f64 = 1e-6;

/// The parameters of the person whose gaze is traced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Person {
    /// Head-movement factor, from 0 (the head moves only if it must) to 1 (the head covers the whole shift).
    pub head_movement_factor: f64,
    /// The rules that divide a gaze shift between eyes and head.
    pub preset: GazePreset,
    /// The parameters of gaze-evoked blinks. By default they come from the same paper as `preset`.
    pub evoked: Option<EvokedPreset>,
    /// Random seed.
    pub seed: u64,
}

impl Default for Person {
    fn default() -> Self {
        let head_movement_factor = Temperament::default().head_movement_factor;
        Self { head_movement_factor, preset: GazePreset::Human, evoked: None, seed: 1 }
    }
}

/// A gaze shift of eyes, head and lids from one direction to another. It starts and ends at rest (Peters & Qureshi
/// 2010, section 3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GazeShift {
    /// Direction at the start.
    pub from: Direction,
    /// Direction at the end.
    pub to: Direction,
    /// The parameters of the person.
    pub person: Person,
    /// The strategy that determines whether the gaze shift evokes a blink. There are no spontaneous blinks in this
    /// trace.
    pub strategy: BlinkStrategy,
    /// Amount of randomness, from 0 (none) to 1.
    pub liveliness: f64,
    /// Half-width in degrees of the zone in which people with a head-movement factor of 0 move only their eyes. Only
    /// used with the human preset.
    pub eye_only_deg: f64,
    /// Reaction time of the eyes in seconds.
    pub latency_secs: f64,
}

impl GazeShift {
    /// Returns a gaze shift from straight ahead to the given direction, without blinks, randomness and latency.
    #[must_use]
    pub fn to(to: Direction) -> Self {
        Self {
            from: Direction::new(0.0, 0.0),
            to,
            person: Person::default(),
            strategy: BlinkStrategy::None,
            liveliness: 0.0,
            eye_only_deg: 0.0,
            latency_secs: 0.0,
        }
    }

    /// Returns the trace with a sampling rate of `rate` hertz.
    ///
    /// # Errors
    /// If a number is out of range.
    pub fn table(&self, rate: f64) -> Result<Table> {
        rate_hz(rate)?;
        for (name, Direction { yaw_deg, pitch_deg }) in [("from", self.from), ("to", self.to)] {
            within(name, yaw_deg, -180.0, 180.0, "degrees of yaw")?;
            within(name, pitch_deg, -90.0, 90.0, "degrees of pitch")?;
        }
        self.person.check()?;
        within("liveliness", self.liveliness, 0.0, 1.0, "")?;
        within("eye_only", self.eye_only_deg, 0.0, 90.0, "degrees")?;
        within("latency", self.latency_secs, 0.0, 10.0, "seconds")?;
        gaze_shift(self, rate)
    }
}

/// Parameters for a trace of idle eyes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IdleEyes {
    /// Duration of the trace in seconds.
    pub seconds: f64,
    /// The parameters of the person.
    pub person: Person,
    /// The blink strategy.
    pub strategy: BlinkStrategy,
    /// The activity of the character.
    pub state: Activity,
    /// Amount of movement, from 0 (still) to 1 (human).
    pub liveliness: f64,
    /// Tendency of the eyes to stay straight ahead, from 0 to 1: 0.5 is human, and with 1 the eyes always stay ahead.
    pub attentiveness: f64,
    /// Spontaneous blink rate per minute. By default it is the rate of people in this activity.
    pub blinks_per_minute: Option<f64>,
}

impl IdleEyes {
    /// Returns the parameters of human idle eyes, for a trace of the given number of seconds.
    #[must_use]
    pub fn of(seconds: f64) -> Self {
        Self {
            seconds,
            person: Person::default(),
            strategy: BlinkStrategy::Natural,
            state: Activity::Idle,
            liveliness: 1.0,
            attentiveness: 0.5,
            blinks_per_minute: None,
        }
    }

    /// Returns the trace with a sampling rate of `rate` hertz.
    ///
    /// # Errors
    /// If a number is out of range.
    pub fn table(&self, rate: f64) -> Result<Table> {
        rate_hz(rate)?;
        within("seconds", self.seconds, MIN_SECS, MAX_SECS, "seconds")?;
        self.person.check()?;
        within("liveliness", self.liveliness, 0.0, 1.0, "")?;
        within("attentiveness", self.attentiveness, 0.0, 1.0, "")?;
        if let Some(rate) = self.blinks_per_minute {
            within("blink_rate", rate, 0.0, 120.0, "blinks per minute")?;
        }
        idle_table(self, rate)
    }
}

impl Person {
    fn check(&self) -> Result<()> {
        within("hmf", self.head_movement_factor, 0.0, 1.0, "")
    }
}

fn gaze_shift(args: &GazeShift, rate: f64) -> Result<Table> {
    let mut eyes = settled(args);
    eyes.look(Look { latency_secs: Some(args.latency_secs), ..towards(args.to) });
    let course = Course::of(eyes.clone(), args.latency_secs + OVER_SECS);
    let secs = course.rests_secs + REST_SECS;
    let table = Table::sampled(COLUMNS, secs, rate, |t, row| push(&frame(&mut eyes, t), row))?;
    let (from, to) = (in_words(args.from), in_words(args.to));
    let shortfall = angle_between_deg(course.last.gaze, args.to.to_vector());
    let shortfall = if shortfall < ON_TARGET_DEG { 0.0 } else { shortfall };
    let title = format!("Gaze shift from {from} to {to}\n{}", summary(args, &course, shortfall));
    let facts = BTreeMap::from([
        ("shortfall_deg", shortfall),
        ("gaze_lands_secs", course.gaze_lands_secs),
        ("head_lands_secs", course.head_lands_secs),
    ]);
    let notes = (shortfall > 0.0)
        .then(|| format!("the gaze stops {}° short of {to}, which is out of reach", one_decimal(shortfall)));
    let notes = notes.into_iter().collect();
    Ok(Table { target: Some(args.to), facts, notes, ..table.titled(title) })
}

fn towards(direction: Direction) -> Look {
    Look::towards(direction.yaw_deg, direction.pitch_deg)
}

/// Returns eyes that have looked in the start direction for a long time, so that all movements have ended.
fn settled(args: &GazeShift) -> Eyes {
    let temperament = Temperament {
        liveliness: args.liveliness,
        eye_only_deg: args.eye_only_deg,
        ..temperament(&args.person, args.strategy)
    };
    let still = Temperament { liveliness: 0.0, blinks: BlinkStrategy::None, ..temperament };
    let mut eyes = Eyes::new(Ranges::default(), still, args.person.seed);
    eyes.look(Look { at: -SETTLING_SECS, latency_secs: Some(0.0), ..towards(args.from) });
    eyes.set_temperament(-0.5 * SETTLING_SECS, temperament);
    eyes
}

/// The time course of a gaze shift, independent of the sampling rate of the trace.
struct Course {
    gaze_lands_secs: f64,
    head_lands_secs: f64,
    /// Time in seconds at which all movement has stopped.
    rests_secs: f64,
    last: EyeFrame,
}

impl Course {
    fn of(mut eyes: Eyes, secs: f64) -> Self {
        let samples = (secs / STEP_SECS) as u32;
        let frames = (0..=samples).map(|i| frame(&mut eyes, f64::from(i) * STEP_SECS)).collect::<Vec<_>>();
        let last = frames[frames.len() - 1];
        let since = |is_at_rest: &dyn Fn(&EyeFrame) -> bool| {
            let away = frames.iter().rposition(|frame| !is_at_rest(frame));
            away.map_or(0.0, |index| (index + 1) as f64 * STEP_SECS)
        };
        Self {
            gaze_lands_secs: since(&|frame| angle_between_deg(frame.gaze, last.gaze) < ON_TARGET_DEG),
            head_lands_secs: since(&|frame| frame.head_in_model == last.head_in_model),
            rests_secs: since(&|frame| *frame == last),
            last,
        }
    }
}

/// Summarises a gaze shift.
fn summary(args: &GazeShift, course: &Course, shortfall: f64) -> String {
    let preset = preset_name(args.person.preset);
    let head = in_words(Direction::of(course.last.head_in_model * DVec3::Z));
    let eyes = in_words(Direction::of(course.last.eye));
    let (gaze, turned) = (course.gaze_lands_secs, course.head_lands_secs);
    let mut text = format!(
        "head-movement factor {}, {preset} · head {head}, eyes in head {eyes}",
        args.person.head_movement_factor
    );
    if gaze > 0.0 {
        text += &format!(" · gaze lands after {gaze:.2} s");
    }
    if turned > 0.0 {
        text += &format!(", head after {turned:.2} s");
    }
    if shortfall > 0.0 {
        text += &format!(" · {}° short of the target", one_decimal(shortfall));
    }
    text
}

fn idle_table(args: &IdleEyes, rate: f64) -> Result<Table> {
    let temperament = Temperament {
        liveliness: args.liveliness,
        attentiveness: args.attentiveness,
        blinks_per_minute: args.blinks_per_minute,
        ..temperament(&args.person, args.strategy)
    };
    let mut eyes = Eyes::new(Ranges::default(), temperament, args.person.seed);
    eyes.start_idle_behaviour(0.0);
    eyes.set_activity(0.0, args.state);
    let mut tally = Tally::new(rate);
    let table = Table::sampled(IDLE_COLUMNS, args.seconds, rate, |t, row| {
        push(&tally.advance(&mut eyes, t), row);
        row.push(f64::from(u8::from(eyes.is_attending())));
    })?;
    let facts = tally.facts(args.seconds);
    let [blinks, shifts, size] = ["blinks_per_minute", "gaze_shifts_per_minute", "mean_gaze_shift_deg"]
        .map(|name| one_decimal(facts[name]));
    let title = format!(
        "Idle eyes for {} s, {}\nseed {} · {blinks} blinks per minute ({}) · {shifts} gaze shifts per minute, \
         {size}° on average",
        args.seconds, args.state, args.person.seed, args.strategy,
    );
    Ok(Table { facts, ..table.titled(title) })
}

/// Counts the blinks and gaze shifts of idle eyes.
struct Tally {
    /// Steps per row. Without these steps, blinks shorter than the time between two rows would be missed.
    steps: u32,
    time: f64,
    blinks: u32,
    is_blinking: bool,
    shifts: u32,
    total_deg: f64,
    plan: GazePlan,
}

impl Tally {
    fn new(rate: f64) -> Self {
        const MIN_RATE: f64 = 25.0;
        let steps = (MIN_RATE / rate).ceil() as u32;
        let (blinks, is_blinking, shifts, total_deg) = (0, false, 0, 0.0);
        Self { steps, time: 0.0, blinks, is_blinking, shifts, total_deg, plan: GazePlan::default() }
    }

    fn advance(&mut self, eyes: &mut Eyes, t: f64) -> EyeFrame {
        let from = self.time;
        for i in 1..self.steps {
            let between = from + (t - from) * f64::from(i) / f64::from(self.steps);
            let frame = frame(eyes, between);
            self.count(&frame, eyes.plan());
        }
        let frame = frame(eyes, t);
        self.count(&frame, eyes.plan());
        self.time = t;
        frame
    }

    fn count(&mut self, frame: &EyeFrame, plan: &GazePlan) {
        /// Minimum angle of a new gaze shift in degrees. A plan that was only recomputed leads to the same direction.
        const MIN_DEG: f64 = 0.1;
        let is_blinking = is_blinking(frame);
        self.blinks += u32::from(is_blinking && !self.is_blinking);
        self.is_blinking = is_blinking;
        if *plan != self.plan {
            let distance = angle_between_deg(gaze_of(&self.plan), gaze_of(plan));
            if distance > MIN_DEG {
                (self.shifts, self.total_deg) = (self.shifts + 1, self.total_deg + distance);
            }
            self.plan = *plan;
        }
    }

    fn facts(&self, secs: f64) -> BTreeMap<&'static str, f64> {
        let minutes = secs / 60.0;
        BTreeMap::from([
            ("blinks_per_minute", f64::from(self.blinks) / minutes),
            ("gaze_shifts_per_minute", f64::from(self.shifts) / minutes),
            ("mean_gaze_shift_deg", self.total_deg / f64::from(self.shifts.max(1))),
        ])
    }
}

/// Returns the gaze direction of a plan.
fn gaze_of(plan: &GazePlan) -> DVec3 {
    plan.torso.to_rotation() * (plan.head.to_rotation() * plan.eye.to_vector())
}

fn temperament(person: &Person, blinks: BlinkStrategy) -> Temperament {
    let default = match person.preset {
        GazePreset::Peters => EvokedPreset::Peters,
        GazePreset::Human => EvokedPreset::Evinger,
    };
    let evoked = match person.evoked.unwrap_or(default) {
        EvokedPreset::Peters => Evoked::peters(),
        EvokedPreset::Evinger => Evoked::evinger(),
    };
    let gaze = person.preset;
    Temperament {
        head_movement_factor: person.head_movement_factor,
        gaze,
        evoked,
        blinks,
        ..Temperament::default()
    }
}

fn frame(eyes: &mut Eyes, t: f64) -> EyeFrame {
    eyes.advance_to(t, |_, turn| HeadPose::standing(turn))
}

/// Appends the values of a row, without the time.
fn push(frame: &EyeFrame, row: &mut Vec<f64>) {
    row.extend(signals::of_eyes(frame));
}

fn preset_name(preset: GazePreset) -> &'static str {
    match preset {
        GazePreset::Peters => "peters",
        GazePreset::Human => "human",
    }
}

fn one_decimal(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
