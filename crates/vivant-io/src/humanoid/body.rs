//! Finds trunk and limbs by name: finds the chain of nodes whose names fit each of them best, and joins these chains.
//!
//! Files from different programs name the same bone differently, and names can be ambiguous or missing. A single name
//! is therefore not trusted: [`find`] searches for whole chains, such as shoulder to hand, and a chain of well-fitting
//! names outweighs one misleading name. Hips and spine are then corrected by the hierarchy, because the hips must carry
//! the legs and the upper chest must carry the arms. [`find`] returns the map of the bones, and the bones that were
//! found by position alone. Fingers are found in the module `fingers`.

use super::chain::{self, ARM, LEG, Limb, Place, SLOTS, TRUNK};
use super::names::{self, Reading, Side, Word};
use super::tree::Tree;
use crate::scene::HumanoidMap;
use vivant::rig::{Bone, BoneSet};

/// The parsed names of a scene.
pub(super) struct Names<'a> {
    pub(super) tree: &'a Tree<'a>,
    readings: Vec<Option<Reading>>,
    /// True if enough named nodes are joints of a skin, so that other nodes are unlikely to be bones.
    joints_matter: bool,
}

const ARM_BONES: [Bone; SLOTS] = [Bone::LeftShoulder, Bone::LeftUpperArm, Bone::LeftLowerArm, Bone::LeftHand];
const LEG_BONES: [Bone; SLOTS] = [Bone::LeftUpperLeg, Bone::LeftLowerLeg, Bone::LeftFoot, Bone::LeftToes];

/// Penalties, subtracted from the scores of [`chain`]: per unknown word in a name, for a node that is not a joint,
/// and for a node outside the trunk's hierarchy.
const UNKNOWN_WORD: i32 = 30;
const NOT_A_JOINT: i32 = 60;
const ELSEWHERE: i32 = 30;

/// Returns the bone on the given side that corresponds to the bone `left`.
pub(super) fn bone_of(side: Side, left: Bone) -> Bone {
    if side == Side::Left { left } else { left.mirrored() }
}

impl<'a> Names<'a> {
    pub(super) fn new(tree: &'a Tree<'a>) -> Self {
        let nodes = tree.scene.nodes();
        let readings = names::read_all(nodes.iter().map(|n| n.name.as_str()));
        let joints = nodes.iter().zip(&readings).filter(|(n, r)| n.is_joint && r.is_some()).count();
        Self { tree, readings, joints_matter: joints >= 8 }
    }

    pub(super) fn reading(&self, node: usize) -> Option<&Reading> {
        self.readings[node].as_ref()
    }

    pub(super) fn unknown_words(&self, node: usize) -> usize {
        self.reading(node).map_or(0, |r| r.unknown_words.len())
    }

    /// Returns true if the node could be a bone, regardless of its name.
    fn may_be_bone(&self, node: usize) -> bool {
        self.tree.node(node).is_joint || !self.joints_matter
    }

    /// Returns the penalty for using a node as the bone that its name suggests.
    fn penalty(&self, node: usize) -> i32 {
        let unknown_words = self.unknown_words(node).min(3) as i32;
        unknown_words * UNKNOWN_WORD + if self.may_be_bone(node) { 0 } else { NOT_A_JOINT }
    }

    fn word(&self, node: usize, side: Option<Side>) -> Option<Word> {
        self.reading(node).filter(|r| r.side == side).map(|r| r.word)
    }

    /// Returns the node with one of the given words and the lowest penalty. If several have the same penalty, returns
    /// the first.
    fn likeliest(&self, side: Option<Side>, words: &[Word], fits: impl Fn(usize) -> bool) -> Option<usize> {
        let is = |n: &usize| self.word(*n, side).is_some_and(|w| words.contains(&w)) && fits(*n);
        self.tree.scene.order().iter().copied().filter(is).min_by_key(|n| self.penalty(*n))
    }
}

/// Finds trunk, limbs, eyes and jaw by name. Also returns the bones that were found only by their position.
pub(super) fn find(names: &Names<'_>) -> (HumanoidMap, BoneSet) {
    let mut map = HumanoidMap::default();
    let trunk = chain::best(names.tree, &TRUNK, |n| Some((names.word(n, None)?, names.penalty(n))));
    for side in [Side::Left, Side::Right] {
        add_limb(names, &trunk, side, &ARM, ARM_BONES, &mut map);
        add_limb(names, &trunk, side, &LEG, LEG_BONES, &mut map);
        add_detached_foot(names, side, &mut map);
    }
    let guessed = Trunk::new(names, &trunk, &map).add(&mut map);
    add_face(names, &mut map);
    (map, guessed)
}

fn add_limb(
    names: &Names<'_>,
    trunk: &[Place],
    side: Side,
    limb: &Limb,
    bones: [Bone; SLOTS],
    map: &mut HumanoidMap,
) {
    let is_elsewhere = |n| trunk.first().is_some_and(|(top, _)| !names.tree.is_below(n, *top));
    let word = |n| {
        let penalty = names.penalty(n) + if is_elsewhere(n) { ELSEWHERE } else { 0 };
        Some((names.word(n, Some(side))?, penalty))
    };
    for (node, slot) in chain::best(names.tree, limb, word) {
        map.set(bone_of(side, bones[slot]), Some(node));
    }
}

/// Finds a foot outside the leg's hierarchy. In rigs that plant feet with inverse kinematics, feet are children of
/// the root.
fn add_detached_foot(names: &Names<'_>, side: Side, map: &mut HumanoidMap) {
    let foot = bone_of(side, Bone::LeftFoot);
    let Some(shin) = map.node(bone_of(side, Bone::LeftLowerLeg)).filter(|_| map.node(foot).is_none()) else {
        return;
    };
    let fits = |n| map.bone(n).is_none() && !names.tree.is_below(shin, n);
    let found = names.likeliest(Some(side), &[Word::Foot, Word::Ankle], fits);
    map.set(foot, found);
    let toes = bone_of(side, Bone::LeftToes);
    if let Some(foot) = found {
        let fits = |n| names.tree.is_below(n, foot);
        map.set(toes, names.likeliest(Some(side), &[Word::Toe], fits));
    }
}

/// Adds eyes and jaw below the head.
pub(super) fn add_face(names: &Names<'_>, map: &mut HumanoidMap) {
    let Some(head) = map.node(Bone::Head) else { return };
    let fits = |n| names.tree.is_below(n, head);
    map.set(Bone::LeftEye, names.likeliest(Some(Side::Left), &[Word::Eye], fits));
    map.set(Bone::RightEye, names.likeliest(Some(Side::Right), &[Word::Eye], fits));
    map.set(Bone::Jaw, names.likeliest(None, &[Word::Jaw], fits));
}

/// The named nodes from the hips to the head, and where the limbs join them.
struct Trunk<'a> {
    names: &'a Names<'a>,
    hips: Vec<usize>,
    spine: Vec<usize>,
    neck: Vec<usize>,
    head: Option<usize>,
    legs: Vec<usize>,
    feet: Vec<usize>,
    /// The lowest common ancestor of both arms.
    arms: Option<usize>,
}

impl<'a> Trunk<'a> {
    fn new(names: &'a Names<'a>, path: &[Place], map: &HumanoidMap) -> Self {
        let of = |slot| path.iter().filter(|(_, s)| *s == slot).map(|(node, _)| *node).collect::<Vec<_>>();
        let both =
            |left: Bone| [left, left.mirrored()].into_iter().filter_map(|b| map.node(b)).collect::<Vec<_>>();
        let arms = both(Bone::LeftUpperArm);
        Self {
            names,
            hips: of(0),
            spine: of(1),
            neck: of(2),
            head: of(3).first().copied(),
            legs: both(Bone::LeftUpperLeg),
            feet: both(Bone::LeftFoot),
            arms: if arms.len() == 2 { names.tree.lowest_common_ancestor(&arms) } else { None },
        }
    }

    /// Adds the bones to the map. Returns the bones whose names did not identify them.
    fn add(mut self, map: &mut HumanoidMap) -> BoneSet {
        let mut guessed = BoneSet::EMPTY;
        let hips = self.find_hips();
        if let Some(hips) = hips {
            if self.names.word(hips, None).is_none() {
                guessed.insert(Bone::Hips);
                self.drop_hips_of_skin();
            }
            self.start_above(hips);
        }
        self.find_head();
        if self.spine.is_empty() && self.add_nameless_spine(hips) {
            guessed.insert(Bone::Spine);
        }
        map.set(Bone::Hips, hips);
        for (bone, node) in assign_spine(self.names.tree, &self.spine, self.arms, |n| self.is_chest(n)) {
            map.set(bone, Some(node));
        }
        map.set(Bone::Neck, self.neck.first().copied());
        map.set(Bone::Head, self.head);
        guessed
    }

    fn is_chest(&self, node: usize) -> bool {
        self.names.word(node, None) == Some(Word::Chest)
    }

    fn carries_legs(&self, node: usize) -> bool {
        self.legs.iter().all(|leg| self.names.tree.is_below(*leg, node))
    }

    /// Returns the named hips, unless legs and spine meet above them, because hips must carry the legs.
    fn find_hips(&self) -> Option<usize> {
        if let Some(hips) = self.hips.iter().rev().find(|h| self.carries_legs(**h)) {
            return Some(*hips);
        }
        let named = self.hips.first().copied();
        let named = named.or_else(|| self.names.likeliest(None, &[Word::Hips], |_| true));
        let meeting = self.meeting().filter(|n| self.may_be_hips(*n, named));
        let lowest_of_many = || self.spine.first().copied().filter(|_| self.spine.len() >= 4);
        meeting.or(named).or_else(lowest_of_many)
    }

    /// Returns the node where legs and spine meet.
    fn meeting(&self) -> Option<usize> {
        let above = self.spine.first().or(self.neck.first()).copied().or(self.head)?;
        let meeting = self.names.tree.lowest_common_ancestor(&[self.legs.as_slice(), &[above]].concat());
        meeting.filter(|_| self.legs.len() == 2)
    }

    /// Returns true if the node may be the hips. A root on the floor also carries everything, but the hips are nearer
    /// to the thighs than to the feet.
    fn may_be_hips(&self, node: usize, named: Option<usize>) -> bool {
        let nearest = |nodes: &[usize]| {
            nodes.iter().map(|n| self.names.tree.distance(*n, node)).fold(f32::INFINITY, f32::min)
        };
        let thighs = named.map_or(&self.legs[..], |_| named.as_slice());
        let is_high = nearest(thighs) <= nearest(&self.feet);
        self.names.may_be_bone(node) && (self.names.word(node, None).is_some() || is_high)
    }

    /// Starts the spine above the hips.
    fn start_above(&mut self, hips: usize) {
        let is_above = |n: &usize| *n != hips && !self.names.tree.is_below(hips, *n);
        let lower = self.hips.iter().filter(|h| self.names.tree.is_below(**h, hips)).copied();
        self.spine = lower.chain(self.spine.iter().copied()).filter(is_above).collect();
    }

    /// Drops the first spine bone if the spine is long and there is no named neck or head. Such rigs number their
    /// deforming bones from hips to head, and the first one only deforms the hips.
    fn drop_hips_of_skin(&mut self) {
        if self.head.is_none() && self.neck.is_empty() && self.spine.len() > 4 {
            self.spine.remove(0);
        }
    }

    /// Finds neck and head in rigs that number all bones of the trunk (Rigify's `spine` to `spine.006`,
    /// `neck_joint_2`). There, the joints above the shoulders are neck and head.
    fn find_head(&mut self) {
        if self.head.is_some() {
            return;
        }
        if self.neck.len() > 1 {
            self.head = self.neck.pop();
        } else if self.neck.is_empty() {
            let carried = |arms| self.spine.iter().position(|n| self.names.tree.is_below(*n, arms));
            let on_spine = self.arms.filter(|arms| self.spine.contains(arms));
            let counted = self
                .spine
                .len()
                .checked_sub(2)
                .filter(|n| *n > 1 && self.arms.is_none_or(|_| on_spine.is_none()));
            let from = on_spine.map_or(counted, carried).unwrap_or(self.spine.len());
            self.neck = self.spine.split_off(from);
            self.head = self.neck.pop();
        }
    }

    /// Uses the joints between hips and neck as spine if none of them is named as a spine.
    fn add_nameless_spine(&mut self, hips: Option<usize>) -> bool {
        let (Some(hips), Some(end)) = (hips, self.neck.first().copied().or(self.head)) else { return false };
        if !self.names.tree.is_below(end, hips) {
            return false;
        }
        let between = self.names.tree.upwards(end).skip(1).take_while(|n| *n != hips);
        self.spine = between.filter(|n| self.names.may_be_bone(*n)).collect();
        self.spine.reverse();
        !self.spine.is_empty()
    }
}

/// Assigns spine, chest and upper chest to joints, lowest first. The upper chest carries the shoulders. With fewer
/// than three joints there is no upper chest.
pub(super) fn assign_spine(
    tree: &Tree<'_>,
    joints: &[usize],
    arms: Option<usize>,
    is_chest: impl Fn(usize) -> bool,
) -> Vec<(Bone, usize)> {
    let bones = [Bone::Spine, Bone::Chest, Bone::UpperChest];
    if joints.len() < 3 {
        return bones.into_iter().zip(joints.iter().copied()).collect();
    }
    let carries_arms = |n: &usize| arms.is_some_and(|arms| tree.is_at_or_below(arms, *n));
    let top = joints.iter().rposition(carries_arms).filter(|i| *i >= 2).unwrap_or(joints.len() - 1);
    let named = (1..top).find(|i| is_chest(joints[*i]));
    let middle = named.unwrap_or(top.div_ceil(2));
    vec![(Bone::Spine, joints[0]), (Bone::Chest, joints[middle]), (Bone::UpperChest, joints[top])]
}
