//! What a performer did, without a single stored frame.
//!
//! A performance is a function of its seed and of what was asked, and when. So a copy of the performer every
//! few seconds and the list of what was asked are its past: any stretch of it can be played again, bit by bit.

use super::show::bytes;
use crate::fault::{Fault, Kind, Result};
use crate::workspace::Ready;
use std::collections::VecDeque;
use std::sync::Arc;
use vivant::performer::Performer;
use vivant_host::{Ask, obey};

/// How much is kept, in seconds.
pub(super) const KEPT_SECS: f64 = 120.0;
/// How far copies are apart, in seconds.
pub(super) const STEP_SECS: f64 = 5.0;
/// The most that lists of requests may hold, in bytes; if more is asked, less of the past is kept.
pub(super) const MAX_LOG_BYTES: usize = 2 << 20;
/// The most samples of one question.
const MAX_SAMPLES: f64 = 30_000.0;

/// Something that was asked.
#[derive(Clone)]
struct Asked {
    /// The performer's time, which is that of the frame before.
    at: f64,
    /// Whether that frame was made only after it.
    is_seen_at_once: bool,
    ask: Ask,
}

/// What is kept of a performer.
#[derive(Clone)]
pub(super) struct Past {
    copies: VecDeque<(f64, Arc<Performer>)>,
    log: VecDeque<Asked>,
    log_bytes: usize,
    /// When the next copy is due, in seconds.
    due: f64,
}

impl Past {
    /// Begins with a performer at time 0. Those with other numbers make their copies at other times.
    pub(super) fn new(performer: &Performer, number: u16) -> Self {
        let copies = [(0.0, Arc::new(performer.clone()))].into();
        let phase = f64::from(number % 16) / 16.0;
        Self { copies, log: VecDeque::new(), log_bytes: 0, due: STEP_SECS * (1.0 - 0.5 * phase) }
    }

    /// From when on it can be played again, in seconds.
    pub(super) fn kept_from(&self) -> f64 {
        self.copies.front().map_or(0.0, |(at, _)| *at)
    }

    #[cfg(test)]
    pub(super) fn log_bytes(&self) -> usize {
        self.log_bytes
    }

    /// Remembers what was asked at a time.
    pub(super) fn note(&mut self, at: f64, is_seen_at_once: bool, ask: Ask) {
        self.log_bytes += bytes(&ask);
        self.log.push_back(Asked { at, is_seen_at_once, ask });
        while self.log_bytes > MAX_LOG_BYTES && self.copies.len() > 1 {
            self.forget_oldest();
        }
    }

    /// Whether a copy is to be made at a time.
    pub(super) fn is_due(&self, at: f64) -> bool {
        self.log_bytes > MAX_LOG_BYTES || at >= self.due
    }

    /// Keeps a copy of the performer, whose last frame is that at `at`.
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
        // What was asked at the very time of a copy came after it: the copy was made with the frame.
        while self.log.front().is_some_and(|asked| asked.at < from) {
            self.log_bytes -= self.log.pop_front().map_or(0, |asked| bytes(&asked.ask));
        }
    }

    /// All of it until now, to be looked at elsewhere.
    pub(super) fn recording(&self, now: f64, ready: Arc<Ready>) -> Recording {
        Recording { past: self.clone(), now, ready }
    }
}

fn wrong(message: String) -> Fault {
    Fault::of(Kind::Invalid, message)
}

/// The past of a performer, as it was at one moment.
pub(super) struct Recording {
    past: Past,
    pub(super) now: f64,
    pub(super) ready: Arc<Ready>,
}

impl Recording {
    /// A stretch that is kept, or why there is none. Without a start it is the last `secs` seconds.
    pub(super) fn stretch(&self, from: Option<f64>, to: Option<f64>, secs: f64) -> Result<(f64, f64)> {
        let kept_from = self.past.kept_from();
        let to = to.unwrap_or(self.now).min(self.now);
        let from = from.unwrap_or((to - secs).max(kept_from));
        let (kept, now) = ((kept_from * 100.0).ceil() / 100.0, self.now);
        if !(from.is_finite() && to.is_finite() && from <= to && from >= kept_from) {
            return Err(wrong(format!(
                "from {from} to {to} s cannot be had: what is kept goes from {kept:.2} to {now:.2} s"
            )));
        }
        Ok((from, to))
    }

    /// Plays a stretch again, and shows the performer at each multiple of 1/rate seconds in it.
    ///
    /// # Errors
    /// If that would be too many.
    pub(super) fn play(
        &self,
        (from, to): (f64, f64),
        rate: f64,
        mut see: impl FnMut(f64, &Performer),
    ) -> Result<()> {
        if !(0.1..=1000.0).contains(&rate) || (to - from) * rate > MAX_SAMPLES {
            let most = MAX_SAMPLES;
            return Err(wrong(format!(
                "this rate is too high or too low; give one from 0.1 to 1000, for at most {most} samples"
            )));
        }
        // The nearest multiples, but none outside of what is kept.
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
        // A copy has all that was asked before it.
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
            // What was asked together is asked together, without anything happening between.
            if self.performer.frame().time() < asked.at {
                self.performer.advance_to(asked.at);
            }
            // It was carried out then, and so it is now.
            let _ = obey(&mut self.performer, &asked.ask);
            self.next += 1;
        }
        self.performer.advance_to(t);
    }
}
