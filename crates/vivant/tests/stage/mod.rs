//! Shared by tests of complete performances: a rig, synthetic clips and a script.

#![allow(dead_code, reason = "each test uses only a part")]

pub(crate) mod driven;
pub(crate) mod golden;
pub(crate) mod texture;

use glam::{Quat, Vec3};
use std::collections::BTreeMap;
use std::sync::Arc;
use vivant::body::behaviour::{Behaviour, Chain, Chains, Spread, State};
use vivant::body::layers::{Layer, MAX_FADE_SPEED};
use vivant::body::library::Library;
use vivant::body::repertoire::{Action, Hand, Kind, Repertoire, Stance, Transition};
use vivant::clip::Clip;
use vivant::eyes::blink::BlinkProfile;
use vivant::eyes::blink_model::BlinkModel;
use vivant::eyes::blinking::Activity;
use vivant::eyes::driven::EyeSample;
use vivant::eyes::texture::{Corpus, Run, Texture, TextureDef};
use vivant::eyes::{BlinkIntent, EyeModels, Look, Target, Temperament};
use vivant::frame::Frame;
use vivant::intent::{Act, Intent, Say, Stop, ToStance};
use vivant::math::{cos, sin};
use vivant::performer::{Performer, Play};
use vivant::pose::Pose;
use vivant::rig::{Bone, BoneSet, Channel, Expression, Rig, RigParts};

/// A rig with all bones except the upper chest, and VRM's expressions.
pub(crate) fn rig() -> Rig {
    let mut places = [Vec3::ZERO; Bone::COUNT];
    for bone in Bone::ALL {
        let step = Vec3::new(0.02 * (bone.index() % 3) as f32, 0.08, 0.01);
        places[bone.index()] = bone.parent().map_or(Vec3::Y * 0.95, |p| places[p.index()] + step);
    }
    let has = |bone: &Bone| *bone != Bone::UpperChest;
    Rig::new(RigParts {
        rest_positions: Bone::ALL.into_iter().filter(has).map(|b| (b, places[b.index()])).collect(),
        channels: Expression::vrm().map(Channel::Known).collect(),
        ..RigParts::default()
    })
}

/// A clip whose bones swing by individual sines; if `closed`, it ends as it started.
pub(crate) fn swinging(seed: usize, seconds: usize, closed: bool) -> Clip {
    let rate = 30.0;
    let frames = seconds * 30 + 1;
    let mut clip = Clip::new(format!("swing {seed}"), rate, frames, 1.0).expect("a valid clip");
    let turns = if closed { 1.0 } else { 0.85 };
    for frame in 0..frames {
        let phase = turns * std::f64::consts::TAU * frame as f64 / (frames - 1) as f64;
        for bone in Bone::ALL {
            let j = (bone.index() * 7 + seed * 13) as f64;
            let axis = Vec3::new(sin(j) as f32, cos(1.7 * j) as f32, sin(2.3 * j + 1.0) as f32).normalize();
            let angle = 0.5 * sin(phase * (1.0 + (bone.index() % 3) as f64) + j);
            clip.set_rotation(frame, bone, Quat::from_axis_angle(axis, angle as f32));
        }
        let sway = Vec3::new(0.03 * sin(phase) as f32, 1.0 + 0.01 * cos(phase) as f32, 0.0);
        clip.set_root(frame, sway);
    }
    for (i, name) in ["blink", "happy", "eyeBlinkLeft", "jawOpen"].into_iter().enumerate() {
        let weight = |f: usize| (0.5 + 0.5 * sin(f as f64 * 0.11 + (i + seed) as f64)) as f32;
        let weights: Vec<f32> = (0..frames).map(weight).collect();
        clip.add_channel(Channel::from(name.to_owned()), &weights).expect("as many weights as frames");
    }
    clip
}

/// A performer with four motions.
pub(crate) fn performer(seed: u64) -> Performer {
    let rig = rig();
    let base = Pose::neutral(&rig);
    let clips = [swinging(0, 6, true), swinging(1, 4, false), swinging(2, 2, false), swinging(3, 3, true)];
    Performer::new(Library::new(rig, base, &clips), seed)
}

/// Sends the requests of a minute to a performer that plays clips: loops, seams, interruptions, stops, weights and
/// masks.
pub(crate) fn script(performer: &mut Performer) {
    performer.improvise(0.0);
    performer.play(Play { at: 1.234, layer: Layer::Head, weight: 0.6, looped: true, ..Play::clip(1) });
    for i in 0..12 {
        let at = 3.1 + 4.37 * f64::from(i);
        let mask = (i % 3 == 0).then_some(BoneSet::LEFT_ARM);
        performer.play(Play { at, layer: Layer::Arms, mask, blend_in: 0.25, ..Play::clip(2) });
        performer.play(Play { at: at + 0.9, layer: Layer::Arms, weight: 0.8, ..Play::clip(3) });
    }
    performer.stop(31.7, Layer::Head, 0.3);
    performer.play(Play {
        at: 40.0,
        layer: Layer::Body,
        looped: true,
        blend_in: 1.0,
        from: 0.5,
        ..Play::clip(0)
    });
    performer.improvise(48.48);
}

/// Adds autonomous eyes with many requests.
pub(crate) fn script_for_eyes(performer: &mut Performer) {
    let eyes = performer.eyes();
    eyes.start_idle_behaviour(0.0);
    let ball = eyes.target("ball");
    for i in 0..20 {
        let at = 1.7 + 2.9 * f64::from(i);
        let x = f64::from(i % 5) - 2.0;
        eyes.look(Look { at, secs: Some(1.3), ..Look::at_point([x, 1.4, 1.5]) });
        eyes.look(Look { at: at + 0.11, head: Some(0.2), ..Look::towards(-25.0 * x, 8.0 * x) });
        eyes.blink(BlinkIntent { at: at + 0.4, magnitude: 0.8, ..BlinkIntent::default() });
        eyes.set_activity(at, Activity::ALL[i as usize % 4]);
    }
    eyes.look(Look { at: 30.0, secs: Some(6.0), ..Look::at(Target::Named(ball)) });
    for i in 0..120 {
        let t = 30.0 + f64::from(i) / 20.0;
        eyes.move_target(t, ball, [sin(t), 1.5 + 0.2 * cos(1.7 * t), 1.0]);
    }
    eyes.set_temperament(
        40.0,
        Temperament {
            resting_aperture: [0.8, 0.9],
            blink_profile: BlinkProfile::Evinger,
            ..Temperament::default()
        },
    );
    for i in 0..600 {
        let secs = 50.0 + f64::from(i) / 120.0;
        let pitch = if i % 90 < 45 { -12.0 } else { 4.0 };
        let eye = Some([10.0 * sin(secs), pitch]);
        eyes.drive(EyeSample { left: eye, right: eye, ..EyeSample::at(secs) });
    }
    eyes.end_look(55.5);
}

/// Folds all bits of a frame into a hash (FNV-1a).
pub(crate) fn fold(mut hash: u64, frame: &Frame) -> u64 {
    let q = frame.rotations();
    let root = frame.root().to_array();
    let numbers = [&q.x[..], &q.y, &q.z, &q.w, &root, frame.weights()].into_iter().flatten();
    assert!(numbers.clone().all(|number| number.is_finite()), "at {} s", frame.time());
    for byte in numbers.flat_map(|number| number.to_bits().to_le_bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }
    hash
}

/// A performer with autonomous eyes.
pub(crate) fn with_eyes() -> Performer {
    let mut performer = performer(42);
    script(&mut performer);
    script_for_eyes(&mut performer);
    performer
}

/// A performer with learned eyes: blinks of a model, and an eye texture while no gaze is requested.
pub(crate) fn with_learned_eyes() -> Performer {
    let mut performer = performer(42);
    script(&mut performer);
    learn(&mut performer);
    script_for_eyes(&mut performer);
    performer
}

/// Gives a performer learned eyes.
pub(crate) fn learn(performer: &mut Performer) {
    let eyes = performer.eyes();
    eyes.set_models(&EyeModels {
        blinks: Some(Arc::new(BlinkModel::standard())),
        texture: Some(Arc::new(texture())),
    });
    eyes.set_temperament(0.0, Temperament { blink_profile: BlinkProfile::Pca, ..Temperament::default() });
}

/// Returns a texture from half a minute of synthetic gaze shifts and blinks.
fn texture() -> Texture {
    let turn = |i: usize, length: usize| (i % length) as f32 / length as f32;
    let glance = |i: usize| (i / 37 * 29 % 17) as f32 - 8.0;
    let run = Run {
        openness: (0..1800).map(|i| (8.0 * (turn(i, 190) - 0.06).abs()).min(1.0)).collect(),
        yaw_deg: (0..1800).map(|i| glance(i) + 0.2 * turn(i, 37)).collect(),
        pitch_deg: (0..1800).map(|i| 0.4 * glance(i + 370)).collect(),
        ..Run::default()
    };
    let corpus = Corpus { name: "formulas".into(), open_level: 1.0, runs: vec![run], ..Corpus::default() };
    let def = TextureDef { rate_hz: 60.0, corpora: vec![corpus], ..TextureDef::default() };
    Texture::new(&def).expect("a valid texture")
}

/// A performer that plays clips.
pub(crate) fn with_clips() -> Performer {
    let mut performer = performer(42);
    script(&mut performer);
    performer
}

/// A clip that goes from one seeded pose to another and swings on the way.
pub(crate) fn between(name: &str, from: usize, to: usize, seconds: f64) -> Clip {
    let frames = (seconds * 30.0) as usize + 1;
    let mut clip = Clip::new(name, 30.0, frames, 1.0).expect("a valid clip");
    let held = |seed: usize, bone: Bone| {
        let j = (bone.index() * 5 + seed * 17) as f64;
        let axis = Vec3::new(cos(j) as f32, sin(1.3 * j) as f32, cos(2.1 * j + 0.5) as f32).normalize();
        Quat::from_axis_angle(axis, 0.35 * sin(j * 1.9) as f32)
    };
    for frame in 0..frames {
        let share = frame as f64 / (frames - 1).max(1) as f64;
        let ease = share * share * (3.0 - 2.0 * share);
        let bump = sin(std::f64::consts::PI * share);
        for bone in Bone::ALL {
            let swing = Quat::from_rotation_x((0.3 * bump * bump * cos(bone.index() as f64)) as f32);
            clip.set_rotation(frame, bone, held(from, bone).slerp(held(to, bone), ease as f32) * swing);
        }
        clip.set_root(frame, Vec3::new(0.02 * bump as f32, 1.0, 0.0));
    }
    let weights: Vec<f32> = (0..frames).map(|f| 0.4 * (f as f32 / frames as f32)).collect();
    clip.add_channel(Channel::from("happy".to_owned()), &weights).expect("as many weights as frames");
    clip
}

/// Returns the clip for a name of the form `from>to@seconds`, such as `1>2@1.5`.
pub(crate) fn spelled(spelling: &str) -> Option<Clip> {
    let (ends, seconds) = spelling.split_once('@')?;
    let (from, to) = ends.split_once('>')?;
    Some(between(spelling, from.parse().ok()?, to.parse().ok()?, seconds.parse().ok()?))
}

/// Two stances of body and arms together, and two of the head, with all kinds of actions.
pub(crate) fn repertoire() -> Repertoire {
    let gesture =
        |clip: &str, layers: &[Layer], hand| Action { layers: layers.to_vec(), hand, ..Action::new(clip) };
    let [body, arms, head] = Layer::ALL;
    let of_body = |name: &str, own: usize, other: usize| Stance {
        layers: vec![body, arms],
        gestures: vec![
            gesture(&format!("{own}>{own}@1.5"), &[arms], Some(Hand::Right)),
            gesture(&format!("{own}>{own}@2.5"), &[arms], Some(Hand::Both)),
            gesture(&format!("{own}>{own}@3"), &[], None),
        ],
        fidgets: vec![
            Action { looped: true, ..gesture(&format!("{own}>{own}@1"), &[arms], Some(Hand::Left)) },
            gesture(&format!("{own}>{own}@2"), &[body], None),
        ],
        transitions: vec![Transition::new(
            format!("body-{other}"),
            (own == 0).then(|| format!("{own}>{other}@1.2")),
        )],
        ..Stance::new(name, Some(format!("{own}>{own}@4")))
    };
    let of_head = |own: usize, other: usize| Stance {
        layers: vec![head],
        gestures: vec![Action {
            tags: vec!["positive".into()],
            ..gesture(&format!("{own}>{own}@0.8"), &[], None)
        }],
        transitions: vec![Transition::new(format!("head-{other}"), Some(format!("{own}>{other}@0.9")))],
        ..Stance::new(format!("head-{own}"), Some(format!("{own}>{own}@0.5")))
    };
    let stances = vec![of_body("body-0", 0, 1), of_body("body-1", 1, 0), of_head(2, 3), of_head(3, 2)];
    Repertoire { stances, ..Repertoire::default() }
}

/// The clips of [`repertoire`], by name.
pub(crate) fn clips() -> BTreeMap<String, Clip> {
    let mut clips = BTreeMap::new();
    for stance in &repertoire().stances {
        let of_actions = stance.gestures.iter().chain(&stance.fidgets).map(|a| Some(a.clip.clone()));
        let others = stance.transitions.iter().map(|t| t.clip.clone()).chain([stance.clip.clone()]);
        for spelling in of_actions.chain(others).flatten() {
            let clip = spelled(&spelling).expect("a valid clip name");
            clips.insert(spelling, clip);
        }
    }
    clips
}

/// The library of [`repertoire`].
pub(crate) fn character() -> Library {
    let (rig, clips) = (rig(), clips());
    let base = Pose::neutral(&rig);
    let built = Library::of_repertoire(rig, base, &repertoire(), &|spelling| clips.get(spelling));
    built.expect("a valid repertoire").0
}

/// A model that performs all kinds of actions frequently.
pub(crate) fn restless() -> Behaviour {
    let state = |kind: Kind, hand| State {
        name: kind.name().into(),
        kind,
        hand,
        tags: vec![],
        duration: Spread(vec![0.5, 1.5, 4.0]),
        gap: Spread(vec![0.1, 0.6, 2.0]),
    };
    let states = vec![
        state(Kind::Gesture, Some(Hand::Right)),
        state(Kind::Gesture, None),
        state(Kind::Fidget, Some(Hand::Left)),
        state(Kind::Transition, None),
    ];
    let even = vec![0.25; 4];
    let chain = Chain { matrix: vec![even.clone(); 4], start: even, states };
    let always =
        Chains { arms: chain.clone(), head: chain.clone(), head_stance: Chain::default(), body: chain };
    Behaviour { always, ..Behaviour::default() }
}

/// Sends the intents of a minute to a character with a repertoire.
pub(crate) fn script_for_body(performer: &mut Performer) {
    performer.set_behaviour(0.0, restless());
    performer.breathe(0.0, 1.0);
    for i in 0..14 {
        let at = Some(0.7 + 4.1 * f64::from(i));
        let act = Act { at, priority: i % 3, resume: i % 2 == 0, ..Act::new(Kind::ALL[i as usize % 3]) };
        performer.intend(&Intent::Act(act)).expect("a matching action");
    }
    for (at, stance) in [(9.0, "body-1"), (21.5, "head-3"), (33.3, "body-0"), (41.0, "body-1")] {
        let to = ToStance { stance: stance.into(), at: Some(at), priority: 1 };
        performer.intend(&Intent::Stance(to)).expect("a stance");
    }
    for at in [12.1, 37.0] {
        let say = Say { say: "Well, this is what I would say.".into(), at: Some(at), ..Say::default() };
        performer.intend(&Intent::Say(say)).expect("a line");
    }
    for (at, within) in [(22.0, 0.3), (47.7, 0.6)] {
        let stop = Stop { stop: true, at: Some(at), within: Some(within), layer: None };
        performer.intend(&Intent::Stop(stop)).expect("a stop");
    }
}

/// Returns the maximum speed of a bone, and the maximum change of its speed within 1/240 s. Each of the three layers
/// may move a bone by 1.25 times the fastest joint of the clips plus a fade. The speed may change by the corners of the
/// clips plus the curvature of the fades.
pub(crate) fn bounds() -> (f32, f32) {
    let (fastest, change) = of_clips();
    (3.0 * (1.25 * fastest + MAX_FADE_SPEED as f32), 3.0 * (change + 0.2))
}

/// Returns the maximum speed of joints in the clips, and the maximum change of their speed between frames: clips are
/// linear between frames, with a corner at each.
fn of_clips() -> (f32, f32) {
    let (mut fastest, mut change) = (0.0_f32, 0.0_f32);
    for clip in clips().values() {
        let speed = |frame: usize, bone| {
            let turn = clip.rotation(frame, bone) * clip.rotation(frame - 1, bone).inverse();
            vivant::math::rotation_vector(turn) * clip.rate() as f32
        };
        for bone in Bone::ALL {
            let speeds: Vec<Vec3> = (1..clip.frames()).map(|frame| speed(frame, bone)).collect();
            fastest = speeds.iter().map(|speed| speed.length()).fold(fastest, f32::max);
            change = speeds.windows(2).map(|two| (two[1] - two[0]).length()).fold(change, f32::max);
        }
    }
    (fastest, change)
}
