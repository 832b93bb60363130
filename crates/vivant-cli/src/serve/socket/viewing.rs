//! The performers that a connection watches, and the messages about them.
//!
//! At every tick a connection takes the newest frame of each watched performer. A slow connection skips frames.

use super::super::hub::{Hub, Info, Newest, PerformerSlot, lock, to_text};
use super::super::pace::Pace;
use axum::extract::ws::Message as Packet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use vivant_io::json::protocol::{Frames, Gone, Message, Problem, Watch};

/// The performers that a connection watches.
pub(super) struct Viewing {
    watch: Watch,
    watched: Vec<Watched>,
    pace: Pace,
}

struct Watched {
    slot: Arc<PerformerSlot>,
    /// The description that was sent last.
    described: Option<Arc<Info>>,
    /// The frame that was sent last.
    sent: Option<Arc<Newest>>,
    /// True if the plans of this performer are watched.
    plans: bool,
    /// The time of the plan that was sent last.
    planned: Option<f64>,
    /// Number of plans at the time when that plan was sent.
    plans_seen: u64,
    /// The number of the next event to send.
    next_event: Option<u64>,
}

impl Drop for Watched {
    fn drop(&mut self) {
        if self.plans {
            self.slot.planners.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Viewing {
    /// Starts to watch performers. Unknown names are ignored.
    pub(super) fn new(hub: &Hub, watch: Watch) -> Self {
        let mut viewing =
            Self { watch: Watch::default(), watched: Vec::new(), pace: Pace::new(hub.fps, None) };
        let there = hub.performers();
        let performers = watch.performers.iter().filter(|name| there.contains_key(*name)).cloned().collect();
        // This cannot fail: all these performers exist.
        let _ = viewing.watch(hub, Watch { performers, ..watch });
        viewing
    }

    /// Changes the watched performers and their options.
    pub(super) fn watch(&mut self, hub: &Hub, watch: Watch) -> Result<(), String> {
        let mut watched: Vec<Watched> = Vec::with_capacity(watch.performers.len());
        for name in &watch.performers {
            let slot = hub.performer(name)?;
            if watched.iter().all(|other| !Arc::ptr_eq(&other.slot, &slot)) {
                watched.push(Watched::new(slot, &watch));
            }
        }
        self.pace = Pace::new(hub.fps, watch.fps);
        (self.watched, self.watch) = (watched, watch);
        Ok(())
    }

    /// Returns the packets for a tick. The description of a performer precedes its frames.
    pub(super) fn at(&mut self, hub: &Hub, tick: u64) -> Vec<Packet> {
        let mut packets = self.leave(hub);
        let is_wanted = self.pace.is_wanted(tick);
        for watched in &mut self.watched {
            let Some(newest) = watched.slot.newest() else { continue };
            packets.extend(watched.new_description(&newest));
            if is_wanted {
                packets.extend(watched.frame(self.watch.frames, newest));
            }
            packets.extend(watched.new_plan());
            packets.extend(watched.new_events());
        }
        packets
    }

    /// Removes performers that ended, and returns messages about them.
    fn leave(&mut self, hub: &Hub) -> Vec<Packet> {
        let there = hub.performers();
        let is_there = |watched: &mut Watched| {
            there.get(&watched.slot.name).is_some_and(|s| Arc::ptr_eq(s, &watched.slot))
        };
        let gone = |watched: Watched| {
            Packet::Text(to_text(&Message::Gone(Gone { performer: watched.slot.name.clone() })))
        };
        self.watched.extract_if(.., |watched| !is_there(watched)).map(gone).collect()
    }
}

impl Watched {
    fn new(slot: Arc<PerformerSlot>, watch: &Watch) -> Self {
        if watch.plan {
            slot.planners.fetch_add(1, Ordering::Relaxed);
        }
        let next_event = watch.events.then(|| slot.events());
        Self {
            slot,
            described: None,
            sent: None,
            plans: watch.plan,
            planned: None,
            plans_seen: 0,
            next_event,
        }
    }

    /// Returns the frame, unless it was already sent. A late tick may have sent the frame of the next tick.
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

    /// Returns the newest plan, with the actions that ended since the last plan.
    fn new_plan(&mut self) -> Option<Packet> {
        let plans = self.slot.plans();
        if !self.plans || plans == self.plans_seen {
            return None;
        }
        self.plans_seen = plans;
        let plan = lock(&self.slot.board).plan(&self.slot.name, self.planned)?;
        self.planned = Some(plan.at);
        Some(Packet::Text(to_text(&Message::Plan(plan))))
    }

    /// Returns the events since the last call. If events were lost because the connection is slow, also returns an
    /// error.
    fn new_events(&mut self) -> Vec<Packet> {
        let Some(next) = self.next_event.filter(|next| *next < self.slot.events()) else { return Vec::new() };
        let (events, missed, next) = lock(&self.slot.board).events_from(&self.slot.name, next);
        self.next_event = Some(next);
        let missed = (missed > 0).then(|| {
            let message = format!(
                "the connection is too slow: {missed} events of `{}` were dropped; read faster",
                self.slot.name
            );
            Message::Error(Problem { id: None, message })
        });
        let messages = missed.into_iter().chain(events.into_iter().map(Message::Event));
        messages.map(|message| Packet::Text(to_text(&message))).collect()
    }

    /// Returns the description of a performer, if it changed.
    fn new_description(&mut self, newest: &Newest) -> Option<Packet> {
        if self.described.as_ref().is_some_and(|described| Arc::ptr_eq(described, &newest.info)) {
            return None;
        }
        if self.described.as_ref().is_some_and(|described| described.performance != newest.info.performance) {
            // This is another performance, so its whole plan is new.
            (self.planned, self.plans_seen) = (None, 0);
        }
        self.described = Some(Arc::clone(&newest.info));
        Some(Packet::Text(to_text(&Message::Performer(Box::new(newest.performer())))))
    }
}
