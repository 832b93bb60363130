//! What an avatar shows of its eyes, lids and head: by bones, or by expressions.
//!
//! The lids have one owner. Everything else that closes an eye, a smile or a clip's own blink, is
//! asked how far it does, and the blink gets what is left; nothing is summed, and nothing has to be
//! switched off.

use crate::eyes::aperture::Lids;
use crate::eyes::carriage::Carriage;
use crate::eyes::direction::Direction;
use crate::eyes::gaze::Ranges;
use crate::eyes::live::EyeFrame;
use crate::math::{Magnitude as _, most};
use crate::pose::Rotations;
use crate::rig::{Bone, EyeControl, LookAt, RangeMap, Rig};
use glam::{DQuat, DVec3, Quat, Vec3};

/// The bones from the hips to where the neck begins.
const TORSO: [Bone; 3] = [Bone::Spine, Bone::Chest, Bone::UpperChest];

/// How one avatar shows eyes and lids; made once.
#[derive(Clone, Debug)]
pub(crate) struct EyeRig {
    /// How much of a turn of the torso each of its bones takes.
    torso_shares: [f64; 3],
    neck_share: f64,
    /// From hips to spine, and so on up to the head.
    chain: [DVec3; 5],
    head_to_eyes: [DVec3; 2],
    control: EyeControl,
    look_at: LookAt,
    /// Whether eye bones turn as far as the gaze does.
    is_one_to_one: bool,
    /// Expressions that turn the eyes: inner, outer, down and up of the left and of the right eye.
    look_channels: [[Option<usize>; 4]; 2],
    /// The blink of each eye, with the weight that closes it; twice the same if there is one for both.
    blinks: [Option<(usize, f32)>; 2],
    wides: [Option<usize>; 2],
    /// How far other expressions close each eye: only those that do.
    closers: Vec<(usize, [f32; 2])>,
}

impl EyeRig {
    pub(crate) fn new(rig: &Rig) -> Self {
        let translation = |bone: Bone| to_f64(rig.rest_translation(bone));
        let has = |bone: Bone| rig.bones().contains(bone);
        let torso_bones = TORSO.into_iter().filter(|bone| has(*bone)).count().max(1) as f64;
        let look_at = look_of(rig);
        let blinks = [0, 1].map(|eye| blink_of(rig, eye));
        let is_blink = |channel: usize| blinks.iter().flatten().any(|(blink, _)| *blink == channel);
        let closing = rig.lid_map().closing.iter().copied().enumerate();
        Self {
            torso_shares: TORSO.map(|bone| if has(bone) { 1.0 / torso_bones } else { 0.0 }),
            neck_share: if has(Bone::Neck) { Carriage::NECK_SHARE } else { 0.0 },
            chain: [Bone::Spine, Bone::Chest, Bone::UpperChest, Bone::Neck, Bone::Head].map(translation),
            head_to_eyes: eyes_in_head(rig),
            control: rig.abilities().eyes,
            look_at,
            is_one_to_one: look_at
                == LookAt { offset_from_head: look_at.offset_from_head, ..LookAt::default() },
            look_channels: look_channels(rig),
            blinks,
            wides: ["eyeWideLeft", "eyeWideRight"].map(|wide| channel(rig, wide)),
            closers: closing.filter(|(i, c)| !is_blink(*i) && (c[0] > 0.0 || c[1] > 0.0)).collect(),
        }
    }

    /// Turns the torso to look.
    pub(crate) fn turn_torso(&self, turn: Direction, rotations: &mut Rotations) {
        if turn == Direction::AHEAD {
            return;
        }
        for (bone, share) in TORSO.into_iter().zip(self.torso_shares).filter(|(_, share)| *share > 0.0) {
            let turned = (turn * share).to_rotation() * rotation(rotations, bone);
            rotations.set(bone, to_f32(turned));
        }
    }

    /// How the body carries the head.
    pub(crate) fn carriage(&self, rotations: &Rotations, root: Vec3) -> Carriage {
        let mut torso = rotation(rotations, Bone::Hips);
        let mut place = to_f64(root);
        for (bone, offset) in TORSO.into_iter().zip(self.chain) {
            place += torso * offset;
            torso *= rotation(rotations, bone);
        }
        Carriage {
            torso: torso.to_unit(),
            neck_place: place + torso * self.chain[3],
            neck: rotation(rotations, Bone::Neck),
            head: rotation(rotations, Bone::Head),
            neck_to_head: self.chain[4],
            head_to_eyes: self.head_to_eyes,
            neck_share: self.neck_share,
        }
    }

    /// Shows eyes, lids and head.
    pub(crate) fn show(&self, frame: &EyeFrame, rotations: &mut Rotations, weights: &mut [f32]) {
        if self.neck_share > 0.0 {
            rotations.set(Bone::Neck, to_f32(frame.neck));
        }
        rotations.set(Bone::Head, to_f32(frame.head));
        match self.control {
            EyeControl::Bones => self.turn_eyes(frame, rotations),
            EyeControl::ExpressionsEach => {
                for (eye, direction) in frame.eyes.into_iter().enumerate() {
                    self.express_look(eye, direction, weights);
                }
            }
            // One direction for both: the one between them.
            EyeControl::ExpressionsBoth => self.express_look(0, frame.eye, weights),
            EyeControl::None => {}
        }
        self.show_lids(&frame.lids, weights);
    }

    /// The same, where a share of the lids is led by what the weights say already: their own closure makes room for it.
    /// The frame tells what is seen in the end.
    pub(crate) fn show_with_lids_of_others(
        &self,
        frame: &mut EyeFrame,
        share: f64,
        rotations: &mut Rotations,
        weights: &mut [f32],
    ) {
        let own = frame.lids;
        let told = self.told_closures(weights);
        let less = |lids: Lids| Lids { aperture: 1.0 + (lids.aperture - 1.0) * (1.0 - share), ..lids };
        frame.lids = own.map(less);
        self.show(frame, rotations, weights);
        frame.lids = [0, 1].map(|eye| own[eye].mixed(&Lids::new(0.0, 1.0, told[eye]), share));
        frame.is_blinking =
            [0, 1].map(|eye| if share < 0.5 { frame.is_blinking[eye] } else { told[eye] > 0.5 });
    }

    /// How far the weights close each eye as they are.
    fn told_closures(&self, weights: &[f32]) -> [f64; 2] {
        let others = self.closed_by_others(weights);
        [0, 1].map(|eye| {
            let blink = self.blinks[eye].map_or(0.0, |(channel, full)| weights[channel] / full);
            f64::from((blink + others[eye]).clamp(0.0, 1.0))
        })
    }

    /// Where an eye looks whose bone is turned so: yaw and pitch in degrees.
    pub(crate) fn gaze_of(&self, eye: usize, bone: Quat) -> [f64; 2] {
        let shown = Direction::of(to_f64(bone * Vec3::Z));
        if self.is_one_to_one {
            return [shown.yaw_deg, shown.pitch_deg];
        }
        let LookAt { inner, outer, down, up, .. } = &self.look_at;
        let undone = |degrees: f64, positive: &RangeMap, negative: &RangeMap| {
            let map = if degrees < 0.0 { negative } else { positive };
            f64::from(map.undo(degrees.abs() as f32)) * degrees.signum()
        };
        let outwards = if eye == 0 { 1.0 } else { -1.0 };
        let yaw = undone(shown.yaw_deg * outwards, outer, inner) * outwards;
        [yaw, undone(shown.pitch_deg, up, down)]
    }

    fn turn_eyes(&self, frame: &EyeFrame, rotations: &mut Rotations) {
        for (eye, bone) in [Bone::LeftEye, Bone::RightEye].into_iter().enumerate() {
            let towards = frame.eyes[eye];
            // By Listing's law an eye turns the shortest way from straight ahead.
            let turned = if self.is_one_to_one {
                DQuat::from_rotation_arc(DVec3::Z, towards)
            } else {
                self.mapped(eye, Direction::of(towards)).to_rotation()
            };
            rotations.set(bone, to_f32(turned));
        }
    }

    /// What an avatar's eye bone shows for a direction of gaze.
    fn mapped(&self, eye: usize, gaze: Direction) -> Direction {
        let [inner, outer, down, up] = self.amounts(eye, gaze);
        let outwards = if eye == 0 { 1.0 } else { -1.0 };
        Direction::new(f64::from(outer - inner) * outwards, f64::from(up - down))
    }

    /// Inner, outer, down and up, as the avatar maps them; outwards is left for the left eye.
    fn amounts(&self, eye: usize, gaze: Direction) -> [f32; 4] {
        let LookAt { inner, outer, down, up, .. } = &self.look_at;
        let outwards = if eye == 0 { gaze.yaw_deg } else { -gaze.yaw_deg };
        let amount = |map: &RangeMap, degrees: f64| map.apply(degrees as f32);
        [
            amount(inner, -outwards),
            amount(outer, outwards),
            amount(down, -gaze.pitch_deg),
            amount(up, gaze.pitch_deg),
        ]
    }

    fn express_look(&self, eye: usize, direction: DVec3, weights: &mut [f32]) {
        let amounts = self.amounts(eye, Direction::of(direction));
        for (channel, amount) in self.look_channels[eye].iter().zip(amounts) {
            if let Some(channel) = channel {
                weights[*channel] = amount.clamp(0.0, 1.0);
            }
        }
    }

    fn show_lids(&self, lids: &[Lids; 2], weights: &mut [f32]) {
        let closed = self.closed_by_others(weights);
        let wanted =
            [0, 1].map(|eye| (1.0 - lids[eye].aperture as f32).clamp(0.0, 1.0) * (1.0 - closed[eye]));
        match self.blinks {
            [Some((left, weight)), Some((right, _))] if left == right => {
                close(&mut weights[left], 0.5 * (wanted[0] + wanted[1]), weight);
            }
            each => {
                for ((channel, weight), wanted) in
                    each.into_iter().zip(wanted).filter_map(|(c, w)| Some((c?, w)))
                {
                    close(&mut weights[channel], wanted, weight);
                }
            }
        }
        for (wide, lids) in self.wides.iter().zip(lids) {
            if let Some(wide) = wide {
                weights[*wide] = most(weights[*wide], (lids.aperture as f32 - 1.0).clamp(0.0, 1.0));
            }
        }
    }

    /// How far everything but the blink closes each eye, from 0 to 1.
    fn closed_by_others(&self, weights: &[f32]) -> [f32; 2] {
        let mut closed = [0.0; 2];
        for (channel, amounts) in &self.closers {
            for (closed, amount) in closed.iter_mut().zip(amounts) {
                *closed += weights[*channel] * most(*amount, 0.0);
            }
        }
        closed.map(|closed: f32| closed.clamp(0.0, 1.0))
    }
}

/// Adds a closure to what a clip already asks of the blink: of the gap that the clip leaves, the share
/// is taken.
fn close(weight: &mut f32, closure: f32, full: f32) {
    let already = (*weight / full).clamp(0.0, 1.0);
    *weight = full * (already + (1.0 - already) * closure);
}

/// How the avatar looks around. Where expressions turn the eyes and the file does not say how far, they
/// do it to the end of the eyes' range.
fn look_of(rig: &Rig) -> LookAt {
    let look_at = *rig.look_at();
    let by_bones = matches!(rig.abilities().eyes, EyeControl::Bones | EyeControl::None);
    if by_bones || look_at.by_expression {
        return look_at;
    }
    let range = Ranges::of(rig).eye;
    let whole = |degrees: f64| RangeMap { input_max_degrees: degrees as f32, output_scale: 1.0 };
    let [inner, outer] = [whole(range.yaw_deg); 2];
    LookAt { inner, outer, down: whole(range.down_deg), up: whole(range.up_deg), ..look_at }
}

fn channel(rig: &Rig, name: &str) -> Option<usize> {
    rig.channels().iter().position(|channel| channel.name() == name)
}

/// The expression that blinks an eye, with the weight that closes it: its own, or the one for both.
fn blink_of(rig: &Rig, eye: usize) -> Option<(usize, f32)> {
    // An expression of that name that moves no lid is none.
    const MOVES: f32 = 0.3;
    let names = [["blinkLeft", "eyeBlinkLeft", "blink"], ["blinkRight", "eyeBlinkRight", "blink"]][eye];
    let map = rig.lid_map();
    names
        .into_iter()
        .filter_map(|name| channel(rig, name))
        .find(|channel| map.closing[*channel][eye] > MOVES)
        .map(|channel| (channel, map.full_closure[eye]))
}

fn look_channels(rig: &Rig) -> [[Option<usize>; 4]; 2] {
    let each = [
        ["eyeLookInLeft", "eyeLookOutLeft", "eyeLookDownLeft", "eyeLookUpLeft"],
        ["eyeLookInRight", "eyeLookOutRight", "eyeLookDownRight", "eyeLookUpRight"],
    ];
    // For both eyes together: outwards for the left eye is to the left.
    let both = [["lookRight", "lookLeft", "lookDown", "lookUp"]; 2];
    let chosen = if rig.abilities().eyes == EyeControl::ExpressionsBoth { both } else { each };
    chosen.map(|eye| eye.map(|name| channel(rig, name)))
}

/// Where the eyes are in the head's frame; people's distance apart where there are no eye bones.
fn eyes_in_head(rig: &Rig) -> [DVec3; 2] {
    const APART_M: f64 = 0.063;
    let eyes = [Bone::LeftEye, Bone::RightEye];
    if eyes.iter().all(|eye| rig.bones().contains(*eye)) {
        return eyes.map(|eye| to_f64(rig.rest_translation(eye)));
    }
    let middle = to_f64(rig.look_at().offset_from_head);
    [0.5, -0.5].map(|side| middle + DVec3::X * side * APART_M)
}

fn rotation(rotations: &Rotations, bone: Bone) -> DQuat {
    rotations.get(bone).as_dquat().to_unit()
}

fn to_f32(q: DQuat) -> Quat {
    q.to_unit().as_quat()
}

fn to_f64(v: Vec3) -> DVec3 {
    v.as_dvec3()
}
