//! Actions of tags in text and of `do` intents: `nod`, `smile`, `look:left`, `weight:right`, `gesture:wave`.
//!
//! A word means the same in a tag of a spoken line and in a `do` intent, because both are resolved by
//! `TagAction::find`. An unknown word is reported at once, with the nearest known word; which clip of the repertoire is
//! played is decided when the action is due. If a word without an argument names an action of the repertoire, that
//! action takes precedence over the built-in nod and over moods. `schedule_do` adds the action of an intent, and
//! `perform_tag_action` executes it.

use crate::body::Side;
use crate::body::graph::Graph;
use crate::body::mood::{DEFAULT_INTENSITY, Feeling, Mood};
use crate::body::plan::{ActionQuery, DropReason};
use crate::body::repertoire::Kind;
use crate::error::{Error, Result};
use crate::eyes::direction::Direction;
use crate::eyes::{BlinkIntent, Look, Target};
use crate::intent::Do;
use crate::performer::{EventKind, Performer};
use crate::speech::text::Tag;

/// Action of a tag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TagAction {
    /// An action of the repertoire.
    Act(ActionQuery),
    /// A nod without a clip.
    Nod,
    /// A brow raise.
    Brows,
    Blink,
    /// A glance in a direction.
    Look(Direction),
    LookAway,
    /// A look back at the attended target.
    LookBack,
    /// A lasting mood.
    Mood(Feeling),
    /// A short smile.
    Smile,
    /// A weight shift to a leg.
    Weight(Side),
    /// A short tilt of the head.
    Tilt(Side),
}

/// Duration of a smile in seconds (our design).
const SMILE_SECS: f64 = 2.5;
/// Intensity of a smile, from 0 to 1 (our design).
const SMILE_INTENSITY: f64 = 0.7;

/// Angle of a glance to a side, and angle of a glance up or down, in degrees (our design: a visible glance).
const LOOK_DEG: [f64; 2] = [25.0, 15.0];
/// Duration of a glance in seconds (our design).
const LOOK_SECS: f64 = 1.5;

/// Gaze targets of tags.
const PLACES: [&str; 7] = ["left", "right", "up", "down", "ahead", "away", "you"];

/// Built-in words of tags. `gesture`, `fidget` and `stance` need a repertoire.
const WORDS: [&str; 11] =
    ["blink", "brows", "nod", "smile", "look", "weight", "tilt", "mood", "gesture", "fidget", "stance"];

impl TagAction {
    /// Resolves a tag in a line for a character with this repertoire.
    ///
    /// # Errors
    /// If the tag is unknown; the error names the tag and suggests the nearest known word.
    pub(super) fn of(tag: &Tag, graph: Option<&Graph>) -> Result<Self> {
        let argument = tag.argument.as_ref().map(|argument| format!(":{argument}")).unwrap_or_default();
        let found = Self::find(&tag.name, tag.argument.as_deref(), graph);
        found.map_err(|error| Error::new(format!("[{}{argument}]: {error}", tag.name)))
    }

    /// Resolves a word in lower case and the argument after its colon.
    fn find(word: &str, argument: Option<&str>, graph: Option<&Graph>) -> Result<Self> {
        let side =
            |name: &str| Side::from_name(name).ok_or_else(|| Error::unknown("side", name, ["left", "right"]));
        match (word, argument) {
            ("look" | "gaze", Some(place)) => look(place),
            ("blink", None) => Ok(Self::Blink),
            ("smile", None) => Ok(Self::Smile),
            ("mood" | "be", Some(name)) => feeling(name).ok_or_else(|| Error::unknown("mood", name, moods())),
            ("brows", None) => Ok(Self::Brows),
            ("weight", Some(name)) => side(name).map(Self::Weight),
            ("tilt", Some(name)) => side(name).map(Self::Tilt),
            ("stance", Some(name)) => ActionQuery::to_stance(repertoire(graph)?, name).map(Self::Act),
            ("gesture" | "fidget" | "act" | "do", Some(word)) => {
                ActionQuery::from_word(repertoire(graph)?, word).map(Self::Act)
            }
            ("gesture", None) => any(repertoire(graph)?, Kind::Gesture),
            ("fidget", None) => any(repertoire(graph)?, Kind::Fidget),
            (word, None) => from_word(graph, word),
            (word, Some(_)) => Err(Error::unknown("tag", word, WORDS)),
        }
    }
}

fn look(place: &str) -> Result<TagAction> {
    let [side, up] = LOOK_DEG;
    let (yaw_deg, pitch_deg) = match place.to_lowercase().as_str() {
        "left" => (side, 0.0),
        "right" => (-side, 0.0),
        "up" => (0.0, up),
        "down" => (0.0, -up),
        "ahead" => (0.0, 0.0),
        "away" => return Ok(TagAction::LookAway),
        "you" | "user" | "viewer" | "camera" | "back" => return Ok(TagAction::LookBack),
        _ => return Err(Error::unknown("place", place, PLACES)),
    };
    Ok(TagAction::Look(Direction::new(yaw_deg, pitch_deg)))
}

fn feeling(name: &str) -> Option<TagAction> {
    Feeling::from_name(name).map(TagAction::Mood)
}

fn moods() -> impl Iterator<Item = &'static str> + Clone {
    Feeling::ALL.into_iter().map(Feeling::name)
}

fn repertoire(graph: Option<&Graph>) -> Result<&Graph> {
    graph.ok_or_else(|| Error::new("this character has no repertoire; use a character with one"))
}

fn any(graph: &Graph, kind: Kind) -> Result<TagAction> {
    let has_any = graph.actions().iter().any(|action| action.kind == kind);
    let query = ActionQuery { kind: Some(kind), ..ActionQuery::default() };
    has_any.then_some(TagAction::Act(query)).ok_or_else(|| {
        Error::new(format!("the repertoire has no {}; add one or remove the tag", kind.name()))
    })
}

/// Resolves a word without argument: an action of the repertoire, otherwise a nod or a mood.
fn from_word(graph: Option<&Graph>, word: &str) -> Result<TagAction> {
    let found = graph.and_then(|graph| ActionQuery::from_word(graph, word).ok()).map(TagAction::Act);
    let nod = (word == "nod").then_some(TagAction::Nod);
    found.or(nod).or_else(|| feeling(word)).ok_or_else(|| {
        let mut known: Vec<&str> = WORDS.to_vec();
        known.extend(Feeling::ALL.map(Feeling::name));
        if let Some(graph) = graph {
            known.extend(graph.tags().iter().map(String::as_str));
            known.extend(graph.actions().iter().map(|action| action.name.as_str()));
        }
        Error::unknown("tag", word, known.iter().copied())
    })
}

impl Performer {
    /// Schedules the action of a `do` intent. Returns the number of the intent, if the planner handles it.
    ///
    /// # Errors
    /// If the word is unknown; the error suggests the nearest known word.
    pub(super) fn schedule_do(&mut self, asked: &Do, now: f64) -> Result<Option<u64>> {
        let (word, argument) = match asked.what.split_once(':') {
            Some((word, argument)) => (word, Some(argument.trim())),
            None => (asked.what.as_str(), None),
        };
        let action = TagAction::find(&word.trim().to_lowercase(), argument, self.library.graph())?;
        self.ensure_moods();
        self.ensure_accents();
        let id = self
            .planner
            .as_mut()
            .filter(|_| matches!(action, TagAction::Act(_)))
            .map(|planner| planner.next_id());
        self.schedule(asked.at.unwrap_or(now), EventKind::Do { action, priority: asked.priority, id });
        Ok(id)
    }

    /// Cancels waiting actions of `do` intents. `is_meant` selects them by their time and intent number. Returns true
    /// if there were any.
    pub(super) fn cancel_tag_actions(
        &mut self,
        now: f64,
        why: DropReason,
        is_meant: impl Fn(f64, u64) -> bool,
    ) -> bool {
        let Some(planner) = &mut self.planner else { return false };
        let before = self.events.len();
        self.events.retain(|at, event| match event {
            EventKind::Do { id: Some(id), .. } if is_meant(at, *id) => {
                planner.note_dropped(*id, now, why);
                false
            }
            _ => true,
        });
        self.events.len() < before
    }

    /// Performs the action of a tag or a `do` intent, for the intent with this number.
    pub(super) fn perform_tag_action(&mut self, action: TagAction, priority: i32, at: f64, id: Option<u64>) {
        match action {
            TagAction::Act(query) => {
                let library = self.library.clone();
                if let (Some(planner), Some(graph)) = (&mut self.planner, library.graph()) {
                    let id = id.unwrap_or_else(|| planner.next_id());
                    if planner.request(graph, query, priority, at, id).is_err() {
                        planner.note_dropped(id, at, DropReason::NoMatch);
                    }
                }
            }
            TagAction::Nod => self.nod(at + NOD_SECS, 1.0),
            TagAction::Brows => self.raise_brows(at + NOD_SECS, 1.0),
            TagAction::Blink => self.eyes().blink(BlinkIntent { at, ..BlinkIntent::default() }),
            TagAction::Look(direction) => {
                self.eyes().look(Look {
                    at,
                    secs: Some(LOOK_SECS),
                    ..Look::at(Target::Direction(direction))
                });
            }
            TagAction::LookAway => {
                self.eyes().look(Look { at, secs: Some(LOOK_SECS), ..Look::at(Target::Away) });
            }
            TagAction::LookBack => self.eyes().end_look(at),
            TagAction::Mood(feeling) => self.set_mood(at, Mood::new(feeling, DEFAULT_INTENSITY)),
            TagAction::Weight(side) => self.shift_weight(at, side.sign()),
            TagAction::Tilt(side) => self.tilt(at + NOD_SECS, side.sign()),
            TagAction::Smile => {
                let before = self.mood();
                self.set_mood(at, Mood::new(Feeling::Happy, SMILE_INTENSITY));
                self.set_mood(at + SMILE_SECS, before);
            }
        }
    }
}

/// Seconds from the start of a nod to its lowest point.
pub(super) const NOD_SECS: f64 = 0.25;
