//! Checks a repertoire and reports all errors and warnings.
//!
//! An author wants to see all problems at once. After an error, the stance graph cannot be built, so the check resets
//! the fields with errors in a copy of the repertoire and builds the graph of the copy. Missing clips are left out or
//! replaced by a placeholder. [`Checked::of`] checks a [`Draft`] and returns the findings with a summary. The workspace
//! calls `of` instead, which also returns the [`Library`] to play if there are no errors.

mod summary;

use super::repair;
use crate::character::clips::{self, Clips};
use crate::character::draft::Draft;
use crate::clips::named as named_clips;
use serde::Serialize;
use std::collections::BTreeMap;
use vivant::body::graph::{ActionNode, Graph, Issue};
use vivant::body::library::Library;
use vivant::body::repertoire::Repertoire;
use vivant::clip::Clip;
use vivant::pose::Pose;
use vivant::rig::Rig;
use vivant_io::Warning;
use vivant_io::json::protocol;

/// An error or warning with its location.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The path in `repertoire.json`, or the name of another file of the character.
    pub path: String,
    /// A sentence that describes the error or warning.
    pub message: String,
    /// The severity of the finding.
    pub level: Level,
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The character cannot be used.
    Error,
    /// The character can still be used.
    Warning,
}

/// The result of a check, to be written as JSON; the keys are stable.
#[derive(Clone, Debug, Serialize)]
pub struct Checked {
    /// True if the character can be used.
    pub usable: bool,
    /// All findings, errors first.
    pub faults: Vec<Finding>,
    /// The number of stances.
    pub stances: usize,
    /// The number of actions.
    pub actions: usize,
    /// The number of clips.
    pub clips: usize,
    /// Total duration of all parts of clips that are played, in seconds.
    pub seconds: f64,
    /// Warnings from reading files.
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
        faults
            .extend(draft.other_errors.iter().map(|(file, fault)| Finding::error(file, &fault.to_string())));
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

    /// Returns the summary as lines of text, without the findings.
    #[must_use]
    pub fn summary_lines(&self) -> &[String] {
        &self.lines
    }

    /// Returns the findings and the verdict as lines of text.
    #[must_use]
    pub fn fault_lines(&self) -> Vec<String> {
        self.faults.iter().map(Finding::line).chain([self.verdict()]).collect()
    }

    fn verdict(&self) -> String {
        let errors = self.faults.iter().filter(|fault| fault.level == Level::Error).count();
        let warnings = self.faults.len() - errors;
        let count = super::table::count;
        match (errors, warnings) {
            (0, 0) => "The character is usable.".into(),
            (0, _) => format!("The character is usable, with {}.", count(warnings, "warning")),
            (_, 0) => format!("The character is not usable: {}.", count(errors, "error")),
            _ => format!(
                "The character is not usable: {} and {}.",
                count(errors, "error"),
                count(warnings, "warning")
            ),
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

impl From<&Issue> for Finding {
    fn from(fault: &Issue) -> Self {
        let level = if fault.is_warning { Level::Warning } else { Level::Error };
        Self { path: fault.path.clone(), message: fault.message.clone(), level }
    }
}

/// Returns a finding for every use of a missing clip. For each missing clip, `first` contains the path of its first
/// use and the error message.
fn missing(repertoire: &Repertoire, first: &[(String, String)]) -> Vec<Finding> {
    let named = named_clips(repertoire);
    let clip_at = |place: &str| named.iter().find(|(_, at)| at == place).map(|(clip, _)| *clip);
    let why: BTreeMap<&str, &str> =
        first.iter().filter_map(|(place, message)| Some((clip_at(place)?, message.as_str()))).collect();
    named.iter().filter_map(|(clip, place)| Some(Finding::error(place, why.get(clip)?))).collect()
}

/// The result of building a repertoire.
struct Built {
    /// The graph; `None` if it cannot be built even after repairs.
    graph: Option<Graph>,
    /// Errors and warnings of the graph and the motion.
    found: Vec<Finding>,
    /// The library, if the repertoire has no errors and all its clips were read.
    library: Option<Library>,
}

fn built(repertoire: &Repertoire, clips: &Clips, rig: &Rig) -> Built {
    let (errors, mended) = build_repaired(repertoire, clips);
    let mut found: Vec<Finding> = errors.iter().map(Finding::from).collect();
    let Some((mended, graph, warnings)) = mended else { return Built { graph: None, found, library: None } };
    found.extend(warnings.iter().map(Finding::from));
    let (misfits, library) = misfits(&mended, &graph, clips, rig);
    found.extend(misfits.iter().map(Finding::from));
    let is_whole = named_clips(repertoire).iter().all(|(clip, _)| clips.contains_key(*clip));
    Built { graph: Some(graph), found, library: library.filter(|_| errors.is_empty() && is_whole) }
}

/// The result of checking a repertoire for the server.
pub(crate) struct CheckedLibrary {
    /// All errors and warnings.
    pub(crate) faults: Vec<protocol::api::Fault>,
    /// The library to play, if there are no errors.
    pub(crate) library: Option<Library>,
}

/// Checks a repertoire with its clips on an avatar's rig.
pub(crate) fn of(repertoire: Option<&Repertoire>, clips: &clips::FoundClips, rig: &Rig) -> CheckedLibrary {
    let Some(repertoire) = repertoire else { return CheckedLibrary { faults: Vec::new(), library: None } };
    let built = built(repertoire, &clips.clips, rig);
    let found = missing(repertoire, &clips.missing).into_iter().chain(built.found);
    CheckedLibrary { faults: found.map(protocol::api::Fault::from).collect(), library: built.library }
}

impl From<Finding> for protocol::api::Fault {
    fn from(found: Finding) -> Self {
        Self { path: found.path, message: found.message, is_warning: found.level == Level::Warning }
    }
}

/// Builds the graph, with repairs if the repertoire has errors.
///
/// # Errors
/// Returns the errors if the graph cannot be built even after repairs.
pub(super) fn graph_of(repertoire: &Repertoire, clips: &Clips) -> std::result::Result<Graph, Vec<Issue>> {
    let (errors, mended) = build_repaired(repertoire, clips);
    mended.map(|(_, graph, _)| graph).ok_or(errors)
}

/// Returns the errors that make a repertoire unusable, except missing clips.
pub(super) fn errors(repertoire: &Repertoire, clips: &Clips) -> Vec<Issue> {
    build_repaired(repertoire, clips).0
}

/// The errors, and if possible the repaired repertoire with its graph and warnings.
type BuildResult = (Vec<Issue>, Option<(Repertoire, Graph, Vec<Issue>)>);

fn build_repaired(repertoire: &Repertoire, clips: &Clips) -> BuildResult {
    let secs = |clip: &str| Some(clips.get(clip).map_or(repair::ENDLESS, |clip| clip.duration()));
    match Graph::build(repertoire, &secs) {
        Ok((graph, warnings)) => (Vec::new(), Some((repertoire.clone(), graph, warnings))),
        Err(faults) => {
            let mended = repair::repaired(repertoire, &faults);
            let built = mended.and_then(|m| Graph::build(&m, &secs).ok().map(|(g, w)| (m, g, w)));
            (faults, built)
        }
    }
}

/// Finds clips that do not match their stances, and builds the library. Missing clips are replaced by placeholders
/// and cause no errors here.
fn misfits(
    repertoire: &Repertoire,
    graph: &Graph,
    clips: &Clips,
    rig: &Rig,
) -> (Vec<Issue>, Option<Library>) {
    let nothing = (Vec::new(), None);
    let Ok(stand_in) = Clip::new("missing", 30.0, 2, rig.hips_height()) else { return nothing };
    let whole = repair::without_missing(repertoire, clips);
    let clip = |spelling: &str| Some(clips.get(spelling).map_or(&stand_in, |clip| &**clip));
    let bound = Library::of_repertoire(rig.clone(), Pose::neutral(rig), &whole, &clip);
    let Ok((library, faults)) = bound else { return nothing };
    let is_misfit = |fault: &Issue| {
        let action = graph.actions().iter().find(|action| action.path == fault.path);
        action.is_some_and(|action| is_whole(graph, action, clips))
    };
    (faults.into_iter().filter(is_misfit).collect(), Some(library))
}

/// Returns true if the clips of an action and of its stances are all present.
fn is_whole(graph: &Graph, action: &ActionNode, clips: &Clips) -> bool {
    let stances = [action.stance, action.ends_in].map(|stance| &graph.stances()[stance].clip);
    let named = stances.into_iter().chain([&action.clip]).flatten();
    named.into_iter().all(|clip| clips.contains_key(clip))
}
