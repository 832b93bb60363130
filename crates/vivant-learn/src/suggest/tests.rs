use super::*;
use glam::{Quat, Vec3};
use proptest::prelude::*;
use vivant::math::{from_rotation_vector, shortest_arc};
use vivant::rig::{Bone, BoneSet};

/// Poses of the built-in character made by hand.
struct Puppet(Pose);

impl Puppet {
    fn standing() -> Self {
        Self(Pose::neutral(&vivant_mannequin::rig()))
    }

    fn sitting() -> Self {
        let rig = vivant_mannequin::rig();
        let mut puppet = Self::standing();
        puppet.0.root.y -= rig.rest_translation(Bone::LeftLowerLeg).length();
        let bend = |degrees: f32| Quat::from_rotation_x(degrees.to_radians());
        puppet
            .turned(Bone::LeftUpperLeg, bend(-88.0))
            .turned(Bone::RightUpperLeg, bend(-88.0))
            .turned(Bone::LeftLowerLeg, bend(88.0))
            .turned(Bone::RightLowerLeg, bend(88.0))
    }

    fn crouching() -> Self {
        let mut puppet = Self::standing();
        puppet.0.root.y *= 0.4;
        let bend = |degrees: f32| Quat::from_rotation_x(degrees.to_radians());
        puppet
            .turned(Bone::LeftUpperLeg, bend(-110.0))
            .turned(Bone::RightUpperLeg, bend(-110.0))
            .turned(Bone::LeftLowerLeg, bend(150.0))
            .turned(Bone::RightLowerLeg, bend(150.0))
            .turned(Bone::Spine, bend(25.0))
    }

    fn turned(mut self, bone: Bone, rotation: Quat) -> Self {
        self.0.rotations.set(bone, rotation);
        self
    }

    /// Sets both arms by the directions of the left upper arm and forearm.
    fn arms(self, upper: [f32; 3], fore: [f32; 3]) -> Self {
        self.arm(1.0, upper, fore).arm(-1.0, upper, fore)
    }

    fn arm(mut self, side: f32, upper: [f32; 3], fore: [f32; 3]) -> Self {
        let bones = [Bone::LeftShoulder, Bone::LeftUpperArm, Bone::LeftLowerArm, Bone::LeftHand];
        let [shoulder, upper_arm, fore_arm, hand] =
            if side > 0.0 { bones } else { bones.map(Bone::mirrored) };
        let towards = |d: [f32; 3]| shortest_arc(Vec3::X * side, Vec3::from(d) * Vec3::new(side, 1.0, 1.0));
        let (upper, fore) = (towards(upper), towards(fore));
        for (bone, rotation) in [
            (shoulder, Quat::IDENTITY),
            (upper_arm, upper),
            (fore_arm, upper.inverse() * fore),
            (hand, Quat::IDENTITY),
        ] {
            self = self.turned(bone, rotation);
        }
        self
    }

    fn hands_on_hips(self) -> Self {
        self.arms([0.6, -0.75, -0.25], [-0.75, -0.65, 0.1])
    }

    fn arms_folded(self) -> Self {
        self.arms([0.15, -0.95, 0.25], [-1.0, 0.1, 0.3])
    }
}

/// Returns a clip through poses at given times with easing, at 30 fps.
fn through(keys: &[(f64, &Puppet)]) -> Clip {
    let secs = keys[keys.len() - 1].0;
    let frames = (secs * 30.0) as usize + 1;
    let mut clip = Clip::new("made", 30.0, frames, vivant_mannequin::rig().hips_height()).unwrap();
    for frame in 0..frames {
        let now = frame as f64 / 30.0;
        let next = keys.iter().position(|k| k.0 >= now).unwrap_or(keys.len() - 1).max(1);
        let [(from, a), (to, b)] = [keys[next - 1], keys[next]];
        let share = ((now - from) / (to - from)).clamp(0.0, 1.0) as f32;
        let eased = share * share * (3.0 - 2.0 * share);
        for bone in Bone::ALL {
            clip.set_rotation(frame, bone, a.0.rotations.get(bone).slerp(b.0.rotations.get(bone), eased));
        }
        clip.set_root(frame, a.0.root.lerp(b.0.root, eased));
    }
    clip
}

/// Returns four seconds of breathing in a pose.
fn breathing(pose: &Puppet) -> Clip {
    let chest = pose.0.rotations.get(Bone::Chest) * Quat::from_rotation_x(0.02);
    let inhaled = Puppet(pose.0).turned(Bone::Chest, chest);
    through(&[(0.0, pose), (1.5, &inhaled), (4.0, pose)])
}

fn ask(clips: &[(&str, &Clip)], known: &[KnownStance<'_>]) -> Vec<Suggestion> {
    let clips: Vec<_> = clips.iter().map(|(name, clip)| NamedClip { name, clip }).collect();
    suggest(&clips, known, &vivant_mannequin::rig())
}

fn ask_one(clip: &Clip) -> Suggestion {
    ask(&[("it", clip)], &[]).remove(0)
}

fn starter(name: &str) -> Clip {
    vivant_mannequin::starter_clips().into_iter().find(|c| c.name() == name).unwrap()
}

#[test]
fn stances_are_named_after_their_appearance() {
    let check = |pose: Puppet, name: &str| {
        let found = ask_one(&breathing(&pose));
        assert_eq!(
            (found.kind.value, found.stance.value.as_str()),
            (Type::Stance, name),
            "{}",
            found.reasons
        );
        assert!(found.looped && found.kind.confidence > 0.8, "{name}: {found:?}");
    };
    check(Puppet::standing(), "standing");
    check(Puppet::sitting(), "sitting");
    check(Puppet::crouching(), "crouching");
    check(Puppet::standing().hands_on_hips(), "hands-on-hips");
    check(Puppet::standing().arms_folded(), "arms-folded");
    check(Puppet::sitting().arms_folded(), "sitting-arms-folded");
    check(Puppet::standing().arms([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]), "t-pose");
    check(Puppet::standing().arms([0.2, -0.95, -0.35], [-0.5, -0.8, -0.3]), "hands-behind");
    let one = Puppet::standing().arm(1.0, [0.6, -0.75, -0.25], [-0.75, -0.65, 0.1]);
    check(one, "left-hand-on-hip");
}

#[test]
fn clips_of_several_stances_are_sorted_into_them() {
    let poses = [
        ("standing", Puppet::standing()),
        ("sitting", Puppet::sitting()),
        ("hands-on-hips", Puppet::standing().hands_on_hips()),
    ];
    let nod = |p: &Puppet| {
        let down = Puppet(p.0).turned(Bone::Head, Quat::from_rotation_x(0.2));
        through(&[(0.0, p), (0.3, &down), (0.6, p), (0.9, &down), (1.2, p), (2.0, p)])
    };
    let clips: Vec<_> = poses.iter().flat_map(|(name, p)| [(*name, breathing(p)), (*name, nod(p))]).collect();
    let named: Vec<_> = clips.iter().map(|(name, clip)| (*name, clip)).collect();
    for found in ask(&named, &[]) {
        assert_eq!(found.stance.value, found.clip);
        assert!(found.stance.confidence > 0.7, "{found:?}");
    }
}

#[test]
fn two_stances_of_one_look_are_numbered() {
    let wide = Puppet::sitting()
        .turned(Bone::LeftUpperLeg, Quat::from_rotation_y(0.6) * Quat::from_rotation_x(-1.4))
        .turned(Bone::RightUpperLeg, Quat::from_rotation_y(-0.6) * Quat::from_rotation_x(-1.4));
    let (a, b) = (breathing(&Puppet::sitting()), breathing(&wide));
    let found = ask(&[("a", &a), ("b", &b)], &[]);
    assert_eq!([found[0].stance.value.as_str(), found[1].stance.value.as_str()], ["sitting", "sitting-2"]);
}

#[test]
fn known_stances_keep_their_names() {
    let all = Layer::ALL;
    let known = [
        KnownStance { name: "at-ease", layers: &all, pose: Puppet::standing().0 },
        KnownStance { name: "akimbo", layers: &[Layer::Arms], pose: Puppet::standing().hands_on_hips().0 },
    ];
    let (ease, akimbo) = (breathing(&Puppet::standing()), breathing(&Puppet::sitting().hands_on_hips()));
    let folded = breathing(&Puppet::standing().arms_folded());
    let found = ask(&[("ease", &ease), ("akimbo", &akimbo), ("folded", &folded)], &known);
    let names: Vec<&str> = found.iter().map(|s| s.stance.value.as_str()).collect();
    assert_eq!(names, ["at-ease", "akimbo", "arms-folded"], "an arm stance ignores the legs");
}

/// Returns a standing pose with the head tilted by the given angle in degrees.
fn tilted(degrees: f32) -> Puppet {
    Puppet::standing().turned(Bone::Head, Quat::from_rotation_z(degrees.to_radians()))
}

#[test]
fn a_held_head_tilt_is_a_transition_and_a_brief_one_a_gesture() {
    let (straight, tilt) = (Puppet::standing(), tilted(10.0));
    let goes = through(&[(0.0, &straight), (0.4, &straight), (1.0, &tilt), (1.5, &tilt)]);
    let found = ask_one(&goes);
    assert_eq!((found.kind.value, found.layers), (Type::Transition, vec![Layer::Head]), "{}", found.reasons);
    let asks = through(&[(0.0, &straight), (0.4, &straight), (1.0, &tilt), (1.5, &tilt), (2.2, &straight)]);
    let found = ask_one(&asks);
    assert_eq!((found.kind.value, found.layers), (Type::Gesture, vec![Layer::Head]), "{}", found.reasons);
}

#[test]
fn known_head_stances_make_a_small_tilt_a_transition() {
    let (straight, tilt) = (Puppet::standing(), tilted(5.0));
    let clip = through(&[(0.0, &straight), (0.4, &straight), (1.0, &tilt), (1.5, &tilt)]);
    assert_eq!(ask_one(&clip).kind.value, Type::Stance, "too small without known stances");
    let head = [Layer::Head];
    let known = [
        KnownStance { name: "straight", layers: &head, pose: straight.0 },
        KnownStance { name: "tilted", layers: &head, pose: tilt.0 },
    ];
    let found = ask(&[("it", &clip)], &known).remove(0);
    assert_eq!((found.kind.value, found.layers.as_slice()), (Type::Transition, &head[..]));
    assert_eq!(
        (found.stance.value.as_str(), found.end_stance.unwrap().value.as_str()),
        ("straight", "tilted")
    );
}

#[test]
fn a_lasting_weight_shift_is_a_transition_and_a_brief_one_a_fidget() {
    let (middle, mut side) = (Puppet::standing(), Puppet::standing());
    side.0.root.x += 0.06;
    let turn = |puppet: Puppet, degrees: f32| {
        [Bone::LeftUpperLeg, Bone::RightUpperLeg]
            .into_iter()
            .fold(puppet, |p, leg| p.turned(leg, Quat::from_rotation_z(degrees.to_radians())))
    };
    let side = turn(side, -3.9);
    let stays = through(&[(0.0, &middle), (0.4, &middle), (1.4, &side), (2.0, &side)]);
    let returns = through(&[(0.0, &middle), (0.4, &middle), (1.2, &side), (2.0, &side), (3.0, &middle)]);
    for (clip, kind) in [(stays, Type::Transition), (returns, Type::Fidget)] {
        let found = ask_one(&clip);
        assert_eq!((found.kind.value, found.layers), (kind, vec![Layer::Body]), "{}", found.reasons);
    }
}

#[test]
fn restless_fingers_are_a_fidget_of_their_hand() {
    let bent = |degrees: f32| {
        let bend = |p: Puppet, bone| {
            let turned = p.0.rotations.get(bone) * Quat::from_rotation_z(degrees.to_radians());
            p.turned(bone, turned)
        };
        [Bone::LeftIndexProximal, Bone::LeftMiddleProximal].into_iter().fold(Puppet::standing(), bend)
    };
    let (rest, out, little) = (Puppet::standing(), bent(20.0), bent(3.0));
    for (pose, kind, hand) in [(&out, Type::Fidget, Some(Hand::Left)), (&little, Type::Stance, None)] {
        let clip =
            through(&[(0.0, &rest), (0.4, &rest), (0.7, pose), (1.0, &rest), (1.3, pose), (2.0, &rest)]);
        let found = ask_one(&clip);
        assert_eq!((found.kind.value, found.hand.value), (kind, hand), "{}", found.reasons);
        assert_eq!(found.reasons.contains("fingers"), hand.is_some(), "{}", found.reasons);
    }
}

#[test]
fn going_from_one_stance_to_another_is_a_transition() {
    let (up, down) = (Puppet::standing(), Puppet::sitting());
    let sit = through(&[(0.0, &up), (0.7, &up), (2.0, &down), (3.0, &down)]);
    let stand = through(&[(0.0, &down), (0.5, &down), (2.0, &up), (3.0, &up)]);
    for (clip, from, to) in [(&sit, "standing", "sitting"), (&stand, "sitting", "standing")] {
        let found = ask_one(clip);
        assert_eq!(found.kind.value, Type::Transition, "{}", found.reasons);
        assert_eq!((found.stance.value.as_str(), found.end_stance.unwrap().value.as_str()), (from, to));
        assert!(
            (0.3..0.8).contains(&found.start) && (1.8..2.3).contains(&found.end),
            "{} {}",
            found.start,
            found.end
        );
    }
}

#[test]
fn an_arm_that_moves_and_stays_is_a_transition_of_the_arms() {
    let rest = Puppet::standing();
    let check = |to: Puppet, hand: Hand| {
        let found = ask_one(&through(&[(0.0, &rest), (0.4, &rest), (1.2, &to), (1.7, &to)]));
        assert_eq!((found.kind.value, found.hand.value), (Type::Transition, Some(hand)), "{}", found.reasons);
        assert_eq!(found.layers, [Layer::Arms], "{}", found.reasons);
    };
    let akimbo = ([0.6, -0.75, -0.25], [-0.75, -0.65, 0.1]);
    check(Puppet::standing().arm(1.0, akimbo.0, akimbo.1), Hand::Left);
    check(Puppet::standing().arm(-1.0, akimbo.0, akimbo.1), Hand::Right);
    check(Puppet::standing().hands_on_hips(), Hand::Both);
}

#[test]
fn looking_at_nails_is_a_fidget_and_showing_them_a_gesture() {
    let rest = Puppet::standing();
    let show = || Puppet::standing().arm(-1.0, [0.2, -0.8, 0.5], [-0.45, 0.5, 0.7]);
    let look = show().turned(Bone::Head, Quat::from_rotation_x(0.6));
    let clip = |up: &Puppet| through(&[(0.0, &rest), (0.8, up), (3.0, up), (3.8, &rest)]);
    for (up, kind) in [(look, Type::Fidget), (show(), Type::Gesture)] {
        let found = ask_one(&clip(&up));
        assert_eq!((found.kind.value, found.hand.value), (kind, Some(Hand::Right)), "{}", found.reasons);
    }
}

#[test]
fn clapping_is_a_gesture_and_rubbing_hands_a_fidget() {
    let rest = Puppet::standing();
    let at = |inwards: f32| Puppet::standing().arms([0.1, -0.9, 0.3], [-inwards, 0.2, 0.85]);
    let (open, shut, held) = (at(0.3), at(0.66), at(0.64));
    let mut clap = vec![(0.0, &rest), (0.6, &open)];
    let mut rub = vec![(0.0, &rest), (0.6, &held)];
    for n in 0..8 {
        let t = 0.6 + 0.3 * f64::from(n);
        clap.extend([(t + 0.15, &shut), (t + 0.3, &open)]);
        rub.extend([(t + 0.15, &shut), (t + 0.3, &held)]);
    }
    for (mut keys, kind) in [(clap, Type::Gesture), (rub, Type::Fidget)] {
        keys.push((3.8, &rest));
        let found = ask_one(&through(&keys));
        assert_eq!((found.kind.value, found.hand.value), (kind, Some(Hand::Both)), "{}", found.reasons);
    }
}

#[test]
fn rest_before_and_after_is_trimmed() {
    for name in ["wave", "nod", "shrug", "look_around", "weight_shift_left"] {
        let clip = starter(name);
        let (pad, last) = ((2.0 * clip.rate()) as usize, clip.frames() - 1);
        let mut padded = Clip::new(name, clip.rate(), clip.frames() + 2 * pad, clip.hips_height()).unwrap();
        for frame in 0..padded.frames() {
            let from = frame.saturating_sub(pad).min(last);
            for bone in clip.bones().iter() {
                padded.set_rotation(frame, bone, clip.rotation(from, bone));
            }
            padded.set_root(frame, clip.root(from));
        }
        let (plain, found) = (ask_one(&clip), ask_one(&padded));
        assert!((found.start - plain.start - 2.0).abs() < 0.1, "{name}: {} {}", found.start, plain.start);
        assert!((found.end - plain.end - 2.0).abs() < 0.1, "{name}: {} {}", found.end, plain.end);
    }
}

#[test]
fn leaving_the_t_pose_slowly_is_trimmed() {
    let t = Puppet::standing().arms([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    let (rest, nod) = (Puppet::standing(), Puppet::standing().turned(Bone::Head, Quat::from_rotation_x(0.2)));
    let keys: [(f64, &Puppet); 8] = [
        (0.0, &t),
        (0.2, &t),
        (1.0, &rest),
        (2.0, &rest),
        (2.3, &nod),
        (2.6, &rest),
        (2.9, &nod),
        (4.0, &rest),
    ];
    let found = ask_one(&through(&keys));
    assert_eq!(
        (found.kind.value, found.tags.as_slice()),
        (Type::Gesture, &["positive".to_owned()][..]),
        "{found:?}"
    );
    assert!((0.8..2.1).contains(&found.start), "{}", found.start);
}

#[test]
fn a_stance_is_trimmed_to_its_looping_part() {
    let rest = Puppet::standing();
    let off = Puppet::standing().turned(Bone::Spine, Quat::from_rotation_x(0.15));
    // The clip starts with a lean and never returns to it.
    let clip = through(&[(0.0, &off), (1.0, &rest), (4.0, &rest), (9.0, &rest)]);
    let found = ask_one(&clip);
    assert_eq!(found.kind.value, Type::Stance);
    assert!(found.looped && (0.5..1.9).contains(&found.start), "{} {}", found.start, found.reasons);
}

#[test]
fn short_or_implausible_clips_have_low_confidence() {
    let rig = vivant_mannequin::rig();
    let check = |clip: &Clip, at_most: f64| {
        let found = ask_one(clip);
        assert!(found.kind.confidence <= at_most, "{found:?}");
        assert!(found.reasons.contains("too short") || found.reasons.contains("faster"), "{}", found.reasons);
    };
    check(&Clip::new("one frame", 30.0, 1, 1.0).unwrap(), 0.3);
    check(&Clip::new("two frames", 30.0, 2, 1.0).unwrap(), 0.3);
    let mut wild = Clip::new("wild", 30.0, 90, rig.hips_height()).unwrap();
    for frame in 0..90 {
        for bone in Bone::ALL {
            let n = (frame * 55 + bone.index()) as f32;
            wild.set_rotation(frame, bone, from_rotation_vector(Vec3::new(n % 3.0, n % 2.3, n % 1.7)));
        }
    }
    check(&wild, 0.5);
}

#[test]
fn only_the_first_ten_minutes_are_analysed() {
    let clip = Clip::new("long", 0.01, 1000, 1.0).unwrap();
    let found = ask_one(&clip);
    assert!(found.end <= 600.0 && found.reasons.contains("ten minutes"), "{found:?}");
}

#[test]
fn a_rig_without_arms_is_supported() {
    let rig = Rig::new(vivant::rig::RigParts::default());
    let clip = starter("wave");
    let found = suggest(&[NamedClip { name: "wave", clip: &clip }], &[], &rig);
    assert_eq!(found[0].hand.value, None);
}

#[test]
fn progress_is_reported() {
    let clips = vivant_mannequin::starter_clips();
    let clips: Vec<_> = clips.iter().take(3).map(|clip| NamedClip { name: clip.name(), clip }).collect();
    let mut reported = Vec::new();
    let found =
        suggest_with(&clips, &[], &vivant_mannequin::rig(), &mut |done, all| reported.push((done, all)));
    assert_eq!((found.len(), reported), (3, vec![(0, 3), (1, 3), (2, 3), (3, 3)]));
}

#[test]
fn the_fewest_layers_are_suggested() {
    let check = |name: &str, layers: &[Layer]| assert_eq!(ask_one(&starter(name)).layers, layers, "{name}");
    check("nod", &[Layer::Head]);
    check("look_around", &[Layer::Head]);
    check("wave", &[Layer::Arms]);
    check("shrug", &[Layer::Arms]);
    check("weight_shift_left", &[Layer::Body]);
    check("idle_breathe", &Layer::ALL);
}

fn any_clip() -> impl Strategy<Value = Clip> {
    let key = (0..Bone::COUNT, prop::array::uniform3(-4.0f32..4.0), prop::array::uniform3(-3.0f32..3.0));
    let rate = prop_oneof![Just(1.0), Just(24.0), Just(30.0), Just(120.0), Just(1e5)];
    let height = prop_oneof![Just(1e-30f32), Just(0.9f32), Just(1e30f32)];
    (rate, 1..80_usize, height, prop::collection::vec(key, 0..30)).prop_map(|(rate, frames, height, keys)| {
        let mut clip = Clip::new("any", rate, frames, height).unwrap();
        for (n, (bone, turn, root)) in keys.into_iter().enumerate() {
            for frame in (n * 7) % frames..frames {
                let share = if n % 2 == 0 { frame as f32 / frames as f32 } else { 1.0 };
                clip.set_rotation(frame, Bone::ALL[bone], from_rotation_vector(Vec3::from(turn) * share));
                clip.set_root(frame, Vec3::from(root) * share);
            }
        }
        clip
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_clip_gives_valid_ranges_and_confidences(clips in prop::collection::vec(any_clip(), 1..4)) {
        let named: Vec<_> = clips.iter().map(|clip| ("any", clip)).collect();
        for (found, clip) in ask(&named, &[]).iter().zip(&clips) {
            prop_assert!(0.0 <= found.start && found.start <= found.end, "{found:?}");
            prop_assert!(found.end <= clip.duration() + 1e-9, "{found:?}");
            let ends = found.end_stance.as_ref().map_or(0.5, |g| g.confidence);
            for share in [found.kind.confidence, found.stance.confidence, found.hand.confidence, ends] {
                prop_assert!((0.0..=1.0).contains(&share), "{found:?}");
            }
            prop_assert!(!found.layers.is_empty() && found.reasons.ends_with('.'), "{found:?}");
            prop_assert_eq!(found.end_stance.is_some(), found.kind.value == Type::Transition);
        }
    }

    #[test]
    fn a_resting_arm_is_never_suggested(clip in any_clip()) {
        let mut clip = clip.resampled(clip.rate()).unwrap();
        let still: BoneSet = BoneSet::ALL.minus(BoneSet::RIGHT_ARM);
        for frame in 0..clip.frames() {
            for bone in still.iter() {
                clip.set_rotation(frame, bone, Quat::IDENTITY);
            }
        }
        let hand = ask_one(&clip).hand.value;
        prop_assert!(hand.is_none() || hand == Some(Hand::Right), "{hand:?}");
    }
}
