//! Writes the avatar as a VRM 1.0 file: nodes, one skin, two meshes, and the VRM extension.
//!
//! The file is normalised: every node is a humanoid bone with only a translation, so that rotations have the same
//! meaning in every program. All parts that expressions move are in one mesh, `face`, so an expression is bound to
//! one node.

mod extension;
mod geometry;
mod materials;
mod recipes;

use super::mesh::{Material, Part};
use crate::look::Look;
use geometry::Targets;
use glam::Vec3;
use serde_json::{Value, json};
use vivant::rig::{Bone, Rig};
use vivant_io::gltf::Builder;

/// Returns the contents of the file.
pub(super) fn write(parts: &[Part], rig: &Rig, look: &Look) -> Vec<u8> {
    let mut to = Builder::new();
    let materials = Materials::add(&mut to, parts, look);
    let (root, skin) = add_skeleton(&mut to, rig);
    let targets = Targets::of(parts);
    let face = add_mesh(&mut to, "face", parts.iter().filter(|p| p.has_shapes()), &materials, &targets, skin);
    let bare = parts.iter().filter(|p| !p.has_shapes());
    let body = add_mesh(&mut to, "body", bare, &materials, &Targets::default(), skin);
    let nodes: Vec<usize> = [Some(root), face, body].into_iter().flatten().collect();
    to.set("scene", json!(0));
    to.set("scenes", json!([{ "nodes": nodes }]));
    to.set("extensionsUsed", json!(materials::EXTENSIONS));
    let meshes = extension::Meshes { face: face.map(|node| (node, &targets)), body };
    to.set("extensions", json!({ "VRMC_vrm": extension::vrm(rig, &meshes) }));
    to.finish().expect("an avatar is far below the 4 GB limit of GLB")
}

/// Returns the number of morph targets of the face.
pub(super) fn morphs(parts: &[Part]) -> usize {
    Targets::of(parts).names().len()
}

impl Part {
    fn has_shapes(&self) -> bool {
        !self.mesh.shapes.is_empty()
    }
}

/// The materials in the order of the file. The flag is true if the material has a texture.
struct Materials(Vec<(Material, bool)>);

impl Materials {
    fn add(to: &mut Builder, parts: &[Part], look: &Look) -> Self {
        let mut used: Vec<Material> = parts.iter().map(|part| part.material).collect();
        used.sort_unstable();
        used.dedup();
        let has_uvs = |part: &Part| part.mesh.uvs.len() == part.mesh.positions.len();
        let textured = |material: Material| parts.iter().filter(|p| p.material == material).all(has_uvs);
        let list: Vec<(Material, bool)> = used.iter().map(|m| (*m, textured(*m))).collect();
        let textured = materials::add(to, &list, look);
        Self(used.into_iter().zip(textured).collect())
    }

    /// Returns the index of a material in the file, and true if it has a texture.
    fn get(&self, material: Material) -> (usize, bool) {
        let place = self.0.iter().position(|(m, _)| *m == material).unwrap_or_default();
        (place, self.0.get(place).is_some_and(|(_, textured)| *textured))
    }
}

/// Returns the node of a bone. Bones are written in the order of [`Bone::ALL`], so joints, bones and nodes have the
/// same index.
fn node_of(bone: Bone) -> usize {
    bone.index()
}

/// Adds all bones below a root, and the skin of all meshes. Returns the root and the skin.
fn add_skeleton(to: &mut Builder, rig: &Rig) -> (usize, usize) {
    for bone in Bone::ALL {
        let mut node = json!({ "name": bone.name(), "translation": rig.rest_translation(bone).to_array() });
        let children: Vec<usize> =
            Bone::ALL.into_iter().filter(|child| child.parent() == Some(bone)).map(node_of).collect();
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        to.push("nodes", node);
    }
    let root = to.push("nodes", json!({ "name": "root", "children": [node_of(Bone::Hips)] }));
    let to_bones: Vec<[f32; 16]> = Bone::ALL.map(|bone| moved_by(-rig.rest_position(bone))).to_vec();
    let matrices = geometry::push_floats(to, &to_bones, "MAT4", None);
    let joints: Vec<usize> = Bone::ALL.map(node_of).to_vec();
    let skin = json!({ "inverseBindMatrices": matrices, "joints": joints, "skeleton": root });
    (root, to.push("skins", skin))
}

/// Returns a translation as a column-major matrix.
fn moved_by(by: Vec3) -> [f32; 16] {
    glam::Mat4::from_translation(by).to_cols_array()
}

/// Adds a mesh with one primitive per part, and its node. Returns `None` if there are no parts.
fn add_mesh<'p>(
    to: &mut Builder,
    name: &str,
    parts: impl Iterator<Item = &'p Part>,
    materials: &Materials,
    targets: &Targets,
    skin: usize,
) -> Option<usize> {
    let seen = parts.filter(|part| !part.mesh.triangles.is_empty());
    let primitives: Vec<Value> =
        seen.map(|part| geometry::primitive(to, &part.mesh, materials.get(part.material), targets)).collect();
    if primitives.is_empty() {
        return None;
    }
    let mut mesh = json!({ "name": name, "primitives": primitives });
    if !targets.names().is_empty() {
        mesh["extras"] = json!({ "targetNames": targets.names() });
        mesh["weights"] = json!(vec![0.0; targets.names().len()]);
    }
    let mesh = to.push("meshes", mesh);
    Some(to.push("nodes", json!({ "name": name, "mesh": mesh, "skin": skin })))
}

#[cfg(test)]
mod tests;
