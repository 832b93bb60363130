//! The cases of paper 4, section 6, and properties that hold for any repertoire, script and interruption.

use super::*;
use crate::body::behaviour::{Chain, Chains, Spread, State};
use crate::body::repertoire::Hand;
use crate::body::repertoire::{Action, Repertoire, Stance, Transition};
use crate::intent::{Act, Be, Intent, Say, Stop, ToStance};
use crate::speech::lines::Lines;
use crate::speech::pronounce::English;
use proptest::prelude::*;

mod requests;
mod strokes;

/// A meta-action for tests of timing only.
pub(super) fn meta(id: u64, start: f64, end: f64, priority: i32) -> MetaAction {
    MetaAction {
        id,
        sequence: id,
        origin: Origin::Agent,
        query: ActionQuery::default(),
        start,
        end,
        is_open: false,
        priority,
        resume: false,
        must: false,
        waits_until: start,
        stroke_at: None,
        decided: None,
    }
}

/// Test clips are named by their duration in milliseconds: `wave-1300`.
fn clip_secs(clip: &str) -> Option<f64> {
    clip.rsplit_once('-').and_then(|(_, ms)| ms.parse::<f64>().ok()).map(|ms| ms / 1000.0)
}

/// An action without blends: it takes as long as its clip, minus the minimum blend.
fn action(clip: &str) -> Action {
    Action { blend_in: 0.0, blend_out: 0.0, ..Action::new(clip) }
}

fn on(layer: Layer, action: Action) -> Action {
    Action { layers: vec![layer], ..action }
}

/// A character whose plan is run event by event.
#[derive(Clone)]
struct Run {
    graph: Graph,
    planner: Planner,
    /// Lines, as a performer stores them.
    lines: Lines<Planned>,
    now: f64,
    placed: Vec<Placed>,
    dropped: Vec<(u64, DropReason)>,
    settled: Vec<(Layer, usize, f64)>,
}

/// An action on the timeline.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Placed {
    action: usize,
    from: f64,
    to: f64,
    began: Began,
}

impl Run {
    fn new(stances: Vec<Stance>, seed: u64, rules: Rules) -> Self {
        let repertoire = Repertoire { stances, ..Repertoire::default() };
        let (graph, _) = Graph::build(&repertoire, &clip_secs).unwrap();
        let planner = Planner::new(&graph, seed, rules);
        let lines = Lines::default();
        Self { graph, planner, lines, now: 0.0, placed: vec![], dropped: vec![], settled: vec![] }
    }

    fn intend(&mut self, intent: Intent) {
        self.ask(&intent, self.now).unwrap();
    }

    /// Passes an intent to the planner, as a performer does.
    fn ask(&mut self, intent: &Intent, now: f64) -> crate::Result<Option<u64>> {
        let at = |at: Option<f64>| at.filter(|at| at.is_finite()).unwrap_or(now).max(now);
        match intent {
            Intent::Act(act) => self.planner.act(&self.graph, act, now).map(Some),
            Intent::Stance(stance) => self.planner.change_stance(&self.graph, stance, now).map(Some),
            Intent::Be(be) => self.planner.change_activity(at(be.at), be.be).map(Some),
            Intent::Say(say) => {
                self.lines.push(say, now, &English::default(), 1.0)?;
                self.planner.plan_lines(&mut self.lines, now, |planned| planned)?;
                Ok(self.lines.last_updated().and_then(|line| line.with.intent_id()))
            }
            Intent::Stop(stop) => {
                let id = self.planner.stop(stop, now)?;
                if stop.stop && stop.layer.is_none() {
                    self.lines.stop(at(stop.at), now);
                    self.planner.plan_lines(&mut self.lines, now, |planned| planned)?;
                }
                Ok(id)
            }
            Intent::Look(_) | Intent::Blink(_) | Intent::Do(_) => Ok(None),
        }
    }

    fn act(&mut self, at: f64, act: Act) {
        self.intend(Intent::Act(Act { at: Some(at), ..act }));
    }

    fn run_to(&mut self, t: f64) -> &mut Self {
        let mut events = 0;
        while self.planner.next_event() <= t {
            let at = self.planner.next_event();
            assert!(at >= self.now - 1e-9, "time runs backwards: from {} to {at}", self.now);
            self.now = self.now.max(at);
            for command in self.planner.handle(&self.graph, at) {
                if let Command::Settle { layer, stance, .. } = command {
                    self.settled.push((*layer, *stance, at));
                }
            }
            events += 1;
            assert!(events < 20_000, "the planner does not come to an end at {at}");
            self.take_notes();
        }
        self.take_notes();
        self.now = t;
        self
    }

    fn take_notes(&mut self) {
        for note in self.planner.take_notes() {
            match note {
                Note::Began(began) => {
                    let Began { action, at, until, .. } = began;
                    self.placed.push(Placed { action, from: at, to: until, began });
                }
                Note::Cut { action, began, at, .. } => {
                    let cut = self.placed.iter_mut().rev().find(|p| p.action == action && p.from == began);
                    cut.unwrap().to = at;
                }
                Note::Dropped { id, why, .. } => self.dropped.push((id, why)),
                Note::State { .. } => {}
            }
        }
    }

    /// Names of the performed actions, with start and end in seconds, rounded to tenths.
    fn timeline(&self) -> Vec<(&str, f64, f64)> {
        let tenths = |x: f64| (x * 10.0).round() / 10.0;
        self.placed
            .iter()
            .map(|p| (self.graph.actions()[p.action].name.as_str(), tenths(p.from), tenths(p.to)))
            .collect()
    }
}

fn gesture() -> Act {
    Act::new(Kind::Gesture)
}

/// Requests at four levels of abstraction, as in Figure 5.
#[test]
fn figure_5_any_level_of_abstraction_becomes_an_action() {
    let standing = Stance {
        gestures: vec![
            Action { tags: vec!["positive".into()], ..on(Layer::Head, action("nod-1000")) },
            Action { tags: vec!["negative".into()], ..on(Layer::Head, action("shake-1000")) },
            Action { hand: Some(Hand::Right), ..on(Layer::Arms, action("beat-1000")) },
        ],
        ..Stance::new("standing", None)
    };
    let check = |intent: Intent, expected: &str| {
        let mut run = Run::new(vec![standing.clone()], 1, Rules::PAPER);
        run.planner.set_behaviour(0.0, Arc::new(talkative()));
        run.run_to(1.0);
        assert_eq!(run.timeline(), [], "nothing is done while idle");
        run.intend(intent);
        run.run_to(8.0);
        assert_eq!(run.timeline().first().map(|(name, ..)| *name), Some(expected));
    };
    // A specific action: "nod here".
    check(Intent::Act(Act { clip: Some("nod-1000".into()), ..gesture() }), "nod-1000");
    // By its meaning.
    check(Intent::Act(Act { tags: vec!["negative".into()], ..gesture() }), "shake-1000");
    // By the hand, or by the layer.
    check(Intent::Act(Act { hand: Some(Hand::Right), ..gesture() }), "beat-1000");
    check(Intent::Act(Act { layer: Some(Layer::Arms), ..gesture() }), "beat-1000");
    // "Utter line X": the behaviour model chooses an action.
    check(
        Intent::Say(Say { say: "A line that takes a while to say, as lines do.".into(), ..Say::default() }),
        "beat-1000",
    );
}

/// Returns a behaviour model with arm gestures while speaking, and nothing else.
fn talkative() -> Behaviour {
    let state = State {
        name: "RG".into(),
        kind: Kind::Gesture,
        hand: Some(Hand::Right),
        tags: vec![],
        duration: Spread(vec![1.0, 2.0]),
        gap: Spread(vec![0.2, 0.5]),
    };
    let arms = Chain { states: vec![state], start: vec![1.0], matrix: vec![vec![1.0]] };
    Behaviour { speaking: Some(Chains { arms, ..Chains::default() }), ..Behaviour::default() }
}

/// Figure 7. Each clip is 50 ms longer than the action that plays it; 50 ms is the minimum blend.
#[test]
fn figure_7_the_three_cases() {
    let stance = |clips: &[&str]| Stance {
        layers: vec![Layer::Arms],
        gestures: clips.iter().map(|clip| action(clip)).collect(),
        ..Stance::new("relaxed", None)
    };
    // 1. The animation ends before its meta-action: the stance is shown until the next meta-action starts.
    let mut run = Run::new(vec![stance(&["short-1050"])], 1, Rules::PAPER);
    run.act(0.0, Act { duration: Some(3.0), ..gesture() });
    run.act(3.0, gesture());
    run.run_to(10.0);
    assert_eq!(run.timeline(), [("short-1050", 0.0, 1.0), ("short-1050", 3.0, 4.0)]);
    assert_eq!(run.settled, [(Layer::Arms, 0, 1.0), (Layer::Arms, 0, 4.0)]);

    // 2. The animation must end before a meta-action of higher priority starts: longer animations are not candidates.
    for seed in 0..50 {
        let mut run = Run::new(vec![stance(&["short-1050", "long-5050"])], seed, Rules::PAPER);
        run.act(0.0, gesture());
        run.act(2.0, Act { priority: 1, clip: Some("short-1050".into()), ..gesture() });
        run.run_to(10.0);
        assert_eq!(run.timeline(), [("short-1050", 0.0, 1.0), ("short-1050", 2.0, 3.0)]);
    }
    // If no candidate is left, the meta-action is discarded.
    let mut run = Run::new(vec![stance(&["long-5050", "first-1050"])], 1, Rules::PAPER);
    run.act(0.0, Act { clip: Some("long-5050".into()), ..gesture() });
    run.act(2.0, Act { priority: 1, clip: Some("first-1050".into()), ..gesture() });
    run.run_to(10.0);
    assert_eq!(run.timeline(), [("first-1050", 2.0, 3.0)]);
    assert_eq!(run.dropped, [(1, DropReason::NoTime)]);

    // 3. Covered meta-actions are discarded; partly covered ones start when the animation ends.
    let mut run = Run::new(vec![stance(&["long-5050", "short-1050"])], 1, Rules::PAPER);
    let short = || Act { clip: Some("short-1050".into()), ..gesture() };
    run.act(0.0, Act { clip: Some("long-5050".into()), duration: Some(1.0), ..gesture() });
    run.act(2.0, Act { duration: Some(2.0), ..short() });
    run.act(4.5, Act { duration: Some(2.0), ..short() });
    run.run_to(10.0);
    assert_eq!(run.timeline(), [("long-5050", 0.0, 5.0), ("short-1050", 5.0, 6.0)]);
    assert_eq!(run.dropped, [(2, DropReason::Covered)]);
}

/// `DIFFERENCE`: paper 4 lets a long animation cover later requests; by default an animation that leaves time for
/// them is preferred.
#[test]
fn later_requests_are_covered_only_under_the_rule_of_the_paper() {
    let stance = Stance {
        layers: vec![Layer::Arms],
        gestures: vec![action("short-1050"), action("long-9050")],
        ..Stance::new("relaxed", None)
    };
    let covered = |rules: Rules| {
        let one = |seed| {
            let mut run = Run::new(vec![stance.clone()], seed, rules);
            run.act(0.0, Act { duration: Some(2.0), ..gesture() });
            run.act(2.0, Act { clip: Some("short-1050".into()), ..gesture() });
            run.run_to(20.0).dropped.len()
        };
        (0..200).map(one).sum::<usize>()
    };
    assert_eq!(covered(Rules { avoids_repetition: false, ..Rules::default() }), 0);
    // Half of 200 are covered; 99.99 % of runs lie within 100 ± 28.
    assert!((72..128).contains(&covered(Rules::PAPER)));
}

/// p_k = (1/max(c_k, 1)) / Σ with c_k += 4 (paper 4, section 6.2): of three candidates, one that was used 0, 1, 2 or
/// 3 times is chosen with a probability of 1/3, 1/9, 1/17 or 1/25.
#[test]
fn used_actions_become_rare_as_the_paper_says() {
    let stance = Stance {
        layers: vec![Layer::Arms],
        gestures: vec![action("a-1000"), action("b-1000"), action("c-1000")],
        ..Stance::new("relaxed", None)
    };
    const RUNS: u64 = 9000;
    for (used, expected) in [(0, 1.0 / 3.0), (1, 1.0 / 9.0), (2, 1.0 / 17.0), (3, 1.0 / 25.0)] {
        let mut counts = [0.0; 3];
        for seed in 0..RUNS {
            let mut run = Run::new(vec![stance.clone()], seed, Rules::PAPER);
            for turn in 0..used {
                run.act(f64::from(turn) * 2.0, Act { clip: Some("a-1000".into()), ..gesture() });
            }
            run.act(20.0, gesture());
            run.run_to(30.0);
            let last = run.placed.last().unwrap();
            assert!(
                (last.began.probability - [expected, (1.0 - expected) / 2.0][usize::from(last.action > 0)])
                    .abs()
                    < 1e-12
            );
            counts[last.action] += 1.0;
        }
        let share = [expected, (1.0 - expected) / 2.0, (1.0 - expected) / 2.0];
        let chi_square: f64 =
            counts.iter().zip(share.map(|s| s * RUNS as f64)).map(|(n, e)| (n - e) * (n - e) / e).sum();
        // Two degrees of freedom: 13.8 is exceeded by chance in one of a thousand runs.
        assert!(chi_square < 13.8, "used {used} times: {counts:?}, χ² = {chi_square}");
    }
}

#[test]
fn likelihood_is_a_factor_and_zero_means_only_by_name() {
    let stance = Stance {
        layers: vec![Layer::Arms],
        gestures: vec![
            Action { likelihood: 3.0, ..action("often-1000") },
            action("sometimes-1000"),
            Action { likelihood: 0.0, ..action("never-1000") },
        ],
        ..Stance::new("relaxed", None)
    };
    let mut counts = [0_u32; 3];
    for seed in 0..4000 {
        let mut run = Run::new(vec![stance.clone()], seed, Rules::PAPER);
        run.act(0.0, gesture());
        run.run_to(5.0);
        counts[run.placed[0].action] += 1;
    }
    // Binomial, p = 0.75: the standard deviation is 27; 99.99 % of runs are within four standard deviations.
    assert!(counts[2] == 0 && (f64::from(counts[0]) - 3000.0).abs() < 110.0, "{counts:?}");
    let mut run = Run::new(vec![stance], 1, Rules::PAPER);
    run.act(0.0, Act { clip: Some("never-1000".into()), ..gesture() });
    assert_eq!(run.run_to(5.0).timeline().len(), 1);
}

#[test]
fn counters_that_decay_make_the_choice_even_again() {
    let stance = Stance {
        layers: vec![Layer::Arms],
        gestures: vec![action("a-1000"), action("b-1000")],
        ..Stance::new("relaxed", None)
    };
    let probability = |half_life_secs, later: f64| {
        let rules = Rules { half_life_secs, ..Rules::PAPER };
        let mut run = Run::new(vec![stance.clone()], 1, rules);
        for turn in 0..4 {
            run.act(f64::from(turn) * 2.0, Act { clip: Some("a-1000".into()), ..gesture() });
        }
        run.act(later, gesture());
        run.run_to(later + 5.0);
        let last = run.placed.last().unwrap();
        if last.action == 0 { last.began.probability } else { 1.0 - last.began.probability }
    };
    // One candidate was used four times (count 16), the other never (count 0).
    assert!((probability(None, 600.0) - 1.0 / 17.0).abs() < 1e-12);
    let decayed = probability(Some(60.0), 66.0);
    assert!((decayed - 1.0 / 9.0).abs() < 0.01, "{decayed}");
    assert!((probability(Some(60.0), 600.0) - 0.5).abs() < 1e-12);
}

/// Three stances in a row, with a gesture in the last one.
fn three_stances() -> Vec<Stance> {
    let mut stances: Vec<Stance> = ["a", "b", "c"].map(|name| Stance::new(name, None)).to_vec();
    let to =
        |name: &str, clip: &str| Transition { blend_out: 0.0, ..Transition::new(name, Some(clip.into())) };
    stances[0].transitions = vec![to("b", "ab-1050")];
    stances[1].transitions = vec![to("c", "bc-1050"), to("a", "ba-1050")];
    stances[2].transitions = vec![to("b", "cb-1050")];
    stances[2].gestures = vec![action("wave-2050")];
    stances
}

#[test]
fn transitions_lead_to_the_stance_of_an_action() {
    let mut run = Run::new(three_stances(), 1, Rules::default());
    run.act(1.0, gesture());
    run.run_to(20.0);
    assert_eq!(run.timeline(), [("ab-1050", 1.0, 2.0), ("bc-1050", 2.0, 3.0), ("wave-2050", 3.0, 5.0)]);
    assert!(run.placed[0].began.is_inserted_transition && !run.placed[2].began.is_inserted_transition);

    // If there is too little time before an action of higher priority, nothing is started.
    let mut run = Run::new(three_stances(), 1, Rules::default());
    run.act(1.0, gesture());
    run.intend(Intent::Stance(ToStance { stance: "b".into(), at: Some(4.0), priority: 3 }));
    run.run_to(20.0);
    assert_eq!(run.timeline(), [("ab-1050", 4.0, 5.0)]);
    assert_eq!(run.dropped, [(1, DropReason::NoTime)]);
}

#[test]
fn a_stance_change_may_be_late_and_is_not_repeated() {
    let mut run = Run::new(three_stances(), 1, Rules::default());
    let to =
        |stance: &str, at: f64| Intent::Stance(ToStance { stance: stance.into(), at: Some(at), priority: 0 });
    run.intend(to("c", 0.0));
    run.act(2.0, Act { clip: Some("wave-2050".into()), ..gesture() });
    run.intend(to("a", 2.1));
    run.intend(to("a", 9.0));
    run.run_to(20.0);
    let names: Vec<&str> = run.timeline().iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, ["ab-1050", "bc-1050", "wave-2050", "cb-1050", "ba-1050"]);
    assert_eq!(run.dropped, [(4, DropReason::AlreadyInStance)]);
}

#[test]
fn an_interrupted_action_continues_if_requested() {
    let stance = Stance {
        layers: vec![Layer::Arms],
        gestures: vec![
            Action { looped: true, tags: vec!["long".into()], ..action("loop-1050") },
            action("beat-1050"),
        ],
        ..Stance::new("relaxed", None)
    };
    let check = |resume: bool, knows_before: bool, expected: &[(&str, f64, f64)]| {
        let mut run = Run::new(vec![stance.clone()], 1, Rules::default());
        run.act(0.0, Act { tags: vec!["long".into()], duration: Some(10.0), resume, ..gesture() });
        run.run_to(if knows_before { 0.0 } else { 2.0 });
        run.act(3.0, Act { clip: Some("beat-1050".into()), priority: 1, ..gesture() });
        run.run_to(20.0);
        assert_eq!(run.timeline(), expected);
    };
    let (first, beat) = (("loop-1050", 0.0, 3.0), ("beat-1050", 3.0, 4.0));
    for knows_before in [true, false] {
        check(true, knows_before, &[first, beat, ("loop-1050", 4.0, 10.0)]);
        check(false, knows_before, &[first, beat]);
    }
}

#[test]
fn stop_drops_only_earlier_requests() {
    let stance = Stance {
        layers: vec![Layer::Arms],
        gestures: vec![action("wave-3050"), action("beat-1050")],
        ..Stance::new("relaxed", None)
    };
    let named = |name: &str| Act { clip: Some(name.into()), ..gesture() };
    let mut run = Run::new(vec![stance], 1, Rules::default());
    run.act(0.0, named("wave-3050"));
    run.act(6.0, named("wave-3050"));
    run.intend(Intent::Stop(Stop { stop: true, at: Some(1.0), ..Stop::default() }));
    run.act(8.0, named("beat-1050"));
    run.run_to(20.0);
    assert_eq!(run.timeline(), [("wave-3050", 0.0, 1.0), ("beat-1050", 8.0, 9.0)]);
    assert_eq!(run.dropped, [(2, DropReason::Stopped)]);
    assert_eq!(run.settled[0], (Layer::Arms, 0, 1.0), "it returns to the stance at once");
}

#[test]
fn a_stopped_transition_ends_in_the_nearer_stance() {
    for (at, expected) in [(1.2, 0), (1.8, 1)] {
        let mut run = Run::new(three_stances(), 1, Rules::default());
        run.intend(Intent::Stance(ToStance { stance: "b".into(), at: Some(1.0), priority: 0 }));
        run.intend(Intent::Stop(Stop { stop: true, at: Some(at), ..Stop::default() }));
        run.run_to(5.0);
        assert_eq!(Layer::ALL.map(|layer| run.planner.stance(layer)), [Some(expected); 3], "stopped at {at}");
    }
}

#[test]
fn a_line_sets_the_activity_to_speaking_until_it_ends_or_is_stopped() {
    let mut run = Run::new(three_stances(), 1, Rules::default());
    run.intend(Intent::Be(Be { be: Activity::Listening, at: Some(0.5), ..Be::default() }));
    run.intend(Intent::Say(Say {
        say: "Hello.".into(),
        at: Some(1.0),
        duration: Some(4.0),
        ..Say::default()
    }));
    for (t, expected) in [(0.9, Activity::Listening), (1.1, Activity::Speaking), (5.1, Activity::Listening)] {
        assert_eq!(run.run_to(t).planner.activity(), expected, "at {t}");
    }
    run.intend(Intent::Say(Say {
        say: "And then".into(),
        at: Some(6.0),
        duration: Some(4.0),
        ..Say::default()
    }));
    run.intend(Intent::Stop(Stop { stop: true, at: Some(7.0), ..Stop::default() }));
    for (t, expected) in [(6.5, Activity::Speaking), (7.1, Activity::Listening), (12.0, Activity::Listening)]
    {
        assert_eq!(run.run_to(t).planner.activity(), expected, "at {t}");
    }
}

#[test]
fn unknown_names_are_errors() {
    let mut run = Run::new(three_stances(), 1, Rules::default());
    for (act, expected) in [
        (Act { clip: Some("wav".into()), ..gesture() }, "unknown clip `wav`; did you mean `wave-2050`?"),
        (Act { tags: vec!["rude".into()], ..gesture() }, "unknown tag `rude`; there are none"),
        (Act { stance: Some("d".into()), ..gesture() }, "unknown stance `d`; there are"),
        (Act { hand: Some(Hand::Left), ..gesture() }, "no action of the repertoire matches"),
    ] {
        let error = run.ask(&Intent::Act(act), 0.0).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

mod any {
    use super::*;

    /// Ways to divide the three layers among stances.
    fn parts() -> impl Strategy<Value = Vec<Vec<Layer>>> {
        let [body, arms, head] = Layer::ALL;
        prop_oneof![
            Just(vec![vec![body, arms, head]]),
            Just(vec![vec![body], vec![arms], vec![head]]),
            Just(vec![vec![body, arms], vec![head]]),
            Just(vec![vec![arms]]),
        ]
    }

    type Seeds = Vec<(u32, u8, u8)>;

    /// A stance with gestures and fidgets made from random numbers.
    fn stance(name: String, layers: &[Layer], actions: &Seeds, targets: &[String], ways: &Seeds) -> Stance {
        let own = |(ms, pick, flags): &(u32, u8, u8), i: usize| Action {
            layers: if pick % 3 == 0 { vec![] } else { vec![layers[*pick as usize % layers.len()]] },
            hand: [None, Some(Hand::Left), Some(Hand::Right)][*flags as usize % 3],
            tags: if flags & 4 == 0 { vec![] } else { vec![["x", "y"][*flags as usize / 8 % 2].into()] },
            looped: flags & 32 != 0,
            stroke: (flags & 64 != 0).then(|| f64::from(*ms) / 1000.0 * f64::from(*pick) / 255.0),
            likelihood: f64::from(flags % 5) / 2.0,
            ..Action::new(format!("{name}{i}-{ms}"))
        };
        let all: Vec<Action> = actions.iter().enumerate().map(|(i, seeds)| own(seeds, i)).collect();
        let (fidgets, gestures) = all.into_iter().partition(|a| a.clip.len() % 3 == 0);
        let way = |(i, (ms, pick, flags)): (usize, &(u32, u8, u8))| {
            let to = &targets[*pick as usize % targets.len()];
            let clip = (flags % 4 != 0).then(|| format!("{name}to{i}-{ms}"));
            (*to != name).then(|| Transition::new(to.clone(), clip))
        };
        let transitions = ways.iter().enumerate().filter_map(way).collect();
        Stance { layers: layers.to_vec(), gestures, fidgets, transitions, ..Stance::new(name.clone(), None) }
    }

    pub(super) fn repertoires() -> impl Strategy<Value = Vec<Stance>> {
        let numbers = || prop::collection::vec((100_u32..6000, any::<u8>(), any::<u8>()), 0..6);
        let stances = prop::collection::vec((numbers(), numbers()), 3..8);
        (parts(), stances).prop_map(|(parts, stances)| {
            let place = |i: usize| i % parts.len();
            let names: Vec<String> = (0..stances.len()).map(|i| format!("s{i}")).collect();
            let make = |(i, (actions, ways)): (usize, &(Seeds, Seeds))| {
                let same_part = (0..names.len()).filter(|j| place(*j) == place(i));
                let targets: Vec<String> = same_part.map(|j| names[j].clone()).collect();
                stance(names[i].clone(), &parts[place(i)], actions, &targets, ways)
            };
            stances.iter().enumerate().map(make).collect()
        })
    }

    /// An intent made from random numbers. Some intents use names that the repertoire lacks.
    fn intent(verb: u8, flags: u8, secs: f64, at: Option<f64>) -> Intent {
        let priority = i32::from(flags % 4) - 1;
        match verb % 8 {
            0..=3 => Intent::Act(Act {
                act: Kind::ALL[flags as usize % 3],
                hand: (flags & 16 != 0).then_some(Hand::Right),
                layer: (flags & 32 != 0).then_some(Layer::ALL[verb as usize % 3]),
                tags: if flags & 64 != 0 { vec!["x".into()] } else { vec![] },
                duration: (flags & 128 != 0).then_some(secs),
                resume: verb & 8 != 0,
                stroke_at: at.filter(|_| verb & 16 != 0).map(|at| at + secs / 4.0),
                at: at.filter(|_| verb & 48 != 16),
                priority,
                ..gesture()
            }),
            4 => Intent::Stance(ToStance { stance: format!("s{}", flags % 6), at, priority }),
            5 => Intent::Be(Be {
                be: Activity::ALL[flags as usize % Activity::ALL.len()],
                at,
                ..Be::default()
            }),
            6 => Intent::Say(Say { say: "Word ".repeat(flags as usize % 20), at, ..Say::default() }),
            _ => Intent::Stop(Stop {
                stop: true,
                layer: (flags & 1 != 0).then_some(Layer::ALL[flags as usize % 3]),
                within: Some(secs / 8.0),
                at,
            }),
        }
    }

    /// Random intents with their arrival times in seconds, in order.
    pub(super) fn scripts() -> impl Strategy<Value = Vec<(f64, Intent)>> {
        let one = (0.0f64..60.0, prop::option::of(0.0f64..10.0), any::<(u8, u8)>(), 0.1f64..8.0);
        prop::collection::vec(one, 0..40).prop_map(|list| {
            let make = |(arrives, ahead, (verb, flags), secs): (f64, Option<f64>, (u8, u8), f64)| {
                (arrives, intent(verb, flags, secs, ahead.map(|ahead| arrives + ahead)))
            };
            let mut script: Vec<(f64, Intent)> = list.into_iter().map(make).collect();
            script.sort_by(|a, b| a.0.total_cmp(&b.0));
            script
        })
    }

    /// Returns a behaviour model with all kinds of states for all layers.
    pub(super) fn lively() -> Behaviour {
        let state = |kind: Kind, hand| State {
            name: kind.name().into(),
            kind,
            hand,
            tags: vec![],
            duration: Spread(vec![0.5, 1.0, 4.0]),
            gap: Spread(vec![0.0, 0.5, 3.0]),
        };
        let states: Vec<State> = Kind::ALL
            .into_iter()
            .flat_map(|kind| [None, Some(Hand::Right)].map(|hand| state(kind, hand)))
            .collect();
        let even = vec![1.0 / states.len() as f64; states.len()];
        let chain = Chain { matrix: vec![even.clone(); states.len()], start: even, states };
        let always =
            Chains { arms: chain.clone(), head: chain.clone(), head_stance: chain.clone(), body: chain };
        Behaviour { always, ..Behaviour::default() }
    }

    pub(super) fn performed(run: &mut Run, script: &[(f64, Intent)]) {
        for (arrives, intent) in script {
            run.run_to(*arrives);
            // Requests for unknown names fail and change nothing.
            let _ = run.ask(intent, *arrives);
        }
        run.run_to(90.0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn actions_of_a_layer_never_overlap_and_stances_always_match(
        stances in any::repertoires(), script in any::scripts(), seed: u64, is_lively: bool, is_literal: bool
    ) {
        let rules = if is_literal { Rules::PAPER } else { Rules::default() };
        let mut run = Run::new(stances, seed, rules);
        if is_lively {
            run.planner.set_behaviour(0.0, Arc::new(any::lively()));
        }
        any::performed(&mut run, &script);
        for layer in Layer::ALL {
            let mut stance = run.graph.first_stance(layer);
            let mut until = 0.0;
            for placed in run.placed.iter().filter(|p| run.graph.actions()[p.action].layers.contains(layer)) {
                let action = &run.graph.actions()[placed.action];
                prop_assert!(placed.from >= until - 1e-9, "{layer:?}: {action:?} begins before {until}");
                prop_assert!(placed.to >= placed.from);
                prop_assert_eq!(stance, Some(action.stance), "{:?}: {:?} at {}", layer, action, placed.from);
                until = placed.to;
                // A stopped transition ends in its target stance if at least half of it was played.
                let whole = placed.to >= placed.began.until - 1e-9;
                let is_half = placed.to - placed.from >= 0.5 * (placed.began.until - placed.from);
                stance = Some(if whole || is_half { action.ends_in } else { action.stance });
            }
        }
    }

    #[test]
    fn the_same_seed_and_intents_give_the_same_plan_for_any_time_steps(
        stances in any::repertoires(), script in any::scripts(), seed: u64, cuts in prop::collection::vec(0.0f64..90.0, 0..20)
    ) {
        let mut runs = [(); 2].map(|()| {
            let mut run = Run::new(stances.clone(), seed, Rules::default());
            run.planner.set_behaviour(0.0, Arc::new(any::lively()));
            run
        });
        let mut steps: Vec<(f64, Option<&Intent>)> = script.iter().map(|(at, i)| (*at, Some(i))).collect();
        steps.extend(cuts.iter().map(|at| (*at, None)));
        steps.sort_by(|a, b| a.0.total_cmp(&b.0));
        any::performed(&mut runs[0], &script);
        for (at, intent) in steps {
            runs[1].run_to(at);
            if let Some(intent) = intent {
                let _ = runs[1].ask(intent, at);
            }
        }
        runs[1].run_to(90.0);
        prop_assert_eq!(&runs[0].placed, &runs[1].placed);
        prop_assert_eq!(&runs[0].dropped, &runs[1].dropped);
    }

    #[test]
    fn after_a_stop_all_layers_are_in_a_stance(
        stances in any::repertoires(), script in any::scripts(), seed: u64, at in 0.0f64..60.0
    ) {
        let mut run = Run::new(stances, seed, Rules::default());
        let before = script.iter().filter(|(arrives, _)| *arrives <= at).cloned().collect::<Vec<_>>();
        for (arrives, intent) in &before {
            run.run_to(*arrives);
            let _ = run.ask(intent, *arrives);
        }
        run.run_to(at);
        run.intend(Intent::Stop(Stop { stop: true, ..Stop::default() }));
        run.run_to(at);
        for layer in Layer::ALL {
            prop_assert!(run.planner.running(layer).is_none() && run.planner.upcoming(layer).is_empty());
        }
        let placed = run.placed.len();
        run.run_to(at + 60.0);
        prop_assert_eq!(run.placed.len(), placed, "no earlier request is performed");
    }
}

/// The mean pause between spontaneous actions is multiplied by the factor.
#[test]
fn longer_gaps_make_fewer_spontaneous_actions() {
    let stance = Stance {
        layers: vec![Layer::Arms],
        gestures: vec![action("a-1050"), action("b-1050")],
        ..Stance::new("relaxed", None)
    };
    let count = |gaps: f64| {
        let mut run = Run::new(vec![stance.clone()], 3, Rules::default());
        let mut behaviour = talkative();
        if let Some(chains) = &mut behaviour.speaking {
            (chains.arms.states[0].hand, chains.arms.states[0].gap) = (None, Spread(vec![2.0, 4.0]));
        }
        run.planner.set_behaviour(0.0, Arc::new(behaviour));
        run.planner.set_gaps(gaps);
        run.planner.set_gaps(f64::NAN);
        run.intend(Intent::Be(Be { be: Activity::Speaking, ..Be::default() }));
        run.run_to(2000.0).placed.len() as f64
    };
    // An action takes one second; the mean pause is 3, 1.5 or 6 seconds.
    for (gaps, period_secs) in [(1.0, 4.0), (0.5, 2.5), (2.0, 7.0)] {
        let share = count(gaps) * period_secs / 2000.0;
        assert!((0.9..1.1).contains(&share), "{share} of what was expected with gaps of {gaps}");
    }
}

#[test]
fn the_nearest_of_hundreds_of_names_is_suggested() {
    let gesture =
        |i: usize| Action { name: Some(format!("clip-{i:03}")), ..Action::new(format!("c{i}.bvh")) };
    let waving = Action { name: Some("wave_big".into()), ..Action::new("w.bvh") };
    let gestures = (0..300).map(gesture).chain([waving]).collect();
    let stance = Stance { gestures, ..Stance::new("a", None) };
    let repertoire = Repertoire { stances: vec![stance], ..Repertoire::default() };
    let (graph, _) = Graph::build(&repertoire, &|_| Some(2.0)).unwrap();
    let mut planner = Planner::new(&graph, 1, Rules::default());
    let act = Act { clip: Some("wavebig".into()), ..Act::new(Kind::Gesture) };
    let error = planner.act(&graph, &act, 0.0).unwrap_err().to_string();
    assert!(error.contains("unknown clip") && error.contains("did you mean"), "{error}");
    assert!(error.contains("wave_big"), "{error}");
}
