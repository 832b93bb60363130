//! Tests VMC against another implementation, and with avatars whose bones have arbitrary rest rotations.

use glam::{Mat4, Quat, Vec3};
use proptest::prelude::*;
use vivant::math::angle_between;
use vivant::pose::Pose;
use vivant::rig::{Bone, BoneSet, Channel, Expression, LidMap, LookAt, Rig, RigParts};
use vivant_io::retarget::Humanoid;
use vivant_io::scene::{HumanoidMap, Kind, Node, RestPose, Scene, Source, Transform};
use vivant_io::vmc::{Names, Received, Receiver, Sender, Skeleton};
use vmc::rosc::{decoder, encoder};
use vmc::{
    ApplyBlendShapes, BlendShape, BoneTransform, IntoOSCPacket, Message, ModelState, RootTransform, State,
    Time,
};

fn rig() -> Rig {
    let place = |bone: Bone| (bone, Vec3::new(0.01, 0.04, -0.02) * (1.0 + bone.index() as f32));
    Rig::new(RigParts {
        rest_positions: Bone::ALL.into_iter().map(place).collect(),
        channels: Expression::all().map(Channel::Known).collect(),
        ..RigParts::default()
    })
}

fn rotation() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0f32..1.0)
        .prop_filter("not zero", |q| q.iter().map(|c| c * c).sum::<f32>() > 0.01)
        .prop_map(|q| Quat::from_array(q).normalize())
}

fn pose() -> impl Strategy<Value = Pose> {
    let all = prop::collection::vec(rotation(), Bone::COUNT);
    (all, prop::array::uniform3(-2.0f32..2.0)).prop_map(|(rotations, root)| {
        let mut pose = Pose { root: Vec3::from(root), ..Pose::default() };
        Bone::ALL.into_iter().zip(rotations).for_each(|(bone, q)| pose.rotations.set(bone, q));
        pose
    })
}

fn off(a: &Pose, b: &Pose, bones: BoneSet) -> f32 {
    let turns = bones.iter().map(|bone| angle_between(a.rotations.get(bone), b.rotations.get(bone)));
    turns.fold((a.root - b.root).length(), f32::max)
}

/// Decodes packets with the `vmc` crate.
fn decode_with_vmc_crate<'a>(packets: impl Iterator<Item = &'a [u8]>) -> Vec<Message> {
    let parse = |packet: &[u8]| vmc::parse(decoder::decode_udp(packet).unwrap().1).unwrap();
    packets.flat_map(parse).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// The `vmc` crate decodes everything that is sent, in Unity's space.
    #[test]
    fn the_vmc_crate_decodes_our_packets(pose in pose(), weights in prop::collection::vec(0.0f32..=1.0, 85)) {
        let rig = rig();
        let mut sender = Sender::new(Skeleton::normalised(&rig), rig.channels(), Names::Vrm0);
        let messages = decode_with_vmc_crate(sender.frame(12.5, &pose, &weights));
        let mut bones = Vec::new();
        let mut blends = Vec::new();
        let (mut has_root, mut is_applied, mut state, mut time) = (false, false, None, None);
        for message in messages {
            match message {
                Message::RootTransform(root) => has_root = root == RootTransform::new(vmc::Vec3::new(0.0, 0.0, 0.0), vmc::Quat::from_xyzw(0.0, 0.0, 0.0, 1.0)),
                Message::BoneTransform(bone) => bones.push(bone),
                Message::BlendShape(blend) => {
                    prop_assert!(!is_applied, "weights must come before Apply");
                    blends.push(blend);
                }
                Message::ApplyBlendShapes => is_applied = true,
                Message::State(told) => state = Some(told),
                Message::Time(told) => time = Some(told.0),
                other => prop_assert!(false, "{:?}", other),
            }
        }
        prop_assert!(has_root && is_applied);
        prop_assert_eq!(state.map(|state| state.model_state), Some(ModelState::Loaded));
        prop_assert_eq!(time, Some(12.5));
        prop_assert_eq!((bones.len(), blends.len()), (55, 85));
        for (bone, decode_with_vmc_crate) in Bone::ALL.into_iter().zip(&bones) {
            let (p, q) = (&decode_with_vmc_crate.position, &decode_with_vmc_crate.rotation);
            let expected = pose.rotations.get(bone);
            // Unity's X axis is reversed.
            let back = Quat::from_xyzw(q.x, -q.y, -q.z, q.w);
            prop_assert!(angle_between(back, expected) < 1e-4, "{}", decode_with_vmc_crate.bone);
            let place = if bone == Bone::Hips { pose.root } else { rig.rest_translation(bone) };
            prop_assert!((Vec3::new(-p.x, p.y, p.z) - place).length() < 1e-6, "{}", decode_with_vmc_crate.bone);
        }
        for (weight, decode_with_vmc_crate) in weights.iter().zip(&blends) {
            prop_assert_eq!(*weight, decode_with_vmc_crate.value);
        }
        let spoken: Vec<&str> = blends.iter().map(|blend| blend.key.as_str()).take(13).collect();
        prop_assert_eq!(spoken, ["Joy", "Angry", "Sorrow", "Fun", "Surprised", "Neutral", "A", "I", "U", "E", "O", "Blink", "Blink_L"]);
    }

    /// Everything that the `vmc` crate sends is read, with one message per packet.
    #[test]
    fn packets_of_the_vmc_crate_are_received(pose in pose(), joy in 0.0f32..=1.0) {
        let rig = rig();
        let mut receiver = Receiver::new(Skeleton::normalised(&rig));
        let mut packets = vec![State::new(ModelState::Loaded).into_osc_packet()];
        for bone in Bone::ALL {
            let (p, q) = (pose.root, pose.rotations.get(bone));
            let name = unity_name(bone);
            let place = vmc::Vec3::new(-p.x, p.y, p.z);
            packets.push(BoneTransform::new(name, place, vmc::Quat::from_xyzw(q.x, -q.y, -q.z, q.w)).into_osc_packet());
        }
        packets.push(BlendShape::new("Joy", joy).into_osc_packet());
        packets.push(ApplyBlendShapes.into_osc_packet());
        packets.push(Time::new(3.0).into_osc_packet());
        let mut frames: Vec<Received> = Vec::new();
        for packet in packets {
            receiver.take(1.0, &encoder::encode(&packet).unwrap(), &mut |frame| frames.push(frame));
        }
        prop_assert_eq!((frames.len(), receiver.malformed()), (1, 0));
        prop_assert!(off(&pose, &frames[0].pose, BoneSet::ALL) < 1e-4);
        prop_assert_eq!(&frames[0].weights, &[(Channel::from("happy".to_owned()), joy)]);
        prop_assert_eq!(frames[0].sent_secs, Some(3.0));
    }

    /// For a VRM 1.0 avatar with rest rotations, the rotations of its own nodes are sent, as UniVRM would show them,
    /// and they are received as the same pose.
    #[test]
    fn avatars_with_rest_rotations_send_node_rotations(
        pose in pose(), axes in prop::collection::vec(rotation(), 7), is_old in any::<bool>()
    ) {
        let source = turned(&axes, is_old);
        let humanoid = Humanoid::new(&source, &mut Vec::new()).unwrap();
        let skeleton = Skeleton::of(&humanoid, &source);
        // Missing bones have no rotation.
        let mut pose = pose;
        BoneSet::ALL.minus(skeleton.bones()).iter().for_each(|bone| pose.rotations.set(bone, Quat::IDENTITY));
        let mut sender = Sender::new(skeleton.clone(), &[], Names::Vrm0);
        let packets: Vec<Vec<u8>> = sender.frame(0.0, &pose, &[]).map(<[u8]>::to_vec).collect();
        let locals = humanoid.node_locals(&source, &pose);
        let sent = decode_with_vmc_crate(packets.iter().map(Vec::as_slice));
        let bones = sent.iter().filter_map(|message| match message {
            Message::BoneTransform(bone) => Some(bone),
            _ => None,
        });
        for (bone, told) in skeleton.bones().iter().zip(bones) {
            let node = humanoid.map().node(bone).unwrap();
            let expected = mirrored(locals[node], is_old);
            let (p, q) = (&told.position, &told.rotation);
            prop_assert!(angle_between(Quat::from_xyzw(q.x, q.y, q.z, q.w), expected.0) < 1e-4, "{}", told.bone);
            prop_assert!((Vec3::new(p.x, p.y, p.z) - expected.1).length() < 1e-4, "{}", told.bone);
            // The formula of the reference implementation for normalised rotations.
            let (global, local) = (rest_in_unity(&source, node, is_old), mirrored(source.scene.nodes()[node].rest, is_old).0);
            let normalised = global * local.inverse() * expected.0 * global.inverse();
            let q = pose.rotations.get(bone);
            // Normalised in Unity: humanoid space with X reversed.
            prop_assert!(angle_between(normalised, Quat::from_xyzw(q.x, -q.y, -q.z, q.w)) < 1e-3, "{}", told.bone);
        }
        let mut frames = Vec::new();
        let mut receiver = Receiver::new(skeleton.clone());
        packets.iter().for_each(|packet| receiver.take(0.0, packet, &mut |frame| frames.push(frame)));
        prop_assert!(off(&pose, &frames[0].pose, skeleton.bones()) < 1e-4);
    }
}

fn unity_name(bone: Bone) -> String {
    let name = bone.name();
    let name = name[..1].to_uppercase() + &name[1..];
    name.replace("ThumbProximal", "ThumbIntermediate").replace("ThumbMetacarpal", "ThumbProximal")
}

/// UniVRM mirrors Z for VRM 0.x and X for VRM 1.0.
fn mirrored(local: Transform, is_old: bool) -> (Quat, Vec3) {
    let (q, p) = (local.rotation, local.translation);
    if is_old {
        (Quat::from_xyzw(-q.x, -q.y, q.z, q.w), Vec3::new(p.x, p.y, -p.z))
    } else {
        (Quat::from_xyzw(q.x, -q.y, -q.z, q.w), Vec3::new(-p.x, p.y, p.z))
    }
}

/// Rest rotation of a node in Unity's world, by matrices.
fn rest_in_unity(source: &Source, node: usize, is_old: bool) -> Quat {
    let above = std::iter::successors(Some(node), |node| source.scene.nodes()[*node].parent);
    let local = |node: usize| Mat4::from_quat(mirrored(source.scene.nodes()[node].rest, is_old).0);
    Quat::from_mat4(&above.fold(Mat4::IDENTITY, |below, node| local(node) * below)).normalize()
}

/// A few bones with rest rotations under a root that is not a bone.
fn turned(axes: &[Quat], is_old: bool) -> Source {
    let bones = [
        (Bone::Hips, 0, Vec3::new(0.0, 0.9, 0.1)),
        (Bone::Spine, 1, Vec3::new(0.0, 0.1, 0.0)),
        (Bone::Head, 2, Vec3::new(0.0, 0.4, 0.02)),
        (Bone::LeftUpperArm, 2, Vec3::new(0.2, 0.3, 0.0)),
        (Bone::LeftThumbMetacarpal, 4, Vec3::new(0.4, 0.0, 0.1)),
        (Bone::LeftUpperLeg, 1, Vec3::new(0.1, -0.05, 0.0)),
    ];
    let node = |name: &str, parent, translation, rotation| Node {
        name: name.into(),
        parent,
        rest: Transform { translation, rotation, scale: Vec3::ONE },
        is_joint: true,
    };
    let mut nodes = vec![node("Root", None, Vec3::new(0.0, 0.05, 0.0), axes[0])];
    let mut humanoid = HumanoidMap::default();
    for (index, (bone, parent, place)) in bones.into_iter().enumerate() {
        nodes.push(node(bone.name(), Some(parent), place, axes[index + 1]));
        humanoid.set(bone, Some(index + 1));
    }
    Source {
        kind: if is_old { Kind::Vrm0 } else { Kind::Vrm1 },
        name: "turned".into(),
        scene: Scene::new(nodes).unwrap(),
        humanoid,
        rest: if is_old { RestPose::TPoseFacingBack } else { RestPose::TPose },
        expressions: Vec::new(),
        look_at: LookAt::default(),
        lids: LidMap::default(),
        lid_bones: Vec::new(),
        clips: Vec::new(),
        warnings: Vec::new(),
    }
}

/// For all available VRM avatars, their node transforms are sent and received.
#[test]
fn poses_of_real_avatars_round_trip() {
    let Some(avatars) = vivant_testing::data("avatars") else { return };
    let mut count = 0;
    for folder in ["vrm0", "vrm1"] {
        for entry in std::fs::read_dir(avatars.join(folder)).unwrap() {
            let file = entry.unwrap().path();
            if file.extension().is_none_or(|ending| ending != "vrm") {
                continue;
            }
            let bytes = std::fs::read(&file).unwrap();
            let import =
                vivant_io::import(&file.display().to_string(), &bytes, &mut |_| unreachable!()).unwrap();
            let Some(humanoid) = &import.humanoid else { continue };
            count += 1;
            check_avatar(humanoid, &import.source);
        }
    }
    assert!(count >= 5, "{count} avatars");
}

fn check_avatar(humanoid: &Humanoid, source: &Source) {
    let rig = humanoid.rig();
    let skeleton = Skeleton::of(humanoid, source);
    let mut pose = Pose::neutral(rig);
    pose.root += Vec3::new(0.3, -0.1, 0.2);
    for bone in rig.bones().iter() {
        let turn = Quat::from_axis_angle(
            Vec3::new(1.0, bone.index() as f32, 3.0).normalize(),
            0.02 * bone.index() as f32,
        );
        pose.rotations.set(bone, turn * pose.rotations.get(bone));
    }
    let locals = humanoid.node_locals(source, &pose);
    for names in [Names::Vrm0, Names::Vrm1] {
        let mut sender = Sender::new(skeleton.clone(), rig.channels(), names);
        let weights: Vec<f32> = (0..rig.channels().len()).map(|i| (i % 11) as f32 / 10.0).collect();
        let packets: Vec<Vec<u8>> = sender.frame(1.0, &pose, &weights).map(<[u8]>::to_vec).collect();
        let messages = decode_with_vmc_crate(packets.iter().map(Vec::as_slice));
        let hips = messages.iter().find_map(|message| match message {
            Message::BoneTransform(bone) if bone.bone == "Hips" => Some(bone.position),
            _ => None,
        });
        let expected =
            mirrored(locals[humanoid.map().node(Bone::Hips).unwrap()], source.kind == Kind::Vrm0).1;
        let hips = hips.map(|p| Vec3::new(p.x, p.y, p.z)).unwrap();
        assert!((hips - expected).length() < 1e-4, "{}: {hips} instead of {expected}", source.name);
        let mut frames = Vec::new();
        let mut receiver = Receiver::new(skeleton.clone());
        packets.iter().for_each(|packet| receiver.take(0.0, packet, &mut |frame| frames.push(frame)));
        assert_eq!((frames.len(), receiver.malformed()), (1, 0));
        assert!(off(&pose, &frames[0].pose, skeleton.bones()) < 1e-4, "{}", source.name);
        for (channel, weight) in rig.channels().iter().zip(&weights) {
            let found = frames[0].weights.iter().find(|(other, _)| other == channel);
            assert!(found.is_some_and(|(_, found)| found >= weight), "{}: {}", source.name, channel.name());
        }
    }
}
