//! Speech lines of a performer, and the cues that follow from them.
//!
//! A line is converted to [moments](crate::speech::moments): breaths, stressed words and phrase ends. Glances are
//! added, because speakers look away now and then. Moments and glances wait in a queue of cues, ordered by time.
//! Later updates of this line or of an earlier line change the cues that have not happened yet.

use crate::agenda::Agenda;
use crate::body::plan::Planned;
use crate::chance::Chance;
use crate::error::Result;
use crate::eyes::aversion::{Aversion, SHORTEST_SECS, Turn, speaking_aversions};
use crate::intent::Say;
use crate::performer::tags::TagAction;
use crate::rig::Rig;
use crate::speech::event::{SpeechEventKind, SpeechEvents};
use crate::speech::lines::{HOLD_SECS, Line, Lines};
use crate::speech::moments::{Moment, moments};
use crate::speech::mouth::{Mouth, MouthRig, MouthShape};
use crate::speech::pronounce::{English, Pronounce};
use crate::speech::utterance::Utterance;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Seconds without words after which a speaker with an unfinished line starts to hold the floor (our design: longer
/// than a pause within a sentence).
const HOLD_AFTER_SECS: f64 = 0.4;
/// Seconds until the speaker holds the floor again: the duration of one gaze aversion and a look back.
const HOLD_AGAIN_SECS: f64 = 3.5;
/// Seconds by which a breath precedes its part of a line.
const INHALE_SECS: f64 = 0.5;
/// Seconds from the start of a head or brow accent to its peak.
const ACCENT_SECS: f64 = 0.25;
/// Minimum time between two stresses in seconds. A stress that follows after less time belongs to the same word, whose
/// time was corrected.
const MIN_STRESS_GAP_SECS: f64 = 0.25;
/// Seconds for which a speaker looks at the listener after the turn.
const YIELDED_SECS: f64 = 1.0;
/// Minimum duration in seconds of a pause within a turn at which the speaker looks away to hold the floor.
const FLOOR_SECS: f64 = 0.3;
/// Seconds for which a phoneme affects the mouth after its end.
const PAST_SECS: f64 = 0.5;
/// Number that no line has, because lines are numbered from 1.
pub(super) const NO_LINE: u64 = 0;
/// Maximum number of stored warnings.
const MAX_WARNINGS: usize = 64;

/// Pronunciation rules.
#[derive(Clone)]
pub(super) struct Language(pub(super) Arc<dyn Pronounce>);

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Language")
    }
}

/// The mouth, its mapping to the avatar, and the lines it speaks.
#[derive(Clone, Debug)]
pub(super) struct Voice {
    pub(super) mouth: Mouth,
    pub(super) rig: MouthRig,
    pub(super) shown: MouthShape,
    pub(super) language: Language,
    pub(super) lines: Lines<LineState>,
    /// Cues that are still to come.
    cues: Agenda<Cue>,
    /// True if a turn has started and not ended.
    is_in_turn: bool,
    /// True if speech controls the gaze.
    is_gaze_controlled: bool,
    /// True if the gaze is averted.
    is_averted: bool,
    pub(super) events: SpeechEvents,
    pub(super) warnings: Vec<String>,
    pub(super) seed: u64,
}

/// State of a line beyond its text and timing.
#[derive(Clone, Debug)]
pub(super) struct LineState {
    /// State of the line in the planner.
    pub(super) planned: Planned,
    is_answer: bool,
    has_begun: bool,
    is_over: bool,
    /// Number of notes about unspoken text that were already reported.
    notes: usize,
    /// For each kind of moment, the index of the first word whose moment has not happened.
    next: [usize; Moment::KINDS],
    /// Time of the last stressed word in seconds.
    last_stress: f64,
    /// Actions that the tags of the line request; `None` for an unknown tag.
    pub(super) tag_actions: Vec<Option<TagAction>>,
    /// Number of tags whose actions have started.
    tags_done: usize,
    pub(super) glances: Vec<Aversion>,
    /// Number of times that the floor was held.
    pub(super) holds: u64,
    /// Time at which the floor was last held, in seconds.
    held_at: f64,
    /// Gaze aversion while the floor was last held.
    held: Option<Aversion>,
    place: Place,
}

impl Default for LineState {
    fn default() -> Self {
        Self {
            planned: Planned::default(),
            is_answer: false,
            has_begun: false,
            is_over: false,
            notes: 0,
            next: [0; Moment::KINDS],
            last_stress: f64::NEG_INFINITY,
            tag_actions: Vec::new(),
            tags_done: 0,
            glances: Vec::new(),
            holds: 0,
            held_at: f64::NEG_INFINITY,
            held: None,
            place: Place::default(),
        }
    }
}

/// Position of a line relative to its neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Place {
    from: f64,
    is_cut: bool,
    /// True if the line continues a turn.
    follows: bool,
    /// True if the turn continues after the line.
    goes_on: bool,
}

/// An event of a line that is still to come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cue {
    pub(super) at: f64,
    pub(super) line: u64,
    pub(super) kind: CueKind,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum CueKind {
    Start,
    /// A moment, its exact time in seconds, and the index of its word.
    Moment(Moment, f64, usize),
    Tag(usize),
    /// A glance away starts.
    LookAway(Aversion),
    /// The gaze returns to the listener.
    LookBack,
    /// The turn is over; speech no longer controls the gaze.
    ReleaseGaze,
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
            is_gaze_controlled: false,
            is_averted: false,
            events: SpeechEvents::default(),
            warnings: Vec::new(),
            seed,
        }
    }

    pub(super) fn next_event(&self) -> f64 {
        self.cues.next_at()
    }

    /// Adds or updates a line. Returns its number.
    pub(super) fn add_line(&mut self, say: &Say, now: f64, is_answer: bool, rate: f64) -> Result<u64> {
        let count = self.lines.count();
        let mended = self.lines.push(say, now, &*self.language.0, rate)?;
        let mended = mended.iter().map(ToString::to_string);
        let mut warnings: Vec<String> =
            say.read.iter().flat_map(|read| read.remarks.iter().cloned()).chain(mended).collect();
        let number = self.lines.last_updated().map_or(NO_LINE, Line::number);
        if let Some(line) = self.lines.get_mut(number) {
            let notes = line.utterance().text().notes.iter();
            warnings.extend(notes.skip(line.with.notes).map(ToString::to_string));
            line.with.notes = line.utterance().text().notes.len();
            line.with.is_answer |= is_answer && number > count;
            if line.with.is_over && now < line.until() {
                // The line seemed to be over, but it continues.
                (line.with.is_over, line.with.has_begun) = (false, false);
            }
        }
        warnings.into_iter().for_each(|warning| self.add_warning(warning));
        Ok(number)
    }

    /// Adds a line that is already parsed and aligned. Returns its number.
    pub(super) fn add_aligned_line(
        &mut self,
        utterance: Utterance,
        at: Option<f64>,
        now: f64,
        is_answer: bool,
    ) -> Result<u64> {
        let notes = utterance.text().notes.len();
        self.lines.push_complete(utterance, at, now)?;
        let number = self.lines.last_updated().map_or(NO_LINE, Line::number);
        if let Some(line) = self.lines.get_mut(number) {
            // The caller has already reported unspoken text.
            (line.with.notes, line.with.is_answer) = (notes, is_answer);
        }
        Ok(number)
    }

    /// Stores a warning for the user. If there are too many, the oldest is dropped.
    pub(super) fn add_warning(&mut self, warning: String) {
        if self.warnings.len() == MAX_WARNINGS {
            self.warnings.remove(0);
        }
        self.warnings.push(warning);
    }

    /// Replans mouth, glances and cues of a changed line, and of the lines that it moves.
    pub(super) fn replan(&mut self, changed: u64, now: f64) {
        let moved = self.plan_glances(changed, now);
        let lines = &self.lines;
        let is_gone =
            |line: u64| moved.contains(&line) || (line <= lines.count() && lines.get(line).is_none());
        // Older phonemes are skipped, because the mouth would drop them at once.
        let changed_lines = || lines.iter().filter(|line| moved.contains(&line.number()));
        let said =
            changed_lines().map(|line| (line.number(), line.from(), line.phonemes_from(now - PAST_SECS)));
        self.mouth.replace_lines(now, is_gone, said);
        self.cues.retain(|_, cue| !is_gone(cue.line));
        for line in changed_lines() {
            self.cues.extend(line.cues(now, self.is_averted).map(|cue| (cue.at, cue)));
        }
        // Reserves capacity, so that cues added while time advances do not allocate.
        self.cues.reserve(4);
        self.end_stale_glances(now);
        if self.is_in_turn && !self.lines.is_on(now) {
            self.is_in_turn = false;
            self.events.push(now, SpeechEventKind::End);
        }
    }

    /// Ends glances that are no longer planned, and releases the gaze if no cue will release it.
    fn end_stale_glances(&mut self, now: f64) {
        let is_seen = |glance: &Aversion| glance.from <= now && now < glance.to;
        let sees = |line: &Line<LineState>| line.with.glances.iter().chain(&line.with.held).any(is_seen);
        let will_be_free = self.cues.iter().any(|(_, cue)| matches!(cue.kind, CueKind::ReleaseGaze));
        if self.is_averted && !self.lines.iter().any(sees) {
            self.add_cue(Cue { at: now, line: NO_LINE, kind: CueKind::LookBack });
        }
        if self.is_gaze_controlled && !will_be_free {
            self.add_cue(Cue { at: now, line: NO_LINE, kind: CueKind::ReleaseGaze });
        }
    }

    /// Plans glances, starting with the last line, because a speaker who continues looks away before the next line
    /// starts. Returns the lines that changed.
    fn plan_glances(&mut self, changed: u64, now: f64) -> BTreeSet<u64> {
        let places: Vec<Place> = self.lines.in_turns().map(Place::of).collect();
        let (mut free_until, mut moved) = (0.0, BTreeSet::new());
        for (line, place) in self.lines.iter_mut().zip(places).rev() {
            let number = line.number();
            if line.until() + YIELDED_SECS < now && number != changed {
                continue;
            }
            let chance = Chance::new(self.seed.wrapping_add(number), "turn");
            let turn = line.turn(place, free_until);
            let mut glances = speaking_aversions(&turn, &chance);
            if !line.utterance().is_whole() {
                // While the floor is held, glances are planned separately.
                glances.retain(|glance| glance.from < line.said());
            }
            free_until = match glances.first() {
                Some(first) => first.from - SHORTEST_SECS,
                None => turn.yields_at(&chance).min(line.from()),
            };
            let state = &mut line.with;
            if number == changed || place != state.place || glances != state.glances {
                moved.insert(number);
            }
            (state.place, state.glances) = (place, glances);
        }
        moved
    }

    /// Times of the stressed words that are still to come, in order.
    pub(super) fn emphases(&self) -> impl Iterator<Item = f64> {
        self.cues.iter().filter_map(|(_, cue)| match cue.kind {
            CueKind::Moment(Moment::Emphasis { .. }, when, _) => Some(when),
            _ => None,
        })
    }

    fn add_cue(&mut self, cue: Cue) {
        self.cues.insert(cue.at, cue);
    }

    /// Removes and returns the next cue.
    pub(super) fn next_cue(&mut self) -> Option<Cue> {
        let (_, cue) = self.cues.pop()?;
        match cue.kind {
            CueKind::LookAway(_) => (self.is_gaze_controlled, self.is_averted) = (true, true),
            CueKind::LookBack => (self.is_gaze_controlled, self.is_averted) = (true, false),
            // The speaker is already looking away for the next turn.
            CueKind::ReleaseGaze if self.is_averted => return None,
            CueKind::ReleaseGaze => self.is_gaze_controlled = false,
            _ => {}
        }
        if let Some(Line { with, .. }) = self.lines.get_mut(cue.line) {
            match cue.kind {
                CueKind::Start => with.has_begun = true,
                CueKind::Moment(Moment::Emphasis { .. }, when, _) => with.last_stress = when,
                CueKind::Moment(moment, _, word) => with.next[moment.kind()] = word + 1,
                CueKind::Tag(place) => with.tags_done = with.tags_done.max(place + 1),
                CueKind::LookAway(_) | CueKind::LookBack | CueKind::ReleaseGaze => {}
            }
        }
        Some(cue)
    }

    /// Handles the start of a line. Starts a turn, unless a turn is running.
    pub(super) fn start_turn(&mut self, at: f64) {
        if !std::mem::replace(&mut self.is_in_turn, true) {
            self.events.push(at, SpeechEventKind::Start);
        }
    }

    /// Handles the end of a line. Ends the turn, unless another line continues it.
    pub(super) fn end_line(&mut self, line: u64, at: f64) {
        if let Some(line) = self.lines.get_mut(line) {
            line.with.is_over = true;
        }
        if !self.lines.goes_on(line) && std::mem::take(&mut self.is_in_turn) {
            self.events.push(at, SpeechEventKind::End);
        }
    }

    /// Holds the floor: the known words have ended, and more words are expected. Returns the number of holds in this
    /// line, or `None` if the line timed out.
    pub(super) fn hold_floor(&mut self, cue: Cue) -> Option<u64> {
        let line = self.lines.get_mut(cue.line)?;
        let until = line.until();
        if cue.at >= until {
            self.end_line(cue.line, cue.at);
            return None;
        }
        line.with.holds += 1;
        line.with.held_at = cue.at;
        let holds = line.with.holds;
        self.events.push(cue.at, SpeechEventKind::Hold);
        self.add_cue(Cue { at: (cue.at + HOLD_AGAIN_SECS).min(until), ..cue });
        Some(holds)
    }

    /// Looks away while the floor is held.
    pub(super) fn avert_while_holding(&mut self, number: u64, mut glance: Aversion) {
        let Some(line) = self.lines.get_mut(number) else { return };
        glance.to = glance.to.min(line.until());
        line.with.held = Some(glance);
        self.cues.retain(|_, cue| cue.line != number || !matches!(cue.kind, CueKind::LookBack));
        self.add_cue(Cue { at: glance.from, line: number, kind: CueKind::LookAway(glance) });
        self.add_cue(Cue { at: glance.to, line: number, kind: CueKind::LookBack });
    }

    /// Stops and removes all lines up to the number `up_to`.
    pub(super) fn stop_lines(&mut self, up_to: u64, at: f64) {
        let current = self.lines.iter().rev().find(|line| line.with.has_begun).map(Line::number);
        let is_meant = current.is_none_or(|line| line <= up_to);
        let was_speaking = is_meant && std::mem::take(&mut self.is_in_turn);
        let count = self.lines.count();
        self.lines.forget(|line| line.number() <= up_to);
        self.mouth.forget(at, |line| line <= up_to || line > count);
        self.cues.retain(|_, cue| cue.line > up_to);
        if was_speaking {
            self.events.push(at, SpeechEventKind::Interrupted);
        }
        self.end_stale_glances(at);
    }
}

impl Place {
    fn of((follows, line, goes_on): (bool, &Line<LineState>, bool)) -> Self {
        Self { from: line.from(), is_cut: line.is_cut(), follows, goes_on }
    }
}

impl Line<LineState> {
    /// Returns this line as a part of a turn. A speaker does not yield the turn at the end of an unfinished line. If
    /// another line continues the turn, glances may last until `free_until`.
    fn turn(&self, place: Place, free_until: f64) -> Turn {
        let from = self.from();
        let pauses = self.utterance().score().pauses.iter();
        let held = pauses.filter(|pause| pause.to - pause.from >= FLOOR_SECS);
        let open_secs = if self.utterance().is_whole() { 0.0 } else { 2.0 * HOLD_SECS };
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

    /// Returns the cues of the line that are still to come.
    fn cues(&self, now: f64, is_averted: bool) -> impl Iterator<Item = Cue> {
        let tags = self.utterance().tags().enumerate().skip(self.with.tags_done);
        let tags = tags.map(move |(place, (secs, _))| self.cue(now, self.from() + secs, CueKind::Tag(place)));
        let begin = (!self.with.has_begun).then(|| self.cue(now, self.from(), CueKind::Start));
        let all = begin.into_iter().chain(self.moments(now)).chain(self.emphases(now)).chain(tags);
        // If another line has started, the remaining cues of this line are dropped.
        all.chain(self.looks(now, is_averted)).filter(|_| !self.is_cut())
    }

    fn cue(&self, now: f64, at: f64, kind: CueKind) -> Cue {
        Cue { at: at.max(now), line: self.number(), kind }
    }

    fn moments(&self, now: f64) -> impl Iterator<Item = Cue> {
        let (from, said, state) = (self.from(), self.said(), &self.with);
        let moments = moments(self.utterance().score(), self.utterance().is_whole());
        moments.into_iter().filter_map(move |timed| {
            let (is_new, when) = (timed.word >= state.next[timed.moment.kind()], from + timed.at);
            let (is_due, when, at) = match timed.moment {
                Moment::Breath { secs } => (is_new && when + secs >= now, when, when - INHALE_SECS),
                Moment::PhraseEnd(_) => (is_new && when >= now - ACCENT_SECS, when, when),
                Moment::Emphasis { .. } => (is_new, when, when - ACCENT_SECS),
                Moment::Hold if is_new => (true, said, said + HOLD_AFTER_SECS),
                Moment::Hold => (!state.is_over, said, (state.held_at + HOLD_AGAIN_SECS).min(self.until())),
                Moment::End => (!state.is_over, said, said),
            };
            is_due.then(|| self.cue(now, at, CueKind::Moment(timed.moment, when, timed.word)))
        })
    }

    fn emphases(&self, now: f64) -> impl Iterator<Item = Cue> {
        let from = now.max(self.with.last_stress + MIN_STRESS_GAP_SECS) - self.from();
        self.utterance().emphases_from(from).map(move |(secs, strength)| {
            let when = self.from() + secs;
            self.cue(now, when - ACCENT_SECS, CueKind::Moment(Moment::Emphasis { strength }, when, 0))
        })
    }

    /// Glances away and back within a turn.
    fn looks(&self, now: f64, is_averted: bool) -> impl Iterator<Item = Cue> {
        let (state, from) = (&self.with, self.from());
        let coming = state.glances.iter().filter(move |glance| glance.to > now);
        let away = coming.clone().filter(move |glance| {
            let has_begun = glance.from <= now;
            !has_begun || (!is_averted && glance.to - now >= SHORTEST_SECS)
        });
        let away = away.map(move |glance| self.cue(now, glance.from, CueKind::LookAway(*glance)));
        let back = coming.chain(state.held.iter().filter(move |glance| glance.to > now));
        let back = back.map(move |glance| self.cue(now, glance.to, CueKind::LookBack));
        let is_thinking = state.glances.iter().any(|glance| glance.from <= from && from < glance.to);
        let first = (!state.place.follows && !state.has_begun && !is_thinking)
            .then(|| self.cue(now, from, CueKind::LookBack));
        let free_at = self.until() + YIELDED_SECS;
        let free =
            (!state.place.goes_on && free_at >= now).then(|| self.cue(now, free_at, CueKind::ReleaseGaze));
        first.into_iter().chain(away).chain(back).chain(free)
    }
}
