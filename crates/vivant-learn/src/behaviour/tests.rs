mod maps;
mod recovery;

use super::*;
use vivant::body::behaviour::{Chain, Spread};
use vivant_io::eaf::{Annotation, Tier, Timing};

/// Returns a video with tiers, each a name and annotations `start end value` in milliseconds, separated by commas.
/// Text after `@` in a tier's name is its participant.
fn recording(name: &str, tiers: &[(&str, &str)]) -> AnnotatedVideo {
    let tiers = tiers.iter().map(|(name, lines)| {
        let (name, participant) = name.split_once('@').unwrap_or((name, ""));
        let annotations =
            lines.split(',').map(str::trim).filter(|line| !line.is_empty()).map(annotation).collect();
        Tier { name: name.into(), participant: participant.into(), annotations, ..Tier::default() }
    });
    let annotations = Annotations { version: "3.0".into(), tiers: tiers.collect() };
    AnnotatedVideo { name: name.into(), annotations }
}

fn annotation(line: &str) -> Annotation {
    let mut words = line.splitn(3, ' ');
    let mut number = || words.next().unwrap().parse::<f64>().unwrap() / 1e3;
    let (start, end) = (number(), number());
    let value = words.next().unwrap_or_default().into();
    Annotation { id: line.into(), start, end, value, timing: Timing::Own, refers_to: None }
}

const MAP: &str = r#"
[[tier]]
part = "left-arm"
name = "L*"
[[tier]]
part = "right-arm"
name = "R*"
[[tier]]
part = "both-arms"
name = "B*"
[[tier]]
part = "head"
name = "H*"
kind = "gesture"
[[tier]]
part = "body"
name = "body"
kind = "transition"
[[tier]]
part = "speech"
name = "S*"
[values]
"g*" = "gesture"
"f*" = "fidget"
"t*" = "transition"
"g:yes" = { kind = "gesture", tags = ["positive"] }
"nod" = { tags = ["positive"] }
"shake" = { tags = ["negative"] }
"-" = "ignore"
"#;

fn learned(settings: &str, recordings: &[AnnotatedVideo]) -> (Learned, Vec<Warning>) {
    let map = TierMap::parse(&format!("{settings}\n{MAP}")).unwrap();
    let mut warnings = Vec::new();
    let learned = learn(recordings, &map, &mut warnings).unwrap();
    warnings.retain(|warning| !warning.message.contains("no tier matches"));
    (learned, warnings)
}

/// Returns the counts above 0 as `from→to count`.
fn counted(counts: &Counts) -> String {
    let mut all = Vec::new();
    for (from, row) in counts.states.iter().zip(&counts.transitions) {
        for (to, count) in counts.states.iter().zip(row).filter(|(_, count)| **count > 0) {
            all.push(format!("{from}→{to} {count}"));
        }
    }
    all.join(", ")
}

fn check(tiers: &[(&str, &str)], expected: &str) {
    let (learned, warnings) = learned("", &[recording("a", tiers)]);
    assert_eq!(counted(&learned.counts[0]), expected, "{tiers:?}");
    assert_eq!(warnings, [], "{tiers:?}");
}

#[test]
fn one_action_follows_another_by_their_starts() {
    check(&[("R", "0 10 g, 20 30 f, 40 50 g, 60 70 f")], "RG→RF 2, RF→RG 1");
    // The order in the file and the arm do not matter.
    check(&[("R", "40 50 g, 0 10 f"), ("L", "20 30 t")], "LT→RG 1, RF→LT 1");
    check(&[("R", "0 10 -, 20 30 g, 40 50 -, 60 70 G2")], "RG→RG 1");
}

#[test]
fn the_arms_have_the_nine_states_of_figure_11_in_its_order() {
    let (learned, _) = learned("", &[recording("a", &[("R", "0 10 g")])]);
    let nine = ["LG", "LF", "LT", "RG", "RF", "RT", "LRG", "LRF", "LRT"];
    assert_eq!(learned.counts[0].states, nine);
    let names: Vec<&str> =
        learned.behaviour.always.arms.states.iter().map(|state| state.name.as_str()).collect();
    assert_eq!(names, nine);
}

#[test]
fn actions_of_both_arms_at_once_are_one() {
    // An overlap of half the shorter action is enough, less is not.
    check(&[("L", "0 100 g"), ("R", "80 120 g, 200 210 f")], "LRG→RF 1");
    check(&[("L", "0 100 g"), ("R", "81 120 g, 200 210 f")], "LG→RG 1, RG→RF 1");
    // Only actions of the same kind are merged.
    check(&[("L", "0 100 g"), ("R", "0 100 f, 200 210 f")], "LG→RF 1, RF→RF 1");
    // The pair with the longest overlap is merged first, each action once.
    check(&[("L", "0 100 g, 110 200 g"), ("R", "10 40 g, 45 210 g")], "LRG→LRG 1");
    check(&[("L", "0 100 g"), ("R", "10 40 g, 45 210 g, 300 310 f")], "RG→RF 1, LRG→RG 1");
    check(&[("L", "0 10 g"), ("R", "10 20 g")], "LG→RG 1");
    check(&[("B", "0 10 g, 20 30 f"), ("L", "40 50 g")], "LRG→LRF 1, LRF→LG 1");
    let (learned, _) =
        learned("overlap = 0.9", &[recording("a", &[("L", "0 100 g"), ("R", "50 120 g, 200 210 f")])]);
    assert_eq!(counted(&learned.counts[0]), "LG→RG 1, RG→RF 1");
}

#[test]
fn transitions_do_not_cross_files_or_people() {
    let a = recording("a", &[("R", "0 10 g, 20 30 g")]);
    let b = recording("b", &[("R", "0 10 f, 20 30 f")]);
    let (both, _) = learned("", &[a, b]);
    assert_eq!(counted(&both.counts[0]), "RG→RG 1, RF→RF 1");
    let (people, _) =
        learned("", &[recording("a", &[("R1@Ann", "0 10 g, 20 30 g"), ("R2@Bob", "12 15 f, 40 50 f")])]);
    assert_eq!(counted(&people.counts[0]), "RG→RG 1, RF→RF 1");
    assert_eq!(people.matched[1].person, "Bob");
}

#[test]
fn speaking_and_listening_have_their_own_chains() {
    let tiers =
        [("R", "0 10 g, 20 30 g, 1000 1010 f, 1020 1030 f, 2000 2010 g"), ("S", "0 15 hello, 18 100 you")];
    let (learned, _) = learned("pause = 0.1", &[recording("a", &tiers)]);
    let all: Vec<(Option<Activity>, String)> =
        learned.counts.iter().map(|c| (c.activity, counted(c))).collect();
    assert_eq!(
        all,
        [
            (None, "RG→RG 1, RG→RF 1, RF→RG 1, RF→RF 1".into()),
            (Some(Activity::Speaking), "RG→RG 1".into()),
            (Some(Activity::Listening), "RF→RG 1, RF→RF 1".into()),
        ]
    );
    assert!(learned.behaviour.speaking.is_some() && learned.behaviour.thinking.is_none());
}

#[test]
fn rows_are_shares_and_states_without_transitions_get_overall_shares() {
    let tiers = [("R", "0 10 g, 20 30 g, 40 50 f, 60 70 g, 80 90 t")];
    let row = |settings: &str, state: usize| {
        learned(settings, &[recording("a", &tiers)]).0.counts[0].matrix[state].clone()
    };
    let at = |values: &[(usize, f64)]| {
        let mut row = vec![0.0; 9];
        values.iter().for_each(|(index, value)| row[*index] = *value);
        row
    };
    assert_eq!(row("", 3), at(&[(3, 1.0 / 3.0), (4, 1.0 / 3.0), (5, 1.0 / 3.0)]));
    assert_eq!(row("", 4), at(&[(3, 1.0)]));
    // RT has no transitions and LG has no occurrences: the rows of both are the overall shares.
    assert_eq!(row("", 5), at(&[(3, 0.6), (4, 0.2), (5, 0.2)]));
    assert_eq!(row("", 0), row("", 5));
    // Add-1: (0 + 1) / (1 + 9) and (1 + 1) / (1 + 9).
    assert_eq!((row("smoothing = 1", 4)[0], row("smoothing = 1", 4)[3]), (0.1, 0.2));
    assert_eq!(row("smoothing = 1", 0), vec![1.0 / 9.0; 9]);
}

#[test]
fn durations_and_gaps_are_quantiles() {
    let tiers = [("R", "0 1000 g, 1500 4500 g, 4000 6000 g, 6100 6200 f")];
    let (learned, _) = learned("quantiles = 3", &[recording("a", &tiers)]);
    let state = &learned.behaviour.always.arms.states[3];
    assert_eq!(state.duration, Spread(vec![1.0, 2.0, 3.0]));
    // An action that begins before the last one ends has no gap.
    assert_eq!(state.gap, Spread(vec![0.0, 0.1, 0.5]));
    // Unobserved states have the durations of all states.
    assert_eq!(learned.behaviour.always.arms.states[0].duration, Spread(vec![0.1, 1.5, 3.0]));
}

#[test]
fn a_single_action_still_gets_a_gap() {
    let gap = |chains: &Chains| chains.arms.states[3].gap.0.clone();
    let (alone, _) = learned("quantiles = 2", &[recording("a", &[("R", "0 1000 g")])]);
    assert_eq!(gap(&alone.behaviour.always), [1.0, 1.0]);
    // There is no transition while listening, so the gaps of the whole time are used.
    let tiers = [("R", "0 1000 g, 3000 4000 g, 9000 9500 g"), ("S", "0 4500 hello")];
    let (twice, _) = learned("quantiles = 2", &[recording("a", &tiers)]);
    assert_eq!(gap(twice.behaviour.listening.as_ref().unwrap()), [2.0, 5.0]);
    assert_eq!(gap(twice.behaviour.speaking.as_ref().unwrap()), [2.0, 2.0]);
}

/// Paper 4, section 7.3: “we can either randomly pick a semantic label when landing in a gesture state,
/// based on its distribution in the annotations, or we can include it into the Markov model as additional
/// states”.
#[test]
fn tags_are_drawn_or_are_states() {
    let tiers = [
        ("R", "0 10 g, 20 30 g:yes, 40 50 f, 60 70 g:yes, 80 90 f, 100 110 g"),
        ("H", "0 10 nod, 20 30 shake, 40 50 nod, 60 70 lean"),
    ];
    let (states, _) = learned("semantics = 'states'", &[recording("a", &tiers)]);
    assert_eq!(states.counts[0].states[9..], ["RG:positive"]);
    assert_eq!(counted(&states.counts[0]), "RG→RG:positive 1, RF→RG 1, RF→RG:positive 1, RG:positive→RF 2");
    let (drawn, _) = learned("semantics = 'drawn'", &[recording("a", &tiers)]);
    assert_eq!(counted(&drawn.counts[0]), "RG→RG 1, RG→RF 2, RF→RG 2");
    let arms = &drawn.behaviour.always.arms;
    let index = |chain: &Chain, name: &str| chain.states.iter().position(|state| state.name == name).unwrap();
    let (plain, positive, fidget) = (index(arms, "RG"), index(arms, "RG:positive"), index(arms, "RF"));
    assert_eq!((arms.matrix[fidget][plain], arms.matrix[fidget][positive]), (0.5, 0.5));
    assert_eq!(arms.matrix[plain], arms.matrix[positive], "tags do not change the transitions");
    // Head tags: two nods, a shake, and one without tags.
    let head = &drawn.behaviour.always.head;
    let shares = ["G", "G:positive", "G:negative"].map(|name| head.start[index(head, name)]);
    assert_eq!(shares, [0.25, 0.5, 0.25]);
}

#[test]
fn unknown_values_give_a_warning() {
    let (learned, warnings) =
        learned("", &[recording("a", &[("R", "0 10 g, 20 30 what, 40 50 what, 60 70 f")])]);
    assert_eq!(counted(&learned.counts[0]), "RG→RF 1");
    assert_eq!((learned.matched[0].annotations, learned.matched[0].ignored), (2, 2));
    let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
    assert!(warning.message.contains("“what” (2)") && warning.place.contains("tier “R”"), "{warning}");
}

#[test]
fn videos_without_actions_are_errors() {
    let check = |tiers: &[(&str, &str)], expected: &str| {
        let error =
            learn(&[recording("a.eaf", tiers)], &TierMap::parse(MAP).unwrap(), &mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    };
    check(
        &[("other", "0 10 g")],
        "no tier matches the map; correct the names in its rules. Tiers (with number of annotations):\n  a.eaf: “other” (1)",
    );
    check(&[("R", "0 10 what")], "no annotation on the matching tiers");
    check(&[("R", "")], "no annotation on the matching tiers");
    check(&[("S", "0 10 hello")], "no annotation on the matching tiers");
    check(&[("R", "0 0 g, 0 0 g")], "duration and gap are both 0");
}

#[test]
fn the_standard_map_matches_descriptive_names() {
    let part = |name: &str| {
        let tier = Tier { name: name.into(), ..Tier::default() };
        TierMap::standard().rule(&tier).map(|(_, rule)| rule.part)
    };
    for (name, expected) in [
        ("Left Arm", Some(TierPart::LeftArm)),
        ("arm-right", Some(TierPart::RightArm)),
        ("A_RightHand", Some(TierPart::RightArm)),
        ("both hands", Some(TierPart::BothArms)),
        ("HeadStance", Some(TierPart::HeadStance)),
        ("head action", Some(TierPart::Head)),
        ("Body, legs and spine", Some(TierPart::Body)),
        ("speech", Some(TierPart::Speech)),
        ("right hand comments", Some(TierPart::Ignore)),
        ("W-RGU", None),
        ("transcription", None),
    ] {
        assert_eq!(part(name), expected, "{name}");
    }
}
