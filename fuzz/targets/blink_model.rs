#![no_main]

use vivant::chance::Chance;
use vivant_fuzz as _;
use vivant_io::json::blink_model;

// An accepted model is written and must read back the same, and it can generate blinks.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(model) = blink_model::read(data) else { return };
    for index in 0..4 {
        let blink = model.generate(&mut Chance::new(1, "blinks").event(index));
        assert!(blink.duration_secs() > 0.0);
        for step in 0..=20 {
            let openness = blink.openness(blink.duration_secs() * f64::from(step) / 20.0);
            assert!((-1e-6..=1.0 + 1e-6).contains(&openness), "{openness}");
        }
    }
    assert_eq!(blink_model::read(blink_model::write(&model).as_bytes()), Ok(model));
});
