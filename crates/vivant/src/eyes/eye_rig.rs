//! Applies eyes, lids and head to an avatar, through bones or expressions.
//!
//! This is the only place that writes the blink expressions. If other expressions already close an eye (a smile, a
//! blink in a clip), the blink expression only gets the remaining closure. So no closure is counted twice, and other
//! expressions need not be switched off.

use crate::eyes::aperture::Lids;
use crate::eyes::direction::Direction;
use crate::eyes::gaze::Ranges;
use crate::eyes::head_pose::HeadPose;
use crate::eyes::live::EyeFrame;
use crate::math::{Magnitude as _, fast_max, unit_arc};
use crate::pose::Rotations;
use crate::rig::{Bone, EyeControl, LookAt, RangeMap, Rig};
use glam::{DQuat, DVec3, Quat, Vec3};

/// The bones between hips and neck.
const TORSO: [Bone; 3] = [Bone::Spine, Bone::Chest, Bone::UpperChest];

/// Data for showing eyes and lids on one avatar; computed once per rig.
#[derive(Clone, Debug)]
pub(crate) struct EyeRig {
    /// Fraction of a torso turn that each torso bone takes.
    torso_shares: [f64; 3],
    neck_share: f64,
    /// Offsets between neighbouring bones from the hips up to the head, in metres.
    chain: [DVec3; 5],
    head_to_eyes: [DVec3; 2],
    control: EyeControl,
    look_at: LookAt,
    /// True if the avatar maps gaze angles to eye-bone angles without scaling.
    is_one_to_one: bool,
    /// Expressions that turn the eyes: inner, outer, down and up, for the left and the right eye.
    look_channels: [[Option<usize>; 4]; 2],
    /// The blink channel of each eye and the weight that fully closes the eye. The two entries are equal if one
    /// expression closes both eyes.
    blinks: [Option<(usize, f32)>; 2],
    wide_channels: [Option<usize>; 2],
    /// Closure of each eye (0–1) by each other expression at weight 1, with the channel of the expression. Only
    /// expressions that close an eye are listed.
    other_closures: Vec<(usize, [f32; 2])>,
}

impl EyeRig {
    pub(crate) fn new(rig: &Rig) -> Self {
        let translation = |bone: Bone| to_f64(rig.rest_translation(bone));
        let has = |bone: Bone| rig.bones().contains(bone);
        let torso_bones = TORSO.into_iter().filter(|bone| has(*bone)).count().max(1) as f64;
        let look_at = look_at_of(rig);
        let blinks = [0, 1].map(|eye| blink_of(rig, eye));
        let is_blink = |channel: usize| blinks.iter().flatten().any(|(blink, _)| *blink == channel);
        let closing = rig.lid_map().closing.iter().copied().enumerate();
        Self {
            torso_shares: TORSO.map(|bone| if has(bone) { 1.0 / torso_bones } else { 0.0 }),
            neck_share: if has(Bone::Neck) { HeadPose::NECK_SHARE } else { 0.0 },
            chain: [Bone::Spine, Bone::Chest, Bone::UpperChest, Bone::Neck, Bone::Head].map(translation),
            head_to_eyes: eyes_in_head(rig),
            control: rig.abilities().eyes,
            look_at,
            is_one_to_one: look_at
                == LookAt { offset_from_head: look_at.offset_from_head, ..LookAt::default() },
            look_channels: look_channels(rig),
            blinks,
            wide_channels: ["eyeWideLeft", "eyeWideRight"].map(|wide| channel(rig, wide)),
            other_closures: closing.filter(|(i, c)| !is_blink(*i) && (c[0] > 0.0 || c[1] > 0.0)).collect(),
        }
    }

    /// Turns the torso bones by the torso turn of the gaze.
    pub(crate) fn turn_torso(&self, turn: Direction, rotations: &mut Rotations) {
        if turn == Direction::AHEAD {
            return;
        }
        for (bone, share) in TORSO.into_iter().zip(self.torso_shares).filter(|(_, share)| *share > 0.0) {
            let turned = (turn * share).to_rotation() * rotation(rotations, bone);
            rotations.set(bone, to_f32(turned));
        }
    }

    /// Returns the pose of torso, neck and head.
    pub(crate) fn head_pose(&self, rotations: &Rotations, root: Vec3) -> HeadPose {
        let mut torso = rotation(rotations, Bone::Hips);
        let mut place = to_f64(root);
        for (bone, offset) in TORSO.into_iter().zip(self.chain) {
            place += torso * offset;
            torso *= rotation(rotations, bone);
        }
        HeadPose {
            torso: torso.to_unit(),
            neck_position: place + torso * self.chain[3],
            neck: rotation(rotations, Bone::Neck),
            head: rotation(rotations, Bone::Head),
            neck_to_head: self.chain[4],
            head_to_eyes: self.head_to_eyes,
            neck_share: self.neck_share,
        }
    }

    /// Applies head, eyes and lids of a frame.
    pub(crate) fn apply(&self, frame: &EyeFrame, rotations: &mut Rotations, weights: &mut [f32]) {
        if self.neck_share > 0.0 {
            rotations.set(Bone::Neck, to_f32(frame.neck));
        }
        rotations.set(Bone::Head, to_f32(frame.head));
        match self.control {
            EyeControl::Bones => self.turn_eyes(frame, rotations),
            EyeControl::ExpressionsEach => {
                for (eye, direction) in frame.eyes.into_iter().enumerate() {
                    self.set_look_weights(eye, direction, weights);
                }
            }
            // One expression turns both eyes: use the direction between them.
            EyeControl::ExpressionsBoth => self.set_look_weights(0, frame.eye, weights),
            EyeControl::None => {}
        }
        self.apply_lids(&frame.lids, weights);
    }

    /// Like [`apply`](Self::apply), but mixes two closures of the lids: the closure in `weights` with the fraction
    /// `share`, and the closure of `frame` with the remaining fraction. Sets `frame.lids` to the visible result.
    pub(crate) fn apply_with_lid_share(
        &self,
        frame: &mut EyeFrame,
        share: f64,
        rotations: &mut Rotations,
        weights: &mut [f32],
    ) {
        let own = frame.lids;
        let current = self.current_closures(weights);
        let reduced = |lids: Lids| Lids { aperture: 1.0 + (lids.aperture - 1.0) * (1.0 - share), ..lids };
        frame.lids = own.map(reduced);
        self.apply(frame, rotations, weights);
        frame.lids = [0, 1].map(|eye| own[eye].lerp(&Lids::new(0.0, 1.0, current[eye]), share));
        frame.is_blinking =
            [0, 1].map(|eye| if share < 0.5 { frame.is_blinking[eye] } else { current[eye] > 0.5 });
    }

    /// Returns the closure of each eye by the current weights, 0–1.
    fn current_closures(&self, weights: &[f32]) -> [f64; 2] {
        let others = self.closed_by_others(weights);
        [0, 1].map(|eye| {
            let blink = self.blinks[eye].map_or(0.0, |(channel, full)| weights[channel] / full);
            f64::from((blink + others[eye]).clamp(0.0, 1.0))
        })
    }

    /// Returns the gaze direction (yaw and pitch in degrees) of an eye with this bone rotation.
    pub(crate) fn gaze_of(&self, eye: usize, bone: Quat) -> [f64; 2] {
        let shown = Direction::of(to_f64(bone * Vec3::Z));
        if self.is_one_to_one {
            return [shown.yaw_deg, shown.pitch_deg];
        }
        let LookAt { inner, outer, down, up, .. } = &self.look_at;
        let undone = |degrees: f64, positive: &RangeMap, negative: &RangeMap| {
            let map = if degrees < 0.0 { negative } else { positive };
            f64::from(map.invert(degrees.abs() as f32)) * degrees.signum()
        };
        let outwards = if eye == 0 { 1.0 } else { -1.0 };
        let yaw = undone(shown.yaw_deg * outwards, outer, inner) * outwards;
        [yaw, undone(shown.pitch_deg, up, down)]
    }

    fn turn_eyes(&self, frame: &EyeFrame, rotations: &mut Rotations) {
        for (eye, bone) in [Bone::LeftEye, Bone::RightEye].into_iter().enumerate() {
            let towards = frame.eyes[eye];
            // Listing's law: an eye rotates along the shortest path from straight ahead.
            let turned = if self.is_one_to_one {
                unit_arc(DVec3::Z, towards)
            } else {
                self.map_gaze(eye, Direction::of(towards)).to_rotation()
            };
            rotations.set(bone, to_f32(turned));
        }
    }

    /// Returns the rotation of an avatar's eye bone for a gaze direction.
    fn map_gaze(&self, eye: usize, gaze: Direction) -> Direction {
        let [inner, outer, down, up] = self.amounts(eye, gaze);
        let outwards = if eye == 0 { 1.0 } else { -1.0 };
        Direction::new(f64::from(outer - inner) * outwards, f64::from(up - down))
    }

    /// Returns the mapped amounts of inner, outer, down and up rotation. Outer is left for the left eye.
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

    fn set_look_weights(&self, eye: usize, direction: DVec3, weights: &mut [f32]) {
        let amounts = self.amounts(eye, Direction::of(direction));
        for (channel, amount) in self.look_channels[eye].iter().zip(amounts) {
            if let Some(channel) = channel {
                weights[*channel] = amount.clamp(0.0, 1.0);
            }
        }
    }

    fn apply_lids(&self, lids: &[Lids; 2], weights: &mut [f32]) {
        let closed = self.closed_by_others(weights);
        let wanted =
            [0, 1].map(|eye| (1.0 - lids[eye].aperture as f32).clamp(0.0, 1.0) * (1.0 - closed[eye]));
        match self.blinks {
            [Some((left, weight)), Some((right, _))] if left == right => {
                add_closure(&mut weights[left], 0.5 * (wanted[0] + wanted[1]), weight);
            }
            each => {
                for ((channel, weight), wanted) in
                    each.into_iter().zip(wanted).filter_map(|(c, w)| Some((c?, w)))
                {
                    add_closure(&mut weights[channel], wanted, weight);
                }
            }
        }
        for (wide, lids) in self.wide_channels.iter().zip(lids) {
            if let Some(wide) = wide {
                weights[*wide] = fast_max(weights[*wide], (lids.aperture as f32 - 1.0).clamp(0.0, 1.0));
            }
        }
    }

    /// Returns the closure of each eye by all expressions other than the blink, 0–1.
    fn closed_by_others(&self, weights: &[f32]) -> [f32; 2] {
        let mut closed = [0.0; 2];
        for (channel, amounts) in &self.other_closures {
            for (closed, amount) in closed.iter_mut().zip(amounts) {
                *closed += weights[*channel] * fast_max(*amount, 0.0);
            }
        }
        closed.map(|closed: f32| closed.clamp(0.0, 1.0))
    }
}

/// Adds a closure to a blink weight that a clip may already have set: `closure` is applied to the remaining gap.
fn add_closure(weight: &mut f32, closure: f32, full: f32) {
    let already = (*weight / full).clamp(0.0, 1.0);
    *weight = full * (already + (1.0 - already) * closure);
}

/// Returns the look-at settings of the avatar. If expressions turn the eyes and the file has no ranges for these
/// expressions, full weight corresponds to the limit of the eyes' range.
fn look_at_of(rig: &Rig) -> LookAt {
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

/// Returns the blink expression of an eye, or the expression for both eyes, and the weight that closes the eye.
fn blink_of(rig: &Rig, eye: usize) -> Option<(usize, f32)> {
    // Ignore expressions with a blink's name that do not move the lid.
    const MIN_CLOSURE: f32 = 0.3;
    let names = [["blinkLeft", "eyeBlinkLeft", "blink"], ["blinkRight", "eyeBlinkRight", "blink"]][eye];
    let map = rig.lid_map();
    names
        .into_iter()
        .filter_map(|name| channel(rig, name))
        .find(|channel| map.closing[*channel][eye] > MIN_CLOSURE)
        .map(|channel| (channel, map.full_closure[eye]))
}

fn look_channels(rig: &Rig) -> [[Option<usize>; 4]; 2] {
    let each = [
        ["eyeLookInLeft", "eyeLookOutLeft", "eyeLookDownLeft", "eyeLookUpLeft"],
        ["eyeLookInRight", "eyeLookOutRight", "eyeLookDownRight", "eyeLookUpRight"],
    ];
    // For expressions that turn both eyes: for the left eye, outwards is to the left.
    let both = [["lookRight", "lookLeft", "lookDown", "lookUp"]; 2];
    let chosen = if rig.abilities().eyes == EyeControl::ExpressionsBoth { both } else { each };
    chosen.map(|eye| eye.map(|name| channel(rig, name)))
}

/// Returns the eye positions in head space. Without eye bones, uses the mean human interpupillary distance.
fn eyes_in_head(rig: &Rig) -> [DVec3; 2] {
    const APART_M: f64 = 0.063;
    let eyes = [Bone::LeftEye, Bone::RightEye];
    if eyes.iter().all(|eye| rig.bones().contains(*eye)) {
        return eyes.map(|eye| to_f64(rig.rest_translation(eye)));
    }
    let middle = to_f64(rig.look_at().offset_from_head);
    [0.5, -0.5].map(|side| middle + DVec3::X * side * APART_M)
}

#[inline]
fn rotation(rotations: &Rotations, bone: Bone) -> DQuat {
    rotations.get(bone).as_dquat().to_unit()
}

fn to_f32(q: DQuat) -> Quat {
    q.to_unit().as_quat()
}

fn to_f64(v: Vec3) -> DVec3 {
    v.as_dvec3()
}
