//! Which column is what, as people write it in TOML.

use super::units::{TimeUnit, Unit};
use serde::Deserialize;
use vivant_io::limits::within;
use vivant_io::{Error, Result};

/// Which columns of a recording are what, and in which unit. See `docs/recordings.md`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnMap {
    /// What reports call the device.
    pub(super) device: Option<String>,
    /// Headers that only this device has; for presets.
    #[serde(default)]
    pub(super) found_by: Vec<Name>,
    /// What stands between cells, if it is not found.
    pub(super) delimiter: Option<char>,
    /// Which rows are samples of the eyes, where there are others among them.
    pub(super) rows: Option<Rule>,
    #[serde(default)]
    pub(super) time: TimeMap,
    pub(super) aperture: Option<ApertureMap>,
    pub(super) gaze: Option<GazeMap>,
    pub(super) head: Option<HeadMap>,
    pub(super) blink: Option<BlinkMap>,
    pub(super) look: Option<LookMap>,
    pub(super) blinks: Option<EventMap>,
    pub(super) imu: Option<ImuMap>,
    pub(super) markers: Option<MarkerMap>,
}

/// A column: its name, one of several names, or its number from 0.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(super) enum Name {
    One(String),
    Any(Vec<String>),
    Number(usize),
}

impl Name {
    /// The names that it may have.
    pub(super) fn names(&self) -> Vec<String> {
        match self {
            Self::One(name) => vec![name.clone()],
            Self::Any(names) => names.clone(),
            Self::Number(number) => vec![number.to_string()],
        }
    }
}

/// When samples were taken.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TimeMap {
    pub(super) column: Option<Name>,
    #[serde(default)]
    pub(super) unit: TimeUnit,
    /// Samples a second, where no column says when.
    pub(super) rate: Option<f64>,
}

/// How open the eyes are.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ApertureMap {
    pub(super) left: Option<Name>,
    pub(super) right: Option<Name>,
    pub(super) both: Option<Name>,
    /// By the columns' names and values, if it is not said.
    pub(super) unit: Option<Unit>,
    pub(super) scale: Option<f64>,
    /// Whether the columns say how far lids are closed: 0 is open, 1 is shut.
    #[serde(default)]
    pub(super) is_closure: bool,
    pub(super) left_valid: Option<Rule>,
    pub(super) right_valid: Option<Rule>,
}

/// Where the eyes look: two angles, or a vector an eye, or one of both eyes.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GazeMap {
    pub(super) yaw: Option<Name>,
    pub(super) pitch: Option<Name>,
    #[serde(default)]
    pub(super) unit: AngleUnit,
    #[serde(default)]
    pub(super) yaw_to: Side,
    #[serde(default)]
    pub(super) pitch_to: Height,
    /// Yaw and pitch of each eye.
    pub(super) left_angles: Option<[Name; 2]>,
    pub(super) right_angles: Option<[Name; 2]>,
    pub(super) left: Option<[Name; 3]>,
    pub(super) right: Option<[Name; 3]>,
    pub(super) both: Option<[Name; 3]>,
    /// Where x, y and z point: `right up forward`.
    pub(super) axes: Option<Axes>,
    pub(super) valid: Option<Rule>,
    pub(super) left_valid: Option<Rule>,
    pub(super) right_valid: Option<Rule>,
    pub(super) pixels_per_degree: Option<f64>,
    pub(super) screen: Option<Screen>,
    /// What people have to know of every gaze of this device.
    pub(super) note: Option<String>,
}

/// How the head is turned in the world.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HeadMap {
    pub(super) yaw: Name,
    pub(super) pitch: Name,
    #[serde(default)]
    pub(super) unit: AngleUnit,
    #[serde(default)]
    pub(super) yaw_to: Side,
    #[serde(default)]
    pub(super) pitch_to: Height,
}

/// What gaze angles are measured in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) enum AngleUnit {
    #[default]
    #[serde(rename = "degrees", alias = "deg")]
    Degrees,
    #[serde(rename = "radians", alias = "rad")]
    Radians,
    /// Of a screen or a camera's picture, from its upper left corner.
    #[serde(rename = "pixels", alias = "px")]
    Pixels,
}

/// Where a positive yaw looks. Most devices count to the right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Side {
    Left,
    #[default]
    Right,
}

/// Where a positive pitch looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Height {
    #[default]
    Up,
    Down,
}

/// The screen that was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Screen {
    pub(super) pixels: [f64; 2],
    pub(super) size_mm: [f64; 2],
    pub(super) distance_mm: f64,
}

/// Where the three axes of a device point, seen by the person: indices of left, up and forward, with signs.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Axes {
    /// For left, up and forward: which component, and times what.
    pub(super) from: [(usize, f64); 3],
}

impl TryFrom<String> for Axes {
    type Error = String;

    fn try_from(text: String) -> std::result::Result<Self, String> {
        let wrong = || {
            format!(
                "“{text}” has to be three of left/right, up/down, forward/back, as in \"right up forward\""
            )
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut from = [None; 3];
        for (index, word) in words.iter().enumerate() {
            let (axis, sign) = match *word {
                "left" => (0, 1.0),
                "right" => (0, -1.0),
                "up" => (1, 1.0),
                "down" => (1, -1.0),
                "forward" => (2, 1.0),
                "back" => (2, -1.0),
                _ => return Err(wrong()),
            };
            from[axis] = Some((index, sign));
        }
        match (words.len(), from) {
            (3, [Some(left), Some(up), Some(forward)]) => Ok(Self { from: [left, up, forward] }),
            _ => Err(wrong()),
        }
    }
}

/// When what a row says holds.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rule {
    pub(super) column: Name,
    /// It has to be this word or number.
    pub(super) is: Option<Value>,
    /// All of these bits have to be set.
    pub(super) bits: Option<u32>,
}

/// A word, a number or a yes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub(super) enum Value {
    Flag(bool),
    Number(f64),
    Word(String),
}

/// In which samples the device sees a blink.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BlinkMap {
    pub(super) any: Vec<Rule>,
}

/// In which samples the one that is talked with is looked at.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LookMap {
    pub(super) any: Vec<Rule>,
}

/// A table of the device's blinks, beside that of its samples, in the unit of the samples' time.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EventMap {
    pub(super) start: Name,
    pub(super) end: Name,
}

/// A table of how the head turns, in the unit of the samples' time.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ImuMap {
    pub(super) time: Name,
    pub(super) turn: [Name; 3],
}

/// What markers on a face are called.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MarkerMap {
    pub(super) nose: Name,
    pub(super) left_corner: Name,
    pub(super) right_corner: Name,
    pub(super) left_lid: Option<Name>,
    pub(super) right_lid: Option<Name>,
}

impl ColumnMap {
    /// Reads a map.
    ///
    /// # Errors
    /// When it is no TOML or says what no map says, with the line.
    pub fn parse(text: &str) -> Result<Self> {
        within("map", "bytes", text.len(), 1 << 20)?;
        let map: Self = toml::from_str(text).map_err(|error| {
            let before = |end: usize| text.get(..end).unwrap_or(text).matches('\n').count();
            let line = error.span().map_or(1, |span| 1 + before(span.start));
            Error::at(format!("line {line}"), error.message().trim_end())
        })?;
        map.check()?;
        Ok(map)
    }

    fn check(&self) -> Result<()> {
        if let Some(rate) = self.time.rate {
            super::limits::check_rate("time.rate", rate)?;
        }
        if let Some(aperture) = &self.aperture {
            aperture.check()?;
        }
        if let Some(gaze) = &self.gaze {
            gaze.check(self.device.is_some())?;
        }
        if self.head.as_ref().is_some_and(|head| head.unit == AngleUnit::Pixels) {
            return Err(Error::at("head.unit", "is pixels, which no head turns by; give degrees or radians"));
        }
        let has_columns = self.aperture.is_some() || self.blink.is_some() || self.blinks.is_some();
        if has_columns || self.gaze.is_some() || self.markers.is_some() {
            return Ok(());
        }
        Err(Error::new("the map has neither [aperture] nor [gaze] nor [blink] nor [markers]; add one"))
    }

    /// Whether it only completes what a device writes: the screen that was looked at.
    pub(super) fn is_addition(&self) -> bool {
        let has_columns = self.aperture.is_some() || self.blink.is_some() || self.markers.is_some();
        !has_columns && self.gaze.as_ref().is_some_and(|gaze| !gaze.has_columns())
    }

    /// What a device tells itself of its pixels, if nobody says otherwise.
    pub(super) fn know(&mut self, pixels_per_degree: Option<f64>) {
        if let Some(gaze) = self.gaze.as_mut().filter(|gaze| gaze.screen.is_none()) {
            gaze.pixels_per_degree = gaze.pixels_per_degree.or(pixels_per_degree);
        }
    }

    /// A device's map with what a person adds.
    pub(super) fn with(mut self, addition: &Self) -> Self {
        if let (Some(gaze), Some(added)) = (&mut self.gaze, &addition.gaze) {
            gaze.pixels_per_degree = added.pixels_per_degree;
            gaze.screen = added.screen;
        }
        self.time.rate = addition.time.rate.or(self.time.rate);
        self
    }
}

impl ApertureMap {
    fn check(&self) -> Result<()> {
        if self.left.is_none() && self.right.is_none() && self.both.is_none() {
            return Err(Error::at("aperture", "names no column; give left and right, or both"));
        }
        match self.scale {
            Some(scale) if !scale.is_finite() || scale == 0.0 => {
                Err(Error::at("aperture.scale", format!("{scale} makes no aperture; give another number")))
            }
            _ => Ok(()),
        }
    }
}

impl GazeMap {
    const fn has_columns(&self) -> bool {
        self.has_vector() || self.yaw.is_some() || self.left_angles.is_some() || self.right_angles.is_some()
    }

    const fn has_vector(&self) -> bool {
        self.left.is_some() || self.right.is_some() || self.both.is_some()
    }

    fn check(&self, has_device: bool) -> Result<()> {
        if self.yaw.is_some() != self.pitch.is_some() {
            return Err(Error::at("gaze", "needs both yaw and pitch"));
        }
        if self.left_angles.is_some() != self.right_angles.is_some() {
            return Err(Error::at("gaze", "needs both left_angles and right_angles"));
        }
        if !self.has_columns() && !has_device {
            let message = "names no column; give yaw and pitch, or left and right vectors, or the device";
            return Err(Error::at("gaze", message));
        }
        if self.has_vector() && self.axes.is_none() {
            return Err(Error::at(
                "gaze.axes",
                "is missing; say where x, y and z point, as in \"right up forward\"",
            ));
        }
        let positive = |name: &str, number: f64| {
            if number.is_finite() && number > 0.0 {
                return Ok(());
            }
            Err(Error::at(format!("gaze.{name}"), format!("{number} has to be above 0")))
        };
        if let Some(pixels) = self.pixels_per_degree {
            positive("pixels_per_degree", pixels)?;
        }
        let Some(screen) = self.screen else { return Ok(()) };
        for number in screen.pixels.into_iter().chain(screen.size_mm).chain([screen.distance_mm]) {
            positive("screen", number)?;
        }
        Ok(())
    }
}
