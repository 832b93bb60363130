//! Descriptions and files of avatars for viewers.
//!
//! A browser can show VRM and binary glTF, but not FBX, BVH or a list of bones. These functions decide how an avatar
//! is shown. [`model_of`] selects VRM, GLB or a plain skeleton. [`model_bytes`] returns the file, converted if
//! necessary. [`rig_info`] maps bones and expressions to nodes of this file.

use crate::ImportedFile;
use vivant::rig::Rig;
use vivant_io::Result;
use vivant_io::json::protocol::api::{Model, RigInfo};
use vivant_io::scene::Kind;

/// Returns the description of an avatar for viewers.
#[must_use]
pub fn rig_info(avatar: &ImportedFile, rig: &Rig, revision: u64) -> RigInfo {
    let model = model_of(avatar);
    // VRM viewers find bones and expressions themselves.
    let own = (model == Model::Glb).then(|| &avatar.file().import);
    vivant_io::viewer::rig_info(rig, model, revision, own)
}

/// Returns the form in which viewers can show an avatar.
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

/// Returns the file that shows an avatar: the avatar's own file, or a GLB converted from FBX.
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
    fn rig_info_lists_parents_first_and_the_eye_height() {
        let avatar = ImportedFile::built_in();
        let rig = rig_info(&avatar, avatar.rig().unwrap(), 7);
        assert_eq!((rig.model, rig.avatar, rig.bones.len()), (Model::Vrm, 7, 55));
        let parents = rig.bones.iter().enumerate().map(|(index, bone)| (index, bone.parent));
        assert!(parents.into_iter().all(|(index, parent)| parent.is_none_or(|parent| parent < index)));
        assert!((1.4..1.8).contains(&rig.eyes), "{}", rig.eyes);
    }
}
