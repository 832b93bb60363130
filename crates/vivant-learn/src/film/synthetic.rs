//! Synthetic videos of eyes with known ground truth, to evaluate a tracker.
//!
//! A [`Scene`] is a face that blinks, looks around and moves its head, recorded by a camera with noise and a finite
//! shutter time. Frames can be requested in any order; the same seed gives the same video.
//!
//! ```
//! use vivant_learn::film::synthetic::{Scene, Settings};
//! let scene = Scene::with(Settings { width: 160, height: 120, eye_px: 32.0, ..Settings::of(7) });
//! let (image, points) = scene.frame(30);
//! assert_eq!((image.width, image.height), (160, 120));
//! assert!(points.iter().all(|point| point.x > 0.0 && point.x < 160.0));
//! ```

mod face;
mod lids;
mod paint;
mod state;
#[cfg(test)]
mod tests;
mod texture;
mod write;

pub use face::Face;
pub use state::{Blinks, Head, Light, Occlusion};
pub use write::{raw_gray, y4m};

use super::layout::POINTS;
use super::{Image, Points};
use glam::DVec2;
use paint::Painter;
use state::SceneState;
use vivant::eyes::blink_model::BlinkModel;

/// Content and camera of a video.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Random seed for blinks, gaze and noise.
    pub seed: u64,
    /// The face.
    pub face: Face,
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// Number of planes: 1 for gray, 3 for red, green and blue.
    pub channels: usize,
    /// Frames per second.
    pub fps: f64,
    /// Width of an eye from corner to corner in pixels.
    pub eye_px: f64,
    /// Timing of the blinks.
    pub blinks: Blinks,
    /// Largest horizontal gaze angle in degrees; the largest vertical angle is half of it. 0 gives a fixed gaze.
    pub glances_deg: f64,
    /// Head movement.
    pub head: Head,
    /// A change of light, if any.
    pub light: Option<Light>,
    /// A hand that passes in front of the eyes, if any.
    pub occlusion: Option<Occlusion>,
    /// Standard deviation of the sensor noise, in gray levels of 255.
    pub noise: f64,
    /// Share of the frame time during which the shutter is open, from 0 to 1. With 1, motion blur has no gaps between
    /// frames (paper 3, section 4).
    pub shutter: f64,
    /// Width of the lens blur in pixels.
    pub softness_px: f64,
}

/// Ground truth of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    /// Middle of the shutter time in seconds.
    pub secs: f64,
    /// Mean positions of the points during the shutter time.
    pub points: Points,
    /// Aperture: 0 is closed, about 1 is open.
    pub openness: f64,
    /// Gaze to the person's left and up, in degrees.
    pub gaze_deg: [f64; 2],
    /// Share of the points that are hidden by the hand, from 0 to 1.
    pub hidden: f64,
}

/// A synthetic video.
#[derive(Clone, Debug)]
pub struct Scene {
    settings: Settings,
    blink_model: BlinkModel,
    painter: Painter,
}

/// Order in which the samples of a pixel are distributed over the shutter time. It is a magic square: all rows and
/// columns have the same mean time, so motion is blurred but not shifted.
const ORDER: [f64; SAMPLES] = [1.0, 6.0, 5.0, 8.0, 4.0, 0.0, 3.0, 2.0, 7.0];
const SAMPLES: usize = 9;

/// Indices of the two samples that are used away from the eyes, where two samples per pixel are enough. They are
/// opposite in position and time.
const FEW: [usize; 2] = [1, 7];

impl Settings {
    /// Returns the default settings: a video of 512 × 384 pixels, as in paper 3. The seed determines face and motion.
    #[must_use]
    pub fn of(seed: u64) -> Self {
        Self {
            seed,
            face: Face::of(seed),
            width: 512,
            height: 384,
            channels: 1,
            fps: 30.0,
            eye_px: 100.0,
            blinks: Blinks::Every { secs: 2.5 },
            glances_deg: 15.0,
            head: Head::default(),
            light: None,
            occlusion: None,
            noise: 2.0,
            shutter: 0.5,
            softness_px: 1.4,
        }
    }

    /// Returns settings for a distant camera: a video of 400 × 300 pixels, with eyes that are 25 pixels wide.
    #[must_use]
    pub fn small(seed: u64) -> Self {
        Self { width: 400, height: 300, eye_px: 25.0, ..Self::of(seed) }
    }
}

impl Scene {
    /// Creates a video with the default settings for a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self::with(Settings::of(seed))
    }

    /// Creates a video with the given settings; values outside the supported ranges are clamped.
    #[must_use]
    pub fn with(settings: Settings) -> Self {
        let settings = Settings {
            width: settings.width.clamp(16, 4096),
            height: settings.height.clamp(16, 4096),
            channels: if settings.channels == 3 { 3 } else { 1 },
            fps: settings.fps.clamp(1.0, 1000.0),
            eye_px: settings.eye_px.clamp(4.0, 2000.0),
            ..settings
        };
        let painter = Painter::new(&settings);
        Self { settings, blink_model: BlinkModel::standard(), painter }
    }

    /// Returns the settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the time of a frame in seconds, which is the middle of its shutter time.
    #[must_use]
    pub fn secs(&self, index: usize) -> f64 {
        index as f64 / self.settings.fps
    }

    /// Renders a frame. Returns the image and the true positions of its points.
    #[must_use]
    pub fn frame(&self, index: usize) -> (Image, Points) {
        let states = self.states(index);
        (self.render(index, &states), self.mean_points(&states))
    }

    /// Returns the ground truth of a frame without rendering it.
    #[must_use]
    pub fn truth(&self, index: usize) -> Truth {
        let middle = SceneState::at(&self.settings, &self.blink_model, self.secs(index));
        let points = self.mean_points(&self.states(index));
        let hidden = points.iter().filter(|point| self.painter.is_hidden(&middle, **point)).count();
        Truth {
            secs: self.secs(index),
            points,
            openness: middle.openness,
            gaze_deg: middle.gaze.map(f64::to_degrees),
            hidden: hidden as f64 / POINTS as f64,
        }
    }

    /// Returns the states of the scene during the shutter time of a frame, in order of time.
    fn states(&self, index: usize) -> Vec<SceneState> {
        let open_secs = self.settings.shutter.clamp(0.0, 1.0) / self.settings.fps;
        let at = |step: usize| self.secs(index) + ((step as f64 + 0.5) / SAMPLES as f64 - 0.5) * open_secs;
        (0..SAMPLES).map(|step| SceneState::at(&self.settings, &self.blink_model, at(step))).collect()
    }

    fn mean_points(&self, states: &[SceneState]) -> Points {
        let mut mean = [DVec2::ZERO; POINTS];
        for state in states {
            let points = self.painter.points(state);
            mean.iter_mut().zip(points).for_each(|(mean, point)| *mean += point / states.len() as f64);
        }
        mean
    }

    fn render(&self, index: usize, states: &[SceneState]) -> Image {
        let Settings { width, height, channels, noise, softness_px, .. } = self.settings;
        let spread = softness_px.clamp(0.0, 8.0) / 3.0;
        let samples: Vec<(DVec2, paint::View<'_>)> = (0..SAMPLES)
            .map(|sample| {
                let place = DVec2::new((sample % 3) as f64 - 1.0, (sample / 3) as f64 - 1.0);
                (place * spread, self.painter.view(&states[ORDER[sample] as usize]))
            })
            .collect();
        let mut data = vec![0; width * height * channels];
        for y in 0..height {
            for x in 0..width {
                let pixel = DVec2::new(x as f64, y as f64);
                let colour = if samples[4].1.is_fine(pixel) {
                    paint::mean(samples.iter().map(|(place, view)| view.colour(pixel + *place)))
                } else {
                    paint::mean(
                        FEW.map(|index| samples[index].1.colour(pixel + samples[index].0)).into_iter(),
                    )
                };
                let grain = noise as f32 * texture::grain(self.settings.seed, index, y * width + x);
                for (channel, level) in paint::levels(colour, channels).enumerate() {
                    data[(channel * height + y) * width + x] = (level + grain + 0.5).clamp(0.0, 255.0) as u8;
                }
            }
        }
        Image { width, height, channels, data }
    }
}
