//! One performer on the server, with its requests and its past.
//!
//! [`LivePerformer`] connects a [`Hosted`] performer to the clock and to clients. The clock calls
//! [`LivePerformer::prepare`] to compute the frame of a tick, and later [`LivePerformer::publish`] to show it, so that
//! the time of publication does not depend on the computation. Clients' requests arrive through
//! [`LivePerformer::want`]. Requests that change the performance are logged, because the past is played again from
//! them. Previews only show a clip and refuse requests.

use super::board::{Forecasts, Job};
use super::hub::{Accepted, Info, Newest, PerformerRequest, PerformerSlot, lock};
use super::past::{MAX_LOG_BYTES, Past, Recording};
use crate::workspace::Ready;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::sync::oneshot;
use vivant::body::driven::{BodySample, Trust};
use vivant::body::library::Library;
use vivant::clip::Clip;
use vivant::eyes::Temperament;
use vivant::intent::{Intent, SaidWord, Say};
use vivant::mimicry::{Manner, Person};
use vivant::performer::{Performer, Play};
use vivant::pose::Pose;
use vivant::rig::{Bone, BoneSet};
use vivant_host::{BoundCharacter, Command, Hosted, Mirror, signals};
use vivant_io::json::protocol::{EventKind, PerformerInfo, Plan, frame};

/// Returns the approximate size of a logged request in bytes. Tracker samples count less.
pub(super) fn bytes(ask: &Command) -> usize {
    let text = match ask {
        Command::Intent(intent) => match &**intent {
            Intent::Say(say) => say_bytes(say),
            Intent::Act(act) => {
                act.tags.iter().chain(&act.clip).chain(&act.stance).map(|word| word.len() + 24).sum()
            }
            Intent::Stance(stance) => stance.stance.len(),
            _ => 0,
        },
        Command::SetTemperament(_) => size_of::<Temperament>(),
        // A whole library with all its motions. The past holds only a few libraries that were replaced.
        Command::SetRepertoire(..) | Command::SetEyeModels(_) => MAX_LOG_BYTES / KEPT_LIBRARIES,
        // There are sixty samples per second, so they may use more memory than all other requests.
        Command::Drive(sample, _) => {
            return (size_of::<BodySample>() + 4 * sample.weights.len()) / SAMPLES_MAY_TAKE;
        }
        _ => 0,
    };
    text + 256
}

fn say_bytes(say: &Say) -> usize {
    let timed = say.words.len() + say.phones.len() + say.visemes.len();
    say.say.len()
        + say.voice.as_ref().map_or(0, |voice| size_of_val(&*voice.samples))
        + timed * size_of::<SaidWord>()
}

/// Factor by which tracker samples may use more memory than all other requests, so that two minutes of samples fit.
const SAMPLES_MAY_TAKE: usize = 8;

/// Maximum number of replaced repertoires in the past.
const KEPT_LIBRARIES: usize = 4;

/// Error of requests to a preview.
const ONLY_A_CLIP: &str = "this performer only shows a clip; use a performer that was cast without `clip`";

/// Seconds between two plans if no event happens.
const PLAN_SECS: f64 = 1.0;
/// Minimum time between two plans, in seconds.
const MIN_PLAN_SECS: f64 = 0.1;

/// Returns true if an event changes the plan.
fn is_news(what: &EventKind) -> bool {
    matches!(what, EventKind::Began { .. } | EventKind::Cut { .. } | EventKind::Dropped { .. })
}

/// The character of a performer, and the settings with which the performer starts.
#[derive(Clone)]
pub(super) struct Role {
    pub(super) ready: Arc<Ready>,
    pub(super) begins: vivant_host::Role,
}

impl Role {
    /// Creates a performer at time 0.
    pub(super) fn performer(&self) -> Hosted {
        let mut hosted = self.hosted();
        hosted.advance_to(0.0);
        hosted
    }

    /// Creates a performer at time 0, with intents.
    pub(super) fn performer_with(&self, script: &[Intent]) -> Result<Hosted, vivant_io::Error> {
        let mut hosted = self.hosted();
        for (index, intent) in script.iter().enumerate() {
            hosted.intend(intent).map_err(|error| error.within(&format!("script[{index}]")))?;
        }
        hosted.advance_to(0.0);
        Ok(hosted)
    }

    fn hosted(&self) -> Hosted {
        let Ready { bound, info, .. } = &*self.ready;
        Hosted::of_bound(bound.clone(), Arc::clone(info), &self.begins)
    }

    /// Creates a performer that only plays a clip in a loop.
    pub(super) fn preview(&self, clip: &Clip, (start, end): (f64, Option<f64>)) -> Hosted {
        let Ready { bound, info, .. } = &*self.ready;
        let rig = self.ready.rig();
        let (clip, _) = clip.fitted_to(rig);
        let library = Arc::new(Library::new(rig.clone(), Pose::neutral(rig), &[clip]));
        let still = vivant_host::Role { unasked: false, lives: false, ..self.begins.clone() };
        let mut hosted =
            Hosted::of_bound(BoundCharacter { library, ..bound.clone() }, Arc::clone(info), &still);
        let mask = Some(BoneSet::ALL);
        let play = Play { looped: true, mask, blend_in: 0.0, from: start, to: end, ..Play::clip(0) };
        hosted.performer_mut().play(play);
        hosted.advance_to(0.0);
        hosted
    }
}

/// A running performer.
pub(super) struct LivePerformer {
    pub(super) slot: Arc<PerformerSlot>,
    pub(super) role: Role,
    info: Arc<Info>,
    hosted: Hosted,
    /// The clock's tick at time 0 of the performance.
    origin: u64,
    /// True after the first frame was computed.
    is_seen: bool,
    /// The mirrored person, if any.
    mirror: Option<Box<Mirror>>,
    past: Past,
    /// Number of bars finished so far, including earlier performances under this name.
    over: u64,
    /// Time of the last plan in seconds.
    planned: f64,
    /// Time of the next plan in seconds.
    plan_due: f64,
    /// The computed frame, until it is published.
    next: Option<Arc<Newest>>,
}

impl LivePerformer {
    pub(super) fn new(
        slot: Arc<PerformerSlot>,
        role: Role,
        hosted: Hosted,
        is_preview: bool,
        tick: u64,
    ) -> Self {
        let (performance, over) = lock(&slot.board).clear();
        let info = Arc::new(Info::new(&slot, &role, is_preview, performance));
        Self {
            past: Past::new(hosted.performer(), slot.number),
            over,
            planned: f64::NEG_INFINITY,
            plan_due: 0.0,
            slot,
            role,
            info,
            hosted,
            origin: tick,
            is_seen: false,
            mirror: None,
            next: None,
        }
    }

    /// Returns the description of the performer before its first frame.
    pub(super) fn first_info(&self) -> PerformerInfo {
        let frame = self.frame(self.now());
        Newest::new(&self.info, &frame, self.activity(), self.past.kept_from()).performer()
    }

    /// Returns true if the performer only shows a clip.
    pub(super) fn is_preview(&self) -> bool {
        self.info.is_preview
    }

    /// Returns the time of the performer's last frame in seconds.
    pub(super) fn now(&self) -> f64 {
        self.hosted.frame().time()
    }

    /// Executes a client's request at the current time.
    pub(super) fn want(&mut self, wanted: PerformerRequest, now: f64) -> Result<Accepted, String> {
        match wanted {
            PerformerRequest::Ask(ask) => self.ask(ask),
            PerformerRequest::Mimic(manner) => self.mimic(manner).map(|()| Accepted::default()),
            PerformerRequest::See(sighting) => {
                let mirror = self
                    .mirror
                    .as_mut()
                    .ok_or("this performer does not mirror anyone; send {\"mimic\": {}} first")?;
                mirror.see(&sighting, now);
                Ok(Accepted { noticed: Some(Box::new(mirror.noticed())), ..Accepted::default() })
            }
        }
    }

    /// Starts or stops mirroring a person.
    pub(super) fn mimic(&mut self, manner: Option<Manner>) -> Result<(), String> {
        if self.info.is_preview {
            return Err(ONLY_A_CLIP.to_owned());
        }
        match (manner, &mut self.mirror) {
            (None, _) => self.mirror = None,
            (Some(manner), Some(mirror)) => mirror.set_manner(manner),
            (Some(manner), None) => self.mirror = Some(Box::new(self.new_mirror(manner))),
        }
        Ok(())
    }

    fn new_mirror(&self, manner: Manner) -> Mirror {
        Mirror::new(self.hosted.performer().library(), manner, self.role.begins.seed)
    }

    /// Processes a tracker's observation of the mirrored person. Starts mirroring if it was off.
    pub(super) fn meet(&mut self, person: &Person) {
        if self.mirror.is_none() && self.mimic(Some(Manner::default())).is_err() {
            return;
        }
        if let Some(mirror) = &mut self.mirror {
            mirror.see_person(person);
        }
    }

    /// Responds to the mirrored person. Responses that fail because the character was edited are dropped.
    fn answer(&mut self, now: f64) {
        let asks = self.mirror.as_mut().map_or_else(Vec::new, |mirror| mirror.due_commands(now));
        for ask in asks {
            let _ = self.ask(ask);
        }
    }

    /// Executes a request that changes the performance, and logs it.
    pub(super) fn ask(&mut self, ask: Command) -> Result<Accepted, String> {
        if self.info.is_preview {
            return Err(ONLY_A_CLIP.to_owned());
        }
        let (intent, ask) = self.hosted.apply_logged(ask).map_err(|error| error.to_string())?;
        if let Command::SetTemperament(temperament) = &ask {
            self.role.begins.temperament = **temperament;
            self.update_info();
        }
        let is_line = matches!(&ask, Command::Intent(intent) if matches!(**intent, Intent::Say(_)));
        let line = self.hosted.performer().last_line().filter(|_| is_line);
        self.past.note(self.now(), !self.is_seen, ask);
        self.plan_soon();
        Ok(Accepted { intent, at: line.map(|line| line.from), noticed: None })
    }

    /// Drives the performer with a tracker's sample. Previews ignore it.
    pub(super) fn drive(&mut self, sample: BodySample, trust: Trust) {
        if self.info.is_preview {
            return;
        }
        // This cannot fail.
        if let Ok((_, ask)) = self.hosted.apply_logged(Command::Drive(Arc::new(sample), trust)) {
            self.past.note(self.now(), !self.is_seen, ask);
        }
    }

    /// Updates the performer to an edited character. Returns false if the performance must start again.
    pub(super) fn adopt(&mut self, ready: &Arc<Ready>) -> bool {
        let replaced = std::mem::replace(&mut self.role.ready, Arc::clone(ready));
        let (old, new) = (&replaced.bound, &ready.bound);
        let is_same_body = replaced.avatar_revision == ready.avatar_revision
            && old.behaviour.is_some() == new.behaviour.is_some();
        let behaviour = new.behaviour.clone();
        let behaviour = behaviour.filter(|_| self.role.begins.unasked && old.behaviour != new.behaviour);
        if !is_same_body || self.ask(Command::SetRepertoire(Arc::clone(&new.library), behaviour)).is_err() {
            return false;
        }
        if self.role.begins.lives && old.learned != new.learned {
            // This cannot fail, and a change of temperament cannot fail either.
            let _ = self.ask(Command::SetEyeModels(new.learned.clone()));
        }
        if old.temperament != new.temperament {
            let _ = self.ask(Command::SetTemperament(Box::new(new.temperament)));
        }
        // The stances may have changed.
        if let Some(manner) = self.mirror.as_ref().map(|mirror| mirror.manner()) {
            self.mirror = Some(Box::new(self.new_mirror(manner)));
        }
        self.update_info();
        true
    }

    fn update_info(&mut self) {
        self.info = Arc::new(Info::new(&self.slot, &self.role, self.info.is_preview, self.info.performance));
    }

    /// Returns the time of the performance at a tick, in seconds.
    pub(super) fn time_of(&self, tick: u64, fps: f64) -> f64 {
        tick.saturating_sub(self.origin) as f64 / fps
    }

    /// Computes the frame of a tick, which is published later.
    pub(super) fn prepare(&mut self, tick: u64, fps: f64, forecasts: &Forecasts) {
        let time = self.time_of(tick, fps);
        self.answer(time);
        self.hosted.advance_to(time);
        self.is_seen = true;
        self.update_board(time);
        if time >= self.plan_due && self.slot.planners.load(Ordering::Relaxed) > 0 {
            (self.planned, self.plan_due) = (time, time + PLAN_SECS);
            forecasts.send(self.job(None));
        }
        if self.past.is_due(time) {
            self.past.keep(time, self.hosted.performer());
        }
        let frame = self.frame(time);
        self.next = Some(Arc::new(Newest::new(&self.info, &frame, self.activity(), self.past.kept_from())));
    }

    /// Adds events and finished actions to the board. If the board is locked, they are added at the next frame.
    fn update_board(&mut self, now: f64) {
        self.hosted.observe();
        let lanes = self.hosted.lanes();
        if lanes.finished.is_empty() && lanes.events.is_empty() {
            return;
        }
        if lanes.events.iter().any(|(_, what)| is_news(what)) {
            self.plan_soon();
        }
        if let Ok(mut board) = self.slot.board.try_lock() {
            self.over = board.put(self.hosted.lanes_mut(), now);
            self.slot.set_events(board.events_end());
        }
    }

    fn plan_soon(&mut self) {
        self.plan_due = self.plan_due.min(self.planned + MIN_PLAN_SECS);
    }

    /// Returns a copy of the performer that will run ahead.
    pub(super) fn job(&self, reply: Option<oneshot::Sender<Plan>>) -> Job {
        let over = self.over + self.hosted.lanes().finished.len() as u64;
        Job::new(&self.slot, &self.hosted, (self.info.performance, over), reply)
    }

    fn activity(&self) -> vivant::eyes::blinking::Activity {
        self.hosted.performer().planner().map(vivant::body::plan::Planner::activity).unwrap_or_default()
    }

    fn frame(&self, time: f64) -> frame::Frame {
        frame_of(self.slot.number, time, self.hosted.performer())
    }

    /// Publishes the computed frame.
    pub(super) fn publish(&mut self) {
        if let Some(next) = self.next.take() {
            self.slot.show(next);
        }
    }

    /// Skips ticks without advancing the performance. Used after the machine slept.
    pub(super) fn sleep_through(&mut self, ticks: u64) {
        self.origin += ticks;
    }

    pub(super) fn recording(&self) -> Recording {
        self.past.recording(self.now(), Arc::clone(&self.role.ready))
    }
}

/// Returns the last frame of a performer in the form of the protocol.
fn frame_of(number: u16, time: f64, performer: &Performer) -> frame::Frame {
    let made = performer.frame();
    frame::Frame {
        number,
        time,
        root: made.root().to_array(),
        signals: signals::of(performer).map(|number| number as f32),
        rotations: Bone::ALL.into_iter().map(|bone| made.rotation(bone).to_array()).collect(),
        weights: made.weights().to_vec(),
    }
}

#[cfg(test)]
mod tests;
