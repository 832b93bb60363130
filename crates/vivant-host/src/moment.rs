//! Moments of a performance, recorded for a file.
//!
//! A performer returns one frame at a time and stores no frames. To export a performance, create a [`Moment`] after
//! each step and make a clip from all moments with [`clip_of`]. The module `bake` writes the clip to a file.

use vivant::clip::Clip;
use vivant::performer::Performer;
use vivant::pose::Pose;
use vivant::rig::Rig;
use vivant_io::Result;

/// The state of a performer at one time.
#[derive(Clone, Debug, Default)]
pub struct Moment {
    /// The pose of the body.
    pub pose: Pose,
    /// Expression weights, in the order of the rig's channels.
    pub weights: Vec<f32>,
    /// True if the eyes are on the target of attention; `None` if there is no target.
    pub looks: Option<bool>,
}

impl Moment {
    /// Returns the current state of a performer.
    #[must_use]
    pub fn of(performer: &Performer) -> Self {
        let frame = performer.frame();
        Self { pose: frame.pose(), weights: frame.weights().to_vec(), looks: performer.is_attending() }
    }
}

/// Returns for each moment whether the eyes are on the target of attention. The result is empty unless this is known
/// for all moments.
#[must_use]
pub fn looks_of(moments: &[Moment]) -> Vec<bool> {
    moments.iter().map(|moment| moment.looks).collect::<Option<_>>().unwrap_or_default()
}

/// Makes a clip from moments at a constant rate in Hz.
///
/// # Errors
/// If there are more moments than a clip can hold.
pub fn clip_of(name: &str, rig: &Rig, rate: f64, moments: &[Moment]) -> Result<Clip> {
    let mut clip = Clip::new(name, rate, moments.len(), rig.hips_height())?;
    for (frame, moment) in moments.iter().enumerate() {
        for bone in rig.bones().iter() {
            clip.set_rotation(frame, bone, moment.pose.rotations.get(bone));
        }
        clip.set_root(frame, moment.pose.root);
    }
    for (index, channel) in rig.channels().iter().enumerate() {
        let weights: Vec<f32> = moments.iter().map(|m| m.weights[index]).collect();
        // An expression that is never used needs no track.
        if weights.iter().any(|w| *w != 0.0) {
            clip.add_channel(channel.clone(), &weights)?;
        }
    }
    Ok(clip)
}
