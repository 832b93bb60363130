//! Reads and writes received frames as JSON Lines, one frame per line.
//!
//! ```json
//! {"time":0.016,"root":[0.0,0.9,0.0],"rotations":{"hips":[0.0,0.0,0.0,1.0]},"expressions":{"happy":0.5}}
//! ```
//!
//! The keys are the same as in the JSON Lines that `vivant perform` and `vivant convert` write, so both kinds of files
//! have the same readers. A line contains only received data: `rotations` may lack bones, and `root` is missing if the
//! position of the hips was not sent. `time` is the time of reception in seconds; `sent` the optional time of the
//! sender; `look` the gaze target in metres from the head; `looks` whether the eyes are on their gaze target. Unknown
//! keys are ignored.

use super::receive::Received;
use crate::error::{Error, Result};
use crate::limits::{self, MAX_CAPTURE_FRAMES, MAX_FILE_BYTES, MAX_LINE_BYTES, MAX_METRES};
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use vivant::rig::{Bone, Channel};

#[derive(Serialize, Deserialize)]
struct Line {
    time: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sent: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    root: Option<[f32; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    look: Option<[f32; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    looks: Option<bool>,
    #[serde(default)]
    rotations: BTreeMap<String, [f32; 4]>,
    #[serde(default)]
    expressions: BTreeMap<String, f32>,
}

/// Returns a frame as a line, including the newline.
#[must_use]
pub fn line(frame: &Received) -> String {
    let is_placed = frame.bones.contains(Bone::Hips) && frame.pose.root != Vec3::ZERO;
    let rotation = |bone: Bone| (bone.name().to_owned(), frame.pose.rotations.get(bone).to_array());
    let line = Line {
        time: frame.secs,
        sent: frame.sent_secs,
        root: is_placed.then(|| frame.pose.root.to_array()),
        look: frame.look.map(|look| look.to_array()),
        looks: frame.looks,
        rotations: frame.bones.iter().map(rotation).collect(),
        expressions: frame.weights.iter().map(|(name, weight)| (name.name().to_owned(), *weight)).collect(),
    };
    // Non-finite numbers become null; nothing else can fail.
    serde_json::to_string(&line).unwrap_or_default() + "\n"
}

/// Reads a capture.
///
/// # Errors
/// If a line is invalid (with its number), times decrease, or there are too many frames. A truncated last line is
/// ignored.
pub fn read(bytes: &[u8]) -> Result<Vec<Received>> {
    limits::within("file", "bytes", bytes.len(), MAX_FILE_BYTES)?;
    let mut frames: Vec<Received> = Vec::new();
    let is_cut = !bytes.ends_with(b"\n");
    let mut lines = bytes.split(|byte| *byte == b'\n').enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        let place = format!("line {}", index + 1);
        limits::within(&place, "bytes", line.len(), MAX_LINE_BYTES)?;
        limits::within(&place, "frames", frames.len() + 1, MAX_CAPTURE_FRAMES)?;
        let frame = match read_line(line, &place) {
            // The last line was not written completely.
            Err(_) if is_cut && lines.peek().is_none() => break,
            read => read?,
        };
        if frames.last().is_some_and(|before| before.secs > frame.secs) {
            return Err(Error::at(
                place,
                "the time is before that of the previous line; sort the lines by time",
            ));
        }
        frames.push(frame);
    }
    Ok(frames)
}

fn read_line(line: &[u8], place: &str) -> Result<Received> {
    let example = r#"a line looks like {"time": 0.5, "rotations": {"head": [0, 0, 0, 1]}, "expressions": {"happy": 1}}"#;
    let parsed: Line =
        serde_json::from_slice(line).map_err(|error| Error::at(place, format!("{error}; {example}")))?;
    let mut frame =
        Received { secs: parsed.time, sent_secs: parsed.sent, looks: parsed.looks, ..Received::default() };
    if !frame.secs.is_finite() {
        return Err(Error::at(place, "`time` must be a finite number of seconds"));
    }
    for (name, rotation) in &parsed.rotations {
        let place = format!("{place}, rotations.{name}");
        let bone = Bone::from_name(name)
            .ok_or_else(|| Error::at(&place, "unknown bone; use VRM 1.0 names such as leftUpperArm"))?;
        let rotation = Quat::from_array(*rotation);
        if !(0.5..2.0).contains(&rotation.length()) {
            return Err(Error::at(place, "not a rotation; give x, y, z, w of a unit quaternion"));
        }
        frame.bones.insert(bone);
        frame.pose.rotations.set(bone, rotation.normalize());
    }
    frame.pose.root = checked_position(parsed.root, "root", place)?.unwrap_or_default();
    frame.look = checked_position(parsed.look, "look", place)?;
    let weights = parsed.expressions.into_iter();
    frame.weights = weights.map(|(name, weight)| (Channel::from(name), weight.clamp(0.0, 1.0))).collect();
    Ok(frame)
}

/// Returns a position if it is within the limit.
fn checked_position(place: Option<[f32; 3]>, key: &str, line: &str) -> Result<Option<Vec3>> {
    let is_near = |place: &[f32; 3]| place.iter().all(|metres| f64::from(metres.abs()) <= MAX_METRES);
    match place {
        Some(place) if !is_near(&place) => Err(Error::at(
            format!("{line}, {key}"),
            format!("the position is out of range; give at most {MAX_METRES} m per axis"),
        )),
        place => Ok(place.map(Vec3::from_array)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivant::rig::BoneSet;

    #[test]
    fn captures_round_trip() {
        let mut frame = Received {
            secs: 1.25,
            sent_secs: Some(77.5),
            bones: BoneSet::EMPTY.with(Bone::Hips).with(Bone::LeftThumbMetacarpal),
            weights: vec![
                (Channel::from("happy".to_owned()), 0.5),
                (Channel::from("my \"own\" 表情".to_owned()), 1.0),
            ],
            look: Some(Vec3::new(0.5, 0.25, 1.0)),
            looks: Some(true),
            ..Received::default()
        };
        frame.pose.root = Vec3::new(0.1, 0.9, -0.3);
        frame.pose.rotations.set(Bone::LeftThumbMetacarpal, Quat::from_xyzw(0.6, 0.0, 0.0, 0.8));
        let bare = Received { secs: 2.0, ..Received::default() };
        let text = line(&frame) + "\r\n" + &line(&bare);
        let mut back = read(text.as_bytes()).unwrap();
        back[0].weights.sort_by_key(|(channel, _)| channel.name().to_owned());
        assert_eq!(back, [frame, bare]);
    }

    #[test]
    fn malformed_lines_give_errors_with_their_number() {
        for (text, expected) in [
            ("{}\n", &["line 1", "time"][..]),
            ("\n{\"time\": 1\n", &["line 2", "a line looks like"]),
            ("[]\n", &["line 1"]),
            ("{\"time\": null}\n", &["line 1"]),
            ("{\"time\": 1e999}\n", &["line 1"]),
            ("{\"time\": 1, \"rotations\": {\"tail\": [0,0,0,1]}}\n", &["rotations.tail", "unknown bone"]),
            ("{\"time\": 1, \"rotations\": {\"head\": [0,0,0,0]}}\n", &["rotations.head", "quaternion"]),
            ("{\"time\": 1, \"rotations\": {\"head\": [0,0,1]}}\n", &["line 1"]),
            ("{\"time\": 1, \"expressions\": {\"happy\": \"x\"}}\n", &["line 1"]),
            ("{\"time\": 1, \"root\": [0, 1e30, 0]}\n", &["line 1, root", "1000 m"]),
            ("{\"time\": 1, \"look\": [0, 0, -1001]}\n", &["line 1, look", "1000 m"]),
            ("{\"time\": 2}\n{\"time\": 1}\n", &["line 2", "sort"]),
            ("\u{1}\u{2}\n", &["line 1"]),
        ] {
            let error = read(text.as_bytes()).unwrap_err().to_string();
            assert!(expected.iter().all(|word| error.contains(word)), "{text}: {error}");
        }
        let long = format!("{{\"time\": 1{}}}", " ".repeat(MAX_LINE_BYTES));
        assert!(read(long.as_bytes()).unwrap_err().to_string().contains("bytes"));
        assert_eq!(read(b"\n \n"), Ok(Vec::new()));
        assert_eq!(read(b"{\"time\": 1}\n{\"time\": 2, \"rota").map(|frames| frames.len()), Ok(1));
    }
}
