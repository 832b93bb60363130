//! Ten minutes of characters with real repertoires and random intents: nothing jumps.

#![allow(missing_docs, clippy::print_stdout, reason = "tests")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use vivant::body::behaviour::Behaviour;
use vivant::body::layers::{Layer, MAX_FADE_SPEED};
use vivant::body::library::Library;
use vivant::body::repertoire::{Action, Hand, Kind, Repertoire, Stance};
use vivant::chance::Chance;
use vivant::clip::Clip;
use vivant::eyes::blinking::Activity;
use vivant::frame::Frame;
use vivant::intent::{Act, Be, Intent, Say, Stop, ToStance};
use vivant::math::rotation_vector;
use vivant::performer::Performer;
use vivant::pose::Pose;
use vivant::rig::{Bone, BoneSet, Rig};

const RATE: f64 = 120.0;

/// Bones of the body; eyes have their own tests.
const BODY: BoneSet =
    BoneSet::ALL.minus(BoneSet::EMPTY.with(Bone::LeftEye).with(Bone::RightEye).with(Bone::Jaw));

/// Fastest joint rotation, and its largest change between frames, in radians per second.
#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    speed: f32,
    change: f32,
}

impl Pace {
    fn of_clips<'a>(clips: impl Iterator<Item = &'a Clip>, rig: &Rig) -> Self {
        let mut pace = Self::default();
        for clip in clips {
            let (clip, _) = clip.fitted_to(rig);
            for bone in BODY.intersection(rig.bones()).iter() {
                let turn = |f: usize| clip.rotation(f, bone) * clip.rotation(f - 1, bone).inverse();
                let speeds = (1..clip.frames()).map(|f| rotation_vector(turn(f)) * clip.rate() as f32);
                let speeds: Vec<_> = speeds.collect();
                pace.speed = speeds.iter().map(|v| v.length()).fold(pace.speed, f32::max);
                pace.change = speeds.windows(2).map(|w| (w[1] - w[0]).length()).fold(pace.change, f32::max);
            }
        }
        pace
    }

    /// Measures ten minutes of a performance.
    fn of_performance(performer: &mut Performer, rig: &Rig) -> Self {
        let mut pace = Self::default();
        let mut frames: Vec<Frame> = Vec::new();
        for n in 0..(600.0 * RATE) as usize {
            frames.push(performer.advance_to(n as f64 / RATE).clone());
            frames.drain(..frames.len().saturating_sub(3));
            let [before, now, next] = &frames[..] else { continue };
            for bone in BODY.intersection(rig.bones()).iter() {
                let speed = |a: &Frame, b: &Frame| {
                    rotation_vector(b.rotation(bone) * a.rotation(bone).inverse()) * RATE as f32
                };
                let (first, second) = (speed(before, now), speed(now, next));
                pace.speed = pace.speed.max(second.length());
                pace.change = pace.change.max((second - first).length());
            }
            let step = (next.root() - now.root()).length() * RATE as f32;
            assert!(step < 3.0, "the hips move by {step} m/s at {}", n as f64 / RATE);
        }
        pace
    }
}

/// Sends random intents at random times within ten minutes.
fn ask(performer: &mut Performer, stances: &[String], seed: u64) {
    let chance = Chance::new(seed, "wishes");
    for index in 0..150 {
        let mut draw = chance.event(index);
        let at = Some(draw.between(0.0, 600.0));
        let priority = draw.between(0.0, 3.0) as i32;
        let intent = match draw.between(0.0, 10.0) as u32 {
            0..=3 => Intent::Act(Act { at, priority, ..Act::new(Kind::Gesture) }),
            4 => Intent::Act(Act { at, priority, ..Act::new(Kind::Fidget) }),
            5 => Intent::Be(Be { be: Activity::ALL[draw.between(0.0, 5.0) as usize], at, ..Be::default() }),
            6 => Intent::Say(Say { say: "And this is what is said.".into(), at, ..Say::default() }),
            7 => Intent::Stop(Stop { stop: true, at, within: Some(0.6), layer: None }),
            _ => {
                let stance = stances[draw.between(0.0, stances.len() as f64) as usize].clone();
                Intent::Stance(ToStance { stance, at, priority })
            }
        };
        performer.intend(&intent).unwrap();
    }
}

/// Checks that no joint is faster than 1.25 times the fastest joint of the clips plus the velocity of a cross-fade.
/// Also checks that the angular velocity changes between two frames at 120 Hz by at most the largest change in the
/// clips plus 0.5 rad/s for a cross-fade: a quintic over a rotation of half a radian in a third of a second accelerates
/// by 26 rad/s².
fn check(name: &str, rig: &Rig, repertoire: &Repertoire, clips: &BTreeMap<String, Clip>, seeds: u64) {
    let (library, _) =
        Library::of_repertoire(rig.clone(), Pose::neutral(rig), repertoire, &|spelling| clips.get(spelling))
            .unwrap();
    let library = std::sync::Arc::new(library);
    let stances: Vec<String> = repertoire.stances.iter().map(|stance| stance.name.clone()).collect();
    let source = Pace::of_clips(clips.values(), rig);
    for seed in 0..seeds {
        let mut performer = Performer::new(library.clone(), seed);
        performer.set_behaviour(0.0, Behaviour::standard());
        performer.breathe(0.0, 1.0);
        ask(&mut performer, &stances, seed);
        let found = Pace::of_performance(&mut performer, rig);
        println!("{name}, seed {seed}: clips {source:.2?}, performed {found:.2?}");
        let fastest = 1.25 * source.speed + MAX_FADE_SPEED as f32;
        assert!(found.speed <= fastest, "{name}, seed {seed}: {} rad/s, at most {fastest}", found.speed);
        let largest = source.change + 0.5;
        assert!(
            found.change <= largest,
            "{name}, seed {seed}: {} rad/s at once, at most {largest}",
            found.change
        );
    }
}

#[test]
fn the_built_in_character_never_jumps() {
    let clips = vivant_mannequin::starter_clips();
    let clips = clips.into_iter().map(|clip| (format!("builtin#{}", clip.name()), clip)).collect();
    check("built in", &vivant_mannequin::rig(), &vivant_mannequin::starter_repertoire(), &clips, 3);
}

fn rocketbox() -> Option<PathBuf> {
    vivant_testing::data("mocap/fbx_rocketbox")
}

#[test]
fn a_character_with_real_clips_never_jumps() {
    let Some(folder) = rocketbox() else { return };
    let mut clips = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).unwrap();
        let import =
            vivant_io::import(&name, &bytes, &mut |_| Err(vivant_io::Error::new("no neighbours"))).unwrap();
        clips.insert(name, import.clips[0].clone());
    }
    let on =
        |layers: &[Layer], name: &String| Action { layers: layers.to_vec(), ..Action::new(name.clone()) };
    let standing = |part: &str| {
        clips.keys().filter(move |name| name.contains(part) && !name.contains("sit")).collect::<Vec<_>>()
    };
    let arms = |name: &&String| Action { hand: Some(Hand::Both), ..on(&[Layer::Arms, Layer::Head], name) };
    let stance = Stance {
        gestures: standing("gestic").iter().map(arms).chain(standing("wave").iter().map(arms)).collect(),
        fidgets: ["idle_look", "idle_move"]
            .iter()
            .flat_map(|part| standing(part))
            .map(|name| on(&[], name))
            .collect(),
        ..Stance::new("standing", Some("f_idle_neutral_02".into()))
    };
    assert!(stance.gestures.len() >= 8, "the clips are there");
    let repertoire = Repertoire { stances: vec![stance], ..Repertoire::default() };
    check("real clips", &vivant_mannequin::rig(), &repertoire, &clips, 2);
}
