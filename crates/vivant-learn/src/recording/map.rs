//! Column maps in TOML, which assign meanings and units to columns.
//!
//! Devices differ in names, units and axes rather than in content, so a device is described by data and not by code.
//! Built-in maps and maps of the user have the same type: [`ColumnMap::parse`] reads and checks both. Unknown keys are
//! errors, because a misspelt key would otherwise be ignored silently. A map that only has screen data is an addition
//! to the map of the device. The map does not know the file; `super::plan` finds its columns in a table.

use super::units::{TimeUnit, Unit};
use serde::Deserialize;
use vivant_io::limits::within;
use vivant_io::{Error, Result};

/// Column map: the meanings and units of the columns of a recording. See `docs/reference/recordings.md`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnMap {
    /// Device name for reports.
    pub(super) device: Option<String>,
    /// Column names that identify the device; only in built-in maps.
    #[serde(default)]
    pub(super) found_by: Vec<Name>,
    /// Delimiter between cells; detected by default.
    pub(super) delimiter: Option<char>,
    /// Condition for rows that are eye samples; `None` if all rows are.
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

/// A column: its name, a list of possible names, or its index from 0.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(super) enum Name {
    One(String),
    Any(Vec<String>),
    Number(usize),
}

impl Name {
    /// Returns the possible names.
    pub(super) fn names(&self) -> Vec<String> {
        match self {
            Self::One(name) => vec![name.clone()],
            Self::Any(names) => names.clone(),
            Self::Number(number) => vec![number.to_string()],
        }
    }
}

/// Time column of the samples, and its unit.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TimeMap {
    pub(super) column: Option<Name>,
    #[serde(default)]
    pub(super) unit: TimeUnit,
    /// Sampling rate, if there is no time column.
    pub(super) rate: Option<f64>,
}

/// Columns of the lid apertures.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ApertureMap {
    pub(super) left: Option<Name>,
    pub(super) right: Option<Name>,
    pub(super) both: Option<Name>,
    /// Unit; detected from names and values by default.
    pub(super) unit: Option<Unit>,
    pub(super) scale: Option<f64>,
    /// True if the columns give the closure: 0 is open, 1 is closed.
    #[serde(default)]
    pub(super) is_closure: bool,
    pub(super) left_valid: Option<Rule>,
    pub(super) right_valid: Option<Rule>,
}

/// Columns of the gaze: two angles, or a vector for each eye or for both together.
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
    /// Yaw and pitch of the left eye.
    pub(super) left_angles: Option<[Name; 2]>,
    /// Yaw and pitch of the right eye.
    pub(super) right_angles: Option<[Name; 2]>,
    pub(super) left: Option<[Name; 3]>,
    pub(super) right: Option<[Name; 3]>,
    pub(super) both: Option<[Name; 3]>,
    /// Directions of x, y and z, such as `right up forward`.
    pub(super) axes: Option<Axes>,
    pub(super) valid: Option<Rule>,
    pub(super) left_valid: Option<Rule>,
    pub(super) right_valid: Option<Rule>,
    pub(super) pixels_per_degree: Option<f64>,
    pub(super) screen: Option<Screen>,
    /// A note about the gaze of this device, for the user.
    pub(super) note: Option<String>,
}

/// Columns of the head direction in the world.
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

/// Unit of gaze angles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) enum AngleUnit {
    #[default]
    #[serde(rename = "degrees", alias = "deg")]
    Degrees,
    #[serde(rename = "radians", alias = "rad")]
    Radians,
    /// Pixels of a screen or camera image, from its upper left corner.
    #[serde(rename = "pixels", alias = "px")]
    Pixels,
}

/// Direction of positive yaw. Most devices count to the right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Side {
    Left,
    #[default]
    Right,
}

/// Direction of positive pitch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Height {
    #[default]
    Up,
    Down,
}

/// The screen that the person looked at.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Screen {
    pub(super) pixels: [f64; 2],
    pub(super) size_mm: [f64; 2],
    pub(super) distance_mm: f64,
}

/// Directions of a device's three axes, as seen by the person: indices of left, up and forward, with signs.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Axes {
    /// For left, up and forward: the component and its sign.
    pub(super) from: [(usize, f64); 3],
}

impl TryFrom<String> for Axes {
    type Error = String;

    fn try_from(text: String) -> std::result::Result<Self, String> {
        let invalid = || {
            format!(
                "“{text}” must be three of left/right, up/down, forward/back, for example \"right up forward\""
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
                _ => return Err(invalid()),
            };
            from[axis] = Some((index, sign));
        }
        match (words.len(), from) {
            (3, [Some(left), Some(up), Some(forward)]) => Ok(Self { from: [left, up, forward] }),
            _ => Err(invalid()),
        }
    }
}

/// A condition on a row.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rule {
    pub(super) column: Name,
    /// Required word or number.
    pub(super) is: Option<Value>,
    /// Bits that must all be set.
    pub(super) bits: Option<u32>,
}

/// A flag, number or word.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub(super) enum Value {
    Flag(bool),
    Number(f64),
    Word(String),
}

/// Conditions for samples in which the device reports a blink. One of them must hold.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BlinkMap {
    pub(super) any: Vec<Rule>,
}

/// Conditions for samples in which the person looks at the conversation partner. One of them must hold.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LookMap {
    pub(super) any: Vec<Rule>,
}

/// Columns of a table of the device's blinks. Its times are in the unit of the samples.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EventMap {
    pub(super) start: Name,
    pub(super) end: Name,
}

/// Columns of a table of head rotation. Its times are in the unit of the samples.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ImuMap {
    pub(super) time: Name,
    pub(super) turn: [Name; 3],
}

/// Names of face markers.
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
    /// Parses a map in TOML.
    ///
    /// # Errors
    /// Returns an error with the line for invalid TOML, unknown keys or invalid values.
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
            return Err(Error::at("head.unit", "the unit must be degrees or radians, not pixels"));
        }
        let has_columns = self.aperture.is_some() || self.blink.is_some() || self.blinks.is_some();
        if has_columns || self.gaze.is_some() || self.markers.is_some() {
            return Ok(());
        }
        Err(Error::new("the map has no [aperture], [gaze], [blink] or [markers]; add one of them"))
    }

    /// Returns true if the map only adds screen data to a device's map.
    pub(super) fn is_addition(&self) -> bool {
        let has_columns = self.aperture.is_some() || self.blink.is_some() || self.markers.is_some();
        !has_columns && self.gaze.as_ref().is_some_and(|gaze| !gaze.has_columns())
    }

    /// Sets the pixels per degree found in the recording, unless the map has screen data.
    pub(super) fn set_pixels_per_degree(&mut self, pixels_per_degree: Option<f64>) {
        if let Some(gaze) = self.gaze.as_mut().filter(|gaze| gaze.screen.is_none()) {
            gaze.pixels_per_degree = gaze.pixels_per_degree.or(pixels_per_degree);
        }
    }

    /// Returns a device's map with additions by the user.
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
            return Err(Error::at(
                "aperture",
                "the map has no column for the aperture; set left and right, or both",
            ));
        }
        match self.scale {
            Some(scale) if !scale.is_finite() || scale == 0.0 => {
                Err(Error::at("aperture.scale", format!("{scale} is not a valid scale; use another number")))
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
            return Err(Error::at("gaze", "the map needs both yaw and pitch"));
        }
        if self.left_angles.is_some() != self.right_angles.is_some() {
            return Err(Error::at("gaze", "the map needs both left_angles and right_angles"));
        }
        if !self.has_columns() && !has_device {
            let message = "the map has no column for the gaze; set yaw and pitch, left and right vectors, or the device";
            return Err(Error::at("gaze", message));
        }
        if self.has_vector() && self.axes.is_none() {
            return Err(Error::at(
                "gaze.axes",
                "the axes are missing; set the directions of x, y and z, for example \"right up forward\"",
            ));
        }
        let positive = |name: &str, number: f64| {
            if number.is_finite() && number > 0.0 {
                return Ok(());
            }
            Err(Error::at(format!("gaze.{name}"), format!("{number} must be above 0")))
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
