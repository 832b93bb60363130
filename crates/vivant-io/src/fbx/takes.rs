//! Samples takes.
//!
//! FBX animates single properties of a node, such as pivots and pre-rotations, in several layers. Rather than
//! converting curves, [`read`] evaluates the transform of each animated node with `ufbx` at a constant frame rate, and
//! returns one [`NodeClip`] per take. The rate is the stated one unless only another common rate has frames at the
//! keys. Nodes that are not animated but differ from the rest pose get constant tracks. Takes without motion and
//! animated scale are dropped with a warning.

use super::shapes::Shapes;
use super::transform;
use crate::error::{Result, Warning, WarningCode};
use crate::scene::{NodeClip, Transform};
use crate::{limits, rate};
use std::collections::BTreeMap;
use vivant::clip::Clip;
use vivant::math::angle_between;

/// Maximum number of samples per file: a base, and an addition per key. Without this limit, a small file with two keys
/// in a thousand layers could request hours of motion.
const SAMPLES_BASE: usize = 2 << 20;
const SAMPLES_PER_KEY: usize = 16;
const GUESSED_RATE: f64 = 30.0;
/// Rotations closer than this, in radians, are equal.
const STILL_RAD: f32 = 1e-4;
/// Positions closer than this, in metres, are equal.
const STILL_M: f32 = 5e-6;
const STILL_WEIGHT: f32 = 1e-4;

/// Node properties that move the node. Other animated properties only matter to authoring tools.
const MOVING: [&str; 9] = [
    "Lcl Translation",
    "Lcl Rotation",
    "Lcl Scaling",
    "PreRotation",
    "PostRotation",
    "RotationOffset",
    "RotationPivot",
    "ScalingOffset",
    "ScalingPivot",
];

/// Reads all takes. `file_pose` contains the node transforms in the file, and `rest` contains the rest pose.
pub(super) fn read(
    file: &ufbx::Scene,
    shapes: &Shapes,
    file_pose: &[Transform],
    rest: &[Transform],
    warnings: &mut Vec<Warning>,
) -> Result<Vec<NodeClip>> {
    let keys: usize = file.anim_curves.iter().map(|c| c.keyframes.len()).sum();
    let mut budget =
        keys.saturating_mul(SAMPLES_PER_KEY).saturating_add(SAMPLES_BASE).min(limits::MAX_SAMPLES);
    let stage = Stage { file, shapes, file_pose, rest };
    let mut clips = Vec::new();
    let (mut still, mut scaled) = (Vec::new(), 0);
    for stack in &file.anim_stacks {
        let take = Take::new(&stage, stack);
        take.check(&mut budget)?;
        let mut clip = NodeClip {
            name: super::shortened(&stack.element.name).to_owned(),
            rate: take.rate,
            frames: take.frames,
            ..NodeClip::default()
        };
        let mut shows = take.sample_shapes(&mut clip);
        let sampled = take.sample_nodes(&mut clip);
        take.hold(&mut clip);
        shows |= sampled.poses;
        scaled += sampled.scaled;
        if shows { clips.push(clip) } else { still.push(format!("{:?}", clip.name)) }
    }
    if !still.is_empty() {
        let message = format!("takes without motion were dropped: {}", still.join(", "));
        warnings.push(Warning::new(WarningCode::Dropped, "Takes", message));
    }
    if scaled > 0 {
        let message = format!("animated scale of {scaled} nodes was dropped; they keep their rest scale");
        warnings.push(Warning::new(WarningCode::Dropped, "Takes", message));
    }
    Ok(clips)
}

/// Data shared by all takes.
struct Stage<'a> {
    file: &'a ufbx::Scene,
    shapes: &'a Shapes,
    file_pose: &'a [Transform],
    rest: &'a [Transform],
}

/// One animation stack, and the frames at which it is sampled.
struct Take<'a> {
    stage: &'a Stage<'a>,
    stack: &'a ufbx::AnimStack,
    /// Animated nodes by id.
    nodes: BTreeMap<u32, &'a ufbx::Node>,
    /// Nodes that are not animated and whose pose in the file differs from their rest pose.
    held: Vec<usize>,
    shapes: BTreeMap<u32, &'a ufbx::BlendChannel>,
    start: f64,
    rate: f64,
    frames: usize,
}

/// Result of sampling the nodes of a take.
struct Sampled {
    /// True if an animated node differs from its rest pose.
    poses: bool,
    /// Number of nodes with animated scale.
    scaled: usize,
}

impl<'a> Take<'a> {
    fn new(stage: &'a Stage<'a>, stack: &'a ufbx::AnimStack) -> Self {
        let file = stage.file;
        let (mut nodes, mut shapes, mut times) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        for property in stack.layers.iter().flat_map(|layer| &*layer.anim_props) {
            let id = property.element.typed_id;
            let is = |kind| property.element.type_ == kind;
            if is(ufbx::ElementType::Node) && MOVING.contains(&&*property.prop_name) {
                nodes.extend(file.nodes.get(id as usize).map(|node| (id, &**node)));
            } else if is(ufbx::ElementType::BlendChannel) && *property.prop_name == *"DeformPercent" {
                shapes.extend(file.blend_channels.get(id as usize).map(|channel| (id, &**channel)));
            } else {
                continue;
            }
            let curves = property.anim_value.curves.iter().flatten();
            times.extend(curves.flat_map(|curve| curve.keyframes.iter().map(|key| key.time)));
        }
        times.retain(|time| time.is_finite());
        let (start, end) = range(stack, &times);
        let stated = file.settings.frames_per_second;
        let stated =
            if (1.0..=1000.0).contains(&stated) { rate::snap_to_common(stated) } else { GUESSED_RATE };
        times.retain(|time| (start..=end).contains(time));
        let rate = rate::from_keys(&times, start, stated);
        // The cast saturates; the limit is checked before any use.
        let frames = (((end - start) * rate + 1e-3) as usize).saturating_add(1);
        let differs = |(a, b): (&Transform, &Transform)| rotates(a, b) || moves(a, b);
        let differing = stage.file_pose.iter().zip(stage.rest).map(differs).enumerate();
        let is_held = |(index, differs): (usize, bool)| {
            (differs && !nodes.contains_key(&(index as u32))).then_some(index)
        };
        let held = differing.filter_map(is_held).collect();
        Self { stage, stack, nodes, held, shapes, start, rate, frames }
    }

    /// Subtracts the cost of sampling from the budget, or fails.
    fn check(&self, budget: &mut usize) -> Result<()> {
        let place = format!("take {:?}", super::shortened(&self.stack.element.name));
        limits::within(&place, "frames", self.frames, Clip::MAX_FRAMES)?;
        let tracks = self.nodes.len() + self.held.len() + self.shapes.len();
        let cost = self.frames.saturating_mul(tracks).saturating_mul(self.stack.layers.len().max(1));
        limits::within(&place, "samples of keys and layers", cost, *budget)?;
        *budget -= cost;
        Ok(())
    }

    fn seconds(&self, frame: usize) -> f64 {
        self.start + frame as f64 / self.rate
    }

    /// Adds the animated shapes. Returns true if any weight is not zero.
    fn sample_shapes(&self, clip: &mut NodeClip) -> bool {
        let mut shows = false;
        for shape in self.shapes.values() {
            let Some(channel) = self.stage.shapes.channel(shape) else { continue };
            let weight =
                |frame| ufbx::evaluate_blend_weight(&self.stack.anim, shape, self.seconds(frame)) as f32;
            let sane = |weight: f32| if weight.is_finite() { weight } else { 0.0 };
            let weights: Vec<f32> = (0..self.frames).map(|frame| sane(weight(frame))).collect();
            shows |= weights.iter().any(|w| w.abs() > STILL_WEIGHT);
            clip.weights.push((channel.clone(), weights));
        }
        shows
    }

    /// Adds the animated nodes that differ from their rest pose.
    fn sample_nodes(&self, clip: &mut NodeClip) -> Sampled {
        let mut sampled = Sampled { poses: false, scaled: 0 };
        for (id, node) in &self.nodes {
            let index = *id as usize;
            let Some(rest) = self.stage.rest.get(index) else { continue };
            let at =
                |frame| transform(&ufbx::evaluate_transform(&self.stack.anim, node, self.seconds(frame)));
            let samples: Vec<Transform> = (0..self.frames).map(at).collect();
            if samples.iter().any(|t| rotates(t, rest)) {
                clip.rotations.push((index, samples.iter().map(|t| t.rotation).collect()));
                sampled.poses = true;
            }
            if samples.iter().any(|t| moves(t, rest)) {
                clip.translations.push((index, samples.iter().map(|t| t.translation).collect()));
                sampled.poses = true;
            }
            let first = samples.first().map_or(rest.scale, |t| t.scale);
            sampled.scaled += usize::from(samples.iter().any(|t| !t.scale.abs_diff_eq(first, 1e-3)));
        }
        sampled
    }

    /// Adds constant tracks for nodes that are not animated and not at rest in the file.
    fn hold(&self, clip: &mut NodeClip) {
        for index in &self.held {
            if let Some(local_in_file) = self.stage.file_pose.get(*index) {
                clip.rotations.push((*index, vec![local_in_file.rotation; self.frames]));
                clip.translations.push((*index, vec![local_in_file.translation; self.frames]));
            }
        }
    }
}

fn rotates(t: &Transform, rest: &Transform) -> bool {
    angle_between(t.rotation, rest.rotation) > STILL_RAD
}

fn moves(t: &Transform, rest: &Transform) -> bool {
    t.translation.distance(rest.translation) > STILL_M
}

/// Returns the start and end of a take in seconds. If the file does not state them, they are the times of the first
/// and the last key.
fn range(stack: &ufbx::AnimStack, times: &[f64]) -> (f64, f64) {
    let (start, end) = (stack.time_begin, stack.time_end);
    if start.is_finite() && end.is_finite() && end > start {
        return (start, end);
    }
    let first = times.iter().copied().fold(f64::INFINITY, f64::min);
    let last = times.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if first <= last { (first, last) } else { (0.0, 0.0) }
}
