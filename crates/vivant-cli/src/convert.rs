//! `vivant convert`: converts motion from one format to another.

use crate::args::Convert;
use crate::fault::{Fault, Result};
use crate::output::{self, Format};
use std::process::ExitCode;
use vivant::clip::Clip;
use vivant_host::imported::{ImportedFile, fitted};
use vivant_io::{Warning, WarningCode};

pub(crate) fn run(args: &Convert) -> Result<ExitCode> {
    let format = Format::of(&args.output)?;
    let mut input = crate::character::import(&args.input)?;
    let mut warnings = input.take_warnings();
    let mut other = args.avatar.as_deref().map(crate::character::import).transpose()?;
    if let Some(avatar) = &mut other {
        warnings.extend(avatar.take_warnings());
    }
    let avatar = other.as_ref().unwrap_or(&input);
    let rig = avatar.require_rig()?;
    let chosen = choose(&input, args.clip.as_deref(), format, &mut warnings)?;
    let mut clips = Vec::with_capacity(chosen.len());
    for clip in chosen {
        let clip = fitted(clip, rig, &mut warnings);
        clips.push(match args.fps {
            Some(fps) if fps != clip.rate() => clip.resampled(fps)?,
            _ => clip,
        });
    }
    output::write(&args.output, avatar, &clips, &[], args.positions, warnings)?.print(args.json);
    Ok(ExitCode::SUCCESS)
}

/// Returns the clips to write: the requested clip, or all clips. If the format holds only one clip, the first is used.
fn choose<'a>(
    input: &'a ImportedFile,
    asked: Option<&str>,
    format: Format,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<&'a Clip>> {
    let clips = input.require_clips()?;
    if let Some(asked) = asked {
        return named(clips, asked).map(|clip| vec![clip]).ok_or_else(|| {
            let names = names(clips);
            Fault::new(format!("{}: there is no clip “{asked}”; it has {names}", input.name))
        });
    }
    match clips {
        [first, others @ ..] if !others.is_empty() && !format.holds_many() => {
            let message = format!(
                "only “{}” is written, because this format holds one clip; choose another with --clip: {}",
                first.name(),
                names(others)
            );
            warnings.push(Warning::new(WarningCode::Dropped, &input.name, message));
            Ok(vec![first])
        }
        all => Ok(all.iter().collect()),
    }
}

/// Finds a clip by its name or its index.
fn named<'a>(clips: &'a [Clip], asked: &str) -> Option<&'a Clip> {
    let by_name = vivant::body::graph::names::position(clips.iter().map(Clip::name), asked);
    clips.get(by_name.or_else(|| asked.parse().ok())?)
}

fn names(clips: &[Clip]) -> String {
    const SHOWN: usize = 20;
    let mut names: Vec<String> = clips.iter().take(SHOWN).map(|c| format!("“{}”", c.name())).collect();
    if clips.len() > SHOWN {
        names.push(format!("and {} more", clips.len() - SHOWN));
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clips_are_chosen_by_name_by_number_or_by_what_the_format_holds() {
        let input = ImportedFile::built_in();
        let check = |asked: Option<&str>, format: Format, expected: &[&str], warned: usize| {
            let mut warnings = Vec::new();
            let chosen = choose(&input, asked, format, &mut warnings).unwrap();
            assert_eq!(chosen.iter().map(|c| c.name()).collect::<Vec<_>>(), expected);
            assert_eq!(warnings.len(), warned);
        };
        check(Some("nod"), Format::Vrma, &["nod"], 0);
        check(Some("4"), Format::Glb, &["nod"], 0);
        check(None, Format::Bvh, &["idle_breathe"], 1);
        assert_eq!(choose(&input, None, Format::Glb, &mut Vec::new()).unwrap().len(), input.clips.len());
        let fault = choose(&input, Some("fly"), Format::Glb, &mut Vec::new()).unwrap_err().to_string();
        assert!(fault.contains("“fly”") && fault.contains("“wave”"), "{fault}");
    }
}
