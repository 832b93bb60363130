//! What every format is read into before it becomes humanoid: a tree of nodes with names and rest
//! transforms, and animations of those nodes sampled at a constant rate.

use crate::error::{Error, Result, Warning};
use crate::limits;
use glam::{Quat, Vec3};
use vivant::rig::{Bone, Channel, LidMap, LookAt};

/// Where a node is in its parent's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Metres.
    pub translation: Vec3,
    /// A unit quaternion.
    pub rotation: Quat,
    /// Along the node's own axes.
    pub scale: Vec3,
}

impl Transform {
    /// No translation, no rotation, no scaling.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// Where a child is in the world, if this is where its parent is.
    ///
    /// Scale is carried along the axes of each node. Shear, which only non-uniform scale above a
    /// rotation can make, is left out.
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
    /// As the file gives it; may be empty, and need not be unique.
    pub name: String,
    /// Its parent's index.
    pub parent: Option<usize>,
    /// Its rest transform in its parent's frame.
    pub rest: Transform,
    /// Whether a skin uses it, or the format has nothing but joints.
    pub is_joint: bool,
}

/// The nodes of a file: right-handed, in metres. Indices are the file's own; parents may stand after
/// their children, and [`Scene::order`] says in which order to go.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    nodes: Vec<Node>,
    order: Vec<usize>,
}

impl Scene {
    /// Checks that the nodes form trees of bearable size.
    ///
    /// # Errors
    /// If there are too many nodes, a parent does not exist, the hierarchy is too deep, or it has a
    /// cycle.
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
                        format!("its parent {parent} does not exist"),
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
                "the hierarchy has a cycle; every node needs one way up to a root",
            ));
        }
        Ok(Self { nodes, order: order.into_iter().map(|(index, _)| index).collect() })
    }

    /// The nodes, in the file's order.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// All node indices, parents before children.
    #[must_use]
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Whether `node` hangs somewhere below `ancestor`.
    #[must_use]
    pub fn is_below(&self, node: usize, ancestor: usize) -> bool {
        std::iter::successors(self.nodes[node].parent, |n| self.nodes[*n].parent).any(|n| n == ancestor)
    }

    /// World transforms from local ones, which are given in the order of the nodes.
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

    /// World transforms at rest.
    #[must_use]
    pub fn rest_world(&self) -> Vec<Transform> {
        self.world(&self.nodes.iter().map(|n| n.rest).collect::<Vec<_>>())
    }
}

/// An animation of a scene's nodes, sampled at a constant rate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeClip {
    /// As the file gives it.
    pub name: String,
    /// Frames a second.
    pub rate: f64,
    /// How many frames every track has.
    pub frames: usize,
    /// Node, and its local rotation a frame.
    pub rotations: Vec<(usize, Vec<Quat>)>,
    /// Node, and its local translation a frame, in metres.
    pub translations: Vec<(usize, Vec<Vec3>)>,
    /// Expression, and its weight a frame.
    pub weights: Vec<(Channel, Vec<f32>)>,
    /// Rotations of the gaze in the head's frame (VRMA's `lookAt`), one a frame.
    pub gaze: Option<Vec<Quat>>,
}

impl NodeClip {
    /// Fails unless every track has one value a frame and belongs to one of `nodes` nodes.
    ///
    /// # Errors
    /// Naming the first track that does not.
    pub fn check(&self, nodes: usize) -> Result<()> {
        let tracks = (self.rotations.iter().map(|(node, track)| (*node, track.len())))
            .chain(self.translations.iter().map(|(node, track)| (*node, track.len())))
            .chain(self.weights.iter().map(|(_, track)| (0, track.len())))
            .chain(self.gaze.iter().map(|track| (0, track.len())));
        for (node, length) in tracks {
            if length != self.frames || node >= nodes.max(1) {
                let what = format!("a track of node {node} has {length} values for {} frames", self.frames);
                return Err(Error::at(format!("clip “{}”", self.name), what));
            }
        }
        Ok(())
    }
}

/// Which node is which bone.
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
    /// The node that is this bone.
    #[must_use]
    pub fn node(&self, bone: Bone) -> Option<usize> {
        self.nodes[bone.index()]
    }

    /// Says which node is this bone.
    pub fn set(&mut self, bone: Bone, node: Option<usize>) {
        self.nodes[bone.index()] = node;
    }

    /// The bone that this node is.
    #[must_use]
    pub fn bone(&self, node: usize) -> Option<Bone> {
        self.iter().find(|(_, n)| *n == node).map(|(bone, _)| bone)
    }

    /// Bones with their nodes, parents before children.
    pub fn iter(&self) -> impl Iterator<Item = (Bone, usize)> + '_ {
        Bone::ALL.into_iter().filter_map(|bone| Some((bone, self.node(bone)?)))
    }

    /// Required bones without a node.
    #[must_use]
    pub fn missing(&self) -> Vec<Bone> {
        Bone::ALL.into_iter().filter(|b| b.is_required() && self.node(*b).is_none()).collect()
    }
}

/// How the T-pose of a humanoid is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestPose {
    /// The rest pose is the T-pose, facing +Z: VRM 1.0 and VRMA, by their specifications.
    TPose,
    /// The rest pose is the T-pose, facing −Z: VRM 0.x, by its specification.
    TPoseFacingBack,
    /// The rest pose may be anything upright: its axes and arms are found from the joints' places.
    Unknown,
}

/// A shape of the source file that drives an expression: a morph target of a mesh, with a gain.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeBind {
    /// The node that carries the mesh.
    pub node: usize,
    /// The morph target's index.
    pub target: usize,
    /// The shape's weight at full expression.
    pub gain: f32,
}

/// An expression of the source file.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceExpression {
    /// Which one.
    pub channel: Channel,
    /// What it moves; may be empty (material and texture binds are not kept).
    pub binds: Vec<ShapeBind>,
    /// Whether it knows only on and off (VRM's `isBinary`).
    pub is_binary: bool,
}

/// A node that carries a lid, and how it closes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LidNode {
    /// Which node.
    pub node: usize,
    /// 0 for the left eye, 1 for the right one.
    pub eye: usize,
    /// How far it turns to close, in radians about the axis from the right to the left side of the
    /// head (humanoid +X): positive for an upper lid, which comes down, negative for a lower one.
    pub angle: f32,
}

/// What a reader of one format gives.
#[derive(Clone, Debug)]
pub struct Source {
    /// What kind of file it is.
    pub kind: Kind,
    /// The avatar's or the file's own name, if it has one.
    pub name: String,
    /// All nodes.
    pub scene: Scene,
    /// Which nodes are bones, as the file itself says (VRM, VRMA) — or found from names and structure.
    pub humanoid: HumanoidMap,
    /// How to find the T-pose.
    pub rest: RestPose,
    /// The expressions it has.
    pub expressions: Vec<SourceExpression>,
    /// How it looks around, if it says (VRM's `lookAt`).
    pub look_at: LookAt,
    /// What the expressions do to the lids, in their order, if it was measured from the geometry.
    pub lids: LidMap,
    /// The bones that close the lids, where no expression does.
    pub lid_bones: Vec<LidNode>,
    /// Its animations.
    pub clips: Vec<NodeClip>,
    /// What was dropped or guessed.
    pub warnings: Vec<Warning>,
}

/// Kinds of files.
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
    /// Its name, as `vivant inspect --json` prints it.
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
