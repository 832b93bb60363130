//! Characters with a repertoire: planned actions are shown, frames do not depend on the frame rate, and nothing
//! jumps.

mod stage;

use glam::Vec3;
use proptest::prelude::*;
use std::sync::Arc;
use vivant::body::layers::Layer;
use vivant::body::library::Library;
use vivant::body::plan::{Note, Rules};
use vivant::body::repertoire::{Action, Kind, Repertoire, Stance};
use vivant::frame::Frame;
use vivant::intent::{Act, Be, Do, Intent, Say, Stop, ToStance};
use vivant::math::angle_between;
use vivant::performer::Performer;
use vivant::pose::Pose;
use vivant::rig::{Bone, BoneSet};

#[test]
fn a_minute_of_a_character_is_bit_identical_at_any_frame_rate() {
    stage::golden::REPERTOIRE.check();
}

/// A clip on some layers of a stance is shown as recorded on all bones of these layers, while the spine continues
/// with the stance.
#[test]
fn an_action_in_its_stance_is_shown_as_recorded() {
    let gesture = stage::between("gesture", 1, 1, 2.0);
    let idle = stage::between("idle", 1, 1, 0.0);
    let stance = Stance {
        gestures: vec![Action { layers: vec![Layer::Arms], ..Action::new("gesture") }],
        ..Stance::new("standing", Some("idle".into()))
    };
    let repertoire = Repertoire { stances: vec![stance], ..Repertoire::default() };
    let rig = stage::rig();
    let clip = |name: &str| if name == "idle" { Some(&idle) } else { Some(&gesture) };
    let (library, faults) =
        Library::of_repertoire(rig.clone(), Pose::neutral(&rig), &repertoire, &clip).unwrap();
    assert_eq!(faults, []);
    let mut performer = Performer::new(library, 1);
    performer.intend(&Intent::Act(Act { at: Some(1.0), ..Act::new(Kind::Gesture) })).unwrap();
    let (fitted, _) = gesture.fitted_to(&rig);
    let (held, _) = idle.fitted_to(&rig);
    for t in [1.5, 1.77, 2.0, 2.4, 2.6] {
        let frame = performer.advance_to(t);
        let mut pose = Pose::default();
        fitted.sample(t - 1.0, &mut pose, &mut []);
        for bone in rig.bones().iter() {
            let is_moved = Layer::Arms.influence().contains(bone);
            let expected = if is_moved { pose.rotations.get(bone) } else { held.rotation(0, bone) };
            let off = angle_between(frame.rotation(bone), expected).to_degrees();
            assert!(off < 0.05, "{bone:?} is {off}° off at {t}");
        }
    }
}

#[test]
fn a_clip_that_does_not_fit_its_stance_is_reported_with_degrees_and_bone() {
    let mut odd = stage::between("odd", 1, 1, 2.0);
    for frame in 0..odd.frames() {
        let turned = odd.rotation(frame, Bone::LeftHand) * glam::Quat::from_rotation_y(0.8);
        odd.set_rotation(frame, Bone::LeftHand, turned);
    }
    let idle = stage::between("idle", 1, 1, 2.0);
    let fine = stage::between("fine", 1, 1, 2.0);
    let stance = Stance {
        gestures: vec![Action::new("fine"), Action::new("odd")],
        ..Stance::new("standing", Some("idle".into()))
    };
    let repertoire = Repertoire { stances: vec![stance], ..Repertoire::default() };
    let rig = stage::rig();
    let clip = |name: &str| {
        Some(match name {
            "idle" => &idle,
            "odd" => &odd,
            _ => &fine,
        })
    };
    let (_, faults) = Library::of_repertoire(rig.clone(), Pose::neutral(&rig), &repertoire, &clip).unwrap();
    let messages: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    for (fault, which) in messages.iter().zip(["first", "last"]) {
        let expected =
            format!("stances[0].gestures[1]: its {which} pose is 46° off the stance “standing” at leftHand");
        assert!(fault.starts_with(&expected), "{fault}");
    }
}

#[test]
fn stop_returns_to_the_stance_within_the_given_time() {
    let library = Arc::new(stage::character());
    for within in [0.1, 0.3, 0.8] {
        let mut performer = Performer::new(library.clone(), 3);
        let mut still = performer.clone();
        performer
            .intend(&Intent::Act(Act { clip: Some("0>0@3".into()), ..Act::new(Kind::Gesture) }))
            .unwrap();
        performer.advance_to(1.0);
        let stop = Stop { stop: true, within: Some(within), ..Stop::default() };
        performer.intend(&Intent::Stop(stop)).unwrap();
        let before = performer.advance_to(1.0).clone();
        // A reference that has been in the stance for the same time; the head has its own stance.
        let bones = BoneSet::ARMS.union(BoneSet::LEGS);
        let started = 1.0 + within + 1e-6;
        let frame = performer.advance_to(started).clone();
        let in_stance = still.advance_to(started - 1.0);
        assert!(largest_turn(&before, in_stance, bones) > 0.1, "it was away from the stance");
        let off = largest_turn(&frame, in_stance, bones);
        assert!(off < 1e-3, "{off} rad off the stance {within} s after the stop");
    }
}

/// A gesture that ends far from its stance returns slowly, unless a stop is requested.
#[test]
fn stop_shortens_a_return_in_progress() {
    let (idle, far) = (stage::between("idle", 1, 1, 0.0), stage::between("far", 1, 2, 2.0));
    let stance =
        Stance { gestures: vec![Action::new("far")], ..Stance::new("standing", Some("idle".into())) };
    let repertoire = Repertoire { stances: vec![stance], ..Repertoire::default() };
    let clip = |name: &str| Some(if name == "idle" { &idle } else { &far });
    let rig = stage::rig();
    let base = Pose::neutral(&rig);
    let library = Arc::new(Library::of_repertoire(rig, base, &repertoire, &clip).unwrap().0);
    let still = Performer::new(library.clone(), 3).advance_to(0.0).clone();
    let off = |secs_after_end: f64, stops_after: Option<f64>| {
        let mut performer = Performer::new(library.clone(), 3);
        performer.intend(&Intent::Act(Act::new(Kind::Gesture))).unwrap();
        performer.advance_to(0.1);
        let end = performer.planner().unwrap().running(Layer::Arms).unwrap().until;
        let at = stops_after.map(|secs| end + secs);
        let stop = Stop { stop: at.is_some(), within: Some(0.1), at, layer: None };
        performer.intend(&Intent::Stop(stop)).unwrap();
        largest_turn(performer.advance_to(end + secs_after_end), &still, BoneSet::ALL)
    };
    assert!(off(0.31, None) > 0.1, "it returns slowly: {} rad off", off(0.31, None));
    for stops_after in [0.0, 0.05, 0.2] {
        let left = off(stops_after + 0.101, Some(stops_after));
        assert!(left < 1e-3, "{left} rad off the stance, when stopped {stops_after} s after the end");
    }
    assert!(off(0.21, Some(0.2)) > 0.05, "no jump");
}

#[test]
fn notes_report_what_was_done_and_why() {
    let mut performer = Performer::new(stage::character(), 3);
    let to = ToStance { stance: "body-1".into(), at: Some(1.0), priority: 0 };
    performer.intend(&Intent::Stance(to.clone())).unwrap();
    performer.intend(&Intent::Stance(ToStance { at: Some(5.0), ..to })).unwrap();
    performer.advance_to(10.0);
    let notes: Vec<Note> = performer.take_notes().collect();
    assert!(matches!(notes[..], [Note::Began(_), Note::Dropped { id: 2, .. }]), "{notes:?}");
    assert_eq!(performer.take_notes().count(), 0);
}

/// Acts, `do` and tags in lines can be traced to their intents.
#[test]
fn notes_name_the_intent_that_caused_them() {
    let mut performer = Performer::new(stage::character(), 3);
    let act = Act { at: Some(1.0), clip: Some("0>0@3".into()), ..Act::new(Kind::Gesture) };
    let intent = Do { what: "POSITIVE".into(), at: Some(6.0), priority: 0 };
    let say = Say { at: Some(12.0), ..Say::new("Well, [positive] this is so.") };
    let intents = [Intent::Act(act), Intent::Do(intent), Intent::Say(say)];
    let numbers = intents.map(|intent| performer.intend(&intent).unwrap().unwrap());
    performer.advance_to(30.0);
    let began: Vec<u64> = performer
        .take_notes()
        .filter_map(|note| if let Note::Began(began) = note { Some(began.id) } else { None })
        .collect();
    assert_eq!(began, numbers);
}

/// A stop drops a `do` that has not started, and so does cancelling it.
#[test]
fn a_stop_drops_pending_do_intents() {
    let mut performer = Performer::new(stage::character(), 3);
    let mut wave = |at: f64| {
        let intent = Do { what: "gesture:0>0@3".into(), at: Some(at), priority: 0 };
        performer.intend(&Intent::Do(intent)).unwrap().unwrap()
    };
    let [first, second, third] = [1.0, 6.0, 9.0].map(&mut wave);
    assert!(performer.cancel(third) && !performer.cancel(third));
    performer.intend(&Intent::Stop(Stop { stop: true, at: Some(5.0), ..Stop::default() })).unwrap();
    performer.advance_to(20.0);
    let notes: Vec<Note> = performer.take_notes().collect();
    let dropped =
        |id: u64| notes.iter().any(|note| matches!(note, Note::Dropped { id: it, .. } if *it == id));
    let began = |id: u64| notes.iter().any(|note| matches!(note, Note::Began(began) if began.id == id));
    assert_eq!([first, second, third].map(began), [true, false, false], "{notes:?}");
    assert_eq!([first, second, third].map(dropped), [false, true, true], "{notes:?}");
}

/// A `do` and a tag that are waiting while the repertoire is edited are found again by name, or dropped.
#[test]
fn pending_actions_survive_an_edit() {
    for which in 0..EDITS {
        let mut performer = Performer::new(library_of(&stage::repertoire()), 3);
        for what in ["gesture:1>1@3", "gesture:0>0@3", "positive", "stance:head-3"] {
            let intent = Do { what: what.into(), at: Some(2.0), priority: 0 };
            performer.intend(&Intent::Do(intent)).unwrap();
        }
        performer.intend(&Intent::Say(Say::new("Well, [positive] so."))).unwrap();
        performer.adopt(library_of(&edited(which))).unwrap();
        performer.advance_to(20.0);
    }
}

/// The exact algorithm of paper 4 sometimes repeats an action; by default actions are not repeated if there is a
/// choice.
#[test]
fn a_performer_can_follow_the_paper_exactly() {
    let library = Arc::new(stage::character());
    let repeats = |rules: Rules| {
        let mut performer = Performer::new(library.clone(), 2);
        performer.set_rules(rules);
        for turn in 0..300 {
            let at = Some(f64::from(turn) * 4.0);
            let act = Act { at, layer: Some(Layer::Arms), ..Act::new(Kind::Gesture) };
            performer.intend(&Intent::Act(act)).unwrap();
        }
        performer.advance_to(1200.0);
        let began = |note| if let Note::Began(began) = note { Some(began.action) } else { None };
        let done: Vec<usize> = performer.take_notes().filter_map(began).collect();
        assert_eq!(done.len(), 300);
        done.windows(2).filter(|two| two[0] == two[1]).count()
    };
    assert_eq!(repeats(Rules::default()), 0);
    // Of three candidates with nearly equal counters a third are repetitions: 100 of 299, ±33 in 99.99 % of runs;
    // lagging counters make it slightly fewer.
    assert!((50..135).contains(&repeats(Rules::PAPER)), "{}", repeats(Rules::PAPER));
}

#[test]
fn without_a_repertoire_an_act_is_rejected_but_not_a_blink() {
    let mut performer = stage::performer(1);
    let error = performer.intend(&Intent::Act(Act::new(Kind::Gesture))).unwrap_err();
    assert!(error.to_string().contains("no repertoire"), "{error}");
    performer.intend(&Intent::Blink(vivant::intent::BlinkOnce { blink: true, at: None })).unwrap();
}

fn largest_turn(a: &Frame, b: &Frame, bones: BoneSet) -> f32 {
    bones.iter().map(|bone| angle_between(a.rotation(bone), b.rotation(bone))).fold(0.0, f32::max)
}

fn intent() -> impl Strategy<Value = (f64, Intent)> {
    let numbers = (0.0..20.0_f64, prop::option::of(0.0..4.0_f64), any::<(u8, u8)>(), 0.5..3.0_f64);
    numbers.prop_map(|(arrives, ahead, (verb, flags), secs)| {
        let at = ahead.map(|ahead| arrives + ahead);
        let priority = i32::from(flags % 3);
        let intent = match verb % 6 {
            0..=2 => Intent::Act(Act {
                at,
                priority,
                resume: flags & 8 != 0,
                ..Act::new(Kind::ALL[flags as usize % 3])
            }),
            3 => {
                let stance = ["body-0", "body-1", "head-2", "head-3"][flags as usize % 4].into();
                Intent::Stance(ToStance { stance, at, priority })
            }
            4 => Intent::Stop(Stop { stop: true, at, within: Some(secs), layer: None }),
            _ if flags & 1 == 0 => {
                Intent::Say(Say { say: "Some words.".into(), at, duration: Some(secs), ..Say::default() })
            }
            _ => Intent::Be(Be {
                be: vivant::eyes::blinking::Activity::ALL[flags as usize % 5],
                at,
                ..Be::default()
            }),
        };
        (arrives, intent)
    })
}

fn scripts() -> impl Strategy<Value = Vec<(f64, Intent)>> {
    prop::collection::vec(intent(), 0..25).prop_map(|mut script| {
        script.sort_by(|a, b| a.0.total_cmp(&b.0));
        script
    })
}

/// Times at which the repertoire is replaced, and the index in [`EDITED`].
fn edits() -> impl Strategy<Value = Vec<(f64, usize)>> {
    prop::collection::vec((0.0..24.0_f64, 0..EDITS), 0..8).prop_map(|mut edits| {
        edits.sort_by(|a, b| a.0.total_cmp(&b.0));
        edits
    })
}

const EDITS: usize = 6;

/// Returns an edited repertoire: unchanged, without a stance, without actions, with other trims, with stances on
/// other layers, or in another order.
fn edited(which: usize) -> Repertoire {
    let mut repertoire = stage::repertoire();
    let stances = &mut repertoire.stances;
    match which {
        0 => {}
        1 => {
            stances.remove(1);
            stances[0].transitions.clear();
        }
        2 => stances.iter_mut().for_each(|stance| {
            stance.gestures.truncate(1);
            stance.fidgets.clear();
        }),
        3 => stances.iter_mut().flat_map(|stance| &mut stance.gestures).for_each(|gesture| {
            (gesture.start, gesture.end) = (0.2, Some(0.7));
        }),
        4 => {
            stances.truncate(1);
            stances[0].transitions.clear();
            stances[0].layers = Layer::ALL.to_vec();
        }
        _ => stances.reverse(),
    }
    repertoire
}

fn library_of(repertoire: &Repertoire) -> Arc<Library> {
    let (rig, clips) = (stage::rig(), stage::clips());
    let base = Pose::neutral(&rig);
    let built = Library::of_repertoire(rig, base, repertoire, &|spelling| clips.get(spelling));
    Arc::new(built.expect("a valid repertoire").0)
}

thread_local! {
    static EDITED: Vec<Arc<Library>> = (0..EDITS).map(|which| library_of(&edited(which))).collect();
}

/// Only edited parts change: with the same repertoire again, the performance is the same.
#[test]
fn an_unchanged_repertoire_does_not_change_the_performance() {
    let mut plain = Performer::new(library_of(&stage::repertoire()), 3);
    plain.eyes().start_idle_behaviour(0.0);
    stage::script_for_body(&mut plain);
    let mut edited = plain.clone();
    for n in 0..1800 {
        let t = f64::from(n) / 60.0;
        if n % 200 == 100 {
            edited.adopt(library_of(&stage::repertoire())).unwrap();
        }
        let (a, b) = (plain.advance_to(t), edited.advance_to(t));
        assert_eq!(a.pose(), b.pose(), "at {t}");
    }
    let names = |performer: &mut Performer| performer.take_notes().collect::<Vec<_>>();
    assert_eq!(names(&mut plain), names(&mut edited));
}

#[test]
fn missing_actions_are_dropped_and_another_avatar_is_rejected() {
    let mut performer = Performer::new(library_of(&stage::repertoire()), 3);
    let act = |at: f64, clip: &str| {
        Intent::Act(Act { at: Some(at), clip: Some(clip.into()), ..Act::new(Kind::Gesture) })
    };
    performer.advance_to(0.0);
    performer.intend(&act(1.0, "0>0@3")).unwrap();
    performer.intend(&act(6.0, "0>0@1")).unwrap();
    performer.adopt(library_of(&edited(2))).unwrap();
    performer.advance_to(8.0);
    let notes: Vec<Note> = performer.take_notes().collect();
    assert!(
        matches!(notes[0], Note::Dropped { why: vivant::body::plan::DropReason::NoMatch, .. }),
        "{notes:?}"
    );
    assert!(matches!(notes[1], Note::Began(began) if began.at == 6.0), "{notes:?}");
    let other = vivant::rig::Rig::new(vivant::rig::RigParts::default());
    let base = Pose::neutral(&other);
    let error = performer.adopt(Library::new(other, base, &[])).unwrap_err().to_string();
    assert!(error.contains("another avatar"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// For any intents: no bone turns faster than 1.25 times the fastest joint of the clips plus a fade, on each of
    /// the three layers that may move it; and between frames at 240 Hz its speed changes by no more than corners of
    /// the clips and the curvature of the fades.
    #[test]
    fn intents_and_edits_cause_no_jumps(
        script in scripts(), edits in edits(), seed: u64, is_restless: bool,
    ) {
        let library = LIBRARY.with(Arc::clone);
        let mut edits = edits.into_iter().peekable();
        let mut performer = Performer::new(library, seed);
        performer.breathe(0.0, 1.0);
        if is_restless {
            performer.set_behaviour(0.0, stage::restless());
        }
        let rate = 240.0;
        let (fastest, largest_change) = stage::bounds();
        let mut pending = script.into_iter().peekable();
        let mut frames: Vec<Frame> = Vec::new();
        for n in 0..(26.0 * rate) as usize {
            let t = n as f64 / rate;
            while let Some((_, intent)) = pending.next_if(|(arrives, _)| *arrives <= t) {
                let _ = performer.intend(&intent);
            }
            while let Some((_, edited)) = edits.next_if(|(arrives, _)| *arrives <= t) {
                performer.adopt(EDITED.with(|all| Arc::clone(&all[edited]))).unwrap();
            }
            frames.push(performer.advance_to(t).clone());
            frames.drain(..frames.len().saturating_sub(3));
            let [before, now, next] = &frames[..] else { continue };
            for bone in Bone::ALL {
                let first = velocity(before, now, bone) * rate as f32;
                let second = velocity(now, next, bone) * rate as f32;
                prop_assert!(second.length() < fastest, "{bone:?} at {t}: {} rad/s", second.length());
                prop_assert!((second - first).length() < largest_change, "{bone:?} at {t}: from {first} to {second}");
            }
            prop_assert!((next.root() - now.root()).length() < 0.02, "the hips jump at {t}");
            for (a, b) in now.weights().iter().zip(next.weights()) {
                // Lips open and close within 70 ms.
                prop_assert!((a - b).abs() < 0.12, "an expression jumps at {t}: from {a} to {b}");
            }
        }
    }
}

thread_local! {
    static LIBRARY: Arc<Library> = Arc::new(stage::character());
}

/// Returns the rotation of a bone from one frame to the next.
fn velocity(a: &Frame, b: &Frame, bone: Bone) -> Vec3 {
    vivant::math::rotation_vector(b.rotation(bone) * a.rotation(bone).inverse())
}
