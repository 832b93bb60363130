//! The parts of an avatar: skinned meshes with morph targets.

use glam::{Vec2, Vec3};
use vivant::rig::Bone;

/// The bones that move a vertex, with their weights. Weights are in descending order and sum to 1.
pub(crate) type Skin = [(Bone, f32); 4];

/// Returns the weights of a vertex that is moved by a single bone.
pub(crate) const fn rigid(bone: Bone) -> Skin {
    [(bone, 1.0), (bone, 0.0), (bone, 0.0), (bone, 0.0)]
}

/// A mesh: lists with one entry per vertex, and triangles that are anticlockwise when seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Mesh {
    pub(crate) positions: Vec<Vec3>,
    pub(crate) normals: Vec<Vec3>,
    pub(crate) uvs: Vec<Vec2>,
    pub(crate) skins: Vec<Skin>,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// The morph targets. An expression without a morph target leaves the mesh unchanged.
    pub(crate) shapes: Vec<Shape>,
}

/// A morph target with its name, such as `eyeBlinkLeft` or `viseme_aa`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    /// The vertices that move, in ascending order.
    pub(crate) moves: Vec<Move>,
}

/// The movement of one vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Move {
    pub(crate) vertex: u32,
    pub(crate) by: Vec3,
    /// The vector that is added to the normal of the vertex.
    pub(crate) normal: Vec3,
}

/// The material of a surface, which determines colours and shading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Material {
    /// The head's skin, with lips and cheeks painted on.
    Face,
    /// Hands and neck.
    Skin,
    /// Eyeballs.
    Eye,
    /// Lashes and brows.
    Lash,
    Hair,
    /// The inside of the mouth.
    Mouth,
    Teeth,
    Tongue,
    /// The jumper.
    Top,
    /// The collar, cuffs and hem of the jumper.
    Trim,
    Trousers,
    Shoes,
    /// Soles and laces.
    Soles,
}

/// A mesh with one material.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) material: Material,
    pub(crate) mesh: Mesh,
}

impl Mesh {
    /// Computes normals from the triangles around each vertex, weighted by angle.
    pub(crate) fn computed_normals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
        let mut normals = vec![Vec3::ZERO; positions.len()];
        for triangle in triangles {
            let corner = triangle.map(|i| positions[i as usize]);
            let face = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
            for (k, index) in triangle.iter().enumerate() {
                let [a, b] = [corner[(k + 1) % 3] - corner[k], corner[(k + 2) % 3] - corner[k]];
                // Dividing the cross product by the squared edge lengths approximates weighting by angle.
                let weight = a.length_squared() * b.length_squared();
                normals[*index as usize] += face / weight.max(1e-18);
            }
        }
        normals.into_iter().map(|n| n.normalize_or(Vec3::Y)).collect()
    }

    /// Appends another mesh to this mesh.
    pub(crate) fn append(&mut self, other: &Self) {
        let first = self.positions.len() as u32;
        self.positions.extend(&other.positions);
        self.normals.extend(&other.normals);
        self.uvs.extend(&other.uvs);
        self.skins.extend(&other.skins);
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|i| i + first)));
        for shape in &other.shapes {
            let moves = shape.moves.iter().map(|m| Move { vertex: m.vertex + first, ..*m });
            match self.shapes.iter_mut().find(|s| s.name == shape.name) {
                Some(mine) => mine.moves.extend(moves),
                None => self.shapes.push(Shape { name: shape.name, moves: moves.collect() }),
            }
        }
    }
}
