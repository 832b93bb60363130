#![no_main]

use vivant_fuzz as _;
use vivant_learn::film::y4m::{Header, Reader};

/// Maximum number of frames that are read; a film of empty frames can have as many as it has bytes.
const MAX_FRAMES: usize = 1000;

// With an odd first byte the data is raw gray bytes, of the size in the next two bytes.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let [choice, data @ ..] = data else { return };
    let reader = if choice & 1 == 0 {
        Reader::new(data)
    } else {
        let [width, height, data @ ..] = data else { return };
        Header::gray(usize::from(*width), usize::from(*height), 30.0).map(|header| Reader::raw(data, header))
    };
    let Ok(mut reader) = reader else { return };
    let header = *reader.header();
    assert!(header.rate_hz.is_none_or(|rate_hz| rate_hz > 0.0));
    for _ in 0..MAX_FRAMES {
        let Ok(Some(image)) = reader.next() else { return };
        assert_eq!((image.width, image.height, image.channels), (header.width, header.height, 1));
        assert_eq!(image.data.len(), header.width * header.height);
        assert!(image.data.len() <= data.len(), "more memory than the film justifies");
    }
});
