//! What a performer says: the mouth that says it, and what goes with it.

use crate::chance::Chance;
use crate::error::Result;
use crate::eyes::Eyes;
use crate::eyes::aversion::{Aversion, keeping_floor};
use crate::intent::Say;
use crate::performer::tags::TagAction;
use crate::performer::voice::{Cue, Due, Language, NO_LINE, Voice};
use crate::performer::{EventKind, Performer};
use crate::speech::audio::LipSyncModel;
use crate::speech::event::{SpeechEvent, Spoke};
use crate::speech::lines::Line;
use crate::speech::moments::Moment;
use crate::speech::mouth::MouthShape;
use crate::speech::pronounce::Pronounce;
use crate::speech::score::Score;
use crate::speech::utterance::Utterance;
use std::sync::Arc;

/// A blink that would come within this time after the end of a phrase comes then.
const BLINK_WITHIN_SECS: f64 = 1.2;

/// A line as it is said or will be, as far as is known now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spoken {
    /// Its number: the first line is 1.
    pub line: u64,
    /// When it begins, in seconds of the performance.
    pub from: f64,
    /// When all is said that is known, in seconds of the performance.
    pub said: f64,
    /// When it is over, in seconds of the performance; if more of it will come, when nobody waits for that any longer.
    pub until: f64,
}

impl Spoken {
    fn of<T>(line: &Line<T>) -> Self {
        Self { line: line.number(), from: line.from(), said: line.said(), until: line.until() }
    }
}

impl Performer {
    /// Says a line as an intent tells it, or tells more of one. A line waits until those before it are said.
    pub(super) fn say(&mut self, say: &Say, now: f64) -> Result<Option<u64>> {
        let is_answer = self.is_asked(now);
        let rate = self.mood().speech_rate();
        let told = self.voice().take(say, now, is_answer, rate)?;
        self.prepare_line(told, now)
    }

    /// Says a whole line that was read, heard and aligned already, at `at` or when the lines before it are said. Gives
    /// the number by which [notes](Performer::take_notes) refer to it, if it is one for the body.
    ///
    /// # Errors
    /// If too many lines are waiting.
    pub fn speak(&mut self, utterance: Utterance, at: Option<f64>) -> Result<Option<u64>> {
        let now = self.now();
        let is_answer = self.is_asked(now);
        let told = self.voice().take_whole(utterance, at, now, is_answer)?;
        self.prepare_line(told, now)
    }

    /// Plans what goes with a line that was just taken.
    fn prepare_line(&mut self, told: u64, now: f64) -> Result<Option<u64>> {
        self.understand_tags(told);
        self.ensure_accents();
        self.voice().arrange(told, now);
        self.plan_lines(now)?;
        self.tell_strokes();
        Ok(self.voice().lines.get(told).and_then(|line| line.with.planned.wish()))
    }

    /// Speaks another language from now on, or English with a dictionary of one's own.
    pub fn speak_by(&mut self, language: Arc<dyn Pronounce>) {
        self.voice().language = Language(language);
    }

    /// Shows voices by this model from now on, instead of the one that is [built in](LipSyncModel::built_in).
    pub fn set_lip_sync(&mut self, model: Arc<LipSyncModel>) {
        if let Some(voice) = &mut self.voice {
            voice.lines.set_lip_sync(Arc::clone(&model));
        }
        self.lip_sync = Some(model);
    }

    /// Returns the model that was set.
    #[must_use]
    pub fn lip_sync(&self) -> Option<&Arc<LipSyncModel>> {
        self.lip_sync.as_ref()
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
    pub fn mouth_shape(&self) -> Option<&MouthShape> {
        self.voice.as_ref().map(|voice| &voice.shown)
    }

    /// Takes what it did as a speaker since the last time, oldest first, for [who listens](Performer::hear).
    pub fn take_speech(&mut self) -> impl Iterator<Item = SpeechEvent> {
        self.voice.as_mut().into_iter().flat_map(|voice| voice.events.take())
    }

    /// Takes what could not be done of what it was told to say, in words: tags that nobody knows, what of a text is not
    /// spoken, and times that cannot be.
    pub fn take_remarks(&mut self) -> Vec<String> {
        self.voice.as_mut().map(|voice| std::mem::take(&mut voice.remarks)).unwrap_or_default()
    }

    /// What it says and is going to say, in order. Lines that wait may still move; those that are over are forgotten after
    /// a while.
    pub fn lines(&self) -> impl Iterator<Item = Spoken> {
        self.voice.iter().flat_map(|voice| voice.lines.iter().map(Spoken::of))
    }

    /// The line that was told of last.
    #[must_use]
    pub fn last_told(&self) -> Option<Spoken> {
        self.voice.as_ref().and_then(|voice| voice.lines.last_told()).map(Spoken::of)
    }

    /// When it looks away during what it says, as far as that is known.
    pub fn aversions(&self) -> impl Iterator<Item = &Aversion> {
        self.voice.iter().flat_map(|voice| voice.lines.iter().flat_map(|line| &line.with.glances))
    }

    /// Whether a line is being said, a floor held, or the next line of a turn about to follow.
    #[must_use]
    pub fn is_speaking(&self) -> bool {
        self.voice.as_ref().is_some_and(|voice| voice.lines.is_on(self.now()))
    }

    fn voice(&mut self) -> &mut Voice {
        let (library, seed, lip_sync) = (&self.library, self.seed, &self.lip_sync);
        self.voice.get_or_insert_with(|| {
            let mut voice = Box::new(Voice::new(library.rig(), seed));
            lip_sync.iter().for_each(|model| voice.lines.set_lip_sync(Arc::clone(model)));
            voice
        })
    }

    fn understand_tags(&mut self, told: u64) {
        let graph = self.library.graph();
        let Some(voice) = self.voice.as_deref_mut() else { return };
        let Some(line) = voice.lines.get_mut(told) else { return };
        let known = line.with.deeds.len();
        let deeds: Vec<Result<TagAction>> =
            line.utterance().tags().skip(known).map(|(_, tag)| TagAction::of(tag, graph)).collect();
        line.with.deeds.extend(deeds.iter().map(|deed| deed.as_ref().ok().copied()));
        let feels = deeds.iter().any(|deed| matches!(deed, Ok(TagAction::Feel(_) | TagAction::Smile)));
        deeds.into_iter().filter_map(Result::err).for_each(|error| voice.remark(error.to_string()));
        if feels {
            self.ensure_moods();
        }
    }

    /// The planner speaks when lines are said.
    fn plan_lines(&mut self, now: f64) -> Result<()> {
        match (&mut self.planner, &mut self.voice) {
            (Some(planner), Some(voice)) => {
                planner.plan_lines(&mut voice.lines, now, |going| &mut going.planned)
            }
            _ => Ok(()),
        }
    }

    /// Gestures that nobody asked for stroke where words stand out.
    fn tell_strokes(&mut self) {
        if let (Some(planner), Some(voice)) = (&mut self.planner, &self.voice) {
            planner.stroke_at(voice.emphases());
        }
    }

    /// Says nothing from a time on of what it was told so far.
    pub(super) fn hush_at(&mut self, at: f64) {
        let now = self.now();
        let Some(voice) = &mut self.voice else { return };
        voice.lines.stop(at, now);
        voice.arrange(NO_LINE, now);
        let upto = voice.lines.count();
        // The planner was told to stop, and has no more to plan than before.
        let _ = self.plan_lines(now);
        self.schedule(at, EventKind::Hush { upto });
    }

    /// Breaks off: what is being said, and what was to be said of what was told by then.
    pub(super) fn hush(&mut self, upto: u64, at: f64) {
        let Some(voice) = &mut self.voice else { return };
        voice.hush(upto, at);
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

    /// Handles the next cue.
    pub(super) fn handle_voice(&mut self, at: f64) {
        let Some(voice) = self.voice.as_deref_mut() else { return };
        let Some(cue) = voice.next_cue() else { return };
        match cue.what {
            Due::Begin => voice.begin(at),
            Due::Moment(moment, when, _) => self.go_along(moment, when, at, cue),
            Due::Deed(place) => {
                let line = voice.lines.get(cue.line);
                let id = line.and_then(|line| line.with.planned.wish());
                if let Some(deed) = line.and_then(|line| *line.with.deeds.get(place)?) {
                    self.do_tag_action(deed, 0, at, id);
                }
            }
            Due::Away(glance) => self.with_eyes(|eyes| eyes.look_aside(at, &glance)),
            Due::Back => self.with_eyes(|eyes| eyes.converse(at, &[], f64::INFINITY)),
            // Who was answered at once looks as a listener does already.
            Due::Free if self.is_listening() => {}
            Due::Free => self.with_eyes(|eyes| eyes.converse_no_more(at)),
        }
    }

    fn with_eyes(&mut self, tell: impl FnOnce(&mut Eyes)) {
        if let Some(face) = &mut self.face {
            tell(&mut face.eyes);
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
                self.with_eyes(|eyes| eyes.invite_blink(at, BLINK_WITHIN_SECS));
            }
            Moment::Hold => self.hold_floor(cue),
            Moment::End => voice.end(cue.line, when),
        }
    }

    /// The words have run out and more will come: a breath and a glance away say so, again and again until nobody can wait
    /// any longer.
    fn hold_floor(&mut self, cue: Cue) {
        let Some(voice) = self.voice.as_deref_mut() else { return };
        let Some(holds) = voice.hold(cue) else { return };
        let chance = Chance::new(voice.seed.wrapping_add(cue.line), "hold");
        let glance = keeping_floor(cue.at, &mut chance.event(holds));
        voice.hold_by(cue.line, glance);
        if let Some(life) = &mut self.life {
            life.inhale(cue.at);
        }
    }
}
