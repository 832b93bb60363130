#![no_main]

use vivant_fuzz as _;
use vivant_io::json::{behaviour, repertoire};

// The first byte chooses the format; accepted data is written and must read back the same.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    match data {
        [b'b', data @ ..] => {
            let Ok(read) = behaviour::read(data) else { return };
            assert_eq!(behaviour::read(behaviour::write(&read).as_bytes()), Ok(read));
        }
        [b'c', data @ ..] => drop(vivant_io::character::read(data)),
        data => {
            let Ok(read) = repertoire::read(data) else { return };
            assert_eq!(repertoire::read(repertoire::write(&read).as_bytes()), Ok(read));
        }
    }
});
