//! Unusual requests: named transitions, lines and stops, late changes of stance.

use super::*;

fn to(name: &str, clip: &str) -> Transition {
    Transition { blend_out: 0.0, ..Transition::new(name, Some(clip.into())) }
}

fn stance_by(name: &str, at: f64) -> Intent {
    Intent::Stance(ToStance { stance: name.into(), at: Some(at), priority: 0 })
}

#[test]
fn a_transition_from_another_stance_is_played_after_the_path_to_it() {
    let mut stances = three_stances();
    stances[1].transitions[0].tags = vec!["proud".into()];
    let acts = [
        Act { clip: Some("bc-1050".into()), ..gesture() },
        Act { clip: Some("bc-1050".into()), ..Act::new(Kind::Transition) },
        Act { tags: vec!["proud".into()], ..Act::new(Kind::Transition) },
    ];
    for act in acts {
        let mut run = Run::new(stances.clone(), 1, Rules::default());
        run.act(1.0, act.clone());
        run.run_to(20.0);
        assert_eq!(run.timeline(), [("ab-1050", 1.0, 2.0), ("bc-1050", 2.0, 3.0)], "{act:?}");
        assert_eq!(run.dropped, [], "{act:?}");
    }
    // The clip starts in a stance that is two transitions away.
    let mut run = Run::new(stances, 1, Rules::default());
    run.act(1.0, Act { clip: Some("cb-1050".into()), ..gesture() });
    let names: Vec<String> = run.run_to(20.0).timeline().iter().map(|(n, ..)| (*n).to_owned()).collect();
    assert_eq!(names, ["ab-1050", "bc-1050", "cb-1050"]);
}

#[test]
fn a_stance_change_may_use_transitions_of_likelihood_zero() {
    let mut stances = three_stances();
    stances[0].transitions[0].likelihood = 0.0;
    let mut run = Run::new(stances.clone(), 1, Rules::default());
    run.intend(stance_by("b", 1.0));
    assert_eq!(run.run_to(20.0).timeline(), [("ab-1050", 1.0, 2.0)]);
    // If there is another transition, that one is chosen.
    stances[0].transitions.push(to("b", "other-1050"));
    for seed in 0..20 {
        let mut run = Run::new(stances.clone(), seed, Rules::default());
        run.intend(stance_by("b", 1.0));
        assert_eq!(run.run_to(20.0).timeline(), [("other-1050", 1.0, 2.0)]);
    }
}

#[test]
fn a_transition_ends_before_a_higher_priority_starts() {
    let mut stances = three_stances();
    stances[0].transitions.push(to("b", "slow-6050"));
    stances[0].gestures = vec![action("beat-1050")];
    for seed in 0..50 {
        let mut run = Run::new(stances.clone(), seed, Rules::PAPER);
        run.intend(stance_by("b", 0.0));
        run.act(2.0, Act { clip: Some("wave-2050".into()), priority: 1, ..gesture() });
        run.run_to(20.0);
        assert_eq!(run.timeline()[0], ("ab-1050", 0.0, 1.0), "seed {seed}");
    }
}

#[test]
fn a_stance_change_without_time_is_made_afterwards() {
    let mut stances = three_stances();
    stances[0].gestures = vec![action("beat-1050")];
    for start in [1.0, 1.4, 1.96, 1.99, 2.0] {
        let mut run = Run::new(stances.clone(), 1, Rules::default());
        run.intend(stance_by("b", start));
        run.act(2.0, Act { clip: Some("beat-1050".into()), priority: 1, ..gesture() });
        run.run_to(20.0);
        let first_or_last = if start == 1.0 { 1.0 } else { 3.0 };
        let taken = run.timeline().into_iter().find(|(name, ..)| *name == "ab-1050");
        assert_eq!(taken, Some(("ab-1050", first_or_last, first_or_last + 1.0)), "asked for at {start}");
    }
}

#[test]
fn stop_also_drops_lines() {
    let mut run = Run::new(three_stances(), 1, Rules::default());
    let say = |at: f64| {
        Intent::Say(Say { say: "Hello.".into(), at: Some(at), duration: Some(2.0), ..Say::default() })
    };
    run.intend(say(1.0));
    run.intend(say(4.0));
    run.run_to(1.5);
    assert_eq!(run.planner.activity(), Activity::Speaking);
    run.intend(Intent::Stop(Stop { stop: true, ..Stop::default() }));
    run.intend(say(8.0));
    for (t, expected) in [(1.6, Activity::Idle), (5.0, Activity::Idle), (9.0, Activity::Speaking)] {
        assert_eq!(run.run_to(t).planner.activity(), expected, "at {t}");
    }
}

#[test]
fn spontaneous_gestures_never_change_the_stance() {
    let mut stances = three_stances();
    stances[0].gestures = vec![action("long-9050")];
    stances[1].gestures = vec![action("short-350")];
    stances[0].transitions[0] = Transition { clip: None, blend_in: 0.6, ..to("b", "-1") };
    for gesture in stances.iter_mut().flat_map(|stance| &mut stance.gestures) {
        (gesture.hand, gesture.layers) = (Some(Hand::Right), vec![Layer::Arms]);
    }
    for seed in 0..50 {
        let mut run = Run::new(stances.clone(), seed, Rules::default());
        run.planner.set_behaviour(0.0, Arc::new(talkative()));
        run.intend(Intent::Be(Be { be: Activity::Speaking, at: Some(0.0), ..Be::default() }));
        run.act(5.0, Act { clip: Some("long-9050".into()), ..gesture() });
        run.run_to(4.9);
        assert!(run.timeline().iter().all(|(name, ..)| *name != "to b"), "{:?}", run.timeline());
    }
}

#[test]
fn an_action_waits_for_a_layer_used_by_a_higher_priority() {
    let standing = Stance {
        gestures: vec![
            Action { layers: vec![Layer::Body, Layer::Head], ..action("bow-1050") },
            on(Layer::Head, action("nod-550")),
        ],
        ..Stance::new("standing", None)
    };
    let named = |name: &str| Act { clip: Some(name.into()), ..gesture() };
    let mut run = Run::new(vec![standing], 1, Rules::default());
    run.act(1.0, named("bow-1050"));
    run.act(1.0, Act { priority: 1, ..named("nod-550") });
    run.run_to(20.0);
    assert_eq!(run.timeline(), [("nod-550", 1.0, 1.5), ("bow-1050", 1.5, 2.5)], "{:?}", run.dropped);
}

#[test]
fn non_finite_numbers_are_ignored() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0] {
        let mut run = Run::new(three_stances(), 1, Rules::default());
        run.intend(Intent::Act(Act { at: Some(bad), duration: Some(bad), ..gesture() }));
        run.intend(Intent::Say(Say { at: Some(bad), ..Say::default() }));
        run.intend(Intent::Stance(ToStance { stance: "b".into(), at: Some(bad), priority: i32::MIN }));
        run.intend(Intent::Act(Act { priority: i32::MAX, at: Some(1e300), ..gesture() }));
        run.intend(Intent::Act(Act {
            priority: i32::MIN,
            at: Some(1e300),
            duration: Some(1e308),
            ..gesture()
        }));
        run.run_to(60.0);
        assert!(!run.timeline().is_empty(), "{bad}");
        run.intend(Intent::Stop(Stop { stop: true, within: Some(bad), at: Some(bad), layer: None }));
        run.run_to(70.0);
        assert_eq!(run.planner.activity(), Activity::Idle, "{bad}");
    }
}

/// If the head has only one clip for a nod, the nod is repeated and not replaced by a shake.
#[test]
fn spontaneous_actions_have_the_meaning_of_the_model() {
    let state = |tag: &str| State {
        name: format!("G:{tag}"),
        kind: Kind::Gesture,
        hand: None,
        tags: vec![tag.into()],
        duration: Spread(vec![1.0]),
        gap: Spread(vec![0.5, 1.0]),
    };
    let (states, row) = (vec![state("positive"), state("negative")], vec![0.95, 0.05]);
    let head = Chain { states, start: row.clone(), matrix: vec![row.clone(), row] };
    let always = Chains { head, ..Chains::default() };
    let tagged = |tag: &str, clip: &str| Action { tags: vec![tag.into()], ..action(clip) };
    let straight = Stance {
        layers: vec![Layer::Head],
        gestures: vec![tagged("positive", "nod-1050"), tagged("negative", "shake-1050")],
        ..Stance::new("straight", None)
    };
    let mut run = Run::new(vec![straight], 1, Rules::default());
    run.planner.set_behaviour(0.0, Arc::new(Behaviour { always, ..Behaviour::default() }));
    run.run_to(3600.0);
    let shakes = run.placed.iter().filter(|placed| placed.action == 1).count() as f64;
    let (n, p) = (run.placed.len() as f64, 0.05);
    // Binomial: 99.99 % of runs are within four standard deviations.
    assert!(n > 1500.0 && (shakes - p * n).abs() < 4.0 * (p * (1.0 - p) * n).sqrt(), "{shakes} of {n}");
}

#[test]
fn requests_without_a_match_name_the_conditions_to_omit() {
    let standing = Stance {
        layers: vec![Layer::Arms, Layer::Head],
        gestures: vec![
            Action { hand: Some(Hand::Left), ..on(Layer::Arms, action("beat-1050")) },
            Action { tags: vec!["yes".into()], ..on(Layer::Head, action("nod-1050")) },
            Action { likelihood: 0.0, tags: vec!["rare".into()], ..action("bow-1050") },
        ],
        ..Stance::new("standing", None)
    };
    let check = |act: Act, expected: &str| {
        let mut run = Run::new(vec![standing.clone()], 1, Rules::default());
        let error = run.ask(&Intent::Act(act), 0.0).unwrap_err().to_string();
        assert_eq!(error, format!("no action of the repertoire matches; {expected}"));
    };
    let by_hand = |hand| Act { hand: Some(hand), ..gesture() };
    check(by_hand(Hand::Right), "omit `hand`");
    check(Act { layer: Some(Layer::Head), ..by_hand(Hand::Left) }, "omit `hand` or `layer`");
    check(Act { tags: vec!["yes".into()], ..by_hand(Hand::Right) }, "omit `hand`");
    check(Act { layer: Some(Layer::Body), ..by_hand(Hand::Right) }, "remove some conditions");
    check(Act::new(Kind::Fidget), "remove some conditions");
    let rare = "matching actions have likelihood 0; request one by name with `clip`";
    check(Act { tags: vec!["rare".into()], ..gesture() }, rare);
    let elsewhere =
        Act { layer: Some(Layer::Body), stance: Some("standing".into()), ..Act::new(Kind::Transition) };
    check(elsewhere, "remove some conditions");
}

/// `DIFFERENCE`: in paper 4 the second and the third request are covered by the first, and discarded.
#[test]
fn three_simultaneous_requests_are_performed_one_after_another() {
    let stance = Stance {
        layers: vec![Layer::Arms],
        gestures: vec![action("wave-3050"), action("point-2050"), action("beat-1050")],
        ..Stance::new("relaxed", None)
    };
    let asked = |rules: Rules, at: Option<f64>| {
        let mut run = Run::new(vec![stance.clone()], 1, rules);
        for name in ["wave-3050", "point-2050", "beat-1050"] {
            run.intend(Intent::Act(Act { clip: Some(name.into()), at, ..gesture() }));
        }
        run.run_to(20.0).clone()
    };
    let first = ("wave-3050", 0.0, 3.0);
    let all = [first, ("point-2050", 3.0, 5.0), ("beat-1050", 5.0, 6.0)];
    assert_eq!(asked(Rules::default(), None).timeline(), all);
    assert_eq!(asked(Rules::PAPER, None).timeline(), [first]);
    // A requested time is binding.
    assert_eq!(asked(Rules::default(), Some(0.0)).timeline(), [first]);
    // Requests expire, so that many requests do not delay each other without limit.
    let mut run = Run::new(vec![stance], 1, Rules::default());
    for turn in 0..200 {
        run.run_to(f64::from(turn) * 0.5);
        run.intend(Intent::Act(gesture()));
    }
    assert!(run.planner.upcoming(Layer::Arms).len() <= 12, "{}", run.planner.upcoming(Layer::Arms).len());
    run.run_to(200.0);
    assert!(run.placed.last().unwrap().from < 110.5, "{:?}", run.placed.last());
}
