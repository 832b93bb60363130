//! The clock: a thread that computes the frames of all performers and publishes them on time.
//!
//! The times of frames are multiples of 1/fps. The computation of a frame starts before the frame is due, by the time
//! that recent frames needed, and the frame is published when it is due. So two hundred performers are as punctual as
//! one. Since a busy machine wakes sleeping threads late, the clock publishes slightly early.

use super::board::Forecasts;
use super::hub::{
    Hub, MAX_PERFORMERS, NewPerformer, Order, PerformerRequest, PerformerSlot, Results, unknown_performer,
};
use super::show::LivePerformer;
use crate::fault::{Fault, Result};
use crate::workspace::Ready;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use vivant::body::driven::BodySample;
use vivant::mimicry::Person;
use vivant_io::json::protocol::{MAIN, PerformerInfo};

/// Maximum delay after which the clock still catches up with the wall clock. A longer delay means that the machine
/// slept; then performances continue where they stopped.
const MAX_BEHIND: Duration = Duration::from_millis(500);
/// Time before the due time at which a frame may already be published. A frame may be early by as much as it may be
/// late, so that a thread that wakes late is still on time.
const EARLY: Duration = Duration::from_micros(1900);
/// Additional time by which the computation of a frame starts earlier.
const HEADROOM: Duration = Duration::from_micros(500);

/// Starts the clock. The clock ends when the hub ends.
pub(super) fn start(hub: Arc<Hub>) -> Result<JoinHandle<()>> {
    let no_thread = |e: std::io::Error| {
        Fault::new(format!("cannot start the clock thread: {e}; close other programs and try again"))
    };
    let forecasts = Forecasts::start().map_err(no_thread)?;
    let run = move || Clock::new(hub, forecasts).run();
    let thread = std::thread::Builder::new().name("clock".into()).spawn(run);
    thread.map_err(no_thread)
}

struct Clock {
    hub: Arc<Hub>,
    performers: Performers,
    period: Duration,
    /// Time of tick 0.
    zero: Instant,
    tick: u64,
    /// Recent time to compute the frames of all performers.
    work: Duration,
}

impl Clock {
    fn new(hub: Arc<Hub>, forecasts: Forecasts) -> Self {
        let period = Duration::from_secs_f64(1.0 / hub.fps);
        let performers =
            Performers { hub: Arc::clone(&hub), forecasts, shows: Vec::new(), orders: Vec::new() };
        Self { hub, performers, period, zero: Instant::now(), tick: 0, work: Duration::ZERO }
    }

    fn run(mut self) {
        loop {
            let due = self.next_due();
            sleep_until(due.checked_sub(self.lead()).unwrap_or(due));
            let began = Instant::now();
            self.performers.prepare(self.tick, due);
            self.learn(began.elapsed());
            sleep_until(due.checked_sub(EARLY).unwrap_or(due));
            self.performers.publish();
            let late = due.elapsed();
            if !self.hub.publish_tick(self.tick) {
                return;
            }
            self.hub.stats.record(self.performers.shows.len() as u64, late);
        }
    }

    /// Advances to the next tick and returns the time at which it is due. Ticks that are already missed are skipped.
    fn next_due(&mut self) -> Instant {
        self.tick += 1;
        let behind = self.zero.elapsed().saturating_sub(self.since_zero());
        let missed = (behind.as_secs_f64() * self.hub.fps) as u64;
        if missed > 0 {
            self.hub.stats.skip(missed * self.performers.shows.len() as u64);
            self.tick += missed;
        }
        if behind > MAX_BEHIND {
            self.performers.shows.iter_mut().for_each(|show| show.sleep_through(missed));
        }
        self.zero + self.since_zero()
    }

    fn since_zero(&self) -> Duration {
        Duration::from_secs_f64(self.tick as f64 / self.hub.fps)
    }

    /// Returns the time before the due time at which the computation of a frame starts. It is limited so that
    /// requests do not wait.
    fn lead(&self) -> Duration {
        (self.work + self.work / 4 + HEADROOM + EARLY).min(self.period / 2)
    }

    /// Updates the recent computation time. Increases apply at once, and decreases apply slowly.
    fn learn(&mut self, work: Duration) {
        self.work = work.max(self.work - self.work / 64);
    }
}

fn sleep_until(time: Instant) {
    let left = time.saturating_duration_since(Instant::now());
    if !left.is_zero() {
        std::thread::sleep(left);
    }
}

/// All performers.
struct Performers {
    hub: Arc<Hub>,
    forecasts: Forecasts,
    shows: Vec<LivePerformer>,
    orders: Vec<Order>,
}

impl Performers {
    /// Computes the frames of a tick. `due` is the time at which the frames are published.
    fn prepare(&mut self, tick: u64, due: Instant) {
        let mut orders = std::mem::take(&mut self.orders);
        self.hub.take_orders(&mut orders);
        orders.drain(..).for_each(|order| self.carry_out(order, tick, due));
        self.orders = orders;
        let (fps, forecasts) = (self.hub.fps, &self.forecasts);
        self.shows.iter_mut().for_each(|show| show.prepare(tick, fps, forecasts));
    }

    fn publish(&mut self) {
        self.shows.iter_mut().for_each(LivePerformer::publish);
    }

    /// Executes an order. The reply is dropped if its receiver no longer exists.
    fn carry_out(&mut self, order: Order, tick: u64, due: Instant) {
        match order {
            Order::Ask { performers, wanted, reply } => {
                drop(reply.send(self.ask(&performers, &wanted, tick)));
            }
            Order::Cast { all, reply } => drop(reply.send(self.cast(all, tick))),
            Order::Dismiss { performers, reply } => drop(reply.send(self.dismiss(&performers))),
            Order::Leave(connection) => self.leave(connection),
            Order::Recall { performer, reply } => {
                let recording = self.show(&performer).map(|index| self.shows[index].recording());
                drop(reply.send(recording));
            }
            Order::Plan { performer, reply } => {
                if let Ok(index) = self.show(&performer) {
                    self.forecasts.send(self.shows[index].job(Some(reply)));
                }
            }
            Order::Adopt(ready) => self.adopt(&ready, tick),
            Order::Meet { performer, person, came } => {
                if let Ok(index) = self.show(&performer) {
                    let early = due.saturating_duration_since(came).as_secs_f64();
                    let show = &mut self.shows[index];
                    let secs = show.time_of(tick, self.hub.fps) - early;
                    show.meet(&Person { secs, ..*person });
                }
            }
            Order::Drive { performer, sample, trust, came } => {
                if let Ok(index) = self.show(&performer) {
                    let early = due.saturating_duration_since(came);
                    let show = &mut self.shows[index];
                    let secs = show.time_of(tick, self.hub.fps) - early.as_secs_f64();
                    show.drive(BodySample { secs, ..*sample }, trust);
                }
            }
        }
    }

    fn show(&self, name: &str) -> std::result::Result<usize, String> {
        let found = self.shows.iter().position(|show| show.slot.name == name);
        found.ok_or_else(|| unknown_performer(name, self.shows.iter().map(|show| show.slot.name.as_str())))
    }

    /// Applies a request to all given performers. If one of them does not exist, the request is applied to none.
    fn ask(
        &mut self,
        performers: &[String],
        wanted: &PerformerRequest,
        tick: u64,
    ) -> std::result::Result<Results, String> {
        let shows: Vec<usize> =
            performers.iter().map(|name| self.show(name)).collect::<std::result::Result<_, _>>()?;
        let mut results = Vec::with_capacity(shows.len());
        let mut faults = Vec::new();
        for index in shows {
            let show = &mut self.shows[index];
            let now = show.time_of(tick, self.hub.fps);
            match show.want(wanted.clone(), now) {
                Ok(result) => results.push(result),
                Err(fault) if performers.len() == 1 => faults.push(fault),
                Err(fault) => faults.push(format!("{}: {fault}", self.shows[index].slot.name)),
            }
        }
        if faults.is_empty() { Ok(results) } else { Err(faults.join("; ")) }
    }

    fn cast(&mut self, all: Vec<NewPerformer>, tick: u64) -> std::result::Result<Vec<PerformerInfo>, String> {
        let new = all.iter().filter(|entrance| self.show(&entrance.name).is_err()).count();
        if self.shows.len() + new > MAX_PERFORMERS {
            let there = self.shows.len();
            return Err(format!(
                "cannot add {new} performers: {there} of at most {MAX_PERFORMERS} exist; dismiss some"
            ));
        }
        let infos = all.into_iter().map(|entrance| self.enter(entrance, tick)).collect();
        self.hub.set_performers(self.shows.iter());
        Ok(infos)
    }

    /// Adds a performer. If a performer with the same name exists, the new performer replaces it and keeps its
    /// number.
    fn enter(&mut self, entrance: NewPerformer, tick: u64) -> PerformerInfo {
        let NewPerformer { name, role, hosted, is_preview, owner } = entrance;
        let place = self.show(&name).ok();
        let slot = match place {
            Some(index) => Arc::clone(&self.shows[index].slot),
            None => Arc::new(PerformerSlot::new(name, self.free_number())),
        };
        slot.set_owner(owner.filter(|_| slot.name != MAIN));
        let show = LivePerformer::new(slot, role, hosted, is_preview, tick);
        let info = show.first_info();
        match place {
            Some(index) => self.shows[index] = show,
            None => self.shows.push(show),
        }
        info
    }

    /// Updates all performers of an edited character. Performers whose avatar changed start again. Previews of clips
    /// on the old avatar end.
    fn adopt(&mut self, ready: &Arc<Ready>, tick: u64) {
        for show in self.shows.iter_mut().filter(|show| show.role.ready.id == ready.id) {
            let is_old = show.role.ready.revision <= ready.revision;
            if is_old && !show.is_preview() && !show.adopt(ready) {
                let role = show.role.clone();
                let hosted = role.performer();
                *show = LivePerformer::new(Arc::clone(&show.slot), role, hosted, false, tick);
            }
        }
        let is_left = |show: &LivePerformer| {
            let played = &show.role.ready;
            !show.is_preview() || played.id != ready.id || played.avatar_revision == ready.avatar_revision
        };
        self.retain(is_left);
    }

    fn free_number(&self) -> u16 {
        let is_free = |number: &u16| self.shows.iter().all(|show| show.slot.number != *number);
        (0..=u16::MAX).find(is_free).unwrap_or(u16::MAX)
    }

    fn dismiss(&mut self, performers: &[String]) -> std::result::Result<(), String> {
        if performers.iter().any(|name| name == MAIN) {
            return Err(format!("`{MAIN}` cannot be dismissed; cast it again with another character"));
        }
        performers.iter().try_for_each(|name| self.show(name).map(drop))?;
        self.retain(|show| !performers.contains(&show.slot.name));
        Ok(())
    }

    fn leave(&mut self, connection: u64) {
        self.retain(|show| !show.slot.is_owned_by(connection));
    }

    fn retain(&mut self, stays: impl FnMut(&LivePerformer) -> bool) {
        let before = self.shows.len();
        self.shows.retain(stays);
        if self.shows.len() != before {
            self.hub.set_performers(self.shows.iter());
        }
    }
}
