//! Reads expressions: the expressions of a VRM, and morph targets with known names.
//!
//! The formats describe expressions differently: VRM 0.x binds targets of meshes, VRM 1.0 binds targets of nodes, a
//! VRMA only has names, and in a plain glTF every morph target counts as an expression. [`read`] returns one list for
//! all of them. Names in other spellings are mapped to known expressions, but exact names and presets take precedence.
//! Effects on materials are dropped with a warning. [`Shapes`] lists the morph targets of the file, and [`Owners`] is
//! the inverse: it finds the expression for an animated morph target.

use crate::error::{Result, Warning, WarningCode};
use crate::gltf::field::Field;
use crate::gltf::vrm::Vrm;
use crate::limits::{self, MAX_SHAPES};
use crate::scene::{Kind, ShapeBind, SourceExpression};
use std::collections::BTreeMap;
use vivant::rig::{Channel, Expression};

/// Smallest gain that has a visible effect.
const MIN_GAIN: f32 = 1e-4;
/// Maximum length of a name in bytes. Longer names are not compared with known expressions.
const LONGEST_SPELLING: usize = 128;

#[rustfmt::skip]
const PRESETS_OF_0: &[(&str, &str)] = &[
    ("neutral", "neutral"), ("joy", "happy"), ("angry", "angry"), ("sorrow", "sad"),
    ("fun", "relaxed"), ("surprised", "surprised"),
    ("a", "aa"), ("i", "ih"), ("u", "ou"), ("e", "ee"), ("o", "oh"),
    ("blink", "blink"), ("blink_l", "blinkLeft"), ("blink_r", "blinkRight"),
    ("lookup", "lookUp"), ("lookdown", "lookDown"), ("lookleft", "lookLeft"), ("lookright", "lookRight"),
];

/// The morph targets of a document: nodes, meshes and target names.
pub(super) struct Shapes {
    /// The mesh of each node.
    mesh_of: Vec<Option<usize>>,
    /// The nodes of each mesh.
    nodes_of: Vec<Vec<usize>>,
    /// The names of the morph targets of each mesh.
    targets: Vec<Vec<String>>,
}

impl Shapes {
    pub(super) fn read(document: &Field<'_>) -> Result<Self> {
        let meshes = document.key("meshes");
        let names = meshes.items()?.enumerate().map(|(i, mesh)| target_names(i, &mesh));
        let targets = names.collect::<Result<Vec<_>>>()?;
        let (mut mesh_of, mut nodes_of) = (Vec::new(), vec![Vec::new(); targets.len()]);
        let mut total = 0;
        for (node, field) in document.key("nodes").items()?.enumerate() {
            let mesh = field.key("mesh").index("mesh", targets.len())?;
            mesh_of.push(mesh);
            if let Some(mesh) = mesh {
                nodes_of[mesh].push(node);
                total += targets[mesh].len();
                limits::within(field.path(), "morph targets", total, 4 * MAX_SHAPES)?;
            }
        }
        Ok(Self { mesh_of, nodes_of, targets })
    }

    /// Returns the number of morph targets of a node.
    pub(super) fn count(&self, node: usize) -> usize {
        let mesh = self.mesh_of.get(node).copied().flatten();
        mesh.and_then(|mesh| self.targets.get(mesh)).map_or(0, Vec::len)
    }

    /// Returns the weights of a node's morph targets at rest.
    pub(super) fn rest_weights(&self, document: &Field<'_>, node: usize) -> Vec<f32> {
        let own = document.key("nodes").at(node).key("weights");
        let mesh = self.mesh_of.get(node).copied().flatten();
        let shared = mesh.map(|mesh| document.key("meshes").at(mesh).key("weights"));
        let list = if own.exists() { Some(own) } else { shared };
        let weight = |target| {
            let weight = list.as_ref().and_then(|list| list.at(target).number().ok().flatten());
            weight.map_or(0.0, |w| w as f32)
        };
        (0..self.count(node)).map(weight).collect()
    }

    /// Returns the morph target names with their binds, in file order. The same name on several meshes is one shape.
    fn by_name(&self) -> Vec<(&str, Vec<ShapeBind>)> {
        let mut order: Vec<(&str, Vec<ShapeBind>)> = Vec::new();
        let mut places = BTreeMap::new();
        for (mesh, names) in self.targets.iter().enumerate() {
            for (target, name) in names.iter().enumerate() {
                let place = *places.entry(name.as_str()).or_insert(order.len());
                if place == order.len() {
                    order.push((name, Vec::new()));
                }
                let binds = self.nodes_of[mesh].iter().map(|&node| ShapeBind { node, target, gain: 1.0 });
                order[place].1.extend(binds);
            }
        }
        order
    }
}

fn target_names(index: usize, mesh: &Field<'_>) -> Result<Vec<String>> {
    let primitives = mesh.key("primitives");
    let first = primitives.at(0);
    let count = first.key("targets").len()?;
    limits::within(first.path(), "morph targets", count, MAX_SHAPES)?;
    let lists = [mesh.key("extras").key("targetNames"), first.key("extras").key("targetNames")];
    // `extras` may have any content, so an invalid list there is not an error.
    let list = lists.iter().find(|list| list.len().is_ok_and(|n| n > 0));
    let unnamed = match mesh.key("name").name() {
        name if name.is_empty() => format!("mesh{index}"),
        name => name,
    };
    let name = |target: usize| {
        let name = list.map(|list| list.at(target).name()).unwrap_or_default();
        if name.is_empty() { format!("{unnamed}.{target}") } else { name }
    };
    Ok((0..count).map(name).collect())
}

/// Reads the expressions of a file.
pub(super) fn read(
    vrm: &Vrm<'_>,
    shapes: &Shapes,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<SourceExpression>> {
    let mut list = ExpressionReader { shapes, expressions: Vec::new(), losses: Losses::default(), binds: 0 };
    match vrm.kind {
        Kind::Vrm0 => list.read_0(&vrm.field.key("blendShapeMaster").key("blendShapeGroups"))?,
        Kind::Vrm1 => list.read_1(&vrm.field.key("expressions"))?,
        Kind::Vrma => list.name_signals(&vrm.field.key("expressions"))?,
        _ => list.name_targets(),
    }
    if matches!(vrm.kind, Kind::Vrm0 | Kind::Vrm1) {
        list.recognise_targets();
    }
    list.losses.report(vrm, warnings);
    Ok(list.expressions)
}

/// Dropped data, collected so that each kind of loss gives one warning.
#[derive(Default)]
struct Losses {
    materials: Vec<String>,
    empty: Vec<String>,
    duplicates: Vec<String>,
    bad_binds: Vec<String>,
}

impl Losses {
    fn report(self, vrm: &Vrm<'_>, warnings: &mut Vec<Warning>) {
        use WarningCode::{Dropped, Malformed};
        let place = match vrm.kind {
            Kind::Vrm0 => vrm.field.key("blendShapeMaster"),
            _ => vrm.field.key("expressions"),
        };
        for (code, names, message) in [
            (Dropped, self.materials, "expressions change materials, which is ignored"),
            (Dropped, self.empty, "expressions move nothing and were ignored"),
            (Malformed, self.duplicates, "expressions are duplicates; the first is kept"),
            (
                Malformed,
                self.bad_binds,
                "expressions refer to a missing mesh, node or shape, which is ignored",
            ),
        ] {
            if !names.is_empty() {
                let message = format!("{} {message}: {}", names.len(), join_names(&names));
                warnings.push(Warning::new(code, place.path(), message));
            }
        }
    }
}

/// Joins names for a message; long lists are shortened.
pub(super) fn join_names(names: &[String]) -> String {
    const SHOWN: usize = 20;
    let mut text = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(", …");
    }
    text
}

struct ExpressionReader<'s> {
    shapes: &'s Shapes,
    expressions: Vec<SourceExpression>,
    losses: Losses,
    binds: usize,
}

impl ExpressionReader<'_> {
    fn has(&self, channel: &Channel) -> bool {
        self.expressions.iter().any(|e| e.channel == *channel)
    }

    fn push(&mut self, channel: Channel, binds: Vec<ShapeBind>, is_binary: bool) {
        match self.has(&channel) {
            true => self.losses.duplicates.push(channel.name().to_owned()),
            false => self.expressions.push(SourceExpression { channel, binds, is_binary }),
        }
    }

    /// Returns the known expression of this name, if that expression is not used yet; otherwise a custom expression.
    fn channel_of(&self, name: &str) -> Channel {
        let known = (name.len() <= LONGEST_SPELLING).then(|| Expression::recognise(name)).flatten();
        let known = known.map(Channel::Known).filter(|channel| !self.has(channel));
        known.unwrap_or_else(|| Channel::Custom(name.to_owned()))
    }

    /// Reads VRM 0.x. Presets are read first, so that a custom expression with a similar name does not replace a
    /// preset.
    fn read_0(&mut self, groups: &Field<'_>) -> Result<()> {
        limits::within(groups.path(), "expressions", groups.len()?, MAX_SHAPES)?;
        let preset = |group: &Field<'_>| {
            let name = group.key("presetName").name().to_ascii_lowercase();
            let (_, known) = PRESETS_OF_0.iter().find(|(preset, _)| *preset == name)?;
            Expression::from_name(known)
        };
        let groups: Vec<_> = groups.items()?.map(|group| (preset(&group), group)).collect();
        for (known, group) in groups.iter().filter(|(known, _)| known.is_some()) {
            self.read_group(known.map(Channel::Known), group)?;
        }
        for (_, group) in groups.iter().filter(|(known, _)| known.is_none()) {
            self.read_group(None, group)?;
        }
        Ok(())
    }

    fn read_group(&mut self, preset: Option<Channel>, group: &Field<'_>) -> Result<()> {
        let channel = preset.unwrap_or_else(|| self.channel_of(&group.key("name").name()));
        let mut binds = Vec::new();
        for bind in group.key("binds").items()? {
            self.read_bind_0(&bind, &mut binds)
                .unwrap_or_else(|| self.losses.bad_binds.push(channel.name().to_owned()));
            limits::within(bind.path(), "moved shapes", self.binds + binds.len(), 4 * MAX_SHAPES)?;
        }
        let has_materials = group.key("materialValues").len()? > 0;
        self.finish(channel, binds, has_materials, group.key("isBinary").flag());
        Ok(())
    }

    fn read_bind_0(&self, bind: &Field<'_>, binds: &mut Vec<ShapeBind>) -> Option<()> {
        let mesh = bind.key("mesh").whole().ok()??;
        let target = bind.key("index").whole().ok()??;
        let gain = bind.key("weight").number().ok()?.unwrap_or(100.0) as f32 / 100.0;
        let exists = target < self.shapes.targets.get(mesh)?.len() && gain.is_finite();
        let bind = |&node: &usize| ShapeBind { node, target, gain };
        if exists && gain.abs() > MIN_GAIN {
            binds.extend(self.shapes.nodes_of[mesh].iter().map(bind));
        }
        exists.then_some(())
    }

    /// Reads VRM 1.0: the presets, then the custom expressions.
    fn read_1(&mut self, expressions: &Field<'_>) -> Result<()> {
        for group in ["preset", "custom"] {
            let entries = expressions.key(group).entries()?;
            limits::within(expressions.path(), "expressions", entries.len(), MAX_SHAPES)?;
            for (name, field) in entries {
                let known = Expression::from_name(name).map(Channel::Known);
                let name = &name[..name.floor_char_boundary(limits::MAX_NAME_BYTES)];
                self.read_expression(known.unwrap_or_else(|| self.channel_of(name)), &field)?;
            }
        }
        Ok(())
    }

    fn read_expression(&mut self, channel: Channel, field: &Field<'_>) -> Result<()> {
        let mut binds = Vec::new();
        for bind in field.key("morphTargetBinds").items()? {
            match self.read_bind_1(&bind) {
                Some(bind) if bind.gain.abs() > MIN_GAIN => binds.push(bind),
                Some(_) => {}
                None => self.losses.bad_binds.push(channel.name().to_owned()),
            }
            limits::within(bind.path(), "moved shapes", self.binds + binds.len(), 4 * MAX_SHAPES)?;
        }
        let materials = ["materialColorBinds", "textureTransformBinds"].map(|key| field.key(key).len());
        let has_materials = materials.into_iter().sum::<Result<usize>>()? > 0;
        self.finish(channel, binds, has_materials, field.key("isBinary").flag());
        Ok(())
    }

    fn read_bind_1(&self, bind: &Field<'_>) -> Option<ShapeBind> {
        let node = bind.key("node").whole().ok()??;
        let target = bind.key("index").whole().ok()??;
        let gain = bind.key("weight").number().ok()?.unwrap_or(1.0) as f32;
        let exists = target < self.shapes.count(node) && gain.is_finite();
        exists.then_some(ShapeBind { node, target, gain })
    }

    fn finish(&mut self, channel: Channel, binds: Vec<ShapeBind>, has_materials: bool, is_binary: bool) {
        self.binds += binds.len();
        if has_materials {
            self.losses.materials.push(channel.name().to_owned());
        }
        // The neutral expression may move nothing.
        let is_neutral = channel.name() == "neutral";
        if binds.is_empty() && !has_materials && !is_neutral {
            return self.losses.empty.push(channel.name().to_owned());
        }
        self.push(channel, binds, is_binary);
    }

    /// Lists the expressions of a VRMA, which have no morph targets.
    fn name_signals(&mut self, expressions: &Field<'_>) -> Result<()> {
        for group in ["preset", "custom"] {
            let entries = expressions.key(group).entries()?;
            limits::within(expressions.path(), "expressions", entries.len(), MAX_SHAPES)?;
            for (name, _) in entries {
                self.push(signal_channel(name), Vec::new(), false);
            }
        }
        Ok(())
    }

    /// Makes every morph target of a plain glTF an expression. Exact names are read first, so that another spelling
    /// of the same name becomes a separate expression.
    fn name_targets(&mut self) {
        let named = self.shapes.by_name();
        for (name, binds) in named.iter().filter(|(name, _)| Expression::from_name(name).is_some()) {
            self.push(Channel::from((*name).to_owned()), binds.clone(), false);
        }
        for (name, binds) in named.into_iter().filter(|(name, _)| Expression::from_name(name).is_none()) {
            let channel = self.channel_of(name);
            self.push(channel, binds, false);
        }
    }

    /// Adds the morph targets of a VRM that are named as ARKit shapes or visemes, unless the VRM already has an
    /// expression of that name. For example, an avatar whose expression `aa` moves the shape `vrc_v_aa` then has all
    /// fifteen visemes instead of ten.
    fn recognise_targets(&mut self) {
        for (name, binds) in self.shapes.by_name() {
            let Channel::Known(expression) = self.channel_of(name) else { continue };
            let is_muscle = Expression::vrm().all(|preset| preset != expression);
            if is_muscle && !binds.is_empty() {
                self.push(Channel::Known(expression), binds, false);
            }
        }
    }
}

/// Returns the expression with the given name in a VRMA.
pub(super) fn signal_channel(name: &str) -> Channel {
    Channel::from(name[..name.floor_char_boundary(limits::MAX_NAME_BYTES)].to_owned())
}

/// Maps morph targets to expressions.
#[derive(Default)]
pub(super) struct Owners {
    of: BTreeMap<(usize, usize), (usize, f32)>,
}

impl Owners {
    /// Assigns each target to the expression that moves the fewest targets.
    pub(super) fn new(expressions: &[SourceExpression]) -> Self {
        let mut of = BTreeMap::new();
        let others = |e: usize| expressions[e].binds.len();
        for (e, expression) in expressions.iter().enumerate() {
            for bind in expression.binds.iter().filter(|bind| bind.gain > 0.0) {
                let owner = of.entry((bind.node, bind.target)).or_insert((e, bind.gain));
                if others(e) < others(owner.0) {
                    *owner = (e, bind.gain);
                }
            }
        }
        Self { of }
    }

    /// Returns the expression that a target belongs to, and the target's weight when the expression weight is 1.
    pub(super) fn get(&self, node: usize, target: usize) -> Option<(usize, f32)> {
        self.of.get(&(node, target)).copied()
    }
}
