//! A repertoire made ready to be planned with: the paper's meta-graph (paper 4, section 4).
//!
//! Building it finds every fault at once, each with its path in `repertoire.json`. What is built knows
//! for each stance and kind which actions there are, and for each pair of stances the way between them;
//! so planning never searches.

pub mod names;

use crate::body::layers::{Layer, LayerSet, MIN_BLEND_SECS};
use crate::body::repertoire::{Action, Hand, Kind, Repertoire, Stance, Transition, VERSION, short_name};
use crate::body::stroke;
use crate::clip::Clip;
use crate::rig::BoneSet;
use std::fmt;

/// Stances and actions, by number.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    stances: Vec<StanceNode>,
    actions: Vec<ActionNode>,
    tags: Vec<String>,
    /// For each stance, the way to each other one.
    ways: Vec<Vec<Option<Way>>>,
}

/// A stance.
#[derive(Clone, Debug, PartialEq)]
pub struct StanceNode {
    /// Its name.
    pub name: String,
    /// The layers that it holds.
    pub layers: LayerSet,
    /// The clip as the repertoire spells it; `None` for the neutral pose.
    pub clip: Option<String>,
    /// The part of the clip that is looped, in seconds.
    pub part: (f64, f64),
    /// Where it stands in the repertoire.
    pub path: String,
}

/// A gesture, a fidget or a transition.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionNode {
    /// What agents call it.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// The stance in which it starts.
    pub stance: usize,
    /// The stance in which it ends.
    pub ends_in: usize,
    /// The layers that it takes.
    pub layers: LayerSet,
    /// The bones that it may move at most.
    pub mask: BoneSet,
    /// The clip as the repertoire spells it; `None` for a change without one.
    pub clip: Option<String>,
    /// The part of the clip that is played, in seconds.
    pub part: (f64, f64),
    /// How long it takes to take over, in seconds.
    pub blend_in: f64,
    /// How long what comes next takes to take over, in seconds.
    pub blend_out: f64,
    /// The hand that does it.
    pub hand: Option<Hand>,
    /// Its tags, a bit each: [`Graph::find_tags`].
    pub tags: u64,
    /// How likely it is beside others.
    pub likelihood: f64,
    /// Whether it goes on for as long as it is wanted.
    pub looped: bool,
    /// How long it has its layers to itself, in seconds: until what comes next begins to take over.
    pub secs: f64,
    /// When its stroke arrives, in seconds after it begins; for a transition, when it ends.
    pub stroke: f64,
    /// Whether the stroke is where the repertoire says, or else where the [motion](Graph::find_strokes) has it.
    pub is_stroke_given: bool,
    /// Where it stands in the repertoire.
    pub path: String,
}

/// Something wrong with a repertoire.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Where: `stances[1].gestures[0].clip`.
    pub path: String,
    /// What, and what to do about it.
    pub message: String,
    /// Whether the repertoire can be used all the same.
    pub is_warning: bool,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// The way from one stance to another, with the fewest transitions, and of those the quickest.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Way {
    /// The stance to go to first.
    hop: usize,
    /// How many transitions it has.
    steps: usize,
    secs: f64,
}

/// The most tags that a repertoire can have.
pub const MAX_TAGS: usize = 64;

/// How long a change of stance takes without a clip, in seconds, at least (our design: a shift of posture
/// in less looks like a jerk).
pub const MIN_CHANGE_SECS: f64 = 0.6;

impl Graph {
    /// Builds the graph of a repertoire; `clip_secs` gives the length of a clip by its spelling, if there
    /// is such a clip. Also gives the faults with which it can be used.
    ///
    /// # Errors
    /// All faults, if it cannot be used.
    pub fn build(
        repertoire: &Repertoire,
        clip_secs: &dyn Fn(&str) -> Option<f64>,
    ) -> Result<(Self, Vec<Fault>), Vec<Fault>> {
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

    /// Finds the strokes that the repertoire does not give, from the motion of clips: see [`stroke`]. Until then, and
    /// where nothing moves, a stroke is in the middle.
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

    /// All stances.
    #[must_use]
    pub fn stances(&self) -> &[StanceNode] {
        &self.stances
    }

    /// All actions: those of the first stance first, in the order gestures, fidgets, transitions.
    #[must_use]
    pub fn actions(&self) -> &[ActionNode] {
        &self.actions
    }

    /// All tags.
    #[must_use]
    pub fn tags(&self) -> &[String] {
        &self.tags
    }

    /// The stance in which a layer begins.
    #[must_use]
    pub fn first_stance(&self, layer: Layer) -> Option<usize> {
        self.stances.iter().position(|stance| stance.layers.contains(layer))
    }

    /// The stance to go to first on the way from one stance to another; `None` if there is no way.
    #[must_use]
    pub fn hop(&self, from: usize, to: usize) -> Option<usize> {
        self.ways[from][to].map(|way| way.hop)
    }

    /// How long the way between two stances takes at least, in seconds; `None` if there is none.
    #[must_use]
    pub fn way_secs(&self, from: usize, to: usize) -> Option<f64> {
        self.ways[from][to].map(|way| way.secs)
    }
}

impl ActionNode {
    /// Whether it is a transition from one stance to another.
    #[must_use]
    pub fn leads(&self, from: usize, to: usize) -> bool {
        self.kind == Kind::Transition && self.stance == from && self.ends_in == to
    }

    /// The layer on whose timeline it is planned.
    #[must_use]
    pub fn lane(&self) -> Layer {
        self.layers.first().unwrap_or(Layer::Body)
    }
}

/// The layer of a set to which a bone belongs, where several would move it: what a stance or an action
/// does to a bone is played once. It is the first in the order of composition, so that what others do to
/// the bone comes on top of it.
#[must_use]
pub fn owner(bone: crate::rig::Bone, layers: LayerSet) -> Option<Layer> {
    layers.iter().find(|layer| layer.influence().contains(bone))
}

struct Builder<'a> {
    repertoire: &'a Repertoire,
    clip_secs: &'a dyn Fn(&str) -> Option<f64>,
    graph: Graph,
    faults: Vec<Fault>,
}

/// What gestures, fidgets and transitions have in common.
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
        let graph = Graph { stances: Vec::new(), actions: Vec::new(), tags: Vec::new(), ways: Vec::new() };
        Self { repertoire, clip_secs, graph, faults: Vec::new() }
    }

    fn fault(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.faults.push(Fault { path: path.into(), message: message.into(), is_warning: false });
    }

    fn warn(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.faults.push(Fault { path: path.into(), message: message.into(), is_warning: true });
    }

    fn check_stances(&mut self) {
        let repertoire = self.repertoire;
        if repertoire.version != VERSION {
            let found = repertoire.version;
            self.fault("version", format!("is {found}; this version of Vivant knows {VERSION}"));
        }
        if repertoire.stances.is_empty() {
            self.fault("stances", "there is none; a character needs at least one stance to be in");
        }
        for (index, stance) in repertoire.stances.iter().enumerate() {
            self.check_stance(index, stance);
        }
    }

    fn check_stance(&mut self, index: usize, stance: &Stance) {
        let path = format!("stances[{index}]");
        if stance.name.trim().is_empty() {
            self.fault(format!("{path}.name"), "is empty; transitions and agents need a name to call it by");
        }
        let layers: LayerSet = stance.layers.iter().copied().collect();
        if layers == LayerSet::NONE {
            let message = "is empty; name the layers that the stance holds, or leave it out for all three";
            self.fault(format!("{path}.layers"), message);
        }
        for (other_index, other) in self.repertoire.stances[..index].iter().enumerate() {
            if other.name == stance.name {
                let message = format!("“{}” is also the name of stances[{other_index}]", stance.name);
                self.fault(format!("{path}.name"), message);
            }
            let others: LayerSet = other.layers.iter().copied().collect();
            if layers.meets(others) && layers != others {
                let message = format!(
                    "shares some layers with “{}”, but not all; two stances hold the same layers or none in common",
                    other.name
                );
                self.fault(format!("{path}.layers"), message);
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

    /// The part of a clip that is used, with its faults.
    fn part(&mut self, path: &str, clip: &str, start: f64, end: Option<f64>) -> (f64, f64) {
        let Some(length) = (self.clip_secs)(clip) else {
            self.fault(format!("{path}.clip"), format!("there is no clip “{clip}”"));
            return (0.0, 1.0);
        };
        let to = end.unwrap_or(length);
        if !(start.is_finite() && (0.0..=length).contains(&start)) {
            self.fault(
                format!("{path}.start"),
                format!("is {start}; the clip lasts from 0 to {length:.2} s"),
            );
        } else if !(to.is_finite() && to <= length + 1e-3) {
            self.fault(format!("{path}.end"), format!("is {to}; the clip lasts from 0 to {length:.2} s"));
        } else if to < start {
            self.fault(format!("{path}.end"), format!("is {to}, before the start at {start}"));
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
        if !own.is_within(all) {
            let names: Vec<&str> = all.iter().map(Layer::name).collect();
            let message = format!("the stance holds {} only; take layers from these", names.join(", "));
            self.fault(format!("{path}.layers"), message);
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

    /// Where a transition leads, or a fault.
    fn target(&mut self, path: &str, from: usize, to: &str) -> Option<usize> {
        let path = format!("{path}.to");
        let target = match self.graph.resolve_stance(to) {
            Ok(target) => target,
            Err(error) => {
                self.fault(path, error.to_string());
                return None;
            }
        };
        if target == from {
            self.fault(path, "leads back to its own stance; make it a gesture or a fidget");
            return None;
        }
        if self.graph.stances[target].layers != self.graph.stances[from].layers {
            let message =
                format!("“{to}” holds other layers; a transition stays on the layers of its stance");
            self.fault(path, message);
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
                self.fault(format!("{path}.{field}"), format!("is {seconds}; give 0 to 10 seconds"));
            }
        }
        if let Some(stroke) = draft.stroke.filter(|stroke| !(part.0..=part.1).contains(stroke)) {
            let message = format!("is {stroke}; what is played lasts from {:.2} to {:.2} s", part.0, part.1);
            self.fault(format!("{path}.stroke"), message);
        }
        if !(draft.likelihood.is_finite() && draft.likelihood >= 0.0) {
            let message = format!("is {}; give 0 or more", draft.likelihood);
            self.fault(format!("{path}.likelihood"), message);
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
                self.fault(
                    format!("{path}.tags"),
                    format!("“{tag}” is one too many; {MAX_TAGS} are allowed"),
                );
            } else {
                bits |= 1 << place;
            }
        }
        bits
    }

    fn finish(mut self) -> Result<(Graph, Vec<Fault>), Vec<Fault>> {
        if self.faults.iter().any(|fault| !fault.is_warning) {
            return Err(self.faults);
        }
        self.graph.ways = ways(&self.graph);
        self.check_ways();
        Ok((self.graph, self.faults))
    }

    /// Stances that cannot be reached, or not be left.
    fn check_ways(&mut self) {
        for stance in 0..self.graph.stances.len() {
            let node = &self.graph.stances[stance];
            let (path, name, layers) = (node.path.clone(), node.name.clone(), node.layers);
            let siblings = self.graph.stances.iter().filter(|s| s.layers == layers).count();
            let first = layers.first().and_then(|layer| self.graph.first_stance(layer)).unwrap_or(stance);
            if self.graph.hop(first, stance).is_none() {
                let from = self.graph.stances[first].name.clone();
                self.warn(&path, format!("“{name}” cannot be reached from “{from}”; add a transition to it"));
            }
            let leaves = self.graph.actions.iter().any(|a| a.stance == stance && a.ends_in != stance);
            if siblings > 1 && !leaves {
                self.warn(&path, format!("“{name}” is a dead end: no transition leads out of it"));
            }
        }
    }
}

/// For each stance, the way to each other one.
fn ways(graph: &Graph) -> Vec<Vec<Option<Way>>> {
    let count = graph.stances.len();
    let mut direct = vec![vec![f64::INFINITY; count]; count];
    for action in graph.actions.iter().filter(|a| a.kind == Kind::Transition) {
        let secs = &mut direct[action.stance][action.ends_in];
        *secs = secs.min(action.secs);
    }
    (0..count).map(|from| ways_from(from, &direct)).collect()
}

/// A search by fewest transitions, then least seconds, from one stance.
fn ways_from(from: usize, direct: &[Vec<f64>]) -> Vec<Option<Way>> {
    let mut ways = vec![None; direct.len()];
    ways[from] = Some(Way { hop: from, steps: 0, secs: 0.0 });
    // Each round adds one transition to the ways that are there.
    for steps in 1..direct.len() {
        for at in 0..direct.len() {
            let Some(way) = ways[at].filter(|way: &Way| way.steps == steps - 1) else { continue };
            for (next, cost) in direct[at].iter().enumerate().filter(|(_, cost)| cost.is_finite()) {
                let hop = if at == from { next } else { way.hop };
                let longer = Way { hop, steps, secs: way.secs + cost };
                let is_better = |old: &Way| (longer.steps, longer.secs) < (old.steps, old.secs);
                if ways[next].as_ref().is_none_or(is_better) {
                    ways[next] = Some(longer);
                }
            }
        }
    }
    ways
}

#[cfg(test)]
mod tests;
