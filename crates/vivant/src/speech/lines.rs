//! Queue of speech lines: a character speaks one line at a time.
//!
//! An agent sends sentences faster than they can be spoken, and often receives the duration of a sentence only later.
//! So lines wait for each other. A line without a requested time starts after all earlier lines, with a pause as
//! between two sentences. A line with a requested time starts at that time, unless another line is still being
//! spoken. Better timings that arrive later move the lines that have not started; a line that has started stays in
//! place.
//!
//! ```
//! use vivant::intent::Say;
//! use vivant::speech::{lines::Lines, pronounce::English};
//!
//! let (mut lines, english): (Lines, English) = Default::default();
//! for sentence in ["Both lines are sent at once.", "They are spoken in turn."] {
//!     lines.push(&Say::new(sentence), 0.0, &english, 1.0)?;
//! }
//! let said: Vec<_> = lines.iter().map(|line| (line.from(), line.until())).collect();
//! assert_eq!((said[0].0, said[1].0), (0.0, said[0].1 + 0.5));
//! # Ok::<(), vivant::Error>(())
//! ```
//!
//! # Order of lines
//!
//! - Lines are spoken in the order of their requested times (for a line without a requested time, the time at which it
//!   was added). For equal times, the line added first comes first.
//! - A line with more pieces to come occupies the turn until [`HOLD_SECS`] after its known text.
//! - A line whose requested time has just passed counts as started at that time, because its audio is already playing.
//!   Only the rest of the line is shown.
//! - A line requested slightly too early is delayed only by the overlap, not by the full pause, so that a host stays in
//!   sync if it plays its own audio and is off by a few milliseconds.
//! - There is no pause after an empty line or after an interrupted line.
//! - Lines that follow each other within [`TURN_GAP_SECS`] form one turn.

#[cfg(test)]
mod tests;

use super::audio::LipSyncModel;
use super::pronounce::Pronounce;
use super::score::Segment;
use super::timing::TimingOptions;
use super::utterance::{TimingWarning, Utterance};
use crate::intent::Say;
use crate::{Error, Result};
use std::sync::Arc;

/// Seconds after which an unfinished line without new pieces ends and the turn is free (our choice).
pub const HOLD_SECS: f64 = 8.0;
/// Maximum gap between two lines of the same turn, in seconds (our choice: twice the pause between sentences).
pub const TURN_GAP_SECS: f64 = 1.0;
/// Maximum delay in seconds with which a line can arrive and still start at its requested time. Its audio has already
/// started, and transmission takes time (our choice).
const LATE_SECS: f64 = 1.0;
/// Maximum number of waiting lines.
const MAX_LINES: usize = 1 << 12;

/// Lines in the order in which they are spoken: started lines, then waiting lines. `T` is data of the caller, stored
/// with each line.
#[derive(Clone, Debug)]
pub struct Lines<T = ()> {
    all: Vec<Line<T>>,
    dropped: Vec<T>,
    count: u64,
    /// Number of the line updated last; 0 if none.
    last_updated: u64,
    lip_sync: Option<Arc<LipSyncModel>>,
}

/// A line that is waiting, being spoken, or recently finished.
#[derive(Clone, Debug)]
pub struct Line<T> {
    number: u64,
    name: Option<String>,
    /// Requested start in seconds of the performance, if any.
    requested_at: Option<f64>,
    /// Start that the line would have without other lines, in seconds of the performance.
    wanted: f64,
    from: f64,
    utterance: Utterance,
    pause_secs: f64,
    /// Requested minimum duration in seconds.
    requested_secs: f64,
    /// Time in seconds at which a later line started and cut off this line.
    cut_at: f64,
    /// Time of a requested stop in seconds.
    stops_at: f64,
    /// Data of the caller.
    pub with: T,
}

/// The current or next line, or the gap between two lines of a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Start of the line in seconds of the performance.
    pub from: f64,
    /// End of the text known so far, in seconds of the performance.
    pub said: f64,
    /// True if no more pieces will follow.
    pub is_whole: bool,
    /// True if another line of the same turn follows.
    pub goes_on: bool,
}

impl<T> Line<T> {
    /// Returns the number of the line; later lines have higher numbers.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the name given by the agent.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the start time in seconds of the performance.
    #[must_use]
    pub fn from(&self) -> f64 {
        self.from
    }

    /// Returns the text and timings known so far.
    #[must_use]
    pub fn utterance(&self) -> &Utterance {
        &self.utterance
    }

    /// Returns the end of the text known so far, in seconds of the performance. The result includes the whole audio,
    /// and also the requested duration if the words cannot be stretched to that duration.
    #[must_use]
    pub fn said(&self) -> f64 {
        let secs = self.utterance.secs().max(self.utterance.audio_secs()).max(self.requested_secs);
        (self.from + secs).min(self.cut_at)
    }

    /// Returns the time in seconds of the performance at which the line ends if no more pieces arrive.
    #[must_use]
    pub fn until(&self) -> f64 {
        let waits = if self.utterance.is_whole() { 0.0 } else { HOLD_SECS };
        (self.said() + waits).min(self.cut_at)
    }

    /// Returns the phonemes that have not ended at `at`, in seconds of the performance. The times of the phonemes are
    /// relative to the start of the line.
    pub fn phonemes_from(&self, at: f64) -> impl Iterator<Item = Segment> {
        let phonemes = &self.utterance.score().segments;
        let [over, cut] = [at - self.from, self.cut_at - self.from];
        let first = phonemes.partition_point(|phoneme| phoneme.to < over);
        let left = phonemes[first..].iter().take_while(move |phoneme| phoneme.from < cut);
        left.map(move |phoneme| Segment { to: phoneme.to.min(cut), ..*phoneme })
    }

    /// Returns true if a later line started before this line ended.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.cut_at < f64::INFINITY
    }

    fn is_silent(&self) -> bool {
        self.said() <= self.from
    }

    /// Returns the earliest start of a following line with the given requested time and pause.
    fn free_at(&self, requested_at: Option<f64>, pause_secs: f64) -> f64 {
        if self.stops_at <= self.until() {
            return self.stops_at;
        }
        let pause_secs = if self.is_silent() { 0.0 } else { pause_secs };
        let until = self.until();
        until + (until - requested_at.unwrap_or(f64::NEG_INFINITY)).clamp(0.0, pause_secs)
    }

    /// Returns true if `next` belongs to the same turn.
    fn is_followed_by(&self, next: &Self) -> bool {
        next.from - self.until() <= TURN_GAP_SECS
    }
}

impl<T> Default for Lines<T> {
    fn default() -> Self {
        Self { all: Vec::new(), dropped: Vec::new(), count: 0, last_updated: 0, lip_sync: None }
    }
}

impl<T> Lines<T> {
    /// Returns all lines in the order in which they are spoken. Finished lines are removed some seconds after their
    /// end.
    pub fn iter(&self) -> std::slice::Iter<'_, Line<T>> {
        self.all.iter()
    }

    /// Returns all lines, mutably, in the order in which they are spoken.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, Line<T>> {
        self.all.iter_mut()
    }

    /// Returns each line with two flags: true if the line continues a turn, and true if the turn continues after the
    /// line.
    pub fn in_turns(&self) -> impl DoubleEndedIterator<Item = (bool, &Line<T>, bool)> {
        let joins = |from: usize| Some(self.all.get(from)?.is_followed_by(self.all.get(from + 1)?));
        self.all.iter().enumerate().map(move |(place, line)| {
            let follows = place.checked_sub(1).and_then(joins).unwrap_or(false);
            (follows, line, joins(place).unwrap_or(false))
        })
    }

    /// Returns the line with the given number.
    #[must_use]
    pub fn get(&self, number: u64) -> Option<&Line<T>> {
        self.all.iter().find(|line| line.number == number)
    }

    /// Returns the line with the given number, mutably.
    pub fn get_mut(&mut self, number: u64) -> Option<&mut Line<T>> {
        self.all.iter_mut().find(|line| line.number == number)
    }

    /// Returns the line that was updated last.
    #[must_use]
    pub fn last_updated(&self) -> Option<&Line<T>> {
        self.get(self.last_updated)
    }

    /// Returns the number of lines added so far.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns true if the turn continues after the line with the given number.
    #[must_use]
    pub fn goes_on(&self, number: u64) -> bool {
        self.in_turns().any(|(_, line, goes_on)| line.number == number && goes_on)
    }

    /// Returns the line that is being spoken at `now` or starts within `ahead_secs`.
    #[must_use]
    pub fn span(&self, now: f64, ahead_secs: f64) -> Option<Span> {
        let next = self.all.partition_point(|line| line.from <= now);
        let (current, next) = (self.all[..next].last(), self.all.get(next));
        let follows = current.zip(next).is_some_and(|(current, next)| current.is_followed_by(next));
        let span = |line: &Line<T>, goes_on: bool| Span {
            from: line.from,
            said: line.said(),
            is_whole: line.utterance.is_whole(),
            goes_on,
        };
        match (current, next) {
            (Some(current), _) if now < current.until() => Some(span(current, follows)),
            (Some(current), Some(next)) if follows => {
                Some(Span { said: next.from, is_whole: true, ..span(current, true) })
            }
            (_, Some(next)) if next.from - ahead_secs <= now => Some(span(next, false)),
            _ => None,
        }
    }

    /// Returns true while a line is being spoken, the turn is held, or the next line of a turn is about to follow.
    #[must_use]
    pub fn is_on(&self, now: f64) -> bool {
        self.span(now, 0.0).is_some()
    }

    /// Stops all current lines at the time `at`. Lines that would start later are dropped at once.
    pub fn stop(&mut self, at: f64, now: f64) {
        self.all.iter_mut().for_each(|line| line.stops_at = line.stops_at.min(at));
        self.arrange(now);
    }

    /// Removes and returns the data of lines that were dropped before they started. Adding a line clears this data.
    pub fn take_dropped(&mut self) -> impl Iterator<Item = T> {
        self.dropped.drain(..)
    }

    /// Uses this model for audio lip-sync from now on, instead of the [built-in model](LipSyncModel::built_in).
    pub fn set_lip_sync(&mut self, model: Arc<LipSyncModel>) {
        self.lip_sync = Some(model);
    }

    /// Removes the lines for which `is_meant` returns true.
    pub fn forget(&mut self, is_meant: impl Fn(&Line<T>) -> bool) {
        self.all.retain(|line| !is_meant(line));
    }

    /// Sorts waiting lines and schedules each after the previous one. The line that started last cuts off earlier
    /// lines.
    fn arrange(&mut self, now: f64) {
        let order = |line: &Line<T>| {
            let waits = line.from > now;
            (waits, if waits { line.wanted } else { line.from })
        };
        self.all.sort_by(|a, b| {
            let ((a_waits, a_at), (b_waits, b_at)) = (order(a), order(b));
            a_waits.cmp(&b_waits).then(a_at.total_cmp(&b_at)).then(a.number.cmp(&b.number))
        });
        let mut place = 0;
        while let Some((line, before)) = self.all.get_mut(..=place).and_then(<[_]>::split_last_mut) {
            let before = before.last_mut();
            if line.from > now {
                // A new line may have started a moment ago; a waiting line has not.
                let earliest = if line.from.is_finite() { now.max(line.wanted) } else { line.wanted };
                let free_at =
                    before.as_ref().map(|before| before.free_at(line.requested_at, line.pause_secs));
                line.from = free_at.unwrap_or(earliest).max(earliest);
            }
            if line.stops_at <= line.from {
                self.dropped.push(self.all.remove(place).with);
                continue;
            }
            if let Some(before) = before.filter(|_| line.from <= now) {
                before.cut_at = before.cut_at.min(line.from);
            }
            place += 1;
        }
    }

    /// Returns the index of the line to which a piece belongs, if it exists. A finished line accepts only timings,
    /// which can arrive late. Any other piece starts a new line, even a first piece without words.
    fn find_line(&self, say: &Say, now: f64) -> Option<usize> {
        let is_meant = |line: &Line<T>| line.name.is_some() && line.name == say.line;
        let place = self.all.iter().rposition(is_meant)?;
        let line = &self.all[place];
        let is_first = say.more && line.utterance.is_whole();
        let is_new = is_first || !say.say.trim().is_empty() || say.voice.is_some();
        (now <= line.until() || !is_new).then_some(place)
    }
}

impl<T: Default> Lines<T> {
    /// Adds a piece of a line at time `now` and reschedules lines that have not started. A new line is spoken at
    /// `rate` times the usual speed. Returns the timings that had to be repaired.
    ///
    /// # Errors
    /// If the piece is invalid or too many lines are waiting; in that case nothing changes.
    pub fn push(
        &mut self,
        say: &Say,
        now: f64,
        language: &dyn Pronounce,
        rate: f64,
    ) -> Result<Vec<TimingWarning>> {
        if say.voice.is_some() && self.lip_sync.is_none() {
            // The model is decoded once for all lines.
            self.lip_sync = Some(Arc::new(LipSyncModel::built_in()?));
        }
        self.dropped.clear();
        self.all.retain(|line| now <= line.until() + HOLD_SECS);
        let warnings = match self.find_line(say, now) {
            Some(place) => self.update_line(place, say, now, language)?,
            // The end of a line that was stopped, or an empty piece.
            None if is_empty(say) => {
                self.last_updated = 0;
                Vec::new()
            }
            None => self.start_line(say, now, language, rate)?,
        };
        self.arrange(now);
        Ok(warnings)
    }

    fn update_line(
        &mut self,
        place: usize,
        say: &Say,
        now: f64,
        language: &dyn Pronounce,
    ) -> Result<Vec<TimingWarning>> {
        let line = &mut self.all[place];
        // Words that have not been spoken yet cannot start before now.
        line.utterance.wait_until(now - line.from);
        self.lip_sync.iter().for_each(|model| line.utterance.set_lip_sync(Arc::clone(model)));
        let warnings = line.utterance.update(say, language)?;
        line.requested_secs = line.requested_secs.max(requested_secs(say));
        if let Some(at) = requested_at(say).filter(|_| line.from > now) {
            (line.requested_at, line.wanted) = (Some(at), at.max(now));
        }
        self.last_updated = line.number;
        Ok(warnings)
    }

    /// Adds a complete line that is already parsed and aligned. The line starts at `at`, or when earlier lines have
    /// ended.
    ///
    /// # Errors
    /// If too many lines are waiting; in that case nothing changes.
    pub fn push_complete(&mut self, utterance: Utterance, at: Option<f64>, now: f64) -> Result<()> {
        self.dropped.clear();
        self.all.retain(|line| now <= line.until() + HOLD_SECS);
        self.check_room()?;
        self.add(utterance, at.filter(|at| at.is_finite()), now);
        self.arrange(now);
        Ok(())
    }

    fn check_room(&self) -> Result<()> {
        if self.all.len() >= MAX_LINES {
            return Err(Error::new(format!(
                "{MAX_LINES} lines are already waiting; wait until one ends, or send a stop"
            )));
        }
        Ok(())
    }

    fn start_line(
        &mut self,
        say: &Say,
        now: f64,
        language: &dyn Pronounce,
        rate: f64,
    ) -> Result<Vec<TimingWarning>> {
        self.check_room()?;
        let mut utterance = Utterance::new(TimingOptions { rate, ..TimingOptions::default() });
        self.lip_sync.iter().for_each(|model| utterance.set_lip_sync(Arc::clone(model)));
        let warnings = utterance.update(say, language)?;
        let line = self.add(utterance, requested_at(say), now);
        line.name.clone_from(&say.line);
        line.requested_secs = requested_secs(say);
        Ok(warnings)
    }

    fn add(&mut self, utterance: Utterance, requested_at: Option<f64>, now: f64) -> &mut Line<T> {
        self.count += 1;
        self.last_updated = self.count;
        let place = self.all.len();
        self.all.push(Line {
            number: self.count,
            name: None,
            requested_at,
            wanted: requested_at.filter(|at| *at >= now - LATE_SECS).unwrap_or(now),
            from: f64::INFINITY,
            pause_secs: utterance.sentence_pause_secs(),
            utterance,
            requested_secs: 0.0,
            cut_at: f64::INFINITY,
            stops_at: f64::INFINITY,
            with: T::default(),
        });
        &mut self.all[place]
    }
}

fn is_empty(say: &Say) -> bool {
    *say == Say { at: say.at, line: say.line.clone(), ..Say::default() }
}

fn requested_at(say: &Say) -> Option<f64> {
    say.at.filter(|at| at.is_finite())
}

fn requested_secs(say: &Say) -> f64 {
    say.duration.filter(|secs| secs.is_finite()).unwrap_or(0.0)
}
