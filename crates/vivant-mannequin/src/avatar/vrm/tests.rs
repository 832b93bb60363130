//! Tests of the file as other programs read it, with simple placeholder parts.

use super::*;
use crate::avatar::Avatar;
use crate::avatar::mesh::{Mesh, Move, Shape, rigid};
use crate::rig::{OWN_SHAPES, rig};
use glam::Vec2;
use vivant::rig::{Channel, Expression, LidControl};
use vivant_io::scene::Kind;

/// Returns a pyramid that is moved by a bone.
fn pyramid(bone: Bone, rig: &Rig) -> Mesh {
    let at = rig.rest_position(bone);
    let corners = [Vec3::X, Vec3::Y, Vec3::Z, Vec3::NEG_ONE];
    let triangles = vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [0, 2, 3]];
    let positions: Vec<Vec3> = corners.iter().map(|corner| at + *corner * 0.02).collect();
    Mesh {
        normals: Mesh::computed_normals(&positions, &triangles),
        uvs: vec![Vec2::splat(0.5); 4],
        skins: vec![rigid(bone); 4],
        positions,
        triangles,
        shapes: Vec::new(),
    }
}

/// A pyramid in which every expression moves one vertex.
fn expressive(bone: Bone, rig: &Rig) -> Mesh {
    let names = Expression::arkit().chain(Expression::visemes()).map(Expression::name).chain(OWN_SHAPES);
    let shape = |name| {
        let by = Vec3::new(0.0, 0.001, 0.0);
        Shape { name, moves: vec![Move { vertex: 1, by, normal: Vec3::ZERO }] }
    };
    Mesh { shapes: names.map(shape).collect(), ..pyramid(bone, rig) }
}

fn stand_in(rig: &Rig) -> Vec<Part> {
    let body = Bone::ALL.map(|bone| Part { name: "lump", material: Material::Top, mesh: pyramid(bone, rig) });
    let face = Part { name: "face", material: Material::Face, mesh: expressive(Bone::Head, rig) };
    let eye = Part { name: "eye", material: Material::Eye, mesh: expressive(Bone::LeftEye, rig) };
    body.into_iter().chain([face, eye]).collect()
}

fn read(bytes: &[u8]) -> vivant_io::Import {
    vivant_io::import("stand-in", bytes, &mut |_| Err(vivant_io::Error::new("no other files"))).unwrap()
}

#[test]
fn the_file_is_read_back_as_the_same_rig() {
    let rig = rig();
    let import = read(&write(&stand_in(&rig), &rig, &Look::default()));
    assert!(import.warnings.is_empty(), "{:?}", import.warnings);
    assert_eq!(import.source.kind, Kind::Vrm1);
    let found = import.humanoid.unwrap();
    let found = found.rig();
    assert_eq!(found.bones(), rig.bones());
    for bone in Bone::ALL {
        assert!(found.rest_position(bone).distance(rig.rest_position(bone)) < 1e-6, "{bone:?}");
    }
    assert_eq!(found.channels(), rig.channels());
    assert_eq!(found.look_at(), rig.look_at());
    assert_eq!(found.name(), rig.name());
    assert_eq!(found.abilities(), rig.abilities());
    assert_eq!(found.abilities().lids, LidControl::ExpressionsEach);
}

/// Tests the real faces with different looks.
#[test]
fn every_look_is_read_back_without_warnings() {
    for seed in 0..3 {
        let avatar = Avatar::new(Look::of_seed(seed));
        let vrm = avatar.vrm();
        assert_eq!(vrm, Avatar::new(Look::of_seed(seed)).vrm(), "seed {seed} must be deterministic");
        let import = read(&vrm);
        assert!(import.warnings.is_empty(), "seed {seed}: {:?}", import.warnings);
        let found = import.humanoid.unwrap();
        let lids = found.rig().lid_map();
        assert_eq!(found.rig().channels(), avatar.rig().channels());
        assert!(lids.measured, "seed {seed}");
        // A blink of weight 1 closes the eye, and a much smaller weight does not.
        assert!(lids.full_closure.iter().all(|weight| *weight > 0.8), "seed {seed}: {:?}", lids.full_closure);
        let of = |name: &str| lids.closing[avatar.rig().channel_index(&name.to_owned().into()).unwrap()];
        assert!(of("blink").iter().all(|closing| *closing > 0.98), "seed {seed}: {:?}", of("blink"));
    }
}

#[test]
fn every_expression_but_the_neutral_one_is_bound() {
    let rig = rig();
    let import = read(&write(&stand_in(&rig), &rig, &Look::default()));
    for expression in &import.source.expressions {
        let is_neutral = expression.channel == Channel::from("neutral".to_owned());
        assert_eq!(expression.binds.is_empty(), is_neutral, "{:?}", expression.channel);
    }
}

#[test]
fn the_same_look_gives_the_same_bytes() {
    let rig = rig();
    let parts = stand_in(&rig);
    let write = |seed| write(&parts, &rig, &Look::of_seed(seed));
    assert_eq!(write(2), write(2));
    assert_ne!(write(2), write(3));
}

#[test]
fn presets_are_the_known_ones_and_bound_to_known_shapes() {
    let mut names: Vec<&str> = Expression::vrm().map(Expression::name).collect();
    names.sort_unstable();
    assert_eq!(recipes::PRESETS.map(|(name, _)| name).to_vec(), names);
    for (name, recipe) in recipes::PRESETS {
        for (shape, weight) in recipe {
            assert!(
                Expression::from_name(shape).is_some() && (0.0..=1.0).contains(weight),
                "{name}: {shape}"
            );
        }
    }
}
