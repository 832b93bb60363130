//! Writes motion without an avatar: VRMA, and a GLB of bones only.
//!
//! A VRMA is for programs that play VRM animations on any avatar; [`vrma`] writes one clip with bones, expressions and
//! gaze. [`skeleton`] writes several clips on the bones of the rig, for programs that only know glTF. Neither contains
//! a mesh, and both return the bytes of a GLB. What a format cannot store is dropped with a warning: VRMA has one gaze
//! for both eyes and no look expressions, and a skeleton has no expressions except blinks of lid bones. Animations for
//! a given avatar are written by the module `on_avatar`.

use crate::error::{Error, Result, Warning, WarningCode};
use crate::gltf::animation::is_look;
use crate::gltf::build::{Animation, Builder, Path};
use crate::gltf::expressions::join_names;
use glam::Quat;
use serde_json::{Map, Value, json};
use vivant::clip::Clip;
use vivant::math::{angle_between, from_rotation_vector};
use vivant::rig::{Bone, BoneSet, Channel, Expression, LidBone, Rig};

/// Largest angle between the directions of the eyes at which one gaze for both eyes is written without a warning about
/// lost data.
const SAME_GAZE_RADIANS: f32 = 0.5 * std::f32::consts::PI / 180.0;
const EYES: [Bone; 2] = [Bone::LeftEye, Bone::RightEye];

/// Writes a VRM animation: bones, expressions and gaze, each as nodes.
pub(super) fn vrma(rig: &Rig, clip: &Clip, warnings: &mut Vec<Warning>) -> Result<Vec<u8>> {
    let eyes: BoneSet = EYES.into_iter().collect();
    let mut to = Builder::new();
    // VRMA has no eye bones; the gaze replaces them.
    let nodes = Bones::add(&mut to, rig, rig.bones().minus(eyes))?;
    let mut animation = Animation::new(clip);
    nodes.animate(&mut to, clip, &mut animation);
    let human_bones: Map<_, _> = nodes.iter().map(|(b, n)| (b.name().into(), json!({ "node": n }))).collect();
    let mut extension = json!({ "specVersion": "1.0", "humanoid": { "humanBones": human_bones } });
    let expressions = add_expressions(&mut to, clip, &mut animation, warnings);
    if !expressions.is_empty() {
        extension["expressions"] = Value::Object(expressions);
    }
    if let Some(gaze) = gaze(clip, warnings) {
        let node = to.push("nodes", json!({ "name": "lookAt" }));
        animation.add_short(&mut to, node, Path::Rotation, &gaze);
        extension["lookAt"] = json!({ "node": node });
    }
    animation.finish(&mut to);
    put_roots_into_scene(&mut to);
    to.json.insert("extensionsUsed".into(), json!(["VRMC_vrm_animation"]));
    to.json.insert("extensions".into(), json!({ "VRMC_vrm_animation": extension }));
    to.finish()
}

/// Writes only the bones, with any number of clips.
pub(super) fn skeleton(rig: &Rig, clips: &[Clip], warnings: &mut Vec<Warning>) -> Result<Vec<u8>> {
    let mut to = Builder::new();
    let nodes = Bones::add(&mut to, rig, rig.bones())?;
    let lids = Lids::add(&mut to, rig, &nodes);
    for clip in clips {
        let mut animation = Animation::new(clip);
        nodes.animate(&mut to, clip, &mut animation);
        lids.animate(&mut to, clip, &mut animation);
        animation.finish(&mut to);
    }
    let names = clips.iter().flat_map(Clip::channels).map(|channel| channel.name().to_owned());
    let mut lost: Vec<String> = names.filter(|name| !lids.has_channel(name)).collect();
    lost.sort_unstable();
    lost.dedup();
    if !lost.is_empty() {
        let message = format!("a skeleton without a mesh has no expressions; dropped: {}", join_names(&lost));
        warnings.push(Warning::new(WarningCode::Dropped, "expressions", message));
    }
    put_roots_into_scene(&mut to);
    to.finish()
}

/// Adds every root to the scene, so that viewers show it.
fn put_roots_into_scene(to: &mut Builder) {
    let nodes = to.json.get("nodes").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let children = nodes.iter().filter_map(|n| n.get("children")?.as_array()).flatten();
    let children: Vec<u64> = children.filter_map(Value::as_u64).collect();
    let roots: Vec<u64> = (0..nodes.len() as u64).filter(|n| !children.contains(n)).collect();
    to.json.insert("scene".into(), json!(0));
    to.json.insert("scenes".into(), json!([{ "nodes": roots }]));
}

/// The nodes of a rig's bones.
struct Bones {
    nodes: Vec<(Bone, usize)>,
}

impl Bones {
    fn add(to: &mut Builder, rig: &Rig, bones: BoneSet) -> Result<Self> {
        if !bones.contains(Bone::Hips) {
            return Err(Error::new("the rig has no hips; choose another avatar"));
        }
        let nodes: Vec<(Bone, usize)> = bones.iter().enumerate().map(|(i, bone)| (bone, i)).collect();
        for (bone, _) in &nodes {
            let above = bones.parent_of(*bone).map_or(glam::Vec3::ZERO, |p| rig.rest_position(p));
            let place = rig.rest_position(*bone) - above;
            let mut node = json!({ "name": bone.name(), "translation": place.to_array() });
            let children = nodes.iter().filter(|(b, _)| bones.parent_of(*b) == Some(*bone));
            let children: Vec<usize> = children.map(|(_, node)| *node).collect();
            if !children.is_empty() {
                node["children"] = json!(children);
            }
            to.push("nodes", node);
        }
        Ok(Self { nodes })
    }

    fn iter(&self) -> impl Iterator<Item = (Bone, usize)> {
        self.nodes.iter().copied()
    }

    fn animate(&self, to: &mut Builder, clip: &Clip, animation: &mut Animation) {
        let frames = 0..clip.frames();
        for (bone, node) in self.iter() {
            if bone == Bone::Hips {
                let roots: Vec<f32> = frames.clone().flat_map(|f| clip.root(f).to_array()).collect();
                animation.add(to, node, Path::Translation, &roots);
            }
            if clip.bones().contains(bone) {
                let turns = frames.clone().flat_map(|f| clip.rotation(f, bone).to_array());
                animation.add_short(to, node, Path::Rotation, &turns.collect::<Vec<f32>>());
            }
        }
    }
}

/// The nodes of a rig's lid bones.
struct Lids<'a> {
    nodes: Vec<(&'a LidBone, usize)>,
}

impl<'a> Lids<'a> {
    const CHANNELS: [&'static str; 2] = ["blinkLeft", "blinkRight"];

    fn add(to: &mut Builder, rig: &'a Rig, bones: &Bones) -> Self {
        let Some((_, head)) = bones.iter().find(|(bone, _)| *bone == Bone::Head) else {
            return Self { nodes: Vec::new() };
        };
        let mut nodes = Vec::new();
        for lid in rig.lid_bones() {
            let place = lid.rest_position - rig.rest_position(Bone::Head);
            nodes.push((lid, to.push("nodes", json!({ "name": lid.name, "translation": place.to_array() }))));
        }
        let children = to.json.get_mut("nodes").and_then(|list| list.get_mut(head)?.as_object_mut());
        if let Some(head) = children.filter(|_| !nodes.is_empty()) {
            let children = head.entry("children").or_insert_with(|| json!([]));
            children.as_array_mut().into_iter().for_each(|c| c.extend(nodes.iter().map(|(_, n)| json!(n))));
        }
        Self { nodes }
    }

    fn has_channel(&self, name: &str) -> bool {
        self.nodes.iter().any(|(lid, _)| Self::CHANNELS.get(lid.eye) == Some(&name))
    }

    fn animate(&self, to: &mut Builder, clip: &Clip, animation: &mut Animation) {
        for (lid, node) in &self.nodes {
            let is_its = |channel: &Channel| Self::CHANNELS.get(lid.eye) == Some(&channel.name());
            let Some(column) = clip.channels().iter().position(is_its) else { continue };
            let turn = |frame| from_rotation_vector(lid.turn * clip.weights(frame)[column].clamp(0.0, 1.0));
            let values: Vec<f32> = (0..clip.frames()).flat_map(|frame| turn(frame).to_array()).collect();
            animation.add_short(to, *node, Path::Rotation, &values);
        }
    }
}

/// Adds one node per expression; the X translation of the node is the weight. Returns the table of these nodes for the
/// extension.
fn add_expressions(
    to: &mut Builder,
    clip: &Clip,
    animation: &mut Animation,
    warnings: &mut Vec<Warning>,
) -> Map<String, Value> {
    let mut table = json!({});
    let mut looks = Vec::new();
    for (column, channel) in clip.channels().iter().enumerate() {
        if is_look(channel) {
            looks.push(channel.name().to_owned());
            continue;
        }
        let node = to.push("nodes", json!({ "name": channel.name() }));
        let values = (0..clip.frames()).flat_map(|f| [clip.weights(f)[column], 0.0, 0.0]);
        animation.add_short(to, node, Path::Translation, &values.collect::<Vec<f32>>());
        let group = if is_preset(channel) { "preset" } else { "custom" };
        table[group][channel.name()] = json!({ "node": node });
    }
    if !looks.is_empty() {
        let message = format!("VRMA does not allow look expressions; dropped: {}", looks.join(", "));
        warnings.push(Warning::new(WarningCode::Dropped, "expressions", message));
    }
    match table {
        Value::Object(table) => table,
        _ => Map::new(),
    }
}

fn is_preset(channel: &Channel) -> bool {
    Expression::vrm().any(|preset| *channel == Channel::Known(preset))
}

/// Returns the mean gaze of both eyes, one rotation per frame; `None` if the clip has no eyes.
fn gaze(clip: &Clip, warnings: &mut Vec<Warning>) -> Option<Vec<f32>> {
    let eyes: Vec<Bone> = EYES.into_iter().filter(|eye| clip.bones().contains(*eye)).collect();
    let (first, last) = (*eyes.first()?, *eyes.last()?);
    let mut widest: f32 = 0.0;
    let mut before = Quat::IDENTITY;
    let mut out = Vec::with_capacity(4 * clip.frames());
    for frame in 0..clip.frames() {
        let (left, right) = (clip.rotation(frame, first), clip.rotation(frame, last));
        widest = widest.max(angle_between(left, right));
        let between = left.slerp(right, 0.5).normalize();
        before = if before.dot(between) < 0.0 { -between } else { between };
        out.extend(before.to_array());
    }
    if widest > SAME_GAZE_RADIANS {
        let degrees = widest.to_degrees();
        let message = format!(
            "the eyes differ by up to {degrees:.1}°; VRMA has one gaze for both, so the mean is used"
        );
        warnings.push(Warning::new(WarningCode::Dropped, "lookAt", message));
    }
    Some(out)
}
