//! Tests of a performer in a host program: created from bytes and JSON, with the same result in every host.

use vivant_host::{Avatar, Hosted, Motions, Role};
use vivant_io::json::protocol::EventKind;
use vivant_mannequin::Look;

fn avatar() -> Avatar {
    let bytes = vivant_mannequin::Avatar::new(Look::default()).vrm();
    Avatar::read("eve.vrm", &bytes).unwrap()
}

fn hosted(role: &str) -> Hosted {
    Hosted::new(&avatar(), &Motions::built_in(), &Role::read(role).unwrap()).unwrap()
}

#[test]
fn a_role_gives_the_same_performance_at_any_rate() {
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
    assert!(differs, "another seed must give another performance");
}

#[test]
fn events_are_recorded_while_watching() {
    let (mut watched, mut alone) = (hosted(""), hosted(""));
    watched.watch(true);
    for it in [&mut watched, &mut alone] {
        it.tell(r#"{"act": "gesture", "clip": "wave", "at": 1}"#).unwrap();
        it.tell(r#"{"say": "Hello [flips] there.", "at": 2}"#).unwrap();
        for frame in 0..1200 {
            it.advance_to(f64::from(frame) / 60.0);
        }
    }
    assert_eq!(watched.frame(), alone.frame(), "recording events must not change frames");
    let events = watched.take_events();
    assert!(events.iter().any(|(_, what)| matches!(what, EventKind::Began { name, .. } if name == "wave")));
    assert!(events.iter().any(|(_, what)| matches!(what, EventKind::Blink)));
    assert!(events.iter().any(|(_, what)| matches!(what, EventKind::Line { .. })));
    assert!(watched.take_events().is_empty(), "events must not be reported twice");
    let events = alone.take_events();
    let [(_, EventKind::Dropped { why, .. })] = &events[..] else { panic!("{events:?}") };
    assert!(why.contains("flips"), "{why}");
}

#[test]
fn a_list_of_bones_is_enough_to_perform() {
    let bones = br#"{"version": 1, "bones": {"hips": [0, 1, 0], "spine": [0, 1.1, 0], "neck": [0, 1.4, 0],
        "head": [0, 1.5, 0], "leftEye": [0.03, 1.56, 0.08], "rightEye": [-0.03, 1.56, 0.08]},
        "expressions": ["eyeBlinkLeft", "eyeBlinkRight", "jawOpen"]}"#;
    let avatar = Avatar::of_rig(bones).unwrap();
    for motions in [Motions::none(), Motions::built_in()] {
        let mut living = Hosted::new(&avatar, &motions, &Role::default()).unwrap();
        let has_blinked =
            (0..3600).any(|frame| living.advance_to(f64::from(frame) / 60.0).weights()[0] > 0.9);
        assert!(has_blinked, "expected a blink within a minute");
        assert_eq!(living.info().channels[2].name, "jawOpen");
    }
}

#[test]
fn an_avatar_lists_its_own_nodes() {
    let avatar = avatar();
    let bones = avatar.info().bones.iter();
    assert!(bones.filter(|bone| bone.exists).all(|bone| bone.node.is_some() && bone.before.is_some()));
    let blink = avatar.info().channels.iter().find(|channel| channel.name == "blinkLeft").unwrap();
    assert!(!blink.morphs.is_empty());
}

#[test]
fn invalid_requests_are_rejected_without_effect() {
    let (mut told, mut alone) = (hosted(""), hosted(""));
    for (json, part) in [
        ("", "line 1"),
        ("[]", "curly brackets"),
        (r#"{"sey": "Hello"}"#, "did you mean `say` by `sey`?"),
        (r#"{"cast": {"performer": "eve"}}"#, "not a request for a single performer"),
        (r#"{"attend": [0, 1]}"#, "attend"),
        (r#"{"act": "gesture", "clip": "no such clip"}"#, "no such clip"),
    ] {
        let message = told.tell(json).expect_err(json).to_string();
        assert!(message.contains(part), "{json}: {message}");
    }
    assert_eq!(told.advance_to(3.0), alone.advance_to(3.0));
    let message = Avatar::read("me.txt", b"hello").unwrap_err().to_string();
    assert!(message.starts_with("me.txt: ") && message.contains("VRM"), "{message}");
    let message = Motions::of_repertoire(b"{}", Default::default()).unwrap_err().to_string();
    assert!(message.contains("version"), "{message}");
}

/// Returns a file with three clips; a repertoire refers to two of them.
fn file_of_clips() -> Vec<u8> {
    let clips: Vec<_> = vivant_mannequin::starter_clips();
    let named = |name: &str| clips.iter().find(|clip| clip.name() == name).unwrap().clone();
    let clips = ["nod", "shake", "wave"].map(named);
    vivant_io::gltf::write_skeleton(&vivant_mannequin::rig(), &clips, &mut Vec::new()).unwrap()
}

fn repertoire(wave: &str) -> String {
    format!(
        r#"{{"version": 1, "stances": [{{"name": "standing", "gestures": [{{"clip": "clips/all.glb#nod"}},
            {{"clip": "{wave}"}}, {{"clip": "builtin#explain"}}]}}]}}"#
    )
}

#[test]
fn a_repertoire_gets_its_clips_from_files() {
    let file = file_of_clips();
    for (wave, part) in [
        ("clips\\\\all.glb#wave", None),
        ("clips/all.glb#wavee", Some("contains no clip `wavee`; did you mean `wave`?")),
        ("clips/all.glb", Some("stances[0].gestures[1].clip: clips/all.glb: contains 3 clips")),
    ] {
        let mut motions = Motions::of_repertoire(repertoire(wave).as_bytes(), Default::default()).unwrap();
        let added = motions.add_file("clips/all.glb", &file);
        assert_eq!(added.is_err(), part.is_some(), "{wave}: {added:?}");
        if let (Err(error), Some(part)) = (added, part) {
            assert!(error.to_string().contains(part), "{error}");
            continue;
        }
        motions.add_file("other.glb", &file).unwrap();
        let mut it = Hosted::new(&avatar(), &motions, &Role::default()).unwrap();
        let warnings: Vec<String> = it.warnings().iter().map(ToString::to_string).collect();
        assert!(
            warnings.contains(
                &"other.glb: the repertoire refers to no clip in this file; remove the file".into()
            )
        );
        it.watch(true);
        it.tell(r#"{"act": "gesture", "clip": "wave", "at": 1}"#).unwrap();
        for frame in 0..180 {
            it.advance_to(f64::from(frame) / 60.0);
        }
        let events = it.take_events();
        assert!(
            events.iter().any(|(_, what)| matches!(what, EventKind::Began { name, .. } if name == "wave"))
        );
    }
    let mut played = Motions::none();
    played.add_file("all.glb", &file).unwrap();
    let mut it = Hosted::new(&avatar(), &played, &Role::default()).unwrap();
    assert_ne!(it.advance_to(1.0).pose(), hosted("").advance_to(1.0).pose());
    let message = played.add_file("face.txt", b"hello").unwrap_err().to_string();
    assert!(message.starts_with("face.txt: "), "{message}");
}

#[test]
fn another_performer_equals_a_new_one() {
    let mut first = hosted("");
    first.tell(r#"{"say": "I was here before."}"#).unwrap();
    first.advance_to(5.0);
    let role = Role::read(r#"{"seed": 9}"#).unwrap();
    let (mut another, mut fresh) = (first.another(&role), hosted(r#"{"seed": 9}"#));
    for frame in 0..120 {
        let t = f64::from(frame) / 10.0;
        assert_eq!(another.advance_to(t), fresh.advance_to(t), "at {t}");
    }
    assert_eq!(another.info(), first.info());
}

#[test]
fn voice_samples_equal_those_in_json() {
    let voice: Vec<i16> = (0..4800).map(|n| ((n * n) % 20_011 - 10_000) as i16).collect();
    let bytes: Vec<u8> = voice.iter().flat_map(|sample| sample.to_le_bytes()).collect();
    let text = vivant_io::json::base64(&bytes);
    let (mut told, mut given) = (hosted(""), hosted(""));
    told.tell(&format!(r#"{{"say": "Hello", "line": "a", "pcm": {{"rate": 24000, "data": "{text}"}}}}"#))
        .unwrap();
    given.tell_with_voice(r#"{"say": "Hello", "line": "a"}"#, 24_000, &voice).unwrap();
    assert_eq!(told.advance_to(0.4), given.advance_to(0.4));
    for (json, rate, part) in [
        (r#"{"blink": true}"#, 24_000, "send a `say`"),
        (r#"{"say": "Hello"}"#, 7, "rate"),
        (r#"{"sey": "Hello"}"#, 24_000, "did you mean `say`"),
    ] {
        let message = given.tell_with_voice(json, rate, &voice).unwrap_err().to_string();
        assert!(message.contains(part), "{json}: {message}");
    }
}
