//! What a performer says: the mouth that says it, and what goes with it.
//!
//! A line becomes [moments](crate::speech::moments): breaths, emphases, ends of phrases. They wait as cues, by time; a line
//! that is told better later changes those that have not come.

use crate::chance::Chance;
use crate::error::{Error, Result};
use crate::eyes::aversion::{Aversion, Turn, averted, keeping_floor};
use crate::intent::Say;
use crate::performer::conversing::Span;
use crate::performer::tags::Deed;
use crate::performer::{Performer, What};
use crate::rig::Rig;
use crate::speech::event::{SpeechEvent, SpeechEvents, Spoke};
use crate::speech::moments::{Moment, moments};
use crate::speech::mouth::{Mouth, MouthRig, Shape};
use crate::speech::pronounce::{English, Pronounce};
use crate::speech::score::Score;
use crate::speech::timing::TimingOptions;
use crate::speech::utterance::Utterance;
use std::collections::VecDeque;
use std::sync::Arc;

/// A line for which nothing more comes is given up after this time: the floor is free (our design).
const HOLDS_SECS: f64 = 8.0;
/// How long a speaker who has run out of words waits until the pause has to be held (our design: longer than a pause
/// within a sentence).
const HOLD_AFTER_SECS: f64 = 0.4;
/// How long until a floor that is still held is held again: an aversion, and a look back.
const HOLD_AGAIN_SECS: f64 = 3.5;
/// A blink that would come within this time after the end of a phrase comes then.
const BLINK_WITHIN_SECS: f64 = 1.2;
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
/// The most remarks that are kept.
const MAX_REMARKS: usize = 64;
/// The most lines that wait.
const MAX_LINES: usize = 1 << 12;

/// How words sound.
#[derive(Clone)]
struct Language(Arc<dyn Pronounce>);

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Language")
    }
}

/// A mouth, how the avatar shows it, and what it says.
#[derive(Clone, Debug)]
pub(super) struct Voice {
    mouth: Mouth,
    rig: MouthRig,
    shown: Shape,
    language: Language,
    /// Those that are told or said.
    lines: Vec<Line>,
    count: u64,
    /// What is still to come, by time.
    cues: VecDeque<Cue>,
    events: SpeechEvents,
    remarks: Vec<String>,
    seed: u64,
}

/// A line that is told or said.
#[derive(Clone, Debug)]
struct Line {
    number: u64,
    name: Option<String>,
    at: f64,
    utterance: Utterance,
    /// The planner's number for it.
    wish: Option<u64>,
    is_answer: bool,
    has_begun: bool,
    /// How long it was told to take at least, in seconds.
    told_secs: f64,
    /// For each kind of moment the first word for which it has not come.
    next: [usize; Moment::KINDS],
    /// When a word stood out last.
    stressed: f64,
    /// What its tags ask for, as far as they are understood, and how many of them came.
    deeds: Vec<Option<Deed>>,
    done: usize,
    glances: Vec<Aversion>,
    /// How often the floor was held.
    holds: u64,
}

/// What is to come of a line.
#[derive(Clone, Copy, Debug)]
struct Cue {
    at: f64,
    line: u64,
    what: Due,
}

#[derive(Clone, Copy, Debug)]
enum Due {
    Begin,
    /// A moment, its own time and its word.
    Moment(Moment, f64, usize),
    Deed(usize),
}

impl Line {
    fn new(number: u64, say: &Say, at: f64, is_answer: bool, rate: f64) -> Self {
        Self {
            number,
            name: say.line.clone(),
            at,
            utterance: Utterance::new(TimingOptions { rate, ..TimingOptions::default() }),
            wish: None,
            is_answer,
            has_begun: false,
            told_secs: 0.0,
            next: [0; Moment::KINDS],
            stressed: f64::NEG_INFINITY,
            deeds: Vec::new(),
            done: 0,
            glances: Vec::new(),
            holds: 0,
        }
    }

    /// When all is said that is known. A line may be told to take longer than its words can be stretched.
    fn said(&self) -> f64 {
        self.at + self.utterance.score().secs().max(self.told_secs)
    }

    /// When the turn is over if nothing more comes.
    fn ends(&self) -> f64 {
        let waits = if self.utterance.is_whole() { 0.0 } else { HOLDS_SECS };
        self.said() + waits
    }

    /// What is still to come of it.
    fn cues(&self, now: f64) -> impl Iterator<Item = Cue> {
        let cue = move |at: f64, what| Cue { at: at.max(now), line: self.number, what };
        let begin = (!self.has_begun).then(|| cue(self.at, Due::Begin));
        let moments = moments(self.utterance.score(), self.utterance.is_whole());
        let moments = moments.into_iter().filter(|timed| timed.word >= self.next[timed.moment.kind()]);
        let moments = moments.filter_map(move |timed| {
            let is_end = matches!(timed.moment, Moment::Hold | Moment::End);
            let when = if is_end { self.said() } else { self.at + timed.at };
            let (lead, is_late) = match timed.moment {
                Moment::Breath { secs } => (INHALE_SECS, when + secs < now),
                Moment::Emphasis { .. } => (ACCENT_SECS, false),
                Moment::PhraseEnd(_) => (0.0, when < now - ACCENT_SECS),
                Moment::Hold => (-HOLD_AFTER_SECS, false),
                Moment::End => (0.0, false),
            };
            (!is_late).then(|| cue(when - lead, Due::Moment(timed.moment, when, timed.word)))
        });
        let stressed_from = now.max(self.stressed + APART_SECS);
        let emphases = self.utterance.emphases_from(stressed_from - self.at).map(move |(secs, strength)| {
            let when = self.at + secs;
            cue(when - ACCENT_SECS, Due::Moment(Moment::Emphasis { strength }, when, 0))
        });
        let deeds = self.utterance.tags().enumerate().skip(self.done);
        let deeds = deeds.map(move |(place, (secs, _))| cue(self.at + secs, Due::Deed(place)));
        begin.into_iter().chain(moments).chain(emphases).chain(deeds)
    }

    /// The turn of a conversation that it is. One that may go on has no end that could be yielded at.
    fn turn(&self) -> Turn {
        let (score, is_whole) = (self.utterance.score(), self.utterance.is_whole());
        let held = score.pauses.iter().filter(|pause| pause.to - pause.from >= FLOOR_SECS);
        let open_secs = if is_whole { 0.0 } else { 2.0 * HOLDS_SECS };
        Turn {
            from: self.at,
            to: self.said() + open_secs,
            resumes: held.map(|pause| self.at + pause.to).collect(),
            is_answer: self.is_answer,
        }
    }
}

impl Voice {
    fn new(rig: &Rig, seed: u64) -> Self {
        Self {
            mouth: Mouth::default(),
            rig: MouthRig::new(rig),
            shown: Shape::REST,
            language: Language(Arc::new(English::default())),
            lines: Vec::new(),
            count: 0,
            cues: VecDeque::new(),
            events: SpeechEvents::default(),
            remarks: Vec::new(),
            seed,
        }
    }

    pub(super) fn next_at(&self) -> f64 {
        self.cues.front().map_or(f64::INFINITY, |cue| cue.at)
    }

    /// Takes what is told of a line, and gives its place.
    fn take(&mut self, say: &Say, now: f64, is_answer: bool, rate: f64) -> Result<usize> {
        self.lines.retain(|line| line.ends() >= now);
        let known = self.lines.iter().position(|line| line.name.is_some() && line.name == say.line);
        let language = &*self.language.0;
        let told_secs = say.duration.filter(|secs| secs.is_finite()).unwrap_or(0.0);
        if let Some(place) = known {
            let line = &mut self.lines[place];
            // What was not said by now cannot be said before now.
            line.utterance.wait_until(now - line.at);
            let mended = line.utterance.tell(say, language)?;
            line.told_secs = line.told_secs.max(told_secs);
            mended.iter().for_each(|mended| self.remark(mended.to_string()));
            return Ok(place);
        }
        if self.lines.len() >= MAX_LINES {
            return Err(Error::new(format!("{MAX_LINES} lines are waiting already; say stop first")));
        }
        let at = say.at.filter(|at| at.is_finite()).unwrap_or(now).max(now);
        let mut line = Line::new(self.count + 1, say, at, is_answer, rate);
        let mended = line.utterance.tell(say, language)?;
        line.told_secs = told_secs;
        mended.iter().for_each(|mended| self.remark(mended.to_string()));
        self.count += 1;
        self.lines.push(line);
        Ok(self.lines.len() - 1)
    }

    /// Says something of what it was told. Of many remarks that nobody takes the last are kept.
    fn remark(&mut self, remark: String) {
        if self.remarks.len() == MAX_REMARKS {
            self.remarks.remove(0);
        }
        self.remarks.push(remark);
    }

    /// Plans mouth and cues of a line anew.
    fn plan(&mut self, place: usize, now: f64) {
        let line = &self.lines[place];
        // What is long past would be forgotten at once.
        let segments = &line.utterance.score().segments;
        let from = segments.partition_point(|segment| line.at + segment.to < now - PAST_SECS);
        self.mouth.say(now, line.at, line.number, &segments[from..]);
        self.cues.retain(|cue| cue.line != line.number);
        self.cues.extend(line.cues(now));
        self.cues.make_contiguous().sort_by(|a, b| a.at.total_cmp(&b.at));
    }

    /// The line that is being said, or that begins within so many seconds.
    pub(super) fn span(&self, now: f64, ahead_secs: f64) -> Option<Span> {
        let is_near = |line: &&Line| line.at - ahead_secs <= now && now < line.ends();
        let near = self.lines.iter().filter(is_near).min_by(|a, b| a.at.total_cmp(&b.at))?;
        Some(Span { from: near.at, said: near.said(), is_whole: near.utterance.is_whole() })
    }

    /// When words will stand out, in order.
    fn emphases(&self) -> impl Iterator<Item = f64> {
        self.cues.iter().filter_map(|cue| match cue.what {
            Due::Moment(Moment::Emphasis { .. }, when, _) => Some(when),
            _ => None,
        })
    }

    fn line(&mut self, number: u64) -> Option<&mut Line> {
        self.lines.iter_mut().find(|line| line.number == number)
    }

    fn wait_for(&mut self, cue: Cue) {
        let place = self.cues.partition_point(|other| other.at <= cue.at);
        self.cues.insert(place, cue);
    }
}

/// Sounds that ended longer ago than this do not matter to the mouth.
const PAST_SECS: f64 = 0.5;

impl Performer {
    /// Says a line as an intent tells it, or tells more of one.
    pub(super) fn say(&mut self, say: &Say, now: f64) -> Result<Option<u64>> {
        let is_answer = self.is_asked(now);
        let rate = self.mood().speech_rate();
        let voice = self.voice();
        let place = voice.take(say, now, is_answer, rate)?;
        self.understand_tags(place);
        self.be_ready_to_stress();
        let voice = self.voice();
        voice.plan(place, now);
        let line = &voice.lines[place];
        let (number, at, ends, wish) = (line.number, line.at, line.ends(), line.wish);
        let wish = match (&mut self.planner, wish) {
            (Some(planner), None) => Some(planner.say(at, ends - at)?),
            (Some(planner), Some(wish)) => {
                planner.say_until(wish, ends);
                Some(wish)
            }
            (None, _) => None,
        };
        if let Some(line) = self.voice().line(number) {
            line.wish = wish;
        }
        self.tell_strokes();
        self.look_away_while(place, now);
        Ok(wish)
    }

    /// Speaks another language from now on, or English with a dictionary of one's own.
    pub fn speak_by(&mut self, language: Arc<dyn Pronounce>) {
        self.voice().language = Language(language);
    }

    /// Moves the mouth to the sounds of a line that begins at `at`, and does nothing else. A line may be told again, by its
    /// number, when more of it or better times are known: the mouth goes on from where it is.
    pub fn mouth(&mut self, at: f64, line: u64, score: &Score) {
        let now = self.now();
        if at.is_finite() {
            // Numbers of lines that are said count up from 1, and those here down from the top.
            self.voice().mouth.say(now, at, u64::MAX - line, &score.segments);
        }
    }

    /// The mouth of the frame that was made last; `None` if nothing was ever said.
    #[must_use]
    pub fn mouth_shape(&self) -> Option<&Shape> {
        self.voice.as_ref().map(|voice| &voice.shown)
    }

    /// Takes what it did as a speaker since the last time, oldest first, for [who listens](Performer::hear).
    pub fn take_speech(&mut self) -> impl Iterator<Item = SpeechEvent> {
        self.voice.as_mut().into_iter().flat_map(|voice| voice.events.take())
    }

    /// Takes what could not be done of what it was told to say, in words: tags that nobody knows.
    pub fn take_remarks(&mut self) -> Vec<String> {
        self.voice.as_mut().map(|voice| std::mem::take(&mut voice.remarks)).unwrap_or_default()
    }

    /// When it looks away during what it says, as far as that is known.
    pub fn aversions(&self) -> impl Iterator<Item = &Aversion> {
        self.voice.iter().flat_map(|voice| voice.lines.iter().flat_map(|line| &line.glances))
    }

    /// Whether a line is being said, or a floor held.
    #[must_use]
    pub fn is_speaking(&self) -> bool {
        let now = self.now();
        let is_said = |line: &Line| line.at <= now && now < line.ends();
        self.voice.as_ref().is_some_and(|voice| voice.lines.iter().any(is_said))
    }

    fn voice(&mut self) -> &mut Voice {
        let (library, seed) = (&self.library, self.seed);
        self.voice.get_or_insert_with(|| Box::new(Voice::new(library.rig(), seed)))
    }

    fn understand_tags(&mut self, place: usize) {
        let graph = self.library.graph();
        let Some(voice) = self.voice.as_deref_mut() else { return };
        let mut feels = false;
        let known = voice.lines[place].deeds.len();
        let deeds: Vec<Result<Deed>> =
            voice.lines[place].utterance.tags().skip(known).map(|(_, tag)| Deed::of(tag, graph)).collect();
        for deed in deeds {
            feels |= matches!(deed, Ok(Deed::Feel(_) | Deed::Smile));
            let deed = deed.map_err(|error| voice.remark(error.to_string())).ok();
            voice.lines[place].deeds.push(deed);
        }
        if feels {
            self.be_ready_to_feel();
        }
    }

    /// Gestures that nobody asked for stroke where words stand out.
    fn tell_strokes(&mut self) {
        if let (Some(planner), Some(voice)) = (&mut self.planner, &self.voice) {
            planner.stroke_at(voice.emphases());
        }
    }

    /// Eyes that live look away as speakers do.
    fn look_away_while(&mut self, place: usize, now: f64) {
        let (Some(voice), Some(face)) = (self.voice.as_deref_mut(), self.face.as_deref_mut()) else { return };
        let line = &mut voice.lines[place];
        let chance = Chance::new(voice.seed.wrapping_add(line.number), "turn");
        let turn = line.turn();
        let glances = averted(&turn, &chance);
        let coming =
            |glances: &[Aversion]| glances.iter().filter(|glance| glance.to > now).copied().collect();
        let (before, after): (Vec<Aversion>, Vec<Aversion>) = (coming(&line.glances), coming(&glances));
        if before != after || line.glances.is_empty() {
            let from = glances.first().map_or(line.at, |first| first.from.min(line.at)).max(now);
            face.eyes.converse(from, &glances, turn.to + YIELDED_SECS);
            line.glances = glances;
        }
    }

    /// Says nothing more from a time on.
    pub(super) fn hush_at(&mut self, at: f64) {
        if self.voice.is_some() {
            self.schedule(at, What::Hush);
        }
    }

    /// Breaks off: what is being said, and what was to be said.
    pub(super) fn hush(&mut self, at: f64) {
        let was_speaking = self.is_speaking();
        let Some(voice) = &mut self.voice else { return };
        voice.mouth.hush(at);
        voice.lines.clear();
        voice.cues.clear();
        if was_speaking {
            voice.events.push(at, Spoke::Breaks);
        }
        if let Some(face) = self.face.as_mut().filter(|_| was_speaking) {
            face.eyes.converse_no_more(at);
        }
        self.forget_accents(at);
        self.tell_strokes();
    }

    /// The mouth, over what clips do to it.
    pub(super) fn show_mouth(&mut self, t: f64) {
        if let Some(voice) = self.voice.as_deref_mut() {
            voice.shown = voice.mouth.shape(t);
            voice.rig.show(&voice.shown, &mut self.frame.rotations, &mut self.frame.weights);
        }
    }

    /// Lets the next cue happen.
    pub(super) fn let_voice_happen(&mut self, at: f64) {
        let Some(voice) = self.voice.as_deref_mut() else { return };
        let Some(cue) = voice.cues.pop_front() else { return };
        let Some(line) = voice.line(cue.line) else { return };
        match cue.what {
            Due::Begin => {
                line.has_begun = true;
                voice.events.push(at, Spoke::Begins);
            }
            Due::Moment(moment, when, word) => {
                match moment {
                    Moment::Emphasis { .. } => line.stressed = when,
                    _ => line.next[moment.kind()] = word + 1,
                }
                self.go_along(moment, when, at, cue);
            }
            Due::Deed(place) => {
                line.done = line.done.max(place + 1);
                if let Some(deed) = line.deeds.get(place).copied().flatten() {
                    self.do_as_tagged(deed, at);
                }
            }
        }
    }

    /// The rest of the body goes along with a moment of a line.
    fn go_along(&mut self, moment: Moment, when: f64, at: f64, cue: Cue) {
        let Some(voice) = self.voice.as_deref_mut() else { return };
        match moment {
            Moment::Breath { secs } => {
                if let Some(life) = &mut self.life {
                    life.speak(at, when, secs);
                }
            }
            Moment::Emphasis { strength } => {
                voice.events.push(when, Spoke::Emphasis { strength });
                self.stress(when, f64::from(strength));
            }
            Moment::PhraseEnd(ending) => {
                voice.events.push(when, Spoke::PhraseEnd(ending));
                if let Some(face) = &mut self.face {
                    face.eyes.invite_blink(at, BLINK_WITHIN_SECS);
                }
            }
            Moment::Hold => self.hold_floor(at, cue),
            Moment::End => voice.events.push(when, Spoke::Ends),
        }
    }

    /// The words have run out and more will come: a breath and a glance away say so, again and again until nobody can wait
    /// any longer.
    fn hold_floor(&mut self, at: f64, cue: Cue) {
        let Some(voice) = self.voice.as_deref_mut() else { return };
        let Some(line) = voice.lines.iter_mut().find(|line| line.number == cue.line) else { return };
        line.holds += 1;
        let (ends, holds, number) = (line.ends(), line.holds, line.number);
        let chance = Chance::new(voice.seed.wrapping_add(number), "hold");
        if at >= ends {
            return voice.events.push(at, Spoke::Ends);
        }
        voice.events.push(at, Spoke::Holds);
        voice.wait_for(Cue { at: (at + HOLD_AGAIN_SECS).min(ends), ..cue });
        if let Some(life) = &mut self.life {
            life.inhale(at);
        }
        if let Some(face) = &mut self.face {
            let glance = keeping_floor(at, &mut chance.event(holds));
            face.eyes.converse(at, &[glance], at + HOLD_AGAIN_SECS);
        }
    }
}
