//! Timeline of a performer: past and planned actions, for viewers.
//!
//! The clock adds finished actions, and a separate thread runs a copy of the performer ahead. Every connection
//! fetches the entries that it has not received yet. No thread waits for another.

use super::hub::{PerformerSlot, lock};
use super::past::KEPT_SECS;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Weak};
use tokio::sync::oneshot;
use vivant_host::{Hosted, Lanes};
use vivant_io::json::protocol::{Bar, Event, EventKind, Plan};

/// Seconds by which the copy of a performer runs ahead.
const AHEAD_SECS: f64 = 12.0;
/// Frames per second at which the copy is observed.
const AHEAD_RATE: f64 = 30.0;
/// Number of events kept for slow connections.
const MAX_EVENTS: usize = 512;
/// Maximum number of bars. Two minutes contain fewer bars.
const MAX_BARS: usize = 4096;
/// Maximum number of waiting forecasts.
const MAX_JOBS: usize = 512;

/// A performer's timeline.
#[derive(Debug, Default)]
pub(super) struct Board {
    /// Finished bars. Each bar is one entry of the timeline, such as an action.
    bars: VecDeque<Bar>,
    /// Number of the oldest stored bar. Bars are numbered in the order in which they finish.
    first_bar: u64,
    events: VecDeque<(f64, EventKind)>,
    first_event: u64,
    forecast: Option<Arc<Forecast>>,
    /// Number of performances under this name so far.
    performance: u64,
}

/// Current and planned actions, as known at one moment.
#[derive(Debug)]
pub(super) struct Forecast {
    at: f64,
    bars: Vec<Bar>,
    /// Number of finished bars at the moment of the forecast.
    over: u64,
}

impl Board {
    /// Adds finished bars and events, and returns the number of bars finished so far.
    pub(super) fn put(&mut self, lanes: &mut Lanes, now: f64) -> u64 {
        self.bars.extend(lanes.finished.drain(..));
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

    /// Returns the number of bars finished so far.
    fn over(&self) -> u64 {
        self.first_bar + self.bars.len() as u64
    }

    /// Returns the number of events so far.
    pub(super) fn events_end(&self) -> u64 {
        self.first_event + self.events.len() as u64
    }

    /// Clears the timeline for another performance under the same name. The numbering continues. Returns the number
    /// of performances under this name and the number of bars finished so far.
    pub(super) fn clear(&mut self) -> (u64, u64) {
        (self.first_bar, self.first_event) = (self.over(), self.events_end());
        self.bars.clear();
        self.events.clear();
        self.forecast = None;
        self.performance += 1;
        (self.performance, self.over())
    }

    /// Returns the events from number `next` on, the number of missed events, and the number of the event after the
    /// last one.
    pub(super) fn events_from(&self, name: &str, next: u64) -> (Vec<Event>, u64, u64) {
        let missed = self.first_event.saturating_sub(next);
        let skip = next.saturating_sub(self.first_event) as usize;
        let event = |(at, what): &(f64, EventKind)| {
            let (performer, at, what) = (name.to_owned(), *at, what.clone());
            Event { performer, at, what }
        };
        (self.events.iter().skip(skip).map(event).collect(), missed, self.events_end())
    }

    /// Returns the newest plan, with the bars that ended since the plan of time `sent`. Returns `None` if the newest
    /// plan is that plan.
    pub(super) fn plan(&self, name: &str, sent: Option<f64>) -> Option<Plan> {
        let forecast = self.forecast.as_ref().filter(|forecast| sent != Some(forecast.at))?;
        Some(self.plan_with(name, forecast, sent))
    }

    fn plan_with(&self, name: &str, forecast: &Forecast, sent: Option<f64>) -> Plan {
        let since = sent.unwrap_or((forecast.at - KEPT_SECS).max(0.0));
        let over = forecast.over.saturating_sub(self.first_bar) as usize;
        let past = self.bars.iter().take(over).filter(|bar| bar.end >= since);
        let mut bars: Vec<Bar> = past.chain(&forecast.bars).cloned().collect();
        bars.sort_by(|a, b| a.start.total_cmp(&b.start));
        Plan { performer: name.to_owned(), at: forecast.at, since, until: forecast.at + AHEAD_SECS, bars }
    }
}

/// A copy of a performer that will run ahead.
pub(super) struct Job {
    slot: Weak<PerformerSlot>,
    hosted: Hosted,
    at: f64,
    performance: u64,
    over: u64,
    /// The channel for the plan, if only one client requested it.
    reply: Option<oneshot::Sender<Plan>>,
}

impl Job {
    /// Copies a performer in its current state. `performance` is the number of performances under its name, and `over` is the
    /// number of bars finished so far.
    pub(super) fn new(
        slot: &Arc<PerformerSlot>,
        hosted: &Hosted,
        (performance, over): (u64, u64),
        reply: Option<oneshot::Sender<Plan>>,
    ) -> Self {
        let (at, slot) = (hosted.frame().time(), Arc::downgrade(slot));
        Self { slot, hosted: hosted.clone(), at, performance, over, reply }
    }

    fn run(self) {
        let Some(slot) = self.slot.upgrade() else { return };
        let Self { mut hosted, at, performance, over, reply, .. } = self;
        hosted.lanes_mut().finished.clear();
        hosted.lanes_mut().events.clear();
        let first = (at * AHEAD_RATE).floor() as u64 + 1;
        for step in first..=((at + AHEAD_SECS) * AHEAD_RATE) as u64 {
            hosted.advance_to(step as f64 / AHEAD_RATE);
            hosted.observe();
        }
        let lanes = hosted.lanes();
        let open = lanes.open().cloned();
        let planned = |bar: Bar| Bar { planned: bar.start > at, ..bar };
        let bars: Vec<Bar> = lanes.finished.iter().cloned().chain(open).map(planned).collect();
        let forecast = Arc::new(Forecast { at, bars, over });
        let mut board = lock(&slot.board);
        match reply {
            Some(reply) => drop(reply.send(board.plan_with(&slot.name, &forecast, None))),
            None => {
                // Another performance may have started under this name in the meantime.
                let is_late = board.forecast.as_ref().is_some_and(|last| last.at > at);
                if board.performance == performance && !is_late {
                    board.forecast = Some(forecast);
                    drop(board);
                    slot.count_plan();
                }
            }
        }
    }
}

/// The queue of copies that will run ahead.
#[derive(Clone)]
pub(super) struct Forecasts(SyncSender<Job>);

impl Forecasts {
    /// Starts the thread. The thread ends when all senders are dropped.
    pub(super) fn start() -> std::io::Result<Self> {
        let (jobs, waiting) = sync_channel(MAX_JOBS);
        std::thread::Builder::new().name("forecast".into()).spawn(move || run(&waiting))?;
        Ok(Self(jobs))
    }

    /// Sends a copy to the queue. If the queue is full, the copy is dropped, since a newer copy will follow.
    pub(super) fn send(&self, job: Job) {
        match self.0.try_send(job) {
            Ok(()) | Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {}
        }
    }
}

/// Computes forecasts. If several forecasts for one performer are waiting, only the newest is computed.
fn run(waiting: &Receiver<Job>) {
    while let Ok(first) = waiting.recv() {
        let mut jobs = vec![first];
        jobs.extend(waiting.try_iter());
        while let Some(job) = jobs.pop() {
            let is_same = |other: &mut Job| other.reply.is_none() && other.slot.ptr_eq(&job.slot);
            jobs.extract_if(.., is_same).for_each(drop);
            job.run();
        }
    }
}
