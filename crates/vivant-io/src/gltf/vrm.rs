//! What the VRM extensions say of a file: its kind, its name, its bones and how it looks around.

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

    /// How it looks around. What VRM 0.x says is turned into the words and axes of 1.0.
    pub(super) fn look_at(&self, warnings: &mut Vec<Warning>) -> Result<LookAt> {
        match self.kind {
            Kind::Vrm1 => self.look_at_of_1_0(),
            Kind::Vrm0 => self.look_at_of_0_x(warnings),
            _ => Ok(LookAt::default()),
        }
    }

    fn look_at_of_1_0(&self) -> Result<LookAt> {
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

    fn look_at_of_0_x(&self, warnings: &mut Vec<Warning>) -> Result<LookAt> {
        let field = self.field.key("firstPerson");
        let by_expression = field.key("lookAtTypeName").name() == "BlendShape";
        let usual = if by_expression { 1.0 } else { 10.0 };
        let map = |name: &str| range_map(&field.key(name), "xRange", "yRange", usual);
        let offset = field.key("firstPersonBoneOffset");
        let part = |axis: &str| -> Result<f32> { Ok(offset.key(axis).number()?.unwrap_or(0.0) as f32) };
        warn_of_curves(&field, warnings);
        Ok(LookAt {
            by_expression,
            // The file counts in Unity's left-handed axes; humanoid space has the other left.
            offset_from_head: Vec3::new(-part("x")?, part("y")?, part("z")?),
            inner: map("lookAtHorizontalInner")?,
            outer: map("lookAtHorizontalOuter")?,
            down: map("lookAtVerticalDown")?,
            up: map("lookAtVerticalUp")?,
        })
    }

    /// Which node is which bone, by the file's own word. What makes no sense is left out with a
    /// warning: people have exporters, not validators.
    pub(super) fn humanoid(&self, nodes: usize, warnings: &mut Vec<Warning>) -> Result<HumanoidMap> {
        let mut found = Found { map: HumanoidMap::default(), nodes, warnings };
        let bones = self.field.key("humanoid").key("humanBones");
        if self.kind == Kind::Vrm0 {
            for field in bones.items()? {
                found.add(&field.key("bone").name(), &field, true);
            }
        } else {
            let entries = bones.entries()?;
            // Before 1.0 was final the thumbs had the names of 0.x.
            let old_thumbs = entries.iter().any(|(name, _)| name.ends_with("ThumbIntermediate"));
            for (name, field) in &entries {
                found.add(name, field, old_thumbs);
            }
        }
        Ok(found.map)
    }
}

fn range_map(field: &Field<'_>, input: &str, output: &str, usual: f64) -> Result<RangeMap> {
    let input_max_degrees = field.key(input).number()?.unwrap_or(90.0) as f32;
    let output_scale = field.key(output).number()?.unwrap_or(usual) as f32;
    Ok(RangeMap { input_max_degrees, output_scale })
}

/// VRM 0.x may bend its range maps by a curve; 1.0 knows straight lines only, and so do we.
fn warn_of_curves(field: &Field<'_>, warnings: &mut Vec<Warning>) {
    const STRAIGHT: [f32; 8] = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0];
    for name in ["lookAtHorizontalInner", "lookAtHorizontalOuter", "lookAtVerticalDown", "lookAtVerticalUp"] {
        let curve = field.key(name).key("curve");
        if curve.exists() && !matches!(curve.floats::<8>(), Ok(Some(STRAIGHT))) {
            let message = "the curve is left out; between its ends the eyes turn evenly";
            warnings.push(Warning::new(WarningCode::Dropped, curve.path(), message));
        }
    }
}

fn check_version(version: &Field<'_>, expected: &str, kind: Kind, warnings: &mut Vec<Warning>) {
    let found = version.name();
    // Before 0.x had a specification its files named none.
    let unnamed = kind == Kind::Vrm0 && found.is_empty();
    if !found.starts_with(expected) && !unnamed {
        let message = format!("version {found:?} is not known; it is read as {expected}");
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
        let name = if old_thumbs { thumb_of_1_0(name) } else { name.to_owned() };
        let node = field.key("node");
        // Unity's exporters write -1 for a bone that is not there.
        if matches!(node.number(), Ok(Some(-1.0))) {
            return;
        }
        let complaint = match (Bone::from_name(&name), node.index("node", self.nodes)) {
            (None, _) => format!("{name:?} is no bone of VRM"),
            (Some(bone), _) if self.map.node(bone).is_some() => format!("{name} stands here twice"),
            (_, Err(error)) => return self.warn(node.path(), &error.to_string()),
            (_, Ok(None)) => format!("{name} has no node"),
            (_, Ok(Some(index))) if self.map.bone(index).is_some() => {
                format!("the node of {name} is another bone already")
            }
            (Some(bone), Ok(index)) => return self.map.set(bone, index),
        };
        self.warn(field.path(), &complaint);
    }

    fn warn(&mut self, place: &str, complaint: &str) {
        // A list of bones is short; a hostile one is not worth a warning each.
        if self.warnings.len() < 100 {
            let message = format!("{complaint}; it is left out");
            self.warnings.push(Warning::new(WarningCode::Malformed, place, message));
        }
    }
}

/// VRM 0.x calls the bones of the thumb as if it had no metacarpal.
fn thumb_of_1_0(name: &str) -> String {
    name.replace("ThumbProximal", "ThumbMetacarpal").replace("ThumbIntermediate", "ThumbProximal")
}
