#![no_main]

use std::sync::LazyLock;
use vivant::body::library::Library;
use vivant::mimicry::{Manner, Mimic};
use vivant::pose::Pose;
use vivant::rig::{Bone, Rig, RigParts};
use vivant_fuzz as _;
use vivant_learn::landmarks;

static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    let places = Bone::ALL.map(|bone| (bone, [0.01 * f32::from(bone as u8), 1.0, 0.0].into()));
    let rig = Rig::new(RigParts { rest_positions: places.to_vec(), ..RigParts::default() });
    let base = Pose::neutral(&rig);
    Library::new(rig, base, &[])
});

// Accepted landmarks can be used for mimicry, whatever the motion.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(sightings) = landmarks::read("it", data, 30.0) else { return };
    let mut mimic = Mimic::new(&LIBRARY, Manner { amount: 1.0, ..Manner::default() }, 1);
    for sighting in sightings.iter().take(1000) {
        mimic.see(&sighting.person(sighting.time));
        mimic.take_due(sighting.time);
        assert!(mimic.noticed().sure.is_finite());
    }
});
