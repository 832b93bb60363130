//! What was done and what is planned, for whoever looks at the timeline.
//!
//! The clock puts up what is over, a thread of its own lets a copy of the performer run ahead, and every
//! connection takes what it has not seen when it has time. Nothing waits for anyone.

use super::hub::{Seat, lock};
use super::past::KEPT_SECS;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Weak};
use tokio::sync::oneshot;
use vivant_host::{Hosted, Lanes};
use vivant_io::json::protocol::{Bar, Event, Happening, Plan};

/// How far a copy runs ahead, in seconds, and how closely it is looked at.
const AHEAD_SECS: f64 = 12.0;
const AHEAD_RATE: f64 = 30.0;
/// How many events are kept for those who are late.
const MAX_EVENTS: usize = 512;
/// A limit beyond what two minutes hold.
const MAX_BARS: usize = 4096;
/// How many forecasts may wait.
const MAX_JOBS: usize = 512;

/// A performer's timeline.
#[derive(Debug, Default)]
pub(super) struct Board {
    /// Bars that are over, and the number of the first.
    bars: VecDeque<Bar>,
    first_bar: u64,
    events: VecDeque<(f64, Happening)>,
    first_event: u64,
    forecast: Option<Arc<Forecast>>,
    /// Counts the performances under this name.
    era: u64,
}

/// What goes on and what comes, as it was known at one moment.
#[derive(Debug)]
pub(super) struct Forecast {
    at: f64,
    bars: Vec<Bar>,
    /// How many bars were over then.
    over: u64,
}

impl Board {
    /// Takes what has happened, and says how many bars were ever over.
    pub(super) fn put(&mut self, lanes: &mut Lanes, now: f64) -> u64 {
        self.bars.extend(lanes.over.drain(..));
        self.events.extend(lanes.events.drain(..));
        while self.bars.len() > MAX_BARS || self.bars.front().is_some_and(|bar| bar.end < now - KEPT_SECS) {
            self.bars.pop_front();
            self.first_bar += 1;
        }
        while self.events.len() > MAX_EVENTS
            || self.events.front().is_some_and(|(at, _)| *at < now - KEPT_SECS)
        {
            self.events.pop_front();
            self.first_event += 1;
        }
        self.over()
    }

    /// How many bars were ever over.
    fn over(&self) -> u64 {
        self.first_bar + self.bars.len() as u64
    }

    /// How many events there ever were.
    pub(super) fn events_end(&self) -> u64 {
        self.first_event + self.events.len() as u64
    }

    /// Begins anew, for another performance under the same name. Numbers go on; the era and how many bars were
    /// ever over are given.
    pub(super) fn clear(&mut self) -> (u64, u64) {
        (self.first_bar, self.first_event) = (self.over(), self.events_end());
        self.bars.clear();
        self.events.clear();
        self.forecast = None;
        self.era += 1;
        (self.era, self.over())
    }

    /// The events from a number on, how many are no longer there, and the number to go on with.
    pub(super) fn events_from(&self, name: &str, next: u64) -> (Vec<Event>, u64, u64) {
        let missed = self.first_event.saturating_sub(next);
        let skip = next.saturating_sub(self.first_event) as usize;
        let event = |(at, what): &(f64, Happening)| {
            let (performer, at, what) = (name.to_owned(), *at, what.clone());
            Event { performer, at, what }
        };
        (self.events.iter().skip(skip).map(event).collect(), missed, self.events_end())
    }

    /// The newest plan, if it is newer than what was told last; of the past what ended since then.
    pub(super) fn plan(&self, name: &str, told: Option<f64>) -> Option<Plan> {
        let forecast = self.forecast.as_ref().filter(|forecast| told != Some(forecast.at))?;
        Some(self.plan_with(name, forecast, told))
    }

    fn plan_with(&self, name: &str, forecast: &Forecast, told: Option<f64>) -> Plan {
        let since = told.unwrap_or((forecast.at - KEPT_SECS).max(0.0));
        let over = forecast.over.saturating_sub(self.first_bar) as usize;
        let past = self.bars.iter().take(over).filter(|bar| bar.end >= since);
        let mut bars: Vec<Bar> = past.chain(&forecast.bars).cloned().collect();
        bars.sort_by(|a, b| a.start.total_cmp(&b.start));
        Plan { performer: name.to_owned(), at: forecast.at, since, until: forecast.at + AHEAD_SECS, bars }
    }
}

/// A copy that is to run ahead.
pub(super) struct Job {
    seat: Weak<Seat>,
    hosted: Hosted,
    at: f64,
    era: u64,
    over: u64,
    /// Who waits for it, if it is for one alone.
    reply: Option<oneshot::Sender<Plan>>,
}

impl Job {
    /// A copy of a performer as it is now, of an era in which so many bars are over.
    pub(super) fn new(
        seat: &Arc<Seat>,
        hosted: &Hosted,
        (era, over): (u64, u64),
        reply: Option<oneshot::Sender<Plan>>,
    ) -> Self {
        let (at, seat) = (hosted.frame().time(), Arc::downgrade(seat));
        Self { seat, hosted: hosted.clone(), at, era, over, reply }
    }

    fn run(self) {
        let Some(seat) = self.seat.upgrade() else { return };
        let Self { mut hosted, at, era, over, reply, .. } = self;
        hosted.lanes_mut().over.clear();
        hosted.lanes_mut().events.clear();
        let first = (at * AHEAD_RATE).floor() as u64 + 1;
        for step in first..=((at + AHEAD_SECS) * AHEAD_RATE) as u64 {
            hosted.advance_to(step as f64 / AHEAD_RATE);
            hosted.observe();
        }
        let lanes = hosted.lanes();
        let open = lanes.open().cloned();
        let planned = |bar: Bar| Bar { planned: bar.start > at, ..bar };
        let bars: Vec<Bar> = lanes.over.iter().cloned().chain(open).map(planned).collect();
        let forecast = Arc::new(Forecast { at, bars, over });
        let mut board = lock(&seat.board);
        match reply {
            Some(reply) => drop(reply.send(board.plan_with(&seat.name, &forecast, None))),
            None => {
                // Another performance may have begun under this name.
                let is_late = board.forecast.as_ref().is_some_and(|last| last.at > at);
                if board.era == era && !is_late {
                    board.forecast = Some(forecast);
                    drop(board);
                    seat.told_plan();
                }
            }
        }
    }
}

/// Where copies are sent to run ahead.
#[derive(Clone)]
pub(super) struct Forecasts(SyncSender<Job>);

impl Forecasts {
    /// Starts the thread; it ends when nobody can send to it any more.
    pub(super) fn start() -> std::io::Result<Self> {
        let (jobs, waiting) = sync_channel(MAX_JOBS);
        std::thread::Builder::new().name("forecast".into()).spawn(move || run(&waiting))?;
        Ok(Self(jobs))
    }

    /// Sends a copy. If too many wait, it is dropped: the next one is newer anyway.
    pub(super) fn send(&self, job: Job) {
        match self.0.try_send(job) {
            Ok(()) | Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {}
        }
    }
}

/// Of several forecasts for one performer only the newest is made.
fn run(waiting: &Receiver<Job>) {
    while let Ok(first) = waiting.recv() {
        let mut jobs = vec![first];
        jobs.extend(waiting.try_iter());
        while let Some(job) = jobs.pop() {
            let is_same = |other: &mut Job| other.reply.is_none() && other.seat.ptr_eq(&job.seat);
            jobs.extract_if(.., is_same).for_each(drop);
            job.run();
        }
    }
}
