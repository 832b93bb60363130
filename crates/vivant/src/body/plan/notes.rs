//! What was planned, and why: for people who look at a timeline.

use crate::body::plan::Origin;
use crate::eyes::blinking::Activity;

/// How many notes are kept until someone takes them.
pub(super) const KEPT: usize = 512;

/// Something that the planner did.
///
/// `id` is the number of the intent that caused it, as [`Performer::intend`](crate::performer::Performer::intend)
/// returned it. Acts, stances and `do` have one number each. What a line asks for by its tags has the number of the
/// line, so that every action can be traced to the intent that caused it. What the behaviour model does has numbers of
/// its own and [`Origin::Behaviour`].
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Note {
    /// An action began.
    Began(Began),
    /// An action ended before its time, for something more important or by a stop.
    Cut {
        /// The number of the intent that it was for.
        id: u64,
        /// Which action of the graph.
        action: usize,
        /// When it had begun.
        began: f64,
        /// When it was cut.
        at: f64,
    },
    /// A wish was not done.
    Dropped {
        /// The number of the intent.
        id: u64,
        /// Who asked for it.
        origin: Origin,
        /// When that was decided.
        at: f64,
        /// Why.
        why: Why,
    },
    /// The state changed.
    State {
        /// When.
        at: f64,
        /// To what.
        activity: Activity,
    },
}

/// An action that began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Began {
    /// When, in seconds.
    pub at: f64,
    /// When it will end, in seconds.
    pub until: f64,
    /// Which action of the graph.
    pub action: usize,
    /// The number of the intent that it is for.
    pub id: u64,
    /// Who asked for it.
    pub origin: Origin,
    /// Among how many candidates it was chosen.
    pub candidates: usize,
    /// How likely it was to be chosen.
    pub probability: f64,
    /// Whether it is a transition that was put in on the way to what was asked for.
    pub is_on_the_way: bool,
    /// When its stroke arrives, in seconds.
    pub stroke: f64,
    /// When somebody wanted the stroke to arrive, in seconds.
    pub stroke_wanted: Option<f64>,
}

/// Why a wish was not done.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The repertoire has nothing like it.
    NothingLikeIt,
    /// No transitions lead to where it could be done.
    NoWay,
    /// It would not end before something more important (paper 4, Figure 7, case 2).
    NoTime,
    /// Something else took all of its time (paper 4, Figure 7, case 3).
    Covered,
    /// The stance is already taken.
    AlreadyThere,
    /// Something more important cut it before it began.
    Cut,
    /// The agent said stop.
    Stopped,
    /// The agent took it back.
    TakenBack,
    /// Its stroke would have come too late for what it was to go with.
    TooLate,
}

impl Why {
    /// As a sentence for people.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::NothingLikeIt => "the repertoire has nothing like it",
            Self::NoWay => "no transitions lead to a stance where it could be done",
            Self::NoTime => "nothing that fits would end before something more important",
            Self::Covered => "what came before took all of its time",
            Self::AlreadyThere => "the stance is already taken",
            Self::Cut => "something more important cut it before it began",
            Self::Stopped => "the agent said stop",
            Self::TakenBack => "the agent took it back",
            Self::TooLate => "its stroke would have come more than 0.25 s late",
        }
    }
}
