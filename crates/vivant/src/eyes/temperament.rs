//! Per-character parameters of eyes, lids and head.
//!
//! Characters differ in how much they move the head, how still their eyes are and when they blink. A [`Temperament`]
//! contains all of these parameters in one serializable value; the default is a person with measured values where there
//! are any. [`Temperament::still`] switches off involuntary movement, for tests and exact control, and
//! [`Temperament::peters`] reproduces Peters & Qureshi 2010. Values outside their range are clamped when the eyes take
//! them over.

use crate::eyes::blink::BlinkProfile;
use crate::eyes::blinking::{BlinkStrategy, DOUBLE_SHARE, Evoked};
use crate::eyes::gaze::{EYE_ONLY_DEG, GazePreset};
use crate::eyes::saccade::MainSequence;
use serde::{Deserialize, Serialize};

/// Parameters of eyes, lids and head of a character. Every field may be omitted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Temperament {
    /// Head-movement factor (HMF, paper 2), 0–1: 0 moves the head only when necessary, 1 always by the whole gaze
    /// shift.
    pub head_movement_factor: f64,
    /// Rules that divide gaze shifts between eyes, head and torso.
    pub gaze: GazePreset,
    /// Half-width in degrees of the zone in which a non-mover (HMF 0) uses the eyes only.
    pub eye_only_deg: f64,
    /// Distance of the viewer in metres. Distant viewers see heads better than eyes, so the head moves more (paper 2,
    /// section 6). `None` means that the distance has no effect.
    pub viewer_distance_m: Option<f64>,
    /// Amount of involuntary movement, 0–1: microsaccades, drift, overshoots, corrections, glances, and the eye's
    /// dip in a blink. At 0 the eyes are still and exactly on target.
    pub liveliness: f64,
    /// Tendency of the eyes to stay on the attended target, 0–1: 0.5 as measured in people, 1 always.
    pub attentiveness: f64,
    /// Strategy that decides when to blink.
    pub blinks: BlinkStrategy,
    /// Spontaneous blinks per minute. By default the rate of the current activity.
    pub blinks_per_minute: Option<f64>,
    /// Parameters of blinks evoked by gaze shifts.
    pub evoked: Evoked,
    /// Fraction of spontaneous blinks that do not fully close the eye, 0–1.
    pub partial_blinks: f64,
    /// Fraction of spontaneous blinks that are double blinks, 0–1.
    pub double_blinks: f64,
    /// Lid movement profile of a blink.
    pub blink_profile: BlinkProfile,
    /// Speed of lid movements, 0.1–2: 1 as measured, less when tired.
    pub lid_tempo: f64,
    /// Resting aperture of left and right eye, 0–1.3: 1 is normal, less for fatigue or ptosis, more for surprise.
    pub resting_aperture: [f64; 2],
    /// Main sequence: relation of saccade amplitude to duration and peak velocity.
    pub main_sequence: MainSequence,
    /// Fraction of the full convergence on near targets, 0–1.
    pub vergence: f64,
}

impl Default for Temperament {
    fn default() -> Self {
        Self {
            // Kim 2010: the head takes 69 % of a horizontal gaze shift.
            head_movement_factor: 0.69,
            gaze: GazePreset::Human,
            eye_only_deg: EYE_ONLY_DEG,
            viewer_distance_m: None,
            liveliness: 1.0,
            attentiveness: 0.5,
            blinks: BlinkStrategy::Natural,
            blinks_per_minute: None,
            evoked: Evoked::default(),
            // More than half of people's blinks are partial (Ousler 2014), but viewers prefer full ones (paper 3,
            // section 5): our compromise.
            partial_blinks: 0.25,
            double_blinks: DOUBLE_SHARE,
            blink_profile: BlinkProfile::Auto,
            lid_tempo: 1.0,
            resting_aperture: [1.0; 2],
            main_sequence: MainSequence::default(),
            vergence: 1.0,
        }
    }
}

impl Temperament {
    /// Temperament without involuntary movement: the eyes look exactly where requested and do not blink.
    #[must_use]
    pub fn still() -> Self {
        Self { liveliness: 0.0, blinks: BlinkStrategy::None, ..Self::default() }
    }

    /// Returns a temperament that follows Peters & Qureshi 2010 exactly: their rules for gaze shifts, and their
    /// combination of regular and gaze-evoked blinks (R+PGE). There is no involuntary movement.
    #[must_use]
    pub fn peters(head_movement_factor: f64) -> Self {
        Self {
            head_movement_factor,
            gaze: GazePreset::Peters,
            blinks: BlinkStrategy::RegularProbabilistic,
            evoked: Evoked::peters(),
            partial_blinks: 0.0,
            double_blinks: 0.0,
            ..Self::still()
        }
    }

    /// Returns the head-movement factor, raised for distant viewers: not raised up to 2 m, and raised by half of the
    /// difference to 1 from 10 m on (Peters & Qureshi 2010, section 6, give only the direction of the effect; the
    /// numbers are our design).
    #[must_use]
    pub fn effective_head_movement_factor(&self) -> f64 {
        const BIAS: f64 = 0.5;
        const NEAR_M: f64 = 2.0;
        const FAR_M: f64 = 10.0;
        let factor = self.head_movement_factor;
        let far = self.viewer_distance_m.map_or(0.0, |d| ((d - NEAR_M) / (FAR_M - NEAR_M)).clamp(0.0, 1.0));
        factor + BIAS * far * (1.0 - factor)
    }

    /// Returns the temperament with all values clamped to their ranges; NaN becomes the default.
    #[must_use]
    pub(crate) fn sanitized(mut self) -> Self {
        let usual = Self::default();
        let clamp = |value: &mut f64, usual: f64, least: f64, most: f64| {
            *value = if value.is_nan() { usual } else { value.clamp(least, most) };
        };
        clamp(&mut self.head_movement_factor, usual.head_movement_factor, 0.0, 1.0);
        clamp(&mut self.eye_only_deg, usual.eye_only_deg, 0.0, 90.0);
        clamp(&mut self.liveliness, usual.liveliness, 0.0, 1.0);
        clamp(&mut self.attentiveness, usual.attentiveness, 0.0, 1.0);
        clamp(&mut self.partial_blinks, usual.partial_blinks, 0.0, 1.0);
        clamp(&mut self.double_blinks, usual.double_blinks, 0.0, 1.0);
        clamp(&mut self.lid_tempo, usual.lid_tempo, 0.1, 2.0);
        clamp(&mut self.vergence, usual.vergence, 0.0, 1.0);
        for aperture in &mut self.resting_aperture {
            clamp(aperture, 1.0, 0.0, 1.3);
        }
        self.blinks_per_minute = self.blinks_per_minute.filter(|rate| rate.is_finite() && *rate >= 0.0);
        self.viewer_distance_m = self.viewer_distance_m.filter(|distance| distance.is_finite());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distant_viewers_raise_the_head_movement_factor() {
        let at = |distance: Option<f64>| {
            Temperament { viewer_distance_m: distance, head_movement_factor: 0.4, ..Temperament::default() }
                .effective_head_movement_factor()
        };
        assert_eq!((at(None), at(Some(1.0)), at(Some(2.0))), (0.4, 0.4, 0.4));
        assert!(at(Some(4.0)) > 0.4 && at(Some(6.0)) > at(Some(4.0)));
        assert_eq!((at(Some(10.0)), at(Some(50.0))), (0.7, 0.7));
    }

    #[test]
    fn values_out_of_range_are_clamped() {
        let odd = Temperament {
            head_movement_factor: 7.0,
            liveliness: f64::NAN,
            lid_tempo: -3.0,
            resting_aperture: [f64::INFINITY, -1.0],
            blinks_per_minute: Some(f64::NAN),
            ..Temperament::default()
        };
        let sanitized = odd.sanitized();
        assert_eq!(
            (sanitized.head_movement_factor, sanitized.liveliness, sanitized.lid_tempo),
            (1.0, 1.0, 0.1)
        );
        assert_eq!((sanitized.resting_aperture, sanitized.blinks_per_minute), ([1.3, 0.0], None));
        assert_eq!(Temperament::default().sanitized(), Temperament::default());
    }
}
