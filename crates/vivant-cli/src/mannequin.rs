//! `vivant mannequin`: writes the built-in character as a file, or as a folder that users can turn into their own
//! character.

use crate::args::mannequin::Mannequin;
use crate::character::{MANIFEST, REPERTOIRE};
use crate::fault::{Fault, Result};
use crate::files;
use crate::report::{self, Progress};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use vivant::body::repertoire::{Repertoire, short_name};
use vivant::clip::Clip;
use vivant::rig::Rig;
use vivant_io::{gltf, json};
use vivant_mannequin::Avatar;

/// The result. The field names are the keys of `--json` and must not change.
#[derive(Debug, Serialize)]
struct Written {
    written: Vec<String>,
    bytes: usize,
    triangles: usize,
    vertices: usize,
    morphs: usize,
    /// Time to build the avatar and its file contents, in milliseconds. Writing the file is not included.
    milliseconds: f64,
}

pub(crate) fn run(args: &Mannequin) -> Result<ExitCode> {
    let _progress = Progress::spinner("building the character");
    let start = Instant::now();
    let avatar = Avatar::new(args.looks.look());
    let vrm = avatar.vrm();
    let milliseconds = (start.elapsed().as_secs_f64() * 1e4).round() / 10.0;
    let mut written = Vec::new();
    if let Some(path) = &args.output {
        check_ending(path)?;
        files::write(path, &vrm)?;
        written.push(path.display().to_string());
    }
    if let Some(folder) = &args.character {
        write_character(folder, &avatar, &vrm)?;
        written.push(folder.display().to_string());
    }
    let (triangles, vertices, morphs) = (avatar.triangles(), avatar.vertices(), avatar.morphs());
    let done = Written { written, bytes: vrm.len(), triangles, vertices, morphs, milliseconds };
    if args.json {
        report::json(&done);
    } else {
        report::line(&done.text());
    }
    Ok(ExitCode::SUCCESS)
}

impl Written {
    fn text(&self) -> String {
        format!(
            "{}  {} kB\n  {} triangles, {} vertices, {} morph targets, built in {} ms",
            self.written.join(", "),
            self.bytes.div_ceil(1000),
            self.triangles,
            self.vertices,
            self.morphs,
            self.milliseconds
        )
    }
}

fn check_ending(path: &Path) -> Result<()> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match ending.as_str() {
        "vrm" | "glb" => Ok(()),
        _ => Err(Fault::new(format!(
            "{}: unknown extension; an avatar can only be written as .vrm or .glb",
            path.display()
        ))),
    }
}

/// Writes a complete character. The manifest is written last, so that an incomplete folder does not count as a
/// character.
fn write_character(folder: &Path, avatar: &Avatar, vrm: &[u8]) -> Result<()> {
    if let Some(there) = [MANIFEST, REPERTOIRE].into_iter().find(|name| folder.join(name).exists()) {
        let message = format!("the folder already has a {there}; choose another folder");
        return Err(Fault::new(format!("{}: {message}", folder.display())));
    }
    let clips = folder.join("clips");
    let fault = |error| {
        Fault::new(format!(
            "{}: cannot create the folder: {error}; check the path and its permissions",
            clips.display()
        ))
    };
    std::fs::create_dir_all(&clips).map_err(fault)?;
    for clip in vivant_mannequin::starter_clips() {
        files::write(&clips.join(format!("{}.vrma", clip.name())), &vrma(avatar.rig(), &clip)?)?;
    }
    files::write(&folder.join("avatar.vrm"), vrm)?;
    let repertoire = json::repertoire::write(&in_files(vivant_mannequin::starter_repertoire()));
    files::write(&folder.join(REPERTOIRE), repertoire.as_bytes())?;
    files::write(&folder.join(MANIFEST), manifest(folder).as_bytes())
}

fn vrma(rig: &Rig, clip: &Clip) -> Result<Vec<u8>> {
    gltf::write_vrma(rig, &clip.fitted_to(rig).0, &mut Vec::new())
}

/// Replaces each clip reference in a repertoire by the name of a file in `clips/`.
fn in_files(mut repertoire: Repertoire) -> Repertoire {
    let file = |clip: &mut String| *clip = format!("clips/{}.vrma", short_name(clip));
    for stance in &mut repertoire.stances {
        stance.clip.iter_mut().for_each(file);
        stance.gestures.iter_mut().chain(&mut stance.fidgets).for_each(|action| file(&mut action.clip));
        stance.transitions.iter_mut().filter_map(|way| way.clip.as_mut()).for_each(file);
    }
    repertoire
}

fn manifest(folder: &Path) -> String {
    let name: PathBuf = folder.file_name().map_or_else(|| "mannequin".into(), PathBuf::from);
    // A JSON string is also a valid basic string of TOML.
    let name = serde_json::Value::from(name.to_string_lossy()).to_string();
    format!(
        "# Made by `vivant mannequin --character`; docs/reference/configuration.md lists all keys.\nversion = 1\nname = {name}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::Character;
    use vivant_host::clips::named as named_clips;

    #[test]
    fn a_written_character_is_the_built_in_one() {
        let folder = std::env::temp_dir().join(format!("vivant-mannequin-{}", std::process::id()));
        let avatar = Avatar::new(vivant_mannequin::Look::default());
        write_character(&folder, &avatar, &avatar.vrm()).unwrap();
        let (read, built_in) = (crate::character::load(&folder).unwrap(), Character::built_in());
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        assert_eq!(read.avatar.rig(), built_in.avatar.rig());
        assert_eq!(read.motions.behaviour(), built_in.motions.behaviour());
        assert_eq!(read.temperament, built_in.temperament);
        let names = |character: &Character| -> Vec<String> {
            let named = named_clips(character.motions.repertoire().unwrap());
            named.into_iter().map(|(clip, place)| format!("{place} {}", short_name(clip))).collect()
        };
        assert_eq!(names(&read), names(&built_in));
        let again = write_character(&folder, &avatar, &[]).unwrap_err().to_string();
        assert!(again.contains("already"), "{again}");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn avatars_are_written_as_vrm_or_glb() {
        assert!(check_ending(Path::new("a.VRM")).is_ok());
        assert!(check_ending(Path::new("a.fbx")).unwrap_err().to_string().contains(".vrm"));
    }
}
