//! Reads a rig as described by a host: bone positions in the T-pose, and expressions.
//!
//! Hosts that load avatars themselves may not have a file that Vivant can read; they send this description instead.
//! Positions are in metres in the humanoid space of VRM 1.0: right-handed, Y up, facing +Z.
//!
//! ```
//! let rig = vivant_io::json::rig::read(br#"{
//!     "version": 1,
//!     "bones": {"hips": [0, 0.97, 0], "spine": [0, 1.07, 0], "head": [0, 1.46, 0]},
//!     "expressions": ["blinkLeft", "blinkRight", "aa"],
//!     "lids": {"fullClosure": [0.9, 0.9], "closing": {"happy": [0.4, 0.4]}}
//! }"#).unwrap_err();
//! assert!(rig.to_string().contains("lids.closing.happy"), "not one of its expressions: {rig}");
//! ```

use super::check::{Check, Shape};
use super::{document, part, version, words};
use crate::error::{Error, Result};
use crate::limits;
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use vivant::rig::{Bone, Channel, Expression, LidMap, LookAt, RangeMap, Rig, RigParts};

/// The newest supported version.
pub const VERSION: u32 = 1;

/// The JSON form of a rig.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RigDef {
    /// Format version: 1.
    version: u32,
    /// Name of the avatar.
    #[serde(default)]
    name: String,
    /// Positions of the bones in the T-pose in metres, by VRM 1.0 name.
    bones: BTreeMap<String, [f32; 3]>,
    /// The expressions of the avatar, by any name used in VRM, ARKit, Oculus or Ready Player Me.
    #[serde(default)]
    expressions: Vec<String>,
    /// Settings for the gaze of the avatar.
    #[serde(default)]
    look_at: Option<LookAtDef>,
    /// Effect of the expressions on the lids.
    #[serde(default)]
    lids: LidsDef,
}

/// VRM's `lookAt`.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct LookAtDef {
    /// True if expressions move the eyes, false if bones move them.
    by_expression: bool,
    /// Offset from the head bone to the point between the eyes, in metres.
    offset_from_head: Option<[f32; 3]>,
    /// Range towards the nose.
    inner: Option<RangeDef>,
    /// Range away from the nose.
    outer: Option<RangeDef>,
    /// Range downwards.
    down: Option<RangeDef>,
    /// Range upwards.
    up: Option<RangeDef>,
}

/// A linear map from gaze angle to output: 0 at 0°, and constant beyond `inputMaxDegrees`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RangeDef {
    /// Gaze angle in degrees at which the output reaches its maximum.
    input_max_degrees: f32,
    /// Output at that angle: degrees of an eye bone, or the weight of an expression.
    output_scale: f32,
}

/// Effect of expressions on lids.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct LidsDef {
    /// Blink weight at which the eye is covered, left and right. Default: 1.
    full_closure: Option<[f32; 2]>,
    /// Closure of the left and the right eye by each expression at weight 1, from -1 (opens the eye wide) to 1
    /// (covers the eye).
    closing: BTreeMap<String, [f32; 2]>,
}

/// Reads a rig.
///
/// # Errors
/// If the document is invalid or has no hips or no head, with the paths of all errors.
pub fn read(bytes: &[u8]) -> Result<Rig> {
    let document = document(bytes)?;
    version(&document, VERSION)?;
    let shape = Shape::of(&document, |keys| {
        matches!(keys, [] | ["bones" | "lookAt" | "lids"] | ["lids", "closing"])
            || matches!(keys, ["lookAt", "inner" | "outer" | "down" | "up"])
    })?;
    let def: RigDef = part(document)?;
    shape.holds()?;
    let mut check = Check::default();
    check.length("name", &def.name, limits::MAX_NAME_BYTES);
    let rest_positions = bones(&def.bones, &mut check);
    let channels = channels(&def.expressions, &mut check);
    let look_at = look_at(def.look_at.as_ref(), &mut check);
    let lids = lids(&def.lids, &channels, &mut check);
    let (name, lid_bones) = (def.name, Vec::new());
    check.faults.or(())?;
    Ok(Rig::new(RigParts { name, rest_positions, channels, lid_bones, lids, look_at }))
}

fn bones(def: &BTreeMap<String, [f32; 3]>, check: &mut Check) -> Vec<(Bone, Vec3)> {
    let mut known = Vec::new();
    for (name, place) in def {
        match Bone::from_name(name) {
            Some(bone) => known.push((bone, Vec3::from(*place))),
            None => {
                let hint = words::hint(name, Bone::ALL.iter().map(|bone| bone.name()));
                check.faults.push(Error::at(
                    format!("bones.{}", words::short(name)),
                    format!("unknown bone; {hint}"),
                ));
            }
        }
        for (axis, metres) in place.iter().enumerate() {
            check_metres(check, &format!("bones.{}[{axis}]", words::short(name)), *metres);
        }
        if check.faults.is_full() {
            break;
        }
    }
    for needed in [Bone::Hips, Bone::Head] {
        if !known.iter().any(|(bone, _)| *bone == needed) {
            let message = format!("`{}` is missing; give its position in metres", needed.name());
            check.faults.push(Error::at("bones", message));
        }
    }
    known
}

fn channels(def: &[String], check: &mut Check) -> Vec<Channel> {
    check.count("expressions", "expressions", def.len(), limits::MAX_SHAPES);
    for (index, name) in def.iter().enumerate().take(limits::MAX_SHAPES) {
        check.word(&format!("expressions[{index}]"), name.as_str());
    }
    let channels: Vec<Channel> = def.iter().map(|name| channel(name)).collect();
    check.once("expressions", &channels);
    channels
}

/// Returns the expression with the given name, in any naming convention; unknown names become custom expressions.
fn channel(name: &str) -> Channel {
    Expression::recognise(name).map_or_else(|| Channel::from(name.to_owned()), Channel::from)
}

fn look_at(def: Option<&LookAtDef>, check: &mut Check) -> LookAt {
    let default = LookAt::default();
    let Some(def) = def else { return default };
    let mut range = |field: &str, range: Option<RangeDef>, default: RangeMap| {
        let Some(RangeDef { input_max_degrees, output_scale }) = range else { return default };
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
    let (inner, outer) = (range("inner", def.inner, default.inner), range("outer", def.outer, default.outer));
    let (down, up) = (range("down", def.down, default.down), range("up", def.up, default.up));
    let offset = def.offset_from_head.map_or(default.offset_from_head, Vec3::from);
    for metres in offset.to_array() {
        check_metres(check, "lookAt.offsetFromHead", metres);
    }
    LookAt { by_expression: def.by_expression, offset_from_head: offset, inner, outer, down, up }
}

fn lids(def: &LidsDef, channels: &[Channel], check: &mut Check) -> LidMap {
    let given: Vec<(Channel, [f32; 2])> =
        def.closing.iter().map(|(name, amount)| (channel(name), *amount)).collect();
    let given_for =
        |channel: &Channel| given.iter().find(|(other, _)| other == channel).map(|(_, amount)| *amount);
    for (name, amounts) in &def.closing {
        let place = format!("lids.closing.{}", words::short(name));
        if !channels.contains(&channel(name)) {
            let hint = words::hint(name, channels.iter().map(Channel::name));
            check.faults.push(Error::at(&place, format!("unknown expression; {hint}")));
        }
        for amount in amounts {
            check.number(&place, (*amount).into(), -1.0, 1.0, "");
        }
    }
    let full_closure = def.full_closure.unwrap_or([1.0; 2]);
    for weight in full_closure {
        check.number("lids.fullClosure", weight.into(), 0.05, 1.0, "");
    }
    // Expressions without a value get the default for their name.
    let by_name =
        Rig::new(RigParts { channels: channels.to_vec(), ..RigParts::default() }).lid_map().closing.clone();
    let closing =
        channels.iter().zip(by_name).map(|(channel, default)| given_for(channel).unwrap_or(default));
    LidMap { full_closure, closing: closing.collect(), measured: !given.is_empty() }
}

fn check_metres(check: &mut Check, field: &str, metres: f32) {
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
    fn rigs_are_read() {
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
    fn malformed_rigs_give_errors_with_place_and_cause() {
        for (old, new, words) in [
            ("{\"version\": 1", "[{\"version\": 1", "line"),
            ("\"version\": 1, ", "", "the field `version` is missing"),
            ("\"version\": 1", "\"version\": 2", "version 2 is newer than 1"),
            ("\"bones\"", "\"bone\"", "did you mean `bones`?"),
            ("\"hips\"", "\"hip\"", "bones.hip: unknown bone; did you mean `hips`?"),
            ("\"hips\": [0, 1, 0], ", "", "bones: `hips` is missing"),
            ("[0, 1.5, 0]", "[0, 1.5]", "bones"),
            ("[0, 1.5, 0]", "[0, 1e9, 0]", "bones.head[1]: 1000000000 is out of range"),
            ("\"Joy\"", "\"Happy\", \"Joy\"", "expressions"),
            ("\"A\"]", "\"\"]", "expressions[3]: is empty"),
            ("\"outputScale\": 12", "\"outputScale\": -1", "lookAt.inner.outputScale: -1 is out of range"),
            ("\"inputMaxDegrees\": 90, ", "", "inputMaxDegrees"),
            ("{\"happy\"", "{\"sad\"", "lids.closing.sad: unknown expression"),
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
