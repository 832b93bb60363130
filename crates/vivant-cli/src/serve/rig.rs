//! What a viewer has to know of an avatar.

use crate::material::Material;
use vivant::rig::{Bone, Channel, Rig};
use vivant_io::json::protocol::api::{BoneInfo, ChannelInfo, Model, RigInfo};

/// An avatar's skeleton and expressions.
pub(crate) fn rig_info(avatar: &Material, rig: &Rig, revision: u64) -> RigInfo {
    let model = if avatar.vrm().is_some() { Model::Vrm } else { Model::Skeleton };
    let bones = Bone::ALL.into_iter().map(|bone| bone_info(rig, bone)).collect();
    let channel = |channel: &Channel| ChannelInfo { name: channel.name().to_owned(), morphs: Vec::new() };
    let channels = rig.channels().iter().map(channel).collect();
    RigInfo { model, avatar: revision, bones, channels, eyes: eyes_m(rig) }
}

fn bone_info(rig: &Rig, bone: Bone) -> BoneInfo {
    BoneInfo {
        name: bone.name().to_owned(),
        parent: rig.bones().parent_of(bone).map(Bone::index),
        exists: rig.bones().contains(bone),
        rest: rig.rest_position(bone).to_array(),
        node: None,
        before: None,
        after: None,
    }
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
