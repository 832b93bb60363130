use super::*;
use crate::intent::SaidWord;
use crate::speech::pronounce::English;
use proptest::prelude::*;

/// The pause between two sentences at the usual pace.
const PAUSE: f64 = 0.5;

/// A line that takes so many seconds.
fn lasting(secs: f64) -> Say {
    let word = SaidWord { word: "Well.".into(), start: 0.0, end: Some(secs) };
    Say { words: vec![word], ..Say::new("Well.") }
}

fn tell(lines: &mut Lines, now: f64, say: &Say) -> u64 {
    lines.take(say, now, &English::default(), 1.0).expect("a sound line");
    lines.last_told().expect("it was told").number()
}

fn times(lines: &Lines) -> Vec<(u64, f64, f64)> {
    lines.iter().map(|line| (line.number(), line.from(), line.until())).collect()
}

#[test]
fn lines_without_a_time_follow_each_other_with_a_pause() {
    let mut lines = Lines::default();
    tell(&mut lines, 0.0, &lasting(2.0));
    tell(&mut lines, 0.1, &lasting(3.0));
    tell(&mut lines, 0.2, &lasting(1.0));
    assert_eq!(times(&lines), [(1, 0.0, 2.0), (2, 2.5, 5.5), (3, 6.0, 7.0)]);
    // What comes when the voice has just ended waits for the rest of the pause.
    tell(&mut lines, 7.25, &lasting(1.0));
    tell(&mut lines, 12.0, &lasting(1.0));
    assert_eq!(times(&lines)[1..], [(3, 6.0, 7.0), (4, 7.5, 8.5), (5, 12.0, 13.0)]);
}

/// A voice of one's own goes on when its samples do.
#[test]
fn a_line_with_a_time_begins_then_if_the_voice_is_free() {
    for (asked, begins) in [(2.0, 2.0), (2.2, 2.2), (1.9, 2.1), (1.5, 2.5), (0.3, 2.5), (9.0, 9.0)] {
        let mut lines = Lines::default();
        tell(&mut lines, 0.0, &lasting(2.0));
        tell(&mut lines, 0.0, &Say { at: Some(asked), ..lasting(1.0) });
        assert!((times(&lines)[1].1 - begins).abs() < 1e-12, "asked for {asked}: {:?}", times(&lines));
    }
}

#[test]
fn what_is_told_a_moment_too_late_has_begun_when_it_should_have() {
    for (asked, begins) in [(9.95, 9.95), (9.0, 9.0), (8.9, 10.0), (-3.0, 10.0)] {
        let mut lines = Lines::default();
        tell(&mut lines, 10.0, &Say { at: Some(asked), ..lasting(2.0) });
        assert_eq!(times(&lines), [(1, begins, begins + 2.0)], "asked for {asked}");
    }
    let mut lines = Lines::default();
    tell(&mut lines, 0.0, &lasting(2.0));
    tell(&mut lines, 2.3, &Say { at: Some(1.9), ..lasting(1.0) });
    assert!((times(&lines)[1].1 - 2.1).abs() < 1e-12, "the other one was still being said");
}

#[test]
fn lines_are_said_in_the_order_of_their_times() {
    let mut lines = Lines::default();
    for at in [9.0, 4.0, 4.0, 0.5] {
        tell(&mut lines, 0.0, &Say { at: Some(at), ..lasting(2.0) });
    }
    tell(&mut lines, 0.1, &lasting(1.0));
    let order: Vec<u64> = lines.iter().map(Line::number).collect();
    assert_eq!(order, [5, 4, 2, 3, 1]);
}

#[test]
fn what_grows_pushes_back_what_waits_and_what_is_shorter_lets_it_begin_sooner() {
    let mut lines = Lines::default();
    let piece = |say: Say, more| Say { line: Some("a".into()), more, ..say };
    tell(&mut lines, 0.0, &piece(lasting(2.0), true));
    tell(&mut lines, 0.0, &Say { at: Some(4.0), ..lasting(1.0) });
    assert_eq!(times(&lines)[1].1, 2.0 + HOLDS_SECS + PAUSE, "more of the first one may come");
    tell(&mut lines, 1.0, &piece(Say { words: lasting(6.0).words, ..Say::default() }, true));
    assert_eq!(times(&lines)[1].1, 6.0 + HOLDS_SECS + PAUSE);
    tell(&mut lines, 2.0, &piece(Say::default(), false));
    assert_eq!(times(&lines)[1].1, 6.0 + PAUSE);
    tell(&mut lines, 2.5, &piece(Say { words: lasting(3.0).words, ..Say::default() }, false));
    assert_eq!(times(&lines)[1].1, 4.0, "it was asked for then");
    // A floor that is given up late is free at once.
    let mut lines = Lines::default();
    tell(&mut lines, 0.0, &piece(lasting(2.0), true));
    tell(&mut lines, 1.0, &lasting(1.0));
    tell(&mut lines, 5.0, &piece(Say::default(), false));
    assert_eq!(times(&lines), [(1, 0.0, 2.0), (2, 5.0, 6.0)]);
}

#[test]
fn a_line_that_waits_may_be_told_for_another_time() {
    let mut lines = Lines::default();
    let piece = |at| Say { line: Some("a".into()), more: true, at: Some(at), ..Say::default() };
    tell(&mut lines, 0.0, &Say { say: "Well, ".into(), ..piece(3.0) });
    tell(&mut lines, 1.0, &piece(4.5));
    assert_eq!(lines.last_told().map(Line::from), Some(4.5));
    tell(&mut lines, 5.0, &piece(8.0));
    assert_eq!(lines.last_told().map(Line::from), Some(4.5), "it has begun");
}

#[test]
fn who_has_begun_ends_the_one_before_whatever_becomes_known_of_it() {
    let mut lines = Lines::default();
    tell(&mut lines, 0.0, &Say { line: Some("a".into()), ..lasting(2.0) });
    tell(&mut lines, 0.0, &lasting(3.0));
    let late = Say { line: Some("a".into()), words: lasting(4.0).words, ..Say::default() };
    tell(&mut lines, 2.6, &late);
    assert_eq!(times(&lines), [(1, 0.0, 2.5), (2, 2.5, 5.5)]);
    assert!(lines.iter().next().is_some_and(|line| line.sounds_from(0.0).all(|sound| sound.to <= 2.5)));
}

#[test]
fn times_that_come_too_late_belong_to_the_old_line_and_words_to_a_new_one() {
    let mut lines = Lines::default();
    let a = |say: Say| Say { line: Some("a".into()), ..say };
    tell(&mut lines, 0.0, &a(lasting(2.0)));
    assert_eq!(tell(&mut lines, 2.2, &a(Say { words: lasting(3.0).words, ..Say::default() })), 1);
    assert_eq!(times(&lines), [(1, 0.0, 3.0)], "it goes on");
    assert_eq!(tell(&mut lines, 3.4, &a(lasting(1.0))), 2);
    assert_eq!(times(&lines)[1], (2, 3.5, 4.5));
    tell(&mut lines, 30.0, &lasting(1.0));
    assert_eq!(times(&lines), [(3, 30.0, 31.0)], "what is long over is forgotten");
}

#[test]
fn a_stop_forgets_what_waits_and_what_is_told_after_it_begins_then() {
    let mut lines = Lines::default();
    tell(&mut lines, 0.0, &lasting(4.0));
    tell(&mut lines, 0.0, &lasting(4.0));
    lines.stop(1.0, 1.0);
    assert_eq!(lines.take_dropped().count(), 1);
    tell(&mut lines, 1.0, &lasting(2.0));
    assert_eq!(times(&lines), [(1, 0.0, 1.0), (3, 1.0, 3.0)]);
    lines.stop(2.0, 1.2);
    tell(&mut lines, 1.5, &lasting(2.0));
    assert_eq!(times(&lines)[2], (4, 2.0, 4.0), "it waits for a stop that is to come");
}

#[test]
fn nobody_pauses_behind_a_line_that_says_nothing() {
    let mut lines = Lines::default();
    tell(&mut lines, 1.0, &Say::new("[nod]"));
    tell(&mut lines, 1.0, &lasting(2.0));
    assert_eq!(times(&lines), [(1, 1.0, 1.0), (2, 1.0, 3.0)]);
}

#[test]
fn nothing_is_no_line() {
    let mut lines: Lines = Lines::default();
    for nothing in [Say::new(""), Say { line: Some("a".into()), at: Some(3.0), ..Say::default() }] {
        lines.take(&nothing, 0.0, &English::default(), 1.0).unwrap();
        assert!(lines.last_told().is_none() && lines.iter().count() == 0);
    }
    tell(&mut lines, 0.0, &Say { more: true, ..Say::new("") });
    assert_eq!(times(&lines), [(1, 0.0, HOLDS_SECS)], "who will say something has the floor");
}

#[test]
fn the_floor_is_held_within_a_turn_and_free_between_turns() {
    let mut lines = Lines::default();
    for at in [0.0, 2.8, 9.0] {
        tell(&mut lines, 0.0, &Say { at: Some(at), ..lasting(2.0) });
    }
    let span = |at: f64| lines.span(at, 0.5).map(|span| (span.from, span.goes_on));
    assert_eq!(span(1.0), Some((0.0, true)));
    assert_eq!(span(2.5), Some((0.0, true)), "between two lines of a turn");
    assert_eq!(span(3.0), Some((2.8, false)));
    assert_eq!([4.8, 8.4].map(span), [None; 2]);
    assert_eq!(span(8.6), Some((9.0, false)), "about to begin");
    assert!(lines.is_on(2.5) && !lines.is_on(8.6));
    let turns: Vec<(bool, bool)> = lines.in_turns().map(|(follows, _, goes_on)| (follows, goes_on)).collect();
    assert_eq!(turns, [(false, true), (true, false), (false, false)]);
}

#[test]
fn too_many_lines_are_refused() {
    let mut lines: Lines = Lines::default();
    for _ in 0..MAX_LINES {
        lines.take(&Say::new("[nod]"), 0.0, &English::default(), 1.0).unwrap();
    }
    let refused = lines.take(&Say::new("One more."), 0.0, &English::default(), 1.0).unwrap_err().to_string();
    assert!(refused.contains("say stop first"), "{refused}");
}

#[derive(Clone, Debug)]
enum Told {
    Line { name: Option<u8>, secs: f64, ahead: Option<f64>, more: bool },
    Stop(f64),
}

fn told() -> impl Strategy<Value = Vec<(f64, Told)>> {
    let line = (prop::option::of(0..3u8), 0.1..6.0f64, prop::option::of(-2.0..9.0f64), any::<bool>())
        .prop_map(|(name, secs, ahead, more)| Told::Line { name, secs, ahead, more });
    let one = prop_oneof![9 => line, 1 => (0.0..5.0f64).prop_map(Told::Stop)];
    prop::collection::vec((0.0..2.5f64, one), 1..40)
}

proptest! {
    /// Whatever is told: one line at a time, each in its order, none before it is told, and none that has begun moves.
    #[test]
    fn no_two_lines_are_said_at_once_and_none_that_has_begun_moves(told in told()) {
        let (mut lines, mut now) = (Lines::<()>::default(), 0.0);
        for (wait, told) in told {
            now += wait;
            let begun: Vec<(u64, f64)> =
                lines.iter().filter(|l| l.from() <= now).map(|l| (l.number(), l.from())).collect();
            match told {
                Told::Stop(ahead) => lines.stop(now + ahead, now),
                Told::Line { name, secs, ahead, more } => {
                    let line = name.map(|name| name.to_string());
                    let say = Say { line, more, at: ahead.map(|ahead| now + ahead), ..lasting(secs) };
                    // Text behind the end of a line is refused, and changes nothing.
                    let _ = lines.take(&say, now, &English::default(), 1.0);
                }
            }
            for (number, from) in begun {
                prop_assert!(lines.get(number).is_none_or(|line| line.from() == from));
            }
            let all: Vec<_> = lines.iter().collect();
            for pair in all.windows(2) {
                let (one, next) = (pair[0], pair[1]);
                let over = one.until().min(one.stops_at);
                prop_assert!(next.from() >= over, "{} until {over}, then {}", one.number(), next.from());
                let has_paused = next.from() >= over + PAUSE || one.stops_at <= one.until() || one.is_cut();
                prop_assert!(next.asked.is_some() || has_paused);
            }
            prop_assert!(lines.iter().all(|line| line.from() >= line.wanted));
        }
    }
}
