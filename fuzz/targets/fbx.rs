#![no_main]

use vivant_fuzz as _;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = vivant_io::fbx::parse(data);
    #[cfg(not(feature = "parsers"))]
    vivant_fuzz::check("fuzz.fbx", data);
});
