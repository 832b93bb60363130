//! The state of a scene at a given time: lids, gaze, head, light and occlusion.

use super::Settings;
use glam::DVec2;
use std::f64::consts::TAU;
use vivant::chance::{Chance, Draw};
use vivant::eyes::blink_model::BlinkModel;
use vivant::math;

/// When the eyes blink.
#[derive(Clone, Debug, PartialEq)]
pub enum Blinks {
    /// Never.
    Never,
    /// At random, with human blinks ([`BlinkModel::standard`]).
    Every {
        /// Mean seconds from one blink to the next.
        secs: f64,
    },
    /// At given times: onset and duration in seconds.
    At(Vec<[f64; 2]>),
}

/// Slow periodic head movement in all directions of the image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Head {
    /// Largest horizontal shift in eye widths; the vertical shift is two thirds of it.
    pub shift: f64,
    /// Largest tilt in degrees.
    pub tilt_deg: f64,
    /// Largest relative change of size.
    pub zoom: f64,
    /// Frequency in hertz.
    pub hz: f64,
}

impl Default for Head {
    fn default() -> Self {
        Self { shift: 0.2, tilt_deg: 3.0, zoom: 0.04, hz: 0.3 }
    }
}

impl Head {
    /// No head movement.
    pub const STILL: Self = Self { shift: 0.0, tilt_deg: 0.0, zoom: 0.0, hz: 0.0 };
    /// Head shaking: half an eye width to each side, at 1.5 Hz. At 30 fps and 100 pixels per eye, up to 16 pixels per
    /// frame.
    pub const FAST: Self = Self { shift: 0.5, tilt_deg: 8.0, zoom: 0.06, hz: 1.5 };
}

/// A change of light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Start in seconds.
    pub at_secs: f64,
    /// Duration in seconds.
    pub secs: f64,
    /// Final brightness: 0.5 is half as bright.
    pub gain: f64,
    /// Final gradient: relative change of brightness per eye width.
    pub slope: f64,
}

/// A hand that passes in front of the face from left to right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Occlusion {
    /// Time when it enters, in seconds.
    pub at_secs: f64,
    /// Time to cross the image in seconds.
    pub secs: f64,
    /// Width of the hand in eye widths.
    pub width: f64,
}

/// The state of a scene at one time.
#[derive(Clone, Debug)]
pub(super) struct SceneState {
    /// Lid openness, 0 to about 1.
    pub(super) openness: f64,
    /// Gaze to the person's left and up, in radians.
    pub(super) gaze: [f64; 2],
    /// Point between the eyes, in pixels.
    pub(super) middle: DVec2,
    /// Vector to the person's left, in pixels; its length is one eye width.
    pub(super) across: DVec2,
    /// Brightness of the light.
    pub(super) gain: f64,
    /// Change of brightness per eye width to the right.
    pub(super) slope: f64,
    /// Position of the hand in pixels from the left.
    pub(super) hand_x: Option<f64>,
}

impl SceneState {
    pub(super) fn at(settings: &Settings, model: &BlinkModel, secs: f64) -> Self {
        let gaze = gaze(settings, secs);
        let (middle, across) = head(settings, secs);
        let (gain, slope) = light(settings, secs);
        Self {
            openness: alertness(settings, secs) * (1.0 - closure(settings, model, secs)),
            gaze,
            middle,
            across,
            gain,
            slope,
            hand_x: hand(settings, secs),
        }
    }
}

fn draw(settings: &Settings, what: &str, index: i64) -> Draw {
    Chance::new(settings.seed, what).event(index as u64)
}

/// Slow variation of the lid height.
fn alertness(settings: &Settings, secs: f64) -> f64 {
    if settings.blinks == Blinks::Never && settings.glances_deg == 0.0 {
        return 1.0;
    }
    0.96 + 0.06 * sway(settings, "film alertness", 0.13, secs)
}

/// Returns the lid closure: 1 is closed.
fn closure(settings: &Settings, model: &BlinkModel, secs: f64) -> f64 {
    let one = |start: f64, index: i64, duration: Option<f64>| {
        let blink = model.generate(&mut draw(settings, "film blink", index));
        let blink = duration.map_or(blink, |duration| blink.stretched(duration));
        let since = secs - start;
        if since < 0.0 || since > blink.duration_secs() { 0.0 } else { blink.closure(since) }
    };
    let closure = match &settings.blinks {
        Blinks::Never => 0.0,
        Blinks::Every { secs: every } => {
            let slot = (secs / every).floor() as i64;
            // Each slot has one blink, which may last into the next slot.
            let begins = |slot: i64| {
                (slot as f64 + draw(settings, "film blink time", slot).between(0.15, 0.85)) * every
            };
            (slot - 1..=slot).map(|slot| one(begins(slot), slot, None)).fold(0.0, f64::max)
        }
        Blinks::At(list) => {
            let each = list.iter().enumerate();
            each.map(|(index, [at, lasts])| one(*at, index as i64, Some(*lasts))).fold(0.0, f64::max)
        }
    };
    closure.clamp(0.0, 1.0)
}

/// Returns the gaze: a new target about every 0.9 seconds, reached within 50 ms.
fn gaze(settings: &Settings, secs: f64) -> [f64; 2] {
    const EVERY_SECS: f64 = 0.9;
    const LASTS_SECS: f64 = 0.05;
    let slot = (secs / EVERY_SECS).floor() as i64;
    let target = |slot: i64| {
        let mut draw = draw(settings, "film glance", slot);
        let begins = (slot as f64 + draw.between(0.1, 0.9)) * EVERY_SECS;
        let most = settings.glances_deg.to_radians();
        (begins, [draw.between(-most, most), draw.between(-0.5 * most, 0.5 * most)])
    };
    let ((_, before), (begins, next)) = match (target(slot - 1), target(slot)) {
        (before, now) if secs >= now.0 => (before, now),
        (before, _) => (target(slot - 2), before),
    };
    let share = ((secs - begins) / LASTS_SECS).clamp(0.0, 1.0);
    let share = share * share * (3.0 - 2.0 * share);
    std::array::from_fn(|axis| before[axis] + (next[axis] - before[axis]) * share)
}

/// Returns the sum of two slow sine waves with an irrational frequency ratio, from -1 to 1.
fn sway(settings: &Settings, what: &str, hz: f64, secs: f64) -> f64 {
    let mut draw = draw(settings, what, 0);
    let [first, second] = [draw.uniform(), draw.uniform()];
    0.7 * math::sin(TAU * (hz * secs + first)) + 0.3 * math::sin(TAU * (1.618 * hz * secs + second))
}

fn head(settings: &Settings, secs: f64) -> (DVec2, DVec2) {
    let Head { shift, tilt_deg, zoom, hz } = settings.head;
    let wave = |what: &str, of_hz: f64| sway(settings, what, of_hz * hz, secs);
    let size = settings.eye_px * (1.0 + zoom * wave("film zoom", 0.7));
    let centre = DVec2::new(settings.width as f64, settings.height as f64) * DVec2::new(0.5, 0.48);
    let shift =
        DVec2::new(wave("film shift x", 1.0), wave("film shift y", 0.8) / 1.5) * shift * settings.eye_px;
    let (sin, cos) = math::sin_cos((tilt_deg * wave("film tilt", 0.9)).to_radians());
    (centre + shift, DVec2::new(cos, sin) * size)
}

/// Returns brightness and gradient of the light.
fn light(settings: &Settings, secs: f64) -> (f64, f64) {
    const USUAL_SLOPE: f64 = 0.03;
    let Some(Light { at_secs, secs: lasts, gain, slope }) = settings.light else { return (1.0, USUAL_SLOPE) };
    let share = ((secs - at_secs) / lasts.max(1e-3)).clamp(0.0, 1.0);
    (1.0 + (gain - 1.0) * share, USUAL_SLOPE + slope * share)
}

fn hand(settings: &Settings, secs: f64) -> Option<f64> {
    let Occlusion { at_secs, secs: lasts, width } = settings.occlusion?;
    let share = (secs - at_secs) / lasts.max(1e-3);
    let half = 0.5 * width * settings.eye_px;
    (0.0..=1.0).contains(&share).then_some((settings.width as f64 + 2.0 * half) * share - half)
}
