//! Reads landmark tables: one row per frame, or one row per point.
//!
//! MediaPipe defines no table format, so each program names its columns differently. [`read`] recognizes both layouts
//! by the header ([`LongTable`] if it has columns for time, landmark, x and y, otherwise [`WideTable`]) and parses the
//! names of wide columns word by word. It returns one [`Sighting`] per frame. Empty cells are points that were not
//! seen. Times come from a column of times or frame numbers; without one, from the row index and `fps`.

use super::{Group, POSE_NAMES};
use std::collections::BTreeMap;
use vivant_io::json::sighting::Sighting;
use vivant_io::limits::within;
use vivant_io::{Error, Result};

/// Maximum number of columns: enough for 543 points with four numbers each, and the pose twice.
const MAX_COLUMNS: usize = 4096;

pub(super) fn read(bytes: &[u8], fps: f64) -> Result<Vec<Sighting>> {
    let text = String::from_utf8_lossy(bytes);
    let first = text.lines().next().unwrap_or_default();
    let delimiter =
        [b'\t', b';', b','].into_iter().max_by_key(|byte| first.bytes().filter(|b| b == byte).count());
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter.unwrap_or(b','))
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| Error::at("line 1", error))?.clone();
    within("line 1", "columns", header.len(), MAX_COLUMNS)?;
    let names: Vec<String> = header.iter().map(str::to_lowercase).collect();
    let rows = reader.records().map(|row| row.map_err(|error| Error::new(error.to_string())));
    match LongTable::of(&names) {
        Some(long) => long.read(rows, fps),
        None => WideTable::of(&names)?.read(rows, fps),
    }
}

/// Source of a frame's time.
#[derive(Clone, Copy, Debug)]
enum TimeSource {
    Secs(usize),
    Millis(usize),
    /// Column with the frame index.
    Frame(usize),
    /// Row index.
    Row,
}

impl TimeSource {
    fn of(names: &[String]) -> Self {
        let find = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
        if let Some(column) = find(&["time", "t", "secs", "seconds", "time_s", "timestamp", "timestamp_s"]) {
            Self::Secs(column)
        } else if let Some(column) = find(&["time_ms", "timestamp_ms", "ms", "timestampms"]) {
            Self::Millis(column)
        } else if let Some(column) = find(&["frame", "frame_id", "frame_number", "frame_idx", "frame_index"])
        {
            Self::Frame(column)
        } else {
            Self::Row
        }
    }

    fn secs(self, row: &csv::StringRecord, index: usize, fps: f64) -> Result<f64> {
        match self {
            Self::Secs(column) => number(row, column),
            Self::Millis(column) => Ok(number(row, column)? / 1000.0),
            Self::Frame(column) => Ok(number(row, column)? / fps),
            Self::Row => Ok(index as f64 / fps),
        }
    }
}

fn number(row: &csv::StringRecord, column: usize) -> Result<f64> {
    let cell = row.get(column).unwrap_or_default();
    cell.parse().map_err(|_| {
        let line = row.position().map_or(0, csv::Position::line);
        Error::at(
            format!("line {line}, column {}", column + 1),
            format!("“{}” is not a number; correct the cell", shown(cell)),
        )
    })
}

/// Returns a number; `None` if the cell is empty, which means that the point was not seen.
fn seen(row: &csv::StringRecord, column: usize) -> Result<Option<f32>> {
    match row.get(column).unwrap_or_default() {
        "" | "nan" | "NaN" | "None" | "null" => Ok(None),
        _ => number(row, column).map(|number| Some(number as f32)),
    }
}

fn shown(cell: &str) -> String {
    cell.chars().take(40).collect()
}

/// A coordinate of a point: list, point index and axis.
type Place = (Group, usize, usize);

/// One row per frame.
struct WideTable {
    when: TimeSource,
    columns: Vec<(usize, Place)>,
}

impl WideTable {
    fn of(names: &[String]) -> Result<Self> {
        let mut columns: Vec<(usize, Place)> =
            names.iter().enumerate().filter_map(|(index, name)| Some((index, place(name)?))).collect();
        if columns.is_empty() {
            return Err(Error::at(
                "line 1",
                "no landmark columns; expected columns such as NOSE_x, x11, pose_11_x, world_11_z or face_33_x, or the \
                 columns frame, landmark, x, y, z",
            ));
        }
        // In some files, the index of the first point is 1.
        for group in Group::ALL {
            let numbered =
                || columns.iter().filter(|(_, (of, ..))| *of == group).map(|(_, (_, point, _))| *point);
            let from_one = numbered().min() == Some(1) && numbered().max() == Some(group.most());
            if from_one {
                let all = columns.iter_mut().filter(|(_, (of, ..))| *of == group);
                all.for_each(|(_, (_, point, _))| *point -= 1);
            }
        }
        columns.retain(|(_, (group, point, _))| *point < group.most());
        Ok(Self { when: TimeSource::of(names), columns })
    }

    fn read(&self, rows: impl Iterator<Item = Result<csv::StringRecord>>, fps: f64) -> Result<Vec<Sighting>> {
        let mut sightings = Vec::new();
        for (index, row) in rows.enumerate() {
            let row = row?;
            let mut lists = Lists::default();
            for (column, place) in &self.columns {
                if let Some(value) = seen(&row, *column)? {
                    lists.set(*place, value);
                }
            }
            sightings.push(lists.sighting(self.when.secs(&row, index, fps)?));
        }
        Ok(sightings)
    }
}

/// Parses a column name: a group and a point, and an axis at the start or end.
fn place(name: &str) -> Option<Place> {
    let mut tokens = tokens(name);
    let axis_of = |token: &str| match token {
        "x" => Some(0),
        "y" => Some(1),
        "z" => Some(2),
        "v" | "vis" | "visibility" => Some(3),
        _ => None,
    };
    let axis = match (tokens.first().and_then(|t| axis_of(t)), tokens.last().and_then(|t| axis_of(t))) {
        (_, Some(axis)) => {
            tokens.pop();
            axis
        }
        (Some(axis), None) => {
            tokens.remove(0);
            axis
        }
        (None, None) => return None,
    };
    let has = |word: &str| tokens.iter().any(|token| token == word);
    let group = if has("face") {
        Group::Face
    } else if has("hand") && has("left") {
        Group::LeftHand
    } else if has("hand") && has("right") {
        Group::RightHand
    } else if has("world") {
        Group::World
    } else {
        Group::Pose
    };
    const WORDS: [&str; 9] = ["pose", "world", "landmark", "landmarks", "face", "hand", "lm", "point", "kp"];
    tokens.retain(|token| !WORDS.contains(&token.as_str()));
    if matches!(group, Group::LeftHand | Group::RightHand) {
        tokens.retain(|token| token != "left" && token != "right");
    }
    let point = match tokens.as_slice() {
        [only] if only.bytes().all(|byte| byte.is_ascii_digit()) => only.parse().ok()?,
        words => pose_point(&words.join("_")).filter(|_| matches!(group, Group::Pose | Group::World))?,
    };
    Some((group, point, axis))
}

fn pose_point(name: &str) -> Option<usize> {
    POSE_NAMES.iter().position(|known| *known == name)
}

/// Splits a name into words and numbers.
fn tokens(name: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut before = None;
    for c in name.chars() {
        let kind = if c.is_ascii_digit() { Some(0) } else { c.is_alphabetic().then_some(1) };
        match (kind, tokens.last_mut()) {
            (None, _) => {}
            (Some(_), Some(last)) if kind == before => last.push(c),
            (Some(_), _) => tokens.push(c.to_string()),
        }
        before = kind;
    }
    tokens
}

/// One row per point.
struct LongTable {
    when: TimeSource,
    landmark: usize,
    group: Option<usize>,
    axes: [Option<usize>; 4],
}

impl LongTable {
    fn of(names: &[String]) -> Option<Self> {
        let find = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
        let landmark = find(&[
            "landmark",
            "landmark_id",
            "landmark_index",
            "landmark_name",
            "index",
            "id",
            "point",
            "name",
        ])?;
        let [x, y] = [find(&["x"])?, find(&["y"])?];
        let axes = [Some(x), Some(y), find(&["z"]), find(&["visibility", "v", "vis"])];
        let when = TimeSource::of(names);
        let group = find(&["type", "part", "group", "landmark_type"]);
        (!matches!(when, TimeSource::Row)).then_some(Self { when, landmark, group, axes })
    }

    fn read(&self, rows: impl Iterator<Item = Result<csv::StringRecord>>, fps: f64) -> Result<Vec<Sighting>> {
        // Sorted by the bits of the time, which have the same order as the non-negative numbers.
        let mut frames: BTreeMap<u64, Lists> = BTreeMap::new();
        for (index, row) in rows.enumerate() {
            let row = row?;
            let secs = self.when.secs(&row, index, fps)?.max(0.0);
            let group = self.group.and_then(|column| row.get(column)).unwrap_or("pose").to_lowercase();
            let group = match tokens(&group).join(" ").as_str() {
                "face" => Group::Face,
                "left hand" => Group::LeftHand,
                "right hand" => Group::RightHand,
                "world" | "pose world" => Group::World,
                _ => Group::Pose,
            };
            let name = row.get(self.landmark).unwrap_or_default().to_lowercase();
            let point = name.parse().ok().or_else(|| pose_point(&tokens(&name).join("_")));
            let Some(point) = point.filter(|point| *point < group.most()) else {
                let line = row.position().map_or(0, csv::Position::line);
                return Err(Error::at(
                    format!("line {line}"),
                    format!("“{}” is not a landmark; use a name or number of MediaPipe", shown(&name)),
                ));
            };
            let lists = frames.entry(secs.to_bits()).or_default();
            for (axis, column) in self.axes.iter().enumerate() {
                if let Some(value) = column.map(|column| seen(&row, column)).transpose()?.flatten() {
                    lists.set((group, point, axis), value);
                }
            }
        }
        Ok(frames.into_iter().map(|(bits, lists)| lists.sighting(f64::from_bits(bits))).collect())
    }
}

/// Points of one frame.
#[derive(Default)]
struct Lists(BTreeMap<Group, Vec<[f32; 4]>>);

impl Lists {
    fn set(&mut self, (group, point, axis): Place, value: f32) {
        let list = self.0.entry(group).or_default();
        if list.len() <= point {
            // A point without a visibility counts as visible once it has a position.
            list.resize(point + 1, [0.0, 0.0, 0.0, 0.0]);
        }
        if axis < 2 && list[point][3] == 0.0 {
            list[point][3] = 1.0;
        }
        list[point][axis] = value;
    }

    fn sighting(self, secs: f64) -> Sighting {
        let mut sighting = Sighting { time: secs, ..Sighting::default() };
        for (group, mut points) in self.0 {
            // Missing points were not seen. A face has 468 points, or 478 with irises.
            let wanted = match group {
                Group::Face if points.len() <= 468 => 468,
                _ => group.most(),
            };
            points.resize(wanted, [0.0; 4]);
            group.put(&mut sighting, points);
        }
        sighting
    }
}
