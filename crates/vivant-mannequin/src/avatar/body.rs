//! Everything below the head: clothes, hands, shoes and neck.

use super::clothes::{jumper, neck_field, trim, trousers};
use super::hands::left_hand;
use super::loft::{charted, mirrored, without};
use super::mesh::{Material, Mesh, Part};
use super::shoes::{left_sole, left_upper};
use super::skinning::body_skin;
use super::surface::surface;
use crate::look::Look;
use glam::{Vec2, Vec3};

/// Builds the body of a character. Each surface starts inside the next one, so that there is no gap in any pose.
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

/// Returns a left part and its mirror image.
fn both(left: Mesh) -> Mesh {
    let mut mesh = left;
    mesh.append(&mirrored(&mesh.clone()));
    mesh
}

fn neck(build: f32) -> Mesh {
    let bounds = [Vec3::new(-0.09, 1.37, -0.12), Vec3::new(0.09, 1.515, 0.07)];
    let field = |p: Vec3| neck_field(p, build).max(1.385 - p.y).max(p.y - 1.505);
    let net = surface(&field, bounds, Vec3::new(0.0165, 0.0155, 0.0165));
    let net = without(net, |p| p.y < 1.392 || p.y > 1.5);
    charted(net, |_| 0, |_, p| Vec2::new(p.x, p.y) / 0.2, body_skin)
}

#[cfg(test)]
mod tests {
    use super::super::field::capsule;
    use super::*;
    use crate::figure::{Capsule, LIMBS, TRUNK};
    use vivant::rig::{Bone, BoneSet};

    const BUILDS: [f32; 3] = [-1.0, 0.0, 1.0];

    fn built(build: f32) -> Vec<Part> {
        body(&Look { build, ..Look::default() })
    }

    /// Returns pairs of neighbouring capsules. The body fills the space between them.
    fn neighbours() -> Vec<[Capsule; 2]> {
        let chain = |capsules: &[Capsule]| -> Vec<[Capsule; 2]> {
            capsules.windows(2).map(|pair| [pair[0], pair[1]]).collect()
        };
        let mut pairs = chain(&TRUNK[..6]);
        pairs.push([TRUNK[3], TRUNK[5]]);
        let limbs = [chain(&LIMBS[..7]), chain(&LIMBS[22..])].concat();
        let joined = [(4, 7), (4, 10), (5, 13), (5, 16), (6, 19), (3, 4), (3, 6)];
        let joined = joined.map(|(a, b)| [LIMBS[a], LIMBS[b]]);
        let to_trunk = [[TRUNK[4], LIMBS[0]], [TRUNK[3], LIMBS[0]], [TRUNK[0], LIMBS[22]]];
        pairs.extend(limbs);
        pairs.extend(joined);
        pairs.extend(to_trunk);
        pairs.extend(LIMBS.map(|limb| [limb, limb]));
        pairs
    }

    /// Returns the distance of a point from the nearest capsule or space between neighbours, negative inside. Points
    /// on the right are mirrored to the left.
    fn outside(p: Vec3, pairs: &[[Capsule; 2]]) -> f32 {
        let q = Vec3::new(p.x.abs(), p.y, p.z);
        let between = |[a, b]: &[Capsule; 2], t: f32| {
            let end = |k: usize| Vec3::from(a.ends[k]).lerp(Vec3::from(b.ends[k]), t);
            capsule(q, [end(0), end(1)], a.radius + (b.radius - a.radius) * t)
        };
        let all = pairs.iter().flat_map(|pair| (0..=6).map(move |k| between(pair, k as f32 / 6.0)));
        all.fold(f32::INFINITY, f32::min)
    }

    #[test]
    fn a_body_of_any_build_reaches_at_most_12_mm_beyond_its_capsules() {
        let pairs = neighbours();
        let mut faults = Vec::new();
        for build in BUILDS {
            for part in built(build) {
                // Feet have no capsules.
                let above_ankle = part.mesh.positions.iter().filter(|p| p.y > 0.13);
                let worst = above_ankle.map(|p| (outside(*p, &pairs), *p)).max_by(|a, b| a.0.total_cmp(&b.0));
                if let Some((far, p)) =
                    worst.filter(|worst| worst.0 > if part.name == "trim" { 0.015 } else { 0.012 })
                {
                    faults.push(format!("{} of build {build}: {:.1} mm out at {p}", part.name, far * 1e3));
                }
            }
        }
        assert!(faults.is_empty(), "{faults:#?}");
    }

    #[test]
    fn the_triangle_budget_is_kept() {
        let budgets = [
            (&["jumper", "trim"][..], 9000),
            (&["trousers"], 4000),
            (&["shoes", "soles"], 3000),
            (&["hands"], 9000),
            (&["neck"], 600),
        ];
        let parts = built(0.0);
        for (names, most) in budgets {
            let of = parts.iter().filter(|part| names.contains(&part.name));
            let count: usize = of.map(|part| part.mesh.triangles.len()).sum();
            assert!(count > most / 3 && count <= most, "{names:?}: {count} triangles of {most}");
        }
    }

    #[test]
    fn a_broad_body_is_wider_than_a_slight_one() {
        let width = |build| {
            let waist = |p: &&Vec3| (1.03..1.10).contains(&p.y);
            let parts = built(build);
            parts[0].mesh.positions.iter().filter(waist).map(|p| p.x).fold(0.0, f32::max)
        };
        let [slight, average, broad] = BUILDS.map(width);
        assert!(slight < average * 0.95 && average * 1.04 < broad, "{slight} {average} {broad}");
    }

    #[test]
    fn vertices_are_complete_and_bones_move_them() {
        let mut moved = BoneSet::EMPTY;
        for part in built(0.0) {
            let mesh = &part.mesh;
            let count = mesh.positions.len();
            assert_eq!([mesh.normals.len(), mesh.uvs.len(), mesh.skins.len()], [count; 3], "{}", part.name);
            assert!(mesh.triangles.iter().flatten().all(|i| (*i as usize) < count), "{}", part.name);
            assert!(mesh.positions.iter().chain(&mesh.normals).all(|v| v.is_finite()), "{}", part.name);
            assert!(mesh.normals.iter().all(|n| (n.length() - 1.0).abs() < 1e-3), "{}", part.name);
            for skin in &mesh.skins {
                let sum: f32 = skin.iter().map(|s| s.1).sum();
                assert!((sum - 1.0).abs() < 1e-5, "{}: weights sum to {sum}", part.name);
                assert!(skin.windows(2).all(|w| w[0].1 >= w[1].1), "{}: largest weight first", part.name);
                skin.iter().filter(|s| s.1 > 0.5).for_each(|s| moved.insert(s.0));
            }
        }
        let still: Vec<Bone> = Bone::ALL.into_iter().filter(|bone| !moved.contains(*bone)).collect();
        assert_eq!(still, [Bone::LeftEye, Bone::RightEye, Bone::Jaw], "bones without vertices");
    }

    #[test]
    fn soles_are_on_the_floor_and_nothing_is_below() {
        let parts = built(0.0);
        let lowest = |part: &Part| part.mesh.positions.iter().map(|p| p.y).fold(f32::INFINITY, f32::min);
        assert!(parts.iter().all(|part| lowest(part) >= 0.0));
        let soles = parts.iter().find(|part| part.name == "soles").map(lowest);
        assert_eq!(soles, Some(0.0));
    }
}
