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

/// Checks that every bone, the position of the hips and every weight are as sent.
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
    fn sent_frames_are_received(frames in prop::collection::vec(frame(), 1..4)) {
        let (mut sender, mut receiver) = (sender(), receiver());
        for (n, sent) in frames.iter().enumerate() {
            let secs = n as f64 / 60.0;
            let packets = packets(&mut sender, secs + 5.0, sent);
            prop_assert!(packets.iter().all(|packet| packet.len() <= 1200));
            let found = received(&mut receiver, secs, &packets);
            prop_assert_eq!(found.len(), 1, "a frame ends with its last packet");
            prop_assert_eq!((found[0].secs, found[0].sent_secs), (secs, Some(f64::from((secs + 5.0) as f32))));
            is_same(sent, &found[0])?;
        }
        prop_assert_eq!(receiver.malformed(), 0);
    }

    /// Packets of a frame in the middle may be lost, doubled, reordered, truncated or replaced by garbage: the frames
    /// before and after it are as sent.
    #[test]
    fn damaged_packets_affect_only_their_own_frame(
        frames in prop::collection::vec(frame(), 5..6),
        damages in prop::collection::vec((0..6u8, any::<prop::sample::Index>(), prop::collection::vec(any::<u8>(), 0..60)), 1..8),
    ) {
        let (mut sender, mut receiver) = (sender(), receiver());
        let mut all = Vec::new();
        for (n, sent) in frames.iter().enumerate() {
            let mut packets = packets(&mut sender, n as f64, sent);
            if n == 2 {
                damages.iter().for_each(|(what, which, garbage)| damage(&mut packets, *what, *which, garbage));
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
        // The damaged frame has only valid values.
        for frame in &all[2] {
            prop_assert!(frame.pose.root.is_finite());
            prop_assert!(Bone::ALL.iter().all(|bone| (frame.pose.rotations.get(*bone).length() - 1.0).abs() < 1e-3));
            prop_assert!(frame.weights.iter().all(|(_, weight)| (0.0..=1.0).contains(weight)));
        }
    }

    #[test]
    fn random_bytes_do_not_panic(packets in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 0..20)) {
        let mut receiver = receiver();
        received(&mut receiver, 0.0, &packets);
        prop_assert_eq!(receiver.malformed() > 0, !packets.is_empty());
    }
}

fn damage(packets: &mut Vec<Vec<u8>>, what: u8, which: prop::sample::Index, garbage: &[u8]) {
    if packets.is_empty() {
        return;
    }
    let index = which.index(packets.len());
    match what {
        0 => drop(packets.remove(index)),
        1 => packets.push(packets[index].clone()),
        2 => packets.rotate_left(index),
        3 => packets[index].truncate(garbage.len() * 7),
        4 => packets.insert(index, garbage.to_vec()),
        _ => {
            let at = (garbage.len() * 13).min(packets[index].len().saturating_sub(garbage.len()));
            let end = (at + garbage.len()).min(packets[index].len());
            packets[index][at..end].copy_from_slice(&garbage[..end - at]);
        }
    }
}

/// Builds a packet of messages.
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
fn invalid_messages_are_ignored() {
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
    // Messages, and whether they are malformed.
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
    // Additional arguments are ignored.
    let mut more = good.clone();
    more.push(Int(7));
    let mut frames = Vec::new();
    receiver().take(0.0, &packet(&[("/VMC/Ext/Bone/Pos", &more), ("/VMC/Ext/T", &[Float(1.0)])]), &mut |f| {
        frames.push(f);
    });
    assert_eq!(frames.len(), 1);
}

#[test]
fn the_number_of_names_is_limited() {
    let mut receiver = receiver();
    for n in 0..MAX_VMC_NAMES + 500 {
        let name = format!("name {n}");
        receiver.take(0.0, &packet(&[("/VMC/Ext/Blend/Val", &[Text(&name), Float(1.0)])]), &mut |_| {});
    }
    assert_eq!((receiver.names.len(), receiver.malformed()), (MAX_VMC_NAMES, 500));
}

#[test]
fn frames_end_for_all_kinds_of_senders() {
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
    // One message per packet, without times.
    assert_eq!(
        count(&[&[(bones, &head)], &[(bones, &hand)], &[(bones, &head)], &[(bones, &hand)]]),
        [(2, 0), (2, 0)]
    );
    // The time at the end of each frame, and at its start.
    assert_eq!(
        count(&[&[(bones, &head)], &[(bones, &hand), time], &[(bones, &head), time]]),
        [(2, 0), (1, 0)]
    );
    assert_eq!(
        count(&[&[time], &[(bones, &head)], &[(bones, &hand)], &[time], &[(bones, &head)]]),
        [(2, 0), (1, 0)]
    );
    // Expressions only; weights that were not applied are kept.
    assert_eq!(count(&[&[(blend, joy), apply], &[(blend, joy), apply], &[(blend, joy)]]), [(0, 1), (0, 1)]);
}

#[test]
fn the_model_transform_applies_to_the_hips() {
    let mut receiver = receiver();
    let mut frames = Vec::new();
    // The model is rotated a quarter turn to Unity's right and is 1 m ahead; the hips are 1 m above and 0.2 m ahead
    // of it.
    let s = 0.5_f32.sqrt();
    let root = [Text("root"), Float(0.0), Float(0.0), Float(1.0), Float(0.0), Float(s), Float(0.0), Float(s)];
    let hips =
        [Text("Hips"), Float(0.0), Float(1.0), Float(0.2), Float(0.0), Float(0.0), Float(0.0), Float(1.0)];
    let messages: [(&str, &[Argument<'_>]); 2] = [("/VMC/Ext/Root/Pos", &root), ("/VMC/Ext/Bone/Pos", &hips)];
    receiver.take(0.0, &packet(&messages), &mut |frame| frames.push(frame));
    receiver.close(&mut |frame| frames.push(frame));
    // Right is -X in humanoid space.
    assert!((frames[0].pose.root - Vec3::new(-0.2, 1.0, 1.0)).length() < 1e-6, "{}", frames[0].pose.root);
    let turned = frames[0].pose.rotations.get(Bone::Hips) * Vec3::Z;
    assert!((turned - -Vec3::X).length() < 1e-6, "{turned}");
}

#[test]
fn frames_of_unloaded_senders_are_ignored() {
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
