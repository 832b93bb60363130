//! Detects collisions of the arms with the body or with each other, and the depth of these collisions.
//!
//! Forearms, hands and fingers are tested against trunk, neck, head and thighs, and against the other arm. All of
//! these parts are the capsules of [`figure`](crate::figure). Neighbouring parts of the same arm are not tested.
//! Flesh and clothes yield slightly, so depths up to [`TRUNK_DEPTH_M`] and [`HAND_DEPTH_M`] are not collisions.

use crate::figure::{Capsule, LIMBS, TRUNK};
use crate::motion::{Side, is_finger};
use glam::{Affine3A, Vec3};
use std::sync::LazyLock;
use vivant::pose::Pose;
use vivant::rig::{Bone, Rig};

/// Allowed depth of a hand in the trunk, the head or a thigh, in metres (our design).
pub(crate) const TRUNK_DEPTH_M: f32 = 0.004;
/// Allowed depth between two hands, or a hand and the other arm, in metres (our design).
pub(crate) const HAND_DEPTH_M: f32 = 0.006;

/// A collision: a part of an arm is deeper in another part than allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Touch {
    /// The part of the arm.
    pub(crate) part: Bone,
    /// The other part, which contains the part of the arm.
    pub(crate) other: Bone,
    /// Depth in metres.
    pub(crate) depth: f32,
    /// The depth that exceeds the allowed depth, in metres.
    pub(crate) excess: f32,
    /// The side of the arm.
    pub(crate) side: Side,
    /// True if the arm collides with the other arm, which could move instead.
    pub(crate) is_other_arm: bool,
    /// The direction in which the arm must move to be free.
    pub(crate) out: Vec3,
    /// The position of the collision on the arm.
    pub(crate) place: Vec3,
}

/// A capsule in a pose.
#[derive(Clone, Copy)]
struct Solid {
    bone: Bone,
    ends: [Vec3; 2],
    radius: f32,
    /// The centre of the capsule, and the radius of its bounding sphere.
    centre: Vec3,
    reach: f32,
}

/// A capsule relative to its bone.
struct Local {
    bone: Bone,
    ends: [Vec3; 2],
    radius: f32,
}

/// All capsules that can collide, in the order of [`Bodies`].
struct Locals {
    body: Vec<Local>,
    arms: [[Vec<Local>; 3]; 2],
}

/// The capsules of the built-in character, computed once.
static LOCALS: LazyLock<Locals> = LazyLock::new(|| {
    let rig = crate::rig();
    let thighs = LIMBS.into_iter().filter(|c| c.bone == Bone::LeftUpperLeg);
    let body = TRUNK.into_iter().chain(thighs.flat_map(|c| [c, c.mirrored()]));
    let part = |side: Side, belongs: &dyn Fn(Bone) -> bool| {
        let parts = LIMBS.into_iter().filter(|c| belongs(c.bone));
        parts.map(|c| Local::new(&if side == Side::Left { c } else { c.mirrored() }, &rig)).collect()
    };
    Locals {
        body: body.map(|c| Local::new(&c, &rig)).collect(),
        arms: Side::BOTH.map(|side| {
            [
                part(side, &|bone| bone == Bone::LeftUpperArm),
                part(side, &|bone| bone == Bone::LeftLowerArm),
                part(side, &is_hand),
            ]
        }),
    }
});

/// All capsules in a pose.
pub(crate) struct Bodies {
    body: Vec<Solid>,
    /// Upper arm, forearm, and the hand with its fingers, of each side.
    arms: [[Group; 3]; 2],
    /// Direction that each palm faces, left and right.
    palms: [Vec3; 2],
}

/// Capsules with a bounding sphere. Groups whose spheres do not touch are not tested further.
struct Group {
    solids: Vec<Solid>,
    centre: Vec3,
    reach: f32,
}

/// Returns the deepest collision beyond the allowed depth, if there is any.
#[cfg(test)]
pub(crate) fn deepest(rig: &Rig, pose: &Pose) -> Option<Touch> {
    Bodies::new(rig, pose).deepest([true; 2], 0.0)
}

impl Bodies {
    pub(crate) fn new(rig: &Rig, pose: &Pose) -> Self {
        let model = pose.model_transforms(rig);
        let placed = |locals: &[Local]| locals.iter().map(|local| local.placed(&model)).collect();
        Self {
            body: placed(&LOCALS.body),
            arms: [0, 1].map(|side| [0, 1, 2].map(|part| Group::new(placed(&LOCALS.arms[side][part])))),
            palms: Side::BOTH
                .map(|side| model[side.of(Bone::LeftHand).index()].transform_vector3(Vec3::NEG_Y)),
        }
    }

    /// Returns the collision with the greatest excess among the arms that are true in `arms`. `slack` is added to the
    /// allowed depth, in metres. A negative value keeps a distance.
    pub(crate) fn deepest(&self, arms: [bool; 2], slack: f32) -> Option<Touch> {
        let mut deepest: Option<Touch> = None;
        let mut record = |touch: Touch| {
            if deepest.is_none_or(|known| touch.excess > known.excess) {
                deepest = Some(touch);
            }
        };
        for side in Side::BOTH.into_iter().filter(|side| arms[*side as usize]) {
            let [_, forearm, hand] = &self.arms[side as usize];
            for group in [forearm, hand] {
                self.against_body(side, group, slack, &mut record);
            }
            for (group, others) in [(hand, 0..3), (forearm, 1..3)] {
                for other in &self.arms[side.other() as usize][others] {
                    against_arm(side, group, other, slack, &mut record);
                }
            }
        }
        deepest.map(
            |touch| if is_hand(touch.part) && is_hand(touch.other) { self.separated(touch) } else { touch },
        )
    }

    /// Separates two hands that hold each other, along the direction of the palm. Between fingers there are many
    /// possible directions, and most of them lead into the next finger.
    fn separated(&self, touch: Touch) -> Touch {
        let palm = self.palms[touch.side as usize];
        let along = touch.out.dot(palm);
        if along.abs() < 0.4 { touch } else { Touch { out: palm * along.signum(), ..touch } }
    }

    fn against_body(&self, side: Side, group: &Group, slack: f32, record: &mut impl FnMut(Touch)) {
        let allowed = TRUNK_DEPTH_M + slack;
        for solid in &self.body {
            if group.is_near(solid, allowed) {
                group
                    .solids
                    .iter()
                    .filter_map(|part| part.touch(solid, side, allowed))
                    .for_each(&mut *record);
            }
        }
    }
}

fn against_arm(side: Side, group: &Group, other: &Group, slack: f32, record: &mut impl FnMut(Touch)) {
    let allowed = HAND_DEPTH_M + slack;
    if group.centre.distance(other.centre) > group.reach + other.reach - allowed.min(0.0) {
        return;
    }
    for solid in other.solids.iter().filter(|solid| group.is_near(solid, allowed)) {
        let touches = group.solids.iter().filter_map(|part| part.touch(solid, side, allowed));
        touches.map(|touch| Touch { is_other_arm: true, ..touch }).for_each(&mut *record);
    }
}

fn is_hand(bone: Bone) -> bool {
    matches!(bone, Bone::LeftHand | Bone::RightHand) || is_finger(bone)
}

impl Group {
    fn new(solids: Vec<Solid>) -> Self {
        let [low, high] = solids.iter().fold([Vec3::MAX, Vec3::MIN], |[low, high], solid| {
            [low.min(solid.centre), high.max(solid.centre)]
        });
        let centre = (low + high) * 0.5;
        let reach = solids.iter().map(|s| s.centre.distance(centre) + s.reach).fold(0.0, f32::max);
        Self { solids, centre, reach }
    }

    fn is_near(&self, solid: &Solid, allowed: f32) -> bool {
        let [a, b] = solid.ends;
        let way = b - a;
        let along = ((self.centre - a).dot(way) / way.length_squared().max(1e-9)).clamp(0.0, 1.0);
        (a + way * along).distance(self.centre) < self.reach + solid.radius - allowed.min(0.0)
    }
}

impl Local {
    fn new(capsule: &Capsule, rig: &Rig) -> Self {
        let rest = rig.rest_position(capsule.bone);
        let ends = capsule.ends.map(|end| Vec3::from(end) - rest);
        Self { bone: capsule.bone, ends, radius: capsule.radius }
    }

    fn placed(&self, model: &[Affine3A]) -> Solid {
        let ends = self.ends.map(|end| model[self.bone.index()].transform_point3(end));
        let centre = (ends[0] + ends[1]) * 0.5;
        let reach = ends[0].distance(centre) + self.radius;
        Solid { bone: self.bone, ends, radius: self.radius, centre, reach }
    }
}

impl Solid {
    /// Returns the collision of this part with another capsule, if it is deeper than allowed.
    fn touch(&self, other: &Self, side: Side, allowed: f32) -> Option<Touch> {
        let near = self.reach + other.reach - allowed;
        if self.centre.distance_squared(other.centre) > near * near {
            return None;
        }
        let [here, there] = nearest(self.ends, other.ends);
        let apart = here.distance(there);
        let depth = self.radius + other.radius - apart;
        (depth > allowed).then(|| Touch {
            part: self.bone,
            other: other.bone,
            depth,
            excess: depth - allowed,
            side,
            is_other_arm: false,
            out: (here - there).normalize_or(Vec3::Z),
            place: here,
        })
    }
}

/// Returns the nearest points of two segments (Ericson, Real-Time Collision Detection, section 5.1.9).
fn nearest([a0, a1]: [Vec3; 2], [b0, b1]: [Vec3; 2]) -> [Vec3; 2] {
    let (way_a, way_b, between) = (a1 - a0, b1 - b0, a0 - b0);
    let (aa, bb, f) = (way_a.length_squared(), way_b.length_squared(), way_b.dot(between));
    let (c, ab) = (way_a.dot(between), way_a.dot(way_b));
    let unit = |x: f32| x.clamp(0.0, 1.0);
    if aa < 1e-10 {
        return [a0, b0 + way_b * unit(f / bb.max(1e-10))];
    }
    if bb < 1e-10 {
        return [a0 + way_a * unit(-c / aa), b0];
    }
    let denominator = aa * bb - ab * ab;
    let mut s = if denominator > 1e-12 { unit((ab * f - c * bb) / denominator) } else { 0.0 };
    let t = (ab * s + f) / bb;
    if t < 0.0 {
        s = unit(-c / aa);
    } else if t > 1.0 {
        s = unit((ab - c) / aa);
    }
    [a0 + way_a * s, b0 + way_b * unit(t)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{Arm, hold, set_arm};

    fn held(wrist: [f32; 3]) -> Pose {
        let rig = crate::rig();
        let mut pose = Pose::neutral(&rig);
        let elbow = Vec3::new(1.0, -0.6, -0.2);
        let arm = Arm { wrist: wrist.into(), elbow, palm: Vec3::NEG_Z, hand: Some(Vec3::NEG_X) };
        let arm = hold(&rig, &pose, Side::Left, &arm);
        set_arm(&mut pose, Side::Left, &arm);
        pose
    }

    #[test]
    fn a_hand_inside_the_chest_collides() {
        let rig = crate::rig();
        let touch = deepest(&rig, &held([0.05, 1.2, 0.06])).expect("a hand in the chest");
        assert!(matches!(touch.other, Bone::Chest | Bone::UpperChest), "{touch:?}");
        assert!(touch.depth > 0.02 && touch.side == Side::Left && touch.out.z > 0.2, "{touch:?}");
        assert_eq!(deepest(&rig, &held([0.2, 1.2, 0.3])), None);
        assert_eq!(deepest(&rig, &Pose::neutral(&rig)), None);
    }

    #[test]
    fn nearest_points_of_segments_are_optimal() {
        let place = |n: i32| {
            let part = |k: i32| ((n * k) % 17) as f32 / 8.0 - 1.0;
            Vec3::new(part(3), part(5), part(7))
        };
        for n in 1..200 {
            let (a, b) = ([place(n), place(n + 3)], [place(2 * n + 1), place(n + 11)]);
            let [p, q] = nearest(a, b);
            for i in 0..=20 {
                for j in 0..=20 {
                    let (u, v) = (i as f32 / 20.0, j as f32 / 20.0);
                    let other = a[0].lerp(a[1], u).distance(b[0].lerp(b[1], v));
                    assert!(p.distance(q) <= other + 1e-5, "{n}: {} against {other}", p.distance(q));
                }
            }
        }
    }
}
