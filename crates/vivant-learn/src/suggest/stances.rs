//! Finds stances and names them.
//!
//! A repertoire connects clips by the stances in which they start and end, but recordings rarely name them.
//! [`Stances::new`] takes the stances that the user knows. [`Stances::add`] then adds the ends of clips that differ
//! from all of them, and names them after posture and arms, for example `sitting-arms-folded`. [`Stances::of`] returns
//! the nearest stance of a pose with a confidence. A pose in mid-motion is added only if no stance is near.

use super::rules::MAX_CONFIDENCE;
use super::track::{
    LEFT_FORE, LEFT_THIGH, LEFT_UPPER, LIMBS, PoseMeasurer, PoseSample, RIGHT_FORE, RIGHT_THIGH, RIGHT_UPPER,
    StickFigure, TRUNK, degrees_between,
};
use super::{Guess, KnownStance};
use vivant::body::layers::Layer;
use vivant::math::exp32;

/// Difference in degrees below which two poses belong to one stance. Clip ends of one stance differ by up to 10°
/// between people. Moving the arms from the sides to the hips changes the pose by 25°.
const SAME_DEG: f32 = 15.0;

/// Difference in degrees below which a clip end in mid-motion is assigned to the nearest stance.
const NEAR_DEG: f32 = 40.0;

/// Difference in degrees below which known stances of one layer are not distinguished, because noise and breathing
/// cause such differences.
const APART_DEG: f32 = 4.0;

/// Weight of the hip position in degrees per hip height: 5 cm to the side count as much as a head tilt of 8°.
const WEIGHT_DEG: f32 = 150.0;

/// A stance in which clips can start and end.
struct Stance {
    name: String,
    layers: Vec<Layer>,
    pose: PoseSample,
}

/// Known and found stances.
pub(crate) struct Stances(Vec<Stance>);

impl Stances {
    pub(crate) fn new(known: &[KnownStance<'_>], measurer: &PoseMeasurer<'_>) -> Self {
        let stance = |k: &KnownStance<'_>| Stance {
            name: k.name.to_owned(),
            layers: k.layers.to_vec(),
            pose: measurer.measure(&k.pose),
        };
        Self(known.iter().map(stance).collect())
    }

    /// Adds a pose as a stance, unless there is a similar one. A pose in mid-motion is not added if any other stance
    /// is near.
    pub(crate) fn add(&mut self, sample: &PoseSample, settled: bool) {
        let limit = if settled { SAME_DEG } else { NEAR_DEG };
        // Head stances say nothing about the rest of the body.
        if self.0.iter().any(|s| s.layers != [Layer::Head] && s.distance_deg(sample) < limit) {
            return;
        }
        let name = self.free_name(&name_of(sample));
        self.0.push(Stance { name, layers: Layer::ALL.to_vec(), pose: *sample });
    }

    /// Returns the layer on which two samples are in different stances, if there is one. Only stances of a single
    /// layer are compared; those of several layers differ enough to be recognized by the motion alone.
    pub(crate) fn transition_layer(&self, first: &PoseSample, last: &PoseSample) -> Option<Layer> {
        Layer::ALL.into_iter().find(|layer| {
            let [from, to] = [first, last].map(|m| self.by_distance(m, |s| s.layers == [*layer]));
            let (Some((near_from, from)), Some((near_to, to))) = (from.first(), to.first()) else {
                return false;
            };
            let apart = from.distance_deg(&to.pose);
            from.name != to.name && apart > APART_DEG && near_from.max(*near_to) < 0.4 * apart
        })
    }

    fn by_distance(&self, sample: &PoseSample, which: impl Fn(&Stance) -> bool) -> Vec<(f32, &Stance)> {
        let some = self.0.iter().filter(|s| which(s));
        let mut all: Vec<(f32, &Stance)> = some.map(|s| (s.distance_deg(sample), s)).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all
    }

    fn free_name(&self, wanted: &str) -> String {
        let taken = |name: &str| self.0.iter().any(|s| s.name == name);
        let numbered = (2..).map(|n| format!("{wanted}-{n}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        names.find(|name| !taken(name)).expect("numbers do not end")
    }

    /// Returns the stance of a pose, preferably among stances that use `layers`. Stances with exactly these layers
    /// come first.
    pub(crate) fn of(&self, sample: &PoseSample, layers: &[Layer]) -> (Guess<String>, StickFigure) {
        let own = self.by_distance(sample, |s| layers.len() == 1 && s.layers == layers);
        let holds = |s: &Stance| s.layers != [Layer::Head] && s.layers.iter().any(|l| layers.contains(l));
        let near = [own, self.by_distance(sample, holds)];
        let is_near = |all: &&Vec<(f32, &Stance)>| all.first().is_some_and(|(far, _)| *far < SAME_DEG);
        let near = near.iter().find(is_near).cloned().unwrap_or_else(|| match &near[1] {
            none if none.is_empty() => self.by_distance(sample, |_| true),
            some => some.clone(),
        });
        let Some((distance, stance)) = near.first() else {
            return (Guess::new("standing".into(), 0.0), sample.stick);
        };
        let ahead = near.get(1).map_or(90.0, |second| second.0 - distance);
        let alone = 0.5 + 0.5 * logistic(ahead / 4.0 - 1.0);
        let confidence = logistic((1.4 * SAME_DEG - distance) / 3.0) * alone * MAX_CONFIDENCE;
        (Guess::new(stance.name.clone(), confidence), stance.pose.stick)
    }
}

impl Stance {
    fn distance_deg(&self, sample: &PoseSample) -> f32 {
        let limbs = self.pose.stick.distance_deg(&sample.stick, |limb| self.holds(limb));
        match self.layers.as_slice() {
            [Layer::Head] => (self.pose.head - sample.head).abs().max_element(),
            [Layer::Body] => limbs.max(WEIGHT_DEG * self.pose.weight().distance(sample.weight())),
            _ => limbs,
        }
    }

    /// Returns true if a limb belongs to the stance's layers. The head moves in all layers and does not count.
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

/// Names a pose: the posture, and the arms if they do not hang.
fn name_of(m: &PoseSample) -> String {
    let posture = posture(m);
    match (posture, arms(m)) {
        (_, Some("t-pose")) => "t-pose".into(),
        ("lying", _) => "lying".into(),
        ("standing", Some(arms)) => arms.into(),
        // Hands in the lap or on a table are normal for sitting.
        (posture, Some(arms)) if arms != "hands-together" => format!("{posture}-{arms}"),
        _ => posture.into(),
    }
}

fn posture(m: &PoseSample) -> &'static str {
    let limb = |i: usize| m.stick.limbs[i];
    // A hanging thigh points down: -1. At -0.65 it is raised by 50°.
    let thighs_up = limb(LEFT_THIGH).y.min(limb(RIGHT_THIGH).y) > -0.65;
    let feet_ahead = 0.5 * (m.feet[0].z + m.feet[1].z);
    match () {
        () if limb(TRUNK).y < 0.35 => "lying",
        // Crouching people have their feet under a low pelvis. People who sit on a stool may have their feet there,
        // too.
        () if thighs_up && m.stick.height < 0.5 && feet_ahead < 0.15 => "crouching",
        () if thighs_up && m.stick.height < 0.75 => "sitting",
        () => "standing",
    }
}

/// Returns the arm position; `None` if the arms hang.
fn arms(m: &PoseSample) -> Option<&'static str> {
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

/// Returns true if a wrist is at the pelvis and the elbow is bent and points outwards.
fn on_hip(m: &PoseSample, i: usize) -> bool {
    let outwards = if i == 0 { 1.0 } else { -1.0 };
    let wrist = m.wrists[i];
    let (upper, fore) =
        (m.stick.limbs[[LEFT_UPPER, RIGHT_UPPER][i]], m.stick.limbs[[LEFT_FORE, RIGHT_FORE][i]]);
    let bent = degrees_between(upper, fore) > 50.0;
    let at_pelvis = (-0.1..0.5).contains(&wrist.y) && (0.1..0.7).contains(&(wrist.x * outwards));
    bent && at_pelvis && fore.x * outwards < -0.2 && wrist.z.abs() < 0.45
}
