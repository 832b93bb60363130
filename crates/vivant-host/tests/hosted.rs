//! A performer in somebody else's program: made of bytes and JSON, and the same as anywhere else.

use vivant_host::{Avatar, Hosted, Motions, Role};
use vivant_io::json::protocol::Happening;
use vivant_mannequin::Look;

fn avatar() -> Avatar {
    let bytes = vivant_mannequin::Avatar::new(Look::default()).vrm();
    Avatar::read("eve.vrm", &bytes).unwrap()
}

fn hosted(role: &str) -> Hosted {
    Hosted::new(&avatar(), &Motions::built_in(), &Role::read(role).unwrap()).unwrap()
}

#[test]
fn a_role_is_a_performance_at_any_rate() {
    let (mut slow, mut fast, mut other) = (hosted(""), hosted(r#"{"seed": 1}"#), hosted(r#"{"seed": 2}"#));
    let mut differs = false;
    for frame in 0..600 {
        let t = f64::from(frame) / 30.0;
        if frame == 90 {
            for it in [&mut slow, &mut fast, &mut other] {
                it.tell(r#"{"say": "Hello! How nice that you came."}"#).unwrap();
                it.tell(r#"{"attend": [0.5, 1.4, 1]}"#).unwrap();
            }
        }
        let expected = slow.advance_to(t).clone();
        fast.advance_to(t - 1.0 / 60.0);
        assert_eq!(fast.advance_to(t), &expected, "at {t}");
        differs |= other.advance_to(t) != &expected;
    }
    assert!(differs, "another seed is another performance");
}

#[test]
fn what_happens_is_told_to_who_watches() {
    let (mut watched, mut alone) = (hosted(""), hosted(""));
    watched.watch(true);
    for it in [&mut watched, &mut alone] {
        it.tell(r#"{"act": "gesture", "clip": "wave", "at": 1}"#).unwrap();
        it.tell(r#"{"say": "Hello [flips] there.", "at": 2}"#).unwrap();
        for frame in 0..1200 {
            it.advance_to(f64::from(frame) / 60.0);
        }
    }
    assert_eq!(watched.frame(), alone.frame(), "watching changes nothing");
    let events = watched.take_events();
    assert!(events.iter().any(|(_, what)| matches!(what, Happening::Began { name, .. } if name == "wave")));
    assert!(events.iter().any(|(_, what)| matches!(what, Happening::Blink)));
    assert!(events.iter().any(|(_, what)| matches!(what, Happening::Line { .. })));
    assert!(watched.take_events().is_empty(), "what was told is not told again");
    let events = alone.take_events();
    let [(_, Happening::Dropped { why, .. })] = &events[..] else { panic!("{events:?}") };
    assert!(why.contains("flips"), "{why}");
}

#[test]
fn a_list_of_bones_is_enough_to_live() {
    let bones = br#"{"version": 1, "bones": {"hips": [0, 1, 0], "spine": [0, 1.1, 0], "neck": [0, 1.4, 0],
        "head": [0, 1.5, 0], "leftEye": [0.03, 1.56, 0.08], "rightEye": [-0.03, 1.56, 0.08]},
        "expressions": ["eyeBlinkLeft", "eyeBlinkRight", "jawOpen"]}"#;
    let avatar = Avatar::of_rig(bones).unwrap();
    for motions in [Motions::none(), Motions::built_in()] {
        let mut living = Hosted::new(&avatar, &motions, &Role::default()).unwrap();
        let shut = (0..3600).any(|frame| living.advance_to(f64::from(frame) / 60.0).weights()[0] > 0.9);
        assert!(shut, "it blinks within a minute");
        assert_eq!(living.info().channels[2].name, "jawOpen");
    }
}

#[test]
fn an_avatar_tells_its_own_nodes() {
    let avatar = avatar();
    let bones = avatar.info().bones.iter();
    assert!(bones.filter(|bone| bone.exists).all(|bone| bone.node.is_some() && bone.before.is_some()));
    let blink = avatar.info().channels.iter().find(|channel| channel.name == "blinkLeft").unwrap();
    assert!(!blink.morphs.is_empty());
}

#[test]
fn what_cannot_be_understood_is_told_and_changes_nothing() {
    let (mut told, mut alone) = (hosted(""), hosted(""));
    for (json, words) in [
        ("", "line 1"),
        ("[]", "curly brackets"),
        (r#"{"sey": "Hello"}"#, "did you mean `say` by `sey`?"),
        (r#"{"cast": {"performer": "eve"}}"#, "there is one performer here"),
        (r#"{"attend": [0, 1]}"#, "attend"),
        (r#"{"act": "gesture", "clip": "no such clip"}"#, "no such clip"),
    ] {
        let message = told.tell(json).expect_err(json).to_string();
        assert!(message.contains(words), "{json}: {message}");
    }
    assert_eq!(told.advance_to(3.0), alone.advance_to(3.0));
    let message = Avatar::read("me.txt", b"hello").unwrap_err().to_string();
    assert!(message.starts_with("me.txt: ") && message.contains("VRM"), "{message}");
    let message = Motions::of_repertoire(b"{}", Default::default()).unwrap_err().to_string();
    assert!(message.contains("version"), "{message}");
}
