//! Converts command-line arguments to the host's options.

use crate::args::trace::texture::Side;
use crate::args::trace::{BlinkShape, GazeShift, IdleEyes, LidShape, Person, TraceBlink};
use crate::fault::{Fault, Result};
use crate::{files, learn};
use std::path::Path;
use std::sync::Arc;
use vivant::eyes::blink::BlinkProfile;
use vivant::eyes::blink_model::BlinkModel;
use vivant::eyes::texture::Texture;
use vivant_host::trace;
use vivant_io::json::blink_model;

pub(super) fn blink(args: &TraceBlink) -> Result<trace::OneBlink> {
    let is_learned = matches!(args.profile, BlinkShape::Pca | BlinkShape::Real);
    // The host refuses a model for other profiles, so the file is not read.
    let read = |path: &Path| if is_learned { model(path) } else { Ok(BlinkModel::standard()) };
    let model = args.model.as_deref().map(|path| Ok::<_, Fault>((path.display().to_string(), read(path)?)));
    Ok(trace::OneBlink {
        amplitude_deg: args.amplitude,
        shape: args.profile.into(),
        duration_secs: args.duration,
        model: model.transpose()?,
        seed: args.seed,
        closure: args.closure.map(Into::into),
    })
}

fn model(path: &Path) -> Result<BlinkModel> {
    blink_model::read(&files::read(path)?).map_err(|error| error.in_file(path.display()))
}

pub(super) fn gaze_shift(args: &GazeShift) -> trace::GazeShift {
    trace::GazeShift {
        from: args.from,
        to: args.to,
        person: person(&args.person),
        strategy: args.strategy,
        liveliness: args.liveliness,
        eye_only_deg: args.eye_only,
        latency_secs: args.latency,
    }
}

pub(super) fn idle(args: &IdleEyes) -> trace::IdleEyes {
    trace::IdleEyes {
        seconds: args.seconds,
        person: person(&args.person),
        strategy: args.strategy,
        state: args.state,
        liveliness: args.liveliness,
        attentiveness: args.attentiveness,
        blinks_per_minute: args.blink_rate,
    }
}

pub(super) fn textured(args: &IdleEyes, texture: &Path) -> Result<trace::TextureEyes> {
    let options = &args.textured;
    Ok(trace::TextureEyes {
        texture: Arc::new(Texture::new(&learn::eyes::read(texture)?)?),
        seconds: args.seconds,
        seed: args.person.seed,
        look_ahead: options.look_ahead,
        avoid: options.avoid.iter().map(|side| (*side).into()).collect(),
        blink_at: options.blink_at.clone(),
        corpora: options.corpus.clone(),
    })
}

fn person(person: &Person) -> trace::Person {
    trace::Person {
        head_movement_factor: person.hmf,
        preset: person.preset,
        evoked: person.evoked,
        seed: person.seed,
    }
}

impl From<Side> for trace::Side {
    fn from(side: Side) -> Self {
        match side {
            Side::Left => Self::Left,
            Side::Right => Self::Right,
            Side::Up => Self::Up,
            Side::Down => Self::Down,
        }
    }
}

impl From<LidShape> for trace::LidShape {
    fn from(shape: LidShape) -> Self {
        match shape {
            LidShape::Evinger => Self::Evinger,
            LidShape::Steptoe => Self::Steptoe,
        }
    }
}

impl From<BlinkShape> for trace::BlinkShape {
    fn from(shape: BlinkShape) -> Self {
        Self::Of(match shape {
            BlinkShape::Steptoe => return Self::Steptoe,
            BlinkShape::Evinger => BlinkProfile::Evinger,
            BlinkShape::SymmetricLinear => BlinkProfile::SymmetricLinear,
            BlinkShape::AsymmetricLinear => BlinkProfile::AsymmetricLinear,
            BlinkShape::SymmetricEase => BlinkProfile::SymmetricEase,
            BlinkShape::AsymmetricEase => BlinkProfile::AsymmetricEase,
            BlinkShape::Pca => BlinkProfile::Pca,
            BlinkShape::Real => BlinkProfile::Real,
        })
    }
}
