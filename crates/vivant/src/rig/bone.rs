//! The 55 humanoid bones of VRM 1.0, and sets of them.
//!
//! Clips, masks, trackers and avatars all refer to the same bones, so [`Bone`] is the only name of a bone in the
//! engine. The order is depth-first, so a loop over [`Bone::ALL`] always visits parents before children. Avatars may
//! lack any bone that VRM does not require: [`BoneSet::parent_of`] skips missing bones. A [`BoneSet`] is one 64-bit
//! word, so masks can be combined in every frame. [`Bone::from_name`] knows only the names of VRM 1.0.

use serde::{Deserialize, Serialize};

macro_rules! bones {
    ($($variant:ident $name:literal $parent:expr, $required:literal;)+) => {
        /// A humanoid bone of VRM 1.0. Variants are in depth-first order: parents before children.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "the names are VRM's")]
        pub enum Bone {
            $(#[serde(rename = $name)] $variant,)+
        }

        impl Bone {
            /// All bones, in order.
            pub const ALL: [Bone; Bone::COUNT] = [$(Bone::$variant,)+];
            const NAMES: [&'static str; Bone::COUNT] = [$($name,)+];
            const PARENTS: [Option<Bone>; Bone::COUNT] = {
                use Bone::*;
                [$($parent,)+]
            };
            const REQUIRED: [bool; Bone::COUNT] = [$($required,)+];
        }
    };
}

bones! {
    Hips "hips" None, true;
    Spine "spine" Some(Hips), true;
    Chest "chest" Some(Spine), false;
    UpperChest "upperChest" Some(Chest), false;
    Neck "neck" Some(UpperChest), false;
    Head "head" Some(Neck), true;
    LeftEye "leftEye" Some(Head), false;
    RightEye "rightEye" Some(Head), false;
    Jaw "jaw" Some(Head), false;
    LeftShoulder "leftShoulder" Some(UpperChest), false;
    LeftUpperArm "leftUpperArm" Some(LeftShoulder), true;
    LeftLowerArm "leftLowerArm" Some(LeftUpperArm), true;
    LeftHand "leftHand" Some(LeftLowerArm), true;
    LeftThumbMetacarpal "leftThumbMetacarpal" Some(LeftHand), false;
    LeftThumbProximal "leftThumbProximal" Some(LeftThumbMetacarpal), false;
    LeftThumbDistal "leftThumbDistal" Some(LeftThumbProximal), false;
    LeftIndexProximal "leftIndexProximal" Some(LeftHand), false;
    LeftIndexIntermediate "leftIndexIntermediate" Some(LeftIndexProximal), false;
    LeftIndexDistal "leftIndexDistal" Some(LeftIndexIntermediate), false;
    LeftMiddleProximal "leftMiddleProximal" Some(LeftHand), false;
    LeftMiddleIntermediate "leftMiddleIntermediate" Some(LeftMiddleProximal), false;
    LeftMiddleDistal "leftMiddleDistal" Some(LeftMiddleIntermediate), false;
    LeftRingProximal "leftRingProximal" Some(LeftHand), false;
    LeftRingIntermediate "leftRingIntermediate" Some(LeftRingProximal), false;
    LeftRingDistal "leftRingDistal" Some(LeftRingIntermediate), false;
    LeftLittleProximal "leftLittleProximal" Some(LeftHand), false;
    LeftLittleIntermediate "leftLittleIntermediate" Some(LeftLittleProximal), false;
    LeftLittleDistal "leftLittleDistal" Some(LeftLittleIntermediate), false;
    RightShoulder "rightShoulder" Some(UpperChest), false;
    RightUpperArm "rightUpperArm" Some(RightShoulder), true;
    RightLowerArm "rightLowerArm" Some(RightUpperArm), true;
    RightHand "rightHand" Some(RightLowerArm), true;
    RightThumbMetacarpal "rightThumbMetacarpal" Some(RightHand), false;
    RightThumbProximal "rightThumbProximal" Some(RightThumbMetacarpal), false;
    RightThumbDistal "rightThumbDistal" Some(RightThumbProximal), false;
    RightIndexProximal "rightIndexProximal" Some(RightHand), false;
    RightIndexIntermediate "rightIndexIntermediate" Some(RightIndexProximal), false;
    RightIndexDistal "rightIndexDistal" Some(RightIndexIntermediate), false;
    RightMiddleProximal "rightMiddleProximal" Some(RightHand), false;
    RightMiddleIntermediate "rightMiddleIntermediate" Some(RightMiddleProximal), false;
    RightMiddleDistal "rightMiddleDistal" Some(RightMiddleIntermediate), false;
    RightRingProximal "rightRingProximal" Some(RightHand), false;
    RightRingIntermediate "rightRingIntermediate" Some(RightRingProximal), false;
    RightRingDistal "rightRingDistal" Some(RightRingIntermediate), false;
    RightLittleProximal "rightLittleProximal" Some(RightHand), false;
    RightLittleIntermediate "rightLittleIntermediate" Some(RightLittleProximal), false;
    RightLittleDistal "rightLittleDistal" Some(RightLittleIntermediate), false;
    LeftUpperLeg "leftUpperLeg" Some(Hips), true;
    LeftLowerLeg "leftLowerLeg" Some(LeftUpperLeg), true;
    LeftFoot "leftFoot" Some(LeftLowerLeg), true;
    LeftToes "leftToes" Some(LeftFoot), false;
    RightUpperLeg "rightUpperLeg" Some(Hips), true;
    RightLowerLeg "rightLowerLeg" Some(RightUpperLeg), true;
    RightFoot "rightFoot" Some(RightLowerLeg), true;
    RightToes "rightToes" Some(RightFoot), false;
}

impl Bone {
    /// Number of bones.
    pub const COUNT: usize = 55;

    /// Index of the bone in [`Bone::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// VRM 1.0 name of the bone, such as `leftUpperArm`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Returns the bone with this VRM 1.0 name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|bone| bone.name() == name)
    }

    /// Parent in VRM's hierarchy, whether or not an avatar has that bone.
    #[must_use]
    pub const fn parent(self) -> Option<Self> {
        Self::PARENTS[self as usize]
    }

    /// Ancestors in VRM's hierarchy, nearest first.
    pub fn ancestors(self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.parent(), |bone| bone.parent())
    }

    /// Returns true if VRM 1.0 requires the bone (15 bones are required).
    #[must_use]
    pub const fn is_required(self) -> bool {
        Self::REQUIRED[self as usize]
    }

    /// Returns the bone on the other side of the body; the bone itself if it is in the middle.
    #[must_use]
    pub fn mirrored(self) -> Self {
        let name = self.name();
        let other = if let Some(rest) = name.strip_prefix("left") {
            format!("right{rest}")
        } else if let Some(rest) = name.strip_prefix("right") {
            format!("left{rest}")
        } else {
            return self;
        };
        Self::from_name(&other).unwrap_or(self)
    }
}

/// A set of bones, such as the bones of an avatar, of a clip or of a layer mask.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<Bone>", into = "Vec<Bone>")]
pub struct BoneSet(u64);

impl BoneSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// All bones.
    pub const ALL: Self = Self((1 << Bone::COUNT) - 1);
    /// Hips, legs, feet and toes (body part "legs" of Borer 2019).
    pub const LEGS: Self = Self::between(Bone::LeftUpperLeg, Bone::RightToes).with(Bone::Hips);
    /// Spine, chest and upper chest.
    pub const SPINE: Self = Self::between(Bone::Spine, Bone::UpperChest);
    /// Neck, head, eyes and jaw.
    pub const HEAD: Self = Self::between(Bone::Neck, Bone::Jaw);
    /// Shoulders, arms, hands and fingers.
    pub const ARMS: Self = Self::between(Bone::LeftShoulder, Bone::RightLittleDistal);
    /// The left arm with its shoulder and hand.
    pub const LEFT_ARM: Self = Self::between(Bone::LeftShoulder, Bone::LeftLittleDistal);
    /// The right arm with its shoulder and hand.
    pub const RIGHT_ARM: Self = Self::between(Bone::RightShoulder, Bone::RightLittleDistal);

    /// Thumbs and fingers of both hands.
    pub const FINGERS: Self = Self::between(Bone::LeftThumbMetacarpal, Bone::LeftLittleDistal)
        .union(Self::between(Bone::RightThumbMetacarpal, Bone::RightLittleDistal));

    const fn between(first: Bone, last: Bone) -> Self {
        Self(((1 << (last as u64 + 1)) - 1) & !((1 << first as u64) - 1))
    }

    /// Returns this set with one more bone.
    #[must_use]
    pub const fn with(self, bone: Bone) -> Self {
        Self(self.0 | 1 << bone as u64)
    }

    /// Returns the bones that are in either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the bones that are in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the bones of this set that are not in the other.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns true if the bone is in the set.
    #[must_use]
    pub const fn contains(self, bone: Bone) -> bool {
        self.0 & 1 << bone as u64 != 0
    }

    /// Returns the nearest ancestor of `bone` in this set. The bone itself need not be in the set.
    #[must_use]
    pub fn parent_of(self, bone: Bone) -> Option<Bone> {
        bone.ancestors().find(|above| self.contains(*above))
    }

    /// Adds a bone.
    pub const fn insert(&mut self, bone: Bone) {
        *self = self.with(bone);
    }

    /// Removes a bone.
    pub const fn remove(&mut self, bone: Bone) {
        self.0 &= !(1 << bone as u64);
    }

    /// Number of bones in the set.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns true if the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// One bit per bone, at its [index](Bone::index).
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// Iterates over the bones, parents before children.
    pub fn iter(self) -> impl Iterator<Item = Bone> {
        Bone::ALL.into_iter().filter(move |bone| self.contains(*bone))
    }
}

impl FromIterator<Bone> for BoneSet {
    fn from_iter<I: IntoIterator<Item = Bone>>(bones: I) -> Self {
        bones.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl From<Vec<Bone>> for BoneSet {
    fn from(bones: Vec<Bone>) -> Self {
        bones.into_iter().collect()
    }
}

impl From<BoneSet> for Vec<Bone> {
    fn from(set: BoneSet) -> Self {
        set.iter().collect()
    }
}

impl std::fmt::Debug for BoneSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter().map(Bone::name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_come_before_children() {
        for bone in Bone::ALL {
            assert!(bone.parent().is_none_or(|parent| parent < bone), "{bone:?}");
        }
    }

    #[test]
    fn vrm_requires_fifteen_bones() {
        assert_eq!(Bone::ALL.into_iter().filter(|b| b.is_required()).count(), 15);
    }

    #[test]
    fn body_parts_partition_the_skeleton() {
        let parts = [BoneSet::LEGS, BoneSet::SPINE, BoneSet::HEAD, BoneSet::ARMS];
        assert_eq!(parts.iter().map(|p| p.len()).sum::<usize>(), Bone::COUNT);
        assert_eq!(parts.into_iter().fold(BoneSet::EMPTY, BoneSet::union), BoneSet::ALL);
        assert_eq!(BoneSet::LEFT_ARM.union(BoneSet::RIGHT_ARM), BoneSet::ARMS);
    }

    #[test]
    fn missing_bones_are_skipped_when_searching_a_parent() {
        let few: BoneSet = [Bone::Hips, Bone::Spine, Bone::Head].into_iter().collect();
        assert_eq!(few.parent_of(Bone::Head), Some(Bone::Spine));
        assert_eq!(few.parent_of(Bone::LeftHand), Some(Bone::Spine));
        assert_eq!(few.parent_of(Bone::Hips), None);
    }

    #[test]
    fn mirroring_twice_changes_nothing() {
        for bone in Bone::ALL {
            assert_eq!(bone.mirrored().mirrored(), bone);
        }
        assert_eq!(Bone::LeftRingDistal.mirrored(), Bone::RightRingDistal);
        assert_eq!(Bone::Jaw.mirrored(), Bone::Jaw);
    }
}
