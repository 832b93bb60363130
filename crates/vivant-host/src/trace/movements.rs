//! Traces a single movement: a saccade or a lid saccade.
//!
//! [`saccade`] and [`lid_saccade`] check their arguments and return a [`Table`] of a movement without the rest of the
//! gaze model. This makes it possible to compare its amplitude, duration and peak velocity with published curves. The
//! shape [`LidShape::Steptoe`] applies a paper literally, in frames instead of continuous time, to show where this
//! overshoots.

use super::{Table, rate_hz, within};
use vivant::eyes::aperture::{CLOSING_DEG, Lids};
use vivant::eyes::lids::{self, LidMovement, steptoe_literal};
use vivant::eyes::saccade::Saccade;
use vivant_io::Result;

/// The shape of a lid saccade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LidShape {
    /// Evinger's equations, which were measured in people.
    #[default]
    Evinger,
    /// The steps of Steptoe 2010 applied literally, with one row per frame. The lid moves with its peak velocity in
    /// every frame, so it overshoots.
    Steptoe,
}

/// Traces a saccade that follows the main sequence, with a sampling rate of `rate` hertz.
///
/// # Errors
/// If a number is out of range.
pub fn saccade(saccade: &Saccade, rate: f64) -> Result<Table> {
    const COLUMNS: &[&str] = &[
        "t",
        "eye_left_yaw",
        "eye_left_pitch",
        "eye_right_yaw",
        "eye_right_pitch",
        "gaze_yaw",
        "gaze_pitch",
        "velocity",
    ];
    rate_hz(rate)?;
    within("amplitude", saccade.amplitude_deg, -90.0, 90.0, "degrees")?;
    let profile = saccade.profile();
    let table = Table::sampled(COLUMNS, profile.duration_secs(), rate, |t, row| {
        let yaw = profile.position(t);
        row.extend([yaw, 0.0, yaw, 0.0, yaw, 0.0, profile.velocity(t)]);
    })?;
    Ok(table.titled(format!("Saccade of {}°", saccade.amplitude_deg)))
}

/// Traces a lid saccade between two lid angles in degrees, with a sampling rate of `rate` hertz (Steptoe 2010,
/// equations E1 to E4).
///
/// # Errors
/// If a number is out of range.
pub fn lid_saccade(from: f64, to: f64, shape: LidShape, rate: f64) -> Result<Table> {
    rate_hz(rate)?;
    within("from", from, -90.0, 90.0, "degrees")?;
    within("to", to, -90.0, 90.0, "degrees")?;
    match shape {
        LidShape::Evinger => lid(from, to, rate),
        LidShape::Steptoe => literal_lid_saccade(from, to, rate),
    }
}

fn lid(from: f64, to: f64, rate: f64) -> Result<Table> {
    const COLUMNS: &[&str] = &["t", "lid_left", "lid_right", "aperture_left", "aperture_right", "velocity"];
    let profile = lids::lid_saccade(from, to);
    let table = Table::sampled(COLUMNS, profile.duration_secs(), rate, |t, row| {
        let lids = Lids::new(from + profile.position(t), 1.0, 0.0);
        let (lid, aperture) = (lids.upper_deg, lids.aperture);
        row.extend([lid, lid, aperture, aperture, profile.velocity(t)]);
    })?;
    Ok(table.titled(format!("Lid saccade from {from}° to {to}°")))
}

/// Traces a lid saccade with the steps of Steptoe 2010, one row per frame.
fn literal_lid_saccade(from: f64, to: f64, rate: f64) -> Result<Table> {
    const COLUMNS: &[&str] = &["t", "lid_left", "lid_right", "velocity"];
    let movement = if to < from { LidMovement::SaccadeDown } else { LidMovement::SaccadeUp };
    let (size, sign) = ((to - from).abs(), (to - from).signum());
    let mut positions = vec![from];
    positions.extend(steptoe_literal(movement, size, rate).map(|distance| from + sign * distance));
    let velocity = sign * movement.printed_peak_velocity(size);
    let table = in_frames(COLUMNS, &positions, rate, |row, lid| row.extend([lid, lid, velocity]))?;
    Ok(table.titled(format!("Lid saccade from {from}° to {to}°, with the steps of Steptoe 2010")))
}

/// Traces a blink with the steps of Steptoe 2010, one row per frame. At the end, the lid is reset to its start
/// position.
pub(super) fn literal_blink(amplitude: f64, rate: f64) -> Result<Table> {
    const COLUMNS: &[&str] = &["t", "lid_left", "lid_right", "blink"];
    let mut positions = vec![0.0];
    positions.extend(steptoe_literal(LidMovement::BlinkDown, amplitude, rate).map(|distance| -distance));
    let lowest = positions.last().copied().unwrap_or_default();
    positions
        .extend(steptoe_literal(LidMovement::BlinkUp, amplitude, rate).map(|distance| lowest + distance));
    positions.push(0.0);
    let table = in_frames(COLUMNS, &positions, rate, |row, lid| row.extend([lid, lid, 1.0]))?;
    Ok(table.titled(format!("Blink of {amplitude}°, with the steps of Steptoe 2010")))
}

fn in_frames(
    columns: &'static [&'static str],
    positions: &[f64],
    rate: f64,
    push: impl Fn(&mut Vec<f64>, f64),
) -> Result<Table> {
    let last = positions.len() - 1;
    Table::sampled(columns, last as f64 / rate, rate, |t, row| {
        push(row, positions[((t * rate).round() as usize).min(last)]);
    })
}

/// Samples the position of a lid in degrees and its velocity in degrees per second from a function of time.
pub(super) fn lids(total: f64, rate: f64, at: impl Fn(f64) -> [f64; 2]) -> Result<Table> {
    const COLUMNS: &[&str] =
        &["t", "lid_left", "lid_right", "aperture_left", "aperture_right", "blink", "velocity"];
    Table::sampled(COLUMNS, total, rate, |t, row| {
        let [lid, velocity] = at(t);
        // Once the eye is closed, the aperture stays 0.
        let aperture = (1.0 + lid / CLOSING_DEG).max(0.0);
        let blinks = f64::from(u8::from(t < total));
        row.extend([lid, lid, aperture, aperture, blinks, velocity]);
    })
}
