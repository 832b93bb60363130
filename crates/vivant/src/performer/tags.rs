//! What tags in a text ask for, and words without a text: `nod`, `smile`, `look:left`, `weight:right`, `gesture:wave`.

use crate::body::Side;
use crate::body::graph::Graph;
use crate::body::mood::{DEFAULT_INTENSITY, Feeling, Mood};
use crate::body::plan::Wish;
use crate::body::repertoire::Kind;
use crate::error::{Error, Result};
use crate::eyes::direction::Direction;
use crate::eyes::{BlinkIntent, Look, Target};
use crate::intent::Do;
use crate::performer::{Performer, What};
use crate::speech::text::Tag;

/// What a tag asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Deed {
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
const PLACES: &str = "left, right, up, down, away, ahead or you";

impl Deed {
    /// What a tag means to a character with this repertoire.
    ///
    /// # Errors
    /// If it means nothing; the error names what is known.
    pub(super) fn of(tag: &Tag, graph: Option<&Graph>) -> Result<Self> {
        let argument = tag.argument.as_deref();
        match (tag.name.as_str(), argument) {
            ("look" | "gaze", Some(place)) => {
                look(place).ok_or_else(|| unknown(tag, &format!("look {PLACES}")))
            }
            ("blink", None) => Ok(Self::Blink),
            ("smile", None) => Ok(Self::Smile),
            ("mood" | "be", Some(name)) => {
                feeling(name).ok_or_else(|| unknown(tag, &format!("moods are {}", moods())))
            }
            ("brows", None) => Ok(Self::Brows),
            ("weight", Some(side)) => Side::from_name(side)
                .map(Self::Weight)
                .ok_or_else(|| unknown(tag, "weight goes left or right")),
            ("tilt", Some(side)) => {
                Side::from_name(side).map(Self::Tilt).ok_or_else(|| unknown(tag, "heads tilt left or right"))
            }
            ("stance", Some(name)) => stance(graph, name)
                .ok_or_else(|| unknown(tag, &format!("stances are {}", names(graph, stance_names)))),
            ("gesture" | "fidget" | "act" | "do", Some(name)) => {
                action(graph, name).map(Self::Act).ok_or_else(|| unknown(tag, &known(graph)))
            }
            ("gesture", None) => any(graph, Kind::Gesture).ok_or_else(|| unknown(tag, &known(graph))),
            ("fidget", None) => any(graph, Kind::Fidget).ok_or_else(|| unknown(tag, &known(graph))),
            (name, None) => match action(graph, name) {
                Some(wish) => Ok(Self::Act(wish)),
                None if name == "nod" => Ok(Self::Nod),
                None => feeling(name).ok_or_else(|| unknown(tag, &known(graph))),
            },
            _ => Err(unknown(tag, &known(graph))),
        }
    }
}

fn look(place: &str) -> Option<Deed> {
    let [side, up] = LOOK_DEG;
    let (yaw_deg, pitch_deg) = match place {
        "left" => (side, 0.0),
        "right" => (-side, 0.0),
        "up" => (0.0, up),
        "down" => (0.0, -up),
        "ahead" => (0.0, 0.0),
        "away" => return Some(Deed::LookAway),
        "you" | "user" | "viewer" | "camera" | "back" => return Some(Deed::LookBack),
        _ => return None,
    };
    Some(Deed::Look(Direction::new(yaw_deg, pitch_deg)))
}

fn feeling(name: &str) -> Option<Deed> {
    Feeling::from_name(name).map(Deed::Feel)
}

fn moods() -> String {
    Feeling::ALL.map(Feeling::name).join(", ")
}

fn stance(graph: Option<&Graph>, name: &str) -> Option<Deed> {
    let stance = graph?.stance(name)?;
    Some(Deed::Act(Wish { kind: Some(Kind::Transition), stance: Some(stance), ..Wish::default() }))
}

fn any(graph: Option<&Graph>, kind: Kind) -> Option<Deed> {
    let has_any = graph?.actions().iter().any(|action| action.kind == kind);
    has_any.then_some(Deed::Act(Wish { kind: Some(kind), ..Wish::default() }))
}

/// An action of this name, any with this meaning, or one in whose name this is a word.
fn action(graph: Option<&Graph>, name: &str) -> Option<Wish> {
    let graph = graph?;
    let actions = || graph.actions().iter().enumerate().filter(|(_, action)| action.kind != Kind::Transition);
    let same = |other: &str| other.eq_ignore_ascii_case(name);
    let like = |index: usize| Wish { like: Some(index), ..Wish::default() };
    if let Some((index, _)) = actions().find(|(_, action)| same(&action.name)) {
        return Some(like(index));
    }
    if let Some(tag) = graph.tags().iter().find(|tag| same(tag)) {
        let tags = graph.tag_bits([tag])?;
        let means = |kind: Kind| actions().any(|(_, action)| action.kind == kind && action.tags & tags != 0);
        let kind = [Kind::Gesture, Kind::Fidget].into_iter().find(|kind| means(*kind))?;
        return Some(Wish { kind: Some(kind), tags, ..Wish::default() });
    }
    let has_word = |full: &str| full.split(|c: char| !c.is_alphanumeric()).any(same);
    let named = actions().filter(|(_, action)| has_word(&action.name));
    named.min_by_key(|(_, action)| action.name.len()).map(|(index, _)| like(index))
}

fn unknown(tag: &Tag, known: &str) -> Error {
    let argument = tag.argument.as_ref().map(|argument| format!(":{argument}")).unwrap_or_default();
    Error::new(format!("the tag [{}{argument}] is not known and was left out; {known}", tag.name))
}

fn known(graph: Option<&Graph>) -> String {
    let tags = names(graph, |graph| graph.tags().to_vec());
    format!(
        "known are blink, brows, nod, smile, look, weight, tilt, gesture, stance, moods ({}), names of clips, and: {tags}",
        moods()
    )
}

fn stance_names(graph: &Graph) -> Vec<String> {
    graph.stances().iter().map(|stance| stance.name.clone()).collect()
}

fn names(graph: Option<&Graph>, of: impl Fn(&Graph) -> Vec<String>) -> String {
    let names = graph.map(of).unwrap_or_default();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

impl Performer {
    /// Does what a word asks for, at its time.
    ///
    /// # Errors
    /// If nobody knows the word; the error names those that are known.
    pub(super) fn take_deed(&mut self, asked: &Do, now: f64) -> Result<()> {
        let (name, argument) = match asked.what.split_once(':') {
            Some((name, argument)) => (name, Some(argument.trim().to_owned())),
            None => (asked.what.as_str(), None),
        };
        let tag = Tag { name: name.trim().to_lowercase(), argument, before_word: 0 };
        let deed =
            Deed::of(&tag, self.library.graph()).map_err(|error| Error::new(format!("do: {error}")))?;
        self.be_ready_to_feel();
        self.be_ready_to_stress();
        self.schedule(asked.at.unwrap_or(now), What::Do { deed, priority: asked.priority });
        Ok(())
    }

    /// Does what a tag asks for.
    pub(super) fn do_as_tagged(&mut self, deed: Deed, priority: i32, at: f64) {
        match deed {
            Deed::Act(wish) => {
                let library = self.library.clone();
                if let (Some(planner), Some(graph)) = (&mut self.planner, library.graph()) {
                    // What cannot be done now is told by the planner's notes.
                    let _ = planner.wish(graph, wish, priority, at);
                }
            }
            Deed::Nod => self.nod(at + NOD_SECS, 1.0),
            Deed::Brows => self.raise_brows(at + NOD_SECS, 1.0),
            Deed::Blink => self.eyes().blink(BlinkIntent { at, ..BlinkIntent::default() }),
            Deed::Look(direction) => {
                self.eyes().look(Look {
                    at,
                    secs: Some(LOOK_SECS),
                    ..Look::at(Target::Direction(direction))
                });
            }
            Deed::LookAway => self.eyes().look(Look { at, secs: Some(LOOK_SECS), ..Look::at(Target::Away) }),
            Deed::LookBack => self.eyes().look_freely(at),
            Deed::Feel(feeling) => self.feel(at, Mood::new(feeling, DEFAULT_INTENSITY)),
            Deed::Weight(side) => self.shift_weight(at, side.sign()),
            Deed::Tilt(side) => self.tilt(at + NOD_SECS, side.sign()),
            Deed::Smile => {
                let before = self.mood();
                self.feel(at, Mood::new(Feeling::Happy, SMILE));
                self.feel(at + SMILE_SECS, before);
            }
        }
    }
}

/// A nod is at its lowest so long after it begins.
pub(super) const NOD_SECS: f64 = 0.25;
