//! Stances and the transitions between them, as a plot.

use super::check;
use super::table::count;
use crate::character::draft::Draft;
use crate::plot::{Arrow, Group, Mark, Network, Node};
use serde::Serialize;
use vivant::body::graph::{ActionNode, Graph};
use vivant::body::layers::{Layer, LayerSet};
use vivant::body::repertoire::Kind;
use vivant_io::{Error, Result};

/// The stances of a character and the transitions between them.
#[derive(Debug)]
pub struct Drawn {
    /// The stances, by their layers.
    pub groups: Vec<OfLayers>,
    /// The plot.
    pub network: Network,
}

impl Drawn {
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

/// The graph, also where clips are missing or trims are wrong: these are not to be seen.
fn graph(draft: &Draft) -> Result<Graph> {
    let file = draft.file.display();
    let lines = draft.unread.iter().map(|(path, message)| Error::new(format!("{file}: {path}: {message}")));
    let repertoire = draft.repertoire.as_ref().ok_or_else(|| crate::authoring::joined(lines))?;
    check::graph_of(repertoire, &draft.clips).map_err(|faults| {
        crate::authoring::joined(faults.iter().map(|fault| Error::new(format!("{file}: {fault}"))))
    })
}

/// Stances that hold the same layers; transitions are only between these.
#[derive(Debug, PartialEq, Serialize)]
pub struct OfLayers {
    /// The layers.
    pub layers: Vec<Layer>,
    /// The stances.
    pub stances: Vec<Drawable>,
}

/// A stance.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Drawable {
    /// Its name.
    pub name: String,
    /// The number of gestures.
    pub gestures: usize,
    /// The number of fidgets.
    pub fidgets: usize,
    /// The transitions, by the stance they lead to.
    pub transitions: Vec<Ways>,
    /// Whether it is the first of its layers.
    pub is_first: bool,
    /// Whether no transitions lead to it from the first.
    pub is_unreachable: bool,
    /// Whether no transition leads out of it.
    pub is_dead_end: bool,
}

/// The transitions to another stance.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ways {
    /// The stance they lead to.
    pub to: String,
    /// Their names.
    pub names: Vec<String>,
    /// Whether none of them has a clip.
    pub are_blends: bool,
}

fn groups(graph: &Graph) -> Vec<OfLayers> {
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
        OfLayers { layers: set.iter().collect(), stances }
    };
    sets.into_iter().map(group).collect()
}

fn drawable(graph: &Graph, stance: usize, siblings: &[usize]) -> Drawable {
    let own: Vec<&ActionNode> = graph.actions().iter().filter(|action| action.stance == stance).collect();
    let many = |kind: Kind| own.iter().filter(|action| action.kind == kind).count();
    let to = |target: usize| {
        let there = || own.iter().filter(move |action| action.leads(stance, target));
        let names: Vec<String> = there().map(|action| action.name.clone()).collect();
        let are_blends = there().all(|action| action.clip.is_none());
        (!names.is_empty()).then(|| Ways { to: graph.stances()[target].name.clone(), names, are_blends })
    };
    let transitions: Vec<Ways> = siblings.iter().filter_map(|target| to(*target)).collect();
    Drawable {
        name: graph.stances()[stance].name.clone(),
        gestures: many(Kind::Gesture),
        fidgets: many(Kind::Fidget),
        is_first: stance == siblings[0],
        is_unreachable: graph.hop(siblings[0], stance).is_none(),
        is_dead_end: siblings.len() > 1 && transitions.is_empty(),
        transitions,
    }
}

fn network(name: &str, groups: &[OfLayers]) -> Network {
    let all = || groups.iter().flat_map(|group| &group.stances);
    let ways: usize = all().flat_map(|stance| &stance.transitions).map(|ways| ways.names.len()).sum();
    let numbers = [
        count(all().count(), "stance"),
        count(all().map(|stance| stance.gestures).sum(), "gesture"),
        count(all().map(|stance| stance.fidgets).sum(), "fidget"),
        count(ways, "transition"),
    ];
    let mut title = format!("{name}\n{}", numbers.join(", "));
    if all().flat_map(|stance| &stance.transitions).any(|ways| ways.are_blends) {
        title.push_str("\nDashed: a blend, without a clip of its own.");
    }
    Network { title, groups: groups.iter().map(drawn_group).collect() }
}

fn drawn_group(group: &OfLayers) -> Group {
    let layers: Vec<&str> = group.layers.iter().copied().map(Layer::name).collect();
    let index = |name: &str| group.stances.iter().position(|stance| stance.name == name);
    let many = group.stances.iter().map(|stance| stance.transitions.len()).sum();
    let arrows = group.stances.iter().enumerate().flat_map(|(from, stance)| {
        let arrow = move |ways: &Ways| {
            let label = label(ways, many, group.stances.len());
            Some(Arrow { from, to: index(&ways.to)?, label, dashed: ways.are_blends })
        };
        stance.transitions.iter().filter_map(arrow)
    });
    Group {
        title: layers.join(", "),
        arrows: arrows.collect(),
        nodes: group.stances.iter().map(node).collect(),
    }
}

/// An arrow's name, or how many it stands for; among many arrows only what is not plain.
fn label(ways: &Ways, arrows: usize, stances: usize) -> String {
    match &ways.names[..] {
        _ if ways.are_blends => String::new(),
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

fn node(stance: &Drawable) -> Node {
    let marks = [
        (stance.is_first, Mark::Start),
        (stance.is_unreachable, Mark::Unreachable),
        (stance.is_dead_end, Mark::DeadEnd),
    ];
    Node {
        name: stance.name.clone(),
        counts: [count(stance.gestures, "gesture"), count(stance.fidgets, "fidget")],
        marks: marks.into_iter().filter(|(is_so, _)| *is_so).map(|(_, mark)| mark).collect(),
    }
}
