#![no_main]

use std::sync::Arc;
use vivant::eyes::texture::{Synthesis, Texture, Wishes};
use vivant_fuzz as _;
use vivant_io::json::texture;

// What is read is written, and reads back the same; and it can be sewn.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(read) = texture::read(data) else { return };
    let mut eyes = Synthesis::new(Arc::new(Texture::new(&read).expect("what is read is sound")), 1);
    let wishes = [Wishes::default(), Wishes { blink_at: Some(3), ..Wishes::default() }];
    for wish in wishes.iter().cycle().take(6) {
        let frames = eyes.next_patch(wish);
        assert!(!frames.is_empty());
        for frame in frames {
            assert!([frame.openness, frame.yaw_deg, frame.pitch_deg].iter().all(|number| number.is_finite()));
        }
    }
    let text = texture::write(&read).expect("what was small enough to be read is small enough to be written");
    assert_eq!(texture::read(text.as_bytes()), Ok(read));
});
