//! Blinks of models that were learned from recordings.

use crate::args::trace::{BlinkShape, TraceBlink};
use crate::fault::{Fault, Result};
use crate::files;
use std::path::Path;
use vivant::chance::Chance;
use vivant::eyes::blink_model::{BlinkCurve, BlinkModel};
use vivant_io::json::blink_model;

/// A blink of the model, new or recorded.
pub(super) fn curve(args: &TraceBlink) -> Result<BlinkCurve> {
    let mut model = model(args.model.as_deref())?;
    model.closure = args.closure.map_or(model.closure, Into::into);
    let mut draw = Chance::new(args.seed, "blinks").event(0);
    let curve = match args.profile {
        BlinkShape::Real => model.recorded(&mut draw).ok_or_else(|| no_exemplars(args))?,
        _ => model.generate(&mut draw),
    };
    Ok(args.duration.map_or(curve, |secs| curve.stretched(secs)))
}

fn model(path: Option<&Path>) -> Result<BlinkModel> {
    let Some(path) = path else { return Ok(BlinkModel::standard()) };
    Ok(blink_model::read(&files::read(path)?).map_err(|error| error.in_file(path.display()))?)
}

fn no_exemplars(args: &TraceBlink) -> Fault {
    let name = args.model.as_ref().map_or("the model".into(), |path| path.display().to_string());
    Fault::new(format!("{name}: keeps no recorded blinks; learn it again, or use --profile pca"))
}
