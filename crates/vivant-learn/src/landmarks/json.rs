//! Reads landmarks from JSON in the various layouts of programs that use MediaPipe.

use super::Group;
use serde_json::{Map, Value};
use vivant_io::json::sighting::Sighting;
use vivant_io::{Error, Result};

pub(super) fn read(bytes: &[u8], fps: f64) -> Result<Vec<Sighting>> {
    let frames = match serde_json::from_slice::<Value>(bytes) {
        Ok(Value::Array(frames)) => frames,
        Ok(Value::Object(mut object)) => match object.get_mut("frames").map(Value::take) {
            Some(Value::Array(frames)) => frames,
            _ => vec![Value::Object(object)],
        },
        Ok(_) => return Err(no_frames()),
        Err(_) => lines(bytes)?,
    };
    let mut sightings = Vec::with_capacity(frames.len());
    for (index, frame) in frames.into_iter().enumerate() {
        let place = |error: Error| Error::at(format!("frame {}", index + 1), error);
        let Value::Object(frame) = frame else { return Err(place(no_frames())) };
        sightings.push(sighting(frame, index as f64 / fps).map_err(place)?);
    }
    Ok(sightings)
}

/// Parses one value per line.
fn lines(bytes: &[u8]) -> Result<Vec<Value>> {
    let mut values = Vec::new();
    let is_cut = !bytes.ends_with(b"\n");
    let mut lines = bytes.split(|byte| *byte == b'\n').enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        match serde_json::from_slice(line) {
            Ok(value) => values.push(value),
            // The last line may be incomplete if the program was stopped.
            Err(_) if is_cut && lines.peek().is_none() && !values.is_empty() => break,
            Err(error) => {
                return Err(Error::at(format!("line {}", index + 1), format!("invalid JSON: {error}")));
            }
        }
    }
    Ok(values)
}

fn no_frames() -> Error {
    Error::new(
        "expected a list of frames, or one frame per line, such as {\"time\": 0.5, \"pose\": [[0.5, 0.2, 0, 1], …]}",
    )
}

/// Names of each list in JSON, in lower case without separators.
const NAMES: [(&str, Group); 16] = [
    ("pose", Group::Pose),
    ("poselandmarks", Group::Pose),
    ("landmarks", Group::Pose),
    ("world", Group::World),
    ("poseworld", Group::World),
    ("worldlandmarks", Group::World),
    ("poseworldlandmarks", Group::World),
    ("face", Group::Face),
    ("facelandmarks", Group::Face),
    ("multifacelandmarks", Group::Face),
    ("lefthand", Group::LeftHand),
    ("lefthandlandmarks", Group::LeftHand),
    ("righthand", Group::RightHand),
    ("righthandlandmarks", Group::RightHand),
    ("za", Group::World),
    ("ea", Group::World),
];

fn sighting(mut frame: Map<String, Value>, at: f64) -> Result<Sighting> {
    // Results may be in a nested object.
    for key in ["see", "result", "results", "data"] {
        if let Some(Value::Object(inner)) = frame.remove(key) {
            frame.extend(inner);
        }
    }
    let mut sighting = Sighting { time: at, ..Sighting::default() };
    let mut is_any = false;
    for (key, value) in frame {
        let plain: String =
            key.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
        let named = NAMES.iter().find(|(name, _)| *name == plain);
        match (plain.as_str(), value.as_f64()) {
            ("time" | "t" | "secs" | "seconds" | "timestamp", Some(secs)) => sighting.time = secs,
            ("timestampms" | "timems" | "ms" | "timestampmillis", Some(ms)) => sighting.time = ms / 1000.0,
            ("timestampus" | "timestampmicros", Some(us)) => sighting.time = us / 1e6,
            ("people", Some(people)) => sighting.people = Some(people.max(0.0) as u32),
            ("size", _) => sighting.size = size(&value),
            _ => {
                if let Some((_, group)) = named {
                    is_any = true;
                    if let Some(points) = points(&value).map_err(|error| Error::at(key, error))? {
                        group.put(&mut sighting, points);
                    }
                }
            }
        }
    }
    if !is_any && sighting.people.is_none() {
        return Err(Error::new(
            "no landmarks; expected `pose`, `world`, `face` or MediaPipe's `poseLandmarks`",
        ));
    }
    Ok(sighting)
}

fn size(value: &Value) -> Option<[f32; 2]> {
    let [width, height] = value.as_array()?.as_slice() else { return None };
    Some([width.as_f64()? as f32, height.as_f64()? as f32])
}

/// Parses a list of points; `None` if nobody was seen. If the value is a list of people, the first person is used.
fn points(value: &Value) -> Result<Option<Vec<[f32; 4]>>> {
    let list = match value {
        Value::Null => return Ok(None),
        Value::Object(object) => match object.get("landmark").or_else(|| object.get("landmarks")) {
            Some(inner) => return points(inner),
            None => return Err(Error::new("the value must be a list of points [x, y, z, visibility]")),
        },
        Value::Array(list) => list,
        _ => return Err(Error::new("the value must be a list of points [x, y, z, visibility]")),
    };
    match list.first() {
        None => Ok(None),
        Some(Value::Array(first)) if first.first().is_some_and(|inner| !inner.is_number()) => {
            points(&list[0])
        }
        Some(_) => list.iter().map(point).collect::<Result<_>>().map(Some),
    }
}

fn point(value: &Value) -> Result<[f32; 4]> {
    let invalid = || {
        Error::new(
            "a point must be [x, y, z, visibility] or {\"x\": …, \"y\": …, \"z\": …, \"visibility\": …}",
        )
    };
    let numbers: Vec<Option<f64>> = match value {
        Value::Array(list) => list.iter().map(Value::as_f64).collect(),
        Value::Object(object) => {
            let of = |name: &str| object.get(name).and_then(Value::as_f64);
            vec![of("x"), of("y"), Some(of("z").unwrap_or(0.0)), Some(of("visibility").unwrap_or(1.0))]
        }
        _ => return Err(invalid()),
    };
    let at = |index: usize, usual: Option<f64>| match numbers.get(index) {
        Some(number) => number.ok_or_else(invalid),
        None => usual.ok_or_else(invalid),
    };
    Ok([at(0, None)? as f32, at(1, None)? as f32, at(2, Some(0.0))? as f32, at(3, Some(1.0))? as f32])
}
