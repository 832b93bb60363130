//! Lids of real avatars: what is measured must be plausible.

use std::time::Instant;
use vivant_io::{Error, import};

#[test]
fn print_all() {
    let Ok(data) = std::env::var("VIVANT_DATA") else { return println!("skipped: VIVANT_DATA is not set") };
    for folder in ["vrm0", "vrm1", "glb", "fbx"] {
        let folder = std::path::Path::new(&data).join("avatars").join(folder);
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let bytes = std::fs::read(&path).unwrap();
            let start = Instant::now();
            let import = import("x", &bytes, &mut |_| Err(Error::new("none"))).unwrap();
            let time = start.elapsed();
            let Some(humanoid) = &import.humanoid else { continue };
            let map = humanoid.rig().lid_map();
            println!(
                "{} {time:?} {:?} {}",
                path.file_name().unwrap().display(),
                map.full_closure,
                map.measured
            );
            for (c, k) in humanoid.rig().channels().iter().zip(&map.closing) {
                if *k != [0.0, 0.0] {
                    print!(" {} {:.2}/{:.2}", c.name(), k[0], k[1]);
                }
            }
            println!();
        }
    }
}
