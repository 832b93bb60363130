//! Round-trip tests of written files.

use super::read;
use crate::gltf::write_vrma;
use crate::retarget::Humanoid;
use glam::{Quat, Vec3};
use vivant::clip::Clip;
use vivant::math::angle_between;
use vivant::rig::{Bone, Channel, Rig, RigParts};

#[test]
fn a_vrma_round_trips() {
    let channels = ["happy", "jawOpen", "own", "lookUp"].map(|name| Channel::from(name.to_owned()));
    let rig = Rig::new(RigParts {
        rest_positions: Bone::ALL.map(|b| (b, Vec3::new(0.01 * b.index() as f32, 1.0, 0.0))).to_vec(),
        channels: channels.to_vec(),
        ..RigParts::default()
    });
    for (rate, frames) in [(30.0, 61), (24.0, 2), (29.97, 100), (120.0, 7), (60.0, 1)] {
        let mut clip = Clip::new("wave", rate, frames, 1.0).unwrap();
        for frame in 0..frames {
            let t = frame as f32 / rate as f32;
            for bone in Bone::ALL {
                // Both eyes have the same rotation, so that nothing is lost.
                let i = if bone == Bone::RightEye { Bone::LeftEye.index() } else { bone.index() };
                clip.set_rotation(frame, bone, Quat::from_euler(glam::EulerRot::XYZ, t, 0.1 * i as f32, -t));
            }
            clip.set_root(frame, Vec3::new(t, 1.0 + t, 0.0));
        }
        for (i, channel) in channels.iter().enumerate() {
            let weights: Vec<f32> = (0..frames).map(|f| (f % (i + 2)) as f32 / (i + 1) as f32).collect();
            clip.add_channel(channel.clone(), &weights).unwrap();
        }
        let mut warnings = Vec::new();
        let source = read(&write_vrma(&rig, &clip, &mut warnings).unwrap()).unwrap();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert_eq!(source.warnings, []);
        let found = &source.clips[0];
        assert_eq!((found.name.as_str(), found.frames), ("wave", frames));
        assert!(frames == 1 || (found.rate - rate).abs() < 1e-4, "{} for {rate}", found.rate);
        for (node, track) in &found.rotations {
            let bone = source.humanoid.bone(*node).unwrap();
            let apart = track.iter().enumerate().map(|(f, q)| angle_between(*q, clip.rotation(f, bone)));
            assert!(apart.fold(0.0, f32::max) < 1e-5, "{bone:?} at {rate}");
        }
        assert_eq!(found.rotations.len(), Bone::COUNT - 2);
        assert!((0..frames).all(|f| found.translations[0].1[f].distance(clip.root(f)) < 1e-6));
        let gaze = found.gaze.as_ref().unwrap();
        assert!((0..frames).all(|f| angle_between(gaze[f], clip.rotation(f, Bone::LeftEye)) < 1e-5));
        for (channel, track) in &found.weights {
            let column = clip.channels().iter().position(|c| c == channel).unwrap();
            assert!((0..frames).all(|f| track[f] == clip.weights(f)[column]), "{channel:?}");
        }
        assert_eq!(found.weights.len(), 3);
        assert!(Humanoid::new(&source, &mut warnings).is_some());
    }
}

#[test]
fn differing_eyes_give_a_warning() {
    let bones = [Bone::Hips, Bone::Head, Bone::LeftEye, Bone::RightEye];
    let rig =
        Rig::new(RigParts { rest_positions: bones.map(|b| (b, Vec3::Y)).to_vec(), ..RigParts::default() });
    let mut clip = Clip::new("squint", 30.0, 1, 1.0).unwrap();
    clip.set_rotation(0, Bone::LeftEye, Quat::from_rotation_y(0.2));
    clip.set_rotation(0, Bone::RightEye, Quat::from_rotation_y(-0.1));
    let mut warnings = Vec::new();
    let source = read(&write_vrma(&rig, &clip, &mut warnings).unwrap()).unwrap();
    assert!(warnings[0].message.contains("17.2°"), "{warnings:?}");
    assert!(angle_between(source.clips[0].gaze.as_ref().unwrap()[0], Quat::from_rotation_y(0.05)) < 1e-6);
    assert_eq!(source.humanoid.node(Bone::LeftEye), None);
}
