use super::*;
use crate::vmc::osc::{Argument, Bundles};
use crate::vmc::{Names, Sender};
use proptest::prelude::*;
use vivant::math::angle_between;
use vivant::rig::{Expression, Rig, RigParts};

fn rig() -> Rig {
    let place = |bone: Bone| (bone, Vec3::new(0.01, 0.04, 0.02) * (1.0 + bone.index() as f32));
    let rest_positions = Bone::ALL.into_iter().map(place).collect();
    let custom = ["Smug", "表情"].map(|name| Channel::Custom(name.to_owned()));
    let channels = Expression::all().map(Channel::Known).chain(custom).collect();
    Rig::new(RigParts { rest_positions, channels, ..RigParts::default() })
}

fn receiver() -> Receiver {
    Receiver::new(Skeleton::normalised(&rig()))
}

fn sender() -> Sender {
    let rig = rig();
    Sender::new(Skeleton::normalised(&rig), rig.channels(), Names::Vrm0)
}

fn rotation() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0f32..1.0)
        .prop_filter("not zero", |q| q.iter().map(|c| c * c).sum::<f32>() > 0.01)
        .prop_map(|q| Quat::from_array(q).normalize())
}

/// Any pose and weights.
fn frame() -> impl Strategy<Value = (Pose, Vec<f32>)> {
    let rotations = prop::collection::vec(rotation(), Bone::COUNT);
    let weights = prop::collection::vec(0.0f32..=1.0, rig().channels().len());
    (rotations, prop::array::uniform3(-3.0f32..3.0), weights).prop_map(|(rotations, root, weights)| {
        let mut pose = Pose { root: Vec3::from(root), ..Pose::default() };
        Bone::ALL.into_iter().zip(rotations).for_each(|(bone, q)| pose.rotations.set(bone, q));
        (pose, weights)
    })
}

fn packets(sender: &mut Sender, secs: f64, (pose, weights): &(Pose, Vec<f32>)) -> Vec<Vec<u8>> {
    sender.frame(secs, pose, weights).map(<[u8]>::to_vec).collect()
}

fn received(receiver: &mut Receiver, secs: f64, packets: &[Vec<u8>]) -> Vec<Received> {
    let mut frames = Vec::new();
    packets.iter().for_each(|packet| receiver.take(secs, packet, &mut |frame| frames.push(frame)));
    frames
}

/// Every bone, the hips' place and every weight are as they were sent.
fn is_same(sent: &(Pose, Vec<f32>), received: &Received) -> Result<(), TestCaseError> {
    prop_assert_eq!(received.bones, BoneSet::ALL);
    for bone in Bone::ALL {
        let off = angle_between(sent.0.rotations.get(bone), received.pose.rotations.get(bone));
        prop_assert!(off < 1e-4, "{:?} is {} rad off", bone, off);
    }
    prop_assert!((sent.0.root - received.pose.root).length() < 1e-4);
    for (channel, weight) in rig().channels().iter().zip(&sent.1) {
        let found = received.weights.iter().find(|(other, _)| other == channel).map(|(_, weight)| *weight);
        prop_assert_eq!(found, Some(*weight), "{}", channel.name());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_sent_comes_back(frames in prop::collection::vec(frame(), 1..4)) {
        let (mut sender, mut receiver) = (sender(), receiver());
        for (n, sent) in frames.iter().enumerate() {
            let secs = n as f64 / 60.0;
            let packets = packets(&mut sender, secs + 5.0, sent);
            prop_assert!(packets.iter().all(|packet| packet.len() <= 1200));
            let found = received(&mut receiver, secs, &packets);
            prop_assert_eq!(found.len(), 1, "a frame is over with its last packet");
            prop_assert_eq!((found[0].secs, found[0].sent_secs), (secs, Some(f64::from((secs + 5.0) as f32))));
            is_same(sent, &found[0])?;
        }
        prop_assert_eq!(receiver.malformed(), 0);
    }

    /// Any packets of a frame in the middle may be lost, doubled, mixed up, cut or replaced by rubbish: the frames
    /// before it and after it are as they were sent.
    #[test]
    fn loss_and_rubbish_hit_nothing_but_their_own_frame(
        frames in prop::collection::vec(frame(), 5..6),
        spoils in prop::collection::vec((0..6u8, any::<prop::sample::Index>(), prop::collection::vec(any::<u8>(), 0..60)), 1..8),
    ) {
        let (mut sender, mut receiver) = (sender(), receiver());
        let mut all = Vec::new();
        for (n, sent) in frames.iter().enumerate() {
            let mut packets = packets(&mut sender, n as f64, sent);
            if n == 2 {
                spoils.iter().for_each(|(what, which, rubbish)| spoil(&mut packets, *what, *which, rubbish));
            }
            let secs = n as f64 / 60.0;
            let mut found = received(&mut receiver, secs, &packets);
            receiver.close(&mut |frame| found.push(frame));
            all.push(found);
        }
        for n in [0, 1, 3, 4] {
            prop_assert_eq!(all[n].len(), 1, "frame {}", n);
            is_same(&frames[n], &all[n][0])?;
        }
        // Of the one that was hit, what is there is right, but for bytes that were made up.
        for frame in &all[2] {
            prop_assert!(frame.pose.root.is_finite());
            prop_assert!(Bone::ALL.iter().all(|bone| (frame.pose.rotations.get(*bone).length() - 1.0).abs() < 1e-3));
            prop_assert!(frame.weights.iter().all(|(_, weight)| (0.0..=1.0).contains(weight)));
        }
    }

    #[test]
    fn bytes_of_any_kind_are_harmless(packets in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 0..20)) {
        let mut receiver = receiver();
        received(&mut receiver, 0.0, &packets);
        prop_assert_eq!(receiver.malformed() > 0, !packets.is_empty());
    }
}

fn spoil(packets: &mut Vec<Vec<u8>>, what: u8, which: prop::sample::Index, rubbish: &[u8]) {
    if packets.is_empty() {
        return;
    }
    let index = which.index(packets.len());
    match what {
        0 => drop(packets.remove(index)),
        1 => packets.push(packets[index].clone()),
        2 => packets.rotate_left(index),
        3 => packets[index].truncate(rubbish.len() * 7),
        4 => packets.insert(index, rubbish.to_vec()),
        _ => {
            let at = (rubbish.len() * 13).min(packets[index].len().saturating_sub(rubbish.len()));
            let end = (at + rubbish.len()).min(packets[index].len());
            packets[index][at..end].copy_from_slice(&rubbish[..end - at]);
        }
    }
}

/// A packet of messages; texts, whole numbers and others as they are written in Rust.
fn packet(messages: &[(&str, &[Argument<'_>])]) -> Vec<u8> {
    let mut bundles = Bundles::default();
    messages.iter().for_each(|(address, arguments)| bundles.push(address, arguments));
    bundles.iter().next().unwrap().to_vec()
}

use Argument::{Float, Int, Other, Text};

const ZEROS: [Argument<'static>; 6] = [Float(0.0); 6];

fn bone(name: &str, w: f32) -> Vec<Argument<'_>> {
    [Text(name)].into_iter().chain(ZEROS).chain([Float(w)]).collect()
}

#[test]
fn what_is_not_as_the_protocol_has_it_is_left_out() {
    let good = bone("Head", 1.0);
    let nan = [
        Text("Head"),
        Float(0.0),
        Float(0.0),
        Float(0.0),
        Float(f32::NAN),
        Float(0.0),
        Float(0.0),
        Float(1.0),
    ];
    let far =
        [Text("Hips"), Float(1e9), Float(0.0), Float(0.0), Float(0.0), Float(0.0), Float(0.0), Float(1.0)];
    let nowhere = [
        Text("Hips"),
        Float(0.0),
        Float(0.0),
        Float(f32::NAN),
        Float(0.0),
        Float(0.0),
        Float(0.0),
        Float(1.0),
    ];
    let ints: Vec<_> = [Text("Head")].into_iter().chain([Int(0); 7]).collect();
    let long = "x".repeat(MAX_WORD_BYTES + 1);
    // A message, and whether it is malformed.
    let table: [(&str, &[Argument<'_>], bool); 25] = [
        ("/VMC/Ext/Bone/Pos", &[], true),
        ("/VMC/Ext/Bone/Pos", &good[..7], true),
        ("/VMC/Ext/Bone/Pos", &good[1..], true),
        ("/VMC/Ext/Bone/Pos", &ints, true),
        ("/VMC/Ext/Bone/Pos", &nan, true),
        ("/VMC/Ext/Bone/Pos", &far, true),
        ("/VMC/Ext/Bone/Pos", &nowhere, true),
        ("/VMC/Ext/Root/Pos", &nowhere, true),
        ("/VMC/Ext/Set/Eye", &[Int(1), Float(0.0), Float(f32::NAN), Float(1.0)], true),
        ("/VMC/Ext/Bone/Pos", &bone("Head", 0.0), true),
        ("/VMC/Ext/Bone/Pos", &bone("Head", 1e30), true),
        ("/VMC/Ext/Bone/Pos", &bone("LastBone", 1.0), false),
        ("/VMC/Ext/Bone/Pos", &bone("Tail", 1.0), false),
        ("/VMC/Ext/Root/Pos", &[Text("root")], true),
        ("/VMC/Ext/Blend/Val", &[Text("Joy")], true),
        ("/VMC/Ext/Blend/Val", &[Text("Joy"), Int(1)], true),
        ("/VMC/Ext/Blend/Val", &[Text(""), Float(1.0)], true),
        ("/VMC/Ext/Blend/Val", &[Text(&long), Float(1.0)], true),
        ("/VMC/Ext/Blend/Val", &[Text("Joy"), Float(f32::INFINITY)], true),
        ("/VMC/Ext/Blend/Val", &[Other, Float(1.0)], true),
        ("/VMC/Ext/OK", &[Text("yes")], true),
        ("/VMC/Ext/T", &[Int(1)], true),
        ("/VMC/Ext/Set/Eye", &[Int(1), Float(0.0)], true),
        ("/VMC/Ext/Cam", &[Text("Camera"), Float(1.0)], false),
        ("/else", &[Text("where")], false),
    ];
    for (address, arguments, is_malformed) in table {
        let mut receiver = receiver();
        let mut frames = Vec::new();
        let packet = packet(&[(address, arguments), ("/VMC/Ext/Blend/Apply", &[])]);
        receiver.take(0.0, &packet, &mut |frame| frames.push(frame));
        receiver.close(&mut |frame| frames.push(frame));
        assert_eq!(
            (frames.len(), receiver.malformed()),
            (0, u64::from(is_malformed)),
            "{address} {arguments:?}"
        );
    }
    // More arguments than there should be are none of our business.
    let mut more = good.clone();
    more.push(Int(7));
    let mut frames = Vec::new();
    receiver().take(0.0, &packet(&[("/VMC/Ext/Bone/Pos", &more), ("/VMC/Ext/T", &[Float(1.0)])]), &mut |f| {
        frames.push(f);
    });
    assert_eq!(frames.len(), 1);
}

#[test]
fn a_sender_may_name_only_so_many_expressions() {
    let mut receiver = receiver();
    for n in 0..MAX_VMC_NAMES + 500 {
        let name = format!("name {n}");
        receiver.take(0.0, &packet(&[("/VMC/Ext/Blend/Val", &[Text(&name), Float(1.0)])]), &mut |_| {});
    }
    assert_eq!((receiver.names.len(), receiver.malformed()), (MAX_VMC_NAMES, 500));
}

#[test]
fn frames_end_as_senders_of_all_kinds_send_them() {
    let head = bone("Head", 1.0);
    let hand = bone("LeftHand", 1.0);
    let count = |packets: &[&[(&str, &[Argument<'_>])]]| {
        let mut receiver = receiver();
        let mut sizes = Vec::new();
        for messages in packets {
            receiver.take(0.0, &packet(messages), &mut |frame| {
                sizes.push((frame.bones.len(), frame.weights.len()));
            });
        }
        receiver.close(&mut |frame| sizes.push((frame.bones.len(), frame.weights.len())));
        sizes
    };
    let (bones, blend) = ("/VMC/Ext/Bone/Pos", "/VMC/Ext/Blend/Val");
    let (joy, apply): (&[_], (&str, &[_])) = (&[Text("Joy"), Float(1.0)], ("/VMC/Ext/Blend/Apply", &[]));
    let time: (&str, &[_]) = ("/VMC/Ext/T", &[Float(1.0)]);
    // A message a packet, without times.
    assert_eq!(
        count(&[&[(bones, &head)], &[(bones, &hand)], &[(bones, &head)], &[(bones, &hand)]]),
        [(2, 0), (2, 0)]
    );
    // The time at the end of each frame, and at the beginning.
    assert_eq!(
        count(&[&[(bones, &head)], &[(bones, &hand), time], &[(bones, &head), time]]),
        [(2, 0), (1, 0)]
    );
    assert_eq!(
        count(&[&[time], &[(bones, &head)], &[(bones, &hand)], &[time], &[(bones, &head)]]),
        [(2, 0), (1, 0)]
    );
    // A face alone; what was not applied waits.
    assert_eq!(count(&[&[(blend, joy), apply], &[(blend, joy), apply], &[(blend, joy)]]), [(0, 1), (0, 1)]);
}

#[test]
fn the_model_carries_the_hips() {
    let mut receiver = receiver();
    let mut frames = Vec::new();
    // A quarter turn to Unity's right, a metre ahead; the hips a metre up and 0.2 m ahead of the model.
    let s = 0.5_f32.sqrt();
    let root = [Text("root"), Float(0.0), Float(0.0), Float(1.0), Float(0.0), Float(s), Float(0.0), Float(s)];
    let hips =
        [Text("Hips"), Float(0.0), Float(1.0), Float(0.2), Float(0.0), Float(0.0), Float(0.0), Float(1.0)];
    let messages: [(&str, &[Argument<'_>]); 2] = [("/VMC/Ext/Root/Pos", &root), ("/VMC/Ext/Bone/Pos", &hips)];
    receiver.take(0.0, &packet(&messages), &mut |frame| frames.push(frame));
    receiver.close(&mut |frame| frames.push(frame));
    // To the right is -X in humanoid space.
    assert!((frames[0].pose.root - Vec3::new(-0.2, 1.0, 1.0)).length() < 1e-6, "{}", frames[0].pose.root);
    let turned = frames[0].pose.rotations.get(Bone::Hips) * Vec3::Z;
    assert!((turned - -Vec3::X).length() < 1e-6, "{turned}");
}

#[test]
fn a_sender_that_has_nothing_to_show_is_not_believed() {
    let head = bone("Head", 1.0);
    let check = |state: &[Argument<'_>], expected: usize| {
        let mut frames = 0;
        let messages: [(&str, &[Argument<'_>]); 3] =
            [("/VMC/Ext/OK", state), ("/VMC/Ext/Bone/Pos", &head), ("/VMC/Ext/T", &[Float(0.0)])];
        receiver().take(0.0, &packet(&messages), &mut |_| frames += 1);
        assert_eq!(frames, expected, "{state:?}");
    };
    check(&[Int(1)], 1);
    check(&[Int(0)], 0);
    check(&[Int(1), Int(0), Int(0)], 1);
    check(&[Int(1), Int(3), Int(0), Int(1)], 1);
    check(&[Int(1), Int(3), Int(0), Int(0)], 0);
}
