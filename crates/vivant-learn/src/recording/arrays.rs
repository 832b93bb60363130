//! Creates recordings from samples that are already in memory.

use super::{Aperture, Gaze, Recording, Timing, limits, times};
use vivant_io::{Error, Result};

pub(super) fn recording(
    mut times: Vec<f64>,
    aperture: Option<Aperture>,
    gaze: Option<Gaze>,
) -> Result<Recording> {
    check_lengths(times.len(), aperture.as_ref(), gaze.as_ref())?;
    check_growing(&times)?;
    let first = times[0];
    times.iter_mut().for_each(|time| *time -= first);
    let timing = times::measured(Timing::default(), &times);
    limits::check_rate("time", timing.rate_hz)?;
    let recording =
        Recording { device: "arrays".into(), times, aperture, gaze, timing, ..Recording::default() };
    limits::check_steps(recording.duration_secs(), timing.rate_hz)?;
    Ok(recording)
}

/// Checks that each channel has one value per time. One of the two eyes may be missing.
fn check_lengths(count: usize, aperture: Option<&Aperture>, gaze: Option<&Gaze>) -> Result<()> {
    let eyes = aperture.into_iter().flat_map(|a| [("left", &a.left), ("right", &a.right)]);
    let eyes = eyes.filter(|(_, values)| !values.is_empty());
    let gaze = gaze.into_iter().flat_map(|g| [("yaw", &g.yaw_deg), ("pitch", &g.pitch_deg)]);
    match eyes.chain(gaze).find(|(_, values)| values.len() != count) {
        Some((channel, values)) => Err(Error::at(
            channel,
            format!("{} samples, but there are {count} times; give one sample per time", values.len()),
        )),
        None => Ok(()),
    }
}

fn check_growing(secs: &[f64]) -> Result<()> {
    if secs.len() < 2 {
        return Err(Error::at("time", format!("{} samples; at least two are needed", secs.len())));
    }
    let unknown =
        secs.iter().position(|time| !time.is_finite()).map(|at| (at, "is not finite; remove the sample"));
    let late = || {
        secs.windows(2)
            .position(|pair| pair[1] <= pair[0])
            .map(|at| (at + 1, "is not later than the one before it; sort the samples"))
    };
    match unknown.or_else(late) {
        Some((at, why)) => Err(Error::at(format!("time[{at}]"), format!("{} {why}", secs[at]))),
        None => Ok(()),
    }
}
