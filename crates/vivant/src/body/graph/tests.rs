use super::*;
use crate::body::repertoire::BodyPart;

fn clip_secs(clip: &str) -> Option<f64> {
    (!clip.starts_with("missing")).then_some(2.0)
}

/// Two stances of the whole body with transitions between them, and actions in each.
fn valid() -> Repertoire {
    let standing = Stance {
        gestures: vec![Action { layers: vec![Layer::Arms], ..Action::new("wave") }],
        fidgets: vec![Action::new("stretch")],
        transitions: vec![Transition::new("sitting", Some("sit".into()))],
        ..Stance::new("standing", Some("idle".into()))
    };
    let sitting = Stance {
        transitions: vec![Transition::new("standing", None)],
        ..Stance::new("sitting", Some("seated".into()))
    };
    Repertoire { stances: vec![standing, sitting], ..Repertoire::default() }
}

#[test]
fn a_valid_repertoire_has_no_problems_and_all_paths() {
    let (graph, issues) = Graph::build(&valid(), &clip_secs).unwrap();
    assert_eq!(issues, []);
    let names: Vec<&str> = graph.actions().iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["wave", "stretch", "sit", "to standing"]);
    assert_eq!(
        (graph.next_stance(0, 1), graph.next_stance(1, 0), graph.next_stance(0, 0)),
        (Some(1), Some(0), Some(0))
    );
    // A clip occupies its layers until the next one starts to fade in; a transition without a clip takes 0.6 s.
    assert_eq!(graph.actions().iter().map(|a| a.secs).collect::<Vec<_>>(), [1.7, 1.7, 1.7, 0.6]);
    assert_eq!(graph.path_secs(1, 0), Some(0.6));
    assert_eq!(graph.actions()[1].layers, Layer::ALL.into_iter().collect(), "all layers of the stance");
}

/// Changes a valid repertoire and returns the problems that it then has.
fn issues_after(change: impl Fn(&mut Repertoire)) -> Vec<Issue> {
    let mut repertoire = valid();
    change(&mut repertoire);
    Graph::build(&repertoire, &clip_secs).map_or_else(|issues| issues, |(_, issues)| issues)
}

#[test]
fn every_problem_is_reported_with_its_path() {
    type Change = fn(&mut Repertoire);
    fn wave(r: &mut Repertoire) -> &mut Action {
        &mut r.stances[0].gestures[0]
    }
    fn sit(r: &mut Repertoire) -> &mut Transition {
        &mut r.stances[0].transitions[0]
    }
    let table: &[(Change, &str)] = &[
        (|r| r.version = 2, "version: unsupported version 2; this version of Vivant supports 1"),
        (|r| r.stances.clear(), "stances: is empty"),
        (|r| r.stances[1].name = " ".into(), "stances[1].name: is empty"),
        (
            |r| r.stances[1].name = "standing".into(),
            "stances[1].name: “standing” is also the name of stances[0]",
        ),
        (|r| r.stances[0].layers.clear(), "stances[0].layers: is empty"),
        (
            |r| r.stances[1].layers = vec![Layer::Arms],
            "stances[1].layers: the stance shares some layers with “standing”",
        ),
        (|r| r.stances[0].clip = Some("missing".into()), "stances[0].clip: there is no clip “missing”"),
        (|r| r.stances[0].start = 3.0, "stances[0].start: is 3; the clip lasts from 0 to 2.00 s"),
        (|r| r.stances[0].end = Some(-1.0), "stances[0].end: is -1, before the start at 0"),
        (
            |r| wave(r).clip = "missing.vrma".into(),
            "stances[0].gestures[0].clip: there is no clip “missing.vrma”",
        ),
        (|r| wave(r).start = -0.5, "stances[0].gestures[0].start: is -0.5; the clip lasts"),
        (|r| wave(r).start = f64::NAN, "stances[0].gestures[0].start: is NaN"),
        (|r| wave(r).end = Some(9.0), "stances[0].gestures[0].end: is 9; the clip lasts from 0 to 2.00 s"),
        (
            |r| (wave(r).start, wave(r).end) = (1.5, Some(1.0)),
            "stances[0].gestures[0].end: is 1, before the start at 1.5",
        ),
        (
            |r| (wave(r).start, wave(r).stroke) = (0.5, Some(0.4)),
            "stances[0].gestures[0].stroke: is 0.4; the played part lasts from 0.50 to 2.00 s",
        ),
        (|r| (wave(r).end, wave(r).stroke) = (Some(1.0), Some(1.2)), "stances[0].gestures[0].stroke: is 1.2"),
        (|r| wave(r).stroke = Some(f64::NAN), "stances[0].gestures[0].stroke: is NaN"),
        (|r| wave(r).blend_in = -1.0, "stances[0].gestures[0].blendIn: is -1; give 0 to 10 seconds"),
        (|r| wave(r).blend_out = f64::INFINITY, "stances[0].gestures[0].blendOut: is inf"),
        (|r| wave(r).likelihood = -2.0, "stances[0].gestures[0].likelihood: is -2; give 0 or more"),
        (
            |r| (r.stances[0].layers, r.stances[1].layers) = (vec![Layer::Head], vec![Layer::Head]),
            "stances[0].gestures[0].layers: the stance has only the layers head",
        ),
        (
            |r| wave(r).tags = (0..65).map(|i| i.to_string()).collect(),
            "stances[0].gestures[0].tags: “64” exceeds the 64 different tags",
        ),
        (|r| r.stances[0].fidgets[0].clip = "missing".into(), "stances[0].fidgets[0].clip: there is no clip"),
        (|r| sit(r).to = "lying".into(), "stances[0].transitions[0].to: unknown stance `lying`"),
        (
            |r| sit(r).to = "standing".into(),
            "stances[0].transitions[0].to: the transition leads back to its own stance",
        ),
        (|r| sit(r).clip = Some("missing".into()), "stances[0].transitions[0].clip: there is no clip"),
        (|r| sit(r).likelihood = f64::NAN, "stances[0].transitions[0].likelihood: is NaN"),
        (|r| r.stances[0].transitions.clear(), "stances[1]: “sitting” cannot be reached from “standing”"),
        (|r| r.stances[0].transitions.clear(), "stances[0]: “standing” cannot be left"),
        (
            |r| r.stances[1].transitions.clear(),
            "stances[1]: “sitting” cannot be left; add a transition to another stance",
        ),
    ];
    for (change, expected) in table {
        let issues: Vec<String> = issues_after(change).iter().map(ToString::to_string).collect();
        assert!(issues.iter().any(|issue| issue.starts_with(expected)), "{expected}\n  found: {issues:#?}");
    }
}

#[test]
fn all_problems_are_reported_at_once() {
    let issues = issues_after(|r| {
        r.stances[0].gestures[0].clip = "missing".into();
        r.stances[0].transitions[0].to = "nowhere".into();
        r.stances[1].clip = Some("missing".into());
    });
    let paths: Vec<&str> = issues.iter().map(|issue| issue.path.as_str()).collect();
    assert_eq!(paths, ["stances[1].clip", "stances[0].gestures[0].clip", "stances[0].transitions[0].to"]);
}

#[test]
fn a_transition_stays_on_its_layers() {
    let issues = issues_after(|r| {
        r.stances[0].layers = vec![Layer::Body];
        r.stances[0].gestures.clear();
        r.stances[1].layers = vec![Layer::Arms];
    });
    assert!(issues[0].message.contains("“sitting” has other layers"), "{issues:?}");
}

/// Paths have the fewest transitions, and among those the shortest duration.
#[test]
fn paths_are_short_and_then_quick() {
    let mut stances: Vec<Stance> = ["a", "b", "c", "d", "lone"].map(|name| Stance::new(name, None)).to_vec();
    let to = |name: &str, secs: f64| Transition { blend_in: secs, ..Transition::new(name, None) };
    stances[0].transitions = vec![to("b", 3.0), to("c", 1.0), to("c", 2.0)];
    stances[1].transitions = vec![to("d", 1.0)];
    stances[2].transitions = vec![to("d", 1.0)];
    stances[3].transitions = vec![to("a", 1.0)];
    let (graph, issues) = Graph::build(&Repertoire { stances, ..Repertoire::default() }, &clip_secs).unwrap();
    assert_eq!((graph.next_stance(0, 3), graph.path_secs(0, 3)), (Some(2), Some(2.0)));
    assert_eq!((graph.next_stance(1, 2), graph.path_secs(1, 2)), (Some(3), Some(3.0)));
    assert_eq!(graph.next_stance(0, 4), None);
    assert_eq!(issues.len(), 2, "the isolated stance can neither be reached nor left: {issues:?}");
}

#[test]
fn every_bone_of_a_stance_has_one_owner() {
    use crate::rig::Bone;
    let all: LayerSet = Layer::ALL.into_iter().collect();
    for (bone, layers, expected) in [
        (Bone::Hips, all, Some(Layer::Body)),
        (Bone::Chest, all, Some(Layer::Body)),
        (Bone::Head, all, Some(Layer::Body)),
        (Bone::Head, [Layer::Arms, Layer::Head].into_iter().collect(), Some(Layer::Arms)),
        (Bone::RightHand, all, Some(Layer::Arms)),
        (Bone::Chest, [Layer::Arms].into_iter().collect(), Some(Layer::Arms)),
        (Bone::Head, [Layer::Body, Layer::Arms].into_iter().collect(), Some(Layer::Body)),
        (Bone::LeftFoot, [Layer::Arms].into_iter().collect(), None),
        (Bone::RightHand, [Layer::Body, Layer::Head].into_iter().collect(), None),
    ] {
        assert_eq!(owner(bone, layers), expected, "{bone:?}");
    }
}

#[test]
fn a_mask_is_made_of_body_parts() {
    let mut repertoire = valid();
    repertoire.stances[0].gestures[0].mask = vec![BodyPart::LeftArm, BodyPart::Head];
    let (graph, _) = Graph::build(&repertoire, &clip_secs).unwrap();
    assert_eq!(graph.actions()[0].mask, BoneSet::LEFT_ARM.union(BoneSet::HEAD));
    assert_eq!(graph.actions()[1].mask, BoneSet::ALL);
}

#[test]
fn a_stroke_is_relative_to_the_start_of_the_part() {
    let mut repertoire = valid();
    let wave = &mut repertoire.stances[0].gestures[0];
    (wave.start, wave.stroke) = (0.5, Some(0.75));
    let (graph, _) = Graph::build(&repertoire, &clip_secs).unwrap();
    let strokes: Vec<(f64, bool)> = graph.actions().iter().map(|a| (a.stroke, a.is_stroke_given)).collect();
    // A stroke that is not given is in the middle of the action; the stroke of a transition is its end.
    assert_eq!(strokes, [(0.25, true), (1.0, false), (1.7, false), (0.6, false)]);
}
