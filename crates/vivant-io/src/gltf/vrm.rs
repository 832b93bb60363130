//! Reads the VRM extensions of a file: format, name, bones and gaze.
//!
//! VRM 0.x, VRM 1.0 and VRMA are glTF extensions with different names and axes. [`Vrm::of`] detects the extension;
//! [`Vrm::humanoid`] and [`Vrm::look_at`] return its content in the terms of VRM 1.0, so that no other module needs to
//! distinguish the versions. Exporters often write invalid bones; these are dropped with a warning instead of rejecting
//! the avatar. Expressions are read in the module `expressions`.

use crate::error::{Result, Warning, WarningCode};
use crate::gltf::field::Field;
use crate::scene::{HumanoidMap, Kind, RestPose};
use glam::Vec3;
use vivant::rig::{Bone, LookAt, RangeMap};

/// The extension that makes a glTF a VRM or a VRMA.
pub(super) struct Vrm<'a> {
    pub(super) kind: Kind,
    /// The extension itself; missing for plain glTF.
    pub(super) field: Field<'a>,
}

impl<'a> Vrm<'a> {
    pub(super) fn of(document: &Field<'a>, warnings: &mut Vec<Warning>) -> Self {
        let extensions = document.key("extensions");
        let kinds = [
            (Kind::Vrm1, "VRMC_vrm", "1.0"),
            (Kind::Vrm0, "VRM", "0."),
            (Kind::Vrma, "VRMC_vrm_animation", "1.0"),
        ];
        for (kind, name, version) in kinds {
            let field = extensions.key(name);
            if field.exists() {
                check_version(&field.key("specVersion"), version, kind, warnings);
                return Self { kind, field };
            }
        }
        Self { kind: Kind::Gltf, field: extensions.key("VRMC_vrm") }
    }

    pub(super) fn name(&self) -> String {
        let meta = self.field.key("meta");
        meta.key(if self.kind == Kind::Vrm0 { "title" } else { "name" }).name()
    }

    pub(super) fn rest(&self) -> RestPose {
        match self.kind {
            Kind::Vrm1 | Kind::Vrma => RestPose::TPose,
            Kind::Vrm0 => RestPose::TPoseFacingBack,
            _ => RestPose::Unknown,
        }
    }

    /// Reads how the avatar directs its gaze. VRM 0.x is converted to the terms and axes of 1.0.
    pub(super) fn look_at(&self, warnings: &mut Vec<Warning>) -> Result<LookAt> {
        match self.kind {
            Kind::Vrm1 => self.look_at_1(),
            Kind::Vrm0 => self.look_at_0(warnings),
            _ => Ok(LookAt::default()),
        }
    }

    fn look_at_1(&self) -> Result<LookAt> {
        let field = self.field.key("lookAt");
        if !field.exists() {
            return Ok(LookAt::default());
        }
        let map = |name: &str| range_map(&field.key(name), "inputMaxValue", "outputScale", 1.0);
        Ok(LookAt {
            by_expression: field.key("type").name() == "expression",
            offset_from_head: Vec3::from(field.key("offsetFromHeadBone").floats()?.unwrap_or_default()),
            inner: map("rangeMapHorizontalInner")?,
            outer: map("rangeMapHorizontalOuter")?,
            down: map("rangeMapVerticalDown")?,
            up: map("rangeMapVerticalUp")?,
        })
    }

    fn look_at_0(&self, warnings: &mut Vec<Warning>) -> Result<LookAt> {
        let field = self.field.key("firstPerson");
        let by_expression = field.key("lookAtTypeName").name() == "BlendShape";
        let default_scale = if by_expression { 1.0 } else { 10.0 };
        let map = |name: &str| range_map(&field.key(name), "xRange", "yRange", default_scale);
        let offset = field.key("firstPersonBoneOffset");
        let part = |axis: &str| -> Result<f32> { Ok(offset.key(axis).number()?.unwrap_or(0.0) as f32) };
        warn_about_curves(&field, warnings);
        Ok(LookAt {
            by_expression,
            // The file uses Unity's left-handed axes; in humanoid space X is reversed.
            offset_from_head: Vec3::new(-part("x")?, part("y")?, part("z")?),
            inner: map("lookAtHorizontalInner")?,
            outer: map("lookAtHorizontalOuter")?,
            down: map("lookAtVerticalDown")?,
            up: map("lookAtVerticalUp")?,
        })
    }

    /// Reads the bones that the file states. Invalid entries, which many exporters write, are dropped with a warning.
    pub(super) fn humanoid(&self, nodes: usize, warnings: &mut Vec<Warning>) -> Result<HumanoidMap> {
        let mut found = Found { map: HumanoidMap::default(), nodes, warnings };
        let bones = self.field.key("humanoid").key("humanBones");
        if self.kind == Kind::Vrm0 {
            for field in bones.items()? {
                found.add(&field.key("bone").name(), &field, true);
            }
        } else {
            let entries = bones.entries()?;
            // Before 1.0 was final, thumbs had the names of 0.x.
            let old_thumbs = entries.iter().any(|(name, _)| name.ends_with("ThumbIntermediate"));
            for (name, field) in &entries {
                found.add(name, field, old_thumbs);
            }
        }
        Ok(found.map)
    }
}

fn range_map(field: &Field<'_>, input: &str, output: &str, default_scale: f64) -> Result<RangeMap> {
    let input_max_degrees = field.key(input).number()?.unwrap_or(90.0) as f32;
    let output_scale = field.key(output).number()?.unwrap_or(default_scale) as f32;
    Ok(RangeMap { input_max_degrees, output_scale })
}

/// Warns about curves in range maps of VRM 0.x. VRM 1.0 and Vivant support only linear maps.
fn warn_about_curves(field: &Field<'_>, warnings: &mut Vec<Warning>) {
    const STRAIGHT: [f32; 8] = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0];
    for name in ["lookAtHorizontalInner", "lookAtHorizontalOuter", "lookAtVerticalDown", "lookAtVerticalUp"] {
        let curve = field.key(name).key("curve");
        if curve.exists() && !matches!(curve.floats::<8>(), Ok(Some(STRAIGHT))) {
            let message = "the curve is ignored; the range map is linear";
            warnings.push(Warning::new(WarningCode::Dropped, curve.path(), message));
        }
    }
}

fn check_version(version: &Field<'_>, expected: &str, kind: Kind, warnings: &mut Vec<Warning>) {
    let found = version.name();
    // Early files of 0.x state no version.
    let unnamed = kind == Kind::Vrm0 && found.is_empty();
    if !found.starts_with(expected) && !unnamed {
        let message = format!("unknown version {found:?}; read as {expected}");
        warnings.push(Warning::new(WarningCode::Malformed, version.path(), message));
    }
}

struct Found<'w> {
    map: HumanoidMap,
    nodes: usize,
    warnings: &'w mut Vec<Warning>,
}

impl Found<'_> {
    fn add(&mut self, name: &str, field: &Field<'_>, old_thumbs: bool) {
        let name = if old_thumbs { rename_thumb(name) } else { name.to_owned() };
        let node = field.key("node");
        // Unity's exporters write -1 for a missing bone.
        if matches!(node.number(), Ok(Some(-1.0))) {
            return;
        }
        let problem = match (Bone::from_name(&name), node.index("node", self.nodes)) {
            (None, _) => format!("{name:?} is not a VRM bone"),
            (Some(bone), _) if self.map.node(bone).is_some() => format!("{name} is a duplicate"),
            (_, Err(error)) => return self.warn(node.path(), &error.to_string()),
            (_, Ok(None)) => format!("{name} has no node"),
            (_, Ok(Some(index))) if self.map.bone(index).is_some() => {
                format!("the node of {name} is already another bone")
            }
            (Some(bone), Ok(index)) => return self.map.set(bone, index),
        };
        self.warn(field.path(), &problem);
    }

    fn warn(&mut self, place: &str, problem: &str) {
        // A list of bones is short. The limit keeps a malicious list from causing too many warnings.
        if self.warnings.len() < 100 {
            let message = format!("{problem}; it was ignored");
            self.warnings.push(Warning::new(WarningCode::Malformed, place, message));
        }
    }
}

/// Renames a thumb bone of VRM 0.x, which has no metacarpal, to its name in 1.0.
fn rename_thumb(name: &str) -> String {
    name.replace("ThumbProximal", "ThumbMetacarpal").replace("ThumbIntermediate", "ThumbProximal")
}
