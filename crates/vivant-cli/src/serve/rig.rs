//! What a viewer has to know of an avatar.

use crate::fault::Result;
use crate::material::Material;
use vivant::rig::{Bone, Channel, Rig};
use vivant_io::Import;
use vivant_io::json::protocol::api::{BoneInfo, ChannelInfo, LidInfo, Model, MorphInfo, RigInfo};
use vivant_io::scene::{Kind, ShapeBind};

/// An avatar's skeleton and expressions.
pub(crate) fn rig_info(avatar: &Material, rig: &Rig, revision: u64) -> RigInfo {
    let model = model_of(avatar);
    let own = (model == Model::Glb).then(|| &avatar.file().import);
    let bones = Bone::ALL.into_iter().map(|bone| bone_info(rig, bone, own)).collect();
    let channels = rig.channels().iter().map(|channel| channel_info(channel, own)).collect();
    RigInfo { model, avatar: revision, bones, channels, eyes: eyes_m(rig) }
}

/// How an avatar can be shown.
pub(crate) fn model_of(avatar: &Material) -> Model {
    let file = avatar.file();
    match file.import.source.kind {
        _ if avatar.vrm().is_some() => Model::Vrm,
        Kind::Fbx => Model::Glb,
        Kind::Gltf if file.bytes.starts_with(b"glTF") => Model::Glb,
        _ => Model::Skeleton,
    }
}

/// The bytes of what it is shown with: the file itself, or an FBX as GLB.
pub(crate) fn model_bytes(avatar: &Material) -> Result<Vec<u8>> {
    let file = avatar.file();
    if file.import.source.kind == Kind::Fbx {
        return Ok(vivant_io::fbx::glb(&file.bytes, &file.import.source)?);
    }
    Ok(file.bytes.clone())
}

fn bone_info(rig: &Rig, bone: Bone, own: Option<&Import>) -> BoneInfo {
    let around = own.and_then(|own| own.humanoid.as_ref()?.around(&own.source, bone));
    BoneInfo {
        name: bone.name().to_owned(),
        parent: rig.bones().parent_of(bone).map(Bone::index),
        exists: rig.bones().contains(bone),
        rest: rig.rest_position(bone).to_array(),
        node: around.map(|(node, ..)| node),
        before: around.map(|(_, before, _)| before.to_array()),
        after: around.map(|(.., after)| after.to_array()),
    }
}

fn channel_info(channel: &Channel, own: Option<&Import>) -> ChannelInfo {
    let mut info = ChannelInfo { name: channel.name().to_owned(), morphs: Vec::new(), lids: Vec::new() };
    let Some(own) = own else { return info };
    let shown = own.source.expressions.iter().filter(|expression| expression.channel == *channel);
    let morph = |bind: &ShapeBind| MorphInfo { node: bind.node, target: bind.target, gain: bind.gain };
    info.morphs = shown.flat_map(|expression| &expression.binds).map(morph).collect();
    if let Some((humanoid, eye)) = own.humanoid.as_ref().and_then(|h| Some((h, h.lid_channel(channel)?))) {
        let lids = humanoid.lid_turns().filter(|(_, of, _)| *of == eye);
        info.lids = lids.map(|(node, _, turn)| LidInfo { node, turn: turn.to_array() }).collect();
    }
    info
}

/// How high the eyes are; of who has none, a little above where the head is joined.
fn eyes_m(rig: &Rig) -> f64 {
    const ABOVE_HEAD: f32 = 1.06;
    let place = |bone: Bone| rig.bones().contains(bone).then(|| rig.rest_position(bone).y);
    let head = || rig.rest_position(Bone::Head).y * ABOVE_HEAD;
    f64::from(place(Bone::LeftEye).unwrap_or_else(head))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rig_tells_parents_before_children_and_how_high_eyes_are() {
        let avatar = Material::built_in();
        let rig = rig_info(&avatar, avatar.rig().unwrap(), 7);
        assert_eq!((rig.model, rig.avatar, rig.bones.len()), (Model::Vrm, 7, 55));
        let parents = rig.bones.iter().enumerate().map(|(index, bone)| (index, bone.parent));
        assert!(parents.into_iter().all(|(index, parent)| parent.is_none_or(|parent| parent < index)));
        assert!((1.4..1.8).contains(&rig.eyes), "{}", rig.eyes);
    }
}
