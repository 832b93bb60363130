//! Tests of bent joints: the body is posed as in a viewer, by linear blend skinning.

use super::body::body;
use super::mesh::{Mesh, Part};
use crate::look::Look;
use crate::rig::rig;
use glam::{Affine3A, Quat, Vec3};
use vivant::pose::Pose;
use vivant::rig::{Bone, Rig};

/// Bone rotations about x, then y, then z, in degrees.
type Turns<'a> = &'a [(Bone, [f32; 3])];

fn turned(rig: &Rig, turns: Turns<'_>) -> Pose {
    let mut pose = Pose::rest(rig);
    for (bone, degrees) in turns {
        let [x, y, z] = degrees.map(f32::to_radians);
        let turn = Quat::from_rotation_z(z) * Quat::from_rotation_y(y) * Quat::from_rotation_x(x);
        pose.rotations.set(*bone, turn);
    }
    pose
}

/// Returns the positions and normals of a mesh in a pose.
fn posed(mesh: &Mesh, rig: &Rig, pose: &Pose) -> Vec<(Vec3, Vec3)> {
    let model = pose.model_transforms(rig);
    let moved = |bone: Bone| model[bone.index()] * Affine3A::from_translation(-rig.rest_position(bone));
    let moves = Bone::ALL.map(moved);
    let vertices = mesh.positions.iter().zip(&mesh.normals).zip(&mesh.skins);
    vertices
        .map(|((p, n), skin)| {
            let blend = |turn: &dyn Fn(&Affine3A) -> Vec3| -> Vec3 {
                skin.iter().map(|(bone, share)| turn(&moves[bone.index()]) * *share).sum()
            };
            (blend(&|m| m.transform_point3(*p)), blend(&|m| m.transform_vector3(*n)))
        })
        .collect()
}

/// Returns the distance along a ray to a triangle.
fn hit(origin: Vec3, way: Vec3, [a, b, c]: [Vec3; 3]) -> Option<f32> {
    let (ab, ac) = (b - a, c - a);
    let across = way.cross(ac);
    let area = ab.dot(across);
    let to = origin - a;
    let u = to.dot(across) / area;
    let up = to.cross(ab);
    let v = way.dot(up) / area;
    let far = ac.dot(up) / area;
    (area.abs() > 1e-12 && u >= 0.0 && v >= 0.0 && u + v <= 1.0 && far > 0.0).then_some(far)
}

/// Returns the distance to the outermost intersection of a ray with a surface before `limit`; 0 if there is none.
fn reach(surface: &[[Vec3; 3]], origin: Vec3, way: Vec3, limit: f32) -> f32 {
    let hits = surface.iter().filter_map(|triangle| hit(origin, way, *triangle));
    hits.filter(|far| *far < limit).fold(0.0, f32::max)
}

fn triangles(mesh: &Mesh, at: &[(Vec3, Vec3)]) -> Vec<[Vec3; 3]> {
    mesh.triangles.iter().map(|t| t.map(|i| at[i as usize].0)).collect()
}

fn part<'a>(parts: &'a [Part], name: &str) -> &'a Mesh {
    &parts.iter().find(|part| part.name == name).expect(name).mesh
}

/// A joint between two bones. `span` is the measured length of each bone, and `limit` is the maximum thickness, both
/// in metres.
struct Joint {
    bones: [Bone; 3],
    span: f32,
    limit: f32,
}

impl Joint {
    /// Returns the directions from the joint along the bones before and behind it, at rest. Above a leg, the
    /// direction is upwards.
    fn ways(&self, rig: &Rig) -> [Vec3; 2] {
        let [before, here, after] = self.bones.map(|bone| rig.rest_position(bone));
        let above = self.bones[1] == Bone::LeftUpperLeg;
        let before = if above { here + Vec3::Y } else { before };
        [(before - here).normalize(), (after - here).normalize()]
    }

    /// Returns the smallest thickness around the joint in a pose, relative to that at rest.
    ///
    /// Rays leave both bones at right angles. Where a limb folds onto itself there is no thickness to measure, so
    /// rays towards the other bone do not count.
    fn thinnest(&self, mesh: &Mesh, rig: &Rig, pose: &Pose) -> f32 {
        let rest = triangles(mesh, &posed(mesh, rig, &Pose::rest(rig)));
        let bent = triangles(mesh, &posed(mesh, rig, pose));
        let model = pose.model_transforms(rig);
        let here = rig.rest_position(self.bones[1]);
        let middle = Vec3::from(model[self.bones[1].index()].translation);
        let ways = self.ways(rig);
        let turn = |side: usize, v: Vec3| model[self.bones[side].index()].transform_vector3(v);
        let mut least = f32::INFINITY;
        for (side, axis) in ways.into_iter().enumerate() {
            let other = turn(1 - side, ways[1 - side]);
            let around = (0..16).map(|k| k as f32 * std::f32::consts::TAU / 16.0);
            let around = around.map(|a| Quat::from_axis_angle(axis, a) * axis.any_orthonormal_vector());
            let around: Vec<Vec3> = around.filter(|way| turn(side, *way).dot(other) < 0.25).collect();
            for step in 0..4 {
                let along = axis * self.span * (step as f32 / 3.0);
                let full = around.iter().map(|way| reach(&rest, here + along, *way, self.limit));
                // Rays that hit nothing within the limit point into the rest of the body and are ignored.
                let full = full.filter(|far| *far > 0.0).fold(f32::INFINITY, f32::min);
                let [from, limit] = [middle + turn(side, along), Vec3::splat(self.limit * 1.3)];
                let now = around.iter().map(|way| (reach(&rest, here + along, *way, self.limit), way));
                let now = now.filter(|(far, _)| *far > 0.0);
                let now = now.map(|(_, way)| reach(&bent, from, turn(side, *way), limit.x));
                least = least.min(now.fold(f32::INFINITY, f32::min) / full);
            }
        }
        least
    }
}

#[test]
fn joints_stay_thick_when_they_bend() {
    use Bone::*;
    let rig = rig();
    let parts = body(&Look::default());
    let mut faults = Vec::new();
    let mut check = |what: &str, name: &str, turns: Turns<'_>, joint: &Joint, least: f32| {
        let thin = joint.thinnest(part(&parts, name), &rig, &turned(&rig, turns));
        if thin < least {
            faults.push(format!("{what}, {turns:?}: only {thin:.2} of its thickness at rest"));
        }
    };
    let arm = &Joint { bones: [LeftShoulder, LeftUpperArm, LeftLowerArm], span: 0.05, limit: 0.075 };
    check("arm at the side", "jumper", &[(LeftUpperArm, [0.0, 0.0, -80.0])], arm, 0.7);
    for twist in [-90.0, 90.0] {
        check("arm at the side, twisted", "jumper", &[(LeftUpperArm, [twist, 0.0, -70.0])], arm, 0.7);
    }
    check("arm forward", "jumper", &[(LeftUpperArm, [0.0, -90.0, 0.0])], arm, 0.7);
    check("arm up", "jumper", &[(LeftUpperArm, [0.0, 0.0, 90.0])], arm, 0.7);
    let elbow = &Joint { bones: [LeftUpperArm, LeftLowerArm, LeftHand], span: 0.06, limit: 0.06 };
    check("elbow", "jumper", &[(LeftLowerArm, [0.0, -90.0, 0.0])], elbow, 0.7);
    let right = &Joint { bones: elbow.bones.map(Bone::mirrored), ..*elbow };
    check("right elbow", "jumper", &[(RightLowerArm, [0.0, 90.0, 0.0])], right, 0.7);
    for twist in [-60.0, 60.0] {
        check("elbow with a twist", "jumper", &[(LeftLowerArm, [twist, -90.0, 0.0])], elbow, 0.65);
    }
    check("a turned forearm", "jumper", &[(LeftLowerArm, [90.0, 0.0, 0.0])], elbow, 0.7);
    let wrist = &Joint { bones: [LeftLowerArm, LeftHand, LeftMiddleProximal], span: 0.015, limit: 0.04 };
    for bend in [-80.0, 80.0] {
        check("wrist", "hands", &[(LeftHand, [0.0, 0.0, bend])], wrist, 0.7);
    }
    for twist in [-90.0, 90.0] {
        check("a twisted wrist", "hands", &[(LeftHand, [twist, 0.0, 0.0])], wrist, 0.7);
    }
    let hip = &Joint { bones: [Hips, LeftUpperLeg, LeftLowerLeg], span: 0.06, limit: 0.12 };
    check("hip", "trousers", &[(LeftUpperLeg, [-90.0, 0.0, 0.0])], hip, 0.7);
    let knee = &Joint { bones: [LeftUpperLeg, LeftLowerLeg, LeftFoot], span: 0.08, limit: 0.085 };
    check("knee", "trousers", &[(LeftLowerLeg, [90.0, 0.0, 0.0])], knee, 0.7);
    let neck = &Joint { bones: [UpperChest, Neck, Head], span: 0.05, limit: 0.075 };
    for turn in [[45.0, 0.0, 0.0], [-45.0, 0.0, 0.0], [0.0, 80.0, 0.0], [0.0, 0.0, 45.0]] {
        check("neck", "neck", &[(Neck, turn)], neck, 0.7);
    }
    for turn in [[40.0, 0.0, 0.0], [-40.0, 0.0, 0.0], [0.0, 40.0, 0.0], [0.0, 0.0, 40.0]] {
        let [span, limit] = [0.1, 0.2];
        let waist = &Joint { bones: [Hips, Spine, Chest], span: 0.07, limit };
        check("waist", "jumper", &[(Spine, turn)], waist, 0.8);
        let chest = &Joint { bones: [Spine, Chest, UpperChest], span, limit };
        check("chest", "jumper", &[(Chest, turn)], chest, 0.8);
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn fingers_stay_thick_when_they_bend() {
    let rig = rig();
    let parts = body(&Look::default());
    let hands = part(&parts, "hands");
    let mut faults = Vec::new();
    for finger in super::skinning::fingers() {
        let thumb = finger.bones[0] == Bone::LeftThumbMetacarpal;
        let turn = if thumb { [0.0, 90.0, 0.0] } else { [0.0, 0.0, -90.0] };
        let pose = turned(&rig, &[(finger.bones[1], turn)]);
        let thin = Joint { bones: finger.bones, span: 0.01, limit: 0.0125 }.thinnest(hands, &rig, &pose);
        if thin < 0.7 {
            faults.push(format!("{:?}: only {thin:.2} of its thickness at rest", finger.bones[1]));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn few_triangles_flip_when_joints_bend() {
    use Bone::*;
    let rig = rig();
    let parts = body(&Look::default());
    let neutral = Pose::neutral(&rig);
    let poses = [
        ("at ease", neutral),
        (
            "elbows bent",
            turned(&rig, &[(LeftLowerArm, [0.0, -90.0, 0.0]), (RightLowerArm, [0.0, 90.0, 0.0])]),
        ),
        ("arms up", turned(&rig, &[(LeftUpperArm, [0.0, 0.0, 90.0]), (RightUpperArm, [0.0, 0.0, -90.0])])),
        ("a step", turned(&rig, &[(LeftUpperLeg, [-40.0, 0.0, 0.0]), (LeftLowerLeg, [60.0, 0.0, 0.0])])),
    ];
    for (what, pose) in &poses {
        for part in &parts {
            let at = posed(&part.mesh, &rig, pose);
            let over = part.mesh.triangles.iter().filter(|t| {
                let [a, b, c] = t.map(|i| at[i as usize].0);
                let out: Vec3 = t.iter().map(|&i| at[i as usize].1).sum();
                (b - a).cross(c - a).normalize_or_zero().dot(out.normalize_or_zero()) < -0.3
            });
            let share = over.count() as f32 / part.mesh.triangles.len() as f32;
            assert!(share < 0.01, "{what}: {:.1} % of the {} turn over", share * 100.0, part.name);
        }
    }
}
