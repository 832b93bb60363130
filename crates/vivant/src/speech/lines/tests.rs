use super::*;
use crate::intent::SaidWord;
use crate::speech::pronounce::English;
use proptest::prelude::*;

/// Pause between two sentences at the usual rate, in seconds.
const PAUSE: f64 = 0.5;

/// A line that takes `secs` seconds.
fn lasting(secs: f64) -> Say {
    let word = SaidWord { word: "Well.".into(), start: 0.0, end: Some(secs) };
    Say { words: vec![word], ..Say::new("Well.") }
}

fn add(lines: &mut Lines, now: f64, say: &Say) -> u64 {
    lines.push(say, now, &English::default(), 1.0).expect("a valid line");
    lines.last_updated().expect("a line was added").number()
}

fn times(lines: &Lines) -> Vec<(u64, f64, f64)> {
    lines.iter().map(|line| (line.number(), line.from(), line.until())).collect()
}

#[test]
fn lines_without_a_time_follow_each_other_with_a_pause() {
    let mut lines = Lines::default();
    add(&mut lines, 0.0, &lasting(2.0));
    add(&mut lines, 0.1, &lasting(3.0));
    add(&mut lines, 0.2, &lasting(1.0));
    assert_eq!(times(&lines), [(1, 0.0, 2.0), (2, 2.5, 5.5), (3, 6.0, 7.0)]);
    // A line that arrives just after the previous one ended waits for the rest of the pause.
    add(&mut lines, 7.25, &lasting(1.0));
    add(&mut lines, 12.0, &lasting(1.0));
    assert_eq!(times(&lines)[1..], [(3, 6.0, 7.0), (4, 7.5, 8.5), (5, 12.0, 13.0)]);
}

/// A host that plays its own audio continues with its samples.
#[test]
fn a_line_starts_at_its_time_if_no_other_line_is_active() {
    for (requested_at, starts) in [(2.0, 2.0), (2.2, 2.2), (1.9, 2.1), (1.5, 2.5), (0.3, 2.5), (9.0, 9.0)] {
        let mut lines = Lines::default();
        add(&mut lines, 0.0, &lasting(2.0));
        add(&mut lines, 0.0, &Say { at: Some(requested_at), ..lasting(1.0) });
        assert!(
            (times(&lines)[1].1 - starts).abs() < 1e-12,
            "requested at {requested_at}: {:?}",
            times(&lines)
        );
    }
}

#[test]
fn a_slightly_late_line_starts_at_its_requested_time() {
    for (requested_at, starts) in [(9.95, 9.95), (9.0, 9.0), (8.9, 10.0), (-3.0, 10.0)] {
        let mut lines = Lines::default();
        add(&mut lines, 10.0, &Say { at: Some(requested_at), ..lasting(2.0) });
        assert_eq!(times(&lines), [(1, starts, starts + 2.0)], "requested at {requested_at}");
    }
    let mut lines = Lines::default();
    add(&mut lines, 0.0, &lasting(2.0));
    add(&mut lines, 2.3, &Say { at: Some(1.9), ..lasting(1.0) });
    assert!((times(&lines)[1].1 - 2.1).abs() < 1e-12, "the other line was still being spoken");
}

#[test]
fn lines_are_spoken_in_the_order_of_their_times() {
    let mut lines = Lines::default();
    for at in [9.0, 4.0, 4.0, 0.5] {
        add(&mut lines, 0.0, &Say { at: Some(at), ..lasting(2.0) });
    }
    add(&mut lines, 0.1, &lasting(1.0));
    let order: Vec<u64> = lines.iter().map(Line::number).collect();
    assert_eq!(order, [5, 4, 2, 3, 1]);
}

#[test]
fn changes_in_duration_move_waiting_lines() {
    let mut lines = Lines::default();
    let piece = |say: Say, more| Say { line: Some("a".into()), more, ..say };
    add(&mut lines, 0.0, &piece(lasting(2.0), true));
    add(&mut lines, 0.0, &Say { at: Some(4.0), ..lasting(1.0) });
    assert_eq!(times(&lines)[1].1, 2.0 + HOLD_SECS + PAUSE, "more pieces of the first line may come");
    add(&mut lines, 1.0, &piece(Say { words: lasting(6.0).words, ..Say::default() }, true));
    assert_eq!(times(&lines)[1].1, 6.0 + HOLD_SECS + PAUSE);
    add(&mut lines, 2.0, &piece(Say::default(), false));
    assert_eq!(times(&lines)[1].1, 6.0 + PAUSE);
    add(&mut lines, 2.5, &piece(Say { words: lasting(3.0).words, ..Say::default() }, false));
    assert_eq!(times(&lines)[1].1, 4.0, "its requested time");
    // When a held turn is released late, the next line starts at once.
    let mut lines = Lines::default();
    add(&mut lines, 0.0, &piece(lasting(2.0), true));
    add(&mut lines, 1.0, &lasting(1.0));
    add(&mut lines, 5.0, &piece(Say::default(), false));
    assert_eq!(times(&lines), [(1, 0.0, 2.0), (2, 5.0, 6.0)]);
}

#[test]
fn a_waiting_line_can_be_rescheduled() {
    let mut lines = Lines::default();
    let piece = |at| Say { line: Some("a".into()), more: true, at: Some(at), ..Say::default() };
    add(&mut lines, 0.0, &Say { say: "Well, ".into(), ..piece(3.0) });
    add(&mut lines, 1.0, &piece(4.5));
    assert_eq!(lines.last_updated().map(Line::from), Some(4.5));
    add(&mut lines, 5.0, &piece(8.0));
    assert_eq!(lines.last_updated().map(Line::from), Some(4.5), "it has started");
}

#[test]
fn a_started_line_cuts_off_the_previous_one() {
    let mut lines = Lines::default();
    add(&mut lines, 0.0, &Say { line: Some("a".into()), ..lasting(2.0) });
    add(&mut lines, 0.0, &lasting(3.0));
    let late = Say { line: Some("a".into()), words: lasting(4.0).words, ..Say::default() };
    add(&mut lines, 2.6, &late);
    assert_eq!(times(&lines), [(1, 0.0, 2.5), (2, 2.5, 5.5)]);
    assert!(lines.iter().next().is_some_and(|line| line.phonemes_from(0.0).all(|phoneme| phoneme.to <= 2.5)));
}

#[test]
fn late_timings_update_the_old_line_and_words_start_a_new_one() {
    let mut lines = Lines::default();
    let a = |say: Say| Say { line: Some("a".into()), ..say };
    add(&mut lines, 0.0, &a(lasting(2.0)));
    assert_eq!(add(&mut lines, 2.2, &a(Say { words: lasting(3.0).words, ..Say::default() })), 1);
    assert_eq!(times(&lines), [(1, 0.0, 3.0)], "the line continues");
    assert_eq!(add(&mut lines, 3.4, &a(lasting(1.0))), 2);
    assert_eq!(times(&lines)[1], (2, 3.5, 4.5));
    add(&mut lines, 30.0, &lasting(1.0));
    assert_eq!(times(&lines), [(3, 30.0, 31.0)], "old lines are removed");
}

#[test]
fn a_name_can_be_reused_for_a_line_that_starts_without_words() {
    let mut lines = Lines::default();
    let piece = |say: Say| Say { line: Some("a".into()), ..say };
    add(&mut lines, 0.0, &piece(lasting(2.0)));
    let first = piece(Say { at: Some(4.0), more: true, ..Say::default() });
    assert_eq!(add(&mut lines, 3.0, &first), 2);
    assert_eq!(add(&mut lines, 3.2, &piece(lasting(1.0))), 2);
    assert_eq!(times(&lines), [(1, 0.0, 2.0), (2, 4.0, 5.0)]);
}

#[test]
fn a_stop_drops_waiting_lines_and_new_lines_start_at_the_stop() {
    let mut lines = Lines::default();
    add(&mut lines, 0.0, &lasting(4.0));
    add(&mut lines, 0.0, &lasting(4.0));
    lines.stop(1.0, 1.0);
    assert_eq!(lines.take_dropped().count(), 1);
    add(&mut lines, 1.0, &lasting(2.0));
    assert_eq!(times(&lines), [(1, 0.0, 1.0), (3, 1.0, 3.0)]);
    lines.stop(2.0, 1.2);
    add(&mut lines, 1.5, &lasting(2.0));
    assert_eq!(times(&lines)[2], (4, 2.0, 4.0), "it waits for the requested stop");
}

#[test]
fn there_is_no_pause_after_an_empty_line() {
    let mut lines = Lines::default();
    add(&mut lines, 1.0, &Say::new("[nod]"));
    add(&mut lines, 1.0, &lasting(2.0));
    assert_eq!(times(&lines), [(1, 1.0, 1.0), (2, 1.0, 3.0)]);
}

#[test]
fn an_empty_piece_adds_no_line() {
    let mut lines: Lines = Lines::default();
    for nothing in [Say::new(""), Say { line: Some("a".into()), at: Some(3.0), ..Say::default() }] {
        lines.push(&nothing, 0.0, &English::default(), 1.0).unwrap();
        assert!(lines.last_updated().is_none() && lines.iter().count() == 0);
    }
    add(&mut lines, 0.0, &Say { more: true, ..Say::new("") });
    assert_eq!(times(&lines), [(1, 0.0, HOLD_SECS)], "the line holds the turn");
}

#[test]
fn the_turn_is_held_between_its_lines_and_free_after_them() {
    let mut lines = Lines::default();
    for at in [0.0, 2.8, 9.0] {
        add(&mut lines, 0.0, &Say { at: Some(at), ..lasting(2.0) });
    }
    let span = |at: f64| lines.span(at, 0.5).map(|span| (span.from, span.goes_on));
    assert_eq!(span(1.0), Some((0.0, true)));
    assert_eq!(span(2.5), Some((0.0, true)), "between two lines of a turn");
    assert_eq!(span(3.0), Some((2.8, false)));
    assert_eq!([4.8, 8.4].map(span), [None; 2]);
    assert_eq!(span(8.6), Some((9.0, false)), "about to start");
    assert!(lines.is_on(2.5) && !lines.is_on(8.6));
    let turns: Vec<(bool, bool)> = lines.in_turns().map(|(follows, _, goes_on)| (follows, goes_on)).collect();
    assert_eq!(turns, [(false, true), (true, false), (false, false)]);
}

#[test]
fn too_many_lines_are_rejected() {
    let mut lines: Lines = Lines::default();
    for _ in 0..MAX_LINES {
        lines.push(&Say::new("[nod]"), 0.0, &English::default(), 1.0).unwrap();
    }
    let refused = lines.push(&Say::new("One more."), 0.0, &English::default(), 1.0).unwrap_err().to_string();
    assert!(refused.contains("or send a stop"), "{refused}");
}

#[derive(Clone, Debug)]
enum Input {
    Line { name: Option<u8>, secs: f64, ahead: Option<f64>, more: bool },
    Stop(f64),
}

fn inputs() -> impl Strategy<Value = Vec<(f64, Input)>> {
    let line = (prop::option::of(0..3u8), 0.1..6.0f64, prop::option::of(-2.0..9.0f64), any::<bool>())
        .prop_map(|(name, secs, ahead, more)| Input::Line { name, secs, ahead, more });
    let one = prop_oneof![9 => line, 1 => (0.0..5.0f64).prop_map(Input::Stop)];
    prop::collection::vec((0.0..2.5f64, one), 1..40)
}

proptest! {
    /// For any sequence of pieces: lines do not overlap, keep their order, do not start before they are added, and do
    /// not move once started.
    #[test]
    fn lines_do_not_overlap_and_started_lines_do_not_move(inputs in inputs()) {
        let (mut lines, mut now) = (Lines::<()>::default(), 0.0);
        for (wait, inputs) in inputs {
            now += wait;
            let started: Vec<(u64, f64)> =
                lines.iter().filter(|l| l.from() <= now).map(|l| (l.number(), l.from())).collect();
            match inputs {
                Input::Stop(ahead) => lines.stop(now + ahead, now),
                Input::Line { name, secs, ahead, more } => {
                    let line = name.map(|name| name.to_string());
                    let say = Say { line, more, at: ahead.map(|ahead| now + ahead), ..lasting(secs) };
                    // Text after the end of a line is rejected and changes nothing.
                    let _ = lines.push(&say, now, &English::default(), 1.0);
                }
            }
            for (number, from) in started {
                prop_assert!(lines.get(number).is_none_or(|line| line.from() == from));
            }
            let all: Vec<_> = lines.iter().collect();
            for pair in all.windows(2) {
                let (one, next) = (pair[0], pair[1]);
                let over = one.until().min(one.stops_at);
                prop_assert!(next.from() >= over, "{} until {over}, then {}", one.number(), next.from());
                let has_paused = next.from() >= over + PAUSE || one.stops_at <= one.until() || one.is_cut();
                prop_assert!(next.requested_at.is_some() || has_paused);
            }
            prop_assert!(lines.iter().all(|line| line.from() >= line.wanted));
        }
    }
}
