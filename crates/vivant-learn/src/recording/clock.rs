//! The clock of a recording: the unit of its timestamps, and the times in its companion tables.
//!
//! Timestamps may be nanoseconds since 1970, which an `f64` cannot hold exactly. So they are subtracted as integers
//! first and converted to seconds afterwards. [`stamps`] returns the times of all rows, from a column or, without one,
//! from the sampling rate. [`Stamps::clock`] returns the [`Clock`], which places blinks and head rotation of other
//! tables on the same time axis. Sorting and lost samples are handled in `super::times`.

use super::cells::Cell;
use super::limits::check_rate;
use super::map::{ColumnMap, Name};
use super::plan::MapOrigin;
use super::samples::ReadContext;
use super::table::{Table, plain};
use super::units::TimeUnit;
use super::{Imu, Recording, Span};
use vivant_io::{Error, Result, Warning, WarningCode};

/// Times of all rows.
pub(super) struct Stamps {
    /// Seconds from the first timestamp.
    pub(super) secs: Vec<f64>,
    base_ticks: i128,
    unit: TimeUnit,
    rate_hz: f64,
}

impl Stamps {
    /// Returns the clock of a recording that starts `origin_secs` after the first timestamp.
    pub(super) const fn clock(&self, origin_secs: f64) -> Clock {
        Clock { base_ticks: self.base_ticks, unit: self.unit, rate_hz: self.rate_hz, origin_secs }
    }
}

/// The clock of a recording, for its companion tables.
pub(super) struct Clock {
    base_ticks: i128,
    unit: TimeUnit,
    rate_hz: f64,
    /// Start of the recording in seconds after the first timestamp.
    origin_secs: f64,
}

/// Returns the times of all rows, from a column or from the sampling rate.
pub(super) fn stamps(
    table: &Table<'_>,
    column: Option<usize>,
    by: ReadContext<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Stamps> {
    let rows = table.rows();
    let Some(column) = column else {
        let rate_hz = rate(table.file, by, warnings)?;
        let secs = (0..rows).map(|row| row as f64 / rate_hz).collect();
        return Ok(Stamps { secs, base_ticks: 0, unit: TimeUnit::Frames, rate_hz });
    };
    let unit = unit_of(table, column, by.map.time.unit)?;
    let rate_hz = if unit == TimeUnit::Frames { rate(table.file, by, warnings)? } else { 0.0 };
    let first = (0..rows).map(|row| table.cell(column, row)).find(|cell| *cell != Cell::Unknown);
    let clock = Clock { base_ticks: 0, unit, rate_hz, origin_secs: 0.0 };
    let base_ticks = first.and_then(|cell| clock.ticks(cell)).unwrap_or(0);
    let clock = Clock { base_ticks, ..clock };
    let secs = (0..rows).map(|row| clock.secs(table, column, row)).collect::<Result<_>>()?;
    Ok(Stamps { secs, base_ticks, unit, rate_hz })
}

/// Returns the time unit from the map, the column name, or the usual step.
fn unit_of(table: &Table<'_>, column: usize, given: TimeUnit) -> Result<TimeUnit> {
    if given != TimeUnit::Auto {
        return Ok(given);
    }
    if let Some(unit) = TimeUnit::in_name(&table.header[column]) {
        return Ok(unit);
    }
    let numbers = table.numbers(column)?;
    if numbers.len() < 2 {
        return Ok(TimeUnit::Seconds);
    }
    let mut steps: Vec<f64> =
        numbers.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > 0.0).collect();
    steps.sort_by(f64::total_cmp);
    let step = steps.get(steps.len() / 2).copied().unwrap_or(0.0);
    TimeUnit::by_step(step).ok_or_else(|| {
        let message = format!(
            "steps of {step} match no unit of time; use a map with [time] column and unit = \"s\", \"ms\", \"us\", \"ns\" or \"frames\""
        );
        Error::at(format!("column “{}”", table.header[column]), message).with_setting("ReadOptions::map")
    })
}

/// Name of the setting for the sampling rate.
const RATE: &str = "ReadOptions::rate_hz";

/// Returns the sampling rate for files without timestamps: the requested rate, the rate in the file name, or the usual
/// rate of the device.
fn rate(file: &str, by: ReadContext<'_>, warnings: &mut Vec<Warning>) -> Result<f64> {
    let ReadContext { map, origin, options } = by;
    if let Some(rate_hz) = options.rate_hz {
        return check_rate("rate_hz", rate_hz).map_err(|error| error.with_setting(RATE));
    }
    if let Some(rate_hz) = map.time.rate.filter(|_| origin == MapOrigin::User) {
        return check_rate("time.rate", rate_hz);
    }
    let (rate_hz, because) = match (rate_in_name(file), map.time.rate) {
        (Some(rate_hz), _) => (rate_hz, "from the file name"),
        (None, Some(rate_hz)) => (rate_hz, "the usual rate of this device"),
        (None, None) => {
            let message = "the file has no timestamps; set the sampling rate";
            return Err(Error::at("time", message).with_setting(RATE));
        }
    };
    let message =
        format!("no timestamps: assuming {rate_hz} Hz, {because}; set the sampling rate if it is wrong");
    warnings.push(Warning::new(WarningCode::Guessed, "time", message).with_setting(RATE));
    check_rate("time", rate_hz)
}

/// Finds the rate in a file name: 240 in `blinks_240fps.csv`, 100 in `eog_100hz.csv`.
pub(super) fn rate_in_name(name: &str) -> Option<f64> {
    let name = name.to_lowercase();
    ["fps", "hz"].iter().find_map(|unit| {
        let before = name[..name.find(unit)?].trim_end_matches([' ', '_', '-']);
        let begin = before.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
        before.get(begin..)?.parse().ok().filter(|rate| super::limits::RATES_HZ.contains(rate))
    })
}

impl Clock {
    fn ticks_per_sec(&self) -> f64 {
        if self.unit == TimeUnit::Frames { self.rate_hz } else { 1e9 }
    }

    /// Returns a timestamp in nanoseconds or frames without loss of precision; `None` if the cell is not a number.
    fn ticks(&self, cell: Cell<'_>) -> Option<i128> {
        match (self.unit, cell) {
            (_, Cell::Unknown | Cell::Word(_)) => None,
            (TimeUnit::Frames, cell) => Some(cell.number()?.round() as i128),
            (unit, Cell::Whole(whole)) => whole.checked_mul(unit.nanos() as i128),
            (unit, Cell::Number(number)) => Some((number * unit.nanos()).round() as i128),
        }
    }

    /// Returns the time in a cell in seconds from the start of the recording; NaN if the cell is empty.
    fn secs(&self, table: &Table<'_>, column: usize, row: usize) -> Result<f64> {
        match table.cell(column, row) {
            Cell::Word(_) => Err(table.number_error(column, row)),
            cell => Ok(self.ticks(cell).map_or(f64::NAN, |ticks| {
                ticks.saturating_sub(self.base_ticks) as f64 / self.ticks_per_sec() - self.origin_secs
            })),
        }
    }

    /// Reads the device's blinks if `table` contains them.
    pub(super) fn read_events(
        &self,
        table: &mut Table<'_>,
        map: &ColumnMap,
        recording: &mut Recording,
    ) -> Result<()> {
        let Some(events) = &map.blinks else { return Ok(()) };
        let find = |name: &Name| name.names().iter().find_map(|name| table.index_of(name));
        let (Some(start), Some(end)) = (find(&events.start), find(&events.end)) else { return Ok(()) };
        // Tables of fixations and saccades also have start and end columns.
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

    /// Reads the head rotation if `table` contains it.
    pub(super) fn read_imu(
        &self,
        table: &mut Table<'_>,
        map: &ColumnMap,
        recording: &mut Recording,
    ) -> Result<()> {
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
