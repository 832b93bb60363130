//! Which stances there are, and what to call them.

use super::judge::SUREST;
use super::track::{
    LEFT_FORE, LEFT_THIGH, LEFT_UPPER, LIMBS, Moment, RIGHT_FORE, RIGHT_THIGH, RIGHT_UPPER, Stick, TRUNK,
    Yardstick, degrees_between,
};
use super::{Guess, Known};
use vivant::body::layers::Layer;
use vivant::math::exp32;

/// Poses within this belong to one stance, in degrees. The ends of clips of one stance differ by up to 10°
/// between people; arms that go from the sides to the hips make 25°.
const SAME_DEG: f32 = 15.0;

/// An end in mid-motion is nobody's stance: up to this it is counted to the nearest, in degrees.
const NEAR_DEG: f32 = 40.0;

/// Known stances of one layer that differ by less are not told apart, in degrees: that of noise and breath.
const APART_DEG: f32 = 4.0;

/// What a hips' height of where the weight is counts, in degrees: 5 cm to a side change as much as a head that
/// is tilted by 8°.
const WEIGHT_DEG: f32 = 150.0;

/// A stance that clips can belong to.
struct Stance {
    name: String,
    layers: Vec<Layer>,
    look: Moment,
}

/// The stances that are known, and those that were found.
pub(crate) struct Stances(Vec<Stance>);

impl Stances {
    pub(crate) fn new(known: &[Known<'_>], yardstick: &Yardstick<'_>) -> Self {
        let stance = |k: &Known<'_>| Stance {
            name: k.name.to_owned(),
            layers: k.layers.to_vec(),
            look: yardstick.look(&k.pose),
        };
        Self(known.iter().map(stance).collect())
    }

    /// Makes a stance of a pose, unless there is one like it. A pose in mid-motion makes none as long as
    /// any other is near.
    pub(crate) fn learn(&mut self, moment: &Moment, settled: bool) {
        let limit = if settled { SAME_DEG } else { NEAR_DEG };
        // A stance of the head says nothing of the rest.
        if self.0.iter().any(|s| s.layers != [Layer::Head] && s.distance_deg(moment) < limit) {
            return;
        }
        let name = self.free_name(&name_of(moment));
        self.0.push(Stance { name, layers: Layer::ALL.to_vec(), look: *moment });
    }

    /// The layer on which the first of two moments is in one stance and the second in another, if there is
    /// one. Stances of several layers are far enough apart to be told by the motion alone.
    pub(crate) fn way(&self, first: &Moment, last: &Moment) -> Option<Layer> {
        Layer::ALL.into_iter().find(|layer| {
            let [from, to] = [first, last].map(|m| self.by_distance(m, |s| s.layers == [*layer]));
            let (Some((near_from, from)), Some((near_to, to))) = (from.first(), to.first()) else {
                return false;
            };
            let apart = from.distance_deg(&to.look);
            from.name != to.name && apart > APART_DEG && near_from.max(*near_to) < 0.4 * apart
        })
    }

    fn by_distance(&self, moment: &Moment, which: impl Fn(&Stance) -> bool) -> Vec<(f32, &Stance)> {
        let some = self.0.iter().filter(|s| which(s));
        let mut all: Vec<(f32, &Stance)> = some.map(|s| (s.distance_deg(moment), s)).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all
    }

    fn free_name(&self, wanted: &str) -> String {
        let taken = |name: &str| self.0.iter().any(|s| s.name == name);
        let numbered = (2..).map(|n| format!("{wanted}-{n}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        names.find(|name| !taken(name)).expect("numbers do not end")
    }

    /// The stance that a pose belongs to, among those that hold one of `layers` if there are any. Those that
    /// hold nothing else come first.
    pub(crate) fn of(&self, moment: &Moment, layers: &[Layer]) -> (Guess<String>, Stick) {
        let own = self.by_distance(moment, |s| layers.len() == 1 && s.layers == layers);
        let holds = |s: &Stance| s.layers != [Layer::Head] && s.layers.iter().any(|l| layers.contains(l));
        let near = [own, self.by_distance(moment, holds)];
        let is_near = |all: &&Vec<(f32, &Stance)>| all.first().is_some_and(|(far, _)| *far < SAME_DEG);
        let near = near.iter().find(is_near).cloned().unwrap_or_else(|| match &near[1] {
            none if none.is_empty() => self.by_distance(moment, |_| true),
            some => some.clone(),
        });
        let Some((distance, stance)) = near.first() else {
            return (Guess::new("standing".into(), 0.0), moment.stick);
        };
        let ahead = near.get(1).map_or(90.0, |second| second.0 - distance);
        let alone = 0.5 + 0.5 * logistic(ahead / 4.0 - 1.0);
        let confidence = logistic((1.4 * SAME_DEG - distance) / 3.0) * alone * SUREST;
        (Guess::new(stance.name.clone(), confidence), stance.look.stick)
    }
}

impl Stance {
    fn distance_deg(&self, moment: &Moment) -> f32 {
        let limbs = self.look.stick.distance_deg(&moment.stick, |limb| self.holds(limb));
        match self.layers.as_slice() {
            [Layer::Head] => (self.look.head - moment.head).abs().max_element(),
            [Layer::Body] => limbs.max(WEIGHT_DEG * self.look.weight().distance(moment.weight())),
            _ => limbs,
        }
    }

    /// Whether a limb is the business of its layers. The head moves in all of them and tells nothing.
    fn holds(&self, limb: usize) -> bool {
        let bone = LIMBS[limb].0;
        let arm = vivant::rig::BoneSet::ARMS.contains(bone);
        let owner = if arm { Layer::Arms } else { Layer::Body };
        self.layers.contains(&owner)
    }
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + exp32((-x).clamp(-30.0, 30.0)))
}

/// What people would call a pose: how it stands, and what it does with its arms if that is not at the sides.
fn name_of(m: &Moment) -> String {
    let posture = posture(m);
    match (posture, arms(m)) {
        (_, Some("t-pose")) => "t-pose".into(),
        ("lying", _) => "lying".into(),
        ("standing", Some(arms)) => arms.into(),
        // Hands that lie in the lap or on a table are how people sit.
        (posture, Some(arms)) if arms != "hands-together" => format!("{posture}-{arms}"),
        _ => posture.into(),
    }
}

fn posture(m: &Moment) -> &'static str {
    let limb = |i: usize| m.stick.limbs[i];
    // A thigh that hangs points down: -1. At -0.65 it is raised by 50°.
    let thighs_up = limb(LEFT_THIGH).y.min(limb(RIGHT_THIGH).y) > -0.65;
    let feet_ahead = 0.5 * (m.feet[0].z + m.feet[1].z);
    match () {
        () if limb(TRUNK).y < 0.35 => "lying",
        // Whoever crouches has the feet under a low pelvis; on a stool they may be there too.
        () if thighs_up && m.stick.height < 0.5 && feet_ahead < 0.15 => "crouching",
        () if thighs_up && m.stick.height < 0.75 => "sitting",
        () => "standing",
    }
}

/// What the arms do; nothing if they hang.
fn arms(m: &Moment) -> Option<&'static str> {
    if m.stick.is_t_pose() {
        return Some("t-pose");
    }
    let hanging = |fore: usize, upper: usize| m.stick.limbs[fore].y < -0.7 && m.stick.limbs[upper].y < -0.6;
    let down = [hanging(LEFT_FORE, LEFT_UPPER), hanging(RIGHT_FORE, RIGHT_UPPER)];
    let [left, right] = m.wrists;
    let hips = [on_hip(m, 0), on_hip(m, 1)];
    match () {
        () if left.z.max(right.z) < -0.2 && hips == [false, false] => Some("hands-behind"),
        () if down == [true, true] => None,
        () if hips == [true, true] => Some("hands-on-hips"),
        () if hips[0] && down[1] => Some("left-hand-on-hip"),
        () if hips[1] && down[0] => Some("right-hand-on-hip"),
        () if m.to_head[0].min(m.to_head[1]) < 0.68 => Some("hand-at-head"),
        () if left.x < 0.05 && right.x > -0.05 && left.y.min(right.y) > 0.2 => Some("arms-folded"),
        () if posture(m) == "sitting" && left.y.max(right.y) < 0.45 => None,
        () if left.distance(right) < 0.55 => Some("hands-together"),
        () if m.above_shoulder[0].max(m.above_shoulder[1]) > 0.1 => Some("arm-raised"),
        () if down[0] != down[1] => Some("forearm-raised"),
        () => Some("forearms-raised"),
    }
}

/// A wrist at the pelvis, with a bent elbow that points outwards.
fn on_hip(m: &Moment, i: usize) -> bool {
    let outwards = if i == 0 { 1.0 } else { -1.0 };
    let wrist = m.wrists[i];
    let (upper, fore) =
        (m.stick.limbs[[LEFT_UPPER, RIGHT_UPPER][i]], m.stick.limbs[[LEFT_FORE, RIGHT_FORE][i]]);
    let bent = degrees_between(upper, fore) > 50.0;
    let at_pelvis = (-0.1..0.5).contains(&wrist.y) && (0.1..0.7).contains(&(wrist.x * outwards));
    bent && at_pelvis && fore.x * outwards < -0.2 && wrist.z.abs() < 0.45
}
