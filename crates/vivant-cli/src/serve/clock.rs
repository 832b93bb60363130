//! The clock: a thread of its own that lets all performers make their frames, each at its time.
//!
//! Frames lie on a grid of 1/fps. A frame is made a little before it is due, by as much as frames lately
//! took to make, and shown when its time has come; so two hundred performers are as punctual as one. On a busy
//! machine a thread that sleeps is woken late, so it rather comes a moment early.

use super::board::Forecasts;
use super::hub::{Entrance, Hub, MAX_PERFORMERS, Order, Seat, Wanted, Wishes, nobody};
use super::show::Show;
use crate::fault::{Fault, Result};
use crate::workspace::Ready;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use vivant::body::driven::BodySample;
use vivant::mimicry::Person;
use vivant_io::json::protocol::{MAIN, PerformerInfo};

/// How far behind the clock may be and still go on by the wall's clock; after more, the machine slept, and the
/// performances go on as if it had not.
const MAX_BEHIND: Duration = Duration::from_millis(500);
/// How early a frame may be shown: as early as it may be late, so that a thread that is woken late is still in
/// time.
const EARLY: Duration = Duration::from_micros(1900);
/// How much earlier than needed frames are begun.
const HEADROOM: Duration = Duration::from_micros(500);

/// Starts the clock; it ends when the hub does.
pub(super) fn start(hub: Arc<Hub>) -> Result<JoinHandle<()>> {
    let no_thread = |e: std::io::Error| Fault::new(format!("no thread could be started for the clock: {e}"));
    let forecasts = Forecasts::start().map_err(no_thread)?;
    let run = move || Clock::new(hub, forecasts).run();
    let thread = std::thread::Builder::new().name("clock".into()).spawn(run);
    thread.map_err(no_thread)
}

struct Clock {
    hub: Arc<Hub>,
    ensemble: Ensemble,
    period: Duration,
    /// When tick 0 was, or would have been.
    zero: Instant,
    tick: u64,
    /// How long it lately took to make all frames.
    work: Duration,
}

impl Clock {
    fn new(hub: Arc<Hub>, forecasts: Forecasts) -> Self {
        let period = Duration::from_secs_f64(1.0 / hub.fps);
        let ensemble = Ensemble { hub: Arc::clone(&hub), forecasts, shows: Vec::new(), orders: Vec::new() };
        Self { hub, ensemble, period, zero: Instant::now(), tick: 0, work: Duration::ZERO }
    }

    fn run(mut self) {
        loop {
            let due = self.next_due();
            sleep_until(due.checked_sub(self.lead()).unwrap_or(due));
            let began = Instant::now();
            self.ensemble.prepare(self.tick, due);
            self.learn(began.elapsed());
            sleep_until(due.checked_sub(EARLY).unwrap_or(due));
            self.ensemble.publish();
            let late = due.elapsed();
            if !self.hub.tell_tick(self.tick) {
                return;
            }
            self.hub.stats.record(self.ensemble.shows.len() as u64, late);
        }
    }

    /// Goes on to the next tick, or past those that can no longer be kept, and says when it is due.
    fn next_due(&mut self) -> Instant {
        self.tick += 1;
        let behind = self.zero.elapsed().saturating_sub(self.since_zero());
        let missed = (behind.as_secs_f64() * self.hub.fps) as u64;
        if missed > 0 {
            self.hub.stats.skip(missed * self.ensemble.shows.len() as u64);
            self.tick += missed;
        }
        if behind > MAX_BEHIND {
            self.ensemble.shows.iter_mut().for_each(|show| show.sleep_through(missed));
        }
        self.zero + self.since_zero()
    }

    fn since_zero(&self) -> Duration {
        Duration::from_secs_f64(self.tick as f64 / self.hub.fps)
    }

    /// How long before it is due a frame is begun: not so long that requests would wait.
    fn lead(&self) -> Duration {
        (self.work + self.work / 4 + HEADROOM + EARLY).min(self.period / 2)
    }

    /// What took long is believed at once, and forgotten slowly.
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
struct Ensemble {
    hub: Arc<Hub>,
    forecasts: Forecasts,
    shows: Vec<Show>,
    orders: Vec<Order>,
}

impl Ensemble {
    /// Makes the frames of a tick, which is due at a time.
    fn prepare(&mut self, tick: u64, due: Instant) {
        let mut orders = std::mem::take(&mut self.orders);
        self.hub.take_orders(&mut orders);
        orders.drain(..).for_each(|order| self.carry_out(order, tick, due));
        self.orders = orders;
        let (fps, forecasts) = (self.hub.fps, &self.forecasts);
        self.shows.iter_mut().for_each(|show| show.prepare(tick, fps, forecasts));
    }

    fn publish(&mut self) {
        self.shows.iter_mut().for_each(Show::publish);
    }

    /// Does what is asked. Who no longer waits for the answer does not get it.
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
        let found = self.shows.iter().position(|show| show.seat.name == name);
        found.ok_or_else(|| nobody(name, self.shows.iter().map(|show| show.seat.name.as_str())))
    }

    /// All are there, or nobody is asked.
    fn ask(
        &mut self,
        performers: &[String],
        wanted: &Wanted,
        tick: u64,
    ) -> std::result::Result<Wishes, String> {
        let shows: Vec<usize> =
            performers.iter().map(|name| self.show(name)).collect::<std::result::Result<_, _>>()?;
        let mut wishes = Vec::with_capacity(shows.len());
        let mut faults = Vec::new();
        for index in shows {
            let show = &mut self.shows[index];
            let now = show.time_of(tick, self.hub.fps);
            match show.want(wanted.clone(), now) {
                Ok(wish) => wishes.push(wish),
                Err(fault) if performers.len() == 1 => faults.push(fault),
                Err(fault) => faults.push(format!("{}: {fault}", self.shows[index].seat.name)),
            }
        }
        if faults.is_empty() { Ok(wishes) } else { Err(faults.join("; ")) }
    }

    fn cast(&mut self, all: Vec<Entrance>, tick: u64) -> std::result::Result<Vec<PerformerInfo>, String> {
        let new = all.iter().filter(|entrance| self.show(&entrance.name).is_err()).count();
        if self.shows.len() + new > MAX_PERFORMERS {
            let there = self.shows.len();
            return Err(format!(
                "{new} more are too many: {there} of at most {MAX_PERFORMERS} performers are there; dismiss some"
            ));
        }
        let infos = all.into_iter().map(|entrance| self.enter(entrance, tick)).collect();
        self.hub.set_performers(self.shows.iter());
        Ok(infos)
    }

    /// One of the same name makes room, and keeps its number.
    fn enter(&mut self, entrance: Entrance, tick: u64) -> PerformerInfo {
        let Entrance { name, role, hosted, is_preview, owner } = entrance;
        let place = self.show(&name).ok();
        let seat = match place {
            Some(index) => Arc::clone(&self.shows[index].seat),
            None => Arc::new(Seat::new(name, self.free_number())),
        };
        seat.set_owner(owner.filter(|_| seat.name != MAIN));
        let show = Show::new(seat, role, hosted, is_preview, tick);
        let info = show.first_told();
        match place {
            Some(index) => self.shows[index] = show,
            None => self.shows.push(show),
        }
        info
    }

    /// All who play a character go on with it as it is now. Who cannot, because the body is another, begins
    /// anew; who only showed a clip on the old body ends.
    fn adopt(&mut self, ready: &Arc<Ready>, tick: u64) {
        for show in self.shows.iter_mut().filter(|show| show.role.ready.id == ready.id) {
            let is_old = show.role.ready.revision <= ready.revision;
            if is_old && !show.is_preview() && !show.adopt(ready) {
                let role = show.role.clone();
                let hosted = role.performer();
                *show = Show::new(Arc::clone(&show.seat), role, hosted, false, tick);
            }
        }
        let is_left = |show: &Show| {
            let played = &show.role.ready;
            !show.is_preview() || played.id != ready.id || played.avatar_revision == ready.avatar_revision
        };
        self.retain(is_left);
    }

    fn free_number(&self) -> u16 {
        let is_free = |number: &u16| self.shows.iter().all(|show| show.seat.number != *number);
        (0..=u16::MAX).find(is_free).unwrap_or(u16::MAX)
    }

    fn dismiss(&mut self, performers: &[String]) -> std::result::Result<(), String> {
        if performers.iter().any(|name| name == MAIN) {
            return Err(format!("`{MAIN}` stays; cast it anew to see another character"));
        }
        performers.iter().try_for_each(|name| self.show(name).map(drop))?;
        self.retain(|show| !performers.contains(&show.seat.name));
        Ok(())
    }

    fn leave(&mut self, connection: u64) {
        self.retain(|show| !show.seat.is_owned_by(connection));
    }

    fn retain(&mut self, stays: impl FnMut(&Show) -> bool) {
        let before = self.shows.len();
        self.shows.retain(stays);
        if self.shows.len() != before {
            self.hub.set_performers(self.shows.iter());
        }
    }
}
