//! Lines that are told, and whose turn it is: a voice says one thing at a time.
//!
//! An agent tells sentence after sentence, sooner than they can be said, and learns only later how long each takes. So
//! lines wait for each other. A line that is told for no time begins when what was told before is said, after a pause as
//! between two sentences. A line that is told for a time begins then, unless another one is still being said. Whatever
//! becomes known later moves the lines that have not begun; the one that has begun stays where it is.
//!
//! ```
//! use vivant::intent::Say;
//! use vivant::speech::{lines::Lines, pronounce::English};
//!
//! let (mut lines, english): (Lines, English) = Default::default();
//! for sentence in ["This is told at once.", "So is this."] {
//!     lines.take(&Say::new(sentence), 0.0, &english, 1.0)?;
//! }
//! let said: Vec<_> = lines.iter().map(|line| (line.from(), line.until())).collect();
//! assert_eq!((said[0].0, said[1].0), (0.0, said[0].1 + 0.5));
//! # Ok::<(), vivant::Error>(())
//! ```
//!
//! # Who waits for whom
//!
//! - Lines are said in the order of the times that they are told for (without one: when they were told), and of two for
//!   the same time the one that was told first comes first.
//! - A line for which more will come lasts until nobody waits for that any longer ([`HOLDS_SECS`]).
//! - A line for a time that has just passed has begun then: its voice is heard already, and what of it is left is shown.
//! - A line with a time that is too early by less than a pause gets only as much of the pause as it is too early: whoever
//!   has a voice of their own, and is off by a few milliseconds, stays with it.
//! - Behind a line that says nothing, and behind one that was broken off, there is no pause.
//! - Lines that follow each other within [`TURN_GAP_SECS`] are one turn.

#[cfg(test)]
mod tests;

use super::audio::LipSyncModel;
use super::pronounce::Pronounce;
use super::score::Segment;
use super::timing::TimingOptions;
use super::utterance::{Mended, Utterance};
use crate::intent::Say;
use crate::{Error, Result};
use std::sync::Arc;

/// A line for which nothing more comes is given up after this time, in seconds: the floor is free (our design).
pub const HOLDS_SECS: f64 = 8.0;
/// What follows within this time belongs to the same turn, in seconds (our design: twice the pause between sentences).
pub const TURN_GAP_SECS: f64 = 1.0;
/// A line that is told so much too late still begins when it was asked for, in seconds: its voice has begun then, and the
/// way here takes its time (our design).
const LATE_SECS: f64 = 1.0;
/// The most lines that wait.
const MAX_LINES: usize = 1 << 12;

/// Lines in the order in which they are said: those that have begun, then those that wait. With each of them whoever says
/// them keeps something of their own.
#[derive(Clone, Debug)]
pub struct Lines<T = ()> {
    all: Vec<Line<T>>,
    dropped: Vec<T>,
    count: u64,
    /// The number of the one that was told of last.
    told: u64,
    lip_sync: Option<Arc<LipSyncModel>>,
}

/// A line that waits, is said, or was said a moment ago.
#[derive(Clone, Debug)]
pub struct Line<T> {
    number: u64,
    name: Option<String>,
    /// When it was asked for, if it was for a time; and when it would begin if it were alone.
    asked: Option<f64>,
    wanted: f64,
    from: f64,
    utterance: Utterance,
    pause_secs: f64,
    /// How long it was told to take at least, in seconds.
    told_secs: f64,
    /// When another one began: what is left then is not said.
    cut_at: f64,
    /// When it will be broken off.
    stops_at: f64,
    /// What whoever says it keeps with it.
    pub with: T,
}

/// A line that is being said, about to be said, or between two of a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// When its voice begins.
    pub from: f64,
    /// When all is said that is known.
    pub said: f64,
    /// Whether nothing more will be told of it.
    pub is_whole: bool,
    /// Whether another one of the same turn follows.
    pub goes_on: bool,
}

impl<T> Line<T> {
    /// Its number; lines that are told later have higher ones.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// What its agent calls it.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// When it begins, in seconds of the performance.
    #[must_use]
    pub fn from(&self) -> f64 {
        self.from
    }

    /// What is known of it.
    #[must_use]
    pub fn utterance(&self) -> &Utterance {
        &self.utterance
    }

    /// When all is said that is known. A voice is heard until its last sample, and a line may be told to take longer than
    /// its words can be stretched.
    #[must_use]
    pub fn said(&self) -> f64 {
        let secs = self.utterance.secs().max(self.utterance.heard_secs()).max(self.told_secs);
        (self.from + secs).min(self.cut_at)
    }

    /// When it is over if nothing more comes.
    #[must_use]
    pub fn until(&self) -> f64 {
        let waits = if self.utterance.is_whole() { 0.0 } else { HOLDS_SECS };
        (self.said() + waits).min(self.cut_at)
    }

    /// Its sounds that are not over at a time of the performance; their times are from its own begin.
    pub fn sounds_from(&self, at: f64) -> impl Iterator<Item = Segment> {
        let sounds = &self.utterance.score().segments;
        let [over, cut] = [at - self.from, self.cut_at - self.from];
        let first = sounds.partition_point(|sound| sound.to < over);
        let left = sounds[first..].iter().take_while(move |sound| sound.from < cut);
        left.map(move |sound| Segment { to: sound.to.min(cut), ..*sound })
    }

    /// Whether another one began before all of it was said.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.cut_at < f64::INFINITY
    }

    fn is_silent(&self) -> bool {
        self.said() <= self.from
    }

    /// When another line may begin that was asked for at a time, and makes such a pause.
    fn free_at(&self, asked: Option<f64>, pause_secs: f64) -> f64 {
        if self.stops_at <= self.until() {
            return self.stops_at;
        }
        let pause_secs = if self.is_silent() { 0.0 } else { pause_secs };
        let until = self.until();
        until + (until - asked.unwrap_or(f64::NEG_INFINITY)).clamp(0.0, pause_secs)
    }

    /// Whether a line is one turn with it.
    fn is_followed_by(&self, next: &Self) -> bool {
        next.from - self.until() <= TURN_GAP_SECS
    }
}

impl<T> Default for Lines<T> {
    fn default() -> Self {
        Self { all: Vec::new(), dropped: Vec::new(), count: 0, told: 0, lip_sync: None }
    }
}

impl<T> Lines<T> {
    /// All of them, in the order in which they are said. What is over is forgotten after a while.
    pub fn iter(&self) -> std::slice::Iter<'_, Line<T>> {
        self.all.iter()
    }

    /// The same, for who keeps something with them.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, Line<T>> {
        self.all.iter_mut()
    }

    /// Each, with whether it goes on a turn, and whether the turn goes on behind it.
    pub fn in_turns(&self) -> impl DoubleEndedIterator<Item = (bool, &Line<T>, bool)> {
        let joins = |from: usize| Some(self.all.get(from)?.is_followed_by(self.all.get(from + 1)?));
        self.all.iter().enumerate().map(move |(place, line)| {
            let follows = place.checked_sub(1).and_then(joins).unwrap_or(false);
            (follows, line, joins(place).unwrap_or(false))
        })
    }

    /// One of them, by its number.
    #[must_use]
    pub fn get(&self, number: u64) -> Option<&Line<T>> {
        self.all.iter().find(|line| line.number == number)
    }

    /// The same, for who keeps something with it.
    pub fn get_mut(&mut self, number: u64) -> Option<&mut Line<T>> {
        self.all.iter_mut().find(|line| line.number == number)
    }

    /// The one that was told of last.
    #[must_use]
    pub fn last_told(&self) -> Option<&Line<T>> {
        self.get(self.told)
    }

    /// How many were ever told.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether the turn goes on behind a line.
    #[must_use]
    pub fn goes_on(&self, number: u64) -> bool {
        self.in_turns().any(|(_, line, goes_on)| line.number == number && goes_on)
    }

    /// The line that is being said at a time, or begins within so many seconds.
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

    /// Whether a line is being said, a floor held, or the next line of a turn about to follow.
    #[must_use]
    pub fn is_on(&self, now: f64) -> bool {
        self.span(now, 0.0).is_some()
    }

    /// Nothing is said from a time on of what was told so far: what would begin then is dropped at once.
    pub fn stop(&mut self, at: f64, now: f64) {
        self.all.iter_mut().for_each(|line| line.stops_at = line.stops_at.min(at));
        self.arrange(now);
    }

    /// Takes what was kept with lines that will never be said, since they were last arranged.
    pub fn take_dropped(&mut self) -> impl Iterator<Item = T> {
        self.dropped.drain(..)
    }

    /// Shows voices by this model from now on, instead of the one that is [built in](LipSyncModel::built_in).
    pub fn set_lip_sync(&mut self, model: Arc<LipSyncModel>) {
        self.lip_sync = Some(model);
    }

    /// Forgets some of them.
    pub fn forget(&mut self, is_meant: impl Fn(&Line<T>) -> bool) {
        self.all.retain(|line| !is_meant(line));
    }

    /// Brings those that wait into order, and lets each begin when the one before it is over. The one that has begun last
    /// ends the others.
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
                // What has just been told may have begun a moment ago; what waited has not.
                let earliest = if line.from.is_finite() { now.max(line.wanted) } else { line.wanted };
                let free_at = before.as_ref().map(|before| before.free_at(line.asked, line.pause_secs));
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

    /// The line that a piece belongs to, if it is told already. What is over takes only times, which came too late;
    /// anything else begins a new line, also a first piece that has no words yet.
    fn meant(&self, say: &Say, now: f64) -> Option<usize> {
        let is_meant = |line: &Line<T>| line.name.is_some() && line.name == say.line;
        let place = self.all.iter().rposition(is_meant)?;
        let line = &self.all[place];
        let is_first = say.more && line.utterance.is_whole();
        let is_new = is_first || !say.say.trim().is_empty() || say.voice.is_some();
        (now <= line.until() || !is_new).then_some(place)
    }
}

impl<T: Default> Lines<T> {
    /// Takes what is told of a line, at a time that is now; a line that is new is said so many times as fast as usual.
    /// Gives the times that had to be mended. Those that have not begun are arranged anew.
    ///
    /// # Errors
    /// If it cannot be read, or too many are waiting; then nothing changes.
    pub fn take(&mut self, say: &Say, now: f64, language: &dyn Pronounce, rate: f64) -> Result<Vec<Mended>> {
        if say.voice.is_some() && self.lip_sync.is_none() {
            // Decoded once for all lines.
            self.lip_sync = Some(Arc::new(LipSyncModel::built_in()?));
        }
        self.dropped.clear();
        self.all.retain(|line| now <= line.until() + HOLDS_SECS);
        let mended = match self.meant(say, now) {
            Some(place) => self.tell_more(place, say, now, language)?,
            // The end of a line that was stopped, or nothing at all.
            None if is_nothing(say) => {
                self.told = 0;
                Vec::new()
            }
            None => self.begin(say, now, language, rate)?,
        };
        self.arrange(now);
        Ok(mended)
    }

    fn tell_more(
        &mut self,
        place: usize,
        say: &Say,
        now: f64,
        language: &dyn Pronounce,
    ) -> Result<Vec<Mended>> {
        let line = &mut self.all[place];
        // What was not said by now cannot be said before now.
        line.utterance.wait_until(now - line.from);
        self.lip_sync.iter().for_each(|model| line.utterance.set_lip_sync(Arc::clone(model)));
        let mended = line.utterance.tell(say, language)?;
        line.told_secs = line.told_secs.max(told_secs(say));
        if let Some(at) = asked(say).filter(|_| line.from > now) {
            (line.asked, line.wanted) = (Some(at), at.max(now));
        }
        self.told = line.number;
        Ok(mended)
    }

    /// Takes a whole line that was read, heard and aligned already. It is said at `at`, or when the lines before it are
    /// over.
    ///
    /// # Errors
    /// If too many lines are waiting; then nothing changes.
    pub fn take_whole(&mut self, utterance: Utterance, at: Option<f64>, now: f64) -> Result<()> {
        self.dropped.clear();
        self.all.retain(|line| now <= line.until() + HOLDS_SECS);
        self.check_room()?;
        self.add(utterance, at.filter(|at| at.is_finite()), now);
        self.arrange(now);
        Ok(())
    }

    fn check_room(&self) -> Result<()> {
        if self.all.len() >= MAX_LINES {
            return Err(Error::new(format!("{MAX_LINES} lines are waiting already; say stop first")));
        }
        Ok(())
    }

    fn begin(&mut self, say: &Say, now: f64, language: &dyn Pronounce, rate: f64) -> Result<Vec<Mended>> {
        self.check_room()?;
        let mut utterance = Utterance::new(TimingOptions { rate, ..TimingOptions::default() });
        self.lip_sync.iter().for_each(|model| utterance.set_lip_sync(Arc::clone(model)));
        let mended = utterance.tell(say, language)?;
        let line = self.add(utterance, asked(say), now);
        line.name.clone_from(&say.line);
        line.told_secs = told_secs(say);
        Ok(mended)
    }

    fn add(&mut self, utterance: Utterance, asked: Option<f64>, now: f64) -> &mut Line<T> {
        self.count += 1;
        self.told = self.count;
        let place = self.all.len();
        self.all.push(Line {
            number: self.count,
            name: None,
            asked,
            wanted: asked.filter(|at| *at >= now - LATE_SECS).unwrap_or(now),
            from: f64::INFINITY,
            pause_secs: utterance.sentence_pause_secs(),
            utterance,
            told_secs: 0.0,
            cut_at: f64::INFINITY,
            stops_at: f64::INFINITY,
            with: T::default(),
        });
        &mut self.all[place]
    }
}

fn is_nothing(say: &Say) -> bool {
    *say == Say { at: say.at, line: say.line.clone(), ..Say::default() }
}

fn asked(say: &Say) -> Option<f64> {
    say.at.filter(|at| at.is_finite())
}

fn told_secs(say: &Say) -> f64 {
    say.duration.filter(|secs| secs.is_finite()).unwrap_or(0.0)
}
