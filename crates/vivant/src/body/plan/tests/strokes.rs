//! Strokes that arrive at their requested times.

use super::*;

/// An arm gesture whose stroke is at `stroke` seconds.
fn stroking(clip: &str, stroke: f64) -> Action {
    Action { stroke: Some(stroke), ..action(clip) }
}

fn stance(gestures: Vec<Action>) -> Stance {
    Stance { layers: vec![Layer::Arms], gestures, ..Stance::new("relaxed", None) }
}

/// Three beats with strokes after 0.2, 0.6 and 1.1 s.
fn beats() -> Vec<Stance> {
    vec![stance(vec![stroking("quick-800", 0.2), stroking("beat-1600", 0.6), stroking("large-2600", 1.1)])]
}

fn stroke_at(at: f64) -> Intent {
    Intent::Act(Act { stroke_at: Some(at), ..gesture() })
}

fn strokes(run: &Run) -> Vec<(&str, f64)> {
    let name = |placed: &Placed| run.graph.actions()[placed.action].name.as_str();
    run.placed.iter().map(|p| (name(p), (p.began.stroke * 1e6).round() / 1e6)).collect()
}

#[test]
fn every_candidate_strokes_at_the_requested_time() {
    let mut chosen = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let mut run = Run::new(beats(), seed, Rules::default());
        run.intend(stroke_at(5.0));
        run.run_to(20.0);
        let [(name, stroke)] = strokes(&run)[..] else { panic!("{:?}", run.placed) };
        assert_eq!(stroke, 5.0, "{name}");
        let began = run.placed[0].began;
        assert_eq!((began.stroke_wanted, began.candidates), (Some(5.0), 3));
        assert!((began.probability - 1.0 / 3.0).abs() < 1e-12);
        chosen.insert(name.to_owned());
    }
    assert_eq!(chosen.len(), 3, "each is chosen by some seed");
}

#[test]
fn on_short_notice_only_what_is_quick_enough_is_chosen() {
    let check = |notice: f64, expected: &[&str], late: f64| {
        for seed in 0..20 {
            let mut run = Run::new(beats(), seed, Rules::default());
            run.run_to(1.0);
            run.intend(stroke_at(1.0 + notice));
            run.run_to(20.0);
            let [(name, stroke)] = strokes(&run)[..] else { panic!("{:?}", run.dropped) };
            assert!(expected.contains(&name), "{name} on a notice of {notice} s");
            assert!(stroke - 1.0 - notice <= late + 1e-6, "{name} strokes at {stroke}");
        }
    };
    check(1.2, &["quick-800", "beat-1600", "large-2600"], 0.0);
    check(1.06, &["quick-800", "beat-1600", "large-2600"], 0.05);
    check(1.0, &["quick-800", "beat-1600"], 0.0);
    check(0.56, &["quick-800", "beat-1600"], 0.05);
    check(0.5, &["quick-800"], 0.0);
    // No candidate is quick enough: the candidate with the smallest delay is chosen.
    check(0.1, &["quick-800"], 0.1);
    check(-0.04, &["quick-800"], 0.25);
    let mut run = Run::new(beats(), 1, Rules::default());
    run.run_to(1.0);
    run.intend(stroke_at(0.9));
    run.run_to(20.0);
    assert_eq!((run.timeline(), &run.dropped[..]), (vec![], &[(1, DropReason::TooLate)][..]));
}

/// A clip with a long preparation starts early enough, if no other clip matches.
#[test]
fn a_named_clip_starts_as_early_as_necessary() {
    let stances = vec![stance(vec![stroking("slow-4050", 2.5), stroking("quick-800", 0.2)])];
    let mut run = Run::new(stances, 1, Rules::default());
    run.intend(Intent::Act(Act { stroke_at: Some(6.0), clip: Some("slow-4050".into()), ..gesture() }));
    run.run_to(20.0);
    assert_eq!(run.timeline(), [("slow-4050", 3.5, 7.5)]);
}

#[test]
fn an_action_does_not_start_before_its_requested_start() {
    let mut run = Run::new(beats(), 1, Rules::default());
    run.intend(Intent::Act(Act { at: Some(4.5), stroke_at: Some(5.0), ..gesture() }));
    run.run_to(20.0);
    assert_eq!(strokes(&run), [("quick-800", 5.0)]);
    // A change of stance is complete at the requested time of the stroke.
    let mut run = Run::new(three_stances(), 1, Rules::default());
    run.intend(Intent::Act(Act {
        stance: Some("c".into()),
        stroke_at: Some(5.0),
        ..Act::new(Kind::Transition)
    }));
    run.run_to(20.0);
    assert_eq!(run.timeline(), [("ab-1050", 3.0, 4.0), ("bc-1050", 4.0, 5.0)]);
    // An action of another stance also has its stroke at the requested time.
    let mut stances = three_stances();
    stances[2].gestures[0].stroke = Some(0.7);
    let mut run = Run::new(stances, 1, Rules::default());
    run.intend(stroke_at(5.0));
    run.run_to(20.0);
    assert_eq!(run.timeline().last(), Some(&("wave-2050", 4.3, 6.3)));
}

#[test]
fn a_waiting_action_can_be_stopped_and_lower_priorities_continue() {
    // The request is due at 3.9 and is decided then; a stop still removes it.
    let mut run = Run::new(beats(), 1, Rules::default());
    run.intend(Intent::Act(Act { stroke_at: Some(5.0), clip: None, ..gesture() }));
    run.run_to(3.95);
    let waits = run.planner.upcoming(Layer::Arms).first().is_some_and(|meta| meta.decided.is_some());
    let began = run.planner.running(Layer::Arms).is_some();
    assert!(waits || began);
    run.intend(Intent::Stop(Stop { stop: true, ..Stop::default() }));
    run.run_to(20.0);
    assert!(run.placed.iter().all(|placed| placed.to <= 3.95));
    // An action of lower priority is interrupted when the new action starts, not when the new action is chosen.
    for seed in 0..20 {
        let mut run = Run::new(beats(), seed, Rules::default());
        run.act(3.5, Act { clip: Some("large-2600".into()), ..gesture() });
        run.run_to(3.6);
        run.intend(Intent::Act(Act { stroke_at: Some(5.0), priority: 1, ..gesture() }));
        run.run_to(20.0);
        let [first, second] = run.placed[..] else { panic!("{:?}", run.timeline()) };
        assert!((second.began.stroke - 5.0).abs() < 1e-9 && first.to == second.from, "{:?}", run.timeline());
    }
}

/// A word gets a new time: the old request is cancelled, even if its action is already chosen, and a new one is sent.
#[test]
fn a_request_can_be_cancelled_until_it_starts() {
    let mut taken = 0;
    for seed in 0..20 {
        let mut run = Run::new(beats(), seed, Rules::default());
        run.intend(stroke_at(5.0));
        run.run_to(3.91);
        // The action with the longest preparation has started at 3.9 s.
        if run.planner.running(Layer::Arms).is_some() {
            assert!(!run.planner.cancel(1, 3.91));
            continue;
        }
        taken += 1;
        assert!(run.planner.upcoming(Layer::Arms)[0].decided.is_some());
        assert!(run.planner.cancel(1, 3.91) && !run.planner.cancel(1, 3.91));
        run.intend(stroke_at(5.3));
        run.run_to(20.0);
        assert_eq!(run.dropped, [(1, DropReason::Cancelled)]);
        assert_eq!((run.placed.len(), strokes(&run)[0].1), (1, 5.3));
    }
    assert!(taken > 5);
}

/// Beats of a line that follow each other closely all have their strokes at the requested times.
#[test]
fn successive_beats_stroke_at_their_times() {
    let gestures = vec![stroking("a-700", 0.3), stroking("b-650", 0.25), stroking("c-900", 0.4)];
    let mut run = Run::new(vec![stance(gestures)], 3, Rules::default());
    let wanted: Vec<f64> = (0..20).map(|i| 2.0 + 1.1 * f64::from(i)).collect();
    for at in &wanted {
        run.intend(stroke_at(*at));
    }
    run.run_to(60.0);
    assert_eq!(run.placed.len(), wanted.len(), "{:?}", run.dropped);
    for (placed, wanted) in run.placed.iter().zip(wanted) {
        assert!((placed.began.stroke - wanted).abs() < 1e-9, "{placed:?}");
    }
}

/// One stance whose gestures have random durations and strokes.
fn repertoires() -> impl Strategy<Value = Vec<Stance>> {
    let one = (200_u32..5000, 0.0f64..1.0);
    prop::collection::vec(one, 1..8).prop_map(|list| {
        let gesture = |(i, (ms, share)): (usize, (u32, f64))| {
            stroking(&format!("g{i}-{ms}"), share * f64::from(ms) / 1000.0)
        };
        vec![stance(list.into_iter().enumerate().map(gesture).collect())]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Strokes are exact to a microsecond, unless all candidates are so long that a slightly late stroke counts as in
    /// time.
    #[test]
    fn strokes_are_in_time_for_any_repertoire(
        stances in repertoires(), seed: u64, wanted in prop::collection::vec(0.0f64..2.0, 1..12)
    ) {
        let is_slow = stances[0].gestures.iter().filter_map(|it| it.stroke).all(|secs| secs + ON_TIME_SECS > MAX_LEAD_SECS);
        let late = if is_slow { ON_TIME_SECS } else { 1e-6 };
        let mut run = Run::new(stances, seed, Rules::default());
        // Far enough apart for any action to be prepared and to end.
        let times: Vec<f64> = wanted.iter().enumerate().map(|(i, more)| 6.0 + 12.0 * i as f64 + more).collect();
        for at in &times {
            run.intend(stroke_at(*at));
        }
        run.run_to(200.0);
        prop_assert_eq!(&run.dropped, &[]);
        prop_assert_eq!(run.placed.len(), times.len());
        for (placed, wanted) in run.placed.iter().zip(times) {
            prop_assert!((-1e-6..=late).contains(&(placed.began.stroke - wanted)), "{:?}", placed);
        }
    }

    /// For any density of requests: performed actions are never too late, and the rest is reported as dropped.
    #[test]
    fn performed_strokes_are_never_too_late(
        stances in repertoires(), seed: u64, is_lively: bool,
        wanted in prop::collection::vec((0.0f64..30.0, -0.5f64..4.0, -1i32..2), 1..30)
    ) {
        let mut run = Run::new(stances, seed, Rules::default());
        if is_lively {
            run.planner.set_behaviour(0.0, Arc::new(any::lively()));
        }
        let mut wanted = wanted;
        wanted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut ids = Vec::new();
        for (now, ahead, priority) in &wanted {
            run.run_to(*now);
            let act = Act { stroke_at: Some(now + ahead), priority: *priority, ..gesture() };
            ids.push(run.planner.act(&run.graph, &act, run.now).unwrap());
        }
        run.run_to(90.0);
        let asked: Vec<&Placed> = run.placed.iter().filter(|p| p.began.stroke_wanted.is_some()).collect();
        for id in ids {
            let done = asked.iter().filter(|placed| placed.began.id == id).count();
            let dropped = run.dropped.iter().filter(|(dropped, _)| *dropped == id).count();
            prop_assert_eq!(done + dropped, 1, "request {}", id);
        }
        for placed in asked {
            let late = placed.began.stroke - placed.began.stroke_wanted.unwrap();
            prop_assert!((-1e-6..=MAX_LATE_SECS + 1e-6).contains(&late), "{:?}", placed);
        }
    }
}
