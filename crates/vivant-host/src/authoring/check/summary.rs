//! A text summary of a repertoire, by layer and by stance.

use crate::authoring::table::{aligned, count, row};
use vivant::body::graph::{ActionNode, Graph, StanceNode};
use vivant::body::layers::{Layer, LayerSet};
use vivant::body::repertoire::Kind;

/// Returns true if a clip was read. The duration of any other clip is unknown.
type IsRead<'a> = &'a dyn Fn(&Option<String>) -> bool;

/// Total duration of all played parts of clips, in seconds.
pub(super) fn seconds(graph: &Graph, is_read: IsRead<'_>) -> f64 {
    let stances = graph.stances().iter().map(|stance| (&stance.clip, stance.part));
    let actions = graph.actions().iter().map(|action| (&action.clip, action.part));
    total(stances.chain(actions), is_read)
}

fn total<'a>(parts: impl Iterator<Item = (&'a Option<String>, (f64, f64))>, is_read: IsRead<'_>) -> f64 {
    // The sum of an empty iterator is -0.
    parts.filter(|(clip, _)| is_read(clip)).map(|(_, (from, to))| to - from).sum::<f64>() + 0.0
}

pub(super) fn lines(name: &str, graph: &Graph, clips: usize, is_read: IsRead<'_>) -> Vec<String> {
    let [gestures, fidgets, transitions] = counts(graph.actions().iter());
    let all = [
        count(graph.stances().len(), "stance"),
        count(gestures, "gesture"),
        count(fidgets, "fidget"),
        count(transitions, "transition"),
        count(clips, "clip"),
        format!("{:.1} s of motion", seconds(graph, is_read)),
    ];
    let mut lines = vec![format!("{name}: {}", all.join(", ")), String::new()];
    let tables = [by_layer(graph), by_stance(graph, is_read)];
    for table in tables {
        lines.extend(aligned(&table).into_iter().map(|line| format!("  {line}")));
        lines.push(String::new());
    }
    lines
}

fn by_layer(graph: &Graph) -> Vec<Vec<String>> {
    let mut table = vec![row(["layer", "stances", "gestures", "fidgets", "transitions"])];
    for layer in Layer::ALL {
        let stances = graph.stances().iter().filter(|stance| stance.layers.contains(layer)).count();
        let own = graph.actions().iter().filter(|action| action.layers.contains(layer));
        let numbers = counts(own).map(|number| number.to_string());
        let mut cells = vec![layer.name().to_owned(), stances.to_string()];
        cells.extend(numbers);
        table.push(cells);
    }
    table
}

fn by_stance(graph: &Graph, is_read: IsRead<'_>) -> Vec<Vec<String>> {
    let mut table = vec![row(["stance", "layers", "gestures", "fidgets", "seconds", "leads to", "clip"])];
    for (index, stance) in graph.stances().iter().enumerate() {
        let own = || graph.actions().iter().filter(move |action| action.stance == index);
        let [gestures, fidgets, _] = counts(own());
        let parts = own().map(|action| (&action.clip, action.part)).chain([(&stance.clip, stance.part)]);
        let secs = total(parts, is_read);
        table.push(vec![
            stance.name.clone(),
            layers(stance.layers),
            gestures.to_string(),
            fidgets.to_string(),
            format!("{secs:.1}"),
            ways(graph, own()),
            clip(stance),
        ]);
    }
    table
}

fn clip(stance: &StanceNode) -> String {
    stance.clip.clone().unwrap_or_else(|| "(the neutral pose)".into())
}

fn layers(layers: LayerSet) -> String {
    layers.iter().map(Layer::name).collect::<Vec<_>>().join(", ")
}

/// Returns the names of the target stances, each with the number of transitions to it.
fn ways<'a>(graph: &Graph, actions: impl Iterator<Item = &'a ActionNode>) -> String {
    let mut counts_by_stance = vec![0; graph.stances().len()];
    actions
        .filter(|action| action.kind == Kind::Transition)
        .for_each(|action| counts_by_stance[action.ends_in] += 1);
    let named =
        counts_by_stance.iter().zip(graph.stances()).filter(|(counts_by_stance, _)| **counts_by_stance > 0);
    let words = named.map(|(counts_by_stance, stance)| match counts_by_stance {
        1 => stance.name.clone(),
        _ => format!("{} ×{counts_by_stance}", stance.name),
    });
    let all = words.collect::<Vec<_>>().join(", ");
    if all.is_empty() { "–".into() } else { all }
}

fn counts<'a>(actions: impl Iterator<Item = &'a ActionNode>) -> [usize; 3] {
    let mut counts = [0; 3];
    actions.for_each(|action| counts[action.kind as usize] += 1);
    counts
}
