#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| vivant_fuzz::check("fuzz.glb", data));
