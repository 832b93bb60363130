//! What a viewer needs to show an avatar.

use crate::ImportedFile;
use vivant::rig::Rig;
use vivant_io::Result;
use vivant_io::json::protocol::api::{Model, RigInfo};
use vivant_io::scene::Kind;

/// Returns what a viewer has to know of an avatar.
#[must_use]
pub fn rig_info(avatar: &ImportedFile, rig: &Rig, revision: u64) -> RigInfo {
    let model = model_of(avatar);
    // Viewers of VRM know its bones and expressions by themselves.
    let own = (model == Model::Glb).then(|| &avatar.file().import);
    vivant_io::viewer::rig_info(rig, model, revision, own)
}

/// Returns how an avatar can be shown.
#[must_use]
pub fn model_of(avatar: &ImportedFile) -> Model {
    let file = avatar.file();
    match file.import.source.kind {
        _ if avatar.vrm().is_some() => Model::Vrm,
        Kind::Fbx => Model::Glb,
        Kind::Gltf if file.bytes.starts_with(b"glTF") => Model::Glb,
        _ => Model::Skeleton,
    }
}

/// Returns the file that an avatar is shown with: its own, or a GLB if it is an FBX.
///
/// # Errors
/// If the FBX cannot be converted.
pub fn model_bytes(avatar: &ImportedFile) -> Result<Vec<u8>> {
    let file = avatar.file();
    if file.import.source.kind == Kind::Fbx {
        return vivant_io::fbx::glb(&file.bytes, &file.import.source);
    }
    Ok(file.bytes.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rig_tells_parents_before_children_and_how_high_eyes_are() {
        let avatar = ImportedFile::built_in();
        let rig = rig_info(&avatar, avatar.rig().unwrap(), 7);
        assert_eq!((rig.model, rig.avatar, rig.bones.len()), (Model::Vrm, 7, 55));
        let parents = rig.bones.iter().enumerate().map(|(index, bone)| (index, bone.parent));
        assert!(parents.into_iter().all(|(index, parent)| parent.is_none_or(|parent| parent < index)));
        assert!((1.4..1.8).contains(&rig.eyes), "{}", rig.eyes);
    }
}
