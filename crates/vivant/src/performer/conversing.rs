//! Two who talk: whose turn it is, and what a listener does while the other speaks.

use crate::chance::{Chance, Draw};
use crate::eyes::aversion::averted_listening;
use crate::eyes::blinking::Activity;
use crate::performer::Performer;
use crate::performer::tags::NOD_SECS;
use crate::speech::event::{SpeechEvent, Spoke};
use crate::speech::lines::Span;
use crate::speech::score::Ending;

/// Where in a conversation somebody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Floor {
    /// Nobody speaks.
    Idle,
    /// Somebody else speaks.
    Listening,
    /// Thinking of what to say.
    Thinking,
    /// About to speak: breathing in, and looking away to think.
    Taking,
    /// Speaking.
    Speaking,
    /// Out of words, and not done.
    Holding,
    /// About to be done: looking at the other, who may speak.
    Yielding,
}

/// A turn is being taken so long before the voice begins: the time of a breath.
const TAKING_SECS: f64 = 0.5;
/// A turn is being yielded so long before it ends (Andrist 2014: speakers look at the other for the last 2.41 s).
const YIELDING_SECS: f64 = 2.41;

/// How long after the end of a phrase listeners nod, if they do, in seconds, and how many of 100 do after phrases and
/// after sentences (ours; Ward & Tsukahara 2000 expect a response 0.7 s after 0.11 s of low pitch, which is at such ends).
const NOD_AFTER_SECS: [f64; 2] = [0.25, 0.6];
const NODS: [f64; 2] = [0.2, 0.45];
/// Listeners blink 0.25 to 0.5 s after a speaker who blinks at an end or in a pause (Nakano & Kitazawa 2010); ours do
/// after the end itself.
const BLINK_AFTER_SECS: [f64; 2] = [0.25, 0.5];
/// A blink that would come within this time comes then.
const BLINK_WITHIN_SECS: f64 = 1.2;
/// How long it is planned ahead where listeners look; more than most turns last.
const AHEAD_SECS: f64 = 120.0;
/// How long listeners look at whom they listened to after the turn.
const AFTERWARDS_SECS: f64 = 1.0;

/// What a listener has heard.
#[derive(Clone, Debug)]
pub(super) struct Attention {
    chance: Chance,
    heard: u64,
    /// What it did before it listened.
    before: Option<Activity>,
    /// When the other's turn ended last.
    ended: f64,
}

/// Who speaks so soon after somebody else answers them, in seconds (our design).
const ANSWERS_WITHIN_SECS: f64 = 5.0;

impl Performer {
    /// Hears what somebody else does who speaks: nods and blinks where people do who listen, and looks at the other. Tell
    /// events before a fifth of a second has passed, and what is seen does not depend on when they were told.
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
            Spoke::Begins => self.begin_to_listen(event.at),
            Spoke::PhraseEnd(ending) => self.follow_phrase(event.at, ending, chance),
            Spoke::Ends | Spoke::Breaks => self.end_listening(event.at),
            Spoke::Emphasis { .. } | Spoke::Holds => {}
        }
    }

    /// Where in a conversation it is.
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

    /// Whether somebody speaks to it.
    pub(super) fn is_listening(&self) -> bool {
        self.attention.as_ref().is_some_and(|attention| attention.before.is_some())
    }

    fn begin_to_listen(&mut self, at: f64) {
        if self.is_speaking() {
            return;
        }
        let was = self.activity();
        let Some(attention) = self.attention.as_deref_mut() else { return };
        attention.before.get_or_insert(was);
        let chance = Chance::new(self.seed.wrapping_add(attention.heard), "listening");
        self.be_from(at, Activity::Listening);
        if let Some(face) = &mut self.face {
            let glances = averted_listening(at, at + AHEAD_SECS, &chance);
            face.eyes.converse(at, &glances, at + AHEAD_SECS);
        }
    }

    /// At the end of a phrase listeners blink, and some nod.
    fn follow_phrase(&mut self, at: f64, ending: Ending, mut chance: Draw) {
        let blink_at = at + chance.between(BLINK_AFTER_SECS[0], BLINK_AFTER_SECS[1]);
        if let Some(face) = &mut self.face {
            face.eyes.invite_blink(blink_at, BLINK_WITHIN_SECS);
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
        self.be_from(at, before);
        if let Some(face) = &mut self.face {
            face.eyes.converse(at, &[], at + AFTERWARDS_SECS);
        }
    }

    /// Whether what it says now answers somebody: it was spoken to, or had to think.
    pub(super) fn is_asked(&self, now: f64) -> bool {
        let ended = self.attention.as_ref().map_or(f64::NEG_INFINITY, |attention| attention.ended);
        now - ended < ANSWERS_WITHIN_SECS
            || matches!(self.activity(), Activity::Listening | Activity::Thinking)
    }

    fn activity(&self) -> Activity {
        self.planner.as_ref().map_or(Activity::Idle, |planner| planner.activity())
    }

    fn be_from(&mut self, at: f64, activity: Activity) {
        let at = at.max(self.now());
        if let Some(planner) = &mut self.planner {
            // Too many states that wait are an agent's fault, and it was told.
            let _ = planner.change_state(at, activity);
        } else if let Some(face) = &mut self.face {
            face.eyes.be(at, activity);
        }
    }
}

/// Lets two hear each other: what either did as a speaker since the last time. Call it after both were advanced to the same
/// time, at least five times a second.
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
