#![no_main]

use vivant_fuzz as _;
use vivant_learn::film::labels::{self, Imported};

fn check_import(images: &[Imported]) {
    for image in images {
        assert!(image.points.iter().all(|point| point.is_finite()), "{image:?}");
    }
}

// After `p` a .pts file, after `x` an XML file of dlib, otherwise labels. Accepted labels are written and must read
// back the same; points are finite, and gaze is known after its first key.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    match data {
        [b'p', data @ ..] => {
            if let Ok(image) = labels::import_pts("a.pts", data) {
                check_import(&[image]);
            }
        }
        [b'x', data @ ..] => {
            if let Ok(images) = labels::import_dlib_xml("a.xml", data) {
                check_import(&images);
            }
        }
        _ => {
            let Ok(read) = labels::read("a.json", data) else { return };
            assert!(read.frames.iter().flat_map(|frame| frame.points()).all(|point| point.is_finite()));
            assert!(read.gaze.iter().all(|key| read.gaze_at(key.secs) == Some((key.yaw_deg, key.pitch_deg))));
            assert_eq!(labels::read("a.json", read.to_json().as_bytes()), Ok(read));
        }
    }
});
