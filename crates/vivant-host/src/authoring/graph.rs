//! Draws stances and the transitions between them as a plot.
//!
//! The plot shows at a glance which stances cannot be reached and which cannot be left (Borer 2019, Figures 1 and 2).
//! Stances with the same layers form a group, because transitions connect only stances with the same layers.
//! [`StanceGraph::of`] returns both the data, for JSON, and a [`Network`], which [`crate::plot`] draws. The graph needs
//! only the repertoire, so missing clips and wrong trims do not prevent it.

use super::check;
use super::table::count;
use crate::character::draft::Draft;
use crate::plot::{Arrow, Group, Mark, Network, Node};
use serde::Serialize;
use vivant::body::graph::{ActionNode, Graph};
use vivant::body::layers::{Layer, LayerSet};
use vivant::body::repertoire::Kind;
use vivant_io::{Error, Result};

/// The stance graph of a character.
#[derive(Debug)]
pub struct StanceGraph {
    /// The stances, grouped by layers.
    pub groups: Vec<StanceGroup>,
    /// The plot.
    pub network: Network,
}

impl StanceGraph {
    /// Draws the graph of a character.
    ///
    /// # Errors
    /// If the repertoire cannot be read, or has no graph.
    pub fn of(draft: &Draft) -> Result<Self> {
        let groups = groups(&graph(draft)?);
        let network = network(&draft.name, &groups);
        Ok(Self { groups, network })
    }
}

/// Builds the graph even if clips are missing or trims are wrong, since the plot shows neither clips nor trims.
fn graph(draft: &Draft) -> Result<Graph> {
    let file = draft.file.display();
    let lines = draft.unread.iter().map(|(path, message)| Error::new(format!("{file}: {path}: {message}")));
    let repertoire = draft.repertoire.as_ref().ok_or_else(|| crate::authoring::join_errors(lines))?;
    check::graph_of(repertoire, &draft.clips).map_err(|faults| {
        crate::authoring::join_errors(faults.iter().map(|fault| Error::new(format!("{file}: {fault}"))))
    })
}

/// Stances with the same layers; transitions only connect stances of one group.
#[derive(Debug, PartialEq, Serialize)]
pub struct StanceGroup {
    /// The layers.
    pub layers: Vec<Layer>,
    /// The stances.
    pub stances: Vec<GraphStance>,
}

/// A stance in the stance graph.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GraphStance {
    /// The name of the stance.
    pub name: String,
    /// The number of gestures in this stance.
    pub gestures: usize,
    /// The number of fidgets in this stance.
    pub fidgets: usize,
    /// The transitions from this stance, grouped by target stance.
    pub transitions: Vec<GraphTransitions>,
    /// True if this is the first stance of its group.
    pub is_first: bool,
    /// True if this stance cannot be reached from the first stance.
    pub is_unreachable: bool,
    /// True if no transition leaves this stance.
    pub is_dead_end: bool,
}

/// The transitions from one stance to another.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GraphTransitions {
    /// The target stance.
    pub to: String,
    /// The names of the transitions.
    pub names: Vec<String>,
    /// True if all of these transitions are blends without a clip.
    pub are_blends: bool,
}

fn groups(graph: &Graph) -> Vec<StanceGroup> {
    let mut sets: Vec<LayerSet> = Vec::new();
    for stance in graph.stances() {
        if !sets.contains(&stance.layers) {
            sets.push(stance.layers);
        }
    }
    let group = |set: LayerSet| {
        let own: Vec<usize> =
            (0..graph.stances().len()).filter(|i| graph.stances()[*i].layers == set).collect();
        let stances = own.iter().map(|stance| drawable(graph, *stance, &own)).collect();
        StanceGroup { layers: set.iter().collect(), stances }
    };
    sets.into_iter().map(group).collect()
}

fn drawable(graph: &Graph, stance: usize, siblings: &[usize]) -> GraphStance {
    let own: Vec<&ActionNode> = graph.actions().iter().filter(|action| action.stance == stance).collect();
    let number = |kind: Kind| own.iter().filter(|action| action.kind == kind).count();
    let to = |target: usize| {
        let there = || own.iter().filter(move |action| action.connects(stance, target));
        let names: Vec<String> = there().map(|action| action.name.clone()).collect();
        let are_blends = there().all(|action| action.clip.is_none());
        (!names.is_empty()).then(|| GraphTransitions {
            to: graph.stances()[target].name.clone(),
            names,
            are_blends,
        })
    };
    let transitions: Vec<GraphTransitions> = siblings.iter().filter_map(|target| to(*target)).collect();
    GraphStance {
        name: graph.stances()[stance].name.clone(),
        gestures: number(Kind::Gesture),
        fidgets: number(Kind::Fidget),
        is_first: stance == siblings[0],
        is_unreachable: graph.next_stance(siblings[0], stance).is_none(),
        is_dead_end: siblings.len() > 1 && transitions.is_empty(),
        transitions,
    }
}

fn network(name: &str, groups: &[StanceGroup]) -> Network {
    let all = || groups.iter().flat_map(|group| &group.stances);
    let transitions: usize =
        all().flat_map(|stance| &stance.transitions).map(|transitions| transitions.names.len()).sum();
    let numbers = [
        count(all().count(), "stance"),
        count(all().map(|stance| stance.gestures).sum(), "gesture"),
        count(all().map(|stance| stance.fidgets).sum(), "fidget"),
        count(transitions, "transition"),
    ];
    let mut title = format!("{name}\n{}", numbers.join(", "));
    if all().flat_map(|stance| &stance.transitions).any(|transitions| transitions.are_blends) {
        title.push_str("\nDashed: blend without a clip.");
    }
    Network { title, groups: groups.iter().map(drawn_group).collect() }
}

fn drawn_group(group: &StanceGroup) -> Group {
    let layers: Vec<&str> = group.layers.iter().copied().map(Layer::name).collect();
    let index = |name: &str| group.stances.iter().position(|stance| stance.name == name);
    let number = group.stances.iter().map(|stance| stance.transitions.len()).sum();
    let arrows = group.stances.iter().enumerate().flat_map(|(from, stance)| {
        let arrow = move |transitions: &GraphTransitions| {
            let label = label(transitions, number, group.stances.len());
            Some(Arrow { from, to: index(&transitions.to)?, label, dashed: transitions.are_blends })
        };
        stance.transitions.iter().filter_map(arrow)
    });
    Group {
        title: layers.join(", "),
        arrows: arrows.collect(),
        nodes: group.stances.iter().map(node).collect(),
    }
}

/// Returns the label of an arrow. For several transitions, it is their number. For one transition, it is the name, or
/// empty in a graph with many arrows. Blends have an empty label.
fn label(transitions: &GraphTransitions, arrows: usize, stances: usize) -> String {
    match &transitions.names[..] {
        _ if transitions.are_blends => String::new(),
        [name] if arrows <= 2 * stances => shortened(name),
        [_] => String::new(),
        several => several.len().to_string(),
    }
}

fn shortened(name: &str) -> String {
    const LONGEST: usize = 22;
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    let start: String = name.chars().take(LONGEST - 1).collect();
    format!("{start}…")
}

fn node(stance: &GraphStance) -> Node {
    let marks = [
        (stance.is_first, Mark::Start),
        (stance.is_unreachable, Mark::Unreachable),
        (stance.is_dead_end, Mark::DeadEnd),
    ];
    Node {
        name: stance.name.clone(),
        counts: [count(stance.gestures, "gesture"), count(stance.fidgets, "fidget")],
        marks: marks.into_iter().filter(|(is_set, _)| *is_set).map(|(_, mark)| mark).collect(),
    }
}
