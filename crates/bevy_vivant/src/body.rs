//! Applies frames to the nodes of a file.

use crate::NodeNumber;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::{Affine3A, Mat4, Quat, Vec3};
use bevy_mesh::morph::MorphWeights;
use bevy_transform::components::{GlobalTransform, Transform};
use std::collections::HashMap;
use vivant_host::{Avatar, Bone, CarriedInfo, Frame, ModelMatrices, Rig};

/// Access to the entities below a character.
#[derive(SystemParam)]
pub(crate) struct Limbs<'w, 's> {
    children: Query<'w, 's, &'static Children>,
    numbers: Query<'w, 's, &'static NodeNumber>,
    transforms: Query<'w, 's, &'static Transform>,
}

/// Entities that show bones and expressions.
pub(crate) struct Body {
    joints: Vec<Joint>,
    shapes: Vec<Shape>,
    lids: Vec<Lid>,
    humanoid_from_file: Affine3A,
    rig: Rig,
}

/// A node of a bone. The rotation of the node is `before · q · after`, where `q` is the bone's rotation in the frame.
struct Joint {
    entity: Entity,
    bone: usize,
    before: Quat,
    after: Quat,
    carried: Option<Carried>,
}

/// Data for positioning a joint whose parent node is not its parent bone: see [`CarriedInfo`].
struct Carried {
    by: Option<usize>,
    rest: Vec3,
    at: Vec3,
    unit: Vec3,
}

/// A morph target, with its gain for an expression.
struct Shape {
    entity: Entity,
    target: usize,
    channel: usize,
    gain: f32,
}

/// A lid that is a bone, with its rotation from rest to closed.
struct Lid {
    entity: Entity,
    rest: Quat,
    channel: usize,
    turn: Vec3,
}

impl Body {
    /// Finds the nodes of an avatar below an entity; `None` if they are not spawned yet.
    pub(crate) fn of(root: Entity, avatar: &Avatar, limbs: &Limbs<'_, '_>) -> Option<Self> {
        let numbered = |entity: Entity| Some((limbs.numbers.get(entity).ok()?.0, entity));
        let nodes: HashMap<usize, Entity> =
            limbs.children.iter_descendants(root).filter_map(numbered).collect();
        let info = avatar.info();
        let joint = |(bone, it): (usize, &vivant_host::BoneInfo)| {
            let entity = *nodes.get(&it.node?)?;
            let rest = limbs.transforms.get(entity).ok()?.translation;
            let carried = it.carried.as_ref().map(|it| Carried::new(it, rest));
            let (before, after) = (Quat::from_array(it.before?), Quat::from_array(it.after?));
            Some(Joint { entity, bone, before, after, carried })
        };
        let joints: Vec<Joint> = info.bones.iter().enumerate().filter_map(joint).collect();
        let humanoid_from_file = affine(&avatar.humanoid_from_file().to_cols_array());
        joints.iter().find(|joint| joint.bone == Bone::Hips.index())?;
        let mut body = Self {
            joints,
            shapes: Vec::new(),
            lids: Vec::new(),
            humanoid_from_file,
            rig: avatar.rig().clone(),
        };
        for (channel, it) in info.channels.iter().enumerate() {
            let shape = |morph: &vivant_host::MorphInfo| {
                let entity = *nodes.get(&morph.node)?;
                Some(Shape { entity, target: morph.target, channel, gain: morph.gain })
            };
            let lid = |lid: &vivant_host::LidInfo| {
                let entity = *nodes.get(&lid.node)?;
                let rest = limbs.transforms.get(entity).ok()?.rotation;
                Some(Lid { entity, rest, channel, turn: Vec3::from_array(lid.turn) })
            };
            body.shapes.extend(it.morphs.iter().filter_map(shape));
            body.lids.extend(it.lids.iter().filter_map(lid));
        }
        Some(body)
    }

    /// Converts a position in the world to the space of a character at `root`, in metres.
    pub(crate) fn seen(&self, root: &GlobalTransform, place: Vec3) -> [f64; 3] {
        let place = self.humanoid_from_file.transform_point3(root.affine().inverse().transform_point3(place));
        place.to_array().map(f64::from)
    }

    /// Applies a frame to the nodes.
    pub(crate) fn show(
        &self,
        frame: &Frame,
        joints: &mut Query<'_, '_, &mut Transform>,
        faces: &mut Query<'_, '_, &mut MorphWeights>,
    ) {
        let mut model = ModelMatrices::default();
        frame.model_matrices(&self.rig, &mut model);
        for Joint { entity, bone, before, after, carried } in &self.joints {
            let Ok(mut joint) = joints.get_mut(*entity) else { continue };
            let mut turn = Quat::from_array(frame.rotation(Bone::ALL[*bone]).to_array());
            if let Some(carried) = carried {
                let own = carried.in_carrier(*bone, &model);
                turn = Quat::from_mat3a(&own.matrix3);
                joint.translation =
                    carried.rest + *before * (Vec3::from(own.translation) - carried.at) / carried.unit;
            }
            joint.rotation = (*before * turn * *after).normalize();
        }
        self.close_lids(frame.weights(), joints);
        self.show_face(frame.weights(), faces);
    }

    fn close_lids(&self, weights: &[f32], joints: &mut Query<'_, '_, &mut Transform>) {
        for Lid { entity, rest, channel, turn } in &self.lids {
            if let Ok(mut joint) = joints.get_mut(*entity) {
                joint.rotation = Quat::from_scaled_axis(*turn * weights[*channel]) * *rest;
            }
        }
    }

    /// Applies the expressions. If several use the same morph target, their weights are added.
    fn show_face(&self, weights: &[f32], faces: &mut Query<'_, '_, &mut MorphWeights>) {
        let mut set = |shape: &Shape, change: &dyn Fn(f32) -> f32| {
            if let Ok(mut face) = faces.get_mut(shape.entity)
                && let Some(weight) = face.weights_mut().get_mut(shape.target)
            {
                *weight = change(*weight);
            }
        };
        self.shapes.iter().for_each(|shape| set(shape, &|_| 0.0));
        self.shapes
            .iter()
            .for_each(|shape| set(shape, &|weight| weight + shape.gain * weights[shape.channel]));
    }
}

impl Carried {
    fn new(info: &CarriedInfo, rest: Vec3) -> Self {
        Self { by: info.by, rest, at: Vec3::from_array(info.at), unit: Vec3::from_array(info.unit) }
    }

    /// Returns the transform of a bone relative to the bone that carries it.
    fn in_carrier(&self, bone: usize, model: &ModelMatrices) -> Affine3A {
        let place = |bone: usize| {
            let [x, y, z] = *model.rows(Bone::ALL[bone]);
            Affine3A::from_mat4(Mat4::from_cols_array_2d(&[x, y, z, [0.0, 0.0, 0.0, 1.0]]).transpose())
        };
        self.by.map_or(Affine3A::IDENTITY, |by| place(by).inverse()) * place(bone)
    }
}

fn affine(columns: &[f32; 12]) -> Affine3A {
    Affine3A::from_cols_array(columns)
}
