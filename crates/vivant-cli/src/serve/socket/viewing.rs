//! What one connection sees, and how it is told.
//!
//! At every tick it takes the newest of whom it watches. A slow one skips what it missed.

use super::super::hub::{Hub, Info, Newest, Seat, to_text};
use axum::extract::ws::Message as Packet;
use std::sync::Arc;
use vivant_io::json::protocol::{Frames, Gone, Message, Watch};

/// Whom a connection watches.
pub(super) struct Viewing {
    watch: Watch,
    watched: Vec<Watched>,
    /// The next tick whose frames are wanted, and how many ticks further the one after it is.
    next_tick: f64,
    ticks_a_frame: f64,
}

struct Watched {
    seat: Arc<Seat>,
    /// What was told of it last.
    told: Option<Arc<Info>>,
}

impl Viewing {
    /// Those that are not there are not watched.
    pub(super) fn new(hub: &Hub, watch: Watch) -> Self {
        let mut viewing =
            Self { watch: Watch::default(), watched: Vec::new(), next_tick: 0.0, ticks_a_frame: 1.0 };
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
                watched.push(Watched { seat, told: None });
            }
        }
        self.ticks_a_frame = watch.fps.map_or(1.0, |fps| (hub.fps / fps).max(1.0));
        (self.watched, self.watch, self.next_tick) = (watched, watch, 0.0);
        Ok(())
    }

    /// What there is to send at a tick: whom one sees before what they do.
    pub(super) fn at(&mut self, hub: &Hub, tick: u64) -> Vec<Packet> {
        let mut packets = self.leave(hub);
        let is_wanted = self.is_wanted(tick);
        for watched in &mut self.watched {
            let Some(newest) = watched.seat.newest() else { continue };
            packets.extend(watched.told_anew(&newest));
            if is_wanted {
                packets.extend(frame(self.watch.frames, &newest));
            }
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

    fn is_wanted(&mut self, tick: u64) -> bool {
        let tick = tick as f64;
        // Half a tick of tolerance: a third of 60 Hz is every third tick, however it is rounded.
        let is_wanted = tick + 0.5 > self.next_tick;
        if is_wanted {
            self.next_tick = (self.next_tick + self.ticks_a_frame).max(tick + self.ticks_a_frame - 1.0);
        }
        is_wanted
    }
}

impl Watched {
    fn told_anew(&mut self, newest: &Newest) -> Option<Packet> {
        if self.told.as_ref().is_some_and(|told| Arc::ptr_eq(told, &newest.info)) {
            return None;
        }
        self.told = Some(Arc::clone(&newest.info));
        Some(Packet::Text(to_text(&Message::Performer(Box::new(newest.performer())))))
    }
}

fn frame(frames: Frames, newest: &Newest) -> Option<Packet> {
    match frames {
        Frames::Binary => Some(Packet::Binary(newest.binary.clone())),
        Frames::Json => Some(Packet::Text(newest.json())),
        Frames::Off => None,
    }
}
