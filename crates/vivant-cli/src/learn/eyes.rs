//! `vivant learn eyes`: recordings of eyes to a texture of glances and blinks.

use crate::args::learn::eyes::{CorpusArg, LearnEyes};
use crate::fault::{Fault, Result};
use crate::plot::{self, Intervals};
use crate::{files, recordings, report};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use vivant::eyes::texture::TextureDef;
use vivant_io::Warning;
use vivant_io::json::texture;
use vivant_learn::texture::{Learned, LidSource, Material, Options, Used, learn};

/// What a corpus is called that nobody names.
const NAME: &str = "eyes";

/// The result as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<String>,
    origin: &'a str,
    rate_hz: f64,
    patch_secs: f64,
    boundary_secs: f64,
    epsilon: f64,
    /// The share of intervals that a patch covers, where the distribution bends, and how many intervals there are.
    covered: f64,
    knee_secs: f64,
    intervals: usize,
    corpora: Vec<About<'a>>,
    recordings: &'a [Used],
    warnings: &'a [Warning],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct About<'a> {
    name: &'a str,
    seconds: f64,
    runs: usize,
    blinks: usize,
    open_level: f64,
    open_per_deg: f64,
}

pub(super) fn run(args: &LearnEyes, json: bool) -> Result<ExitCode> {
    let plot = plot::wanted(args.plot.as_deref())?;
    let onto = if args.append { args.output.as_deref().map(read).transpose()? } else { None };
    let mut warnings = Vec::new();
    let materials = materials(args, onto.as_ref(), &mut warnings)?;
    let options = Options {
        rate_hz: args.frames,
        patch_secs: args.patch,
        epsilon: args.epsilon,
        onto,
        ..Options::default()
    };
    // What the reader left out may be why.
    let mut learned = learn(&materials, &options).inspect_err(|_| report::warnings(&warnings))?;
    learned.warnings.splice(..0, warnings);
    if let Some((path, format)) = plot {
        files::write(path, &plot::distribution(&figure(&learned), format)?)?;
    }
    if let Some(path) = &args.output {
        let text = texture::write(&learned.texture).map_err(|error| error.in_file(path.display()))?;
        files::write(path, text.as_bytes())?;
    }
    let written = args.output.as_ref().map(|path| path.display().to_string());
    if json {
        report::json(&reported(&learned, written));
    } else {
        report::warnings(&learned.warnings);
        summary(&learned, written).iter().for_each(|line| report::line(line));
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads a texture's file.
pub(crate) fn read(path: &Path) -> Result<TextureDef> {
    Ok(texture::read(&files::read(path)?).map_err(|error| error.in_file(path.display()))?)
}

/// The corpora that were named, each with its recordings.
fn materials(
    args: &LearnEyes,
    onto: Option<&TextureDef>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Material>> {
    let options = recordings::options(&args.reading)?;
    let (with_files, names): (Vec<&CorpusArg>, Vec<&CorpusArg>) =
        args.corpus.iter().partition(|corpus| !corpus.files.is_empty());
    let mut of_files = |name: &str, files: &[PathBuf]| -> Result<Material> {
        let read = files.iter().map(|path| recordings::read(path, &options, warnings));
        Ok(Material { name: name.to_owned(), recordings: read.collect::<Result<_>>()? })
    };
    let mut materials = Vec::new();
    match (names.as_slice(), args.files.is_empty()) {
        ([], true) => {}
        ([], false) => materials.push(of_files(NAME, &args.files)?),
        ([corpus], false) => materials.push(of_files(&corpus.name, &args.files)?),
        ([corpus, ..], _) => {
            let name = &corpus.name;
            return Err(Fault::new(format!("--corpus {name}: which recordings? Give {name}=FILE,FILE")));
        }
    }
    for corpus in with_files {
        materials.push(of_files(&corpus.name, &corpus.files)?);
    }
    let before = onto.iter().flat_map(|texture| &texture.corpora).map(|corpus| &corpus.name);
    match before.clone().find(|name| materials.iter().any(|material| material.name == **name)) {
        Some(name) => {
            Err(Fault::new(format!("corpus “{name}” is there already; give another --corpus name")))
        }
        None => Ok(materials),
    }
}

fn figure(learned: &Learned) -> Intervals {
    let (found, patch_secs) = (&learned.patch_size, learned.texture.patch_secs);
    let count = found.intervals_secs.len();
    let blinks = found.blink_intervals;
    let title = format!(
        "How long a patch is\n{count} intervals: {blinks} from blink to blink, {} from gaze shift to gaze shift. \
         The curve bends at {:.2} s.",
        count - blinks,
        found.knee_secs
    );
    Intervals {
        title,
        secs: found.intervals_secs.clone(),
        axis_secs: found.axis_secs().max(1.5 * patch_secs),
        chosen_secs: patch_secs,
        covered: found.covered_at(patch_secs),
    }
}

fn about(texture: &TextureDef) -> Vec<About<'_>> {
    let corpora = texture.corpora.iter().map(|corpus| {
        let frames: usize = corpus.runs.iter().map(|run| run.openness.len()).sum();
        About {
            name: &corpus.name,
            seconds: frames as f64 / texture.rate_hz,
            runs: corpus.runs.len(),
            blinks: corpus.runs.iter().map(|run| run.blinks.len()).sum(),
            open_level: corpus.open_level,
            open_per_deg: corpus.open_per_deg,
        }
    });
    corpora.collect()
}

fn reported(learned: &Learned, written: Option<String>) -> Report<'_> {
    let (texture, found) = (&learned.texture, &learned.patch_size);
    Report {
        written,
        origin: &texture.origin,
        rate_hz: texture.rate_hz,
        patch_secs: texture.patch_secs,
        boundary_secs: texture.boundary_secs,
        epsilon: texture.tolerance.epsilon,
        covered: found.covered_at(texture.patch_secs),
        knee_secs: found.knee_secs,
        intervals: found.intervals_secs.len(),
        corpora: about(texture),
        recordings: &learned.used,
        warnings: &learned.warnings,
    }
}

/// What was learned, for people.
fn summary(learned: &Learned, written: Option<String>) -> Vec<String> {
    let (texture, found) = (&learned.texture, &learned.patch_size);
    let mut lines: Vec<String> = written.into_iter().collect();
    for used in &learned.used {
        let lids = match used.lids {
            LidSource::Aperture => "",
            LidSource::Events => ", from the device's own events",
            LidSource::None => ", as lids were not recorded",
        };
        let Used { name, used_secs, secs, runs, blinks, filled, .. } = used;
        lines.push(format!(
            "  {name}: {used_secs:.1} of {secs:.1} s in {runs} runs, {blinks} blinks{lids}; {:.1} % filled in",
            100.0 * filled
        ));
    }
    for About { name, seconds, blinks, open_level, open_per_deg, .. } in about(texture) {
        lines.push(format!(
            "  corpus “{name}”: {seconds:.1} s, {blinks} blinks; open eyes are open by {open_level:.2}, and by \
             {open_per_deg:.3} more for each degree up"
        ));
    }
    let [patch, boundary] = texture.frames();
    lines.push(format!(
        "  a patch is {:.2} s, {patch} frames at {} Hz, with a boundary of {boundary}: it covers {:.2} % of {} \
         intervals between large movements, and the curve bends at {:.2} s",
        texture.patch_secs,
        texture.rate_hz,
        100.0 * found.covered_at(texture.patch_secs),
        found.intervals_secs.len(),
        found.knee_secs
    ));
    lines.push(format!("  what fits differs by at most {} of what it is (ε)", texture.tolerance.epsilon));
    lines
}
