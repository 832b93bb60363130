//! Describes an avatar's skeleton and expressions to a viewer that shows frames on it.
//!
//! A frame has rotations in humanoid space, but the bones of a glTF or FBX file have their own axes, and its
//! expressions are morph targets of several meshes. [`rig_info`] describes the mapping once, so that a viewer in the
//! browser needs no retargeting of its own. Positions are in metres.

use crate::Import;
use crate::json::protocol::api::{BoneInfo, CarriedInfo, ChannelInfo, LidInfo, Model, MorphInfo, RigInfo};
use crate::retarget::Carried;
use crate::scene::ShapeBind;
use vivant::rig::{Bone, Channel, Rig};

/// Returns the avatar's skeleton and expressions. If `own` is given, it is the file that the viewer shows, and its
/// nodes and morph targets are included.
#[must_use]
pub fn rig_info(rig: &Rig, model: Model, revision: u64, own: Option<&Import>) -> RigInfo {
    let bones = Bone::ALL.into_iter().map(|bone| bone_info(rig, bone, own)).collect();
    let channels = rig.channels().iter().map(|channel| channel_info(channel, own)).collect();
    RigInfo { model, avatar: revision, bones, channels, eyes: eyes_m(rig) }
}

fn bone_info(rig: &Rig, bone: Bone, own: Option<&Import>) -> BoneInfo {
    let binding = own.and_then(|own| own.humanoid.as_ref()?.node_binding(&own.source, bone));
    BoneInfo {
        name: bone.name().to_owned(),
        parent: rig.bones().parent_of(bone).map(Bone::index),
        exists: rig.bones().contains(bone),
        rest: rig.rest_position(bone).to_array(),
        node: binding.map(|it| it.node),
        before: binding.map(|it| it.before.to_array()),
        after: binding.map(|it| it.after.to_array()),
        carried: binding.and_then(|it| it.carried).map(carried_info),
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

/// Returns the height of the eyes in metres. Without eye bones it is estimated as slightly above the head bone.
fn eyes_m(rig: &Rig) -> f64 {
    const ABOVE_HEAD: f32 = 1.06;
    let place = |bone: Bone| rig.bones().contains(bone).then(|| rig.rest_position(bone).y);
    let head = || rig.rest_position(Bone::Head).y * ABOVE_HEAD;
    f64::from(place(Bone::LeftEye).unwrap_or_else(head))
}
