//! The common form of every avatar and motion format before retargeting: a tree of nodes with names and rest
//! transforms, and animations of these nodes sampled at a constant rate.
//!
//! BVH, FBX, glTF and VRM differ in units, axes and key frames. Each reader converts its format to a [`Scene`] with
//! [`NodeClip`]s: right-handed, in metres, with unit quaternions. Retargeting then needs to be written only once.
//! [`HumanoidMap`] maps bones to nodes, and [`RestPose`] describes how the rest pose relates to the T-pose. To read a
//! file, use [`import`](crate::import()).

use crate::error::{Error, Result, Warning};
use crate::limits;
use glam::{Quat, Vec3};
use vivant::rig::{Bone, Channel, LidMap, LookAt};

/// Transform of a node relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Translation in metres.
    pub translation: Vec3,
    /// Rotation as a unit quaternion.
    pub rotation: Quat,
    /// Scale along the node's own axes.
    pub scale: Vec3,
}

impl Transform {
    /// The identity transform.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// Returns the world transform of a child, where `self` is the world transform of its parent.
    ///
    /// Scales are multiplied per axis. Shear, which results from non-uniform scale above a rotation, is dropped.
    #[must_use]
    pub fn child(self, local: Self) -> Self {
        Self {
            translation: self.translation + self.rotation * (self.scale * local.translation),
            rotation: (self.rotation * local.rotation).normalize(),
            scale: self.scale * local.scale,
        }
    }
}

/// A node of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Name in the file; may be empty and need not be unique.
    pub name: String,
    /// Index of the parent node.
    pub parent: Option<usize>,
    /// Rest transform relative to the parent.
    pub rest: Transform,
    /// True if a skin uses the node, or if the format only has joints.
    pub is_joint: bool,
}

/// The nodes of a file: right-handed, in metres. Indices are those of the file; parents may come after their
/// children. [`Scene::order`] lists parents before children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    nodes: Vec<Node>,
    order: Vec<usize>,
}

impl Scene {
    /// Checks that the nodes form trees within the [limits].
    ///
    /// # Errors
    /// If there are too many nodes, a parent does not exist, the hierarchy is too deep, or it has a cycle.
    pub fn new(nodes: Vec<Node>) -> Result<Self> {
        limits::within("nodes", "nodes", nodes.len(), limits::MAX_NODES)?;
        let mut children = vec![Vec::new(); nodes.len()];
        let mut order = Vec::with_capacity(nodes.len());
        for (index, node) in nodes.iter().enumerate() {
            match node.parent {
                None => order.push((index, 0)),
                Some(parent) if parent < nodes.len() => children[parent].push(index),
                Some(parent) => {
                    return Err(Error::at(
                        format!("nodes[{index}]"),
                        format!("parent {parent} does not exist; give the index of a node"),
                    ));
                }
            }
        }
        let mut next = 0;
        while next < order.len() {
            let (index, depth) = order[next];
            limits::within(&format!("nodes[{index}]"), "levels deep", depth, limits::MAX_DEPTH)?;
            order.extend(children[index].iter().map(|child| (*child, depth + 1)));
            next += 1;
        }
        if order.len() < nodes.len() {
            return Err(Error::at(
                "nodes",
                "the hierarchy has a cycle; every node needs exactly one path to a root",
            ));
        }
        Ok(Self { nodes, order: order.into_iter().map(|(index, _)| index).collect() })
    }

    /// Returns the nodes in file order.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns all node indices, parents before children.
    #[must_use]
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Returns true if `node` is a descendant of `ancestor`.
    #[must_use]
    pub fn is_below(&self, node: usize, ancestor: usize) -> bool {
        std::iter::successors(self.nodes[node].parent, |n| self.nodes[*n].parent).any(|n| n == ancestor)
    }

    /// Converts local transforms to world transforms. Both lists are in the order of [`Scene::nodes`].
    #[must_use]
    pub fn world(&self, locals: &[Transform]) -> Vec<Transform> {
        let mut world = locals.to_vec();
        for &index in &self.order {
            if let Some(parent) = self.nodes[index].parent {
                world[index] = world[parent].child(locals[index]);
            }
        }
        world
    }

    /// Returns the world transforms of the rest pose.
    #[must_use]
    pub fn rest_world(&self) -> Vec<Transform> {
        self.world(&self.nodes.iter().map(|n| n.rest).collect::<Vec<_>>())
    }
}

/// An animation of a scene's nodes, sampled at a constant rate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeClip {
    /// Name in the file.
    pub name: String,
    /// Frames per second.
    pub rate: f64,
    /// Number of frames in every track.
    pub frames: usize,
    /// Nodes with one local rotation per frame.
    pub rotations: Vec<(usize, Vec<Quat>)>,
    /// Nodes with one local translation per frame, in metres.
    pub translations: Vec<(usize, Vec<Vec3>)>,
    /// Expressions with one weight per frame.
    pub weights: Vec<(Channel, Vec<f32>)>,
    /// Gaze rotations in head space, one per frame (VRMA's `lookAt`).
    pub gaze: Option<Vec<Quat>>,
}

impl NodeClip {
    /// Checks that every track has one value per frame and belongs to one of `nodes` nodes.
    ///
    /// # Errors
    /// If a track is invalid. The error describes the first one.
    pub fn check(&self, nodes: usize) -> Result<()> {
        let tracks = (self.rotations.iter().map(|(node, track)| (*node, track.len())))
            .chain(self.translations.iter().map(|(node, track)| (*node, track.len())))
            .chain(self.weights.iter().map(|(_, track)| (0, track.len())))
            .chain(self.gaze.iter().map(|track| (0, track.len())));
        for (node, length) in tracks {
            if length != self.frames || node >= nodes.max(1) {
                let what = format!(
                    "a track of node {node} has {length} values for {} frames; give one per frame",
                    self.frames
                );
                return Err(Error::at(format!("clip “{}”", self.name), what));
            }
        }
        Ok(())
    }
}

/// Mapping from bones to nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct HumanoidMap {
    nodes: [Option<usize>; Bone::COUNT],
}

impl Default for HumanoidMap {
    fn default() -> Self {
        Self { nodes: [None; Bone::COUNT] }
    }
}

impl HumanoidMap {
    /// Returns the node of a bone.
    #[must_use]
    pub fn node(&self, bone: Bone) -> Option<usize> {
        self.nodes[bone.index()]
    }

    /// Sets the node of a bone.
    pub fn set(&mut self, bone: Bone, node: Option<usize>) {
        self.nodes[bone.index()] = node;
    }

    /// Returns the bone of a node.
    #[must_use]
    pub fn bone(&self, node: usize) -> Option<Bone> {
        self.iter().find(|(_, n)| *n == node).map(|(bone, _)| bone)
    }

    /// Iterates over bones with their nodes, parents before children.
    pub fn iter(&self) -> impl Iterator<Item = (Bone, usize)> + '_ {
        Bone::ALL.into_iter().filter_map(|bone| Some((bone, self.node(bone)?)))
    }

    /// Returns the required bones without a node.
    #[must_use]
    pub fn missing(&self) -> Vec<Bone> {
        Bone::ALL.into_iter().filter(|b| b.is_required() && self.node(*b).is_none()).collect()
    }
}

/// Relation of a file's rest pose to the T-pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestPose {
    /// The rest pose is the T-pose, facing +Z: specified by VRM 1.0 and VRMA.
    TPose,
    /// The rest pose is the T-pose, facing −Z: specified by VRM 0.x.
    TPoseFacingBack,
    /// The rest pose is upright but otherwise unknown: axes and T-pose are derived from the joint positions.
    Unknown,
}

/// A morph target of a mesh that is part of an expression, with a gain.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeBind {
    /// The node with the mesh.
    pub node: usize,
    /// Index of the morph target.
    pub target: usize,
    /// Weight of the morph target when the expression weight is 1.
    pub gain: f32,
}

/// An expression of the source file.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceExpression {
    /// The channel of the expression.
    pub channel: Channel,
    /// The morph targets it moves; may be empty (material and texture binds are dropped).
    pub binds: Vec<ShapeBind>,
    /// True if the weight is either 0 or 1 (VRM's `isBinary`).
    pub is_binary: bool,
}

/// A node that carries an eyelid, and the angle by which it rotates to close the lid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LidNode {
    /// Index of the node.
    pub node: usize,
    /// 0 for the left eye, 1 for the right eye.
    pub eye: usize,
    /// Closing angle in radians about the axis from the right to the left side of the head (humanoid +X): positive
    /// for an upper lid, which moves down, negative for a lower lid.
    pub angle: f32,
}

/// The content of a file, as read by the reader of its format.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file format.
    pub kind: Kind,
    /// Name of the avatar, or name of the file if the format stores one; otherwise empty.
    pub name: String,
    /// All nodes.
    pub scene: Scene,
    /// The bones, as stated by the file (VRM, VRMA) or found from names and structure.
    pub humanoid: HumanoidMap,
    /// Relation of the rest pose to the T-pose.
    pub rest: RestPose,
    /// The expressions of the avatar.
    pub expressions: Vec<SourceExpression>,
    /// Mapping of gaze angles to eye rotations (VRM's `lookAt`); the default if the file does not specify it.
    pub look_at: LookAt,
    /// Effect of each expression on the lids, in the order of `expressions`, if it was measured from the geometry.
    pub lids: LidMap,
    /// The bones that close the lids, if no expression does.
    pub lid_bones: Vec<LidNode>,
    /// The animations.
    pub clips: Vec<NodeClip>,
    /// Warnings about data that were dropped or guessed while reading.
    pub warnings: Vec<Warning>,
}

/// File formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// VRM 1.0.
    Vrm1,
    /// VRM 0.x.
    Vrm0,
    /// VRM animation.
    Vrma,
    /// glTF or GLB without VRM.
    Gltf,
    /// FBX.
    Fbx,
    /// Biovision hierarchy.
    Bvh,
}

impl Kind {
    /// Returns the name of the format, as printed by `vivant inspect --json`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vrm1 => "vrm1",
            Self::Vrm0 => "vrm0",
            Self::Vrma => "vrma",
            Self::Gltf => "gltf",
            Self::Fbx => "fbx",
            Self::Bvh => "bvh",
        }
    }
}
