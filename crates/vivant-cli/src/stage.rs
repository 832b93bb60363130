//! The character given on the command line, and its performance.

use crate::args::Cast;
use crate::character::{self, Character};
use crate::fault::Result;
use crate::report::Progress;
use std::sync::Arc;
use vivant::eyes::Temperament;
use vivant::rig::Rig;
use vivant_host::imported::ImportedFile;
use vivant_host::{Hosted, Role};
use vivant_io::{Error, Warning};

pub(crate) use vivant_host::moment::{Moment, clip_of, looks_of};

/// A performance, and the avatar that is used for exported files.
pub(crate) struct Stage {
    pub(crate) avatar: Arc<ImportedFile>,
    pub(crate) rig: Rig,
    pub(crate) performance: Hosted,
}

impl Stage {
    /// Reads the character and starts its performance. The same seed gives the same performance.
    pub(crate) fn set(cast: &Cast, warnings: &mut Vec<Warning>) -> Result<Self> {
        Self::with(&cast_character(cast)?, cast, warnings)
    }

    pub(crate) fn with(character: &Character, cast: &Cast, warnings: &mut Vec<Warning>) -> Result<Self> {
        let _progress = Progress::spinner("fitting clips to the avatar");
        let performance = Hosted::of_character(character, &role(cast, character))?;
        warnings.extend_from_slice(performance.warnings());
        let no_file = || Error::new("this avatar has no file to add the motion to; choose an avatar file");
        let avatar = character.avatar.file().cloned().ok_or_else(no_file)?;
        Ok(Self { avatar, rig: character.avatar.rig().clone(), performance })
    }

    /// Returns the state of the performance at the given time in seconds. The time must not decrease between calls.
    pub(crate) fn advance_to(&mut self, seconds: f64) -> Moment {
        self.performance.advance_to(seconds);
        Moment::of(self.performance.performer())
    }
}

/// Reads the character given on the command line: a folder, or an avatar file with or without clips.
pub(crate) fn cast_character(cast: &Cast) -> Result<Character> {
    if let Some(path) = &cast.character {
        return character::load_or_wrap_avatar(path);
    }
    let _progress = Progress::spinner(format!("reading {}", cast.avatar.display()));
    Character::of_files(&cast.avatar, &cast.clips)
}

/// Returns the settings at the start of the performance.
fn role(cast: &Cast, character: &Character) -> Role {
    let is_alive = cast.liveliness > 0.0;
    let own = character.temperament;
    let temperament = Temperament { liveliness: cast.liveliness * own.liveliness, ..own };
    // Without a repertoire, the character can only play its clips by itself.
    let unasked = is_alive || character.motions.repertoire().is_none();
    Role { seed: cast.seed, temperament, unasked, lives: is_alive, attend: cast.attend }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivant::rig::Bone;
    use vivant_host::Motions;

    fn cast(seed: u64, liveliness: f64) -> Cast {
        let (avatar, clips) = ("builtin".into(), Vec::new());
        Cast { character: None, avatar, clips, seed, liveliness, attend: None }
    }

    fn performed(seed: u64, rate: f64, frames: usize, liveliness: f64) -> Vec<Moment> {
        advanced(Stage::set(&cast(seed, liveliness), &mut Vec::new()).unwrap(), rate, frames)
    }

    fn advanced(mut stage: Stage, rate: f64, frames: usize) -> Vec<Moment> {
        (0..frames).map(|frame| stage.advance_to(frame as f64 / rate)).collect()
    }

    #[test]
    fn the_same_seed_gives_the_same_performance_at_any_rate() {
        let (slow, fast) = (performed(3, 30.0, 900, 1.0), performed(3, 60.0, 1799, 1.0));
        for (frame, moment) in slow.iter().enumerate() {
            assert_eq!(moment.pose, fast[frame * 2].pose, "frame {frame}");
            assert_eq!(moment.weights, fast[frame * 2].weights, "frame {frame}");
        }
        let other = performed(4, 30.0, 900, 1.0);
        assert!(slow.iter().zip(&other).any(|(a, b)| a.pose != b.pose));
    }

    /// Feet do not slide when the weight shifts from leg to leg. Recorded clips start at the origin; with such clips,
    /// feet move slightly when the hips turn.
    #[test]
    fn feet_stay_where_they_stand() {
        let built_in = Character::built_in();
        let (repertoire, clips) = (built_in.motions.repertoire().unwrap(), built_in.motions.clips().unwrap());
        let clips = clips.iter().map(|(name, clip)| (name.clone(), Arc::new(clip.anchored()))).collect();
        let motions = Motions::of_parts(repertoire.clone(), clips);
        let recorded = Character { motions, ..built_in.clone() };
        for (character, most_m) in [(built_in, 0.002), (recorded, 0.02)] {
            let stage = Stage::with(&character, &cast(1, 1.0), &mut Vec::new()).unwrap();
            let rig = stage.rig.clone();
            let feet: Vec<_> = advanced(stage, 30.0, 9000).iter().map(|m| feet(&rig, m)).collect();
            for (frame, places) in feet.iter().enumerate() {
                let off = [0, 1].map(|foot| (places[foot] - feet[0][foot]).length());
                assert!(off.iter().all(|off| *off < most_m), "frame {frame}: {off:?} m off");
            }
        }
    }

    fn feet(rig: &Rig, moment: &Moment) -> [glam::Vec3A; 2] {
        let places = moment.pose.model_transforms(rig);
        [Bone::LeftFoot, Bone::RightFoot].map(|foot| places[foot.index()].translation)
    }

    #[test]
    fn the_character_blinks_and_looks_around_unless_liveliness_is_zero() {
        let rig = vivant_mannequin::rig();
        let blink = rig.channels().iter().position(|c| c.name() == "blinkLeft").unwrap();
        let blinks = |liveliness: f64| {
            let moments = performed(1, 60.0, 1800, liveliness);
            let closed = moments.iter().filter(|moment| moment.weights[blink] > 0.8).count();
            let eyes = moments.iter().map(|m| m.pose.rotations.get(Bone::LeftEye).w).fold(1.0, f32::min);
            (closed, eyes)
        };
        let (closed, eyes) = blinks(1.0);
        assert!(closed > 5 && eyes < 0.9999, "{closed} frames closed, eyes turned to {eyes}");
        assert_eq!(blinks(0.0).0, 0, "a still character does not blink");
    }

    #[test]
    fn a_performance_becomes_a_clip_with_the_expressions_that_were_shown() {
        let (rig, moments) = (vivant_mannequin::rig(), performed(1, 30.0, 900, 1.0));
        let clip = clip_of("show", &rig, 30.0, &moments).unwrap();
        assert_eq!(clip.frames(), 900);
        assert!(!clip.channels().is_empty() && clip.channels().len() < rig.channels().len());
    }
}
