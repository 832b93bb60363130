//! Temperament presets from perception studies, with their ratings (Steptoe 2010, Peters & Qureshi 2010, Trutoiu
//! 2011, Takashima 2008).
//!
//! Presets of one group differ in a single parameter, like the conditions of an experiment, so that the presets can be
//! compared.

use crate::error::{Error, ErrorKind, Result};
use crate::eyes::aperture::CLOSING_DEG;
use crate::eyes::blink::{Blink, BlinkProfile};
use crate::eyes::blinking::{BlinkStrategy, SPONTANEOUS_TEMPO};
use crate::eyes::temperament::Temperament;
use crate::words;

/// A named temperament with the study result that motivates it.
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// Name of the preset.
    pub name: &'static str,
    /// Name of the group of presets that are compared with each other.
    pub group: &'static str,
    /// Study result and its source.
    pub finding: &'static str,
    /// The temperament.
    pub temperament: Temperament,
}

/// Returns all presets, sorted by group.
#[must_use]
pub fn presets() -> Vec<Preset> {
    let all = [
        general(),
        blink_strategies(),
        lid_movements(),
        blink_durations(),
        blink_completeness(),
        head_movements(),
        impressions(),
    ];
    all.into_iter().flatten().collect()
}

/// Finds a preset by name, ignoring case.
///
/// # Errors
/// Returns an error if there is no such preset. The message suggests similar names.
pub fn find(name: &str) -> Result<Preset> {
    let all = presets();
    let names: Vec<&str> = all.iter().map(|preset| preset.name).collect();
    let unknown = format!("unknown preset “{name}”; {}", words::hint(name, names.iter().copied()));
    let found = all.into_iter().find(|preset| preset.name.eq_ignore_ascii_case(name));
    found.ok_or_else(|| Error::of(ErrorKind::NotFound, unknown))
}

fn group<T>(
    group: &'static str,
    conditions: impl IntoIterator<Item = (&'static str, T, &'static str)>,
    temperament: impl Fn(T) -> Temperament,
) -> Vec<Preset> {
    let preset =
        |(name, condition, finding)| Preset { name, group, finding, temperament: temperament(condition) };
    conditions.into_iter().map(preset).collect()
}

fn general() -> Vec<Preset> {
    let usual = ("Natural", Temperament::default(), "As measured in people; the default");
    let still = ("Still", Temperament::still(), "Looks exactly where requested and does not blink");
    group("Vivant", [usual, still], |temperament| temperament)
}

/// Presets from Peters & Qureshi 2010, section 5.4.2: naturalness from 0 to 100, rated by ten participants; the
/// differences are only trends.
fn blink_strategies() -> Vec<Preset> {
    use BlinkStrategy::{GazeEvoked, None, ProbabilisticGazeEvoked, Regular, RegularProbabilistic};
    let conditions = [
        ("NB", None, "No blinks: naturalness 48 of 100 (Peters & Qureshi 2010; trends only)"),
        ("RU", Regular, "Every 3 s, independent of the gaze: 58 of 100"),
        ("GE", GazeEvoked, "With every gaze shift: 44 of 100"),
        ("PGE", ProbabilisticGazeEvoked, "With gaze shifts, more often with larger ones: 50 of 100"),
        ("R+PGE", RegularProbabilistic, "Every 3 s, and with large gaze shifts: 57 of 100"),
    ];
    group("Blink strategy", conditions, |blinks| Temperament { blinks, ..Temperament::peters(0.5) })
}

/// Presets from Trutoiu 2011, Table II (naturalness from 1 to 7), and Steptoe 2010, section 5 (realism compared to
/// motion capture).
fn lid_movements() -> Vec<Preset> {
    use BlinkProfile::{AsymmetricEase, AsymmetricLinear, Evinger, SymmetricEase, SymmetricLinear};
    let conditions = [
        (
            "Model",
            Evinger,
            "Lids as measured: 89 % as realistic as motion capture (Steptoe 2010); similar profiles 4.57 of 7 (Trutoiu 2011)",
        ),
        ("Asymmetric ease", AsymmetricEase, "Eased, closing faster than opening: 4.28 of 7 (Trutoiu 2011)"),
        ("Symmetric ease", SymmetricEase, "Eased, closing and opening alike: 4.04 of 7"),
        ("Asymmetric linear", AsymmetricLinear, "Constant speed, closing faster than opening: 3.92 of 7"),
        (
            "Linear",
            SymmetricLinear,
            "Constant speed, closing and opening alike: 3.73 of 7; 47 % as realistic as motion capture (Steptoe 2010)",
        ),
    ];
    let full = Temperament { partial_blinks: 0.0, ..Temperament::default() };
    group("Lid movement", conditions, |blink_profile| Temperament { blink_profile, ..full })
}

/// Presets from Trutoiu 2011, Table II: blinks of 7, 9, 11 and 13 frames at 30 Hz.
fn blink_durations() -> Vec<Preset> {
    let conditions = [
        ("7 frames", 7.0, "0.23 s per blink: 4.46 of 7, best for cartoon characters (Trutoiu 2011)"),
        ("9 frames", 9.0, "0.30 s per blink: 4.47 of 7, best for photoreal characters"),
        ("11 frames", 11.0, "0.37 s per blink: 3.94 of 7"),
        ("13 frames", 13.0, "0.43 s per blink: 3.57 of 7"),
    ];
    // Median duration of a blink with the gaze straight ahead.
    let usual_secs = Blink::new(CLOSING_DEG).duration_secs() / SPONTANEOUS_TEMPO;
    group("Blink duration", conditions, |frames| Temperament {
        lid_tempo: usual_secs / (frames / 30.0),
        partial_blinks: 0.0,
        ..Temperament::default()
    })
}

/// Presets from Trutoiu 2011, Table I: full blinks compared to partial blinks.
fn blink_completeness() -> Vec<Preset> {
    let conditions = [
        ("Full", 0.0, "Every blink closes the eyes: 4.46 of 7 (Trutoiu 2011)"),
        ("Partial", 0.53, "About half of the blinks are partial (Ousler 2014): 3.93 of 7"),
    ];
    group("Blink completeness", conditions, |partial_blinks| Temperament {
        partial_blinks,
        ..Temperament::default()
    })
}

/// Presets from Peters & Qureshi 2010, section 5.5: naturalness from 0 to 100 for different head shares of an 18°
/// gaze shift.
fn head_movements() -> Vec<Preset> {
    let conditions = [
        ("HMF 0", 0.0, "Eyes only: naturalness 35 of 100 (Peters & Qureshi 2010)"),
        ("HMF 0.25", 0.25, "Mostly the eyes: 41 of 100"),
        ("HMF 0.5", 0.5, "Half eyes, half head: 48 of 100"),
        ("HMF 0.75", 0.75, "Mostly the head: 50 of 100, the most natural"),
        ("HMF 1", 1.0, "Head only: 43 of 100"),
    ];
    group("Head movement", conditions, Temperament::peters)
}

/// Presets from Takashima 2008: impression of an avatar for different blink rates.
fn impressions() -> Vec<Preset> {
    let conditions = [
        ("Intelligent", 9.0, "9 blinks per minute look intelligent (Takashima 2008)"),
        ("Friendly", 18.0, "18 blinks per minute look friendliest"),
        ("Inactive", 36.0, "36 blinks per minute look inactive"),
    ];
    group("Impression", conditions, |rate| Temperament {
        blinks_per_minute: Some(rate),
        ..Temperament::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_have_unique_names_and_valid_values() {
        let all = presets();
        for (index, preset) in all.iter().enumerate() {
            assert_eq!(preset.temperament, preset.temperament.sanitized(), "{}", preset.name);
            let is_same = |other: &Preset| (other.group, other.name) == (preset.group, preset.name);
            assert_eq!(all.iter().position(is_same), Some(index), "{}", preset.name);
        }
    }

    #[test]
    fn presets_of_a_group_differ_in_one_parameter() {
        let same = |a: &Temperament, b: &Temperament, group: &str| match group {
            "Blink strategy" => Temperament { blinks: b.blinks, ..*a } == *b,
            "Lid movement" => Temperament { blink_profile: b.blink_profile, ..*a } == *b,
            "Blink duration" => Temperament { lid_tempo: b.lid_tempo, ..*a } == *b,
            "Blink completeness" => Temperament { partial_blinks: b.partial_blinks, ..*a } == *b,
            "Head movement" => Temperament { head_movement_factor: b.head_movement_factor, ..*a } == *b,
            "Impression" => Temperament { blinks_per_minute: b.blinks_per_minute, ..*a } == *b,
            _ => group == "Vivant",
        };
        let all = presets();
        for pair in all.windows(2).filter(|pair| pair[0].group == pair[1].group) {
            assert_ne!(pair[0].temperament, pair[1].temperament);
            assert!(same(&pair[0].temperament, &pair[1].temperament, pair[0].group), "{}", pair[1].name);
        }
    }

    #[test]
    fn blink_durations_match_their_preset() {
        let all = presets();
        for (name, secs) in [("7 frames", 7.0 / 30.0), ("9 frames", 0.3), ("13 frames", 13.0 / 30.0)] {
            let preset = all.iter().find(|preset| preset.name == name).unwrap();
            let tempo = preset.temperament.lid_tempo * SPONTANEOUS_TEMPO;
            let blink = Blink::between([CLOSING_DEG; 2], BlinkProfile::Evinger, None, tempo);
            assert!((blink.duration_secs() - secs).abs() < 1e-9, "{name}: {} s", blink.duration_secs());
        }
    }
}
