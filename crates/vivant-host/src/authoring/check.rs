//! Everything that is wrong with a repertoire.

mod summary;

use super::mend;
use crate::character::clips::{self, Clips};
use crate::character::draft::Draft;
use crate::clips::named as named_clips;
use serde::Serialize;
use std::collections::BTreeMap;
use vivant::body::graph::{ActionNode, Fault, Graph};
use vivant::body::library::Library;
use vivant::body::repertoire::Repertoire;
use vivant::clip::Clip;
use vivant::pose::Pose;
use vivant::rig::Rig;
use vivant_io::Warning;
use vivant_io::json::protocol;

/// Something wrong, and where.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The place in `repertoire.json`, or the file beside it.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// How bad it is.
    pub level: Level,
}

/// How bad a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The character cannot be used.
    Error,
    /// It can be used.
    Warning,
}

/// The result of a check, to be written as JSON; the keys are stable.
#[derive(Clone, Debug, Serialize)]
pub struct Checked {
    /// Whether the character can be used.
    pub usable: bool,
    /// What is wrong, errors first.
    pub faults: Vec<Finding>,
    /// The number of stances.
    pub stances: usize,
    /// The number of actions.
    pub actions: usize,
    /// The number of clips.
    pub clips: usize,
    /// Seconds of motion, of all parts that are played.
    pub seconds: f64,
    /// What was noticed while reading.
    pub warnings: Vec<Warning>,
    #[serde(skip)]
    lines: Vec<String>,
}

impl Checked {
    /// Checks a character.
    #[must_use]
    pub fn of(draft: &Draft) -> Self {
        let mut faults: Vec<Finding> =
            draft.unread.iter().map(|(path, message)| Finding::error(path, message)).collect();
        faults.extend(draft.beside.iter().map(|(file, fault)| Finding::error(file, &fault.to_string())));
        let nothing = Repertoire::default();
        let repertoire = draft.repertoire.as_ref().unwrap_or(&nothing);
        let mut graph = None;
        if draft.repertoire.is_some() {
            faults.extend(missing(repertoire, &draft.missing));
            let built = built(repertoire, &draft.clips, draft.avatar.rig());
            faults.extend(built.found);
            graph = built.graph;
        }
        faults.sort_by_key(|fault| fault.level == Level::Warning);
        Self::with(draft, repertoire, graph.as_ref(), faults)
    }

    fn with(draft: &Draft, repertoire: &Repertoire, graph: Option<&Graph>, faults: Vec<Finding>) -> Self {
        let is_read = |clip: &Option<String>| clip.as_ref().is_some_and(|c| draft.clips.contains_key(c));
        let seconds = graph.map_or(0.0, |graph| summary::seconds(graph, &is_read));
        let clips: std::collections::BTreeSet<&str> =
            named_clips(repertoire).into_iter().map(|(clip, _)| clip).collect();
        let all = &repertoire.stances;
        let mut lines = Vec::new();
        if let Some(graph) = graph {
            lines = summary::lines(&draft.name, graph, clips.len(), &is_read);
        }
        Self {
            usable: faults.iter().all(|fault| fault.level == Level::Warning),
            stances: all.len(),
            actions: all.iter().map(|s| s.gestures.len() + s.fidgets.len() + s.transitions.len()).sum(),
            clips: clips.len(),
            seconds: (seconds * 1e3).round() / 1e3,
            warnings: draft.warnings.clone(),
            faults,
            lines,
        }
    }

    /// Returns the summary as lines of text, without what is wrong.
    #[must_use]
    pub fn summary_lines(&self) -> &[String] {
        &self.lines
    }

    /// Returns what is wrong, and whether the character can be used, as lines of text.
    #[must_use]
    pub fn fault_lines(&self) -> Vec<String> {
        self.faults.iter().map(Finding::line).chain([self.verdict()]).collect()
    }

    fn verdict(&self) -> String {
        let errors = self.faults.iter().filter(|fault| fault.level == Level::Error).count();
        let warnings = self.faults.len() - errors;
        let count = super::table::count;
        match (errors, warnings) {
            (0, 0) => "It can be used as it is.".into(),
            (0, _) => format!("It can be used, with {}.", count(warnings, "warning")),
            (_, 0) => format!("It cannot be used: {}.", count(errors, "error")),
            _ => format!("It cannot be used: {} and {}.", count(errors, "error"), count(warnings, "warning")),
        }
    }
}

impl Finding {
    fn error(path: &str, message: &str) -> Self {
        Self { path: path.into(), message: message.into(), level: Level::Error }
    }

    fn line(&self) -> String {
        let level = if self.level == Level::Error { "error" } else { "warning" };
        let colon = if self.path.is_empty() { "" } else { ": " };
        format!("{level}: {}{colon}{}", self.path, self.message)
    }
}

impl From<&Fault> for Finding {
    fn from(fault: &Fault) -> Self {
        let level = if fault.is_warning { Level::Warning } else { Level::Error };
        Self { path: fault.path.clone(), message: fault.message.clone(), level }
    }
}

/// Every place that names a clip that cannot be had, by the first place that does.
fn missing(repertoire: &Repertoire, first: &[(String, String)]) -> Vec<Finding> {
    let named = named_clips(repertoire);
    let clip_at = |place: &str| named.iter().find(|(_, at)| at == place).map(|(clip, _)| *clip);
    let why: BTreeMap<&str, &str> =
        first.iter().filter_map(|(place, message)| Some((clip_at(place)?, message.as_str()))).collect();
    named.iter().filter_map(|(clip, place)| Some(Finding::error(place, why.get(clip)?))).collect()
}

/// What came of a repertoire.
struct Built {
    /// As far as it can be built.
    graph: Option<Graph>,
    /// What is wrong with it and with the motion.
    found: Vec<Finding>,
    /// What it is played with, if nothing had to be mended for it.
    library: Option<Library>,
}

fn built(repertoire: &Repertoire, clips: &Clips, rig: &Rig) -> Built {
    let (errors, mended) = sound(repertoire, clips);
    let mut found: Vec<Finding> = errors.iter().map(Finding::from).collect();
    let Some((mended, graph, warnings)) = mended else { return Built { graph: None, found, library: None } };
    found.extend(warnings.iter().map(Finding::from));
    let (misfits, library) = misfits(&mended, &graph, clips, rig);
    found.extend(misfits.iter().map(Finding::from));
    let is_whole = named_clips(repertoire).iter().all(|(clip, _)| clips.contains_key(*clip));
    Built { graph: Some(graph), found, library: library.filter(|_| errors.is_empty() && is_whole) }
}

/// What a server has to know of a repertoire.
pub(crate) struct Looked {
    /// All that is wrong with it.
    pub(crate) faults: Vec<protocol::api::Fault>,
    /// What it is played with, if nothing is wrong with it.
    pub(crate) library: Option<Library>,
}

/// Looks at a repertoire with its clips on an avatar.
pub(crate) fn of(repertoire: Option<&Repertoire>, clips: &clips::FoundClips, rig: &Rig) -> Looked {
    let Some(repertoire) = repertoire else { return Looked { faults: Vec::new(), library: None } };
    let built = built(repertoire, &clips.clips, rig);
    let found = missing(repertoire, &clips.missing).into_iter().chain(built.found);
    Looked { faults: found.map(protocol::api::Fault::from).collect(), library: built.library }
}

impl From<Finding> for protocol::api::Fault {
    fn from(found: Finding) -> Self {
        Self { path: found.path, message: found.message, is_warning: found.level == Level::Warning }
    }
}

/// The graph as far as it can be built.
///
/// # Errors
/// With what is wrong, if that leaves no sense.
pub(super) fn graph_of(repertoire: &Repertoire, clips: &Clips) -> std::result::Result<Graph, Vec<Fault>> {
    let (errors, mended) = sound(repertoire, clips);
    mended.map(|(_, graph, _)| graph).ok_or(errors)
}

/// What keeps a repertoire from being used, beside clips that are missing.
pub(super) fn errors(repertoire: &Repertoire, clips: &Clips) -> Vec<Fault> {
    sound(repertoire, clips).0
}

/// The faults, and the repertoire without them, its graph and what can be used all the same.
type Sound = (Vec<Fault>, Option<(Repertoire, Graph, Vec<Fault>)>);

fn sound(repertoire: &Repertoire, clips: &Clips) -> Sound {
    let secs = |clip: &str| Some(clips.get(clip).map_or(mend::ENDLESS, |clip| clip.duration()));
    match Graph::build(repertoire, &secs) {
        Ok((graph, warnings)) => (Vec::new(), Some((repertoire.clone(), graph, warnings))),
        Err(faults) => {
            let mended = mend::mended(repertoire, &faults);
            let built = mended.and_then(|m| Graph::build(&m, &secs).ok().map(|(g, w)| (m, g, w)));
            (faults, built)
        }
    }
}

/// Where clips do not fit their stances, of those that are there.
fn misfits(
    repertoire: &Repertoire,
    graph: &Graph,
    clips: &Clips,
    rig: &Rig,
) -> (Vec<Fault>, Option<Library>) {
    let nothing = (Vec::new(), None);
    let Ok(stand_in) = Clip::new("missing", 30.0, 2, rig.hips_height()) else { return nothing };
    let whole = mend::without_missing(repertoire, clips);
    let clip = |spelling: &str| Some(clips.get(spelling).map_or(&stand_in, |clip| &**clip));
    let bound = Library::of_repertoire(rig.clone(), Pose::neutral(rig), &whole, &clip);
    let Ok((library, faults)) = bound else { return nothing };
    let is_misfit = |fault: &Fault| {
        let action = graph.actions().iter().find(|action| action.path == fault.path);
        action.is_some_and(|action| is_whole(graph, action, clips))
    };
    (faults.into_iter().filter(is_misfit).collect(), Some(library))
}

/// Whether an action's clip and those of its stances are all there.
fn is_whole(graph: &Graph, action: &ActionNode, clips: &Clips) -> bool {
    let stances = [action.stance, action.ends_in].map(|stance| &graph.stances()[stance].clip);
    let named = stances.into_iter().chain([&action.clip]).flatten();
    named.into_iter().all(|clip| clips.contains_key(clip))
}
