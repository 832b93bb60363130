//! Finds the humanoid bones in files that do not name them.
//!
//! VRM files state their bones. In glTF, FBX and BVH, names and hierarchy depend on the tool that wrote the file.
//! [`find`] first reads names — of Mixamo, Ready Player Me, 3ds Max, VRoid, Unreal, Blender's Rigify, the BVH
//! libraries and others that use words of anatomy — and uses the hierarchy where a word is ambiguous. Remaining bones
//! are found from the shape of the skeleton.

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

/// Minimum number of VRM's fifteen required bones. With fewer bones, the names are not trusted, and the file counts
/// as a file without a humanoid.
const MIN_REQUIRED_BONES: usize = 8;

/// Finds the humanoid bones of a scene.
///
/// The map is empty if the scene has no humanoid. A humanoid has hips, a head and at least eight of the fifteen bones
/// that VRM requires. No two bones share a node, and along each limb, the trunk and the fingers, each bone is a
/// descendant of the previous bone. There are two exceptions: a foot may be detached from its leg, and a limb may be
/// detached from the trunk. Bones that were found by structure instead of name are listed in one warning.
#[must_use]
pub fn find(scene: &Scene, warnings: &mut Vec<Warning>) -> HumanoidMap {
    let tree = Tree::new(scene);
    let names = Names::new(&tree);
    let (mut map, mut guessed) = body::find(&names);
    if map.missing().len() + MIN_REQUIRED_BONES > REQUIRED {
        (map, guessed) = (HumanoidMap::default(), BoneSet::EMPTY);
    }
    drop_contradictions(&tree, &mut map);
    if !map.missing().is_empty() {
        guessed = guessed.union(structure::fill(&tree, &mut map));
        body::add_face(&names, &mut map);
    }
    fingers::add(&names, &mut map);
    drop_contradictions(&tree, &mut map);
    if !is_humanoid(&map) {
        return HumanoidMap::default();
    }
    warn_about_guesses(guessed, &map, warnings);
    map
}

/// Returns true if the scene has eyelid bones.
#[must_use]
pub fn has_lid_bones(scene: &Scene) -> bool {
    lids(scene).next().is_some()
}

/// A node named as an eyelid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NamedLid {
    pub(crate) node: usize,
    /// 0 left, 1 right, if the name contains a side.
    pub(crate) eye: Option<usize>,
    pub(crate) is_lower: bool,
}

/// Iterates over the bones named as eyelids.
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
    has(Bone::Hips) && has(Bone::Head) && map.missing().len() + MIN_REQUIRED_BONES <= REQUIRED
}

fn warn_about_guesses(guessed: BoneSet, map: &HumanoidMap, warnings: &mut Vec<Warning>) {
    let found: Vec<_> = guessed.iter().filter(|b| map.node(*b).is_some()).map(Bone::name).collect();
    if !found.is_empty() {
        let message = format!(
            "bones found by the shape of the skeleton, not by name: {}. If they are wrong, name them as in VRM",
            found.join(", ")
        );
        warnings.push(Warning::new(WarningCode::Guessed, "humanoid", message));
    }
}

/// Removes every bone that contradicts a bone that was already accepted.
fn drop_contradictions(tree: &Tree<'_>, map: &mut HumanoidMap) {
    let mut kept = HumanoidMap::default();
    for (bone, node) in map.iter() {
        if fits(tree, &kept, bone, node) {
            kept.set(bone, Some(node));
        }
    }
    *map = kept;
}

/// Returns true if `node` can be `bone`, given the bones in `map`.
fn fits(tree: &Tree<'_>, map: &HumanoidMap, bone: Bone, node: usize) -> bool {
    map.iter().all(|(other, at)| {
        let is_right_way = match (bone.ancestors().any(|b| b == other), other.ancestors().any(|b| b == bone))
        {
            (true, _) => is_attached(tree, (other, at), (bone, node)),
            (_, true) => is_attached(tree, (bone, node), (other, at)),
            _ => true,
        };
        at != node && (other == bone || is_right_way)
    })
}

fn is_attached(tree: &Tree<'_>, upper: (Bone, usize), lower: (Bone, usize)) -> bool {
    tree.is_below(lower.1, upper.1) || may_be_detached(upper.0, lower.0) && !tree.is_below(upper.1, lower.1)
}

/// Returns true if `lower` need not be a descendant of `upper`. In some rigs, limbs are children of helper nodes
/// outside the trunk, and feet are children of the root.
fn may_be_detached(upper: Bone, lower: Bone) -> bool {
    let part =
        |bone| [BoneSet::LEFT_ARM, BoneSet::RIGHT_ARM, BoneSet::LEGS].iter().position(|p| p.contains(bone));
    let is_foot = matches!(lower, Bone::LeftFoot | Bone::RightFoot | Bone::LeftToes | Bone::RightToes);
    let is_leg = !matches!(upper, Bone::LeftFoot | Bone::RightFoot);
    upper == Bone::Hips || part(upper) != part(lower) && part(lower).is_some() || is_foot && is_leg
}
