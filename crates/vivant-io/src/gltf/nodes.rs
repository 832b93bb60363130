//! Nodes, their rest transforms, and which of them are joints.

use crate::error::{Result, Warning, WarningCode};
use crate::gltf::field::Field;
use crate::limits::{self, MAX_NODES};
use crate::scene::{Node, Transform};
use glam::{Mat4, Quat, Vec3};

/// The nodes of a document, in its order.
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

/// Gives every child its parent. The first parent that names a child keeps it.
fn link(list: &Field<'_>, nodes: &mut [Node], warnings: &mut Vec<Warning>) -> Result<()> {
    let mut twice = Vec::new();
    for (parent, field) in list.items()?.enumerate() {
        for reference in field.key("children").items()? {
            let index = reference.index("node", nodes.len());
            let child = reference.required(index, "the index of a node")?;
            let slot = &mut nodes[child].parent;
            match slot {
                Some(first) if *first != parent => twice.push(reference.path().to_owned()),
                _ => *slot = Some(parent),
            }
        }
    }
    if let Some(place) = twice.first() {
        let message = format!("{} nodes have two parents; each stays with its first", twice.len());
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

/// The rotation that a quaternion stands for; `None` if it stands for none.
pub(super) fn unit(quaternion: Quat) -> Option<Quat> {
    let length = quaternion.length();
    (length.is_finite() && length > 1e-6).then(|| quaternion / length)
}

fn not_a_rotation(place: &Field<'_>, warnings: &mut Vec<Warning>) -> Quat {
    let message = "this is no rotation; it is read as none";
    warnings.push(Warning::new(WarningCode::Repaired, place.path(), message));
    Quat::IDENTITY
}

/// Translation, rotation and scale of a matrix; shear, which glTF forbids, is left out.
fn decompose(place: &Field<'_>, matrix: &Mat4, warnings: &mut Vec<Warning>) -> Transform {
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    // A flattened axis has no direction, so the rotation cannot be known.
    let flat = !(scale.is_finite() && scale.abs().min_element() > 1e-9);
    let rotation = if flat { None } else { unit(rotation) };
    Transform {
        translation,
        rotation: rotation.unwrap_or_else(|| not_a_rotation(place, warnings)),
        scale: if scale.is_finite() { scale } else { Vec3::ONE },
    }
}

/// Marks the joints: what a skin or the humanoid uses, and everything above it. Where there is no
/// skin at all — a file of pure motion — everything without a mesh counts.
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
        mark_up(joint, nodes);
    }
    Ok(())
}

/// Marks a node and those above it, as far as they are not marked yet.
fn mark_up(joint: usize, nodes: &mut [Node]) {
    let mut next = Some(joint);
    while let Some(node) = next.and_then(|index| nodes.get_mut(index)).filter(|n| !n.is_joint) {
        node.is_joint = true;
        next = node.parent;
    }
}
