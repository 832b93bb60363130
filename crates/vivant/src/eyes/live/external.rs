//! A head controlled externally, for example by a head tracker, with idle eyes.
//!
//! The gaze cannot turn such a head. The eyes compensate the movements of the head (VOR), as they do for all body
//! motion. If the eyes cannot reach the attended target, they look straight ahead of the head until they can reach
//! the target again.

use super::aim::Aim;
use super::{Cue, Eyes};
use crate::eyes::direction::Direction;
use crate::eyes::gaze::{Oval, Range, Ranges};
use crate::eyes::head_pose::HeadPose;
use glam::{DVec2, DVec3};

/// Body parts that the gaze must not turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ExternalControl {
    pub(super) head: bool,
    pub(super) torso: bool,
}

/// Fraction of the range of the eyes within which they return to the attended target. They leave the target at the
/// limit of their range.
const REGAIN_SHARE: f64 = 0.8;

impl Eyes {
    /// Sets from `at` on which parts are controlled externally: head, torso or both. The gaze does not turn these
    /// parts; turns that it has already made are reverted smoothly.
    pub fn set_external_control(&mut self, at: f64, head: bool, torso: bool) {
        self.schedule(at, super::EventKind::SetExternalControl(ExternalControl { head, torso }));
    }

    pub(super) fn apply_external_control(&mut self, at: f64, external: ExternalControl, pose: &HeadPose) {
        if external.head {
            self.pending.head = Direction::AHEAD;
            self.pending.head_not_before = at;
            self.move_head(at, pose);
        }
        if external.torso {
            self.pending.torso = Direction::AHEAD;
            self.move_torso(at);
        }
        self.external = external;
        let Ranges { eye, head, torso } = self.own_ranges;
        let unless = |is_limited: bool, range: Range| if is_limited { Range::NONE } else { range };
        self.ranges = Ranges { eye, head: unless(external.head, head), torso: unless(external.torso, torso) };
    }

    /// Returns the aim, or straight ahead of the head if the aim is out of the eyes' reach and the head is controlled
    /// externally.
    pub(super) fn within_reach(&mut self, at: f64, aim: Aim, pose: &HeadPose) -> Aim {
        let share = if self.aims_along_head() { REGAIN_SHARE } else { 1.0 };
        if self.external.head && !self.reaches(at, aim, share, pose) { Aim::ahead_of_head() } else { aim }
    }

    fn aims_along_head(&self) -> bool {
        matches!(self.aim, Aim::Head { .. })
    }

    /// Returns true if the eyes can look at the aim within the fraction `share` of their range.
    fn reaches(&mut self, at: f64, aim: Aim, share: f64, pose: &HeadPose) -> bool {
        let target = self.geometry_for(at, aim, pose).target;
        let Range { yaw_deg, up_deg, down_deg } = self.own_ranges.eye;
        let range = Range { yaw_deg: yaw_deg * share, up_deg: up_deg * share, down_deg: down_deg * share };
        Oval::new(&range).contains(target)
    }

    /// Returns an aim relative to the head: straight ahead plus `offset` (yaw and pitch in degrees).
    pub(super) fn aim_past_head(&self, offset: DVec2) -> Aim {
        let aside = self.oval.clamp(Direction::new(offset.x, offset.y).to_vector());
        Aim::Head { both: aside, eyes: [aside; 2] }
    }

    /// Checks whether an externally controlled head has moved the attended target out of reach or back into reach.
    pub(super) fn recheck_external_head(&mut self, at: f64, pose: &HeadPose) {
        // Only idle eyes are checked: a look lasts as long as requested, and a tracker controls the eyes itself.
        let is_free = !self.idle_gaze.is_controlled && !self.cues.is_set(Cue::Silence);
        if !self.external.head || !is_free || !self.error.is_zero(at) {
            return;
        }
        let is_lost = self.gaze_geometry(at, pose).is_limited;
        let attended = self.attended(at, pose);
        if is_lost || self.aims_along_head() && !matches!(attended, Aim::Head { .. }) {
            self.look_back(at, pose);
        }
    }
}

impl Aim {
    fn ahead_of_head() -> Self {
        Self::Head { both: DVec3::Z, eyes: [DVec3::Z; 2] }
    }
}
