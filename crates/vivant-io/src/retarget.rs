//! Retargets motion from any skeleton into humanoid space, and back.
//!
//! Two skeletons show the same motion when their bones point the same way in the world. So a bone's rotation in
//! humanoid space is the rotation of its node relative to a T-pose that faces +Z:
//!
//! ```text
//! G = (A·W)·(C·A·R)⁻¹        A  rotation from the file's axes to humanoid space
//! q = G_parent⁻¹·G           R  rest rotation of the node in the world, W its animated rotation
//!                            C  rotation from the rest pose to the T-pose
//! ```
//!
//! VRM specifies `A` and the T-pose. For other formats `A` is derived from the positions of head, feet and limbs, and
//! `C` from the directions of the limbs. [`Humanoid::node_locals`] solves the same equation for `W`, to play a pose on
//! the file's own nodes.

use crate::error::{Result, Warning, WarningCode};
use crate::scene::{HumanoidMap, LidNode, NodeClip, RestPose, Source, Transform};
use glam::{Affine3A, Mat3, Quat, Vec3};
use vivant::clip::Clip;
use vivant::math::{angle_between, atan2_32, from_rotation_vector, shortest_arc};
use vivant::pose::Pose;
use vivant::rig::{Bone, BoneSet, Channel, LidBone, Rig, RigParts};

/// The humanoid of a file: its rig, and how its nodes map to bones.
#[derive(Clone, Debug)]
pub struct Humanoid {
    rig: Rig,
    map: HumanoidMap,
    /// `A`: rotation from the file's world to humanoid space.
    humanoid_from_world: Quat,
    /// `C`: rotation from the rest pose to the T-pose per bone, in humanoid space.
    tpose_from_rest: [Quat; Bone::COUNT],
    rest_world: Vec<Transform>,
    /// Distance of the ground below the file's origin, in metres. It is not zero if, for example, the hips of the rest
    /// pose are at the origin.
    ground: f32,
    lids: Vec<Lid>,
}

/// A lid bone.
#[derive(Clone, Copy, Debug)]
struct Lid {
    node: usize,
    eye: usize,
    /// Rotation vector that closes the lid, in the parent's frame.
    turn: Vec3,
}

/// The channels that drive lid bones: left, right.
const LID_CHANNELS: [&str; 2] = ["blinkLeft", "blinkRight"];

/// Mapping of a bone's rotation `q` to its node: the node's local rotation is `before · q · after`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeBinding {
    /// Index of the node.
    pub node: usize,
    /// Rotation applied after `q` (to its left).
    pub before: Quat,
    /// Rotation applied before `q` (to its right).
    pub after: Quat,
    /// Set for bones that also need a translation: the hips, and bones whose parent bone in the file differs from the
    /// parent bone in the rig.
    pub carried: Option<Carried>,
}

/// Placement of a bone that needs a translation: the hips, and bones whose parent bone in the file differs from the
/// parent bone in the rig, such as collar bones below a neck.
///
/// With `G` the orientation and `P` the position of a bone in humanoid space, `q` is `G⁻¹(by) · G(bone)`, and the
/// node's translation is its rest translation plus `before · (G⁻¹(by) · (P(bone) − P(by)) − at) / unit`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carried {
    /// The bone whose node is the nearest ancestor; `None` if no ancestor moves.
    pub by: Option<Bone>,
    /// Rest position of the node relative to the bone `by`, in the T-pose.
    pub at: Vec3,
    /// Length of one unit of the node's translation, in metres.
    pub unit: Vec3,
}

impl Humanoid {
    /// Finds the T-pose. Returns `None` if the file has no hips or no head.
    pub fn new(source: &Source, warnings: &mut Vec<Warning>) -> Option<Self> {
        let map = source.humanoid.clone();
        if map.node(Bone::Hips).is_none() || map.node(Bone::Head).is_none() {
            return None;
        }
        warn_about_missing_bones(&map, warnings);
        let rest_world = source.scene.rest_world();
        let skeleton = Skeleton { source, map: &map, rest_world: &rest_world };
        let humanoid_from_world = skeleton.humanoid_from_world();
        let at_rest = |node: usize| humanoid_from_world * rest_world[node].translation;
        let tpose_from_rest = match source.rest {
            RestPose::TPose | RestPose::TPoseFacingBack => [Quat::IDENTITY; Bone::COUNT],
            RestPose::Unknown if skeleton.is_normalised(humanoid_from_world) => [Quat::IDENTITY; Bone::COUNT],
            RestPose::Unknown => skeleton.tpose_from_rest(&at_rest),
        };
        let mut positions = tpose_positions(&map, &tpose_from_rest, &at_rest);
        let (ground, lift) = match source.rest {
            RestPose::Unknown => skeleton.ground(&at_rest, &positions),
            _ => (0.0, 0.0),
        };
        for (_, position) in &mut positions {
            position.y += ground + lift;
        }
        add_eyes_for_gaze(source, &mut positions);
        raise_if_lying(&mut positions, warnings);
        let rig = Rig::new(RigParts {
            name: source.name.clone(),
            lid_bones: lid_bones(source, &positions, &at_rest),
            rest_positions: positions,
            channels: channels(source),
            lids: source.lids.clone(),
            look_at: source.look_at,
        });
        let lids = lid_nodes(source, humanoid_from_world, &rest_world);
        Some(Self { rig, map, humanoid_from_world, tpose_from_rest, rest_world, ground, lids })
    }

    /// Returns the avatar's rig in humanoid space.
    #[must_use]
    pub fn rig(&self) -> &Rig {
        &self.rig
    }

    /// Returns the mapping from bones to nodes.
    #[must_use]
    pub fn map(&self) -> &HumanoidMap {
        &self.map
    }

    /// Returns the transform from the file's world to humanoid space: a rotation, and a lift if the ground lies below
    /// the file's origin.
    #[must_use]
    pub fn humanoid_from_world(&self) -> Affine3A {
        Affine3A::from_rotation_translation(self.humanoid_from_world, Vec3::Y * self.ground)
    }

    /// Retargets an animation of the file into humanoid space.
    ///
    /// # Errors
    /// If the clip has no frames or more than [`Clip::MAX_FRAMES`].
    pub fn retarget(&self, source: &Source, clip: &NodeClip, warnings: &mut Vec<Warning>) -> Result<Clip> {
        clip.check(source.scene.nodes().len())?;
        let mut out = Clip::new(clip.name.clone(), clip.rate, clip.frames, self.rig.hips_height())?;
        let moved = self.moved_bones(source, clip);
        let ground = self.clip_ground(source, clip);
        let mut locals: Vec<Transform> = source.scene.nodes().iter().map(|n| n.rest).collect();
        for frame in 0..clip.frames {
            for (node, track) in &clip.rotations {
                locals[*node].rotation = track[frame];
            }
            for (node, track) in &clip.translations {
                locals[*node].translation = track[frame];
            }
            let world = source.scene.world(&locals);
            let turned = self.bone_orientations(source, &world);
            for bone in moved.iter() {
                let above = self.parent(bone).map_or(Quat::IDENTITY, |p| turned[p.index()]);
                out.set_rotation(frame, bone, above.inverse() * turned[bone.index()]);
            }
            if let Some(hips) = self.map.node(Bone::Hips) {
                let root = self.humanoid_from_world * world[hips].translation;
                out.set_root(frame, root + Vec3::Y * ground);
            }
        }
        for (channel, weights) in &clip.weights {
            out.add_channel(channel.clone(), weights)?;
        }
        add_gaze(clip, &mut out);
        warn_about_ignored_tracks(self, source, clip, warnings);
        Ok(out)
    }

    /// Returns the local transforms of the file's own nodes for a pose of [`Humanoid::rig`]. Lid bones stay at rest;
    /// [`Humanoid::close_lids`] rotates them.
    #[must_use]
    pub fn node_locals(&self, source: &Source, pose: &Pose) -> Vec<Transform> {
        let model = pose.model_transforms(&self.rig);
        let world_from_humanoid = self.humanoid_from_world.inverse();
        let mut locals: Vec<Transform> = source.scene.nodes().iter().map(|n| n.rest).collect();
        let mut world = self.rest_world.clone();
        let mut bones = vec![None; locals.len()];
        for (bone, node) in self.map.iter() {
            bones[node] = Some(bone);
        }
        for &node in source.scene.order() {
            let above = source.scene.nodes()[node].parent.map_or(Transform::IDENTITY, |parent| world[parent]);
            if let Some(bone) = bones[node] {
                let turned = Quat::from_mat3a(&model[bone.index()].matrix3);
                let rest = self.humanoid_from_world * self.rest_world[node].rotation;
                let rotation = world_from_humanoid * turned * self.tpose_from_rest[bone.index()] * rest;
                locals[node].rotation = (above.rotation.inverse() * rotation).normalize();
                if bone == Bone::Hips || !self.has_same_parent_as_rig(source, bone, node) {
                    let place = Vec3::from(model[bone.index()].translation) - Vec3::Y * self.ground;
                    let offset = above.rotation.inverse() * (world_from_humanoid * place - above.translation);
                    locals[node].translation = offset / non_zero(above.scale);
                }
            }
            world[node] = above.child(locals[node]);
        }
        locals
    }

    /// Returns the node of a bone and the mapping from the bone's rotation to the node. With this mapping, a viewer
    /// can do the same as [`Humanoid::node_locals`].
    #[must_use]
    pub fn node_binding(&self, source: &Source, bone: Bone) -> Option<NodeBinding> {
        let node = self.map.node(bone)?;
        let rest = |node: usize| self.humanoid_from_world * self.rest_world[node].rotation;
        let above = source.scene.nodes()[node].parent.map_or(self.humanoid_from_world, rest);
        let carrier = self.carrier(source, node);
        let tpose_above = carrier.map_or(Quat::IDENTITY, |it| self.tpose_from_rest[it.index()]);
        let before = (tpose_above * above).inverse().normalize();
        let after = (self.tpose_from_rest[bone.index()] * rest(node)).normalize();
        let is_placed = bone == Bone::Hips || carrier != self.parent(bone);
        let carried = is_placed.then(|| self.carried(source, node, carrier));
        Some(NodeBinding { node, before, after, carried })
    }

    fn carried(&self, source: &Source, node: usize, by: Option<Bone>) -> Carried {
        let rest = |node: usize| {
            self.humanoid_from_world * self.rest_world[node].translation + Vec3::Y * self.ground
        };
        let at = match by.and_then(|by| Some((by, self.map.node(by)?))) {
            Some((by, carrier)) => self.tpose_from_rest[by.index()] * (rest(node) - rest(carrier)),
            None => rest(node),
        };
        let above = source.scene.nodes()[node].parent.map_or(Vec3::ONE, |above| self.rest_world[above].scale);
        Carried { by, at, unit: non_zero(above) }
    }

    /// Returns the transform from the frame of the hips' parent node to humanoid space, provided that no node above
    /// the hips moves.
    #[must_use]
    pub fn hips_parent_to_humanoid(&self, source: &Source) -> Transform {
        let parent = self.map.node(Bone::Hips).and_then(|node| source.scene.nodes()[node].parent);
        let above = parent.map_or(Transform::IDENTITY, |parent| self.rest_world[parent]);
        let turned = Transform { rotation: self.humanoid_from_world, ..Transform::IDENTITY }.child(above);
        let scale = non_zero(turned.scale);
        Transform { translation: turned.translation + Vec3::Y * self.ground, scale, ..turned }
    }

    /// Returns the lid bones: node, eye (0 left, 1 right), and the rotation vector that closes the lid, applied on
    /// the left of its rest rotation.
    pub fn lid_turns(&self) -> impl Iterator<Item = (usize, usize, Vec3)> {
        self.lids.iter().map(|lid| (lid.node, lid.eye, lid.turn))
    }

    /// Rotates the lid bones in `locals`, the local transforms of the file's nodes, to the weights of `blinkLeft` and
    /// `blinkRight`. Does nothing for avatars whose lids are closed by expressions.
    pub fn close_lids(&self, source: &Source, weights: [f32; 2], locals: &mut [Transform]) {
        for lid in &self.lids {
            let rest = source.scene.nodes().get(lid.node).map(|node| node.rest.rotation);
            if let (Some(local), Some(rest)) = (locals.get_mut(lid.node), rest) {
                let turn = from_rotation_vector(lid.turn * weights[lid.eye].clamp(0.0, 1.0));
                local.rotation = (turn * rest).normalize();
            }
        }
    }

    /// Returns the eye (0 left, 1 right) that a channel closes by rotating lid bones.
    #[must_use]
    pub fn lid_channel(&self, channel: &Channel) -> Option<usize> {
        let eye = LID_CHANNELS.iter().position(|name| channel.name() == *name)?;
        self.lids.iter().any(|lid| lid.eye == eye).then_some(eye)
    }

    /// Returns `G` of every bone, from the nodes' world transforms.
    fn bone_orientations(&self, source: &Source, world: &[Transform]) -> [Quat; Bone::COUNT] {
        let mut turned = [Quat::IDENTITY; Bone::COUNT];
        for bone in Bone::ALL {
            turned[bone.index()] = match self.map.node(bone) {
                None => self.parent(bone).map_or(Quat::IDENTITY, |p| turned[p.index()]),
                Some(node) => {
                    let rest = self.humanoid_from_world * self.rest_world[node].rotation;
                    let tpose = self.tpose_from_rest[bone.index()] * rest;
                    let straight = self.humanoid_from_world * world[node].rotation * tpose.inverse();
                    self.aim(source, world, bone, straight)
                }
            };
        }
        turned
    }

    /// Rotates a bone so that it points at the next bone, if there are unmapped joints between the two. For example,
    /// if a neck of three joints becomes one bone, the head must still be at the right place.
    fn aim(&self, source: &Source, world: &[Transform], bone: Bone, turned: Quat) -> Quat {
        let Some((next, node, next_node)) = self.next_of_chain(bone) else { return turned };
        let parent = source.scene.nodes()[next_node].parent;
        if parent == Some(node) || !source.scene.is_below(next_node, node) {
            return turned;
        }
        let along = self.rig.rest_position(next) - self.rig.rest_position(bone);
        let goal = self.humanoid_from_world * (world[next_node].translation - world[node].translation);
        (shortest_arc(turned * along, goal) * turned).normalize()
    }

    fn next_of_chain(&self, bone: Bone) -> Option<(Bone, usize, usize)> {
        let next = next_in_chain(bone).find(|next| self.map.node(*next).is_some())?;
        Some((next, self.map.node(bone)?, self.map.node(next)?))
    }

    /// Returns the nearest ancestor bone that the file has.
    fn parent(&self, bone: Bone) -> Option<Bone> {
        parent_in(&self.map, bone)
    }

    /// Returns true if a bone has the same parent bone in the file as in the rig. If not (thighs below a spine, feet
    /// below the root), the translation of its node has to be set as well.
    fn has_same_parent_as_rig(&self, source: &Source, bone: Bone, node: usize) -> bool {
        self.carrier(source, node) == self.parent(bone)
    }

    /// Returns the bone of the nearest mapped ancestor of a node.
    fn carrier(&self, source: &Source, node: usize) -> Option<Bone> {
        let nodes = source.scene.nodes();
        let mut ancestors = std::iter::successors(nodes[node].parent, |n| nodes[*n].parent);
        ancestors.find_map(|n| self.map.bone(n))
    }

    /// Returns the bones that a clip moves out of the T-pose: bones with a track on their node or on a node between it
    /// and the parent bone, and bones whose rest pose differs from the T-pose.
    fn moved_bones(&self, source: &Source, clip: &NodeClip) -> BoneSet {
        /// Largest rotation that counts as no rotation: half a degree, in radians.
        const AT_TPOSE: f32 = 0.009;
        let mut animated = vec![false; source.scene.nodes().len()];
        for (node, _) in &clip.rotations {
            animated[*node] = true;
        }
        let mut moved = BoneSet::EMPTY;
        for (bone, node) in self.map.iter() {
            let nodes = source.scene.nodes();
            let above = self.parent(bone).and_then(|p| self.map.node(p));
            let ancestors = std::iter::successors(Some(node), |n| nodes[*n].parent);
            let has_track = ancestors.take_while(|n| Some(*n) != above).any(|n| animated[n]);
            let turn = self.parent(bone).map_or(Quat::IDENTITY, |p| self.tpose_from_rest[p.index()]);
            let rests_elsewhere = angle_between(turn, self.tpose_from_rest[bone.index()]) > AT_TPOSE;
            if has_track || rests_elsewhere {
                moved.insert(bone);
            }
        }
        moved
    }

    /// Returns the distance of a clip's ground below its origin. If the hips start at their rest position, the clip
    /// has the same ground as the rest pose. If the hips start much higher (a BVH), the ground is at the origin of the
    /// clip.
    fn clip_ground(&self, source: &Source, clip: &NodeClip) -> f32 {
        let Some(hips) = self.map.node(Bone::Hips) else { return 0.0 };
        let mut locals: Vec<Transform> = source.scene.nodes().iter().map(|n| n.rest).collect();
        for (node, track) in &clip.translations {
            locals[*node].translation = track[0];
        }
        let height = |world: &[Transform]| (self.humanoid_from_world * world[hips].translation).y;
        let above_rest = height(&source.scene.world(&locals)) - height(&self.rest_world);
        if above_rest < self.ground * 0.5 { self.ground } else { 0.0 }
    }
}

/// Returns the expressions of a file, and the blink channels of its lid bones.
fn channels(source: &Source) -> Vec<Channel> {
    let own = source.expressions.iter().map(|e| e.channel.clone());
    let has = |eye: usize| source.lid_bones.iter().any(|lid| lid.eye == eye);
    let by_bones = (0..2).filter(|eye| has(*eye)).map(|eye| Channel::from(LID_CHANNELS[eye].to_owned()));
    own.chain(by_bones).collect()
}

/// Returns the lid bones with their positions in humanoid space.
fn lid_bones(source: &Source, positions: &[(Bone, Vec3)], at_rest: &dyn Fn(usize) -> Vec3) -> Vec<LidBone> {
    let head = positions.iter().find(|(bone, _)| *bone == Bone::Head).map(|(_, place)| *place);
    let (Some(head), Some(head_node)) = (head, source.humanoid.node(Bone::Head)) else { return Vec::new() };
    let bone = |lid: &LidNode| LidBone {
        name: source.scene.nodes()[lid.node].name.clone(),
        eye: lid.eye,
        rest_position: head + at_rest(lid.node) - at_rest(head_node),
        turn: Vec3::X * lid.angle,
    };
    source.lid_bones.iter().map(bone).collect()
}

fn lid_nodes(source: &Source, humanoid_from_world: Quat, rest_world: &[Transform]) -> Vec<Lid> {
    let turn = |lid: &LidNode| {
        let above = source.scene.nodes()[lid.node].parent.map_or(Quat::IDENTITY, |p| rest_world[p].rotation);
        above.inverse() * (humanoid_from_world.inverse() * (Vec3::X * lid.angle))
    };
    source.lid_bones.iter().map(|lid| Lid { node: lid.node, eye: lid.eye, turn: turn(lid) }).collect()
}

/// Returns the rotation from a file's axes to humanoid space.
pub(crate) fn humanoid_from_world(source: &Source) -> Quat {
    let skeleton = Skeleton { source, map: &source.humanoid, rest_world: &source.scene.rest_world() };
    skeleton.humanoid_from_world()
}

fn parent_in(map: &HumanoidMap, bone: Bone) -> Option<Bone> {
    bone.ancestors().find(|b| map.node(*b).is_some())
}

/// Returns the bones that a bone points at, nearest first.
fn next_in_chain(bone: Bone) -> impl Iterator<Item = Bone> {
    use Bone::*;
    let next: &'static [Bone] = match bone {
        Spine => &[Chest, UpperChest, Neck, Head],
        Chest => &[UpperChest, Neck, Head],
        UpperChest => &[Neck, Head],
        Neck => &[Head],
        LeftUpperArm => &[LeftLowerArm],
        LeftLowerArm => &[LeftHand],
        LeftHand => &[LeftMiddleProximal, LeftIndexProximal, LeftRingProximal],
        RightUpperArm => &[RightLowerArm],
        RightLowerArm => &[RightHand],
        RightHand => &[RightMiddleProximal, RightIndexProximal, RightRingProximal],
        LeftUpperLeg => &[LeftLowerLeg],
        LeftLowerLeg => &[LeftFoot],
        LeftFoot => &[LeftToes],
        RightUpperLeg => &[RightLowerLeg],
        RightLowerLeg => &[RightFoot],
        RightFoot => &[RightToes],
        _ => &[],
    };
    next.iter().copied().chain(finger_below(bone))
}

/// Returns the next bone of a finger.
fn finger_below(bone: Bone) -> Option<Bone> {
    let next = *Bone::ALL.get(bone.index() + 1)?;
    let is_finger = |b: Bone| {
        (Bone::LeftThumbMetacarpal..=Bone::LeftLittleDistal).contains(&b)
            || (Bone::RightThumbMetacarpal..=Bone::RightLittleDistal).contains(&b)
    };
    (is_finger(bone) && next.parent() == Some(bone)).then_some(next)
}

fn non_zero(scale: Vec3) -> Vec3 {
    Vec3::select(scale.abs().cmplt(Vec3::splat(1e-9)), Vec3::ONE, scale)
}

/// A file's skeleton while its T-pose is determined.
struct Skeleton<'a> {
    source: &'a Source,
    map: &'a HumanoidMap,
    rest_world: &'a [Transform],
}

impl Skeleton<'_> {
    fn humanoid_from_world(&self) -> Quat {
        match self.source.rest {
            RestPose::TPose => Quat::IDENTITY,
            RestPose::TPoseFacingBack => Quat::from_rotation_y(std::f32::consts::PI),
            RestPose::Unknown => self.axes_from_joints(),
        }
    }

    /// Returns true if the skeleton is already in humanoid space: VRM's bone names and axes, and no rest rotations.
    /// The rest pose of such a skeleton (our own exports, above all) is taken as an exact T-pose.
    fn is_normalised(&self, humanoid_from_world: Quat) -> bool {
        const ALMOST: f32 = 1e-4;
        let named = |(bone, node): (Bone, usize)| {
            let turned = angle_between(self.rest_world[node].rotation, Quat::IDENTITY);
            self.source.scene.nodes()[node].name == bone.name() && turned < ALMOST
        };
        angle_between(humanoid_from_world, Quat::IDENTITY) < ALMOST && self.map.iter().all(named)
    }

    fn place(&self, bone: Bone) -> Option<Vec3> {
        self.map.node(bone).map(|node| self.rest_world[node].translation)
    }

    /// Derives the axes: up is from the feet (or hips) to the head; left is from the right limbs to the left ones.
    fn axes_from_joints(&self) -> Quat {
        use Bone::*;
        let mean = |a: Bone, b: Bone| Some((self.place(a)? + self.place(b)?) * 0.5);
        let feet = mean(LeftFoot, RightFoot).or_else(|| mean(LeftUpperLeg, RightUpperLeg));
        let (Some(head), Some(hips)) = (self.place(Head), self.place(Hips)) else { return Quat::IDENTITY };
        let up = snap_to_axis(head - feet.unwrap_or(hips));
        let pairs = [(LeftUpperLeg, RightUpperLeg), (LeftUpperArm, RightUpperArm)];
        let across = |(l, r): (Bone, Bone)| Some((self.place(l)? - self.place(r)?).normalize_or_zero());
        let left: Vec3 = pairs.into_iter().filter_map(across).sum();
        let left = snap_to_axis(left - up * left.dot(up));
        if !(up.is_normalized() && left.is_normalized()) || left.dot(up).abs() > 0.5 {
            return Quat::IDENTITY;
        }
        let forward = left.cross(up).normalize();
        let left = up.cross(forward);
        Quat::from_mat3(&Mat3::from_cols(left, up, forward).transpose()).normalize()
    }

    /// Returns `C` of every bone, parents first, so that a bent arm is first lifted and then straightened.
    fn tpose_from_rest(&self, at_rest: &dyn Fn(usize) -> Vec3) -> [Quat; Bone::COUNT] {
        let mut found = [Quat::IDENTITY; Bone::COUNT];
        for bone in Bone::ALL {
            let inherited = if BoneSet::ARMS.union(BoneSet::LEGS).contains(bone) && bone != Bone::Hips {
                parent_in(self.map, bone).map_or(Quat::IDENTITY, |p| found[p.index()])
            } else {
                Quat::IDENTITY
            };
            found[bone.index()] = self.straightened(bone, inherited, at_rest);
        }
        self.turn_palms_down(&mut found, at_rest);
        found
    }

    fn straightened(&self, bone: Bone, inherited: Quat, at_rest: &dyn Fn(usize) -> Vec3) -> Quat {
        use Bone::*;
        match bone {
            LeftFoot | RightFoot => self.feet_forward(bone, at_rest),
            LeftToes => self.feet_forward(LeftFoot, at_rest),
            RightToes => self.feet_forward(RightFoot, at_rest),
            _ => match (tpose_direction(bone), self.direction(bone, at_rest)) {
                (Some(goal), Some(along)) => shortest_arc(inherited * along, goal) * inherited,
                _ => inherited,
            },
        }
    }

    /// Returns the direction of a bone at rest: to the next bone of its chain, or to its only child node.
    fn direction(&self, bone: Bone, at_rest: &dyn Fn(usize) -> Vec3) -> Option<Vec3> {
        let node = self.map.node(bone)?;
        let next =
            next_in_chain(bone).find_map(|next| self.map.node(next)).or_else(|| self.only_child(node))?;
        let along = at_rest(next) - at_rest(node);
        (along.length() > 1e-5).then_some(along)
    }

    fn only_child(&self, node: usize) -> Option<usize> {
        let nodes = self.source.scene.nodes().iter().enumerate();
        let mut children = nodes.filter(|(_, n)| n.parent == Some(node)).map(|(index, _)| index);
        let first = children.next()?;
        children.next().is_none().then_some(first)
    }

    /// Rotates a foot about the vertical axis until its toes point forward. The slope of the foot stays the same.
    fn feet_forward(&self, foot: Bone, at_rest: &dyn Fn(usize) -> Vec3) -> Quat {
        let Some(along) = self.direction(foot, at_rest) else { return Quat::IDENTITY };
        let flat = Vec3::new(along.x, 0.0, along.z);
        if flat.length() < 0.3 * along.length() || flat.z < 0.0 {
            return Quat::IDENTITY;
        }
        shortest_arc(flat, Vec3::Z)
    }

    /// Turns palms down. In a T-pose palms face the ground and thumbs point forward; a rest pose with palms forward
    /// would twist every hand by a quarter turn.
    fn turn_palms_down(&self, found: &mut [Quat; Bone::COUNT], at_rest: &dyn Fn(usize) -> Vec3) {
        use Bone::*;
        for (hand, thumbs, lower_arm, last) in [
            (LeftHand, [LeftThumbProximal, LeftThumbDistal], LeftLowerArm, LeftLittleDistal),
            (RightHand, [RightThumbProximal, RightThumbDistal], RightLowerArm, RightLittleDistal),
        ] {
            let thumb = thumbs.into_iter().find_map(|t| self.map.node(t));
            let (Some(hand_node), Some(thumb)) = (self.map.node(hand), thumb) else { continue };
            let across = found[hand.index()] * (at_rest(thumb) - at_rest(hand_node));
            let across = Vec3::new(0.0, across.y, across.z);
            let angle = atan2_32(across.y, across.z);
            if across.length() < 1e-3 || angle.abs() < 0.6 {
                continue;
            }
            // A rotation about +X takes Y to Z, so this rotation brings the thumb from `angle` to zero.
            let twist = Quat::from_rotation_x(angle);
            for bone in
                std::iter::once(lower_arm).chain(Bone::ALL[hand.index()..=last.index()].iter().copied())
            {
                found[bone.index()] = twist * found[bone.index()];
            }
        }
    }

    /// Returns the distance of the ground below the origin, and the height by which the T-pose is raised relative to
    /// the rest pose, because its legs are straight.
    fn ground(&self, at_rest: &dyn Fn(usize) -> Vec3, tpose: &[(Bone, Vec3)]) -> (f32, f32) {
        let feet = [Bone::LeftFoot, Bone::RightFoot, Bone::LeftToes, Bone::RightToes];
        let is_foot = |bone: &Bone| feet.contains(bone);
        let low = |places: &mut dyn Iterator<Item = f32>| places.fold(f32::INFINITY, f32::min);
        let low_rest = low(&mut self.map.iter().filter(|(b, _)| is_foot(b)).map(|(_, n)| at_rest(n).y));
        let low_tpose = low(&mut tpose.iter().filter(|(b, _)| is_foot(b)).map(|(_, p)| p.y));
        let high = self.map.iter().map(|(_, n)| at_rest(n).y).fold(f32::NEG_INFINITY, f32::max);
        if !(low_rest.is_finite() && low_tpose.is_finite()) {
            return (0.0, 0.0);
        }
        let stands = low_rest.abs() <= 0.12 * (high - low_rest);
        (if stands { 0.0 } else { -low_rest }, low_rest - low_tpose)
    }
}

/// Returns the direction of a limb bone in the T-pose.
fn tpose_direction(bone: Bone) -> Option<Vec3> {
    use Bone::*;
    let is_thumb = |b: Bone| b.name().contains("Thumb");
    Some(match bone {
        LeftUpperLeg | LeftLowerLeg | RightUpperLeg | RightLowerLeg => Vec3::NEG_Y,
        LeftShoulder | RightShoulder => return None,
        b if is_thumb(b) => return None,
        b if BoneSet::LEFT_ARM.contains(b) => Vec3::X,
        b if BoneSet::RIGHT_ARM.contains(b) => Vec3::NEG_X,
        _ => return None,
    })
}

/// Returns the nearest axis if it is within 30°, otherwise the direction itself.
fn snap_to_axis(direction: Vec3) -> Vec3 {
    let direction = direction.normalize_or_zero();
    let axes = [Vec3::X, Vec3::Y, Vec3::Z, Vec3::NEG_X, Vec3::NEG_Y, Vec3::NEG_Z];
    axes.into_iter().find(|axis| axis.dot(direction) > 0.866).unwrap_or(direction)
}

/// Returns the bone positions in the T-pose.
fn tpose_positions(
    map: &HumanoidMap,
    tpose_from_rest: &[Quat; Bone::COUNT],
    at_rest: &dyn Fn(usize) -> Vec3,
) -> Vec<(Bone, Vec3)> {
    let mut places = [Vec3::ZERO; Bone::COUNT];
    let mut out = Vec::new();
    for (bone, node) in map.iter() {
        places[bone.index()] = match parent_in(map, bone).and_then(|p| Some((p, map.node(p)?))) {
            None => at_rest(node),
            Some((parent, parent_node)) => {
                let arm = at_rest(node) - at_rest(parent_node);
                places[parent.index()] + tpose_from_rest[parent.index()] * arm
            }
        };
        out.push((bone, places[bone.index()]));
    }
    out
}

/// Adds eye bones to rigs of VRMA files, which animate the gaze but have no eye bones.
fn add_eyes_for_gaze(source: &Source, positions: &mut Vec<(Bone, Vec3)>) {
    let has_gaze = source.clips.iter().any(|clip| clip.gaze.is_some());
    let has_eyes = positions.iter().any(|(bone, _)| *bone == Bone::LeftEye);
    let head = positions.iter().find(|(bone, _)| *bone == Bone::Head).map(|(_, place)| *place);
    if let (true, false, Some(head)) = (has_gaze, has_eyes, head) {
        positions.push((Bone::LeftEye, head + Vec3::new(0.03, 0.06, 0.08)));
        positions.push((Bone::RightEye, head + Vec3::new(-0.03, 0.06, 0.08)));
    }
}

/// Raises the hips to a usual height if they rest at or below the ground, because such a height gives no scale for
/// root motion.
fn raise_if_lying(positions: &mut [(Bone, Vec3)], warnings: &mut Vec<Warning>) {
    const USUAL_HIPS_HEIGHT: f32 = 0.9;
    let hips = positions.iter().find(|(bone, _)| *bone == Bone::Hips).map_or(0.0, |(_, place)| place.y);
    if hips.is_finite() && hips > 0.01 {
        return;
    }
    let rise = if hips.is_finite() { USUAL_HIPS_HEIGHT - hips } else { 0.0 };
    for (_, place) in positions.iter_mut() {
        *place = if place.is_finite() { *place + Vec3::Y * rise } else { Vec3::Y * USUAL_HIPS_HEIGHT };
    }
    let message = format!("the hips rest at or below the ground; using a height of {USUAL_HIPS_HEIGHT} m");
    warnings.push(Warning::new(WarningCode::Guessed, "hips", message));
}

fn warn_about_missing_bones(map: &HumanoidMap, warnings: &mut Vec<Warning>) {
    let missing: Vec<&str> = map.missing().into_iter().map(Bone::name).collect();
    if !missing.is_empty() {
        let message = format!("required bones not found: {}", missing.join(", "));
        warnings.push(Warning::new(WarningCode::Malformed, "humanoid", message));
    }
}

fn warn_about_ignored_tracks(
    humanoid: &Humanoid,
    source: &Source,
    clip: &NodeClip,
    warnings: &mut Vec<Warning>,
) {
    let mut above_bones = vec![false; source.scene.nodes().len()];
    for (_, node) in humanoid.map.iter() {
        let mut ancestor = Some(node);
        while let Some(n) = ancestor.filter(|n| !above_bones[*n]) {
            above_bones[n] = true;
            ancestor = source.scene.nodes()[n].parent;
        }
    }
    let lost: Vec<&str> = clip
        .rotations
        .iter()
        .filter(|(node, track)| !above_bones[*node] && is_animated(track))
        .map(|(node, _)| source.scene.nodes()[*node].name.as_str())
        .collect();
    if let Some(first) = lost.first() {
        let message = format!(
            "{} animated nodes are not humanoid bones and were ignored, such as “{first}”",
            lost.len()
        );
        warnings.push(Warning::new(WarningCode::Dropped, format!("clip “{}”", clip.name), message));
    }
}

fn is_animated(track: &[Quat]) -> bool {
    track.first().is_some_and(|first| track.iter().any(|q| q.dot(*first).abs() < 1.0 - 1e-6))
}

fn add_gaze(clip: &NodeClip, out: &mut Clip) {
    let Some(gaze) = &clip.gaze else { return };
    for (frame, rotation) in gaze.iter().enumerate().take(out.frames()) {
        out.set_rotation(frame, Bone::LeftEye, *rotation);
        out.set_rotation(frame, Bone::RightEye, *rotation);
    }
}

#[cfg(test)]
mod tests;
