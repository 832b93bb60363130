//! What a performer was told to say, and what is to come of it.
//!
//! A line becomes [moments](crate::speech::moments): breaths, emphases, ends of phrases; and glances, since who speaks
//! looks away now and then. They wait as cues, by time. What is told later, of this line or of one before it, changes
//! those that have not come.

use crate::agenda::Agenda;
use crate::body::plan::Planned;
use crate::chance::Chance;
use crate::error::Result;
use crate::eyes::aversion::{Aversion, SHORTEST_SECS, Turn, averted};
use crate::intent::Say;
use crate::performer::tags::TagAction;
use crate::rig::Rig;
use crate::speech::event::{SpeechEvents, Spoke};
use crate::speech::lines::{HOLDS_SECS, Line, Lines};
use crate::speech::moments::{Moment, moments};
use crate::speech::mouth::{Mouth, MouthRig, MouthShape};
use crate::speech::pronounce::{English, Pronounce};
use crate::speech::utterance::Utterance;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How long a speaker who has run out of words waits until the pause has to be held (our design: longer than a pause
/// within a sentence).
const HOLD_AFTER_SECS: f64 = 0.4;
/// How long until a floor that is still held is held again: an aversion, and a look back.
const HOLD_AGAIN_SECS: f64 = 3.5;
/// How long before it is said the breath for a part of a line begins.
const INHALE_SECS: f64 = 0.5;
/// How long before it is at its height an accent of head and brows begins.
const ACCENT_SECS: f64 = 0.25;
/// A word that stands out again within this time is the same, told better.
const APART_SECS: f64 = 0.25;
/// How long a speaker looks at the other after the turn.
const YIELDED_SECS: f64 = 1.0;
/// The shortest pause within a turn that has to be held against others.
const FLOOR_SECS: f64 = 0.3;
/// Sounds that ended longer ago than this do not matter to the mouth.
const PAST_SECS: f64 = 0.5;
/// Lines are numbered from 1.
pub(super) const NO_LINE: u64 = 0;
/// The most remarks that are kept.
const MAX_REMARKS: usize = 64;

/// How words sound.
#[derive(Clone)]
pub(super) struct Language(pub(super) Arc<dyn Pronounce>);

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Language")
    }
}

/// A mouth, how the avatar shows it, and what it says.
#[derive(Clone, Debug)]
pub(super) struct Voice {
    pub(super) mouth: Mouth,
    pub(super) rig: MouthRig,
    pub(super) shown: MouthShape,
    pub(super) language: Language,
    pub(super) lines: Lines<Going>,
    /// What is still to come.
    cues: Agenda<Cue>,
    /// Whether a turn has begun and not ended.
    is_in_turn: bool,
    /// Whether the eyes go with what is said, and whether they are away.
    is_leading: bool,
    is_away: bool,
    pub(super) events: SpeechEvents,
    pub(super) remarks: Vec<String>,
    pub(super) seed: u64,
}

/// What goes with a line.
#[derive(Clone, Debug)]
pub(super) struct Going {
    /// What the planner knows of it.
    pub(super) planned: Planned,
    is_answer: bool,
    has_begun: bool,
    is_over: bool,
    /// How much of its text that is not spoken was told of.
    notes: usize,
    /// For each kind of moment the first word for which it has not come.
    next: [usize; Moment::KINDS],
    /// When a word stood out last.
    stressed: f64,
    /// What its tags ask for, as far as they are understood, and how many of them came.
    pub(super) deeds: Vec<Option<TagAction>>,
    done: usize,
    pub(super) glances: Vec<Aversion>,
    /// How often the floor was held, when it was last, and the glance away that went with it.
    pub(super) holds: u64,
    held_at: f64,
    held: Option<Aversion>,
    place: Place,
}

impl Default for Going {
    fn default() -> Self {
        Self {
            planned: Planned::default(),
            is_answer: false,
            has_begun: false,
            is_over: false,
            notes: 0,
            next: [0; Moment::KINDS],
            stressed: f64::NEG_INFINITY,
            deeds: Vec::new(),
            done: 0,
            glances: Vec::new(),
            holds: 0,
            held_at: f64::NEG_INFINITY,
            held: None,
            place: Place::default(),
        }
    }
}

/// Where a line is among the others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Place {
    from: f64,
    is_cut: bool,
    /// Whether it goes on a turn, and whether the turn goes on behind it.
    follows: bool,
    goes_on: bool,
}

/// What is to come of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cue {
    pub(super) at: f64,
    pub(super) line: u64,
    pub(super) what: Due,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Due {
    Begin,
    /// A moment, its own time and its word.
    Moment(Moment, f64, usize),
    Deed(usize),
    /// A glance away begins.
    Away(Aversion),
    /// The other is looked at again.
    Back,
    /// The turn is over, and the eyes are their own again.
    Free,
}

impl Voice {
    pub(super) fn new(rig: &Rig, seed: u64) -> Self {
        Self {
            mouth: Mouth::default(),
            rig: MouthRig::new(rig),
            shown: MouthShape::REST,
            language: Language(Arc::new(English::default())),
            lines: Lines::default(),
            cues: Agenda::default(),
            is_in_turn: false,
            is_leading: false,
            is_away: false,
            events: SpeechEvents::default(),
            remarks: Vec::new(),
            seed,
        }
    }

    pub(super) fn next_event(&self) -> f64 {
        self.cues.next_at()
    }

    /// Takes what is told of a line, and gives its number.
    pub(super) fn take(&mut self, say: &Say, now: f64, is_answer: bool, rate: f64) -> Result<u64> {
        let count = self.lines.count();
        let mended = self.lines.take(say, now, &*self.language.0, rate)?;
        let mended = mended.iter().map(ToString::to_string);
        let mut remarks: Vec<String> =
            say.read.iter().flat_map(|read| read.remarks.iter().cloned()).chain(mended).collect();
        let told = self.lines.last_told().map_or(NO_LINE, Line::number);
        if let Some(line) = self.lines.get_mut(told) {
            let notes = line.utterance().text().notes.iter();
            remarks.extend(notes.skip(line.with.notes).map(ToString::to_string));
            line.with.notes = line.utterance().text().notes.len();
            line.with.is_answer |= is_answer && told > count;
            if line.with.is_over && now < line.until() {
                // What was thought to be over goes on.
                (line.with.is_over, line.with.has_begun) = (false, false);
            }
        }
        remarks.into_iter().for_each(|remark| self.remark(remark));
        Ok(told)
    }

    /// Takes a line that was read, heard and aligned already, and gives its number.
    pub(super) fn take_whole(
        &mut self,
        utterance: Utterance,
        at: Option<f64>,
        now: f64,
        is_answer: bool,
    ) -> Result<u64> {
        let notes = utterance.text().notes.len();
        self.lines.take_whole(utterance, at, now)?;
        let told = self.lines.last_told().map_or(NO_LINE, Line::number);
        if let Some(line) = self.lines.get_mut(told) {
            // Whoever read the text has reported what is not spoken.
            (line.with.notes, line.with.is_answer) = (notes, is_answer);
        }
        Ok(told)
    }

    /// Says something of what it was told. Of many remarks that nobody takes the last are kept.
    pub(super) fn remark(&mut self, remark: String) {
        if self.remarks.len() == MAX_REMARKS {
            self.remarks.remove(0);
        }
        self.remarks.push(remark);
    }

    /// Plans mouth, glances and cues anew: of the line that was told of, and of those that it moves.
    pub(super) fn arrange(&mut self, told: u64, now: f64) {
        let moved = self.look_and_find_moved(told, now);
        let lines = &self.lines;
        let is_gone =
            |line: u64| moved.contains(&line) || (line <= lines.count() && lines.get(line).is_none());
        // What is long past would be forgotten at once.
        let anew = || lines.iter().filter(|line| moved.contains(&line.number()));
        let said = anew().map(|line| (line.number(), line.from(), line.sounds_from(now - PAST_SECS)));
        self.mouth.say_instead(now, is_gone, said);
        self.cues.retain(|_, cue| !is_gone(cue.line));
        for line in anew() {
            self.cues.extend(line.cues(now, self.is_away).map(|cue| (cue.at, cue)));
        }
        // What is waited for while time passes finds its place ready.
        self.cues.reserve(4);
        self.look_back_if_lost(now);
        if self.is_in_turn && !self.lines.is_on(now) {
            self.is_in_turn = false;
            self.events.push(now, Spoke::Ends);
        }
    }

    /// Glances that are no longer planned end now, and eyes that nobody would free are free.
    fn look_back_if_lost(&mut self, now: f64) {
        let is_seen = |glance: &Aversion| glance.from <= now && now < glance.to;
        let sees = |line: &Line<Going>| line.with.glances.iter().chain(&line.with.held).any(is_seen);
        let will_be_free = self.cues.iter().any(|(_, cue)| matches!(cue.what, Due::Free));
        if self.is_away && !self.lines.iter().any(sees) {
            self.wait_for(Cue { at: now, line: NO_LINE, what: Due::Back });
        }
        if self.is_leading && !will_be_free {
            self.wait_for(Cue { at: now, line: NO_LINE, what: Due::Free });
        }
    }

    /// Plans glances, the last line first, since who goes on looks away before; and finds what has changed.
    fn look_and_find_moved(&mut self, told: u64, now: f64) -> BTreeSet<u64> {
        let places: Vec<Place> = self.lines.in_turns().map(Place::of).collect();
        let (mut free_until, mut moved) = (0.0, BTreeSet::new());
        for (line, place) in self.lines.iter_mut().zip(places).rev() {
            let number = line.number();
            if line.until() + YIELDED_SECS < now && number != told {
                continue;
            }
            let chance = Chance::new(self.seed.wrapping_add(number), "turn");
            let turn = line.turn(place, free_until);
            let mut glances = averted(&turn, &chance);
            if !line.utterance().is_whole() {
                // A floor that is held has glances of its own.
                glances.retain(|glance| glance.from < line.said());
            }
            free_until = match glances.first() {
                Some(first) => first.from - SHORTEST_SECS,
                None => turn.yields_at(&chance).min(line.from()),
            };
            let going = &mut line.with;
            if number == told || place != going.place || glances != going.glances {
                moved.insert(number);
            }
            (going.place, going.glances) = (place, glances);
        }
        moved
    }

    /// When words will stand out, in order.
    pub(super) fn emphases(&self) -> impl Iterator<Item = f64> {
        self.cues.iter().filter_map(|(_, cue)| match cue.what {
            Due::Moment(Moment::Emphasis { .. }, when, _) => Some(when),
            _ => None,
        })
    }

    fn wait_for(&mut self, cue: Cue) {
        self.cues.insert(cue.at, cue);
    }

    /// The next cue, which is thereby no longer to come.
    pub(super) fn next_cue(&mut self) -> Option<Cue> {
        let (_, cue) = self.cues.pop()?;
        match cue.what {
            Due::Away(_) => (self.is_leading, self.is_away) = (true, true),
            Due::Back => (self.is_leading, self.is_away) = (true, false),
            // Who thinks of the next turn already is not to be disturbed.
            Due::Free if self.is_away => return None,
            Due::Free => self.is_leading = false,
            _ => {}
        }
        if let Some(Line { with, .. }) = self.lines.get_mut(cue.line) {
            match cue.what {
                Due::Begin => with.has_begun = true,
                Due::Moment(Moment::Emphasis { .. }, when, _) => with.stressed = when,
                Due::Moment(moment, _, word) => with.next[moment.kind()] = word + 1,
                Due::Deed(place) => with.done = with.done.max(place + 1),
                Due::Away(_) | Due::Back | Due::Free => {}
            }
        }
        Some(cue)
    }

    /// The voice of a line begins: a turn does, unless it goes on.
    pub(super) fn begin(&mut self, at: f64) {
        if !std::mem::replace(&mut self.is_in_turn, true) {
            self.events.push(at, Spoke::Begins);
        }
    }

    /// All of a line is said: the turn ends, unless another line goes on with it.
    pub(super) fn end(&mut self, line: u64, at: f64) {
        if let Some(line) = self.lines.get_mut(line) {
            line.with.is_over = true;
        }
        if !self.lines.goes_on(line) && std::mem::take(&mut self.is_in_turn) {
            self.events.push(at, Spoke::Ends);
        }
    }

    /// The words of a line have run out and more will come. Gives how often that was held against others, until nobody can
    /// wait any longer.
    pub(super) fn hold(&mut self, cue: Cue) -> Option<u64> {
        let line = self.lines.get_mut(cue.line)?;
        let until = line.until();
        if cue.at >= until {
            self.end(cue.line, cue.at);
            return None;
        }
        line.with.holds += 1;
        line.with.held_at = cue.at;
        let holds = line.with.holds;
        self.events.push(cue.at, Spoke::Holds);
        self.wait_for(Cue { at: (cue.at + HOLD_AGAIN_SECS).min(until), ..cue });
        Some(holds)
    }

    /// Looks away while the floor is held, and no longer than that.
    pub(super) fn hold_by(&mut self, number: u64, mut glance: Aversion) {
        let Some(line) = self.lines.get_mut(number) else { return };
        glance.to = glance.to.min(line.until());
        line.with.held = Some(glance);
        self.cues.retain(|_, cue| cue.line != number || !matches!(cue.what, Due::Back));
        self.wait_for(Cue { at: glance.from, line: number, what: Due::Away(glance) });
        self.wait_for(Cue { at: glance.to, line: number, what: Due::Back });
    }

    /// Forgets all lines up to a number, at an instant.
    pub(super) fn hush(&mut self, upto: u64, at: f64) {
        let current = self.lines.iter().rev().find(|line| line.with.has_begun).map(Line::number);
        let is_meant = current.is_none_or(|line| line <= upto);
        let was_speaking = is_meant && std::mem::take(&mut self.is_in_turn);
        let count = self.lines.count();
        self.lines.forget(|line| line.number() <= upto);
        self.mouth.forget(at, |line| line <= upto || line > count);
        self.cues.retain(|_, cue| cue.line > upto);
        if was_speaking {
            self.events.push(at, Spoke::Breaks);
        }
        self.look_back_if_lost(at);
    }
}

impl Place {
    fn of((follows, line, goes_on): (bool, &Line<Going>, bool)) -> Self {
        Self { from: line.from(), is_cut: line.is_cut(), follows, goes_on }
    }
}

impl Line<Going> {
    /// The part of a turn that it is. One that may go on has no end that could be yielded at; where another line goes on,
    /// glances may last until a time.
    fn turn(&self, place: Place, free_until: f64) -> Turn {
        let from = self.from();
        let pauses = self.utterance().score().pauses.iter();
        let held = pauses.filter(|pause| pause.to - pause.from >= FLOOR_SECS);
        let open_secs = if self.utterance().is_whole() { 0.0 } else { 2.0 * HOLDS_SECS };
        Turn {
            from,
            to: if place.goes_on { free_until } else { self.said() + open_secs },
            resumes: place
                .follows
                .then_some(from)
                .into_iter()
                .chain(held.map(|pause| from + pause.to))
                .collect(),
            is_answer: self.with.is_answer && !place.follows,
            goes_on: place.goes_on,
        }
    }

    /// What is still to come of it.
    fn cues(&self, now: f64, is_away: bool) -> impl Iterator<Item = Cue> {
        let deeds = self.utterance().tags().enumerate().skip(self.with.done);
        let deeds = deeds.map(move |(place, (secs, _))| self.cue(now, self.from() + secs, Due::Deed(place)));
        let begin = (!self.with.has_begun).then(|| self.cue(now, self.from(), Due::Begin));
        let all = begin.into_iter().chain(self.moments(now)).chain(self.emphases(now)).chain(deeds);
        // Where another one has begun, nothing of this one is left.
        all.chain(self.looks(now, is_away)).filter(|_| !self.is_cut())
    }

    fn cue(&self, now: f64, at: f64, what: Due) -> Cue {
        Cue { at: at.max(now), line: self.number(), what }
    }

    fn moments(&self, now: f64) -> impl Iterator<Item = Cue> {
        let (from, said, going) = (self.from(), self.said(), &self.with);
        let moments = moments(self.utterance().score(), self.utterance().is_whole());
        moments.into_iter().filter_map(move |timed| {
            let (is_new, when) = (timed.word >= going.next[timed.moment.kind()], from + timed.at);
            let (is_due, when, at) = match timed.moment {
                Moment::Breath { secs } => (is_new && when + secs >= now, when, when - INHALE_SECS),
                Moment::PhraseEnd(_) => (is_new && when >= now - ACCENT_SECS, when, when),
                Moment::Emphasis { .. } => (is_new, when, when - ACCENT_SECS),
                Moment::Hold if is_new => (true, said, said + HOLD_AFTER_SECS),
                Moment::Hold => (!going.is_over, said, (going.held_at + HOLD_AGAIN_SECS).min(self.until())),
                Moment::End => (!going.is_over, said, said),
            };
            is_due.then(|| self.cue(now, at, Due::Moment(timed.moment, when, timed.word)))
        })
    }

    fn emphases(&self, now: f64) -> impl Iterator<Item = Cue> {
        let from = now.max(self.with.stressed + APART_SECS) - self.from();
        self.utterance().emphases_from(from).map(move |(secs, strength)| {
            let when = self.from() + secs;
            self.cue(now, when - ACCENT_SECS, Due::Moment(Moment::Emphasis { strength }, when, 0))
        })
    }

    /// Looks away and back, as a turn has them.
    fn looks(&self, now: f64, is_away: bool) -> impl Iterator<Item = Cue> {
        let (going, from) = (&self.with, self.from());
        let coming = going.glances.iter().filter(move |glance| glance.to > now);
        let away = coming.clone().filter(move |glance| {
            let has_begun = glance.from <= now;
            !has_begun || (!is_away && glance.to - now >= SHORTEST_SECS)
        });
        let away = away.map(move |glance| self.cue(now, glance.from, Due::Away(*glance)));
        let back = coming.chain(going.held.iter().filter(move |glance| glance.to > now));
        let back = back.map(move |glance| self.cue(now, glance.to, Due::Back));
        let is_thinking = going.glances.iter().any(|glance| glance.from <= from && from < glance.to);
        let first = (!going.place.follows && !going.has_begun && !is_thinking)
            .then(|| self.cue(now, from, Due::Back));
        let free_at = self.until() + YIELDED_SECS;
        let free = (!going.place.goes_on && free_at >= now).then(|| self.cue(now, free_at, Due::Free));
        first.into_iter().chain(away).chain(back).chain(free)
    }
}
