//! Recorded motion in humanoid space, sampled at a constant rate.
//!
//! A clip is independent of the avatar that plays it: rotations are relative to the T-pose. A clip also stores the hips
//! height of the character that it was made for, so that root motion can be scaled. [`Clip::sample`] interpolates
//! without allocating.
//!
//! ```
//! use vivant::{clip::Clip, pose::Pose, rig::Bone};
//! use glam::Quat;
//!
//! let mut nod = Clip::new("nod", 30.0, 31, 1.0)?;
//! for frame in 0..nod.frames() {
//!     nod.set_rotation(frame, Bone::Head, Quat::from_rotation_x(0.01 * frame as f32));
//! }
//! let mut pose = Pose::default();
//! nod.sample(0.5, &mut pose, &mut []);
//! assert!((pose.rotations.get(Bone::Head).x - 0.15_f32.sin() / 2.0).abs() < 0.01);
//! # Ok::<(), vivant::Error>(())
//! ```

use crate::error::{Error, Result};
use crate::math::atan2_32;
use crate::pose::{LANES, Pose, Rotations};
use crate::rig::{Bone, BoneSet, Channel, Rig};
use glam::{Quat, Vec3};

/// A motion of a humanoid.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    name: String,
    rate: f64,
    hips_height: f32,
    bones: BoneSet,
    rotations: Vec<Rotations>,
    roots: Vec<Vec3>,
    channels: Vec<Channel>,
    weights: Vec<f32>,
}

impl Clip {
    /// Maximum length in frames: one hour at 120 frames per second.
    pub const MAX_FRAMES: usize = 432_000;
    /// Maximum number of expression channels.
    pub const MAX_CHANNELS: usize = 1024;

    /// Creates a clip without motion: rotations at identity, the hips at `hips_height`.
    ///
    /// `rate` is in frames per second; `hips_height` is the hips height, in metres, of the character that the clip
    /// was made for.
    ///
    /// # Errors
    /// If the rate or the height is not a positive number, or if `frames` is 0 or greater than [`Clip::MAX_FRAMES`].
    pub fn new(name: impl Into<String>, rate: f64, frames: usize, hips_height: f32) -> Result<Self> {
        let name = name.into();
        let bad = |what: String| Err(Error::clip(&name, what));
        if !(rate.is_finite() && rate > 0.0) {
            return bad(format!("the frame rate is {rate}; it must be above zero"));
        }
        if frames == 0 || frames > Self::MAX_FRAMES {
            return bad(format!("it has {frames} frames; 1 to {} are allowed", Self::MAX_FRAMES));
        }
        if !(hips_height.is_finite() && hips_height > 0.0) {
            return bad(format!("the hips height is {hips_height} m; it must be above zero"));
        }
        Ok(Self {
            name,
            rate,
            hips_height,
            bones: BoneSet::EMPTY,
            rotations: vec![Rotations::IDENTITY; frames],
            roots: vec![Vec3::Y * hips_height; frames],
            channels: Vec::new(),
            weights: Vec::new(),
        })
    }

    /// Name of the clip.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Renames the clip.
    pub fn set_name(&mut self, name: impl Into<String>) {
        self.name = name.into();
    }

    /// Frames per second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// Number of frames; at least one.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.rotations.len()
    }

    /// Duration from the first frame to the last, in seconds.
    #[must_use]
    pub fn duration(&self) -> f64 {
        (self.frames() - 1) as f64 / self.rate
    }

    /// Hips height, in metres, of the character that the clip was made for.
    #[must_use]
    pub fn hips_height(&self) -> f32 {
        self.hips_height
    }

    /// Bones that the clip moves.
    #[must_use]
    pub fn bones(&self) -> BoneSet {
        self.bones
    }

    /// Expressions that the clip moves.
    #[must_use]
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Returns a bone's local rotation at a frame.
    #[must_use]
    pub fn rotation(&self, frame: usize, bone: Bone) -> Quat {
        self.rotations[frame].get(bone)
    }

    /// Returns all local rotations at a frame.
    #[must_use]
    pub fn rotations(&self, frame: usize) -> &Rotations {
        &self.rotations[frame]
    }

    /// Returns the hips position at a frame, in metres.
    #[must_use]
    pub fn root(&self, frame: usize) -> Vec3 {
        self.roots[frame]
    }

    /// Returns the expression weights at a frame, in the order of [`Clip::channels`].
    #[must_use]
    pub fn weights(&self, frame: usize) -> &[f32] {
        let width = self.channels.len();
        &self.weights[frame * width..][..width]
    }

    /// Sets a bone's local rotation at a frame. Set frames in order.
    ///
    /// The quaternion is stored in the hemisphere of the previous frame, so that sampling always interpolates along
    /// the shorter rotation without a check. Invalid rotations (non-finite or zero) are stored as identity.
    pub fn set_rotation(&mut self, frame: usize, bone: Bone, rotation: Quat) {
        self.bones.insert(bone);
        let length = rotation.length_squared();
        let sane = length.is_finite() && length > 1e-12;
        let unit = if sane { rotation.normalize() } else { Quat::IDENTITY };
        let before = self.rotations[frame.saturating_sub(1)].get(bone);
        self.rotations[frame].set(bone, if before.dot(unit) < 0.0 { -unit } else { unit });
    }

    /// Sets the hips position at a frame, in metres. A non-finite position is replaced by the rest position of the
    /// hips.
    pub fn set_root(&mut self, frame: usize, root: Vec3) {
        self.roots[frame] = if root.is_finite() { root } else { Vec3::Y * self.hips_height };
    }

    /// Adds an expression with one weight per frame. If the channel already exists, the greater of the two weights is
    /// kept in each frame.
    ///
    /// # Errors
    /// If the number of weights differs from the number of frames, or if there are more than [`Clip::MAX_CHANNELS`]
    /// channels.
    pub fn add_channel(&mut self, channel: Channel, weights: &[f32]) -> Result<()> {
        let bad = |what: String| Err(Error::clip(&self.name, what));
        if weights.len() != self.frames() {
            let (found, name) = (weights.len(), channel.name());
            return bad(format!(
                "{name} has {found} weights for {} frames; give one per frame",
                self.frames()
            ));
        }
        let sane = |w: f32| if w.is_finite() { w } else { 0.0 };
        if let Some(column) = self.channels.iter().position(|c| *c == channel) {
            let width = self.channels.len();
            for (frame, &weight) in weights.iter().enumerate() {
                let slot = &mut self.weights[frame * width + column];
                *slot = slot.max(sane(weight));
            }
            return Ok(());
        }
        if self.channels.len() == Self::MAX_CHANNELS {
            return bad(format!("at most {} expressions are allowed", Self::MAX_CHANNELS));
        }
        let width = self.channels.len();
        let mut wider = Vec::with_capacity(self.frames() * (width + 1));
        for (frame, &weight) in weights.iter().enumerate() {
            wider.extend_from_slice(&self.weights[frame * width..][..width]);
            wider.push(sane(weight));
        }
        self.weights = wider;
        self.channels.push(channel);
        Ok(())
    }

    /// Writes the pose at `seconds` of clip time to `pose`. Times outside the clip give its first or last frame.
    /// Expression weights are written to the front of `weights`, as many as fit.
    pub fn sample(&self, seconds: f64, pose: &mut Pose, weights: &mut [f32]) {
        let Cursor { frame, next, fraction } = Cursor::at(seconds, self.rate, self.frames());
        let (a, b) = (&self.rotations[frame], &self.rotations[next]);
        let out = &mut pose.rotations;
        for i in 0..LANES {
            let x = a.x[i] + fraction * (b.x[i] - a.x[i]);
            let y = a.y[i] + fraction * (b.y[i] - a.y[i]);
            let z = a.z[i] + fraction * (b.z[i] - a.z[i]);
            let w = a.w[i] + fraction * (b.w[i] - a.w[i]);
            let scale = 1.0 / (x * x + y * y + z * z + w * w).sqrt();
            (out.x[i], out.y[i], out.z[i], out.w[i]) = (x * scale, y * scale, z * scale, w * scale);
        }
        pose.root = self.roots[frame] + (self.roots[next] - self.roots[frame]) * fraction;
        for ((out, a), b) in weights.iter_mut().zip(self.weights(frame)).zip(self.weights(next)) {
            *out = a + fraction * (b - a);
        }
    }

    /// Returns the same motion at another rate, interpolated by slerp. The duration changes by less than one frame.
    ///
    /// # Errors
    /// If the rate is not above zero, or if the clip would be longer than [`Clip::MAX_FRAMES`].
    pub fn resampled(&self, rate: f64) -> Result<Self> {
        let frames = if rate > 0.0 && rate.is_finite() {
            ((self.duration() * rate + 1e-6) as usize).saturating_add(1)
        } else {
            0
        };
        let mut out = Self::new(self.name.clone(), rate, frames, self.hips_height)?;
        let mut columns = vec![Vec::with_capacity(frames); self.channels.len()];
        for to in 0..frames {
            let seconds = to as f64 / rate;
            let Cursor { frame, next, fraction } = Cursor::at(seconds, self.rate, self.frames());
            for bone in self.bones.iter() {
                let between = self.rotation(frame, bone).slerp(self.rotation(next, bone), fraction);
                out.set_rotation(to, bone, between);
            }
            out.set_root(to, self.roots[frame].lerp(self.roots[next], fraction));
            for (i, column) in columns.iter_mut().enumerate() {
                let (a, b) = (self.weights(frame)[i], self.weights(next)[i]);
                column.push(a + fraction * (b - a));
            }
        }
        for (channel, column) in self.channels.iter().zip(&columns) {
            out.add_channel(channel.clone(), column)?;
        }
        Ok(out)
    }
}

impl Clip {
    /// Adapts the clip to an avatar. Also returns the expressions that the avatar cannot show.
    ///
    /// - The rotation of a bone that the avatar lacks is merged into its children, so that every bone the avatar has
    ///   keeps its direction in space. (A missing fingertip has no children; its rotation is dropped.)
    /// - Root motion is scaled by the ratio of the hips heights.
    /// - Expressions are replaced by those of the rig, in the rig's order, as [`Rig::show`] maps them.
    #[must_use]
    pub fn fitted_to(&self, rig: &Rig) -> (Self, Vec<Channel>) {
        let mut out = Self { hips_height: rig.hips_height(), ..self.clone() };
        let missing = self.bones.minus(rig.bones());
        for bone in missing.iter() {
            out.merge_into_children(bone, rig);
        }
        out.bones = out.bones.intersection(rig.bones());
        let scale = rig.hips_height() / self.hips_height;
        for root in &mut out.roots {
            *root *= scale;
        }
        let lost = out.map_expressions(rig);
        (out, lost)
    }

    /// Returns the same motion, moved and turned so that it starts at the origin and faces +Z. Clips recorded at
    /// different places can then follow each other without the character sliding.
    #[must_use]
    pub fn anchored(&self) -> Self {
        self.anchored_at(0.0)
    }

    /// Returns the same motion, moved and turned so that it is at the origin and faces +Z at `seconds` of clip time.
    #[must_use]
    pub fn anchored_at(&self, seconds: f64) -> Self {
        let (start, heading) = self.position_and_heading(seconds);
        let turn = Quat::from_rotation_y(-heading);
        let mut out = self.clone();
        for frame in 0..self.frames() {
            out.roots[frame] = turn * (self.roots[frame] - start);
            if self.bones.contains(Bone::Hips) {
                out.set_rotation(frame, Bone::Hips, turn * self.rotation(frame, Bone::Hips));
            }
        }
        out
    }

    /// Returns the same motion, [anchored](Clip::anchored_at) at `seconds` if it was recorded far from the origin.
    /// Far means a distance of more than a quarter of the hips height, or a heading of more than 30° from +Z. Clips
    /// made for the origin stay unchanged, because a small offset, such as hips over one foot, is intended.
    #[must_use]
    pub fn anchored_if_far(&self, seconds: f64) -> Self {
        const STEP_OF_HEIGHT: f32 = 0.25;
        let (place, heading) = self.position_and_heading(seconds);
        let is_near = place.length() <= STEP_OF_HEIGHT * self.hips_height
            && heading.abs() <= std::f32::consts::FRAC_PI_6;
        if is_near { self.clone() } else { self.anchored_at(seconds) }
    }

    /// Translates the whole clip by an offset in metres.
    pub fn move_by(&mut self, offset: Vec3) {
        for root in &mut self.roots {
            *root += offset;
        }
    }

    /// Returns the ground position of the hips at `seconds` of clip time, and their heading in radians from +Z to +X.
    fn position_and_heading(&self, seconds: f64) -> (Vec3, f32) {
        let Cursor { frame, .. } = Cursor::at(seconds, self.rate, self.frames());
        let ahead = self.rotation(frame, Bone::Hips) * Vec3::Z;
        let place = Vec3::new(self.roots[frame].x, 0.0, self.roots[frame].z);
        (place, atan2_32(ahead.x, ahead.z))
    }

    /// Merges a bone's rotation into its children. If several bones in a row are missing, their rotations end up in
    /// the first bones that exist.
    fn merge_into_children(&mut self, bone: Bone, rig: &Rig) {
        let children: BoneSet = Bone::ALL.into_iter().filter(|b| b.parent() == Some(bone)).collect();
        for frame in 0..self.frames() {
            let above = self.rotations[frame].get(bone);
            for child in children.iter() {
                let merged = above * self.rotations[frame].get(child);
                self.set_rotation(frame, child, merged);
            }
            self.rotations[frame].set(bone, Quat::IDENTITY);
        }
        // A child that is missing and was not animated before must be merged in turn.
        for child in children.minus(rig.bones()).iter() {
            self.merge_into_children(child, rig);
        }
    }

    fn map_expressions(&mut self, rig: &Rig) -> Vec<Channel> {
        let shown: Vec<_> = self.channels.iter().map(|c| rig.show(c)).collect();
        let lost = self.channels.iter().zip(&shown).filter(|(_, s)| s.is_empty());
        let lost: Vec<Channel> = lost.map(|(c, _)| c.clone()).collect();
        let used: Vec<usize> = {
            let mut used: Vec<usize> = shown.iter().flatten().map(|(i, _)| *i).collect();
            used.sort_unstable();
            used.dedup();
            used
        };
        let mut weights = Vec::with_capacity(self.frames() * used.len());
        for frame in 0..self.frames() {
            let mut row = vec![0.0; used.len()];
            for (weight, targets) in self.weights(frame).iter().zip(&shown) {
                for (target, gain) in targets {
                    let column = used.partition_point(|u| u < target);
                    row[column] += weight * gain;
                }
            }
            weights.extend(row.into_iter().map(|w: f32| w.clamp(0.0, 1.0)));
        }
        self.channels = used.into_iter().map(|i| rig.channels()[i].clone()).collect();
        self.weights = weights;
        lost
    }
}

/// Two neighbouring frames and the interpolation fraction between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cursor {
    pub(crate) frame: usize,
    pub(crate) next: usize,
    pub(crate) fraction: f32,
}

impl Cursor {
    pub(crate) fn at(seconds: f64, rate: f64, frames: usize) -> Self {
        let last = frames - 1;
        let position = (seconds * rate).clamp(0.0, last as f64);
        let frame = (position as usize).min(last);
        let next = (frame + 1).min(last);
        Self { frame, next, fraction: (position - frame as f64) as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::angle_between;
    use crate::rig::{Expression, RigParts};

    fn turning(rate: f64, frames: usize) -> Clip {
        let mut clip = Clip::new("turning", rate, frames, 0.9).unwrap();
        for frame in 0..frames {
            // More than two full turns, so that quaternions change hemisphere.
            let angle = 13.0 * frame as f32 / (frames - 1) as f32;
            clip.set_rotation(frame, Bone::Head, Quat::from_rotation_y(angle));
            clip.set_root(frame, Vec3::new(angle, 0.9, 0.0));
        }
        let blink = Channel::from(Expression::from_name("blink").unwrap());
        let weights: Vec<f32> = (0..frames).map(|f| f as f32 / (frames - 1) as f32).collect();
        clip.add_channel(blink, &weights).unwrap();
        clip
    }

    #[test]
    fn samples_lie_on_the_motion() {
        let clip = turning(60.0, 121);
        let (mut pose, mut weights) = (Pose::default(), [0.0; 1]);
        for step in 0..=2000 {
            let seconds = f64::from(step) / 1000.0;
            clip.sample(seconds, &mut pose, &mut weights);
            let expected = Quat::from_rotation_y(6.5 * seconds as f32);
            assert!(angle_between(pose.rotations.get(Bone::Head), expected) < 2e-5, "at {seconds}");
            assert!((weights[0] - seconds as f32 / 2.0).abs() < 1e-5);
            assert!((pose.root.x - 6.5 * seconds as f32).abs() < 1e-4);
        }
    }

    #[test]
    fn both_ends_are_held() {
        let clip = turning(30.0, 61);
        let mut ends = [Pose::default(); 2];
        for (seconds, frame) in [(-1.0, 0), (f64::NEG_INFINITY, 0), (9.0, 60), (f64::INFINITY, 60)] {
            clip.sample(seconds, &mut ends[0], &mut []);
            assert!(
                angle_between(ends[0].rotations.get(Bone::Head), clip.rotation(frame, Bone::Head)) < 1e-6
            );
        }
    }

    #[test]
    fn resampling_to_a_multiple_and_back_is_lossless() {
        let clip = turning(30.0, 61);
        let back = clip.resampled(120.0).unwrap().resampled(30.0).unwrap();
        assert_eq!(back.frames(), clip.frames());
        for frame in 0..clip.frames() {
            assert!(angle_between(back.rotation(frame, Bone::Head), clip.rotation(frame, Bone::Head)) < 1e-6);
            assert!((back.weights(frame)[0] - clip.weights(frame)[0]).abs() < 1e-6);
        }
    }

    #[test]
    fn a_rig_with_fewer_bones_keeps_its_directions() {
        let everything = Rig::new(RigParts {
            rest_positions: Bone::ALL.map(|b| (b, Vec3::Y * (1.0 + b.index() as f32))).to_vec(),
            ..RigParts::default()
        });
        let few = [Bone::Hips, Bone::Spine, Bone::Head, Bone::LeftUpperArm, Bone::LeftHand];
        let rig = Rig::new(RigParts {
            rest_positions: few.map(|b| (b, Vec3::Y * (0.5 + b.index() as f32))).to_vec(),
            ..RigParts::default()
        });
        let mut clip = Clip::new("x", 30.0, 3, 1.0).unwrap();
        for frame in 0..3 {
            // The clip does not move the neck and the shoulder: rotations merged into them must go further down.
            for bone in BoneSet::ALL.minus([Bone::Neck, Bone::LeftShoulder].into_iter().collect()).iter() {
                let axis = Vec3::new(bone.index() as f32 - 20.0, 3.0, frame as f32).normalize();
                clip.set_rotation(frame, bone, Quat::from_axis_angle(axis, 0.4));
            }
        }
        let (fitted, _) = clip.fitted_to(&rig);
        assert!(fitted.bones().minus(rig.bones()).is_empty());
        let pose = |clip: &Clip| Pose { rotations: *clip.rotations(1), root: clip.root(1) };
        let (before, after) =
            (pose(&clip).model_transforms(&everything), pose(&fitted).model_transforms(&rig));
        for bone in few {
            let (a, b) = (before[bone.index()], after[bone.index()]);
            assert!((a.matrix3 - b.matrix3).to_cols_array().iter().all(|d| d.abs() < 1e-5), "{bone:?}");
        }
        assert!((fitted.root(0).y - 0.5).abs() < 1e-6);
    }

    #[test]
    fn only_clips_recorded_far_from_the_origin_are_anchored() {
        let at = |place: Vec3, degrees: f32| {
            let mut clip = Clip::new("shift", 30.0, 31, 0.9).unwrap();
            for frame in 0..31 {
                clip.set_rotation(frame, Bone::Hips, Quat::from_rotation_y(degrees.to_radians()));
                clip.set_root(frame, place + Vec3::X * 0.01 * frame as f32);
            }
            clip
        };
        // Weight on one foot or a slight turn to the side is intended.
        for (place, degrees) in [(Vec3::new(0.06, 0.9, 0.0), 0.0), (Vec3::new(0.1, 0.9, 0.1), 25.0)] {
            let clip = at(place, degrees);
            assert_eq!(clip.anchored_if_far(0.0), clip);
        }
        // A distant place or another direction is not intended. The clip is anchored at the given time, not at its
        // first frame.
        for (place, degrees) in [(Vec3::new(2.0, 0.9, -1.0), 0.0), (Vec3::Y * 0.9, 120.0)] {
            let home = at(place, degrees).anchored_if_far(0.5);
            assert!((home.root(15) - Vec3::Y * 0.9).length() < 1e-5, "{}", home.root(15));
            assert!(angle_between(home.rotation(15, Bone::Hips), Quat::IDENTITY) < 1e-4);
        }
    }

    #[test]
    fn an_anchored_clip_starts_at_the_origin_facing_forward() {
        let mut clip = Clip::new("x", 30.0, 2, 1.0).unwrap();
        let (heading, lean) = (Quat::from_rotation_y(2.0), Quat::from_rotation_x(0.2));
        clip.set_rotation(0, Bone::Hips, heading * lean);
        clip.set_rotation(1, Bone::Hips, heading * Quat::from_rotation_y(0.3) * lean);
        clip.set_root(0, Vec3::new(3.0, 0.9, -2.0));
        clip.set_root(1, Vec3::new(3.0, 0.9, -2.0) + heading * Vec3::new(0.1, 0.05, 0.4));
        let anchored = clip.anchored();
        assert!(angle_between(anchored.rotation(0, Bone::Hips), lean) < 1e-5);
        assert!(angle_between(anchored.rotation(1, Bone::Hips), Quat::from_rotation_y(0.3) * lean) < 1e-5);
        assert!((anchored.root(0) - Vec3::Y * 0.9).length() < 1e-5);
        assert!((anchored.root(1) - Vec3::new(0.1, 0.95, 0.4)).length() < 1e-5);
    }

    #[test]
    fn expressions_are_mapped_to_those_of_the_rig() {
        let channel = |name: &str| Channel::from(name.to_owned());
        let rig = Rig::new(RigParts {
            rest_positions: vec![(Bone::Hips, Vec3::Y)],
            channels: ["happy", "blink", "own"].map(channel).to_vec(),
            ..RigParts::default()
        });
        let mut clip = Clip::new("x", 30.0, 1, 1.0).unwrap();
        for (name, weight) in
            [("eyeBlinkLeft", 1.0), ("eyeBlinkRight", 0.5), ("own", 0.25), ("tongueOut", 1.0)]
        {
            clip.add_channel(channel(name), &[weight]).unwrap();
        }
        let (fitted, lost) = clip.fitted_to(&rig);
        assert_eq!(fitted.channels(), ["blink", "own"].map(channel));
        assert_eq!(fitted.weights(0), [0.75, 0.25]);
        assert_eq!(lost, [channel("tongueOut")]);
    }

    #[test]
    fn invalid_clips_are_errors_with_a_reason() {
        for (rate, frames, height, reason) in [
            (0.0, 1, 1.0, "frame rate"),
            (f64::NAN, 1, 1.0, "frame rate"),
            (30.0, 0, 1.0, "frames"),
            (30.0, Clip::MAX_FRAMES + 1, 1.0, "frames"),
            (30.0, 1, 0.0, "hips"),
            (30.0, 1, f32::NAN, "hips"),
        ] {
            let error = Clip::new("x", rate, frames, height).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        let mut clip = turning(30.0, 2);
        assert!(clip.add_channel(Channel::Custom("x".into()), &[0.0]).is_err());
        assert!(clip.resampled(1e12).is_err());
    }

    #[test]
    fn invalid_rotations_become_identity() {
        let mut clip = Clip::new("x", 30.0, 1, 1.0).unwrap();
        for bad in [[f32::NAN; 4], [0.0; 4], [f32::INFINITY, 0.0, 0.0, 1.0]] {
            clip.set_rotation(0, Bone::Head, Quat::from_array(bad));
            assert_eq!(clip.rotation(0, Bone::Head), Quat::IDENTITY);
        }
    }
}
