//! What a viewer has to know of an avatar to show frames on it.

use crate::Import;
use crate::json::protocol::api::{BoneInfo, CarriedInfo, ChannelInfo, LidInfo, Model, MorphInfo, RigInfo};
use crate::retarget::Carried;
use crate::scene::ShapeBind;
use vivant::rig::{Bone, Channel, Rig};

/// An avatar's skeleton and expressions; with the file's own nodes, if `own` is the file that is shown.
#[must_use]
pub fn rig_info(rig: &Rig, model: Model, revision: u64, own: Option<&Import>) -> RigInfo {
    let bones = Bone::ALL.into_iter().map(|bone| bone_info(rig, bone, own)).collect();
    let channels = rig.channels().iter().map(|channel| channel_info(channel, own)).collect();
    RigInfo { model, avatar: revision, bones, channels, eyes: eyes_m(rig) }
}

fn bone_info(rig: &Rig, bone: Bone, own: Option<&Import>) -> BoneInfo {
    let around = own.and_then(|own| own.humanoid.as_ref()?.around(&own.source, bone));
    BoneInfo {
        name: bone.name().to_owned(),
        parent: rig.bones().parent_of(bone).map(Bone::index),
        exists: rig.bones().contains(bone),
        rest: rig.rest_position(bone).to_array(),
        node: around.map(|it| it.node),
        before: around.map(|it| it.before.to_array()),
        after: around.map(|it| it.after.to_array()),
        carried: around.and_then(|it| it.carried).map(carried_info),
    }
}

fn carried_info(Carried { by, at, unit }: Carried) -> CarriedInfo {
    CarriedInfo { by: by.map(Bone::index), at: at.to_array(), unit: unit.to_array() }
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
