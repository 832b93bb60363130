//! A repertoire bound to an avatar.
//!
//! A clip may be played on several layers at once, and a layer may move bones that belong to another layer. Each bone
//! of a stance therefore has one owner among the layers of the stance. On bones that are owned by the layers of an
//! action, the action is played in full. On other bones, the action is played as the difference from the stance,
//! because the owner of these bones continues to play the stance. If each layer has its own stances, as in paper 4,
//! every layer owns all bones that it moves, and this is exactly the paper's composition.

use crate::body::graph::{ActionNode, Graph, Issue, StanceNode, owner};
use crate::body::layers::{Layer, LayerSet, Seam};
use crate::body::library::{Library, Motion, PartRigs, normalise, padded, with_small_steps};
use crate::body::repertoire::Repertoire;
use crate::clip::Clip;
use crate::math::angle_between;
use crate::pose::Pose;
use crate::rig::{Bone, BoneSet, Channel, Rig};
use glam::Vec3;
use std::collections::BTreeMap;

/// A graph whose motions are in the library.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) graph: Graph,
    pub(crate) stances: Vec<Part>,
    pub(crate) actions: Vec<Part>,
}

/// Playback data of a stance or an action.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Index of the motion in the library; `None` for the neutral pose, or for a transition without a clip.
    pub(crate) motion: Option<usize>,
    /// Bones that each layer plays.
    pub(crate) masks: [BoneSet; 3],
    /// The layer that plays the expressions, so that they are not added twice.
    pub(crate) expression_layer: Option<Layer>,
    /// For stances, the share of weight shifts that is visible: 0 in a sitting stance, 0.3 in a stance on one leg,
    /// otherwise 1.
    pub(crate) sway: f64,
    /// Index of the loop's seam in the library, if the part is a loop.
    pub(crate) seam: Option<u32>,
}

/// Maximum difference of one joint between the first or last pose of a clip and its stance, in degrees. A larger
/// difference gives a warning, because a cross-fade does not hide it (our design).
const FIT_DEGREES: f32 = 20.0;
/// Maximum difference of one finger joint, in degrees, like `FIT_DEGREES`. It is larger, because fingers are small and
/// less visible.
const FIT_FINGER_DEGREES: f32 = 45.0;
/// Maximum distance of the hips from their position in the stance, in metres. A larger distance looks like sliding.
const FIT_METRES: f32 = 0.12;

/// Minimum height of the hips of a standing character, as a share of their height in the T-pose.
const STANDING_SHARE: f32 = 0.85;

/// Maximum distance of the feet from their place in the base pose that is not corrected, in metres.
const FEET_TOLERANCE_M: f32 = 0.002;

/// Sideways offset of the hips above which a character stands on one leg, as a share of the hips height: 2 cm for an
/// adult.
const ASIDE_SHARE: f32 = 0.02;

impl Library {
    /// Binds a repertoire to an avatar. Motions are stored as offsets from the base pose, such as [`Pose::neutral`].
    /// `clip` returns a clip, given its name as spelled in the repertoire. Also returns the warnings.
    ///
    /// # Errors
    /// If the repertoire cannot be used. The error lists all problems.
    pub fn of_repertoire<'a>(
        rig: Rig,
        mut base: Pose,
        repertoire: &Repertoire,
        clip: &dyn Fn(&str) -> Option<&'a Clip>,
    ) -> Result<(Self, Vec<Issue>), Vec<Issue>> {
        normalise(&mut base);
        let (mut graph, mut issues) = Graph::build(repertoire, &|name| clip(name).map(Clip::duration))?;
        graph.find_strokes(clip);
        let mut binder = Binder {
            rig: &rig,
            base: &base,
            clip,
            clips: BTreeMap::new(),
            motions: Vec::new(),
            seams: Vec::new(),
            bound: BTreeMap::new(),
        };
        let stances: Vec<Part> = graph.stances().iter().map(|stance| binder.stance(stance)).collect();
        let actions: Vec<Part> = graph.actions().iter().map(|action| binder.action(&graph, action)).collect();
        for action in graph.actions() {
            issues.extend(binder.misfits(&graph, action));
        }
        let (motions, seams, lost) = binder.finish();
        let repertoire = Some(Bound { graph, stances, actions });
        let parts = PartRigs::new(&rig);
        Ok((Self { rig, parts, base, motions, seams, lost, repertoire }, issues))
    }
}

impl Library {
    /// Returns the pose of a stance of the repertoire, in the middle of its clip; bones that the layers of the stance
    /// do not move are as in the base pose.
    ///
    /// # Panics
    /// If the [graph](Self::graph) has no stance with this index.
    #[must_use]
    pub fn stance_pose(&self, stance: usize) -> Pose {
        let mut pose = *self.base();
        let Some(bound) = self.bound() else { return pose };
        let part = &bound.stances[stance];
        let Some(motion) = part.motion.map(|motion| &self.motions()[motion]) else { return pose };
        let (from, to) = bound.graph.stances()[stance].part;
        let at = motion.cursor(0.5 * (from + to));
        let bones = part.masks.into_iter().fold(BoneSet::EMPTY, BoneSet::union);
        for bone in bones.iter() {
            let offset = motion.rotations[at.frame].get(bone);
            pose.rotations.set(bone, self.base().rotations.get(bone) * offset);
        }
        if bones.contains(Bone::Hips) {
            pose.root += motion.root(at);
        }
        pose
    }
}

struct Binder<'a, 'c> {
    rig: &'a Rig,
    base: &'a Pose,
    clip: &'a dyn Fn(&str) -> Option<&'c Clip>,
    /// Adapted clips, each with its expressions that the rig cannot show. The key is the name of the clip in the
    /// repertoire and its start time as bits.
    clips: BTreeMap<(String, u64), (Clip, Vec<Channel>)>,
    motions: Vec<Motion>,
    seams: Vec<Seam>,
    /// Indices of motions. The key is the name of the clip in the repertoire, its start time as bits, and the stance
    /// to which the motion is relative, if any.
    bound: BTreeMap<(String, u64, Option<String>), usize>,
}

impl Binder<'_, '_> {
    /// Returns a clip adapted to the rig, and moved so that its feet start where the feet of the base pose are.
    fn fitted(&mut self, spelling: &str, from: f64) -> Option<&Clip> {
        let key = (spelling.to_owned(), from.to_bits());
        if !self.clips.contains_key(&key) {
            let (mut fitted, lost) = (self.clip)(spelling)?.anchored_if_far(from).fitted_to(self.rig);
            fitted.move_by(self.offset_to_base(&pose_at(&fitted, from, self.base)));
            self.clips.insert(key.clone(), (with_small_steps(fitted), lost));
        }
        self.clips.get(&key).map(|(clip, _)| clip)
    }

    /// Returns the horizontal offset that moves the feet of a pose to the feet of the base pose. Shifting weight or
    /// sitting down moves the hips and not the feet, so clips are aligned at the feet.
    fn offset_to_base(&self, pose: &Pose) -> Vec3 {
        let [Some(from), Some(to)] = [pose, self.base].map(|pose| self.feet_centre(pose)) else {
            return Vec3::ZERO;
        };
        let way = Vec3::new(to.x - from.x, 0.0, to.z - from.z);
        if way.length() < FEET_TOLERANCE_M { Vec3::ZERO } else { way }
    }

    fn feet_centre(&self, pose: &Pose) -> Option<Vec3> {
        let feet = [Bone::LeftFoot, Bone::RightFoot];
        let has_feet = feet.iter().all(|foot| self.rig.bones().contains(*foot));
        let places = has_feet.then(|| pose.model_transforms(self.rig))?;
        let [left, right] = feet.map(|foot| Vec3::from(places[foot.index()].translation));
        Some((left + right) * 0.5)
    }

    fn stance(&mut self, stance: &StanceNode) -> Part {
        let masks = masks(stance.layers, stance.layers, BoneSet::ALL);
        let clip = stance.clip.as_deref();
        let motion = clip.and_then(|clip| self.motion(clip, stance.part.0, BoneSet::EMPTY, stance));
        let held = self.pose_of(stance, stance.part.0);
        let sway = self.sway_share(&held);
        let seam = self.seam(motion, stance.part);
        Part { motion, masks, expression_layer: stance.layers.first(), sway, seam }
    }

    /// Measures the seam of a part that is played as a loop, and returns its index; `None` if there is no motion or
    /// the part has no duration.
    fn seam(&mut self, motion: Option<usize>, part: (f64, f64)) -> Option<u32> {
        let motion = motion.filter(|_| part.1 > part.0)?;
        self.seams.push(Seam::of(&self.motions[motion], part, padded(self.rig.channels().len())));
        u32::try_from(self.seams.len() - 1).ok()
    }

    fn sway_share(&self, pose: &Pose) -> f64 {
        let height = self.rig.hips_height();
        let aside = (pose.root.x - self.base.root.x).abs();
        match (pose.root.y >= STANDING_SHARE * height, aside <= ASIDE_SHARE * height) {
            (false, _) => 0.0,
            (true, true) => 1.0,
            (true, false) => 0.3,
        }
    }

    fn action(&mut self, graph: &Graph, action: &ActionNode) -> Part {
        let stance = &graph.stances()[action.stance];
        let masks = masks(action.layers, stance.layers, action.mask);
        let foreign = foreign_bones(action.layers, stance.layers);
        let clip = action.clip.as_deref();
        let motion = clip.and_then(|clip| self.motion(clip, action.part.0, foreign, stance));
        let seam = self.seam(motion.filter(|_| action.looped), action.part);
        Part { motion, masks, expression_layer: action.layers.first(), sway: 0.0, seam }
    }

    /// Returns the motion of a clip: relative to the stance on the bones in `relative`, and relative to the base pose
    /// on other bones.
    fn motion(&mut self, spelling: &str, from: f64, relative: BoneSet, stance: &StanceNode) -> Option<usize> {
        let relative = relative.intersection(self.fitted(spelling, from)?.bones());
        let of_stance = (relative != BoneSet::EMPTY).then(|| stance.name.clone());
        let key = (spelling.to_owned(), from.to_bits(), of_stance);
        if let Some(index) = self.bound.get(&key) {
            return Some(*index);
        }
        let held = self.pose_of(stance, stance.part.0);
        let mut reference = *self.base;
        for bone in relative.iter() {
            reference.rotations.set(bone, held.rotations.get(bone));
        }
        let rig = self.rig;
        let motion = Motion::new(self.fitted(spelling, from)?, rig, &reference);
        self.motions.push(motion);
        let index = self.motions.len() - 1;
        self.bound.insert(key, index);
        Some(index)
    }

    /// Returns a stance's pose at `seconds` of its clip; bones that the clip does not move are as in the base pose.
    fn pose_of(&mut self, stance: &StanceNode, seconds: f64) -> Pose {
        let base = *self.base;
        match stance.clip.as_deref().and_then(|clip| self.fitted(clip, stance.part.0)) {
            Some(clip) => pose_at(clip, seconds, &base),
            None => base,
        }
    }

    /// Warns if a clip's first or last pose does not fit its stance.
    fn misfits(&mut self, graph: &Graph, action: &ActionNode) -> Vec<Issue> {
        let Some(spelling) = action.clip.clone() else { return Vec::new() };
        let base = *self.base;
        let Some(clip) = self.fitted(&spelling, action.part.0) else { return Vec::new() };
        let ends = [
            ("first", "start", pose_at(clip, action.part.0, &base), action.stance),
            ("last", "end", pose_at(clip, action.part.1, &base), action.ends_in),
        ];
        let own = masks(action.layers, graph.stances()[action.stance].layers, action.mask);
        let bones = own.into_iter().fold(BoneSet::EMPTY, BoneSet::union);
        let bones = bones.intersection(self.rig.bones()).minus(EYES);
        let mut issues = Vec::new();
        for (which, field, pose, stance) in ends {
            let stance = &graph.stances()[stance];
            if let Some(misfit) = self.misfit(&pose, stance, bones) {
                let message = format!(
                    "its {which} pose is {misfit}; trim it with `{field}`, or put it into another stance"
                );
                issues.push(Issue { path: action.path.clone(), message, is_warning: true });
            }
        }
        issues
    }

    /// Describes how a pose does not fit a stance; `None` if it fits.
    fn misfit(&mut self, pose: &Pose, stance: &StanceNode, bones: BoneSet) -> Option<String> {
        let name = &stance.name;
        let (bone, degrees) = self.distance(pose, stance, bones.minus(BoneSet::FINGERS));
        if degrees > FIT_DEGREES {
            return Some(format!("{degrees:.0}° off the stance “{name}” at {}", bone.name()));
        }
        let (finger, degrees) = self.distance(pose, stance, bones.intersection(BoneSet::FINGERS));
        if degrees > FIT_FINGER_DEGREES {
            return Some(format!("{degrees:.0}° off the stance “{name}” at {}", finger.name()));
        }
        let mut slide = pose.root - self.pose_of(stance, stance.part.0).root;
        slide.y = 0.0;
        let is_far = bones.contains(Bone::Hips) && slide.length() > FIT_METRES;
        is_far.then(|| format!("{:.2} m away from the stance “{name}”", slide.length()))
    }

    /// Returns the bone at which a pose differs most from a stance, and the difference in degrees. The pose is compared
    /// with 16 poses of the stance, and the most similar one counts.
    fn distance(&mut self, pose: &Pose, stance: &StanceNode, bones: BoneSet) -> (Bone, f32) {
        const SAMPLES: usize = 16;
        let mut nearest = (Bone::Hips, f32::INFINITY);
        for sample in 0..SAMPLES {
            let (from, to) = stance.part;
            let held = self.pose_of(stance, from + (to - from) * sample as f64 / SAMPLES as f64);
            let farthest = farthest(pose, &held, bones);
            if farthest.1 < nearest.1 {
                nearest = farthest;
            }
        }
        nearest
    }

    fn finish(self) -> (Vec<Motion>, Vec<Seam>, Vec<(usize, Channel)>) {
        let index = |wanted: &String| {
            let found = self.bound.iter().find(|((spelling, ..), _)| spelling == wanted);
            found.map(|(_, index)| *index)
        };
        let lost = self.clips.iter().filter_map(|((spelling, _), (_, lost))| Some((index(spelling)?, lost)));
        let lost = lost.flat_map(|(index, lost)| lost.iter().map(move |channel| (index, channel.clone())));
        let lost = lost.collect();
        (self.motions, self.seams, lost)
    }
}

const EYES: BoneSet = BoneSet::EMPTY.with(Bone::LeftEye).with(Bone::RightEye).with(Bone::Jaw);

fn farthest(a: &Pose, b: &Pose, bones: BoneSet) -> (Bone, f32) {
    let degrees = |bone| angle_between(a.rotations.get(bone), b.rotations.get(bone)).to_degrees();
    let all = bones.iter().map(|bone| (bone, degrees(bone)));
    all.fold((Bone::Hips, 0.0), |worst, next| if next.1 > worst.1 { next } else { worst })
}

/// Returns a clip's pose; bones that the clip does not move are as in the base pose.
fn pose_at(clip: &Clip, seconds: f64, base: &Pose) -> Pose {
    let mut pose = Pose::default();
    clip.sample(seconds, &mut pose, &mut []);
    for bone in BoneSet::ALL.minus(clip.bones()).iter() {
        pose.rotations.set(bone, base.rotations.get(bone));
    }
    pose
}

/// Bones of a clip that each layer plays.
fn masks(layers: LayerSet, of_stance: LayerSet, mask: BoneSet) -> [BoneSet; 3] {
    let mut masks = [BoneSet::EMPTY; 3];
    for bone in mask.iter() {
        let own = owner(bone, of_stance).filter(|layer| layers.contains(*layer));
        if let Some(layer) = own.or_else(|| owner(bone, layers)) {
            masks[layer as usize].insert(bone);
        }
    }
    masks
}

/// Bones that the layers move although another layer of the stance owns them.
fn foreign_bones(layers: LayerSet, of_stance: LayerSet) -> BoneSet {
    let is_foreign = |bone: &Bone| {
        let owner_of_stance = owner(*bone, of_stance);
        owner_of_stance.is_some_and(|layer| !layers.contains(layer)) && owner(*bone, layers).is_some()
    };
    Bone::ALL.into_iter().filter(is_foreign).collect()
}
