//! Performers that speak: mouth, breath, eyes and body accompany speech, in pieces or complete, without jumps.

mod stage;

use proptest::prelude::*;
use vivant::body::mood::Feeling;
use vivant::eyes::blinking::Activity;
use vivant::intent::{Be, Intent, SaidWord, Say, Stop};
use vivant::performer::{Floor, Performer, converse};
use vivant::rig::Bone;
use vivant::speech::Viseme;
use vivant::speech::event::{SpeechEvent, SpeechEventKind};

const LINE: &str = "My mother baked bread on Monday, but nobody ever remembers. Would you come and help?";

fn character(seed: u64) -> Performer {
    let mut performer = Performer::new(stage::character(), seed);
    performer.eyes().start_idle_behaviour(0.0);
    performer.breathe(0.0, 1.0);
    performer
}

fn say(performer: &mut Performer, say: Say) {
    performer.intend(&Intent::Say(say)).expect("a valid line");
}

/// Advances in steps of 1/60 s up to a time and returns the speech events.
fn until(performer: &mut Performer, secs: f64) -> Vec<SpeechEvent> {
    let from = performer.frame().time().max(0.0);
    let steps = ((secs - from) * 60.0) as usize;
    for step in 1..=steps {
        performer.advance_to(from + step as f64 / 60.0);
    }
    performer.advance_to(secs);
    performer.take_speech().collect()
}

fn rest(performer: &Performer) -> f32 {
    performer.mouth_shape().map_or(1.0, |shape| shape.weight(Viseme::Sil))
}

#[test]
fn a_line_moves_the_mouth_and_ends() {
    let mut performer = character(1);
    say(&mut performer, Say { at: Some(1.0), ..Say::new(LINE) });
    performer.advance_to(0.8);
    assert_eq!((performer.floor(), rest(&performer)), (Floor::Taking, 1.0));
    performer.advance_to(2.0);
    assert_eq!(performer.floor(), Floor::Speaking);
    assert_eq!(performer.planner().unwrap().activity(), Activity::Speaking);
    let events = until(&mut performer, 20.0);
    assert_eq!(events.first().map(|event| (event.at, event.what)), Some((1.0, SpeechEventKind::Start)));
    let end = events.last().unwrap();
    assert_eq!(end.what, SpeechEventKind::End);
    assert!(events.is_sorted_by(|a, b| a.at <= b.at), "{events:?}");
    let ends = events.iter().filter(|event| matches!(event.what, SpeechEventKind::PhraseEnd(_))).count();
    let stressed =
        events.iter().filter(|event| matches!(event.what, SpeechEventKind::Emphasis { .. })).count();
    assert!(ends == 3 && stressed >= 3, "{events:?}");
    assert_eq!((performer.floor(), rest(&performer)), (Floor::Idle, 1.0));
    assert_eq!(performer.planner().unwrap().activity(), Activity::Idle);
}

#[test]
fn a_line_takes_its_requested_duration() {
    let mut performer = character(1);
    say(&mut performer, Say { duration: Some(30.0), ..Say::new("Hello!") });
    performer.advance_to(29.0);
    assert!(performer.is_speaking());
    let events = until(&mut performer, 31.0);
    assert_eq!(events.last().map(|event| (event.at, event.what)), Some((30.0, SpeechEventKind::End)));
}

#[test]
fn a_turn_is_yielded_before_it_ends() {
    let mut performer = character(1);
    say(&mut performer, Say::new(LINE));
    let end = until(&mut performer.clone(), 20.0).last().unwrap().at;
    performer.advance_to(end - 1.0);
    assert_eq!(performer.floor(), Floor::Yielding);
}

#[test]
fn stop_closes_the_mouth_and_ends_gestures_within_200_ms() {
    for (seed, at) in (0..40u32).map(|n| (u64::from(n), 1.0 + 0.11 * f64::from(n))) {
        let mut performer = character(seed);
        performer.set_behaviour(0.0, stage::restless());
        say(&mut performer, Say::new(LINE));
        until(&mut performer, at);
        performer.intend(&Intent::Stop(Stop { stop: true, ..Stop::default() })).unwrap();
        performer.advance_to(at + 0.2);
        assert_eq!(rest(&performer), 1.0, "at {at}");
        let planner = performer.planner().unwrap();
        assert!(vivant::body::layers::Layer::ALL.iter().all(|layer| planner.running(*layer).is_none()));
        let events: Vec<_> = performer.take_speech().collect();
        assert_eq!(
            events.last().map(|event| (event.at, event.what)),
            Some((at, SpeechEventKind::Interrupted))
        );
        assert!(!performer.is_speaking());
    }
}

#[test]
fn an_unfinished_line_holds_the_turn_and_continues() {
    let mut performer = character(3);
    let piece = |text: &str, more| Say { line: Some("a".into()), more, ..Say::new(text) };
    say(&mut performer, piece("Well, the thing is ", true));
    let events = until(&mut performer, 4.0);
    assert_eq!(performer.floor(), Floor::Holding);
    assert!(events.iter().any(|event| event.what == SpeechEventKind::Hold), "{events:?}");
    assert_eq!(performer.planner().unwrap().activity(), Activity::Speaking);
    say(&mut performer, piece("that I do not know.", false));
    performer.advance_to(4.3);
    assert!(rest(&performer) < 0.9, "late text is spoken on arrival");
    let events = until(&mut performer, 9.0);
    assert_eq!(events.last().map(|event| event.what), Some(SpeechEventKind::End));
    assert!(events.iter().all(|event| event.at >= 4.0), "{events:?}");
}

#[test]
fn a_held_turn_ends_after_a_while() {
    let mut performer = character(3);
    say(&mut performer, Say { line: Some("a".into()), more: true, ..Say::new("Well, ") });
    let events = until(&mut performer, 15.0);
    assert_eq!(events.last().map(|event| event.what), Some(SpeechEventKind::End));
    assert_eq!((performer.floor(), performer.planner().unwrap().activity()), (Floor::Idle, Activity::Idle));
}

#[test]
fn tags_are_performed_and_unknown_ones_are_reported() {
    let mut performer = character(4);
    say(&mut performer, Say::new("[positive] Yes, [blink] I [look:left] see. [dance] Fine. [smile] Good."));
    let remarks = performer.take_warnings();
    assert_eq!(remarks.len(), 1, "{remarks:?}");
    assert!(remarks[0].contains("[dance]: unknown tag `dance`; did you mean `stance`?"), "{remarks:?}");
    let mut most_left: f64 = 0.0;
    for n in 0..180 {
        performer.advance_to(f64::from(n) / 60.0);
        most_left = most_left.max(performer.gaze().unwrap().gaze.x);
    }
    let feeling = |performer: &mut Performer, at| {
        performer.advance_to(at);
        performer.mood().feeling()
    };
    assert_eq!(feeling(&mut performer, 4.5), Feeling::Happy);
    assert_eq!(feeling(&mut performer, 8.0), Feeling::Neutral, "a smile ends");
    let acted = performer.take_notes().any(|note| format!("{note:?}").contains("Began"));
    assert!(acted && most_left > 0.3, "{most_left}");
}

#[test]
fn a_listener_reacts_and_then_answers() {
    let (mut one, mut other) = (character(5), character(6));
    say(&mut one, Say::new(LINE));
    let (mut listened, mut answered) = (false, false);
    for n in 0..1800 {
        let t = f64::from(n) / 60.0;
        one.advance_to(t);
        other.advance_to(t);
        converse(&mut one, &mut other);
        listened |= other.floor() == Floor::Listening;
        if listened && !answered && other.floor() == Floor::Idle {
            answered = true;
            say(&mut other, Say { at: Some(t + 0.4), ..Say::new("Of course I will.") });
        }
    }
    assert!(listened && answered);
    assert_eq!((one.floor(), other.floor()), (Floor::Idle, Floor::Idle));
}

/// Returns the speech events up to a time, without emphases.
fn events_without_emphasis(performer: &mut Performer, secs: f64) -> Vec<(f64, SpeechEventKind)> {
    let events = until(performer, secs).into_iter().map(|event| (event.at, event.what));
    events.filter(|(_, what)| !matches!(what, SpeechEventKind::Emphasis { .. })).collect()
}

#[test]
fn lines_sent_at_once_form_one_turn() {
    let mut performer = character(9);
    for sentence in ["First there is this. ", "Then comes that, which takes longer. ", "And now it is over."]
    {
        say(&mut performer, Say::new(sentence));
    }
    let lines: Vec<_> = performer.lines().collect();
    assert!(lines.windows(2).all(|pair| pair[1].from == pair[0].until + 0.5), "{lines:?}");
    let mut at_rest = performer.clone();
    for line in &lines {
        at_rest.advance_to(line.until + 0.2);
        assert_eq!(rest(&at_rest), 1.0, "the mouth rests between two lines");
        let is_last = line.line == 3;
        assert_eq!(at_rest.floor(), if is_last { Floor::Idle } else { Floor::Speaking });
        assert_eq!(at_rest.is_speaking(), !is_last);
        let activity = at_rest.planner().unwrap().activity();
        assert_eq!(activity, if is_last { Activity::Idle } else { Activity::Speaking });
    }
    let events = events_without_emphasis(&mut performer, 30.0);
    let of = |what: SpeechEventKind| {
        events.iter().filter(|(_, other)| *other == what).map(|(at, _)| *at).collect::<Vec<_>>()
    };
    assert_eq!((of(SpeechEventKind::Start), of(SpeechEventKind::End)), (vec![0.0], vec![lines[2].until]));
    let ends = events.iter().filter(|(_, what)| matches!(what, SpeechEventKind::PhraseEnd(_))).count();
    assert_eq!(ends, 4, "{events:?}");
}

/// Sentences sent one by one are as fluent as one line with all of them.
#[test]
fn separate_sentences_are_timed_like_one_line() {
    let (mut whole, mut lines) = (character(9), character(9));
    let sentences =
        ["My mother baked bread on Monday. ", "Nobody ever remembers. ", "Would you come and help?"];
    say(&mut whole, Say::new(sentences.concat()));
    for (n, sentence) in sentences.into_iter().enumerate() {
        lines.advance_to(n as f64 * 0.3);
        say(&mut lines, Say::new(sentence));
    }
    let shape = |performer: &mut Performer, t: f64| {
        performer.advance_to(t);
        *performer.mouth_shape().unwrap().weights()
    };
    for n in 37..600 {
        let t = f64::from(n) / 60.0;
        for (a, b) in shape(&mut whole, t).iter().zip(shape(&mut lines, t)) {
            // The stress of a sentence's last word may differ, and with it the duration of its vowel.
            assert!((a - b).abs() < 1e-5, "at {t}: {a} and {b}");
        }
    }
}

#[test]
fn a_line_waits_for_an_unfinished_line() {
    let mut performer = character(3);
    let piece = |text: &str, more| Say { line: Some("a".into()), more, ..Say::new(text) };
    say(&mut performer, piece("Well, the thing is ", true));
    say(&mut performer, Say { at: Some(2.0), ..Say::new("So be it.") });
    let starts = |performer: &Performer| performer.lines().nth(1).unwrap().from;
    assert!(starts(&performer) > 8.0, "the turn is held");
    until(&mut performer, 4.0);
    assert_eq!(performer.floor(), Floor::Holding);
    say(&mut performer, piece("that I do not know. ", true));
    say(&mut performer, piece("", false));
    let first = performer.lines().next().unwrap();
    assert_eq!(starts(&performer), first.until + 0.5);
    let events = events_without_emphasis(&mut performer, 20.0);
    let ends: Vec<_> = events.iter().filter(|(_, what)| *what == SpeechEventKind::End).collect();
    assert_eq!(ends.len(), 1, "{events:?}");
    assert!(ends[0].0 > first.until + 0.5);
    assert_eq!(performer.planner().unwrap().activity(), Activity::Idle);
}

#[test]
fn a_new_line_starts_at_once_after_a_stop() {
    let mut performer = character(5);
    say(&mut performer, Say::new(LINE));
    say(&mut performer, Say::new("And something else."));
    until(&mut performer, 2.0);
    performer.intend(&Intent::Stop(Stop { stop: true, ..Stop::default() })).unwrap();
    say(&mut performer, Say::new("Oh, I beg your pardon."));
    assert_eq!(performer.lines().map(|line| line.line).collect::<Vec<_>>(), [1, 3]);
    performer.advance_to(2.2);
    assert!(rest(&performer) < 0.9 && performer.is_speaking());
    assert_eq!(performer.planner().unwrap().activity(), Activity::Speaking);
    let events = events_without_emphasis(&mut performer, 12.0);
    let [broken, started] = [SpeechEventKind::Interrupted, SpeechEventKind::Start]
        .map(|what| events.iter().position(|(_, other)| *other == what));
    assert!(broken < started && broken.is_some(), "{events:?}");
    assert_eq!(events.last().map(|(_, what)| *what), Some(SpeechEventKind::End));
    assert_eq!(performer.planner().unwrap().activity(), Activity::Idle);
}

#[test]
fn a_scheduled_stop_ends_only_earlier_lines() {
    let mut performer = character(5);
    say(&mut performer, Say { duration: Some(6.0), ..Say::new("This takes long.") });
    performer.intend(&Intent::Stop(Stop { stop: true, at: Some(3.0), ..Stop::default() })).unwrap();
    say(&mut performer, Say { at: Some(5.0), ..Say::new("This is said after it.") });
    let events = events_without_emphasis(&mut performer, 12.0);
    let times = |wanted: SpeechEventKind| {
        events.iter().filter(|(_, what)| *what == wanted).map(|(at, _)| *at).collect::<Vec<_>>()
    };
    assert_eq!(
        (times(SpeechEventKind::Start), times(SpeechEventKind::Interrupted)),
        (vec![0.0, 5.0], vec![3.0]),
        "{events:?}"
    );
    assert_eq!(times(SpeechEventKind::End).len(), 1);
}

#[test]
fn a_character_without_a_repertoire_can_be_interrupted_too() {
    let mut performer = stage::performer(3);
    say(&mut performer, Say::new(LINE));
    until(&mut performer, 2.0);
    performer.intend(&Intent::Stop(Stop { stop: true, ..Stop::default() })).unwrap();
    performer.advance_to(2.2);
    assert!(rest(&performer) == 1.0 && !performer.is_speaking());
}

/// Words that arrive slightly late from a voice that is slower than estimated.
#[test]
fn late_timings_extend_a_finished_line() {
    let mut performer = character(5);
    let a = |say: Say| Say { line: Some("a".into()), ..say };
    say(&mut performer, a(Say::new("I see.")));
    let end = performer.lines().next().unwrap().until;
    until(&mut performer, end + 0.1);
    assert!(!performer.is_speaking());
    let word = |word: &str, start: f64, end: f64| SaidWord { word: word.into(), start, end: Some(end) };
    say(
        &mut performer,
        a(Say { words: vec![word("I", 0.1, 0.3), word("see", 0.4, end + 0.6)], ..Say::default() }),
    );
    let events = events_without_emphasis(&mut performer, 5.0);
    assert_eq!(events.last(), Some(&(end + 0.6, SpeechEventKind::End)), "{events:?}");
}

/// Audio that is already playing when its line arrives.
#[test]
fn a_late_line_causes_no_jump() {
    let mut performer = character(5);
    performer.set_behaviour(0.0, stage::restless());
    let before = until(&mut performer, 2.0);
    say(&mut performer, Say { at: Some(1.6), ..Say::new(LINE) });
    let still = performer.frame().clone();
    let next = performer.advance_to(2.001).clone();
    for bone in Bone::ALL {
        let turned = vivant::math::angle_between(still.rotation(bone), next.rotation(bone));
        assert!(turned < 0.01, "{bone:?} turned by {turned}");
    }
    let events = events_without_emphasis(&mut performer, 3.0);
    assert_eq!((before.len(), events[0]), (0, (2.0, SpeechEventKind::Start)), "{events:?}");
    assert_eq!(performer.lines().next().map(|line| line.from), Some(1.6));
}

/// In long speech, gaze aversion is as frequent in lines of one sentence each as in one line.
#[test]
fn gaze_aversion_depends_on_the_turn_not_the_line() {
    let sentence = "This is a sentence that takes about three seconds to say. ";
    let shares = [1, 20].map(|lines| {
        let mut away = [0.0; 2];
        for seed in 0..40 {
            let mut performer = character(seed);
            for _ in 0..lines {
                say(&mut performer, Say::new(sentence.repeat(20 / lines)));
            }
            let end = performer.lines().last().unwrap().until;
            let glances: Vec<_> = performer.aversions().copied().collect();
            assert!(glances.windows(2).all(|pair| pair[1].from - pair[0].to > 0.399), "{glances:?}");
            let secs: f64 = glances.iter().map(|glance| glance.to.min(end) - glance.from.max(0.0)).sum();
            away = [away[0] + secs, away[1] + end];
            assert!(glances.last().unwrap().to < end - 0.5, "the turn is yielded");
        }
        away[0] / away[1]
    });
    assert!((shares[0] - shares[1]).abs() < 0.05, "{shares:?}");
}

/// Pieces of a line with their arrival times.
fn pieces() -> impl Strategy<Value = Vec<(f64, Say)>> {
    let text: Vec<&str> = LINE.split_inclusive(' ').collect();
    let cuts = prop::collection::vec((0.01..0.9f64, 1usize..6, any::<bool>()), 1..14);
    (cuts, 0.0..2.0f64).prop_map(move |(cuts, first)| {
        let (mut at, mut from, mut all) = (first, 0, Vec::new());
        for (wait, words, is_timed) in cuts {
            let to = (from + words).min(text.len());
            let mut say = Say { line: Some("a".into()), more: true, ..Say::new(text[from..to].concat()) };
            if is_timed {
                let word = |n: usize| SaidWord {
                    word: text[n].trim().into(),
                    start: 0.35 * n as f64,
                    end: Some(0.35 * n as f64 + 0.3),
                };
                say.words = (0..to).map(word).collect();
            }
            all.push((at, say));
            (at, from) = (at + wait, to);
        }
        all.push((at, Say { line: Some("a".into()), ..Say::new(text[from..].concat()) }));
        all
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_line_in_pieces_causes_no_mouth_jump(pieces in pieces(), stop in prop::option::of(0.5..8.0f64)) {
        let mut performer = character(7);
        let mut pieces = pieces.into_iter().peekable();
        let mut before: Option<[f32; 15]> = None;
        for n in 0..2400 {
            let t = f64::from(n) / 240.0;
            while let Some((_, say)) = pieces.next_if(|(at, _)| *at <= t) {
                performer.intend(&Intent::Say(say)).unwrap();
            }
            if stop.is_some_and(|stop| (stop..stop + 1.0 / 240.0).contains(&t)) {
                performer.intend(&Intent::Stop(Stop { stop: true, ..Stop::default() })).unwrap();
            }
            performer.advance_to(t);
            let shape = performer.mouth_shape().map(|shape| *shape.weights());
            if let (Some(now), Some(before)) = (shape, before) {
                for (a, b) in now.iter().zip(before) {
                    // Lips that open as fast as possible go from 0 to 1 in 70 ms.
                    prop_assert!((a - b).abs() < 0.2, "{a} after {b} at {t}");
                }
            }
            before = shape;
        }
    }

    #[test]
    fn speech_is_bit_identical_at_any_frame_rate(pieces in pieces(), seed in 0u64..99) {
        let hash = |fps: u32| {
            let mut performer = character(seed);
            performer.set_behaviour(0.0, stage::restless());
            let mut pieces = pieces.iter().peekable();
            let mut hash = 0;
            for n in 0..=8 * fps {
                let t = f64::from(n) / f64::from(fps);
                while let Some((at, say)) = pieces.next_if(|(at, _)| *at <= t) {
                    performer.advance_to(*at);
                    performer.intend(&Intent::Say(say.clone())).unwrap();
                }
                let frame = performer.advance_to(t);
                if n % (fps / 6) == 0 {
                    hash = stage::fold(hash, frame);
                }
            }
            hash
        };
        prop_assert_eq!(hash(30), hash(144));
    }
}

#[test]
fn the_activity_returns_after_a_line() {
    let mut performer = character(8);
    performer.intend(&Intent::Be(Be { be: Activity::Listening, ..Be::default() })).unwrap();
    say(&mut performer, Say { at: Some(0.5), ..Say::new("I see.") });
    performer.advance_to(0.8);
    assert_eq!(performer.planner().unwrap().activity(), Activity::Speaking);
    performer.advance_to(5.0);
    assert_eq!(performer.floor(), Floor::Listening);
}
