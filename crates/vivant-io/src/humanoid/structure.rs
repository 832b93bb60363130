//! Finds a humanoid without names by its shape: two long mirrored limbs on the hips, a spine from the hips to a second
//! mirrored pair, and a head beyond that pair. No axes are assumed: up is the direction from the feet to the hips.

use super::body::{assign_spine, bone_of};
use super::names::Side;
use super::tree::Tree;
use super::{fits, is_humanoid};
use crate::scene::HumanoidMap;
use glam::Vec3;
use vivant::rig::{Bone, BoneSet};

/// Adds the missing bones and returns the added bones.
pub(super) fn fill(tree: &Tree<'_>, map: &mut HumanoidMap) -> BoneSet {
    let mut added = BoneSet::EMPTY;
    let Some(shape) = Shape::find(tree) else { return added };
    let proposed = shape.bones_agreeing_with(tree, map);
    if !is_humanoid(&proposed) {
        return added;
    }
    for (bone, node) in proposed.iter() {
        if map.node(bone).is_none() && fits(tree, map, bone, node) {
            map.set(bone, Some(node));
            added.insert(bone);
        }
    }
    added
}

/// The longest path down from each node.
struct Reach<'a> {
    tree: &'a Tree<'a>,
    /// Length of the path along the bones, in metres.
    metres: Vec<f32>,
    /// Number of nodes, including this one.
    levels: Vec<usize>,
    /// For each node, its child on the longest path down; `None` if it has no child.
    next: Vec<Option<usize>>,
    /// Position of the end of the path.
    ends: Vec<Vec3>,
    /// The children with the longest paths, at most [`MAX_BRANCHES`].
    longest: Vec<Vec<usize>>,
}

/// Maximum number of children that are compared. A body branches into few limbs, and comparing all pairs of thousands
/// of children would take minutes.
const MAX_BRANCHES: usize = 8;
/// Joints of a limb: upper, lower, and hand or foot.
const LIMB_LEVELS: usize = 3;

/// The bones of a limb and how to find its upper bone.
struct Plan {
    bones: [Bone; 4],
    /// Index of the upper arm or leg in `bones`.
    upper: usize,
    /// Minimum length at which two consecutive bones can be the upper and the lower bone, as a share of the length of
    /// the longest pair. The length of a pair is that of its shorter bone.
    enough: f32,
}

/// Plan of a leg. A short leg may have a long foot, so the first two bones that are long enough are used.
const LEG: Plan = Plan {
    bones: [Bone::LeftUpperLeg, Bone::LeftLowerLeg, Bone::LeftFoot, Bone::LeftToes],
    upper: 0,
    enough: 0.7,
};
/// Plan of an arm. The shoulder may be as long as the upper arm, so the last two bones that are long enough are used.
const ARM: Plan = Plan {
    bones: [Bone::LeftShoulder, Bone::LeftUpperArm, Bone::LeftLowerArm, Bone::LeftHand],
    upper: 1,
    enough: 0.8,
};

impl<'a> Reach<'a> {
    fn new(tree: &'a Tree<'a>) -> Self {
        let count = tree.sizes.len();
        let mut reach = Self {
            tree,
            metres: vec![0.0; count],
            levels: vec![1; count],
            next: vec![None; count],
            ends: tree.positions.clone(),
            longest: vec![Vec::new(); count],
        };
        let has_skin = tree.scene.nodes().iter().filter(|n| n.is_joint).count() >= LIMB_LEVELS * 4;
        for &node in tree.scene.order().iter().rev() {
            reach.measure(node, |n| !has_skin || tree.node(n).is_joint);
        }
        reach
    }

    fn measure(&mut self, node: usize, is_bone: impl Fn(usize) -> bool) {
        let path_length = |child: &usize| self.metres[*child] + self.tree.distance(node, *child);
        let mut children: Vec<usize> = Vec::new();
        for child in self.tree.children[node].iter().copied().filter(|child| is_bone(*child)) {
            let longer = |other: &usize| path_length(other).total_cmp(&path_length(&child)).is_ge();
            children.insert(children.partition_point(longer), child);
            children.truncate(MAX_BRANCHES);
        }
        if let Some(first) = children.first() {
            self.metres[node] = path_length(first);
            self.levels[node] = self.levels[*first] + 1;
            self.next[node] = Some(*first);
            self.ends[node] = self.ends[*first];
        }
        self.longest[node] = children;
    }

    /// Returns the joints of the longest path down, starting with `node`.
    fn chain(&self, node: usize) -> Vec<usize> {
        std::iter::successors(Some(node), |n| self.next[*n]).collect()
    }

    /// Returns the pair of children with the longest paths that mirror each other, and the length of the first path
    /// in metres.
    fn pair(&self, node: usize) -> Option<([usize; 2], f32)> {
        let children = &self.longest[node];
        let pairs =
            children.iter().enumerate().flat_map(|(i, a)| children[i + 1..].iter().map(move |b| [*a, *b]));
        pairs.filter(|pair| self.is_mirrored(node, *pair)).map(|pair| (pair, self.metres[pair[0]])).next()
    }

    /// Returns true if two limbs mirror each other. Skeletons fitted to people are not quite symmetric, and the
    /// longest finger may differ.
    fn is_mirrored(&self, node: usize, [a, b]: [usize; 2]) -> bool {
        let length = self.metres[a].max(self.metres[b]);
        self.levels[a].min(self.levels[b]) >= LIMB_LEVELS
            && (self.metres[a] - self.metres[b]).abs() <= 0.2 * length
            && self.asymmetry(node, [a, b]) <= 0.1 * length
            && self.ends[a].distance(self.ends[b]) > 0.1 * length
    }

    /// Returns the largest difference between the lengths of the first bones of two limbs, in metres.
    fn asymmetry(&self, node: usize, limbs: [usize; 2]) -> f32 {
        let bone = |(upper, lower): (usize, usize)| self.tree.distance(upper, lower);
        let mut joints = limbs.map(|limb| (node, limb));
        let mut most = 0.0_f32;
        for _ in 0..LIMB_LEVELS {
            most = most.max((bone(joints[0]) - bone(joints[1])).abs());
            let [Some(a), Some(b)] = joints.map(|(_, lower)| self.next[lower].map(|n| (lower, n))) else {
                break;
            };
            joints = [a, b];
        }
        most
    }
}

/// The joints of a body, from the hips outwards.
struct Shape {
    hips: usize,
    legs: [Vec<usize>; 2],
    spine: Vec<usize>,
    arms: [Vec<usize>; 2],
    neck: Vec<usize>,
}

impl Shape {
    /// Finds the body with the longest legs.
    fn find(tree: &Tree<'_>) -> Option<Self> {
        const TRIES: usize = 4;
        let reach = Reach::new(tree);
        let pair = |n: &usize| Some((*n, reach.pair(*n)?));
        let mut pairs: Vec<_> = tree.scene.order().iter().filter_map(pair).collect();
        pairs.sort_by(|a, b| b.1.1.total_cmp(&a.1.1));
        pairs.iter().take(TRIES).find_map(|(hips, (legs, length))| {
            let chest = Self::chest(tree, &pairs, *hips, *legs, *length)?;
            Self::from_limbs(&reach, (*hips, *legs), chest)
        })
    }

    /// Returns the first pair of limbs above the hips that are long enough for arms.
    fn chest(
        tree: &Tree<'_>,
        pairs: &[(usize, ([usize; 2], f32))],
        hips: usize,
        legs: [usize; 2],
        leg_length: f32,
    ) -> Option<(usize, [usize; 2])> {
        let is_arms = |node: usize, length: f32| {
            tree.is_below(node, hips)
                && legs.iter().all(|leg| !tree.is_at_or_below(node, *leg))
                && length > 0.25 * leg_length
        };
        let arms = pairs.iter().filter(|(node, (_, length))| is_arms(*node, *length));
        arms.min_by_key(|(node, _)| tree.upwards(*node).count()).map(|(node, (arms, _))| (*node, *arms))
    }

    fn from_limbs(
        reach: &Reach<'_>,
        (hips, legs): (usize, [usize; 2]),
        (chest, arms): (usize, [usize; 2]),
    ) -> Option<Self> {
        let tree = reach.tree;
        let mut spine: Vec<_> = tree.upwards(chest).take_while(|n| *n != hips).collect();
        spine.reverse();
        let up = tree.positions[hips] - (reach.ends[legs[0]] + reach.ends[legs[1]]) * 0.5;
        let height = |n: &usize| (reach.ends[*n] - tree.positions[chest]).dot(up);
        let beyond = reach.longest[chest].iter().copied().filter(|n| !arms.contains(n));
        let neck = beyond.max_by(|a, b| height(a).total_cmp(&height(b)))?;
        // The head of a dog is in front of its hips, not above them.
        let rise = (reach.ends[neck] - tree.positions[hips]).dot(up);
        let is_upright = rise > 0.3 * up.length_squared();
        let chains = |pair: [usize; 2]| pair.map(|n| reach.chain(n));
        let mut neck = reach.chain(neck);
        // Some skeletons start the neck at the chest.
        if neck.len() > 2 && tree.distance(chest, neck[0]) <= 0.01 * reach.metres[neck[0]] {
            neck.remove(0);
        }
        is_upright.then(|| Self { hips, legs: chains(legs), spine, arms: chains(arms), neck })
    }

    /// Returns the bones, with left and right as in the known bones.
    fn bones_agreeing_with(&self, tree: &Tree<'_>, known: &HumanoidMap) -> HumanoidMap {
        let map = self.bones(tree);
        let agreements = |map: &HumanoidMap, mirrored: bool| {
            let bone = |b: Bone| if mirrored { b.mirrored() } else { b };
            known.iter().filter(|(b, n)| b.mirrored() != *b && map.node(bone(*b)) == Some(*n)).count()
        };
        if agreements(&map, true) <= agreements(&map, false) {
            return map;
        }
        let mut swapped = HumanoidMap::default();
        map.iter().for_each(|(bone, node)| swapped.set(bone.mirrored(), Some(node)));
        swapped
    }

    fn bones(&self, tree: &Tree<'_>) -> HumanoidMap {
        let mut map = HumanoidMap::default();
        map.set(Bone::Hips, Some(self.hips));
        for (bone, node) in assign_spine(tree, &self.spine, self.spine.last().copied(), |_| false) {
            map.set(bone, Some(node));
        }
        let (neck, head) = self.neck_and_head(tree);
        map.set(Bone::Neck, neck);
        map.set(Bone::Head, head);
        let left = self.left(tree);
        add_limbs(tree, &LEG, &self.legs, left, &mut map);
        add_limbs(tree, &ARM, &self.arms, left, &mut map);
        map
    }

    /// Returns neck and head. The head is the joint with several children (eyes, jaw, hair), else the second joint
    /// above the shoulders.
    fn neck_and_head(&self, tree: &Tree<'_>) -> (Option<usize>, Option<usize>) {
        let branching = self.neck.iter().position(|n| tree.children[*n].len() > 1);
        let head = branching.unwrap_or(1).min(self.neck.len().saturating_sub(1));
        (self.neck.first().filter(|_| head > 0).copied(), self.neck.get(head).copied())
    }

    /// Returns the direction of the character's left, derived from the toes, which point forward. Without toes, the
    /// character is assumed to face the usual direction of the axes: +Z if Y is up, −Y if Z is up.
    fn left(&self, tree: &Tree<'_>) -> Vec3 {
        let place = |n: &usize| tree.positions[*n];
        let feet: Vec<&[usize]> = self.legs.iter().filter_map(|leg| foot(tree, leg)).collect();
        let sole =
            |foot: &&[usize]| foot.first().zip(foot.last()).map_or(Vec3::ZERO, |(a, b)| place(b) - place(a));
        let low =
            feet.iter().filter_map(|foot| foot.first()).map(place).sum::<Vec3>() / feet.len().max(1) as f32;
        let up = (place(&self.hips) - low).normalize_or_zero();
        let across = (place(&self.legs[0][0]) - place(&self.legs[1][0])).normalize_or_zero();
        // The direction from ankle to toes, without its upward and its sideways component, points forward.
        let toes = feet.iter().map(sole).sum::<Vec3>();
        let level = toes - up * toes.dot(up);
        let forward = level - across * level.dot(across);
        let leg_length = place(&self.hips).distance(low);
        if forward.length() > 0.02 * leg_length {
            return up.cross(forward).normalize_or_zero();
        }
        let is_z_up = up.z.abs() > up.y.abs() && up.z.abs() > up.x.abs();
        up.cross(if is_z_up { Vec3::NEG_Y } else { Vec3::Z }).normalize_or_zero()
    }
}

/// Adds a pair of limbs.
fn add_limbs(tree: &Tree<'_>, plan: &Plan, pair: &[Vec<usize>; 2], left: Vec3, map: &mut HumanoidMap) {
    let middle =
        |limb: &[usize]| limb.iter().map(|n| tree.positions[*n]).sum::<Vec3>().dot(left) / limb.len() as f32;
    let first_is_left = middle(&pair[0]) > middle(&pair[1]);
    let sides = if first_is_left { [Side::Left, Side::Right] } else { [Side::Right, Side::Left] };
    for (limb, side) in pair.iter().zip(sides) {
        let Some(upper) = upper_joint(tree, plan, limb) else { continue };
        for (place, bone) in plan.bones.into_iter().enumerate() {
            let node = (upper + place).checked_sub(plan.upper).and_then(|i| limb.get(i));
            map.set(bone_of(side, bone), node.copied());
        }
    }
}

/// Returns the joints of a leg from the ankle on.
fn foot<'a>(tree: &Tree<'_>, leg: &'a [usize]) -> Option<&'a [usize]> {
    leg.get(upper_joint(tree, &LEG, leg)? + 2..)
}

/// Returns the index of the upper arm or leg in a limb. Together with the next bone, it forms (almost) the longest
/// pair of consecutive bones.
fn upper_joint(tree: &Tree<'_>, plan: &Plan, limb: &[usize]) -> Option<usize> {
    // A joint with three children is a hand; joints beyond are fingers.
    let is_hand = |(i, n): (usize, &usize)| i + 1 >= LIMB_LEVELS && tree.children[*n].len() >= 3;
    let end = limb.iter().enumerate().position(is_hand).map_or(limb.len(), |i| i + 1);
    let shorter =
        |joints: &[usize]| tree.distance(joints[0], joints[1]).min(tree.distance(joints[1], joints[2]));
    let lengths: Vec<f32> = limb[..end].windows(LIMB_LEVELS).map(shorter).collect();
    let longest = lengths.iter().copied().fold(0.0, f32::max);
    let is_long = |length: &f32| *length >= plan.enough * longest;
    if plan.upper == 0 { lengths.iter().position(is_long) } else { lengths.iter().rposition(is_long) }
}
