//! Writes motion as tables, for notebooks, spreadsheets, animators and programs without support for animation
//! formats.
//!
//! All tables are in humanoid space. [`csv`] and [`json_lines`] are for programs: hips position in metres, each bone's
//! local rotation as a quaternion `x, y, z, w`, and expression weights. Numbers are written in the shortest form that
//! parses to the same bits. [`curves`] is for people: the values that a graph editor shows.
//!
//! `looks` has one value per frame: true if the eyes are on their gaze target. It is empty if this is unknown.

use crate::euler;
use glam::DVec3;
use std::fmt::Write;
use vivant::clip::Clip;
use vivant::rig::{Bone, Channel, Rig};

/// Writes a clip as CSV: a header, then one line per frame. The clip must be fitted to the rig.
///
/// The columns are `time` in seconds, `hips.position.x` … `z`, `<bone>.x` … `w` for each bone of the rig, one column
/// per expression of the clip, and `looks` as 1 or 0, if it is known. Lines end with a newline.
#[must_use]
pub fn csv(rig: &Rig, clip: &Clip, looks: &[bool]) -> String {
    let bones: Vec<Bone> = rig.bones().iter().collect();
    let columns = 4 + 4 * bones.len() + clip.channels().len();
    let mut out = String::with_capacity((clip.frames() + 2) * columns * 13);
    csv_header(&mut out, &bones, clip.channels());
    push_title(&mut out, "looks", looks);
    for frame in 0..clip.frames() {
        // Writing into a String cannot fail.
        let _ = write!(out, "{:.6}", frame as f64 / clip.rate());
        let mut number = |value: f32| {
            out.push(',');
            push_number(&mut out, value);
        };
        clip.root(frame).to_array().into_iter().for_each(&mut number);
        let rotations = bones.iter().flat_map(|bone| clip.rotation(frame, *bone).to_array());
        rotations.for_each(&mut number);
        clip.weights(frame).iter().copied().for_each(&mut number);
        push_flag(&mut out, looks, frame);
        out.push('\n');
    }
    out
}

fn csv_header(out: &mut String, bones: &[Bone], channels: &[Channel]) {
    out.push_str("time,hips.position.x,hips.position.y,hips.position.z");
    for bone in bones {
        for axis in ["x", "y", "z", "w"] {
            let _ = write!(out, ",{}.{axis}", bone.name());
        }
    }
    for channel in channels {
        out.push(',');
        push_field(out, channel.name());
    }
}

/// Writes the title of the last column, if there is such a column, and ends the line.
fn push_title(out: &mut String, title: &str, flags: &[bool]) {
    if !flags.is_empty() {
        let _ = write!(out, ",{title}");
    }
    out.push('\n');
}

/// Writes the last cell of a row, if there is such a column.
fn push_flag(out: &mut String, flags: &[bool], frame: usize) {
    if !flags.is_empty() {
        let _ = write!(out, ",{}", u8::from(flags.get(frame).copied().unwrap_or(false)));
    }
}

/// Writes a CSV field, quoted where RFC 4180 requires it.
fn push_field(out: &mut String, name: &str) {
    if name.contains([',', '"', '\n', '\r']) || name.trim() != name {
        let _ = write!(out, "\"{}\"", name.replace('"', "\"\""));
    } else {
        out.push_str(name);
    }
}

/// Writes a clip as CSV of animation curves: a header, then one line per frame. The clip must be fitted to the rig.
/// Columns are named as in the channel box of an animation program and have units.
///
/// The columns are `frame`, `time [s]`, `hips.translateX [cm]` … `Z`, `<bone>.rotateX [deg]` … `Z` for each bone of
/// the rig, `<expression> [0-1]`, and `looks [0-1]`, if it is known. At rest, bones have the axes of humanoid space:
/// X to the character's left, Y up, Z forward. Rotations are about X first, then Y, then Z, like Maya's `xyz` and
/// Blender's `XYZ Euler`. Angles are continuous: they pass ±180° without jumps.
#[must_use]
pub fn curves(rig: &Rig, clip: &Clip, looks: &[bool]) -> String {
    let bones: Vec<Bone> = rig.bones().iter().collect();
    let columns = 5 + 3 * bones.len() + clip.channels().len();
    let mut out = String::with_capacity((clip.frames() + 3) * columns * 11);
    curves_header(&mut out, &bones, clip.channels());
    push_title(&mut out, "looks [0-1]", looks);
    let mut angles = vec![DVec3::ZERO; bones.len()];
    for frame in 0..clip.frames() {
        // Writing into a String cannot fail.
        let _ = write!(out, "{frame},{:.6}", frame as f64 / clip.rate());
        let mut number = |value: f64| {
            let rounded = (value * 1e5).round() / 1e5;
            // Adding 0 turns −0 into 0.
            let _ = write!(out, ",{:.5}", if rounded.is_finite() { rounded + 0.0 } else { 0.0 });
        };
        (clip.root(frame).as_dvec3() * CM_PER_METRE).to_array().into_iter().for_each(&mut number);
        for (bone, last) in bones.iter().zip(&mut angles) {
            *last = euler::xyz(clip.rotation(frame, *bone).as_dquat(), *last);
            last.to_array().into_iter().map(f64::to_degrees).for_each(&mut number);
        }
        clip.weights(frame).iter().copied().map(f64::from).for_each(&mut number);
        push_flag(&mut out, looks, frame);
        out.push('\n');
    }
    out
}

const CM_PER_METRE: f64 = 100.0;

fn curves_header(out: &mut String, bones: &[Bone], channels: &[Channel]) {
    out.push_str("frame,time [s],hips.translateX [cm],hips.translateY [cm],hips.translateZ [cm]");
    for bone in bones {
        for axis in ["X", "Y", "Z"] {
            let _ = write!(out, ",{}.rotate{axis} [deg]", bone.name());
        }
    }
    for channel in channels {
        out.push(',');
        push_field(out, &format!("{} [0-1]", channel.name()));
    }
}

/// Writes a clip as JSON Lines: one object per frame. The clip must be fitted to the rig.
///
/// ```json
/// {"time":0.0,"root":[0.0,0.9,0.0],"rotations":{"hips":[0.0,0.0,0.0,1.0]},"expressions":{"happy":0.5}}
/// ```
///
/// `rotations` has every bone of the rig, `expressions` every expression of the clip; `looks` is true or false and
/// omitted if unknown.
#[must_use]
pub fn json_lines(rig: &Rig, clip: &Clip, looks: &[bool]) -> String {
    let bones: Vec<Bone> = rig.bones().iter().collect();
    let keys: Vec<String> = clip.channels().iter().map(|c| json_string(c.name())).collect();
    let row_bytes = 80 + 70 * bones.len() + keys.iter().map(|k| k.len() + 14).sum::<usize>();
    let mut out = String::with_capacity(clip.frames() * row_bytes);
    for frame in 0..clip.frames() {
        // Six decimals, as in the CSV, without trailing zeros.
        let time = (frame as f64 / clip.rate() * 1e6).round() / 1e6;
        let _ = write!(out, "{{\"time\":{time:?},\"root\":");
        push_array(&mut out, clip.root(frame).to_array());
        out.push_str(",\"rotations\":{");
        for (i, bone) in bones.iter().enumerate() {
            push_key(&mut out, i, bone.name());
            push_array(&mut out, clip.rotation(frame, *bone).to_array());
        }
        out.push_str("},\"expressions\":{");
        for (i, (key, weight)) in keys.iter().zip(clip.weights(frame)).enumerate() {
            out.push_str(if i > 0 { "," } else { "" });
            out.push_str(key);
            out.push(':');
            push_number(&mut out, *weight);
        }
        out.push('}');
        if let Some(looks) = looks.get(frame) {
            let _ = write!(out, ",\"looks\":{looks}");
        }
        out.push_str("}\n");
    }
    out
}

/// Writes a key that needs no escaping.
fn push_key(out: &mut String, index: usize, name: &str) {
    out.push_str(if index > 0 { ",\"" } else { "\"" });
    out.push_str(name);
    out.push_str("\":");
}

fn push_array<const N: usize>(out: &mut String, values: [f32; N]) {
    for (i, value) in values.into_iter().enumerate() {
        out.push(if i > 0 { ',' } else { '[' });
        push_number(out, value);
    }
    out.push(']');
}

/// Writes the shortest decimal that parses to the same bits. Non-finite values, which JSON and most CSV readers do
/// not support, are written as zero.
fn push_number(out: &mut String, value: f32) {
    let value = if value.is_finite() { value } else { 0.0 };
    let _ = write!(out, "{value:?}");
}

fn json_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};
    use vivant::rig::RigParts;

    fn example() -> (Rig, Clip) {
        let names = ["happy", "own, \"quoted\"", " line\nbreak"];
        let rig = Rig::new(RigParts {
            rest_positions: vec![(Bone::Hips, Vec3::Y), (Bone::Head, Vec3::Y * 1.5)],
            channels: names.map(|n| Channel::from(n.to_owned())).to_vec(),
            ..RigParts::default()
        });
        let mut clip = Clip::new("x", 30.0, 3, 1.0).unwrap();
        for frame in 0..3 {
            clip.set_root(frame, Vec3::new(0.1, 1.0 / 3.0, 1e-20) * frame as f32);
            clip.set_rotation(frame, Bone::Head, Quat::from_rotation_x(0.3 * frame as f32));
        }
        for name in names {
            clip.add_channel(Channel::from(name.to_owned()), &[0.0, 0.1, 1.0]).unwrap();
        }
        (rig, clip)
    }

    #[test]
    fn csv_has_one_line_per_frame_and_is_lossless() {
        let (rig, clip) = example();
        let text = csv(&rig, &clip, &[]);
        let header = "time,hips.position.x,hips.position.y,hips.position.z,hips.x,hips.y,hips.z,hips.w,\
                      head.x,head.y,head.z,head.w,happy,\"own, \"\"quoted\"\"\",\" line\nbreak\"\n";
        let rows = text.strip_prefix(header).unwrap();
        assert_eq!(rows.lines().count(), 3);
        for (frame, row) in rows.lines().enumerate() {
            let numbers: Vec<f32> = row.split(',').skip(1).map(|n| n.parse().unwrap()).collect();
            let head = Quat::from_slice(&numbers[7..11]);
            assert_eq!(Vec3::from_slice(&numbers), clip.root(frame));
            assert_eq!(head, clip.rotation(frame, Bone::Head));
            assert_eq!(numbers[11..], *clip.weights(frame));
        }
        assert!(rows.lines().nth(1).unwrap().starts_with("0.033333,0.1,0.33333334,1e-20,0.0,"), "{rows}");
    }

    #[test]
    fn curves_match_the_clip_and_have_units() {
        let (rig, mut clip) = example();
        clip.set_rotation(
            2,
            Bone::Head,
            Quat::from_rotation_z(0.5) * Quat::from_rotation_y(0.3) * Quat::from_rotation_x(0.6),
        );
        let text = curves(&rig, &clip, &[]);
        let header = "frame,time [s],hips.translateX [cm],hips.translateY [cm],hips.translateZ [cm],hips.rotateX [deg],\
                      hips.rotateY [deg],hips.rotateZ [deg],head.rotateX [deg],head.rotateY [deg],head.rotateZ [deg],\
                      happy [0-1],\"own, \"\"quoted\"\" [0-1]\",\" line\nbreak [0-1]\"\n";
        let rows = text.strip_prefix(header).unwrap();
        let expected = [
            "0,0.000000,0.00000,0.00000,0.00000,0.00000,0.00000,0.00000,0.00000,0.00000,0.00000,0.00000,0.00000,0.00000",
            "1,0.033333,10.00000,33.33333,0.00000,0.00000,0.00000,0.00000,17.18873,0.00000,0.00000,0.10000,0.10000,0.10000",
            "2,0.066667,20.00000,66.66667,0.00000,0.00000,0.00000,0.00000,34.37747,17.18873,28.64789,1.00000,1.00000,1.00000",
        ];
        for (row, expected) in rows.lines().zip(expected) {
            let numbers = |row: &str| row.split(',').map(|n| n.parse().unwrap()).collect::<Vec<f64>>();
            let (row, expected) = (numbers(row), numbers(expected));
            assert_eq!(row.len(), expected.len());
            assert!(row.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 2e-5), "{row:?}");
        }
        assert_eq!(rows.lines().count(), 3);
    }

    #[test]
    fn angles_in_curves_are_continuous() {
        let (rig, _) = example();
        let mut clip = Clip::new("spin", 30.0, 100, 1.0).unwrap();
        for frame in 0..100 {
            clip.set_rotation(frame, Bone::Head, Quat::from_rotation_y(0.2 * frame as f32));
        }
        let text = curves(&rig, &clip, &[]);
        let turns: Vec<f64> =
            text.lines().skip(1).map(|row| row.split(',').nth(9).unwrap().parse().unwrap()).collect();
        assert!(turns.windows(2).all(|two| (two[1] - two[0] - 11.4592).abs() < 0.01), "{turns:?}");
    }

    #[test]
    fn looks_is_the_last_column_if_known() {
        let (rig, clip) = example();
        let looks = [true, false, true];
        let ends =
            |text: &str, of: [&str; 3]| text.lines().rev().zip(of).all(|(row, end)| row.ends_with(end));
        let table = csv(&rig, &clip, &looks);
        assert!(
            ends(&table, ["1.0,1", "0.1,0", "0.0,1"]) && table.contains(" line\nbreak\",looks\n"),
            "{table}"
        );
        let table = curves(&rig, &clip, &looks);
        assert!(
            ends(&table, ["1.00000,1", "0.10000,0", "0.00000,1"]) && table.contains(",looks [0-1]\n"),
            "{table}"
        );
        let lines = json_lines(&rig, &clip, &looks);
        assert!(ends(&lines, ["},\"looks\":true}", "},\"looks\":false}", "},\"looks\":true}"]), "{lines}");
        assert!(!json_lines(&rig, &clip, &[]).contains("looks"));
    }

    #[test]
    fn each_json_line_is_an_object() {
        let (rig, clip) = example();
        let text = json_lines(&rig, &clip, &[]);
        assert_eq!(text.lines().count(), 3);
        for (frame, line) in text.lines().enumerate() {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            let array = |v: &serde_json::Value| -> Vec<f32> {
                v.as_array().unwrap().iter().map(|n| n.as_f64().unwrap() as f32).collect()
            };
            assert!((value["time"].as_f64().unwrap() - frame as f64 / 30.0).abs() < 1e-6);
            assert_eq!(array(&value["root"]), clip.root(frame).to_array());
            assert_eq!(array(&value["rotations"]["head"]), clip.rotation(frame, Bone::Head).to_array());
            assert_eq!(
                value["expressions"]["own, \"quoted\""].as_f64().unwrap() as f32,
                clip.weights(frame)[1]
            );
            assert_eq!(value["rotations"].as_object().unwrap().len(), 2);
        }
        let first = "{\"time\":0.0,\"root\":[0.0,0.0,0.0],\"rotations\":{\"hips\":[0.0,0.0,0.0,1.0],\
                     \"head\":[0.0,0.0,0.0,1.0]},\"expressions\":{\"happy\":0.0,";
        assert!(text.starts_with(first), "{text}");
    }
}
