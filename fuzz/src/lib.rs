//! Common checks of the fuzz targets.
//!
//! A reader may reject anything but must never panic, hang or exhaust memory. Accepted files are fully processed:
//! humanoid, clips, and out again through the writers, whose files must read back.

pub mod compares;
pub mod glb;
pub mod mutate;
pub mod template;

use vivant::clip::Clip;
use vivant::rig::{Bone, Rig};
use vivant_io::{Error, Import, Result, bvh, gltf, import};

/// Maximum number of frames of a clip that is written; longer clips only cost time.
const MAX_FRAMES: usize = 600;
/// Largest position in metres that is written; a BVH does not hold larger numbers.
const MAX_DISTANCE_M: f32 = 1e5;

fn no_other_files(_: &str) -> Result<Vec<u8>> {
    Err(Error::new("no other files"))
}

/// Number of read files per written file, because writing takes ten times as long as reading.
const WRITE_EVERY: u8 = 8;

/// Reads a file completely, and writes some of the accepted files. Panics if a written file cannot be read.
pub fn check(name: &str, data: &[u8]) {
    let Ok(Import { humanoid, clips, .. }) = import(name, data, &mut no_other_files) else { return };
    let (Some(humanoid), Some(clip)) = (humanoid, clips.first()) else { return };
    let checksum = data.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
    if checksum % WRITE_EVERY == 0 && clip.frames() <= MAX_FRAMES && is_near(humanoid.rig(), clip) {
        write_and_read(humanoid.rig(), &clip.fitted_to(humanoid.rig()).0);
    }
}

fn is_near(rig: &Rig, clip: &Clip) -> bool {
    let places = Bone::ALL.into_iter().map(|bone| rig.rest_position(bone));
    let roots = (0..clip.frames()).map(|frame| clip.root(frame));
    places.chain(roots).all(|place| place.length() < MAX_DISTANCE_M)
}

fn write_and_read(rig: &Rig, clip: &Clip) {
    let text = bvh::write(rig, clip, &mut Vec::new());
    let (_, back, _) = bvh::parse(text.as_bytes()).expect("a written BVH reads back");
    assert_eq!(back.frames, clip.frames(), "a written BVH has all frames");
    if let Ok(bytes) = gltf::write_vrma(rig, clip, &mut Vec::new()) {
        let back = import("back.vrma", &bytes, &mut no_other_files).expect("a written VRMA reads back");
        assert_eq!(back.clips.len(), 1, "a written VRMA has its clip");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A template that is rejected early would leave most of the code untested.
    #[test]
    fn templates_are_read_completely() {
        for (name, document, clips) in [
            ("gltf", template::gltf(), 1),
            ("vrm0", template::vrm0(), 1),
            ("vrm1", template::vrm1(), 1),
            ("vrma", template::vrma(), 1),
        ] {
            let bytes = glb::wrap(&document, &template::binary());
            let import = import(name, &bytes, &mut no_other_files).unwrap();
            assert!(import.humanoid.is_some(), "{name}: {:?}", import.warnings);
            assert_eq!(import.clips.len(), clips, "{name}: {:?}", import.warnings);
            let rig = import.humanoid.as_ref().unwrap().rig();
            write_and_read(rig, &import.clips[0].fitted_to(rig).0);
        }
    }
}
