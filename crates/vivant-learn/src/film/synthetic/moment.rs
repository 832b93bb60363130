//! What there is to be seen at a time: lids, gaze, head, light and what is in the way.

use super::Settings;
use glam::DVec2;
use std::f64::consts::TAU;
use vivant::chance::{Chance, Draw};
use vivant::eyes::blink_model::BlinkModel;
use vivant::math;

/// When eyes blink.
#[derive(Clone, Debug, PartialEq)]
pub enum Blinks {
    /// They never do.
    Never,
    /// About so often, each as a person's ([`BlinkModel::standard`]).
    Every {
        /// Seconds from one to the next in the mean.
        secs: f64,
    },
    /// When they begin and how long they take, in seconds.
    At(Vec<[f64; 2]>),
}

/// How a head moves: slowly to and fro in all ways that a picture has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Head {
    /// How far at most to the side, and two thirds as far up and down, in eye widths.
    pub shift: f64,
    /// How far it tilts at most, in degrees.
    pub tilt_deg: f64,
    /// By which share it comes nearer or goes away at most.
    pub zoom: f64,
    /// How often a second.
    pub hz: f64,
}

impl Default for Head {
    fn default() -> Self {
        Self { shift: 0.2, tilt_deg: 3.0, zoom: 0.04, hz: 0.3 }
    }
}

impl Head {
    /// A head that is held.
    pub const STILL: Self = Self { shift: 0.0, tilt_deg: 0.0, zoom: 0.0, hz: 0.0 };
    /// A head that shakes: half an eye's width to each side, one and a half times a second. At 30 frames a second
    /// and 100 pixels an eye, up to 16 pixels a frame.
    pub const FAST: Self = Self { shift: 0.5, tilt_deg: 8.0, zoom: 0.06, hz: 1.5 };
}

/// A change of the light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// When it begins.
    pub at_secs: f64,
    /// How long it takes.
    pub secs: f64,
    /// How bright it is then: 0.5 is half as bright.
    pub gain: f64,
    /// How much it comes from the side then: the share by which an eye's width makes a difference.
    pub slope: f64,
}

/// A hand that passes before the face from left to right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Occlusion {
    /// When it enters.
    pub at_secs: f64,
    /// How long it takes to cross the picture.
    pub secs: f64,
    /// How wide it is, in eye widths.
    pub width: f64,
}

/// A moment of a scene.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    /// How open the lids are, from 0 to about 1.
    pub(super) openness: f64,
    /// To the person's left and up, in radians.
    pub(super) gaze: [f64; 2],
    /// The point between the eyes, in pixels.
    pub(super) middle: DVec2,
    /// One to the person's left, in pixels: its length is an eye's width.
    pub(super) across: DVec2,
    /// How bright the light is.
    pub(super) gain: f64,
    /// How much brighter for each eye width to the right.
    pub(super) slope: f64,
    /// Where the hand is, in pixels from the left.
    pub(super) hand_x: Option<f64>,
}

impl Moment {
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

/// Lids that are a little higher at times.
fn alertness(settings: &Settings, secs: f64) -> f64 {
    if settings.blinks == Blinks::Never && settings.glances_deg == 0.0 {
        return 1.0;
    }
    0.96 + 0.06 * sway(settings, "film alertness", 0.13, secs)
}

/// How shut the eyes are: 1 is shut.
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
            // Each slot has one, which may last into the next.
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

/// Glances: a new place to look at about every 0.9 seconds, reached within 50 ms.
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

/// Two slow waves that never meet twice, from -1 to 1.
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

/// How bright it is and how much from the side.
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
