//! Strokes found from motion are where the authors of the motions put them.

use vivant::body::graph::Graph;
use vivant::body::repertoire::Kind;
use vivant::clip::Clip;
use vivant_mannequin::{starter_clips, starter_repertoire};

fn graph() -> Graph {
    let clips = starter_clips();
    let clip = |spelling: &str| clips.iter().find(|clip| spelling.ends_with(&format!("#{}", clip.name())));
    let (mut graph, _) = Graph::build(&starter_repertoire(), &|name| clip(name).map(Clip::duration)).unwrap();
    graph.find_strokes(&clip);
    graph
}

/// Key times in seconds, as written in `motions/*.txt`: a hand arrives or turns, or the head is lowest. If a hand
/// presses on after it arrives, or swings, several times are listed and each is accepted.
const KEYS: &[(&str, &[f64])] = &[
    ("beat_left", &[0.8]),
    ("beat_both", &[0.85]),
    ("present_right", &[0.85]),
    ("point_left", &[0.75]),
    ("explain", &[1.0]),
    ("me", &[0.9]),
    ("thumbs_up", &[0.7, 0.95]),
    ("wave", &[0.95, 1.2, 1.46]),
    ("shrug", &[0.78]),
    ("halt", &[0.95, 1.2]),
    ("dismiss", &[0.98]),
    ("beat_small_right", &[0.72]),
    ("beat_large_left", &[1.16]),
    ("beat_turns", &[0.86]),
    ("fist_beat", &[1.02]),
    ("chop_right", &[1.02]),
    ("pinch_beat_left", &[1.05]),
    ("unfold", &[1.5]),
    ("you_left", &[0.75]),
    ("give_left", &[1.15]),
    ("point_up", &[0.85, 1.1]),
    ("folded_dismiss", &[0.85]),
    ("sorry", &[0.95]),
    ("clasped_beat", &[0.62]),
    ("hip_beat", &[0.82]),
    ("folded_beat", &[0.8]),
    ("nod", &[0.42]),
    ("nod_once", &[0.45]),
    ("nods_tilted_left", &[0.34]),
    ("shake", &[0.3, 0.68]),
    ("tilt_question", &[0.5]),
];

#[test]
fn strokes_are_found_where_their_authors_put_them() {
    let graph = graph();
    let mut misses = Vec::new();
    for (name, keys) in KEYS {
        let action = graph
            .actions()
            .iter()
            .find(|action| action.name == *name)
            .expect("the action is in the repertoire");
        let miss = keys.iter().map(|key| (action.stroke - key).abs()).fold(f64::INFINITY, f64::min);
        println!("{name}: {:.3} s, {:.0} ms off", action.stroke, miss * 1000.0);
        misses.push((miss, *name));
    }
    misses.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(misses[misses.len() / 2].0 < 0.035, "at the median: {misses:?}");
    assert!(misses.last().is_some_and(|(miss, _)| *miss < 0.1), "maximum: {misses:?}");
}

/// Speech needs beats at short notice. They take longest from behind the back.
#[test]
fn beats_reach_their_stroke_quickly() {
    let graph = graph();
    let beat = graph.find_tag("beat").expect("the tag beat exists");
    for action in graph.actions().iter().filter(|a| a.kind == Kind::Gesture && a.tags & beat != 0) {
        assert!((0.2..1.5).contains(&action.stroke), "{}: {:.2} s", action.name, action.stroke);
        assert!(action.stroke < action.secs, "{}", action.name);
    }
}
