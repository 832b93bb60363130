#![no_main]

use vivant_fuzz as _;
use vivant_io::json::intents;

// An accepted script is written line by line, and the lines must read back the same.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(script) = intents::script(data) else { return };
    for intent in script {
        let text = intents::write(&intent);
        assert_eq!(intents::line(&text).as_ref(), Ok(&intent), "{text}");
    }
});
