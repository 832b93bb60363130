//! Cost of a complete character: three layers, eyes, lids, breath, weight, 52 expressions, and a plan.
//! `cargo bench -p vivant --bench character -- [CHARACTERS [SECONDS [REPEATS]]] [few|many|late|crowd|plan|talk]`.
//!
//! - `many`: 152 clips in 9 stances, as in Borer 2019; `few`: a tenth of these clips.
//! - `late`: like `many`, after an hour of performance.
//! - `crowd`: cost of a character in a crowd relative to one alone, in the same run: from the start, when all
//!   characters play nearly the same motion, and 20 s later, when they differ and share less of the caches.
//! - `talk`: `many`, and the additional cost of speaking lines.
//! - `plan`: an hour of planning alone, with 152 clips in 9 stances and an intent every ten seconds.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

#[path = "../tests/stage/mod.rs"]
mod stage;

use glam::Vec3;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;
use vivant::body::graph::Graph;
use vivant::body::layers::Layer;
use vivant::body::library::Library;
use vivant::body::plan::{Planner, Rules};
use vivant::body::repertoire::{Action, Hand, Kind, Repertoire, Stance, Transition};
use vivant::clip::Clip;
use vivant::crowd::Crowd;
use vivant::eyes::blinking::Activity;
use vivant::intent::{Act, Be, Intent, Say};
use vivant::math::sin;
use vivant::performer::Performer;
use vivant::pose::Pose;
use vivant::rig::{Bone, Channel, Expression, Rig, RigParts};

/// Numbers of stances, of gestures per stance and of fidgets per stance. With transitions: 9 + 9 × 14 + 17 = 152
/// clips.
const PAPER: [usize; 3] = [9, 10, 4];
/// The same numbers for a small repertoire: 2 stances and 12 actions.
const SMALL: [usize; 3] = [2, 3, 2];

fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    let [characters, seconds, repeats] =
        [(0, 1), (1, 120), (2, 5)].map(|(i, or)| *numbers.get(i).unwrap_or(&or));
    let is_chosen = |name: &str| {
        let all = ["few", "many", "late", "crowd", "plan", "talk"];
        std::env::args().any(|a| a == name) || !std::env::args().any(|a| all.contains(&a.as_str()))
    };
    for (name, size, start) in [("few", SMALL, 0.0), ("many", PAPER, 0.0), ("late", PAPER, 3600.0)] {
        if is_chosen(name) {
            perform(name, size, start, characters, seconds, repeats);
        }
    }
    if is_chosen("crowd") {
        crowd(characters, seconds, repeats);
        crowd_out_of_step(characters, repeats);
    }
    if is_chosen("talk") {
        talk(characters, seconds, repeats);
    }
    if is_chosen("plan") {
        plan_an_hour(repeats);
    }
}

fn perform(name: &str, size: [usize; 3], start: f64, characters: usize, seconds: usize, repeats: usize) {
    let library = Arc::new(library(size));
    let clips = library.motions().len();
    let mut ready = Crowd::new((0..characters).map(|seed| performer(&library, seed as u64)).collect());
    ready.advance_to(start);
    let (best, sum) = timed(&ready, start, seconds, repeats);
    let each = best * 1e9 / (characters * seconds * 60) as f64;
    let share = 100.0 * best / seconds as f64;
    println!(
        "character {name}: best {each:.0} ns per character and frame ({clips} clips, {characters} characters: \
         {share:.1} % of real time on one core, {sum:.3})"
    );
}

/// Returns the shortest time in seconds that `seconds` of performance take, and a checksum that depends on the whole
/// performance.
fn timed(ready: &Crowd, from_secs: f64, seconds: usize, repeats: usize) -> (f64, f32) {
    let (mut best, mut sum) = (f64::INFINITY, 0.0);
    for _ in 0..repeats {
        let mut crowd = ready.clone();
        let start = Instant::now();
        for frame in 1..=seconds * 60 {
            crowd.advance_to(from_secs + frame as f64 / 60.0);
        }
        best = best.min(start.elapsed().as_secs_f64());
        sum += crowd.performers()[0].frame().rotation(Bone::RightHand).x;
    }
    (best, sum)
}

/// Compares the cost of a character in a crowd with the cost of one character that performs alone for two minutes.
fn crowd(characters: usize, seconds: usize, repeats: usize) {
    const ALONE_SECS: usize = 120;
    let library = Arc::new(library(PAPER));
    let each = |characters: usize, seconds: usize| {
        let mut ready = Crowd::new((0..characters).map(|seed| performer(&library, seed as u64)).collect());
        ready.advance_to(0.0);
        timed(&ready, 0.0, seconds, repeats).0 * 1e9 / (characters * seconds * 60) as f64
    };
    print_crowd("crowd", characters, each(1, ALONE_SECS), each(characters, seconds));
}

/// Compares the cost of a character in a crowd whose characters differ with the cost of one character alone. Alternates
/// one frame of the whole crowd with the same number of frames of one character alone. Other programs on the machine
/// disturb single measurements, so the lower quartile is used.
fn crowd_out_of_step(characters: usize, repeats: usize) {
    const SLICES: usize = 100;
    const BEGIN_SECS: f64 = 20.0;
    let library = Arc::new(library(PAPER));
    let mut ready = Crowd::new((0..characters).map(|seed| performer(&library, seed as u64)).collect());
    ready.advance_to(BEGIN_SECS);
    let (mut alone, mut together) = (Vec::new(), Vec::new());
    for _ in 0..repeats {
        let mut crowd = ready.clone();
        for slice in 1..=SLICES {
            let now = BEGIN_SECS + slice as f64 / 60.0;
            together.push(nanoseconds(|| crowd.advance_to(now)));
            let mut one = crowd.performers()[slice % characters].clone();
            alone.push(nanoseconds(|| {
                for frame in 1..=characters {
                    one.advance_to(now + frame as f64 / 60.0);
                }
            }));
        }
    }
    let [alone, together] = [alone, together].map(|times| lower_quartile(times) / characters as f64);
    print_crowd("crowd out of step", characters, alone, together);
}

fn print_crowd(name: &str, characters: usize, alone_ns: f64, each_ns: f64) {
    let times = each_ns / alone_ns;
    println!(
        "{name}: best {times:.2} × one character ({each_ns:.0} ns each of {characters}, {alone_ns:.0} ns alone)"
    );
}

fn nanoseconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e9
}

fn lower_quartile(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 4]
}

/// Compares the cost of characters with the activity “speaking”, without and with lines to say.
fn talk(characters: usize, seconds: usize, repeats: usize) {
    let library = Arc::new(library(PAPER));
    let crowd = |has_words: bool| {
        let mut crowd = Crowd::new((0..characters).map(|seed| performer(&library, seed as u64)).collect());
        for performer in crowd.performers_mut().iter_mut().filter(|_| has_words) {
            let sentence = "My mother baked *bread* on Monday, but nobody ever remembers that. ";
            let line = Say::new(sentence.repeat(seconds / 3 + 1));
            performer.intend(&Intent::Say(line)).expect("a line");
        }
        crowd.advance_to(0.0);
        crowd
    };
    let (silent, _) = timed(&crowd(false), 0.0, seconds, repeats);
    let (talking, _) = timed(&crowd(true), 0.0, seconds, repeats);
    let each = |secs: f64| secs * 1e9 / (characters * seconds * 60) as f64;
    println!(
        "talk: best {:.0} ns more per character and frame ({:.0} ns silent, {:.0} ns talking)",
        each(talking - silent),
        each(silent),
        each(talking)
    );
}

fn performer(library: &Arc<Library>, seed: u64) -> Performer {
    let mut performer = Performer::new(library.clone(), seed);
    performer.set_behaviour(0.0, stage::restless());
    performer.breathe(0.0, 1.0);
    performer.eyes().start_idle_behaviour(0.0);
    let be = Be { be: Activity::Speaking, at: Some(0.0), ..Be::default() };
    performer.intend(&Intent::Be(be)).expect("a repertoire");
    performer
}

fn plan_an_hour(repeats: usize) {
    let repertoire = repertoire(PAPER);
    let (graph, _) = Graph::build(&repertoire, &|clip| Some(secs_of(clip))).expect("a valid repertoire");
    let behaviour = Arc::new(stage::restless());
    let (mut best, mut events) = (f64::INFINITY, 0);
    for _ in 0..repeats {
        let start = Instant::now();
        let mut planner = Planner::new(&graph, 1, Rules::default());
        planner.set_behaviour(0.0, behaviour.clone());
        for number in 0..360 {
            let at = Some(f64::from(number) * 10.0);
            let act = Act { at, priority: number % 3, ..Act::new(Kind::ALL[number as usize % 3]) };
            planner.act(&graph, &act, 0.0).expect("a matching action");
        }
        events = 0;
        while planner.next_event() <= 3600.0 {
            planner.handle(&graph, planner.next_event());
            events += 1;
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!(
        "plan: best {:.1} ms for an hour with {} clips in {} stances ({events} events)",
        best * 1e3,
        graph.stances().len() + graph.actions().len(),
        graph.stances().len()
    );
}

/// Returns a repertoire with these numbers of stances, of gestures per stance and of fidgets per stance. Clips are
/// named like `s3g1`: the stance, the kind and a number.
fn repertoire([stances, gestures, fidgets]: [usize; 3]) -> Repertoire {
    let hands = [Some(Hand::Left), Some(Hand::Right), Some(Hand::Both), None];
    let actions = |stance: usize, kind: char, count: usize| {
        let one = move |i: usize| Action {
            layers: vec![[Layer::Arms, Layer::Arms, Layer::Head, Layer::Body][i % 4]],
            hand: hands[i % 4],
            ..Action::new(format!("s{stance}{kind}{i}"))
        };
        (0..count).map(one).collect::<Vec<Action>>()
    };
    let stance = |i: usize| {
        let ways = [(i + 1) % stances, (i + stances - 1) % stances];
        let last_is_missing = usize::from(i == 0 && stances > 2);
        let transitions = ways.iter().take(2 - last_is_missing).enumerate();
        let to = |(n, to): (usize, &usize)| Transition::new(format!("s{to}"), Some(format!("s{i}t{n}")));
        Stance {
            gestures: actions(i, 'g', gestures),
            fidgets: actions(i, 'f', fidgets),
            transitions: transitions.map(to).collect(),
            ..Stance::new(format!("s{i}"), Some(format!("s{i}i0")))
        }
    };
    Repertoire { stances: (0..stances).map(stance).collect(), ..Repertoire::default() }
}

/// Returns a duration between 1 and 5 s, derived from the name of the clip.
fn secs_of(clip: &str) -> f64 {
    1.0 + clip.bytes().map(f64::from).sum::<f64>() % 9.0 / 2.0
}

fn library(size: [usize; 3]) -> Library {
    let repertoire = repertoire(size);
    let mut clips: BTreeMap<String, Clip> = BTreeMap::new();
    for stance in &repertoire.stances {
        let actions = stance.gestures.iter().chain(&stance.fidgets).map(|a| a.clip.clone());
        let others = stance.transitions.iter().filter_map(|t| t.clip.clone()).chain(stance.clip.clone());
        clips.extend(actions.chain(others).map(|name| (name.clone(), clip(&name))));
    }
    let rig = rig();
    let base = Pose::neutral(&rig);
    Library::of_repertoire(rig, base, &repertoire, &|name| clips.get(name)).expect("a valid repertoire").0
}

/// Returns a rig with all 55 bones and the 52 expressions of ARKit.
fn rig() -> Rig {
    let mut places = [Vec3::ZERO; Bone::COUNT];
    for bone in Bone::ALL {
        let step = Vec3::new(0.02 * (bone.index() % 3) as f32, 0.08, 0.01);
        places[bone.index()] = bone.parent().map_or(Vec3::Y * 0.95, |p| places[p.index()] + step);
    }
    Rig::new(RigParts {
        rest_positions: Bone::ALL.into_iter().map(|bone| (bone, places[bone.index()])).collect(),
        channels: Expression::arkit().map(Channel::Known).collect(),
        ..RigParts::default()
    })
}

fn clip(name: &str) -> Clip {
    let seed = name.bytes().map(usize::from).sum::<usize>();
    let mut clip = stage::between(name, seed % 3, seed % 3, secs_of(name));
    for (i, expression) in Expression::arkit().enumerate() {
        let weight = |frame: usize| (0.1 + 0.1 * sin(frame as f64 * 0.07 + (i + seed) as f64)) as f32;
        let weights: Vec<f32> = (0..clip.frames()).map(weight).collect();
        clip.add_channel(Channel::Known(expression), &weights).expect("as many weights as frames");
    }
    clip
}
