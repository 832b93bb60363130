//! Writes clips as animations of an avatar's own nodes and morph targets into the avatar's file.
//!
//! Viewers that only know glTF cannot retarget, so the clips are written for the nodes of one avatar. Create a
//! [`Stage`] from the avatar's document, call [`Stage::add`] for each clip that was fitted to the avatar's rig, and
//! finally [`Stage::finish`]. Only nodes that leave their rest transform get a track, apart from those of the clip's
//! bones and the hips. Weights of expressions become weights of morph targets, because plain glTF has no expressions.
//! Expressions without morph targets are dropped with a warning.

use crate::error::{Error, Result, Warning, WarningCode};
use crate::gltf::build::{Animation, Builder, Path};
use crate::gltf::expressions::{Shapes, join_names};
use crate::gltf::field::Field;
use crate::limits::{self, MAX_SAMPLES};
use crate::retarget::Humanoid;
use crate::scene::{Source, Transform};
use glam::{Quat, Vec3};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use vivant::clip::Clip;
use vivant::math::angle_between;
use vivant::pose::Pose;
use vivant::rig::Bone;

/// Smallest rotation in radians, and smallest movement as a share of the rest translation, that get a track. Smaller
/// rotations and movements are invisible, and their tracks would only enlarge the file.
const STILL_RADIANS: f32 = 1e-5;
const STILL_SHARE: f32 = 1e-5;

/// An avatar to which clips are added.
pub(super) struct Stage<'a> {
    source: &'a Source,
    humanoid: &'a Humanoid,
    rest_weights: BTreeMap<usize, Vec<f32>>,
    /// Animated nodes. In glTF, the rest transform of an animated node must not be a matrix.
    moved: BTreeSet<usize>,
    dropped: BTreeSet<String>,
}

impl<'a> Stage<'a> {
    pub(super) fn new(json: &Value, source: &'a Source, humanoid: &'a Humanoid) -> Result<Self> {
        let document = Field::root(json);
        if document.key("nodes").len()? != source.scene.nodes().len() {
            return Err(Error::at(
                "nodes",
                "this is not the file that the avatar was read from; give that file",
            ));
        }
        let shapes = Shapes::read(&document)?;
        let binds = source.expressions.iter().flat_map(|e| &e.binds);
        let rest_weights = binds.map(|bind| (bind.node, shapes.rest_weights(&document, bind.node))).collect();
        Ok(Self { source, humanoid, rest_weights, moved: BTreeSet::new(), dropped: BTreeSet::new() })
    }

    /// Adds a clip that was fitted to the avatar's rig.
    pub(super) fn add(&mut self, to: &mut Builder, clip: &Clip) -> Result<()> {
        let mut animation = Animation::new(clip);
        self.add_body(to, clip, &mut animation)?;
        self.add_faces(to, clip, &mut animation)?;
        animation.finish(to);
        Ok(())
    }

    fn add_body(&mut self, to: &mut Builder, clip: &Clip, animation: &mut Animation) -> Result<()> {
        let map = self.humanoid.map();
        let hips = map.node(Bone::Hips);
        let mut tracks = Tracks::default();
        let bones = clip.bones().iter().filter_map(|bone| map.node(bone));
        tracks.rotations.extend(bones.map(|node| (node, Vec::new())));
        tracks.translations.extend(hips.map(|node| (node, Vec::new())));
        let lids = [0, 1].map(|eye| {
            clip.channels().iter().position(|channel| self.humanoid.lid_channel(channel) == Some(eye))
        });
        for frame in 0..clip.frames() {
            let pose = Pose { rotations: *clip.rotations(frame), root: clip.root(frame) };
            let mut locals = self.humanoid.node_locals(self.source, &pose);
            self.humanoid.close_lids(self.source, lids.map(|lid| weight(clip, frame, lid)), &mut locals);
            tracks.record(self.source, frame, &locals)?;
        }
        for (node, track) in &tracks.rotations {
            let values: Vec<f32> = track.iter().flat_map(Quat::to_array).collect();
            animation.add_short(to, *node, Path::Rotation, &values);
            self.moved.insert(*node);
        }
        for (node, track) in &tracks.translations {
            let values: Vec<f32> = track.iter().flat_map(Vec3::to_array).collect();
            // The hips keep one key per frame, so that readers can derive the frame rate.
            match hips == Some(*node) {
                true => animation.add(to, *node, Path::Translation, &values),
                false => animation.add_short(to, *node, Path::Translation, &values),
            }
            self.moved.insert(*node);
        }
        Ok(())
    }

    /// Converts expression weights to the weights of all morph targets of each mesh that they move.
    fn add_faces(&mut self, to: &mut Builder, clip: &Clip, animation: &mut Animation) -> Result<()> {
        for (node, drives) in self.drives(clip) {
            let Some(rest) = self.rest_weights.get(&node).filter(|rest| !rest.is_empty()) else { continue };
            let numbers = clip.frames().saturating_mul(rest.len());
            limits::within(clip.name(), "weights of morph targets", numbers, MAX_SAMPLES)?;
            let mut values = Vec::with_capacity(numbers);
            for frame in 0..clip.frames() {
                let start = values.len();
                values.extend_from_slice(rest);
                set_weights(&drives, clip.weights(frame), &mut values[start..]);
            }
            animation.add_short(to, node, Path::Weights(rest.len()), &values);
        }
        Ok(())
    }

    /// Returns for each node with morph targets which channel of the clip moves which target.
    fn drives(&mut self, clip: &Clip) -> BTreeMap<usize, Vec<Drive>> {
        let mut drives: BTreeMap<usize, Vec<Drive>> = BTreeMap::new();
        for (column, channel) in clip.channels().iter().enumerate() {
            if self.humanoid.lid_channel(channel).is_some() {
                continue;
            }
            let found = self.source.expressions.iter().find(|e| e.channel == *channel);
            let Some(expression) = found.filter(|e| !e.binds.is_empty()) else {
                self.dropped.insert(channel.name().to_owned());
                continue;
            };
            for bind in &expression.binds {
                let drive =
                    Drive { target: bind.target, column, gain: bind.gain, is_binary: expression.is_binary };
                drives.entry(bind.node).or_default().push(drive);
            }
        }
        drives
    }

    /// Finishes the document after all clips are added.
    pub(super) fn finish(self, to: &mut Builder, warnings: &mut Vec<Warning>) {
        let nodes = to.json.get_mut("nodes").and_then(Value::as_array_mut);
        for (index, node) in nodes.into_iter().flatten().enumerate() {
            if self.moved.contains(&index) {
                without_matrix(node, self.source.scene.nodes()[index].rest);
            }
        }
        if !self.dropped.is_empty() {
            let names: Vec<String> = self.dropped.into_iter().collect();
            let message = format!("expressions without morph targets were dropped: {}", join_names(&names));
            warnings.push(Warning::new(WarningCode::CannotShow, "expressions", message));
        }
    }
}

/// The effect of a clip's channel on a morph target.
struct Drive {
    target: usize,
    column: usize,
    gain: f32,
    is_binary: bool,
}

fn set_weights(drives: &[Drive], weights: &[f32], targets: &mut [f32]) {
    for drive in drives {
        if let Some(target) = targets.get_mut(drive.target) {
            *target = 0.0;
        }
    }
    for drive in drives {
        let weight = weights.get(drive.column).copied().unwrap_or(0.0);
        let weight = if drive.is_binary { weight.round() } else { weight };
        if let Some(target) = targets.get_mut(drive.target) {
            *target = (*target + drive.gain * weight).clamp(0.0, 1.0);
        }
    }
}

/// Returns the weight of a channel at a frame; 0 without a channel.
fn weight(clip: &Clip, frame: usize, column: Option<usize>) -> f32 {
    column.and_then(|column| clip.weights(frame).get(column).copied()).unwrap_or(0.0)
}

/// Replaces the matrix of an animated node by translation, rotation and scale, as glTF requires.
fn without_matrix(node: &mut Value, rest: Transform) {
    let Some(node) = node.as_object_mut() else { return };
    if node.remove("matrix").is_some_and(|matrix| !matrix.is_null()) {
        let parts: Map<String, Value> = Map::from_iter([
            ("translation".to_owned(), json!(rest.translation.to_array())),
            ("rotation".to_owned(), json!(rest.rotation.to_array())),
            ("scale".to_owned(), json!(rest.scale.to_array())),
        ]);
        node.extend(parts);
    }
}

/// The tracks of one clip. A node gets a track at the first frame at which it is not at rest.
#[derive(Default)]
struct Tracks {
    rotations: BTreeMap<usize, Vec<Quat>>,
    translations: BTreeMap<usize, Vec<Vec3>>,
}

impl Tracks {
    fn record(&mut self, source: &Source, frame: usize, locals: &[Transform]) -> Result<()> {
        for (index, (node, local)) in source.scene.nodes().iter().zip(locals).enumerate() {
            let rest = node.rest;
            let turns = angle_between(rest.rotation, local.rotation) > STILL_RADIANS;
            if turns || self.rotations.contains_key(&index) {
                let track = self.rotations.entry(index).or_insert_with(|| vec![rest.rotation; frame]);
                let before = track.last().copied().unwrap_or(local.rotation);
                track.push(if before.dot(local.rotation) < 0.0 { -local.rotation } else { local.rotation });
            }
            let still = STILL_SHARE * rest.translation.length().max(0.1);
            let moves = rest.translation.distance(local.translation) > still;
            if moves || self.translations.contains_key(&index) {
                let track = self.translations.entry(index).or_insert_with(|| vec![rest.translation; frame]);
                track.push(local.translation);
            }
        }
        let tracks = self.rotations.len() + self.translations.len();
        limits::within("animation", "samples", tracks.saturating_mul(frame), MAX_SAMPLES)
    }
}
