#![no_main]

use vivant_fuzz::{check, glb, mutate, template};

// The first byte chooses the version, the next are edits of a valid file, the rest is its buffer.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((version, edits)) = data.split_first() else { return };
    let document = if version % 2 == 0 { template::vrm0() } else { template::vrm1() };
    let (document, rest) = mutate::mutate(document, edits);
    let buffer = if rest.is_empty() { template::binary() } else { rest.to_vec() };
    check("fuzz.vrm", &glb::wrap(&document, &buffer));
});
