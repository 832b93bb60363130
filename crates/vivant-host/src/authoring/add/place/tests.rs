use super::super::label::GivenLabels;
use super::*;
use vivant::body::graph::Graph;

fn label(clip: &str, kind: Type, stance: &str, to: Option<&str>) -> Label {
    Label {
        clip: clip.into(),
        kind,
        stance: stance.into(),
        to: to.map(str::to_owned),
        name: None,
        hand: None,
        layers: vec![Layer::Arms],
        tags: Vec::new(),
        start: 0.5,
        end: Some(2.0),
        confidence: 0.9,
        seconds: 3.0,
        given: GivenLabels::default(),
    }
}

/// Returns one line per stance: its name and clip, then its gestures, fidgets and transitions.
fn stance_lines(repertoire: &Repertoire) -> Vec<String> {
    let line = |stance: &Stance| {
        let clips = |actions: &[Action]| actions.iter().map(|a| a.clip.clone()).collect::<Vec<_>>().join(" ");
        let ways =
            stance.transitions.iter().map(|t| format!("{}:{}", t.to, t.clip.as_deref().unwrap_or("-")));
        let [gestures, fidgets] = [&stance.gestures, &stance.fidgets].map(|actions| clips(actions));
        let clip = stance.clip.as_deref().unwrap_or("-");
        let ways = ways.collect::<Vec<_>>().join(" ");
        format!("{} {clip} | {gestures} | {fidgets} | {ways}", stance.name)
    };
    repertoire.stances.iter().map(line).collect()
}

/// Places the clips and checks that the repertoire has the expected lines and can be built.
fn check(mut repertoire: Repertoire, labels: Vec<Label>, expected: &[&str]) -> Placed {
    let placed = place(&mut repertoire, labels).unwrap();
    assert_eq!(stance_lines(&repertoire), expected);
    let built = Graph::build(&repertoire, &|_| Some(3.0));
    assert_eq!(built.unwrap().1, [], "all stances are reachable");
    placed
}

use Type::{Fidget, Gesture, Stance as StanceClip, Transition as Way};

#[test]
fn stances_are_placed_first_in_any_order() {
    let labels = vec![
        label("g", Gesture, "standing", None),
        label("idle", StanceClip, "standing", None),
        label("f", Fidget, "standing", None),
    ];
    check(Repertoire::default(), labels, &["standing idle | g | f | "]);
}

#[test]
fn a_second_clip_of_a_stance_becomes_a_fidget() {
    let labels = vec![label("a", StanceClip, "standing", None), label("b", StanceClip, "standing", None)];
    let placed = check(Repertoire::default(), labels, &["standing a |  | b | "]);
    assert_eq!(placed.labels[1].0.kind, Fidget);
    assert!(placed.labels[1].1[0].contains("becomes a fidget"));
}

#[test]
fn a_stance_without_a_clip_holds_a_pose() {
    let mut repertoire = Repertoire::default();
    let labels = vec![
        label("g", Gesture, "standing", None),
        label("f", Fidget, "standing", None),
        label("s", Gesture, "sitting", None),
    ];
    place(&mut repertoire, labels).unwrap();
    assert_eq!(
        stance_lines(&repertoire),
        ["standing - | g | f | sitting:-", "sitting s | s |  | standing:-"]
    );
    assert_eq!((repertoire.stances[1].start, repertoire.stances[1].end), (0.5, Some(0.5)));
    let labels =
        vec![label("sit", StanceClip, "sitting", None), label("down", Way, "standing", Some("sitting"))];
    let placed =
        check(repertoire, labels, &["standing - | g | f | sitting:down", "sitting sit | s |  | standing:-"]);
    assert!(placed.labels[1].1[0].contains("replaces the existing blend"));
}

#[test]
fn the_stance_with_most_actions_comes_first() {
    let labels = vec![
        label("s", Gesture, "sitting", None),
        label("a", Gesture, "standing", None),
        label("b", Gesture, "standing", None),
    ];
    check(
        Repertoire::default(),
        labels,
        &["standing - | a b |  | sitting:-", "sitting s | s |  | standing:-"],
    );
}

#[test]
fn a_transition_to_its_own_stance_is_a_gesture() {
    let labels = vec![label("t", Way, "standing", Some("standing"))];
    let placed = check(Repertoire::default(), labels, &["standing - | t |  | "]);
    assert_eq!((placed.labels[0].0.kind, &placed.labels[0].0.to), (Gesture, &None));
}

#[test]
fn new_stances_take_the_layers_of_existing_ones() {
    let mut repertoire = Repertoire::default();
    for layer in Layer::ALL {
        repertoire.stances.push(Stance { layers: vec![layer], ..Stance::new(layer.name(), None) });
    }
    let labels =
        vec![label("fold", StanceClip, "arms-folded", None), label("g", Gesture, "arms-folded", None)];
    let expected = [
        "body - |  |  | ",
        "arms - |  |  | arms-folded:-",
        "head - |  |  | ",
        "arms-folded fold | g |  | arms:-",
    ];
    check(repertoire, labels, &expected);
}

#[test]
fn given_labels_are_applied_or_rejected() {
    let refused = |label: Label, part: &str| {
        let mut repertoire =
            Repertoire { stances: vec![Stance::new("standing", Some("idle".into()))], ..Default::default() };
        repertoire.stances[0].layers = vec![Layer::Body];
        let fault = place(&mut repertoire, vec![label]).unwrap_err().to_string();
        assert!(fault.contains(part), "{fault}");
    };
    let given = GivenLabels { kind: true, stance: true, to: true, layers: true };
    refused(Label { given, ..label("t", Way, "standing", None) }, "the transition has no target stance");
    refused(Label { given, ..label("t", Way, "standing", Some("standing")) }, "not a transition");
    refused(Label { given, ..label("g", Gesture, "standing", None) }, "only uses the layers body");
    refused(Label { given, ..label("s", StanceClip, "standing", None) }, "already has a clip, idle");
    let mut repertoire = Repertoire::default();
    let kind = GivenLabels { kind: true, ..GivenLabels::default() };
    let labels = ["a", "b"].map(|clip| Label { given: kind, ..label(clip, StanceClip, "standing", None) });
    place(&mut repertoire, labels.to_vec()).unwrap();
    assert_eq!(repertoire.stances[1].name, "standing-2");
}
