//! Converts a table and a map to a recording.
//!
//! All table formats end here, so that units, validity and order of time are handled in one place. [`read`] resolves
//! the columns, loads them, sorts the samples by time and converts aperture, gaze and head. Then it adds the blinks and
//! the head rotation of companion tables on the same clock. Invalid samples become NaN and are not repaired;
//! assumptions, such as a guessed unit, are warnings.

use super::clock::{self, Clock};
use super::gaze::{self, Angles};
use super::map::{ApertureMap, Axes, ColumnMap};
use super::plan::{Check, Finder, GazePlan, MapOrigin, Plan, Side};
use super::table::Table;
use super::times;
use super::{Aperture, Gaze, ReadOptions, Recording, Span, Unit, eog};
use std::collections::BTreeSet;
use vivant_io::{Result, Warning, WarningCode};

/// Settings for reading a table: the map, its origin, and the options of the user.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadContext<'a> {
    pub(super) map: &'a ColumnMap,
    pub(super) origin: MapOrigin,
    pub(super) options: &'a ReadOptions,
}

/// Reads the samples of one table, and blinks and head rotation from its companions.
pub(super) fn read(
    mut table: Table<'_>,
    others: &mut [Table<'_>],
    by: ReadContext<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Recording> {
    let plan = Finder { table: &table, origin: by.origin, wanted: BTreeSet::new() }.plan(by.map)?;
    table.load(plan.wanted.iter().copied())?;
    table.warn_of_short_rows(warnings);
    let (mut recording, clock) =
        samples(&table, &plan, by, warnings).map_err(|error| error.in_file(table.file))?;
    eog::orient(&mut recording, warnings);
    for other in others {
        clock.read_events(other, by.map, &mut recording)?;
        clock.read_imu(other, by.map, &mut recording)?;
    }
    let note = by.map.gaze.as_ref().and_then(|gaze| gaze.note.as_ref()).filter(|_| recording.gaze.is_some());
    warnings.extend(note.map(|note| Warning::new(WarningCode::Guessed, "gaze", note)));
    Ok(recording)
}

/// Returns the samples in order of time, and the clock shared with other tables.
fn samples(
    table: &Table<'_>,
    plan: &Plan,
    by: ReadContext<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<(Recording, Clock)> {
    let stamps = clock::stamps(table, plan.time, by, warnings)?;
    let place =
        |row: usize| plan.time.map_or_else(|| format!("row {row}"), |column| table.place(column, row));
    let (rows, timing) = times::ordered(&stamps.secs, plan.sample_rows(table), &place, warnings)?;
    let origin_secs = stamps.secs[rows[0]];
    let times: Vec<f64> = rows.iter().map(|row| stamps.secs[*row] - origin_secs).collect();
    let of_rows = |values: Vec<f64>| -> Vec<f64> {
        if values.is_empty() { values } else { rows.iter().map(|row| values[*row]).collect() }
    };
    let aperture = plan.aperture(table, by.map, warnings)?;
    let (gaze, eyes) = plan.gaze(table, by.map, warnings)?;
    let head = plan.head(table, by.map)?;
    let gaze_of_rows = |g: Gaze| Gaze { yaw_deg: of_rows(g.yaw_deg), pitch_deg: of_rows(g.pitch_deg) };
    let recording = Recording {
        device: by.map.device.clone().unwrap_or_else(|| "map".into()),
        timing: times::measured(timing, &times),
        aperture: aperture.map(|a| Aperture { unit: a.unit, left: of_rows(a.left), right: of_rows(a.right) }),
        gaze: gaze.map(gaze_of_rows),
        eyes: eyes.map(|eyes| eyes.map(gaze_of_rows)),
        head: head.map(|head| gaze::unwrap_yaw(gaze_of_rows(head))),
        blinks: plan.blink_spans(table, &rows, &times),
        looks: plan.looks(table, &rows),
        times,
        ..Recording::default()
    };
    Ok((recording, stamps.clock(origin_secs)))
}

/// Returns the times of the rows of a marker table in seconds; also loads the given columns.
pub(super) fn times_only(
    table: &mut Table<'_>,
    by: ReadContext<'_>,
    columns: impl Iterator<Item = usize>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<f64>> {
    let mut finder = Finder { table, origin: by.origin, wanted: columns.collect() };
    let time = finder.optional("time.column", by.map.time.column.as_ref())?;
    let wanted = finder.wanted;
    table.load(wanted)?;
    let stamps = clock::stamps(table, time, by, warnings);
    stamps.map(|stamps| stamps.secs).map_err(|error| error.in_file(table.file))
}

impl Plan {
    /// Returns the rows that are eye samples.
    fn sample_rows(&self, table: &Table<'_>) -> Vec<usize> {
        let is_sample =
            |row: &usize| self.rows.as_ref().is_none_or(|rule| rule.holds(table.cell(rule.column, *row)));
        (0..table.rows()).filter(is_sample).collect()
    }

    fn aperture(
        &self,
        table: &Table<'_>,
        map: &ColumnMap,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<Aperture>> {
        let Some(wanted) = &map.aperture else { return Ok(None) };
        if self.left.is_none() && self.right.is_none() {
            return Ok(None);
        }
        let unit = wanted.unit.or_else(|| self.guessed_unit(table));
        if wanted.unit.is_none() {
            let message = format!("no unit is given; assuming {}", unit.map_or("unknown", Unit::name));
            warnings.push(Warning::new(WarningCode::Guessed, "aperture", message));
        }
        let unit_is_signed = unit.is_some_and(Unit::may_be_negative);
        let mut side = |side: &Option<Side>| -> Result<Vec<f64>> {
            let Some(side) = side else { return Ok(Vec::new()) };
            let (values, negative) = side.values(table, wanted, unit_is_signed)?;
            warn_of_negative(&table.header[side.column], negative, warnings);
            Ok(values)
        };
        Ok(Some(Aperture { unit, left: side(&self.left)?, right: side(&self.right)? }))
    }

    /// Returns the unit in the column name, or a share if no value is above 1.5.
    fn guessed_unit(&self, table: &Table<'_>) -> Option<Unit> {
        let Side { column, .. } = self.left.as_ref().or(self.right.as_ref())?;
        let name = table.header[*column].to_lowercase();
        let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
        let has = |word: &str| words.contains(&word);
        match () {
            () if has("mm") => Some(Unit::Millimetres),
            () if has("deg") || has("degrees") => Some(Unit::Degrees),
            () if has("ear") => Some(Unit::Ratio),
            () if has("uv") || has("eog") => Some(Unit::Microvolts),
            () => table
                .numbers(*column)
                .ok()?
                .iter()
                .all(|value| value.is_nan() || *value <= 1.5)
                .then_some(Unit::Share),
        }
    }

    fn head(&self, table: &Table<'_>, map: &ColumnMap) -> Result<Option<Gaze>> {
        let (Some(wanted), Some([yaw, pitch])) = (&map.head, self.head) else { return Ok(None) };
        let angles = Angles { yaw: table.numbers(yaw)?, pitch: table.numbers(pitch)? };
        Ok(Some(gaze::convert_head(&angles, wanted)))
    }

    /// Returns the gaze of both eyes, and of each eye if known.
    fn gaze(
        &self,
        table: &Table<'_>,
        map: &ColumnMap,
        warnings: &mut Vec<Warning>,
    ) -> Result<(Option<Gaze>, Option<[Gaze; 2]>)> {
        let (Some(wanted), Some(plan)) = (&map.gaze, &self.gaze) else { return Ok((None, None)) };
        let holds = |checks: &[Check], row| {
            checks.is_empty() || checks.iter().any(|check| check.holds(table.cell(check.column, row)))
        };
        match plan {
            GazePlan::Angles { yaw, pitch, valid } => {
                let mut angles = Angles { yaw: table.numbers(*yaw)?, pitch: table.numbers(*pitch)? };
                angles.keep(|row| holds(valid, row));
                Ok((gaze::from_angles(angles, wanted, warnings), None))
            }
            GazePlan::Eyes(eyes) => {
                let eye = |([yaw, pitch], valid): &([usize; 2], Vec<Check>)| -> Result<Angles> {
                    let mut angles = Angles { yaw: table.numbers(*yaw)?, pitch: table.numbers(*pitch)? };
                    angles.keep(|row| holds(valid, row));
                    Ok(gaze::convert_eye(&angles, wanted))
                };
                let eyes = [eye(&eyes[0])?, eye(&eyes[1])?];
                Ok((gaze::combine_eyes(&eyes), Some(eyes.map(Gaze::from))))
            }
            GazePlan::Vectors(eyes) => {
                let Some(axes) = wanted.axes else { return Ok((None, None)) };
                let eyes = eyes.iter().map(|(columns, valid)| {
                    let mut angles = vectors(table, *columns, axes)?;
                    angles.keep(|row| holds(valid, row));
                    Ok(angles)
                });
                let eyes = eyes.collect::<Result<Vec<_>>>()?;
                let both = gaze::combine_eyes(&eyes);
                Ok((both, <[Angles; 2]>::try_from(eyes).ok().map(|eyes| eyes.map(Gaze::from))))
            }
        }
    }

    /// Returns whether the conversation partner is looked at, sample by sample.
    fn looks(&self, table: &Table<'_>, rows: &[usize]) -> Option<Vec<f64>> {
        let at = |row: &usize| {
            let known = self.look.iter().filter_map(|check| check.looks(table.cell(check.column, *row)));
            known.reduce(|a, b| a || b).map_or(f64::NAN, |is| f64::from(u8::from(is)))
        };
        (!self.look.is_empty()).then(|| rows.iter().map(at).collect())
    }

    /// Returns the device's blinks, if it reports them sample by sample.
    fn blink_spans(&self, table: &Table<'_>, rows: &[usize], times: &[f64]) -> Option<Vec<Span>> {
        if self.blink.is_empty() {
            return None;
        }
        let is_blink = |row: usize| self.blink.iter().any(|check| check.holds(table.cell(check.column, row)));
        Some(spans(times, |index| is_blink(rows[index])))
    }
}

impl Side {
    /// Returns the values, NaN where invalid, and the number of negative ones.
    fn values(&self, table: &Table<'_>, map: &ApertureMap, is_signed: bool) -> Result<(Vec<f64>, usize)> {
        let mut values = table.numbers(self.column)?;
        let (scale, mut negative) = (map.scale.unwrap_or(1.0), 0);
        for (row, value) in values.iter_mut().enumerate() {
            *value *= scale;
            if map.is_closure {
                *value = (1.0 - *value).max(0.0);
            }
            let is_valid = self.valid.as_ref().is_none_or(|valid| valid.holds(table.cell(valid.column, row)));
            let is_negative = *value < 0.0 && !is_signed;
            negative += usize::from(is_valid && is_negative);
            if !is_valid || is_negative {
                *value = f64::NAN;
            }
        }
        Ok((values, negative))
    }
}

/// Returns the spans in which a condition holds. Each span lasts from the first sample of a run to the sample after
/// its last sample.
pub(super) fn spans(times: &[f64], holds: impl Fn(usize) -> bool) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let mut is_within = false;
    for (index, time) in times.iter().enumerate() {
        let is_now = holds(index);
        if is_now && !is_within {
            found.push(Span { from_secs: *time, to_secs: *time });
        }
        if let Some(last) = found.last_mut().filter(|_| is_now || is_within) {
            last.to_secs = *time;
        }
        is_within = is_now;
    }
    found
}

fn warn_of_negative(column: &str, count: usize, warnings: &mut Vec<Warning>) {
    if count > 0 {
        let message = format!("{count} apertures are below 0 and count as unknown");
        warnings.push(Warning::new(WarningCode::Repaired, format!("column “{column}”"), message));
    }
}

fn vectors(table: &Table<'_>, columns: [usize; 3], axes: Axes) -> Result<Angles> {
    let [x, y, z] = columns;
    let components = [table.numbers(x)?, table.numbers(y)?, table.numbers(z)?];
    let count = components[0].len();
    Ok(Angles::of_vectors((0..count).map(|row| [0, 1, 2].map(|axis: usize| components[axis][row])), axes))
}
