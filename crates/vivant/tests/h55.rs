//! The final pose of workload H55 matches an independent program.

#[path = "../benches/h55/workload.rs"]
mod workload;

use glam::Vec3;
use vivant::frame::ModelMatrices;
use vivant::rig::Bone;

/// Positions after 600 frames, computed by an independent C program.
#[test]
fn joints_match_an_independent_program() {
    let library = workload::library();
    let mut performer = workload::performer(&library, 0);
    let mut matrices = ModelMatrices::default();
    for frame in 1..=600 {
        performer.advance_to(f64::from(frame) / 60.0).model_matrices(library.rig(), &mut matrices);
    }
    for (bone, expected) in [
        (Bone::LeftHand, Vec3::new(-0.18478, 1.66485, 0.00664)),
        (Bone::Head, Vec3::new(-0.08407, 1.48904, -0.01526)),
    ] {
        let off = matrices.position(bone).distance(expected);
        assert!(off < 5e-4, "{bone:?} is {off} m off");
    }
}
