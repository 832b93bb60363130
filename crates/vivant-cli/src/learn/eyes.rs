//! `vivant learn eyes`: learns an eye texture from recordings.

use crate::args::learn::eyes::{CorpusArg, LearnEyes};
use crate::fault::{Fault, Result};
use crate::{files, plot, recordings, report};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use vivant::eyes::texture::TextureDef;
use vivant_io::Warning;
use vivant_io::json::texture;
use vivant_learn::texture::{Material, Options, Report, learn};

/// Default name of a corpus.
const NAME: &str = "eyes";

pub(super) fn run(args: &LearnEyes, json: bool) -> Result<ExitCode> {
    let plot = plot::with_format(args.plot.as_deref())?;
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
    // The reader's warnings may explain the error.
    let mut learned = learn(&materials, &options).inspect_err(|_| report::warnings(&warnings))?;
    learned.warnings.splice(..0, warnings);
    if let Some((path, format)) = plot {
        files::write(path, &plot::distribution(&plot::Intervals::of_texture(&learned), format)?)?;
    }
    if let Some(path) = &args.output {
        let text = texture::write(&learned.texture).map_err(|error| error.in_file(path.display()))?;
        files::write(path, text.as_bytes())?;
    }
    let written = args.output.as_ref().map(|path| path.display().to_string());
    if json {
        report::json(&Report::of(&learned, written));
    } else {
        report::warnings(&learned.warnings);
        written.iter().chain(&learned.lines()).for_each(|line| report::line(line));
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads an eye texture from a file.
pub(crate) fn read(path: &Path) -> Result<TextureDef> {
    texture::read(&files::read(path)?).map_err(|error| error.in_file(path.display()))
}

/// Reads the recordings of each corpus.
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
            return Err(Fault::new(format!(
                "--corpus {name}: recordings are missing; give {name}=FILE,FILE"
            )));
        }
    }
    for corpus in with_files {
        materials.push(of_files(&corpus.name, &corpus.files)?);
    }
    let before = onto.iter().flat_map(|texture| &texture.corpora).map(|corpus| &corpus.name);
    match before.clone().find(|name| materials.iter().any(|material| material.name == **name)) {
        Some(name) => Err(Fault::new(format!("corpus “{name}” already exists; give another --corpus name"))),
        None => Ok(materials),
    }
}
