//! Tests with the skeletons of many tools. In the notation `a[b[c],d]`, `b` and `d` are children of `a`; a node
//! prefixed with `*` stands for two, in which `~` is replaced by the left and the right side.

use super::*;
use crate::scene::{Node, Transform};
use glam::{Quat, Vec3};
use proptest::prelude::*;

mod families;
mod files;

/// Parses the notation into nodes, all of them joints.
fn parse(notation: &str, sides: [&str; 2]) -> Vec<Node> {
    let mut nodes = Vec::new();
    grow(notation, None, sides, None, &mut nodes);
    nodes
}

fn grow(mut rest: &str, parent: Option<usize>, sides: [&str; 2], side: Option<usize>, nodes: &mut Vec<Node>) {
    while !rest.is_empty() {
        let (name, inner, after) = split_first(rest);
        let both = name.starts_with('*');
        for s in if both { 0..2 } else { 0..1 } {
            let side = if both { Some(s) } else { side };
            let name = name.trim_start_matches('*').replace('~', side.map_or("~", |s| sides[s]));
            let rest = Transform { translation: Vec3::ZERO, ..Transform::IDENTITY };
            nodes.push(Node { name, parent, rest, is_joint: true });
            grow(inner, Some(nodes.len() - 1), sides, side, nodes);
        }
        rest = after.trim_start_matches(',');
    }
}

/// Returns the first name of a list, the content of its brackets, and the rest.
fn split_first(list: &str) -> (&str, &str, &str) {
    let end = list.find([',', '[']).unwrap_or(list.len());
    if !list[end..].starts_with('[') {
        return (&list[..end], "", &list[end..]);
    }
    let mut depth = 0;
    let close = list.char_indices().find(|(_, c)| {
        depth += i32::from(*c == '[') - i32::from(*c == ']');
        depth == 0 && *c == ']'
    });
    let close = close.expect("brackets are closed").0;
    (&list[..end], &list[end + 1..close], &list[close + 1..])
}

/// Finds the humanoid and checks the invariants of every result.
fn find_and_check(nodes: Vec<Node>) -> (HumanoidMap, Vec<Warning>, Scene) {
    let scene = Scene::new(nodes).expect("a tree");
    let mut warnings = Vec::new();
    let map = find(&scene, &mut warnings);
    for (bone, node) in map.iter() {
        let name = bone.name();
        assert_eq!(map.bone(node), Some(bone), "{name} shares its node");
        let above = std::iter::successors(bone.parent(), |b| b.parent()).find(|b| map.node(*b).is_some());
        let Some(above) = above else { continue };
        let at = map.node(above).unwrap();
        assert!(!scene.is_below(at, node), "{name} is above {}", above.name());
        let loose = above == Bone::Hips || may_be_detached(above, bone);
        assert!(loose || scene.is_below(node, at), "{name} is not below {}", above.name());
    }
    assert!(warnings.len() <= 1, "{warnings:?}");
    (map, warnings, scene)
}

/// A body of 22 joints as (parent, position, name), Y up, facing +Z, left at +X.
#[rustfmt::skip]
const ANONYMOUS: [(Option<usize>, [f32; 3], &str); 22] = [
    (None, [0.0, 1.0, 0.0], "hips"),
    (Some(0), [0.0, 1.1, 0.0], "spine"),
    (Some(1), [0.0, 1.2, 0.0], "chest"),
    (Some(2), [0.0, 1.35, 0.0], "upperChest"),
    (Some(3), [0.0, 1.5, 0.0], "neck"),
    (Some(4), [0.0, 1.6, 0.01], "head"),
    (Some(3), [0.05, 1.45, 0.0], "leftShoulder"),
    (Some(6), [0.18, 1.45, 0.0], "leftUpperArm"),
    (Some(7), [0.45, 1.45, 0.0], "leftLowerArm"),
    (Some(8), [0.70, 1.45, 0.0], "leftHand"),
    (Some(3), [-0.05, 1.45, 0.0], "rightShoulder"),
    (Some(10), [-0.18, 1.45, 0.0], "rightUpperArm"),
    (Some(11), [-0.45, 1.45, 0.0], "rightLowerArm"),
    (Some(12), [-0.70, 1.45, 0.0], "rightHand"),
    (Some(0), [0.1, 0.95, 0.0], "leftUpperLeg"),
    (Some(14), [0.1, 0.5, 0.02], "leftLowerLeg"),
    (Some(15), [0.1, 0.08, 0.0], "leftFoot"),
    (Some(16), [0.11, 0.02, 0.13], "leftToes"),
    (Some(0), [-0.1, 0.95, 0.0], "rightUpperLeg"),
    (Some(18), [-0.1, 0.5, 0.02], "rightLowerLeg"),
    (Some(19), [-0.1, 0.08, 0.0], "rightFoot"),
    (Some(20), [-0.11, 0.02, 0.13], "rightToes"),
];

/// The body, rotated, with letters as names.
fn anonymous(turn: Quat) -> Vec<Node> {
    let joint = |(i, (parent, at, _)): (usize, &(Option<usize>, [f32; 3], &str))| {
        let above = parent.map_or(Vec3::ZERO, |p| Vec3::from(ANONYMOUS[p].1));
        let translation = turn * (Vec3::from(*at) - above);
        let name = char::from(b'a' + i as u8).to_string();
        Node { name, parent: *parent, rest: Transform { translation, ..Transform::IDENTITY }, is_joint: true }
    };
    ANONYMOUS.iter().enumerate().map(joint).collect()
}

#[test]
fn a_skeleton_without_names_is_found_by_shape_on_any_axis() {
    let quarter = std::f32::consts::FRAC_PI_2;
    let turns = [
        Quat::IDENTITY,
        Quat::from_rotation_x(quarter),
        Quat::from_rotation_x(-quarter),
        Quat::from_rotation_z(quarter),
        Quat::from_rotation_y(2.0 * quarter),
        Quat::from_rotation_y(0.7) * Quat::from_rotation_z(-quarter),
    ];
    for turn in turns {
        let (map, warnings, _) = find_and_check(anonymous(turn));
        for (node, (.., bone)) in ANONYMOUS.iter().enumerate() {
            assert_eq!(map.bone(node).map(Bone::name), Some(*bone), "turned by {turn:?}");
        }
        assert!(warnings[0].message.contains("hips, spine, chest"), "{warnings:?}");
        assert_eq!(warnings[0].code, WarningCode::Guessed);
    }
}

#[test]
fn missing_names_are_filled_by_shape_with_a_warning() {
    let nodes: Vec<_> = anonymous(Quat::IDENTITY)
        .into_iter()
        .zip(ANONYMOUS)
        .map(|(node, (.., bone))| match bone {
            "head" | "leftLowerArm" => node,
            _ => Node { name: bone.to_owned(), ..node },
        })
        .collect();
    let (map, warnings, _) = find_and_check(nodes);
    assert_eq!(map.missing(), []);
    assert_eq!(map.node(Bone::Head), Some(5));
    assert!(warnings[0].message.contains(": head, leftLowerArm."), "{warnings:?}");
}

#[test]
fn other_scenes_have_no_humanoid() {
    let cases = [
        "",
        "Camera,Light,Cube",
        "bone[bone.001[bone.002[bone.003[bone.004]]]]",
        "Car[Body,Wheel_FL,Wheel_FR,Wheel_RL,Wheel_RR,Head light,Back]",
        "Root[Head,*Hand.~]",
        "hand[index1[index2[index3]],thumb1[thumb2[thumb3]],ring1[ring2]]",
    ];
    for case in cases {
        let (map, warnings, _) = find_and_check(parse(case, ["L", "R"]));
        assert_eq!((map, warnings), (HumanoidMap::default(), vec![]), "{case}");
    }
}

#[test]
fn limbs_of_two_joints_stay_incomplete() {
    let notation = "bassin[torse[tête,*bras ~[main ~]],*jambe ~[pied ~]]";
    let (map, _, scene) = find_and_check(parse(notation, ["gauche", "droite"]));
    let name = |bone| map.node(bone).map(|n| scene.nodes()[n].name.as_str());
    assert_eq!(name(Bone::RightUpperArm), Some("bras droite"));
    assert_eq!(name(Bone::LeftFoot), Some("pied gauche"));
    let missing = [Bone::LeftLowerArm, Bone::RightLowerArm, Bone::LeftLowerLeg, Bone::RightLowerLeg];
    assert_eq!(map.missing(), missing);
}

#[test]
fn a_skinned_joint_wins_over_a_mesh_of_the_same_name() {
    let notation = "Head,Hips[Spine[Head[Head],*~Arm[~ForeArm[~Hand[~Hand]]]],*~UpLeg[~Leg[~Foot[~Foot]]]]";
    let mut nodes = parse(notation, ["Left", "Right"]);
    for node in [0, 4] {
        nodes[node].is_joint = false;
    }
    let (map, ..) = find_and_check(nodes);
    assert_eq!(map.node(Bone::Head), Some(3));
    assert_eq!(map.missing(), []);
}

#[test]
fn one_of_two_people_is_found_completely() {
    let person = "Hips[Spine[Head,*~Arm[~ForeArm[~Hand]]],*~UpLeg[~Leg[~Foot]]]";
    let (map, ..) = find_and_check(parse(&format!("Scene[A[{person}],B[{person}]]"), ["Left", "Right"]));
    assert_eq!(map.missing(), []);
    assert!(map.iter().all(|(_, node)| node < 17), "{map:?}");
}

#[test]
fn a_quadruped_without_names_is_not_a_humanoid() {
    // A dog: the body lies along Z, and its four legs are equally long.
    let leg = |x: f32, z: f32| [[x, 0.6, z], [x, 0.35, z - 0.03], [x, 0.05, z], [x, 0.0, z + 0.08]];
    let mut joints = vec![(None, [0.0, 0.7, -0.4]), (Some(0), [0.0, 0.72, 0.0]), (Some(1), [0.0, 0.7, 0.4])];
    joints.extend([(Some(2), [0.0, 0.8, 0.5]), (Some(3), [0.0, 0.85, 0.65])]);
    for (hip, x, z) in [(0, 0.1, -0.4), (0, -0.1, -0.4), (2, 0.1, 0.4), (2, -0.1, 0.4)] {
        for (i, at) in leg(x, z).into_iter().enumerate() {
            joints.push((Some(if i == 0 { hip } else { joints.len() - 1 }), at));
        }
    }
    let joint = |&(parent, at): &(Option<usize>, [f32; 3])| {
        let above = parent.map_or(Vec3::ZERO, |p: usize| Vec3::from(joints[p].1));
        let rest = Transform { translation: Vec3::from(at) - above, ..Transform::IDENTITY };
        Node { name: String::new(), parent, rest, is_joint: true }
    };
    assert_eq!(find_and_check(joints.iter().map(joint).collect()).0, HumanoidMap::default());
}

#[test]
fn non_finite_positions_do_not_panic() {
    for bad in [f32::NAN, f32::INFINITY, f32::MAX] {
        let mut nodes = anonymous(Quat::IDENTITY);
        nodes.iter_mut().for_each(|n| n.rest.translation.x = bad);
        find_and_check(nodes);
    }
}

#[test]
fn lid_bones_are_found() {
    let check = |names: &str, expected| {
        let scene = Scene::new(parse(names, ["L", "R"])).unwrap();
        assert_eq!(has_lid_bones(&scene), expected, "{names}");
    };
    check("Bip01 Head[Bip01 LEyeBlinkTop,Bip01 LEyeBlinkBottom]", true);
    check("head[*eyelid.~]", true);
    check("head[*lid.T.~.001]", true);
    check("head[*~Eye,blink,Meter Blink,slider]", false);
}

#[test]
fn thousands_of_nodes_are_fast() {
    let long = "a1".repeat(crate::limits::MAX_NAME_BYTES / 2);
    let dense = "左2".repeat(30);
    let names =
        [&long, &dense, "LeftHand", "Spine", "Hips", "index1_l", "x", "upper arm right", "Head", "Finger1"];
    type Parent = fn(usize) -> usize;
    let shapes: [(&str, Parent); 3] = [
        ("a star", |_| 0),
        ("chains", |i| if i % 500 == 1 { 0 } else { i - 1 }),
        ("a heap", |i| (i - 1) / 2),
    ];
    for (shape, parent) in shapes {
        let node = |i: usize| Node {
            name: names[i % names.len()].to_owned(),
            parent: (i > 0).then(|| parent(i)),
            rest: Transform { translation: Vec3::new(0.1, (i % 7) as f32, 0.0), ..Transform::IDENTITY },
            is_joint: true,
        };
        let scene = Scene::new((0..crate::limits::MAX_NODES).map(node).collect()).unwrap();
        let start = std::time::Instant::now();
        let _ = find(&scene, &mut Vec::new());
        // The search takes half a second on a quiet machine. With quadratic run time it would take minutes.
        assert!(start.elapsed().as_secs_f32() < 20.0, "{shape}: {:?}", start.elapsed());
    }
}

fn any_name() -> impl Strategy<Value = String> {
    let known = "(mixamorig:|Bip01 |DEF-)?(Left|Right|L |r_)?(Hips|Spine|Chest|Neck|Head|Eye|Jaw|Shoulder|Arm|ForeArm\
                 |Hand|UpLeg|Leg|Shin|Foot|Toe|Thumb|Index|Finger|Ring)[0-4]?(\\.L|_r|)";
    prop_oneof![4 => known, 1 => "\\PC{0,12}"]
}

proptest! {
    #[test]
    fn any_tree_with_any_names_gives_a_valid_map(
        joints in prop::collection::vec((any_name(), any::<prop::sample::Index>(), prop::array::uniform3(-1.0f32..1.0), any::<bool>()), 1..80)
    ) {
        let node = |(i, (name, parent, at, is_joint)): (usize, (String, prop::sample::Index, [f32; 3], bool))| Node {
            name,
            parent: (i > 0).then(|| parent.index(i)),
            rest: Transform { translation: at.into(), ..Transform::IDENTITY },
            is_joint,
        };
        find_and_check(joints.into_iter().enumerate().map(node).collect());
    }

    #[test]
    fn a_body_with_changed_names_gives_a_valid_map(
        names in prop::collection::vec(prop::option::of(any_name()), ANONYMOUS.len()),
        moved in prop::collection::vec(any::<prop::sample::Index>(), 0..4)
    ) {
        let mut nodes = anonymous(Quat::IDENTITY);
        for ((node, name), (.., bone)) in nodes.iter_mut().zip(names).zip(ANONYMOUS) {
            node.name = name.unwrap_or_else(|| bone.to_owned());
        }
        for index in moved {
            nodes[index.index(ANONYMOUS.len() - 1) + 1].parent = Some(0);
        }
        find_and_check(nodes);
    }
}
