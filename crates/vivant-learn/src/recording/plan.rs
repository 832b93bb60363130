//! Resolves the columns of a map in a table.
//!
//! Maps contain names and tables have indices. [`Finder::plan`] looks up every name once and returns a [`Plan`] with
//! indices and the set of wanted columns, so that only these are loaded from a large file. [`MapOrigin`] decides about
//! missing columns: devices have several versions of their files, so a built-in map may name columns that are absent,
//! but in a map of the user this is an error with the nearest name.

use super::cells::Cell;
use super::map::{ApertureMap, ColumnMap, GazeMap, Name, Rule, Value};
use super::table::{Table, plain};
use std::collections::BTreeSet;
use vivant_io::{Error, Result};

/// Origin of a map. Columns in a map of the user must exist; columns in a built-in device map may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MapOrigin {
    User,
    Device,
}

/// Resolved columns.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) wanted: BTreeSet<usize>,
    pub(super) rows: Option<Check>,
    pub(super) time: Option<usize>,
    pub(super) left: Option<Side>,
    pub(super) right: Option<Side>,
    pub(super) gaze: Option<GazePlan>,
    /// Yaw and pitch of the head.
    pub(super) head: Option<[usize; 2]>,
    pub(super) blink: Vec<Check>,
    pub(super) look: Vec<Check>,
}

#[derive(Debug)]
pub(super) enum GazePlan {
    Angles {
        yaw: usize,
        pitch: usize,
        valid: Vec<Check>,
    },
    /// Yaw and pitch of each eye, with validity conditions.
    Eyes([([usize; 2], Vec<Check>); 2]),
    /// Vectors of eyes, with validity conditions.
    Vectors(Vec<([usize; 3], Vec<Check>)>),
}

/// The column of one eye's aperture, and its validity condition.
#[derive(Debug)]
pub(super) struct Side {
    pub(super) column: usize,
    pub(super) valid: Option<Check>,
}

/// A rule with a resolved column.
#[derive(Clone, Debug)]
pub(super) struct Check {
    pub(super) column: usize,
    is: Option<Value>,
    bits: Option<u32>,
}

impl Check {
    pub(super) fn holds(&self, cell: Cell<'_>) -> bool {
        if let Some(bits) = self.bits {
            let number = cell.number().unwrap_or(f64::NAN);
            return number >= 0.0 && (number as u64) & u64::from(bits) == u64::from(bits);
        }
        match &self.is {
            None => cell.is_yes(),
            Some(Value::Flag(flag)) => cell.is_yes() == *flag,
            Some(Value::Number(number)) => cell.number() == Some(*number),
            Some(Value::Word(word)) => matches!(cell, Cell::Word(found) if found.eq_ignore_ascii_case(word)),
        }
    }
}

/// Names of the conversation partner in columns with gaze targets.
const PARTNER_NAMES: [&str; 16] = [
    "face",
    "eyes",
    "mouth",
    "head",
    "person",
    "partner",
    "other",
    "user",
    "viewer",
    "camera",
    "listener",
    "speaker",
    "interlocutor",
    "you",
    "mutual",
    "contact",
];

impl Check {
    /// Returns true if the cell says that the person looks at the conversation partner; `None` if this is unknown.
    /// Columns may contain the name of the gaze target.
    pub(super) fn looks(&self, cell: Cell<'_>) -> Option<bool> {
        if self.is.is_some() || self.bits.is_some() {
            let is_name = matches!(self.is, Some(Value::Word(_)));
            return (is_name || !matches!(cell, Cell::Unknown)).then(|| self.holds(cell));
        }
        match cell {
            Cell::Unknown => None,
            Cell::Word(word) if word.eq_ignore_ascii_case("true") || word.eq_ignore_ascii_case("yes") => {
                Some(true)
            }
            Cell::Word(word) => Some(PARTNER_NAMES.iter().any(|other| word.eq_ignore_ascii_case(other))),
            cell => Some(cell.is_yes()),
        }
    }
}

/// Finds the columns of a map in a table.
pub(super) struct Finder<'t> {
    pub(super) table: &'t Table<'t>,
    pub(super) origin: MapOrigin,
    pub(super) wanted: BTreeSet<usize>,
}

impl Finder<'_> {
    pub(super) fn plan(mut self, map: &ColumnMap) -> Result<Plan> {
        let mut plan =
            Plan { time: self.optional("time.column", map.time.column.as_ref())?, ..Plan::default() };
        plan.rows = self.check("rows", map.rows.as_ref())?;
        if let Some(aperture) = &map.aperture {
            (plan.left, plan.right) = self.aperture(aperture)?;
        }
        if let Some(gaze) = &map.gaze {
            plan.gaze = self.gaze(gaze)?;
        }
        if let Some(head) = &map.head {
            let columns = (self.find("head.yaw", &head.yaw)?, self.find("head.pitch", &head.pitch)?);
            plan.head = columns.0.zip(columns.1).map(|(yaw, pitch)| [yaw, pitch]);
        }
        for rule in map.blink.iter().flat_map(|blink| &blink.any) {
            plan.blink.extend(self.check("blink", Some(rule))?);
        }
        for rule in map.look.iter().flat_map(|look| &look.any) {
            plan.look.extend(self.check("look", Some(rule))?);
        }
        let has_samples = plan.left.is_some() || plan.right.is_some() || plan.gaze.is_some();
        if !has_samples && plan.blink.is_empty() && map.blinks.is_none() {
            return Err(self.no_columns_error());
        }
        plan.wanted = self.wanted;
        Ok(plan)
    }

    fn no_columns_error(&self) -> Error {
        let columns: Vec<String> =
            self.table.header.iter().take(60).map(|name| format!("“{name}”")).collect();
        let message = format!(
            "no aperture or gaze columns found; the columns are {}; use a column map",
            columns.join(", ")
        );
        Error::at("line 1", message).in_file(self.table.file).with_setting("ReadOptions::map")
    }

    pub(super) fn optional(&mut self, place: &str, name: Option<&Name>) -> Result<Option<usize>> {
        name.map_or(Ok(None), |name| self.find(place, name))
    }

    /// Returns the index of the named column. If the column is missing, returns `None` for a built-in device map and
    /// an error for a map of the user.
    fn find(&mut self, place: &str, name: &Name) -> Result<Option<usize>> {
        let names = name.names();
        let found = match name {
            Name::Number(number) => Some(*number).filter(|number| *number < self.table.header.len()),
            _ => names.iter().find_map(|name| self.table.index_of(name)),
        };
        self.wanted.extend(found);
        if found.is_none() && self.origin == MapOrigin::User {
            let nearest = nearest(&names, &self.table.header);
            let message = format!(
                "the map sets {place} to “{}”, but there is no such column{nearest}",
                names.join("” or “")
            );
            return Err(Error::at("line 1", message).in_file(self.table.file));
        }
        Ok(found)
    }

    fn check(&mut self, place: &str, rule: Option<&Rule>) -> Result<Option<Check>> {
        let Some(rule) = rule else { return Ok(None) };
        let column = self.find(place, &rule.column)?;
        Ok(column.map(|column| Check { column, is: rule.is.clone(), bits: rule.bits }))
    }

    fn aperture(&mut self, map: &ApertureMap) -> Result<(Option<Side>, Option<Side>)> {
        let left = match &map.left {
            Some(left) => self.find("aperture.left", left)?,
            None => None,
        };
        let left = if left.is_none() { self.optional("aperture.both", map.both.as_ref())? } else { left };
        let right = self.optional("aperture.right", map.right.as_ref())?;
        let left_valid = self.check("aperture.left_valid", map.left_valid.as_ref())?;
        let right_valid = self.check("aperture.right_valid", map.right_valid.as_ref())?;
        Ok((
            left.map(|column| Side { column, valid: left_valid }),
            right.map(|column| Side { column, valid: right_valid }),
        ))
    }

    fn gaze(&mut self, map: &GazeMap) -> Result<Option<GazePlan>> {
        let valid = self.check("gaze.valid", map.valid.as_ref())?;
        let left_valid = self.check("gaze.left_valid", map.left_valid.as_ref())?;
        let right_valid = self.check("gaze.right_valid", map.right_valid.as_ref())?;
        if let (Some(yaw), Some(pitch)) = (&map.yaw, &map.pitch) {
            let columns = (self.find("gaze.yaw", yaw)?, self.find("gaze.pitch", pitch)?);
            if let (Some(yaw), Some(pitch)) = columns {
                return Ok(Some(GazePlan::Angles { yaw, pitch, valid: valid.into_iter().collect() }));
            }
        }
        if let (Some(left), Some(right)) = (&map.left_angles, &map.right_angles) {
            let mut pair = |names: &[Name; 2]| -> Result<Option<[usize; 2]>> {
                let (yaw, pitch) = (self.find("gaze", &names[0])?, self.find("gaze", &names[1])?);
                Ok(yaw.zip(pitch).map(|(yaw, pitch)| [yaw, pitch]))
            };
            if let (Some(left), Some(right)) = (pair(left)?, pair(right)?) {
                let checks = |own: &Option<Check>| own.iter().chain(&valid).take(1).cloned().collect();
                return Ok(Some(GazePlan::Eyes([
                    (left, checks(&left_valid)),
                    (right, checks(&right_valid)),
                ])));
            }
        }
        let either: Vec<Check> = [&valid, &left_valid, &right_valid].into_iter().flatten().cloned().collect();
        let of_eye = |own: Option<Check>| own.or_else(|| valid.clone()).into_iter().collect();
        // A combined vector of the device takes precedence over separate eyes.
        let mut eyes = self.vector(map.both.as_ref(), either)?;
        if eyes.is_empty() {
            eyes = self.vector(map.left.as_ref(), of_eye(left_valid))?;
            eyes.extend(self.vector(map.right.as_ref(), of_eye(right_valid))?);
        }
        Ok((!eyes.is_empty()).then_some(GazePlan::Vectors(eyes)))
    }

    fn vector(
        &mut self,
        names: Option<&[Name; 3]>,
        checks: Vec<Check>,
    ) -> Result<Vec<([usize; 3], Vec<Check>)>> {
        let Some([x, y, z]) = names else { return Ok(Vec::new()) };
        let mut find = |name| self.find("gaze", name);
        Ok(match (find(x)?, find(y)?, find(z)?) {
            (Some(x), Some(y), Some(z)) => vec![([x, y, z], checks)],
            _ => Vec::new(),
        })
    }
}

/// Suggests the nearest column name.
fn nearest(names: &[String], header: &[String]) -> String {
    let similarity = |candidate: &String| {
        let best = names.iter().map(|name| strsim::jaro_winkler(&plain(name), &plain(candidate)));
        best.fold(0.0, f64::max)
    };
    let best = header.iter().max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
    best.map_or_else(String::new, |best| format!("; did you mean “{best}”?"))
}
