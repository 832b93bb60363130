//! A repertoire prepared for planning: the paper's meta-graph (paper 4, section 4).
//!
//! Building the graph finds all problems at once, each with its path in `repertoire.json`. The graph stores the actions
//! of each stance and kind, and the path between each pair of stances, so that the planner does not have to search.

pub mod names;

use crate::body::layers::{Layer, LayerSet, MIN_BLEND_SECS};
use crate::body::repertoire::{Action, Hand, Kind, Repertoire, Stance, Transition, VERSION, short_name};
use crate::body::stroke;
use crate::clip::Clip;
use crate::rig::BoneSet;
use std::fmt;

/// Stances and actions, by index.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    stances: Vec<StanceNode>,
    actions: Vec<ActionNode>,
    tags: Vec<String>,
    /// For each stance, the path to each other stance.
    paths: Vec<Vec<Option<StancePath>>>,
}

/// A stance. Actions refer to it by its index in [`Graph::stances`].
#[derive(Clone, Debug, PartialEq)]
pub struct StanceNode {
    /// Name of the stance.
    pub name: String,
    /// Layers that the stance uses.
    pub layers: LayerSet,
    /// Clip as spelled in the repertoire; `None` for the neutral pose.
    pub clip: Option<String>,
    /// Start and end of the looped part of the clip, in seconds.
    pub part: (f64, f64),
    /// Path in the repertoire file, such as `stances[1]`.
    pub path: String,
}

/// A gesture, a fidget or a transition.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionNode {
    /// Name by which agents request the action.
    pub name: String,
    /// Kind of the action.
    pub kind: Kind,
    /// Index of the stance in which the action starts.
    pub stance: usize,
    /// Index of the stance in which the action ends.
    pub ends_in: usize,
    /// Layers that the action uses.
    pub layers: LayerSet,
    /// Bones that the action may move.
    pub mask: BoneSet,
    /// Clip as spelled in the repertoire; `None` for a transition without a clip.
    pub clip: Option<String>,
    /// Start and end of the played part of the clip, in seconds.
    pub part: (f64, f64),
    /// Duration of the cross-fade at the start, in seconds.
    pub blend_in: f64,
    /// Duration of the cross-fade to the next motion, in seconds.
    pub blend_out: f64,
    /// Hand that performs the action.
    pub hand: Option<Hand>,
    /// Tags as bits: see [`Graph::find_tags`].
    pub tags: u64,
    /// Relative likelihood among the candidates; with 0, the action is only played when requested by name.
    pub likelihood: f64,
    /// True if the action can loop for as long as requested.
    pub looped: bool,
    /// Seconds for which the action occupies its layers: until the next motion starts to fade in.
    pub secs: f64,
    /// Time of the stroke in seconds after the start; for a transition, the end of the transition.
    pub stroke: f64,
    /// True if the repertoire gives the stroke; false if the stroke is found from the [motion](Graph::find_strokes).
    pub is_stroke_given: bool,
    /// Path in the repertoire file, such as `stances[1].gestures[0]`.
    pub path: String,
}

/// A problem in a repertoire.
#[derive(Clone, Debug, PartialEq)]
pub struct Issue {
    /// Path in the repertoire file: `stances[1].gestures[0].clip`.
    pub path: String,
    /// Description of the problem and how to fix it.
    pub message: String,
    /// True if the repertoire can still be used.
    pub is_warning: bool,
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// The path from one stance to another with the fewest transitions, and among such paths the quickest.
#[derive(Clone, Copy, Debug, PartialEq)]
struct StancePath {
    /// Next stance on the path.
    hop: usize,
    /// Number of transitions.
    steps: usize,
    /// Duration of all these transitions in seconds.
    secs: f64,
}

/// Maximum number of tags in a repertoire.
pub const MAX_TAGS: usize = 64;

/// Minimum duration of a transition without a clip, in seconds (our design: a quicker change of posture looks like a
/// jerk).
pub const MIN_CHANGE_SECS: f64 = 0.6;

impl Graph {
    /// Builds the graph of a repertoire. `clip_secs` returns the duration in seconds of a clip, given its name as
    /// spelled in the repertoire, or `None` if there is no such clip. Also returns the warnings.
    ///
    /// # Errors
    /// If the repertoire cannot be used. The error lists all problems.
    pub fn build(
        repertoire: &Repertoire,
        clip_secs: &dyn Fn(&str) -> Option<f64>,
    ) -> Result<(Self, Vec<Issue>), Vec<Issue>> {
        let mut builder = Builder::new(repertoire, clip_secs);
        builder.check_stances();
        for (index, stance) in repertoire.stances.iter().enumerate() {
            builder.add_stance(index, stance);
        }
        for (index, stance) in repertoire.stances.iter().enumerate() {
            builder.add_actions(index, stance);
        }
        builder.finish()
    }

    /// Finds strokes that the repertoire does not give, from the motion of the clips: see [`stroke`]. Before this
    /// call, and if nothing moves, the stroke is in the middle of the action.
    pub fn find_strokes<'a>(&mut self, clip: &dyn Fn(&str) -> Option<&'a Clip>) {
        for action in self.actions.iter_mut().filter(|a| a.kind != Kind::Transition && !a.is_stroke_given) {
            let Some(clip) = action.clip.as_deref().and_then(clip) else { continue };
            let plays = action.layers.iter().map(Layer::influence).fold(BoneSet::EMPTY, BoneSet::union);
            let moves = plays.intersection(action.mask);
            if let Some(secs) = stroke::find(clip, action.part, action.hand, moves) {
                action.stroke = secs;
            }
        }
    }

    /// All stances, in the order of the repertoire.
    #[must_use]
    pub fn stances(&self) -> &[StanceNode] {
        &self.stances
    }

    /// All actions, ordered by stance, and within a stance by kind: gestures, fidgets, transitions.
    #[must_use]
    pub fn actions(&self) -> &[ActionNode] {
        &self.actions
    }

    /// All tags, in the order of their bits.
    #[must_use]
    pub fn tags(&self) -> &[String] {
        &self.tags
    }

    /// Returns the index of the stance in which a layer starts; `None` if no stance uses the layer.
    #[must_use]
    pub fn first_stance(&self, layer: Layer) -> Option<usize> {
        self.stances.iter().position(|stance| stance.layers.contains(layer))
    }

    /// Returns the index of the next stance on the path from one stance to another; `None` if there is no path.
    #[must_use]
    pub fn next_stance(&self, from: usize, to: usize) -> Option<usize> {
        self.paths[from][to].map(|path| path.hop)
    }

    /// Minimum duration of the path between two stances, in seconds; `None` if there is no path.
    #[must_use]
    pub fn path_secs(&self, from: usize, to: usize) -> Option<f64> {
        self.paths[from][to].map(|path| path.secs)
    }
}

impl ActionNode {
    /// Returns true if the action is a transition from the stance `from` to the stance `to`.
    #[must_use]
    pub fn connects(&self, from: usize, to: usize) -> bool {
        self.kind == Kind::Transition && self.stance == from && self.ends_in == to
    }

    /// Layer on whose timeline the action is planned: the first of its layers.
    #[must_use]
    pub fn lane(&self) -> Layer {
        self.layers.first().unwrap_or(Layer::Body)
    }
}

/// Returns the layer among `layers` that owns a bone: the first in the order of composition that can move the bone. A
/// stance or an action moves each bone only on its owner, and the motion of other layers is added on top.
#[must_use]
pub fn owner(bone: crate::rig::Bone, layers: LayerSet) -> Option<Layer> {
    layers.iter().find(|layer| layer.influence().contains(bone))
}

struct Builder<'a> {
    repertoire: &'a Repertoire,
    clip_secs: &'a dyn Fn(&str) -> Option<f64>,
    graph: Graph,
    issues: Vec<Issue>,
}

/// Common fields of gestures, fidgets and transitions.
struct Draft<'a> {
    path: String,
    kind: Kind,
    stance: usize,
    ends_in: usize,
    clip: Option<&'a str>,
    name: Option<&'a str>,
    layers: LayerSet,
    mask: &'a [crate::body::repertoire::BodyPart],
    start: f64,
    end: Option<f64>,
    stroke: Option<f64>,
    blends: [f64; 2],
    hand: Option<Hand>,
    tags: &'a [String],
    likelihood: f64,
    looped: bool,
}

impl<'a> Builder<'a> {
    fn new(repertoire: &'a Repertoire, clip_secs: &'a dyn Fn(&str) -> Option<f64>) -> Self {
        let graph = Graph { stances: Vec::new(), actions: Vec::new(), tags: Vec::new(), paths: Vec::new() };
        Self { repertoire, clip_secs, graph, issues: Vec::new() }
    }

    fn error(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.issues.push(Issue { path: path.into(), message: message.into(), is_warning: false });
    }

    fn warn(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.issues.push(Issue { path: path.into(), message: message.into(), is_warning: true });
    }

    fn check_stances(&mut self) {
        let repertoire = self.repertoire;
        if repertoire.version != VERSION {
            let found = repertoire.version;
            self.error(
                "version",
                format!("unsupported version {found}; this version of Vivant supports {VERSION}"),
            );
        }
        if repertoire.stances.is_empty() {
            self.error("stances", "is empty; a character needs at least one stance");
        }
        for (index, stance) in repertoire.stances.iter().enumerate() {
            self.check_stance(index, stance);
        }
    }

    fn check_stance(&mut self, index: usize, stance: &Stance) {
        let path = format!("stances[{index}]");
        if stance.name.trim().is_empty() {
            self.error(format!("{path}.name"), "is empty; give the stance a name");
        }
        let layers: LayerSet = stance.layers.iter().copied().collect();
        if layers == LayerSet::NONE {
            let message = "is empty; list the layers of the stance, or omit the field for all three";
            self.error(format!("{path}.layers"), message);
        }
        for (other_index, other) in self.repertoire.stances[..index].iter().enumerate() {
            if other.name == stance.name {
                let message =
                    format!("“{}” is also the name of stances[{other_index}]; rename one", stance.name);
                self.error(format!("{path}.name"), message);
            }
            let others: LayerSet = other.layers.iter().copied().collect();
            if layers.intersects(others) && layers != others {
                let message = format!(
                    "the stance shares some layers with “{}”, but not all; two stances must have the same layers or none in common",
                    other.name
                );
                self.error(format!("{path}.layers"), message);
            }
        }
    }

    fn add_stance(&mut self, index: usize, stance: &Stance) {
        let path = format!("stances[{index}]");
        let part = match &stance.clip {
            Some(clip) => self.part(&path, clip, stance.start, stance.end),
            None => (0.0, 0.0),
        };
        let node = StanceNode {
            name: stance.name.clone(),
            layers: stance.layers.iter().copied().collect(),
            clip: stance.clip.clone(),
            part,
            path,
        };
        self.graph.stances.push(node);
    }

    /// Returns the used part of a clip, and reports problems with it.
    fn part(&mut self, path: &str, clip: &str, start: f64, end: Option<f64>) -> (f64, f64) {
        let Some(length) = (self.clip_secs)(clip) else {
            self.error(
                format!("{path}.clip"),
                format!("there is no clip “{clip}”; add it or correct the name"),
            );
            return (0.0, 1.0);
        };
        let to = end.unwrap_or(length);
        if !(start.is_finite() && (0.0..=length).contains(&start)) {
            self.error(
                format!("{path}.start"),
                format!("is {start}; the clip lasts from 0 to {length:.2} s"),
            );
        } else if !(to.is_finite() && to <= length + 1e-3) {
            self.error(format!("{path}.end"), format!("is {to}; the clip lasts from 0 to {length:.2} s"));
        } else if to < start {
            self.error(
                format!("{path}.end"),
                format!("is {to}, before the start at {start}; give a later end"),
            );
        } else {
            return (start, to.min(length));
        }
        (0.0, length)
    }

    fn add_actions(&mut self, index: usize, stance: &'a Stance) {
        let lists =
            [("gestures", Kind::Gesture, &stance.gestures), ("fidgets", Kind::Fidget, &stance.fidgets)];
        for (list, kind, actions) in lists {
            for (place, action) in actions.iter().enumerate() {
                let path = format!("stances[{index}].{list}[{place}]");
                let draft = self.draft_of_action(path, kind, index, action);
                self.add(draft);
            }
        }
        for (place, transition) in stance.transitions.iter().enumerate() {
            let path = format!("stances[{index}].transitions[{place}]");
            if let Some(draft) = self.draft_of_transition(path, index, transition) {
                self.add(draft);
            }
        }
    }

    fn draft_of_action(&mut self, path: String, kind: Kind, stance: usize, action: &'a Action) -> Draft<'a> {
        let own: LayerSet = action.layers.iter().copied().collect();
        let all = self.graph.stances[stance].layers;
        if !own.is_subset(all) {
            let names: Vec<&str> = all.iter().map(Layer::name).collect();
            let message =
                format!("the stance has only the layers {}; use one or more of these", names.join(", "));
            self.error(format!("{path}.layers"), message);
        }
        Draft {
            path,
            kind,
            stance,
            ends_in: stance,
            clip: Some(&action.clip),
            name: action.name.as_deref(),
            layers: if own == LayerSet::NONE { all } else { own },
            mask: &action.mask,
            start: action.start,
            end: action.end,
            stroke: action.stroke,
            blends: [action.blend_in, action.blend_out],
            hand: action.hand,
            tags: &action.tags,
            likelihood: action.likelihood,
            looped: action.looped,
        }
    }

    fn draft_of_transition(
        &mut self,
        path: String,
        stance: usize,
        transition: &'a Transition,
    ) -> Option<Draft<'a>> {
        let ends_in = self.target(&path, stance, &transition.to)?;
        Some(Draft {
            path,
            kind: Kind::Transition,
            stance,
            ends_in,
            clip: transition.clip.as_deref(),
            name: transition.name.as_deref(),
            layers: self.graph.stances[stance].layers,
            mask: &transition.mask,
            start: transition.start,
            end: transition.end,
            stroke: None,
            blends: [transition.blend_in, transition.blend_out],
            hand: transition.hand,
            tags: &transition.tags,
            likelihood: transition.likelihood,
            looped: false,
        })
    }

    /// Returns the target of a transition, or reports a problem.
    fn target(&mut self, path: &str, from: usize, to: &str) -> Option<usize> {
        let path = format!("{path}.to");
        let target = match self.graph.resolve_stance(to) {
            Ok(target) => target,
            Err(error) => {
                self.error(path, error.to_string());
                return None;
            }
        };
        if target == from {
            self.error(path, "the transition leads back to its own stance; make it a gesture or a fidget");
            return None;
        }
        if self.graph.stances[target].layers != self.graph.stances[from].layers {
            let message = format!(
                "“{to}” has other layers; a transition can only lead to a stance with the same layers"
            );
            self.error(path, message);
            return None;
        }
        Some(target)
    }

    fn add(&mut self, draft: Draft<'_>) {
        let path = draft.path.clone();
        let part = match draft.clip {
            Some(clip) => self.part(&path, clip, draft.start, draft.end),
            None => (0.0, 0.0),
        };
        for (seconds, field) in draft.blends.into_iter().zip(["blendIn", "blendOut"]) {
            if !(seconds.is_finite() && (0.0..=10.0).contains(&seconds)) {
                self.error(format!("{path}.{field}"), format!("is {seconds}; give 0 to 10 seconds"));
            }
        }
        if let Some(stroke) = draft.stroke.filter(|stroke| !(part.0..=part.1).contains(stroke)) {
            let message = format!("is {stroke}; the played part lasts from {:.2} to {:.2} s", part.0, part.1);
            self.error(format!("{path}.stroke"), message);
        }
        if !(draft.likelihood.is_finite() && draft.likelihood >= 0.0) {
            let message = format!("is {}; give 0 or more", draft.likelihood);
            self.error(format!("{path}.likelihood"), message);
        }
        let tags = self.tag_bits(&path, draft.tags);
        let mask = draft.mask.iter().map(|part| part.bones()).reduce(BoneSet::union).unwrap_or(BoneSet::ALL);
        let name = draft
            .name
            .or(draft.clip.map(short_name))
            .map_or_else(|| format!("to {}", self.graph.stances[draft.ends_in].name), str::to_owned);
        let length = part.1 - part.0;
        let [blend_in, blend_out] = draft.blends;
        let blend_out = blend_out.max(MIN_BLEND_SECS).min(length);
        let (blend_in, secs) = if draft.clip.is_some() {
            (blend_in, (length - blend_out).max(blend_in.min(length)).max(MIN_BLEND_SECS))
        } else {
            (blend_in.max(MIN_CHANGE_SECS), blend_in.max(MIN_CHANGE_SECS))
        };
        let stroke = match (draft.stroke, draft.kind) {
            (Some(stroke), _) => stroke - part.0,
            (None, Kind::Transition) => secs,
            (None, _) => 0.5 * length,
        };
        let node = ActionNode {
            name,
            kind: draft.kind,
            stance: draft.stance,
            ends_in: draft.ends_in,
            layers: draft.layers,
            mask,
            clip: draft.clip.map(str::to_owned),
            part,
            blend_in,
            blend_out,
            hand: draft.hand,
            tags,
            likelihood: draft.likelihood,
            looped: draft.looped,
            secs,
            stroke,
            is_stroke_given: draft.stroke.is_some(),
            path,
        };
        self.graph.actions.push(node);
    }

    fn tag_bits(&mut self, path: &str, tags: &[String]) -> u64 {
        let mut bits = 0;
        for tag in tags {
            let known = self.graph.tags.iter().position(|t| t == tag);
            let place = known.unwrap_or_else(|| {
                self.graph.tags.push(tag.clone());
                self.graph.tags.len() - 1
            });
            if place >= MAX_TAGS {
                self.error(
                    format!("{path}.tags"),
                    format!(
                        "“{tag}” exceeds the {MAX_TAGS} different tags of a repertoire; remove some tags"
                    ),
                );
            } else {
                bits |= 1 << place;
            }
        }
        bits
    }

    fn finish(mut self) -> Result<(Graph, Vec<Issue>), Vec<Issue>> {
        if self.issues.iter().any(|issue| !issue.is_warning) {
            return Err(self.issues);
        }
        self.graph.paths = paths(&self.graph);
        self.check_paths();
        Ok((self.graph, self.issues))
    }

    /// Warns about stances that cannot be reached or left.
    fn check_paths(&mut self) {
        for stance in 0..self.graph.stances.len() {
            let node = &self.graph.stances[stance];
            let (path, name, layers) = (node.path.clone(), node.name.clone(), node.layers);
            let siblings = self.graph.stances.iter().filter(|s| s.layers == layers).count();
            let first = layers.first().and_then(|layer| self.graph.first_stance(layer)).unwrap_or(stance);
            if self.graph.next_stance(first, stance).is_none() {
                let from = self.graph.stances[first].name.clone();
                self.warn(&path, format!("“{name}” cannot be reached from “{from}”; add a transition to it"));
            }
            let leaves = self.graph.actions.iter().any(|a| a.stance == stance && a.ends_in != stance);
            if siblings > 1 && !leaves {
                self.warn(&path, format!("“{name}” cannot be left; add a transition to another stance"));
            }
        }
    }
}

/// Computes, for each stance, the path to each other stance.
fn paths(graph: &Graph) -> Vec<Vec<Option<StancePath>>> {
    let count = graph.stances.len();
    let mut direct = vec![vec![f64::INFINITY; count]; count];
    for action in graph.actions.iter().filter(|a| a.kind == Kind::Transition) {
        let secs = &mut direct[action.stance][action.ends_in];
        *secs = secs.min(action.secs);
    }
    (0..count).map(|from| paths_from(from, &direct)).collect()
}

/// Finds the paths from one stance by fewest transitions, then by fewest seconds.
fn paths_from(from: usize, direct: &[Vec<f64>]) -> Vec<Option<StancePath>> {
    let mut paths = vec![None; direct.len()];
    paths[from] = Some(StancePath { hop: from, steps: 0, secs: 0.0 });
    // Each round extends the paths by one transition.
    for steps in 1..direct.len() {
        for at in 0..direct.len() {
            let Some(path) = paths[at].filter(|path: &StancePath| path.steps == steps - 1) else { continue };
            for (next, cost) in direct[at].iter().enumerate().filter(|(_, cost)| cost.is_finite()) {
                let hop = if at == from { next } else { path.hop };
                let longer = StancePath { hop, steps, secs: path.secs + cost };
                let is_better = |old: &StancePath| (longer.steps, longer.secs) < (old.steps, old.secs);
                if paths[next].as_ref().is_none_or(is_better) {
                    paths[next] = Some(longer);
                }
            }
        }
    }
    paths
}

#[cfg(test)]
mod tests;
