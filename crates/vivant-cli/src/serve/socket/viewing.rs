//! What one connection sees, and how it is told.
//!
//! At every tick it takes the newest of whom it watches. A slow one skips what it missed.

use super::super::hub::{Hub, Info, Newest, Seat, lock, to_text};
use super::super::pace::Pace;
use axum::extract::ws::Message as Packet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use vivant_io::json::protocol::{Frames, Gone, Message, Problem, Watch};

/// Whom a connection watches.
pub(super) struct Viewing {
    watch: Watch,
    watched: Vec<Watched>,
    pace: Pace,
}

struct Watched {
    seat: Arc<Seat>,
    /// What was told of it last.
    told: Option<Arc<Info>>,
    /// The frame that was sent last.
    sent: Option<Arc<Newest>>,
    /// Whether its plans are looked at.
    plans: bool,
    /// The time of the plan that was told last, and how many there had been.
    planned: Option<f64>,
    plans_seen: u64,
    /// The number of the next event to tell.
    next_event: Option<u64>,
}

impl Drop for Watched {
    fn drop(&mut self) {
        if self.plans {
            self.seat.planners.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Viewing {
    /// Those that are not there are not watched.
    pub(super) fn new(hub: &Hub, watch: Watch) -> Self {
        let mut viewing =
            Self { watch: Watch::default(), watched: Vec::new(), pace: Pace::new(hub.fps, None) };
        let there = hub.performers();
        let performers = watch.performers.iter().filter(|name| there.contains_key(*name)).cloned().collect();
        // All are there.
        let _ = viewing.watch(hub, Watch { performers, ..watch });
        viewing
    }

    /// Watches others, or otherwise.
    pub(super) fn watch(&mut self, hub: &Hub, watch: Watch) -> Result<(), String> {
        let mut watched: Vec<Watched> = Vec::with_capacity(watch.performers.len());
        for name in &watch.performers {
            let seat = hub.performer(name)?;
            if watched.iter().all(|other| !Arc::ptr_eq(&other.seat, &seat)) {
                watched.push(Watched::new(seat, &watch));
            }
        }
        self.pace = Pace::new(hub.fps, watch.fps);
        (self.watched, self.watch) = (watched, watch);
        Ok(())
    }

    /// What there is to send at a tick: whom one sees before what they do.
    pub(super) fn at(&mut self, hub: &Hub, tick: u64) -> Vec<Packet> {
        let mut packets = self.leave(hub);
        let is_wanted = self.pace.is_wanted(tick);
        for watched in &mut self.watched {
            let Some(newest) = watched.seat.newest() else { continue };
            packets.extend(watched.told_anew(&newest));
            if is_wanted {
                packets.extend(watched.frame(self.watch.frames, newest));
            }
            packets.extend(watched.planned_anew());
            packets.extend(watched.happened());
        }
        packets
    }

    /// Tells of those that ended.
    fn leave(&mut self, hub: &Hub) -> Vec<Packet> {
        let there = hub.performers();
        let is_there = |watched: &mut Watched| {
            there.get(&watched.seat.name).is_some_and(|s| Arc::ptr_eq(s, &watched.seat))
        };
        let gone = |watched: Watched| {
            Packet::Text(to_text(&Message::Gone(Gone { performer: watched.seat.name.clone() })))
        };
        self.watched.extract_if(.., |watched| !is_there(watched)).map(gone).collect()
    }
}

impl Watched {
    fn new(seat: Arc<Seat>, watch: &Watch) -> Self {
        if watch.plan {
            seat.planners.fetch_add(1, Ordering::Relaxed);
        }
        let next_event = watch.events.then(|| seat.events());
        Self { seat, told: None, sent: None, plans: watch.plan, planned: None, plans_seen: 0, next_event }
    }

    /// A frame that was not sent yet: who is late for one tick may have seen the frame of the next.
    fn frame(&mut self, frames: Frames, newest: Arc<Newest>) -> Option<Packet> {
        if self.sent.as_ref().is_some_and(|sent| Arc::ptr_eq(sent, &newest)) {
            return None;
        }
        let packet = match frames {
            Frames::Binary => Packet::Binary(newest.binary.clone()),
            Frames::Json => Packet::Text(newest.json()),
            Frames::Off => return None,
        };
        self.sent = Some(newest);
        Some(packet)
    }

    /// The newest plan, with all that ended since the last one.
    fn planned_anew(&mut self) -> Option<Packet> {
        let plans = self.seat.plans();
        if !self.plans || plans == self.plans_seen {
            return None;
        }
        self.plans_seen = plans;
        let plan = lock(&self.seat.board).plan(&self.seat.name, self.planned)?;
        self.planned = Some(plan.at);
        Some(Packet::Text(to_text(&Message::Plan(plan))))
    }

    /// What has happened since the last time; who was too slow for all of it is told.
    fn happened(&mut self) -> Vec<Packet> {
        let Some(next) = self.next_event.filter(|next| *next < self.seat.events()) else { return Vec::new() };
        let (events, missed, next) = lock(&self.seat.board).events_from(&self.seat.name, next);
        self.next_event = Some(next);
        let missed = (missed > 0).then(|| {
            let message =
                format!("you read too slowly: {missed} events of `{}` were left out", self.seat.name);
            Message::Error(Problem { id: None, message })
        });
        let messages = missed.into_iter().chain(events.into_iter().map(Message::Event));
        messages.map(|message| Packet::Text(to_text(&message))).collect()
    }

    fn told_anew(&mut self, newest: &Newest) -> Option<Packet> {
        if self.told.as_ref().is_some_and(|told| Arc::ptr_eq(told, &newest.info)) {
            return None;
        }
        if self.told.as_ref().is_some_and(|told| told.era != newest.info.era) {
            // Another performance: all of its plan is new.
            (self.planned, self.plans_seen) = (None, 0);
        }
        self.told = Some(Arc::clone(&newest.info));
        Some(Packet::Text(to_text(&Message::Performer(Box::new(newest.performer())))))
    }
}
