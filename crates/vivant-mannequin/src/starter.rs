//! The starter clips: motions of a person who stands, listens and talks.
//!
//! The motions are written as text in the folder `motions`, and are compiled when they are first needed, on all
//! processor cores. [`starter_clips`] returns all of them. A web page has only one thread, so it uses [`StarterClips`]:
//! it calls [`StarterClips::make_next`] until that returns false, and then [`StarterClips::finish`]. The source files
//! contain some transitions; all other transitions between stances of the same layers are generated.

use crate::compile::{self, Stage};
use crate::rig::rig;
use crate::score::{Piece, PieceKind, Score};
use crate::stances::{idle_motion, transition, transition_name};
use std::sync::{LazyLock, Mutex, PoisonError};
use vivant::clip::Clip;

/// The source files of the motions. Definitions in one file can be used in the files after it.
const FILES: [(&str, &str); 9] = [
    ("hands.txt", include_str!("../motions/hands.txt")),
    ("stances.txt", include_str!("../motions/stances.txt")),
    ("transitions.txt", include_str!("../motions/transitions.txt")),
    ("gestures.txt", include_str!("../motions/gestures.txt")),
    ("fidgets.txt", include_str!("../motions/fidgets.txt")),
    ("head.txt", include_str!("../motions/head.txt")),
    ("talk.txt", include_str!("../motions/talk.txt")),
    ("talk-stances.txt", include_str!("../motions/talk-stances.txt")),
    ("ticks.txt", include_str!("../motions/ticks.txt")),
];

/// The first clips. Their order is fixed for programs that select clips by number.
const FIRST: [&str; 11] = [
    "idle_breathe",
    "weight_shift_left",
    "weight_shift_right",
    "look_around",
    "nod",
    "shake",
    "wave",
    "shrug",
    "explain",
    "chin_touch",
    "stretch",
];

/// Parses all files.
pub(crate) fn score() -> Score {
    Score::read(&FILES).unwrap_or_else(|fault| panic!("the built-in motions: {fault}"))
}

/// Returns the motions of the built-in character. Each motion starts and ends in a stance. For the stances and labels
/// see [`starter_repertoire`](crate::starter_repertoire).
///
/// The motions are compiled once; further calls return copies.
#[must_use]
pub fn starter_clips() -> Vec<Clip> {
    static CLIPS: LazyLock<Vec<Clip>> = LazyLock::new(make_clips);
    CLIPS.clone()
}

/// Compiles the clips of [`starter_clips`] one by one, so that a web page with a single thread stays responsive. The
/// parsed source files stay in memory until the program ends.
pub struct StarterClips {
    stage: Stage<'static>,
    jobs: std::vec::IntoIter<Job<'static>>,
    made: Vec<Clip>,
}

impl StarterClips {
    /// Parses the source files. No clip is compiled yet.
    #[must_use]
    pub fn new() -> Self {
        let (rig, score): (&'static _, &'static _) =
            (Box::leak(Box::new(rig())), Box::leak(Box::new(score())));
        let stage = Stage::new(rig, score);
        let jobs = jobs(&stage, score);
        Self { made: Vec::with_capacity(jobs.len()), stage, jobs: jobs.into_iter() }
    }

    /// Compiles the next clip. Returns false if there was no clip left to compile.
    pub fn make_next(&mut self) -> bool {
        let next = self.jobs.next().map(|job| make(&self.stage, job));
        let is_made = next.is_some();
        self.made.extend(next);
        is_made
    }

    /// Compiles the remaining clips and returns all clips in the order of [`starter_clips`].
    #[must_use]
    pub fn finish(mut self) -> Vec<Clip> {
        while self.make_next() {}
        in_order(self.made)
    }
}

impl Default for StarterClips {
    fn default() -> Self {
        Self::new()
    }
}

/// A clip to be compiled.
#[derive(Clone, Copy)]
enum Job<'s> {
    Piece(&'s Piece),
    Stance(usize),
    Transition(usize, usize),
}

fn make_clips() -> Vec<Clip> {
    let (rig, score) = (rig(), score());
    let stage = Stage::new(&rig, &score);
    in_order(in_parallel(&jobs(&stage, &score), |job| make(&stage, job)))
}

fn jobs<'s>(stage: &Stage<'_>, score: &'s Score) -> Vec<Job<'s>> {
    let pieces = score.pieces.iter().map(Job::Piece);
    let stances = (0..stage.stances.len()).map(Job::Stance);
    let ways = generated_transitions(stage, score).map(|(from, to)| Job::Transition(from, to));
    pieces.chain(stances).chain(ways).collect()
}

fn in_order(mut clips: Vec<Clip>) -> Vec<Clip> {
    for (place, first) in FIRST.into_iter().enumerate() {
        if let Some(found) = clips.iter().position(|clip| clip.name() == first) {
            clips[place..=found].rotate_right(1);
        }
    }
    clips
}

fn make(stage: &Stage<'_>, job: Job<'_>) -> Clip {
    match job {
        Job::Piece(piece) => stage.clip(piece),
        Job::Stance(at) => {
            let stance = &stage.stances[at];
            compile::clip(&stance.text.name, &idle_motion(stage, stance), true)
        }
        Job::Transition(from, to) => {
            let [from, to] = [from, to].map(|at| &stage.stances[at]);
            compile::clip(
                &transition_name(&from.text.name, &to.text.name),
                &transition(stage, from, to),
                true,
            )
        }
    }
}

/// Runs all jobs in parallel and returns the results in the order of the jobs.
fn in_parallel<J: Copy + Sync, T: Send>(jobs: &[J], work: impl Fn(J) -> T + Sync) -> Vec<T> {
    // In a browser there is a single thread, and this call returns an error.
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    if threads == 1 {
        return jobs.iter().map(|job| work(*job)).collect();
    }
    let mut done: Vec<Option<T>> = jobs.iter().map(|_| None).collect();
    let each = jobs.len().div_ceil(threads * 4).max(1);
    let queue = Mutex::new(jobs.chunks(each).zip(done.chunks_mut(each)));
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        while let Some((jobs, done)) = next() {
            jobs.iter().zip(done).for_each(|(job, done)| *done = Some(work(*job)));
        }
    };
    std::thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(run)));
        run();
    });
    done.into_iter().flatten().collect()
}

/// Returns the transitions between stances of the same layers that are not in the source files.
pub(crate) fn generated_transitions<'s>(
    stage: &'s Stage<'_>,
    score: &'s Score,
) -> impl Iterator<Item = (usize, usize)> + 's {
    let pairs = (0..stage.stances.len()).flat_map(|a| (0..stage.stances.len()).map(move |b| (a, b)));
    pairs.filter(|(a, b)| {
        let [from, to] = [a, b].map(|i| stage.stances[*i].text);
        let is_written = |to: &str| {
            score.pieces.iter().any(|piece| {
                piece.stance == from.name && matches!(&piece.kind, PieceKind::Transition(end) if end == to)
            })
        };
        a != b && from.layers == to.layers && !is_written(&to.name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::{Touch, deepest};
    use glam::{Affine3A, Quat, Vec3};
    use std::sync::OnceLock;
    use vivant::math::{angle_between, atan2_32};
    use vivant::pose::Pose;
    use vivant::rig::Bone;

    /// All clips, compiled once for all tests.
    fn clips() -> &'static [Clip] {
        static CLIPS: OnceLock<Vec<Clip>> = OnceLock::new();
        CLIPS.get_or_init(starter_clips)
    }

    /// Calls `check` with every frame of every clip: a label, the pose and the joint transforms.
    fn every_frame(check: impl Fn(&str, &Pose, &[Affine3A])) {
        let rig = rig();
        for clip in clips() {
            for frame in 0..clip.frames() {
                let pose = Pose { rotations: *clip.rotations(frame), root: clip.root(frame) };
                check(&format!("{} frame {frame}", clip.name()), &pose, &pose.model_transforms(&rig));
            }
        }
    }

    fn place(model: &[Affine3A], bone: Bone) -> Vec3 {
        model[bone.index()].translation.into()
    }

    #[test]
    fn compiling_one_by_one_gives_the_same_clips() {
        let mut making = StarterClips::new();
        (0..5).for_each(|_| assert!(making.make_next()));
        assert_eq!(making.finish(), clips());
    }

    #[test]
    fn elbows_bend_forwards_and_not_too_far() {
        every_frame(|label, pose, _| {
            for (bone, forwards) in [(Bone::LeftLowerArm, Vec3::X), (Bone::RightLowerArm, Vec3::NEG_X)] {
                let forearm = pose.rotations.get(bone) * forwards;
                let bend = atan2_32(forearm.z, forearm.dot(forwards)).to_degrees();
                assert!(forearm.y.abs() < 1e-3, "{label} {bone:?} bends sideways: {forearm}");
                assert!((0.0..150.0).contains(&bend), "{label} {bone:?} bends by {bend}°");
            }
        });
    }

    #[test]
    fn joints_stay_within_human_limits() {
        let rig = rig();
        every_frame(|label, pose, _| {
            for bone in Bone::ALL {
                let rotation = pose.rotations.get(bone);
                if let Some(limit) = rig.limit(bone) {
                    let over = angle_between(limit.clamp(rotation), rotation).to_degrees();
                    assert!(over < 1.0, "{label} {bone:?} exceeds its limit by {over}°");
                }
            }
            for bone in [Bone::LeftHand, Bone::RightHand] {
                let bend = angle_between(pose.rotations.get(bone), Quat::IDENTITY).to_degrees();
                assert!(bend < 80.0, "{label} {bone:?} bends by {bend}°");
            }
            for bone in [Bone::LeftLowerLeg, Bone::RightLowerLeg] {
                let shin = pose.rotations.get(bone) * Vec3::NEG_Y;
                assert!(shin.z < 0.02, "{label}: {bone:?} bends forwards, {shin}");
            }
        });
    }

    #[test]
    fn feet_stay_on_the_ground() {
        let rig = rig();
        every_frame(|label, _, model| {
            for bone in [Bone::LeftFoot, Bone::RightFoot, Bone::LeftToes, Bone::RightToes] {
                let slip = place(model, bone).distance(rig.rest_position(bone));
                assert!(slip < 1e-3, "{label} {bone:?} slips by {slip} m");
            }
        });
    }

    /// Checks poses at 60 Hz, including interpolated frames. Every failing clip is listed with its deepest collision.
    #[test]
    fn arms_keep_out_of_the_body_and_of_each_other() {
        let rig = rig();
        let mut faults = Vec::new();
        for clip in clips() {
            let mut pose = Pose::default();
            let steps = (clip.duration() * 60.0) as usize;
            let touches = (0..=steps).filter_map(|step| {
                let secs = step as f64 / 60.0;
                clip.sample(secs, &mut pose, &mut []);
                deepest(&rig, &pose).map(|touch| (secs, touch))
            });
            if let Some((secs, touch)) = touches.max_by(|(_, a), (_, b)| a.excess.total_cmp(&b.excess)) {
                let Touch { part, other, depth, .. } = touch;
                let mm = depth * 1000.0;
                faults
                    .push(format!("{} at {secs:.2} s: {part:?} is {mm:.1} mm inside {other:?}", clip.name()));
            }
        }
        assert!(faults.is_empty(), "{} clips:\n{}", faults.len(), faults.join("\n"));
    }

    #[test]
    fn nothing_is_faster_than_people() {
        for clip in clips() {
            for frame in 1..clip.frames() {
                for bone in Bone::ALL {
                    let turned = angle_between(clip.rotation(frame - 1, bone), clip.rotation(frame, bone));
                    let degrees_per_s = f64::from(turned.to_degrees()) * clip.rate();
                    let most = if bone.name().ends_with("Eye") { 300.0 } else { 420.0 };
                    assert!(
                        degrees_per_s < most,
                        "{} frame {frame} {bone:?}: {degrees_per_s}°/s",
                        clip.name()
                    );
                }
            }
        }
    }

    /// Pushing a hand out of a collision must not accelerate it too much. The limit is twice the acceleration of a
    /// brisk human gesture.
    #[test]
    fn hands_have_bounded_acceleration() {
        let rig = rig();
        for clip in clips() {
            let wrists: Vec<[Vec3; 2]> = (0..clip.frames())
                .map(|frame| {
                    let pose = Pose { rotations: *clip.rotations(frame), root: clip.root(frame) };
                    let model = pose.model_transforms(&rig);
                    [Bone::LeftHand, Bone::RightHand].map(|bone| place(&model, bone))
                })
                .collect();
            for (frame, triple) in wrists.windows(3).enumerate() {
                for side in [0, 1] {
                    let bend = triple[0][side] - 2.0 * triple[1][side] + triple[2][side];
                    let m_per_s2 = f64::from(bend.length()) * clip.rate() * clip.rate();
                    assert!(m_per_s2 < 30.0, "{} frame {frame}: {m_per_s2} m/s²", clip.name());
                }
            }
        }
    }

    /// Every clip starts and ends slowly: in its first and last 0.15 s nothing rotates by more than 3°.
    #[test]
    fn every_clip_starts_and_ends_slowly() {
        for clip in clips() {
            let (last, margin) = (clip.frames() - 1, (0.15 * clip.rate()) as usize);
            for (edge, near) in [(0, margin), (last, last - margin)] {
                for bone in Bone::ALL.into_iter().filter(|bone| !bone.name().ends_with("Eye")) {
                    let way = angle_between(clip.rotation(edge, bone), clip.rotation(near, bone));
                    let degrees = way.to_degrees();
                    assert!(degrees < 3.0, "{} {bone:?} goes {degrees}° at {edge}", clip.name());
                }
            }
        }
    }

    #[test]
    fn the_first_clips_keep_their_numbers() {
        let names: Vec<&str> = clips().iter().take(FIRST.len()).map(Clip::name).collect();
        assert_eq!(names, FIRST);
    }

    #[test]
    fn a_waving_hand_is_beside_the_head() {
        let (rig, clips) = (rig(), clips());
        let wave = clips.iter().find(|c| c.name() == "wave").unwrap();
        let mut pose = Pose::default();
        wave.sample(1.4, &mut pose, &mut []);
        let model = pose.model_transforms(&rig);
        let (hand, head) = (place(&model, Bone::RightHand), place(&model, Bone::Head));
        assert!(hand.y > head.y && hand.x < head.x - 0.2, "hand {hand}, head {head}");
        // The palm, −Y of the hand, faces the front.
        assert!((model[Bone::RightHand.index()].transform_vector3(Vec3::NEG_Y)).z > 0.7);
    }
}
