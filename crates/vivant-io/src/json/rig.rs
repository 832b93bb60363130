//! A skeleton as its host knows it: where its bones are in the T-pose, and what its face can show.
//!
//! Engines that have loaded an avatar themselves have no file's bytes to give, or none that we read. This is what
//! they can tell instead. Places are in metres in the humanoid space of VRM 1.0: right-handed, Y up, facing +Z.
//!
//! ```
//! let rig = vivant_io::json::rig::read(br#"{
//!     "version": 1,
//!     "bones": {"hips": [0, 0.97, 0], "spine": [0, 1.07, 0], "head": [0, 1.46, 0]},
//!     "expressions": ["blinkLeft", "blinkRight", "aa"],
//!     "lids": {"fullClosure": [0.9, 0.9], "closing": {"happy": [0.4, 0.4]}}
//! }"#).unwrap_err();
//! assert!(rig.to_string().contains("lids.closing.happy"), "it is none of its expressions: {rig}");
//! ```

use super::check::{Check, Shape};
use super::{document, part, version, words};
use crate::error::{Error, Result};
use crate::limits;
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use vivant::rig::{Bone, Channel, Expression, LidMap, LookAt, RangeMap, Rig, RigParts};

/// The version that is read.
pub const VERSION: u32 = 1;

/// A skeleton as it is written.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Written {
    /// The version of the format: 1.
    version: u32,
    /// The avatar's name.
    #[serde(default)]
    name: String,
    /// Where each bone is in the T-pose, in metres, by its name in VRM 1.0.
    bones: BTreeMap<String, [f32; 3]>,
    /// The expressions that it can show, by any name that VRM, ARKit, Oculus or Ready Player Me has for them.
    #[serde(default)]
    expressions: Vec<String>,
    /// How it looks around.
    #[serde(default)]
    look_at: Option<WrittenLookAt>,
    /// What its expressions do to its lids.
    #[serde(default)]
    lids: WrittenLids,
}

/// VRM's `lookAt`.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct WrittenLookAt {
    /// Whether expressions turn the eyes.
    by_expression: bool,
    /// From the head bone to between the eyes, in metres.
    offset_from_head: Option<[f32; 3]>,
    /// Towards the nose.
    inner: Option<WrittenRange>,
    /// Away from the nose.
    outer: Option<WrittenRange>,
    /// Down.
    down: Option<WrittenRange>,
    /// Up.
    up: Option<WrittenRange>,
}

/// A straight line from zero, held at its end.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WrittenRange {
    /// The angle of gaze, in degrees, beyond which nothing more happens.
    input_max_degrees: f32,
    /// What is shown there: degrees of an eye bone, or the weight of an expression.
    output_scale: f32,
}

/// What expressions do to lids.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct WrittenLids {
    /// The weight of the blink at which the eye is covered, left and right; 1 if that is not known.
    full_closure: Option<[f32; 2]>,
    /// How much an expression at weight 1 closes the left and the right eye, from -1 (opens wide) to 1 (covers).
    closing: BTreeMap<String, [f32; 2]>,
}

/// Reads a skeleton.
///
/// # Errors
/// If it is no such document, has no hips or no head, or with everything in it that is unsound.
pub fn read(bytes: &[u8]) -> Result<Rig> {
    let document = document(bytes)?;
    version(&document, VERSION)?;
    let shape = Shape::of(&document, |keys| {
        matches!(keys, [] | ["bones" | "lookAt" | "lids"] | ["lids", "closing"])
            || matches!(keys, ["lookAt", "inner" | "outer" | "down" | "up"])
    })?;
    let written: Written = part(document)?;
    shape.holds()?;
    let mut check = Check::default();
    check.length("name", &written.name, limits::MAX_NAME_BYTES);
    let rest_positions = bones(&written.bones, &mut check);
    let channels = channels(&written.expressions, &mut check);
    let look_at = look_at(written.look_at.as_ref(), &mut check);
    let lids = lids(&written.lids, &channels, &mut check);
    let (name, lid_bones) = (written.name, Vec::new());
    check.faults.or(())?;
    Ok(Rig::new(RigParts { name, rest_positions, channels, lid_bones, lids, look_at }))
}

fn bones(written: &BTreeMap<String, [f32; 3]>, check: &mut Check) -> Vec<(Bone, Vec3)> {
    let mut known = Vec::new();
    for (name, place) in written {
        match Bone::from_name(name) {
            Some(bone) => known.push((bone, Vec3::from(*place))),
            None => {
                let hint = words::hint(name, Bone::ALL.iter().map(|bone| bone.name()));
                check.faults.push(Error::at(
                    format!("bones.{}", words::short(name)),
                    format!("no such bone; {hint}"),
                ));
            }
        }
        for (axis, metres) in place.iter().enumerate() {
            metres_within(check, &format!("bones.{}[{axis}]", words::short(name)), *metres);
        }
        if check.faults.is_full() {
            break;
        }
    }
    for needed in [Bone::Hips, Bone::Head] {
        if !known.iter().any(|(bone, _)| *bone == needed) {
            let message = format!("`{}` is missing; give its place in metres", needed.name());
            check.faults.push(Error::at("bones", message));
        }
    }
    known
}

fn channels(written: &[String], check: &mut Check) -> Vec<Channel> {
    check.count("expressions", "expressions", written.len(), limits::MAX_SHAPES);
    for (index, name) in written.iter().enumerate().take(limits::MAX_SHAPES) {
        check.word(&format!("expressions[{index}]"), name.as_str());
    }
    let channels: Vec<Channel> = written.iter().map(|name| channel(name)).collect();
    check.once("expressions", &channels);
    channels
}

/// An expression by any of its names; what is none of ours keeps its own.
fn channel(name: &str) -> Channel {
    Expression::recognise(name).map_or_else(|| Channel::from(name.to_owned()), Channel::from)
}

fn look_at(written: Option<&WrittenLookAt>, check: &mut Check) -> LookAt {
    let usual = LookAt::default();
    let Some(written) = written else { return usual };
    let mut range = |field: &str, range: Option<WrittenRange>, usual: RangeMap| {
        let Some(WrittenRange { input_max_degrees, output_scale }) = range else { return usual };
        check.number(
            &format!("lookAt.{field}.inputMaxDegrees"),
            input_max_degrees.into(),
            0.0,
            180.0,
            "degrees",
        );
        check.number(&format!("lookAt.{field}.outputScale"), output_scale.into(), 0.0, 180.0, "");
        RangeMap { input_max_degrees, output_scale }
    };
    let (inner, outer) =
        (range("inner", written.inner, usual.inner), range("outer", written.outer, usual.outer));
    let (down, up) = (range("down", written.down, usual.down), range("up", written.up, usual.up));
    let offset = written.offset_from_head.map_or(usual.offset_from_head, Vec3::from);
    for metres in offset.to_array() {
        metres_within(check, "lookAt.offsetFromHead", metres);
    }
    LookAt { by_expression: written.by_expression, offset_from_head: offset, inner, outer, down, up }
}

fn lids(written: &WrittenLids, channels: &[Channel], check: &mut Check) -> LidMap {
    let told: Vec<(Channel, [f32; 2])> =
        written.closing.iter().map(|(name, amount)| (channel(name), *amount)).collect();
    let told_of =
        |channel: &Channel| told.iter().find(|(other, _)| other == channel).map(|(_, amount)| *amount);
    for (name, amounts) in &written.closing {
        let place = format!("lids.closing.{}", words::short(name));
        if !channels.contains(&channel(name)) {
            let hint = words::hint(name, channels.iter().map(Channel::name));
            check.faults.push(Error::at(&place, format!("is none of its expressions; {hint}")));
        }
        for amount in amounts {
            check.number(&place, (*amount).into(), -1.0, 1.0, "");
        }
    }
    let full_closure = written.full_closure.unwrap_or([1.0; 2]);
    for weight in full_closure {
        check.number("lids.fullClosure", weight.into(), 0.05, 1.0, "");
    }
    // What is not told of an expression is told by its name.
    let by_name =
        Rig::new(RigParts { channels: channels.to_vec(), ..RigParts::default() }).lid_map().closing.clone();
    let closing = channels.iter().zip(by_name).map(|(channel, usual)| told_of(channel).unwrap_or(usual));
    LidMap { full_closure, closing: closing.collect(), measured: !told.is_empty() }
}

fn metres_within(check: &mut Check, field: &str, metres: f32) {
    check.number(field, metres.into(), -limits::MAX_METRES, limits::MAX_METRES, "metres");
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivant::rig::{EyeControl, LidControl};

    const GOOD: &str = r#"{"version": 1, "name": "Eve",
        "bones": {"hips": [0, 1, 0], "head": [0, 1.5, 0], "leftEye": [0.03, 1.56, 0.08], "rightEye": [-0.03, 1.56, 0.08]},
        "expressions": ["Blink_L", "Blink_R", "Joy", "A"],
        "lookAt": {"byExpression": false, "inner": {"inputMaxDegrees": 90, "outputScale": 12}},
        "lids": {"fullClosure": [0.8, 0.9], "closing": {"happy": [0.5, 0.5]}}}"#;

    #[test]
    fn a_skeleton_is_what_its_host_says() {
        let rig = read(GOOD.as_bytes()).unwrap();
        assert_eq!(rig.rest_position(Bone::Head), Vec3::new(0.0, 1.5, 0.0));
        assert_eq!(
            (rig.abilities().eyes, rig.abilities().lids),
            (EyeControl::Bones, LidControl::ExpressionsEach)
        );
        let names: Vec<&str> = rig.channels().iter().map(Channel::name).collect();
        assert_eq!(names, ["blinkLeft", "blinkRight", "happy", "aa"]);
        assert_eq!(rig.look_at().inner.apply(90.0), 12.0);
        assert_eq!(rig.look_at().outer, LookAt::default().outer);
        assert_eq!(rig.lid_map().closing, [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [0.0, 0.0]]);
        assert_eq!(rig.lid_map().full_closure, [0.8, 0.9]);
    }

    #[test]
    fn every_malformed_skeleton_is_told_what_is_wrong_and_where() {
        for (old, new, words) in [
            ("{\"version\": 1", "[{\"version\": 1", "line"),
            ("\"version\": 1, ", "", "the field `version` is missing"),
            ("\"version\": 1", "\"version\": 2", "this is version 2"),
            ("\"bones\"", "\"bone\"", "did you mean `bones`?"),
            ("\"hips\"", "\"hip\"", "bones.hip: no such bone; did you mean `hips`?"),
            ("\"hips\": [0, 1, 0], ", "", "bones: `hips` is missing"),
            ("[0, 1.5, 0]", "[0, 1.5]", "bones"),
            ("[0, 1.5, 0]", "[0, 1e9, 0]", "bones.head[1]: 1000000000 is out of range"),
            ("\"Joy\"", "\"Happy\", \"Joy\"", "expressions"),
            ("\"A\"]", "\"\"]", "expressions[3]: is empty"),
            ("\"outputScale\": 12", "\"outputScale\": -1", "lookAt.inner.outputScale: -1 is out of range"),
            ("\"inputMaxDegrees\": 90, ", "", "inputMaxDegrees"),
            ("{\"happy\"", "{\"sad\"", "lids.closing.sad: is none of its expressions"),
            ("[0.5, 0.5]", "[2, 0.5]", "lids.closing.happy: 2 is out of range"),
            ("[0.8, 0.9]", "[0, 0.9]", "lids.fullClosure: 0 is out of range"),
            ("\"lids\": {", "\"lids\": [], \"other\": {", "lids"),
        ] {
            assert!(GOOD.contains(old), "{old}");
            let text = GOOD.replace(old, new);
            let message = read(text.as_bytes()).expect_err(&text).to_string();
            assert!(message.contains(words), "{new}\n  {message}\n  lacks {words}");
        }
        assert!(read(b"\xff").unwrap_err().to_string().contains("UTF-8"));
    }
}
