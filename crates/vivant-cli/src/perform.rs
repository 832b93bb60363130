//! `vivant perform`: writes a performance of a script, or an improvisation, to a file.

use crate::args::Perform;
use crate::fault::{Fault, Result};
use crate::output::{self, Format};
use crate::report::Progress;
use crate::script::Script;
use crate::shutter::Shutter;
use crate::stage::{Moment, Stage, clip_of, looks_of};
use std::process::ExitCode;
use std::sync::Arc;
use vivant::clip::Clip;

pub(crate) fn run(args: &Perform) -> Result<ExitCode> {
    Format::of(&args.output)?;
    let frames = frames(args.seconds, args.fps)?;
    let script = Script::load(args.script.as_deref())?;
    let mut warnings = Vec::new();
    let mut stage = Stage::set(&args.cast, &mut warnings)?;
    if let Some(temperament) = args.preset {
        stage.performance.performer_mut().eyes().set_temperament(0.0, temperament);
    }
    script.ask(|_, intent| stage.performance.intend(intent).map(drop))?;
    let (avatar, rig) = (Arc::clone(&stage.avatar), stage.rig.clone());
    let moments = perform(stage, frames, args.fps, args.shutter);
    let clip = clip_of("performance", &rig, args.fps, &moments)?;
    let looks = looks_of(&moments);
    output::write(&args.output, &avatar, &[clip], &looks, args.positions, warnings)?.print(args.json);
    Ok(ExitCode::SUCCESS)
}

/// Returns the number of frames, or an error if it is larger than a clip can hold.
fn frames(seconds: f64, fps: f64) -> Result<usize> {
    let frames = (seconds * fps).round() as usize + 1;
    if frames > Clip::MAX_FRAMES {
        let limit = Clip::MAX_FRAMES as f64 / fps;
        return Err(Fault::new(format!(
            "{seconds} s is too long: at {fps} fps a clip holds at most {limit:.0} s; lower --seconds or --fps"
        )));
    }
    Ok(frames)
}

fn perform(mut stage: Stage, frames: usize, fps: f64, shutter_deg: f64) -> Vec<Moment> {
    let progress = Progress::bar("performing", frames);
    let at = |secs: f64| {
        progress.at((secs * fps) as usize);
        stage.advance_to(secs)
    };
    match Shutter::new(shutter_deg, fps) {
        Some(shutter) => shutter.frames(frames, at).collect(),
        None => (0..frames).map(|frame| frame as f64 / fps).map(at).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_performance_has_a_frame_at_both_ends_and_a_limit() {
        assert_eq!(frames(2.0, 30.0).unwrap(), 61);
        assert!(frames(36_000.0, 1000.0).unwrap_err().to_string().contains("at most 432 s"));
    }
}
