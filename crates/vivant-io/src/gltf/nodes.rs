//! Reads nodes and their rest transforms, and marks the nodes that are joints.

use crate::error::{Result, Warning, WarningCode};
use crate::gltf::field::Field;
use crate::limits::{self, MAX_NODES};
use crate::scene::{Node, Transform};
use glam::{Mat4, Quat, Vec3};

/// Reads the nodes of a document in file order.
pub(super) fn read(document: &Field<'_>, warnings: &mut Vec<Warning>) -> Result<Vec<Node>> {
    let list = document.key("nodes");
    limits::within("nodes", "nodes", list.len()?, MAX_NODES)?;
    let mut nodes = Vec::with_capacity(list.len()?);
    for field in list.items()? {
        let rest = rest(&field, warnings)?;
        nodes.push(Node { name: field.key("name").name(), parent: None, rest, is_joint: false });
    }
    link(&list, &mut nodes, warnings)?;
    Ok(nodes)
}

/// Sets the parent of every child. A child with several parents keeps the first.
fn link(list: &Field<'_>, nodes: &mut [Node], warnings: &mut Vec<Warning>) -> Result<()> {
    let mut duplicate = Vec::new();
    for (parent, field) in list.items()?.enumerate() {
        for reference in field.key("children").items()? {
            let index = reference.index("node", nodes.len());
            let child = reference.required(index, "the index of a node")?;
            let slot = &mut nodes[child].parent;
            match slot {
                Some(first) if *first != parent => duplicate.push(reference.path().to_owned()),
                _ => *slot = Some(parent),
            }
        }
    }
    if let Some(place) = duplicate.first() {
        let message = format!("{} nodes have two parents; each keeps the first", duplicate.len());
        warnings.push(Warning::new(WarningCode::Repaired, place, message));
    }
    Ok(())
}

fn rest(field: &Field<'_>, warnings: &mut Vec<Warning>) -> Result<Transform> {
    if let Some(columns) = field.key("matrix").floats::<16>()? {
        return Ok(decompose(&field.key("matrix"), &Mat4::from_cols_array(&columns), warnings));
    }
    let rotation = field.key("rotation");
    let quaternion = Quat::from_array(rotation.floats()?.unwrap_or([0.0, 0.0, 0.0, 1.0]));
    Ok(Transform {
        translation: Vec3::from(field.key("translation").floats()?.unwrap_or([0.0; 3])),
        rotation: unit(quaternion).unwrap_or_else(|| not_a_rotation(&rotation, warnings)),
        scale: Vec3::from(field.key("scale").floats()?.unwrap_or([1.0; 3])),
    })
}

/// Normalises a quaternion; `None` if it is zero or not finite.
pub(super) fn unit(quaternion: Quat) -> Option<Quat> {
    let length = quaternion.length();
    (length.is_finite() && length > 1e-6).then(|| quaternion / length)
}

fn not_a_rotation(place: &Field<'_>, warnings: &mut Vec<Warning>) -> Quat {
    let message = "not a valid rotation; using the identity";
    warnings.push(Warning::new(WarningCode::Repaired, place.path(), message));
    Quat::IDENTITY
}

/// Splits a matrix into translation, rotation and scale; shear, which glTF forbids, is dropped.
fn decompose(place: &Field<'_>, matrix: &Mat4, warnings: &mut Vec<Warning>) -> Transform {
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    // If an axis has zero scale, the rotation is unknown.
    let flat = !(scale.is_finite() && scale.abs().min_element() > 1e-9);
    let rotation = if flat { None } else { unit(rotation) };
    Transform {
        translation,
        rotation: rotation.unwrap_or_else(|| not_a_rotation(place, warnings)),
        scale: if scale.is_finite() { scale } else { Vec3::ONE },
    }
}

/// Marks the joints: nodes used by a skin or the humanoid, and their ancestors. In a file without skins (pure
/// motion), all nodes without a mesh are joints.
pub(super) fn mark_joints(document: &Field<'_>, humanoid: &[usize], nodes: &mut [Node]) -> Result<()> {
    let skins = document.key("skins");
    let mut used = humanoid.to_vec();
    for skin in skins.items()? {
        for joint in skin.key("joints").items()? {
            used.extend(joint.index("node", nodes.len())?);
        }
    }
    if skins.len()? == 0 && humanoid.is_empty() {
        for (node, field) in nodes.iter_mut().zip(document.key("nodes").items()?) {
            node.is_joint = !["mesh", "camera"].iter().any(|what| field.key(what).exists());
        }
    }
    for joint in used {
        mark_ancestors(joint, nodes);
    }
    Ok(())
}

/// Marks a node and its ancestors up to the first marked one.
fn mark_ancestors(joint: usize, nodes: &mut [Node]) {
    let mut next = Some(joint);
    while let Some(node) = next.and_then(|index| nodes.get_mut(index)).filter(|n| !n.is_joint) {
        node.is_joint = true;
        next = node.parent;
    }
}
