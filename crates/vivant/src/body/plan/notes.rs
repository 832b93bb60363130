//! Notes about planned actions and the reasons for them, for timeline displays.
//!
//! A request may start late, start as another clip, or never start. Users of a timeline want to see why. The planner
//! adds a [`Note`] for each of these decisions; `Performer::take_notes` returns them with the number of the intent.
//! Notes never influence the plan, and only the newest 512 are kept if the host does not take them.
//! [`DropReason::sentence`] returns a reason as text.

use crate::body::plan::Origin;
use crate::eyes::blinking::Activity;

/// Maximum number of notes that are kept until they are taken.
pub(super) const MAX_NOTES: usize = 512;

/// An event of the planner.
///
/// `id` is the number of the intent that caused the event, as returned by
/// [`Performer::intend`](crate::performer::Performer::intend). Acts, stances and `do` have one number each. Actions of
/// a line's tags have the number of the line, so that every action can be traced to its intent. Actions of the
/// behaviour model have their own numbers and [`Origin::Behaviour`].
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Note {
    /// An action started.
    Began(Began),
    /// An action was interrupted by a higher priority or by a stop.
    Cut {
        /// Number of the intent.
        id: u64,
        /// Index of the action in the graph.
        action: usize,
        /// Start of the action in seconds.
        began: f64,
        /// Time of the interruption in seconds.
        at: f64,
    },
    /// A request was dropped.
    Dropped {
        /// Number of the intent.
        id: u64,
        /// Source of the request.
        origin: Origin,
        /// Time of the decision in seconds.
        at: f64,
        /// Reason why the request was dropped.
        why: DropReason,
    },
    /// The activity changed.
    State {
        /// Time of the change in seconds of the performance.
        at: f64,
        /// The new activity.
        activity: Activity,
    },
}

/// An action that started.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Began {
    /// Start in seconds of the performance.
    pub at: f64,
    /// Planned end in seconds of the performance.
    pub until: f64,
    /// Index of the action in the graph.
    pub action: usize,
    /// Number of the intent.
    pub id: u64,
    /// Source of the request.
    pub origin: Origin,
    /// Number of candidates among which the action was chosen.
    pub candidates: usize,
    /// Probability with which the action was chosen.
    pub probability: f64,
    /// True if the action is a transition that was inserted before the requested action.
    pub is_inserted_transition: bool,
    /// Time of the action's stroke in seconds.
    pub stroke: f64,
    /// Requested time of the stroke in seconds.
    pub stroke_wanted: Option<f64>,
}

/// Reason why a request was dropped.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropReason {
    /// No action of the repertoire matches.
    NoMatch,
    /// No transitions lead to a stance in which the action could be performed.
    Unreachable,
    /// The action would not end before another action of higher priority starts (paper 4, Figure 7, case 2).
    NoTime,
    /// Another action took all of the requested time (paper 4, Figure 7, case 3).
    Covered,
    /// The character is already in the stance.
    AlreadyInStance,
    /// An action of higher priority interrupted the request before it started.
    Cut,
    /// The agent sent a stop.
    Stopped,
    /// The agent cancelled the request.
    Cancelled,
    /// The stroke would have come too late.
    TooLate,
}

impl DropReason {
    /// Returns the reason as a clause for messages.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::NoMatch => "no action of the repertoire matches",
            Self::Unreachable => "no transitions lead to the stance of the action",
            Self::NoTime => {
                "no matching action is short enough to end before an action of higher priority starts"
            }
            Self::Covered => "another action took all of the requested time",
            Self::AlreadyInStance => "the character is already in this stance",
            Self::Cut => "an action of higher priority replaced it before it started",
            Self::Stopped => "the agent sent a stop",
            Self::Cancelled => "the agent cancelled it",
            Self::TooLate => "its stroke would have come more than 0.25 s late",
        }
    }
}
