//! Speech of a performer: lines, mouth, and the movements that accompany speech.
//!
//! A line changes the mouth, breath, nods, brows, gaze, blinks and the activity in the planner, each with its own lead
//! time. This module plans them when a line is added or updated, and executes them as cues at their exact times. Lines
//! come from a `say` intent through [`Performer::intend`], or already aligned through [`Performer::speak`].
//! [`Performer::mouth`] moves only the mouth. Read [`Performer::take_speech`] for listeners, and
//! [`Performer::take_warnings`] for tags and text that were skipped.

use crate::chance::Chance;
use crate::error::Result;
use crate::eyes::Eyes;
use crate::eyes::aversion::{Aversion, floor_aversion};
use crate::intent::Say;
use crate::performer::tags::TagAction;
use crate::performer::voice::{Cue, CueKind, Language, NO_LINE, Voice};
use crate::performer::{EventKind, Performer};
use crate::speech::audio::LipSyncModel;
use crate::speech::event::{SpeechEvent, SpeechEventKind};
use crate::speech::lines::Line;
use crate::speech::moments::Moment;
use crate::speech::mouth::MouthShape;
use crate::speech::pronounce::Pronounce;
use crate::speech::score::Score;
use crate::speech::utterance::Utterance;
use std::sync::Arc;

/// Maximum time in seconds by which a blink is moved to an earlier time, the end of a phrase.
const BLINK_WITHIN_SECS: f64 = 1.2;

/// Times of a line, as far as they are known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineTimes {
    /// Number of the line; the first line is 1.
    pub line: u64,
    /// Start in seconds of the performance.
    pub from: f64,
    /// End of the known words in seconds of the performance.
    pub said: f64,
    /// End of the line in seconds of the performance; for an unfinished line, the time at which it times out.
    pub until: f64,
}

impl LineTimes {
    fn of<T>(line: &Line<T>) -> Self {
        Self { line: line.number(), from: line.from(), said: line.said(), until: line.until() }
    }
}

impl Performer {
    /// Speaks a line of an intent, or updates an existing line. A line waits until the lines before it are spoken.
    pub(super) fn say(&mut self, say: &Say, now: f64) -> Result<Option<u64>> {
        let is_answer = self.is_answering(now);
        let rate = self.mood().speech_rate();
        let number = self.voice().add_line(say, now, is_answer, rate)?;
        self.prepare_line(number, now)
    }

    /// Speaks a whole line that is already parsed and aligned, at `at` or after the lines before it. Returns the number
    /// by which [notes](Performer::take_notes) refer to the line, if the planner handles it.
    ///
    /// # Errors
    /// If too many lines are waiting.
    pub fn speak(&mut self, utterance: Utterance, at: Option<f64>) -> Result<Option<u64>> {
        let now = self.now();
        let is_answer = self.is_answering(now);
        let number = self.voice().add_aligned_line(utterance, at, now, is_answer)?;
        self.prepare_line(number, now)
    }

    /// Plans the movements that accompany a new or updated line.
    fn prepare_line(&mut self, number: u64, now: f64) -> Result<Option<u64>> {
        self.resolve_tags(number);
        self.ensure_accents();
        self.voice().replan(number, now);
        self.plan_lines(now)?;
        self.update_strokes();
        Ok(self.voice().lines.get(number).and_then(|line| line.with.planned.intent_id()))
    }

    /// Sets the pronunciation: another language, or English with a custom dictionary.
    pub fn set_pronunciation(&mut self, language: Arc<dyn Pronounce>) {
        self.voice().language = Language(language);
    }

    /// Sets the model for audio lip-sync, instead of the [built-in model](LipSyncModel::built_in).
    pub fn set_lip_sync(&mut self, model: Arc<LipSyncModel>) {
        if let Some(voice) = &mut self.voice {
            voice.lines.set_lip_sync(Arc::clone(&model));
        }
        self.lip_sync = Some(model);
    }

    /// Returns the model for audio lip-sync, if one was set.
    #[must_use]
    pub fn lip_sync(&self) -> Option<&Arc<LipSyncModel>> {
        self.lip_sync.as_ref()
    }

    /// Moves only the mouth, for a line that starts at `at`. The same line number may be passed again when more
    /// phonemes or better times are known; the mouth then continues smoothly.
    pub fn mouth(&mut self, at: f64, line: u64, score: &Score) {
        let now = self.now();
        if at.is_finite() {
            // Spoken lines are numbered from 1 upwards, lines of the mouth alone from the maximum downwards.
            self.voice().mouth.say(now, at, u64::MAX - line, &score.segments);
        }
    }

    /// Mouth shape of the last frame; `None` if nothing was ever spoken.
    #[must_use]
    pub fn mouth_shape(&self) -> Option<&MouthShape> {
        self.voice.as_ref().map(|voice| &voice.shown)
    }

    /// Removes and returns the speech events since the last call, oldest first, for [listeners](Performer::hear).
    pub fn take_speech(&mut self) -> impl Iterator<Item = SpeechEvent> {
        self.voice.as_mut().into_iter().flat_map(|voice| voice.events.take())
    }

    /// Removes and returns the warnings about spoken lines: unknown tags, text that is not spoken, and invalid times.
    pub fn take_warnings(&mut self) -> Vec<String> {
        self.voice.as_mut().map(|voice| std::mem::take(&mut voice.warnings)).unwrap_or_default()
    }

    /// Current and coming lines in order. Waiting lines may still move; finished lines are removed after a while.
    pub fn lines(&self) -> impl Iterator<Item = LineTimes> {
        self.voice.iter().flat_map(|voice| voice.lines.iter().map(LineTimes::of))
    }

    /// The line that was added or updated last.
    #[must_use]
    pub fn last_line(&self) -> Option<LineTimes> {
        self.voice.as_ref().and_then(|voice| voice.lines.last_updated()).map(LineTimes::of)
    }

    /// Planned glances away during speech.
    pub fn aversions(&self) -> impl Iterator<Item = &Aversion> {
        self.voice.iter().flat_map(|voice| voice.lines.iter().flat_map(|line| &line.with.glances))
    }

    /// Returns true while a line is spoken, the floor is held, or the next line of the turn is about to follow.
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

    fn resolve_tags(&mut self, number: u64) {
        let graph = self.library.graph();
        let Some(voice) = self.voice.as_deref_mut() else { return };
        let Some(line) = voice.lines.get_mut(number) else { return };
        let known = line.with.tag_actions.len();
        let actions: Vec<Result<TagAction>> =
            line.utterance().tags().skip(known).map(|(_, tag)| TagAction::of(tag, graph)).collect();
        line.with.tag_actions.extend(actions.iter().map(|action| action.as_ref().ok().copied()));
        let feels = actions.iter().any(|action| matches!(action, Ok(TagAction::Mood(_) | TagAction::Smile)));
        actions.into_iter().filter_map(Result::err).for_each(|error| voice.add_warning(error.to_string()));
        if feels {
            self.ensure_moods();
        }
    }

    /// Passes the times of lines to the planner.
    fn plan_lines(&mut self, now: f64) -> Result<()> {
        match (&mut self.planner, &mut self.voice) {
            (Some(planner), Some(voice)) => {
                planner.plan_lines(&mut voice.lines, now, |state| &mut state.planned)
            }
            _ => Ok(()),
        }
    }

    /// Aligns strokes of spontaneous gestures with stressed words.
    fn update_strokes(&mut self) {
        if let (Some(planner), Some(voice)) = (&mut self.planner, &self.voice) {
            planner.set_stroke_times(voice.emphases());
        }
    }

    /// Stops all known lines at `at`.
    pub(super) fn stop_speech_at(&mut self, at: f64) {
        let now = self.now();
        let Some(voice) = &mut self.voice else { return };
        voice.lines.stop(at, now);
        voice.replan(NO_LINE, now);
        let up_to = voice.lines.count();
        // The lines were stopped above and there is nothing new to plan, so this cannot fail.
        let _ = self.plan_lines(now);
        self.schedule(at, EventKind::StopSpeech { up_to });
    }

    /// Stops the current line and removes waiting lines, up to the line number `up_to`.
    pub(super) fn stop_lines(&mut self, up_to: u64, at: f64) {
        let Some(voice) = &mut self.voice else { return };
        voice.stop_lines(up_to, at);
        self.cancel_accents(at);
        self.update_strokes();
    }

    /// Shows the mouth shape, on top of the expressions of clips.
    pub(super) fn show_mouth(&mut self, t: f64) {
        if let Some(voice) = self.voice.as_deref_mut() {
            voice.shown = voice.mouth.shape(t);
            voice.rig.show(&voice.shown, &mut self.frame.rotations, &mut self.frame.weights);
        }
    }

    /// Processes the next cue.
    pub(super) fn handle_voice(&mut self, at: f64) {
        let Some(voice) = self.voice.as_deref_mut() else { return };
        let Some(cue) = voice.next_cue() else { return };
        match cue.kind {
            CueKind::Start => voice.start_turn(at),
            CueKind::Moment(moment, when, _) => self.process_moment(moment, when, at, cue),
            CueKind::Tag(place) => {
                let line = voice.lines.get(cue.line);
                let id = line.and_then(|line| line.with.planned.intent_id());
                if let Some(action) = line.and_then(|line| *line.with.tag_actions.get(place)?) {
                    self.perform_tag_action(action, 0, at, id);
                }
            }
            CueKind::LookAway(glance) => self.with_eyes(|eyes| eyes.avert_gaze(at, &glance)),
            CueKind::LookBack => self.with_eyes(|eyes| eyes.start_conversation_gaze(at, &[], f64::INFINITY)),
            // If the other person already answers, the gaze of a listener applies.
            CueKind::ReleaseGaze if self.is_listening() => {}
            CueKind::ReleaseGaze => self.with_eyes(|eyes| eyes.end_conversation_gaze(at)),
        }
    }

    fn with_eyes(&mut self, tell: impl FnOnce(&mut Eyes)) {
        if let Some(face) = &mut self.face {
            tell(&mut face.eyes);
        }
    }

    /// Processes a moment of a line: breath, stress, phrase end, hold or end.
    fn process_moment(&mut self, moment: Moment, when: f64, at: f64, cue: Cue) {
        let Some(voice) = self.voice.as_deref_mut() else { return };
        match moment {
            Moment::Breath { secs } => {
                if let Some(idle_motion) = &mut self.idle_motion {
                    idle_motion.speak(at, when, secs);
                }
            }
            Moment::Emphasis { strength } => {
                voice.events.push(when, SpeechEventKind::Emphasis { strength });
                self.stress(when, f64::from(strength));
            }
            Moment::PhraseEnd(ending) => {
                voice.events.push(when, SpeechEventKind::PhraseEnd(ending));
                self.with_eyes(|eyes| eyes.suggest_blink(at, BLINK_WITHIN_SECS));
            }
            Moment::Hold => self.hold_floor(cue),
            Moment::End => voice.end_line(cue.line, when),
        }
    }

    /// Holds the floor: the known words have ended, and more words are expected. Breathes in and looks away, repeatedly
    /// until the line times out.
    fn hold_floor(&mut self, cue: Cue) {
        let Some(voice) = self.voice.as_deref_mut() else { return };
        let Some(holds) = voice.hold_floor(cue) else { return };
        let chance = Chance::new(voice.seed.wrapping_add(cue.line), "hold");
        let glance = floor_aversion(cue.at, &mut chance.event(holds));
        voice.avert_while_holding(cue.line, glance);
        if let Some(idle_motion) = &mut self.idle_motion {
            idle_motion.inhale(cue.at);
        }
    }
}
