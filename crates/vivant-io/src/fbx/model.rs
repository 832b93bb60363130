//! Converts an FBX avatar to a GLB that viewers can show: the same nodes at rest, meshes, skins, blend shapes,
//! colours and embedded images.

use super::{Geometry, load, rest};
use crate::error::{Error, Result};
use crate::gltf::Builder;
use crate::limits;
use crate::scene::{ShapeBind, Source};
use glam::{DAffine3, DVec3};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Maximum number of face corners.
const MAX_CORNERS: usize = 12 << 20;
/// Maximum number of vertices that blend shapes move, in total.
const MAX_MOVES: usize = 16 << 20;

const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;
const F32: u32 = 5126;
const U32: u32 = 5125;
const U16: u32 = 5123;

/// Writes the avatar that `source` was read from. Nodes keep their indices.
///
/// # Errors
/// If the file cannot be read, is not the file of `source`, or has too much geometry.
pub fn glb(bytes: &[u8], source: &Source) -> Result<Vec<u8>> {
    let file = load(bytes, Geometry::Display)?;
    if file.nodes.len() != source.scene.nodes().len() {
        return Err(Error::new("this is not the file that the avatar was read from; give that file"));
    }
    let corners: usize = file.meshes.iter().map(|mesh| mesh.num_indices).sum();
    limits::within("Objects", "corners of faces", corners, MAX_CORNERS)?;
    let mut model = Model { source, to: Builder::new(), materials: HashMap::new(), moves_left: MAX_MOVES };
    let mut nodes = gltf_nodes(source);
    for mesh in &file.meshes {
        model.add(mesh, &mut nodes);
    }
    for node in nodes {
        model.to.push("nodes", node);
    }
    let is_root = |index: &usize| source.scene.nodes()[*index].parent.is_none();
    let roots: Vec<usize> = (0..source.scene.nodes().len()).filter(is_root).collect();
    model.to.set("scene", json!(0));
    model.to.push("scenes", json!({ "nodes": roots }));
    model.to.finish()
}

fn gltf_nodes(source: &Source) -> Vec<Value> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); source.scene.nodes().len()];
    for (index, node) in source.scene.nodes().iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent].push(index);
        }
    }
    let nodes = source.scene.nodes().iter().zip(children);
    let node = |(node, children): (&crate::scene::Node, Vec<usize>)| {
        let mut value = json!({
            "name": node.name,
            "translation": node.rest.translation.to_array(),
            "rotation": node.rest.rotation.to_array(),
            "scale": node.rest.scale.to_array(),
        });
        if !children.is_empty() {
            value["children"] = json!(children);
        }
        value
    };
    nodes.map(node).collect()
}

struct Model<'a> {
    source: &'a Source,
    to: Builder,
    /// Index of each material in the GLB, by its index in the FBX.
    materials: HashMap<u32, usize>,
    moves_left: usize,
}

/// A face corner: indices of position, normal and texture coordinate.
type Corner = (u32, Option<u32>, Option<u32>);

/// The triangles of one material, and their distinct corners.
#[derive(Default)]
struct Part {
    corners: Vec<Corner>,
    numbers: HashMap<Corner, u32>,
    triangles: Vec<u32>,
}

impl Part {
    fn number(&mut self, corner: Corner) -> u32 {
        *self.numbers.entry(corner).or_insert_with(|| {
            self.corners.push(corner);
            self.corners.len() as u32 - 1
        })
    }
}

impl Model<'_> {
    fn add(&mut self, mesh: &ufbx::Mesh, nodes: &mut [Value]) {
        let parts = parts(mesh);
        let Some(instance) = mesh.element.instances.first().filter(|_| !parts.is_empty()) else { return };
        let skin = mesh.skin_deformers.first().filter(|skin| !skin.clusters.is_empty());
        // Vertices with a skin are used as they are. Vertices without a skin are transformed by their node.
        let own = rest::matrix_of(&instance.geometry_to_node).filter(|_| skin.is_none());
        let own = own.unwrap_or(DAffine3::IDENTITY);
        let shapes: Vec<Shape> = shapes(mesh).collect();
        let primitives: Vec<Value> = parts
            .iter()
            .map(|(material, part)| self.primitive(mesh, *material, part, own, &shapes))
            .collect();
        let mut value = json!({ "primitives": primitives });
        if !shapes.is_empty() {
            let node = instance.element.typed_id as usize;
            let names: Vec<&str> =
                (0..shapes.len()).map(|target| shape_name(self.source, node, target)).collect();
            value["extras"] = json!({ "targetNames": names });
            value["weights"] = json!(vec![0.0; names.len()]);
        }
        let number = self.to.push("meshes", value);
        let skin = skin.map(|skin| self.skin(skin));
        for instance in &mesh.element.instances {
            let Some(node) = nodes.get_mut(instance.element.typed_id as usize) else { continue };
            node["mesh"] = json!(number);
            if let Some(skin) = skin {
                node["skin"] = json!(skin);
            }
        }
    }

    fn primitive(
        &mut self,
        mesh: &ufbx::Mesh,
        material: Option<u32>,
        part: &Part,
        own: DAffine3,
        shapes: &[Shape],
    ) -> Value {
        let place = |(vertex, ..): &Corner| point(mesh.vertices.get(*vertex as usize), own);
        let places: Vec<[f32; 3]> = part.corners.iter().map(place).collect();
        let mut attributes = json!({ "POSITION": self.floats(&places, "VEC3", true) });
        if mesh.vertex_normal.exists {
            let turn = own.matrix3.inverse().transpose();
            let normal = |(_, normal, _): &Corner| {
                let normal = normal.and_then(|n| mesh.vertex_normal.values.get(n as usize));
                let normal = turn * normal.map_or(DVec3::Y, |n| DVec3::new(n.x, n.y, n.z));
                normal.try_normalize().unwrap_or(DVec3::Y).as_vec3().to_array()
            };
            let normals: Vec<[f32; 3]> = part.corners.iter().map(normal).collect();
            attributes["NORMAL"] = json!(self.floats(&normals, "VEC3", false));
        }
        if mesh.vertex_uv.exists {
            let uv = |(_, _, uv): &Corner| {
                let uv = uv.and_then(|uv| mesh.vertex_uv.values.get(uv as usize));
                uv.map_or([0.0; 2], |uv| [sane(uv.x), 1.0 - sane(uv.y)])
            };
            let uvs: Vec<[f32; 2]> = part.corners.iter().map(uv).collect();
            attributes["TEXCOORD_0"] = json!(self.floats(&uvs, "VEC2", false));
        }
        if let Some(skin) = mesh.skin_deformers.first().filter(|skin| !skin.clusters.is_empty()) {
            let (joints, weights) = self.skinning(skin, part);
            attributes["JOINTS_0"] = json!(joints);
            attributes["WEIGHTS_0"] = json!(weights);
        }
        let bytes: Vec<u8> = part.triangles.iter().flat_map(|corner| corner.to_le_bytes()).collect();
        let view = self.to.push_bytes(&bytes, Some(INDICES));
        let indices = self.accessor(view, U32, part.triangles.len(), "SCALAR");
        let mut primitive = json!({ "attributes": attributes, "indices": indices });
        if let Some(material) = material.and_then(|m| mesh.materials.get(m as usize)) {
            primitive["material"] = json!(self.material(material));
        }
        if !shapes.is_empty() {
            let targets: Vec<Value> = shapes.iter().map(|shape| self.target(shape, part, own)).collect();
            primitive["targets"] = json!(targets);
        }
        primitive
    }

    fn floats<const N: usize>(&mut self, values: &[[f32; N]], kind: &str, bounded: bool) -> usize {
        let bytes: Vec<u8> = values.as_flattened().iter().flat_map(|v| v.to_le_bytes()).collect();
        let view = self.to.push_bytes(&bytes, Some(VERTICES));
        let mut accessor =
            json!({ "bufferView": view, "componentType": F32, "count": values.len(), "type": kind });
        if bounded {
            let bound = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
                (0..N).map(|i| values.iter().map(|v| v[i]).reduce(pick).unwrap_or(0.0)).collect()
            };
            (accessor["min"], accessor["max"]) = (json!(bound(f32::min)), json!(bound(f32::max)));
        }
        self.to.push("accessors", accessor)
    }

    fn accessor(&mut self, view: usize, component: u32, count: usize, kind: &str) -> usize {
        let accessor =
            json!({ "bufferView": view, "componentType": component, "count": count, "type": kind });
        self.to.push("accessors", accessor)
    }

    /// Writes the four strongest joints of each corner and their weights.
    fn skinning(&mut self, skin: &ufbx::SkinDeformer, part: &Part) -> (usize, usize) {
        let (mut joints, mut shares) = (Vec::new(), Vec::new());
        for (vertex, ..) in &part.corners {
            let four = strongest(skin, *vertex as usize);
            joints.extend(four.iter().flat_map(|(joint, _)| joint.to_le_bytes()));
            shares.push(four.map(|(_, share)| share));
        }
        let view = self.to.push_bytes(&joints, Some(VERTICES));
        (self.accessor(view, U16, shares.len(), "VEC4"), self.floats(&shares, "VEC4", false))
    }

    fn skin(&mut self, skin: &ufbx::SkinDeformer) -> usize {
        let joint = |cluster: &ufbx::Ref<ufbx::SkinCluster>| {
            cluster.bone_node.as_ref().map_or(0, |bone| bone.element.typed_id as usize)
        };
        let joints: Vec<usize> = skin.clusters.iter().map(joint).collect();
        let bind = |cluster: &ufbx::Ref<ufbx::SkinCluster>| {
            let matrix = rest::matrix_of(&cluster.geometry_to_bone).unwrap_or(DAffine3::IDENTITY);
            glam::DMat4::from(matrix).as_mat4().to_cols_array()
        };
        let binds: Vec<[f32; 16]> = skin.clusters.iter().map(bind).collect();
        let bytes: Vec<u8> = binds.as_flattened().iter().flat_map(|v| v.to_le_bytes()).collect();
        let view = self.to.push_bytes(&bytes, None);
        let binds = self.accessor(view, F32, binds.len(), "MAT4");
        self.to.push("skins", json!({ "joints": joints, "inverseBindMatrices": binds }))
    }

    fn material(&mut self, material: &ufbx::Material) -> usize {
        let number = material.element.typed_id;
        if let Some(known) = self.materials.get(&number) {
            return *known;
        }
        let map = [&material.pbr.base_color, &material.fbx.diffuse_color];
        let map = map.into_iter().find(|map| map.has_value || map.texture.is_some());
        let map = map.unwrap_or(&material.pbr.base_color);
        let texture = map.texture.as_ref().and_then(|texture| self.texture(texture));
        let colour = &map.value_vec4;
        let colour = if map.has_value { [colour.x, colour.y, colour.z].map(sane) } else { [0.8; 3] };
        // Many programs set the colour to black if there is a texture.
        let [r, g, b] = if texture.is_some() { [1.0; 3] } else { colour.map(|c| c.clamp(0.0, 1.0)) };
        let mut pbr =
            json!({ "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.8 });
        if let Some(texture) = texture {
            pbr["baseColorTexture"] = json!({ "index": texture });
        }
        let value =
            json!({ "name": &*material.element.name, "pbrMetallicRoughness": pbr, "doubleSided": true });
        let new = self.to.push("materials", value);
        self.materials.insert(number, new);
        new
    }

    /// Adds an embedded image if its format is supported by glTF.
    fn texture(&mut self, texture: &ufbx::Texture) -> Option<usize> {
        let content: &[u8] = &texture.content;
        let kind = match content {
            [0x89, b'P', b'N', b'G', ..] => "image/png",
            [0xff, 0xd8, 0xff, ..] => "image/jpeg",
            _ => return None,
        };
        let view = self.to.push_bytes(content, None);
        let image = self.to.push("images", json!({ "bufferView": view, "mimeType": kind }));
        Some(self.to.push("textures", json!({ "source": image })))
    }

    /// Adds a blend shape of one part as a sparse accessor of the corners it moves.
    fn target(&mut self, shape: &Shape, part: &Part, own: DAffine3) -> Value {
        let mut moved: Vec<(u32, [f32; 3])> = Vec::new();
        for (number, (vertex, ..)) in part.corners.iter().enumerate() {
            if let Some(by) = shape.moves.get(vertex) {
                moved.push((number as u32, own.transform_vector3(*by).as_vec3().to_array()));
            }
        }
        moved.truncate(self.moves_left);
        self.moves_left -= moved.len();
        // All other corners have an offset of zero.
        let stays = (moved.len() < part.corners.len()).then_some(0.0);
        let bound = |pick: fn(f32, f32) -> f32| -> [f32; 3] {
            let along = |i: usize| moved.iter().map(|(_, by)| by[i]).chain(stays).reduce(pick);
            std::array::from_fn(|i| along(i).unwrap_or(0.0))
        };
        let mut accessor = json!({
            "componentType": F32, "count": part.corners.len(), "type": "VEC3",
            "min": bound(f32::min), "max": bound(f32::max),
        });
        if !moved.is_empty() {
            let numbers: Vec<u8> = moved.iter().flat_map(|(number, _)| number.to_le_bytes()).collect();
            let by: Vec<u8> =
                moved.iter().flat_map(|(_, by)| by.iter().flat_map(|v| v.to_le_bytes())).collect();
            let [numbers, by] = [numbers, by].map(|bytes| self.to.push_bytes(&bytes, None));
            accessor["sparse"] = json!({
                "count": moved.len(),
                "indices": { "bufferView": numbers, "componentType": U32 },
                "values": { "bufferView": by },
            });
        }
        json!({ "POSITION": self.to.push("accessors", accessor) })
    }
}

/// Returns the name of a blend shape, which is the name of its expression.
fn shape_name(source: &Source, node: usize, target: usize) -> &str {
    let is_it = |bind: &ShapeBind| (bind.node, bind.target) == (node, target);
    let shown = source.expressions.iter().find(|expression| expression.binds.iter().any(is_it));
    shown.map_or("", |expression| expression.channel.name())
}

/// A blend shape: offsets by vertex.
struct Shape {
    moves: HashMap<u32, DVec3>,
}

fn shapes(mesh: &ufbx::Mesh) -> impl Iterator<Item = Shape> + '_ {
    let channels = mesh.blend_deformers.iter().flat_map(|deformer| &*deformer.channels);
    channels.take(limits::MAX_SHAPES).map(|channel| {
        let shape = channel.target_shape.as_deref();
        let offsets = shape.into_iter().flat_map(|s| s.offset_vertices.iter().zip(s.position_offsets.iter()));
        let moves = offsets.map(|(vertex, by)| (*vertex, DVec3::new(by.x, by.y, by.z)));
        Shape { moves: moves.collect() }
    })
}

/// Returns the triangles of a mesh by material.
fn parts(mesh: &ufbx::Mesh) -> Vec<(Option<u32>, Part)> {
    let mut parts: Vec<(Option<u32>, Part)> = Vec::new();
    for (number, face) in mesh.faces.iter().enumerate() {
        let material = mesh.face_material.get(number).copied();
        let at = parts.iter().position(|(there, _)| *there == material).unwrap_or_else(|| {
            parts.push((material, Part::default()));
            parts.len() - 1
        });
        let part = &mut parts[at].1;
        let start = face.index_begin as usize;
        let corners: Vec<u32> = (start..start + face.num_indices as usize)
            .filter_map(|c| corner(mesh, c))
            .map(|c| part.number(c))
            .collect();
        if let [first, others @ ..] = &corners[..] {
            part.triangles.extend(others.windows(2).flat_map(|pair| [*first, pair[0], pair[1]]));
        }
    }
    parts.retain(|(_, part)| !part.triangles.is_empty());
    parts
}

fn corner(mesh: &ufbx::Mesh, at: usize) -> Option<Corner> {
    let vertex = *mesh.vertex_indices.get(at)?;
    let normal = mesh.vertex_normal.indices.get(at).copied().filter(|_| mesh.vertex_normal.exists);
    let uv = mesh.vertex_uv.indices.get(at).copied().filter(|_| mesh.vertex_uv.exists);
    ((vertex as usize) < mesh.vertices.len()).then_some((vertex, normal, uv))
}

fn point(place: Option<&ufbx::Vec3>, own: DAffine3) -> [f32; 3] {
    let place = place.map_or(DVec3::ZERO, |p| DVec3::new(p.x, p.y, p.z));
    own.transform_point3(place).to_array().map(sane)
}

fn strongest(skin: &ufbx::SkinDeformer, vertex: usize) -> [(u16, f32); 4] {
    let range = skin.vertices.get(vertex).map(|v| (v.weight_begin as usize, v.num_weights as usize));
    let weights = range.and_then(|(start, count)| skin.weights.get(start..start.checked_add(count)?));
    let known =
        |w: &&ufbx::SkinWeight| (w.cluster_index as usize) < skin.clusters.len().min(usize::from(u16::MAX));
    let mut all: Vec<(u16, f32)> = weights
        .unwrap_or_default()
        .iter()
        .filter(known)
        .map(|w| (w.cluster_index as u16, sane(w.weight).max(0.0)))
        .collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    let sum: f32 = all.iter().take(4).map(|(_, share)| share).sum();
    let mut four = [(0, 0.0); 4];
    for (to, (joint, share)) in four.iter_mut().zip(&all) {
        *to = if sum > 0.0 && *share > 0.0 { (*joint, share / sum) } else { (0, 0.0) };
    }
    if sum <= 0.0 {
        four[0].1 = 1.0;
    }
    four
}

/// Replaces non-finite and huge values by zero.
fn sane(value: f64) -> f32 {
    if value.abs() < 1e6 { value as f32 } else { 0.0 }
}
