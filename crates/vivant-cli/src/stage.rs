//! A performer at work: the only file here that knows how the engine is driven.

use crate::args::Cast;
use crate::fault::Result;
use vivant::body::layers::Layer;
use vivant::body::library::Library;
use vivant::clip::Clip;
use vivant::eyes::{Target, Temperament};
use vivant::performer::Performer;
use vivant::pose::Pose;
use vivant::rig::{Bone, Rig};

/// An instant of a performance, kept for a file or for the page.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) pose: Pose,
    /// In the order of the rig's channels.
    pub(crate) weights: Vec<f32>,
    pub(crate) playing: Option<Playing>,
}

/// Which clip plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Playing {
    /// Its index among the stage's clips.
    pub(crate) clip: usize,
    /// When it began, in seconds of the performance.
    pub(crate) since: f64,
}

/// An avatar that improvises with its clips, with living eyes.
pub(crate) struct Stage(Performer);

impl Stage {
    /// The same seed gives the same performance.
    pub(crate) fn new(rig: &Rig, clips: &[Clip], cast: &Cast) -> Self {
        let library = Library::new(rig.clone(), Pose::neutral(rig), clips);
        let mut performer = Performer::new(library, cast.seed);
        performer.improvise(0.0);
        if cast.liveliness > 0.0 {
            let temperament = Temperament { liveliness: cast.liveliness, ..Temperament::default() };
            let eyes = performer.eyes();
            eyes.set_temperament(0.0, temperament);
            eyes.attend(0.0, Target::Point(cast.attend.unwrap_or_else(|| someone_ahead(rig))));
            eyes.live(0.0);
        }
        Self(performer)
    }

    /// The performance at a time in seconds, which never goes back.
    pub(crate) fn advance_to(&mut self, seconds: f64) -> Moment {
        let frame = self.0.advance_to(seconds);
        let (pose, weights) = (frame.pose(), frame.weights().to_vec());
        let playing = self.0.playing(Layer::Body).map(|(clip, since)| Playing { clip, since });
        Moment { pose, weights, playing }
    }
}

/// Where the eyes are of someone of the same height, who stands two metres ahead.
fn someone_ahead(rig: &Rig) -> [f64; 3] {
    let eyes = rig.rest_position(Bone::Head) + rig.look_at().offset_from_head;
    [0.0, f64::from(eyes.y), 2.0]
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

    fn performed(seed: u64, rate: f64, frames: usize, liveliness: f64) -> Vec<Moment> {
        let cast = Cast { avatar: "builtin".into(), clips: Vec::new(), seed, liveliness, attend: None };
        let mut stage = Stage::new(&vivant_mannequin::rig(), &vivant_mannequin::starter_clips(), &cast);
        (0..frames).map(|frame| stage.advance_to(frame as f64 / rate)).collect()
    }

    #[test]
    fn a_seed_is_a_performance_at_any_rate() {
        let (slow, fast) = (performed(3, 30.0, 900, 1.0), performed(3, 60.0, 1799, 1.0));
        for (frame, moment) in slow.iter().enumerate() {
            assert_eq!(moment.pose, fast[frame * 2].pose, "frame {frame}");
            assert_eq!(moment.weights, fast[frame * 2].weights, "frame {frame}");
            assert_eq!(moment.playing, fast[frame * 2].playing, "frame {frame}");
        }
        let other = performed(4, 30.0, 900, 1.0);
        assert!(slow.iter().zip(&other).any(|(a, b)| a.playing != b.playing));
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
