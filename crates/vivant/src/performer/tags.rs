//! What tags in a text ask for, and words without a text: `nod`, `smile`, `look:left`, `weight:right`, `gesture:wave`.

use crate::body::Side;
use crate::body::graph::Graph;
use crate::body::mood::{DEFAULT_INTENSITY, Feeling, Mood};
use crate::body::plan::{Why, Wish};
use crate::body::repertoire::Kind;
use crate::error::{Error, Result};
use crate::eyes::direction::Direction;
use crate::eyes::{BlinkIntent, Look, Target};
use crate::intent::Do;
use crate::performer::{EventKind, Performer};
use crate::speech::text::Tag;

/// What a tag asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TagAction {
    /// Something of the repertoire.
    Act(Wish),
    /// A nod that no clip is needed for.
    Nod,
    /// A raise of the brows.
    Brows,
    Blink,
    /// A look somewhere, for a while.
    Look(Direction),
    LookAway,
    /// Back to whom it attends to.
    LookBack,
    /// A mood, from now on.
    Feel(Feeling),
    /// A smile that passes.
    Smile,
    /// The weight goes to a leg.
    Weight(Side),
    /// The head leans to a side for a moment.
    Tilt(Side),
}

/// How long a smile lasts, in seconds, and how much of one it is (our design).
const SMILE_SECS: f64 = 2.5;
const SMILE: f64 = 0.7;

/// How far a look to a side goes, in degrees, and how long it lasts, in seconds (our design: a glance that is seen as one).
const LOOK_DEG: [f64; 2] = [25.0, 15.0];
const LOOK_SECS: f64 = 1.5;

/// Where tags can look.
const PLACES: [&str; 7] = ["left", "right", "up", "down", "ahead", "away", "you"];

/// What tags can do without a repertoire.
const WORDS: [&str; 11] =
    ["blink", "brows", "nod", "smile", "look", "weight", "tilt", "mood", "gesture", "fidget", "stance"];

impl TagAction {
    /// What a tag in a line means to a character with this repertoire.
    ///
    /// # Errors
    /// If it means nothing; the error names the tag and suggests the nearest known word.
    pub(super) fn of(tag: &Tag, graph: Option<&Graph>) -> Result<Self> {
        let argument = tag.argument.as_ref().map(|argument| format!(":{argument}")).unwrap_or_default();
        let found = Self::find(&tag.name, tag.argument.as_deref(), graph);
        found.map_err(|error| Error::new(format!("[{}{argument}]: {error}", tag.name)))
    }

    /// What a word in lower case, and what stands behind its colon, mean.
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
            ("stance", Some(name)) => Wish::to_stance(repertoire(graph)?, name).map(Self::Act),
            ("gesture" | "fidget" | "act" | "do", Some(word)) => {
                Wish::from_word(repertoire(graph)?, word).map(Self::Act)
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
    Feeling::from_name(name).map(TagAction::Feel)
}

fn moods() -> impl Iterator<Item = &'static str> + Clone {
    Feeling::ALL.into_iter().map(Feeling::name)
}

fn repertoire(graph: Option<&Graph>) -> Result<&Graph> {
    graph.ok_or_else(|| Error::new("this character has no repertoire"))
}

fn any(graph: &Graph, kind: Kind) -> Result<TagAction> {
    let has_any = graph.actions().iter().any(|action| action.kind == kind);
    let wish = Wish { kind: Some(kind), ..Wish::default() };
    has_any
        .then_some(TagAction::Act(wish))
        .ok_or_else(|| Error::new(format!("the repertoire has no {}", kind.name())))
}

/// What a word alone asks for: something of the repertoire, else a nod or a mood.
fn from_word(graph: Option<&Graph>, word: &str) -> Result<TagAction> {
    let found = graph.and_then(|graph| Wish::from_word(graph, word).ok()).map(TagAction::Act);
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
    /// Does what a word asks for, at its time. Returns the number of the intent, if it is for the planner.
    ///
    /// # Errors
    /// If the word is unknown; the error suggests the nearest known one.
    pub(super) fn take_do(&mut self, asked: &Do, now: f64) -> Result<Option<u64>> {
        let (word, argument) = match asked.what.split_once(':') {
            Some((word, argument)) => (word, Some(argument.trim())),
            None => (asked.what.as_str(), None),
        };
        let deed = TagAction::find(&word.trim().to_lowercase(), argument, self.library.graph())?;
        self.ensure_moods();
        self.ensure_accents();
        let id = self
            .planner
            .as_mut()
            .filter(|_| matches!(deed, TagAction::Act(_)))
            .map(|planner| planner.next_id());
        self.schedule(asked.at.unwrap_or(now), EventKind::Do { deed, priority: asked.priority, id });
        Ok(id)
    }

    /// Forgets actions that a `do` asked for and that are still to come, by their time and number. Returns whether there
    /// were any.
    pub(super) fn forget_tag_actions(
        &mut self,
        now: f64,
        why: Why,
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

    /// Does what a tag or a `do` asks for, for the intent with this number.
    pub(super) fn do_tag_action(&mut self, deed: TagAction, priority: i32, at: f64, id: Option<u64>) {
        match deed {
            TagAction::Act(wish) => {
                let library = self.library.clone();
                if let (Some(planner), Some(graph)) = (&mut self.planner, library.graph()) {
                    let id = id.unwrap_or_else(|| planner.next_id());
                    if planner.wish(graph, wish, priority, at, id).is_err() {
                        planner.note_dropped(id, at, Why::NothingLikeIt);
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
            TagAction::LookBack => self.eyes().look_freely(at),
            TagAction::Feel(feeling) => self.feel(at, Mood::new(feeling, DEFAULT_INTENSITY)),
            TagAction::Weight(side) => self.shift_weight(at, side.sign()),
            TagAction::Tilt(side) => self.tilt(at + NOD_SECS, side.sign()),
            TagAction::Smile => {
                let before = self.mood();
                self.feel(at, Mood::new(Feeling::Happy, SMILE));
                self.feel(at + SMILE_SECS, before);
            }
        }
    }
}

/// A nod is at its lowest so long after it begins.
pub(super) const NOD_SECS: f64 = 0.25;
