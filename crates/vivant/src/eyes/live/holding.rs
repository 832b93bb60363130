//! A head that somebody else turns: a tracker's, under which the eyes live.
//!
//! Such a head does not help the gaze. As it moves, the eyes counter it, as they counter every motion of the
//! body; where whom they attend to is out of their reach, they look where the head points, until they can see
//! them again.

use super::aim::Aim;
use super::{Cue, Eyes};
use crate::eyes::carriage::Carriage;
use crate::eyes::direction::Direction;
use crate::eyes::gaze::{Oval, Range, Ranges};
use glam::{DVec2, DVec3};

/// What is not the eyes' to turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) head: bool,
    pub(super) torso: bool,
}

/// Whom one attends to is given up at the end of the eyes' range, and looked at again within this share of it.
const BACK_WITHIN: f64 = 0.8;

impl Eyes {
    /// From a time on, head and torso are somebody else's to turn, or the eyes' own again. What they were turned
    /// by to look goes back, without a jump.
    pub fn hold(&mut self, at: f64, head: bool, torso: bool) {
        self.ask(at, super::EventKind::Hold(Held { head, torso }));
    }

    pub(super) fn be_held(&mut self, at: f64, held: Held, carriage: &Carriage) {
        if held.head {
            self.pending.head = Direction::AHEAD;
            self.pending.head_not_before = at;
            self.move_head(at, carriage);
        }
        if held.torso {
            self.pending.torso = Direction::AHEAD;
            self.move_torso(at);
        }
        self.held = held;
        let Ranges { eye, head, torso } = self.own_ranges;
        let unless = |is_held: bool, range: Range| if is_held { Range::NONE } else { range };
        self.ranges = Ranges { eye, head: unless(held.head, head), torso: unless(held.torso, torso) };
    }

    /// What is looked at, or where the head points if that is out of the eyes' reach and the head does not help.
    pub(super) fn within_reach(&mut self, at: f64, aim: Aim, carriage: &Carriage) -> Aim {
        let share = if self.looks_with_head() { BACK_WITHIN } else { 1.0 };
        if self.held.head && !self.reaches(at, aim, share, carriage) { Aim::ahead_of_head() } else { aim }
    }

    fn looks_with_head(&self) -> bool {
        matches!(self.aim, Aim::Head { .. })
    }

    /// Whether an eye can look there, within a share of its range.
    fn reaches(&mut self, at: f64, aim: Aim, share: f64, carriage: &Carriage) -> bool {
        let target = self.seen_at(at, aim, carriage).target;
        let Range { yaw_deg, up_deg, down_deg } = self.own_ranges.eye;
        let range = Range { yaw_deg: yaw_deg * share, up_deg: up_deg * share, down_deg: down_deg * share };
        Oval::new(&range).contains(target)
    }

    /// A glance past what is looked at where the head points.
    pub(super) fn past_head(&self, offset: DVec2) -> Aim {
        let aside = self.oval.hold(Direction::new(offset.x, offset.y).to_vector());
        Aim::Head { both: aside, eyes: [aside; 2] }
    }

    /// A head that is held may have carried the eyes away from whom they attend to, or back.
    pub(super) fn recheck_held(&mut self, at: f64, carriage: &Carriage) {
        // Who is led looks there for as long as it is asked to; a tracker's eyes are the tracker's.
        let is_free = !self.wandering.is_led && !self.cues.is_set(Cue::Silence);
        if !self.held.head || !is_free || !self.error.is_nothing(at) {
            return;
        }
        let is_lost = self.see(at, carriage).is_held;
        let attended = self.attended(at, carriage);
        if is_lost || self.looks_with_head() && !matches!(attended, Aim::Head { .. }) {
            self.look_back(at, carriage);
        }
    }
}

impl Aim {
    fn ahead_of_head() -> Self {
        Self::Head { both: DVec3::Z, eyes: [DVec3::Z; 2] }
    }
}
