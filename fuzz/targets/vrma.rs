#![no_main]

use vivant_fuzz::{check, glb, mutate, template};

// Edits of a valid file, then its buffer.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let (document, rest) = mutate::mutate(template::vrma(), data);
    let buffer = if rest.is_empty() { template::binary() } else { rest.to_vec() };
    check("fuzz.vrma", &glb::wrap(&document, &buffer));
});
