//! Eyes, lids and head together: one gaze shift, or eyes that are left alone.

use super::{Table, rate_hz, within};
use crate::signals::{self, SIGNALS, in_words, is_blinking};
use glam::DVec3;
use std::collections::BTreeMap;
use vivant::eyes::blinking::{Activity, BlinkStrategy, Evoked, EvokedPreset};
use vivant::eyes::direction::{Direction, angle_between_deg};
use vivant::eyes::gaze::{GazePlan, GazePreset, Ranges};
use vivant::eyes::{Carriage, EyeFrame, Eyes, Look, Temperament};
use vivant_io::Result;

/// What a trace of looking holds: the time, and what a frame on the wire tells of eyes, lids and head.
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

/// What a trace of eyes that live by themselves holds: the same, and whether they are on whom they attend to.
pub const COLUMNS_ALONE: &[&str] = &columns_alone();

const fn columns_alone() -> [&'static str; SIGNALS.len() + 2] {
    let mut all = ["looks"; SIGNALS.len() + 2];
    let mut index = 0;
    while index < COLUMNS.len() {
        all[index] = COLUMNS[index];
        index += 1;
    }
    all
}

/// How long the character looks where it begins, before the trace.
const SETTLING_SECS: f64 = 10.0;
/// Any gaze shift is over after this time: eyes, head, torso, what the eyes correct, a blink.
const OVER_SECS: f64 = 5.0;
/// How closely it is looked at when a shift is over.
const STEP_SECS: f64 = 1e-3;
/// How much rest is shown after it.
const REST_SECS: f64 = 0.2;
/// The shortest and the longest trace: ten hours.
pub(super) const LEAST_SECS: f64 = 0.01;
pub(super) const MOST_SECS: f64 = 36_000.0;
/// What is on a target.
const ON_TARGET_DEG: f64 = 1e-6;

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Person {
    /// The head-movement factor, from 0, whose head moves only if it must, to 1, whose head does all.
    pub head_movement_factor: f64,
    /// Whose rules share a gaze shift out.
    pub preset: GazePreset,
    /// Whose numbers say when a gaze shift evokes a blink; by default those of the same paper.
    pub evoked: Option<EvokedPreset>,
    /// Chance.
    pub seed: u64,
}

impl Default for Person {
    fn default() -> Self {
        let head_movement_factor = Temperament::default().head_movement_factor;
        Self { head_movement_factor, preset: GazePreset::Human, evoked: None, seed: 1 }
    }
}

/// Eyes, head and lids from one direction to another, from rest to rest (paper 2, section 3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GazeShift {
    /// Where the eyes are at first.
    pub from: Direction,
    /// Where they go.
    pub to: Direction,
    /// Who looks.
    pub person: Person,
    /// When the gaze shift evokes a blink. Nothing blinks of itself here.
    pub strategy: BlinkStrategy,
    /// How much chance there is in it, from 0, the pure model, to 1.
    pub liveliness: f64,
    /// With the human preset, half the width of the zone that a non-mover leaves to the eyes alone.
    pub eye_only_deg: f64,
    /// How long the eyes take to react.
    pub latency_secs: f64,
}

impl GazeShift {
    /// To a direction, from straight ahead, by the pure model.
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

    /// How it goes.
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

/// Eyes that live by themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EyesAlone {
    /// How long.
    pub seconds: f64,
    /// Whose.
    pub person: Person,
    /// When they blink.
    pub strategy: BlinkStrategy,
    /// What the character is doing.
    pub state: Activity,
    /// How much happens, from 0, which is still, to 1, as in people.
    pub liveliness: f64,
    /// How much the eyes stay ahead, from 0 through 0.5, as people do, to 1, always.
    pub attentiveness: f64,
    /// Spontaneous blinks; by default as in people in this state.
    pub blinks_per_minute: Option<f64>,
}

impl EyesAlone {
    /// As people are, for so long.
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

    /// What they do.
    ///
    /// # Errors
    /// If a number is out of range.
    pub fn table(&self, rate: f64) -> Result<Table> {
        rate_hz(rate)?;
        within("seconds", self.seconds, LEAST_SECS, MOST_SECS, "seconds")?;
        self.person.check()?;
        within("liveliness", self.liveliness, 0.0, 1.0, "")?;
        within("attentiveness", self.attentiveness, 0.0, 1.0, "")?;
        if let Some(rate) = self.blinks_per_minute {
            within("blink_rate", rate, 0.0, 120.0, "blinks a minute")?;
        }
        alone(self, rate)
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
    let short = angle_between_deg(course.last.gaze, args.to.to_vector());
    let short = if short < ON_TARGET_DEG { 0.0 } else { short };
    let title = format!("Gaze shift from {from} to {to}\n{}", summary(args, &course, short));
    let facts = BTreeMap::from([
        ("shortfall_deg", short),
        ("gaze_lands_secs", course.gaze_lands_secs),
        ("head_lands_secs", course.head_lands_secs),
    ]);
    let notes = (short > 0.0)
        .then(|| format!("the gaze falls {}° short of {to}, which is out of reach", one_decimal(short)));
    let notes = notes.into_iter().collect();
    Ok(Table { target: Some(args.to), facts, notes, ..table.titled(title) })
}

fn towards(direction: Direction) -> Look {
    Look::towards(direction.yaw_deg, direction.pitch_deg)
}

/// Eyes that have long looked where the shift begins; they have not blinked, and nothing was left to chance.
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

/// How a gaze shift goes, whatever the rate of the trace.
struct Course {
    gaze_lands_secs: f64,
    head_lands_secs: f64,
    /// When nothing moves any more.
    rests_secs: f64,
    last: EyeFrame,
}

impl Course {
    fn of(mut eyes: Eyes, secs: f64) -> Self {
        let samples = (secs / STEP_SECS) as u32;
        let frames = (0..=samples).map(|i| frame(&mut eyes, f64::from(i) * STEP_SECS)).collect::<Vec<_>>();
        let last = frames[frames.len() - 1];
        let since = |is_there: &dyn Fn(&EyeFrame) -> bool| {
            let away = frames.iter().rposition(|frame| !is_there(frame));
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

/// What came of a gaze shift.
fn summary(args: &GazeShift, course: &Course, short: f64) -> String {
    let preset = preset_name(args.person.preset);
    let head = in_words(Direction::of(course.last.head_in_model * DVec3::Z));
    let eyes = in_words(Direction::of(course.last.eye));
    let (gaze, turned) = (course.gaze_lands_secs, course.head_lands_secs);
    let mut words = format!(
        "head-movement factor {}, {preset} · head {head}, eyes {eyes} in it",
        args.person.head_movement_factor
    );
    if gaze > 0.0 {
        words += &format!(" · the gaze lands after {gaze:.2} s");
    }
    if turned > 0.0 {
        words += &format!(", the head after {turned:.2} s");
    }
    if short > 0.0 {
        words += &format!(" · it falls {}° short of the target", one_decimal(short));
    }
    words
}

fn alone(args: &EyesAlone, rate: f64) -> Result<Table> {
    let temperament = Temperament {
        liveliness: args.liveliness,
        attentiveness: args.attentiveness,
        blinks_per_minute: args.blinks_per_minute,
        ..temperament(&args.person, args.strategy)
    };
    let mut eyes = Eyes::new(Ranges::default(), temperament, args.person.seed);
    eyes.live(0.0);
    eyes.be(0.0, args.state);
    let mut tally = Tally::new(rate);
    let table = Table::sampled(COLUMNS_ALONE, args.seconds, rate, |t, row| {
        push(&tally.advance(&mut eyes, t), row);
        row.push(f64::from(u8::from(eyes.attends())));
    })?;
    let facts = tally.facts(args.seconds);
    let [blinks, shifts, size] = ["blinks_per_minute", "gaze_shifts_per_minute", "mean_gaze_shift_deg"]
        .map(|name| one_decimal(facts[name]));
    let title = format!(
        "Eyes left alone for {} s, {}\nseed {} · {blinks} blinks a minute ({}) · {shifts} gaze shifts a minute, \
         {size}° on average",
        args.seconds, args.state, args.person.seed, args.strategy,
    );
    Ok(Table { facts, ..table.titled(title) })
}

/// What happens while eyes are left alone.
struct Tally {
    /// Rows that are further apart than any blink lasts would not show them all.
    steps: u32,
    time: f64,
    blinks: u32,
    is_blinking: bool,
    shifts: u32,
    way_deg: f64,
    plan: GazePlan,
}

impl Tally {
    fn new(rate: f64) -> Self {
        const LEAST_RATE: f64 = 25.0;
        let steps = (LEAST_RATE / rate).ceil() as u32;
        let (blinks, is_blinking, shifts, way_deg) = (0, false, 0, 0.0);
        Self { steps, time: 0.0, blinks, is_blinking, shifts, way_deg, plan: GazePlan::default() }
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
        /// A plan that is only made anew leads where the last one did.
        const LEAST_DEG: f64 = 0.1;
        let is_blinking = is_blinking(frame);
        self.blinks += u32::from(is_blinking && !self.is_blinking);
        self.is_blinking = is_blinking;
        if *plan != self.plan {
            let way = angle_between_deg(gaze_of(&self.plan), gaze_of(plan));
            if way > LEAST_DEG {
                (self.shifts, self.way_deg) = (self.shifts + 1, self.way_deg + way);
            }
            self.plan = *plan;
        }
    }

    fn facts(&self, secs: f64) -> BTreeMap<&'static str, f64> {
        let minutes = secs / 60.0;
        BTreeMap::from([
            ("blinks_per_minute", f64::from(self.blinks) / minutes),
            ("gaze_shifts_per_minute", f64::from(self.shifts) / minutes),
            ("mean_gaze_shift_deg", self.way_deg / f64::from(self.shifts.max(1))),
        ])
    }
}

/// Where a plan leads the gaze.
fn gaze_of(plan: &GazePlan) -> DVec3 {
    plan.torso.to_rotation() * (plan.head.to_rotation() * plan.eye.to_vector())
}

fn temperament(person: &Person, blinks: BlinkStrategy) -> Temperament {
    let by_default = match person.preset {
        GazePreset::Peters => EvokedPreset::Peters,
        GazePreset::Human => EvokedPreset::Evinger,
    };
    let evoked = match person.evoked.unwrap_or(by_default) {
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
    eyes.advance_to(t, |_, turn| Carriage::standing(turn))
}

/// A row but for the time.
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
