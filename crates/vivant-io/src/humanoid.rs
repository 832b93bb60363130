//! Which node is which bone, for files that do not say it.
//!
//! VRM names its bones; glTF, FBX and BVH leave it to the tool that wrote them. [`find`] therefore
//! reads names first — of Mixamo, Ready Player Me, 3ds Max, VRoid, Unreal, Blender's Rigify, the BVH
//! libraries and whatever else uses words of anatomy — and lets the hierarchy decide where a word is
//! ambiguous. What names leave open is found from the shape of the skeleton alone.

mod body;
mod chain;
mod fingers;
mod names;
mod structure;
#[cfg(test)]
mod tests;
mod tree;

use crate::error::{Warning, WarningCode};
use crate::scene::{HumanoidMap, Scene};
use body::Names;
use tree::Tree;
use vivant::rig::{Bone, BoneSet};

/// Below this many of VRM's fifteen required bones, names are not trusted and nothing is a humanoid.
const ENOUGH: usize = 8;

/// Finds the humanoid bones of a scene.
///
/// The map is empty if the scene has no humanoid: hips, head and at least eight of the fifteen bones
/// that VRM requires. No two bones are one node, and along each limb, the trunk and the fingers a
/// bone hangs below the one before it; only a foot may hang elsewhere than on its leg, and a limb
/// elsewhere than on the trunk. Bones that were found by structure rather than by name are listed in
/// one warning.
#[must_use]
pub fn find(scene: &Scene, warnings: &mut Vec<Warning>) -> HumanoidMap {
    let tree = Tree::new(scene);
    let names = Names::new(&tree);
    let (mut map, mut guessed) = body::find(&names);
    if map.missing().len() + ENOUGH > REQUIRED {
        (map, guessed) = (HumanoidMap::default(), BoneSet::EMPTY);
    }
    drop_misfits(&tree, &mut map);
    if !map.missing().is_empty() {
        guessed = guessed.union(structure::fill(&tree, &mut map));
        body::add_face(&names, &mut map);
    }
    fingers::add(&names, &mut map);
    drop_misfits(&tree, &mut map);
    if !is_humanoid(&map) {
        return HumanoidMap::default();
    }
    warn_of(guessed, &map, warnings);
    map
}

/// Whether the scene has bones for the eyelids.
#[must_use]
pub fn has_lid_bones(scene: &Scene) -> bool {
    lids(scene).next().is_some()
}

/// A node that is named as an eyelid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NamedLid {
    pub(crate) node: usize,
    /// 0 left, 1 right, if the name says it.
    pub(crate) eye: Option<usize>,
    pub(crate) is_lower: bool,
}

/// The bones that are named as eyelids.
pub(crate) fn lids(scene: &Scene) -> impl Iterator<Item = NamedLid> + '_ {
    let has_joints = scene.nodes().iter().any(|n| n.is_joint);
    let nodes = scene.nodes().iter().enumerate().filter(move |(_, n)| n.is_joint || !has_joints);
    nodes.filter_map(|(node, n)| {
        let lid = names::read_lid(&n.name)?;
        let eye = lid.side.map(|side| usize::from(side == names::Side::Right));
        Some(NamedLid { node, eye, is_lower: lid.is_lower })
    })
}

const REQUIRED: usize = 15;

fn is_humanoid(map: &HumanoidMap) -> bool {
    let has = |bone| map.node(bone).is_some();
    has(Bone::Hips) && has(Bone::Head) && map.missing().len() + ENOUGH <= REQUIRED
}

fn warn_of(guessed: BoneSet, map: &HumanoidMap, warnings: &mut Vec<Warning>) {
    let found: Vec<_> = guessed.iter().filter(|b| map.node(*b).is_some()).map(Bone::name).collect();
    if !found.is_empty() {
        let message = format!(
            "found by the shape of the skeleton, not by name: {}. Name these bones as VRM does if they are wrong",
            found.join(", ")
        );
        warnings.push(Warning::new(WarningCode::Guessed, "humanoid", message));
    }
}

/// Takes out every bone that contradicts one before it.
fn drop_misfits(tree: &Tree<'_>, map: &mut HumanoidMap) {
    let mut kept = HumanoidMap::default();
    for (bone, node) in map.iter() {
        if fits(tree, &kept, bone, node) {
            kept.set(bone, Some(node));
        }
    }
    *map = kept;
}

/// Whether a node can be this bone beside the bones that are known.
fn fits(tree: &Tree<'_>, map: &HumanoidMap, bone: Bone, node: usize) -> bool {
    map.iter().all(|(other, at)| {
        let is_right_way = match (bone.ancestors().any(|b| b == other), other.ancestors().any(|b| b == bone))
        {
            (true, _) => hangs_well(tree, (other, at), (bone, node)),
            (_, true) => hangs_well(tree, (bone, node), (other, at)),
            _ => true,
        };
        at != node && (other == bone || is_right_way)
    })
}

fn hangs_well(tree: &Tree<'_>, upper: (Bone, usize), lower: (Bone, usize)) -> bool {
    tree.is_below(lower.1, upper.1) || may_be_detached(upper.0, lower.0) && !tree.is_below(upper.1, lower.1)
}

/// Rigs may hang limbs on helpers beside the trunk, and feet on the root.
fn may_be_detached(upper: Bone, lower: Bone) -> bool {
    let part =
        |bone| [BoneSet::LEFT_ARM, BoneSet::RIGHT_ARM, BoneSet::LEGS].iter().position(|p| p.contains(bone));
    let is_foot = matches!(lower, Bone::LeftFoot | Bone::RightFoot | Bone::LeftToes | Bone::RightToes);
    let is_leg = !matches!(upper, Bone::LeftFoot | Bone::RightFoot);
    upper == Bone::Hips || part(upper) != part(lower) && part(lower).is_some() || is_foot && is_leg
}
