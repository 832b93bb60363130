use super::*;
use crate::character::Character;
use crate::serve::board::Board;
use crate::serve::past::KEPT_SECS;
use std::sync::OnceLock;
use vivant::performer::Performer;
use vivant_host::{Lanes, Motions};
use vivant_io::json::intents;
use vivant_io::json::protocol::{Bar, Lane};

const FPS: f64 = 60.0;

/// Returns the built-in character without the last `without` gestures of each stance.
fn ready(without: usize, revision: u64) -> Arc<Ready> {
    let character = Character::built_in();
    let mut repertoire = character.motions.repertoire().unwrap().clone();
    for stance in &mut repertoire.stances {
        stance.gestures.truncate(stance.gestures.len().saturating_sub(without));
    }
    let motions = Motions::of_parts(repertoire, character.motions.clips().unwrap().clone());
    let info = Arc::new(character.avatar.info().clone());
    let character = Character { motions, ..character };
    Arc::new(Ready {
        id: "builtin".into(),
        name: "builtin".into(),
        revision,
        avatar_revision: 1,
        avatar: Arc::clone(character.avatar.file().unwrap()),
        info,
        bound: character.bound(&mut Vec::new()).unwrap(),
    })
}

fn role() -> Role {
    static READY: OnceLock<Arc<Ready>> = OnceLock::new();
    let ready = Arc::clone(READY.get_or_init(|| ready(0, 1)));
    let temperament = ready.bound.temperament;
    Role { ready, begins: vivant_host::Role { seed: 4, temperament, ..vivant_host::Role::default() } }
}

fn show() -> LivePerformer {
    let role = role();
    let performer = role.performer();
    LivePerformer::new(Arc::new(PerformerSlot::new("main".into(), 7)), role, performer, false, 100)
}

fn say(text: &str) -> Command {
    Command::Intent(Arc::new(intents::line(text).unwrap()))
}

/// Returns the requests that are sent before the frame with the given number.
fn asks(frame: u64) -> Vec<Command> {
    let third = frame as f64 / 300.0;
    match frame {
        0 => vec![say(r#"{"say": "At once."}"#), Command::Attend { place: [0.3, 1.5, 1.8], is_new: false }],
        40 => vec![say(r#"{"act": "gesture", "clip": "wave"}"#)],
        41 => vec![say(r#"{"act": "gesture", "clip": "none"}"#), say(r#"{"stance": "nowhere"}"#)],
        100..400 => vec![Command::Follow { place: [third - 0.5, 1.4, 1.0], is_new: false }],
        400 => vec![Command::LookFreely, say(r#"{"be": "listening"}"#)],
        500 => vec![Command::SetTemperament(Box::new(Temperament {
            liveliness: 0.3,
            ..Temperament::peters(1.0)
        }))],
        620 => vec![say(r#"{"say": "Later.", "at": 12.5}"#), say(r#"{"stop": true, "at": 14}"#)],
        700 => vec![
            Command::SetTemperament(Box::default()),
            say(r#"{"look": "away"}"#),
            say(r#"{"blink": true}"#),
        ],
        _ => Vec::new(),
    }
}

/// Runs a performer, and returns the published frames.
fn performed(show: &mut LivePerformer, frames: u64, skip: impl Fn(u64) -> bool) -> Vec<Arc<Newest>> {
    let forecasts = Forecasts::start().unwrap();
    let mut sent = Vec::new();
    for frame in 0..frames {
        for ask in asks(frame) {
            let _ = show.ask(ask);
        }
        if frame == 800 {
            assert!(show.adopt(&ready(5, 2)), "another repertoire of the same avatar");
        }
        if !skip(frame) {
            show.prepare(100 + frame, FPS, &forecasts);
            show.publish();
            sent.push(show.slot.newest().unwrap());
        }
    }
    sent
}

/// Returns frames of the stored past, played again.
fn played_again(show: &LivePerformer, stretch: (f64, f64), rate: f64) -> Vec<frame::Frame> {
    let mut frames = Vec::new();
    let see = |t: f64, performer: &Performer| frames.push(frame_of(7, t, performer));
    show.recording().play(stretch, rate, see).unwrap();
    frames
}

#[test]
fn the_past_is_what_was_sent_bit_for_bit() {
    let mut show = show();
    let sent = performed(&mut show, 1100, |frame| (300..320).contains(&frame) || frame % 97 == 3);
    for (from, to) in [(0.0, 18.0), (0.0, 0.2), (3.2, 7.1), (8.0, 12.0), (13.0, 18.3)] {
        let again = played_again(&show, (from, to), FPS);
        assert_eq!(again.len(), ((to - from) * FPS).round() as usize + 1, "{from} to {to}");
        let mut compared = 0;
        for frame in again {
            let bytes = frame.to_bytes();
            let Some(original) = sent.iter().find(|newest| newest.performer().time == frame.time) else {
                continue;
            };
            assert!(original.binary == bytes, "at {} of {from} to {to}", frame.time);
            compared += 1;
        }
        assert!(compared as f64 > (to - from) * FPS * 0.9, "{compared} frames from {from} to {to}");
    }
    // Between the published frames, it is also the same performance.
    let (once, twice) = (played_again(&show, (1.0, 9.0), 60.0), played_again(&show, (1.0, 9.0), 120.0));
    assert!(once.iter().zip(twice.iter().step_by(2)).all(|(a, b)| a.to_bytes() == b.to_bytes()));
}

/// Returns a sample of a tracker of head and left arm. The sample has a time of the tracker's clock.
fn tracked(secs: f64) -> BodySample {
    let mut sample = BodySample::at(secs);
    let turn = glam::Quat::from_rotation_y(0.4 * vivant::math::sin(3.0 * secs) as f32);
    for bone in [Bone::Head, Bone::LeftUpperArm, Bone::LeftEye, Bone::RightEye] {
        sample.set(bone, turn);
    }
    sample.weights = vec![0.5; 20];
    sample
}

/// The past includes tracker samples; two whole minutes of them are stored.
#[test]
fn the_past_of_a_driven_performer_is_what_was_sent() {
    let mut show = show();
    let forecasts = Forecasts::start().unwrap();
    let mut sent = Vec::new();
    for frame in 0..7800 {
        let now = frame as f64 / FPS;
        if frame > 100 && frame % 1000 < 800 {
            show.drive(tracked(now - 0.007), Trust::Moving);
        }
        show.prepare(100 + frame, FPS, &forecasts);
        show.publish();
        sent.extend((frame >= 7000).then(|| show.slot.newest().unwrap()));
    }
    let (from, to) = show.recording().stretch(None, None, 1e9).unwrap();
    assert!(to - from > KEPT_SECS - 6.0, "{} s are stored", to - from);
    let again = played_again(&show, (7000.0 / FPS, 7799.0 / FPS), FPS);
    assert_eq!(again.len(), sent.len());
    assert!(again.iter().zip(&sent).all(|(again, sent)| sent.binary == again.to_bytes()));
    assert!(again.iter().any(|frame| frame.rotations[Bone::Head.index()][1].abs() > 0.1), "it was driven");
}

#[test]
fn looking_ahead_changes_nothing() {
    let (mut watched, mut alone) = (show(), show());
    watched.slot.planners.fetch_add(1, Ordering::Relaxed);
    let [watched, alone] = [&mut watched, &mut alone].map(|show| performed(show, 400, |_| false));
    assert!(watched.iter().zip(&alone).all(|(a, b)| a.binary == b.binary));
}

#[test]
fn only_two_minutes_are_stored_and_less_with_many_requests() {
    let mut show = show();
    let forecasts = Forecasts::start().unwrap();
    // Two frames per second are enough here.
    (0..400).for_each(|frame| show.prepare(100 + frame, 2.0, &forecasts));
    let kept = show.recording().stretch(None, None, 1e9).unwrap();
    assert!((kept.1 - kept.0 - KEPT_SECS).abs() < 6.0, "{kept:?}");
    let fault = show.recording().stretch(Some(1.0), None, 1.0).unwrap_err().to_string();
    assert!(fault.contains("is not stored; give times from"), "{fault}");
    let long = say(&format!(r#"{{"say": "{}"}}"#, "la ".repeat(3000)));
    for frame in 400..700 {
        show.ask(long.clone()).unwrap();
        show.ask(say(r#"{"stop": true}"#)).unwrap();
        show.prepare(100 + frame, 2.0, &forecasts);
    }
    assert!(show.past.log_bytes() < 3 << 20, "{} bytes", show.past.log_bytes());
    // Every edit creates a library; edits for a minute must not fill the memory.
    let ready = Arc::clone(&show.role.ready);
    for frame in 700..760 {
        assert!(show.adopt(&ready));
        show.prepare(100 + frame, 2.0, &forecasts);
    }
    let kept = show.recording().stretch(None, None, 1e9).unwrap();
    assert!(kept.1 - kept.0 < 6.0, "{kept:?}");
    let kept = show.recording().stretch(None, None, 1e9).unwrap();
    assert!(kept.1 - kept.0 < KEPT_SECS, "{kept:?}");
}

/// Gaze that stays on a person is one bar, whatever the body does meanwhile.
#[test]
fn a_gaze_that_stays_is_one_look() {
    let mut role = role();
    role.begins.temperament = Temperament::peters(0.5);
    let mut hosted = role.performer();
    for frame in 0..3600 {
        hosted.advance_to(f64::from(frame) / FPS);
        hosted.observe();
    }
    let lanes = hosted.lanes();
    let looks = |bar: &&Bar| bar.lane == Lane::Gaze;
    let open: Vec<&Bar> = lanes.open().filter(looks).collect();
    assert_eq!((lanes.finished.iter().filter(looks).count(), open.len()), (0, 1), "{:?}", lanes.finished);
    assert_eq!((open[0].name.as_str(), open[0].end), ("at you", 3599.0 / FPS));
}

/// Events older than `KEPT_SECS` are removed, so that slow connections do not increase the memory.
#[test]
fn events_are_removed_with_the_past() {
    let mut lanes = Lanes::new(role().ready.rig(), None);
    let mut board = Board::default();
    for second in 0..400_u32 {
        let now = f64::from(second);
        lanes.events.push((now, EventKind::Blink));
        board.put(&mut lanes, now);
        let (events, missed, end) = board.events_from("main", 0);
        assert!(events.iter().all(|event| event.at >= now - KEPT_SECS));
        assert_eq!([missed + events.len() as u64, end], [u64::from(second) + 1; 2]);
    }
}
