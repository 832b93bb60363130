//! Films of eyes whose truth is known: what a tracker finds can be compared with what was drawn.
//!
//! A [`Scene`] is a face that blinks and looks about, and moves its head, in front of a camera with noise and a shutter
//! that is open for a while. Frames can be asked for in any order; the same seed gives the same film.
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
mod moment;
mod paint;
#[cfg(test)]
mod tests;
mod texture;
mod write;

pub use face::Face;
pub use moment::{Blinks, Head, Light, Occlusion};
pub use write::{raw_gray, y4m};

use super::layout::POINTS;
use super::{Image, Points};
use glam::DVec2;
use moment::Moment;
use paint::Painter;
use vivant::eyes::blink_model::BlinkModel;

/// What a film shows and how it is taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// All chance: when they blink, where they look, noise.
    pub seed: u64,
    /// Whose face it is.
    pub face: Face,
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Planes: 1 is gray, 3 are red, green and blue.
    pub channels: usize,
    /// Frames a second.
    pub fps: f64,
    /// How wide an eye is from corner to corner, in pixels.
    pub eye_px: f64,
    /// When the eyes blink.
    pub blinks: Blinks,
    /// How far the eyes look to the sides, in degrees; 0 is a fixed stare.
    pub glances_deg: f64,
    /// How the head moves.
    pub head: Head,
    /// A change of the light, if there is one.
    pub light: Option<Light>,
    /// Something that passes before the eyes, if it does.
    pub occlusion: Option<Occlusion>,
    /// The standard deviation of the sensor's noise, in steps of 255.
    pub noise: f64,
    /// For which share of a frame the shutter is open: 1 is a blur without gaps (paper 3, section 4).
    pub shutter: f64,
    /// How wide a spot the lens makes of a point, in pixels.
    pub softness_px: f64,
}

/// What is drawn in a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    /// The middle of the time in which the shutter is open.
    pub secs: f64,
    /// Where the points are, in the mean while the shutter is open.
    pub points: Points,
    /// How open the lids are: 0 is shut, about 1 open.
    pub openness: f64,
    /// To the person's left and up, in degrees.
    pub gaze_deg: [f64; 2],
    /// The share of points that something hides.
    pub hidden: f64,
}

/// A film that can be asked for its frames.
#[derive(Clone, Debug)]
pub struct Scene {
    settings: Settings,
    blink_model: BlinkModel,
    painter: Painter,
}

/// In which order the samples of a pixel see the time of a frame. It is a magic square: what moves is blurred, and
/// not pushed to a side, since all rows and columns see the same time in the mean.
const ORDER: [f64; SAMPLES] = [1.0, 6.0, 5.0, 8.0, 4.0, 0.0, 3.0, 2.0, 7.0];
const SAMPLES: usize = 9;

/// Away from the eyes two samples a pixel do: these, opposite in place and in time.
const FEW: [usize; 2] = [1, 7];

impl Settings {
    /// A film of the size of the paper's, 512 × 384, of the face and the motion of a seed.
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

    /// As a camera across a room takes it: 400 × 300, with eyes of 25 pixels.
    #[must_use]
    pub fn small(seed: u64) -> Self {
        Self { width: 400, height: 300, eye_px: 25.0, ..Self::of(seed) }
    }
}

impl Scene {
    /// A film with the usual settings.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self::with(Settings::of(seed))
    }

    /// A film with settings. What no camera can do is brought to the nearest that one can.
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

    /// How it was made.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The time of a frame.
    #[must_use]
    pub fn secs(&self, index: usize) -> f64 {
        index as f64 / self.settings.fps
    }

    /// A frame, and where its points are.
    #[must_use]
    pub fn frame(&self, index: usize) -> (Image, Points) {
        let moments = self.moments(index);
        (self.render(index, &moments), self.mean_points(&moments))
    }

    /// What is drawn in a frame, without drawing it.
    #[must_use]
    pub fn truth(&self, index: usize) -> Truth {
        let middle = Moment::at(&self.settings, &self.blink_model, self.secs(index));
        let points = self.mean_points(&self.moments(index));
        let hidden = points.iter().filter(|point| self.painter.is_hidden(&middle, **point)).count();
        Truth {
            secs: self.secs(index),
            points,
            openness: middle.openness,
            gaze_deg: middle.gaze.map(f64::to_degrees),
            hidden: hidden as f64 / POINTS as f64,
        }
    }

    /// Moments while the shutter is open, in the order of time.
    fn moments(&self, index: usize) -> Vec<Moment> {
        let open_secs = self.settings.shutter.clamp(0.0, 1.0) / self.settings.fps;
        let at = |step: usize| self.secs(index) + ((step as f64 + 0.5) / SAMPLES as f64 - 0.5) * open_secs;
        (0..SAMPLES).map(|step| Moment::at(&self.settings, &self.blink_model, at(step))).collect()
    }

    fn mean_points(&self, moments: &[Moment]) -> Points {
        let mut mean = [DVec2::ZERO; POINTS];
        for moment in moments {
            let points = self.painter.points(moment);
            mean.iter_mut().zip(points).for_each(|(mean, point)| *mean += point / moments.len() as f64);
        }
        mean
    }

    fn render(&self, index: usize, moments: &[Moment]) -> Image {
        let Settings { width, height, channels, noise, softness_px, .. } = self.settings;
        let spread = softness_px.clamp(0.0, 8.0) / 3.0;
        let samples: Vec<(DVec2, paint::View<'_>)> = (0..SAMPLES)
            .map(|sample| {
                let place = DVec2::new((sample % 3) as f64 - 1.0, (sample / 3) as f64 - 1.0);
                (place * spread, self.painter.view(&moments[ORDER[sample] as usize]))
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
