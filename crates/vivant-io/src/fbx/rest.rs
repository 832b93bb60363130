//! Finds the rest pose of an FBX.
//!
//! The node transforms in the file are the pose in which the artist saved it, often the first frame of a take. The
//! bind pose of the skin is the pose in which the character was built, so it is the better rest pose.

use super::{LARGEST, affine};
use crate::error::{Warning, WarningCode};
use crate::scene::Transform;
use glam::{DAffine3, DVec3};

/// Returns for each node whether it is a bone or moves a skin.
pub(super) fn joints(file: &ufbx::Scene) -> Vec<bool> {
    let has_bone = |node: &ufbx::Node| node.bone.is_some();
    // If ufbx adds a scale helper, the bone moves into the helper.
    let is_bone =
        |n: &ufbx::Node| has_bone(n) || n.scale_helper.as_ref().is_some_and(|helper| has_bone(helper));
    let mut joints: Vec<bool> = (&file.nodes).into_iter().map(is_bone).collect();
    for node in file.skin_clusters.iter().filter_map(|c| c.bone_node.as_ref()) {
        if let Some(joint) = joints.get_mut(node.element.typed_id as usize) {
            *joint = true;
        }
    }
    joints
}

/// Returns the rest transforms of all nodes; `file_pose` contains the transforms in the file.
pub(super) fn find(
    file: &ufbx::Scene,
    file_pose: &[Transform],
    warnings: &mut Vec<Warning>,
) -> Vec<Transform> {
    let bound = bound_worlds(file);
    let file_worlds = worlds(file, |index, parent| parent * affine(&file_pose[index]));
    let bind_worlds =
        worlds(file, |index, parent| bound[index].unwrap_or(parent * affine(&file_pose[index])));
    if is_same_pose(&file_worlds, &bind_worlds) {
        return file_pose.to_vec();
    }
    if !has_same_proportions(file, &bound, &file_worlds) {
        let message =
            "the bind pose has other proportions than the skeleton; using the pose in the file as rest pose";
        warnings.push(Warning::new(WarningCode::Guessed, "Pose", message));
        return file_pose.to_vec();
    }
    let local = |(index, node): (usize, &ufbx::Node)| {
        let parent = node.parent.as_ref().and_then(|p| bind_worlds.get(p.element.typed_id as usize));
        bound[index].and_then(|world| decompose(parent.map_or(world, |p| p.inverse() * world)))
    };
    let locals = (&file.nodes).into_iter().enumerate().map(local);
    locals.zip(file_pose).map(|(bound, local_in_file)| bound.unwrap_or(*local_in_file)).collect()
}

/// Returns each joint's world transform in the bind pose, if the file has it.
fn bound_worlds(file: &ufbx::Scene) -> Vec<Option<DAffine3>> {
    let mut worlds = vec![None; file.nodes.len()];
    let joints = joints(file);
    let mut bind = |node: &ufbx::Node, matrix: &ufbx::Matrix| {
        let index = node.element.typed_id as usize;
        if let (Some(slot), Some(true)) = (worlds.get_mut(index), joints.get(index)) {
            *slot = slot.or_else(|| matrix_of(matrix));
        }
    };
    for cluster in &file.skin_clusters {
        if let Some(node) = &cluster.bone_node {
            bind(node, &cluster.bind_to_world);
        }
    }
    for pose in file.poses.iter().filter(|pose| pose.is_bind_pose) {
        pose.bone_poses.iter().for_each(|bone| bind(&bone.bone_node, &bone.bone_to_world));
    }
    worlds
}

pub(super) fn matrix_of(m: &ufbx::Matrix) -> Option<DAffine3> {
    let columns = [m.m00, m.m10, m.m20, m.m01, m.m11, m.m21, m.m02, m.m12, m.m22, m.m03, m.m13, m.m23];
    let matrix = DAffine3::from_cols_array(&columns);
    let is_sane = columns.iter().all(|c| c.abs() <= LARGEST) && matrix.matrix3.determinant().abs() > 1e-12;
    is_sane.then_some(matrix)
}

/// Computes the world transform of every node. `world` takes the index of a node and the world transform of its
/// parent. ufbx lists parents before their children.
fn worlds(file: &ufbx::Scene, world: impl Fn(usize, DAffine3) -> DAffine3) -> Vec<DAffine3> {
    let mut worlds: Vec<DAffine3> = Vec::with_capacity(file.nodes.len());
    for (index, node) in file.nodes.iter().enumerate() {
        let parent = node.parent.as_ref().and_then(|p| worlds.get(p.element.typed_id as usize));
        worlds.push(world(index, parent.copied().unwrap_or(DAffine3::IDENTITY)));
    }
    worlds
}

fn is_same_pose(a: &[DAffine3], b: &[DAffine3]) -> bool {
    let near = |a: &DAffine3, b: &DAffine3| {
        let size = a.matrix3.to_cols_array().into_iter().fold(1.0, |m: f64, v| m.max(v.abs()));
        a.translation.distance(b.translation) < 1e-4
            && (a.matrix3 - b.matrix3).abs_diff_eq(glam::DMat3::ZERO, 1e-3 * size)
    };
    a.iter().zip(b).all(|(a, b)| near(a, b))
}

/// Returns true if bones have the same lengths in the bind pose as in the file. Some exporters write bind poses in
/// other units or of another skeleton; these are ignored.
fn has_same_proportions(file: &ufbx::Scene, bound: &[Option<DAffine3>], file_pose: &[DAffine3]) -> bool {
    let ratio = |(index, node): (usize, &ufbx::Node)| {
        let parent = node.parent.as_ref()?.element.typed_id as usize;
        let length = |a: DVec3, b: DVec3| Some(a.distance(b)).filter(|length| *length > 1e-4);
        let bind = length(bound[index]?.translation, bound.get(parent).copied()??.translation)?;
        Some(bind / length(file_pose[index].translation, file_pose.get(parent)?.translation)?)
    };
    let mut ratios: Vec<f64> = (&file.nodes).into_iter().enumerate().filter_map(ratio).collect();
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).is_none_or(|median| (0.9..=1.1).contains(median))
}

fn decompose(matrix: DAffine3) -> Option<Transform> {
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    let transform = Transform {
        translation: translation.as_vec3(),
        rotation: rotation.as_quat(),
        scale: scale.as_vec3(),
    };
    let is_sane =
        translation.is_finite() && scale.is_finite() && rotation.is_finite() && rotation.length() > 0.5;
    is_sane.then(|| Transform { rotation: transform.rotation.normalize(), ..transform })
}
