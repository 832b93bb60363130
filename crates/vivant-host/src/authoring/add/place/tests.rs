use super::super::label::Said;
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
        said: Said::default(),
    }
}

/// A line a stance: its name and clip, then what can be done in it.
fn shown(repertoire: &Repertoire) -> Vec<String> {
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

/// What is placed into a repertoire can be used, and is where it should be.
fn check(mut repertoire: Repertoire, labels: Vec<Label>, expected: &[&str]) -> Placed {
    let placed = place(&mut repertoire, labels).unwrap();
    assert_eq!(shown(&repertoire), expected);
    let built = Graph::build(&repertoire, &|_| Some(3.0));
    assert_eq!(built.unwrap().1, [], "no stance is lost");
    placed
}

use Type::{Fidget, Gesture, Stance as StanceClip, Transition as Way};

#[test]
fn stances_come_first_whatever_the_order() {
    let labels = vec![
        label("g", Gesture, "standing", None),
        label("idle", StanceClip, "standing", None),
        label("f", Fidget, "standing", None),
    ];
    check(Repertoire::default(), labels, &["standing idle | g | f | "]);
}

#[test]
fn a_second_clip_of_a_stance_is_done_now_and_then() {
    let labels = vec![label("a", StanceClip, "standing", None), label("b", StanceClip, "standing", None)];
    let placed = check(Repertoire::default(), labels, &["standing a |  | b | "]);
    assert_eq!(placed.labels[1].0.kind, Fidget);
    assert!(placed.labels[1].1[0].contains("now and then"));
}

#[test]
fn a_stance_that_nobody_recorded_holds_a_pose_until_it_has_a_clip() {
    let mut repertoire = Repertoire::default();
    let labels = vec![
        label("g", Gesture, "standing", None),
        label("f", Fidget, "standing", None),
        label("s", Gesture, "sitting", None),
    ];
    place(&mut repertoire, labels).unwrap();
    assert_eq!(shown(&repertoire), ["standing - | g | f | sitting:-", "sitting s | s |  | standing:-"]);
    assert_eq!((repertoire.stances[1].start, repertoire.stances[1].end), (0.5, Some(0.5)));
    let labels =
        vec![label("sit", StanceClip, "sitting", None), label("down", Way, "standing", Some("sitting"))];
    let placed =
        check(repertoire, labels, &["standing - | g | f | sitting:down", "sitting sit | s |  | standing:-"]);
    assert!(placed.labels[1].1[0].contains("takes the place of the blend"));
}

#[test]
fn a_performance_begins_where_there_is_most_to_do() {
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
fn new_stances_hold_the_layers_of_those_that_are_there() {
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
fn what_flags_ask_for_is_done_or_refused() {
    let refused = |label: Label, words: &str| {
        let mut repertoire =
            Repertoire { stances: vec![Stance::new("standing", Some("idle".into()))], ..Default::default() };
        repertoire.stances[0].layers = vec![Layer::Body];
        let fault = place(&mut repertoire, vec![label]).unwrap_err().to_string();
        assert!(fault.contains(words), "{fault}");
    };
    let said = Said { kind: true, stance: true, to: true, layers: true };
    refused(Label { said, ..label("t", Way, "standing", None) }, "where the transition leads");
    refused(Label { said, ..label("t", Way, "standing", Some("standing")) }, "no transition");
    refused(Label { said, ..label("g", Gesture, "standing", None) }, "holds body only");
    refused(Label { said, ..label("s", StanceClip, "standing", None) }, "has a clip already, idle");
    let mut repertoire = Repertoire::default();
    let kind = Said { kind: true, ..Said::default() };
    let labels = ["a", "b"].map(|clip| Label { said: kind, ..label(clip, StanceClip, "standing", None) });
    place(&mut repertoire, labels.to_vec()).unwrap();
    assert_eq!(repertoire.stances[1].name, "standing-2");
}
