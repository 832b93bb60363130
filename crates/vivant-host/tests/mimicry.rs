//! Tests of the built-in character with people in front of it: what it recognises, and how it responds (Borer
//! 2019, section 7.4).

use glam::{Quat, Vec3};
use std::sync::{Arc, LazyLock};
use vivant::body::Side;
use vivant::body::behaviour::Behaviour;
use vivant::body::layers::Layer;
use vivant::body::library::Library;
use vivant::body::plan::{Began, Note};
use vivant::body::repertoire::{Hand, Kind};
use vivant::chance::{Chance, Draw};
use vivant::intent::{Act, Do, Intent};
use vivant::math::{angle_between, sin};
use vivant::mimicry::{
    Face, Fingers, HandShape, Landmark, Manner, Mimic, Noticed, Person, PersonAction, TrackedLandmark, View,
};
use vivant::performer::Performer;
use vivant::rig::Bone;
use vivant_host::Motions;

static LIBRARY: LazyLock<Arc<Library>> = LazyLock::new(|| {
    let library = Motions::built_in().bind(&vivant_mannequin::rig(), &mut Vec::new());
    Arc::new(library.expect("the built-in repertoire is valid"))
});

fn number(stance: &str) -> usize {
    LIBRARY.graph().and_then(|graph| graph.find_stance(stance)).expect("the stance exists")
}

/// Returns the nine stances that use the arms.
fn stances() -> Vec<usize> {
    let graph = LIBRARY.graph().expect("it has a repertoire");
    let all = graph.stances().iter().enumerate();
    all.filter(|(_, stance)| stance.layers.contains(Layer::Arms)).map(|(index, _)| index).collect()
}

/// Returns a person of the character's shape in a stance.
fn standing(secs: f64, stance: usize) -> Person {
    Person::posed(secs, LIBRARY.rig(), &LIBRARY.stance_pose(stance))
}

/// Turns a person into another one: of other size, shoulders, hips, arms and legs, rotated, and seen by an inexact
/// tracker.
fn varied(mut person: Person, draw: &mut Draw, turned_deg: f32, off_m: f32) -> Person {
    let mut between = |low: f64, high: f64| draw.between(low, high) as f32;
    let size = between(0.8, 1.2);
    let turn = Quat::from_rotation_y(turned_deg.to_radians());
    let [wide, high] = [between(0.92, 1.08), between(0.95, 1.05)];
    for seen in &mut person.landmarks {
        let noise = Vec3::new(between(-1.0, 1.0), between(-1.0, 1.0), 2.5 * between(-1.0, 1.0)) * off_m;
        seen.place = turn * (seen.place * Vec3::new(wide, high, 1.0) * size) + noise;
    }
    person
}

#[test]
fn every_stance_is_recognised_for_any_person() {
    let mimic = Mimic::new(&LIBRARY, Manner::default(), 1);
    let chance = Chance::new(5, "people");
    let (mut right, mut wrong, mut all) = (0, 0, 0);
    for stance in stances() {
        for number in 0..200 {
            let mut draw = chance.event(number);
            let turned = draw.between(-35.0, 35.0) as f32;
            let person = varied(standing(0.0, stance), &mut draw, turned, 0.012);
            match mimic.classify_stance(&person).0 {
                Some(found) if found == stance => right += 1,
                Some(_) => wrong += 1,
                None => {}
            }
            all += 1;
        }
    }
    println!("{right} right and {wrong} wrong of {all}");
    assert!(right * 100 >= 95 * all, "{right} of {all} are right");
    assert!(wrong * 100 <= 3 * all, "{wrong} of {all} are wrong");
}

#[test]
fn other_poses_are_not_recognised_as_stances() {
    let mimic = Mimic::new(&LIBRARY, Manner::default(), 1);
    let mut person = standing(0.0, number("arms-at-sides"));
    let check = |person: &Person, what: &str| assert_eq!(mimic.classify_stance(person).0, None, "{what}");
    let raise = |person: &mut Person, elbow: Vec3, wrist: Vec3| {
        for (side, landmarks) in [
            (1.0, [Landmark::LeftShoulder, Landmark::LeftElbow, Landmark::LeftWrist]),
            (-1.0, [Landmark::RightShoulder, Landmark::RightElbow, Landmark::RightWrist]),
        ] {
            let shoulder = person.landmarks[landmarks[0] as usize].place;
            person.landmarks[landmarks[1] as usize].place = shoulder + elbow * Vec3::new(side, 1.0, 1.0);
            person.landmarks[landmarks[2] as usize].place = shoulder + wrist * Vec3::new(side, 1.0, 1.0);
        }
    };
    raise(&mut person, Vec3::new(0.28, 0.0, 0.0), Vec3::new(0.52, 0.0, 0.0));
    check(&person, "a T");
    raise(&mut person, Vec3::new(0.1, 0.26, 0.0), Vec3::new(0.1, 0.5, 0.0));
    check(&person, "hands up");
    raise(&mut person, Vec3::new(0.0, 0.0, 0.28), Vec3::new(0.0, 0.0, 0.52));
    check(&person, "arms ahead");
    check(&Person::nobody(0.0), "nobody");
}

/// Feeds a mimic at 30 frames per second. Returns its final state.
fn watch(mimic: &mut Mimic, secs: f64, mut person: impl FnMut(f64) -> Person) -> Noticed {
    let from = if mimic.noticed().view == View::Nobody { 0.0 } else { mimic.noticed().secs };
    for frame in 1..=(secs * 30.0) as u32 {
        mimic.see(&person(from + f64::from(frame) / 30.0));
    }
    mimic.noticed().clone()
}

#[test]
fn stances_are_recognised_after_a_moment_without_flicker() {
    let mut mimic = Mimic::new(&LIBRARY, Manner::default(), 1);
    let [folded, hips] = ["arms-folded", "hands-on-hips"].map(number);
    let jittery = |secs: f64, stance: usize| {
        let mut draw = Chance::new(9, "jitter").event(secs.to_bits());
        let mut person = standing(secs, stance);
        for seen in &mut person.landmarks {
            seen.place += Vec3::from_array([0; 3].map(|_| draw.between(-0.02, 0.02) as f32));
        }
        person
    };
    assert_eq!(watch(&mut mimic, 0.3, |t| jittery(t, folded)).stance, None, "too early to be sure");
    let noticed = watch(&mut mimic, 1.5, |t| jittery(t, folded));
    assert_eq!((noticed.stance, noticed.view), (Some(folded), View::Seen));
    assert!(noticed.sure > 0.9, "{}", noticed.sure);
    // A short moment of something else is ignored.
    assert_eq!(watch(&mut mimic, 0.2, |t| jittery(t, hips)).stance, Some(folded));
    assert_eq!(watch(&mut mimic, 2.0, |t| jittery(t, folded)).stance, Some(folded));
    assert_eq!(watch(&mut mimic, 2.0, |t| jittery(t, hips)).stance, Some(hips));
}

fn with_face(mut person: Person, face: Face) -> Person {
    person.face = Some(Face { smile: 0.53 + face.smile, brows: 0.27 + face.brows, ..face });
    person
}

fn open() -> Face {
    Face { lids: [0.33; 2], ..Face::default() }
}

#[test]
fn head_and_face_actions_are_recognised() {
    let stance = number("arms-at-sides");
    let run = |secs: f64, face: &dyn Fn(f64) -> Face| {
        let mut mimic = Mimic::new(&LIBRARY, Manner::default(), 1);
        watch(&mut mimic, secs, |t| with_face(standing(t, stance), face(t)))
    };
    let wave = |t: f64, hertz: f64, deg: f64| (deg * sin(std::f64::consts::TAU * hertz * t)) as f32;
    let within = |t: f64, from: f64, to: f64| (from..to).contains(&t);
    let nodded = run(6.0, &|t| {
        let pitch = if within(t, 2.0, 3.2) { wave(t - 2.0, 2.5, 5.0) } else { 0.0 };
        Face { head_deg: [0.0, pitch, 0.0], ..open() }
    });
    assert!((1..=2).contains(&nodded.nods) && nodded.shakes == 0, "{nodded:?}");
    let shaken = run(6.0, &|t| {
        let yaw = if within(t, 2.0, 3.5) { wave(t - 2.0, 2.0, 9.0) } else { 0.0 };
        Face { head_deg: [yaw, 0.0, 0.0], ..open() }
    });
    assert!((1..=2).contains(&shaken.shakes) && shaken.nods == 0, "{shaken:?}");
    let looking = run(20.0, &|t| Face { head_deg: [wave(t, 0.15, 25.0), wave(t, 0.1, 8.0), 0.0], ..open() });
    assert_eq!((looking.nods, looking.shakes), (0, 0), "looking around is neither a nod nor a shake");
    for (tilt, side) in [(12.0, Some(Side::Left)), (-12.0, Some(Side::Right)), (2.0, None)] {
        assert_eq!(run(3.0, &|_| Face { head_deg: [0.0, 0.0, tilt], ..open() }).tilt, side);
    }
    let shown = run(6.0, &|t| Face {
        smile: if t > 3.0 { 0.25 } else { 0.0 },
        brows: if t > 3.0 { 0.08 } else { 0.0 },
        ..open()
    });
    assert!(shown.smile > Some(0.5) && shown.brows > Some(0.5), "{shown:?}");
    assert_eq!(run(6.0, &|_| open()).smile, Some(0.0));
    let blinked = run(10.0, &|t| {
        let is_shut = [2.0, 5.0, 7.5].iter().any(|at| within(t, *at, at + 0.15));
        // Eyes closed for long are not a blink.
        let sleeps = within(t, 8.5, 9.5);
        Face { lids: [if is_shut || sleeps { 0.05 } else { 0.33 }; 2], ..Face::default() }
    });
    assert_eq!(blinked.blinks, 3);
}

#[test]
fn gestures_are_recognised_with_their_hand() {
    let mut mimic = Mimic::new(&LIBRARY, Manner::default(), 1);
    let stance = number("arms-at-sides");
    let mut seen = Vec::new();
    for frame in 0..300 {
        let t = f64::from(frame) / 30.0;
        let mut person = standing(t, stance);
        if (3.0..4.5).contains(&t) {
            // The left hand goes up and waves.
            let up = (sin(std::f64::consts::PI * (t - 3.0) / 1.5) * 0.35) as f32;
            let aside = (0.12 * sin(12.0 * t)) as f32;
            person.landmarks[Landmark::LeftElbow as usize].place += Vec3::new(0.1, 0.4, 0.3) * up;
            person.landmarks[Landmark::LeftWrist as usize].place += Vec3::new(aside, 1.0 * up, 0.6 * up);
        }
        let noticed = mimic.see(&person);
        seen.push((t, noticed.gesture, noticed.stance));
    }
    let gestures: Vec<f64> =
        seen.iter().filter(|(_, hand, _)| *hand == Some(Hand::Left)).map(|(t, ..)| *t).collect();
    assert!(gestures.first().is_some_and(|t| (3.0..3.5).contains(t)), "{gestures:?}");
    assert!(gestures.last().is_some_and(|t| (4.3..5.2).contains(t)), "{gestures:?}");
    assert!(seen.iter().all(|(_, hand, _)| *hand != Some(Hand::Right)));
    assert!(seen.iter().skip(60).all(|(_, _, found)| *found == Some(stance)), "the stance must not change");
}

/// Returns the fingers of a hand with this shape.
fn fingers(shape: HandShape) -> Fingers {
    let [straight, curled] = [0.98, 0.5];
    Fingers {
        reach: match shape {
            HandShape::Open => [straight; 5],
            HandShape::Fist => [curled; 5],
            HandShape::Pointing => [0.9, straight, curled, curled, curled],
        },
    }
}

#[test]
fn hand_shapes_are_recognised_once_they_last() {
    let stance = number("arms-at-sides");
    let mut mimic = Mimic::new(&LIBRARY, Manner::default(), 1);
    let with = |left: Option<HandShape>, right: Option<HandShape>| {
        move |t: f64| Person { hands: [left, right].map(|hand| hand.map(fingers)), ..standing(t, stance) }
    };
    let (fist, open, pointing) = (Some(HandShape::Fist), Some(HandShape::Open), Some(HandShape::Pointing));
    assert_eq!(watch(&mut mimic, 0.1, with(fist, None)).hands, [None; 2], "too early to be sure");
    assert_eq!(watch(&mut mimic, 0.6, with(fist, None)).hands, [fist, None]);
    assert_eq!(watch(&mut mimic, 1.0, with(fist, pointing)).hands, [fist, pointing]);
    assert_eq!(watch(&mut mimic, 0.1, with(None, open)).hands, [fist, pointing], "a short moment is ignored");
    assert_eq!(watch(&mut mimic, 1.0, with(None, open)).hands, [None, open]);
    let told: Vec<PersonAction> = mimic.take_actions().map(|(_, action)| action).filter(is_hand).collect();
    let expected = [
        PersonAction::Hand(Side::Left, HandShape::Fist),
        PersonAction::Hand(Side::Right, HandShape::Pointing),
        PersonAction::Hand(Side::Right, HandShape::Open),
    ];
    assert_eq!(told, expected);
    assert_eq!(watch(&mut mimic, 1.0, Person::nobody).hands, [None; 2]);
    let mirrored = with(fist, open)(0.0).mirrored();
    assert_eq!(mirrored.hands.map(|hand| hand.and_then(|hand| hand.shape(None))), [open, fist]);
}

fn is_hand(action: &PersonAction) -> bool {
    matches!(action, PersonAction::Hand(..))
}

#[test]
fn moving_fingers_are_a_gesture() {
    let stance = number("arms-at-sides");
    let run = |moves: &dyn Fn(f64) -> f64| {
        let mut mimic = Mimic::new(&LIBRARY, Manner::default(), 1);
        let mut draw = Chance::new(4, "fingers").event(0);
        watch(&mut mimic, 8.0, |t| {
            // Trackers are off by a few hundredths of a finger length.
            let reach = [0; 5].map(|_| (0.75 + 0.22 * moves(t) + draw.between(-0.03, 0.03)) as f32);
            Person { hands: [None, Some(Fingers { reach })], ..standing(t, stance) }
        });
        let gestures = mimic.take_actions().filter_map(|(at, action)| match action {
            PersonAction::Gesture { hand, secs, energy, .. } => Some((at, hand, secs, energy)),
            _ => None,
        });
        gestures.collect::<Vec<_>>()
    };
    assert_eq!(run(&|_| 0.0), [], "jitter is not a gesture");
    assert_eq!(run(&|t| sin(0.8 * t)), [], "opening a hand slowly is not a gesture");
    // Open and closed, twice per second, for two seconds.
    let found = run(&|t| if (3.0..5.0).contains(&t) { sin(2.0 * std::f64::consts::TAU * t) } else { 0.0 });
    assert_eq!(found.len(), 1, "{found:?}");
    let (at, hand, secs, energy) = found[0];
    assert!(hand == Hand::Right && (5.0..6.2).contains(&at) && (1.4..2.8).contains(&secs), "{found:?}");
    assert!(energy > 0.3, "{energy}");
}

#[test]
fn pointing_is_answered_by_pointing_and_waving_by_a_gesture() {
    let stance = number("arms-at-sides");
    let answers = |shape: HandShape| {
        let mut acts = Vec::new();
        for seed in 0..40 {
            let mut mimic = Mimic::new(&LIBRARY, Manner { amount: 1.0, ..Manner::default() }, seed);
            watch(&mut mimic, 8.0, |t| {
                let mut person = standing(t, stance);
                person.hands = [None, Some(fingers(shape))];
                let up = (sin(std::f64::consts::PI * ((t - 3.0) / 1.5).clamp(0.0, 1.0)) * 0.4) as f32;
                person.landmarks[Landmark::RightWrist as usize].place += Vec3::new(0.0, up, 0.6 * up);
                person
            });
            acts.extend(mimic.take_due(100.0).into_iter().filter_map(|intent| match intent {
                Intent::Act(act) => Some(act),
                _ => None,
            }));
        }
        acts
    };
    for (shape, tags) in [(HandShape::Pointing, &["deictic"][..]), (HandShape::Open, &[])] {
        let acts = answers(shape);
        assert!(!acts.is_empty(), "a fifth of all gestures gets a response");
        for act in acts {
            // Mirrored: the person's right is the character's left.
            assert_eq!(
                (act.hand, &act.tags[..]),
                (Some(Hand::Left), &tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>()[..])
            );
            let mut performer = Performer::new(Arc::clone(&LIBRARY), 1);
            performer.intend(&Intent::Act(act)).expect("the repertoire has it");
        }
    }
}

/// Estimated wrists are off by a hand's width. Visible palms still show what the hands touch.
#[test]
fn visible_palms_help_to_recognise_stances() {
    let mimic = Mimic::new(&LIBRARY, Manner::default(), 1);
    let chance = Chance::new(8, "palms");
    let known = |has_palms: bool| {
        let people = stances().into_iter().flat_map(|stance| (0..200).map(move |number| (stance, number)));
        let is_known = |(stance, number): &(usize, u64)| {
            let mut draw = chance.event(*number);
            let turned = draw.between(-35.0, 35.0) as f32;
            let mut person = varied(standing(0.0, *stance), &mut draw, turned, 0.012);
            for (wrist, palm) in
                [(Landmark::LeftWrist, Landmark::LeftPalm), (Landmark::RightWrist, Landmark::RightPalm)]
            {
                let off = Vec3::from_array([0; 3].map(|_| draw.between(-0.1, 0.1) as f32));
                person.landmarks[wrist as usize].place += off;
                if !has_palms {
                    person.landmarks[palm as usize] = TrackedLandmark::default();
                }
            }
            mimic.classify_stance(&person).0 == Some(*stance)
        };
        people.filter(is_known).count()
    };
    let (with, without) = (known(true), known(false));
    println!("{with} of 1800 are known with palms, {without} without");
    assert!(with > without, "{with} with palms, {without} without");
}

#[test]
fn the_supporting_leg_is_recognised() {
    for (stance, side) in
        [("weight-left", Some(Side::Left)), ("weight-right", Some(Side::Right)), ("arms-at-sides", None)]
    {
        let mut mimic = Mimic::new(&LIBRARY, Manner::default(), 1);
        assert_eq!(watch(&mut mimic, 3.0, |t| standing(t, number(stance))).weight, side, "{stance}");
    }
}

#[test]
fn missing_or_several_people_get_no_response() {
    let stance = number("arms-folded");
    let mut mimic = Mimic::new(&LIBRARY, Manner { amount: 1.0, ..Manner::default() }, 1);
    assert_eq!(watch(&mut mimic, 1.0, Person::nobody).view, View::Nobody);
    let two = |t: f64| Person { people: 2, ..standing(t, stance) };
    let noticed = watch(&mut mimic, 2.0, two);
    assert_eq!((noticed.view, noticed.stance), (View::Several, None));
    let cut = |t: f64| {
        let mut person = standing(t, stance);
        for landmark in [Landmark::LeftWrist, Landmark::RightWrist, Landmark::LeftHip, Landmark::RightHip] {
            person.landmarks[landmark as usize] = TrackedLandmark::default();
        }
        person
    };
    let noticed = watch(&mut mimic, 2.0, cut);
    assert_eq!((noticed.view, noticed.stance), (View::Partly, None));
    assert_eq!(mimic.take_due(100.0), [], "people who are not recognised get no response");
}

/// Returns the responses to a person who holds a stance for long enough.
fn answers(manner: Manner, seed: u64, stance: &str) -> Vec<Intent> {
    let mut mimic = Mimic::new(&LIBRARY, manner, seed);
    let stance = number(stance);
    let mut answers = Vec::new();
    for frame in 0..240 {
        let t = f64::from(frame) / 30.0;
        mimic.see(&standing(t, stance));
        answers.extend(mimic.take_due(t));
    }
    answers
}

fn stance_of(intent: &Intent) -> Option<(&str, f64, i32)> {
    match intent {
        Intent::Stance(stance) => Some((&stance.stance, stance.at?, stance.priority)),
        _ => None,
    }
}

#[test]
fn stances_are_answered_with_delay_and_the_given_probability() {
    for seed in 0..50 {
        let all = answers(Manner { amount: 1.0, ..Manner::default() }, seed, "arms-folded");
        let (stance, at, priority) = all.iter().find_map(stance_of).expect("everything gets a response");
        assert_eq!((stance, priority), ("arms-folded", -1));
        // Recognition takes about a second, and the response 1.5 to 3.5 s.
        assert!((1.9..5.0).contains(&at), "{at}");
        assert_eq!(answers(Manner { amount: 0.0, ..Manner::default() }, seed, "arms-folded"), []);
    }
    let half = (0..200).filter(|seed| {
        let all = answers(Manner { amount: 0.5, ..Manner::default() }, *seed, "arms-folded");
        all.iter().any(|intent| stance_of(intent).is_some())
    });
    // With 200 cases and a probability of one half: 70 to 130 in all but one of 30,000 runs.
    assert!((70..=130).contains(&half.count()));
}

#[test]
fn a_mirror_answers_left_with_right() {
    let answered = |mirror: bool, stance: &str| {
        let all = answers(Manner { amount: 1.0, mirror, ..Manner::default() }, 3, stance);
        all.iter().find_map(stance_of).map(|(stance, ..)| stance.to_owned())
    };
    assert_eq!(answered(true, "weight-left").as_deref(), Some("weight-right"));
    assert_eq!(answered(false, "weight-left").as_deref(), Some("weight-left"));
    // The repertoire has a right hand on the hip but no left one, so the response is the same stance.
    assert_eq!(answered(true, "hand-on-hip").as_deref(), Some("hand-on-hip"));
    assert_eq!(answered(true, "arms-folded").as_deref(), Some("arms-folded"));
}

#[test]
fn responses_are_deterministic_and_ended_stances_are_ignored() {
    let manner = Manner { amount: 1.0, ..Manner::default() };
    assert_eq!(answers(manner, 4, "hands-behind"), answers(manner, 4, "hands-behind"));
    let mut mimic = Mimic::new(&LIBRARY, manner, 4);
    let [folded, sides] = ["arms-folded", "arms-at-sides"].map(number);
    watch(&mut mimic, 1.0, |t| standing(t, folded));
    assert!(mimic.planned().iter().any(|intent| stance_of(intent).is_some()));
    watch(&mut mimic, 1.2, |t| standing(t, sides));
    let due = mimic.take_due(20.0);
    let stances: Vec<&str> = due.iter().filter_map(stance_of).map(|(stance, ..)| stance).collect();
    assert_eq!(stances, ["arms-at-sides"], "a stance that has ended gets no response");
}

/// The scenario of Borer 2019: an agent gestures by a script while the person in front changes stance twice. The plan
/// contains both streams, nothing overlaps on a layer, and nothing jumps.
#[test]
fn two_streams_of_actions_are_planned_together() {
    let manner = Manner { amount: 1.0, ..Manner::default() };
    let mut mimic = Mimic::new(&LIBRARY, manner, 11);
    let mut performer = Performer::new(Arc::clone(&LIBRARY), 11);
    performer.set_behaviour(0.0, Behaviour::standard());
    performer.breathe(0.0, 0.8);
    performer.eyes().start_idle_behaviour(0.0);
    let script: Vec<f64> = (0..12).map(|n| 3.0 + 4.0 * f64::from(n)).collect();
    for at in &script {
        let gesture = Act { at: Some(*at), ..Act::new(Kind::Gesture) };
        performer.intend(&Intent::Act(gesture)).expect("the repertoire has gestures");
    }
    let person = |t: f64| {
        let stance = if t < 10.0 {
            "arms-at-sides"
        } else if t < 28.0 {
            "arms-folded"
        } else {
            "hands-on-hips"
        };
        let mut draw = Chance::new(2, "tracker").event(t.to_bits());
        varied(standing(t, number(stance)), &mut draw, 10.0, 0.01)
    };
    let (mut bars, mut stances) = (Vec::new(), Vec::new());
    let mut before = performer.advance_to(0.0).clone();
    for frame in 1..=3000 {
        let t = f64::from(frame) / 60.0;
        if frame % 2 == 0 {
            mimic.see(&person(t));
        }
        for intent in mimic.take_due(t) {
            performer.intend(&intent).expect("responses are possible");
        }
        let now = performer.advance_to(t).clone();
        for bone in Bone::ALL {
            let turn = angle_between(before.rotation(bone), now.rotation(bone)).to_degrees();
            // Eyes are faster than everything else.
            let most = if matches!(bone, Bone::LeftEye | Bone::RightEye) { 15.0 } else { 12.0 };
            assert!(turn < most, "{} turns by {turn}° in a frame at {t}", bone.name());
        }
        before = now;
        bars.extend(performer.take_notes());
        let planner = performer.planner().expect("it has a repertoire");
        stances.push((t, planner.stance(Layer::Arms).expect("the arms have a stance")));
    }
    let graph = LIBRARY.graph().expect("it has a repertoire");
    let held = |name: &str, from: f64, to: f64| {
        let stance = number(name);
        stances.iter().filter(|(t, held)| (from..to).contains(t) && *held == stance).count()
    };
    assert!(held("arms-folded", 12.0, 28.0) > 300, "it must fold its arms like the person");
    assert!(held("hands-on-hips", 31.0, 50.0) > 300, "it must put its hands on its hips");
    let begun = bars.iter().filter_map(|note| match note {
        Note::Began(began) => Some(graph.actions()[began.action].kind),
        _ => None,
    });
    let gestures = begun.filter(|kind| *kind == Kind::Gesture).count();
    assert!(gestures >= 9, "{gestures} of at least {} gestures", script.len());
    check_no_overlap(&bars);
}

/// Checks that on each layer an action starts only after the previous one ended or was cut.
fn check_no_overlap(notes: &[Note]) {
    let graph = LIBRARY.graph().expect("it has a repertoire");
    let takes = |action: usize, layer: Layer| graph.actions()[action].layers.contains(layer);
    for layer in Layer::ALL {
        let mut running: Option<f64> = None;
        for note in notes {
            match note {
                Note::Began(Began { action, at, until, .. }) if takes(*action, layer) => {
                    assert!(
                        running.is_none_or(|until| *at >= until - 1e-6),
                        "two at once at {at} on {layer:?}"
                    );
                    running = Some(*until);
                }
                Note::Cut { action, at, .. } if takes(*action, layer) => running = Some(*at),
                _ => {}
            }
        }
    }
}

/// Height of the left ear above the right one, in metres, and offset of the hips to the left.
fn tilt_and_weight(performer: &mut Performer, t: f64) -> (f32, f32) {
    let frame = performer.advance_to(t).clone();
    let person = Person::posed(t, LIBRARY.rig(), &frame.pose());
    let height = |landmark: Landmark| person.landmarks[landmark as usize].place.y;
    (height(Landmark::LeftEar) - height(Landmark::RightEar), frame.root().x)
}

#[test]
fn do_intents_work_like_tags() {
    let word = |what: &str, at: f64| Intent::Do(Do { what: what.to_owned(), at: Some(at), priority: 0 });
    let performed = |words: &[&str]| {
        let mut performer = Performer::new(Arc::clone(&LIBRARY), 3);
        performer.breathe(0.0, 1.0);
        performer.advance_to(0.0);
        for what in words {
            performer.intend(&word(what, 2.0)).expect("it is known");
        }
        performer
    };
    let quiet: Vec<f32> =
        (0..30).map(|n| tilt_and_weight(&mut performed(&[]), 2.0 + f64::from(n) / 10.0).0).collect();
    assert!(quiet.iter().all(|tilt| tilt.abs() < 0.01), "{quiet:?}");
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        let mut performer = performed(&[&format!("tilt:{side}"), &format!("weight:{side}")]);
        let tilted = (0..30).map(|n| tilt_and_weight(&mut performer, 2.0 + f64::from(n) / 10.0));
        let least = tilted.map(|(tilt, _)| sign * tilt).fold(f32::INFINITY, f32::min);
        assert!(least < -0.005, "the ear on that side must be lower: {least}");
        let (_, hips) = tilt_and_weight(&mut performer, 5.5);
        assert!(sign * hips > 0.012, "the hips must be over that foot: {hips}");
    }
    let mut performer = performed(&["nod", "smile", "brows", "look:left"]);
    let smiles = performer.advance_to(3.5).weights().iter().any(|weight| *weight > 0.2);
    assert!(smiles, "the face must move");
    let error = performer.intend(&word("somersault", 9.0)).expect_err("unknown word").to_string();
    assert!(error.contains("somersault") && error.contains("smile"), "{error}");
    let error = performer.intend(&word("weight:up", 9.0)).expect_err("no side").to_string();
    assert!(error.contains("`up`") && error.contains("left") && error.contains("right"), "{error}");
}
