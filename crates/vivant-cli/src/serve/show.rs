//! One performer on the server: it is asked, it performs, and its past is kept.

use super::board::{Forecasts, Job};
use super::hub::{Info, Newest, Seat, lock};
use super::lanes::Lanes;
use super::past::{MAX_LOG_BYTES, Past, Recording};
use crate::stage::someone_ahead;
use crate::trace::looking;
use crate::workspace::Ready;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::sync::oneshot;
use vivant::body::behaviour::Behaviour;
use vivant::body::driven::{BodySample, Trust};
use vivant::body::library::Library;
use vivant::clip::Clip;
use vivant::eyes::{Look, Target, Temperament};
use vivant::intent::Intent;
use vivant::performer::{Performer, Play};
use vivant::pose::Pose;
use vivant::rig::{Bone, BoneSet};
use vivant_io::json::protocol::{Happening, PerformerInfo, Plan, frame};

/// What can be asked of a performer.
#[derive(Clone)]
pub(super) enum Ask {
    Intend(Arc<Intent>),
    Temper(Box<Temperament>),
    /// Someone is here. What is new has to be attended to; what has only moved is followed already.
    Attend {
        place: [f64; 3],
        is_new: bool,
    },
    /// Look at something that may move.
    Follow {
        place: [f64; 3],
        is_new: bool,
    },
    LookFreely,
    /// Go on with another repertoire, and with another behaviour if there is one.
    Adopt(Arc<Ready>, Option<Arc<Behaviour>>),
    /// Have the eyes that the character has now.
    Learn(Arc<Ready>),
    /// What a tracker saw, and how far it is believed.
    Drive(Arc<BodySample>, Trust),
}

impl Ask {
    /// About how much memory it takes.
    pub(super) fn bytes(&self) -> usize {
        let text = match self {
            Self::Intend(intent) => match &**intent {
                Intent::Say(say) => say.say.len(),
                Intent::Act(act) => {
                    act.tags.iter().chain(&act.clip).chain(&act.stance).map(|word| word.len() + 24).sum()
                }
                Intent::Stance(stance) => stance.stance.len(),
                _ => 0,
            },
            Self::Temper(_) => size_of::<Temperament>(),
            // A whole library with all its motions: of those that were edited away, only a few are kept.
            Self::Adopt(..) | Self::Learn(_) => MAX_LOG_BYTES / KEPT_LIBRARIES,
            // There are sixty a second: they may take more than all else.
            Self::Drive(sample, _) => {
                return (size_of::<BodySample>() + 4 * sample.weights.len()) / SAMPLES_MAY_TAKE;
            }
            _ => 0,
        };
        text + 256
    }
}

/// How many times as much as all else samples of trackers may take: two minutes of them fit.
const SAMPLES_MAY_TAKE: usize = 8;

/// How many repertoires that somebody edited away the past may hold.
const KEPT_LIBRARIES: usize = 4;

/// How often plans are made, in seconds, if nothing happens; and how often at most.
const PLAN_SECS: f64 = 1.0;
const LEAST_PLAN_SECS: f64 = 0.1;

/// Whether the plan is another after it.
fn is_news(what: &Happening) -> bool {
    matches!(what, Happening::Began { .. } | Happening::Cut { .. } | Happening::Dropped { .. })
}

/// Whom eyes attend to, and whom they follow.
const VIEWER: &str = "viewer";
const FOLLOWED: &str = "followed";

/// Does what is asked, now. This is all that ever changes a performance, in the present and when it is played
/// again.
pub(super) fn obey(performer: &mut Performer, ask: &Ask) -> vivant::Result<Option<u64>> {
    let now = performer.frame().time();
    match ask {
        Ask::Intend(intent) => return performer.intend(intent),
        Ask::Temper(temperament) => {
            // Who was still until now begins to live.
            let is_still = performer.gaze().is_none();
            temper(performer, now, temperament);
            if is_still {
                performer.eyes().live(now);
            }
        }
        Ask::Attend { place, is_new } => {
            let eyes = performer.eyes();
            let viewer = eyes.target(VIEWER);
            eyes.move_target(now, viewer, *place);
            if *is_new {
                eyes.attend(now, Target::Named(viewer));
            }
        }
        Ask::Follow { place, is_new } => {
            let eyes = performer.eyes();
            let followed = eyes.target(FOLLOWED);
            eyes.move_target(now, followed, *place);
            if *is_new {
                eyes.look(Look { at: now, ..Look::at(Target::Named(followed)) });
            }
        }
        Ask::LookFreely => performer.eyes().look_freely(now),
        Ask::Learn(ready) => performer.eyes().learn(&ready.learned),
        Ask::Drive(sample, trust) => {
            performer.trust(*trust);
            performer.drive(BodySample::clone(sample));
        }
        Ask::Adopt(ready, behaviour) => {
            performer.adopt(Arc::clone(&ready.library))?;
            if let Some(behaviour) = behaviour {
                performer.behave(now, Arc::clone(behaviour));
            }
        }
    }
    Ok(None)
}

fn temper(performer: &mut Performer, now: f64, temperament: &Temperament) {
    performer.breathe(now, temperament.liveliness);
    performer.eyes().set_temperament(now, *temperament);
}

/// How a performer begins.
#[derive(Clone)]
pub(super) struct Role {
    pub(super) ready: Arc<Ready>,
    pub(super) seed: u64,
    pub(super) temperament: Temperament,
    /// Whether it acts by itself.
    pub(super) unasked: bool,
    /// Whether it breathes, blinks and looks about.
    pub(super) lives: bool,
    /// Whom it attends to at first; by default someone ahead.
    pub(super) attend: Option<[f64; 3]>,
}

impl Role {
    /// A performer at time 0.
    pub(super) fn performer(&self) -> Performer {
        let ready = &self.ready;
        let mut performer = Performer::new(Arc::clone(&ready.library), self.seed);
        match (self.unasked, ready.improvises) {
            (true, true) => performer.improvise(0.0),
            (true, false) => performer.behave(0.0, Arc::clone(&ready.behaviour)),
            (false, _) => {}
        }
        if self.lives {
            performer.eyes().learn(&ready.learned);
            temper(&mut performer, 0.0, &self.temperament);
            let eyes = performer.eyes();
            eyes.attend(0.0, Target::Point(self.attend.unwrap_or_else(|| someone_ahead(&ready.rig))));
            eyes.live(0.0);
        }
        performer.advance_to(0.0);
        performer
    }

    /// A performer that shows a clip, again and again, and has no life of its own.
    pub(super) fn preview(&self, clip: &Clip, (start, end): (f64, Option<f64>)) -> Performer {
        let rig = &self.ready.rig;
        let (clip, _) = clip.fitted_to(rig);
        let library = Library::new(rig.clone(), Pose::neutral(rig), &[clip]);
        let mut performer = Performer::new(library, self.seed);
        let mask = Some(BoneSet::ALL);
        performer.play(Play { looped: true, mask, blend_in: 0.0, from: start, to: end, ..Play::clip(0) });
        performer.advance_to(0.0);
        performer
    }
}

/// A performer at work.
pub(super) struct Show {
    pub(super) seat: Arc<Seat>,
    pub(super) role: Role,
    info: Arc<Info>,
    performer: Performer,
    /// The clock's tick at its time 0.
    origin: u64,
    /// Whether it has made a frame that was seen.
    is_seen: bool,
    is_attending: bool,
    is_following: bool,
    past: Past,
    lanes: Lanes,
    /// How many bars the board knows to be over.
    over: u64,
    /// When a plan was last made, and when the next one is due, in seconds.
    planned: f64,
    plan_due: f64,
    numbers: Vec<f64>,
    /// The frame that waits for its time.
    next: Option<Arc<Newest>>,
}

impl Show {
    pub(super) fn new(
        seat: Arc<Seat>,
        role: Role,
        performer: Performer,
        is_preview: bool,
        tick: u64,
    ) -> Self {
        let (era, over) = lock(&seat.board).clear();
        let info = Arc::new(Info::new(&seat, &role, is_preview, era));
        Self {
            past: Past::new(&performer, seat.number),
            lanes: Lanes::new(&role),
            over,
            planned: f64::NEG_INFINITY,
            plan_due: 0.0,
            seat,
            role,
            info,
            performer,
            origin: tick,
            is_seen: false,
            is_attending: false,
            is_following: false,
            numbers: Vec::with_capacity(16),
            next: None,
        }
    }

    /// What is told of it before its first frame was shown.
    pub(super) fn first_told(&mut self) -> PerformerInfo {
        let frame = self.frame(self.now());
        Newest::new(&self.info, &frame, self.activity(), self.past.kept_from()).performer()
    }

    /// Whether it only shows a clip.
    pub(super) fn is_preview(&self) -> bool {
        self.info.is_preview
    }

    /// The time of its last frame, in seconds.
    pub(super) fn now(&self) -> f64 {
        self.performer.frame().time()
    }

    /// Asks it for something.
    pub(super) fn ask(&mut self, ask: Ask) -> Result<Option<u64>, String> {
        if self.info.is_preview {
            return Err("it only shows a clip; ask a performer that was cast without `clip`".to_owned());
        }
        let ask = self.with_news(ask);
        let wish = obey(&mut self.performer, &ask).map_err(|error| error.to_string())?;
        if let Ask::Temper(temperament) = &ask {
            self.role.temperament = **temperament;
            self.retell();
        }
        for remark in self.performer.take_remarks() {
            self.lanes.remark(self.now(), wish.unwrap_or_default(), remark);
        }
        self.lanes.asked(self.now(), &ask);
        self.past.note(self.now(), !self.is_seen, ask);
        self.plan_soon();
        Ok(wish)
    }

    /// Lets a tracker drive it. Who only shows a clip is not driven.
    pub(super) fn drive(&mut self, sample: BodySample, trust: Trust) {
        if self.info.is_preview {
            return;
        }
        let ask = Ask::Drive(Arc::new(sample), trust);
        // This cannot fail.
        let _ = obey(&mut self.performer, &ask);
        self.past.note(self.now(), !self.is_seen, ask);
    }

    /// Goes on with its character as it is now; `false` if that is only possible anew.
    pub(super) fn adopt(&mut self, ready: &Arc<Ready>) -> bool {
        let old = std::mem::replace(&mut self.role.ready, Arc::clone(ready));
        let is_same_body = old.avatar_revision == ready.avatar_revision && old.improvises == ready.improvises;
        let behaviour =
            (self.role.unasked && old.behaviour != ready.behaviour).then(|| ready.behaviour.clone());
        if !is_same_body || self.ask(Ask::Adopt(Arc::clone(ready), behaviour)).is_err() {
            return false;
        }
        if self.role.lives && old.learned != ready.learned {
            // This cannot fail, nor can a change of temperament.
            let _ = self.ask(Ask::Learn(Arc::clone(ready)));
        }
        if old.temperament != ready.temperament {
            let _ = self.ask(Ask::Temper(Box::new(ready.temperament)));
        }
        self.retell();
        true
    }

    /// Says whether a target is new or only moved: attending anew to whom one attends to would be a jump.
    fn with_news(&mut self, ask: Ask) -> Ask {
        match ask {
            Ask::Attend { place, .. } => {
                Ask::Attend { place, is_new: !std::mem::replace(&mut self.is_attending, true) }
            }
            Ask::Follow { place, .. } => {
                Ask::Follow { place, is_new: !std::mem::replace(&mut self.is_following, true) }
            }
            Ask::LookFreely => {
                self.is_following = false;
                ask
            }
            Ask::Intend(ref intent) if matches!(**intent, Intent::Look(_)) => {
                self.is_following = false;
                ask
            }
            other => other,
        }
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
        self.performer.advance_to(time);
        self.is_seen = true;
        self.put_up(time);
        if time >= self.plan_due && self.seat.planners.load(Ordering::Relaxed) > 0 {
            (self.planned, self.plan_due) = (time, time + PLAN_SECS);
            forecasts.send(self.job(None));
        }
        if self.past.is_due(time) {
            self.past.keep(time, &self.performer);
        }
        let frame = self.frame(time);
        self.next = Some(Arc::new(Newest::new(&self.info, &frame, self.activity(), self.past.kept_from())));
    }

    /// Puts up what has happened, unless somebody looks at the board this very moment: then the next time.
    fn put_up(&mut self, now: f64) {
        self.lanes.look_on(&mut self.performer);
        if self.lanes.over.is_empty() && self.lanes.events.is_empty() {
            return;
        }
        if self.lanes.events.iter().any(|(_, what)| is_news(what)) {
            self.plan_soon();
        }
        if let Ok(mut board) = self.seat.board.try_lock() {
            self.over = board.put(&mut self.lanes, now);
            self.seat.told_events(board.events_end());
        }
    }

    fn plan_soon(&mut self) {
        self.plan_due = self.plan_due.min(self.planned + LEAST_PLAN_SECS);
    }

    /// A copy that runs ahead.
    pub(super) fn job(&self, reply: Option<oneshot::Sender<Plan>>) -> Job {
        let over = self.over + self.lanes.over.len() as u64;
        Job::new(&self.seat, &self.performer, &self.lanes, (self.info.era, over), reply)
    }

    fn activity(&self) -> vivant::eyes::blinking::Activity {
        self.performer.planner().map(vivant::body::plan::Planner::activity).unwrap_or_default()
    }

    fn frame(&mut self, time: f64) -> frame::Frame {
        frame_of(self.seat.number, time, &self.performer, &mut self.numbers)
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

/// The last frame that a performer made, as it goes over the wire. `numbers` is scratch.
fn frame_of(number: u16, time: f64, performer: &Performer, numbers: &mut Vec<f64>) -> frame::Frame {
    numbers.clear();
    push_signals(performer, numbers);
    let made = performer.frame();
    frame::Frame {
        number,
        time,
        root: made.root().to_array(),
        signals: std::array::from_fn(|index| numbers[index] as f32),
        rotations: Bone::ALL.into_iter().map(|bone| made.rotation(bone).to_array()).collect(),
        weights: made.weights().to_vec(),
    }
}

/// What eyes, lids and head do, as the columns of a trace have it; of who has no eyes, nothing, with open lids.
pub(super) fn push_signals(performer: &Performer, row: &mut Vec<f64>) {
    match performer.gaze() {
        Some(gaze) => looking::push(gaze, row),
        None => row.extend([0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 1., 1., 0.]),
    }
}

#[cfg(test)]
mod tests;
