#![no_main]

use serde_json::json;
use vivant_fuzz as _;
use vivant_io::json::intents;
use vivant_io::json::protocol::frame::Frame;
use vivant_io::json::protocol::{Request, RequestKind};

// An accepted frame encodes to the same bytes; an accepted request reads the same after it is written; and the names
// of its performers are valid file names.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Ok(frame) = Frame::from_bytes(data) {
        assert_eq!(frame.to_bytes(), data);
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(request) = Request::read(text) else { return };
    assert!(request.performers.iter().all(|name| !name.is_empty() && !name.contains(['/', '\\', ' '])));
    let again = match &request.what {
        RequestKind::Intent(intent) => intents::write(intent),
        RequestKind::Watch(watch) => json!({ "watch": watch }).to_string(),
        RequestKind::Cast(all) => json!({ "cast": all }).to_string(),
        RequestKind::Dismiss(names) => json!({ "dismiss": names }).to_string(),
        RequestKind::Temperament(temperament) => json!({ "temperament": temperament }).to_string(),
        RequestKind::Attend(place) => json!({ "attend": place }).to_string(),
        RequestKind::Mimic(manner) => json!({ "mimic": manner }).to_string(),
        RequestKind::See(sighting) => json!({ "see": sighting }).to_string(),
        RequestKind::Follow(place) => json!({ "follow": place }).to_string(),
    };
    assert_eq!(Request::read(&again).map(|read| read.what).as_ref(), Ok(&request.what), "{again}");
});
