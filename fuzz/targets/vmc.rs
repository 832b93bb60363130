#![no_main]

use std::sync::LazyLock;
use vivant::body::driven::Trust;
use vivant::body::library::Library;
use vivant::performer::Performer;
use vivant::pose::Pose;
use vivant::rig::{Bone, Channel, Expression, Rig, RigParts};
use vivant_fuzz as _;
use vivant_io::vmc::{Fit, Received, Receiver, Skeleton, capture};

static RIG: LazyLock<Rig> = LazyLock::new(|| {
    let bones = Bone::ALL.into_iter().filter(|bone| *bone != Bone::UpperChest);
    Rig::new(RigParts {
        rest_positions: bones.map(|bone| (bone, [0.01 * f32::from(bone as u8), 1.0, 0.0].into())).collect(),
        channels: Expression::vrm().map(Channel::Known).collect(),
        ..RigParts::default()
    })
});

static PERFORMER: LazyLock<Performer> = LazyLock::new(|| {
    let mut performer = Performer::new(Library::new(RIG.clone(), Pose::neutral(&RIG), &[]), 7);
    performer.eyes().start_idle_behaviour(0.0);
    performer.set_trust(Trust::All);
    performer
});

// After `c` a capture; else packets, each after its length in two bytes. Received frames are valid, can be stored and
// read again, and can drive a body.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some(text) = data.strip_prefix(b"c") {
        for frame in capture::read(text).unwrap_or_default() {
            check(&frame);
        }
        return;
    }
    let (mut receiver, mut fit) = (Receiver::new(Skeleton::normalised(&RIG)), Fit::new(&RIG));
    let mut performer = PERFORMER.clone();
    let mut secs = 0.0;
    let mut rest = data;
    while let Some((size, after)) = rest.split_first_chunk::<2>() {
        let (packet, after) = after.split_at(usize::from(u16::from_le_bytes(*size)).min(after.len()));
        rest = after;
        secs += 0.016;
        receiver.take(secs, packet, &mut |frame| {
            check(&frame);
            performer.drive(fit.sample(&frame, frame.secs));
        });
    }
    receiver.close(&mut |frame| check(&frame));
    let frame = performer.advance_to(secs + 0.01);
    for bone in Bone::ALL {
        assert!((frame.rotation(bone).length() - 1.0).abs() < 1e-3, "{bone:?}");
    }
    assert!(frame.root().is_finite() && frame.weights().iter().all(|weight| (0.0..=1.0).contains(weight)));
});

fn check(frame: &Received) {
    for bone in frame.bones.iter() {
        assert!((frame.pose.rotations.get(bone).length() - 1.0).abs() < 1e-3, "{bone:?}");
    }
    assert!(frame.weights.iter().all(|(_, weight)| (0.0..=1.0).contains(weight)));
    let back = capture::read(capture::line(frame).as_bytes()).expect("a stored frame can be read");
    assert_eq!(back.len(), 1);
    assert_eq!(
        (back[0].bones, back[0].weights.len(), back[0].look),
        (frame.bones, frame.weights.len(), frame.look)
    );
}
