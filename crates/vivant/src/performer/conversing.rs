//! Conversation between two performers: turns, and reactions of a listener to a speaker.
//!
//! Listeners nod and blink at the ends of a speaker's phrases, and speakers look at the other person when they finish.
//! A performer needs no access to the other speaker for this: it reacts to speech events, which may also come from a
//! human or over a network. Pass each event to [`Performer::hear`] at most 0.2 s after its time; [`converse`] does this
//! for two performers. [`Performer::floor`] returns the conversational state. This module does not decide on the next
//! line or the next speaker.

use crate::chance::{Chance, Draw};
use crate::eyes::aversion::listening_aversions;
use crate::eyes::blinking::Activity;
use crate::performer::Performer;
use crate::performer::tags::NOD_SECS;
use crate::speech::event::{SpeechEvent, SpeechEventKind};
use crate::speech::lines::Span;
use crate::speech::score::Ending;

/// Conversational state of a performer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Floor {
    /// Nobody speaks.
    Idle,
    /// Someone else is speaking.
    Listening,
    /// Thinking about what to say.
    Thinking,
    /// About to speak: the performer breathes in and looks away.
    Taking,
    /// Speaking.
    Speaking,
    /// The known words have ended, but the line is not finished.
    Holding,
    /// About to finish: the performer looks at the other person, who may speak next.
    Yielding,
}

/// Seconds before the voice starts in which the state is [`Floor::Taking`]: the duration of a breath.
const TAKING_SECS: f64 = 0.5;
/// Seconds before the end of a turn in which the state is [`Floor::Yielding`] (Andrist 2014: speakers look at the other
/// person for the last 2.41 s).
const YIELDING_SECS: f64 = 2.41;

/// Minimum and maximum delay in seconds of a listener's nod after the end of a phrase (our design; Ward & Tsukahara
/// 2000 expect a response 0.7 s after 0.11 s of low pitch, which occurs at the ends of phrases).
const NOD_AFTER_SECS: [f64; 2] = [0.25, 0.6];
/// Probability of a nod after a phrase, and after a sentence (our design).
const NODS: [f64; 2] = [0.2, 0.45];
/// Minimum and maximum delay in seconds of a listener's blink. Listeners blink 0.25 to 0.5 s after a speaker who
/// blinks at the end of a phrase or in a pause (Nakano & Kitazawa 2010). Here, listeners blink after the end of the
/// phrase, whether or not the speaker blinks.
const BLINK_AFTER_SECS: [f64; 2] = [0.25, 0.5];
/// Maximum time in seconds by which a spontaneous blink of the listener is moved to an earlier time, the time of the
/// reaction.
const BLINK_WITHIN_SECS: f64 = 1.2;
/// Seconds for which a listener's gaze is planned ahead; longer than most turns.
const AHEAD_SECS: f64 = 120.0;
/// Seconds for which listeners look at the speaker after the turn.
const AFTERWARDS_SECS: f64 = 1.0;

/// State of a listener.
#[derive(Clone, Debug)]
pub(super) struct Attention {
    chance: Chance,
    heard: u64,
    /// Activity before listening started; `None` if the performer is not listening.
    before: Option<Activity>,
    /// End of the last turn of the other person, in seconds.
    ended: f64,
}

/// Maximum time in seconds between the turn of another speaker and a line that counts as an answer (our design).
const ANSWERS_WITHIN_SECS: f64 = 5.0;

impl Performer {
    /// Reacts to an event of another speaker: nods and blinks at the times at which human listeners do, and looks at
    /// the speaker. Pass each event at most 0.2 s after its time, so that the result does not depend on the exact
    /// time of the call.
    pub fn hear(&mut self, event: &SpeechEvent) {
        if !event.at.is_finite() {
            return;
        }
        let seed = self.seed;
        let attention = self.attention.get_or_insert_with(|| {
            Box::new(Attention {
                chance: Chance::new(seed, "listen"),
                heard: 0,
                before: None,
                ended: f64::NEG_INFINITY,
            })
        });
        attention.heard += 1;
        let chance = attention.chance.event(attention.heard);
        match event.what {
            SpeechEventKind::Start => self.start_listening(event.at),
            SpeechEventKind::PhraseEnd(ending) => self.react_to_phrase_end(event.at, ending, chance),
            SpeechEventKind::End | SpeechEventKind::Interrupted => self.end_listening(event.at),
            SpeechEventKind::Emphasis { .. } | SpeechEventKind::Hold => {}
        }
    }

    /// Conversational state of the performer.
    #[must_use]
    pub fn floor(&self) -> Floor {
        let now = self.now();
        if let Some(span) = self.voice.as_ref().and_then(|voice| voice.lines.span(now, TAKING_SECS)) {
            return floor(span, now);
        }
        match self.planner.as_ref().map(|planner| planner.activity()) {
            Some(Activity::Listening) => Floor::Listening,
            Some(Activity::Thinking) => Floor::Thinking,
            _ if self.is_listening() => Floor::Listening,
            _ => Floor::Idle,
        }
    }

    /// Returns true while another speaker speaks to the performer.
    pub(super) fn is_listening(&self) -> bool {
        self.attention.as_ref().is_some_and(|attention| attention.before.is_some())
    }

    fn start_listening(&mut self, at: f64) {
        if self.is_speaking() {
            return;
        }
        let was = self.activity();
        let Some(attention) = self.attention.as_deref_mut() else { return };
        attention.before.get_or_insert(was);
        let chance = Chance::new(self.seed.wrapping_add(attention.heard), "listening");
        self.change_activity(at, Activity::Listening);
        if let Some(face) = &mut self.face {
            let glances = listening_aversions(at, at + AHEAD_SECS, &chance);
            face.eyes.start_conversation_gaze(at, &glances, at + AHEAD_SECS);
        }
    }

    /// Makes the listener nod sometimes at the end of a phrase, and moves a blink there if one is due soon.
    fn react_to_phrase_end(&mut self, at: f64, ending: Ending, mut chance: Draw) {
        let blink_at = at + chance.between(BLINK_AFTER_SECS[0], BLINK_AFTER_SECS[1]);
        if let Some(face) = &mut self.face {
            face.eyes.suggest_blink(blink_at, BLINK_WITHIN_SECS);
        }
        let share = NODS[usize::from(ending > Ending::Phrase)];
        let nod_at = at + chance.between(NOD_AFTER_SECS[0], NOD_AFTER_SECS[1]);
        let is_nodding = chance.uniform() < share && !self.is_speaking();
        if is_nodding {
            self.nod(nod_at + NOD_SECS, chance.between(0.4, 0.9));
        }
    }

    fn end_listening(&mut self, at: f64) {
        let Some(attention) = self.attention.as_deref_mut() else { return };
        attention.ended = at;
        let Some(before) = attention.before.take() else { return };
        self.change_activity(at, before);
        if let Some(face) = &mut self.face {
            face.eyes.start_conversation_gaze(at, &[], at + AFTERWARDS_SECS);
        }
    }

    /// Returns true if a line spoken now is an answer: someone spoke to the performer within the last 5 s, or the
    /// performer is listening or thinking.
    pub(super) fn is_answering(&self, now: f64) -> bool {
        let ended = self.attention.as_ref().map_or(f64::NEG_INFINITY, |attention| attention.ended);
        now - ended < ANSWERS_WITHIN_SECS
            || matches!(self.activity(), Activity::Listening | Activity::Thinking)
    }

    fn activity(&self) -> Activity {
        self.planner.as_ref().map_or(Activity::Idle, |planner| planner.activity())
    }

    fn change_activity(&mut self, at: f64, activity: Activity) {
        let at = at.max(self.now());
        if let Some(planner) = &mut self.planner {
            // This fails only if too many states are waiting. That error was already reported to the agent.
            let _ = planner.change_activity(at, activity);
        } else if let Some(face) = &mut self.face {
            face.eyes.set_activity(at, activity);
        }
    }
}

/// Passes the speech events of each performer to the other. Call it after both were advanced to the same time, at
/// least five times per second.
pub fn converse(one: &mut Performer, other: &mut Performer) {
    let said: [Vec<SpeechEvent>; 2] = [one.take_speech().collect(), other.take_speech().collect()];
    said[1].iter().for_each(|event| one.hear(event));
    said[0].iter().for_each(|event| other.hear(event));
}

fn floor(span: Span, now: f64) -> Floor {
    match span {
        Span { from, .. } if now < from => Floor::Taking,
        Span { said, is_whole: false, .. } if now >= said => Floor::Holding,
        Span { said, is_whole: true, goes_on: false, .. } if now >= said - YIELDING_SECS => Floor::Yielding,
        _ => Floor::Speaking,
    }
}
