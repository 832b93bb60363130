//! A table and a map make a recording.

use super::cells::Cell;
use super::gaze::{self, Angles};
use super::limits::check_rate;
use super::map::{ApertureMap, Axes, GazeMap, Map, Name, Rule, Value};
use super::table::{Table, plain};
use super::times;
use super::units::TimeUnit;
use super::{Aperture, Gaze, Imu, ReadOptions, Recording, Span, Unit, eog};
use std::collections::BTreeSet;
use vivant_io::{Error, Result, Warning, WarningCode};

/// Whose map it is: what a person names has to be there; a device's columns may be fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    Person,
    Device,
}

/// Reads the samples of one table, and blinks and head from those beside it.
pub(super) fn read(
    mut table: Table<'_>,
    others: &mut [Table<'_>],
    map: &Map,
    whose: Whose,
    options: &ReadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Recording> {
    let file = table.file;
    let plan = Finder { table: &table, whose, wanted: BTreeSet::new() }.plan(map)?;
    table.load(plan.wanted.iter().copied())?;
    table.warn_of_short_rows(warnings);
    let stamps = stamps(&table, &plan, map, whose, options, warnings).map_err(|error| error.in_file(file))?;
    let place =
        |row: usize| plan.time.map_or_else(|| format!("row {row}"), |column| table.place(column, row));
    let (rows, timing) =
        times::ordered(&stamps.secs, &place, warnings).map_err(|error| error.in_file(file))?;
    let times: Vec<f64> = rows.iter().map(|row| stamps.secs[*row] - stamps.secs[rows[0]]).collect();
    let origin_secs = stamps.secs[rows[0]];
    let of_rows = |values: Vec<f64>| -> Vec<f64> { rows.iter().map(|row| values[*row]).collect() };
    let mut recording = Recording {
        device: map.device.clone().unwrap_or_else(|| "map".into()),
        timing: times::measured(timing, &times),
        aperture: plan.aperture(&table, map, warnings)?.map(|aperture| Aperture {
            left: if aperture.left.is_empty() { Vec::new() } else { of_rows(aperture.left) },
            right: if aperture.right.is_empty() { Vec::new() } else { of_rows(aperture.right) },
            ..aperture
        }),
        gaze: plan
            .gaze(&table, map, warnings)?
            .map(|gaze| Gaze { yaw_deg: of_rows(gaze.yaw_deg), pitch_deg: of_rows(gaze.pitch_deg) }),
        blinks: plan.blink_spans(&table, &rows, &times),
        times,
        ..Recording::default()
    };
    eog::turn(&mut recording, warnings);
    let clock = Clock { origin_secs, ..stamps.clock() };
    for other in others {
        clock.read_events(other, map, &mut recording)?;
        clock.read_imu(other, map, &mut recording)?;
    }
    let note = map.gaze.as_ref().and_then(|gaze| gaze.note.as_ref()).filter(|_| recording.gaze.is_some());
    warnings.extend(note.map(|note| Warning::new(WarningCode::Guessed, "gaze", note)));
    Ok(recording)
}

/// When the rows of a table of markers were taken, in seconds; loads these columns too.
pub(super) fn times_only(
    table: &mut Table<'_>,
    map: &Map,
    options: &ReadOptions,
    columns: impl Iterator<Item = usize>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<f64>> {
    let mut finder = Finder { table, whose: Whose::Person, wanted: columns.collect() };
    let time = finder.optional("time.column", map.time.column.as_ref())?;
    let plan = Plan { time, wanted: finder.wanted, ..Plan::default() };
    table.load(plan.wanted.iter().copied())?;
    let stamps = stamps(table, &plan, map, Whose::Person, options, warnings);
    stamps.map(|stamps| stamps.secs).map_err(|error| error.in_file(table.file))
}

/// Which columns are what.
#[derive(Debug, Default)]
struct Plan {
    wanted: BTreeSet<usize>,
    time: Option<usize>,
    left: Option<(usize, Option<Check>)>,
    right: Option<(usize, Option<Check>)>,
    gaze: Option<GazePlan>,
    blink: Vec<Check>,
}

#[derive(Debug)]
enum GazePlan {
    Angles {
        yaw: usize,
        pitch: usize,
        valid: Vec<Check>,
    },
    /// A vector an eye, each with what has to hold.
    Vectors(Vec<([usize; 3], Vec<Check>)>),
}

/// A rule whose column was found.
#[derive(Clone, Debug)]
struct Check {
    column: usize,
    is: Option<Value>,
    bits: Option<u32>,
}

impl Check {
    fn holds(&self, cell: Cell<'_>) -> bool {
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

/// Finds the columns of a map in a table.
struct Finder<'t> {
    table: &'t Table<'t>,
    whose: Whose,
    wanted: BTreeSet<usize>,
}

impl Finder<'_> {
    fn plan(mut self, map: &Map) -> Result<Plan> {
        let mut plan =
            Plan { time: self.optional("time.column", map.time.column.as_ref())?, ..Plan::default() };
        if let Some(aperture) = &map.aperture {
            (plan.left, plan.right) = self.aperture(aperture)?;
        }
        if let Some(gaze) = &map.gaze {
            plan.gaze = self.gaze(gaze)?;
        }
        for rule in map.blink.iter().flat_map(|blink| &blink.any) {
            plan.blink.extend(self.check("blink", Some(rule))?);
        }
        let has_samples = plan.left.is_some() || plan.right.is_some() || plan.gaze.is_some();
        if !has_samples && plan.blink.is_empty() && map.blinks.is_none() {
            return Err(self.nothing());
        }
        plan.wanted = self.wanted;
        Ok(plan)
    }

    fn nothing(&self) -> Error {
        let columns: Vec<String> =
            self.table.header.iter().take(60).map(|name| format!("“{name}”")).collect();
        let message = format!(
            "no column is known to say how open the eyes are or where they look; write a map (--map) of its columns, which are {}",
            columns.join(", ")
        );
        Error::at("line 1", message).in_file(self.table.file)
    }

    fn optional(&mut self, place: &str, name: Option<&Name>) -> Result<Option<usize>> {
        name.map_or(Ok(None), |name| self.find(place, name))
    }

    /// The column of a name; none if a device's file lacks it.
    fn find(&mut self, place: &str, name: &Name) -> Result<Option<usize>> {
        let names = name.names();
        let found = match name {
            Name::Number(number) => Some(*number).filter(|number| *number < self.table.header.len()),
            _ => names.iter().find_map(|name| self.table.index_of(name)),
        };
        self.wanted.extend(found);
        if found.is_none() && self.whose == Whose::Person {
            let nearest = nearest(&names, &self.table.header);
            let message = format!(
                "the map's {place} is “{}”, and there is no such column{nearest}",
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

    #[expect(clippy::type_complexity, reason = "the two sides of one thing")]
    fn aperture(
        &mut self,
        map: &ApertureMap,
    ) -> Result<(Option<(usize, Option<Check>)>, Option<(usize, Option<Check>)>)> {
        let left = match &map.left {
            Some(left) => self.find("aperture.left", left)?,
            None => None,
        };
        let left = if left.is_none() { self.optional("aperture.both", map.both.as_ref())? } else { left };
        let right = self.optional("aperture.right", map.right.as_ref())?;
        let left_valid = self.check("aperture.left_valid", map.left_valid.as_ref())?;
        let right_valid = self.check("aperture.right_valid", map.right_valid.as_ref())?;
        Ok((left.map(|column| (column, left_valid)), right.map(|column| (column, right_valid))))
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
        let mut eyes = Vec::new();
        let both: Vec<Check> =
            valid.iter().cloned().chain(left_valid.clone()).chain(right_valid.clone()).collect();
        let of_eye = |own: Option<Check>| own.or_else(|| valid.clone()).into_iter().collect();
        for (vector, checks) in
            [(&map.both, both), (&map.left, of_eye(left_valid)), (&map.right, of_eye(right_valid))]
        {
            let Some([x, y, z]) = vector else { continue };
            let mut find = |name| self.find("gaze", name);
            if let (Some(x), Some(y), Some(z)) = (find(x)?, find(y)?, find(z)?) {
                eyes.push(([x, y, z], checks));
            }
        }
        Ok(Some(GazePlan::Vectors(eyes))
            .filter(|plan| !matches!(plan, GazePlan::Vectors(eyes) if eyes.is_empty())))
    }
}

/// What was probably meant.
fn nearest(names: &[String], header: &[String]) -> String {
    let likeness = |candidate: &String| {
        let best = names.iter().map(|name| strsim::jaro_winkler(&plain(name), &plain(candidate)));
        best.fold(0.0, f64::max)
    };
    let best = header.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    best.map_or_else(String::new, |best| format!("; did you mean “{best}”?"))
}

/// When each row was taken.
struct Stamps {
    /// From the first stamp.
    secs: Vec<f64>,
    base_nanos: i128,
    unit: TimeUnit,
    rate_hz: f64,
}

impl Stamps {
    const fn clock(&self) -> Clock {
        Clock { base_nanos: self.base_nanos, unit: self.unit, rate_hz: self.rate_hz, origin_secs: 0.0 }
    }
}

/// The clock of a recording, for the tables beside it.
struct Clock {
    base_nanos: i128,
    unit: TimeUnit,
    rate_hz: f64,
    /// When the recording begins, from the first stamp.
    origin_secs: f64,
}

fn stamps(
    table: &Table<'_>,
    plan: &Plan,
    map: &Map,
    whose: Whose,
    options: &ReadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Stamps> {
    let rows = table.rows();
    let Some(column) = plan.time else {
        let rate_hz = rate(table.file, map, whose, options, warnings)?;
        let secs = (0..rows).map(|row| row as f64 / rate_hz).collect();
        return Ok(Stamps { secs, base_nanos: 0, unit: TimeUnit::Frames, rate_hz });
    };
    let unit = unit_of(table, column, map.time.unit)?;
    let rate_hz =
        if unit == TimeUnit::Frames { rate(table.file, map, whose, options, warnings)? } else { 0.0 };
    let first = (0..rows).map(|row| table.cell(column, row)).find(|cell| *cell != Cell::Unknown);
    let clock = Clock { base_nanos: 0, unit, rate_hz, origin_secs: 0.0 };
    let base_nanos = first.and_then(|cell| clock.nanos(cell)).unwrap_or(0);
    let clock = Clock { base_nanos, ..clock };
    let secs = (0..rows).map(|row| clock.secs(table, column, row)).collect::<Result<_>>()?;
    Ok(Stamps { secs, base_nanos, unit, rate_hz })
}

/// What the map says, or the header, or what makes sense of the usual step.
fn unit_of(table: &Table<'_>, column: usize, given: TimeUnit) -> Result<TimeUnit> {
    if given != TimeUnit::Auto {
        return Ok(given);
    }
    if let Some(unit) = TimeUnit::in_name(&table.header[column]) {
        return Ok(unit);
    }
    let numbers = table.numbers(column)?;
    let mut steps: Vec<f64> =
        numbers.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > 0.0).collect();
    steps.sort_by(f64::total_cmp);
    let step = steps.get(steps.len() / 2).copied().unwrap_or(0.0);
    TimeUnit::by_step(step).ok_or_else(|| {
        let message = format!(
            "steps of {step} fit no unit of time; write a map (--map) with [time] column and unit = \"s\", \"ms\", \"us\", \"ns\" or \"frames\""
        );
        Error::at(format!("column “{}”", table.header[column]), message)
    })
}

/// How fast samples came where no time stamp says: as asked for, as the file's name has it, as the device does.
fn rate(
    file: &str,
    map: &Map,
    whose: Whose,
    options: &ReadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<f64> {
    if let Some(rate_hz) = options.rate_hz {
        return check_rate("--rate", rate_hz);
    }
    if let Some(rate_hz) = map.time.rate.filter(|_| whose == Whose::Person) {
        return check_rate("time.rate", rate_hz);
    }
    let (rate_hz, because) = match (rate_in_name(file), map.time.rate) {
        (Some(rate_hz), _) => (rate_hz, "as its name says"),
        (None, Some(rate_hz)) => (rate_hz, "as this device usually does"),
        (None, None) => {
            let message = "the file has no time stamps; say how many samples a second with --rate";
            return Err(Error::at("time", message));
        }
    };
    let message =
        format!("no time stamps: taken as {rate_hz} samples a second, {because}; --rate says otherwise");
    warnings.push(Warning::new(WarningCode::Guessed, "time", message));
    check_rate("time", rate_hz)
}

/// The 240 of `blinks_240fps.csv`, the 100 of `eog_100hz.csv`.
pub(super) fn rate_in_name(name: &str) -> Option<f64> {
    let name = name.to_lowercase();
    ["fps", "hz"].iter().find_map(|unit| {
        let before = name[..name.find(unit)?].trim_end_matches([' ', '_', '-']);
        let begin = before.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
        before.get(begin..)?.parse().ok().filter(|rate| super::limits::RATES_HZ.contains(rate))
    })
}

impl Clock {
    /// A time stamp without loss; `None` if the cell holds none.
    fn nanos(&self, cell: Cell<'_>) -> Option<i128> {
        match (self.unit, cell) {
            (_, Cell::Unknown | Cell::Word(_)) => None,
            (TimeUnit::Frames, cell) => Some((cell.number()? * 1e9 / self.rate_hz) as i128),
            (unit, Cell::Whole(whole)) => whole.checked_mul(unit.nanos() as i128),
            (unit, Cell::Number(number)) => Some((number * unit.nanos()).round() as i128),
        }
    }

    /// Seconds of the recording; NaN where the cell is empty.
    fn secs(&self, table: &Table<'_>, column: usize, row: usize) -> Result<f64> {
        match table.cell(column, row) {
            Cell::Word(_) => Err(table.no_number(column, row)),
            cell => Ok(self.nanos(cell).map_or(f64::NAN, |nanos| {
                (nanos.saturating_sub(self.base_nanos)) as f64 / 1e9 - self.origin_secs
            })),
        }
    }

    /// The device's blinks, if this is their table.
    fn read_events(&self, table: &mut Table<'_>, map: &Map, recording: &mut Recording) -> Result<()> {
        let Some(events) = &map.blinks else { return Ok(()) };
        let find = |name: &Name| name.names().iter().find_map(|name| table.index_of(name));
        let (Some(start), Some(end)) = (find(&events.start), find(&events.end)) else { return Ok(()) };
        // Fixations and saccades have a start and an end too.
        if !table.header.iter().any(|name| plain(name).contains("blink")) {
            return Ok(());
        }
        table.load([start, end])?;
        let mut spans = Vec::new();
        for row in 0..table.rows() {
            let span =
                Span { from_secs: self.secs(table, start, row)?, to_secs: self.secs(table, end, row)? };
            if span.to_secs >= span.from_secs.max(0.0) && span.from_secs <= recording.duration_secs() {
                spans.push(span);
            }
        }
        recording.blinks = Some(spans);
        Ok(())
    }

    /// How the head turned, if this is its table.
    fn read_imu(&self, table: &mut Table<'_>, map: &Map, recording: &mut Recording) -> Result<()> {
        let Some(imu) = &map.imu else { return Ok(()) };
        let find = |name: &Name| name.names().iter().find_map(|name| table.index_of(name));
        let [x, y, z] = &imu.turn;
        let (Some(time), Some(x), Some(y), Some(z)) = (find(&imu.time), find(x), find(y), find(z)) else {
            return Ok(());
        };
        table.load([time, x, y, z])?;
        let (x, y, z) = (table.numbers(x)?, table.numbers(y)?, table.numbers(z)?);
        let mut found = Imu::default();
        for row in 0..table.rows() {
            let secs = self.secs(table, time, row)?;
            if secs.is_finite() {
                found.times.push(secs);
                found.turn_deg_per_s.push([x[row], y[row], z[row]]);
            }
        }
        recording.imu = Some(found);
        Ok(())
    }
}

impl Plan {
    fn aperture(
        &self,
        table: &Table<'_>,
        map: &Map,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<Aperture>> {
        let Some(wanted) = &map.aperture else { return Ok(None) };
        if self.left.is_none() && self.right.is_none() {
            return Ok(None);
        }
        let unit = wanted.unit.or_else(|| self.guessed_unit(table));
        if wanted.unit.is_none() {
            let message =
                format!("its unit is not said, and is taken to be {}", unit.map_or("unknown", Unit::name));
            warnings.push(Warning::new(WarningCode::Guessed, "aperture", message));
        }
        let may_be_negative = unit.is_some_and(Unit::may_be_negative);
        let mut side = |found: &Option<(usize, Option<Check>)>| -> Result<Vec<f64>> {
            let Some((column, valid)) = found else { return Ok(Vec::new()) };
            let mut values = table.numbers(*column)?;
            let mut negative = 0;
            for (row, value) in values.iter_mut().enumerate() {
                *value *= wanted.scale.unwrap_or(1.0);
                let is_valid = valid.as_ref().is_none_or(|valid| valid.holds(table.cell(valid.column, row)));
                let is_negative = *value < 0.0 && !may_be_negative;
                negative += usize::from(is_valid && is_negative);
                if !is_valid || is_negative {
                    *value = f64::NAN;
                }
            }
            tell_of_negative(&table.header[*column], negative, warnings);
            Ok(values)
        };
        Ok(Some(Aperture { unit, left: side(&self.left)?, right: side(&self.right)? }))
    }

    /// The unit that the column's name has, or a share where nothing is above one and a half.
    fn guessed_unit(&self, table: &Table<'_>) -> Option<Unit> {
        let (column, _) = self.left.as_ref().or(self.right.as_ref())?;
        let name = table.header[*column].to_lowercase();
        let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
        let has = |word: &str| words.contains(&word);
        match () {
            () if has("mm") => Some(Unit::Millimetres),
            () if has("deg") || has("degrees") => Some(Unit::Degrees),
            () if has("ear") => Some(Unit::Ratio),
            () if has("uv") || has("eog") => Some(Unit::Microvolts),
            () => table.numbers(*column).ok()?.iter().all(|value| !(*value > 1.5)).then_some(Unit::Share),
        }
    }

    fn gaze(&self, table: &Table<'_>, map: &Map, warnings: &mut Vec<Warning>) -> Result<Option<Gaze>> {
        let (Some(wanted), Some(plan)) = (&map.gaze, &self.gaze) else { return Ok(None) };
        let holds = |checks: &[Check], row| {
            checks.is_empty() || checks.iter().any(|check| check.holds(table.cell(check.column, row)))
        };
        match plan {
            GazePlan::Angles { yaw, pitch, valid } => {
                let mut angles = Angles { yaw: table.numbers(*yaw)?, pitch: table.numbers(*pitch)? };
                angles.keep(|row| holds(valid, row));
                Ok(gaze::from_angles(angles, wanted, warnings))
            }
            GazePlan::Vectors(eyes) => {
                let Some(axes) = wanted.axes else { return Ok(None) };
                let eyes = eyes.iter().map(|(columns, valid)| {
                    let mut angles = vectors(table, *columns, axes)?;
                    angles.keep(|row| holds(valid, row));
                    Ok(angles)
                });
                Ok(gaze::of_eyes(&eyes.collect::<Result<Vec<_>>>()?))
            }
        }
    }

    /// When the device sees a blink, if it says so sample by sample.
    fn blink_spans(&self, table: &Table<'_>, rows: &[usize], times: &[f64]) -> Option<Vec<Span>> {
        if self.blink.is_empty() {
            return None;
        }
        let is_blink = |row: usize| self.blink.iter().any(|check| check.holds(table.cell(check.column, row)));
        Some(spans(times, |index| is_blink(rows[index])))
    }
}

/// When something holds: from the first sample of a run to the one after its last.
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

fn tell_of_negative(column: &str, count: usize, warnings: &mut Vec<Warning>) {
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
