//! Where arms touch the body or each other, and how deep.
//!
//! Forearms, hands and fingers are held against trunk, neck, head and thighs, and against the other arm,
//! all as the capsules of [`figure`](crate::figure). Neighbours in the same arm do not count. Flesh and
//! clothes give way a little: [`TRUNK_GIVES_M`] and [`HANDS_GIVE_M`] are no collision.

use crate::figure::{Capsule, LIMBS, TRUNK};
use crate::motion::{Side, is_finger};
use glam::{Affine3A, Vec3};
use std::sync::LazyLock;
use vivant::pose::Pose;
use vivant::rig::{Bone, Rig};

/// How far trunk, head and thighs give way to a hand, in metres (our design).
pub(crate) const TRUNK_GIVES_M: f32 = 0.004;
/// How far two hands, or a hand and the other arm, give way to each other, in metres (our design).
pub(crate) const HANDS_GIVE_M: f32 = 0.006;

/// A part of an arm that is deeper in something than that gives way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Touch {
    /// The part of the arm.
    pub(crate) what: Bone,
    /// What it is in.
    pub(crate) whom: Bone,
    /// How deep, in metres.
    pub(crate) depth: f32,
    /// How much deeper than allowed.
    pub(crate) excess: f32,
    /// The arm.
    pub(crate) side: Side,
    /// Whether it is in the other arm, which could make room too.
    pub(crate) is_other_arm: bool,
    /// The way out for the arm.
    pub(crate) out: Vec3,
    /// Where the arm is touched.
    pub(crate) place: Vec3,
}

/// A capsule in a pose.
#[derive(Clone, Copy)]
struct Solid {
    bone: Bone,
    ends: [Vec3; 2],
    radius: f32,
    /// Its middle, and how far from there it reaches.
    centre: Vec3,
    reach: f32,
}

/// A capsule where it is on its bone.
struct Local {
    bone: Bone,
    ends: [Vec3; 2],
    radius: f32,
}

/// All capsules that can touch, in the order of [`Bodies`].
struct Locals {
    body: Vec<Local>,
    arms: [[Vec<Local>; 3]; 2],
}

/// The built-in character's, worked out once.
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

/// All that can touch, in a pose.
pub(crate) struct Bodies {
    body: Vec<Solid>,
    /// Upper arm, forearm, and the hand with its fingers, of each side.
    arms: [[Group; 3]; 2],
    /// Where each palm faces.
    palms: [Vec3; 2],
}

/// Capsules with a ball around them, which is quicker to ask.
struct Group {
    solids: Vec<Solid>,
    centre: Vec3,
    reach: f32,
}

/// The deepest touch beyond what gives way, if there is any.
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

    /// The touch with the greatest excess, among some arms' parts, where everything gives way by `slack`
    /// metres more than it is allowed to (less than nothing keeps a distance).
    pub(crate) fn deepest(&self, arms: [bool; 2], slack: f32) -> Option<Touch> {
        let mut deepest: Option<Touch> = None;
        let mut note = |touch: Touch| {
            if deepest.is_none_or(|known| touch.excess > known.excess) {
                deepest = Some(touch);
            }
        };
        for side in Side::BOTH.into_iter().filter(|side| arms[*side as usize]) {
            let [_, forearm, hand] = &self.arms[side as usize];
            for group in [forearm, hand] {
                self.against_body(side, group, slack, &mut note);
            }
            for (group, others) in [(hand, 0..3), (forearm, 1..3)] {
                for other in &self.arms[side.other() as usize][others] {
                    against_arm(side, group, other, slack, &mut note);
                }
            }
        }
        deepest.map(
            |touch| if is_hand(touch.what) && is_hand(touch.whom) { self.unlocked(touch) } else { touch },
        )
    }

    /// Two hands that hold each other come apart the way that the palms face: between fingers there are
    /// many ways out, and most of them lead on into the next finger.
    fn unlocked(&self, touch: Touch) -> Touch {
        let palm = self.palms[touch.side as usize];
        let along = touch.out.dot(palm);
        if along.abs() < 0.4 { touch } else { Touch { out: palm * along.signum(), ..touch } }
    }

    fn against_body(&self, side: Side, group: &Group, slack: f32, note: &mut impl FnMut(Touch)) {
        let gives = TRUNK_GIVES_M + slack;
        for solid in &self.body {
            if group.is_near(solid, gives) {
                group.solids.iter().filter_map(|part| part.touch(solid, side, gives)).for_each(&mut *note);
            }
        }
    }
}

fn against_arm(side: Side, group: &Group, other: &Group, slack: f32, note: &mut impl FnMut(Touch)) {
    let gives = HANDS_GIVE_M + slack;
    if group.centre.distance(other.centre) > group.reach + other.reach - gives.min(0.0) {
        return;
    }
    for solid in other.solids.iter().filter(|solid| group.is_near(solid, gives)) {
        let touches = group.solids.iter().filter_map(|part| part.touch(solid, side, gives));
        touches.map(|touch| Touch { is_other_arm: true, ..touch }).for_each(&mut *note);
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

    fn is_near(&self, solid: &Solid, gives: f32) -> bool {
        let [a, b] = solid.ends;
        let way = b - a;
        let along = ((self.centre - a).dot(way) / way.length_squared().max(1e-9)).clamp(0.0, 1.0);
        (a + way * along).distance(self.centre) < self.reach + solid.radius - gives.min(0.0)
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
    /// How this part of an arm touches another solid deeper than it gives way.
    fn touch(&self, whom: &Self, side: Side, gives: f32) -> Option<Touch> {
        let near = self.reach + whom.reach - gives;
        if self.centre.distance_squared(whom.centre) > near * near {
            return None;
        }
        let [here, there] = nearest(self.ends, whom.ends);
        let apart = here.distance(there);
        let depth = self.radius + whom.radius - apart;
        (depth > gives).then(|| Touch {
            what: self.bone,
            whom: whom.bone,
            depth,
            excess: depth - gives,
            side,
            is_other_arm: false,
            out: (here - there).normalize_or(Vec3::Z),
            place: here,
        })
    }
}

/// The nearest points of two segments (Ericson, Real-Time Collision Detection, section 5.1.9).
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
    fn a_hand_in_the_chest_touches_and_one_before_it_does_not() {
        let rig = crate::rig();
        let touch = deepest(&rig, &held([0.05, 1.2, 0.06])).expect("a hand in the chest");
        assert!(matches!(touch.whom, Bone::Chest | Bone::UpperChest), "{touch:?}");
        assert!(touch.depth > 0.02 && touch.side == Side::Left && touch.out.z > 0.2, "{touch:?}");
        assert_eq!(deepest(&rig, &held([0.2, 1.2, 0.3])), None);
        assert_eq!(deepest(&rig, &Pose::neutral(&rig)), None);
    }

    #[test]
    fn nearest_points_of_segments_are_no_farther_than_any_others() {
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
