//! One movement of one organ: a saccade, a lid that follows, a blink.

use super::table::Table;
use crate::args::trace::{BlinkShape, TraceBlink};
use crate::fault::Result;
use std::collections::BTreeMap;
use vivant::eyes::aperture::{CLOSING_DEG, Lids};
use vivant::eyes::blink::Blink;
use vivant::eyes::blink_model::BlinkCurve;
use vivant::eyes::lids::{LidMovement, lid_saccade, steptoe_literal};
use vivant::eyes::saccade::Saccade;

pub(super) fn saccade(saccade: &Saccade, rate: f64) -> Result<Table> {
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
    let profile = saccade.profile();
    let table = Table::sampled(COLUMNS, profile.duration_secs(), rate, |t, row| {
        let yaw = profile.position(t);
        row.extend([yaw, 0.0, yaw, 0.0, yaw, 0.0, profile.velocity(t)]);
    })?;
    Ok(table.titled(format!("Saccade of {}°", saccade.amplitude_deg)))
}

pub(super) fn lid(from: f64, to: f64, rate: f64) -> Result<Table> {
    const COLUMNS: &[&str] = &["t", "lid_left", "lid_right", "aperture_left", "aperture_right", "velocity"];
    let profile = lid_saccade(from, to);
    let table = Table::sampled(COLUMNS, profile.duration_secs(), rate, |t, row| {
        let lids = Lids::new(from + profile.position(t), 1.0, 0.0);
        let (lid, aperture) = (lids.upper_deg, lids.aperture);
        row.extend([lid, lid, aperture, aperture, profile.velocity(t)]);
    })?;
    Ok(table.titled(format!("Lid saccade from {from}° to {to}°")))
}

/// A lid saccade by the steps of paper 1, a row a frame.
pub(super) fn lid_to_the_letter(from: f64, to: f64, rate: f64) -> Result<Table> {
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

pub(super) fn blink(amplitude: f64, blink: &Blink, rate: f64) -> Result<Table> {
    let table = lids(blink.duration_secs(), rate, |t| [blink.position(t), blink.velocity(t)])?;
    Ok(table.titled(format!("Blink of {amplitude}°")))
}

/// A blink that was learned from recordings.
pub(super) fn learned_blink(args: &TraceBlink, curve: &BlinkCurve, rate: f64) -> Result<Table> {
    let size = args.amplitude;
    let lid = |t| [-size * curve.closure(t), -size * curve.closure_per_sec(t)];
    let table = lids(curve.duration_secs(), rate, lid)?;
    let which = if matches!(args.profile, BlinkShape::Real) { "Recorded blink" } else { "Blink of a model" };
    let of = args.model.as_ref().map_or(String::new(), |path| format!(" of {}", path.display()));
    let facts = BTreeMap::from([
        ("closing_secs", curve.closing_secs()),
        ("opening_secs", curve.opening_secs()),
        ("amplitude", curve.amplitude()),
    ]);
    Ok(Table { facts, ..table.titled(format!("{which}{of}, seed {}", args.seed)) })
}

/// Where lids are, and how fast, in degrees, from a function of the time.
fn lids(total: f64, rate: f64, at: impl Fn(f64) -> [f64; 2]) -> Result<Table> {
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
