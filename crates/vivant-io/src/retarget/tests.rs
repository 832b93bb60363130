//! Tests with a synthetic person in every build, pose and orientation.

use super::*;
use crate::scene::{Kind, Node, Scene};
use proptest::prelude::*;
use vivant::rig::LookAt;

/// Bone, parent bone, and rest position in a T-pose.
#[rustfmt::skip]
const PERSON: [(Bone, Bone, [f32; 3]); 24] = {
    use Bone::*;
    [
        (Hips, Hips, [0.0, 0.95, 0.0]), (Spine, Hips, [0.0, 1.05, 0.0]), (Chest, Spine, [0.0, 1.2, 0.01]),
        (Neck, Chest, [0.0, 1.45, 0.0]), (Head, Neck, [0.0, 1.55, 0.02]),
        (LeftShoulder, Chest, [0.05, 1.4, 0.0]), (LeftUpperArm, LeftShoulder, [0.17, 1.4, 0.0]),
        (LeftLowerArm, LeftUpperArm, [0.45, 1.4, 0.0]), (LeftHand, LeftLowerArm, [0.7, 1.4, 0.0]),
        (LeftThumbProximal, LeftHand, [0.74, 1.39, 0.04]), (LeftMiddleProximal, LeftHand, [0.79, 1.4, 0.0]),
        (RightShoulder, Chest, [-0.05, 1.4, 0.0]), (RightUpperArm, RightShoulder, [-0.17, 1.4, 0.0]),
        (RightLowerArm, RightUpperArm, [-0.45, 1.4, 0.0]), (RightHand, RightLowerArm, [-0.7, 1.4, 0.0]),
        (RightMiddleProximal, RightHand, [-0.79, 1.4, 0.0]),
        (LeftUpperLeg, Hips, [0.09, 0.9, 0.0]), (LeftLowerLeg, LeftUpperLeg, [0.09, 0.5, 0.0]),
        (LeftFoot, LeftLowerLeg, [0.09, 0.08, 0.0]), (LeftToes, LeftFoot, [0.09, 0.02, 0.13]),
        (RightUpperLeg, Hips, [-0.09, 0.9, 0.0]), (RightLowerLeg, RightUpperLeg, [-0.09, 0.5, 0.0]),
        (RightFoot, RightLowerLeg, [-0.09, 0.08, 0.0]), (RightToes, RightFoot, [-0.09, 0.02, 0.13]),
    ]
};

const LIMBS: [(Bone, Bone); 8] = {
    use Bone::*;
    [
        (LeftUpperArm, LeftLowerArm),
        (LeftLowerArm, LeftHand),
        (RightUpperArm, RightLowerArm),
        (RightLowerArm, RightHand),
        (LeftUpperLeg, LeftLowerLeg),
        (LeftLowerLeg, LeftFoot),
        (RightUpperLeg, RightLowerLeg),
        (RightLowerLeg, RightFoot),
    ]
};

/// Differences of a skeleton from a T-pose with plain axes.
#[derive(Clone, Debug)]
struct Build {
    /// Rotation from humanoid space to the file's world: its axes and facing direction.
    world: Quat,
    /// Angle of the arms below horizontal at rest, in radians.
    arms_down: f32,
    /// Rotations of the joints' own axes; they move nothing.
    axes: Vec<Quat>,
    /// True if there is an unmapped joint half-way along each bone.
    with_middles: bool,
    /// True if joints have VRM's names.
    with_names: bool,
    /// True if collar bones are children of the neck, thighs are children of the spine and feet are children of no
    /// bone, as in some rigs.
    is_odd: bool,
}

/// Returns the parent of a bone in the skeleton; `None` if the parent is not a bone. `parent` is the usual parent.
fn carrier(build: &Build, bone: Bone, parent: Bone) -> Option<Bone> {
    match bone {
        Bone::LeftShoulder | Bone::RightShoulder if build.is_odd => Some(Bone::Neck),
        Bone::LeftUpperLeg | Bone::RightUpperLeg if build.is_odd => Some(Bone::Spine),
        Bone::LeftFoot | Bone::RightFoot if build.is_odd => None,
        _ => Some(parent),
    }
}

/// A T-pose with plain axes and no names.
fn plain() -> Build {
    let axes = vec![Quat::IDENTITY];
    Build {
        world: Quat::IDENTITY,
        arms_down: 0.0,
        axes,
        with_middles: false,
        with_names: false,
        is_odd: false,
    }
}

/// Builds the source of a person with this build.
fn source(build: &Build, clip: Option<NodeClip>) -> Source {
    let hang = |bone: Bone, place: Vec3| {
        let (shoulder, turn) = match bone {
            b if b != Bone::LeftShoulder && BoneSet::LEFT_ARM.contains(b) => {
                (Vec3::new(0.17, 1.4, 0.0), -1.0)
            }
            b if b != Bone::RightShoulder && BoneSet::RIGHT_ARM.contains(b) => {
                (Vec3::new(-0.17, 1.4, 0.0), 1.0)
            }
            _ => return place,
        };
        shoulder + Quat::from_rotation_z(turn * build.arms_down) * (place - shoulder)
    };
    let place = |bone: Bone| {
        let (_, _, place) = PERSON.iter().find(|(b, ..)| *b == bone).unwrap();
        build.world * hang(bone, Vec3::from(*place))
    };
    let axes = |bone: Bone| build.world * build.axes[bone.index() % build.axes.len()];
    let mut nodes: Vec<Node> = Vec::new();
    let mut map = HumanoidMap::default();
    let mut push = |parent: Option<(usize, Quat, Vec3)>, rotation: Quat, at: Vec3, name: &str| {
        let (above, from) = parent.map_or((Quat::IDENTITY, Vec3::ZERO), |(_, rotation, at)| (rotation, at));
        let rest = Transform {
            translation: above.inverse() * (at - from),
            rotation: (above.inverse() * rotation).normalize(),
            scale: Vec3::ONE,
        };
        nodes.push(Node { name: name.into(), parent: parent.map(|p| p.0), rest, is_joint: true });
        nodes.len() - 1
    };
    for (bone, parent, _) in PERSON {
        let carrier = carrier(build, bone, parent);
        let mut above = carrier.and_then(|it| Some((map.node(it)?, axes(it), place(it))));
        if let (true, Some((_, _, from))) = (build.with_middles, above) {
            let middle = (from + place(bone)) * 0.5;
            above = Some((push(above, axes(bone), middle, "middle"), axes(bone), middle));
        }
        let name = if build.with_names { bone.name() } else { "bone" };
        map.set(bone, Some(push(above, axes(bone), place(bone), name)));
    }
    Source {
        kind: Kind::Bvh,
        name: "person".into(),
        scene: Scene::new(nodes).unwrap(),
        humanoid: map,
        rest: RestPose::Unknown,
        expressions: Vec::new(),
        look_at: LookAt::default(),
        lids: vivant::rig::LidMap::default(),
        lid_bones: Vec::new(),
        clips: clip.into_iter().collect(),
        warnings: Vec::new(),
    }
}

/// A clip in which every node has its own rotation and the hips move.
fn clip_of(source: &Source, turns: &[Quat], shift: Vec3) -> NodeClip {
    let nodes = source.scene.nodes();
    let turned = |node: usize| nodes[node].rest.rotation * turns[node % turns.len()];
    let hips = source.humanoid.node(Bone::Hips).unwrap();
    NodeClip {
        name: "turned".into(),
        rate: 30.0,
        frames: 2,
        rotations: (0..nodes.len()).map(|n| (n, vec![nodes[n].rest.rotation, turned(n)])).collect(),
        translations: vec![(hips, vec![nodes[hips].rest.translation, nodes[hips].rest.translation + shift])],
        ..NodeClip::default()
    }
}

fn rotation(most: f32) -> impl Strategy<Value = Quat> {
    let axis =
        prop::array::uniform3(-1.0f32..1.0).prop_filter("a direction", |v| Vec3::from(*v).length() > 0.1);
    (axis, 0.0..most).prop_map(|(axis, angle)| Quat::from_axis_angle(Vec3::from(axis).normalize(), angle))
}

/// One of the 24 axis conventions: any axis up, facing along any of the others.
fn axes() -> impl Strategy<Value = Quat> {
    (0..6_usize, 0..4_u8).prop_map(|(up, turn)| {
        let ups = [Vec3::X, Vec3::Y, Vec3::Z, Vec3::NEG_X, Vec3::NEG_Y, Vec3::NEG_Z];
        let quarter = Quat::from_rotation_y(f32::from(turn) * std::f32::consts::FRAC_PI_2);
        shortest_arc(Vec3::Y, ups[up]) * quarter
    })
}

fn build() -> impl Strategy<Value = Build> {
    (axes(), 0.0f32..1.4, prop::collection::vec(rotation(3.0), 1..7), any::<bool>()).prop_map(
        |(world, arms_down, axes, with_middles)| Build { world, arms_down, axes, with_middles, ..plain() },
    )
}

/// World transforms at a frame of the clip.
fn world_at(source: &Source, clip: &NodeClip, frame: usize) -> Vec<Transform> {
    let mut locals: Vec<Transform> = source.scene.nodes().iter().map(|n| n.rest).collect();
    clip.rotations.iter().for_each(|(n, track)| locals[*n].rotation = track[frame]);
    clip.translations.iter().for_each(|(n, track)| locals[*n].translation = track[frame]);
    source.scene.world(&locals)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_build_comes_out_upright_in_a_t_pose(build in build()) {
        let source = source(&build, None);
        let humanoid = Humanoid::new(&source, &mut Vec::new()).unwrap();
        for (bone, _, place) in PERSON {
            let off = (humanoid.rig().rest_position(bone) - Vec3::from(place)).length();
            prop_assert!(off < 2e-3, "{bone:?} is {off} m off");
        }
    }

    #[test]
    fn retargeted_limbs_keep_their_directions(build in build(), turns in prop::collection::vec(rotation(0.7), 1..40)) {
        let mut source = source(&build, None);
        let clip = clip_of(&source, &turns, build.world * Vec3::new(0.1, 0.05, -0.2));
        source.clips = vec![clip.clone()];
        let humanoid = Humanoid::new(&source, &mut Vec::new()).unwrap();
        let retargeted = humanoid.retarget(&source, &clip, &mut Vec::new()).unwrap();
        let world = world_at(&source, &clip, 1);
        let pose = Pose { rotations: *retargeted.rotations(1), root: retargeted.root(1) };
        let model = pose.model_transforms(humanoid.rig());
        for (bone, next) in LIMBS {
            let node = |b: Bone| source.humanoid.node(b).unwrap();
            let meant = build.world.inverse() * (world[node(next)].translation - world[node(bone)].translation);
            let shown = Vec3::from(model[next.index()].translation - model[bone.index()].translation);
            let apart = meant.angle_between(shown).to_degrees();
            prop_assert!(apart < 0.1, "{bone:?} is {apart}° off");
        }
        let hips = build.world.inverse() * world[source.humanoid.node(Bone::Hips).unwrap()].translation;
        prop_assert!((retargeted.root(1) - hips).length() < 1e-4);
    }

    /// A viewer needs only the node bindings to show a pose.
    #[test]
    fn node_bindings_reproduce_node_transforms(
        build in build(), is_odd in any::<bool>(), turns in prop::collection::vec(rotation(0.7), 1..40),
    ) {
        let source = source(&Build { is_odd, ..build }, None);
        let humanoid = Humanoid::new(&source, &mut Vec::new()).unwrap();
        let mut pose = Pose::neutral(humanoid.rig());
        for (bone, turn) in humanoid.rig().bones().iter().zip(turns.iter().cycle()) {
            pose.rotations.set(bone, *turn);
        }
        pose.root += Vec3::new(0.1, -0.2, 0.3);
        let locals = humanoid.node_locals(&source, &pose);
        let model = pose.model_transforms(humanoid.rig());
        for bone in humanoid.rig().bones().iter() {
            let Some(NodeBinding { node, before, after, carried }) = humanoid.node_binding(&source, bone) else { continue };
            let mut turn = pose.rotations.get(bone);
            if let Some(Carried { by, at, unit }) = carried {
                let from_carrier = by.map_or(Affine3A::IDENTITY, |by| model[by.index()]).inverse() * model[bone.index()];
                turn = Quat::from_mat3a(&from_carrier.matrix3);
                let moved = before * (Vec3::from(from_carrier.translation) - at) / unit;
                let place = source.scene.nodes()[node].rest.translation + moved;
                let off = place.distance(locals[node].translation);
                prop_assert!(off < 1e-4, "{bone:?} is {off} m off");
            }
            let off = angle_between(before * turn * after, locals[node].rotation);
            prop_assert!(off < 2e-3, "{bone:?} is {off} rad off");
        }
    }

    /// Without joints between bones no information is lost, so the inverse gives the same world transforms.
    #[test]
    fn node_locals_invert_retargeting(
        build in build().prop_map(|b| Build { with_middles: false, ..b }),
        turns in prop::collection::vec(rotation(0.7), 1..40),
    ) {
        let source = source(&build, None);
        let clip = clip_of(&source, &turns, build.world * Vec3::new(0.1, 0.05, -0.2));
        let humanoid = Humanoid::new(&source, &mut Vec::new()).unwrap();
        let retargeted = humanoid.retarget(&source, &clip, &mut Vec::new()).unwrap();
        let pose = Pose { rotations: *retargeted.rotations(1), root: retargeted.root(1) };
        let shown = source.scene.world(&humanoid.node_locals(&source, &pose));
        for (meant, shown) in world_at(&source, &clip, 1).iter().zip(&shown) {
            prop_assert!(angle_between(meant.rotation, shown.rotation) < 1e-3);
            prop_assert!(meant.translation.distance(shown.translation) < 1e-3);
        }
    }
}

#[test]
fn palms_that_face_forward_are_turned_down() {
    let mut source = source(&plain(), None);
    // The thumb above the hand: the palm faces forward.
    let thumb = source.humanoid.node(Bone::LeftThumbProximal).unwrap();
    let mut nodes = source.scene.nodes().to_vec();
    nodes[thumb].rest.translation = Vec3::new(0.04, 0.04, 0.01);
    source.scene = Scene::new(nodes).unwrap();
    let humanoid = Humanoid::new(&source, &mut Vec::new()).unwrap();
    let rig = humanoid.rig();
    let across = rig.rest_position(Bone::LeftThumbProximal) - rig.rest_position(Bone::LeftHand);
    assert!(across.z > 0.03 && across.y.abs() < 0.005, "{across}");
}

/// Nodes with VRM's bone names and no rest rotation are a T-pose, even if the arms hang a little.
#[test]
fn a_skeleton_in_humanoid_space_rests_in_its_t_pose() {
    let build = Build { arms_down: 0.1, with_names: true, ..plain() };
    let arm = |source: &Source| {
        let humanoid = Humanoid::new(source, &mut Vec::new()).unwrap();
        humanoid.rig().rest_position(Bone::LeftHand) - humanoid.rig().rest_position(Bone::LeftUpperArm)
    };
    assert!((arm(&source(&build, None)).y + 0.53 * vivant::math::sin32(0.1)).abs() < 1e-4);
    let nameless = source(&Build { with_names: false, ..build }, None);
    assert!(arm(&nameless).y.abs() < 1e-4);
}

#[test]
fn missing_bones_give_a_warning_or_no_humanoid() {
    let mut source = source(&plain(), None);
    source.humanoid.set(Bone::LeftHand, None);
    let mut warnings = Vec::new();
    assert!(Humanoid::new(&source, &mut warnings).is_some());
    assert!(warnings[0].message.contains("leftHand"), "{warnings:?}");
    source.humanoid.set(Bone::Head, None);
    assert!(Humanoid::new(&source, &mut warnings).is_none());
}

#[test]
fn a_skeleton_that_rests_with_its_hips_at_the_origin_stands_on_the_ground() {
    let mut source = source(&Build { arms_down: 0.3, ..plain() }, None);
    let hips = source.humanoid.node(Bone::Hips).unwrap();
    let mut nodes = source.scene.nodes().to_vec();
    nodes[hips].rest.translation = Vec3::ZERO;
    source.scene = Scene::new(nodes).unwrap();
    let humanoid = Humanoid::new(&source, &mut Vec::new()).unwrap();
    assert!((humanoid.rig().hips_height() - 0.93).abs() < 1e-4);
    // A capture has the ground at its origin; a clip that starts at the rest position does not.
    for (shift, expected) in [(0.9, 0.9), (0.01, 0.94)] {
        let clip = clip_of(&source, &[Quat::IDENTITY], Vec3::ZERO);
        let moved = vec![Vec3::Y * shift; 2];
        let clip = NodeClip { translations: vec![(hips, moved)], ..clip };
        let root = humanoid.retarget(&source, &clip, &mut Vec::new()).unwrap().root(1);
        assert!((root.y - expected).abs() < 1e-4, "{root}");
    }
}
