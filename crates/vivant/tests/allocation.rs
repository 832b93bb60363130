//! Advancing a performer allocates nothing.

#![allow(unsafe_code, reason = "a global allocator is unsafe to write; this one only counts")]

mod stage;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use vivant::body::accent::Accents;
use vivant::body::repertoire::Kind;
use vivant::crowd::Crowd;
use vivant::frame::ModelMatrices;
use vivant::intent::{Act, Be, Intent, Say, Stop, ToStance};
use vivant::pose::Pose;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: all calls are forwarded to the system allocator; counting only touches a thread-local cell.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller upholds the contract of `GlobalAlloc::alloc`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the contract of `GlobalAlloc::dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_minute_of_a_busy_crowd_allocates_nothing() {
    let mut performers: Vec<_> = (0..3).map(stage::performer).collect();
    performers.iter_mut().for_each(stage::script);
    performers.iter_mut().for_each(stage::script_for_eyes);
    // The last of three performers has learned eyes.
    performers.last_mut().into_iter().for_each(stage::learn);
    let rig = stage::rig();
    let mut matrices = ModelMatrices::default();
    let mut crowd = Crowd::new(performers);
    let before = ALLOCATIONS.with(Cell::get);
    for n in 0..=3600 {
        crowd.advance_to(f64::from(n) / 60.0);
        crowd.performers()[0].frame().model_matrices(&rig, &mut matrices);
    }
    assert_eq!(ALLOCATIONS.with(Cell::get) - before, 0);
    assert!(before > 0, "the counter works");
}

#[test]
fn audio_lip_sync_allocates_nothing() {
    let (mut listener, mut prosody) =
        (vivant::speech::audio::Listener::new(44_100).unwrap(), vivant::speech::audio::Prosody::default());
    // In syllables: a constant signal would count as noise.
    let is_loud = |n: u32| n % 22_050 > 11_025;
    let buzz = (0..88_200_u32).map(|n| if is_loud(n) { (n % 400) as f32 / 800.0 - 0.25 } else { 0.0 });
    let buzz: Vec<f32> = buzz.collect();
    let before = ALLOCATIONS.with(Cell::get);
    let events = listener.process(&buzz).flat_map(|frame| prosody.follow(&frame)).count();
    assert_eq!(ALLOCATIONS.with(Cell::get) - before, 0);
    assert!(before > 0 && events > 0, "the counter works, and events were found");
}

#[test]
fn a_minute_of_planning_and_breathing_allocates_nothing() {
    let library = std::sync::Arc::new(stage::character());
    let mut performers: Vec<_> =
        (0..3).map(|seed| vivant::performer::Performer::new(library.clone(), seed)).collect();
    for performer in &mut performers {
        performer.eyes().start_idle_behaviour(0.0);
        stage::script_for_body(performer);
    }
    let mut crowd = Crowd::new(performers);
    let before = ALLOCATIONS.with(Cell::get);
    for n in 0..=3600 {
        crowd.advance_to(f64::from(n) / 60.0);
    }
    assert_eq!(ALLOCATIONS.with(Cell::get) - before, 0);
}

/// A thousand intents that interrupt, resume, wait and are stopped, while nobody reads the notes.
#[test]
fn ten_minutes_of_an_overloaded_character_allocate_nothing() {
    let mut performer = vivant::performer::Performer::new(stage::character(), 5);
    performer.eyes().start_idle_behaviour(0.0);
    performer.set_behaviour(0.0, stage::restless());
    performer.breathe(0.0, 1.0);
    for n in 0..1000 {
        let at = Some(f64::from(n) * 0.6);
        let kind = if n % 5 == 0 { Kind::Fidget } else { Kind::Gesture };
        let act = Act {
            at,
            stroke_at: at.filter(|_| n % 6 == 1).map(|at| at + 1.5),
            duration: Some(f64::from(n % 7)),
            priority: n % 4,
            resume: n % 3 == 0,
            ..Act::new(kind)
        };
        let intent = match n % 40 {
            0 => Intent::Stop(Stop { stop: true, at, ..Stop::default() }),
            1 => Intent::Say(Say { say: "A few words.".into(), at, ..Say::default() }),
            2 => Intent::Stance(ToStance { stance: "body-1".into(), at, priority: 1 }),
            3 => Intent::Stance(ToStance { stance: "body-0".into(), at, priority: 0 }),
            4 => Intent::Be(Be { mood: Some("happy".into()), at, ..Be::default() }),
            5 => Intent::Be(Be { mood: Some("sad".into()), intensity: Some(1.0), at, ..Be::default() }),
            _ => Intent::Act(act),
        };
        performer.intend(&intent).expect("a valid intent");
    }
    let before = ALLOCATIONS.with(Cell::get);
    for n in 0..=3000 {
        performer.advance_to(f64::from(n) / 5.0);
    }
    assert_eq!(ALLOCATIONS.with(Cell::get) - before, 0);
}

/// Adding tracker samples may allocate, but advancing may not.
#[test]
fn a_minute_of_tracker_driven_motion_allocates_nothing() {
    let mut performer = stage::driven::performer();
    let before = ALLOCATIONS.with(Cell::get);
    for n in 0..=3600 {
        performer.advance_to(f64::from(n) / 60.0);
    }
    assert_eq!(ALLOCATIONS.with(Cell::get) - before, 0);
    assert!(before > 0, "the counter works");
}

#[test]
fn eye_textures_and_their_copies_allocate_nothing() {
    let eyes = stage::texture::eyes(7);
    let constraints = stage::texture::constraints();
    let mut all = [eyes.clone(), eyes];
    let before = ALLOCATIONS.with(Cell::get);
    for n in 0..3000 {
        let constraints = &constraints[n % constraints.len()];
        assert!(all.iter_mut().all(|eyes| !eyes.next_patch(constraints).is_empty()));
    }
    assert_eq!(ALLOCATIONS.with(Cell::get) - before, 0);
}

#[test]
fn accents_allocate_nothing() {
    let rig = stage::rig();
    let mut accents = Accents::new(&rig, 7);
    let (mut rotations, mut weights) = (Pose::rest(&rig).rotations, vec![0.0; rig.channels().len()]);
    let before = ALLOCATIONS.with(Cell::get);
    for n in 0..1000 {
        let now = f64::from(n) * 0.1;
        accents.nod(now, now + 0.4, 1.0);
        accents.brows(now, now + 0.4, 0.5, 0.2);
        if n % 50 == 0 {
            accents.cancel_after(now);
        }
        accents.add(now, &mut rotations, &mut weights);
    }
    assert_eq!(ALLOCATIONS.with(Cell::get) - before, 0);
}
