//! What the VRM extensions say of a file: its kind, its name, its bones and how it looks around.

use crate::error::{Result, Warning, WarningCode};
use crate::gltf::field::Field;
use crate::scene::{HumanoidMap, Kind, RestPose};
use vivant::rig::Bone;

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

    pub(super) fn look_by_expression(&self) -> bool {
        let (place, word) = match self.kind {
            Kind::Vrm0 => (self.field.key("firstPerson").key("lookAtTypeName"), "BlendShape"),
            _ => (self.field.key("lookAt").key("type"), "expression"),
        };
        place.name() == word
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
