//! Reads animations: channels of key frames become tracks with a constant rate.
//!
//! glTF allows different key times and interpolations for every channel, but a clip has one frame rate.
//! [`Reader::read`] therefore finds a [`Grid`] of frames for each animation, samples every channel on it, and returns
//! one [`NodeClip`] per animation that moves something. Morph target weights become weights of the expressions that own
//! the targets; in a VRMA, special nodes carry expressions and gaze. A [`Budget`] for the whole file limits keys and
//! samples, because channels may share keys and a small file could otherwise request gigabytes. Animated scale is
//! dropped with a warning.

use crate::error::{Result, Warning, WarningCode};
use crate::gltf::accessor::Accessors;
use crate::gltf::curve::{Curve, Grid, Interpolation};
use crate::gltf::expressions::{Owners, Shapes, signal_channel};
use crate::gltf::field::Field;
use crate::gltf::vrm::Vrm;
use crate::limits::{self, MAX_CLIPS, MAX_SAMPLES};
use crate::scene::{Kind, Node, NodeClip, SourceExpression};
use glam::{Quat, Vec3};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use vivant::rig::{Channel, Expression};

/// The property that a channel animates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Property {
    Translation,
    Rotation,
    Scale,
    Weights,
}

/// A checked channel whose values are not read yet.
struct PendingChannel<'a> {
    node: usize,
    property: Property,
    sampler: Field<'a>,
    times: Rc<[f32]>,
}

/// Nodes of a VRMA that animate expressions and gaze instead of bones.
#[derive(Default)]
struct Signals {
    weights: BTreeMap<usize, Channel>,
    gaze: Option<usize>,
}

/// Reads a document's animations.
pub(super) struct Reader<'a> {
    pub(super) document: Field<'a>,
    pub(super) accessors: Accessors<'a>,
    pub(super) nodes: &'a [Node],
    pub(super) shapes: &'a Shapes,
    pub(super) expressions: &'a [SourceExpression],
}

/// The remaining budget of a file, and counts of dropped data.
struct Budget {
    samples: usize,
    keys: usize,
    scaled: usize,
    duplicate: usize,
    foreign: usize,
    unowned: BTreeSet<(usize, usize)>,
    uneven: Vec<String>,
}

impl<'a> Reader<'a> {
    pub(super) fn read(&self, vrm: &Vrm<'_>, warnings: &mut Vec<Warning>) -> Result<Vec<NodeClip>> {
        let list = self.document.key("animations");
        limits::within("animations", "animations", list.len()?, MAX_CLIPS)?;
        let signals = signals(vrm, self.nodes.len(), warnings)?;
        let owners = Owners::new(self.expressions);
        let mut budget = Budget::new();
        let mut clips = Vec::new();
        for animation in list.items()? {
            let moving = self.channels(&animation, &mut budget)?;
            if !moving.is_empty() {
                clips.push(self.clip(&animation, &moving, &signals, &owners, &mut budget)?);
            }
        }
        budget.report(warnings);
        Ok(clips)
    }

    fn channels(&self, animation: &Field<'a>, budget: &mut Budget) -> Result<Vec<PendingChannel<'a>>> {
        let mut seen = BTreeSet::new();
        let mut times = BTreeMap::new();
        let mut moving = Vec::new();
        for channel in animation.key("channels").items()? {
            let target = channel.key("target");
            let node = target.key("node").index("node", self.nodes.len())?;
            let (Some(node), Some(property)) = (node, property(&target.key("path"))?) else {
                budget.foreign += 1;
                continue;
            };
            let samplers = animation.key("samplers");
            let reference = channel.key("sampler");
            let index = reference.required(reference.index("sampler", samplers.len()?), "a sampler")?;
            let sampler = samplers.at(index);
            if !seen.insert((node, property)) {
                budget.duplicate += 1;
                continue;
            }
            let times = self.times(&sampler.key("input"), &mut times, budget)?;
            moving.push(PendingChannel { node, property, sampler, times });
        }
        Ok(moving)
    }

    /// Returns the key times of a sampler. Samplers share them, so each list is read once.
    fn times(
        &self,
        input: &Field<'_>,
        known: &mut BTreeMap<usize, Rc<[f32]>>,
        budget: &mut Budget,
    ) -> Result<Rc<[f32]>> {
        let index = input.required(input.whole(), "the index of an accessor")?;
        if let Some(times) = known.get(&index) {
            return Ok(times.clone());
        }
        let accessor = self.accessors.named_by(input)?;
        if accessor.width != 1 {
            return Err(accessor.field.error("key times must be single numbers"));
        }
        budget.spend_keys(&accessor.field, accessor.count)?;
        let times = self.accessors.floats(&accessor)?;
        if let Some(early) = times.windows(2).position(|pair| pair[1] < pair[0]) {
            let message = format!("key {} is before key {early}; times must increase", early + 1);
            return Err(accessor.field.error(message));
        }
        let times: Rc<[f32]> = times.into();
        known.insert(index, times.clone());
        Ok(times)
    }

    fn curve(&self, moving: &PendingChannel<'a>, budget: &mut Budget) -> Result<Curve> {
        let (sampler, keys) = (&moving.sampler, moving.times.len());
        let width = match moving.property {
            Property::Rotation => 4,
            Property::Translation | Property::Scale => 3,
            Property::Weights => self.shapes.count(moving.node),
        };
        let interpolation = interpolation(&sampler.key("interpolation"))?;
        let accessor = self.accessors.named_by(&sampler.key("output"))?;
        let needed = keys.saturating_mul(width).saturating_mul(interpolation.values_per_key());
        let found = accessor.count.saturating_mul(accessor.width);
        if found != needed {
            let message =
                format!("{keys} keys need {needed} numbers, but there are {found}; export the file again");
            return Err(sampler.key("output").error(message));
        }
        budget.spend_keys(sampler, needed)?;
        let values = self.accessors.floats(&accessor)?;
        Ok(Curve { times: moving.times.clone(), values, width, interpolation })
    }

    fn clip(
        &self,
        animation: &Field<'a>,
        moving: &[PendingChannel<'a>],
        signals: &Signals,
        owners: &Owners,
        budget: &mut Budget,
    ) -> Result<NodeClip> {
        let times: Vec<_> = moving.iter().map(|m| m.times.clone()).collect();
        let grid = Grid::for_keys(&times);
        let most = vivant::clip::Clip::MAX_FRAMES;
        limits::within(animation.path(), "frames", grid.frames, most)?;
        if !grid.holds_all {
            budget.uneven.push(format!("{} at {}", animation.path(), grid.rate));
        }
        let name = animation.key("name").name();
        let clip = NodeClip { name, rate: grid.rate, frames: grid.frames, ..NodeClip::default() };
        let mut sampling = Sampling { reader: self, clip, owners, signals, shown: BTreeMap::new() };
        for channel in moving {
            let curve = self.curve(channel, budget)?;
            sampling.add(channel, &curve, budget)?;
        }
        let shown = sampling.shown.into_iter();
        sampling.clip.weights.extend(shown.map(|(e, w)| (self.expressions[e].channel.clone(), w)));
        Ok(sampling.clip)
    }
}

/// A clip while its curves are sampled.
struct Sampling<'r> {
    reader: &'r Reader<'r>,
    clip: NodeClip,
    owners: &'r Owners,
    signals: &'r Signals,
    /// Weights by index of the expression.
    shown: BTreeMap<usize, Vec<f32>>,
}

impl Sampling<'_> {
    fn each<T>(&self, place: &Field<'_>, budget: &mut Budget, sample: impl Fn(f64) -> T) -> Result<Vec<T>> {
        budget.spend_samples(place, self.clip.frames)?;
        Ok((0..self.clip.frames).map(|frame| sample(frame as f64 / self.clip.rate)).collect())
    }

    fn add(&mut self, channel: &PendingChannel<'_>, curve: &Curve, budget: &mut Budget) -> Result<()> {
        let (node, place) = (channel.node, &channel.sampler);
        let signal = self.signals.weights.get(&node);
        match (channel.property, signal) {
            (Property::Translation, Some(expression)) => {
                let track = self.each(place, budget, |t| curve.component(t, 0))?;
                self.clip.weights.push((expression.clone(), track));
            }
            (_, Some(_)) => {}
            (Property::Rotation, None) if self.signals.gaze == Some(node) => {
                self.clip.gaze = Some(self.each(place, budget, |t| curve.rotation(t))?);
            }
            _ if self.signals.gaze == Some(node) => {}
            (Property::Rotation, None) => {
                let track: Vec<Quat> = self.each(place, budget, |t| curve.rotation(t))?;
                self.clip.rotations.push((node, track));
            }
            (Property::Translation, None) => {
                let track = self.each(place, budget, |t| Vec3::from(curve.vector(t)))?;
                self.clip.translations.push((node, track));
            }
            (Property::Scale, None) => {
                let rest = self.reader.nodes[node].rest.scale.to_array();
                budget.scaled += usize::from(!curve.stays_at(&rest, 1e-3));
            }
            (Property::Weights, None) => self.add_weights(channel, curve, budget)?,
        }
        Ok(())
    }

    /// Adds morph target weights as the expressions they belong to.
    fn add_weights(
        &mut self,
        channel: &PendingChannel<'_>,
        curve: &Curve,
        budget: &mut Budget,
    ) -> Result<()> {
        for target in 0..curve.width {
            let Some((expression, gain)) = self.owners.get(channel.node, target) else {
                budget.unowned.insert((channel.node, target));
                continue;
            };
            let weight = |t| (curve.component(t, target) / gain).clamp(0.0, 1.0);
            let track = self.each(&channel.sampler, budget, weight)?;
            let shown = self.shown.entry(expression).or_insert_with(|| vec![0.0; track.len()]);
            shown.iter_mut().zip(track).for_each(|(most, weight)| *most = most.max(weight));
        }
        Ok(())
    }
}

impl Budget {
    fn new() -> Self {
        Self {
            samples: MAX_SAMPLES,
            keys: 4 * MAX_SAMPLES,
            scaled: 0,
            duplicate: 0,
            foreign: 0,
            unowned: BTreeSet::new(),
            uneven: Vec::new(),
        }
    }

    fn spend_samples(&mut self, place: &Field<'_>, frames: usize) -> Result<()> {
        let left = self.samples.checked_sub(frames);
        let message = || format!("the animations have more than {MAX_SAMPLES} samples; split the file");
        self.samples = left.ok_or_else(|| place.error(message()))?;
        Ok(())
    }

    /// Subtracts keys from the budget, or fails. Channels may share keys, so a small file could request the same keys
    /// very often.
    fn spend_keys(&mut self, place: &Field<'_>, numbers: usize) -> Result<()> {
        let left = self.keys.checked_sub(numbers);
        self.keys = left.ok_or_else(|| place.error("the animations have too many keys; split the file"))?;
        Ok(())
    }

    fn report(self, warnings: &mut Vec<Warning>) {
        use WarningCode::{Dropped, Guessed, Malformed};
        let mut warn = |code, count: usize, message: String| {
            if count > 0 {
                warnings.push(Warning::new(code, "animations", message));
            }
        };
        let Self { scaled, duplicate, foreign, unowned, uneven, .. } = self;
        let unowned = unowned.len();
        warn(Dropped, scaled, format!("{scaled} channels animate scale, which is ignored"));
        warn(
            Malformed,
            duplicate,
            format!("{duplicate} channels have the same target as another one; the first is kept"),
        );
        warn(Dropped, foreign, format!("{foreign} channels have no node as target and were ignored"));
        warn(
            Dropped,
            unowned,
            format!("{unowned} animated morph targets belong to no expression and were ignored"),
        );
        let names = crate::gltf::expressions::join_names(&uneven);
        let message =
            format!("keys do not match a constant frame rate and were resampled: {names} frames per second");
        warn(Guessed, uneven.len(), message);
    }
}

fn property(path: &Field<'_>) -> Result<Option<Property>> {
    Ok(match path.text()? {
        Some("translation") => Some(Property::Translation),
        Some("rotation") => Some(Property::Rotation),
        Some("scale") => Some(Property::Scale),
        Some("weights") => Some(Property::Weights),
        _ => None,
    })
}

fn interpolation(field: &Field<'_>) -> Result<Interpolation> {
    match field.text()? {
        None | Some("LINEAR") => Ok(Interpolation::Linear),
        Some("STEP") => Ok(Interpolation::Step),
        Some("CUBICSPLINE") => Ok(Interpolation::CubicSpline),
        Some(_) => Err(field.error("the interpolation must be LINEAR, STEP or CUBICSPLINE")),
    }
}

/// Returns the nodes of a VRMA that animate expressions and gaze.
fn signals(vrm: &Vrm<'_>, nodes: usize, warnings: &mut Vec<Warning>) -> Result<Signals> {
    let mut signals = Signals::default();
    if vrm.kind != Kind::Vrma {
        return Ok(signals);
    }
    let expressions = vrm.field.key("expressions");
    for group in ["preset", "custom"] {
        for (name, field) in expressions.key(group).entries()? {
            if let Some(node) = field.key("node").index("node", nodes)? {
                signals.weights.insert(node, signal_channel(name));
            }
        }
    }
    let look = vrm.field.key("lookAt");
    signals.gaze = look.key("node").index("node", nodes)?;
    let offset = look.key("offsetFromHeadBone");
    if offset.floats::<3>()?.is_some_and(|o| o != [0.0; 3]) && signals.gaze.is_some() {
        let message = "the gaze origin is a property of the avatar; this offset is ignored";
        warnings.push(Warning::new(WarningCode::Dropped, offset.path(), message));
    }
    warn_about_look_expressions(&signals, &expressions, warnings);
    Ok(signals)
}

fn warn_about_look_expressions(signals: &Signals, place: &Field<'_>, warnings: &mut Vec<Warning>) {
    if signals.weights.values().any(is_look) {
        let message = "a VRMA should animate the gaze with lookAt, not with look expressions; both are kept";
        warnings.push(Warning::new(WarningCode::Malformed, place.path(), message));
    }
}

/// Returns true for look expressions, which VRMA forbids.
pub(super) fn is_look(channel: &Channel) -> bool {
    ["lookUp", "lookDown", "lookLeft", "lookRight"]
        .iter()
        .any(|name| Expression::from_name(name).map(Channel::Known).as_ref() == Some(channel))
}
