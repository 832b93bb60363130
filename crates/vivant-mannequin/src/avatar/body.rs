//! Everything below the head: clothes, hands, shoes and neck.

use super::clothes::{jumper, neck_field, trim, trousers};
use super::hands::left_hand;
use super::loft::{charted, mirrored};
use super::mesh::{Material, Mesh, Part};
use super::shoes::{left_sole, left_upper};
use super::skinning::body_skin;
use super::surface::surface;
use crate::look::Look;
use glam::{Vec2, Vec3};

/// The body of a character. Each surface begins inside the next, so that no pose opens a gap.
pub(crate) fn body(look: &Look) -> Vec<Part> {
    let build = look.build.clamp(-1.0, 1.0);
    [
        ("jumper", Material::Top, jumper(build)),
        ("trim", Material::Trim, trim(build)),
        ("trousers", Material::Trousers, trousers(build)),
        ("shoes", Material::Shoes, both(left_upper())),
        ("soles", Material::Soles, both(left_sole())),
        ("hands", Material::Skin, both(left_hand())),
        ("neck", Material::Skin, neck(build)),
    ]
    .map(|(name, material, mesh)| Part { name, material, mesh })
    .into()
}

/// A left part and its mirror image.
fn both(left: Mesh) -> Mesh {
    let mut mesh = left;
    mesh.append(&mirrored(&mesh.clone()));
    mesh
}

fn neck(build: f32) -> Mesh {
    let bounds = [Vec3::new(-0.09, 1.37, -0.12), Vec3::new(0.09, 1.515, 0.07)];
    let field = |p: Vec3| neck_field(p, build).max(1.385 - p.y).max(p.y - 1.505);
    let net = surface(&field, bounds, Vec3::new(0.0155, 0.0155, 0.0155));
    charted(net, |_| 0, |_, p| Vec2::new(p.x, p.y) / 0.2, body_skin)
}
