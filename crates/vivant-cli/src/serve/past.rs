//! The past of a performer. Frames are not stored.
//!
//! A performance depends only on its seed, on the requests, and on the times of the requests. So the past consists of
//! a copy of the performer every few seconds, and the list of requests. Any part of it can be played again, bit for
//! bit.

use super::show::bytes;
use crate::fault::{Fault, Kind, Result};
use crate::workspace::Ready;
use std::collections::VecDeque;
use std::sync::Arc;
use vivant::performer::Performer;
use vivant_host::{Command, apply};

/// Seconds of the past that are stored.
pub(super) const KEPT_SECS: f64 = 120.0;
/// Seconds between copies.
pub(super) const STEP_SECS: f64 = 5.0;
/// Maximum size of the list of requests in bytes. If the requests need more, less of the past is stored.
pub(super) const MAX_LOG_BYTES: usize = 2 << 20;
/// Maximum number of samples per query.
const MAX_SAMPLES: f64 = 30_000.0;

/// A request in the log.
#[derive(Clone)]
struct Asked {
    /// The performer's time in seconds, which is the time of the last frame before the request.
    at: f64,
    /// True if this last frame was computed only after the request.
    is_seen_at_once: bool,
    ask: Command,
}

/// Stored past of a performer.
#[derive(Clone)]
pub(super) struct Past {
    copies: VecDeque<(f64, Arc<Performer>)>,
    log: VecDeque<Asked>,
    log_bytes: usize,
    /// Time of the next copy in seconds.
    due: f64,
}

impl Past {
    /// Starts with a performer at time 0. `number` shifts the times of the copies, so that performers are not all
    /// copied at once.
    pub(super) fn new(performer: &Performer, number: u16) -> Self {
        let copies = [(0.0, Arc::new(performer.clone()))].into();
        let phase = f64::from(number % 16) / 16.0;
        Self { copies, log: VecDeque::new(), log_bytes: 0, due: STEP_SECS * (1.0 - 0.5 * phase) }
    }

    /// Returns the start of the stored past, in seconds of the performance.
    pub(super) fn kept_from(&self) -> f64 {
        self.copies.front().map_or(0.0, |(at, _)| *at)
    }

    #[cfg(test)]
    pub(super) fn log_bytes(&self) -> usize {
        self.log_bytes
    }

    /// Adds a request to the log.
    pub(super) fn note(&mut self, at: f64, is_seen_at_once: bool, ask: Command) {
        self.log_bytes += bytes(&ask);
        self.log.push_back(Asked { at, is_seen_at_once, ask });
        while self.log_bytes > MAX_LOG_BYTES && self.copies.len() > 1 {
            self.forget_oldest();
        }
    }

    /// Returns true if a copy is due at time `at`.
    pub(super) fn is_due(&self, at: f64) -> bool {
        self.log_bytes > MAX_LOG_BYTES || at >= self.due
    }

    /// Stores a copy of the performer. `at` is the time of its last frame.
    pub(super) fn keep(&mut self, at: f64, performer: &Performer) {
        self.copies.push_back((at, Arc::new(performer.clone())));
        self.due = at + STEP_SECS;
        while self.copies.get(1).is_some_and(|(next, _)| *next <= at - KEPT_SECS)
            || self.log_bytes > MAX_LOG_BYTES && self.copies.len() > 1
        {
            self.forget_oldest();
        }
    }

    fn forget_oldest(&mut self) {
        self.copies.pop_front();
        let from = self.kept_from();
        // A request at the time of a copy is newer than the copy, because the copy was made with the frame.
        while self.log.front().is_some_and(|asked| asked.at < from) {
            self.log_bytes -= self.log.pop_front().map_or(0, |asked| bytes(&asked.ask));
        }
    }

    /// Returns the past until now, for use on other threads.
    pub(super) fn recording(&self, now: f64, ready: Arc<Ready>) -> Recording {
        Recording { past: self.clone(), now, ready }
    }
}

fn invalid(message: String) -> Fault {
    Fault::of(Kind::Invalid, message)
}

/// The past of a performer, as it was at one moment.
pub(super) struct Recording {
    past: Past,
    pub(super) now: f64,
    pub(super) ready: Arc<Ready>,
}

impl Recording {
    /// Returns the start and end of the requested part of the past, in seconds. The default is the last `secs`
    /// seconds. Fails if this part is not stored.
    pub(super) fn stretch(&self, from: Option<f64>, to: Option<f64>, secs: f64) -> Result<(f64, f64)> {
        let kept_from = self.past.kept_from();
        let to = to.unwrap_or(self.now).min(self.now);
        let from = from.unwrap_or((to - secs).max(kept_from));
        let (kept, now) = ((kept_from * 100.0).ceil() / 100.0, self.now);
        if !(from.is_finite() && to.is_finite() && from <= to && from >= kept_from) {
            return Err(invalid(format!(
                "from {from} to {to} s is not stored; give times from {kept:.2} to {now:.2} s"
            )));
        }
        Ok((from, to))
    }

    /// Plays a part of the past again, and calls `see` with the performer at each multiple of 1/rate seconds.
    ///
    /// # Errors
    /// Returns an error if the rate is out of range, or if there would be too many samples.
    pub(super) fn play(
        &self,
        (from, to): (f64, f64),
        rate: f64,
        mut see: impl FnMut(f64, &Performer),
    ) -> Result<()> {
        if !(0.1..=1000.0).contains(&rate) || (to - from) * rate > MAX_SAMPLES {
            let most = MAX_SAMPLES;
            return Err(invalid(format!(
                "the rate is out of range; give 0.1 to 1000 samples per second, and at most {most} samples in total"
            )));
        }
        // The first and the last multiple within the requested and stored past.
        let first = (from * rate - 1e-6).ceil().max((self.past.kept_from() * rate - 1e-9).ceil());
        let last = (to * rate + 1e-6).floor();
        let mut replay = self.replay(first / rate);
        for index in first as u64..=last.max(0.0) as u64 {
            let t = index as f64 / rate;
            replay.advance_to(t);
            see(t, &replay.performer);
        }
        Ok(())
    }

    fn replay(&self, from: f64) -> Replay<'_> {
        let mut before = self.past.copies.iter().rev();
        let copy = before.find(|(at, _)| *at <= from).or(self.past.copies.front());
        let (start, performer) = copy.map(|(at, copy)| (*at, Performer::clone(copy))).unzip();
        let start = start.unwrap_or_default();
        let performer = performer.unwrap_or_else(|| Performer::new(Arc::clone(&self.ready.bound.library), 0));
        let log = &self.past.log;
        // A copy includes all requests that were made before it.
        let next = log.partition_point(|asked| asked.at < start);
        Replay { performer, log, next }
    }
}

struct Replay<'a> {
    performer: Performer,
    log: &'a VecDeque<Asked>,
    next: usize,
}

impl Replay<'_> {
    fn advance_to(&mut self, t: f64) {
        while let Some(asked) = self.log.get(self.next) {
            if asked.at > t || asked.at == t && !asked.is_seen_at_once {
                break;
            }
            // Requests at the same time are applied together. The performer does not advance between them.
            if self.performer.frame().time() < asked.at {
                self.performer.advance_to(asked.at);
            }
            // The command succeeded the first time, so it also succeeds now.
            let _ = apply(&mut self.performer, &asked.ask);
            self.next += 1;
        }
        self.performer.advance_to(t);
    }
}
