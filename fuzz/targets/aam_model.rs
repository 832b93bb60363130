#![no_main]

use std::sync::Arc;
use vivant_fuzz as _;
use vivant_learn::aam::{FitOptions, Fitter, Model, Similarity};
use vivant_learn::film::Image;

// An accepted model is written and must read back the same; a small one can be fitted. The checksum is corrected, so
// that the code behind it is reached.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some(bytes) = with_header(data) else { return };
    let Ok(model) = Model::read("model", &bytes) else { return };
    assert_eq!(Model::read("again", &model.to_bytes()).as_ref(), Ok(&model));
    if model.pixel_count() > 400 {
        return;
    }
    let image = Image::gray(48, 32, (0..48 * 32).map(|at: u32| (at * at / 7 % 251) as u8).collect());
    let start = model.mean_pose(Similarity::IDENTITY);
    let options = FitOptions { halvings: 0, iterations: 4, ..FitOptions::default() };
    let fit = Fitter::new(Arc::new(model), options).fit(&image.expect("48 times 32 bytes"), &start);
    assert!((0.0..=1.0).contains(&fit.error));
});

/// Adds a header with a correct checksum.
fn with_header(body: &[u8]) -> Option<Vec<u8>> {
    let body = body.get(16..)?;
    let mut sum = flate2::Crc::new();
    sum.update(body);
    let mut bytes = b"VIVANTAM".to_vec();
    bytes.extend(vivant_learn::aam::VERSION.to_le_bytes());
    bytes.extend(sum.sum().to_le_bytes());
    bytes.extend(body);
    Some(bytes)
}
