//! A performer at work: the only file here that knows how the engine is driven.

use crate::args::Cast;
use crate::character::Character;
use crate::fault::Result;
use crate::material::{Material, clips_for, fitted};
use std::sync::Arc;
use vivant::body::library::Library;
use vivant::clip::Clip;
use vivant::eyes::{Learned, Temperament};
use vivant::intent::Intent;
use vivant::performer::Performer;
use vivant::pose::Pose;
use vivant::rig::Rig;
use vivant_host::Role;
use vivant_io::{Warning, WarningCode};

/// An instant of a performance, kept for a file or for the page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moment {
    pub(crate) pose: Pose,
    /// In the order of the rig's channels.
    pub(crate) weights: Vec<f32>,
    /// Whether the eyes are on whom they attend to, if there are any.
    pub(crate) looks: Option<bool>,
}

/// A character at work, with living eyes.
pub(crate) struct Stage {
    performer: Performer,
}

/// Who is on stage: the avatar, for writing files, and the performance.
pub(crate) struct Cue {
    pub(crate) avatar: Material,
    pub(crate) rig: Rig,
    pub(crate) stage: Stage,
}

impl Stage {
    /// Sets the stage as the command line says.
    pub(crate) fn set(cast: &Cast, warnings: &mut Vec<Warning>) -> Result<Cue> {
        if let Some(path) = &cast.character {
            return Self::with_character(Character::load_or_dress(path)?, cast, warnings);
        }
        let mut avatar = Material::load(&cast.avatar)?;
        let rig = avatar.require_rig()?.clone();
        warnings.extend(avatar.take_warnings());
        if cast.clips.is_empty() && (avatar.is_built_in() || avatar.clips.is_empty()) {
            return Self::with_character(Character { avatar, ..Character::built_in() }, cast, warnings);
        }
        let clips = clips_for(&avatar, &cast.clips, warnings)?;
        let clips: Vec<Clip> = clips.iter().map(|clip| fitted(clip, &rig, warnings)).collect();
        let stage = Self::improvising(&rig, &clips, cast);
        Ok(Cue { avatar, rig, stage })
    }

    /// A character that plans with its repertoire. The same seed gives the same performance.
    fn with_character(mut character: Character, cast: &Cast, warnings: &mut Vec<Warning>) -> Result<Cue> {
        warnings.append(&mut character.warnings);
        let rig = character.avatar.require_rig()?.clone();
        let library = character.library(&rig, warnings)?;
        let behaviour = Some(Arc::new(character.behaviour));
        let who = vivant_host::Cast { library: Arc::new(library), behaviour, learned: character.learned };
        let stage = Self { performer: who.performer(&role(cast, character.temperament)) };
        Ok(Cue { avatar: character.avatar, rig, stage })
    }

    /// An avatar that plays one clip after another.
    pub(crate) fn improvising(rig: &Rig, clips: &[Clip], cast: &Cast) -> Self {
        let library = Arc::new(Library::new(rig.clone(), Pose::neutral(rig), clips));
        let who = vivant_host::Cast { library, behaviour: None, learned: Learned::default() };
        Self { performer: who.performer(&Role { unasked: true, ..role(cast, Temperament::default()) }) }
    }

    /// Has another temperament than its own, from the beginning.
    pub(crate) fn temper(&mut self, temperament: Temperament) {
        self.performer.eyes().set_temperament(0.0, temperament);
    }

    /// Asks for something.
    pub(crate) fn intend(&mut self, intent: &Intent) -> vivant::Result<()> {
        self.performer.intend(intent).map(drop)
    }

    /// Lets it say something; what of it cannot be done is told.
    pub(crate) fn say(&mut self, say: &Intent) -> vivant::Result<Vec<Warning>> {
        self.intend(say)?;
        let warning = |remark| Warning::new(WarningCode::CannotShow, "text", remark);
        Ok(self.performer.take_remarks().into_iter().map(warning).collect())
    }

    /// The performance at a time in seconds, which never goes back.
    pub(crate) fn advance_to(&mut self, seconds: f64) -> Moment {
        self.performer.advance_to(seconds);
        Moment::of(&self.performer)
    }
}

/// How it begins, as the command line says.
fn role(cast: &Cast, temper: Temperament) -> Role {
    let is_alive = cast.liveliness > 0.0;
    let temperament = Temperament { liveliness: cast.liveliness * temper.liveliness, ..temper };
    Role { seed: cast.seed, temperament, unasked: is_alive, lives: is_alive, attend: cast.attend }
}

impl Moment {
    pub(crate) fn of(performer: &Performer) -> Self {
        let frame = performer.frame();
        Self { pose: frame.pose(), weights: frame.weights().to_vec(), looks: performer.attends() }
    }
}

/// Whether the eyes are on whom they attend to, moment by moment; nothing if that is not known of all.
pub(crate) fn looks_of(moments: &[Moment]) -> Vec<bool> {
    moments.iter().map(|moment| moment.looks).collect::<Option<_>>().unwrap_or_default()
}

/// Moments at a constant rate as a clip.
pub(crate) fn clip_of(name: &str, rig: &Rig, rate: f64, moments: &[Moment]) -> Result<Clip> {
    let mut clip = Clip::new(name, rate, moments.len(), rig.hips_height())?;
    for (frame, moment) in moments.iter().enumerate() {
        for bone in rig.bones().iter() {
            clip.set_rotation(frame, bone, moment.pose.rotations.get(bone));
        }
        clip.set_root(frame, moment.pose.root);
    }
    for (index, channel) in rig.channels().iter().enumerate() {
        let weights: Vec<f32> = moments.iter().map(|m| m.weights[index]).collect();
        // An expression that is never shown needs no track.
        if weights.iter().any(|w| *w != 0.0) {
            clip.add_channel(channel.clone(), &weights)?;
        }
    }
    Ok(clip)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivant::rig::Bone;

    fn cast(seed: u64, liveliness: f64) -> Cast {
        let (avatar, clips) = ("builtin".into(), Vec::new());
        Cast { character: None, avatar, clips, seed, liveliness, attend: None }
    }

    fn performed(seed: u64, rate: f64, frames: usize, liveliness: f64) -> Vec<Moment> {
        advanced(Stage::set(&cast(seed, liveliness), &mut Vec::new()).unwrap().stage, rate, frames)
    }

    fn advanced(mut stage: Stage, rate: f64, frames: usize) -> Vec<Moment> {
        (0..frames).map(|frame| stage.advance_to(frame as f64 / rate)).collect()
    }

    #[test]
    fn a_seed_is_a_performance_at_any_rate() {
        let (slow, fast) = (performed(3, 30.0, 900, 1.0), performed(3, 60.0, 1799, 1.0));
        for (frame, moment) in slow.iter().enumerate() {
            assert_eq!(moment.pose, fast[frame * 2].pose, "frame {frame}");
            assert_eq!(moment.weights, fast[frame * 2].weights, "frame {frame}");
        }
        let other = performed(4, 30.0, 900, 1.0);
        assert!(slow.iter().zip(&other).any(|(a, b)| a.pose != b.pose));
    }

    /// Nobody who shifts weight from leg to leg slides over the floor, also where clips begin at the origin
    /// as recordings do: hips that turn there by some degrees are all that is left.
    #[test]
    fn feet_stay_where_they_stand() {
        let mut recorded = Character::built_in();
        recorded.clips.values_mut().for_each(|clip| *clip = clip.anchored());
        for (character, most_m) in [(Character::built_in(), 0.002), (recorded, 0.02)] {
            let cue = Stage::with_character(character, &cast(1, 1.0), &mut Vec::new()).unwrap();
            let feet: Vec<_> = advanced(cue.stage, 30.0, 9000).iter().map(|m| feet(&cue.rig, m)).collect();
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
    fn the_character_blinks_and_looks_about_unless_it_is_told_to_be_still() {
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
