//! One movement of one organ: a saccade, or a lid that follows.

use super::{Table, rate_hz, within};
use vivant::eyes::aperture::{CLOSING_DEG, Lids};
use vivant::eyes::lids::{self, LidMovement, steptoe_literal};
use vivant::eyes::saccade::Saccade;
use vivant_io::Result;

/// As measured in people, or as a paper has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LidShape {
    /// By Evinger's equations.
    #[default]
    Evinger,
    /// Paper 1 to the letter, a row a frame: it takes the greatest velocity for that of every frame, and ends beyond.
    Steptoe,
}

/// A jump of the eyes, by the main sequence.
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

/// A lid that follows the gaze (paper 1, E1 to E4).
///
/// # Errors
/// If a number is out of range.
pub fn lid_saccade(from: f64, to: f64, shape: LidShape, rate: f64) -> Result<Table> {
    rate_hz(rate)?;
    within("from", from, -90.0, 90.0, "degrees")?;
    within("to", to, -90.0, 90.0, "degrees")?;
    match shape {
        LidShape::Evinger => lid(from, to, rate),
        LidShape::Steptoe => lid_to_the_letter(from, to, rate),
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

/// A lid saccade by the steps of paper 1, a row a frame.
fn lid_to_the_letter(from: f64, to: f64, rate: f64) -> Result<Table> {
    const COLUMNS: &[&str] = &["t", "lid_left", "lid_right", "velocity"];
    let movement = if to < from { LidMovement::SaccadeDown } else { LidMovement::SaccadeUp };
    let (size, sign) = ((to - from).abs(), (to - from).signum());
    let mut places = vec![from];
    places.extend(steptoe_literal(movement, size, rate).map(|way| from + sign * way));
    let velocity = sign * movement.printed_peak_velocity(size);
    let table = in_frames(COLUMNS, &places, rate, |row, lid| row.extend([lid, lid, velocity]))?;
    Ok(table.titled(format!("Lid saccade from {from}° to {to}°, by the steps of paper 1")))
}

/// A blink by the steps of paper 1, a row a frame; at the end the lid is put back where it was.
pub(super) fn blink_to_the_letter(amplitude: f64, rate: f64) -> Result<Table> {
    const COLUMNS: &[&str] = &["t", "lid_left", "lid_right", "blink"];
    let mut places = vec![0.0];
    places.extend(steptoe_literal(LidMovement::BlinkDown, amplitude, rate).map(|way| -way));
    let lowest = places.last().copied().unwrap_or_default();
    places.extend(steptoe_literal(LidMovement::BlinkUp, amplitude, rate).map(|way| lowest + way));
    places.push(0.0);
    let table = in_frames(COLUMNS, &places, rate, |row, lid| row.extend([lid, lid, 1.0]))?;
    Ok(table.titled(format!("Blink of {amplitude}°, by the steps of paper 1")))
}

fn in_frames(
    columns: &'static [&'static str],
    places: &[f64],
    rate: f64,
    push: impl Fn(&mut Vec<f64>, f64),
) -> Result<Table> {
    let last = places.len() - 1;
    Table::sampled(columns, last as f64 / rate, rate, |t, row| {
        push(row, places[((t * rate).round() as usize).min(last)]);
    })
}

/// Where lids are, and how fast, in degrees, from a function of the time.
pub(super) fn lids(total: f64, rate: f64, at: impl Fn(f64) -> [f64; 2]) -> Result<Table> {
    const COLUMNS: &[&str] =
        &["t", "lid_left", "lid_right", "aperture_left", "aperture_right", "blink", "velocity"];
    Table::sampled(COLUMNS, total, rate, |t, row| {
        let [lid, velocity] = at(t);
        // A lid that goes on after the eye is closed covers the lower one.
        let aperture = (1.0 + lid / CLOSING_DEG).max(0.0);
        let blinks = f64::from(u8::from(t < total));
        row.extend([lid, lid, aperture, aperture, blinks, velocity]);
    })
}
