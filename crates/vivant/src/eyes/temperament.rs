//! What kind of person a character is, as far as the eyes show it.

use crate::eyes::blink::BlinkProfile;
use crate::eyes::blinking::{BlinkStrategy, DOUBLE_SHARE, Evoked};
use crate::eyes::gaze::{EYE_ONLY_DEG, GazePreset};
use crate::eyes::saccade::MainSequence;
use serde::{Deserialize, Serialize};

/// How eyes, lids and head behave. Every field may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Temperament {
    /// How readily the head joins a gaze shift: 0 only when it must, 1 always and wholly (paper 2, HMF).
    pub head_movement_factor: f64,
    /// Whose rules share gaze shifts out.
    pub gaze: GazePreset,
    /// Half the width of the zone in which a non-mover uses the eyes only, in degrees.
    pub eye_only_deg: f64,
    /// How far away the viewer is, in metres, if it matters: from afar heads say more than eyes
    /// (paper 2, section 6).
    pub viewer_distance_m: Option<f64>,
    /// How much happens between intents: microsaccades, drift, overshoots, corrections, glances, the
    /// eye's dip in a blink. 0 is truly still, and looks to the point.
    pub liveliness: f64,
    /// How much the eyes stay on whom they attend to: 0.5 as people do, 1 always.
    pub attentiveness: f64,
    /// When it blinks.
    pub blinks: BlinkStrategy,
    /// Spontaneous blinks a minute; by default those of the activity.
    pub blinks_per_minute: Option<f64>,
    /// How gaze shifts evoke blinks.
    pub evoked: Evoked,
    /// The share of spontaneous blinks that do not close the eye.
    pub partial_blinks: f64,
    /// The share of spontaneous blinks that come twice.
    pub double_blinks: f64,
    /// How a blink's lid moves.
    pub blink_profile: BlinkProfile,
    /// How fast lids are: 1 as measured, less when tired.
    pub lid_tempo: f64,
    /// How open the eyes rest, left and right: 1 as usual, less with fatigue or ptosis, more in surprise.
    pub resting_aperture: [f64; 2],
    /// How fast eyes jump.
    pub main_sequence: MainSequence,
    /// How much of the convergence on a near target the eyes make: 1 is all of it.
    pub vergence: f64,
}

impl Default for Temperament {
    fn default() -> Self {
        Self {
            // Kim 2010: heads take 69 % of a shift to the side.
            head_movement_factor: 0.69,
            gaze: GazePreset::Human,
            eye_only_deg: EYE_ONLY_DEG,
            viewer_distance_m: None,
            liveliness: 1.0,
            attentiveness: 0.5,
            blinks: BlinkStrategy::Natural,
            blinks_per_minute: None,
            evoked: Evoked::default(),
            // People make more than half of their blinks partial (Ousler 2014), and viewers prefer full
            // ones (paper 3, section 5): our compromise.
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
    /// Nothing of its own: the eyes look where they are told, to the point, and do not blink.
    #[must_use]
    pub fn still() -> Self {
        Self { liveliness: 0.0, blinks: BlinkStrategy::None, ..Self::default() }
    }

    /// Paper 2 to the letter: its gaze controller and its probabilistic gaze-evoked blinks.
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

    /// The head-movement factor, raised with the viewer's distance: by up to half of what is left, from
    /// two metres to ten (paper 2, section 6, gives the direction; the numbers are ours).
    #[must_use]
    pub fn effective_head_movement_factor(&self) -> f64 {
        const BIAS: f64 = 0.5;
        const NEAR_M: f64 = 2.0;
        const FAR_M: f64 = 10.0;
        let factor = self.head_movement_factor;
        let far = self.viewer_distance_m.map_or(0.0, |d| ((d - NEAR_M) / (FAR_M - NEAR_M)).clamp(0.0, 1.0));
        factor + BIAS * far * (1.0 - factor)
    }

    /// The same with every number brought into its range; what is not a number becomes the default.
    #[must_use]
    pub(crate) fn sound(mut self) -> Self {
        let usual = Self::default();
        let hold = |value: &mut f64, usual: f64, least: f64, most: f64| {
            *value = if value.is_nan() { usual } else { value.clamp(least, most) };
        };
        hold(&mut self.head_movement_factor, usual.head_movement_factor, 0.0, 1.0);
        hold(&mut self.eye_only_deg, usual.eye_only_deg, 0.0, 90.0);
        hold(&mut self.liveliness, usual.liveliness, 0.0, 1.0);
        hold(&mut self.attentiveness, usual.attentiveness, 0.0, 1.0);
        hold(&mut self.partial_blinks, usual.partial_blinks, 0.0, 1.0);
        hold(&mut self.double_blinks, usual.double_blinks, 0.0, 1.0);
        hold(&mut self.lid_tempo, usual.lid_tempo, 0.1, 2.0);
        hold(&mut self.vergence, usual.vergence, 0.0, 1.0);
        for aperture in &mut self.resting_aperture {
            hold(aperture, 1.0, 0.0, 1.3);
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
    fn from_afar_heads_say_more() {
        let at = |distance: Option<f64>| {
            Temperament { viewer_distance_m: distance, head_movement_factor: 0.4, ..Temperament::default() }
                .effective_head_movement_factor()
        };
        assert_eq!((at(None), at(Some(1.0)), at(Some(2.0))), (0.4, 0.4, 0.4));
        assert!(at(Some(4.0)) > 0.4 && at(Some(6.0)) > at(Some(4.0)));
        assert_eq!((at(Some(10.0)), at(Some(50.0))), (0.7, 0.7));
    }

    #[test]
    fn numbers_out_of_range_are_brought_into_it() {
        let odd = Temperament {
            head_movement_factor: 7.0,
            liveliness: f64::NAN,
            lid_tempo: -3.0,
            resting_aperture: [f64::INFINITY, -1.0],
            blinks_per_minute: Some(f64::NAN),
            ..Temperament::default()
        };
        let sound = odd.sound();
        assert_eq!((sound.head_movement_factor, sound.liveliness, sound.lid_tempo), (1.0, 1.0, 0.1));
        assert_eq!((sound.resting_aperture, sound.blinks_per_minute), ([1.3, 0.0], None));
        assert_eq!(Temperament::default().sound(), Temperament::default());
    }
}
