#![no_main]

use std::sync::Arc;
use vivant::eyes::texture::{PatchConstraints, Synthesis, Texture};
use vivant_fuzz as _;
use vivant_io::json::texture;

// An accepted texture is written and must read back the same, and it can be synthesised.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(read) = texture::read(data) else { return };
    let mut eyes = Synthesis::new(Arc::new(Texture::new(&read).expect("an accepted texture is valid")), 1);
    let constraints =
        [PatchConstraints::default(), PatchConstraints { blink_at: Some(3), ..PatchConstraints::default() }];
    for constraint in constraints.iter().cycle().take(6) {
        let frames = eyes.next_patch(constraint);
        assert!(!frames.is_empty());
        for frame in frames {
            assert!([frame.openness, frame.yaw_deg, frame.pitch_deg].iter().all(|number| number.is_finite()));
        }
    }
    let text = texture::write(&read).expect("an accepted texture is small enough to be written");
    assert_eq!(texture::read(text.as_bytes()), Ok(read));
});
