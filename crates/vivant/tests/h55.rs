//! Workload H55 ends where an independent program says.

#[path = "../benches/h55/workload.rs"]
mod workload;

use glam::Vec3;
use vivant::frame::ModelMatrices;
use vivant::rig::Bone;

/// Positions after 600 frames, as printed by a program in C that shares no code with this one.
#[test]
fn joints_end_where_another_program_puts_them() {
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
