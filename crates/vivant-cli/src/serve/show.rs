//! One performer on the server: it is asked, it performs, and its past is kept.

use super::board::{Forecasts, Job};
use super::hub::{Info, Newest, Seat, Taken, Wanted, lock};
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
use vivant_host::{Ask, BoundCharacter, Hosted, Mirror, signals};
use vivant_io::json::protocol::{Happening, PerformerInfo, Plan, frame};

/// About how much memory it takes to remember what was asked.
pub(super) fn bytes(ask: &Ask) -> usize {
    let text = match ask {
        Ask::Intend(intent) => match &**intent {
            Intent::Say(say) => say_bytes(say),
            Intent::Act(act) => {
                act.tags.iter().chain(&act.clip).chain(&act.stance).map(|word| word.len() + 24).sum()
            }
            Intent::Stance(stance) => stance.stance.len(),
            _ => 0,
        },
        Ask::Temper(_) => size_of::<Temperament>(),
        // A whole library with all its motions: of those that were edited away, only a few are kept.
        Ask::Adopt(..) | Ask::Learn(_) => MAX_LOG_BYTES / KEPT_LIBRARIES,
        // There are sixty a second: they may take more than all else.
        Ask::Drive(sample, _) => {
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

/// How many times as much as all else samples of trackers may take: two minutes of them fit.
const SAMPLES_MAY_TAKE: usize = 8;

/// How many repertoires that somebody edited away the past may hold.
const KEPT_LIBRARIES: usize = 4;

/// What is said to who asks for more.
const ONLY_A_CLIP: &str = "it only shows a clip; ask a performer that was cast without `clip`";

/// How often plans are made, in seconds, if nothing happens; and how often at most.
const PLAN_SECS: f64 = 1.0;
const LEAST_PLAN_SECS: f64 = 0.1;

/// Whether the plan is another after it.
fn is_news(what: &Happening) -> bool {
    matches!(what, Happening::Began { .. } | Happening::Cut { .. } | Happening::Dropped { .. })
}

/// Who performs, and how it begins.
#[derive(Clone)]
pub(super) struct Role {
    pub(super) ready: Arc<Ready>,
    pub(super) begins: vivant_host::Role,
}

impl Role {
    /// A performer at time 0.
    pub(super) fn performer(&self) -> Hosted {
        let mut hosted = self.hosted();
        hosted.advance_to(0.0);
        hosted
    }

    /// The same, with intents that it got before it began.
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

    /// A performer that shows a clip, again and again, and has no life of its own.
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

/// A performer at work.
pub(super) struct Show {
    pub(super) seat: Arc<Seat>,
    pub(super) role: Role,
    info: Arc<Info>,
    hosted: Hosted,
    /// The clock's tick at its time 0.
    origin: u64,
    /// Whether it has made a frame that was seen.
    is_seen: bool,
    /// Whom it mirrors.
    mirror: Option<Box<Mirror>>,
    past: Past,
    /// How many bars the board knows to be over.
    over: u64,
    /// When a plan was last made, and when the next one is due, in seconds.
    planned: f64,
    plan_due: f64,
    /// The frame that waits for its time.
    next: Option<Arc<Newest>>,
}

impl Show {
    pub(super) fn new(seat: Arc<Seat>, role: Role, hosted: Hosted, is_preview: bool, tick: u64) -> Self {
        let (era, over) = lock(&seat.board).clear();
        let info = Arc::new(Info::new(&seat, &role, is_preview, era));
        Self {
            past: Past::new(hosted.performer(), seat.number),
            over,
            planned: f64::NEG_INFINITY,
            plan_due: 0.0,
            seat,
            role,
            info,
            hosted,
            origin: tick,
            is_seen: false,
            mirror: None,
            next: None,
        }
    }

    /// What is told of it before its first frame was shown.
    pub(super) fn first_told(&self) -> PerformerInfo {
        let frame = self.frame(self.now());
        Newest::new(&self.info, &frame, self.activity(), self.past.kept_from()).performer()
    }

    /// Whether it only shows a clip.
    pub(super) fn is_preview(&self) -> bool {
        self.info.is_preview
    }

    /// The time of its last frame, in seconds.
    pub(super) fn now(&self) -> f64 {
        self.hosted.frame().time()
    }

    /// Does what a client wants, at a time that is now.
    pub(super) fn want(&mut self, wanted: Wanted, now: f64) -> Result<Taken, String> {
        match wanted {
            Wanted::Ask(ask) => self.ask(ask),
            Wanted::Mimic(manner) => self.mimic(manner).map(|()| Taken::default()),
            Wanted::See(sighting) => {
                let mirror = self.mirror.as_mut().ok_or("it mirrors nobody; send {\"mimic\": {}} first")?;
                mirror.see(&sighting, now);
                Ok(Taken { noticed: Some(Box::new(mirror.noticed())), ..Taken::default() })
            }
        }
    }

    /// Mirrors a person from now on, or no longer.
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

    /// A tracker saw the person whom it mirrors. Whoever let a tracker in for that wants it to be mirrored.
    pub(super) fn meet(&mut self, person: &Person) {
        if self.mirror.is_none() && self.mimic(Some(Manner::default())).is_err() {
            return;
        }
        if let Some(mirror) = &mut self.mirror {
            mirror.see_person(person);
        }
    }

    /// Answers the person whom it mirrors. What it cannot do any more, because its character was edited, it leaves out.
    fn answer(&mut self, now: f64) {
        let asks = self.mirror.as_mut().map_or_else(Vec::new, |mirror| mirror.asks(now));
        for ask in asks {
            let _ = self.ask(ask);
        }
    }

    /// Asks it for something.
    pub(super) fn ask(&mut self, ask: Ask) -> Result<Taken, String> {
        if self.info.is_preview {
            return Err(ONLY_A_CLIP.to_owned());
        }
        let (wish, ask) = self.hosted.ask_logged(ask).map_err(|error| error.to_string())?;
        if let Ask::Temper(temperament) = &ask {
            self.role.begins.temperament = **temperament;
            self.retell();
        }
        let is_line = matches!(&ask, Ask::Intend(intent) if matches!(**intent, Intent::Say(_)));
        let line = self.hosted.performer().last_told().filter(|_| is_line);
        self.past.note(self.now(), !self.is_seen, ask);
        self.plan_soon();
        Ok(Taken { wish, at: line.map(|line| line.from), noticed: None })
    }

    /// Lets a tracker drive it. Who only shows a clip is not driven.
    pub(super) fn drive(&mut self, sample: BodySample, trust: Trust) {
        if self.info.is_preview {
            return;
        }
        // This cannot fail.
        if let Ok((_, ask)) = self.hosted.ask_logged(Ask::Drive(Arc::new(sample), trust)) {
            self.past.note(self.now(), !self.is_seen, ask);
        }
    }

    /// Goes on with its character as it is now; `false` if that is only possible anew.
    pub(super) fn adopt(&mut self, ready: &Arc<Ready>) -> bool {
        let replaced = std::mem::replace(&mut self.role.ready, Arc::clone(ready));
        let (old, new) = (&replaced.bound, &ready.bound);
        let is_same_body = replaced.avatar_revision == ready.avatar_revision
            && old.behaviour.is_some() == new.behaviour.is_some();
        let behaviour = new.behaviour.clone();
        let behaviour = behaviour.filter(|_| self.role.begins.unasked && old.behaviour != new.behaviour);
        if !is_same_body || self.ask(Ask::Adopt(Arc::clone(&new.library), behaviour)).is_err() {
            return false;
        }
        if self.role.begins.lives && old.learned != new.learned {
            // This cannot fail, nor can a change of temperament.
            let _ = self.ask(Ask::Learn(new.learned.clone()));
        }
        if old.temperament != new.temperament {
            let _ = self.ask(Ask::Temper(Box::new(new.temperament)));
        }
        // Its stances may be others now.
        if let Some(manner) = self.mirror.as_ref().map(|mirror| mirror.manner()) {
            self.mirror = Some(Box::new(self.new_mirror(manner)));
        }
        self.retell();
        true
    }

    fn retell(&mut self) {
        self.info = Arc::new(Info::new(&self.seat, &self.role, self.info.is_preview, self.info.era));
    }

    /// Its own time at a tick.
    pub(super) fn time_of(&self, tick: u64, fps: f64) -> f64 {
        tick.saturating_sub(self.origin) as f64 / fps
    }

    /// Makes the frame of a tick, which waits for its time.
    pub(super) fn prepare(&mut self, tick: u64, fps: f64, forecasts: &Forecasts) {
        let time = self.time_of(tick, fps);
        self.answer(time);
        self.hosted.advance_to(time);
        self.is_seen = true;
        self.put_up(time);
        if time >= self.plan_due && self.seat.planners.load(Ordering::Relaxed) > 0 {
            (self.planned, self.plan_due) = (time, time + PLAN_SECS);
            forecasts.send(self.job(None));
        }
        if self.past.is_due(time) {
            self.past.keep(time, self.hosted.performer());
        }
        let frame = self.frame(time);
        self.next = Some(Arc::new(Newest::new(&self.info, &frame, self.activity(), self.past.kept_from())));
    }

    /// Puts up what has happened, unless somebody looks at the board this very moment: then the next time.
    fn put_up(&mut self, now: f64) {
        self.hosted.observe();
        let lanes = self.hosted.lanes();
        if lanes.over.is_empty() && lanes.events.is_empty() {
            return;
        }
        if lanes.events.iter().any(|(_, what)| is_news(what)) {
            self.plan_soon();
        }
        if let Ok(mut board) = self.seat.board.try_lock() {
            self.over = board.put(self.hosted.lanes_mut(), now);
            self.seat.told_events(board.events_end());
        }
    }

    fn plan_soon(&mut self) {
        self.plan_due = self.plan_due.min(self.planned + LEAST_PLAN_SECS);
    }

    /// A copy that runs ahead.
    pub(super) fn job(&self, reply: Option<oneshot::Sender<Plan>>) -> Job {
        let over = self.over + self.hosted.lanes().over.len() as u64;
        Job::new(&self.seat, &self.hosted, (self.info.era, over), reply)
    }

    fn activity(&self) -> vivant::eyes::blinking::Activity {
        self.hosted.performer().planner().map(vivant::body::plan::Planner::activity).unwrap_or_default()
    }

    fn frame(&self, time: f64) -> frame::Frame {
        frame_of(self.seat.number, time, self.hosted.performer())
    }

    /// Shows the frame that waits.
    pub(super) fn publish(&mut self) {
        if let Some(next) = self.next.take() {
            self.seat.show(next);
        }
    }

    /// Its time moves on with the clock without anything happening: the machine slept.
    pub(super) fn sleep_through(&mut self, ticks: u64) {
        self.origin += ticks;
    }

    pub(super) fn recording(&self) -> Recording {
        self.past.recording(self.now(), Arc::clone(&self.role.ready))
    }
}

/// The last frame that a performer made, as it goes over the wire.
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
