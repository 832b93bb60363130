//! Temperaments that people were asked about, with what they said (FACTS, section 8).
//!
//! Presets of one group differ in one thing only, as the conditions of an experiment do, so that they can be
//! compared.

use crate::error::{Error, ErrorKind, Result};
use crate::eyes::aperture::CLOSING_DEG;
use crate::eyes::blink::{Blink, BlinkProfile};
use crate::eyes::blinking::{BlinkStrategy, SPONTANEOUS_TEMPO};
use crate::eyes::temperament::Temperament;
use crate::words;

/// A temperament with a reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// What it is called.
    pub name: &'static str,
    /// What is compared in its group.
    pub group: &'static str,
    /// What people found, and who asked them.
    pub finding: &'static str,
    /// The temperament.
    pub temperament: Temperament,
}

/// All presets, those of a group side by side.
#[must_use]
pub fn presets() -> Vec<Preset> {
    let all = [of_vivant(), when_to_blink(), how_to_blink(), how_long(), how_far(), heads(), impressions()];
    all.into_iter().flatten().collect()
}

/// Returns a preset by its name, without regard to case.
///
/// # Errors
/// If there is no such preset, with the name that was probably meant.
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

fn of_vivant() -> Vec<Preset> {
    let usual = ("Natural", Temperament::default(), "As measured in people; what Vivant begins with");
    let still = ("Still", Temperament::still(), "Looks where it is told, to the point, and does not blink");
    group("Vivant", [usual, still], |temperament| temperament)
}

/// Paper 2, section 5.4.2: naturalness from 0 to 100, ten people; trends only.
fn when_to_blink() -> Vec<Preset> {
    use BlinkStrategy::{GazeEvoked, None, ProbabilisticGazeEvoked, Regular, RegularProbabilistic};
    let conditions = [
        ("NB", None, "No blinks: naturalness 48 of 100 (Peters & Qureshi 2010; trends only)"),
        ("RU", Regular, "Every 3 s, whatever the eyes do: 58 of 100"),
        ("GE", GazeEvoked, "With every gaze shift: 44 of 100"),
        ("PGE", ProbabilisticGazeEvoked, "With gaze shifts, the likelier the larger: 50 of 100"),
        ("R+PGE", RegularProbabilistic, "Every 3 s, and with large gaze shifts: 57 of 100"),
    ];
    group("When it blinks", conditions, |blinks| Temperament { blinks, ..Temperament::peters(0.5) })
}

/// Paper 3, Table II: naturalness from 1 to 7; paper 1, section 5: realism against motion capture.
fn how_to_blink() -> Vec<Preset> {
    use BlinkProfile::{AsymmetricEase, AsymmetricLinear, Evinger, SymmetricEase, SymmetricLinear};
    let conditions = [
        (
            "Model",
            Evinger,
            "Lids as measured: 89 % as real as motion capture (Steptoe 2010); profiles like it 4.57 of 7 (Trutoiu 2011)",
        ),
        ("Asymmetric ease", AsymmetricEase, "Eased, faster down than up: 4.28 of 7 (Trutoiu 2011)"),
        ("Symmetric ease", SymmetricEase, "Eased, down and up alike: 4.04 of 7"),
        ("Asymmetric linear", AsymmetricLinear, "At constant speed, faster down than up: 3.92 of 7"),
        (
            "Linear",
            SymmetricLinear,
            "At constant speed, down and up alike: 3.73 of 7; 47 % as real as motion capture (Steptoe 2010)",
        ),
    ];
    let full = Temperament { partial_blinks: 0.0, ..Temperament::default() };
    group("How lids move", conditions, |blink_profile| Temperament { blink_profile, ..full })
}

/// Paper 3, Table II: blinks of 7, 9, 11 and 13 frames at 30 Hz.
fn how_long() -> Vec<Preset> {
    let conditions = [
        ("7 frames", 7.0, "0.23 s a blink: 4.46 of 7, and best for cartoon characters (Trutoiu 2011)"),
        ("9 frames", 9.0, "0.30 s a blink: 4.47 of 7, and best for photoreal characters"),
        ("11 frames", 11.0, "0.37 s a blink: 3.94 of 7"),
        ("13 frames", 13.0, "0.43 s a blink: 3.57 of 7"),
    ];
    // From eyes that look ahead, in the median.
    let usual_secs = Blink::new(CLOSING_DEG).duration_secs() / SPONTANEOUS_TEMPO;
    group("How long blinks take", conditions, |frames| Temperament {
        lid_tempo: usual_secs / (frames / 30.0),
        partial_blinks: 0.0,
        ..Temperament::default()
    })
}

/// Paper 3, Table I: eyes that close against eyes that nearly do.
fn how_far() -> Vec<Preset> {
    let conditions = [
        ("Full", 0.0, "Every blink closes the eyes: 4.46 of 7 (Trutoiu 2011)"),
        ("As people do", 0.53, "About half of the blinks are partial (Ousler 2014): 3.93 of 7"),
    ];
    group("How far eyes close", conditions, |partial_blinks| Temperament {
        partial_blinks,
        ..Temperament::default()
    })
}

/// Paper 2, section 5.5: naturalness from 0 to 100, by the head's share of a shift of 18°.
fn heads() -> Vec<Preset> {
    let conditions = [
        ("HMF 0", 0.0, "The eyes do it all: naturalness 35 of 100 (Peters & Qureshi 2010)"),
        ("HMF 0.25", 0.25, "A little of the head: 41 of 100"),
        ("HMF 0.5", 0.5, "Half and half: 48 of 100"),
        ("HMF 0.75", 0.75, "Mostly the head: 50 of 100, the most natural"),
        ("HMF 1", 1.0, "The head does it all: 43 of 100"),
    ];
    group("How much the head moves", conditions, Temperament::peters)
}

/// Takashima 2008: how often an avatar blinks, and what people think of it.
fn impressions() -> Vec<Preset> {
    let conditions = [
        ("Intelligent", 9.0, "9 blinks a minute seem intelligent (Takashima 2008)"),
        ("Friendly", 18.0, "18 blinks a minute seem friendliest"),
        ("Inactive", 36.0, "36 blinks a minute seem inactive"),
    ];
    group("What impression it makes", conditions, |rate| Temperament {
        blinks_per_minute: Some(rate),
        ..Temperament::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_has_a_name_of_its_own_and_numbers_in_range() {
        let all = presets();
        for (index, preset) in all.iter().enumerate() {
            assert_eq!(preset.temperament, preset.temperament.sound(), "{}", preset.name);
            let is_it = |other: &Preset| (other.group, other.name) == (preset.group, preset.name);
            assert_eq!(all.iter().position(is_it), Some(index), "{}", preset.name);
        }
    }

    #[test]
    fn presets_of_a_group_differ_in_one_thing() {
        let same = |a: &Temperament, b: &Temperament, group: &str| match group {
            "When it blinks" => Temperament { blinks: b.blinks, ..*a } == *b,
            "How lids move" => Temperament { blink_profile: b.blink_profile, ..*a } == *b,
            "How long blinks take" => Temperament { lid_tempo: b.lid_tempo, ..*a } == *b,
            "How far eyes close" => Temperament { partial_blinks: b.partial_blinks, ..*a } == *b,
            "How much the head moves" => {
                Temperament { head_movement_factor: b.head_movement_factor, ..*a } == *b
            }
            "What impression it makes" => Temperament { blinks_per_minute: b.blinks_per_minute, ..*a } == *b,
            _ => group == "Vivant",
        };
        let all = presets();
        for pair in all.windows(2).filter(|pair| pair[0].group == pair[1].group) {
            assert_ne!(pair[0].temperament, pair[1].temperament);
            assert!(same(&pair[0].temperament, &pair[1].temperament, pair[0].group), "{}", pair[1].name);
        }
    }

    #[test]
    fn blinks_take_as_many_frames_as_their_preset_says() {
        let all = presets();
        for (name, secs) in [("7 frames", 7.0 / 30.0), ("9 frames", 0.3), ("13 frames", 13.0 / 30.0)] {
            let preset = all.iter().find(|preset| preset.name == name).unwrap();
            let tempo = preset.temperament.lid_tempo * SPONTANEOUS_TEMPO;
            let blink = Blink::between([CLOSING_DEG; 2], BlinkProfile::Evinger, None, tempo);
            assert!((blink.duration_secs() - secs).abs() < 1e-9, "{name}: {} s", blink.duration_secs());
        }
    }
}
